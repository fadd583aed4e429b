/* SPDX-License-Identifier: MIT
 * test_nomem.c - calls of the labeller with 0, 1, 2, ... allowed allocations. */
#include "base/alloc.h"
#include "graph/graph.h"
#include "label/diagnose.h"
#include "label/folds.h"
#include "label/mixture.h"
#include "label/refine.h"
#include "label/stability.h"
#include "mallocfail.h"
#include "planted.h"
#include "prepared.h"

static const int32_t point[] = {0, 1, 2, 3}, cls[] = {0, 1, 0, 1};
static const gnd_labelled labelled = {.point = point, .cls = cls, .n = 4, .n_class = 3};

static void folds(void **state)
{
    gnd_folds f = {0};
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_folds_init(&f, &labelled, 2, &err),
               assert_true(!f.point && !f.cls && !f.held_out && !f.position && !f.class_size));
    gnd_folds_take(&f, 0);
    assert_int_equal(f.train.n, 2);
    gnd_folds_fini(&f);
}

/* A note is made, so that its list is walked too. */
static void diagnose(void **state)
{
    gnd_real prob[] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const unsigned char excluded[] = {1, 1, 0, 0};
    const gnd_prepared p = {.n = 4, .z = {.diffused = {.n = 4, .r = 2, .z = z}}};
    bool held_out[4] = {0};
    const gnd_mixture mixture = {.weight = {1}, .held_out = held_out};
    gnd_names *names = gnd_names_new();
    gnd_notes notes = {0};
    gnd_graph g = {0};
    gnd_error err;

    (void)state;
    for (int64_t c = 0; c < 3; c++)
        assert_int_equal(gnd_names_add(names, &"abc"[c], 1), c);
    NOMEM_WALK(gnd_diagnose(&(gnd_diagnosis){&notes, &g, names},
                            &(gnd_diagnose_input){.prob = prob,
                                                  .excluded = excluded,
                                                  .prepared = &p,
                                                  .labelled = &labelled,
                                                  .mixture = &mixture},
                            &err),
               gnd_notes_fini(&notes));
    assert_int_equal(notes.n, 2);
    assert_string_equal(notes.list[0].code, "not_checked");
    assert_string_equal(notes.list[1].code, "class_without_label");
    gnd_notes_fini(&notes);
    gnd_names_free(names);
}

static void refine(void **state)
{
    gnd_real prob[] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const unsigned char excluded[4] = {0};
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    gnd_csr links = {0};
    bool by_own;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&links, 4, 4, 0, false, &err));
    NOMEM_WALK(gnd_refine(prob, &by_own,
                          &(gnd_refine_opts){.own = &p,
                                             .links = &links,
                                             .labelled = &labelled,
                                             .excluded = excluded,
                                             .own_power = 1,
                                             .neighbour_weight = 1},
                          NULL, &err),
               assert_true(prob[0] == 1 && prob[7] == 0));
    assert_false(by_own); /* nothing to compare: no vertex has links */
    gnd_csr_fini(&links);
}

static void stability(void **state)
{
    static gnd_real prob[4 * 3] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0},
                             z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    static double value[] = {2, 2};
    const gnd_points p = {.n = 4, .r = 2, .z = z, .value = value, .spread = 2};
    double share = 0;
    gnd_error err;

    (void)state;
    NOMEM_WALK(gnd_stability(&share, &(gnd_fit_shape){&p, 2, 1}, prob, &labelled, NULL, &err),
               (void)share);
    assert_true(share > 0);
}

/* ---- whole graphs ---- */

enum { N = 30, LONE = 1, ALL = N + LONE, C = 3 };

/* Words that lean to the class, words by chance, no words; numbers. */
typedef enum { WORDS, NOISE, NONE, NUMBERS, KINDS } kind;

static gnd_graph *graph_of(kind k)
{
    gnd_graph *g = planted_graph((plan){.n = N,
                                        .n_class = C,
                                        .inside = 4,
                                        .across = 1,
                                        .words = k == NONE ? 0 : 6,
                                        .lean = k == NOISE ? 0 : 0.8,
                                        .lone = LONE,
                                        .weighted = true,
                                        .directed = true});
    gnd_error err;

    if (k != NUMBERS)
        return g;
    gnd_csr_fini(&g->feat);
    CHECK_OK(gnd_csr_init(&g->feat, ALL, 2, 2 * ALL, true, &err));
    for (int64_t e = 0; e < 2 * ALL; e++) {
        g->feat.ptr[e / 2 + 1] = 2 * (e / 2 + 1);
        g->feat.col[e] = (int32_t)(e % 2);
        g->feat.val[e] = (gnd_real)(1 + (e * 7) % 31);
    }
    g->n_feat = 2;
    return g;
}

static void prepare(void **state)
{
    const gnd_coordinates_opts o = usual_coordinates(C);
    const gnd_prepared empty = {0};
    gnd_prepared p;
    gnd_error err;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        gnd_graph *g = graph_of((kind)k);

        NOMEM_WALK(
            gnd_prepare(&p, &(gnd_prepare_of){.x = g->n_feat > 0 ? &g->feat : NULL, .adj = &g->adj},
                        &o, NULL, &err),
            assert_memory_equal(&p, &empty, sizeof p));
        gnd_prepared_fini(&p);
        gnd_graph_free(g);
    }
}

static void canonical(void **state)
{
    const gnd_coordinates_opts o = usual_coordinates(C);
    const gnd_prepared empty = {0};
    gnd_graph *g = graph_of(WORDS);
    gnd_labelled s = labelled;
    gnd_real rows[ALL * 2] = {1};
    int32_t *vertex, *own;
    gnd_prepared p;
    gnd_error err;

    (void)state;
    planted_ids(g, ALL - 1);
    NOMEM_WALK(gnd_canonical_order(&vertex, g, &err), assert_null(vertex));
    gnd_free(vertex);
    NOMEM_WALK(gnd_prepare_graph(&p, g, &g->feat, &o, NULL, &err),
               assert_memory_equal(&p, &empty, sizeof p));
    NOMEM_WALK(
        gnd_canonical_labels(&own, &s.point, &s.cls, s.n, gnd_prepared_order(&p), &p.at, &err),
        assert_null(own));
    gnd_free(own);
    NOMEM_WALK(gnd_canonical_restore(rows, 2, gnd_prepared_order(&p), &err),
               assert_true(rows[0] == 1));
    gnd_prepared_fini(&p);
    gnd_graph_free(g);
}

static void predictors(void **state)
{
    static gnd_predictor_fn *const predict[] = {
#define X(name, function, factor) gnd_predict_##function,
#include "label/predictors.def"
#undef X
    };
    gnd_graph *g = graph_of(NOISE);
    gnd_prepared p = prepared_of(&g->feat, &g->adj, C);
    gnd_real score[ALL * C];
    gnd_error err;

    (void)state;
    assert_true(p.z.features.n > 0 && p.z.links.n > 0);
    for (int64_t k = 0; k < LENGTH(predict); k++)
        NOMEM_WALK(predict[k](score, &p, &labelled, NULL, &err), (void)0);
    gnd_prepared_fini(&p);
    gnd_graph_free(g);
}

/* With and without labels to hold out. */
static void mixture(void **state)
{
    static const int32_t at[] = {0, 1, 2, 3, 4, 5};
    static const int32_t of[] = {0, 1, 2, 0, 1, 2};
    const gnd_mixture empty = {0};
    gnd_real prob[ALL * C];
    gnd_mixture m;
    gnd_error err;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        gnd_graph *g = graph_of((kind)k);
        gnd_prepared p = prepared_of(g->n_feat > 0 ? &g->feat : NULL, &g->adj, C);

        for (int64_t n = 3; n <= 6; n += 3) {
            const gnd_labelled s = {.point = at, .cls = of, .n = n, .n_class = C};

            NOMEM_WALK(gnd_mixture_fit(&m, prob, &p, &s, ~0u, NULL, &err),
                       assert_memory_equal(&m, &empty, sizeof m));
            assert_int_equal(m.n_held_out, n == 6 ? 6 : 0);
            gnd_mixture_fini(&m);
        }
        gnd_prepared_fini(&p);
        gnd_graph_free(g);
    }
}

/* From the graph, whose vertices are not in canonical order, to the prediction with its notes. */
static void method_auto(void **state)
{
    const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};
    gnd_graph *g = graph_of(WORDS);
    gnd_split *s = planted_split(g, 3, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    gnd_error err;

    (void)state;
    planted_ids(g, ALL - 1);
    NOMEM_WALK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err), assert_null(p));
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds),      cmocka_unit_test(diagnose), cmocka_unit_test(refine),
        cmocka_unit_test(stability),  cmocka_unit_test(prepare),  cmocka_unit_test(canonical),
        cmocka_unit_test(predictors), cmocka_unit_test(mixture),  cmocka_unit_test(method_auto),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
