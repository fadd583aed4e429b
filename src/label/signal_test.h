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

/* How far each can be believed. Fits start from the known points, but what they are named does not
 * matter. r: coordinates; prob: [n, C] scratch; skip: [n] 1: does not count; v: views with half,
 * bare_half, bare_most and left. */
gnd_status gnd_signal_test(gnd_signal *out, gnd_real *prob, const gnd_coordinates *v, int64_t r,
                           const gnd_labelled *s, const unsigned char *skip, gnd_pool *pool,
                           gnd_error *err);

#endif
