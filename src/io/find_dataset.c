/* SPDX-License-Identifier: MIT
 * find_dataset.c - find the files of a data set by its name. The folders are searched in this
 * order: the given one, $GND_DATA, the user's cache, ./data, the installed data; in each, the
 * folder itself, then planetoid/, npz/ and extra/. */
#define _POSIX_C_SOURCE 200809L
#include "find_dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

static const struct {
    const char *name, *file, *about; /* file: name of its npz file if that is not NAME.npz */
} dataset[] = {
    {"cora", NULL, "2,708 papers on machine learning, 5,278 citations, words, 7 topics"},
    {"citeseer", NULL, "3,327 papers on computing, 4,552 citations, words, 6 topics"},
    {"pubmed", NULL, "19,717 papers on diabetes, 44,324 citations, tf-idf, 3 types"},
    {"cora_ml", NULL, "2,995 papers on machine learning, 8,158 citations, tf-idf, 7 topics"},
    {"amazon_computers", "amazon_electronics_computers",
     "13,752 products, 245,861 pairs bought together, review words, 10 categories"},
    {"amazon_photo", "amazon_electronics_photo",
     "7,650 products, 119,081 pairs bought together, review words, 8 categories"},
    {"karate", NULL, "34 members of a karate club, 78 friendships, 2 factions; bundled"},
    {"debian", NULL, "Debian packages, dependencies, description words, 6 sections; bundled"},
};

enum { N_DATASET = sizeof dataset / sizeof dataset[0], N_FOLDER = 5 };

const char *gnd_dataset_name(int i)
{
    return i >= 0 && i < N_DATASET ? dataset[i].name : NULL;
}

const char *gnd_dataset_about(int i)
{
    return i >= 0 && i < N_DATASET ? dataset[i].about : NULL;
}

bool gnd_dataset_known(const char *name)
{
    for (int i = 0; i < N_DATASET; i++)
        if (strcmp(dataset[i].name, name) == 0)
            return true;
    return false;
}

/* Data sets that come with gnd, and are not to be downloaded. */
static bool is_bundled(const char *name)
{
    return strcmp(name, "karate") == 0 || strcmp(name, "debian") == 0;
}

/* The user's cache folder; false if the environment does not name one. */
static bool cache_get(char *buf, size_t size)
{
    const char *env = getenv("XDG_CACHE_HOME");
    int n = 0;

    if (env && *env) {
        n = snprintf(buf, size, "%s/gnd", env);
    } else {
        env = getenv("HOME");
        n = env && *env ? snprintf(buf, size, "%s/.cache/gnd", env) : 0;
    }
    return n > 0 && (size_t)n < size;
}

gnd_status gnd_dataset_cache(char *buf, size_t size, gnd_error *err)
{
    gnd_error_clear(err);
    if (!buf || size == 0)
        return gnd_fail(err, GND_ERR_ARG, "gnd_dataset_cache: a buffer is needed");
    if (cache_get(buf, size))
        return GND_OK;
    buf[0] = '\0';
    return gnd_fail(err, GND_ERR_IO,
                    "there is no cache folder: neither XDG_CACHE_HOME nor HOME is set, or its name "
                    "is too long");
}

/* The k-th folder to search, into buf; false if there is none of that kind. */
static bool folder_get(char *buf, size_t size, int k, const char *data_dir)
{
    const char *env;
    int n = 0;

    switch (k) {
    case 0:
        n = data_dir ? snprintf(buf, size, "%s", data_dir) : 0;
        break;
    case 1:
        env = getenv("GND_DATA");
        n = env ? snprintf(buf, size, "%s", env) : 0;
        break;
    case 2:
        return cache_get(buf, size);
    case 3:
        n = snprintf(buf, size, "./data");
        break;
    default:
        n = snprintf(buf, size, "%s", GND_DATA_INSTALLED);
        break;
    }
    return n > 0 && (size_t)n < size;
}

/* Put folder/sub and the words into buf; true if a file of that name plus `suffix` exists. A file
 * without read permission counts: using another folder's file silently would give the wrong
 * data. */
static bool try_path(char *buf, size_t size, const char *folder, const char *sub, const char *pre,
                     const char *name, const char *post, const char *suffix)
{
    const int n = snprintf(buf, size, "%s/%s%s%s%s%s", folder, sub, pre, name, post, suffix);

    if (n < 0 || (size_t)n >= size || access(buf, F_OK) != 0)
        return false;
    buf[(size_t)n - strlen(suffix)] = '\0';
    return true;
}

/* Search one folder: Planetoid's files, an npz or safetensors file, a folder of csv files, or one
 * of OGB. */
static bool folder_seek(char *buf, size_t size, const char *folder, const char *name)
{
    static const char *const sub[] = {"", "planetoid/", "npz/", "extra/"};
    const char *file = NULL;

    for (int i = 0; i < N_DATASET; i++)
        if (strcmp(dataset[i].name, name) == 0)
            file = dataset[i].file;
    for (size_t k = 0; k < sizeof sub / sizeof sub[0]; k++)
        if (try_path(buf, size, folder, sub[k], "ind.", name, "", ".graph") ||
            (file && try_path(buf, size, folder, sub[k], "", file, ".npz", "")) ||
            try_path(buf, size, folder, sub[k], "", name, ".npz", "") ||
            try_path(buf, size, folder, sub[k], "", name, ".safetensors", "") ||
            try_path(buf, size, folder, sub[k], "", name, "", "/edges.csv") ||
            try_path(buf, size, folder, sub[k], "", name, "", "/raw/edge.csv.gz"))
            return true;
    return false;
}

bool gnd_dataset_seek(char *buf, size_t size, const char *name, const char *data_dir)
{
    char folder[GND_PATH_SIZE];

    if (!*name || strchr(name, '/'))
        return false;
    for (int k = 0; k < N_FOLDER; k++)
        if (folder_get(folder, sizeof folder, k, data_dir) && folder_seek(buf, size, folder, name))
            return true;
    return false;
}

gnd_status gnd_dataset_missing(const char *name, const char *data_dir, gnd_error *err)
{
    const bool known = gnd_dataset_known(name);
    char folder[GND_PATH_SIZE], places[320] = "", hint[80] = "";
    int32_t best = 3; /* names at an edit distance over 2 are not suggested */

    if (known && !is_bundled(name))
        snprintf(hint, sizeof hint, "; `gnd data get %s` downloads them", name);
    for (int i = 0; i < N_DATASET && !known; i++) {
        const int32_t d = gnd_edit_distance(name, dataset[i].name);

        /* A shortened name counts as close: "citese". */
        if ((d < best && (size_t)d < strlen(name)) ||
            (!*hint && strlen(name) >= 3 && strncmp(name, dataset[i].name, strlen(name)) == 0)) {
            best = d < best ? d : best;
            snprintf(hint, sizeof hint, "; did you mean '%s'?", dataset[i].name);
        }
    }
    for (int k = 0; k < N_FOLDER; k++) {
        const size_t n = strlen(places);

        if (folder_get(folder, sizeof folder, k, data_dir))
            snprintf(places + n, sizeof places - n, "%s%.90s", n ? ", " : "", folder);
    }
    return gnd_fail(err, GND_ERR_IO, "%.60s: %s%s (searched %s)", name,
                    known ? "the files of this data set were not found"
                          : "no such file or data set",
                    hint, places);
}

gnd_status gnd_dataset_find(char *buf, size_t size, const char *name, const char *data_dir,
                            gnd_error *err)
{
    gnd_error_clear(err);
    if (gnd_require(name, "the name of the data set", err) != GND_OK)
        return GND_ERR_ARG;
    if (!buf || size == 0 || !name)
        return gnd_fail(err, GND_ERR_ARG, "gnd_dataset_find: a buffer and a name are needed");
    if (gnd_dataset_seek(buf, size, name, data_dir))
        return GND_OK;
    buf[0] = '\0';
    return gnd_dataset_missing(name, data_dir, err);
}
