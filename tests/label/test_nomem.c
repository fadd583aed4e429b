/* SPDX-License-Identifier: MIT
 * test_nomem.c - calls of the room with 0, 1, 2, ... allowed allocations. */
#include "label/signal_test.h"
#include "label/cross_validation.h"
#include "label/diagnose.h"
#include "label/stability.h"
#include "label/refine.h"
#include "graph/graph.h"
#include "mallocfail.h"
#include "planted.h"

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
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    gnd_names *names = gnd_names_new();
    gnd_notes notes = {0};
    gnd_graph g = {0};
    gnd_error err;

    (void)state;
    for (int64_t c = 0; c < 3; c++)
        assert_int_equal(gnd_names_add(names, &"abc"[c], 1), c);
    NOMEM_WALK(gnd_diagnose(&(gnd_diagnosis){&notes, &g, names},
                            &(gnd_diagnose_input){prob, prob, excluded, &p, &labelled, NULL}, &err),
               gnd_notes_fini(&notes));
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.list[0].code, "class_without_label");
    gnd_notes_fini(&notes);
    gnd_names_free(names);
}

static void refine(void **state)
{
    gnd_real prob[] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0}, z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    const unsigned char excluded[4] = {0};
    const gnd_points p = {.n = 4, .r = 2, .z = z};
    gnd_csr links = {0};
    gnd_refine_weights out = {-1, -1};
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_csr_init(&links, 4, 4, 0, false, &err));
    NOMEM_WALK(gnd_refine(prob, &out,
                          &(gnd_refine_opts){.own = &p,
                                             .links = &links,
                                             .labelled = &labelled,
                                             .excluded = excluded,
                                             .own_power = 1,
                                             .neighbour_weight = 1,
                                             .trust = 1},
                          NULL, &err),
               assert_true(out.predicted == -1));
    assert_true(out.predicted >= 0);
    gnd_csr_fini(&links);
}

static void signal_test(void **state)
{
    gnd_graph *g =
        planted_graph((plan){.n = 60, .n_class = 3, .inside = 4, .across = 1, .words = 6});
    const unsigned char skip[60] = {0};
    gnd_real prob[60 * 3];
    gnd_coordinates v;
    gnd_signal b;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_coordinates_init(
        &v, &g->feat, &g->adj,
        &(gnd_coordinates_opts){
            .weighting = {true, true}, .heterophily = true, .teleport = 0.1, .n_class = 3},
        NULL, &err));
    assert_true(v.heterophily > 0);
    NOMEM_WALK(gnd_signal_test(&b, prob, &(gnd_signal_opts){&v, 4, &labelled, skip}, NULL, &err),
               (void)b);
    gnd_coordinates_fini(&v);
    gnd_graph_free(g);
}

static void stability(void **state)
{
    static gnd_real prob[4 * 3] = {1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0},
                             z[] = {1, 0, 0, 1, 1, 0, 0, 1};
    static double value[] = {2, 2};
    const gnd_points p = {.n = 4, .r = 2, .z = z, .value = value, .spread = 2};
    gnd_resampling r;
    gnd_error err;

    (void)state;
    NOMEM_WALK(
        gnd_stability(&r, &(gnd_fit_shape){gnd_fit_soft, &p, 2, 1}, prob, &labelled, NULL, &err),
        (void)r);
    assert_true(r.prototype > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds),       cmocka_unit_test(diagnose),  cmocka_unit_test(refine),
        cmocka_unit_test(signal_test), cmocka_unit_test(stability),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
