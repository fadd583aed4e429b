/* SPDX-License-Identifier: MIT
 * cmd_spectrum.c - `gnd spectrum`: how fast diffusion on a graph converges, and to what. */
#include "common.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_GRAPH("und"),
    OPT_TEXT_FILES,
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("what to compute"),
    {.type = OPT_LIST,
     .name = "powers",
     .arg = "LIST",
     .fallback = "1,2,5,10,20,50,100,200,500,1000,2000,5000,10000",
     .min = 0,
     .max = 10000000,
     .at = AT(powers),
     .help = "powers k of W, ascending"},
    {.type = OPT_INT,
     .name = "seed",
     .arg = "N",
     .fallback = "1",
     .min = 0,
     .max = INT64_MAX,
     .at = AT(seed),
     .help = "seed of the vector z"},
    OPT_HEADING("output"),
    {.type = OPT_INT,
     .letter = 'n',
     .name = "number",
     .arg = "N",
     .fallback = "5",
     .min = 1,
     .max = INT32_MAX,
     .at = AT(number),
     .help = "number of components listed, the largest first; csv and json list all of them"},
    {.type = OPT_CHOICE,
     .name = "format",
     .fallback = "table",
     .choices = "table|md|tex|csv|json",
     .at = AT(to),
     .help = "md: Markdown; tex: LaTeX with booktabs; csv: a row per component, then a row per "
             "power; json: everything"},
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_spectrum = {
    .name = "spectrum",
    .purpose = "how fast diffusion on a graph converges, and to what",
    .operands = "DATA [options]",
    .about =
        "W = D^-1 (A + I) is the random walk with self-loops, D the row sums of A + I. On a "
        "connected component W has the eigenvalue 1 once; all others are smaller in modulus, also "
        "if the component is bipartite, since the loops keep them above -1. So W^k z converges on "
        "each component to one value: the mean of z weighted by degree + 1. The distance to this "
        "limit, in the norm weighted by D, is at most |lambda_2|^k of the start, where lambda_2 is "
        "the eigenvalue of second largest modulus. The limit is one value for all vertices only "
        "if the graph is connected. z is random.",
    .examples = "  gnd spectrum karate\n"
                "  gnd spectrum cora --graph std --powers 1,10,100,1000 --format md\n"
                "  gnd spectrum edges.csv --format json\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
};

/* The smallest power for which the bound |lambda_2|^k is at most 1 %. */
static double hops_to_percent(double modulus)
{
    return modulus > 0 ? fmax(1, ceil(log(0.01) / log(modulus))) : 1;
}

/* A number with fixed decimals, or `none`. */
static void real_cell(gnd_table *t, double v, int decimals, const char *none)
{
    if (isfinite(v))
        gnd_table_cell(t, "%.*f", decimals, v);
    else
        gnd_table_cell(t, "%s", none);
}

/* ---- tables ---- */

static void component_cells(gnd_table *t, const gnd_spectrum_component *c)
{
    gnd_table_cell(t, "%" PRId64, c->n_node);
    real_cell(t, c->second, 8, "-");
    real_cell(t, c->smallest, 8, "-");
    real_cell(t, c->modulus, 8, "-");
    gnd_table_cell(t, "%.0f", hops_to_percent(c->modulus));
}

/* One row for all components from `first` on. */
static void rest_row(gnd_table *t, const gnd_spectrum *s, int64_t first)
{
    const int64_t n = gnd_spectrum_n_component(s);
    const int64_t most = gnd_spectrum_component_get(s, first)->n_node;
    const int64_t least = gnd_spectrum_component_get(s, n - 1)->n_node;
    double second = NAN, smallest = NAN, modulus = 0;

    for (int64_t i = first; i < n; i++) {
        const gnd_spectrum_component *c = gnd_spectrum_component_get(s, i);

        second = fmax(second, c->second); /* NAN is ignored */
        smallest = fmin(smallest, c->smallest);
        modulus = fmax(modulus, c->modulus);
    }
    gnd_table_cell(t, "%" PRId64 " others", n - first);
    if (least < most)
        gnd_table_cell(t, "%" PRId64 " to %" PRId64, least, most);
    else
        gnd_table_cell(t, "%" PRId64 " each", most);
    real_cell(t, second, 8, "-");
    real_cell(t, smallest, 8, "-");
    real_cell(t, modulus, 8, "-");
    gnd_table_cell(t, "%.0f", hops_to_percent(modulus));
}

static void components_print(const gnd_spectrum *s, const cli_args *a)
{
    const int64_t n = gnd_spectrum_n_component(s);
    const int64_t shown = n <= a->number + 1 ? n : a->number; /* no row for a single other one */
    gnd_table *t = table_new("lrrrrr");

    gnd_table_row(t, (const char *const[]){"component", "vertices", "second eigenvalue",
                                           "smallest eigenvalue", "|lambda_2|", "hops to 1 %"});
    for (int64_t i = 0; i < shown; i++) {
        gnd_table_cell(t, "%" PRId64, i + 1);
        component_cells(t, gnd_spectrum_component_get(s, i));
    }
    if (shown < n)
        rest_row(t, s, shown);
    table_print(t, table_format(a->to), 0);
}

static void powers_print(const gnd_spectrum *s, const cli_args *a)
{
    const gnd_spectrum_power *p;
    gnd_table *t = table_new("rrrr");

    gnd_table_row(t, (const char *const[]){"k", "distance to the limit", "|lambda_2|^k",
                                           "distance to one value for all"});
    for (int64_t i = 0; (p = gnd_spectrum_power_get(s, i)); i++) {
        gnd_table_cell(t, "%" PRId64, p->k);
        gnd_table_cell(t, "%.3e", p->distance);
        gnd_table_cell(t, "%.3e", p->bound);
        gnd_table_cell(t, "%.3e", p->distance_to_one);
    }
    table_print(t, table_format(a->to), 0);
}

static void limit_print(const gnd_spectrum *s, const gnd_graph *g)
{
    const int64_t n = gnd_spectrum_n_component(s);
    char *text, count[32];

    if (n == 1)
        text = need_text("%s is connected: W^k z converges to one value for all vertices, the mean "
                         "of z weighted by degree + 1.",
                         gnd_graph_name(g));
    else
        text = need_text("%s has %s components: W^k z converges to one value on each of them, the "
                         "mean of z on the component weighted by degree + 1, and not to one value "
                         "for all vertices.",
                         gnd_graph_name(g), count_text(count, n));
    gnd_text_wrap(stdout, text, 0, 0);
    free(text);
}

static void csv_print(const gnd_spectrum *s)
{
    const gnd_spectrum_component *c;
    const gnd_spectrum_power *p;
    gnd_table *t = table_new("lrrrrrrrr");
    static const char *const head[] = {"what",     "number",   "vertices",
                                       "second",   "smallest", "modulus",
                                       "distance", "bound",    "distance_to_one"};

    gnd_table_row(t, head);
    for (int64_t i = 0; (c = gnd_spectrum_component_get(s, i)); i++) {
        gnd_table_cell(t, "component");
        gnd_table_cell(t, "%" PRId64, i + 1);
        gnd_table_cell(t, "%" PRId64, c->n_node);
        real_cell(t, c->second, 12, "");
        real_cell(t, c->smallest, 12, "");
        gnd_table_cell(t, "%.12f", c->modulus);
        for (int k = 0; k < 3; k++)
            gnd_table_cell(t, "%s", "");
    }
    for (int64_t i = 0; (p = gnd_spectrum_power_get(s, i)); i++) {
        gnd_table_cell(t, "power");
        gnd_table_cell(t, "%" PRId64, p->k);
        for (int k = 0; k < 4; k++)
            gnd_table_cell(t, "%s", "");
        gnd_table_cell(t, "%.9e", p->distance);
        gnd_table_cell(t, "%.9e", p->bound);
        gnd_table_cell(t, "%.9e", p->distance_to_one);
    }
    table_print(t, GND_FORMAT_CSV, 0);
}

static void json_print(const gnd_spectrum *s, const gnd_graph *g, const cli_args *a)
{
    json_t *o = json_object(), *components = json_array(), *powers = json_array();
    const gnd_spectrum_component *c;
    const gnd_spectrum_power *p;

    for (int64_t i = 0; (c = gnd_spectrum_component_get(s, i)); i++) {
        json_t *one = json_object();

        js_set(one, "n_node", js_count(c->n_node));
        js_set(one, "second", js_real(c->second));
        js_set(one, "smallest", js_real(c->smallest));
        js_set(one, "modulus", js_real(c->modulus));
        js_append(components, one);
    }
    for (int64_t i = 0; (p = gnd_spectrum_power_get(s, i)); i++) {
        json_t *one = json_object();

        js_set(one, "k", js_count(p->k));
        js_set(one, "distance", js_real(p->distance));
        js_set(one, "bound", js_real(p->bound));
        js_set(one, "distance_to_one", js_real(p->distance_to_one));
        js_append(powers, one);
    }
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "graph", js_text(a->graph));
    js_set(o, "n_node", js_count(gnd_graph_n_node(g)));
    js_set(o, "seed", js_count(a->seed));
    js_set(o, "components", components);
    js_set(o, "powers", powers);
    js_set(o, "notes", js_notes(g));
    js_print(stdout, o);
}

/* ---- the command ---- */

static int spectrum_open(gnd_spectrum **out, const gnd_graph *g, const cli_args *a)
{
    int64_t *power = need_more(NULL, (size_t)a->powers.n + 1, sizeof *power);
    const gnd_spectrum_opts o = {
        .size = sizeof o, .power = power, .n_power = a->powers.n, .seed = (uint64_t)a->seed};
    gnd_error err = {0};
    int rc = 0;

    for (int64_t i = 0; i < a->powers.n; i++)
        power[i] = a->powers.v[i];
    if (gnd_spectrum_new(out, g, &o, &err))
        rc = say_failed("%s", err.msg);
    free(power);
    return rc;
}

static int run(const cli_args *a)
{
    gnd_graph *g = NULL;
    gnd_spectrum *s = NULL;
    int rc;

    for (int64_t i = 1; i < a->powers.n; i++)
        if (a->powers.v[i] <= a->powers.v[i - 1])
            return say_usage("--powers: expected ascending numbers, got %d after %d",
                             a->powers.v[i], a->powers.v[i - 1]);
    rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);
    if (!rc)
        rc = spectrum_open(&s, g, a);
    if (!rc && strcmp(a->to, "json") == 0) {
        json_print(s, g, a);
    } else if (!rc && strcmp(a->to, "csv") == 0) {
        csv_print(s);
    } else if (!rc) {
        components_print(s, a);
        putchar('\n');
        powers_print(s, a);
        putchar('\n');
        limit_print(s, g);
    }
    gnd_spectrum_free(s);
    gnd_graph_free(g);
    return rc;
}
