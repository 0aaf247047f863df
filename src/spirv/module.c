/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "module.h"

/* Where the next instruction stands. */
typedef enum position { GLOBALS, PARAMETERS, BLOCK, BETWEEN_BLOCKS } position;

typedef struct reading {
    vkr_module *module;
    position position;
    bool has_functions;
    bool first; /* the block has had only OpPhi so far */
} reading;

uint32_t vkr_bound_of(const uint32_t *words, size_t count)
{
    const bool is_module = count >= VKR_SPIRV_HEADER && count <= UINT32_MAX / 16 &&
                           words[0] == SpvMagicNumber &&
                           words[VKR_SPIRV_BOUND] <= VKR_SPIRV_MAX_BOUND;
    return is_module ? words[VKR_SPIRV_BOUND] : 0;
}

/* ---- Operands ---- */

void vkr_start_module_operands(vkr_operands *operands, const vkr_module *m, const uint32_t *w)
{
    vkr_start_operands(operands, w);
    if (vkr_opcode_of(w) == SpvOpSwitch) {
        const uint32_t *selector = m->words + m->definitions[w[1]];
        const uint32_t *type = m->words + m->definitions[selector[1]];
        operands->case_words = type[2] > 32 ? 2 : 1;
    }
}

/* Returns false for a few instructions whose operands the tables do not describe fully, unless the
 * module has what is needed to read them. */
static bool is_known(const vkr_module *m, const uint32_t *w)
{
    static const char glsl[] = "GLSL.std.450", non_semantic[] = "NonSemantic.";
    switch (vkr_opcode_of(w)) {
    case SpvOpDecorationGroup:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
        return false;
    case SpvOpSwitch: {
        const uint32_t length = vkr_length_of(w);
        const uint32_t *selector =
            length > 1 && w[1] < m->bound ? m->words + m->definitions[w[1]] : m->words;
        return selector != m->words && vkr_result_word(vkr_opcode_of(selector)) == 2 &&
               vkr_defined_by(m, selector[1]) == SpvOpTypeInt;
    }
    case SpvOpExtInst: { /* other sets can have literal operands */
        if (vkr_length_of(w) < 5 || w[3] >= m->bound ||
            vkr_defined_by(m, w[3]) != SpvOpExtInstImport)
            return false;
        const uint32_t *set = m->words + m->definitions[w[3]];
        const char *name = (const char *)(set + 2);
        const size_t size = (vkr_length_of(set) - 2) * sizeof *set;
        return (size >= sizeof glsl && memcmp(name, glsl, sizeof glsl) == 0) ||
               (size >= sizeof non_semantic &&
                memcmp(name, non_semantic, sizeof non_semantic - 1) == 0);
    }
    default:
        return true;
    }
}

static bool read_operands(vkr_module *m, const uint32_t *w)
{
    if (!is_known(m, w))
        return false;
    vkr_operands o;
    vkr_start_module_operands(&o, m, w);
    for (;;) {
        const vkr_word word = vkr_next_word(&o);
        if (word <= VKR_WORD_UNKNOWN)
            return word == VKR_WORD_END;
        if (word == VKR_WORD_LITERAL)
            continue;
        const uint32_t id = w[o.at - 1];
        if (id == 0 || id >= m->bound || (word == VKR_WORD_RESULT && m->definitions[id]))
            return false;
        if (word == VKR_WORD_RESULT)
            m->definitions[id] = (uint32_t)(w - m->words);
    }
}

/* ---- Order ---- */

/* Returns whether an instruction may stand at this position. Blocks with other terminators are not
 * supported. */
static bool read_position(reading *r, uint32_t opcode)
{
    const bool ends = opcode >= SpvOpBranch && opcode <= SpvOpUnreachable;
    const position before = r->position;
    switch (opcode) {
    case SpvOpLine:
    case SpvOpNoLine:
        return true;
    case SpvOpFunction:
        r->position = PARAMETERS;
        r->has_functions = true;
        return before == GLOBALS;
    case SpvOpFunctionParameter:
        return before == PARAMETERS;
    case SpvOpLabel:
        r->position = BLOCK;
        r->first = true;
        return before == PARAMETERS || before == BETWEEN_BLOCKS;
    case SpvOpFunctionEnd:
        r->position = GLOBALS;
        return before == BETWEEN_BLOCKS;
    case SpvOpPhi:
        return before == BLOCK && r->first;
    default:
        r->first = false;
        if (ends)
            r->position = BETWEEN_BLOCKS;
        return before == BLOCK || (before == GLOBALS && !ends && !r->has_functions);
    }
}

/* Whether all ids of an instruction, starting at word `first`, are labels. */
static bool has_labels(const vkr_module *m, const uint32_t *w, uint32_t first)
{
    vkr_operands o;
    vkr_start_module_operands(&o, m, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
        if (word == VKR_WORD_ID && o.at > first && vkr_defined_by(m, w[o.at - 1]) != SpvOpLabel)
            return false;
    return true;
}

/* Whether the targets of an instruction are of the required kind. */
static bool has_targets(const vkr_module *m, const uint32_t *w)
{
    switch (vkr_opcode_of(w)) {
    case SpvOpEntryPoint:
        return vkr_defined_by(m, w[2]) == SpvOpFunction;
    case SpvOpFunctionCall:
        return vkr_defined_by(m, w[3]) == SpvOpFunction;
    case SpvOpBranch:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
        return has_labels(m, w, 1);
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        return has_labels(m, w, 2);
    default:
        return true;
    }
}

bool vkr_read_module(const uint32_t *words, size_t count, uint32_t *definitions, vkr_module *module)
{
    *module = (vkr_module){words, count, vkr_bound_of(words, count), definitions, 0};
    reading r = {.module = module};
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        module->failed = at;
        if (vkr_length_of(w) == 0 || vkr_length_of(w) > count - at || !read_operands(module, w) ||
            !read_position(&r, vkr_opcode_of(w)))
            return false;
    }
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        module->failed = at;
        if (!has_targets(module, words + at))
            return false;
    }
    module->failed = count;
    return r.has_functions && r.position == GLOBALS;
}

/* ---- Writing ---- */

uint32_t *vkr_write(vkr_writer *out, const uint32_t *words, uint32_t count)
{
    uint32_t *to = out->to;
    out->fails |= count > out->room;
    if (out->fails)
        return NULL;
    memcpy(to, words, count * sizeof *words);
    out->to += count;
    out->room -= count;
    return to;
}

void vkr_write_new(vkr_writer *out, const uint32_t *words, uint32_t count)
{
    uint32_t *to = vkr_write(out, words, count);
    if (to)
        to[0] = vkr_first_word(words[0], count);
}
