/* SPDX-License-Identifier: MIT */
/*
 * Valid requests from the tests' own generators, some words of which are then changed. The linker
 * redirects the generators' calls of the library to this file.
 */
#include <string.h>

#include "api.h"

#define MAX_ENTRIES 8u
#define WINDOWS 6u /* the maximum of a view, so that no request takes long */

/* ---- Words ---- */

static uint64_t strange_word(uint64_t before)
{
    switch (choose(8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX - choose(16);
    case 2:
        return (uint64_t)1 << choose(64);
    case 3:
        return ((uint64_t)1 << choose(64)) - 1;
    case 4:
        return before + 1;
    case 5:
        return before - 1;
    default:
        return choose(256);
    }
}

void disturb(void *data, size_t size)
{
    static const uint8_t times[] = {0, 0, 0, 1, 1, 1, 2, 4};
    for (uint64_t n = times[choose(8)]; n > 0; n--) {
        const size_t at = 4 * (size_t)choose(size / 4);
        const size_t width = at % 8 == 0 && size - at >= 8 && choose(2) ? 8 : 4;
        uint64_t word = 0;
        memcpy(&word, (char *)data + at, width);
        word = strange_word(word);
        memcpy((char *)data + at, &word, width);
    }
}

/* ---- What a request allows ---- */

static struct {
    operation *operation;
    uint64_t most; /* bytes of a range */
} now;

/* Bounds a size, unless the library can see from the number alone that it is wrong. */
static void bound(VkDeviceSize *size, VkDeviceSize offset)
{
    if (*size > now.most && *size != VK_WHOLE_SIZE && *size <= UINT64_MAX - offset)
        *size %= now.most;
}

/* Changes a buffer to one of the caller's: neither one of the stub's nor one that stands for
 * scratch in the library. */
static void settle(VkBuffer *buffer)
{
    const uint64_t letter = (uint64_t)*buffer;
    if (letter != 0 && letter != '!' && (letter < 'A' || letter >= 'A' + LETTERS))
        *buffer = BUFFER('A' + letter % LETTERS);
}

static void add_range(VkrBufferRange *range, bool written)
{
    settle(&range->buffer);
    bound(&range->size, range->offset);
    if (range->buffer && range->size <= UINT64_MAX - range->offset)
        add_region(now.operation, range->buffer, range->offset, range->size, written);
}

static uint64_t bytes_of(VkrView *view)
{
    bound(&view->size, view->offset);
    bound(&view->bufferSize, 0);
    if ((view->size == 0 || view->size == VK_WHOLE_SIZE) && view->bufferSize > view->offset)
        return view->bufferSize - view->offset;
    return view->size;
}

static void add_bytes(VkrView *view, uint64_t before, bool written)
{
    settle(&view->buffer);
    VkrBufferRange range = {view->buffer, view->offset - before, bytes_of(view) + before};
    add_range(&range, written);
    if (view->texels.view && view->texels.size <= UINT64_MAX - view->texels.offset)
        add_region(now.operation, view->buffer, view->texels.offset, view->texels.size, false);
}

static void add_count(VkrGpuCount *count)
{
    settle(&count->buffer);
    if (count->buffer && count->offset <= UINT64_MAX - 8)
        add_region(now.operation, count->buffer, count->offset, count->type == VKR_TYPE_U64 ? 8 : 4,
                   false);
}

static void add_segments(VkrSegments *segments)
{
    if (segments->kind == VKR_SEGMENTS_FLAGS)
        add_range(&segments->flags.range, false);
    if (segments->kind == VKR_SEGMENTS_OFFSETS) {
        add_range(&segments->offsets, false);
        add_count(&segments->gpuCount);
    }
}

static void allow_reduce(VkrReduceInfo *info)
{
    add_bytes(&info->input, 0, info->flags & VKR_REDUCE_CONSUME_INPUT_BIT);
    if (info->ops & VKR_OP_DOT)
        add_bytes(&info->input2, 0, false);
    add_count(&info->gpuCount);
    add_range(&info->output, true);
    add_range(&info->pieces.partials, true);
    add_segments(&info->segments);
}

static void allow_scan(VkrScanInfo *info)
{
    add_bytes(&info->input, 0, false);
    add_bytes(&info->output, 0, true);
    add_count(&info->gpuCount);
    add_range(&info->gpuInitial, false);
    add_range(&info->total, true);
    add_segments(&info->segments);
}

static uint64_t stride_before(const VkrCompactInfo *info)
{
    const VkrView *in = &info->input;
    const uint64_t components = in->components ? in->components : 1;
    const uint64_t stride = in->stride ? in->stride : components * vkrTypeSize(in->type);
    return info->flags & VKR_COMPACT_CONTINUED_BIT && stride <= in->offset ? stride : 0;
}

static void allow_compact(VkrCompactInfo *info, VkrPayload *payloads, VkrCountOutput *counts)
{
    VkrView *const outputs[] = {&info->kept, &info->keptIndices, &info->runLengths, &info->rejected,
                                &info->rejectedIndices};
    static const uint64_t sizes[VKR_COUNT_KIND_COUNT] = {4, 4, 4, 8, 8, 8, 12, 12};
    add_bytes(&info->input, stride_before(info), false);
    add_count(&info->gpuCount);
    add_count(&info->append);
    add_range(&info->predicate.gpuConstants, false);
    if (info->predicate.kind == VKR_PREDICATE_FLAGS)
        add_range(&info->predicate.flags.range, false);
    for (size_t i = 0; i < ARRAY_SIZE(outputs); i++)
        add_bytes(outputs[i], 0, true);
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        add_range(&payloads[i].source, false);
        add_range(&payloads[i].target, true);
    }
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        settle(&counts[i].buffer);
        if ((uint32_t)counts[i].kind < VKR_COUNT_KIND_COUNT && counts[i].offset <= UINT64_MAX - 12)
            add_region(now.operation, counts[i].buffer, counts[i].offset, sizes[counts[i].kind],
                       true);
    }
}

/* ---- Calls ---- */

VkrResult __real_vkrGetReduceLayout(VkrContext, const VkrReduceInfo *, VkrReduceLayout *);
VkrResult __wrap_vkrGetReduceLayout(VkrContext, const VkrReduceInfo *, VkrReduceLayout *);
VkrResult __real_vkrGetScanType(VkrContext, const VkrScanInfo *, VkrType *);
VkrResult __wrap_vkrGetScanType(VkrContext, const VkrScanInfo *, VkrType *);
VkrResult __real_vkrCmdReduce(VkrRecorder, const VkrReduceInfo *);
VkrResult __wrap_vkrCmdReduce(VkrRecorder, const VkrReduceInfo *);
VkrResult __real_vkrCmdScan(VkrRecorder, const VkrScanInfo *);
VkrResult __wrap_vkrCmdScan(VkrRecorder, const VkrScanInfo *);
VkrResult __real_vkrCmdCompact(VkrRecorder, const VkrCompactInfo *);
VkrResult __wrap_vkrCmdCompact(VkrRecorder, const VkrCompactInfo *);
uint64_t __wrap_random_below(uint64_t *state, uint64_t end);

uint64_t __wrap_random_below(uint64_t *state, uint64_t end)
{
    (void)state;
    return choose(end);
}

static void start(void)
{
    const uint64_t groups =
        (uint64_t)plan.device.maxComputeWorkGroupCount[0] * plan.device.maxComputeWorkGroupCount[1];
    const uint64_t range = plan.device.maxStorageBufferRange;
    now.most = WINDOWS * (range < 128 * groups ? range : 128 * groups);
    *now.operation = (operation){0};
}

VkrResult __wrap_vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info,
                                    VkrReduceLayout *layout)
{
    const VkrResult result = __real_vkrGetReduceLayout(context, info, layout);
    (void)heard(result);
    return result;
}

VkrResult __wrap_vkrGetScanType(VkrContext context, const VkrScanInfo *info, VkrType *type)
{
    const VkrResult result = __real_vkrGetScanType(context, info, type);
    (void)heard(result);
    return result;
}

/* Pointers are not changed: the library must trust them. */
static void keep_pointers(VkrView *view, const VkrView *given)
{
    view->image = given->image;
    view->map = given->map;
}

VkrResult __wrap_vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *given)
{
    VkrReduceInfo info = *given;
    VkrReduceLayout layout;
    disturb(&info, sizeof info);
    info.label = given->label;
    info.outputImage = given->outputImage;
    info.mask.image = given->mask.image;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.input2, &given->input2);
    start();
    allow_reduce(&info);
    const VkrResult laid = __real_vkrGetReduceLayout(fixture.context, &info, &layout);
    (void)heard(laid);
    const VkrResult result = __real_vkrCmdReduce(recorder, &info);
    EXPECT(result != VKR_SUCCESS || laid == VKR_SUCCESS, "without a layout it is collected");
    EXPECT(result != VKR_SUCCESS || layout.size <= info.output.size || info.count == 0 ||
               info.pieces.partials.buffer,
           "an output of %llu bytes takes %llu", (unsigned long long)info.output.size,
           (unsigned long long)layout.size);
    return result;
}

VkrResult __wrap_vkrCmdScan(VkrRecorder recorder, const VkrScanInfo *given)
{
    VkrScanInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    info.initial = given->initial;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.output, &given->output);
    start();
    allow_scan(&info);
    return __real_vkrCmdScan(recorder, &info);
}

VkrResult __wrap_vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *given)
{
    VkrPayload payloads[MAX_ENTRIES] = {0};
    VkrCountOutput outputs[MAX_ENTRIES] = {0};
    VkrCompactInfo info = *given;
    for (uint32_t i = 0; i < given->payloadCount; i++)
        payloads[i] = given->payloads[i];
    for (uint32_t i = 0; i < given->countOutputCount; i++)
        outputs[i] = given->countOutputs[i];
    disturb(&info, sizeof info);
    disturb(payloads, given->payloadCount * sizeof payloads[0]);
    disturb(outputs, given->countOutputCount * sizeof outputs[0]);
    info.label = given->label;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.kept, &given->kept);
    keep_pointers(&info.keptIndices, &given->keptIndices);
    keep_pointers(&info.runLengths, &given->runLengths);
    keep_pointers(&info.rejected, &given->rejected);
    keep_pointers(&info.rejectedIndices, &given->rejectedIndices);
    info.payloads = info.payloadCount <= MAX_ENTRIES ? payloads : NULL;
    info.countOutputs = info.countOutputCount <= MAX_ENTRIES ? outputs : NULL;
    start();
    if (info.payloads && info.countOutputs)
        allow_compact(&info, payloads, outputs);
    return __real_vkrCmdCompact(recorder, &info);
}

/* ---- Reductions without segments ---- */

static VkrResult collect_reduce(uint64_t *seed, const char *label, operation *o)
{
    static const uint32_t pieces = 1u << 20; /* bytes of partials, until the layout is known */
    const VkrType type = (VkrType)(1 + choose(VKR_TYPE_COUNT - 1));
    const uint32_t components = 1 + (uint32_t)(choose(2) * choose(4));
    VkrReduceInfo info = {.label = label,
                          .ops = (VkrOpFlags)(1 + choose((1u << VKR_OP_BITS) - 1)),
                          .nan = (VkrNan)choose(2),
                          .determinism = (VkrDeterminism)choose(3),
                          .algorithm = (VkrReduceAlgorithm)(choose(2) * choose(5)),
                          .workgroupSize = choose(4) == 0 ? 1u << choose(11) : 0,
                          .flags = choose(8) == 0 ? VKR_REDUCE_CONSUME_INPUT_BIT : 0};
    VkrReduceLayout layout;
    if (choose(2))
        info.ops = 1u << choose(VKR_OP_BITS);
    info.input = random_view(seed, &plan.device, type, components, WINDOWS);
    info.input.buffer = letter(o, 0);
    info.input.texels = random_texels(seed, &info.input);
    info.count = choose(2) ? VKR_COUNT_ALL : choose(view_capacity(&info.input) + 1);
    info.gpuCount = random_gpu_count(seed, o, letter(o, 1));
    if (info.ops & VKR_OP_DOT)
        info.input2 = view_of(seed, letter(o, 2), type, components, view_capacity(&info.input));
    if (choose(8) == 0)
        info.pieces = (VkrPieces){{letter(o, 3), 256 * choose(16), pieces},
                                  VKR_TREE_BLOCK * choose(100),
                                  VKR_TREE_BLOCK * choose(200)};
    if (choose(8) == 0)
        info.accumulator = (VkrType)choose(VKR_TYPE_COUNT);
    if (vkrGetReduceLayout(fixture.context, &info, &layout) != VKR_SUCCESS)
        return VKR_RESULT_MAX_ENUM;
    if (info.pieces.partials.buffer)
        info.pieces.partials.size = layout.partialsSize;
    info.output = (VkrBufferRange){letter(o, 4), layout.alignment * choose(100), layout.size};
    return vkrCmdReduce(fixture.recorder, &info);
}

VkrResult collect_any(const char *label, operation *o)
{
    static VkrResult (*const rows[])(uint64_t * seed, const char *label, operation *o) = {
        collect_reduce, collect_segments, collect_scan, collect_compact};
    static operation given; /* which the generators fill, before words are changed */
    uint64_t unused = 0;
    given = (operation){.rotation = (uint32_t)choose(LETTERS)};
    now.operation = o;
    return rows[choose(ARRAY_SIZE(rows))](&unused, label, &given);
}
