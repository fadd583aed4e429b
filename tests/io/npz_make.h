/* SPDX-License-Identifier: MIT
 * npz_make.h - small npz files made by hand, so that tests can make them wrong. */
#ifndef GND_TESTS_NPZ_MAKE_H
#define GND_TESTS_NPZ_MAKE_H

#include <zlib.h>

#include "check.h"

enum { MADE_MAX = 1 << 16 };

/* A member: a head takes the place of numpy's own header for descr and shape. */
typedef struct {
    const char *name, *descr, *shape;
    const void *data;
    size_t n;
    const char *head;
    uint32_t claim; /* bytes the archive says it has; 0: the truth */
} made;

typedef struct {
    unsigned char b[MADE_MAX];
    size_t n;
} bytes;

static inline void put_raw(bytes *o, const void *p, size_t n)
{
    assert_true(o->n + n <= MADE_MAX);
    if (n > 0)
        memcpy(o->b + o->n, p, n);
    o->n += n;
}

static inline void put_int(bytes *o, uint32_t v, int n)
{
    for (int k = 0; k < n; k++) {
        const unsigned char c = (unsigned char)(v >> 8 * k);

        put_raw(o, &c, 1);
    }
}

static inline void put_array(bytes *o, const made *m)
{
    char head[256];

    if (m->head) {
        put_raw(o, m->head, strlen(m->head));
    } else {
        snprintf(head, sizeof head, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
                 m->descr, m->shape);
        put_raw(o, "\x93NUMPY\x01\x00", 8);
        put_int(o, (uint32_t)strlen(head), 2);
        put_raw(o, head, strlen(head));
    }
    put_raw(o, m->data, m->n);
}

/* The fields that the local and the central header share. */
static inline void put_entry(bytes *o, const made *m, const bytes *a, size_t n_name)
{
    put_int(o, 20, 2);       /* version needed */
    put_int(o, 0, 2);        /* flags */
    put_int(o, 0, 2);        /* stored */
    put_int(o, 0x210000, 4); /* 1980-01-01 */
    put_int(o, (uint32_t)crc32(0, a->b, (unsigned)a->n), 4);
    put_int(o, (uint32_t)a->n, 4);
    put_int(o, m->claim ? m->claim : (uint32_t)a->n, 4);
    put_int(o, (uint32_t)n_name, 2);
    put_int(o, 0, 2); /* extra */
}

/* A store-only zip archive of the members up to the one without name. */
static inline void make_npz(bytes *o, const made *m)
{
    static bytes central, a;
    uint32_t count = 0, start;

    o->n = central.n = 0;
    for (; m->name; m++, count++) {
        char name[64];
        const uint32_t at = (uint32_t)o->n;
        const int n_name = snprintf(name, sizeof name, "%s.npy", m->name);

        a.n = 0;
        put_array(&a, m);
        put_raw(o, "PK\3\4", 4);
        put_entry(o, m, &a, (size_t)n_name);
        put_raw(o, name, (size_t)n_name);
        put_raw(o, a.b, a.n);
        put_raw(&central, "PK\1\2", 4);
        put_int(&central, 20, 2);
        put_entry(&central, m, &a, (size_t)n_name);
        put_int(&central, 0, 2); /* comment */
        put_int(&central, 0, 2); /* disk */
        put_int(&central, 0, 2); /* attributes */
        put_int(&central, 0, 4);
        put_int(&central, at, 4);
        put_raw(&central, name, (size_t)n_name);
    }
    start = (uint32_t)o->n;
    put_raw(o, central.b, central.n);
    put_raw(o, "PK\5\6\0\0\0\0", 8);
    put_int(o, count, 2);
    put_int(o, count, 2);
    put_int(o, (uint32_t)central.n, 4);
    put_int(o, start, 4);
    put_int(o, 0, 2);
}

#endif
