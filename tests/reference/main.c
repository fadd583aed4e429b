/* SPDX-License-Identifier: MIT
 * main.c - walks a folder of reference files and compares this library with each.
 *
 *     reference_float DIR        or reference_double, the same program in the other precision
 *
 * One line a file, `ok NAME`, `FAIL NAME field: ...` or `skip NAME reason`; the last line is
 * `N passed, M failed`. Exit 0: none failed; 1: some did; 2: there is no such file. */
#include "reference.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *method;
    void (*check)(verdict *r);
} kinds[] = {
    {"operators", ref_operators},
    {"shuffles", ref_shuffles},
    {"split", ref_split},
    {"stopping", ref_stopping},
    {"optimisers", ref_optimisers},
    {"lanczos", ref_lanczos},
    {"ls", ref_ls},
    {"wvgn", ref_wvgn},
    {"cs", ref_cs},
    {"isomap", ref_isomap},
    {"relations", ref_relations},
};

static void check_file(verdict *r)
{
    const char *method = golden_text(r->f, "method");
    const gnd_method *m;

    if (!method) {
        ref_skip(r, "no text 'method' says what kind of file it is");
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].method, method) == 0) {
            kinds[i].check(r);
            return;
        }
    for (int i = 0; (m = gnd_method_at(i)); i++)
        if (strcmp(m->name, method) == 0) {
            ref_trained(r, m);
            return;
        }
    ref_skip(r, "method '%s' is not in this build", method);
}

typedef struct {
    int64_t passed, failed, skipped;
} tally;

static void one_file(tally *t, const char *dir, const char *file)
{
    char path[4096], why[512];
    verdict r = {0};
    golden *f;
    const int name = (int)(strlen(file) - strlen(".txt"));

    if (snprintf(path, sizeof path, "%s/%s", dir, file) >= (int)sizeof path)
        snprintf(path, sizeof path, "%s", file);
    f = golden_load(path, why, sizeof why);
    r.f = f;
    if (f)
        check_file(&r);
    else
        ref_fail(&r, "%s", why);
    if (f && !r.skipped && r.n_fail == 0 && r.n_field == 0)
        ref_fail(&r, "nothing was compared");
    if (r.n_fail > 0) {
        t->failed++;
        printf("FAIL %.*s %s", name, file, r.text);
        if (r.n_fail > 1)
            printf(", and %" PRId64 " more", r.n_fail - 1);
        printf("\n");
    } else if (r.skipped) {
        t->skipped++;
        printf("skip %.*s %s\n", name, file, r.text);
    } else {
        t->passed++;
        printf("ok %.*s\n", name, file);
    }
    fflush(stdout);
    golden_free(f);
}

static int is_reference(const struct dirent *e)
{
    const size_t n = strlen(e->d_name);

    return n > 4 && e->d_name[0] != '.' && strcmp(e->d_name + n - 4, ".txt") == 0;
}

/* By bytes: the same order whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

int main(int argc, char **argv)
{
    struct dirent **entry = NULL;
    tally t = {0, 0, 0};
    int n;

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    n = scandir(argv[1], &entry, is_reference, by_name);
    if (n < 0)
        fprintf(stderr, "%s: %s\n", argv[1], strerror(errno));
    else if (n == 0)
        fprintf(stderr, "%s: no file *.txt is there\n", argv[1]);
    for (int i = 0; i < n; i++) {
        one_file(&t, argv[1], entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    if (n <= 0)
        return 2;
    printf("%" PRId64 " skipped\n", t.skipped);
    printf("%" PRId64 " passed, %" PRId64 " failed\n", t.passed, t.failed);
    return t.failed > 0;
}
