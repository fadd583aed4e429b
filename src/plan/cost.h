/* SPDX-License-Identifier: MIT
 * cost.h - every constant that the planner decides by. Only the files of plan/ include it.
 *
 * They are constants of the program, not of the machine: a machine that differs chooses a little
 * worse, but the same, so results do not depend on it. */
#ifndef GND_PLAN_COST_H
#define GND_PLAN_COST_H

#include <stdint.h>

/* ---- nanoseconds of a multiply-add, by how its operands are read ----
 * Fitted to the passes of gnd-slp by every plan on Cora, Citeseer, Pubmed and Amazon Photo:
 * bench/run.sh plans. It also says where the plan chosen is not the fastest. */
static const double NS_GATHER = 0.08;   /* a row named by an index, as in sparse products */
static const double NS_SHORT = 0.06;    /* the same with rows of similar length together */
static const double NS_STREAM = 0.225;  /* values in order from beyond the second-level cache */
static const double NS_HOPS = 0.08;     /* a value of a stored hop, of which a basis is read */
static const double NS_BASIS = 0.055;   /* finding the basis of stored hops */
static const double NS_DENSE = 0.055;   /* small dense products */
static const double NS_DROPPED = 0.055; /* NS_GATHER where an entry may drop out, masks included */

/* ---- memory ---- */
enum {
    VALUE = 4,          /* bytes of a value; choices do not depend on the precision built */
    SPARSE_ENTRY = 8,   /* bytes of a sparse entry: a value and its column */
    OPERATOR_ENTRY = 24 /* default budget of large graphs, bytes an entry: as much as the operator
                           and its transpose take, so that column ranges of both fit */
};

/* ---- matrices that are made once: sparse, dense or not kept ---- */
enum {
    /* A stored power of an operator on features is sparse up to a quarter full: dense rows run over
     * whole cache lines, so a sparse entry takes the time of about four dense ones. A half was
     * tried and withdrawn; the times were not recorded. */
    POWER_FILL = 4,
    /* The ratio for A X of the first layer of gcn, whose rows are few. An entry of X of 2 bytes
     * takes 1 1/4: with 7560 dense rows of 767 columns, an epoch of gcn on Amazon Computers
     * takes 7.2 ms, with 3.7 million entries of X and 0.4 of A 5.9 ms; on Photo 4.5 and 3.0 ms. */
    FIRST_FILL = 2,
    /* A X must save its own cost within so many passes; training runs have 200 and more. */
    FIRST_PASSES = 64
};
static const int64_t FIRST_WORDS = INT64_C(1) << 24; /* most values of A X: 64 MB */
/* Plans are compared for a training run of this length: with few labels most last 200 epochs and
 * more before their stopping rule ends them. */
enum { TYPICAL_EPOCHS = 200 };
/* Entries of an operator from which what is made once may take seconds: rows of W^k X of 10 million
 * entries and 256 features take as long as 16 validation passes by powers. */
enum { SHORT_RUNS_FROM = 2000000 };

/* ---- rows of the PageRank matrix, in multiply-adds of its series on the columns of the classes,
 * which is the slowest of the three; the data sets they were measured on are not recorded ---- */
static const double PI_UNIT = 0.4;   /* the series on unit vectors, many side by side */
static const double PI_DENSE = 0.25; /* a dense row of the matrix times the predictions */
enum { PI_PATIENCES = 2 };           /* a training run lasts about this many times its patience */

/* ---- products with an operator; one core of an EPYC with 32 MB of third-level cache ---- */
enum {
    RANGE_BYTES =
        12 << 20, /* of x that a range of columns covers; tape/col_blocks.c has the times */
    RANGES_FROM = 16 << 20, /* bytes of x below which it stays in the third-level cache */
    /* The same in order of degree (kern/hubs.h). Ranges of 4, 6, 8 and 12 MB at width 16, ns an
     * entry: 1.90, 1.94, 2.17, 2.06 with 10 million entries, 1.67, 1.64, 1.68, 1.83 with 20, and
     * 1.84, 1.81, 1.83, 2.12 with 52. */
    HUB_RANGE_BYTES = 6 << 20,
    HUB_ENTRIES = 2, /* entries of a row per range at least, which share reading and writing y: 25
                        ranges with 21 entries per row took 1.5 times as long as no order */
    /* Of x: a graph most of whose links are as near as that is in a good order already. One of
     * neighbours within 2,000 took 1.5 to 2.3 times as long in order of degree. */
    NEAR_BYTES = 1 << 20,
    HUBS_FROM = 8 << 20,   /* bytes of x; an order costs as much as four products */
    PANEL_LEAST = 25,      /* columns of the last panel below which panels do not help */
    PANELS_FROM = 1 << 20, /* bytes of x below which it stays in the second-level cache */
    AHEAD_FROM = 128, /* entries of x per row from which one product serves two passes: 1.09 times
                         as fast with 267 entries, 0.97 with 50 */
    /* Multiply-adds of a product with features from which 16 bits per column pay: 0.98 times as
     * fast with 49,000 entries and 16 columns, which stay in the second-level cache, 1.05 with 64
     * columns; 1.2 with 988,000 entries and 16 columns, 1.6 with 3.7 million. */
    NARROW_FROM = 1 << 20,
    /* Most entries per row, on average, for rows of similar length together: 1.03 to 1.05 times as
     * fast with 31 to 37, more with few. Operators with more than SHORT_UP_TO per row and
     * GROUP_ENTRIES in all would gain less than their copies take memory: appnp copies the rows of
     * each step, 430 MB with 9 million entries. */
    GROUPS_UP_TO = 64,
    GROUP_ENTRIES = 1 << 20,
    SHORT_UP_TO = 8, /* entries per row for the time NS_SHORT */
    GROUP_ROW = 12, /* bytes of such a row besides its entries: its number, its share of the runs */
    /* Most entries per row, on average, for masked entries: appnp is 1.1 to 1.4 times as fast with
     * 5 to 7, equal with 15 and 0.7 times with 37. */
    MASKED_UP_TO = 12,
    MASKED_ROWS = 256, /* fewer rows than that are left as they are */
    MASKED_ROW = 24,  /* bytes of such a row besides its entries: its number, its place in the mask,
                         its share of the runs */
    ENTRIES_A_ROW = 8 /* with fewer entries per row, moving y or x costs more than is saved */
};

/* ---- rows ---- */
enum {
    LIST_TENTHS = 9,   /* columns are listed if they are below so many tenths of all */
    LEVEL_EIGHTHS = 7, /* a level of a receptive field is whole from so many eighths of all rows */
    FEW_ROWS = 4       /* in evaluation, rows are few up to a quarter of all */
};

#endif
