/* SPDX-License-Identifier: MIT
 * test_model_file.c - models on disk: the same bits back, and no trust in what a file claims. */
#include "fixture.h"
#include "model/model.h"

static char folder[] = "/tmp/gnd-checkpoint-XXXXXX";
static char path[64], broken[64];

/* If the method has such a setting. */
static void set(gnd_config *c, const char *name, const char *value)
{
    gnd_setting_info info = {.size = sizeof info};
    gnd_error err = {0};

    for (int i = 0; gnd_config_info(&info, c, i); i++)
        if (strcmp(info.name, name) == 0)
            CHECK_OK(gnd_config_set(c, name, value, &err));
}

static gnd_model *train_small(const gnd_graph *g, const char *method)
{
    gnd_error err = {0};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;

    CHECK_OK(gnd_split_new(
        &s, g, &(gnd_split_opts){.size = sizeof(gnd_split_opts), .per_class = 2, .seed = 1}, &err));
    CHECK_OK(gnd_config_new(&c, method, &err));
    set(c, "hops", "3");
    set(c, "epochs_alone", "5");
    CHECK_OK(gnd_train(&m, NULL, g, s, c, NULL, &err));
    gnd_config_free(c);
    gnd_split_free(s);
    return m;
}

static char *slurp(const char *name, size_t *n)
{
    FILE *f = fopen(name, "rb");
    char *data = malloc(1 << 20);

    assert_non_null(f);
    *n = fread(data, 1, 1 << 20, f);
    fclose(f);
    return data;
}

static void spit(const char *name, const char *data, size_t n)
{
    FILE *f;

    unlink(name); /* a new file: some file systems wait for the disk when one is written over */
    f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, n, f), n);
    fclose(f);
}

static int setup(void **state)
{
    gnd_graph *g;
    gnd_model *m;
    gnd_error err = {0};

    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/m.safetensors", folder);
    snprintf(broken, sizeof broken, "%s/broken", folder);
    g = fixture_two_rings(6, 1);
    m = train_small(g, "gnd-slp");
    CHECK_OK(gnd_model_save(m, path, &err));
    gnd_model_free(m);
    gnd_graph_free(g);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    unlink(broken);
    return rmdir(folder);
}

static void same_bits_for_every_method(void **state)
{
    gnd_graph *g = fixture_two_rings(6, 1);
    gnd_method_info info = {.size = sizeof info};

    (void)state;
    for (int i = 0; gnd_method_get(&info, i); i++) {
        gnd_error err = {0};
        gnd_model *m = train_small(g, info.name), *back = NULL;
        gnd_prediction *p = NULL, *q = NULL;

        CHECK_OK(gnd_model_save(m, path, &err));
        CHECK_OK(gnd_model_load(&back, path, &err));
        assert_int_equal(back->params.size, m->params.size);
        assert_memory_equal(back->params.v, m->params.v, (size_t)m->params.size * sizeof(gnd_real));
        assert_memory_equal(back->config.value, m->config.value, sizeof m->config.value);
        assert_memory_equal(back->seen, m->seen, (size_t)m->n_feat);
        assert_string_equal(gnd_model_class_name(back, 1), "class 1");
        CHECK_OK(gnd_predict(&p, m, g, NULL, &err));
        CHECK_OK(gnd_predict(&q, back, g, NULL, &err));
        for (int64_t v = 0; v < gnd_prediction_n(p); v++)
            assert_memory_equal(gnd_prediction_prob(p, v), gnd_prediction_prob(q, v),
                                2 * sizeof(float));
        gnd_prediction_free(p);
        gnd_prediction_free(q);
        gnd_model_free(back);
        gnd_model_free(m);
    }
    gnd_graph_free(g);
}

static void identity_remembers_its_vertices(void **state)
{
    static const int32_t link[][2] = {{0, 1}, {1, 0}, {2, 3}, {3, 2}};
    static const int32_t label[] = {0, 0, 1, 1};
    gnd_graph *g = fixture_graph(4, link, LENGTH(link), NULL, 0, 0, label, 2);
    gnd_error err = {0};
    gnd_model *m, *back = NULL;

    (void)state;
    g->ids = gnd_names_new();
    for (int v = 0; v < 4; v++)
        gnd_names_add(g->ids, (const char *[]){"ann", "bob", "\"c,d\"", "d\xc3\xa9"}[v],
                      strlen((const char *[]){"ann", "bob", "\"c,d\"", "d\xc3\xa9"}[v]));
    m = train_small(g, "gnd-slp");
    CHECK_OK(gnd_model_save(m, path, &err));
    CHECK_OK(gnd_model_load(&back, path, &err));
    assert_true(back->identity);
    assert_string_equal(gnd_names_get(back->ids, 2), "\"c,d\"");
    assert_string_equal(gnd_names_get(back->ids, 3), "d\xc3\xa9");
    gnd_model_free(back);
    gnd_model_free(m);
    gnd_graph_free(g);
}

/* Replace `from` by `to` of the same length in the header. */
static void mangle(const char *from, const char *to)
{
    size_t n;
    char *data = slurp(path, &n);
    char *at = NULL;

    for (size_t i = 0; !at && i + strlen(from) <= n; i++)
        if (memcmp(data + i, from, strlen(from)) == 0)
            at = data + i;
    if (!at)
        fail_msg("'%s' is not in the file", from);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    spit(broken, data, n);
    free(data);
}

static void lies_in_the_header(void **state)
{
    static const struct {
        const char *from, *to, *says;
        gnd_status code;
    } lie[] = {
        {"gnd-model-1", "gnd-model-9", "its format is 'gnd-model-9'", GND_ERR_FORMAT},
        {"\"gnd-slp\"", "\"gnd-slq\"", "unknown method 'gnd-slq'", GND_ERR_ARG},
        {"__metadata__", "__metadatb__", "no 'format'", GND_ERR_FORMAT},
        {"\"classes\"", "\"classez\"", "no 'classes'", GND_ERR_FORMAT},
        {"class 1", "class 0", "not a new name", GND_ERR_FORMAT},
        {"\\\"filters\\\":\\\"16\\\"", "\\\"filters\\\":\\\"99\\\"", "weights", GND_ERR_SHAPE},
        {"\\\"filters\\\":\\\"16\\\"", "\\\"filters\\\":\\\"15\\\"", "require 14 x 15",
         GND_ERR_SHAPE},
        {"\\\"hops\\\":\\\"3\\\"", "\\\"hops\\\":\\\"x\\\"", "hops=x", GND_ERR_ARG},
        {"\\\"hops\\\"", "\\\"hopz\\\"", "no setting 'hopz'", GND_ERR_ARG},
        {"\"F32\"", "\"F16\"", "is of type F16", GND_ERR_FORMAT},
        {"\"shape\":[14,16]", "\"shape\":[14,99]", "larger than its place", GND_ERR_FORMAT},
        {"\"shape\":[14,16]", "\"shape\":[14,-6]", "has no shape", GND_ERR_FORMAT},
        {"\"data_offsets\":[0,896]", "\"data_offsets\":[0,999]", "does not fill", GND_ERR_FORMAT},
        {"\"data_offsets\":[0,896]", "\"data_offsets\":[9,8e9]", "outside", GND_ERR_FORMAT},
        {"\"Theta\"", "\"Thetb\"", "no tensor 'Theta'", GND_ERR_FORMAT},
        {"{\"__meta", "[\"__meta", "not JSON", GND_ERR_FORMAT},
        {"\"raw\"", "\"rav\"", "rav", GND_ERR_ARG},
        {"\"given\"", "\"gives\"", "its features are not", GND_ERR_FORMAT},
        {"\"seen\"", "\"seem\"", "no tensor 'seen'", GND_ERR_FORMAT},
    };
    gnd_error err = {0};
    gnd_model *m = NULL;

    (void)state;
    for (int64_t i = 0; i < LENGTH(lie); i++) {
        mangle(lie[i].from, lie[i].to);
        CHECK_FAILS(gnd_model_load(&m, broken, &err), lie[i].code, lie[i].says);
        assert_non_null(strstr(err.msg, "broken")); /* the file is named */
        assert_null(m);
    }
}

static void cut_and_flipped(void **state)
{
    gnd_error err = {0};
    size_t n;
    char *data = slurp(path, &n);

    (void)state;
    for (size_t k = 0; k < n; k += k < 1200 ? 1 : 17) {
        gnd_model *m = NULL;

        spit(broken, data, k);
        assert_int_not_equal(gnd_model_load(&m, broken, &err), GND_OK);
        assert_null(m);
    }
    for (size_t k = 0; k < n; k++) {
        gnd_model *m = NULL;
        const char old = data[k];

        data[k] = (char)(old ^ (1 << k % 8));
        spit(broken, data, n);
        gnd_model_load(&m, broken, &err); /* may hold still; must not crash or leak */
        gnd_model_free(m);
        data[k] = old;
    }
    free(data);
}

static void files_that_are_not_there(void **state)
{
    gnd_graph *g = fixture_two_rings(6, 1);
    gnd_error err = {0};
    gnd_model *m = NULL, *small = train_small(g, "gnd-slp");

    (void)state;
    CHECK_FAILS(gnd_model_load(&m, "/no/such/model", &err), GND_ERR_IO, "/no/such/model: ");
    CHECK_FAILS(gnd_model_load(&m, folder, &err), GND_ERR_IO, folder);
    CHECK_FAILS(gnd_model_save(small, "/no/such/model", &err), GND_ERR_IO, "cannot write");
    CHECK_FAILS(gnd_model_save(small, "/dev/full", &err), GND_ERR_IO, "No space left");
    gnd_model_free(small);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_in_the_header),
        cmocka_unit_test(cut_and_flipped),
        cmocka_unit_test(same_bits_for_every_method),
        cmocka_unit_test(identity_remembers_its_vertices),
        cmocka_unit_test(files_that_are_not_there),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
