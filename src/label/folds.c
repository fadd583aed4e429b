/* SPDX-License-Identifier: MIT
 * folds.c - labels of each class go to the folds in turn. */
#include "folds.h"

#include "base/alloc.h"

gnd_status gnd_folds_init(gnd_folds *f, const gnd_labelled *all, int64_t n, gnd_error *err)
{
    *f = (gnd_folds){.all = all, .n = n};
    f->point = gnd_alloc(all->n, sizeof *f->point);
    f->cls = gnd_alloc(all->n, sizeof *f->cls);
    f->held_out = gnd_alloc(all->n, sizeof *f->held_out);
    f->position = gnd_alloc(all->n, sizeof *f->position);
    f->class_size = gnd_alloc(all->n_class, sizeof *f->class_size);
    if (!f->point || !f->cls || !f->held_out || !f->position || !f->class_size) {
        gnd_folds_fini(f);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory to leave out %lld labels",
                        (long long)all->n);
    }
    for (int64_t k = 0; k < all->n; k++)
        f->position[k] = f->class_size[all->cls[k]]++;
    return GND_OK;
}

void gnd_folds_fini(gnd_folds *f)
{
    gnd_free(f->point);
    gnd_free(f->cls);
    gnd_free(f->held_out);
    gnd_free(f->position);
    gnd_free(f->class_size);
    *f = (gnd_folds){0};
}

void gnd_folds_take(gnd_folds *f, int64_t k)
{
    f->train = *f->all;
    f->train.point = f->point;
    f->train.cls = f->cls;
    f->train.n = 0;
    for (int64_t e = 0; e < f->all->n; e++) {
        f->held_out[e] = f->class_size[f->all->cls[e]] > 1 && f->position[e] % f->n == k;
        if (f->held_out[e])
            continue;
        f->point[f->train.n] = f->all->point[e];
        f->cls[f->train.n++] = f->all->cls[e];
    }
}
