/* SPDX-License-Identifier: MIT */
/* Runs the kernels of match.comp, and compacts their results with the library. */
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "interrupt.h"

#define LANES 8u /* lanes that share a query */
#define UNWRITTEN 0x5eedf00du
#define ALIGNMENT 256u /* the maximum that a device may require */

static const uint32_t multi[] =
#include "match_multi.inc"
    ;
static const uint32_t naive[] =
#include "match_naive.inc"
    ;
static const uint32_t single[] =
#include "match_single.inc"
    ;
static const uint32_t multi_shared[] =
#include "match_multi_shared.inc"
    ;
static const uint32_t naive_shared[] =
#include "match_naive_shared.inc"
    ;

const char *const match_kernels[KERNELS] = {"multi-reduction", "naive", "one lane per query"};

static const struct {
    const uint32_t *code;
    size_t size;
} modules[KERNELS][2] = {
    {{multi, sizeof multi}, {multi_shared, sizeof multi_shared}},
    {{naive, sizeof naive}, {naive_shared, sizeof naive_shared}},
    {{single, sizeof single}, {single, sizeof single}},
};

/* The push constants of the kernels. */
typedef struct push {
    uint32_t count;
    uint32_t first;
    uint32_t end;
} push;

/* ---- The device ---- */

/*
 * Lanes that reduce together must be lanes of one subgroup, and their numbers must be known. A
 * subgroup may have another size than the device reports. The program relies on the size only if
 * pipelines know it and subgroups are full.
 */
static void choose_exchange(match_gpu *m, const match_options *opts)
{
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &subgroup};
    const VkrHostDevice *device = &m->g.chosen;
    VkrContextProperties library;
    vkrGetContextProperties(m->g.vulkan.context, &library);
    const bool known = (library.features & VKR_FEATURE_SUBGROUP_SIZE_CONTROL) != 0;
    if (known)
        subgroup.pNext = &control;
    vkGetPhysicalDeviceProperties2(m->g.vulkan.physicalDevice, &all);

    m->shared = opts->shared || !known || control.minSubgroupSize < LANES ||
                (subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0 ||
                (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) == 0;
    /* CPU drivers are fastest with the smallest workgroups. All sizes are powers of two. */
    const bool cpu = device->type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint32_t least = m->shared ? LANES : control.maxSubgroupSize;
    const uint32_t wanted = opts->workgroup != 0 ? (uint32_t)opts->workgroup : cpu ? 0 : 128;
    m->workgroup = wanted > least ? wanted : least;
}

static int check_size(const match_gpu *m)
{
    const VkDeviceSize most = m->g.limits.maxStorageBufferRange;
    for (uint32_t i = 0; i < SIDES; i++)
        if (m->data->sides[i].size > most)
            return fail(STATUS_USAGE,
                        "%s: its %u descriptors take %llu bytes and '%s' allows %llu in a storage "
                        "buffer; match at most %llu at a time",
                        m->data->sides[i].name, m->data->counts[i],
                        (unsigned long long)m->data->sides[i].size, m->g.chosen.name,
                        (unsigned long long)most, (unsigned long long)(most / DESCRIPTOR));
    return STATUS_DONE;
}

int match_gpu_open(match_gpu *m, const match_data *d, const match_options *opts)
{
    *m = (match_gpu){.data = d, .window = (uint32_t)opts->window};
    int status = gpu_open(&m->g, &(device_options){.device = opts->device}, false);
    if (status != STATUS_DONE || (status = check_size(m)) != STATUS_DONE)
        return status;
    const uint32_t *most = m->g.limits.maxComputeWorkGroupCount;
    m->max_dispatch_groups =
        opts->groups != 0 && opts->groups < most[0] ? (uint32_t)opts->groups : most[0];
    choose_exchange(m, opts);
    const uint64_t queries = (uint64_t)m->workgroup * m->max_dispatch_groups * most[1];
    return d->counts[QUERY] <= queries
               ? STATUS_DONE
               : fail(STATUS_USAGE,
                      "%s: its %u queries are more than %llu, the maximum of a dispatch with %u "
                      "workgroups in a row; match fewer at a time, or raise --groups",
                      d->sides[QUERY].name, d->counts[QUERY], (unsigned long long)queries,
                      m->max_dispatch_groups);
}

/* ---- What is on it ---- */

static int create_buffers(match_gpu *m)
{
    for (uint32_t i = 0; i < RESULTS; i++) {
        m->sizes[i] = sizeof(uint32_t) * (i == COUNT ? 1u : (VkDeviceSize)m->data->counts[QUERY]);
        m->offsets[i + 1] =
            m->offsets[i] + (m->sizes[i] / ALIGNMENT + 1) * ALIGNMENT; /* never empty */
    }
    int status = gpu_status(
        vkrHostAlloc(m->g.host, m->offsets[RESULTS], VKR_HOST_MEMORY_UNMAPPED, &m->results));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(m->g.host, m->offsets[RESULTS], VKR_HOST_MEMORY_READBACK, &m->copy));
    for (uint32_t i = 0; i < SIDES && status == STATUS_DONE; i++) {
        status = gpu_status(
            vkrHostAlloc(m->g.host, m->data->sides[i].size, VKR_HOST_MEMORY_DEVICE, &m->sides[i]));
        if (status == STATUS_DONE)
            status = gpu_upload(m->g.host, &m->sides[i], &m->data->sides[i]);
    }
    return status;
}

enum { BINDINGS = SIDES + MARGIN + 1 };

static int create_layouts(match_gpu *m)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    int status =
        gpu_check(vkCreateDescriptorSetLayout(m->g.vulkan.device, &set, NULL, &m->set_layout),
                  "vkCreateDescriptorSetLayout");
    const VkPushConstantRange told = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &m->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &told};
    return status != STATUS_DONE
               ? status
               : gpu_check(vkCreatePipelineLayout(m->g.vulkan.device, &layout, NULL, &m->layout),
                           "vkCreatePipelineLayout");
}

static int create_set(match_gpu *m)
{
    VkDescriptorBufferInfo infos[BINDINGS];
    for (uint32_t i = 0; i < SIDES; i++)
        infos[i] = (VkDescriptorBufferInfo){m->sides[i].buffer, 0, m->sides[i].bufferSize};
    for (uint32_t i = 0; i <= MARGIN; i++)
        infos[SIDES + i] = (VkDescriptorBufferInfo){m->results.buffer, m->offsets[i],
                                                    m->sizes[i] != 0 ? m->sizes[i] : ALIGNMENT};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    int status = gpu_check(vkCreateDescriptorPool(m->g.vulkan.device, &pool, NULL, &m->pool),
                           "vkCreateDescriptorPool");
    if (status != STATUS_DONE)
        return status;
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = m->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &m->set_layout};
    status = gpu_check(vkAllocateDescriptorSets(m->g.vulkan.device, &set, &m->set),
                       "vkAllocateDescriptorSets");
    if (status != STATUS_DONE)
        return status;
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = m->set,
                                        .descriptorCount = BINDINGS,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = infos};
    vkUpdateDescriptorSets(m->g.vulkan.device, 1, &write, 0, NULL);
    return STATUS_DONE;
}

static int create_pipeline(match_gpu *m, uint32_t kernel)
{
    const VkShaderModuleCreateInfo module_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = modules[kernel][m->shared].size,
                                                  .pCode = modules[kernel][m->shared].code};
    const VkSpecializationMapEntry entry = {0, 0, sizeof m->workgroup};
    const VkSpecializationInfo constants = {1, &entry, sizeof m->workgroup, &m->workgroup};
    VkShaderModule module;
    int status = gpu_check(vkCreateShaderModule(m->g.vulkan.device, &module_info, NULL, &module),
                           "vkCreateShaderModule");
    if (status != STATUS_DONE)
        return status;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .flags = m->shared
                               ? 0u
                               : VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
                                     VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = m->layout,
    };
    status = gpu_check(vkCreateComputePipelines(m->g.vulkan.device, VK_NULL_HANDLE, 1, &info, NULL,
                                                &m->pipelines[kernel]),
                       "vkCreateComputePipelines");
    vkDestroyShaderModule(m->g.vulkan.device, module, NULL);
    return status;
}

int match_gpu_prepare(match_gpu *m)
{
    int status = create_buffers(m);
    if (status == STATUS_DONE)
        status = create_layouts(m);
    if (status == STATUS_DONE)
        status = create_set(m);
    for (uint32_t i = 0; i < KERNELS && status == STATUS_DONE; i++)
        status = create_pipeline(m, i);
    return status;
}

void match_gpu_close(match_gpu *m)
{
    VkDevice device = m->g.vulkan.device;
    for (uint32_t i = 0; i < KERNELS && device != VK_NULL_HANDLE; i++)
        vkDestroyPipeline(device, m->pipelines[i], NULL);
    if (device != VK_NULL_HANDLE) {
        vkDestroyPipelineLayout(device, m->layout, NULL);
        vkDestroyDescriptorPool(device, m->pool, NULL);
        vkDestroyDescriptorSetLayout(device, m->set_layout, NULL);
    }
    for (uint32_t i = 0; i < SIDES; i++)
        vkrHostFree(m->g.host, &m->sides[i]);
    vkrHostFree(m->g.host, &m->results);
    vkrHostFree(m->g.host, &m->copy);
    gpu_close(&m->g);
}

/* ---- Commands ---- */

/* How memory is used between one barrier and the next. */
typedef struct use {
    VkPipelineStageFlags stage;
    VkAccessFlags access;
} use;

static const use filled = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT};
static const use computed = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
static const use copied = {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT};

static void wait_for(const match_gpu *m, const use *from, const use *to)
{
    const VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, from->access,
                                     to->access};
    vkCmdPipelineBarrier(vkrHostCommands(m->g.host), from->stage, to->stage, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

/* Processes the train descriptors in windows, since invocations should not loop for too long. Each
 * window continues with the results of the one before. */
static void find_neighbours(const match_gpu *m, uint32_t kernel)
{
    VkCommandBuffer cmd = vkrHostCommands(m->g.host);
    const uint32_t trains = m->data->counts[TRAIN];
    push told = {.count = m->data->counts[QUERY]};
    const uint32_t groups = told.count / m->workgroup + (told.count % m->workgroup != 0);
    const uint32_t wide = groups < m->max_dispatch_groups ? groups : m->max_dispatch_groups;
    const uint32_t high = groups == 0 ? 0 : (groups - 1) / m->max_dispatch_groups + 1;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->pipelines[kernel]);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, m->layout, 0, 1, &m->set, 0, NULL);
    do {
        told.end = trains - told.first < m->window ? trains : told.first + m->window;
        vkCmdPushConstants(cmd, m->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof told, &told);
        vkCmdDispatch(cmd, wide, high, 1);
        wait_for(m, &computed, &computed);
        told.first = told.end;
    } while (told.first < trains);
}

static VkrView view(const match_gpu *m, uint32_t which)
{
    return (VkrView){.buffer = m->results.buffer,
                     .offset = m->offsets[which],
                     .size = m->sizes[which],
                     .type = VKR_TYPE_U32};
}

static VkrBufferRange range(const match_gpu *m, uint32_t which)
{
    return (VkrBufferRange){m->results.buffer, m->offsets[which], m->sizes[which]};
}

/* Lets the library list the queries whose margin is above the threshold, and their nearest train
 * descriptors. */
static VkrResult keep_matches(const match_gpu *m)
{
    const VkrPayload nearest = {
        .size = sizeof(uint32_t), .source = range(m, NEAREST), .target = range(m, TRAINS)};
    const VkrCountOutput count = {VKR_COUNT_KEPT, m->results.buffer, m->offsets[COUNT], 1};
    const VkrCompactInfo info = {.label = "matches",
                                 .input = view(m, MARGIN),
                                 .count = m->data->counts[QUERY],
                                 .predicate = {.kind = VKR_PREDICATE_COMPARE,
                                               .compare = VKR_COMPARE_GREATER,
                                               .a.u = m->data->threshold},
                                 .keptIndices = view(m, QUERIES),
                                 .payloadCount = 1,
                                 .payloads = &nearest,
                                 .countOutputCount = 1,
                                 .countOutputs = &count};
    return vkrCmdCompact(vkrHostRecorder(m->g.host), &info);
}

static int record(const match_gpu *m, uint32_t kernel)
{
    const VkrHost host = m->g.host;
    VkrResult result = vkrHostBegin(host);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    /* Clears the results, so that no kernel can pass with those of another one. */
    vkCmdFillBuffer(vkrHostCommands(host), m->results.buffer, 0, VK_WHOLE_SIZE, UNWRITTEN);
    wait_for(m, &filled, &computed);
    result = vkrHostStamp(host, VK_FALSE);
    find_neighbours(m, kernel);
    if (result == VKR_SUCCESS)
        result = vkrHostStamp(host, VK_TRUE);
    if (result == VKR_SUCCESS)
        result = keep_matches(m);
    if (result == VKR_SUCCESS)
        result = vkrHostEnd(host);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    wait_for(m, &computed, &copied);
    return gpu_status(vkrHostCopyOut(host, &m->results, &m->copy, m->offsets[RESULTS]));
}

static int compare_times(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int match_gpu_run(match_gpu *m, uint32_t kernel, uint64_t repeat, double *milliseconds)
{
    double *times = malloc((size_t)repeat * sizeof *times);
    int status = times != NULL ? record(m, kernel)
                               : fail(STATUS_VULKAN, "there is no memory for %llu measured times",
                                      (unsigned long long)repeat);
    /* The first run is not timed, since the driver may compile in it. */
    for (uint64_t i = 0; i <= repeat && status == STATUS_DONE; i++) {
        status = check_interrupt();
        if (status == STATUS_DONE)
            status = gpu_submit(m->g.host);
        if (status == STATUS_DONE && i > 0 && m->g.vulkan.timestampBits != 0)
            status = gpu_read_clock(m->g.host, &times[i - 1]);
    }
    if (status == STATUS_DONE && m->g.vulkan.timestampBits != 0) {
        qsort(times, (size_t)repeat, sizeof *times, compare_times);
        *milliseconds = (times[(repeat - 1) / 2] + times[repeat / 2]) / 2;
    }
    free(times);
    return status;
}

const uint32_t *match_gpu_result(const match_gpu *m, uint32_t which)
{
    return (const uint32_t *)((const char *)m->copy.data + m->offsets[which]);
}
