/* SPDX-License-Identifier: MIT
 * figure_training.c - figures of one training run: learning curves, and the weights of hops. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/str.h"
#include "plot/figure.h"
#include "report.h"

/* ---- learning curves ---- */

typedef struct {
    double *v; /* [N_CURVE, room]; accuracies in percent */
    int64_t n, room;
    bool failed;
    gnd_train_opts o; /* the caller's */
} history;

enum { EPOCH, LOSS_TRAIN, LOSS_VAL, ACC_TRAIN, ACC_VAL, N_CURVE };

static double *curve(const history *h, int which)
{
    return h->v + which * h->room;
}

static void history_reserve(history *h, int64_t room)
{
    if (!h->v) {
        h->v = gnd_alloc(N_CURVE * room, sizeof *h->v);
        h->room = room;
        h->failed = !h->v;
    }
}

static int on_epoch(const gnd_epoch *e, void *user)
{
    history *h = user;

    history_reserve(h, e->max_epochs);
    if (h->failed || h->n >= h->room)
        return 1;
    curve(h, EPOCH)[h->n] = (double)(e->epoch + 1);
    curve(h, LOSS_TRAIN)[h->n] = e->loss_train;
    curve(h, LOSS_VAL)[h->n] = e->loss_val;
    curve(h, ACC_TRAIN)[h->n] = 100 * e->acc_train;
    curve(h, ACC_VAL)[h->n] = 100 * e->acc_val;
    h->n++;
    return h->o.on_epoch ? h->o.on_epoch(e, h->o.user) : 0;
}

static void on_plan(const gnd_plan_info *p, void *user)
{
    const history *h = user;

    h->o.on_plan(p, h->o.user);
}

static void range_of(double range[2], const double *v, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            range[0] = fmin(range[0], v[i]);
            range[1] = fmax(range[1], v[i]);
        }
}

/* A vertical line at the epoch whose weights are used. */
static void best_draw(gnd_figure *f, const history *h, int64_t best, int from, int to)
{
    const double x[] = {(double)(best + 1), (double)(best + 1)};
    double y[] = {INFINITY, -INFINITY};

    for (int c = from; c <= to; c++)
        range_of(y, curve(h, c), h->n);
    gnd_figure_series(f, &(gnd_plot_series){.name = "weights used",
                                            .draw = GND_DRAW_LINE,
                                            .style = GND_STYLE_REFERENCE,
                                            .n = 2,
                                            .x = x,
                                            .y = y});
}

static void curve_draw(gnd_figure *f, const history *h, int which, const char *name, int style)
{
    gnd_figure_series(f, &(gnd_plot_series){.name = name,
                                            .draw = GND_DRAW_LINE,
                                            .style = style,
                                            .n = h->n,
                                            .x = curve(h, EPOCH),
                                            .y = curve(h, which)});
}

static gnd_status curves_draw(gnd_figure **out, const history *h, const gnd_result *res,
                              const char *title, gnd_error *err)
{
    const bool val = isfinite(res->acc_val);
    const gnd_status st =
        gnd_figure_new(out, &(gnd_figure_shape){title, GND_FIGURE_DOUBLE, 2}, err);

    if (st != GND_OK)
        return st;
    gnd_figure_panel(
        *out,
        &(gnd_panel){.title = "loss", .x = {.label = "epoch"}, .y = {.label = "cross-entropy"}});
    curve_draw(*out, h, LOSS_TRAIN, "training", 0);
    if (val) {
        curve_draw(*out, h, LOSS_VAL, "validation", 1);
        best_draw(*out, h, res->best_epoch, LOSS_TRAIN, LOSS_VAL);
    }
    gnd_figure_panel(
        *out,
        &(gnd_panel){.title = "accuracy", .x = {.label = "epoch"}, .y = {.label = "accuracy (%)"}});
    curve_draw(*out, h, ACC_TRAIN, "training", 0);
    if (val) {
        curve_draw(*out, h, ACC_VAL, "validation", 1);
        best_draw(*out, h, res->best_epoch, ACC_TRAIN, ACC_VAL);
    }
    gnd_figure_note(*out, "%s. Training: with dropout, and the loss with the L2 penalty.", title);
    return GND_OK;
}

gnd_status gnd_figure_curves(gnd_figure **out, const gnd_graph *g, const gnd_split *s,
                             const gnd_config *c, const gnd_train_opts *o, gnd_error *err)
{
    history h = {0};
    gnd_result res = {.size = sizeof res};
    gnd_model *m = NULL;
    gnd_train_opts mine;
    char *title = NULL;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&h.o, sizeof h.o, o, "gnd_train_opts", err));
    mine = h.o;
    mine.on_epoch = on_epoch;
    mine.on_plan = h.o.on_plan ? on_plan : NULL;
    mine.user = &h;
    mine.skip_figures = false;
    st = gnd_train(&m, &res, g, s, c, &mine, err);
    if (h.failed) {
        gnd_error_clear(err);
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for the epochs of a training run");
    }
    GND_TRY(st);
    if (h.n == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "method %s has no epochs, and so no learning curves",
                         gnd_config_method(c)));
    title = gnd_text_make("%s on %s, graph %s", gnd_config_method(c), gnd_graph_name(g),
                          gnd_graph_mode_name(gnd_graph_mode_get(g)));
    if (!title)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
    GND_TRY(curves_draw(out, &h, &res, title, err));
out:
    gnd_free(title);
    gnd_free(h.v);
    gnd_model_free(m);
    return st;
}

/* ---- weights of hops ---- */

/* The value of a real setting, or `fallback` if the method does not have it. */
static double setting_real(const gnd_config *c, const char *name, double fallback)
{
    gnd_setting_info info = {.size = sizeof info};
    double v = fallback;
    char buf[64];

    for (int i = 0; gnd_config_info(&info, c, i); i++)
        if (strcmp(info.name, name) == 0 && gnd_config_value(c, i, buf, sizeof buf))
            gnd_parse_real(&v, buf, strlen(buf));
    return v;
}

/* w divided by the sum of its absolute values, with the sign that makes its sum positive: if all
 * signs of the hop weights and of the features' weights are reversed, the model is the same. */
static void scale(double *w, int64_t n)
{
    double sum = 0, size = 0;

    for (int64_t k = 0; k < n; k++) {
        sum += w[k];
        size += fabs(w[k]);
    }
    for (int64_t k = 0; size > 0 && k < n; k++)
        w[k] /= sum < 0 ? -size : size;
}

/* Mean and standard deviation over the vertices of their scaled weights. one: [n] scratch. */
static void learned_fill(double *mean, double *std, double *one, const gnd_hop_weights *w)
{
    const int64_t n = gnd_hop_weights_n_hop(w);
    const int64_t n_row = gnd_hop_weights_shared(w) ? 1 : gnd_hop_weights_n(w);

    for (int64_t k = 0; k < n; k++)
        mean[k] = std[k] = 0;
    for (int64_t i = 0; i < n_row; i++) {
        const float *v = gnd_hop_weights_get(w, i);

        for (int64_t k = 0; k < n; k++)
            one[k] = (double)v[k];
        scale(one, n);
        for (int64_t k = 0; k < n; k++) {
            mean[k] += one[k];
            std[k] += one[k] * one[k];
        }
    }
    for (int64_t k = 0; n_row > 0 && k < n; k++) {
        mean[k] /= (double)n_row;
        std[k] = sqrt(fmax(0, std[k] / (double)n_row - mean[k] * mean[k]));
    }
}

/* v: [6, n] scratch. */
static void hops_draw(gnd_figure *f, double *v, const gnd_hop_weights *w, const gnd_model *m)
{
    const gnd_config *c = gnd_model_config(m);
    const double a = setting_real(c, "teleport", 0.1), t = setting_real(c, "time", 5);
    const int64_t n = gnd_hop_weights_n_hop(w), first = gnd_hop_weights_first(w);
    double *x = v, *mean = v + n, *low = v + 2 * n, *high = v + 3 * n, *ppr = v + 4 * n,
           *heat = v + 5 * n, term = exp(-t);
    const bool shared = gnd_hop_weights_shared(w);
    char name[64];

    learned_fill(mean, high, ppr, w);
    for (int64_t k = 0; k < first; k++)
        term *= t / (double)(k + 1);
    for (int64_t k = 0; k < n; k++) {
        x[k] = (double)(first + k);
        low[k] = mean[k] - high[k];
        high[k] = mean[k] + high[k];
        ppr[k] = a * pow(1 - a, x[k]);
        heat[k] = term;
        term *= t / (x[k] + 1);
    }
    scale(ppr, n);
    scale(heat, n);
    gnd_figure_series(f, &(gnd_plot_series){.name = gnd_config_method(c),
                                            .draw = GND_DRAW_BAR | (shared ? 0 : GND_DRAW_ERROR),
                                            .style = 0,
                                            .n = n,
                                            .x = x,
                                            .y = mean,
                                            .low = shared ? NULL : low,
                                            .high = shared ? NULL : high,
                                            .width = 0.8});
    snprintf(name, sizeof name, "PageRank, restart probability %g", a);
    gnd_figure_series(f, &(gnd_plot_series){.name = name,
                                            .draw = GND_DRAW_LINE | GND_DRAW_MARK,
                                            .style = 1,
                                            .n = n,
                                            .x = x,
                                            .y = ppr});
    snprintf(name, sizeof name, "heat kernel, time %g", t);
    gnd_figure_series(f, &(gnd_plot_series){.name = name,
                                            .draw = GND_DRAW_LINE | GND_DRAW_MARK,
                                            .style = 2,
                                            .n = n,
                                            .x = x,
                                            .y = heat});
    gnd_figure_note(
        f, "Weights are divided by the sum of their absolute values; their sum is positive.");
    if (!shared)
        gnd_figure_note(f, "Bars: mean over the vertices; error bars: standard deviation.");
}

gnd_status gnd_figure_hops(gnd_figure **out, const gnd_model *m, const gnd_graph *g,
                           const gnd_train_opts *o, gnd_error *err)
{
    gnd_hop_weights *w = NULL;
    double *v = NULL;
    char *title = NULL;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_model_hop_weights(&w, m, g, o, err));
    v = gnd_alloc(6 * gnd_hop_weights_n_hop(w), sizeof *v);
    title = gnd_text_make("%s, graph %s", gnd_graph_name(g),
                          gnd_graph_mode_name(gnd_graph_mode_get(g)));
    if (!v || !title)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
    GND_TRY(gnd_figure_new(out, &(gnd_figure_shape){title, GND_FIGURE_SINGLE, 1}, err));
    gnd_figure_panel(*out,
                     &(gnd_panel){.title = title, .x = {.label = "hop"}, .y = {.label = "weight"}});
    hops_draw(*out, v, w, m);
out:
    gnd_free(title);
    gnd_free(v);
    gnd_hop_weights_free(w);
    return st;
}
