/* SPDX-License-Identifier: MIT
 *
 * gnd.h - label a whole graph from a handful of labels.
 *
 * The only public header. Every call that can fail returns a gnd_status and, if err is not NULL,
 * fills it with one sentence that names the file and the place. An index out of range, or a name,
 * path or other text that is NULL where one is required, gives GND_ERR_ARG, NULL, -1 or NAN, never
 * a crash. Objects and places for results must not be NULL unless a comment allows it.
 *
 * Structs grow at their end from version to version; how is one rule for all of them:
 *   - A struct that the caller allocates (options, and results that a call fills) starts with
 *     `uint32_t size`. Set it to sizeof; the library reads and writes no more than that.
 *   - A struct that the library owns is handed out by const pointer only. Do not copy it by sizeof.
 *   - gnd_error, gnd_sweep_setting and gnd_point_rows never change. Everything else is opaque.
 *
 * Ownership: a `**out` parameter gives the object to the caller, who frees it; a returned pointer
 * is borrowed from the object it was asked of. On failure outputs are NULL and inputs are as they
 * were. Threads: distinct objects may be used from distinct threads; a const object may be shared.
 * The library never prints, exits, or keeps mutable globals.
 *
 * A whole program, examples/label.c:
 *
 *     #include <gnd.h>
 *
 *     int main(int argc, char **argv)
 *     {
 *         const gnd_split_opts opts = {.size = sizeof opts, .per_class = 2, .seed = 1};
 *         gnd_graph *graph = NULL;
 *         gnd_split *split = NULL;
 *         gnd_config *config = NULL;
 *         gnd_model *model = NULL;
 *         gnd_prediction *p = NULL;
 *         gnd_error err = {0};
 *         char id[32];
 *
 *         const bool ok = gnd_load(&graph, argc > 1 ? argv[1] : "karate", NULL, &err) == GND_OK &&
 *                         gnd_split_new(&split, graph, &opts, &err) == GND_OK &&
 *                         gnd_config_new(&config, "auto", &err) == GND_OK &&
 *                         gnd_label(&p, &model, NULL, graph, split, config, NULL, &err) == GND_OK;
 *         if (!ok)
 *             fprintf(stderr, "%s\n", err.msg);
 *         for (int64_t i = 0; ok && i < gnd_prediction_n(p); i++) {
 *             const int32_t cls = gnd_prediction_label(p, i);
 *             const char *name = cls < 0 ? "" : gnd_model_class_name(model, cls);
 *
 *             printf("%s,%s\n", gnd_graph_id(graph, i, id), name);
 *         }
 *         gnd_prediction_free(p);
 *         gnd_model_free(model);
 *         gnd_config_free(config);
 *         gnd_split_free(split);
 *         gnd_graph_free(graph);
 *         return ok ? 0 : 1;
 *     }
 */
#ifndef GND_H
#define GND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GND_VERSION       "0.2.0"
#define GND_VERSION_MAJOR 0
#define GND_VERSION_MINOR 2
#define GND_VERSION_PATCH 0

#if defined(__GNUC__)
#define GND_API __attribute__((visibility("default")))
#else
#define GND_API
#endif

/* ---- status -------------------------------------------------------------------------------- */

typedef enum {
    GND_OK = 0,
    GND_ERR_NOMEM = -1,    /* an allocation failed */
    GND_ERR_IO = -2,       /* a file could not be opened, read or written */
    GND_ERR_FORMAT = -3,   /* the content of a file or an array is not valid */
    GND_ERR_SHAPE = -4,    /* sizes that must be equal are not */
    GND_ERR_ARG = -5,      /* an argument is out of range or unknown */
    GND_ERR_DIVERGED = -6, /* a training run gave values that are not finite */
    GND_ERR_STOPPED = -7   /* a callback stopped the call before there was a result */
} gnd_status;

typedef struct {
    gnd_status code;
    char msg[512]; /* one sentence, no newline; empty after success */
} gnd_error;

typedef enum {
    GND_NOTE,   /* a fact the user may want to know */
    GND_WARNING /* something that may make the result wrong */
} gnd_severity;

/* A note or warning about a graph or a result. Programs decide by code and severity; text is one
 * sentence for people and may change. A note belongs to the object that returned it. */
typedef struct {
    const char *code; /* "self_loops_dropped"; docs/notes.md lists all */
    gnd_severity severity;
    const char *text;
} gnd_note;

/* Version of the library that is linked: "0.2.0". */
GND_API const char *gnd_version(void);
/* The same as a number: major * 10000 + minor * 100 + patch. */
GND_API int32_t gnd_version_number(void);
/* The kernel table in use ("avx2", "ref"), chosen once from the CPU; GND_KERN=ref overrides. */
GND_API const char *gnd_kernel_name(void);

/* One progress-and-cancel callback for all long calls: the field on_tick of their options, which
 * may be NULL. It is called at least five times a second, always from the thread that made the
 * call. stage: what is being done: "reading", "training", "labelling: coordinates", ...; it is
 * valid during the call of the callback. share: of the call that is done, 0..1, an estimate that
 * never falls; NAN if it is not known. Non-zero stops the call with GND_ERR_STOPPED; outputs are
 * NULL, and nothing that was finished and stored is lost. The callback must not use the objects of
 * the call, but may use others. */
typedef int gnd_on_progress(const char *stage, double share, void *user);

/* ---- files --------------------------------------------------------------------------------- */

/* A file that appears whole or not at all. What is written goes to a temporary file beside the
 * target, which replaces the target when all of it has reached the disk. An existing target keeps
 * its mode, a symbolic link is followed, a pipe or device is written directly, and so is what an
 * open descriptor of the process refers to (gnd_path_descriptor): where it stands, also a file. */
typedef struct gnd_writer gnd_writer;

GND_API gnd_status gnd_writer_open(gnd_writer **out, const char *path, gnd_error *err);
/* The stream to write to, which belongs to w. gnd_writer_close finds writes that failed. */
GND_API FILE *gnd_writer_stream(gnd_writer *w);
/* Check all writes, put the file into its place, and free w. On failure the target is as it was. */
GND_API gnd_status gnd_writer_close(gnd_writer *w, gnd_error *err);
/* Give up: the target is as it was. w is freed; NULL is fine. */
GND_API void gnd_writer_discard(gnd_writer *w);
/* The open descriptor of this process that path names, also by symbolic links: 1 for /dev/stdout,
 * 3 for /dev/fd/3 or /proc/self/fd/3. -1: none, or path is NULL. It need not be open. */
GND_API int gnd_path_descriptor(const char *path);
/* Write text as one field of a CSV line, in quotes where the readers of gnd need them. The caller
 * writes the commas and line ends. */
GND_API void gnd_csv_write(FILE *f, const char *text);
/* Is the text UTF-8, without surrogates and overlong forms? */
GND_API bool gnd_is_utf8(const char *text);
/* Replace by '?', in place, what a terminal would obey instead of showing it: control characters
 * (also U+0080 to U+009F), characters that change the direction of text, bytes that are no UTF-8.
 * Ids, class names and messages may contain them, since files do. Returns text. */
GND_API char *gnd_text_mask(char *text);

/* ---- graphs -------------------------------------------------------------------------------- */

typedef struct gnd_graph gnd_graph;

typedef enum {
    GND_GRAPH_RAW, /* as stored: arcs, loops and weights as the file has them */
    GND_GRAPH_UND, /* symmetrised, loops dropped, weights kept, every vertex kept */
    GND_GRAPH_STD  /* und with weights 1, largest component (Planetoid sets: every vertex) */
} gnd_graph_mode;

typedef enum { GND_HEADER_AUTO, GND_HEADER_YES, GND_HEADER_NO } gnd_header;

/* What to do with a missing value in a text file of features: an empty field, NA, NaN, null, ... */
typedef enum {
    GND_MISSING_ERROR, /* refuse the file */
    GND_MISSING_ZERO,  /* 0; no category in a column of text */
    GND_MISSING_MEAN   /* the mean of the column; no category in a column of text */
} gnd_missing;

typedef struct {
    uint32_t size;        /* sizeof(gnd_load_opts) */
    const char *data_dir; /* searched first for names; NULL: none */
    const char *format;   /* a name from gnd_format_name(); NULL: recognised by name and content */
    const char *features; /* file of vertex features; NULL: those of the data set, if any */
    const char *labels;   /* file of labels `id,label`; replaces the data set's own labels */
    const char *train_labels; /* file of labels `id,label` that train (GND_SPLIT_TRAIN_LABELS);
                                 the data set's own labels stay */
    gnd_header header;        /* is the first line of the text files a header? */
    /* Bytes that an input file may have, or a compressed file or an archive's member unpack to; 0:
     * half of the physical memory. What exceeds it is refused before it takes that memory. */
    int64_t max_input;
    /* How text files of edges, labels and features are written; docs/formats.md has the rules. */
    gnd_header header_edges, header_labels, header_features; /* AUTO: as `header` says */
    /* The columns to use, "source=from,target=to,weight=": a name of the header, a number from 1,
     * or nothing for no column. Roles: source, target, weight and type of edges, id and label of
     * labels and features; "labels.id=who" is for one kind of file. NULL: by known names. */
    const char *columns;
    char separator;      /* ',', ';', '|', '\t', or ' ' for runs of blanks; 0: found by content */
    char decimal;        /* '.' or ',' in numbers; 0: found by content */
    gnd_missing missing; /* values that a file of features lacks */
    /* Attributes of vertices in GraphML, GEXF and JSON files (docs/formats.md): */
    const char *label_attribute;    /* the labels; NULL: one whose name and values leave no doubt;
                                       "none": none */
    const char *id_attribute;       /* the ids, instead of those of the file; NULL: those */
    const char *feature_attributes; /* the features, "age,height"; NULL: all numbers and
                                       categories; "none": none */
    gnd_on_progress *on_tick;
    void *tick_user;
    bool verify; /* compare the checksum of a safetensors file; the other formats have none, and
                    it is an error */
} gnd_load_opts;

/* Load a bundled or downloaded data set by name, or a graph by path. "-" is standard input, for the
 * graph or for one of the files in o. The graph is raw. o may be NULL. */
GND_API gnd_status gnd_load(gnd_graph **out, const char *name_or_path, const gnd_load_opts *o,
                            gnd_error *err);
/* Call on_file for each file that gnd_load reads with the same arguments: also the members of a
 * folder and the files that belong together (ind.cora.x, ind.cora.y, ...). They need not all
 * exist. */
GND_API gnd_status gnd_dataset_files(const char *name_or_path, const gnd_load_opts *o,
                                     void (*on_file)(const char *path, void *user), void *user,
                                     gnd_error *err);
/* The graph of a mode. The result is new also for GND_GRAPH_RAW. It shares features, and what else
 * is the same, with g; either may be freed first. */
GND_API gnd_status gnd_graph_convert(gnd_graph **out, const gnd_graph *g, gnd_graph_mode mode,
                                     gnd_error *err);
typedef struct {
    uint32_t size; /* sizeof(gnd_convert_opts) */
    gnd_graph_mode mode;
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_convert_opts;

/* The same with a callback. */
GND_API gnd_status gnd_graph_convert_with(gnd_graph **out, const gnd_graph *g,
                                          const gnd_convert_opts *o, gnd_error *err);
/* Write edges.csv, labels.csv and features.csv (features.mtx if sparse) into folder `path`
 * (format "csv"), or one file (format "npz" or "safetensors"). Atomic file by file. */
GND_API gnd_status gnd_graph_save(const gnd_graph *g, const char *path, const char *format,
                                  gnd_error *err);
typedef struct {
    uint32_t size; /* sizeof(gnd_save_opts) */
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_save_opts;

/* The same with a callback. o may be NULL. */
GND_API gnd_status gnd_graph_save_with(const gnd_graph *g, const char *path, const char *format,
                                       const gnd_save_opts *o, gnd_error *err);
typedef struct {
    uint32_t size;         /* sizeof(gnd_partition_info) */
    int32_t parts;         /* as asked for */
    int64_t copies;        /* vertices that parts copy from others, summed over the parts */
    int64_t copies_before; /* the same for parts of consecutive vertices in the order of g */
} gnd_partition_info;

/* The graph with its vertices in an order in which those that are linked are close: by the parts,
 * one for each process, into which METIS cuts it. Saved as safetensors it keeps the original order,
 * in which splits are drawn and results are written. info may be NULL. GND_ERR_ARG if the library
 * was built without METIS. */
GND_API gnd_status gnd_graph_partition(gnd_graph **out, gnd_partition_info *info,
                                       const gnd_graph *g, int32_t parts, gnd_error *err);
typedef struct {
    uint32_t size;             /* sizeof(gnd_dataset_convert_opts) */
    int32_t threads;           /* 0: one per CPU */
    const gnd_load_opts *load; /* may be NULL; its on_tick is not used for edge lists */
    int64_t memory;            /* bytes for the conversion of an edge list, 32 MB or more; 0: a
                                  quarter of the physical memory */
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_dataset_convert_opts;

/* Write a data set, raw, as a safetensors file. An edge list may be larger than memory: it is
 * sorted in parts, which are kept in temporary files in $TMPDIR or, if it is not set, beside path,
 * and o->memory bounds what is used. A quarter of it must be enough for the ids, or, if they are
 * numbers, for a bit for each number up to the largest. Everything else, also features and labels,
 * is loaded. The graph uses the new file, and has notes as from gnd_load. o may be NULL. */
GND_API gnd_status gnd_dataset_convert(gnd_graph **out, const char *name_or_path, const char *path,
                                       const gnd_dataset_convert_opts *o, gnd_error *err);
typedef struct {
    uint32_t size;   /* sizeof(gnd_make_opts) */
    int64_t n_node;  /* vertices */
    int64_t n_edge;  /* edges drawn; self-loops and repeated edges are dropped */
    int64_t n_feat;  /* binary features; 0: the graph has no features */
    int32_t n_class; /* classes; every vertex has a label */
    int32_t n_word;  /* features drawn per vertex */
    int32_t inside;  /* percent of the edges that are moved inside a class or community */
    uint64_t seed;
    int32_t n_community; /* communities, each a part of a class; 0: one per class */
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_make_opts;

/* Make an undirected R-MAT graph with planted classes and binary features; degrees are skewed. The
 * same bits on every machine. Cost: linear in vertices and edges. */
GND_API gnd_status gnd_graph_make(gnd_graph **out, const gnd_make_opts *o, gnd_error *err);
GND_API void gnd_graph_free(gnd_graph *g);

typedef struct {
    uint32_t size; /* sizeof(gnd_graph_info) */
    int64_t n_node, n_feat, n_class;
    int64_t n_arc;        /* stored entries of the adjacency matrix */
    int64_t n_edge;       /* unordered pairs of distinct vertices with an arc */
    int64_t n_loop;       /* vertices with a self-loop */
    int64_t n_feat_entry; /* stored entries of the feature matrix */
    int64_t n_labelled;   /* vertices with a label */
    int64_t n_isolated;   /* vertices without a link to another vertex */
    int64_t n_component;  /* weakly connected components */
    int64_t n_largest;    /* vertices of the largest of them */
    int64_t n_empty_feat; /* vertices whose feature row is empty (0 without features) */
    bool directed;        /* some arc has no reverse arc */
    bool weighted;        /* some weight is not 1 */
} gnd_graph_info;

GND_API gnd_status gnd_graph_info_get(gnd_graph_info *out, const gnd_graph *g, gnd_error *err);
GND_API const char *gnd_graph_name(const gnd_graph *g);
GND_API gnd_graph_mode gnd_graph_mode_get(const gnd_graph *g);
GND_API const char *gnd_graph_mode_name(gnd_graph_mode mode);
GND_API gnd_status gnd_graph_mode_parse(gnd_graph_mode *out, const char *name, gnd_error *err);
GND_API int64_t gnd_graph_n_node(const gnd_graph *g);
GND_API int32_t gnd_graph_n_class(const gnd_graph *g);
/* The id of a vertex in the user's files, valid until the next call with the same buf; NULL if
 * there is no such vertex. */
GND_API const char *gnd_graph_id(const gnd_graph *g, int64_t vertex, char buf[32]);
GND_API const char *gnd_graph_class_name(const gnd_graph *g, int32_t cls);
/* Label of a vertex; -1 if it has none, or if there is no such vertex. */
GND_API int32_t gnd_graph_label(const gnd_graph *g, int64_t vertex);
/* Number of labelled vertices of each class into out, [n_class]. */
GND_API void gnd_graph_class_sizes(int64_t *out, const gnd_graph *g);
/* What was found in the files and done to the graph (arcs merged, self-loops dropped, ...). NULL
 * beyond the last. */
GND_API int64_t gnd_graph_n_note(const gnd_graph *g);
GND_API const gnd_note *gnd_graph_note(const gnd_graph *g, int64_t i);

/* Data sets known by name, and formats known by name; NULL beyond the last. */
GND_API const char *gnd_dataset_name(int i);
GND_API const char *gnd_dataset_about(int i);
GND_API const char *gnd_format_name(int i);
GND_API const char *gnd_format_about(int i);
/* The user's cache folder for data sets, into buf: $XDG_CACHE_HOME/gnd or ~/.cache/gnd. It need not
 * exist. `gnd data get` puts data sets there, and gnd_load finds them. */
GND_API gnd_status gnd_dataset_cache(char *buf, size_t size, gnd_error *err);
/* The path of a data set's file, into buf; GND_ERR_IO with the places searched if it has none. */
GND_API gnd_status gnd_dataset_find(char *buf, size_t size, const char *name, const char *data_dir,
                                    gnd_error *err);

/* ---- arrays -------------------------------------------------------------------------------- */

/* Graphs from arrays in memory, and arrays of a graph. Arrays obey the same rules as files
 * (docs/formats.md) and pass the same check: indices in range, weights finite and not negative,
 * features finite. Duplicate entries are added up and noted, as in npz files; arcs of weight 0 are
 * left out and noted. What is wrong in an array gives GND_ERR_FORMAT, or GND_ERR_SHAPE if its size
 * does not fit the graph. */

/* Type of the items of an array. */
typedef enum {
    GND_I32,
    GND_I64,
    GND_F32,
    GND_F64,
    GND_U8 /* also an array of bool */
} gnd_scalar;

/* A sparse matrix in CSR form: row i has the entries ptr[i] .. ptr[i + 1] - 1. Rows that a caller
 * gives need not be sorted. */
typedef struct {
    uint32_t size;                 /* sizeof(gnd_csr_view) */
    gnd_scalar ptr_type, col_type; /* GND_I32 or GND_I64 */
    gnd_scalar val_type;           /* any */
    int64_t n_row, n_col;
    const void *ptr; /* [n_row + 1], from 0 */
    const void *col; /* [ptr[n_row]] */
    const void *val; /* [ptr[n_row]]; NULL: every entry is 1 */
} gnd_csr_view;

/* Arcs source[i] -> target[i]. */
typedef struct {
    uint32_t size;          /* sizeof(gnd_edges_view) */
    gnd_scalar index_type;  /* of source and target: GND_I32 or GND_I64 */
    gnd_scalar weight_type; /* any */
    int64_t n_node;         /* 0: largest index + 1 */
    int64_t n_edge;
    const void *source, *target; /* [n_edge] */
    const void *weight;          /* [n_edge]; NULL: all are 1 */
} gnd_edges_view;

/* A dense matrix: element (i, j) is at (const char *)data + i * row_stride + j * col_stride. */
typedef struct {
    uint32_t size; /* sizeof(gnd_dense_view) */
    gnd_scalar type;
    int64_t n_row, n_col;
    int64_t row_stride, col_stride; /* bytes, of any sign */
    const void *data;
} gnd_dense_view;

/* A raw graph from its adjacency matrix: row i lists the arcs that leave vertex i. borrow: an array
 * that has the library's form already is not copied; it must stay valid and unchanged until this
 * graph and all graphs converted from it are freed. This form is: ptr GND_I64; col GND_I32,
 * strictly ascending in each row; val GND_F32 without zeros in the adjacency matrix, or NULL. Each
 * array is borrowed or copied by itself, but if rows must be sorted all three are copied. */
GND_API gnd_status gnd_graph_from_csr(gnd_graph **out, const gnd_csr_view *adj, bool borrow,
                                      gnd_error *err);
/* A raw graph from a list of arcs, which is copied. An undirected graph lists both directions, or
 * is converted to GND_GRAPH_UND. */
GND_API gnd_status gnd_graph_from_edges(gnd_graph **out, const gnd_edges_view *edges,
                                        gnd_error *err);
/* Replace the features, one row per vertex; x NULL or without columns: the graph has none. borrow
 * as in gnd_graph_from_csr. After a failure the graph is as it was, here and below. */
GND_API gnd_status gnd_graph_set_features_csr(gnd_graph *g, const gnd_csr_view *x, bool borrow,
                                              gnd_error *err);
/* The same from a dense matrix, which is copied; zeros are not stored. */
GND_API gnd_status gnd_graph_set_features_dense(gnd_graph *g, const gnd_dense_view *x,
                                                gnd_error *err);
/* Replace the labels, [n]; negative: none. class_names: [n_class], distinct, not empty, not "-1";
 * NULL: "0", "1", .. Copied. */
GND_API gnd_status gnd_graph_set_labels(gnd_graph *g, const int32_t *label,
                                        const char *const *class_names, int32_t n_class,
                                        gnd_error *err);
/* Replace the ids, [n], distinct, not empty, not "-1"; NULL: the numbers 0 .. n - 1. Copied. */
GND_API gnd_status gnd_graph_set_ids(gnd_graph *g, const char *const *ids, gnd_error *err);
/* The name in messages and stores; that of a graph from arrays is "graph". Copied. */
GND_API gnd_status gnd_graph_set_name(gnd_graph *g, const char *name, gnd_error *err);
/* The adjacency matrix and the features as they are stored: ptr GND_I64, col GND_I32, val GND_F32
 * or NULL. The arrays belong to g, or to whom it borrows them from. Without features n_row and
 * n_col are 0 and the arrays NULL. out->size must be set. */
GND_API gnd_status gnd_graph_adjacency(gnd_csr_view *out, const gnd_graph *g, gnd_error *err);
GND_API gnd_status gnd_graph_features(gnd_csr_view *out, const gnd_graph *g, gnd_error *err);
/* Labels of all vertices, [n]; -1: none. */
GND_API const int32_t *gnd_graph_labels(const gnd_graph *g);

/* ---- spectrum ------------------------------------------------------------------------------ */

typedef struct {
    uint32_t size;        /* sizeof(gnd_spectrum_opts) */
    const int64_t *power; /* [n_power] powers k, ascending */
    int64_t n_power;
    uint64_t seed; /* of the vector z, whose values are uniform in -1 .. 1 */
} gnd_spectrum_opts;

/* Eigenvalues of the random walk W = D^-1 (A + I) on a connected component, besides its 1; NAN for
 * a vertex alone. D: row sums of A + I. */
typedef struct {
    int64_t n_node;
    double second, smallest; /* the second largest and the smallest eigenvalue */
    double modulus;          /* |lambda_2|, the largest modulus of the two; 0 for a vertex alone */
} gnd_spectrum_component;

/* W^k z. On each component its limit is the mean of z weighted by D. Norms are weighted by D. */
typedef struct {
    int64_t k;
    double distance;        /* |W^k z - limit| / |z - limit| */
    double bound;           /* |lambda_2|^k with the largest |lambda_2| of all components */
    double distance_to_one; /* |W^k z - c| / |z - c| with one value c for all vertices, the mean of
                               z weighted by D */
} gnd_spectrum_power;

typedef struct gnd_spectrum gnd_spectrum;

/* The graph must be symmetric (GND_GRAPH_UND, GND_GRAPH_STD). Eigenvalues are exact to 1e-12;
 * GND_ERR_DIVERGED if a component, such as a chain of thousands of vertices, needs more than 1000
 * Lanczos steps for that. o may be NULL. */
GND_API gnd_status gnd_spectrum_new(gnd_spectrum **out, const gnd_graph *g,
                                    const gnd_spectrum_opts *o, gnd_error *err);
GND_API void gnd_spectrum_free(gnd_spectrum *s);
GND_API int64_t gnd_spectrum_n_component(const gnd_spectrum *s);
/* Components by descending size. NULL beyond the last. */
GND_API const gnd_spectrum_component *gnd_spectrum_component_get(const gnd_spectrum *s, int64_t i);
GND_API const gnd_spectrum_power *gnd_spectrum_power_get(const gnd_spectrum *s, int64_t i);

/* ---- splits -------------------------------------------------------------------------------- */

typedef struct gnd_split gnd_split;

typedef enum {
    GND_SPLIT_PAPER,        /* shuffled: per_class training labels per class, then n_val validation
                               vertices, the rest is test */
    GND_SPLIT_PLANETOID,    /* the fixed split of the ind.* files */
    GND_SPLIT_ALL,          /* every labelled vertex is a training vertex; no others */
    GND_SPLIT_TRAIN_LABELS, /* the vertices of gnd_load_opts.train_labels are training vertices,
                               all other labelled vertices are test vertices */
    GND_SPLIT_HONEST        /* shuffled: per_class training labels per class; all other labelled
                               vertices are test vertices; n_val and score_unlabelled are not
                               used */
} gnd_split_kind;

typedef struct {
    uint32_t size;         /* sizeof(gnd_split_opts) */
    gnd_split_kind kind;   /* default GND_SPLIT_PAPER */
    int32_t per_class;     /* training labels per class */
    int64_t n_val;         /* validation vertices; 0: none */
    uint32_t seed;         /* of NumPy's legacy generator */
    bool score_unlabelled; /* an unlabelled vertex is scored as class 0, as the authors do */
} gnd_split_opts;

GND_API gnd_status gnd_split_new(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                                 gnd_error *err);
typedef struct {
    uint32_t size;        /* sizeof(gnd_split_lists) */
    const int32_t *train; /* [n_train] vertices; a NULL list is empty */
    int64_t n_train;
    const int32_t *val;
    int64_t n_val;
    const int32_t *test;
    int64_t n_test;
} gnd_split_lists;

/* A split by lists of vertices, which are copied. No vertex may be in two lists; training vertices
 * must have labels. */
GND_API gnd_status gnd_split_from_lists(gnd_split **out, const gnd_graph *g,
                                        const gnd_split_lists *lists, gnd_error *err);
GND_API void gnd_split_free(gnd_split *s);
GND_API int64_t gnd_split_n_train(const gnd_split *s);
GND_API int64_t gnd_split_n_val(const gnd_split *s);
GND_API int64_t gnd_split_n_test(const gnd_split *s);
/* Vertices of g, of which s is a split, that are in none of its lists: those without a label
 * (counted in n_unlabelled, if that is not NULL), and in the paper's split those drawn after their
 * class had all its training labels. -1 if s is of another graph. */
GND_API int64_t gnd_split_n_unused(const gnd_split *s, const gnd_graph *g, int64_t *n_unlabelled);
GND_API const int32_t *gnd_split_train(const gnd_split *s);
GND_API const int32_t *gnd_split_val(const gnd_split *s);
GND_API const int32_t *gnd_split_test(const gnd_split *s);

/* ---- methods and their settings ------------------------------------------------------------ */

/* Default methods of `gnd label` and `gnd train`. */
#define GND_METHOD_LABEL "auto"
#define GND_METHOD_TRAIN "gnd-slp"

typedef struct {
    uint32_t size; /* sizeof(gnd_method_info) */
    const char *name, *title, *formula, *paper;
} gnd_method_info;

typedef struct {
    uint32_t size;    /* sizeof(gnd_setting_info) */
    const char *name; /* "dropout" */
    const char *type; /* "int", "real", "choice", "set" */
    const char *meaning;
    char fallback[128]; /* the default, as text */
    char range[192];    /* "1..4096", "learned|ppr|heat" */
} gnd_setting_info;

/* The i-th method; false beyond the last, or if out->size is not set. */
GND_API bool gnd_method_get(gnd_method_info *out, int i);

typedef struct gnd_config gnd_config;

/* The settings of a method, or of an alias of its name: those of the authors' code. */
GND_API gnd_status gnd_config_new(gnd_config **out, const char *method, gnd_error *err);
GND_API gnd_status gnd_config_copy(gnd_config **out, const gnd_config *c, gnd_error *err);
GND_API void gnd_config_free(gnd_config *c);
/* Set one setting from text. The error message lists the known names or the range. */
GND_API gnd_status gnd_config_set(gnd_config *c, const char *name, const char *value,
                                  gnd_error *err);
/* Apply a named preset, such as "text": what the paper's text says. */
GND_API gnd_status gnd_config_preset(gnd_config *c, const char *preset, gnd_error *err);
/* Apply the authors' settings for a data set, by its name. Returns false, and changes nothing, if
 * the authors give none. */
GND_API bool gnd_config_dataset(gnd_config *c, const char *dataset);
/* The i-th data set for which the authors give settings, and the settings ("lr=1 ..."); NULL beyond
 * the last. */
GND_API const char *gnd_config_dataset_name(const gnd_config *c, int i, const char **settings);
/* The stopping rule of a comparison: "original" changes nothing; "common" is the same for every
 * method (gat, patience 50, loss without L2, at most 1000 epochs); "published" applies the preset
 * of this name, if the method has it. */
GND_API gnd_status gnd_config_rule(gnd_config *c, const char *rule, gnd_error *err);
/* The values of a setting that the authors searched ("layers", "1,2,3"); false if none. */
GND_API bool gnd_config_search(const gnd_config *c, const char **setting, const char **values);
/* How the method reads a directed graph under these settings. "directed arcs": a vertex reads the
 * vertices that its arcs point to; "reversed arcs": those whose arcs point to it; "undirected":
 * both; "no arcs": none. LanczosNet: of its powers of S; its Ritz pairs are undirected. */
GND_API const char *gnd_config_direction(const gnd_config *c);
GND_API const char *gnd_config_method(const gnd_config *c);
/* The i-th setting of the method; false beyond the last, or if out->size is not set. */
GND_API bool gnd_config_info(gnd_setting_info *out, const gnd_config *c, int i);
/* The current value of the i-th setting as text, into buf. Returns buf; NULL if there is no such
 * setting. */
GND_API const char *gnd_config_value(const gnd_config *c, int i, char *buf, size_t size);
/* The i-th preset's name, and its meaning if meaning is not NULL; NULL beyond the last. */
GND_API const char *gnd_config_preset_name(const gnd_config *c, int i, const char **meaning);

/* ---- training ------------------------------------------------------------------------------ */

typedef struct gnd_model gnd_model;

typedef struct {
    int64_t epoch; /* from 0 */
    int64_t max_epochs;
    double loss_train;        /* with L2, of the pass that made the step */
    double loss_val, acc_val; /* NAN without a validation set, or with skip_figures */
    double acc_train;         /* of the passes that made the steps, so with dropout */
} gnd_epoch;

/* A way to compute a kind of pass, and its estimated cost. */
typedef struct {
    const char *pass; /* "training", "validation" */
    const char *plan; /* "stored" */
    bool possible, chosen;
    double ms;       /* per pass */
    double ms_once;  /* before the first epoch */
    int64_t bytes;   /* besides the hidden layer and its gradient */
    int64_t n_row;   /* vertices whose results are requested */
    int64_t n_reach; /* vertices that they depend on */
} gnd_plan_info;

enum { GND_MEMORY_DEFAULT = 512 << 20 };

typedef struct {
    uint32_t size;   /* sizeof(gnd_train_opts) */
    uint64_t seed;   /* of initial weights and dropout */
    int32_t threads; /* 0 or less: as many as there are CPUs; at most 1024 are used */
    /* Called after every epoch; non-zero stops the run with GND_ERR_STOPPED. */
    int (*on_epoch)(const gnd_epoch *e, void *user);
    void *user;
    /* on_epoch does not read loss_val and acc_val. If no stopping rule reads them either, they are
     * not computed. Results are the same. */
    bool skip_figures;
    /* Bytes that may be used to make passes faster. 0: GND_MEMORY_DEFAULT, or on large graphs as
     * much as their operators take; negative: as little as possible. It changes only the last
     * digits of results. */
    int64_t memory;
    const char *plan; /* how to compute passes, where this is possible: "whole", "powers", "stored",
                         "features"; NULL: the cheapest that fits into `memory` */
    /* Called before the first epoch, for each way to compute each kind of pass. */
    void (*on_plan)(const gnd_plan_info *p, void *user);
    /* [n_class] known shares of the classes in the whole graph, above 0 and of sum 1, for methods
     * that can use them (GND_ERR_ARG from others); NULL: not known. Copied. */
    const double *prior;
    gnd_on_progress *on_tick; /* also of gnd_predict, gnd_label and the hop weights */
    void *tick_user;
    /* A folder in which the state of the run is saved between epochs (ls: between passes), so that
     * the same call continues it after a crash, with the same result; GND_ERR_ARG if it has the
     * state of another run. The folder stays: gnd_checkpoint_remove. NULL: none. */
    const char *checkpoint;
    double checkpoint_seconds; /* the least time between two states; 0: every epoch or pass */
} gnd_train_opts;

typedef struct {
    uint32_t size;                       /* sizeof(gnd_result) */
    int64_t epochs;                      /* epochs run */
    int64_t best_epoch;                  /* epoch whose weights are used, from 0 */
    double loss_train;                   /* at the weights used, without dropout, with L2 */
    double acc_train, acc_val, acc_test; /* 0..1; NAN where there are no vertices */
    double loss_val, loss_test;          /* cross-entropy without L2; NAN likewise */
    double f1_test;                      /* macro-F1, 0..1; NAN likewise */
    char plan[32];   /* how passes were computed, in training and in validation: "stored, features";
                        empty if the method has only one way */
    double ece_test; /* expected calibration error, 0..1, as gnd_metrics_ece; NAN where no test
                        vertex has a label */
    double acc_half; /* top-50 % confidence accuracy: of the half, rounded up, of the labelled test
                        vertices that have the highest confidence, 0..1; NAN likewise */
    int32_t resumed; /* 1: the run continued from gnd_train_opts.checkpoint */
} gnd_result;

/* Remove the files of a checkpoint, and the folder if nothing else is in it. Call it when what came
 * of the run is saved; in one of several processes. */
GND_API gnd_status gnd_checkpoint_remove(const char *folder, gnd_error *err);

/* Train one model. g, s, c and o are needed during the call only; o and res may be NULL. */
GND_API gnd_status gnd_train(gnd_model **out, gnd_result *res, const gnd_graph *g,
                             const gnd_split *s, const gnd_config *c, const gnd_train_opts *o,
                             gnd_error *err);
GND_API void gnd_model_free(gnd_model *m);
/* Write a safetensors file: weights; in its header classes, settings, preprocessing, version. */
GND_API gnd_status gnd_model_save(const gnd_model *m, const char *path, gnd_error *err);
GND_API gnd_status gnd_model_load(gnd_model **out, const char *path, gnd_error *err);
GND_API const gnd_config *gnd_model_config(const gnd_model *m);
GND_API gnd_graph_mode gnd_model_graph_mode(const gnd_model *m);
GND_API int32_t gnd_model_n_class(const gnd_model *m);
GND_API const char *gnd_model_class_name(const gnd_model *m, int32_t cls);
/* The parameters: the i-th one, [rows, cols] row by row; NULL beyond the last. name, rows and cols
 * may be NULL; *name belongs to m. Methods without parameters, such as auto, have 0 of them. */
GND_API int32_t gnd_model_n_tensor(const gnd_model *m);
GND_API const float *gnd_model_tensor(const gnd_model *m, int32_t i, const char **name,
                                      int64_t *rows, int64_t *cols);

/* The fields of gnd_epoch. */
typedef enum {
    GND_HISTORY_LOSS_TRAIN,
    GND_HISTORY_ACC_TRAIN,
    GND_HISTORY_LOSS_VAL,
    GND_HISTORY_ACC_VAL
} gnd_history_column;

/* A figure of every epoch that was run, [*n]. NULL, and *n is 0, for methods without epochs and
 * loaded models. Validation figures are NAN in a run without validation vertices, and where neither
 * the stopping rule nor on_epoch reads them. */
GND_API const double *gnd_model_history(const gnd_model *m, gnd_history_column column, int64_t *n);

/* ---- prediction ---------------------------------------------------------------------------- */

typedef struct gnd_prediction gnd_prediction;

/* Label every vertex of g, which may have vertices and edges that were not in training. g must have
 * the model's graph mode and features. Of o, which may be NULL, threads, memory and on_tick
 * are used. */
GND_API gnd_status gnd_predict(gnd_prediction **out, const gnd_model *m, const gnd_graph *g,
                               const gnd_train_opts *o, gnd_error *err);
/* gnd_train and gnd_predict on the same graph in one call. The result is the same, but the method
 * prepares the graph only once. m and res may be NULL; the caller frees *m and *out. */
GND_API gnd_status gnd_label(gnd_prediction **out, gnd_model **m, gnd_result *res,
                             const gnd_graph *g, const gnd_split *s, const gnd_config *c,
                             const gnd_train_opts *o, gnd_error *err);
GND_API void gnd_prediction_free(gnd_prediction *p);
GND_API int64_t gnd_prediction_n(const gnd_prediction *p);
/* Class of a vertex; -1 if it is unknown (no label reaches it and none of its features occurred in
 * training) or there is no such vertex. */
GND_API int32_t gnd_prediction_label(const gnd_prediction *p, int64_t vertex);
/* The same of all vertices, [n]; gnd_prediction_clamp and _abstain change it in place. */
GND_API const int32_t *gnd_prediction_labels(const gnd_prediction *p);
/* Vertices whose class is unknown. */
GND_API int64_t gnd_prediction_n_unknown(const gnd_prediction *p);
/* Share of g's labelled vertices whose most probable class has the name of their label; the classes
 * of g need not be numbered as the model's. n, if not NULL: labelled vertices. NAN if there are
 * none. */
GND_API double gnd_prediction_agreement(const gnd_prediction *p, const gnd_graph *g,
                                        const gnd_model *m, int64_t *n);
/* Most probable class, also of an unknown vertex; -1 if there is no such vertex. */
GND_API int32_t gnd_prediction_argmax(const gnd_prediction *p, int64_t vertex);
/* Vertices that have a label in g get this label with probability 1. */
GND_API gnd_status gnd_prediction_clamp(gnd_prediction *p, const gnd_model *m, const gnd_graph *g,
                                        gnd_error *err);
/* Make vertices of low confidence unknown, so that a share of at most `risk` (0..1) of the other
 * labels is wrong. The limit comes from the labels that the method held out. If they are fewer than
 * 1 / risk - 1, or too many of them are wrong, all vertices without a known label become unknown,
 * and a note of the prediction says why. n_unknown, if not NULL: vertices that became unknown. */
GND_API gnd_status gnd_prediction_abstain(gnd_prediction *p, double risk, int64_t *n_unknown,
                                          gnd_error *err);
/* The same, but by the probabilities themselves: until the expected share of wrong labels is at
 * most `risk`. It is only as good as the probabilities are. */
GND_API gnd_status gnd_prediction_abstain_unchecked(gnd_prediction *p, double risk,
                                                    int64_t *n_unknown, gnd_error *err);
/* Do held-out labels show that the probabilities are right? */
GND_API bool gnd_prediction_calibrated(const gnd_prediction *p);
/* What the method found about the graph and its labels: labels that may be wrong, classes with
 * little support, whether the probabilities are calibrated, ... NULL beyond the last. */
GND_API int64_t gnd_prediction_n_note(const gnd_prediction *p);
GND_API const gnd_note *gnd_prediction_note(const gnd_prediction *p, int64_t i);
/* Class probabilities of a vertex, [n_class], of sum 1; NULL if there is no such vertex. */
GND_API const float *gnd_prediction_prob(const gnd_prediction *p, int64_t vertex);
/* Those of all vertices, [n, n_class], row by row. n_class may be NULL. */
GND_API const float *gnd_prediction_probs(const gnd_prediction *p, int32_t *n_class);
/* Write `id,label,probability` lines; the graph and model are those of the prediction. Label and
 * probability of an unknown vertex are empty, so a class may have any name. */
GND_API gnd_status gnd_prediction_write(const gnd_prediction *p, const gnd_graph *g,
                                        const gnd_model *m, FILE *f, gnd_error *err);
/* The same into a file, atomically. */
GND_API gnd_status gnd_prediction_save(const gnd_prediction *p, const gnd_graph *g,
                                       const gnd_model *m, const char *path, gnd_error *err);

typedef struct {
    uint32_t size;      /* sizeof(gnd_prediction_columns) */
    bool probabilities; /* the probability of each class, in columns p_CLASS after the others; also
                           of an unknown vertex */
} gnd_prediction_columns;

/* gnd_prediction_write and gnd_prediction_save with more columns; c may be NULL. */
GND_API gnd_status gnd_prediction_write_columns(const gnd_prediction *p, const gnd_graph *g,
                                                const gnd_model *m, FILE *f,
                                                const gnd_prediction_columns *c, gnd_error *err);
GND_API gnd_status gnd_prediction_save_columns(const gnd_prediction *p, const gnd_graph *g,
                                               const gnd_model *m, const char *path,
                                               const gnd_prediction_columns *c, gnd_error *err);

/* ---- hop weights --------------------------------------------------------------------------- */

/* How much each hop (power of the graph operator) counts for each vertex, in a method that weighs
 * hops. gnd-slp, gprgnn: the factors of the powers, of any sign, the same for all vertices.
 * gnd-attn: attention weights of the last pooling, positive, of sum 1. */
typedef struct gnd_hop_weights gnd_hop_weights;

/* Does the method weigh hops? */
GND_API bool gnd_config_has_hop_weights(const gnd_config *c);
/* The hop weights of a trained model on g; g and o as in gnd_predict. GND_ERR_ARG if the method has
 * none. */
GND_API gnd_status gnd_model_hop_weights(gnd_hop_weights **out, const gnd_model *m,
                                         const gnd_graph *g, const gnd_train_opts *o,
                                         gnd_error *err);
GND_API void gnd_hop_weights_free(gnd_hop_weights *w);
GND_API int64_t gnd_hop_weights_n(const gnd_hop_weights *w);     /* vertices */
GND_API int64_t gnd_hop_weights_n_hop(const gnd_hop_weights *w); /* hops */
/* The power of the first hop; hop k (from 0) is the power first + k. */
GND_API int64_t gnd_hop_weights_first(const gnd_hop_weights *w);
/* Does every vertex have the same weights? */
GND_API bool gnd_hop_weights_shared(const gnd_hop_weights *w);
/* Weights of a vertex, [n_hop]; NULL if there is no such vertex. */
GND_API const float *gnd_hop_weights_get(const gnd_hop_weights *w, int64_t vertex);
/* Those of all vertices, [n, n_hop], row by row; [1, n_hop] if gnd_hop_weights_shared. */
GND_API const float *gnd_hop_weights_all(const gnd_hop_weights *w);
/* Write a CSV file, atomically: `id,hop_1,hop_2,...`, a line for each vertex of g. */
GND_API gnd_status gnd_hop_weights_save(const gnd_hop_weights *w, const gnd_graph *g,
                                        const char *path, gnd_error *err);

/* Attention between hops (gnd-attn): in each block, by how much a hop of a vertex attends to each
 * of its hops, averaged over the heads. Rows are positive, of sum 1. */

/* Does the method have attention between hops? */
GND_API bool gnd_config_has_hop_attention(const gnd_config *c);
/* gnd_model_hop_weights with the attention, of n_block * n_hop^2 floats per vertex; twice that
 * while it is computed. GND_ERR_ARG if the method has none. */
GND_API gnd_status gnd_model_hop_attention(gnd_hop_weights **out, const gnd_model *m,
                                           const gnd_graph *g, const gnd_train_opts *o,
                                           gnd_error *err);
/* Blocks of the attention; 0 in the result of gnd_model_hop_weights. */
GND_API int64_t gnd_hop_weights_n_block(const gnd_hop_weights *w);
/* Attention of a vertex in a block (from 0), [n_hop, n_hop]; row k is what hop k attends to. NULL
 * if there is no such vertex or block. */
GND_API const float *gnd_hop_weights_attention(const gnd_hop_weights *w, int64_t vertex,
                                               int64_t block);
/* Write an npz file, atomically: attention_1, attention_2, .. of the blocks, [n, n_hop, n_hop];
 * weights, [n, n_hop]; hops, [n_hop], their powers; labels, class_names and node_names of g. The
 * file is made in memory. GND_ERR_ARG without attention. */
GND_API gnd_status gnd_hop_attention_save(const gnd_hop_weights *w, const gnd_graph *g,
                                          const char *path, gnd_error *err);

/* ---- what to label next -------------------------------------------------------------------- */

typedef struct {
    uint32_t size;   /* sizeof(gnd_suggest_opts) */
    int64_t n;       /* vertices to suggest, 1 to 2000 */
    bool ignore;     /* ignore the graph's labels */
    int32_t threads; /* 0: as many as there are CPUs */
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_suggest_opts;

typedef struct {
    int64_t vertex;
    double represents; /* share of the vertices that are closer to it than to any other labelled or
                          suggested vertex, 0..1 */
    int32_t cls;       /* its most probable class now; -1 if no label reaches it */
    double prob;       /* the probability of cls; NAN likewise */
    int32_t other;     /* the second most probable class; -1 likewise */
} gnd_suggestion;

typedef struct gnd_suggestions gnd_suggestions;

/* Which vertices to label, the most useful first: those that represent many others which no known
 * label represents. The graph alone decides: there is no random choice. Of more than 5000 vertices,
 * those of largest degree may be suggested. Cost: that of method auto, and vertices times
 * candidates (at most 5000) times coordinates. */
GND_API gnd_status gnd_suggest(gnd_suggestions **out, const gnd_graph *g, const gnd_suggest_opts *o,
                               gnd_error *err);
GND_API void gnd_suggestions_free(gnd_suggestions *s);
GND_API int64_t gnd_suggestions_n(const gnd_suggestions *s);
/* NULL beyond the last, like the next two. */
GND_API const gnd_suggestion *gnd_suggestions_get(const gnd_suggestions *s, int64_t i);
/* The same in a sentence. */
GND_API const char *gnd_suggestions_why(const gnd_suggestions *s, int64_t i);
/* Notes on the known labels and on the suggestions, as gnd_prediction_note. */
GND_API int64_t gnd_suggestions_n_note(const gnd_suggestions *s);
GND_API const gnd_note *gnd_suggestions_note(const gnd_suggestions *s, int64_t i);

/* ---- metrics ------------------------------------------------------------------------------- */

typedef struct gnd_metrics gnd_metrics;

/* Compare a prediction with the graph's labels on the listed vertices; rows NULL: on all labelled
 * ones. Figures of a class that does not exist are NAN, or -1 for counts. */
GND_API gnd_status gnd_metrics_new(gnd_metrics **out, const gnd_prediction *p, const gnd_graph *g,
                                   const int32_t *rows, int64_t n_rows, gnd_error *err);
/* The same on the test vertices of a split: of all processes, if several hold the graph. */
GND_API gnd_status gnd_metrics_of_split(gnd_metrics **out, const gnd_prediction *p,
                                        const gnd_graph *g, const gnd_split *s, gnd_error *err);
GND_API void gnd_metrics_free(gnd_metrics *m);
GND_API int64_t gnd_metrics_n(const gnd_metrics *m); /* vertices compared */
GND_API double gnd_metrics_accuracy(const gnd_metrics *m);
GND_API double gnd_metrics_macro_f1(const gnd_metrics *m);
GND_API double gnd_metrics_log_loss(const gnd_metrics *m);
GND_API double gnd_metrics_ece(const gnd_metrics *m); /* expected calibration error, 15 bins */
GND_API double gnd_metrics_precision(const gnd_metrics *m, int32_t cls);
GND_API double gnd_metrics_recall(const gnd_metrics *m, int32_t cls);
GND_API double gnd_metrics_f1(const gnd_metrics *m, int32_t cls);
/* Vertices of class `truth` that were predicted as `given`. */
GND_API int64_t gnd_metrics_confusion(const gnd_metrics *m, int32_t truth, int32_t given);

/* ---- comparisons --------------------------------------------------------------------------- */

/* Finished training runs in an SQLite file. A run is identified by the data, the split, the method
 * with all its settings, and the RNG seed. Several processes may use a store at the same time; if
 * one is killed, nothing finished is lost. */
typedef struct gnd_store gnd_store;

/* Open the store at path; create it if there is none. The file need not be trusted: a file with
 * triggers, views or tables that gnd does not make is refused, and every value is checked. */
GND_API gnd_status gnd_store_open(gnd_store **out, const char *path, gnd_error *err);
/* Open a folder of exported runs as a store in memory, for tables of these runs without their data
 * sets: gnd_sweep_train with only_stored finds runs by the names of data set and graph, and
 * gnd_sweep_dataset_info reads datasets.csv. Nothing can be trained with it. */
GND_API gnd_status gnd_store_open_results(gnd_store **out, const char *folder, gnd_error *err);
/* The folder of training runs of the paper's tables that is installed with gnd; NULL if there is
 * none. Valid until the program ends. */
GND_API const char *gnd_results_folder(void);
/* Stop the call that uses the store, from a signal handler or another thread. That call, and all
 * later ones except gnd_store_close, return GND_ERR_STOPPED. */
GND_API void gnd_store_interrupt(gnd_store *s);
GND_API void gnd_store_close(gnd_store *s);
/* Runs in the store; -1 if it cannot be read. */
GND_API int64_t gnd_store_count(gnd_store *s);
/* All runs as CSV, one row each, in an order that does not depend on when they ran. */
GND_API gnd_status gnd_store_write(gnd_store *s, FILE *f, gnd_error *err);
/* The same into a file, atomically. If path is a folder or ends with '/': a file for each data set,
 * DATASET.csv, and configs.csv with the settings, to which the column `config` of the runs
 * refers. */
GND_API gnd_status gnd_store_export(gnd_store *s, const char *path, gnd_error *err);
/* Add the runs of such a file or folder; none of them, if a line is invalid. Runs that are already
 * in the store do not change. n_new, if not NULL, counts the others. */
GND_API gnd_status gnd_store_import(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err);

typedef struct {
    const char *method;
    int64_t config; /* index into gnd_compare_opts.configs */
    int32_t per_class;
    uint32_t split_seed;
    uint64_t seed;     /* of initial weights and dropout */
    gnd_status status; /* GND_OK; GND_ERR_DIVERGED: there is no result */
    bool stored;       /* it was in the store already */
    const gnd_result *result;
    double seconds; /* CPU time, without the preparation that runs share */
} gnd_run;

typedef struct {
    uint32_t size;                    /* sizeof(gnd_compare_opts) */
    const gnd_config *const *configs; /* [n_config]; a method may occur with several settings */
    int64_t n_config;
    const int32_t *per_class; /* [n_per_class] */
    int64_t n_per_class;
    int32_t n_split;     /* split seeds 1..n_split */
    gnd_split_kind kind; /* GND_SPLIT_PAPER, _HONEST, or _PLANETOID: one split, n_split seeds */
    int64_t n_val;
    bool score_unlabelled;
    uint64_t seed;    /* the run on split s uses seed + s - 1 */
    int32_t threads;  /* runs in parallel; 0: as many as there are CPUs */
    int64_t memory;   /* per run, as in gnd_train_opts */
    gnd_store *store; /* where finished runs are looked up and stored; NULL: nowhere */
    bool only_stored; /* train nothing: a run that the store does not have is GND_ERR_STOPPED and
                         left out of its cell */
    /* Called after each run, first for those in the store; never from two threads at once. Non-zero
     * stops the comparison. */
    int (*on_run)(const gnd_run *run, int64_t done, int64_t total, void *user);
    void *user;
    /* Called a few times per second while other processes do all remaining runs, n of them;
     * non-zero stops the comparison. */
    int (*on_wait)(int64_t n, void *user);
    gnd_on_progress *on_tick;
    void *tick_user;
} gnd_compare_opts;

typedef struct gnd_comparison gnd_comparison;

typedef struct {
    const char *method;
    int64_t config;
    int32_t per_class;
    int64_t n;           /* runs, without those that diverged */
    double mean, std;    /* of test accuracy, percent; population std; NAN if n is 0 */
    double low, high;    /* 95 % interval of the mean (Student's t); NAN if n < 2 */
    double mean_val;     /* of validation accuracy, percent; NAN without validation */
    double mean_f1;      /* of macro-F1 on the test vertices, percent */
    double mean_epochs;  /* per run */
    double mean_seconds; /* per run */
    double mean_ece;     /* of ece_test, percent; NAN if a run was stored without it */
    double mean_half;    /* of acc_half, likewise */
} gnd_cell;

/* Two configs on the same splits, run by run. */
typedef struct {
    uint32_t size;    /* sizeof(gnd_paired) */
    int64_t n;        /* splits on which both have a result */
    double diff;      /* mean of a - b, in points of accuracy */
    double low, high; /* its 95 % interval (Student's t) */
    double p;         /* of no difference, two-sided paired t test; NAN if n < 2 */
    int64_t wins, ties, losses;
} gnd_paired;

/* Train every config at every label count on splits 1..n_split, in parallel, except for runs that
 * are in the store. The result does not depend on the number of threads, nor on which runs were in
 * the store. */
GND_API gnd_status gnd_compare(gnd_comparison **out, const gnd_graph *g, const gnd_compare_opts *o,
                               gnd_error *err);
GND_API void gnd_comparison_free(gnd_comparison *c);
/* Cells: config by config, label count by label count. */
GND_API int64_t gnd_comparison_n_cell(const gnd_comparison *c);
/* NULL beyond the last, as gnd_comparison_run. */
GND_API const gnd_cell *gnd_comparison_cell(const gnd_comparison *c, int64_t i);
GND_API int64_t gnd_comparison_n_run(const gnd_comparison *c);
GND_API const gnd_run *gnd_comparison_run(const gnd_comparison *c, int64_t i);
/* Cell a against cell b of one label count; GND_ERR_ARG if there is no such cell. */
GND_API gnd_status gnd_comparison_paired(gnd_paired *out, const gnd_comparison *c, int64_t a,
                                         int64_t b, gnd_error *err);

/* ---- sweeps and model selection ------------------------------------------------------------ */

/* A graph mode and a stopping rule (gnd_config_rule) to compare. This struct never changes. */
typedef struct {
    gnd_graph_mode graph;
    const char *rule;
} gnd_sweep_setting;

/* How far a sweep is. */
typedef struct {
    int64_t done, total; /* training runs: finished or stored, all */
    double share;        /* of the work that is done, 0..1, by the time that runs took so far */
    double seconds_left; /* estimate */
    const char *dataset; /* what is being trained */
    gnd_graph_mode graph;
    const char *row;
    int64_t n_waiting; /* over 0: all that is left, so many training runs, is being done by other
                          processes */
} gnd_sweep_progress;

typedef struct {
    uint32_t size;               /* sizeof(gnd_sweep_opts) */
    const char *const *datasets; /* [n_dataset] names or paths */
    int64_t n_dataset;
    const char *data_dir;              /* as in gnd_load_opts */
    const gnd_sweep_setting *settings; /* [n_setting] */
    int64_t n_setting;
    const char *const *methods; /* [n_method]; none: every method */
    int64_t n_method;
    const char *preset;     /* of every method; NULL: none */
    const char *const *set; /* [n_set] "name=value", of every method */
    int64_t n_set;
    const char *vary; /* "hops=5,10,20": values of one setting; methods without it are left out.
                         NULL: no setting varies */
    bool pick; /* model selection: of the values of vary, or without it of those that a method's
                  authors searched (gnd_config_search), the one of highest mean validation accuracy
                  represents the method. false: each value is a row */
    const int32_t *per_class; /* [n_per_class] */
    int64_t n_per_class;
    int32_t n_split;
    int32_t n_search; /* pick compares values on the first n_search splits and trains the best one
                         on all of them; 0: n_split */
    gnd_split_kind kind;
    int64_t n_val;
    uint64_t seed; /* as in gnd_compare_opts, like the next three */
    int32_t threads;
    int64_t memory;
    gnd_store *store;
    int64_t max_input; /* as in gnd_load_opts */
    bool keep_going;   /* a row that fails is left without a result, and the next one is trained */
    bool paired;       /* fill gnd_sweep_cell.paired; not with keep_going or n_search */
    bool keep_runs;    /* for gnd_sweep_run_get */
    /* Called after each training run, and a few times per second while other processes do what is
     * left; non-zero stops the sweep with GND_ERR_STOPPED. */
    int (*on_progress)(const gnd_sweep_progress *p, void *user);
    /* Called with each graph that is loaded. */
    void (*on_graph)(const gnd_graph *g, void *user);
    /* Called, with keep_going, for a row that failed. */
    void (*on_failed)(const char *dataset, gnd_graph_mode graph, const char *row,
                      const gnd_error *err, void *user);
    void *user;
    bool labelled_only; /* of GND_SPLIT_PAPER on GND_GRAPH_RAW: unlabelled vertices are not scored
                           as class 0, which the authors do (gnd_split_opts.score_unlabelled) */
    const gnd_load_opts *load; /* how files are read; data_dir and max_input are those above. NULL:
                                  the defaults */
    gnd_on_progress *on_tick;  /* of gnd_sweep_train */
    void *tick_user;
} gnd_sweep_opts;

typedef struct gnd_sweep gnd_sweep;

/* One data set under one setting. */
typedef struct {
    const char *dataset;
    gnd_graph_mode graph;
    const char *rule;
    int64_t done, total; /* training runs */
    bool directed;       /* some arc of its graph has no reverse arc */
} gnd_sweep_block;

/* A row at a label count on a block. */
typedef struct {
    const gnd_cell *cell;     /* n is 0 where there is no result */
    int64_t n_diverged;       /* training runs that diverged */
    const char *variant;      /* "hops=5": whose figures these are; "" if nothing varies */
    bool is_best;             /* the highest mean of several rows */
    int64_t best;             /* row that paired compares with; -1: none */
    const gnd_paired *paired; /* n is 0 where there is none */
} gnd_sweep_cell;

/* One training run; run and its result belong to the sweep. */
typedef struct {
    const char *dataset;
    gnd_graph_mode graph;
    const char *rule, *variant;
    const gnd_run *run; /* run->config is the row */
} gnd_sweep_run;

/* Check the options and name the rows; nothing is loaded or trained yet. o is copied, but for
 * the store, which must stay open. */
GND_API gnd_status gnd_sweep_new(gnd_sweep **out, const gnd_sweep_opts *o, gnd_error *err);
/* Train everything that the store does not have; only_stored: nothing, take what the store has.
 * May be called again, and then forgets the figures of the call before. After a failure the blocks
 * that were finished, gnd_sweep_n_done, have figures. */
GND_API gnd_status gnd_sweep_train(gnd_sweep *s, bool only_stored, gnd_error *err);
GND_API void gnd_sweep_free(gnd_sweep *s);
/* The options, with defaults filled in. */
GND_API const gnd_sweep_opts *gnd_sweep_options(const gnd_sweep *s);
/* Rows: methods, or without pick a method with each value. NULL beyond the last. */
GND_API int64_t gnd_sweep_n_row(const gnd_sweep *s);
GND_API const char *gnd_sweep_row_name(const gnd_sweep *s, int64_t row);
GND_API const char *gnd_sweep_row_method(const gnd_sweep *s, int64_t row);
/* Values that compete for the row; 1: nothing is picked. */
GND_API int64_t gnd_sweep_row_n_variant(const gnd_sweep *s, int64_t row);
/* Methods without the setting of vary, separated by ", "; NULL: none. */
GND_API const char *gnd_sweep_left_out(const gnd_sweep *s);
/* Blocks: setting by setting, data set by data set. NULL beyond the last. */
GND_API int64_t gnd_sweep_n_block(const gnd_sweep *s);
GND_API const gnd_sweep_block *gnd_sweep_block_get(const gnd_sweep *s, int64_t block);
/* Blocks, from the first on, that are finished. */
GND_API int64_t gnd_sweep_n_done(const gnd_sweep *s);
/* The cell of a row at the q-th label count; NULL if there is none. */
GND_API const gnd_sweep_cell *gnd_sweep_cell_get(const gnd_sweep *s, int64_t block, int64_t row,
                                                 int64_t q);
GND_API int64_t gnd_sweep_n_run(const gnd_sweep *s);
GND_API const gnd_sweep_run *gnd_sweep_run_get(const gnd_sweep *s, int64_t i);
/* Training runs that are finished or stored, and all of them; each may be NULL. */
GND_API void gnd_sweep_count(const gnd_sweep *s, int64_t *done, int64_t *total);
/* Of the last gnd_sweep_train: training runs with figures, and those of them that diverged. */
GND_API void gnd_sweep_diverged(const gnd_sweep *s, int64_t *n_diverged, int64_t *n);
/* Rows that failed in the last gnd_sweep_train with keep_going. */
GND_API int64_t gnd_sweep_n_failed(const gnd_sweep *s);
/* What is in the d-th data set in a graph mode; loads it. */
GND_API gnd_status gnd_sweep_dataset_info(gnd_graph_info *out, const gnd_sweep *s, int64_t d,
                                          gnd_graph_mode mode, gnd_error *err);

/* ---- published figures --------------------------------------------------------------------- */

typedef struct {
    uint32_t size;      /* sizeof(gnd_published) */
    double mean, std;   /* percent; NAN where the paper prints "N/A" */
    bool not_available; /* it does */
} gnd_published;

/* The figure published for a method on a data set; false if there is none, or if out->size is not
 * set. */
GND_API bool gnd_published_get(gnd_published *out, const char *dataset, const char *method,
                               int32_t per_class);

/* The i-th method of the paper's tables; NULL beyond the last. */
GND_API const char *gnd_published_method(int i);

typedef struct {
    uint32_t size;    /* sizeof(gnd_published_data) */
    const char *name; /* of a data set of the paper, as gnd_dataset_name */
    int64_t n_node, n_edge, n_feat, n_class;
    const char *about; /* how the published number of edges was counted */
} gnd_published_data;

/* The i-th data set of the paper's Table 1; false beyond the last, or if out->size is not set. */
GND_API bool gnd_published_data_get(gnd_published_data *out, int i);

/* A cell beside the figure that was published for it. */
typedef struct {
    uint32_t size;      /* sizeof(gnd_report_published) */
    double mean, std;   /* published, as in gnd_published */
    bool not_available; /* likewise */
    /* Our mean minus the published one, in standard errors; NAN if there is none. Both means vary:
     * one standard error is sqrt(published std^2 / 30 + our std^2 / our runs). */
    double difference;
    /* The same in units of published std / sqrt(30), as if ours did not vary: stricter. */
    double difference_strict;
} gnd_report_published;

/* false if nothing was published for the cell, the protocol is another one, or a setting is
 * varied. */
GND_API bool gnd_report_published_get(gnd_report_published *out, const gnd_sweep *s, int64_t block,
                                      int64_t row, int64_t q);

/* How a row does in the cells (data set x label count) of a setting. */
typedef struct {
    uint32_t size;         /* sizeof(gnd_report_score) */
    int64_t n_cell;        /* cells in which every row has a result */
    int64_t n_partial;     /* cells of them in which a row lacks training runs */
    int64_t n_best;        /* cells of them in which the row's mean is the highest */
    int64_t n_near;        /* cells near the published mean: at most two standard errors from it */
    int64_t n_compared;    /* cells with a published mean */
    int64_t n_near_strict; /* cells at most two strict units from it, see gnd_report_published */
} gnd_report_score;

/* setting: a setting of the sweep, or n_setting: by the published figures alone. */
GND_API gnd_status gnd_report_score_get(gnd_report_score *out, const gnd_sweep *s, int64_t setting,
                                        int64_t row, gnd_error *err);

/* ---- layouts in the plane ------------------------------------------------------------------ */

/* Points as rows of numbers, borrowed. This struct never changes. */
typedef struct {
    const float *x; /* [n, d], row by row */
    int64_t n, d;
} gnd_point_rows;

/* How far a layout is. */
typedef struct {
    int64_t done, total; /* iterations */
    int64_t layout;      /* of gnd_layouts_new: the layout being computed, from 0; otherwise 0 */
    int64_t n_layout;    /* of gnd_layouts_new: layouts to compute; otherwise 1 */
} gnd_tsne_progress;

enum { GND_PERPLEXITY_DEFAULT = 30 };

typedef struct {
    uint32_t size;       /* sizeof(gnd_tsne_opts) */
    double perplexity;   /* effective number of neighbours; 0: 30; lowered to (n - 1) / 3, but not
                            below 1, if that is smaller */
    int32_t early;       /* iterations with exaggeration; 0: 250; negative: none */
    int32_t iterations;  /* iterations after those; 0: 500; negative: none */
    double exaggeration; /* factor of the attraction in the early iterations; 0: 12 */
    double theta;        /* Barnes-Hut angle: a cell of points counts as one if its side is at most
                            theta times its distance; 0: 0.5; negative: every pair is computed */
    uint64_t seed;       /* of the noise that separates points that start at the same place */
    int32_t threads;     /* 0: as many as there are CPUs; results do not depend on it */
    const float *start;  /* [n, 2] layout to start from; NULL: the first two principal components */
    /* Called after each iteration; non-zero stops the call with GND_ERR_STOPPED. */
    int (*on_iteration)(const gnd_tsne_progress *p, void *user);
    void *user;
} gnd_tsne_opts;

typedef struct {
    uint32_t size;      /* sizeof(gnd_tsne_result) */
    double kl;          /* Kullback-Leibler divergence of the layout */
    double perplexity;  /* the perplexity used */
    int64_t iterations; /* of both phases */
} gnd_tsne_result;

/* A layout of points in the plane by t-SNE: neighbours among the points are neighbours in the
 * layout. layout: [n, 2], centred at 0. GND_ERR_ARG if a number of the points or of o->start is not
 * finite. res and o may be NULL. The forces between fewer than 1000 points are computed without
 * approximation. The same bits for any number of threads. Cost: n^2 d for the neighbours, then
 * n log n per iteration. */
GND_API gnd_status gnd_tsne(float *layout, gnd_tsne_result *res, const gnd_point_rows *points,
                            const gnd_tsne_opts *o, gnd_error *err);

/* Mean silhouette of points by class: (b - a) / max(a, b), where a is the mean distance of a point
 * to the others of its class and b the smallest mean distance to another class; 0 for a point that
 * is alone in its class. label: [n], negative: the point is left out. *out is NAN if fewer than two
 * classes have points. threads as in gnd_tsne_opts. Cost: n^2 d. */
GND_API gnd_status gnd_silhouette(double *out, const gnd_point_rows *points, const int32_t *label,
                                  int32_t threads, gnd_error *err);

/* W^k X Theta for some k: the features X of a graph (rows divided by their sums; the identity if
 * it has none), projected to r columns by a random Theta (Glorot uniform, the initial weights of
 * method gnd-slp with the same seed) and diffused by the random walk W = D^-1 (A + I). */
typedef struct gnd_hop_features gnd_hop_features;

typedef struct {
    uint32_t size;       /* sizeof(gnd_hop_features_opts) */
    const int32_t *hops; /* [n_hop] the k, ascending, at least 0 */
    int64_t n_hop;
    int32_t filters; /* r; 0: 16 */
    uint64_t seed;   /* of Theta */
    int32_t threads; /* 0: as many as there are CPUs; results do not depend on it */
    /* Called now and then, with the number of products done; non-zero stops the call with
     * GND_ERR_STOPPED. */
    int (*on_product)(int64_t done, int64_t total, void *user);
    void *user;
} gnd_hop_features_opts;

/* g of any mode; the paper's figure has GND_GRAPH_UND. Cost: r times the number of arcs, for each
 * of the powers up to the highest. */
GND_API gnd_status gnd_hop_features_new(gnd_hop_features **out, const gnd_graph *g,
                                        const gnd_hop_features_opts *o, gnd_error *err);
GND_API void gnd_hop_features_free(gnd_hop_features *h);
GND_API int64_t gnd_hop_features_n(const gnd_hop_features *h);       /* number of powers */
GND_API int64_t gnd_hop_features_n_node(const gnd_hop_features *h);  /* n */
GND_API int32_t gnd_hop_features_filters(const gnd_hop_features *h); /* r */
/* The i-th k; -1 beyond the last. */
GND_API int32_t gnd_hop_features_hop(const gnd_hop_features *h, int64_t i);
/* W^k X Theta for the i-th k, [n, r]; NULL beyond the last. */
GND_API const float *gnd_hop_features_get(const gnd_hop_features *h, int64_t i);
/* Write an npz file, atomically: arrays hop_K [n, r] for each k, labels [n] (-1: none),
 * class_names, and node_names if the vertices have ids. g: the graph of h. */
GND_API gnd_status gnd_hop_features_save(const gnd_hop_features *h, const gnd_graph *g,
                                         const char *path, gnd_error *err);

/* The layouts of a gnd_hop_features: t-SNE for each k in turn, each from the layout before, so that
 * a vertex keeps its place where the features allow it. */
typedef struct gnd_layouts gnd_layouts;

typedef struct {
    int32_t hop;       /* k */
    const float *xy;   /* [n, 2] */
    double kl;         /* as in gnd_tsne_result */
    double silhouette; /* by the labels of the graph; NAN with fewer than two classes */
} gnd_layout;

/* g: the graph of h, whose labels the silhouettes use. o may be NULL; o->start is the start of the
 * first layout. */
GND_API gnd_status gnd_layouts_new(gnd_layouts **out, const gnd_hop_features *h, const gnd_graph *g,
                                   const gnd_tsne_opts *o, gnd_error *err);
GND_API void gnd_layouts_free(gnd_layouts *l);
GND_API int64_t gnd_layouts_n(const gnd_layouts *l);
/* NULL beyond the last, as gnd_layouts_note. */
GND_API const gnd_layout *gnd_layouts_get(const gnd_layouts *l, int64_t i);
/* The perplexity used. */
GND_API double gnd_layouts_perplexity(const gnd_layouts *l);
/* What was changed: the perplexity on a small graph. */
GND_API int64_t gnd_layouts_n_note(const gnd_layouts *l);
GND_API const gnd_note *gnd_layouts_note(const gnd_layouts *l, int64_t i);

/* ---- tables and reports -------------------------------------------------------------------- */

typedef enum {
    GND_FORMAT_TEXT,
    GND_FORMAT_MARKDOWN,
    GND_FORMAT_LATEX, /* a tabular with booktabs */
    GND_FORMAT_CSV
} gnd_table_format;

typedef struct gnd_table gnd_table;

/* align: 'l' or 'r' for each column. NULL: no memory. */
GND_API gnd_table *gnd_table_new(const char *align);
/* Append a cell, row by row; the first row is the heading. If memory fails, gnd_table_write says
 * so. */
GND_API void gnd_table_cell(gnd_table *t, const char *fmt, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Append a row: a text for each column. */
GND_API void gnd_table_row(gnd_table *t, const char *const *cells);
/* The last cell is bold in all formats but CSV. */
GND_API void gnd_table_bold(gnd_table *t);
GND_API int64_t gnd_table_n_row(const gnd_table *t);

typedef struct {
    uint32_t size; /* sizeof(gnd_table_opts) */
    gnd_table_format format;
    int32_t indent; /* columns before each line of text */
    bool ansi;      /* bold text by escape sequences of a terminal */
} gnd_table_opts;

/* Failed writes to f are the caller's to find. In all formats but CSV, control characters are
 * masked. o may be NULL. */
GND_API gnd_status gnd_table_write(const gnd_table *t, FILE *f, const gnd_table_opts *o,
                                   gnd_error *err);
GND_API void gnd_table_free(gnd_table *t);
/* The words of a text in lines of up to 79 columns. at: the column that the first line starts at;
 * the others start at indent. Ends with a newline. */
GND_API void gnd_text_wrap(FILE *f, const char *text, int at, int indent);

typedef enum {
    GND_REPORT_COMPARISON, /* accuracy, calibration, paired tests, times of each block */
    GND_REPORT_PAPER,      /* the paper's tables: data sets, accuracy, best methods, times */
    GND_REPORT_PLAN,       /* what is to be trained and what the store has */
    GND_REPORT_RUNS        /* a row for each training run */
} gnd_report_kind;

typedef struct {
    uint32_t size; /* sizeof(gnd_report_opts) */
    gnd_report_kind kind;
    gnd_table_format format; /* GND_FORMAT_CSV of a comparison or the paper: a row for each cell */
    bool ansi;               /* as in gnd_table_opts */
    const char *store;       /* the name of the store in GND_REPORT_PLAN; NULL: "the store" */
} gnd_report_opts;

/* Write a report on the sweep's figures. Failed writes to f are the caller's to find. */
GND_API gnd_status gnd_report_write(FILE *f, const gnd_sweep *s, const gnd_report_opts *o,
                                    gnd_error *err);

/* ---- figures ------------------------------------------------------------------------------- */

/* A figure for a paper, 84 or 174 mm wide: its data, and how they are drawn. */
typedef struct gnd_figure gnd_figure;

typedef enum {
    GND_FIGURE_SVG, /* the same bytes on every machine */
    GND_FIGURE_CSV  /* its data: panel, series, x, y, low and high end of error bars */
} gnd_figure_format;

/* Failed writes to f are the caller's to find. */
GND_API gnd_status gnd_figure_write(const gnd_figure *fig, FILE *f, gnd_figure_format format,
                                    gnd_error *err);
GND_API void gnd_figure_free(gnd_figure *fig);

typedef enum {
    GND_BARS_SE,      /* standard error of the mean */
    GND_BARS_STD,     /* population standard deviation */
    GND_BARS_INTERVAL /* 95 % interval of the mean */
} gnd_error_bars;

typedef struct {
    uint32_t size; /* sizeof(gnd_figure_results_opts) */
    const char *const
        *paths; /* [n_path] reports with GND_FORMAT_CSV of a comparison or the paper */
    int64_t n_path;
    const char *dataset, *graph, *rule; /* whose figures; NULL: the files have those of only one */
    const char *const *methods;         /* [n_method], in the order of the legend; none: all */
    int64_t n_method;
    int32_t per_class; /* for gnd_figure_depth; 0: the files have only one label count */
    gnd_error_bars bars;
    int64_t max_input; /* as in gnd_load_opts */
} gnd_figure_results_opts;

/* Accuracy against labels per class, a line for each method, and published figures. */
GND_API gnd_status gnd_figure_accuracy(gnd_figure **out, const gnd_figure_results_opts *o,
                                       gnd_error *err);
/* Accuracy against a setting that varies, such as layers or hops, a line for each method. */
GND_API gnd_status gnd_figure_depth(gnd_figure **out, const gnd_figure_results_opts *o,
                                    gnd_error *err);
/* Train as gnd_train does: loss and accuracy of each epoch, training and validation. GND_ERR_ARG
 * for a method without epochs. */
GND_API gnd_status gnd_figure_curves(gnd_figure **out, const gnd_graph *g, const gnd_split *s,
                                     const gnd_config *c, const gnd_train_opts *o, gnd_error *err);
/* gnd_model_hop_weights beside the weights of PageRank and of the heat kernel. */
GND_API gnd_status gnd_figure_hops(gnd_figure **out, const gnd_model *m, const gnd_graph *g,
                                   const gnd_train_opts *o, gnd_error *err);
/* A panel for each layout, vertices coloured by their labels; g as in gnd_layouts_new. */
GND_API gnd_status gnd_figure_layouts(gnd_figure **out, const gnd_layouts *l, const gnd_graph *g,
                                      gnd_error *err);
/* Accuracy against confidence in the bins of gnd_metrics_ece, and the share of vertices in each. */
GND_API gnd_status gnd_figure_reliability(gnd_figure **out, const gnd_metrics *m, gnd_error *err);
/* The same for a file that gnd_prediction_write wrote, on the test vertices of s. */
GND_API gnd_status gnd_figure_reliability_file(gnd_figure **out, const char *path,
                                               const gnd_graph *g, const gnd_split *s,
                                               gnd_error *err);

/* ---- several processes --------------------------------------------------------------------- */

/* A graph that outgrows one machine is worked on by several processes, which mpirun or srun starts
 * with the same arguments. Each holds a part of the graph; all of them make the same calls in the
 * same order. Needs a library that was built with PETSc (docs/cluster.md). */

/* Number of processes that were started together, as the environment says; 1: this one alone, or
 * GND_PROCESSES is 1. */
GND_API int32_t gnd_cluster_launched(void);
/* Connect with the others, once and before all other calls; nothing if this one was started alone.
 * GND_ERR_ARG if the library was built without PETSc, or if the others cannot be reached. */
GND_API gnd_status gnd_cluster_start(gnd_error *err);
/* Number of connected processes, 1 before gnd_cluster_start; the number of this one, from 0: before
 * gnd_cluster_start, and without PETSc, as the environment says. */
GND_API int32_t gnd_cluster_size(void);
GND_API int32_t gnd_cluster_rank(void);

typedef struct {
    uint32_t size;               /* sizeof(gnd_cluster_load_opts) */
    const gnd_load_opts *load;   /* may be NULL; without features, which are in the file */
    gnd_graph_mode mode;         /* GND_GRAPH_UND */
    const gnd_split_opts *split; /* NULL: none, and the split is NULL */
} gnd_cluster_load_opts;

/* The part of a graph that this process works on, and the split. The graph is a safetensors file
 * (gnd_dataset_convert) that all processes can open; label files are read by process 0. Every
 * process has all training and validation vertices, and its own test vertices. Counts of the graph
 * and the split are those of the whole graph; lists of vertices and predictions have the vertices
 * of this process only, and may be shorter than these counts. gnd_train, gnd_label,
 * gnd_prediction_clamp, gnd_metrics_of_split and the writers of predictions take such a graph. */
GND_API gnd_status gnd_cluster_load(gnd_graph **out, gnd_split **split, const char *name_or_path,
                                    const gnd_cluster_load_opts *o, gnd_error *err);

typedef enum {
    GND_CLUSTER_AGREED, /* all have ended their work */
    GND_CLUSTER_ALONE   /* this one failed, and the others still wait for it: end the job */
} gnd_cluster_end_kind;

/* At the end of the program: compare exit codes. *code: that of this process, then the largest of
 * all. *first: the lowest number of a process whose code is not 0, -1 if there is none. */
GND_API gnd_cluster_end_kind gnd_cluster_agree(int32_t *code, int32_t *first);
/* Disconnect, after gnd_cluster_agree. GND_CLUSTER_ALONE ends all processes, this one too, with
 * the exit code. */
GND_API void gnd_cluster_end(gnd_cluster_end_kind kind, int32_t code);

/* How the vertices of a graph are ordered in its file, which decides how many of them processes
 * copy. */
typedef enum {
    GND_ORDER_RANDOM,     /* neighbours are anywhere */
    GND_ORDER_METIS,      /* by gnd_graph_partition, on a graph with hubs and few communities */
    GND_ORDER_COMMUNITIES /* the same where nine of ten links are within small communities */
} gnd_vertex_order;

typedef struct {
    uint32_t size;                /* sizeof(gnd_cluster_plan) */
    int64_t n_node, n_edge;       /* of the undirected graph */
    int64_t n_feat, n_feat_entry; /* features and their entries; 0: none */
    int64_t n_class;
    int32_t processes, threads; /* threads of each process; 0: one */
    gnd_vertex_order order;
    int64_t copies; /* as gnd_partition_info counts them; 0: estimated by the order */
    double latency; /* of a message, in microseconds */
    double gbit;    /* that a process receives in a second, in 10^9 bits */
} gnd_cluster_plan;

typedef struct {
    uint32_t size;          /* sizeof(gnd_cluster_cost) */
    double copies;          /* of all processes, per vertex */
    double bytes;           /* of a process at its peak */
    double bytes_first;     /* of process 0, which also reads ids and labels */
    double seconds;         /* the sum of the following */
    double load_seconds;    /* reading the graph, making it undirected */
    double compute_seconds; /* products and layers of a process */
    double copy_seconds;    /* rows that processes copy in each product */
    double sum_seconds;     /* sums over all vertices */
    double write_seconds;   /* the result, by process 0 */
    char limit[160];        /* why it cannot run like this; "": it can */
} gnd_cluster_cost;

/* Estimate memory and time of a labelling without a validation set, by the model of docs/scale.md:
 * nothing is measured or read. GND_ERR_ARG for a method that the model does not have, and for sizes
 * below 1. */
GND_API gnd_status gnd_cluster_estimate(gnd_cluster_cost *out, const gnd_cluster_plan *p,
                                        const gnd_config *c, gnd_error *err);

#ifdef __cplusplus
}
#endif
#endif
