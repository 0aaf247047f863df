/* SPDX-License-Identifier: MIT */
#include "parts.h"

static const uint32_t scalar_code[] =
#include "read_scalar.inc"
    ;
static const uint32_t vec4_code[] =
#include "read_vec4.inc"
    ;
static const uint32_t u64x4_code[] =
#include "read_u64x4.inc"
    ;
static const uint32_t texel_code[] =
#include "read_texel.inc"
    ;

static const struct {
    const uint32_t *code;
    size_t size;
    uint32_t load; /* bytes */
} forms[LOAD_FORMS] = {
    [LOAD_SCALAR] = {scalar_code, sizeof scalar_code, 4},
    [LOAD_VEC4] = {vec4_code, sizeof vec4_code, 16},
    [LOAD_U64X4] = {u64x4_code, sizeof u64x4_code, 32},
    [LOAD_TEXEL] = {texel_code, sizeof texel_code, 16},
};

/* For small sizes: the number of workgroups before their shares grow, and the bytes that are worth
 * starting one for. */
#define ENOUGH_GROUPS 32u
#define MIN_BYTES 4096u

/* The bindings of read.comp. */
enum { BINDING_DATA, BINDING_WORDS, BINDING_TEXELS, BINDING_COPY, BINDINGS };

/* The push constants of read.comp. */
typedef struct read_push {
    uint32_t count;
    uint32_t items;
    uint32_t first;
    uint32_t texel;
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

bool reader_has(const gpu *g, load_form form)
{
    VkrContextProperties properties;
    vkrGetContextProperties(g->context, &properties);
    if (properties.groupPath != VKR_GROUP_PATH_ARITHMETIC)
        return false;
    return form != LOAD_U64X4 || g->chosen->requirements.features.features.shaderInt64 == VK_TRUE;
}

static VkDescriptorType descriptor_type(uint32_t binding)
{
    return binding == BINDING_TEXELS ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                     : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static int create_layouts(reader *r, const gpu *g)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = descriptor_type(i),
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set = {.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = BINDINGS,
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
    VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, (BINDINGS - 1) * READ_WINDOWS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, READ_WINDOWS},
    };
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = READ_WINDOWS,
                                       .poolSizeCount = COUNT_OF(sizes),
                                       .pPoolSizes = sizes};
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

/* Window i of a buffer; where the buffer ends before it, a window that no arm uses. */
static VkDescriptorBufferInfo window_of(const reader *r, const gpu_buffer *b, uint32_t i)
{
    VkDeviceSize offset = i * r->window < b->size ? i * r->window : 0, left = b->size - offset;
    return (VkDescriptorBufferInfo){b->buffer, offset, left < r->window ? left : r->window};
}

int reader_open(reader *r, const gpu *g, const reader_buffers *buffers)
{
    const gpu_buffer *data = buffers->data;
    VkBufferView texels =
        data->texels.view != VK_NULL_HANDLE ? data->texels.view : buffers->any->texels.view;
    r->window = window_size(g);
    r->window_count = (uint32_t)((data->size + r->window - 1) / r->window);
    int status = create_layouts(r, g);
    if (status != STATUS_DONE || (status = allocate_sets(r, g)) != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < r->window_count; i++) {
        VkDescriptorBufferInfo infos[BINDINGS] = {
            [BINDING_DATA] = window_of(r, data, i),
            [BINDING_WORDS] = {buffers->output->buffer, 0, buffers->output->size},
            [BINDING_COPY] = window_of(r, buffers->copy, i),
        };
        VkWriteDescriptorSet writes[BINDINGS];
        for (uint32_t k = 0; k < BINDINGS; k++)
            writes[k] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .dstSet = r->sets[i],
                                               .dstBinding = k,
                                               .descriptorCount = 1,
                                               .descriptorType = descriptor_type(k),
                                               .pBufferInfo = &infos[k],
                                               .pTexelBufferView = &texels};
        vkUpdateDescriptorSets(g->device, BINDINGS, writes, 0, NULL);
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

int reader_pipeline(const reader *r, const gpu *g, const read_shape *shape, VkPipeline *pipeline)
{
    uint32_t values[] = {shape->workgroup, shape->kind, shape->chunked, shape->flight};
    VkSpecializationMapEntry entries[COUNT_OF(values)];
    for (uint32_t i = 0; i < COUNT_OF(values); i++)
        entries[i] =
            (VkSpecializationMapEntry){i, i * (uint32_t)sizeof values[0], sizeof values[0]};
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = forms[shape->form].size,
                                     .pCode = forms[shape->form].code};
    VkSpecializationInfo constants = {COUNT_OF(values), entries, sizeof values, values};
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

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* The number of loads of an invocation, in whole flights. */
static uint64_t items_of(const reader *r, const read_shape *shape, uint64_t loads)
{
    uint64_t lanes = shape->workgroup, load = forms[shape->form].load;
    uint64_t groups = READ_GROUPS / r->window_count;
    groups = shape->groups == 0 || groups < shape->groups ? groups : shape->groups;
    uint64_t items = loads / (lanes * ENOUGH_GROUPS), least = MIN_BYTES / (lanes * load);
    items = items > least ? items : least;
    items = items < shape->share / load ? items : shape->share / load;
    least = divide_up(loads, lanes * groups);
    items = items > least ? items : least;
    return divide_up(items, shape->flight) * shape->flight;
}

void reader_record(const reader *r, arm *a, uint64_t n)
{
    const read_shape *shape = &a->shape;
    uint32_t load = forms[shape->form].load;
    uint64_t bytes = 4 * n;
    a->groups = 0;
    vkCmdBindPipeline(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, a->pipeline);
    for (uint32_t i = 0; i * r->window < bytes; i++) {
        VkDeviceSize left = bytes - i * r->window;
        uint64_t loads = (left < r->window ? left : r->window) / load;
        uint64_t items = items_of(r, shape, loads);
        read_push push = {.count = (uint32_t)loads,
                          .items = (uint32_t)items,
                          .first = (uint32_t)(a->slot / 8) + a->groups,
                          .texel = (uint32_t)(i * r->window / 16)};
        uint32_t groups = (uint32_t)divide_up(loads, shape->workgroup * items);
        vkCmdBindDescriptorSets(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 1,
                                &r->sets[i], 0, NULL);
        vkCmdPushConstants(a->commands, r->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push,
                           &push);
        vkCmdDispatch(a->commands, groups, 1, 1);
        a->groups += groups;
    }
}
