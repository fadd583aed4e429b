/* SPDX-License-Identifier: MIT
 * predict_pagerank.c - personalised PageRank from the labels of each class: which class does a walk
 * from this vertex meet? It sees the links only, and a class only where one of its labels can be
 * reached.
 *
 *     F <- a D^-1 A F + (1 - a) E,  PAGERANK_STEPS times from (1 - a) E;   score = log F
 *     E_vc = 1 / (degree_v labels_c) for a label v of class c, else 0;   E, F: [n, C]
 *
 * On a large graph of up to 50 classes the steps end when those of a sample of vertices have
 * settled. What later steps would add is then a (1 - a)^-1 times what the last one added, since
 * each adds a times as much as the one before, nearly in the same proportions.
 *
 * Vertices further away get the mean of the neighbours that are closer to a label, step by step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kern/argmax.h"
#include "kern/kern.h"
#include "constants.h"
#include "predictors.h"

enum { ROWS = 256, SAMPLE_EVERY = 64 /* vertices */ };

/* An entry of E, times 1 - a. */
typedef struct {
    int64_t row, column;
    double own;
    gnd_real walked; /* scratch */
} entry;

typedef struct {
    const gnd_prepared *g;
    int64_t f;         /* columns: the classes of all labellings */
    gnd_real *F;       /* [n, f] */
    const gnd_real *x; /* [n, f] F of the step before */
    entry *start;      /* [n_start] of E, by row */
    int64_t n_start;
} walk_job;

/* a / degree of vertex i */
static double share_of(const gnd_prepared *g, int64_t i)
{
    return g->degree[i] > 0 ? PAGERANK_DAMPING / g->degree[i] : 0;
}

/* The first entry in row i or after it. */
static int64_t entry_from(const walk_job *j, int64_t i)
{
    int64_t low = 0, high = j->n_start;

    while (low < high) {
        const int64_t middle = low + (high - low) / 2;

        if (j->start[middle].row < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* F = a D^-1 A x + (1 - a) E */
static void walk_rows(int64_t begin, int64_t end, void *arg)
{
    const walk_job *j = arg;
    entry *e = j->start + entry_from(j, begin), *last = j->start + entry_from(j, end);

    gnd_kern_get()->spmm(j->F, &j->g->links, j->x, j->f, 0, NULL, begin, end);
    for (entry *k = e; k < last; k++)
        k->walked = j->F[k->row * j->f + k->column];
    for (int64_t i = begin; i < end; i++) {
        const double by = share_of(j->g, i);

        for (int64_t c = 0; c < j->f; c++)
            j->F[i * j->f + c] = (gnd_real)(by * (double)j->F[i * j->f + c]);
    }
    for (; e < last; e++)
        j->F[e->row * j->f + e->column] =
            (gnd_real)(share_of(j->g, e->row) * (double)e->walked + e->own);
}

static int by_row(const void *a, const void *b)
{
    const entry *x = a, *y = b;

    return (x->row > y->row) - (x->row < y->row);
}

/* The entries of E of n_set labellings. count: [n_class] labels of each class in the last one. */
static void place_labels(walk_job *j, const gnd_labelled *s, int64_t n_set, int64_t *count)
{
    for (int64_t m = 0; m < n_set; m++) {
        memset(count, 0, (size_t)s[m].n_class * sizeof *count);
        for (int64_t k = 0; k < s[m].n; k++)
            count[s[m].cls[k]]++;
        for (int64_t k = 0; k < s[m].n; k++) {
            const double labels = (double)count[s[m].cls[k]];
            const gnd_real share = (gnd_real)(1 / (fmax(j->g->degree[s[m].point[k]], 1) * labels));

            j->start[j->n_start++] = (entry){.row = s[m].point[k],
                                             .column = m * s[m].n_class + s[m].cls[k],
                                             .own = (1 - PAGERANK_DAMPING) * (double)share};
        }
    }
    qsort(j->start, (size_t)j->n_start, sizeof *j->start, by_row);
}

/* Probabilities of the classes of sampled vertices after a step. */
typedef struct {
    int32_t *row;     /* [n] own vertices of the sample, which have links */
    gnd_real *before; /* [n, f] of the step before */
    int64_t n, C;
} settling;

static gnd_status settling_init(settling *s, const gnd_prepared *g, int64_t f, int64_t C,
                                gnd_error *err)
{
    const gnd_row_range own = gnd_part_own(g->at.part, g->n);

    *s = (settling){.C = C};
    s->row = gnd_alloc(g->n / SAMPLE_EVERY + 1, sizeof *s->row);
    for (int64_t i = own.begin; i < own.end && s->row; i++)
        if (gnd_number_of(&g->at, i) % SAMPLE_EVERY == 0 && g->degree[i] > 0)
            s->row[s->n++] = (int32_t)i;
    s->before = gnd_alloc(s->n * f, sizeof *s->before);
    if (s->row && s->before)
        return GND_OK;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n);
}

static void settling_fini(settling *s)
{
    gnd_free(s->row);
    gnd_free(s->before);
}

/* What all steps would sum to, from the last two. */
static gnd_real ahead(gnd_real now, gnd_real before)
{
    return now + (gnd_real)(PAGERANK_DAMPING / (1 - PAGERANK_DAMPING)) * (now - before);
}

/* labels: [C] how many each class has. Have the walks of all classes that have labels come to all
 * but WALK_UNSETTLED of the sampled vertices, and do these have the same probabilities, within
 * WALK_CHANGE, as the step before gave? Keeps those of this step. */
static bool settled(settling *s, const walk_job *j, const int64_t *labels)
{
    int64_t count[2] = {0}; /* changed, all */

    for (int64_t k = 0; k < s->n; k++)
        for (int64_t m = 0; m < j->f; m += s->C) {
            const gnd_real *now = j->F + s->row[k] * j->f + m, *x = j->x + s->row[k] * j->f + m;
            gnd_real *before = s->before + k * j->f + m, sum = 0;
            bool changed = false;

            for (int64_t c = 0; c < s->C; c++)
                sum += ahead(now[c], x[c]);
            for (int64_t c = 0; c < s->C; c++) {
                const gnd_real p = sum > 0 ? ahead(now[c], x[c]) / sum : 0;

                changed = changed || (labels[c] > 0 &&
                                      !(p > 0 && fabs((double)(p - before[c])) <= WALK_CHANGE));
                before[c] = p;
            }
            count[0] += changed;
            count[1]++;
        }
    gnd_part_counts(j->g->at.part, count, 2);
    return count[1] > 0 && (double)count[0] <= WALK_UNSETTLED * (double)count[1];
}

/* F = `ahead` of the last two steps; F may be either of them. */
static void look_ahead(gnd_real *F, const walk_job *j)
{
    for (int64_t e = 0; e < j->g->n * j->f; e++)
        F[e] = ahead(j->F[e], j->x[e]);
}

gnd_status gnd_walk(gnd_real *F, const gnd_prepared *g, const gnd_labelled *s, int64_t n_set,
                    gnd_pool *pool, gnd_error *err)
{
    const int64_t f = n_set * s->n_class, n = g->n, cost = (gnd_csr_nnz(&g->links) + n) * f;
    gnd_real *room = gnd_alloc_raw(n * f, sizeof *room);
    gnd_real *const turn[2] = {F, room}; /* F after step k is in turn[(PAGERANK_STEPS - k) % 2] */
    int64_t labels = 0, *count = gnd_alloc(s->n_class, sizeof *count);
    /* With very many classes all probabilities are as small as WALK_CHANGE. */
    const bool may_end = g->n_link >= LARGE_LINKS && 2 * WALK_CHANGE * (double)s->n_class <= 1;
    settling sample = {0};
    walk_job job = {.g = g, .f = f};
    gnd_status st = GND_OK;

    for (int64_t m = 0; m < n_set; m++)
        labels += s[m].n;
    job.start = gnd_alloc(labels, sizeof *job.start);
    if (!room || !count || !job.start)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    if (may_end)
        GND_TRY(settling_init(&sample, g, f, s->n_class, err));
    place_labels(&job, s, n_set, count);
    /* From E itself, the last step would count for most: on a grid, vertices at an even distance.
     */
    job.F = turn[PAGERANK_STEPS % 2];
    memset(job.F, 0, (size_t)(n * f) * sizeof *job.F);
    for (int64_t k = 0; k < labels; k++)
        job.F[job.start[k].row * f + job.start[k].column] = (gnd_real)job.start[k].own;
    for (int step = 1; step <= PAGERANK_STEPS; step++) {
        job.x = job.F;
        job.F = turn[(PAGERANK_STEPS - step) % 2];
        gnd_rows_product(pool,
                         &(gnd_rows_of){.part = g->links.part,
                                        .y = job.F,
                                        .bytes = f * (int64_t)sizeof *job.F,
                                        .n = n,
                                        .grain = ROWS,
                                        .cost = cost},
                         walk_rows, &job);
        GND_TRY(gnd_pool_check(pool, err));
        if (may_end && settled(&sample, &job, count)) {
            look_ahead(F, &job);
            break;
        }
    }
out:
    settling_fini(&sample);
    gnd_free(job.start);
    gnd_free(count);
    gnd_free(room);
    return st;
}

/* Rows of sum 1; false for a row of zeros. */
static bool normalise(gnd_real *row, int64_t C)
{
    double sum = 0;

    for (int64_t c = 0; c < C; c++)
        sum += (double)row[c];
    for (int64_t c = 0; c < C && sum > 0; c++)
        row[c] = (gnd_real)((double)row[c] / sum);
    return sum > 0;
}

/* Vertices by the number of steps beyond those that a walk reached. */
typedef struct {
    const gnd_csr *links;
    gnd_real *F;    /* [n, C] */
    int32_t *level; /* [n] steps; -1: not reached yet */
    int32_t *queue; /* [n] vertices by level */
    int64_t C;
} reaching;

/* Append the vertices with links to those at `level`, queue[begin .. end - 1]. Returns the new end
 * of the queue. */
static int64_t next_level(reaching *r, int32_t level, int64_t begin, int64_t end)
{
    const gnd_csr *a = r->links;
    const gnd_row_range own = gnd_part_own(a->part, a->n_row);
    int64_t to = end;

    for (int64_t k = begin; k < end; k++)
        for (int64_t q = a->ptr[r->queue[k]]; q < a->ptr[r->queue[k] + 1]; q++)
            if (r->level[a->col[q]] < 0) {
                r->level[a->col[q]] = level + 1;
                r->queue[to++] = a->col[q];
            }
    if (!a->part)
        return to;
    /* Links from copies are in own rows; copies have the level that their owners find. */
    for (int64_t i = own.begin; i < own.end; i++)
        for (int64_t q = a->ptr[i]; q < a->ptr[i + 1] && r->level[i] < 0; q++)
            if (r->level[a->col[q]] == level) {
                r->level[i] = level + 1;
                r->queue[to++] = (int32_t)i;
            }
    for (int64_t k = end; k < to; k++)
        if (r->queue[k] < own.begin || r->queue[k] >= own.end)
            r->level[r->queue[k]] = -1;
    to = end;
    gnd_part_fill(a->part, r->level, sizeof *r->level);
    for (int64_t i = 0; i < a->n_row; i++)
        if (r->level[i] == level + 1)
            r->queue[to++] = (int32_t)i;
    return to;
}

/* Rows of the vertices queue[begin .. end - 1], at `level`: the mean of their neighbours one level
 * before. */
static void fill_level(reaching *r, int32_t level, int64_t begin, int64_t end)
{
    const gnd_csr *a = r->links;
    const int64_t C = r->C;

    for (int64_t k = begin; k < end; k++) {
        const int32_t v = r->queue[k];

        for (int64_t q = a->ptr[v]; q < a->ptr[v + 1]; q++)
            for (int64_t c = 0; c < C && r->level[a->col[q]] == level - 1; c++)
                r->F[v * C + c] += gnd_csr_val(a, q) * r->F[a->col[q] * C + c];
        normalise(r->F + v * C, C);
    }
    gnd_part_fill(a->part, r->F, C * (int64_t)sizeof *r->F);
}

/* Rows of vertices that no walk reached, by distance from those that were. */
static void reach_on(reaching *r)
{
    const int64_t n = r->links->n_row;
    int64_t begin = 0, end = 0;

    for (int64_t i = 0; i < n; i++) {
        r->level[i] = normalise(r->F + i * r->C, r->C) ? 0 : -1;
        if (r->level[i] == 0)
            r->queue[end++] = (int32_t)i;
    }
    for (int32_t level = 0; gnd_part_any(r->links->part, end > begin); level++) {
        const int64_t to = next_level(r, level, begin, end);

        fill_level(r, level + 1, end, to);
        begin = end;
        end = to;
    }
}

gnd_status gnd_predict_pagerank(gnd_real *score, const gnd_prepared *g, const gnd_labelled *s,
                                gnd_pool *pool, gnd_error *err)
{
    const int64_t n = g->n, C = s->n_class;
    int32_t *level = gnd_alloc(n, sizeof *level), *queue = gnd_alloc(n, sizeof *queue);
    gnd_status st = GND_OK;

    if (!level || !queue)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)n));
    if (!s->walk)
        GND_TRY(gnd_walk(score, g, s, 1, pool, err));
    for (int64_t i = 0; i < n && s->walk; i++)
        memcpy(score + i * C, s->walk + i * s->walk_columns, (size_t)C * sizeof *score);
    GND_TRY(gnd_pool_check(pool, err));
    reach_on(&(reaching){&g->links, score, level, queue, C});
    GND_TRY(gnd_pool_check(pool, err));
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            score[i * C + c] = level[i] < 0 ? 0 : (gnd_real)log((double)score[i * C + c]);
    gnd_scores_mask(score, n, s);
out:
    gnd_free(queue);
    gnd_free(level);
    return st;
}

void gnd_walked_classes(int32_t *walked, const gnd_real *score, int64_t n, int64_t n_class)
{
    for (int64_t i = 0; i < n; i++) {
        const gnd_real *row = score + i * n_class;
        int64_t zeros = 0; /* log 1 for one class at most; all classes where no label reaches */

        for (int64_t c = 0; c < n_class; c++)
            zeros += row[c] == 0;
        walked[i] = zeros < 2 ? (int32_t)gnd_argmax(row, n_class) : -1;
    }
}
