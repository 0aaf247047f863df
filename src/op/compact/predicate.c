/* SPDX-License-Identifier: MIT */
/* The predicate of a compaction: its checks, and the word and the constants that describe it to the
 * kernel. */
#include "../../core/function.h"
#include "../../plan/bits.h"
#include "../../plan/call.h"
#include "../../plan/order.h"
#include "compact.h"

#include <inttypes.h>
#include <string.h>

#define SAME(name) _Static_assert(VKR_COMPARE_##name == VKR_IS_##name, #name)
SAME(EQUAL);
SAME(NOT_EQUAL);
SAME(LESS);
SAME(LESS_EQUAL);
SAME(GREATER);
SAME(GREATER_EQUAL);

static VkrResult check_compares(const vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const vkr_walk *w = &c->walk;
    VKR_TRY(vkr_check_choice(w, "predicate.compare", (int)p->compare, VKR_COMPARE_COUNT));
    VKR_TRY(vkr_check_choice(w, "predicate.compare2", (int)p->compare2, VKR_COMPARE_COUNT));
    VKR_MUST(w, p->kind != VKR_PREDICATE_COMPARE || p->compare != VKR_COMPARE_NONE,
             "predicate.compare is VKR_COMPARE_NONE, but must be a relation where predicate.kind "
             "is compare.");
    VKR_MUST(w,
             p->kind != VKR_PREDICATE_BITS || p->compare == VKR_COMPARE_EQUAL ||
                 p->compare == VKR_COMPARE_NOT_EQUAL,
             "predicate.compare is %d, but must be VKR_COMPARE_EQUAL (%d) or "
             "VKR_COMPARE_NOT_EQUAL (%d) where predicate.kind is bits.",
             (int)p->compare, VKR_COMPARE_EQUAL, VKR_COMPARE_NOT_EQUAL);
    return VKR_SUCCESS;
}

/* The bits of a double after rounding to a smaller type: to the nearest value, ties to even. */
static uint64_t round_to(double value, const vkr_type_info *type)
{
    const uint32_t mantissa_bits = type->fraction;
    const uint32_t exponent_bits = 8 * type->size - 1 - mantissa_bits;
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const int64_t bias = ((int64_t)1 << (exponent_bits - 1)) - 1;
    const uint64_t infinity = (((uint64_t)1 << exponent_bits) - 1) << mantissa_bits;
    const uint64_t sign = bits >> 63 << (exponent_bits + mantissa_bits);
    const int64_t exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 1024 && mantissa != 0)
        return sign | infinity | (uint64_t)1 << (mantissa_bits - 1);
    if (exponent > bias)
        return sign | infinity;
    uint32_t shift = 52 - mantissa_bits;
    uint64_t result = (uint64_t)(exponent + bias) << mantissa_bits;
    if (exponent < 1 - bias) { /* the result is subnormal or zero */
        const int64_t more = 1 - bias - exponent;
        if (more > mantissa_bits + 1)
            return sign;
        shift += (uint32_t)more;
        mantissa |= (uint64_t)1 << 52;
        result = 0;
    }
    const uint64_t rest = mantissa & (((uint64_t)1 << shift) - 1);
    const uint64_t half = (uint64_t)1 << (shift - 1);
    result += mantissa >> shift;
    return sign | (result + (rest > half || (rest == half && (result & 1) != 0)));
}

static uint64_t all_bits(const vkr_type_info *type)
{
    return type->size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * type->size) - 1;
}

static VkrResult check_unsigned(const vkr_compact *c, const char *field, uint64_t value)
{
    const vkr_type_info *type = c->tested.type;
    VKR_MUST_BE(&c->walk, value <= all_bits(type), "predicate.", field, value,
                "be in the range of %s, at most %" PRIu64 ".", type->name, all_bits(type));
    return VKR_SUCCESS;
}

static VkrResult check_signed(const vkr_compact *c, const char *field, int64_t value)
{
    const vkr_type_info *type = c->tested.type;
    const int64_t max = (int64_t)(all_bits(type) >> 1);
    VKR_MUST(&c->walk, value <= max && value >= -max - 1,
             "predicate.%s is %" PRIi64 ", but must be in the range of %s.", field, value,
             type->name);
    return VKR_SUCCESS;
}

static void set_constant(vkr_compact *c, uint32_t i, uint64_t bits)
{
    c->constants[2 * i] = (uint32_t)bits;
    c->constants[2 * i + 1] = (uint32_t)(bits >> 32);
}

static VkrResult convert_constant(vkr_compact *c, uint32_t i, const char *field, VkrConstant value)
{
    const vkr_type_info *type = c->tested.type;
    uint64_t bits = value.u;
    if (type->is_float) {
        if (type->size < 8)
            bits = round_to(value.f, type);
    } else {
        VKR_TRY(type->is_signed ? check_signed(c, field, value.i) : check_unsigned(c, field, bits));
    }
    set_constant(c, i, bits & all_bits(type));
    return VKR_SUCCESS;
}

static VkrResult check_constants(vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const bool two = p->compare2 != VKR_COMPARE_NONE;
    const bool given = p->gpuConstants.buffer != VK_NULL_HANDLE;
    const uint32_t size = c->tested.type->size;
    VKR_MUST(&c->walk, !given || p->kind == VKR_PREDICATE_COMPARE,
             "predicate.gpuConstants.buffer is given, but must be VK_NULL_HANDLE where "
             "predicate.kind is %s.",
             vkrPredicateName(p->kind));
    if (given)
        return vkr_check_place(&c->walk, "predicate.gpuConstants", &p->gpuConstants, true, size,
                               (VkDeviceSize)size * (two ? 2 : 1), &c->gpu_constants);
    if (p->kind == VKR_PREDICATE_COMPARE)
        VKR_TRY(convert_constant(c, 0, "a", p->a));
    if (p->kind == VKR_PREDICATE_COMPARE && two)
        VKR_TRY(convert_constant(c, 1, "b", p->b));
    if (p->kind != VKR_PREDICATE_BITS)
        return VKR_SUCCESS;
    VKR_TRY(check_unsigned(c, "mask", p->mask));
    VKR_TRY(check_unsigned(c, "value", p->value));
    set_constant(c, 0, p->mask);
    set_constant(c, 1, p->value);
    return VKR_SUCCESS;
}

/* Chooses relations to the bits of the infinities: a NaN lies outside them, and a finite value lies
 * between them. All integers are finite. */
static void choose_infinity(vkr_compact *c, bool nan, uint32_t *relation, uint32_t *relation2)
{
    const vkr_type_info *type = c->tested.type;
    *relation = *relation2 = VKR_COMPARE_NONE;
    if (!type->is_float)
        return;
    *relation = nan ? VKR_COMPARE_GREATER_EQUAL : VKR_COMPARE_GREATER;
    *relation2 = nan ? VKR_COMPARE_LESS_EQUAL : VKR_COMPARE_LESS;
    const uint64_t infinity = vkr_infinity_of(type);
    set_constant(c, 0, infinity | (all_bits(type) ^ all_bits(type) >> 1));
    set_constant(c, 1, infinity);
}

/* Sets the word that describes the test to the kernel. Except for bit flags, functions, BITS and
 * UNIQUE, every kind becomes one or two relations to constants. */
static void choose_test(vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const vkr_type_info *type = c->tested.type;
    const bool flags = p->kind == VKR_PREDICATE_FLAGS;
    const bool nan = p->kind == VKR_PREDICATE_NAN;
    const uint32_t test = flags && c->bits                  ? VKR_TEST_FLAGS
                          : c->function != NULL             ? VKR_TEST_HOOK
                          : p->kind == VKR_PREDICATE_BITS   ? VKR_TEST_BITS
                          : p->kind == VKR_PREDICATE_UNIQUE ? VKR_TEST_UNIQUE
                                                            : VKR_TEST_RANGE;
    static const uint32_t numbers[2][2] = {{VKR_NUMBER_UNSIGNED, VKR_NUMBER_SIGNED},
                                           {VKR_NUMBER_FLOAT, VKR_NUMBER_BFLOAT}};
    const uint32_t number = numbers[type->is_float][type->is_signed];
    uint32_t relation = (uint32_t)p->compare;
    uint32_t relation2 = p->kind == VKR_PREDICATE_COMPARE ? (uint32_t)p->compare2 : 0;
    if (flags || p->kind == VKR_PREDICATE_NONZERO)
        relation = VKR_COMPARE_NOT_EQUAL;
    if (p->kind == VKR_PREDICATE_UNIQUE)
        relation = c->input.by_value ? VKR_COMPARE_EQUAL : VKR_COMPARE_NONE;
    if (nan || p->kind == VKR_PREDICATE_FINITE)
        choose_infinity(c, nan, &relation, &relation2);
    c->predicate = VKR_PREDICATE_WORD(test, relation, relation2, (p->negate != 0) != nan ? 1u : 0u,
                                      flags ? 0 : p->component, number);
    if (relation2 != VKR_COMPARE_NONE &&
        (relation == VKR_COMPARE_NOT_EQUAL || relation2 == VKR_COMPARE_NOT_EQUAL))
        c->predicate |= VKR_TWO_RANGES_BIT;
    if (c->function != NULL && c->tested.buffer == VK_NULL_HANDLE)
        c->predicate |= VKR_UNREAD_BIT;
}

/* Sets which elements a linked function tests. Where it takes none and none are stored, none are
 * read; then only their number matters. */
static void choose_elements(vkr_compact *c)
{
    const bool reads = c->function->info.elementType != VKR_TYPE_UNDEFINED ||
                       vkr_is_requested(&c->info->kept) || vkr_is_requested(&c->info->rejected);
    c->moves_values = reads;
    c->tested = reads ? c->input
                      : (vkr_view){.type = &vkr_types[VKR_TYPE_U32],
                                   .type_id = VKR_TYPE_U32,
                                   .components = 1,
                                   .stride = 4,
                                   .capacity = c->walk.count};
}

/* Sets what is tested: flags, the caller's or those that a function returns; or elements, by a
 * function. */
static VkrResult choose_flags(VkrRecorder recorder, vkr_compact *c)
{
    VkrFlagView flags = c->info->predicate.flags;
    VKR_TRY(vkr_check_flags(&c->walk, "predicate.flags", &flags, &c->input));
    c->function = flags.hook != NULL ? vkr_linked_function(c) : NULL;
    if (c->function != NULL) {
        choose_elements(c);
        return VKR_SUCCESS;
    }
    if (flags.hook != NULL) {
        vkr_place bits = {0};
        VKR_TRY(vkr_call_for_bits(recorder, &c->walk, &flags, &c->input, &bits));
        flags = (VkrFlagView){VKR_FLAGS_BITS, {bits.buffer, bits.offset, 0}, flags.hook};
    }
    const VkrType type = flags.format == VKR_FLAGS_U8 ? VKR_TYPE_U8 : VKR_TYPE_U32;
    c->bits = flags.format == VKR_FLAGS_BITS;
    const VkDeviceSize size = c->bits ? 4 * vkr_divide_up(c->walk.count, VKR_WORD_BITS)
                                      : c->walk.count * vkr_types[type].size;
    const bool written = flags.hook != NULL && c->info->predicate.flags.range.buffer;
    c->flags = vkr_region_of_bytes("predicate.flags", flags.range.buffer, flags.range.offset, size,
                                   written);
    c->tested = (vkr_view){.buffer = flags.range.buffer,
                           .offset = flags.range.offset,
                           .type = &vkr_types[type],
                           .type_id = type,
                           .components = 1,
                           .stride = vkr_types[type].size,
                           .capacity = c->walk.count};
    return VKR_SUCCESS;
}

VkrResult vkr_check_predicate(VkrRecorder recorder, vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    VKR_TRY(check_compares(c));
    c->moves_values = p->kind != VKR_PREDICATE_FLAGS;
    c->input.by_value =
        p->kind == VKR_PREDICATE_UNIQUE && p->byValue != VK_FALSE && c->input.type->is_float;
    if (p->kind == VKR_PREDICATE_FLAGS) {
        VKR_TRY(choose_flags(recorder, c));
    } else {
        c->tested = c->input;
        VKR_MUST_BE(&c->walk, p->component < c->input.components, "predicate", ".component",
                    p->component, "be below %u, the components of input.", c->input.components);
    }
    VKR_TRY(check_constants(c));
    choose_test(c);
    return VKR_SUCCESS;
}
