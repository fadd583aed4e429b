/* SPDX-License-Identifier: MIT
 * remark.h - what a method finds odd about a graph and its labels, for whoever asked to hear. */
#ifndef GND_MODEL_REMARK_H
#define GND_MODEL_REMARK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef enum {
    GND_REMARK_UNLIKE_LINKS,  /* value: adjusted homophily; links say little of classes */
    GND_REMARK_VAIN_FEATURES, /* features and links have nothing in common, and links count most */
    GND_REMARK_TWO_GROUPINGS, /* features and links have nothing in common, both show groups, and
                                 labels are too few to say which are meant */
    GND_REMARK_DRIFT,         /* value: share of the vertices on which the labelling and the plain
                                 prototypes agree */
    GND_REMARK_OVERLAP,       /* cls and other look the same; value: cosine of their means */
    GND_REMARK_NO_LABEL,      /* cls has no label, so no vertex gets it */
    GND_REMARK_NO_SUPPORT,    /* value: how many vertices got cls besides the labelled */
    GND_REMARK_ODD_LABEL,     /* vertex is said to be cls but looks like other; value: how surely */
    GND_REMARK_KINDS
} gnd_remark_kind;

typedef struct {
    gnd_remark_kind kind;
    int64_t vertex;
    int32_t cls, other;
    double value;
} gnd_remark;

/* Zero is valid and empty. */
typedef struct {
    gnd_remark *list;
    int64_t n, room;
    bool calibrated; /* probabilities were checked against labels left out */
} gnd_remarks;

/* to NULL: nobody listens. */
gnd_status gnd_remark_add(gnd_remarks *to, gnd_remark r, gnd_error *err);
void gnd_remarks_fini(gnd_remarks *r);

#endif
