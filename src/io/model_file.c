/* SPDX-License-Identifier: MIT
 * model_file.c - models on disk, as safetensors (safetensors.h).
 *
 * Besides the weights a model keeps what its user needs: classes, settings, the graph mode, which
 * features it has met, and, where vertices were their own features, their ids. Nothing in the file
 * is executed; every length is checked against the file before memory is asked for. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/outfile.h"
#include "base/str.h"
#include "model/model.h"
#include "model/renamed.h"
#include "safetensors.h"

static const char *const dtype = sizeof(gnd_real) == sizeof(float) ? "F32" : "F64";
static const char format_name[] = "gnd-model-1";

/* ---- writing ---- */

/* v, or NULL with v released if v is incomplete: a list that lacks an item for want of memory must
 * not be written. */
static json_t *whole(json_t *v, bool ok)
{
    if (ok)
        return v;
    json_decref(v);
    return NULL;
}

static json_t *names_json(const gnd_names *names)
{
    json_t *list = json_array();
    bool ok = list != NULL;

    for (int64_t i = 0; ok && i < gnd_names_count(names); i++)
        ok = json_array_append_new(list, json_string_nocheck(gnd_names_get(names, i))) == 0;
    return whole(list, ok);
}

static json_t *classes_json(const int32_t *cls, int64_t n)
{
    json_t *list = json_array();
    bool ok = list != NULL;

    for (int64_t i = 0; ok && i < n; i++)
        ok = json_array_append_new(list, json_integer(cls[i])) == 0;
    return whole(list, ok);
}

static json_t *settings_json(const gnd_config *c)
{
    json_t *all = json_object();
    gnd_setting_info info = {.size = sizeof info};
    char buf[256];
    bool ok = all != NULL;

    for (int i = 0; ok && gnd_config_info(&info, c, i); i++)
        ok = json_object_set_new(all, info.name,
                                 json_string(gnd_config_value(c, i, buf, sizeof buf))) == 0;
    return whole(all, ok);
}

static int dump_add(const char *bytes, size_t n, void *buffer)
{
    return gnd_buffer_add(buffer, bytes, n) ? 0 : -1;
}

/* value as compact JSON. json_dumps is not used: when memory is short, it leaves out a key without
 * an error. The buffer remembers such a failure. */
static bool json_text(gnd_buffer *out, const json_t *value)
{
    return value && json_dump_callback(value, dump_add, out, JSON_COMPACT) == 0 && !out->failed;
}

/* Metadata values must be strings, so structured values are JSON in a string. */
static bool put_json(json_t *meta, const char *key, json_t *value)
{
    gnd_buffer b = {0};
    const bool ok =
        json_text(&b, value) && json_object_set_new(meta, key, json_string_nocheck(b.text)) == 0;

    gnd_buffer_fini(&b);
    json_decref(value);
    return ok;
}

static bool put_text(json_t *meta, const char *key, const char *text)
{
    return json_object_set_new(meta, key, json_string(text)) == 0;
}

static json_t *metadata(const gnd_model *m)
{
    json_t *meta = json_object();
    bool ok = meta && put_text(meta, "format", format_name) &&
              put_text(meta, "version", GND_VERSION) &&
              put_text(meta, "method", m->config.method->name) &&
              put_text(meta, "graph", gnd_graph_mode_name(m->mode)) &&
              put_text(meta, "features", m->identity ? "identity" : "given") &&
              put_json(meta, "settings", settings_json(&m->config)) &&
              put_json(meta, "classes", names_json(m->cls));

    if (ok && m->ids)
        ok = put_json(meta, "vertices", names_json(m->ids));
    if (ok && m->kept)
        ok = put_json(meta, "labelled", names_json(m->kept)) &&
             put_json(meta, "labelled_as", classes_json(m->kept_cls, gnd_names_count(m->kept)));
    if (!ok) {
        json_decref(meta);
        return NULL;
    }
    return meta;
}

static bool put_tensor(json_t *head, const char *name, const char *type, int64_t rows, int64_t cols,
                       size_t size, int64_t *at)
{
    const int64_t end = *at + rows * cols * (int64_t)size;
    json_t *entry = json_pack("{s:s, s:[I,I], s:[I,I]}", "dtype", type, "shape", (json_int_t)rows,
                              (json_int_t)cols, "data_offsets", (json_int_t)*at, (json_int_t)end);

    *at = end;
    return json_object_set_new(head, name, entry) == 0;
}

static bool are_utf8(const gnd_names *names)
{
    for (int64_t i = 0; i < gnd_names_count(names); i++)
        if (!gnd_is_utf8(gnd_names_get(names, i)))
            return false;
    return true;
}

static gnd_status header_text(gnd_buffer *out, const gnd_model *m, gnd_error *err)
{
    json_t *head = json_object();
    bool ok = head && json_object_set_new(head, "__metadata__", metadata(m)) == 0;
    int64_t at = 0;

    for (int i = 0; ok && i < m->params.n; i++) {
        const gnd_param *p = &m->params.p[i];

        ok = put_tensor(head, p->name, dtype, p->rows, p->cols, sizeof(gnd_real), &at);
    }
    if (ok && m->prior)
        ok = put_tensor(head, "prior", dtype, 1, gnd_n_class(m), sizeof(gnd_real), &at);
    ok = ok && put_tensor(head, "seen", "U8", 1, m->n_feat, 1, &at);
    ok = ok && json_text(out, head);
    json_decref(head);
    if (ok)
        return GND_OK;
    if (!are_utf8(m->cls) || !are_utf8(m->ids) || !are_utf8(m->kept))
        return gnd_fail(err, GND_ERR_ARG,
                        "the model cannot be saved: a class name or vertex id is not UTF-8");
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the header of a model file");
}

gnd_status gnd_model_save(const gnd_model *m, const char *path, gnd_error *err)
{
    gnd_buffer head = {0};
    gnd_outfile o = {0};
    uint64_t len;
    unsigned char le[8];
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    if (gnd_require(path, "the path of the model", err) != GND_OK)
        return GND_ERR_ARG;
    if (m->partial)
        return gnd_fail(err, GND_ERR_ARG,
                        "%s: a model without features needs the ids of all vertices, which none of "
                        "several processes has; train it without mpirun to save it",
                        path);
    GND_TRY(header_text(&head, m, err));
    len = (head.size + 7) / 8 * 8; /* padded with blanks, so that the tensors are aligned */
    for (int i = 0; i < 8; i++)
        le[i] = (unsigned char)(len >> (8 * i));
    GND_TRY(gnd_outfile_open(&o, path, err));
    fwrite(le, 1, 8, o.f);
    fwrite(head.text, 1, head.size, o.f);
    for (uint64_t i = head.size; i < len; i++)
        fputc(' ', o.f);
    fwrite(m->params.v, sizeof *m->params.v, (size_t)m->params.size, o.f);
    if (m->prior)
        fwrite(m->prior, sizeof *m->prior, (size_t)gnd_n_class(m), o.f);
    fwrite(m->seen, 1, (size_t)m->n_feat, o.f);
    GND_TRY(gnd_outfile_commit(&o, err)); /* also detects a failed write */
out:
    gnd_outfile_discard(&o);
    gnd_buffer_fini(&head);
    return st;
}

/* ---- reading ---- */

/* A metadata string that holds JSON of the given type; the caller decrefs. */
static gnd_status meta_json(json_t **out, const gnd_safetensors *r, const char *key, json_type type,
                            gnd_error *err)
{
    const char *text;
    gnd_status st = gnd_safetensors_text(&text, r, key, err);

    *out = NULL;
    if (st != GND_OK)
        return st;
    *out = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    if (*out && json_typeof(*out) == type)
        return GND_OK;
    json_decref(*out);
    *out = NULL;
    return gnd_fail(err, GND_ERR_FORMAT, "%s: not a gnd model: '%s' in its header is broken",
                    r->path, key);
}

static gnd_status names_read(gnd_names **out, const gnd_safetensors *r, const char *key,
                             gnd_error *err)
{
    gnd_names *names = gnd_names_new();
    json_t *list = NULL;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(meta_json(&list, r, key, JSON_ARRAY, err));
    if (!names)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for names", r->path));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const int64_t k =
            json_string_length(item) > 0
                ? gnd_names_add(names, json_string_value(item), json_string_length(item))
                : INT64_MAX;

        if (k < 0)
            GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for names", r->path));
        if (k != (int64_t)i)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: not a gnd model: item %zu of '%s' is not a new name", r->path, i,
                             key));
    }
    *out = names;
    names = NULL;
out:
    gnd_names_free(names);
    json_decref(list);
    return st;
}

static gnd_status config_read(gnd_config **out, const gnd_safetensors *r, gnd_error *err)
{
    const char *format, *method, *key;
    json_t *all = NULL, *value;
    gnd_config *c = NULL;
    gnd_status st = GND_OK;

    *out = NULL;
    GND_TRY(gnd_safetensors_text(&format, r, "format", err));
    if (strcmp(format, format_name) != 0)
        GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: its format is '%.40s'; this gnd reads '%s'",
                         r->path, format, format_name));
    GND_TRY(gnd_safetensors_text(&method, r, "method", err));
    GND_TRY(meta_json(&all, r, "settings", JSON_OBJECT, err));
    GND_TRY(gnd_config_new(&c, method, err));
    json_object_foreach(all, key, value)
    {
        if (!json_is_string(value))
            GND_TRY(gnd_safetensors_bad(r, err, "a setting in its header is not a string"));
        if (!gnd_setting_removed(gnd_config_method(c), key))
            GND_TRY(gnd_config_set(c, key, json_string_value(value), err));
    }
    *out = c;
    c = NULL;
out:
    gnd_config_free(c);
    json_decref(all);
    return st;
}

static gnd_status tensor_read(void *out, const gnd_safetensors *r, const char *name,
                              const char *type, int64_t rows, int64_t cols, size_t size,
                              gnd_error *err)
{
    gnd_tensor t;
    const gnd_status st = gnd_safetensors_find(&t, r, name, type, (int64_t)size, err);

    if (st != GND_OK)
        return st;
    if (t.n_dim != 2 || t.shape[0] != rows || t.shape[1] != cols)
        return gnd_fail(err, GND_ERR_SHAPE,
                        "%s: tensor '%s' is %lld x %lld; its settings require %lld x %lld", r->path,
                        name, (long long)t.shape[0], (long long)t.shape[1], (long long)rows,
                        (long long)cols);
    if (rows * cols > 0)
        memcpy(out, t.data, (size_t)(rows * cols) * size);
    return GND_OK;
}

static gnd_status weights_read(gnd_model *m, const gnd_safetensors *r, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int i = 0; i < m->params.n; i++) {
        const gnd_param *p = &m->params.p[i];

        GND_TRY(tensor_read(m->params.v + p->at, r, p->name, dtype, p->rows, p->cols,
                            sizeof(gnd_real), err));
    }
    for (int64_t k = 0; k < m->params.size; k++)
        if (!isfinite(m->params.v[k]))
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT, "%s: weight %lld is not a finite number", r->path,
                             (long long)k));
    GND_TRY(tensor_read(m->seen, r, "seen", "U8", 1, m->n_feat, 1, err));
    for (int64_t j = 0; j < m->n_feat; j++)
        m->seen[j] = m->seen[j] != 0;
out:
    return st;
}

/* Known class shares, if the model has them. Version 0.1 wrote zeros if they were unknown. */
static gnd_status prior_read(gnd_model *m, const gnd_safetensors *r, gnd_error *err)
{
    const int32_t C = gnd_n_class(m);
    bool known = true;
    gnd_status st = GND_OK;

    if (!m->config.method->uses_prior || !json_object_get(r->head, "prior"))
        return GND_OK;
    m->prior = gnd_alloc(C, sizeof *m->prior);
    if (!m->prior)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for %d classes", r->path, C));
    GND_TRY(tensor_read(m->prior, r, "prior", dtype, 1, C, sizeof(gnd_real), err));
    for (int32_t c = 0; c < C; c++) {
        if (!isfinite(m->prior[c]) || m->prior[c] < 0)
            GND_TRY(gnd_fail(err, GND_ERR_FORMAT,
                             "%s: the share of class %d is not a number from "
                             "0 to 1",
                             r->path, c));
        known = known && m->prior[c] > 0;
    }
    if (!known) {
        gnd_free(m->prior);
        m->prior = NULL;
    }
out:
    return st;
}

/* The labels that a model keeps, if its method needs them. */
static gnd_status kept_read(gnd_model *m, const gnd_safetensors *r, gnd_error *err)
{
    json_t *list = NULL;
    int64_t n;
    gnd_status st = GND_OK;

    if (!m->config.method->keeps_labels)
        return GND_OK;
    GND_TRY(names_read(&m->kept, r, "labelled", err));
    GND_TRY(meta_json(&list, r, "labelled_as", JSON_ARRAY, err));
    n = gnd_names_count(m->kept);
    if ((int64_t)json_array_size(list) != n)
        GND_TRY(gnd_safetensors_bad(r, err, "it does not give each labelled vertex one class"));
    m->kept_cls = gnd_alloc(n, sizeof *m->kept_cls);
    if (!m->kept_cls)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory for labels", r->path));
    for (int64_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, (size_t)i);
        const json_int_t c = json_is_integer(item) ? json_integer_value(item) : -1;

        if (c < 0 || c >= gnd_n_class(m))
            GND_TRY(gnd_safetensors_bad(r, err, "a labelled vertex has no class of the model"));
        m->kept_cls[i] = (int32_t)c;
    }
out:
    json_decref(list);
    return st;
}

static gnd_status model_read(gnd_model **out, const gnd_safetensors *r, gnd_error *err)
{
    const char *mode, *features;
    gnd_tensor seen;
    gnd_config *c = NULL;
    gnd_names *cls = NULL;
    gnd_model *m = NULL;
    gnd_status st = GND_OK;

    GND_TRY(config_read(&c, r, err));
    GND_TRY(gnd_safetensors_text(&mode, r, "graph", err));
    GND_TRY(gnd_safetensors_text(&features, r, "features", err));
    GND_TRY(gnd_safetensors_find(&seen, r, "seen", "U8", 1, err));
    GND_TRY(names_read(&cls, r, "classes", err));
    if (gnd_names_count(cls) < 2) {
        gnd_names_free(cls);
        GND_TRY(gnd_safetensors_bad(r, err, "it has fewer than two classes"));
    }
    GND_TRY(gnd_model_shell(&m, c, seen.shape[1], cls,
                            (gnd_mapping_size(r->map) - r->data_at) / (int64_t)sizeof(gnd_real),
                            err));
    m->identity = strcmp(features, "identity") == 0;
    if (!m->identity && (c->method->no_features || strcmp(features, "given") != 0))
        GND_TRY(gnd_safetensors_bad(r, err, "its features are not those of its method"));
    GND_TRY(gnd_graph_mode_parse(&m->mode, mode, err));
    if (json_object_get(r->meta, "vertices")) {
        GND_TRY(names_read(&m->ids, r, "vertices", err));
        if (gnd_names_count(m->ids) != m->n_feat)
            GND_TRY(
                gnd_safetensors_bad(r, err, "it does not name as many vertices as it has columns"));
    }
    GND_TRY(kept_read(m, r, err));
    GND_TRY(weights_read(m, r, err));
    GND_TRY(prior_read(m, r, err));
    *out = m;
    m = NULL;
out:
    gnd_model_free(m);
    gnd_config_free(c);
    return st;
}

gnd_status gnd_model_load(gnd_model **out, const char *path, gnd_error *err)
{
    gnd_safetensors r = {0};
    gnd_status st = GND_OK;

    gnd_error_clear(err);
    *out = NULL;
    if (gnd_require(path, "the path of the model", err) != GND_OK)
        return GND_ERR_ARG;
    GND_TRY(gnd_safetensors_open(&r, path, "gnd model", INT64_MAX, err));
    GND_TRY(model_read(out, &r, err));
out:
    if (st != GND_OK && err && strncmp(err->msg, path, strlen(path)) != 0)
        gnd_error_prefix(err, "%s",
                         path); /* a check in another folder found the fault in the file */
    gnd_safetensors_fini(&r);
    return st;
}
