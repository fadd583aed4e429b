/* SPDX-License-Identifier: MIT
 * layouts.c - layouts of diffused features, each starting from the one before, and how well they
 * separate the classes. */
#include <math.h>

#include "base/alloc.h"
#include "base/note.h"
#include "base/opts.h"
#include "graph/graph.h"

struct gnd_layouts {
    int64_t n;
    gnd_layout *list; /* [n] */
    float *xy;        /* [n, n_node, 2] */
    double perplexity;
    gnd_notes notes;
};

/* Passes the progress of one layout on, with its number. */
typedef struct {
    int (*on_iteration)(const gnd_tsne_progress *p, void *user);
    void *user;
    int64_t layout, n_layout;
} relay;

static int relay_iteration(const gnd_tsne_progress *p, void *user)
{
    const relay *r = user;
    gnd_tsne_progress now = *p;

    now.layout = r->layout;
    now.n_layout = r->n_layout;
    return r->on_iteration(&now, r->user);
}

static gnd_status compute(gnd_layouts *l, const gnd_hop_features *h, const gnd_graph *g,
                          const gnd_tsne_opts *given, gnd_error *err)
{
    const int64_t n = gnd_hop_features_n_node(h);
    const double wanted = given->perplexity > 0 ? given->perplexity : GND_PERPLEXITY_DEFAULT;
    relay r = {.on_iteration = given->on_iteration, .user = given->user, .n_layout = l->n};
    gnd_tsne_opts o = *given;
    gnd_tsne_result res = {.size = sizeof res};
    gnd_status st = GND_OK;

    o.on_iteration = given->on_iteration ? relay_iteration : NULL;
    o.user = &r;
    for (; r.layout < l->n; r.layout++) {
        gnd_layout *one = l->list + r.layout;
        float *xy = l->xy + r.layout * n * 2;
        const gnd_point_rows x = {gnd_hop_features_get(h, r.layout), n,
                                  gnd_hop_features_filters(h)};

        GND_TRY(gnd_tsne(xy, &res, &x, &o, err));
        *one = (gnd_layout){.hop = gnd_hop_features_hop(h, r.layout), .xy = xy, .kl = res.kl};
        GND_TRY(gnd_silhouette(&one->silhouette, &(gnd_point_rows){xy, n, 2}, g->label, o.threads,
                               err));
        o.start = xy;
    }
    l->perplexity = res.perplexity;
    if (res.perplexity < wanted)
        GND_TRY(gnd_notes_add(&l->notes, GND_NOTE, "perplexity_lowered", err,
                              "perplexity %.3g instead of %.3g, because the graph has only %lld "
                              "vertices",
                              res.perplexity, wanted, (long long)n));
out:
    return st;
}

gnd_status gnd_layouts_new(gnd_layouts **out, const gnd_hop_features *h, const gnd_graph *g,
                           const gnd_tsne_opts *o, gnd_error *err)
{
    const int64_t n = gnd_hop_features_n(h);
    gnd_layouts *l = NULL;
    gnd_tsne_opts opts;
    gnd_status st;

    *out = NULL;
    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_tsne_opts", err));
    if (g->n_node != gnd_hop_features_n_node(h))
        GND_TRY(
            gnd_fail(err, GND_ERR_SHAPE,
                     "the features are of %lld vertices, the graph has %lld; expected the graph "
                     "that they were computed from",
                     (long long)gnd_hop_features_n_node(h), (long long)g->n_node));
    l = gnd_alloc(1, sizeof *l);
    if (l) {
        l->n = n;
        l->list = gnd_alloc(n, sizeof *l->list);
        l->xy = gnd_alloc(n, sizeof *l->xy * 2 * (size_t)g->n_node);
    }
    if (!l || !l->list || !l->xy)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld layouts", (long long)n));
    GND_TRY(compute(l, h, g, &opts, err));
    *out = l;
    l = NULL;
out:
    gnd_layouts_free(l);
    return st;
}

void gnd_layouts_free(gnd_layouts *l)
{
    if (l) {
        gnd_free(l->list);
        gnd_free(l->xy);
        gnd_notes_fini(&l->notes);
    }
    gnd_free(l);
}

int64_t gnd_layouts_n(const gnd_layouts *l)
{
    return l->n;
}

const gnd_layout *gnd_layouts_get(const gnd_layouts *l, int64_t i)
{
    return i >= 0 && i < l->n ? l->list + i : NULL;
}

double gnd_layouts_perplexity(const gnd_layouts *l)
{
    return l->perplexity;
}

int64_t gnd_layouts_n_note(const gnd_layouts *l)
{
    return l->notes.n;
}

const gnd_note *gnd_layouts_note(const gnd_layouts *l, int64_t i)
{
    return gnd_notes_at(&l->notes, i);
}
