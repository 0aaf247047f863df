/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include "input/value.h"
#include "output/text.h"

void format_value(char *text, size_t size, VkrType type, const void *value, int digits)
{
    double real;
    if (!value_as_float(type, value, &real)) {
        if (is_signed(type))
            snprintf(text, size, "%" PRId64, value_as_signed(type, value));
        else
            snprintf(text, size, "%" PRIu64, value_as_unsigned(type, value));
    } else if (isnan(real)) {
        snprintf(text, size, "nan");
    } else if (isinf(real)) {
        snprintf(text, size, "%s", real < 0.0 ? "-inf" : "inf");
    } else if (real == 0.0) {
        snprintf(text, size, "%s", signbit(real) ? "-0.0" : "0");
    } else {
        snprintf(text, size, "%.*g", digits, real);
    }
}

void text_value(char *text, size_t size, VkrType type, const void *value)
{
    static const int digits[VKR_TYPE_COUNT] = {
        [VKR_TYPE_F16] = 5, [VKR_TYPE_F32] = 9, [VKR_TYPE_F64] = 17, [VKR_TYPE_BF16] = 4};
    format_value(text, size, type, value, digits[type]);
}
