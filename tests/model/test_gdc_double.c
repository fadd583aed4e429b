/* SPDX-License-Identifier: MIT
 * The logits of gdc against its formula, written out with dense matrices: the diffusion as a long
 * series, its columns sorted and cut, the loops and degrees of the network's own operator. */
#include "random_graph.h"

#include "model/model.h"

enum { N = 40, D = 6, C = 3, H = 4 };

typedef struct {
    const char *diffusion, *top, *eps, *op;
} settings;

static const settings cases[] = {
    {"ppr", "5", "1e-4", "plain"},        {"ppr", "5", "1e-4", "symmetrised"},
    {"ppr", "7", "1e-4", "transposed"},   {"ppr", "0", "2e-2", "symmetrised"},
    {"heat", "0", "1e-2", "plain"},       {"heat", "3", "1e-2", "symmetrised"},
    {"ppr", "40", "1e-4", "symmetrised"}, /* all that is there */
};

static const double teleport = 0.15, heat_time = 2.5;

/* S = g^-1/2 (B + I) g^-1/2, B = A, max(A, A^T), or A^T with the row sums of A. */
static void dense_s(double *s, const gnd_csr *adj, const char *op)
{
    static double a[N * N];
    double g[N];

    memset(a, 0, sizeof a);
    for (int64_t i = 0; i < N; i++)
        for (int64_t p = adj->ptr[i]; p < adj->ptr[i + 1]; p++)
            a[i * N + adj->col[p]] = gnd_csr_val(adj, p);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i && op[0] == 's'; j++)
            a[i * N + j] = a[j * N + i] = fmax(a[i * N + j], a[j * N + i]);
    for (int i = 0; i < N; i++) {
        a[i * N + i] += 1;
        g[i] = 0;
        for (int j = 0; j < N; j++)
            g[i] += a[i * N + j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s[i * N + j] = (op[0] == 't' ? a[j * N + i] : a[i * N + j]) / sqrt(g[i] * g[j]);
}

/* sum_k a (1-a)^k S^k, or sum_k e^-t t^k / k! S^k, until the terms vanish. */
static void dense_diffusion(double *pi, const double *s, bool heat)
{
    static double term[N * N], next[N * N];

    memset(term, 0, sizeof term);
    memset(pi, 0, sizeof term);
    for (int i = 0; i < N; i++)
        term[i * N + i] = heat ? exp(-heat_time) : teleport;
    for (int k = 1; k < 600; k++) {
        for (int e = 0; e < N * N; e++)
            pi[e] += term[e];
        memset(next, 0, sizeof next);
        for (int i = 0; i < N; i++)
            for (int m = 0; m < N; m++)
                for (int j = 0; j < N; j++)
                    next[i * N + j] +=
                        s[i * N + m] * term[m * N + j] * (heat ? heat_time / k : 1 - teleport);
        memcpy(term, next, sizeof term);
    }
}

/* Cut a column to its largest entries, or to those of eps; its sum becomes 1. */
static void cut(double *pi, int top, double eps)
{
    for (int j = 0; j < N; j++) {
        double kept[N] = {0}, sum = 0;

        for (int i = 0; i < N; i++) {
            int larger = 0;

            for (int m = 0; m < N; m++)
                larger += pi[m * N + j] > pi[i * N + j];
            if (top ? larger < top && pi[i * N + j] > 1e-14 : pi[i * N + j] >= eps)
                sum += kept[i] = pi[i * N + j];
        }
        for (int i = 0; i < N; i++)
            pi[i * N + j] = sum > 0 ? kept[i] / sum : 0;
    }
}

/* P = (D^-1/2 G' D^-1/2)^T; G' has a loop of 1 where g has none. */
static void network_operator(double *P, double *g)
{
    double d[N];

    for (int i = 0; i < N; i++) {
        if (g[i * N + i] == 0)
            g[i * N + i] = 1;
        d[i] = 0;
        for (int j = 0; j < N; j++)
            d[i] += g[i * N + j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            P[j * N + i] = g[i * N + j] / sqrt(d[i] * d[j]);
}

/* act(P x w + b);  x: [N, k], w: [k, f] */
static void layer(double *y, const double *P, const double *x, const gnd_real *w, const gnd_real *b,
                  int k, int f, bool relu)
{
    for (int i = 0; i < N; i++)
        for (int c = 0; c < f; c++) {
            double sum = b[c];

            for (int m = 0; m < N; m++)
                for (int q = 0; q < k; q++)
                    sum += P[i * N + m] * x[m * k + q] * w[q * f + c];
            y[i * f + c] = relu ? fmax(sum, 0) : sum;
        }
}

static void expected(double *logits, const gnd_model *m, const gnd_csr *x, const gnd_graph *g,
                     const settings *c)
{
    static double s[N * N], pi[N * N], P[N * N];
    const gnd_params *ps = &m->params;
    double X[N * D] = {0}, hidden[N * H];

    for (int64_t i = 0; i < N; i++)
        for (int64_t p = x->ptr[i]; p < x->ptr[i + 1]; p++)
            X[i * D + x->col[p]] = x->val[p];
    dense_s(s, &g->adj, c->op);
    dense_diffusion(pi, s, c->diffusion[0] == 'h');
    cut(pi, atoi(c->top), atof(c->eps));
    network_operator(P, pi);
    layer(hidden, P, X, ps->v + ps->p[0].at, ps->v + ps->p[1].at, D, H, true);
    layer(logits, P, hidden, ps->v + ps->p[2].at, ps->v + ps->p[3].at, H, C, false);
}

static gnd_config *config(const settings *s)
{
    const char *const pairs[][2] = {
        {"diffusion", s->diffusion}, {"top", s->top}, {"eps", s->eps}, {"operator", s->op},
        {"teleport", "0.15"},        {"time", "2.5"}, {"hidden", "4"},
    };
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, "gdc", &err));
    for (int64_t i = 0; i < LENGTH(pairs); i++)
        CHECK_OK(gnd_config_set(c, pairs[i][0], pairs[i][1], &err));
    return c;
}

static void formula(void **state)
{
    gnd_graph *g = random_graph(N, D, C);
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_config *c = config(&cases[k]);
        gnd_model *m = NULL;
        gnd_inputs in;
        gnd_tape *t = NULL;
        const gnd_node *y;
        double want[N * C];

        CHECK_OK(gnd_model_new(&m, g, c, 1, &err));
        for (int64_t i = 0; i < m->params.size; i++) /* biases start from 0 */
            m->params.v[i] += random_at(8, i) - 0.5;
        CHECK_OK(gnd_inputs_init(&in, m, g, NULL, &err));
        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        gnd_tape_reset(t, false, 0);
        y = gnd_tape_node(t, m->config.method->forward(m, &in, t));
        CHECK_OK(gnd_tape_check(t, &err));
        expected(want, m, &in.x, g, &cases[k]);
        for (int64_t i = 0; i < N * C; i++)
            CHECK_CLOSE(y->v[i], want[i], 1e-10);
        gnd_tape_free(t);
        gnd_inputs_fini(&in);
        gnd_model_free(m);
        gnd_config_free(c);
    }
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(formula)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
