/* SPDX-License-Identifier: MIT */
#include "functions/states.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "status.h"

#define WORD sizeof(uint32_t)
#define TOLERANCE 1e-3

void state_json(const functions *f, const function_values *values, const void *state)
{
    const bool is_number = f->has_finish && values->count == 1;
    fputs(is_number ? "" : "[", stdout);
    for (uint32_t i = 0; i < values->count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        json_value(stdout, values->types[i], (const char *)state + i * WORD);
    }
    fputs(is_number ? "" : "]", stdout);
}

void state_text(const function_values *values, const void *state)
{
    for (uint32_t i = 0; i < values->count; i++) {
        char text[32];
        text_value(text, sizeof text, values->types[i], (const char *)state + i * WORD);
        printf(" %*s", values->count > 1 ? 14 : 0, text);
    }
    putchar('\n');
}

void states_reserve(const function_values *values, output *o, uint32_t dimensions)
{
    npy_reserve(o, functions_have_types(values) ? values->count : 0, dimensions + 1);
}

int states_finish(const function_values *values, output *o, uint32_t dimensions, uint64_t *shape)
{
    npy_field fields[MAX_STATE];
    char names[MAX_STATE][8];
    if (!functions_have_types(values)) {
        shape[dimensions] = values->count;
        return npy_finish_shape(o, values->types[0], dimensions + (values->count > 1), shape);
    }
    for (uint32_t i = 0; i < values->count; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i); /* as NumPy calls fields without a name */
        fields[i] = (npy_field){names[i], values->types[i], 1};
    }
    return npy_finish_fields(o, fields, values->count, dimensions, shape);
}

/* The float at an index of an array of words; the words need not be aligned. */
static double float_at(const void *words, uint64_t i)
{
    float value;
    memcpy(&value, (const char *)words + i * WORD, sizeof value);
    return (double)value;
}

static double find_scale(const function_values *values, states s, uint32_t value)
{
    double scale = 0;
    for (uint64_t i = 0; i < s.count; i++) {
        const double size = fabs(float_at(s.words, i * values->count + value));
        if (isfinite(size) && size > scale)
            scale = size;
    }
    return scale;
}

static bool is_close(double a, double b, double scale)
{
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= TOLERANCE * scale;
}

bool states_differ(const function_values *values, const void *found, states others, states sizes,
                   state_difference *d)
{
    for (uint32_t v = 0; v < values->count; v++) {
        const bool is_real = values->types[v] == VKR_TYPE_F32;
        const double scale = is_real ? fmax(find_scale(values, (states){found, others.count}, v),
                                            find_scale(values, sizes, v))
                                     : 0;
        for (uint64_t i = 0; i < others.count; i++) {
            const uint64_t at = i * values->count + v;
            const char *a = (const char *)found + at * WORD;
            const char *b = (const char *)others.words + at * WORD;
            if (is_real ? is_close(float_at(found, at), float_at(others.words, at), scale)
                        : memcmp(a, b, WORD) == 0)
                continue;
            d->state = i;
            d->value = v;
            text_value(d->found, sizeof d->found, values->types[v], a);
            text_value(d->other, sizeof d->other, values->types[v], b);
            return true;
        }
    }
    return false;
}

int states_exclude(const excluded_option *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].given)
            return fail(STATUS_USAGE, "--operator and --%s are both given; leave --%s out",
                        rows[i].name, rows[i].name);
    return STATUS_DONE;
}
