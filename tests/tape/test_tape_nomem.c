/* SPDX-License-Identifier: MIT
 * test_tape_nomem.c - a pass when memory is short, and no allocation after the first pass. */
#include "mallocfail.h"
#include "pass.h"
#include "tape/optim.h"

/* What a pass takes from the heap stays with the tape: the next one of the same shape takes
 * nothing, whatever its dropout keeps. */
static void second_pass_is_free(void **state)
{
    gnd_error err = {0};
    gnd_tape *t;
    pass s;

    (void)state;
    pass_init(&s);
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    mallocfail_allow(-1);
    pass_loss(t, &s, true, 0);
    pass_loss(t, &s, false, 0);
    assert_true(mallocfail_count() > 0);
    mallocfail_allow(0);
    for (int64_t epoch = 1; epoch < 4; epoch++) {
        pass_loss(t, &s, true, epoch);
        pass_loss(t, &s, false, epoch);
    }
    assert_int_equal(mallocfail_count(), 0);
    mallocfail_allow(-1);
    gnd_tape_free(t);
    pass_fini(&s);
}

/* Evaluation asks for less than training. */
static void evaluation_is_small(void **state)
{
    gnd_error err = {0};
    int64_t asked[2];
    pass s;

    (void)state;
    pass_init(&s);
    for (int training = 0; training < 2; training++) {
        gnd_tape *t;

        CHECK_OK(gnd_tape_new(&t, NULL, &err));
        mallocfail_allow(-1);
        pass_loss(t, &s, training, 0);
        asked[training] = mallocfail_count();
        gnd_tape_free(t);
    }
    assert_true(asked[0] * 3 < asked[1] * 2);
    pass_fini(&s);
}

static gnd_status whole(pass *s, gnd_error *err)
{
    gnd_tape *t = NULL;
    gnd_status st = gnd_tape_new(&t, NULL, err);

    if (st == GND_OK) {
        pass_run(t, s, true, 0);
        st = gnd_tape_check(t, err);
    }
    gnd_tape_free(t);
    return st;
}

static void pass_fails_cleanly(void **state)
{
    gnd_error err = {0};
    pass s;

    (void)state;
    pass_init(&s);
    NOMEM_WALK(whole(&s, &err), (void)0);
    pass_fini(&s);
}

/* Two passes that copy features and links because the budget allows it. */
static gnd_status with_copies(pass *s, int64_t *spent, gnd_error *err)
{
    gnd_tape *t = NULL;
    gnd_status st = gnd_tape_new(&t, NULL, err);

    for (int64_t epoch = 0; epoch < 2 && st == GND_OK; epoch++) {
        gnd_var z;

        gnd_tape_reset(t, true, epoch);
        t->budget.total = 1 << 30;
        z = gnd_dropped_matmul(t, &(gnd_dropped){gnd_input(t, &s->x), s->p, "X"},
                               gnd_param_var(t, &s->ps, 0));
        z = gnd_restart(t, &s->a, &s->at, z, &(gnd_restart_walk){2, 0.1, s->p, "S"});
        gnd_tape_backward(t, gnd_mean_square(t, z, 1));
        st = gnd_tape_check(t, err);
        *spent = t->budget.spent;
    }
    gnd_tape_free(t);
    return st;
}

static void copies_fail_cleanly(void **state)
{
    gnd_error err = {0};
    int64_t spent = 0;
    pass s;

    (void)state;
    pass_init(&s);
    NOMEM_WALK(with_copies(&s, &spent, &err), (void)0);
    /* columns of 2 bytes, and all links in both directions */
    assert_true(spent > 2 * gnd_csr_nnz(&s.x) + 2 * 8 * gnd_csr_nnz(&s.a));
    pass_fini(&s);
}

static gnd_status params_and_optim(gnd_error *err)
{
    gnd_params ps = {0};
    gnd_optim o = {0};
    gnd_status st;

    for (int i = 0; i < 20; i++)
        GND_TRY(gnd_param_add(&ps, (char[]){(char)('a' + i), '\0'}, 2, 3,
                              GND_INIT_GLOROT | GND_DECAY, err));
    GND_TRY(gnd_params_alloc(&ps, err));
    GND_TRY(gnd_optim_init(&o, GND_OPT_ADAM_TF, 0.1, ps.size, err));
out:
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
    return st;
}

static void params_fail_cleanly(void **state)
{
    gnd_error err = {0};

    (void)state;
    NOMEM_WALK(params_and_optim(&err), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(second_pass_is_free), cmocka_unit_test(evaluation_is_small),
        cmocka_unit_test(pass_fails_cleanly),  cmocka_unit_test(copies_fail_cleanly),
        cmocka_unit_test(params_fail_cleanly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
