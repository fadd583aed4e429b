/* SPDX-License-Identifier: MIT
 * wvgn.c - weighted-vote geometric neighbour classifier: one-against-rest linear classifiers on the
 * heat-kernel vectors of the vertices.
 *
 *     x_v = (sum_{i>=1} t^i/i! P^i) P_v^T,  P = D^-1 A without loops;   per class:
 *     min_w  lam |w (.) l|^2 + 1/|T| sum_{v in T} c_v max(0, 1 - y_v (w.x_v + b))^2
 *     l_j = deg_j^-1/2, 1 for b;  c_v = #neg/#pos for positive v, else 1
 *     x_v: [n]   w: [n, C]   b, slope, offset: [1, C]
 *     class of v: the largest sigmoid(slope (w.x_v + b) + offset)
 *
 * T: training vertices. Ye, Zhou, Mautz, Plant and Boehm, KDD 2017; the graph is made undirected.
 * The objective is convex, so the authors' random start, gradient steps and coordinate descent are
 * replaced by Newton steps with their halving line search, in the span of the training vectors,
 * which contains the minimum: w_j = sum_v beta_v x_vj / l_j^2. The series is summed to full
 * precision; the authors truncate it, at a different term for each vertex. Calibration is Platt's;
 * its smoothed targets keep it finite on separable classes. It is omitted if a class has fewer than
 * two training vertices.
 *
 * No n x n matrix is formed: each x_v of a training vertex needs about 25 products with P; X w is
 * P (e^{t P^T} - I) w. Memory |T| (n + |T|), Newton steps |T|^3: for few labels. */
#include "wvgn.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { TIME, LAM, CALIBRATION };
enum { PLATT, NONE };

static const gnd_hparam hparams[] = {
    [TIME] = GND_HP_REAL("time", 5, 0.01, 100,
                         "t: diffusion time; larger values reach more distant vertices"),
    [LAM] = GND_HP_REAL("lam", 0.0156, 1e-9, 1e6, "lam: factor of the penalty on w"),
    [CALIBRATION] = GND_HP_CHOICE("calibration", PLATT, "platt|none",
                                  "platt: Platt scaling of the decision values on the training "
                                  "vertices; none: their plain sigmoid"),
    GND_HP_END,
};

static gnd_status init(gnd_model *m, gnd_error *err)
{
    const int64_t C = gnd_n_class(m);
    gnd_status st = GND_OK;

    GND_TRY(gnd_param_add(&m->params, "w", m->n_feat, C, GND_INIT_ZERO, err));
    GND_TRY(gnd_param_add(&m->params, "b", 1, C, GND_INIT_ZERO, err));
    GND_TRY(gnd_param_add(&m->params, "slope", 1, C, GND_INIT_ZERO, err));
    GND_TRY(gnd_param_add(&m->params, "offset", 1, C, GND_INIT_ZERO, err));
out:
    return st;
}

static gnd_real *param(const gnd_model *m, int i)
{
    return m->params.v + m->params.p[i].at;
}

/* ---- inputs ---- */

static void release(gnd_inputs *in)
{
    gnd_wvgn *own = in->own;

    gnd_series_fini(&own->series);
    gnd_free(own->root);
    gnd_free(own);
    in->own = NULL;
}

/* Square roots of the degrees in the undirected graph without loops; 1 for degree 0. */
static gnd_status roots(gnd_real *root, const gnd_csr *adj, gnd_error *err)
{
    gnd_csr both = {0};
    gnd_status st;

    GND_TRY(gnd_csr_symmetrise(&both, adj, err));
    for (int64_t i = 0; i < both.n_row; i++) {
        double deg = 0;

        for (int64_t p = both.ptr[i]; p < both.ptr[i + 1]; p++)
            deg += both.col[p] == i ? 0 : (double)gnd_csr_val(&both, p);
        root[i] = (gnd_real)(deg > 0 ? sqrt(deg) : 1);
    }
out:
    gnd_csr_fini(&both);
    return st;
}

static gnd_status prepare(gnd_inputs *in, const gnd_model *m, const gnd_graph *g, gnd_pool *pool,
                          gnd_error *err)
{
    const double time = gnd_hp_real(m, TIME), whole = exp(time);
    gnd_wvgn *own = gnd_alloc(1, sizeof *own);
    gnd_status st = GND_OK;

    in->own = own; /* freed by release, also after a failure */
    if (own)
        own->root = gnd_alloc(g->n_node, sizeof *own->root);
    if (!own || !own->root)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    GND_TRY(gnd_operator_init_in(&in->op, GND_OP_DINVA, &g->adj, pool, err));
    GND_TRY(roots(own->root, &g->adj, err));
    GND_TRY(gnd_series_heat(&own->series, time, 0, err));
    for (int64_t k = 0; k < own->series.n; k++)
        own->series.c[k] *= k > 0 ? whole : 0;
out:
    return st;
}

/* ---- vectors of vertices ---- */

enum { BLOCK = 64 }; /* vertices per call of the series */

/* x_v of at most BLOCK vertices; from, to: work space [n, BLOCK]. */
static gnd_status rows_block(gnd_real *x, gnd_real *from, gnd_real *to, const gnd_inputs *in,
                             const int32_t *rows, int64_t n_rows, gnd_pool *pool, gnd_error *err)
{
    const gnd_wvgn *own = in->own;
    const gnd_csr *P = &in->op.a;
    gnd_status st;

    memset(from, 0, (size_t)(in->n_node * n_rows) * sizeof *from);
    for (int64_t r = 0; r < n_rows; r++)
        for (int64_t p = P->ptr[rows[r]]; p < P->ptr[rows[r] + 1]; p++)
            from[P->col[p] * n_rows + r] = gnd_csr_val(P, p);
    st = gnd_series_apply(to, &(gnd_series_product){P, &own->series, from, n_rows}, pool, err);
    for (int64_t j = 0; st == GND_OK && j < in->n_node; j++)
        for (int64_t r = 0; r < n_rows; r++)
            x[r * in->n_node + j] = to[j * n_rows + r];
    return st;
}

gnd_status gnd_wvgn_rows(gnd_real *x, const gnd_inputs *in, const int32_t *rows, int64_t n_rows,
                         gnd_pool *pool, gnd_error *err)
{
    const int64_t n = in->n_node, width = n_rows < BLOCK ? n_rows : BLOCK;
    gnd_real *from = gnd_alloc(n * width, sizeof *from), *to = gnd_alloc(n * width, sizeof *to);
    gnd_status st = GND_OK;

    if (!from || !to)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for heat on %lld vertices", (long long)n));
    for (int64_t r = 0; r < n_rows; r += BLOCK)
        GND_TRY(rows_block(x + r * n, from, to, in, rows + r,
                           n_rows - r < BLOCK ? n_rows - r : BLOCK, pool, err));
out:
    gnd_free(to);
    gnd_free(from);
    return st;
}

/* ---- training ---- */

void gnd_wvgn_costs(double *c, const double *y, int64_t n)
{
    int64_t pos = 0;

    for (int64_t i = 0; i < n; i++)
        pos += y[i] > 0;
    for (int64_t i = 0; i < n; i++)
        c[i] = y[i] > 0 && pos < n ? (double)(n - pos) / (double)pos : 1;
}

double gnd_wvgn_loss(double *slope, const double *m, const double *y, const double *c, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++) {
        const double miss = fmax(0, 1 - y[i] * m[i]);

        sum += c[i] * miss * miss;
        slope[i] = -2 * c[i] * y[i] * miss / (double)n;
    }
    return sum / (double)n;
}

/* Work space to train one class on n training vertices; it owns the arrays after K. */
typedef struct {
    int64_t n;
    double lam;
    const double *K;             /* [n, n] sum_j x_uj x_vj / l_j^2 + 1; the 1 is for b */
    double *y, *c, *slope;       /* [n] */
    double *beta, *next, *m, *d; /* [n] */
    double *factor;              /* [n, n] */
    int64_t *active;             /* [n] vertices with a margin below 1 */
} one_class;

/* m = K beta and the objective. */
static double objective(one_class *k, const double *beta)
{
    double penalty = 0;

    for (int64_t i = 0; i < k->n; i++) {
        k->m[i] = 0;
        for (int64_t j = 0; j < k->n; j++)
            k->m[i] += k->K[i * k->n + j] * beta[j];
        penalty += beta[i] * k->m[i];
    }
    return k->lam * penalty + gnd_wvgn_loss(k->slope, k->m, k->y, k->c, k->n);
}

/* Solve L L^T x = x in place, L the Cholesky factor of the [n, n] matrix in a, which it replaces.
 */
static void cholesky_solve(double *a, double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];

            for (int64_t p = 0; p < j; p++)
                sum -= a[i * n + p] * a[j * n + p];
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    for (int64_t i = 0; i < n; i++) {
        for (int64_t p = 0; p < i; p++)
            x[i] -= a[i * n + p] * x[p];
        x[i] /= a[i * n + i];
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t p = i + 1; p < n; p++)
            x[i] -= a[p * n + i] * x[p];
        x[i] /= a[i * n + i];
    }
}

/* d = the minimum for constant active vertices minus beta: (K_aa + lam n / c) beta_a = y_a. */
static void newton_direction(one_class *k, int64_t n_active)
{
    for (int64_t i = 0; i < n_active; i++) {
        const int64_t u = k->active[i];

        for (int64_t j = 0; j < n_active; j++)
            k->factor[i * n_active + j] = k->K[u * k->n + k->active[j]];
        k->factor[i * n_active + i] += k->lam * (double)k->n / k->c[u];
        k->next[i] = k->y[u];
    }
    cholesky_solve(k->factor, k->next, n_active);
    for (int64_t i = 0; i < k->n; i++)
        k->d[i] = -k->beta[i];
    for (int64_t i = 0; i < n_active; i++)
        k->d[k->active[i]] += k->next[i];
}

static void minimise(one_class *k)
{
    enum { STEPS = 100, HALVINGS = 15 };
    double value;

    memset(k->beta, 0, (size_t)k->n * sizeof *k->beta);
    value = objective(k, k->beta);
    for (int step = 0; step < STEPS; step++) {
        const double before = value;
        int64_t n_active = 0;
        double length = 1;

        for (int64_t i = 0; i < k->n; i++)
            if (k->y[i] * k->m[i] < 1)
                k->active[n_active++] = i;
        newton_direction(k, n_active);
        for (int h = 0; h <= HALVINGS; h++, length /= 2) {
            for (int64_t i = 0; i < k->n; i++)
                k->next[i] = k->beta[i] + length * k->d[i];
            value = objective(k, k->next);
            if (value < before)
                break;
        }
        if (!(value < before)) /* converged up to rounding */
            break;
        memcpy(k->beta, k->next, (size_t)k->n * sizeof *k->beta);
    }
    objective(k, k->beta); /* m of beta itself */
}

/* Platt scaling: slope and offset of lowest cross-entropy with smoothed targets, by Newton steps
 * with halving (Lin, Lin and Weng 2007). */
static double platt_value(const one_class *k, const double *target, double slope, double offset)
{
    double sum = 0;

    for (int64_t i = 0; i < k->n; i++) {
        const double z = slope * k->m[i] + offset;

        sum += (z > 0 ? z + log1p(exp(-z)) : log1p(exp(z))) - target[i] * z;
    }
    return sum;
}

static void platt(one_class *k, double out[2])
{
    double *target = k->slope, s = 0, o = 0, value;
    int64_t pos = 0;

    for (int64_t i = 0; i < k->n; i++)
        pos += k->y[i] > 0;
    for (int64_t i = 0; i < k->n; i++)
        target[i] =
            k->y[i] > 0 ? (double)(pos + 1) / (double)(pos + 2) : 1 / (double)(k->n - pos + 2);
    value = platt_value(k, target, s, o);
    for (int step = 0; step < 100; step++) {
        double gs = 0, go = 0, ss = 1e-12, so = 0, oo = 1e-12, det, ds, dn, length = 1, now = value;

        for (int64_t i = 0; i < k->n; i++) {
            const double p = 1 / (1 + exp(-s * k->m[i] - o)), h = p * (1 - p);

            gs += (p - target[i]) * k->m[i];
            go += p - target[i];
            ss += h * k->m[i] * k->m[i];
            so += h * k->m[i];
            oo += h;
        }
        det = ss * oo - so * so;
        ds = -(oo * gs - so * go) / det;
        dn = -(ss * go - so * gs) / det;
        for (; length > 1e-10; length /= 2) {
            now = platt_value(k, target, s + length * ds, o + length * dn);
            if (now < value)
                break;
        }
        if (!(now < value))
            break;
        s += length * ds;
        o += length * dn;
        value = now;
    }
    out[0] = s;
    out[1] = o;
}

static gnd_status class_init(one_class *k, int64_t n, double lam, const double *K, gnd_error *err)
{
    double **list[] = {&k->y, &k->c, &k->slope, &k->beta, &k->next, &k->m, &k->d};
    bool ok = true;

    *k = (one_class){.n = n, .lam = lam, .K = K};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        *list[i] = gnd_alloc(n, sizeof(double));
        ok = ok && *list[i];
    }
    k->factor = gnd_alloc(n * n, sizeof *k->factor);
    k->active = gnd_alloc(n, sizeof *k->active);
    if (ok && k->factor && k->active)
        return GND_OK;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld training vertices", (long long)n);
}

static void class_fini(one_class *k)
{
    double *list[] = {k->y, k->c, k->slope, k->beta, k->next, k->m, k->d, k->factor};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        gnd_free(list[i]);
    gnd_free(k->active);
}

typedef struct {
    const gnd_real *x; /* [n, n_node], columns divided by l */
    double *K;
    int64_t n, n_node;
} gram_job;

static void gram_rows(int64_t begin, int64_t end, void *arg)
{
    const gram_job *j = arg;
    const gnd_kern *kern = gnd_kern_get();

    for (int64_t u = begin; u < end; u++)
        for (int64_t v = 0; v < j->n; v++)
            j->K[u * j->n + v] =
                kern->dot(j->x + u * j->n_node, j->x + v * j->n_node, j->n_node) + 1;
}

/* w and b of class c from beta. */
static void weights(gnd_model *m, const gnd_inputs *in, const one_class *k, const gnd_real *x,
                    int32_t c)
{
    const gnd_wvgn *own = in->own;
    const int32_t C = gnd_n_class(m);
    gnd_real *w = param(m, GND_WVGN_W);
    double b = 0;

    for (int64_t i = 0; i < k->n; i++)
        b += k->beta[i];
    param(m, GND_WVGN_B)[c] = (gnd_real)b;
    for (int64_t j = 0; j < in->n_node; j++) {
        double sum = 0;

        for (int64_t i = 0; i < k->n; i++)
            sum += k->beta[i] * (double)x[i * in->n_node + j];
        for (int64_t p = in->x.ptr[j]; p < in->x.ptr[j + 1]; p++)
            w[in->x.col[p] * C + c] = (gnd_real)(sum * (double)own->root[j]);
    }
}

/* Does every class have at least two training vertices? */
static bool can_calibrate(const int32_t *cls, int64_t n, int32_t C)
{
    for (int32_t c = 0; c < C; c++) {
        int64_t count = 0;

        for (int64_t i = 0; i < n; i++)
            count += cls[i] == c;
        if (count < 2)
            return false;
    }
    return true;
}

/* Train all classes.  x: [n, n_node] training vectors divided by l, of classes cls; K: see
 * one_class. */
static gnd_status train_classes(gnd_model *m, const gnd_inputs *in, const gnd_real *x,
                                const double *K, const int32_t *cls, int64_t n, gnd_error *err)
{
    const int32_t C = gnd_n_class(m);
    const bool calibrate = gnd_hp_choice(m, CALIBRATION) == PLATT && can_calibrate(cls, n, C);
    one_class k;
    gnd_status st;

    GND_TRY(class_init(&k, n, gnd_hp_real(m, LAM), K, err));
    for (int32_t c = 0; c < C; c++) {
        double line[2] = {1, 0};

        for (int64_t i = 0; i < n; i++)
            k.y[i] = cls[i] == c ? 1 : -1;
        gnd_wvgn_costs(k.c, k.y, n);
        minimise(&k);
        weights(m, in, &k, x, c);
        if (calibrate)
            platt(&k, line);
        param(m, GND_WVGN_SLOPE)[c] = (gnd_real)line[0];
        param(m, GND_WVGN_OFFSET)[c] = (gnd_real)line[1];
    }
out:
    class_fini(&k);
    return st;
}

static gnd_status solve(gnd_model *m, const gnd_inputs *in, const gnd_target *train,
                        const gnd_target *val, uint64_t seed, gnd_pool *pool, gnd_error *err)
{
    const gnd_wvgn *own = in->own;
    const int64_t n_node = in->n_node;
    int32_t *rows = gnd_alloc(train->n_rows, sizeof *rows);
    int32_t *cls = gnd_alloc(train->n_rows, sizeof *cls);
    gnd_real *x = gnd_alloc(train->n_rows * n_node, sizeof *x);
    double *K = gnd_alloc(train->n_rows * train->n_rows, sizeof *K);
    int64_t n = 0;
    gnd_status st = GND_OK;

    (void)val, (void)seed;
    if (!rows || !cls || !x || !K)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld training vertices",
                         (long long)train->n_rows));
    for (int64_t i = 0; i < train->n_rows; i++)
        if (train->label[train->rows[i]] >= 0) {
            rows[n] = train->rows[i];
            cls[n++] = train->label[train->rows[i]];
        }
    GND_TRY(gnd_wvgn_rows(x, in, rows, n, pool, err));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n_node; j++)
            x[i * n_node + j] *= own->root[j];
    gnd_parallel_for(pool, n, 4, n * n * n_node, gram_rows,
                     &(gram_job){.x = x, .K = K, .n = n, .n_node = n_node});
    GND_TRY(train_classes(m, in, x, K, cls, n, err));
out:
    gnd_free(K);
    gnd_free(x);
    gnd_free(cls);
    gnd_free(rows);
    return st;
}

/* ---- predictions ---- */

gnd_var gnd_wvgn_decision(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_wvgn *own = in->own;
    const gnd_csr *P = &in->op.a, *Pt = &in->op.at;
    const gnd_var w = gnd_param_var(t, &m->params, GND_WVGN_W),
                  b = gnd_param_var(t, &m->params, GND_WVGN_B);

    gnd_var z =
        gnd_matmul(t, gnd_sparse(t, &in->x), w); /* w in the order of the vertices of this graph */

    z = gnd_propagate(t, Pt, P, &own->series, z);
    return gnd_add_bias(t, gnd_spmm_requested(t, P, Pt, z), b);
}

static gnd_var forward(const gnd_model *m, const gnd_inputs *in, gnd_tape *t)
{
    const gnd_real *slope = param(m, GND_WVGN_SLOPE), *offset = param(m, GND_WVGN_OFFSET);
    const gnd_var d = gnd_wvgn_decision(m, in, t);
    gnd_node *y;

    if (!gnd_tape_ok(t))
        return d;
    y = gnd_tape_node(t, d);
    for (int64_t i = 0; i < y->rows; i++)
        for (int64_t c = 0; c < y->cols; c++) {
            gnd_real *v = &y->v[i * y->cols + c];

            *v = (gnd_real)(1 / (1 + exp(-(double)slope[c] * (double)*v - (double)offset[c])));
        }
    return d;
}

const gnd_method gnd_method_wvgn = {
    .name = "wvgn",
    .title = "Linear classifiers on heat-kernel vectors",
    .formula = "sigmoid(s (P (e^(t P^T) - I) w + b) + o), P = D^-1 A",
    .paper = "Ye et al., KDD 2017",
    .hparams = hparams,
    .no_features = true,
    .output = GND_OUT_MASS,
    .init = init,
    .prepare = prepare,
    .release = release,
    .forward = forward,
    .solve = solve,
};
