/* SPDX-License-Identifier: MIT
 * test_sweep_nomem.c - a sweep and its reports with every allocation failing in turn: a status, no
 * crash, no leak. */
#include "check.h"
#include "mallocfail.h"

static const char *const data[] = {"karate"};
static const char *const methods[] = {"ls", "sgc"};
static const int32_t counts[] = {1};
static const gnd_sweep_setting raw = {GND_GRAPH_RAW, "original"};

static void sweeps(void **state)
{
    const gnd_sweep_opts o = {.size = sizeof o,
                              .datasets = data,
                              .n_dataset = 1,
                              .data_dir = GND_SOURCE_DIR "/data",
                              .settings = &raw,
                              .n_setting = 1,
                              .methods = methods,
                              .n_method = 2,
                              .set = (const char *const[]){"l2=1e-6"},
                              .vary = "epochs_alone=1,2",
                              .per_class = counts,
                              .n_per_class = 1,
                              .n_split = 1,
                              .seed = 1,
                              .threads = 1,
                              .keep_runs = true,
                              .paired = true};
    static const gnd_report_kind kind[] = {GND_REPORT_COMPARISON, GND_REPORT_PAPER, GND_REPORT_PLAN,
                                           GND_REPORT_RUNS};
    FILE *f = fopen("/dev/null", "w");
    gnd_sweep *s = NULL;
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(gnd_sweep_new(&s, &o, &err), assert_null(s));
    assert_string_equal(gnd_sweep_left_out(s), "ls");
    NOMEM_WALK(gnd_sweep_train(s, false, &err), assert_int_equal(gnd_sweep_n_done(s), 0));
    assert_int_equal(gnd_sweep_n_run(s), 2);
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (int format = 0; format < GND_FORMAT_CSV; format++) {
            const gnd_report_opts r = {
                .size = sizeof r, .kind = kind[k], .format = (gnd_table_format)format};

            NOMEM_WALK(gnd_report_write(f, s, &r, &err), (void)0);
        }
    fclose(f);
    gnd_sweep_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
