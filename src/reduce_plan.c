/* SPDX-License-Identifier: MIT */
/*
 * From a checked reduction to its steps: pure arithmetic.
 *
 * A reduction is a chain of levels. A level reads a source (the elements, or the partials of the
 * level before) and leaves one partial per workgroup, until one workgroup is left and writes the
 * results. A level takes one dispatch per window of its source.
 */
#include <stdio.h>
#include <string.h>
#include "reduce.h"

#define MAX_WINDOW ((uint64_t)1 << 31)
#define MAX_READS 32768u   /* of one invocation in one loop: some drivers end loops at 65,535 */
#define MAX_WINDOWS 16384u /* of a level: more would take the host too long */
#define TREE_ITEMS (VKR_TREE_BLOCK / VKR_TREE_WIDTH)

/* What a level reads, and the partials it leaves. Strides of partials are in words. */
typedef struct level {
    bool elements; /* else partials */
    bool replaced; /* the elements are the values of the level before, in place */
    uint64_t count;
    uint64_t stride;        /* elements: bytes */
    VkDeviceSize offset;    /* of partials in scratch */
    uint32_t items;         /* reads of an invocation */
    uint64_t groups;        /* of all windows */
    VkDeviceSize stored;    /* scratch offset of the partials left */
    uint64_t stored_stride; /* words; bytes in place */
    uint32_t output;        /* VKR_OUTPUT_* */
    VkDeviceSize counter;
} level;

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint32_t partial_words(const vkr_reduce *r)
{
    return r->state_words * r->input.components;
}

/* ---- Geometry ---- */

/* As VKR_ROWS in operator.glsl: which operators need a slot of which width. */
enum { SLOT_KEY, SLOT_ARG, SLOT_SUM, SLOT_COUNT, SLOT_EXACT };
static const struct {
    VkrOpFlags exact_users; /* need an exact sum beside this slot, for narrow integers */
    VkrOpFlags users;
    uint32_t width;
} slots[] = {
    {0, VKR_OP_MIN, SLOT_KEY},     {0, VKR_OP_MAX, SLOT_KEY},
    {0, VKR_OP_ABSMAX, SLOT_KEY},  {0, VKR_OP_ARGMIN, SLOT_ARG},
    {0, VKR_OP_ARGMAX, SLOT_ARG},  {VKR_OP_MEAN, VKR_OP_SUM, SLOT_SUM},
    {0, VKR_OP_PRODUCT, SLOT_SUM}, {VKR_OP_L2, VKR_OP_SUMSQ, SLOT_SUM},
    {0, VKR_OP_L1, SLOT_SUM},      {0, VKR_OP_DOT, SLOT_SUM},
    {0, VKR_OP_AND, SLOT_KEY},     {0, VKR_OP_OR, SLOT_KEY},
    {0, VKR_OP_XOR, SLOT_KEY},     {0, VKR_OP_NAN, SLOT_COUNT},
};

static uint32_t count_state_words(const vkr_reduce *r)
{
    const vkr_type_info *type = r->input.type;
    bool exact = !type->is_float && type->size < 8;
    uint32_t key = type->size == 8 ? 2 : 1;
    uint32_t index = r->wide_index ? 2 : 1;
    const uint32_t widths[] = {
        [SLOT_KEY] = key,
        [SLOT_ARG] = key + index,
        [SLOT_SUM] = vkr_types[r->accumulator].size / 4,
        [SLOT_COUNT] = type->is_float ? index : 0,
        [SLOT_EXACT] = 2,
    };
    uint32_t words = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(slots); i++) {
        VkrOpFlags users = slots[i].users | (exact ? 0 : slots[i].exact_users);
        if ((r->info->ops & users) != 0)
            words += widths[slots[i].width];
        if (exact && (r->info->ops & slots[i].exact_users) != 0)
            words += widths[SLOT_EXACT];
    }
    return words != 0 ? words : 1; /* count alone keeps none, but its partials have places */
}

static uint32_t max_subgroups(const vkr_reduce *r)
{
    return (uint32_t)divide_up(r->workgroup_size, r->context->caps.min_subgroup_size);
}

static bool fits_shared_memory(const vkr_reduce *r)
{
    uint64_t words = r->rung == VKR_RUNG_SHARED ? (uint64_t)r->workgroup_size * r->state_words
                                                : (uint64_t)max_subgroups(r) * partial_words(r);
    return 4 * (words + 2) <= r->context->caps.max_shared_memory;
}

static VkrResult choose_workgroup(vkr_reduce *r, const vkr_reduce_tuning *tuning)
{
    uint32_t asked = r->info->workgroupSize;
    uint32_t most = r->context->caps.max_workgroup_size;
    if ((asked & (asked - 1)) != 0 || asked > most)
        return vkr_fail(r->context,
                        (asked & (asked - 1)) != 0 ? VKR_ERROR_INVALID_ARGUMENT
                                                   : VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: workgroupSize is %u, but must be 0 or a power of two, on "
                        "this device up to %u.",
                        asked, most);
    if (r->canonical && asked != 0 && asked != VKR_TREE_WIDTH)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrCmdReduce: workgroupSize is %u, but must be 0 or %u where determinism "
                        "is VKR_DETERMINISM_DEVICE.",
                        asked, VKR_TREE_WIDTH);
    bool tree = r->algorithm == VKR_REDUCE_TREE || r->algorithm == VKR_REDUCE_RECURSIVE;
    uint32_t tuned = tree ? tuning->tree_workgroup_size : tuning->workgroup_size;
    r->workgroup_size = asked != 0 ? asked : r->canonical ? VKR_TREE_WIDTH : tuned;
    if (r->workgroup_size > most)
        r->workgroup_size = most;
    while (asked == 0 && !r->canonical && r->workgroup_size > 1 && !fits_shared_memory(r))
        r->workgroup_size /= 2;
    if (!fits_shared_memory(r))
        return vkr_fail(
            r->context, VKR_ERROR_UNSUPPORTED,
            "vkrCmdReduce: workgroupSize is %u, but must be less for ops 0x%x to fit the "
            "device's %u bytes of shared memory.",
            r->workgroup_size, r->info->ops, r->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

/* Elements from `first` on that one descriptor reaches. */
static uint64_t view_window(const vkr_reduce *r, const vkr_view *view, uint64_t stride,
                            uint64_t first)
{
    const vkr_caps *caps = &r->context->caps;
    VkDeviceSize slack = (view->offset + first * stride) % caps->granule;
    VkDeviceSize element = (VkDeviceSize)view->type->size * view->components;
    if (slack + element > caps->max_range)
        return 0;
    return (caps->max_range - slack - element) / stride + 1;
}

/* Elements that a descriptor reaches wherever it starts. */
static uint64_t worst_window(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    VkDeviceSize element = (VkDeviceSize)r->input.type->size * r->input.components;
    uint64_t stride = r->input.stride;
    if ((r->info->ops & VKR_OP_DOT) != 0 && r->input2.stride > stride)
        stride = r->input2.stride;
    return (caps->max_range - caps->granule - element) / stride + 1;
}

/* Enough elements for every invocation that the partials are few, but no idle device. A workgroup's
 * share must fit a descriptor, whatever the stride; the canonical tree alone cannot give way. */
static void choose_items(vkr_reduce *r, const vkr_reduce_tuning *tuning)
{
    if (r->canonical) {
        r->items = TREE_ITEMS;
        return;
    }
    uint64_t items = 1;
    if (r->algorithm != VKR_REDUCE_TREE && r->algorithm != VKR_REDUCE_RECURSIVE) {
        items = divide_up(r->count, (uint64_t)r->workgroup_size * tuning->max_groups);
        items = items < tuning->min_items ? tuning->min_items : items;
        items = items > tuning->max_items ? tuning->max_items : items;
    }
    uint64_t fits = worst_window(r);
    while (r->info->workgroupSize == 0 && r->workgroup_size > fits && r->workgroup_size > 1)
        r->workgroup_size /= 2;
    if (items > fits / r->workgroup_size && fits >= r->workgroup_size)
        items = fits / r->workgroup_size;
    r->items = (uint32_t)items;
}

static uint64_t partials_window(const vkr_reduce *r, const level *l, uint64_t first)
{
    const vkr_caps *caps = &r->context->caps;
    VkDeviceSize slack = (l->offset + 4 * first * l->stride) % caps->granule;
    VkDeviceSize partial = 4 * (VkDeviceSize)partial_words(r);
    if (slack + partial > caps->max_range)
        return 0;
    return (caps->max_range - slack - partial) / (4 * l->stride) + 1;
}

/* Workgroups that a dispatch can have, and whose partials fit a descriptor. */
static uint64_t most_groups(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t groups = (uint64_t)caps->max_groups[0] * caps->max_groups[1];
    uint64_t stored = (caps->max_range - caps->granule) / (4 * (uint64_t)partial_words(r));
    if (!r->consume && groups > stored)
        groups = stored;
    return groups < MAX_WINDOW ? groups : MAX_WINDOW;
}

/* How much of the level one dispatch from `first` on covers: whole workgroups, except at the end. 0
 * if not even one workgroup's share fits a descriptor. */
static uint64_t window(const vkr_reduce *r, const level *l, uint64_t first)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    uint64_t reach = chunk * most_groups(r);
    reach = reach < MAX_WINDOW ? reach : MAX_WINDOW;
    uint64_t fits =
        l->elements ? view_window(r, &r->input, l->stride, first) : partials_window(r, l, first);
    if (l->elements && (r->info->ops & VKR_OP_DOT) != 0) {
        uint64_t fits2 = view_window(r, &r->input2, r->input2.stride, first);
        fits = fits2 < fits ? fits2 : fits;
    }
    reach = fits < reach ? fits : reach;
    if (l->count - first <= reach)
        return l->count - first;
    /* Where it costs little, let the next window's partials start a new granule. */
    uint64_t round = chunk * r->context->caps.granule / 4;
    return reach - reach % (reach >= 8 * round ? round : chunk);
}

static VkrResult fail_share(const vkr_reduce *r, const level *l)
{
    unsigned long long range = r->context->caps.max_range;
    uint32_t share = r->workgroup_size * l->items;
    if (!l->elements)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is %s, but a workgroup's share of %u partials, "
                        "%llu bytes apart, must fit maxStorageBufferRange (%llu bytes).",
                        vkrReduceAlgorithmName(r->algorithm), share, 4ull * l->stride, range);
    bool second = (r->info->ops & VKR_OP_DOT) != 0 && r->input2.stride > l->stride;
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    "vkrCmdReduce: %s.stride is %llu, but a workgroup's share of %u elements must "
                    "fit maxStorageBufferRange (%llu bytes).",
                    second ? "input2" : "input",
                    (unsigned long long)(second ? r->input2.stride : l->stride), share, range);
}

/* Sets the number of workgroups in all windows. */
static VkrResult cut_level(const vkr_reduce *r, level *l, uint32_t *windows)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    l->groups = l->count == 0;
    *windows = 1;
    for (uint64_t first = 0; first < l->count;) {
        uint64_t reach = window(r, l, first);
        if (reach == 0)
            return fail_share(r, l);
        if (*windows > MAX_WINDOWS)
            return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                            "vkrCmdReduce: count is %llu, but must need at most %u windows of "
                            "maxStorageBufferRange (%llu bytes).",
                            (unsigned long long)r->count, MAX_WINDOWS,
                            (unsigned long long)r->context->caps.max_range);
        l->groups += divide_up(reach, chunk);
        first += reach;
        *windows += first < l->count;
    }
    return VKR_SUCCESS;
}

static level first_level(const vkr_reduce *r)
{
    return (level){
        .elements = true, .count = r->count, .stride = r->input.stride, .items = r->items};
}

/* Partials that an invocation reads: of several components, a loop over them runs inside. */
static uint32_t max_reads(const vkr_reduce *r)
{
    return r->input.components > 1 ? MAX_READS / (r->input.components + 1) : MAX_READS;
}

/* Whether one workgroup can combine so many partials at once. */
static bool one_group_combines(const vkr_reduce *r, uint64_t partials)
{
    return partials <=
               (r->canonical ? VKR_TREE_BLOCK : (uint64_t)r->workgroup_size * max_reads(r)) &&
           4 * partials * partial_words(r) <= r->context->caps.max_range;
}

/* Single and in place take one dispatch over all elements. */
static VkrResult fail_windows(const vkr_reduce *r, const char *why, uint32_t windows)
{
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                    "vkrCmdReduce: %s, but count is %llu and needs %u, of maxStorageBufferRange "
                    "(%llu bytes) and maxComputeWorkGroupCount (%u x %u).",
                    why, (unsigned long long)r->count, windows,
                    (unsigned long long)r->context->caps.max_range, r->context->caps.max_groups[0],
                    r->context->caps.max_groups[1]);
}

static VkrResult check_single(const vkr_reduce *r, uint64_t groups, uint32_t windows)
{
    if (windows > 1)
        return fail_windows(r, "algorithm is single, which takes one dispatch", windows);
    if (!one_group_combines(r, groups))
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is single, but count is %llu, and one workgroup "
                        "cannot combine the %llu partials of so many elements.",
                        (unsigned long long)r->count, (unsigned long long)groups);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_geometry(vkr_reduce *r)
{
    vkr_reduce_tuning tuning = vkr_tune_reduce(&r->context->caps, r->input.type->size);
    VkrReduceAlgorithm asked = r->info->algorithm;
    if (asked == VKR_REDUCE_AUTO)
        asked = r->consume ? VKR_REDUCE_RECURSIVE : VKR_REDUCE_AUTO;
    r->algorithm = asked == VKR_REDUCE_AUTO ? VKR_REDUCE_SINGLE : asked;
    r->rung = r->canonical || asked == VKR_REDUCE_TREE ? VKR_RUNG_SHARED : r->context->caps.rung;
    r->state_words = count_state_words(r);
    VkrResult result = choose_workgroup(r, &tuning);
    if (result != VKR_SUCCESS)
        return result;
    choose_items(r, &tuning);
    if ((asked == VKR_REDUCE_TREE || asked == VKR_REDUCE_RECURSIVE) && r->count > 1 &&
        r->workgroup_size * r->items == 1)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: algorithm is %s, but needs workgroups of at least 2, and "
                        "workgroupSize %u with input.stride %llu leaves 1.",
                        vkrReduceAlgorithmName(asked), r->info->workgroupSize,
                        (unsigned long long)r->input.stride);

    uint32_t windows;
    level elements = first_level(r);
    result = cut_level(r, &elements, &windows);
    if (result != VKR_SUCCESS)
        return result;
    if (r->consume && windows > 1)
        return fail_windows(r, "flags has VKR_REDUCE_CONSUME_INPUT_BIT, which takes one window",
                            windows);
    if (asked == VKR_REDUCE_SINGLE)
        return check_single(r, elements.groups, windows);
    if (asked == VKR_REDUCE_AUTO && (windows > 1 || !one_group_combines(r, elements.groups)))
        r->algorithm = VKR_REDUCE_SUBGROUP;
    return VKR_SUCCESS;
}

/* ---- Steps ---- */

/* A descriptor for bytes of a buffer, and how far into it they start. */
static VkDeviceSize bind_range(const vkr_reduce *r, vkr_step *step, uint32_t binding,
                               VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    VkDeviceSize slack = offset % r->context->caps.granule;
    step->bindings[binding] = (VkDescriptorBufferInfo){buffer, offset - slack, slack + size};
    return slack;
}

static void use(vkr_step *step, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size,
                VkAccessFlags access)
{
    step->accesses[step->access_count++] =
        (vkr_access){.buffer = buffer,
                     .offset = offset,
                     .size = size,
                     .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                     .access = access};
}

/* Bindings without a use repeat one with: a reading one a reading one where there is any, a writing
 * one a writing one, so that validation sees no access but the real ones. */
static void fill_bindings(vkr_step *step)
{
    static const uint32_t reading[] = {VKR_BINDING_INPUT, VKR_BINDING_INPUT2, VKR_BINDING_COUNT,
                                       VKR_BINDING_PARTIALS};
    static const uint32_t writing[] = {VKR_BINDING_STORED, VKR_BINDING_OUTPUT, VKR_BINDING_COUNTER,
                                       VKR_BINDING_ELEMENT};
    const VkDescriptorBufferInfo *written = NULL;
    for (size_t i = 0; i < 4 && written == NULL; i++)
        if (step->bindings[writing[i]].buffer != VK_NULL_HANDLE)
            written = &step->bindings[writing[i]];
    const VkDescriptorBufferInfo *read = written;
    for (size_t i = 4; i-- > 0;)
        if (step->bindings[reading[i]].buffer != VK_NULL_HANDLE)
            read = &step->bindings[reading[i]];
    for (size_t i = 0; i < 4; i++) {
        if (step->bindings[reading[i]].buffer == VK_NULL_HANDLE)
            step->bindings[reading[i]] = *read;
        if (step->bindings[writing[i]].buffer == VK_NULL_HANDLE)
            step->bindings[writing[i]] = *written;
    }
    step->binding_count = VKR_REDUCE_BINDINGS;
}

static VkrResult find_kernel(const vkr_reduce *r, VkrRung rung, uint32_t *kernel)
{
    static const char *const classes[VKR_TYPE_COUNT] = {
        [VKR_TYPE_I8] = "w8",   [VKR_TYPE_U8] = "w8",   [VKR_TYPE_I16] = "w16",
        [VKR_TYPE_U16] = "w16", [VKR_TYPE_I32] = "w32", [VKR_TYPE_U32] = "w32",
        [VKR_TYPE_I64] = "w64", [VKR_TYPE_U64] = "w64", [VKR_TYPE_F16] = "f16",
        [VKR_TYPE_F32] = "f32", [VKR_TYPE_F64] = "f64",
    };
    char name[64];
    (void)snprintf(name, sizeof(name), "reduce_%s%s%s_%s", classes[r->input.type_id],
                   r->wide ? "_wide" : "", r->input.components > 1 ? "_vector" : "",
                   vkrRungName(rung));
    for (*kernel = 0; *kernel < vkr_kernel_count; ++*kernel)
        if (strcmp(name, vkr_kernels[*kernel].name) == 0)
            return VKR_SUCCESS;
    return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED, "vkrCmdReduce: there is no kernel %s.",
                    name);
}

static VkrResult choose_variant(const vkr_reduce *r, const level *l, vkr_variant *variant)
{
    const VkrReduceInfo *info = r->info;
    uint32_t flags = 0;
    flags |= info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0;
    flags |= r->wide_index ? VKR_FLAG_WIDE_INDEX : 0;
    flags |= r->canonical ? VKR_FLAG_CANONICAL : 0;
    flags |= l->replaced ? VKR_FLAG_REPLACED : 0;
    if (info->gpuCount.buffer != VK_NULL_HANDLE)
        flags |=
            VKR_FLAG_GPU_COUNT | (info->gpuCount.type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    *variant = (vkr_variant){
        .constant_count = VKR_REDUCE_CONSTANTS,
        .constants = {[VKR_CONST_WORKGROUP] = r->workgroup_size,
                      [VKR_CONST_OPS] = info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags,
                      [VKR_CONST_INPUT] = l->elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_CONST_OUTPUT] = l->output,
                      [VKR_CONST_SUBGROUPS] = max_subgroups(r)}};
    return find_kernel(r, r->rung, &variant->kernel);
}

static void bind_view(const vkr_reduce *r, vkr_step *step, uint32_t binding, const vkr_view *view,
                      uint64_t stride, uint64_t first, uint64_t count, VkAccessFlags access,
                      uint32_t *base, uint32_t *element_stride)
{
    if (count == 0)
        return;
    uint32_t unit = view->type->size;
    VkDeviceSize offset = view->offset + first * stride;
    VkDeviceSize size = (count - 1) * stride + (VkDeviceSize)unit * view->components;
    *base = (uint32_t)(bind_range(r, step, binding, view->buffer, offset, size) / unit);
    *element_stride = (uint32_t)(stride / unit);
    use(step, view->buffer, offset, size, access);
}

static void bind_source(const vkr_reduce *r, const level *l, uint64_t first, uint64_t count,
                        vkr_step *step, struct vkr_reduce_push *push)
{
    if (l->elements) {
        bool in_place = l->output >= VKR_OUTPUT_ELEMENT;
        VkAccessFlags access =
            VK_ACCESS_SHADER_READ_BIT | (in_place ? VK_ACCESS_SHADER_WRITE_BIT : 0);
        bind_view(r, step, VKR_BINDING_INPUT, &r->input, l->stride, first, count, access,
                  &push->input_base, &push->input_stride);
        if ((r->info->ops & VKR_OP_DOT) != 0)
            bind_view(r, step, VKR_BINDING_INPUT2, &r->input2, r->input2.stride, first, count,
                      access, &push->input2_base, &push->input2_stride);
        if (in_place && count != 0)
            step->bindings[VKR_BINDING_ELEMENT] = step->bindings[VKR_BINDING_INPUT];
        return;
    }
    VkDeviceSize offset = l->offset + 4 * first * l->stride;
    VkDeviceSize size = 4 * ((count - 1) * l->stride + partial_words(r));
    push->partials_base =
        (uint32_t)(bind_range(r, step, VKR_BINDING_PARTIALS, VKR_SCRATCH, offset, size) / 4);
    push->partials_stride = (uint32_t)l->stride;
    use(step, VKR_SCRATCH, offset, size, VK_ACCESS_SHADER_READ_BIT);
}

static void bind_results(const vkr_reduce *r, vkr_step *step, struct vkr_reduce_push *push)
{
    const VkrBufferRange *output = &r->info->output;
    uint32_t unit = r->input.type->size < 4 ? r->input.type->size : 4;
    VkDeviceSize slack =
        bind_range(r, step, VKR_BINDING_OUTPUT, output->buffer, output->offset, r->layout.size);
    push->output_base = (uint32_t)(slack / unit);
    use(step, output->buffer, output->offset, r->layout.size, VK_ACCESS_SHADER_WRITE_BIT);
}

static void bind_target(const vkr_reduce *r, const level *l, uint64_t first_group, uint64_t groups,
                        vkr_step *step, struct vkr_reduce_push *push)
{
    if (l->output == VKR_OUTPUT_PARTIAL || l->output == VKR_OUTPUT_LAST) {
        VkDeviceSize offset = l->stored + 4 * first_group * l->stored_stride;
        VkDeviceSize size = 4 * ((groups - 1) * l->stored_stride + partial_words(r));
        VkDeviceSize slack = bind_range(r, step, VKR_BINDING_STORED, VKR_SCRATCH, offset, size);
        push->stored_base = (uint32_t)(slack / 4);
        push->stored_stride = (uint32_t)l->stored_stride;
        use(step, VKR_SCRATCH, offset - slack, slack + size,
            VK_ACCESS_SHADER_WRITE_BIT |
                (l->output == VKR_OUTPUT_LAST ? VK_ACCESS_SHADER_READ_BIT : 0));
    } else {
        push->stored_stride = (uint32_t)(l->stored_stride / r->input.type->size);
    }
    if (l->output == VKR_OUTPUT_LAST) {
        step->bindings[VKR_BINDING_PARTIALS] = step->bindings[VKR_BINDING_STORED];
        push->partials_base = push->stored_base;
        push->partials_stride = push->stored_stride;
        (void)bind_range(r, step, VKR_BINDING_COUNTER, VKR_COUNTERS, l->counter, 4);
        use(step, VKR_COUNTERS, l->counter, 4,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    if (l->output != VKR_OUTPUT_PARTIAL && l->output != VKR_OUTPUT_ELEMENT)
        bind_results(r, step, push);
}

static void bind_count(const vkr_reduce *r, vkr_step *step, struct vkr_reduce_push *push)
{
    const VkrGpuCount *count = &r->info->gpuCount;
    if (count->buffer == VK_NULL_HANDLE)
        return;
    VkDeviceSize size = count->type == VKR_TYPE_U64 ? 8 : 4;
    push->count_base =
        (uint32_t)(bind_range(r, step, VKR_BINDING_COUNT, count->buffer, count->offset, size) / 4);
    use(step, count->buffer, count->offset, size, VK_ACCESS_SHADER_READ_BIT);
}

/* One dispatch: elements or partials first .. first + count, workgroups from first_group on. */
static VkrResult add_dispatch(VkrRecorder recorder, const vkr_reduce *r, const level *l,
                              uint64_t first, uint64_t count, uint64_t first_group)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t groups = divide_up(count, (uint64_t)r->workgroup_size * l->items);
    groups = groups == 0 ? 1 : groups;
    struct vkr_reduce_push push = {.capacity_low = (uint32_t)r->count,
                                   .capacity_high = (uint32_t)(r->count >> 32),
                                   .first_low = (uint32_t)first,
                                   .first_high = (uint32_t)(first >> 32),
                                   .count = (uint32_t)count,
                                   .groups = (uint32_t)groups,
                                   .items = l->items};
    vkr_step step = {.label = r->info->label, .push_size = sizeof(push)};
    uint64_t y = divide_up(groups, caps->max_groups[0]);
    uint64_t x = divide_up(groups, y);
    step.groups[0] = (uint32_t)x;
    step.groups[1] = (uint32_t)y;
    bind_source(r, l, first, count, &step, &push);
    bind_target(r, l, first_group, groups, &step, &push);
    bind_count(r, &step, &push);
    fill_bindings(&step);
    memcpy(step.push, &push, sizeof(push));
    VkrResult result = choose_variant(r, l, &step.variant);
    return result == VKR_SUCCESS ? vkr_add_step(recorder, &step) : result;
}

/* All windows of a level. Where the partials of neighbours share a descriptor granule, they count
 * as conflicting, since validation takes them so; with the odd ones last it costs one barrier. */
static VkrResult add_level(VkrRecorder recorder, const vkr_reduce *r, const level *l,
                           uint32_t windows)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    for (uint32_t parity = 0; parity < 2; parity++) {
        uint64_t first = 0;
        uint64_t group = 0;
        for (uint32_t i = 0; i < windows; i++) {
            uint64_t count = l->count == 0 ? 0 : window(r, l, first);
            if (i % 2 == parity) {
                VkrResult result = add_dispatch(recorder, r, l, first, count, group);
                if (result != VKR_SUCCESS)
                    return result;
            }
            first += count;
            group += divide_up(count, chunk);
        }
    }
    return VKR_SUCCESS;
}

/* Where the level leaves its values, and in which form. */
static VkrResult choose_target(VkrRecorder recorder, const vkr_reduce *r, level *l)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    VkrResult result = VKR_SUCCESS;
    if (r->consume) {
        l->output = l->groups == 1 ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
        l->stored_stride = l->stride * chunk;
    } else if (l->groups == 1) {
        l->output = VKR_OUTPUT_RESULT;
    } else if (!l->elements && r->algorithm == VKR_REDUCE_RECURSIVE) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->stored = l->offset;
        l->stored_stride = l->stride * chunk;
    } else {
        bool last = r->algorithm == VKR_REDUCE_SINGLE;
        l->output = last ? VKR_OUTPUT_LAST : VKR_OUTPUT_PARTIAL;
        l->stored_stride = partial_words(r);
        result = vkr_add_scratch(recorder, 4 * l->groups * l->stored_stride, &l->stored);
        if (result == VKR_SUCCESS && last)
            result = vkr_add_counter(recorder, &l->counter);
    }
    return result;
}

static level next_level(const vkr_reduce *r, const level *l)
{
    level next = {.elements = r->consume,
                  .replaced = r->consume,
                  .count = l->groups,
                  .stride = l->stored_stride,
                  .offset = l->stored,
                  .items = l->items};
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        uint64_t items = divide_up(l->groups, r->workgroup_size);
        next.items = items > max_reads(r) ? max_reads(r) : (uint32_t)items;
        uint64_t reach = partials_window(r, &next, 0) / r->workgroup_size;
        if (next.items > reach && reach > 0)
            next.items = (uint32_t)reach;
    }
    return next;
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *r)
{
    for (level l = first_level(r);; l = next_level(r, &l)) {
        uint32_t windows;
        VkrResult result = cut_level(r, &l, &windows);
        if (result == VKR_SUCCESS)
            result = choose_target(recorder, r, &l);
        if (result == VKR_SUCCESS)
            result = add_level(recorder, r, &l, windows);
        if (result != VKR_SUCCESS || l.groups == 1 || l.output == VKR_OUTPUT_LAST)
            return result;
    }
}
