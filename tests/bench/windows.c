/* SPDX-License-Identifier: MIT */
/* The benchmark of C. Parker and A. MacKinnon, "Multi-Reduction" (2017): all forms on the same
 * elements, with 1 to 8 workgroups per multiprocessor. */
#include "windows.h"
#include <stdlib.h>
#include <unistd.h>
#include "array.h"
#include "buffers.h"
#include "measure.h"
#include "mode.h"
#include "report.h"
#include "status.h"

#define WIDTHS 4u
#define MAX_LOAD 8u
#define UNKNOWN_PROCESSORS 32u
#define GROUP_WINDOWS (WINDOW_GROUP * WINDOW_BATCHES)

/* The modules, by type and W. */
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
static const kernel_code modules[WINDOW_TYPES][WIDTHS] = {
    {MODULE(u32_4), MODULE(u32_8), MODULE(u32_16), MODULE(u32_32)},
    {MODULE(f32_4), MODULE(f32_8), MODULE(f32_16), MODULE(f32_32)},
    {MODULE(f64_4), MODULE(f64_8), MODULE(f64_16), MODULE(f64_32)},
};

const VkrType window_types[WINDOW_TYPES] = {VKR_TYPE_U32, VKR_TYPE_F32, VKR_TYPE_F64};

static const char *const form_names[WINDOW_FORMS] = {
    [WINDOW_NAIVE] = "naive", [WINDOW_MULTI] = "multi",   [WINDOW_DOUBLED] = "doubled",
    [WINDOW_SWAP] = "swap",   [WINDOW_SHARED] = "shared", [WINDOW_ADD] = "subgroupAdd",
};

/* ---- The device ---- */

/* NVIDIA's drivers report the number; for other GPUs UNKNOWN_PROCESSORS is assumed. */
static uint32_t count_processors(const gpu *g)
{
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV known = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &known};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (g->chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return cores > 0 ? (uint32_t)cores : 1;
    vkGetPhysicalDeviceProperties2(g->vulkan.physicalDevice, &properties);
    return known.shaderSMCount > 0 ? known.shaderSMCount : UNKNOWN_PROCESSORS;
}

static int describe(bench *b)
{
    struct windows *w = b->windows = calloc(1, sizeof *w);
    const uint64_t reach = b->gpu.limits.maxStorageBufferRange;
    VkrContextProperties properties;
    if (w == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    vkrGetContextProperties(b->gpu.vulkan.context, &properties);
    w->lanes =
        properties.subgroupSize < WINDOW_MAX_LANES ? properties.subgroupSize : WINDOW_MAX_LANES;
    if (properties.groupPath != VKR_GROUP_PATH_ARITHMETIC || w->lanes < 4)
        return fail(STATUS_USAGE,
                    "--windows: '%s' has subgroups of %u; windows need subgroups of 4 or more with "
                    "arithmetic and shuffles",
                    b->gpu.chosen.name, properties.subgroupSize);
    w->processors = count_processors(&b->gpu);
    const uint64_t most = reach / sizeof(double) / GROUP_WINDOWS / MAX_LOAD;
    if (w->processors > most - 1)
        w->processors = (uint32_t)most - 1;
    return STATUS_DONE;
}

/* ---- Arms ---- */

/* The number of windows per invocation: more if values are made, since dispatches would be too
 * short otherwise. */
static uint32_t batches_of(const bench *b, const window_shape *shape)
{
    return shape->made ? WINDOW_MADE / b->windows->lanes : WINDOW_BATCHES;
}

static bool has(const bench *b, const window_shape *shape)
{
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.vulkan.context, &properties);
    if (window_types[shape->type] == VKR_TYPE_F64 &&
        !vkrIsTypeSupported(b->gpu.vulkan.context, VKR_TYPE_F64))
        return false;
    /* In a wider subgroup, subgroupAdd would add several windows. */
    return shape->form != WINDOW_ADD || properties.subgroupSize == b->windows->lanes;
}

static void add(bench *b, const window_shape *shape)
{
    arm a = {.kind = ARM_WINDOWS,
             .op = "windows",
             .type = window_types[shape->type],
             .groups = b->windows->processors * shape->load,
             .window = *shape};
    snprintf(a.name, sizeof a.name, "windows %s W%u %s%s g%u", vkrTypeName(a.type),
             b->windows->lanes, form_names[shape->form], shape->made ? " made" : "", shape->load);
    if (has(b, shape) &&
        mode_add(b, &a, (uint64_t)a.groups * WINDOW_GROUP * batches_of(b, shape)) &&
        b->windows->most < a.groups * GROUP_WINDOWS)
        b->windows->most = a.groups * GROUP_WINDOWS;
}

static int create_arms(bench *b)
{
    const uint32_t loads = b->settings.quick ? 2 : MAX_LOAD;
    const uint32_t each = 2 * WINDOW_FORMS, most = WINDOW_TYPES * each * loads;
    const int status = mode_allocate(b, most);
    for (uint32_t i = 0; i < most && status == STATUS_DONE; i++)
        add(b, &(window_shape){.type = i / (each * loads),
                               .made = i / WINDOW_FORMS / loads % 2 == 1,
                               .form = (window_form)(i / loads % WINDOW_FORMS),
                               .load = i % loads + 1});
    return status == STATUS_DONE ? mode_check(b) : status;
}

/* ---- Pipelines and descriptors ---- */

enum { BINDING_DATA, BINDING_SUMS, BINDING_SEEN, BINDINGS };

static int create_set(const bench *b, uint32_t type)
{
    struct windows *w = b->windows;
    const kernel_descriptor descriptors[BINDINGS] = {
        [BINDING_DATA] = {.buffer = {w->data[type].buffer, 0, VK_WHOLE_SIZE}},
        [BINDING_SUMS] = {.buffer = {b->copy.buffer, WINDOW_HEAD, VK_WHOLE_SIZE}},
        [BINDING_SEEN] = {.buffer = {b->copy.buffer, 0, WINDOW_HEAD}},
    };
    return kernel_set(&w->layout, &b->gpu, descriptors, &w->sets[type]);
}

/* Batches per iteration: several, since on a CPU an iteration costs as much as a few shuffles; the
 * same number for all forms, and at least two, which the doubled form needs. */
static uint32_t sets_of(const bench *b)
{
    return b->windows->lanes <= 8 ? 4 : 2;
}

static int create_pipeline(const bench *b, const window_shape *shape, VkPipeline *pipeline)
{
    uint32_t width = 0;
    while (4u << width < b->windows->lanes)
        width++;
    const uint32_t values[] = {shape->form, shape->made, sets_of(b), batches_of(b, shape)};
    return kernel_pipeline(&b->windows->layout, &b->gpu, modules[shape->type][width], values,
                           COUNT_OF(values), pipeline);
}

/* Creates the elements of a type. */
static int open_data(const bench *b, uint32_t type)
{
    struct windows *w = b->windows;
    const uint64_t size = vkrTypeSize(window_types[type]) * ((uint64_t)w->most + w->lanes);
    void *elements = malloc((size_t)size);
    if (elements == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    windows_write(w, type, elements);
    int status = buffer_create_filled(&b->gpu, &w->data[type], elements, size);
    if (status == STATUS_DONE)
        status = create_set(b, type);
    free(elements);
    return status;
}

static int open_buffers(bench *b)
{
    struct windows *w = b->windows;
    int status = outputs_create(b, WINDOW_HEAD + sizeof(double) * (VkDeviceSize)w->most);
    w->layout.bindings = BINDINGS;
    for (uint32_t i = 0; i < BINDINGS; i++)
        w->layout.types[i] = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    if (status == STATUS_DONE)
        status = kernel_layout_open(&w->layout, &b->gpu, WINDOW_TYPES);
    if (status == STATUS_DONE && !windows_expect(w))
        status = fail(STATUS_VULKAN, "out of memory");
    return status;
}

static VkPipeline *pipeline_of(const bench *b, const window_shape *shape)
{
    return &b->windows->pipelines[shape->type][shape->made][shape->form];
}

static int prepare_arm(const bench *b, const arm *a)
{
    const window_shape *shape = &a->window;
    int status = STATUS_DONE;
    if (b->windows->data[shape->type].buffer == VK_NULL_HANDLE)
        status = open_data(b, shape->type);
    if (status == STATUS_DONE && *pipeline_of(b, shape) == VK_NULL_HANDLE)
        status = create_pipeline(b, shape, pipeline_of(b, shape));
    return status;
}

static void record(const bench *b, const arm *a, uint64_t n)
{
    (void)n;
    kernel_dispatch(&b->windows->layout, a->commands, *pipeline_of(b, &a->window),
                    b->windows->sets[a->window.type], NULL, a->groups);
}

void windows_close(bench *b)
{
    struct windows *w = b->windows;
    if (w == NULL)
        return;
    VkPipeline *pipelines = &w->pipelines[0][0][0];
    for (size_t i = 0; i < sizeof w->pipelines / sizeof *pipelines; i++)
        vkDestroyPipeline(b->gpu.vulkan.device, pipelines[i], NULL);
    for (uint32_t i = 0; i < WINDOW_TYPES; i++)
        vkrHostFree(b->gpu.host, &w->data[i]);
    kernel_layout_close(&w->layout, &b->gpu);
    free(w->sums);
    free(w->values);
    free(w);
}

/* ---- Measuring ---- */

uint32_t windows_count(const row *r)
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
    const VkDeviceSize element = vkrTypeSize(r->arm->type), left = windows_count(r);
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
    static const mode steps = {.record = record, .finish = finish, .report = report_windows};
    int status = describe(b);
    if (status == STATUS_DONE)
        status = create_arms(b);
    if (status == STATUS_DONE)
        status = open_buffers(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = prepare_arm(b, &b->arms[i]);
    return status == STATUS_DONE ? mode_measure(b, &steps, json) : status;
}
