/* SPDX-License-Identifier: MIT */
/* The data of histograms, and a bare kernel that counts the same floats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "histograms.h"

static const uint32_t plain_code[] =
#include "plain.inc"
    ;

#define EVERY ((1u << VKR_HISTOGRAM_ALGORITHM_COUNT) - 1u)
/* So many bins do not fit most devices' shared memory. */
#define IN_MEMORY (1u << VKR_HISTOGRAM_AUTO | 1u << VKR_HISTOGRAM_GLOBAL)

const histogram_case histogram_cases[HISTOGRAM_CASES] = {
    {"even 256", HISTOGRAM_RANDOM, VKR_BINS_EVEN, 256, false, EVERY},
    {"even 4096", HISTOGRAM_RANDOM, VKR_BINS_EVEN, 4096, false, EVERY},
    {"even 65536", HISTOGRAM_RANDOM, VKR_BINS_EVEN, 65536, false, IN_MEMORY},
    {"log2 256", HISTOGRAM_RANDOM, VKR_BINS_LOG2, 256, false, EVERY},
    {"edges 256", HISTOGRAM_RANDOM, VKR_BINS_EDGES, 256, false, EVERY},
    {"weights 256", HISTOGRAM_RANDOM, VKR_BINS_EVEN, 256, true, EVERY},
    {"constant 256", HISTOGRAM_CONSTANT, VKR_BINS_EVEN, 256, false, EVERY},
    {"constant 65536", HISTOGRAM_CONSTANT, VKR_BINS_EVEN, 65536, false, IN_MEMORY},
    {"bytes 256", HISTOGRAM_BYTES, VKR_BINS_INTEGERS, 256, false, EVERY},
    {"image 256", HISTOGRAM_IMAGE, VKR_BINS_INTEGERS, 256, false, EVERY},
};

VkrBins bins_of(const histogram_case *of)
{
    return (VkrBins){.kind = of->kind,
                     .count = of->bins,
                     .low.value = of->kind == VKR_BINS_LOG2 ? HISTOGRAM_LOW : 0.0,
                     .high.value = of->kind == VKR_BINS_INTEGERS ? 0.0 : 1.0};
}

/* ---- Data ---- */

/* Edges that are no further apart at one end than at the other by a factor of 2. */
static int create_edges(bench *b)
{
    struct histograms *h = b->histograms;
    const uint32_t n = PLAIN_BINS;
    h->host_edges = malloc((n + 1) * sizeof *h->host_edges);
    if (h->host_edges == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint32_t k = 0; k <= n; k++)
        h->host_edges[k] = (float)(exp2((double)k / n) - 1.0);
    int status =
        gpu_buffer_create(&b->gpu, &h->edges, (n + 1) * sizeof *h->host_edges, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        memcpy(h->edges.map, h->host_edges, (n + 1) * sizeof *h->host_edges);
    return status;
}

/* Uploads bytes in memory that stays the caller's. */
static int upload(bench *b, gpu_buffer *buffer, unsigned char *memory, uint64_t size)
{
    const input in = {.name = "bytes",
                      .source = SOURCE_MEMORY,
                      .file = -1,
                      .memory = memory,
                      .type = VKR_TYPE_U8,
                      .size = size};
    int status = gpu_buffer_create(&b->gpu, buffer, size, MEMORY_DEVICE);
    return status == STATUS_DONE ? gpu_upload(&b->gpu, buffer, &in) : status;
}

static int create_data(bench *b)
{
    struct histograms *h = b->histograms;
    const input bytes = {.name = "random",
                         .source = SOURCE_RANDOM,
                         .file = -1,
                         .seed = 2,
                         .type = VKR_TYPE_U32,
                         .size = 4 * h->most};
    const float half = 0.5f;
    b->in.size = 4 * h->most;
    b->host = malloc((size_t)b->in.size);
    h->host_bytes = malloc((size_t)bytes.size);
    if (b->host == NULL || h->host_bytes == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint64_t i = 0; i < h->most; i++)
        memcpy(b->host + i * sizeof half, &half, sizeof half);
    int status = upload(b, &h->constant, b->host, b->in.size);
    if (status == STATUS_DONE)
        status = input_read(&b->in, 0, (size_t)b->in.size, b->host);
    if (status == STATUS_DONE)
        status = upload(b, &b->data, b->host, b->in.size);
    if (status == STATUS_DONE)
        status = input_read(&bytes, 0, (size_t)bytes.size, h->host_bytes);
    return status == STATUS_DONE ? upload(b, &h->bytes, h->host_bytes, bytes.size) : status;
}

/* A texel for each element, where they make a picture that is not too long. */
static int create_image(bench *b, uint32_t i)
{
    struct histograms *h = b->histograms;
    const uint64_t n = b->settings.sizes[i];
    const uint32_t most = b->gpu.chosen->properties.limits.maxImageDimension2D;
    uint32_t width = 1;
    while (2 * width <= 4096 && n % (2 * width) == 0)
        width *= 2;
    const VkExtent2D size = {width, (uint32_t)(n / width)};
    if (n / width > most)
        return STATUS_DONE;
    int status = gpu_image_create(&b->gpu, &h->images[i], VK_FORMAT_R8G8B8A8_UINT, size, 1,
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(&b->gpu, &h->images[i], 0, size, image_read.layout, &h->texels[i]);
    if (status == STATUS_DONE)
        status = gpu_begin(&b->gpu);
    if (status == STATUS_DONE) {
        gpu_image_fill(&b->gpu, &h->bytes, &h->images[i], size);
        status = gpu_end(&b->gpu);
    }
    return status == STATUS_DONE ? gpu_submit(&b->gpu) : status;
}

/* ---- The bare kernel ---- */

static int create_layouts(struct histograms *h, VkDevice device)
{
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < COUNT_OF(bindings); i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorPoolSize sizes = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = COUNT_OF(bindings),
        .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(device, &set, NULL, &h->set_layout);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(uint32_t)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &h->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    if (result == VK_SUCCESS)
        result = vkCreatePipelineLayout(device, &layout, NULL, &h->layout);
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 2,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &sizes};
    if (result == VK_SUCCESS)
        result = vkCreateDescriptorPool(device, &pool, NULL, &h->pool);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateDescriptorPool");
}

static int create_plain(const bench *b)
{
    struct histograms *h = b->histograms;
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, sizeof h->workgroup, &h->workgroup};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof plain_code,
                                           .pCode = plain_code};
    VkShaderModule module;
    VkResult result = vkCreateShaderModule(b->gpu.device, &code, NULL, &module);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = h->layout};
    result = vkCreateComputePipelines(b->gpu.device, VK_NULL_HANDLE, 1, &info, NULL, &h->plain);
    vkDestroyShaderModule(b->gpu.device, module, NULL);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateComputePipelines");
}

static int create_set(const bench *b, const gpu_buffer *data, VkDescriptorSet *made)
{
    const struct histograms *h = b->histograms;
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = h->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &h->set_layout};
    const VkResult result = vkAllocateDescriptorSets(b->gpu.device, &info, made);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateDescriptorSets");
    const uint64_t range = b->gpu.chosen->properties.limits.maxStorageBufferRange;
    const VkDescriptorBufferInfo infos[] = {
        {data->buffer, 0, data->size < range ? data->size : range},
        {b->copy.buffer, 0, PLAIN_BINS * sizeof(uint32_t)}};
    VkWriteDescriptorSet writes[2];
    for (uint32_t i = 0; i < COUNT_OF(writes); i++)
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = *made,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &infos[i]};
    vkUpdateDescriptorSets(b->gpu.device, COUNT_OF(writes), writes, 0, NULL);
    return STATUS_DONE;
}

/* ---- All of it ---- */

int histograms_create(bench *b)
{
    struct histograms *h = b->histograms = calloc(1, sizeof *h);
    if (h == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const bool on_cpu = b->gpu.chosen->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    h->workgroup = on_cpu ? 64 : 256;
    h->groups = on_cpu ? 64 : 2048;
    h->size_count = b->settings.size_count;
    for (uint32_t i = 0; i < h->size_count; i++)
        h->most = b->settings.sizes[i] > h->most ? b->settings.sizes[i] : h->most;
    int status = create_data(b);
    if (status == STATUS_DONE)
        status = create_edges(b);
    for (uint32_t i = 0; i < h->size_count && status == STATUS_DONE; i++)
        status = create_image(b, i);
    if (status == STATUS_DONE)
        status = create_layouts(h, b->gpu.device);
    return status == STATUS_DONE ? create_plain(b) : status;
}

int histograms_describe(bench *b)
{
    int status = create_set(b, &b->data, &b->histograms->sets[0]);
    return status == STATUS_DONE ? create_set(b, &b->histograms->constant, &b->histograms->sets[1])
                                 : status;
}

void histograms_close(bench *b)
{
    struct histograms *h = b->histograms;
    if (h == NULL)
        return;
    for (uint32_t i = 0; i < h->size_count; i++) {
        vkDestroyImageView(b->gpu.device, h->texels[i].view, NULL);
        gpu_image_destroy(&b->gpu, &h->images[i]);
    }
    vkDestroyPipeline(b->gpu.device, h->plain, NULL);
    vkDestroyDescriptorPool(b->gpu.device, h->pool, NULL);
    vkDestroyPipelineLayout(b->gpu.device, h->layout, NULL);
    vkDestroyDescriptorSetLayout(b->gpu.device, h->set_layout, NULL);
    gpu_buffer_destroy(&b->gpu, &h->constant);
    gpu_buffer_destroy(&b->gpu, &h->bytes);
    gpu_buffer_destroy(&b->gpu, &h->edges);
    free(h->host_bytes);
    free(h->host_edges);
    free(h->expected);
    free(h);
}
