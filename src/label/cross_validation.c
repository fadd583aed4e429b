/* SPDX-License-Identifier: MIT
 * cross_validation.c - each class is dealt out like cards. */
#include "cross_validation.h"

#include <math.h>

#include "base/alloc.h"

gnd_status gnd_folds_init(gnd_folds *f, const gnd_labelled *all, int64_t n, gnd_error *err)
{
    *f = (gnd_folds){.all = all, .n = n};
    f->point = gnd_alloc(all->n, sizeof *f->point);
    f->cls = gnd_alloc(all->n, sizeof *f->cls);
    f->out = gnd_alloc(all->n, sizeof *f->out);
    f->turn = gnd_alloc(all->n, sizeof *f->turn);
    f->met = gnd_alloc(all->n_class, sizeof *f->met);
    if (!f->point || !f->cls || !f->out || !f->turn || !f->met) {
        gnd_folds_fini(f);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to leave out %lld labels",
                        (long long)all->n);
    }
    for (int64_t k = 0; k < all->n; k++)
        f->turn[k] = f->met[all->cls[k]]++;
    return GND_OK;
}

void gnd_folds_fini(gnd_folds *f)
{
    gnd_free(f->point);
    gnd_free(f->cls);
    gnd_free(f->out);
    gnd_free(f->turn);
    gnd_free(f->met);
    *f = (gnd_folds){0};
}

void gnd_folds_take(gnd_folds *f, int64_t k)
{
    f->in = *f->all;
    f->in.point = f->point;
    f->in.cls = f->cls;
    f->in.n = 0;
    for (int64_t e = 0; e < f->all->n; e++) {
        f->out[e] = f->met[f->all->cls[e]] > 1 && f->turn[e] % f->n == k;
        if (f->out[e])
            continue;
        f->point[f->in.n] = f->all->point[e];
        f->cls[f->in.n++] = f->all->cls[e];
    }
}

double gnd_hits_say(double hits, double asked, int64_t n_class)
{
    const double misses = asked - hits;

    return 0.5 * (lgamma(hits + 1) + lgamma(misses + 1) - misses * log((double)n_class - 1));
}
