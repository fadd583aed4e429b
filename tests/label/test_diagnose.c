/* SPDX-License-Identifier: MIT
 * test_diagnose.c - notes on labellings made to deserve them, and on those just short of it. */
#include "label/diagnose.h"

#include "check.h"

enum { N = 303, C = 3, R = 3 };

/* Point i lies on axis i % C and is said to be of that class, by prototypes too; the first C are
 * labelled and are not asked, so that 300 are. */
typedef struct {
    gnd_real prob[N * C], prototype[N * C], z[N * R];
    unsigned char excluded[N];
    int32_t point[C], cls[C];
    gnd_points points;
    gnd_labelled labelled;
    gnd_diagnose_input what;
} trial;

static void say(gnd_real *prob, int64_t i, int64_t cls)
{
    for (int64_t c = 0; c < C; c++)
        prob[i * C + c] = c == cls ? 0.5f : 0.25f;
}

static void trial_init(trial *t)
{
    *t = (trial){.points = {.n = N, .r = R}, .labelled = {.n = C, .n_class = C}};
    for (int64_t i = 0; i < N; i++) {
        say(t->prob, i, i % C);
        say(t->prototype, i, i % C);
        t->z[i * R + i % C] = 1;
        t->excluded[i] = i < C;
    }
    for (int32_t c = 0; c < C; c++)
        t->point[c] = t->cls[c] = c;
    t->points.z = t->z;
    t->labelled.point = t->point;
    t->labelled.cls = t->cls;
    t->what =
        (gnd_diagnose_input){t->prob, t->prototype, t->excluded, &t->points, &t->labelled, NULL};
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

    assert_int_equal(notes.n, 0);
    gnd_notes_fini(&notes);
}

/* The one note there is, a warning, and what its text holds. */
static void check_only(const trial *t, const char *code, const char *text)
{
    gnd_notes notes = diagnosed(t);

    assert_int_equal(notes.n, 1);
    assert_string_equal(notes.list[0].code, code);
    assert_int_equal(notes.list[0].severity, GND_WARNING);
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

static void class_without_label(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    t.cls[1] = 2;
    check_only(&t, "class_without_label", "class 'b' has no known label");
    for (int64_t i = 0; i < N; i++) /* as a fit has it: nobody gets the class */
        if (i % C == 1) {
            say(t.prob, i, 2);
            say(t.prototype, i, 2);
        }
    check_only(&t, "class_without_label", "class 'b' has no known label");
}

/* Below a fiftieth of the mean class, 300 / 3: one vertex is too few, two are not. What is known
 * does not support itself. */
static void class_without_support(void **state)
{
    trial t;

    (void)state;
    for (int64_t got = 0; got < 3; got++) {
        trial_init(&t);
        for (int64_t i = C + 2 + C * got; i < N; i += C) {
            say(t.prob, i, 0);
            say(t.prototype, i, 0);
        }
        for (int64_t i = C + 2 + C * got; i < N; i += C) { /* so that no classes overlap */
            t.z[i * R + 2] = 0;
            t.z[i * R] = 1;
        }
        if (got < 2)
            check_only(&t, "class_without_support",
                       got ? "class 'c' has little support: besides its labels, 1 vertex gets it"
                           : "class 'c' has little support: besides its labels, no vertex gets it");
        else
            check_silent(&t);
    }
}

/* Six tenths of those asked must say as prototypes do; those that are known are not asked. */
static void labelling_that_drifted(void **state)
{
    trial t;

    (void)state;
    trial_init(&t);
    for (int64_t i = 0; i < C + 120; i++)
        say(t.prototype, i, (i + 1) % C);
    check_silent(&t);
    say(t.prototype, C + 120, (C + 121) % C);
    check_only(&t, "drift", "only 60 % of the vertices"); /* 179 of 300 */
    memset(t.excluded, 1, sizeof t.excluded);             /* nobody is asked */
    check_silent(&t);
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
        /* ... of the means: what differs within a class cancels, but for one point. */
        t.z[2 * R + 2] += 0.5f;
        if (cosine[k] > 0.85)
            check_only(&t, "classes_overlap",
                       cosine[k] < 1 ? "classes 'b' and 'c' look alike (similarity 86 %)"
                                     : "classes 'b' and 'c' look alike (similarity 100 %)");
        else
            check_silent(&t);
    }
}

/* All at once, each once and in this order; and none where none are wanted. */
static void all_at_once(void **state)
{
    static const char *const code[] = {"class_without_label", "class_without_support", "drift",
                                       "classes_overlap"};
    trial t;
    gnd_notes notes;
    gnd_error err;

    (void)state;
    trial_init(&t);
    t.cls[0] = 1; /* nobody is 0, and nothing supports 2 */
    for (int64_t i = C; i < N; i++)
        say(t.prob, i, i % 2);
    notes = diagnosed(&t);
    assert_int_equal(notes.n, LENGTH(code));
    for (int64_t k = 0; k < LENGTH(code); k++)
        assert_string_equal(notes.list[k].code, code[k]);
    gnd_notes_fini(&notes);
    CHECK_OK(gnd_diagnose(&(gnd_diagnosis){0}, &t.what, &err));
}

/* What the ensemble found: facts are notes, suspect labels warnings. Where most held-out labels are
 * missed, none is suspect. */
static void findings(void **state)
{
    static const char *const code[] = {"two_groupings", "links_uninformative", "suspect_label",
                                       "features_uninformative"};
    static const gnd_severity severity[] = {GND_WARNING, GND_NOTE, GND_WARNING, GND_NOTE};
    int32_t suspect[C] = {-1, 2, -1};
    gnd_findings found = {.links_uninformative = true,
                          .homophily = -0.25,
                          .features_uninformative = true,
                          .two_groupings = true,
                          .suspect = suspect,
                          .n_held_out = 3,
                          .n_hit = 2,
                          .n_right = 2};
    trial t;
    gnd_notes notes;

    (void)state;
    trial_init(&t);
    t.what.found = &found;
    notes = diagnosed(&t);
    assert_int_equal(notes.n, LENGTH(code));
    for (int64_t k = 0; k < LENGTH(code); k++) {
        assert_string_equal(notes.list[k].code, code[k]);
        assert_int_equal(notes.list[k].severity, severity[k]);
    }
    assert_non_null(strstr(notes.list[1].text, "homophily -0.25;"));
    assert_non_null(strstr(notes.list[2].text, "vertex 1 is labelled 'b', but the other labels "
                                               "predict 'c'"));
    gnd_notes_fini(&notes);
    found = (gnd_findings){.suspect = suspect, .n_held_out = 3, .n_hit = 1, .n_right = 2};
    check_silent(&t);
    found.n_right = 1; /* of three classes */
    check_only(&t, "held_out_at_chance", "1 of 3 held-out labels were predicted right");
}

/* Is the label of vertex 4, class 1, suspect? There are three labels per class. */
static int64_t odd(int64_t n, double other, double own, int64_t by_prototype)
{
    const int32_t point[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, cls[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    const gnd_labelled s = {.point = point, .cls = cls, .n = n, .n_class = C};
    gnd_real prob[9 * C] = {0};
    int32_t got;

    prob[4 * C + 2] = (gnd_real)other;
    prob[4 * C + 1] = (gnd_real)own;
    got = gnd_suspect_label(&s, 4, prob, by_prototype);
    assert_true(got == -1 || got == 2);
    return got == 2;
}

static void label_that_looks_wrong(void **state)
{
    (void)state;
    assert_int_equal(odd(9, 0.9, 0.02, 2), 1);
    assert_int_equal(odd(8, 0.9, 0.02, 2), 0);  /* too few labels */
    assert_int_equal(odd(9, 0.9, 0.02, 1), 0);  /* prototypes find the label right */
    assert_int_equal(odd(9, 0.75, 0.02, 2), 0); /* not sure */
    assert_int_equal(odd(9, 0.9, 0.05, 2), 0);  /* the label is not out of the question */
    assert_int_equal(odd(9, 0.02, 0.9, 1), 0);  /* it is right */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_say),
        cmocka_unit_test(class_without_label),
        cmocka_unit_test(class_without_support),
        cmocka_unit_test(labelling_that_drifted),
        cmocka_unit_test(classes_that_overlap),
        cmocka_unit_test(all_at_once),
        cmocka_unit_test(findings),
        cmocka_unit_test(label_that_looks_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
