/* SPDX-License-Identifier: MIT */
/* The benchmark of C. Parker, A. MacKinnon, "Multi-Reduction" (2017): 1 to 8 workgroups for each
 * multiprocessor, all forms on the same elements. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "parts.h"

#define WIDTHS 4u
#define MAX_LOAD 8u
#define UNKNOWN_PROCESSORS 32u
#define GROUP_WINDOWS (WINDOW_GROUP * WINDOW_BATCHES)

/* Modules by the binary logarithm of W, less 2. */
static const uint32_t u32_4[] =
#include "windows_u32_4.inc"
    ;
static const uint32_t u32_8[] =
#include "windows_u32_8.inc"
    ;
static const uint32_t u32_16[] =
#include "windows_u32_16.inc"
    ;
static const uint32_t u32_32[] =
#include "windows_u32_32.inc"
    ;
static const uint32_t f32_4[] =
#include "windows_f32_4.inc"
    ;
static const uint32_t f32_8[] =
#include "windows_f32_8.inc"
    ;
static const uint32_t f32_16[] =
#include "windows_f32_16.inc"
    ;
static const uint32_t f32_32[] =
#include "windows_f32_32.inc"
    ;
static const uint32_t f64_4[] =
#include "windows_f64_4.inc"
    ;
static const uint32_t f64_8[] =
#include "windows_f64_8.inc"
    ;
static const uint32_t f64_16[] =
#include "windows_f64_16.inc"
    ;
static const uint32_t f64_32[] =
#include "windows_f64_32.inc"
    ;

#define MODULE(name)                                                                               \
    {                                                                                              \
        name, sizeof name                                                                          \
    }
static const struct {
    const uint32_t *code;
    size_t size;
} modules[WINDOW_TYPES][WIDTHS] = {
    {MODULE(u32_4), MODULE(u32_8), MODULE(u32_16), MODULE(u32_32)},
    {MODULE(f32_4), MODULE(f32_8), MODULE(f32_16), MODULE(f32_32)},
    {MODULE(f64_4), MODULE(f64_8), MODULE(f64_16), MODULE(f64_32)},
};

const VkrType window_types[WINDOW_TYPES] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_F64};

static const char *const form_names[WINDOW_FORMS] = {
    [WINDOW_NAIVE] = "naive", [WINDOW_MULTI] = "multi",   [WINDOW_DOUBLED] = "doubled",
    [WINDOW_SWAP] = "swap",   [WINDOW_SHARED] = "shared", [WINDOW_ADD] = "subgroupAdd",
};

/* ---- What the device is ---- */

/* NVIDIA's drivers report the number; for other GPUs UNKNOWN_PROCESSORS is assumed. */
static uint32_t count_processors(const gpu *g)
{
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV known = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &known};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (g->chosen->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return cores > 0 ? (uint32_t)cores : 1;
    vkGetPhysicalDeviceProperties2(g->chosen->physical, &properties);
    return known.shaderSMCount > 0 ? known.shaderSMCount : UNKNOWN_PROCESSORS;
}

static int describe(bench *b)
{
    windows *w = &b->windows;
    const uint64_t reach = b->gpu.chosen->properties.limits.maxStorageBufferRange;
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.context, &properties);
    w->lanes =
        properties.subgroupSize < WINDOW_MAX_LANES ? properties.subgroupSize : WINDOW_MAX_LANES;
    if (properties.groupPath != VKR_GROUP_PATH_ARITHMETIC || w->lanes < 4)
        return fail(STATUS_USAGE,
                    "--windows: '%s' has subgroups of %u; windows need subgroups of 4 or more with "
                    "arithmetic and shuffles",
                    b->gpu.chosen->properties.deviceName, properties.subgroupSize);
    w->processors = count_processors(&b->gpu);
    const uint64_t most = reach / sizeof(double) / GROUP_WINDOWS / MAX_LOAD;
    if (w->processors > most - 1)
        w->processors = (uint32_t)most - 1;
    return STATUS_DONE;
}

/* ---- Arms ---- */

/* The number of windows of an invocation: more where values are made, since dispatches would be
 * short otherwise. */
static uint32_t batches_of(const bench *b, const window_shape *shape)
{
    return shape->made ? WINDOW_MADE / b->windows.lanes : WINDOW_BATCHES;
}

static bool has(const bench *b, const window_shape *shape)
{
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.context, &properties);
    if (window_types[shape->type] == VKR_TYPE_F64 &&
        b->gpu.chosen->requirements.features.features.shaderFloat64 == VK_FALSE)
        return false;
    /* A sum over a wider subgroup would be that of several windows. */
    return shape->form != WINDOW_ADD || properties.subgroupSize == b->windows.lanes;
}

static void add(bench *b, const window_shape *shape)
{
    arm a = {.kind = ARM_WINDOWS,
             .op = "windows",
             .type = window_types[shape->type],
             .groups = b->windows.processors * shape->load,
             .window = *shape};
    snprintf(a.name, sizeof a.name, "windows %s W%u %s%s g%u", vkrTypeName(a.type),
             b->windows.lanes, form_names[shape->form], shape->made ? " made" : "", shape->load);
    if (!has(b, shape) || !arm_wanted(&b->settings, &a))
        return;
    b->rows[b->arm_count].n = (uint64_t)a.groups * WINDOW_GROUP * batches_of(b, shape);
    b->arms[b->arm_count++] = a;
    if (b->windows.most < a.groups * GROUP_WINDOWS)
        b->windows.most = a.groups * GROUP_WINDOWS;
}

static int create_arms(bench *b)
{
    const uint32_t loads = b->settings.quick ? 2 : MAX_LOAD;
    const uint32_t each = 2 * WINDOW_FORMS, most = WINDOW_TYPES * each * loads;
    b->arms = calloc(most, sizeof *b->arms);
    b->rows = calloc(most, sizeof *b->rows);
    b->order = calloc(most, sizeof *b->order);
    if (b->arms == NULL || b->rows == NULL || b->order == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint32_t i = 0; i < most; i++)
        add(b, &(window_shape){.type = i / (each * loads),
                               .made = i / WINDOW_FORMS / loads % 2 == 1,
                               .form = (window_form)(i / loads % WINDOW_FORMS),
                               .load = i % loads + 1});
    for (uint32_t i = 0; i < b->arm_count; i++)
        b->rows[i].arm = &b->arms[i];
    b->settings.size_count = 1;
    return arms_check_filters(&b->settings, b->arms, b->arm_count);
}

/* ---- Pipelines and descriptors ---- */

enum { BINDING_DATA, BINDING_SUMS, BINDING_SEEN, BINDINGS };

static int create_layouts(windows *w, VkDevice device)
{
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        bindings[i] =
            (VkDescriptorSetLayoutBinding){.binding = i,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    VkDescriptorSetLayoutCreateInfo set = {.sType =
                                               VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                           .bindingCount = BINDINGS,
                                           .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(device, &set, NULL, &w->set_layout);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDescriptorSetLayout");
    VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                         .setLayoutCount = 1,
                                         .pSetLayouts = &w->set_layout};
    result = vkCreatePipelineLayout(device, &layout, NULL, &w->layout);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreatePipelineLayout");
}

static int allocate_sets(windows *w, VkDevice device)
{
    VkDescriptorSetLayout layouts[WINDOW_TYPES];
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, BINDINGS * WINDOW_TYPES};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .maxSets = WINDOW_TYPES,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &size};
    VkResult result = vkCreateDescriptorPool(device, &pool, NULL, &w->pool);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDescriptorPool");
    for (uint32_t i = 0; i < WINDOW_TYPES; i++)
        layouts[i] = w->set_layout;
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = w->pool,
                                        .descriptorSetCount = WINDOW_TYPES,
                                        .pSetLayouts = layouts};
    result = vkAllocateDescriptorSets(device, &info, w->sets);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkAllocateDescriptorSets");
}

static void write_set(const bench *b, uint32_t type)
{
    const VkDescriptorBufferInfo infos[BINDINGS] = {
        [BINDING_DATA] = {b->windows.data[type].buffer, 0, VK_WHOLE_SIZE},
        [BINDING_SUMS] = {b->copy.buffer, WINDOW_HEAD, VK_WHOLE_SIZE},
        [BINDING_SEEN] = {b->copy.buffer, 0, WINDOW_HEAD},
    };
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = b->windows.sets[type],
                                        .descriptorCount = BINDINGS,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = infos};
    vkUpdateDescriptorSets(b->gpu.device, 1, &write, 0, NULL);
}

/* Several batches in a trip, for a loop costs as much as a few shuffles on a CPU; as many for all
 * forms, and two at least for doubled ones. */
static uint32_t sets_of(const bench *b)
{
    return b->windows.lanes <= 8 ? 4 : 2;
}

static int create_pipeline(const bench *b, const window_shape *shape, VkPipeline *pipeline)
{
    uint32_t width = 0;
    while (4u << width < b->windows.lanes)
        width++;
    const uint32_t values[] = {shape->form, shape->made, sets_of(b), batches_of(b, shape)};
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
    const VkSpecializationInfo constants = {COUNT_OF(entries), entries, sizeof values, values};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = modules[shape->type][width].size,
                                           .pCode = modules[shape->type][width].code};
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
        .layout = b->windows.layout};
    result = vkCreateComputePipelines(b->gpu.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
    vkDestroyShaderModule(b->gpu.device, module, NULL);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateComputePipelines");
}

/* The elements of a type that arms ask for. */
static int open_data(bench *b, uint32_t type)
{
    const windows *w = &b->windows;
    const uint64_t size = vkrTypeSize(window_types[type]) * ((uint64_t)w->most + w->lanes);
    input in = {.name = "windows",
                .source = SOURCE_MEMORY,
                .memory = malloc((size_t)size),
                .type = VKR_TYPE_U8,
                .components = 1,
                .size = size};
    if (in.memory == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    windows_write(w, type, in.memory);
    int status = gpu_buffer_create(&b->gpu, &b->windows.data[type], size, MEMORY_DEVICE);
    if (status == STATUS_DONE)
        status = gpu_upload(&b->gpu, &b->windows.data[type], &in);
    if (status == STATUS_DONE)
        write_set(b, type);
    free(in.memory);
    return status;
}

static int open_buffers(bench *b)
{
    const VkDeviceSize size = WINDOW_HEAD + sizeof(double) * (VkDeviceSize)b->windows.most;
    int status = gpu_buffer_create(&b->gpu, &b->copy, size, MEMORY_UNMAPPED);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&b->gpu, &b->copied, size, MEMORY_READBACK);
    if (status == STATUS_DONE)
        status = create_layouts(&b->windows, b->gpu.device);
    if (status == STATUS_DONE)
        status = allocate_sets(&b->windows, b->gpu.device);
    if (status == STATUS_DONE && !windows_expect(&b->windows))
        status = fail(STATUS_VULKAN, "out of memory");
    return status;
}

static int prepare_arm(bench *b, arm *a)
{
    const window_shape *shape = &a->window;
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = b->gpu.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    VkPipeline *pipeline = &b->windows.pipelines[shape->type][shape->made][shape->form];
    VkResult result = vkAllocateCommandBuffers(b->gpu.device, &commands, &a->commands);
    int status = result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkAllocateCommandBuffers");
    if (status == STATUS_DONE && b->windows.data[shape->type].buffer == VK_NULL_HANDLE)
        status = open_data(b, shape->type);
    if (status == STATUS_DONE && *pipeline == VK_NULL_HANDLE)
        status = create_pipeline(b, shape, pipeline);
    if (status != STATUS_DONE)
        return status;
    gpu g = b->gpu;
    g.commands = a->commands;
    if ((status = gpu_begin(&g)) != STATUS_DONE)
        return status;
    gpu_start_clock(&g);
    vkCmdBindPipeline(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, *pipeline);
    vkCmdBindDescriptorSets(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->windows.layout, 0, 1,
                            &b->windows.sets[shape->type], 0, NULL);
    vkCmdDispatch(a->commands, a->groups, 1, 1);
    gpu_stop_clock(&g);
    return gpu_end(&g);
}

void windows_close(bench *b)
{
    windows *w = &b->windows;
    VkPipeline *pipelines = &w->pipelines[0][0][0];
    free(w->sums);
    free(w->values);
    if (b->gpu.device == VK_NULL_HANDLE)
        return;
    for (size_t i = 0; i < sizeof w->pipelines / sizeof *pipelines; i++)
        vkDestroyPipeline(b->gpu.device, pipelines[i], NULL);
    for (uint32_t i = 0; i < WINDOW_TYPES; i++)
        gpu_buffer_destroy(&b->gpu, &w->data[i]);
    vkDestroyDescriptorPool(b->gpu.device, w->pool, NULL);
    vkDestroyPipelineLayout(b->gpu.device, w->layout, NULL);
    vkDestroyDescriptorSetLayout(b->gpu.device, w->set_layout, NULL);
}

/* ---- Measuring ---- */

uint32_t windows_left(const row *r)
{
    return r->arm->window.made ? r->arm->groups * WINDOW_GROUP : (uint32_t)r->n;
}

static double ns_of_naive(const bench *b, const window_shape *of)
{
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const window_shape *shape = &b->arms[i].window;
        if (shape->form == WINDOW_NAIVE && shape->type == of->type && shape->made == of->made &&
            shape->load == of->load)
            return row_ns(&b->rows[i]);
    }
    return 0.0;
}

static int finish(bench *b, row *r)
{
    const VkDeviceSize element = vkrTypeSize(r->arm->type), left = windows_left(r);
    int status = measure_again(b, r->arm, WINDOW_HEAD + element * left);
    if (status != STATUS_DONE)
        return status;
    windows_verify(b, r);
    r->bytes = (double)(element * (r->arm->window.made ? left : 2 * left));
    r->ratios[RATIO_NAIVE] = ns_of_naive(b, &r->arm->window) / row_ns(r);
    return STATUS_DONE;
}

int windows_measure(bench *b, FILE *json)
{
    int status = describe(b);
    if (status == STATUS_DONE)
        status = create_arms(b);
    if (status == STATUS_DONE)
        status = open_buffers(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = prepare_arm(b, &b->arms[i]);
    if (status == STATUS_DONE)
        status = measure_turns(b, b->rows);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = finish(b, &b->rows[i]);
    if (status != STATUS_DONE)
        return status;
    report_windows(b);
    if (json != NULL)
        report_json(json, b, b->rows);
    return STATUS_DONE;
}
