/* SPDX-License-Identifier: MIT
 * opts.c - option structs of any age. */
#include "opts.h"

#include <string.h>

gnd_status gnd_opts_get(void *out, uint32_t size, const void *o, const char *name, gnd_error *err)
{
    uint32_t given = size;

    memset(out, 0, size);
    if (o) {
        memcpy(&given, o, sizeof given);
        if (given < sizeof given || given > size)
            return gnd_fail(err, GND_ERR_ARG, "%s: its size field is %u; expected %u", name, given,
                            size);
        memcpy(out, o, given);
    }
    memcpy(out, &size, sizeof size);
    return GND_OK;
}
