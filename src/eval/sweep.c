/* SPDX-License-Identifier: MIT
 * sweep.c - a sweep: data sets x settings x rows x label counts x splits. Runs all blocks and
 * gives access to their figures. */
#include "sweep.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "clock.h"
#include "model/model.h"
#include "recorded.h"

/* ---- options ---- */

static gnd_status no_memory(gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for a sweep");
}

static const char *text_copy(gnd_sweep *s, const char *text, bool *failed)
{
    char **all = gnd_realloc(s->text, s->n_text + 1, sizeof *all), *copy = gnd_strdup(text);

    if (!all || !copy) {
        s->text = all ? all : s->text;
        gnd_free(copy);
        *failed = true;
        return NULL;
    }
    s->text = all;
    s->text[s->n_text++] = copy;
    return copy;
}

/* A copy of n texts; NULL if there are none. */
static const char *const *texts_copy(gnd_sweep *s, const char *const *v, int64_t n, bool *failed)
{
    const char **copy = n > 0 ? gnd_alloc(n, sizeof *copy) : NULL;

    *failed |= n > 0 && !copy;
    for (int64_t i = 0; copy && i < n; i++)
        copy[i] = text_copy(s, v[i], failed);
    return copy;
}

/* Copy the options for files. */
static gnd_status load_opts_copy(gnd_sweep *s, const gnd_sweep_opts *o, gnd_error *err)
{
    const char **const text[] = {&s->load.format,
                                 &s->load.features,
                                 &s->load.labels,
                                 &s->load.train_labels,
                                 &s->load.label_attribute,
                                 &s->load.id_attribute,
                                 &s->load.feature_attributes,
                                 &s->load.columns};
    bool failed = false;
    gnd_status st;

    GND_TRY(gnd_opts_get(&s->load, sizeof s->load, o->load, "gnd_load_opts", err));
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        *text[i] = *text[i] ? text_copy(s, *text[i], &failed) : NULL;
    s->load.data_dir = s->o.data_dir;
    s->load.max_input = s->o.max_input;
    s->o.load = &s->load;
    if (failed)
        GND_TRY(no_memory(err));
out:
    return st;
}

/* Copy what the options point to, so that the sweep owns it. */
static gnd_status opts_copy(gnd_sweep *s, const gnd_sweep_opts *o, gnd_error *err)
{
    gnd_sweep_setting *setting = gnd_alloc(o->n_setting, sizeof *setting);
    int32_t *per_class = gnd_alloc(o->n_per_class, sizeof *per_class);
    bool failed = !setting || !per_class;

    s->o = *o;
    s->o.settings = setting;
    s->o.per_class = per_class;
    s->o.datasets = texts_copy(s, o->datasets, o->n_dataset, &failed);
    s->o.methods = texts_copy(s, o->methods, o->n_method, &failed);
    s->o.set = texts_copy(s, o->set, o->n_set, &failed);
    s->o.data_dir = o->data_dir ? text_copy(s, o->data_dir, &failed) : NULL;
    s->o.preset = o->preset ? text_copy(s, o->preset, &failed) : NULL;
    s->o.vary = o->vary ? text_copy(s, o->vary, &failed) : NULL;
    for (int64_t i = 0; setting && i < o->n_setting; i++) {
        const char *rule = o->settings[i].rule ? o->settings[i].rule : "original";

        setting[i] = (gnd_sweep_setting){o->settings[i].graph, text_copy(s, rule, &failed)};
    }
    if (per_class)
        memcpy(per_class, o->per_class, (size_t)o->n_per_class * sizeof *per_class);
    if (s->o.n_search < 1 || s->o.n_search > s->o.n_split)
        s->o.n_search = s->o.n_split;
    return failed ? no_memory(err) : load_opts_copy(s, o, err);
}

static gnd_status opts_check(const gnd_sweep_opts *o, gnd_error *err)
{
    if (o->n_dataset < 1 || !o->datasets || o->n_setting < 1 || !o->settings ||
        o->n_per_class < 1 || !o->per_class || o->n_split < 1)
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_sweep_opts: data sets, settings, label counts and splits are needed");
    if (o->n_method < 0 || o->n_set < 0 || (o->n_method > 0 && !o->methods) ||
        (o->n_set > 0 && !o->set))
        return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_opts: a list is missing");
    for (int64_t i = 0; i < o->n_dataset; i++)
        if (!o->datasets[i])
            return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_opts: a data set is NULL");
    for (int64_t i = 0; i < o->n_method; i++)
        if (!o->methods[i])
            return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_opts: a method is NULL");
    for (int64_t i = 0; i < o->n_set; i++)
        if (!o->set[i])
            return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_opts: a setting is NULL");
    for (int64_t i = 0; i < o->n_setting; i++) {
        const char *rule = o->settings[i].rule;

        if (!gnd_graph_mode_name(o->settings[i].graph))
            return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_opts: graph mode %d is unknown",
                            (int)o->settings[i].graph);
        if (rule && gnd_rule_check(rule, err) != GND_OK)
            return GND_ERR_ARG;
        if (rule && o->pick && strcmp(rule, "published") == 0)
            return gnd_fail(err, GND_ERR_ARG,
                            "gnd_sweep_opts: the rule published excludes pick: its presets "
                            "have the values that a search would choose");
    }
    if (o->pick && (o->n_val == 0 || o->kind == GND_SPLIT_HONEST))
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_sweep_opts: pick needs validation vertices to choose by");
    if (o->paired && (o->keep_going || (o->n_search > 0 && o->n_search < o->n_split)))
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_sweep_opts: paired excludes keep_going and n_search");
    return GND_OK;
}

/* How many training runs each row of each block has. */
static void costs_fill(gnd_sweep *s)
{
    const int64_t n_q = s->o.n_per_class;

    for (int64_t i = 0; i < s->n_block * s->n_row; i++) {
        const int64_t n = gnd_sweep_row_n_variant(s, i % s->n_row);

        s->cost[i].total =
            n_q * (n > 1 ? n * s->o.n_search + s->o.n_split - s->o.n_search : s->o.n_split);
    }
}

gnd_status gnd_sweep_new(gnd_sweep **out, const gnd_sweep_opts *o, gnd_error *err)
{
    gnd_sweep_opts opts;
    gnd_sweep *s = NULL;
    gnd_status st;

    gnd_error_clear(err);
    if (!out)
        return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_new: out is needed");
    *out = NULL;
    GND_TRY(gnd_opts_get(&opts, sizeof opts, o, "gnd_sweep_opts", err));
    GND_TRY(opts_check(&opts, err));
    s = gnd_alloc(1, sizeof *s);
    if (!s)
        return no_memory(err);
    GND_TRY(opts_copy(s, &opts, err));
    GND_TRY(gnd_variants_make(s, err));
    s->n_block = s->o.n_setting * s->o.n_dataset;
    s->block = gnd_alloc(s->n_block, sizeof *s->block);
    s->cost = gnd_alloc(s->n_block * s->n_row, sizeof *s->cost);
    if (!s->block || !s->cost)
        GND_TRY(no_memory(err));
    costs_fill(s);
    *out = s;
    s = NULL;
out:
    gnd_sweep_free(s);
    return st;
}

/* ---- training ---- */

static void blocks_reset(gnd_sweep *s)
{
    for (int64_t b = 0; b < s->n_block && s->block; b++) {
        gnd_free(s->block[b].name);
        gnd_free(s->block[b].cell);
        gnd_free(s->block[b].figures);
        gnd_free(s->block[b].paired);
        s->block[b] = (gnd_block){0};
    }
    gnd_free(s->kept);
    s->kept = NULL;
    s->n_kept = s->n_done = s->n_diverged = s->n_counted = s->n_failed = 0;
}

void gnd_sweep_free(gnd_sweep *s)
{
    if (!s)
        return;
    blocks_reset(s);
    gnd_variants_free(s);
    for (int64_t i = 0; i < s->n_text; i++)
        gnd_free(s->text[i]);
    gnd_free(s->text);
    gnd_free((void *)s->o.datasets);
    gnd_free((void *)s->o.methods);
    gnd_free((void *)s->o.set);
    gnd_free((void *)s->o.settings);
    gnd_free((void *)s->o.per_class);
    gnd_free(s->block);
    gnd_free(s->cost);
    gnd_free(s);
}

static int on_tick(const char *stage, double share, void *user)
{
    (void)share; /* of this graph only */
    return gnd_sweep_tick(user, stage);
}

/* The d-th data set in a mode. watched: s, to report progress; NULL: do not. */
static gnd_status graph_load(gnd_graph **out, const gnd_sweep *s, int64_t d, gnd_graph_mode mode,
                             gnd_sweep *watched, gnd_error *err)
{
    gnd_on_progress *fn = watched && s->o.on_tick ? on_tick : NULL;
    gnd_load_opts o = s->load;
    const gnd_convert_opts co = {
        .size = sizeof co, .mode = mode, .on_tick = fn, .tick_user = watched};
    gnd_graph *raw = NULL;
    gnd_status st;

    *out = NULL;
    o.on_tick = fn;
    o.tick_user = watched;
    GND_TRY(gnd_load(&raw, s->o.datasets[d], &o, err));
    GND_TRY(gnd_graph_convert_with(out, raw, &co, err));
out:
    gnd_graph_free(raw);
    return st;
}

static gnd_status block_init(gnd_block *b, const gnd_sweep *s, const char *name, gnd_error *err)
{
    const int64_t n = s->n_row * s->o.n_per_class;

    b->name = gnd_strdup(name);
    b->cell = gnd_alloc(n, sizeof *b->cell);
    b->figures = gnd_alloc(n, sizeof *b->figures);
    b->paired = gnd_alloc(n, sizeof *b->paired);
    if (!b->name || !b->cell || !b->figures || !b->paired)
        return no_memory(err);
    b->pub.dataset = b->name;
    for (int64_t i = 0; i < n; i++) {
        b->paired[i].size = sizeof *b->paired;
        b->cell[i] = (gnd_sweep_cell){
            .cell = &b->figures[i], .paired = &b->paired[i], .best = -1, .variant = ""};
    }
    return GND_OK;
}

/* Is the graph of block s->at directed? g: NULL if the store has recorded runs. */
static gnd_status direction_fill(gnd_sweep *s, const gnd_graph *g, int64_t d, gnd_error *err)
{
    gnd_sweep_block *b = &s->block[s->at].pub;
    gnd_graph_info i = {.size = sizeof i};
    gnd_status st = GND_OK;

    if (g)
        st = gnd_graph_info_get(&i, g, err);
    else /* datasets.csv need not list it */
        gnd_recorded_info(&i, s->o.store, s->o.datasets[d], b->graph, NULL);
    b->directed = i.directed;
    return st;
}

/* Block s->at: load its data set and train its rows. */
static gnd_status block_run(gnd_sweep *s, gnd_error *err)
{
    const int64_t d = s->at % s->o.n_dataset;
    const gnd_sweep_setting *setting = &s->o.settings[s->at / s->o.n_dataset];
    gnd_block *b = &s->block[s->at];
    gnd_config **config = gnd_alloc(s->n_variant, sizeof *config);
    gnd_graph *g = NULL;
    gnd_status st;

    if (!config)
        return no_memory(err);
    b->pub.graph = setting->graph;
    b->pub.rule = setting->rule;
    if (!gnd_store_is_recorded(s->o.store))
        GND_TRY(graph_load(&g, s, d, setting->graph, s, err));
    GND_TRY(block_init(b, s, g ? gnd_graph_name(g) : s->o.datasets[d], err));
    GND_TRY(direction_fill(s, g, d, err));
    if (g && s->o.on_graph)
        s->o.on_graph(g, s->o.user);
    for (int64_t k = 0; k < s->n_variant; k++)
        GND_TRY(gnd_variant_open(&config[k], s, k, s->o.datasets[d], setting->rule, err));
    GND_TRY(gnd_block_train(s, g, config, err));
out:
    for (int64_t k = 0; k < s->n_variant; k++)
        gnd_config_free(config[k]);
    gnd_free(config);
    gnd_graph_free(g);
    return st;
}

static void block_count(gnd_sweep *s, int64_t b)
{
    gnd_sweep_block *pub = &s->block[b].pub;

    pub->done = pub->total = 0;
    for (int64_t r = 0; r < s->n_row; r++) {
        pub->done += s->cost[b * s->n_row + r].done;
        pub->total += s->cost[b * s->n_row + r].total;
    }
}

gnd_status gnd_sweep_train(gnd_sweep *s, bool only_stored, gnd_error *err)
{
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (!s)
        return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_train: a sweep is needed");
    if (!only_stored && gnd_store_is_recorded(s->o.store))
        return gnd_fail(err, GND_ERR_ARG,
                        "gnd_sweep_train: a folder of results cannot take new training runs; "
                        "import it into a store");
    blocks_reset(s);
    s->only_stored = only_stored;
    s->seconds_trained = 0;
    atomic_store(&s->share, 0);
    s->started = gnd_clock();
    for (s->at = 0; s->at < s->n_block && st == GND_OK; s->at++) {
        st = block_run(s, err);
        block_count(s, s->at);
        s->n_done += st == GND_OK;
    }
    return st;
}

/* ---- access ---- */

const gnd_sweep_opts *gnd_sweep_options(const gnd_sweep *s)
{
    return s ? &s->o : NULL;
}

int64_t gnd_sweep_n_row(const gnd_sweep *s)
{
    return s ? s->n_row : 0;
}

const char *gnd_sweep_row_name(const gnd_sweep *s, int64_t row)
{
    return s && row >= 0 && row < s->n_row ? s->row_name[row] : NULL;
}

const char *gnd_sweep_row_method(const gnd_sweep *s, int64_t row)
{
    for (int64_t k = 0; s && k < s->n_variant; k++)
        if (s->variant[k].row == row)
            return s->variant[k].method;
    return NULL;
}

const char *gnd_sweep_left_out(const gnd_sweep *s)
{
    return s ? s->left_out : NULL;
}

int64_t gnd_sweep_n_block(const gnd_sweep *s)
{
    return s ? s->n_block : 0;
}

const gnd_sweep_block *gnd_sweep_block_get(const gnd_sweep *s, int64_t block)
{
    return s && block >= 0 && block < s->n_block && s->block[block].cell ? &s->block[block].pub
                                                                         : NULL;
}

int64_t gnd_sweep_n_done(const gnd_sweep *s)
{
    return s ? s->n_done : 0;
}

const gnd_sweep_cell *gnd_sweep_cell_get(const gnd_sweep *s, int64_t block, int64_t row, int64_t q)
{
    if (!gnd_sweep_block_get(s, block) || row < 0 || row >= s->n_row || q < 0 ||
        q >= s->o.n_per_class)
        return NULL;
    return &s->block[block].cell[row * s->o.n_per_class + q];
}

int64_t gnd_sweep_n_run(const gnd_sweep *s)
{
    return s ? s->n_kept : 0;
}

const gnd_sweep_run *gnd_sweep_run_get(const gnd_sweep *s, int64_t i)
{
    return s && i >= 0 && i < s->n_kept ? &s->kept[i].pub : NULL;
}

void gnd_sweep_count(const gnd_sweep *s, int64_t *done, int64_t *total)
{
    int64_t sum[2] = {0};

    for (int64_t k = 0; s && k < s->n_block * s->n_row; k++) {
        sum[0] += s->cost[k].done;
        sum[1] += s->cost[k].total;
    }
    if (done)
        *done = sum[0];
    if (total)
        *total = sum[1];
}

void gnd_sweep_diverged(const gnd_sweep *s, int64_t *n_diverged, int64_t *n)
{
    if (n_diverged)
        *n_diverged = s ? s->n_diverged : 0;
    if (n)
        *n = s ? s->n_counted : 0;
}

int64_t gnd_sweep_n_failed(const gnd_sweep *s)
{
    return s ? s->n_failed : 0;
}

gnd_status gnd_sweep_dataset_info(gnd_graph_info *out, const gnd_sweep *s, int64_t d,
                                  gnd_graph_mode mode, gnd_error *err)
{
    gnd_graph *g = NULL;
    gnd_status st;

    gnd_error_clear(err);
    if (!s || d < 0 || d >= s->o.n_dataset)
        return gnd_fail(err, GND_ERR_ARG, "gnd_sweep_dataset_info: there is no such data set");
    if (gnd_store_is_recorded(s->o.store))
        return gnd_recorded_info(out, s->o.store, s->o.datasets[d], mode, err);
    GND_TRY(graph_load(&g, s, d, mode, NULL, err));
    GND_TRY(gnd_graph_info_get(out, g, err));
out:
    gnd_graph_free(g);
    return st;
}
