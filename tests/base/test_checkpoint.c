/* SPDX-License-Identifier: MIT
 * test_checkpoint.c - saved states: what is read back, what is refused, what is left. The processes
 * of a team are played one after another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checkpoint.h"
#include "check.h"

static char folder[64];

static int fresh(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/gnd-checkpoint-%d", (int)getpid());
    return gnd_checkpoint_remove(folder, NULL) != GND_OK;
}

static const char run[] = "method\tgcn\nseed\t1\n";

static gnd_checkpoint *opened(const char *text)
{
    gnd_error err = {0};
    gnd_checkpoint *c;

    CHECK_OK(gnd_checkpoint_open(&c, &(gnd_checkpoint_opts){.folder = folder, .run = text}, &err));
    return c;
}

static const char *path_in(char buf[128], const char *name)
{
    snprintf(buf, 128, "%s/%s", folder, name);
    return buf;
}

static void a_state_is_read_back(void **state)
{
    double a[3] = {1, 2, 3}, b[2] = {4, 5};
    gnd_saved_array list[] = {
        {"a", a, sizeof a, false}, {"b", b, sizeof b, true}, {"none", NULL, 0, false}};
    gnd_checkpoint *c = opened(run);
    gnd_error err = {0};
    char buf[128];
    int64_t step;

    (void)state;
    CHECK_OK(gnd_checkpoint_load(&step, c, "epochs", list, 3, &err));
    assert_true(step == -1 && !gnd_checkpoint_used(c));
    assert_true(gnd_checkpoint_due(c));
    CHECK_OK(gnd_checkpoint_save(c, "epochs", 1, list, 3, &err));
    a[1] = 7;
    CHECK_OK(gnd_checkpoint_save(c, "epochs", 2, list, 3, &err));
    gnd_checkpoint_free(c);
    assert_true(access(path_in(buf, "state-1-shared"), F_OK) != 0); /* the state before is gone */
    assert_true(access(path_in(buf, "state-2-0"), F_OK) == 0);
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    c = opened(run);
    CHECK_OK(gnd_checkpoint_load(&step, c, "passes", list, 3, &err));
    assert_true(step == -1);
    CHECK_OK(gnd_checkpoint_load(&step, c, "epochs", list, 3, &err));
    assert_true(step == 2 && gnd_checkpoint_used(c));
    assert_true(a[0] == 1 && a[1] == 7 && a[2] == 3 && b[0] == 4 && b[1] == 5);
    gnd_checkpoint_free(c);
    CHECK_OK(gnd_checkpoint_remove(folder, &err));
    assert_true(access(folder, F_OK) != 0);
    assert_true(!gnd_checkpoint_due(NULL));
}

static void time_must_pass(void **state)
{
    gnd_error err = {0};
    gnd_checkpoint *c;

    (void)state;
    CHECK_OK(gnd_checkpoint_open(
        &c, &(gnd_checkpoint_opts){.folder = folder, .run = run, .seconds = 1000}, &err));
    assert_false(gnd_checkpoint_due(c));
    gnd_checkpoint_free(c);
}

static void other_runs_are_refused(void **state)
{
    double a[3] = {0};
    gnd_saved_array list[] = {{"a", a, sizeof a, false}};
    gnd_checkpoint *c = opened(run);
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_checkpoint_save(c, "epochs", 1, list, 1, &err));
    gnd_checkpoint_free(c);
    CHECK_FAILS(
        gnd_checkpoint_open(
            &c, &(gnd_checkpoint_opts){.folder = folder, .run = "method\tgcn\nseed\t2\n"}, &err),
        GND_ERR_ARG, "(seed: 1, now 2)");
    assert_null(c);
    CHECK_FAILS(
        gnd_checkpoint_open(&c, &(gnd_checkpoint_opts){.folder = folder, .run = "plan\tx\n"}, &err),
        GND_ERR_ARG, "(plan: none, now x)");
}

static void overwrite(const char *name, const char *text, long at)
{
    char buf[128];
    FILE *f = fopen(path_in(buf, name), at < 0 ? "wb" : "r+b");

    assert_non_null(f);
    if (at > 0)
        assert_int_equal(fseek(f, at, SEEK_SET), 0);
    fputs(text, f);
    fclose(f);
}

static void damaged_files_are_refused(void **state)
{
    static const char *const bad[] = {"", "gnd checkpoint 2\n", "gnd checkpoint 1\nserial\t1\n",
                                      "gnd checkpoint 1\nserial\t-1\nstage\tepochs\nstep\t1\n"};
    double a[3] = {1, 2, 3};
    gnd_saved_array list[] = {{"a", a, sizeof a, false}}, longer[] = {{"a", a, 16, false}},
                    other[] = {{"b", a, sizeof a, false}};
    gnd_checkpoint *c = opened(run);
    gnd_error err = {0};
    char buf[128];
    int64_t step;

    (void)state;
    CHECK_OK(gnd_checkpoint_save(c, "epochs", 1, list, 1, &err));
    gnd_checkpoint_free(c);
    c = opened(run);
    CHECK_FAILS(gnd_checkpoint_load(&step, c, "epochs", longer, 1, &err), GND_ERR_FORMAT,
                "damaged");
    CHECK_FAILS(gnd_checkpoint_load(&step, c, "epochs", other, 1, &err), GND_ERR_FORMAT, "damaged");
    overwrite("state-1-shared", "x", 45); /* a byte of the values */
    CHECK_FAILS(gnd_checkpoint_load(&step, c, "epochs", list, 1, &err), GND_ERR_FORMAT, "damaged");
    assert_int_equal(truncate(path_in(buf, "state-1-shared"), 40), 0);
    CHECK_FAILS(gnd_checkpoint_load(&step, c, "epochs", list, 1, &err), GND_ERR_FORMAT, "damaged");
    overwrite("state-1-shared", "", -1);
    CHECK_FAILS(gnd_checkpoint_load(&step, c, "epochs", list, 1, &err), GND_ERR_FORMAT, "damaged");
    gnd_checkpoint_free(c);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        overwrite("manifest", bad[k], -1);
        CHECK_FAILS(
            gnd_checkpoint_open(&c, &(gnd_checkpoint_opts){.folder = folder, .run = run}, &err),
            GND_ERR_FORMAT, "manifest");
    }
}

static void what_a_killed_process_left_is_removed(void **state)
{
    double a = 1;
    gnd_saved_array list[] = {{"a", &a, sizeof a, false}};
    static const char *const others[] = {
        "notes.txt", "state-of-the-art.txt", "state-1-shared.txt", "manifest.json.tmp.bak",
        "state-7",   "manifest.12.tmp"};
    gnd_checkpoint *c = opened(run);
    gnd_error err = {0};
    char buf[128];

    (void)state;
    CHECK_OK(gnd_checkpoint_save(c, "epochs", 1, list, 1, &err));
    gnd_checkpoint_free(c);
    overwrite("state-2-shared", "half", -1);
    overwrite("state-1-shared.0123456789abcdef.tmp", "half", -1);
    overwrite("manifest.0123456789abcdef.tmp", "half", -1);
    for (int k = 0; k < LENGTH(others); k++)
        overwrite(others[k], "of the user", -1);
    gnd_checkpoint_free(opened(run));
    assert_true(access(path_in(buf, "state-1-shared"), F_OK) == 0);
    assert_true(access(path_in(buf, "state-2-shared"), F_OK) != 0);
    assert_true(access(path_in(buf, "state-1-shared.0123456789abcdef.tmp"), F_OK) != 0);
    assert_true(access(path_in(buf, "manifest.0123456789abcdef.tmp"), F_OK) != 0);
    CHECK_OK(gnd_checkpoint_remove(folder, &err));
    for (int k = 0; k < LENGTH(others); k++) {
        assert_true(access(path_in(buf, others[k]), F_OK) == 0);
        unlink(buf);
    }
}

/* A manifest that somebody changed is refused, whatever is changed in it. */
static void a_changed_manifest_is_refused(void **state)
{
    static const char *const words[] = {"step\t7", "stage\tepochs", "-shared\tfile"};
    double a = 1;
    gnd_saved_array list[] = {{"a", &a, sizeof a, false}};
    char buf[128], text[4096];

    (void)state;
    for (int k = 0; k < LENGTH(words); k++) {
        gnd_checkpoint *c = opened(run);
        gnd_error err = {0};
        size_t n;
        FILE *f;
        char *at;

        CHECK_OK(gnd_checkpoint_save(c, "epochs", 7, list, 1, &err));
        gnd_checkpoint_free(c);
        f = fopen(path_in(buf, "manifest"), "rb");
        assert_non_null(f);
        n = fread(text, 1, sizeof text - 1, f);
        fclose(f);
        text[n] = '\0';
        at = strstr(text, words[k]);
        assert_non_null(at);
        at[strlen(words[k]) - 1]++;
        overwrite("manifest", text, -1);
        assert_int_equal(
            gnd_checkpoint_open(&c, &(gnd_checkpoint_opts){.folder = folder, .run = run}, &err),
            GND_ERR_FORMAT);
        CHECK_OK(gnd_checkpoint_remove(folder, &err));
    }
}

/* ---- a team ---- */

static gnd_status no_one_fails(void *user, gnd_status st, gnd_error *err)
{
    (void)user, (void)err;
    return st;
}

static bool say_the_same(void *user, bool yes)
{
    (void)yes;
    return *(bool *)user;
}

static gnd_checkpoint *member(int32_t rank, bool *answer)
{
    gnd_error err = {0};
    gnd_checkpoint *c;

    CHECK_OK(gnd_checkpoint_open(
        &c,
        &(gnd_checkpoint_opts){
            .folder = folder, .run = run, .team = {rank, 2, no_one_fails, say_the_same, answer}},
        &err));
    return c;
}

static void each_process_saves_its_rows(void **state)
{
    double all = 9, mine[2] = {10, 20};
    bool nobody_has_one = true, one_lacks_it = false;
    gnd_checkpoint *c[2];
    gnd_error err = {0};
    int64_t step;

    (void)state;
    for (int r = 0; r < 2; r++)
        c[r] = member(r, &nobody_has_one);
    for (int r = 1; r >= 0; r--) { /* the first one writes the manifest */
        gnd_saved_array list[] = {{"all", &all, sizeof all, false}, {"mine", &mine[r], 8, true}};

        CHECK_OK(gnd_checkpoint_save(c[r], "passes", 3, list, 2, &err));
        gnd_checkpoint_free(c[r]);
    }
    for (int r = 0; r < 2; r++) {
        double got[2] = {0};
        gnd_saved_array list[] = {{"all", &got[0], 8, false}, {"mine", &got[1], 8, true}};

        c[r] = member(r, &one_lacks_it);
        CHECK_OK(gnd_checkpoint_load(&step, c[r], "passes", list, 2, &err));
        assert_true(step == 3 && got[0] == 9 && got[1] == mine[r]);
        gnd_checkpoint_free(c[r]);
    }
    CHECK_FAILS(gnd_checkpoint_open(&c[0],
                                    &(gnd_checkpoint_opts){.folder = folder,
                                                           .run = run,
                                                           .team = {1, 2, no_one_fails,
                                                                    say_the_same, &nobody_has_one}},
                                    &err),
                GND_ERR_IO, "not all processes see its files");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_state_is_read_back, fresh, fresh),
        cmocka_unit_test_setup_teardown(time_must_pass, fresh, fresh),
        cmocka_unit_test_setup_teardown(other_runs_are_refused, fresh, fresh),
        cmocka_unit_test_setup_teardown(damaged_files_are_refused, fresh, fresh),
        cmocka_unit_test_setup_teardown(what_a_killed_process_left_is_removed, fresh, fresh),
        cmocka_unit_test_setup_teardown(a_changed_manifest_is_refused, fresh, fresh),
        cmocka_unit_test_setup_teardown(each_process_saves_its_rows, fresh, fresh),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
