/* SPDX-License-Identifier: MIT
 * basics.c - kinds without a model: shuffles, splits, stopping rules, optimisers. */
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mt19937.h"
#include "graph/split.h"
#include "l2_gradient.h"
#include "train/plateau.h"
#include "train/stop.h"

/* ---- shuffles ---- */

static void one_shuffle(verdict *r, int64_t n, int64_t seed)
{
    char name[96];
    gnd_mt19937 mt;
    int32_t *perm;

    snprintf(name, sizeof name, "perm_%" PRId64 "_%" PRId64, n, seed);
    if (n < 0)
        ref_fail(r, "cases: %" PRId64 " is no length", n);
    if (n < 0 || !need_int(r, name, 1, n)) /* n is now the length of something in memory */
        return;
    perm = room(n, sizeof *perm);
    for (int32_t i = 0; i < n; i++)
        perm[i] = i;
    gnd_mt19937_seed(&mt, (uint32_t)seed);
    gnd_mt19937_shuffle(&mt, perm, n);
    check_list(r, name, perm, n);
    free(perm);
}

void ref_shuffles(verdict *r)
{
    int64_t n_case = 0, two = 0, n_first = 0, one = 0;
    const int64_t *cases = golden_int(r->f, "cases", &n_case, &two);
    const int64_t *first = golden_int(r->f, "mt_5489_first", &one, &n_first);
    gnd_mt19937 mt;

    if (!need_int(r, "cases", -1, 2) || !need_int(r, "mt_5489_first", 1, -1))
        return;
    for (int64_t i = 0; i < n_case; i++)
        one_shuffle(r, cases[2 * i], cases[2 * i + 1]);
    gnd_mt19937_seed(&mt, 5489);
    r->n_field++;
    for (int64_t i = 0; i < n_first; i++) {
        const int64_t got = gnd_mt19937_next(&mt); /* above INT32_MAX too, so not check_list */

        if (got != first[i]) {
            ref_fail(r, "mt_5489_first: expected %" PRId64 " got %" PRId64 " at entry %" PRId64,
                     first[i], got, i);
            return;
        }
    }
}

/* ---- splits ---- */

void ref_split(verdict *r)
{
    int64_t n, n_class, q, n_val, seed, n_label = 0, next = 0;
    int32_t *label;
    gnd_split *s = NULL;
    gnd_error err = {0};

    if (!need_whole(r, "n", &n, 1000000) || !need_whole(r, "C", &n_class, 1000) ||
        !need_whole(r, "q", &q, 1000000) || !need_whole(r, "nval", &n_val, 1000000) ||
        !need_whole(r, "seed", &seed, UINT32_MAX) || !need_int(r, "labels", 1, n))
        return;
    label = need_list(r, "labels", &n_label, -1, n_class - 1);
    if (!label)
        return;
    for (int clean = 0; clean <= 1; clean++) {
        if (!ref_ok(r,
                    gnd_split_shuffled(&s, &next, &(gnd_split_labels){label, n, (int32_t)n_class},
                                       &(gnd_split_opts){.size = sizeof(gnd_split_opts),
                                                         .per_class = (int32_t)q,
                                                         .n_val = n_val,
                                                         .seed = (uint32_t)seed,
                                                         .score_unlabelled = !clean},
                                       &err),
                    &err))
            break;
        check_whole(r, "next", next);
        check_list(r, "train", s->train, s->n_train);
        check_list(r, clean ? "val_clean" : "val", s->val, s->n_val);
        check_list(r, clean ? "test_clean" : "test", s->test, s->n_test);
        gnd_split_free(s);
        s = NULL;
    }
    free(label);
}

/* ---- stopping rules ---- */

/* Position of a word in "a|b|c", -1 if it is not there. */
static int word_at(const char *list, const char *word, size_t len)
{
    for (int i = 0;; i++) {
        const size_t n = strcspn(list, "|");

        if (n == len && strncmp(list, word, n) == 0)
            return i;
        if (!list[n])
            return -1;
        list += n + 1;
    }
}

/* What a rule does on a sequence: (stopped, last epoch run, epoch whose weights are used). */
static void one_rule(verdict *r, const char *sequence, const char *rule, size_t len, int64_t par,
                     const double *loss, const double *acc, int64_t n)
{
    char name[192];
    const int kind = word_at(GND_STOP_NAMES, rule, len);
    int32_t got[3] = {0, 0, 0};
    gnd_stop stop = {0};
    gnd_error err = {0};

    if (kind < 0) {
        ref_fail(r, "rules: '%.*s' is not one of %s", (int)len, rule, GND_STOP_NAMES);
        return;
    }
    if (!ref_ok(r, gnd_stop_init(&stop, (gnd_stop_rule)kind, par, &err), &err))
        return;
    for (int32_t e = 0; e < n && !got[0]; e++) {
        const gnd_stop_decision v = gnd_stop_update(&stop, e, loss[e], acc[e]);

        got[0] = v.stop;
        got[1] = e;
        if (v.save)
            got[2] = e;
    }
    if (gnd_stop_uses_last((gnd_stop_rule)kind))
        got[2] = got[1];
    gnd_stop_fini(&stop);
    snprintf(name, sizeof name, "%s.%.*s.%" PRId64, sequence, (int)len, rule, par);
    check_list(r, name, got, 3);
}

static void one_sequence(verdict *r, const char *sequence, const char *rules)
{
    char buf[96];
    int64_t one = 0, n = 0;
    const double *loss = golden_real(r->f, dotted(buf, sequence, "loss"), &one, &n), *acc;

    loss = need_real(r, buf, 1, -1);
    acc = need_real(r, dotted(buf, sequence, "acc"), 1, n);
    if (!loss || !acc)
        return;
    for (const char *p = rules; *p;) {
        const size_t word = strcspn(p, " "), len = strcspn(p, ": ");

        if (len < word)
            one_rule(r, sequence, p, len, strtoll(p + len + 1, NULL, 10), loss, acc, n);
        else
            ref_fail(r, "rules: '%.*s' has no parameter", (int)word, p);
        p += word;
        p += strspn(p, " ");
    }
}

/* S.plateau.N: the epochs after which the step size of Geom-GCN, .05 at first, is cut. */
static void plateaus(verdict *r, const char *sequence)
{
    static const int64_t patience[] = {5, 50};
    char name[96];
    int64_t one = 0, n = 0;
    const double *loss = golden_real(r->f, dotted(name, sequence, "loss"), &one, &n);

    for (int k = 0; loss && k < 2; k++) {
        gnd_plateau p = {.patience = patience[k]};
        int32_t *cut = room(n + 1, sizeof *cut);
        int64_t n_cut = 0;
        double lr = 0.05;

        for (int64_t e = 0; e < n; e++) {
            const double now = gnd_plateau_update(&p, lr, loss[e]);

            if (now != lr)
                cut[n_cut++] = (int32_t)e;
            lr = now;
        }
        snprintf(name, sizeof name, "%s.plateau.%" PRId64, sequence, patience[k]);
        check_list(r, name, cut, n_cut);
        free(cut);
    }
}

void ref_stopping(verdict *r)
{
    const char *sequences = need_text(r, "sequences"), *rules = need_text(r, "rules");

    if (!sequences || !rules)
        return;
    for (const char *p = sequences; *p;) {
        char name[64];
        const size_t len = strcspn(p, " ");

        snprintf(name, sizeof name, "%.*s", (int)len, p);
        one_sequence(r, name, rules);
        plateaus(r, name);
        p += len;
        p += strspn(p, " ");
    }
}

/* ---- optimisers ---- */

static const struct {
    const char *name;
    gnd_opt_kind kind;
    bool decay; /* the L2 gradient is added to the one given */
} optimisers[] = {
    {"adam_tf", GND_OPT_ADAM_TF, false},         {"adam_torch", GND_OPT_ADAM_TORCH, false},
    {"adam_torch_wd", GND_OPT_ADAM_TORCH, true}, {"gd", GND_OPT_SGD, false},
    {"adagrad", GND_OPT_ADAGRAD, false},
};

/* One parameter [1, n] of the file's start values, covered by the L2 term. */
static bool start_values(verdict *r, gnd_params *ps, const double *theta, int64_t n)
{
    gnd_error err = {0};

    if (!ref_ok(r, gnd_param_add(ps, "theta", 1, n, GND_INIT_ZERO | GND_DECAY, &err), &err) ||
        !ref_ok(r, gnd_params_alloc(ps, &err), &err))
        return false;
    for (int64_t i = 0; i < n; i++)
        ps->v[i] = (gnd_real)theta[i];
    return true;
}

static void one_optimiser(verdict *r, int which, const double *theta0, const double *grad,
                          int64_t n_step, int64_t n)
{
    char buf[96];
    double lr, decay = 0, *path = room(n_step * n, sizeof *path);
    gnd_params ps = {0};
    gnd_optim o = {0};
    gnd_error err = {0};

    if (need_scalar(r, dotted(buf, optimisers[which].name, "lr"), &lr) &&
        (!optimisers[which].decay || need_scalar(r, "weight_decay", &decay)) &&
        start_values(r, &ps, theta0, n) &&
        ref_ok(r, gnd_optim_init(&o, optimisers[which].kind, lr, n, &err), &err)) {
        if (optimisers[which].kind == GND_OPT_SGD)
            need_whole(r, "gd.lr_every", &o.lr_every, INT32_MAX);
        for (int64_t s = 0; s < n_step; s++) {
            for (int64_t i = 0; i < n; i++)
                ps.g[i] = (gnd_real)grad[s * n + i];
            gnd_optim_step(&o, &ps, gnd_l2_factor(GND_L2_HALF, decay));
            for (int64_t i = 0; i < n; i++)
                path[s * n + i] = (double)ps.v[i];
        }
        check_double(r, dotted(buf, optimisers[which].name, "theta"), path, n_step, n);
    }
    gnd_optim_fini(&o);
    gnd_params_fini(&ps);
    free(path);
}

static void l2_forms(verdict *r, const double *theta0, int64_t n)
{
    static const struct {
        gnd_l2 how;
        const char *value, *gradient;
    } forms[] = {{GND_L2_HALF, "l2.tf_value", "l2.tf_gradient"},
                 {GND_L2_FULL, "l2.keras_value", "l2.keras_gradient"}};
    double c;
    gnd_params ps = {0};

    if (need_scalar(r, "l2.c", &c) && start_values(r, &ps, theta0, n))
        for (int i = 0; i < 2; i++) {
            memset(ps.g, 0, (size_t)n * sizeof *ps.g);
            l2_gradient_add(&ps, forms[i].how, c);
            check_scalar(r, forms[i].value, gnd_l2_value(&ps, forms[i].how, c));
            check_real(r, forms[i].gradient, ps.g, 1, n);
        }
    gnd_params_fini(&ps);
}

void ref_optimisers(verdict *r)
{
    int64_t n_step = 0, n = 0;
    const double *grad = golden_real(r->f, "gradients", &n_step, &n), *theta0;

    grad = need_real(r, "gradients", -1, -1);
    theta0 = need_real(r, "theta0", 1, n);
    if (!grad || !theta0)
        return;
    for (int i = 0; i < (int)(sizeof optimisers / sizeof optimisers[0]); i++)
        one_optimiser(r, i, theta0, grad, n_step, n);
    l2_forms(r, theta0, n);
}
