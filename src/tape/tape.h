/* SPDX-License-Identifier: MIT
 * tape.h - reverse-mode automatic differentiation on dense matrices, with sparse constants.
 *
 * A pass is written as a formula: each op computes its value at once and is recorded;
 * gnd_tape_backward then processes the record in reverse order. Errors are sticky: the first
 * error is stored and later ops return at once, so that only one check is needed at the end of a
 * pass. */
#ifndef GND_TAPE_TAPE_H
#define GND_TAPE_TAPE_H

#include "base/arena.h"
#include "base/parallel.h"
#include "kern/csr.h"
#include "kern/kern.h"
#include "plan/budget.h"

typedef struct gnd_tape gnd_tape;
typedef struct gnd_node gnd_node;
typedef struct gnd_kept gnd_kept;

/* A value on the tape. i < 0: no value (after an error). */
typedef struct {
    int32_t i;
} gnd_var;

/* An op computes its value (forward) and adds the gradients of its inputs (backward); both take
 * their arguments from the node. backward is called only if the node has a gradient. It adds
 * (+=), since an input may feed several ops, and skips inputs whose g is NULL. */
typedef struct {
    const char *name;
    void (*forward)(gnd_tape *t, gnd_node *y);
    void (*backward)(gnd_tape *t, gnd_node *y);
} gnd_op;

enum { GND_NODE_MAX_IN = 4 };

struct gnd_node {
    const gnd_op *op; /* NULL: a constant or a parameter */
    gnd_var in[GND_NODE_MAX_IN];
    int32_t n_in;
    int64_t rows, cols;
    gnd_real *v;          /* [rows, cols]; NULL for a sparse node */
    gnd_real *g;          /* gradient, [rows, cols]; NULL: not needed */
    const gnd_csr *sp;    /* sparse value; NULL for a dense node */
    const int32_t *row;   /* [rows] index in the whole matrix; NULL: all rows are here */
    const gnd_csr *whole; /* sparse with row: the matrix that the rows come from */
    bool lasts;           /* sparse: outlives the tape, as may results derived from it */
    int64_t room;    /* sparse after dropout: number of entries to allocate for results derived from
                        it, the same in every epoch; else 0 */
    const void *arg; /* the op's constants, on the arena or outliving the tape */
    void *save;      /* data from forward for backward, on the arena */
};

/* Keep masks given by the caller, by place: for golden vectors. If masks are given, a place
 * without one drops nothing. */
typedef struct {
    const char *place;
    const unsigned char *keep; /* 1: kept; per element (sparse: stored entry), row-major */
    int64_t n;
    double p; /* drop rate: kept entries are divided by 1 - p */
} gnd_mask;

struct gnd_tape {
    gnd_arena arena;
    gnd_node *node;
    int32_t n_node, cap_node;
    gnd_pool *pool; /* borrowed; NULL: serial */
    gnd_part *part; /* of the graph, borrowed; NULL: the whole graph */
    const gnd_kern *kern;
    bool training; /* dropout is active and gradients are stored */
    bool open;     /* gnd_detach passes gradients: for gradient checks by finite differences */
    uint64_t seed; /* the dropout masks are a function of seed and epoch */
    int64_t epoch;
    int64_t next; /* the epoch of the training pass that comes next with the same parameters; -1:
                     none is known */
    const int32_t *request; /* requested rows, borrowed; NULL: all */
    int64_t n_request;
    const int32_t *lasting; /* request if gnd_tape_request_again set it, else NULL */
    gnd_arena store;        /* results that are reused by later passes */
    gnd_kept *kept;         /* list of these results, allocated in store */
    gnd_budget budget;      /* memory budget of store */
    const gnd_mask *mask;   /* masks given by the caller, or NULL */
    int32_t n_mask;
    gnd_status status; /* sticky: the first error */
    gnd_error err;
};

gnd_status gnd_tape_new(gnd_tape **out, gnd_pool *pool, gnd_error *err);
void gnd_tape_free(gnd_tape *t);
/* Clears the record and requests all rows. The arena's memory is reused. */
void gnd_tape_reset(gnd_tape *t, bool training, int64_t epoch);
/* Requests these rows of the result in the current pass. A formula that does not call
 * gnd_requested computes all rows. */
void gnd_tape_request(gnd_tape *t, const int32_t *rows, int64_t n);
/* The same for a lasting list: it does not change or move while the tape exists, and several
 * passes request it. What depends only on it and on gnd_input matrices is computed once. */
void gnd_tape_request_again(gnd_tape *t, const int32_t *rows, int64_t n);
/* The sticky status; copies the error into err. */
gnd_status gnd_tape_check(const gnd_tape *t, gnd_error *err);
/* Computes d root / d x for every recorded x;  root: [1, 1] */
void gnd_tape_backward(gnd_tape *t, gnd_var root);

/* The rest of this file is for ops. */
static inline gnd_node *gnd_tape_node(gnd_tape *t, gnd_var x)
{
    return &t->node[x.i];
}
static inline bool gnd_tape_ok(const gnd_tape *t)
{
    return t->status == GND_OK;
}
/* Stores the error if it is the first. Returns GND_NONE. */
gnd_var gnd_tape_fail(gnd_tape *t, gnd_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* n * size bytes on the arena, until the pass ends. NULL, with the sticky error set, if memory
 * is short. */
void *gnd_tape_alloc(gnd_tape *t, int64_t n, size_t size);
/* A position on the tape, and the release of the nodes and values recorded after it. Only in a pass
 * without gradients. */
typedef struct {
    gnd_arena_mark arena;
    int32_t n_node;
} gnd_tape_mark;
gnd_tape_mark gnd_tape_mark_get(const gnd_tape *t);
void gnd_tape_release(gnd_tape *t, gnd_tape_mark mark);
/* Identifies a stored result: what it is, the matrix it derives from, and the lasting list of
 * rows. */
typedef struct {
    const void *kind; /* a unique address */
    const gnd_csr *of;
    const int32_t *rows;
    int64_t n, depth;
} gnd_kept_key;
/* The result stored for the key, or NULL. */
void *gnd_tape_kept(const gnd_tape *t, const gnd_kept_key *key);
/* Stores a result; made: allocated with gnd_tape_store. */
void gnd_tape_keep(gnd_tape *t, const gnd_kept_key *key, void *made);
/* Like gnd_tape_alloc, but the memory lasts until the tape is freed. */
void *gnd_tape_store(gnd_tape *t, int64_t n, size_t size);
typedef struct {
    int64_t rows, cols;
} gnd_shape;
/* Records an op, computes its value and returns it. arg must exist until the pass ends. */
gnd_var gnd_tape_record(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in, gnd_shape shape,
                        const void *arg);
/* Like gnd_tape_record, but the result has the shape of in[0] and overwrites its value and
 * gradient. This requires that the backward function of in[0] does not read its value and that
 * no other op reads it. */
gnd_var gnd_tape_record_over(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in,
                             const void *arg);
/* A gradient is needed for this node. */
static inline bool gnd_wants_grad(const gnd_node *x)
{
    return x->g != NULL;
}

#endif
