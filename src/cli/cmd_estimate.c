/* SPDX-License-Identifier: MIT
 * cmd_estimate.c - `gnd estimate`: memory and time of a training run before it is started. */
#define _DEFAULT_SOURCE
#include "common.h"

#include <string.h>
#include <unistd.h>

#include "say.h"
#include "sample_run.h"

static int run(const cli_args *given);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_TRAIN_GRAPH,
    OPT_FEATURES,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("training"),
    OPT_METHOD(GND_METHOD_TRAIN),
    OPT_PRESET,
    OPT_SET,
    OPT_PER_CLASS,
    OPT_SPLIT_SEED,
    OPT_VALIDATION,
    OPT_SPLIT,
    OPT_SEED,
    OPT_THREADS,
    {.type = OPT_TEXT,
     .name = "memory",
     .arg = "SIZE",
     .at = AT(memory),
     .help = "memory that the command may take: 512M, 20G (default: what is available now)"},
    OPT_HEADING("output"),
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_estimate = {
    .name = "estimate",
    .purpose = "estimate the memory and time of `gnd train` before it is started",
    .operands = "DATA [options]",
    .about =
        "The data are read, which takes the memory of reading only; a safetensors file takes "
        "almost none. Then the method is trained for a few epochs: on the graph itself if it "
        "has up to 250,000 edges (1,600,000 with method auto; with others, if it has more than "
        "280,000 vertices, up to 392,000 vertices and 4,000,000 edges), otherwise on generated "
        "graphs with as many edges and "
        "features per "
        "vertex, and what they take is extrapolated. The estimate of `gnd label` is that of "
        "--method auto. The exit code is 1 if the memory is not enough; the message says what "
        "would fit.",
    .examples = "  gnd estimate debian\n"
                "  gnd estimate big.safetensors --method appnp --memory 20G\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
};

/* Bytes that a process can take now; 0: not known. */
static int64_t memory_available(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    long long kb = 0, limit = 0;
    char line[256];

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lld kB", &kb) == 1)
            break;
    if (f)
        fclose(f);
    f = fopen("/sys/fs/cgroup/memory.max", "r"); /* "max" if there is no limit */
    if (f && fscanf(f, "%lld", &limit) == 1 && limit > 0 && limit / 1024 < kb)
        kb = limit / 1024;
    if (f)
        fclose(f);
    return (int64_t)kb * 1024;
}

/* 1.5 GB or 320 MB. Returns buf. */
static const char *size_text(char buf[32], int64_t bytes)
{
    const double mb = (double)bytes / (1 << 20);

    if (mb >= 1000)
        snprintf(buf, 32, "%.1f GB", mb / 1024);
    else
        snprintf(buf, 32, "%.0f MB", mb);
    return buf;
}

static int64_t largest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What would fit, for the message: --memory min, or a method that takes less. */
static void advice_get(char *buf, size_t size, const cli_args *a, const graph_sizes *s,
                       int64_t limit)
{
    static const struct {
        const char *method, *memory, *text;
    } other[] = {{NULL, "min", "gnd train --memory min"},
                 {"sgc", "min", "--method sgc with --memory min"},
                 {"ls", NULL, "--method ls"}};
    run_estimate e;
    char need[32];

    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        const char *method = other[k].method ? other[k].method : a->method;

        if (other[k].method && strcmp(method, a->method) == 0)
            continue;
        const int rc = run_measure(&e, a, s, method, other[k].memory);

        if (signals_asked())
            return;
        if (rc == 0 && largest(e.bytes, s->peak) <= limit) {
            snprintf(buf, size, "%s takes about %s", other[k].text,
                     size_text(need, largest(e.bytes, s->peak)));
            return;
        }
    }
    snprintf(buf, size, "use a machine with more memory, or a part of the graph");
}

static void print_text(const cli_args *a, const graph_sizes *s, const run_estimate *e,
                       int64_t limit)
{
    char n[32], m[32], f[32], bytes[32], other[32];

    printf("data       %s, graph %s: %s vertices, %s edges, %s features, %d classes\n",
           a->operand.v[0], a->graph, count_text(n, s->n_node), count_text(m, s->n_edge),
           count_text(f, s->n_feat), s->n_class);
    printf("memory     about %s with method %s; %s to read the data\n",
           size_text(bytes, largest(e->bytes, s->peak)), a->method, size_text(other, s->peak));
    if (limit > 0)
        printf("available  %s\n", size_text(bytes, limit));
    if (e->epochs > 0)
        printf("time       about %.3g CPU seconds for %s epochs, %s\n", e->cpu_seconds,
               count_text(n, e->epochs), a->validation ? "the most" : "all");
    else
        printf("time       about %.3g CPU seconds\n", e->cpu_seconds);
    if (e->whole)
        printf("measured   on the graph itself, for a few epochs\n");
    else
        printf("measured   on generated graphs of up to %s edges\n", count_text(n, e->n_edge));
}

static void print_json(const cli_args *a, const graph_sizes *s, const run_estimate *e,
                       int64_t limit)
{
    json_t *o = json_object();

    js_set(o, "dataset", js_text(a->operand.v[0]));
    js_set(o, "graph", js_text(a->graph));
    js_set(o, "method", js_text(a->method));
    js_set(o, "n_node", js_count(s->n_node));
    js_set(o, "n_edge", js_count(s->n_edge));
    js_set(o, "n_feat", js_count(s->n_feat));
    js_set(o, "n_class", js_count(s->n_class));
    js_set(o, "bytes", js_count(largest(e->bytes, s->peak)));
    js_set(o, "bytes_to_read", js_count(s->peak));
    js_set(o, "bytes_available", js_count(limit));
    js_set(o, "cpu_seconds", js_real(e->cpu_seconds));
    js_set(o, "epochs", js_count(e->epochs));
    js_print(stdout, o);
}

static int run(const cli_args *given)
{
    cli_args filled = *given, *a = &filled;
    int64_t limit = memory_available();
    gnd_config *c = NULL;
    run_estimate e;
    graph_sizes s;
    char need[32], have[32], advice[160];
    int rc = a->memory ? memory_get(&limit, a) : 0;

    if (!rc && a->memory && limit < 0)
        rc = say_usage("--memory %s: expected a size such as 512M or 20G", a->memory);
    if (!rc)
        rc = config_open(&c, a, a->method, a->operand.v[0], NULL);
    gnd_config_free(c);
    if (!rc)
        rc = split_check(a, &cmd_estimate);
    if (rc)
        return rc;
    train_defaults(a, &cmd_estimate);
    rc = sizes_measure(&s, a);
    if (!rc && (s.n_edge == 0 || s.n_class < 2))
        rc = say_failed("%s: expected edges, and labels of two classes or more; it has %lld and %d",
                        a->operand.v[0], (long long)s.n_edge, s.n_class);
    if (!rc)
        rc = run_measure(&e, a, &s, a->method, NULL);
    if (rc)
        return rc;
    if (a->json)
        print_json(a, &s, &e, limit);
    else
        print_text(a, &s, &e, limit);
    if (limit == 0 || largest(e.bytes, s.peak) <= limit)
        return 0;
    advice_get(advice, sizeof advice, a, &s, limit);
    if (signals_asked())
        return 128 + signals_asked();
    return say_failed("%s: method %s takes about %s, but %s are available; %s", a->operand.v[0],
                      a->method, size_text(need, largest(e.bytes, s.peak)), size_text(have, limit),
                      advice);
}
