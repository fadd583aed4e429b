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
    char rest[sizeof err->msg];
    va_list ap;
    int n;

    if (!err || err->code == GND_OK)
        return;
    memcpy(rest, err->msg, sizeof rest);
    va_start(ap, fmt);
    n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof err->msg)
        snprintf(err->msg + n, sizeof err->msg - (size_t)n, ": %s", rest);
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
