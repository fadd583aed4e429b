/* SPDX-License-Identifier: MIT
 * test_aggregate_double.c - networks over the hops of single vertices: an evaluation pass works in
 * blocks of rows and, if memory is short, in blocks of hops. It must give what passes over a few
 * rows give, and not take memory for all rows at once. */
#include "random_graph.h"

#include "model/model.h"

enum { N = 1500, D = 12, C = 3, FEW = 70 };

static const struct {
    const char *method, *name, *value;
} cases[] = {
    {"gnd-rnn", "cell", "gru"},    {"gnd-rnn", "cell", "lstm"}, {"gnd-rnn", "order", "far_first"},
    {"gnd-rnn", "first_hop", "0"}, {"gnd-attn", "heads", "2"},  {"gnd-attn", "layers", "2"},
    {"gnd-attn", "hops", "1"},
};

static gnd_model *model_of(const gnd_graph *g, int64_t i)
{
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, cases[i].method, &err));
    CHECK_OK(gnd_config_set(c, "hops", "6", &err));
    CHECK_OK(gnd_config_set(c, "dropout_at", "X,Z,R,L", &err));
    CHECK_OK(gnd_config_set(c, cases[i].name, cases[i].value, &err));
    CHECK_OK(gnd_model_new(&m, g, c, 5, &err));
    gnd_config_free(c);
    return m;
}

/* The logits of rows in evaluation, [n, C]; row NULL: of all. Returns the bytes of the pass. */
static size_t logits_get(double *out, const gnd_model *m, const gnd_graph *g, const int32_t *row,
                         int64_t n, int64_t memory)
{
    gnd_inputs in = {0};
    gnd_error err = {0};
    gnd_tape *t = NULL;
    const gnd_node *y;
    size_t used;

    CHECK_OK(gnd_inputs_prepare(&in, m, g, &(gnd_inputs_opts){.memory = memory}, &err));
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, false, 0);
    if (row)
        gnd_tape_request(t, row, n);
    y = gnd_tape_node(t, m->config.method->forward(m, &in, t));
    CHECK_OK(gnd_tape_check(t, &err));
    assert_int_equal(y->rows, n);
    assert_int_equal(y->row != NULL, row != NULL);
    for (int64_t i = 0; i < n * C; i++)
        out[i] = (double)y->v[i];
    used = gnd_arena_used(&t->arena);
    gnd_tape_free(t);
    gnd_inputs_fini(&in);
    return used;
}

static void blocks_agree(void **state)
{
    static double all[N * C], less[N * C], some[FEW * C];
    gnd_graph *g = random_graph(N, D, C);
    int32_t row[FEW];

    (void)state;
    for (int k = 0; k < FEW; k++)
        row[k] = (int32_t)((k * 577 + 11) % N);
    for (int64_t i = 0; i < LENGTH(cases); i++) {
        gnd_model *m = model_of(g, i);

        logits_get(all, m, g, NULL, N, 0);
        logits_get(less, m, g, NULL, N, -1);
        logits_get(some, m, g, row, FEW, 0);
        for (int64_t e = 0; e < N * C; e++)
            CHECK_CLOSE(less[e], all[e], 0);
        for (int64_t e = 0; e < FEW * C; e++)
            CHECK_CLOSE(some[e], all[row[e / C] * C + e % C], 1e-13);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* Beside matrices with a few columns of each row, nothing of a block is left on the tape. */
static void memory_is_released(void **state)
{
    static double out[N * C];
    gnd_graph *g = random_graph(N, D, C);

    (void)state;
    for (int64_t i = 0; i < LENGTH(cases); i++) {
        gnd_model *m = model_of(g, i);
        const size_t used = logits_get(out, m, g, NULL, N, 0);

        if (used > (size_t)N * (8 * 16 + 4 * C) * sizeof(gnd_real))
            fail_msg("%s %s=%s: %zu bytes of %d rows", cases[i].method, cases[i].name,
                     cases[i].value, used, N);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

static void heads_divide_filters(void **state)
{
    gnd_graph *g = random_graph(20, D, C);
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-attn", &err));
    CHECK_OK(gnd_config_set(c, "filters", "6", &err));
    CHECK_OK(gnd_config_set(c, "heads", "4", &err));
    CHECK_FAILS(gnd_model_new(&m, g, c, 5, &err), GND_ERR_ARG,
                "filters=6 is not a multiple of heads=4");
    gnd_config_free(c);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_agree),
        cmocka_unit_test(memory_is_released),
        cmocka_unit_test(heads_divide_filters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
