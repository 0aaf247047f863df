/* SPDX-License-Identifier: MIT */
#include "hook_type.h"

static const uint32_t *definition_of(const vkr_hooks *h, uint32_t id)
{
    return h->module.words + h->module.definitions[id];
}

uint32_t vkr_value_type(const vkr_hooks *h, uint32_t type)
{
    const uint32_t *w = definition_of(h, type);
    return vkr_defined_by(&h->module, type) == SpvOpTypePointer && w[2] == SpvStorageClassFunction
               ? w[3]
               : type;
}

vkr_hook_type vkr_type_of_hook(const vkr_hooks *h, uint32_t type)
{
    const vkr_hook_type other = {.kind = VKR_HOOK_OTHER};
    uint32_t components = 1;
    type = vkr_value_type(h, type);
    const uint32_t *w = definition_of(h, type);
    if (vkr_defined_by(&h->module, type) == SpvOpTypeVector) {
        components = w[3];
        if (components < 2 || components > 4)
            return other;
        type = w[2];
        w = definition_of(h, type);
    }
    switch (vkr_defined_by(&h->module, type)) {
    case SpvOpTypeVoid:
        return VKR_HOOK_TYPE_VOID;
    case SpvOpTypeBool:
        return (vkr_hook_type){VKR_HOOK_BOOL, 0, components};
    case SpvOpTypeInt:
        return (vkr_hook_type){w[3] ? VKR_HOOK_INT : VKR_HOOK_UINT, w[2], components};
    case SpvOpTypeFloat:
        return (vkr_hook_type){VKR_HOOK_FLOAT, w[2], components};
    default:
        return other;
    }
}

/* ---- Signatures ---- */

/* Whether a type, which the id `type` has, is what a signature wants. All states must have one
 * type. */
static bool suits(const vkr_hooks *h, uint32_t type, const vkr_hook_type *wanted, uint32_t *state)
{
    const vkr_hook_type found = vkr_type_of_hook(h, type);
    if (wanted->kind != VKR_HOOK_STATE)
        return found.kind == wanted->kind && found.bits == wanted->bits &&
               found.components == wanted->components;
    type = vkr_value_type(h, type);
    if (*state == 0)
        *state = type;
    return *state == type && found.kind != VKR_HOOK_VOID;
}

/* The number of the first parameter that is wrong, counted from 1; 0 if the result is; -1 if the
 * number of parameters is; -2 if there is no difference. */
static int find_difference(const vkr_hooks *h, uint32_t function, const vkr_signature *s,
                           uint32_t *state)
{
    const uint32_t *type = definition_of(h, definition_of(h, function)[4]);
    *state = 0;
    if (vkr_length_of(type) - 3 != s->parameter_count)
        return -1;
    if (!suits(h, type[2], &s->result, state))
        return 0;
    for (uint32_t i = 0; i < s->parameter_count; i++)
        if (!suits(h, type[3 + i], &s->parameters[i], state))
            return (int)i + 1;
    return -2;
}

/* Whether the type of a function is a function's. */
static bool has_type(const vkr_hooks *h, uint32_t function)
{
    return vkr_defined_by(&h->module, definition_of(h, function)[4]) == SpvOpTypeFunction;
}

bool vkr_has_signature(const vkr_hooks *h, uint32_t function, const vkr_signature *signature,
                       uint32_t *state)
{
    return has_type(h, function) && find_difference(h, function, signature, state) == -2;
}

/* ---- Texts ---- */

/* Writes the name that GLSL has for a type: "uint", "f16vec2". */
static void say_plain_type(vkr_sentence *s, const vkr_hook_type *type)
{
    static const char *const scalars[][4] = {
        [VKR_HOOK_INT] = {"int8_t", "int16_t", "int", "int64_t"},
        [VKR_HOOK_UINT] = {"uint8_t", "uint16_t", "uint", "uint64_t"},
        [VKR_HOOK_FLOAT] = {"float8_t", "float16_t", "float", "double"},
    };
    static const char *const vectors[][4] = {
        [VKR_HOOK_INT] = {"i8vec", "i16vec", "ivec", "i64vec"},
        [VKR_HOOK_UINT] = {"u8vec", "u16vec", "uvec", "u64vec"},
        [VKR_HOOK_FLOAT] = {"f8vec", "f16vec", "vec", "dvec"},
    };
    const bool is_vector = type->components > 1;
    const uint32_t size = type->bits > 32 ? 3 : type->bits > 16 ? 2 : type->bits > 8;
    if (type->kind == VKR_HOOK_VOID || type->kind >= VKR_HOOK_STATE)
        vkr_say(s, type->kind == VKR_HOOK_VOID ? "void" : "T");
    else if (type->kind == VKR_HOOK_BOOL)
        vkr_say(s, is_vector ? "bvec" : "bool");
    else
        vkr_say(s, (is_vector ? vectors : scalars)[type->kind][size]);
    if (is_vector)
        vkr_say_number(s, type->components);
}

/* Writes what a type is: "a uint", "a matrix". */
static void say_type(vkr_sentence *s, const vkr_hooks *h, uint32_t id)
{
    const vkr_hook_type type = vkr_type_of_hook(h, id);
    const bool is_vector = type.components > 1;
    switch (type.kind) {
    case VKR_HOOK_VOID:
        vkr_say(s, "void");
        return;
    case VKR_HOOK_OTHER:
        break;
    default:
        vkr_say(s, type.kind == VKR_HOOK_INT ||
                           (type.kind == VKR_HOOK_FLOAT && is_vector && type.bits < 32)
                       ? "an "
                       : "a ");
        say_plain_type(s, &type);
        return;
    }
    switch (vkr_defined_by(&h->module, vkr_value_type(h, id))) {
    case SpvOpTypeMatrix:
        vkr_say(s, "a matrix");
        break;
    case SpvOpTypeStruct:
        vkr_say(s, "a struct");
        break;
    case SpvOpTypeArray:
        vkr_say(s, "an array");
        break;
    case SpvOpTypePointer:
        vkr_say(s, "a pointer to a resource");
        break;
    default:
        vkr_say(s, "something else");
        break;
    }
}

static void say_number_word(vkr_sentence *s, uint32_t number)
{
    static const char *const words[] = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth"};
    vkr_say(s, words[number - 1 < 8 ? number - 1 : 8]);
}

static void say_wanted(vkr_sentence *s, const vkr_hook_function *f, const vkr_signature *signature)
{
    vkr_say_name(s, f->name, f->name_length);
    vkr_say(s, " must be ");
    say_plain_type(s, &signature->result);
    vkr_say(s, " ");
    vkr_say_name(s, f->name, f->name_length);
    vkr_say(s, "(");
    for (uint32_t i = 0; i < signature->parameter_count; i++) {
        vkr_say(s, i > 0 ? ", " : "");
        say_plain_type(s, &signature->parameters[i]);
    }
    vkr_say(s, "), but ");
}

void vkr_say_signature(vkr_sentence *s, const vkr_hooks *h, const vkr_hook_function *f,
                       const vkr_signature *signature)
{
    uint32_t state;
    say_wanted(s, f, signature);
    if (!has_type(h, f->id)) {
        vkr_say(s, "its type is not a function's");
        return;
    }
    const uint32_t *type = definition_of(h, definition_of(h, f->id)[4]);
    const uint32_t count = vkr_length_of(type) - 3;
    const int difference = find_difference(h, f->id, signature, &state);
    if (difference < 0) {
        vkr_say(s, "it has ");
        if (count > 0)
            vkr_say_number(s, count);
        vkr_say(s, count == 0 ? "no parameters" : count == 1 ? " parameter" : " parameters");
    } else if (difference == 0) {
        vkr_say(s, "it returns ");
        say_type(s, h, type[2]);
    } else {
        vkr_say(s, "its ");
        say_number_word(s, (uint32_t)difference);
        vkr_say(s, " parameter is ");
        say_type(s, h, type[2 + difference]);
    }
}
