/* SPDX-License-Identifier: MIT
 * pickle_build.c - the calls in a pickle that make data: numpy's arrays and types, csr_matrix,
 * defaultdict. They are recognised, not executed. */
#include "pickle_priv.h"

static bool is_container(const gnd_pk_value *v)
{
    return v && (v->kind == GND_PK_LIST || v->kind == GND_PK_TUPLE || v->kind == GND_PK_DICT ||
                 v->kind == GND_PK_CSR);
}

/* The k-th item of a container, NULL if there are fewer. */
static const gnd_pk_value *item_at(const gnd_pickle *p, const gnd_pk_value *c, int32_t k)
{
    int32_t at = is_container(c) && c->u.items.n > k ? c->u.items.head : -1;

    while (at >= 0 && k-- > 0)
        at = p->cell[at].next;
    return at >= 0 ? &p->val[p->cell[at].value] : NULL;
}

static bool is_name(const gnd_pk_value *v, gnd_pk_name id)
{
    return v && v->kind == GND_PK_NAME && v->u.i == id;
}

static gnd_status array_new(gnd_pickle *p)
{
    void *a = p->array;

    if (!gnd_pk_grow(&a, &p->f_array, sizeof *p->array))
        return gnd_pk_nomem(p);
    p->array = a;
    p->array[p->f_array.n] = (gnd_pk_array){0};
    return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_ARRAY, .u.i = p->f_array.n++});
}

/* REDUCE: name, tuple of arguments -> value. */
gnd_status gnd_pk_reduce(gnd_pickle *p)
{
    const gnd_pk_value *f = gnd_pk_peek(p, 1), *args = gnd_pk_peek(p, 0);
    const gnd_pk_value *first = args && args->kind == GND_PK_TUPLE ? item_at(p, args, 0) : NULL;
    gnd_npy_type type;

    if (!f || f->kind != GND_PK_NAME || args->kind != GND_PK_TUPLE)
        return FAIL(p, "calls something that is not a known name; nothing was executed");
    if (f->u.i == GND_PK_N_REBUILD && is_name(first, GND_PK_N_NDARRAY)) {
        p->f_stack.n -= 2;
        return array_new(p);
    }
    if (f->u.i == GND_PK_N_TYPE && first && first->kind == GND_PK_STR) {
        if (!gnd_npy_type_parse(&type, first->u.str.s, (size_t)first->u.str.len) ||
            !gnd_npy_type_is_number(type))
            return FAIL(p, "numpy type '%.*s' is not numeric",
                        (int)(first->u.str.len < 20 ? first->u.str.len : 20), first->u.str.s);
        p->f_stack.n -= 2;
        return gnd_pk_push_new(p, (gnd_pk_value){.kind = GND_PK_DTYPE, .u.type = type});
    }
    if (f->u.i == GND_PK_N_DEFAULTDICT && (!first || is_name(first, GND_PK_N_LIST))) {
        p->f_stack.n -= 2;
        return gnd_pk_push_empty(p, GND_PK_DICT);
    }
    return FAIL(p, "calls a known name with arguments that make no data; nothing was executed");
}

/* NEWOBJ: class, tuple of arguments -> object. */
gnd_status gnd_pk_newobj(gnd_pickle *p)
{
    const gnd_pk_value *cls = gnd_pk_peek(p, 1), *args = gnd_pk_peek(p, 0);

    if (!is_name(cls, GND_PK_N_CSR) || args->kind != GND_PK_TUPLE || args->u.items.n != 0)
        return FAIL(p, "makes an object that is not a csr_matrix; nothing was executed");
    p->f_stack.n -= 2;
    return gnd_pk_push_empty(p, GND_PK_CSR);
}

/* State of a type: (version, byte order, ...). */
static gnd_status dtype_build(gnd_pickle *p, gnd_pk_value *v, const gnd_pk_value *state)
{
    const gnd_pk_value *order = item_at(p, state, 1);
    const char *s;

    if (state->kind != GND_PK_TUPLE || !order || order->kind != GND_PK_STR || order->u.str.len != 1)
        return FAIL(p, "the state of a numpy type is not valid");
    s = order->u.str.s;
    if (*s != '<' && *s != '>' && *s != '|' && *s != '=')
        return FAIL(p, "the byte order of a numpy type is not valid");
    v->u.type.big = *s == '>' || (*s != '<' && v->u.type.big);
    return GND_OK;
}

/* State of an array: (version, shape, type, by columns?, bytes). */
static gnd_status array_build(gnd_pickle *p, gnd_pk_value *v, const gnd_pk_value *state)
{
    const gnd_pk_value *shape = item_at(p, state, 1), *type = item_at(p, state, 2),
                       *fortran = item_at(p, state, 3), *raw = item_at(p, state, 4);
    gnd_pk_array a = {.dim = {1, 1}, .n_item = 1};
    int64_t bytes;

    if (state->kind != GND_PK_TUPLE || state->u.items.n != 5 || shape->kind != GND_PK_TUPLE ||
        type->kind != GND_PK_DTYPE || (fortran->kind != GND_PK_BOOL && fortran->kind != GND_PK_INT))
        return FAIL(p, "the state of a numpy array is not valid");
    if (raw->kind != GND_PK_STR)
        return FAIL(p, "an array does not hold plain bytes");
    a.n_dim = shape->u.items.n;
    if (a.n_dim < 1 || a.n_dim > 2)
        return FAIL(p, "an array has %d dimensions; expected 1 or 2", a.n_dim);
    for (int32_t k = 0; k < a.n_dim; k++) {
        const gnd_pk_value *d = item_at(p, shape, k);

        if (d->kind != GND_PK_INT || d->u.i < 0 ||
            __builtin_mul_overflow(a.n_item, d->u.i, &a.n_item))
            return FAIL(p, "the shape of an array is not valid");
        a.dim[k] = d->u.i;
    }
    a.type = type->u.type;
    a.fortran = fortran->u.i != 0;
    a.raw = (const unsigned char *)raw->u.str.s;
    if (__builtin_mul_overflow(a.n_item, (int64_t)a.type.size, &bytes) || bytes != raw->u.str.len)
        return FAIL(p, "an array of %lld items of %d bytes has %lld bytes", (long long)a.n_item,
                    a.type.size, (long long)raw->u.str.len);
    p->array[v->u.i] = a;
    return GND_OK;
}

/* BUILD: object, state -> object with that state. */
gnd_status gnd_pk_build(gnd_pickle *p)
{
    gnd_pk_value *v = gnd_pk_peek(p, 1);
    const gnd_pk_value *state = gnd_pk_peek(p, 0);
    gnd_status st;

    if (!v)
        return FAIL(p, "sets the state of a missing object");
    if (v->kind == GND_PK_DTYPE)
        st = dtype_build(p, v, state);
    else if (v->kind == GND_PK_ARRAY)
        st = array_build(p, v, state);
    else if (v->kind == GND_PK_CSR && v->u.items.n == 0 && state->kind == GND_PK_DICT)
        st = gnd_pk_append(p, p->stack[p->f_stack.n - 2], p->stack[p->f_stack.n - 1]);
    else
        st = FAIL(p, "sets the state of a value that has none; nothing was executed");
    p->f_stack.n--;
    return st;
}
