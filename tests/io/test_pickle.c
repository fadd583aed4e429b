/* SPDX-License-Identifier: MIT
 * test_pickle.c - pickles are data here: the values of the known opcodes, and a refusal of all
 * else. */
#include "check.h"

#include "io/pickle.h"

#define P(s) s, sizeof s - 1

/* Values of lists, by every opcode that makes one. */
static void test_values(void **state)
{
    static const char two[] =
        "\x80\x02](K\x05M\x00\x01J\xfe\xff\xff\xff\x8a\x02\x00\x80NG\x3f\xf8\0\0\0\0\0\0"
        "\x88\x89U\x02hiT\x01\0\0\0!X\x02\0\0\0\xc3\xa4"
        "e.";
    static const char zero[] =
        "(lp0\nI7\naL-9L\naI01\naF-2.5\naS'a\\x41\\n\\\\\\101'\np1\nag1\nag0\na.";
    gnd_pickle *p = NULL;
    gnd_error err;
    int32_t c, root;
    size_t len;

    (void)state;
    CHECK_OK(gnd_pickle_new(&p, P(two), "t", &err));
    root = gnd_pickle_root(p);
    assert_int_equal(gnd_pickle_kind(p, root), GND_PK_LIST);
    assert_int_equal(gnd_pickle_count(p, root), 11);
    c = gnd_pickle_first(p, root);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), 5);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), 256);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), -2);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), -32768);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_kind(p, gnd_pickle_item(p, c)), GND_PK_NONE);
    c = gnd_pickle_next(p, c);
    CHECK_CLOSE(gnd_pickle_real(p, gnd_pickle_item(p, c)), 1.5, 0);
    c = gnd_pickle_next(p, gnd_pickle_next(p, gnd_pickle_next(p, c)));
    assert_memory_equal(gnd_pickle_str(p, gnd_pickle_item(p, c), &len), "hi", 2);
    assert_int_equal(len, 2);
    gnd_pickle_free(p);

    CHECK_OK(gnd_pickle_new(&p, P(zero), "t", &err));
    root = gnd_pickle_root(p);
    assert_int_equal(gnd_pickle_count(p, root), 7);
    c = gnd_pickle_first(p, root);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), 7);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_int(p, gnd_pickle_item(p, c)), -9);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_kind(p, gnd_pickle_item(p, c)), GND_PK_BOOL);
    c = gnd_pickle_next(p, gnd_pickle_next(p, c));
    assert_memory_equal(gnd_pickle_str(p, gnd_pickle_item(p, c), &len), "aA\n\\A", 5);
    c = gnd_pickle_next(p, c);
    assert_memory_equal(gnd_pickle_str(p, gnd_pickle_item(p, c), &len), "aA\n\\A", 5);
    c = gnd_pickle_next(p, c);
    assert_int_equal(gnd_pickle_item(p, c), root); /* a list that holds itself is no trouble */
    gnd_pickle_free(p);
}

/* An array as protocol 0 writes it, big endian. */
static void test_array(void **state)
{
    static const char text[] =
        "cnumpy.core.multiarray\n_reconstruct\np0\n(cnumpy\nndarray\np1\n(I0\ntp2\n"
        "S'b'\np3\ntp4\nRp5\n(I1\n(I1\nI2\ntp6\ncnumpy\ndtype\np7\n(S'f4'\nI0\nI1\n"
        "tp8\nRp9\n(I3\nS'>'\nNNNI-1\nI-1\nI0\ntp10\nbI00\n"
        "S'\\x3f\\x80\\x00\\x00\\xc0\\x00\\x00\\x00'\ntp11\nb.";
    const gnd_pk_array *a;
    gnd_pickle *p = NULL;
    gnd_real v[2];
    gnd_error err;

    (void)state;
    CHECK_OK(gnd_pickle_new(&p, P(text), "t", &err));
    assert_int_equal(gnd_pickle_kind(p, gnd_pickle_root(p)), GND_PK_ARRAY);
    a = gnd_pickle_array(p, gnd_pickle_root(p));
    assert_int_equal(a->n_dim, 2);
    assert_int_equal(a->dim[1], 2);
    assert_int_equal(gnd_npy_type_reals(v, a->raw, 2, a->type), 2);
    CHECK_CLOSE(v[0], 1, 0);
    CHECK_CLOSE(v[1], -2, 0);
    gnd_pickle_free(p);
}

#define ND    "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R"
#define DTYPE "cnumpy\ndtype\nU\2i4K\0K\1\x87R"

static const struct {
    const char *s;
    size_t n;
    const char *text;
} bad[] = {
    /* Names outside the list, by every opcode that can call one. */
    {P("cos\nsystem\n(S'touch pwned'\ntR."), "byte 0: asks for os.system, which is not data"},
    {P("\x80\2cposix\nsystem\nU\013touch pwned\x85R."), "byte 2: asks for posix.system"},
    {P("(S'touch pwned'\nios\nsystem\n."),
     "byte 16: asks for os.system, which is not data; nothing"},
    {P("(cos\nsystem\nS'touch pwned'\no."), "byte 1: asks for os.system"},
    {P("\x80\2cos\npopen\nU\013touch pwned\x85\x81."), "byte 2: asks for os.popen"},
    {P("c__builtin__\neval\n(S'1'\ntR."), "asks for __builtin__.eval"},
    {P("ccopy_reg\n_reconstructor\n."), "asks for copy_reg._reconstructor"},
    {P("cnumpy\nload\n."), "asks for numpy.load"},
    {P("cos\r\x1b\nsystem\n."), "asks for os??.system"},
    /* Allowed names in ways that make no data. */
    {P("c__builtin__\nlist\n(tR."), "arguments that make no data; nothing was executed"},
    {P("\x80\2c__builtin__\nlist\n)\x81."), "not a csr_matrix; nothing was executed"},
    {P("ic\n"), "the file ends inside a value"},
    {P("(icollections\ndefaultdict\n."), "in a way that data do not need"},
    {P("(c__builtin__\nlist\no."), "opcode 0x6f is not needed for data"},
    {P("K\1K\2R."), "calls something that is not a known name"},
    {P("K\1}b."), "sets the state of a value that has none"},
    {P("\x80\2cnumpy\ndtype\nU\2O8K\0K\1\x87R."), "numpy type 'O8' is not numeric"},
    {P("Pid\n."), "opcode 0x50"},
    {P("\x82\1."), "opcode 0x82"},
    {P("\x80\4\x95."), "protocol 4; expected 0 to 2"},
    /* Arrays whose sizes do not agree. */
    {P(ND "(K\1K\2\x85" DTYPE "\x89U\4abcdtb."), "an array of 2 items of 4 bytes has 4 bytes"},
    {P(ND "(K\1J\xff\xff\xff\xff\x85" DTYPE "\x89U\4abcdtb."),
     "the shape of an array is not valid"},
    {P(ND "(K\1\x8a\7\0\0\0\0\0\0\x40\x8a\7\0\0\0\0\0\0\x40\x86" DTYPE "\x89U\4abcdtb."),
     "the shape of an array is not valid"},
    {P(ND "(K\1)" DTYPE "\x89U\4abcdtb."), "has 0 dimensions"},
    {P(ND "(K\1K\1\x85" DTYPE "\x89]tb."), "does not hold plain bytes"},
    {P(ND "(K\1tb."), "the state of a numpy array is not valid"},
    {P(DTYPE "(K\3U\1!tb."), "the byte order of a numpy type"},
    /* The stack and the memo. */
    {P("."), "ends with 0 values"},
    {P("K\1K\2."), "ends with 2 values"},
    {P("(."), "ends with 1 values"},
    {P(""), "byte 0: the file ends before its value is complete"},
    {P("T\xff\xff\xff\x7f"
       "abc."),
     "states a string of 2147483647 bytes; 4 are left"},
    {P("U\x09"
       "abc."),
     "states a string of 9 bytes"},
    {P("K\1r\xff\xff\xff\xff."), "memo number 4294967295 is out of range"},
    {P("K\1p99999999999\n."), "memo number 99999999999 is out of range"},
    {P("K\1p-1\n."), "memo number -1 is out of range"},
    {P("h\5."), "memo number 5 was not set"},
    {P("q\1."), "remembers nothing"},
    {P("(q\1."), "remembers nothing"},
    {P("g-7\n."), "memo number -7 was not set"},
    {P("K\1a."), "adds to a value that is not a list"},
    {P("}K\1K\2e."), "adds to a value that is not a list"},
    {P("](K\1u."), "adds to a value that is not a dictionary"},
    {P("}(K\1u."), "a key without value"},
    {P("(K\1d."), "a key without value"},
    {P("t."), "a group ends that did not begin"},
    {P("K\1\x87."), "a tuple of 3 has too few items"},
    {P("0."), "pops from an empty stack"},
    {P("1."), "pops from an empty stack"},
    {P("2."), "doubles nothing"},
    {P("I12x\n."), "expected a whole number"},
    {P("I12"), "the file ends inside a value"},
    {P("S'abc\n."), "expected a quoted string"},
    {P("S'a\\q'\n."), "unknown escape"},
    {P("\x8a\x09"
       "123456789."),
     "a number of 9 bytes"},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        gnd_pickle *p = NULL;
        gnd_error err;

        CHECK_FAILS(gnd_pickle_new(&p, bad[k].s, bad[k].n, "f", &err), GND_ERR_FORMAT, bad[k].text);
        assert_null(p);
    }
    assert_int_not_equal(access("pwned", F_OK), 0);
}

/* Nesting as deep as the file is long: no recursion, so no overflow. */
static void test_deep(void **state)
{
    enum { DEPTH = 1000000 };
    char *s = malloc(2 * DEPTH + 1);
    gnd_pickle *p = NULL;
    gnd_error err;

    (void)state;
    assert_non_null(s);
    memset(s, ']', DEPTH);
    memset(s + DEPTH, 'a', DEPTH - 1);
    s[2 * DEPTH - 1] = '.';
    CHECK_OK(gnd_pickle_new(&p, s, 2 * DEPTH, "deep", &err));
    gnd_pickle_free(p);
    memset(s, '(', DEPTH);
    memset(s + DEPTH, 't', DEPTH);
    s[2 * DEPTH] = '.';
    CHECK_OK(gnd_pickle_new(&p, s, 2 * DEPTH + 1, "deep", &err));
    gnd_pickle_free(p);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_array),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
