/* SPDX-License-Identifier: MIT
 * remark.c - a list that grows. */
#include "remark.h"

#include "base/alloc.h"

gnd_status gnd_remark_add(gnd_remarks *to, gnd_remark r, gnd_error *err)
{
    if (!to)
        return GND_OK;
    if (to->n == to->room) {
        const int64_t room = to->room ? 2 * to->room : 16;
        gnd_remark *list = gnd_realloc(to->list, room, sizeof *list);

        if (!list)
            return gnd_fail(err, GND_ERR_NOMEM, "no memory for remarks");
        to->list = list;
        to->room = room;
    }
    to->list[to->n++] = r;
    return GND_OK;
}

void gnd_remarks_fini(gnd_remarks *r)
{
    gnd_free(r->list);
    *r = (gnd_remarks){0};
}
