/* SPDX-License-Identifier: MIT
 * test_layouts.c - layouts of diffused features: their order, silhouettes, notes, and the npz file
 * of the features. */
#include "check.h"
#include "graph/graph.h"
#include "io/npz.h"
#include "io/temp.h"

static gnd_graph *graph;

static int setup(void **state)
{
    const gnd_load_opts o = {.size = sizeof o, .data_dir = GND_SOURCE_DIR "/data"};
    gnd_graph *raw = NULL;
    int rc;

    rc = gnd_load(&raw, "karate", &o, NULL) ||
         gnd_graph_convert(&graph, raw, GND_GRAPH_UND, NULL) || temp_setup(state);
    gnd_graph_free(raw);
    return rc;
}

static int teardown(void **state)
{
    gnd_graph_free(graph);
    return temp_teardown(state);
}

static gnd_hop_features *features(void)
{
    static const int32_t hops[] = {0, 2, 100};
    const gnd_hop_features_opts o = {
        .size = sizeof o, .hops = hops, .n_hop = 3, .seed = 1, .threads = 1};
    gnd_hop_features *h;
    gnd_error err;

    CHECK_OK(gnd_hop_features_new(&h, graph, &o, &err));
    return h;
}

static int count(const gnd_tsne_progress *p, void *user)
{
    int64_t *calls = user;

    assert_int_equal(p->n_layout, 3);
    assert_int_equal(p->layout, *calls / 250);
    assert_int_equal(p->done, *calls % 250 + 1);
    (*calls)++;
    return 0;
}

/* Each layout is gnd_tsne's from the layout before, with gnd_silhouette's figure. */
static void in_turn(void **state)
{
    int64_t calls = 0;
    gnd_tsne_opts o = {.size = sizeof o,
                       .early = 100,
                       .iterations = 150,
                       .seed = 1,
                       .threads = 1,
                       .on_iteration = count,
                       .user = &calls};
    gnd_hop_features *h = features();
    gnd_layouts *l;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_layouts_new(&l, h, graph, &o, &err));
    assert_int_equal(calls, 3 * 250);
    assert_int_equal(gnd_layouts_n(l), 3);
    CHECK_CLOSE(gnd_layouts_perplexity(l), 11, 1e-12);
    assert_int_equal(gnd_layouts_n_note(l), 1);
    assert_string_equal(gnd_layouts_note(l, 0)->code, "perplexity_lowered");
    assert_non_null(strstr(gnd_layouts_note(l, 0)->text, "perplexity 11 instead of 30"));
    assert_null(gnd_layouts_note(l, 1));
    assert_null(gnd_layouts_get(l, 3));
    assert_null(gnd_layouts_get(l, -1));
    o.on_iteration = NULL;
    for (int64_t i = 0; i < 3; i++) {
        const gnd_layout *one = gnd_layouts_get(l, i);
        gnd_tsne_result res = {.size = sizeof res};
        float y[2 * 34];
        double s;

        CHECK_OK(
            gnd_tsne(y, &res, &(gnd_point_rows){gnd_hop_features_get(h, i), 34, 16}, &o, &err));
        assert_memory_equal(one->xy, y, sizeof y);
        CHECK_OK(gnd_silhouette(&s, &(gnd_point_rows){y, 34, 2}, graph->label, 1, &err));
        assert_true(one->silhouette == s && one->kl == res.kl);
        assert_int_equal(one->hop, gnd_hop_features_hop(h, i));
        o.start = one->xy;
    }
    /* Two hops of diffusion gather the two factions; none does not. */
    assert_true(gnd_layouts_get(l, 1)->silhouette > 0.2);
    assert_true(gnd_layouts_get(l, 0)->silhouette < 0.2);
    gnd_layouts_free(l);
    gnd_layouts_free(NULL);
    gnd_hop_features_free(h);
}

/* The arrays are read back as they were. */
static void saved(void **state)
{
    const char *path = temp_path("hops.npz");
    gnd_hop_features *h = features();
    float values[34 * 16];
    int32_t labels[34];
    gnd_npz *z;
    gnd_npy a;
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_hop_features_save(h, graph, path, &err));
    CHECK_OK(gnd_npz_open(&z, path, 0, &err));
    for (int64_t i = 0; i < 3; i++) {
        char name[32];

        snprintf(name, sizeof name, "hop_%d", gnd_hop_features_hop(h, i));
        CHECK_OK(gnd_npz_array(&a, z, name, &err));
        assert_true(a.n_dim == 2 && a.dim[0] == 34 && a.dim[1] == 16);
        CHECK_OK(gnd_npy_reals(&a, values, &err));
        assert_memory_equal(values, gnd_hop_features_get(h, i), sizeof values);
    }
    CHECK_OK(gnd_npz_array(&a, z, "labels", &err));
    CHECK_OK(gnd_npy_int32(&a, labels, -1, 9, &err));
    assert_memory_equal(labels, graph->label, sizeof labels);
    assert_true(gnd_npz_has(z, "class_names"));
    gnd_npz_close(z);
    gnd_hop_features_free(h);
}

static void refused(void **state)
{
    gnd_hop_features *h = features();
    gnd_layouts *l;
    gnd_graph *other;
    gnd_tsne_opts o = {.size = sizeof o, .perplexity = -1};
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_layouts_new(&l, h, graph, &o, &err), GND_ERR_ARG, "perplexity -1");
    assert_null(l);
    CHECK_OK(gnd_graph_new(&other, "other", 3, &err));
    CHECK_FAILS(gnd_layouts_new(&l, h, other, NULL, &err), GND_ERR_SHAPE, "34 vertices");
    CHECK_FAILS(gnd_hop_features_save(h, other, temp_path("no.npz"), &err), GND_ERR_SHAPE,
                "34 vertices");
    CHECK_FAILS(gnd_hop_features_save(h, graph, NULL, &err), GND_ERR_ARG, "path");
    CHECK_FAILS(gnd_hop_features_save(h, graph, "/nowhere/x.npz", &err), GND_ERR_IO, "/nowhere");
    gnd_graph_free(other);
    gnd_hop_features_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_turn),
        cmocka_unit_test(saved),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
