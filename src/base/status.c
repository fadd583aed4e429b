/* SPDX-License-Identifier: MIT
 * status.c - error records. */
#include "status.h"

#include <stdarg.h>
#include <string.h>

gnd_status gnd_fail(gnd_error *err, gnd_status code, const char *fmt, ...)
{
    va_list ap;

    if (err && err->code == GND_OK) {
        err->code = code;
        va_start(ap, fmt);
        vsnprintf(err->msg, sizeof err->msg, fmt, ap);
        va_end(ap);
    }
    return code;
}

void gnd_error_prefix(gnd_error *err, const char *fmt, ...)
{
    char prefix[sizeof err->msg];
    size_t n, rest;
    va_list ap;

    if (!err || err->code == GND_OK)
        return;
    va_start(ap, fmt);
    vsnprintf(prefix, sizeof prefix - 2, fmt, ap);
    va_end(ap);
    strcat(prefix, ": ");
    n = strlen(prefix);
    rest = strlen(err->msg);
    if (rest > sizeof err->msg - 1 - n)
        rest = sizeof err->msg - 1 - n; /* a long message loses its end */
    memmove(err->msg + n, err->msg, rest);
    memcpy(err->msg, prefix, n);
    err->msg[n + rest] = '\0';
}

void gnd_error_clear(gnd_error *err)
{
    if (err) {
        err->code = GND_OK;
        err->msg[0] = '\0';
    }
}

const char *gnd_version(void)
{
    return GND_VERSION;
}

int32_t gnd_version_number(void)
{
    return GND_VERSION_MAJOR * 10000 + GND_VERSION_MINOR * 100 + GND_VERSION_PATCH;
}

gnd_status gnd_require(const char *text, const char *what, gnd_error *err)
{
    return text ? GND_OK : gnd_fail(err, GND_ERR_ARG, "%s is NULL", what);
}
