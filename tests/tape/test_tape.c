/* SPDX-License-Identifier: MIT
 * test_tape.c - sticky errors, dropout's law, and the same bits for any number of threads and any
 * table. */
#include "pass.h"
#include "tape/op.h"

static gnd_tape *tape(gnd_pool *pool)
{
    gnd_error err = {0};
    gnd_tape *t;

    CHECK_OK(gnd_tape_new(&t, pool, &err));
    return t;
}

static void errors_stick(void **state)
{
    gnd_real v[60 * 7] = {0};
    gnd_error err = {0};
    gnd_tape *t = tape(NULL);
    gnd_var y;

    (void)state;
    y = gnd_matmul(t, gnd_constant(t, v, 60, 7), gnd_constant(t, v, 8, 16));
    assert_true(y.i < 0);
    y = gnd_relu(t, gnd_add(t, y, y)); /* harmless, and not what is reported */
    y = gnd_cross_entropy(t, gnd_dropout(t, y, 7, "H"), NULL, NULL, 3);
    gnd_tape_backward(t, y);
    assert_true(y.i < 0);
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "matmul: [60,7] x [8,16]");
    gnd_tape_reset(t, false, 0);
    CHECK_OK(gnd_tape_check(t, &err));
    y = gnd_matmul(t, gnd_constant(t, v, 6, 7), gnd_constant(t, v, 7, 4));
    assert_true(y.i >= 0);
    CHECK_OK(gnd_tape_check(t, &err));
    gnd_tape_free(t);
}

/* A product with what dropout leaves of a sparse matrix, at once or after storing it. Some rows are
 * longer than what is packed at a time, some are empty. */
static void drop_and_multiply(gnd_real *y, gnd_real *g, gnd_real *w, const gnd_csr *x,
                              gnd_pool *pool, bool at_once)
{
    gnd_error err = {0};
    gnd_tape *t = tape(pool);
    gnd_var ws, out;

    gnd_tape_reset(t, true, 4);
    ws = gnd_parameter(t, w, g, x->n_col, 17);
    out = at_once ? gnd_drop_matmul(t, gnd_sparse(t, x), 0.3, "X", ws)
                  : gnd_matmul(t, gnd_dropout(t, gnd_sparse(t, x), 0.3, "X"), ws);
    gnd_tape_backward(t, gnd_mean_square(t, out, 1));
    CHECK_OK(gnd_tape_check(t, &err));
    memcpy(y, gnd_tape_node(t, out)->v, (size_t)(x->n_row * 17) * sizeof *y);
    gnd_tape_free(t);
}

static void dropping_products_agree(void **state)
{
    enum { ROWS = 2000, COLS = 5000, SIZE = COLS * 17 }; /* enough for sums by blocks */
    gnd_pool *pool = gnd_pool_new(2);
    gnd_real *w = gnd_alloc(SIZE, sizeof *w);
    gnd_error err = {0};
    gnd_csr x = {0};

    (void)state;
    CHECK_OK(gnd_csr_init(&x, ROWS, COLS, ROWS / 20 * COLS + ROWS * 20, true, &err));
    for (int64_t i = 0; i < ROWS; i++) {
        const int64_t n = i % 20 == 1 ? COLS : i % 7 == 0 ? 0 : 20;

        x.ptr[i + 1] = x.ptr[i] + n;
        for (int64_t p = x.ptr[i]; p < x.ptr[i + 1]; p++) {
            x.col[p] = (int32_t)((p - x.ptr[i]) * (n == COLS ? 1 : 211));
            x.val[p] = (gnd_real)((double)(gnd_hash_at(1, (uint64_t)p) >> 40) * 0x1p-24 - 0.5);
        }
    }
    for (int64_t k = 0; k < SIZE; k++)
        w[k] = (gnd_real)((double)(gnd_hash_at(2, (uint64_t)k) >> 40) * 0x1p-24 - 0.5);
    for (int values = 0; values < 2; values++) {
        gnd_csr mine = x;
        gnd_real *y[2], *g[2];

        mine.val = values ? x.val : NULL;
        for (int way = 0; way < 2; way++) {
            y[way] = gnd_alloc(ROWS * 17, sizeof *y[way]);
            g[way] = gnd_alloc(SIZE, sizeof *g[way]);
            drop_and_multiply(y[way], g[way], w, &mine, way ? pool : NULL, way);
        }
        assert_memory_equal(y[0], y[1], ROWS * 17 * sizeof *y[0]);
        for (int64_t k = 0; k < SIZE; k++) /* sums by blocks of rows, of other sizes */
            CHECK_CLOSE((double)g[1][k], (double)g[0][k], 1e-6);
        for (int way = 0; way < 2; way++) {
            gnd_free(y[way]);
            gnd_free(g[way]);
        }
    }
    gnd_free(w);
    gnd_csr_fini(&x);
    gnd_pool_free(pool);
}

/* Sparse rows of 9 entries; every fifth is empty. */
static gnd_csr short_rows(int64_t rows, int64_t cols)
{
    gnd_error err = {0};
    gnd_csr x = {0};

    CHECK_OK(gnd_csr_init(&x, rows, cols, rows * 9, true, &err));
    for (int64_t i = 0; i < rows; i++) {
        x.ptr[i + 1] = x.ptr[i] + (i % 5 == 3 ? 0 : 9);
        for (int64_t p = x.ptr[i]; p < x.ptr[i + 1]; p++) {
            x.col[p] = (int32_t)((p - x.ptr[i]) * (cols / 9) + i % (cols / 9));
            x.val[p] = (gnd_real)((double)(gnd_hash_at(1, (uint64_t)p) >> 40) * 0x1p-24 - 0.5);
        }
    }
    return x;
}

enum { HIDDEN = 24, OUTPUT = 6, LAYER_ROWS = 40000, LAYER_COLS = 90 };

typedef struct {
    gnd_real w1[LAYER_COLS * HIDDEN], w2[HIDDEN * OUTPUT];
} layers;

/* A hidden layer by separate ops, or at once with and without memory to store it. */
static void layer_run(gnd_real *y, layers *g, layers *w, const gnd_csr *x, gnd_pool *pool, int way)
{
    gnd_error err = {0};
    gnd_tape *t = tape(pool);
    gnd_var w1, w2, xs, out;

    memset(g, 0, sizeof *g);
    gnd_tape_reset(t, true, 4);
    t->budget.total = way == 2 ? 1 << 30 : 0;
    w1 = gnd_parameter(t, w->w1, g->w1, LAYER_COLS, HIDDEN);
    w2 = gnd_parameter(t, w->w2, g->w2, HIDDEN, OUTPUT);
    xs = gnd_dropout(t, gnd_sparse(t, x), 0.5, "X");
    out = way ? gnd_hidden_layer(t, xs, w1, 0.3, "H", w2)
              : gnd_matmul(t, gnd_dropout(t, gnd_relu(t, gnd_matmul(t, xs, w1)), 0.3, "H"), w2);
    gnd_tape_backward(t, gnd_mean_square(t, out, 1));
    CHECK_OK(gnd_tape_check(t, &err));
    memcpy(y, gnd_tape_node(t, out)->v, (size_t)(x->n_row * OUTPUT) * sizeof *y);
    gnd_tape_free(t);
}

static void hidden_layers_agree(void **state)
{
    gnd_pool *pool = gnd_pool_new(2);
    gnd_csr x = short_rows(LAYER_ROWS, LAYER_COLS); /* enough for sums by blocks */
    gnd_real *y[2];
    layers w, g[2];

    (void)state;
    for (size_t k = 0; k < sizeof w / sizeof w.w1[0]; k++)
        ((gnd_real *)&w)[k] =
            (gnd_real)((double)(gnd_hash_at(2, (uint64_t)k) >> 40) * 0x1p-24 - 0.5);
    for (int k = 0; k < 2; k++)
        y[k] = gnd_alloc(LAYER_ROWS * OUTPUT, sizeof *y[k]);
    layer_run(y[0], &g[0], &w, &x, NULL, 0);
    for (int way = 1; way < 5; way++) {
        layer_run(y[1], &g[1], &w, &x, way > 2 ? pool : NULL, (way - 1) % 2 + 1);
        assert_memory_equal(y[0], y[1], LAYER_ROWS * OUTPUT * sizeof *y[0]);
        for (size_t k = 0; k < sizeof w / sizeof w.w1[0]; k++) /* 0 and -0 are equal */
            assert_true(((gnd_real *)&g[0])[k] == ((gnd_real *)&g[1])[k]);
    }
    for (int k = 0; k < 2; k++)
        gnd_free(y[k]);
    gnd_csr_fini(&x);
    gnd_pool_free(pool);
}

/* A step of a walk on links that drop out, row 0 longer than what is packed at a time, against a
 * plain loop over the same masks. p = 1/4: the law of gnd_drop_law. */
static void walk_by_runs(void **state)
{
    enum { WALK = 3000, F = 5 };
    static const double p = 0.25, restart = 0.2;
    static const int32_t some[] = {7, 0, 2999};
    static gnd_real z[WALK * F], dz[WALK * F], want[WALK * F], grad[2][WALK * F];
    gnd_csr a = short_rows(WALK, WALK), full = {0}, at = {0};
    gnd_error err = {0};
    gnd_tape *t = tape(NULL);

    (void)state;
    CHECK_OK(gnd_csr_init(&full, WALK, WALK, gnd_csr_nnz(&a) + WALK, false, &err));
    for (int64_t i = 0, q = 0; i < WALK; i++) {
        for (int32_t j = 0; i == 0 && j < WALK; j++)
            full.col[q++] = j;
        for (int64_t e = a.ptr[i]; i > 0 && e < a.ptr[i + 1]; e++)
            full.col[q++] = a.col[e];
        full.ptr[i + 1] = q;
    }
    CHECK_OK(gnd_csr_transpose(&at, &full, &err));
    for (int64_t k = 0; k < WALK * F; k++)
        z[k] = (gnd_real)((double)(gnd_hash_at(3, (uint64_t)k) >> 40) * 0x1p-24 - 0.5);
    for (int narrow = 0; narrow < 2; narrow++) { /* all rows, some rows */
        gnd_var y;

        memset(dz, 0, sizeof dz);
        gnd_tape_reset(t, true, 4);
        if (narrow)
            gnd_tape_request(t, some, LENGTH(some));
        y = gnd_restart(t, &full, &at, gnd_parameter(t, z, dz, WALK, F),
                        &(gnd_restart_walk){1, restart, p, "S"});
        CHECK_OK(gnd_tape_check(t, &err));
        if (!narrow) {
            const gnd_drop_law law = {gnd_mix64(gnd_mask_key(t, "S") + 1), (uint32_t)(p * 0x1p32)};

            for (int64_t k = 0; k < WALK * F; k++)
                want[k] = (gnd_real)restart * z[k];
            for (int64_t i = 0; i < WALK; i++)
                for (int64_t e = full.ptr[i]; e < full.ptr[i + 1]; e++)
                    for (int64_t c = 0; gnd_kern_ref.kept(&law, e, 1) && c < F; c++)
                        want[i * F + c] +=
                            (gnd_real)((1 - restart) / (1 - p)) * z[full.col[e] * F + c];
        }
        for (int64_t k = 0; k < gnd_tape_node(t, y)->rows * F; k++)
            CHECK_CLOSE((double)gnd_tape_node(t, y)->v[k],
                        (double)want[narrow ? some[k / F] * F + k % F : k], 1e-5);
        if (!narrow)
            y = gnd_rows(t, y, some, LENGTH(some));
        gnd_tape_backward(t, gnd_mean_square(t, y, 1));
        CHECK_OK(gnd_tape_check(t, &err));
        memcpy(grad[narrow], dz, sizeof dz);
    }
    for (int64_t k = 0; k < WALK * F; k++)
        CHECK_CLOSE((double)grad[1][k], (double)grad[0][k], 1e-6);
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_csr_fini(&full);
    gnd_tape_free(t);
}

/* Each constructor says what is wrong with what it got. */
static void mistakes(void **state)
{
    static const int32_t label[4] = {0, 1, 2, 9}, rows[3] = {0, 1, 3}, far[1] = {4};
    gnd_real v[16] = {0};
    gnd_error err = {0};
    gnd_tape *t = tape(NULL);
    gnd_csr a = {0}, at = {0};

    (void)state;
    CHECK_OK(gnd_csr_init(&a, 3, 3, 0, true, &err));
    CHECK_OK(gnd_csr_init(&at, 3, 2, 0, true, &err));
#define MISTAKE(code, text, expr)                                                                  \
    do {                                                                                           \
        gnd_tape_reset(t, true, 0);                                                                \
        const gnd_var x = gnd_constant(t, v, 4, 3), b = gnd_constant(t, v, 1, 3);                  \
        const gnd_var s = gnd_sparse(t, &a);                                                       \
        (void)x, (void)b, (void)s;                                                                 \
        assert_true((expr).i < 0);                                                                 \
        CHECK_FAILS(gnd_tape_check(t, &err), code, text);                                          \
    } while (0)
    MISTAKE(GND_ERR_SHAPE, "add: [4,3] and [1,3]", gnd_add(t, x, b));
    MISTAKE(GND_ERR_SHAPE, "sub: [4,3] and [1,3]", gnd_sub(t, x, b));
    MISTAKE(GND_ERR_SHAPE, "add_bias: [1,3] + [4,3]", gnd_add_bias(t, b, x));
    MISTAKE(GND_ERR_SHAPE, "relu: takes no sparse", gnd_relu(t, s));
    MISTAKE(GND_ERR_SHAPE, "matmul: takes no sparse", gnd_matmul(t, x, s));
    MISTAKE(GND_ERR_SHAPE, "hidden_layer: [3,3] x [4,3] x [1,3]",
            gnd_hidden_layer(t, s, x, 0, "H", b));
    MISTAKE(GND_ERR_ARG, "hidden_layer H: a rate of 1", gnd_hidden_layer(t, s, x, 1, "H", b));
    MISTAKE(GND_ERR_SHAPE, "spmm: [3,3] x [4,3]", gnd_spmm(t, &a, &a, x));
    MISTAKE(GND_ERR_SHAPE, "transpose", gnd_power(t, &a, &at, gnd_constant(t, v, 3, 1), 2));
    MISTAKE(GND_ERR_ARG, "power: a power of -1",
            gnd_power(t, &a, &a, gnd_constant(t, v, 3, 1), -1));
    MISTAKE(GND_ERR_ARG, "propagate: 0 terms",
            gnd_propagate(t, &a, &a, &(gnd_series){.n = 0}, gnd_constant(t, v, 3, 1)));
    MISTAKE(GND_ERR_SHAPE, "cheby_sum: 4 columns in 3 blocks",
            gnd_cheby_sum(t, &a, &a, gnd_constant(t, v, 3, 4), 2));
    MISTAKE(GND_ERR_ARG, "cheby_sum: a power of -1",
            gnd_cheby_sum(t, &a, &a, gnd_constant(t, v, 3, 4), -1));
    MISTAKE(GND_ERR_SHAPE, "hop weights [4,3]",
            gnd_diffuse(t, &a, &a, x, gnd_constant(t, v, 3, 1), 0));
    MISTAKE(GND_ERR_SHAPE, "hop_mlp: [4,3] and [1,3]",
            gnd_hop_mlp(t, &(gnd_hops){&a, &a, 0}, x, b, gnd_constant(t, v, 3, 1)));
    MISTAKE(GND_ERR_ARG, "dropout H: a rate of 1;", gnd_dropout(t, x, 1, "H"));
    MISTAKE(GND_ERR_ARG, "dropout H: a rate of -0.5;", gnd_dropout(t, x, -0.5, "H"));
    MISTAKE(GND_ERR_ARG, "dropout H: a rate of nan;", gnd_dropout(t, x, (double)NAN, "H"));
    MISTAKE(GND_ERR_ARG, "no rows", gnd_cross_entropy(t, x, label, rows, 0));
    MISTAKE(GND_ERR_SHAPE, "row 3 or its label", gnd_cross_entropy(t, x, label, rows, 3));
    MISTAKE(GND_ERR_SHAPE, "row 4 or its label", gnd_cross_entropy(t, x, label, far, 1));
#undef MISTAKE
    gnd_tape_reset(t, true, 0);
    gnd_tape_backward(t, gnd_constant(t, v, 4, 3));
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "backward: [4,3]; expected [1,1]");
    gnd_csr_fini(&a);
    gnd_csr_fini(&at);
    gnd_tape_free(t);
}

/* In evaluation nothing is dropped and nothing keeps a gradient. */
static void evaluation(void **state)
{
    gnd_tape *t = tape(NULL);
    pass s;
    gnd_real with, without;

    (void)state;
    pass_init(&s);
    with = pass_loss(t, &s, false, 0);
    for (int32_t i = 0; i < t->n_node; i++)
        assert_null(t->node[i].g);
    assert_true(with == pass_loss(t, &s, false, 9));
    assert_true(with != pass_loss(t, &s, true, 0));
    s.p = 0;
    without = pass_loss(t, &s, true, 0);
    assert_true(with == without);
    pass_fini(&s);
    gnd_tape_free(t);
}

/* What the ones in x became, as 0/1, and that kept ones are 1 / (1 - p). */
static void kept(unsigned char *keep, gnd_tape *t, int64_t n, double p, const char *place)
{
    gnd_real *x = gnd_alloc(n, sizeof *x);
    gnd_node *y;

    for (int64_t i = 0; i < n; i++)
        x[i] = 1;
    y = gnd_tape_node(t, gnd_dropout(t, gnd_constant(t, x, n, 1), p, place));
    for (int64_t i = 0; i < n; i++) {
        keep[i] = y->v[i] != 0;
        CHECK_CLOSE(y->v[i], keep[i] ? 1 / (1 - p) : 0, 1e-6 / (1 - p));
    }
    gnd_free(x);
}

/* Correlation of two masks with keep rate q, in standard deviations. */
static double alike(const unsigned char *a, const unsigned char *b, int64_t n, double q)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (a[i] - q) * (b[i] - q) / (q * (1 - q));
    return fabs(sum) / sqrt((double)n);
}

static void dropout_law(void **state)
{
    enum { n = 200001 };
    const double rate[] = {0.1, 0.5, 0.6, 0.97};
    unsigned char *m[5];
    gnd_tape *t = tape(NULL);

    (void)state;
    for (int k = 0; k < 5; k++)
        m[k] = gnd_alloc(n, 1);
    for (int64_t r = 0; r < LENGTH(rate); r++) {
        const double q = 1 - rate[r];
        double share = 0;

        t->seed = 1;
        gnd_tape_reset(t, true, 4);
        kept(m[0], t, n, rate[r], "X");
        kept(m[4], t, n, rate[r], "X");
        kept(m[1], t, n, rate[r], "H"); /* another place */
        gnd_tape_reset(t, true, 5);     /* another epoch */
        kept(m[2], t, n, rate[r], "X");
        gnd_tape_reset(t, true, 4);
        t->seed = 2; /* another seed */
        kept(m[3], t, n, rate[r], "X");
        assert_memory_equal(m[0], m[4], n);
        for (int64_t i = 0; i < n; i++)
            share += m[0][i];
        CHECK_CLOSE(share / n, q, 5 * sqrt(q * (1 - q) / n));
        for (int k = 1; k < 4; k++)
            assert_true(alike(m[0], m[k], n, q) < 5);
        assert_true(alike(m[0], m[0] + 1, n - 1, q) < 5); /* neighbours: halves of one hash */
    }
    for (int k = 0; k < 5; k++)
        gnd_free(m[k]);
    gnd_tape_free(t);
}

/* Sparse: the kept entries in order, scaled, and the same ones a dense mask of as many elements
 * keeps. */
static void dropout_sparse(void **state)
{
    gnd_tape *t = tape(NULL);
    unsigned char *keep;
    const gnd_csr *y;
    int64_t nnz, q = 0;
    gnd_error err = {0};
    pass s;

    (void)state;
    pass_init(&s);
    nnz = gnd_csr_nnz(&s.x);
    assert_true(nnz > 2 * 65536); /* several blocks */
    keep = gnd_alloc(nnz, 1);
    gnd_tape_reset(t, true, 1);
    kept(keep, t, nnz, 0.6, "X");
    y = gnd_tape_node(t, gnd_dropout(t, gnd_sparse(t, &s.x), 0.6, "X"))->sp;
    CHECK_OK(gnd_csr_check(y, "what is left", &err));
    assert_int_equal(y->n_row, P_N);
    assert_int_equal(y->n_col, P_D);
    for (int64_t i = 0; i < P_N; i++) {
        for (int64_t p = s.x.ptr[i]; p < s.x.ptr[i + 1]; p++)
            if (keep[p]) {
                assert_int_equal(y->col[q], s.x.col[p]);
                CHECK_CLOSE(y->val[q], (double)s.x.val[p] / 0.4, 1e-6);
                q++;
            }
        assert_int_equal(y->ptr[i + 1], q);
    }
    gnd_free(keep);
    pass_fini(&s);
    gnd_tape_free(t);
}

static void masks_given(void **state)
{
    static const unsigned char dense[6] = {1, 0, 0, 1, 1, 0}, entry[3] = {0, 1, 0};
    const gnd_mask mask[] = {{"H", dense, 6, 0.75}, {"X", entry, 3, 0.5}};
    gnd_real v[6] = {1, 2, 3, 4, 5, 6};
    gnd_error err = {0};
    gnd_tape *t = tape(NULL);
    const gnd_csr *y;
    gnd_csr x;
    gnd_var h;

    (void)state;
    CHECK_OK(gnd_csr_init(&x, 4, 2, 3, false, &err));
    memcpy(x.ptr, (int64_t[]){0, 1, 1, 3, 3}, sizeof(int64_t[5]));
    x.col[2] = 1;
    t->mask = mask;
    t->n_mask = 2;
    gnd_tape_reset(t, true, 0);
    h = gnd_dropout(t, gnd_constant(t, v, 2, 3), 0.1, "H"); /* the mask's own rate counts */
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(gnd_tape_node(t, h)->v[i], dense[i] ? 4 * (i + 1) : 0, 0);
    y = gnd_tape_node(t, gnd_dropout(t, gnd_sparse(t, &x), 0.75, "X"))->sp;
    assert_memory_equal(y->ptr, ((int64_t[]){0, 0, 0, 1, 1}), sizeof(int64_t[5]));
    assert_int_equal(y->col[0], 0);
    CHECK_CLOSE(y->val[0], 2, 0);
    h = gnd_constant(t, v, 2, 3);
    assert_int_equal(gnd_dropout(t, h, 0.75, "Z").i, h.i); /* no mask for it: nothing drops */
    gnd_dropout(t, gnd_constant(t, v, 5, 1), 0.75, "H");
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "given mask has 6 elements, not 5");
    gnd_csr_fini(&x);
    gnd_tape_free(t);
}

/* A value used twice gets both shares; a parameter's gradient is added to what is there. */
static void gradients_add(void **state)
{
    gnd_real x = 3, g = 100;
    gnd_tape *t = tape(NULL);

    (void)state;
    gnd_tape_reset(t, true, 0);
    gnd_var v = gnd_parameter(t, &x, &g, 1, 1);

    gnd_tape_backward(t, gnd_add(t, gnd_matmul(t, v, v), v)); /* x^2 + x */
    CHECK_CLOSE(g, 100 + 7, 0);
    gnd_tape_free(t);
}

/* Loss and gradients of a training pass; the caller frees. */
static gnd_real *outcome(pass *s, int threads, const gnd_kern *kern, gnd_real *loss)
{
    gnd_pool *pool = threads > 1 ? gnd_pool_new(threads) : NULL;
    gnd_real *g = gnd_alloc(s->ps.size, sizeof *g);
    gnd_tape *t = tape(pool);

    t->kern = kern;
    t->seed = 8;
    *loss = pass_loss(t, s, true, 2);
    memcpy(g, s->ps.g, (size_t)s->ps.size * sizeof *g);
    gnd_tape_free(t);
    gnd_pool_free(pool);
    return g;
}

static void same_bits(void **state)
{
    const int threads[] = {1, 2, 7, 7};
    gnd_real *first, loss, again;
    pass s;

    (void)state;
    setenv("GND_PARALLEL_MIN", "0", 1);
    pass_init(&s);
    first = outcome(&s, 1, &gnd_kern_ref, &loss);
    assert_true(isfinite((double)loss));
    for (int k = 0; gnd_kern_at(k); k++)
        for (int64_t i = 0; i < LENGTH(threads); i++) {
            gnd_real *g = outcome(&s, threads[i], gnd_kern_at(k), &again);

            assert_memory_equal(&loss, &again, sizeof loss);
            assert_memory_equal(first, g, (size_t)s.ps.size * sizeof *g);
            gnd_free(g);
        }
    for (int32_t i = 0; i < s.ps.n; i++) { /* each parameter has a gradient to compare */
        double sum = 0;

        for (int64_t k = 0; k < s.ps.p[i].rows * s.ps.p[i].cols; k++)
            sum += fabs((double)first[s.ps.p[i].at + k]);
        assert_true(sum > 0);
    }
    gnd_free(first);
    pass_fini(&s);
}

/* Of rows 0, 1, .. of a matrix a process has some: what dropout keeps of them is the same. */
static void dropout_in_a_part(void **state)
{
    enum { WHOLE = 300, HERE = 170, COLS = 7 };
    static gnd_real x[WHOLE * COLS], mine[HERE * COLS];
    static int32_t global[HERE], some[HERE], col[3 * WHOLE];
    static int64_t ptr[WHOLE + 1], part_ptr[HERE + 1], start[HERE];
    gnd_csr sp = {.n_row = WHOLE, .n_col = 3, .ptr = ptr, .col = col}, here = {0};
    gnd_part part = {.n_global = WHOLE, .n_local = HERE, .global = global};
    gnd_error err = {0};
    gnd_tape *a = tape(NULL), *b = tape(NULL);
    const gnd_node *want, *got;

    (void)state;
    for (int i = 0; i < WHOLE * COLS; i++)
        x[i] = (gnd_real)(i + 1);
    for (int i = 0; i < WHOLE; i++) { /* rows of 0 to 3 entries */
        ptr[i + 1] = ptr[i] + i % 4;
        for (int64_t k = 0; k < i % 4; k++)
            col[ptr[i] + k] = (int32_t)k;
    }
    for (int i = 0; i < HERE; i++) {
        global[i] = i + i / 2;
        some[i] = HERE - 1 - i;
        start[i] = ptr[global[i]];
        part_ptr[i + 1] = part_ptr[i] + global[i] % 4;
        memcpy(mine + i * COLS, x + global[i] * COLS, COLS * sizeof *x);
    }
    here = (gnd_csr){.n_row = HERE, .n_col = 3, .ptr = part_ptr, .col = col, .start = start};
    gnd_tape_reset(a, true, 3);
    gnd_tape_reset(b, true, 3);
    b->part = &part;
    want = gnd_tape_node(a, gnd_dropout(a, gnd_constant(a, x, WHOLE, COLS), 0.4, "H"));
    got = gnd_tape_node(b, gnd_dropout(b, gnd_constant(b, mine, HERE, COLS), 0.4, "H"));
    for (int i = 0; i < HERE; i++)
        assert_memory_equal(got->v + i * COLS, want->v + global[i] * COLS, COLS * sizeof *x);
    got = gnd_tape_node(
        b, gnd_dropout(b, gnd_rows(b, gnd_constant(b, mine, HERE, COLS), some, HERE), 0.4, "H"));
    for (int i = 0; i < HERE; i++)
        assert_memory_equal(got->v + i * COLS, want->v + global[some[i]] * COLS, COLS * sizeof *x);
    want = gnd_tape_node(a, gnd_dropout(a, gnd_sparse(a, &sp), 0.4, "X"));
    got = gnd_tape_node(b, gnd_dropout(b, gnd_sparse(b, &here), 0.4, "X"));
    for (int i = 0; i < HERE; i++)
        assert_true(got->sp->ptr[i + 1] - got->sp->ptr[i] ==
                    want->sp->ptr[global[i] + 1] - want->sp->ptr[global[i]]);
    CHECK_OK(gnd_tape_check(a, &err));
    CHECK_OK(gnd_tape_check(b, &err));
    gnd_tape_free(a);
    gnd_tape_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stick),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(dropping_products_agree),
        cmocka_unit_test(hidden_layers_agree),
        cmocka_unit_test(walk_by_runs),
        cmocka_unit_test(evaluation),
        cmocka_unit_test(dropout_law),
        cmocka_unit_test(dropout_sparse),
        cmocka_unit_test(dropout_in_a_part),
        cmocka_unit_test(masks_given),
        cmocka_unit_test(gradients_add),
        cmocka_unit_test(same_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
