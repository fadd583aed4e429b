/* SPDX-License-Identifier: MIT
 * test_files.c - every option and operand that names a file says what the command does with it, so
 * that files_check sees all of them. */
#include "check.h"
#include "cli/common.h"

static bool takes_file(const opt_spec *o)
{
    return o->arg && strstr(o->arg, "FILE");
}

static void options_are_marked(void **state)
{
    int n = 0;

    (void)state;
    for (int i = 0; i < N_COMMAND; i++)
        for (const opt_spec *o = commands[i]->opts; o->help; o++) {
            if (takes_file(o) && o->use == USE_NONE)
                fail_msg("%s --%s takes a file and is not marked", commands[i]->name, o->name);
            /* files_check reads the value as one text */
            if (o->use != USE_NONE && o->type != OPT_TEXT)
                fail_msg("%s --%s is marked and is not a text", commands[i]->name, o->name);
            n += takes_file(o);
        }
    assert_in_range(n, 20, 100);
}

static void operands_are_marked(void **state)
{
    (void)state;
    for (int i = 0; i < N_COMMAND; i++) {
        const command *c = commands[i];
        const int n = c->max_operand < 0 ? MAX_OPERAND_USE : c->max_operand;

        assert_in_range(n, 0, MAX_OPERAND_USE);
        for (int k = 0; k < n; k++)
            if (c->operand_use[k] == USE_NONE && strncmp(c->operands, "[NAME]", 6) != 0 &&
                strncmp(c->operands, "NAME...", 7) != 0) /* names that are no files */
                fail_msg("%s: operand %d is not marked", c->name, k);
    }
}

/* An option that writes says so in its help, and one that is marked as read does not. */
static void outputs_are_outputs(void **state)
{
    (void)state;
    for (int i = 0; i < N_COMMAND; i++)
        for (const opt_spec *o = commands[i]->opts; o->help; o++) {
            if (!takes_file(o))
                continue;
            if (strcmp(o->name, "output") == 0 || strncmp(o->help, "write", 5) == 0 ||
                strncmp(o->help, "save", 4) == 0)
                assert_int_equal(o->use, USE_OUT);
            if (strcmp(o->name, "store") == 0)
                assert_int_equal(o->use, USE_STORE);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_marked),
        cmocka_unit_test(operands_are_marked),
        cmocka_unit_test(outputs_are_outputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
