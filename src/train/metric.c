/* SPDX-License-Identifier: MIT
 * metric.c - accuracy, losses, F1 and calibration of logits and predictions. */
#include "metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "predict.h"

/* sum over c of exp(row[c] - top); top is the largest logit, so that nothing overflows. */
static double exp_sum(const gnd_real *row, int32_t n_class, double top)
{
    double sum = 0;

    for (int32_t c = 0; c < n_class; c++)
        sum += exp((double)row[c] - top);
    return sum;
}

/* logsumexp(row) - row[y]; the largest logit is subtracted from both first. */
static double cross_entropy(const gnd_real *row, int32_t n_class, int32_t y)
{
    const double top = (double)row[gnd_argmax(row, n_class)];

    return log(exp_sum(row, n_class, top)) - ((double)row[y] - top);
}

/* Logits of the i-th scored vertex. */
static const gnd_real *scored_row(const gnd_scored *s, int64_t i)
{
    return s->logits + (s->packed ? i : s->rows[i]) * s->n_class;
}

void gnd_score_right(int64_t *right, int64_t *n, const gnd_scored *s, bool score_unlabelled)
{
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int32_t y = s->label[s->rows[i]];

        if (y < 0 && !score_unlabelled)
            continue;
        *n += 1;
        *right += gnd_argmax(scored_row(s, i), s->n_class) == (y < 0 ? 0 : y);
    }
}

void gnd_score(double *loss, double *acc, const gnd_scored *s, bool score_unlabelled)
{
    double sum = 0;
    int64_t right = 0, n = 0;

    gnd_score_right(&right, &n, s, score_unlabelled);
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int32_t y = s->label[s->rows[i]];

        if (y >= 0)
            sum += cross_entropy(scored_row(s, i), s->n_class, y);
    }
    if (s->part) {
        gnd_part_counts(s->part, &right, 1);
        gnd_part_counts(s->part, &n, 1);
        s->part->calls->sum(s->part, &sum, 1);
    }
    *loss = n ? sum / (double)n : NAN;
    *acc = n ? (double)right / (double)n : NAN;
}

/* F1 = 2 p r / (p + r) of one class from its counts; 0 if no vertex has or gets the class. */
static double f1_of(int64_t right, int64_t given, int64_t truth)
{
    return given + truth ? 2 * (double)right / (double)(given + truth) : 0;
}

gnd_status gnd_score_f1(double *f1, const gnd_scored *s, gnd_error *err)
{
    const int32_t n_class = s->n_class;
    int64_t *count = gnd_alloc(3 * (int64_t)n_class, sizeof *count); /* right, given, truth */
    int64_t n = 0;

    *f1 = NAN;
    if (!count)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for metrics");
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int32_t y = s->label[s->rows[i]];
        const int32_t given = gnd_argmax(scored_row(s, i), n_class);

        if (y < 0)
            continue;
        n++;
        count[3 * y] += given == y;
        count[3 * given + 1]++;
        count[3 * y + 2]++;
    }
    gnd_part_counts(s->part, count, 3 * (int64_t)n_class);
    gnd_part_counts(s->part, &n, 1);
    if (n > 0)
        *f1 = 0;
    for (int32_t c = 0; n > 0 && c < n_class; c++)
        *f1 += f1_of(count[3 * c], count[3 * c + 1], count[3 * c + 2]) / n_class;
    gnd_free(count);
    return GND_OK;
}

/* ---- calibration ---- */

void gnd_calibration_add(gnd_calibration *c, double conf, bool right)
{
    const int last = GND_CALIBRATION_BINS - 1;
    const int b = conf < 1 ? (int)(conf * GND_CALIBRATION_BINS) : last; /* NAN: also the last */

    c->n++;
    c->bin[b].n++;
    c->bin[b].right += right;
    c->bin[b].conf += conf;
}

double gnd_calibration_error(const gnd_calibration *c)
{
    double sum = 0;

    for (int b = 0; b < GND_CALIBRATION_BINS; b++)
        sum += fabs((double)c->bin[b].right - c->bin[b].conf);
    return c->n ? sum / (double)c->n : NAN;
}

/* The sums of all processes. */
static void calibration_join(gnd_calibration *c, gnd_part *part)
{
    if (!part)
        return;
    gnd_part_counts(part, &c->n, 1);
    for (int b = 0; b < GND_CALIBRATION_BINS; b++) {
        gnd_part_counts(part, &c->bin[b].n, 1);
        gnd_part_counts(part, &c->bin[b].right, 1);
        part->calls->sum(part, &c->bin[b].conf, 1);
    }
}

typedef struct {
    float conf; /* float as in gnd_prediction, so that the order is the one that users see */
    int32_t vertex;
    bool right;
} scored_vertex;

static int by_conf(const void *x, const void *y)
{
    const scored_vertex *a = x, *b = y;

    if (a->conf != b->conf)
        return a->conf > b->conf ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

/* The most confident half of all processes: how many of n here are right, of all that are in it. A
 * key ascends with the confidence and, among equal ones, with the distance of the vertex from the
 * end of the graph. */
static gnd_status half_join(int64_t *right, const scored_vertex *v, int64_t n, int64_t n_half,
                            gnd_part *part, gnd_error *err)
{
    uint64_t *key = gnd_alloc(n, sizeof *key), least;

    *right = 0;
    if (!key)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for metrics");
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits; /* of a float that is not negative: they ascend with it */

        memcpy(&bits, &v[i].conf, sizeof bits);
        key[i] = (uint64_t)bits << 32 | (uint32_t)(INT32_MAX - part->global[v[i].vertex]);
    }
    least = gnd_part_select(part, key, n, n_half);
    for (int64_t i = 0; i < n; i++)
        *right += v[i].right && key[i] >= least;
    gnd_part_counts(part, right, 1);
    gnd_free(key);
    return GND_OK;
}

gnd_status gnd_score_calibration(double *ece, double *acc_half, const gnd_scored *s, gnd_error *err)
{
    scored_vertex *all = gnd_alloc(s->n_rows, sizeof *all);
    gnd_calibration e = {0};
    int64_t right = 0, n_half, n_here;
    gnd_status st = GND_OK;

    *ece = *acc_half = NAN;
    if (!all)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for metrics");
    for (int64_t i = 0; i < s->n_rows; i++) {
        const int32_t y = s->label[s->rows[i]];
        const gnd_real *row = scored_row(s, i);
        const int32_t given = gnd_argmax(row, s->n_class);
        scored_vertex *v = &all[e.n];

        if (y < 0)
            continue;
        *v = (scored_vertex){(float)(1 / exp_sum(row, s->n_class, (double)row[given])), s->rows[i],
                             given == y};
        gnd_calibration_add(&e, (double)v->conf, v->right);
    }
    n_here = e.n;
    calibration_join(&e, s->part);
    *ece = gnd_calibration_error(&e);
    n_half = (e.n + 1) / 2;
    if (!isnan(*ece) && s->part) { /* NAN: no vertex has a label, or a confidence is NAN and has no
                                      order */
        st = half_join(&right, all, n_here, n_half, s->part, err);
        *acc_half = (double)right / (double)n_half;
    } else if (!isnan(*ece)) {
        qsort(all, (size_t)e.n, sizeof *all, by_conf);
        for (int64_t i = 0; i < n_half; i++)
            right += all[i].right;
        *acc_half = (double)right / (double)n_half;
    }
    gnd_free(all);
    return st;
}

/* ---- metrics of a prediction ---- */

struct gnd_metrics {
    int32_t n_class;
    int64_t n;
    int64_t *confusion; /* [n_class, n_class], rows are the truth */
    double log_loss;
    gnd_calibration calibration;
};

static void metrics_add(gnd_metrics *m, int32_t truth, int32_t given, const float *prob)
{
    gnd_calibration_add(&m->calibration, (double)prob[given], given == truth);
    m->n++;
    m->confusion[(int64_t)truth * m->n_class + given]++;
    m->log_loss -= log(fmax((double)prob[truth], 1e-15));
}

/* The sums of all processes. */
static void metrics_join(gnd_metrics *m, gnd_part *part)
{
    if (!part)
        return;
    gnd_part_counts(part, &m->n, 1);
    gnd_part_counts(part, m->confusion, (int64_t)m->n_class * m->n_class);
    part->calls->sum(part, &m->log_loss, 1);
    calibration_join(&m->calibration, part);
}

gnd_status gnd_metrics_new(gnd_metrics **out, const gnd_prediction *p, const gnd_graph *g,
                           const int32_t *rows, int64_t n_rows, gnd_error *err)
{
    gnd_metrics *m;

    gnd_error_clear(err);
    *out = NULL;
    if (p->n != g->n_node || g->n_class > p->n_class)
        return gnd_fail(
            err, GND_ERR_SHAPE,
            "the prediction is of %lld vertices and %d classes, the graph of %lld and %d",
            (long long)p->n, p->n_class, (long long)g->n_node, g->n_class);
    if (rows && n_rows < 0)
        return gnd_fail(err, GND_ERR_ARG, "the list of vertices has length %lld",
                        (long long)n_rows);
    for (int64_t i = 0; rows && i < n_rows; i++)
        if (rows[i] < 0 || rows[i] >= g->n_node)
            return gnd_fail(err, GND_ERR_ARG, "the list contains vertex %d; %s has 0 to %lld",
                            rows[i], g->name, (long long)g->n_node - 1);
    m = gnd_alloc(1, sizeof *m);
    if (m) {
        m->n_class = p->n_class;
        m->confusion = gnd_alloc((int64_t)m->n_class * m->n_class, sizeof *m->confusion);
    }
    if (!m || !m->confusion) {
        gnd_metrics_free(m);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for metrics");
    }
    for (int64_t i = 0; i < (rows ? n_rows : g->n_node); i++) {
        const int64_t v = rows ? rows[i] : i;

        if (g->label[v] >= 0)
            metrics_add(m, g->label[v], gnd_prediction_argmax(p, v), gnd_prediction_prob(p, v));
    }
    metrics_join(m, p->part);
    m->log_loss = m->n ? m->log_loss / (double)m->n : NAN;
    if (gnd_part_check(p->part, err) != GND_OK) {
        gnd_metrics_free(m);
        return GND_ERR_IO;
    }
    *out = m;
    return GND_OK;
}

gnd_status gnd_metrics_of_split(gnd_metrics **out, const gnd_prediction *p, const gnd_graph *g,
                                const gnd_split *s, gnd_error *err)
{
    return gnd_metrics_new(out, p, g, s->test, s->n_test, err);
}

void gnd_metrics_free(gnd_metrics *m)
{
    if (!m)
        return;
    gnd_free(m->confusion);
    gnd_free(m);
}

int64_t gnd_metrics_n(const gnd_metrics *m)
{
    return m->n;
}

static bool has_class(const gnd_metrics *m, int32_t cls)
{
    return cls >= 0 && cls < m->n_class;
}

int64_t gnd_metrics_confusion(const gnd_metrics *m, int32_t truth, int32_t given)
{
    if (!has_class(m, truth) || !has_class(m, given))
        return -1;
    return m->confusion[(int64_t)truth * m->n_class + given];
}

double gnd_metrics_accuracy(const gnd_metrics *m)
{
    int64_t right = 0;

    for (int32_t c = 0; c < m->n_class; c++)
        right += gnd_metrics_confusion(m, c, c);
    return m->n ? (double)right / (double)m->n : NAN;
}

/* part / of; 0 if `of` is 0. */
static double share(int64_t part, int64_t of)
{
    return of ? (double)part / (double)of : 0;
}

double gnd_metrics_precision(const gnd_metrics *m, int32_t cls)
{
    int64_t given = 0;

    for (int32_t c = 0; c < m->n_class; c++)
        given += gnd_metrics_confusion(m, c, cls);
    return has_class(m, cls) ? share(gnd_metrics_confusion(m, cls, cls), given) : NAN;
}

double gnd_metrics_recall(const gnd_metrics *m, int32_t cls)
{
    int64_t truth = 0;

    for (int32_t c = 0; c < m->n_class; c++)
        truth += gnd_metrics_confusion(m, cls, c);
    return has_class(m, cls) ? share(gnd_metrics_confusion(m, cls, cls), truth) : NAN;
}

double gnd_metrics_f1(const gnd_metrics *m, int32_t cls)
{
    const double p = gnd_metrics_precision(m, cls), r = gnd_metrics_recall(m, cls);

    if (!has_class(m, cls))
        return NAN;
    return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

double gnd_metrics_macro_f1(const gnd_metrics *m)
{
    double sum = 0;

    for (int32_t c = 0; c < m->n_class; c++)
        sum += gnd_metrics_f1(m, c);
    return m->n ? sum / m->n_class : NAN;
}

double gnd_metrics_log_loss(const gnd_metrics *m)
{
    return m->log_loss;
}

double gnd_metrics_ece(const gnd_metrics *m)
{
    return gnd_calibration_error(&m->calibration);
}

const gnd_calibration *gnd_metrics_calibration(const gnd_metrics *m)
{
    return &m->calibration;
}
