/* SPDX-License-Identifier: MIT
 * buffer.h - a text that grows. A failed allocation is remembered, so that it is enough to check
 * once, at the end. */
#ifndef GND_BASE_BUFFER_H
#define GND_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Zero is valid and empty. */
typedef struct {
    char *text; /* [size] and a NUL; NULL while nothing was added */
    size_t size, room;
    bool failed; /* an allocation failed: text is incomplete */
} gnd_buffer;

/* Append n bytes; false if an allocation failed, now or earlier. */
bool gnd_buffer_add(gnd_buffer *b, const char *bytes, size_t n);
/* Append by a format. */
void gnd_text_add(gnd_buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void gnd_buffer_fini(gnd_buffer *b);

#endif
