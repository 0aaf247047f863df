/* SPDX-License-Identifier: MIT */
#include "calls.h"
#include "unpack.h"

static void own(vkr_calls *calls, uint32_t function, uint32_t id, uint32_t ids)
{
    calls->ids[id].owner = function;
    calls->ids[id].local = calls->ids[function].locals;
    calls->ids[function].locals += ids;
}

static void look_at_global(vkr_calls *calls, const uint32_t *w)
{
    switch (vkr_opcode_of(w)) {
    case OP_ENTRY_POINT:
        calls->main = w[2];
        break;
    case OP_TYPE_VOID:
        calls->no_type = w[1];
        break;
    case OP_TYPE_INT:
        calls->ids[w[1]].is_int = w[2] == 32;
        break;
    case OP_CONSTANT:
        if (calls->ids[w[1]].is_int)
            calls->number = w[2];
        break;
    default:
        break;
    }
}

static void look_at_return(vkr_calls *calls, uint32_t function, size_t at, bool in_loop)
{
    vkr_callable *f = &calls->ids[function];
    const uint32_t *next = calls->words + at + vkr_length_of(calls->words + at);
    f->returns++;
    f->wraps |= f->returns > 1 || vkr_opcode_of(next) != OP_FUNCTION_END;
    calls->unknown |= function != calls->main && in_loop;
}

/* Looks at a function from its OpFunction on. Blocks come in an order in which a loop's lie between
 * its header and its merge block. */
static void look_at_function(vkr_calls *calls, size_t at)
{
    const uint32_t function = calls->words[at + 2];
    vkr_callable *f = &calls->ids[function];
    uint32_t loops[VKR_MOST_DEPTH], depth = 0, block = 0, parameters = 0;
    f->at = (uint32_t)at;
    f->locals = VKR_IDS;
    if (calls->functions++ == 0)
        calls->first = function;
    for (;; at += vkr_length_of(calls->words + at)) {
        const uint32_t *w = calls->words + at;
        const uint32_t opcode = vkr_opcode_of(w), result = vkr_result_of(w);
        if (opcode == OP_FUNCTION_END)
            break;
        if (opcode == OP_LABEL) {
            block = w[1];
            f->blocks++;
            own(calls, function, block, VKR_IDS);
            depth -= depth > 0 && loops[depth - 1] == block;
        } else if (opcode != OP_FUNCTION && result) {
            own(calls, function, result, 1);
        }
        if (opcode == OP_FUNCTION_PARAMETER)
            calls->ids[result].parameter = ++parameters;
        if (opcode == OP_LOOP_MERGE) {
            calls->ids[block].at = (uint32_t)at;
            loops[depth++] = w[1];
        }
        if (opcode == OP_RETURN || opcode == OP_RETURN_VALUE)
            look_at_return(calls, function, at, depth > 0);
        calls->unknown |= opcode == OP_SWITCH || depth == VKR_MOST_DEPTH ||
                          parameters > VKR_MOST_PARAMETERS ||
                          (opcode == OP_VARIABLE && vkr_length_of(w) > 4);
        if (calls->unknown)
            return;
    }
    calls->unknown |= function != calls->main && (f->returns == 0 || f->returns > VKR_MOST_RETURNS);
}

/* Finds out which blocks become several. Returns whether one was not known to. */
static bool look_for_splits(vkr_calls *calls)
{
    bool more = false;
    uint32_t function = 0, block = 0;
    for (size_t at = calls->ids[calls->first].at; at < calls->count;
         at += vkr_length_of(calls->words + at)) {
        const uint32_t *w = calls->words + at;
        if (vkr_opcode_of(w) == OP_FUNCTION)
            function = w[2];
        if (vkr_opcode_of(w) == OP_LABEL)
            block = w[1];
        if (vkr_opcode_of(w) != OP_FUNCTION_CALL)
            continue;
        const vkr_callable *called = &calls->ids[w[3]];
        calls->unknown |= called->wraps && calls->number == 0;
        if (called->blocks > 1 && !calls->ids[block].splits) {
            calls->ids[block].splits = more = true;
            calls->ids[function].blocks++;
        }
    }
    return more;
}

void vkr_look_at_calls(vkr_calls *calls)
{
    for (size_t at = VKR_SPIRV_HEADER; at < calls->count && !calls->unknown;
         at += vkr_length_of(calls->words + at)) {
        const uint32_t *w = calls->words + at;
        if (vkr_opcode_of(w) == OP_FUNCTION)
            look_at_function(calls, at);
        if (calls->functions == 0)
            look_at_global(calls, w);
    }
    while (!calls->unknown && look_for_splits(calls)) {
    }
}
