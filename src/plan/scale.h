/* SPDX-License-Identifier: MIT
 * scale.h - memory and time of a labelling by several processes, on paper: sizes in, seconds and
 * bytes out. docs/scale.md has the formulas and what they were checked against. */
#ifndef GND_PLAN_SCALE_H
#define GND_PLAN_SCALE_H

#include "base/status.h"

typedef struct {
    double n_node, n_entry; /* vertices; entries of the adjacency matrix, twice the edges */
    double n_feat_entry;    /* of the features */
    double n_process, n_thread;
    gnd_vertex_order order;
    double copies;    /* rows that processes copy from others, all of them, per vertex */
    double latency;   /* seconds of a message */
    double bandwidth; /* bytes per second that a process receives */
} gnd_scale_sizes;

/* Kinds of products of a method: so many of each width. */
enum { GND_SCALE_PRODUCTS = 3 };

/* What a method does for a labelling. */
typedef struct {
    struct {
        double count, width;
    } product[GND_SCALE_PRODUCTS];
    double exchanges;        /* of rows of the first width, besides those of the products */
    double sums, sum_values; /* sums over all vertices, and how many values each has */
    double row_madds;        /* multiply-adds per vertex, own or copied */
    double entry_madds;      /* multiply-adds of sparse products per entry of the adjacency */
    double feature_madds;    /* multiply-adds per entry of the features, own or copied */
    double row_bytes;        /* of a vertex, own or copied, while it computes */
    double entry_bytes;      /* of an entry of the adjacency matrix */
    double feature_bytes;    /* of an entry of the features, own or copied */
} gnd_scale_work;

typedef struct {
    double bytes;       /* of a process at its peak; process 0 has bytes_first more */
    double bytes_first; /* ids and labels of all vertices, in process 0 only */
    double load;        /* seconds: reading, making the graph undirected */
    double compute;     /* products and dense layers */
    double exchange;    /* rows that are copied */
    double sums;        /* sums over all vertices */
    double write;       /* results, by process 0 */
} gnd_scale_cost;

/* Copies per vertex for so many processes and entries per vertex. */
double gnd_scale_copies(gnd_vertex_order order, double n_process, double entries_per_vertex);
void gnd_scale_estimate(gnd_scale_cost *out, const gnd_scale_sizes *s, const gnd_scale_work *w);

#endif
