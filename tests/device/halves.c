/* SPDX-License-Identifier: MIT */
/*
 * Every f16 converts to the same number as an f32 on every driver, including infinities, subnormals
 * and zeros of both signs; NaN becomes the NaN of results. The same holds for bf16, except that a
 * driver may flush its subnormals, which are subnormals of f32. A product of one value and ones
 * equals that value. Each value is reduced on its own, by vkrCmdReduce with wide loads, and as a
 * row of one element; each driver runs its share of the reductions with wide loads. Minima and
 * maxima include the infinities and the NaN of their type.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "harness.h"

#define HALVES 65536u
#define LENGTH 8u   /* 16-bit values in a load of 16 bytes */
#define SUBMITS 16u /* to cover all 16-bit values */

static harness h;
static VkrContext context;
static VkrRecorder recorder;
static harness_buffer input, output;
static VkDeviceSize spacing; /* distance between single results */

static const VkrType types[] = {VKR_TYPE_F16, VKR_TYPE_BF16};

/* The bits of the f32 that equals an f16, from the definition of both formats. */
static uint32_t number_of_f16(uint32_t bits)
{
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float value = (float)(exponent == 0 ? fraction : 1024 + fraction);
    uint32_t word;
    if (exponent == 31 && fraction != 0)
        return 0x7fc00000;
    for (uint32_t e = exponent == 0 ? 1 : exponent; e < 25; e++)
        value *= 0.5f;
    for (uint32_t e = exponent; e > 25; e--)
        value *= 2;
    memcpy(&word, &value, sizeof(word));
    if (exponent == 31)
        word = 0x7f800000;
    return word | (bits & 0x8000) << 16;
}

static uint32_t number_of(VkrType type, uint32_t bits)
{
    if (type == VKR_TYPE_F16)
        return number_of_f16(bits);
    return (bits & 0x7fff) > 0x7f80 ? 0x7fc00000 : bits << 16;
}

static int open_all(void **state)
{
    const VkrRecorderInfo info = {.label = "halves"};
    (void)state;
    if (!harness_context(&h, NULL, &context) ||
        !harness_check(&h, vkrCreateRecorder(context, &info, &recorder), "vkrCreateRecorder"))
        return -1;
    if (!vkrIsTypeSupported(context, VKR_TYPE_F16)) {
        printf("# no floats of 16 bits here\n");
        return 0;
    }
    spacing = h.properties.limits.minStorageBufferOffsetAlignment;
    if (spacing < 4)
        spacing = 4;
    if (!harness_create_buffer(&h, (VkDeviceSize)2 * LENGTH * HALVES, &input) ||
        !harness_create_buffer(&h, spacing * HALVES, &output))
        return -1;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    return 0;
}

static void begin(void)
{
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
}

static void submit(void)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h) && harness_submit(&h));
    assert_true(harness_check(&h, vkrReset(recorder), "vkrReset"));
}

static bool is_right(VkrType type, uint32_t word, uint32_t right)
{
    const bool is_flushed =
        type == VKR_TYPE_BF16 && (right & 0x7f800000) == 0 && (word & 0x7fffffff) == 0;
    return word == right || is_flushed;
}

/* Checks the results of every step-th value, which are `stride` bytes apart. */
static void compare(VkrType type, uint32_t first, uint32_t step, VkDeviceSize stride)
{
    uint32_t wrong = 0;
    for (uint32_t bits = first; bits < HALVES; bits += step) {
        const uint32_t right = number_of(type, bits);
        uint32_t word;
        memcpy(&word, (char *)output.data + bits * stride, sizeof(word));
        if (!is_right(type, word, right) && wrong++ < 10)
            printf("# %04x is %08x, but should be %08x\n", bits, word, right);
    }
    if (wrong != 0)
        printf("# %s: %u wrong\n", vkrTypeName(type), wrong);
    assert_int_equal(wrong, 0);
}

static VkrReduceInfo product_of(VkrType type, uint32_t first, uint32_t count)
{
    return (VkrReduceInfo){.ops = VKR_OP_PRODUCT,
                           .input = {.buffer = input.buffer,
                                     .offset = (VkDeviceSize)2 * first,
                                     .size = (VkDeviceSize)2 * count,
                                     .type = type},
                           .count = count};
}

static void check_single(VkrType type)
{
    const uint16_t one = type == VKR_TYPE_F16 ? 0x3c00 : 0x3f80;
    uint16_t *halves = input.data;
    for (uint32_t i = 0; i < LENGTH * HALVES; i++)
        halves[i] = (uint16_t)(i % LENGTH == i / LENGTH % LENGTH ? i / LENGTH : one);
    memset(output.data, 0xcd, output.size);
    /* Every submit contains values of all exponents. */
    for (uint32_t first = 0; first < SUBMITS; first++) {
        if (!harness_has_case(first))
            continue;
        begin();
        for (uint32_t i = first; i < HALVES; i += SUBMITS) {
            VkrReduceInfo info = product_of(type, LENGTH * i, LENGTH);
            info.output = (VkrBufferRange){output.buffer, i * spacing, 4};
            assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
        }
        submit();
        compare(type, first, SUBMITS, spacing);
    }
}

static void test_single(void **state)
{
    (void)state;
    if (input.data == NULL)
        skip();
    for (size_t t = 0; t < 2; t++)
        check_single(types[t]);
}

static void check_rows(VkrType type)
{
    uint16_t *halves = input.data;
    VkrReduceInfo info = product_of(type, 0, HALVES);
    VkrReduceLayout layout;
    for (uint32_t i = 0; i < HALVES; i++)
        halves[i] = (uint16_t)i;
    memset(output.data, 0xcd, output.size);
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 1};
    assert_true(harness_check(&h, vkrGetReduceLayout(context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    begin();
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    submit();
    compare(type, 0, 1, layout.stride);
}

static void test_rows(void **state)
{
    (void)state;
    if (input.data == NULL)
        skip();
    for (size_t t = 0; t < 2; t++)
        check_rows(types[t]);
}

/* ---- Keys ---- */

#define SOME 4u /* elements */
#define NEGATIVE 0x8000

/* Values of either type; results contain QUIET instead of the NaN LOUD. */
enum { ZERO, ONE, INF, QUIET, LOUD };

/* Elements, and their minimum and maximum. */
typedef struct key_row {
    VkrNan nan;
    uint32_t count;
    uint16_t elements[SOME], results[2];
} key_row;
static const key_row keys[] = {
    {VKR_NAN_IGNORE, 4, {LOUD, ONE, NEGATIVE | ONE, QUIET}, {NEGATIVE | ONE, ONE}},
    {VKR_NAN_IGNORE, 4, {INF, NEGATIVE | INF, ZERO, ONE}, {NEGATIVE | INF, INF}},
    {VKR_NAN_IGNORE, 3, {INF, NEGATIVE | LOUD, INF}, {INF, INF}},
    {VKR_NAN_IGNORE, 2, {NEGATIVE | LOUD, NEGATIVE | QUIET}, {QUIET, QUIET}},
    {VKR_NAN_IGNORE, 0, {0}, {INF, NEGATIVE | INF}},
    {VKR_NAN_PROPAGATE, 3, {ONE, NEGATIVE | INF, INF}, {NEGATIVE | INF, INF}},
    {VKR_NAN_PROPAGATE, 3, {ONE, LOUD, INF}, {QUIET, QUIET}},
};

static uint16_t bits_of(VkrType type, uint16_t value)
{
    static const uint16_t bits[2][5] = {{0, 0x3c00, 0x7c00, 0x7e00, 0x7c01},
                                        {0, 0x3f80, 0x7f80, 0x7fc0, 0x7f81}};
    return (uint16_t)(bits[type == VKR_TYPE_BF16][value & 0x7fff] | (value & NEGATIVE));
}

static void check_keys(VkrType type, const key_row *row)
{
    uint16_t *halves = input.data;
    const uint16_t *results = output.data;
    VkrReduceInfo info = product_of(type, 0, SOME);
    VkrReduceLayout layout;
    for (uint32_t i = 0; i < row->count; i++)
        halves[i] = bits_of(type, row->elements[i]);
    info.ops = VKR_OP_MIN | VKR_OP_MAX;
    info.count = row->count;
    info.nan = row->nan;
    assert_true(harness_check(&h, vkrGetReduceLayout(context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    begin();
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    submit();
    assert_int_equal(results[layout.results[0].offset / 2], bits_of(type, row->results[0]));
    assert_int_equal(results[layout.results[1].offset / 2], bits_of(type, row->results[1]));
}

static void test_keys(void **state)
{
    (void)state;
    if (input.data == NULL)
        skip();
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
            check_keys(types[t], &keys[i]);
}

HARNESS_MAIN(h, "halves", open_all, close_all, cmocka_unit_test(test_single),
             cmocka_unit_test(test_rows), cmocka_unit_test(test_keys))
