/* SPDX-License-Identifier: MIT
 * sha256.h - the hash SHA-256 (FIPS 180-4), to check downloaded files. */
#ifndef GND_CLI_SHA256_H
#define GND_CLI_SHA256_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t h[8];
    uint64_t n;             /* bytes so far */
    unsigned char rest[64]; /* the n % 64 bytes that do not fill a block */
} sha256;

enum { SHA256_TEXT = 65 };

void sha256_init(sha256 *s);
void sha256_add(sha256 *s, const void *data, size_t n);
/* The hash in hexadecimal, lower case; s must be initialised again afterwards. Returns out. */
const char *sha256_text(char out[SHA256_TEXT], sha256 *s);

#endif
