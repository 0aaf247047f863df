/* SPDX-License-Identifier: MIT */
/* The tables of measured operations, and the arms made from them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "moves.h"
#include "read.h"
#include "streams.h"

#define ALL_ALGORITHMS ((1u << VKR_REDUCE_LANES) - 1u) /* except those for segments */
#define AUTO_ONLY (1u << VKR_REDUCE_AUTO)

static const struct {
    const char *name; /* the first part of the name of an arm */
    VkrOpFlags ops;
    VkrType type;
} kinds[READ_KINDS] = {
    [READ_XOR] = {"read", VKR_OP_XOR, VKR_TYPE_U32},
    [READ_F32] = {"read f32", VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32},
    [READ_I32] = {"read i32", VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_I32},
    [READ_COPY] = {"copy", 0, VKR_TYPE_U32},
};

#define XOR (1u << READ_XOR)
#define READS (XOR | 1u << READ_F32 | 1u << READ_I32)
#define COPY (1u << READ_COPY)

/* Each bare kernel that was the fastest on some device (NOTES.md), and a scalar one. */
static const struct {
    uint32_t kinds; /* bits 1 << read_kind */
    bool on_cpu;    /* for CPU drivers; otherwise for GPUs */
    read_shape shape;
} shapes[] = {
    {XOR, true, {.form = LOAD_SCALAR, .chunked = true, .flight = 4, .share = 1 << 16}},
    {READS | COPY, true, {.form = LOAD_VEC4, .chunked = true, .flight = 4, .share = 1 << 16}},
    {READS | COPY, true, {.form = LOAD_U64X4, .chunked = true, .flight = 4, .share = 1 << 16}},
    {READS, true, {.form = LOAD_TEXEL, .flight = 16, .share = 1 << 20}},
    {READS, true, {.form = LOAD_TEXEL, .flight = 32, .share = 1 << 20}},
    {COPY, true, {.form = LOAD_TEXEL, .flight = 4, .share = 1 << 16}},
    {XOR, false, {.form = LOAD_SCALAR, .workgroup = 256, .flight = 4}},
    {READS | COPY, false, {.form = LOAD_VEC4, .workgroup = 256, .flight = 1}},
    {READS | COPY, false, {.form = LOAD_VEC4, .workgroup = 256, .flight = 4}},
    {READS, false, {.form = LOAD_VEC4, .workgroup = 256, .flight = 4, .groups = 2048}},
    {READS, false, {.form = LOAD_TEXEL, .workgroup = 256, .flight = 4}},
};

static const char *const form_names[LOAD_FORMS] = {
    [LOAD_SCALAR] = "scalar",
    [LOAD_VEC4] = "vec4",
    [LOAD_U64X4] = "u64x4",
    [LOAD_TEXEL] = "texel",
};

/* How an arm differs from the plain one. */
enum { PLAIN = 0, GPU_COUNT = 1, SEPARATE = 2, DEVICE = 4, STORAGE_ONLY = 8, ANY_ORDER = 16 };

static VkrDeterminism level_of(uint32_t how)
{
    if ((how & DEVICE) != 0)
        return VKR_DETERMINISM_DEVICE;
    return (how & ANY_ORDER) != 0 ? VKR_DETERMINISM_NONE : VKR_DETERMINISM_RUN;
}

/* Names an arm, such as "sum f32 auto device". */
static void name_arm(arm *a, const char *algorithm, uint32_t how)
{
    static const char *const words[] = {" gpu-count", " separate", " device", " ssbo", " none"};
    snprintf(a->name, sizeof a->name, "%s %s %s", a->op, vkrTypeName(a->type), algorithm);
    for (uint32_t bit = 0; bit < COUNT_OF(words); bit++)
        if ((how >> bit & 1u) != 0)
            strncat(a->name, words[bit], sizeof a->name - strlen(a->name) - 1);
}

#define FOUR (VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMIN)

typedef struct request {
    VkrOpFlags ops;
    VkrType type;
    uint32_t how;
    uint32_t algorithms; /* bits 1 << VkrReduceAlgorithm */
} request;

static const request requests[] = {
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32, PLAIN, ALL_ALGORITHMS},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32, STORAGE_ONLY, AUTO_ONLY},
    {VKR_OP_SUM, VKR_TYPE_F32, PLAIN, ALL_ALGORITHMS},
    {VKR_OP_SUM, VKR_TYPE_U32, PLAIN, ALL_ALGORITHMS},
    {VKR_OP_SUM, VKR_TYPE_F32, DEVICE, AUTO_ONLY},
    {VKR_OP_SUM, VKR_TYPE_I32, PLAIN, AUTO_ONLY},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_I32, PLAIN, AUTO_ONLY},
    {VKR_OP_MIN, VKR_TYPE_F32, PLAIN, AUTO_ONLY},
    {VKR_OP_ARGMIN, VKR_TYPE_F32, PLAIN, AUTO_ONLY},
    {FOUR, VKR_TYPE_F32, PLAIN, AUTO_ONLY},
    {FOUR, VKR_TYPE_F32, SEPARATE, AUTO_ONLY},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32, GPU_COUNT, AUTO_ONLY},
    {VKR_OP_SUM, VKR_TYPE_U32, GPU_COUNT, AUTO_ONLY},
};

/* Single-pass sums of floats need level `none`. */
#define SCANS(algorithm) (1u << VKR_SCAN_##algorithm)
#define WORK_EFFICIENT (SCANS(AUTO) | SCANS(REDUCE_THEN_SCAN) | SCANS(SINGLE_PASS))
#define EVERY_SCAN ((1u << VKR_SCAN_ALGORITHM_COUNT) - 1u)

static const struct {
    VkrOp op;
    VkrType type;
    uint32_t how;
    uint32_t algorithms;
} scans[] = {
    {VKR_OP_SUM, VKR_TYPE_U32, PLAIN, EVERY_SCAN},
    {VKR_OP_SUM, VKR_TYPE_U32, STORAGE_ONLY, SCANS(AUTO)},
    {VKR_OP_SUM, VKR_TYPE_F32, PLAIN, EVERY_SCAN & ~SCANS(SINGLE_PASS)},
    {VKR_OP_SUM, VKR_TYPE_F32, ANY_ORDER, WORK_EFFICIENT},
    {VKR_OP_SUM, VKR_TYPE_F32, DEVICE, SCANS(AUTO)},
    {VKR_OP_MIN, VKR_TYPE_F32, PLAIN, WORK_EFFICIENT},
};

#define COMPACTS(algorithm) (1u << VKR_COMPACT_##algorithm)
#define EVERY_COMPACT (COMPACTS(HORN) - 1u) /* the methods of papers are in --streams */
#define RUN_SHARE 25u                       /* percentage of elements that start a run */

static const struct {
    compact_form form;
    VkrType type;
    uint32_t share; /* percentage; 0: each of `shares` */
    uint32_t how;
    uint32_t algorithms;
} compactions[] = {
    {COMPACT_KEPT, VKR_TYPE_F32, 0, PLAIN, EVERY_COMPACT},
    {COMPACT_KEPT, VKR_TYPE_U32, 0, PLAIN, EVERY_COMPACT},
    {COMPACT_KEPT, VKR_TYPE_F32, 60, STORAGE_ONLY, COMPACTS(AUTO)},
    {COMPACT_INDICES, VKR_TYPE_F32, 60, PLAIN, EVERY_COMPACT},
    {COMPACT_PARTITION, VKR_TYPE_F32, 60, PLAIN, EVERY_COMPACT},
    {COMPACT_FLAGS, VKR_TYPE_F32, 60, PLAIN, COMPACTS(AUTO)},
    {COMPACT_PAYLOAD, VKR_TYPE_F32, 60, PLAIN, COMPACTS(AUTO)},
    {COMPACT_UNIQUE, VKR_TYPE_U32, RUN_SHARE, PLAIN, EVERY_COMPACT},
    {COMPACT_LENGTHS, VKR_TYPE_U32, RUN_SHARE, PLAIN, COMPACTS(AUTO)},
};

static const uint32_t shares[] = {10, 30, 50, 60, 90};

/* With --segments: the sums of all elements that sums of segments are compared with. */
static const request flats[] = {
    {VKR_OP_SUM, VKR_TYPE_F32, PLAIN, AUTO_ONLY},
    {VKR_OP_SUM, VKR_TYPE_F32, STORAGE_ONLY, AUTO_ONLY},
    {VKR_OP_SUM, VKR_TYPE_U32, PLAIN, AUTO_ONLY},
};

#define POWER(p) (1u << (p))
#define EVERY_POWER (POWER(25) - POWER(1))
#define FORCED(algorithm) (1u << VKR_REDUCE_##algorithm)

/* The library refuses `lanes` and `merge` for much longer rows. */
static const struct {
    VkrSegmentKind kind;
    VkrType type;
    uint32_t powers; /* bits 1 << P: lengths 2^P */
    uint32_t how;
    uint32_t algorithms;
} segment_requests[] = {
    {VKR_SEGMENTS_ROWS, VKR_TYPE_F32, EVERY_POWER, PLAIN, AUTO_ONLY},
    {VKR_SEGMENTS_ROWS, VKR_TYPE_F32, POWER(3), STORAGE_ONLY, AUTO_ONLY},
    {VKR_SEGMENTS_ROWS, VKR_TYPE_F32, POWER(3) | POWER(8) | POWER(12), PLAIN,
     FORCED(LANES) | FORCED(MERGE)},
    {VKR_SEGMENTS_ROWS, VKR_TYPE_F32, POWER(3) | POWER(8) | POWER(12) | POWER(16), PLAIN,
     FORCED(GROUPS) | FORCED(SPLIT)},
    {VKR_SEGMENTS_COLUMNS, VKR_TYPE_F32, POWER(2) | POWER(10) | POWER(16), PLAIN, AUTO_ONLY},
    {VKR_SEGMENTS_WINDOWS, VKR_TYPE_F32, POWER(3) | POWER(10), PLAIN, AUTO_ONLY},
    {VKR_SEGMENTS_OFFSETS, VKR_TYPE_U32, POWER(0), PLAIN, AUTO_ONLY},
};

static const char *const segment_names[VKR_SEGMENT_KIND_COUNT] = {
    [VKR_SEGMENTS_ROWS] = "rows",
    [VKR_SEGMENTS_OFFSETS] = "offsets", /* the name has no length */
    [VKR_SEGMENTS_COLUMNS] = "columns",
    [VKR_SEGMENTS_WINDOWS] = "windows",
};

typedef struct arm_list {
    const settings *settings;
    const gpu *gpu;
    uint32_t subgroup_size;
    bool on_cpu;
    arm *arms; /* NULL: only counting */
    uint32_t count;
} arm_list;

static void add_arm(arm_list *list, const arm *a)
{
    if (!arm_wanted(list->settings, a))
        return;
    if (list->arms != NULL) {
        list->arms[list->count] = *a;
        list->arms[list->count].slot = (VkDeviceSize)list->count * SLOT_SIZE;
    }
    list->count++;
}

static void name_ops(arm *a)
{
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        size_t length = strlen(a->op);
        if ((a->info.ops >> bit & 1u) != 0)
            snprintf(a->op + length, sizeof a->op - length, "%s%s", length > 0 ? "," : "",
                     vkrOpName((VkrOp)(1u << bit)));
    }
}

static void add_read(arm_list *list, const read_shape *shape, uint32_t kind)
{
    char groups[16] = "";
    arm a = {.kind = kind == READ_COPY ? ARM_COPY : ARM_READ,
             .type = kinds[kind].type,
             .shape = *shape,
             .info = {.ops = kinds[kind].ops, .input.type = kinds[kind].type}};
    if (!reader_has(list->gpu, shape->form))
        return;
    a.shape.kind = (read_kind)kind;
    if (shape->workgroup == 0)
        a.shape.workgroup = list->subgroup_size;
    if (shape->groups != 0)
        snprintf(groups, sizeof groups, " g%u", shape->groups);
    name_ops(&a);
    snprintf(a.name, sizeof a.name, "%s %s%s w%u f%u%s", kinds[kind].name, form_names[shape->form],
             shape->chunked ? " chunk" : "", a.shape.workgroup, shape->flight, groups);
    add_arm(list, &a);
}

static void add_reads(arm_list *list)
{
    add_arm(list, &(arm){.kind = ARM_EMPTY, .name = "empty"});
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (uint32_t kind = 0; kind < READ_KINDS; kind++)
            if ((shapes[i].kinds >> kind & 1u) != 0 &&
                (shapes[i].on_cpu == list->on_cpu || list->settings->all_reads))
                add_read(list, &shapes[i].shape, kind);
}

static void add_reduction(arm_list *list, const request *asked, uint32_t algorithm,
                          uint32_t workgroup)
{
    char width[16] = "";
    uint32_t how = asked->how;
    arm a = {.kind = ARM_REDUCE,
             .type = asked->type,
             .gpu_count = (how & GPU_COUNT) != 0,
             .separate = (how & SEPARATE) != 0,
             .storage_only = (how & STORAGE_ONLY) != 0,
             .info = {.ops = asked->ops,
                      .input.type = asked->type,
                      .determinism = level_of(how),
                      .algorithm = (VkrReduceAlgorithm)algorithm,
                      .workgroupSize = workgroup}};
    name_ops(&a);
    name_arm(&a, vkrReduceAlgorithmName(a.info.algorithm), how);
    if (workgroup != 0) {
        snprintf(width, sizeof width, " w%u", workgroup);
        strncat(a.name, width, sizeof a.name - strlen(a.name) - 1);
    }
    add_arm(list, &a);
}

/* At level `device` the workgroup size is fixed, so there is only one arm. */
static void add_reductions(arm_list *list, const request *table, size_t count)
{
    const settings *s = list->settings;
    for (size_t i = 0; i < count; i++)
        for (uint32_t algorithm = 0; algorithm < VKR_REDUCE_LANES; algorithm++)
            for (uint32_t w = 0; w < s->workgroup_count; w++) {
                bool canonical = (table[i].how & DEVICE) != 0;
                if ((table[i].algorithms >> algorithm & 1u) != 0 && (!canonical || w == 0))
                    add_reduction(list, &table[i], algorithm,
                                  canonical ? 0 : (uint32_t)s->workgroups[w]);
            }
}

static void add_scans(arm_list *list)
{
    for (size_t i = 0; i < COUNT_OF(scans); i++)
        for (uint32_t algorithm = 0; algorithm < VKR_SCAN_ALGORITHM_COUNT; algorithm++) {
            arm a = {.kind = ARM_SCAN,
                     .type = scans[i].type,
                     .storage_only = (scans[i].how & STORAGE_ONLY) != 0,
                     .scan = {.op = scans[i].op,
                              .determinism = level_of(scans[i].how),
                              .algorithm = (VkrScanAlgorithm)algorithm}};
            if ((scans[i].algorithms >> algorithm & 1u) == 0)
                continue;
            snprintf(a.op, sizeof a.op, "scan %s", vkrOpName(a.scan.op));
            name_arm(&a, vkrScanAlgorithmName(a.scan.algorithm), scans[i].how);
            add_arm(list, &a);
        }
}

static void add_compaction(arm_list *list, size_t i, uint32_t share)
{
    for (uint32_t algorithm = 0; algorithm < VKR_COMPACT_ALGORITHM_COUNT; algorithm++) {
        arm a = {.kind = ARM_COMPACT,
                 .type = compactions[i].type,
                 .storage_only = (compactions[i].how & STORAGE_ONLY) != 0,
                 .form = compactions[i].form,
                 .share = share,
                 .algorithm = (VkrCompactAlgorithm)algorithm};
        if ((compactions[i].algorithms >> algorithm & 1u) == 0)
            continue;
        snprintf(a.op, sizeof a.op, "%s %u", compact_rows[a.form].name, share);
        name_arm(&a, vkrCompactAlgorithmName(a.algorithm), compactions[i].how);
        add_arm(list, &a);
    }
}

static void add_compactions(arm_list *list)
{
    for (size_t i = 0; i < COUNT_OF(compactions); i++) {
        if (compactions[i].share != 0)
            add_compaction(list, i, compactions[i].share);
        for (size_t k = 0; compactions[i].share == 0 && k < COUNT_OF(shares); k++)
            add_compaction(list, i, shares[k]);
    }
}

static void add_segments(arm_list *list, size_t i, uint32_t power)
{
    for (uint32_t algorithm = 0; algorithm < VKR_REDUCE_ALGORITHM_COUNT; algorithm++) {
        uint32_t how = segment_requests[i].how;
        VkrSegmentKind kind = segment_requests[i].kind;
        arm a = {.kind = ARM_SEGMENTS,
                 .type = segment_requests[i].type,
                 .storage_only = (how & STORAGE_ONLY) != 0,
                 .info = {.ops = VKR_OP_SUM,
                          .input.type = segment_requests[i].type,
                          .algorithm = (VkrReduceAlgorithm)algorithm,
                          .segments = {.kind = kind, .length = UINT64_C(1) << power}}};
        if ((segment_requests[i].algorithms >> algorithm & 1u) == 0)
            continue;
        if (kind == VKR_SEGMENTS_OFFSETS)
            snprintf(a.op, sizeof a.op, "%s", segment_names[kind]);
        else
            snprintf(a.op, sizeof a.op, "%s %u", segment_names[kind], 1u << power);
        name_arm(&a, vkrReduceAlgorithmName(a.info.algorithm), how);
        add_arm(list, &a);
    }
}

static void add_segment_sums(arm_list *list)
{
    for (size_t i = 0; i < COUNT_OF(segment_requests); i++)
        for (uint32_t power = 0; segment_requests[i].powers >> power != 0; power++)
            if ((segment_requests[i].powers >> power & 1u) != 0)
                add_segments(list, i, power);
}

static void add_streams(arm_list *list)
{
    uint32_t count;
    const arm *arms = streams_arms(&count);
    for (uint32_t i = 0; i < count; i++)
        add_arm(list, &arms[i]);
}

static void add_all(arm_list *list)
{
    add_reads(list);
    if (list->settings->streams) {
        add_streams(list);
        return;
    }
    if (list->settings->segments) {
        add_reductions(list, flats, COUNT_OF(flats));
        add_segment_sums(list);
        return;
    }
    add_reductions(list, requests, COUNT_OF(requests));
    add_scans(list);
    add_compactions(list);
}

arm *arms_create(const settings *s, const gpu *g, uint32_t *count)
{
    VkrContextProperties properties;
    vkrGetContextProperties(g->vulkan.context, &properties);
    arm_list list = {.settings = s,
                     .gpu = g,
                     .subgroup_size = properties.subgroupSize,
                     .on_cpu = g->chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU};
    add_all(&list);
    list.arms = calloc(list.count, sizeof *list.arms);
    if (list.arms == NULL)
        return NULL;
    list.count = 0;
    add_all(&list);
    *count = list.count;
    return list.arms;
}
