/* SPDX-License-Identifier: MIT
 * mirror.c - every process sends the reverse of its arcs to the owner of the vertex that an arc
 * leads to. */
#include "mirror.h"

#include <limits.h>

#include "base/alloc.h"
#include "comm.h"

/* How many entries each process sends to and gets from each other one, and where they start. */
typedef struct {
    int *send, *send_at, *get, *get_at; /* [size] */
    int64_t n_send, n_get;
} traffic;

static void traffic_fini(traffic *t)
{
    gnd_free(t->send);
    gnd_free(t->send_at);
    gnd_free(t->get);
    gnd_free(t->get_at);
}

static int64_t starts(int *at, const int *count, int32_t size)
{
    int64_t n = 0;

    for (int32_t r = 0; r < size; r++) {
        at[r] = n <= INT_MAX ? (int)n : INT_MAX;
        n += count[r];
    }
    return n;
}

static gnd_status traffic_init(traffic *t, const gnd_csr *own, const gnd_owners *o, gnd_error *err)
{
    const int64_t first = o->cut[o->rank];
    gnd_status st = GND_OK;

    t->send = gnd_alloc(o->size, sizeof *t->send);
    t->send_at = gnd_alloc(o->size, sizeof *t->send_at);
    t->get = gnd_alloc(o->size, sizeof *t->get);
    t->get_at = gnd_alloc(o->size, sizeof *t->get_at);
    if (!t->send || !t->send_at || !t->get || !t->get_at)
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for %d processes", o->size);
    else if (gnd_csr_nnz(own) > INT_MAX)
        st = gnd_fail(err, GND_ERR_ARG, "%lld arcs are too many for a process; start more of them",
                      (long long)gnd_csr_nnz(own));
    GND_TRY(gnd_comm_agree(o->comm, st, err));
    for (int64_t i = 0; i < own->n_row; i++)
        for (int64_t p = own->ptr[i]; p < own->ptr[i + 1]; p++)
            if (own->col[p] != first + i)
                t->send[gnd_owner_of(o, own->col[p])]++;
    MPI_Alltoall(t->send, 1, MPI_INT, t->get, 1, MPI_INT, o->comm);
    t->n_send = starts(t->send_at, t->send, o->size);
    t->n_get = starts(t->get_at, t->get, o->size);
    if (t->n_get > INT_MAX)
        st = gnd_fail(err, GND_ERR_ARG,
                      "%lld arcs lead to the vertices of a process; start more of them",
                      (long long)t->n_get);
    GND_TRY(gnd_comm_agree(o->comm, st, err));
out:
    return st;
}

/* The reverse of own arcs, sorted by process. at: [size], where the next one for each goes. */
static void reverse(gnd_arcs *to, int *at, const gnd_csr *own, const gnd_owners *o)
{
    const int64_t first = o->cut[o->rank];

    for (int64_t i = 0; i < own->n_row; i++)
        for (int64_t p = own->ptr[i]; p < own->ptr[i + 1]; p++) {
            int k;

            if (own->col[p] == first + i)
                continue;
            k = at[gnd_owner_of(o, own->col[p])]++;
            to->row[k] = own->col[p];
            to->col[k] = (int32_t)(first + i);
            if (to->val)
                to->val[k] = own->val[p];
        }
}

static gnd_status arcs_init(gnd_arcs *a, int64_t n, bool weighted, gnd_error *err)
{
    *a = (gnd_arcs){.n = n};
    a->row = gnd_alloc_raw(n, sizeof *a->row);
    a->col = gnd_alloc_raw(n, sizeof *a->col);
    a->val = weighted ? gnd_alloc_raw(n, sizeof *a->val) : NULL;
    if (a->row && a->col && (a->val || !weighted))
        return GND_OK;
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for %lld arcs", (long long)n);
}

void gnd_arcs_fini(gnd_arcs *a)
{
    gnd_free(a->row);
    gnd_free(a->col);
    gnd_free(a->val);
    *a = (gnd_arcs){0};
}

/* Own arcs behind the n that came from others. */
static void own_add(gnd_arcs *to, int64_t n, const gnd_csr *own, int64_t first)
{
    for (int64_t i = 0; i < own->n_row; i++)
        for (int64_t p = own->ptr[i]; p < own->ptr[i + 1]; p++) {
            if (own->col[p] == first + i)
                continue;
            to->row[n] = (int32_t)(first + i);
            to->col[n] = own->col[p];
            if (to->val)
                to->val[n] = own->val[p];
            n++;
        }
}

gnd_status gnd_mirror(gnd_arcs *out, const gnd_csr *own, const gnd_owners *o, gnd_error *err)
{
    const MPI_Datatype real = sizeof(gnd_real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    gnd_arcs mine = {0};
    traffic t = {0};
    gnd_status st;

    *out = (gnd_arcs){0};
    GND_TRY(traffic_init(&t, own, o, err));
    st = arcs_init(&mine, t.n_send, own->val != NULL, err);
    if (st == GND_OK)
        st = arcs_init(out, t.n_get + t.n_send, own->val != NULL, err);
    GND_TRY(gnd_comm_agree(o->comm, st, err));
    reverse(&mine, t.send_at, own, o);
    starts(t.send_at, t.send, o->size); /* reverse() has moved them on */
    MPI_Alltoallv(mine.row, t.send, t.send_at, MPI_INT32_T, out->row, t.get, t.get_at, MPI_INT32_T,
                  o->comm);
    MPI_Alltoallv(mine.col, t.send, t.send_at, MPI_INT32_T, out->col, t.get, t.get_at, MPI_INT32_T,
                  o->comm);
    if (own->val)
        MPI_Alltoallv(mine.val, t.send, t.send_at, real, out->val, t.get, t.get_at, real, o->comm);
    own_add(out, t.n_get, own, o->cut[o->rank]);
out:
    traffic_fini(&t);
    gnd_arcs_fini(&mine);
    if (st != GND_OK)
        gnd_arcs_fini(out);
    return st;
}
