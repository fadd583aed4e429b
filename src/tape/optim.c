/* SPDX-License-Identifier: MIT
 * optim.c - the optimisers Adam (two variants), SGD and AdaGrad.
 *
 * Adam: m = .9 m + .1 g, v = .999 v + .001 g^2, then at step t (from 1)
 *     TensorFlow  theta -= lr sqrt(1 - .999^t) / (1 - .9^t) m / (sqrt(v) + 1e-8)
 *     PyTorch     theta -= lr / (1 - .9^t) m / (sqrt(v / (1 - .999^t)) + 1e-8)
 * AdaGrad: v += g^2, theta -= lr g / sqrt(v + 1e-6), as in the DCNN authors' code.
 *
 * Adam: Kingma and Ba, ICLR 2015, arXiv:1412.6980. */
#include "optim.h"

#include <tgmath.h>

#include "base/alloc.h"

gnd_status gnd_optim_init(gnd_optim *o, gnd_opt_kind kind, double lr, int64_t n, gnd_error *err)
{
    const bool has_v = kind != GND_OPT_SGD, has_m = has_v && kind != GND_OPT_ADAGRAD;

    *o = (gnd_optim){.kind = kind, .lr = lr, .lr0 = lr, .n = n};
    o->m = has_m ? gnd_alloc(n, sizeof *o->m) : NULL;
    o->v = has_v ? gnd_alloc(n, sizeof *o->v) : NULL;
    if ((has_m && !o->m) || (has_v && !o->v)) {
        gnd_optim_fini(o);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the moments of %lld parameters",
                        (long long)n);
    }
    return GND_OK;
}

void gnd_optim_fini(gnd_optim *o)
{
    gnd_free(o->m);
    gnd_free(o->v);
    *o = (gnd_optim){0};
}

/* A step on parameters at .. at + n - 1 with `rate` times the step size. */
typedef struct {
    gnd_real *theta;
    const gnd_real *g;
    int64_t at, n;
    double rate;
    gnd_real l2; /* the gradient is g + l2 theta */
} part;

static gnd_real slope(const part *p, int64_t i)
{
    return p->l2 != 0 ? p->g[i] + p->l2 * p->theta[i] : p->g[i];
}

/* The variants differ in the position of epsilon: scale is 1 (TF) or the correction of v
 * (torch). */
static void adam(gnd_optim *o, const part *p)
{
    const double fix_m = 1 - pow(0.9, (double)o->t), fix_v = 1 - pow(0.999, (double)o->t);
    const bool tf = o->kind == GND_OPT_ADAM_TF;
    const double lr = o->lr * p->rate;
    const gnd_real step = (gnd_real)(tf ? lr * sqrt(fix_v) / fix_m : lr / fix_m);
    const gnd_adam_step s = {.step = step,
                             .scale = (gnd_real)(tf ? 1 : 1 / sqrt(fix_v)),
                             .eps = (gnd_real)1e-8,
                             .l2 = p->l2};

    gnd_kern_get()->adam(p->theta + p->at, o->m + p->at, o->v + p->at, p->g + p->at, &s, p->n);
}

static void sgd(const gnd_optim *o, const part *p)
{
    const gnd_real lr = (gnd_real)(o->lr * p->rate);

    for (int64_t i = p->at; i < p->at + p->n; i++)
        p->theta[i] -= lr * slope(p, i);
}

static void adagrad(gnd_optim *o, const part *p)
{
    const gnd_real lr = (gnd_real)(o->lr * p->rate), eps = (gnd_real)1e-6;

    for (int64_t i = p->at; i < p->at + p->n; i++) {
        const gnd_real g = slope(p, i);

        o->v[i] += g * g;
        p->theta[i] -= lr * g / sqrt(o->v[i] + eps);
    }
}

void gnd_optim_step(gnd_optim *o, gnd_params *ps, double l2)
{
    const int64_t done = o->t++;

    for (int32_t k = 0; k < ps->n; k++) {
        const gnd_param *w = &ps->p[k];
        const part p = {
            ps->v, ps->g, w->at, w->rows * w->cols, w->rate, w->decay ? (gnd_real)l2 : 0};

        switch (o->kind) {
        case GND_OPT_ADAM_TF:
        case GND_OPT_ADAM_TORCH:
            adam(o, &p);
            break;
        case GND_OPT_SGD:
            sgd(o, &p);
            break;
        case GND_OPT_ADAGRAD:
            adagrad(o, &p);
            break;
        }
    }
    if (o->kind == GND_OPT_SGD && o->lr_every > 0 && done > 0 && done % o->lr_every == 0)
        o->lr -= 0.01 * o->lr0;
}
