/* SPDX-License-Identifier: MIT */
#include "parts.h"

static const uint32_t scalar_code[] =
#include "read_scalar.inc"
    ;
static const uint32_t vec4_code[] =
#include "read_vec4.inc"
    ;

static const struct {
    const uint32_t *code;
    size_t size;
    uint32_t values; /* of a load */
} forms[LOAD_FORMS] = {
    [LOAD_SCALAR] = {scalar_code, sizeof scalar_code, 1},
    [LOAD_VEC4] = {vec4_code, sizeof vec4_code, 4},
};

/* As in read.comp. */
typedef struct read_push {
    uint32_t count;
    uint32_t items;
    uint32_t first;
} read_push;

static VkDeviceSize window_size(const gpu *g)
{
    const VkPhysicalDeviceLimits *limits = &g->chosen->properties.limits;
    VkDeviceSize unit = limits->minStorageBufferOffsetAlignment;
    unit = unit < 16 ? 16 : unit;
    return limits->maxStorageBufferRange - limits->maxStorageBufferRange % unit;
}

uint64_t reader_reach(const gpu *g)
{
    return READ_WINDOWS * window_size(g);
}

static int create_layouts(reader *r, const gpu *g)
{
    VkDescriptorSetLayoutBinding bindings[2];
    for (uint32_t i = 0; i < 2; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set = {.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = 2,
                                           .pBindings = bindings};
    VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                                .size = sizeof(read_push)};
    VkResult result = vkCreateDescriptorSetLayout(g->device, &set, NULL, &r->set_layout);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDescriptorSetLayout");
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &r->set_layout,
                                         .pushConstantRangeCount = 1,
                                         .pPushConstantRanges = &push};
    result = vkCreatePipelineLayout(g->device, &layout, NULL, &r->layout);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreatePipelineLayout");
}

static int allocate_sets(reader *r, const gpu *g)
{
    VkDescriptorSetLayout layouts[READ_WINDOWS];
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 * READ_WINDOWS};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = READ_WINDOWS,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult result = vkCreateDescriptorPool(g->device, &pool, NULL, &r->pool);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDescriptorPool");
    for (uint32_t i = 0; i < READ_WINDOWS; i++)
        layouts[i] = r->set_layout;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = r->pool,
                                        .descriptorSetCount = r->window_count,
                                        .pSetLayouts = layouts};
    result = vkAllocateDescriptorSets(g->device, &info, r->sets);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkAllocateDescriptorSets");
}

int reader_open(reader *r, const gpu *g, const gpu_buffer *data, const gpu_buffer *output)
{
    r->window = window_size(g);
    r->window_count = (uint32_t)((data->size + r->window - 1) / r->window);
    int status = create_layouts(r, g);
    if (status != STATUS_DONE || (status = allocate_sets(r, g)) != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < r->window_count; i++) {
        VkDeviceSize offset = i * r->window, left = data->size - offset;
        VkDescriptorBufferInfo buffers[] = {
            {data->buffer, offset, left < r->window ? left : r->window},
            {output->buffer, 0, output->size},
        };
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = r->sets[i],
                                      .descriptorCount = 2,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = buffers};
        vkUpdateDescriptorSets(g->device, 1, &write, 0, NULL);
    }
    return STATUS_DONE;
}

void reader_close(reader *r, const gpu *g)
{
    if (g->device != VK_NULL_HANDLE) {
        vkDestroyDescriptorPool(g->device, r->pool, NULL);
        vkDestroyPipelineLayout(g->device, r->layout, NULL);
        vkDestroyDescriptorSetLayout(g->device, r->set_layout, NULL);
    }
    *r = (reader){0};
}

int reader_pipeline(const reader *r, const gpu *g, load_form form, uint32_t workgroup,
                    VkPipeline *pipeline)
{
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = forms[form].size,
                                     .pCode = forms[form].code};
    VkSpecializationMapEntry entry = {.size = sizeof workgroup};
    VkSpecializationInfo constants = {1, &entry, sizeof workgroup, &workgroup};
    VkShaderModule module;
    VkResult result = vkCreateShaderModule(g->device, &code, NULL, &module);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateShaderModule");
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = r->layout};
    result = vkCreateComputePipelines(g->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    vkDestroyShaderModule(g->device, module, NULL);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateComputePipelines");
}

void reader_record(const reader *r, arm *a, uint64_t n)
{
    uint64_t bytes = 4 * n;
    uint32_t load = 4 * forms[a->form].values, workgroup = a->info.workgroupSize;
    a->words = 0;
    vkCmdBindPipeline(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, a->pipeline);
    for (uint32_t i = 0; i * r->window < bytes; i++) {
        VkDeviceSize left = bytes - i * r->window;
        uint64_t loads = (left < r->window ? left : r->window) / load;
        uint64_t items = (loads - 1) / ((uint64_t)workgroup * READ_GROUPS) + 1;
        items = items < 8 ? 8 : items;
        read_push push = {.count = (uint32_t)loads,
                          .items = (uint32_t)items,
                          .first = (uint32_t)(a->slot / 4) + a->words};
        uint32_t groups = (uint32_t)((loads - 1) / (workgroup * items) + 1);
        vkCmdBindDescriptorSets(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 1,
                                &r->sets[i], 0, NULL);
        vkCmdPushConstants(a->commands, r->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                           &push);
        vkCmdDispatch(a->commands, groups, 1, 1);
        a->words += groups;
    }
}
