/* SPDX-License-Identifier: MIT
 * test_published.c - the published figures: known cells, the tables' shape, and the tables as
 * transcribed. */
#include "check.h"
#include "report/report.h"

static const char *const datasets[][2] = {{"Cora", "cora"},
                                          {"Citeseer", "citeseer"},
                                          {"Pubmed", "pubmed"},
                                          {"Cora-ML", "cora_ml"},
                                          {"Amazon Photo", "amazon_photo"},
                                          {"Amazon Computers", "amazon_computers"}};
static const char *const methods[][2] = {{"GND-Nets", "gnd-slp"},
                                         {"GCN", "gcn"},
                                         {"Geom-GCN", "geomgcn"},
                                         {"ChebyNet", "chebynet"},
                                         {"JK-Nets", "jknet"},
                                         {"SGC", "sgc"},
                                         {"PPNP", "ppnp"},
                                         {"PPNP-HK", "ppnp-hk"},
                                         {"N-GCN", "ngcn"},
                                         {"MixHop", "mixhop"},
                                         {"LanczosNet", "lanczosnet"},
                                         {"DCNN", "dcnn"}};

static void known_cells(void **state)
{
    gnd_published p = {.size = sizeof p};

    (void)state;
    assert_true(gnd_published_get(&p, "cora", "gnd-slp", 1));
    CHECK_CLOSE(p.mean, 56.04, 0);
    CHECK_CLOSE(p.std, 11.54, 0);
    assert_false(p.not_available);
    assert_true(gnd_published_get(&p, "pubmed", "geomgcn", 3));
    assert_true(p.not_available && isnan(p.mean) && isnan(p.std));
    assert_false(gnd_published_get(&p, "cora", "gnd-slp", 6));
    assert_true(isnan(p.mean) && !p.not_available);
    assert_false(gnd_published_get(&p, "cora", "gnd-mlp", 1));
    assert_false(gnd_published_get(&p, "debian", "gcn", 1));
}

/* The distance from a published mean in both units; runs of ours that do not vary, or are few. */
static void distance(void **state)
{
    gnd_report_published p = {.size = sizeof p, .mean = 50, .std = 3};

    (void)state;
    gnd_published_distance(&p, 52, 4, 30); /* sqrt((9 + 16) / 30) = 5 / sqrt(30) */
    CHECK_CLOSE(p.difference, 2 / 5.0 * sqrt(30), 1e-12);
    CHECK_CLOSE(p.difference_strict, 2 / 3.0 * sqrt(30), 1e-12);
    gnd_published_distance(&p, 49, 0, 30);
    CHECK_CLOSE(p.difference, p.difference_strict, 1e-12);
    assert_true(p.difference < 0);
    gnd_published_distance(&p, 52, 4, 5);
    CHECK_CLOSE(p.difference, 2 / sqrt(9.0 / 30 + 16.0 / 5), 1e-12);
    CHECK_CLOSE(p.difference_strict, 2 / 3.0 * sqrt(30), 1e-12);
}

/* Six tables of 12 methods and 5 label counts, 50 of the 360 cells "N/A"; GND-Nets has them all
 * and is best in each. */
static void shape(void **state)
{
    int missing = 0;

    (void)state;
    for (int d = 0; d < LENGTH(datasets); d++)
        for (int q = 1; q <= 5; q++) {
            gnd_published best = {.size = sizeof best}, p = {.size = sizeof p};

            assert_true(gnd_published_get(&best, datasets[d][1], "gnd-slp", q));
            for (int m = 0; m < LENGTH(methods); m++) {
                assert_true(gnd_published_get(&p, datasets[d][1], methods[m][1], q));
                missing += p.not_available;
                if (!p.not_available)
                    assert_true(p.mean > 0 && p.mean < 100 && p.std > 0 && p.mean <= best.mean);
            }
        }
    assert_int_equal(missing, 50);
}

static const char *name_of(const char *const table[][2], int64_t n, const char *name)
{
    for (int64_t i = 0; i < n; i++)
        if (strcmp(table[i][0], name) == 0)
            return table[i][1];
    fail_msg("%s is unknown", name);
    return NULL;
}

static void same_as_the_tables(void **state)
{
    static const char path[] = GND_SHARED_DIR "/paper/accuracy.csv";
    char line[256];
    int n = 0;
    FILE *f;

    (void)state;
    NEEDS_SHARED(path);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f)) {
        char dataset[32], method[32];
        double mean = NAN, std = NAN;
        int q;
        gnd_published p = {.size = sizeof p};
        const int got =
            sscanf(line, "%31[^,],%31[^,],%d,%lf,%lf", dataset, method, &q, &mean, &std);

        assert_true(got == 5 || got == 3);
        assert_true(gnd_published_get(&p, name_of(datasets, LENGTH(datasets), dataset),
                                      name_of(methods, LENGTH(methods), method), q));
        assert_int_equal(p.not_available, got == 3);
        if (got == 5 && (p.mean != mean || p.std != std))
            fail_msg("%s: has %g and %g", line, p.mean, p.std);
        n++;
    }
    fclose(f);
    assert_int_equal(n, 360);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_cells),
        cmocka_unit_test(distance),
        cmocka_unit_test(shape),
        cmocka_unit_test(same_as_the_tables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
