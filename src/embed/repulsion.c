/* SPDX-License-Identifier: MIT
 * repulsion.c - repulsive forces by the method of Barnes and Hut, for groups of points.
 *
 * GROUP points that are neighbours in the order of the tree share one walk through it: a cell is
 * taken as one mass only if it is far enough from the nearest edge of the box around the group, so
 * no point is served worse than by its own walk. The masses found are collected in a list, and
 * kern->repel adds them to GND_POINT_LANES points at a time. */
#include "repulsion.h"

#include "base/alloc.h"
#include "kern/kern.h"

enum { N = GND_POINT_LANES, GROUP = 2 * N, LIST = 1024, GROUPS_PER_PIECE = 8 };

gnd_status gnd_repulsion_init(gnd_repulsion *r, int64_t n, gnd_error *err)
{
    gnd_status st;

    *r = (gnd_repulsion){.n = n, .n_group = (n + GROUP - 1) / GROUP};
    GND_TRY(gnd_quadtree_init(&r->tree, n, err));
    r->all = gnd_alloc(3 * n, sizeof *r->all);
    r->z = gnd_alloc(r->n_group, sizeof *r->z);
    if (!r->all || !r->z)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the forces of %lld points", (long long)n));
out:
    if (st != GND_OK)
        gnd_repulsion_fini(r);
    return st;
}

void gnd_repulsion_fini(gnd_repulsion *r)
{
    gnd_quadtree_fini(&r->tree);
    gnd_free(r->all);
    gnd_free(r->z);
    *r = (gnd_repulsion){0};
}

/* A group of points, the box around them, and the list of masses to add. */
typedef struct {
    gnd_real p[GROUP / N][2][N]; /* the last point is repeated up to a full group */
    gnd_real sum[GROUP / N][3][N];
    gnd_real low[2], high[2];
    gnd_real list[LIST][3];
    int64_t n_list;
    const gnd_kern *kern;
} group;

typedef struct {
    gnd_repulsion *r;
    gnd_real *force;
    const gnd_real *y;    /* [n, 2] points in the order of the groups */
    const int32_t *order; /* their indices; NULL: 0, 1, ... */
    gnd_real theta2;
    bool tree;
    const gnd_kern *kern;
} forces;

static void group_init(group *g, const forces *f, int64_t begin)
{
    for (int64_t i = 0; i < GROUP; i++) {
        const gnd_real *y = f->y + 2 * (begin + i < f->r->n ? begin + i : f->r->n - 1);

        for (int c = 0; c < 2; c++) {
            g->p[i / N][c][i % N] = y[c];
            g->low[c] = i == 0 || y[c] < g->low[c] ? y[c] : g->low[c];
            g->high[c] = i == 0 || y[c] > g->high[c] ? y[c] : g->high[c];
        }
        for (int c = 0; c < 3; c++)
            g->sum[i / N][c][i % N] = 0;
    }
    g->n_list = 0;
    g->kern = f->kern;
}

static void add_masses(group *g, const gnd_real *q, int64_t m)
{
    for (int v = 0; v < GROUP / N; v++)
        g->kern->repel(g->sum[v][0], g->p[v][0], q, m);
}

static void flush(group *g)
{
    add_masses(g, g->list[0], g->n_list);
    g->n_list = 0;
}

static void append(group *g, gnd_real x, gnd_real y, gnd_real mass)
{
    gnd_real *q = g->list[g->n_list];

    q[0] = x;
    q[1] = y;
    q[2] = mass;
    if (++g->n_list == LIST)
        flush(g);
}

/* How far v is outside low .. high. */
static gnd_real outside(gnd_real v, gnd_real low, gnd_real high)
{
    const gnd_real below = low - v, above = v - high, d = below > above ? below : above;

    return d > 0 ? d : 0;
}

static void walk(group *g, const gnd_quadtree *t, gnd_real theta2)
{
    for (int64_t k = 0; k < t->n_cell;) {
        const gnd_cell_node *c = t->cell + k;
        const gnd_real dx = outside(c->x, g->low[0], g->high[0]);
        const gnd_real dy = outside(c->y, g->low[1], g->high[1]);

        if (c->side * c->side <= theta2 * (dx * dx + dy * dy)) {
            append(g, c->x, c->y, (gnd_real)(c->end - c->begin));
            k = c->next;
            continue;
        }
        for (int32_t i = c->begin; c->leaf && i < c->end; i++)
            append(g, t->y[2 * i], t->y[2 * i + 1], 1);
        k++; /* a leaf has nothing inside: the next cell is c->next */
    }
    flush(g);
}

static void compute_groups(int64_t begin, int64_t end, void *arg)
{
    const forces *f = arg;
    const int64_t n = f->r->n;
    group g;

    for (int64_t k = begin; k < end; k++) {
        double z = 0;

        group_init(&g, f, k * GROUP);
        if (f->tree)
            walk(&g, &f->r->tree, f->theta2);
        else
            add_masses(&g, f->r->all, n);
        for (int64_t i = 0; i < GROUP && k * GROUP + i < n; i++) {
            const int64_t at = f->order ? f->order[k * GROUP + i] : k * GROUP + i;

            f->force[2 * at] = g.sum[i / N][0][i % N];
            f->force[2 * at + 1] = g.sum[i / N][1][i % N];
            z += (double)g.sum[i / N][2][i % N] - 1; /* the point itself has s = 1 */
        }
        f->r->z[k] = z;
    }
}

double gnd_repulsion_compute(gnd_repulsion *r, gnd_real *force, const gnd_real *y, double theta,
                             gnd_pool *pool)
{
    forces f = {.r = r,
                .force = force,
                .y = y,
                .theta2 = (gnd_real)(theta * theta),
                .tree = theta >= 0,
                .kern = gnd_kern_get()};
    double z = 0;

    if (f.tree) {
        gnd_quadtree_build(&r->tree, y);
        f.y = r->tree.y;
        f.order = r->tree.order;
    } else {
        for (int64_t i = 0; i < r->n; i++) {
            r->all[3 * i] = y[2 * i];
            r->all[3 * i + 1] = y[2 * i + 1];
            r->all[3 * i + 2] = 1;
        }
    }
    gnd_parallel_for(pool, r->n_group, GROUPS_PER_PIECE, r->n * (f.tree ? 512 : r->n),
                     compute_groups, &f);
    for (int64_t k = 0; k < r->n_group; k++)
        z += r->z[k];
    return z;
}
