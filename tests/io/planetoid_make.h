/* SPDX-License-Identifier: MIT
 * planetoid_make.h - a small Planetoid set made by hand, so that tests can make it wrong. */
#ifndef GND_TESTS_PLANETOID_MAKE_H
#define GND_TESTS_PLANETOID_MAKE_H

#include "npz_make.h"
#include "temp.h"

/* Six vertices: 0-1 (listed three times), 0-3, 3-5, a loop at 2; 4 is a hole. Features: 3. */
static const char graph[] = "\x80\2ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R("
                            "K\0](K\1K\1eK\1](K\0eK\2]K\2aK\3]K\0aK\4]K\5]K\3au.";
static const char index_text[] = "5\n3\n";

static bytes part[8];
static const char *const part_name[8] = {"x",    "y",    "tx",    "ty",
                                         "allx", "ally", "graph", "test.index"};
enum { X, Y, TX, TY, ALLX, ALLY, GRAPH, INDEX };

#define TEXT(o, s) put_raw(o, s, sizeof s - 1)

/* numpy's array of one or two (d1 >= 0) dimensions, as protocol 2 writes it. */
static inline void put_nd(bytes *o, const char *type, int d0, int d1, const void *data, size_t n)
{
    TEXT(o, "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R(K\1M");
    put_int(o, (uint32_t)d0, 2);
    if (d1 >= 0) {
        TEXT(o, "M");
        put_int(o, (uint32_t)d1, 2);
        TEXT(o, "\x86");
    } else {
        TEXT(o, "\x85");
    }
    TEXT(o, "cnumpy\ndtype\nU\2");
    put_raw(o, type, 2);
    TEXT(o, "K\0K\1\x87R(K\3U\1<NNNJ\377\377\377\377J\377\377\377\377K\0tb\x89T");
    put_int(o, (uint32_t)n, 4);
    put_raw(o, data, n);
    TEXT(o, "tb");
}

/* A csr_matrix of rows x 3. */
static inline void make_csr(bytes *o, int rows, const int32_t *ptr, const int32_t *col,
                            const float *val)
{
    const int nnz = ptr[rows];

    o->n = 0;
    TEXT(o, "\x80\2cscipy.sparse.csr\ncsr_matrix\n)\x81}(U\6_shapeM");
    put_int(o, (uint32_t)rows, 2);
    TEXT(o, "K\3\x86U\6indptr");
    put_nd(o, "i4", rows + 1, -1, ptr, 4 * (size_t)(rows + 1));
    TEXT(o, "U\7indices");
    put_nd(o, "i4", nnz, -1, col, 4 * (size_t)nnz);
    TEXT(o, "U\4data");
    put_nd(o, "f4", nnz, -1, val, 4 * (size_t)nnz);
    TEXT(o, "ub.");
}

static inline void make_onehot(bytes *o, int rows, const int32_t *v)
{
    o->n = 0;
    TEXT(o, "\x80\2");
    put_nd(o, "i4", rows, 2, v, 8 * (size_t)rows);
    TEXT(o, ".");
}

static inline void make_text(bytes *o, const char *s, size_t n)
{
    o->n = 0;
    put_raw(o, s, n);
}

static inline void make_set(void)
{
    make_csr(&part[X], 2, (int32_t[]){0, 1, 2}, (int32_t[]){0, 1}, (float[]){1, 2});
    make_csr(&part[ALLX], 3, (int32_t[]){0, 1, 2, 4}, (int32_t[]){0, 1, 2, 0},
             (float[]){1, 2, 3, 4});
    make_csr(&part[TX], 2, (int32_t[]){0, 2, 3}, (int32_t[]){0, 2, 1}, (float[]){5, 6, 7});
    make_onehot(&part[Y], 2, (int32_t[]){1, 0, 0, 1});
    make_onehot(&part[ALLY], 3, (int32_t[]){1, 0, 0, 1, 1, 0});
    make_onehot(&part[TY], 2, (int32_t[]){0, 1, 1, 0});
    make_text(&part[GRAPH], graph, sizeof graph - 1);
    make_text(&part[INDEX], index_text, sizeof index_text - 1);
}

static inline void write_part(int k)
{
    char name[64];

    snprintf(name, sizeof name, "ind.toy.%s", part_name[k]);
    temp_file(name, part[k].b, part[k].n);
}

/* Write the parts; the path that names them. */
static inline const char *write_set(void)
{
    for (int k = 0; k < 8; k++)
        write_part(k);
    return temp_path("ind.toy");
}

#endif
