/* SPDX-License-Identifier: MIT
 * variants.c - the rows of a sweep: methods, each with one variant per value of the varied
 * setting. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "sweep.h"

static gnd_status no_memory(gnd_error *err)
{
    return gnd_fail(err, GND_ERR_NOMEM, "no memory for the rows of a sweep");
}

static bool has_setting(const gnd_config *c, const char *name)
{
    gnd_setting_info s = {.size = sizeof s};

    for (int i = 0; gnd_config_info(&s, c, i); i++)
        if (strcmp(s.name, name) == 0)
            return true;
    return false;
}

static gnd_status variant_add(gnd_sweep *s, int64_t row, const char *method, const char *setting,
                              const char *value, gnd_error *err)
{
    gnd_variant *all = gnd_realloc(s->variant, s->n_variant + 1, sizeof *all), *v;

    if (!all)
        return no_memory(err);
    s->variant = all;
    v = &all[s->n_variant++];
    *v = (gnd_variant){.method = gnd_strdup(method),
                       .setting = gnd_strdup(setting),
                       .value = gnd_strdup(value),
                       .name = *setting ? gnd_text_make("%s=%s", setting, value) : gnd_strdup(""),
                       .row = row};
    if (v->row == s->n_row)
        s->n_row++;
    return v->method && v->setting && v->value && v->name ? GND_OK : no_memory(err);
}

/* Add a variant of the method for each of the values, which are separated by commas. */
static gnd_status values_add(gnd_sweep *s, const char *method, const char *setting,
                             const char *values, gnd_error *err)
{
    char *list = gnd_strdup(values), *value = list;
    const int64_t row = s->n_row;
    gnd_status st = list ? GND_OK : no_memory(err);

    while (value && st == GND_OK) {
        char *next = strchr(value, ',');

        if (next)
            *next++ = '\0';
        st = *value ? variant_add(s, s->o.pick ? row : s->n_row, method, setting, value, err)
                    : gnd_fail(err, GND_ERR_ARG,
                               "expected values of %s separated by commas, got \"%.60s\"", setting,
                               values);
        value = next;
    }
    gnd_free(list);
    return st;
}

static gnd_status leave_out(gnd_sweep *s, const char *method, gnd_error *err)
{
    char *all = s->left_out ? gnd_text_make("%s, %s", s->left_out, method) : gnd_strdup(method);

    gnd_free(s->left_out);
    s->left_out = all;
    return all ? GND_OK : no_memory(err);
}

static bool is_named(const gnd_sweep *s, const char *method)
{
    for (int64_t k = 0; k < s->n_variant; k++)
        if (strcmp(s->variant[k].method, method) == 0)
            return true;
    return false;
}

/* Split o.vary, such as "hops=5,10", into name and values. */
static gnd_status vary_get(char **name, const char **values, const gnd_sweep *s, gnd_error *err)
{
    const size_t n = strcspn(s->o.vary, "=");

    *name = NULL;
    if (n == 0 || !s->o.vary[n])
        return gnd_fail(err, GND_ERR_ARG, "vary: expected NAME=V1,V2,..., got \"%.60s\"",
                        s->o.vary);
    *name = gnd_strndup(s->o.vary, n);
    *values = s->o.vary + n + 1;
    return *name ? GND_OK : no_memory(err);
}

static gnd_status method_add(gnd_sweep *s, const char *name, gnd_error *err)
{
    const char *setting = NULL, *values = NULL, *method;
    gnd_config *c = NULL;
    char *vary = NULL;
    gnd_status st;

    GND_TRY(gnd_config_new(&c, name, err));
    method = gnd_config_method(c);
    if (is_named(s, method)) {
        /* named twice */
    } else if (s->o.vary) {
        GND_TRY(vary_get(&vary, &values, s, err));
        if (has_setting(c, vary))
            GND_TRY(values_add(s, method, vary, values, err));
        else
            GND_TRY(leave_out(s, method, err));
    } else if (s->o.pick && gnd_config_search(c, &setting, &values)) {
        GND_TRY(values_add(s, method, setting, values, err));
    } else {
        GND_TRY(variant_add(s, s->n_row, method, "", "", err));
    }
out:
    gnd_free(vary);
    gnd_config_free(c);
    return st;
}

/* Put the setting of the method with the name closest to `name` into buf; *best: edit distance. */
static void setting_near(char *buf, size_t size, int32_t *best, const char *name,
                         const char *method)
{
    gnd_setting_info info = {.size = sizeof info};
    gnd_config *c = NULL;

    if (gnd_config_new(&c, method, NULL) != GND_OK)
        return;
    for (int i = 0; gnd_config_info(&info, c, i); i++) {
        const int32_t d = gnd_edit_distance(name, info.name);

        if (d < *best && (size_t)d < strlen(name)) {
            *best = d;
            snprintf(buf, size, "%s", info.name);
        }
    }
    gnd_config_free(c);
}

/* No method has the varied setting: suggest the closest name. */
static gnd_status vary_unknown(const gnd_sweep *s, const char *setting, gnd_error *err)
{
    char near[64] = "", *list = gnd_strdup(s->left_out), *m = list;
    int32_t best = 3; /* names at an edit distance over 2 are not suggested */

    while (m && *m) {
        char *next = strstr(m, ", ");

        if (next) {
            *next = '\0';
            next += 2;
        }
        setting_near(near, sizeof near, &best, setting, m);
        m = next;
    }
    gnd_free(list);
    if (*near)
        return gnd_fail(err, GND_ERR_ARG, "no method here has a setting %.60s; did you mean %s?",
                        setting, near);
    return gnd_fail(err, GND_ERR_ARG, "no method here has a setting %.60s", setting);
}

/* Every method must accept the values of its variants; checked before any data set is loaded. */
static gnd_status variants_check(const gnd_sweep *s, gnd_error *err)
{
    gnd_status st = GND_OK;

    for (int64_t k = 0; k < s->n_variant && st == GND_OK; k++) {
        gnd_config *c = NULL;

        st = gnd_variant_open(&c, s, k, NULL, NULL, err);
        gnd_config_free(c);
    }
    return st;
}

int64_t gnd_sweep_row_n_variant(const gnd_sweep *s, int64_t row)
{
    int64_t n = 0;

    for (int64_t k = 0; s && k < s->n_variant; k++)
        n += s->variant[k].row == row;
    return n;
}

/* Number rows in the order of their first variants. */
static gnd_status rows_name(gnd_sweep *s, gnd_error *err)
{
    s->row_name = gnd_alloc(s->n_row, sizeof *s->row_name);
    if (!s->row_name)
        return no_memory(err);
    for (int64_t k = s->n_variant - 1; k >= 0; k--) {
        const gnd_variant *v = &s->variant[k];

        gnd_free(s->row_name[v->row]);
        s->row_name[v->row] = *v->setting && !s->o.pick ? gnd_text_make("%s %s", v->method, v->name)
                                                        : gnd_strdup(v->method);
        if (!s->row_name[v->row])
            return no_memory(err);
    }
    return GND_OK;
}

gnd_status gnd_variants_make(gnd_sweep *s, gnd_error *err)
{
    gnd_method_info m = {.size = sizeof m};
    gnd_status st = GND_OK;

    for (int64_t i = 0; i < s->o.n_method; i++)
        GND_TRY(method_add(s, s->o.methods[i], err));
    for (int i = 0; s->o.n_method == 0 && gnd_method_get(&m, i); i++)
        GND_TRY(method_add(s, m.name, err));
    if (s->n_variant == 0) {
        char *setting = NULL;
        const char *values;

        GND_TRY(vary_get(&setting, &values, s, err));
        st = vary_unknown(s, setting, err);
        gnd_free(setting);
        goto out;
    }
    GND_TRY(variants_check(s, err));
    GND_TRY(rows_name(s, err));
out:
    return st;
}

void gnd_variants_free(gnd_sweep *s)
{
    for (int64_t k = 0; k < s->n_variant; k++) {
        gnd_free(s->variant[k].method);
        gnd_free(s->variant[k].setting);
        gnd_free(s->variant[k].value);
        gnd_free(s->variant[k].name);
    }
    for (int64_t r = 0; r < s->n_row && s->row_name; r++)
        gnd_free(s->row_name[r]);
    gnd_free(s->variant);
    gnd_free(s->row_name);
    gnd_free(s->left_out);
}

/* Apply one "name=value" of o.set. */
static gnd_status set_apply(gnd_config *c, const char *text, gnd_error *err)
{
    const size_t n = strcspn(text, "=");
    char *name;
    gnd_status st;

    if (n == 0 || !text[n])
        return gnd_fail(err, GND_ERR_ARG, "expected NAME=VALUE, got \"%.60s\"", text);
    name = gnd_strndup(text, n);
    if (!name)
        return no_memory(err);
    st = gnd_config_set(c, name, text + n + 1, err);
    gnd_free(name);
    return st;
}

gnd_status gnd_variant_open(gnd_config **out, const gnd_sweep *s, int64_t k, const char *dataset,
                            const char *rule, gnd_error *err)
{
    const gnd_variant *v = &s->variant[k];
    gnd_config *c = NULL;
    gnd_status st;

    *out = NULL;
    GND_TRY(gnd_config_new(&c, v->method, err));
    if (dataset)
        gnd_config_dataset(c, dataset);
    if (rule)
        GND_TRY(gnd_config_rule(c, rule, err));
    if (s->o.preset)
        GND_TRY(gnd_config_preset(c, s->o.preset, err));
    for (int64_t i = 0; i < s->o.n_set; i++)
        GND_TRY(set_apply(c, s->o.set[i], err));
    if (*v->setting)
        GND_TRY(gnd_config_set(c, v->setting, v->value, err));
    *out = c;
    c = NULL;
out:
    gnd_config_free(c);
    return st;
}
