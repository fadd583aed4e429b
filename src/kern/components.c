/* SPDX-License-Identifier: MIT
 * components.c - weakly connected components; see the header. */
#include "components.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The smallest vertex known to be linked to v, which leads to itself. Shortens the way there. */
static int32_t least_of(int32_t *least, int32_t v)
{
    while (least[v] != v)
        v = least[v] = least[least[v]];
    return v;
}

/* Components of the vertices of this process: sets that each entry joins. */
static int64_t components_here(int32_t *comp, const gnd_csr *adj)
{
    int64_t count = 0;

    for (int64_t i = 0; i < adj->n_row; i++)
        comp[i] = (int32_t)i;
    for (int64_t i = 0; i < adj->n_row; i++) {
        int32_t a = least_of(comp, (int32_t)i);

        /* Columns ascend; those from i on list i themselves if the matrix is symmetric. */
        for (int64_t p = adj->ptr[i]; p < adj->ptr[i + 1] && !(adj->symmetric && adj->col[p] > i);
             p++) {
            const int32_t b = least_of(comp, adj->col[p]);

            comp[a > b ? a : b] = a > b ? b : a;
            a = a > b ? b : a;
        }
    }
    for (int64_t i = 0; i < adj->n_row; i++) /* comp[j] of smaller j are numbers already */
        comp[i] = comp[i] == i ? (int32_t)count++ : comp[comp[i]];
    return count;
}

/* ---- several processes ---- */

/* One round: least[c], the smallest vertex of the whole graph that is known to be in component c,
 * from the processes that own the copies in c and from the owner of least[c] itself, which shortens
 * long ways. Returns whether something has changed here. */
static bool least_lower(int64_t *least, int64_t count, const int32_t *comp, gnd_part *p,
                        int64_t *value, int64_t *found)
{
    bool changed = false;

    for (int64_t i = 0; i < p->n_local; i++)
        value[i] = least[comp[i]];
    gnd_part_fill(p, value, sizeof *value);
    for (int64_t i = 0; i < p->n_local; i++)
        if (value[i] < least[comp[i]]) {
            least[comp[i]] = value[i];
            changed = true;
        }
    for (int64_t i = 0; i < p->n_local; i++)
        value[i] = least[comp[i]];
    p->calls->look_up(p, found, least, count, value);
    for (int64_t c = 0; c < count; c++)
        if (found[c] < least[c]) {
            least[c] = found[c];
            changed = true;
        }
    return changed;
}

static int by_number(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* Number the components by least, those with the same one alike. sorted: [count]. Returns how many
 * there are. */
static int64_t renumber(int32_t *comp, int64_t n, const int64_t *least, int64_t *sorted,
                        int64_t count)
{
    int64_t n_new = 0;

    memcpy(sorted, least, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_number);
    for (int64_t c = 0; c < count; c++)
        if (n_new == 0 || sorted[n_new - 1] != sorted[c])
            sorted[n_new++] = sorted[c];
    for (int64_t i = 0; i < n; i++) {
        const int64_t *at = bsearch(&least[comp[i]], sorted, (size_t)n_new, sizeof *at, by_number);

        comp[i] = (int32_t)(at - sorted);
    }
    return n_new;
}

/* Room for what the rounds need, each [n_local]. */
typedef struct {
    int64_t *least, *value, *found;
} joining;

static bool joining_init(joining *j, int64_t n)
{
    *j = (joining){gnd_alloc(n, sizeof *j->least), gnd_alloc(n, sizeof *j->value),
                   gnd_alloc(n, sizeof *j->found)};
    return j->least && j->value && j->found;
}

static void joining_fini(joining *j)
{
    gnd_free(j->least);
    gnd_free(j->value);
    gnd_free(j->found);
}

/* j->least: [count] the smallest vertex of the whole graph in each component of those here. */
static void join(joining *j, const int32_t *comp, int64_t count, gnd_part *p)
{
    for (int64_t c = 0; c < count; c++)
        j->least[c] = INT64_MAX;
    for (int64_t i = p->n_local - 1; i >= 0; i--)
        j->least[comp[i]] = p->global[i];
    while (gnd_part_any(p, least_lower(j->least, count, comp, p, j->value, j->found)))
        ;
}

static int64_t components_join(int32_t *comp, int64_t count, gnd_part *p)
{
    joining j;
    const bool room = joining_init(&j, p->n_local);

    if (room) {
        join(&j, comp, count, p);
        count = renumber(comp, p->n_local, j.least, j.value, count);
    }
    joining_fini(&j);
    return room ? count : -1;
}

gnd_status gnd_component_sizes(int64_t *size, const int32_t *comp, int64_t n, gnd_part *p,
                               gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(p, n);
    int64_t count = 0;
    joining j = {0};
    gnd_status st = GND_OK;

    memset(size, 0, (size_t)n * sizeof *size);
    for (int64_t i = own.begin; i < own.end; i++)
        size[comp[i]]++;
    if (!p)
        return GND_OK;
    for (int64_t i = 0; i < n; i++)
        count = comp[i] >= count ? comp[i] + 1 : count;
    if (!joining_init(&j, n))
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %lld vertices",
                         (long long)n));
    join(&j, comp, count, p);
    memset(j.value, 0, (size_t)n * sizeof *j.value); /* sizes at the smallest vertices */
    p->calls->add_up(p, j.value, j.least, count, size);
    p->calls->look_up(p, size, j.least, count, j.value);
out:
    joining_fini(&j);
    return st;
}

int64_t gnd_components(int32_t *comp, const gnd_csr *adj)
{
    const int64_t count = components_here(comp, adj);

    return adj->part && count >= 0 ? components_join(comp, count, adj->part) : count;
}

void gnd_component_any(unsigned char *has, const int32_t *comp, unsigned char *flag, gnd_part *p)
{
    bool changed = p != NULL;

    while (changed) {
        changed = false;
        for (int64_t i = 0; i < p->n_local; i++)
            flag[i] = has[comp[i]];
        gnd_part_fill(p, flag, 1);
        for (int64_t i = 0; i < p->n_local; i++)
            if (flag[i] && !has[comp[i]]) {
                has[comp[i]] = 1;
                changed = true;
            }
        changed = gnd_part_any(p, changed);
    }
}

gnd_status gnd_largest_component(int32_t *keep, int64_t *n_keep, const gnd_csr *adj, gnd_error *err)
{
    const int64_t n = adj->n_row;
    int32_t *comp = gnd_alloc(n, sizeof *comp);
    int32_t *size = gnd_alloc(n, sizeof *size);
    int64_t best = 0, count = -1;
    gnd_status st = GND_OK;

    *n_keep = 0;
    if (comp && size)
        count = gnd_components(comp, adj);
    if (count < 0)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the components of %lld vertices",
                         (long long)n));
    for (int64_t i = 0; i < n; i++)
        size[comp[i]]++;
    /* Components are numbered by their smallest vertex, so the first of equal size is chosen. */
    for (int64_t c = 1; c < count; c++)
        if (size[c] > size[best])
            best = c;
    for (int64_t i = 0; i < n; i++)
        if (comp[i] == best)
            keep[(*n_keep)++] = (int32_t)i;
out:
    gnd_free(size);
    gnd_free(comp);
    return st;
}
