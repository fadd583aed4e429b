/* SPDX-License-Identifier: MIT
 * planted.h - graphs whose classes are known: links prefer the own class, words lean to it. */
#ifndef GND_TESTS_PLANTED_H
#define GND_TESTS_PLANTED_H

#include "base/rng.h"
#include "check.h"
#include "graph/graph.h"

typedef struct {
    int64_t n;
    int32_t n_class;
    int64_t inside, across; /* links a vertex draws within its class, and anywhere */
    int64_t shift;          /* those "within" go to the class so many on */
    int64_t words;          /* a vertex draws, of 32 a class; 0: no features */
    double lean;            /* share of the words that are of the own class */
    int64_t lone;           /* vertices more, without links, features or label */
    bool weighted, directed;
} plan;

static inline double planted_at(uint32_t stream, int64_t i)
{
    return gnd_rng_uniform(40, stream, (uint64_t)i);
}

/* Any vertex, or one of the same class as v, v % n_class, or `shift` classes on. */
static inline int32_t planted_draw(const plan *p, int64_t v, bool own, int64_t i)
{
    const int64_t u = (int64_t)(planted_at(1, i) * (double)p->n);

    return (int32_t)(own ? u / p->n_class * p->n_class + (v + p->shift) % p->n_class : u);
}

static inline void planted_links(gnd_csr *adj, const plan *p)
{
    const int64_t draws = p->n * (p->inside + p->across);
    int32_t *row = calloc((size_t)(2 * draws), sizeof *row);
    int32_t *col = calloc((size_t)(2 * draws), sizeof *col);
    gnd_real *val = calloc((size_t)(2 * draws), sizeof *val);
    int64_t nnz = 0;
    gnd_error err = {0};

    assert_true(row && col && val);
    for (int64_t i = 0; i < draws; i++) {
        const int64_t v = i / (p->inside + p->across);
        const bool own = i % (p->inside + p->across) < p->inside;
        const int32_t u = planted_draw(p, v, own, i);

        if (u == v || u >= p->n)
            continue;
        for (int way = 0; way < (p->directed ? 1 : 2); way++) {
            row[nnz] = way ? u : (int32_t)v;
            col[nnz] = way ? (int32_t)v : u;
            val[nnz++] = (gnd_real)(own ? 2 + planted_at(2, i) : 0.5);
        }
    }
    CHECK_OK(gnd_csr_from_triplets(
        adj,
        &(gnd_triplets){p->n + p->lone, p->n + p->lone, nnz, row, col, p->weighted ? val : NULL},
        GND_DUP_MAX, NULL, &err));
    free(row);
    free(col);
    free(val);
}

static inline void planted_words(gnd_csr *feat, const plan *p)
{
    const int64_t nnz = p->n * p->words;
    int32_t *row = calloc((size_t)nnz + 1, sizeof *row),
            *col = calloc((size_t)nnz + 1, sizeof *col);
    gnd_error err = {0};

    assert_true(row && col);
    for (int64_t i = 0; i < nnz; i++) {
        const int64_t v = i / p->words, word = (int64_t)(planted_at(3, i) * 32);
        const int64_t cls = planted_at(4, i) < p->lean
                                ? v % p->n_class
                                : (int64_t)(planted_at(5, i) * (double)p->n_class);

        row[i] = (int32_t)v;
        col[i] = (int32_t)(cls * 32 + word);
    }
    CHECK_OK(gnd_csr_from_triplets(
        feat, &(gnd_triplets){p->n + p->lone, 32 * p->n_class, nnz, row, col, NULL}, GND_DUP_MAX,
        NULL, &err));
    free(row);
    free(col);
}

/* Vertex i is of class i % n_class. */
static inline gnd_graph *planted_graph(plan p)
{
    gnd_graph *g = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_graph_new(&g, "planted", p.n + p.lone, &err));
    gnd_csr_fini(&g->adj);
    planted_links(&g->adj, &p);
    if (p.words > 0) {
        gnd_csr_fini(&g->feat);
        planted_words(&g->feat, &p);
        g->n_feat = 32 * p.n_class;
    }
    for (int32_t c = 0; c < p.n_class; c++) {
        char name[16];
        int32_t number;

        snprintf(name, sizeof name, "class%d", c);
        CHECK_OK(gnd_graph_class_of(&number, g, name, strlen(name), &err));
    }
    for (int64_t v = 0; v < p.n; v++)
        g->label[v] = (int32_t)(v % p.n_class);
    CHECK_OK(gnd_graph_check(g, "planted", &err));
    return g;
}

/* Text ids: vertex i is number step * i % n in canonical order. step and n have no common factor.
 */
static inline void planted_ids(gnd_graph *g, int64_t step)
{
    g->ids = gnd_names_new();
    for (int64_t i = 0; i < g->n_node; i++) {
        char id[16];

        snprintf(id, sizeof id, "v%06d", (int)(step * i % g->n_node));
        assert_int_equal(gnd_names_add(g->ids, id, strlen(id)), i);
    }
}

/* Clear classes: what a test of something else needs. */
static inline gnd_graph *planted_clear(int64_t n, int32_t n_class)
{
    return planted_graph(
        (plan){.n = n, .n_class = n_class, .inside = 5, .across = 1, .words = 6, .lean = 0.7});
}

/* per_class labels of each class train, all other labels test. */
static inline gnd_split *planted_split(const gnd_graph *g, int32_t per_class, uint32_t seed)
{
    const gnd_split_opts o = {
        .size = sizeof o, .kind = GND_SPLIT_HONEST, .per_class = per_class, .seed = seed};
    gnd_split *s = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_split_new(&s, g, &o, &err));
    return s;
}

static inline gnd_config *planted_config(const char *method)
{
    gnd_config *c = NULL;
    gnd_error err = {0};

    CHECK_OK(gnd_config_new(&c, method, &err));
    return c;
}

static inline bool planted_notes(const gnd_prediction *p, const char *text)
{
    for (int64_t i = 0; i < gnd_prediction_n_note(p); i++)
        if (strstr(gnd_prediction_note(p, i)->text, text))
            return true;
    return false;
}

#endif
