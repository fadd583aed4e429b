/* SPDX-License-Identifier: MIT
 * golden.c - the parser of reference files. */
#include "golden.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TEXT, SCALAR, INT, REAL } kind;

typedef struct {
    kind kind;
    const char *name, *text; /* into the file's bytes */
    double scalar;
    int64_t rows, cols;
    int64_t *i;
    double *r;
} item;

struct golden {
    char *bytes, *at; /* the file, NUL-terminated; the next line */
    int64_t line;     /* lines taken so far */
    item *items;
    int64_t n_item, cap;
    const char *path;
    char *why;
    size_t n_why;
};

static bool complain(golden *g, const char *what, const char *name)
{
    snprintf(g->why, g->n_why, "%s:%lld: %s%s%s", g->path, (long long)g->line, what,
             name ? " " : "", name ? name : "");
    return false;
}

/* The next line without its end, or NULL. */
static char *next_line(golden *g)
{
    char *line = g->at, *end;

    if (!*line)
        return NULL;
    end = strchr(line, '\n');
    if (end) {
        *end = '\0';
        g->at = end + 1;
    } else {
        g->at = line + strlen(line);
    }
    g->line++;
    return line;
}

/* Cut the next word off *s; "" if there is none. */
static char *next_word(char **s)
{
    char *word = *s + strspn(*s, " ");
    char *end = word + strcspn(word, " ");

    *s = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static bool parse_count(int64_t *out, const char *s)
{
    char *end;

    errno = 0;
    *out = strtoll(s, &end, 10);
    return end != s && !*end && errno == 0 && *out >= 0;
}

/* cols numbers and nothing else. */
static bool parse_row(item *it, int64_t row, const char *s)
{
    for (int64_t j = 0; j < it->cols; j++) {
        char *end;

        if (it->kind == INT)
            it->i[row * it->cols + j] = strtoll(s, &end, 10);
        else
            it->r[row * it->cols + j] = strtod(s, &end);
        if (end == s || (*end && *end != ' '))
            return false;
        s = end;
    }
    return s[strspn(s, " ")] == '\0';
}

static bool parse_matrix(golden *g, item *it, char *rest)
{
    const char *rows = next_word(&rest), *cols = next_word(&rest);
    const int64_t left = (int64_t)strlen(g->at);
    char *line;

    /* Each entry takes two bytes or more: a wrong count asks for no more memory than the file's
     * size. */
    if (!parse_count(&it->rows, rows) || !parse_count(&it->cols, cols) || *rest ||
        it->rows > left || it->cols > left || it->rows * it->cols > left)
        return complain(g, "bad shape of", it->name);
    it->i = it->kind == INT ? calloc((size_t)(it->rows * it->cols + 1), sizeof *it->i) : NULL;
    it->r = it->kind == REAL ? calloc((size_t)(it->rows * it->cols + 1), sizeof *it->r) : NULL;
    if (!it->i && !it->r)
        return complain(g, "no memory for", it->name);
    for (int64_t row = 0; row < it->rows; row++) {
        line = next_line(g);
        if (!line || !parse_row(it, row, line))
            return complain(g, "bad row of", it->name);
    }
    line = next_line(g);
    return line && !*line ? true : complain(g, "no empty line after", it->name);
}

static const item *find(const golden *g, const char *name, kind k)
{
    for (int64_t i = 0; i < g->n_item; i++)
        if (strcmp(g->items[i].name, name) == 0)
            return g->items[i].kind == k ? &g->items[i] : NULL;
    return NULL;
}

static item *item_add(golden *g)
{
    if (g->n_item == g->cap) {
        const int64_t cap = g->cap ? 2 * g->cap : 64;
        item *items = realloc(g->items, (size_t)cap * sizeof *items);

        if (!items)
            return NULL;
        g->items = items;
        g->cap = cap;
    }
    g->items[g->n_item] = (item){.name = ""};
    return &g->items[g->n_item++];
}

static bool parse_item(golden *g, char *line)
{
    static const char *const kinds[] = {"text", "scalar", "int", "real"};
    char *rest = line, *end;
    const char *word = next_word(&rest), *name = next_word(&rest);
    item *it;
    int k = 0;

    while (k < 4 && strcmp(word, kinds[k]) != 0)
        k++;
    if (k == 4 || !*name)
        return complain(g, "expected text, scalar, int or real and a name; got", word);
    for (int i = 0; i < 4; i++)
        if (find(g, name, (kind)i))
            return complain(g, "a second", name);
    it = item_add(g);
    if (!it)
        return complain(g, "no memory for", name);
    it->kind = (kind)k;
    it->name = name;
    it->text = rest;
    if (it->kind == SCALAR) {
        it->scalar = strtod(rest, &end);
        return end != rest && !*end ? true : complain(g, "bad value of", name);
    }
    return it->kind == TEXT || parse_matrix(g, it, rest);
}

static bool slurp(golden *g, const char *path)
{
    FILE *f = fopen(path, "rb");
    size_t n = 0, cap = 1 << 16;

    if (!f)
        return complain(g, strerror(errno), NULL);
    g->bytes = malloc(cap + 1);
    while (g->bytes) {
        n += fread(g->bytes + n, 1, cap - n, f);
        if (n < cap)
            break;
        char *more = realloc(g->bytes, 2 * cap + 1);

        if (!more)
            free(g->bytes);
        g->bytes = more;
        cap *= 2;
    }
    const bool bad = ferror(f) != 0;

    fclose(f);
    if (!g->bytes)
        return complain(g, "no memory", NULL);
    g->bytes[n] = '\0';
    g->at = g->bytes;
    return bad                     ? complain(g, "cannot be read", NULL)
           : strlen(g->bytes) == n ? true
                                   : complain(g, "holds a NUL byte", NULL);
}

golden *golden_load(const char *path, char *why, size_t n)
{
    golden *g = calloc(1, sizeof *g);
    const char *end;
    bool ok;
    char *line;

    if (!g) {
        snprintf(why, n, "%s: no memory", path);
        return NULL;
    }
    g->path = path;
    g->why = why;
    g->n_why = n;
    ok = slurp(g, path);
    while (ok && (line = next_line(g)))
        ok = parse_item(g, line);
    if (ok) {
        end = golden_text(g, "end");
        if (!end || strcmp(end, "ok") != 0 || strcmp(g->items[g->n_item - 1].name, "end") != 0)
            ok = complain(g, "does not end with `text end ok`: the file is cut", NULL);
    }
    g->path = g->why = NULL; /* the caller's; not used from here on */
    if (!ok) {
        golden_free(g);
        return NULL;
    }
    return g;
}

void golden_free(golden *g)
{
    if (!g)
        return;
    for (int64_t i = 0; i < g->n_item; i++) {
        free(g->items[i].i);
        free(g->items[i].r);
    }
    free(g->items);
    free(g->bytes);
    free(g);
}

const char *golden_text(const golden *g, const char *name)
{
    const item *it = find(g, name, TEXT);

    return it ? it->text : NULL;
}

bool golden_scalar(const golden *g, const char *name, double *out)
{
    const item *it = find(g, name, SCALAR);

    if (it)
        *out = it->scalar;
    return it != NULL;
}

static const item *shaped(const golden *g, const char *name, kind k, int64_t *rows, int64_t *cols)
{
    const item *it = find(g, name, k);

    if (it && rows)
        *rows = it->rows;
    if (it && cols)
        *cols = it->cols;
    return it;
}

const int64_t *golden_int(const golden *g, const char *name, int64_t *rows, int64_t *cols)
{
    const item *it = shaped(g, name, INT, rows, cols);

    return it ? it->i : NULL;
}

const double *golden_real(const golden *g, const char *name, int64_t *rows, int64_t *cols)
{
    const item *it = shaped(g, name, REAL, rows, cols);

    return it ? it->r : NULL;
}

const char *golden_name(const golden *g, int64_t i)
{
    return i >= 0 && i < g->n_item ? g->items[i].name : NULL;
}
