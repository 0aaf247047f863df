/* SPDX-License-Identifier: MIT */
/* The known elements and answers of the self-test. */
#include "selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../tables/types.h"

#define FEW 311u /* elements: fewer than a large workgroup, and not a multiple of a small one */
#define MANY VKR_SELF_MANY

#define EXTREMES (VKR_OP_MIN | VKR_OP_MAX)
#define TOTALS (VKR_OP_MIN | VKR_OP_SUM)

/* Each check needs one or two pipelines per group path, and compiling them takes most of the test's
 * time. Loads follow the tuning: texels or vectors after a head, or single elements if the view is
 * not tightly packed. */
/* clang-format off */
const vkr_self_check vkr_self_checks[VKR_SELF_CHECKS] = {
    {VKR_TYPE_I32, TOTALS | VKR_OP_ARGMIN | VKR_OP_XOR, VKR_REDUCE_AUTO, MANY, 3, 1, false, false},
    {VKR_TYPE_I32, TOTALS, VKR_REDUCE_AUTO, FEW, 1, 3, false, false},
    {VKR_TYPE_F32, EXTREMES, VKR_REDUCE_SUBGROUP, MANY, 0, 1, true, false},
    {VKR_TYPE_F32, TOTALS, VKR_REDUCE_AUTO, MANY, 5, 1, false, true},
    {VKR_TYPE_U8, EXTREMES, VKR_REDUCE_AUTO, MANY, 7, 1, false, false},
    {VKR_TYPE_I64, TOTALS, VKR_REDUCE_AUTO, MANY, 1, 1, false, false},
    {VKR_TYPE_F64, TOTALS, VKR_REDUCE_AUTO, MANY, 0, 1, false, false},
};
/* clang-format on */

const vkr_self_move vkr_self_moves[VKR_SELF_MOVES] = {
    {VKR_SELF_SCAN, VKR_SCAN_REDUCE_THEN_SCAN, VKR_OP_MAX, false},
    {VKR_SELF_SCAN, VKR_SCAN_SINGLE_PASS, VKR_OP_SUM, true},
    {VKR_SELF_COMPACT, VKR_COMPACT_AUTO, (VkrOp)0, false},
    [VKR_SELF_SORTED] = {VKR_SELF_SORT, VKR_SORT_THREE_PASS, (VkrOp)0, false},
    {VKR_SELF_TOP_K, 0, (VkrOp)0, false},
    {VKR_SELF_BOUNDS, 0, (VkrOp)0, false},
};

bool vkr_is_known_nan(const vkr_self_check *c, uint32_t i)
{
    return c->nan && i % 13 == 5;
}

int64_t vkr_known_value(const vkr_self_check *c, uint32_t i)
{
    const vkr_type_info *type = &vkr_types[c->type];
    uint64_t bits = (i + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    bits ^= bits >> 29;
    if (type->is_float)
        return (int64_t)(bits % 1601) - 800;
    const uint64_t sign = type->is_signed ? UINT64_C(1) << (8 * type->size - 1) : 0;
    bits &= UINT64_MAX >> (64 - 8 * type->size);
    return (int64_t)((bits ^ sign) - sign);
}

uint64_t vkr_encode_known(VkrType type, uint64_t number)
{
    const float f32 = (float)(int64_t)number;
    const double f64 = (double)(int64_t)number;
    uint32_t bits;
    switch (type) {
    case VKR_TYPE_F32:
        memcpy(&bits, &f32, sizeof bits);
        return bits;
    case VKR_TYPE_F64:
        memcpy(&number, &f64, sizeof number);
        return number;
    default:
        return number;
    }
}

uint64_t vkr_known_answer(const vkr_self_check *c, VkrOp op, VkrType type)
{
    int64_t min = INT64_MAX;
    int64_t max = INT64_MIN;
    uint64_t sum = 0;
    uint64_t bits = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const int64_t value = vkr_known_value(c, i);
        if (vkr_is_known_nan(c, i))
            continue;
        at = value < min ? i : at;
        min = value < min ? value : min;
        max = value > max ? value : max;
        sum += (uint64_t)value;
        bits ^= (uint64_t)value;
    }
    switch (op) {
    case VKR_OP_MIN:
        return vkr_encode_known(type, (uint64_t)min);
    case VKR_OP_MAX:
        return vkr_encode_known(type, (uint64_t)max);
    case VKR_OP_SUM:
        return vkr_encode_known(type, sum);
    case VKR_OP_XOR:
        return bits;
    default:
        return at; /* argmin */
    }
}

void vkr_print_known(char text[32], VkrType type, uint64_t bits)
{
    const vkr_type_info *info = &vkr_types[type];
    const uint64_t sign = UINT64_C(1) << (8 * info->size - 1);
    const uint32_t low = (uint32_t)bits;
    float f32;
    double f64;
    memcpy(&f32, &low, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (info->is_float)
        (void)snprintf(text, 32, "%.17g", info->size == 4 ? (double)f32 : f64);
    else if (info->is_signed)
        (void)snprintf(text, 32, "%" PRId64, (int64_t)((bits ^ sign) - sign));
    else
        (void)snprintf(text, 32, "%" PRIu64, bits);
}

VkrReduceInfo vkr_self_reduction(const vkr_self_test *test, uint32_t i)
{
    const vkr_self_check *c = &vkr_self_checks[i];
    const uint32_t size = vkr_types[c->type].size;
    const VkDeviceSize region = (VkDeviceSize)i * VKR_SELF_REGION;
    VkrTexels texels = {0};
    if (c->texels)
        texels = (VkrTexels){.view = test->texels, .offset = region, .size = VKR_SELF_REGION};
    return (VkrReduceInfo){.label = "vkreduce self-test",
                           .ops = c->ops,
                           .input = {.buffer = test->buffer,
                                     .offset = region + (VkDeviceSize)c->skip * size,
                                     .size = ((VkDeviceSize)(c->count - 1) * c->stride + 1) * size,
                                     .type = c->type,
                                     .stride = (VkDeviceSize)c->stride * size,
                                     .texels = texels},
                           .count = c->count,
                           .output = {.buffer = test->buffer,
                                      .offset = (VkDeviceSize)VKR_SELF_CHECKS * VKR_SELF_REGION +
                                                (VkDeviceSize)i * VKR_SELF_SLOT,
                                      .size = VKR_SELF_SLOT},
                           .algorithm = c->algorithm};
}
