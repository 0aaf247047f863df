/* SPDX-License-Identifier: MIT */
/* The data of histograms, and a bare kernel that counts the same floats. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "buffers.h"
#include "histograms.h"
#include "status.h"

static const uint32_t plain_code[] =
#include "plain.inc"
    ;

#define EVERY ((1u << VKR_HISTOGRAM_ALGORITHM_COUNT) - 1u)
/* The algorithms for bins that do not fit the shared memory of most devices. */
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

/* Creates edges whose distances grow by a factor of 2 from the first bin to the last. */
static int create_edges(bench *b)
{
    struct histograms *h = b->histograms;
    const uint32_t n = PLAIN_BINS;
    h->host_edges = malloc((n + 1) * sizeof *h->host_edges);
    if (h->host_edges == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint32_t k = 0; k <= n; k++)
        h->host_edges[k] = (float)(exp2((double)k / n) - 1.0);
    int status = gpu_status(vkrHostAlloc(b->gpu.host, (n + 1) * sizeof *h->host_edges,
                                         VKR_HOST_MEMORY_UPLOAD, &h->edges));
    if (status == STATUS_DONE)
        memcpy(h->edges.data, h->host_edges, (n + 1) * sizeof *h->host_edges);
    return status;
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
    int status = buffer_create_filled(&b->gpu, &h->constant, b->host, b->in.size);
    if (status == STATUS_DONE)
        status = input_read(&b->in, 0, (size_t)b->in.size, b->host);
    if (status == STATUS_DONE)
        status = buffer_create_filled(&b->gpu, &b->data, b->host, b->in.size);
    if (status == STATUS_DONE)
        status = input_read(&bytes, 0, (size_t)bytes.size, h->host_bytes);
    return status == STATUS_DONE
               ? buffer_create_filled(&b->gpu, &h->bytes, h->host_bytes, bytes.size)
               : status;
}

/* Creates an image with one texel per element, unless it would be too high. */
static int create_image(bench *b, uint32_t i)
{
    struct histograms *h = b->histograms;
    const uint64_t n = b->settings.sizes[i];
    const uint32_t most = b->gpu.limits.maxImageDimension2D;
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
        status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status == STATUS_DONE) {
        gpu_image_fill(vkrHostCommands(b->gpu.host), &h->bytes, &h->images[i], size);
        status = gpu_status(vkrHostRun(b->gpu.host));
    }
    return status;
}

/* ---- The bare kernel ---- */

static int create_plain(const bench *b)
{
    struct histograms *h = b->histograms;
    const kernel_code code = {plain_code, sizeof plain_code};
    h->layout = (kernel_layout){
        .types = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .bindings = 2,
        .push_size = sizeof(uint32_t)};
    int status = kernel_layout_open(&h->layout, &b->gpu, COUNT_OF(h->sets));
    return status == STATUS_DONE
               ? kernel_pipeline(&h->layout, &b->gpu, code, &h->workgroup, 1, &h->plain)
               : status;
}

static int create_set(const bench *b, const VkrHostMemory *data, VkDescriptorSet *made)
{
    const uint64_t range = b->gpu.limits.maxStorageBufferRange;
    const kernel_descriptor descriptors[] = {
        {.buffer = {data->buffer, 0, data->size < range ? data->size : range}},
        {.buffer = {b->copy.buffer, 0, PLAIN_BINS * sizeof(uint32_t)}}};
    return kernel_set(&b->histograms->layout, &b->gpu, descriptors, made);
}

/* ---- Opening and closing ---- */

int histograms_create(bench *b)
{
    struct histograms *h = b->histograms = calloc(1, sizeof *h);
    if (h == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const bool on_cpu = b->gpu.chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
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
        vkDestroyImageView(b->gpu.vulkan.device, h->texels[i].view, NULL);
        gpu_image_destroy(&b->gpu, &h->images[i]);
    }
    vkDestroyPipeline(b->gpu.vulkan.device, h->plain, NULL);
    kernel_layout_close(&h->layout, &b->gpu);
    vkrHostFree(b->gpu.host, &h->constant);
    vkrHostFree(b->gpu.host, &h->bytes);
    vkrHostFree(b->gpu.host, &h->edges);
    free(h->host_bytes);
    free(h->host_edges);
    free(h->expected);
    free(h);
}
