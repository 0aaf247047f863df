/* SPDX-License-Identifier: MIT */
/* Scans of one element, or pair of them, per invocation: a dispatch per doubling. */
#include <string.h>

#include "scan.h"

#define NO_PARTIALS UINT64_MAX

/* One dispatch. Partials lie at offsets of scratch; the first pass reads elements instead, the last
 * one writes results. */
typedef struct pass {
    uint32_t mode; /* VKR_PASS_* */
    uint64_t distance;
    uint64_t invocations;
    VkDeviceSize from;
    VkDeviceSize to;
    VkDeviceSize size; /* of partials */
    bool is_last;
} pass;

static uint32_t log2_up(uint64_t n)
{
    uint32_t log = 0;
    while (UINT64_C(1) << log < n)
        log++;
    return log;
}

static uint32_t workgroup_size(const vkr_scan *scan)
{
    const VkrTuning *tuning =
        &scan->context
             ->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, scan->input.type->size)];
    const uint32_t size =
        scan->info->workgroupSize != 0 ? scan->info->workgroupSize : tuning->treeWorkgroupSize;
    return (uint32_t)vkr_clamp(size, 1, scan->context->caps.max_workgroup_size);
}

static VkrResult choose_variant(const vkr_scan *scan, uint32_t mode, vkr_variant *variant)
{
    const uint32_t kernel = vkr_find_kernel(VKR_FAMILY_PASSES, vkr_class_of(scan->input.type_id),
                                            scan->wide, scan->input.components > 1, 0, scan->rung);
    *variant = (vkr_variant){.kernel = kernel,
                             .constant_count = VKR_PASSES_CONSTANTS,
                             .constants = {[VKR_CONST_WORKGROUP] = workgroup_size(scan),
                                           [VKR_CONST_OPS] = scan->info->op,
                                           [VKR_CONST_COMPONENTS] = scan->input.components,
                                           [VKR_CONST_SIGNED] = scan->input.type->is_signed,
                                           [VKR_CONST_FLAGS] = vkr_scan_flags(scan),
                                           [VKR_CONST_MODE] = mode}};
    return VKR_SUCCESS;
}

/* Elements and results; results that lie in words count in them. */
static void bind_views(const vkr_scan *scan, const pass *p, vkr_step *step,
                       struct vkr_scan_push *push)
{
    const vkr_caps *caps = &scan->context->caps;
    /* The sweep down reads the elements again. */
    if (p->from == NO_PARTIALS || p->is_last)
        vkr_bind_view(caps, step, VKR_BINDING_INPUT, &scan->input, 0, scan->count,
                      VK_ACCESS_SHADER_READ_BIT, &push->input_base, &push->input_stride);
    if (!p->is_last)
        return;
    vkr_bind_view(caps, step, VKR_SCAN_OUTPUT, &scan->output, 0, scan->count,
                  VK_ACCESS_SHADER_WRITE_BIT, &push->output_base, &push->output_stride);
    const uint32_t units = scan->words ? scan->output.type->size / 4 : 1;
    push->output_base *= units;
    push->output_stride *= units;
}

static void bind_partials(const vkr_scan *scan, const pass *p, vkr_step *step,
                          struct vkr_scan_push *push)
{
    const vkr_caps *caps = &scan->context->caps;
    if (p->from != NO_PARTIALS) {
        push->partials_base =
            (uint32_t)(vkr_bind(caps, step, VKR_SCAN_PARTIALS, VKR_SCRATCH, p->from, p->size) / 4);
        vkr_use(step, VKR_SCRATCH, p->from, p->size, VK_ACCESS_SHADER_READ_BIT);
    }
    if (!p->is_last) {
        push->stored_base =
            (uint32_t)(vkr_bind(caps, step, VKR_SCAN_OUTPUT, VKR_SCRATCH, p->to, p->size) / 4);
        vkr_use(step, VKR_SCRATCH, p->to, p->size, VK_ACCESS_SHADER_WRITE_BIT);
    }
}

static VkrResult add_pass(VkrRecorder recorder, const vkr_scan *scan, const pass *p)
{
    const vkr_caps *caps = &scan->context->caps;
    const uint64_t groups =
        vkr_clamp(vkr_divide_up(p->invocations, workgroup_size(scan)), 1, UINT32_MAX);
    vkr_step step = {.label = scan->info->label, .binding_count = VKR_SCAN_BINDINGS};
    struct vkr_scan_push push = {
        .count = (uint32_t)scan->count, .groups = (uint32_t)groups, .items = (uint32_t)p->distance};
    bind_views(scan, p, &step, &push);
    bind_partials(scan, p, &step, &push);
    vkr_bind_scan(scan, 0, p->is_last, &step, &push);
    vkr_set_groups(caps, &step, groups);
    VKR_SET_PUSH(&step, push);
    const VkrResult result = choose_variant(scan, p->mode, &step.variant);
    return result == VKR_SUCCESS ? vkr_add_step(recorder, &step) : result;
}

/* Between two buffers. */
static VkrResult plan_hillis_steele(VkrRecorder recorder, const vkr_scan *scan)
{
    const uint32_t last = scan->count > 1 ? log2_up(scan->count) - 1 : 0;
    pass p = {.mode = VKR_PASS_DOUBLE,
              .invocations = scan->count,
              .from = NO_PARTIALS,
              .size = 4 * scan->count * scan->partial_words};
    VkDeviceSize partials[2] = {0};
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < 2 && i < last && result == VKR_SUCCESS; i++)
        result = vkr_add_scratch(recorder, p.size, &partials[i]);
    for (uint32_t i = 0; i <= last && result == VKR_SUCCESS; i++) {
        p.distance = UINT64_C(1) << i;
        p.to = partials[i % 2];
        p.is_last = i == last;
        result = add_pass(recorder, scan, &p);
        p.from = p.to;
    }
    return result;
}

/* In place. */
static VkrResult plan_blelloch(VkrRecorder recorder, const vkr_scan *scan)
{
    const uint32_t levels = log2_up(scan->count);
    const uint64_t leaves = UINT64_C(1) << levels;
    pass p = {.mode = VKR_PASS_UP, .from = NO_PARTIALS, .size = 4 * leaves * scan->partial_words};
    VkrResult result = vkr_add_scratch(recorder, p.size, &p.to);
    for (uint32_t i = 0; i < 2 * levels && result == VKR_SUCCESS; i++) {
        p.mode = i < levels ? VKR_PASS_UP : VKR_PASS_DOWN;
        p.distance = UINT64_C(1) << (i < levels ? i : 2 * levels - 1 - i);
        p.invocations = leaves / 2 / p.distance;
        p.is_last = i == 2 * levels - 1;
        result = add_pass(recorder, scan, &p);
        p.from = p.to;
    }
    return result;
}

/* All of it must be in reach of one dispatch. */
static VkrResult check_reach(const vkr_scan *scan)
{
    const vkr_caps *caps = &scan->context->caps;
    const char *algorithm = vkrScanAlgorithmName(scan->algorithm);
    const unsigned long long count = scan->count;
    const unsigned long long range = caps->max_range;
    const struct {
        const char *field;
        const vkr_view *view;
    } views[] = {{"input", &scan->input}, {"output", &scan->output}};
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(views); i++) {
        if (vkr_view_window(caps, views[i].view, 0) < scan->count)
            return vkr_fail(scan->context, VKR_ERROR_UNSUPPORTED,
                            "vkrCmdScan: algorithm is %s, but count is %llu, and so many elements "
                            "of %s pass maxStorageBufferRange (%llu bytes).",
                            algorithm, count, views[i].field, range);
    }
    const uint64_t partials =
        scan->algorithm == VKR_SCAN_BLELLOCH ? UINT64_C(1) << log2_up(scan->count) : scan->count;
    if (scan->count > 1 && partials > caps->max_range / 4 / scan->partial_words)
        return vkr_fail(scan->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: algorithm is %s, but count is %llu, and its %llu partials of "
                        "%u words pass maxStorageBufferRange (%llu bytes).",
                        algorithm, count, (unsigned long long)partials, scan->partial_words, range);
    const uint64_t groups = vkr_divide_up(scan->count, workgroup_size(scan));
    if (groups > (uint64_t)caps->max_groups[0] * caps->max_groups[1])
        return vkr_fail(scan->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdScan: algorithm is %s, but count is %llu, and %llu workgroups of %u "
                        "pass maxComputeWorkGroupCount (%u, %u).",
                        algorithm, count, (unsigned long long)groups, workgroup_size(scan),
                        caps->max_groups[0], caps->max_groups[1]);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_passes(VkrRecorder recorder, const vkr_scan *scan)
{
    if (scan->count == 0 && scan->info->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS; /* nothing to write */
    const VkrResult result = check_reach(scan);
    if (result != VKR_SUCCESS)
        return result;
    return scan->algorithm == VKR_SCAN_BLELLOCH && scan->count > 1
               ? plan_blelloch(recorder, scan)
               : plan_hillis_steele(recorder, scan);
}
