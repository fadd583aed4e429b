/* SPDX-License-Identifier: MIT
 * test_csv_columns.c - names of columns that are known, and columns that the user states. */
#include "check.h"

#include "io/csv_columns.h"

static int rank(gnd_role role, const char *name)
{
    return gnd_column_rank(role, (gnd_csv_field){name, strlen(name)});
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(rank(GND_ROLE_SOURCE, "SourCe"), 1);
    assert_int_equal(rank(GND_ROLE_SOURCE, "from_node_id"), 1);
    assert_int_equal(rank(GND_ROLE_SOURCE, "sources"), 0);
    assert_int_equal(rank(GND_ROLE_SOURCE, "target"), 0);
    assert_int_equal(rank(GND_ROLE_SOURCE, ":START_ID(Person)"), 1);
    assert_int_equal(rank(GND_ROLE_TARGET, ":end_id"), 1);
    assert_int_equal(rank(GND_ROLE_ID, "userId:ID(User)"), 1);
    assert_int_equal(rank(GND_ROLE_ID, "Node ID"), 1);
    assert_int_equal(rank(GND_ROLE_ID, "name:string"), 2);
    assert_int_equal(rank(GND_ROLE_ID, ""), 3);
    assert_int_equal(rank(GND_ROLE_ID, "Unnamed: 0"), 3);
    assert_int_equal(rank(GND_ROLE_ID, "user:7"), 0); /* not Neo4j's */
    assert_int_equal(rank(GND_ROLE_LABEL, ":LABEL"), 1);
    assert_int_equal(rank(GND_ROLE_LABEL, ":TYPE"), 0);
    assert_int_equal(rank(GND_ROLE_TYPE, "Type"), 1);
    assert_int_equal(rank(GND_ROLE_TYPE, ":TYPE"), 0); /* a kind of relation, not a direction */
    assert_int_equal(rank(GND_ROLE_WEIGHT, "weight:double"), 1);
    assert_int_equal(rank(GND_ROLE_WEIGHT, "a name that is longer than any known one"), 0);
    assert_true(gnd_column_is_plain(GND_ROLE_SOURCE, (gnd_csv_field){"Src", 3}));
    assert_false(gnd_column_is_plain(GND_ROLE_SOURCE, (gnd_csv_field){"s_rc", 4}));
    assert_false(gnd_column_is_plain(GND_ROLE_LABEL, (gnd_csv_field){"community", 9}));
    assert_true(gnd_column_is_own((gnd_csv_field){"p_red", 5}));
    assert_false(gnd_column_is_own((gnd_csv_field){"price", 5}));
}

static void test_stated(void **state)
{
    gnd_stated_columns c;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_stated_columns_get(&c, NULL, GND_CSV_EDGES, &err));
    assert_false(c.given[GND_ROLE_SOURCE]);
    CHECK_OK(gnd_stated_columns_get(&c, "source=a b,target=\"x,\"\"y\"\"\",weight=,id=z",
                                    GND_CSV_EDGES, &err));
    assert_string_equal(c.name[GND_ROLE_SOURCE], "a b");
    assert_string_equal(c.name[GND_ROLE_TARGET], "x,\"y\"");
    assert_true(c.given[GND_ROLE_WEIGHT] && c.name[GND_ROLE_WEIGHT][0] == '\0');
    assert_false(c.given[GND_ROLE_ID]); /* not of edges */
    /* What is stated for one kind of file counts more, wherever it stands. */
    CHECK_OK(gnd_stated_columns_get(&c, "labels.id=a,id=b", GND_CSV_LABELS, &err));
    assert_string_equal(c.name[GND_ROLE_ID], "a");
    CHECK_OK(gnd_stated_columns_get(&c, "labels.id=a,id=b", GND_CSV_FEATURES, &err));
    assert_string_equal(c.name[GND_ROLE_ID], "b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_stated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
