/* SPDX-License-Identifier: MIT
 * load.c - load a graph by name or path: find its file, recognise the format, call its reader, and
 * add the user's features and labels. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/tick.h"
#include "io.h"
#include "csv_table.h"
#include "find_dataset.h"
#include "foreign.h"
#include "graph_file.h"

static const gnd_format *const format[] = {
#define X(name) &gnd_format_##name,
#include "formats.def"
#undef X
};

enum { N_FORMAT = sizeof format / sizeof format[0], HEAD = 4096 };

const char *gnd_format_name(int i)
{
    return i >= 0 && i < N_FORMAT ? format[i]->name : NULL;
}

const char *gnd_format_about(int i)
{
    return i >= 0 && i < N_FORMAT ? format[i]->about : NULL;
}

/* The name of a graph: its path without folders, extension, and the parts that Planetoid's files
 * add. */
static void base_name(char *buf, size_t size, const char *path)
{
    static const char *const planetoid[] = {".x",    ".y",    ".tx",    ".ty",
                                            ".allx", ".ally", ".graph", ".test.index"};
    size_t n = strlen(path), at;
    char *dot;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (at = n; at > 0 && path[at - 1] != '/';)
        at--;
    snprintf(buf, size, "%.*s", (int)(n - at), path + at);
    n = strlen(buf);
    if (strncmp(buf, "ind.", 4) == 0 && buf[4]) {
        for (size_t k = 0; k < sizeof planetoid / sizeof planetoid[0]; k++) {
            const size_t m = strlen(planetoid[k]);

            if (n > m + 4 && strcmp(buf + n - m, planetoid[k]) == 0) {
                buf[n - m] = '\0';
                break;
            }
        }
        memmove(buf, buf + 4, strlen(buf + 4) + 1);
        return;
    }
    if (n > 3 && strcmp(buf + n - 3, ".gz") == 0)
        buf[n - 3] = '\0';
    dot = strrchr(buf, '.');
    if (dot && dot != buf)
        *dot = '\0';
}

/* The first bytes of a file, decompressed; 0 if it is not a regular file. */
static size_t head_read(char *buf, size_t size, const char *path)
{
    struct stat sb;
    gzFile f;
    int n;

    if (stat(path, &sb) != 0 || !S_ISREG(sb.st_mode))
        return 0;
    f = gzopen(path, "rb");
    n = f ? gzread(f, buf, (unsigned)size) : 0;
    if (f)
        gzclose(f);
    return n > 0 ? (size_t)n : 0;
}

static gnd_status format_pick(const gnd_format **out, const char *path, const char *name,
                              gnd_error *err)
{
    char head[HEAD] = "", known[160] = "", foreign[160];
    size_t n_head;

    *out = NULL;
    for (int i = 0; name && i < N_FORMAT; i++) {
        const size_t n = strlen(known);

        snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", format[i]->name);
        if (strcmp(format[i]->name, name) == 0)
            *out = format[i];
    }
    if (name && !*out)
        return gnd_fail(err, GND_ERR_ARG, "'%.40s' is not a format; expected one of %s", name,
                        known);
    n_head = name ? 0 : head_read(head, sizeof head, path);
    for (int i = 0; !name && i < N_FORMAT && !*out; i++)
        if (format[i]->sniff(path, head, n_head))
            *out = format[i];
    if (!*out && gnd_foreign_name(foreign, sizeof foreign, head, n_head))
        return gnd_fail(err, GND_ERR_FORMAT, "%s: %s", path, foreign);
    if (!*out)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: its format is not known", path);
    return GND_OK;
}

static bool is_stdin(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static bool exists(const char *folder, const char *file, char *buf, size_t size)
{
    const int n = snprintf(buf, size, "%s/%s", folder, file);

    return n > 0 && (size_t)n < size && access(buf, F_OK) == 0;
}

/* The list of edges in a folder: edges.csv, or relationships.csv as Neo4j calls it. */
static bool folder_edges(const char *folder, char *buf, size_t size)
{
    return exists(folder, "edges.csv", buf, size) || exists(folder, "relationships.csv", buf, size);
}

/* File names of features that a folder may have, in order of preference. */
static const char *const feature_file[] = {"features.csv", "features.mtx", "features.npz"};
enum { N_FEATURE_FILE = sizeof feature_file / sizeof feature_file[0] };

/* A table of vertices, as Gephi and Neo4j write it, may have names, labels and features in any
 * column: the user says what it is used for. */
static gnd_status note_nodes(gnd_graph *g, const char *folder, const gnd_load_opts *o,
                             gnd_error *err)
{
    char file[GND_PATH_SIZE];

    if (o->features || o->labels || o->train_labels || g->n_feat > 0 || g->n_class > 0 ||
        !exists(folder, "nodes.csv", file, sizeof file))
        return GND_OK;
    return gnd_notes_add(&g->notes, GND_NOTE, "nodes_not_read", err,
                         "%s: is not read; --features and --labels name it as a file of features "
                         "or labels",
                         file);
}

/* A folder with edges.csv and, if present, features and labels, as gnd_graph_save writes it. */
static gnd_status folder_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                              gnd_error *err)
{
    char file[GND_PATH_SIZE];
    gnd_graph *g = NULL;
    gnd_status st = GND_OK;

    *out = NULL;
    if (!folder_edges(path, file, sizeof file))
        return gnd_fail(err, GND_ERR_IO, "%s: the folder has no edges.csv", path);
    GND_TRY(gnd_format_edgelist.read(&g, file, o, err));
    for (int k = 0; !o->features && k < N_FEATURE_FILE; k++)
        if (exists(path, feature_file[k], file, sizeof file)) {
            GND_TRY(gnd_features_load(g, file, o, err));
            break;
        }
    if (!o->labels && exists(path, "labels.csv", file, sizeof file))
        GND_TRY(gnd_labels_load(g, file, o, err));
    GND_TRY(note_nodes(g, path, o, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    return st;
}

/* Options for attributes of vertices are for formats that have them. */
static gnd_status attributes_check(const char *path, const gnd_format *f, const gnd_load_opts *o,
                                   gnd_error *err)
{
    const char *given = o->label_attribute      ? "--label-attribute"
                        : o->id_attribute       ? "--id-attribute"
                        : o->feature_attributes ? "--feature-attributes"
                                                : NULL;

    if (!given || f->has_attributes)
        return GND_OK;
    return gnd_fail(err, GND_ERR_ARG,
                    "%s: format %s has no attributes of vertices; %s is for graphml, gexf and json",
                    path, f->name, given);
}

static gnd_status verify_check(const char *path, const gnd_format *f, const gnd_load_opts *o,
                               gnd_error *err)
{
    if (!o->verify || f == &gnd_format_safetensors)
        return GND_OK;
    return gnd_fail(err, GND_ERR_ARG,
                    "%s: format %s has no checksum to verify; gnd data convert --to safetensors "
                    "writes one",
                    path, f->name);
}

static gnd_status path_read(gnd_graph **out, const char *path, const gnd_load_opts *o,
                            gnd_error *err)
{
    const gnd_format *f;
    char edges[GND_PATH_SIZE];
    gnd_status st;

    if (!o->format && is_stdin(path)) { /* it cannot be read twice: its format is not inspected */
        GND_TRY(attributes_check(path, &gnd_format_edgelist, o, err));
        GND_TRY(verify_check(path, &gnd_format_edgelist, o, err));
        return gnd_format_edgelist.read(out, path, o, err);
    }
    if (!o->format && folder_edges(path, edges, sizeof edges)) {
        GND_TRY(attributes_check(path, &gnd_format_edgelist, o, err));
        GND_TRY(verify_check(path, &gnd_format_edgelist, o, err));
        return folder_read(out, path, o, err);
    }
    GND_TRY(format_pick(&f, path, o->format, err));
    GND_TRY(attributes_check(path, f, o, err));
    GND_TRY(verify_check(path, f, o, err));
    GND_TRY(f->read(out, path, o, err));
out:
    return st;
}

/* The common part of several files' names: dir/ind.cora, or dir/cora of dir/cora.content. */
static bool is_prefix(const char *path)
{
    return gnd_format_planetoid.sniff(path, "", 0) || gnd_format_linqs.sniff(path, "", 0);
}

/* Find the path and the graph's name for a name or path given by the user. */
static gnd_status locate(char path[GND_PATH_SIZE], char name[256], const char *given,
                         const gnd_load_opts *o, gnd_error *err)
{
    const size_t n = strlen(given);
    const bool is_path = strchr(given, '/') || (!gnd_dataset_known(given) &&
                                                (access(given, F_OK) == 0 || is_prefix(given)));

    if (is_stdin(given)) {
        memcpy(path, given, n + 1);
        snprintf(name, 256, "stdin");
        return GND_OK;
    }
    if (n == 0 || n >= GND_PATH_SIZE)
        return gnd_fail(err, GND_ERR_ARG, "the name of a graph has %zu bytes; expected 1 to %d", n,
                        GND_PATH_SIZE - 1);
    if (!is_path && gnd_dataset_seek(path, GND_PATH_SIZE, given, o->data_dir)) {
        snprintf(name, 256, "%s", given);
        return GND_OK;
    }
    if (!is_path && access(given, F_OK) != 0)
        return gnd_dataset_missing(given, o->data_dir, err);
    memcpy(path, given, n + 1);
    base_name(name, 256, given);
    if (access(path, F_OK) != 0 && !is_prefix(path))
        return gnd_fail(err, GND_ERR_IO, "%s: no such file or folder", path);
    return GND_OK;
}

static gnd_status opts_get(gnd_load_opts *out, const gnd_load_opts *o, gnd_error *err)
{
    const gnd_status st = gnd_opts_get(out, sizeof *out, o, "gnd_load_opts", err);

    if (st == GND_OK && gnd_csv_options_check(out, err) != GND_OK)
        return GND_ERR_ARG;
    if (st == GND_OK && out->max_input < 0)
        return gnd_fail(err, GND_ERR_ARG, "gnd_load_opts: max_input is %lld; expected 0 or more",
                        (long long)out->max_input);
    return st;
}

/* The options for the files of a data set that was found by name. How they are written is known;
 * the options are about the user's own files. */
static gnd_load_opts without_table_opts(gnd_load_opts o)
{
    o.header = o.header_edges = o.header_labels = o.header_features = GND_HEADER_AUTO;
    o.columns = NULL;
    o.separator = o.decimal = '\0';
    return o;
}

/* Standard input can be read only once. */
static gnd_status stdin_check(const char *name, const gnd_load_opts *o, gnd_error *err)
{
    const int n =
        is_stdin(name) + is_stdin(o->features) + is_stdin(o->labels) + is_stdin(o->train_labels);

    return n < 2 ? GND_OK
                 : gnd_fail(err, GND_ERR_ARG,
                            "- (standard input) is given for %d files; it can be "
                            "read once",
                            n);
}

/* Of the time of a text file, the part in which its lines are read; then they are sorted. */
static const double LINES_SHARE = 0.6;

/* What readers call in place of the caller's callback: at intervals, and with its share. */
static int on_tick(const char *stage, double share, void *user)
{
    (void)stage;
    if (!isnan(share))
        gnd_tick_done(user, share);
    return gnd_tick_call(user);
}

gnd_status gnd_load_check_at(const gnd_load_opts *o, double part, gnd_error *err)
{
    if (!o || !o->on_tick || o->on_tick("reading", LINES_SHARE * part, o->tick_user) == 0)
        return GND_OK;
    return gnd_fail(err, GND_ERR_STOPPED, "stopped while reading");
}

gnd_status gnd_load_check(const gnd_load_opts *o, gnd_error *err)
{
    return gnd_load_check_at(o, NAN, err);
}

/* Bytes of a file; 0: not known. */
static double size_of(const char *path)
{
    struct stat sb;

    return path && stat(path, &sb) == 0 && S_ISREG(sb.st_mode) ? (double)sb.st_size : 0;
}

/* What follows is one of the files of a graph: its share of the call is that of its bytes. */
static void file_next(gnd_ticker *t, const char *path, double all)
{
    const double begin = t->span.end;

    t->span = (gnd_span){begin, fmin(1, begin + size_of(path) / fmax(1, all))};
}

gnd_status gnd_load_find(char path[GND_PATH_SIZE], char name[256], gnd_load_opts *opts,
                         bool *is_edges, const char *name_or_path, const gnd_load_opts *o,
                         gnd_error *err)
{
    const gnd_format *f = &gnd_format_edgelist;
    char edges[GND_PATH_SIZE];
    gnd_status st;

    GND_TRY(opts_get(opts, o, err));
    GND_TRY(stdin_check(name_or_path, opts, err));
    GND_TRY(locate(path, name, name_or_path, opts, err));
    *is_edges = false;
    if (!opts->format && !is_stdin(path) && folder_edges(path, edges, sizeof edges))
        return GND_OK;
    if (opts->format || !is_stdin(path))
        GND_TRY(format_pick(&f, path, opts->format, err));
    *is_edges = f == &gnd_format_edgelist;
    if (*is_edges) {
        GND_TRY(attributes_check(path, f, opts, err));
        GND_TRY(verify_check(path, f, opts, err));
    }
    gnd_text_mask(name);
out:
    return st;
}

gnd_status gnd_load(gnd_graph **out, const char *name_or_path, const gnd_load_opts *o,
                    gnd_error *err)
{
    char path[GND_PATH_SIZE], name[256], *copy;
    gnd_load_opts opts, own;
    gnd_graph *g = NULL;
    gnd_ticker tick = {0};
    double all;
    gnd_status st;

    gnd_error_clear(err);
    if (gnd_require(name_or_path, "the name of the data set", err) != GND_OK)
        return GND_ERR_ARG;
    if (!out || !name_or_path)
        return gnd_fail(err, GND_ERR_ARG, "gnd_load: out and a name are needed");
    *out = NULL;
    GND_TRY(opts_get(&opts, o, err));
    gnd_tick_init(&tick, opts.on_tick, opts.tick_user, "reading");
    tick.share = NAN; /* until a reader of text knows */
    if (opts.on_tick) {
        opts.on_tick = on_tick;
        opts.tick_user = &tick;
        GND_TRY(gnd_load_check(&opts, err));
    }
    GND_TRY(stdin_check(name_or_path, &opts, err));
    GND_TRY(locate(path, name, name_or_path, &opts, err));
    own = strcmp(path, name_or_path) == 0 ? opts : without_table_opts(opts);
    all =
        size_of(path) + size_of(opts.features) + size_of(opts.labels) + size_of(opts.train_labels);
    tick.span = (gnd_span){0, 0};
    file_next(&tick, path, all);
    GND_TRY(path_read(&g, path, &own, err));
    GND_TRY(gnd_load_check(&opts, err));
    file_next(&tick, opts.features, all);
    if (opts.features)
        GND_TRY(gnd_features_load(g, opts.features, &opts, err));
    file_next(&tick, opts.labels, all);
    if (opts.labels)
        GND_TRY(gnd_labels_load(g, opts.labels, &opts, err));
    file_next(&tick, opts.train_labels, all);
    if (opts.train_labels)
        GND_TRY(gnd_train_labels_load(g, opts.train_labels, &opts, err));
    if (opts.features || opts.labels || opts.train_labels) /* the reader has checked the rest */
        GND_TRY(gnd_graph_check(g, path, err));
    copy = gnd_strdup(gnd_text_mask(name)); /* the name may come from a file, and it is printed */
    if (!copy)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path));
    gnd_free(g->name);
    g->name = copy;
    GND_TRY(gnd_load_check(&opts, err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    if (gnd_tick_stopped(&tick)) { /* a reader that stops early may miss something, and say so */
        gnd_error_clear(err);
        st = gnd_load_check(&opts, err);
    }
    return st;
}

/* ---- files of a graph ---- */

/* The caller's function, called for each file. */
typedef struct {
    void (*on_file)(const char *path, void *user);
    void *user;
} listener;

static void folder_files(const char *path, const listener *to)
{
    char file[GND_PATH_SIZE];

    if (folder_edges(path, file, sizeof file))
        to->on_file(file, to->user);
    for (int k = -1; k < N_FEATURE_FILE; k++)
        if (exists(path, k == -1 ? "labels.csv" : feature_file[k], file, sizeof file))
            to->on_file(file, to->user);
}

static gnd_status path_files(const char *path, const gnd_load_opts *o, const listener *to,
                             gnd_error *err)
{
    const gnd_format *f;
    char file[GND_PATH_SIZE];
    gnd_status st;

    if (is_stdin(path))
        return GND_OK;
    if (!o->format && folder_edges(path, file, sizeof file)) {
        folder_files(path, to);
        return GND_OK;
    }
    GND_TRY(format_pick(&f, path, o->format, err));
    if (!f->part)
        to->on_file(path, to->user);
    for (int i = 0; f->part && f->part(file, sizeof file, path, i); i++)
        to->on_file(file, to->user);
out:
    return st;
}

gnd_status gnd_dataset_files(const char *name_or_path, const gnd_load_opts *o,
                             void (*on_file)(const char *path, void *user), void *user,
                             gnd_error *err)
{
    const listener to = {on_file, user};
    char path[GND_PATH_SIZE], name[256];
    gnd_load_opts opts;
    gnd_status st;

    gnd_error_clear(err);
    if (gnd_require(name_or_path, "the name of the data set", err) != GND_OK)
        return GND_ERR_ARG;
    if (!name_or_path || !on_file)
        return gnd_fail(err, GND_ERR_ARG, "gnd_dataset_files: a name and on_file are needed");
    GND_TRY(opts_get(&opts, o, err));
    GND_TRY(locate(path, name, name_or_path, &opts, err));
    GND_TRY(path_files(path, &opts, &to, err));
    for (int k = 0; k < 3; k++) {
        const char *more = k == 0 ? opts.features : k == 1 ? opts.labels : opts.train_labels;

        if (more && !is_stdin(more))
            on_file(more, user);
    }
out:
    return st;
}
