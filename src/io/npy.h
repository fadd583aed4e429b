/* SPDX-License-Identifier: MIT
 * npy.h - one numpy array as a stream of bytes: its header, and its items converted to gnd's
 * types. */
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
    int32_t size; /* bytes per item; U: 4 per character */
} gnd_npy_type;

/* False if the len bytes at s do not look like a type at all. */
bool gnd_npy_type_parse(gnd_npy_type *out, const char *s, size_t len);
bool gnd_npy_type_is_number(gnd_npy_type d);

/* Convert n items of type d (a number) at raw. Each returns the index of the first item that does
 * not fit (not finite as gnd_real; not an integer; outside lo .. hi), or n if all fit. */
int64_t gnd_npy_type_reals(gnd_real *out, const unsigned char *raw, int64_t n, gnd_npy_type d);
int64_t gnd_npy_type_int64(int64_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d);
int64_t gnd_npy_type_int32(int32_t *out, const unsigned char *raw, int64_t n, gnd_npy_type d,
                           int32_t lo, int32_t hi);

/* Source of the bytes. read returns the number of bytes put into buf: fewer than n only at the end,
 * -1 if the source is damaged. size: an upper bound of all bytes, independent of the header. */
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
    int64_t dim[2]; /* the first two dimensions; 1 if missing */
    int64_t n_item;
} gnd_npy;

/* Read the header (versions 1 to 3). Sizes beyond src.size are refused here, before memory is
 * allocated. */
gnd_status gnd_npy_open(gnd_npy *a, gnd_npy_source src, gnd_error *err);
/* Refuse anything but numbers in n_dim dimensions. */
gnd_status gnd_npy_want(const gnd_npy *a, int32_t n_dim, gnd_error *err);
/* Read all items, once, in stored order, into an array of n_item. The source must end after
 * them. */
gnd_status gnd_npy_reals(const gnd_npy *a, gnd_real *out, gnd_error *err);
gnd_status gnd_npy_int64(const gnd_npy *a, int64_t *out, gnd_error *err);
gnd_status gnd_npy_int32(const gnd_npy *a, int32_t *out, int32_t lo, int32_t hi, gnd_error *err);
/* Strings (U or S) into a table, without trailing blanks and line ends. *distinct: no string occurs
 * twice; if false, the table is not usable. */
gnd_status gnd_npy_names(const gnd_npy *a, gnd_names *out, bool *distinct, gnd_error *err);

#endif
