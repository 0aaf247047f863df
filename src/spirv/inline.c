/* SPDX-License-Identifier: MIT */
/* Walks the entry point's function, and at each call the called function, in execution order, and
 * writes their instructions with new ids. There are three walks: one for decorations, one for
 * variables, which must be in the first block, and one for all other instructions. A function that
 * returns from several places becomes a switch with one case, which each return leaves. */
#include <string.h>

#include "calls.h"
#include "inline.h"

enum {
    GROWTH = 8, /* words for each word of the module before it was pruned */
    WORK = 256  /* visits of instructions for each word of the module */
};

typedef enum phases { DECORATIONS, VARIABLES, CODE } phases;

typedef struct frame {
    uint32_t function;
    uint32_t base;  /* where the new ids of its locals start */
    bool is_main;   /* its ids do not change */
    uint32_t entry; /* the label of its first block, and the block that replaces it */
    uint32_t enters;
    uint32_t arguments[VKR_MAX_PARAMETERS];
    uint32_t returned; /* the number of returns so far, with their blocks and values */
    uint32_t values[VKR_MAX_RETURNS], from[VKR_MAX_RETURNS];
} frame;

typedef struct inliner {
    vkr_calls calls;
    phases phase;
    uint32_t next_id, max_id;
    uint32_t label; /* of the block that is being written */
    uint32_t depth;
    size_t work, max_work; /* instructions that were visited, and that may be */
    vkr_writer out;
} inliner;

/* ---- Writing ---- */

static const uint32_t *definition_of(const inliner *in, uint32_t id)
{
    return in->calls.module.words + in->calls.module.definitions[id];
}

static void put_label(inliner *in, uint32_t label)
{
    VKR_WRITE(&in->out, SpvOpLabel, label);
    in->label = label;
}

static uint32_t new_id(const inliner *in, const frame *f, uint32_t id)
{
    const vkr_callable *e = &in->calls.ids[id];
    if (e->owner != f->function || f->is_main)
        return id;
    if (e->parameter)
        return f->arguments[e->parameter - 1];
    return id == f->entry ? f->enters : f->base + e->local;
}

static uint32_t extra_id(const inliner *in, const frame *f, uint32_t block, uint32_t which)
{
    return f->base + in->calls.ids[block].local + which;
}

/* The block in which a block ends. */
static uint32_t end_of(const inliner *in, const frame *f, uint32_t block)
{
    return in->calls.ids[block].splits ? extra_id(in, f, block, VKR_ENDS) : new_id(in, f, block);
}

/* The result has only one function, so no instruction may name another one. */
static void put_renamed(inliner *in, const frame *f, const uint32_t *w)
{
    const bool is_phi = vkr_opcode_of(w) == SpvOpPhi;
    uint32_t *to = vkr_write(&in->out, w, vkr_length_of(w));
    vkr_operands o;
    vkr_start_module_operands(&o, &in->calls.module, w);
    for (vkr_word word; to && (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;) {
        const uint32_t k = o.at - 1;
        if (word == VKR_WORD_LITERAL)
            continue;
        to[k] = is_phi && k > 3 && k % 2 == 0 ? end_of(in, f, w[k]) : new_id(in, f, w[k]);
        in->out.fails |= vkr_defined_by(&in->calls.module, w[k]) == SpvOpFunction;
    }
}

/* Whether an instruction belongs after all decorations. Functions do, too. */
static bool is_declaration(uint32_t opcode)
{
    return opcode == SpvOpTypeForwardPointer ||
           (vkr_result_word(opcode) && opcode != SpvOpString && opcode != SpvOpExtInstImport);
}

static void put_decorations(inliner *in, const frame *f)
{
    for (const uint32_t *w = in->calls.module.words + VKR_SPIRV_HEADER;
         !is_declaration(vkr_opcode_of(w)); w += vkr_length_of(w)) {
        const uint32_t opcode = vkr_opcode_of(w);
        const vkr_callable *target = vkr_is_annotation(opcode) ? &in->calls.ids[w[1]] : NULL;
        in->work++;
        /* An argument, which takes the place of a parameter, has decorations of its own. */
        if (!target || opcode == SpvOpName || target->owner != f->function || target->parameter)
            continue;
        uint32_t *to = vkr_write(&in->out, w, vkr_length_of(w));
        if (to)
            to[1] = new_id(in, f, w[1]);
    }
}

/* ---- Walking ---- */

static void walk(inliner *in, frame *f);

static void enter(inliner *in, frame *g)
{
    if (in->phase == CODE && in->calls.ids[g->function].wraps) {
        VKR_WRITE(&in->out, SpvOpSelectionMerge, g->base, SpvSelectionControlMaskNone);
        VKR_WRITE(&in->out, SpvOpSwitch, in->calls.number, g->base + 1);
        put_label(in, g->base + 1);
    }
    g->enters = in->label;
}

/* Sets the result of the call to the returned value. */
static void leave(inliner *in, const frame *g, const uint32_t *call, uint32_t result)
{
    const bool has_value = vkr_opcode_of(definition_of(in, call[1])) != SpvOpTypeVoid;
    if (in->phase != CODE)
        return;
    if (!in->calls.ids[g->function].wraps) {
        if (has_value)
            VKR_WRITE(&in->out, SpvOpCopyObject, call[1], result, g->values[0]);
        return;
    }
    put_label(in, g->base);
    if (!has_value)
        return;
    vkr_write(&in->out,
              (const uint32_t[]){vkr_first_word(SpvOpPhi, 3 + 2 * g->returned), call[1], result},
              3);
    for (uint32_t i = 0; i < g->returned; i++)
        vkr_write(&in->out, (const uint32_t[]){g->values[i], g->from[i]}, 2);
}

static void walk_call(inliner *in, const frame *f, const uint32_t *w)
{
    frame g = {.function = w[3], .base = in->next_id};
    in->next_id += in->calls.ids[w[3]].locals;
    for (uint32_t k = 4; k < vkr_length_of(w); k++)
        g.arguments[k - 4] = new_id(in, f, w[k]);
    in->out.fails |= in->depth == VKR_MAX_DEPTH || in->next_id > in->max_id;
    if (in->out.fails)
        return;
    in->depth++;
    enter(in, &g);
    walk(in, &g);
    leave(in, &g, w, new_id(in, f, w[2]));
    in->depth--;
}

static void walk_return(inliner *in, frame *f, const uint32_t *w)
{
    if (f->is_main) {
        put_renamed(in, f, w);
        return;
    }
    f->values[f->returned] = vkr_opcode_of(w) == SpvOpReturnValue ? new_id(in, f, w[1]) : 0;
    f->from[f->returned++] = in->label;
    if (in->calls.ids[f->function].wraps)
        VKR_WRITE(&in->out, SpvOpBranch, f->base);
}

/* Splits a block before an instruction if needed: after the header of a loop, or before its end.
 * Returns the part to which the instruction belongs. */
static uint32_t walk_split(inliner *in, const frame *f, uint32_t block, uint32_t part,
                           uint32_t opcode)
{
    const vkr_callable *b = &in->calls.ids[block];
    const bool ends =
        opcode == SpvOpSelectionMerge || (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable);
    if (part == 0 && b->loop_merge && opcode != SpvOpPhi) {
        put_renamed(in, f, in->calls.module.words + b->loop_merge);
        VKR_WRITE(&in->out, SpvOpBranch, extra_id(in, f, block, VKR_RESTS));
        put_label(in, extra_id(in, f, block, VKR_RESTS));
        part = VKR_RESTS;
    }
    if (part != VKR_ENDS && ends) {
        VKR_WRITE(&in->out, SpvOpBranch, extra_id(in, f, block, VKR_ENDS));
        put_label(in, extra_id(in, f, block, VKR_ENDS));
        part = VKR_ENDS;
    }
    return part;
}

static void walk_instruction(inliner *in, frame *f, uint32_t block, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w);
    if (opcode == SpvOpFunctionCall)
        walk_call(in, f, w);
    else if (opcode == SpvOpVariable ? in->phase != VARIABLES : in->phase != CODE)
        return;
    else if (opcode == SpvOpReturn || opcode == SpvOpReturnValue)
        walk_return(in, f, w);
    else if (opcode != SpvOpLoopMerge || !in->calls.ids[block].splits)
        put_renamed(in, f, w);
}

/* Source lines are omitted, since their instructions move. */
static void walk(inliner *in, frame *f)
{
    uint32_t block = 0, part = 0;
    if (in->phase == DECORATIONS && !f->is_main)
        put_decorations(in, f);
    for (const uint32_t *w = definition_of(in, f->function);
         vkr_opcode_of(w) != SpvOpFunctionEnd && !in->out.fails; w += vkr_length_of(w)) {
        const uint32_t opcode = vkr_opcode_of(w);
        in->out.fails |= ++in->work > in->max_work;
        if (opcode == SpvOpLabel) {
            if (block == 0)
                f->entry = w[1];
            else if (in->phase == CODE)
                put_label(in, new_id(in, f, w[1]));
            block = w[1];
            part = 0;
        } else if (block && opcode != SpvOpLine && opcode != SpvOpNoLine) {
            if (in->phase == CODE && in->calls.ids[block].splits)
                part = walk_split(in, f, block, part, opcode);
            walk_instruction(in, f, block, w);
        }
    }
}

/* Every phase assigns the same ids to the same calls. */
static void walk_all(inliner *in, phases phase)
{
    frame main = {.function = in->calls.main, .is_main = true, .base = in->calls.module.bound};
    in->phase = phase;
    in->next_id = main.base + in->calls.ids[in->calls.main].locals;
    walk(in, &main);
}

/* Writes an instruction unless it annotates a function that is removed, or an id that is local to
 * one. No other instruction may name those. */
static void put_global(inliner *in, const uint32_t *w)
{
    vkr_operands o;
    vkr_start_operands(&o, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;) {
        if (word == VKR_WORD_LITERAL)
            continue;
        const uint32_t id = w[o.at - 1], owner = in->calls.ids[id].owner;
        const uint32_t function = in->calls.ids[id].locals ? id : owner;
        if (function == 0 || function == in->calls.main)
            continue;
        in->out.fails |= o.at != 2 || !vkr_is_annotation(vkr_opcode_of(w));
        return;
    }
    vkr_write(&in->out, w, vkr_length_of(w));
}

static void write_all(inliner *in)
{
    bool declares = false;
    const uint32_t *w = in->calls.module.words;
    uint32_t *header = vkr_write(&in->out, w, VKR_SPIRV_HEADER);
    for (w += VKR_SPIRV_HEADER; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        if (!declares && is_declaration(vkr_opcode_of(w))) {
            walk_all(in, DECORATIONS);
            declares = true;
        }
        put_global(in, w);
    }
    const uint32_t *main = definition_of(in, in->calls.main);
    vkr_write(&in->out, main, vkr_length_of(main));
    while (vkr_opcode_of(main) != SpvOpLabel)
        main += vkr_length_of(main);
    put_label(in, main[1]);
    walk_all(in, VARIABLES);
    walk_all(in, CODE);
    VKR_WRITE(&in->out, SpvOpFunctionEnd);
    if (!in->out.fails)
        header[VKR_SPIRV_BOUND] = in->next_id;
}

size_t vkr_inline_size(const uint32_t *words, size_t count)
{
    return vkr_bound_of(words, count) * (sizeof(vkr_callable) + sizeof(uint32_t)) +
           GROWTH * count * sizeof *words;
}

const uint32_t *vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size)
{
    const uint32_t bound = vkr_bound_of(words, *count);
    inliner in = {.calls = {.ids = memory}};
    uint32_t *definitions = (uint32_t *)(in.calls.ids + bound), *inlined = definitions + bound;
    const size_t ids = (size_t)((char *)inlined - (char *)memory);
    memset(memory, 0, ids);
    in.out = (vkr_writer){.to = inlined, .room = (size - ids) / sizeof *inlined};
    in.max_id = bound + (uint32_t)in.out.room; /* more ids would mean unbounded output */
    if (in.max_id > VKR_SPIRV_MAX_BOUND)
        in.max_id = VKR_SPIRV_MAX_BOUND;
    in.max_work = WORK * *count;
    if (bound == 0 || !vkr_read_module(words, *count, definitions, &in.calls.module))
        return words;
    vkr_analyse_calls(&in.calls);
    if (in.calls.unknown || in.calls.functions < 2)
        return words;
    write_all(&in);
    if (in.out.fails)
        return words;
    *count = (size_t)(in.out.to - inlined);
    return inlined;
}
