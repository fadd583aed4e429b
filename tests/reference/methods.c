/* SPDX-License-Identifier: MIT
 * methods.c - how the settings of a reference file become those of a method. A new method adds its
 * row to the table at the end; all else about a training case is the same for every method
 * (trained.c). */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/methods/geomgcn.h"
#include "model/smoothed.h"
#include "model/methods/lanczosnet.h"

/* K counts the powers W^1..W^K, or W^0..W^(K-1) as the paper's text has them; for gnd-ds, the
 * products. */
static const hp_rule gnd_nets[] = {
    {"variant", NULL, NULL, false}, /* the method's name says it */
    {"hops", "first_hop", "code=1 paper=0", false},
    {"K", "hops", NULL, false},
    {"r", "filters", NULL, false},
    {"inner", "inner", NULL, false},
    {"cell", "cell", NULL, false},
    {"order", "order", NULL, false},
    {"layers", "layers", NULL, false},
    {"heads", "heads", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule gnd_ds[] = {
    {"variant", NULL, NULL, false},  {"hops", NULL, NULL, false}, /* no series, so no first term */
    {"K", "hops", NULL, false},      {"r", "filters", NULL, false},
    {"drop", "dropout", NULL, true}, {NULL, NULL, NULL, false},
};

/* The weights of the pooling, by which a vertex attends to its hops. */
static void gnd_attn_outputs(verdict *r, const gnd_model *m, const gnd_inputs *in,
                             const gnd_graph *g)
{
    gnd_tape *t = NULL;
    gnd_error err = {0};
    int64_t first;

    if (ref_ok(r, gnd_tape_new(&t, NULL, &err), &err)) {
        const gnd_var a = m->config.method->hop_weights(m, in, t, &first);

        if (ref_ok(r, gnd_tape_check(t, &err), &err))
            check_real(r, "out.attn", gnd_tape_node(t, a)->v, g->n_node, gnd_tape_node(t, a)->cols);
    }
    gnd_tape_free(t);
}

static const hp_rule lanczosnet[] = {
    {"operator", "operator", NULL, false}, {"steps", "steps", NULL, false},
    {"hidden", "hidden", NULL, false},     {"inner", "inner", NULL, false},
    {"drop", "dropout", NULL, true},       {NULL, NULL, NULL, false},
};

/* The file's Ritz pairs instead of the model's own. */
static bool take_ritz(verdict *r, const gnd_model *m, gnd_inputs *in, const gnd_graph *g)
{
    int64_t one = 0, k = 0;
    const double *value = golden_real(r->f, "in.ritz_values", &one, &k), *vector;
    gnd_error err = {0};

    (void)m;
    value = need_real(r, "in.ritz_values", 1, -1);
    vector = need_real(r, "in.ritz_vectors", g->n_node, k);
    return value && vector && ref_ok(r, gnd_lanczosnet_pairs(in, value, vector, k, &err), &err);
}

static const hp_rule gcn[] = {
    {"operator", "operator", NULL, false},
    {"hidden", "hidden", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule geomgcn[] = {
    {"metric", NULL, NULL, false}, /* of the coordinates the divisions were made from */
    {"hidden", "hidden", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

/* The file's messages (u, v, division) instead of those of an embedding. */
static bool take_divisions(verdict *r, const gnd_model *m, gnd_inputs *in, const gnd_graph *g)
{
    int64_t n = 0, three = 0;
    const int64_t *row = golden_int(r->f, "in.divisions", &n, &three);
    int32_t *part = room(3 * n, sizeof *part);
    gnd_error err = {0};
    bool ok = row && three == 3;

    (void)m;
    (void)g;
    if (!ok)
        ref_fail(r, "in.divisions: rows of u, v, division are missing");
    for (int64_t p = 0; ok && p < 3 * n; p++)
        part[p % 3 * n + p / 3] = (int32_t)row[p];
    ok = ok && ref_ok(r, gnd_geomgcn_messages(in, n, part, part + n, part + 2 * n, &err), &err);
    free(part);
    return ok;
}

static void geomgcn_outputs(verdict *r, const gnd_model *m, const gnd_inputs *in,
                            const gnd_graph *g)
{
    (void)m;
    check_double(r, "out.nu", ((const gnd_geomgcn *)in->own)->relations.nu, 1, g->n_node);
}

static const hp_rule mlp[] = {
    {"style", "style", NULL, false},
    {"hidden", "hidden", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule smoothed[] = {
    {"operator", "operator", NULL, false},
    {"K", "hops", NULL, false},
    {"hidden", "hidden", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

/* out.Xk = S^K X: what a pass makes of W = I. */
static void smoothed_features(verdict *r, const gnd_model *m, const gnd_inputs *in,
                              const gnd_graph *g)
{
    const int64_t d = g->n_feat;
    gnd_real *eye = room(d * d, sizeof *eye);
    gnd_tape *t = NULL;
    gnd_error err = {0};

    for (int64_t j = 0; j < d; j++)
        eye[j * d + j] = 1;
    if (ref_ok(r, gnd_tape_new(&t, NULL, &err), &err)) {
        const gnd_var x = gnd_smoothed_times(t, in, gnd_hp_int(m, 0), gnd_constant(t, eye, d, d));

        if (ref_ok(r, gnd_tape_check(t, &err), &err))
            check_real(r, "out.Xk", gnd_tape_node(t, x)->v, g->n_node, d);
    }
    gnd_tape_free(t);
    free(eye);
}

static const hp_rule none[] = {{NULL, NULL, NULL, false}};

static const hp_rule propagated[] = {
    {"kernel", NULL, NULL, false}, /* the method's name says it */
    {"operator", "operator", NULL, false},
    {"a", "teleport", NULL, false},
    {"t", "time", NULL, false},
    {"K", "hops", NULL, false},
    {"hidden", "hidden", NULL, false},
    {"drop", "dropout", NULL, true},
    {"drop_prop", "dropout_z", NULL, true},
    {"layers", "layers", NULL, false},
    {NULL, NULL, NULL, false},
};

static const hp_rule chebynet[] = {
    {"K", "order", NULL, false},
    {"hidden", "hidden", NULL, false},
    {"transposed", "operator", "yes=transposed no=plain", false},
    {"lam", "lambda", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule mixhop[] = {
    {"operator", "operator", NULL, false},
    {"widths1", "width1_0,width1_1,width1_2", NULL, false},
    {"widths2", "width2_0,width2_1,width2_2", NULL, false},
    {"lasso", "lasso", NULL, false},
    {"drop_in", "dropout_in", NULL, true},
    {"drop_h", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule ngcn[] = {
    {"operator", "operator", NULL, false}, {"powers", "powers", NULL, false},
    {"replicas", "replicas", NULL, false}, {"hidden", "hidden", NULL, false},
    {"output", "combine", NULL, false},    {"drop_in", "dropout_in", NULL, true},
    {"drop_h", "dropout", NULL, true},     {NULL, NULL, NULL, false},
};

static const hp_rule dcnn[] = {
    {"operator", "operator", NULL, false},
    {"h", "hops", NULL, false},
    {"batch", "batch", NULL, false},
    {NULL, NULL, NULL, false},
};

/* The towers of N-GCN are what its objective takes the cross-entropies of, the last being that of
 * their vote. */
static void ngcn_outputs(verdict *r, const gnd_model *m, const gnd_inputs *in, const gnd_graph *g)
{
    enum { MAX = 64 };
    gnd_tape *t = NULL;
    gnd_error err = {0};
    const gnd_real *tower[MAX];
    double ce[MAX];
    char name[32];
    int64_t n_train, n = 0;
    int32_t *train = need_list(r, "train", &n_train, 0, g->n_node - 1);

    if (!train || !ref_ok(r, gnd_tape_new(&t, NULL, &err), &err))
        goto out;
    gnd_tape_reset(t, false, 0);
    gnd_objective(m, in, t, &(gnd_target){g->label, train, n_train}, NULL);
    if (!ref_ok(r, gnd_tape_check(t, &err), &err))
        goto out;
    for (int32_t i = 0; i < t->n_node && n < MAX; i++)
        if (t->node[i].op && strcmp(t->node[i].op->name, "cross_entropy") == 0) {
            tower[n] = gnd_tape_node(t, t->node[i].in[0])->v;
            ce[n++] = (double)t->node[i].v[0];
        }
    for (int64_t i = 0; i < n - 1; i++) {
        snprintf(name, sizeof name, "out.tower_%d", (int)i);
        check_real(r, name, tower[i], g->n_node, g->n_class);
    }
    check_double(r, "out.tower_ce", ce, 1, n - 1);
    check_scalar(r, "out.combined_ce", ce[n - 1]);
out:
    gnd_tape_free(t);
    free(train);
}

/* Settings that every method has. */
static const hp_rule common[] = {
    {"lr", "lr", NULL, false},
    {"l2", "l2", NULL, false},
    {"lr_every", "lr_every", NULL, false},
    {NULL, NULL, NULL, false},
};

/* Rows T of Pi. */
static void pi_outputs(verdict *r, const gnd_model *m, const gnd_inputs *in, const gnd_graph *g)
{
    const gnd_csr *rows = &in->rows[GND_TRAIN_ROWS].part;
    gnd_real *pi = room(rows->n_row * g->n_node, sizeof *pi);

    (void)m;
    for (int64_t i = 0; i < rows->n_row; i++)
        for (int64_t p = rows->ptr[i]; p < rows->ptr[i + 1]; p++)
            pi[i * g->n_node + rows->col[p]] = gnd_csr_val(rows, p);
    check_real(r, "out.Pi_train", pi, rows->n_row, g->n_node);
    free(pi);
}

static const method_rules table[] = {
    {.method = "gnd-slp", .hp = gnd_nets},
    {.method = "gnd-mlp", .hp = gnd_nets},
    {.method = "gnd-ds", .hp = gnd_ds},
    {.method = "gnd-rnn", .hp = gnd_nets},
    {.method = "gnd-attn", .hp = gnd_nets, .outputs = gnd_attn_outputs},
    {.method = "lanczosnet", .hp = lanczosnet, .inputs = take_ritz},
    {.method = "gcn", .hp = gcn},
    {.method = "geomgcn", .hp = geomgcn, .inputs = take_divisions, .outputs = geomgcn_outputs},
    {.method = "lr", .hp = none},
    {.method = "mlp", .hp = mlp},
    {.method = "sgc", .hp = smoothed, .outputs = smoothed_features},
    {.method = "sign", .hp = smoothed},
    {.method = "chebynet", .hp = chebynet},
    {.method = "ppnp", .hp = propagated, .outputs = pi_outputs},
    {.method = "ppnp-hk", .hp = propagated, .outputs = pi_outputs},
    {.method = "appnp", .hp = propagated},
    {.method = "gprgnn", .hp = propagated},
    {.method = "jknet", .hp = propagated},
    {.method = "mixhop", .hp = mixhop},
    {.method = "ngcn", .hp = ngcn, .outputs = ngcn_outputs},
    {.method = "dcnn", .hp = dcnn, .no_scores = true},
};

const method_rules *ref_method_rules(const char *method)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].method, method) == 0)
            return &table[i];
    return NULL;
}

static const hp_rule *rule_of(const hp_rule *rules, const char *hp)
{
    for (; rules->hp; rules++)
        if (strcmp(rules->hp, hp) == 0)
            return rules;
    return NULL;
}

/* The value that "word=value word=value" gives a word; false if the word is not there. */
static bool translate(char *out, size_t size, const char *words, const char *word)
{
    const size_t len = strlen(word);

    while (*words) {
        const size_t n = strcspn(words, " ");

        if (n > len && words[len] == '=' && strncmp(words, word, len) == 0) {
            snprintf(out, size, "%.*s", (int)(n - len - 1), words + len + 1);
            return true;
        }
        words += n;
        words += strspn(words, " ");
    }
    return false;
}

/* A text or scalar of the file as text. */
static bool value_text(verdict *r, const char *field, char *out, size_t size)
{
    const char *text = golden_text(r->f, field);
    double x;

    if (text) {
        snprintf(out, size, "%s", text);
        return true;
    }
    if (golden_scalar(r->f, field, &x)) {
        snprintf(out, size, "%.17g", x);
        return true;
    }
    ref_fail(r, "%s: this text or scalar is missing", field);
    return false;
}

static bool set(verdict *r, gnd_config *c, const char *field, const char *setting,
                const char *words)
{
    char value[96], word[96];
    gnd_error err = {0};

    if (!value_text(r, field, word, sizeof word))
        return false;
    if (!words) {
        snprintf(value, sizeof value, "%s", word);
    } else if (!translate(value, sizeof value, words, word)) {
        ref_fail(r, "%s: '%s' means nothing to this build; known: %s", field, word, words);
        return false;
    }
    return ref_ok(r, gnd_config_set(c, setting, value, &err), &err);
}

/* "4,3,2" into settings named "a,b,c". */
static bool set_each(verdict *r, gnd_config *c, const char *field, const char *settings)
{
    char value[96], name[96], list[96];
    const char *v = list;
    gnd_error err = {0};

    if (!value_text(r, field, list, sizeof list))
        return false;
    for (const char *s = settings; *s; s += strspn(s, ",")) {
        const size_t n = strcspn(s, ","), k = strcspn(v, ",");

        snprintf(name, sizeof name, "%.*s", (int)n, s);
        snprintf(value, sizeof value, "%.*s", (int)k, v);
        if (!ref_ok(r, gnd_config_set(c, name, value, &err), &err))
            return false;
        s += n;
        v += k + (v[k] == ',');
    }
    if (*v)
        ref_fail(r, "%s: '%s' has more values than %s", field, list, settings);
    return !*v;
}

/* Every hp.* of the file must be understood: one that is not would be tested at some other
 * value. */
static bool set_hp(verdict *r, gnd_config *c, const method_rules *rules, const char *field,
                   bool dropping)
{
    const char *hp = field + strlen("hp.");
    const hp_rule *rule = rule_of(rules->hp, hp);
    gnd_error err = {0};

    if (!rule)
        rule = rule_of(common, hp);
    if (!rule) {
        ref_fail(r, "%s: no setting of %s is known for it", field, rules->method);
        return false;
    }
    if (!rule->setting)
        return true;
    if (rule->dropout && !dropping)
        return ref_ok(r, gnd_config_set(c, rule->setting, "0", &err), &err);
    if (strchr(rule->setting, ','))
        return set_each(r, c, field, rule->setting);
    return set(r, c, field, rule->setting, rule->words);
}

/* Every rate to 0, also of a place that no hp.* names by itself. */
static bool drop_nothing(verdict *r, gnd_config *c)
{
    gnd_error err = {0};

    for (const gnd_hparam *h = c->method->hparams; h->name; h++)
        if (h->type == GND_HP_TYPE_REAL && strncmp(h->name, "dropout", 7) == 0 &&
            !ref_ok(r, gnd_config_set(c, h->name, "0", &err), &err))
            return false;
    return true;
}

static bool set_run(verdict *r, gnd_config *c)
{
    return set(r, c, "rule", "stop", NULL) && set(r, c, "rule_parameter", "patience", NULL) &&
           set(r, c, "max_epochs", "epochs", NULL) &&
           set(r, c, "validation_loss", "stop_loss", "with_l2=ce_l2 without_l2=ce");
}

gnd_config *ref_config(verdict *r, const method_rules *rules, bool dropping)
{
    gnd_config *c = NULL;
    gnd_error err = {0};
    const char *mode = need_text(r, "mode"), *field;
    bool ok;

    if (!mode || !ref_ok(r, gnd_config_new(&c, rules->method, &err), &err))
        return NULL;
    ok = set(r, c, "optimiser", "optimiser",
             "adam_tf=adam_tf adam_torch=adam_torch gd=sgd adagrad=adagrad");
    for (int64_t i = 0; ok && (field = golden_name(r->f, i)); i++)
        if (strncmp(field, "hp.", 3) == 0)
            ok = set_hp(r, c, rules, field, dropping);
    if (ok && !dropping)
        ok = drop_nothing(r, c);
    if (ok && strcmp(mode, "run") == 0)
        ok = set_run(r, c);
    if (!ok) {
        gnd_config_free(c);
        c = NULL;
    }
    return c;
}
