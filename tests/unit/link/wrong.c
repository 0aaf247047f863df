/* SPDX-License-Identifier: MIT */
/* What is refused, each with its sentence. */
#include "link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 8192u

static void check_sentence(const char *what, const char *found, const char *wanted)
{
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: \"%s\" instead of \"%s\"", what, found, wanted);
}

/* ---- Modules ---- */

/* Wrong modules: in the first instruction with this opcode, or in the header, this word has this
 * value. */
static const struct {
    uint32_t opcode, word, value;
    const char *sentence;
} wrong_modules[] = {
    {0, 0, 0x03022307, "the module has its bytes in the other order"},
    {0, 0, 0x20736c2f, "the module is not SPIR-V: it lacks the magic number"},
    {0, 1, 0x10700, "the module has SPIR-V's version 1.7, but must have 1.0 to 1.6"},
    {0, 1, 0x20000, "the module has SPIR-V's version 2.0, but must have 1.0 to 1.6"},
    {0, 1, 0, "the module has SPIR-V's version 0.0, but must have 1.0 to 1.6"},
    {0, 3, 0, "the module has an id bound of 0, but must have 1 to 1048576"},
    {0, 3, 1048577, "the module has an id bound of 1048577, but must have 1 to 1048576"},
    {0, 4, 1, "the module has a schema, which must be 0"},
    {SpvOpTypeInt, 0, SpvOpTypeInt, "OpTypeInt at word 103 of the module has no words"},
    {SpvOpFunctionEnd, 0, 0xffff0000u | SpvOpFunctionEnd,
     "OpFunctionEnd at word 233 of the module goes past the module's end"},
    {SpvOpIAdd, 0, 5u << 16 | 0xfff0u,
     "opcode 65520 at word 219 of the module is not known to the library"},
    {SpvOpIAdd, 0, 4u << 16 | SpvOpIAdd,
     "OpIAdd at word 219 of the module is malformed, or in a wrong place"},
    {SpvOpIAdd, 3, 1u << 20, "OpIAdd at word 219 of the module is malformed, or in a wrong place"},
    {SpvOpFunctionCall, 3, 1,
     "OpFunctionCall at word 244 of the module is malformed, or in a wrong place"},
    {SpvOpDecorate, 0, 8u << 16 | SpvOpGroupDecorate,
     "OpGroupDecorate at word 48 of the module is not supported: groups of decorations are "
     "deprecated"},
    {SpvOpExtInstImport, 2, 0x6e65704f,
     "OpExtInst at word 277 of the module is malformed, or of another set than GLSL.std.450"},
    {SpvOpReturnValue, 0, 2u << 16 | SpvOpCapability,
     "OpFunctionEnd at word 233 of the module ends a function that has no body, or whose last "
     "block "
     "does not end"},
};

EXTERN_TEST(test_wrong_modules)
{
    read_module read;
    for (size_t i = 0; i < ARRAY_SIZE(wrong_modules); i++) {
        words copy = copy_words(modules[EXPORTS]);
        uint32_t *w = copy.words;
        if (wrong_modules[i].opcode) {
            w += VKR_SPIRV_HEADER;
            while (vkr_opcode_of(w) != wrong_modules[i].opcode)
                w += vkr_length_of(w);
        }
        w[wrong_modules[i].word] = wrong_modules[i].value;
        read_words(copy, &read);
        check_sentence("a wrong module", read.sentence, wrong_modules[i].sentence);
        free_module(&read);
        free(copy.words);
    }
}

/* A module that is cut off anywhere is refused, unless that is after a function. */
EXTERN_TEST(test_cut)
{
    read_module read;
    for (size_t count = 0; count < modules[EXPORTS].count; count++) {
        const words cut = {modules[EXPORTS].words, count};
        read_words(cut, &read);
        if (count < VKR_SPIRV_HEADER) {
            char wanted[100];
            snprintf(wanted, sizeof wanted, "the module has %zu words, fewer than a header has",
                     count);
            check_sentence("a cut module", read.sentence, wanted);
        }
        if (count == modules[EXPORTS].count - 1)
            check_sentence("a cut module", read.sentence,
                           "the module has no functions, or ends in one");
        free_module(&read);
    }
    const words large = {allocate((VKR_MAX_HOOK_WORDS + 1) * sizeof(uint32_t)),
                         VKR_MAX_HOOK_WORDS + 1};
    memset(large.words, 0, large.count * sizeof(uint32_t));
    large.words[0] = SpvMagicNumber;
    read_words(large, &read);
    check_sentence("a large module", read.sentence, "the module has more than 4 MiB");
    free_module(&read);
    free(large.words);
}

/* ---- Functions ---- */

/* The sentences of the functions of wrong.spvasm, without their first word, which is the name. */
static const struct {
    const char *name, *sentence;
} wrong_functions[] = {
    {"barrier", "has OpControlBarrier, but hooks must not wait for other invocations"},
    {"subgroup", "has OpGroupNonUniformElect, which would need other invocations of the subgroup"},
    {"ballot", "has opcode 4432, which would need other invocations of the subgroup"},
    {"quad", "has opcode 366, which would need other invocations of the subgroup"},
    {"kill", "has OpKill, but hooks must end by returning"},
    {"derivative", "has OpDPdx, which needs derivatives, and compute shaders have none"},
    {"implicit", "has OpImageSampleImplicitLod, which needs derivatives, and compute shaders "
                 "have none"},
    {"vertex", "has OpEmitVertex, which hooks must not have"},
    {"demote", "has opcode 5380, which hooks must not have"},
    {"reads_input",
     "reads the input gl_GlobalInvocationID, but hooks know only their arguments and "
     "descriptors"},
    {"writes_output", "has the output color, but hooks run in compute shaders"},
    {"reads_shared", "uses totals in shared memory, which belongs to the kernel"},
    {"reads_push", "uses the push constants push, which belong to the kernel"},
    {"reads_set_0", "uses results, but descriptors of hooks must be in set 1"},
    {"reads_no_set", "uses limits, but descriptors of hooks must be in set 1"},
    {"reads_two_sets", "uses %64, but descriptors of hooks must be in set 1"},
    {"reads_chosen", "uses the specialisation constant variant, but the constants belong to the "
                     "kernel"},
    {"reads_sum", "uses the specialisation constant %82, but the constants belong to the kernel"},
    {"has_array", "uses the specialisation constant variant, but the constants belong to the "
                  "kernel"},
    {"reads_size", "uses the built-in constant gl_WorkGroupSize, which belongs to the kernel"},
    {"reads_initial", "uses seed, but variables of hooks must have no initial values"},
    {"reads_unset", "uses scale, which main sets, or nothing does, and hooks are called without "
                    "main"},
    {"recursive", "calls recursive again, but hooks must not be recursive"},
    {"ping", "calls pong, which calls ping again, but hooks must not be recursive"},
    {"pong", "calls ping again, but hooks must not be recursive"},
    {"calls_ping", "calls pong, which calls ping again, but hooks must not be recursive"},
    {"calls_helper", "calls helper, which has OpControlBarrier, but hooks must not wait for other "
                     "invocations"},
    {"calls_twice", "calls helper, which has OpControlBarrier, but hooks must not wait for other "
                    "invocations"},
    {"calls_nameless", "calls %118, which has OpKill, but hooks must end by returning"},
    {"calls_main", "calls main, which uses scale, which main sets, or nothing does, and hooks are "
                   "called without main"},
    {"has_address", "uses %95 (OpTypePointer), which hooks must not have"},
    {"has_ray", "uses %92 (opcode 4472), which hooks must not have"},
    {"adds_by_id", "uses %66 (OpConstant), which hooks must not have"},
    {"local_by_id", "has OpFAdd at word 1360, which is not valid"},
    {"own_shared", "has OpVariable at word 1378, which is not valid"},
    {"undefined", "has OpIAdd at word 1395, whose operand %233 cannot be used there"},
    {"foreign", "has OpIAdd at word 1413, whose operand %117 cannot be used there"},
    {"late", "has OpIAdd at word 1431, whose operand %240 cannot be used there"},
    {"takes_function", "has OpIAdd at word 1454, whose operand helper cannot be used there"},
    {"typeless", "has OpIAdd at word 1472, whose operand %77 cannot be used there"},
    {"few_arguments", "has OpFunctionCall at word 1490, which is not valid"},
    {"wrong_result", "has OpFunctionCall at word 1507, which is not valid"},
    {"no_parameter", "has OpFunction at word 1515, which is not valid"},
    {"later_global", "uses %83 (OpConstantComposite), which hooks must not have"},
    {"debug_result", "has opcode 83 at word 1559, whose operand %259 cannot be used there"},
};

EXTERN_TEST(test_wrong_functions)
{
    read_module read;
    char sentence[VKR_HOOK_SENTENCE];
    size_t row = 0;
    read_words(modules[WRONG], &read);
    assert_true(read.can_read);
    for (uint32_t i = 0; i < read.hooks.function_count; i++) {
        const vkr_hook_function *f = &read.hooks.functions[i];
        char name[40], wanted[VKR_HOOK_SENTENCE] = "";
        vkr_hook hook;
        assert_true(f->name_length < sizeof name);
        memcpy(name, f->name, f->name_length);
        name[f->name_length] = '\0';
        if (strcmp(name, "helper") == 0) /* which others call */
            continue;
        const bool found =
            vkr_find_hook(&read.hooks, name, &is_predicate, &hook, sentence, sizeof sentence);
        if (strncmp(name, "fine_", 5) != 0) {
            assert_true(row < ARRAY_SIZE(wrong_functions));
            assert_string_equal(name, wrong_functions[row].name);
            snprintf(wanted, sizeof wanted, "%s %s", name, wrong_functions[row++].sentence);
        }
        assert_int_equal(found, wanted[0] == '\0');
        check_sentence(name, sentence, wanted);
    }
    assert_int_equal(row, ARRAY_SIZE(wrong_functions));
    free_module(&read);
}

/* Finds a function of HOOKS, and checks the sentence. */
static void check_find(module_name from, const char *name, const vkr_signature *signature,
                       const char *wanted)
{
    read_module read;
    vkr_hook hook;
    char sentence[VKR_HOOK_SENTENCE];
    read_words(modules[from], &read);
    assert_true(read.can_read);
    const bool found =
        vkr_find_hook(&read.hooks, name, signature, &hook, sentence, sizeof sentence);
    assert_int_equal(found, wanted[0] == '\0');
    check_sentence(name, sentence, wanted);
    /* A sentence that does not fit is cut. */
    for (size_t room = 0; room <= strlen(wanted); room++) {
        memset(sentence, 'x', sizeof sentence);
        (void)vkr_find_hook(&read.hooks, name, signature, &hook, sentence, room);
        assert_true(room == 0 ||
                    (strncmp(sentence, wanted, room - 1) == 0 && sentence[room - 1] == '\0'));
        assert_int_equal(sentence[room], 'x');
    }
    free_module(&read);
}

#define HALF                                                                                       \
    {                                                                                              \
        VKR_HOOK_FLOAT, 16, 1                                                                      \
    }
#define VECTOR(kind, bits, count)                                                                  \
    {                                                                                              \
        VKR_HOOK_##kind, bits, count                                                               \
    }

EXTERN_TEST(test_wrong_signatures)
{
    static const struct {
        vkr_signature signature;
        const char *name, *sentence;
    } rows[] = {
        {{TYPE_BOOL, 1, {TYPE_UINT}}, "keep_plain", ""},
        {{TYPE_BOOL, 2, {TYPE_UINT, TYPE_FLOAT}},
         "keep_plain",
         "keep_plain must be bool keep_plain(uint, float), but it has 1 parameter"},
        {{TYPE_BOOL, 1, {TYPE_INT}},
         "keep_plain",
         "keep_plain must be bool keep_plain(int), but its first parameter is a uint"},
        {{VECTOR(FLOAT, 32, 3), 1, {TYPE_UINT}},
         "load_plain",
         "load_plain must be vec3 load_plain(uint), but it returns a float"},
        {{HALF, 1, {TYPE_UINT}},
         "load_uint",
         "the module has no function load_uint: its functions are keep_plain, keep_constant, "
         "keep_visible, keep_switch, keep_early, split, .."},
        {{VECTOR(UINT, 16, 2), 2, {TYPE_UINT, VECTOR(INT, 64, 1)}},
         "store_plain",
         "store_plain must be u16vec2 store_plain(uint, int64_t), but it returns void"},
        {{TYPE_VOID, 2, {TYPE_UINT, VECTOR(BOOL, 0, 4)}},
         "store_plain",
         "store_plain must be void store_plain(uint, bvec4), but its second parameter is a uint"},
        {{TYPE_VOID, 3, {TYPE_UINT, TYPE_UINT, TYPE_UINT}},
         "split",
         "split must be void split(uint, uint, uint), but its second parameter is a uvec2"},
        {{TYPE_VOID, 0, {TYPE_UINT}},
         "store_plain",
         "store_plain must be void store_plain(), but it has 2 parameters"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        check_find(HOOKS, rows[i].name, &rows[i].signature, rows[i].sentence);
}

EXTERN_TEST(test_missing)
{
    check_find(
        EXPORTS, "helper", &is_uint_load,
        "the module has no function helper: its functions are keep, load, load_uint and value");
    check_find(HOOKS, "main", &is_predicate,
               "the module has no function main: its functions are keep_plain, keep_constant, "
               "keep_visible, keep_switch, keep_early, split, ..");
    check_find(
        HOOKS, "a\nname that is longer than any that a sentence has room for, by far",
        &is_predicate,
        "the module has no function a?name?that?is?longer?than?any?that?a?se..: its functions "
        "are keep_plain, keep_constant, keep_visible, keep_switch, keep_early, split, ..");
    check_find(KERNEL, "keep", &is_predicate,
               "the module has no function keep: its functions are vkr_hook_keep, "
               "vkr_hook_load_float, vkr_hook_load_uint, vkr_hook_store, vkr_hook_value and sum");
}

/* ---- Nested calls ---- */

#define PUT(...)                                                                                   \
    do {                                                                                           \
        const uint32_t put[] = {__VA_ARGS__};                                                      \
        assert_true(count + ARRAY_SIZE(put) <= room);                                              \
        memcpy(w + count, put, sizeof put);                                                        \
        w[count] |= (uint32_t)ARRAY_SIZE(put) << 16;                                               \
        count += ARRAY_SIZE(put);                                                                  \
    } while (0)

/* A module of functions bool(uint), each of which calls the next one twice. The first one has this
 * name, and id 10. */
static words nest(uint32_t functions, const char *name)
{
    enum { FIRST = 10, IDS = 6 };
    const size_t room = 64 + 32 * (size_t)functions;
    uint32_t *w = allocate(room * sizeof *w), count = VKR_SPIRV_HEADER;
    uint32_t text[2] = {0};
    memcpy(w, (const uint32_t[]){SpvMagicNumber, 0x10000, 0, FIRST + IDS * functions, 0}, 20);
    memcpy(text, name, strlen(name) < 8 ? strlen(name) : 7);
    PUT(SpvOpCapability, SpvCapabilityShader);
    PUT(SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    if (name[0] != '\0')
        PUT(SpvOpName, FIRST, text[0], text[1]);
    PUT(SpvOpTypeInt, 1, 32, 0);
    PUT(SpvOpTypeBool, 2);
    PUT(SpvOpTypeFunction, 3, 2, 1);
    PUT(SpvOpConstantTrue, 2, 4);
    for (uint32_t f = FIRST; f < FIRST + IDS * functions; f += IDS) {
        PUT(SpvOpFunction, 2, f, 0, 3);
        PUT(SpvOpFunctionParameter, 1, f + 1);
        PUT(SpvOpLabel, f + 2);
        if (f + IDS < FIRST + IDS * functions) {
            PUT(SpvOpFunctionCall, 2, f + 3, f + IDS, f + 1);
            PUT(SpvOpFunctionCall, 2, f + 4, f + IDS, f + 1);
        }
        PUT(SpvOpReturnValue, 4);
        PUT(SpvOpFunctionEnd);
    }
    return (words){w, count};
}

EXTERN_TEST(test_nested)
{
    static const struct {
        uint32_t functions;
        const char *sentence;
    } rows[] = {
        {1, ""},
        {VKR_MAX_HOOK_CALLS, ""},
        {VKR_MAX_HOOK_CALLS + 1, "first has calls in more than 32 nested functions, which is the "
                                 "limit"},
        {300, "first has calls in more than 32 nested functions, which is the limit"},
        {30000, "first has calls in more than 32 nested functions, which is the limit"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const words kept = modules[WRONG];
        modules[WRONG] = nest(rows[i].functions, "first");
        check_find(WRONG, "first", &is_predicate, rows[i].sentence);
        free(modules[WRONG].words);
        modules[WRONG] = nest(rows[i].functions, "");
        check_find(WRONG, "first", &is_predicate,
                   "the module has no function first, nor any other name of one: compile without "
                   "-O, or with --no-link");
        free(modules[WRONG].words);
        modules[WRONG] = kept;
    }
}

/* ---- What the context supports ---- */

static void check_support(module_name from, const vkr_hook_support *support, const char *wanted)
{
    read_module read;
    read_words(modules[from], &read);
    assert_true(read.can_read);
    assert_int_equal(vkr_check_hooks(&read.hooks, support, read.sentence, sizeof read.sentence),
                     wanted[0] == '\0');
    check_sentence("a module", read.sentence, wanted);
    free_module(&read);
}

EXTERN_TEST(test_support)
{
    const uint32_t capabilities[] = {SpvCapabilityGroupNonUniform, SpvCapabilityInt64};
    const char *const extensions[] = {"SPV_KHR_8bit_storage", "SPV_KHR_shader_ballot"};
    vkr_hook_support support = {.version = VKR_HOOK_VERSION_1_3};
    uint32_t *const version = &modules[HOOKS].words[1], kept = *version;
    check_support(EXPORTS, &support, "");
    check_support(HOOKS, &support, "");
    *version = 0x10600;
    check_support(HOOKS, &support,
                  "the module has SPIR-V's version 1.6, but the context supports up to 1.3");
    support.version = 0x10600;
    check_support(HOOKS, &support, "");
    *version = kept;
    support.capabilities = capabilities;
    support.capability_count = 1;
    check_support(WRONG, &support,
                  "the module needs SPIR-V's capability Int64, which the context lacks");
    support.capability_count = 2;
    support.extensions = extensions;
    support.extension_count = 1;
    check_support(WRONG, &support,
                  "the module needs SPV_KHR_shader_ballot, which the context lacks");
    support.extension_count = 2;
    check_support(WRONG, &support, "");
    uint32_t *w = modules[WRONG].words + VKR_SPIRV_HEADER;
    while (vkr_opcode_of(w) != SpvOpMemoryModel)
        w += vkr_length_of(w);
    w[2] = SpvMemoryModelVulkan;
    check_support(WRONG, &support,
                  "the module must have logical addresses and the memory model of GLSL");
    w[2] = SpvMemoryModelGLSL450;
}
