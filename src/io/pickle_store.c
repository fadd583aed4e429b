/* SPDX-License-Identifier: MIT
 * pickle_store.c - the values of a pickle: pickle.c makes them, other readers access them. They
 * refer to each other by number. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "limit.h"
#include "pickle_priv.h"

gnd_status gnd_pk_fail(gnd_pickle *p, gnd_status code, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (char *s = text; *s; s++)
        if ((unsigned char)*s < ' ' || *s == 127)
            *s = '?';
    return gnd_fail(p->err, code, "%s: byte %lld: %s", p->what, (long long)(p->op - p->begin),
                    text);
}

gnd_status gnd_pk_nomem(gnd_pickle *p)
{
    return gnd_pk_fail(p, GND_ERR_NOMEM, "no memory");
}

/* Make room for one more item of the given size in the array at *a. */
bool gnd_pk_grow(void **a, gnd_pk_fill *f, size_t size)
{
    const int64_t cap = f->cap ? 2 * f->cap : 64;
    void *b;

    if (f->n < f->cap)
        return true;
    if (f->n >= INT32_MAX - 1)
        return false;
    b = gnd_realloc(*a, cap, size);
    if (!b)
        return false;
    *a = b;
    f->cap = cap;
    return true;
}

gnd_status gnd_pk_push(gnd_pickle *p, int32_t v)
{
    void *a = p->stack;

    if (!gnd_pk_grow(&a, &p->f_stack, sizeof *p->stack))
        return gnd_pk_nomem(p);
    p->stack = a;
    p->stack[p->f_stack.n++] = v;
    return GND_OK;
}

/* Push a new value. */
gnd_status gnd_pk_push_new(gnd_pickle *p, gnd_pk_value v)
{
    void *a = p->val;

    if (!gnd_pk_grow(&a, &p->f_val, sizeof *p->val))
        return gnd_pk_nomem(p);
    p->val = a;
    p->val[p->f_val.n] = v;
    return gnd_pk_push(p, (int32_t)p->f_val.n++);
}

gnd_status gnd_pk_push_empty(gnd_pickle *p, gnd_pk_kind kind)
{
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = kind, .u.items = {-1, -1, 0}});
}

/* The value k below the top; NULL: the stack, or its part above the last mark, is shorter. */
gnd_pk_value *gnd_pk_peek(gnd_pickle *p, int64_t k)
{
    if (p->f_stack.n <= k)
        return NULL;
    for (int64_t i = p->f_stack.n - 1 - k; i < p->f_stack.n; i++)
        if (p->stack[i] == GND_PK_MARK)
            return NULL;
    return &p->val[p->stack[p->f_stack.n - 1 - k]];
}

/* Append a value to a container (both by number, since adding a cell may move cells). */
gnd_status gnd_pk_append(gnd_pickle *p, int32_t to, int32_t v)
{
    void *a = p->cell;
    gnd_pk_value *c = &p->val[to];

    if (!gnd_pk_grow(&a, &p->f_cell, sizeof *p->cell))
        return gnd_pk_nomem(p);
    p->cell = a;
    p->cell[p->f_cell.n] = (gnd_pk_cell){v, -1};
    if (c->u.items.n == 0)
        c->u.items.head = (int32_t)p->f_cell.n;
    else
        p->cell[c->u.items.tail].next = (int32_t)p->f_cell.n;
    c->u.items.tail = (int32_t)p->f_cell.n++;
    c->u.items.n++;
    return GND_OK;
}

void gnd_pickle_free(gnd_pickle *p)
{
    if (!p)
        return;
    for (int64_t i = 0; i < p->f_text.n; i++)
        gnd_free(p->text[i]);
    gnd_free(p->text);
    gnd_free(p->val);
    gnd_free(p->cell);
    gnd_free(p->array);
    gnd_free(p->stack);
    gnd_free(p->memo);
    gnd_free(p->own);
    gnd_free(p);
}

/* Read a whole file. The caller frees *data. */
static gnd_status file_read(char **data, size_t *n, const char *path, int64_t max_input,
                            gnd_error *err)
{
    const int64_t limit = gnd_limit_get(max_input);
    FILE *f = fopen(path, "rb");
    struct stat sb;
    gnd_status st = GND_OK;

    *data = NULL;
    if (!f)
        return gnd_fail(err, GND_ERR_IO, "%s: %s", path, strerror(errno));
    if (fstat(fileno(f), &sb) != 0 || !S_ISREG(sb.st_mode))
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: is not a file", path));
    if ((int64_t)sb.st_size > limit)
        GND_TRY(gnd_limit_fail(path, "has", limit, err));
    *n = (size_t)sb.st_size;
    *data = gnd_realloc(NULL, (int64_t)sb.st_size + 1, 1);
    if (!*data)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %zu bytes", path, *n));
    errno = 0;
    if (fread(*data, 1, *n, f) != *n)
        GND_TRY(gnd_fail(err, GND_ERR_IO, "%s: cannot be read: %s", path,
                         errno ? strerror(errno) : "it became shorter"));
out:
    fclose(f);
    if (st != GND_OK) {
        gnd_free(*data);
        *data = NULL;
    }
    return st;
}

gnd_status gnd_pickle_load(gnd_pickle **out, const char *path, int64_t max_input, gnd_error *err)
{
    char *data;
    size_t n = 0;
    gnd_status st;

    *out = NULL;
    st = file_read(&data, &n, path, max_input, err);
    if (st != GND_OK)
        return st;
    st = gnd_pickle_new(out, data, n, path, err);
    if (st == GND_OK)
        (*out)->own = data;
    else
        gnd_free(data);
    return st;
}

int64_t gnd_pickle_size(const gnd_pickle *p)
{
    return p->end - p->begin;
}

/* ---- reading the result ---- */

int32_t gnd_pickle_root(const gnd_pickle *p)
{
    return p->root;
}

gnd_pk_kind gnd_pickle_kind(const gnd_pickle *p, int32_t v)
{
    return p->val[v].kind;
}

int64_t gnd_pickle_int(const gnd_pickle *p, int32_t v)
{
    return p->val[v].u.i;
}

double gnd_pickle_real(const gnd_pickle *p, int32_t v)
{
    return p->val[v].u.r;
}

const char *gnd_pickle_str(const gnd_pickle *p, int32_t v, size_t *len)
{
    *len = (size_t)p->val[v].u.str.len;
    return p->val[v].u.str.s;
}

const gnd_pk_array *gnd_pickle_array(const gnd_pickle *p, int32_t v)
{
    return &p->array[p->val[v].u.i];
}

int64_t gnd_pickle_count(const gnd_pickle *p, int32_t v)
{
    return p->val[v].u.items.n;
}

int32_t gnd_pickle_first(const gnd_pickle *p, int32_t v)
{
    return p->val[v].u.items.n > 0 ? p->val[v].u.items.head : -1;
}

int32_t gnd_pickle_next(const gnd_pickle *p, int32_t c)
{
    return p->cell[c].next;
}

int32_t gnd_pickle_item(const gnd_pickle *p, int32_t c)
{
    return p->cell[c].value;
}

int32_t gnd_pickle_find(const gnd_pickle *p, int32_t dict, const char *key)
{
    const size_t n = strlen(key);
    int32_t found = -1;

    if (p->val[dict].kind != GND_PK_DICT)
        return -1;
    for (int32_t c = gnd_pickle_first(p, dict); c >= 0;) {
        const int32_t k = p->cell[c].value, at = p->cell[c].next;

        if (at < 0)
            break;
        if (p->val[k].kind == GND_PK_STR && p->val[k].u.str.len == (int64_t)n &&
            memcmp(p->val[k].u.str.s, key, n) == 0)
            found = p->cell[at].value;
        c = p->cell[at].next;
    }
    return found;
}
