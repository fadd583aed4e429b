/* SPDX-License-Identifier: MIT
 * opts.c - read and fill structs of the caller, whose size field may differ from this version's. */
#include "opts.h"

#include <string.h>

gnd_status gnd_opts_check(const void *o, uint32_t size, const char *name, gnd_error *err)
{
    uint32_t given;

    memcpy(&given, o, sizeof given);
    if (given < sizeof given || given > size)
        return gnd_fail(err, GND_ERR_ARG, "%s: its size field is %u; set it to sizeof(%s), %u",
                        name, given, name, size);
    return GND_OK;
}

gnd_status gnd_opts_get(void *out, uint32_t size, const void *o, const char *name, gnd_error *err)
{
    uint32_t given = size;
    gnd_status st = GND_OK;

    memset(out, 0, size);
    if (o) {
        GND_TRY(gnd_opts_check(o, size, name, err));
        memcpy(&given, o, sizeof given);
        memcpy(out, o, given);
    }
    memcpy(out, &size, sizeof size);
out:
    return st;
}

void gnd_opts_put(void *to, const void *from, uint32_t size)
{
    uint32_t given;

    memcpy(&given, to, sizeof given);
    memcpy(to, from, given < size ? given : size);
    memcpy(to, &given, sizeof given);
}
