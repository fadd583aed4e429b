/* SPDX-License-Identifier: MIT
 * estimate_cluster.c - `gnd estimate --ranks`: what gnd_cluster_estimate says. */
#include "estimate_cluster.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "say.h"

/* Networks by name: latency in microseconds, 10^9 bits per second. The figures are typical ones, of
 * messages between MPI processes: through memory, by Ethernet, by InfiniBand or the like. */
static const struct {
    const char *name;
    double latency, gbit;
} networks[] = {{"loopback", 0.5, 100}, {"1g", 30, 1}, {"10g", 10, 10}, {"100g", 2, 100}};

static int network_get(gnd_cluster_plan *p, const char *text)
{
    char *end, *last;

    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
        if (strcmp(text, networks[k].name) == 0) {
            p->latency = networks[k].latency;
            p->gbit = networks[k].gbit;
            return 0;
        }
    p->latency = strtod(text, &end);
    p->gbit = *end == ',' ? strtod(end + 1, &last) : 0;
    if (end == text || *end != ',' || *last || !(p->latency >= 0 && p->latency <= 1e6) ||
        !(p->gbit > 0 && p->gbit <= 1e6))
        return say_usage("--network %s: expected microseconds and Gbit/s, such as 2,100, or "
                         "loopback, 1g, 10g, 100g",
                         text);
    return 0;
}

static gnd_vertex_order order_of(const char *name)
{
    return strcmp(name, "metis") == 0         ? GND_ORDER_METIS
           : strcmp(name, "communities") == 0 ? GND_ORDER_COMMUNITIES
                                              : GND_ORDER_RANDOM;
}

const char *size_text(char buf[32], int64_t bytes)
{
    const double mb = (double)bytes / (1 << 20);

    if (mb >= 1000)
        snprintf(buf, 32, "%.1f GB", mb / 1024);
    else
        snprintf(buf, 32, "%.0f MB", mb);
    return buf;
}

/* 0.35 s, 12 s or 4.2 h. Returns buf. */
static const char *time_text(char buf[32], double seconds)
{
    if (seconds >= 3600)
        snprintf(buf, 32, "%.3g h", seconds / 3600);
    else if (seconds >= 100)
        snprintf(buf, 32, "%.0f s", seconds);
    else
        snprintf(buf, 32, "%.2g s", seconds);
    return buf;
}

static void print_text(const cli_args *a, const gnd_cluster_plan *p, const gnd_cluster_cost *e)
{
    char t[6][32];

    printf("graph      %s vertices, %s edges, %s features, %s classes\n",
           count_text(t[0], p->n_node), count_text(t[1], p->n_edge), count_text(t[2], p->n_feat),
           count_text(t[3], p->n_class));
    printf("processes  %s with %d thread%s each, network %g us and %g Gbit/s for each\n",
           count_text(t[0], p->processes), p->threads, p->threads == 1 ? "" : "s", p->latency,
           p->gbit);
    printf("copies     %.3g per vertex%s%s\n", e->copies, a->copies > 0 ? "" : ", order ",
           a->copies > 0 ? "" : a->order);
    printf("memory     about %s per process with method %s, %s for process 0\n",
           size_text(t[0], (int64_t)e->bytes), a->method, size_text(t[1], (int64_t)e->bytes_first));
    printf("time       about %s: load %s, compute %s, copies %s, sums %s, write %s\n",
           time_text(t[0], e->seconds), time_text(t[1], e->load_seconds),
           time_text(t[2], e->compute_seconds), time_text(t[3], e->copy_seconds),
           time_text(t[4], e->sum_seconds), time_text(t[5], e->write_seconds));
    printf("source     the model of docs/scale.md; nothing was measured\n");
}

static void print_json(const cli_args *a, const gnd_cluster_plan *p, const gnd_cluster_cost *e)
{
    json_t *o = json_object();

    js_set(o, "method", js_text(a->method));
    js_set(o, "n_node", js_count(p->n_node));
    js_set(o, "n_edge", js_count(p->n_edge));
    js_set(o, "n_feat", js_count(p->n_feat));
    js_set(o, "n_class", js_count(p->n_class));
    js_set(o, "ranks", js_count(p->processes));
    js_set(o, "threads", js_count(p->threads));
    js_set(o, "latency_us", js_real(p->latency));
    js_set(o, "gbit", js_real(p->gbit));
    js_set(o, "copies_per_vertex", js_real(e->copies));
    js_set(o, "bytes_per_process", js_count((int64_t)e->bytes));
    js_set(o, "bytes_of_process_0", js_count((int64_t)e->bytes_first));
    js_set(o, "seconds", js_real(e->seconds));
    js_set(o, "load_seconds", js_real(e->load_seconds));
    js_set(o, "compute_seconds", js_real(e->compute_seconds));
    js_set(o, "copy_seconds", js_real(e->copy_seconds));
    js_set(o, "sum_seconds", js_real(e->sum_seconds));
    js_set(o, "write_seconds", js_real(e->write_seconds));
    js_set(o, "limit", js_text(e->limit));
    js_print(stdout, o);
}

/* The fewest processes, doubling, whose memory fits; 0: not up to a million. */
static int32_t ranks_that_fit(const gnd_cluster_plan *given, const gnd_config *c, int64_t limit)
{
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_cluster_plan p = *given;

    p.copies = 0;
    for (p.processes = 1; p.processes <= 1 << 20; p.processes *= 2)
        if (gnd_cluster_estimate(&e, &p, c, NULL) == GND_OK && e.bytes_first <= (double)limit)
            return p.processes;
    return 0;
}

int estimate_cluster(const cli_args *a, const graph_sizes *s, const gnd_config *c, int64_t limit)
{
    gnd_cluster_plan p = {.size = sizeof p,
                          .n_node = s->n_node,
                          .n_edge = s->n_edge,
                          .n_feat = s->n_feat,
                          .n_feat_entry = s->n_feat_entry,
                          .n_class = s->n_class,
                          .processes = (int32_t)a->ranks,
                          .threads = a->threads > 0 ? (int32_t)a->threads : 1,
                          .order = order_of(a->order),
                          .copies = a->copies};
    gnd_cluster_cost e = {.size = sizeof e};
    gnd_error err = {0};
    char need[32], have[32];
    int32_t enough;
    int rc = network_get(&p, a->network);

    if (rc)
        return rc;
    if (gnd_cluster_estimate(&e, &p, c, &err))
        return say_failed("%s", err.msg);
    if (a->json)
        print_json(a, &p, &e);
    else
        print_text(a, &p, &e);
    if (e.limit[0])
        return say_failed("%s", e.limit);
    if (limit == 0 || e.bytes_first <= (double)limit)
        return 0;
    enough = ranks_that_fit(&p, c, limit);
    size_text(need, (int64_t)e.bytes_first);
    size_text(have, limit);
    return enough > 0 ? say_failed("process 0 takes about %s, more than %s; --ranks %d fits", need,
                                   have, enough)
                      : say_failed("process 0 takes about %s, more than %s, whatever the number of "
                                   "processes",
                                   need, have);
}
