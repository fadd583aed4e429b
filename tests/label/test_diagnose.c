/* SPDX-License-Identifier: MIT
 * test_diagnose.c - notes on labellings made to deserve them, and on those just short of it. */
#include "label/diagnose.h"

#include "check.h"

enum { C = 3, R = 3, PER = 5, LABELS = PER * C, N = 300 + LABELS };

/* Point i is on axis i % C and gets that class. The first LABELS are labelled and are not compared,
 * so that 300 are. All labels were held out and predicted right; self-training decides. */
typedef struct {
    gnd_real prob[N * C], z[N * R], held_prob[LABELS * C];
    unsigned char excluded[N];
    int32_t point[LABELS], cls[LABELS];
    bool held_out[LABELS];
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
    for (int32_t k = 0; k < LABELS; k++) {
        t->point[k] = k;
        t->cls[k] = k % C;
        t->held_out[k] = true;
        say(t->held_prob, k, k % C);
    }
    t->g.z.diffused[0] = (gnd_points){.n = N, .r = R, .z = t->z};
    t->labelled.point = t->point;
    t->labelled.cls = t->cls;
    t->m = (gnd_mixture){.used = (1u << GND_PREDICTORS) - 1,
                         .weight = {[GND_PREDICT_SELF_TRAINING] = 1},
                         .held_out = t->held_out,
                         .held_prob = t->held_prob,
                         .n_held_out = LABELS};
    t->what = (gnd_diagnose_input){t->prob, t->excluded, &t->g, &t->labelled, &t->m};
}

static gnd_notes diagnosed(const trial *t)
{
    static const gnd_graph g = {.n_node = N};
    gnd_names *names = gnd_names_new();
    gnd_notes notes = {0};
    gnd_error err;

    for (int64_t c = 0; c < C; c++)
        assert_int_equal(gnd_names_add(names, &"abc"[c], 1), c);
    CHECK_OK(gnd_diagnose(&(gnd_diagnosis){&notes, &g, names}, &t->what, &err));
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

/* Of 15 labels of 3 classes chance gives 5, with a standard error of sqrt(10): 11 are above it by
 * more than 1.645 standard errors, 10 are not. */
static void at_chance(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t k = 0; k < 4; k++)
        say(t.held_prob, k, (k + 1) % C);
    assert_int_equal(gnd_held_out_hits(&t.m, &t.labelled), 11);
    assert_true(gnd_above_chance(&t.m, &t.labelled));
    check_silent(&t);
    say(t.held_prob, 4, (4 + 1) % C);
    assert_false(gnd_above_chance(&t.m, &t.labelled));
    check_only(&t, GND_WARNING, "held_out_at_chance", "10 of 15 held-out labels were predicted");
}

/* Too few labels to show anything, even if all are right: 3 of 3 classes, or none. */
static void not_checked(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t k = 3; k < LABELS; k++)
        t.held_out[k] = false;
    t.m.n_held_out = 3;
    assert_int_equal(gnd_held_out_hits(&t.m, &t.labelled), 3);
    assert_false(gnd_above_chance(&t.m, &t.labelled));
    check_only(&t, GND_NOTE, "not_checked", "too few labels to tell these predictions from chance");
    memset(t.held_out, 0, sizeof t.held_out);
    t.m.n_held_out = 0;
    assert_false(gnd_above_chance(&t.m, &t.labelled));
    check_only(&t, GND_NOTE, "not_checked", "too few labels");
}

/* Label k, of class k % C, gets probability `own`. */
static void doubt(trial *t, int64_t k, double own)
{
    for (int64_t c = 0; c < C; c++)
        t->held_prob[k * C + c] = (gnd_real)(c == k % C ? own : c == (k + 1) % C ? 1 - own : 0);
}

/* Below SUSPECT_OWN_MAX of what equal probabilities are; from SUSPECT_LABELS_MIN labels per class
 * on; where most labels are right. */
static void suspect_labels(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    doubt(&t, 4, 1.01 * SUSPECT_OWN_MAX / C);
    check_silent(&t);
    doubt(&t, 4, 0.99 * SUSPECT_OWN_MAX / C);
    check_only(&t, GND_WARNING, "suspect_label",
               "vertex 4 is labelled 'b', but the other labels predict 'c'");
    t.held_out[4] = false;
    t.m.n_held_out--;
    check_silent(&t);
    t.labelled.n = SUSPECT_LABELS_MIN * C - 1; /* too few of them */
    t.held_out[4] = true;
    t.m.n_held_out = t.labelled.n;
    check_silent(&t);
}

static void no_suspects_where_most_are_wrong(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t k = 0; k < 8; k++)
        doubt(&t, k, 0);
    check_only(&t, GND_WARNING, "held_out_at_chance", "7 of 15");
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
        for (int64_t i = LABELS + 2 + C * got; i < N; i += C) {
            say(t.prob, i, 0);
            t.z[i * R + 2] = 0; /* so that no classes overlap */
            t.z[i * R] = 1;
        }
        if (got < 2)
            check_only(&t, GND_WARNING, "class_without_support",
                       got ? "class 'c' has little support: besides its labels, 1 vertex gets it"
                           : "class 'c' has little support: besides its labels, no vertex gets it");
        else
            check_silent(&t);
    }
}

/* Means of classes 1 and 2 at a known cosine, 0.85 being the limit. */
static void classes_that_overlap(void **state)
{
    static const double cosine[] = {0.84, 0.86, 1, -1};
    trial t;

    (void)state;
    for (int64_t k = 0; k < LENGTH(cosine); k++) {
        trial_init(&t);
        for (int64_t i = 2; i < N; i += C) {
            t.z[i * R + 1] = (gnd_real)cosine[k];
            t.z[i * R + 2] = (gnd_real)(sqrt(1 - cosine[k] * cosine[k]) + (i % 2 ? 0.5 : -0.5));
        }
        t.z[2 * R + 2] += 0.5f; /* an odd number of points: the differences cancel in the mean */
        if (cosine[k] > 0.85)
            check_only(&t, GND_WARNING, "classes_overlap",
                       cosine[k] < 1 ? "classes 'b' and 'c' look alike (similarity 86 %)"
                                     : "classes 'b' and 'c' look alike (similarity 100 %)");
        else
            check_silent(&t);
        set_weights(&t, GND_PREDICT_FEATURES, 0.5, GND_PREDICT_BLOCKS);
        check_silent(&t); /* these coordinates do not decide */
    }
}

/* All at once, each once and in this order; and none where none are wanted. */
static void all_at_once(void **state)
{
    static const char *const code[] = {"suspect_label", "class_without_label",
                                       "class_without_support", "classes_overlap"};
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
    doubt(&t, 4, 0);
    notes = diagnosed(&t);
    assert_int_equal(notes.n, LENGTH(code));
    for (int64_t k = 0; k < LENGTH(code); k++)
        assert_string_equal(notes.list[k].code, code[k]);
    gnd_notes_fini(&notes);
    CHECK_OK(gnd_diagnose(&(gnd_diagnosis){0}, &t.what, &err));
}

/* ---- calibration ---- */

/* The note for so many labels, of which `right` of 3 were right with confidence 0.9. */
static void check_calibration(bool calibrated, bool wanted, const int32_t *cls, int64_t n,
                              const char *code)
{
    float confidence[] = {0.9f, 0.9f, 0.9f};
    unsigned char right[] = {1, 1, 0};
    const gnd_label_settings settings = {.calibration = wanted};
    const gnd_label_input in = {.settings = &settings, .cls = cls, .n_labelled = n, .n_class = 2};
    gnd_notes notes = {0};
    const gnd_estimate e = {
        .notes = &notes, .calibrated = calibrated, .held_out = {3, confidence, right}};
    gnd_error err;

    CHECK_OK(gnd_diagnose_calibration(&e, &in, &err));
    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.list[0].code, code);
    assert_int_equal(notes.list[0].severity, GND_NOTE);
    if (calibrated)
        assert_non_null(strstr(notes.list[0].text,
                               "yes, 2 of 3 held-out labels were predicted right, 3 expected"));
    gnd_notes_fini(&notes);
}

static void calibration(void **state)
{
    static const int32_t cls[] = {0, 1, 0, 1, 0, 1}, single[] = {0, 0, 0, 0, 0, 1};

    (void)state;
    check_calibration(true, true, cls, 6, "calibrated");
    check_calibration(false, true, cls, 6, "not_calibrated_labels");
    check_calibration(false, false, cls, 6, "not_calibrated_method");
    check_calibration(false, true, cls, 5, "not_calibrated_few_labels");
    check_calibration(false, true, single, 6, "not_calibrated_few_labels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(at_chance),
        cmocka_unit_test(not_checked),
        cmocka_unit_test(suspect_labels),
        cmocka_unit_test(no_suspects_where_most_are_wrong),
        cmocka_unit_test(deciding_predictors),
        cmocka_unit_test(class_without_label),
        cmocka_unit_test(class_without_support),
        cmocka_unit_test(classes_that_overlap),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(calibration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
