/* SPDX-License-Identifier: MIT
 * store_folder.c - export the runs of a store to a folder, and import them. */
#define _POSIX_C_SOURCE 200809L
#include "store_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/outfile.h"
#include "store_priv.h"

bool gnd_is_folder(const char *path)
{
    const size_t n = strlen(path);
    struct stat sb;

    return (n > 0 && path[n - 1] == '/') || (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode));
}

/* Is this file of a folder one of runs? */
static bool is_runs(const char *name)
{
    return name[0] != '.' && gnd_path_ends(name, ".csv") && strcmp(name, GND_FOLDER_CONFIGS) != 0 &&
           strcmp(name, GND_FOLDER_DATASETS) != 0;
}

static char *path_make(const char *folder, const char *name)
{
    const size_t n = strlen(folder);

    return gnd_text_make("%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
}

static gnd_status no_memory(const char *path, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", path);
}

/* ---- export ---- */

/* The files that are being written. */
typedef struct {
    const char *folder;
    gnd_configs configs;
    gnd_outfile *file; /* configs.csv, then those of the data sets in their order */
    char **name;       /* of each file, without the folder */
    int64_t n;
} export;

/* The names of the files are not the user's choice, so only files of an earlier export are
 * replaced. */
static gnd_status old_check(const char *path, bool runs, gnd_error *err)
{
    const char *const heading = runs ? "dataset,graph,data," : "config,method,settings";
    char first[32] = "";
    FILE *f = fopen(path, "r");
    size_t n;

    if (!f)
        return GND_OK; /* gnd_outfile_open tells why it cannot be written */
    n = fread(first, 1, sizeof first, f);
    fclose(f);
    if (n == 0 || (n >= strlen(heading) && memcmp(first, heading, strlen(heading)) == 0))
        return GND_OK;
    return gnd_fail(err, GND_ERR_ARG,
                    "%s: is not a file of exported training runs and would be overwritten; export "
                    "to another folder",
                    path);
}

static gnd_status file_add(export *e, const char *name, gnd_error *err)
{
    gnd_outfile *file = gnd_realloc(e->file, e->n + 1, sizeof *file);
    char **names, *path;
    gnd_status st;

    e->file = file ? file : e->file;
    names = gnd_realloc(e->name, e->n + 1, sizeof *names);
    e->name = names ? names : e->name;
    path = path_make(e->folder, name);
    if (!file || !names || !path || !(names[e->n] = gnd_strdup(name)))
        GND_TRY(no_memory(e->folder, err));
    file[e->n] = (gnd_outfile){0};
    e->n++;
    GND_TRY(old_check(path, e->n > 1, err));
    GND_TRY(gnd_outfile_open(&file[e->n - 1], path, err));
out:
    gnd_free(path);
    return st;
}

static void export_fini(export *e)
{
    gnd_configs_fini(&e->configs);
    for (int64_t i = 0; i < e->n; i++) {
        gnd_outfile_discard(&e->file[i]);
        gnd_free(e->name[i]);
    }
    gnd_free(e->file);
    gnd_free(e->name);
}

/* The file of a data set, whose rows follow one another. */
static gnd_status dataset_file(export *e, const char *dataset, gnd_error *err)
{
    char *name = gnd_text_make("%s.csv", dataset);
    gnd_status st = GND_OK;

    if (!name)
        GND_TRY(no_memory(e->folder, err));
    if (!is_runs(name) || strchr(name, '/'))
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "%s: '%.60s' cannot be the name of a file; export to one file instead",
                         e->folder, dataset));
    if (strcmp(e->name[e->n - 1], name) == 0)
        goto out;
    GND_TRY(file_add(e, name, err));
    gnd_row_print_header(e->file[e->n - 1].f, true);
out:
    gnd_free(name);
    return st;
}

static gnd_status rows_write(export *e, gnd_store *s, gnd_error *err)
{
    static const char doing[] = "read the training runs";
    gnd_status st;

    for (;;) {
        char config[GND_CONFIG_TEXT];
        gnd_row row;
        bool more;

        GND_TRY(gnd_store_step(s, SQL_ALL, &more, doing, err));
        if (!more)
            break;
        GND_TRY(gnd_row_read(&row, s->sql[SQL_ALL], s->path, err));
        GND_TRY(dataset_file(e, row.dataset, err));
        GND_TRY(gnd_configs_add(&e->configs, row.method, row.settings, err));
        gnd_row_print(e->file[e->n - 1].f, &row, gnd_key_config(config, row.method, row.settings));
    }
out:
    if (st != GND_OK)
        sqlite3_reset(s->sql[SQL_ALL]);
    return st;
}

/* A file of runs that is not written again would refer to configurations that are gone. */
static gnd_status others_check(const export *e, gnd_error *err)
{
    DIR *d = opendir(e->folder);
    gnd_status st = GND_OK;

    for (struct dirent *f; st == GND_OK && d && (f = readdir(d));) {
        bool ours = !is_runs(f->d_name);

        for (int64_t i = 0; i < e->n; i++)
            ours = ours || strcmp(e->name[i], f->d_name) == 0;
        if (!ours)
            st = gnd_fail(err, GND_ERR_ARG,
                          "%s: has %.100s, of a data set without runs in the store; import the "
                          "folder into the store first, or remove that file",
                          e->folder, f->d_name);
    }
    if (d)
        closedir(d);
    return st;
}

gnd_status gnd_folder_export(gnd_store *s, const char *path, gnd_error *err)
{
    export e = {.folder = path};
    gnd_status st;

    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    GND_TRY(file_add(&e, GND_FOLDER_CONFIGS, err));
    GND_TRY(rows_write(&e, s, err));
    GND_TRY(others_check(&e, err));
    gnd_configs_write(&e.configs, e.file[0].f);
    for (int64_t i = 0; i < e.n; i++)
        if (fflush(e.file[i].f) != 0) /* a full disk shows here, before a file is replaced */
            GND_TRY(gnd_outfile_commit(&e.file[i], err)); /* fails too, and says why */
    for (int64_t i = 0; i < e.n; i++)
        GND_TRY(gnd_outfile_commit(&e.file[i], err));
out:
    export_fini(&e);
    return st;
}

/* ---- import ---- */

gnd_status gnd_folder_configs(gnd_configs *c, const char *path, gnd_error *err)
{
    const char *slash = strrchr(path, '/');
    char *configs =
        gnd_text_make("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, GND_FOLDER_CONFIGS);
    gnd_status st;

    if (!configs)
        return no_memory(path, err);
    st = gnd_configs_read(c, configs, err);
    gnd_free(configs);
    return st;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The paths of the files of runs, sorted. */
static gnd_status files_list(char ***out, int64_t *n, const char *path, gnd_error *err)
{
    DIR *d = opendir(path);
    gnd_status st = GND_OK;

    if (!d)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    for (struct dirent *f; (f = readdir(d));) {
        char **more;

        if (!is_runs(f->d_name))
            continue;
        more = gnd_realloc(*out, *n + 1, sizeof *more);
        *out = more ? more : *out;
        if (!more || !(more[*n] = path_make(path, f->d_name)))
            GND_TRY(no_memory(path, err));
        ++*n;
    }
    if (*n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: has no files of exported training runs", path));
    qsort(*out, (size_t)*n, sizeof **out, by_name);
out:
    closedir(d);
    return st;
}

gnd_status gnd_folder_import(gnd_store *s, const char *path, int64_t *n_new, gnd_error *err)
{
    char **file = NULL;
    int64_t n = 0;
    gnd_status st;

    GND_TRY(files_list(&file, &n, path, err));
    for (int64_t i = 0; i < n; i++)
        GND_TRY(gnd_store_import_file(s, file[i], n_new, err));
out:
    for (int64_t i = 0; i < n; i++)
        gnd_free(file[i]);
    gnd_free(file);
    return st;
}
