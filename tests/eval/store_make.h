/* SPDX-License-Identifier: MIT
 * store_make.h - rows for the tests of stores. */
#ifndef GND_TESTS_STORE_MAKE_H
#define GND_TESTS_STORE_MAKE_H

#include "io/temp.h"
#include "eval/store_priv.h"

/* A training that is done; k makes it one of its own. */
static inline gnd_row make_row(uint64_t k)
{
    return (gnd_row){
        .dataset = "two, \"rings\"",
        .graph = "und",
        .data = "0123456789abcdef",
        .split = "paper",
        .per_class = 3,
        .n_val = 40,
        .split_seed = 1 + (int64_t)k % 30,
        .split_hash = "fedcba9876543210",
        .method = "gnd-slp",
        .settings = "lr=0.01 filters=ppr,heat hops=3",
        .seed = k,
        .status = "ok",
        .result = {.epochs = 100 + (int64_t)k,
                   .best_epoch = 7,
                   .loss_train = (double)(100 + k % 1000) / 1000,
                   .acc_train = 1,
                   .acc_val = NAN,
                   .acc_test = 0.333333,
                   .loss_val = NAN,
                   .loss_test = 1e-300,
                   .f1_test = 0,
                   .plan = "stored, features",
                   .ece_test = 0.125,
                   .acc_half = 0.96875},
        .seconds = 0.7,
        .build = "b",
        .finished = "2026-01-31T23:59:59Z",
        .plan = "stored, features",
    };
}

static inline gnd_row make_diverged(uint64_t k)
{
    gnd_row r = make_row(k);

    r.status = "diverged";
    r.result = (gnd_result){0};
    r.plan = "";
    return r;
}

static inline gnd_store *make_store(const char *path)
{
    gnd_store *s = NULL;
    gnd_error err;

    CHECK_OK(gnd_store_open(&s, path, &err));
    return s;
}

static inline void make_sql(gnd_store *s, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(s->db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
}

/* Results to the bit. */
static inline void check_same(const gnd_row *a, const gnd_row *b)
{
    assert_string_equal(a->status, b->status);
    assert_memory_equal(&a->result, &b->result, sizeof a->result);
    assert_memory_equal(&a->seconds, &b->seconds, sizeof a->seconds);
}

#endif
