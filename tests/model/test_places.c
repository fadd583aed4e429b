/* SPDX-License-Identifier: MIT
 * test_places.c - where each method drops out, at which of its rates, and that each place has a
 * mask of its own.
 *
 * A pass that draws its masks must give the bits of one that gets, for the places stated here and
 * for no others, the masks that those places and rates stand for. A place more, a place less, two
 * places with one mask or a rate from the wrong setting all show. */
#include "random_graph.h"

#include "base/alloc.h"
#include "model/ppnp_family.h"

enum { N = 60, D = 9, C = 3, ROWS = 5, MAX_PLACES = 24 };

/* places: "place:setting" with #12 for a place a tower. */
static const struct {
    const char *method, *settings, *places;
} cases[] = {
    {"gnd-rnn", "", "X:dropout Z:dropout R:dropout L:dropout"},
    {"gnd-rnn", "cell=lstm dropout_at=Z", "Z:dropout"},
    {"gnd-attn", "", "X:dropout Z:dropout R:dropout L:dropout"},
    {"gcn", "", "X:dropout H:dropout"},
    {"gcn", "layers=4", "X:dropout H:dropout H2:dropout H3:dropout"},
    {"geomgcn", "", "X:dropout H:dropout"},
    {"chebynet", "", "X:dropout H:dropout"},
    {"jknet", "layers=3", "H1:dropout H2:dropout H3:dropout"},
    {"sgc", "", ""},
    {"ppnp", "", "X:dropout H:dropout Pi:dropout_pi"},
    {"ppnp", "mode=matrix-free", "X:dropout H:dropout"},
    {"ppnp-hk", "", "X:dropout H:dropout Pi:dropout_pi"},
    {"ngcn", "", "X_#12:dropout_in H_#12:dropout"},
    {"ngcn", "combine=wsum", "X_#12:dropout_in H_#12:dropout"},
    {"mixhop", "", "X:dropout_in H:dropout"},
    {"lanczosnet", "", "H:dropout"},
    {"dcnn", "", ""},
    {"lr", "", ""},
    {"mlp", "", "X:dropout H:dropout"},
    {"mlp", "style=shchur", "X:dropout H:dropout"},
    {"appnp", "dropout_links=0", "X:dropout H:dropout"},
    {"gprgnn", "", "X:dropout H:dropout Z:dropout_z"},
    {"sign", "", "H:dropout"},
    {"cs", "", ""},
    {"cs", "base=mlp", "X:dropout H:dropout"},
    {"gdc", "", "H:dropout"},
};

/* No two alike, so that a rate taken from another setting shows. */
static const struct {
    const char *setting, *text;
    double rate;
} rates[] = {{"dropout", "0.25", 0.25},
             {"dropout_in", "0.375", 0.375},
             {"dropout_pi", "0.5", 0.5},
             {"dropout_z", "0.625", 0.625}};

static double rate_of(const char *setting)
{
    for (int64_t i = 0; i < LENGTH(rates); i++)
        if (strcmp(rates[i].setting, setting) == 0)
            return rates[i].rate;
    fail_msg("no rate for %s", setting);
    return 0;
}

typedef struct {
    gnd_graph *g;
    gnd_config *c;
    gnd_model *m;
    gnd_inputs in;
    gnd_tape *t;
    char name[MAX_PLACES][48];
    unsigned char *keep[MAX_PLACES];
    gnd_mask mask[MAX_PLACES];
    int n;
} work;

static const int32_t rows[ROWS] = {3, 1, 44, 20, 7};

static void begin(work *w, const char *method, const char *settings)
{
    char name[32], value[32];
    gnd_error err = {0};
    int used;

    *w = (work){.g = random_graph(N, D, C)};
    CHECK_OK(gnd_config_new(&w->c, method, &err));
    for (int64_t i = 0; i < LENGTH(rates); i++) /* those it has */
        gnd_config_set(w->c, rates[i].setting, rates[i].text, NULL);
    for (; sscanf(settings, " %31[^=]=%31s%n", name, value, &used) == 2; settings += used)
        CHECK_OK(gnd_config_set(w->c, name, value, &err));
    CHECK_OK(gnd_model_new(&w->m, w->g, w->c, 3, &err));
    CHECK_OK(gnd_inputs_init(&w->in, w->m, w->g, NULL, &err));
    CHECK_OK(
        gnd_inputs_add_rows(&w->in, w->m, GND_TRAIN_ROWS, (gnd_row_list){rows, ROWS}, NULL, &err));
    CHECK_OK(gnd_tape_new(&w->t, NULL, &err));
    w->t->seed = 11;
}

static void end(work *w)
{
    for (int i = 0; i < w->n; i++)
        free(w->keep[i]);
    gnd_tape_free(w->t);
    gnd_inputs_fini(&w->in);
    gnd_model_free(w->m);
    gnd_config_free(w->c);
    gnd_graph_free(w->g);
}

/* A training pass of epoch 6; the rows asked for only where there are rows of a matrix for them. */
static const gnd_node *pass(work *w)
{
    gnd_var y;

    gnd_tape_reset(w->t, true, 6);
    if (w->in.rows[GND_TRAIN_ROWS].part.n_row > 0)
        gnd_tape_request(w->t, rows, ROWS);
    y = w->c->method->forward(w->m, &w->in, w->t);
    return gnd_tape_ok(w->t) ? gnd_tape_node(w->t, y) : NULL;
}

static void expect_place(work *w, const char *place, int number, double rate)
{
    gnd_mask *k = &w->mask[w->n];

    assert_true(w->n < MAX_PLACES);
    if (number < 0)
        snprintf(w->name[w->n], sizeof w->name[0], "%s", place);
    else
        snprintf(w->name[w->n], sizeof w->name[0], "%s%d", place, number);
    *k = (gnd_mask){.place = w->name[w->n++], .keep = (const unsigned char *)"", .p = rate};
}

static void expect_places(work *w, const char *places)
{
    char item[32], setting[32];
    int used;

    for (; sscanf(places, " %31[^:]:%31s%n", item, setting, &used) == 2; places += used) {
        char *tower = strchr(item, '#');
        const int n = tower ? atoi(tower + 1) : 1;

        if (tower)
            *tower = '\0';
        for (int i = 0; i < n; i++)
            expect_place(w, item, tower ? i : -1, rate_of(setting));
    }
}

/* The law of masks, from the ops themselves: what became of n ones. */
static void draw(work *w, int i, int64_t n)
{
    gnd_real *one = calloc((size_t)n, sizeof *one);
    const gnd_node *y;

    w->keep[i] = calloc((size_t)n, 1);
    assert_true(one && w->keep[i]);
    for (int64_t e = 0; e < n; e++)
        one[e] = 1;
    w->t->mask = NULL;
    w->t->n_mask = 0;
    gnd_tape_reset(w->t, true, 6);
    y = gnd_tape_node(
        w->t, gnd_dropout(w->t, gnd_constant(w->t, one, n, 1), w->mask[i].p, w->mask[i].place));
    for (int64_t e = 0; e < n; e++)
        w->keep[i][e] = y->v[e] != 0;
    w->mask[i].keep = w->keep[i];
    w->mask[i].n = n;
    free(one);
}

/* The tape refuses a mask of the wrong size, which tells where the place is and how large. */
static void find_size(work *w, int i)
{
    long long size = 0;
    char text[64];
    const char * not ;

    w->t->mask = w->mask;
    w->t->n_mask = i + 1;
    if (pass(w))
        fail_msg("%s does not drop out at %s", w->c->method->name, w->mask[i].place);
    snprintf(text, sizeof text, "dropout %s:", w->mask[i].place);
    not = strstr(w->t->err.msg, ", not ");
    if (!strstr(w->t->err.msg, text) || !not || sscanf(not, ", not %lld", &size) != 1)
        fail_msg("%s: \"%s\" instead of a word on %s", w->c->method->name, w->t->err.msg,
                 w->mask[i].place);
    draw(w, i, size);
}

static void places(void **state)
{
    (void)state;
    for (int64_t k = 0; k < LENGTH(cases); k++) {
        gnd_real *drawn;
        const gnd_node *y;
        size_t bytes;
        work w;

        begin(&w, cases[k].method, cases[k].settings);
        y = pass(&w);
        assert_non_null(y);
        bytes = (size_t)(y->rows * y->cols) * sizeof *drawn;
        drawn = malloc(bytes);
        assert_non_null(drawn);
        memcpy(drawn, y->v, bytes);
        expect_places(&w, cases[k].places);
        for (int i = 0; i < w.n; i++)
            find_size(&w, i);
        w.t->mask = w.mask;
        w.t->n_mask = w.n;
        y = pass(&w);
        assert_non_null(y);
        if (memcmp(drawn, y->v, bytes) != 0)
            fail_msg("%s %s: it drops out elsewhere, or otherwise, than at %s", cases[k].method,
                     cases[k].settings, cases[k].places);
        free(drawn);
        end(&w);
    }
}

/* Links drop out inside the walk, which takes no masks from outside. */
static void appnp_drops_links(void **state)
{
    gnd_real drawn[N * C];
    const gnd_node *y;
    work w;

    (void)state;
    begin(&w, "appnp", "dropout=0 dropout_links=.4 hops=7 teleport=.2");
    y = pass(&w);
    assert_non_null(y);
    memcpy(drawn, y->v, sizeof drawn);
    gnd_tape_reset(w.t, true, 6);
    y = gnd_tape_node(w.t,
                      gnd_restart(w.t, &w.in.op.a, &w.in.op.at, gnd_predict_local(w.m, &w.in, w.t),
                                  &(gnd_restart_walk){7, 0.2, 0.4, "S"}));
    assert_memory_equal(drawn, y->v, sizeof drawn);
    gnd_tape_reset(w.t, true, 6);
    y = gnd_tape_node(w.t,
                      gnd_restart(w.t, &w.in.op.a, &w.in.op.at, gnd_predict_local(w.m, &w.in, w.t),
                                  &(gnd_restart_walk){7, 0.2, 0, "S"}));
    assert_memory_not_equal(drawn, y->v, sizeof drawn);
    end(&w);
}

/* Every method trained by gradients is in the list, but for the variants of the program's own. */
static void none_is_left_out(void **state)
{
    (void)state;
    for (int i = 0; gnd_method_at(i); i++) {
        const gnd_method *m = gnd_method_at(i);
        bool listed = !m->recipe || strncmp(m->name, "gnd-", 4) == 0;

        for (int64_t k = 0; k < LENGTH(cases); k++)
            listed |= strcmp(cases[k].method, m->name) == 0;
        if (!listed)
            fail_msg("nobody says where %s drops out", m->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(appnp_drops_links),
        cmocka_unit_test(none_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
