/* SPDX-License-Identifier: MIT */
/* Functions on states: every state of user_states.comp in the kernel states.comp. */
#include "link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/spirv/layout.h"

static const vkr_signature is_load = {TYPE_STATE, 1, {TYPE_UINT}};
static const vkr_signature is_combine = {TYPE_STATE, 2, {TYPE_STATE, TYPE_STATE}};

static const struct {
    const char *name;
    uint32_t words;
} rows[] = {
    {"word", 1},    {"complex", 2}, {"matrix", 4},  {"arg_min", 2}, {"welford", 3},
    {"log_sum", 2}, {"box", 6},     {"top", 8},     {"full", 16},   {"small", 6},
    {"large", 8},   {"flag", 4},    {"nested", 12},
};

static vkr_hook find(const vkr_hooks *hooks, const char *start, const char *end,
                     const vkr_signature *signature)
{
    char name[40], sentence[VKR_HOOK_SENTENCE];
    vkr_hook hook;
    snprintf(name, sizeof name, "%s_%s", start, end);
    if (!vkr_find_hook(hooks, name, signature, &hook, sentence, sizeof sentence))
        fail_msg("%s: %s", name, sentence);
    return hook;
}

/* Links two functions, of the states with these names. Returns the module in *memory, or NULL. */
static const uint32_t *link_states(const vkr_hooks *hooks, const char *load, const char *combine,
                                   size_t *count, void **memory)
{
    const vkr_link_row links[] = {
        {"vkr_hook_load", find(hooks, "load", load, &is_load)},
        {"vkr_hook_combine", find(hooks, "combine", combine, &is_combine)},
    };
    const vkr_link_info info = {.link_count = 2, .links = links};
    *count = modules[STATE_KERNEL].count;
    *memory = allocate(vkr_link_size(modules[STATE_KERNEL].words, *count, &info));
    return vkr_link(modules[STATE_KERNEL].words, count, &info, *memory);
}

EXTERN_TEST(test_states)
{
    read_module read;
    read_words(modules[STATES], &read);
    if (!read.can_read)
        fail_msg("%s", read.sentence);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const vkr_hook hook = find(&read.hooks, "load", rows[i].name, &is_load);
        vkr_state layout;
        size_t count;
        void *memory;
        assert_true(vkr_state_of(&read.hooks, hook.state, &layout, NULL, 0));
        if (layout.word_count != rows[i].words)
            fail_msg("%s has %u words", rows[i].name, layout.word_count);
        const uint32_t *linked =
            link_states(&read.hooks, rows[i].name, rows[i].name, &count, &memory);
        if (!linked)
            fail_msg("%s cannot be linked", rows[i].name);
        /* The functions swap, put and get call theirs for each word. */
        assert_int_equal(count_opcode(linked, count, SpvOpFunctionCall), 9 + 3 * rows[i].words);
        assert_false(uses(linked, count, WEAK_NUMBER));
        validate(linked, count, rows[i].name);
        check_rewritten(linked, count, 0, 0, true, rows[i].name);
        free(memory);
    }
    free_module(&read);
}

EXTERN_TEST(test_wrong_states)
{
    read_module read;
    vkr_hook hook;
    size_t count;
    void *memory;
    char sentence[VKR_HOOK_SENTENCE];
    read_words(modules[STATES], &read);
    assert_false(
        vkr_find_hook(&read.hooks, "load_longer", &is_load, &hook, sentence, sizeof sentence));
    assert_string_equal(sentence, "load_longer is about a type T that cannot be a state: a state "
                                  "must have at most 64 bytes");
    static const vkr_signature other = {TYPE_STATE, 2, {TYPE_STATE, TYPE_UINT}};
    assert_false(
        vkr_find_hook(&read.hooks, "combine_box", &other, &hook, sentence, sizeof sentence));
    assert_string_equal(sentence, "combine_box must be T combine_box(T, uint), but its second "
                                  "parameter is a struct");
    /* Two states, and a kernel that has none. */
    assert_null(link_states(&read.hooks, "box", "welford", &count, &memory));
    free(memory);
    const words kept = modules[STATE_KERNEL];
    modules[STATE_KERNEL] = modules[KERNEL];
    assert_null(link_states(&read.hooks, "box", "box", &count, &memory));
    modules[STATE_KERNEL] = kept;
    free(memory);
    free_module(&read);
}
