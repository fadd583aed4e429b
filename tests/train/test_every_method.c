/* SPDX-License-Identifier: MIT
 * Every method of the registry, everywhere: with and without validation, with and without features,
 * on directed and undirected graphs with loops, lone vertices and unlabelled ones; what it shows of
 * itself; trainings that share their preparation; graphs that have grown. */
#include "fixture.h"
#include "random_graph.h"

#include "graph/split.h"
#include "train/predict.h"
#include "train/train.h"

enum { RING = 12, LONE = 2 };

/* A few epochs: what is asked here is whether it works, not how well. */
static gnd_config *brief(const gnd_method *m)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, m->name, &err));
    if (m->recipe) {
        CHECK_OK(gnd_config_set(c, "epochs", "4", &err));
        CHECK_OK(gnd_config_set(c, "epochs_alone", "3", &err));
    }
    return c;
}

static gnd_split *cut(const gnd_graph *g, int per_class, int64_t n_val)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = per_class, .n_val = n_val, .seed = 3};
    gnd_split *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

static void check_share(const char *name, const char *what, double x, bool there)
{
    if (there ? !(x >= 0 && x <= 1) : !isnan(x))
        fail_msg("%s: %s is %g", name, what, x);
}

static void check_result(const gnd_method *m, const gnd_result *r, bool has_val)
{
    check_share(m->name, "training accuracy", r->acc_train, true);
    check_share(m->name, "validation accuracy", r->acc_val, has_val);
    check_share(m->name, "test accuracy", r->acc_test, true);
    check_share(m->name, "macro-F1", r->f1_test, true);
    check_share(m->name, "calibration error", r->ece_test, true);
    check_share(m->name, "top-50 % confidence accuracy", r->acc_half, true);
    if (!isfinite(r->loss_train) || !isfinite(r->loss_test) || isfinite(r->loss_val) != has_val)
        fail_msg("%s: losses %g %g %g", m->name, r->loss_train, r->loss_val, r->loss_test);
    if (!m->recipe ? r->epochs != 0 : r->epochs < 1 || r->epochs > 4)
        fail_msg("%s: %lld epochs", m->name, (long long)r->epochs);
    if (m->recipe && !has_val && r->epochs != 3)
        fail_msg("%s: %lld epochs without validation", m->name, (long long)r->epochs);
}

static double conf_of(const gnd_prediction *p, int64_t v)
{
    return (double)gnd_prediction_prob(p, v)[gnd_prediction_argmax(p, v)];
}

/* The 50 % of highest confidence, by counting for each vertex those before it. Passes for some rows
 * and for all differ in last digits: vertices as sure as the last of that half, but for those, may
 * stand on either side of it, so there is a least and a largest accuracy. */
static void half_bounds(double *least, double *largest, const gnd_prediction *p, const gnd_graph *g,
                        const gnd_split *s)
{
    const double near = 1e-5;
    int64_t n = 0, n_half, sure = 0, right = 0, near_right = 0, near_wrong = 0, left;
    double last = 1;

    for (int64_t i = 0; i < s->n_test; i++)
        n += g->label[s->test[i]] >= 0;
    n_half = (n + 1) / 2;
    for (int64_t i = 0; i < s->n_test; i++) {
        const double conf = conf_of(p, s->test[i]);
        int64_t before = 0;

        for (int64_t j = 0; j < s->n_test; j++)
            before += g->label[s->test[j]] >= 0 && conf_of(p, s->test[j]) > conf;
        if (g->label[s->test[i]] >= 0 && before < n_half && conf < last)
            last = conf;
    }
    for (int64_t i = 0; i < s->n_test; i++) {
        const int32_t v = s->test[i], y = g->label[v];
        const bool hit = gnd_prediction_argmax(p, v) == y;

        if (y < 0 || conf_of(p, v) < last - near)
            continue;
        if (conf_of(p, v) > last + near)
            sure++, right += hit;
        else
            near_right += hit, near_wrong += !hit;
    }
    left = n_half - sure;
    *least = (double)(right + (left > near_wrong ? left - near_wrong : 0)) / (double)n_half;
    *largest = (double)(right + (left < near_right ? left : near_right)) / (double)n_half;
}

/* The figures of a training are those a user finds in its prediction. */
static void check_prediction(const gnd_method *m, const gnd_model *model, const gnd_graph *g,
                             const gnd_split *s, const gnd_result *r)
{
    gnd_prediction *p = NULL;
    gnd_metrics *q = NULL;
    gnd_error err = {0};
    double least, largest;

    CHECK_OK(gnd_predict(&p, model, g, NULL, &err));
    for (int64_t v = 0; v < g->n_node; v++) {
        const float *prob = gnd_prediction_prob(p, v);
        double sum = 0;

        for (int32_t c = 0; c < g->n_class; c++) {
            assert_true(prob[c] >= 0 && prob[c] <= 1);
            sum += (double)prob[c];
        }
        CHECK_CLOSE(sum, 1, 1e-5);
    }
    CHECK_OK(gnd_metrics_new(&q, p, g, s->test, s->n_test, &err));
    if (fabs(gnd_metrics_accuracy(q) - r->acc_test) > 1e-12 ||
        fabs(gnd_metrics_macro_f1(q) - r->f1_test) > 1e-12)
        fail_msg("%s: trained to %g, predicts %g", m->name, r->acc_test, gnd_metrics_accuracy(q));
    if (fabs(gnd_metrics_ece(q) - r->ece_test) > 1e-5)
        fail_msg("%s: calibration error %g, %g of its prediction", m->name, r->ece_test,
                 gnd_metrics_ece(q));
    half_bounds(&least, &largest, p, g, s);
    if (!(r->acc_half >= least - 1e-12 && r->acc_half <= largest + 1e-12))
        fail_msg("%s: top-50 %% confidence accuracy %g, %g to %g of its prediction", m->name,
                 r->acc_half, least, largest);
    gnd_metrics_free(q);
    gnd_prediction_free(p);
}

static int check_epoch(const gnd_epoch *e, void *user)
{
    check_share(user, "training accuracy of an epoch", e->acc_train, true);
    return 0;
}

static void try_graph(const gnd_graph *g)
{
    const gnd_method *m;
    gnd_error err = {0};

    for (int i = 0; (m = gnd_method_at(i)); i++)
        for (int with_val = 0; with_val <= 1; with_val++) {
            gnd_config *c = brief(m);
            gnd_split *s = cut(g, 2, with_val ? 6 : 0);
            char name[32];
            const gnd_train_opts o = {.size = sizeof o, .on_epoch = check_epoch, .user = name};
            gnd_model *model = NULL;
            gnd_result r = {.size = sizeof r};

            snprintf(name, sizeof name, "%s", m->name);
            if (gnd_train(&model, &r, g, s, c, &o, &err) != GND_OK)
                fail_msg("%s: %s", m->name, err.msg);
            check_result(m, &r, with_val);
            check_prediction(m, model, g, s, &r);
            gnd_model_free(model);
            gnd_split_free(s);
            gnd_config_free(c);
        }
}

static void with_features(void **state)
{
    gnd_graph *g = fixture_two_rings(RING, LONE);

    (void)state;
    try_graph(g);
    gnd_graph_free(g);
}

static void without_features(void **state)
{
    gnd_graph *rings = fixture_two_rings(RING, LONE);
    gnd_error err = {0};

    (void)state;
    gnd_csr_fini(&rings->feat);
    rings->n_feat = 0;
    CHECK_OK(gnd_graph_check(rings, "rings", &err));
    try_graph(rings);
    gnd_graph_free(rings);
}

static void directed_and_weighted(void **state)
{
    gnd_graph *g = random_graph(60, 9, 3);

    (void)state;
    try_graph(g);
    gnd_graph_free(g);
}

/* Rings whose vertices share a feature and links: whoever cannot tell them apart learns nothing. A
 * third of them has a label: geomgcn tells more kinds of neighbours apart than two vertices have.
 */
static void learns(void **state)
{
    gnd_graph *g = fixture_two_rings(RING, 0);
    const gnd_method *m;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = NULL;
        gnd_split *s = cut(g, 4, 0);
        gnd_model *model = NULL;
        gnd_result r = {.size = sizeof r};

        CHECK_OK(gnd_config_new(&c, m->name, &err));
        CHECK_OK(gnd_train(&model, &r, g, s, c, NULL, &err));
        if (r.acc_test < 0.75)
            fail_msg("%s: %g of the rings right", m->name, r.acc_test);
        gnd_model_free(model);
        gnd_split_free(s);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

static void shared_preparation(void **state)
{
    gnd_graph *g = random_graph(60, 9, 3);
    const gnd_method *m;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = brief(m);
        gnd_split *s = cut(g, 2, 6);
        gnd_model *alone = NULL, *first = NULL, *other = NULL;
        gnd_inputs in = {0};

        CHECK_OK(gnd_model_new(&other, g, c, 99, &err));
        CHECK_OK(gnd_inputs_init(&in, other, g, NULL, &err));
        CHECK_OK(gnd_train(&alone, NULL, g, s, c, NULL, &err));
        for (int again = 0; again < 2; again++) { /* a run does not change shared inputs */
            CHECK_OK(gnd_train_on(
                &first, NULL, &(gnd_train_task){.graph = g, .split = s, .config = c, .shared = &in},
                &err));
            assert_int_equal(first->params.size, alone->params.size);
            if (memcmp(first->params.v, alone->params.v,
                       (size_t)alone->params.size * sizeof *alone->params.v) != 0)
                fail_msg("%s: shared preparation changes the weights", m->name);
            gnd_model_free(first);
        }
        gnd_inputs_fini(&in);
        gnd_model_free(other);
        gnd_model_free(alone);
        gnd_split_free(s);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* One vertex more, linked to the first ring. */
static gnd_graph *grown(const gnd_graph *g)
{
    const int64_t n = g->n_node, nnz = gnd_csr_nnz(&g->adj);
    int32_t(*link)[2] = calloc((size_t)nnz + 2, sizeof *link);
    int32_t(*feat)[2] = calloc((size_t)gnd_csr_nnz(&g->feat) + 1, sizeof *feat);
    int32_t *label = calloc((size_t)n + 1, sizeof *label);
    int64_t k = 0, f = 0;
    gnd_graph *more;

    assert_true(link && feat && label);
    for (int64_t i = 0; i < n; i++) {
        label[i] = g->label[i];
        for (int64_t p = g->adj.ptr[i]; p < g->adj.ptr[i + 1]; p++, k++)
            link[k][0] = (int32_t)i, link[k][1] = g->adj.col[p];
        for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++, f++)
            feat[f][0] = (int32_t)i, feat[f][1] = g->feat.col[p];
    }
    label[n] = -1;
    link[k][0] = 0, link[k++][1] = (int32_t)n;
    link[k][0] = (int32_t)n, link[k++][1] = 0;
    feat[f][0] = (int32_t)n, feat[f++][1] = 0;
    more = fixture_graph(n + 1, (const int32_t(*)[2])link, k, (const int32_t(*)[2])feat, f,
                         g->n_feat, label, g->n_class);
    free(link);
    free(feat);
    free(label);
    return more;
}

static void grown_graph(void **state)
{
    gnd_graph *g = fixture_two_rings(RING, 0), *more = grown(g);
    const gnd_method *m;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = NULL;
        gnd_split *s = cut(g, 2, 0);
        gnd_model *model = NULL;
        gnd_prediction *p = NULL;
        int64_t right = 0;

        CHECK_OK(gnd_config_new(&c, m->name, &err));
        CHECK_OK(gnd_train(&model, NULL, g, s, c, NULL, &err));
        if (gnd_predict(&p, model, more, NULL, &err) != GND_OK)
            fail_msg("%s: %s", m->name, err.msg);
        assert_int_equal(gnd_prediction_n(p), g->n_node + 1);
        for (int64_t v = 0; v < g->n_node; v++)
            right += gnd_prediction_label(p, v) == g->label[v];
        if (right < g->n_node * 3 / 4)
            fail_msg("%s: %lld of %lld right on the grown graph", m->name, (long long)right,
                     (long long)g->n_node);
        if (gnd_prediction_label(p, g->n_node) < 0)
            fail_msg("%s: nothing is known of a vertex linked to a known one", m->name);
        gnd_prediction_free(p);
        gnd_model_free(model);
        gnd_split_free(s);
        gnd_config_free(c);
    }
    gnd_graph_free(more);
    gnd_graph_free(g);
}

/* ---- what a method shows of itself ---- */

static void try_values(gnd_config *c, const char *setting, const char *values)
{
    char value[64];
    gnd_error err = {0};

    while (*values) {
        const size_t n = strcspn(values, ",");

        snprintf(value, sizeof value, "%.*s", (int)n, values);
        CHECK_OK(gnd_config_set(c, setting, value, &err));
        values += n + (values[n] == ',');
    }
}

static void says_what_it_is(void **state)
{
    const gnd_method *m;
    gnd_error err = {0};

    (void)state;
    for (int i = 0; (m = gnd_method_at(i)); i++) {
        gnd_config *c = NULL;
        const char *setting, *values;

        if (!m->title || !*m->title || !m->formula || !*m->formula || !m->paper || !*m->paper)
            fail_msg("%s lacks a title, a formula or a paper", m->name);
        assert_true((m->recipe != NULL) + (m->solve != NULL) + (m->estimate != NULL) == 1);
        for (const gnd_hparam *h = m->hparams; h->name; h++)
            if (!h->meaning || !*h->meaning)
                fail_msg("%s: nobody knows what '%s' means", m->name, h->name);
        CHECK_OK(gnd_config_new(&c, m->name, &err));
        for (const gnd_preset *p = m->presets; p && p->name; p++)
            CHECK_OK(gnd_config_preset(c, p->name, &err));
        for (const gnd_preset *p = m->datasets; p && p->name; p++) {
            if (!gnd_config_dataset(c, p->name))
                fail_msg("%s: its settings for %s cannot be set", m->name, p->name);
            assert_true(p->meaning && *p->meaning);
        }
        assert_false(gnd_config_dataset(c, "no such data set"));
        if (gnd_config_search(c, &setting, &values))
            try_values(c, setting, values);
        CHECK_OK(gnd_config_rule(c, "original", &err));
        CHECK_OK(gnd_config_rule(c, "common", &err));
        CHECK_FAILS(gnd_config_rule(c, "odd", &err), GND_ERR_ARG, "original, common");
        gnd_config_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_it_is),  cmocka_unit_test(with_features),
        cmocka_unit_test(without_features), cmocka_unit_test(directed_and_weighted),
        cmocka_unit_test(learns),           cmocka_unit_test(shared_preparation),
        cmocka_unit_test(grown_graph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
