/* SPDX-License-Identifier: MIT
 * test_diagnose.c - notes on labellings made to deserve them, and on those just short of it. */
#include "label/diagnose.h"

#include <inttypes.h>

#include "base/rng.h"
#include "check.h"

enum { C = 3, R = 3, PER = 5, LABELS = PER * C, MANY = 90, N = 300 + LABELS };

/* Point i is on axis i % C and gets that class. The first LABELS are labelled and are not compared,
 * so that 300 are. All labels were held out and predicted right; self-training decides. */
typedef struct {
    gnd_real prob[N * C], z[N * R], held_prob[MANY * C];
    unsigned char excluded[N];
    int32_t point[MANY], cls[MANY];
    bool held_out[MANY];
    gnd_prepared g;
    gnd_labelled labelled;
    gnd_mixture m;
    gnd_diagnose_input what;
} trial;

static void say(gnd_real *prob, int64_t i, int64_t cls)
{
    for (int64_t c = 0; c < C; c++)
        prob[i * C + c] = c == cls ? 0.5f : 0.25f;
}

static void trial_init(trial *t)
{
    *t = (trial){.g = {.n = N}, .labelled = {.n = LABELS, .n_class = C}};
    for (int64_t i = 0; i < N; i++) {
        say(t->prob, i, i % C);
        t->z[i * R + i % C] = 1;
        t->excluded[i] = i < LABELS;
    }
    for (int32_t k = 0; k < MANY; k++) {
        t->point[k] = k;
        t->cls[k] = k % C;
        t->held_out[k] = true;
        say(t->held_prob, k, k % C);
    }
    t->g.z.diffused = (gnd_points){.n = N, .r = R, .z = t->z};
    t->labelled.point = t->point;
    t->labelled.cls = t->cls;
    t->m = (gnd_mixture){.used = (1u << GND_PREDICTORS) - 1,
                         .weight = {[GND_PREDICT_SELF_TRAINING] = 1},
                         .held_out = t->held_out,
                         .held_prob = t->held_prob,
                         .n_held_out = LABELS};
    t->what = (gnd_diagnose_input){.prob = t->prob,
                                   .excluded = t->excluded,
                                   .prepared = &t->g,
                                   .labelled = &t->labelled,
                                   .mixture = &t->m};
}

static gnd_notes diagnosed(const trial *t)
{
    static const gnd_graph g = {.n_node = N};
    gnd_diagnose_input what = t->what;
    gnd_names *names = gnd_names_new();
    gnd_notes notes = {0};
    gnd_error err;

    CHECK_OK(gnd_chance_test(&what.chance, &t->m, &t->labelled, &err));
    for (int64_t c = 0; c < C; c++)
        assert_int_equal(gnd_names_add(names, &"abc"[c], 1), c);
    CHECK_OK(gnd_diagnose(&(gnd_diagnosis){&notes, &g, names}, &what, &err));
    gnd_names_free(names);
    return notes;
}

static void check_silent(const trial *t)
{
    gnd_notes notes = diagnosed(t);

    if (notes.n > 0)
        fail_msg("there is a note: %s", notes.list[0].text);
    gnd_notes_fini(&notes);
}

/* The one note there is, and what its text holds. */
static void check_only(const trial *t, gnd_severity severity, const char *code, const char *text)
{
    gnd_notes notes = diagnosed(t);

    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.list[0].code, code);
    assert_int_equal(notes.list[0].severity, severity);
    if (!strstr(notes.list[0].text, text))
        fail_msg("'%s' lacks '%s'", notes.list[0].text, text);
    gnd_notes_fini(&notes);
}

static void nothing_to_say(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    check_silent(&t);
}

/* ---- held-out labels ---- */

static gnd_chance chance_of(const trial *t)
{
    gnd_chance c;
    gnd_error err;

    CHECK_OK(gnd_chance_test(&c, &t->m, &t->labelled, &err));
    return c;
}

/* The mean and the variance of the sum of the labels' probabilities over all orders of three
 * labels, each the only one of its class, and the same from the rule. */
static void chance_is_that_of_shuffled_labels(void **state)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const gnd_real prob[] = {0.7f, 0.2f, 0.1f, 0.3f, 0.5f, 0.2f, 0.1f, 0.6f, 0.3f};
    double sum[6], mean = 0, variance = 0;
    trial t;

    (void)state;
    trial_init(&t);
    t.labelled.n = t.m.n_held_out = C;
    memcpy(t.held_prob, prob, sizeof prob);
    for (int o = 0; o < 6; o++) {
        sum[o] = 0;
        for (int i = 0; i < C; i++)
            sum[o] += (double)prob[i * C + order[o][i]];
        mean += sum[o] / 6;
    }
    for (int o = 0; o < 6; o++)
        variance += (sum[o] - mean) * (sum[o] - mean) / 6;
    CHECK_CLOSE(chance_of(&t).errors, (sum[0] - mean) / sqrt(2 * variance), 1e-6);
    CHECK_CLOSE(chance_of(&t).most, sqrt(2 * 2 / 2.0), 1e-12);
}

/* If all predictions are right and equally certain, no labels could show more: for any certainty.
 */
static void chance_of_perfect_predictions(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    CHECK_CLOSE(chance_of(&t).most, sqrt(2 * 14 / 2.0), 1e-12);
    CHECK_CLOSE(chance_of(&t).errors, chance_of(&t).most, 1e-6);
    for (int64_t e = 0; e < LABELS * C; e++)
        t.held_prob[e] = e % C == e / C % C ? 0.98f : 0.01f;
    CHECK_CLOSE(chance_of(&t).errors, chance_of(&t).most, 1e-6);
}

/* Of 15 labels of 3 classes, 10 right are 1.645 standard errors above shuffled ones and 9 are not.
 * One class for all is chance, whatever it hits. */
static void at_chance(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t k = 0; k < 5; k++)
        say(t.held_prob, k, (k + 1) % C);
    assert_int_equal(gnd_held_out_hits(&t.m, &t.labelled), 10);
    assert_true(chance_of(&t).errors > CHANCE_ERRORS);
    check_silent(&t);
    say(t.held_prob, 5, (5 + 1) % C);
    CHECK_CLOSE(chance_of(&t).errors, sqrt(14) * (9 - 5) / 10, 1e-6);
    check_only(&t, GND_WARNING, "held_out_at_chance", "9 of 15 held-out labels were predicted");
    for (int64_t k = 0; k < LABELS; k++)
        say(t.held_prob, k, 1);
    CHECK_CLOSE(chance_of(&t).errors, 0, 1e-12);
    check_only(&t, GND_WARNING, "held_out_at_chance", "5 of 15");
}

/* Predictions that are not above chance get a warning only where kappa 0.5 would be above it: from
 * 12 labels of 3 classes on. Four labels that are all right are. */
static void not_checked(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    t.labelled.n = t.m.n_held_out = 4;
    assert_true(chance_of(&t).errors > CHANCE_ERRORS);
    check_silent(&t);
    for (int64_t k = 0; k < LABELS; k++)
        say(t.held_prob, k, 1);
    t.labelled.n = t.m.n_held_out = 12;
    check_only(&t, GND_WARNING, "held_out_at_chance", "4 of 12");
    t.labelled.n = t.m.n_held_out = 11;
    check_only(&t, GND_NOTE, "not_checked", "too few labels to tell these predictions from chance");
    for (int64_t n = 0; n < 2; n++) {
        for (int64_t k = n; k < 11; k++)
            t.held_out[k] = false;
        t.m.n_held_out = n;
        check_only(&t, GND_NOTE, "not_checked", "too few labels");
    }
}

/* ---- suspect labels ---- */

/* Label k is right with odds k + 2 or, if it is among those contradicted, wrong with these odds;
 * the last of n labels is thus the most certain. contradicted: [n]. */
static void predict(trial *t, int64_t n, const bool *contradicted)
{
    for (int64_t k = 0; k < n; k++) {
        gnd_real *row = t->held_prob + k * C;
        const double sum = (double)k + 3.5;

        row[(k + contradicted[k]) % C] = (gnd_real)((double)(k + 2) / sum);
        row[(k + !contradicted[k]) % C] = (gnd_real)(1 / sum);
        row[(k + 2) % C] = (gnd_real)(0.5 / sum);
    }
    t->labelled.n = t->m.n_held_out = n;
}

/* Warnings of suspect labels, those that are not named included. */
static int64_t suspects(const trial *t)
{
    gnd_notes notes = diagnosed(t);
    int64_t count = 0, more = 0;

    for (int64_t k = 0; k < notes.n; k++) {
        count += strcmp(notes.list[k].code, "suspect_label") == 0;
        if (strcmp(notes.list[k].code, "more_suspect_labels") == 0)
            assert_int_equal(sscanf(notes.list[k].text, "and %" SCNd64 " more labels", &more), 1);
    }
    gnd_notes_fini(&notes);
    return count + more;
}

/* Of 15 labels, those at these positions are contradicted (1: the most certain prediction of all;
 * 0: none). A label is suspect if position * contradicted <= 0.2 * 15 * suspects. */
static void suspect_by_position(void **state)
{
    static const struct {
        int64_t at[3], suspects;
    } cases[] = {
        {{1}, 1},       {{3}, 1},       {{4}, 0},        {{15}, 0},       {{1, 2}, 2},
        {{1, 3}, 2},    {{1, 4}, 1},    {{2, 3}, 2},     {{2, 4}, 0},     {{1, 15}, 1},
        {{1, 2, 3}, 3}, {{1, 2, 4}, 2}, {{1, 3, 15}, 1}, {{2, 3, 15}, 0},
    };

    (void)state;
    for (int64_t e = 0; e < LENGTH(cases); e++) {
        bool contradicted[LABELS] = {0};
        trial t;

        trial_init(&t);
        for (int64_t k = 0; k < 3; k++)
            if (cases[e].at[k] > 0)
                contradicted[LABELS - cases[e].at[k]] = true;
        predict(&t, LABELS, contradicted);
        if (suspects(&t) != cases[e].suspects)
            fail_msg("case %d has %d suspects", (int)e, (int)suspects(&t));
        for (int64_t q = 0; q < LABELS * C; q++) /* other temperatures, the same labels */
            t.held_prob[q] = (gnd_real)pow((double)t.held_prob[q], 0.3);
        assert_int_equal(suspects(&t), cases[e].suspects);
    }
}

static void suspect_label_is_named(void **state)
{
    bool contradicted[LABELS] = {[13] = true};
    trial t;

    (void)state;
    trial_init(&t);
    predict(&t, LABELS, contradicted);
    check_only(&t, GND_WARNING, "suspect_label",
               "vertex 13 is labelled 'b', but the other labels predict 'c'; check this label");
    for (int64_t k = 0; k < LABELS; k++) /* equally certain: those that are right count first */
        say(t.held_prob, k, k == 13 ? 2 : k % C);
    check_silent(&t);
    predict(&t, LABELS, contradicted);
    t.held_out[13] = false;
    t.m.n_held_out--;
    check_silent(&t);
}

/* The ten most certain are named, most certain first, and the others counted. */
static void suspects_fill_a_page_at_most(void **state)
{
    bool contradicted[MANY] = {0};
    trial t;
    gnd_notes notes;

    (void)state;
    trial_init(&t);
    for (int64_t k = MANY - 13; k < MANY; k++)
        contradicted[k] = true;
    predict(&t, MANY, contradicted);
    notes = diagnosed(&t);
    assert_int_equal(notes.n, 11);
    assert_non_null(strstr(notes.list[0].text, "vertex 89 is labelled"));
    assert_non_null(strstr(notes.list[9].text, "vertex 80 is labelled"));
    assert_string_equal(notes.list[10].code, "more_suspect_labels");
    assert_int_equal(notes.list[10].severity, GND_WARNING);
    assert_non_null(strstr(notes.list[10].text, "and 3 more labels look wrong"));
    gnd_notes_fini(&notes);
}

/* Correct labels that are contradicted at random, whatever their certainty: one labelling in five
 * at most has a suspect label, for any number of labels and any share of contradictions. Where
 * contradictions are less certain than other predictions, fewer than half as many have. */
static void correct_labels_are_rarely_suspect(void **state)
{
    enum { RUNS = 1000 };
    static const double share[] = {0.02, 0.1, 0.3, 0.7};
    static const int64_t labels[] = {15, 40, 90};
    int64_t usual = 0, uncertain = 0;
    uint64_t draws = 0;
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t e = 0; e < LENGTH(share) * LENGTH(labels); e++) {
        const int64_t n = labels[e / LENGTH(share)];
        int64_t warned[2] = {0};

        for (int64_t run = 0; run < 2 * RUNS; run++) {
            bool contradicted[MANY];

            for (int64_t k = 0; k < n; k++) { /* large k are certain */
                const double of_share = run % 2 ? 2 * (1 - (double)k / (double)n) : 1;

                contradicted[k] =
                    gnd_rng_uniform(1, 0, draws++) < of_share * share[e % LENGTH(share)];
            }
            predict(&t, n, contradicted);
            warned[run % 2] += suspects(&t) > 0;
        }
        if (warned[0] > 240) /* 200 and three standard errors */
            fail_msg("%d of %d labellings have a suspect label", (int)warned[0], (int)RUNS);
        usual += warned[0];
        uncertain += warned[1];
    }
    assert_true(usual > LENGTH(share) * LENGTH(labels) * RUNS / 20); /* but it is not silent */
    assert_true(uncertain < usual / 2);
}

/* ---- what decides ---- */

static void set_weights(trial *t, gnd_predictor a, double weight, gnd_predictor b)
{
    memset(t->m.weight, 0, sizeof t->m.weight);
    t->m.weight[a] += weight / 2;
    t->m.weight[b] += weight / 2;
    t->m.weight[GND_PREDICT_SELF_TRAINING] = 1 - weight;
}

static void deciding_predictors(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    set_weights(&t, GND_PREDICT_FEATURES, 0.63, GND_PREDICT_FEATURE_GROUPS);
    check_only(&t, GND_NOTE, "links_uninformative", "so features decide (63 % of the weight)");
    set_weights(&t, GND_PREDICT_PAGERANK, 0.72, GND_PREDICT_ROLES);
    check_only(&t, GND_NOTE, "features_uninformative", "so links decide (72 % of the weight)");
    set_weights(&t, GND_PREDICT_LINK_GROUPS, 0.6, GND_PREDICT_LINKS);
    check_only(&t, GND_NOTE, "features_uninformative", "60 %");
    set_weights(&t, GND_PREDICT_FEATURES, 0.9, GND_PREDICT_BLOCKS); /* neither has most */
    check_silent(&t);
    set_weights(&t, GND_PREDICT_PAGERANK, 0.9, GND_PREDICT_BLOCKS);
    t.m.used &= ~(1u << GND_PREDICT_FEATURES); /* there are no features to be uninformative */
    check_silent(&t);
}

/* ---- classes ---- */

static void class_without_label(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t k = 1; k < LABELS; k += C) {
        t.cls[k] = 2;
        say(t.held_prob, k, 2);
    }
    check_only(&t, GND_WARNING, "class_without_label", "class 'b' has no known label");
    for (int64_t i = 1; i < N; i += C) /* as a mixture has it: no vertex gets the class */
        say(t.prob, i, 2);
    check_only(&t, GND_WARNING, "class_without_label", "class 'b' has no known label");
}

/* Below a fiftieth of the mean class, 300 / 3: one vertex is too few, two are not. Labels do not
 * support themselves. */
static void class_without_support(void **state)
{
    trial t;

    (void)state;
    for (int64_t got = 0; got < 3; got++) {
        trial_init(&t);
        for (int64_t i = LABELS + 2 + C * got; i < N; i += C)
            say(t.prob, i, 0);
        if (got < 2)
            check_only(&t, GND_WARNING, "class_without_support",
                       got ? "class 'c' has little support: besides its labels, 1 vertex gets it"
                           : "class 'c' has little support: besides its labels, no vertex gets it");
        else
            check_silent(&t);
    }
}

/* All at once, each once and in this order; and none where none are wanted. */
static void all_at_once(void **state)
{
    static const char *const code[] = {"suspect_label", "class_without_label",
                                       "class_without_support"};
    trial t;
    gnd_notes notes;
    gnd_error err;

    (void)state;
    trial_init(&t);
    for (int64_t k = 0; k < LABELS; k += C) { /* no label of 0, and no vertices of 2 */
        t.cls[k] = 1;
        say(t.held_prob, k, 1);
    }
    for (int64_t i = LABELS; i < N; i++)
        say(t.prob, i, i % 2);
    for (int64_t c = 0; c < C; c++)
        t.held_prob[4 * C + c] = c == 2 ? 0.52f : 0.24f;
    notes = diagnosed(&t);
    assert_int_equal(notes.n, LENGTH(code));
    for (int64_t k = 0; k < LENGTH(code); k++)
        assert_string_equal(notes.list[k].code, code[k]);
    gnd_notes_fini(&notes);
    CHECK_OK(gnd_diagnose(&(gnd_diagnosis){0}, &t.what, &err));
}

/* ---- calibration ---- */

/* The note for n labels, of which so many were held out, the first four right, all with confidence
 * 0.9. */
static void check_calibration(bool calibrated, bool wanted, int64_t held_out, int64_t n,
                              const char *code)
{
    float confidence[] = {0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f};
    unsigned char right[] = {1, 1, 1, 1, 0, 0};
    const gnd_label_settings settings = {.calibration = wanted};
    const gnd_label_input in = {.settings = &settings, .n_labelled = n, .n_class = 2};
    gnd_notes notes = {0};
    const gnd_estimate e = {.notes = &notes,
                            .calibrated = calibrated,
                            .held_out = {.n = held_out, .confidence = confidence, .right = right}};
    gnd_error err;

    CHECK_OK(gnd_diagnose_calibration(&e, &in, &err));
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.list[0].code, code);
    assert_int_equal(notes.list[0].severity, GND_NOTE);
    if (calibrated)
        assert_non_null(strstr(notes.list[0].text,
                               "yes, 4 of 6 held-out labels were predicted right, 5 expected"));
    gnd_notes_fini(&notes);
}

static void calibration(void **state)
{
    (void)state;
    check_calibration(true, true, 6, 6, "calibrated");
    check_calibration(false, true, 6, 6, "not_calibrated_labels");
    check_calibration(false, false, 6, 6, "not_calibrated_method");
    check_calibration(false, true, 5, 5, "not_calibrated_few_labels");
    check_calibration(false, true, 5, 6, "not_calibrated_few_labels"); /* a class has one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(chance_is_that_of_shuffled_labels),
        cmocka_unit_test(chance_of_perfect_predictions),
        cmocka_unit_test(at_chance),
        cmocka_unit_test(not_checked),
        cmocka_unit_test(suspect_by_position),
        cmocka_unit_test(suspect_label_is_named),
        cmocka_unit_test(suspects_fill_a_page_at_most),
        cmocka_unit_test(correct_labels_are_rarely_suspect),
        cmocka_unit_test(deciding_predictors),
        cmocka_unit_test(class_without_label),
        cmocka_unit_test(class_without_support),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(calibration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
