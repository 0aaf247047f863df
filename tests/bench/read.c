/* SPDX-License-Identifier: MIT */
#include "read.h"
#include <stdlib.h>
#include "array.h"
#include "kernel.h"
#include "status.h"

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
    kernel_code code;
    uint32_t load; /* bytes */
} forms[LOAD_FORMS] = {
    [LOAD_SCALAR] = {{scalar_code, sizeof scalar_code}, 4},
    [LOAD_VEC4] = {{vec4_code, sizeof vec4_code}, 16},
    [LOAD_U64X4] = {{u64x4_code, sizeof u64x4_code}, 32},
    [LOAD_TEXEL] = {{texel_code, sizeof texel_code}, 16},
};

struct reader {
    VkDeviceSize window; /* bytes */
    uint32_t window_count;
    kernel_layout layout;
    VkDescriptorSet sets[READ_WINDOWS]; /* of the windows */
};

/* For small sizes: the number of workgroups before their shares grow, and the minimum number of
 * bytes that are worth a workgroup. */
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
    const VkPhysicalDeviceLimits *limits = &g->limits;
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
    vkrGetContextProperties(g->vulkan.context, &properties);
    if (properties.groupPath != VKR_GROUP_PATH_ARITHMETIC)
        return false;
    return form != LOAD_U64X4 || vkrIsTypeSupported(g->vulkan.context, VKR_TYPE_U64);
}

/* Window i of a buffer; where the buffer ends before it, a window that no arm uses. */
static VkDescriptorBufferInfo window_of(const struct reader *r, const VkrHostMemory *b, uint32_t i)
{
    VkDeviceSize offset = i * r->window < b->size ? i * r->window : 0, left = b->size - offset;
    return (VkDescriptorBufferInfo){b->buffer, offset, left < r->window ? left : r->window};
}

int reader_open(bench *b)
{
    struct reader *r = b->reader = calloc(1, sizeof *r);
    if (r == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    /* No arm reads texels of data that is too large for a view; any valid view will do. */
    const VkBufferView texels =
        b->data.texels.view != VK_NULL_HANDLE ? b->data.texels.view : b->count.texels.view;
    r->window = window_size(&b->gpu);
    r->window_count = (uint32_t)((b->data.size + r->window - 1) / r->window);
    r->layout = (kernel_layout){.bindings = BINDINGS, .push_size = sizeof(read_push)};
    for (uint32_t i = 0; i < BINDINGS; i++)
        r->layout.types[i] = i == BINDING_TEXELS ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                 : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    int status = kernel_layout_open(&r->layout, &b->gpu, READ_WINDOWS);
    for (uint32_t i = 0; i < r->window_count && status == STATUS_DONE; i++) {
        const kernel_descriptor descriptors[BINDINGS] = {
            [BINDING_DATA] = {.buffer = window_of(r, &b->data, i)},
            [BINDING_WORDS] = {.buffer = {b->output.buffer, 0, b->output.size}},
            [BINDING_TEXELS] = {.texels = texels},
            [BINDING_COPY] = {.buffer = window_of(r, &b->copy, i)},
        };
        status = kernel_set(&r->layout, &b->gpu, descriptors, &r->sets[i]);
    }
    return status;
}

void reader_close(bench *b)
{
    if (b->reader != NULL)
        kernel_layout_close(&b->reader->layout, &b->gpu);
    free(b->reader);
}

int reader_pipeline(const bench *b, const read_shape *shape, VkPipeline *pipeline)
{
    const uint32_t values[] = {shape->workgroup, shape->kind, shape->chunked, shape->flight};
    return kernel_pipeline(&b->reader->layout, &b->gpu, forms[shape->form].code, values,
                           COUNT_OF(values), pipeline);
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

/* The number of loads per invocation, a multiple of the loads in flight. */
static uint64_t items_of(const struct reader *r, const read_shape *shape, uint64_t loads)
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

void reader_record(const bench *b, arm *a, uint64_t n)
{
    const struct reader *r = b->reader;
    const read_shape *shape = &a->shape;
    uint64_t bytes = 4 * n;
    a->groups = 0;
    for (uint32_t i = 0; i * r->window < bytes; i++) {
        VkDeviceSize left = bytes - i * r->window;
        uint64_t loads = (left < r->window ? left : r->window) / forms[shape->form].load;
        uint64_t items = items_of(r, shape, loads);
        const read_push push = {.count = (uint32_t)loads,
                                .items = (uint32_t)items,
                                .first = (uint32_t)(a->slot / 8) + a->groups,
                                .texel = (uint32_t)(i * r->window / 16)};
        uint32_t groups = (uint32_t)divide_up(loads, shape->workgroup * items);
        kernel_dispatch(&r->layout, a->commands, a->pipeline, r->sets[i], &push, groups);
        a->groups += groups;
    }
}
