/* SPDX-License-Identifier: MIT */
/* Modules with users' functions: whatever they contain, they are read, and what is found in them is
 * linked into a kernel, pruned and inlined, or else there is a sentence. */
#include <stdlib.h>
#include <string.h>

#include "../../src/spirv/inline.h"
#include "../../src/spirv/link.h"
#include "../../src/spirv/prune.h"
#include "fuzz.h"

#define MAX_FUNCTIONS 64u /* of a module, that are tried */

/* The kernel of the linker's test. */
static const uint32_t kernel[] = {
#include "hooks_kernel.inc"
};
#define KERNEL_WORDS (sizeof kernel / sizeof kernel[0])

/* Types of signatures, as initialisers. */
#define TYPE_VOID                                                                                  \
    {                                                                                              \
        VKR_HOOK_VOID, 0, 0                                                                        \
    }
#define TYPE_BOOL                                                                                  \
    {                                                                                              \
        VKR_HOOK_BOOL, 0, 1                                                                        \
    }
#define TYPE_UINT                                                                                  \
    {                                                                                              \
        VKR_HOOK_UINT, 32, 1                                                                       \
    }
#define TYPE_FLOAT                                                                                 \
    {                                                                                              \
        VKR_HOOK_FLOAT, 32, 1                                                                      \
    }

#define TYPE_VECTOR(kind, bits, components)                                                        \
    {                                                                                              \
        VKR_HOOK_##kind, bits, components                                                          \
    }

static const struct {
    const char *weak;
    vkr_signature signature;
} forms[] = {
    {"vkr_hook_keep", {TYPE_BOOL, 1, {TYPE_UINT}}},
    {"vkr_hook_load_float", {TYPE_FLOAT, 1, {TYPE_UINT}}},
    {"vkr_hook_load_uint", {TYPE_UINT, 1, {TYPE_UINT}}},
    {"vkr_hook_store", {TYPE_VOID, 2, {TYPE_UINT, TYPE_UINT}}},
    {"vkr_hook_value", {TYPE_BOOL, 1, {TYPE_UINT}}},
    {"vkr_hook_value", {TYPE_UINT, 2, {TYPE_FLOAT, TYPE_UINT}}},
    {"vkr_hook_value", {TYPE_VECTOR(FLOAT, 32, 3), 2, {TYPE_VECTOR(FLOAT, 32, 3), TYPE_UINT}}},
    {"vkr_hook_value", {TYPE_VECTOR(INT, 32, 2), 2, {TYPE_VECTOR(UINT, 64, 2), TYPE_UINT}}},
};
#define FORMS (sizeof forms / sizeof forms[0])

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    EXPECT(memory != NULL, "no memory");
    return memory;
}

/* There is a sentence if and only if something is wrong, and it can be printed. */
static bool said_right(bool right, const char *sentence)
{
    const size_t length = strnlen(sentence, VKR_HOOK_SENTENCE);
    EXPECT(right == (length == 0), "%d: '%s'", right, sentence);
    EXPECT(length + 1 < VKR_HOOK_SENTENCE, "no room for '%s'", sentence);
    for (size_t i = 0; i < length; i++)
        EXPECT(sentence[i] >= ' ' && sentence[i] <= '~', "byte %d", sentence[i]);
    return right;
}

static void rewrite(const uint32_t *linked, size_t count)
{
    const uint32_t constant = 0;
    void *memory = allocate(vkr_prune_size(linked, count));
    const uint32_t *pruned = vkr_prune(linked, &count, &constant, 1, memory);
    if (pruned) {
        const size_t size = vkr_inline_size(pruned, count);
        void *more = allocate(size);
        const uint32_t *inlined = vkr_inline(pruned, &count, more, size);
        void *last = allocate(vkr_prune_size(inlined, count));
        (void)vkr_prune(inlined, &count, &constant, 1, last);
        free(last);
        free(more);
    }
    free(memory);
}

/* Links one hook. That can be impossible only in modules that are not valid. */
static void link_hook(const char *weak, const vkr_hook *hook)
{
    const vkr_link_row row = {weak, *hook};
    const vkr_link_info info = {.link_count = 1, .links = &row, .exact = true};
    size_t count = KERNEL_WORDS;
    void *memory = allocate(vkr_link_size(kernel, count, &info));
    const uint32_t *linked = vkr_link(kernel, &count, &info, memory);
    if (linked)
        rewrite(linked, count);
    free(memory);
}

static void try_function(const vkr_hooks *hooks, const vkr_hook_function *f)
{
    char sentence[VKR_HOOK_SENTENCE];
    char *name = allocate(f->name_length + 1);
    memcpy(name, f->name, f->name_length);
    name[f->name_length] = '\0';
    for (size_t i = 0; i < FORMS; i++) {
        vkr_hook hook;
        const bool found =
            vkr_find_hook(hooks, name, &forms[i].signature, &hook, sentence, sizeof sentence);
        if (said_right(found, sentence))
            link_hook(forms[i].weak, &hook);
    }
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint32_t capabilities[] = {SpvCapabilityInt64, SpvCapabilityFloat16};
    const vkr_hook_support support = {
        .version = VKR_HOOK_VERSION_1_3, .capabilities = capabilities, .capability_count = 2};
    const size_t count = size / sizeof(uint32_t);
    char sentence[VKR_HOOK_SENTENCE];
    vkr_hooks hooks;
    uint32_t *words = allocate(count * sizeof *words);
    if (count > 0)
        memcpy(words, data, count * sizeof *words);
    void *memory = allocate(vkr_hooks_size(words, count));
    if (said_right(vkr_read_hooks(words, count, memory, &hooks, sentence, sizeof sentence),
                   sentence)) {
        (void)said_right(vkr_check_hooks(&hooks, &support, sentence, sizeof sentence), sentence);
        for (uint32_t i = 0; i < hooks.function_count && i < MAX_FUNCTIONS; i++)
            try_function(&hooks, &hooks.functions[i]);
    }
    free(memory);
    free(words);
    return 0;
}
