/* SPDX-License-Identifier: MIT
 * Every method of the registry: the same seed gives the same bytes, whatever the number of threads;
 * another seed gives others; a saved model predicts the same bits. */
#include "random_graph.h"

#include "graph/split.h"

/* Enough vertices for work to be cut into several pieces. */
enum { N_NODE = 700, N_FEAT = 90, N_CLASS = 4 };

typedef struct {
    gnd_graph *g;
    gnd_split *split;
    char path[64];
} fixture;

static int setup(void **state)
{
    const gnd_split_opts few = {
        .size = sizeof few, .per_class = 5, .n_val = 100, .seed = 1, .score_unlabelled = true};
    static fixture f;
    gnd_error err = {0};
    int fd;

    f.g = random_graph(N_NODE, N_FEAT, N_CLASS);
    if (gnd_split_new(&f.split, f.g, &few, &err) != GND_OK)
        return -1;
    snprintf(f.path, sizeof f.path, "/tmp/gnd_repeat_XXXXXX");
    fd = mkstemp(f.path);
    if (fd < 0)
        return -1;
    close(fd);
    *state = &f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;

    gnd_split_free(f->split);
    gnd_graph_free(f->g);
    return unlink(f->path);
}

/* False for a method that is solved at once: it has no use for a seed either. */
static bool has_epochs(const gnd_config *c)
{
    gnd_setting_info s = {.size = sizeof s};

    for (int i = 0; gnd_config_info(&s, c, i); i++)
        if (strcmp(s.name, "epochs") == 0)
            return true;
    return false;
}

static gnd_model *fit(const fixture *f, const char *method, uint64_t seed, int threads)
{
    const gnd_train_opts o = {.size = sizeof o, .seed = seed, .threads = threads};
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    if (has_epochs(c))
        CHECK_OK(gnd_config_set(c, "epochs", "6", &err));
    CHECK_OK(gnd_train(&m, NULL, f->g, f->split, c, &o, &err));
    gnd_config_free(c);
    return m;
}

typedef struct {
    unsigned char *byte;
    size_t n;
} bytes;

/* The file a model becomes; the caller frees it. */
static bytes saved(const fixture *f, const gnd_model *m)
{
    bytes b = {NULL, 0};
    gnd_error err = {0};
    FILE *in;
    long size;

    CHECK_OK(gnd_model_save(m, f->path, &err));
    in = fopen(f->path, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    size = ftell(in);
    assert_true(size > 0);
    rewind(in);
    b.n = (size_t)size;
    b.byte = malloc(b.n);
    assert_non_null(b.byte);
    assert_int_equal(fread(b.byte, 1, b.n, in), b.n);
    fclose(in);
    return b;
}

static bool same_bytes(bytes a, bytes b)
{
    return a.n == b.n && memcmp(a.byte, b.byte, a.n) == 0;
}

static bytes trained(const fixture *f, const char *method, uint64_t seed, int threads)
{
    gnd_model *m = fit(f, method, seed, threads);
    const bytes b = saved(f, m);

    gnd_model_free(m);
    return b;
}

static bool depends_on_seed(const char *method)
{
    gnd_config *c = NULL;
    gnd_error err = {0};
    bool yes;

    CHECK_OK(gnd_config_new(&c, method, &err));
    yes = has_epochs(c);
    gnd_config_free(c);
    return yes;
}

static void test_same_bytes(void **state)
{
    static const int threads[] = {1, 2, 7};
    const fixture *f = *state;
    gnd_method_info method = {.size = sizeof method};

    for (int i = 0; gnd_method_get(&method, i); i++) {
        const bytes first = trained(f, method.name, 1, 1);
        const bytes other = trained(f, method.name, 2, 1);

        for (int k = 0; k < 3; k++) {
            const bytes again = trained(f, method.name, 1, threads[k]);

            if (!same_bytes(first, again))
                fail_msg("%s: %d threads give other bytes", method.name, threads[k]);
            free(again.byte);
        }
        if (depends_on_seed(method.name) && same_bytes(first, other))
            fail_msg("%s: another seed gives the same bytes", method.name);
        free(first.byte);
        free(other.byte);
    }
}

static void check_same_prediction(const gnd_prediction *a, const gnd_prediction *b)
{
    assert_int_equal(gnd_prediction_n(a), N_NODE);
    assert_int_equal(gnd_prediction_n(b), N_NODE);
    for (int64_t v = 0; v < N_NODE; v++) {
        assert_int_equal(gnd_prediction_label(a, v), gnd_prediction_label(b, v));
        assert_int_equal(gnd_prediction_argmax(a, v), gnd_prediction_argmax(b, v));
        assert_memory_equal(gnd_prediction_prob(a, v), gnd_prediction_prob(b, v),
                            N_CLASS * sizeof(float));
    }
}

static void test_saved_model(void **state)
{
    const fixture *f = *state;
    gnd_method_info method = {.size = sizeof method};

    for (int i = 0; gnd_method_get(&method, i); i++) {
        gnd_model *m = fit(f, method.name, 1, 1), *loaded = NULL;
        gnd_prediction *before = NULL, *after = NULL;
        bytes a = saved(f, m), b;
        const gnd_train_opts seven = {.size = sizeof seven, .threads = 7};
        gnd_error err = {0};

        CHECK_OK(gnd_model_load(&loaded, f->path, &err));
        CHECK_OK(gnd_predict(&before, m, f->g, NULL, &err));
        CHECK_OK(gnd_predict(&after, loaded, f->g, &seven, &err));
        check_same_prediction(before, after);
        b = saved(f, loaded);
        if (!same_bytes(a, b))
            fail_msg("%s: loading and saving changes the file", method.name);
        free(a.byte);
        free(b.byte);
        gnd_prediction_free(before);
        gnd_prediction_free(after);
        gnd_model_free(loaded);
        gnd_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bytes),
        cmocka_unit_test(test_saved_model),
    };

    /* Threads are woken for any piece of work, however small. */
    if (setenv("GND_PARALLEL_MIN", "0", 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, setup, teardown);
}
