/* SPDX-License-Identifier: MIT
 * test_ticks.c - the progress-and-cancel callback: every long call calls it, from the caller's
 * thread and with a share that does not fall, and stops wherever it asks to. Here it is called at
 * every check, so that the k-th call is a place in the work; bench/ticks.c measures the time
 * between calls. */
#include <pthread.h>

#include "io/temp.h"

typedef struct {
    pthread_t caller;
    int64_t n, stop_at; /* calls; the one that asks to stop, -1: none */
    double share;
    const char *stage;
    bool wrong;
} watch;

static int on_tick(const char *stage, double share, void *user)
{
    watch *w = user;

    w->wrong |= !pthread_equal(w->caller, pthread_self()) || !stage;
    w->wrong |= !isnan(share) && (share < 0 || share > 1 || share < w->share);
    if (!isnan(share))
        w->share = share;
    w->stage = stage;
    return w->n++ == w->stop_at;
}

/* A long call, with what it needs. */
typedef struct {
    const char *path; /* of a file to load */
    const char *method;
    int threads;
    gnd_graph *raw, *g;
    gnd_split *s;
    gnd_model *m; /* of method, to predict with */
} place;

typedef gnd_status long_call(const place *p, watch *w, gnd_error *err);

static gnd_train_opts train_opts(const place *p, watch *w)
{
    return (gnd_train_opts){.size = sizeof(gnd_train_opts),
                            .seed = 1,
                            .threads = p->threads,
                            .on_tick = on_tick,
                            .tick_user = w};
}

static gnd_config *config_of(const place *p)
{
    gnd_config *c = NULL;
    gnd_error err;

    CHECK_OK(gnd_config_new(&c, p->method, &err));
    if (strcmp(p->method, "auto") != 0)
        CHECK_OK(gnd_config_set(c, "epochs", "10", &err));
    return c;
}

static gnd_status train(const place *p, watch *w, gnd_error *err)
{
    const gnd_train_opts o = train_opts(p, w);
    gnd_config *c = config_of(p);
    gnd_model *m = NULL;
    const gnd_status st = gnd_train(&m, NULL, p->g, p->s, c, &o, err);

    assert_int_equal(m != NULL, st == GND_OK);
    gnd_model_free(m);
    gnd_config_free(c);
    return st;
}

static gnd_status label(const place *p, watch *w, gnd_error *err)
{
    const gnd_train_opts o = train_opts(p, w);
    gnd_config *c = config_of(p);
    gnd_result res = {.size = sizeof res};
    gnd_prediction *y = NULL;
    gnd_model *m = NULL;
    const gnd_status st = gnd_label(&y, &m, &res, p->g, p->s, c, &o, err);

    assert_int_equal(m != NULL, st == GND_OK);
    assert_int_equal(y != NULL, st == GND_OK);
    gnd_prediction_free(y);
    gnd_model_free(m);
    gnd_config_free(c);
    return st;
}

static gnd_status predict(const place *p, watch *w, gnd_error *err)
{
    const gnd_train_opts o = train_opts(p, w);
    gnd_prediction *y = NULL;
    const gnd_status st = gnd_predict(&y, p->m, p->g, &o, err);

    assert_int_equal(y != NULL, st == GND_OK);
    gnd_prediction_free(y);
    return st;
}

static gnd_status suggest(const place *p, watch *w, gnd_error *err)
{
    const gnd_suggest_opts o = {
        .size = sizeof o, .n = 5, .threads = p->threads, .on_tick = on_tick, .tick_user = w};
    gnd_suggestions *s = NULL;
    const gnd_status st = gnd_suggest(&s, p->g, &o, err);

    assert_int_equal(s != NULL, st == GND_OK);
    gnd_suggestions_free(s);
    return st;
}

static gnd_status make(const place *p, watch *w, gnd_error *err)
{
    const gnd_make_opts o = {.size = sizeof o,
                             .n_node = 3000,
                             .n_edge = 20000,
                             .n_feat = 60,
                             .n_class = 3,
                             .n_word = 5,
                             .on_tick = on_tick,
                             .tick_user = w};
    gnd_graph *g = NULL;
    const gnd_status st = gnd_graph_make(&g, &o, err);

    (void)p;
    assert_int_equal(g != NULL, st == GND_OK);
    gnd_graph_free(g);
    return st;
}

static gnd_status load(const place *p, watch *w, gnd_error *err)
{
    const gnd_load_opts o = {.size = sizeof o, .on_tick = on_tick, .tick_user = w};
    gnd_graph *g = NULL;
    const gnd_status st = gnd_load(&g, p->path, &o, err);

    assert_int_equal(g != NULL, st == GND_OK);
    gnd_graph_free(g);
    return st;
}

static gnd_status convert(const place *p, watch *w, gnd_error *err)
{
    const gnd_convert_opts o = {
        .size = sizeof o, .mode = GND_GRAPH_STD, .on_tick = on_tick, .tick_user = w};
    gnd_graph *g = NULL;
    const gnd_status st = gnd_graph_convert_with(&g, p->raw, &o, err);

    assert_int_equal(g != NULL, st == GND_OK);
    gnd_graph_free(g);
    return st;
}

static gnd_status save_as(const place *p, const char *format, watch *w, gnd_error *err)
{
    const gnd_save_opts o = {.size = sizeof o, .on_tick = on_tick, .tick_user = w};
    const char *path = temp_path("saved");
    const gnd_status st = gnd_graph_save_with(p->raw, path, format, &o, err);
    assert_int_equal(access(path, F_OK) == 0, st == GND_OK);
    nftw(path, temp_remove, 8, FTW_DEPTH | FTW_PHYS);
    return st;
}

static gnd_status save_csv(const place *p, watch *w, gnd_error *err)
{
    return save_as(p, "csv", w, err);
}

static gnd_status save_npz(const place *p, watch *w, gnd_error *err)
{
    return save_as(p, "npz", w, err);
}

static gnd_status save_safetensors(const place *p, watch *w, gnd_error *err)
{
    return save_as(p, "safetensors", w, err);
}

static gnd_status compare(const place *p, watch *w, gnd_error *err)
{
    gnd_config *c[] = {config_of(p), config_of(p)};
    const gnd_compare_opts o = {.size = sizeof o,
                                .configs = (const gnd_config *const *)c,
                                .n_config = 2,
                                .per_class = (const int32_t[]){2, 3},
                                .n_per_class = 2,
                                .n_split = 2,
                                .threads = p->threads,
                                .on_tick = on_tick,
                                .tick_user = w};
    gnd_comparison *r = NULL;
    const gnd_status st = gnd_compare(&r, p->g, &o, err);

    assert_int_equal(r != NULL, st == GND_OK);
    gnd_comparison_free(r);
    gnd_config_free(c[0]);
    gnd_config_free(c[1]);
    return st;
}

static gnd_status sweep(const place *p, watch *w, gnd_error *err)
{
    const gnd_sweep_setting setting = {GND_GRAPH_UND, "original"};
    const gnd_sweep_opts o = {.size = sizeof o,
                              .datasets = (const char *const[]){p->path},
                              .n_dataset = 1,
                              .settings = &setting,
                              .n_setting = 1,
                              .methods = (const char *const[]){p->method},
                              .n_method = 1,
                              .per_class = (const int32_t[]){2},
                              .n_per_class = 1,
                              .n_split = 2,
                              .threads = p->threads,
                              .on_tick = on_tick,
                              .tick_user = w};
    gnd_sweep *s = NULL;
    gnd_error e;
    gnd_status st;

    assert_int_equal(gnd_sweep_new(&s, &o, &e), GND_OK);
    st = gnd_sweep_train(s, false, err);
    gnd_sweep_free(s);
    return st;
}

/* The call succeeds if it is let go on, and ends with GND_ERR_STOPPED whichever call of on_tick
 * asks to stop. */
static void check_call(const char *name, long_call *call, const place *p)
{
    enum { PLACES = 5 };
    gnd_error err = {0};
    watch w = {.caller = pthread_self(), .stop_at = -1};
    int64_t n, stopped = 0;

    if (call(p, &w, &err) != GND_OK)
        fail_msg("%s: %s", name, err.msg);
    if (w.n == 0 || w.wrong)
        fail_msg("%s: %d calls%s", name, (int)w.n, w.wrong ? ", wrong thread or share" : "");
    n = w.n;
    for (int64_t i = 0; i < 2 * PLACES && (i < PLACES ? i < n : n > PLACES); i++) {
        const int64_t k = i < PLACES ? i : (i - PLACES + 1) * (n - 1) / PLACES;
        gnd_status st;

        err = (gnd_error){0};
        w = (watch){.caller = pthread_self(), .stop_at = k};
        st = call(p, &w, &err);
        if (st == GND_OK && w.n <= k)
            continue; /* with several threads the number of calls varies */
        if (st != GND_ERR_STOPPED || err.code != st || !strstr(err.msg, "stopped") || w.wrong)
            fail_msg("%s, call %d of %d: status %d, \"%s\"", name, (int)k, (int)n, st, err.msg);
        stopped++;
    }
    assert_true(stopped > 0);
}

static void open_place(place *p, int64_t n_node)
{
    const gnd_make_opts mo = {.size = sizeof mo,
                              .n_node = n_node,
                              .n_edge = 4 * n_node,
                              .n_feat = 60,
                              .n_class = 3,
                              .n_word = 5,
                              .inside = 80,
                              .seed = 1};
    const gnd_split_opts so = {.size = sizeof so, .per_class = 5, .n_val = 20, .seed = 1};
    gnd_error err;

    CHECK_OK(gnd_graph_make(&p->raw, &mo, &err));
    CHECK_OK(gnd_graph_convert(&p->g, p->raw, GND_GRAPH_UND, &err));
    CHECK_OK(gnd_split_new(&p->s, p->g, &so, &err));
}

static void close_place(place *p)
{
    gnd_model_free(p->m);
    gnd_split_free(p->s);
    gnd_graph_free(p->g);
    gnd_graph_free(p->raw);
}

static void every_call(void **state)
{
    static const struct {
        const char *name;
        long_call *call;
    } calls[] = {
        {"train", train},       {"label", label},       {"predict", predict},
        {"suggest", suggest},   {"load", load},         {"convert", convert},
        {"compare", compare},   {"sweep", sweep},       {"make", make},
        {"save csv", save_csv}, {"save npz", save_npz}, {"save safetensors", save_safetensors}};
    static const char *const methods[] = {"auto", "gcn", "gnd-slp"};
    char path[64];
    gnd_error err;

    (void)state;
    snprintf(path, sizeof path, "%s/g.npz", temp_dir);
    for (int k = 0; k < 3 * 2; k++) {
        place p = {.path = path, .method = methods[k % 3], .threads = 1 + k / 3};
        gnd_config *c;

        open_place(&p, 200);
        CHECK_OK(gnd_graph_save(p.raw, path, "npz", &err));
        c = config_of(&p);
        CHECK_OK(gnd_train(&p.m, NULL, p.g, p.s, c, NULL, &err));
        gnd_config_free(c);
        for (int64_t i = 0; i < LENGTH(calls); i++)
            check_call(calls[i].name, calls[i].call, &p);
        close_place(&p);
    }
}

/* Text files: also in the middle of the lines. */
static void text_files(void **state)
{
    char path[64];
    place p = {.path = path};
    FILE *f;

    (void)state;
    snprintf(path, sizeof path, "%s/edges.txt", temp_dir);
    f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 30000; i++)
        fprintf(f, "%d %d\n", i, (i * 7 + 1) % 30000);
    fclose(f);
    check_call("load text", load, &p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_call), cmocka_unit_test(text_files)};

    setenv("GND_TICK_MS", "0", 1);
    return cmocka_run_group_tests(tests, temp_setup, temp_teardown);
}
