/* SPDX-License-Identifier: MIT
 * utf8.h - characters of UTF-8 texts. gnd_is_utf8 and gnd_text_mask are in gnd.h. */
#ifndef GND_BASE_UTF8_H
#define GND_BASE_UTF8_H

#include <stdint.h>

#define GND_NO_CHAR UINT32_MAX

/* Return the character at *s, which is not the end of the text, and advance *s. GND_NO_CHAR: the
 * byte there is not part of a valid character (surrogates and overlong forms are invalid); *s
 * advances by one. */
uint32_t gnd_utf8_next(const char **s);
/* Remove an incomplete last character, as left by a buffer that was too short. */
void gnd_utf8_trim(char *s);

#endif
