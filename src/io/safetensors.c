/* SPDX-License-Identifier: MIT
 * safetensors.c - map a file in safetensors form, parse its header, and find its tensors. Every
 * length is checked against the file before it is used. */
#include "safetensors.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gnd_status gnd_safetensors_bad(const gnd_safetensors *s, gnd_error *err, const char *fmt, ...)
{
    char msg[sizeof err->msg];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return gnd_fail(err, GND_ERR_FORMAT, "%s: not a %s: %s", s->path, s->what, msg);
}

static gnd_status header_read(gnd_safetensors *s, int64_t max_header, gnd_error *err)
{
    const int64_t size = gnd_mapping_size(s->map);
    const unsigned char *le = (const unsigned char *)gnd_mapping_data(s->map);
    json_error_t why;
    uint64_t len = 0;

    if (size < 8)
        return gnd_safetensors_bad(s, err, "it is shorter than 8 bytes");
    for (int i = 0; i < 8; i++)
        len |= (uint64_t)le[i] << (8 * i);
    if (len > (uint64_t)size - 8)
        return gnd_safetensors_bad(s, err, "its header is longer than the file");
    if (len > (uint64_t)max_header)
        return gnd_safetensors_bad(s, err, "its header has %llu bytes; expected at most %lld",
                                   (unsigned long long)len, (long long)max_header);
    s->data_at = 8 + (int64_t)len;
    s->head = json_loadb((const char *)le + 8, (size_t)len, JSON_REJECT_DUPLICATES, &why);
    if (!s->head)
        return json_error_code(&why) == json_error_out_of_memory
                   ? gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for its header", s->path)
                   : gnd_safetensors_bad(s, err, "its header is not JSON: %s", why.text);
    s->meta = json_object_get(s->head, "__metadata__");
    return GND_OK;
}

gnd_status gnd_safetensors_of(gnd_safetensors *s, gnd_mapping *map, const char *path,
                              const char *what, int64_t max_header, gnd_error *err)
{
    gnd_status st;

    *s = (gnd_safetensors){.path = path, .what = what, .map = map};
    gnd_mapping_hold(map);
    st = header_read(s, max_header, err);
    if (st != GND_OK)
        gnd_safetensors_fini(s);
    return st;
}

gnd_status gnd_safetensors_open(gnd_safetensors *s, const char *path, const char *what,
                                int64_t max_header, gnd_error *err)
{
    gnd_mapping *map;
    gnd_status st;

    *s = (gnd_safetensors){0};
    GND_TRY(gnd_mapping_open(&map, path, err));
    st = gnd_safetensors_of(s, map, path, what, max_header, err);
    gnd_mapping_release(map);
out:
    return st;
}

void gnd_safetensors_fini(gnd_safetensors *s)
{
    json_decref(s->head);
    gnd_mapping_release(s->map);
    *s = (gnd_safetensors){0};
}

gnd_status gnd_safetensors_text(const char **out, const gnd_safetensors *s, const char *key,
                                gnd_error *err)
{
    *out = json_string_value(json_object_get(s->meta, key));
    return *out ? GND_OK : gnd_safetensors_bad(s, err, "its header has no '%s'", key);
}

bool gnd_safetensors_has(const gnd_safetensors *s, const char *name)
{
    return json_object_get(s->head, name) != NULL;
}

/* A list of at most two numbers, 0 or more. Returns how many there are; -1: it is none. */
static int numbers_get(int64_t out[2], const json_t *entry, const char *key)
{
    const json_t *a = json_object_get(entry, key);
    const size_t n = json_array_size(a);

    if (n < 1 || n > 2)
        return -1;
    out[1] = 1;
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(a, i);

        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return -1;
        out[i] = json_integer_value(item);
    }
    return (int)n;
}

gnd_status gnd_safetensors_find(gnd_tensor *out, const gnd_safetensors *s, const char *name,
                                const char *dtype, int64_t size, gnd_error *err)
{
    const json_t *entry = json_object_get(s->head, name);
    const int64_t room = gnd_mapping_size(s->map) - s->data_at;
    int64_t off[2];

    *out = (gnd_tensor){.dtype = json_string_value(json_object_get(entry, "dtype"))};
    if (!entry)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: it has no tensor '%s'", s->path, name);
    if (!out->dtype || strcmp(out->dtype, dtype) != 0)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: tensor '%s' is of type %.20s; expected %s",
                        s->path, name, out->dtype ? out->dtype : "none", dtype);
    out->n_dim = numbers_get(out->shape, entry, "shape");
    if (out->n_dim < 0)
        return gnd_fail(err, GND_ERR_FORMAT,
                        "%s: tensor '%s' has no shape of one or two dimensions", s->path, name);
    if (numbers_get(off, entry, "data_offsets") != 2 || off[1] < off[0] || off[1] > room)
        return gnd_fail(err, GND_ERR_FORMAT, "%s: tensor '%s' is outside the file", s->path, name);
    if (out->shape[1] != 0 && out->shape[0] > (off[1] - off[0]) / size / out->shape[1])
        return gnd_fail(err, GND_ERR_FORMAT, "%s: tensor '%s' is larger than its place", s->path,
                        name);
    if (out->shape[0] * out->shape[1] * size != off[1] - off[0])
        return gnd_fail(err, GND_ERR_FORMAT, "%s: tensor '%s' does not fill its place", s->path,
                        name);
    out->data = gnd_mapping_data(s->map) + s->data_at + off[0];
    return GND_OK;
}
