/* SPDX-License-Identifier: MIT */
/* Each instruction of a function is looked at a fixed number of times, however the functions call
 * each other. */
#include <string.h>

#include "hook_check.h"

enum { MAX_CHAINS = 16 };       /* nested access chains */
enum { MODF = 35, FREXP = 51 }; /* of GLSL.std.450: they also store to their last operand */

/* ---- Instructions ---- */

bool vkr_is_hook_opcode(uint32_t opcode)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {SpvOpNop, SpvOpUndef},
        {SpvOpLine, SpvOpLine},
        {SpvOpExtInst, SpvOpExtInst},
        {SpvOpFunction, SpvOpFunctionCall},
        {SpvOpVariable, SpvOpCopyMemory},
        {SpvOpAccessChain, SpvOpInBoundsAccessChain},
        {SpvOpArrayLength, SpvOpArrayLength},
        {SpvOpVectorExtractDynamic, SpvOpTranspose},
        {SpvOpSampledImage, SpvOpSampledImage},
        {SpvOpImageSampleExplicitLod, SpvOpImageSampleExplicitLod},
        {SpvOpImageSampleDrefExplicitLod, SpvOpImageSampleDrefExplicitLod},
        {SpvOpImageSampleProjExplicitLod, SpvOpImageSampleProjExplicitLod},
        {SpvOpImageSampleProjDrefExplicitLod, SpvOpImage},
        {SpvOpImageQuerySizeLod, SpvOpImageQuerySize},
        {SpvOpImageQueryLevels, SpvOpImageQuerySamples},
        {SpvOpConvertFToU, SpvOpQuantizeToF16},
        {SpvOpBitcast, SpvOpBitcast},
        {SpvOpSNegate, SpvOpSMulExtended},
        {SpvOpAny, SpvOpIsInf},
        {SpvOpLogicalEqual, SpvOpFUnordGreaterThanEqual},
        {SpvOpShiftRightLogical, SpvOpBitCount},
        {SpvOpMemoryBarrier, SpvOpMemoryBarrier},
        {SpvOpAtomicLoad, SpvOpAtomicXor},
        {SpvOpPhi, SpvOpSwitch},
        {SpvOpReturn, SpvOpUnreachable},
        {SpvOpNoLine, SpvOpNoLine},
        {SpvOpCopyLogical, SpvOpCopyLogical},
        {SpvOpAtomicFAddEXT, SpvOpAtomicFAddEXT},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (opcode >= ranges[i].first && opcode <= ranges[i].last)
            return true;
    return false;
}

bool vkr_is_left_out(const vkr_module *m, const uint32_t *w)
{
    static const char non_semantic[] = "NonSemantic.";
    const uint32_t opcode = vkr_opcode_of(w);
    if (opcode != SpvOpExtInst)
        return opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpNop;
    return strncmp((const char *)(m->words + m->definitions[w[3]] + 2), non_semantic,
                   sizeof non_semantic - 1) == 0;
}

bool vkr_is_idle_extension(const char *name)
{
    static const char *const names[] = {
        "SPV_GOOGLE_decorate_string", "SPV_GOOGLE_hlsl_functionality1", "SPV_GOOGLE_user_type",
        "SPV_KHR_linkonce_odr",       "SPV_KHR_non_semantic_info",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

uint32_t vkr_function_at(const vkr_hooks *h, uint32_t at)
{
    uint32_t function = h->code;
    for (uint32_t i = h->code; i <= at; i += vkr_length_of(h->module.words + i))
        if (vkr_opcode_of(h->module.words + i) == SpvOpFunction)
            function = i;
    return function;
}

/* ---- Globals ---- */

static void mark_annotation(vkr_hooks *h, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
    if (opcode == SpvOpEntryPoint)
        h->ids[w[2]].flags |= VKR_HOOK_ENTRY;
    else if (opcode == SpvOpDecorateId)
        h->ids[w[1]].flags |= VKR_HOOK_BY_ID;
    else if (opcode == SpvOpDecorate && w[2] == SpvDecorationBuiltIn)
        h->ids[w[1]].flags |= VKR_HOOK_BUILT_IN;
    else if (opcode == SpvOpDecorate && w[2] == SpvDecorationDescriptorSet)
        h->ids[w[1]].flags |=
            length > 3 && w[3] == VKR_HOOK_SET ? VKR_HOOK_IN_SET : VKR_HOOK_IN_OTHER_SET;
}

static bool is_hook_variable(const vkr_hooks *h, const uint32_t *w)
{
    const uint32_t *type = h->module.words + h->module.definitions[w[1]];
    const uint8_t flags = h->ids[w[2]].flags;
    if (vkr_length_of(w) > 4 || vkr_opcode_of(type) != SpvOpTypePointer || type[2] != w[3])
        return false;
    switch (w[3]) {
    case SpvStorageClassPrivate:
        return flags & VKR_HOOK_STORED;
    case SpvStorageClassUniformConstant:
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        return (flags & VKR_HOOK_IN_SET) && !(flags & VKR_HOOK_IN_OTHER_SET);
    default:
        return false;
    }
}

static bool is_hook_global(const vkr_hooks *h, const uint32_t *w)
{
    if (h->ids[vkr_result_of(w)].flags & (VKR_HOOK_BUILT_IN | VKR_HOOK_BY_ID))
        return false;
    switch (vkr_opcode_of(w)) {
    case SpvOpTypePointer:
        return w[2] <= SpvStorageClassStorageBuffer;
    case SpvOpVariable:
        return is_hook_variable(h, w);
    case SpvOpUndef:
    case SpvOpExtInstImport:
    case SpvOpTypeVoid:
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeStruct:
    case SpvOpTypeFunction:
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
        return true;
    default:
        return false;
    }
}

/* A global is wrong, too, if it is made of one that is. */
static void mark_global(vkr_hooks *h, uint32_t at)
{
    const uint32_t *w = h->module.words + at, result = vkr_result_of(w);
    if (result == 0)
        return;
    uint32_t wrong = is_hook_global(h, w) ? 0 : at;
    vkr_operands o;
    vkr_start_module_operands(&o, &h->module, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN && wrong == 0;) {
        if (word != VKR_WORD_ID && word != VKR_WORD_TYPE)
            continue;
        const uint32_t id = w[o.at - 1], from = h->module.definitions[id];
        wrong = from == 0 || from >= at ? at : h->ids[id].wrong;
    }
    h->ids[result].wrong = wrong;
}

/* ---- Functions ---- */

/* Notes whether hooks may use the Private variable to which a pointer leads: not if main stores to
 * it. */
static void mark_stored(vkr_hooks *h, uint32_t id, bool in_main)
{
    for (uint32_t i = 0; i < MAX_CHAINS; i++) {
        const uint32_t opcode = vkr_defined_by(&h->module, id);
        if (opcode != SpvOpAccessChain && opcode != SpvOpInBoundsAccessChain &&
            opcode != SpvOpCopyObject)
            break;
        id = h->module.words[h->module.definitions[id] + 3];
    }
    if (in_main)
        h->ids[id].flags &= (uint8_t)~VKR_HOOK_STORED;
    else
        h->ids[id].flags |= VKR_HOOK_STORED;
}

/* Marks what an instruction may store to. */
static void mark_instruction(vkr_hooks *h, const uint32_t *w, bool in_main)
{
    const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
    if (opcode == SpvOpStore || opcode == SpvOpCopyMemory)
        mark_stored(h, w[1], in_main);
    if (opcode == SpvOpExtInst && length > 6 && (w[4] == MODF || w[4] == FREXP))
        mark_stored(h, w[6], in_main);
    for (uint32_t k = 4; opcode == SpvOpFunctionCall && k < length; k++)
        mark_stored(h, w[k], in_main);
}

/* Entry points come last: compilers put the initial values of variables there, which hooks would
 * miss, so what they store to is no variable of hooks. */
static void mark_stores(vkr_hooks *h)
{
    const uint32_t *words = h->module.words;
    for (uint32_t in_main = 0; in_main < 2; in_main++) {
        uint32_t function = 0;
        for (size_t at = h->code; at < h->module.count; at += vkr_length_of(words + at)) {
            const uint32_t *w = words + at;
            if (vkr_opcode_of(w) == SpvOpFunction)
                function = w[2];
            if (((h->ids[function].flags & VKR_HOOK_ENTRY) != 0) == (in_main != 0))
                mark_instruction(h, w, in_main != 0);
        }
    }
}

static bool is_type(const vkr_module *m, uint32_t id)
{
    const uint32_t opcode = vkr_defined_by(m, id);
    return opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeFunction;
}

/* The instructions of a function: the indices of its OpFunction and of its OpFunctionEnd. */
typedef struct extent {
    uint32_t start, end;
} extent;

static extent extent_at(const vkr_module *m, uint32_t start)
{
    extent e = {start, start};
    while (vkr_opcode_of(m->words + e.end) != SpvOpFunctionEnd)
        e.end += vkr_length_of(m->words + e.end);
    return e;
}

/* Whether an instruction may use an id. Labels and the operands of OpPhi may be defined later. */
static bool may_use(const vkr_hooks *h, extent function, uint32_t at, uint32_t id)
{
    const uint32_t from = h->module.definitions[id];
    const uint32_t *w = h->module.words + from;
    if (from == 0 || vkr_opcode_of(w) == SpvOpFunction || vkr_is_left_out(&h->module, w))
        return false;
    if (from < h->code)
        return h->ids[id].wrong == 0;
    if (vkr_opcode_of(h->module.words + at) == SpvOpPhi || vkr_opcode_of(w) == SpvOpLabel)
        at = function.end;
    return from > function.start && from < at;
}

static uint32_t find_wrong_operand(const vkr_hooks *h, extent function, uint32_t at)
{
    const uint32_t *w = h->module.words + at;
    vkr_operands o;
    vkr_start_module_operands(&o, &h->module, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;) {
        const uint32_t id = w[o.at - 1];
        if (word == VKR_WORD_LITERAL || word == VKR_WORD_RESULT ||
            (vkr_opcode_of(w) == SpvOpFunctionCall && o.at == 4))
            continue;
        if (!may_use(h, function, at, id) || (word == VKR_WORD_TYPE && !is_type(&h->module, id)))
            return id;
    }
    return 0;
}

uint32_t vkr_wrong_operand(const vkr_hooks *h, uint32_t at)
{
    return find_wrong_operand(h, extent_at(&h->module, vkr_function_at(h, at)), at);
}

/* The type of a function, or NULL if it has none that suits its result. */
static const uint32_t *type_of(const vkr_module *m, const uint32_t *function)
{
    const uint32_t *type = m->words + m->definitions[function[4]];
    return vkr_defined_by(m, function[4]) == SpvOpTypeFunction && type[2] == function[1] ? type
                                                                                         : NULL;
}

bool vkr_suits_call(const vkr_module *m, const uint32_t *call)
{
    const uint32_t *function = m->words + m->definitions[call[3]];
    const uint32_t *type = type_of(m, function);
    return type && call[1] == function[1] && vkr_length_of(call) - 4 == vkr_length_of(type) - 3;
}

/* Whether a function has the parameters that its type says. */
static bool suits_type(const vkr_module *m, const uint32_t *function)
{
    const uint32_t *type = type_of(m, function), *w = function;
    uint32_t k = 3;
    for (; type && vkr_opcode_of(w) != SpvOpLabel; w += vkr_length_of(w)) {
        if (vkr_opcode_of(w) != SpvOpFunctionParameter)
            continue;
        if (k == vkr_length_of(type) || w[1] != type[k])
            return false;
        k++;
    }
    return type && k == vkr_length_of(type);
}

static bool is_wrong(const vkr_hooks *h, extent function, uint32_t at)
{
    const uint32_t *w = h->module.words + at;
    const uint32_t opcode = vkr_opcode_of(w), result = vkr_result_of(w);
    if (!vkr_is_hook_opcode(opcode))
        return true;
    if (vkr_is_left_out(&h->module, w))
        return false;
    if (find_wrong_operand(h, function, at) != 0 || h->ids[result].flags & VKR_HOOK_BY_ID)
        return true;
    switch (opcode) {
    case SpvOpFunction:
        return !suits_type(&h->module, w);
    case SpvOpFunctionCall:
        return !vkr_suits_call(&h->module, w);
    case SpvOpVariable:
        return w[3] != SpvStorageClassFunction;
    default:
        return false;
    }
}

static void mark_functions(vkr_hooks *h)
{
    const uint32_t *words = h->module.words;
    extent function = {0};
    for (uint32_t at = h->code; at < h->module.count; at += vkr_length_of(words + at)) {
        if (vkr_opcode_of(words + at) == SpvOpFunction)
            function = extent_at(&h->module, at);
        uint32_t *wrong = &h->ids[words[function.start + 2]].wrong;
        if (*wrong == 0 && is_wrong(h, function, at))
            *wrong = at;
    }
}

/* ---- Calls ---- */

static void add_call(vkr_hook_id *from, const vkr_hook_id *to)
{
    const uint8_t calls = to->calls == UINT8_MAX ? UINT8_MAX : (uint8_t)(to->calls + 1);
    from->calls = from->calls < calls ? calls : from->calls;
    from->wrong = from->wrong ? from->wrong : to->wrong;
}

static void follow(vkr_hooks *h, uint32_t function, uint32_t caller)
{
    vkr_hook_id *f = &h->ids[function];
    f->caller = caller;
    f->resume = h->module.definitions[function];
    f->calls = 1;
    f->flags |= VKR_HOOK_FOLLOWS;
}

/* Follows all calls that start at a function. A function that is called again while it is followed
 * is recursive. */
static void follow_all(vkr_hooks *h, uint32_t function)
{
    follow(h, function, 0);
    while (function != 0) {
        vkr_hook_id *f = &h->ids[function];
        const uint32_t *w = h->module.words + f->resume;
        if (vkr_opcode_of(w) == SpvOpFunctionEnd) {
            f->flags &= (uint8_t)~VKR_HOOK_FOLLOWS;
            function = f->caller;
            continue;
        }
        if (vkr_opcode_of(w) == SpvOpFunctionCall) {
            const vkr_hook_id *called = &h->ids[w[3]];
            if (called->calls == 0) {
                follow(h, w[3], function);
                function = w[3];
                continue;
            }
            if (called->flags & VKR_HOOK_FOLLOWS)
                f->wrong = f->wrong ? f->wrong : f->resume;
            else
                add_call(f, called);
        }
        f->resume += vkr_length_of(w);
    }
}

void vkr_mark_hooks(vkr_hooks *h)
{
    const uint32_t *words = h->module.words;
    h->code = VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(words + h->code) != SpvOpFunction;
         h->code += vkr_length_of(words + h->code))
        mark_annotation(h, words + h->code);
    mark_stores(h);
    for (uint32_t at = VKR_SPIRV_HEADER; at < h->code; at += vkr_length_of(words + at))
        mark_global(h, at);
    mark_functions(h);
    for (size_t at = h->code; at < h->module.count; at += vkr_length_of(words + at))
        if (vkr_opcode_of(words + at) == SpvOpFunction && h->ids[words[at + 2]].calls == 0)
            follow_all(h, words[at + 2]);
}
