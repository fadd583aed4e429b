/* SPDX-License-Identifier: MIT
 * skipgram.h - two-dimensional word vectors; words with similar neighbours in sentences have
 * similar vectors. */
#ifndef GND_EMBED_SKIPGRAM_H
#define GND_EMBED_SKIPGRAM_H

#include "base/status.h"

typedef struct {
    int64_t n;
    float (*in)[2], (*out)[2]; /* [n] */
    uint32_t *keep;            /* [n] alias tables of the noise distribution */
    int32_t *other;            /* [n] */
} gnd_skipgram;

/* count: [n] number of occurrences of each word, not all 0. */
gnd_status gnd_skipgram_init(gnd_skipgram *s, const int64_t *count, int64_t n, uint64_t seed,
                             gnd_error *err);
void gnd_skipgram_fini(gnd_skipgram *s);
/* Learns from one sentence; key: of its random numbers. */
void gnd_skipgram_learn(gnd_skipgram *s, const int32_t *word, int64_t n_word, float rate,
                        uint64_t key);

#endif
