/* SPDX-License-Identifier: MIT
 * diffusion.c - choice of the plan for a row set, its preparation, and passes that follow it. */
#include "diffusion.h"

#include <string.h>

#include "base/alloc.h"
#include "graph/powers.h"
#include "linalg/hop_basis.h"

/* Prepared data of a row set; plan stored: rows, plan features: q, other plans: nothing. */
typedef struct {
    gnd_power_rows rows;
    gnd_hop_tiles q; /* rows of A^{first+k} X: cell i d + c */
    int64_t d;
} made;

/* gnd_reach in one of several processes: a has a symmetric pattern, so a vertex is reached if one
 * of its row is. */
static int64_t reach_of_part(unsigned char *mark, const gnd_csr *a, const int32_t *row, int64_t n,
                             int64_t hops)
{
    enum { NEW = 2 };
    const gnd_row_range own = gnd_part_own(a->part, a->n_row);
    int64_t total = 0, more = 1;

    for (int64_t i = 0; i < n; i++)
        mark[row[i]] = 1;
    for (int64_t h = 0; h < hops && more > 0; h++) {
        more = 0;
        for (int64_t i = own.begin; i < own.end; i++)
            for (int64_t p = a->ptr[i]; mark[i] == 0 && p < a->ptr[i + 1]; p++)
                if (mark[a->col[p]] == 1) {
                    mark[i] = NEW;
                    more++;
                }
        gnd_part_counts(a->part, &more, 1);
        gnd_part_fill(a->part, mark, 1);
        for (int64_t i = 0; i < a->n_row; i++)
            mark[i] = mark[i] != 0;
    }
    for (int64_t i = own.begin; i < own.end; i++)
        total += mark[i];
    gnd_part_counts(a->part, &total, 1);
    return total;
}

static gnd_status sizes_find(gnd_plan_sizes *out, unsigned char **mark, const gnd_inputs *in,
                             gnd_row_set_id set, const gnd_diffusion *d, gnd_error *err)
{
    const gnd_row_set *h = &in->rows[set];
    const bool train = set == GND_TRAIN_ROWS;

    *mark = gnd_alloc(in->n_node, 1);
    if (!*mark)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a mark on %lld vertices",
                        (long long)in->n_node);
    *out = (gnd_plan_sizes){
        .n_node = gnd_part_total(in->part, in->n_node),
        .nnz = gnd_csr_nnz_total(&in->op.a),
        .n_row = h->n,
        .n_reach = (in->part ? reach_of_part : gnd_reach)(*mark, &in->op.a, h->row, h->n,
                                                          d->first + d->hops - 1),
        .hops = d->hops,
        .first = d->first,
        .width = d->width,
        .n_feat = in->x.n_col,
        .nnz_feat = in->nnz_x_total,
        .back = train,
        .weighted = d->weighted,
        .keeps = d->keeps,
        .epochs = in->epochs > 0 ? gnd_plan_epochs(gnd_csr_nnz_total(&in->op.a), in->epochs) : 0,
        .linear = d->linear && (!train || d->no_dropout),
    };
    return GND_OK;
}

static gnd_status stored_make(made *w, gnd_inputs *in, gnd_row_set *h, const unsigned char *mark,
                              gnd_pool *pool, gnd_error *err)
{
    const gnd_plan_sizes *s = &h->plan.sizes;
    const bool list = gnd_plan_lists(s);
    gnd_status st = GND_OK;

    GND_TRY(gnd_power_rows_init(&w->rows,
                                &(gnd_power_rows_of){.at = &in->op.at,
                                                     .rows = {h->row, h->n},
                                                     .first = s->first,
                                                     .K = s->hops,
                                                     .mark = list ? mark : NULL},
                                pool, err));
    GND_TRY(gnd_hop_basis_find(&w->rows.hops, pool, err));
    if (list)
        GND_TRY(gnd_csr_select(&h->part, &in->x, (gnd_row_list){w->rows.col, w->rows.n_col}, NULL,
                               in->x.n_col, err));
out:
    return st;
}

static void row_take(void *to, int64_t hop, int64_t i, int64_t c0, const gnd_real *v, int64_t n)
{
    made *w = to;

    gnd_hop_tiles_put(&w->q, hop, i * w->d + c0, v, n);
}

static gnd_status features_make(made *w, const gnd_inputs *in, const gnd_row_set *h, gnd_pool *pool,
                                gnd_error *err)
{
    const gnd_plan_sizes *s = &h->plan.sizes;
    const gnd_powers_of of = {
        .a = &in->op.a, .x = &in->x, .first = s->first, .last = s->first + s->hops - 1};
    gnd_status st = GND_OK;

    w->d = in->x.n_col;
    GND_TRY(gnd_hop_tiles_init(&w->q, h->n * w->d, s->hops, err));
    GND_TRY(gnd_powers_dense_rows(row_take, w, &of, (gnd_row_list){h->row, h->n}, pool, err));
    GND_TRY(gnd_hop_basis_find(&w->q, pool, err));
out:
    return st;
}

gnd_status gnd_diffusion_prepare(gnd_inputs *in, const gnd_model *m, gnd_row_set_id set,
                                 const gnd_diffusion *d, gnd_pool *pool, gnd_error *err)
{
    const int64_t batch = (int64_t)m->config.value[GND_HP_BATCH];
    gnd_row_set *h = &in->rows[set];
    unsigned char *mark = NULL;
    gnd_plan_sizes s;
    made *w = NULL;
    gnd_status st;

    GND_TRY(sizes_find(&s, &mark, in, set, d, err));
    if (set == GND_TRAIN_ROWS && batch > 0 && batch < h->n) {
        s.n_row = batch;
        s.batches = true;
    }
    gnd_plan_choose(&h->plan, &s, &in->budget, in->plan_wish);
    if (in->part && h->plan.kind == GND_PLAN_STORED) /* a product with stored rows sums vertices */
        h->plan.kind = GND_PLAN_POWERS;
    if (h->plan.kind != GND_PLAN_STORED && h->plan.kind != GND_PLAN_FEATURES)
        goto out;
    w = h->own = gnd_alloc(1, sizeof *w);
    if (!w)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for stored rows"));
    if (h->plan.kind == GND_PLAN_STORED)
        GND_TRY(stored_make(w, in, h, mark, pool, err));
    else
        GND_TRY(features_make(w, in, h, pool, err));
    gnd_budget_spend(&in->budget, h->plan.cost[h->plan.kind].bytes);
out:
    gnd_free(mark);
    return st;
}

void gnd_diffusion_release(gnd_row_set *h)
{
    made *w = h->own;

    gnd_power_rows_fini(&w->rows);
    gnd_hop_tiles_fini(&w->q);
    gnd_free(w);
    h->own = NULL;
}

/* The stored rows of powers for the requested rows; NULL: none. */
static const gnd_power_rows *stored_rows(const gnd_inputs *in, const gnd_tape *t)
{
    const gnd_row_set *h = gnd_row_set_requested(in, t);

    return h && h->own && h->plan.kind == GND_PLAN_STORED ? &((const made *)h->own)->rows : NULL;
}

gnd_var gnd_diffusion_x(const gnd_inputs *in, gnd_tape *t)
{
    const gnd_power_rows *s = stored_rows(in, t);
    gnd_var x;

    if (!s || !s->col)
        return gnd_input(t, &in->x);
    x = gnd_input(t, &gnd_row_set_requested(in, t)->part);
    if (gnd_tape_ok(t)) { /* so that dropout is the same as with all rows */
        gnd_tape_node(t, x)->row = s->col;
        gnd_tape_node(t, x)->whole = &in->x;
    }
    return x;
}

/* A batch uses the plan of the training rows. Rows without a plan use powers if they are few and
 * their hops fit in memory. */
static bool by_powers(const gnd_inputs *in, const gnd_tape *t, int64_t hops)
{
    const gnd_row_set *h = gnd_row_set_requested(in, t);

    if (!h && t->training && in->rows[GND_TRAIN_ROWS].plan.sizes.batches)
        h = &in->rows[GND_TRAIN_ROWS];
    if (!t->request || t->n_request == 0 || (h && h->plan.kind == GND_PLAN_WHOLE))
        return false;
    if (h && h->plan.kind == GND_PLAN_POWERS)
        return true;
    if (!h && in->part) /* own rows: their number differs between processes */
        return false;
    return gnd_plan_few_rows(t->n_request, in->n_node, hops, t->training);
}

gnd_var gnd_diffuse_requested(const gnd_inputs *in, gnd_tape *t, gnd_var alpha, gnd_var Z,
                              int64_t first, bool spend)
{
    const gnd_power_rows *s = stored_rows(in, t);
    const gnd_row_hops h = {&in->op.a, &in->op.at, t->request, t->n_request, first, spend};

    if (!gnd_tape_ok(t))
        return Z;
    if (s)
        return gnd_as_requested(t, gnd_diffuse_power_rows(t, s, alpha, Z));
    if (by_powers(in, t, gnd_tape_node(t, alpha)->cols))
        return gnd_diffuse_rows(t, &h, alpha, Z);
    return gnd_requested(t, gnd_diffuse(t, &in->op.a, &in->op.at, alpha, Z, first));
}

gnd_var gnd_hops_requested(const gnd_inputs *in, gnd_tape *t, gnd_var Z, int64_t hops,
                           int64_t first, bool spend)
{
    const gnd_row_hops h = {&in->op.a, &in->op.at, t->request, t->n_request, first, spend};

    return gnd_tape_ok(t) && by_powers(in, t, hops) ? gnd_hop_rows(t, &h, Z, hops) : (gnd_var){-1};
}

gnd_var gnd_hop_as_rows(gnd_tape *t, gnd_var hop)
{
    if (!gnd_tape_ok(t))
        return hop;
    return gnd_as_requested(
        t, gnd_reshape(t, hop, t->n_request, gnd_tape_node(t, hop)->cols / t->n_request));
}

bool gnd_diffusion_has_features(const gnd_inputs *in, const gnd_tape *t)
{
    const gnd_row_set *h = gnd_row_set_requested(in, t);

    return h && h->own && h->plan.kind == GND_PLAN_FEATURES && (!t->training || h->plan.sizes.back);
}

gnd_var gnd_diffused_features(const gnd_inputs *in, gnd_tape *t, gnd_var alpha)
{
    const gnd_row_set *h = gnd_row_set_requested(in, t);
    const made *w = h->own;

    return gnd_as_requested(t, gnd_mix(t, &w->q, alpha, h->n, w->d));
}

/* ---- functions of single rows ---- */

enum { BLOCK_ROWS = 256 }; /* rows per block in evaluation: their values stay in the cache */

/* The requested rows; all rows if none are requested. */
static gnd_row_list rows_requested(gnd_tape *t, int64_t n_node)
{
    int32_t *row;

    if (t->request)
        return (gnd_row_list){t->request, t->n_request};
    row = gnd_tape_alloc(t, n_node, sizeof *row);
    for (int64_t i = 0; row && i < n_node; i++)
        row[i] = (int32_t)i;
    return (gnd_row_list){row, row ? n_node : 0};
}

/* The number of rows whose terms are computed at once: as many as fit the budget, and at least so
 * many that they take the memory of Z; then there are at most K + 1 such groups of rows. */
static int64_t rows_at_once(const gnd_inputs *in, int64_t K, int64_t f)
{
    const int64_t fit = gnd_budget_left(&in->budget) / (int64_t)sizeof(gnd_real) / (K * f);
    const int64_t least = in->n_node / K > BLOCK_ROWS ? in->n_node / K : BLOCK_ROWS;

    return fit > least ? fit : least;
}

/* Rows begin .. begin + m - 1 of hops [K, n f] as sequences, [m, K f]. */
static gnd_var sequences(gnd_tape *t, gnd_var hop, int64_t K, int64_t begin, int64_t m, int64_t f)
{
    const gnd_var part = gnd_columns(t, hop, begin * f, m * f);

    return gnd_unstack(t, gnd_reshape(t, part, K * m, f), K);
}

/* The terms of the rows of h, then the function block by block, into out: [n_row, cols]. */
static void aggregate_rows(const gnd_model *m, gnd_tape *t, const gnd_row_hops *h, gnd_var Z,
                           const gnd_aggregation *a, gnd_real *out)
{
    const int64_t f = gnd_tape_node(t, Z)->cols;
    const gnd_var hop = gnd_hop_rows(t, h, Z, a->hops);
    const gnd_tape_mark mark = gnd_tape_mark_get(t);

    for (int64_t i = 0; i < h->n_row && gnd_tape_ok(t); i += BLOCK_ROWS) {
        const int64_t n = h->n_row - i < BLOCK_ROWS ? h->n_row - i : BLOCK_ROWS;
        const gnd_var y = a->of(m, t, sequences(t, hop, a->hops, i, n, f));

        if (gnd_tape_ok(t))
            memcpy(out + i * a->cols, gnd_tape_node(t, y)->v, (size_t)(n * a->cols) * sizeof *out);
        gnd_tape_release(t, mark);
    }
}

gnd_var gnd_aggregate_requested(const gnd_model *m, const gnd_inputs *in, gnd_tape *t, gnd_var Z,
                                const gnd_aggregation *a)
{
    const gnd_row_list S = gnd_tape_ok(t) ? rows_requested(t, in->n_node) : (gnd_row_list){0};
    gnd_row_hops h = {&in->op.a, &in->op.at, S.row, S.n, a->first, true};
    int64_t f, most;
    gnd_real *out;

    if (!gnd_tape_ok(t))
        return Z;
    f = gnd_tape_node(t, Z)->cols;
    if (t->training)
        return gnd_as_requested(
            t, a->of(m, t, sequences(t, gnd_hop_rows(t, &h, Z, a->hops), a->hops, 0, S.n, f)));
    most = rows_at_once(in, a->hops, f);
    h.spend = S.n <= most; /* else Z is read again */
    out = gnd_tape_alloc(t, S.n * a->cols, sizeof *out);
    for (int64_t i = 0; out && i < S.n; i += most) {
        const gnd_tape_mark mark = gnd_tape_mark_get(t);

        h.row = S.row + i;
        h.n_row = S.n - i < most ? S.n - i : most;
        aggregate_rows(m, t, &h, Z, a, out + i * a->cols);
        gnd_tape_release(t, mark);
    }
    return gnd_as_requested(t, gnd_constant(t, out, S.n, a->cols));
}
