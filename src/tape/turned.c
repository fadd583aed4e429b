/* SPDX-License-Identifier: MIT
 * turned.c - finds the entries of the transpose, and puts masks in their order.
 *
 * An entry of the transpose may be any entry of A. Its bits of eight masks are put into a byte
 * first, so that one look at a place serves eight masks. */
#include "turned.h"

#include <string.h>

const gnd_turned *gnd_turned_get(gnd_tape *t, const gnd_csr *a, const gnd_csr *at)
{
    static const char kind[] = "turned";
    const bool lasts = t->request && t->request == t->lasting;
    const gnd_kept_key key = {.kind = kind, .of = a};
    void *(*const alloc)(gnd_tape *, int64_t, size_t) = lasts ? gnd_tape_store : gnd_tape_alloc;
    const int64_t nnz = gnd_csr_nnz(a);
    gnd_turned *y = lasts ? gnd_tape_kept(t, &key) : NULL;
    int64_t *next;

    if (y)
        return y;
    y = alloc(t, 1, sizeof *y);
    next = gnd_tape_alloc(t, a->n_col, sizeof *next);
    if (!y || !next)
        return NULL;
    *y = (gnd_turned){0};
    if (nnz <= UINT32_MAX)
        y->narrow = alloc(t, nnz, sizeof *y->narrow);
    else
        y->wide = alloc(t, nnz, sizeof *y->wide);
    if (!gnd_tape_ok(t))
        return NULL;
    memcpy(next, at->ptr, (size_t)a->n_col * sizeof *next);
    for (int64_t p = 0; p < nnz; p++) { /* the columns of a row of the transpose ascend */
        const int64_t to = next[a->col[p]]++;

        if (y->narrow)
            y->narrow[to] = (uint32_t)p;
        else
            y->wide[to] = p;
    }
    if (lasts)
        gnd_tape_keep(t, &key, y);
    return y;
}

const gnd_turned *gnd_turned_part(gnd_tape *t, const gnd_csr *a, int64_t before)
{
    static const char kind[] = "turned";
    const gnd_kept_key key = {.kind = kind, .of = a};
    const int64_t nnz = gnd_csr_nnz(a);
    gnd_turned *y = gnd_tape_kept(t, &key);
    int64_t *number;

    if (y)
        return y;
    y = gnd_tape_store(t, 1, sizeof *y);
    number = gnd_tape_alloc(t, nnz, sizeof *number);
    if (!y || !number)
        return NULL;
    *y = (gnd_turned){.wide = gnd_tape_store(t, nnz, sizeof *y->wide)};
    if (!gnd_tape_ok(t))
        return NULL;
    for (int64_t p = 0; p < nnz; p++)
        number[p] = before + p;
    a->part->calls->turn(a->part, y->wide, number, a->ptr, a->col);
    gnd_tape_keep(t, &key, y);
    return y;
}

/* ---- masks ---- */

enum { EIGHT = 8 };

typedef struct {
    const uint64_t *bits[EIGHT]; /* masks of n steps */
    uint64_t *to[EIGHT];
    unsigned char *byte; /* of each entry of A, and of the rest of the last word */
    const gnd_turned *at;
    int64_t nnz;
    int n;
} turn_job;

/* Bit 8 i + k of the result is bit 8 k + i of x. */
static uint64_t bits_turn(uint64_t x)
{
    uint64_t t = (x ^ x >> 7) & UINT64_C(0x00aa00aa00aa00aa);

    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & UINT64_C(0x0000cccc0000cccc);
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return x ^ t ^ t << 28;
}

static void bytes_make(int64_t begin, int64_t end, void *arg)
{
    const turn_job *j = arg;

    for (int64_t w = begin; w < end; w++)
        for (int b = 0; b < 64; b += EIGHT) {
            uint64_t x = 0;

            for (int k = 0; k < j->n; k++)
                x |= (j->bits[k][w] >> b & 0xff) << k * EIGHT;
            x = bits_turn(x);
            for (int i = 0; i < EIGHT; i++)
                j->byte[w * 64 + b + i] = (unsigned char)(x >> i * EIGHT);
        }
}

/* The bytes of n <= 8 entries of the transpose from e on. */
static uint64_t bytes_of(const turn_job *j, int64_t e, int64_t n)
{
    const uint32_t *narrow = j->at->narrow;
    uint64_t x = 0;

    if (narrow && n == EIGHT)
        for (int i = 0; i < EIGHT; i++)
            x |= (uint64_t)j->byte[narrow[e + i]] << i * EIGHT;
    else
        for (int64_t i = 0; i < n; i++)
            x |= (uint64_t)j->byte[narrow ? narrow[e + i] : j->at->wide[e + i]] << i * EIGHT;
    return x;
}

static void masks_make(int64_t begin, int64_t end, void *arg)
{
    const turn_job *j = arg;

    for (int64_t w = begin; w < end; w++) {
        const int64_t left = j->nnz - w * 64 < 64 ? j->nnz - w * 64 : 64;
        uint64_t out[EIGHT] = {0};

        for (int64_t b = 0; b < left; b += EIGHT) {
            const uint64_t x =
                bits_turn(bytes_of(j, w * 64 + b, left - b < EIGHT ? left - b : EIGHT));

            for (int k = 0; k < EIGHT; k++)
                out[k] |= (x >> k * EIGHT & 0xff) << b;
        }
        for (int k = 0; k < j->n; k++)
            j->to[k][w] = out[k];
    }
}

void gnd_turned_masks(gnd_tape *t, uint64_t **to, uint64_t *const *bits, int64_t n,
                      const gnd_turned *turned, int64_t nnz)
{
    const int64_t words = (nnz + 63) / 64;
    turn_job j = {.byte = gnd_tape_alloc(t, words * 64, 1), .at = turned, .nnz = nnz};

    for (int64_t k = 0; k < n; k++) {
        to[k] = gnd_tape_alloc(t, words + 1, sizeof **to);
        if (!gnd_tape_ok(t))
            return;
        to[k][words] = 0;
        j.bits[j.n] = bits[k];
        j.to[j.n++] = to[k];
        if (j.n < EIGHT && k + 1 < n)
            continue;
        gnd_for_elements(t, words, 64, bytes_make, &j);
        gnd_for_elements(t, words, 64, masks_make, &j);
        j.n = 0;
    }
}
