/* SPDX-License-Identifier: MIT */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_vulkan.h"
#include "vkreduce/testing.h"

trace_fixture fixture;
const VkrEndInfo plain_end = {.commandBuffer = HANDLE(VkCommandBuffer)};

/* ---- Device ---- */

void set_limits(const trace_device *device, VkPhysicalDeviceProperties *properties)
{
    VkPhysicalDeviceLimits *limits = &properties->limits;
    properties->apiVersion = OR(device->version, VK_API_VERSION_1_1);
    properties->vendorID = device->vendor;
    if (device->cpu)
        properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    limits->maxStorageBufferRange = OR(device->range, 1u << 27);
    limits->maxComputeWorkGroupCount[0] = OR(device->groups, 65535u);
    limits->maxComputeWorkGroupCount[1] = OR(device->rows, 65535u);
    limits->maxComputeWorkGroupInvocations = OR(device->workgroup, 1024u);
    limits->maxComputeSharedMemorySize = OR(device->shared, 32768u);
    limits->maxPerStageDescriptorStorageBuffers = OR(device->buffers, 16u);
    limits->maxPerStageDescriptorStorageImages = OR(device->storage_images, 16u);
}

/* ---- Heap ---- */

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *data, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    assert_ptr_equal(data, &fixture);
    assert_true(size > 0 && alignment > 0 && scope <= VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
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
    assert_ptr_equal(data, &fixture);
    fixture.blocks -= pointer != NULL;
    free(pointer);
}

static const VkAllocationCallbacks heap = {.pUserData = &fixture,
                                           .pfnAllocation = allocate,
                                           .pfnReallocation = reallocate,
                                           .pfnFree = release};

/* ---- Live Vulkan objects, each with a block of the heap ---- */

static struct {
    struct {
        const char *type;
        uint64_t handle;
        void *block;
    } all[MAX_OBJECTS];
    uint32_t count;
} objects;

void *object_block(const VkAllocationCallbacks *allocator)
{
    assert_non_null(allocator);
    return allocator->pfnAllocation(allocator->pUserData, 16, 16,
                                    VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
}

void keep_object(const char *type, uint64_t handle, void *block)
{
    assert_true(objects.count < MAX_OBJECTS);
    objects.all[objects.count].type = type;
    objects.all[objects.count].handle = handle;
    objects.all[objects.count++].block = block;
}

void drop_object(const char *type, uint64_t handle, const VkAllocationCallbacks *allocator)
{
    assert_non_null(allocator);
    for (uint32_t i = 0; i < objects.count; i++) {
        if (objects.all[i].handle == handle && strcmp(objects.all[i].type, type) == 0) {
            allocator->pfnFree(allocator->pUserData, objects.all[i].block);
            objects.all[i] = objects.all[--objects.count];
            return;
        }
    }
    fail_msg("a %s that does not exist is destroyed", type);
}

/* ---- Fixture ---- */

static void take_message(void *data, VkrResult result, const char *sentence)
{
    assert_ptr_equal(data, &fixture);
    const size_t length = strlen(sentence);
    const bool noted = result == VKR_SUCCESS;
    assert_true(length < sizeof fixture.sentence - 100); /* not truncated */
    memcpy(noted ? fixture.note : fixture.sentence, sentence, length + 1);
    if (noted) {
        fixture.notes++;
    } else {
        fixture.result = result;
        fixture.sentences++;
    }
    if (length < 10 || sentence[length - 1] != '.' || strstr(sentence, "  ") ||
        strstr(sentence, "(null)") || strchr(sentence, '\n'))
        fail_msg("no sentence: %s", sentence);
}

static VkPhysicalDevice8BitStorageFeatures storage8 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES,
    .storageBuffer8BitAccess = VK_TRUE};
static VkPhysicalDevice16BitStorageFeatures storage16 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
    .pNext = &storage8,
    .storageBuffer16BitAccess = VK_TRUE};
static const VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = &storage16,
    .features = {.shaderInt64 = VK_TRUE,
                 .shaderFloat64 = VK_TRUE,
                 .shaderStorageImageWriteWithoutFormat = VK_TRUE,
                 .shaderStorageImageExtendedFormats = VK_TRUE}};
static const char *const extensions[] = {VK_KHR_8BIT_STORAGE_EXTENSION_NAME,
                                         VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};

/* Describes a profile of the stub's device: one row for all sizes and views; a row given by the
 * test applies to all operations. */
static void describe_tuning(const trace_device *device)
{
    static char text[4000];
    int length = snprintf(text, sizeof text, "vkreduce-profile 2\ndevice 0 0 0 32\n");
    for (uint32_t i = 0; i < (device->tuning.treeWorkgroupSize ? 8 * VKR_OPERATION_COUNT : 8);
         i++) {
        const uint32_t size = 1u << i % 4;
        const bool texels = i % 8 >= 4;
        const VkrTuning plain = {.workgroupSize = 256,
                                 .treeWorkgroupSize = 256,
                                 .minBytes = 8 * size,
                                 .maxBytes = 64 * size,
                                 .maxGroups = 2048,
                                 .flight = 1};
        const VkrTuning *t = device->tuning.treeWorkgroupSize ? &device->tuning : &plain;
        const bool falls_back = !texels && t->path == VKR_LOAD_TEXEL;
        length += snprintf(
            text + length, sizeof text - (size_t)length,
            "%s %u %s %u %u %u %u %u %u %s %s %u %u %u\n", vkrOperationName((VkrOperation)(i / 8)),
            size, texels ? "texels" : "buffer", t->workgroupSize, t->treeWorkgroupSize,
            t->oneGroupBytes, t->minBytes, t->maxBytes, t->maxGroups, vkrLoadOrderName(t->order),
            vkrLoadPathName(falls_back ? VKR_LOAD_VEC4 : t->path), t->flight, t->tileBytes,
            t->lookBack);
    }
    length += snprintf(text + length, sizeof text - (size_t)length, "end\n");
    fixture.info.profile = text;
    fixture.info.profileSize = (size_t)length;
}

uint32_t trace_step(void)
{
    const char *text = getenv("VKR_TEST_STEP");
    return text != NULL && text[0] != '\0' ? (uint32_t)strtoul(text, NULL, 10) : 1;
}

void trace_describe(const trace_device *device)
{
    static trace_dispatch dispatches[MAX_DISPATCHES];
    static VkrTestHooks hooks;
    memset(&fixture, 0, sizeof fixture);
    fixture.dispatches = dispatches;
    fixture.fail_at = UINT32_MAX;
    hooks = (VkrTestHooks){.gridCoordinates = device->grid};
    objects.count = 0;
    trace_vulkan_start(device);
    fixture.info = (VkrContextInfo){
        .instance = HANDLE(VkInstance),
        .physicalDevice = HANDLE(VkPhysicalDevice),
        .device = HANDLE(VkDevice),
        .flags = device->no_debug_utils ? 0 : VKR_CONTEXT_DEBUG_UTILS_BIT,
        .enabledFeatureChain = device->bare ? NULL : &features,
        .enabledExtensionCount = device->bare    ? 0
                                 : device->pools ? 1
                                                 : 2,
        .enabledExtensions = extensions,
        .getInstanceProcAddr = trace_vulkan_function,
        .allocator = &heap,
        .message = take_message,
        .messageData = &fixture,
        .forwardProgress = device->progress,
        .limits = device->limits,
        .testHooks = &hooks,
    };
    if (!device->built_in)
        describe_tuning(device);
}

void trace_open(const trace_device *device)
{
    trace_describe(device);
    const VkrRecorderInfo info = {.label = "frame"};
    if (vkrCreateContext(&fixture.info, &fixture.context) != VKR_SUCCESS ||
        vkrCreateRecorder(fixture.context, &info, &fixture.recorder) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
}

void trace_close(void)
{
    vkrDestroyRecorder(fixture.recorder);
    vkrDestroyContext(fixture.context);
    assert_int_equal(stub_objects(), 0);
    assert_int_equal(objects.count, 0);
    assert_int_equal(fixture.blocks, 0);
}

void trace_clear(void)
{
    fixture.commands = 0;
    fixture.made_visible = 0;
    fixture.dispatch_count = 0;
    fixture.fill_count = 0;
    trace_vulkan_clear();
}

void assert_said(VkrResult actual, VkrResult result, const char *sentence)
{
    if (strcmp(fixture.sentence, sentence) != 0)
        fail_msg("it says\n  %s\nand not\n  %s", fixture.sentence, sentence);
    assert_string_equal(vkrResultName(actual), vkrResultName(result));
    assert_string_equal(vkrResultName(fixture.result), vkrResultName(result));
    assert_int_equal(fixture.sentences, 1);
    fixture.sentence[0] = '\0';
    fixture.sentences = 0;
}

void assert_noted(const char *note)
{
    assert_string_equal(fixture.note, note);
    assert_int_equal(fixture.notes, 1);
    assert_int_equal(fixture.sentences, 0);
    fixture.note[0] = '\0';
    fixture.notes = 0;
}

void assert_usable(void)
{
    const VkrReduceInfo info = plain_reduce();
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(fixture.dispatch_count, 1);
    assert_int_equal(fixture.dispatches[0].push.count, 1000);
    trace_clear();
}

void assert_refused(VkrResult (*call)(VkrRecorder recorder, const void *info), const void *info,
                    VkrResult code, const char *sentence)
{
    const VkrReduceInfo good = plain_reduce();
    char again[200];
    snprintf(again, sizeof again,
             "vkrEnd: nothing was done, because an earlier call of this recording failed with %s.",
             vkrResultName(code));
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &good), VKR_SUCCESS);
    const uint32_t creations = stub_creations();
    const int64_t blocks = fixture.blocks;
    assert_said(call(fixture.recorder, info), code, sentence);
    assert_said(vkrEnd(fixture.recorder, &plain_end), code, again);
    assert_int_equal(fixture.commands, 0);
    assert_int_equal(stub_creations(), creations);
    assert_int_equal(fixture.blocks, blocks);
    assert_usable();
}

static const VkrView plain_input = {
    .buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32, .components = 1};

VkrReduceInfo plain_reduce(void)
{
    return (VkrReduceInfo){.label = "0",
                           .ops = VKR_OP_SUM,
                           .input = plain_input,
                           .count = VKR_COUNT_ALL,
                           .output = {BUFFER('O'), 0, 64}};
}

VkrScanInfo plain_scan(void)
{
    return (VkrScanInfo){.label = "0",
                         .op = VKR_OP_SUM,
                         .input = plain_input,
                         .output = {.buffer = BUFFER('B'), .offset = 512, .size = 4000},
                         .count = VKR_COUNT_ALL};
}

VkrCompactInfo plain_compact(void)
{
    return (VkrCompactInfo){.label = "0",
                            .input = plain_input,
                            .count = VKR_COUNT_ALL,
                            .kept = {.buffer = BUFFER('B'), .offset = 512, .size = 4000}};
}

uint64_t random_below(uint64_t *state, uint64_t end)
{
    /* splitmix64 (Vigna) */
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % end;
}
