/* SPDX-License-Identifier: MIT */
/*
 * link KERNEL.spv HOOKS.spv EXPORTS.spv ELEMENTS.spv WRONG.spv STATE_KERNEL.spv STATES.spv: links
 * each function of the modules HOOKS, EXPORTS and ELEMENTS into the kernel. The linked module must
 * be valid, and so must what pruning and inlining make of it, without a call and without a trace of
 * the weak function.
 */
#include "link.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/spirv/inline.h"
#include "../../../src/spirv/prune.h"

#define MAX_COUNT 16384u

words modules[MODULE_COUNT];

const vkr_signature is_predicate = {TYPE_BOOL, 1, {TYPE_UINT}};
const vkr_signature is_float_load = {TYPE_FLOAT, 1, {TYPE_UINT}};
const vkr_signature is_uint_load = {TYPE_UINT, 1, {TYPE_UINT}};
const vkr_signature is_sink = {TYPE_VOID, 2, {TYPE_UINT, TYPE_UINT}};

/* Functions of elements. */
#define TYPE(kind, bits, components)                                                               \
    {                                                                                              \
        VKR_HOOK_##kind, bits, components                                                          \
    }
static const vkr_signature is_float = {TYPE_FLOAT, 2, {TYPE_FLOAT, TYPE_UINT}};
static const vkr_signature is_vec3 = {TYPE(FLOAT, 32, 3), 2, {TYPE(FLOAT, 32, 3), TYPE_UINT}};
static const vkr_signature is_bool = {TYPE_BOOL, 2, {TYPE(INT, 32, 2), TYPE_UINT}};
static const vkr_signature is_uvec4 = {TYPE(UINT, 32, 4), 2, {TYPE(UINT, 32, 4), TYPE_UINT}};
static const vkr_signature is_ivec2 = {TYPE(INT, 32, 2), 2, {TYPE(FLOAT, 64, 1), TYPE_UINT}};
static const vkr_signature is_uint = {TYPE_UINT, 2, {TYPE(UINT, 64, 2), TYPE_UINT}};

/* ---- Modules ---- */

void *allocate(size_t size)
{
    void *memory = malloc(size ? size : 1);
    assert_non_null(memory);
    return memory;
}

words copy_words(words from)
{
    words copy = {allocate(from.count * sizeof *from.words), from.count};
    memcpy(copy.words, from.words, from.count * sizeof *from.words);
    return copy;
}

void read_words(words from, read_module *to)
{
    to->copy = copy_words(from);
    to->memory = allocate(vkr_hooks_size(to->copy.words, from.count));
    to->can_read = vkr_read_hooks(to->copy.words, from.count, to->memory, &to->hooks, to->sentence,
                                  sizeof to->sentence);
    assert_memory_equal(to->copy.words, from.words, from.count * sizeof *from.words);
    assert_int_equal(to->can_read, to->sentence[0] == '\0');
}

void free_module(read_module *module)
{
    free(module->memory);
    free(module->copy.words);
}

/* ---- Validity ---- */

static const spv_target_env environments[] = {SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_2,
                                              SPV_ENV_VULKAN_1_3};

/* Modules of version 1.4 and more are not for Vulkan 1.1. */
void validate(const uint32_t *linked, size_t count, const char *what)
{
    for (size_t i = linked[1] > 0x10300; i < ARRAY_SIZE(environments); i++) {
        spv_context context = spvContextCreate(environments[i]);
        spv_diagnostic said = NULL;
        const bool valid = spvValidateBinary(context, linked, count, &said) == SPV_SUCCESS;
        if (!valid) {
            FILE *file = fopen("invalid.spv", "wb");
            assert_non_null(file);
            fwrite(linked, sizeof *linked, count, file);
            fclose(file);
            fail_msg("%s, for Vulkan 1.%zu (invalid.spv): %s", what, i + 1,
                     said ? said->error : "it is not valid");
        }
        spvDiagnosticDestroy(said);
        spvContextDestroy(context);
    }
}

uint32_t count_opcode(const uint32_t *linked, size_t count, uint32_t opcode)
{
    uint32_t found = 0;
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(linked + at))
        found += vkr_opcode_of(linked + at) == opcode;
    return found;
}

bool uses(const uint32_t *linked, size_t count, uint32_t number)
{
    const float f = (float)number;
    uint32_t bits;
    bool in_functions = false, found = false;
    bool *is = calloc(linked[VKR_SPIRV_BOUND], sizeof *is);
    assert_non_null(is);
    memcpy(&bits, &f, sizeof bits);
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(linked + at)) {
        const uint32_t *w = linked + at;
        const uint32_t opcode = vkr_opcode_of(w);
        vkr_operands o;
        vkr_start_operands(&o, w);
        in_functions |= opcode == SpvOpFunction;
        if (opcode == SpvOpConstant && (w[3] == number || w[3] == bits))
            is[w[2]] = true;
        for (vkr_word word; opcode != SpvOpSwitch && (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
            if (word == VKR_WORD_ID && is[w[o.at - 1]]) {
                found |= in_functions;
                if (opcode == SpvOpConstantComposite)
                    is[w[2]] = true;
            }
    }
    free(is);
    return found;
}

void check_rewritten(const uint32_t *linked, size_t count, uint32_t constant, uint32_t number,
                     bool can_inline, const char *what)
{
    void *memory = allocate(vkr_prune_size(linked, count));
    const uint32_t *pruned = vkr_prune(linked, &count, &constant, 1, memory);
    assert_non_null(pruned);
    validate(pruned, count, what);
    assert_true(number == 0 || uses(pruned, count, number));
    const size_t size = vkr_inline_size(pruned, count);
    void *more = allocate(size);
    const uint32_t *inlined = vkr_inline(pruned, &count, more, size);
    void *last = allocate(vkr_prune_size(inlined, count));
    const uint32_t *left = vkr_prune(inlined, &count, &constant, 1, last);
    assert_non_null(left);
    validate(left, count, what);
    assert_true(number == 0 || uses(left, count, number));
    if (can_inline) {
        assert_int_equal(count_opcode(left, count, SpvOpFunctionCall), 0);
        assert_int_equal(count_opcode(left, count, SpvOpFunction), 1);
    }
    free(last);
    free(more);
    free(memory);
}

/* ---- Links ---- */

/* A link of one function. */
typedef struct row {
    module_name module;
    const char *name, *weak;
    const vkr_signature *signature;
    uint32_t number;   /* that only the user's function has */
    bool stays_called; /* inlining refuses it */
} row;

static const row rows[] = {
    {HOOKS, "keep_plain", "vkr_hook_keep", &is_predicate, 1000, false},
    {HOOKS, "keep_constant", "vkr_hook_keep", &is_predicate, 1001, false},
    {HOOKS, "keep_visible", "vkr_hook_keep", &is_predicate, 1002, true},
    {HOOKS, "keep_switch", "vkr_hook_keep", &is_predicate, 1003, false},
    {HOOKS, "keep_early", "vkr_hook_keep", &is_predicate, 1004, false},
    {HOOKS, "keep_nested", "vkr_hook_keep", &is_predicate, 1005, false},
    {HOOKS, "load_plain", "vkr_hook_load_float", &is_float_load, 1006, false},
    {HOOKS, "load_table", "vkr_hook_load_float", &is_float_load, 1007, false},
    {HOOKS, "load_texture", "vkr_hook_load_float", &is_float_load, 1008, false},
    {HOOKS, "load_matrix", "vkr_hook_load_float", &is_float_load, 1009, false},
    {HOOKS, "load_private", "vkr_hook_load_uint", &is_uint_load, 1010, false},
    {HOOKS, "load_image", "vkr_hook_load_uint", &is_uint_load, 1011, false},
    {HOOKS, "load_late", "vkr_hook_load_uint", &is_uint_load, 1012, true},
    {HOOKS, "store_plain", "vkr_hook_store", &is_sink, 1013, false},
    {HOOKS, "store_atomic", "vkr_hook_store", &is_sink, 1014, false},
    {EXPORTS, "keep", "vkr_hook_keep", &is_predicate, 1100, false},
    {EXPORTS, "load", "vkr_hook_load_float", &is_float_load, 1101, false},
    {EXPORTS, "load_uint", "vkr_hook_load_uint", &is_uint_load, 1102, false},
    {ELEMENTS, "value_float", "vkr_hook_value", &is_float, 1015, false},
    {ELEMENTS, "value_vec3", "vkr_hook_value", &is_vec3, 1016, false},
    {ELEMENTS, "value_bool", "vkr_hook_value", &is_bool, 1017, false},
    {ELEMENTS, "value_uvec4", "vkr_hook_value", &is_uvec4, 1018, false},
    {ELEMENTS, "value_double", "vkr_hook_value", &is_ivec2, 1019, false},
    {ELEMENTS, "value_u64vec2", "vkr_hook_value", &is_uint, 1020, false},
    {EXPORTS, "value", "vkr_hook_value", &is_vec3, 1103, false},
    {HOOKS, "keep_plain", "vkr_hook_value", &is_predicate, 1000, false},
    {HOOKS, "load_plain", "vkr_hook_value", &is_float_load, 1006, false},
    {EXPORTS, "load_uint", "vkr_hook_value", &is_uint_load, 1102, false},
};

/* The most links that a test makes at once. */
#define MAX_ROWS 5u

/* Links several functions at once, and checks all that is left. */
static void link_rows(const row *const *wanted, uint32_t count)
{
    read_module read[MODULE_COUNT];
    vkr_link_row links[MAX_ROWS];
    char sentence[VKR_HOOK_SENTENCE];
    words kernel = copy_words(modules[KERNEL]);
    for (uint32_t i = HOOKS; i <= ELEMENTS; i++)
        read_words(modules[i], &read[i]);
    for (uint32_t i = 0; i < count; i++) {
        const row *r = wanted[i];
        links[i].weak = r->weak;
        if (!read[r->module].can_read)
            fail_msg("%s", read[r->module].sentence);
        if (!vkr_find_hook(&read[r->module].hooks, r->name, r->signature, &links[i].hook, sentence,
                           sizeof sentence))
            fail_msg("%s: %s", r->name, sentence);
    }
    const vkr_link_info info = {.link_count = count, .links = links, .exact = count == 1};
    size_t linked_count = kernel.count, again_count = kernel.count;
    const size_t size = vkr_link_size(kernel.words, kernel.count, &info);
    void *memory = allocate(size), *more = allocate(size);
    const uint32_t *linked = vkr_link(kernel.words, &linked_count, &info, memory);
    const uint32_t *again = vkr_link(kernel.words, &again_count, &info, more);
    if (!linked || !again)
        fail_msg("%s cannot be linked", wanted[0]->name);
    assert_int_equal(linked_count, again_count);
    assert_memory_equal(linked, again, linked_count * sizeof *linked);
    validate(linked, linked_count, wanted[0]->name);
    for (uint32_t i = 0; i < count; i++)
        check_rewritten(linked, linked_count, strcmp(wanted[i]->weak, "vkr_hook_load_float") == 0,
                        wanted[i]->number, !wanted[i]->stays_called, wanted[i]->name);
    assert_int_equal(count == MAX_ROWS, !uses(linked, linked_count, WEAK_NUMBER));
    free(more);
    free(memory);
    for (uint32_t i = HOOKS; i <= ELEMENTS; i++)
        free_module(&read[i]);
    free(kernel.words);
}

static void test_link(void **state)
{
    const row *r = *state;
    link_rows(&r, 1);
}

/* Functions of one module, and of two. */
TEST(test_links)
{
    static const uint32_t sets[][MAX_ROWS] = {
        {0, 6, 10, 13, 18}, {5, 16, 11, 14, 20}, {15, 8, 17, 14, 24}};
    for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
        const row *wanted[MAX_ROWS];
        for (uint32_t k = 0; k < MAX_ROWS; k++)
            wanted[k] = &rows[sets[i][k]];
        link_rows(wanted, MAX_ROWS);
    }
}

/* What is not needed is not copied, and what the kernel has, too, is not repeated. */
TEST(test_merge)
{
    read_module read;
    vkr_link_row link = {.weak = "vkr_hook_keep"};
    read_words(modules[HOOKS], &read);
    assert_true(vkr_find_hook(&read.hooks, "keep_plain", &is_predicate, &link.hook, read.sentence,
                              sizeof read.sentence));
    const vkr_link_info info = {.link_count = 1, .links = &link};
    const words kernel = modules[KERNEL];
    size_t count = kernel.count;
    void *memory = allocate(vkr_link_size(kernel.words, count, &info));
    const uint32_t *linked = vkr_link(kernel.words, &count, &info, memory);
    assert_non_null(linked);
    static const uint32_t equals[] = {SpvOpTypeInt,     SpvOpTypeFloat,    SpvOpTypeVector,
                                      SpvOpTypePointer, SpvOpTypeFunction, SpvOpVariable,
                                      SpvOpDecorate,    SpvOpTypeStruct,   SpvOpCapability};
    for (size_t i = 0; i < ARRAY_SIZE(equals); i++) {
        const bool is_variable = equals[i] == SpvOpVariable; /* of the new body, less the old one */
        assert_int_equal(count_opcode(linked, count, equals[i]),
                         count_opcode(kernel.words, kernel.count, equals[i]) + is_variable);
    }
    assert_int_equal(count_opcode(linked, count, SpvOpFunction),
                     count_opcode(kernel.words, kernel.count, SpvOpFunction) + 1);
    free(memory);
    free_module(&read);
}

/* Exact arithmetic: both operations of load_matrix, and none of the kernel's or of other
 * functions. */
TEST(test_exact)
{
    read_module read;
    vkr_link_row link = {.weak = "vkr_hook_load_float"};
    uint32_t found[2] = {0};
    read_words(modules[HOOKS], &read);
    assert_true(vkr_find_hook(&read.hooks, "load_matrix", &is_float_load, &link.hook, read.sentence,
                              sizeof read.sentence));
    for (uint32_t exact = 0; exact < 2; exact++) {
        const vkr_link_info info = {.link_count = 1, .links = &link, .exact = exact != 0};
        size_t count = modules[KERNEL].count;
        void *memory = allocate(vkr_link_size(modules[KERNEL].words, count, &info));
        const uint32_t *linked = vkr_link(modules[KERNEL].words, &count, &info, memory);
        assert_non_null(linked);
        for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(linked + at))
            found[exact] += vkr_opcode_of(linked + at) == SpvOpDecorate &&
                            linked[at + 2] == SpvDecorationNoContraction;
        free(memory);
    }
    assert_int_equal(found[1], found[0] + 2);
    free_module(&read);
}

/* ---- Kernels that cannot be linked ---- */

/* Links keep_plain into a kernel, and returns whether that was possible. */
static bool can_link(words kernel, const char *weak, const char *second)
{
    read_module read;
    vkr_link_row links[2] = {{.weak = weak}, {.weak = second}};
    read_words(modules[HOOKS], &read);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(vkr_find_hook(&read.hooks, "keep_plain", &is_predicate, &links[i].hook,
                                  read.sentence, sizeof read.sentence));
    const vkr_link_info info = {.link_count = second ? 2 : 1, .links = links};
    void *memory = allocate(vkr_link_size(kernel.words, kernel.count, &info));
    const bool can = vkr_link(kernel.words, &kernel.count, &info, memory) != NULL;
    free(memory);
    free_module(&read);
    return can;
}

TEST(test_wrong_kernels)
{
    words kernel = copy_words(modules[KERNEL]);
    assert_true(can_link(kernel, "vkr_hook_keep", NULL));
    assert_false(can_link(kernel, "vkr_hook_kee", NULL));
    assert_false(can_link(kernel, "vkr_hook_keeps", NULL));
    assert_false(can_link(kernel, "vkr_hook_load_uint", NULL));
    assert_false(can_link(kernel, "vkr_hook_store", NULL));
    assert_false(can_link(kernel, "vkr_hook_keep", "vkr_hook_keep"));
    assert_true(can_link(kernel, "vkr_hook_keep", "vkr_hook_value"));
    kernel.count--;
    assert_false(can_link(kernel, "vkr_hook_keep", NULL));
    kernel.words[0]++;
    assert_false(can_link(kernel, "vkr_hook_keep", NULL));
    free(kernel.words);
}

/* A newer kernel or a newer function makes the entry point list all variables. */
TEST(test_versions)
{
    for (uint32_t i = HOOKS; i <= EXPORTS; i++) {
        const uint32_t old = modules[i].words[1];
        const row *r = i == HOOKS ? &rows[10] : &rows[16];
        modules[i].words[1] = 0x10500;
        link_rows(&r, 1);
        modules[i].words[1] = old;
    }
}

/* ---- The program ---- */

static void read_file(const char *path, words *to)
{
    FILE *file = fopen(path, "rb");
    to->words = malloc(MAX_COUNT * sizeof *to->words);
    to->count = file && to->words ? fread(to->words, sizeof *to->words, MAX_COUNT, file) : 0;
    if (to->count == 0 || to->count == MAX_COUNT || fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[ARRAY_SIZE(rows) + 16];
    size_t count = 0;
    const struct CMUnitTest others[] = {
        CASE(test_links),         CASE(test_merge),           CASE(test_exact),
        CASE(test_wrong_kernels), CASE(test_versions),        CASE(test_cut),
        CASE(test_wrong_modules), CASE(test_wrong_functions), CASE(test_wrong_signatures),
        CASE(test_missing),       CASE(test_support),         CASE(test_nested),
        CASE(test_states),        CASE(test_wrong_states),
    };
    if (argc != 1 + MODULE_COUNT)
        return 2;
    for (uint32_t i = 0; i < MODULE_COUNT; i++)
        read_file(argv[1 + i], &modules[i]);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        tests[count++] = (struct CMUnitTest)CASE_OF(rows[i].name, test_link, &rows[i]);
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        tests[count++] = others[i];
    const int failed = _cmocka_run_group_tests("link", tests, count, NULL, NULL);
    for (uint32_t i = 0; i < MODULE_COUNT; i++)
        free(modules[i].words);
    return failed;
}
