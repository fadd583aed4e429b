/* SPDX-License-Identifier: MIT
 * skipgram.c - skip-gram with negative sampling in two dimensions.
 *
 *     maximise  log s(in_c . out_w) + sum over 5 noise words w' of log s(-in_c . out_w')
 *     w: each word of the sentence, c: each word within a random 1..10 of it, s(x) = 1/(1+e^-x)
 *
 * Mikolov et al., NeurIPS 2013, arXiv:1310.4546. Noise words have probability ~ count^0.75. As
 * in Ji et al. 2016, arXiv:1604.04661, they are drawn once for each w and shared by its
 * neighbours c, which are updated together: several times faster, with the same expectation. */
#include "skipgram.h"

#include <math.h>

#include "alias.h"
#include "base/alloc.h"
#include "base/rng.h"

enum { WINDOW = 10, NEGATIVES = 5, GROUPS = (2 * WINDOW + 3) / 4 };
static const float flat = 4.97f; /* beyond it, tanh is 1 to the precision of sigmoid_of_double */

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

/* Four neighbours in one vector. */
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t mask __attribute__((vector_size(16)));

static lanes all(float v)
{
    return (lanes){v, v, v, v};
}

/* a where m, else b */
static lanes choose(mask m, lanes a, lanes b)
{
    return (lanes)((m & (mask)a) | (~m & (mask)b));
}

/* 1/(1 + e^-2y) = (1 + tanh y) / 2 by the continued fraction of tanh; constant where that leaves
 * (0, 1). The error is below 2e-6. Uses only sums, products and one quotient. */
static lanes sigmoid_of_double(lanes y)
{
    y = choose(y > all(flat), all(flat), y);
    y = choose(y < all(-flat), all(-flat), y);

    const lanes z = y * y;
    const lanes p = ((z + all(378)) * z + all(17325)) * z + all(135135);
    const lanes q = ((all(28) * z + all(3150)) * z + all(62370)) * z + all(135135);

    return all(0.5f) + all(0.5f) * (y * p / q);
}

/* The gathered neighbours of a word. The padding of the last group is 0 and changes nothing. */
typedef struct {
    int32_t word[GROUPS * 4];
    lanes x[GROUPS], y[GROUPS], dx[GROUPS], dy[GROUPS];
    int n;
} context;

static void gather(context *c, const gnd_skipgram *s, const int32_t *word, int64_t lo, int64_t hi,
                   int64_t centre)
{
    c->n = 0;
    for (int64_t j = lo; j <= hi; j++)
        if (j != centre)
            c->word[c->n++] = word[j];
    for (int k = 0; k < (c->n + 3) / 4 * 4; k++) {
        c->x[k / 4][k % 4] = k < c->n ? s->in[c->word[k]][0] : 0;
        c->y[k / 4][k % 4] = k < c->n ? s->in[c->word[k]][1] : 0;
    }
    for (int g = 0; g < (c->n + 3) / 4; g++)
        c->dx[g] = c->dy[g] = all(0);
}

/* Updates one target, and computes the changes of all neighbours. */
static void learn_target(context *c, float *target, float label, float rate)
{
    const lanes tx = all(target[0]), ty = all(target[1]), half = all(0.5f);
    lanes dx = all(0), dy = all(0);

    for (int g = 0; g < (c->n + 3) / 4; g++) {
        const lanes x = c->x[g], y = c->y[g];
        const lanes q = sigmoid_of_double(half * (x * tx + y * ty));
        const lanes step = (all(label) - q) * all(rate);

        c->dx[g] += step * tx;
        c->dy[g] += step * ty;
        dx += step * x;
        dy += step * y;
    }
    target[0] += (dx[0] + dx[1]) + (dx[2] + dx[3]);
    target[1] += (dy[0] + dy[1]) + (dy[2] + dy[3]);
}

void gnd_skipgram_learn(gnd_skipgram *s, const int32_t *word, int64_t n_word, float rate,
                        uint64_t key)
{
    context c;

    for (int64_t i = 0; i < n_word; i++) {
        const uint64_t h = gnd_hash_at(key, (uint64_t)i);
        const int64_t window = 1 + (int64_t)(h >> 32) % WINDOW;

        gather(&c, s, word, i > window ? i - window : 0,
               i + window < n_word ? i + window : n_word - 1, i);
        learn_target(&c, s->out[word[i]], 1, rate);
        for (int k = 0; k < NEGATIVES; k++) {
            const uint32_t bits = (uint32_t)(gnd_hash_at(h, (uint64_t)k) >> 32);
            const int32_t noise = gnd_alias_draw(s->keep, s->other, s->n, bits);

            if (noise != word[i])
                learn_target(&c, s->out[noise], 0, rate);
        }
        for (int k = 0; k < c.n; k++) { /* a neighbour may occur twice: both changes are added */
            s->in[c.word[k]][0] += c.dx[k / 4][k % 4];
            s->in[c.word[k]][1] += c.dy[k / 4][k % 4];
        }
    }
}
