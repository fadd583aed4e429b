/* SPDX-License-Identifier: MIT
 * panels.c - Clenshaw's recurrence on panels of columns. */
#include "panels.h"

#include <string.h>

#include "base/alloc.h"

enum { ROWS = 256 };

gnd_status gnd_panels_init(gnd_panels *s, gnd_error *err)
{
    for (int i = 0; i < 3; i++)
        s->room[i] = gnd_alloc_raw(s->S ? s->n * s->width : 0, sizeof *s->room[i]);
    if (s->room[0] && s->room[1] && s->room[2])
        return GND_OK;
    gnd_panels_fini(s);
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the coordinates of %lld vertices",
                    (long long)s->n);
}

void gnd_panels_fini(gnd_panels *s)
{
    for (int i = 0; i < 3; i++) {
        gnd_free(s->room[i]);
        s->room[i] = NULL;
    }
}

typedef struct {
    const gnd_panels *s;
    gnd_real *b, *panel;
    int64_t first; /* column of the panel */
} copy_job;

static void to_panel(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;
    const int64_t p = j->s->p, w = j->s->width;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->panel + i * w, j->b + i * p + j->first, (size_t)w * sizeof *j->panel);
}

static void from_panel(int64_t begin, int64_t end, void *arg)
{
    const copy_job *j = arg;
    const int64_t p = j->s->p, w = j->s->width;

    for (int64_t i = begin; i < end; i++)
        memcpy(j->b + i * p + j->first, j->panel + i * w, (size_t)w * sizeof *j->panel);
}

static void copy(const gnd_panels *s, gnd_real *b, gnd_real *panel, int64_t first,
                 void (*fn)(int64_t begin, int64_t end, void *arg))
{
    gnd_parallel_for(s->pool, s->n, ROWS, s->n * s->width, fn, &(copy_job){s, b, panel, first});
}

void gnd_panels_apply(const gnd_panels *s, gnd_real *b, const gnd_series *by)
{
    for (int64_t k = 0; k < s->p && s->S; k += s->width) {
        copy(s, b, s->room[0], k, to_panel);
        gnd_poly_apply(
            s->room[1], s->room[2],
            &(gnd_poly_product){s->S, NULL, by->basis, by->c, by->n, s->room[0], s->width}, s->kern,
            s->pool);
        copy(s, b, s->room[1], k, from_panel);
    }
}
