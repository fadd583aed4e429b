/* SPDX-License-Identifier: MIT
 * fuzz_pickle.c - any bytes as a pickle, and every value it makes looked at. */
#include "io/pickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    gnd_pickle *p = NULL;
    int64_t seen = 0, sum = 0;
    int32_t root;

    if (gnd_pickle_new(&p, (const char *)data, n, "fuzz", NULL) != GND_OK)
        return 0;
    root = gnd_pickle_root(p);
    if (gnd_pickle_kind(p, root) == GND_PK_ARRAY) {
        const gnd_pk_array *a = gnd_pickle_array(p, root);

        for (int64_t i = 0; a->raw && i < a->n_item * a->type.size; i++)
            sum += a->raw[i];
    }
    if (gnd_pickle_kind(p, root) >= GND_PK_LIST && gnd_pickle_kind(p, root) <= GND_PK_DICT) {
        gnd_pickle_find(p, root, "data");
        for (int32_t c = gnd_pickle_first(p, root); c >= 0; c = gnd_pickle_next(p, c)) {
            sum += gnd_pickle_kind(p, gnd_pickle_item(p, c));
            seen++;
        }
        if (seen != gnd_pickle_count(p, root))
            __builtin_trap();
    }
    gnd_pickle_free(p);
    return sum == -1;
}
