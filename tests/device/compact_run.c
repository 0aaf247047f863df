/* SPDX-License-Identifier: MIT */
/* Records compactions, says which ones are refused, and what the others write. */
#include "compact_request.h"

#include <string.h>

/* ---- Recording ---- */

bool is_stream(VkrCompactAlgorithm algorithm)
{
    return algorithm >= VKR_COMPACT_HORN;
}

VkDeviceSize compact_count_size(VkrCountKind kind)
{
    return kind >= VKR_COUNT_DISPATCH ? 12 : kind >= VKR_COUNT_KEPT64 ? 8 : 4;
}

static void count_keyed(void *data, const char *line)
{
    uint32_t *lines = data;
    *lines += strstr(line, ": keyed_") != NULL;
}

static uint32_t keyed_steps(VkrRecorder recorder)
{
    uint32_t lines = 0;
    assert_int_equal(vkrDescribe(recorder, count_keyed, &lines), VKR_SUCCESS);
    return lines;
}

VkrResult compact_record(VkrRecorder recorder, const test_request *t)
{
    const compact_request *s = t->own;
    VkrCompactInfo info = s->info;
    if (s->row.called != NULL)
        info.predicate.flags = (VkrFlagView){.hook = &s->hook};
    if (!s->row.runs)
        return vkrCmdCompact(recorder, &info);
    const uint32_t before = keyed_steps(recorder);
    const VkrResult result = vkrCmdCompact(recorder, &info);
    assert_int_equal(keyed_steps(recorder) - before, s->most != 0);
    return result;
}

/* Whether a view, or flags, may exceed the range of a binding. */
static bool may_pass(const VkrCompactInfo *info, VkDeviceSize range)
{
    const VkrView *views[] = {&info->input, &info->kept, &info->keptIndices, &info->rejected,
                              &info->rejectedIndices};
    for (size_t i = 0; i < ARRAY_SIZE(views); i++)
        if (views[i]->size + 512 > range)
            return true;
    return info->predicate.flags.range.size + 512 > range;
}

/* Values that flags select in one pass need a function that is linked. */
static bool has_flagged_values(const compact_request *s)
{
    return tests_flags(s->row.predicate) && (s->row.outputs & OUT_VALUES) != 0;
}

/* Single-pass does not write all outputs. */
bool compact_must_refuse(const test_request *t)
{
    const compact_request *s = t->own;
    return s->row.algorithm == VKR_COMPACT_SINGLE_PASS &&
           (s->info.payloadCount != 0 || (s->row.outputs & OUT_LENGTHS) != 0 ||
            (has_flagged_values(s) && s->row.called == NULL));
}

/* The views of a single pass must fit the range of a binding. Those of streams must fit it too, and
 * so must their scratch memory, which can take two words per element. */
bool compact_may_refuse(const test_request *t)
{
    const compact_request *s = t->own;
    const VkDeviceSize range = limits_rows[t->limits].maxStorageBufferRange;
    const bool may = range != 0 && may_pass(&s->info, range);
    if (is_stream(s->row.algorithm))
        return may || (range != 0 && 8 * s->most + 512 > range);
    if (s->row.algorithm != VKR_COMPACT_SINGLE_PASS)
        return false;
    /* Only functions that are linked move values, and they need elements in place of flags. */
    return s->row.called != NULL ? has_flagged_values(s) || range != 0 : may;
}

/* ---- Results ---- */

void compact_expect(test_request *t)
{
    const compact_request *s = t->own;
    const VkrLimits *limits = &limits_rows[t->limits];
    const uint32_t lowered = limits->maxComputeWorkGroupCount;
    const oracle_image images[] = {{rig.given.buffer.buffer, rig.given.shadow},
                                   {rig.written.buffer.buffer, rig.written.shadow}};
    const oracle_device device = {
        .images = images,
        .image_count = ARRAY_SIZE(images),
        .max_groups = lowered != 0 ? lowered : rig.h.properties.limits.maxComputeWorkGroupCount[0],
        .wide_indices = has_wide_indices(t->limits),
        .max_tasks = limits->maxTaskWorkGroupCount[0]};
    (void)oracle_compact(&device, &s->info);
    rig.cases += t->port_count;
}

void compact_print(const test_request *t)
{
    const VkrCompactInfo *info = &((const compact_request *)t->own)->info;
    test_print_number("flags", info->flags);
    test_print_view("input", &info->input);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_predicate(&info->predicate);
    test_print_number("algorithm", info->algorithm);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_number("stream.block", info->stream.block);
    test_print_number("stream.blockScan", info->stream.blockScan);
    test_print_number("stream.search", info->stream.search);
    test_print_number("stream.concatenation", info->stream.concatenation);
    test_print_view("kept", &info->kept);
    test_print_view("keptIndices", &info->keptIndices);
    test_print_view("runLengths", &info->runLengths);
    test_print_count("append", &info->append);
    test_print_number("capacity", info->capacity);
    test_print_view("rejected", &info->rejected);
    test_print_view("rejectedIndices", &info->rejectedIndices);
    test_print_number("firstIndex", info->firstIndex);
    test_print_payloads(info->payloadCount, info->payloads);
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        const VkrCountOutput *output = &info->countOutputs[i];
        test_print_range("countOutputs", &(VkrBufferRange){output->buffer, output->offset,
                                                           compact_count_size(output->kind)});
        test_print_number("countOutputs.kind", output->kind);
        test_print_number("countOutputs.scale", output->scale);
    }
}

/* ---- Outside of the rows ---- */
