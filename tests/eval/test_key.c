/* SPDX-License-Identifier: MIT
 * test_key.c - the key of a run: every part of it changes the key, nothing else does. */
#include "eval/key.h"
#include "fixture.h"
#include "model/model.h"

static void graph_hash(void **state)
{
    gnd_graph *g = fixture_two_rings(6, 1);
    char was[GND_HASH_TEXT], now[GND_HASH_TEXT];

    (void)state;
    gnd_key_graph(was, g);
    /* Stored runs are found by it: it may not change between machines and versions. */
    assert_string_equal(was, "4d2bf3bdb13d6f9d");
    g->label[0] = -1;
    assert_string_not_equal(gnd_key_graph(now, g), was);
    g->label[0] = 0;
    g->adj.val = gnd_alloc(gnd_csr_nnz(&g->adj), sizeof *g->adj.val);
    for (int64_t p = 0; p < gnd_csr_nnz(&g->adj); p++)
        g->adj.val[p] = 1;
    assert_string_equal(gnd_key_graph(now, g), was); /* the same matrix, said otherwise */
    g->adj.val[3] = (gnd_real)1.5;
    assert_string_not_equal(gnd_key_graph(now, g), was);
    g->adj.val[3] = 1;
    g->feat.col[1]++;
    assert_string_not_equal(gnd_key_graph(now, g), was);
    g->feat.col[1]--;
    g->adj.ptr[1]--; /* an arc moves from one vertex to the next */
    assert_string_not_equal(gnd_key_graph(now, g), was);
    g->adj.ptr[1]++;
    g->n_class++;
    assert_string_not_equal(gnd_key_graph(now, g), was);
    g->n_class--;
    assert_string_equal(gnd_key_graph(now, g), was);
    gnd_graph_free(g);
}

static void split_key(char out[GND_HASH_TEXT], const gnd_graph *g, int32_t a, int32_t b, int32_t c,
                      bool score_unlabelled)
{
    int32_t train[] = {0, 7}, val[] = {a}, test[] = {b, c};
    gnd_split *s = NULL;
    gnd_error err;

    CHECK_OK(gnd_split_from_lists(
        &s, g, &(gnd_split_lists){sizeof(gnd_split_lists), train, 2, val, 1, test, 2}, &err));
    s->score_unlabelled = score_unlabelled;
    gnd_key_split(out, s, g);
    gnd_split_free(s);
}

static void split_hash(void **state)
{
    gnd_graph *g = fixture_two_rings(6, 1);
    const int32_t lone = 12;
    char was[GND_HASH_TEXT], now[GND_HASH_TEXT];

    (void)state;
    split_key(was, g, 1, 2, 3, false);
    split_key(now, g, 1, 2, 3, true); /* nobody without a label is scored: it makes no difference */
    assert_string_equal(was, now);
    split_key(now, g, 2, 1, 3, false);
    assert_string_not_equal(was, now);
    split_key(now, g, 1, 3, 2, false);
    assert_string_not_equal(was, now);
    split_key(was, g, 1, 2, lone, false);
    split_key(now, g, 1, 2, lone, true);
    assert_string_not_equal(was, now);
    gnd_graph_free(g);
}

/* All settings in the key of every method, set or not, with values that read back the same. */
static void settings(void **state)
{
    gnd_method_info method = {.size = sizeof method};
    gnd_error err;

    (void)state;
    for (int i = 0; gnd_method_get(&method, i); i++) {
        gnd_config *c = NULL, *d = NULL;
        char *text = NULL, *again = NULL, *word, *rest = NULL;
        gnd_setting_info info = {.size = sizeof info};
        int n = 0;

        CHECK_OK(gnd_config_new(&c, method.name, &err));
        CHECK_OK(gnd_config_new(&d, method.name, &err));
        if (gnd_config_set(c, "lr", "0.012345678901234567", NULL) == GND_OK)
            CHECK_OK(gnd_config_set(d, "lr", "0.5", &err));
        CHECK_OK(gnd_key_settings(&text, c, &err));
        again = strdup(text);
        for (word = strtok_r(again, " ", &rest); word; word = strtok_r(NULL, " ", &rest), n++) {
            char *value = strchr(word, '=');

            assert_non_null(value);
            *value++ = '\0';
            while (!gnd_config_in_key(c, n))
                n++;
            assert_true(gnd_config_info(&info, c, n));
            assert_string_equal(info.name, word);
            CHECK_OK(gnd_config_set(d, word, value, &err));
        }
        free(again);
        while (gnd_config_info(&info, c, n) && !gnd_config_in_key(c, n))
            n++;
        assert_false(gnd_config_info(&info, c, n));
        CHECK_OK(gnd_key_settings(&again, d, &err));
        assert_string_equal(text, again);
        gnd_free(text);
        gnd_free(again);
        gnd_config_free(c);
        gnd_config_free(d);
    }
}

/* A setting that a later version adds is in the key only if it is not at its default. */
static void added_setting(void **state)
{
    gnd_config *c = NULL;
    gnd_method newer;
    char *was = NULL, *now = NULL;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_config_new(&c, "gcn", &err));
    newer = *c->method;
    newer.added = "order|operator";
    CHECK_OK(gnd_key_settings(&was, c, &err));
    assert_non_null(strstr(was, " operator=transposed"));
    *strstr(was, " operator=transposed") = '\0'; /* gcn's last setting */
    c->method = &newer;
    CHECK_OK(gnd_key_settings(&now, c, &err));
    assert_string_equal(now, was);
    gnd_free(now);
    CHECK_OK(gnd_config_set(c, "operator", "plain", &err));
    CHECK_OK(gnd_key_settings(&now, c, &err));
    assert_non_null(strstr(now, " operator=plain"));
    gnd_free(was);
    gnd_free(now);
    gnd_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_hash),
        cmocka_unit_test(split_hash),
        cmocka_unit_test(settings),
        cmocka_unit_test(added_setting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
