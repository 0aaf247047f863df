/* SPDX-License-Identifier: MIT */
/*
 * What the library records is free of complaints by the validation layer (core checks and
 * synchronisation), on a subset of operations that covers every kind of barrier; and each fault
 * planted into that recording is reported, so that the silence means something. With VKR_TEST_GPUAV
 * set, the same for accesses out of bounds (GPU-assisted validation), in a run of its own. With
 * VKR_TEST_FILTER, only what its pattern (of * and ?) names.
 *
 * Faults are planted between the library and Vulkan: the loader function handed to the context
 * replaces single commands.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "validation.h"

#define LAYER "VK_LAYER_KHRONOS_validation"
#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define SCRATCH_SIZE (4u << 20)
#define COUNT 100000u /* elements: several workgroups, levels and windows */
#define FEW 64u       /* elements: one workgroup of one dispatch */
#define SMALL_RANGE 65536u
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Messages ---- */

static uint32_t messages;     /* of the current test */
static uint32_t all_messages; /* of all tests without a planted fault */
static const char *wanted;    /* what the planted fault's report contains, or NULL */
static bool found;
static bool gpu_assisted;

/* Whether a message is one that GPU-assisted validation always prints. */
static bool is_notice(const char *id)
{
    return strstr(id, "VALIDATION-SETTINGS") || strstr(id, "WARNING-Setting-Limit-Adjusted") ||
           strstr(id, "GPUAV-Compile-time");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    const char *id = data->pMessageIdName ? data->pMessageIdName : "";

    (void)severity, (void)types, (void)user;
    if (gpu_assisted && is_notice(id))
        return VK_FALSE;
    printf("# message: %s\n", id);
    messages++;
    found |= wanted && (strstr(id, wanted) || strstr(data->pMessage, wanted));
    return VK_FALSE;
}

static void on_error(void *user, VkrResult result, const char *sentence)
{
    (void)user;
    printf("# %s: %s\n", vkrResultName(result), sentence);
}

/* ---- Planted faults ---- */

static const plant *planted;
static uint32_t plants; /* how often the planted fault took effect */
static VkDeviceSize granule;

static VKAPI_ATTR void VKAPI_CALL
plant_barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkPipelineStageFlags to,
              VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
              uint32_t buffer_count, const VkBufferMemoryBarrier *ranges, uint32_t image_count,
              const VkImageMemoryBarrier *images)
{
    VkMemoryBarrier changed = memory_count ? memory[0] : (VkMemoryBarrier){0};

    if ((from & planted->from) && (to & planted->to)) {
        plants++;
        memory = &changed;
        if (planted->instead) {
            to = planted->instead;
            changed.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
        } else {
            from &= ~planted->from;
            changed.srcAccessMask &= planted->from == TRANSFER
                                         ? ~(VkAccessFlags)VK_ACCESS_TRANSFER_WRITE_BIT
                                         : ~(VkAccessFlags)VK_ACCESS_SHADER_WRITE_BIT;
        }
    }
    if (from)
        vkCmdPipelineBarrier(cmd, from, to, flags, memory_count, memory, buffer_count, ranges,
                             image_count, images);
}

static VKAPI_ATTR void VKAPI_CALL plant_range(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                              VkPipelineLayout layout, uint32_t set, uint32_t count,
                                              const VkWriteDescriptorSet *writes)
{
    VkDescriptorBufferInfo smaller = *writes[0].pBufferInfo;
    VkWriteDescriptorSet copies[16];

    for (uint32_t i = 0; i < count && i < 16; i++) {
        copies[i] = writes[i];
        if (planted->repeat && writes[i].descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER &&
            writes[i].pBufferInfo->range == granule) {
            copies[i].pBufferInfo = writes[0].pBufferInfo;
            plants++;
        }
    }
    if (planted->shrink && writes[0].dstBinding == 0) {
        smaller.range /= planted->shrink;
        copies[0].pBufferInfo = &smaller;
        plants++;
    }
    vkCmdPushDescriptorSetKHR(cmd, point, layout, set, count, copies);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice handle, const char *name)
{
    if (planted && planted->from && strcmp(name, "vkCmdPipelineBarrier") == 0)
        return (PFN_vkVoidFunction)plant_barrier;
    const bool ranges = planted && (planted->shrink || planted->repeat);
    if (ranges && strcmp(name, "vkCmdPushDescriptorSetKHR") == 0)
        return (PFN_vkVoidFunction)plant_range;
    return vkGetDeviceProcAddr(handle, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_proc;
    return vkGetInstanceProcAddr(instance, name);
}

/* ---- Device and buffers ---- */

harness device;
harness_buffer buffers[BUFFERS];
static VkBufferView texels; /* all of the floats */
static VkDebugUtilsMessengerEXT messenger;
static VkPipelineCache cache; /* every test has a context of its own */
static bool newer_layer;

static uint32_t layer_version(void)
{
    VkLayerProperties layers[64];
    uint32_t count = 64;

    vkEnumerateInstanceLayerProperties(&count, layers);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(layers[i].layerName, LAYER) == 0)
            return layers[i].specVersion;
    return 0;
}

static int set_up(void **state)
{
    const VkDebugUtilsMessengerCreateInfoEXT create = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };

    const VkPipelineCacheCreateInfo cache_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
    };

    (void)state;
    assert_int_equal(harness_open(&device), 0);
    assert_true(device.messenger != VK_NULL_HANDLE);
    /* Out-of-bounds accesses are to be reported, not tamed. */
    assert_false(device.requirements.features.features.robustBufferAccess);
    all_messages = gpu_assisted ? 0 : device.validation_messages;
    newer_layer = layer_version() >= VK_MAKE_API_VERSION(0, 1, 4, 0);
    printf("# layer: %s\n", newer_layer ? "newer" : "the system's");
    assert_int_equal(vkCreateDebugUtilsMessengerEXT(device.instance, &create, NULL, &messenger),
                     VK_SUCCESS);
    assert_int_equal(vkCreatePipelineCache(device.device, &cache_info, NULL, &cache), VK_SUCCESS);
    for (uint32_t i = 0; i < BUFFERS; i++)
        assert_true(
            harness_create_buffer(&device, i == SCRATCH ? SCRATCH_SIZE : BUFFER_SIZE, &buffers[i]));
    const VkBufferViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffers[FLOATS].buffer,
        .format = VK_FORMAT_R32G32B32A32_UINT,
        .range = BUFFER_SIZE,
    };
    assert_int_equal(vkCreateBufferView(device.device, &view, NULL, &texels), VK_SUCCESS);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    vkDestroyBufferView(device.device, texels, NULL);
    for (uint32_t i = 0; i < BUFFERS; i++)
        harness_destroy_buffer(&device, &buffers[i]);
    vkDestroyPipelineCache(device.device, cache, NULL);
    vkDestroyDebugUtilsMessengerEXT(device.instance, messenger, NULL);
    device.validation_messages = 0;
    harness_close(&device);
    printf("# validation messages: %u\n", all_messages + device.validation_messages);
    return device.validation_messages != 0;
}

/* ---- What is recorded ---- */

static VkrReduceInfo reduction(const session *s, const scenario *t, uint64_t count, uint32_t slot)
{
    const bool words = t->type == VKR_TYPE_U32;

    return (VkrReduceInfo){
        .label = t->name,
        .ops = t->flags ? VKR_OP_MIN : VKR_OP_SUM | VKR_OP_MIN | VKR_OP_MAX,
        .input =
            {
                .buffer = buffers[words ? WORDS : FLOATS].buffer,
                .size = count * 4,
                .type = words ? VKR_TYPE_U32 : VKR_TYPE_F32,
                .texels = {t->tuning.texels ? texels : VK_NULL_HANDLE, 0, BUFFER_SIZE},
            },
        .count = VKR_COUNT_ALL,
        .output = {buffers[OUTPUT].buffer, slot * s->spacing, s->spacing},
        .determinism = t->determinism,
        .algorithm = t->algorithm,
        .flags = t->flags,
    };
}

static void collect(session *s, const VkrReduceInfo *info)
{
    assert_int_equal(vkrCmdReduce(s->recorder, info), VKR_SUCCESS);
}

/* The consumer copies the outputs. */
static void end(session *s, bool own_scratch)
{
    const VkrEndInfo info = {
        .commandBuffer = device.cmd,
        .consumerStages = TRANSFER,
        .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT,
        .scratch = {own_scratch ? VK_NULL_HANDLE : buffers[SCRATCH].buffer, 0,
                    own_scratch ? 0 : SCRATCH_SIZE},
    };

    assert_int_equal(vkrEnd(s->recorder, &info), VKR_SUCCESS);
}

static void record_one(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, COUNT, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    end(s, true);
}

/* A count that the GPU computes, as u64 and as its low word, feeds two reductions, and the result
 * of one of them is the input of the next. */
static void record_chain(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, COUNT / 2, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    info.ops = VKR_OP_COUNT;
    collect(s, &info);
    for (uint32_t slot = 1; slot <= 2; slot++) {
        info = reduction(s, t, COUNT, slot);
        info.gpuCount =
            (VkrGpuCount){buffers[OUTPUT].buffer, 0, slot == 1 ? VKR_TYPE_U64 : VKR_TYPE_U32};
        collect(s, &info);
    }
    info = reduction(s, t, 1, 3);
    info.input.buffer = buffers[OUTPUT].buffer;
    info.input.offset = 2 * s->spacing;
    collect(s, &info);
    end(s, true);
}

/* Several recordings in one command buffer, with the caller's scratch and the recorder's. */
static void record_several(session *s, const scenario *t)
{
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
        for (uint32_t k = 0; k < 3; k++) {
            const VkrReduceInfo info = reduction(s, t, COUNT, 3 * i + k);

            collect(s, &info);
        }
        end(s, i % 3 == 2);
    }
}

/* The second reduction writes what the first one reads. */
static void record_overwritten_input(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    info.input.offset = BUFFER_SIZE / 2;
    info.output = (VkrBufferRange){info.input.buffer, 0, s->spacing};
    collect(s, &info);
    end(s, true);
}

/* SINGLE with several workgroups uses the binding of the counter: so no unused binding, which
 * counts as read and written, repeats the output, and the layer sees only writes of it. */
static void record_overwritten_output(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, COUNT, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    collect(s, &info);
    end(s, true);
}

/* The result of the first reduction lies far from the elements of the second, but in its buffer
 * view; that of the third in that of the second again. */
static void record_through_texels(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    info.output = (VkrBufferRange){info.input.buffer, BUFFER_SIZE / 2, s->spacing};
    collect(s, &info);
    info.input.offset = BUFFER_SIZE / 4;
    info.output = (VkrBufferRange){buffers[OUTPUT].buffer, 0, s->spacing};
    collect(s, &info);
    info.input.texels.view = VK_NULL_HANDLE;
    info.output = (VkrBufferRange){info.input.buffer, BUFFER_SIZE / 2 + s->spacing, s->spacing};
    collect(s, &info);
    end(s, true);
}

/* The caller overwrites a part of a buffer view, away from the elements, and waits for nothing. */
static void record_filled_texels(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    assert_int_equal(vkrEnd(s->recorder, &(VkrEndInfo){.commandBuffer = device.cmd}), VKR_SUCCESS);
    vkCmdFillBuffer(device.cmd, buffers[FLOATS].buffer, BUFFER_SIZE / 2, 64, 0);
    plants++;
}

#define PIECES 4u

/* All pieces in one recording; an empty one ends the whole once more. */
static void record_pieces(session *s, const scenario *t)
{
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    for (uint32_t i = 0; i <= PIECES; i++) {
        VkrReduceInfo info = reduction(s, t, i < PIECES ? VKR_TREE_BLOCK : 0, 0);

        info.count = i < PIECES ? VKR_TREE_BLOCK : 0;
        info.input.offset = (PIECES - i) * VKR_TREE_BLOCK * 4 + 4;
        info.pieces = (VkrPieces){
            .partials = {buffers[OUTPUT].buffer, BUFFER_SIZE / 2 + 4, BUFFER_SIZE / 4},
            .first = (uint64_t)i * VKR_TREE_BLOCK,
            .count = PIECES * VKR_TREE_BLOCK,
        };
        collect(s, &info);
    }
    end(s, true);
}

/* ---- Scans and compactions ---- */

#define SLOT (96u << 10) /* bytes for an output */
#define ELEMENTS 20000u
#define COUNTS_SLOT 9u

static VkrView view_in(uint32_t buffer, uint32_t slot, VkrType type, uint32_t count)
{
    return (VkrView){.buffer = buffers[buffer].buffer,
                     .offset = (VkDeviceSize)slot * SLOT,
                     .size = 4 * (VkDeviceSize)count,
                     .type = type};
}

/* The initial value of the second is the total of the first, whose results are its elements. */
static void record_scans(session *s, const scenario *t)
{
    const VkrBufferRange total = {buffers[OUTPUT].buffer, COUNTS_SLOT * SLOT, 4};
    VkrScanInfo info = {
        .label = t->name,
        .op = VKR_OP_SUM,
        .input = view_in(t->type == VKR_TYPE_U32 ? WORDS : FLOATS, 0, t->type, ELEMENTS),
        .output = view_in(OUTPUT, 0, t->type, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .determinism = t->determinism,
        .algorithm = t->scan,
        .total = total,
    };

    info.input.texels = (VkrTexels){t->tuning.texels ? texels : VK_NULL_HANDLE, 0, BUFFER_SIZE};
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(s->recorder, &info), VKR_SUCCESS);
    info.input = info.output;
    info.output = view_in(OUTPUT, t->scan == VKR_SCAN_REDUCE_THEN_SCAN ? 0 : 1, t->type, ELEMENTS);
    info.flags = VKR_SCAN_EXCLUSIVE_BIT | VKR_SCAN_REVERSE_BIT;
    info.gpuInitial = total;
    info.total = (VkrBufferRange){buffers[OUTPUT].buffer, COUNTS_SLOT * SLOT + s->spacing, 4};
    info.segments =
        (VkrSegments){.kind = VKR_SEGMENTS_FLAGS,
                      .flags = {VKR_FLAGS_BITS, {buffers[WORDS].buffer, 0, ELEMENTS / 8}}};
    assert_int_equal(vkrCmdScan(s->recorder, &info), VKR_SUCCESS);
    end(s, true);
}

/* Asks for every count, each far enough from the next. */
static void all_counts(const session *s, VkrCountOutput counts[VKR_COUNT_KIND_COUNT])
{
    for (uint32_t i = 0; i < VKR_COUNT_KIND_COUNT; i++)
        counts[i] = (VkrCountOutput){.kind = (VkrCountKind)i,
                                     .buffer = buffers[OUTPUT].buffer,
                                     .offset = COUNTS_SLOT * SLOT + i * s->spacing,
                                     .scale = 64};
}

/* All outputs that the algorithm gives. The first writes the count that the others append at, one
 * of them past the capacity, at the end of the buffer; a reduction takes it too. */
static void record_compactions(session *s, const scenario *t)
{
    const bool scatter = t->compact != VKR_COMPACT_SINGLE_PASS;
    const VkBuffer output = buffers[OUTPUT].buffer;
    VkrCountOutput counts[VKR_COUNT_KIND_COUNT];
    const VkrPayload payloads[] = {
        {.size = 12,
         .source = {buffers[WORDS].buffer, 0, 12 * ELEMENTS},
         .target = {output, 5 * SLOT, SLOT}},
        {.size = 4,
         .source = {buffers[WORDS].buffer, 0, 4 * ELEMENTS},
         .target = {output, 6 * SLOT, SLOT}},
        {.size = 2,
         .source = {buffers[WORDS].buffer, 2, 2 * ELEMENTS},
         .target = {output, 7 * SLOT, SLOT}},
        {.size = 1,
         .rejected = VK_TRUE,
         .source = {buffers[WORDS].buffer, 1, ELEMENTS},
         .target = {output, 8 * SLOT, SLOT}},
    };
    VkrCompactInfo info = {
        .label = t->name,
        .flags = t->flags,
        .input = view_in(FLOATS, 1, VKR_TYPE_F32, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = t->flags ? VKR_PREDICATE_UNIQUE : VKR_PREDICATE_NONZERO},
        .algorithm = t->compact,
        .kept = view_in(OUTPUT, 0, VKR_TYPE_F32, ELEMENTS),
        .keptIndices = view_in(OUTPUT, 1, VKR_TYPE_U32, ELEMENTS),
        .rejected = view_in(OUTPUT, 3, VKR_TYPE_F32, ELEMENTS),
        .rejectedIndices = view_in(OUTPUT, 4, VKR_TYPE_U32, ELEMENTS),
        .countOutputCount = VKR_COUNT_KIND_COUNT,
        .countOutputs = counts,
    };

    all_counts(s, counts);
    counts[VKR_COUNT_KEPT].scale = 1;
    info.input.texels = (VkrTexels){t->tuning.texels ? texels : VK_NULL_HANDLE, 0, BUFFER_SIZE};
    if (scatter) {
        info.runLengths = view_in(OUTPUT, 2, VKR_TYPE_U32, ELEMENTS);
        info.payloads = payloads;
        info.payloadCount = LENGTH(payloads);
    }
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.append = (VkrGpuCount){.buffer = output, .offset = counts[VKR_COUNT_KEPT].offset};
    info.countOutputCount = 1;
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.kept = view_in(OUTPUT, 0, VKR_TYPE_F32, 2 * ELEMENTS + 100);
    info.kept.offset = BUFFER_SIZE - info.kept.size;
    info.keptIndices = info.runLengths = info.rejected = info.rejectedIndices = (VkrView){0};
    info.payloadCount = 0;
    info.countOutputs = &(VkrCountOutput){.buffer = output, .offset = 3 * SLOT};
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    VkrReduceInfo sum = reduction(s, t, ELEMENTS, 0);
    sum.flags = 0;
    sum.gpuCount = info.append;
    sum.output.offset = 2 * SLOT;
    collect(s, &sum);
    end(s, true);
}

/* Values beside flags, and entries of a payload, are loaded as texels, which reach beyond both.
 * What the first compaction keeps lies among the texels of the second one's payload. */
static void record_moved_texels(session *s, const scenario *t)
{
    const VkrTexels all = {t->tuning.texels ? texels : VK_NULL_HANDLE, 0, BUFFER_SIZE};
    const VkrPayload payload = {.size = 16,
                                .source = {buffers[FLOATS].buffer, 4 * SLOT, 16 * FEW},
                                .target = {buffers[OUTPUT].buffer, 4 * SLOT, 16 * FEW},
                                .texels = all};
    VkrCompactInfo info = {
        .label = t->name,
        .input = view_in(FLOATS, 0, VKR_TYPE_F32, ELEMENTS),
        .count = ELEMENTS,
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {VKR_FLAGS_U8, {buffers[WORDS].buffer, 0, ELEMENTS}}},
        .kept = view_in(FLOATS, 6, VKR_TYPE_F32, ELEMENTS),
        .rejectedIndices = view_in(OUTPUT, 2, VKR_TYPE_U32, ELEMENTS),
    };
    info.input.texels = all;
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.count = FEW;
    info.kept = view_in(OUTPUT, 0, VKR_TYPE_F32, ELEMENTS);
    info.payloads = &payload;
    info.payloadCount = 1;
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    end(s, true);
}

/* ---- Tests ---- */

/* A context with the scenario's row of tuning, or with the built-in ones. */
static VkrContext open_context(const VkrContextInfo *info, const VkrTuning *tuning)
{
    char profile[256];
    size_t size = sizeof(profile);
    VkrContext context;

    assert_int_equal(vkrCreateContext(info, &context), VKR_SUCCESS);
    if (tuning->valueSize == 0)
        return context;
    assert_int_equal(vkrWriteProfile(context, 1, tuning, &size, profile), VKR_SUCCESS);
    vkrDestroyContext(context);
    VkrContextInfo tuned = *info;
    tuned.profile = profile;
    tuned.profileSize = size;
    assert_int_equal(vkrCreateContext(&tuned, &context), VKR_SUCCESS);
    return context;
}

static void fill_inputs(void)
{
    for (uint32_t i = 0; i < BUFFER_SIZE / 4; i++) {
        ((float *)buffers[FLOATS].data)[i] = 1;
        ((uint32_t *)buffers[WORDS].data)[i] = 1;
    }
}

static void record_command_buffer(session *s, const scenario *t)
{
    const VkBufferCopy all = {.size = BUFFER_SIZE};
    const VkMemoryBarrier to_host = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };

    assert_true(harness_begin(&device));
    t->record(s, t);
    vkCmdCopyBuffer(device.cmd, buffers[OUTPUT].buffer, buffers[COPY].buffer, 1, &all);
    vkCmdPipelineBarrier(device.cmd, TRANSFER, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL,
                         0, NULL);
    assert_true(harness_end(&device));
}

static void run(const scenario *t)
{
    session s = {0};
    VkrReduceLayout layout;
    const VkrContextInfo context = {
        .instance = device.instance,
        .physicalDevice = device.physical_device,
        .device = device.device,
        .apiVersion = device.api_version,
        .flags = VKR_CONTEXT_DEBUG_UTILS_BIT,
        .enabledFeatureChain = &device.requirements.features,
        .enabledExtensionCount = device.requirements.extensionCount,
        .enabledExtensions = device.requirements.extensions,
        .getInstanceProcAddr = instance_proc,
        .pipelineCache = cache,
        .message = on_error,
        .limits = t->limits,
    };

    fill_inputs();
    s.context = open_context(&context, &t->tuning);
    const VkrReduceInfo info = reduction(&s, t, COUNT, 0);
    assert_int_equal(vkrGetReduceLayout(s.context, &info, &layout), VKR_SUCCESS);
    s.spacing = layout.spacing;
    VkrContextProperties properties;
    vkrGetContextProperties(s.context, &properties);
    granule = properties.granule;
    assert_int_equal(vkrCreateRecorder(s.context, &(VkrRecorderInfo){0}, &s.recorder), VKR_SUCCESS);
    const uint32_t submits = t->recorded_only ? 0 : t->submits ? t->submits : 1;
    if (t->recorded_only)
        t->record(&s, t);
    else
        record_command_buffer(&s, t);
    for (uint32_t i = 0; i < submits; i++)
        assert_true(harness_submit(&device));
    if (t->check)
        t->check(t);
    vkrDestroyRecorder(s.recorder);
    vkrDestroyContext(s.context);
}

static void test_scenario(void **state)
{
    const scenario *t = *state;

    messages = 0;
    plants = 0;
    found = false;
    wanted = t->fault.report;
    planted = wanted ? &t->fault : NULL;
    if (wanted && !newer_layer && strstr(wanted, "WRITE-AFTER-WRITE")) {
        print_message("# the system's layer does not see this fault\n");
        skip();
    }
    run(t);
    if (wanted) {
        assert_int_not_equal(plants, 0);
        assert_true(found);
    } else {
        all_messages += messages;
        assert_int_equal(messages, 0);
    }
}

#define F32 VKR_TYPE_F32
#define U32 VKR_TYPE_U32

/* Loads of 4-byte values in several small workgroups. */
#define LOADS(order_, path_, texels_)                                                              \
    .tuning = {                                                                                    \
        .valueSize = 4,                                                                            \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 256,                                                                           \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .order = VKR_LOAD_##order_,                                                                \
        .path = VKR_LOAD_##path_,                                                                  \
        .texels = texels_,                                                                         \
        .flight = 4,                                                                               \
    }

/* Several small workgroups for compactions of 4-byte values. */
#define TILES                                                                                      \
    .tuning = {                                                                                    \
        .operation = VKR_OPERATION_COMPACT,                                                        \
        .valueSize = 4,                                                                            \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 64,                                                                            \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .path = VKR_LOAD_VEC4,                                                                     \
        .flight = 2,                                                                               \
        .tileBytes = 64,                                                                           \
    }

/* The same, whose values are texels. */
#define TEXEL_TILES                                                                                \
    .tuning = {                                                                                    \
        .operation = VKR_OPERATION_COMPACT,                                                        \
        .valueSize = 4,                                                                            \
        .texels = VK_TRUE,                                                                         \
        .workgroupSize = 64,                                                                       \
        .treeWorkgroupSize = 64,                                                                   \
        .minBytes = 64,                                                                            \
        .maxBytes = 1024,                                                                          \
        .maxGroups = 16,                                                                           \
        .order = VKR_LOAD_CONTIGUOUS,                                                              \
        .path = VKR_LOAD_TEXEL,                                                                    \
        .flight = 2,                                                                               \
        .tileBytes = 64,                                                                           \
    }

#define ROW(title, function, ...)                                                                  \
    {                                                                                              \
        .name = title, .record = function, __VA_ARGS__                                             \
    }

static const scenario sync_rows[] = {
    ROW("auto f32", record_one, .type = F32),
    ROW("auto u32", record_one, .type = U32, .full = true),
    ROW("single f32", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("single u32", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = U32, .full = true),
    ROW("subgroup f32", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = F32),
    ROW("subgroup u32", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = U32, .full = true),
    ROW("tree f32", record_one, .algorithm = VKR_REDUCE_TREE, .type = F32),
    ROW("tree u32", record_one, .algorithm = VKR_REDUCE_TREE, .type = U32, .full = true),
    ROW("recursive f32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = F32),
    ROW("recursive u32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = U32, .full = true),
    ROW("in place f32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = F32,
        .flags = VKR_REDUCE_CONSUME_INPUT_BIT),
    ROW("in place u32", record_one, .algorithm = VKR_REDUCE_RECURSIVE, .type = U32,
        .flags = VKR_REDUCE_CONSUME_INPUT_BIT),
    ROW("determinism device", record_one, .type = F32, .determinism = VKR_DETERMINISM_DEVICE),
    ROW("windows", record_one, .type = F32, .limits.maxStorageBufferRange = SMALL_RANGE),
    ROW("second dimension", record_one, .algorithm = VKR_REDUCE_TREE, .type = U32,
        .limits.maxComputeWorkGroupCount = 16),
    ROW("gpu counts and a chain", record_chain, .type = F32),
    ROW("several recordings", record_several, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("several recordings of two steps", record_several, .algorithm = VKR_REDUCE_SUBGROUP,
        .type = U32),
    ROW("no push descriptors", record_several, .type = F32,
        .limits.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR),
    ROW("submitted again", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32, .submits = 3),
    ROW("overwritten input", record_overwritten_input, .type = F32),
    ROW("overwritten output", record_overwritten_output, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32),
    ROW("loads by element", record_one, .type = F32, LOADS(CONTIGUOUS, ELEMENT, VK_FALSE)),
    ROW("loads of vec4", record_one, .type = F32, LOADS(COALESCED, VEC4, VK_FALSE)),
    ROW("loads of u64", record_one, .type = F32, LOADS(COALESCED, U64, VK_FALSE)),
    ROW("loads of texels", record_one, .type = F32, LOADS(CONTIGUOUS, TEXEL, VK_TRUE)),
    ROW("loads of texels in windows, no push descriptors", record_one, .type = F32,
        LOADS(COALESCED, TEXEL, VK_TRUE),
        .limits = {.maxStorageBufferRange = SMALL_RANGE,
                   .disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR}),
    ROW("results in a buffer view", record_through_texels, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE)),
    ROW("pieces", record_pieces, .type = F32, .determinism = VKR_DETERMINISM_DEVICE),

    ROW("segments", record_segments, .check = check_segments),
    ROW("segments at level device", record_segments, .check = check_segments, .type = F32,
        .determinism = VKR_DETERMINISM_DEVICE),
    ROW("segments in windows", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_SPLIT, .limits.maxStorageBufferRange = SMALL_RANGE),

    ROW("scan auto", record_scans, .type = F32),
    ROW("scan reduce-then-scan, in place", record_scans, .type = U32,
        .scan = VKR_SCAN_REDUCE_THEN_SCAN),
    ROW("scan single-pass", record_scans, .type = U32, .scan = VKR_SCAN_SINGLE_PASS),
    ROW("scan hillis-steele", record_scans, .type = U32, .scan = VKR_SCAN_HILLIS_STEELE),
    ROW("scan blelloch", record_scans, .type = U32, .scan = VKR_SCAN_BLELLOCH),
    ROW("scan in windows", record_scans, .type = F32, .determinism = VKR_DETERMINISM_DEVICE,
        .limits.maxStorageBufferRange = SMALL_RANGE),
    ROW("compaction by one workgroup", record_compactions, .type = F32),
    ROW("compaction scan-scatter, submitted again", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER, .submits = 2),
    ROW("compaction single-pass, submitted again", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SINGLE_PASS, .submits = 2),
    ROW("compaction of runs that go on", record_compactions, .type = F32, TILES,
        .flags = VKR_COMPACT_CONTINUED_BIT),
    ROW("compaction of texels, submitted again", record_moved_texels, .type = F32, TEXEL_TILES,
        .submits = 2),
    ROW("compaction in windows, no push descriptors", record_compactions, .type = F32, TILES,
        .limits = {.maxStorageBufferRange = SMALL_RANGE,
                   .disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR}),

    ROW("pairs of operations, f32", record_pairs, .type = F32, .recorded_only = true),
    ROW("pairs of operations, u64", record_pairs, .type = VKR_TYPE_U64, .recorded_only = true,
        .full = true),
    ROW("pairs of operations, u8", record_pairs, .type = VKR_TYPE_U8, .recorded_only = true,
        .full = true),

    ROW("planted: unused bindings of pairs of operations repeat the input", record_pairs,
        .type = F32, .recorded_only = true,
        .fault = {.repeat = true, .report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier, read after write", record_one, .algorithm = VKR_REDUCE_SUBGROUP,
        .type = F32, .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier, write after read", record_overwritten_input, .type = F32,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier, write after write", record_overwritten_output,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-WRITE-AFTER-WRITE"}),
    ROW("planted: no barrier to the consumer", record_one, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32, .fault = {COMPUTE, TRANSFER, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: wrong stage of the consumer", record_one, .algorithm = VKR_REDUCE_SINGLE,
        .type = F32,
        .fault = {COMPUTE, TRANSFER, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier, result in a buffer view", record_through_texels,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE),
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: the caller's write in a buffer view", record_filled_texels,
        .algorithm = VKR_REDUCE_SINGLE, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE),
        .fault = {.report = "SYNC-HAZARD-WRITE-AFTER-READ"}),
    ROW("planted: no barrier in a compaction", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier between compactions of texels", record_moved_texels, .type = F32,
        TEXEL_TILES, .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier after the fill of a compaction", record_compactions, .type = F32,
        TILES, .compact = VKR_COMPACT_SINGLE_PASS,
        .fault = {TRANSFER, COMPUTE, .report = "SYNC-HAZARD-"}),
    ROW("planted: no barrier between parts of segments", record_segments,
        .algorithm = VKR_REDUCE_SPLIT,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
    ROW("planted: no barrier between pieces", record_pieces, .type = F32,
        .determinism = VKR_DETERMINISM_DEVICE,
        .fault = {COMPUTE, COMPUTE, .report = "SYNC-HAZARD-READ-AFTER-WRITE"}),
};

static const scenario gpu_rows[] = {
    ROW("single f32 in bounds", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32),
    ROW("subgroup u32 in bounds", record_one, .algorithm = VKR_REDUCE_SUBGROUP, .type = U32,
        .full = true),
    ROW("gpu counts and a chain in bounds", record_chain, .type = F32),
    ROW("texels in bounds", record_one, .type = F32, LOADS(COALESCED, TEXEL, VK_TRUE)),
    ROW("segments by lanes in bounds", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_LANES, .full = true),
    ROW("segments by parts in bounds", record_segments, .check = check_segments,
        .algorithm = VKR_REDUCE_SPLIT),
    ROW("scan in bounds", record_scans, .type = U32, .scan = VKR_SCAN_SINGLE_PASS),
    ROW("compaction scan-scatter in bounds", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SCAN_SCATTER),
    ROW("compaction single-pass in bounds", record_compactions, .type = F32, TILES,
        .compact = VKR_COMPACT_SINGLE_PASS, .full = true),
    ROW("compaction of texels in bounds", record_moved_texels, .type = F32, TEXEL_TILES),
    ROW("planted: out of bounds", record_one, .algorithm = VKR_REDUCE_SINGLE, .type = F32,
        .fault = {.shrink = 2, .report = "out of bounds"}),
};

int main(void)
{
    struct CMUnitTest tests[LENGTH(sync_rows)];

    gpu_assisted = getenv("VKR_TEST_GPUAV") != NULL;
    const scenario *rows = gpu_assisted ? gpu_rows : sync_rows;
    const size_t all = gpu_assisted ? LENGTH(gpu_rows) : LENGTH(sync_rows);
    /* A filter names its scenarios, of whatever tier. */
    const bool full = harness_full() || getenv("VKR_TEST_FILTER") != NULL;
    size_t count = 0;
    for (size_t i = 0; i < all; i++)
        if (full || !rows[i].full)
            tests[count++] = (struct CMUnitTest){rows[i].name, test_scenario, NULL, NULL,
                                                 (void *)(uintptr_t)&rows[i]};
    cmocka_set_message_output(CM_OUTPUT_TAP);
    /* The harness, which knows the filter too, is opened when the tests have begun. */
    if (getenv("VKR_TEST_FILTER") != NULL)
        cmocka_set_test_filter(getenv("VKR_TEST_FILTER"));
    return _cmocka_run_group_tests("validation", tests, count, set_up, tear_down);
}
