/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "contexts.h"
#include "reduce_case.h"

/* Mesh tasks: at most `most` in dimension 0. */
#define TASKS(most)                                                                                \
    .maxTaskWorkGroupCount = {most, 1u << 22, 1}, .maxTaskWorkGroupTotalCount = 1u << 22

const VkrLimits limits_rows[LIMITS_COUNT] = {
    [LIMITS_DEVICE] = {TASKS(65535)},
    [LIMITS_SMALL] = {.maxStorageBufferRange = SMALL_RANGE,
                      .maxComputeWorkGroupCount = SMALL_GROUPS,
                      TASKS(SMALL_TASKS)},
    [LIMITS_SHUFFLE] = {.groupPath = VKR_GROUP_PATH_SHUFFLE, TASKS(1u << 22)},
    [LIMITS_SHARED] = {.groupPath = VKR_GROUP_PATH_SHARED, TASKS(2)},
    [LIMITS_SHARED_SMALL] = {.maxStorageBufferRange = SMALL_RANGE,
                             .maxComputeWorkGroupCount = SMALL_GROUPS,
                             .groupPath = VKR_GROUP_PATH_SHARED,
                             .disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR |
                                                 VKR_FEATURE_SUBGROUP_SIZE_CONTROL |
                                                 VKR_FEATURE_WRITE_WITHOUT_FORMAT,
                             TASKS(SMALL_GROUPS)},
    [LIMITS_WIDE] = {TASKS(100)},
    [LIMITS_WIDE_SHUFFLE] = {.groupPath = VKR_GROUP_PATH_SHUFFLE, TASKS(100)},
};

const char *const limits_names[LIMITS_COUNT] = {
    "device", "small", "shuffle", "shared", "shared and small", "wide", "wide shuffle"};

const VkrTuning geometries[GEOMETRIES] = {
    [1] = {.treeWorkgroupSize = 128,
           .minBytes = 64,
           .maxBytes = 16384,
           .flight = 4,
           .tileBytes = 128},
    [2] = {.workgroupSize = 1,
           .treeWorkgroupSize = 8,
           .minBytes = 600,
           .maxBytes = 2000,
           .flight = 1,
           .tileBytes = 600,
           .lookBack = VK_TRUE},
    [3] = {.workgroupSize = 64,
           .treeWorkgroupSize = 64,
           .oneGroupBytes = 4096,
           .minBytes = 16,
           .maxBytes = 176,
           .flight = 8,
           .tileBytes = 16},
    [4] = {.workgroupSize = 256,
           .treeWorkgroupSize = 256,
           .minBytes = 1,
           .maxBytes = 16,
           .flight = 2,
           .tileBytes = 32,
           .lookBack = VK_TRUE},
};
#define FEW_GROUPS 20 /* maximum number of workgroups whose invocations load the minimum */

/* ---- Abilities ---- */

static const abilities all_abilities = {
    .types = {false, true, true, true, true, true, true, true, true, true, true, true, true},
    .arithmetic = true,
    .shuffles = true,
    .workgroup = UINT32_MAX,
    .weight = UINT32_MAX,
    .components = UINT32_MAX,
};
_Static_assert(VKR_TYPE_COUNT == 13, "all_abilities has every type");

const abilities common_abilities = {
    .types = {[VKR_TYPE_I32] = true, [VKR_TYPE_U32] = true, [VKR_TYPE_F32] = true},
    .arithmetic = true,
    .shuffles = true,
    .workgroup = 128,
    .weight = 6,
    .components = UINT32_MAX,
};

abilities device_abilities(const harness *h)
{
    const VkPhysicalDeviceFeatures *features = &h->requirements.features.features;
    const bool has8 = h->requirements.storage8.storageBuffer8BitAccess;
    const bool has16 = h->requirements.storage16.storageBuffer16BitAccess;
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(h->physical_device, &properties);
    if ((subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0)
        subgroup.supportedOperations = 0;
    abilities a = all_abilities;
    a.types[VKR_TYPE_I8] = a.types[VKR_TYPE_U8] = has8;
    a.types[VKR_TYPE_I16] = a.types[VKR_TYPE_U16] = has16;
    a.types[VKR_TYPE_F16] = a.types[VKR_TYPE_BF16] = has16;
    a.types[VKR_TYPE_I64] = a.types[VKR_TYPE_U64] = features->shaderInt64;
    a.types[VKR_TYPE_F64] = features->shaderInt64 && features->shaderFloat64;
    const VkSubgroupFeatureFlags shuffles =
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    a.shuffles = (subgroup.supportedOperations & shuffles) == shuffles;
    a.arithmetic =
        a.shuffles && (subgroup.supportedOperations & VK_SUBGROUP_FEATURE_ARITHMETIC_BIT) != 0;
    a.workgroup = h->properties.limits.maxComputeWorkGroupInvocations;
    if (!harness_full()) {
        a.weight = environment("VKR_TEST_WEIGHT", UINT32_MAX);
        a.components = environment("VKR_TEST_COMPONENTS", UINT32_MAX);
    }
    return a;
}

bool has_wide_indices(limits_row limits)
{
    return limits == LIMITS_WIDE || limits == LIMITS_WIDE_SHUFFLE;
}

bool has_arithmetic(const abilities *a, limits_row limits)
{
    return limits_rows[limits].groupPath == VKR_GROUP_PATH_AUTO && a->arithmetic;
}

bool has_shuffles(const abilities *a, limits_row limits)
{
    return limits_rows[limits].groupPath != VKR_GROUP_PATH_SHARED && a->shuffles;
}

bool has_order(const abilities *a, VkrType type)
{
    return a->types[type] || type == VKR_TYPE_I64 || type == VKR_TYPE_U64; /* of two words */
}

bool has_limits(const abilities *a, limits_row limits)
{
    return (limits != LIMITS_SHUFFLE && limits != LIMITS_WIDE_SHUFFLE) || a->shuffles;
}

/* ---- Contexts ---- */

static bool is_built_in(const tuning_row *t)
{
    return t->geometry == 0 || environment("VKR_TEST_BUILT_IN", 0) != 0;
}

static uint32_t tuning_index(const tuning_row *t)
{
    return is_built_in(t)
               ? 0
               : (t->geometry * VKR_LOAD_ORDER_COUNT + (uint32_t)t->order) * VKR_LOAD_PATH_COUNT +
                     (uint32_t)t->path;
}

/* A value of a field: often the first or the last one, or else each magnitude as likely. */
static uint32_t draw_value(const VkrPolicyField *field, uint64_t *seed)
{
    const uint32_t choice = random_below(seed, 3);
    uint64_t value = (next_random(seed) >> random_below(seed, 64)) % ((uint64_t)field->max + 1);
    if (choice < 2)
        return choice == 0 ? field->min : field->max;
    while (field->isPower && (value & (value - 1)) != 0)
        value &= value - 1;
    return value < field->min ? field->min : (uint32_t)value;
}

/* Policies that a profile may have, for each context of its own. */
static void draw_policies(uint64_t seed, VkrPolicy policies[VKR_POLICY_COUNT])
{
    for (uint32_t k = 0; k < VKR_POLICY_COUNT; k++) {
        uint32_t count;
        const VkrPolicyField *fields = vkrPolicyFields((VkrPolicyKind)k, &count);
        policies[k] = (VkrPolicy){.kind = (VkrPolicyKind)k};
        for (uint32_t i = 0; i < count; i++)
            policies[k].values[i] = draw_value(&fields[i], &seed);
    }
}

static bool create(test_contexts *c, limits_row limits, const tuning_row *tuning,
                   VkrContext *context, VkrRecorder *recorder)
{
    const VkrRecorderInfo info = {.label = limits_names[limits]};
    VkrTuning row = geometries[tuning->geometry];
    VkrPolicy policies[VKR_POLICY_COUNT];
    draw_policies(tuning_index(tuning) * LIMITS_COUNT + limits, policies);
    row.maxGroups = FEW_GROUPS;
    row.order = tuning->order;
    row.path = tuning->path;
    c->h->hooks.wideIndices = has_wide_indices(limits);
    /* CPU drivers also run the kernels meant for GPUs and for other processors. */
    c->h->hooks.largeSorts = limits == LIMITS_SHUFFLE;
    c->h->hooks.goesBack = limits != LIMITS_DEVICE;
    c->h->hooks.packBits = limits == LIMITS_DEVICE ? 0 : limits == LIMITS_SHUFFLE ? 64 : 32;
    return (is_built_in(tuning)
                ? harness_context(c->h, &limits_rows[limits], context)
                : harness_tuned_context(c->h, &limits_rows[limits], &row, policies, context)) &&
           harness_check(c->h, vkrCreateRecorder(*context, &info, recorder), "vkrCreateRecorder");
}

VkrContext get_context(test_contexts *c, limits_row limits, const tuning_row *tuning)
{
    const uint32_t index = tuning_index(tuning);
    VkrContext *context = &c->contexts[limits][index];
    VkrRecorder *recorder = &c->recorders[limits][index];
    return *recorder != NULL || create(c, limits, tuning, context, recorder) ? *context : NULL;
}

VkrRecorder get_recorder(test_contexts *c, limits_row limits, const tuning_row *tuning)
{
    return get_context(c, limits, tuning) != NULL ? c->recorders[limits][tuning_index(tuning)]
                                                  : NULL;
}

VkrTuning get_tuning(test_contexts *c, limits_row limits, const tuning_row *tuning,
                     VkrOperation operation, uint32_t value_size)
{
    VkrTuning row = {0};
    const VkrContext context = get_context(c, limits, tuning);
    if (context != NULL)
        harness_check(
            c->h,
            vkrGetTuning(context, operation, value_size, tuning->path == VKR_LOAD_TEXEL, &row),
            "vkrGetTuning");
    return row;
}

struct test_module {
    test_module *next;
    VkrContext context;
    const uint32_t *code;
    VkrModule module;
};

VkrModule get_module(test_contexts *c, VkrContext context, const VkrModuleInfo *info)
{
    test_module *m = c->modules;
    while (m != NULL && (m->context != context || m->code != info->code))
        m = m->next;
    if (m != NULL)
        return m->module;
    m = malloc(sizeof(*m));
    *m = (test_module){c->modules, context, info->code, NULL};
    (void)harness_check(c->h, vkrCreateModule(context, info, &m->module), "vkrCreateModule");
    c->modules = m;
    return m->module;
}

static void close_modules(test_contexts *c)
{
    while (c->modules != NULL) {
        test_module *m = c->modules;
        c->modules = m->next;
        vkrDestroyModule(m->module);
        free(m);
    }
}

void close_contexts(test_contexts *c)
{
    close_modules(c);
    for (uint32_t i = 0; i < LIMITS_COUNT * TUNINGS; i++) {
        vkrDestroyRecorder(c->recorders[i / TUNINGS][i % TUNINGS]);
        vkrDestroyContext(c->contexts[i / TUNINGS][i % TUNINGS]);
        c->recorders[i / TUNINGS][i % TUNINGS] = NULL;
        c->contexts[i / TUNINGS][i % TUNINGS] = NULL;
    }
}
