/* SPDX-License-Identifier: MIT
 * turn.h - values of the entries of a matrix whose rows several processes hold, in the order of its
 * transpose. */
#ifndef GND_DIST_TURN_H
#define GND_DIST_TURN_H

#include "exchange.h"

/* The call `turn` of kern/part.h. False: the pattern is not symmetric, or has too many entries for
 * a message. */
bool gnd_turn(const gnd_owners *o, const gnd_part *p, int64_t *out, const int64_t *value,
              const int64_t *ptr, const int32_t *col);

#endif
