/* SPDX-License-Identifier: Apache-2.0
 * Rounding to the integers of the process image. NaN becomes 0, what is too large the largest. */
#ifndef PP_NUMBERS_H
#define PP_NUMBERS_H

#include <math.h>
#include <stdint.h>

static inline double pp_clipped(double value, double low, double high)
{
    if (!(value > low)) return value <= low ? low : 0.0; /* NaN is neither */
    return value < high ? value : high;
}

static inline int32_t pp_int32(double value)
{
    return (int32_t)pp_clipped(floor(value + 0.5), INT32_MIN, INT32_MAX);
}

static inline int16_t pp_int16(double value)
{
    return (int16_t)pp_clipped(floor(value + 0.5), INT16_MIN, INT16_MAX);
}

#endif
