/* SPDX-License-Identifier: MIT
 * prior.c - `--prior CLASS=SHARE,...`: known shares of the classes. Class names may contain '='
 * and ',', so the text is parsed by comparing with the names of the graph's classes. */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

/* The class whose name is at s, followed by a share, the longest of several; *end: end of the
 * share. -1: none. */
static int32_t item_get(double *share, const char **end, const char *s, const gnd_graph *g)
{
    size_t longest = 0;
    int32_t found = -1;

    for (int32_t c = 0; c < gnd_graph_n_class(g); c++) {
        const char *name = gnd_graph_class_name(g, c);
        const size_t len = strlen(name);
        char *stop = NULL;
        double v;

        if (len < longest || strncmp(s, name, len) != 0 || s[len] != '=')
            continue;
        v = strtod(s + len + 1, &stop);
        if (stop == s + len + 1 || (*stop && *stop != ','))
            continue;
        longest = len;
        found = c;
        *share = v;
        *end = stop;
    }
    return found;
}

static int share_failed(const char *name, const char *share)
{
    return say_usage("--prior: the share of class '%s' is %s; expected more than 0 and at most 1",
                     name, share);
}

/* Print the error in the item at s, which is not a class and a share. */
static int item_failed(const char *s, const gnd_graph *g, const char *labels)
{
    const int32_t n = gnd_graph_n_class(g);
    char *item = need_text("%.*s", (int)strcspn(s, ","), s), *is = strrchr(item, '=');
    const char **names = need((size_t)n + 1, sizeof *names), *near;
    bool is_class = false;
    int rc;

    for (int32_t c = 0; c < n; c++)
        names[c] = gnd_graph_class_name(g, c);
    if (is)
        *is++ = '\0';
    for (int32_t c = 0; c < n && is; c++)
        is_class = is_class || strcmp(names[c], item) == 0;
    near = nearest(item, names);
    if (!is || is == item + 1)
        rc = say_usage(
            "--prior: \"%.*s\" is not CLASS=SHARE; expected a list such as spam=0.1,ham=0.9",
            (int)strcspn(s, ","), s);
    else if (is_class)
        rc = share_failed(item, *is ? is : "not given");
    else
        rc = say_usage("--prior: no label of %s is '%s'%s%s%s", labels, item,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    free(item);
    free(names);
    return rc;
}

static int shares_read(double *share, const char *text, const gnd_graph *g, const char *labels)
{
    const char *s = text, *end = text;

    do {
        double v = 0;
        int32_t c;

        s += strspn(s, " ");
        c = item_get(&v, &end, s, g);
        if (c < 0)
            return item_failed(s, g, labels);
        if (!(v > 0 && v <= 1)) {
            char shown[32];

            snprintf(shown, sizeof shown, "%g", v);
            return share_failed(gnd_graph_class_name(g, c), shown);
        }
        if (share[c] > 0)
            return say_usage("--prior names class '%s' twice", gnd_graph_class_name(g, c));
        share[c] = v;
        s = end + 1;
    } while (*end == ',');
    return 0;
}

int prior_get(double **out, const cli_args *a, const gnd_graph *g)
{
    const int32_t n = gnd_graph_n_class(g);
    double *share, sum = 0;
    int rc;

    *out = NULL;
    if (!a->prior)
        return 0;
    share = need((size_t)n + 1, sizeof *share);
    rc = shares_read(share, a->prior, g, a->labels ? a->labels : gnd_graph_name(g));
    for (int32_t c = 0; c < n && !rc; c++) {
        sum += share[c];
        if (share[c] == 0)
            rc = say_usage("--prior does not name class '%s'", gnd_graph_class_name(g, c));
    }
    /* Shares are typed with few digits. */
    if (!rc && !(sum > 0.98 && sum < 1.02))
        rc = say_usage("--prior: the shares sum to %g; expected 1", sum);
    for (int32_t c = 0; c < n && !rc; c++)
        share[c] /= sum;
    if (rc)
        free(share);
    else
        *out = share;
    return rc;
}
