/* SPDX-License-Identifier: MIT
 * params.c - the parameters of a model: initial values and the L2 term. */
#include "params.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "ops.h"

int gnd_params_find(const gnd_params *ps, const char *name)
{
    for (int32_t i = 0; i < ps->n; i++)
        if (strcmp(ps->p[i].name, name) == 0)
            return i;
    return -1;
}

/* Makes room for one more parameter. */
static gnd_status params_grow(gnd_params *ps, gnd_error *err)
{
    const int32_t cap = ps->cap ? 2 * ps->cap : 8;
    gnd_param *p;

    if (ps->n < ps->cap)
        return GND_OK;
    p = ps->cap <= INT32_MAX / 2 ? gnd_realloc(ps->p, cap, sizeof *p) : NULL;
    if (!p)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %d parameters", cap);
    ps->p = p;
    ps->cap = cap;
    return GND_OK;
}

gnd_status gnd_param_add(gnd_params *ps, const char *name, int64_t rows, int64_t cols, int flags,
                         gnd_error *err)
{
    int64_t size, total;
    gnd_status st;
    char *copy;

    if (ps->v)
        return gnd_fail(err, GND_ERR_ARG, "parameter %s: added after gnd_params_alloc", name);
    if (gnd_params_find(ps, name) >= 0)
        return gnd_fail(err, GND_ERR_ARG, "parameter %s: the name is already used", name);
    if (rows < 1 || cols < 1 || __builtin_mul_overflow(rows, cols, &size) ||
        __builtin_add_overflow(size, ps->size, &total))
        return gnd_fail(err, GND_ERR_SHAPE, "parameter %s: invalid shape [%lld,%lld]", name,
                        (long long)rows, (long long)cols);
    st = params_grow(ps, err);
    if (st != GND_OK)
        return st;
    copy = gnd_strdup(name);
    if (!copy)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the name of parameter %s", name);
    ps->p[ps->n++] = (gnd_param){
        .name = copy,
        .rows = rows,
        .cols = cols,
        .at = ps->size,
        .init = (gnd_init)(flags & ~GND_DECAY),
        .fan = rows,
        .std = 1,
        .decay = (flags & GND_DECAY) != 0,
        .rate = 1,
    };
    ps->size = total;
    return GND_OK;
}

gnd_status gnd_params_alloc(gnd_params *ps, gnd_error *err)
{
    gnd_real *v = gnd_alloc(ps->size, sizeof *v), *g = gnd_alloc(ps->size, sizeof *g);

    if (!v || !g) {
        gnd_free(v);
        gnd_free(g);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for parameters of %lld values",
                        (long long)ps->size);
    }
    ps->v = v;
    ps->g = g;
    return GND_OK;
}

static double init_range(const gnd_param *p)
{
    switch (p->init) {
    case GND_INIT_GLOROT:
        return sqrt(6.0 / (double)(p->fan + p->cols));
    case GND_INIT_LINEAR:
        return 1 / sqrt((double)p->fan);
    case GND_INIT_ZERO:
    case GND_INIT_NORMAL:
        break;
    }
    return 0;
}

/* A normal variate from two uniform ones (Box-Muller transform). */
static double normal_at(uint64_t seed, uint32_t stream, uint64_t index)
{
    const double u = 1 - gnd_rng_uniform(seed, stream, 2 * index); /* (0, 1] */
    const double v = gnd_rng_uniform(seed, stream, 2 * index + 1);

    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

void gnd_params_draw(gnd_params *ps, uint64_t seed)
{
    for (int32_t i = 0; i < ps->n; i++) {
        const gnd_param *p = &ps->p[i];
        const double s = init_range(p);
        const uint32_t stream = (uint32_t)gnd_hash_name(p->name);
        gnd_real *v = ps->v + p->at;

        for (int64_t k = 0; k < p->rows * p->cols; k++)
            if (p->init == GND_INIT_NORMAL)
                v[k] = (gnd_real)(p->std * normal_at(seed, stream, (uint64_t)k));
            else
                v[k] = s > 0 ? (gnd_real)(s * (2 * gnd_rng_uniform(seed, stream, (uint64_t)k) - 1))
                             : 0;
    }
}

gnd_var gnd_param_var(gnd_tape *t, const gnd_params *ps, int i)
{
    const gnd_param *p = &ps->p[i];

    return gnd_parameter(t, ps->v + p->at, t->training ? ps->g + p->at : NULL, p->rows, p->cols);
}

void gnd_params_fini(gnd_params *ps)
{
    for (int32_t i = 0; i < ps->n; i++)
        gnd_free(ps->p[i].name);
    gnd_free(ps->p);
    gnd_free(ps->v);
    gnd_free(ps->g);
    *ps = (gnd_params){0};
}

double gnd_l2_value(const gnd_params *ps, gnd_l2 how, double c)
{
    const gnd_kern *kern = gnd_kern_get();
    double sum = 0;

    for (int32_t i = 0; i < ps->n; i++) {
        const gnd_param *p = &ps->p[i];
        const gnd_real *v = ps->v + p->at;

        if (p->decay)
            sum += kern->dot(v, v, p->rows * p->cols);
    }
    return how == GND_L2_HALF ? c / 2 * sum : c * sum;
}

double gnd_l2_factor(gnd_l2 how, double c)
{
    return how == GND_L2_HALF ? c : 2 * c;
}
