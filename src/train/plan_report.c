/* SPDX-License-Identifier: MIT
 * plan_report.c - reports the ways to compute passes, and their cost, to the caller. */
#include "plan_report.h"

void gnd_plans_report(const gnd_inputs *in, const gnd_train_opts *o)
{
    static const char *const pass_name[GND_ROW_SETS] = {"training", "validation"};

    for (int set = 0; o->on_plan && set < GND_ROW_SETS; set++) {
        const gnd_plan *p = &in->rows[set].plan;

        for (int k = 0; p->sizes.hops > 0 && k < GND_PLANS; k++)
            o->on_plan(&(gnd_plan_info){.pass = pass_name[set],
                                        .plan = gnd_plan_name((gnd_plan_kind)k),
                                        .possible = p->cost[k].possible,
                                        .chosen = p->kind == (gnd_plan_kind)k,
                                        .ms = p->cost[k].ms,
                                        .ms_once = p->cost[k].ms_once,
                                        .bytes = p->cost[k].bytes,
                                        .n_row = p->sizes.n_row,
                                        .n_reach = p->sizes.n_reach},
                       o->user);
    }
}

void gnd_plans_name(char out[32], const gnd_inputs *in)
{
    size_t used = 0;

    out[0] = '\0';
    for (int set = 0; set < GND_ROW_SETS; set++)
        if (in->rows[set].plan.sizes.hops > 0)
            used += (size_t)snprintf(out + used, 32 - used, "%s%s", used ? ", " : "",
                                     gnd_plan_name(in->rows[set].plan.kind));
}
