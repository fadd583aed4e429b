/* SPDX-License-Identifier: MIT
 * hop_weights.c - write hop weights as CSV, a line per vertex, a column per hop; attention between
 * hops as an npz file. */
#include <string.h>

#include "base/outfile.h"
#include "base/str.h"
#include "io.h"
#include "npz_write.h"

static void lines_write(const gnd_hop_weights *w, const gnd_graph *g, FILE *f)
{
    char buf[32], real[GND_REAL_TEXT];

    fputs("id", f);
    for (int64_t k = 0; k < gnd_hop_weights_n_hop(w); k++)
        fprintf(f, ",hop_%lld", (long long)(gnd_hop_weights_first(w) + k));
    fputc('\n', f);
    for (int64_t i = 0; i < gnd_hop_weights_n(w); i++) {
        gnd_csv_write(f, gnd_graph_id(g, i, buf));
        for (int64_t k = 0; k < gnd_hop_weights_n_hop(w); k++)
            fprintf(f, ",%s", gnd_real_text(real, (double)gnd_hop_weights_get(w, i)[k], 6));
        fputc('\n', f);
    }
}

static gnd_status save_check(const gnd_hop_weights *w, const gnd_graph *g, const char *path,
                             gnd_error *err)
{
    if (gnd_require(path, "the path of the file", err) != GND_OK)
        return GND_ERR_ARG;
    if (gnd_hop_weights_n(w) != g->n_node)
        return gnd_fail(err, GND_ERR_SHAPE, "the hop weights are of %lld vertices, %s has %lld",
                        (long long)gnd_hop_weights_n(w), g->name, (long long)g->n_node);
    return GND_OK;
}

gnd_status gnd_hop_weights_save(const gnd_hop_weights *w, const gnd_graph *g, const char *path,
                                gnd_error *err)
{
    gnd_outfile o = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    GND_TRY(save_check(w, g, path, err));
    GND_TRY(gnd_outfile_open(&o, path, err));
    lines_write(w, g, o.f);
    GND_TRY(gnd_outfile_commit(&o, err));
out:
    gnd_outfile_discard(&o);
    return st;
}

/* ---- attention ---- */

/* The attention of all vertices in a block, [n, K, K]. */
static gnd_status block_add(gnd_npz_writer *z, const gnd_hop_weights *w, int64_t block,
                            gnd_error *err)
{
    const int64_t n = gnd_hop_weights_n(w), K = gnd_hop_weights_n_hop(w);
    char name[32];
    void *p;
    float *to;
    gnd_status st;

    snprintf(name, sizeof name, "attention_%lld", (long long)block + 1);
    GND_TRY(gnd_npz_writer_add(&p, z,
                               &(gnd_npz_array_spec){.name = name,
                                                     .type = "f4",
                                                     .rows = n,
                                                     .cols = K,
                                                     .depth = K,
                                                     .n_byte = n * K * K * (int64_t)sizeof *to},
                               err));
    to = p;
    for (int64_t i = 0; i < n; i++, to += K * K)
        memcpy(to, gnd_hop_weights_attention(w, i, block), (size_t)(K * K) * sizeof *to);
out:
    return st;
}

/* The weights of all vertices, and the power of each hop. */
static gnd_status weights_add(gnd_npz_writer *z, const gnd_hop_weights *w, gnd_error *err)
{
    const int64_t n = gnd_hop_weights_n(w), K = gnd_hop_weights_n_hop(w);
    void *p;
    gnd_status st;

    GND_TRY(
        gnd_npz_writer_add(&p, z, &(gnd_npz_array_spec){"weights", "f4", n, K, 0, n * K * 4}, err));
    for (int64_t i = 0; i < n; i++)
        memcpy((float *)p + i * K, gnd_hop_weights_get(w, i), (size_t)K * sizeof(float));
    GND_TRY(gnd_npz_writer_add(&p, z, &(gnd_npz_array_spec){"hops", "i4", K, 0, 0, K * 4}, err));
    for (int64_t k = 0; k < K; k++)
        ((int32_t *)p)[k] = (int32_t)(gnd_hop_weights_first(w) + k);
out:
    return st;
}

gnd_status gnd_hop_attention_save(const gnd_hop_weights *w, const gnd_graph *g, const char *path,
                                  gnd_error *err)
{
    gnd_npz_writer z = {0};
    gnd_status st;

    gnd_error_clear(err);
    GND_TRY(save_check(w, g, path, err));
    if (gnd_hop_weights_n_block(w) == 0)
        GND_TRY(gnd_fail(err, GND_ERR_ARG,
                         "these hop weights have no attention between hops; expected those of "
                         "gnd_model_hop_attention"));
    GND_TRY(gnd_npz_writer_open(&z, path, err));
    for (int64_t l = 0; l < gnd_hop_weights_n_block(w); l++)
        GND_TRY(block_add(&z, w, l, err));
    GND_TRY(weights_add(&z, w, err));
    GND_TRY(gnd_npz_writer_add_labels(&z, g, err));
    GND_TRY(gnd_npz_writer_commit(&z, err));
out:
    gnd_npz_writer_fini(&z);
    return st;
}
