/* SPDX-License-Identifier: MIT */
/* What is measured: the tables, and the arms made from them. */
#include <stdlib.h>
#include <string.h>
#include "parts.h"

#define ALL_ALGORITHMS ((1u << VKR_REDUCE_ALGORITHM_COUNT) - 1u)
#define AUTO_ONLY (1u << VKR_REDUCE_AUTO)

static const struct {
    load_form form;
    uint32_t workgroup;
} reads[] = {
    {LOAD_SCALAR, 8}, {LOAD_SCALAR, 64}, {LOAD_VEC4, 8}, {LOAD_VEC4, 64}, {LOAD_VEC4, 256},
};

static const char *const form_names[LOAD_FORMS] = {
    [LOAD_SCALAR] = "scalar",
    [LOAD_VEC4] = "vec4",
};

static const struct {
    VkrOpFlags ops;
    VkrType type;
    VkrDeterminism determinism;
    bool gpu_count;
    uint32_t algorithms; /* bits 1 << VkrReduceAlgorithm */
} requests[] = {
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32, VKR_DETERMINISM_RUN, false, ALL_ALGORITHMS},
    {VKR_OP_SUM, VKR_TYPE_F32, VKR_DETERMINISM_RUN, false, ALL_ALGORITHMS},
    {VKR_OP_SUM, VKR_TYPE_U32, VKR_DETERMINISM_RUN, false, ALL_ALGORITHMS},
    {VKR_OP_SUM, VKR_TYPE_F32, VKR_DETERMINISM_DEVICE, false, AUTO_ONLY},
    {VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMIN, VKR_TYPE_F32, VKR_DETERMINISM_RUN, false,
     AUTO_ONLY},
    {VKR_OP_MIN | VKR_OP_MAX, VKR_TYPE_F32, VKR_DETERMINISM_RUN, true, AUTO_ONLY},
};

typedef struct arm_list {
    const settings *settings;
    arm *arms; /* NULL: only counting */
    uint32_t count;
} arm_list;

static bool is_wanted(const settings *s, const arm *a)
{
    if (s->filter_count == 0 || a->kind != ARM_REDUCE)
        return true;
    for (uint32_t i = 0; i < s->filter_count; i++)
        if (strstr(a->name, s->filters[i]) != NULL)
            return true;
    return false;
}

static void add_arm(arm_list *list, const arm *a)
{
    if (!is_wanted(list->settings, a))
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

static void add_reads(arm_list *list)
{
    add_arm(list, &(arm){.kind = ARM_EMPTY, .name = "empty"});
    for (size_t i = 0; i < COUNT_OF(reads); i++) {
        arm a = {.kind = ARM_READ,
                 .form = reads[i].form,
                 .info = {.ops = VKR_OP_XOR,
                          .input.type = VKR_TYPE_U32,
                          .workgroupSize = reads[i].workgroup}};
        name_ops(&a);
        snprintf(a.name, sizeof a.name, "read %s w%u", form_names[a.form], reads[i].workgroup);
        add_arm(list, &a);
    }
}

static void add_reduction(arm_list *list, size_t request, uint32_t algorithm, uint32_t workgroup)
{
    char width[16] = "";
    arm a = {.kind = ARM_REDUCE,
             .gpu_count = requests[request].gpu_count,
             .info = {.ops = requests[request].ops,
                      .input.type = requests[request].type,
                      .determinism = requests[request].determinism,
                      .algorithm = (VkrReduceAlgorithm)algorithm,
                      .workgroupSize = workgroup}};
    name_ops(&a);
    if (workgroup != 0)
        snprintf(width, sizeof width, " w%u", workgroup);
    snprintf(a.name, sizeof a.name, "%s %s %s%s%s%s", a.op, vkrTypeName(a.info.input.type),
             vkrReduceAlgorithmName(a.info.algorithm),
             a.info.determinism == VKR_DETERMINISM_DEVICE ? " device" : "",
             a.gpu_count ? " gpu-count" : "", width);
    add_arm(list, &a);
}

/* The canonical tree has a width of its own, so it takes part once. */
static void add_reductions(arm_list *list)
{
    const settings *s = list->settings;
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        for (uint32_t algorithm = 0; algorithm < VKR_REDUCE_ALGORITHM_COUNT; algorithm++)
            for (uint32_t w = 0; w < s->workgroup_count; w++) {
                bool canonical = requests[i].determinism == VKR_DETERMINISM_DEVICE;
                if ((requests[i].algorithms >> algorithm & 1u) != 0 && (!canonical || w == 0))
                    add_reduction(list, i, algorithm, canonical ? 0 : (uint32_t)s->workgroups[w]);
            }
}

arm *arms_create(const settings *s, uint32_t *count)
{
    arm_list list = {.settings = s};
    add_reads(&list);
    add_reductions(&list);
    list.arms = calloc(list.count, sizeof *list.arms);
    if (list.arms == NULL)
        return NULL;
    list.count = 0;
    add_reads(&list);
    add_reductions(&list);
    *count = list.count;
    return list.arms;
}
