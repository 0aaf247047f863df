/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hook_check.h"
#include "hook_say.h"

/* ---- Modules ---- */

static bool is_known(const uint32_t *w)
{
    vkr_operands o;
    vkr_start_operands(&o, w);
    return o.next != NULL;
}

static bool is_group(uint32_t opcode)
{
    return opcode == SpvOpDecorationGroup || opcode == SpvOpGroupDecorate ||
           opcode == SpvOpGroupMemberDecorate;
}

void vkr_say_unread(vkr_sentence *s, const vkr_module *m)
{
    if (m->failed == m->count) {
        vkr_say(s, "the module has no functions, or ends in one");
        return;
    }
    const uint32_t *w = m->words + m->failed;
    const uint32_t opcode = vkr_opcode_of(w);
    const bool is_short = vkr_length_of(w) == 0, is_long = vkr_length_of(w) > m->count - m->failed;
    vkr_say_opcode(s, opcode);
    vkr_say(s, " at word ");
    vkr_say_number(s, m->failed);
    vkr_say(s, " of the module ");
    if (is_short || is_long)
        vkr_say(s, is_short ? "has no words" : "goes past the module's end");
    else if (!is_known(w))
        vkr_say(s, "is not known to the library");
    else if (is_group(opcode))
        vkr_say(s, "is not supported: groups of decorations are deprecated");
    else if (opcode == SpvOpExtInst)
        vkr_say(s, "is malformed, or of another set than GLSL.std.450");
    else if (opcode == SpvOpFunctionEnd)
        vkr_say(s, "ends a function that has no body, or whose last block does not end");
    else
        vkr_say(s, "is malformed, or in a wrong place");
}

/* ---- Functions ---- */

/* Writes the name of an id, or its number if it has none. */
static void say_id(vkr_sentence *s, const vkr_hooks *h, uint32_t id)
{
    const uint32_t *words = h->module.words;
    for (uint32_t at = VKR_SPIRV_HEADER; at < h->code; at += vkr_length_of(words + at)) {
        const char *name = (const char *)(words + at + 2);
        if (vkr_opcode_of(words + at) == SpvOpName && words[at + 1] == id && name[0] != '\0') {
            vkr_say_name(s, name, strcspn(name, "("));
            return;
        }
    }
    vkr_say(s, "%");
    vkr_say_number(s, id);
}

static void say_variable(vkr_sentence *s, const vkr_hooks *h, const uint32_t *w)
{
    static const struct {
        uint32_t storage;
        const char *before, *after;
    } rows[] = {
        {SpvStorageClassInput, "reads the input ",
         ", but hooks know only their arguments and descriptors"},
        {SpvStorageClassOutput, "has the output ", ", but hooks run in compute shaders"},
        {SpvStorageClassWorkgroup, "uses ", " in shared memory, which belongs to the kernel"},
        {SpvStorageClassPushConstant, "uses the push constants ", ", which belong to the kernel"},
        {SpvStorageClassUniform, "uses ", ", but descriptors of hooks must be in set 1"},
        {SpvStorageClassUniformConstant, "uses ", ", but descriptors of hooks must be in set 1"},
        {SpvStorageClassStorageBuffer, "uses ", ", but descriptors of hooks must be in set 1"},
    };
    const char *before = "uses ", *after = ", but hooks must have no such variables";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (w[3] == rows[i].storage) {
            before = rows[i].before;
            after = rows[i].after;
        }
    }
    if (w[3] == SpvStorageClassPrivate)
        after = vkr_length_of(w) > 4
                    ? ", but variables of hooks must have no initial values"
                    : ", which main sets, or nothing does, and hooks are called without main";
    vkr_say(s, before);
    say_id(s, h, w[2]);
    vkr_say(s, after);
}

/* Writes why a global cannot be used. */
static void say_global(vkr_sentence *s, const vkr_hooks *h, uint32_t id)
{
    const uint32_t *w = h->module.words + h->ids[id].wrong;
    const uint32_t opcode = vkr_opcode_of(w), result = vkr_result_of(w);
    if (opcode == SpvOpVariable) {
        say_variable(s, h, w);
    } else if (h->ids[result].flags & VKR_HOOK_BUILT_IN) {
        vkr_say(s, "uses the built-in constant ");
        say_id(s, h, result);
        vkr_say(s, ", which belongs to the kernel");
    } else if (opcode >= SpvOpSpecConstantTrue && opcode <= SpvOpSpecConstantOp) {
        vkr_say(s, "uses the specialisation constant ");
        say_id(s, h, result);
        vkr_say(s, ", but the constants belong to the kernel");
    } else {
        vkr_say(s, "uses ");
        say_id(s, h, result);
        vkr_say(s, " (");
        vkr_say_opcode(s, opcode);
        vkr_say(s, "), which hooks must not have");
    }
}

static bool is_subgroup(uint32_t opcode)
{
    static const uint32_t ranges[][2] = {
        {SpvOpGroupAsyncCopy, SpvOpGroupSMax},
        {SpvOpGroupNonUniformElect, SpvOpGroupNonUniformQuadSwap},
        {SpvOpSubgroupBallotKHR, SpvOpSubgroupReadInvocationKHR},
        {SpvOpGroupIAddNonUniformAMD, SpvOpGroupSMaxNonUniformAMD},
        {SpvOpGroupNonUniformPartitionNV, SpvOpGroupNonUniformPartitionNV},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (opcode >= ranges[i][0] && opcode <= ranges[i][1])
            return true;
    return false;
}

static const char *why_not(uint32_t opcode)
{
    if (is_subgroup(opcode))
        return "which would need other invocations of the subgroup";
    if ((opcode >= SpvOpDPdx && opcode <= SpvOpFwidthCoarse) ||
        (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageQueryLod))
        return "which needs derivatives, and compute shaders have none";
    switch (opcode) {
    case SpvOpControlBarrier:
        return "but hooks must not wait for other invocations";
    case SpvOpKill:
        return "but hooks must end by returning";
    default:
        return "which hooks must not have";
    }
}

static void say_instruction(vkr_sentence *s, const vkr_hooks *h, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w), at = (uint32_t)(w - h->module.words);
    const bool allowed = vkr_is_hook_opcode(opcode);
    const uint32_t operand = allowed ? vkr_wrong_operand(h, at) : 0;
    if (operand && h->ids[operand].wrong && h->module.definitions[operand] < h->code) {
        say_global(s, h, operand);
    } else if (allowed && !operand && opcode == SpvOpFunctionCall &&
               vkr_suits_call(&h->module, w)) {
        vkr_say(s, "calls ");
        say_id(s, h, w[3]);
        vkr_say(s, " again, but hooks must not be recursive");
    } else {
        vkr_say(s, "has ");
        vkr_say_opcode(s, opcode);
        if (!allowed) {
            vkr_say(s, ", ");
            vkr_say(s, why_not(opcode));
            return;
        }
        vkr_say(s, " at word ");
        vkr_say_number(s, at);
        if (operand) {
            vkr_say(s, ", whose operand ");
            say_id(s, h, operand);
            vkr_say(s, " cannot be used there");
        } else {
            vkr_say(s, ", which is not valid");
        }
    }
}

void vkr_say_wrong(vkr_sentence *s, const vkr_hooks *h, const vkr_hook_function *f)
{
    const uint32_t at = h->ids[f->id].wrong;
    vkr_say_name(s, f->name, f->name_length);
    if (at == 0) {
        vkr_say(s, " has calls in more than 32 nested functions, which is the limit");
        return;
    }
    const uint32_t owner = h->module.words[vkr_function_at(h, at) + 2];
    vkr_say(s, " ");
    if (owner != f->id) {
        vkr_say(s, "calls ");
        say_id(s, h, owner);
        vkr_say(s, ", which ");
    }
    say_instruction(s, h, h->module.words + at);
}
