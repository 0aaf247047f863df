/* SPDX-License-Identifier: MIT */
/*
 * Numbers as text, as on the command line and in headers: whole numbers between limits, and
 * constants of every type, compared with decimal arithmetic on strings. A value that is printed
 * must be read as the same value.
 *
 * The first byte is a type of constants, or 0 for a whole number, whose limits follow in 16 bytes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/number.h"
#include "input/value.h"
#include "output/text.h"
#include "said.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* The digits without leading zeros; NULL if the text is empty or has anything else. */
static const char *plain_digits(const char *text)
{
    if (*text == '\0' || text[strspn(text, "0123456789")] != '\0')
        return NULL;
    text += strspn(text, "0");
    return *text == '\0' ? text - 1 : text;
}

/* Whether a number in plain digits is at most `most`. */
static bool is_up_to(const char *digits, uint64_t most)
{
    char limit[24];
    snprintf(limit, sizeof limit, "%" PRIu64, most);
    return strlen(digits) != strlen(limit) ? strlen(digits) < strlen(limit)
                                           : strcmp(digits, limit) <= 0;
}

/* ---- Whole numbers ---- */

static void try_whole(const char *text, uint64_t least, uint64_t most)
{
    uint64_t number = 0, counted = 0;
    char again[24];
    const char *digits = plain_digits(text);
    const bool right =
        digits != NULL && is_up_to(digits, most) && (least == 0 || !is_up_to(digits, least - 1));
    EXPECT(parse_number(text, least, most, &number) == right,
           "'%s' from %" PRIu64 " to %" PRIu64 " is %s", text, least, most,
           right ? "refused" : "accepted");
    snprintf(again, sizeof again, "%" PRIu64, number);
    EXPECT(!right || strcmp(again, digits) == 0, "'%s' is read as %s", text, again);
    EXPECT(digits == NULL || strlen(digits) > 90 ||
               (parse_count(text, least, most, &counted) == right && (!right || counted == number)),
           "the count '%s' is another number", text);
    EXPECT(!parse_count(text, 0, UINT64_MAX, &counted) ||
               (parse_size(text, 0, UINT64_MAX, &number) && number == counted),
           "the size '%s' is another number", text);
}

/* ---- Constants ---- */

static bool is_integer_text(const char *text, VkrType type)
{
    const bool negative = text[0] == '-';
    const char *digits = plain_digits(text + (negative || text[0] == '+'));
    const uint64_t greatest = UINT64_MAX >> (64 - 8 * vkrTypeSize(type) + is_signed(type));
    return digits != NULL && is_up_to(digits, !negative         ? greatest
                                              : is_signed(type) ? greatest + 1
                                                                : 0);
}

static bool is_float_text(const char *text)
{
    char *end;
    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

/* Prints the value, which must be read as the same bits, or as NaN again. */
static void print_and_read(VkrType type, const void *bits)
{
    char text[40];
    unsigned char again[8] = {0};
    VkrConstant constant;
    text_value(text, sizeof text, type, bits);
    EXPECT(said_right(parse_constant("again", text, type, &constant)), "%s", said());
    constant_bits(type, constant, again);
    EXPECT(memcmp(again, bits, vkrTypeSize(type)) == 0 ||
               (isnan(value_as_double(type, bits)) && isnan(value_as_double(type, again))),
           "'%s' of %s is read as something else", text, vkrTypeName(type));
}

static void try_constant(const char *text, VkrType type)
{
    unsigned char bits[8] = {0};
    VkrConstant constant;
    const bool right = type >= VKR_TYPE_F16 ? is_float_text(text) : is_integer_text(text, type);
    said_nothing();
    const bool accepted = said_right(parse_constant("a number", text, type, &constant));
    EXPECT(accepted == right, "'%s' for %s: %s", text, vkrTypeName(type), said());
    if (!accepted)
        return;
    constant_bits(type, constant, bits);
    print_and_read(type, bits);
    if (type < VKR_TYPE_F16) {
        char found[40];
        text_value(found, sizeof found, type, bits);
        const char *digits = plain_digits(text + strcspn(text, "0123456789"));
        EXPECT(strcmp(digits, found + (found[0] == '-')) == 0 &&
                   (found[0] == '-') == (text[0] == '-' && strcmp(digits, "0") != 0),
               "'%s' is read as %s", text, found);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    const VkrType type = (VkrType)fuzz_below(&bytes, VKR_TYPE_COUNT);
    if (type != VKR_TYPE_UNDEFINED) {
        char *text = fuzz_text(&bytes);
        try_constant(text, type);
        free(text);
        return 0;
    }
    const uint64_t least = fuzz_below(&bytes, UINT64_MAX), most = fuzz_below(&bytes, UINT64_MAX);
    char *text = fuzz_text(&bytes);
    try_whole(text, least, most);
    try_whole(text, 0, UINT64_MAX);
    free(text);
    return 0;
}
