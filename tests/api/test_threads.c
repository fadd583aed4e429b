/* SPDX-License-Identifier: MIT
 * test_threads.c - eight threads of one process fit different models at once, on one graph and on
 * graphs of their own that share its features: the results are those of one thread after another.
 * tools/check_long.sh runs this with the thread sanitizer. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8 };

typedef struct {
    const gnd_graph *raw; /* shared */
    int k;
    bool own; /* convert the graph in the thread */
    const gnd_graph *g;
    int32_t *label;
    float *prob;
    gnd_status st;
    gnd_error err;
} job;

static int on_tick(const char *stage, double share, void *user)
{
    (void)stage, (void)share;
    ++*(int64_t *)user;
    return 0;
}

static void fit(job *j)
{
    static const char *const method[] = {"auto", "gcn", "gnd-slp", "sgc"};
    const gnd_split_opts so = {
        .size = sizeof so, .per_class = 4, .n_val = 20, .seed = (uint32_t)j->k};
    int64_t ticks = 0;
    const gnd_train_opts o = {.size = sizeof o,
                              .seed = (uint64_t)j->k,
                              .threads = 1 + j->k % 2,
                              .on_tick = on_tick,
                              .tick_user = &ticks};
    gnd_graph *mine = NULL;
    const gnd_graph *g = j->g;
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_prediction *p = NULL;
    int32_t C;

    j->st = j->own ? gnd_graph_convert(&mine, j->raw, GND_GRAPH_UND, &j->err) : GND_OK;
    g = j->own ? mine : g;
    if (j->st == GND_OK)
        j->st = gnd_split_new(&s, g, &so, &j->err);
    if (j->st == GND_OK)
        j->st = gnd_config_new(&c, method[j->k % 4], &j->err);
    if (j->st == GND_OK && j->k % 4)
        j->st = gnd_config_set(c, "epochs", "20", &j->err);
    if (j->st == GND_OK)
        j->st = gnd_label(&p, NULL, NULL, g, s, c, &o, &j->err);
    if (j->st == GND_OK) {
        const size_t n = (size_t)gnd_prediction_n(p);
        const float *prob = gnd_prediction_probs(p, &C);

        j->label = malloc(n * sizeof *j->label);
        j->prob = malloc(n * (size_t)C * sizeof *j->prob);
        memcpy(j->label, gnd_prediction_labels(p), n * sizeof *j->label);
        memcpy(j->prob, prob, n * (size_t)C * sizeof *j->prob);
    }
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(mine);
}

static void *run(void *arg)
{
    fit(arg);
    return NULL;
}

static void together(void **state)
{
    const gnd_make_opts mo = {.size = sizeof mo,
                              .n_node = 500,
                              .n_edge = 2000,
                              .n_feat = 80,
                              .n_class = 3,
                              .n_word = 6,
                              .inside = 70,
                              .seed = 1};
    gnd_graph *raw = NULL, *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_graph_make(&raw, &mo, &err));
    CHECK_OK(gnd_graph_convert(&g, raw, GND_GRAPH_UND, &err));
    for (int own = 0; own < 2; own++) {
        job alone[THREADS] = {0}, at_once[THREADS] = {0};
        pthread_t thread[THREADS];

        for (int k = 0; k < THREADS; k++) {
            alone[k] = at_once[k] = (job){.raw = raw, .g = g, .k = k, .own = own};
            fit(&alone[k]);
        }
        for (int k = 0; k < THREADS; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, run, &at_once[k]), 0);
        for (int k = 0; k < THREADS; k++) {
            pthread_join(thread[k], NULL);
            if (alone[k].st != GND_OK || at_once[k].st != GND_OK)
                fail_msg("%d: %s%s", k, alone[k].err.msg, at_once[k].err.msg);
            assert_memory_equal(alone[k].label, at_once[k].label, 500 * sizeof(int32_t));
            assert_memory_equal(alone[k].prob, at_once[k].prob, 3 * 500 * sizeof(float));
            free(alone[k].label);
            free(alone[k].prob);
            free(at_once[k].label);
            free(at_once[k].prob);
        }
    }
    gnd_graph_free(g);
    gnd_graph_free(raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(together)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
