/* SPDX-License-Identifier: MIT
 * relation_conv_cases.h - several operators at once, in plain loops and as recorded: a part of
 * test_ops_double.c. */
#ifndef GND_TESTS_RELATION_CONV_CASES_H
#define GND_TESTS_RELATION_CONV_CASES_H

/* A graph, its reverse, and one without a link. */
static const gnd_csr *const related[] = {&op_a, &op_at, &op_none};
static const gnd_operators relations = {related, LENGTH(related)};

/* The rows a case asks for, some of them twice; or all. */
static gnd_row_list relate_rows(const op_case *c)
{
    return c->k ? (gnd_row_list){rows, LENGTH(rows)} : (gnd_row_list){NULL, N};
}

static int64_t relate_row(const op_case *c, int64_t i)
{
    return c->k ? rows[i] : i;
}

static void plain_relate(double *y, const double *const *in, const op_case *c)
{
    const int64_t h = c->shape[0][1], d = c->shape[0][0] / relations.n;

    for (int64_t k = 0; k < relations.n; k++) {
        double xw[N * F], axw[N * F];

        times(xw, &sparse_x, in[0] + k * d * h, h);
        times(axw, related[k], xw, h);
        for (int64_t i = 0; i < relate_rows(c).n; i++)
            for (int64_t j = 0; j < h; j++)
                y[(i * relations.n + k) * h + j] = axw[relate_row(c, i) * h + j];
    }
}

static void plain_relate_mean(double *y, const double *const *in, const op_case *c)
{
    const int64_t d = c->shape[0][1], f = c->shape[1][1], n = relate_rows(c).n;
    double ax[N * F];

    memset(y, 0, (size_t)(n * f) * sizeof *y);
    for (int64_t k = 0; k < relations.n; k++) {
        times(ax, related[k], in[0], d);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < f; j++)
                for (int64_t m = 0; m < d; m++)
                    y[i * f + j] += ax[relate_row(c, i) * d + m] * in[1][(k * d + m) * f + j] / 3;
    }
}

/* k = 2: x is cut down to the rows that are read. */
static gnd_var relate_input(gnd_tape *t, gnd_var x, const op_case *c)
{
    const gnd_row_list read = gnd_rows_read(t, &relations, relate_rows(c));

    return c->k == 2 ? gnd_rows(t, x, read.row, read.n) : x;
}

static gnd_var run_relate(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    const gnd_var x = relate_input(t, gnd_sparse(t, &sparse_x), c);

    return gnd_relation_conv(t, &relations, relate_rows(c), x, in[0]);
}

static gnd_var run_relate_mean(gnd_tape *t, const gnd_var *in, const op_case *c)
{
    return gnd_relation_conv_mean(t, &relations, relate_rows(c), relate_input(t, in[0], c), in[1]);
}

#define RELATE(rows_)                                                                              \
    {                                                                                              \
        .op = "relation_conv", .what = #rows_, .n_in = 1, .run = run_relate,                       \
        .plain = plain_relate, .shape = {{21, 3}}, .k = rows_                                      \
    }
#define RELATE_MEAN(rows_)                                                                         \
    {                                                                                              \
        .op = "relation_conv_mean", .what = #rows_, .n_in = 2, .run = run_relate_mean,             \
        .plain = plain_relate_mean, .shape = {{N, F}, {3 * F, 2}}, .k = rows_                      \
    }
#define RELATION_CONV_CASES                                                                        \
    RELATE(0), RELATE(1), RELATE(2), RELATE_MEAN(0), RELATE_MEAN(1), RELATE_MEAN(2)

/* A row that is read but not there is refused, and so are shapes that do not meet. */
static void relate_refuses(void **state)
{
    static const int32_t one[] = {0};
    gnd_real w[3 * 7] = {0}, x[N] = {0};
    gnd_error err = {0};
    gnd_tape *t;

    (void)state;
    CHECK_OK(gnd_tape_new(&t, NULL, &err));
    gnd_tape_reset(t, false, 0);
    gnd_relation_conv(t, &relations, (gnd_row_list){NULL, N},
                      gnd_rows(t, gnd_sparse(t, &sparse_x), one, 1), gnd_constant(t, w, 21, 1));
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "pairs are read");
    gnd_tape_reset(t, false, 0);
    gnd_relation_conv_mean(t, &relations, (gnd_row_list){NULL, N},
                           gnd_rows(t, gnd_constant(t, x, N, 1), one, 1), gnd_constant(t, w, 3, 1));
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "is read but is not in x");
    gnd_tape_reset(t, false, 0);
    gnd_relation_conv_mean(t, &relations, (gnd_row_list){NULL, N}, gnd_constant(t, x, N, 1),
                           gnd_constant(t, w, 4, 1));
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "3 operators of 9");
    gnd_tape_reset(t, false, 0);
    gnd_relation_conv(t, &relations, (gnd_row_list){(const int32_t[]){N}, 1},
                      gnd_sparse(t, &sparse_x), gnd_constant(t, w, 21, 1));
    CHECK_FAILS(gnd_tape_check(t, &err), GND_ERR_SHAPE, "row 9 of 9");
    gnd_tape_free(t);
}

#endif
