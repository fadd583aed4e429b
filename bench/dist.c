/* SPDX-License-Identifier: MIT
 * dist.c - a hop W x on a graph that several processes hold: its bits, time and memory.
 *
 *     dist FILE WIDTH HOPS                       one process
 *     mpirun -n R dist FILE WIDTH HOPS           R processes
 *
 * Prints tab-separated: processes, vertices, entries, width, copied rows of all processes, bytes
 * that a hop moves, CPU ms of a hop (minimum and median over HOPS, each the largest of the
 * processes), the same of own rows without the exchange, the largest resident memory in MB, and a
 * number that any other bit in W^HOPS x changes. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "kern/csr_product.h"
#include "kern/kern.h"
#include "stopwatch.h"

enum { HOPS_MAX = 1000, HASH = 1000000007 };

typedef struct {
    gnd_graph *g;
    gnd_operator op;
    gnd_real *x, *y;
    int64_t f;
    int hops;
    double hop[HOPS_MAX], local[HOPS_MAX];
} bench;

static gnd_status graph_get(gnd_graph **out, const char *path, gnd_error *err)
{
    const gnd_cluster_load_opts o = {.size = sizeof o, .mode = GND_GRAPH_UND};
    gnd_split *none = NULL;
    gnd_graph *raw = NULL;
    gnd_status st;

    if (gnd_cluster_size() > 1)
        return gnd_cluster_load(out, &none, path, &o, err);
    GND_TRY(gnd_load(&raw, path, NULL, err));
    GND_TRY(gnd_graph_convert(out, raw, GND_GRAPH_UND, err));
out:
    gnd_graph_free(raw);
    return st;
}

static int64_t number_of(const gnd_graph *g, int64_t i)
{
    return g->part ? g->part->global[i] : i;
}

static double cpu(void)
{
    return now_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/* One product with the exchange, one without. */
static void hop(bench *b, int k)
{
    const gnd_row_range own = gnd_part_own(b->g->part, b->g->n_node);
    double start = cpu();
    gnd_real *was = b->x;

    gnd_kern_get()->spmm(b->y, &b->op.a, b->x, b->f, 0, NULL, own.begin, own.end);
    b->local[k] = cpu() - start;
    gnd_part_any(b->g->part, false); /* all start together */
    start = cpu();
    gnd_csr_times(b->y, &b->op.a, b->x, b->f, NULL);
    b->hop[k] = cpu() - start;
    b->x = b->y;
    b->y = was;
}

/* Any order of the rows gives the same number. */
static int64_t rows_hash(const bench *b)
{
    const gnd_row_range own = gnd_part_own(b->g->part, b->g->n_node);
    uint64_t sum = 0;
    int64_t total;

    for (int64_t i = own.begin; i < own.end; i++) {
        uint64_t h = gnd_mix64((uint64_t)number_of(b->g, i) + 1);

        for (int64_t c = 0; c < b->f; c++) {
            uint32_t bits = 0;

            memcpy(&bits, &b->x[i * b->f + c], sizeof bits);
            h = gnd_mix64(h ^ bits);
        }
        sum += h % HASH; /* no sum overflows */
    }
    total = (int64_t)(sum % HASH);
    gnd_part_counts(b->g->part, &total, 1);
    return total % HASH;
}

static void report(bench *b)
{
    const gnd_row_range own = gnd_part_own(b->g->part, b->g->n_node);
    int64_t copies = b->g->n_node - (own.end - own.begin);
    double v[5];
    struct rusage use;
    const int64_t hash = rows_hash(b), entries = gnd_csr_nnz_total(&b->op.a);

    getrusage(RUSAGE_SELF, &use);
    v[1] = median(b->hop, b->hops);
    v[0] = b->hop[0];
    v[3] = median(b->local, b->hops);
    v[2] = b->local[0];
    v[4] = (double)use.ru_maxrss / 1024;
    for (int k = 0; k < 5; k++)
        v[k] = gnd_part_max(b->g->part, v[k]);
    gnd_part_counts(b->g->part, &copies, 1);
    if (gnd_cluster_rank() == 0)
        printf("%d\t%lld\t%lld\t%lld\t%lld\t%lld\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%lld\n",
               gnd_cluster_size(), (long long)gnd_graph_n_node(b->g), (long long)entries,
               (long long)b->f, (long long)copies,
               (long long)(copies * b->f * (int64_t)sizeof(gnd_real)), v[0], v[1], v[2], v[3], v[4],
               (long long)hash);
}

static gnd_status run(bench *b, char **argv, gnd_error *err)
{
    gnd_status st;

    b->f = atoll(argv[2]);
    b->hops = atoi(argv[3]);
    if (b->f < 1 || b->hops < 1 || b->hops > HOPS_MAX)
        return gnd_fail(err, GND_ERR_ARG, "expected a width from 1 and 1 to %d hops", HOPS_MAX);
    GND_TRY(graph_get(&b->g, argv[1], err));
    GND_TRY(gnd_operator_init(&b->op, GND_OP_W, &b->g->adj, err));
    b->x = gnd_alloc(b->g->n_node * b->f, sizeof *b->x);
    b->y = gnd_alloc(b->g->n_node * b->f, sizeof *b->y);
    if (!b->x || !b->y)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory"));
    for (int64_t i = 0; i < b->g->n_node; i++)
        for (int64_t c = 0; c < b->f; c++)
            b->x[i * b->f + c] =
                (gnd_real)gnd_rng_uniform(1, (uint32_t)c, (uint64_t)number_of(b->g, i));
    for (int k = 0; k < b->hops; k++)
        hop(b, k);
    report(b);
    GND_TRY(gnd_part_check(b->g->part, err));
out:
    return st;
}

int main(int argc, char **argv)
{
    static bench b;
    gnd_error err = {0};
    int32_t code, first;
    gnd_cluster_end_kind kind;

    if (argc != 4) {
        fprintf(stderr, "usage: dist FILE WIDTH HOPS\n");
        return 2;
    }
    code = gnd_cluster_start(&err) || run(&b, argv, &err) ? 1 : 0;
    if (code)
        fprintf(stderr, "dist: %s\n", err.msg);
    gnd_free(b.x);
    gnd_free(b.y);
    gnd_operator_fini(&b.op);
    gnd_graph_free(b.g);
    kind = gnd_cluster_agree(&code, &first);
    gnd_cluster_end(kind, code);
    return code;
}
