/* SPDX-License-Identifier: MIT */
/* Scans by an application's monoid, which are requests of the planner of scans by operators. */
#include "monoid.h"

#include <inttypes.h>

#include "../scan/scan.h"

/* ---- Checks ---- */

static VkrResult check_fields(const vkr_walk *w, const VkrScanInfo *info)
{
    const vkr_unused_field fields[] = {
        {(int)info->op != 0, "op"},
        {info->accumulator != VKR_TYPE_UNDEFINED, "accumulator"},
        {info->nan != VKR_NAN_IGNORE, "nan"},
        {vkr_has_mask(&info->mask), "mask"},
        {info->algorithm != VKR_SCAN_AUTO, "algorithm"},
        {info->workgroupSize != 0, "workgroupSize"},
        {info->initial != NULL, "initial"},
        {info->output.type != VKR_TYPE_UNDEFINED, "output.type"},
        {info->output.components != 0, "output.components"},
        {info->output.image != NULL, "output.image"},
        {info->output.map != NULL, "output.map"},
        {info->output.texels.view != VK_NULL_HANDLE, "output.texels"},
    };
    VKR_TRY(vkr_check_unused(w, fields, VKR_ARRAY_SIZE(fields)));
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_SCAN));
    return vkr_check_monoid_determinism(w, info->determinism);
}

/* The output is a view of words; a result is an element of it, which can have more than four. */
static VkrResult check_output(const vkr_monoid_work *work, vkr_scan *s)
{
    const VkrView *output = &s->info->output;
    const vkr_walk *w = &s->walk;
    const VkDeviceSize size = 4 * (VkDeviceSize)work->result_words;
    const VkDeviceSize stride = output->stride != 0 ? output->stride : size;
    const uint64_t most = (UINT64_MAX - size) / stride; /* elements after the first one */
    const VkDeviceSize needed = w->count == 0 ? 0 : vkr_min(w->count - 1, most) * stride + size;
    const bool is_rest = output->size == 0 || output->size == VK_WHOLE_SIZE;
    const VkDeviceSize end = output->bufferSize > output->offset ? output->bufferSize : 0;
    const VkrBufferRange range = {output->buffer, output->offset,
                                  is_rest && end != 0 ? end - output->offset : output->size};
    VKR_MUST_BE(w, output->bufferSize != VK_WHOLE_SIZE, "output", ".bufferSize", output->bufferSize,
                "be a number of bytes.");
    VKR_MUST_BE(w, output->bufferSize == 0 || output->offset <= output->bufferSize, "output",
                ".offset", output->offset, "be at most %" PRIu64 ", which is output.bufferSize.",
                output->bufferSize);
    VKR_MUST_BE(
        w,
        output->bufferSize == 0 || is_rest || output->size <= output->bufferSize - output->offset,
        "output", ".size", output->size,
        "be at most the rest of the %" PRIu64 " bytes of output.bufferSize.", output->bufferSize);
    VKR_MUST_BE(w, stride % 4 == 0 && stride >= size && stride <= UINT32_MAX, "output", ".stride",
                stride, "be 0, or a multiple of 4 of at least %" PRIu64 ", the size of a result.",
                size);
    s->output = (vkr_view){.buffer = output->buffer,
                           .offset = output->offset,
                           .size = needed,
                           .type = &vkr_types[VKR_TYPE_U32],
                           .type_id = VKR_TYPE_U32,
                           .components = work->result_words,
                           .stride = stride};
    s->results = vkr_place_of_view(&s->output);
    if (w->count == 0)
        return VKR_SUCCESS;
    VKR_MUST(w, output->buffer != VK_NULL_HANDLE,
             "output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    return vkr_check_range(w, "output", &range, 4, needed);
}

/* Checks everything, and makes the request, without its elements. */
static VkrResult check_scan(const vkr_walk *w, const VkrScanInfo *info, vkr_monoid_work *work,
                            vkr_scan *s)
{
    VKR_TRY(check_fields(w, info));
    VKR_TRY(vkr_check_monoid(w, info->monoid, &info->input, info->count, &info->gpuCount, work));
    VKR_TRY(vkr_check_monoid_handles(work, &info->input));
    *s = (vkr_scan){.info = info, .input = work->elements, .walk = work->walk, .words = true};
    s->walk.gpu_count = &info->gpuCount;
    s->walk.reverse = (info->flags & VKR_SCAN_REVERSE_BIT) != 0;
    VKR_TRY(check_output(work, s));
    const VkDeviceSize state = 4 * (VkDeviceSize)work->state_words;
    VKR_TRY(vkr_check_place(w, "gpuInitial", &info->gpuInitial, false, 4, state, &s->initial));
    VKR_TRY(vkr_check_place(w, "total", &info->total, false, 4, state, &s->total));
    VKR_TRY(vkr_check_choice(w, "segments.kind", (int)info->segments.kind, VKR_SEGMENT_KIND_COUNT));
    VKR_TRY(vkr_check_scan_segments(s));
    s->partial_words = work->state_words + (s->heads || s->rows ? 1 : 0);
    const vkr_region regions[] = {
        vkr_region_of_place("total", &s->total, true),
        vkr_region_of_bytes("output", s->output.buffer, s->output.offset, s->output.size, true),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_place("gpuInitial", &s->initial, false),
        s->starts,
    };
    return vkr_check_monoid_regions(work, regions, VKR_ARRAY_SIZE(regions));
}

/* ---- The call ---- */

VkrResult vkr_scan_monoid(VkrRecorder recorder, const vkr_walk *w, const VkrScanInfo *info)
{
    vkr_monoid_work work;
    vkr_scan s;
    VKR_TRY(check_scan(w, info, &work, &s));
    if (s.walk.count == 0 && s.total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    VKR_TRY(vkr_plan_heads(recorder, &s));
    VKR_TRY(vkr_take_monoid_elements(recorder, &work));
    const vkr_linked linked = vkr_linked_of_monoid(&work);
    s.linked = &linked;
    s.input = vkr_words_of_monoid(&work, &linked);
    VKR_TRY(vkr_plan_scan_geometry(&s));
    return vkr_plan_scan(recorder, &s);
}
