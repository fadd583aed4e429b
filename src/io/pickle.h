/* SPDX-License-Identifier: MIT
 * pickle.h - read the data in a Python pickle without Python and without executing anything.
 *
 * A pickle is a program for a stack machine that may name and call any function. This reader knows
 * the opcodes of protocols 0 to 2 and calls nothing: the names needed for data (numpy's arrays and
 * types, scipy's csr_matrix, defaultdict) make values of its own types; any other name is an
 * error. */
#ifndef GND_IO_PICKLE_H
#define GND_IO_PICKLE_H

#include "npy.h"

typedef enum {
    GND_PK_NONE,
    GND_PK_BOOL,
    GND_PK_INT,
    GND_PK_REAL,
    GND_PK_STR,
    GND_PK_LIST,
    GND_PK_TUPLE,
    GND_PK_DICT, /* items: key, value, key, value, ... */
    GND_PK_NAME, /* one of the allowed names */
    GND_PK_DTYPE,
    GND_PK_ARRAY,
    GND_PK_CSR /* scipy's csr_matrix; its state, a dictionary, is the one item */
} gnd_pk_kind;

/* numpy's ndarray. */
typedef struct {
    gnd_npy_type type;
    bool fortran;
    int32_t n_dim; /* 1 or 2 */
    int64_t dim[2];
    int64_t n_item;
    const unsigned char *raw; /* n_item * type.size bytes; NULL: it has no content */
} gnd_pk_array;

typedef struct gnd_pickle gnd_pickle;

/* Read the n bytes at data, which must outlive the result: values point into them. what: the name
 * of the file for messages, must outlive it too. */
gnd_status gnd_pickle_new(gnd_pickle **out, const char *data, size_t n, const char *what,
                          gnd_error *err);
/* The same from a file, whose bytes the result owns. path must outlive it. */
gnd_status gnd_pickle_load(gnd_pickle **out, const char *path, int64_t max_input, gnd_error *err);
void gnd_pickle_free(gnd_pickle *p);
/* Bytes of the pickle; an upper bound of the number of its values. */
int64_t gnd_pickle_size(const gnd_pickle *p);

/* Values are referred to by number. Containers may contain themselves, so loops over them need a
 * bound. */
int32_t gnd_pickle_root(const gnd_pickle *p);
gnd_pk_kind gnd_pickle_kind(const gnd_pickle *p, int32_t v);
int64_t gnd_pickle_int(const gnd_pickle *p, int32_t v); /* INT and BOOL */
double gnd_pickle_real(const gnd_pickle *p, int32_t v); /* REAL */
const char *gnd_pickle_str(const gnd_pickle *p, int32_t v, size_t *len);
const gnd_pk_array *gnd_pickle_array(const gnd_pickle *p, int32_t v);
/* Items of a list, tuple, dictionary or csr_matrix: their number, and iteration: the cell of the
 * first (-1: none), the next cell, the value in a cell. */
int64_t gnd_pickle_count(const gnd_pickle *p, int32_t v);
int32_t gnd_pickle_first(const gnd_pickle *p, int32_t v);
int32_t gnd_pickle_next(const gnd_pickle *p, int32_t cell);
int32_t gnd_pickle_item(const gnd_pickle *p, int32_t cell);
/* The last value of a dictionary under a string key, -1 if none. */
int32_t gnd_pickle_find(const gnd_pickle *p, int32_t dict, const char *key);

#endif
