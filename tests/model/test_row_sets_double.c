/* SPDX-License-Identifier: MIT
 * What dcnn, sgc and sign make once for the training and validation rows, against rows made when
 * asked for: values and gradients of whole sets, and of batches; and all rows with little memory.
 */
#include "random_graph.h"

#include "base/alloc.h"
#include "graph/powers.h"
#include "model/model.h"

enum { N = 24, D = 7, C = 3 };

static const int32_t train[] = {5, 0, 11, 3, 17, 8}, val[] = {1, 22, 6, 2};
static const int32_t batch[] = {17, 5, 3}, mixed[] = {5, 22};

typedef struct {
    gnd_real logits[N * C], *grad;
    int64_t rows;
    const int32_t *row;
} outcome;

static void run(outcome *out, gnd_model *m, const gnd_inputs *in, bool training,
                const int32_t *rows, int64_t n)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_tape *t = NULL;
    gnd_error err = {0};
    const gnd_node *y;
    gnd_var logits;

    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    t->budget = in->budget;
    gnd_tape_reset(t, training, 0);
    gnd_tape_request(t, rows, n);
    memset(m->params.g, 0, (size_t)m->params.size * sizeof *m->params.g);
    logits = m->config.method->forward(m, in, t);
    CHECK_OK(gnd_tape_check(t, &err));
    if (training)
        gnd_tape_backward(t, gnd_loss(m, t, logits, &(gnd_target){g->label, rows, n}));
    CHECK_OK(gnd_tape_check(t, &err));
    y = gnd_tape_node(t, logits);
    out->rows = y->rows;
    out->row = y->row;
    memcpy(out->logits, y->v, (size_t)(y->rows * y->cols) * sizeof *y->v);
    out->grad = gnd_alloc(m->params.size, sizeof *out->grad);
    assert_non_null(out->grad);
    memcpy(out->grad, m->params.g, (size_t)m->params.size * sizeof *out->grad);
    gnd_tape_free(t);
    gnd_graph_free(g);
}

static void compare(gnd_model *m, const gnd_inputs *held, const gnd_inputs *plain, bool training,
                    const int32_t *rows, int64_t n)
{
    outcome a, b;

    run(&a, m, held, training, rows, n);
    run(&b, m, plain, training, rows, n);
    assert_int_equal(a.rows, b.rows);
    assert_ptr_equal(a.row, rows);
    assert_ptr_equal(b.row, rows);
    for (int64_t i = 0; i < a.rows * C; i++)
        CHECK_CLOSE(a.logits[i], b.logits[i], 1e-13);
    for (int64_t i = 0; i < m->params.size; i++)
        CHECK_CLOSE(a.grad[i], b.grad[i], 1e-13);
    gnd_free(a.grad);
    gnd_free(b.grad);
}

static const int32_t *all_rows(void)
{
    static int32_t all[N];

    for (int32_t i = 0; i < N; i++)
        all[i] = N - 1 - i;
    return all;
}

static void held_rows_are_those_made(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_inputs held = {0}, plain = {0}, poor = {0};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_config_new(&c, "dcnn", &err));
    CHECK_OK(gnd_model_new(&m, g, c, 4, &err));
    CHECK_OK(gnd_inputs_init(&held, m, g, NULL, &err));
    CHECK_OK(gnd_inputs_add_rows(&held, m, GND_TRAIN_ROWS, (gnd_row_list){train, LENGTH(train)},
                                 NULL, &err));
    CHECK_OK(
        gnd_inputs_add_rows(&held, m, GND_VAL_ROWS, (gnd_row_list){val, LENGTH(val)}, NULL, &err));
    assert_int_equal(held.rows[GND_VAL_ROWS].part.n_row, LENGTH(val));
    CHECK_OK(gnd_inputs_init(&plain, m, g, NULL, &err));
    assert_non_null(gnd_powers_get(plain.own, 1));
    compare(m, &held, &plain, true, train, LENGTH(train));
    compare(m, &held, &plain, true, batch, LENGTH(batch));
    compare(m, &held, &plain, true, mixed, LENGTH(mixed));
    compare(m, &held, &plain, false, val, LENGTH(val));
    compare(m, &held, &plain, false, train, LENGTH(train));
    for (int64_t memory = -1; memory < 2; memory += 2) {
        CHECK_OK(gnd_inputs_prepare(&poor, m, g, &(gnd_inputs_opts){.memory = memory}, &err));
        assert_null(gnd_powers_get(poor.own, 1));
        CHECK_OK(gnd_inputs_add_rows(&poor, m, GND_VAL_ROWS, (gnd_row_list){val, LENGTH(val)}, NULL,
                                     &err));
        assert_int_equal(poor.rows[GND_VAL_ROWS].part.n_row, 0);
        compare(m, &poor, &plain, false, val, LENGTH(val));
        compare(m, &poor, &plain, false, all_rows(), N); /* more than features: by columns */
        gnd_inputs_fini(&poor);
    }
    gnd_inputs_fini(&plain);
    gnd_inputs_fini(&held);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_graph_free(g);
}

/* Methods on smoothed features: with all powers, with the rows of those that do not fit, and with
 * nothing stored. */
static void smoothed_rows(const char *method, int64_t memory, bool stores_rows)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_inputs plain = {0}, poor = {0};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    CHECK_OK(gnd_model_new(&m, g, c, 4, &err));
    CHECK_OK(gnd_inputs_init(&plain, m, g, NULL, &err));
    CHECK_OK(gnd_inputs_prepare(&poor, m, g, &(gnd_inputs_opts){.memory = memory}, &err));
    assert_non_null(gnd_powers_get(plain.own, 2));
    assert_null(gnd_powers_get(poor.own, 2));
    CHECK_OK(gnd_inputs_add_rows(&poor, m, GND_TRAIN_ROWS, (gnd_row_list){train, LENGTH(train)},
                                 NULL, &err));
    CHECK_OK(
        gnd_inputs_add_rows(&poor, m, GND_VAL_ROWS, (gnd_row_list){val, LENGTH(val)}, NULL, &err));
    assert_true((poor.rows[GND_TRAIN_ROWS].own != NULL) == stores_rows);
    assert_true(gnd_budget_left(&poor.budget) >= 0);
    compare(m, &poor, &plain, true, train, LENGTH(train));
    compare(m, &poor, &plain, true, batch, LENGTH(batch));
    compare(m, &poor, &plain, false, val, LENGTH(val));
    compare(m, &poor, &plain, false, all_rows(), N);
    gnd_inputs_fini(&plain);
    gnd_inputs_fini(&poor);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_graph_free(g);
}

static void smoothed_rows_are_those_made(void **state)
{
    (void)state;
    smoothed_rows("sgc", -1, false);
    smoothed_rows("sign", -1, false);
    smoothed_rows("sgc", 6 * D * 4, true);
    smoothed_rows("sign", 3 * 6 * D * 4, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(held_rows_are_those_made),
        cmocka_unit_test(smoothed_rows_are_those_made),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
