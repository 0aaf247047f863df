/* SPDX-License-Identifier: MIT */
#include "layout.h"
#include "sentence.h"

typedef struct walk {
    const vkr_hooks *hooks;
    vkr_state *state;
    uint32_t depth, path[VKR_MAX_STATE_DEPTH];
    const char *wrong; /* what a state must be, or NULL */
} walk;

static void add_scalar(walk *w, uint32_t id)
{
    const vkr_hook_type type = vkr_type_of_hook(w->hooks, id);
    vkr_state *state = w->state;
    const uint32_t words = type.bits > 32 ? 2 : 1;
    if (type.kind == VKR_HOOK_VOID || type.kind >= VKR_HOOK_STATE || type.bits > 64) {
        w->wrong = "consist of numbers and booleans";
        return;
    }
    if (state->word_count + words > VKR_MAX_STATE_WORDS) {
        w->wrong = "have at most 64 bytes";
        return;
    }
    vkr_scalar *scalar = &state->scalars[state->scalar_count++];
    *scalar = (vkr_scalar){type, id, state->word_count, w->depth, {0}};
    for (uint32_t i = 0; i < w->depth; i++)
        scalar->path[i] = w->path[i];
    state->word_count += words;
}

/* The number of parts of a type; 0 if it is a scalar, or none that a state may have. */
static uint32_t parts_of(const walk *w, const uint32_t *type)
{
    const vkr_module *m = &w->hooks->module;
    switch (vkr_opcode_of(type)) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return type[3];
    case SpvOpTypeStruct:
        return vkr_length_of(type) - 2;
    case SpvOpTypeArray: {
        const uint32_t *length = m->words + m->definitions[type[3]];
        const bool is_plain = vkr_defined_by(m, type[3]) == SpvOpConstant &&
                              vkr_type_of_hook(w->hooks, length[1]).bits <= 32;
        return is_plain ? length[3] : 0;
    }
    default:
        return 0;
    }
}

static void add_type(walk *w, uint32_t id);

/* Each part has at least one word, so a long array ends early. */
static void add_parts(walk *w, const uint32_t *type, uint32_t parts)
{
    if (w->depth == VKR_MAX_STATE_DEPTH) {
        w->wrong = "nest at most 8 types";
        return;
    }
    w->depth++;
    for (uint32_t i = 0; i < parts && !w->wrong; i++) {
        w->path[w->depth - 1] = i;
        add_type(w, vkr_opcode_of(type) == SpvOpTypeStruct ? type[2 + i] : type[2]);
    }
    w->depth--;
}

static void add_type(walk *w, uint32_t id)
{
    const vkr_module *m = &w->hooks->module;
    const uint32_t *type = m->words + m->definitions[id];
    const uint32_t parts = m->definitions[id] ? parts_of(w, type) : 0;
    if (parts > 0)
        add_parts(w, type, parts);
    else
        add_scalar(w, vkr_defined_by(m, id) == SpvOpTypePointer ? 0 : id);
}

bool vkr_state_of(const vkr_hooks *hooks, uint32_t type, vkr_state *state, char *sentence,
                  size_t room)
{
    vkr_sentence s = vkr_start_sentence(sentence, room);
    walk w = {.hooks = hooks, .state = state};
    *state = (vkr_state){.type = type};
    add_type(&w, type);
    if (!w.wrong)
        return true;
    vkr_say(&s, "a state must ");
    vkr_say(&s, w.wrong);
    return false;
}
