/* SPDX-License-Identifier: MIT
 * names_write.c - write names of vertices and classes to a graph file, some at once. */
#include "names_write.h"

#include <string.h>

enum { SOME = 1 << 13 }; /* offsets or bytes that are written at once */

gnd_status gnd_name_offsets_put(gnd_tensor_writer *w, const char *tensor, const gnd_name_list *l,
                                int64_t *size, gnd_error *err)
{
    const int k = gnd_tensor_add(w, tensor, "I64", l->n + 1, 0);
    int64_t some[SOME];
    gnd_status st = GND_OK;

    *size = 0;
    for (int64_t i = 0; i <= l->n; i++) {
        some[i % SOME] = *size;
        *size += i < l->n ? (int64_t)strlen(l->at(l->user, i)) : 0;
        if (i % SOME == SOME - 1 || i == l->n)
            GND_TRY(gnd_tensor_put(w, k, some, i % SOME + 1, err));
    }
out:
    return st;
}

gnd_status gnd_name_bytes_put(gnd_tensor_writer *w, const char *tensor, const gnd_name_list *l,
                              int64_t size, gnd_error *err)
{
    const int k = gnd_tensor_add(w, tensor, "U8", size, 0);
    char some[SOME];
    int64_t used = 0;
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < l->n; i++) {
        const char *name = l->at(l->user, i);
        const int64_t len = (int64_t)strlen(name);

        if (used + len > SOME) {
            GND_TRY(gnd_tensor_put(w, k, some, used, err));
            used = 0;
        }
        if (len > SOME) {
            GND_TRY(gnd_tensor_put(w, k, name, len, err));
        } else {
            memcpy(some + used, name, (size_t)len);
            used += len;
        }
    }
    GND_TRY(gnd_tensor_put(w, k, some, used, err));
out:
    return st;
}
