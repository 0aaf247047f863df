/* SPDX-License-Identifier: MIT */
/*
 * Valid requests from the tests' own generators, some words of which are then changed. The linker
 * redirects the generators' calls of the library to this file.
 */
#include <string.h>

#include "api.h"

operation *requested;

/* ---- What a request allows ---- */

static void allow_reduce(VkrReduceInfo *info)
{
    allow_view(&info->input, 0, info->flags & VKR_REDUCE_CONSUME_INPUT_BIT);
    if (info->ops & VKR_OP_DOT)
        allow_view(&info->input2, 0, false);
    allow_count(&info->gpuCount);
    allow_range(&info->output, true);
    allow_range(&info->pieces.partials, true);
    allow_segments(&info->segments);
}

static void allow_scan(VkrScanInfo *info)
{
    allow_view(&info->input, 0, false);
    allow_view(&info->output, 0, true);
    allow_count(&info->gpuCount);
    allow_range(&info->gpuInitial, false);
    allow_range(&info->mask.flags.range, false);
    allow_range(&info->total, true);
    allow_segments(&info->segments);
}

static uint64_t stride_before(const VkrCompactInfo *info)
{
    const VkrView *in = &info->input;
    const uint64_t components = in->components ? in->components : 1;
    const uint64_t stride = in->stride ? in->stride : components * vkrTypeSize(in->type);
    return info->flags & VKR_COMPACT_CONTINUED_BIT && stride <= in->offset ? stride : 0;
}

static void allow_compact(VkrCompactInfo *info)
{
    VkrView *const outputs[] = {&info->kept, &info->keptIndices, &info->runLengths, &info->rejected,
                                &info->rejectedIndices};
    allow_view(&info->input, stride_before(info), false);
    allow_count(&info->gpuCount);
    allow_count(&info->append);
    allow_predicate(&info->predicate);
    for (size_t i = 0; i < ARRAY_SIZE(outputs); i++)
        allow_view(outputs[i], 0, true);
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

VkrResult __wrap_vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *given)
{
    VkrReduceInfo info = *given;
    VkrReduceLayout layout;
    disturb(&info, sizeof info);
    info.label = given->label;
    info.outputImage = given->outputImage;
    info.mask.image = given->mask.image;
    info.mask.flags.hook = choose_hook(given->mask.flags.hook, "is_odd");
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.input2, &given->input2);
    keep_segment_pointers(&info.segments, &given->segments);
    info.monoid = choose_monoid(given->monoid);
    if (info.monoid != NULL && choose(4) != 0)
        info.ops = 0;
    start_request(requested);
    allow_reduce(&info);
    VkrCountOutput counts[MAX_ENTRIES];
    VkrRuns *runs = &info.segments.runs;
    runs->countOutputs = copy_counts(runs->countOutputCount, given->segments.runs.countOutputs,
                                     given->segments.runs.countOutputCount, counts);
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
    info.mask.image = given->mask.image;
    info.mask.flags.hook = choose_hook(given->mask.flags.hook, "is_odd");
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.output, &given->output);
    keep_segment_pointers(&info.segments, &given->segments);
    info.segments.runs.countOutputs = NULL;
    info.monoid = choose_monoid(given->monoid);
    if (info.monoid != NULL && choose(4) != 0)
        info.op = (VkrOp)0;
    start_request(requested);
    allow_scan(&info);
    return __real_vkrCmdScan(recorder, &info);
}

VkrResult __wrap_vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *given)
{
    VkrPayload payloads[MAX_ENTRIES];
    VkrCountOutput counts[MAX_ENTRIES];
    VkrCompactInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    info.sink = choose_hook(given->sink, "note");
    keep_predicate_pointers(&info.predicate, &given->predicate);
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.kept, &given->kept);
    keep_pointers(&info.keptIndices, &given->keptIndices);
    keep_pointers(&info.runLengths, &given->runLengths);
    keep_pointers(&info.rejected, &given->rejected);
    keep_pointers(&info.rejectedIndices, &given->rejectedIndices);
    start_request(requested);
    allow_compact(&info);
    info.payloads =
        copy_payloads(info.payloadCount, given->payloads, given->payloadCount, payloads);
    info.countOutputs =
        copy_counts(info.countOutputCount, given->countOutputs, given->countOutputCount, counts);
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
        collect_reduce, collect_segments, collect_scan, collect_compact, collect_order};
    static operation given; /* which the generators fill, before words are changed */
    uint64_t unused = 0;
    given = (operation){.rotation = (uint32_t)choose(LETTERS)};
    requested = o;
    return rows[choose(ARRAY_SIZE(rows))](&unused, label, &given);
}
