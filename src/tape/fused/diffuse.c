/* SPDX-License-Identifier: MIT
 * diffuse.c - y = sum_{k=0}^{K-1} alpha_k A^{first+k} z.  A: [n, n], alpha: [1, K], z, y: [n, f].
 *
 * Forward by Horner:    U_{K-1} = alpha_{K-1} z,  U_k = alpha_k z + A U_{k+1},  y = A^first U_0
 * Backward by adjoints: V_0 = (A^T)^first dy,  V_{k+1} = A^T V_k,
 *                       dz = sum_k alpha_k V_k,  dalpha_k = <V_k, z>
 *
 * Nothing is stored for the backward pass: memory is two buffers [n, f] for any K. */
#include "kern/hubs.h"
#include "tape/op.h"

enum { HUB_PRODUCTS = 3 }; /* fewer do not make up for a copy of z in another order */

typedef struct {
    const gnd_real *z;
    gnd_real *u;
    gnd_real c;
} scale_job;

static void scale_piece(int64_t begin, int64_t end, void *arg)
{
    const scale_job *j = arg;

    for (int64_t i = begin; i < end; i++)
        j->u[i] = j->c * j->z[i];
}

/* Horner's scheme with the vertices in order of degree. */
static void hub_forward(gnd_tape *t, gnd_node *y, const gnd_hubs *h, gnd_real *spare,
                        int64_t products)
{
    const gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const gnd_arena_mark mark = gnd_arena_mark_get(&t->arena);
    const int64_t f = y->cols, K = alpha->cols;
    gnd_real *placed = gnd_tape_alloc(t, gnd_node_size(y), sizeof *placed);
    gnd_real *u = products % 2 ? y->v : spare; /* the last product is written to spare */

    if (!placed)
        return;
    gnd_hubs_enter(placed, h, GND_HUBS_THERE, z->v, f, t->pool);
    gnd_for_elements(t, gnd_node_size(y), 1, scale_piece, &(scale_job){placed, u, alpha->v[K - 1]});
    for (int64_t i = 0; i < products; i++) {
        const int64_t k = K - 2 - i;
        gnd_real *next = u == spare ? y->v : spare;

        gnd_hubs_times(
            next, h, GND_HUBS_THERE,
            &(gnd_hubs_product){
                .x = u, .f = f, .c = k >= 0 ? alpha->v[k] : 0, .z = k >= 0 ? placed : NULL},
            t->pool);
        u = next;
    }
    gnd_hubs_leave(y->v, h, GND_HUBS_THERE, spare, f, false, t->pool);
    gnd_arena_release(&t->arena, mark);
}

static void diffuse_forward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    const gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t K = alpha->cols, products = K - 1 + o->k;
    gnd_real *spare = products ? gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare) : NULL;
    gnd_real *u =
        products % 2 ? spare : y->v; /* the buffers alternate; the last product is written to y */

    if (!gnd_tape_ok(t))
        return;
    y->save = spare;
    if (o->a->hubs && products > HUB_PRODUCTS) {
        hub_forward(t, y, o->a->hubs, spare, products);
        return;
    }
    gnd_for_elements(t, gnd_node_size(y), 1, scale_piece, &(scale_job){z->v, u, alpha->v[K - 1]});
    for (int64_t i = 0; i < products; i++) {
        gnd_real *next = u == spare ? y->v : spare;
        const int64_t k = K - 2 - i;

        gnd_spmm_operator(t, next,
                          &(gnd_product){.a = o->a,
                                         .x = u,
                                         .f = y->cols,
                                         .c = k >= 0 ? alpha->v[k] : 0,
                                         .z = k >= 0 ? z->v : NULL});
        u = next;
    }
}

/* One hop of the backward pass: V = A^T from, and its contributions to dz and dalpha_k. */
typedef struct {
    const gnd_kern *kern;
    const gnd_csr *at;
    const gnd_real *from, *z;
    gnd_real *to; /* V; NULL: V is `from` */
    bool there;   /* `to` already holds V */
    gnd_real *dz; /* NULL: not needed */
    double *part; /* [pieces]; NULL: not needed */
    gnd_real alpha;
    int64_t f, grain;
} hop_job;

static void hop_rows(int64_t begin, int64_t end, void *arg)
{
    const hop_job *j = arg;
    const int64_t at = begin * j->f, n = (end - begin) * j->f;
    const gnd_real *v = (j->to ? j->to : j->from) + at;

    if (j->to && !j->there)
        j->kern->spmm(j->to, j->at, j->from, j->f, 0, NULL, begin, end);
    if (j->dz)
        j->kern->axpy(j->dz + at, j->alpha, v, n);
    if (j->part)
        j->part[begin / j->grain] = j->kern->dot(v, j->z + at, n);
}

static void dot_rows(double *sum, int64_t begin, int64_t end, void *arg)
{
    const hop_job *j = arg;
    const gnd_real *v = j->to ? j->to : j->from;

    *sum += j->kern->dot(v + begin * j->f, j->z + begin * j->f, (end - begin) * j->f);
}

/* The same as hop() in one of several processes. */
static double hop_of_part(gnd_tape *t, hop_job *j)
{
    const int64_t n = j->at->n_row;
    double sum = 0;

    if (j->to)
        gnd_spmm_operator(t, j->to, &(gnd_product){.a = j->at, .x = j->from, .f = j->f});
    if (j->dz)
        gnd_add_scaled(t, j->dz, j->alpha, j->to ? j->to : j->from, n * j->f);
    if (j->part && gnd_tape_ok(t))
        t->status = gnd_vertex_sum(&sum, &(gnd_vertex_terms){j->at->part, n, 1, dot_rows, j},
                                   t->pool, &t->err);
    return sum;
}

/* Computes a hop and returns <V, z>, or 0 if it is not needed. */
static double hop(gnd_tape *t, hop_job *j)
{
    const int64_t n = j->at->n_row, cost = (gnd_csr_nnz(j->at) + 2 * n) * j->f;
    const gnd_product p = {.a = j->at, .x = j->from, .f = j->f};
    double sum = 0;

    if (j->at->part)
        return hop_of_part(t, j);
    j->there = j->to && (gnd_spmm_blocks(t, j->to, &p) || gnd_spmm_groups(t, j->to, &p));
    gnd_parallel_for(t->pool, n, j->grain, cost, hop_rows, j);
    for (int64_t b = 0; j->part && b * j->grain < n; b++)
        sum += j->part[b];
    return sum;
}

static void diffuse_backward(gnd_tape *t, gnd_node *y)
{
    const gnd_operator_arg *o = y->arg;
    gnd_node *alpha = gnd_tape_node(t, y->in[0]), *z = gnd_tape_node(t, y->in[1]);
    const int64_t n = y->rows, f = y->cols, K = alpha->cols;
    gnd_real *spare[2] = {y->save, NULL};
    hop_job j = {
        .kern = t->kern,
        .at = o->at,
        .z = z->v,
        .f = f,
        .grain = gnd_row_grain(n, (gnd_csr_nnz(o->at) + 2 * n) * f),
    };
    double *part = alpha->g ? gnd_tape_alloc(t, n / j.grain + 1, sizeof *part) : NULL;

    if (K - 1 + o->k > 1)
        spare[1] = gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare[1]);
    if (!gnd_tape_ok(t))
        return;
    for (int64_t i = 0; i < K + o->k; i++) { /* hop i is (A^T)^i dy */
        const int64_t k = i - o->k;
        double sum;

        j.from = j.to ? j.to : y->g;
        j.to = i > 0 ? spare[(i - 1) % 2] : NULL;
        if (k >= 0) {
            j.alpha = alpha->v[k];
            j.dz = z->g;
            j.part = part;
        }
        if (!j.to && !j.dz && !j.part)
            continue; /* V is dy, and it has no term in the sum */
        sum = hop(t, &j);
        if (k >= 0 && part)
            alpha->g[k] += (gnd_real)sum;
    }
}

const gnd_op gnd_op_diffuse = {
    .name = "diffuse",
    .forward = diffuse_forward,
    .backward = diffuse_backward,
};

gnd_var gnd_diffuse(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var alpha, gnd_var z,
                    int64_t first)
{
    const gnd_operator_arg *o = gnd_operator_arg_new(t, "diffuse", a, at, z, first);
    const gnd_node *an;

    if (!o || !gnd_check_dense(t, "diffuse", alpha))
        return GND_NONE;
    an = gnd_tape_node(t, alpha);
    if (an->rows != 1 || an->cols < 1)
        return gnd_tape_fail(t, GND_ERR_SHAPE, "diffuse: hop weights [%lld,%lld]; expected [1,K]",
                             (long long)an->rows, (long long)an->cols);
    return gnd_tape_record(t, &gnd_op_diffuse, 2, (gnd_var[]){alpha, z},
                           (gnd_shape){a->n_row, gnd_tape_node(t, z)->cols}, o);
}
