/* SPDX-License-Identifier: MIT
 * result.c - print the result of `gnd train` as text and as JSON. */
#include "result.h"

#include <inttypes.h>
#include <math.h>

/* ---- JSON ---- */

static json_t *js_per_class(const gnd_metrics *m, const gnd_graph *g)
{
    json_t *list = json_array();

    for (int32_t c = 0; c < gnd_graph_n_class(g); c++) {
        json_t *o = json_object();

        js_set(o, "class", js_text(gnd_graph_class_name(g, c)));
        js_set(o, "precision", js_real(gnd_metrics_precision(m, c)));
        js_set(o, "recall", js_real(gnd_metrics_recall(m, c)));
        js_set(o, "f1", js_real(gnd_metrics_f1(m, c)));
        js_append(list, o);
    }
    return list;
}

/* Row: true class; column: predicted class. */
static json_t *js_confusion(const gnd_metrics *m, const gnd_graph *g)
{
    json_t *rows = json_array();

    for (int32_t i = 0; i < gnd_graph_n_class(g); i++) {
        json_t *row = json_array();

        for (int32_t j = 0; j < gnd_graph_n_class(g); j++)
            js_append(row, js_count(gnd_metrics_confusion(m, i, j)));
        js_append(rows, row);
    }
    return rows;
}

static void js_metrics(json_t *o, const gnd_metrics *m, const gnd_graph *g)
{
    js_set(o, "n_scored", js_count(m ? gnd_metrics_n(m) : 0));
    js_set(o, "macro_f1", js_real(m ? gnd_metrics_macro_f1(m) : (double)NAN));
    js_set(o, "log_loss", js_real(m ? gnd_metrics_log_loss(m) : (double)NAN));
    js_set(o, "ece", js_real(m ? gnd_metrics_ece(m) : (double)NAN));
    js_set(o, "per_class", m ? js_per_class(m, g) : json_null());
    js_set(o, "confusion", m ? js_confusion(m, g) : json_null());
}

static json_t *js_plans(const explanation *x)
{
    json_t *list = json_array();

    for (int i = 0; i < x->n; i++) {
        const gnd_plan_info *p = &x->plan[i];
        json_t *o = json_object();

        js_set(o, "pass", js_text(p->pass));
        js_set(o, "plan", js_text(p->plan));
        js_set(o, "possible", json_boolean(p->possible));
        js_set(o, "chosen", json_boolean(p->chosen));
        js_set(o, "ms", js_real(p->ms));
        js_set(o, "ms_once", js_real(p->ms_once));
        js_set(o, "bytes", js_count(p->bytes));
        js_set(o, "rows", js_count(p->n_row));
        js_set(o, "reach", js_count(p->n_reach));
        js_append(list, o);
    }
    return list;
}

/* Are the vertices drawn, by --labels-per-class and --split-seed? */
static bool is_drawn(gnd_split_kind kind)
{
    return kind == GND_SPLIT_PAPER || kind == GND_SPLIT_HONEST;
}

static const char *split_name(gnd_split_kind kind)
{
    return kind == GND_SPLIT_PAPER       ? "paper"
           : kind == GND_SPLIT_HONEST    ? "honest"
           : kind == GND_SPLIT_PLANETOID ? "planetoid"
                                         : "file";
}

void train_print_json(const train_report *r)
{
    const cli_args *a = r->args;
    const bool drawn = is_drawn(r->split_kind);
    json_t *o = json_object();

    js_set(o, "dataset", js_text(gnd_graph_name(r->t.g)));
    js_set(o, "graph", js_text(gnd_graph_mode_name(gnd_graph_mode_get(r->t.g))));
    js_set(o, "method", js_text(gnd_config_method(r->t.c)));
    js_set(o, "split", js_text(split_name(r->split_kind)));
    js_set(o, "labels_per_class", drawn ? js_count(a->per_class) : json_null());
    js_set(o, "split_seed", drawn ? js_count(a->split_seed) : json_null());
    js_set(o, "seed", js_count(a->seed));
    js_set(o, "n_train", js_count(gnd_split_n_train(r->t.s)));
    js_set(o, "n_val", js_count(gnd_split_n_val(r->t.s)));
    js_set(o, "n_test", js_count(gnd_split_n_test(r->t.s)));
    js_set(o, "n_unused", js_count(gnd_split_n_unused(r->t.s, r->t.g, NULL)));
    js_set(o, "train_accuracy", js_real(r->t.res.acc_train));
    js_set(o, "val_accuracy", js_real(r->t.res.acc_val));
    js_set(o, "test_accuracy", js_real(r->t.res.acc_test));
    js_set(o, "test_accuracy_half", js_real(r->t.res.acc_half));
    js_set(o, "train_loss", js_real(r->t.res.loss_train));
    js_set(o, "val_loss", js_real(r->t.res.loss_val));
    js_set(o, "test_loss", js_real(r->t.res.loss_test));
    js_set(o, "epochs", js_count(r->t.res.epochs));
    js_set(o, "best_epoch", js_count(r->t.res.best_epoch));
    js_set(o, "plan", js_text(r->t.res.plan));
    if (a->explain) {
        js_set(o, "plans", js_plans(&r->t.explained));
        js_set(o, "epoch_ms", js_real(explain_epoch_ms(&r->t.explained)));
    }
    js_set(o, "seconds_load", js_real(r->t.seconds_load));
    js_set(o, "seconds_fit", js_real(r->t.seconds_fit));
    js_metrics(o, r->metrics, r->t.g);
    js_set(o, "authors_settings", json_boolean(r->t.authors));
    js_set(o, "settings", js_settings(r->t.c));
    js_set(o, "notes", js_notes(r->t.g));
    js_set(o, "output", js_text(a->output));
    js_set(o, "predictions", js_text(a->predictions));
    js_set(o, "hop_weights", js_text(a->hop_weights));
    js_set(o, "hop_attention", js_text(a->hop_attention));
    js_set(o, "version", js_text(gnd_version()));
    js_set(o, "kernels", js_text(gnd_kernel_name()));
    js_print(stdout, o);
}

/* ---- text ---- */

static void print_graph(const train_report *r)
{
    gnd_graph_info i = {.size = sizeof i};
    char n[32], e[32], f[32];

    printf("data         %s, graph %s", gnd_graph_name(r->t.g),
           gnd_graph_mode_name(gnd_graph_mode_get(r->t.g)));
    if (gnd_graph_info_get(&i, r->t.g, NULL) == GND_OK)
        printf(": %s vertices, %s edges, %s features, %" PRId64 " classes", count_text(n, i.n_node),
               count_text(e, i.n_edge), i.n_feat ? count_text(f, i.n_feat) : "no", i.n_class);
    putchar('\n');
}

static void print_split(const train_report *r)
{
    char t[32], v[32], s[32];
    int64_t unlabelled, unused;

    printf("split        ");
    if (is_drawn(r->split_kind))
        printf("%" PRId64 " labels per class, seed %" PRId64 ": ", r->args->per_class,
               r->args->split_seed);
    else
        printf("%s: ", r->split_kind == GND_SPLIT_PLANETOID ? "planetoid" : r->args->train_labels);
    printf("%s train, %s validate, %s test", count_text(t, gnd_split_n_train(r->t.s)),
           count_text(v, gnd_split_n_val(r->t.s)), count_text(s, gnd_split_n_test(r->t.s)));
    unused = gnd_split_n_unused(r->t.s, r->t.g, &unlabelled);
    if (unlabelled)
        printf(", %s unlabelled", count_text(t, unlabelled));
    if (unused > unlabelled)
        printf(", %s unused (%s)", count_text(t, unused - unlabelled),
               r->split_kind == GND_SPLIT_PAPER ? "drawn after their class was full"
                                                : "not in the fixed split");
    putchar('\n');
}

static void print_classes(const gnd_metrics *m, const gnd_graph *g)
{
    gnd_table *t = table_new("lrrr");

    gnd_table_row(t, (const char *[]){"class", "precision", "recall", "F1"});
    for (int32_t c = 0; c < gnd_graph_n_class(g); c++) {
        char p[32], r[32], f[32];

        gnd_table_row(t, (const char *[]){gnd_graph_class_name(g, c),
                                          percent_text(p, gnd_metrics_precision(m, c)),
                                          percent_text(r, gnd_metrics_recall(m, c)),
                                          percent_text(f, gnd_metrics_f1(m, c))});
    }
    putchar('\n');
    table_print(t, GND_FORMAT_TEXT, 0);
}

static void print_confusion(const gnd_metrics *m, const gnd_graph *g)
{
    const int32_t n = gnd_graph_n_class(g);

    printf("\nconfusion (rows: true class, columns: predicted class, in the order above)\n");
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            printf("%7" PRId64, gnd_metrics_confusion(m, i, j));
        putchar('\n');
    }
}

static void print_metrics(const train_report *r)
{
    char f[32], e[32];

    if (!r->metrics) {
        printf("metrics      none: there are no test vertices\n");
        return;
    }
    printf("metrics      macro-F1 %s, log-loss %.4f, calibration error %s\n",
           percent_text(f, gnd_metrics_macro_f1(r->metrics)), gnd_metrics_log_loss(r->metrics),
           percent_text(e, gnd_metrics_ece(r->metrics)));
    print_classes(r->metrics, r->t.g);
    print_confusion(r->metrics, r->t.g);
}

void train_print_text(const train_report *r)
{
    char t[32], v[32], s[32];

    print_graph(r);
    printf("method       %s, seed %" PRId64 "%s%s\n", gnd_config_method(r->t.c), r->args->seed,
           r->t.authors ? ", authors' settings for " : "",
           r->t.authors ? gnd_graph_name(r->t.g) : "");
    print_split(r);
    if (r->t.res.epochs > 0) /* some methods have none */
        printf("epochs       %" PRId64 ", best %" PRId64 "\n", r->t.res.epochs,
               r->t.res.best_epoch);
    printf("accuracy     test %s, validation %s, training %s\n", percent_text(s, r->t.res.acc_test),
           percent_text(v, r->t.res.acc_val), percent_text(t, r->t.res.acc_train));
    if (!isnan(r->t.res.f1_test))
        printf("macro-F1     test %s\n", percent_text(s, r->t.res.f1_test));
    if (!isnan(r->t.res.ece_test))
        printf("calibration  error %s, top-50 %% confidence accuracy %s\n",
               percent_text(t, r->t.res.ece_test), percent_text(s, r->t.res.acc_half));
    printf("time         load %.2f s, fit %.2f s\n", r->t.seconds_load, r->t.seconds_fit);
    if (r->args->output)
        printf("model        %s\n", r->args->output);
    if (r->args->predictions)
        printf("predictions  %s\n", r->args->predictions);
    if (r->args->hop_weights)
        printf("hop weights  %s\n", r->args->hop_weights);
    if (r->args->hop_attention)
        printf("attention    %s\n", r->args->hop_attention);
    if (r->args->explain)
        explain_print(&r->t.explained, r->args->memory ? r->args->memory : "as by default");
    if (r->args->metrics)
        print_metrics(r);
}
