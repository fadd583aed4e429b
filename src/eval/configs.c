/* SPDX-License-Identifier: MIT
 * configs.c - read and write the table of configurations of a folder of exported runs. */
#include "configs.h"

#include <string.h>

#include "base/alloc.h"

enum { COLUMNS = 3 };

static const char *const heading[COLUMNS] = {"config", "method", "settings"};

void gnd_configs_fini(gnd_configs *c)
{
    for (int64_t i = 0; c->name && i < gnd_names_count(c->name); i++) {
        gnd_free(c->method[i]);
        gnd_free(c->settings[i]);
    }
    gnd_free(c->method);
    gnd_free(c->settings);
    gnd_names_free(c->name);
    *c = (gnd_configs){0};
}

/* Make room for another configuration. */
static bool grow(gnd_configs *c)
{
    const int64_t n = c->name ? gnd_names_count(c->name) : 0;
    char **method = gnd_realloc(c->method, n + 1, sizeof *method), **settings;

    if (!method)
        return false;
    c->method = method;
    settings = gnd_realloc(c->settings, n + 1, sizeof *settings);
    if (!settings)
        return false;
    c->settings = settings;
    c->method[n] = c->settings[n] = NULL;
    if (!c->name)
        c->name = gnd_names_new();
    return c->name != NULL;
}

gnd_status gnd_configs_add(gnd_configs *c, const char *method, const char *settings, gnd_error *err)
{
    char name[GND_CONFIG_TEXT];
    int64_t n;

    gnd_key_config(name, method, settings);
    n = c->name ? gnd_names_find(c->name, name, strlen(name)) : -1;
    if (n >= 0 && strcmp(c->method[n], method) == 0 && strcmp(c->settings[n], settings) == 0)
        return GND_OK;
    if (n >= 0) /* the hashes collide */
        return gnd_fail(err, GND_ERR_ARG,
                        "two configurations of %.60s and %.60s have the same name %s; export to "
                        "one file instead of a folder",
                        c->method[n], method, name);
    if (!grow(c))
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a table of settings");
    n = gnd_names_count(c->name);
    c->method[n] = gnd_strdup(method);
    c->settings[n] = gnd_strdup(settings);
    if (!c->method[n] || !c->settings[n] || gnd_names_add(c->name, name, strlen(name)) < 0) {
        gnd_free(c->method[n]);
        gnd_free(c->settings[n]);
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for a table of settings");
    }
    return GND_OK;
}

const char *gnd_configs_settings(const gnd_configs *c, const char *name, const char *method)
{
    const int64_t i = c->name ? gnd_names_find(c->name, name, strlen(name)) : -1;

    return i >= 0 && strcmp(c->method[i], method) == 0 ? c->settings[i] : NULL;
}

/* One line of the file. */
static gnd_status line_read(gnd_configs *c, gnd_text *t, const char *s, size_t len, gnd_error *err)
{
    gnd_csv_field f[COLUMNS] = {{0}};
    char name[GND_CONFIG_TEXT], shown[GND_SHOWN], *method = NULL, *settings = NULL;
    int64_t n;
    gnd_status st;

    GND_TRY(gnd_fields_split(gnd_text_fields(t, s, len, ','), f, COLUMNS, &n, err));
    if (n != COLUMNS)
        GND_TRY(gnd_text_fail(t, err, "the row has %lld fields; expected %d", (long long)n,
                              (int)COLUMNS));
    method = gnd_strndup(f[1].s, f[1].len);
    settings = gnd_strndup(f[2].s, f[2].len);
    if (!method || !settings)
        GND_TRY(gnd_fail(err, GND_ERR_NOMEM, "%s: no memory", t->path));
    if (!gnd_field_equals(f[0], gnd_key_config(name, method, settings)))
        GND_TRY(gnd_text_fail(t, err,
                              "config is '%s'; expected %s, which belongs to this method "
                              "and these settings",
                              gnd_field_show(shown, f[0]), name));
    GND_TRY(gnd_configs_add(c, method, settings, err));
out:
    gnd_free(method);
    gnd_free(settings);
    return st;
}

gnd_status gnd_configs_read(gnd_configs *c, const char *path, gnd_error *err)
{
    gnd_csv_field f[COLUMNS] = {{0}};
    gnd_text t = {0};
    const char *s = "";
    size_t len = 0;
    int64_t n;
    gnd_status st;

    GND_TRY(gnd_text_open_lines(&t, path, 0, err));
    gnd_text_data_line(&t, &s, &len);
    GND_TRY(gnd_fields_split(gnd_text_fields(&t, s, len, ','), f, COLUMNS, &n, err));
    for (int i = 0; i < COLUMNS; i++)
        if (n != COLUMNS || !gnd_field_equals(f[i], heading[i]))
            GND_TRY(gnd_text_fail(&t, err, "expected the header %s,%s,%s", heading[0], heading[1],
                                  heading[2]));
    while (gnd_text_data_line(&t, &s, &len))
        GND_TRY(line_read(c, &t, s, len, err));
out:
    gnd_text_close(&t);
    return st;
}

void gnd_configs_write(const gnd_configs *c, FILE *f)
{
    fprintf(f, "%s,%s,%s\n", heading[0], heading[1], heading[2]);
    for (int64_t i = 0; c->name && i < gnd_names_count(c->name); i++) {
        fprintf(f, "%s,", gnd_names_get(c->name, i));
        gnd_csv_write(f, c->method[i]);
        putc(',', f);
        gnd_csv_write(f, c->settings[i]);
        putc('\n', f);
    }
}
