/* SPDX-License-Identifier: MIT
 * explain.c - `gnd train --explain`: the plans of a training run and their costs. */
#include "explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "progress.h"

void explain_plan(explanation *x, const gnd_plan_info *p)
{
    if (x->n < EXPLAIN_MAX)
        x->plan[x->n++] = *p;
}

void explain_epoch(explanation *x)
{
    x->last = clock_now();
    if (x->epochs++ == 0)
        x->first = x->last;
}

double explain_epoch_ms(const explanation *x)
{
    return x->epochs > 1 ? 1000 * (x->last - x->first) / (double)(x->epochs - 1) : (double)NAN;
}

static void print_row(gnd_table *t, const gnd_plan_info *p)
{
    char ms[32] = "-", once[32] = "-", mb[32] = "-";

    if (p->possible) {
        snprintf(ms, sizeof ms, "%.3f", p->ms);
        snprintf(once, sizeof once, "%.1f", p->ms_once);
        snprintf(mb, sizeof mb, "%.1f", (double)p->bytes / 1e6);
    }
    gnd_table_row(t, (const char *[]){p->pass, p->plan, ms, once, mb,
                                      p->chosen     ? "chosen"
                                      : p->possible ? ""
                                                    : "not possible"});
}

void explain_print(const explanation *x, const char *memory)
{
    char rows[32], reach[32];

    if (x->n == 0)
        printf("plan         the method has one way to compute passes\n");
    for (int i = 0; i < x->n; i++)
        if (i == 0 || strcmp(x->plan[i].pass, x->plan[i - 1].pass) != 0)
            printf("%-12s %s vertices, which depend on %s\n", x->plan[i].pass,
                   count_text(rows, x->plan[i].n_row), count_text(reach, x->plan[i].n_reach));
    if (x->n > 0) {
        gnd_table *t = table_new("llrrrl");

        putchar('\n');
        gnd_table_row(t, (const char *[]){"pass", "plan", "ms", "ms once", "MB", ""});
        for (int i = 0; i < x->n; i++)
            print_row(t, &x->plan[i]);
        table_print(t, GND_FORMAT_TEXT, 0);
        printf("\nmemory       %s; estimates are for one core and do not include the "
               "classifier after the hidden layer\n",
               memory);
    }
    if (x->epochs > 1)
        printf("measured     %.3f ms per epoch, %.1f ms until the end of the first\n",
               explain_epoch_ms(x), 1000 * (x->first - x->begin));
}

bool memory_parse(int64_t *out, const char *text)
{
    static const char units[] = "KMG";
    const char *unit;
    char *end;
    double v;

    if (strcmp(text, "min") == 0) {
        *out = -1;
        return true;
    }
    v = strtod(text, &end);
    if (end == text || !(v > 0))
        return false;
    unit = *end ? strchr(units, *end) : NULL;
    if (*end && (!unit || end[1]))
        return false;
    for (long k = unit ? unit - units : -1; k >= 0; k--)
        v *= 1024;
    *out = v < 1 ? 1 : v < 0x1p62 ? (int64_t)v : INT64_MAX;
    return true;
}
