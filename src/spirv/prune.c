/* SPDX-License-Identifier: MIT */
/* Three passes over the words: the first finds reachable blocks, the second finds unreachable
 * blocks that merge instructions still name, and the third writes the module. Blocks must come
 * after those that dominate them and, except in loops, after those that branch to them; a module in
 * another order is not pruned. */
#include <string.h>

#include "fold.h"
#include "module.h"
#include "prune.h"

/* The known properties of the id of a block or a function. */
typedef struct node {
    uint32_t taken; /* of a block: its only successor, or 0 */
    uint32_t pair;  /* of a loop's header: its continue target, and vice versa */
    bool reached;
    bool done;  /* a function: already visited */
    bool loops; /* a header: a reachable block returns to it */
    bool named; /* a block: a merge instruction that is kept names it */
    bool gone;  /* the object with this id is removed */
} node;

typedef struct pruning {
    vkr_module module;
    vkr_value *values; /* by id */
    node *nodes;       /* by id */
    bool unknown;      /* the module has something unsupported */
} pruning;

/* ---- What is reached ---- */

/* Whether a branch goes back: to an earlier block or to the same one. */
static bool is_back(const pruning *p, uint32_t from, uint32_t to)
{
    return p->module.definitions[to] <= p->module.definitions[from];
}

static void branch(pruning *p, uint32_t from, uint32_t to)
{
    node *target = &p->nodes[to];
    const bool back = is_back(p, from, to);
    target->loops |= back;
    p->unknown |= back && !target->reached;
    target->reached = true;
}

/* A branch that returns to a loop's header is kept, since each loop must have one. */
static void branch_by_condition(pruning *p, uint32_t block, const uint32_t *w)
{
    const vkr_value *condition = &p->values[w[1]];
    if (condition->known && !is_back(p, block, w[2]) && !is_back(p, block, w[3])) {
        p->nodes[block].taken = condition->value ? w[2] : w[3];
        branch(p, block, p->nodes[block].taken);
        return;
    }
    branch(p, block, w[2]);
    branch(p, block, w[3]);
}

static void branch_by_switch(pruning *p, uint32_t block, const uint32_t *w)
{
    vkr_operands o;
    vkr_start_module_operands(&o, &p->module, w);
    (void)vkr_next_word(&o); /* the selector */
    for (vkr_word word; (word = vkr_next_word(&o)) != VKR_WORD_END;)
        if (word == VKR_WORD_ID)
            branch(p, block, w[o.at - 1]);
}

/* Whether a block may branch to another one. */
static bool goes_on(const pruning *p, uint32_t from, uint32_t to)
{
    const node *n = &p->nodes[from];
    return n->reached && (n->taken == 0 || n->taken == to);
}

/* Folds a phi if all blocks from which control may come give the same value. Values from back edges
 * are unknown here. */
static void fold_phi(pruning *p, uint32_t block, const uint32_t *w)
{
    vkr_value all = {0};
    for (uint32_t k = 3; k + 1 < vkr_length_of(w); k += 2) {
        const vkr_value *value = &p->values[w[k]];
        const bool back = is_back(p, w[k + 1], block);
        if (!back && !goes_on(p, w[k + 1], block))
            continue;
        if (back || !value->known || (all.known && all.value != value->value))
            return;
        all = *value;
    }
    p->values[w[2]].known = all.known && p->values[w[1]].folds;
    p->values[w[2]].value = all.value;
}

static void visit_function(pruning *p, uint32_t function)
{
    uint32_t block = 0;
    const uint32_t *w = p->module.words + p->module.definitions[function];
    p->nodes[function].done = true;
    for (; vkr_opcode_of(w) != SpvOpFunctionEnd; w += vkr_length_of(w)) {
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == SpvOpLabel) {
            p->nodes[w[1]].reached |= block == 0; /* the first block of the function */
            block = w[1];
        }
        if (block == 0 || !p->nodes[block].reached)
            continue;
        if (opcode == SpvOpPhi)
            fold_phi(p, block, w);
        else if (opcode == SpvOpFunctionCall)
            p->nodes[w[3]].reached = true;
        else if (opcode == SpvOpBranch)
            branch(p, block, w[1]);
        else if (opcode == SpvOpSwitch)
            branch_by_switch(p, block, w);
        else if (opcode == SpvOpBranchConditional)
            branch_by_condition(p, block, w);
        else
            vkr_fold(p->values, w);
    }
}

/* Functions may call later and earlier functions. */
static void visit_functions(pruning *p)
{
    const uint32_t *words = p->module.words;
    for (bool more = true; more;) {
        more = false;
        for (size_t at = VKR_SPIRV_HEADER; at < p->module.count; at += vkr_length_of(words + at)) {
            const uint32_t *w = words + at;
            if (vkr_opcode_of(w) == SpvOpEntryPoint)
                p->nodes[w[2]].reached = true;
            if (vkr_opcode_of(w) != SpvOpFunction || !p->nodes[w[2]].reached || p->nodes[w[2]].done)
                continue;
            visit_function(p, w[2]);
            more = true;
        }
    }
}

/* ---- What stays ---- */

/* Whether a block's merge instruction is kept: not if the block has only one successor, except in a
 * loop. */
static bool keeps_construct(const pruning *p, uint32_t block, const uint32_t *w)
{
    const uint32_t taken = p->nodes[block].taken;
    return taken == 0 || (vkr_opcode_of(w) == SpvOpLoopMerge && taken != w[1]);
}

static void name_targets(pruning *p, uint32_t block, const uint32_t *w)
{
    p->nodes[w[1]].named = true;
    if (vkr_opcode_of(w) == SpvOpSelectionMerge)
        return;
    p->nodes[w[2]].named = true;
    p->unknown |= p->nodes[w[2]].pair || p->nodes[block].pair;
    p->nodes[w[2]].pair = block;
    p->nodes[block].pair = w[2];
    p->unknown |= p->nodes[w[2]].reached && !p->nodes[block].loops;
}

static bool is_merge(uint32_t opcode)
{
    return opcode == SpvOpLoopMerge || opcode == SpvOpSelectionMerge;
}

static void mark_named_blocks(pruning *p)
{
    const uint32_t *words = p->module.words;
    uint32_t owner = 0; /* the current function, or the current block in it */
    for (size_t at = VKR_SPIRV_HEADER; at < p->module.count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == SpvOpFunction || opcode == SpvOpLabel)
            owner = vkr_result_of(w);
        if (owner && !p->nodes[owner].reached)
            p->nodes[vkr_result_of(w)].gone = opcode != SpvOpLabel || !p->nodes[owner].named;
        else if (is_merge(opcode) && keeps_construct(p, owner, w))
            name_targets(p, owner, w);
    }
}

/* ---- Writing ---- */

/* Removes the operands of blocks that no longer branch here. If no block returns to a loop any
 * more, a continue target is added that does, as SPIR-V requires, with the value that the phi
 * already has. */
static void write_phi(const pruning *p, vkr_writer *out, uint32_t block, const uint32_t *w)
{
    const uint32_t pair = p->nodes[block].pair;
    uint32_t *phi = vkr_write(out, w, 3);
    for (uint32_t k = 3; k + 1 < vkr_length_of(w); k += 2) {
        const uint32_t value = w[k], from = w[k + 1];
        const bool stays = goes_on(p, from, block);
        if (stays || (is_back(p, from, block) && pair))
            vkr_write(out, (const uint32_t[]){stays ? value : w[2], stays ? from : pair}, 2);
    }
    if (phi)
        phi[0] = vkr_first_word(SpvOpPhi, (uint32_t)(out->to - phi));
}

/* Writes a block that is unreachable but named: the merge block of a construct that control leaves
 * elsewhere, or its continue target. */
static void write_named(const pruning *p, vkr_writer *out, const uint32_t *label)
{
    const uint32_t header = p->nodes[label[1]].pair;
    vkr_write(out, label, 2);
    if (header)
        VKR_WRITE(out, SpvOpBranch, header);
    else
        VKR_WRITE(out, SpvOpUnreachable);
}

static void write_in_block(const pruning *p, vkr_writer *out, uint32_t block, const uint32_t *w)
{
    const uint32_t taken = p->nodes[block].taken, opcode = vkr_opcode_of(w);
    if (opcode == SpvOpPhi)
        write_phi(p, out, block, w);
    else if (opcode == SpvOpBranchConditional && taken)
        VKR_WRITE(out, SpvOpBranch, taken);
    else if (!is_merge(opcode) || keeps_construct(p, block, w))
        vkr_write(out, w, vkr_length_of(w));
}

/* Annotations of removed objects are removed too. No other instruction may name these objects. */
static void write_global(const pruning *p, vkr_writer *out, const uint32_t *w)
{
    vkr_operands o;
    if (vkr_is_annotation(vkr_opcode_of(w)) && p->nodes[w[1]].gone)
        return;
    vkr_start_operands(&o, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
        out->fails |= word != VKR_WORD_LITERAL && p->nodes[w[o.at - 1]].gone;
    vkr_write(out, w, vkr_length_of(w));
}

static void write_module(const pruning *p, vkr_writer *out)
{
    const uint32_t *words = p->module.words;
    uint32_t function = 0, block = 0;
    vkr_write(out, words, VKR_SPIRV_HEADER);
    for (size_t at = VKR_SPIRV_HEADER; at < p->module.count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == SpvOpFunction)
            function = w[2];
        if (opcode == SpvOpFunction || opcode == SpvOpFunctionEnd)
            block = 0;
        if (opcode == SpvOpLabel)
            block = w[1];
        if (function == 0)
            write_global(p, out, w);
        else if (!p->nodes[function].reached)
            continue;
        else if (block == 0)
            vkr_write(out, w, vkr_length_of(w));
        else if (p->nodes[block].reached)
            write_in_block(p, out, block, w);
        else if (opcode == SpvOpLabel && p->nodes[block].named)
            write_named(p, out, w);
    }
}

size_t vkr_prune_size(const uint32_t *words, size_t count)
{
    return vkr_bound_of(words, count) * (sizeof(node) + sizeof(vkr_value) + sizeof(uint32_t)) +
           count * sizeof *words;
}

uint32_t *vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                    uint32_t constant_count, void *memory)
{
    const uint32_t bound = vkr_bound_of(words, *count);
    pruning p = {.nodes = memory};
    p.values = (vkr_value *)(p.nodes + bound);
    uint32_t *definitions = (uint32_t *)(p.values + bound), *pruned = definitions + bound;
    memset(memory, 0, (size_t)((char *)pruned - (char *)memory));
    if (bound == 0 || !vkr_read_module(words, *count, definitions, &p.module))
        return NULL;
    for (size_t at = VKR_SPIRV_HEADER; vkr_opcode_of(words + at) != SpvOpFunction;
         at += vkr_length_of(words + at))
        vkr_fold_global(p.values, words + at, constants, constant_count);
    visit_functions(&p);
    mark_named_blocks(&p);
    vkr_writer out = {.to = pruned, .room = *count, .fails = p.unknown};
    write_module(&p, &out);
    if (out.fails)
        return NULL;
    *count = (size_t)(out.to - pruned);
    return pruned;
}
