/* SPDX-License-Identifier: MIT */
#include "device/srgb.h"
#include <math.h>
#include <string.h>
#include "device/image.h"
#include "status.h"

static double decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

float srgb_decode(uint32_t code, uint32_t max)
{
    return (float)decode((double)code / max);
}

/* An image with one row of all codes, and the values that the library reads from it. */
typedef struct probe {
    gpu_image image;
    VkrImage described;
    VkrHostMemory codes, values;
    VkrReduceInfo info; /* gives the maximum of each texel alone */
    VkrReduceLayout layout;
} probe;

static int open_probe(const gpu *g, probe *p)
{
    const VkExtent2D size = {SRGB_CODES, 1};
    int status =
        gpu_image_create(g, &p->image, SRGB_FORMAT, size, 1, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &p->image, 0, size, image_read.layout, &p->described);
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(g->host, 4 * (VkDeviceSize)SRGB_CODES, VKR_HOST_MEMORY_UPLOAD, &p->codes));
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < SRGB_CODES; i++)
        memset((char *)p->codes.data + 4 * i, (int)i, 4);
    p->info = (VkrReduceInfo){.label = "sRGB",
                              .ops = VKR_OP_MAX,
                              .input = {.image = &p->described, .components = 1},
                              .count = SRGB_CODES,
                              .segments = {.kind = VKR_SEGMENTS_ROWS, .length = 1}};
    status = gpu_status(vkrGetReduceLayout(g->vulkan.context, &p->info, &p->layout));
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(g->host, p->layout.size, VKR_HOST_MEMORY_READBACK, &p->values));
    p->info.output = (VkrBufferRange){p->values.buffer, 0, p->layout.size};
    return status;
}

static int run_probe(const gpu *g, probe *p)
{
    VkrResult result = vkrHostBegin(g->host);
    if (result == VKR_SUCCESS) {
        gpu_image_fill(vkrHostCommands(g->host), &p->codes, &p->image, (VkExtent2D){SRGB_CODES, 1});
        result = vkrCmdReduce(vkrHostRecorder(g->host), &p->info);
    }
    return gpu_status(result == VKR_SUCCESS ? vkrHostRun(g->host) : result);
}

static int take_values(const gpu *g, const probe *p, float table[SRGB_CODES])
{
    uint32_t bit = 0;
    while (1u << bit != VKR_OP_MAX)
        bit++;
    for (uint32_t i = 0; i < SRGB_CODES; i++) {
        memcpy(&table[i],
               (const char *)p->values.data + i * p->layout.stride + p->layout.results[bit].offset,
               sizeof table[i]);
        if (!((double)table[i] >= decode((i - 0.5) / 255) &&
              (double)table[i] <= decode((i + 0.5) / 255)))
            return fail(STATUS_VULKAN, "'%s' decodes the sRGB value %u as %g instead of %g",
                        g->chosen.name, i, (double)table[i], (double)srgb_decode(i, 255));
    }
    return STATUS_DONE;
}

int srgb_read(const gpu *g, float table[SRGB_CODES])
{
    probe p = {0};
    int status = open_probe(g, &p);
    if (status == STATUS_DONE)
        status = run_probe(g, &p);
    if (status == STATUS_DONE)
        status = take_values(g, &p, table);
    vkDestroyImageView(g->vulkan.device, p.described.view, NULL);
    gpu_image_destroy(g, &p.image);
    vkrHostFree(g->host, &p.codes);
    vkrHostFree(g->host, &p.values);
    return status;
}
