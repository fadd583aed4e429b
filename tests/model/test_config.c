/* SPDX-License-Identifier: MIT
 * test_config.c - settings by name: defaults, ranges, presets, messages. */
#include "check.h"

static const char *value_of(const gnd_config *c, const char *name)
{
    static char buf[256];
    gnd_setting_info info = {.size = sizeof info};

    for (int i = 0; gnd_config_info(&info, c, i); i++)
        if (strcmp(info.name, name) == 0)
            return gnd_config_value(c, i, buf, sizeof buf);
    return "no such setting";
}

static void defaults_are_the_authors(void **state)
{
    static const char *const expected[][2] = {
        {"optimiser", "adam_tf"},  {"lr", "0.005"},    {"l2", "0.0005"},
        {"epochs", "1000"},        {"stop", "gat"},    {"patience", "50"},
        {"stop_loss", "ce"},       {"filters", "16"},  {"hops", "20"},
        {"dropout", "0.6"},        {"first_hop", "1"}, {"alpha", "learned"},
        {"dropout_at", "X,Z,R,L"}, {"operator", "W"},  {"activation", "elu"}};
    gnd_error err = {0};
    gnd_config *c = NULL;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    for (int64_t i = 0; i < LENGTH(expected); i++)
        assert_string_equal(value_of(c, expected[i][0]), expected[i][1]);
    gnd_config_free(c);
}

/* Where the other two variants differ. */
static void defaults_of_the_variants(void **state)
{
    static const char *const expected[][3] = {
        {"gnd-mlp", "filters", "64"}, {"gnd-mlp", "hops", "20"},
        {"gnd-mlp", "inner", "32"},   {"gnd-mlp", "first_hop", "1"},
        {"gnd-mlp", "l2", "0.0005"},  {"gnd-ds", "filters", "64"},
        {"gnd-ds", "hops", "10"},     {"gnd-ds", "dropout_at", "X,Z,R,L"}};
    gnd_error err = {0};

    (void)state;
    for (int64_t i = 0; i < LENGTH(expected); i++) {
        gnd_config *c = NULL;

        CHECK_OK(gnd_config_new(&c, expected[i][0], &err));
        assert_string_equal(value_of(c, expected[i][1]), expected[i][2]);
        gnd_config_free(c);
    }
}

static void every_method_explains_itself(void **state)
{
    gnd_method_info m = {.size = sizeof m};
    gnd_setting_info info = {.size = sizeof info};
    char buf[256];

    (void)state;
    for (int i = 0; gnd_method_get(&m, i); i++) {
        gnd_error err = {0};
        gnd_config *c = NULL;
        const char *meaning = NULL;

        assert_true(*m.title && *m.formula && *m.paper);
        CHECK_OK(gnd_config_new(&c, m.name, &err));
        for (int k = 0; gnd_config_info(&info, c, k); k++) {
            assert_true(*info.meaning && *info.range && *info.fallback);
            /* each default is a value its own setting accepts, and comes back as itself */
            CHECK_OK(gnd_config_set(c, info.name, info.fallback, &err));
            assert_string_equal(gnd_config_value(c, k, buf, sizeof buf), info.fallback);
        }
        for (int k = 0; gnd_config_preset_name(c, k, &meaning); k++) {
            assert_true(*meaning);
            CHECK_OK(gnd_config_preset(c, gnd_config_preset_name(c, k, NULL), &err));
        }
        gnd_config_free(c);
    }
}

static void values_are_checked(void **state)
{
    gnd_error err = {0};
    gnd_config *c = NULL;

    (void)state;
    CHECK_FAILS(gnd_config_new(&c, "gnd-slpp", &err), GND_ERR_ARG, "did you mean 'gnd-slp'?");
    assert_null(c);
    CHECK_FAILS(gnd_config_new(&c, "transformer", &err), GND_ERR_ARG, "known are auto, gnd-slp");
    CHECK_OK(gnd_config_new(&c, "gnd", &err)); /* an alias */
    assert_string_equal(gnd_config_method(c), "gnd-slp");
    CHECK_FAILS(gnd_config_set(c, "hop", "3", &err), GND_ERR_ARG, "did you mean 'hops'?");
    CHECK_FAILS(gnd_config_set(c, "hops", "3.5", &err), GND_ERR_ARG, "a whole number in 1..10000");
    CHECK_FAILS(gnd_config_set(c, "hops", "0", &err), GND_ERR_ARG, "hops=0");
    CHECK_FAILS(gnd_config_set(c, "hops", "", &err), GND_ERR_ARG, "a whole number");
    CHECK_FAILS(gnd_config_set(c, "dropout", "1", &err), GND_ERR_ARG, "a number in 0..0.99");
    CHECK_FAILS(gnd_config_set(c, "dropout", "nan", &err), GND_ERR_ARG, "a number in 0..0.99");
    CHECK_FAILS(gnd_config_set(c, "alpha", "free", &err), GND_ERR_ARG, "one of learned|ppr");
    CHECK_FAILS(gnd_config_set(c, "dropout_at", "X,Q", &err), GND_ERR_ARG, "some of X|Z|R|L");
    assert_string_equal(value_of(c, "hops"), "20"); /* a refused value changes nothing */
    CHECK_OK(gnd_config_set(c, "dropout_at", "L,X", &err));
    assert_string_equal(value_of(c, "dropout_at"), "X,L");
    CHECK_OK(gnd_config_set(c, "dropout_at", "none", &err));
    assert_string_equal(value_of(c, "dropout_at"), "none");
    CHECK_OK(gnd_config_set(c, "lr", "0.1234567890123456", &err));
    assert_string_equal(value_of(c, "lr"), "0.1234567890123456");
    gnd_config_free(c);
}

static void text_preset(void **state)
{
    gnd_error err = {0};
    gnd_config *c = NULL;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_FAILS(gnd_config_preset(c, "txt", &err), GND_ERR_ARG, "it has 'text'");
    CHECK_OK(gnd_config_preset(c, "text", &err));
    assert_string_equal(value_of(c, "first_hop"), "0");
    assert_string_equal(value_of(c, "stop"), "shchur");
    assert_string_equal(value_of(c, "patience"), "50");
    assert_string_equal(value_of(c, "dropout_at"), "X,R");
    assert_string_equal(value_of(c, "hops"), "20");
    gnd_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_authors),
        cmocka_unit_test(defaults_of_the_variants),
        cmocka_unit_test(every_method_explains_itself),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(text_preset),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
