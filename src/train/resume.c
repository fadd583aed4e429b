/* SPDX-License-Identifier: MIT
 * resume.c - what identifies a training run, and its state between two epochs. */
#include "resume.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/rng.h"

/* ---- what the run is ---- */

static void hash_word(uint64_t *h, uint64_t w)
{
    *h = gnd_mix64(*h ^ w) + UINT64_C(0x9e3779b97f4a7c15);
}

static void hash_real(uint64_t *h, double v)
{
    uint64_t w;

    memcpy(&w, &v, sizeof w);
    hash_word(h, w);
}

static int64_t number_of(const gnd_graph *g, int64_t vertex)
{
    return g->part ? g->part->global[vertex] : vertex;
}

/* A row of a matrix; vertices: its columns are those of the graph. */
static void hash_row(uint64_t *h, const gnd_csr *a, int64_t row, const gnd_graph *vertices)
{
    if (!a->ptr)
        return;
    hash_word(h, (uint64_t)(a->ptr[row + 1] - a->ptr[row]));
    for (int64_t p = a->ptr[row]; p < a->ptr[row + 1]; p++) {
        hash_word(h, (uint64_t)(vertices ? number_of(vertices, a->col[p]) : a->col[p]));
        hash_real(h, (double)gnd_csr_val(a, p));
    }
}

/* Links, features and labels: the sum of hashes of vertices, which does not depend on the
 * processes. */
static uint64_t graph_hash(const gnd_graph *g)
{
    const gnd_row_range own = gnd_part_own(g->part, g->n_node);
    uint64_t sum = (uint64_t)gnd_part_total(g->part, g->n_node) * (own.begin == 0);
    int64_t all;

    for (int64_t i = own.begin; i < own.end; i++) {
        uint64_t h = (uint64_t)number_of(g, i);

        hash_row(&h, &g->adj, i, g);
        hash_row(&h, &g->feat, i, NULL);
        hash_word(&h, (uint64_t)g->label[i]);
        sum += h;
    }
    memcpy(&all, &sum, sizeof all);
    gnd_part_counts(g->part, &all, 1);
    memcpy(&sum, &all, sizeof sum);
    return sum;
}

static uint64_t split_hash(const gnd_split *s, const gnd_graph *g)
{
    uint64_t h = (uint64_t)s->n_train;

    for (int64_t k = 0; k < s->n_train; k++)
        hash_word(&h, (uint64_t)number_of(g, s->train[k]));
    for (int64_t k = 0; k < s->n_val; k++)
        hash_word(&h, (uint64_t)number_of(g, s->val[k]));
    return h;
}

static void settings_add(gnd_buffer *b, const gnd_config *c)
{
    gnd_setting_info info = {.size = sizeof info};
    char value[1024];

    for (int i = 0; gnd_config_info(&info, c, i); i++) {
        gnd_config_value(c, i, value, sizeof value);
        gnd_text_add(b, "setting %s\t%s\n", info.name, value);
    }
}

static void prior_add(gnd_buffer *b, const gnd_model *m)
{
    uint64_t h = 1;

    for (int32_t c = 0; m->prior && c < gnd_n_class(m); c++)
        hash_real(&h, (double)m->prior[c]);
    gnd_text_add(b, "class shares\t%016llx\n", (unsigned long long)h);
}

gnd_status gnd_resume_open(gnd_checkpoint **out, const gnd_model *m, const gnd_graph *g,
                           const gnd_split *s, const gnd_train_opts *o, gnd_error *err)
{
    gnd_buffer b = {0};
    gnd_status st = GND_OK;

    *out = NULL;
    if (!o->checkpoint)
        return GND_OK;
    if (!(o->checkpoint_seconds >= 0))
        return gnd_fail(err, GND_ERR_ARG, "%g seconds between checkpoints; expected 0 or more",
                        o->checkpoint_seconds);
    gnd_text_add(&b, "version\t%s\n", gnd_version());
    gnd_text_add(&b, "number of processes\t%d\n", g->part ? g->part->size : 1);
    gnd_text_add(&b, "graph\t%016llx\n", (unsigned long long)graph_hash(g));
    gnd_text_add(&b, "training vertices\t%016llx\n", (unsigned long long)split_hash(s, g));
    gnd_text_add(&b, "method\t%s\n", m->config.method->name);
    settings_add(&b, &m->config);
    prior_add(&b, m);
    gnd_text_add(&b, "seed\t%llu\n", (unsigned long long)o->seed);
    gnd_text_add(&b, "memory\t%lld\n", (long long)o->memory);
    gnd_text_add(&b, "plan\t%s\n", o->plan ? o->plan : "auto");
    if (b.failed)
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for a checkpoint");
    if (g->part)
        st = g->part->calls->agree(g->part, st, err);
    if (st == GND_OK)
        st = gnd_checkpoint_open(out,
                                 &(gnd_checkpoint_opts){o->checkpoint, o->checkpoint_seconds,
                                                        b.text, gnd_part_team(g->part)},
                                 err);
    gnd_buffer_fini(&b);
    return st;
}

/* ---- the state ---- */

/* Values that are not arrays. */
typedef struct {
    int64_t n_step, t, epochs, best_epoch, stopped;
    int64_t count, epoch_best;                         /* of the stopping rule */
    double acc_best, loss_best, acc_saved, loss_saved; /* likewise */
    double lr, plateau_best;
    int64_t plateau_started, plateau_bad;
} scalars;

static void scalars_get(scalars *v, const gnd_training_state *t)
{
    *v = (scalars){.n_step = *t->n_step,
                   .t = t->optim->t,
                   .epochs = t->rec->epochs,
                   .best_epoch = t->rec->best_epoch,
                   .stopped = t->rec->stopped,
                   .count = t->stop->count,
                   .epoch_best = t->stop->epoch_best,
                   .acc_best = t->stop->acc_best,
                   .loss_best = t->stop->loss_best,
                   .acc_saved = t->stop->acc_saved,
                   .loss_saved = t->stop->loss_saved,
                   .lr = t->optim->lr,
                   .plateau_best = t->plateau->best,
                   .plateau_started = t->plateau->started,
                   .plateau_bad = t->plateau->bad};
}

static void scalars_set(const gnd_training_state *t, const scalars *v)
{
    *t->n_step = v->n_step;
    t->optim->t = v->t;
    t->rec->epochs = v->epochs;
    t->rec->best_epoch = v->best_epoch;
    t->rec->stopped = v->stopped != 0;
    t->stop->count = v->count;
    t->stop->epoch_best = v->epoch_best;
    t->stop->acc_best = v->acc_best;
    t->stop->loss_best = v->loss_best;
    t->stop->acc_saved = v->acc_saved;
    t->stop->loss_saved = v->loss_saved;
    t->optim->lr = v->lr;
    t->plateau->best = v->plateau_best;
    t->plateau->started = v->plateau_started != 0;
    t->plateau->bad = v->plateau_bad;
}

enum { ARRAYS = 11 };

/* The arrays of the state; those that the run does not have are empty. */
static void arrays_list(gnd_saved_array a[ARRAYS], const gnd_training_state *t, scalars *v)
{
    const int64_t reals = t->params->size * (int64_t)sizeof *t->best;
    const int64_t figures = t->epochs * (int64_t)sizeof(double);
    const gnd_saved_array all[ARRAYS] = {
        {"scalars", v, sizeof *v, false},
        {"weights", t->params->v, reals, false},
        {"best weights", t->best, reals, false},
        {"moment 1", t->optim->m, t->optim->m ? reals : 0, false},
        {"moment 2", t->optim->v, t->optim->v ? reals : 0, false},
        {"order", t->order, t->n_train * (int64_t)sizeof *t->order, false},
        {"last losses", t->stop->ring, t->stop->n_ring * (int64_t)sizeof *t->stop->ring, false},
        {"loss of training", t->rec->loss_train, figures, false},
        {"accuracy of training", t->rec->acc_train, figures, false},
        {"loss of validation", t->rec->loss_val, figures, false},
        {"accuracy of validation", t->rec->acc_val, figures, false},
    };

    memcpy(a, all, sizeof all);
}

static const char stage[] = "epochs";

gnd_status gnd_resume_load(int64_t *epoch, gnd_checkpoint *c, const gnd_training_state *t,
                           gnd_error *err)
{
    gnd_saved_array a[ARRAYS];
    scalars v = {0};
    gnd_status st;

    *epoch = 0;
    arrays_list(a, t, &v);
    st = gnd_checkpoint_load(epoch, c, stage, a, ARRAYS, err);
    if (st == GND_OK && *epoch >= 0)
        scalars_set(t, &v);
    else
        *epoch = 0;
    return st;
}

gnd_status gnd_resume_save(gnd_checkpoint *c, const gnd_training_state *t, gnd_error *err)
{
    gnd_saved_array a[ARRAYS];
    scalars v;

    if (!gnd_checkpoint_due(c))
        return GND_OK;
    scalars_get(&v, t);
    arrays_list(a, t, &v);
    return gnd_checkpoint_save(c, stage, t->rec->epochs, a, ARRAYS, err);
}
