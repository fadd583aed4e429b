/* SPDX-License-Identifier: MIT
 * The exact propagation matrix of ppnp and ppnp-hk, which is never formed: against a dense one, in
 * every way a pass may be asked, with and without dropout of its entries. */
#include "random_graph.h"

#include "model/model.h"

enum { N = 26, D = 6, C = 3, N_TRAIN = 7 };

static const int32_t train[N_TRAIN] = {5, 0, 11, 3, 17, 8, 22};
static const int32_t batch[] = {17, 5, 3}, stranger[] = {5, 9};

typedef struct {
    gnd_graph *g;
    gnd_model *m;
    gnd_inputs in;
    gnd_tape *t;
} work;

static void begin(work *w, const char *method, const char *const settings[][2])
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    memset(w, 0, sizeof *w);
    w->g = random_graph(N, D, C);
    CHECK_OK(gnd_config_new(&c, method, &err));
    for (int i = 0; settings[i][0]; i++)
        CHECK_OK(gnd_config_set(c, settings[i][0], settings[i][1], &err));
    CHECK_OK(gnd_model_new(&w->m, w->g, c, 4, &err));
    CHECK_OK(gnd_inputs_init(&w->in, w->m, w->g, NULL, &err));
    CHECK_OK(gnd_inputs_add_rows(&w->in, w->m, GND_TRAIN_ROWS, (gnd_row_list){train, N_TRAIN}, NULL,
                                 &err));
    CHECK_OK(gnd_tape_new(&w->t, NULL, &err));
    w->t->seed = 8;
    gnd_config_free(c);
}

static void end(work *w)
{
    gnd_tape_free(w->t);
    gnd_inputs_fini(&w->in);
    gnd_model_free(w->m);
    gnd_graph_free(w->g);
}

/* Logits of a pass that is asked for these rows (NULL: all), until the next one. */
static const gnd_node *pass(work *w, bool training, const int32_t *rows, int64_t n)
{
    gnd_error err = {0};
    gnd_var y;

    gnd_tape_reset(w->t, training, 2);
    gnd_tape_request(w->t, rows, n);
    y = w->m->config.method->forward(w->m, &w->in, w->t);
    CHECK_OK(gnd_tape_check(w->t, &err));
    return gnd_tape_node(w->t, y);
}

/* ---- the same, dense ---- */

static void dense_product(double *y, const double *a, const double *x, int64_t cols)
{
    memset(y, 0, (size_t)(N * cols) * sizeof *y);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = 0; k < N; k++)
            for (int64_t c = 0; c < cols; c++)
                y[i * cols + c] += a[i * N + k] * x[k * cols + c];
}

/* a (I - (1 - a) S)^-1 by Gauss and Jordan; the matrix is dominated by its diagonal enough. */
static void dense_pagerank(double *pi, const double *s, double a)
{
    double m[N * N];

    for (int i = 0; i < N * N; i++) {
        m[i] = (i % (N + 1) == 0) - (1 - a) * s[i];
        pi[i] = i % (N + 1) == 0 ? a : 0;
    }
    for (int k = 0; k < N; k++) {
        const double pivot = m[k * N + k];

        for (int j = 0; j < N; j++) {
            m[k * N + j] /= pivot;
            pi[k * N + j] /= pivot;
        }
        for (int i = 0; i < N; i++) {
            const double f = i == k ? 0 : m[i * N + k];

            for (int j = 0; j < N; j++) {
                m[i * N + j] -= f * m[k * N + j];
                pi[i * N + j] -= f * pi[k * N + j];
            }
        }
    }
}

/* exp(-t (I - S)): Taylor at t / 64, squared six times. */
static void dense_heat(double *pi, const double *s, double t)
{
    double term[N * N], next[N * N];

    for (int i = 0; i < N * N; i++)
        pi[i] = term[i] = i % (N + 1) == 0;
    for (int k = 1; k < 20; k++) {
        dense_product(next, s, term, N);
        for (int i = 0; i < N * N; i++) {
            term[i] = t / 64 / k * (next[i] - term[i]);
            pi[i] += term[i];
        }
    }
    for (int k = 0; k < 6; k++) {
        memcpy(term, pi, sizeof term);
        dense_product(pi, term, term, N);
    }
}

/* relu(X W1) W2 without dropout */
static void dense_local(double *hl, const work *w)
{
    const gnd_real *w1 = w->m->params.v, *w2 = w1 + w->m->params.p[1].at;
    const int64_t h = w->m->params.p[0].cols;

    memset(hl, 0, N * C * sizeof *hl);
    for (int64_t i = 0; i < N; i++)
        for (int64_t k = 0; k < h; k++) {
            double sum = 0;

            for (int64_t p = w->in.x.ptr[i]; p < w->in.x.ptr[i + 1]; p++)
                sum += gnd_csr_val(&w->in.x, p) * w1[w->in.x.col[p] * h + k];
            for (int64_t c = 0; c < C; c++)
                hl[i * C + c] += fmax(sum, 0) * w2[k * C + c];
        }
}

static void dense_logits(double *y, const work *w, bool heat)
{
    double s[N * N] = {0}, pi[N * N], hl[N * C];

    for (int64_t i = 0; i < N; i++)
        for (int64_t p = w->in.op.a.ptr[i]; p < w->in.op.a.ptr[i + 1]; p++)
            s[i * N + w->in.op.a.col[p]] = gnd_csr_val(&w->in.op.a, p);
    if (heat)
        dense_heat(pi, s, 5);
    else
        dense_pagerank(pi, s, 0.1);
    dense_local(hl, w);
    dense_product(y, pi, hl, C);
}

static void check_rows(const gnd_node *y, const double *dense, const int32_t *rows, int64_t n)
{
    assert_int_equal(y->rows, n);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            CHECK_CLOSE(y->v[i * C + c], dense[(rows ? rows[i] : i) * C + c], 1e-12);
}

static void dense_and_both_ways_agree(void **state)
{
    static const char *const operators[] = {"plain", "transposed", "symmetrised", "walk"};
    static const char *const modes[] = {"exact", "matrix-free"};

    (void)state;
    for (int k = 0; k < 16; k++) {
        const bool heat = k & 1;
        const char *const settings[][2] = {{"operator", operators[k / 4]},
                                           {"mode", modes[k / 2 % 2]},
                                           {"dropout", "0"},
                                           {"dropout_pi", "0"},
                                           {"hidden", "9"},
                                           {NULL, NULL}};
        double dense[N * C];
        work w;

        begin(&w, heat ? "ppnp-hk" : "ppnp", settings);
        assert_int_equal(w.in.rows[GND_TRAIN_ROWS].part.n_row, k / 2 % 2 ? 0 : N_TRAIN);
        dense_logits(dense, &w, heat);
        check_rows(pass(&w, false, NULL, 0), dense, NULL, N);
        check_rows(pass(&w, true, NULL, 0), dense, NULL, N);
        if (k / 2 % 2 == 0) {
            check_rows(pass(&w, true, train, N_TRAIN), dense, train, N_TRAIN);
            check_rows(pass(&w, true, batch, LENGTH(batch)), dense, batch, LENGTH(batch));
        }
        end(&w);
    }
}

/* Dropout of Pi belongs to an entry, whatever else a step looks at; rows that were not prepared,
 * and passes that do not train, drop nothing. */
static void batches_drop_the_same(void **state)
{
    static const char *const settings[][2] = {{"dropout", "0"}, {"hidden", "9"}, {NULL, NULL}};
    double dense[N * C], whole[N * C] = {0}, most = 0;
    const gnd_node *y;
    work w;

    (void)state;
    begin(&w, "ppnp", settings);
    dense_logits(dense, &w, false);
    y = pass(&w, true, train, N_TRAIN);
    for (int64_t i = 0; i < N_TRAIN; i++)
        for (int64_t c = 0; c < C; c++) {
            whole[train[i] * C + c] = y->v[i * C + c];
            most = fmax(most, fabs(y->v[i * C + c] - dense[train[i] * C + c]));
        }
    assert_true(most > 1e-3);
    y = pass(&w, true, batch, LENGTH(batch));
    assert_ptr_equal(y->row, batch);
    check_rows(y, whole, batch, LENGTH(batch));
    check_rows(pass(&w, true, NULL, 0), dense, NULL, N);
    check_rows(pass(&w, true, stranger, LENGTH(stranger)), dense, NULL, N);
    check_rows(pass(&w, false, train, N_TRAIN), dense, train, N_TRAIN);
    end(&w);
}

/* Rows of Pi for the validation vertices, unless memory is too short for them: then the series. */
static void validation_rows_and_series_agree(void **state)
{
    static const char *const settings[][2] = {{"hidden", "9"}, {NULL, NULL}};
    static const int32_t val[] = {1, 25, 6, 9};
    const int64_t needed = LENGTH(val) * N * 4; /* bytes */

    (void)state;
    for (int k = 0; k < 6; k++) {
        const bool heat = k & 1, room = k < 2;
        double dense[N * C];
        gnd_error err = {0};
        work w;

        begin(&w, heat ? "ppnp-hk" : "ppnp", settings);
        w.in.budget = (gnd_budget){.total = room ? needed : k < 4 ? needed - 1 : 0};
        CHECK_OK(gnd_inputs_add_rows(&w.in, w.m, GND_VAL_ROWS, (gnd_row_list){val, LENGTH(val)},
                                     NULL, &err));
        assert_true((w.in.rows[GND_VAL_ROWS].own != NULL) == room);
        dense_logits(dense, &w, heat);
        check_rows(pass(&w, false, val, LENGTH(val)), dense, room ? val : NULL,
                   room ? LENGTH(val) : N);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_and_both_ways_agree),
        cmocka_unit_test(batches_drop_the_same),
        cmocka_unit_test(validation_rows_and_series_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
