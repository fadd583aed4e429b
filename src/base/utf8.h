/* SPDX-License-Identifier: MIT
 * utf8.h - characters of UTF-8 texts. gnd_is_utf8 and gnd_text_mask are in gnd.h. */
#ifndef GND_BASE_UTF8_H
#define GND_BASE_UTF8_H

#include <stdint.h>

#define GND_NO_CHAR UINT32_MAX

/* The character at *s, which is not the end of the text, and step to the next one. GND_NO_CHAR: the
 * byte there belongs to no character (surrogates and overlong forms are none); step over it. */
uint32_t gnd_utf8_next(const char **s);
/* Remove a last character of which bytes are missing: what a buffer that was too short leaves. */
void gnd_utf8_trim(char *s);

#endif
