/* SPDX-License-Identifier: MIT
 * cmd_estimate.c - `gnd estimate`: memory and time of a training run before it is started; in one
 * process by measuring (sample_run.h), in several by a model (estimate_cluster.h). */
#define _DEFAULT_SOURCE
#include "common.h"

#include <string.h>
#include <unistd.h>

#include "estimate_cluster.h"
#include "sample_run.h"
#include "say.h"

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
     .help = "memory that the command may take, with --ranks each process: 512M, 20G (default: "
             "what is available now; with --ranks no limit)"},
    OPT_HEADING("several processes"),
    {.type = OPT_INT,
     .name = "ranks",
     .arg = "N",
     .min = 1,
     .max = 1 << 20,
     .at = AT(ranks),
     .help = "estimate a labelling by N processes that mpirun starts, by the model of "
             "docs/scale.md: nothing is trained"},
    {.type = OPT_TEXT,
     .name = "network",
     .arg = "US,GBIT",
     .fallback = "10g",
     .at = AT(network),
     .help = "latency of a message in microseconds and 10^9 bits per second for each process, such "
             "as 2,100; or loopback (0.5,100), 1g (30,1), 10g (10,10), 100g (2,100)"},
    {.type = OPT_CHOICE,
     .name = "order",
     .fallback = "random",
     .choices = "random|metis|communities",
     .at = AT(order),
     .help = "order of the vertices in the file, from which the number of copied vertices is "
             "estimated; metis: by `gnd data convert --parts`; communities: the same on a graph "
             "where nine of ten links are within small communities"},
    {.type = OPT_INT,
     .name = "copies",
     .arg = "N",
     .min = 1,
     .max = INT64_MAX,
     .at = AT(copies),
     .help = "vertices that processes copy, as counted by `gnd data convert --parts`, instead of "
             "--order"},
    {.type = OPT_INT,
     .name = "vertices",
     .arg = "N",
     .min = 1,
     .max = INT64_C(1) << 40,
     .at = AT(vertices),
     .help = "vertices of a graph that does not exist yet, instead of DATA"},
    {.type = OPT_INT,
     .name = "edges",
     .arg = "N",
     .min = 1,
     .max = INT64_C(1) << 48,
     .at = AT(edges),
     .help = "its edges"},
    {.type = OPT_INT,
     .name = "classes",
     .arg = "N",
     .fallback = "8",
     .min = 2,
     .max = 65536,
     .at = AT(classes),
     .help = "its classes"},
    {.type = OPT_INT,
     .name = "feature-columns",
     .arg = "N",
     .min = 0,
     .max = INT32_MAX - 1,
     .at = AT(n_features),
     .help = "its features; 0: none"},
    {.type = OPT_INT,
     .name = "words",
     .arg = "N",
     .fallback = "8",
     .min = 1,
     .max = INT32_MAX - 1,
     .at = AT(words),
     .help = "features of each vertex that are not 0"},
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
    .operands = "[DATA] [options]",
    .about =
        "The data are read, which takes the memory of reading only; a safetensors file takes "
        "almost none. Then the method is trained for a few epochs: on the graph itself if it "
        "has up to 250,000 edges (1,600,000 with method auto; with others, if it has more than "
        "280,000 vertices, up to 392,000 vertices and 4,000,000 edges), otherwise on generated "
        "graphs with as many edges and "
        "features per "
        "vertex, and what they take is extrapolated. The estimate of `gnd label` is that of "
        "--method auto. The exit code is 1 if the memory is not enough; the message says what "
        "would fit. With --ranks, memory and time of several processes come from a model, and "
        "sizes may be given instead of DATA.",
    .examples = "  gnd estimate debian\n"
                "  gnd estimate big.safetensors --method appnp --memory 20G\n"
                "  gnd estimate big.safetensors --method ls --ranks 16 --network 10g\n"
                "  gnd estimate --vertices 100000000 --edges 1000000000 --method ls --ranks 64\n",
    .opts = opts,
    .min_operand = 0,
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

/* DATA, or sizes and --ranks. */
static int operand_check(const cli_args *a)
{
    static const char *const only[] = {"network", "order",   "copies",          "vertices",
                                       "edges",   "classes", "feature-columns", "words"};

    for (size_t k = 0; k < sizeof only / sizeof *only && a->ranks == 0; k++)
        if (args_given(a, &cmd_estimate, only[k]))
            return say_usage("--%s: only with --ranks N, the number of processes", only[k]);
    for (size_t k = 3; k < sizeof only / sizeof *only && a->operand.n > 0; k++)
        if (args_given(a, &cmd_estimate, only[k]))
            return say_usage("--%s: not with DATA, whose sizes are counted", only[k]);
    if (a->operand.n == 0 && (a->vertices == 0 || a->edges == 0))
        return say_usage("expected DATA, or --ranks, --vertices and --edges");
    if (a->n_features > 0 && a->words > a->n_features)
        return say_usage("--words: %lld of %lld features", (long long)a->words,
                         (long long)a->n_features);
    if (a->vertices > INT64_MAX / (a->words > 0 ? a->words : 1))
        return say_usage("--vertices: too many");
    if (a->operand.n == 0 && a->ranks > 0 && a->copies / a->ranks > a->vertices)
        return say_usage("--copies: %lld processes copy each of %lld vertices at most once",
                         (long long)a->ranks, (long long)a->vertices);
    return 0;
}

/* By the model, for several processes. */
static int cluster_run(cli_args *a, int64_t limit)
{
    const char *name = a->operand.n > 0 ? a->operand.v[0] : NULL;
    graph_sizes s = {.n_node = a->vertices,
                     .n_edge = a->edges,
                     .n_feat = a->n_features,
                     .n_feat_entry = a->n_features > 0 ? a->vertices * a->words : 0,
                     .n_class = (int32_t)a->classes};
    gnd_config *c = NULL;
    int rc = config_open(&c, a, a->method, name, NULL);

    if (!rc && name) {
        a->graph = "raw"; /* its links are counted once in either direction */
        rc = sizes_measure(&s, a);
    }
    if (!rc && (s.n_edge == 0 || s.n_class < 2))
        rc = say_failed("%s: expected edges, and labels of two classes or more; it has %lld and %d",
                        name, (long long)s.n_edge, s.n_class);
    if (!rc)
        rc = estimate_cluster(a, &s, c, limit);
    gnd_config_free(c);
    return rc;
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
        rc = operand_check(a);
    if (!rc && a->ranks > 0)
        return cluster_run(a, a->memory ? limit : 0);
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
