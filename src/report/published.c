/* SPDX-License-Identifier: MIT
 * published.c - the figures of the paper's tables, by name. */
#include <math.h>
#include <string.h>

#include "base/opts.h"

static const struct {
    const char *dataset, *method;
    int32_t per_class;
    double mean, std;
} table[] = {
#define X(dataset, method, per_class, mean, std) {dataset, method, per_class, mean, std},
#include "published.def"
#undef X
};

bool gnd_published_get(gnd_published *out, const char *dataset, const char *method,
                       int32_t per_class)
{
    if (gnd_opts_check(out, sizeof *out, "gnd_published", NULL) != GND_OK)
        return false;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].per_class != per_class || strcmp(table[i].dataset, dataset) != 0 ||
            strcmp(table[i].method, method) != 0)
            continue;
        gnd_opts_put(out,
                     &(gnd_published){.mean = table[i].mean,
                                      .std = table[i].std,
                                      .not_available = isnan(table[i].mean) != 0},
                     sizeof *out);
        return true;
    }
    gnd_opts_put(out, &(gnd_published){.mean = NAN, .std = NAN}, sizeof *out);
    return false;
}
