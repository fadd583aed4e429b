/* SPDX-License-Identifier: MIT
 * skipgram.c - skip-gram with negative sampling in two dimensions.
 *
 *     maximise  log s(in_c . out_w) + sum over 5 noise words w' of log s(-in_c . out_w')
 *     w: each word of the sentence, c: each word within a random 1..10 of it, s(x) = 1/(1+e^-x)
 *
 * Mikolov et al., NeurIPS 2013, arXiv:1310.4546. Noise words have probability ~ count^0.75. They
 * are drawn once for each w and shared by its neighbours c, and w and its noise move once, when all
 * of these have passed (Ji et al. 2016, arXiv:1604.04661): several times faster, and the same
 * expectation. */
#include "skipgram.h"

#include <math.h>

#include "alias.h"
#include "base/alloc.h"
#include "base/rng.h"

enum { WINDOW = 10, NEGATIVES = 5, TARGETS = 1 + NEGATIVES, LANES = 8 };
static const float reach = 6; /* the sigmoid's table spans -reach .. reach, beyond it is flat */

gnd_status gnd_skipgram_init(gnd_skipgram *s, const int64_t *count, int64_t n, uint64_t seed,
                             gnd_error *err)
{
    double *weight = gnd_alloc(n, sizeof *weight);
    int32_t *stack = gnd_alloc(n, sizeof *stack);
    gnd_status st = GND_OK;

    *s = (gnd_skipgram){.n = n,
                        .in = gnd_alloc(n, sizeof *s->in),
                        .out = gnd_alloc(n, sizeof *s->out),
                        .keep = gnd_alloc(n, sizeof *s->keep),
                        .other = gnd_alloc(n, sizeof *s->other)};
    if (!weight || !stack || !s->in || !s->out || !s->keep || !s->other)
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for the vectors of %lld words", (long long)n));
    for (int64_t i = 0; i < n; i++) {
        weight[i] = pow((double)count[i], 0.75);
        for (int c = 0; c < 2; c++)
            s->in[i][c] = (float)((gnd_rng_uniform(seed, 0, (uint64_t)(2 * i + c)) - 0.5) / 2);
    }
    gnd_alias_build(s->keep, s->other, weight, stack, n);
    for (int i = 0; i < GND_SIGMOID_TABLE; i++) {
        const double x = (double)reach * ((2 * i + 1.0) / GND_SIGMOID_TABLE - 1);

        s->sigmoid[i] = (float)(1 / (1 + exp(-x)));
    }
    s->sigmoid[0] = 0; /* and all that is below */
    s->sigmoid[GND_SIGMOID_TABLE - 1] = 1;
out:
    gnd_free(stack);
    gnd_free(weight);
    if (st != GND_OK)
        gnd_skipgram_fini(s);
    return st;
}

void gnd_skipgram_fini(gnd_skipgram *s)
{
    gnd_free(s->in);
    gnd_free(s->out);
    gnd_free(s->keep);
    gnd_free(s->other);
    *s = (gnd_skipgram){0};
}

/* Targets of one word: itself and noise, in columns that fill whole registers. What is beyond the
 * targets, and noise that hit the word itself, has rate 0 and stays as it is. */
typedef struct {
    int32_t word[TARGETS];
    float x[LANES], y[LANES];   /* where they stand */
    float dx[LANES], dy[LANES]; /* where they will go */
    float label[LANES], rate[LANES];
} targets;

static void draw_targets(targets *t, const gnd_skipgram *s, int32_t word, float rate, uint64_t key)
{
    *t = (targets){.word = {word}, .label = {1}, .rate = {rate}};
    for (int k = 1; k < TARGETS; k++) {
        t->word[k] = gnd_alias_draw(s->keep, s->other, s->n,
                                    (uint32_t)(gnd_hash_at(key, (uint64_t)k) >> 32));
        t->rate[k] = t->word[k] == word ? 0 : rate;
    }
    for (int k = 0; k < TARGETS; k++) {
        t->x[k] = s->out[t->word[k]][0];
        t->y[k] = s->out[t->word[k]][1];
    }
}

static float sum_lanes(float *v)
{
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int k = 0; k < width; k++)
            v[k] += v[k + width];
    return v[0];
}

/* One neighbour c against all targets. */
static void learn_pair(const gnd_skipgram *s, float *c, targets *t)
{
    const float x = c[0], y = c[1];
    float place[LANES], g[LANES], ex[LANES], ey[LANES];
    int32_t cell[LANES];

    for (int k = 0; k < LANES; k++) {
        place[k] = (x * t->x[k] + y * t->y[k] + reach) * (GND_SIGMOID_TABLE / (2 * reach));
        place[k] = place[k] > 0 ? place[k] : 0;
        place[k] = place[k] < GND_SIGMOID_TABLE - 1 ? place[k] : GND_SIGMOID_TABLE - 1;
        cell[k] = (int32_t)place[k];
    }
    for (int k = 0; k < LANES; k++)
        g[k] = s->sigmoid[cell[k]];
    for (int k = 0; k < LANES; k++) {
        g[k] = (t->label[k] - g[k]) * t->rate[k];
        ex[k] = g[k] * t->x[k];
        ey[k] = g[k] * t->y[k];
        t->dx[k] += g[k] * x;
        t->dy[k] += g[k] * y;
    }
    c[0] += sum_lanes(ex);
    c[1] += sum_lanes(ey);
}

void gnd_skipgram_learn(gnd_skipgram *s, const int32_t *word, int64_t n_word, float rate,
                        uint64_t key)
{
    for (int64_t i = 0; i < n_word; i++) {
        const uint64_t h = gnd_hash_at(key, (uint64_t)i);
        const int64_t window = 1 + (int64_t)(h >> 32) % WINDOW;
        const int64_t lo = i > window ? i - window : 0;
        const int64_t hi = i + window < n_word ? i + window : n_word - 1;
        targets t;

        draw_targets(&t, s, word[i], rate, h);
        for (int64_t j = lo; j <= hi; j++)
            if (j != i)
                learn_pair(s, s->in[word[j]], &t);
        for (int k = 0; k < TARGETS; k++) { /* a noise word may occur twice: both changes count */
            s->out[t.word[k]][0] += t.dx[k];
            s->out[t.word[k]][1] += t.dy[k];
        }
    }
}
