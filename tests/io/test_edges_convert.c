/* SPDX-License-Identifier: MIT
 * test_edges_convert.c - edge lists converted in bounded memory give the graph that gnd_load reads,
 * bit for bit, with the same notes and the same errors. */
#include <dirent.h>

#include "fixture.h"
#include "same_graph.h"
#include "textfiles.h"

#include "base/rng.h"
#include "io/edges_convert.h"

static uint64_t state_now = 1;

static int draw(int n)
{
    state_now++;
    return (int)(gnd_mix64(state_now * UINT64_C(0x9e3779b97f4a7c15)) % (uint64_t)n);
}

static void same_notes(const gnd_graph *g, const gnd_graph *h)
{
    assert_int_equal(g->notes.n, h->notes.n);
    for (int64_t i = 0; i < g->notes.n; i++) {
        assert_string_equal(gnd_graph_note(g, i)->code, gnd_graph_note(h, i)->code);
        assert_string_equal(gnd_graph_note(g, i)->text, gnd_graph_note(h, i)->text);
    }
}

/* Read the file in both ways. memory: of the sorter; small, so that small files are sorted in
 * several runs. */
static void agree(const char *given, const gnd_load_opts *o, int64_t memory, gnd_pool *pool)
{
    const gnd_edges_convert_how how = {
        .load = o, .pool = pool, .memory = INT64_C(1) << 31, .sort_memory = memory, .keep = true};
    char path[512];
    gnd_graph *g = NULL, *h = NULL, *back = NULL;
    gnd_error err = {0}, other = {0};
    gnd_status st, converted;

    snprintf(path, sizeof path, "%s", given);
    st = gnd_format_edgelist.read(&g, path, o, &err);
    converted = gnd_edges_convert(&h, path, temp_path("out.safetensors"), &how, &other);
    if (st != converted)
        fail_msg("%s: read: %d %s; converted: %d %s", slurp(path), st, err.msg, converted,
                 other.msg);
    if (st != GND_OK) {
        assert_string_equal(err.msg, other.msg);
        assert_null(h);
        assert_int_not_equal(access(temp_path("out.safetensors"), F_OK), 0);
        return;
    }
    same_graph(g, h);
    same_notes(g, h);
    CHECK_OK(gnd_load(&back, temp_path("out.safetensors"),
                      &(gnd_load_opts){.size = sizeof(gnd_load_opts), .verify = true}, &err));
    same_graph(g, back);
    gnd_graph_free(back);
    gnd_graph_free(h);
    gnd_graph_free(g);
    unlink(temp_path("out.safetensors"));
}

static gnd_pool *pools[2];

static void agree_on(const char *text, const gnd_load_opts *o)
{
    put("e.csv", text);
    for (int k = 0; k < 4; k++)
        agree(temp_path("e.csv"), o, k < 2 ? 1 << 20 : 64, pools[k % 2]);
}

static void small_files(void **state)
{
    static const char *const file[] = {
        "0 1\n1 2\n",
        "0,1\r\n1,2\r\n2,0\r\n",
        "1\t2\n3\t4", /* no line end; numbers from 1 */
        "source,target,weight\n0,1,0.5\n1,0,2\n0,1,0.25\n1,1,1\n",
        "0,1,1\n1,2,1.0\n", /* weights that are all 1 */
        "0,1,0\n0,1,1\n1,2,0\n2,0,1\n",
        "0,1,1e-3\n0,2,3\n",
        "a,b\nb,c\nc,a\na,a\n",
        "0,1\n1,2\nx,0\n2,y\n", /* text after numbers */
        "# a comment\n% another\n#tag,x\n5,7\n\n7,9\n  # one more\n9,5\n",
        "# gnd vertices 6\n0,1\n4,2\n",
        "# gnd vertices 3\n",
        "# gnd vertices 3\n0,5\n",
        "# gnd vertices 3\n0,a\n",
        "# gnd vertex a\n# gnd vertex \"b,c\"\na,d\n",
        "Source,Target,Type,Weight\n0,1,Directed,1\n1,2,Undirected,2\n2,2,Undirected,1\n",
        "Source,Target,Type\n0,1,Undirected\n1,2,Mutual\n",
        "source,target,type\n0,1,friend\n1,2,foe\n",
        "\"a\nb\",c\nd,\"e\"\"f\"\n0,\"1\"\n",
        "0,1\n\"1\",2\n3,4\n",
        "from;to;w\n0;1;0,5\n1;2;2,25\n",
        "0 1 1300000000\n1 2 1300000001\n",
        "007,7\n7,8\n",
        "2147483645,2147483646\n0,1\n",
        "2147483647,1\n0,1\n",
        "99999999999,1\n0,1\n",
        "ann,bob\ncid,dan\n", /* may be a header */
        "ann,bob\ncid,ann\n",
        "x,y\n1,2\n2,x\n",
        "0,1,\n1,2,\n",
        "0 1 \n 1  2\n",
        "sep=;\n0;1\n1;2\n",
        "0,1\n1\n",
        "0,1\n1,2,3\n",
        "0,1,5\n1,2,-1\n",
        "0,1,5\n\n1,2,nan\n",
        "0,1\n,2\n",
        "0,1\n\"1,2\n",
        "\xff\xfe"
        "0\n",
        "\xef\xbb\xbf"
        "0,1\n2,1\n",
        "<svg></svg>\n",
        "",
        "# nothing\n",
        "0,1\n2,3\n\"4\",5\nx,5\n",
    };

    (void)state;
    for (int64_t i = 0; i < LENGTH(file); i++)
        agree_on(file[i], NULL);
}

static void with_options(void **state)
{
    const gnd_load_opts columns = {.size = sizeof columns, .columns = "source=b,target=a,weight="};
    const gnd_load_opts header = {.size = sizeof header, .header = GND_HEADER_NO};
    const gnd_load_opts space = {.size = sizeof space, .separator = ' '};

    (void)state;
    agree_on("a,b,c\n0,1,2\n1,2,3\n", &columns);
    agree_on("ann,bob\ncid,dan\n", &header);
    agree_on("0 1\n1  2\n0\t2\n", &space);
}

static void nul_bytes(void **state)
{
    static const char early[] = "0,1\n1,\0002\n", late[] = "a,b\nb,c\nc,\0d\n";
    gnd_error err;
    gnd_graph *g = NULL;
    const gnd_edges_convert_how how = {.memory = 1 << 20, .pool = pools[0], .keep = true};

    (void)state;
    CHECK_FAILS(gnd_edges_convert(&g, temp_file("n.csv", early, sizeof early - 1),
                                  temp_path("out.safetensors"), &how, &err),
                GND_ERR_FORMAT, "n.csv:2: has a NUL byte");
    CHECK_FAILS(gnd_edges_convert(&g, temp_file("n.csv", late, sizeof late - 1),
                                  temp_path("out.safetensors"), &how, &err),
                GND_ERR_FORMAT, "n.csv:3: has a NUL byte");
}

/* ---- random files ---- */

typedef struct {
    char text[1 << 18];
    size_t n;
} made;

static void add(made *m, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    m->n += (size_t)vsnprintf(m->text + m->n, sizeof m->text - m->n, fmt, ap);
    va_end(ap);
}

static void add_id(made *m, int kind, int range)
{
    const int v = draw(range);

    if (kind == 1 && draw(50) == 0)
        add(m, "n%d", v);
    else if (kind == 2)
        add(m, "v%x", (unsigned)v * 2654435761u);
    else if (kind == 3)
        add(m, "\"%d\"", v);
    else
        add(m, "%d", kind == 4 ? 3 * v + 1 : v);
}

static void make_random(made *m)
{
    const char *const end = draw(3) == 0 ? "\r\n" : "\n", *const seps[] = {",", ";", "\t", " "};
    const char *sep = seps[draw(4)];
    const int kind = draw(5), weights = draw(3), range = 1 + draw(200), rows = draw(900);

    m->n = 0;
    if (draw(3) == 0)
        add(m, "# made%s", end);
    if (draw(2) == 0)
        add(m, "source%starget%s%s%s", sep, weights ? sep : "", weights ? "weight" : "", end);
    for (int i = 0; i < rows; i++) {
        add_id(m, kind, range);
        add(m, "%s", sep);
        add_id(m, kind, range);
        if (weights == 1)
            add(m, "%s%d", sep, draw(3));
        else if (weights == 2)
            add(m, "%s%g", sep, 0.25 * draw(100));
        if (i + 1 < rows || draw(2))
            add(m, "%s", end);
        if (draw(100) == 0)
            add(m, "%s", draw(2) ? end : "# more\n");
        if (draw(2000) == 0)
            add(m, "broken\n");
    }
}

static void random_files(void **state)
{
    static made m;

    (void)state;
    for (int k = 0; k < 300; k++) {
        const char *path;

        make_random(&m);
        path = temp_file("r.csv", m.text, m.n);
        agree(path, NULL, 1 << (draw(3) * 4 + 10), pools[k % 2]);
    }
}

/* Pieces of 64 kB, each read by itself, and an error with the number of its line. */
static void many_pieces(void **state)
{
    static made m;

    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        m.n = 0;
        for (int i = 0; i < 20000; i++)
            add(&m, "%d,%d\n", draw(5000), draw(5000));
        if (broken)
            add(&m, "1,2,3\n");
        for (int i = 0; i < 2000; i++)
            add(&m, "%d,%d\n", draw(5000), draw(5000));
        for (int k = 0; k < 2; k++)
            agree(temp_file("p.csv", m.text, m.n), NULL, 1 << 17, pools[k]);
    }
}

/* Numbers of all lengths, sorted in many runs of large and small differences. */
static void wide_numbers(void **state)
{
    static made m;

    (void)state;
    for (int k = 0; k < 6; k++) {
        m.n = 0;
        for (int i = 0; i < 6000; i++) {
            add(&m, "%d,%d", draw(1 << draw(26)), draw(1 << draw(26)));
            if (k < 3)
                add(&m, ",%d", draw(40));
            add(&m, "\n");
        }
        agree(temp_file("w.csv", m.text, m.n), NULL, 1 << (13 + k % 3), pools[k % 2]);
    }
}

static void compressed(void **state)
{
    (void)state;
    agree(put_gz("e.csv.gz", "0,1\n1,2\n5,1\n"), NULL, 1 << 20, pools[1]);
    agree(temp_file("cut.csv.gz", "\x1f\x8b\x08", 3), NULL, 1 << 20, pools[1]);
    agree(temp_file("bad.csv.gz", "\x1f\x8b\x08\0\0\0\0\0\0\3garbage", 17), NULL, 1 << 20,
          pools[1]);
}

/* ---- the public call ---- */

static int64_t files_in(const char *folder)
{
    DIR *d = opendir(folder);
    int64_t n = 0;

    while (d && readdir(d))
        n++;
    closedir(d);
    return n;
}

static int stop_now(const char *stage, double share, void *user)
{
    (void)stage;
    assert_true(!(share < 0) && !(share > 1));
    return ++*(int *)user > 1;
}

static void converts_a_file(void **state)
{
    gnd_load_opts load = {.size = sizeof load};
    gnd_dataset_convert_opts o = {.size = sizeof o, .load = &load, .threads = 2};
    gnd_graph *g = NULL, *h = NULL;
    gnd_error err;
    char features[512], labels[512];

    (void)state;
    put("e.csv", "a,b,2\nb,c,0.5\nc,c,1\n");
    snprintf(features, sizeof features, "%s", put("x.csv", "a,1,0.5\nb,2,0\nc,0,1\n"));
    snprintf(labels, sizeof labels, "%s", put("l.csv", "a,red\nb,blue\nzoe,\n"));
    load.features = features;
    load.labels = labels;
    CHECK_OK(gnd_load(&g, temp_path("e.csv"), &load, &err));
    CHECK_OK(gnd_dataset_convert(&h, temp_path("e.csv"), temp_path("d.safetensors"), &o, &err));
    same_graph(g, h);
    same_notes(g, h);
    assert_string_equal(gnd_graph_name(h), "e");
    gnd_graph_free(h);
    CHECK_OK(gnd_load(&h, temp_path("d.safetensors"), NULL, &err));
    same_graph(g, h);
    gnd_graph_free(h);
    gnd_graph_free(g);
    o.load = NULL;
    CHECK_OK(gnd_dataset_convert(&h, GND_SOURCE_DIR "/data/karate", temp_path("k.safetensors"), &o,
                                 &err)); /* a folder */
    assert_int_equal(h->n_class, 2);
    gnd_graph_free(h);
    o.memory = 1 << 20;
    CHECK_FAILS(gnd_dataset_convert(&h, temp_path("e.csv"), temp_path("d.safetensors"), &o, &err),
                GND_ERR_ARG, "needs 32 MB of memory or more");
}

static void leaves_nothing(void **state)
{
    int calls = 0;
    gnd_dataset_convert_opts o = {
        .size = sizeof o, .on_tick = stop_now, .tick_user = &calls, .threads = 1};
    gnd_graph *g = NULL;
    gnd_error err;
    int64_t before;

    (void)state;
    setenv("GND_TICK_MS", "0", 1);
    put("e.csv", "a,b,2\nb,c,0.5\nc,c,1\n");
    before = files_in(temp_dir);
    CHECK_FAILS(gnd_dataset_convert(&g, temp_path("e.csv"), temp_path("new.safetensors"), &o, &err),
                GND_ERR_STOPPED, "stopped");
    unsetenv("GND_TICK_MS");
    assert_null(g);
    assert_int_equal(files_in(temp_dir), before);
    CHECK_FAILS(
        gnd_dataset_convert(&g, temp_path("no.csv"), temp_path("new.safetensors"), NULL, &err),
        GND_ERR_IO, "no such file");
    setenv("TMPDIR", "/no/such/folder", 1);
    CHECK_FAILS(
        gnd_dataset_convert(&g, temp_path("e.csv"), temp_path("new.safetensors"), NULL, &err),
        GND_ERR_IO, "/no/such/folder: cannot create a temporary file");
    unsetenv("TMPDIR");
    assert_int_equal(files_in(temp_dir), before);
}

/* What does not fit says how much would. */
static void too_little_memory(void **state)
{
    const gnd_edges_convert_how how = {.memory = 1 << 16, .pool = pools[0], .keep = true};
    static made m;
    gnd_graph *g = NULL;
    gnd_error err;

    (void)state;
    CHECK_FAILS(gnd_edges_convert(&g, put("e.csv", "0,1\n2147483646,1\n"),
                                  temp_path("out.safetensors"), &how, &err),
                GND_ERR_NOMEM, "ids up to 2147483646 take 385 MB of memory while it is converted");
    m.n = 0;
    for (int i = 0; i < 3000; i++)
        add(&m, "vertex %d,vertex %d\n", i, i + 1);
    CHECK_FAILS(gnd_edges_convert(&g, temp_file("e.csv", m.text, m.n), temp_path("out.safetensors"),
                                  &how, &err),
                GND_ERR_NOMEM, "its ids are not numbers, so all must be in memory; 3001 of them");
}

/* Copies of fields with doubled quotes are within a sixteenth of the memory. */
static void doubled_quotes(void **state)
{
    gnd_edges_convert_how how = {.memory = 1 << 18, .pool = pools[0], .keep = true};
    static made m;
    gnd_graph *g = NULL, *h = NULL;
    gnd_error err;

    (void)state;
    m.n = 0;
    for (int i = 0; i < 3000; i++)
        add(&m, "\"say \"\"%d\"\"\",\"and \"\"%d\"\", so\"\n", i % 50, i % 60);
    CHECK_OK(gnd_format_edgelist.read(&g, temp_file("q.csv", m.text, m.n), NULL, &err));
    CHECK_OK(gnd_edges_convert(&h, temp_path("q.csv"), temp_path("out.safetensors"), &how, &err));
    same_graph(g, h);
    same_notes(g, h);
    gnd_graph_free(h);
    gnd_graph_free(g);
    how.memory = 1 << 16;
    m.n = 0;
    add(&m, "0,1\n1,2\n");
    for (int i = 0; i < 9000; i++)
        add(&m, "%d,%d\n", i, i + 1);
    add(&m, "2,\"\"\"x\"\n3,\"\"\"");
    for (int i = 0; i < 1000; i++)
        add(&m, "many ");
    add(&m, "\"\n");
    CHECK_FAILS(gnd_edges_convert(&h, temp_file("q.csv", m.text, m.n), temp_path("out.safetensors"),
                                  &how, &err),
                GND_ERR_FORMAT, "q.csv:9004: its quoted fields take too much memory");
    how.memory = 1 << 23;
    CHECK_OK(gnd_edges_convert(&h, temp_path("q.csv"), temp_path("out.safetensors"), &how, &err));
    gnd_graph_free(h);
}

static int setup(void **state)
{
    setenv("GND_PARALLEL_MIN", "0", 1);
    pools[0] = gnd_pool_new(1);
    pools[1] = gnd_pool_new(3);
    return temp_setup(state);
}

static int teardown(void **state)
{
    gnd_pool_free(pools[0]);
    gnd_pool_free(pools[1]);
    return temp_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_files),    cmocka_unit_test(with_options),
        cmocka_unit_test(nul_bytes),      cmocka_unit_test(random_files),
        cmocka_unit_test(many_pieces),    cmocka_unit_test(wide_numbers),
        cmocka_unit_test(compressed),     cmocka_unit_test(converts_a_file),
        cmocka_unit_test(leaves_nothing), cmocka_unit_test(too_little_memory),
        cmocka_unit_test(doubled_quotes),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
