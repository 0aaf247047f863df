/* SPDX-License-Identifier: MIT */
#include "calls.h"

/* The state while a function is analysed. */
typedef struct looking {
    uint32_t function, block;
    uint32_t merge;               /* the last block that a merge instruction named */
    uint32_t ends[VKR_MAX_DEPTH]; /* the merge blocks of the loops and switches around a block */
    uint32_t depth;
} looking;

static void own(vkr_calls *calls, uint32_t function, uint32_t id, uint32_t ids)
{
    calls->ids[id].owner = function;
    calls->ids[id].local = calls->ids[function].locals;
    calls->ids[function].locals += ids;
}

static void analyse_global(vkr_calls *calls, const uint32_t *w)
{
    if (vkr_opcode_of(w) == SpvOpEntryPoint) {
        calls->unknown |= calls->main != 0;
        calls->main = w[2];
    } else if (vkr_opcode_of(w) == SpvOpConstant) {
        const uint32_t *type = calls->module.words + calls->module.definitions[w[1]];
        if (vkr_opcode_of(type) == SpvOpTypeInt && type[2] == 32)
            calls->number = w[2];
    }
}

static void analyse_return(vkr_calls *calls, const looking *l, const uint32_t *w)
{
    vkr_callable *f = &calls->ids[l->function];
    f->returns++;
    f->wraps |= f->returns > 1 || vkr_opcode_of(w + vkr_length_of(w)) != SpvOpFunctionEnd;
    calls->unknown |= l->function != calls->main && l->depth > 0;
}

/* Starts a loop or a switch. Branches in it can leave it only for its merge block. */
static void enter(vkr_calls *calls, looking *l)
{
    calls->unknown |= l->merge == 0 || l->depth == VKR_MAX_DEPTH;
    if (!calls->unknown)
        l->ends[l->depth++] = l->merge;
}

static void analyse_instruction(vkr_calls *calls, looking *l, const uint32_t *w)
{
    vkr_callable *f = &calls->ids[l->function];
    const uint32_t opcode = vkr_opcode_of(w), result = vkr_result_of(w);
    if (opcode == SpvOpLabel) {
        l->block = w[1];
        l->merge = 0;
        f->blocks++;
        own(calls, l->function, l->block, VKR_IDS);
        while (l->depth > 0 && l->ends[l->depth - 1] == l->block)
            l->depth--;
    } else if (result) {
        own(calls, l->function, result, 1);
    }
    switch (opcode) {
    case SpvOpFunctionParameter:
        calls->ids[result].parameter = ++f->parameters;
        calls->unknown |= f->parameters > VKR_MAX_PARAMETERS;
        break;
    case SpvOpVariable: /* with an initialiser, which is applied only once */
        calls->unknown |= vkr_length_of(w) > 4;
        break;
    case SpvOpSelectionMerge:
        l->merge = w[1];
        break;
    case SpvOpLoopMerge:
        calls->ids[l->block].loop_merge = (uint32_t)(w - calls->module.words);
        l->merge = w[1];
        calls->unknown |= calls->module.definitions[w[2]] > calls->module.definitions[w[1]];
        enter(calls, l);
        break;
    case SpvOpSwitch:
        enter(calls, l);
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        analyse_return(calls, l, w);
        break;
    default:
        break;
    }
}

/* Analyses a function, starting at its OpFunction. The blocks of a construct must lie between its
 * header and its merge block. */
static void analyse_function(vkr_calls *calls, const uint32_t *w)
{
    looking l = {.function = w[2]};
    vkr_callable *f = &calls->ids[l.function];
    f->locals = VKR_IDS;
    if (calls->functions++ == 0)
        calls->first = l.function;
    for (w += vkr_length_of(w); vkr_opcode_of(w) != SpvOpFunctionEnd && !calls->unknown;
         w += vkr_length_of(w))
        analyse_instruction(calls, &l, w);
    calls->unknown |=
        l.function != calls->main && (f->returns == 0 || f->returns > VKR_MAX_RETURNS);
}

/* Finds blocks that must be split. Returns true if it found a new one. */
static bool find_splits(vkr_calls *calls)
{
    const uint32_t *words = calls->module.words;
    bool more = false;
    uint32_t function = 0, block = 0;
    for (size_t at = calls->module.definitions[calls->first]; at < calls->module.count;
         at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        if (vkr_opcode_of(w) == SpvOpFunction)
            function = w[2];
        if (vkr_opcode_of(w) == SpvOpLabel)
            block = w[1];
        if (vkr_opcode_of(w) != SpvOpFunctionCall)
            continue;
        const vkr_callable *called = &calls->ids[w[3]];
        calls->unknown |=
            (called->wraps && calls->number == 0) || vkr_length_of(w) - 4 != called->parameters;
        if (called->blocks > 1 && !calls->ids[block].splits) {
            calls->ids[block].splits = more = true;
            calls->ids[function].blocks++;
        }
    }
    return more;
}

void vkr_analyse_calls(vkr_calls *calls)
{
    const uint32_t *words = calls->module.words;
    for (size_t at = VKR_SPIRV_HEADER; at < calls->module.count && !calls->unknown;
         at += vkr_length_of(words + at)) {
        if (vkr_opcode_of(words + at) == SpvOpFunction)
            analyse_function(calls, words + at);
        if (calls->functions == 0)
            analyse_global(calls, words + at);
    }
    calls->unknown |= calls->main == 0;
    while (!calls->unknown && find_splits(calls)) {
    }
}
