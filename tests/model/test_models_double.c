/* SPDX-License-Identifier: MIT
 * Every method of the registry, in double: the gradient of its training loss against signed central
 * differences, entry by entry, for each choice of each of its settings, with and without
 * dropout. */
#include "l2_gradient.h"
#include "random_graph.h"

#include "model/model.h"

enum { N_NODE = 14, N_FEAT = 6, N_CLASS = 3, N_TRAIN = 5 };

static const int32_t train[N_TRAIN] = {0, 1, 2, 3, 7};

/* Truncation is eps^2 |L'''| / 6, rounding 1e-16 / eps: both near 1e-11 here, five digits below the
 * limit, which any wrong factor, sign or missing term oversteps. */
static const double eps = 1e-5, limit = 1e-6;

typedef struct {
    const gnd_graph *g;
    gnd_model *m;
    gnd_inputs in;
    gnd_tape *t;
} work;

/* The total training loss at the present parameters; masks are those of epoch 3 each time. */
static double loss(work *w, bool with_gradient, bool train_rows_only)
{
    gnd_params *ps = &w->m->params;
    const gnd_method *method = w->m->config.method;
    const double c = w->m->config.value[GND_HP_L2];
    gnd_error err = {0};
    gnd_var root, own;

    gnd_tape_reset(w->t, true, 3);
    if (train_rows_only ||
        w->in.rows[GND_TRAIN_ROWS].part.n_row > 0) /* whose dropout is on these rows */
        gnd_tape_request(w->t, train, N_TRAIN);
    root = gnd_objective(w->m, &w->in, w->t, &(gnd_target){w->g->label, train, N_TRAIN}, NULL);
    own = gnd_penalty(w->m, w->t);
    if (own.i >= 0)
        root = gnd_add(w->t, root, own);
    if (with_gradient) {
        memset(ps->g, 0, (size_t)ps->size * sizeof *ps->g);
        gnd_tape_backward(w->t, root);
        l2_gradient_add(ps, method->recipe->l2_form, c);
    }
    CHECK_OK(gnd_tape_check(w->t, &err));
    return gnd_tape_node(w->t, root)->v[0] + gnd_l2_value(ps, method->recipe->l2_form, c);
}

static double norm_of(const gnd_real *x, int64_t n)
{
    double most = 0;

    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Every entry of one parameter; the scale is that of its largest slope. */
static void check_param(work *w, const gnd_param *p, const gnd_real *slope, const char *what)
{
    const double scale = fmax(norm_of(slope + p->at, p->rows * p->cols), 1e-3);

    for (int64_t k = p->at; k < p->at + p->rows * p->cols; k++) {
        gnd_real *x = &w->m->params.v[k];
        const gnd_real was = *x;
        double up, down;

        *x = was + eps;
        up = loss(w, false, false);
        *x = was - eps;
        down = loss(w, false, false);
        *x = was;
        if (!(fabs((up - down) / (2 * eps) - slope[k]) <= limit * scale))
            fail_msg("%s %s: d loss / d %s[%lld] is %.12g, the tape says %.12g",
                     w->m->config.method->name, what, p->name, (long long)(k - p->at),
                     (up - down) / (2 * eps), slope[k]);
    }
}

static void check_config(const gnd_graph *g, const gnd_config *c, const char *what)
{
    work w = {.g = g};
    gnd_real *slope;
    double all;
    gnd_error err = {0};

    CHECK_OK(gnd_model_new(&w.m, g, c, 11, &err));
    for (int64_t k = 0; k < w.m->params.size; k++) /* zero biases would hide what they feed */
        w.m->params.v[k] += random_at(9, k) - 0.5;
    CHECK_OK(gnd_model_keep_labels(w.m, g, train, N_TRAIN, &err));
    CHECK_OK(gnd_inputs_init(&w.in, w.m, g, NULL, &err));
    CHECK_OK(gnd_inputs_add_rows(&w.in, w.m, GND_TRAIN_ROWS, (gnd_row_list){train, N_TRAIN}, NULL,
                                 &err));
    CHECK_OK(gnd_tape_new(&w.t, NULL, &err));
    w.t->seed = 5;
    w.t->open = true;
    all = loss(&w, true, false);
    slope = calloc((size_t)w.m->params.size, sizeof *slope);
    assert_non_null(slope);
    memcpy(slope, w.m->params.g, (size_t)w.m->params.size * sizeof *slope);
    assert_true(norm_of(slope, w.m->params.size) > 1e-3);
    /* A pass that is asked for the training rows only drops the same elements and gives the
     * same. */
    CHECK_CLOSE(loss(&w, true, true), all, 1e-13);
    for (int64_t k = 0; k < w.m->params.size; k++)
        CHECK_CLOSE(w.m->params.g[k], slope[k], 1e-13);
    for (int32_t i = 0; i < w.m->params.n; i++)
        check_param(&w, &w.m->params.p[i], slope, what);
    free(slope);
    gnd_tape_free(w.t);
    gnd_inputs_fini(&w.in);
    gnd_model_free(w.m);
}

/* ---- settings ---- */

static void set(gnd_config *c, const char *name, const char *value)
{
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, name, value, &err));
}

static bool is_rate(const gnd_hparam *h)
{
    return h->type == GND_HP_TYPE_REAL && strncmp(h->name, "dropout", 7) == 0;
}

/* Sizes small enough to move every parameter, but no two alike where that can be. */
static gnd_config *small_config(const gnd_method *m)
{
    gnd_config *c = NULL;
    gnd_error err = {0};
    int size = 4;

    CHECK_OK(gnd_config_new(&c, m->name, &err));
    set(c, "l2", "0.05");
    for (const gnd_hparam *h = m->hparams; h->name; h++)
        if (h->type == GND_HP_TYPE_INT && h->max - h->min > 3) {
            char value[16];

            snprintf(value, sizeof value, "%d", size++);
            set(c, h->name, value);
        }
    return c;
}

static void with_and_without_dropout(const gnd_graph *g, const gnd_config *base, const char *what)
{
    char text[160];
    gnd_error err = {0};

    for (int on = 0; on <= 1; on++) {
        gnd_config *c = NULL;

        CHECK_OK(gnd_config_copy(&c, base, &err));
        for (const gnd_hparam *h = c->method->hparams; h->name; h++)
            if (is_rate(h))
                set(c, h->name, on ? "0.4" : "0");
        snprintf(text, sizeof text, "%s %s", what, on ? "with dropout" : "without dropout");
        check_config(g, c, text);
        gnd_config_free(c);
    }
}

/* One setting at one value, the others as they are. */
static void try_value(const gnd_graph *g, const gnd_config *base, const char *name,
                      const char *value)
{
    char what[96];
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_copy(&c, base, &err));
    set(c, name, value);
    snprintf(what, sizeof what, "%s=%s", name, value);
    with_and_without_dropout(g, c, what);
    gnd_config_free(c);
}

static void try_setting(const gnd_graph *g, const gnd_config *base, const gnd_hparam *h)
{
    char value[64];

    if (h->type == GND_HP_TYPE_CHOICE || h->type == GND_HP_TYPE_SET)
        for (const char *p = h->choices; *p;) {
            const size_t n = strcspn(p, "|");

            snprintf(value, sizeof value, "%.*s", (int)n, p);
            try_value(g, base, h->name, value);
            p += n + (p[n] == '|');
        }
    else if (h->type == GND_HP_TYPE_INT && h->max - h->min <= 3)
        for (int k = (int)h->min; k <= (int)h->max; k++) {
            snprintf(value, sizeof value, "%d", k);
            try_value(g, base, h->name, value);
        }
}

static void test_gradients(void **state)
{
    gnd_graph *g = random_graph(N_NODE, N_FEAT, N_CLASS);
    const gnd_method *m;

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = m->recipe ? small_config(m) : NULL;

        if (!m->recipe)
            continue; /* no gradients */
        with_and_without_dropout(g, c, "at its defaults");
        for (const gnd_hparam *h = m->hparams; h->name; h++)
            try_setting(g, c, h);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* Parameters have names of their own, and a model of the same seed has the same ones. */
static void test_parameters(void **state)
{
    gnd_graph *g = random_graph(N_NODE, N_FEAT, N_CLASS);
    const gnd_method *m;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = NULL;
        gnd_model *a = NULL, *b = NULL, *other = NULL;

        CHECK_OK(gnd_config_new(&c, m->name, &err));
        CHECK_OK(gnd_model_new(&a, g, c, 1, &err));
        CHECK_OK(gnd_model_new(&b, g, c, 1, &err));
        CHECK_OK(gnd_model_new(&other, g, c, 2, &err));
        for (int32_t k = 0; k < a->params.n; k++)
            assert_int_equal(gnd_params_find(&a->params, a->params.p[k].name), k);
        assert_int_equal(a->params.size, b->params.size);
        assert_memory_equal(a->params.v, b->params.v, (size_t)a->params.size * sizeof(gnd_real));
        if (m->recipe)
            assert_memory_not_equal(a->params.v, other->params.v,
                                    (size_t)a->params.size * sizeof(gnd_real));
        gnd_model_free(a);
        gnd_model_free(b);
        gnd_model_free(other);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
