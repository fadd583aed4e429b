/* SPDX-License-Identifier: MIT
 * label.h - the coordinates that method auto makes of a graph, for who asks what to label next. */
#ifndef GND_LABEL_LABEL_H
#define GND_LABEL_LABEL_H

#include "coordinates.h"
#include "model/model.h"

/* Of inputs prepared for a model of method auto. */
const gnd_coordinates *gnd_auto_coordinates(const gnd_inputs *in);

#endif
