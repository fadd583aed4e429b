/* SPDX-License-Identifier: MIT
 * paper.c - the tables of `gnd paper` beside accuracy: the data sets, who is best where, what a
 * training takes, what is still to be trained. */
#include "paper.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

const char PAPER_DATA[] = "cora,citeseer,pubmed,cora_ml,amazon_computers,amazon_photo";
const char PAPER_METHODS[] =
    "gnd-slp,gcn,geomgcn,chebynet,jknet,sgc,ppnp,ppnp-hk,ngcn,mixhop,lanczosnet,dcnn";

/* ---- the data sets ---- */

#define LISTS(entries)                                                                             \
    entries " / 2: all entries of the Planetoid file's neighbour lists, links listed twice and "   \
            "loops counted"
#define LARGEST                                                                                    \
    "the largest component of the undirected graph, as std; the authors' code reads the file as "  \
    "stored (raw), and so were the accuracies measured"

/* Table 1 of Ye et al., arXiv:2201.09698. */
static const paper_data published[] = {
    {"cora", true, 2708, 5429, 1433, 7, LISTS("10,858"), {0}, {0}},
    {"citeseer", true, 3327, 4732, 3703, 6, LISTS("9,464"), {0}, {0}},
    {"pubmed", true, 19717, 44338, 500, 3, LISTS("88,676"), {0}, {0}},
    {"cora_ml", true, 2810, 7981, 2879, 7, LARGEST, {0}, {0}},
    {"amazon_computers", true, 13381, 245778, 767, 10, LARGEST, {0}, {0}},
    {"amazon_photo", true, 7487, 119043, 745, 8, LARGEST, {0}, {0}},
};

static int info_get(gnd_graph_info *out, const sweep *s, const char *name, gnd_graph_mode mode)
{
    cli_args a = *s->args;
    gnd_graph *g = NULL;
    gnd_error err = {0};
    int rc;

    a.quiet = true;
    out->size = sizeof *out;
    rc = graph_open(&g, &a, name, mode, NULL);
    if (!rc && gnd_graph_info_get(out, g, &err))
        rc = say_failed("%s", err.msg);
    gnd_graph_free(g);
    return rc;
}

int paper_data_get(paper_data **out, const sweep *s)
{
    paper_data *d = need((size_t)s->data.n, sizeof *d);
    int rc = 0;

    for (int64_t i = 0; i < s->data.n && !rc; i++) {
        for (size_t k = 0; k < sizeof published / sizeof *published; k++)
            if (strcmp(published[k].name, s->data.v[i]) == 0)
                d[i] = published[k];
        d[i].name = s->data.v[i];
        rc = info_get(&d[i].raw, s, d[i].name, GND_GRAPH_RAW);
        if (!rc)
            rc = info_get(&d[i].std, s, d[i].name, GND_GRAPH_STD);
    }
    if (rc) {
        free(d);
        d = NULL;
    }
    *out = d;
    return rc;
}

static void data_row(table *t, const char *name, const char *source, const int64_t n[5])
{
    char f[5][32];

    for (int i = 0; i < 5; i++)
        if (n[i] >= 0)
            count_text(f[i], n[i]);
        else
            snprintf(f[i], 32, "-");
    table_row(t, (const char *[]){name, source, f[0], f[1], f[2], f[3], f[4]});
}

void paper_view_data(view *v, const sweep *s, const paper_data *d)
{
    table t = {.align = "llrrrrr"};
    char *notes = need_text("%s", "");

    table_row(&t, (const char *[]){"data set", "graph", "vertices", "edges", "arcs stored",
                                   "features", "classes"});
    for (int64_t i = 0; i < s->data.n; i++) {
        const gnd_graph_info *r = &d[i].raw, *u = &d[i].std;
        const char *name = d[i].name;

        if (d[i].published) {
            char n[32], *more;

            data_row(&t, name, "published",
                     (int64_t[]){d[i].n_node, d[i].n_edge, -1, d[i].n_feat, d[i].n_class});
            more = need_text("%s%s: %s edges published: %s\n", notes, name,
                             count_text(n, d[i].n_edge), d[i].about);
            free(notes);
            notes = more;
            name = "";
        }
        data_row(&t, name, "raw",
                 (int64_t[]){r->n_node, r->n_edge, r->n_arc, r->n_feat, r->n_class});
        data_row(&t, "", "std", (int64_t[]){u->n_node, u->n_edge, u->n_arc, u->n_feat, u->n_class});
    }
    view_table(
        v, "the data sets (Table 1 of the paper)",
        "as published, as stored (raw) and standardised (std); an edge is a pair of distinct "
        "vertices that are linked",
        &t, notes);
    free(notes);
}

static json_t *info_json(const gnd_graph_info *i)
{
    json_t *o = json_object();

    js_set(o, "n_node", js_count(i->n_node));
    js_set(o, "n_edge", js_count(i->n_edge));
    js_set(o, "n_arc", js_count(i->n_arc));
    js_set(o, "n_feat", js_count(i->n_feat));
    js_set(o, "n_class", js_count(i->n_class));
    return o;
}

json_t *paper_json_data(const sweep *s, const paper_data *d)
{
    json_t *list = json_array();

    for (int64_t i = 0; i < s->data.n; i++) {
        const gnd_graph_info p = {.size = sizeof p,
                                  .n_node = d[i].n_node,
                                  .n_edge = d[i].n_edge,
                                  .n_feat = d[i].n_feat,
                                  .n_class = d[i].n_class};
        json_t *o = json_object();

        js_set(o, "dataset", js_text(d[i].name));
        js_set(o, "published", d[i].published ? info_json(&p) : json_null());
        if (d[i].published)
            json_object_del(json_object_get(o, "published"), "n_arc");
        js_set(o, "raw", info_json(&d[i].raw));
        js_set(o, "std", info_json(&d[i].std));
        js_set(o, "published_edges", js_text(d[i].about));
        js_append(list, o);
    }
    return list;
}

/* ---- who is best ---- */

typedef struct {
    int64_t best, near, compared; /* cells */
} score;

/* Of the cells of a setting in which every row has a result: in how many is the row best? *partial
 * grows by those in which a row lacks trainings. */
static int64_t scores_make(score *out, int64_t *partial, const sweep *s, int64_t setting)
{
    const int64_t n_q = s->per_class->n;
    int64_t cells = 0;

    memset(out, 0, (size_t)s->n_row * sizeof *out);
    for (int64_t d = 0; d < s->data.n; d++) {
        const sweep_block *b = &s->block[setting * s->data.n + d];

        for (int64_t q = 0; q < n_q; q++) {
            bool there = true, whole = true;

            for (int64_t r = 0; r < s->n_row; r++) {
                const sweep_cell *c = &b->cell[r * n_q + q];

                there = there && c->cell.n > 0;
                whole = whole && c->cell.n + c->n_diverged == s->n_split;
                out[r].near += !isnan(c->apart) && fabs(c->apart) <= 2;
                out[r].compared += !isnan(c->apart);
            }
            cells += there;
            *partial += there && !whole;
            for (int64_t r = 0; r < s->n_row && there; r++)
                out[r].best += is_best(s, b, r, q);
        }
    }
    return cells;
}

/* The same by the published figures; a figure that is N/A is not best. */
static int64_t scores_published(score *out, const sweep *s)
{
    int64_t cells = 0;

    memset(out, 0, (size_t)s->n_row * sizeof *out);
    for (int64_t k = 0; k < s->data.n * s->per_class->n; k++) {
        const char *data = s->data.v[k / s->per_class->n];
        const int32_t labels = s->per_class->v[k % s->per_class->n];
        gnd_published p = {.size = sizeof p};
        double top = -1;

        for (int64_t r = 0; r < s->n_row; r++)
            if (gnd_published_get(&p, data, s->row_method[r], labels) && p.mean > top)
                top = p.mean;
        cells += top >= 0;
        for (int64_t r = 0; r < s->n_row && top >= 0; r++)
            out[r].best += gnd_published_get(&p, data, s->row_method[r], labels) && p.mean >= top;
    }
    return cells;
}

/* The text of column j in the table of who is best; row -1: the heading, n_row: the sums. */
static char *best_text(const sweep *s, const score *by, const int64_t *cells, int64_t row,
                       int64_t j)
{
    const bool name = j == 0, pub = j == 1 + 2 * s->n_setting;
    const int64_t k = pub ? s->n_setting : (j - 1) / 2;
    score c = {0};

    if (row < 0)
        return name    ? need_text("%s", "method")
               : pub   ? need_text("%s", "published")
               : j % 2 ? need_text("%s,%s", gnd_graph_mode_name(s->setting[k].graph),
                                   s->setting[k].rule)
                       : need_text("%s", "near");
    if (name)
        return need_text("%s", row < s->n_row ? s->row_name[row] : "of cells");
    for (int64_t r = 0; r < s->n_row; r++) {
        if (row < s->n_row && r != row)
            continue;
        c.best += by[k * s->n_row + r].best;
        c.near += by[k * s->n_row + r].near;
        c.compared += by[k * s->n_row + r].compared;
    }
    if (pub || j % 2)
        return need_text("%" PRId64, row < s->n_row ? c.best : cells[k]);
    return c.compared ? need_text("%" PRId64 " of %" PRId64, c.near, c.compared)
                      : need_text("%s", "-");
}

/* Columns: method; best and near of every setting; best by the published figures. */
void paper_view_best(view *v, const sweep *s)
{
    const int64_t n = 2 + 2 * s->n_setting, n_by = s->n_setting + 1;
    char *align = need((size_t)n + 1, 1), **f = need((size_t)n, sizeof *f), *notes;
    score *by = need((size_t)(n_by * s->n_row), sizeof *by);
    int64_t *cells = need((size_t)n_by, sizeof *cells), partial = 0;
    table t = {.align = align};
    char some[96] = "";

    memset(align, 'r', (size_t)n);
    align[0] = 'l';
    for (int64_t k = 0; k < n_by; k++)
        cells[k] = k < s->n_setting ? scores_make(by + k * s->n_row, &partial, s, k)
                                    : scores_published(by + k * s->n_row, s);
    for (int64_t r = -1; r <= s->n_row; r++) {
        for (int64_t j = 0; j < n; j++)
            f[j] = best_text(s, by, cells, r, j);
        table_row(&t, (const char *const *)f);
        for (int64_t j = 0; j < n; j++)
            free(f[j]);
    }
    if (partial)
        snprintf(some, sizeof some, " (in %" PRId64 " of them not yet from all %" PRId32 " splits)",
                 partial, s->n_split);
    notes = need_text(
        "counted are the cells in which every method has a result%s; near: cells within two "
        "standard errors of the published mean; published: the same count by the paper's tables%s",
        some,
        cells[s->n_setting] == 30
            ? ", though its text says that GND-Nets is best \"in 4 out of 30 cases\""
            : "");
    view_table(v, "who is best",
               "in how many cells (data set x label count) a method's mean is the highest", &t,
               notes);
    free(notes);
    free(cells);
    free(align);
    free(f);
    free(by);
}

static json_t *score_json(const sweep *s, const score *c, int64_t row, int64_t cells)
{
    json_t *o = json_object();

    js_set(o, "method", js_text(s->row_name[row]));
    js_set(o, "cells", js_count(cells));
    js_set(o, "best", js_count(c->best));
    return o;
}

json_t *paper_json_best(const sweep *s)
{
    json_t *list = json_array();
    score *by = need((size_t)s->n_row, sizeof *by);

    for (int64_t k = 0; k <= s->n_setting; k++) {
        const bool pub = k == s->n_setting;
        int64_t partial = 0;
        const int64_t cells = pub ? scores_published(by, s) : scores_make(by, &partial, s, k);

        for (int64_t r = 0; r < s->n_row; r++) {
            json_t *o = score_json(s, &by[r], r, cells);

            js_set(o, "by", js_text(pub ? "published" : "measured"));
            js_set(o, "graph", js_text(pub ? NULL : gnd_graph_mode_name(s->setting[k].graph)));
            js_set(o, "rule", js_text(pub ? NULL : s->setting[k].rule));
            js_set(o, "partial_cells", pub ? json_null() : js_count(partial));
            js_set(o, "near", pub ? json_null() : js_count(by[r].near));
            js_set(o, "compared", pub ? json_null() : js_count(by[r].compared));
            js_append(list, o);
        }
    }
    free(by);
    return list;
}

/* ---- what it takes ---- */

static char *time_text(const sweep *s, const sweep_block *b, int64_t row)
{
    double seconds = 0, epochs = 0, n = 0;
    char sec[32];

    for (int64_t q = 0; q < s->per_class->n; q++) {
        const gnd_cell *c = &b->cell[row * s->per_class->n + q].cell;

        if (c->n > 0) {
            seconds += (double)c->n * c->mean_seconds;
            epochs += (double)c->n * c->mean_epochs;
            n += (double)c->n;
        }
    }
    return n > 0 ? need_text("%s s, %.0f", seconds_text(sec, seconds / n), epochs / n)
                 : need_text("%s", "-");
}

void paper_view_times(view *v, const sweep *s, int64_t setting)
{
    const int64_t n = 1 + s->data.n;
    char *align = need((size_t)n + 1, 1), **f = need((size_t)n, sizeof *f), *head;
    table t = {.align = align};

    memset(align, 'r', (size_t)n);
    align[0] = 'l';
    for (int64_t r = -1; r < s->n_row; r++) {
        f[0] = need_text("%s", r < 0 ? "method" : s->row_name[r]);
        for (int64_t d = 0; d < s->data.n; d++) {
            const sweep_block *b = &s->block[setting * s->data.n + d];

            f[1 + d] = r < 0 ? need_text("%s", b->dataset) : time_text(s, b, r);
        }
        table_row(&t, (const char *const *)f);
        for (int64_t j = 0; j < n; j++)
            free(f[j]);
    }
    head = need_text("graph %s, %s stopping rule", gnd_graph_mode_name(s->setting[setting].graph),
                     s->setting[setting].rule);
    view_table(v, head, "CPU seconds and epochs of a training, mean over label counts and splits",
               &t, NULL);
    free(head);
    free(align);
    free(f);
}

/* ---- what is to be done ---- */

void paper_view_plan(view *v, const void *sweep_)
{
    const sweep *s = sweep_;
    table t = {.align = "lllrrr"};
    int64_t done = 0, total = 0;
    char f[3][32], *figures;

    table_row(&t, (const char *[]){"data set", "graph", "rule", "trainings", "stored", "to train"});
    for (int64_t b = 0; b < s->n_block; b++) {
        int64_t here = 0, all = 0;

        for (int64_t r = 0; r < s->n_row; r++) {
            here += s->cost[b * s->n_row + r].done;
            all += s->cost[b * s->n_row + r].total;
        }
        done += here;
        total += all;
        table_row(&t, (const char *[]){s->block[b].dataset,
                                       gnd_graph_mode_name(s->block[b].setting.graph),
                                       s->block[b].setting.rule, count_text(f[0], all),
                                       count_text(f[1], here), count_text(f[2], all - here)});
    }
    figures = need_text("%s trainings of %" PRId64 " methods, %s of them in %s, %s to train",
                        count_text(f[0], total), s->n_row, count_text(f[1], done), s->store_path,
                        count_text(f[2], total - done));
    view_table(v, "what `gnd paper` would train", figures, &t, NULL);
    free(figures);
}
