/* SPDX-License-Identifier: MIT
 * plan.h - how a pass over some rows of a diffusion is computed: the cheapest way that fits.
 *
 * The choice is a pure function of sizes and of the memory budget, never of the clock, the number
 * of threads or the kernels in use, so that two runs give the same bits. All ways are exact; they
 * differ in the order of sums, by about 1e-6 of the largest value in float. */
#ifndef GND_PLAN_PLAN_H
#define GND_PLAN_PLAN_H

#include "budget.h"

typedef enum {
    GND_PLAN_WHOLE,  /* all rows by Horner's scheme, then those requested; gradients by the adjoint
                        series */
    GND_PLAN_POWERS, /* Z, A Z, A^2 Z, .. in two buffers, keeping the rows requested */
    GND_PLAN_STORED, /* (A^k)_S made once, then P(alpha) Z in each pass */
    GND_PLAN_FEATURES, /* (A^k X)_S made once, then (sum_k alpha_k (A^k X)_S) Theta in each pass */
    GND_PLANS
} gnd_plan_kind;

/* Sizes that decide. S: the rows requested. */
typedef struct {
    int64_t n_node, nnz;      /* of the operator */
    int64_t n_row;            /* |S| */
    int64_t n_reach;          /* vertices within the hops of S, S among them */
    int64_t hops, first;      /* hops first .. first + hops - 1 */
    int64_t width;            /* columns of Z */
    int64_t n_feat, nnz_feat; /* of the features that Z is made of */
    bool batches;   /* n_row of them in a pass, others in the next: nothing is made once */
    bool back;      /* gradients are computed too */
    bool weighted;  /* the hops are summed by weights; else each is read */
    bool keeps;     /* Z is read after its hops are made: buffers of its size are new */
    bool linear;    /* Z = X Theta without dropout: X may be diffused instead */
    int64_t epochs; /* that share what is made once; 0: those of a typical run */
} gnd_plan_sizes;

typedef struct {
    bool possible;
    double ms;      /* a pass, estimated: from features to the diffused rows, and back */
    double ms_once; /* what is made before */
    int64_t bytes;  /* besides Z and its gradient */
} gnd_plan_cost;

typedef struct {
    gnd_plan_kind kind;
    gnd_plan_sizes sizes; /* hops 0: no plan was made */
    gnd_plan_cost cost[GND_PLANS];
} gnd_plan;

/* "whole", "powers", "stored", "features" */
const char *gnd_plan_name(gnd_plan_kind kind);
/* GND_PLANS if there is none of that name. */
gnd_plan_kind gnd_plan_find(const char *name);
/* The cheapest possible plan that fits what is left of the budget; if none does, the one that takes
 * least. wish: a plan that is taken where it is possible; GND_PLANS: none. */
void gnd_plan_choose(gnd_plan *out, const gnd_plan_sizes *s, const gnd_budget *b,
                     gnd_plan_kind wish);
/* gnd_plan_sizes.epochs of a training run that has at most so many. On small graphs the plan, and
 * so every bit, is that of a typical run. */
int64_t gnd_plan_epochs(int64_t nnz, int64_t most);
/* Are the columns of stored rows only those that S reaches? A list costs a copy of their features,
 * so it must leave out a tenth of them. */
bool gnd_plan_lists(const gnd_plan_sizes *s);
/* Rows that no plan was made for: are they so few that GND_PLAN_POWERS is cheaper than
 * GND_PLAN_WHOLE? Gradients need the rows of every hop. */
bool gnd_plan_few_rows(int64_t n_row, int64_t n_node, int64_t hops, bool back);
/* A level of a receptive field lists its rows up to this many; larger ones are whole. */
int64_t gnd_plan_level_most(int64_t n_node);

#endif
