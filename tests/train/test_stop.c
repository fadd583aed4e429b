/* SPDX-License-Identifier: MIT
 * test_stop.c - stopping rules on sequences short enough to work out by hand. The long ones are in
 * the reference vectors. */
#include "train/stop.h"
#include "check.h"

typedef struct {
    int64_t last, used; /* epoch the rule stopped after, -1: never; epoch whose weights count */
} outcome;

static outcome play(gnd_stop_rule rule, int64_t patience, const double (*seen)[2], int64_t n)
{
    gnd_error err = {0};
    outcome o = {-1, -1};
    gnd_stop s;

    CHECK_OK(gnd_stop_init(&s, rule, patience, &err));
    for (int64_t e = 0; e < n; e++) {
        const gnd_stop_decision v = gnd_stop_update(&s, e, seen[e][0], seen[e][1]);

        o.used = v.save ? e : o.used;
        if (v.stop) {
            o.last = e;
            break;
        }
    }
    gnd_stop_fini(&s);
    return o;
}

#define CHECK_PLAY(rule, patience, seen, last_, used_)                                             \
    do {                                                                                           \
        const outcome o_ = play(rule, patience, seen, LENGTH(seen));                               \
        assert_int_equal(o_.last, last_);                                                          \
        assert_int_equal(o_.used, used_);                                                          \
    } while (0)

/* Accuracy peaks in epoch 1, loss in epoch 3: a joint best is in epoch 1 only. */
static const double apart[][2] = {{5, .1}, {4, .5}, {3, .4}, {2, .4},
                                  {3, .4}, {4, .3}, {5, .2}, {6, .1}};

static void rules_differ_on_one_sequence(void **state)
{
    (void)state;
    CHECK_PLAY(GND_STOP_GAT, 3, apart, 6, 1);
    CHECK_PLAY(GND_STOP_GAT_LAST, 3, apart, 6, 6);
    CHECK_PLAY(GND_STOP_PPNP, 3, apart, 6, 1);
    CHECK_PLAY(GND_STOP_SHCHUR, 3, apart, 6, 3);
    CHECK_PLAY(GND_STOP_MIXHOP, 3, apart, 5, 1); /* epoch 5 > 1 + 3 */
    CHECK_PLAY(GND_STOP_KIPF, 2, apart, 4, 4);   /* 3 > (3 + 2) / 2, last weights */
    CHECK_PLAY(GND_STOP_KIPF_BEST, 2, apart, 4, 3);
    CHECK_PLAY(GND_STOP_DCNN, 2, apart, 4, 4);
    CHECK_PLAY(GND_STOP_NONE, 0, apart, -1, 7);
}

static void ties(void **state)
{
    static const double same[][2] = {{1, .5}, {1, .5}, {1, .5}, {1, .5}};

    (void)state;
    CHECK_PLAY(GND_STOP_GAT, 2, same, -1, 3);    /* equal counts as best, and saves */
    CHECK_PLAY(GND_STOP_SHCHUR, 2, same, -1, 3); /* so it does here */
    CHECK_PLAY(GND_STOP_PPNP, 2, same, -1, 0);   /* waits likewise, saves only the better */
    CHECK_PLAY(GND_STOP_KIPF, 2, same, -1, 3);   /* not above the mean */
    CHECK_PLAY(GND_STOP_DCNN, 2, same, 2, 2);    /* not below it */
}

static void window_rules_need_a_window(void **state)
{
    gnd_error err = {0};
    gnd_stop s;

    (void)state;
    CHECK_FAILS(gnd_stop_init(&s, GND_STOP_KIPF, 0, &err), GND_ERR_ARG, "at least 1");
}

/* The names a user gives and the enum are one list. */
static void names_in_order(void **state)
{
    static const struct {
        const char *name;
        int rule;
    } expected[] = {{"kipf", GND_STOP_KIPF}, {"kipf_best", GND_STOP_KIPF_BEST},
                    {"gat", GND_STOP_GAT},   {"gat_last", GND_STOP_GAT_LAST},
                    {"ppnp", GND_STOP_PPNP}, {"mixhop", GND_STOP_MIXHOP},
                    {"dcnn", GND_STOP_DCNN}, {"shchur", GND_STOP_SHCHUR},
                    {"none", GND_STOP_NONE}};
    gnd_error err = {0};
    gnd_config *c = NULL;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    for (int64_t i = 0; i < LENGTH(expected); i++) {
        CHECK_OK(gnd_config_set(c, "stop", expected[i].name, &err));
        assert_int_equal((int)c->value[GND_HP_STOP], expected[i].rule);
    }
    gnd_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_differ_on_one_sequence),
        cmocka_unit_test(ties),
        cmocka_unit_test(window_rules_need_a_window),
        cmocka_unit_test(names_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
