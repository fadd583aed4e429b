/* SPDX-License-Identifier: MIT
 * exchange.c - the calls of kern/part.h. Copies of rows come by PetscSF, with a row as the unit of
 * data, so that floats stay floats although PETSc itself computes in double; everything small goes
 * by MPI's collective calls. */
#include "exchange.h"

#include <petscsf.h>
#include <string.h>

#include "base/alloc.h"
#include "comm.h"
#include "merge.h"
#include "turn.h"

enum {
    UNITS = 16,       /* data types that are kept for use */
    PIECE_ROWS = 512, /* rows of a piece, at most */
    RUN_ROWS = 64     /* rows that no process copies are computed apart from this number on */
};

typedef struct {
    gnd_part part; /* first, so that both pointers are the same */
    gnd_owners owners;
    PetscSF sf;
    int32_t *global;
    gnd_row_range *piece;
    struct {
        MPI_Datatype type;
        int64_t bytes;
    } unit[UNITS];
    int n_unit, next_unit;
} exchange;

static exchange *exchange_of(gnd_part *p)
{
    return (exchange *)p;
}

int32_t gnd_owner_of(const gnd_owners *o, int64_t vertex)
{
    int32_t low = 0, high = o->size - 1;

    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;

        if (o->cut[middle] <= vertex)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- copies ---- */

/* The type of a row; the oldest one is dropped if there are too many. */
static MPI_Datatype unit_of(exchange *x, int64_t bytes)
{
    int k = 0;

    while (k < x->n_unit && x->unit[k].bytes != bytes)
        k++;
    if (k < x->n_unit)
        return x->unit[k].type;
    if (x->n_unit < UNITS) {
        x->n_unit++;
    } else {
        k = x->next_unit++ % UNITS;
        MPI_Type_free(&x->unit[k].type);
    }
    x->unit[k].bytes = bytes;
    if (bytes % (int64_t)sizeof(float) == 0)
        MPI_Type_contiguous((int)(bytes / (int64_t)sizeof(float)), MPI_FLOAT, &x->unit[k].type);
    else
        MPI_Type_contiguous((int)bytes, MPI_BYTE, &x->unit[k].type);
    MPI_Type_commit(&x->unit[k].type);
    return x->unit[k].type;
}

static void fill_begin(gnd_part *p, void *rows, int64_t bytes)
{
    exchange *x = exchange_of(p);

    if (PetscSFBcastBegin(x->sf, unit_of(x, bytes), (char *)rows + p->begin * bytes, rows,
                          MPI_REPLACE))
        p->failed = true;
}

static void fill_end(gnd_part *p, void *rows, int64_t bytes)
{
    exchange *x = exchange_of(p);

    if (PetscSFBcastEnd(x->sf, unit_of(x, bytes), (char *)rows + p->begin * bytes, rows,
                        MPI_REPLACE))
        p->failed = true;
}

/* first[i]: where the items of row i are in the process that owns it, from its first own item. */
static void fill_items(gnd_part *p, const int64_t *ptr, void *items, int64_t bytes)
{
    exchange *x = exchange_of(p);
    const int64_t begin = ptr[p->begin], n_own = ptr[p->end] - begin;
    const int64_t n_copy = ptr[p->n_local] - n_own;
    int64_t *first = gnd_alloc(p->n_local, sizeof *first), k = 0;
    PetscInt *leaf = gnd_alloc(n_copy, sizeof *leaf);
    PetscSFNode *root = gnd_alloc(n_copy, sizeof *root);
    PetscSF sf = NULL;
    MPI_Datatype unit;

    if (!first || !leaf || !root || ptr[p->n_local] > INT32_MAX)
        gnd_comm_abort(x->owners.comm);
    for (int64_t i = p->begin; i < p->end; i++)
        first[i] = ptr[i] - begin;
    gnd_part_fill(p, first, sizeof *first);
    for (int64_t i = 0; i < p->n_local; i++) {
        const int32_t r = gnd_owner_of(&x->owners, p->global[i]);

        for (int64_t q = ptr[i]; (i < p->begin || i >= p->end) && q < ptr[i + 1]; q++, k++) {
            leaf[k] = (PetscInt)q;
            root[k].rank = r;
            root[k].index = (PetscInt)(first[i] + q - ptr[i]);
        }
    }
    unit = unit_of(x, bytes); /* valid until the next call of it */
    if (PetscSFCreate(x->owners.comm, &sf) ||
        PetscSFSetGraph(sf, (PetscInt)n_own, (PetscInt)n_copy, leaf, PETSC_COPY_VALUES, root,
                        PETSC_COPY_VALUES) ||
        PetscSFBcastBegin(sf, unit, (char *)items + begin * bytes, items, MPI_REPLACE) ||
        PetscSFBcastEnd(sf, unit, (char *)items + begin * bytes, items, MPI_REPLACE))
        p->failed = true;
    PetscSFDestroy(&sf);
    gnd_free(root);
    gnd_free(leaf);
    gnd_free(first);
}

/* ---- sums ---- */

/* In the order of the processes; MPI_Allreduce does not promise one. Each process adds a share of
 * the values and sends the sums to the others. */
static void sum(gnd_part *p, double *v, int64_t n)
{
    const MPI_Comm comm = exchange_of(p)->owners.comm;
    const int64_t share = (n + p->size - 1) / p->size;
    double *from = gnd_alloc(2 * share * p->size, sizeof *from), *all = from + share * p->size;

    if (!from)
        gnd_comm_abort(comm);
    memcpy(from, v, (size_t)n * sizeof *v);
    MPI_Alltoall(from, (int)share, MPI_DOUBLE, all, (int)share, MPI_DOUBLE, comm);
    for (int32_t r = 1; r < p->size; r++)
        for (int64_t i = 0; i < share; i++)
            all[i] += all[r * share + i];
    MPI_Allgather(all, (int)share, MPI_DOUBLE, from, (int)share, MPI_DOUBLE, comm);
    memcpy(v, from, (size_t)n * sizeof *v);
    gnd_free(from);
}

static void sum_counts(gnd_part *p, int64_t *v, int64_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, v, (int)n, MPI_INT64_T, MPI_SUM, exchange_of(p)->owners.comm);
}

static void max(gnd_part *p, double *v, int64_t n)
{
    MPI_Allreduce(MPI_IN_PLACE, v, (int)n, MPI_DOUBLE, MPI_MAX, exchange_of(p)->owners.comm);
}

static void before(gnd_part *p, int64_t *v, int64_t n)
{
    int64_t *sum = gnd_alloc(n, sizeof *sum); /* process 0 gets nothing: zeros */

    if (!sum)
        gnd_comm_abort(exchange_of(p)->owners.comm);
    MPI_Exscan(v, sum, (int)n, MPI_INT64_T, MPI_SUM, exchange_of(p)->owners.comm);
    for (int64_t i = 0; i < n; i++)
        v[i] = p->rank > 0 ? sum[i] : 0;
    gnd_free(sum);
}

static void pass_on(gnd_part *p, const void *v, int64_t bytes)
{
    gnd_comm_send(exchange_of(p)->owners.comm, v, bytes, p->rank + 1);
}

static void take_over(gnd_part *p, void *v, int64_t bytes)
{
    gnd_comm_get(exchange_of(p)->owners.comm, v, bytes, p->rank - 1);
}

static void collect(gnd_part *p, double *all, const double *mine, int64_t n, int64_t size)
{
    const MPI_Comm comm = exchange_of(p)->owners.comm;
    int *count = gnd_alloc(p->size, sizeof *count), *at = gnd_alloc(p->size, sizeof *at);
    const int here = (int)(n * size);

    if (!count || !at)
        gnd_comm_abort(comm);
    MPI_Allgather(&here, 1, MPI_INT, count, 1, MPI_INT, comm);
    for (int32_t r = 1; r < p->size; r++)
        at[r] = at[r - 1] + count[r - 1];
    MPI_Allgatherv(mine, here, MPI_DOUBLE, all, count, at, MPI_DOUBLE, comm);
    gnd_free(at);
    gnd_free(count);
}

/* A forest whose leaf i has vertex at[i] of the whole graph as its root. */
static PetscSF forest_of(gnd_part *p, const int64_t *at, int64_t n)
{
    exchange *x = exchange_of(p);
    PetscSFNode *from = gnd_alloc(n, sizeof *from);
    PetscSF sf = NULL;

    if (!from)
        gnd_comm_abort(x->owners.comm);
    for (int64_t i = 0; i < n; i++) {
        from[i].rank = gnd_owner_of(&x->owners, at[i]);
        from[i].index = (PetscInt)(at[i] - x->owners.cut[from[i].rank]);
    }
    if (PetscSFCreate(x->owners.comm, &sf) ||
        PetscSFSetGraph(sf, (PetscInt)(p->end - p->begin), (PetscInt)n, NULL, PETSC_COPY_VALUES,
                        from, PETSC_COPY_VALUES))
        p->failed = true;
    gnd_free(from);
    return sf;
}

static void look_up(gnd_part *p, int64_t *out, const int64_t *at, int64_t n, const int64_t *value)
{
    PetscSF sf = forest_of(p, at, n);

    if (PetscSFBcastBegin(sf, MPI_INT64_T, value + p->begin, out, MPI_REPLACE) ||
        PetscSFBcastEnd(sf, MPI_INT64_T, value + p->begin, out, MPI_REPLACE))
        p->failed = true;
    PetscSFDestroy(&sf);
}

static void add_up(gnd_part *p, int64_t *value, const int64_t *at, int64_t n, const int64_t *in)
{
    PetscSF sf = forest_of(p, at, n);

    if (PetscSFReduceBegin(sf, MPI_INT64_T, in, value + p->begin, MPI_SUM) ||
        PetscSFReduceEnd(sf, MPI_INT64_T, in, value + p->begin, MPI_SUM))
        p->failed = true;
    PetscSFDestroy(&sf);
}

static void share(gnd_part *p, void *rows, int64_t bytes, const int32_t *at, int64_t n)
{
    const MPI_Comm comm = exchange_of(p)->owners.comm;
    const MPI_Datatype unit = unit_of(exchange_of(p), bytes);
    int *count = gnd_alloc(2 * (int64_t)p->size, sizeof *count), *first = count + p->size;
    const int here = (int)n;
    char *mine = gnd_alloc_raw(n, (size_t)bytes), *all;
    int32_t *where;
    int64_t total = 0;

    if (!count || !mine)
        gnd_comm_abort(comm);
    MPI_Allgather(&here, 1, MPI_INT, count, 1, MPI_INT, comm);
    for (int32_t r = 0; r < p->size; r++) {
        first[r] = (int)total;
        total += count[r];
    }
    where = gnd_alloc(total, sizeof *where);
    all = gnd_alloc_raw(total, (size_t)bytes);
    if (!where || !all || total > INT32_MAX)
        gnd_comm_abort(comm);
    for (int64_t i = 0; i < n; i++)
        memcpy(mine + i * bytes, (char *)rows + at[i] * bytes, (size_t)bytes);
    MPI_Allgatherv(at, here, MPI_INT32_T, where, count, first, MPI_INT32_T, comm);
    MPI_Allgatherv(mine, here, unit, all, count, first, unit, comm);
    for (int64_t i = 0; i < total; i++)
        memcpy((char *)rows + where[i] * bytes, all + i * bytes, (size_t)bytes);
    gnd_free(all);
    gnd_free(where);
    gnd_free(mine);
    gnd_free(count);
}

static void turn(gnd_part *p, int64_t *out, const int64_t *value, const int64_t *ptr,
                 const int32_t *col)
{
    if (!gnd_turn(&exchange_of(p)->owners, p, out, value, ptr, col))
        p->failed = true;
}

static void merge(gnd_part *p, FILE *f, const gnd_text_source *source)
{
    if (!gnd_merge_text(exchange_of(p)->owners.comm, f, source))
        p->failed = true;
}

static gnd_status agree(gnd_part *p, gnd_status st, gnd_error *err)
{
    return gnd_comm_agree(exchange_of(p)->owners.comm, st, err);
}

/* ---- the part ---- */

static void exchange_free(gnd_part *p)
{
    exchange *x = exchange_of(p);

    for (int k = 0; k < x->n_unit; k++)
        MPI_Type_free(&x->unit[k].type);
    PetscSFDestroy(&x->sf);
    if (x->owners.comm != MPI_COMM_NULL)
        MPI_Comm_free(&x->owners.comm);
    gnd_free(x->owners.cut);
    gnd_free(x->global);
    gnd_free(x->piece);
    gnd_free(x);
}

static const gnd_part_calls calls = {
    .fill_begin = fill_begin,
    .fill_end = fill_end,
    .fill_items = fill_items,
    .sum = sum,
    .sum_counts = sum_counts,
    .max = max,
    .before = before,
    .pass_on = pass_on,
    .take_over = take_over,
    .collect = collect,
    .look_up = look_up,
    .add_up = add_up,
    .share = share,
    .turn = turn,
    .merge = merge,
    .agree = agree,
    .free = exchange_free,
};

/* The star forest: a leaf for each copy, whose root is the row of its owner. */
static gnd_status forest_make(exchange *x, gnd_error *err)
{
    const gnd_part *p = &x->part;
    const int64_t n_copy = p->n_local - (p->end - p->begin);
    PetscInt *leaf = gnd_alloc(n_copy, sizeof *leaf);
    PetscSFNode *root = gnd_alloc(n_copy, sizeof *root);
    int64_t k = 0;
    gnd_status st = GND_OK;

    if (!leaf || !root)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld copies of vertices",
                         (long long)n_copy));
    for (int64_t i = 0; i < p->n_local; i++) {
        if (i >= p->begin && i < p->end)
            continue;
        leaf[k] = (PetscInt)i;
        root[k].rank = gnd_owner_of(&x->owners, p->global[i]);
        root[k].index = (PetscInt)(p->global[i] - x->owners.cut[root[k].rank]);
        k++;
    }
    if (PetscSFCreate(x->owners.comm, &x->sf) ||
        PetscSFSetGraph(x->sf, (PetscInt)(p->end - p->begin), (PetscInt)n_copy, leaf,
                        PETSC_COPY_VALUES, root, PETSC_COPY_VALUES) ||
        PetscSFSetUp(x->sf))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "PETSc cannot set up the exchange of %lld rows",
                         (long long)n_copy));
out:
    gnd_free(root);
    gnd_free(leaf);
    return st;
}

/* Append rows to the pieces of one kind; NULL only counts. */
static void piece_add(gnd_row_range *piece, int64_t *n, int64_t begin, int64_t end)
{
    for (; begin < end; begin += PIECE_ROWS) {
        if (piece)
            piece[*n] = (gnd_row_range){begin, end < begin + PIECE_ROWS ? end : begin + PIECE_ROWS};
        ++*n;
    }
}

/* Own rows as pieces: early ones, then those in runs that no process copies. degree: how many
 * processes copy a row. early, late: NULL only counts. */
static void pieces_cut(const gnd_part *p, const PetscInt *degree, gnd_row_range *early,
                       int64_t *n_early, gnd_row_range *late, int64_t *n_late)
{
    const int64_t n = p->end - p->begin;
    int64_t from = 0; /* of the early rows that are not added yet */

    *n_early = *n_late = 0;
    for (int64_t i = 0; i < n;) {
        int64_t end = i;

        while (end < n && degree[end] == 0)
            end++;
        if (end - i >= RUN_ROWS) {
            piece_add(early, n_early, p->begin + from, p->begin + i);
            piece_add(late, n_late, p->begin + i, p->begin + end);
            from = end;
        }
        i = end > i ? end : i + 1;
    }
    piece_add(early, n_early, p->begin + from, p->end);
}

static gnd_status pieces_make(exchange *x, gnd_error *err)
{
    gnd_part *p = &x->part;
    const PetscInt *degree;
    int64_t n_early, n_late;

    if (PetscSFComputeDegreeBegin(x->sf, &degree) || PetscSFComputeDegreeEnd(x->sf, &degree))
        return gnd_fail(err, GND_ERR_NOMEM, "PETSc cannot count copies of rows");
    pieces_cut(p, degree, NULL, &n_early, NULL, &n_late);
    x->piece = gnd_alloc(n_early + n_late, sizeof *x->piece);
    if (!x->piece)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld rows",
                        (long long)(p->end - p->begin));
    pieces_cut(p, degree, x->piece, &n_early, x->piece + n_early, &n_late);
    p->piece = x->piece;
    p->n_early = n_early;
    p->n_piece = n_early + n_late;
    return GND_OK;
}

gnd_status gnd_part_new(gnd_part **out, gnd_owners *o, int32_t *global, int64_t n_local,
                        gnd_error *err)
{
    exchange *x = gnd_alloc(1, sizeof *x);
    gnd_part *p;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!x)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a part of a graph");
    p = &x->part;
    *p = (gnd_part){.calls = &calls,
                    .rank = o->rank,
                    .size = o->size,
                    .n_global = o->cut[o->size],
                    .first = o->cut[o->rank],
                    .n_local = n_local,
                    .global = global};
    while (p->begin < n_local && global[p->begin] < o->cut[o->rank])
        p->begin++;
    p->end = p->begin + o->cut[o->rank + 1] - o->cut[o->rank];
    x->owners = *o;
    GND_TRY(forest_make(x, err));
    GND_TRY(pieces_make(x, err));
    x->global = global;
    *o = (gnd_owners){.comm = MPI_COMM_NULL};
    *out = p;
    x = NULL;
out:
    if (x) {
        x->owners = (gnd_owners){.comm = MPI_COMM_NULL}; /* stays with the caller */
        exchange_free(&x->part);
    }
    return st;
}
