/* SPDX-License-Identifier: MIT */
#include "input/number.h"

bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return value >= min && value <= max;
}
