/* SPDX-License-Identifier: MIT */
#include "oracle_apply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_functions.h"
#include "oracle_histogram.h"
#include "oracle_map.h"

#define U 0x1p-24

static float flushed(float v)
{
    return fabsf(v) <= 0x1p-126f ? 0.0f : v;
}

/* What all elements of a segment have in common, as exact as doubles are. */
typedef struct summary {
    bool has_nan, whole; /* whole: elements are integers */
    double least, most;
    double total, magnitudes;
    double mean, spread, deviation; /* spread: the mean of |x - mean| */
    double exps;                    /* the sum of exp(x - most), each correct */
    float few;                      /* the same of one or two elements, bit for bit */
} summary;

static double exp_below(float x, double most)
{
    volatile float below = x - (float)most;
    return exp((double)below);
}

static summary summary_of(uint64_t count, const float *x)
{
    summary s = {.whole = true, .least = HUGE_VAL, .most = -HUGE_VAL};
    long double total = 0, spread = 0, squares = 0, exps = 0;
    for (uint64_t i = 0; i < count; i++) {
        s.has_nan = s.has_nan || isnan(x[i]);
        s.least = fmin(s.least, (double)x[i]);
        s.most = fmax(s.most, (double)x[i]);
        s.whole = s.whole && x[i] == floorf(x[i]);
        s.magnitudes += fabs((double)x[i]);
        total += (long double)x[i];
    }
    s.total = (double)total;
    s.mean = (double)(total / (long double)count);
    for (uint64_t i = 0; i < count; i++) {
        const long double from = (long double)x[i] - (long double)s.mean;
        spread += fabsl(from);
        squares += from * from;
        exps += (long double)exp_below(x[i], s.most);
        volatile float below = x[i] - (float)s.most, sum = s.few + oracle_exp(below);
        s.few = sum;
    }
    s.spread = (double)(spread / (long double)count);
    s.deviation = (double)sqrtl(squares / (long double)count);
    s.exps = (double)exps;
    return s;
}

/* K of apply.h, times the unit of roundings. */
static double roundings(uint64_t count)
{
    return U * (160 + (double)count / 0x1p18);
}

static oracle_output softmax(const summary *s, uint64_t count, float x)
{
    volatile float below = x - (float)s->most;
    if (count <= 2) {
        volatile float inverse = 1.0f / s->few, share = oracle_exp(below) * inverse;
        return (oracle_output){(double)flushed(share), 0};
    }
    const double value = exp((double)below) / s->exps;
    return (oracle_output){value, value * (roundings(count) + 16 * U) + 0x1p-125};
}

static oracle_output log_softmax(const summary *s, uint64_t count, float x)
{
    volatile float below = x - (float)s->most;
    const double log_ = log(s->exps), value = (double)below - log_;
    if (count == 1)
        return (oracle_output){(double)flushed(below), 0};
    return (oracle_output){value,
                           isinf(value) ? 0 : roundings(count) + U * (8 + 12 * log_ + fabs(value))};
}

/* A quotient with an error below 0.51 units, of which the divisor has a relative error. */
static oracle_output quotient(double a, double b, double error)
{
    const double value = a / b;
    if (!(error <= 0.25))
        return (oracle_output){value, HUGE_VAL};
    if (isnan(value) || isinf(value) || flushed((float)value) == 0.0f)
        return (oracle_output){value, error == 0 ? 0 : 0x1p-125};
    return (oracle_output){value, error == 0 ? fabs(value) * U / 100
                                             : fabs(value) * (2 * error + 2 * U) + 0x1p-125};
}

static bool is_whole(const summary *s)
{
    return s->magnitudes < 0x1p24 && s->whole;
}

static oracle_output share(const summary *s, uint64_t count, float x)
{
    volatile float total = (float)s->total;
    if (isinf(s->magnitudes) || count <= 2 || is_whole(s))
        return quotient((double)x, (double)flushed(total), 0);
    if (s->magnitudes > 0x1p127) /* sums may overflow */
        return (oracle_output){0, HUGE_VAL};
    return quotient((double)x, s->total, roundings(count) * s->magnitudes / fabs(s->total));
}

static oracle_output standardised(const summary *s, uint64_t count, float x)
{
    if (s->least == s->most || !isfinite(s->mean))
        return (oracle_output){NAN, 0};
    const double shift =
        U * (2 * fabs(s->mean) + 0x1p-100) + (roundings(count) + 4 * U) * s->spread;
    const double off = shift / s->deviation, value = ((double)x - s->mean) / s->deviation;
    if (off > 0.25 || s->deviation < 0x1p-50 || s->deviation > 0x1p50)
        return (oracle_output){value, HUGE_VAL};
    const double error = (roundings(count) + 12 * U) / 2 + off * off;
    return (oracle_output){value, fabs(value) * (2 * error + 4 * U) + 2 * off + 0x1p-125};
}

static oracle_output rescaled(const summary *s, float x)
{
    volatile float width = (float)s->most - (float)s->least, from = x - (float)s->least;
    return quotient((double)flushed(from), (double)flushed(width), 0);
}

void oracle_apply(VkrApplyFunction function, uint64_t count, const float *elements,
                  oracle_output *outputs)
{
    const summary s = summary_of(count, elements);
    const bool is_exp = function == VKR_APPLY_SOFTMAX || function == VKR_APPLY_LOG_SOFTMAX;
    for (uint64_t i = 0; i < count; i++) {
        const float x = elements[i];
        outputs[i] = s.has_nan || (is_exp && isinf(s.most)) ? (oracle_output){NAN, 0}
                     : function == VKR_APPLY_SOFTMAX        ? softmax(&s, count, x)
                     : function == VKR_APPLY_LOG_SOFTMAX    ? log_softmax(&s, count, x)
                     : function == VKR_APPLY_SHARE          ? share(&s, count, x)
                     : function == VKR_APPLY_STANDARDISED   ? standardised(&s, count, x)
                                                            : rescaled(&s, x);
    }
}

bool oracle_accepts_output(const oracle_output *output, VkrType type, const void *actual)
{
    const size_t size = vkrTypeSize(type);
    const uint32_t zero = 0;
    uint32_t bits = 0;
    const double is = oracle_double(type, actual);
    if (output->tolerance == HUGE_VAL)
        return true;
    if (!isnan(output->value) && !isinf(output->value) && output->tolerance != 0) {
        double least = output->value - output->tolerance, most = output->value + output->tolerance;
        unsigned char low[8], high[8];
        /* The result is one of f32 before it is rounded to its type, so it can be half-way between
         * two values of f16 where the exact one is not. */
        oracle_encode(type, (double)(float)least, low);
        oracle_encode(type, (double)(float)most, high);
        least = oracle_double(type, low);
        most = oracle_double(type, high);
        return is >= least && is <= most && (is != 0 || memcmp(actual, &zero, size) == 0);
    }
    const float rounded = flushed((float)output->value); /* of which there is one in f32 */
    oracle_encode(type, isnan(rounded) ? (double)NAN : (double)rounded, &bits);
    return memcmp(actual, isnan(output->value) || rounded != 0.0f ? &bits : &zero, size) == 0;
}
