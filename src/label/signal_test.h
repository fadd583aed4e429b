/* SPDX-License-Identifier: MIT
 * signal_test.h - features and links that have nothing to do with each other: is there something in
 * them, or are they noise? */
#ifndef GND_LABEL_SIGNAL_TEST_H
#define GND_LABEL_SIGNAL_TEST_H

#include "coordinates.h"
#include "self_train.h"

/* 0 noise .. 1. */
typedef struct {
    double features, links; /* classes fitted to one half of them and to the other are the same.
                               Halves of links agree also because both know which vertices have
                               many */
    double link_prediction; /* classes fitted to most links foretell those that were left out. Noise
                        seldom does, but what does need not tell all classes apart */
    gnd_paths paths;        /* that foretell best */
} gnd_signal;

typedef struct {
    const gnd_coordinates *coordinates; /* with feature_half, links_half, links_most and held_out */
    int64_t rank;                       /* coordinates used */
    const gnd_labelled *labelled;
    const unsigned char *skip; /* [n] 1: not compared */
} gnd_signal_opts;

/* Test features and links for signal. Fits start from the labelled vertices, but which class is
 * which does not matter. prob: [n, C] scratch. */
gnd_status gnd_signal_test(gnd_signal *out, gnd_real *prob, const gnd_signal_opts *o,
                           gnd_pool *pool, gnd_error *err);

#endif
