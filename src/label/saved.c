/* SPDX-License-Identifier: MIT
 * saved.c - coordinates and held-out scores as arrays of a checkpoint. Coordinates are rows that
 * each process has for itself, copies of other vertices included; all else is the same in all. */
#include "saved.h"

enum { SETS = 4, SHAPE = 0, HELD = 1, VALUES = 2, POINTS = VALUES + SETS, ARRAYS = POINTS + SETS };

static const char stage[] = "method auto";

typedef struct {
    int64_t rank[SETS]; /* coordinates of each set of points; 0: it is empty */
    gnd_saved_array array[ARRAYS];
} state;

/* The arrays of z, whose sets of points have room for their ranks. */
static void state_list(state *s, gnd_points *const set[SETS], gnd_real *held, int64_t size)
{
    static const char *const values[] = {"values of diffused", "values of own",
                                         "values of features", "values of links"};
    static const char *const points[] = {"diffused", "own", "features", "links"};

    s->array[SHAPE] = (gnd_saved_array){"ranks", s->rank, sizeof s->rank, false};
    s->array[HELD] = (gnd_saved_array){"held", held, size * (int64_t)sizeof *held, false};
    for (int k = 0; k < SETS; k++) {
        const gnd_points *p = set[k];

        s->array[VALUES + k] =
            (gnd_saved_array){values[k], p->value, p->r * (int64_t)sizeof *p->value, false};
        s->array[POINTS + k] =
            (gnd_saved_array){points[k], p->z, p->n * p->r * (int64_t)sizeof *p->z, true};
    }
}

static void sets_of(gnd_points *set[SETS], gnd_coordinates *z)
{
    set[0] = &z->diffused;
    set[1] = &z->own;
    set[2] = &z->features;
    set[3] = &z->links;
}

gnd_status gnd_saved_coordinates(bool *found, gnd_coordinates *z, gnd_checkpoint *c,
                                 const gnd_numbers *at, int64_t n, gnd_error *err)
{
    gnd_points *set[SETS];
    int64_t step;
    state s = {0};
    gnd_status st;

    *z = (gnd_coordinates){0};
    *found = false;
    sets_of(set, z);
    s.array[SHAPE] = (gnd_saved_array){"ranks", s.rank, sizeof s.rank, false};
    GND_TRY(gnd_checkpoint_load(&step, c, stage, s.array, 1, err));
    if (step < 0)
        return GND_OK;
    for (int k = 0; k < SETS; k++) {
        if (s.rank[k] < 0 || s.rank[k] > GND_POINTS_MAX)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "the checkpoint has points of %lld coordinates",
                             (long long)s.rank[k]));
        if (s.rank[k] > 0)
            GND_TRY(gnd_points_init(set[k], n, s.rank[k], err));
        set[k]->at = s.rank[k] > 0 ? *at : (gnd_numbers){0};
    }
    state_list(&s, set, NULL, 0);
    GND_TRY(gnd_checkpoint_load(&step, c, stage, s.array + VALUES, ARRAYS - VALUES, err));
    *found = true;
out:
    if (st != GND_OK)
        gnd_coordinates_fini(z);
    return st;
}

gnd_status gnd_saved_folds(int64_t *folds, gnd_real *held, int64_t size, gnd_checkpoint *c,
                           gnd_error *err)
{
    gnd_saved_array a = {"held", held, size * (int64_t)sizeof *held, false};
    gnd_status st;

    GND_TRY(gnd_checkpoint_load(folds, c, stage, NULL, 0, err));
    if (*folds > 0)
        GND_TRY(gnd_checkpoint_load(folds, c, stage, &a, 1, err));
    if (*folds < 0)
        *folds = 0;
out:
    return st;
}

gnd_status gnd_saved_put(gnd_checkpoint *c, const gnd_coordinates *z, int64_t folds, gnd_real *held,
                         int64_t size, gnd_error *err)
{
    gnd_coordinates now = *z; /* to list them; nothing is changed */
    gnd_points *set[SETS];
    state s = {0};

    if (!gnd_checkpoint_due(c))
        return GND_OK;
    sets_of(set, &now);
    for (int k = 0; k < SETS; k++)
        s.rank[k] = set[k]->n > 0 ? set[k]->r : 0;
    state_list(&s, set, held, size);
    return gnd_checkpoint_save(c, stage, folds, s.array, ARRAYS, err);
}
