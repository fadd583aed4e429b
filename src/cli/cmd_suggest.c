/* SPDX-License-Identifier: MIT
 * cmd_suggest.c - `gnd suggest`: which vertices to label next. */
#include "common.h"

#include "progress.h"
#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("input"),
    OPT_LABELS("labels known so far, CSV id,label (optional)"),
    OPT_FEATURES,
    OPT_DATA_FORMAT,
    OPT_TEXT_FILES,
    OPT_MISSING,
    OPT_GRAPH("und"),
    OPT_DATA_DIR,
    OPT_MAX_INPUT,
    OPT_HEADING("what to suggest"),
    {.type = OPT_INT,
     .letter = 'n',
     .name = "number",
     .arg = "N",
     .fallback = "10",
     .min = 1,
     .max = 2000,
     .at = AT(number),
     .help = "number of vertices to suggest"},
    OPT_THREADS,
    OPT_HEADING("output"),
    {.type = OPT_TEXT,
     .letter = 'o',
     .name = "output",
     .arg = "FILE",
     .at = AT(output),
     .use = USE_OUT,
     .help = "CSV file id,label,why to write: the labels of --labels, then the suggestions with "
             "empty labels to fill in; use it as the next --labels (default: suggestions to "
             "stdout)"},
    OPT_JSON,
    OPT_PROGRESS,
    OPT_QUIET,
    OPT_HELP,
    OPT_END,
};

const command cmd_suggest = {
    .name = "suggest",
    .purpose = "suggest which vertices to label next, and why",
    .operands = "GRAPH [--labels FILE] [options]",
    .about =
        "With few labels, the choice of labelled vertices matters more than the method. Suggested "
        "are vertices that represent many others and that no known label represents yet. "
        "Without --labels all vertices count as unlabelled, even if the data set has "
        "labels. Fill in the second column of the file of -o and use it with `gnd label "
        "GRAPH --labels FILE`, or suggest again. A suggestion may stay empty. Known labels "
        "that look wrong are named on stderr.",
    .examples = "  gnd suggest edges.csv --features words.csv -n 10 -o todo.csv\n"
                "  gnd suggest edges.csv --features words.csv --labels known.csv -n 5\n",
    .opts = opts,
    .min_operand = 1,
    .max_operand = 1,
    .operand_use = {USE_DATA},
    .run = run,
};

static void print_json(const gnd_suggestions *s, const gnd_graph *g, const cli_args *a,
                       double seconds)
{
    json_t *o = json_object(), *list = json_array(), *notes = js_notes(g), *warnings = json_array();
    char buf[32];

    for (int64_t i = 0; i < gnd_suggestions_n(s); i++) {
        const gnd_suggestion one = *gnd_suggestions_get(s, i);
        json_t *v = json_object();

        js_set(v, "id", js_text(gnd_graph_id(g, one.vertex, buf)));
        js_set(v, "represents", js_real(one.represents));
        js_set(v, "label_now", js_text(gnd_graph_class_name(g, one.cls)));
        js_set(v, "probability", js_real(one.prob));
        js_set(v, "why", js_text(gnd_suggestions_why(s, i)));
        js_append(list, v);
    }
    for (int64_t i = 0; i < gnd_suggestions_n_note(s); i++)
        js_note_add(notes, warnings, gnd_suggestions_note(s, i));
    js_set(o, "dataset", js_text(gnd_graph_name(g)));
    js_set(o, "n_node", js_count(gnd_graph_n_node(g)));
    js_set(o, "seconds", js_real(seconds));
    js_set(o, "notes", notes);
    js_set(o, "warnings", warnings);
    js_set(o, "output", js_text(is_file(a->output) ? a->output : NULL));
    js_set(o, "suggestions", list);
    js_print(stdout, o);
}

/* Write id, an empty label and the reason; before these, if requested, the known labels. */
static void rows_make(gnd_table *t, const gnd_suggestions *s, const gnd_graph *g, bool known)
{
    char buf[32];

    gnd_table_row(t, (const char *const[]){"id", "label", "why"});
    for (int64_t i = 0; known && i < gnd_graph_n_node(g); i++)
        if (gnd_graph_label(g, i) >= 0)
            gnd_table_row(t, (const char *const[]){gnd_graph_id(g, i, buf),
                                                   gnd_graph_class_name(g, gnd_graph_label(g, i)),
                                                   "known"});
    for (int64_t i = 0; i < gnd_suggestions_n(s); i++)
        gnd_table_row(t,
                      (const char *const[]){gnd_graph_id(g, gnd_suggestions_get(s, i)->vertex, buf),
                                            "", gnd_suggestions_why(s, i)});
}

static int suggest(gnd_suggestions **out, const gnd_graph *g, const cli_args *a, double *seconds)
{
    progress p;
    const gnd_suggest_opts o = {.size = sizeof o,
                                .n = a->number,
                                .ignore = !a->labels,
                                .threads = (int32_t)a->threads,
                                .on_tick = progress_tick,
                                .tick_user = &p};
    const double start = clock_now();
    gnd_error err = {0};
    gnd_status st;

    progress_start(&p, "", "about", progress_off(a));
    st = gnd_suggest(out, g, &o, &err);
    progress_end(&p);
    *seconds = clock_now() - start;
    return st ? say_failed("%s", err.msg) : 0;
}

/* Notes for the user, and the next step. */
static void summary(const gnd_suggestions *s, const cli_args *a)
{
    const int64_t n = gnd_suggestions_n(s);
    int64_t n_warning = 0;
    const char *const features = a->features;
    char buf[32];

    for (int64_t i = 0; i < gnd_suggestions_n_note(s); i++)
        say_some(a, &n_warning, gnd_suggestions_note(s, i));
    warnings_left(a, n_warning);
    if (n == 0)
        say_note(a->quiet, "every vertex has a label; there is nothing to suggest");
    else if (n < a->number)
        say_note(a->quiet, "only %s vert%s no label", count_text(buf, n),
                 n == 1 ? "ex has" : "ices have");
    if (n > 0 && is_file(a->output))
        say_note(a->quiet, "fill in the labels of %s, then `gnd label %s%s%s --labels %s`",
                 a->output, a->operand.v[0], features ? " --features " : "",
                 features ? features : "", a->output);
}

static int run(const cli_args *a)
{
    gnd_graph *g = NULL;
    gnd_suggestions *s = NULL;
    gnd_table *t = table_new("lll");
    double seconds;
    int rc = graph_open(&g, a, a->operand.v[0], graph_mode(a), NULL);

    if (!rc)
        rc = suggest(&s, g, a, &seconds);
    if (!rc)
        rows_make(t, s, g, a->labels && is_file(a->output));
    if (!rc && is_file(a->output))
        rc = table_save(t, a->output);
    else if (!rc && !a->json)
        table_print(t, GND_FORMAT_CSV, 0);
    else
        gnd_table_free(t);
    if (!rc && a->json)
        print_json(s, g, a, seconds);
    if (!rc)
        summary(s, a);
    gnd_suggestions_free(s);
    gnd_graph_free(g);
    return rc;
}
