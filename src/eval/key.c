/* SPDX-License-Identifier: MIT
 * key.c - 64-bit hashes of graphs and splits, and settings as text.
 *
 * Numbers are hashed by value, not by their bytes in memory, so that stores are portable between
 * machines. The hash detects changed data; it is not secure against deliberate collisions. */
#include "key.h"

#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "model/model.h"

static void hash_word(uint64_t *h, uint64_t w)
{
    *h = gnd_mix64(*h ^ w) + UINT64_C(0x9e3779b97f4a7c15);
}

static void hash_int(uint64_t *h, int64_t v)
{
    hash_word(h, (uint64_t)v);
}

static void hash_ints(uint64_t *h, const int32_t *v, int64_t n)
{
    hash_int(h, n);
    for (int64_t i = 0; i < n; i++)
        hash_int(h, v[i]);
}

static void hash_csr(uint64_t *h, const gnd_csr *a)
{
    const int64_t nnz = gnd_csr_nnz(a);

    hash_int(h, a->n_row);
    hash_int(h, a->n_col);
    for (int64_t i = 0; a->ptr && i < a->n_row; i++)
        hash_int(h, a->ptr[i + 1] - a->ptr[i]);
    hash_ints(h, a->col, nnz);
    for (int64_t p = 0; p < nnz;
         p++) { /* a matrix without values equals one whose values are all 1 */
        const double v = (double)gnd_csr_val(a, p);
        uint64_t w;

        memcpy(&w, &v, sizeof w);
        hash_word(h, w);
    }
}

static const char *hash_text(char buf[GND_HASH_TEXT], uint64_t h)
{
    snprintf(buf, GND_HASH_TEXT, "%016llx", (unsigned long long)h);
    return buf;
}

const char *gnd_key_graph(char buf[GND_HASH_TEXT], const gnd_graph *g)
{
    uint64_t h = 1;

    hash_csr(&h, &g->adj);
    hash_csr(&h, &g->feat);
    hash_ints(&h, g->label, g->n_node);
    hash_int(&h, g->n_class);
    return hash_text(buf, h);
}

static bool has_unlabelled(const int32_t *v, int64_t n, const gnd_graph *g)
{
    for (int64_t i = 0; i < n; i++)
        if (g->label[v[i]] < 0)
            return true;
    return false;
}

const char *gnd_key_split(char buf[GND_HASH_TEXT], const gnd_split *s, const gnd_graph *g)
{
    uint64_t h = 3;

    hash_ints(&h, s->train, s->n_train);
    hash_ints(&h, s->val, s->n_val);
    hash_ints(&h, s->test, s->n_test);
    hash_int(&h, s->score_unlabelled && (has_unlabelled(s->val, s->n_val, g) ||
                                         has_unlabelled(s->test, s->n_test, g)));
    return hash_text(buf, h);
}

/* Write the settings into buf if it is not NULL. Returns their length without the NUL. */
static size_t settings_text(char *buf, size_t size, const gnd_config *c)
{
    gnd_setting_info info = {.size = sizeof info};
    char value[1024];
    size_t used = 0;

    for (int i = 0; gnd_config_info(&info, c, i); i++) {
        if (!gnd_config_in_key(c, i))
            continue;
        gnd_config_value(c, i, value, sizeof value);
        if (buf)
            snprintf(buf + used, size - used, "%s%s=%s", used ? " " : "", info.name, value);
        used += (used > 0) + strlen(info.name) + 1 + strlen(value);
    }
    return used;
}

gnd_status gnd_key_settings(char **out, const gnd_config *c, gnd_error *err)
{
    const size_t size = settings_text(NULL, 0, c) + 1;

    *out = gnd_alloc((int64_t)size, 1);
    if (!*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for the settings of %s",
                        gnd_config_method(c));
    settings_text(*out, size, c);
    return GND_OK;
}

const char *gnd_key_config(char buf[GND_CONFIG_TEXT], const char *method, const char *settings)
{
    uint64_t h = 5;

    for (const char *s = method; *s; s++)
        hash_word(&h, (unsigned char)*s);
    hash_word(&h, 0);
    for (const char *s = settings; *s; s++)
        hash_word(&h, (unsigned char)*s);
    snprintf(buf, GND_CONFIG_TEXT, "%08llx", (unsigned long long)(h >> 32));
    return buf;
}
