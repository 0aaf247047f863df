/* SPDX-License-Identifier: MIT */
/* Pipelines, their layouts, and descriptor sets. */
#include "recorder.h"

#include <string.h>

/* Each layout has its own pools, the first of 32 sets. */
EXTERN_TEST(test_sets)
{
    open_recorder(&pooling, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 0, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 1: 0=A+0:64 1=O+256:4\n"
                            "update set 33: 0=A+0:64 1=O+256:4 2=a+0:4\n"
                            "fill a+0:256 0\n"
                            "pipeline 1\nset 0: 1\ndispatch 1 1 1\n"
                            "barrier compute|transfer(write|copy-write) -> compute(read|write)\n"
                            "pipeline 2\nset 0: 33\ndispatch 2 1 1\n");
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(3, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 2: 0=A+0:64 1=O+256:4\n"
                            "pipeline 1\nset 0: 2\ndispatch 3 1 1\n");
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(4, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "update set 1: 0=A+0:64 1=O+256:4\n"
                            "pipeline 1\nset 0: 1\ndispatch 4 1 1\n");
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), 2);
    assert_int_equal(stub_calls("vkCreatePipelineLayout"), 2);
    close_recorder();
}

/* Variants with the same bindings share a layout, whatever their kernels and constants are. */
EXTERN_TEST(test_layouts)
{
    open_recorder(&pushing, 0, 0);
    for (uint32_t i = 0; i < 12; i++) {
        vkr_step step = simple_step(1);
        step.variant.kernel = i % 4;
        step.variant.constant_count = 1;
        step.variant.constants[0] = i;
        if (i % 3 == 0)
            step.variant.bindings.kinds[i / 3 + 2] = VKR_KIND_BUFFER;
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", NULL), VKR_SUCCESS);
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 12);
    assert_int_equal(stub_calls("vkCreatePipelineLayout"), 5);
    assert_int_equal(stub_calls("vkCreateDescriptorSetLayout"), 5);
    close_recorder();
}

/* Records a step of a kernel with two constants and, if `more`, another binding. */
static void record_variant(uint32_t kernel, uint32_t last_constant, bool more)
{
    vkr_step step = simple_step(1);
    step.variant.kernel = kernel;
    step.variant.constant_count = 2;
    step.variant.constants[1] = last_constant;
    if (more)
        step.variant.bindings.kinds[2] = VKR_KIND_BUFFER;
    assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
}

/* Each variant has its own pipeline, which the second round finds again. There are enough variants
 * that some of those which differ only in the kernel, or in a constant, share a list. */
EXTERN_TEST(test_variants)
{
    enum { CONSTANTS = 200 };
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", NULL), VKR_SUCCESS);
        for (uint32_t kernel = 0; kernel < vkr_kernel_count; kernel++)
            record_variant(kernel, 0, false);
        for (uint32_t constant = 1; constant <= CONSTANTS; constant++)
            record_variant(0, constant * VKR_PIPELINE_LISTS, false);
        record_variant(0, 0, true);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_int_equal(stub_calls("vkCreateComputePipelines"), vkr_kernel_count + CONSTANTS + 1);
    }
    close_recorder();
}

/* A pipeline whose workgroups consist of whole subgroups asks for full subgroups, if the device
 * supports that. */
EXTERN_TEST(test_full_subgroups)
{
    enum { LARGEST = 32 };
    static const uint32_t workgroups[] = {0, 1, LARGEST / 2, LARGEST, 3 * LARGEST / 2, 3 * LARGEST};
    for (int asks = 0; asks < 2; asks++) {
        open_recorder(&pushing, 0, 0);
        if (asks)
            fixture.context->caps.features |= VKR_FEATURE_SUBGROUP_SIZE_CONTROL;
        fixture.context->caps.max_subgroup_size = LARGEST;
        for (size_t i = 0; i < VKR_ARRAY_SIZE(workgroups); i++) {
            const bool full = workgroups[i] != 0 && workgroups[i] % LARGEST == 0;
            const VkPipelineShaderStageCreateFlags flags =
                VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
                (full ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0u);
            vkr_step step = simple_step(1);
            step.variant.constant_count = VKR_CONST_WORKGROUP + 1;
            step.variant.constants[VKR_CONST_WORKGROUP] = workgroups[i];
            vkrBegin(fixture.recorder);
            assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", NULL), VKR_SUCCESS);
            assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
            assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
            assert_int_equal(stub_stage_flags(), asks ? flags : 0);
        }
        close_recorder();
    }
}

/* The size of full subgroups is certain if the device can be asked for them and has only one
 * size. */
EXTERN_TEST(test_sure_subgroups)
{
    static const struct {
        uint32_t min, max, sure;
    } rows[] = {{32, 32, 32}, {8, 32, 0}, {64, 64, 64}, {32, 64, 0}};
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        VkPhysicalDeviceSubgroupSizeControlFeatures control = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
            .subgroupSizeControl = VK_TRUE};
        const VkrContextInfo info = {.enabledFeatureChain = &control};
        const vkr_device_facts facts = {.version = VK_API_VERSION_1_3,
                                        .min_subgroup_size = rows[i].min,
                                        .max_subgroup_size = rows[i].max};
        assert_int_equal(vkr_derive_caps(&info, &facts).sure_subgroup_size, 0);
        assert_int_equal(vkr_derive_caps(&info, &facts).full_subgroup_size, 0);
        control.computeFullSubgroups = VK_TRUE;
        assert_int_equal(vkr_derive_caps(&info, &facts).sure_subgroup_size, rows[i].sure);
        assert_int_equal(vkr_derive_caps(&info, &facts).full_subgroup_size, rows[i].min);
    }
}

EXTERN_TEST(test_pool_growth)
{
    static const uint32_t counts[] = {20, 20, 300, 1};
    open_recorder(&pooling, 0, 0);
    uint32_t pools = 0;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < VKR_ARRAY_SIZE(counts); i++) {
            const uint32_t first = fixture.recorder->sets ? fixture.recorder->sets->used : 0;
            vkrBegin(fixture.recorder);
            for (uint32_t k = 0; k < counts[i]; k++)
                assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
            assert_int_equal(fixture.recorder->sets->used, first + counts[i]);
        }
        assert_int_equal(fixture.recorder->sets->count, 680);
        for (uint32_t i = 0; i < fixture.recorder->sets->count; i++)
            assert_int_equal((uintptr_t)fixture.recorder->sets->sets[i], i + 1);
        pools = round == 0 ? stub_calls("vkCreateDescriptorPool") : pools;
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(pools, 4); /* of 32, 32, 276 and 340 sets */
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), pools);
    close_recorder();
}
