/* SPDX-License-Identifier: MIT
 * smoothed.c - see the header for what is kept and what is not. */
#include "smoothed.h"

#include "base/alloc.h"
#include "kern/csr_product.h"

/* Dense products run over whole cache lines; a sparse entry costs about four dense ones, in time
 * and (with its column) two in memory. */
enum { FILL = 4, SPARSE_WORDS = 2, GRAIN = 64 };

static void hop_fini(gnd_smoothed_power *h)
{
    gnd_csr_fini(&h->sp);
    gnd_free(h->dense);
    *h = (gnd_smoothed_power){0};
}

/* ---- products ---- */

typedef struct {
    const gnd_kern *kern;
    const gnd_csr *s, *m; /* m sparse, or x dense */
    const gnd_real *x;
    gnd_real *y;
    int64_t d;
} job;

static void from_dense(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    j->kern->spmm(j->y, j->s, j->x, j->d, 0, NULL, begin, end);
}

/* y is zero before. */
static void from_sparse(int64_t begin, int64_t end, void *arg)
{
    const job *j = arg;

    gnd_csr_product_dense(j->y, j->s, j->m, begin, end);
}

static gnd_status dense_product(gnd_real **out, const gnd_csr *s, const gnd_smoothed_power *from,
                                int64_t d, gnd_pool *pool, gnd_error *err)
{
    job j = {.kern = gnd_kern_get(), .s = s, .m = &from->sp, .x = from->dense, .d = d};

    j.y = *out = gnd_alloc(s->n_row * d, sizeof *j.y);
    if (!j.y)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld x %lld smoothed features",
                        (long long)s->n_row, (long long)d);
    gnd_parallel_for(pool, s->n_row, GRAIN, gnd_csr_nnz(s) * d, j.x ? from_dense : from_sparse, &j);
    return GND_OK;
}

/* ---- powers ---- */

/* s times from, if it takes at most *room words, which are then taken; else *out stays empty.
 * Loops in s make a product at least as full as what it is made of. */
static gnd_status next_hop(gnd_smoothed_power *out, const gnd_csr *s,
                           const gnd_smoothed_power *from, int64_t d, int64_t *room, gnd_pool *pool,
                           gnd_error *err)
{
    const int64_t n = s->n_row, dense = d > 0 && n > INT64_MAX / d ? INT64_MAX : n * d;
    int64_t nnz = dense, *mark = NULL;
    gnd_status st = GND_OK;

    if (!from->dense && gnd_csr_nnz(&from->sp) <= dense / FILL) {
        if (dense > *room && gnd_csr_product_work(s, &from->sp) / FILL > *room)
            return GND_OK; /* too long to count, and too many by all odds */
        mark = gnd_alloc(d, sizeof *mark);
        if (!mark)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld marks", (long long)d));
        nnz = gnd_csr_product_count(NULL, s, &from->sp, mark);
    }
    if (nnz <= dense / FILL && nnz <= *room / SPARSE_WORDS) {
        GND_TRY(gnd_csr_product_init(&out->sp, s, &from->sp, nnz, mark, err));
        *room -= SPARSE_WORDS * nnz;
    } else if (dense <= *room) {
        GND_TRY(dense_product(&out->dense, s, from, d, pool, err));
        *room -= dense;
    }
out:
    gnd_free(mark);
    return st;
}

static bool is_kept(const gnd_smoothed_power *h)
{
    return h->dense || h->sp.ptr;
}

gnd_status gnd_smoothed_prepare(gnd_inputs *in, int64_t first, int64_t last, int64_t limit,
                                gnd_pool *pool, gnd_error *err)
{
    gnd_smoothed *h = gnd_alloc(1, sizeof *h);
    gnd_smoothed_power *hop = gnd_alloc(last - first + 1, sizeof *hop), spare[2] = {0};
    const gnd_smoothed_power x = {.sp = in->x}, *from = &x;
    gnd_status st = GND_OK;

    if (!h || !hop) {
        gnd_free(h);
        gnd_free(hop);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld powers", (long long)last);
    }
    *h = (gnd_smoothed){.first = first, .last = first - 1, .hop = hop};
    in->own = h; /* the caller's, also after a failure */
    for (int64_t k = 1; k <= last; k++) {
        gnd_smoothed_power *to = k < first ? &spare[k % 2] : &hop[k - first];
        int64_t room = limit; /* a power on the way is given up again */

        hop_fini(to);
        GND_TRY(next_hop(to, &in->op.a, from, in->x.n_col, k < first ? &room : &limit, pool, err));
        if (!is_kept(to))
            break;
        if (k >= first)
            h->last = k;
        from = to;
    }
out:
    hop_fini(&spare[0]);
    hop_fini(&spare[1]);
    return st;
}

void gnd_smoothed_release(gnd_inputs *in)
{
    gnd_smoothed *h = in->own;

    for (int64_t k = h->first; k <= h->last; k++)
        hop_fini(&h->hop[k - h->first]);
    gnd_free(h->hop);
    gnd_free(h);
    in->own = NULL;
}

gnd_var gnd_smoothed_times(gnd_tape *t, const gnd_inputs *in, int64_t k, gnd_var w)
{
    const gnd_csr *S = &in->op.a, *St = &in->op.at;
    const gnd_smoothed *h = in->own;
    const gnd_smoothed_power *hop = k >= h->first && k <= h->last ? &h->hop[k - h->first] : NULL;

    if (k == 0)
        return gnd_matmul(t, gnd_requested(t, gnd_input(t, &in->x)), w);
    if (!hop)
        return gnd_spmm_requested(
            t, S, St, gnd_power(t, S, St, gnd_matmul(t, gnd_sparse(t, &in->x), w), k - 1));
    return gnd_matmul(t,
                      gnd_requested(t, hop->dense
                                           ? gnd_constant(t, hop->dense, in->n_node, in->x.n_col)
                                           : gnd_input(t, &hop->sp)),
                      w);
}
