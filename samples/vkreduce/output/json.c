/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include "input/value.h"
#include "output/json.h"
#include "output/text.h"

/* The size in bytes of the UTF-8 character at `text`; 0 if there is no valid one, since file names
 * may contain any bytes. Overlong forms and surrogates are not valid. */
static int character_size(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const int size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90) || c[0] > 0xf4)
        return 0;
    return size;
}

void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        const int size = character_size(text);
        if (size == 0)
            fputs("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (size == 1 && *text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fprintf(out, "%.*s", size, text);
        text += size > 0 ? size : 1;
    }
    fputc('"', out);
}

void json_value(FILE *out, VkrType type, const void *value)
{
    char text[32];
    double real;
    format_value(text, sizeof text, type, value, 17);
    if (value_as_float(type, value, &real) && !isfinite(real))
        json_string(out, text);
    else
        fputs(text, out);
}

void json_values(FILE *out, VkrType type, const void *values, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (count > 1)
            fputc(i == 0 ? '[' : ',', out);
        json_value(out, type, (const char *)values + i * stride);
    }
    if (count > 1)
        fputc(']', out);
}
