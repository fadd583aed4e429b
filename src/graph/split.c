/* SPDX-License-Identifier: MIT
 * split.c - splits: shuffled (paper, honest), Planetoid's fixed one, by label file, by lists. */
#include "split.h"

#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "base/mt19937.h"

enum { PLANETOID_VAL = 500 };

/* Allocate lists of these capacities; n_train, n_val and n_test are 0. */
static gnd_status split_alloc(gnd_split **out, int64_t n_train, int64_t n_val, int64_t n_test,
                              bool score_unlabelled, gnd_error *err)
{
    gnd_split *s = gnd_alloc(1, sizeof *s);

    *out = NULL;
    if (s) {
        s->train = gnd_alloc(n_train, sizeof *s->train);
        s->val = gnd_alloc(n_val, sizeof *s->val);
        s->test = gnd_alloc(n_test, sizeof *s->test);
        s->score_unlabelled = score_unlabelled;
        s->n_test_all = -1;
    }
    if (!s || !s->train || !s->val || !s->test) {
        gnd_split_free(s);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a split of %lld vertices",
                        (long long)(n_train + n_val + n_test));
    }
    *out = s;
    return GND_OK;
}

void gnd_split_free(gnd_split *s)
{
    if (!s)
        return;
    gnd_free(s->train);
    gnd_free(s->val);
    gnd_free(s->test);
    gnd_free(s);
}

/* Randomly drawn training vertices. */
typedef struct {
    int32_t *perm; /* [n] shuffled vertices */
    bool *trains;  /* [n] is it a training vertex? */
    int64_t n_train;
    int64_t next; /* shuffled positions read until every class had its training vertices */
} draw;

static void draw_fini(draw *d)
{
    gnd_free(d->perm);
    gnd_free(d->trains);
    *d = (draw){0};
}

static gnd_status draw_init(draw *d, const gnd_split_labels *y, int32_t per_class, uint32_t seed,
                            gnd_error *err)
{
    const int64_t n = y->n_node;
    int32_t *count = gnd_alloc(y->n_class, sizeof *count);
    int32_t open = per_class > 0 ? y->n_class : 0; /* classes with too few training vertices */
    gnd_mt19937 rng;
    gnd_status st = GND_OK;

    *d = (draw){.perm = gnd_alloc(n, sizeof *d->perm), .trains = gnd_alloc(n, sizeof *d->trains)};
    if (!count || !d->perm || !d->trains)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to shuffle %lld vertices", (long long)n));
    for (int64_t i = 0; i < n; i++)
        d->perm[i] = (int32_t)i;
    gnd_mt19937_seed(&rng, seed);
    gnd_mt19937_shuffle(&rng, d->perm, n);
    while (d->next < n && open > 0) {
        const int32_t i = d->perm[d->next++], c = y->label[i];

        if (c < 0 || count[c] == per_class)
            continue;
        d->trains[i] = true;
        d->n_train++;
        open -= ++count[c] == per_class;
    }
out:
    gnd_free(count);
    if (st != GND_OK)
        draw_fini(d);
    return st;
}

/* Append vertex i if it has a label or if unlabelled vertices are scored. */
static void score_add(int32_t *list, int64_t *n, const gnd_split *s, const int32_t *label,
                      int32_t i)
{
    if (label[i] >= 0 || s->score_unlabelled)
        list[(*n)++] = i;
}

/* Training vertices of the draw; the next n_val positions for validation; the positions from
 * test_from on, without training vertices, for testing. */
static gnd_status split_cut(gnd_split **out, const draw *d, const int32_t *label, int64_t n,
                            int64_t n_val, int64_t test_from, bool score_unlabelled, gnd_error *err)
{
    gnd_split *s;
    const gnd_status st = split_alloc(&s, d->n_train, n_val, n - test_from, score_unlabelled, err);

    *out = NULL;
    if (st != GND_OK)
        return st;
    for (int64_t k = 0; k < d->next; k++)
        if (d->trains[d->perm[k]])
            s->train[s->n_train++] = d->perm[k];
    for (int64_t k = d->next; k < d->next + n_val; k++)
        score_add(s->val, &s->n_val, s, label, d->perm[k]);
    for (int64_t k = test_from; k < n; k++)
        if (!d->trains[d->perm[k]])
            score_add(s->test, &s->n_test, s, label, d->perm[k]);
    *out = s;
    return GND_OK;
}

gnd_status gnd_split_shuffled(gnd_split **out, int64_t *next, const gnd_split_labels *y,
                              const gnd_split_opts *o, gnd_error *err)
{
    int64_t n_val = o->n_val;
    draw d;
    gnd_status st = draw_init(&d, y, o->per_class, o->seed, err);

    *out = NULL;
    if (st != GND_OK)
        return st;
    if (n_val > y->n_node - d.next)
        n_val = y->n_node - d.next;
    st = split_cut(out, &d, y->label, y->n_node, n_val, d.next + n_val, o->score_unlabelled, err);
    if (st == GND_OK)
        *next = d.next;
    draw_fini(&d);
    return st;
}

/* Check that every class has per_class labels. */
static gnd_status enough_labels(const gnd_graph *g, int32_t per_class, gnd_error *err)
{
    int64_t *count = gnd_alloc(g->n_class, sizeof *count);
    gnd_status st = GND_OK;

    if (!count)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory to count %d classes", g->n_class));
    for (int64_t i = 0; i < g->n_node; i++)
        if (g->label[i] >= 0)
            count[g->label[i]]++;
    for (int32_t c = 0; c < g->n_class; c++)
        if (count[c] < per_class)
            GND_TRY(gnd_fail(err, GND_ERR_ARG,
                             "class '%.100s' has %lld labelled %s; %d per class were requested",
                             gnd_graph_class_name(g, c), (long long)count[c],
                             count[c] == 1 ? "vertex" : "vertices", per_class));
out:
    gnd_free(count);
    return st;
}

/* Check that at least one scored vertex remains for testing. */
static gnd_status enough_vertices(const draw *d, const gnd_graph *g, const gnd_split_opts *o,
                                  gnd_error *err)
{
    int64_t last = g->n_node - 1, most;
    char room[32], advice[48];

    while (last >= d->next && !o->score_unlabelled && g->label[d->perm[last]] < 0)
        last--;
    most = last > d->next ? last - d->next : 0;
    if (o->n_val <= most)
        return GND_OK;
    snprintf(room, sizeof room, most == 0 ? "none" : "only %lld", (long long)most);
    snprintf(advice, sizeof advice, most == 0 ? "0" : "%lld or less, or 0", (long long)most);
    return gnd_fail(err, GND_ERR_ARG,
                    "%lld validation %s requested, but %s %s possible with %d label%s per class "
                    "(split seed %u): use --validation %s for none",
                    (long long)o->n_val, o->n_val == 1 ? "vertex was" : "vertices were", room,
                    most <= 1 ? "is" : "are", o->per_class, o->per_class == 1 ? "" : "s", o->seed,
                    advice);
}

/* Draw the training vertices of a shuffled split; the caller ends d with draw_fini. */
static gnd_status draw_checked(draw *d, const gnd_graph *g, const gnd_split_opts *o, gnd_error *err)
{
    gnd_status st;

    *d = (draw){0};
    if (o->per_class < 1)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "%d labels per class were requested; expected 1 or more",
                         o->per_class));
    if (o->n_val < 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "%lld validation vertices were requested; expected 0 or more",
                         (long long)o->n_val));
    if (g->n_class == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "no vertex of %s has a label", g->name));
    GND_TRY(enough_labels(g, o->per_class, err));
    GND_TRY(draw_init(d, &(gnd_split_labels){g->label, g->n_node, g->n_class}, o->per_class,
                      o->seed, err));
out:
    return st;
}

static gnd_status split_paper(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                              gnd_error *err)
{
    draw d;
    gnd_status st;

    GND_TRY(draw_checked(&d, g, o, err));
    if (o->n_val > 0)
        GND_TRY(enough_vertices(&d, g, o, err));
    /* In the authors' code a vertex is in no set if it is drawn when its class already has its
     * training labels. Without a validation set all vertices that are not for training are tested,
     * so that every label is used. */
    GND_TRY(split_cut(out, &d, g->label, g->n_node, o->n_val, o->n_val > 0 ? d.next + o->n_val : 0,
                      o->score_unlabelled, err));
out:
    draw_fini(&d);
    return st;
}

/* No validation set: all labelled vertices except the training vertices are tested. The training
 * vertices are those of the paper's split with the same seed; n_val and score_unlabelled are not
 * used. */
static gnd_status split_honest(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                               gnd_error *err)
{
    gnd_split *s = NULL;
    draw d;
    gnd_status st;

    GND_TRY(draw_checked(&d, g, o, err));
    GND_TRY(split_cut(&s, &d, g->label, g->n_node, 0, 0, false, err));
    if (s->n_test == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "%d label%s per class leave no labelled vertex of %s to test",
                         o->per_class, o->per_class == 1 ? "" : "s", g->name));
    *out = s;
    s = NULL;
out:
    gnd_split_free(s);
    draw_fini(&d);
    return st;
}

typedef struct {
    const char *name;
    const int32_t *v;
    int64_t n;
} list;

/* Check that vertices are in range, none is listed twice, and training vertices have labels. */
static gnd_status lists_check(const gnd_graph *g, const list lists[3], gnd_error *err)
{
    char *in = gnd_alloc(g->n_node, 1); /* 1 + number of the list a vertex is in */
    char id[32];
    gnd_status st = GND_OK;

    if (!in)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld vertices", (long long)g->n_node));
    for (int k = 0; k < 3; k++) {
        for (int64_t p = 0; p < lists[k].n; p++) {
            const int32_t i = lists[k].v[p];

            if (i < 0 || i >= g->n_node)
                GND_TRY(gnd_fail(err, GND_ERR_ARG,
                                 "the %s list holds vertex %d; expected 0 to %lld", lists[k].name,
                                 i, (long long)g->n_node - 1));
            if (in[i] == 1 + k)
                GND_TRY(gnd_fail(err, GND_ERR_ARG, "vertex %.100s is in the %s list twice",
                                 gnd_graph_id(g, i, id), lists[k].name));
            if (in[i])
                GND_TRY(gnd_fail(err, GND_ERR_ARG,
                                 "vertex %.100s is in the %s list and in the %s list",
                                 gnd_graph_id(g, i, id), lists[in[i] - 1].name, lists[k].name));
            if (k == 0 && g->label[i] < 0)
                GND_TRY(gnd_fail(err, GND_ERR_ARG,
                                 "vertex %.100s is in the %s list but has no label",
                                 gnd_graph_id(g, i, id), lists[k].name));
            in[i] = (char)(1 + k);
        }
    }
out:
    gnd_free(in);
    return st;
}

static void list_copy(int32_t *to, int64_t *n, const list *from)
{
    if (from->n > 0)
        memcpy(to, from->v, (size_t)from->n * sizeof *to);
    *n = from->n;
}

gnd_status gnd_split_from_lists(gnd_split **out, const gnd_graph *g, const gnd_split_lists *given,
                                gnd_error *err)
{
    gnd_split_lists l;
    list lists[3];
    gnd_split *s = NULL;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    GND_TRY(gnd_opts_get(&l, sizeof l, given, "gnd_split_lists", err));
    lists[0] = (list){"training", l.train, l.train ? l.n_train : 0};
    lists[1] = (list){"validation", l.val, l.val ? l.n_val : 0};
    lists[2] = (list){"test", l.test, l.test ? l.n_test : 0};
    if (lists[0].n < 0 || lists[1].n < 0 || lists[2].n < 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG, "a list of vertices has a negative length"));
    GND_TRY(lists_check(g, lists, err));
    GND_TRY(split_alloc(&s, lists[0].n, lists[1].n, lists[2].n, false, err));
    list_copy(s->train, &s->n_train, &lists[0]);
    list_copy(s->val, &s->n_val, &lists[1]);
    list_copy(s->test, &s->n_test, &lists[2]);
    *out = s;
out:
    return st;
}

static gnd_status split_planetoid(gnd_split **out, const gnd_graph *g, bool score_unlabelled,
                                  gnd_error *err)
{
    const int64_t n_train = g->n_fixed_train;
    int32_t *first = NULL; /* 0, 1, ...: the training, then the validation vertices */
    gnd_split *s = NULL;
    gnd_status st;

    if (n_train == 0)
        GND_TRY(gnd_fail(
            err, GND_ERR_ARG,
            "%s has no fixed split; only the Planetoid sets (cora, citeseer, pubmed) do", g->name));
    if (n_train > g->n_node - PLANETOID_VAL)
        GND_TRY(gnd_fail(err, GND_ERR_SHAPE,
                         "the fixed split needs %lld training and %d validation vertices; %s has "
                         "%lld vertices",
                         (long long)n_train, PLANETOID_VAL, g->name, (long long)g->n_node));
    first = gnd_alloc(n_train + PLANETOID_VAL, sizeof *first);
    if (!first)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "no memory for the fixed split"));
    for (int64_t i = 0; i < n_train + PLANETOID_VAL; i++)
        first[i] = (int32_t)i;
    GND_TRY(gnd_split_from_lists(&s, g,
                                 &(gnd_split_lists){.size = sizeof(gnd_split_lists),
                                                    .train = first,
                                                    .n_train = n_train,
                                                    .val = first + n_train,
                                                    .n_val = PLANETOID_VAL,
                                                    .test = g->fixed_test,
                                                    .n_test = g->n_fixed_test},
                                 err));
    s->score_unlabelled = score_unlabelled;
    s->n_val = s->n_test = 0;
    for (int64_t k = 0; k < PLANETOID_VAL; k++)
        score_add(s->val, &s->n_val, s, g->label, first[n_train + k]);
    for (int64_t k = 0; k < g->n_fixed_test; k++)
        score_add(s->test, &s->n_test, s, g->label, g->fixed_test[k]);
    *out = s;
out:
    gnd_free(first);
    return st;
}

static gnd_status split_all(gnd_split **out, const gnd_graph *g, bool score_unlabelled,
                            gnd_error *err)
{
    gnd_split *s;
    const gnd_status st = split_alloc(&s, g->n_node, 0, 0, score_unlabelled, err);

    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < g->n_node; i++)
        if (g->label[i] >= 0)
            s->train[s->n_train++] = (int32_t)i;
    if (s->n_train == 0) {
        gnd_split_free(s);
        return gnd_fail(err, GND_ERR_ARG, "no vertex of %s has a label", g->name);
    }
    *out = s;
    return GND_OK;
}

/* Training vertices are those of the file of training labels; all other labelled vertices are
 * tested. */
static gnd_status split_train_labels(gnd_split **out, const gnd_graph *g, gnd_error *err)
{
    gnd_split *s;
    gnd_status st;

    if (!g->in_train_file)
        return gnd_fail(err, GND_ERR_ARG, "%s was loaded without a file of training labels",
                        g->name);
    st = split_alloc(&s, g->n_node, 0, g->n_node, false, err);
    if (st != GND_OK)
        return st;
    for (int64_t i = 0; i < g->n_node; i++) {
        if (g->in_train_file[i])
            s->train[s->n_train++] = (int32_t)i;
        else if (g->label[i] >= 0)
            s->test[s->n_test++] = (int32_t)i;
    }
    if (s->n_train == 0) {
        gnd_split_free(s);
        return gnd_fail(
            err, GND_ERR_ARG,
            "%s has no training vertex: none of the training labels is of a vertex in it", g->name);
    }
    *out = s;
    return GND_OK;
}

static gnd_status split_make(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                             gnd_error *err)
{
    switch (o->kind) {
    case GND_SPLIT_PAPER:
        return split_paper(out, g, o, err);
    case GND_SPLIT_PLANETOID:
        return split_planetoid(out, g, o->score_unlabelled, err);
    case GND_SPLIT_ALL:
        return split_all(out, g, o->score_unlabelled, err);
    case GND_SPLIT_TRAIN_LABELS:
        return split_train_labels(out, g, err);
    case GND_SPLIT_HONEST:
        return split_honest(out, g, o, err);
    }
    return gnd_fail(err, GND_ERR_ARG, "there is no split of kind %d", (int)o->kind);
}

/* The split of the vertices in their original order, so that the order does not matter. */
static gnd_status split_original(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                                 gnd_error *err)
{
    const int64_t n = g->n_node;
    gnd_graph before = *g; /* its arrays are borrowed */
    int32_t *vertex = NULL;
    gnd_split *s = NULL;
    gnd_status st;

    before.label = gnd_alloc(n, sizeof *before.label);
    before.in_train_file = g->in_train_file ? gnd_alloc(n, 1) : NULL;
    if (!before.label || (g->in_train_file && !before.in_train_file))
        GND_TRY(
            gnd_fail(err, GND_ERR_NOMEM, "no memory for a split of %lld vertices", (long long)n));
    GND_TRY(gnd_graph_original_order(&vertex, g, err));
    for (int64_t i = 0; i < n; i++) {
        before.label[i] = g->label[vertex[i]];
        if (before.in_train_file)
            before.in_train_file[i] = g->in_train_file[vertex[i]];
    }
    GND_TRY(split_make(&s, &before, o, err));
    for (int64_t k = 0; k < s->n_train; k++)
        s->train[k] = vertex[s->train[k]];
    for (int64_t k = 0; k < s->n_val; k++)
        s->val[k] = vertex[s->val[k]];
    for (int64_t k = 0; k < s->n_test; k++)
        s->test[k] = vertex[s->test[k]];
    *out = s;
out:
    gnd_free(vertex);
    gnd_free(before.in_train_file);
    gnd_free(before.label);
    return st;
}

gnd_status gnd_split_new(gnd_split **out, const gnd_graph *g, const gnd_split_opts *o,
                         gnd_error *err)
{
    gnd_split_opts opts;
    gnd_status st;

    gnd_error_clear(err);
    *out = NULL;
    if (!o)
        return gnd_fail(err, GND_ERR_ARG, "gnd_split_opts: a split has no defaults; got NULL");
    st = gnd_opts_get(&opts, sizeof opts, o, "gnd_split_opts", err);
    if (st != GND_OK)
        return st;
    return g->original ? split_original(out, g, &opts, err) : split_make(out, g, &opts, err);
}

int64_t gnd_split_n_train(const gnd_split *s)
{
    return s->n_train;
}

int64_t gnd_split_n_val(const gnd_split *s)
{
    return s->n_val;
}

int64_t gnd_split_n_test(const gnd_split *s)
{
    return s->n_test_all < 0 ? s->n_test : s->n_test_all;
}

int64_t gnd_split_n_unused(const gnd_split *s, const gnd_graph *g, int64_t *n_unlabelled)
{
    const struct {
        const int32_t *list;
        int64_t n;
    } part[] = {{s->train, s->n_train}, {s->val, s->n_val}, {s->test, s->n_test}};
    int64_t unlabelled = 0;

    if (s->n_test_all >= 0) {
        if (n_unlabelled)
            *n_unlabelled = s->n_unlabelled_all;
        return s->n_unused_all;
    }
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < part[k].n; i++)
            if (part[k].list[i] >= g->n_node)
                return -1;
    for (int64_t i = 0; i < g->n_node; i++)
        unlabelled += g->label[i] < 0;
    for (int64_t k = 0; k < s->n_val; k++) /* a vertex without a label may be scored as class 0 */
        unlabelled -= g->label[s->val[k]] < 0;
    for (int64_t k = 0; k < s->n_test; k++)
        unlabelled -= g->label[s->test[k]] < 0;
    if (n_unlabelled)
        *n_unlabelled = unlabelled;
    return g->n_node - s->n_train - s->n_val - s->n_test;
}

const int32_t *gnd_split_train(const gnd_split *s)
{
    return s->train;
}

const int32_t *gnd_split_val(const gnd_split *s)
{
    return s->val;
}

const int32_t *gnd_split_test(const gnd_split *s)
{
    return s->test;
}

gnd_status gnd_split_check(const gnd_split *s, const gnd_graph *g, gnd_error *err)
{
    const struct {
        const int32_t *list;
        int64_t n;
    } part[] = {{s->train, s->n_train}, {s->val, s->n_val}, {s->test, s->n_test}};

    if (s->n_train == 0)
        return gnd_fail(err, GND_ERR_ARG, "%s: no vertex has a label to learn from", g->name);
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < part[k].n; i++)
            if (part[k].list[i] < 0 || part[k].list[i] >= g->n_node)
                return gnd_fail(err, GND_ERR_ARG, "the split names vertex %d; %s has 0 to %lld",
                                part[k].list[i], g->name, (long long)g->n_node - 1);
    for (int64_t i = 0; i < s->n_val; i++)
        if (s->score_unlabelled || g->label[s->val[i]] >= 0)
            return GND_OK;
    if (s->n_val > 0) /* every validation loss would be NAN */
        return gnd_fail(err, GND_ERR_ARG, "%s: none of the %lld validation vertices has a label",
                        g->name, (long long)s->n_val);
    return GND_OK;
}
