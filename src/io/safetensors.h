/* SPDX-License-Identifier: MIT
 * safetensors.h - read files in safetensors form: models and graphs.
 *
 *     8 bytes   length of the header, little-endian
 *     header    JSON: tensor name -> dtype, shape, data_offsets; __metadata__ -> strings
 *     data      the tensors, one after another
 *
 * The file is mapped, and nothing of the data is read at the start. */
#ifndef GND_IO_SAFETENSORS_H
#define GND_IO_SAFETENSORS_H

#include <jansson.h>

#include "base/mapping.h"

/* Arrays are used as they are in the file. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "gnd maps files of little-endian numbers; this machine is big-endian");

/* Zero is valid and empty. */
typedef struct {
    const char *path; /* borrowed */
    const char *what; /* for messages: "gnd model" */
    gnd_mapping *map;
    int64_t data_at; /* where the tensors start */
    json_t *head;
    json_t *meta; /* borrowed from head; NULL: there is none */
} gnd_safetensors;

/* A tensor of one or two dimensions. */
typedef struct {
    const char *dtype; /* "F32" */
    int n_dim;
    int64_t shape[2];
    const void *data; /* borrowed from the mapping */
} gnd_tensor;

/* Map the file and parse its header, which may have max_header bytes. */
gnd_status gnd_safetensors_open(gnd_safetensors *s, const char *path, const char *what,
                                int64_t max_header, gnd_error *err);
/* The same for a mapping, which is held. */
gnd_status gnd_safetensors_of(gnd_safetensors *s, gnd_mapping *map, const char *path,
                              const char *what, int64_t max_header, gnd_error *err);
void gnd_safetensors_fini(gnd_safetensors *s);
/* A string of the metadata; an error if it is missing. */
gnd_status gnd_safetensors_text(const char **out, const gnd_safetensors *s, const char *key,
                                gnd_error *err);
bool gnd_safetensors_has(const gnd_safetensors *s, const char *name);
/* A tensor of type dtype with items of `size` bytes. It lies in the file, and its shape fills
 * its place; it need not be aligned. */
gnd_status gnd_safetensors_find(gnd_tensor *out, const gnd_safetensors *s, const char *name,
                                const char *dtype, int64_t size, gnd_error *err);
/* Fail with "path: not a gnd model: " and the sentence. */
gnd_status gnd_safetensors_bad(const gnd_safetensors *s, gnd_error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

#endif
