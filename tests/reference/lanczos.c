/* SPDX-License-Identifier: MIT
 * lanczos.c - Lanczos vectors and Ritz pairs of S from a given start. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

#include "linalg/lanczos.h"
#include "graph/operator.h"

/* V diag(value^10) V^T 1: what Ritz pairs are used for, whatever their signs. */
static void long10(verdict *r, const gnd_lanczos *l)
{
    double *sum = room(l->n, sizeof *sum);

    for (int64_t j = 0; j < l->k; j++) {
        double share = 0;

        for (int64_t i = 0; i < l->n; i++)
            share += l->vector[i * l->k + j];
        share *= pow(l->value[j], 10);
        for (int64_t i = 0; i < l->n; i++)
            sum[i] += l->vector[i * l->k + j] * share;
    }
    check_double(r, "long10_ones", sum, l->n, 1);
    free(sum);
}

/* Each column with the sign that the file gave it. */
static void vectors(verdict *r, const gnd_lanczos *l)
{
    const double *want = need_real(r, "ritz_vectors", l->n, l->k);
    double *got = room(l->n * l->k, sizeof *got);

    for (int64_t j = 0; want && j < l->k; j++) {
        double along = 0;

        for (int64_t i = j; i < l->n * l->k; i += l->k)
            along += want[i] * l->vector[i];
        for (int64_t i = j; i < l->n * l->k; i += l->k)
            got[i] = along < 0 ? -l->vector[i] : l->vector[i];
    }
    if (want)
        check_double(r, "ritz_vectors", got, l->n, l->k);
    free(got);
}

void ref_lanczos(verdict *r)
{
    gnd_graph *g = ref_graph(r);
    const double *start = g ? need_real(r, "start", 1, g->n_node) : NULL;
    int64_t steps = 0;
    gnd_operator s = {0};
    gnd_lanczos l = {0};
    gnd_error err = {0};
    double *q = NULL;

    if (start && need_whole(r, "steps_asked", &steps, 1000) &&
        ref_ok(r, gnd_operator_init(&s, GND_OP_S, &g->adj, &err), &err) &&
        ref_ok(r, gnd_lanczos_init(&l, &s.a, start, steps, &err), &err)) {
        check_whole(r, "steps_done", l.done);
        check_double(r, "diag", l.diag, 1, l.k);
        check_double(r, "off", l.off, 1, l.k);
        q = room(l.n * l.k, sizeof *q);
        for (int64_t i = 0; i < l.n * l.k; i++)
            q[i] = l.q[i % l.k * l.n + i / l.k];
        check_double(r, "Q", q, l.n, l.k);
        check_double(r, "ritz_values", l.value, 1, l.k);
        vectors(r, &l);
        long10(r, &l);
    }
    free(q);
    gnd_lanczos_fini(&l);
    gnd_operator_fini(&s);
    gnd_graph_free(g);
}
