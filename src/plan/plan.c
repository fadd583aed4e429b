/* SPDX-License-Identifier: MIT
 * plan.c - what each way of computing a pass of a diffusion costs, and the choice.
 *
 * Work is counted as multiply-adds of several kinds (cost.h). */
#include "plan.h"

#include <string.h>

#include "cost.h"
#include "product.h"

static const char *const names[GND_PLANS] = {"whole", "powers", "stored", "features"};

const char *gnd_plan_name(gnd_plan_kind kind)
{
    return kind < GND_PLANS ? names[kind] : "none";
}

gnd_plan_kind gnd_plan_find(const char *name)
{
    int k = 0;

    while (k < GND_PLANS && strcmp(names[k], name) != 0)
        k++;
    return (gnd_plan_kind)k;
}

static double ms(double work, double ns)
{
    return work * ns * 1e-6;
}

static int64_t bytes_of(double values)
{
    return values < 0x1p60 ? (int64_t)(values * VALUE) : INT64_MAX;
}

/* X Theta for `rows` vertices, and the product with its transpose for gradients. */
static double project_ms(const gnd_plan_sizes *s, int64_t rows)
{
    const double entries = (double)s->nnz_feat / (double)(s->n_node > 0 ? s->n_node : 1);

    return ms(entries * (double)rows * (double)s->width, s->back ? 2 * NS_DROPPED : NS_GATHER);
}

/* A product of the operator and a matrix of s->width columns. */
static double product_ms(const gnd_plan_sizes *s)
{
    const gnd_product_sizes p = {s->n_node, s->n_node, s->nnz, s->width, VALUE};

    return ms((double)s->nnz * (double)s->width, gnd_product_short(&p) ? NS_SHORT : NS_GATHER);
}

/* Once: all values of stored hops are written, and their basis is found (linalg/hop_basis.h): a
 * Gram matrix of the hops and a product of the basis with each. */
static double basis_ms(const gnd_plan_sizes *s, double cells)
{
    const double hops = (double)s->hops;

    return ms(hops * cells, 2 * NS_STREAM) + ms(1.5 * hops * hops * cells, NS_BASIS);
}

static gnd_plan_cost whole(const gnd_plan_sizes *s)
{
    const double nr = (double)s->n_node * (double)s->width;
    const double hop = product_ms(s) + ms(nr, NS_DENSE);
    const double products = (double)(s->hops + s->first);
    double cost = project_ms(s, s->n_node) + products * hop;

    if (s->back) /* one more product per hop, added to dZ and compared with Z */
        cost += products * hop + (double)s->hops * ms(nr, NS_STREAM);
    return (gnd_plan_cost){
        .possible = true, .ms = cost, .bytes = (s->back ? 4 : 2) * s->n_node * s->width * VALUE};
}

static gnd_plan_cost powers(const gnd_plan_sizes *s)
{
    const double hop = product_ms(s);
    const double products = (double)(s->hops + s->first - 1); /* the last one is for S alone */
    const double kept = (double)s->hops * (double)s->n_row * (double)s->width;
    const int64_t rows = s->back || !s->weighted ? s->hops * s->n_row : s->n_row;
    /* two for values, two for gradients; Z and its gradient are these if Z is not read again */
    const int64_t buffers = s->keeps ? (s->back ? 4 : 2) : s->back ? 0 : 1;

    return (gnd_plan_cost){.possible = true,
                           .ms = project_ms(s, s->n_node) +
                                 (s->back ? 2 : 1) * (products * hop + ms(kept, NS_STREAM)),
                           .bytes = (buffers * s->n_node + rows) * s->width * VALUE};
}

static gnd_plan_cost stored(const gnd_plan_sizes *s)
{
    const int64_t m = gnd_plan_lists(s) ? s->n_reach : s->n_node;
    const double cells = (double)s->n_row * (double)m, values = (double)s->hops * cells;
    const double products = (double)(s->hops + s->first - 1);
    const double entries = (double)s->nnz * ((double)m / (double)(s->n_node > 0 ? s->n_node : 1));

    return (gnd_plan_cost){
        .possible = s->weighted && !s->batches,
        .ms = project_ms(s, m) + (s->back ? 2 : 1) * ms(values, NS_HOPS) +
              (s->back ? 3 : 1) * ms(cells * (double)s->width, NS_DENSE),
        .ms_once = products * ms(entries * (double)s->n_row, NS_GATHER) + basis_ms(s, cells),
        .bytes = bytes_of(values + 2 * cells),
    };
}

static gnd_plan_cost features(const gnd_plan_sizes *s)
{
    const double cells = (double)s->n_row * (double)s->n_feat, values = (double)s->hops * cells;
    const double products = (double)(s->hops + s->first - 1);

    return (gnd_plan_cost){
        .possible = s->weighted && s->linear && !s->batches,
        .ms = (s->back ? 2 : 1) * ms(values, NS_HOPS) +
              (s->back ? 3 : 1) * ms(cells * (double)s->width, NS_DENSE),
        .ms_once =
            products * ms((double)s->nnz * (double)s->n_feat, NS_GATHER) + basis_ms(s, cells),
        .bytes = bytes_of(values + cells),
    };
}

void gnd_plan_choose(gnd_plan *out, const gnd_plan_sizes *s, const gnd_budget *b,
                     gnd_plan_kind wish)
{
    const int64_t memory = gnd_budget_left(b);
    const double epochs = (double)(s->epochs > 0 ? s->epochs : TYPICAL_EPOCHS);
    const gnd_plan_cost *c = out->cost;
    int best = -1;

    *out = (gnd_plan){.sizes = *s, .cost = {whole(s), powers(s), stored(s), features(s)}};
    for (int k = 0; k < GND_PLANS; k++) {
        const bool fits = c[k].bytes <= memory, best_fits = best >= 0 && c[best].bytes <= memory;
        const double each = c[k].ms + c[k].ms_once / epochs;

        if (!c[k].possible)
            continue;
        if (best < 0 || (fits && !best_fits) ||
            (fits && each < c[best].ms + c[best].ms_once / epochs) ||
            (!fits && !best_fits && c[k].bytes < c[best].bytes))
            best = k;
    }
    out->kind = wish < GND_PLANS && c[wish].possible ? wish : (gnd_plan_kind)best;
}

int64_t gnd_plan_epochs(int64_t nnz, int64_t most)
{
    return nnz >= SHORT_RUNS_FROM && most < TYPICAL_EPOCHS ? most : TYPICAL_EPOCHS;
}

bool gnd_plan_lists(const gnd_plan_sizes *s)
{
    return s->n_reach < s->n_node / 10 * LIST_TENTHS;
}

bool gnd_plan_few_rows(int64_t n_row, int64_t n_node, int64_t hops, bool back)
{
    return n_row * (back ? hops : FEW_ROWS) <= n_node;
}

int64_t gnd_plan_level_most(int64_t n_node)
{
    return n_node / 8 * LEVEL_EIGHTHS;
}
