/* SPDX-License-Identifier: MIT */
/* Random valid compactions, and the bytes that they may touch. */
#include "ranges.h"

/* Roles of buffers. Each payload has two roles, starting at PAYLOADS; each count output has one,
 * starting at COUNTS. */
enum {
    FLAGS = 1,
    GPU_COUNT,
    CONSTANTS,
    KEPT,
    INDICES,
    RUNS,
    APPEND,
    REJECTED,
    REJECTED_INDICES,
    PAYLOADS,
    MAX_PAYLOADS = 6,
    COUNTS = PAYLOADS + 2 * MAX_PAYLOADS,
    MAX_COUNTS = 5
};

static uint64_t type_mask(VkrType type)
{
    return UINT64_MAX >> (64 - 8 * vkrTypeSize(type));
}

static VkrConstant random_constant(uint64_t *seed, VkrType type)
{
    const uint64_t value = random_below(seed, 128);
    if (is_float(type))
        return (VkrConstant){.f = (double)value / 8.0 - 5.0};
    return (VkrConstant){.u = value};
}

VkrPredicate random_predicate(uint64_t *seed, operation *o, const VkrView *input, uint64_t count)
{
    const VkrType type = input->type;
    VkrPredicate p = {.kind = (VkrPredicateKind)random_below(seed, VKR_PREDICATE_KIND_COUNT),
                      .negate = (VkBool32)random_below(seed, 2),
                      .component = (uint32_t)random_below(seed, input->components)};
    /* Both an element and the one before it must lie in one descriptor. */
    if (p.kind == VKR_PREDICATE_UNIQUE &&
        view_stride(input) > plan.device.maxStorageBufferRange / 4)
        p.kind = VKR_PREDICATE_NONZERO;
    if (p.kind == VKR_PREDICATE_COMPARE) {
        p.compare = (VkrCompare)(1 + random_below(seed, VKR_COMPARE_COUNT - 1));
        p.compare2 = (VkrCompare)random_below(seed, VKR_COMPARE_COUNT);
        p.a = random_constant(seed, type);
        p.b = random_constant(seed, type);
    }
    if (p.kind == VKR_PREDICATE_COMPARE && random_below(seed, 3) == 0) {
        const uint64_t unit = vkrTypeSize(type);
        const uint64_t size = p.compare2 == VKR_COMPARE_NONE ? unit : 2 * unit;
        p.gpuConstants =
            (VkrBufferRange){letter(o, CONSTANTS), unit * random_below(seed, 100), size};
        add_region(o, p.gpuConstants.buffer, p.gpuConstants.offset, size, false);
        add_entries(o, p.gpuConstants.buffer, p.gpuConstants.offset, size, size, 1);
    }
    if (p.kind == VKR_PREDICATE_BITS) {
        p.compare = random_below(seed, 2) ? VKR_COMPARE_EQUAL : VKR_COMPARE_NOT_EQUAL;
        p.mask = random_below(seed, UINT64_MAX) & type_mask(type);
        p.value = random_below(seed, UINT64_MAX) & p.mask;
    }
    if (p.kind == VKR_PREDICATE_FLAGS)
        p.flags = random_flags(seed, o, letter(o, FLAGS), count);
    return p;
}

/* Draws an output; half of the time it is a null view. */
static VkrView random_output(uint64_t *seed, operation *o, uint32_t role, VkrType type,
                             uint32_t components, uint64_t count)
{
    if (random_below(seed, 2))
        return (VkrView){0};
    const uint64_t entries = random_below(seed, 3) ? count : random_below(seed, count + 1);
    VkrView view = view_of(seed, letter(o, role), type, components, entries);
    if (view.size == 0 && view.offset == 0)
        return (VkrView){0};
    if (view.size == 0)
        view.bufferSize = view.offset; /* the buffer ends where the view starts */
    add_region(o, view.buffer, view.offset, view.size, true);
    mark_wide(o, &view);
    return view;
}

static uint64_t payload_unit(uint32_t size)
{
    return size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
}

static uint64_t random_stride(uint64_t *seed, uint32_t size)
{
    return random_below(seed, 2) ? 0 : size + payload_unit(size) * random_below(seed, 4);
}

static uint64_t entries_of(const VkrPayload *p)
{
    const uint64_t stride = p->targetStride ? p->targetStride : p->size;
    return p->target.size < p->size ? 0 : (p->target.size - p->size) / stride + 1;
}

static VkrPayload random_payload(uint64_t *seed, operation *o, uint32_t k, uint64_t count)
{
    VkrPayload p = {.size = 1 + (uint32_t)random_below(seed, 64),
                    .rejected = (VkBool32)random_below(seed, 2)};
    if (random_below(seed, 2))
        p.size = (p.size + 3) / 4 * 4;
    uint64_t unit = payload_unit(p.size);
    p.sourceStride = random_stride(seed, p.size);
    p.targetStride = random_stride(seed, p.size);
    if (random_below(seed, 4) == 0) { /* so that texels can hold it */
        unit = p.size = 16 * (1 + (uint32_t)random_below(seed, 4));
        p.sourceStride = random_below(seed, 2) ? 0 : 2 * p.size;
        p.targetStride = random_below(seed, 2) ? 0 : 2 * p.size;
    }
    const uint64_t source = p.sourceStride ? p.sourceStride : p.size;
    const uint64_t target = p.targetStride ? p.targetStride : p.size;
    const uint64_t entries = random_below(seed, 3) ? count : random_below(seed, count + 1);
    p.source = (VkrBufferRange){letter(o, PAYLOADS + 2 * k), unit * random_below(seed, 100),
                                count ? (count - 1) * source + p.size : 0};
    p.target = (VkrBufferRange){letter(o, PAYLOADS + 2 * k + 1), unit * random_below(seed, 100),
                                entries ? (entries - 1) * target + p.size : 0};
    p.texels = random_texels(seed, &(VkrView){.offset = p.source.offset, .size = p.source.size});
    add_texels(o, p.source.buffer, &p.texels);
    add_region(o, p.source.buffer, p.source.offset, p.source.size, false);
    add_region(o, p.target.buffer, p.target.offset, p.target.size, true);
    return p;
}

/* The number of elements for which every output of kept elements has room. */
static uint64_t kept_capacity(const VkrCompactInfo *info)
{
    const VkrView *views[] = {&info->kept, &info->keptIndices, &info->runLengths};
    uint64_t capacity = info->capacity ? info->capacity : UINT64_MAX;
    for (size_t i = 0; i < ARRAY_SIZE(views); i++)
        if (views[i]->buffer)
            capacity = min_of(capacity, view_capacity(views[i]));
    for (uint32_t k = 0; k < info->payloadCount; k++)
        if (!info->payloads[k].rejected)
            capacity = min_of(capacity, entries_of(&info->payloads[k]));
    return info->append.buffer ? capacity : min_of(capacity, info->count);
}

static void add_stored(operation *o, const VkrView *view, uint64_t count)
{
    if (view->buffer)
        add_entries(o, view->buffer, view->offset, view_stride(view),
                    (uint64_t)view->components * vkrTypeSize(view->type),
                    min_of(count, view_capacity(view)));
}

static void add_outputs(operation *o, const VkrCompactInfo *info)
{
    const uint64_t kept = kept_capacity(info);
    add_stored(o, &info->kept, kept);
    add_stored(o, &info->keptIndices, kept);
    add_stored(o, &info->runLengths, kept);
    add_stored(o, &info->rejected, info->count);
    add_stored(o, &info->rejectedIndices, info->count);
    for (uint32_t k = 0; k < info->payloadCount; k++) {
        const VkrPayload *p = &info->payloads[k];
        const uint64_t stored = p->rejected ? min_of(info->count, entries_of(p)) : kept;
        add_entries(o, p->target.buffer, p->target.offset,
                    p->targetStride ? p->targetStride : p->size, p->size, stored);
        add_entries(o, p->source.buffer, p->source.offset,
                    p->sourceStride ? p->sourceStride : p->size, p->size,
                    stored && !p->texels.view ? info->count : 0);
    }
}

/* Whether mesh tasks are within the context's limits, whatever they are. */
static bool has_few_tasks(const VkrCompactInfo *info)
{
    const uint64_t count = info->append.buffer ? UINT64_MAX : info->count;
    return fixture.info.limits.maxTaskWorkGroupTotalCount != 0 &&
           (info->capacity ? min_of(info->capacity, count) : count) <= 9 * 65535;
}

static VkrCountOutput random_count_output(uint64_t *seed, operation *o, uint32_t k,
                                          const VkrCompactInfo *info)
{
    VkrCountOutput output = {.kind = (VkrCountKind)random_below(seed, VKR_COUNT_KIND_COUNT),
                             .buffer = letter(o, COUNTS + k),
                             .offset = 4 * random_below(seed, 100),
                             .scale = (uint32_t)random_below(seed, 300)};
    if (output.kind == VKR_COUNT_MESH_TASKS && !has_few_tasks(info) && random_below(seed, 20))
        output.kind = VKR_COUNT_DISPATCH;
    const uint64_t size = output.kind < VKR_COUNT_KEPT64      ? 4
                          : output.kind >= VKR_COUNT_DISPATCH ? 12
                                                              : 8;
    o->may_fail |= output.kind == VKR_COUNT_MESH_TASKS; /* where the device has too few */
    add_region(o, output.buffer, output.offset, size, true);
    add_entries(o, output.buffer, output.offset, size, size, 1);
    return output;
}

VkrResult collect_compact(uint64_t *seed, const char *label, operation *o)
{
    VkrPayload payloads[MAX_PAYLOADS];
    VkrCountOutput outputs[MAX_COUNTS];
    VkrCompactInfo info = {.label = label, .payloads = payloads, .countOutputs = outputs};
    info.input = random_input(seed, o, WINDOWS, &info.count);
    /* Entries of payloads are larger than elements; a smaller count limits the number of their
     * windows. */
    const bool moves = random_below(seed, 2);
    if (moves)
        info.count = min_of(info.count, plan.device.maxStorageBufferRange / 12);
    const VkrView *in = &info.input;
    info.predicate = random_predicate(seed, o, in, info.count);
    if (info.predicate.kind == VKR_PREDICATE_UNIQUE && in->offset >= view_stride(in) &&
        random_below(seed, 2)) {
        info.flags = VKR_COMPACT_CONTINUED_BIT;
        add_region(o, in->buffer, in->offset - view_stride(in), in->size + view_stride(in), false);
    }
    info.algorithm = random_below(seed, 4)
                         ? VKR_COMPACT_AUTO
                         : (VkrCompactAlgorithm)random_below(seed, VKR_COMPACT_ALGORITHM_COUNT);
    o->may_fail = info.algorithm != VKR_COMPACT_AUTO;
    if (info.algorithm == VKR_COMPACT_ROGER)
        info.stream = (VkrStreamOptions){
            8u << random_below(seed, 8), (VkrBlockScan)random_below(seed, VKR_BLOCK_SCAN_COUNT),
            (VkrStreamSearch)random_below(seed, VKR_STREAM_SEARCH_COUNT),
            (VkrConcatenation)random_below(seed, VKR_CONCATENATION_COUNT)};
    info.workgroupSize = random_workgroup(seed, o);
    mark_wide(o, in);
    info.gpuCount = random_gpu_count(seed, o, letter(o, GPU_COUNT));
    info.append = random_gpu_count(seed, o, letter(o, APPEND));
    info.firstIndex = random_below(seed, 2) ? random_below(seed, (uint64_t)1 << 33) : 0;
    const bool wide = (info.firstIndex + info.count) >> 32 != 0;
    const VkrType index = wide || random_below(seed, 4) == 0 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    info.kept = random_output(seed, o, KEPT, in->type, in->components, info.count);
    info.keptIndices = random_output(seed, o, INDICES, index, 1, info.count);
    info.runLengths = random_output(seed, o, RUNS, index, 1, info.count);
    info.rejected = random_output(seed, o, REJECTED, in->type, in->components, info.count);
    info.rejectedIndices = random_output(seed, o, REJECTED_INDICES, index, 1, info.count);
    if (random_below(seed, 3) == 0)
        info.capacity = 1 + random_below(seed, info.count + 1);
    for (uint64_t n = moves ? random_below(seed, MAX_PAYLOADS + 1) : 0; n > 0; n--) {
        payloads[info.payloadCount] = random_payload(seed, o, info.payloadCount, info.count);
        info.payloadCount++;
    }
    for (uint64_t n = random_below(seed, MAX_COUNTS + 1); n > 0; n--) {
        outputs[info.countOutputCount] = random_count_output(seed, o, info.countOutputCount, &info);
        info.countOutputCount++;
    }
    add_outputs(o, &info);
    const bool values = (info.kept.buffer && kept_capacity(&info)) ||
                        (info.rejected.buffer && view_capacity(&info.rejected));
    const bool tested = info.predicate.kind != VKR_PREDICATE_FLAGS;
    /* Values that fill whole texels, and that are moved by a list, are only read through texels. */
    const bool moved = in->texels.view && in->components * vkrTypeSize(in->type) % 16 == 0;
    add_view(o, in, tested || (values && !moved) ? info.count : 0, false);
    const bool asks = info.kept.buffer || info.rejected.buffer || info.keptIndices.buffer ||
                      info.rejectedIndices.buffer || info.runLengths.buffer || info.payloadCount ||
                      info.countOutputCount;
    if (!asks)
        o->walk_count = 0;
    return vkrCmdCompact(fixture.recorder, &info);
}
