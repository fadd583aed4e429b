/* SPDX-License-Identifier: MIT
 * published.c - the figures of the paper's tables, by name. */
#include <math.h>
#include <string.h>

#include "gnd.h"

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
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].per_class != per_class || strcmp(table[i].dataset, dataset) != 0 ||
            strcmp(table[i].method, method) != 0)
            continue;
        *out = (gnd_published){
            .mean = table[i].mean, .std = table[i].std, .not_available = isnan(table[i].mean) != 0};
        return true;
    }
    *out = (gnd_published){.mean = NAN, .std = NAN};
    return false;
}
