/* SPDX-License-Identifier: MIT
 * test_skipgram.c - words that keep company come together. */
#include "embed/skipgram.h"

#include "base/rng.h"
#include "check.h"

enum { GROUPS = 3, SIZE = 8, WORDS = GROUPS * SIZE, LENGTH_OF = 40 };

/* A sentence keeps to one group of words. */
static void sentence(int32_t *word, uint32_t number)
{
    for (int i = 0; i < LENGTH_OF; i++)
        word[i] = (int32_t)(number % GROUPS) * SIZE +
                  (int32_t)(gnd_rng_uniform(6, number, (uint64_t)i) * SIZE);
}

static void learn(gnd_skipgram *s, uint64_t seed)
{
    int64_t count[WORDS];
    int32_t word[LENGTH_OF];
    gnd_error err;

    for (int i = 0; i < WORDS; i++)
        count[i] = 1 + i % 3;
    CHECK_OK(gnd_skipgram_init(s, count, WORDS, seed, &err));
    for (uint32_t k = 0; k < 1500; k++) {
        sentence(word, k);
        gnd_skipgram_learn(s, word, LENGTH_OF, 0.025f, gnd_hash_at(seed, k));
    }
}

static void groups(void **state)
{
    gnd_skipgram s, same, other;

    (void)state;
    learn(&s, 1);
    for (int i = 0; i < WORDS; i++)
        for (int j = 0; j < i; j++) {
            const double d = hypot(s.in[i][0] - s.in[j][0], s.in[i][1] - s.in[j][1]);

            if (i / SIZE == j / SIZE ? d > 0.5 : d < 1)
                fail_msg("words %d and %d are %g apart", i, j, d);
        }
    learn(&same, 1);
    assert_memory_equal(s.in, same.in, WORDS * sizeof *s.in);
    assert_memory_equal(s.out, same.out, WORDS * sizeof *s.out);
    learn(&other, 2);
    assert_memory_not_equal(s.in, other.in, WORDS * sizeof *s.in);
    gnd_skipgram_fini(&s);
    gnd_skipgram_fini(&same);
    gnd_skipgram_fini(&other);
}

/* in . out -> its sigmoid; both move. */
static void formula(double *in, double *out, double *move, double label, double rate)
{
    const double g = rate * (label - 1 / (1 + exp(-(in[0] * out[0] + in[1] * out[1]))));

    for (int c = 0; c < 2; c++) {
        move[c] += g * out[c];
        out[c] += g * in[c];
    }
}

/* Two words, noise always the second: every step is known. */
static void one_sentence(void **state)
{
    const int64_t count[2] = {1, 1};
    const int32_t word[2] = {0, 1};
    double in[2][2] = {{0.25, -0.5}, {1.5, -0.75}}, out[2][2] = {{0.75, 0.5}, {-1.25, 3}};
    gnd_skipgram s;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_skipgram_init(&s, count, 2, 5, &err));
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 2; c++) {
            s.in[i][c] = (float)in[i][c];
            s.out[i][c] = (float)out[i][c];
        }
    s.keep[0] = 0;
    s.other[0] = s.other[1] = 1;
    gnd_skipgram_learn(&s, word, 1, 0.5f, 3); /* alone: nothing moves */
    CHECK_CLOSE(s.in[0][0], 0.25, 0);
    gnd_skipgram_learn(&s, word, 2, 0.5f, 3);
    for (int i = 0; i < 2; i++) { /* word i and its neighbour 1 - i */
        double move[2] = {0, 0};

        formula(in[1 - i], out[i], move, 1, 0.5);
        for (int k = 0; k < 5 && i == 0; k++) /* noise that is the word itself does not count */
            formula(in[1 - i], out[1], move, 0, 0.5);
        for (int c = 0; c < 2; c++)
            in[1 - i][c] += move[c];
    }
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 2; c++) {
            CHECK_CLOSE(s.in[i][c], in[i][c], 1e-5);
            CHECK_CLOSE(s.out[i][c], out[i][c], 1e-5);
        }
    gnd_skipgram_fini(&s);
}

/* Noise words have the shares of count^0.75: rare ones more than they occur. */
static void noise(void **state)
{
    static const int64_t count[] = {1, 16, 81, 0};
    static const double weight[] = {1, 8, 27, 0};
    double share[4] = {0};
    gnd_error err = {0};
    gnd_skipgram s;

    (void)state;
    CHECK_OK(gnd_skipgram_init(&s, count, 4, 1, &err));
    for (int i = 0; i < 4; i++) {
        share[i] += s.keep[i] / 4294967296.0 / 4;
        share[s.other[i]] += (1 - s.keep[i] / 4294967296.0) / 4;
    }
    for (int i = 0; i < 4; i++)
        CHECK_CLOSE(share[i], weight[i] / 36, 1e-8);
    gnd_skipgram_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups), cmocka_unit_test(one_sentence),
                                       cmocka_unit_test(noise)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
