/* SPDX-License-Identifier: MIT
 * variants.c - the rows of a comparison: methods, each with the values of a setting that vary. */
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "sweep.h"

static bool has_setting(const gnd_config *c, const char *name)
{
    gnd_setting_info s = {.size = sizeof s};

    for (int i = 0; gnd_config_info(&s, c, i); i++)
        if (strcmp(s.name, name) == 0)
            return true;
    return false;
}

static void variant_add(sweep *s, const char *method, const char *setting, const char *value,
                        int64_t row)
{
    const size_t n = (size_t)s->n_variant + 1;

    s->variant = need_more(s->variant, n, sizeof *s->variant);
    s->variant_name = need_more(s->variant_name, n, sizeof *s->variant_name);
    s->variant[n - 1] = (sweep_variant){.method = need_text("%s", method),
                                        .setting = need_text("%s", setting),
                                        .value = need_text("%s", value),
                                        .row = row};
    s->variant_name[n - 1] = *setting ? need_text("%s=%s", setting, value) : need_text("%s", "");
    s->n_variant++;
    if (row == s->n_row)
        s->n_row++;
}

/* Rows are numbered by their first variant, so their names can be made at the end. */
static void rows_name(sweep *s)
{
    s->row_method = need((size_t)s->n_row, sizeof *s->row_method);
    s->row_name = need((size_t)s->n_row, sizeof *s->row_name);
    for (int64_t k = s->n_variant - 1; k >= 0; k--) {
        const sweep_variant *v = &s->variant[k];

        s->row_method[v->row] = v->method;
        free(s->row_name[v->row]);
        s->row_name[v->row] = *v->setting && !row_competes(s, v->row) && !s->args->pick
                                  ? need_text("%s %s", v->method, s->variant_name[k])
                                  : need_text("%s", v->method);
    }
}

bool row_competes(const sweep *s, int64_t row)
{
    int64_t n = 0;

    for (int64_t k = 0; k < s->n_variant; k++)
        n += s->variant[k].row == row;
    return n > 1;
}

/* Each of the values, with commas between, as a variant of the method. */
static int values_add(sweep *s, const char *method, const char *setting, const char *values)
{
    char *list = need_text("%s", values), *value = list;
    const int64_t row = s->n_row;
    int rc = 0;

    while (value && !rc) {
        char *next = strchr(value, ',');

        if (next)
            *next++ = '\0';
        if (!*value)
            rc = say_usage("--vary: expected values with commas, got \"%s=%s\"", setting, values);
        else
            variant_add(s, method, setting, value, s->args->pick ? row : s->n_row);
        value = next;
    }
    free(list);
    return rc;
}

static bool is_named(const sweep *s, const char *method)
{
    for (int64_t k = 0; k < s->n_variant; k++)
        if (strcmp(s->variant[k].method, method) == 0)
            return true;
    return false;
}

static void left_out(sweep *s, const char *method)
{
    char *all = s->left_out ? need_text("%s, %s", s->left_out, method) : need_text("%s", method);

    free(s->left_out);
    s->left_out = all;
}

static int method_add(sweep *s, const char *name)
{
    const char *setting = NULL, *values = NULL, *method;
    gnd_config *c = NULL;
    int rc = config_open(&c, s->args, name, NULL, NULL);

    if (rc)
        return rc;
    method = gnd_config_method(c);
    if (is_named(s, method)) {
        /* named twice */
    } else if (s->args->vary.n) {
        char *vary = need_text("%s", s->args->vary.v[0]), *value = strchr(vary, '=');

        *value++ = '\0';
        if (has_setting(c, vary))
            rc = values_add(s, method, vary, value);
        else
            left_out(s, method);
        free(vary);
    } else if (s->args->pick && gnd_config_search(c, &setting, &values)) {
        rc = values_add(s, method, setting, values);
    } else {
        variant_add(s, method, "", "", s->n_row);
    }
    gnd_config_free(c);
    return rc;
}

/* A value that no method takes is better said now than after the first data set is loaded. */
static int variants_check(const sweep *s)
{
    int rc = 0;

    for (int64_t k = 0; k < s->n_variant && !rc; k++) {
        gnd_config *c = NULL;

        rc = variant_open(&c, s, k, NULL, NULL);
        gnd_config_free(c);
    }
    return rc;
}

static int vary_check(const cli_args *a)
{
    if (a->vary.n > 1)
        return say_usage("--vary: one setting at a time; the second was \"%s\"", a->vary.v[1]);
    if (a->vary.n && strncmp(a->vary.v[0], "labels=", 7) == 0)
        return say_usage("--vary: label counts are given by --labels-per-class %s",
                         a->vary.v[0] + 7);
    return 0;
}

/* The setting of a method that has a name near to `setting`, into buf; false if none is. */
static bool setting_near(char *buf, size_t size, const char *setting, const char *method)
{
    enum { MOST = 64 };
    gnd_setting_info info = {.size = sizeof info};
    const char *names[MOST + 1], *near;
    gnd_config *c = NULL;
    int n = 0;

    if (gnd_config_new(&c, method, NULL) == GND_OK)
        for (; n < MOST && gnd_config_info(&info, c, n); n++)
            names[n] = info.name;
    names[n] = NULL;
    near = nearest(setting, names);
    if (near)
        snprintf(buf, size, "%s", near);
    gnd_config_free(c);
    return near != NULL;
}

/* No method has the setting of --vary: which one may be meant? */
static int vary_unknown(const sweep *s, const char *setting)
{
    char *list = need_text("%s", s->left_out), near[64] = "";

    for (char *m = strtok(list, ", "); m && !*near; m = strtok(NULL, ", "))
        setting_near(near, sizeof near, setting, m);
    free(list);
    return say_usage("--vary: no method here has a setting %s; %s%s%s", setting,
                     *near ? "did you mean " : "`gnd methods NAME` lists them", near,
                     *near ? "?" : "");
}

static int vary_end(const sweep *s)
{
    const char *vary = s->args->vary.n ? s->args->vary.v[0] : "";
    char *setting = need_text("%.*s", (int)strcspn(vary, "="), vary);
    int rc = 0;

    if (s->n_variant == 0)
        rc = vary_unknown(s, setting);
    else if (s->left_out)
        say_note(s->args->quiet, "left out, for they have no setting %s: %s", setting, s->left_out);
    free(setting);
    return rc;
}

int variants_make(sweep *s, const char *methods, const char *all)
{
    char *list = need_text("%s", strcmp(methods, "all") == 0 && all ? all : methods), *name = list;
    gnd_method_info m = {.size = sizeof m};
    int rc = vary_check(s->args);

    if (strcmp(list, "all") == 0) {
        for (int i = 0; !rc && gnd_method_get(&m, i); i++)
            rc = method_add(s, m.name);
        name = NULL;
    }
    while (!rc && name) {
        char *next = strchr(name, ',');

        if (next)
            *next++ = '\0';
        rc = *name ? method_add(s, name)
                   : say_usage("--methods: expected names with commas, got \"%s\"", methods);
        name = next;
    }
    free(list);
    if (!rc)
        rc = vary_end(s);
    if (!rc)
        rc = variants_check(s);
    if (!rc)
        rows_name(s);
    return rc;
}

void variants_free(sweep *s)
{
    for (int64_t k = 0; k < s->n_variant; k++) {
        free(s->variant[k].method);
        free(s->variant[k].setting);
        free(s->variant[k].value);
        free(s->variant_name[k]);
    }
    for (int64_t r = 0; r < s->n_row && s->row_name; r++)
        free(s->row_name[r]);
    free(s->left_out);
    free(s->variant);
    free(s->variant_name);
    free(s->row_method);
    free(s->row_name);
}

int variant_open(gnd_config **out, const sweep *s, int64_t k, const char *dataset, const char *rule)
{
    const sweep_variant *v = &s->variant[k];
    cli_args a = *s->args;
    gnd_error err = {0};
    int rc;

    a.rule = rule;
    rc = config_open(out, &a, v->method, dataset, NULL);
    if (!rc && *v->setting && gnd_config_set(*out, v->setting, v->value, &err)) {
        rc = config_failed(&err, v->method);
        gnd_config_free(*out);
        *out = NULL;
    }
    return rc;
}
