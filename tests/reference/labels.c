/* SPDX-License-Identifier: MIT
 * labels.c - kinds of methods that remember labels: label spreading, correct and smooth, wvGN. */
#include "reference.h"

#include <stdlib.h>

#include "model/ls.h"
#include "train/metric.h"

/* A model of the method on the file's graph, with its training labels. */
typedef struct {
    verdict *r;
    gnd_graph *g;
    gnd_config *c;
    gnd_model *m;
    gnd_inputs in;
    int32_t *train;
    int64_t n_train;
} trial;

static bool start(trial *x, verdict *r, const char *method)
{
    gnd_error err = {0};

    *x = (trial){.r = r, .g = ref_graph(r)};
    if (!x->g)
        return false;
    x->train = need_list(r, "train", &x->n_train, 0, x->g->n_node - 1);
    return x->train && ref_ok(r, gnd_config_new(&x->c, method, &err), &err) &&
           ref_ok(r, gnd_model_new(&x->m, x->g, x->c, 1, &err), &err) &&
           ref_ok(r, gnd_model_keep_labels(x->m, x->g, x->train, x->n_train, &err), &err) &&
           ref_ok(r, gnd_inputs_init(&x->in, x->m, x->g, NULL, &err), &err);
}

static void finish(trial *x)
{
    gnd_inputs_fini(&x->in);
    gnd_model_free(x->m);
    gnd_config_free(x->c);
    free(x->train);
    gnd_graph_free(x->g);
}

static void check_top(trial *x, const char *name, const gnd_real *v)
{
    const int32_t C = x->g->n_class;
    int32_t *top = room(x->g->n_node, sizeof *top);

    for (int64_t i = 0; i < x->g->n_node; i++)
        top[i] = gnd_argmax(v + i * C, C);
    check_list(x->r, name, top, x->g->n_node);
    free(top);
}

/* ---- label spreading ---- */

static int64_t empty_rows(const gnd_real *v, int64_t n, int64_t C)
{
    int64_t count = 0;

    for (int64_t i = 0; i < n; i++) {
        bool empty = true;

        for (int64_t c = 0; c < C; c++)
            empty = empty && v[i * C + c] == 0;
        count += empty;
    }
    return count;
}

void ref_ls(verdict *r)
{
    trial x;
    double alpha;

    if (start(&x, r, "ls") && need_scalar(r, "hp.a", &alpha)) {
        const int64_t n = x.g->n_node;
        const int32_t C = x.g->n_class;
        gnd_real *F = room(n * C, sizeof *F);
        gnd_error err = {0};

        if (ref_ok(r, gnd_ls_spread(F, &x.in, C, alpha, false, NULL, &err), &err)) {
            check_real(r, "F", F, n, C);
            check_top(&x, "pred", F);
            check_whole(r, "unreached", empty_rows(F, n, C));
        }
        if (ref_ok(r, gnd_ls_spread(F, &x.in, C, alpha, true, NULL, &err), &err)) {
            check_real(r, "F_mass", F, n, C);
            check_top(&x, "pred_mass", F);
        }
        free(F);
    }
    finish(&x);
}
