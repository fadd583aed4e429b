/* SPDX-License-Identifier: MIT
 * test_launch.c - how many processes were started together, by the variables of mpirun and srun. */
#include <stdlib.h>

#include "check.h"
#include "gnd.h"

static const char *const names[] = {"OMPI_COMM_WORLD_SIZE",
                                    "OMPI_COMM_WORLD_RANK",
                                    "PMI_SIZE",
                                    "PMI_RANK",
                                    "MV2_COMM_WORLD_SIZE",
                                    "MV2_COMM_WORLD_RANK",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_PROCID"};

static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    return 0;
}

static void alone(void **state)
{
    gnd_error err;

    (void)state;
    assert_int_equal(gnd_cluster_launched(), 1);
    assert_int_equal(gnd_cluster_rank(), 0);
    assert_int_equal(gnd_cluster_size(), 1);
    CHECK_OK(gnd_cluster_start(&err));
    assert_int_equal(gnd_cluster_size(), 1);
}

static void each_launcher(void **state)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i += 2) {
        clear(state);
        setenv(names[i], "12", 1);
        assert_int_equal(gnd_cluster_launched(), 1); /* a size alone is that of an allocation */
        setenv(names[i + 1], "11", 1);
        assert_int_equal(gnd_cluster_launched(), 12);
        assert_int_equal(gnd_cluster_rank(), 11);
    }
}

static void work_of_their_own(void **state)
{
    (void)state;
    setenv(names[0], "4", 1);
    setenv(names[1], "3", 1);
    setenv("GND_PROCESSES", "1", 1);
    assert_int_equal(gnd_cluster_launched(), 1);
    assert_int_equal(gnd_cluster_rank(), 0);
    unsetenv("GND_PROCESSES");
    assert_int_equal(gnd_cluster_launched(), 4);
}

static void nonsense(void **state)
{
    static const char *const sizes[] = {"", "x", "-3", "99999999999", "4 "};

    (void)state;
    setenv(names[1], "0", 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        setenv(names[0], sizes[i], 1);
        assert_int_equal(gnd_cluster_launched(), 1);
    }
    setenv(names[0], "2", 1);
    setenv(names[1], "2", 1); /* there are 0 and 1 */
    assert_int_equal(gnd_cluster_launched(), 1);
}

static void exit_codes_of_one(void **state)
{
    int32_t code = 3, first = 9;

    (void)state;
    assert_int_equal(gnd_cluster_agree(&code, &first), GND_CLUSTER_AGREED);
    assert_int_equal(code, 3);
    assert_int_equal(first, 0);
    code = 0;
    gnd_cluster_agree(&code, &first);
    assert_int_equal(first, -1);
    gnd_cluster_end(GND_CLUSTER_AGREED, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(alone, clear, clear),
        cmocka_unit_test_setup_teardown(each_launcher, clear, clear),
        cmocka_unit_test_setup_teardown(work_of_their_own, clear, clear),
        cmocka_unit_test_setup_teardown(nonsense, clear, clear),
        cmocka_unit_test_setup_teardown(exit_codes_of_one, clear, clear),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
