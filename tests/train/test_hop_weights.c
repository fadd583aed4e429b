/* SPDX-License-Identifier: MIT
 * test_hop_weights.c - the hop weights of trained models, the attention between their hops, and the
 * files they are written to. */
#include <math.h>

#include "fixture.h"
#include "io/temp.h"
#include "model/model.h"

enum { HOPS = 4 };

/* settings: "name=value name=value" */
static gnd_model *train(const gnd_graph *g, const char *method, const char *settings)
{
    const gnd_split_opts o = {.size = sizeof o, .per_class = 2, .seed = 3};
    gnd_error err = {0};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    char name[32], value[32];
    int used;

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    CHECK_OK(gnd_config_new(&c, method, &err));
    for (; sscanf(settings, " %31[^=]=%31s%n", name, value, &used) == 2; settings += used)
        CHECK_OK(gnd_config_set(c, name, value, &err));
    if (gnd_config_has_hop_weights(c))
        CHECK_OK(gnd_config_set(c, "hops", "4", &err));
    CHECK_OK(gnd_config_set(c, "epochs_alone", "20", &err));
    CHECK_OK(gnd_train(&m, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

/* Fixed weights are those of personalised PageRank, for every vertex. Learned ones that start there
 * stay there if their step size is 0. */
static void fixed_weights(void **state)
{
    static const char *const fixed[] = {"alpha=ppr", "alpha_start=ppr alpha_lr=0"};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};

    (void)state;
    for (size_t s = 0; s < LENGTH(fixed); s++) {
        gnd_model *m = train(g, "gnd-slp", fixed[s]);
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_n(w), 17);
        assert_int_equal(gnd_hop_weights_n_hop(w), HOPS);
        assert_int_equal(gnd_hop_weights_first(w), 1);
        assert_true(gnd_hop_weights_shared(w));
        for (int64_t i = 0; i < 17; i++)
            for (int k = 0; k < HOPS; k++)
                CHECK_CLOSE(gnd_hop_weights_get(w, i)[k], 0.1 * pow(0.9, k + 1), 1e-7);
        assert_null(gnd_hop_weights_get(w, 17));
        assert_null(gnd_hop_weights_get(w, -1));
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* The distance of learned weights from their initial values grows with their step size. */
static void step_size_of_weights(void **state)
{
    static const char *const settings[] = {"alpha_start=uniform alpha_lr=0.01",
                                           "alpha_start=uniform alpha_lr=0.1",
                                           "alpha_start=uniform"};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};
    double moved = 0;

    (void)state;
    for (size_t s = 0; s < LENGTH(settings); s++) {
        gnd_model *m = train(g, "gnd-slp", settings[s]);
        gnd_hop_weights *w = NULL;
        double sum = 0;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        for (int k = 0; k < HOPS; k++)
            sum += fabs((double)gnd_hop_weights_get(w, 0)[k] - 0.25);
        assert_true(sum > 3 * moved);
        moved = sum;
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    assert_true(moved > 0.01);
    gnd_graph_free(g);
}

/* Learned weights are the parameter of the model. */
static void learned_weights(void **state)
{
    static const struct {
        const char *method, *param;
        int64_t n, first;
    } learned[] = {{"gnd-slp", "alpha", HOPS, 1}, {"gprgnn", "gam", HOPS + 1, 0}};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};

    (void)state;
    for (size_t i = 0; i < LENGTH(learned); i++) {
        gnd_model *m = train(g, learned[i].method, "lr=0.01");
        const gnd_param *p = &m->params.p[gnd_params_find(&m->params, learned[i].param)];
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_n_hop(w), learned[i].n);
        assert_int_equal(gnd_hop_weights_first(w), learned[i].first);
        for (int64_t k = 0; k < learned[i].n; k++)
            CHECK_CLOSE(gnd_hop_weights_get(w, 3)[k], m->params.v[p->at + k], 0);
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* Attention weights are of each vertex, positive and of sum 1. */
static void weights_of_vertices(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_model *m = train(g, "gnd-attn", "lr=0.01");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};
    bool differ = false;

    (void)state;
    CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
    assert_int_equal(gnd_hop_weights_n(w), 17);
    assert_int_equal(gnd_hop_weights_n_hop(w), HOPS);
    assert_int_equal(gnd_hop_weights_first(w), 1);
    assert_false(gnd_hop_weights_shared(w));
    for (int64_t i = 0; i < 17; i++) {
        const float *a = gnd_hop_weights_get(w, i);

        CHECK_CLOSE(a[0] + a[1] + a[2] + a[3], 1, 1e-6);
        for (int k = 0; k < HOPS; k++)
            assert_true(a[k] > 0);
        differ |= a[0] != gnd_hop_weights_get(w, 0)[0];
    }
    assert_true(differ);
    gnd_hop_weights_free(w);
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* ---- attention between hops, beside a computation in double from the parameters ---- */

enum { N = 17, R = 6, MAX_BLOCK = 2 };

typedef struct {
    double a[HOPS];                  /* weights of the pooling */
    double A[MAX_BLOCK][HOPS][HOPS]; /* attention, mean over the heads */
} attended;

static double value(const gnd_model *m, const char *name, int64_t i, int64_t j)
{
    const gnd_param *p = &m->params.p[gnd_params_find(&m->params, name)];

    return (double)m->params.v[p->at + i * p->cols + j];
}

static double value_of_block(const gnd_model *m, const char *name, int l, int64_t i, int64_t j)
{
    char whole[16];

    snprintf(whole, sizeof whole, "%s_%d", name, l);
    return value(m, whole, i, j);
}

/* y = x W for a row x: [n], W: [n, f] */
static void times(double *y, const double *x, int n, int f, const gnd_model *m, const char *W,
                  int l)
{
    for (int j = 0; j < f; j++) {
        y[j] = 0;
        for (int i = 0; i < n; i++)
            y[j] += x[i] * value_of_block(m, W, l, i, j);
    }
}

static void softmax(double *x, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += x[i] = exp(x[i]);
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}

/* x = LN(x + y), x and y: [R] */
static void add_norm(double *x, const double *y, const gnd_model *m, const char *gain,
                     const char *shift, int l)
{
    double mean = 0, var = 0;

    for (int i = 0; i < R; i++)
        mean += (x[i] += y[i]) / R;
    for (int i = 0; i < R; i++)
        var += (x[i] - mean) * (x[i] - mean) / R;
    for (int i = 0; i < R; i++)
        x[i] = (x[i] - mean) / sqrt(var + 1e-5) * value_of_block(m, gain, l, 0, i) +
               value_of_block(m, shift, l, 0, i);
}

static void plain_block(double T[HOPS][R], double A[HOPS][HOPS], const gnd_model *m, int l,
                        int heads)
{
    const int w = R / heads;
    double Q[HOPS][R], Y[HOPS][R], V[HOPS][R], AV[HOPS][R] = {0}, H[2 * R], out[R], s[HOPS];

    memset(A, 0, HOPS * sizeof *A);
    for (int k = 0; k < HOPS; k++) {
        times(Q[k], T[k], R, R, m, "Wq", l);
        times(Y[k], T[k], R, R, m, "Wk", l);
        times(V[k], T[k], R, R, m, "Wv", l);
    }
    for (int k = 0; k < HOPS; k++)
        for (int h = 0; h < heads; h++) {
            for (int j = 0; j < HOPS; j++) {
                s[j] = 0;
                for (int c = h * w; c < (h + 1) * w; c++)
                    s[j] += Q[k][c] * Y[j][c] / sqrt(w);
            }
            softmax(s, HOPS);
            for (int j = 0; j < HOPS; j++) {
                A[k][j] += s[j] / heads;
                for (int c = h * w; c < (h + 1) * w; c++)
                    AV[k][c] += s[j] * V[j][c];
            }
        }
    for (int k = 0; k < HOPS; k++) {
        times(out, AV[k], R, R, m, "Wo", l);
        add_norm(T[k], out, m, "n1g", "n1b", l);
        times(H, T[k], R, 2 * R, m, "F1", l);
        for (int i = 0; i < 2 * R; i++)
            H[i] = fmax(0, H[i] + value_of_block(m, "f1", l, 0, i));
        times(out, H, 2 * R, R, m, "F2", l);
        for (int i = 0; i < R; i++)
            out[i] += value_of_block(m, "f2", l, 0, i);
        add_norm(T[k], out, m, "n2g", "n2b", l);
    }
}

/* hop[k] = W^{first + k} X Theta, W = D^-1 (A + I), rows of X divided by their sum. */
static void plain_hops(double hop[HOPS][N][R], const gnd_graph *g, const gnd_model *m, int first)
{
    double now[N][R] = {0}, next[N][R];

    for (int i = 0; i < N; i++)
        for (int64_t p = g->feat.ptr[i]; p < g->feat.ptr[i + 1]; p++)
            for (int c = 0; c < R; c++)
                now[i][c] += value(m, "Theta", g->feat.col[p], c) /
                             (double)(g->feat.ptr[i + 1] - g->feat.ptr[i]);
    for (int k = 0; k < first + HOPS; k++) {
        if (k >= first)
            memcpy(hop[k - first], now, sizeof now);
        memcpy(next, now, sizeof now);
        for (int i = 0; i < N; i++)
            for (int c = 0; c < R; c++) {
                for (int64_t p = g->adj.ptr[i]; p < g->adj.ptr[i + 1]; p++)
                    next[i][c] += now[g->adj.col[p]][c];
                next[i][c] /= (double)(g->adj.ptr[i + 1] - g->adj.ptr[i] + 1);
            }
        memcpy(now, next, sizeof now);
    }
}

static void plain_attend(attended *out, double hop[HOPS][N][R], int vertex, const gnd_model *m,
                         int layers, int heads)
{
    double T[HOPS][R];

    for (int k = 0; k < HOPS; k++)
        for (int c = 0; c < R; c++)
            T[k][c] = hop[k][vertex][c] + value(m, "e", k, c);
    for (int l = 1; l <= layers; l++)
        plain_block(T, out->A[l - 1], m, l, heads);
    for (int k = 0; k < HOPS; k++) {
        out->a[k] = 0;
        for (int c = 0; c < R; c++)
            out->a[k] += T[k][c] * value(m, "q", c, 0);
    }
    softmax(out->a, HOPS);
}

/* Returns how far the attention is from equal shares. */
static double attention_check(const gnd_hop_weights *w, int vertex, const attended *expected)
{
    double apart = 0;

    for (int k = 0; k < HOPS; k++)
        CHECK_CLOSE(gnd_hop_weights_get(w, vertex)[k], expected->a[k], 1e-5);
    for (int64_t l = 0; l < gnd_hop_weights_n_block(w); l++)
        for (int k = 0; k < HOPS; k++) {
            const float *row = gnd_hop_weights_attention(w, vertex, l) + k * HOPS;

            CHECK_CLOSE(row[0] + row[1] + row[2] + row[3], 1, 1e-6);
            for (int j = 0; j < HOPS; j++) {
                assert_true(row[j] > 0);
                CHECK_CLOSE(row[j], expected->A[l][k][j], 1e-5);
                apart = fmax(apart, fabs((double)row[j] - 1.0 / HOPS));
            }
        }
    return apart;
}

static void attention(void **state)
{
    static const struct {
        const char *settings;
        int first, layers, heads;
    } c[] = {{"filters=6 lr=0.05 first_hop=1 layers=1 heads=1", 1, 1, 1},
             {"filters=6 lr=0.05 first_hop=0 layers=2 heads=2", 0, 2, 2}};
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_error err = {0};

    (void)state;
    for (size_t i = 0; i < LENGTH(c); i++) {
        gnd_model *m = train(g, "gnd-attn", c[i].settings);
        double hop[HOPS][N][R], apart = 0;
        gnd_hop_weights *w = NULL;

        CHECK_OK(gnd_model_hop_attention(&w, m, g, NULL, &err));
        assert_int_equal(gnd_hop_weights_n_block(w), c[i].layers);
        assert_int_equal(gnd_hop_weights_first(w), c[i].first);
        assert_false(gnd_hop_weights_shared(w));
        plain_hops(hop, g, m, c[i].first);
        for (int v = 0; v < N; v++) {
            attended expected;

            plain_attend(&expected, hop, v, m, c[i].layers, c[i].heads);
            apart = fmax(apart, attention_check(w, v, &expected));
        }
        assert_true(apart > 0.01);
        assert_null(gnd_hop_weights_attention(w, -1, 0));
        assert_null(gnd_hop_weights_attention(w, N, 0));
        assert_null(gnd_hop_weights_attention(w, 0, -1));
        assert_null(gnd_hop_weights_attention(w, 0, c[i].layers));
        gnd_hop_weights_free(w);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

/* Neither blocks of rows, a small memory budget nor threads change a bit. */
static void attention_in_blocks(void **state)
{
    const gnd_train_opts o[] = {{.size = sizeof *o, .threads = 1},
                                {.size = sizeof *o, .threads = 3, .memory = 1}};
    gnd_graph *g = fixture_two_rings(400, 1);
    gnd_model *m = train(g, "gnd-attn", "filters=4");
    gnd_hop_weights *w[2] = {NULL};
    gnd_error err = {0};

    (void)state;
    for (int k = 0; k < 2; k++)
        CHECK_OK(gnd_model_hop_attention(&w[k], m, g, &o[k], &err));
    assert_memory_equal(gnd_hop_weights_attention(w[0], 0, 0),
                        gnd_hop_weights_attention(w[1], 0, 0), 801 * HOPS * HOPS * sizeof(float));
    gnd_hop_weights_free(w[0]);
    gnd_hop_weights_free(w[1]);
    gnd_model_free(m);
    gnd_graph_free(g);
}

static void attention_refused(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1), *other = fixture_two_rings(8, 2);
    gnd_model *slp = train(g, "gnd-slp", "lr=0.01"), *attn = train(g, "gnd-attn", "lr=0.01");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};

    (void)state;
    assert_true(gnd_config_has_hop_attention(gnd_model_config(attn)));
    assert_false(gnd_config_has_hop_attention(gnd_model_config(slp)));
    CHECK_FAILS(gnd_model_hop_attention(&w, slp, g, NULL, &err), GND_ERR_ARG,
                "gnd-slp has no attention between hops");
    assert_null(w);
    CHECK_OK(gnd_model_hop_weights(&w, attn, g, NULL, &err));
    assert_int_equal(gnd_hop_weights_n_block(w), 0);
    assert_null(gnd_hop_weights_attention(w, 0, 0));
    CHECK_FAILS(gnd_hop_attention_save(w, g, temp_path("a.npz"), &err), GND_ERR_ARG,
                "have no attention");
    gnd_hop_weights_free(w);
    CHECK_OK(gnd_model_hop_attention(&w, attn, g, NULL, &err));
    CHECK_FAILS(gnd_hop_attention_save(w, other, temp_path("a.npz"), &err), GND_ERR_SHAPE,
                "17 vertices");
    CHECK_FAILS(gnd_hop_attention_save(w, g, NULL, &err), GND_ERR_ARG, "is NULL");
    CHECK_FAILS(gnd_hop_attention_save(w, g, temp_path("no/a.npz"), &err), GND_ERR_IO, "no/a.npz");
    gnd_hop_weights_free(w);
    gnd_model_free(attn);
    gnd_model_free(slp);
    gnd_graph_free(other);
    gnd_graph_free(g);
}

static void refused(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1), *other = fixture_two_rings(8, 2), *std = NULL;
    gnd_model *gcn = train(g, "gcn", "lr=0.01"), *slp = train(g, "gnd-slp", "lr=0.01");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_FAILS(gnd_model_hop_weights(&w, gcn, g, NULL, &err), GND_ERR_ARG, "gcn does not weigh");
    assert_null(w);
    CHECK_OK(gnd_graph_convert(&std, g, GND_GRAPH_STD, &err));
    CHECK_FAILS(gnd_model_hop_weights(&w, slp, std, NULL, &err), GND_ERR_ARG, "mode raw");
    assert_null(w);
    CHECK_OK(gnd_model_hop_weights(&w, slp, g, NULL, &err));
    CHECK_FAILS(gnd_hop_weights_save(w, other, temp_path("w.csv"), &err), GND_ERR_SHAPE,
                "17 vertices");
    CHECK_FAILS(gnd_hop_weights_save(w, g, NULL, &err), GND_ERR_ARG, "is NULL");
    gnd_hop_weights_free(w);
    gnd_model_free(slp);
    gnd_model_free(gcn);
    gnd_graph_free(std);
    gnd_graph_free(other);
    gnd_graph_free(g);
}

static void saved(void **state)
{
    gnd_graph *g = fixture_two_rings(8, 1);
    gnd_model *m = train(g, "gnd-slp", "alpha=uniform");
    gnd_hop_weights *w = NULL;
    gnd_error err = {0};
    char line[128];
    FILE *f;

    (void)state;
    CHECK_OK(gnd_model_hop_weights(&w, m, g, NULL, &err));
    CHECK_OK(gnd_hop_weights_save(w, g, temp_path("w.csv"), &err));
    f = fopen(temp_path("w.csv"), "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "id,hop_1,hop_2,hop_3,hop_4\n");
    for (int i = 0; i < 17; i++) {
        char expected[128];

        snprintf(expected, sizeof expected, "%d,0.25,0.25,0.25,0.25\n", i);
        assert_non_null(fgets(line, sizeof line, f));
        assert_string_equal(line, expected);
    }
    assert_null(fgets(line, sizeof line, f));
    fclose(f);
    gnd_hop_weights_free(w);
    gnd_model_free(m);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_weights),   cmocka_unit_test(step_size_of_weights),
        cmocka_unit_test(learned_weights), cmocka_unit_test(weights_of_vertices),
        cmocka_unit_test(attention),       cmocka_unit_test(attention_in_blocks),
        cmocka_unit_test(refused),         cmocka_unit_test(attention_refused),
        cmocka_unit_test(saved),
    };

    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
