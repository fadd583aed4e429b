/* SPDX-License-Identifier: MIT
 * tsne.c - t-distributed stochastic neighbour embedding in the plane.
 *
 *     minimise  KL = sum_ij P_ij log(P_ij / Q_ij),   Q_ij = s_ij / Z,   s_ij = 1 / (1 + |y_i -
 * y_j|^2) gradient / 4 = e sum_j P_ij s_ij (y_i - y_j) - sum_j s_ij^2 (y_i - y_j) / Z,   Z = sum_{i
 * != j} s_ij P: [n, n] by affinities.c;  y: [n, 2];  e: the exaggeration, 1 in the second phase
 *
 * van der Maaten, JMLR 15 (2014), with its gains and momentum; the learning rate n / e and the
 * small start from principal components follow Belkina et al., Nature Communications 10 (2019), and
 * Kobak and Berens, ibid. P has the 3 * perplexity nearest neighbours of each point. */
#include <math.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "kern/kern.h"
#include "affinities.h"
#include "normalise.h"
#include "plane_start.h"
#include "repulsion.h"

enum { ROWS = 256, EXACT_BELOW = 1000 };
enum { EARLY = 250, ITERATIONS = 500 };
static const double exaggeration_default = 12, theta_default = 0.5;
static const gnd_real momentum_early = 0.5f, momentum_late = 0.8f;
static const gnd_real gain_add = 0.2f, gain_factor = 0.8f, gain_min = 0.01f;
static const gnd_real step_max = 5; /* of a point in one iteration: larger steps do not converge */

typedef struct {
    int64_t n;
    gnd_csr P;
    gnd_repulsion repulsion;
    gnd_real *y, *velocity, *gain, *attraction, *force; /* [n, 2] */
    double *row;                                        /* [n] */
    double z;                                           /* Z of y before the last step */
    gnd_real exaggeration, momentum, rate;
    gnd_tsne_opts o;
    gnd_pool *pool;
} layout;

static void layout_fini(layout *l)
{
    gnd_csr_fini(&l->P);
    gnd_repulsion_fini(&l->repulsion);
    gnd_free(l->y);
    gnd_free(l->velocity);
    gnd_free(l->gain);
    gnd_free(l->attraction);
    gnd_free(l->force);
    gnd_free(l->row);
    gnd_pool_free(l->pool);
}

/* ---- descent ---- */

static void attract_rows(int64_t begin, int64_t end, void *arg)
{
    const layout *l = arg;

    gnd_kern_get()->attract(l->attraction, &l->P, l->y, begin, end);
}

static gnd_real limited(gnd_real v)
{
    return v > step_max ? step_max : v < -step_max ? -step_max : v;
}

/* A step along the gradient; the gain of a coordinate grows while its direction stays. */
static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const layout *l = arg;
    const gnd_real inverse = (gnd_real)(l->z > 0 ? 1 / l->z : 0);

    for (int64_t i = 2 * begin; i < 2 * end; i++) {
        const gnd_real grad = l->exaggeration * l->attraction[i] - l->force[i] * inverse;
        const gnd_real gain =
            grad * l->velocity[i] < 0 ? l->gain[i] + gain_add : l->gain[i] * gain_factor;

        l->gain[i] = gain > gain_min ? gain : gain_min;
        l->velocity[i] = limited(l->momentum * l->velocity[i] - l->rate * l->gain[i] * grad);
        l->y[i] += l->velocity[i];
    }
}

static void forces(layout *l)
{
    const double theta = l->n < EXACT_BELOW ? -1 : l->o.theta;

    gnd_parallel_for(l->pool, l->n, ROWS, 8 * gnd_csr_nnz(&l->P), attract_rows, l);
    l->z = gnd_repulsion_compute(&l->repulsion, l->force, l->y, theta, l->pool);
}

static void centre(layout *l)
{
    double mean[2] = {0};

    for (int64_t i = 0; i < 2 * l->n; i++)
        mean[i & 1] += (double)l->y[i];
    for (int64_t i = 0; i < 2 * l->n; i++)
        l->y[i] -= (gnd_real)(mean[i & 1] / (double)l->n);
}

static gnd_status phase(layout *l, int64_t first, int64_t n, double exaggeration, gnd_error *err)
{
    const int64_t total = l->o.early + l->o.iterations;

    l->exaggeration = (gnd_real)exaggeration;
    l->rate = (gnd_real)((double)l->n / exaggeration);
    for (int64_t i = first; i < first + n; i++) {
        forces(l);
        gnd_parallel_for(l->pool, l->n, ROWS, 16 * l->n, step_rows, l);
        centre(l);
        if (l->o.on_iteration &&
            l->o.on_iteration(&(gnd_tsne_progress){.done = i + 1, .total = total, .n_layout = 1},
                              l->o.user))
            return gnd_fail(err, GND_ERR_STOPPED, "t-SNE was stopped in iteration %lld of %lld",
                            (long long)i + 1, (long long)total);
    }
    return GND_OK;
}

static gnd_status descend(layout *l, gnd_error *err)
{
    gnd_status st;

    for (int64_t i = 0; i < 2 * l->n; i++)
        l->gain[i] = 1;
    l->momentum = momentum_early;
    GND_TRY(phase(l, 0, l->o.early, l->o.exaggeration, err));
    l->momentum = momentum_late;
    GND_TRY(phase(l, l->o.early, l->o.iterations, 1, err));
out:
    return st;
}

/* ---- divergence ---- */

/* sum_j P_ij log(P_ij (1 + |y_i - y_j|^2) Z) */
static void divergence_rows(int64_t begin, int64_t end, void *arg)
{
    const layout *l = arg;

    for (int64_t i = begin; i < end; i++) {
        double sum = 0;

        for (int64_t e = l->P.ptr[i]; e < l->P.ptr[i + 1]; e++) {
            const int64_t j = l->P.col[e];
            const double dx = (double)l->y[2 * i] - (double)l->y[2 * j];
            const double dy = (double)l->y[2 * i + 1] - (double)l->y[2 * j + 1];
            const double p = (double)l->P.val[e];

            sum += p > 0 ? p * log(p * (1 + (dx * dx + dy * dy)) * l->z) : 0;
        }
        l->row[i] = sum;
    }
}

static double divergence(layout *l)
{
    double sum = 0;

    forces(l);
    gnd_parallel_for(l->pool, l->n, ROWS, 32 * gnd_csr_nnz(&l->P), divergence_rows, l);
    for (int64_t i = 0; i < l->n; i++)
        sum += l->row[i];
    return sum;
}

/* ---- input ---- */

static gnd_status check(const gnd_point_rows *x, const gnd_tsne_opts *o, gnd_error *err)
{
    gnd_status st;

    GND_TRY(gnd_points_check(x, "t-SNE", err));
    if (o->start)
        GND_TRY(gnd_points_check(&(gnd_point_rows){o->start, x->n, 2}, "t-SNE: start layout", err));
    if (!(o->perplexity >= 1) || !isfinite(o->perplexity))
        GND_TRY(
            gnd_fail(err, GND_ERR_ARG, "t-SNE: perplexity %g; expected at least 1", o->perplexity));
    if (!(o->exaggeration >= 1) || !isfinite(o->exaggeration))
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "t-SNE: exaggeration %g; expected at least 1",
                         o->exaggeration));
    if (!(o->theta <= 1))
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "t-SNE: angle %g; expected at most 1", o->theta));
out:
    return st;
}

static void fill_defaults(gnd_tsne_opts *o)
{
    o->perplexity = o->perplexity == 0 ? GND_PERPLEXITY_DEFAULT : o->perplexity;
    o->exaggeration = o->exaggeration == 0 ? exaggeration_default : o->exaggeration;
    o->theta = o->theta == 0 ? theta_default : o->theta;
    o->early = o->early == 0 ? EARLY : o->early < 0 ? 0 : o->early;
    o->iterations = o->iterations == 0 ? ITERATIONS : o->iterations < 0 ? 0 : o->iterations;
}

static gnd_status layout_init(layout *l, const gnd_point_rows *x, gnd_error *err)
{
    const int64_t n = x->n;
    int64_t k = (int64_t)(3 * l->o.perplexity);
    gnd_neighbours nb = {0};
    gnd_real *v = NULL;
    gnd_status st = GND_OK;

    l->n = n;
    k = k < n - 1 ? k : n - 1;
    for (int i = 0; i < 5; i++)
        *(gnd_real * *[]){&l->y, &l->velocity, &l->gain, &l->attraction, &l->force}[i] =
            gnd_alloc(2 * n, sizeof *l->y);
    l->row = gnd_alloc(n, sizeof *l->row);
    l->pool = gnd_pool_new(l->o.threads);
    if (!l->y || !l->velocity || !l->gain || !l->attraction || !l->force || !l->row || !l->pool)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for a layout of %lld points", (long long)n));
    GND_TRY(gnd_points_normalise(&v, x, err));
    GND_TRY(gnd_neighbours_init(&nb, &(gnd_neighbours_of){.x = v, .n = n, .d = x->d, .k = k},
                                l->pool, err));
    GND_TRY(gnd_affinities(&l->P, &nb, l->o.perplexity, l->pool, err));
    GND_TRY(gnd_repulsion_init(&l->repulsion, n, err));
    if (l->o.start)
        GND_TRY(gnd_plane_start_from(l->y, l->o.start, n, l->o.seed, err));
    else
        GND_TRY(gnd_plane_start_pca(l->y, v, n, x->d, l->o.seed, err));
    centre(l);
out:
    gnd_neighbours_fini(&nb);
    gnd_free(v);
    return st;
}

gnd_status gnd_tsne(float *out, gnd_tsne_result *res, const gnd_point_rows *points,
                    const gnd_tsne_opts *o, gnd_error *err)
{
    layout l = {0};
    gnd_tsne_result r = {.size = sizeof r};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&l.o, sizeof l.o, o, "gnd_tsne_opts", err));
    if (res)
        GND_TRY(gnd_opts_check(res, sizeof *res, "gnd_tsne_result", err));
    fill_defaults(&l.o);
    GND_TRY(check(points, &l.o, err));
    l.o.perplexity = fmax(1, fmin(l.o.perplexity, (double)(points->n - 1) / 3));
    GND_TRY(layout_init(&l, points, err));
    GND_TRY(descend(&l, err));
    r.kl = points->n > 1 ? divergence(&l) : 0;
    r.perplexity = l.o.perplexity;
    r.iterations = l.o.early + l.o.iterations;
    for (int64_t i = 0; i < 2 * points->n; i++)
        out[i] = (float)l.y[i];
    if (res)
        gnd_opts_put(res, &r, sizeof r);
out:
    layout_fini(&l);
    return st;
}
