/* SPDX-License-Identifier: MIT
 * figure_layouts.c - layouts of a graph's vertices in the plane: a scatter panel for each number of
 * hops, as Figure 1 of arXiv:2201.09698. */
#include <math.h>

#include "base/alloc.h"
#include "base/str.h"
#include "plot/figure.h"
#include "report.h"

static gnd_status panel_draw(gnd_figure *f, const gnd_layout *one, gnd_scatter *s, gnd_error *err)
{
    char buf[GND_COUNT_TEXT], *title;

    gnd_count_text(buf, one->hop);
    if (isfinite(one->silhouette))
        title = gnd_text_make("k = %s (%.2f)", buf, one->silhouette);
    else
        title = gnd_text_make("k = %s", buf);
    if (!title)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure");
    s->title = title;
    s->at = one->xy;
    gnd_figure_scatter(f, s);
    gnd_free(title);
    return GND_OK;
}

gnd_status gnd_figure_layouts(gnd_figure **out, const gnd_layouts *l, const gnd_graph *g,
                              gnd_error *err)
{
    const int64_t n = gnd_layouts_n(l);
    const gnd_figure_shape shape = {.title = "layouts of the features after k hops of diffusion",
                                    .width = n > 1 ? GND_FIGURE_DOUBLE : GND_FIGURE_SINGLE,
                                    .columns = n < 4 ? (int)n : 4};
    const int32_t n_class = gnd_graph_n_class(g);
    const char **names = gnd_alloc(n_class, sizeof *names);
    int32_t *cls = gnd_alloc(gnd_graph_n_node(g), sizeof *cls);
    gnd_scatter s = {.cls = cls, .n = gnd_graph_n_node(g), .n_class = n_class, .names = names};
    gnd_figure *f = NULL;
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (!names || !cls)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a figure"));
    for (int32_t c = 0; c < n_class; c++)
        names[c] = gnd_graph_class_name(g, c);
    for (int64_t i = 0; i < s.n; i++)
        cls[i] = gnd_graph_label(g, i);
    GND_TRY(gnd_figure_new(&f, &shape, err));
    for (int64_t i = 0; i < n; i++)
        GND_TRY(panel_draw(f, gnd_layouts_get(l, i), &s, err));
    gnd_figure_note(
        f,
        "%s, graph %s: t-SNE of W^k X \xce\x98, perplexity %.3g. Distances between groups "
        "have no meaning.",
        gnd_graph_name(g), gnd_graph_mode_name(gnd_graph_mode_get(g)), gnd_layouts_perplexity(l));
    *out = f;
    f = NULL;
out:
    gnd_figure_free(f);
    gnd_free(names);
    gnd_free(cls);
    return st;
}
