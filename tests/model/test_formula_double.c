/* SPDX-License-Identifier: MIT
 * test_formula_double.c - the logits of the three GND-Nets against their formulas, written out with
 * dense matrices and loops, for each value of each setting; and how their parameters are drawn. */
#include "random_graph.h"

#include "model/model.h"

enum { N = 13, D = 6, R = 4, C = 3, K = 5, INNER = 3 };

/* Settings as the user writes them. The rest of this file reads them with its own eyes. */
typedef struct {
    const char *method, *op, *activation, *dropout_at, *dropout, *alpha;
    int first;
} settings;

static const settings cases[] = {
    {"gnd-slp", "W", "elu", "X,Z,R,L", "0.6", "learned", 1},
    {"gnd-slp", "S", "elu", "X,Z,R,L", "0.3", "learned", 0},
    {"gnd-slp", "S_transposed", "relu", "X", "0.6", "learned", 1},
    {"gnd-slp", "S_symmetrised", "tanh", "Z", "0.6", "learned", 1},
    {"gnd-slp", "W", "none", "R", "0.6", "learned", 0},
    {"gnd-slp", "W", "elu", "L", "0.6", "ppr", 1},
    {"gnd-slp", "W", "elu", "none", "0.6", "ppr", 0},
    {"gnd-slp", "W", "elu", "X,R", "0.6", "heat", 1},
    {"gnd-slp", "W", "elu", "Z,L", "0.6", "heat", 0},
    {"gnd-slp", "W", "elu", "X,Z", "0.6", "uniform", 1},
    {"gnd-slp", "W", "elu", "X,Z,R,L", "0", "simplex", 1},
    {"gnd-mlp", "W", "elu", "X,Z,R,L", "0.6", NULL, 1},
    {"gnd-mlp", "S", "relu", "Z", "0.3", NULL, 0},
    {"gnd-mlp", "S_transposed", "tanh", "R", "0.6", NULL, 1},
    {"gnd-ds", "W", "elu", "X,Z,R,L", "0.6", NULL, -1},
    {"gnd-ds", "S", "relu", "L", "0.3", NULL, -1},
    {"gnd-ds", "S_transposed", "none", "none", "0.6", NULL, -1},
};

static const double teleport = 0.3, heat_time = 1.7;

/* ---- dense matrices ---- */

static void dense(double *out, const gnd_csr *a)
{
    memset(out, 0, (size_t)(a->n_row * a->n_col) * sizeof *out);
    for (int64_t i = 0; i < a->n_row; i++)
        for (int64_t p = a->ptr[i]; p < a->ptr[i + 1]; p++)
            out[i * a->n_col + a->col[p]] = gnd_csr_val(a, p);
}

static void product(double *out, const double *a, const double *b, int n, int m, int f)
{
    double *sum = calloc((size_t)(n * f), sizeof *sum); /* out may be a or b */

    assert_non_null(sum);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < f; j++)
            for (int k = 0; k < m; k++)
                sum[i * f + j] += a[i * m + k] * b[k * f + j];
    memcpy(out, sum, (size_t)(n * f) * sizeof *sum);
    free(sum);
}

static void make_operator(double *op, const gnd_graph *g, const char *name)
{
    double a[N * N], b[N * N], sum[N] = {0};

    dense(a, &g->adj);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            b[i * N + j] = a[i * N + j];
            if (strcmp(name, "S_symmetrised") == 0)
                b[i * N + j] = fmax(a[i * N + j], a[j * N + i]);
            b[i * N + j] += i == j;
            sum[i] += b[i * N + j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (strcmp(name, "W") == 0)
                op[i * N + j] = b[i * N + j] / sum[i];
            else if (strcmp(name, "S_transposed") == 0)
                op[i * N + j] = b[j * N + i] / sqrt(sum[i] * sum[j]);
            else
                op[i * N + j] = b[i * N + j] / sqrt(sum[i] * sum[j]);
}

/* ---- the formulas ---- */

typedef struct {
    const settings *s;
    const gnd_graph *g;
    const gnd_model *m;
    gnd_tape *t;
    double op[N * N];
} work;

static const gnd_real *param(const work *w, const char *name)
{
    const int i = gnd_params_find(&w->m->params, name);

    assert_true(i >= 0);
    return w->m->params.v + w->m->params.p[i].at;
}

/* x times what dropout makes of ones at this place. */
static void drop(work *w, double *x, int n, const char *place)
{
    gnd_real one[N * D];
    gnd_var y;

    if (!strstr(w->s->dropout_at, place))
        return;
    assert_true(n <= N * D);
    for (int i = 0; i < n; i++)
        one[i] = 1;
    y = gnd_dropout(w->t, gnd_constant(w->t, one, n, 1), atof(w->s->dropout), place);
    for (int i = 0; i < n; i++)
        x[i] *= gnd_tape_node(w->t, y)->v[i];
}

/* M(X), X with rows that sum to 1: the mask goes by stored entries. */
static void features(work *w, double *x)
{
    const gnd_csr *f = &w->g->feat;
    double entry[N * D], sum[N] = {0};
    int n = 0;

    for (int i = 0; i < N; i++)
        for (int64_t p = f->ptr[i]; p < f->ptr[i + 1]; p++)
            sum[i] += f->val[p];
    for (int i = 0; i < N; i++)
        for (int64_t p = f->ptr[i]; p < f->ptr[i + 1]; p++)
            entry[n++] = f->val[p] / sum[i];
    drop(w, entry, n, "X");
    n = 0;
    memset(x, 0, N * D * sizeof *x);
    for (int i = 0; i < N; i++)
        for (int64_t p = f->ptr[i]; p < f->ptr[i + 1]; p++)
            x[i * D + f->col[p]] = entry[n++];
}

static double hop_weight(const work *w, int k)
{
    const char *how = w->s->alpha;
    const int power = w->s->first + k;
    double sum = 0;

    if (strcmp(how, "learned") == 0)
        return param(w, "alpha")[k];
    if (strcmp(how, "ppr") == 0)
        return teleport * pow(1 - teleport, power);
    if (strcmp(how, "heat") == 0)
        return exp(-heat_time) * pow(heat_time, power) / tgamma(power + 1);
    if (strcmp(how, "uniform") == 0)
        return 1.0 / K;
    for (int j = 0; j < K; j++)
        sum += exp(param(w, "alpha")[j]);
    return exp(param(w, "alpha")[k]) / sum;
}

/* P = sum_k alpha_k W^{first+k} Z, or the small network over the hops of each entry. */
static void mix_hops(const work *w, double *P, const double *Z)
{
    static double hop[K][N * R];

    memcpy(hop[0], Z, sizeof hop[0]);
    for (int i = 0; i < w->s->first; i++)
        product(hop[0], w->op, hop[0], N, N, R);
    for (int k = 1; k < K; k++)
        product(hop[k], w->op, hop[k - 1], N, N, R);
    memset(P, 0, N * R * sizeof *P);
    for (int e = 0; e < N * R; e++) {
        if (w->s->alpha) {
            for (int k = 0; k < K; k++)
                P[e] += hop_weight(w, k) * hop[k][e];
            continue;
        }
        for (int i = 0; i < INNER; i++) {
            double sum = 0;

            for (int k = 0; k < K; k++)
                sum += hop[k][e] * param(w, "U1")[k * INNER + i];
            P[e] += fmax(sum, 0) * param(w, "U2")[i];
        }
    }
}

/* P = Z - W^K relu(relu(Z U1) U2) */
static void step_system(const work *w, double *P, const double *Z)
{
    double F[N * R];

    product(F, Z, param(w, "U1"), N, R, R);
    for (int e = 0; e < N * R; e++)
        F[e] = fmax(F[e], 0);
    product(F, F, param(w, "U2"), N, R, R);
    for (int e = 0; e < N * R; e++)
        F[e] = fmax(F[e], 0);
    for (int k = 0; k < K; k++)
        product(F, w->op, F, N, N, R);
    for (int e = 0; e < N * R; e++)
        P[e] = Z[e] - F[e];
}

static double activated(const char *how, double x)
{
    if (strcmp(how, "elu") == 0)
        return x > 0 ? x : exp(x) - 1;
    if (strcmp(how, "relu") == 0)
        return fmax(x, 0);
    return strcmp(how, "tanh") == 0 ? tanh(x) : x;
}

static void logits_by_hand(work *w, double *L)
{
    double X[N * D], Z[N * R], P[N * R];

    features(w, X);
    product(Z, X, param(w, "Theta"), N, D, R);
    drop(w, Z, N * R, "Z");
    if (strcmp(w->s->method, "gnd-ds") == 0)
        step_system(w, P, Z);
    else
        mix_hops(w, P, Z);
    for (int e = 0; e < N * R; e++)
        P[e] = activated(w->s->activation, P[e] + param(w, "b")[e % R]);
    drop(w, P, N * R, "R");
    product(L, P, param(w, "Phi"), N, R, C);
    drop(w, L, N * C, "L");
    for (int e = 0; e < N * C; e++)
        L[e] += param(w, "c")[e % C];
}

static void set(gnd_config *c, const char *name, const char *value)
{
    gnd_error err = {0};

    CHECK_OK(gnd_config_set(c, name, value, &err));
}

static gnd_config *config_of(const settings *s)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, s->method, &err));
    set(c, "filters", "4");
    set(c, "hops", "5");
    set(c, "operator", s->op);
    set(c, "activation", s->activation);
    set(c, "dropout_at", s->dropout_at);
    set(c, "dropout", s->dropout);
    if (s->first >= 0)
        set(c, "first_hop", s->first ? "1" : "0");
    if (s->alpha) {
        set(c, "alpha", s->alpha);
        set(c, "teleport", "0.3");
        set(c, "time", "1.7");
    } else if (s->first >= 0)
        set(c, "inner", "3");
    return c;
}

/* A training pass, so that masks act, and the same by hand with the same masks. */
static void logits_follow_the_formula(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(cases); i++) {
        work w = {.s = &cases[i], .g = g};
        gnd_config *c = config_of(w.s);
        gnd_model *m = NULL;
        gnd_inputs in;
        gnd_var logits;
        double want[N * C];

        CHECK_OK(gnd_model_new(&m, g, c, 11, &err));
        for (int64_t k = 0; k < m->params.size; k++) /* biases too */
            m->params.v[k] += random_at(9, k) - 0.5;
        w.m = m;
        CHECK_OK(gnd_inputs_init(&in, m, g, NULL, &err));
        CHECK_OK(gnd_tape_new(&w.t, NULL, &err));
        make_operator(w.op, g, w.s->op);
        w.t->seed = 5;
        gnd_tape_reset(w.t, true, 2);
        logits = m->config.method->forward(m, &in, w.t);
        logits_by_hand(&w, want);
        CHECK_OK(gnd_tape_check(w.t, &err));
        for (int e = 0; e < N * C; e++)
            if (!(fabs(gnd_tape_node(w.t, logits)->v[e] - want[e]) < 1e-12))
                fail_msg("case %d (%s): logit %d is %.15g, by hand %.15g", (int)i, w.s->method, e,
                         gnd_tape_node(w.t, logits)->v[e], want[e]);
        gnd_tape_free(w.t);
        gnd_inputs_fini(&in);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* The bias of the forget gate and the gains. */
static void parameters_that_start_at_one(void **state)
{
    static const char *const expected[][3] = {
        {"gnd-rnn", "cell=lstm", "cf"},
        {"gnd-attn", "layers=2", "n1g_1"},
        {"gnd-attn", "layers=2", "n2g_2"},
    };
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(expected); i++) {
        const char *value = strchr(expected[i][1], '=');
        gnd_config *c = NULL;
        gnd_model *m = NULL;
        const gnd_param *p;
        char name[16];

        snprintf(name, sizeof name, "%.*s", (int)(value - expected[i][1]), expected[i][1]);
        CHECK_OK(gnd_config_new(&c, expected[i][0], &err));
        CHECK_OK(gnd_config_set(c, name, value + 1, &err));
        CHECK_OK(gnd_model_new(&m, g, c, 3, &err));
        p = &m->params.p[gnd_params_find(&m->params, expected[i][2])];
        assert_true(p->decay);
        for (int64_t k = p->at; k < p->at + p->cols; k++)
            CHECK_CLOSE(m->params.v[k], 1, 0);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

/* Parameters at the defaults, hops = 20, inner = 32, and fan-in + fan-out. */
static const struct {
    const char *method, *name;
    double fans; /* 0: zero */
} drawn[] = {
    {"gnd-slp", "Theta", D + 16},
    {"gnd-slp", "alpha", 20 + 1},
    {"gnd-slp", "b", 0},
    {"gnd-slp", "Phi", 16 + C},
    {"gnd-slp", "c", 0},
    {"gnd-mlp", "Theta", D + 64},
    {"gnd-mlp", "U1", 20 + 32},
    {"gnd-mlp", "U2", 32 + 1},
    {"gnd-mlp", "b", 0},
    {"gnd-mlp", "Phi", 64 + C},
    {"gnd-mlp", "c", 0},
    {"gnd-ds", "Theta", D + 64},
    {"gnd-ds", "U1", 64 + 64},
    {"gnd-ds", "U2", 64 + 64},
    {"gnd-ds", "b", 0},
    {"gnd-ds", "Phi", 64 + C},
    {"gnd-ds", "c", 0},
    {"gnd-rnn", "Theta", D + 16},
    {"gnd-rnn", "Uu", 16 + 16},
    {"gnd-rnn", "Vg", 16 + 16},
    {"gnd-rnn", "cs", 0},
    {"gnd-rnn", "Phi", 16 + C},
    {"gnd-attn", "Theta", D + 16},
    {"gnd-attn", "e", 20 + 16},
    {"gnd-attn", "Wq_1", 16 + 16},
    {"gnd-attn", "Wo_1", 16 + 16},
    {"gnd-attn", "F1_1", 16 + 32},
    {"gnd-attn", "F2_1", 32 + 16},
    {"gnd-attn", "f1_1", 0},
    {"gnd-attn", "n2b_1", 0},
    {"gnd-attn", "q", 16 + 1},
    {"gnd-attn", "Phi", 16 + C},
};

/* Every parameter of every variant at its defaults: uniform within sqrt(6 / (fan-in + fan-out)),
 * biases zero, and the L2 term on all of them. */
static void parameters_as_the_authors_draw_them(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(drawn); i++) {
        const double s = drawn[i].fans > 0 ? sqrt(6 / drawn[i].fans) : 0;
        double low = 0, high = 0;
        gnd_config *c = NULL;

        CHECK_OK(gnd_config_new(&c, drawn[i].method, &err));
        for (uint64_t seed = 0; seed < 50; seed++) { /* alpha has 20 values only */
            gnd_model *m = NULL;
            const gnd_param *p;

            CHECK_OK(gnd_model_new(&m, g, c, seed, &err));
            p = &m->params.p[gnd_params_find(&m->params, drawn[i].name)];
            assert_true(p->decay);
            for (int64_t k = p->at; k < p->at + p->rows * p->cols; k++) {
                low = fmin(low, m->params.v[k]);
                high = fmax(high, m->params.v[k]);
            }
            gnd_model_free(m);
        }
        if (low < -s || low > -0.98 * s || high > s || high < 0.98 * s)
            fail_msg("%s %s: within %g and %g; expected -+%g", drawn[i].method, drawn[i].name, low,
                     high, s);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_follow_the_formula),
        cmocka_unit_test(parameters_that_start_at_one),
        cmocka_unit_test(parameters_as_the_authors_draw_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
