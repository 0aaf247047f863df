/* SPDX-License-Identifier: MIT */
/* vkrCmdScan: what the caller asks for, checked. */
#include "../../plan/apart.h"
#include "../../plan/unused.h"
#include "scan.h"

#include <string.h>

#include "../../tables/names.h"
#include "../monoid/monoid.h"

#define CALL "vkrCmdScan"

#define SCAN_OPS                                                                                   \
    (VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR)

static const vkr_op_info *op_info(VkrOp op)
{
    uint32_t bit = 0;
    while ((uint32_t)op >> bit != 1)
        bit++;
    return &vkr_ops[bit];
}

static VkrResult check_op(const vkr_scan *s)
{
    const uint32_t op = (uint32_t)s->info->op;
    VKR_MUST(&s->walk, op != 0 && (op & (op - 1)) == 0 && (op & SCAN_OPS) != 0,
             "op is %s, but must be one of VKR_OP_SUM, PRODUCT, MIN, MAX, AND, OR and XOR.",
             vkr_op_names(op).text);
    return vkr_check_operator(&s->walk, "op is", op_info(s->info->op), s->input.type);
}

/* Checks everything on which the type of the results depends. */
static VkrResult check_shape(vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &s->input));
    VKR_TRY(check_op(s));
    VKR_TRY(vkr_check_accumulator(w, s->input.type, info->accumulator, &s->accumulator));
    s->walk.count = info->count == VKR_COUNT_ALL ? s->input.capacity : info->count;
    s->words = op_info(info->op)->result == VKR_RESULT_ACCUMULATOR;
    s->result = s->words ? s->accumulator : s->input.type_id;
    s->walk.wide = s->words && s->accumulator != s->input.type->accumulator;
    s->canonical = op_info(info->op)->ordered && s->input.type->is_float &&
                   info->determinism == VKR_DETERMINISM_DEVICE;
    return VKR_SUCCESS;
}

static VkrResult check_output(vkr_scan *s)
{
    VkrView view = s->info->output;
    if (view.type == VKR_TYPE_UNDEFINED)
        view.type = s->result;
    if (view.components == 0)
        view.components = s->input.components;
    VKR_TRY(vkr_check_view(&s->walk, "output", &view, s->walk.count, &s->output));
    VKR_TRY(vkr_check_buffer(&s->walk, "output", &s->output));
    VKR_MUST(&s->walk, view.type == s->result,
             "output.type is %s, but must be undefined or %s, the type of the results.",
             vkrTypeName(view.type), vkrTypeName(s->result));
    VKR_MUST_BE(&s->walk, view.components == s->input.components, "output", ".components",
                view.components, "be 0 or %u like input.components.", s->input.components);
    return VKR_SUCCESS;
}

static VkrResult check_choices(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const vkr_walk *w = &s->walk;
    VKR_TRY(vkr_check_choice(w, "nan", (int)info->nan, VKR_NAN_SKIP + 1));
    VKR_TRY(vkr_check_choice(w, "determinism", (int)info->determinism, VKR_DETERMINISM_DEVICE + 1));
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_SCAN_ALGORITHM_COUNT));
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)info->segments.kind, VKR_SEGMENT_KIND_COUNT));
    return vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SCAN);
}

/* Checks the places of the initial value and of the total: one value for each component, and each
 * column. Sums and products lie in words. */
static VkrResult check_values(vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const uint32_t unit = vkr_types[s->result].size;
    const VkDeviceSize columns = s->columns ? info->segments.length : 1;
    const VkDeviceSize size = columns * unit * s->input.components;
    VKR_MUST(&s->walk, info->initial == NULL || info->gpuInitial.buffer == VK_NULL_HANDLE,
             "initial and gpuInitial.buffer are both given, but one of them must be NULL.");
    VKR_TRY(
        vkr_check_place(&s->walk, "gpuInitial", &info->gpuInitial, false, unit, size, &s->initial));
    VKR_TRY(vkr_check_place(&s->walk, "total", &info->total, false, unit, size, &s->total));
    s->results = vkr_place_of_view(&s->output);
    if (s->words)
        s->results.unit = s->initial.unit = s->total.unit = 4;
    return VKR_SUCCESS;
}

/* Checks that output and total share no bytes with what other workgroups may still read, except
 * that the output may be the input. */
static VkrResult check_overlaps(vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const vkr_region input = vkr_region_of_view("input", &s->input, w->count, false);
    const vkr_region regions[] = {
        vkr_region_of_place("total", &s->total, true),
        vkr_region_of_view("output", &s->output, w->count, true),
        vkr_region_of_count("gpuCount", &s->info->gpuCount),
        vkr_region_of_place("gpuInitial", &s->initial, false),
        s->starts,
        vkr_region_of_mask(w, &s->info->mask),
    };
    s->in_place = s->output.buffer == s->input.buffer && s->output.offset == s->input.offset &&
                  s->output.stride == s->input.stride &&
                  s->output.type->size == s->input.type->size;
    if (!s->in_place)
        VKR_TRY(vkr_check_disjoint(w, &regions[1], &input, 1, "be apart from it or equal to it"));
    VKR_TRY(vkr_check_disjoint(w, &regions[0], &input, 1, "be apart from it"));
    VKR_TRY(vkr_check_disjoint(w, &s->starts, &input, 1, "be apart from it"));
    VKR_TRY(vkr_check_disjoint(w, &regions[VKR_ARRAY_SIZE(regions) - 1], &input, 1,
                               "be apart from it"));
    return vkr_check_regions(w, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

static VkrResult check_algorithm(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const vkr_walk *w = &s->walk;
    const char *name = vkrScanAlgorithmName(info->algorithm);
    const bool runs =
        info->algorithm == VKR_SCAN_AUTO || info->algorithm == VKR_SCAN_REDUCE_THEN_SCAN;
    VKR_NEED(w, runs || !s->in_place,
             "algorithm is %s, but must be auto or reduce-then-scan where output is input.", name);
    VKR_NEED(w, runs || !s->canonical,
             "algorithm is %s, but must be auto or reduce-then-scan where determinism is "
             "VKR_DETERMINISM_DEVICE.",
             name);
    if (info->algorithm != VKR_SCAN_SINGLE_PASS)
        return VKR_SUCCESS;
    VKR_NEED(w, s->walk.context->forward_progress != VKR_FORWARD_PROGRESS_NONE,
             "algorithm is single-pass, but the context's forwardProgress is "
             "VKR_FORWARD_PROGRESS_NONE and must be another.");
    return VKR_SUCCESS;
}

static VkrResult check_scan(vkr_scan *s)
{
    VKR_TRY(check_shape(s));
    VKR_TRY(vkr_check_input_handles(&s->walk, "input", &s->info->input, &s->input));
    VKR_TRY(check_choices(s));
    VKR_TRY(check_output(s));
    VKR_TRY(vkr_check_count(&s->walk, s->info->count, &s->input));
    VKR_TRY(vkr_check_holds(&s->walk, "output", &s->output));
    VKR_TRY(vkr_check_gpu_count(&s->walk, "gpuCount", &s->info->gpuCount));
    VKR_TRY(vkr_check_scan_segments(s));
    VKR_TRY(vkr_check_scan_mask(s));
    VKR_TRY(check_values(s));
    VKR_TRY(check_overlaps(s));
    VKR_TRY(check_algorithm(s));
    s->walk.reverse = (s->info->flags & VKR_SCAN_REVERSE_BIT) != 0;
    const uint32_t term = s->input.type->size == 8 || s->walk.wide ? 2 : 1;
    s->partial_words = term * s->input.components + (s->heads || s->rows ? 1 : 0);
    return VKR_SUCCESS;
}

VkrResult vkrGetScanType(VkrContext context, const VkrScanInfo *info, VkrType *type)
{
    vkr_scan s = {.walk = {.context = context, .call = "vkrGetScanType"}};
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_query(&s.walk, info, "VkrScanInfo", type, "type", "VkrType"));
    /* Only the fields that the header lists are read, so no other field can be invalid. */
    const VkrScanInfo read = {.op = info->op,
                              .input = {.type = info->input.type,
                                        .components = info->input.components,
                                        .image = info->input.image,
                                        .map = info->input.map},
                              .accumulator = info->accumulator};
    s.info = &read;
    VKR_TRY(check_shape(&s));
    *type = s.result;
    return VKR_SUCCESS;
}

/* ---- The call ---- */

static VkrResult plan_elements(VkrRecorder recorder, vkr_scan *s)
{
    VKR_TRY(vkr_plan_scan_geometry(s));
    VKR_TRY(vkr_plan_heads(recorder, s));
    return s->doubles ? vkr_plan_doublings(recorder, s) : vkr_plan_scan(recorder, s);
}

/* Whether columns are so few that they can be components, whose scans are independent, too. The
 * GPU's count could end between these. */
static bool can_be_components(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    return !s->copied && info->segments.length * s->input.components <= VKR_MAX_COMPONENTS &&
           info->gpuCount.buffer == VK_NULL_HANDLE && vkr_has_buffer(&s->input) &&
           !s->input.mapped && vkr_is_packed(&s->input) && vkr_is_packed(&s->output);
}

/* Checks and plans the same scan of elements that are whole rows. */
static VkrResult add_components(VkrRecorder recorder, const vkr_scan *columns)
{
    const VkrScanInfo *asked = columns->info;
    const uint32_t length = (uint32_t)asked->segments.length;
    const size_t size = (size_t)vkr_types[columns->result].size * columns->input.components;
    unsigned char initial[VKR_MAX_COMPONENTS * 8];
    VkrScanInfo info = *asked;
    vkr_scan s = {.info = &info, .walk = vkr_new_walk(columns->walk.context, CALL)};
    info.input.components = info.output.components = length * columns->input.components;
    info.input.stride = info.output.stride = 0;
    info.count = columns->walk.count / length;
    info.segments = (VkrSegments){0};
    for (uint32_t i = 0; i < length && asked->initial != NULL; i++)
        memcpy(initial + i * size, asked->initial, size);
    if (asked->initial != NULL)
        info.initial = initial;
    s.walk.gpu_count = &info.gpuCount;
    VKR_TRY(check_scan(&s));
    return plan_elements(recorder, &s);
}

/* Plans the same scan of copies of rows that lie apart, which lie beside each other, and moves its
 * results to where they belong. So these have the bits of rows beside each other. */
static VkrResult add_apart(VkrRecorder recorder, const vkr_scan *asked)
{
    VkrScanInfo info = *asked->info;
    vkr_scan s = *asked;
    vkr_apart rows;
    vkr_rows_at results = {.name = "results of rows"};
    const vkr_rows_at output = {"output", asked->output, true};
    VKR_TRY(vkr_plan_apart(recorder, CALL, &info.segments, s.walk.count, &asked->info->gpuCount,
                           &rows));
    VKR_TRY(vkr_bring_rows(recorder, &rows, "input", 0, &s.input));
    VKR_TRY(vkr_add_beside(recorder, &rows, &asked->output, &results.view));
    info.gpuCount = rows.known;
    info.segments.pitch = 0;
    s.info = &info;
    s.output = results.view;
    s.results = vkr_place_of_view(&s.output);
    s.results.unit = asked->results.unit;
    s.in_place = false;
    s.walk.count = rows.count;
    s.walk.gpu_count = &info.gpuCount;
    VKR_TRY(plan_elements(recorder, &s));
    return vkr_move_rows(recorder, &rows, NULL, &results, &output);
}

static VkrResult plan(VkrRecorder recorder, vkr_scan *s)
{
    if (s->apart)
        return add_apart(recorder, s);
    if (s->columns && can_be_components(s))
        return add_components(recorder, s);
    return s->columns ? vkr_plan_scan_columns(recorder, s) : plan_elements(recorder, s);
}

static VkrResult add_scan(VkrRecorder recorder, const VkrScanInfo *info)
{
    vkr_scan s = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&s.walk, info != NULL, "info is NULL, but must point to a VkrScanInfo.");
    if (info->monoid != NULL)
        return vkr_scan_monoid(recorder, &s.walk, info);
    s.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_scan(&s));
    VKR_TRY(vkr_stage(recorder, &s.walk, s.walk.count, &s.input));
    VKR_TRY(vkr_leave_out(recorder, &s));
    VKR_TRY(plan(recorder, &s));
    vkr_note_count(&s.walk, "input");
    vkr_note_view(&s.walk, "input", &info->input);
    vkr_note_gpu_count(&s.walk, "gpuCount", &info->gpuCount);
    vkr_note_segments(&s.walk, &info->segments);
    vkr_note_range(&s.walk, "mask.flags.range", &info->mask.flags.range);
    vkr_note_range(&s.walk, "gpuInitial", &info->gpuInitial);
    vkr_note_range(&s.walk, "total", &info->total);
    return VKR_SUCCESS;
}

VkrResult vkrCmdScan(VkrRecorder recorder, const VkrScanInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_scan(recorder, info));
}
