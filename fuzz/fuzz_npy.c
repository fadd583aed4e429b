/* SPDX-License-Identifier: MIT
 * fuzz_npy.c - any bytes as one numpy array: no archive and its sums in between. */
#include <string.h>

#include "base/alloc.h"
#include "io/npy.h"

typedef struct {
    const uint8_t *data;
    size_t n;
} source;

static int64_t take(void *user, void *buf, int64_t n)
{
    source *s = user;
    const size_t k = (size_t)n < s->n ? (size_t)n : s->n;

    if (k > 0)
        memcpy(buf, s->data, k);
    s->data += k;
    s->n -= k;
    return (int64_t)k;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    for (int as = 0; as < 4; as++) {
        source s = {data, n};
        gnd_npy a;
        void *out;
        bool distinct;

        if (gnd_npy_open(&a, (gnd_npy_source){take, &s, (int64_t)n, "fuzz"}, NULL) != GND_OK ||
            a.type.kind == 'O' || a.type.kind == '?')
            continue;
        out = as < 3 ? gnd_alloc(a.n_item, 8) : gnd_names_new();
        if (!out)
            continue;
        if (as == 0)
            gnd_npy_reals(&a, out, NULL);
        else if (as == 1)
            gnd_npy_int64(&a, out, NULL);
        else if (as == 2)
            gnd_npy_int32(&a, out, -1, 100, NULL);
        else
            gnd_npy_names(&a, out, &distinct, NULL);
        if (as < 3)
            gnd_free(out);
        else
            gnd_names_free(out);
    }
    return 0;
}
