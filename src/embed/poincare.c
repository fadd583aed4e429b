/* SPDX-License-Identifier: MIT
 * poincare.c - Poincare embedding in two dimensions by Riemannian stochastic gradient descent.
 *
 *     loss = - sum over links (u, v) of log( e^-d(u,v) / sum_{w in N} e^-d(u,w) )
 *     N = v and ten random vertices that u is not linked to
 *     theta -= eta (1 - |theta|^2)^2 / 4 grad;   |theta| >= 1: scaled to norm 1 - 1e-5
 *
 * Nickel and Kiela, NeurIPS 2017, arXiv:1705.08039, eq. 1, 4, 5 and 6. With g = 1 + 2 |u - w|^2
 * / (a b), a = 1 - |u|^2, b = 1 - |w|^2, the weight e^-d is 1 / (g + sqrt(g^2 - 1)). It needs
 * neither log nor exp, so that the result does not depend on the C library. The paper does not
 * state eta and the number of epochs. */
#include "poincare.h"

#include <math.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "hop_distances.h"

enum { NEGATIVES = 10, EPOCHS = 50, BURN_IN = 10, TRIES = 40 };
static const double step_size = 0.3, burn_in_factor = 0.1;
static const double start_range = 0.001, edge = 1 - 1e-5;

enum { STREAM_START, STREAM_SHUFFLE, STREAM_NEGATIVE };

double gnd_hyperbolic_distance(const double u[2], const double v[2])
{
    const double dx = u[0] - v[0], dy = u[1] - v[1];
    const double a = 1 - (u[0] * u[0] + u[1] * u[1]), b = 1 - (v[0] * v[0] + v[1] * v[1]);
    const double x = 2 * ((dx * dx + dy * dy) / (a * b));

    return log1p(x + sqrt(x * (x + 2))); /* arcosh(1 + x), accurate for small x */
}

/* Random 32-bit words, four at a time. */
typedef struct {
    uint32_t key[2];
    uint32_t counter[4];
    uint32_t word[4];
    int used;
} source;

static void source_init(source *s, uint64_t seed, uint32_t stream)
{
    *s = (source){.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
                  .counter = {0, 0, stream, 1}, /* gnd_rng_uniform has 0 last */
                  .used = 4};
}

/* An integer in 0 .. n - 1, uniform up to 2^-32. */
static int64_t draw(source *s, int64_t n)
{
    if (s->used == 4) {
        gnd_philox(s->word, s->counter, s->key);
        if (++s->counter[0] == 0)
            s->counter[1]++;
        s->used = 0;
    }
    return (int64_t)(((uint64_t)s->word[s->used++] * (uint64_t)n) >> 32);
}

/* ---- which pairs are linked ---- */

/* Hash set of links with open addressing, at most half full. A lookup usually takes one probe; a
 * binary search in the row of a hub takes ten. */
typedef struct {
    uint64_t *slot; /* [mask + 1] a link, or 0 */
    uint64_t mask;
} link_set;

static uint64_t link_key(int32_t u, int32_t v)
{
    return ((uint64_t)(uint32_t)u << 32 | (uint32_t)v) + 1;
}

/* The slot of the link, or the free slot for it. */
static uint64_t *find_slot(const link_set *s, uint64_t key)
{
    uint64_t at = gnd_mix64(key) & s->mask;

    while (s->slot[at] && s->slot[at] != key)
        at = (at + 1) & s->mask;
    return s->slot + at;
}

static gnd_status link_set_init(link_set *s, const gnd_csr *links, gnd_error *err)
{
    int64_t size = 16;

    while (size < 2 * gnd_csr_nnz(links))
        size *= 2;
    *s = (link_set){.slot = gnd_alloc(size, sizeof *s->slot), .mask = (uint64_t)size - 1};
    if (!s->slot)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a table of %lld links",
                        (long long)gnd_csr_nnz(links));
    for (int64_t i = 0; i < links->n_row; i++)
        for (int64_t p = links->ptr[i]; p < links->ptr[i + 1]; p++) {
            const uint64_t key = link_key((int32_t)i, links->col[p]);

            *find_slot(s, key) = key;
        }
    return GND_OK;
}

/* ---- descent ---- */

typedef struct {
    const gnd_csr *links;
    link_set linked;
    double *z; /* [n, 2] */
    double eta;
    source negative;
} disk;

/* Draws vertices that u is not linked to, with repetition. Returns their number, which is
 * smaller than requested if there are hardly any. */
static int draw_negatives(int32_t *w, disk *d, int32_t u)
{
    const int64_t n = d->links->n_row;
    int count = 0;

    for (int k = 0; k < TRIES && count < NEGATIVES; k++) {
        const int32_t v = (int32_t)draw(&d->negative, n);

        if (v != u && !*find_slot(&d->linked, link_key(u, v)))
            w[count++] = v;
    }
    return count;
}

typedef struct {
    double weight;       /* e^-d */
    double gu[2], gw[2]; /* gradient of d with respect to u and w */
} leg;

/* e^-d(u, w) and the gradients of d (eq. 4). For equal points the gradient is undefined and set
 * to 0. */
static leg measure(const double *u, const double *w)
{
    const double uu = u[0] * u[0] + u[1] * u[1], ww = w[0] * w[0] + w[1] * w[1];
    const double uw = u[0] * w[0] + u[1] * w[1], a = 1 - uu, b = 1 - ww;
    const double dx = u[0] - w[0], dy = u[1] - w[1], ia = 1 / a, ib = 1 / b;
    const double x = 2 * (dx * dx + dy * dy) * (ia * ib), root = sqrt(x * (x + 2));
    leg l = {.weight = 1 / (1 + x + root)};

    if (root > 1e-12) {
        const double c = 4 * ia * ib / root;
        const double cu = c * (ww - 2 * uw + 1) * ia, cw = c * (uu - 2 * uw + 1) * ib;

        l.gu[0] = cu * u[0] - c * w[0];
        l.gu[1] = cu * u[1] - c * w[1];
        l.gw[0] = cw * w[0] - c * u[0];
        l.gw[1] = cw * w[1] - c * u[1];
    }
    return l;
}

/* p -= eta (1 - |p|^2)^2 / 4 c g, limited to the disk. */
static void move(double *p, double c, const double *g, double eta)
{
    const double a = 1 - (p[0] * p[0] + p[1] * p[1]), step = eta * c * (a * a / 4);
    double norm2;

    p[0] -= step * g[0];
    p[1] -= step * g[1];
    norm2 = p[0] * p[0] + p[1] * p[1];
    if (norm2 >= edge * edge) {
        const double back = edge / sqrt(norm2);

        p[0] *= back;
        p[1] *= back;
    }
}

/* One step on the link u - v. All gradients are computed before any point moves. */
static void step(disk *d, int32_t u, int32_t v)
{
    int32_t w[1 + NEGATIVES];
    leg l[1 + NEGATIVES];
    double total = 0, gu[2] = {0, 0};
    const int n = 1 + draw_negatives(w + 1, d, u);

    w[0] = v;
    for (int k = 0; k < n; k++) {
        l[k] = measure(d->z + 2 * u, d->z + 2 * w[k]);
        total += l[k].weight;
    }
    for (int k = 0; k < n; k++) {
        const double c = (k == 0 ? 1 : 0) - l[k].weight / total; /* d loss / d d_k */

        gu[0] += c * l[k].gu[0];
        gu[1] += c * l[k].gu[1];
        move(d->z + 2 * w[k], c, l[k].gw, d->eta);
    }
    move(d->z + 2 * u, 1, gu, d->eta);
}

static void shuffle(int64_t *order, int64_t n, source *s)
{
    for (int64_t i = n - 1; i > 0; i--) {
        const int64_t j = draw(s, i + 1), t = order[i];

        order[i] = order[j];
        order[j] = t;
    }
}

static void run_epochs(disk *d, int64_t *order, const int32_t *row, uint64_t seed)
{
    const int64_t m = gnd_csr_nnz(d->links);
    source mix;

    source_init(&mix, seed, STREAM_SHUFFLE);
    for (int64_t p = 0; p < m; p++)
        order[p] = p;
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        d->eta = epoch < BURN_IN ? step_size * burn_in_factor : step_size;
        shuffle(order, m, &mix);
        for (int64_t p = 0; p < m; p++)
            step(d, row[order[p]], d->links->col[order[p]]);
    }
}

gnd_status gnd_poincare(double *z, const gnd_csr *adj, uint64_t seed, gnd_error *err)
{
    const int64_t n = adj->n_row;
    gnd_csr links = {0};
    int64_t *order = NULL;
    int32_t *row = NULL; /* row of each stored link */
    disk d = {.links = &links, .z = z};
    gnd_status st;

    GND_TRY(gnd_links_init(&links, adj, err));
    order = gnd_alloc(gnd_csr_nnz(&links), sizeof *order);
    row = gnd_alloc(gnd_csr_nnz(&links), sizeof *row);
    if (!order || !row)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the order of %lld links",
                         (long long)gnd_csr_nnz(&links)));
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = links.ptr[i]; p < links.ptr[i + 1]; p++)
            row[p] = (int32_t)i;
    for (int64_t i = 0; i < 2 * n; i++)
        z[i] = start_range * (2 * gnd_rng_uniform(seed, STREAM_START, (uint64_t)i) - 1);
    GND_TRY(link_set_init(&d.linked, &links, err));
    source_init(&d.negative, seed, STREAM_NEGATIVE);
    run_epochs(&d, order, row, seed);
out:
    gnd_free(d.linked.slot);
    gnd_free(row);
    gnd_free(order);
    gnd_csr_fini(&links);
    return st;
}
