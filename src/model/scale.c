/* SPDX-License-Identifier: MIT
 * scale.c - what a labelling by several processes takes, before it is started: the products, sums
 * and arrays of each method that runs on parts of a graph, for the cost model of plan/scale.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/opts.h"
#include "linalg/series.h"
#include "model.h"
#include "plan/budget.h"
#include "plan/keep.h"
#include "plan/scale.h"

/* Sizes of the whole graph and the settings. */
typedef struct {
    const gnd_config *c;
    int64_t n, e;    /* vertices; entries of the adjacency matrix */
    int64_t d, x, C; /* features, their entries; classes */
} labelling;

/* ---- settings ---- */

/* The value of an own setting of the method. */
static double setting(const gnd_config *c, const char *name)
{
    for (int i = 0; c->method->hparams[i].name; i++)
        if (strcmp(c->method->hparams[i].name, name) == 0)
            return c->value[GND_HP_COMMON + i];
    return 0;
}

/* Epochs without a validation set. */
static double epochs(const gnd_config *c)
{
    return c->method->recipe ? c->value[GND_HP_EPOCHS_ALONE] : 0;
}

/* ---- methods ---- */

/* Conjugate gradients take LS_SHARE of the products of Chebyshev polynomials that divide the error
 * by 1e7: there were 22 and 28, with those of two residuals, instead of 109 on an R-MAT graph and
 * one of communities of 10 million entries. Each exchanges copies twice: of kept vertices, and of
 * the others. F, direction and residual, a buffer to exchange rows, and three blocks for the kept
 * vertices, a third of all. */
static const double LS_SHARE = 0.25, LS_TOL = 2e-7, LS_ALPHA = 0.99;

static gnd_status ls_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    const double alpha = setting(l->c, "alpha");
    gnd_series s;
    const gnd_status st =
        gnd_series_pagerank(&s, 1 - (alpha > 0 ? alpha : LS_ALPHA), true, LS_TOL, err);

    if (st != GND_OK)
        return st;
    w->product[0].count = ceil(LS_SHARE * (double)s.n);
    w->product[0].width = (double)l->C;
    w->exchanges = w->product[0].count;
    w->sums = 2 * w->product[0].count;
    w->sum_values = (double)l->C;
    w->row_bytes = 20 * (double)l->C + 24;
    gnd_series_fini(&s);
    return GND_OK;
}

/* S^K X is made once, whole if the budget allows it (graph/powers.c), otherwise panels of PANEL
 * columns for the labelled rows, and S^K (X W) for the result. */
static gnd_status sgc_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    enum { PANEL = 32 };
    const double hops = setting(l->c, "hops"), d = (double)l->d, C = (double)l->C;
    const gnd_budget b = gnd_budget_of(0, l->e + l->n);
    const gnd_keep_sizes s = {.rows = l->n, .cols = l->d};

    (void)err;
    if (gnd_keep_bytes(GND_KEEP_DENSE, &s) <= b.total) {
        w->product[0].count = hops;
        w->product[0].width = d;
        w->entry_madds = (double)l->x / (double)l->n;
        w->row_bytes = 4 * d * (hops > 1 ? 2 : 1) + 12 * C;
        w->row_madds = d * C;
    } else {
        w->product[0].count = hops * ceil(d / PANEL);
        w->product[0].width = PANEL;
        w->product[1].count = hops;
        w->product[1].width = C;
        w->row_bytes = 2 * 4 * PANEL + 12 * C;
        w->feature_madds = C;
    }
    w->feature_bytes = 16;
    return GND_OK;
}

/* Two layers forward and back in each epoch, forward for the result, on matrices of h columns. The
 * gradients of the weights are summed over all vertices. */
static gnd_status gcn_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    const double layers = setting(l->c, "layers"), h = setting(l->c, "hidden"), E = epochs(l->c);

    (void)err;
    w->product[0].count = layers * (2 * E + 1);
    w->product[0].width = h;
    w->sums = E;
    w->sum_values = (double)l->d * h + (layers - 2) * h * h + h * (double)l->C;
    w->row_madds = (layers - 1) * h * h * (2 * E + 1);
    w->feature_madds = h * (2 * E + 1);
    w->row_bytes = 4 * h * 4 * layers + 4 * (double)l->C;
    w->feature_bytes = 16;
    return GND_OK;
}

/* K steps on C columns forward and back, after a network of h hidden values. */
static gnd_status appnp_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    const double K = setting(l->c, "hops"), h = setting(l->c, "hidden"), E = epochs(l->c);
    const double C = (double)l->C;

    (void)err;
    w->product[0].count = K * (2 * E + 1);
    w->product[0].width = C;
    w->sums = E;
    w->sum_values = (double)l->d * h + h * C;
    w->row_madds = h * C * (3 * E + 1);
    w->feature_madds = h * (2 * E + 1);
    w->row_bytes = 4 * (2 * h + 8 * C);
    w->feature_bytes = 16;
    return GND_OK;
}

/* K hops on r columns forward and back. */
static gnd_status slp_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    const double K = setting(l->c, "hops"), r = setting(l->c, "filters"), E = epochs(l->c);

    (void)err;
    w->product[0].count = K * (2 * E + 1);
    w->product[0].width = r;
    w->sums = E;
    w->sum_values = (double)l->d * r;
    w->feature_madds = r * (2 * E + 1);
    w->row_madds = r * (double)l->C;
    w->row_bytes = 4 * 10 * r + 4 * (double)l->C;
    w->feature_bytes = 16;
    return GND_OK;
}

/* With features counted in one process on 2.3 million entries, without them from the terms of the
 * series and the steps of the walks on 10 million, with five labels per class: coordinates by
 * panels of 16 columns, or of 32 in 16 bits, which take as long, and predictors, 336 (147 without
 * features) products of width C by the entries that they read. They take as long as 490 (210) of
 * `ls`. */
static gnd_status auto_work(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    enum { PANEL = 16, COLUMNS = 48, RANK = 32 };
    const double C = (double)l->C;

    (void)err;
    w->product[0].count = l->d > 0 ? 190 : 75;
    w->product[0].width = PANEL;
    w->product[1].count = l->d > 0 ? 490 : 210;
    w->product[1].width = C;
    w->sums = 60;
    w->sum_values = COLUMNS * COLUMNS;
    w->row_madds = 8 * COLUMNS * COLUMNS + 40 * RANK * C;
    w->feature_madds = 6 * COLUMNS;
    w->row_bytes = 4 * (COLUMNS + 3 * PANEL + 2 * RANK) + 40 * C;
    w->feature_bytes = 24;
    return GND_OK;
}

/* entry_bytes: the links and the operator, 4 + 8; appnp masks entries in pieces. */
static const struct {
    const char *method;
    gnd_status (*work)(gnd_scale_work *w, const labelling *l, gnd_error *err);
    double entry_bytes;
} works[] = {{"ls", ls_work, 8},      {"sgc", sgc_work, 12},     {"gcn", gcn_work, 12},
             {"auto", auto_work, 20}, {"appnp", appnp_work, 12}, {"gnd-slp", slp_work, 20}};

static gnd_status work_get(gnd_scale_work *w, const labelling *l, gnd_error *err)
{
    const char *name = l->c->method->name;
    char known[128] = "";

    *w = (gnd_scale_work){0};
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        const size_t at = strlen(known);

        if (strcmp(works[k].method, name) == 0) {
            w->entry_bytes = works[k].entry_bytes;
            return works[k].work(w, l, err);
        }
        snprintf(known + at, sizeof known - at, "%s%s", at > 0 ? ", " : "", works[k].method);
    }
    return gnd_fail(err, GND_ERR_ARG,
                    "method %s has no estimate for several processes; these have: %s", name, known);
}

/* ---- the estimate ---- */

static gnd_status plan_check(const gnd_cluster_plan *p, gnd_error *err)
{
    if (p->n_node < 1 || p->n_edge < 1 || p->n_class < 1 || p->processes < 1)
        return gnd_fail(err, GND_ERR_ARG,
                        "%lld vertices, %lld edges, %lld classes, %d processes; expected 1 or more "
                        "of each",
                        (long long)p->n_node, (long long)p->n_edge, (long long)p->n_class,
                        p->processes);
    if (p->n_edge > INT64_MAX / 4 || p->n_feat < 0 || p->n_feat_entry < 0 || p->copies < 0 ||
        p->threads < 0 || (unsigned)p->order > GND_ORDER_COMMUNITIES)
        return gnd_fail(err, GND_ERR_ARG, "a size in gnd_cluster_plan is out of range");
    if (p->processes > 1 && (!(p->latency >= 0) || !(p->gbit > 0)))
        return gnd_fail(err, GND_ERR_ARG,
                        "a network of %g us and %g Gbit/s; expected 0 or more, and more than 0",
                        p->latency, p->gbit);
    return GND_OK;
}

/* What the code cannot hold, whatever the memory. */
static void limit_find(char *buf, size_t size, const gnd_cluster_plan *p, const gnd_config *c)
{
    const double most = INT32_MAX, entries = 2 * (double)p->n_edge;

    if (p->processes > 1 && !c->method->on_parts)
        snprintf(buf, size, "method %s runs in one process only", c->method->name);
    else if (p->processes > 1 && p->n_feat == 0 && gnd_method_needs_features(c->method))
        snprintf(buf, size, "method %s needs features in several processes", c->method->name);
    else if ((double)p->n_node > most)
        snprintf(buf, size, "vertices are numbered by 32 bits: at most %d of them", INT32_MAX);
    else if (p->processes > 1 && entries / p->processes > most)
        snprintf(buf, size, "a process holds at most %d links: start at least %.0f processes",
                 INT32_MAX, ceil(entries / most));
    else if (p->processes > 1 && p->order != GND_ORDER_RANDOM && entries + (double)p->n_node > most)
        snprintf(buf, size,
                 "METIS cuts graphs of up to %d links and vertices: order them by other means",
                 INT32_MAX);
}

gnd_status gnd_cluster_estimate(gnd_cluster_cost *out, const gnd_cluster_plan *given,
                                const gnd_config *c, gnd_error *err)
{
    gnd_cluster_cost cost = {.size = sizeof cost};
    gnd_scale_sizes s;
    gnd_scale_work w;
    gnd_scale_cost t;
    gnd_cluster_plan p;
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(gnd_opts_check(out, sizeof cost, "gnd_cluster_cost", err));
    GND_TRY(gnd_opts_get(&p, sizeof p, given, "gnd_cluster_plan", err));
    GND_TRY(plan_check(&p, err));
    GND_TRY(work_get(&w,
                     &(labelling){.c = c,
                                  .n = p.n_node,
                                  .e = 2 * p.n_edge,
                                  .d = p.n_feat,
                                  .x = p.n_feat_entry,
                                  .C = p.n_class},
                     err));
    s = (gnd_scale_sizes){.n_node = (double)p.n_node,
                          .n_entry = 2 * (double)p.n_edge,
                          .n_feat_entry = (double)p.n_feat_entry,
                          .n_process = p.processes,
                          .order = p.order,
                          .n_thread = p.threads > 0 ? p.threads : 1,
                          .latency = 1e-6 * p.latency,
                          .bandwidth = 1e9 / 8 * p.gbit};
    s.copies = p.copies > 0 ? (double)p.copies / s.n_node
                            : gnd_scale_copies(p.order, s.n_process, s.n_entry / s.n_node);
    gnd_scale_estimate(&t, &s, &w);
    cost.copies = s.copies;
    cost.bytes = t.bytes;
    cost.bytes_first = t.bytes + t.bytes_first;
    cost.load_seconds = t.load;
    cost.compute_seconds = t.compute;
    cost.copy_seconds = t.exchange;
    cost.sum_seconds = t.sums;
    cost.write_seconds = t.write;
    cost.seconds = t.load + t.compute + t.exchange + t.sums + t.write;
    limit_find(cost.limit, sizeof cost.limit, &p, c);
    gnd_opts_put(out, &cost, sizeof cost);
out:
    return st;
}
