/* SPDX-License-Identifier: MIT
 * list_order.c - the list of a receptive field on a part of a graph.
 *
 * A level is listed by the first row of the level above that reads a row, then by its number. The
 * pattern is symmetric, so the owner of a row finds that first row among its neighbours; how many
 * rows each one lists in the processes before gives the place. */
#include "list_order.h"

#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

typedef struct {
    gnd_tape *t;
    const gnd_csr *a;
    gnd_part *p;
    int64_t *place; /* [n_local] in the list; -1: not listed */
    int64_t n;      /* listed rows */
} listing;

static const int64_t unlisted = INT64_MAX;

/* The first of the rows from .. n - 1 of the list that row i reads. */
static int64_t first_reader(const listing *l, int64_t i, int64_t from)
{
    int64_t first = unlisted;

    for (int64_t q = l->a->ptr[i]; q < l->a->ptr[i + 1]; q++) {
        const int64_t at = l->place[l->a->col[q]];

        if (at >= from && at < first)
            first = at;
    }
    return first;
}

/* Append what the rows from .. n - 1 read. Returns false, and appends nothing, if the list would
 * have more than `most` rows. */
static bool level_add(listing *l, int64_t from, int64_t most)
{
    const gnd_row_range own = gnd_part_own(l->p, l->a->n_row);
    const int64_t n_from = l->n - from;
    int64_t *next = gnd_tape_alloc(l->t, n_from, sizeof *next), /* place of the next row of each */
        *all = gnd_tape_alloc(l->t, n_from, sizeof *all);       /* rows that each lists */
    int64_t total = 0;

    if (!next || !all)
        return false;
    memset(all, 0, (size_t)n_from * sizeof *all);
    for (int64_t i = own.begin; i < own.end; i++)
        if (l->place[i] < 0) {
            const int64_t first = first_reader(l, i, from);

            if (first != unlisted)
                all[first - from]++;
        }
    memcpy(next, all, (size_t)n_from * sizeof *next);
    l->p->calls->before(l->p, next, n_from);
    gnd_part_counts(l->p, all, n_from);
    for (int64_t k = 0; k < n_from; k++) {
        next[k] += l->n + total;
        total += all[k];
    }
    if (l->n + total > most)
        return false;
    for (int64_t i = own.begin; i < own.end; i++) {
        const int64_t first = l->place[i] < 0 ? first_reader(l, i, from) : unlisted;

        if (first < l->n && first != unlisted)
            l->place[i] = next[first - from]++;
    }
    gnd_part_fill(l->p, l->place, sizeof *l->place);
    l->n += total;
    return true;
}

/* The list; returns the lowest level that does not hold all rows. */
static int64_t list_make(listing *l, int64_t depth)
{
    const int64_t most = gnd_plan_level_most(l->p->n_global);
    int64_t from = 0, level = depth;

    memset(l->place, 0xff, (size_t)l->a->n_row * sizeof *l->place);
    for (int64_t i = 0; i < l->t->n_request; i++)
        if (l->place[l->t->request[i]] < 0)
            l->place[l->t->request[i]] = l->n++;
    if (l->n > most)
        return depth + 1;
    for (; level > 0; level--) {
        const int64_t n = l->n;

        if (!level_add(l, from, most))
            break;
        from = n;
    }
    return level;
}

typedef struct {
    int64_t place, from;
} entry;

static int by_place(const void *x, const void *y)
{
    const entry *a = x, *b = y;

    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static void order_fill(gnd_list_order *o, int64_t *from, const gnd_csr *at, const listing *l,
                       entry *e)
{
    for (int64_t i = 0; i < at->n_row; i++) {
        const int64_t p = at->ptr[i], n = at->ptr[i + 1] - p;

        for (int64_t k = 0; k < n; k++) {
            const int64_t place = l->place[at->col[p + k]];

            e[k] = (entry){place < 0 ? unlisted : place, p + k};
        }
        qsort(e, (size_t)n, sizeof *e, by_place);
        for (int64_t k = 0; k < n; k++) {
            from[p + k] = e[k].from;
            o->at.col[p + k] = at->col[e[k].from];
            if (at->val)
                o->at.val[p + k] = at->val[e[k].from];
        }
    }
}

static int64_t longest_row(const gnd_csr *a)
{
    int64_t most = 0;

    for (int64_t i = 0; i < a->n_row; i++)
        if (a->ptr[i + 1] - a->ptr[i] > most)
            most = a->ptr[i + 1] - a->ptr[i];
    return most;
}

static gnd_list_order *order_make(gnd_tape *t, const gnd_csr *a, const gnd_csr *at, int64_t depth)
{
    const int64_t nnz = gnd_csr_nnz(at);
    gnd_list_order *o = gnd_tape_store(t, 1, sizeof *o);
    int64_t *from = gnd_tape_store(t, nnz, sizeof *from);
    entry *e = gnd_tape_alloc(t, longest_row(at), sizeof *e);
    listing l = {.t = t, .a = a, .p = a->part};

    l.place = gnd_tape_alloc(t, a->n_row, sizeof *l.place);
    if (!gnd_tape_ok(t))
        return NULL;
    *o = (gnd_list_order){.at = *at, .from = from};
    o->at.col = gnd_tape_store(t, nnz, sizeof *o->at.col);
    o->at.val = at->val ? gnd_tape_store(t, nnz, sizeof *o->at.val) : NULL;
    if (!gnd_tape_ok(t))
        return NULL;
    o->lowest = list_make(&l, depth);
    order_fill(o, from, at, &l, e);
    return gnd_tape_ok(t) ? o : NULL;
}

const gnd_list_order *gnd_list_order_get(gnd_tape *t, const gnd_csr *a, const gnd_csr *at,
                                         int64_t depth)
{
    static const char kind[] = "order";
    const gnd_kept_key key = {kind, a, t->request, t->n_request, depth};
    gnd_list_order *o;

    if (!a->part || !t->training || !t->request || t->request != t->lasting || !gnd_tape_ok(t))
        return NULL;
    o = gnd_tape_kept(t, &key);
    if (o)
        return o;
    o = order_make(t, a, at, depth);
    if (o)
        gnd_tape_keep(t, &key, o);
    return o;
}
