/* SPDX-License-Identifier: MIT
 * part.h - the vertices of a graph that one of several processes holds, and what it gets from the
 * others.
 *
 * A process owns consecutive vertices of the whole graph, and holds copies of others: those that
 * its rows of the adjacency matrix name, and the training and validation vertices. Its vertices,
 * own ones and copies, are numbered in the order of the whole graph. So a row lists its columns in
 * the same order as in one process, and a product has the same bits.
 *
 * Every array with a row for each vertex is complete when a function returns it: the rows of copies
 * are those that their owners have. What computes a row from the same row alone keeps this without
 * knowing of it. A product with an operator computes own rows, then fetches copies
 * (gnd_rows_product); a sum over vertices adds own rows, then those of all processes
 * (gnd_vertex_sum). A NULL part is a process that owns all vertices.
 *
 * Processes make the same calls in the same order. The calls return nothing: a failure is kept, and
 * gnd_part_check reports it. */
#ifndef GND_KERN_PART_H
#define GND_KERN_PART_H

#include <stdbool.h>
#include <stdio.h>

#include "base/parallel.h"
#include "base/status.h"
#include "base/team.h"

typedef struct gnd_part gnd_part;

/* Rows begin .. end - 1. */
typedef struct {
    int64_t begin, end;
} gnd_row_range;

/* Some rows of text with ascending numbers, each in one process. */
typedef struct {
    int64_t n;       /* 0: no more */
    int32_t *number; /* [n] */
    int32_t *len;    /* [n] bytes of each */
    char *text;      /* one after another */
    int64_t bytes;
} gnd_text_rows;

/* Gives the rows of this process; what *out holds is the source's until the next call. */
typedef struct {
    gnd_status (*next)(gnd_text_rows *out, void *user, gnd_error *err);
    void *user;
} gnd_text_source;

/* What is done with the other processes; src/dist implements it. */
typedef struct {
    /* Fetch the copied rows of x: [n_local] rows of `bytes` bytes. Between both calls own rows may
     * be read, and those may be written that no other process copies. */
    void (*fill_begin)(gnd_part *p, void *x, int64_t bytes);
    void (*fill_end)(gnd_part *p, void *x, int64_t bytes);
    /* The same for rows of different lengths: row i of x is its items ptr[i] .. ptr[i + 1] - 1, of
     * `bytes` bytes, and ptr is complete. */
    void (*fill_items)(gnd_part *p, const int64_t *ptr, void *x, int64_t bytes);
    /* v[i] of all processes: their sum, in the order of the processes, or the largest. */
    void (*sum)(gnd_part *p, double *v, int64_t n);
    void (*sum_counts)(gnd_part *p, int64_t *v, int64_t n);
    void (*max)(gnd_part *p, double *v, int64_t n);
    /* v[i] becomes its sum over the processes before this one. */
    void (*before)(gnd_part *p, int64_t *v, int64_t n);
    /* Send v to the next process, and get it from the one before. */
    void (*pass_on)(gnd_part *p, const void *v, int64_t bytes);
    void (*take_over)(gnd_part *p, void *v, int64_t bytes);
    /* all: [n of all processes, size], the lists of all in the order of the processes. */
    void (*collect)(gnd_part *p, double *all, const double *mine, int64_t n, int64_t size);
    /* out[i] = value[v], where v is the local number of at[i] in the process that owns it.
     * at: [n] numbers of the whole graph, value: [n_local]. */
    void (*look_up)(gnd_part *p, int64_t *out, const int64_t *at, int64_t n, const int64_t *value);
    /* value[v] += in[i], with the same v. */
    void (*add_up)(gnd_part *p, int64_t *value, const int64_t *at, int64_t n, const int64_t *in);
    /* x: rows of `bytes` bytes in all processes, of which this one has those at[0 .. n-1] and gets
     * the others; each row is in one process. */
    void (*share)(gnd_part *p, void *x, int64_t bytes, const int32_t *at, int64_t n);
    /* out[q] = value of the entry (j, i), where q is the entry (i, j) of an own row. Own rows of a
     * matrix with a symmetric pattern: row i is ptr[i] .. ptr[i + 1] - 1 of col; rows of copies are
     * empty. */
    void (*turn)(gnd_part *p, int64_t *out, const int64_t *value, const int64_t *ptr,
                 const int32_t *col);
    /* Process 0 writes the rows of text of all processes to f, by their numbers. */
    void (*merge)(gnd_part *p, FILE *f, const gnd_text_source *source);
    /* The worst status of all processes, with its message. */
    gnd_status (*agree)(gnd_part *p, gnd_status st, gnd_error *err);
    void (*free)(gnd_part *p);
} gnd_part_calls;

struct gnd_part {
    const gnd_part_calls *calls;
    int32_t rank, size;    /* number of this process, and of processes */
    int64_t n_global;      /* vertices of the whole graph */
    int64_t n_arc;         /* entries of its adjacency matrix */
    int64_t first;         /* number of the first own vertex in the whole graph */
    int64_t n_local;       /* own vertices and copies */
    int64_t begin, end;    /* own vertices, in the local numbering */
    const int32_t *global; /* [n_local] number of each in the whole graph; ascending */
    /* Pieces of own rows: first those with rows that other processes copy. */
    const gnd_row_range *piece;
    int64_t n_piece, n_early;
    bool failed;
};

void gnd_part_free(gnd_part *p);
/* GND_ERR_IO if a call has failed. part may be NULL, here and below. */
gnd_status gnd_part_check(const gnd_part *p, gnd_error *err);
/* The rows to sum over, of n. */
gnd_row_range gnd_part_own(const gnd_part *p, int64_t n);
/* Vertices of the whole graph, n in one process. */
int64_t gnd_part_total(const gnd_part *p, int64_t n);
/* Fetch the copied rows of x. */
void gnd_part_fill(gnd_part *p, void *x, int64_t bytes);
/* Get the rows of x that other processes have (gnd_part_calls.share). */
void gnd_part_share(gnd_part *p, void *x, int64_t bytes, const int32_t *at, int64_t n);
/* Over all processes: sums in the order of the processes, sums of counts, the largest v, whether
 * one says yes. */
void gnd_part_sum(gnd_part *p, double *v, int64_t n);
void gnd_part_counts(gnd_part *p, int64_t *v, int64_t n);
double gnd_part_max(gnd_part *p, double v);
bool gnd_part_any(gnd_part *p, bool yes);
/* The sum of n over the processes before this one. */
int64_t gnd_part_before(gnd_part *p, int64_t n);
/* The processes, for files that all of them write. */
gnd_team gnd_part_team(gnd_part *p);

/* Call fn for rows of y: [n, .] with rows of `bytes` bytes, as gnd_parallel_for does, and make y
 * complete. fn gets own rows only, and may read all rows of other arrays. */
typedef struct {
    gnd_part *part;
    void *y;
    int64_t bytes;
    int64_t n, grain, cost; /* as for gnd_parallel_for */
} gnd_rows_of;
void gnd_rows_product(gnd_pool *pool, const gnd_rows_of *y,
                      void (*fn)(int64_t begin, int64_t end, void *arg), void *arg);

/* sum[0 .. k-1] = the sum over all vertices of what fn adds for the rows of a block. Blocks of rows
 * of the whole graph depend on its size alone, and are added in order: the same bits for any number
 * of processes and threads. Processes own whole blocks. */
typedef struct {
    gnd_part *part;
    int64_t n; /* rows of this process */
    int64_t k;
    void (*fn)(double *sum, int64_t begin, int64_t end, void *arg);
    void *arg;
} gnd_vertex_terms;
gnd_status gnd_vertex_sum(double *sum, const gnd_vertex_terms *t, gnd_pool *pool, gnd_error *err);
/* Rows of a block of a graph of n vertices. */
int64_t gnd_vertex_block(int64_t n);

/* The k-th largest (from 1) of the keys of all processes; key: [n]. */
uint64_t gnd_part_select(gnd_part *p, const uint64_t *key, int64_t n, int64_t k);

#endif
