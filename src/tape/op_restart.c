/* SPDX-License-Identifier: MIT
 * op_restart.c - a random walk with restarts whose links drop out:
 *
 *     z_0 = z,   z_k = (1 - a) M_k(A) z_{k-1} + a z,   y = z_K        A: [n, n], z, y: [n, f]
 *     g_K = dy,  g_{k-1} = (1 - a) M_k(A)^T g_k,   dz = g_0 + a sum_{k>=1} g_k
 *
 * M_k is inverted dropout of the stored entries, a fresh one each step. Whether a link is kept is a
 * function of (seed, epoch, place, step, link), so the way back finds the masks again in the
 * transpose, and nothing of the way forward is kept. Without dropout this is a polynomial of A. */
#include <math.h>

#include "base/rng.h"
#include "op.h"

typedef struct {
    const gnd_csr *a, *at;
    int64_t steps;
    double restart;
    uint64_t key, drop_below; /* of 32-bit numbers */
    gnd_real scale;           /* (1 - a) / (1 - p) */
} restart_arg;

/* The kept links of a step. A piece of rows packs them from where its rows begin in the operator,
 * with row pointers of its own, so that pieces never meet. */
typedef struct {
    int64_t *ptr;  /* [n + pieces] */
    int32_t *col;  /* [nnz] */
    gnd_real *val; /* [nnz] */
} packed;

typedef struct {
    const gnd_kern *kern;
    const restart_arg *o;
    const gnd_csr *m; /* A, or its transpose on the way back */
    const packed *room;
    bool back;
    uint64_t key;
    int64_t f, grain;
    const gnd_real *from, *z; /* z NULL: no such term */
    gnd_real *to, *sum;       /* sum NULL: not wanted */
    gnd_real c;               /* of z, or with which `to` is added to sum */
} step_job;

/* Rows begin..end-1 of M_k(A), or of its transpose. */
static gnd_csr pack(const step_job *j, int64_t begin, int64_t end)
{
    const gnd_csr *m = j->m;
    const uint64_t n = (uint64_t)m->n_row, below = j->o->drop_below, key = j->key;
    int64_t *ptr = j->room->ptr + begin / j->grain;
    int64_t q = m->ptr[begin];

    ptr[begin] = q;
    for (int64_t i = begin; i < end; i++) {
        for (int64_t p = m->ptr[i]; p < m->ptr[i + 1]; p++) {
            const uint64_t r = (uint64_t)i, c = (uint64_t)m->col[p];
            const uint64_t link = j->back ? c * n + r : r * n + c;

            j->room->col[q] = m->col[p]; /* q <= p: in range, and overwritten if dropped */
            j->room->val[q] = gnd_csr_val(m, p) * j->o->scale;
            q += (gnd_hash_at(key, link) & UINT32_MAX) >= below;
        }
        ptr[i + 1] = q;
    }
    return (gnd_csr){m->n_row, m->n_col, ptr, j->room->col, j->room->val};
}

static void step_rows(int64_t begin, int64_t end, void *arg)
{
    const step_job *j = arg;
    const gnd_csr kept = pack(j, begin, end);
    const int64_t at = begin * j->f;

    j->kern->spmm(j->to, &kept, j->from, j->f, j->c, j->z, begin, end);
    if (j->sum)
        j->kern->axpy(j->sum + at, j->c, j->to + at, (end - begin) * j->f);
}

/* Step k, counted from 0, of either way. */
static void step(gnd_tape *t, step_job *j, int64_t k)
{
    const int64_t n = j->m->n_row, cost = (gnd_csr_nnz(j->m) + n) * (j->f + 8);

    j->key = gnd_mix64(j->o->key + (uint64_t)k);
    gnd_parallel_for(t->pool, n, j->grain, cost, step_rows, j);
}

static const packed *room_new(gnd_tape *t, const gnd_csr *a, int64_t grain)
{
    packed *room = gnd_tape_alloc(t, 1, sizeof *room);

    if (!room)
        return NULL;
    room->ptr = gnd_tape_alloc(t, a->n_row + a->n_row / grain + 2, sizeof *room->ptr);
    room->col = gnd_tape_alloc(t, gnd_csr_nnz(a), sizeof *room->col);
    room->val = gnd_tape_alloc(t, gnd_csr_nnz(a), sizeof *room->val);
    return gnd_tape_ok(t) ? room : NULL;
}

/* What the steps of one way share, but for the room. */
static step_job job_new(gnd_tape *t, const restart_arg *o, bool back, int64_t f)
{
    const gnd_csr *m = back ? o->at : o->a;

    return (step_job){.kern = t->kern,
                      .o = o,
                      .m = m,
                      .back = back,
                      .f = f,
                      .grain = gnd_row_grain(m->n_row, (gnd_csr_nnz(m) + m->n_row) * (f + 8))};
}

static void restart_forward(gnd_tape *t, gnd_node *y)
{
    const restart_arg *o = y->arg;
    const gnd_node *z = gnd_tape_node(t, y->in[0]);
    gnd_real *spare = gnd_tape_alloc(t, gnd_node_size(y), sizeof *spare);
    gnd_real *const turn[2] = {y->v, spare};
    step_job j = job_new(t, o, false, y->cols);

    j.room = room_new(t, o->a, j.grain);
    if (!gnd_tape_ok(t))
        return;
    y->save = (void *)j.room;
    j.z = j.from = z->v;
    j.c = (gnd_real)o->restart;
    for (int64_t k = 0; k < o->steps; k++) {
        j.to = turn[(o->steps - 1 - k) % 2]; /* the last one is y */
        step(t, &j, k);
        j.from = j.to;
    }
}

static void restart_backward(gnd_tape *t, gnd_node *y)
{
    const restart_arg *o = y->arg;
    const int64_t size = gnd_node_size(y);
    gnd_real *turn[2] = {gnd_tape_alloc(t, size, sizeof *turn[0]),
                         gnd_tape_alloc(t, size, sizeof *turn[0])};
    step_job j = job_new(t, o, true, y->cols);

    if (!gnd_tape_ok(t))
        return;
    j.room = y->save;
    j.sum = gnd_tape_node(t, y->in[0])->g;
    j.from = y->g;
    gnd_add_scaled(t, j.sum, (gnd_real)o->restart, y->g, size);
    for (int64_t k = o->steps - 1; k >= 0; k--) {
        j.to = turn[k % 2];
        j.c = k > 0 ? (gnd_real)o->restart : 1;
        step(t, &j, k);
        j.from = j.to;
    }
}

const gnd_op gnd_op_restart = {
    .name = "restart",
    .forward = restart_forward,
    .backward = restart_backward,
};

/* sum_{k<K} a (1-a)^k A^k z + (1-a)^K A^K z */
static gnd_var restart_undropped(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z,
                                 int64_t steps, double restart)
{
    double *c = gnd_tape_alloc(t, steps + 1, sizeof *c);

    if (!c)
        return GND_NONE;
    for (int64_t k = 0; k <= steps; k++)
        c[k] = (k < steps ? restart : 1) * pow(1 - restart, (double)k);
    return gnd_propagate(t, a, at, c, steps + 1, GND_BASIS_POWER, z);
}

gnd_var gnd_restart(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, gnd_var z, int64_t steps,
                    double restart, double p, const char *place)
{
    restart_arg *o;

    if (!gnd_operator_arg_new(t, "restart", a, at, z, steps))
        return GND_NONE;
    if (!(p >= 0 && p < 1))
        return gnd_tape_fail(t, GND_ERR_ARG, "restart %s: a rate of %g; expected 0 <= p < 1", place,
                             p);
    if (!t->training || t->mask || p == 0 || steps == 0)
        return restart_undropped(t, a, at, z, steps, restart);
    o = gnd_tape_alloc(t, 1, sizeof *o);
    if (!o)
        return GND_NONE;
    *o = (restart_arg){.a = a,
                       .at = at,
                       .steps = steps,
                       .restart = restart,
                       .key = gnd_mask_key(t, place),
                       .drop_below = (uint64_t)(p * 0x1p32),
                       .scale = (gnd_real)((1 - restart) / (1 - p))};
    return gnd_tape_record(t, &gnd_op_restart, 1, &z, a->n_row, gnd_tape_node(t, z)->cols, o);
}
