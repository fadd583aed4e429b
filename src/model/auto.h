/* SPDX-License-Identifier: MIT
 * auto.h - the coordinates that method auto makes of a graph, for who asks what to label next. */
#ifndef GND_MODEL_AUTO_H
#define GND_MODEL_AUTO_H

#include "embed/views.h"
#include "model.h"

/* Of inputs prepared for a model of method auto. */
const gnd_views *gnd_auto_views(const gnd_inputs *in);

#endif
