/* SPDX-License-Identifier: MIT
 * merge.c - rows of text of all processes in the order of their numbers. Every process sends its
 * rows in pieces; process 0 holds one piece of each and writes the smallest number next. */
#include "merge.h"

#include "base/alloc.h"
#include "comm.h"

/* The present piece of a process, in process 0. */
typedef struct {
    gnd_text_rows rows;
    int64_t at, byte; /* the next row, and where its text starts */
} stream;

static void rows_fini(gnd_text_rows *r)
{
    gnd_free(r->number);
    gnd_free(r->len);
    gnd_free(r->text);
    *r = (gnd_text_rows){0};
}

/* Send all pieces; a piece without rows is the last. */
static bool send_all(MPI_Comm comm, const gnd_text_source *source)
{
    gnd_text_rows r;
    bool ok = true;

    do {
        int64_t size[2];

        if (source->next(&r, source->user, NULL) != GND_OK) {
            r = (gnd_text_rows){0};
            ok = false;
        }
        size[0] = r.n;
        size[1] = r.bytes;
        MPI_Send(size, 2, MPI_INT64_T, 0, 1, comm);
        if (r.n > 0) {
            MPI_Send(r.number, (int)r.n, MPI_INT32_T, 0, 2, comm);
            MPI_Send(r.len, (int)r.n, MPI_INT32_T, 0, 3, comm);
            MPI_Send(r.text, (int)r.bytes, MPI_BYTE, 0, 4, comm);
        }
    } while (r.n > 0);
    return ok;
}

/* The next piece of process r. */
static void stream_next(stream *s, MPI_Comm comm, int r, const gnd_text_source *source)
{
    int64_t size[2];

    s->at = s->byte = 0;
    if (r == 0) {
        if (source->next(&s->rows, source->user, NULL) != GND_OK)
            gnd_comm_abort(comm); /* the others are sending */
        return;
    }
    rows_fini(&s->rows);
    MPI_Recv(size, 2, MPI_INT64_T, r, 1, comm, MPI_STATUS_IGNORE);
    if (size[0] == 0)
        return;
    s->rows = (gnd_text_rows){.n = size[0], .bytes = size[1]};
    s->rows.number = gnd_alloc(size[0], sizeof *s->rows.number);
    s->rows.len = gnd_alloc(size[0], sizeof *s->rows.len);
    s->rows.text = gnd_alloc(size[1], 1);
    if (!s->rows.number || !s->rows.len || !s->rows.text)
        gnd_comm_abort(comm);
    MPI_Recv(s->rows.number, (int)size[0], MPI_INT32_T, r, 2, comm, MPI_STATUS_IGNORE);
    MPI_Recv(s->rows.len, (int)size[0], MPI_INT32_T, r, 3, comm, MPI_STATUS_IGNORE);
    MPI_Recv(s->rows.text, (int)size[1], MPI_BYTE, r, 4, comm, MPI_STATUS_IGNORE);
}

/* Move heap[i] down to its place in a heap of n streams, by their next numbers. */
static void sift_down(int *heap, int n, int i, const stream *s)
{
    const int r = heap[i];

    for (int k = 2 * i + 1; k < n; k = 2 * i + 1) {
        if (k + 1 < n &&
            s[heap[k + 1]].rows.number[s[heap[k + 1]].at] < s[heap[k]].rows.number[s[heap[k]].at])
            k++;
        if (s[r].rows.number[s[r].at] <= s[heap[k]].rows.number[s[heap[k]].at])
            break;
        heap[i] = heap[k];
        i = k;
    }
    heap[i] = r;
}

/* Write rows of s as long as their numbers follow one another. */
static void run_write(FILE *f, stream *s)
{
    int32_t number;

    do {
        number = s->rows.number[s->at];
        fwrite(s->rows.text + s->byte, 1, (size_t)s->rows.len[s->at], f);
        s->byte += s->rows.len[s->at++];
    } while (s->at < s->rows.n && s->rows.number[s->at] == number + 1);
}

bool gnd_merge_text(MPI_Comm comm, FILE *f, const gnd_text_source *source)
{
    stream *s;
    int *heap, rank, size, n = 0; /* heap: [n] streams that have not ended, the next one first */

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank > 0)
        return send_all(comm, source);
    s = gnd_alloc(size, sizeof *s);
    heap = gnd_alloc(size, sizeof *heap);
    if (!s || !heap)
        gnd_comm_abort(comm);
    for (int r = 0; r < size; r++) {
        stream_next(&s[r], comm, r, source);
        if (s[r].rows.n > 0)
            heap[n++] = r;
    }
    for (int i = n / 2 - 1; i >= 0; i--)
        sift_down(heap, n, i, s);
    while (n > 0) {
        const int r = heap[0];

        run_write(f, &s[r]);
        if (s[r].at == s[r].rows.n)
            stream_next(&s[r], comm, r, source);
        if (s[r].rows.n == 0)
            heap[0] = heap[--n];
        if (n > 0)
            sift_down(heap, n, 0, s);
    }
    s[0].rows = (gnd_text_rows){0}; /* the source's own */
    for (int r = 1; r < size; r++)
        rows_fini(&s[r].rows);
    gnd_free(heap);
    gnd_free(s);
    return true;
}
