/* SPDX-License-Identifier: MIT
 * pickle.c - the stack machine of Python's pickles, protocols 0 to 2, as a reader of data.
 *
 * Memory is in proportion to the file: an opcode makes at most one value and moves those on the
 * stack. Nothing recurses: values refer to each other by number, and no function follows these
 * references. */
#include "pickle_priv.h"

#include <string.h>

#include "base/alloc.h"

static const struct {
    const char *module, *name;
    gnd_pk_name id;
} allowed[] = {
    {"scipy.sparse.csr", "csr_matrix", GND_PK_N_CSR},
    {"scipy.sparse._csr", "csr_matrix", GND_PK_N_CSR},
    {"numpy.core.multiarray", "_reconstruct", GND_PK_N_REBUILD},
    {"numpy", "ndarray", GND_PK_N_NDARRAY},
    {"numpy", "dtype", GND_PK_N_TYPE},
    {"collections", "defaultdict", GND_PK_N_DEFAULTDICT},
    {"__builtin__", "list", GND_PK_N_LIST},
};

/* ---- the stack ---- */

static gnd_status push_int(gnd_pickle *p, int64_t i)
{
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_INT, .u.i = i});
}

static gnd_status push_str(gnd_pickle *p, const char *s, int64_t len)
{
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_STR, .u.str = {s, len}});
}

/* Move the stack from index `from` up into container `to`, and truncate it there. */
static gnd_status append_from(gnd_pickle *p, int32_t to, int64_t from)
{
    gnd_status st = GND_OK;

    for (int64_t i = from; i < p->f_stack.n && st == GND_OK; i++)
        st = gnd_pk_append(p, to, p->stack[i]);
    p->f_stack.n = from;
    return st;
}

/* Index of the last mark, -1 if there is none. */
static int64_t mark_find(const gnd_pickle *p)
{
    int64_t i = p->f_stack.n - 1;

    while (i >= 0 && p->stack[i] != GND_PK_MARK)
        i--;
    return i;
}

/* ---- arguments of opcodes ---- */

static gnd_status cut(gnd_pickle *p)
{
    return FAIL(p, "the file ends inside a value");
}

/* n bytes, little endian. */
static gnd_status take_uint(gnd_pickle *p, uint64_t *out, int n)
{
    *out = 0;
    if (p->end - p->s < n)
        return cut(p);
    for (int k = n - 1; k >= 0; k--)
        *out = *out << 8 | (unsigned char)p->s[k];
    p->s += n;
    return GND_OK;
}

static gnd_status take_bytes(gnd_pickle *p, const char **s, uint64_t n)
{
    *s = p->s;
    if ((uint64_t)(p->end - p->s) < n)
        return FAIL(p, "states a string of %llu bytes; %lld are left", (unsigned long long)n,
                    (long long)(p->end - p->s));
    p->s += n;
    return GND_OK;
}

/* Up to the end of the line, which is consumed. */
static gnd_status take_line(gnd_pickle *p, const char **s, size_t *len)
{
    const char *nl = memchr(p->s, '\n', (size_t)(p->end - p->s));

    *s = p->s;
    *len = 0;
    if (!nl)
        return cut(p);
    *len = (size_t)(nl - p->s);
    p->s = nl + 1;
    return GND_OK;
}

static gnd_status take_line_int(gnd_pickle *p, int64_t *out)
{
    const char *s;
    size_t len;
    const gnd_status st = take_line(p, &s, &len);

    if (st != GND_OK)
        return st;
    if (len > 0 && s[len - 1] == 'L')
        len--;
    return gnd_parse_int(out, s, len) ? GND_OK : FAIL(p, "expected a whole number");
}

/* ---- values ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode one escape after the backslash at s, of n bytes. Returns its length, 0 if it is
 * invalid. */
static size_t unescape(char *out, const char *s, size_t n)
{
    static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
    const char *k = n > 0 && s[0] ? strchr(from, s[0]) : NULL;
    size_t i = 0;
    int v = 0;

    if (k) {
        *out = to[k - from];
        return 1;
    }
    if (n >= 3 && s[0] == 'x' && hex_digit(s[1]) >= 0 && hex_digit(s[2]) >= 0) {
        *out = (char)(16 * hex_digit(s[1]) + hex_digit(s[2]));
        return 3;
    }
    for (; i < n && i < 3 && s[i] >= '0' && s[i] <= '7'; i++)
        v = 8 * v + s[i] - '0';
    *out = (char)v;
    return i;
}

/* STRING: a quoted line with Python's escapes. */
static gnd_status op_string(gnd_pickle *p)
{
    void *a = p->text;
    const char *s;
    char *text;
    size_t len, q = 0;
    const gnd_status st = take_line(p, &s, &len);

    if (st != GND_OK)
        return st;
    if (len < 2 || (s[0] != '\'' && s[0] != '"') || s[len - 1] != s[0])
        return FAIL(p, "expected a quoted string");
    s++;
    len -= 2;
    if (!memchr(s, '\\', len))
        return push_str(p, s, (int64_t)len);
    text = gnd_realloc(NULL, (int64_t)len, 1);
    if (!text || !gnd_pk_grow(&a, &p->f_text, sizeof *p->text)) {
        gnd_free(text);
        return gnd_pk_nomem(p);
    }
    p->text = a;
    p->text[p->f_text.n++] = text;
    for (size_t i = 0; i < len;) {
        if (s[i] != '\\') {
            text[q++] = s[i++];
        } else {
            const size_t k = unescape(&text[q++], s + i + 1, len - i - 1);

            if (k == 0)
                return FAIL(p, "unknown escape in a string");
            i += 1 + k;
        }
    }
    return push_str(p, text, (int64_t)q);
}

/* INT: a number on a line; 00 and 01 are false and true. */
static gnd_status op_int(gnd_pickle *p)
{
    const char *s = p->s;
    int64_t i;
    const gnd_status st = take_line_int(p, &i);

    if (st != GND_OK)
        return st;
    if (p->s - s == 3 && s[0] == '0' && (s[1] == '0' || s[1] == '1'))
        return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_BOOL, .u.i = i});
    return push_int(p, i);
}

/* LONG1: two's complement with a stated number of bytes; more than 64 bits are refused. */
static gnd_status op_long1(gnd_pickle *p)
{
    uint64_t n, u = 0;
    gnd_status st;

    GND_TRY(take_uint(p, &n, 1));
    if (n > 8)
        GND_TRY(FAIL(p, "a number of %llu bytes; expected at most 8", (unsigned long long)n));
    GND_TRY(take_uint(p, &u, (int)n));
    if (n > 0 && n < 8 && u >> (8 * n - 1))
        u |= ~UINT64_C(0) << (8 * n);
    GND_TRY(push_int(p, (int64_t)u));
out:
    return st;
}

static gnd_status op_float_line(gnd_pickle *p)
{
    const char *s;
    size_t len;
    double r;
    const gnd_status st = take_line(p, &s, &len);

    if (st != GND_OK)
        return st;
    if (!gnd_parse_real(&r, s, len))
        return FAIL(p, "expected a number");
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_REAL, .u.r = r});
}

static gnd_status op_binfloat(gnd_pickle *p)
{
    uint64_t u;
    double r;
    const gnd_status st = take_uint(p, &u, 8);

    if (st != GND_OK)
        return st;
    u = __builtin_bswap64(u);
    memcpy(&r, &u, 8);
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_REAL, .u.r = r});
}

/* GLOBAL and INST: only the allowed names; the message names any other. */
static gnd_status name_check(gnd_pickle *p, gnd_pk_name *id)
{
    const char *mod, *name;
    size_t n_mod, n_name;
    gnd_status st;

    GND_TRY(take_line(p, &mod, &n_mod));
    GND_TRY(take_line(p, &name, &n_name));
    for (size_t k = 0; k < sizeof allowed / sizeof allowed[0]; k++)
        if (strlen(allowed[k].module) == n_mod && strlen(allowed[k].name) == n_name &&
            memcmp(allowed[k].module, mod, n_mod) == 0 &&
            memcmp(allowed[k].name, name, n_name) == 0) {
            *id = allowed[k].id;
            return GND_OK;
        }
    n_mod = n_mod < 80 ? n_mod : 80;
    n_name = n_name < 80 ? n_name : 80;
    st = FAIL(p, "asks for %.*s.%.*s, which is not data; nothing was executed", (int)n_mod, mod,
              (int)n_name, name);
out:
    return st;
}

static gnd_status op_global(gnd_pickle *p)
{
    gnd_pk_name id;
    const gnd_status st = name_check(p, &id);

    return st == GND_OK ? gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_NAME, .u.i = id}) : st;
}

static gnd_status op_inst(gnd_pickle *p)
{
    gnd_pk_name id;
    const gnd_status st = name_check(p, &id);

    return st == GND_OK
               ? FAIL(p, "makes an object in a way that data do not need; nothing was executed")
               : st;
}

/* ---- containers ---- */

static gnd_status op_from_mark(gnd_pickle *p, gnd_pk_kind kind)
{
    const int64_t m = mark_find(p);
    int32_t v;
    gnd_status st;

    if (m < 0)
        return FAIL(p, "a group ends that did not begin");
    if (kind == GND_PK_DICT && (p->f_stack.n - m - 1) % 2 != 0)
        return FAIL(p, "a dictionary has a key without value");
    GND_TRY(gnd_pk_push_empty(p, kind));
    v = p->stack[--p->f_stack.n];
    GND_TRY(append_from(p, v, m + 1));
    p->stack[m] = v;
out:
    return st;
}

static gnd_status op_tuple_n(gnd_pickle *p, int64_t n)
{
    int32_t v;
    gnd_status st;

    if (!gnd_pk_peek(p, n - 1))
        return FAIL(p, "a tuple of %lld has too few items", (long long)n);
    GND_TRY(gnd_pk_push_empty(p, GND_PK_TUPLE));
    v = p->stack[--p->f_stack.n];
    GND_TRY(append_from(p, v, p->f_stack.n - n));
    GND_TRY(gnd_pk_push(p, v));
out:
    return st;
}

/* APPENDS, SETITEMS: all values above the mark are moved to the container below it. */
static gnd_status op_extend(gnd_pickle *p, gnd_pk_kind kind)
{
    const int64_t m = mark_find(p);
    gnd_status st;

    if (m < 1 || p->stack[m - 1] == GND_PK_MARK || p->val[p->stack[m - 1]].kind != kind)
        return FAIL(p, "adds to a value that is not a %s",
                    kind == GND_PK_LIST ? "list" : "dictionary");
    if (kind == GND_PK_DICT && (p->f_stack.n - m - 1) % 2 != 0)
        return FAIL(p, "a dictionary has a key without value");
    st = append_from(p, p->stack[m - 1], m + 1);
    p->f_stack.n = m;
    return st;
}

/* APPEND, SETITEM: the top n values are moved to the container below them. */
static gnd_status op_add(gnd_pickle *p, gnd_pk_kind kind, int64_t n)
{
    const gnd_pk_value *c = gnd_pk_peek(p, n);

    if (!c || c->kind != kind)
        return FAIL(p, "adds to a value that is not a %s",
                    kind == GND_PK_LIST ? "list" : "dictionary");
    return append_from(p, p->stack[p->f_stack.n - 1 - n], p->f_stack.n - n);
}

/* ---- memo ---- */

static gnd_status memo_put(gnd_pickle *p, int64_t i)
{
    if (!gnd_pk_peek(p, 0))
        return FAIL(p, "remembers nothing");
    /* Memo numbers ascend from 0 or 1 and each takes bytes, so none exceeds the size of the
     * file. */
    if (i < 0 || i > p->end - p->begin)
        return FAIL(p, "memo number %lld is out of range", (long long)i);
    if (i >= p->n_memo) {
        const int64_t n = i + 64 + p->n_memo / 2;
        int32_t *memo = gnd_realloc(p->memo, n, sizeof *memo);

        if (!memo)
            return gnd_pk_nomem(p);
        for (int64_t k = p->n_memo; k < n; k++)
            memo[k] = GND_PK_FREE;
        p->memo = memo;
        p->n_memo = n;
    }
    p->memo[i] = p->stack[p->f_stack.n - 1];
    return GND_OK;
}

static gnd_status memo_get(gnd_pickle *p, int64_t i)
{
    if (i < 0 || i >= p->n_memo || p->memo[i] == GND_PK_FREE)
        return FAIL(p, "memo number %lld was not set", (long long)i);
    return gnd_pk_push(p, p->memo[i]);
}

/* PUT and GET in their three sizes: n bytes, or a line if n is 0. */
static gnd_status op_memo(gnd_pickle *p, int n, bool put)
{
    uint64_t u = 0;
    int64_t i;
    const gnd_status st = n == 0 ? take_line_int(p, &i) : take_uint(p, &u, n);

    if (st != GND_OK)
        return st;
    if (n != 0)
        i = (int64_t)u;
    return put ? memo_put(p, i) : memo_get(p, i);
}

/* ---- the machine ---- */

static gnd_status op_bytes(gnd_pickle *p, int n_len)
{
    const char *s;
    uint64_t n;
    gnd_status st = take_uint(p, &n, n_len);

    if (st == GND_OK)
        st = take_bytes(p, &s, n);
    return st == GND_OK ? push_str(p, s, (int64_t)n) : st;
}

static gnd_status op_binint(gnd_pickle *p, int n)
{
    uint64_t u;
    const gnd_status st = take_uint(p, &u, n);

    return st == GND_OK ? push_int(p, n == 4 ? (int64_t)(int32_t)(uint32_t)u : (int64_t)u) : st;
}

static gnd_status op_unicode_line(gnd_pickle *p)
{
    const char *s;
    size_t len;
    const gnd_status st = take_line(p, &s, &len);

    return st == GND_OK ? push_str(p, s, (int64_t)len) : st;
}

static gnd_status op_proto(gnd_pickle *p)
{
    uint64_t v;
    const gnd_status st = take_uint(p, &v, 1);

    if (st == GND_OK && v > 2)
        return FAIL(p, "pickle of protocol %d; expected 0 to 2", (int)v);
    return st;
}

static gnd_status op_pop(gnd_pickle *p, bool to_mark)
{
    const int64_t m = to_mark ? mark_find(p) : p->f_stack.n - 1;

    if (m < 0)
        return FAIL(p, "pops from an empty stack");
    p->f_stack.n = m;
    return GND_OK;
}

static gnd_status op_dup(gnd_pickle *p)
{
    return gnd_pk_peek(p, 0) ? gnd_pk_push(p, p->stack[p->f_stack.n - 1])
                             : FAIL(p, "doubles nothing");
}

static gnd_status push_bool(gnd_pickle *p, bool b)
{
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_BOOL, .u.i = b});
}

/* Opcodes that push a constant or an existing value; step() handles the others. */
static gnd_status step_value(gnd_pickle *p, unsigned char op)
{
    switch (op) {
    case 'N':
        return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_NONE});
    case 'I':
        return op_int(p);
    case 'J':
        return op_binint(p, 4);
    case 'K':
        return op_binint(p, 1);
    case 'M':
        return op_binint(p, 2);
    case 'L': {
        int64_t i;
        const gnd_status st = take_line_int(p, &i);

        return st == GND_OK ? push_int(p, i) : st;
    }
    case 0x8a:
        return op_long1(p);
    case 'F':
        return op_float_line(p);
    case 'G':
        return op_binfloat(p);
    case 'S':
        return op_string(p);
    case 'T':
    case 'X':
        return op_bytes(p, 4);
    case 'U':
        return op_bytes(p, 1);
    case 'V':
        return op_unicode_line(p);
    case 0x88:
    case 0x89:
        return push_bool(p, op == 0x88);
    case 'p':
    case 'g':
        return op_memo(p, 0, op == 'p');
    case 'q':
    case 'h':
        return op_memo(p, 1, op == 'q');
    case 'r':
    case 'j':
        return op_memo(p, 4, op == 'r');
    default:
        return FAIL(p, "opcode 0x%02x is not needed for data; nothing was executed", op);
    }
}

static gnd_status step(gnd_pickle *p, unsigned char op)
{
    switch (op) {
    case 0x80:
        return op_proto(p);
    case '(':
        return gnd_pk_push(p, GND_PK_MARK);
    case ')':
        return gnd_pk_push_empty(p, GND_PK_TUPLE);
    case ']':
        return gnd_pk_push_empty(p, GND_PK_LIST);
    case '}':
        return gnd_pk_push_empty(p, GND_PK_DICT);
    case 't':
        return op_from_mark(p, GND_PK_TUPLE);
    case 'l':
        return op_from_mark(p, GND_PK_LIST);
    case 'd':
        return op_from_mark(p, GND_PK_DICT);
    case 0x85:
    case 0x86:
    case 0x87:
        return op_tuple_n(p, op - 0x84);
    case 'a':
        return op_add(p, GND_PK_LIST, 1);
    case 's':
        return op_add(p, GND_PK_DICT, 2);
    case 'e':
        return op_extend(p, GND_PK_LIST);
    case 'u':
        return op_extend(p, GND_PK_DICT);
    case '0':
        return op_pop(p, false);
    case '1':
        return op_pop(p, true);
    case '2':
        return op_dup(p);
    case 'c':
        return op_global(p);
    case 'i':
        return op_inst(p);
    case 'R':
        return gnd_pk_reduce(p);
    case 'b':
        return gnd_pk_build(p);
    case 0x81:
        return gnd_pk_newobj(p);
    default:
        return step_value(p, op);
    }
}

gnd_status gnd_pickle_new(gnd_pickle **out, const char *data, size_t n, const char *what,
                          gnd_error *err)
{
    gnd_pickle *p = gnd_alloc(1, sizeof *p);
    gnd_status st = GND_OK;

    *out = NULL;
    if (!p)
        return gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", what);
    p->begin = p->s = p->op = data;
    p->end = data + n;
    p->what = what;
    p->err = err;
    for (;;) {
        p->op = p->s;
        if (p->s == p->end)
            GND_TRY(FAIL(p, "the file ends before its value is complete"));
        if (*p->s == '.')
            break;
        p->s++;
        GND_TRY(step(p, (unsigned char)*p->op));
    }
    if (p->f_stack.n != 1 || !gnd_pk_peek(p, 0))
        GND_TRY(FAIL(p, "ends with %lld values; expected 1", (long long)p->f_stack.n));
    p->root = p->stack[0];
    *out = p;
    p = NULL;
out:
    gnd_pickle_free(p);
    return st;
}
