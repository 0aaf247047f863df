/* SPDX-License-Identifier: MIT */
/* vkrCmdCompact: what the caller asks for, checked. */
#include "compact.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CALL VKR_COMPACT_CALL

#define SAME(name) _Static_assert(VKR_COMPARE_##name == VKR_IS_##name, #name)
SAME(EQUAL);
SAME(NOT_EQUAL);
SAME(LESS);
SAME(LESS_EQUAL);
SAME(GREATER);
SAME(GREATER_EQUAL);

/* ---- The predicate ---- */

static VkrResult check_compares(const vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    VkrResult result =
        vkr_check_choice(c->context, CALL, "predicate.compare", (int)p->compare, VKR_COMPARE_COUNT);
    if (result == VKR_SUCCESS)
        result = vkr_check_choice(c->context, CALL, "predicate.compare2", (int)p->compare2,
                                  VKR_COMPARE_COUNT);
    if (result != VKR_SUCCESS)
        return result;
    if (p->kind == VKR_PREDICATE_COMPARE && p->compare == VKR_COMPARE_NONE)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": predicate.compare is VKR_COMPARE_NONE, but must be a relation "
                             "where predicate.kind is compare.");
    if (p->kind == VKR_PREDICATE_BITS && p->compare != VKR_COMPARE_EQUAL &&
        p->compare != VKR_COMPARE_NOT_EQUAL)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": predicate.compare is %d, but must be VKR_COMPARE_EQUAL (%d) or "
                             "VKR_COMPARE_NOT_EQUAL (%d) where predicate.kind is bits.",
                        (int)p->compare, VKR_COMPARE_EQUAL, VKR_COMPARE_NOT_EQUAL);
    return VKR_SUCCESS;
}

/* A double as bits of a float with so many bits of exponent and mantissa, to nearest even. */
static uint64_t round_to(double value, uint32_t exponent_bits, uint32_t mantissa_bits)
{
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
    if (exponent < 1 - bias) { /* subnormal, or nothing */
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

static VkrResult fail_signed(const vkr_compact *c, const char *field, int64_t value)
{
    return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                    CALL ": predicate.%s is %" PRIi64 ", but must be in the range of %s.", field,
                    value, c->tested.type->name);
}

static VkrResult fail_unsigned(const vkr_compact *c, const char *field, uint64_t value)
{
    return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                    CALL ": predicate.%s is %" PRIu64 ", but must be in the range of %s, at most "
                         "%" PRIu64 ".",
                    field, value, c->tested.type->name, all_bits(c->tested.type));
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
        if (type->size == 4)
            bits = round_to(value.f, 8, 23);
        else if (type->size == 2)
            bits = round_to(value.f, 5, 10);
    } else if (type->is_signed) {
        const int64_t greatest = (int64_t)(all_bits(type) >> 1);
        if (value.i > greatest || value.i < -greatest - 1)
            return fail_signed(c, field, value.i);
    } else if (bits > all_bits(type)) {
        return fail_unsigned(c, field, bits);
    }
    set_constant(c, i, bits & all_bits(type));
    return VKR_SUCCESS;
}

static VkrResult check_constants(vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const bool two = p->compare2 != VKR_COMPARE_NONE;
    VkrResult result = VKR_SUCCESS;
    if (p->gpuConstants.buffer != VK_NULL_HANDLE && p->kind != VKR_PREDICATE_COMPARE)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": predicate.gpuConstants.buffer is given, but must be VK_NULL_HANDLE "
                             "where predicate.kind is %s.",
                        vkrPredicateName(p->kind));
    if (p->gpuConstants.buffer != VK_NULL_HANDLE)
        return vkr_check_range(c->context, CALL, "predicate.gpuConstants", &p->gpuConstants,
                               c->tested.type->size,
                               (VkDeviceSize)c->tested.type->size * (two ? 2 : 1));
    if (p->kind == VKR_PREDICATE_COMPARE)
        result = convert_constant(c, 0, "a", p->a);
    if (p->kind == VKR_PREDICATE_COMPARE && two && result == VKR_SUCCESS)
        result = convert_constant(c, 1, "b", p->b);
    if (p->kind != VKR_PREDICATE_BITS)
        return result;
    if (p->mask > all_bits(c->tested.type))
        return fail_unsigned(c, "mask", p->mask);
    if (p->value > all_bits(c->tested.type))
        return fail_unsigned(c, "value", p->value);
    set_constant(c, 0, p->mask);
    set_constant(c, 1, p->value);
    return VKR_SUCCESS;
}

/* Every kind but three is about one or two relations to constants. */
static void choose_test(vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const vkr_type_info *type = c->tested.type;
    uint32_t test = VKR_TEST_RANGE;
    uint32_t relation = (uint32_t)p->compare;
    uint32_t relation2 = p->kind == VKR_PREDICATE_COMPARE ? (uint32_t)p->compare2 : 0;
    bool negate = p->negate;
    switch (p->kind) {
    case VKR_PREDICATE_FLAGS:
        test = c->bits ? VKR_TEST_FLAGS : VKR_TEST_RANGE;
        relation = VKR_COMPARE_NOT_EQUAL;
        break;
    case VKR_PREDICATE_NONZERO:
        relation = VKR_COMPARE_NOT_EQUAL;
        break;
    case VKR_PREDICATE_NAN:
    case VKR_PREDICATE_FINITE:
        negate ^= p->kind == VKR_PREDICATE_NAN;
        relation = relation2 = VKR_COMPARE_NONE;
        if (!type->is_float)
            break;
        relation = p->kind == VKR_PREDICATE_NAN ? VKR_COMPARE_GREATER_EQUAL : VKR_COMPARE_GREATER;
        relation2 = p->kind == VKR_PREDICATE_NAN ? VKR_COMPARE_LESS_EQUAL : VKR_COMPARE_LESS;
        const uint64_t infinity = type->size == 8   ? (uint64_t)0x7ff << 52
                                  : type->size == 4 ? 0x7f800000u
                                                    : 0x7c00u;
        set_constant(c, 0, infinity | (all_bits(type) ^ all_bits(type) >> 1));
        set_constant(c, 1, infinity);
        break;
    case VKR_PREDICATE_BITS:
        test = VKR_TEST_BITS;
        break;
    case VKR_PREDICATE_UNIQUE:
        test = VKR_TEST_UNIQUE;
        break;
    default:
        break;
    }
    const uint32_t number = type->is_float    ? VKR_NUMBER_FLOAT
                            : type->is_signed ? VKR_NUMBER_SIGNED
                                              : VKR_NUMBER_UNSIGNED;
    const bool flags = p->kind == VKR_PREDICATE_FLAGS;
    c->predicate = VKR_PREDICATE_WORD(test, relation, relation2, negate ? 1u : 0u,
                                      flags ? 0 : p->component, number);
    if (relation2 != VKR_COMPARE_NONE &&
        (relation == VKR_COMPARE_NOT_EQUAL || relation2 == VKR_COMPARE_NOT_EQUAL))
        c->predicate |= VKR_TWO_RANGES_BIT;
}

static VkrResult check_flags_array(vkr_compact *c)
{
    const VkrFlagView *flags = &c->info->predicate.flags;
    VkrResult result = vkr_check_flags(c->context, CALL, "predicate.flags", flags, c->walk.count);
    if (result != VKR_SUCCESS)
        return result;
    const VkrType type = flags->format == VKR_FLAGS_U8 ? VKR_TYPE_U8 : VKR_TYPE_U32;
    c->bits = flags->format == VKR_FLAGS_BITS;
    c->tested = (vkr_view){.buffer = flags->range.buffer,
                           .offset = flags->range.offset,
                           .type = &vkr_types[type],
                           .type_id = type,
                           .components = 1,
                           .stride = vkr_types[type].size,
                           .capacity = c->walk.count};
    return VKR_SUCCESS;
}

static VkrResult check_predicate(vkr_compact *c)
{
    const VkrPredicate *p = &c->info->predicate;
    VkrResult result = check_compares(c);
    if (result != VKR_SUCCESS)
        return result;
    if (p->kind == VKR_PREDICATE_FLAGS) {
        result = check_flags_array(c);
    } else {
        c->tested = c->input;
        c->values_too = true;
        if (p->component >= c->input.components)
            return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                            CALL ": predicate.component is %u, but must be below %u, the "
                                 "components of input.",
                            p->component, c->input.components);
    }
    if (result == VKR_SUCCESS)
        result = check_constants(c);
    if (result == VKR_SUCCESS)
        choose_test(c);
    return result;
}

/* ---- Input ---- */

static bool has_no_input(const VkrCompactInfo *info)
{
    return info->predicate.kind == VKR_PREDICATE_FLAGS && info->input.buffer == VK_NULL_HANDLE &&
           info->input.size == 0 && info->input.bufferSize == 0;
}

static VkrResult check_no_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    c->walk.count = info->count;
    if (info->kept.buffer != VK_NULL_HANDLE || info->rejected.buffer != VK_NULL_HANDLE)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": input.buffer is VK_NULL_HANDLE, but must be a buffer where %s is "
                             "asked for.",
                        info->kept.buffer != VK_NULL_HANDLE ? "kept" : "rejected");
    if (info->count == VKR_COUNT_ALL)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": count is VKR_COUNT_ALL, but must be a number where input is "
                             "empty.");
    return VKR_SUCCESS;
}

static VkrResult check_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VkrResult result = vkr_check_choice(c->context, CALL, "predicate.kind",
                                        (int)info->predicate.kind, VKR_PREDICATE_KIND_COUNT);
    if (result != VKR_SUCCESS)
        return result;
    if (has_no_input(info))
        return check_no_input(c);
    result = vkr_check_view(c->context, CALL, "input", &info->input, info->count, &c->input);
    if (result == VKR_SUCCESS)
        result = vkr_check_buffer(c->context, CALL, "input", &c->input);
    if (result != VKR_SUCCESS)
        return result;
    c->walk.count = info->count == VKR_COUNT_ALL ? c->input.capacity : info->count;
    if (c->walk.count > c->input.capacity)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": count is %" PRIu64 ", but must be VKR_COUNT_ALL or at most %" PRIu64
                             ", the number of elements that input holds.",
                        c->walk.count, c->input.capacity);
    return VKR_SUCCESS;
}

static VkrResult check_choices(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VkrResult result = vkr_check_choice(c->context, CALL, "algorithm", (int)info->algorithm,
                                        VKR_COMPACT_ALGORITHM_COUNT);
    if (result != VKR_SUCCESS)
        return result;
    if ((info->flags & ~(uint32_t)VKR_COMPACT_CONTINUED_BIT) != 0)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": flags is 0x%x, but must have only bits of VkrCompactFlagBits.",
                        info->flags);
    c->continued = (info->flags & VKR_COMPACT_CONTINUED_BIT) != 0 &&
                   info->predicate.kind == VKR_PREDICATE_UNIQUE;
    if (c->continued && c->input.offset < c->input.stride)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": input.offset is %" PRIu64 ", but must be at least %" PRIu64
                             ", the stride, where flags has VKR_COMPACT_CONTINUED_BIT.",
                        c->input.offset, c->input.stride);
    result = vkr_check_gpu_count(c->context, CALL, "gpuCount", &info->gpuCount);
    if (result == VKR_SUCCESS)
        result = vkr_check_gpu_count(c->context, CALL, "append", &info->append);
    return result;
}

/* ---- Outputs ---- */

static bool is_asked_for(const VkrView *view)
{
    return view->buffer != VK_NULL_HANDLE || view->size != 0 || view->bufferSize != 0;
}

static VkrResult check_output(const vkr_compact *c, const char *field, const VkrView *asked,
                              VkrType type, uint32_t components, vkr_view *out)
{
    VkrView view = *asked;
    if (!is_asked_for(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? type : view.type;
    view.components = view.components == 0 ? components : view.components;
    VkrResult result = vkr_check_view(c->context, CALL, field, &view, c->walk.count, out);
    if (result == VKR_SUCCESS)
        result = vkr_check_buffer(c->context, CALL, field, out);
    if (result == VKR_SUCCESS && view.components != components)
        result = vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                          CALL ": %s.components is %u, but must be 0 or %u.", field,
                          view.components, components);
    return result;
}

static VkrResult check_values(const vkr_compact *c, const char *field, const VkrView *asked,
                              vkr_view *out)
{
    VkrResult result = check_output(c, field, asked, c->input.type_id, c->input.components, out);
    if (result == VKR_SUCCESS && vkr_is_there(out) && out->type_id != c->input.type_id)
        result = vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                          CALL ": %s.type is %s, but must be undefined or %s like input.type.",
                          field, out->type->name, c->input.type->name);
    return result;
}

/* `reach` is the greatest number that is written, plus 1; 0: 2^64. */
static VkrResult check_indices(const vkr_compact *c, const char *field, const VkrView *asked,
                               vkr_view *out)
{
    VkrView view = *asked;
    VkrType type = view.type;
    if (!is_asked_for(asked))
        return VKR_SUCCESS;
    if (type != VKR_TYPE_UNDEFINED && type != VKR_TYPE_U32 && type != VKR_TYPE_U64)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": %s.type is %s (%d), but must be undefined, u32 or u64.", field,
                        vkrTypeName(type), (int)type);
    if (type == VKR_TYPE_U32 && (c->info->firstIndex + c->walk.count) >> 32 != 0)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": %s.type is u32, but must be u64, since indices can reach 2^32.",
                        field);
    if (view.components > 1)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": %s.components is %u, but must be 0 or 1.", field, view.components);
    /* Two words serve where a device has no 64-bit integers. */
    const VkrType words = VKR_TYPE_U32;
    type = type == VKR_TYPE_UNDEFINED ? c->wide_index ? VKR_TYPE_U64 : VKR_TYPE_U32 : type;
    const uint32_t size = vkr_types[type].size;
    view.type = words;
    if (view.offset % size != 0 || view.stride % size != 0 ||
        (view.stride != 0 && view.stride < size))
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": %s.offset is %" PRIu64 " and %s.stride %" PRIu64
                             ", but both must be multiples of %u, the size of %s.",
                        field, view.offset, field, view.stride, size, vkr_types[type].name);
    view.stride = view.stride == 0 ? size : view.stride;
    VkrResult result = check_output(c, field, &view, words, 1, out);
    if (result != VKR_SUCCESS)
        return result;
    out->type = &vkr_types[type];
    out->type_id = type;
    out->capacity = vkr_view_capacity(out, size);
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    if (info->firstIndex > UINT64_MAX - c->walk.count)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": firstIndex is %" PRIu64 ", but must stay below 2^64 when count, "
                             "which is %" PRIu64 ", is added.",
                        info->firstIndex, c->walk.count);
    c->wide_index = (info->firstIndex + c->walk.count) >> 32 != 0 || c->context->caps.wide_indices;
    const struct {
        const char *field;
        const VkrView *asked;
        vkr_view *out;
        bool indices;
    } outputs[] = {
        {"kept", &info->kept, &c->sides[VKR_KEPT].values, false},
        {"keptIndices", &info->keptIndices, &c->sides[VKR_KEPT].indices, true},
        {"runLengths", &info->runLengths, &c->lengths, true},
        {"rejected", &info->rejected, &c->sides[VKR_REJECTED].values, false},
        {"rejectedIndices", &info->rejectedIndices, &c->sides[VKR_REJECTED].indices, true},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(outputs); i++) {
        VkrResult result =
            outputs[i].indices
                ? check_indices(c, outputs[i].field, outputs[i].asked, outputs[i].out)
                : check_values(c, outputs[i].field, outputs[i].asked, outputs[i].out);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

/* ---- Payloads ---- */

static VkrResult check_stride(const vkr_compact *c, const char *field, VkDeviceSize stride,
                              uint32_t size, uint32_t unit)
{
    if (stride == 0 || (stride >= size && stride % unit == 0))
        return VKR_SUCCESS;
    return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                    CALL ": %s is %" PRIu64 ", but must be 0 or at least %u, the size of an entry, "
                         "and a multiple of %u.",
                    field, stride, size, unit);
}

static VkrResult check_payload(const vkr_compact *c, uint32_t i)
{
    const VkrPayload *p = &c->info->payloads[i];
    char name[64];
    if (p->size == 0 || p->size > 64)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": payloads[%u].size is %u, but must be 1 to 64.", i, p->size);
    const uint32_t unit = p->size % 4 == 0 ? 4 : p->size % 2 == 0 ? 2 : 1;
    const VkrFeatureFlags needed = unit == 4   ? 0
                                   : unit == 2 ? VKR_FEATURE_STORAGE_16BIT
                                               : VKR_FEATURE_STORAGE_8BIT;
    if ((needed & ~c->context->caps.features) != 0)
        return vkr_fail(c->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": payloads[%u].size is %u, but must be a multiple of %u: this one "
                             "needs %s.",
                        i, p->size, 2 * unit, vkr_feature_name(needed));
    (void)snprintf(name, sizeof(name), "payloads[%u].sourceStride", i);
    VkrResult result = check_stride(c, name, p->sourceStride, p->size, unit);
    (void)snprintf(name, sizeof(name), "payloads[%u].targetStride", i);
    if (result == VKR_SUCCESS)
        result = check_stride(c, name, p->targetStride, p->size, unit);
    const VkDeviceSize stride = p->sourceStride != 0 ? p->sourceStride : p->size;
    if (result == VKR_SUCCESS && c->walk.count != 0 &&
        (c->walk.count - 1) > (UINT64_MAX - p->size) / stride)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": payloads[%u].sourceStride is %" PRIu64 ", but must let count, "
                             "which is %" PRIu64 ", stay below 2^64 bytes.",
                        i, stride, c->walk.count);
    (void)snprintf(name, sizeof(name), "payloads[%u].source", i);
    if (result == VKR_SUCCESS && c->walk.count != 0)
        result = vkr_check_range(c->context, CALL, name, &p->source, unit,
                                 (c->walk.count - 1) * stride + p->size);
    (void)snprintf(name, sizeof(name), "payloads[%u].target", i);
    if (result == VKR_SUCCESS)
        result = vkr_check_range(c->context, CALL, name, &p->target, unit, 0);
    return result;
}

static VkrResult check_payloads(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VkrResult result = VKR_SUCCESS;
    if (info->payloadCount != 0 && info->payloads == NULL)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": payloads is NULL, but must point to the %u of payloadCount.",
                        info->payloadCount);
    for (uint32_t i = 0; i < info->payloadCount && result == VKR_SUCCESS; i++) {
        result = check_payload(c, i);
        c->by_list[info->payloads[i].rejected ? VKR_REJECTED : VKR_KEPT] = true;
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (!c->values_too && vkr_is_there(&c->sides[side].values))
            c->by_list[side] = true;
    c->by_list[VKR_KEPT] |= vkr_is_there(&c->lengths);
    return result;
}

static uint64_t held_by(const VkrPayload *p)
{
    const VkDeviceSize stride = p->targetStride != 0 ? p->targetStride : p->size;
    return p->target.size < p->size ? 0 : (p->target.size - p->size) / stride + 1;
}

/* As many as all kept outputs hold. */
static void choose_capacity(vkr_compact *c)
{
    vkr_side *kept = &c->sides[VKR_KEPT];
    const vkr_view *const views[] = {&kept->values, &kept->indices, &c->lengths};
    kept->capacity = c->info->capacity != 0 ? c->info->capacity : UINT64_MAX;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        if (vkr_is_there(views[i]) && views[i]->capacity < kept->capacity)
            kept->capacity = views[i]->capacity;
    for (uint32_t i = 0; i < c->info->payloadCount; i++)
        if (!c->info->payloads[i].rejected && held_by(&c->info->payloads[i]) < kept->capacity)
            kept->capacity = held_by(&c->info->payloads[i]);
}

/* ---- Counts ---- */

static VkrResult check_count_outputs(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    char name[64];
    if (info->countOutputCount != 0 && info->countOutputs == NULL)
        return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": countOutputs is NULL, but must point to the %u of "
                             "countOutputCount.",
                        info->countOutputCount);
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        const VkrCountOutput *o = &info->countOutputs[i];
        (void)snprintf(name, sizeof(name), "countOutputs[%u].kind", i);
        VkrResult result =
            vkr_check_choice(c->context, CALL, name, (int)o->kind, VKR_COUNT_KIND_COUNT);
        (void)snprintf(name, sizeof(name), "countOutputs[%u]", i);
        const VkrBufferRange range = {o->buffer, o->offset,
                                      o->offset > UINT64_MAX - 12 ? UINT64_MAX : 12};
        if (result == VKR_SUCCESS)
            result = vkr_check_range(c->context, CALL, name, &range, 4, 0);
        if (result != VKR_SUCCESS)
            return result;
    }
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

/* Bytes of a role: one that is read, or one that is written. */
typedef struct vkr_region {
    char name[32];
    bool written;
    vkr_access range;
} vkr_region;

static vkr_access bytes_of(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize stride,
                           VkDeviceSize element, uint64_t count)
{
    return (vkr_access){.buffer = buffer,
                        .offset = offset,
                        .size = count == 0 ? 0 : (count - 1) * stride + element};
}

static vkr_region region_of_view(const char *name, const vkr_view *view, uint64_t count,
                                 bool written)
{
    vkr_region region = {.written = written};
    (void)snprintf(region.name, sizeof(region.name), "%s", name);
    if (vkr_is_there(view))
        region.range = bytes_of(view->buffer, view->offset, view->stride, vkr_element_size(view),
                                count < view->capacity ? count : view->capacity);
    return region;
}

static vkr_region region_of_payload(const vkr_compact *c, uint32_t i, bool written)
{
    const VkrPayload *p = &c->info->payloads[i];
    const VkrBufferRange *range = written ? &p->target : &p->source;
    const VkDeviceSize asked = written ? p->targetStride : p->sourceStride;
    const uint64_t held = p->rejected ? held_by(p) : c->sides[VKR_KEPT].capacity;
    vkr_region region = {.written = written};
    (void)snprintf(region.name, sizeof(region.name), "payloads[%u].%s", i,
                   written ? "target" : "source");
    region.range = bytes_of(range->buffer, range->offset, asked != 0 ? asked : p->size, p->size,
                            written ? held : c->walk.count);
    return region;
}

static vkr_region region_of_count(const vkr_compact *c, uint32_t i)
{
    const VkrCountOutput *o = &c->info->countOutputs[i];
    vkr_region region = {.written = true};
    (void)snprintf(region.name, sizeof(region.name), "countOutputs[%u]", i);
    region.range = bytes_of(o->buffer, o->offset, 0, vkr_size_of_count(o->kind), 1);
    return region;
}

#define VIEW_REGIONS 8

/* Region i of all. */
static vkr_region region_of(const vkr_compact *c, uint32_t i)
{
    const uint32_t payloads = c->info->payloadCount;
    const VkrPredicate *p = &c->info->predicate;
    const vkr_side *kept = &c->sides[VKR_KEPT];
    const vkr_side *rejected = &c->sides[VKR_REJECTED];
    vkr_region region = {.name = "predicate.gpuConstants"};
    if (i >= VIEW_REGIONS + 2 * payloads)
        return region_of_count(c, i - VIEW_REGIONS - 2 * payloads);
    if (i >= VIEW_REGIONS)
        return region_of_payload(c, (i - VIEW_REGIONS) / 2, i % 2 != 0);
    switch (i) {
    case 0:
        region = region_of_view("input", &c->input, c->walk.count, false);
        if (c->continued) {
            region.range.offset -= c->input.stride;
            region.range.size += c->input.stride;
        }
        break;
    case 1:
        if (p->kind == VKR_PREDICATE_FLAGS) {
            region = region_of_view("predicate.flags", &c->tested, c->walk.count, false);
            if (c->bits && region.range.size != 0)
                region.range.size = vkr_divide_up(c->walk.count, 32) * 4;
        }
        break;
    case 2:
        if (p->gpuConstants.buffer != VK_NULL_HANDLE)
            region.range = bytes_of(
                p->gpuConstants.buffer, p->gpuConstants.offset, 0,
                (VkDeviceSize)c->tested.type->size * (p->compare2 != VKR_COMPARE_NONE ? 2 : 1), 1);
        break;
    case 3:
        return region_of_view("kept", &kept->values, kept->capacity, true);
    case 4:
        return region_of_view("keptIndices", &kept->indices, kept->capacity, true);
    case 5:
        return region_of_view("runLengths", &c->lengths, kept->capacity, true);
    case 6:
        return region_of_view("rejected", &rejected->values, UINT64_MAX, true);
    default:
        return region_of_view("rejectedIndices", &rejected->indices, UINT64_MAX, true);
    }
    return region;
}

static VkrResult check_overlaps(vkr_compact *c)
{
    const uint64_t regions =
        VIEW_REGIONS + 2 * (uint64_t)c->info->payloadCount + c->info->countOutputCount;
    for (uint32_t i = 0; i < regions; i++) {
        const vkr_region a = region_of(c, i);
        for (uint32_t k = 0; k < i && a.range.size != 0; k++) {
            const vkr_region b = region_of(c, k);
            if ((a.written || b.written) && b.range.size != 0 && a.range.buffer != VK_NULL_HANDLE &&
                vkr_overlap(&a.range, &b.range))
                return vkr_fail(c->context, VKR_ERROR_INVALID_ARGUMENT,
                                CALL ": %s overlaps %s, but must be apart from it.", a.name,
                                b.name);
        }
    }
    return VKR_SUCCESS;
}

static VkrResult check_compact(vkr_compact *c)
{
    VkrResult (*const checks[])(vkr_compact *) = {check_input,     check_choices,
                                                  check_predicate, check_outputs,
                                                  check_payloads,  check_count_outputs};
    VkrResult result = VKR_SUCCESS;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(checks) && result == VKR_SUCCESS; i++)
        result = checks[i](c);
    if (result != VKR_SUCCESS)
        return result;
    choose_capacity(c);
    return check_overlaps(c);
}

VkrResult vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    VkrResult result = vkr_operation_begin(recorder, CALL);
    if (result != VKR_SUCCESS)
        return result;
    vkr_compact c = {.context = vkr_recorder_context(recorder), .info = info};
    c.walk = (vkr_walk){.context = c.context, .call = CALL};
    if (info == NULL)
        result = vkr_fail(c.context, VKR_ERROR_INVALID_ARGUMENT,
                          CALL ": info is NULL, but must point to a VkrCompactInfo.");
    if (result == VKR_SUCCESS)
        result = check_compact(&c);
    if (result == VKR_SUCCESS)
        result = vkr_plan_compact_geometry(&c);
    if (result == VKR_SUCCESS)
        result = vkr_plan_compact(recorder, &c);
    return vkr_operation_end(recorder, result);
}
