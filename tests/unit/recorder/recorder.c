/* SPDX-License-Identifier: MIT */
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

const stub_options pushing = {.push_descriptors = true, .granule = 256, .group_limit = 65535};
const stub_options pooling = {.granule = 256, .group_limit = 65535};
const VkrEndInfo plain_end = {.commandBuffer = CMD};

struct recorder_fixture fixture;

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

void open_recorder(const stub_options *options, uint32_t flags, VkDeviceSize chunk_size)
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

void close_recorder(void)
{
    vkrDestroyRecorder(fixture.recorder);
    vkrDestroyContext(fixture.context);
    assert_int_equal(stub_objects(), 0);
    assert_int_equal(fixture.blocks, 0);
}

/* ---- An operation: one step that reads A, writes O and uses scratch ---- */

vkr_step simple_step(uint32_t groups)
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

VkrResult operate(uint32_t groups, VkDeviceSize scratch, bool counter, VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate", NULL);
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

void assert_failed(VkrResult actual, VkrResult expected, const char *words)
{
    assert_int_equal(actual, expected);
    assert_int_equal(fixture.result, expected);
    if (!strstr(fixture.message, words))
        fail_msg("\"%s\" does not say \"%s\"", fixture.message, words);
    fixture.message[0] = '\0';
}

void assert_ends(const VkrEndInfo *info, const char *golden)
{
    stub_clear();
    assert_int_equal(vkrEnd(fixture.recorder, info), VKR_SUCCESS);
    assert_string_equal(stub_text(), golden);
}

TEST_MAIN("recorder", CASE(test_states), CASE(test_sticky), CASE(test_begin_again),
          CASE(test_rollback), CASE(test_uses), CASE(test_uses_without_memory),
          CASE(test_image_uses), CASE(test_labels), CASE(test_consumer), CASE(test_scratch),
          CASE(test_scratch_overflow), CASE(test_callers_scratch), CASE(test_unused),
          CASE(test_memory_types), CASE(test_reset), CASE(test_prepare),
          CASE(test_prepare_and_drop), CASE(test_prepare_failure), CASE(test_timestamps),
          CASE(test_timestamps_of_levels), CASE(test_operations), CASE(test_uniforms),
          CASE(test_uniform_failures), CASE(test_step_limits), CASE(test_sets), CASE(test_layouts),
          CASE(test_variants), CASE(test_full_subgroups), CASE(test_sure_subgroups),
          CASE(test_pool_growth), CASE(test_vulkan_failures), CASE(test_lost),
          CASE(test_heap_failures))
