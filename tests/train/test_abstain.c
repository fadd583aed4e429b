/* SPDX-License-Identifier: MIT
 * test_abstain.c - which predictions are kept: by held-out labels, and by the probabilities
 * themselves. */
#include "planted.h"
#include "train/predict.h"

static const gnd_train_opts serial = {.size = sizeof serial, .threads = 1};

/* Two classes; the more probable one has these probabilities. A negative one: unknown already. */
static gnd_prediction made(const float *sure, int64_t n)
{
    gnd_prediction p = {.n = n, .n_class = 2};

    p.prob = calloc((size_t)(2 * n), sizeof *p.prob);
    p.top = calloc((size_t)n, sizeof *p.top);
    p.label = calloc((size_t)n, sizeof *p.label);
    p.given = calloc((size_t)n, 1);
    for (int64_t i = 0; i < n; i++) {
        p.top[i] = (int32_t)(i % 2);
        p.label[i] = sure[i] >= 0 ? p.top[i] : -1;
        p.prob[2 * i + i % 2] = fabsf(sure[i]);
        p.prob[2 * i + 1 - i % 2] = 1 - fabsf(sure[i]);
    }
    return p;
}

static bool is_known(const gnd_prediction *p, int64_t i)
{
    return p->label[i] >= 0;
}

static void made_free(gnd_prediction *p)
{
    free(p->prob);
    free(p->top);
    free(p->label);
    free(p->given);
}

static void unchecked(void **state)
{
    static const float sure[] = {0.5f, 1, 0.875f, -1, 0.75f, 0.875f, 1, 0.625f};
    static const struct {
        double risk;
        const char *known; /* of the vertices above */
    } t[] = {
        {0, "01000010"},   /* what is certain stays and is no credit to the rest */
        {0.1, "01000010"}, /* both of 0.875 or none, and they are wrong by 0.125 */
        {0.125, "01100110"}, {0.16, "01100110"}, /* with 0.75: 0.167 */
        {0.17, "01101110"},  {0.22, "01101111"}, {0.28, "11101111"}, {1, "11101111"},
    };
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(t); k++) {
        gnd_prediction p = made(sure, LENGTH(sure));
        int64_t n = -1, became = 0;

        CHECK_OK(gnd_prediction_abstain_unchecked(&p, t[k].risk, &n, &err));
        for (int64_t i = 0; i < p.n; i++) {
            if (is_known(&p, i) != t[k].known[i] - '0')
                fail_msg("risk %g, vertex %d: known %d", t[k].risk, (int)i, is_known(&p, i));
            assert_int_equal(gnd_prediction_label(&p, i), is_known(&p, i) ? i % 2 : -1);
            assert_int_equal(gnd_prediction_argmax(&p, i), i % 2);
            became += sure[i] >= 0 && !is_known(&p, i);
        }
        assert_int_equal(n, became);
        CHECK_OK(
            gnd_prediction_abstain_unchecked(&p, t[k].risk, NULL, &err)); /* again: nothing more */
        for (int64_t i = 0; i < p.n; i++)
            assert_int_equal(is_known(&p, i), t[k].known[i] - '0');
        made_free(&p);
    }
}

static void unchecked_from_all(void **state)
{
    static const float sure[] = {0.5f, 0.75f, 0.625f};
    static const double bad[] = {-0.1, 1.1, NAN};
    gnd_prediction p = made(sure, 3);
    int64_t n;
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(bad); k++) {
        CHECK_FAILS(gnd_prediction_abstain_unchecked(&p, bad[k], &n, &err), GND_ERR_ARG,
                    "expected 0 to 1");
        assert_true(is_known(&p, 0) && is_known(&p, 1) && is_known(&p, 2));
    }
    CHECK_OK(gnd_prediction_abstain_unchecked(&p, 0.1, &n, &err));
    assert_int_equal(n, 3);
    CHECK_OK(gnd_prediction_abstain_unchecked(&p, 1, &n, &err)); /* what is unknown stays so */
    assert_int_equal(n, 0);
    assert_true(!is_known(&p, 0) && !is_known(&p, 1) && !is_known(&p, 2));
    made_free(&p);
}

/* On a hard graph: a smaller risk leaves fewer, of whom more are right. */
static void unchecked_less_risk(void **state)
{
    static const double risk[] = {1, 0.3, 0.2, 0.1, 0.05, 0};
    gnd_graph *g = planted_graph(
        (plan){.n = 600, .n_class = 3, .inside = 2, .across = 3, .words = 4, .lean = 0.3});
    gnd_split *s = planted_split(g, 5, 1);
    gnd_config *c = planted_config("auto");
    gnd_prediction *p = NULL;
    int64_t before = 600;
    double first = 0;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err));
    for (int64_t k = 0; k < LENGTH(risk); k++) {
        int64_t known = 0, right = 0;
        double wrong = 0;

        CHECK_OK(gnd_prediction_abstain_unchecked(p, risk[k], NULL, &err));
        for (int64_t v = 0; v < 600; v++)
            if (gnd_prediction_label(p, v) >= 0) {
                known++;
                right += gnd_prediction_label(p, v) == g->label[v];
                wrong += 1 - (double)gnd_prediction_prob(p, v)[gnd_prediction_label(p, v)];
            }
        assert_true(k == 0 ? known == 600 : known <= before);
        assert_true(wrong <= risk[k] * (double)known + 1e-6);
        assert_true(known >= gnd_split_n_train(s)); /* they are certain */
        before = known;
        if (k == 0)
            first = (double)right / 600;
        if (k == 3)
            assert_true((double)right > (first + 0.05) * (double)known);
    }
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

/* ---- by held-out labels ---- */

enum { HELD = 19, POINTS = 12 };

static float level_at(int64_t level)
{
    return 0.95f - 0.05f * (float)level;
}

/* Held-out labels by falling confidence, 0.95, 0.90, ...; wrong where the text has an x. */
typedef struct {
    float confidence[HELD], weight[HELD];
    unsigned char right[HELD];
} record;

static gnd_held_out held_of(record *r, const char *text)
{
    gnd_held_out h = {(int64_t)strlen(text), r->confidence, r->right, NULL};

    for (int64_t i = 0; i < h.n; i++) {
        const int64_t at = i * 7 % h.n; /* in no order */

        r->confidence[at] = level_at(i);
        r->right[at] = text[i] != 'x';
    }
    return h;
}

/* Two certain vertices, of which the first has a known label; then confidences 0.97, 0.92, 0.87,
 * ..., between those of the labels. */
static gnd_prediction between(void)
{
    float sure[POINTS] = {1, 1};
    gnd_prediction p;

    for (int64_t i = 2; i < POINTS; i++)
        sure[i] = 0.97f - 0.05f * (float)(i - 2);
    p = made(sure, POINTS);
    p.given[0] = 1;
    return p;
}

/* How many of those between are kept, and the code of the note, or "". */
static void check_kept(const char *text, double risk, int64_t kept, const char *code)
{
    record r;
    gnd_prediction p = between();
    int64_t n = -1, known = 0;
    gnd_error err = {0};

    p.held_out = held_of(&r, text);
    CHECK_OK(gnd_prediction_abstain(&p, risk, &n, &err));
    for (int64_t i = 0; i < POINTS; i++) {
        /* a prediction of probability 1 is kept only if some are */
        if (is_known(&p, i) != (i == 0 || (code[0] == '\0' && i < 2 + kept)))
            fail_msg("%s, risk %g: vertex %d known %d", text, risk, (int)i, is_known(&p, i));
        known += is_known(&p, i);
    }
    assert_int_equal(n, POINTS - known);
    assert_int_equal(p.notes.n, code[0] != '\0');
    if (p.notes.n > 0) {
        assert_string_equal(p.notes.list[0].code, code);
        assert_int_equal(p.notes.list[0].severity, GND_WARNING);
    }
    gnd_notes_fini(&p.notes);
    made_free(&p);
}

/* The first k labels justify a risk of (wrong + 1) / (k + 1): vertices down to the confidence of
 * the last such k are kept. With all labels kept, so are all vertices. */
static void by_held_out_labels(void **state)
{
    (void)state;
    check_kept("....x...", 0.2, 1 + 3, "");       /* 1 of 5 labels; the fifth is wrong */
    check_kept("....x....", 0.2, POINTS - 2, ""); /* (1 + 1) / (9 + 1): later ones make up for it */
    check_kept("....xx...", 0.25, 1 + 3, "");     /* (2 + 1) / (9 + 1) is too much */
    check_kept("....x....", 0.34, POINTS - 2, ""); /* enough at every label */
    check_kept(".........", 0.1, POINTS - 2, "");  /* just enough labels */
    check_kept(".........", 0.09, 0, "abstain_few_labels");
    check_kept("x........", 0.1, 0, "abstain_none");
    check_kept("xxxxxxxxx", 0.5, 0, "abstain_none");
    check_kept("xxxxxxxxx", 1, POINTS - 2, "");
    check_kept("", 1, POINTS - 2, "");
    check_kept("", 0.5, 0, "abstain_few_labels");
    check_kept(".........", 0, 0, "abstain_none");
}

/* The confidence down to which vertices are kept, straight from the definition; 2: none. Labels
 * have the confidences 0.95, 0.90, ... */
static double plain_least(const gnd_held_out *h, double risk)
{
    double least = 2, lowest = 2;

    for (int64_t i = 0; i < h->n; i++)
        lowest = fmin(lowest, (double)h->confidence[i]);
    for (int64_t level = 0; level < 10; level++) {
        double size = 0, wrong_size = 0;
        int64_t n = 0, wrong = 0, here = 0;

        for (int64_t i = 0; i < h->n; i++)
            if (h->confidence[i] >= level_at(level)) {
                n++;
                wrong += !h->right[i];
                size += (double)h->weight[i];
                wrong_size += h->right[i] ? 0 : (double)h->weight[i];
                here += h->confidence[i] == level_at(level);
            }
        if (here > 0 && (double)(wrong + 1) <= risk * (double)(n + 1) + 1e-9 &&
            wrong_size + 1 <= risk * (size + 1) + 1e-9)
            least = (double)level_at(level);
    }
    return least <= lowest ? 0 : least;
}

/* Random labels, with ties: no vertex below the limit is kept, and all above it are. */
static void by_random_labels(void **state)
{
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < 200; k++) {
        const double risk = 0.02 + 0.5 * planted_at(20, k);
        record r;
        gnd_held_out h = {HELD, r.confidence, r.right, r.weight};
        gnd_prediction p = between();
        double least;

        for (int64_t i = 0; i < HELD; i++) {
            const int64_t level = (int64_t)(planted_at(21, k * HELD + i) * 10);

            r.confidence[i] = level_at(level);
            r.right[i] = planted_at(22, k * HELD + i) < (double)r.confidence[i];
            r.weight[i] = k % 2 ? 1 : (float)(2 * planted_at(23, k * HELD + i));
        }
        least = plain_least(&h, risk);
        p.held_out = h;
        CHECK_OK(gnd_prediction_abstain(&p, risk, NULL, &err));
        for (int64_t i = 1; i < POINTS; i++)
            assert_int_equal(is_known(&p, i), (double)p.prob[2 * i + i % 2] >= least);
        assert_true(is_known(&p, 0));
        gnd_notes_fini(&p.notes);
        made_free(&p);
    }
}

static void refused(void **state)
{
    static const double bad[] = {-0.1, 1.1, NAN};
    gnd_prediction p = between();
    gnd_error err = {0};

    (void)state;
    for (int64_t k = 0; k < LENGTH(bad); k++) {
        CHECK_FAILS(gnd_prediction_abstain(&p, bad[k], NULL, &err), GND_ERR_ARG, "expected 0 to 1");
        for (int64_t i = 0; i < POINTS; i++)
            assert_true(is_known(&p, i));
    }
    assert_int_equal(p.notes.n, 0);
    made_free(&p);
}

/* Method auto holds labels out; of those that it keeps, about as many as allowed are wrong. */
static void of_method_auto(void **state)
{
    gnd_graph *g = planted_graph(
        (plan){.n = 900, .n_class = 3, .inside = 3, .across = 3, .words = 4, .lean = 0.3});
    gnd_split *s = planted_split(g, 20, 1);
    gnd_config *c = planted_config("auto");
    int64_t known = 0, wrong = 0;
    gnd_prediction *p = NULL;
    gnd_error err = {0};

    (void)state;
    CHECK_OK(gnd_label(&p, NULL, NULL, g, s, c, &serial, &err));
    assert_int_equal(p->held_out.n, 60);
    CHECK_OK(gnd_prediction_abstain(p, 0.1, NULL, &err));
    for (int64_t v = 0; v < 900; v++) {
        known += gnd_prediction_label(p, v) >= 0;
        wrong += gnd_prediction_label(p, v) >= 0 && gnd_prediction_label(p, v) != g->label[v];
    }
    assert_true(known > 60 && known <= 900);
    assert_true((double)wrong <= 0.15 * (double)(known - 60));
    gnd_prediction_free(p);
    gnd_config_free(c);
    gnd_split_free(s);
    gnd_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchecked),           cmocka_unit_test(unchecked_from_all),
        cmocka_unit_test(unchecked_less_risk), cmocka_unit_test(by_held_out_labels),
        cmocka_unit_test(by_random_labels),    cmocka_unit_test(refused),
        cmocka_unit_test(of_method_auto),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
