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

static inline int64_t int_at(const void *p, gnd_scalar type)
{
    return type == GND_I64 ? i64_at(p) : i32_at(p);
}

/* The item at p as T. */
#define ITEM(T, p, type)                                                                           \
    ((type) == GND_I32   ? (T)i32_at(p)                                                            \
     : (type) == GND_I64 ? (T)i64_at(p)                                                            \
     : (type) == GND_F32 ? (T)f32_at(p)                                                            \
     : (type) == GND_F64 ? (T)f64_at(p)                                                            \
                         : (T) * (const unsigned char *)(p))

double gnd_scalar_get(const void *data, gnd_scalar type, int64_t i)
{
    const char *p = (const char *)data + i * (int64_t)gnd_scalar_size(type);

    return gnd_scalar_size(type) ? ITEM(double, p, type) : NAN;
}

void gnd_scalars_int64(int64_t *out, const void *data, gnd_scalar type, int64_t n)
{
    const int64_t size = (int64_t)gnd_scalar_size(type);

    for (int64_t i = 0; i < n; i++)
        out[i] = int_at((const char *)data + i * size, type);
}

int64_t gnd_scalars_int32(int32_t *out, const void *data, gnd_scalar type, int64_t n, int64_t limit)
{
    const int64_t size = (int64_t)gnd_scalar_size(type);

    for (int64_t i = 0; i < n; i++) {
        const int64_t v = int_at((const char *)data + i * size, type);

        if (v < 0 || v >= limit)
            return i;
        out[i] = (int32_t)v;
    }
    return n;
}

int64_t gnd_scalars_real(gnd_real *out, const void *data, gnd_scalar type, int64_t n,
                         int64_t stride)
{
    for (int64_t i = 0; i < n; i++) {
        out[i] = ITEM(gnd_real, (const char *)data + i * stride, type);
        if (!isfinite(out[i]))
            return i;
    }
    return n;
}
