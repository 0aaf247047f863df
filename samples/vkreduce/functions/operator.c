/* SPDX-License-Identifier: MIT */
/* An operator's elements on the device, which its functions read themselves. */
#include <string.h>
#include "functions/functions.h"
#include "status.h"

enum { DATA, FIRST, BINDINGS };
enum { FIRST_DISTANCE = 256 }; /* bytes: the maximum alignment of descriptor offsets */

static int create_sets(functions *f, const gpu *g)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       BINDINGS * FUNCTION_PARTS};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = FUNCTION_PARTS,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    int status = gpu_check(vkCreateDescriptorSetLayout(g->device, &layout, NULL, &f->layout),
                           "vkCreateDescriptorSetLayout");
    if (status == STATUS_DONE)
        status = gpu_check(vkCreateDescriptorPool(g->device, &pool, NULL, &f->pool),
                           "vkCreateDescriptorPool");
    for (uint32_t i = 0; i < FUNCTION_PARTS && status == STATUS_DONE; i++) {
        const VkDescriptorSetAllocateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
            .descriptorPool = f->pool,
            .descriptorSetCount = 1,
            .pSetLayouts = &f->layout};
        status = gpu_check(vkAllocateDescriptorSets(g->device, &info, &f->sets[i]),
                           "vkAllocateDescriptorSets");
    }
    return status;
}

static void write_set(const functions *f, const gpu *g, uint32_t part)
{
    const VkDescriptorBufferInfo data = {f->data.buffer, 0, f->data.size};
    const VkDescriptorBufferInfo first = {f->firsts.buffer, part * FIRST_DISTANCE,
                                          sizeof(uint32_t)};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = f->sets[part],
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    VkWriteDescriptorSet writes[BINDINGS] = {write, write};
    writes[DATA].pBufferInfo = &data;
    writes[FIRST].dstBinding = FIRST;
    writes[FIRST].pBufferInfo = &first;
    vkUpdateDescriptorSets(g->device, BINDINGS, writes, 0, NULL);
}

int operator_create(functions *f, const gpu *g, const input *in)
{
    const uint64_t most = g->chosen->properties.limits.maxStorageBufferRange;
    if (in->size + 15 > most)
        return fail(STATUS_USAGE,
                    "%s: it has %llu bytes of values; --operator reads fewer than %llu with '%s'",
                    in->name, (unsigned long long)in->size, (unsigned long long)most,
                    g->chosen->properties.deviceName);
    int status = create_sets(f, g);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &f->data, in->size, MEMORY_DEVICE);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &f->firsts, FUNCTION_PARTS * FIRST_DISTANCE, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        memset(f->firsts.map, 0, FUNCTION_PARTS * FIRST_DISTANCE);
    for (uint32_t i = 0; i < FUNCTION_PARTS && status == STATUS_DONE; i++)
        write_set(f, g, i);
    return status;
}

int operator_upload(const functions *f, const gpu *g, const input *in)
{
    return gpu_upload(g, &f->data, in);
}

void operator_describe(const functions *f, uint32_t part, uint32_t first, VkrHook *hook,
                       VkrMonoid *monoid)
{
    memcpy((char *)f->firsts.map + part * FIRST_DISTANCE, &first, sizeof first);
    *hook = f->hook;
    hook->set = f->sets[part];
    *monoid = (VkrMonoid){.hook = hook,
                          .combine = "combine",
                          .identity = "identity",
                          .finish = f->has_finish ? "finish" : NULL,
                          .commutative = f->is_commutative};
}

void operator_destroy(functions *f, const gpu *g)
{
    if (g->device == VK_NULL_HANDLE)
        return;
    gpu_buffer_destroy(g, &f->data);
    gpu_buffer_destroy(g, &f->firsts);
    vkDestroyDescriptorPool(g->device, f->pool, NULL);
    vkDestroyDescriptorSetLayout(g->device, f->layout, NULL);
}
