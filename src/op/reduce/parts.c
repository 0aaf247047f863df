/* SPDX-License-Identifier: MIT */
/* Wholes whose parts lie on several devices: what the host computes from the data of parts. */
#include <string.h>

#include "../../tables/types.h"

#include "vkreduce/parts.h"

/* ---- Cuts ---- */

static bool is_part(uint64_t first, uint64_t count, uint64_t whole)
{
    return first <= whole && count <= whole - first;
}

/* The first multiple of the block at or after an index, but at most the end of the whole. */
static uint64_t next_block(uint64_t index, uint64_t whole, uint64_t block)
{
    const uint64_t past = index % block;
    return past == 0 ? index : block - past < whole - index ? index + (block - past) : whole;
}

VkrResult vkrCutPart(uint64_t first, uint64_t count, uint64_t whole, uint64_t block,
                     VkrPartCut *cut)
{
    if (cut == NULL || block == 0 || !is_part(first, count, whole))
        return VKR_ERROR_INVALID_ARGUMENT;
    const uint64_t end = first + count;
    const uint64_t start = next_block(first, whole, block);
    if (start >= end) {
        *cut = (VkrPartCut){.sent = count, .first = start};
        return VKR_SUCCESS;
    }
    const uint64_t owned_end = next_block(end, whole, block);
    *cut = (VkrPartCut){.sent = start - first,
                        .first = start,
                        .count = owned_end - start,
                        .received = owned_end - end};
    return VKR_SUCCESS;
}

VkrResult vkrGetPartialsRange(const VkrReduceLayout *layout, uint64_t whole, uint64_t first,
                              uint64_t count, VkDeviceSize *offset, VkDeviceSize *size)
{
    const uint64_t blocks = whole / VKR_TREE_BLOCK + (whole % VKR_TREE_BLOCK != 0);
    if (layout == NULL || offset == NULL || size == NULL || !is_part(first, count, whole) ||
        layout->segments != 1)
        return VKR_ERROR_INVALID_ARGUMENT;
    const uint64_t end = first + count;
    if ((first % VKR_TREE_BLOCK != 0 && first != whole) ||
        (end % VKR_TREE_BLOCK != 0 && end != whole))
        return VKR_ERROR_INVALID_ARGUMENT;
    if (blocks != 0 ? layout->partialsSize % blocks != 0 || layout->partialsSize == 0
                    : layout->partialsSize != 0)
        return VKR_ERROR_INVALID_ARGUMENT;
    /* The planner stores the partial of block i at i times its size (plan.c). */
    const VkDeviceSize each = blocks != 0 ? layout->partialsSize / blocks : 0;
    const uint64_t first_block = first == whole ? blocks : first / VKR_TREE_BLOCK;
    const uint64_t end_block = end == whole ? blocks : end / VKR_TREE_BLOCK;
    *offset = first_block * each;
    *size = (end_block - first_block) * each;
    return VKR_SUCCESS;
}

/* ---- Totals ---- */

typedef uint64_t (*combine_function)(const vkr_type_info *type, VkrOp op, VkrNan nan, uint64_t a,
                                     uint64_t b);

static uint64_t mask_of(const vkr_type_info *type)
{
    return UINT64_MAX >> (64 - 8 * type->size);
}

static uint64_t sign_of(const vkr_type_info *type)
{
    return UINT64_C(1) << (8 * type->size - 1);
}

static uint64_t infinity_of(const vkr_type_info *type)
{
    return (mask_of(type) >> 1) & ~((UINT64_C(1) << type->fraction) - 1);
}

static bool is_nan(const vkr_type_info *type, uint64_t bits)
{
    return type->is_float && (bits & ~sign_of(type)) > infinity_of(type);
}

static uint64_t canonical_nan(const vkr_type_info *type)
{
    return infinity_of(type) | UINT64_C(1) << (type->fraction - 1);
}

/* Keys order values as unsigned numbers. */
static uint64_t key_of(const vkr_type_info *type, uint64_t bits)
{
    const bool turns = type->is_float && (bits & sign_of(type)) != 0;
    return bits ^ (turns ? mask_of(type) : type->is_float || type->is_signed ? sign_of(type) : 0);
}

static uint64_t extreme(const vkr_type_info *type, VkrOp op, VkrNan nan, uint64_t a, uint64_t b)
{
    const bool nan_a = is_nan(type, a), nan_b = is_nan(type, b);
    if (nan_a || nan_b)
        return nan == VKR_NAN_PROPAGATE || (nan_a && nan_b) ? canonical_nan(type) : nan_a ? b : a;
    return (key_of(type, a) < key_of(type, b)) == (op == VKR_OP_MIN) ? a : b;
}

static uint64_t integer(const vkr_type_info *type, VkrOp op, VkrNan nan, uint64_t a, uint64_t b)
{
    const uint64_t result = op == VKR_OP_SUM       ? a + b
                            : op == VKR_OP_PRODUCT ? a * b
                            : op == VKR_OP_AND     ? (a & b)
                            : op == VKR_OP_OR      ? (a | b)
                                                   : (a ^ b);
    (void)nan;
    return result & mask_of(type);
}

/* Replaces magnitudes below `least` by +0, as level DEVICE does, and every NaN by one. */
static uint64_t flush(const vkr_type_info *type, uint64_t bits, uint64_t least)
{
    const uint64_t magnitude = bits & ~sign_of(type);
    return is_nan(type, bits) ? canonical_nan(type) : magnitude < least ? 0 : bits;
}

/* One operation, rounded once. In the format of doubles, two roundings of an operation on floats
 * give what one does. A volatile result has no excess precision. */
static uint64_t compute(const vkr_type_info *type, VkrOp op, uint64_t a, uint64_t b)
{
    uint64_t bits = 0;
    if (type->size == 4) {
        const uint32_t low_a = (uint32_t)a, low_b = (uint32_t)b;
        float x, y;
        memcpy(&x, &low_a, sizeof(x));
        memcpy(&y, &low_b, sizeof(y));
        const volatile float z = (float)(op == VKR_OP_SUM ? (double)x + y : (double)x * y);
        const float result = z;
        uint32_t low;
        memcpy(&low, &result, sizeof(low));
        bits = low;
    } else {
        double x, y;
        memcpy(&x, &a, sizeof(x));
        memcpy(&y, &b, sizeof(y));
        const volatile double z = op == VKR_OP_SUM ? x + y : x * y;
        const double result = z;
        memcpy(&bits, &result, sizeof(bits));
    }
    return bits;
}

/* Subnormal initial values count as +0. */
static uint64_t flush_initial(const vkr_type_info *type, uint64_t bits)
{
    const uint64_t normal = UINT64_C(1) << type->fraction;
    return (bits & ~sign_of(type)) == 0 ? bits : flush(type, bits, normal);
}

static uint64_t real(const vkr_type_info *type, VkrOp op, VkrNan nan, uint64_t a, uint64_t b)
{
    const uint64_t normal = UINT64_C(1) << type->fraction; /* the smallest normal number */
    const uint64_t z = compute(type, op, a, b);
    (void)nan;
    return flush(type, z, op == VKR_OP_PRODUCT ? normal + 1 : normal);
}

/* The function of an operator; NULL if results of such scans never have the type. */
static combine_function combine_of(VkrOp op, const vkr_type_info *type)
{
    switch ((uint32_t)op) {
    case VKR_OP_MIN:
    case VKR_OP_MAX:
        return extreme;
    case VKR_OP_SUM:
    case VKR_OP_PRODUCT:
        return type->size < 4 ? NULL : type->is_float ? real : integer;
    case VKR_OP_AND:
    case VKR_OP_OR:
    case VKR_OP_XOR:
        return type->is_float ? NULL : integer;
    default:
        return NULL;
    }
}

static uint64_t load(const unsigned char *at, uint32_t size)
{
    uint64_t bits = 0;
    for (uint32_t i = size; i > 0; i--)
        bits = bits << 8 | at[i - 1];
    return bits;
}

static void store(unsigned char *at, uint32_t size, uint64_t bits)
{
    for (uint32_t i = 0; i < size; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

VkrResult vkrAddTotals(VkrOp op, VkrType type, uint32_t components, VkrNan nan, uint64_t count,
                       const void *totals, void *prefix)
{
    const vkr_type_info *info = (uint32_t)type < VKR_TYPE_COUNT ? &vkr_types[type] : &vkr_types[0];
    const combine_function combine = info->size != 0 ? combine_of(op, info) : NULL;
    if (combine == NULL || components == 0 || components > VKR_MAX_COMPONENTS ||
        (nan != VKR_NAN_IGNORE && nan != VKR_NAN_PROPAGATE) || prefix == NULL ||
        (totals == NULL && count != 0))
        return VKR_ERROR_INVALID_ARGUMENT;
    const unsigned char *from = totals;
    for (uint32_t c = 0; c < components; c++) {
        unsigned char *to = (unsigned char *)prefix + c * info->size;
        uint64_t value = load(to, info->size);
        if (combine == real && count != 0)
            value = flush_initial(info, value);
        for (uint64_t i = 0; i < count; i++)
            value = combine(info, op, nan, value,
                            load(from + (i * components + c) * info->size, info->size));
        store(to, info->size, value);
    }
    return VKR_SUCCESS;
}
