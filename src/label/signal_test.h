/* SPDX-License-Identifier: MIT
 * signal_test.h - do features or links that are uncorrelated with each other contain signal, or
 * noise? */
#ifndef GND_LABEL_SIGNAL_TEST_H
#define GND_LABEL_SIGNAL_TEST_H

#include "coordinates.h"
#include "self_train.h"

/* 0: noise, 1: signal. */
typedef struct {
    double features, links; /* classes fitted to one half and to the other agree. Halves of links
                               also agree because both have the degrees */
    double link_prediction; /* classes fitted to most links predict the held-out ones. Noise seldom
                               does; but classes that do need not be all classes */
    gnd_paths paths;        /* that predict held-out links best */
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
