/* SPDX-License-Identifier: MIT */
/* Signatures of users' functions, by the kind of hook that a function could be. */
#include "function.h"

vkr_hook_type vkr_type_in(const vkr_hooks *hooks, uint32_t function, uint32_t number)
{
    const vkr_module *m = &hooks->module;
    const uint32_t id = m->words[m->definitions[function] + 4];
    const uint32_t *type = m->words + m->definitions[id];
    return vkr_defined_by(m, id) == SpvOpTypeFunction && number + 2 < vkr_length_of(type)
               ? vkr_type_of_hook(hooks, type[2 + number])
               : VKR_HOOK_TYPE_VOID;
}

bool vkr_is_number(vkr_hook_type type, uint32_t max_bits)
{
    const bool is_size = type.bits == 32 || (type.bits == 64 && max_bits == 64);
    return (type.kind == VKR_HOOK_FLOAT || type.kind == VKR_HOOK_INT ||
            type.kind == VKR_HOOK_UINT) &&
           is_size && type.components != 0 && type.components <= 4 &&
           type.components * type.bits <= 128;
}

VkrHookKind vkr_kind_of(vkr_hook_type result)
{
    return result.kind == VKR_HOOK_VOID   ? VKR_HOOK_KIND_SINK
           : result.kind == VKR_HOOK_BOOL ? VKR_HOOK_KIND_PREDICATE
                                          : VKR_HOOK_KIND_MAP;
}

vkr_signature vkr_signature_like(const vkr_hooks *hooks, uint32_t function, VkrHookKind kind)
{
    const vkr_hook_type result = vkr_type_in(hooks, function, 0),
                        first = vkr_type_in(hooks, function, 1);
    vkr_signature s = {.parameter_count = 1,
                       .parameters = {VKR_HOOK_TYPE_UINT, VKR_HOOK_TYPE_UINT}};
    if (kind == VKR_HOOK_KIND_MAP)
        s.result = vkr_is_number(result, 32) ? result : VKR_HOOK_TYPE_FLOAT;
    else
        s.result = kind == VKR_HOOK_KIND_SINK ? VKR_HOOK_TYPE_VOID : VKR_HOOK_TYPE_BOOL;
    if (kind == VKR_HOOK_KIND_SINK || vkr_type_in(hooks, function, 2).kind != VKR_HOOK_VOID)
        s.parameter_count = 2;
    if (kind != VKR_HOOK_KIND_SINK && s.parameter_count == 2)
        s.parameters[0] = vkr_is_number(first, 64) ? first : VKR_HOOK_TYPE_FLOAT;
    return s;
}

VkrType vkr_type_of_components(vkr_hook_type type)
{
    const bool wide = type.bits == 64;
    switch (type.kind) {
    case VKR_HOOK_FLOAT:
        return wide ? VKR_TYPE_F64 : VKR_TYPE_F32;
    case VKR_HOOK_INT:
        return wide ? VKR_TYPE_I64 : VKR_TYPE_I32;
    case VKR_HOOK_UINT:
        return wide ? VKR_TYPE_U64 : VKR_TYPE_U32;
    default:
        return VKR_TYPE_UNDEFINED;
    }
}

vkr_signature vkr_signature_of_load(const vkr_hooks *hooks, uint32_t function)
{
    const vkr_hook_type first = vkr_type_in(hooks, function, 1);
    vkr_signature s = {VKR_HOOK_TYPE_STATE, 1, {VKR_HOOK_TYPE_UINT, VKR_HOOK_TYPE_UINT}};
    if (vkr_type_in(hooks, function, 2).kind != VKR_HOOK_VOID) {
        s.parameter_count = 2;
        s.parameters[0] = vkr_is_number(first, 64) ? first : VKR_HOOK_TYPE_FLOAT;
    }
    return s;
}
