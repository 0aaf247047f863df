/* SPDX-License-Identifier: MIT */
/* The entry point's function is walked, and with each call the function called, in the order in
 * which it is executed, and written with new ids: once to find their decorations, once to find
 * their variables, which belong into the first block of all, and once for the rest. A function that
 * returns from several places is put into a switch of one case, which each return leaves. */
#include <string.h>

#include "calls.h"
#include "inline.h"

enum { GROWTH = 8 }; /* words for each word of the module before it was pruned */

/* Which operands of an instruction in a function are not ids: `count` from the word `first` on. All
 * others are. */
static const struct {
    uint16_t from, to; /* opcodes */
    uint8_t first, count;
} literals[] = {
    {OP_EXT_INST, OP_EXT_INST, 4, 1},
    {OP_VARIABLE, OP_VARIABLE, 3, 1},
    {61, 61, 4, 9},   /* OpLoad: how memory is accessed */
    {62, 63, 3, 9},   /* OpStore, OpCopyMemory */
    {68, 68, 4, 1},   /* OpArrayLength: the member */
    {79, 79, 5, 255}, /* OpVectorShuffle: components */
    {81, 81, 4, 255}, /* OpCompositeExtract */
    {82, 82, 5, 255}, /* OpCompositeInsert */
    {88, 88, 5, 1},   /* OpImageSampleExplicitLod: which operands follow */
    {95, 95, 5, 1},   /* OpImageFetch */
    {98, 98, 5, 1},   /* OpImageRead */
    {99, 99, 4, 1},   /* OpImageWrite */
    {OP_LOOP_MERGE, OP_LOOP_MERGE, 3, 255},
    {OP_SELECTION_MERGE, OP_SELECTION_MERGE, 2, 1},
    {OP_BRANCH_CONDITIONAL, OP_BRANCH_CONDITIONAL, 4, 2},
    {342, 342, 4, 1}, /* OpGroupNonUniformBallotBitCount: the operation */
    {349, 364, 4, 1}, /* OpGroupNonUniformIAdd to LogicalXor */
};

enum pass { DECORATIONS, VARIABLES, CODE };

typedef struct frame {
    uint32_t function;
    uint32_t base;  /* where the new ids of its locals start */
    bool is_main;   /* whose ids stay as they are */
    uint32_t entry; /* the label of its first block, and where that comes to lie */
    uint32_t enters;
    uint32_t arguments[VKR_MOST_PARAMETERS];
    uint32_t returned; /* how many returns were met, and from where with what */
    uint32_t values[VKR_MOST_RETURNS], from[VKR_MOST_RETURNS];
} frame;

typedef struct inliner {
    vkr_calls calls;
    enum pass pass;
    uint32_t next_id;
    uint32_t label; /* of the block that is being written */
    uint32_t depth;
    uint32_t *to;
    size_t room;
    bool fails;
} inliner;

/* ---- Writing ---- */

/* Returns where the words went, or NULL. */
static uint32_t *put(inliner *in, const uint32_t *words, uint32_t count)
{
    uint32_t *to = in->to;
    if (count > in->room) {
        in->fails = true;
        return NULL;
    }
    memcpy(to, words, count * sizeof *words);
    in->to += count;
    in->room -= count;
    return to;
}

static void put_label(inliner *in, uint32_t label)
{
    put(in, (const uint32_t[]){2u << 16 | OP_LABEL, label}, 2);
    in->label = label;
}

static void put_branch(inliner *in, uint32_t label)
{
    put(in, (const uint32_t[]){2u << 16 | OP_BRANCH, label}, 2);
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

static uint32_t more_id(const inliner *in, const frame *f, uint32_t block, uint32_t which)
{
    return f->base + in->calls.ids[block].local + which;
}

/* The block that a block ends in. */
static uint32_t end_of(const inliner *in, const frame *f, uint32_t block)
{
    return in->calls.ids[block].splits ? more_id(in, f, block, VKR_ENDS) : new_id(in, f, block);
}

static void put_renamed(inliner *in, const frame *f, const uint32_t *w)
{
    const uint32_t length = vkr_length_of(w), opcode = vkr_opcode_of(w);
    uint32_t first = length, behind = length;
    uint32_t *to = put(in, w, length);
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++) {
        if (literals[i].from <= opcode && opcode <= literals[i].to) {
            first = literals[i].first;
            behind = first + literals[i].count;
        }
    }
    for (uint32_t k = 1; to && k < length; k++) {
        if (k < first || k >= behind)
            to[k] =
                opcode == OP_PHI && k > 3 && k % 2 == 0 ? end_of(in, f, w[k]) : new_id(in, f, w[k]);
    }
}

static void put_decorations(inliner *in, const frame *f)
{
    for (size_t at = VKR_SPIRV_HEADER; vkr_opcode_of(in->calls.words + at) != OP_FUNCTION;
         at += vkr_length_of(in->calls.words + at)) {
        const uint32_t *w = in->calls.words + at;
        if (vkr_opcode_of(w) == OP_DECORATE && in->calls.ids[w[1]].owner == f->function) {
            uint32_t *to = put(in, w, vkr_length_of(w));
            if (to)
                to[1] = new_id(in, f, w[1]);
        }
    }
}

/* ---- Walking ---- */

static void walk(inliner *in, frame *f);

static void enter(inliner *in, frame *g)
{
    if (in->pass == CODE && in->calls.ids[g->function].wraps) {
        put(in, (const uint32_t[]){3u << 16 | OP_SELECTION_MERGE, g->base, 0}, 3);
        put(in, (const uint32_t[]){3u << 16 | OP_SWITCH, in->calls.number, g->base + 1}, 3);
        put_label(in, g->base + 1);
    }
    g->enters = in->label;
}

/* Gives the call's result what was returned. */
static void leave(inliner *in, const frame *g, const uint32_t *call, uint32_t result)
{
    const bool has_value = call[1] != in->calls.no_type;
    if (in->pass != CODE)
        return;
    if (!in->calls.ids[g->function].wraps) {
        if (has_value)
            put(in, (const uint32_t[]){4u << 16 | OP_COPY_OBJECT, call[1], result, g->values[0]},
                4);
        return;
    }
    put_label(in, g->base);
    if (has_value)
        put(in, (const uint32_t[]){(3 + 2 * g->returned) << 16 | OP_PHI, call[1], result}, 3);
    for (uint32_t i = 0; i < g->returned && has_value; i++)
        put(in, (const uint32_t[]){g->values[i], g->from[i]}, 2);
}

static void walk_call(inliner *in, const frame *f, const uint32_t *w)
{
    frame g = {.function = w[3], .base = in->next_id};
    in->next_id += in->calls.ids[w[3]].locals;
    for (uint32_t k = 4; k < vkr_length_of(w); k++)
        g.arguments[k - 4] = new_id(in, f, w[k]);
    in->fails |= in->depth == VKR_MOST_DEPTH;
    if (in->fails)
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
    f->values[f->returned] = vkr_opcode_of(w) == OP_RETURN_VALUE ? new_id(in, f, w[1]) : 0;
    f->from[f->returned++] = in->label;
    if (in->calls.ids[f->function].wraps)
        put_branch(in, f->base);
}

/* What a block that splits has before an instruction: all of its header's beginning, or its end.
 * Returns which part comes then. */
static uint32_t walk_split(inliner *in, const frame *f, uint32_t block, uint32_t part,
                           uint32_t opcode)
{
    const vkr_callable *b = &in->calls.ids[block];
    const bool ends =
        opcode == OP_SELECTION_MERGE || (opcode >= OP_BRANCH && opcode <= OP_UNREACHABLE);
    if (part == 0 && b->at && opcode != OP_PHI) {
        put_renamed(in, f, in->calls.words + b->at);
        put_branch(in, more_id(in, f, block, VKR_RESTS));
        put_label(in, more_id(in, f, block, VKR_RESTS));
        part = VKR_RESTS;
    }
    if (part != VKR_ENDS && ends) {
        put_branch(in, more_id(in, f, block, VKR_ENDS));
        put_label(in, more_id(in, f, block, VKR_ENDS));
        part = VKR_ENDS;
    }
    return part;
}

static void walk_instruction(inliner *in, frame *f, uint32_t block, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w);
    if (opcode == OP_FUNCTION_CALL)
        walk_call(in, f, w);
    else if (opcode == OP_VARIABLE ? in->pass != VARIABLES : in->pass != CODE)
        return;
    else if (opcode == OP_RETURN || opcode == OP_RETURN_VALUE)
        walk_return(in, f, w);
    else if (opcode != OP_LOOP_MERGE || !in->calls.ids[block].splits)
        put_renamed(in, f, w);
}

static void walk(inliner *in, frame *f)
{
    uint32_t block = 0, part = 0;
    if (in->pass == DECORATIONS && !f->is_main)
        put_decorations(in, f);
    for (size_t at = in->calls.ids[f->function].at;
         vkr_opcode_of(in->calls.words + at) != OP_FUNCTION_END && !in->fails;
         at += vkr_length_of(in->calls.words + at)) {
        const uint32_t *w = in->calls.words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == OP_LABEL) {
            if (block == 0)
                f->entry = w[1];
            else if (in->pass == CODE)
                put_label(in, new_id(in, f, w[1]));
            block = w[1];
            part = 0;
        } else if (block) {
            if (in->pass == CODE && in->calls.ids[block].splits)
                part = walk_split(in, f, block, part, opcode);
            walk_instruction(in, f, block, w);
        }
    }
}

/* Each pass gives the same calls the same ids. */
static void walk_all(inliner *in, enum pass pass)
{
    frame main = {
        .function = in->calls.main, .is_main = true, .base = in->calls.words[VKR_SPIRV_BOUND]};
    in->pass = pass;
    in->next_id = main.base + in->calls.ids[in->calls.main].locals;
    walk(in, &main);
}

/* Names and decorations of functions that are gone, and in them. */
static bool is_of_others(const inliner *in, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w);
    if (opcode != OP_NAME && opcode != OP_DECORATE)
        return false;
    const vkr_callable *e = &in->calls.ids[w[1]];
    const uint32_t function = e->locals ? w[1] : e->owner;
    return function != 0 && function != in->calls.main;
}

static void write_all(inliner *in)
{
    bool decorates = true;
    size_t at = VKR_SPIRV_HEADER;
    uint32_t *header = put(in, in->calls.words, VKR_SPIRV_HEADER);
    for (; vkr_opcode_of(in->calls.words + at) != OP_FUNCTION;
         at += vkr_length_of(in->calls.words + at)) {
        const uint32_t *w = in->calls.words + at;
        if (decorates && vkr_opcode_of(w) >= OP_TYPE_VOID && vkr_opcode_of(w) <= OP_CONSTANT) {
            walk_all(in, DECORATIONS);
            decorates = false;
        }
        if (!is_of_others(in, w))
            put(in, w, vkr_length_of(w));
    }
    const uint32_t *main = in->calls.words + in->calls.ids[in->calls.main].at;
    put(in, main, vkr_length_of(main));
    put_label(in, main[vkr_length_of(main) + 1]);
    walk_all(in, VARIABLES);
    walk_all(in, CODE);
    put(in, (const uint32_t[]){1u << 16 | OP_FUNCTION_END}, 1);
    if (!in->fails)
        header[VKR_SPIRV_BOUND] = in->next_id;
}

size_t vkr_inline_size(const uint32_t *words, size_t count)
{
    return words[VKR_SPIRV_BOUND] * sizeof(vkr_callable) + GROWTH * count * sizeof *words;
}

const uint32_t *vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size)
{
    inliner in = {.calls = {.words = words, .count = *count, .ids = memory}};
    const size_t ids = words[VKR_SPIRV_BOUND] * sizeof(vkr_callable);
    uint32_t *inlined = (uint32_t *)((char *)memory + ids);
    memset(memory, 0, ids);
    in.to = inlined;
    in.room = (size - ids) / sizeof *inlined;
    vkr_look_at_calls(&in.calls);
    if (in.calls.unknown || in.calls.functions < 2)
        return words;
    write_all(&in);
    if (in.fails)
        return words;
    *count = (size_t)(in.to - inlined);
    return inlined;
}
