/* SPDX-License-Identifier: MIT */
/*
 * Which module drivers get: the rewritten one; or the one that was built, if a hook of the tests or
 * the driver asks for that, or if it contains something that rewriting does not support. This is
 * checked on the stub of Vulkan, for one reduction.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "../../src/spirv/grammar.h"
#include "stub.h"
#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define KHRONOS 0x10000u /* a vendor without drivers (src/core/caps.c) */

static struct {
    uint32_t vendor;
    bool spoils; /* modules get an instruction that does not exist */
    uint32_t notes;
    uint32_t *built; /* the last module */
    size_t count;
    uint32_t created, created_as_built;
} test;

const uint32_t *__real_vkr_unpack(uint32_t kernel, void *memory);
const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory);

const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory)
{
    test.count = vkr_kernels[kernel].words;
    const uint32_t *words = __real_vkr_unpack(kernel, memory);
    assert_non_null(words);
    test.built = realloc(test.built, test.count * sizeof *words);
    assert_non_null(test.built);
    memcpy(test.built, words, test.count * sizeof *words);
    for (size_t at = VKR_SPIRV_HEADER; test.spoils; at += vkr_length_of(test.built + at)) {
        if (vkr_opcode_of(test.built + at) != SpvOpIAdd)
            continue;
        test.built[at] |= 0xf000u;
        break;
    }
    return test.built;
}

/* ---- Vulkan ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice device,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module)
{
    const PFN_vkCreateShaderModule create =
        (PFN_vkCreateShaderModule)stub_get_device_proc_addr(device, "vkCreateShaderModule");
    test.created++;
    test.created_as_built += info->codeSize == test.count * sizeof(uint32_t) &&
                             memcmp(info->pCode, test.built, info->codeSize) == 0;
    return create(device, info, allocator, module);
}

static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice device,
                                                 VkPhysicalDeviceProperties *properties)
{
    const PFN_vkGetPhysicalDeviceProperties get =
        (PFN_vkGetPhysicalDeviceProperties)stub_get_instance_proc_addr(
            (VkInstance)(uintptr_t)1, "vkGetPhysicalDeviceProperties");
    get(device, properties);
    properties->vendorID = test.vendor;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    return strcmp(name, "vkCreateShaderModule") == 0 ? (PFN_vkVoidFunction)create_module
                                                     : stub_get_device_proc_addr(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_proc;
    if (strcmp(name, "vkGetPhysicalDeviceProperties") == 0)
        return (PFN_vkVoidFunction)get_properties;
    return stub_get_instance_proc_addr(instance, name);
}

static void take_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    assert_int_equal(result, VKR_SUCCESS);
    test.notes += strstr(sentence, "has something that the library does not support") != NULL;
}

/* ---- Tests ---- */

/* Records a reduction. Returns how many of its modules went to the driver as they were built; -1 if
 * some did and some did not. */
static int modules_as_built(const VkrTestHooks *hooks, uint32_t vendor, bool spoils)
{
    const stub_options options = {.granule = 64, .group_limit = 65535, .brief = true};
    const VkrReduceInfo info = {
        .ops = VKR_OP_MAX,
        .input = {.buffer = BUFFER('A'), .size = 4096, .type = VKR_TYPE_F32},
        .count = 1024,
        .output = {BUFFER('O'), 0, 4}};
    const VkrContextInfo context_info = {.instance = (VkInstance)(uintptr_t)1,
                                         .physicalDevice = (VkPhysicalDevice)(uintptr_t)1,
                                         .device = (VkDevice)(uintptr_t)1,
                                         .getInstanceProcAddr = instance_proc,
                                         .message = take_message,
                                         .testHooks = hooks};
    const VkrRecorderInfo recorder_info = {0};
    const VkrEndInfo end = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1};
    VkrContext context;
    VkrRecorder recorder;
    uint32_t *built = test.built;
    memset(&test, 0, sizeof test);
    test.built = built;
    test.vendor = vendor;
    test.spoils = spoils;
    stub_start(&options);
    assert_int_equal(vkrCreateContext(&context_info, &context), VKR_SUCCESS);
    assert_int_equal(vkrCreateRecorder(context, &recorder_info, &recorder), VKR_SUCCESS);
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(recorder, &end), VKR_SUCCESS);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_true(test.created > 0);
    if (test.created_as_built != 0 && test.created_as_built != test.created)
        return -1;
    return (int)test.created_as_built;
}

TEST(test_rewritten)
{
    assert_int_equal(modules_as_built(NULL, 0, false), 0);
    assert_int_equal(modules_as_built(&(VkrTestHooks){0}, 1, false), 0);
    assert_int_equal(test.notes, 0);
}

TEST(test_hook)
{
    assert_true(modules_as_built(&(VkrTestHooks){.modulesAsBuilt = VK_TRUE}, 0, false) > 0);
    assert_int_equal(test.notes, 0);
}

TEST(test_quirk)
{
    assert_true(modules_as_built(NULL, KHRONOS, false) > 0);
    assert_int_equal(test.notes, 0);
}

/* There is a note for each such module. */
TEST(test_unknown)
{
    assert_true(modules_as_built(NULL, 0, true) > 0);
    assert_int_equal(test.notes, test.created);
}

static int free_module(void **state)
{
    (void)state;
    free(test.built);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rewritten),
        cmocka_unit_test(test_hook),
        cmocka_unit_test(test_quirk),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, free_module);
}
