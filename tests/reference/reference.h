/* SPDX-License-Identifier: MIT
 * reference.h - one file of reference values against this library: what is asked of it, and the
 * verdict.
 *
 * A kind of file (its `method`) is a function below that asks for fields and compares them; the
 * first missing or ill-shaped field, or the worst of the differing ones, stands in the line of the
 * file. */
#ifndef GND_TESTS_REFERENCE_H
#define GND_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "golden.h"
#include "graph/graph.h"
#include "model/model.h"

typedef struct {
    const golden *f;
    int64_t n_field; /* fields compared */
    int64_t n_fail;  /* fields that failed */
    double worst;    /* difference / limit of the one in text */
    bool skipped;
    char text[640]; /* the worst failure, or why the file is skipped */
} verdict;

/* ---- verdict.c ---- */

/* The largest |difference| allowed where no |entry| is above 1. */
double tolerance(void);
/* Something is wrong beyond a difference of numbers; the first such sentence is kept. */
void ref_fail(verdict *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void ref_skip(verdict *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* After a call of the library: true if it succeeded, else the failure is recorded. */
bool ref_ok(verdict *r, gnd_status st, const gnd_error *err);

/* A field that must be there; rows or cols -1: any. NULL or false, and a failure, if it is not. */
const char *need_text(verdict *r, const char *name);
bool need_scalar(verdict *r, const char *name, double *out);
bool need_whole(verdict *r, const char *name, int64_t *out, int64_t max); /* 0 .. max */
const int64_t *need_int(verdict *r, const char *name, int64_t rows, int64_t cols);
const double *need_real(verdict *r, const char *name, int64_t rows, int64_t cols);
/* All entries of an integer field of whatever shape, each min .. max, and their number. The caller
 * frees it. */
int32_t *need_list(verdict *r, const char *name, int64_t *n, int64_t min, int64_t max);
/* The field M.ij, M.v as a dense [n, m]; the caller frees it. */
double *need_sparse(verdict *r, const char *name, int64_t n, int64_t m);

/* Compare a field with what was computed, in double or in the library's precision. */
void check_scalar(verdict *r, const char *name, double got);
void check_double(verdict *r, const char *name, const double *got, int64_t rows, int64_t cols);
void check_real(verdict *r, const char *name, const gnd_real *got, int64_t rows, int64_t cols);
/* Integers, exactly; the field may be a row or a column. */
void check_list(verdict *r, const char *name, const int32_t *got, int64_t n);
void check_whole(verdict *r, const char *name, int64_t got);
/* The field M.ij, M.v against a sparse matrix; a stored zero is the same as none. */
void check_sparse(verdict *r, const char *name, const gnd_csr *got);
/* Numbers that are in no field of their own. */
void check_values(verdict *r, const char *name, const double *want, const double *got, int64_t rows,
                  int64_t cols);

/* n zeroed items of the tests' own memory, to be freed; without it the program ends. */
void *room(int64_t n, size_t size);
/* "A.B" in a buffer. Returns it. */
const char *dotted(char buf[96], const char *a, const char *b);

/* ---- fixture.c: what many kinds start from ---- */

/* The graph of the file (section 2 of its format). NULL, and a failure, if it cannot be made. */
gnd_graph *ref_graph(verdict *r);

/* ---- the kinds ---- */

void ref_operators(verdict *r);
void ref_shuffles(verdict *r);
void ref_split(verdict *r);
void ref_stopping(verdict *r);
void ref_optimisers(verdict *r);
void ref_ls(verdict *r);
void ref_wvgn(verdict *r);
void ref_cs(verdict *r);
void ref_lanczos(verdict *r);
void ref_isomap(verdict *r);
void ref_relations(verdict *r);
/* A training case of a method of the registry. */
void ref_trained(verdict *r, const gnd_method *method);

/* ---- methods.c: how a file's settings become those of a method ---- */

typedef struct {
    const char *hp;      /* hp.NAME in the file; NULL: end of the table */
    const char *setting; /* its name; NULL: says nothing to this build; "a,b": a value each */
    const char
        *words;   /* "code=1 paper=0": the file's word and the setting's value; NULL: as it is */
    bool dropout; /* a drop rate: 0 where the file drops nothing */
} hp_rule;

typedef struct {
    const char *method;
    const hp_rule *hp;
    bool no_scores; /* its files have no cross-entropy and accuracy on the validation set */
    /* Compares the fields out.*, given the inputs; NULL: the method has none. */
    void (*outputs)(verdict *r, const gnd_model *m, const gnd_inputs *in, const gnd_graph *g);
    /* Puts the fields in.* into the inputs; false after a failure. NULL: there are none. */
    bool (*inputs)(verdict *r, const gnd_model *m, gnd_inputs *in, const gnd_graph *g);
} method_rules;

/* NULL if the method has no row. */
const method_rules *ref_method_rules(const char *method);
/* Settings of the file into a config. NULL, and a failure, if one cannot be set. */
gnd_config *ref_config(verdict *r, const method_rules *rules, bool dropping);

#endif
