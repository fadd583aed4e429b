/* SPDX-License-Identifier: MIT
 * pickle_priv.h - the state of the stack machine, shared by its three files: values
 * (pickle_store.c), calls that make data (pickle_build.c) and opcodes (pickle.c). */
#ifndef GND_IO_PICKLE_PRIV_H
#define GND_IO_PICKLE_PRIV_H

#include "pickle.h"

/* The names needed for data. REBUILD makes an empty array, TYPE a numpy type, DEFAULTDICT a
 * dictionary. */
typedef enum {
    GND_PK_N_CSR,
    GND_PK_N_NDARRAY,
    GND_PK_N_REBUILD,
    GND_PK_N_TYPE,
    GND_PK_N_DEFAULTDICT,
    GND_PK_N_LIST
} gnd_pk_name;

typedef struct {
    gnd_pk_kind kind;
    union {
        int64_t i; /* BOOL, INT; NAME: gnd_pk_name; ARRAY: index in array */
        double r;
        gnd_npy_type type;
        struct {
            const char *s; /* points into the file or into a text of this reader */
            int64_t len;
        } str;
        struct {
            int32_t head, tail, n; /* cells */
        } items;
    } u;
} gnd_pk_value;

typedef struct {
    int32_t value, next;
} gnd_pk_cell;

/* Size and capacity of a growing array. */
typedef struct {
    int64_t n, cap;
} gnd_pk_fill;

enum { GND_PK_MARK = -1, GND_PK_FREE = -1 };

struct gnd_pickle {
    const char *begin, *s, *end; /* the file, the next byte, its end */
    const char *op;              /* position of the present opcode */
    const char *what;
    char *own; /* the file, if this reader opened it */
    gnd_error *err;
    gnd_pk_value *val;
    gnd_pk_cell *cell;
    gnd_pk_array *array;
    int32_t *stack, *memo;
    char **text; /* strings that had escapes */
    gnd_pk_fill f_val, f_cell, f_array, f_stack, f_text;
    int64_t n_memo;
    int32_t root;
};

gnd_status gnd_pk_fail(gnd_pickle *p, gnd_status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define FAIL(p, ...) gnd_pk_fail(p, GND_ERR_FORMAT, __VA_ARGS__)
gnd_status gnd_pk_nomem(gnd_pickle *p);
/* Make room for one more item of the given size in the array at *a. */
bool gnd_pk_grow(void **a, gnd_pk_fill *f, size_t size);
gnd_status gnd_pk_push(gnd_pickle *p, int32_t v);
/* Push a new value. */
gnd_status gnd_pk_push_new(gnd_pickle *p, gnd_pk_value v);
/* Push an empty container. */
gnd_status gnd_pk_push_empty(gnd_pickle *p, gnd_pk_kind kind);
/* The value k below the top; NULL: the stack, or its part above the last mark, is shorter. */
gnd_pk_value *gnd_pk_peek(gnd_pickle *p, int64_t k);
/* Append a value to a container. */
gnd_status gnd_pk_append(gnd_pickle *p, int32_t to, int32_t v);

/* REDUCE: name, tuple of arguments -> value. */
gnd_status gnd_pk_reduce(gnd_pickle *p);
/* NEWOBJ: class, tuple of arguments -> object. */
gnd_status gnd_pk_newobj(gnd_pickle *p);
/* BUILD: object, state -> object with that state. */
gnd_status gnd_pk_build(gnd_pickle *p);

#endif
