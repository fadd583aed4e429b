/* SPDX-License-Identifier: MIT
 * npy.h - one numpy array as a stream of bytes: its header, and its items as our types. */
#ifndef GND_IO_NPY_H
#define GND_IO_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "kern/real.h"

/* The type of an item, as numpy writes it: "<f4" is kind 'f', size 4, little endian. */
typedef struct {
    char kind;    /* b i u f: numbers; U S: text; O: pickled; ?: anything else, which is not read */
    bool big;     /* bytes of a number, most significant first */
    int32_t size; /* bytes an item; U: 4 a character */
} gnd_npy_type;

/* False if the len bytes at s do not look like a type at all. */
bool gnd_npy_type_parse(gnd_npy_type *out, const char *s, size_t len);
bool gnd_npy_type_is_number(gnd_npy_type d);

/* n items of type d (a number) at raw, converted. Each returns the position of the first item that
 * does not fit (not finite as gnd_real; not a whole number; outside lo .. hi), or n if all do. */
int64_t gnd_npy_type_reals(gnd_real *out, const unsigned char *raw, int64_t n, gnd_npy_type d);
int64_t gnd_npy_type_int64(int64_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d);
int64_t gnd_npy_type_int32(int32_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d,
                           int32_t lo, int32_t hi);

/* Where the bytes come from. read gives how many bytes it put into buf: fewer than n only at the
 * end, -1 if the source is broken. size: what it holds in all, so far as it is known to be true. */
typedef struct {
    int64_t (*read)(void *user, void *buf, int64_t n);
    void *user;
    int64_t size;
    const char *what; /* for messages: "graph.npz: labels"; must outlive the array */
} gnd_npy_source;

typedef struct {
    gnd_npy_source src;
    gnd_npy_type type;
    bool fortran;
    int32_t n_dim;  /* 0 .. 32 */
    int64_t dim[2]; /* the first two; 1 where there are none */
    int64_t n_item;
} gnd_npy;

/* Read the header (versions 1 to 3). Claims beyond src.size are refused here, before anyone
 * allocates. */
gnd_status gnd_npy_open(gnd_npy *a, gnd_npy_source src, gnd_error *err);
/* Refuse anything but numbers in n_dim dimensions. */
gnd_status gnd_npy_want(const gnd_npy *a, int32_t n_dim, gnd_error *err);
/* All items, once, in stored order, to an array of n_item. The source must end with them. */
gnd_status gnd_npy_reals(const gnd_npy *a, gnd_real *out, gnd_error *err);
gnd_status gnd_npy_int64(const gnd_npy *a, int64_t *out, gnd_error *err);
gnd_status gnd_npy_int32(const gnd_npy *a, int32_t *out, int32_t lo, int32_t hi, gnd_error *err);
/* Strings (U or S) into a table, without blanks and line ends behind them. *distinct: none stood
 * twice; if false the table is of no use. */
gnd_status gnd_npy_names(const gnd_npy *a, gnd_names *out, bool *distinct, gnd_error *err);

#endif
