/* SPDX-License-Identifier: MIT
 * cmd_methods.c - `gnd methods`: list the methods, or the settings of one. */
#include "common.h"

#include <stdlib.h>
#include <string.h>

#include "say.h"

static int run(const cli_args *a);

static const opt_spec opts[] = {
    OPT_HEADING("options"), OPT_JSON, OPT_QUIET, OPT_HELP, OPT_END,
};

const command cmd_methods = {
    .name = "methods",
    .purpose = "list the methods, or the settings of one",
    .operands = "[NAME] [options]",
    .about = "The settings are given to other commands as --set name=value, the presets as "
             "--preset name.",
    .examples = "  gnd methods\n"
                "  gnd methods gnd-slp\n"
                "  gnd methods gnd-ds --json\n",
    .opts = opts,
    .min_operand = 0,
    .max_operand = 1,
    .run = run,
};

static void list_print(bool json)
{
    gnd_table *t = table_new("lll");
    json_t *list = json_array(), *o = json_object();
    gnd_method_info m = {.size = sizeof m};

    gnd_table_row(t, (const char *[]){"name", "method", "paper"});
    for (int i = 0; gnd_method_get(&m, i); i++) {
        json_t *e = json_object();

        gnd_table_row(t, (const char *[]){m.name, m.title, m.paper});
        js_set(e, "name", js_text(m.name));
        js_set(e, "title", js_text(m.title));
        js_set(e, "formula", js_text(m.formula));
        js_set(e, "paper", js_text(m.paper));
        js_append(list, e);
    }
    js_set(o, "methods", list);
    if (json) {
        js_print(stdout, o);
        gnd_table_free(t);
    } else {
        json_decref(o);
        table_print(t, GND_FORMAT_TEXT, 0);
        printf("\n`gnd methods NAME` shows a method's formula and settings.\n");
    }
}

static gnd_method_info info_of(const char *name)
{
    gnd_method_info m = {.size = sizeof m};

    for (int i = 0; gnd_method_get(&m, i) && strcmp(m.name, name) != 0; i++)
        ;
    return m;
}

static void one_json(const gnd_config *c)
{
    const gnd_method_info m = info_of(gnd_config_method(c));
    json_t *o = json_object(), *settings = json_array(), *presets = json_array();
    json_t *datasets = json_array();
    gnd_setting_info s = {.size = sizeof s};
    const char *name, *meaning;

    js_set(o, "name", js_text(m.name));
    js_set(o, "title", js_text(m.title));
    js_set(o, "formula", js_text(m.formula));
    js_set(o, "paper", js_text(m.paper));
    for (int i = 0; (name = gnd_config_preset_name(c, i, &meaning)); i++) {
        json_t *e = json_object();

        js_set(e, "name", js_text(name));
        js_set(e, "meaning", js_text(meaning));
        js_append(presets, e);
    }
    for (int i = 0; (name = gnd_config_dataset_name(c, i, &meaning)); i++) {
        json_t *e = json_object();

        js_set(e, "name", js_text(name));
        js_set(e, "settings", js_text(meaning));
        js_append(datasets, e);
    }
    for (int i = 0; gnd_config_info(&s, c, i); i++) {
        json_t *e = json_object();

        js_set(e, "name", js_text(s.name));
        js_set(e, "type", js_text(s.type));
        js_set(e, "default", js_text(s.fallback));
        js_set(e, "range", js_text(s.range));
        js_set(e, "meaning", js_text(s.meaning));
        js_append(settings, e);
    }
    js_set(o, "presets", presets);
    js_set(o, "datasets", datasets);
    js_set(o, "settings", settings);
    js_print(stdout, o);
}

/* A formula may have several lines. */
static void print_indented(const char *text)
{
    while (text && *text) {
        const int n = (int)strcspn(text, "\n");

        printf("  %.*s\n", n, text);
        text += n + (text[n] == '\n');
    }
}

static int longer(int width, const char *text)
{
    const int n = (int)strlen(text);

    return n > width ? n : width;
}

static void one_text(const gnd_config *c)
{
    const gnd_method_info m = info_of(gnd_config_method(c));
    enum { VALUE_WIDTH = 24, GAPS = 6 }; /* longest default in its column; blanks between columns */
    int w_name = 0, w_value = 0;
    gnd_setting_info s = {.size = sizeof s};
    const char *name, *meaning;

    printf("%s: %s\n%s\n\n", m.name, m.title, m.paper);
    print_indented(m.formula);
    printf("\nsettings (--set name=value), their defaults and ranges:\n");
    for (int i = 0; gnd_config_info(&s, c, i); i++) {
        w_name = longer(w_name, s.name);
        if (strlen(s.fallback) <= VALUE_WIDTH)
            w_value = longer(w_value, s.fallback);
    }
    for (int i = 0; gnd_config_info(&s, c, i); i++) {
        const int at = w_name + w_value + GAPS;
        char *text = need_text("%s: %s", s.range, s.meaning);

        printf("  %-*s  %-*s  ", w_name, s.name, w_value, s.fallback);
        if (strlen(s.fallback) > VALUE_WIDTH) /* the text begins below it */
            printf("\n%*s", at, "");
        gnd_text_wrap(stdout, text, at, at);
        free(text);
    }
    for (int i = 0; (name = gnd_config_preset_name(c, i, &meaning)); i++) {
        if (i == 0)
            printf("\npresets (--preset name):\n");
        const int at = printf("  %s  ", name);

        gnd_text_wrap(stdout, meaning, at, at);
    }
    for (int i = 0; (name = gnd_config_dataset_name(c, i, &meaning)); i++) {
        if (i == 0)
            printf("\nthe authors' settings for a data set of that name, which --set changes:\n");
        const int at = printf("  %-8s  ", name);

        gnd_text_wrap(stdout, meaning, at, at);
    }
}

static int run(const cli_args *a)
{
    gnd_config *c = NULL;
    int rc = 0;

    if (a->operand.n == 0) {
        list_print(a->json);
        return 0;
    }
    rc = config_open(&c, a, a->operand.v[0], NULL, NULL);
    if (!rc && a->json)
        one_json(c);
    else if (!rc)
        one_text(c);
    gnd_config_free(c);
    return rc;
}
