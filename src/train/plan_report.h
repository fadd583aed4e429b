/* SPDX-License-Identifier: MIT
 * plan_report.h - reports the ways to compute passes, and their cost, to the caller. */
#ifndef GND_TRAIN_PLAN_REPORT_H
#define GND_TRAIN_PLAN_REPORT_H

#include "model/model.h"

/* Report the cost of every plan of each kind of pass, and which one is chosen, to o->on_plan. */
void gnd_plans_report(const gnd_inputs *in, const gnd_train_opts *o);
/* For example "stored, features": the chosen plans of training and validation passes. */
void gnd_plans_name(char out[32], const gnd_inputs *in);

#endif
