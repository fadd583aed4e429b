/* SPDX-License-Identifier: MIT
 * links.h - graphs with a known shape, as adjacency matrices that list each link once. */
#ifndef GND_TESTS_EMBED_LINKS_H
#define GND_TESTS_EMBED_LINKS_H

#include "base/parallel.h"
#include "base/rng.h"
#include "check.h"
#include "kern/csr.h"
#include "pools.h"

enum { MAX_LINKS = 4096 };

typedef struct {
    int32_t a[MAX_LINKS], b[MAX_LINKS];
    int64_t n;
} link_list;

static inline void add_link(link_list *l, int64_t a, int64_t b)
{
    assert_true(l->n < MAX_LINKS);
    l->a[l->n] = (int32_t)a;
    l->b[l->n++] = (int32_t)b;
}

static inline gnd_csr make_links(int64_t n, const link_list *l)
{
    gnd_csr a = {0};
    gnd_error err = {0};

    CHECK_OK(gnd_csr_from_triplets(&a, &(gnd_triplets){n, n, l->n, l->a, l->b, NULL}, GND_DUP_MAX,
                                   NULL, &err));
    return a;
}

static inline gnd_csr make_empty(int64_t n)
{
    const link_list none = {.n = 0};

    return make_links(n, &none);
}

/* first .. first + n - 1 in a row, or in a ring. */
static inline void add_path(link_list *l, int64_t first, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        add_link(l, first + i - 1, first + i);
}

static inline void add_clique(link_list *l, int64_t first, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++)
            add_link(l, first + i, first + j);
}

static inline gnd_csr make_path(int64_t n)
{
    link_list l = {.n = 0};

    add_path(&l, 0, n);
    return make_links(n, &l);
}

static inline gnd_csr make_cycle(int64_t n)
{
    link_list l = {.n = 0};

    add_path(&l, 0, n);
    add_link(&l, n - 1, 0);
    return make_links(n, &l);
}

static inline gnd_csr make_clique(int64_t n)
{
    link_list l = {.n = 0};

    add_clique(&l, 0, n);
    return make_links(n, &l);
}

/* Arcs of chance, loops and doubles among them, over a few components and lone vertices. */
static inline gnd_csr make_chance(int64_t n, int64_t m, uint32_t stream)
{
    link_list l = {.n = 0};

    for (int64_t k = 0; k < m; k++) {
        const int64_t a = (int64_t)(gnd_rng_uniform(8, stream, (uint64_t)(2 * k)) * (double)n);
        int64_t b = (int64_t)(gnd_rng_uniform(8, stream, (uint64_t)(2 * k + 1)) * (double)n);

        b -= (b - a) % 3; /* links stay inside a class of numbers mod 3 */
        add_link(&l, a, b < 0 ? a : b);
    }
    return make_links(n, &l);
}

#endif
