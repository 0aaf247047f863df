/* SPDX-License-Identifier: MIT */
/* The recorder through its public functions, on the stub of Vulkan. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/recorder.h"
#include "../../src/plan/pass.h"
#include "stub.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define CMD ((VkCommandBuffer)(uintptr_t)1)

static const stub_options pushing = {
    .push_descriptors = true, .granule = 256, .group_limit = 65535};
static const stub_options pooling = {.granule = 256, .group_limit = 65535};
static const VkrEndInfo plain_end = {.commandBuffer = CMD};

/* ---- The fixture: a context and a recorder, and a heap that counts ---- */

static struct {
    VkrContext context;
    VkrRecorder recorder;
    VkrResult result; /* of the last message */
    char message[1024];
    uint32_t messages;
    uint32_t blocks;      /* of host memory that live */
    uint32_t allocations; /* so far */
    uint32_t fail_at;     /* the allocation that fails */
} fixture;

static void take_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    if (result == VKR_SUCCESS) /* a note */
        return;
    fixture.result = result;
    fixture.messages++;
    strncpy(fixture.message, sentence, sizeof fixture.message - 1);
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *data, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    (void)data;
    (void)alignment;
    (void)scope;
    if (fixture.allocations++ == fixture.fail_at)
        return NULL;
    fixture.blocks += !old;
    return realloc(old, size);
}

static VKAPI_ATTR void *VKAPI_CALL allocate(void *data, size_t size, size_t alignment,
                                            VkSystemAllocationScope scope)
{
    return reallocate(data, NULL, size, alignment, scope);
}

static VKAPI_ATTR void VKAPI_CALL release(void *data, void *pointer)
{
    (void)data;
    fixture.blocks -= pointer != NULL;
    free(pointer);
}

static const VkAllocationCallbacks heap = {
    .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};

static void open_recorder(const stub_options *options, uint32_t flags, VkDeviceSize chunk_size)
{
    static const char *const extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    memset(&fixture, 0, sizeof fixture);
    fixture.fail_at = UINT32_MAX;
    stub_start(options);
    const VkrContextInfo info = {.instance = (VkInstance)(uintptr_t)1,
                                 .physicalDevice = (VkPhysicalDevice)(uintptr_t)1,
                                 .device = (VkDevice)(uintptr_t)1,
                                 .flags = flags,
                                 .enabledExtensionCount = options->push_descriptors,
                                 .enabledExtensions = &extension,
                                 .getInstanceProcAddr = stub_get_instance_proc_addr,
                                 .allocator = &heap,
                                 .message = take_message};
    assert_int_equal(vkrCreateContext(&info, &fixture.context), VKR_SUCCESS);
    const VkrRecorderInfo recorder = {.label = "frame 1", .scratchChunkSize = chunk_size};
    assert_int_equal(vkrCreateRecorder(fixture.context, &recorder, &fixture.recorder), VKR_SUCCESS);
}

static void close_recorder(void)
{
    vkrDestroyRecorder(fixture.recorder);
    vkrDestroyContext(fixture.context);
    assert_int_equal(stub_objects(), 0);
    assert_int_equal(fixture.blocks, 0);
}

/* ---- An operation: one step that reads A, writes O and uses scratch ---- */

static vkr_step simple_step(uint32_t groups)
{
    return (vkr_step){
        .pipeline = (VkPipeline)(uintptr_t)77, /* the recorder finds its own */
        .groups = {groups, 1},
        .variant.bindings = {{VKR_KIND_BUFFER, VKR_KIND_BUFFER}},
        .bindings = {{.buffer = {BUFFER('A'), 0, 64}}, {.buffer = {BUFFER('O'), 256, 4}}},
        .access_count = 2,
        .accesses = {{.buffer = BUFFER('A'),
                      .size = 64,
                      .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                      .access = VK_ACCESS_SHADER_READ_BIT},
                     {.buffer = BUFFER('O'),
                      .offset = 256,
                      .size = 4,
                      .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                      .access = VK_ACCESS_SHADER_WRITE_BIT}}};
}

static void use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    uint32_t binding = 0;
    while (step->variant.bindings.kinds[binding] != VKR_KIND_NONE)
        binding++;
    step->variant.bindings.kinds[binding] = VKR_KIND_BUFFER;
    step->bindings[binding].buffer = (VkDescriptorBufferInfo){buffer, offset, size};
    step->accesses[step->access_count++] =
        (vkr_access){.buffer = buffer,
                     .offset = offset,
                     .size = size,
                     .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                     .access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
}

/* Collects an operation. Scratch of 0 bytes is none. The step is added before `failure` takes
 * effect. */
static VkrResult operate(uint32_t groups, VkDeviceSize scratch, bool counter, VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate");
    if (result != VKR_SUCCESS)
        return result;
    vkr_step step = simple_step(groups);
    VkDeviceSize offset;
    if (scratch > 0) {
        result = vkr_add_scratch(fixture.recorder, scratch, &offset);
        use(&step, VKR_SCRATCH, offset, scratch);
    }
    if (counter && result == VKR_SUCCESS) {
        result = vkr_add_counters(fixture.recorder, 4, &offset);
        use(&step, VKR_COUNTERS, offset, 4);
    }
    if (result == VKR_SUCCESS)
        result = vkr_add_step(fixture.recorder, &step);
    return vkr_operation_end(fixture.recorder, result == VKR_SUCCESS ? failure : result);
}

static void assert_failed(VkrResult actual, VkrResult expected, const char *words)
{
    assert_int_equal(actual, expected);
    assert_int_equal(fixture.result, expected);
    if (!strstr(fixture.message, words))
        fail_msg("\"%s\" does not say \"%s\"", fixture.message, words);
    fixture.message[0] = '\0';
}

static void assert_ends(const VkrEndInfo *info, const char *golden)
{
    stub_clear();
    assert_int_equal(vkrEnd(fixture.recorder, info), VKR_SUCCESS);
    assert_string_equal(stub_text(), golden);
}

/* ---- States and errors ---- */

TEST(test_states)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    uint32_t count;
    assert_failed(operate(1, 0, false, VKR_SUCCESS), VKR_ERROR_INVALID_STATE, "operate: ");
    assert_failed(vkrGetScratchSize(fixture.recorder, &size), VKR_ERROR_INVALID_STATE, "vkrBegin");
    assert_failed(vkrGetUses(fixture.recorder, &count, NULL), VKR_ERROR_INVALID_STATE, "vkrBegin");
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_INVALID_STATE, "vkrPrepare");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE, "vkrEnd");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_failed(vkrReset(fixture.recorder), VKR_ERROR_INVALID_STATE, "vkrReset");
    assert_failed(vkrGetScratchSize(fixture.recorder, NULL), VKR_ERROR_INVALID_ARGUMENT, "size");
    assert_failed(vkrGetUses(fixture.recorder, NULL, NULL), VKR_ERROR_INVALID_ARGUMENT, "useCount");
    assert_ends(&plain_end, "");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE, "vkrEnd");
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    close_recorder();
}

TEST(test_null)
{
    open_recorder(&pushing, 0, 0);
    VkrRecorder recorder = fixture.recorder;
    VkDeviceSize size;
    uint32_t count;
    const VkrRecorderInfo info = {0};
    assert_int_equal(vkrCreateRecorder(NULL, &info, &recorder), VKR_ERROR_INVALID_ARGUMENT);
    assert_null(recorder);
    assert_failed(vkrCreateRecorder(fixture.context, NULL, &recorder), VKR_ERROR_INVALID_ARGUMENT,
                  "info");
    assert_failed(vkrCreateRecorder(fixture.context, &info, NULL), VKR_ERROR_INVALID_ARGUMENT,
                  "recorder");
    const VkrRecorderInfo huge = {.scratchChunkSize = UINT64_MAX};
    assert_failed(vkrCreateRecorder(fixture.context, &huge, &recorder), VKR_ERROR_INVALID_ARGUMENT,
                  "scratchChunkSize");
    assert_int_equal(vkrBegin(NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkr_operation_begin(NULL, "operate"), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetScratchSize(NULL, &size), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrGetUses(NULL, &count, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrPrepare(NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrEnd(NULL, &plain_end), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrReset(NULL), VKR_ERROR_INVALID_ARGUMENT);
    vkrDestroyRecorder(NULL);
    close_recorder();
}

TEST(test_sticky)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_failed(operate(3, 64, true, VKR_SUCCESS), VKR_ERROR_UNSUPPORTED,
                  "operate: nothing was done, because an earlier call of this recording failed "
                  "with VKR_ERROR_UNSUPPORTED.");
    assert_failed(vkrGetScratchSize(fixture.recorder, &size), VKR_ERROR_UNSUPPORTED, "earlier");
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_UNSUPPORTED, "earlier");
    stub_clear();
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_UNSUPPORTED, "vkrEnd: ");
    assert_string_equal(stub_text(), "");
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 0);
    assert_int_equal(stub_calls("vkCreateBuffer"), 0);

    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "pipeline 1\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n");
    close_recorder();
}

/* vkrBegin drops what was collected, with its error. */
TEST(test_begin_again)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_ends(&plain_end, "");
    close_recorder();
}

TEST(test_rollback)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    const vkr_mark before = fixture.recorder->now;
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    const vkr_mark *after = &fixture.recorder->now;
    assert_int_equal(before.steps, 1);
    assert_int_equal(after->steps, before.steps);
    assert_int_equal(after->text, before.text);
    assert_int_equal(after->counters, before.counters);
    assert_int_equal(after->scratch, before.scratch);
    close_recorder();
}

TEST(test_end_info)
{
    const struct {
        VkrEndInfo info;
        VkrResult result;
        const char *words;
    } rows[] = {
        {{0}, VKR_ERROR_INVALID_ARGUMENT, "commandBuffer is VK_NULL_HANDLE"},
        {{.commandBuffer = CMD, .flags = 2}, VKR_ERROR_INVALID_ARGUMENT, "flags is 0x2"},
        {{.commandBuffer = CMD, .consumerAccess = VK_ACCESS_SHADER_READ_BIT},
         VKR_ERROR_INVALID_ARGUMENT,
         "consumerStages is 0"},
        {{.commandBuffer = CMD, .scratch = {BUFFER('S'), 128, 4096}},
         VKR_ERROR_INVALID_ARGUMENT,
         "scratch.offset is 128, but must be a multiple of the context's granule, 256."},
        {{.commandBuffer = CMD, .scratch = {BUFFER('S'), 256, 511}},
         VKR_ERROR_SCRATCH_TOO_SMALL,
         "scratch.size is 511, but the recording needs 512 bytes."},
        {{.commandBuffer = CMD, .scratch = {BUFFER('A'), 0, 512}},
         VKR_ERROR_INVALID_ARGUMENT,
         "scratch (512 bytes from offset 0) overlaps"},
        {{.commandBuffer = CMD, .flags = VKR_END_NO_COMPILE_BIT},
         VKR_ERROR_NOT_PREPARED,
         "VKR_END_NO_COMPILE_BIT"},
    };
    open_recorder(&pushing, 0, 0);
    const uint32_t creations = stub_creations();
    for (size_t i = 0; i <= VKR_ARRAY_SIZE(rows); i++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
        if (i < VKR_ARRAY_SIZE(rows))
            assert_failed(vkrEnd(fixture.recorder, &rows[i].info), rows[i].result, rows[i].words);
        else
            assert_failed(vkrEnd(fixture.recorder, NULL), VKR_ERROR_INVALID_ARGUMENT, "info");
        assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE, "idle");
    }
    assert_string_equal(stub_text(), "");
    assert_int_equal(stub_creations(), creations);
    close_recorder();
}

/* ---- Scratch ---- */

#define FILL(where, size)                                                                          \
    "fill " where ":" size " 0\nbarrier transfer(copy-write) -> compute(read|write)\n"

TEST(test_scratch)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    vkrBegin(fixture.recorder);
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
    assert_int_equal(size, 0);
    assert_int_equal(operate(1, 100, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 257, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(3, 0, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
    assert_int_equal(size, 2 * 256 + 256 + 512);
    /* The steps write the same output: a level each. The fill's barrier waits for level 1. */
    assert_ends(&plain_end, "fill a+0:512 0\n"
                            "pipeline 1\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+512:100\n"
                            "dispatch 1 1 1\n"
                            "barrier compute|transfer(write|copy-write) -> compute(read|write)\n"
                            "pipeline 2\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+768:257 3=a+0:4\n"
                            "dispatch 2 1 1\n"
                            "barrier compute(write) -> compute(read|write)\n"
                            "pipeline 1\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+256:4\n"
                            "dispatch 3 1 1\n");
    close_recorder();
}

TEST(test_scratch_overflow)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_failed(operate(1, UINT64_MAX - 7, false, VKR_SUCCESS), VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                  "operate: ");
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, UINT64_MAX / 4, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_failed(operate(1, 1, false, VKR_SUCCESS), VKR_ERROR_OUT_OF_DEVICE_MEMORY, "1 more");
    close_recorder();
}

TEST(test_callers_scratch)
{
    open_recorder(&pushing, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 1024, 512}};
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "barrier compute|transfer(write|copy-write) -> "
                       "compute|transfer(read|write|copy-write)\n" FILL("S+1024", "256") //
                "pipeline 1\n"
                "push 0: 0=A+0:64 1=O+256:4 2=S+1280:64 3=S+1024:4\n"
                "dispatch 1 1 1\n");
    assert_int_equal(stub_calls("vkCreateBuffer"), 0);

    /* Without a need for scratch there is nothing to wait for. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "pipeline 2\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n");
    close_recorder();
}

/* ---- Unused bindings ---- */

/* A step with binding 2 unused, and no scratch. */
static VkrResult operate_unused(VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate");
    vkr_step step = simple_step(1);
    step.variant.bindings.kinds[2] = step.variant.bindings.kinds[3] = VKR_KIND_BUFFER;
    step.bindings[3] = step.bindings[0];
    if (result == VKR_SUCCESS)
        result = vkr_add_step(fixture.recorder, &step);
    return vkr_operation_end(fixture.recorder, result == VKR_SUCCESS ? failure : result);
}

#define UNUSED(place) "push 0: 0=A+0:64 1=O+256:4 2=" place ":256 3=A+0:64\ndispatch 1 1 1\n"

/* Unused bindings get a place that no other step has, and that costs no scratch, no use, no fill,
 * no barrier and no further allocation. */
TEST(test_unused)
{
    VkDeviceSize size;
    uint32_t uses;
    const VkrEndInfo with_scratch = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 0, 4096}};
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
        assert_int_equal(size, 0);
        assert_int_equal(vkrGetUses(fixture.recorder, &uses, NULL), VKR_SUCCESS);
        assert_int_equal(uses, 2);
        assert_ends(&plain_end, "pipeline 1\n" UNUSED("a+0"));
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
        assert_ends(&with_scratch, "pipeline 1\n" UNUSED("a+256"));

        /* Behind the recorder's scratch, not in the caller's; a recording's places are its own. */
        for (int callers = 0; callers < 2; callers++) {
            vkrBegin(fixture.recorder);
            assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
            const uint32_t creations = stub_creations();
            stub_clear();
            assert_int_equal(vkrEnd(fixture.recorder, callers ? &with_scratch : &plain_end),
                             VKR_SUCCESS);
            assert_non_null(strstr(stub_text(), callers ? "2=S+0:64" : "2=a+512:64"));
            assert_non_null(strstr(stub_text(), callers ? "2=a+1024:256" : "2=a+768:256"));
            assert_int_equal(stub_creations(), creations);
        }
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);

    /* What is taken back takes no place. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate_unused(VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(fixture.recorder->now.unused, 256);
    close_recorder();
}

/* ---- Uniforms ---- */

static VkrResult operate_uniforms(uint32_t value, VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate");
    vkr_step step = simple_step(1);
    step.variant.bindings.kinds[4] = VKR_KIND_UNIFORMS;
    step.uniform_size = 12;
    step.uniforms[0] = step.uniforms[2] = value;
    if (result == VKR_SUCCESS)
        result = vkr_add_step(fixture.recorder, &step);
    return vkr_operation_end(fixture.recorder, result == VKR_SUCCESS ? failure : result);
}

#define UNIFORM(place) "push 0: 0=A+0:64 1=O+256:4 4=" place ":12\ndispatch 1 1 1\n"
#define LEVEL "barrier compute(write) -> compute(read|write)\n"

static void assert_uniforms(VkDeviceSize offset, uint32_t value)
{
    const uint32_t expected[] = {value, 0, value};
    const uint8_t *data = stub_data(BUFFER('a'));
    assert_non_null(data);
    assert_memory_equal(data + offset, expected, sizeof expected);
}

/* Neighbours with the same uniforms share a place; a recording's places are its own until vkrReset.
 * Uniforms cost no scratch, no use, no fill and no barrier. */
TEST(test_uniforms)
{
    VkDeviceSize size;
    uint32_t uses;
    const VkrEndInfo with_scratch = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 0, 4096}};
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(8, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
        assert_int_equal(size, 0);
        assert_int_equal(vkrGetUses(fixture.recorder, &uses, NULL), VKR_SUCCESS);
        assert_int_equal(uses, 2);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        const uint32_t creations = stub_creations();
        assert_ends(&plain_end, "pipeline 1\n" UNIFORM("a+0") LEVEL UNIFORM("a+0")
                                    LEVEL UNIFORM("a+64") LEVEL UNIFORM("a+128"));
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(9, VKR_SUCCESS), VKR_SUCCESS);
        assert_ends(&with_scratch, "pipeline 1\n" UNIFORM("a+192"));
        assert_int_equal(stub_creations(), creations);
        for (uint32_t i = 0; i < 4; i++)
            assert_uniforms(64 * i, (const uint32_t[]){7, 8, 7, 9}[i]);
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkMapMemory"), 1);
    assert_int_equal(stub_memory_type(), 0);

    /* What is taken back takes no place. Many need another buffer, and the old one stays. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_uniforms(1, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate_uniforms(2, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(fixture.recorder->now.uniforms, 64);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_uniforms(3, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "pipeline 1\n" UNIFORM("a+0"));
    vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(operate_uniforms(i, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(stub_calls("vkMapMemory"), 2);
    assert_uniforms(0, 3);
    const uint32_t *last = stub_data(BUFFER('b'));
    assert_int_equal(last[299 * 64 / 4], 299);
    close_recorder();
}

/* Every creation fails in turn, that of the mapping too. */
TEST(test_uniform_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pushing, 0, 0);
        stub_fail(failures, VK_ERROR_MEMORY_MAP_FAILED);
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(1, VKR_SUCCESS), VKR_SUCCESS);
        result = vkrEnd(fixture.recorder, &plain_end);
        if (result != VKR_SUCCESS)
            assert_string_equal(stub_text(), "");
        close_recorder();
    }
    /* Two layouts, a module, a pipeline, a buffer, its memory, their binding, the mapping. */
    assert_int_equal(failures - 1, 8);
}

/* ---- Limits of steps ---- */

TEST(test_step_limits)
{
    const vkr_caps caps = {.granule = 256};
    const vkr_place place = vkr_place_of_words(BUFFER('A'), 0, 1);
    const char *const words[] = {"binds 1 descriptors that its kernel has no binding for",
                                 "17 accesses, but must have at most 16",
                                 "132 bytes of push constants, but must have at most 128",
                                 "17 constants, but must have at most 16",
                                 "84 bytes of uniforms, but must have at most 80"};
    open_recorder(&pushing, 0, 0);
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(words); i++) {
        vkr_step step = simple_step(1);
        if (i == 0)
            (void)vkr_fill_slot(&caps, &step, &(vkr_slot){.binding = 8}, &place, 0, 1);
        while (i == 1 && step.access_count < 17)
            vkr_use(&step, BUFFER('A'), 0, 4, VK_ACCESS_SHADER_READ_BIT);
        step.push_size = i == 2 ? 132 : 0;
        step.variant.constant_count = i == 3 ? 17 : 0;
        step.uniform_size = i == 4 ? 84 : 0;
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate"), VKR_SUCCESS);
        assert_failed(vkr_add_step(fixture.recorder, &step), VKR_ERROR_UNSUPPORTED, words[i]);
        assert_int_equal(fixture.recorder->now.steps, 0);
    }
    close_recorder();
}

/* ---- Memory types ---- */

TEST(test_memory_types)
{
    open_recorder(&pushing, 0, 0);
    const uint32_t objects = stub_objects();
    stub_allow_memory_types(0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_UNSUPPORTED,
                  "memoryTypeBits of a storage buffer is 0x0");
    assert_int_equal(stub_calls("vkAllocateMemory"), 0);
    assert_int_equal(stub_objects(), objects + 3); /* the pipeline and its two layouts */
    stub_allow_memory_types(1);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(stub_memory_type(), 0);
    close_recorder();
}

static const char *recorded(uint32_t groups, VkDeviceSize scratch)
{
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(groups, scratch, false, VKR_SUCCESS), VKR_SUCCESS);
    stub_clear();
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    return stub_text();
}

#define TRACE(scratch) "pipeline 1\npush 0: 0=A+0:64 1=O+256:4 2=" scratch "\ndispatch 1 1 1\n"

/* Recordings never share scratch until vkrReset; then nothing new is allocated. */
TEST(test_reset)
{
    open_recorder(&pushing, 0, 1000);
    for (int round = 0; round < 3; round++) {
        assert_string_equal(recorded(1, 256), TRACE("a+0:256"));
        assert_string_equal(recorded(1, 512), TRACE("a+256:512"));
        assert_string_equal(recorded(1, 512), TRACE("b+0:512"));
        assert_string_equal(recorded(1, 200), TRACE("a+768:200"));
        assert_string_equal(recorded(1, 5000), TRACE("c+0:5000"));
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 3);
    assert_int_equal(stub_memory_type(), 1);
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 1);
    close_recorder();
}

/* ---- Questions ---- */

TEST(test_uses)
{
    open_recorder(&pushing, 0, 0);
    VkrUse uses[3];
    uint32_t count = 77;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    vkr_step step = simple_step(3);
    step.accesses[0].offset = 64;
    step.accesses[step.access_count++] = step.accesses[0];
    assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, NULL), VKR_SUCCESS);
    assert_int_equal(count, 3);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 3);
    assert_ptr_equal(uses[0].buffer, BUFFER('A'));
    assert_int_equal(uses[0].offset, 0);
    assert_int_equal(uses[0].size, 64);
    assert_int_equal(uses[0].stages, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    assert_int_equal(uses[0].access, VK_ACCESS_SHADER_READ_BIT);
    assert_ptr_equal(uses[1].buffer, BUFFER('O'));
    assert_int_equal(uses[1].offset, 256);
    assert_int_equal(uses[1].access, VK_ACCESS_SHADER_WRITE_BIT);
    assert_ptr_equal(uses[2].buffer, BUFFER('A'));
    assert_int_equal(uses[2].offset, 64);

    uses[1].buffer = BUFFER('X');
    count = 1;
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 1);
    assert_ptr_equal(uses[1].buffer, BUFFER('X'));
    close_recorder();
}

/* Like every call of a recording, it makes its error sticky. */
TEST(test_uses_without_memory)
{
    open_recorder(&pushing, 0, 0);
    uint32_t count = 0;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    fixture.fail_at = fixture.allocations;
    for (int i = 0; i < 2; i++)
        assert_int_equal(vkrGetUses(fixture.recorder, &count, NULL), VKR_ERROR_OUT_OF_HOST_MEMORY);
    close_recorder();
}

TEST(test_image_uses)
{
    open_recorder(&pushing, 0, 0);
    VkrUse uses[4];
    uint32_t count = 4;
    vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < 4; i++) {
        const vkr_step step = {
            .groups = {1, 1},
            .access_count = 1,
            .accesses = {{.image = (VkImage)(uintptr_t)5,
                          .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, i / 2, 1, 0, 1},
                          .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          .access = VK_ACCESS_SHADER_READ_BIT}}};
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
    }
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 2);
    assert_null(uses[1].buffer);
    assert_ptr_equal(uses[1].image, (void *)(uintptr_t)5);
    assert_int_equal(uses[1].subresource.baseMipLevel, 1);
    close_recorder();
}

/* ---- Preparing ---- */

static void prepare_then_end(const stub_options *options)
{
    open_recorder(options, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD, .flags = VKR_END_NO_COMPILE_BIT};
    for (int round = 0; round < 3; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(operate(2, 64, true, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        const uint32_t creations = stub_creations();
        const uint32_t allocations = fixture.allocations;
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(stub_creations(), creations);
        assert_int_equal(fixture.allocations, allocations);
    }
    assert_int_equal(stub_calls("vkCmdDispatch"), 6);
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 1);
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), options->push_descriptors ? 0 : 1);
    close_recorder();
}

TEST(test_prepare)
{
    prepare_then_end(&pushing);
    prepare_then_end(&pooling);
}

/* What was prepared and then dropped is there for the next recording. */
TEST(test_prepare_and_drop)
{
    open_recorder(&pooling, 0, 512);
    for (int round = 0; round < 5; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate(1, 500, false, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), 1);
    close_recorder();
}

TEST(test_prepare_failure)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    stub_fail(3, VK_ERROR_DEVICE_LOST);
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_DEVICE_LOST, "vkCreateComputePipelines");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_DEVICE_LOST, "earlier");
    assert_string_equal(stub_text(), "");
    close_recorder();
}

/* ---- Descriptor sets ---- */

/* Each layout has pools of its own, of 32 sets at first. */
TEST(test_sets)
{
    open_recorder(&pooling, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 0, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 1: 0=A+0:64 1=O+256:4\n"
                            "update set 33: 0=A+0:64 1=O+256:4 2=a+0:4\n"
                            "fill a+0:256 0\n"
                            "pipeline 1\nset 0: 1\ndispatch 1 1 1\n"
                            "barrier compute|transfer(write|copy-write) -> compute(read|write)\n"
                            "pipeline 2\nset 0: 33\ndispatch 2 1 1\n");
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(3, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 2: 0=A+0:64 1=O+256:4\n"
                            "pipeline 1\nset 0: 2\ndispatch 3 1 1\n");
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(4, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 1: 0=A+0:64 1=O+256:4\n"
                            "pipeline 1\nset 0: 1\ndispatch 4 1 1\n");
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), 2);
    assert_int_equal(stub_calls("vkCreatePipelineLayout"), 2);
    close_recorder();
}

/* Variants with the same bindings share a layout, whatever their kernels and constants are. */
TEST(test_layouts)
{
    open_recorder(&pushing, 0, 0);
    for (uint32_t i = 0; i < 12; i++) {
        vkr_step step = simple_step(1);
        step.variant.kernel = i % 4;
        step.variant.constant_count = 1;
        step.variant.constants[0] = i;
        if (i % 3 == 0)
            step.variant.bindings.kinds[i / 3 + 2] = VKR_KIND_BUFFER;
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate"), VKR_SUCCESS);
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 12);
    assert_int_equal(stub_calls("vkCreatePipelineLayout"), 5);
    assert_int_equal(stub_calls("vkCreateDescriptorSetLayout"), 5);
    close_recorder();
}

/* Records a step of a kernel with two constants and perhaps one more binding. */
static void record_variant(uint32_t kernel, uint32_t last_constant, bool more)
{
    vkr_step step = simple_step(1);
    step.variant.kernel = kernel;
    step.variant.constant_count = 2;
    step.variant.constants[1] = last_constant;
    if (more)
        step.variant.bindings.kinds[2] = VKR_KIND_BUFFER;
    assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
}

/* Each variant has a pipeline, which it finds again. They are so many that some of those which only
 * differ in the kernel, or in a constant, share a list. */
TEST(test_variants)
{
    enum { CONSTANTS = 200 };
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate"), VKR_SUCCESS);
        for (uint32_t kernel = 0; kernel < vkr_kernel_count; kernel++)
            record_variant(kernel, 0, false);
        for (uint32_t constant = 1; constant <= CONSTANTS; constant++)
            record_variant(0, constant * VKR_PIPELINE_LISTS, false);
        record_variant(0, 0, true);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_int_equal(stub_calls("vkCreateComputePipelines"), vkr_kernel_count + CONSTANTS + 1);
    }
    close_recorder();
}

/* Workgroups of whole subgroups ask for full ones, where the device can be asked. */
TEST(test_full_subgroups)
{
    enum { LARGEST = 32 };
    static const uint32_t workgroups[] = {0, 1, LARGEST / 2, LARGEST, 3 * LARGEST / 2, 3 * LARGEST};
    for (int asks = 0; asks < 2; asks++) {
        open_recorder(&pushing, 0, 0);
        if (asks)
            fixture.context->caps.features |= VKR_FEATURE_SUBGROUP_SIZE_CONTROL;
        fixture.context->caps.max_subgroup_size = LARGEST;
        for (size_t i = 0; i < VKR_ARRAY_SIZE(workgroups); i++) {
            const bool full = workgroups[i] != 0 && workgroups[i] % LARGEST == 0;
            const VkPipelineShaderStageCreateFlags flags =
                VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
                (full ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0u);
            vkr_step step = simple_step(1);
            step.variant.constant_count = VKR_CONST_WORKGROUP + 1;
            step.variant.constants[VKR_CONST_WORKGROUP] = workgroups[i];
            vkrBegin(fixture.recorder);
            assert_int_equal(vkr_operation_begin(fixture.recorder, "operate"), VKR_SUCCESS);
            assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
            assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
            assert_int_equal(stub_stage_flags(), asks ? flags : 0);
        }
        close_recorder();
    }
}

/* Full subgroups have a size that is known where the device has one size, and can be asked. */
TEST(test_sure_subgroups)
{
    static const struct {
        uint32_t min, max, sure;
    } rows[] = {{32, 32, 32}, {8, 32, 0}, {64, 64, 64}, {32, 64, 0}};
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        VkPhysicalDeviceSubgroupSizeControlFeatures control = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
            .subgroupSizeControl = VK_TRUE};
        const VkrContextInfo info = {.enabledFeatureChain = &control};
        const vkr_device_facts facts = {.version = VK_API_VERSION_1_3,
                                        .min_subgroup_size = rows[i].min,
                                        .max_subgroup_size = rows[i].max};
        assert_int_equal(vkr_derive_caps(&info, &facts).sure_subgroup_size, 0);
        assert_int_equal(vkr_derive_caps(&info, &facts).full_subgroup_size, 0);
        control.computeFullSubgroups = VK_TRUE;
        assert_int_equal(vkr_derive_caps(&info, &facts).sure_subgroup_size, rows[i].sure);
        assert_int_equal(vkr_derive_caps(&info, &facts).full_subgroup_size, rows[i].min);
    }
}

TEST(test_pool_growth)
{
    static const uint32_t counts[] = {20, 20, 300, 1};
    open_recorder(&pooling, 0, 0);
    uint32_t pools = 0;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < VKR_ARRAY_SIZE(counts); i++) {
            const uint32_t first = fixture.recorder->sets ? fixture.recorder->sets->used : 0;
            vkrBegin(fixture.recorder);
            for (uint32_t k = 0; k < counts[i]; k++)
                assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
            assert_int_equal(fixture.recorder->sets->used, first + counts[i]);
        }
        assert_int_equal(fixture.recorder->sets->count, 680);
        for (uint32_t i = 0; i < fixture.recorder->sets->count; i++)
            assert_int_equal((uintptr_t)fixture.recorder->sets->sets[i], i + 1);
        pools = round == 0 ? stub_calls("vkCreateDescriptorPool") : pools;
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(pools, 4); /* of 32, 32, 276 and 340 sets */
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), pools);
    close_recorder();
}

/* ---- Labels ---- */

TEST(test_labels)
{
    const stub_options options = {
        .push_descriptors = true, .granule = 256, .group_limit = 65535, .brief = true};
    open_recorder(&options, VKR_CONTEXT_DEBUG_UTILS_BIT, 0);
    char expected[4096] = "";
    char line[128];
    vkrBegin(fixture.recorder);
    for (int i = 0; i < 40; i++) {
        char label[] = "operation 00";
        label[10] = (char)('0' + i / 10);
        label[11] = (char)('0' + i % 10);
        vkr_step step = simple_step((uint32_t)i);
        step.access_count = 0;
        step.label = label;
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
        snprintf(line, sizeof line, "begin %s\ndispatch %d 1 1\nend\n", label, i);
        strcat(expected, line);
        memset(label, '#', sizeof label);
    }
    assert_ends(&plain_end, expected);
    close_recorder();
}

TEST(test_consumer)
{
    open_recorder(&pushing, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD,
                             .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                             .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "pipeline 1\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n"
                       "barrier compute(write) -> host(host-read)\n");
    vkrBegin(fixture.recorder);
    assert_ends(&info, "");
    close_recorder();
}

/* ---- Failures of Vulkan and of the heap ---- */

/* One recording with everything, from an empty recorder. */
static VkrResult record_all(void)
{
    VkrResult result = vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < 40 && result == VKR_SUCCESS; i++)
        result = operate(i, 64, true, VKR_SUCCESS);
    const VkrResult ended = vkrEnd(fixture.recorder, &plain_end);
    assert_int_equal(ended, result == VKR_SUCCESS ? ended : result);
    return ended;
}

/* Every creation fails in turn: an error, no command, no leak, and then it works. */
TEST(test_vulkan_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pooling, 0, 0);
        stub_fail(failures, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        result = record_all();
        if (result != VKR_SUCCESS) {
            assert_failed(result, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY");
            assert_int_equal(stub_calls("vkUpdateDescriptorSets"), 0);
            assert_string_equal(stub_text(), "");
            assert_int_equal(record_all(), VKR_SUCCESS);
        }
        assert_int_equal(stub_calls("vkCmdDispatch"), 40);
        close_recorder();
    }
    /* Two layouts, a module, a pipeline, a buffer, its memory and their binding, a pool, and its
     * sets. */
    assert_int_equal(failures - 1, 8 + 40);
}

/* No call does anything once one has found the device lost. */
TEST(test_lost)
{
    open_recorder(&pooling, 0, 0);
    stub_fail(0, VK_ERROR_DEVICE_LOST);
    assert_int_equal(record_all(), VKR_ERROR_DEVICE_LOST);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_ERROR_DEVICE_LOST);
    assert_int_equal(vkrReset(fixture.recorder), VKR_ERROR_DEVICE_LOST);
    close_recorder();
}

TEST(test_heap_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pooling, 0, 0);
        fixture.fail_at = fixture.allocations + failures;
        result = record_all();
        if (result != VKR_SUCCESS) {
            assert_int_equal(result, VKR_ERROR_OUT_OF_HOST_MEMORY);
            assert_true(fixture.messages > 0);
            assert_string_equal(stub_text(), "");
            assert_int_equal(record_all(), VKR_SUCCESS);
        }
        assert_int_equal(stub_calls("vkCmdDispatch"), 40);
        close_recorder();
    }
    assert_true(failures > 5);
}

TEST_MAIN("recorder", CASE(test_states), CASE(test_null), CASE(test_sticky), CASE(test_begin_again),
          CASE(test_rollback), CASE(test_end_info), CASE(test_scratch), CASE(test_scratch_overflow),
          CASE(test_callers_scratch), CASE(test_unused), CASE(test_uniforms),
          CASE(test_uniform_failures), CASE(test_step_limits), CASE(test_memory_types),
          CASE(test_reset), CASE(test_uses), CASE(test_uses_without_memory), CASE(test_image_uses),
          CASE(test_prepare), CASE(test_prepare_and_drop), CASE(test_prepare_failure),
          CASE(test_sets), CASE(test_layouts), CASE(test_variants), CASE(test_full_subgroups),
          CASE(test_sure_subgroups), CASE(test_pool_growth), CASE(test_labels), CASE(test_consumer),
          CASE(test_vulkan_failures), CASE(test_lost), CASE(test_heap_failures))
