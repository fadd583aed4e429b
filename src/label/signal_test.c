/* SPDX-License-Identifier: MIT
 * signal_test.c - what agrees beyond the standard error of chance, and a little. */
#include "signal_test.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "class_priors.h"

/* 0 up to so many standard errors and a little, 1 from there and twice as much on. */
static double excess(double value, double error)
{
    static const double little = 0.05;

    return fmin(fmax((value - error - little) / (2 * little), 0), 1);
}

/* Halves of what is believed or not. */
static gnd_status halves_agree(double *out, gnd_real *prob, const gnd_points half[2], int64_t r,
                               const gnd_labelled *s, const unsigned char *skip, gnd_pool *pool,
                               gnd_error *err)
{
    const int64_t n = half[0].n, C = s->n_class;
    gnd_real *other = gnd_alloc(n * C, sizeof *other);
    double *mass = gnd_alloc(2 * C, sizeof *mass), same, error;
    gnd_status st = GND_OK;

    *out = 0;
    if (!other || !mass)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes of %lld vertices",
                         (long long)C, (long long)n));
    if (half[0].n > 0 && half[1].n > 0) {
        GND_TRY(gnd_fit_shaped(other, gnd_fit_soft, &half[0], r, 1, s, pool, err));
        GND_TRY(gnd_fit_shaped(prob, gnd_fit_soft, &half[1], r, 1, s, pool, err));
        same = gnd_class_kappa(prob, other, n, C, skip, mass, &error);
        *out = excess(same, 2 * error);
    }
out:
    gnd_free(mass);
    gnd_free(other);
    return st;
}

/* Links left out, by classes fitted to the others in more than one way; the way that foretells them
 * best. It is the better of two, and all that speaks for links that are few: three standard errors.
 */
static gnd_status test_links(double *out, gnd_paths *paths, gnd_real *prob,
                             const gnd_coordinates *v, int64_t r, const gnd_labelled *s,
                             gnd_pool *pool, gnd_error *err)
{
    const int64_t C = s->n_class, n = v->links.n_row;
    double *room = gnd_alloc(C * (C + 1), sizeof *room), best = 0;
    int32_t *cls = gnd_alloc(n, sizeof *cls);
    gnd_status st = GND_OK;

    *out = 0;
    *paths = GND_PATHS_EVEN;
    if (!room || !cls)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes of %lld vertices",
                         (long long)C, (long long)n));
    for (int k = 0; k < GND_PATHS; k++) {
        double link_prediction, error;

        if (v->links_most[k].n == 0)
            continue;
        GND_TRY(gnd_fit_shaped(prob, gnd_fit_soft, &v->links_most[k], r, GND_LINKS_ONLY_POWER, s,
                               pool, err));
        for (int64_t i = 0; i < n; i++)
            cls[i] = (int32_t)gnd_argmax(prob + i * C, C);
        link_prediction = gnd_link_prediction(cls, C, &v->links, &v->held_out, room, &error);
        if (link_prediction > best) {
            best = link_prediction;
            *paths = (gnd_paths)k;
            *out = excess(link_prediction, 3 * error);
        }
    }
out:
    gnd_free(cls);
    gnd_free(room);
    return st;
}

gnd_status gnd_signal_test(gnd_signal *out, gnd_real *prob, const gnd_coordinates *v, int64_t r,
                           const gnd_labelled *s, const unsigned char *skip, gnd_pool *pool,
                           gnd_error *err)
{
    gnd_status st;

    GND_TRY(halves_agree(&out->features, prob, v->feature_half, r, s, skip, pool, err));
    GND_TRY(halves_agree(&out->links, prob, v->links_half, r, s, skip, pool, err));
    GND_TRY(test_links(&out->link_prediction, &out->paths, prob, v, r, s, pool, err));
out:
    return st;
}
