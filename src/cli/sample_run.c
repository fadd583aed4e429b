/* SPDX-License-Identifier: MIT
 * sample_run.c - measure training runs on generated graphs.
 *
 * Memory and time of every method are linear in the size of a graph, if the number of edges and of
 * feature entries per vertex stays the same. So two graphs of such a shape, with few edges, are
 * generated and the method is trained on both for a few epochs, each in a process of its own, whose
 * peak the kernel reports. A straight line through the two peaks gives that of the user's graph. A
 * graph that is not larger than the generated ones is measured itself.
 *
 * Memory for an edge changes in steps, which must be the same for the generated graphs: operators
 * are copied in parts where vectors of all vertices leave the cache (RANGES_FROM in
 * src/plan/cost.h), and `auto` has fewer coordinates from LARGE_LINKS (src/label/constants.def)
 * entries on. So the generated graphs are larger if the user's graph is beyond these limits. */
#define _DEFAULT_SOURCE
#include "sample_run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "progress.h"
#include "say.h"

enum {
    EDGES = 250000, /* of the largest generated graph: a few seconds for the slowest methods */
    AUTO_SMALL = 1050000, /* the same of the smaller one and the larger one for `auto` */
    AUTO_EDGES = 1600000,
    LARGE_NODES = 280000,  /* vertices that are beyond the cache, also with 16 columns */
    LARGE_EDGES = 4000000, /* most edges of a generated graph with so many vertices */
    FEW = 2,               /* epochs of a run for its memory */
    MORE = 12,             /* epochs of a run for the time of an epoch */
    DRAWS = 5,             /* times that a graph is drawn to get its number of edges right */
    BUDGET = 24, /* default of --memory on large graphs, bytes for an entry of the adjacency
                    matrix: OPERATOR_ENTRY in src/plan/cost.h */
    MAX_WORDS = 1024,
    WAIT = 100 /* ms between two looks at signals */
};

/* Most links of a generated graph, as a share of all pairs of vertices: R-MAT draws many twice. */
static const double DENSITY = 0.1;
/* Shares of the time after the first and the second of three measurements. */
static const double FIRST_DONE = 0.15, SECOND_DONE = 0.5;

/* What a process reports. */
typedef struct {
    int rc;
    graph_sizes sizes;
    int64_t peak;
    double cpu;
    int64_t epochs;
    gnd_error err;
} outcome;

typedef struct {
    const cli_args *a;
    const char *path, *method;
    bool generated; /* path is a generated graph, smaller than the user's */
    int64_t epochs;
    progress *p; /* of all measurements; NULL: none is shown */
    double done; /* share of them that is done */
    gnd_make_opts make;
} job;

static void usage_get(outcome *o)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    o->peak = (int64_t)u.ru_maxrss * 1024;
    o->cpu = (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
             1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Bytes of the program and its libraries that are in the memory of this process: not those of a
 * mapped graph. A process made by fork does not have them in its own until it uses them, but a
 * command has. */
static int64_t program_bytes(void)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    long long kb, sum = 0;
    char own[PATH_MAX], line[PATH_MAX + 128];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    bool counts = false;

    own[n > 0 ? n : 0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        const char *path = strchr(line, '/');

        line[strcspn(line, "\n")] = '\0';
        if (strchr("0123456789abcdef", line[0])) /* the first line of a mapping */
            counts = path && (strstr(path, ".so") || (*own && strcmp(path, own) == 0));
        else if (counts && sscanf(line, "Rss: %lld kB", &kb) == 1)
            sum += kb;
    }
    if (f)
        fclose(f);
    return (int64_t)sum * 1024;
}

/* Read what the process reports, and pass a signal on to it. */
static ssize_t outcome_read(outcome *out, int fd, pid_t pid, const job *j)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    bool passed = false;
    ssize_t n;

    while (poll(&p, 1, WAIT) <= 0) {
        if (signals_asked() && !passed) {
            kill(pid, signals_asked());
            passed = true;
        }
        if (j->p)
            progress_tick("estimating", j->done, j->p);
    }
    do
        n = read(fd, out, sizeof *out);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Call fn in a new process and get what it reports. quiet: it prints nothing. */
static int process_run(outcome *out, void (*fn)(outcome *o, const job *j), const job *j, bool quiet)
{
    const int64_t program = program_bytes();
    const pid_t parent = getpid();
    int64_t more;
    int status = 0;
    outcome o = {0};
    int fd[2];
    ssize_t n;
    pid_t pid;

    *out = (outcome){0};
    fflush(NULL);
    if (pipe(fd) != 0 || (pid = fork()) < 0)
        return say_failed("cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        const int null = quiet ? open("/dev/null", O_WRONLY) : -1;

        prctl(PR_SET_PDEATHSIG, SIGKILL); /* the result would not be read */
        if (getppid() != parent)
            _exit(1);
        close(fd[0]);
        signals_ask(NULL); /* a signal ends this process, and the other one cleans up */
        signals_silent();
        if (null >= 0)
            dup2(null, STDERR_FILENO);
        if (j->generated) /* large arrays of a large graph are given back when they are freed */
            mallopt(M_MMAP_THRESHOLD, 1 << 16);
        fn(&o, j);
        more = program - program_bytes();
        o.peak += more > 0 ? more : 0;
        o.sizes.peak += more > 0 ? more : 0;
        n = write(fd[1], &o, sizeof o);
        _exit(n == (ssize_t)sizeof o ? 0 : 1);
    }
    close(fd[1]);
    n = outcome_read(out, fd[0], pid, j);
    if (j->p)
        progress_end(j->p); /* before a message */
    close(fd[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (signals_asked())
        return 128 + signals_asked();
    if (n == (ssize_t)sizeof *out)
        return out->rc;
    *out = (outcome){0};
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return say_failed("a measurement was killed, probably because memory ran out; "
                          "close other programs or use a part of the graph");
    return say_failed("a measurement ended without a result");
}

static void load_job(outcome *o, const job *j)
{
    gnd_graph_info info = {.size = sizeof info};
    gnd_graph *g = NULL;

    o->rc = graph_open(&g, j->a, j->a->operand.v[0], graph_mode(j->a), NULL);
    usage_get(o);
    if (!o->rc && gnd_graph_info_get(&info, g, &o->err))
        o->rc = say_failed("%s", o->err.msg);
    o->sizes = (graph_sizes){.n_node = info.n_node,
                             .n_edge = info.n_edge,
                             .n_feat = info.n_feat,
                             .n_feat_entry = info.n_feat_entry,
                             .n_class = (int32_t)info.n_class,
                             .peak = o->peak};
}

static void make_job(outcome *o, const job *j)
{
    gnd_graph_info info = {.size = sizeof info};
    gnd_graph *g = NULL;

    if (gnd_graph_make(&g, &j->make, &o->err) || gnd_graph_info_get(&info, g, &o->err))
        o->rc = EXIT_FAILED;
    signals_hold(j->path);
    if (!o->rc && gnd_graph_save(g, j->path, "safetensors", &o->err))
        o->rc = EXIT_FAILED;
    signals_release();
    o->sizes.n_edge = info.n_edge;
}

/* The value of a setting, 0 if the method has none. */
static int64_t setting_get(const gnd_config *c, const char *name)
{
    gnd_setting_info info = {.size = sizeof info};
    char buf[256];

    for (int i = 0; gnd_config_info(&info, c, i); i++)
        if (strcmp(info.name, name) == 0)
            return atoll(gnd_config_value(c, i, buf, sizeof buf));
    return 0;
}

static void train_job_run(outcome *o, const job *j)
{
    const char *data = j->a->operand.v[0], *setting = j->a->validation ? "epochs" : "epochs_alone";
    train_job t = {.res = {.size = sizeof t.res}};
    char epochs[32];

    snprintf(epochs, sizeof epochs, "%lld", (long long)j->epochs);
    o->rc = config_open(&t.c, j->a, j->method, data, NULL);
    if (!o->rc) {
        o->epochs = setting_get(t.c, setting);
        gnd_config_set(t.c, setting, epochs, NULL); /* methods without epochs do not have it */
        o->rc = graph_open(&t.g, j->a, j->path, graph_mode(j->a), NULL);
    }
    if (!o->rc)
        o->rc = split_open(&t.s, t.g, j->a);
    if (!o->rc)
        o->rc = train_run(&t, j->a);
    usage_get(o);
}

int sizes_measure(graph_sizes *out, const cli_args *a)
{
    const job j = {.a = a};
    outcome o;
    const int rc = process_run(&o, load_job, &j, false);

    *out = o.sizes;
    return rc;
}

/* Vertices of a graph of the shape of s with n_edge edges. If nearly all pairs of vertices would be
 * linked, there are more: such a graph takes its memory by edges, not by vertices. */
static int64_t sample_vertices(const graph_sizes *s, int64_t n_edge)
{
    const double like = ceil((double)s->n_node * (double)n_edge / (double)s->n_edge);
    const double least = ceil(sqrt(2 * (double)n_edge / DENSITY));

    return (int64_t)fmin(fmax(like, least), (double)s->n_node);
}

/* A graph of the shape of s with about n_edge edges, in the file path; *made: how many it has. */
static int graph_make(int64_t *made, const job *given, const graph_sizes *s, int64_t n_edge)
{
    const int64_t words = s->n_feat_entry / (s->n_node > 0 ? s->n_node : 1);
    job j = {.path = given->path,
             .p = given->p,
             .done = given->done,
             .make = {.size = sizeof j.make,
                      .n_node = sample_vertices(s, n_edge),
                      .n_edge = n_edge,
                      .n_feat = s->n_feat,
                      .n_class = s->n_class,
                      .n_word = (int32_t)(words < 1           ? 1
                                          : words > MAX_WORDS ? MAX_WORDS
                                                              : words),
                      .inside = 70,
                      .seed = 1}};
    outcome o;
    int rc = 0;

    if (j.make.n_feat > 0 && j.make.n_feat < s->n_class)
        j.make.n_feat = s->n_class;
    for (int k = 0; k < DRAWS && !rc; k++) { /* repeated edges are dropped: draw more */
        rc = process_run(&o, make_job, &j, true);
        if (rc)
            return signals_asked() || !o.err.msg[0]
                       ? rc
                       : say_failed("cannot generate a graph to measure: %s", o.err.msg);
        *made = o.sizes.n_edge;
        if (*made >= n_edge - n_edge / 50 || *made == 0)
            break;
        j.make.n_edge = (int64_t)((double)j.make.n_edge * (double)n_edge / (double)*made);
    }
    return 0;
}

/* The default of --memory for the user's graph, scaled to n_edge edges. Returns buf. */
static const char *memory_scaled(char buf[32], const graph_sizes *s, int64_t n_edge)
{
    const double entries = BUDGET * ((double)s->n_node + 2 * (double)s->n_edge);
    const double budget = entries > GND_MEMORY_DEFAULT ? entries : GND_MEMORY_DEFAULT;

    snprintf(buf, 32, "%.0fK", ceil(budget / 1024 * (double)n_edge / (double)s->n_edge));
    return buf;
}

/* Train on the user's graph, or on a generated one of n_edge edges. */
static int train_measure(outcome *o, int64_t *n_edge, const job *given, const graph_sizes *s)
{
    const job *j = given;
    const int64_t asked = *n_edge;
    cli_args scaled = *given->a;
    job small = *given;
    char memory[32];
    int rc = j->generated ? graph_make(n_edge, j, s, *n_edge) : 0;

    if (rc)
        return rc;
    if (j->generated) {
        const int64_t n = sample_vertices(s, asked), most = n / s->n_class / 2;

        if (!scaled.memory)
            scaled.memory = memory_scaled(memory, s, *n_edge);
        /* A small graph may have fewer vertices than the split asks for. */
        scaled.per_class = scaled.per_class < most ? scaled.per_class : most > 1 ? most : 1;
        scaled.validation = scaled.validation < n / 4 ? scaled.validation : n / 4;
        small.a = &scaled;
        j = &small;
    }
    rc = process_run(o, train_job_run, j, j->generated);
    return rc && j->generated && !signals_asked()
               ? say_failed("method %s cannot be measured on a generated graph of %lld edges with "
                            "this split; ask for fewer labels, e.g. --labels-per-class 1 "
                            "--validation 0",
                            j->method, (long long)*n_edge)
               : rc;
}

/* Edges of the two generated graphs. */
static void sample_edges(int64_t *small, int64_t *large, const graph_sizes *s, const char *method)
{
    const double per_vertex = (double)s->n_edge / (double)(s->n_node > 0 ? s->n_node : 1);
    const double beyond = LARGE_NODES * per_vertex;

    *small = EDGES / 4;
    *large = EDGES;
    if (strcmp(method, "auto") == 0) {
        *small = AUTO_SMALL;
        *large = AUTO_EDGES;
    } else if (s->n_node > LARGE_NODES && beyond > (double)*small && 1.4 * beyond < LARGE_EDGES) {
        *small = (int64_t)beyond;
        *large = (int64_t)(1.4 * beyond);
    }
}

static int measure_all(run_estimate *out, job *j, const graph_sizes *s)
{
    const double all = (double)s->n_edge;
    int64_t small, large;
    outcome first = {0}, second = {0}, longer = {0};
    double setup, epoch = 0;
    int rc = 0;

    *out = (run_estimate){.whole = !j->generated};
    sample_edges(&small, &large, s, j->method);
    if (out->whole)
        large = s->n_edge;
    if (!out->whole)
        rc = train_measure(&first, &small, j, s);
    j->done = FIRST_DONE;
    if (!rc)
        rc = train_measure(&second, &large, j, s);
    if (rc)
        return rc;
    if (!out->whole && small >= large)
        return say_failed("the graph has too many edges per vertex for generated graphs like it");
    out->n_edge = large;
    out->epochs = second.epochs;
    out->bytes = second.peak;
    if (!out->whole)
        out->bytes += (int64_t)((double)(second.peak - first.peak) * (all - (double)large) /
                                (double)(large - small));
    setup = second.cpu;
    if (out->epochs > 0) {
        j->epochs = MORE;
        j->done = SECOND_DONE;
        rc = train_measure(&longer, &large, j, s);
        if (rc)
            return rc;
        if (longer.cpu > second.cpu)
            epoch = (longer.cpu - second.cpu) / (MORE - FEW);
        setup -= FEW * epoch;
    }
    out->cpu_seconds = (setup + epoch * (double)out->epochs) * all / (double)large;
    return 0;
}

int run_measure(run_estimate *out, const cli_args *a, const graph_sizes *s, const char *method,
                const char *memory)
{
    const char *folder = getenv("TMPDIR");
    char *path = need_text("%s/gnd-XXXXXX", folder && *folder ? folder : "/tmp");
    cli_args sample = *a;
    progress p;
    job j = {.a = &sample, .path = path, .method = method, .epochs = FEW, .p = &p};
    const int fd = mkstemp(path);
    int64_t small, large;
    int rc;

    if (fd < 0) {
        rc = say_failed("%s: cannot create a temporary file: %s", path, strerror(errno));
        free(path);
        return rc;
    }
    close(fd);
    sample.memory = memory;
    sample.quiet = true;
    sample_edges(&small, &large, s, method);
    if (s->n_edge <= large) {
        j.path = a->operand.v[0];
    } else {
        j.generated = true;
        sample.features = sample.labels = sample.train_labels = sample.format = NULL;
        if (a->split && strcmp(a->split, "planetoid") == 0)
            sample.split = "paper"; /* a generated graph has no fixed split */
    }
    signals_remove(path);
    signals_ask("note: stopping\n"); /* the generated graph is removed first */
    progress_start(&p, "", "about", progress_off(a));
    rc = measure_all(out, &j, s);
    progress_end(&p);
    signals_ask(NULL);
    unlink(path);
    signals_remove(NULL);
    free(path);
    return rc;
}
