/* SPDX-License-Identifier: MIT
 * rmat.c - random graphs of any size for benchmarks: R-MAT links, planted classes, sparse features.
 *
 * A link is drawn by choosing a quadrant of the adjacency matrix recursively, with probabilities
 * a, b, c, d (Chakrabarti, Zhan and Faloutsos, SDM 2004; values of the Graph500): a few vertices
 * get very many links. For `inside` percent of the links the second end is then replaced by a
 * vertex of nearly the same rank in the community of the first end. Each block of n_community
 * consecutive ranks holds every community once, in a rotated order, so that every community has
 * hubs. A community is a class, or a part of one: class = community mod n_class; then a quarter of
 * these links only stay in the class, so that labels tell of other communities. Vertex ids are a
 * permutation of the ranks. A quarter of the words of a vertex are words of its class, the others
 * are uniform.
 *
 * All values are integers that are a function of the seed and the position, so the graph is the
 * same on every machine. Time and memory are linear: at most 16 bytes per drawn link besides the
 * vertices. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/rng.h"
#include "base/tick.h"
#include "graph.h"

enum { QUADRANT_BITS = 16, ROUNDS = 3, CLASS_MAX = 65536 };
/* a = .57, b = c = .19, d = .05, in units of 2^-16. */
enum { A = 37356, B = 12452, C = 12452 };
static const uint64_t of_class = 1 << 14; /* fraction of words of the class, in units of 2^-16 */
static const int64_t edge_max = INT64_C(1) << 40;
/* Shares of the time: of drawing a link, of sorting it into the rows, of a word. */
static const double DRAW = 30, SORT = 10, WORD = 1;
enum { CHECK_EVERY = 4096 }; /* items between two looks at the clock */

typedef struct {
    gnd_make_opts o;
    int bits; /* 2^bits is the smallest power of 2 that is not below n_node */
    uint64_t key_link, key_class, key_word, key_id;
    int32_t *id; /* [n_node] vertex id of each rank */
    gnd_ticker tick;
    double time; /* of the whole call, in the unit of the shares */
} maker;

/* ---- progress ---- */

/* What follows takes so much time. */
static void stage_next(maker *m, double time)
{
    const double begin = m->tick.span.end;

    m->tick.span = (gnd_span){begin, begin + time / m->time};
}

/* Item k of the n of this stage is next. */
static gnd_status check(maker *m, int64_t k, int64_t n, gnd_error *err)
{
    if (k % CHECK_EVERY != 0)
        return GND_OK;
    gnd_tick_done(&m->tick, (double)k / (double)n);
    if (!gnd_tick_call(&m->tick))
        return GND_OK;
    return gnd_fail(err, GND_ERR_STOPPED, "stopped while making a graph");
}

/* ---- vertices ---- */

static int64_t shift_of(const maker *m, int64_t block)
{
    return (int64_t)(gnd_hash_at(m->key_class, (uint64_t)block) % (uint64_t)m->o.n_community);
}

static int32_t community_of(const maker *m, int64_t rank)
{
    const int64_t n = m->o.n_community;

    return (int32_t)((rank % n + shift_of(m, rank / n)) % n);
}

static int32_t class_of(const maker *m, int64_t rank)
{
    return community_of(m, rank) % m->o.n_class;
}

/* The rank of a community in the block of `rank`; `rank` itself if that is past the last vertex. */
static int64_t moved(const maker *m, int64_t rank, int32_t community)
{
    const int64_t n = m->o.n_community, block = rank / n;
    const int64_t to = block * n + (community + n - shift_of(m, block)) % n;

    return to < m->o.n_node ? to : rank;
}

/* A permutation of 0 .. 2^bits - 1: multiplication by odd numbers and xor with shifts are
 * invertible. */
static uint64_t scramble(const maker *m, uint64_t x)
{
    const uint64_t mask = (UINT64_C(1) << m->bits) - 1;

    for (uint64_t r = 0; r < ROUNDS; r++) {
        x = (x * (gnd_hash_at(m->key_id, 2 * r) | 1) + gnd_hash_at(m->key_id, 2 * r + 1)) & mask;
        x ^= x >> ((m->bits + 1) / 2);
    }
    return x;
}

static void ids_fill(maker *m)
{
    for (int64_t i = 0; i < m->o.n_node; i++) {
        uint64_t x = (uint64_t)i;

        do /* follow the cycle until it reaches a vertex: this is again a permutation */
            x = scramble(m, x);
        while (x >= (uint64_t)m->o.n_node);
        m->id[i] = (int32_t)x;
    }
}

/* ---- links ---- */

/* Choose both ends of a link; false if one is not a vertex. *word: index of the link's next random
 * number. */
static bool descend(int64_t end[2], const maker *m, uint64_t key, uint64_t *word)
{
    uint64_t u = 0, v = 0, h = 0;

    for (int level = 0; level < m->bits; level++) {
        if (level % (64 / QUADRANT_BITS) == 0)
            h = gnd_hash_at(key, (*word)++);
        const uint64_t r = h & ((1 << QUADRANT_BITS) - 1);

        h >>= QUADRANT_BITS;
        u = u << 1 | (r >= A + B);
        v = v << 1 | ((r >= A && r < A + B) || r >= A + B + C);
    }
    end[0] = (int64_t)u;
    end[1] = (int64_t)v;
    return end[0] < m->o.n_node && end[1] < m->o.n_node;
}

/* The community that the second end of a link is moved into: that of the first end or, for a
 * quarter of the links, the one of the same class that is nearest to its own. */
static int32_t partner(const maker *m, const int64_t rank[2], uint64_t place)
{
    const int32_t n = m->o.n_class, own = community_of(m, rank[1]), cls = class_of(m, rank[0]);
    const int32_t near = own - own % n + cls;

    if (place % 4 != 0)
        return community_of(m, rank[0]);
    return near < m->o.n_community ? near : cls;
}

/* The ends of link e, as ids. If they are equal there is no link. */
static void link_draw(int32_t end[2], const maker *m, int64_t e)
{
    const uint64_t key = gnd_hash_at(m->key_link, (uint64_t)e);
    const uint64_t place = gnd_hash_at(key, 0);
    const bool inside = (place >> 32) * 100 < (uint64_t)m->o.inside << 32;
    uint64_t word = 1;
    int64_t rank[2];

    while (!descend(rank, m, key, &word)) /* more than half of the attempts succeed */
        ;
    if (inside)
        rank[1] = moved(m, rank[1], partner(m, rank, place));
    end[0] = m->id[rank[0]];
    end[1] = m->id[rank[1]];
}

/* Both directions of the links, each row in drawing order, with repetitions. */
static gnd_status links_place(gnd_csr *out, maker *m, gnd_error *err)
{
    const int64_t n = m->o.n_node;
    int32_t *pair = gnd_alloc(m->o.n_edge, 2 * sizeof *pair);
    int64_t n_link = 0;
    gnd_status st = GND_OK;

    if (!pair)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld links", (long long)m->o.n_edge);
    stage_next(m, DRAW * (double)m->o.n_edge);
    for (int64_t e = 0; e < m->o.n_edge; e++) {
        GND_TRY(check(m, e, m->o.n_edge, err));
        link_draw(pair + 2 * n_link, m, e);
        n_link += pair[2 * n_link] != pair[2 * n_link + 1];
    }
    stage_next(m, SORT * (double)m->o.n_edge);
    GND_TRY(check(m, 0, 1, err));
    GND_TRY(gnd_csr_init(out, n, n, 2 * n_link, false, err));
    for (int64_t k = 0; k < 2 * n_link; k++)
        out->ptr[pair[k] + 1]++;
    for (int64_t i = 0; i < n; i++)
        out->ptr[i + 1] += out->ptr[i];
    for (int64_t k = 0; k < 2 * n_link; k++)
        out->col[out->ptr[pair[k]]++] = pair[k ^ 1];
    for (int64_t i = n; i > 0; i--) /* the loop above moved each start to the end of its row */
        out->ptr[i] = out->ptr[i - 1];
    out->ptr[0] = 0;
out:
    gnd_free(pair);
    return st;
}

/* Remove repeated neighbours from the sorted rows. */
static void repetitions_drop(gnd_csr *a)
{
    int64_t q = 0, begin = 0;

    for (int64_t i = 0; i < a->n_row; i++) {
        const int64_t end = a->ptr[i + 1], first = q;

        for (int64_t p = begin; p < end; p++)
            if (q == first || a->col[q - 1] != a->col[p])
                a->col[q++] = a->col[p];
        begin = end;
        a->ptr[i + 1] = q;
    }
}

static gnd_status links_make(gnd_graph *g, maker *m, gnd_error *err)
{
    gnd_csr drawn = {0};
    gnd_status st;

    GND_TRY(links_place(&drawn, m, err));
    /* The matrix is symmetric; transposing it sorts the rows. */
    GND_TRY(gnd_csr_transpose(&g->adj, &drawn, err));
    repetitions_drop(&g->adj);
out:
    gnd_csr_fini(&drawn);
    return st;
}

/* ---- labels and features ---- */

static gnd_status labels_make(gnd_graph *g, const maker *m, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int32_t c = 0; c < m->o.n_class; c++) {
        char name[16];
        int32_t k;

        snprintf(name, sizeof name, "%d", c);
        GND_TRY(gnd_graph_class_of(&k, g, name, strlen(name), err));
    }
    for (int64_t i = 0; i < m->o.n_node; i++)
        g->label[m->id[i]] = class_of(m, i);
out:
    return st;
}

/* Word k of a vertex with this label. */
static int32_t word_draw(const maker *m, uint64_t key, int32_t label, int64_t k)
{
    const uint64_t h = gnd_hash_at(key, (uint64_t)k), r = h >> 16, n = (uint64_t)m->o.n_class;
    const uint64_t own = ((uint64_t)m->o.n_feat - (uint64_t)label + n - 1) / n;

    if ((h & 0xffff) < of_class) /* the words of a class are label, label + n_class, ... */
        return (int32_t)((uint64_t)label + n * (r % own));
    return (int32_t)(r % (uint64_t)m->o.n_feat);
}

static gnd_status features_make(gnd_graph *g, maker *m, gnd_error *err)
{
    const int64_t n = m->o.n_node, most = m->o.n_word;
    int64_t q = 0;
    gnd_status st;

    stage_next(m, WORD * (double)(n * most));
    GND_TRY(gnd_csr_init(&g->feat, n, m->o.n_feat, n * most, false, err));
    for (int64_t i = 0; i < n; i++) {
        GND_TRY(check(m, i, n, err));
        const uint64_t key = gnd_hash_at(m->key_word, (uint64_t)i);
        int32_t *row = g->feat.col + q;
        int64_t len = 0;

        for (int64_t k = 0; k < most; k++) {
            const int32_t w = word_draw(m, key, g->label[i], k);
            int64_t at = len;

            while (at > 0 && row[at - 1] > w)
                at--;
            if (at > 0 && row[at - 1] == w)
                continue;
            memmove(row + at + 1, row + at, (size_t)(len - at) * sizeof *row);
            row[at] = w;
            len++;
        }
        q += len;
        g->feat.ptr[i + 1] = q;
    }
    g->n_feat = m->o.n_feat;
out:
    return st;
}

/* ---- making ---- */

static gnd_status opts_check(const gnd_make_opts *o, gnd_error *err)
{
    if (o->n_node < 2 || o->n_node >= INT32_MAX)
        return gnd_fail(err, GND_ERR_ARG, "%lld vertices are requested; expected 2 to %d",
                        (long long)o->n_node, INT32_MAX - 1);
    if (o->n_edge < 1 || o->n_edge > edge_max)
        return gnd_fail(err, GND_ERR_ARG, "%lld edges are requested; expected 1 to %lld",
                        (long long)o->n_edge, (long long)edge_max);
    if (o->n_class < 1 || o->n_class > CLASS_MAX || o->n_class > o->n_node)
        return gnd_fail(
            err, GND_ERR_ARG,
            "%d classes for %lld vertices; expected 1 to %d, and at most one per vertex",
            o->n_class, (long long)o->n_node, CLASS_MAX);
    if (o->n_feat != 0 && (o->n_feat < o->n_class || o->n_feat >= INT32_MAX))
        return gnd_fail(err, GND_ERR_ARG,
                        "%lld features for %d classes; expected none, or at least one per class",
                        (long long)o->n_feat, o->n_class);
    if (o->n_feat != 0 && (o->n_word < 1 || o->n_word > 1024))
        return gnd_fail(err, GND_ERR_ARG, "%d words per vertex; expected 1 to 1024", o->n_word);
    if (o->inside < 0 || o->inside > 100)
        return gnd_fail(err, GND_ERR_ARG, "%d percent of links inside classes; expected 0 to 100",
                        o->inside);
    if (o->n_community != 0 && (o->n_community < o->n_class || o->n_community > o->n_node))
        return gnd_fail(err, GND_ERR_ARG,
                        "%d communities for %d classes and %lld vertices; expected 0, which is one "
                        "per class, or "
                        "at least one per class and at most one per vertex",
                        o->n_community, o->n_class, (long long)o->n_node);
    return GND_OK;
}

gnd_status gnd_graph_make(gnd_graph **out, const gnd_make_opts *o, gnd_error *err)
{
    maker m = {0};
    gnd_graph *g = NULL;
    gnd_status st;

    *out = NULL;
    gnd_error_clear(err);
    GND_TRY(gnd_opts_get(&m.o, sizeof m.o, o, "gnd_make_opts", err));
    GND_TRY(opts_check(&m.o, err));
    if (m.o.n_community == 0)
        m.o.n_community = m.o.n_class;
    while (INT64_C(1) << m.bits < m.o.n_node)
        m.bits++;
    m.key_link = gnd_hash_at(gnd_hash_name("link"), m.o.seed);
    m.key_class = gnd_hash_at(gnd_hash_name("class"), m.o.seed);
    m.key_word = gnd_hash_at(gnd_hash_name("word"), m.o.seed);
    m.key_id = gnd_hash_at(gnd_hash_name("id"), m.o.seed);
    m.id = gnd_alloc(m.o.n_node, sizeof *m.id);
    if (!m.id)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for a graph of %lld vertices",
                         (long long)m.o.n_node));
    gnd_tick_init(&m.tick, m.o.on_tick, m.o.tick_user, "making");
    m.tick.span = (gnd_span){0, 0};
    m.time = (DRAW + SORT) * (double)m.o.n_edge +
             WORD * (double)(m.o.n_node * (m.o.n_feat > 0 ? m.o.n_word : 0));
    ids_fill(&m);
    GND_TRY(gnd_graph_new(&g, "rmat", m.o.n_node, err));
    GND_TRY(labels_make(g, &m, err));
    GND_TRY(links_make(g, &m, err));
    if (m.o.n_feat > 0)
        GND_TRY(features_make(g, &m, err));
    GND_TRY(gnd_graph_check(g, "rmat", err));
    *out = g;
    g = NULL;
out:
    gnd_graph_free(g);
    gnd_free(m.id);
    return st;
}
