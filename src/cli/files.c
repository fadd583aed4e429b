/* SPDX-License-Identifier: MIT
 * files.c - list and check all files that a command reads and writes, before it starts. */
#define _XOPEN_SOURCE 700
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gnd.h"
#include "say.h"

enum { LINKS_MAX = 40 }; /* maximum number of symbolic links followed, as in the kernel */

/* The identity of a file: its inode or, if it does not exist yet, the inode of its folder and its
 * name there. */
typedef struct {
    char *path; /* as given by the user */
    int owner;  /* option or operand that names it; files of the same one are not compared */
    bool in, out;
    bool exists, has_folder;
    dev_t dev, folder_dev;
    ino_t ino, folder_ino;
    char *name; /* without folders, after symbolic links */
} file;

typedef struct {
    const cli_args *a;
    file *v;
    int64_t n;
    /* of the files that are being added */
    int owner;
    bool in, out;
} file_list;

/* ---- the identity of a file ---- */

/* Follow a symbolic link, whose target need not exist, into buf. */
static bool link_follow(char buf[PATH_MAX])
{
    char target[PATH_MAX], whole[PATH_MAX];
    const ssize_t n = readlink(buf, target, sizeof target - 1);
    const char *slash = strrchr(buf, '/');
    int len;

    if (n < 0)
        return false;
    target[n] = '\0';
    if (*target == '/' || !slash)
        len = snprintf(whole, sizeof whole, "%s", target);
    else
        len = snprintf(whole, sizeof whole, "%.*s%s", (int)(slash - buf) + 1, buf, target);
    if (len < 0 || (size_t)len >= sizeof whole)
        return false;
    memcpy(buf, whole, (size_t)len + 1);
    return true;
}

static void identify(file *f)
{
    char path[PATH_MAX], *slash;
    struct stat sb;

    snprintf(path, sizeof path, "%s", f->path);
    f->exists = stat(path, &sb) == 0;
    if (f->exists) {
        f->dev = sb.st_dev;
        f->ino = sb.st_ino;
    }
    for (int k = 0; k < LINKS_MAX && link_follow(path); k++)
        ;
    slash = strrchr(path, '/');
    f->name = need_text("%s", slash ? slash + 1 : path);
    if (slash)
        slash[slash == path] = '\0';
    f->has_folder = stat(slash ? path : ".", &sb) == 0;
    if (f->has_folder) {
        f->folder_dev = sb.st_dev;
        f->folder_ino = sb.st_ino;
    }
}

static bool is_same(const file *a, const file *b)
{
    if (a->exists && b->exists)
        return a->dev == b->dev && a->ino == b->ino;
    return a->has_folder && b->has_folder && a->folder_dev == b->folder_dev &&
           a->folder_ino == b->folder_ino && strcmp(a->name, b->name) == 0;
}

/* ---- list the files ---- */

static void file_add(const char *path, void *user)
{
    file_list *l = user;
    struct stat sb;
    file *f;

    /* A pipe, a device or an open descriptor is not overwritten. */
    if (strcmp(path, "-") == 0 || (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode)) ||
        (l->out && gnd_path_descriptor(path) >= 0))
        return;
    l->v = need_more(l->v, (size_t)l->n + 1, sizeof *l->v);
    f = &l->v[l->n++];
    *f = (file){.path = need_text("%s", path), .owner = l->owner, .in = l->in, .out = l->out};
    identify(f);
}

static void data_add(file_list *l, const char *name)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = l->a->data_dir, .format = l->a->format};

    /* A data set that is not found fails when it is loaded, with a better message. */
    gnd_dataset_files(name, &o, file_add, l, NULL);
}

static void data_list_add(file_list *l, const char *list)
{
    char *copy = need_text("%s", list), *name = copy;
    gnd_published_data paper = {.size = sizeof paper};

    for (int i = 0; strcmp(list, "all") == 0 && gnd_published_data_get(&paper, i); i++)
        data_add(l, paper.name);
    while (name) {
        char *next = strchr(name, ',');

        if (next)
            *next++ = '\0';
        data_add(l, name);
        name = next;
    }
    free(copy);
}

static void store_add(file_list *l, const char *path)
{
    static const char *const beside[] = {"", "-wal", "-shm", "-journal"};

    for (size_t k = 0; k < sizeof beside / sizeof *beside; k++) {
        char *one = need_text("%s%s", path, beside[k]);

        file_add(one, l);
        free(one);
    }
}

const char *graph_out_format(const cli_args *a, const char *path)
{
    static const char *const known[] = {"safetensors", "npz"};
    const char *dot = strrchr(path, '.');

    for (size_t k = 0; !a->to && dot && k < sizeof known / sizeof *known; k++)
        if (strcmp(dot + 1, known[k]) == 0)
            return known[k];
    return a->to ? a->to : "csv";
}

/* Is it a folder of csv files, not one file? */
static bool is_csv(const cli_args *a, const char *path)
{
    return strcmp(graph_out_format(a, path), "csv") == 0;
}

static void graph_out_add(file_list *l, const char *path)
{
    static const char *const member[] = {"edges.csv", "features.csv", "features.mtx", "labels.csv"};

    if (!is_csv(l->a, path)) {
        file_add(path, l);
        return;
    }
    for (size_t k = 0; k < sizeof member / sizeof *member; k++) {
        char *one = need_text("%s/%s", path, member[k]);

        file_add(one, l);
        free(one);
    }
}

/* Every file of the folder. */
static void runs_add(file_list *l, const char *path)
{
    DIR *d = opendir(path);

    for (struct dirent *f; d && (f = readdir(d));) {
        char *one = need_text("%s/%s", path, f->d_name);

        file_add(one, l);
        free(one);
    }
    if (d)
        closedir(d);
}

static void use_add(file_list *l, file_use use, const char *value)
{
    l->out = use == USE_OUT || use == USE_GRAPH_OUT || use == USE_RUNS_OUT || use == USE_STORE;
    l->in = !l->out || use == USE_STORE;
    switch (use) {
    case USE_NONE:
        break;
    case USE_IN:
    case USE_OUT:
    case USE_RUNS_OUT:
        file_add(value, l);
        break;
    case USE_STORE:
        store_add(l, value);
        break;
    case USE_DATA:
        data_add(l, value);
        break;
    case USE_DATA_LIST:
        data_list_add(l, value);
        break;
    case USE_GRAPH_OUT:
        graph_out_add(l, value);
        break;
    case USE_RUNS:
    case USE_RESULTS:
        runs_add(l, value);
        break;
    }
}

/* Call `each` for every option and operand that names files; stops at the first result that is not
 * 0. */
static int uses_walk(file_list *l, const command *c,
                     int (*each)(file_list *l, file_use use, const char *value))
{
    int rc = 0;

    l->owner = 0;
    for (const opt_spec *o = c->opts; o->help && !rc; o++, l->owner++) {
        const char *value = o->use ? *(const char *const *)((const char *)l->a + o->at) : NULL;

        if (o->use == USE_RESULTS)
            value = results_folder(value);
        if (value)
            rc = each(l, o->use, value);
    }
    for (int64_t i = 0; i < l->a->operand.n && !rc; i++, l->owner++)
        rc = each(l, c->operand_use[i < MAX_OPERAND_USE ? i : MAX_OPERAND_USE - 1],
                  l->a->operand.v[i]);
    return rc;
}

/* ---- check the files ---- */

static int overlap_check(const file_list *l)
{
    for (int64_t i = 0; i < l->n; i++)
        for (int64_t k = 0; k < l->n; k++) {
            const file *out = &l->v[i], *other = &l->v[k];

            if (!out->out || out->owner == other->owner || !is_same(out, other))
                continue;
            if (other->in && !out->in)
                return say_failed("%s: is read as input and would be overwritten; give another "
                                  "name",
                                  out->path);
            if (other->in && other->exists) /* the store is also an input */
                return say_failed("%s: is read as input and cannot be the store; give another name",
                                  out->path);
            if (!other->in && !out->in)
                return say_failed("%s and %s name the same file; give one of them another name",
                                  out->path, other->path);
        }
    return 0;
}

int output_check(const char *path)
{
    struct stat out, in;
    const int fd = gnd_path_descriptor(path), flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    char *dir = need_text("%s", path), *slash = strrchr(dir, '/');
    const char *folder = !slash ? "." : slash == dir ? "/" : dir;
    int rc = 0;

    if (slash && slash != dir)
        *slash = '\0';
    if (fd >= 0) {
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
            rc = say_failed("%s: cannot write there: the descriptor is not open for writing", path);
    } else if (stat(path, &out) != 0) {
        if (stat(folder, &in) != 0)
            rc = say_failed("%s: cannot write there: %s: %s", path, folder, strerror(errno));
        else if (!S_ISDIR(in.st_mode))
            rc = say_failed("%s: cannot write there: %s is not a folder", path, folder);
        else if (access(folder, W_OK) != 0)
            rc = say_failed("%s: cannot write there: %s: %s", path, folder, strerror(errno));
    } else if (S_ISDIR(out.st_mode)) {
        rc = say_failed("%s: is a folder; expected the name of a file to write", path);
    }
    free(dir);
    return rc;
}

bool is_folder(const char *path)
{
    const size_t n = strlen(path);
    struct stat sb;

    return (n > 0 && path[n - 1] == '/') || (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode));
}

const char *results_folder(const char *value)
{
    if (!value)
        return gnd_results_folder();
    return strcmp(value, "none") == 0 ? NULL : value;
}

static int add_one(file_list *l, file_use use, const char *value)
{
    use_add(l, use, value);
    return 0;
}

static int writable_check(file_list *l, file_use use, const char *value)
{
    struct stat sb;

    if (use == USE_GRAPH_OUT && is_csv(l->a, value)) {
        if (stat(value, &sb) == 0 && !S_ISDIR(sb.st_mode))
            return say_failed("%s: is not a folder; expected the name of one to write csv files to",
                              value);
        return 0;
    }
    if (use == USE_RUNS_OUT && is_folder(value))
        return 0; /* gnd_store_export creates it */
    if ((use == USE_OUT || use == USE_GRAPH_OUT || use == USE_RUNS_OUT) && strcmp(value, "-") != 0)
        return output_check(value);
    return 0;
}

int files_check(const cli_args *a, const command *c)
{
    file_list l = {.a = a};
    int rc;

    uses_walk(&l, c, add_one);
    rc = overlap_check(&l);
    if (!rc)
        rc = uses_walk(&l, c, writable_check);
    for (int64_t i = 0; i < l.n; i++) {
        free(l.v[i].path);
        free(l.v[i].name);
    }
    free(l.v);
    return rc;
}
