/* SPDX-License-Identifier: MIT
 * methods.c - how the settings of a reference file become those of a method. A new method adds its
 * row to the table at the end; all else about a training case is the same for every method
 * (trained.c). */
#include "reference.h"

#include <stdio.h>
#include <string.h>

/* K counts the powers W^1..W^K, or W^0..W^(K-1) as the paper's text has them; for gnd-ds, the
 * products. */
static const hp_rule gnd_nets[] = {
    {"variant", NULL, NULL, false}, /* the method's name says it */
    {"hops", "first_hop", "code=1 paper=0", false},
    {"K", "hops", NULL, false},
    {"r", "filters", NULL, false},
    {"inner", "inner", NULL, false},
    {"drop", "dropout", NULL, true},
    {NULL, NULL, NULL, false},
};

static const hp_rule gnd_ds[] = {
    {"variant", NULL, NULL, false},  {"hops", NULL, NULL, false}, /* no series, so no first term */
    {"K", "hops", NULL, false},      {"r", "filters", NULL, false},
    {"drop", "dropout", NULL, true}, {NULL, NULL, NULL, false},
};

/* Settings that every method has. */
static const hp_rule common[] = {
    {"lr", "lr", NULL, false},
    {"l2", "l2", NULL, false},
    {"lr_every", "lr_every", NULL, false},
    {NULL, NULL, NULL, false},
};

static const method_rules table[] = {
    {.method = "gnd-slp", .hp = gnd_nets},
    {.method = "gnd-mlp", .hp = gnd_nets},
    {.method = "gnd-ds", .hp = gnd_ds},
};

const method_rules *ref_method_rules(const char *method)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].method, method) == 0)
            return &table[i];
    return NULL;
}

static const hp_rule *rule_of(const hp_rule *rules, const char *hp)
{
    for (; rules->hp; rules++)
        if (strcmp(rules->hp, hp) == 0)
            return rules;
    return NULL;
}

/* The value that "word=value word=value" gives a word; false if the word is not there. */
static bool translate(char *out, size_t size, const char *words, const char *word)
{
    const size_t len = strlen(word);

    while (*words) {
        const size_t n = strcspn(words, " ");

        if (n > len && words[len] == '=' && strncmp(words, word, len) == 0) {
            snprintf(out, size, "%.*s", (int)(n - len - 1), words + len + 1);
            return true;
        }
        words += n;
        words += strspn(words, " ");
    }
    return false;
}

/* A text or scalar of the file as text. */
static bool value_text(verdict *r, const char *field, char *out, size_t size)
{
    const char *text = golden_text(r->f, field);
    double x;

    if (text) {
        snprintf(out, size, "%s", text);
        return true;
    }
    if (golden_scalar(r->f, field, &x)) {
        snprintf(out, size, "%.17g", x);
        return true;
    }
    ref_fail(r, "%s: this text or scalar is missing", field);
    return false;
}

static bool set(verdict *r, gnd_config *c, const char *field, const char *setting,
                const char *words)
{
    char value[96], word[96];
    gnd_error err = {0};

    if (!value_text(r, field, word, sizeof word))
        return false;
    if (!words) {
        snprintf(value, sizeof value, "%s", word);
    } else if (!translate(value, sizeof value, words, word)) {
        ref_fail(r, "%s: '%s' means nothing to this build; known: %s", field, word, words);
        return false;
    }
    return ref_ok(r, gnd_config_set(c, setting, value, &err), &err);
}

/* Every hp.* of the file must be understood: one that is not would be tested at some other
 * value. */
static bool set_hp(verdict *r, gnd_config *c, const method_rules *rules, const char *field,
                   bool dropping)
{
    const char *hp = field + strlen("hp.");
    const hp_rule *rule = rule_of(rules->hp, hp);
    gnd_error err = {0};

    if (!rule)
        rule = rule_of(common, hp);
    if (!rule) {
        ref_fail(r, "%s: no setting of %s is known for it", field, rules->method);
        return false;
    }
    if (!rule->setting)
        return true;
    if (rule->dropout && !dropping)
        return ref_ok(r, gnd_config_set(c, rule->setting, "0", &err), &err);
    return set(r, c, field, rule->setting, rule->words);
}

static bool set_run(verdict *r, gnd_config *c)
{
    return set(r, c, "rule", "stop", NULL) && set(r, c, "rule_parameter", "patience", NULL) &&
           set(r, c, "max_epochs", "epochs", NULL) &&
           set(r, c, "validation_loss", "stop_loss", "with_l2=ce_l2 without_l2=ce");
}

gnd_config *ref_config(verdict *r, const method_rules *rules, bool dropping)
{
    gnd_config *c = NULL;
    gnd_error err = {0};
    const char *mode = need_text(r, "mode"), *field;
    bool ok;

    if (!mode || !ref_ok(r, gnd_config_new(&c, rules->method, &err), &err))
        return NULL;
    ok = set(r, c, "optimiser", "optimiser",
             "adam_tf=adam_tf adam_torch=adam_torch gd=sgd adagrad=adagrad");
    for (int64_t i = 0; ok && (field = golden_name(r->f, i)); i++)
        if (strncmp(field, "hp.", 3) == 0)
            ok = set_hp(r, c, rules, field, dropping);
    if (ok && strcmp(mode, "run") == 0)
        ok = set_run(r, c);
    if (!ok) {
        gnd_config_free(c);
        c = NULL;
    }
    return c;
}
