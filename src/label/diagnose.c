/* SPDX-License-Identifier: MIT
 * diagnose.c - count what each class got, compare their means. */
#include "diagnose.h"

#include <math.h>

#include "base/alloc.h"
#include "kern/kern.h"
#include "class_priors.h"

static gnd_status note_overlap(gnd_remarks *to, const gnd_diagnose_input *c, gnd_real *mean,
                               gnd_error *err)
{
    static const double alike = 0.85;
    const gnd_kern *kern = gnd_kern_get();
    const int64_t r = c->z->r, C = c->labelled->n_class;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < c->z->n; i++)
        kern->axpy(mean + gnd_argmax(c->prob + i * C, C) * r, 1, c->z->z + i * r, r);
    for (int32_t a = 0; a < C; a++)
        for (int32_t b = 0; b < a; b++) {
            const gnd_real *x = mean + a * r, *y = mean + b * r;
            const double size = sqrt(kern->dot(x, x, r) * kern->dot(y, y, r));
            const double cosine = size > 0 ? kern->dot(x, y, r) / size : 0;

            if (cosine > alike)
                GND_TRY(gnd_remark_add(
                    to,
                    (gnd_remark){.kind = GND_REMARK_OVERLAP, .cls = b, .other = a, .value = cosine},
                    err));
        }
out:
    return st;
}

/* said, count: [C] labels, and other vertices, of each class. */
static gnd_status note_support(gnd_remarks *to, const gnd_diagnose_input *c, int64_t *n_label,
                               int64_t *count, gnd_error *err)
{
    const int64_t C = c->labelled->n_class;
    int64_t same = 0, asked = 0;
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < c->labelled->n; k++)
        n_label[c->labelled->cls[k]]++;
    for (int64_t i = 0; i < c->z->n; i++)
        if (!c->excluded[i]) {
            const int64_t top = gnd_argmax(c->prob + i * C, C);

            count[top]++;
            same += c->prototype && top == gnd_argmax(c->prototype + i * C, C);
            asked++;
        }
    for (int64_t k = 0; k < C; k++) {
        const gnd_remark_kind kind = n_label[k] ? GND_REMARK_NO_SUPPORT : GND_REMARK_NO_LABEL;

        if (n_label[k] == 0 || (double)count[k] < 0.02 * (double)asked / (double)C)
            GND_TRY(gnd_remark_add(
                to, (gnd_remark){.kind = kind, .cls = (int32_t)k, .value = (double)count[k]}, err));
    }
    if (c->prototype && asked > 0 && (double)same < 0.6 * (double)asked)
        GND_TRY(gnd_remark_add(
            to, (gnd_remark){.kind = GND_REMARK_DRIFT, .value = (double)same / (double)asked},
            err));
out:
    return st;
}

gnd_status gnd_diagnose(gnd_remarks *to, const gnd_diagnose_input *c, gnd_error *err)
{
    const int64_t C = c->labelled->n_class;
    int64_t *count = gnd_alloc(2 * C, sizeof *count);
    gnd_real *mean = gnd_alloc(C * c->z->r, sizeof *mean);
    gnd_status st = GND_OK;

    if (!count || !mean)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld classes", (long long)C));
    if (to) {
        GND_TRY(note_support(to, c, count + C, count, err));
        GND_TRY(note_overlap(to, c, mean, err));
    }
out:
    gnd_free(mean);
    gnd_free(count);
    return st;
}

gnd_status gnd_diagnose_label(gnd_remarks *to, const gnd_labelled *all, int64_t e,
                              const gnd_real *prob, int64_t prototype_says, gnd_error *err)
{
    const int64_t C = all->n_class;
    const int32_t cls = all->cls[e];
    const gnd_real *row = prob + all->point[e] * C;
    const int64_t says = gnd_argmax(row, C);

    if (all->n < 3 * C || says == cls || prototype_says != says || row[says] < 0.8 ||
        row[cls] > 0.03)
        return GND_OK;
    return gnd_remark_add(to,
                          (gnd_remark){.kind = GND_REMARK_ODD_LABEL,
                                       .vertex = all->point[e],
                                       .cls = cls,
                                       .other = (int32_t)says,
                                       .value = (double)row[says]},
                          err);
}
