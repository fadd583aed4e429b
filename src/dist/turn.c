/* SPDX-License-Identifier: MIT
 * turn.c - every process sends the values of its entries to the owners of their columns.
 *
 * Vertices of a process are consecutive. Sorted by column, and by row within a column, the own
 * entries are therefore sorted by process, and those for a process are in the order in which it
 * meets their mirror images. Only values are sent. */
#include "turn.h"

#include <limits.h>

#include "base/alloc.h"
#include "comm.h"

typedef struct {
    int *count, *at;         /* [size] entries for, and from, each process, and where they start */
    int64_t *next;           /* [n_local + 1] where the next entry of a column goes */
    int64_t *sorted, *other; /* [entries] values by column, and those of the others */
} turning;

static void turning_fini(turning *t)
{
    gnd_free(t->count);
    gnd_free(t->at);
    gnd_free(t->next);
    gnd_free(t->sorted);
    gnd_free(t->other);
}

/* The values of own entries by column. */
static void sort(turning *t, const gnd_part *p, const int64_t *value, const int64_t *ptr,
                 const int32_t *col)
{
    for (int64_t q = ptr[p->begin]; q < ptr[p->end]; q++)
        t->next[col[q] + 1]++;
    for (int64_t i = 0; i < p->n_local; i++)
        t->next[i + 1] += t->next[i];
    for (int64_t q = ptr[p->begin]; q < ptr[p->end]; q++)
        t->sorted[t->next[col[q]]++] = value[q];
}

bool gnd_turn(const gnd_owners *o, const gnd_part *p, int64_t *out, const int64_t *value,
              const int64_t *ptr, const int32_t *col)
{
    const int64_t n = ptr[p->end] - ptr[p->begin];
    turning t = {.count = gnd_alloc(2 * (int64_t)o->size, sizeof *t.count),
                 .at = gnd_alloc(o->size, sizeof *t.at),
                 .next = gnd_alloc(p->n_local + 1, sizeof *t.next),
                 .sorted = gnd_alloc(n, sizeof *t.sorted),
                 .other = gnd_alloc(n, sizeof *t.other)};
    int *from = t.count + o->size, ok = n <= INT_MAX;

    if (!t.count || !t.at || !t.next || !t.sorted || !t.other)
        gnd_comm_abort(o->comm);
    sort(&t, p, value, ptr, col);
    for (int64_t q = ptr[p->begin]; ok && q < ptr[p->end]; q++)
        t.count[gnd_owner_of(o, p->global[col[q]])]++;
    MPI_Alltoall(t.count, 1, MPI_INT, from, 1, MPI_INT, o->comm);
    for (int32_t r = 0; r < o->size; r++) {
        ok = ok && t.count[r] == from[r];
        t.at[r] = r > 0 ? t.at[r - 1] + t.count[r - 1] : 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_MIN, o->comm);
    if (ok) {
        MPI_Alltoallv(t.sorted, t.count, t.at, MPI_INT64_T, t.other, t.count, t.at, MPI_INT64_T,
                      o->comm);
        for (int64_t q = ptr[p->begin]; q < ptr[p->end]; q++)
            out[q] = t.other[t.at[gnd_owner_of(o, p->global[col[q]])]++];
    }
    turning_fini(&t);
    return ok;
}
