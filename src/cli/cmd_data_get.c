/* SPDX-License-Identifier: MIT
 * cmd_data_get.c - `gnd data get`: download data sets by name. mirrors.def has the places, sizes
 * and hashes of their files. */
#define _DEFAULT_SOURCE
#include "common.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch.h"
#include "progress.h"
#include "say.h"

enum { N_URL = 2 };

typedef enum {
#define SOURCE(name, a, b) SOURCE_##name,
#define DATA_FILE(set, source, file, bytes, sha)
#include "mirrors.def"
#undef SOURCE
#undef DATA_FILE
    N_SOURCE
} source;

static const char *const base[N_SOURCE][N_URL] = {
#define SOURCE(name, a, b) {a, b},
#define DATA_FILE(set, source, file, bytes, sha)
#include "mirrors.def"
#undef SOURCE
#undef DATA_FILE
};

static const struct {
    const char *set;
    source from;
    const char *file;
    int64_t size;
    const char *sha256;
} files[] = {
#define SOURCE(name, a, b)
#define DATA_FILE(set, source, file, bytes, sha) {set, SOURCE_##source, file, bytes, sha},
#include "mirrors.def"
#undef SOURCE
#undef DATA_FILE
};

enum { N_FILE = sizeof files / sizeof files[0] };

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("options"),
    {.type = OPT_TEXT,
     .name = "data-dir",
     .arg = "DIR",
     .at = AT(data_dir),
     .help = "folder to put the files into (default: the cache, $XDG_CACHE_HOME/gnd or "
             "~/.cache/gnd, which every command searches)"},
    {.type = OPT_INT,
     .name = "timeout",
     .arg = "SECONDS",
     .fallback = "30",
     .min = 1,
     .max = 86400,
     .at = AT(timeout),
     .help = "give up a server that sends nothing for this long"},
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_data_get = {
    .name = "data get",
    .purpose = "download data sets by name",
    .operands = "NAME... | all [options]",
    .about = "Downloads the original files of cora, citeseer, pubmed, cora_ml, amazon_computers or "
             "amazon_photo, and checks their SHA-256 hashes. A download that was interrupted is "
             "continued when the command is given again. $GND_MIRROR, an https URL, names another "
             "place that has the files.",
    .examples = "  gnd data get cora\n"
                "  gnd data get all --data-dir ~/graphs\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = -1,
    .run = run,
};

/* ---- names ---- */

static bool is_listed(const char *set)
{
    for (int i = 0; i < N_FILE; i++)
        if (strcmp(files[i].set, set) == 0)
            return true;
    return false;
}

/* Is the set among the operands? */
static bool is_asked(const cli_args *a, const char *set)
{
    for (int64_t i = 0; i < a->operand.n; i++)
        if (strcmp(a->operand.v[i], set) == 0 || strcmp(a->operand.v[i], "all") == 0)
            return true;
    return false;
}

/* Check the operands. Sets that come with gnd need no download. */
static int names_check(const cli_args *a)
{
    const char *known[N_FILE + 2] = {"all"};
    int n = 1;

    for (int i = 0; i < N_FILE; i++)
        if (i == 0 || strcmp(files[i].set, files[i - 1].set) != 0)
            known[n++] = files[i].set;
    for (int64_t i = 0; i < a->operand.n; i++) {
        const char *name = a->operand.v[i], *close = nearest(name, known);
        bool here = false;

        for (int k = 0; gnd_dataset_name(k); k++)
            here |= strcmp(gnd_dataset_name(k), name) == 0;
        if (here && !is_listed(name))
            say_note(a->quiet, "%s comes with gnd; there is nothing to download", name);
        else if (!is_listed(name) && strcmp(name, "all") != 0)
            return say_usage("data get: '%.60s' is not a data set that can be downloaded%s%s%s; "
                             "`gnd data list` lists them",
                             name, close ? "; did you mean '" : "", close ? close : "",
                             close ? "'?" : "");
    }
    return 0;
}

/* ---- the folder ---- */

/* Make a folder and those it is in. */
static int folder_make(const char *path)
{
    char *copy = need_text("%s", path);
    int rc = 0;

    for (char *p = copy + 1; !rc; p++) {
        const char c = *p;

        if (c && c != '/')
            continue;
        *p = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            rc = say_failed("%s: %s", copy, strerror(errno));
        *p = c;
        if (!c)
            break;
    }
    free(copy);
    return rc;
}

static int folder_get(char *buf, size_t size, const cli_args *a)
{
    gnd_error err = {0};

    if (a->data_dir) {
        if ((size_t)snprintf(buf, size, "%s", a->data_dir) >= size)
            return say_usage("--data-dir: the name is too long");
    } else if (gnd_dataset_cache(buf, size, &err)) {
        return say_failed("%s; give a folder with --data-dir", err.msg);
    }
    return folder_make(buf);
}

/* ---- downloads ---- */

typedef struct {
    const cli_args *a;
    const char *folder;
    const char *mirror; /* $GND_MIRROR; NULL: not set */
    progress bar;
    double start;
    int64_t n_file, n_done; /* files to get, and those that are there */
    int64_t total, done;    /* bytes of all, of complete files */
    int64_t received;       /* bytes of files that were downloaded now */
    int current;            /* index in files */
    json_t *list;
} get;

static void on_bytes(int64_t bytes, void *user)
{
    get *g = user;
    const double share = (double)(g->done + bytes) / (double)g->total;
    const double seconds = clock_now() - g->start;
    const gnd_sweep_progress at = {
        .done = g->n_done,
        .total = g->n_file,
        .share = share,
        .seconds_left = share > 0 ? seconds * (1 - share) / share : 0,
    };

    progress_work(&g->bar, &at, files[g->current].file);
}

/* The URLs of a file, for fetch_job; the caller frees them. Returns their number. */
static int urls_get(char *url[N_URL], const get *g, int i)
{
    if (g->mirror) {
        const size_t n = strlen(g->mirror);

        url[0] = need_text("%s%s%s", g->mirror, n > 0 && g->mirror[n - 1] == '/' ? "" : "/",
                           files[i].file);
        return 1;
    }
    for (int k = 0; k < N_URL; k++)
        url[k] = need_text("%s%s", base[files[i].from][k], files[i].file);
    return N_URL;
}

/* Get one file, unless it is there. */
static int file_get(get *g, int i)
{
    char *url[N_URL], *path = need_text("%s/%s", g->folder, files[i].file), why[512] = "";
    const int n_url = urls_get(url, g, i);
    const fetch_job j = {
        .url = (const char *const *)url,
        .n_url = n_url,
        .path = path,
        .size = files[i].size,
        .sha256 = files[i].sha256,
        .timeout = g->a->timeout,
        .on_bytes = on_bytes,
        .user = g,
    };
    const bool there = access(path, F_OK) == 0;
    int rc = 0;

    g->current = i;
    if (there && !fetch_is_whole(path, files[i].size, files[i].sha256))
        rc = say_failed("%s is not the file of %s (SHA-256 differs); remove it, or choose another "
                        "folder with --data-dir",
                        path, files[i].set);
    else if (!there && !fetch_available())
        rc = say_failed("this gnd was built without libcurl; install libcurl4-gnutls-dev and build "
                        "it again, or download %s into %s",
                        url[0], g->folder);
    else if (!there && !fetch_file(&j, why, sizeof why)) {
        progress_end(&g->bar);
        rc = say_failed("%s: %s; try again later, or download %s into %s by other means",
                        files[i].file, why, url[0], g->folder);
    }
    if (!rc && !there)
        g->received += files[i].size;
    g->done += files[i].size;
    g->n_done++;
    for (int k = 0; k < n_url; k++)
        free(url[k]);
    free(path);
    return rc;
}

/* Say that a set is complete. */
static void set_done(get *g, const char *set, int64_t n, int64_t bytes)
{
    json_t *o = json_object();
    char path[4096] = "";
    gnd_error err = {0};

    progress_end(&g->bar);
    gnd_dataset_find(path, sizeof path, set, g->folder, &err);
    if (!g->a->json)
        printf("%s: %" PRId64 " file%s, %.1f MB, in %s\n", set, n, n == 1 ? "" : "s",
               (double)bytes / 1e6, g->folder);
    js_set(o, "name", js_text(set));
    js_set(o, "path", js_text(*path ? path : NULL));
    js_set(o, "files", js_count(n));
    js_set(o, "bytes", js_count(bytes));
    js_append(g->list, o);
}

static int get_all(get *g)
{
    int64_t n = 0, bytes = 0;
    int rc = 0;

    for (int i = 0; i < N_FILE && !rc; i++) {
        if (!is_asked(g->a, files[i].set))
            continue;
        rc = file_get(g, i);
        n++;
        bytes += files[i].size;
        if (!rc && (i + 1 == N_FILE || strcmp(files[i].set, files[i + 1].set) != 0)) {
            set_done(g, files[i].set, n, bytes);
            n = bytes = 0;
        }
    }
    return rc;
}

static int run(const cli_args *a)
{
    char folder[4096];
    get g = {.a = a, .folder = folder, .mirror = getenv("GND_MIRROR")};
    json_t *o;
    int rc = names_check(a);

    if (!rc && g.mirror && !fetch_allowed(g.mirror))
        rc = say_usage("GND_MIRROR is %.200s; expected a URL that starts with https://", g.mirror);
    for (int i = 0; i < N_FILE; i++)
        if (is_asked(a, files[i].set)) {
            g.n_file++;
            g.total += files[i].size;
        }
    if (!rc && g.n_file > 0)
        rc = folder_get(folder, sizeof folder, a);
    if (rc)
        return rc;
    g.list = json_array();
    g.start = clock_now();
    progress_start(&g.bar, "download: file", "about", progress_off(a));
    rc = get_all(&g);
    progress_end(&g.bar);
    o = json_object();
    js_set(o, "folder", js_text(g.n_file > 0 ? folder : NULL));
    js_set(o, "downloaded_bytes", js_count(g.received));
    js_set(o, "datasets", g.list);
    if (!rc && a->json)
        js_print(stdout, o);
    else
        json_decref(o);
    return rc;
}
