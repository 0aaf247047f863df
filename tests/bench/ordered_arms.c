/* SPDX-License-Identifier: MIT */
/* The arms of --ordered. */
#include <string.h>
#include "array.h"
#include "buffers.h"
#include "commands.h"
#include "measure.h"
#include "mode.h"
#include "ordered.h"
#include "read.h"
#include "report.h"
#include "status.h"

/* ---- Arms ---- */

/* The bare copies that were the fastest on some device (NOTES.md). */
static const struct {
    bool on_cpu;
    read_shape shape;
} copies[] = {
    {true, {.kind = READ_COPY, .form = LOAD_TEXEL, .flight = 4, .share = 1 << 16}},
    {true, {.kind = READ_COPY, .form = LOAD_VEC4, .chunked = true, .flight = 4, .share = 1 << 16}},
    {false, {.kind = READ_COPY, .form = LOAD_VEC4, .workgroup = 256, .flight = 1}},
    {false, {.kind = READ_COPY, .form = LOAD_VEC4, .workgroup = 256, .flight = 4}},
};

static void add_copies(bench *b, uint32_t size)
{
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.vulkan.context, &properties);
    const bool on_cpu = b->gpu.chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (size_t i = 0; i < COUNT_OF(copies); i++) {
        arm a = {.kind = ARM_COPY, .op = "", .type = VKR_TYPE_U32, .shape = copies[i].shape};
        if (copies[i].on_cpu != on_cpu || !reader_has(&b->gpu, a.shape.form))
            continue;
        if (a.shape.workgroup == 0)
            a.shape.workgroup = properties.subgroupSize;
        snprintf(a.name, sizeof a.name, "copy %s%s w%u f%u",
                 a.shape.form == LOAD_TEXEL ? "texel" : "vec4", a.shape.chunked ? " chunk" : "",
                 a.shape.workgroup, a.shape.flight);
        (void)mode_add(b, &a, b->settings.sizes[size]);
    }
}

static void add_case(bench *b, uint32_t size, uint32_t which)
{
    const ordered_case *of = &ordered_cases[which];
    const uint64_t n = b->settings.sizes[size];
    for (uint32_t k = 0; of->algorithms >> k != 0; k++) {
        arm a = {.kind = ARM_ORDERED,
                 .type = of->type,
                 .ordered = {.of = which, .size = size, .algorithm = (VkrSortAlgorithm)k}};
        if ((of->algorithms >> k & 1u) == 0)
            continue;
        snprintf(a.op, sizeof a.op, "%s", of->op);
        snprintf(a.name, sizeof a.name, "%s %s %s", a.op, vkrTypeName(a.type),
                 vkrSortAlgorithmName(a.ordered.algorithm));
        if (mode_add(b, &a, n) && of->row > n)
            b->rows[b->arm_count - 1].verdict = VERDICT_MISFIT;
    }
}

static int create_arms(bench *b)
{
    const uint32_t most = b->settings.size_count * (uint32_t)COUNT_OF(copies) +
                          b->settings.size_count * ordered_case_count * VKR_SORT_ALGORITHM_COUNT;
    const int status = mode_allocate(b, most);
    for (uint32_t s = 0; s < b->settings.size_count && status == STATUS_DONE; s++) {
        add_copies(b, s);
        for (uint32_t i = 0; i < ordered_case_count; i++)
            add_case(b, s, i);
    }
    return status == STATUS_DONE ? mode_check(b) : status;
}

/* ---- Recording ---- */

/* Each sort in place starts with the unsorted keys. */
static void precede(const bench *b, const arm *a, uint64_t n)
{
    if (a->kind != ARM_ORDERED || !ordered_case_of(a)->in_place)
        return;
    const VkBufferCopy part = {.size = ordered_part_size(a, n, PART_FIRST)};
    vkCmdCopyBuffer(a->commands, b->ordered->sets[ordered_case_of(a)->data].buffer.buffer,
                    b->copy.buffer, 1, &part);
    memory_barrier(a->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

static void record(const bench *b, const arm *a, uint64_t n)
{
    reader_record(b, &b->arms[a - b->arms], n);
}

static VkDeviceSize outputs_size(const arm *a, uint64_t n)
{
    return a->kind == ARM_ORDERED ? ordered_part_start(a, n, ORDERED_PARTS) : 4 * n;
}

/* Whether an arm's buffers exceed one buffer or what a descriptor reaches. Scans, compactions,
 * expansions, merges and elements by rank have windows. */
static bool is_beyond(const bench *b, const arm *a, uint64_t n)
{
    const uint64_t reach = b->gpu.limits.maxStorageBufferRange;
    if (a->kind != ARM_ORDERED)
        return a->shape.form == LOAD_TEXEL && 4 * n > b->data.texels.size;
    const ordered_case *of = ordered_case_of(a);
    if (outputs_size(a, n) > b->gpu.chosen.maxBufferSize ||
        of->payload * n > b->ordered->sets[ORDERED_COUNTING].size)
        return true;
    if (of->work == ORDERED_SCAN || of->work == ORDERED_RUN_LENGTHS || of->work == ORDERED_EXPAND ||
        of->work == ORDERED_SELECT || of->work == ORDERED_MERGE)
        return false;
    return n * vkrTypeSize(of->type) > reach ||
           (of->work == ORDERED_REDUCE && 4 * (n + 1) > reach) ||
           ordered_part_size(a, n, PART_FIRST) > reach ||
           ordered_part_size(a, n, PART_SECOND) > reach;
}

/* ---- Measuring ---- */

/* The time of the best bare copy of as many words; 0: there is none. */
static double copy_ns(const bench *b, uint64_t n)
{
    double best = 0.0;
    for (uint32_t i = 0; i < b->arm_count; i++)
        if (b->arms[i].kind == ARM_COPY && b->rows[i].n == n && row_measured(&b->rows[i]) &&
            (best <= 0.0 || row_ns(&b->rows[i]) < best))
            best = row_ns(&b->rows[i]);
    return best;
}

/* The time of the operation that a case is compared with; 0: there is none. Run lengths have no
 * values, so their type does not count. */
static double other_ns(const bench *b, const row *r)
{
    const char *against = ordered_case_of(r->arm)->against;
    for (uint32_t i = 0; against != NULL && i < b->arm_count; i++) {
        const arm *a = &b->arms[i];
        if (a->kind == ARM_ORDERED && b->rows[i].n == r->n && strcmp(a->op, against) == 0 &&
            (a->type == r->arm->type || ordered_case_of(a)->work == ORDERED_RUN_LENGTHS) &&
            a->ordered.algorithm == VKR_SORT_AUTO && row_measured(&b->rows[i]))
            return row_ns(&b->rows[i]);
    }
    return 0.0;
}

static int finish(bench *b, row *r)
{
    const VkDeviceSize size = outputs_size(r->arm, r->n);
    r->ratios[RATIO_COPY] = copy_ns(b, r->n) / row_ns(r);
    if (r->arm->kind == ARM_COPY) {
        r->bytes = 8.0 * (double)r->n;
        return STATUS_DONE;
    }
    r->ratios[RATIO_OTHER] = other_ns(b, r) / row_ns(r);
    const int status = measure_again(b, r->arm, size);
    if (status == STATUS_DONE)
        ordered_verify(b, r);
    return status;
}

static int create_outputs(bench *b)
{
    VkDeviceSize most = b->in.size;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const VkDeviceSize size = outputs_size(&b->arms[i], b->rows[i].n);
        if (row_measured(&b->rows[i]) && !is_beyond(b, &b->arms[i], b->rows[i].n))
            most = size > most ? size : most;
    }
    return outputs_create(b, most);
}

static int create_copies(bench *b)
{
    int status = reader_open(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        if (b->arms[i].kind == ARM_COPY)
            status = reader_pipeline(b, &b->arms[i].shape, &b->arms[i].pipeline);
    return status;
}

int ordered_measure(bench *b, FILE *json)
{
    static const mode steps = {.is_beyond = is_beyond,
                               .collect = ordered_collect,
                               .precede = precede,
                               .shares_scratch = true,
                               .record = record,
                               .finish = finish,
                               .report = report_ordered};
    /* All inputs, outputs and scratch memory together need about 64 bytes for each element. */
    int status = sizes_fit(b, 64, sizeof(uint64_t));
    if (status == STATUS_DONE)
        status = create_arms(b);
    if (status == STATUS_DONE)
        status = ordered_create(b);
    if (status == STATUS_DONE)
        status = create_outputs(b);
    if (status == STATUS_DONE)
        status = create_copies(b);
    return status == STATUS_DONE ? mode_measure(b, &steps, json) : status;
}
