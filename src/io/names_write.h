/* SPDX-License-Identifier: MIT
 * names_write.h - write names as two tensors: their bytes one after another, and where each starts.
 */
#ifndef GND_IO_NAMES_WRITE_H
#define GND_IO_NAMES_WRITE_H

#include "tensor_writer.h"

/* A list of names; at: the i-th one, asked for in ascending order from 0, several times over. It is
 * valid until the next call. */
typedef struct {
    const char *(*at)(void *user, int64_t i);
    void *user;
    int64_t n;
} gnd_name_list;

/* Add a tensor [n + 1] of the places where names start, and of the end. *size: bytes of all. */
gnd_status gnd_name_offsets_put(gnd_tensor_writer *w, const char *tensor, const gnd_name_list *l,
                                int64_t *size, gnd_error *err);
/* Add a tensor [size] of the names. */
gnd_status gnd_name_bytes_put(gnd_tensor_writer *w, const char *tensor, const gnd_name_list *l,
                              int64_t size, gnd_error *err);

#endif
