/* SPDX-License-Identifier: MIT
 * tape.h - reverse-mode automatic differentiation on dense matrices, with sparse constants.
 *
 * A pass is written as a formula: each call below computes its value at once and records how to
 * undo it; gnd_tape_backward then walks the record from its end. Errors are sticky: the first bad
 * shape is noted and later calls return at once, so a formula needs no checks and the caller looks
 * once, at the end. */
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

/* A value on the tape. Negative: none (after an error). */
typedef struct {
    int32_t i;
} gnd_var;

/* An op: how to run it forward, and how to add the gradients of its inputs. Both find all they need
 * in the node. Backward is called only if some input wants a gradient; it adds (+=), since an input
 * may feed several ops, and must skip inputs whose g is NULL. */
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
    gnd_real *v;        /* [rows, cols]; NULL for a sparse node */
    gnd_real *g;        /* gradient of the same shape; NULL: nobody wants it */
    const gnd_csr *sp;  /* a sparse value; dense ones have NULL */
    const int32_t *row; /* [rows] place of each row in the whole matrix; NULL: all rows are there */
    const gnd_csr *whole; /* sparse with row: the matrix its rows were taken from */
    bool lasts;           /* sparse: it outlives the tape, and so may what is made of it */
    int64_t room;         /* sparse with entries dropped: how many to make room for in what is made
                             of it, so that every epoch asks for as much; else 0 */
    const void *arg;      /* the op's own constants, on the tape's arena or outliving it */
    void *save;           /* what forward keeps for backward, on the arena */
};

/* Keep masks given from outside, by place: for golden vectors. Where masks are given, they are all
 * there are: a place without one drops nothing. */
typedef struct {
    const char *place;
    const unsigned char
        *keep; /* 1: kept. One a stored entry (sparse) or element (dense), row-major */
    int64_t n;
    double p; /* drop rate it was drawn with: what is kept is divided by 1 - p */
} gnd_mask;

struct gnd_tape {
    gnd_arena arena;
    gnd_node *node;
    int32_t n_node, cap_node;
    gnd_pool *pool; /* borrowed; NULL: serial */
    const gnd_kern *kern;
    bool training;          /* dropout acts and gradients are kept */
    bool open;              /* gradients pass gnd_detach too: for checks by finite differences */
    uint64_t seed;          /* of the dropout masks */
    int64_t epoch;          /* so is this */
    const int32_t *request; /* rows of the result that somebody looks at, borrowed; NULL: all */
    int64_t n_request;
    const int32_t *lasting; /* request, if it stays as it is while the tape lives; else NULL */
    gnd_arena store;        /* what passes keep for others of the same lasting rows */
    gnd_kept *kept;         /* a list of that, on the store */
    gnd_budget budget;      /* what the store may spend to be faster */
    const gnd_mask *mask;   /* given masks, or NULL */
    int32_t n_mask;
    gnd_status status; /* sticky */
    gnd_error err;
};

gnd_status gnd_tape_new(gnd_tape **out, gnd_pool *pool, gnd_error *err);
void gnd_tape_free(gnd_tape *t);
/* Forget the record; memory is kept for the next pass, which requests all rows. */
void gnd_tape_reset(gnd_tape *t, bool training, int64_t epoch);
/* Ask the pass that starts for these rows only; a formula that does not call gnd_requested gives
 * all anyway. */
void gnd_tape_request(gnd_tape *t, const int32_t *rows, int64_t n);
/* The same for a list that stays as and where it is while the tape lives, and that other passes
 * will request: what only depends on it and on inputs (gnd_input) is made once. */
void gnd_tape_request_again(gnd_tape *t, const int32_t *rows, int64_t n);
/* The sticky status, copied into err. */
gnd_status gnd_tape_check(const gnd_tape *t, gnd_error *err);
/* d root / d everything; root must be 1 x 1. */
void gnd_tape_backward(gnd_tape *t, gnd_var root);

/* For ops. */
static inline gnd_node *gnd_tape_node(gnd_tape *t, gnd_var x)
{
    return &t->node[x.i];
}
static inline bool gnd_tape_ok(const gnd_tape *t)
{
    return t->status == GND_OK;
}
/* Record the first error. Returns a variable that stands for nothing. */
gnd_var gnd_tape_fail(gnd_tape *t, gnd_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* n * size bytes of scratch or saved state; NULL (and the sticky error) if memory is short. */
void *gnd_tape_alloc(gnd_tape *t, int64_t n, size_t size);
/* What was made of a matrix that outlives the tape, for a lasting list of rows. */
typedef struct {
    const void *kind; /* an address that stands for it */
    const gnd_csr *of;
    const int32_t *rows;
    int64_t n, depth;
} gnd_kept_key;
/* What gnd_tape_keep was given for the key, or NULL. */
void *gnd_tape_kept(const gnd_tape *t, const gnd_kept_key *key);
/* made: with gnd_tape_store. */
void gnd_tape_keep(gnd_tape *t, const gnd_kept_key *key, void *made);
/* As gnd_tape_alloc, but until the tape is freed. */
void *gnd_tape_store(gnd_tape *t, int64_t n, size_t size);
/* Record an op with result [rows, cols], run it forward and return it. arg must live as long as the
 * pass. */
gnd_var gnd_tape_record(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in, int64_t rows,
                        int64_t cols, const void *arg);
/* The same with the shape, the value and the gradient of in[0] in its own memory: forward and
 * backward find there what they change. Only where the op of in[0] does not read its result on the
 * way back, and nobody else does. */
gnd_var gnd_tape_record_over(gnd_tape *t, const gnd_op *op, int n_in, const gnd_var *in,
                             const void *arg);
/* A gradient is wanted for this input. */
static inline bool gnd_wants_grad(const gnd_node *x)
{
    return x->g != NULL;
}

#endif
