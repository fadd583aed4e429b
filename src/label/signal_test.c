/* SPDX-License-Identifier: MIT
 * signal_test.c - what agrees beyond the standard error of chance, and a little. */
#include "signal_test.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "class_priors.h"
#include "constants.h"

/* 0 up to so many standard errors and a little, 1 from there and twice as much on. */
static double excess(double value, double error)
{
    return fmin(fmax((value - error - SIGNAL_MARGIN) / (2 * SIGNAL_MARGIN), 0), 1);
}

/* Agreement of classes fitted to one half and to the other, as signal. */
static gnd_status halves_agree(double *out, gnd_real *prob, const gnd_points half[2],
                               const gnd_signal_opts *o, gnd_pool *pool, gnd_error *err)
{
    const int64_t n = half[0].n, C = o->labelled->n_class;
    gnd_real *other = gnd_alloc(n * C, sizeof *other);
    double *room = gnd_alloc(2 * C, sizeof *room);
    gnd_kappa kappa;
    gnd_status st = GND_OK;

    *out = 0;
    if (!other || !room)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes of %lld vertices",
                         (long long)C, (long long)n));
    if (half[0].n > 0 && half[1].n > 0) {
        GND_TRY(gnd_fit_shaped(other, &(gnd_fit_shape){gnd_fit_soft, &half[0], o->rank, 1},
                               o->labelled, pool, err));
        GND_TRY(gnd_fit_shaped(prob, &(gnd_fit_shape){gnd_fit_soft, &half[1], o->rank, 1},
                               o->labelled, pool, err));
        kappa = gnd_class_kappa(prob, other, n, C, o->skip, room);
        *out = excess(kappa.value, SIGNAL_HALVES_ERRORS * kappa.error);
    }
out:
    gnd_free(room);
    gnd_free(other);
    return st;
}

/* Prediction of the held-out links by classes fitted to the others, over even paths and over all;
 * the better of the two. */
static gnd_status test_links(gnd_signal *out, gnd_real *prob, const gnd_signal_opts *o,
                             gnd_pool *pool, gnd_error *err)
{
    const gnd_coordinates *z = o->coordinates;
    const int64_t C = o->labelled->n_class, n = z->links.n_row;
    double *room = gnd_alloc(C * (C + 1), sizeof *room), best = 0;
    int32_t *cls = gnd_alloc(n, sizeof *cls);
    gnd_status st = GND_OK;

    out->link_prediction = 0;
    out->paths = GND_PATHS_EVEN;
    if (!room || !cls)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes of %lld vertices",
                         (long long)C, (long long)n));
    for (int k = 0; k < GND_PATHS; k++) {
        double predicted, error;

        if (z->links_most[k].n == 0)
            continue;
        GND_TRY(gnd_fit_shaped(
            prob, &(gnd_fit_shape){gnd_fit_soft, &z->links_most[k], o->rank, LINKS_ONLY_POWER},
            o->labelled, pool, err));
        for (int64_t i = 0; i < n; i++)
            cls[i] = (int32_t)gnd_argmax(prob + i * C, C);
        predicted = gnd_link_prediction(cls, C, &z->links, &z->held_out, room, &error);
        if (predicted > best) {
            best = predicted;
            out->paths = (gnd_paths)k;
            out->link_prediction = excess(predicted, SIGNAL_LINKS_ERRORS * error);
        }
    }
out:
    gnd_free(cls);
    gnd_free(room);
    return st;
}

gnd_status gnd_signal_test(gnd_signal *out, gnd_real *prob, const gnd_signal_opts *o,
                           gnd_pool *pool, gnd_error *err)
{
    const gnd_coordinates *z = o->coordinates;
    gnd_status st;

    GND_TRY(halves_agree(&out->features, prob, z->feature_half, o, pool, err));
    GND_TRY(halves_agree(&out->links, prob, z->links_half, o, pool, err));
    GND_TRY(test_links(out, prob, o, pool, err));
out:
    return st;
}
