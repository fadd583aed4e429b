/* SPDX-License-Identifier: MIT
 * config.c - the settings of a method: names, ranges, values, presets. */
#include <string.h>

#include "base/alloc.h"
#include "base/opts.h"
#include "model.h"
#include "renamed.h"

const char gnd_stop_names[] =
#define X(id, name, meaning) "|" name
#include "stop_rules.def"
#undef X
    ;

/* Settings of every method that is trained by gradients; fallback_of takes their defaults from the
 * method's recipe. */
static const gnd_hparam common[GND_HP_COMMON] = {
    [GND_HP_OPTIMISER] =
        GND_HP_CHOICE("optimiser", 0, "adam_tf|adam_torch|sgd|adagrad",
                      "Adam as in TensorFlow or as in PyTorch, gradient descent, AdaGrad; the "
                      "default is the one of the method's authors"),
    [GND_HP_LR] = GND_HP_REAL("lr", 0, 1e-9, 100,
                              "step size (learning rate); reduce it if training diverges"),
    [GND_HP_L2] = GND_HP_REAL(
        "l2", 0, 0, 100,
        "factor of the L2 penalty on the weights; raise it if training accuracy is much "
        "higher than validation accuracy"),
    [GND_HP_EPOCHS] =
        GND_HP_INT("epochs", 0, 1, 1000000, "maximum number of epochs, with a validation set"),
    [GND_HP_EPOCHS_ALONE] =
        GND_HP_INT("epochs_alone", 0, 1, 1000000, "number of epochs, without a validation set"),
    [GND_HP_STOP] = GND_HP_CHOICE(
        "stop", 0, GND_STOP_NAMES,
        "rule that ends training, on the validation set. kipf, kipf_best, dcnn: the loss exceeds "
        "its recent mean; gat, gat_last, ppnp: neither accuracy nor loss improves; mixhop: "
        "accuracy "
        "does not improve; shchur: the loss does not improve; none: train for all epochs"),
    [GND_HP_PATIENCE] = GND_HP_INT(
        "patience", 0, 0, 1000000,
        "epochs without improvement before the stopping rule ends training; kipf and dcnn: "
        "epochs of which the mean loss is taken"),
    [GND_HP_STOP_LOSS] = GND_HP_CHOICE(
        "stop_loss", 0, "ce|ce_l2|objective",
        "validation loss that the stopping rule uses. ce: cross-entropy; ce_l2: cross-entropy "
        "and penalties; objective: the loss that training minimises"),
    [GND_HP_LR_EVERY] = GND_HP_INT(
        "lr_every", 0, 0, 1000000,
        "optimiser=sgd: steps after which lr falls by 1 % of its initial value; 0: lr is "
        "constant"),
    [GND_HP_LR_PLATEAU] =
        GND_HP_INT("lr_plateau", 0, 0, 1000000,
                   "epochs without a lower validation loss after which lr is multiplied by 0.8; 0: "
                   "never"),
    [GND_HP_BATCH] = GND_HP_INT("batch", 0, 0, 1000000, "training vertices per step; 0: all"),
};

static const char *const aliases_none[] = {NULL};

const gnd_method *gnd_method_at(int i)
{
    static const gnd_method *const table[] = {
#define X(id) &gnd_method_##id,
#include "models.def"
#undef X
    };

    return i >= 0 && i < (int)(sizeof table / sizeof table[0]) ? table[i] : NULL;
}

bool gnd_method_get(gnd_method_info *out, int i)
{
    const gnd_method *m = gnd_method_at(i);

    if (!m || gnd_opts_check(out, sizeof *out, "gnd_method_info", NULL) != GND_OK)
        return false;
    gnd_opts_put(out,
                 &(gnd_method_info){
                     .name = m->name, .title = m->title, .formula = m->formula, .paper = m->paper},
                 sizeof *out);
    return true;
}

/* Index in value[] of the i-th setting: methods that are not trained by gradients have no common
 * settings. */
static int place_of(const gnd_config *c, int i)
{
    return c->method->recipe ? i : GND_HP_COMMON + i;
}

/* The i-th setting; NULL beyond the last. */
static const gnd_hparam *hparam_at(const gnd_config *c, int i)
{
    const bool own = !c->method->recipe || i >= GND_HP_COMMON;

    if (i < 0 || i >= c->n)
        return NULL;
    return own ? c->method->hparams + (place_of(c, i) - GND_HP_COMMON) : common + i;
}

/* Length of the first item of "a|b|c". */
static size_t choice_len(const char *s)
{
    const char *bar = strchr(s, '|');

    return bar ? (size_t)(bar - s) : strlen(s);
}

/* Index of the choice that is equal to the len bytes at s; -1: none. */
static int choice_find(const char *choices, const char *s, size_t len)
{
    for (int k = 0; *choices; k++) {
        const size_t n = choice_len(choices);

        if (n == len && memcmp(choices, s, len) == 0)
            return k;
        choices += choices[n] ? n + 1 : n;
    }
    return -1;
}

static const char *choice_at(const char *choices, int k, size_t *len)
{
    for (; k > 0; k--)
        choices += choice_len(choices) + 1;
    *len = choice_len(choices);
    return choices;
}

static double fallback_of(const gnd_config *c, int i)
{
    const gnd_recipe *r = c->method->recipe;

    switch (place_of(c, i)) {
    case GND_HP_OPTIMISER:
        return r->optimiser;
    case GND_HP_LR:
        return r->lr;
    case GND_HP_L2:
        return r->l2;
    case GND_HP_EPOCHS:
        return (double)r->epochs;
    case GND_HP_EPOCHS_ALONE:
        return (double)r->epochs_alone;
    case GND_HP_STOP:
        return choice_find(GND_STOP_NAMES, r->stop, strlen(r->stop));
    case GND_HP_PATIENCE:
        return (double)r->patience;
    case GND_HP_STOP_LOSS:
        return r->stop_loss;
    case GND_HP_LR_EVERY:
        return (double)r->lr_every;
    case GND_HP_LR_PLATEAU:
        return (double)r->lr_plateau;
    case GND_HP_BATCH:
        return (double)r->batch;
    default:
        return hparam_at(c, i)->fallback;
    }
}

static const gnd_method *method_find(const char *name)
{
    for (int i = 0; gnd_method_at(i); i++) {
        const gnd_method *m = gnd_method_at(i);

        if (strcmp(m->name, name) == 0)
            return m;
        for (const char *const *a = m->aliases ? m->aliases : aliases_none; *a; a++)
            if (strcmp(*a, name) == 0)
                return m;
    }
    return NULL;
}

/* For messages on unknown names: all known names, and the most similar one if it is similar enough.
 */
typedef struct {
    const char *asked, *near;
    int32_t best; /* edit distance of `near`; initially the limit */
    char known[400];
} suggestion;

static void suggestion_add(suggestion *s, const char *name)
{
    const size_t n = strlen(s->known);
    const int32_t d = gnd_edit_distance(s->asked, name);

    snprintf(s->known + n, sizeof s->known - n, "%s%s", n ? ", " : "", name);
    if (d < s->best) {
        s->best = d;
        s->near = name;
    }
}

static gnd_status method_unknown(const char *name, gnd_error *err)
{
    suggestion s = {.asked = name, .best = 3};

    for (int i = 0; gnd_method_at(i); i++)
        suggestion_add(&s, gnd_method_at(i)->name);
    if (s.near)
        return gnd_fail(err, GND_ERR_ARG, "unknown method '%.60s'; did you mean '%s'?", name,
                        s.near);
    return gnd_fail(err, GND_ERR_ARG, "unknown method '%.60s'; known are %s", name, s.known);
}

gnd_status gnd_config_new(gnd_config **out, const char *method, gnd_error *err)
{
    const gnd_method *m = method ? method_find(method) : NULL;
    gnd_config *c;

    gnd_error_clear(err);
    *out = NULL;
    if (gnd_require(method, "the name of the method", err) != GND_OK)
        return GND_ERR_ARG;
    if (!m)
        return method_unknown(method, err);
    c = gnd_alloc(1, sizeof *c);
    if (!c)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for settings");
    c->method = m;
    while (m->hparams[c->n].name)
        c->n++;
    if (m->recipe)
        c->n += GND_HP_COMMON;
    for (int i = 0; i < c->n; i++)
        c->value[place_of(c, i)] = fallback_of(c, i);
    *out = c;
    return GND_OK;
}

gnd_status gnd_config_copy(gnd_config **out, const gnd_config *c, gnd_error *err)
{
    gnd_error_clear(err);
    *out = gnd_alloc(1, sizeof **out);
    if (!*out)
        return gnd_fail(err, GND_ERR_NOMEM, "no memory for settings");
    **out = *c;
    return GND_OK;
}

void gnd_config_free(gnd_config *c)
{
    gnd_free(c);
}

const char *gnd_config_method(const gnd_config *c)
{
    return c->method->name;
}

static void range_text(char *buf, size_t size, const gnd_hparam *h)
{
    if (h->choices)
        snprintf(buf, size, "%s%s", h->choices, h->type == GND_HP_TYPE_SET ? ", or none" : "");
    else
        snprintf(buf, size, "%.10g..%.10g", h->min, h->max);
}

/* A set from "X,Z" or "none". */
static bool set_parse(double *out, const char *choices, const char *s)
{
    uint32_t bits = 0;

    if (strcmp(s, "none") == 0) {
        *out = 0;
        return true;
    }
    for (;;) {
        const char *comma = strchr(s, ',');
        const int k = choice_find(choices, s, comma ? (size_t)(comma - s) : strlen(s));

        if (k < 0)
            return false;
        bits |= UINT32_C(1) << k;
        if (!comma)
            break;
        s = comma + 1;
    }
    *out = bits;
    return true;
}

static bool value_parse(double *out, const gnd_hparam *h, const char *s)
{
    int64_t k;

    switch (h->type) {
    case GND_HP_TYPE_INT:
        if (!gnd_parse_int(&k, s, strlen(s)))
            return false;
        *out = (double)k;
        return *out >= h->min && *out <= h->max;
    case GND_HP_TYPE_REAL:
        return gnd_parse_real(out, s, strlen(s)) && *out >= h->min && *out <= h->max;
    case GND_HP_TYPE_CHOICE:
        *out = choice_find(h->choices, s, strlen(s));
        return *out >= 0;
    case GND_HP_TYPE_SET:
        return set_parse(out, h->choices, s);
    default:
        return false;
    }
}

static gnd_status setting_unknown(const gnd_config *c, const char *name, gnd_error *err)
{
    suggestion s = {.asked = name, .best = 4};

    for (int i = 0; i < c->n; i++)
        suggestion_add(&s, hparam_at(c, i)->name);
    if (s.near)
        return gnd_fail(err, GND_ERR_ARG, "%s has no setting '%.60s'; did you mean '%s'?",
                        c->method->name, name, s.near);
    return gnd_fail(err, GND_ERR_ARG, "%s has no setting '%.60s'; it has %s", c->method->name, name,
                    s.known);
}

gnd_status gnd_config_set(gnd_config *c, const char *name, const char *value, gnd_error *err)
{
    char now[GND_RENAMED_VALUE];

    gnd_error_clear(err);
    if (gnd_require(name, "the name of the setting", err) != GND_OK)
        return GND_ERR_ARG;
    if (gnd_require(value, "the value of the setting", err) != GND_OK)
        return GND_ERR_ARG;
    if (gnd_setting_renamed(&name, now, c->method->name, name, value))
        value = now;
    for (int i = 0; i < c->n; i++) {
        const gnd_hparam *h = hparam_at(c, i);
        char range[192];
        double v;

        if (strcmp(h->name, name) != 0)
            continue;
        if (value_parse(&v, h, value)) {
            c->value[place_of(c, i)] = v;
            return GND_OK;
        }
        range_text(range, sizeof range, h);
        return gnd_fail(err, GND_ERR_ARG, "%s=%.60s: expected %s%s", name, value,
                        h->type == GND_HP_TYPE_INT    ? "a whole number in "
                        : h->type == GND_HP_TYPE_REAL ? "a number in "
                        : h->type == GND_HP_TYPE_SET  ? "some of "
                                                      : "one of ",
                        range);
    }
    if (gnd_setting_removed(c->method->name, name))
        return gnd_fail(err, GND_ERR_ARG,
                        "%s: %s has no such setting since version 0.2, which weighs predictors by "
                        "held-out labels; `gnd methods %s` lists its settings",
                        name, c->method->name, c->method->name);
    return setting_unknown(c, name, err);
}

bool gnd_config_in_key(const gnd_config *c, int i)
{
    const gnd_hparam *h = hparam_at(c, i);
    const char *added = c->method->added;

    return !added || choice_find(added, h->name, strlen(h->name)) < 0 ||
           c->value[place_of(c, i)] != fallback_of(c, i);
}

/* Apply "name=value name=value". */
static gnd_status settings_apply(gnd_config *c, const char *s, gnd_error *err)
{
    while (*s) {
        char item[128];
        const size_t n = strcspn(s, " ");
        char *eq;
        gnd_status st;

        snprintf(item, sizeof item, "%.*s", (int)n, s);
        eq = strchr(item, '=');
        if (!eq)
            return gnd_fail(err, GND_ERR_ARG, "the preset item '%s' is not name=value", item);
        *eq = '\0';
        st = gnd_config_set(c, item, eq + 1, err);
        if (st != GND_OK)
            return st;
        s += n + strspn(s + n, " ");
    }
    return GND_OK;
}

gnd_status gnd_config_preset(gnd_config *c, const char *preset, gnd_error *err)
{
    gnd_error_clear(err);
    if (gnd_require(preset, "the name of the preset", err) != GND_OK)
        return GND_ERR_ARG;
    for (const gnd_preset *p = c->method->presets; p && p->name; p++)
        if (strcmp(p->name, preset) == 0)
            return settings_apply(c, p->settings, err);
    if (!c->method->presets)
        return gnd_fail(err, GND_ERR_ARG, "%s has no presets", c->method->name);
    return gnd_fail(err, GND_ERR_ARG, "%s has no preset '%.60s'; it has '%s'", c->method->name,
                    preset, c->method->presets[0].name);
}

bool gnd_config_dataset(gnd_config *c, const char *dataset)
{
    for (const gnd_preset *p = c->method->datasets; dataset && p && p->name; p++)
        if (strcmp(p->name, dataset) == 0)
            return settings_apply(c, p->settings, NULL) == GND_OK;
    return false;
}

const char *gnd_config_dataset_name(const gnd_config *c, int i, const char **settings)
{
    const gnd_preset *p = c->method->datasets;

    for (; p && p->name && i > 0; i--)
        p++;
    if (!p || !p->name || i < 0)
        return NULL;
    *settings = p->settings;
    return p->name;
}

gnd_status gnd_rule_check(const char *rule, gnd_error *err)
{
    static const char known[] = "original|common|published";

    return choice_find(known, rule, strlen(rule)) >= 0
               ? GND_OK
               : gnd_fail(err, GND_ERR_ARG,
                          "unknown rule '%.60s'; known are original, common, published", rule);
}

static bool has_preset(const gnd_config *c, const char *name)
{
    for (const gnd_preset *p = c->method->presets; p && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return true;
    return false;
}

gnd_status gnd_config_rule(gnd_config *c, const char *rule, gnd_error *err)
{
    gnd_error_clear(err);
    if (gnd_require(rule, "the name of the stopping rule", err) != GND_OK)
        return GND_ERR_ARG;
    if (gnd_rule_check(rule, err) != GND_OK)
        return GND_ERR_ARG;
    if (strcmp(rule, "original") == 0)
        return GND_OK;
    if (strcmp(rule, "published") == 0)
        return has_preset(c, rule) ? gnd_config_preset(c, rule, err) : GND_OK;
    if (!c->method->recipe)
        return GND_OK; /* it has no epochs */
    return settings_apply(c, "stop=gat patience=50 stop_loss=ce epochs=1000", err);
}

bool gnd_config_search(const gnd_config *c, const char **setting, const char **values)
{
    *setting = c->method->search_setting;
    *values = c->method->search_values;
    return *setting != NULL;
}

static bool ends_with(const char *s, const char *end)
{
    const size_t n = strlen(s), k = strlen(end);

    return n >= k && strcmp(s + n - k, end) == 0;
}

/* Methods without a setting "operator" symmetrise the graph; those that prepare nothing do not use
 * it. */
const char *gnd_config_direction(const gnd_config *c)
{
    gnd_setting_info info = {.size = sizeof info};
    char value[32];

    for (int i = 0; gnd_config_info(&info, c, i); i++) {
        if (strcmp(info.name, "operator") != 0)
            continue;
        gnd_config_value(c, i, value, sizeof value);
        return ends_with(value, "transposed")    ? "reversed arcs"
               : ends_with(value, "symmetrised") ? "undirected"
                                                 : "directed arcs";
    }
    return c->method->prepare ? "undirected" : "no arcs";
}

const char *gnd_config_preset_name(const gnd_config *c, int i, const char **meaning)
{
    const gnd_preset *p = c->method->presets;

    for (; p && p->name; p++, i--) {
        if (i != 0)
            continue;
        if (meaning)
            *meaning = p->meaning;
        return p->name;
    }
    return NULL;
}

/* The shortest decimal number of at least 6 digits that is read as v. */
static void real_text(char *buf, size_t size, double v)
{
    char text[GND_REAL_TEXT];
    double back;

    for (int digits = 6; digits <= 17; digits++) {
        gnd_real_text(text, v, digits);
        if (gnd_parse_real(&back, text, strlen(text)) && back == v)
            break;
    }
    snprintf(buf, size, "%s", text);
}

static void value_text(char *buf, size_t size, const gnd_hparam *h, double v)
{
    size_t len, used = 0;
    const char *s;

    switch (h->type) {
    case GND_HP_TYPE_CHOICE:
        s = choice_at(h->choices, (int)v, &len);
        snprintf(buf, size, "%.*s", (int)len, s);
        break;
    case GND_HP_TYPE_SET:
        snprintf(buf, size, "none");
        for (int k = 0; k < 32; k++) {
            if (!((uint32_t)v >> k & 1))
                continue;
            s = choice_at(h->choices, k, &len);
            snprintf(buf + used, size - used, "%s%.*s", used ? "," : "", (int)len, s);
            used = strlen(buf);
        }
        break;
    case GND_HP_TYPE_INT:
        snprintf(buf, size, "%lld", (long long)v);
        break;
    default:
        real_text(buf, size, v);
    }
}

bool gnd_config_info(gnd_setting_info *out, const gnd_config *c, int i)
{
    static const char *const type[] = {"", "int", "real", "choice", "set"};
    const gnd_hparam *h = hparam_at(c, i);
    gnd_setting_info all = {0};

    if (!h || gnd_opts_check(out, sizeof all, "gnd_setting_info", NULL) != GND_OK)
        return false;
    all.name = h->name;
    all.type = type[h->type];
    all.meaning = h->meaning;
    value_text(all.fallback, sizeof all.fallback, h, fallback_of(c, i));
    range_text(all.range, sizeof all.range, h);
    gnd_opts_put(out, &all, sizeof all);
    return true;
}

const char *gnd_config_value(const gnd_config *c, int i, char *buf, size_t size)
{
    const gnd_hparam *h = hparam_at(c, i);

    if (!h)
        return NULL;
    value_text(buf, size, h, c->value[place_of(c, i)]);
    return buf;
}

int64_t gnd_hp_int(const gnd_model *m, int i)
{
    return (int64_t)m->config.value[GND_HP_COMMON + i];
}

double gnd_hp_real(const gnd_model *m, int i)
{
    return m->config.value[GND_HP_COMMON + i];
}

int gnd_hp_choice(const gnd_model *m, int i)
{
    return (int)m->config.value[GND_HP_COMMON + i];
}

bool gnd_hp_has(const gnd_model *m, int i, int bit)
{
    return (uint32_t)m->config.value[GND_HP_COMMON + i] >> bit & 1;
}
