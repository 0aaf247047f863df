/* SPDX-License-Identifier: MIT */
/*
 * The layer of a minimum-spec device refuses what it must refuse. Needs VKR_TEST_TAKE=all. Other
 * tests rely on this one, since they cannot see whether the layer works while they pass.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "harness.h"
#include "minspec.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define WORKGROUP 128u
#define SHARED_WORDS 4096u
#define GRANULE 256u
#define TEXELS 65536u

static const uint32_t shader[] =
#include "minspec_test.inc"
    ;

static harness h;

static uint32_t take_refusals(void)
{
    const PFN_minspec_take_refusals take =
        (PFN_minspec_take_refusals)vkGetDeviceProcAddr(h.device, MINSPEC_TAKE_REFUSALS);
    assert_non_null(take);
    return take();
}

/* ---- Announced features and limits ---- */

static void test_announced(void **state)
{
    const VkPhysicalDeviceLimits *l = &h.properties.limits;
    (void)state;
    assert_int_equal(h.properties.apiVersion, VK_API_VERSION_1_1);
    assert_true(l->maxComputeWorkGroupInvocations <= WORKGROUP);
    assert_true(l->maxComputeWorkGroupSize[0] <= WORKGROUP);
    assert_true(l->maxComputeSharedMemorySize <= 4 * SHARED_WORDS);
    assert_true(l->maxStorageBufferRange <= 1u << 27);
    assert_true(l->maxTexelBufferElements <= TEXELS);
    assert_true(l->maxComputeWorkGroupCount[0] <= 65535);
    assert_true(l->maxPushConstantsSize <= 128);
    assert_int_equal(l->maxPerStageDescriptorStorageBuffers, 8);
    assert_true(l->minStorageBufferOffsetAlignment >= GRANULE);
    assert_null(vkGetDeviceProcAddr(h.device, "vkCmdPushDescriptorSetKHR"));
}

/* When everything optional is removed, only required features are available. */
static void test_requirements(void **state)
{
    const VkrDeviceRequirements *r = &h.requirements;
    (void)state;
    assert_true(r->usable);
    assert_int_equal(r->extensionCount, 0);
    for (uint32_t i = 0; i < r->requirementCount; i++)
        assert_true(r->requirements[i].available == r->requirements[i].required);
}

/* ---- Devices ---- */

static VkResult create_device(const void *chain, const VkPhysicalDeviceFeatures *features,
                              const char *extension)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = h.family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = chain,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = extension != NULL,
                                     .ppEnabledExtensionNames = &extension,
                                     .pEnabledFeatures = features};
    VkDevice device = VK_NULL_HANDLE;
    const VkResult result = vkCreateDevice(h.physical_device, &info, NULL, &device);
    assert_true(result != VK_SUCCESS);
    return result;
}

static void test_extensions(void **state)
{
    static const char *const names[] = {
        VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_KHR_8BIT_STORAGE_EXTENSION_NAME,
        VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        assert_int_equal(create_device(NULL, NULL, names[i]), VK_ERROR_EXTENSION_NOT_PRESENT);
    take_refusals(); /* none if the loader has already refused */
}

static void test_features(void **state)
{
    const VkPhysicalDeviceFeatures int64 = {.shaderInt64 = VK_TRUE};
    const VkPhysicalDeviceFeatures float64 = {.shaderFloat64 = VK_TRUE};
    const VkPhysicalDevice16BitStorageFeatures storage16 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
        .storageBuffer16BitAccess = VK_TRUE};
    const VkPhysicalDevice8BitStorageFeatures unknown = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES};
    const VkPhysicalDeviceFeatures2 chained = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.geometryShader = 1}};
    (void)state;
    assert_int_equal(create_device(NULL, &int64, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(create_device(NULL, &float64, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(create_device(&storage16, NULL, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(create_device(&unknown, NULL, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(create_device(&chained, NULL, NULL), VK_ERROR_FEATURE_NOT_PRESENT);
    assert_int_equal(take_refusals(), 5);
}

/* ---- Modules and pipelines ---- */

static VkResult create_module(const uint32_t *code, size_t size, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = code};
    return vkCreateShaderModule(h.device, &info, NULL, module);
}

static void test_capabilities(void **state)
{
    /* Float64, Int64, both storages, arithmetic, shuffle, and ballot, which the layer never
     * allows. */
    static const uint32_t capabilities[] = {10, 11, 4433, 4448, 63, 65, 64};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++) {
        uint32_t code[ARRAY_SIZE(shader) + 2];
        VkShaderModule module;
        /* Inserted after the first instruction. */
        const uint32_t declared[] = {2u << 16 | 17, capabilities[i]};
        memcpy(code, shader, 7 * sizeof(code[0]));
        memcpy(code + 7, declared, sizeof(declared));
        memcpy(code + 9, shader + 7, sizeof(shader) - 7 * sizeof(code[0]));
        assert_int_equal(create_module(code, sizeof(code), &module), VK_ERROR_FEATURE_NOT_PRESENT);
    }
    assert_int_equal(take_refusals(), ARRAY_SIZE(capabilities));
}

static VkPipelineLayout create_layout(uint32_t buffers, uint32_t push, VkDescriptorSetLayout *set)
{
    VkDescriptorSetLayoutBinding bindings[16];
    VkPipelineLayout layout;
    for (uint32_t i = 0; i < buffers; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                     VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = buffers,
        .pBindings = bindings};
    if (vkCreateDescriptorSetLayout(h.device, &set_info, NULL, set) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = push};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = set,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    if (vkCreatePipelineLayout(h.device, &info, NULL, &layout) == VK_SUCCESS)
        return layout;
    vkDestroyDescriptorSetLayout(h.device, *set, NULL);
    return VK_NULL_HANDLE;
}

/* Whether a pipeline with this workgroup size and this many words of shared memory can be
 * created. */
static bool can_have(VkPipelineLayout layout, uint32_t workgroup, uint32_t words, VkBool32 twice,
                     VkPipelineShaderStageCreateFlags flags)
{
    const uint32_t constants[] = {workgroup, words - 1, twice};
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo specialization = {3, entries, sizeof(constants), constants};
    VkPipeline pipeline;
    VkShaderModule module;
    assert_int_equal(create_module(shader, sizeof(shader), &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .flags = flags,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = layout,
    };
    const bool created =
        vkCreateComputePipelines(h.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline) == VK_SUCCESS;
    if (created)
        vkDestroyPipeline(h.device, pipeline, NULL);
    vkDestroyShaderModule(h.device, module, NULL);
    return created;
}

static void test_pipelines(void **state)
{
    VkDescriptorSetLayout set;
    const VkPipelineLayout layout = create_layout(8, 128, &set);
    (void)state;
    assert_true(layout != VK_NULL_HANDLE);
    assert_true(can_have(layout, WORKGROUP, SHARED_WORDS, VK_FALSE, 0));
    assert_true(can_have(layout, WORKGROUP, SHARED_WORDS / 2, VK_TRUE, 0));
    assert_int_equal(take_refusals(), 0);
    assert_false(can_have(layout, 2 * WORKGROUP, 1, VK_FALSE, 0));
    assert_false(can_have(layout, 1, SHARED_WORDS + 1, VK_FALSE, 0));
    assert_false(can_have(layout, 1, SHARED_WORDS / 2 + 1, VK_TRUE, 0));
    assert_false(can_have(layout, 1, 1, VK_FALSE,
                          VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT));
    assert_int_equal(take_refusals(), 4);
    vkDestroyPipelineLayout(h.device, layout, NULL);
    vkDestroyDescriptorSetLayout(h.device, set, NULL);
}

static void test_layouts(void **state)
{
    VkDescriptorSetLayout set;
    (void)state;
    assert_true(create_layout(9, 128, &set) == VK_NULL_HANDLE);
    assert_true(create_layout(8, 132, &set) == VK_NULL_HANDLE);
    assert_int_equal(take_refusals(), 2);
}

/* ---- Descriptors and commands ---- */

static VkResult create_view(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize texels)
{
    VkBufferView view;
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = buffer,
                                         .format = VK_FORMAT_R32G32B32A32_UINT,
                                         .offset = offset,
                                         .range = 16 * texels};
    const VkResult result = vkCreateBufferView(h.device, &info, NULL, &view);
    if (result == VK_SUCCESS)
        vkDestroyBufferView(h.device, view, NULL);
    return result;
}

static void test_views(void **state)
{
    harness_buffer buffer;
    (void)state;
    assert_true(harness_create_buffer(&h, 16 * (TEXELS + GRANULE), &buffer));
    assert_int_equal(create_view(buffer.buffer, GRANULE, TEXELS), VK_SUCCESS);
    assert_int_equal(take_refusals(), 0);
    assert_int_not_equal(create_view(buffer.buffer, GRANULE, TEXELS + 1), VK_SUCCESS);
    assert_int_not_equal(create_view(buffer.buffer, GRANULE / 2, 1), VK_SUCCESS);
    assert_int_equal(take_refusals(), 2);
    harness_destroy_buffer(&h, &buffer);
}

static void write_descriptor(VkDescriptorSet set, VkBuffer buffer, VkDeviceSize offset,
                             VkDeviceSize size)
{
    const VkDescriptorBufferInfo info = {buffer, offset, size};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(h.device, 1, &write, 0, NULL);
}

static void test_descriptors(void **state)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    const VkDeviceSize range = h.properties.limits.maxStorageBufferRange;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    harness_buffer buffer;
    const VkPipelineLayout layout = create_layout(1, 128, &set_layout);
    (void)state;
    assert_int_equal(vkCreateDescriptorPool(h.device, &pool_info, NULL, &pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &set_layout};
    assert_int_equal(vkAllocateDescriptorSets(h.device, &allocate, &set), VK_SUCCESS);
    assert_true(harness_create_buffer(&h, range + 2 * GRANULE, &buffer));
    write_descriptor(set, buffer.buffer, GRANULE, range);
    assert_int_equal(take_refusals(), 0);
    write_descriptor(set, buffer.buffer, GRANULE, range + 4);
    write_descriptor(set, buffer.buffer, GRANULE / 2, 4);
    assert_int_equal(take_refusals(), 2);
    harness_destroy_buffer(&h, &buffer);
    vkDestroyDescriptorPool(h.device, pool, NULL);
    vkDestroyPipelineLayout(h.device, layout, NULL);
    vkDestroyDescriptorSetLayout(h.device, set_layout, NULL);
}

/* Commands that are recorded but never submitted. */
static void test_commands(void **state)
{
    const uint32_t most = h.properties.limits.maxComputeWorkGroupCount[0];
    (void)state;
    assert_true(harness_begin(&h));
    vkCmdDispatch(h.cmd, most + 1, 1, 1);
    assert_int_equal(take_refusals(), 1);
    assert_int_equal(vkResetCommandBuffer(h.cmd, 0), VK_SUCCESS);
}

HARNESS_MAIN(h, "minspec", NULL, NULL, cmocka_unit_test(test_announced),
             cmocka_unit_test(test_requirements), cmocka_unit_test(test_extensions),
             cmocka_unit_test(test_features), cmocka_unit_test(test_layouts),
             cmocka_unit_test(test_capabilities), cmocka_unit_test(test_pipelines),
             cmocka_unit_test(test_views), cmocka_unit_test(test_descriptors),
             cmocka_unit_test(test_commands))
