/* SPDX-License-Identifier: MIT
 * comm.c - small exchanges of all processes. Messages have at most PIECE bytes, since MPI counts in
 * int. */
#include "comm.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { PIECE = 1 << 30 };

void gnd_comm_abort(MPI_Comm comm)
{
    for (;;)
        MPI_Abort(comm, EXIT_FAILURE); /* does not return */
}

gnd_status gnd_comm_agree(MPI_Comm comm, gnd_status st, gnd_error *err)
{
    gnd_error all = {.code = st};
    int rank, size, first;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    first = st != GND_OK ? rank : size;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first == size)
        return GND_OK;
    if (rank == first && err)
        all = *err;
    MPI_Bcast(&all, (int)sizeof all, MPI_BYTE, first, comm);
    if (err)
        *err = all;
    return all.code;
}

static void give_bytes(MPI_Comm comm, char *bytes, int64_t n)
{
    for (int64_t at = 0; at < n; at += PIECE)
        MPI_Bcast(bytes + at, (int)(n - at < PIECE ? n - at : PIECE), MPI_BYTE, 0, comm);
}

gnd_status gnd_comm_give(MPI_Comm comm, void **list, int64_t *n, size_t size, gnd_error *err)
{
    gnd_status st = GND_OK;
    int rank;

    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(n, 1, MPI_INT64_T, 0, comm);
    if (rank > 0) {
        *list = gnd_alloc(*n, size);
        if (!*list)
            st = gnd_fail(err, GND_ERR_NOMEM, "no memory for a list of %lld items", (long long)*n);
    }
    st = gnd_comm_agree(comm, st, err);
    if (st == GND_OK)
        give_bytes(comm, *list, *n * (int64_t)size);
    return st;
}

/* All names, each with its final zero. */
static char *names_join(const gnd_names *names, int64_t *len)
{
    char *text;
    int64_t at = 0;

    *len = 0;
    for (int64_t i = 0; i < gnd_names_count(names); i++)
        *len += (int64_t)strlen(gnd_names_get(names, i)) + 1;
    text = gnd_alloc(*len, 1);
    for (int64_t i = 0; text && i < gnd_names_count(names); i++) {
        const char *name = gnd_names_get(names, i);

        memcpy(text + at, name, strlen(name) + 1);
        at += (int64_t)strlen(name) + 1;
    }
    return text;
}

gnd_status gnd_comm_give_names(MPI_Comm comm, gnd_names **names, gnd_error *err)
{
    char *text = NULL;
    int64_t len = 0;
    int rank;
    gnd_status st = GND_OK;

    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && !(text = names_join(*names, &len)))
        st = gnd_fail(err, GND_ERR_NOMEM, "no memory for names");
    GND_TRY(gnd_comm_agree(comm, st, err));
    GND_TRY(gnd_comm_give(comm, (void **)&text, &len, 1, err));
    if (rank > 0) {
        gnd_names *t = gnd_names_new();

        for (int64_t at = 0; t && at < len; at += (int64_t)strlen(text + at) + 1)
            if (gnd_names_add(t, text + at, strlen(text + at)) < 0) {
                gnd_names_free(t);
                t = NULL;
            }
        *names = t;
        if (!t)
            st = gnd_fail(err, GND_ERR_NOMEM, "no memory for names");
    }
    GND_TRY(gnd_comm_agree(comm, st, err));
out:
    gnd_free(text);
    return st;
}

void gnd_comm_send(MPI_Comm comm, const void *bytes, int64_t n, int to)
{
    for (int64_t at = 0; at < n; at += PIECE)
        MPI_Send((const char *)bytes + at, (int)(n - at < PIECE ? n - at : PIECE), MPI_BYTE, to, 0,
                 comm);
}

void gnd_comm_get(MPI_Comm comm, void *bytes, int64_t n, int from)
{
    for (int64_t at = 0; at < n; at += PIECE)
        MPI_Recv((char *)bytes + at, (int)(n - at < PIECE ? n - at : PIECE), MPI_BYTE, from, 0,
                 comm, MPI_STATUS_IGNORE);
}

void gnd_comm_deal(MPI_Comm comm, void *mine, const void *all, const int64_t *cut, size_t size)
{
    int rank, n;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &n);
    if (rank == 0)
        memcpy(mine, all, (size_t)cut[1] * size);
    for (int r = 1; r < n; r++) {
        const int64_t bytes = (cut[r + 1] - cut[r]) * (int64_t)size;

        if (rank == 0)
            gnd_comm_send(comm, (const char *)all + cut[r] * (int64_t)size, bytes, r);
        else if (rank == r)
            gnd_comm_get(comm, mine, bytes, 0);
    }
}
