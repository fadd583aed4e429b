/* SPDX-License-Identifier: MIT
 * checkpoint.c - a manifest (text) and data files in a folder; see the header.
 *
 *     manifest    "gnd checkpoint 1", then lines "key<TAB>value": serial, stage, step, the names of
 *                 the data files, and what the run is
 *     data file   magic, serial, number of arrays; of each its name, size and bytes; a checksum
 */
#define _XOPEN_SOURCE 700
#include "checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "buffer.h"
#include "mapping.h"
#include "outfile.h"
#include "rng.h"
#include "str.h"

static const char head[] = "gnd checkpoint 1\n", magic[] = "gndstate", prefix[] = "state-";
enum { PATH_ROOM = 64, STAGE_ROOM = 128, MANIFEST_MAX = 1 << 20, MAGIC = 8, NAME_MAX_LEN = 64 };

struct gnd_checkpoint {
    char *folder, *run;
    double seconds, last; /* last: time of the last state */
    gnd_team team;
    bool found, used;
    int64_t serial, step; /* of the state in the folder, if one was found */
    char stage[STAGE_ROOM];
    bool has_shared, has_own; /* its data files */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* folder/name; by gnd_alloc, NULL: no memory. */
static char *path_of(const char *folder, const char *name)
{
    return gnd_text_make("%s/%s", folder, name);
}

/* The name of the data file of a process; rank -1: the arrays that all have. */
static const char *file_name(char buf[PATH_ROOM], int64_t serial, int32_t rank)
{
    if (rank < 0)
        snprintf(buf, PATH_ROOM, "%s%lld-shared", prefix, (long long)serial);
    else
        snprintf(buf, PATH_ROOM, "%s%lld-%d", prefix, (long long)serial, rank);
    return buf;
}

static gnd_status no_memory(const char *folder, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for a checkpoint", folder);
}

static gnd_status not_folder(const char *folder, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_IO, "%s: is not a folder, which a checkpoint needs", folder);
}

static void file_remove(const char *folder, const char *name)
{
    char *path = path_of(folder, name);

    if (path)
        unlink(path);
    gnd_free(path);
}

/* ---- the manifest ---- */

/* A running hash of bytes, eight at a time. */
static void hash_add(uint64_t *h, const void *bytes, int64_t n)
{
    const char *s = bytes;

    for (int64_t i = 0; i < n; i += 8) {
        uint64_t w = 0;

        memcpy(&w, s + i, (size_t)(n - i < 8 ? n - i : 8));
        *h = gnd_mix64(*h ^ w) + UINT64_C(0x9e3779b97f4a7c15);
    }
}

/* The value of the line "key<TAB>value" of a text, up to its end of line; NULL: there is none. */
static const char *line_find(const char *text, const char *key, size_t *len)
{
    const size_t n = strlen(key);

    for (const char *s = text; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL)
        if (strncmp(s, key, n) == 0 && s[n] == '\t') {
            *len = strcspn(s + n + 1, "\n");
            return s + n + 1;
        }
    return NULL;
}

static bool number_find(int64_t *out, const char *text, const char *key)
{
    size_t n = 0;
    const char *s = line_find(text, key, &n);

    return s && gnd_parse_int(out, s, n) && *out >= 0;
}

static gnd_status not_manifest(const gnd_checkpoint *c, gnd_error *err)
{
    return gnd_fail(err, GND_ERR_FORMAT,
                    "%s/manifest: is not the manifest of a checkpoint; name another folder, or "
                    "remove this one to start anew",
                    c->folder);
}

/* Compare what the manifest says of the run with what it is, line by line. */
static gnd_status run_check(const gnd_checkpoint *c, const char *text, gnd_error *err)
{
    char key[NAME_MAX_LEN];

    for (const char *s = c->run; *s; s += strcspn(s, "\n") + (strchr(s, '\n') != NULL)) {
        const size_t n_key = strcspn(s, "\t\n"), n = strcspn(s, "\n");
        const char *want = s[n_key] == '\t' ? s + n_key + 1 : s + n_key, *got;
        const size_t n_want = n - (size_t)(want - s);
        size_t n_got = 0;

        snprintf(key, sizeof key, "%.*s", (int)n_key, s);
        got = line_find(text, key, &n_got);
        if (got && n_got == n_want && memcmp(got, want, n_want) == 0)
            continue;
        return gnd_fail(err, GND_ERR_ARG,
                        "%s: has the checkpoint of another run (%s: %.*s, now %.*s); repeat that "
                        "command to continue it, or remove the folder to start anew: rm -r %s",
                        c->folder, key, got ? (int)n_got : 4, got ? got : "none", (int)n_want, want,
                        c->folder);
    }
    return GND_OK;
}

static uint64_t text_hash(const char *text, size_t n)
{
    uint64_t h = 1;

    hash_add(&h, text, (int64_t)n);
    return h;
}

/* Is the last line the checksum of those before it? It is cut off. */
static bool checksum_cut(char *text)
{
    char *line = strstr(text, "\nchecksum\t"), want[32];

    if (!line)
        return false;
    line++;
    snprintf(want, sizeof want, "checksum\t%016llx\n",
             (unsigned long long)text_hash(text, (size_t)(line - text)));
    if (strcmp(line, want) != 0)
        return false;
    *line = '\0';
    return true;
}

static gnd_status manifest_parse(gnd_checkpoint *c, char *text, gnd_error *err)
{
    char name[PATH_ROOM];
    size_t n = 0;
    const char *stage = line_find(text, "stage", &n);

    if (strncmp(text, head, sizeof head - 1) != 0 || !checksum_cut(text) || !stage ||
        n >= sizeof c->stage || !number_find(&c->serial, text, "serial") ||
        !number_find(&c->step, text, "step"))
        return not_manifest(c, err);
    memcpy(c->stage, stage, n);
    c->stage[n] = '\0';
    c->has_shared = line_find(text, file_name(name, c->serial, -1), &n) != NULL;
    c->has_own = line_find(text, file_name(name, c->serial, c->team.rank), &n) != NULL;
    c->found = true;
    return run_check(c, text, err);
}

static gnd_status manifest_read(gnd_checkpoint *c, gnd_error *err)
{
    char *path = path_of(c->folder, "manifest");
    char *text = gnd_alloc(MANIFEST_MAX + 1, 1);
    struct stat sb;
    const bool other = path && stat(path, &sb) == 0 && !S_ISREG(sb.st_mode);
    FILE *f = path && !other ? fopen(path, "rb") : NULL;
    const int why = errno;
    gnd_status st = GND_OK;
    size_t n;

    if (!path || !text)
        GND_TRY(no_memory(c->folder, err));
    if (other)
        GND_TRY(not_manifest(c, err));
    if (!f && why == ENOENT)
        goto out;
    if (!f && why == ENOTDIR)
        GND_TRY(not_folder(c->folder, err));
    if (!f)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: cannot open: %s", path, strerror(why)));
    n = fread(text, 1, MANIFEST_MAX + 1, f);
    if (ferror(f) || n > MANIFEST_MAX || memchr(text, '\0', n))
        GND_TRY(not_manifest(c, err));
    text[n] = '\0';
    GND_TRY(manifest_parse(c, text, err));
out:
    if (f)
        fclose(f);
    gnd_free(text);
    gnd_free(path);
    return st;
}

static gnd_status manifest_write(const gnd_checkpoint *c, int64_t serial, const char *stage,
                                 int64_t step, bool shared, bool own, gnd_error *err)
{
    gnd_outfile f = {0};
    gnd_buffer b = {0};
    char name[PATH_ROOM], *path = path_of(c->folder, "manifest");
    gnd_status st = GND_OK;

    gnd_text_add(&b, "%sserial\t%lld\nstage\t%s\nstep\t%lld\n", head, (long long)serial, stage,
                 (long long)step);
    if (shared)
        gnd_text_add(&b, "%s\tfile\n", file_name(name, serial, -1));
    for (int32_t r = 0; own && r < (c->team.size > 1 ? c->team.size : 1); r++)
        gnd_text_add(&b, "%s\tfile\n", file_name(name, serial, r));
    gnd_text_add(&b, "%s", c->run);
    if (!b.failed)
        gnd_text_add(&b, "checksum\t%016llx\n", (unsigned long long)text_hash(b.text, b.size));
    if (!path || b.failed)
        GND_TRY(no_memory(c->folder, err));
    GND_TRY(gnd_outfile_open(&f, path, err));
    fwrite(b.text, 1, b.size, f.f);
    GND_TRY(gnd_outfile_commit(&f, err));
out:
    gnd_outfile_discard(&f);
    gnd_buffer_fini(&b);
    gnd_free(path);
    return st;
}

/* ---- data files ---- */

static void put(FILE *f, uint64_t *h, const void *bytes, int64_t n)
{
    hash_add(h, bytes, n);
    if (n > 0)
        fwrite(bytes, 1, (size_t)n, f);
}

static void put_int(FILE *f, uint64_t *h, int64_t v)
{
    put(f, h, &v, sizeof v);
}

/* Write the arrays of one kind. */
static gnd_status data_write(const gnd_checkpoint *c, int64_t serial, const gnd_saved_array *a,
                             int n, bool own, gnd_error *err)
{
    gnd_outfile f = {0};
    char name[PATH_ROOM],
        *path = path_of(c->folder, file_name(name, serial, own ? c->team.rank : -1));
    uint64_t h = 1;
    int64_t count = 0;
    gnd_status st = GND_OK;

    if (!path)
        GND_TRY(no_memory(c->folder, err));
    for (int i = 0; i < n; i++)
        count += a[i].own == own;
    GND_TRY(gnd_outfile_open(&f, path, err));
    put(f.f, &h, magic, MAGIC);
    put_int(f.f, &h, serial);
    put_int(f.f, &h, count);
    for (int i = 0; i < n; i++) {
        if (a[i].own != own)
            continue;
        put_int(f.f, &h, (int64_t)strlen(a[i].name));
        put(f.f, &h, a[i].name, (int64_t)strlen(a[i].name));
        put_int(f.f, &h, a[i].bytes);
        put(f.f, &h, a[i].data, a[i].bytes);
    }
    fwrite(&h, 1, sizeof h, f.f);
    GND_TRY(gnd_outfile_commit(&f, err));
out:
    gnd_outfile_discard(&f);
    gnd_free(path);
    return st;
}

typedef struct {
    const char *at, *end;
    uint64_t h;
    bool ok;
} reader;

/* The next n bytes; NULL if they are not there. */
static const char *take(reader *r, int64_t n)
{
    const char *s = r->at;

    r->ok = r->ok && n >= 0 && n <= r->end - r->at;
    if (!r->ok)
        return NULL;
    hash_add(&r->h, s, n);
    r->at += n;
    return s;
}

static int64_t take_int(reader *r)
{
    const char *s = take(r, sizeof(int64_t));
    int64_t v = 0;

    if (s)
        memcpy(&v, s, sizeof v);
    return v;
}

/* Copy the arrays of one kind that are wanted; every one must be there with its size. */
static bool data_parse(reader *r, int64_t serial, const gnd_saved_array *a, int n, bool own)
{
    const char *m = take(r, MAGIC);
    int64_t count, found = 0, wanted = 0;
    uint64_t sum;

    if (!m || memcmp(m, magic, MAGIC) != 0 || take_int(r) != serial)
        return false;
    count = take_int(r);
    for (int64_t k = 0; r->ok && k < count; k++) {
        const int64_t len = take_int(r);
        const char *name = take(r, len);
        const int64_t bytes = take_int(r);
        const char *data = take(r, bytes);

        for (int i = 0; data && i < n; i++)
            if (a[i].own == own && (int64_t)strlen(a[i].name) == len &&
                memcmp(a[i].name, name, (size_t)len) == 0 && a[i].bytes == bytes) {
                if (bytes > 0)
                    memcpy(a[i].data, data, (size_t)bytes);
                found++;
            }
    }
    for (int i = 0; i < n; i++)
        wanted += a[i].own == own;
    if (!r->ok || r->end - r->at != (int64_t)sizeof sum)
        return false;
    memcpy(&sum, r->at, sizeof sum);
    return sum == r->h && found == wanted;
}

static gnd_status data_read(const gnd_checkpoint *c, const gnd_saved_array *a, int n, bool own,
                            gnd_error *err)
{
    char name[PATH_ROOM],
        *path = path_of(c->folder, file_name(name, c->serial, own ? c->team.rank : -1));
    gnd_mapping *map = NULL;
    reader r = {.h = 1, .ok = true};
    gnd_status st = GND_OK;

    if (!path)
        GND_TRY(no_memory(c->folder, err));
    GND_TRY(gnd_mapping_open(&map, path, err));
    r.at = gnd_mapping_data(map);
    r.end = r.at + gnd_mapping_size(map);
    if (!data_parse(&r, c->serial, a, n, own))
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                         "%s: is damaged; remove the folder to start anew: rm -r %s", path,
                         c->folder));
out:
    gnd_mapping_release(map);
    gnd_free(path);
    return st;
}

/* ---- the folder ---- */

/* Does s end here, or with the suffix of a temporary file (outfile.c)? */
static bool ends(const char *s, bool temporary)
{
    static const char tmp[] = ".tmp";
    const size_t n = *s == '.' ? strspn(s + 1, "0123456789abcdef") : 0;

    return temporary ? n == 16 && strcmp(s + 1 + n, tmp) == 0 : *s == '\0';
}

/* Is this the name of a data file? *serial: its number. */
static bool is_data(const char *name, int64_t *serial, bool temporary)
{
    const char *s = name + sizeof prefix - 1;
    const size_t n = strncmp(name, prefix, sizeof prefix - 1) == 0 ? strspn(s, "0123456789") : 0;
    size_t more;

    if (n == 0 || s[n] != '-' || !gnd_parse_int(serial, s, n))
        return false;
    s += n + 1;
    more = strncmp(s, "shared", 6) == 0 ? 6 : strspn(s, "0123456789");
    return more > 0 && ends(s + more, temporary);
}

/* Remove data files of this program but those of a serial number (-1: all), and temporary files
 * that a killed process left. */
static void files_clean(const char *folder, int64_t keep)
{
    struct dirent *e;
    DIR *d = opendir(folder);
    int64_t serial;

    while (d && (e = readdir(d)))
        if ((is_data(e->d_name, &serial, false) && serial != keep) ||
            is_data(e->d_name, &serial, true) ||
            (strncmp(e->d_name, "manifest.", 9) == 0 && ends(e->d_name + 8, true)))
            file_remove(folder, e->d_name);
    if (d)
        closedir(d);
}

/* Make the folder, and remove what a killed process left. */
static gnd_status folder_open(const gnd_checkpoint *c, gnd_error *err)
{
    struct stat sb;

    if (mkdir(c->folder, 0777) != 0 && errno != EEXIST)
        return gnd_fail(err, GND_ERR_IO, "%s: cannot make the folder: %s", c->folder,
                        strerror(errno));
    if (stat(c->folder, &sb) != 0 || !S_ISDIR(sb.st_mode))
        return not_folder(c->folder, err);
    files_clean(c->folder, c->found ? c->serial : -1);
    return GND_OK;
}

gnd_status gnd_checkpoint_open(gnd_checkpoint **out, const gnd_checkpoint_opts *o, gnd_error *err)
{
    gnd_checkpoint *c = gnd_alloc(1, sizeof *c);
    gnd_status st = GND_OK;
    bool all;

    *out = NULL;
    if (c) {
        c->folder = gnd_strdup(o->folder);
        c->run = gnd_strdup(o->run);
    }
    if (!c || !c->folder || !c->run)
        st = no_memory(o->folder, err);
    GND_TRY(gnd_team_agree(&o->team, st, err));
    c->seconds = o->seconds;
    c->team = o->team;
    st = manifest_read(c, err);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    all = !gnd_team_any(&c->team, !c->found);
    if (c->found != all)
        st = gnd_fail(err, GND_ERR_IO,
                      "%s: not all processes see its files; it must be in a file system that they "
                      "share",
                      c->folder);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    if (c->team.rank == 0)
        st = folder_open(c, err);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    c->last = now();
    *out = c;
    c = NULL;
out:
    gnd_checkpoint_free(c);
    return st;
}

void gnd_checkpoint_free(gnd_checkpoint *c)
{
    if (!c)
        return;
    gnd_free(c->folder);
    gnd_free(c->run);
    gnd_free(c);
}

bool gnd_checkpoint_due(gnd_checkpoint *c)
{
    return c && gnd_team_any(&c->team, c->team.rank == 0 && now() - c->last >= c->seconds);
}

gnd_status gnd_checkpoint_save(gnd_checkpoint *c, const char *stage, int64_t step,
                               const gnd_saved_array *a, int n, gnd_error *err)
{
    const int64_t serial = c->serial + 1;
    bool shared = false, own = false;
    char name[PATH_ROOM];
    gnd_status st = GND_OK;

    for (int i = 0; i < n; i++) {
        shared |= !a[i].own;
        own |= a[i].own;
    }
    if (own)
        st = data_write(c, serial, a, n, true, err);
    if (st == GND_OK && shared && c->team.rank == 0)
        st = data_write(c, serial, a, n, false, err);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    if (c->team.rank == 0)
        st = manifest_write(c, serial, stage, step, shared, own, err);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    if (c->has_own)
        file_remove(c->folder, file_name(name, c->serial, c->team.rank));
    if (c->has_shared && c->team.rank == 0)
        file_remove(c->folder, file_name(name, c->serial, -1));
    c->has_shared = shared;
    c->has_own = own;
    c->serial = serial;
    c->found = false; /* what was found is replaced */
    c->last = now();
out:
    return st;
}

gnd_status gnd_checkpoint_load(int64_t *step, gnd_checkpoint *c, const char *stage,
                               const gnd_saved_array *a, int n, gnd_error *err)
{
    gnd_status st = GND_OK;

    *step = -1;
    if (!c || !c->found || strcmp(c->stage, stage) != 0)
        return GND_OK;
    for (int i = 0; i < n && st == GND_OK; i++)
        if (a[i].own ? !c->has_own : !c->has_shared)
            st = not_manifest(c, err);
    if (st == GND_OK && c->has_shared)
        st = data_read(c, a, n, false, err);
    if (st == GND_OK && c->has_own)
        st = data_read(c, a, n, true, err);
    GND_TRY(gnd_team_agree(&c->team, st, err));
    *step = c->step;
    c->used = true;
out:
    return st;
}

bool gnd_checkpoint_used(const gnd_checkpoint *c)
{
    return c && c->used;
}

gnd_status gnd_checkpoint_remove(const char *folder, gnd_error *err)
{
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_require(folder, "the folder of the checkpoint", err));
    file_remove(folder, "manifest"); /* first: without it there is no state */
    files_clean(folder, -1);
    rmdir(folder); /* unless there is something else in it */
out:
    return st;
}
