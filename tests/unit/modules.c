/* SPDX-License-Identifier: MIT */
/* Modules of functions: what vkrCreateModule refuses, and what it has to do with contexts. */
#include <stdio.h>
#include <string.h>

#include "hook_code.h"
#include "trace.h"

static VkrModuleInfo plain_module(void)
{
    return (VkrModuleInfo){.label = "plain", .code = hook_code, .codeSize = sizeof hook_code};
}

static void expect(const VkrModuleInfo *info, VkrResult result, const char *sentence)
{
    VkrModule module = (VkrModule)(uintptr_t)1;
    char wanted[600];
    (void)snprintf(wanted, sizeof wanted, "vkrCreateModule: %s", sentence);
    const int64_t blocks = fixture.blocks;
    assert_int_equal(vkrCreateModule(fixture.context, info, &module), result);
    assert_string_equal(fixture.sentence, wanted);
    assert_true(module == (VkrModule)(uintptr_t)1);
    assert_int_equal(fixture.blocks, blocks);
}

TEST(test_arguments)
{
    VkrModuleInfo info = plain_module();
    VkrModule module;
    trace_open(&(trace_device){0});
    assert_int_equal(vkrCreateModule(NULL, &info, &module), VKR_ERROR_INVALID_ARGUMENT);
    expect(NULL, VKR_ERROR_INVALID_ARGUMENT, "info is NULL, but must point to a VkrModuleInfo.");
    info.code = NULL;
    expect(&info, VKR_ERROR_INVALID_ARGUMENT, "code is NULL, but must point to SPIR-V.");
    info = plain_module();
    info.codeSize = 0;
    expect(&info, VKR_ERROR_INVALID_ARGUMENT,
           "codeSize is 0, but must be a multiple of 4 from 4 to 4194304.");
    info.codeSize = 102;
    expect(&info, VKR_ERROR_INVALID_ARGUMENT,
           "codeSize is 102, but must be a multiple of 4 from 4 to 4194304.");
    info = plain_module();
    info.capabilityCount = 2;
    expect(&info, VKR_ERROR_INVALID_ARGUMENT,
           "capabilities is NULL, but must point to the 2 of capabilityCount.");
    info.capabilityCount = 33;
    expect(&info, VKR_ERROR_INVALID_ARGUMENT, "capabilityCount is 33, but must be at most 32.");
    info = plain_module();
    assert_int_equal(vkrCreateModule(fixture.context, &info, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(fixture.sentence,
                        "vkrCreateModule: module is NULL, but must point to a VkrModule.");
    trace_close();
}

/* What a context supports depends on its version and its features, and on what the application
 * says of itself. */
TEST(test_support)
{
    static const uint32_t given[] = {SpvCapabilityGeometry};
    uint32_t code[ARRAY_SIZE(hook_code)];
    VkrModuleInfo info = plain_module();
    VkrModule module;
    info.code = code;
    memcpy(code, hook_code, sizeof code);
    trace_open(&(trace_device){.bare = true});
    code[HOOK_CAPABILITY] = SpvCapabilityInt64;
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_ERROR_UNSUPPORTED);
    assert_non_null(strstr(fixture.sentence, "Int64"));
    code[HOOK_CAPABILITY] = SpvCapabilityGeometry;
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_ERROR_UNSUPPORTED);
    info.capabilityCount = 1;
    info.capabilities = given;
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_SUCCESS);
    vkrDestroyModule(module);
    code[HOOK_CAPABILITY] = SpvCapabilityShader;
    code[HOOK_VERSION] = 0x10500;
    expect(
        &info, VKR_ERROR_UNSUPPORTED,
        "code is not supported: the module has SPIR-V's version 1.5, but the context supports up "
        "to 1.3.");
    trace_close();
    trace_describe(&(trace_device){.version = VK_API_VERSION_1_2});
    fixture.info.apiVersion = VK_API_VERSION_1_2;
    assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_SUCCESS);
    vkrDestroyModule(module);
    trace_close();
}

/* Descriptors need a layout. */
TEST(test_descriptors)
{
    static const uint32_t decoration[] = {HOOK_OP(Decorate, 4), ZERO, SpvDecorationDescriptorSet,
                                          1};
    enum { WORDS = ARRAY_SIZE(hook_code), MORE = ARRAY_SIZE(decoration) };
    uint32_t code[WORDS + MORE];
    VkrModuleInfo info = plain_module();
    VkrModule module;
    memcpy(code, hook_code, HOOK_DECORATIONS * sizeof *code);
    memcpy(code + HOOK_DECORATIONS, decoration, sizeof decoration);
    memcpy(code + HOOK_DECORATIONS + MORE, hook_code + HOOK_DECORATIONS,
           (WORDS - HOOK_DECORATIONS) * sizeof *code);
    info.code = code;
    info.codeSize = sizeof code;
    trace_open(&(trace_device){0});
    expect(&info, VKR_ERROR_INVALID_ARGUMENT,
           "setLayout is VK_NULL_HANDLE, but must be the layout of set 1, since the module has "
           "descriptors.");
    info.setLayout = HANDLE(VkDescriptorSetLayout);
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_SUCCESS);
    vkrDestroyModule(module);
    trace_close();
}

/* A module of one context is refused by another one's recorder. Its pipelines are destroyed with
 * it. */
TEST(test_life)
{
    const VkrModuleInfo module_info = plain_module();
    VkrModule module;
    VkrHook hook = {.name = "load"};
    const VkrMap map = {.hook = &hook};
    VkrReduceInfo info = plain_reduce();
    uint32_t count = 1;
    VkrHookInfo listed;
    trace_open(&(trace_device){0});
    assert_int_equal(vkrCreateModule(fixture.context, &module_info, &module), VKR_SUCCESS);
    assert_int_equal(vkrGetModuleHooks(NULL, &count, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetModuleHooks(module, NULL, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetModuleHooks(module, &count, &listed), VKR_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(listed.name, "load");
    assert_int_equal(listed.type, VKR_TYPE_F32);
    VkrContext other;
    assert_int_equal(vkrCreateContext(&fixture.info, &other), VKR_SUCCESS);
    assert_int_equal(vkrCreateModule(other, &module_info, &hook.module), VKR_SUCCESS);
    info.input = (VkrView){.map = &map};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(fixture.sentence,
                        "vkrCmdReduce: input.map.hook->module belongs to another context, but must "
                        "belong to the recorder's.");
    vkrDestroyModule(hook.module);
    vkrDestroyContext(other);
    const uint32_t objects = stub_objects();
    info.input = (VkrView){.map = &map};
    info.count = 1000;
    hook.module = module;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
    const uint32_t with_pipelines = stub_objects();
    assert_true(with_pipelines > objects);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    vkrDestroyModule(module);
    assert_int_equal(stub_objects(), with_pipelines - 1); /* one pipeline, whose layout is shared */
    trace_close();
}

/* A function that returns a struct can be the load of a monoid, and nothing else. */
TEST(test_loads)
{
    static const uint32_t type[] = {HOOK_OP(TypeStruct, 4),   HOOK_BOUND,     FLOAT,         UINT,
                                    HOOK_OP(TypeFunction, 4), HOOK_BOUND + 1, HOOK_BOUND,    UINT,
                                    HOOK_OP(ConstantNull, 3), HOOK_BOUND,     HOOK_BOUND + 2};
    enum { WORDS = ARRAY_SIZE(hook_code), MORE = ARRAY_SIZE(type) };
    uint32_t code[WORDS + MORE], count = 4;
    const VkrModuleInfo info = {.code = code, .codeSize = sizeof code};
    VkrHookInfo listed[4];
    VkrModule module;
    size_t at = 5; /* after the header */
    while ((hook_code[at] & SpvOpCodeMask) != SpvOpFunction)
        at += hook_code[at] >> SpvWordCountShift;
    memcpy(code, hook_code, at * sizeof *code);
    memcpy(code + at, type, sizeof type);
    memcpy(code + at + MORE, hook_code + at, (WORDS - at) * sizeof *code);
    code[3] = HOOK_BOUND + 3;
    for (at += MORE; at < WORDS + MORE; at += code[at] >> SpvWordCountShift) {
        if ((code[at] & SpvOpCodeMask) == SpvOpFunction && code[at + 2] == LOAD) {
            code[at + 1] = HOOK_BOUND;
            code[at + 4] = HOOK_BOUND + 1;
        } else if ((code[at] & SpvOpCodeMask) == SpvOpReturnValue && code[at + 1] == LOADED) {
            code[at + 1] = HOOK_BOUND + 2;
        }
    }
    trace_open(&(trace_device){0});
    assert_int_equal(vkrCreateModule(fixture.context, &info, &module), VKR_SUCCESS);
    assert_int_equal(vkrGetModuleHooks(module, &count, listed), VKR_SUCCESS);
    assert_int_equal(count, 2);
    assert_string_equal(listed[0].name, "load");
    assert_int_equal(listed[0].kind, VKR_HOOK_KIND_LOAD);
    assert_int_equal(listed[0].type, VKR_TYPE_UNDEFINED);
    assert_int_equal(listed[0].components, 2);
    assert_int_equal(listed[0].elementType, VKR_TYPE_UNDEFINED);
    assert_int_equal(listed[1].kind, VKR_HOOK_KIND_PREDICATE);
    vkrDestroyModule(module);
    trace_close();
}

/* Flags that a function returns must not overwrite what the same operation reads. */
TEST(test_overlaps)
{
    const VkrModuleInfo module_info = plain_module();
    const VkrUse use = {.buffer = BUFFER('U'), .offset = 64, .size = 4};
    VkrHook hook = {.name = "keep"};
    const VkrFlagView flags = {
        .format = VKR_FLAGS_BITS, .range = {BUFFER('A'), 0, 128}, .hook = &hook};
    const VkrView input = {.buffer = BUFFER('A'), .size = 4000, .type = VKR_TYPE_F32};
    VkrScanInfo scan = {.op = VKR_OP_SUM,
                        .input = input,
                        .count = 1000,
                        .segments = {.kind = VKR_SEGMENTS_FLAGS, .flags = flags},
                        .output = {.buffer = BUFFER('B'), .size = 4000}};
    VkrReduceInfo reduce = plain_reduce();
    VkrCompactInfo compact = {.count = 1000,
                              .gpuCount = {.buffer = BUFFER('A')},
                              .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = flags}};
    trace_open(&(trace_device){0});
    assert_int_equal(vkrCreateModule(fixture.context, &module_info, &hook.module), VKR_SUCCESS);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(fixture.recorder, &scan), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(fixture.sentence,
                        "vkrCmdScan: segments.flags overlaps input, but must be apart from it.");
    reduce.input = input;
    reduce.count = 1000;
    reduce.mask.flags = flags;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &reduce), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(
        fixture.sentence,
        "vkrCmdReduce: mask.flags.range overlaps input, but must be apart from it.");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(
        fixture.sentence,
        "vkrCmdCompact: gpuCount overlaps predicate.flags, but must be apart from it.");
    compact.gpuCount = (VkrGpuCount){0};
    compact.predicate.flags.range.buffer = use.buffer;
    hook.useCount = 1;
    hook.uses = &use;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(fixture.sentence,
                        "vkrCmdCompact: predicate.flags.range overlaps "
                        "predicate.flags.hook->uses[0], but must be apart from it.");
    compact.predicate.flags.range.offset = 128;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_SUCCESS);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    vkrDestroyModule(hook.module);
    trace_close();
}

/* A function that reads a uniform buffer, which an earlier operation writes, sees what it wrote. */
TEST(test_uniforms)
{
    const VkrModuleInfo module_info = plain_module();
    VkrReduceInfo reduce = plain_reduce();
    const VkrUse use = {.buffer = reduce.output.buffer,
                        .offset = reduce.output.offset,
                        .size = 4,
                        .access = VK_ACCESS_UNIFORM_READ_BIT};
    VkrHook hook = {.name = "keep", .useCount = 1, .uses = &use};
    const VkrCompactInfo compact = {
        .count = 1000, .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags = {.hook = &hook}}};
    trace_open(&(trace_device){0});
    assert_int_equal(vkrCreateModule(fixture.context, &module_info, &hook.module), VKR_SUCCESS);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &reduce), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_true((fixture.made_visible & VK_ACCESS_UNIFORM_READ_BIT) != 0);
    vkrDestroyModule(hook.module);
    trace_close();
}

TEST_MAIN("modules", CASE(test_arguments), CASE(test_support), CASE(test_descriptors),
          CASE(test_life), CASE(test_loads), CASE(test_overlaps), CASE(test_uniforms))
