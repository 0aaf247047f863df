/* SPDX-License-Identifier: MIT */
/* Scans and compactions under the validation layer. */
#include "validation.h"

#define SLOT (96u << 10) /* bytes for an output */
#define ELEMENTS 20000u
#define COUNTS_SLOT 9u

static VkrView view_in(uint32_t buffer, uint32_t slot, VkrType type, uint32_t count)
{
    return (VkrView){.buffer = buffers[buffer].buffer,
                     .offset = (VkDeviceSize)slot * SLOT,
                     .size = 4 * (VkDeviceSize)count,
                     .type = type};
}

/* The first scan's total is the initial value of the second, and its results are the elements. */
void record_scans(session *s, const scenario *t)
{
    const VkrBufferRange total = {buffers[OUTPUT].buffer, COUNTS_SLOT * SLOT, 4};
    VkrScanInfo info = {
        .label = t->name,
        .op = VKR_OP_SUM,
        .input = view_in(t->type == VKR_TYPE_U32 ? WORDS : FLOATS, 0, t->type, ELEMENTS),
        .output = view_in(OUTPUT, 0, t->type, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .determinism = t->determinism,
        .algorithm = t->scan,
        .total = total,
    };

    info.input.texels = t->tuning.texels ? (VkrTexels){texels, 0, BUFFER_SIZE} : (VkrTexels){0};
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(s->recorder, &info), VKR_SUCCESS);
    info.input = info.output;
    info.output = view_in(OUTPUT, t->scan == VKR_SCAN_REDUCE_THEN_SCAN ? 0 : 1, t->type, ELEMENTS);
    info.flags = VKR_SCAN_EXCLUSIVE_BIT | VKR_SCAN_REVERSE_BIT;
    info.gpuInitial = total;
    info.total = (VkrBufferRange){buffers[OUTPUT].buffer, COUNTS_SLOT * SLOT + s->spacing, 4};
    info.segments = (VkrSegments){
        .kind = VKR_SEGMENTS_FLAGS,
        .flags = {.format = VKR_FLAGS_BITS, .range = {buffers[WORDS].buffer, 0, ELEMENTS / 8}}};
    assert_int_equal(vkrCmdScan(s->recorder, &info), VKR_SUCCESS);
    end(s, true);
}

/* Requests every count, each at a sufficient distance from the next. */
static void all_counts(const session *s, VkrCountOutput counts[VKR_COUNT_KIND_COUNT])
{
    for (uint32_t i = 0; i < VKR_COUNT_KIND_COUNT; i++)
        counts[i] = (VkrCountOutput){.kind = (VkrCountKind)i,
                                     .buffer = buffers[OUTPUT].buffer,
                                     .offset = COUNTS_SLOT * SLOT + i * s->spacing,
                                     .scale = 64};
}

/* The first compaction writes all outputs that the algorithm supports, and the count at which the
 * others append: the second one past its capacity, the third one into the end of the buffer. A
 * reduction uses the count too. */
void record_compactions(session *s, const scenario *t)
{
    const bool lengths = t->compact != VKR_COMPACT_SINGLE_PASS;
    const VkBuffer output = buffers[OUTPUT].buffer;
    VkrCountOutput counts[VKR_COUNT_KIND_COUNT];
    const VkrPayload payloads[] = {
        {.size = 12,
         .source = {buffers[WORDS].buffer, 0, 12 * ELEMENTS},
         .target = {output, 5 * SLOT, SLOT}},
        {.size = 4,
         .source = {buffers[WORDS].buffer, 0, 4 * ELEMENTS},
         .target = {output, 6 * SLOT, SLOT}},
        {.size = 2,
         .source = {buffers[WORDS].buffer, 2, 2 * ELEMENTS},
         .target = {output, 7 * SLOT, SLOT}},
        {.size = 1,
         .rejected = VK_TRUE,
         .source = {buffers[WORDS].buffer, 1, ELEMENTS},
         .target = {output, 8 * SLOT, SLOT}},
    };
    VkrCompactInfo info = {
        .label = t->name,
        .flags = t->flags,
        .input = view_in(FLOATS, 1, VKR_TYPE_F32, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = t->flags ? VKR_PREDICATE_UNIQUE : VKR_PREDICATE_NONZERO},
        .algorithm = t->compact,
        .kept = view_in(OUTPUT, 0, VKR_TYPE_F32, ELEMENTS),
        .keptIndices = view_in(OUTPUT, 1, VKR_TYPE_U32, ELEMENTS),
        .rejected = view_in(OUTPUT, 3, VKR_TYPE_F32, ELEMENTS),
        .rejectedIndices = view_in(OUTPUT, 4, VKR_TYPE_U32, ELEMENTS),
        .countOutputCount = VKR_COUNT_KIND_COUNT,
        .countOutputs = counts,
    };

    all_counts(s, counts);
    counts[VKR_COUNT_KEPT].scale = 1;
    info.input.texels = t->tuning.texels ? (VkrTexels){texels, 0, BUFFER_SIZE} : (VkrTexels){0};
    if (lengths) {
        info.runLengths = view_in(OUTPUT, 2, VKR_TYPE_U32, ELEMENTS);
        info.payloads = payloads;
        info.payloadCount = LENGTH(payloads);
    }
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.append = (VkrGpuCount){.buffer = output, .offset = counts[VKR_COUNT_KEPT].offset};
    info.countOutputCount = 1;
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.kept = view_in(OUTPUT, 0, VKR_TYPE_F32, 2 * ELEMENTS + 100);
    info.kept.offset = BUFFER_SIZE - info.kept.size;
    info.keptIndices = info.runLengths = info.rejected = info.rejectedIndices = (VkrView){0};
    info.payloadCount = 0;
    info.countOutputs = &(VkrCountOutput){.buffer = output, .offset = 3 * SLOT};
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    VkrReduceInfo sum = reduction(s, t, ELEMENTS, 0);
    sum.flags = 0;
    sum.gpuCount = info.append;
    sum.output.offset = 2 * SLOT;
    collect(s, &sum);
    end(s, true);
}

/* Values with flags, and entries of a payload, are loaded as texels that extend beyond them. The
 * kept elements of the first compaction are among the texels of the second one's payload. */
void record_moved_texels(session *s, const scenario *t)
{
    const VkrTexels all = t->tuning.texels ? (VkrTexels){texels, 0, BUFFER_SIZE} : (VkrTexels){0};
    const VkrPayload payload = {.size = 16,
                                .source = {buffers[FLOATS].buffer, 4 * SLOT, 16 * FEW},
                                .target = {buffers[OUTPUT].buffer, 4 * SLOT, 16 * FEW},
                                .texels = all};
    VkrCompactInfo info = {
        .label = t->name,
        .input = view_in(FLOATS, 0, VKR_TYPE_F32, ELEMENTS),
        .count = ELEMENTS,
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {.format = VKR_FLAGS_U8,
                                .range = {buffers[WORDS].buffer, 0, ELEMENTS}}},
        .kept = view_in(FLOATS, 6, VKR_TYPE_F32, ELEMENTS),
        .rejectedIndices = view_in(OUTPUT, 2, VKR_TYPE_U32, ELEMENTS),
    };
    info.input.texels = all;
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    info.count = FEW;
    info.kept = view_in(OUTPUT, 0, VKR_TYPE_F32, ELEMENTS);
    info.payloads = &payload;
    info.payloadCount = 1;
    assert_int_equal(vkrCmdCompact(s->recorder, &info), VKR_SUCCESS);
    end(s, true);
}
