/* SPDX-License-Identifier: MIT
 * test_figure_nomem.c - each kind of figure with 0, 1, 2, ... allowed allocations. */
#include "base/alloc.h"
#include "base/buffer.h"
#include "fixture.h"
#include "mallocfail.h"

static char path[] = "/tmp/gnd_figure_XXXXXX";

static void file_write(const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static const char heading[] = "dataset,graph,method,labels_per_class,splits,mean,std,low,high,rule,"
                              "variant,published\n";

static char *rows_of(const char *body)
{
    char *text = malloc(sizeof heading + strlen(body));

    assert_non_null(text);
    return strcat(strcpy(text, heading), body);
}

/* A figure remembers failed allocations until it is written. */
static gnd_status written(gnd_status made, gnd_figure **f, gnd_error *err)
{
    FILE *sink = fopen("/dev/null", "w");
    gnd_status st = made;

    assert_non_null(sink);
    assert_true((made == GND_OK) == (*f != NULL));
    if (made == GND_OK)
        st = gnd_figure_write(*f, sink, GND_FIGURE_SVG, err);
    gnd_figure_free(*f);
    *f = NULL;
    fclose(sink);
    return st;
}

static void results(void **state)
{
    const char *const paths[] = {path};
    const char *const methods[] = {"b", "a"};
    const gnd_figure_results_opts o = {
        .size = sizeof o, .paths = paths, .n_path = 1, .methods = methods, .n_method = 2};
    char *text = rows_of("d,und,a,1,3,50,2,45,55,r,layers=1,51\n"
                         "d,und,a,1,3,60,2,55,65,r,layers=8,\n"
                         "d,und,b,1,3,40,2,35,45,r,hops=2,N/A\n");
    gnd_figure *f = NULL;
    gnd_error err = {0};

    (void)state;
    file_write(text);
    NOMEM_WALK(written(gnd_figure_depth(&f, &o, &err), &f, &err), (void)0);
    NOMEM_WALK(written(gnd_figure_accuracy(&f, &o, &err), &f, &err), (void)0);
    free(text);
}

static void training(void **state)
{
    const gnd_split_opts so = {.size = sizeof so, .per_class = 1, .n_val = 2, .seed = 1};
    const gnd_train_opts to = {.size = sizeof to, .seed = 1, .threads = 1};
    gnd_graph *g = fixture_two_rings(4, 1);
    const gnd_prediction_columns columns = {.size = sizeof columns, .probabilities = true};
    gnd_split *s = NULL;
    gnd_config *c = NULL;
    gnd_model *m = NULL;
    gnd_prediction *p = NULL;
    gnd_metrics *k = NULL;
    gnd_figure *f = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_split_new(&s, g, &so, &err));
    CHECK_OK(gnd_config_new(&c, "gnd-slp", &err));
    CHECK_OK(gnd_config_set(c, "epochs", "3", &err));
    NOMEM_WALK(written(gnd_figure_curves(&f, g, s, c, &to, &err), &f, &err), (void)0);
    CHECK_OK(gnd_label(&p, &m, NULL, g, s, c, &to, &err));
    NOMEM_WALK(written(gnd_figure_hops(&f, m, g, &to, &err), &f, &err), (void)0);
    CHECK_OK(gnd_metrics_new(&k, p, g, NULL, 0, &err));
    NOMEM_WALK(written(gnd_figure_reliability(&f, k, &err), &f, &err), (void)0);
    NOMEM_WALK(gnd_prediction_save_columns(p, g, m, path, &columns, &err), (void)0);
    NOMEM_WALK(written(gnd_figure_reliability_file(&f, path, g, s, &err), &f, &err), (void)0);
    gnd_metrics_free(k);
    gnd_prediction_free(p);
    gnd_model_free(m);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

static void layouts(void **state)
{
    static const int32_t hops[] = {0, 2};
    const gnd_hop_features_opts ho = {.size = sizeof ho, .hops = hops, .n_hop = 2, .threads = 1};
    const gnd_tsne_opts to = {.size = sizeof to, .early = 2, .iterations = 2, .threads = 1};
    gnd_graph *g = fixture_two_rings(4, 1);
    gnd_hop_features *h = NULL;
    gnd_layouts *l = NULL;
    gnd_figure *f = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_hop_features_new(&h, g, &ho, &err));
    CHECK_OK(gnd_layouts_new(&l, h, g, &to, &err));
    NOMEM_WALK(written(gnd_figure_layouts(&f, l, g, &err), &f, &err), (void)0);
    gnd_layouts_free(l);
    gnd_hop_features_free(h);
    gnd_graph_free(g);
}

static int path_make(void **state)
{
    const int fd = mkstemp(path);

    (void)state;
    return fd < 0 ? -1 : close(fd);
}

static int path_remove(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),
        cmocka_unit_test(training),
        cmocka_unit_test(layouts),
    };

    return cmocka_run_group_tests(tests, path_make, path_remove);
}
