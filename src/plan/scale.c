/* SPDX-License-Identifier: MIT
 * scale.c - the cost model of several processes.
 *
 *     copies per vertex     h = c (log2 R)^b (k / 18)^(0.3 + 0.07 log2 R), at most k and R - 1
 *     rows of a process     own = n / R, local = own (1 + h); entries e / R
 *     product of width f    (e / R) NS_LINE f / LINE + own f NS_ROW, f at least LINE
 *     its exchange          4 f h own (NS_PACK + 1 / bandwidth) + partners latency
 *     sum of v values       (R - 1) / R 16 v / bandwidth + latency 2 log2 R
 *     memory                the larger of loading and computing
 *
 * n vertices, e entries, k = e / n, R processes. */
#include "scale.h"

#include <math.h>

/* ---- copies, fitted to 2 to 256 parts: bench/scale.py halo ---- */
static const struct {
    double c, b;
} law[] = {[GND_ORDER_RANDOM] = {0.475, 1.48},
           [GND_ORDER_METIS] = {0.24, 1.56},
           [GND_ORDER_COMMUNITIES] = {0.215, 1.16}};
static const double LAW_ENTRIES = 18; /* entries per vertex that c is for */
/* Power of the entries per vertex: at first, and more for each doubling of the processes. */
static const double LAW_POWER = 0.3, LAW_DOUBLING = 0.07;

/* ---- nanoseconds of one thread: bench/scale.py rates ---- */
enum { LINE = 16 };                 /* values of a cache line */
static const double NS_LINE = 7;    /* of a cache line of the row that an entry names, at random */
static const double NS_ROW = 2;     /* of a value of a row of the result */
static const double NS_PACK = 0.7;  /* of a byte that is copied: packed, moved, unpacked */
static const double NS_MADD = 0.1;  /* of a multiply-add of a dense layer or of features */
static const double NS_SPARSE = 30; /* of a multiply-add of two sparse matrices, with counting */
static const double NS_BYTE = 2;    /* of a byte of memory when it is first used */
/* NS_LINE is less where linked vertices are close: `make bench ARGS=dist`, local part. */
static const double CLOSE = 0.8;
/* It is IN_CACHE of that up to CACHE_ALL bytes of rows, and all of it from CACHE_NONE on. */
static const double IN_CACHE = 0.5, CACHE_ALL = 4e6, CACHE_NONE = 12e6;

/* ---- the same, with the time of the system for new pages: bench/scale.py check ---- */
static const double NS_LOAD = 750;     /* of an entry: reading, making the graph undirected */
static const double NS_LOAD_ONE = 450; /* the same in one process */
static const double NS_LABEL = 50;     /* of a vertex of the whole graph, in process 0 */
static const double NS_FORMAT = 600;   /* of a line of the result, in the process that has it */
static const double NS_WRITE = 150;    /* of a line of the result, in process 0 */
static const double NS_MERGE = 8;      /* the same for each level of the heap of dist/merge.c, if
                                          lines are not in the order of the processes */

/* ---- bytes: bench/scale.py check ---- */
static const double BASE_ONE = 28e6;    /* the program with its libraries */
static const double BASE = 40e6;        /* the same with MPI and PETSc at work */
static const double ENTRY_LOAD = 60;    /* of an entry while the graph is made undirected: 44 by the
                                           arrays of dist/mirror.c and kern/csr.c, the rest because
                                           parts differ in size */
static const double ENTRY_LOAD_ONE = 4; /* of an entry of the mapped file in one process */
static const double ROW_LOAD = 24;      /* of a vertex, own or copied */
static const double BUFFERS = 2;        /* of PetscSF: rows that are sent, rows that arrive */
static const double BITS = 0.1875;      /* of a vertex of the whole graph, in every process */
static const double VERTEX_FIRST = 13;  /* the same in process 0 */

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double gnd_scale_copies(gnd_vertex_order order, double n_process, double entries_per_vertex)
{
    const double doublings = n_process > 1 ? log2(n_process) : 0;
    const double power = smaller(1, LAW_POWER + LAW_DOUBLING * doublings);
    const double h =
        law[order].c * pow(doublings, law[order].b) * pow(entries_per_vertex / LAW_ENTRIES, power);

    return smaller(h, smaller(entries_per_vertex, n_process - 1));
}

/* Nanoseconds of a value that is read at random among `rows` rows of f values. */
static double read_ns(const gnd_scale_sizes *s, double f, double rows)
{
    const double beyond = (4 * f * rows - CACHE_ALL) / (CACHE_NONE - CACHE_ALL);
    const double share = IN_CACHE + (1 - IN_CACHE) * larger(0, smaller(1, beyond));

    return NS_LINE / LINE * share * (s->order == GND_ORDER_RANDOM ? 1 : CLOSE);
}

static void memory(gnd_scale_cost *out, const gnd_scale_sizes *s, const gnd_scale_work *w)
{
    const bool one = s->n_process <= 1;
    const double entries = s->n_entry / s->n_process, share = (1 + s->copies) / s->n_process;
    const double rows = s->n_node * share, features = s->n_feat_entry * share;
    const double load = entries * (one ? ENTRY_LOAD_ONE : ENTRY_LOAD) + rows * ROW_LOAD;
    double work = entries * w->entry_bytes + rows * w->row_bytes + features * w->feature_bytes;
    double width = 0;

    for (int k = 0; k < GND_SCALE_PRODUCTS; k++)
        width = larger(width, w->product[k].width);
    work += BUFFERS * 4 * width * (rows - s->n_node / s->n_process);
    out->bytes = (one ? BASE_ONE : BASE + s->n_node * BITS) + larger(load, work);
    out->bytes_first = s->n_node * VERTEX_FIRST;
}

void gnd_scale_estimate(gnd_scale_cost *out, const gnd_scale_sizes *s, const gnd_scale_work *w)
{
    const double R = s->n_process, own = s->n_node / R, entries = s->n_entry / R;
    const double copied = own * s->copies, local = own + copied;
    const double partners = copied < R - 1 ? copied : R - 1;
    double compute = 0;

    *out = (gnd_scale_cost){0};
    for (int k = 0; k < GND_SCALE_PRODUCTS; k++) {
        const double f = w->product[k].width, count = w->product[k].count;

        compute += count * (entries * larger(f, LINE) * read_ns(s, f, local) + own * f * NS_ROW);
        if (R > 1)
            out->exchange +=
                (count + (k == 0 ? w->exchanges : 0)) *
                (4 * f * copied * (1e-9 * NS_PACK + 1 / s->bandwidth) + partners * s->latency);
    }
    compute += NS_MADD * local * (w->row_madds + w->feature_madds * s->n_feat_entry / s->n_node);
    compute += NS_SPARSE * entries * w->entry_madds + NS_BYTE * local * w->row_bytes;
    out->compute = 1e-9 * compute / s->n_thread;
    if (R > 1)
        out->sums =
            w->sums * ((R - 1) / R * 16 * w->sum_values * (1e-9 * NS_PACK + 1 / s->bandwidth) +
                       2 * s->latency * ceil(log2(R)));
    out->load = 1e-9 * (entries * (R > 1 ? NS_LOAD : NS_LOAD_ONE) + s->n_node * NS_LABEL);
    if (R > 1)
        out->load += 8 * entries / s->bandwidth;
    out->write = 1e-9 * (own * NS_FORMAT + s->n_node * NS_WRITE);
    if (R > 1 && s->order != GND_ORDER_RANDOM)
        out->write += 1e-9 * s->n_node * log2(R) * NS_MERGE;
    memory(out, s, w);
}
