/* SPDX-License-Identifier: MIT */
/*
 * prune --file IN.spv OUT.spv CONSTANT: prunes one module for a value of its constant 0, inlines
 * its calls, and prunes it again. It prints "as it is" if the module contains something that the
 * library does not support.
 *
 * prune VARIANTS: checks each kernel's module with VARIANTS choices of constants: what drivers get
 * must be valid, and pruning it again must change nothing. For one of the choices, the module must
 * also be valid before its calls are inlined. Constants are drawn from what planners might set and
 * from what they never would, since a module must be valid with any choice. One process validates
 * them all: starting spirv-val for each would take five times as long.
 */
#include <inttypes.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "../../src/spirv/grammar.h"
#include "../../src/spirv/inline.h"
#include "../../src/spirv/prune.h"
#include "../../src/tables/kernels.h"

#define CONSTANTS 16u
#define ROOM 16u         /* times what the library allows for inlining */
#define MAX_WORDS 17408u /* of a pruned module with all operators, before its calls are inlined */

static uint32_t have_calls; /* modules with calls that were not inlined */
static uint32_t are_large;  /* modules that would become too large without calls */
static size_t words_left;   /* of all modules, with their calls inlined */
static size_t max_words;    /* of one module, before its calls are inlined */
static const char *largest = "none";
static uint32_t validated, are_invalid;
static spv_context validator;

static uint32_t draw(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void draw_constants(uint32_t *constants)
{
    static const uint32_t usual[] = {0, 1, 2, 3, 4, 5, 8, 16, 32, 64, 256, 0x155, 0x20001, ~0u};
    for (uint32_t i = 0; i < CONSTANTS; i++)
        constants[i] = draw() % 3 ? usual[draw() % (sizeof usual / sizeof usual[0])] : draw();
}

static void write_words(const char *path, const uint32_t *words, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(words, sizeof *words, count, file) != count || fclose(file)) {
        perror(path);
        exit(1);
    }
}

static void validate(uint32_t kernel, uint32_t variant, const char *kind, const uint32_t *words,
                     size_t count)
{
    spv_diagnostic said = NULL;
    validated++;
    if (spvValidateBinary(validator, words, count, &said) != SPV_SUCCESS) {
        are_invalid++;
        printf("# %s, choice %" PRIu32 ", %s: %s\n", vkr_kernel_name(kernel), variant, kind,
               said ? said->error : "it is not valid");
    }
    spvDiagnosticDestroy(said);
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(1);
    return memory;
}

static uint32_t functions(const uint32_t *words, size_t count)
{
    uint32_t found = 0;
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at))
        found += vkr_opcode_of(words + at) == SpvOpFunction;
    return found;
}

/* Inlines the calls of a pruned module, prunes it once more and validates it. Returns false if it
 * still has several functions although there was room for one. */
static bool inline_calls(uint32_t kernel, uint32_t variant, const uint32_t *constants,
                         const uint32_t *words, size_t count)
{
    const size_t size = vkr_inline_size(words, vkr_kernels[kernel].words);
    void *memory = allocate(ROOM * size);
    const uint32_t *inlined = vkr_inline(words, &count, memory, size);
    void *more = allocate(vkr_prune_size(inlined, count));
    const uint32_t *left = vkr_prune(inlined, &count, constants, CONSTANTS, more);
    if (left) {
        validate(kernel, variant, "inlined", left, count);
        words_left += count;
    }
    bool is_one = left && functions(left, count) == 1;
    if (inlined == words && !is_one) {
        is_one = vkr_inline(words, &count, memory, ROOM * size) != words;
        are_large += is_one;
    }
    free(more);
    free(memory);
    return is_one;
}

/* Returns the number of words that are left; 0 if pruning them again changes something. */
static size_t prune(uint32_t kernel, uint32_t variant, const uint32_t *code)
{
    uint32_t constants[CONSTANTS];
    size_t count = vkr_kernels[kernel].words;
    void *memory = allocate(vkr_prune_size(code, count));
    draw_constants(constants);
    const uint32_t *once = vkr_prune(code, &count, constants, CONSTANTS, memory);
    if (!once) {
        free(memory);
        return 0;
    }
    if (variant == 0)
        validate(kernel, variant, "with calls", once, count);
    size_t again = count;
    void *more = allocate(vkr_prune_size(once, count));
    const uint32_t *twice = vkr_prune(once, &again, constants, CONSTANTS, more);
    const bool same = twice && again == count && memcmp(once, twice, count * sizeof *once) == 0;
    free(more);
    if (!inline_calls(kernel, variant, constants, once, count)) {
        printf("# %s has calls\n", vkr_kernel_name(kernel));
        have_calls++;
    }
    free(memory);
    return same ? count : 0;
}

static uint32_t *read_file(const char *path, size_t *count)
{
    enum { MOST = 16384 };
    uint32_t *words = allocate(MOST * sizeof *words);
    FILE *file = fopen(path, "rb");
    *count = file ? fread(words, sizeof *words, MOST, file) : 0;
    if (*count == 0 || fclose(file)) {
        perror(path);
        exit(1);
    }
    return words;
}

static void prune_file(const char *in, const char *out, uint32_t constant)
{
    size_t count;
    uint32_t *words = read_file(in, &count);
    const size_t size = vkr_inline_size(words, count);
    void *memory = allocate(vkr_prune_size(words, count)), *more = allocate(size), *last = NULL;
    const uint32_t *left = vkr_prune(words, &count, &constant, 1, memory);
    if (left) {
        const uint32_t *inlined = vkr_inline(left, &count, more, size);
        last = allocate(vkr_prune_size(inlined, count));
        left = vkr_prune(inlined, &count, &constant, 1, last);
    }
    if (left)
        write_words(out, left, count);
    else
        printf("as it is\n");
    free(last);
    free(more);
    free(memory);
    free(words);
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--file") == 0) {
        prune_file(argv[2], argv[3], (uint32_t)strtoul(argv[4], NULL, 10));
        return 0;
    }
    if (argc != 2)
        return 2;
    const uint32_t variants = (uint32_t)strtoul(argv[1], NULL, 10);
    validator = spvContextCreate(SPV_ENV_VULKAN_1_1);
    size_t before = 0, after = 0;
    uint32_t failed = 0;
    for (uint32_t kernel = 0; kernel < vkr_kernel_count; kernel++) {
        void *memory = allocate(vkr_unpack_size(kernel));
        const uint32_t *code = vkr_unpack(kernel, memory);
        for (uint32_t variant = 0; code && variant < variants; variant++) {
            const size_t left = prune(kernel, variant, code);
            failed += left == 0;
            if (left == 0)
                printf("# %s, choice %" PRIu32 "\n", vkr_kernel_name(kernel), variant);
            before += vkr_kernels[kernel].words;
            after += left;
            if (left > max_words)
                largest = vkr_kernel_name(kernel);
            max_words = left > max_words ? left : max_words;
        }
        failed += code == NULL;
        free(memory);
    }
    printf("# %zu of %zu words are left, and %zu with calls inlined\n", after, before, words_left);
    printf("%sok 1 - what was pruned has nothing left to prune\n", failed ? "not " : "");
    printf("%sok 2 - two thirds of all words are left at most\n",
           after * 3 > before * 2 ? "not " : "");
    printf("# %" PRIu32 " would become too large without calls\n", are_large);
    printf("%sok 3 - every other module becomes one function\n", have_calls ? "not " : "");
    printf("%sok 4 - no module has more than %u words left\n", max_words > MAX_WORDS ? "not " : "",
           MAX_WORDS);
    printf("# at most %zu, of %s\n", max_words, largest);
    printf("%sok 5 - %" PRIu32 " modules are valid\n", are_invalid || !validated ? "not " : "",
           validated);
    spvContextDestroy(validator);
    return 0;
}
