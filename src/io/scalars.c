/* SPDX-License-Identifier: MIT
 * scalars.c - items of arrays of any gnd_scalar type, converted to the types of gnd. Items are
 * copied by memcpy, since arrays with strides need not be aligned. */
#include "scalars.h"

#include <math.h>
#include <string.h>

size_t gnd_scalar_size(gnd_scalar type)
{
    switch (type) {
    case GND_I32:
    case GND_F32:
        return 4;
    case GND_I64:
    case GND_F64:
        return 8;
    case GND_U8:
        return 1;
    }
    return 0;
}

gnd_scalar gnd_scalar_real(void)
{
    return sizeof(gnd_real) == sizeof(float) ? GND_F32 : GND_F64;
}

static inline int32_t i32_at(const void *p)
{
    int32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline int64_t i64_at(const void *p)
{
    int64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline float f32_at(const void *p)
{
    float v;

    memcpy(&v, p, sizeof v);
    return v;
}

static inline double f64_at(const void *p)
{
    double v;

    memcpy(&v, p, sizeof v);
    return v;
}

double gnd_scalar_get(const void *data, gnd_scalar type, int64_t i)
{
    const char *p = (const char *)data + i * (int64_t)gnd_scalar_size(type);

    switch (type) {
    case GND_I32:
        return i32_at(p);
    case GND_I64:
        return (double)i64_at(p);
    case GND_F32:
        return (double)f32_at(p);
    case GND_F64:
        return f64_at(p);
    case GND_U8:
        return *(const unsigned char *)p;
    }
    return NAN;
}

void gnd_scalars_int64(int64_t *out, const void *data, gnd_scalar type, int64_t n)
{
    const char *p = data;

    for (int64_t i = 0; i < n; i++)
        out[i] = type == GND_I64 ? i64_at(p + 8 * i) : i32_at(p + 4 * i);
}

int64_t gnd_scalars_int32(int32_t *out, const void *data, gnd_scalar type, int64_t n, int64_t limit)
{
    const char *p = data;

    for (int64_t i = 0; i < n; i++) {
        const int64_t v = type == GND_I64 ? i64_at(p + 8 * i) : i32_at(p + 4 * i);

        if (v < 0 || v >= limit)
            return i;
        out[i] = (int32_t)v;
    }
    return n;
}

int64_t gnd_scalars_real(gnd_real *out, const void *data, gnd_scalar type, int64_t n,
                         int64_t stride)
{
    const char *p = data;

    for (int64_t i = 0; i < n; i++) {
        switch (type) {
        case GND_I32:
            out[i] = (gnd_real)i32_at(p + i * stride);
            break;
        case GND_I64:
            out[i] = (gnd_real)i64_at(p + i * stride);
            break;
        case GND_F32:
            out[i] = (gnd_real)f32_at(p + i * stride);
            break;
        case GND_F64:
            out[i] = (gnd_real)f64_at(p + i * stride);
            break;
        case GND_U8:
            out[i] = (gnd_real) * (const unsigned char *)(p + i * stride);
            break;
        }
        if (!isfinite(out[i]))
            return i;
    }
    return n;
}
