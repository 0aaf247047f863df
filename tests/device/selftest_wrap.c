/* SPDX-License-Identifier: MIT */
/* Functions between the library and the driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest_wrap.h"

#define CONSTANTS 16u /* maximum for a kernel */

struct selftest_wrap wrap;

/* The group path of a kernel, from its SPIR-V: subgroup arithmetic, otherwise shuffles, otherwise
 * neither. */
static VkrGroupPath group_path_of(const uint32_t *code, size_t words)
{
    enum { HEADER = 5, OP_CAPABILITY = 17, ARITHMETIC = 63, SHUFFLE = 65 };
    VkrGroupPath group_path = VKR_GROUP_PATH_SHARED;
    for (size_t i = HEADER; i < words && (code[i] & 0xffff) == OP_CAPABILITY; i += code[i] >> 16) {
        if (code[i + 1] == ARITHMETIC)
            group_path = VKR_GROUP_PATH_ARITHMETIC;
        else if (code[i + 1] == SHUFFLE && group_path == VKR_GROUP_PATH_SHARED)
            group_path = VKR_GROUP_PATH_SHUFFLE;
    }
    return group_path;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice handle,
                                                    const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkShaderModule *module)
{
    const VkrGroupPath group_path = group_path_of(info->pCode, info->codeSize / 4);
    if ((wrap.faulty[SELFTEST_NO_MODULE] >> group_path & 1) != 0)
        return VK_ERROR_INVALID_SHADER_NV;
    VkResult result = vkCreateShaderModule(handle, info, allocator, module);
    assert_true(wrap.module_count < MODULES);
    if (result == VK_SUCCESS) {
        wrap.modules[wrap.module_count].module = *module;
        wrap.modules[wrap.module_count++].group_path = group_path;
    }
    return result;
}

/* The latest entry is the valid one, since drivers reuse handles. */
static bool is_among(VkShaderModule module, uint32_t group_paths)
{
    for (uint32_t i = wrap.module_count; i-- > 0;)
        if (wrap.modules[i].module == module)
            return (group_paths >> wrap.modules[i].group_path & 1) != 0;
    fail_msg("%s", "the library used a module that it did not create");
    return false;
}

/* The operators that a wrong kernel computes: it writes the same results to the same offsets, and
 * no others. */
static uint32_t wrong_ops(uint32_t ops)
{
    if ((ops & VKR_BIT_SUM) != 0)
        return (ops & ~(uint32_t)VKR_BIT_SUM) | VKR_BIT_PRODUCT;
    return ops & (ops - 1);
}

/* Where kernels that order keys say in which direction, by the start of their names. */
static const struct {
    const char *name;
    uint32_t constant;
} ordering[] = {{"sort_scatter_", VKR_SORT_CONST_KEY_FORM},
                {"rank_", VKR_RANK_CONST_KEY_FORM},
                {"bounds_", VKR_BOUNDS_CONST_KEY_FORM}};

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Copies the constants of the kernel that is being compiled, and plants faults in them: in
 * operators, if it has some and `is_wrong` is set, and in the direction of its order. */
static void plant(uint32_t *wrong, const uint32_t *constants, size_t count, bool is_wrong)
{
    const bool ordered = starts_with(wrap.kernel, "select_");
    const bool operates =
        !ordered && (count == VKR_REDUCE_CONSTANT_COUNT || count == VKR_SCAN_CONSTANT_COUNT);
    assert_true(count <= CONSTANTS);
    memcpy(wrong, constants, count * sizeof(*constants));
    if (operates && is_wrong)
        wrong[VKR_CONST_OPS] = wrong_ops(wrong[VKR_CONST_OPS]);
    for (size_t i = 0; i < sizeof(ordering) / sizeof(ordering[0]); i++)
        if (wrap.reversed && starts_with(ordering[i].name, wrap.reversed) &&
            starts_with(wrap.kernel, ordering[i].name))
            wrong[ordering[i].constant] ^= VKR_KEY_IS_NEGATED;
}

/* Replaces the library's function (--wrap): notes which kernel the functions below get. */
VkrResult __real_vkr_create_kernel(VkrContext context, const vkr_variant *variant,
                                   vkr_answer *answer);
VkrResult __wrap_vkr_create_kernel(VkrContext context, const vkr_variant *variant,
                                   vkr_answer *answer);
VkrResult __wrap_vkr_create_kernel(VkrContext context, const vkr_variant *variant,
                                   vkr_answer *answer)
{
    wrap.kernel = vkr_kernel_name(variant->kernel);
    return __real_vkr_create_kernel(context, variant, answer);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice handle, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *infos,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    VkComputePipelineCreateInfo info = infos[0];
    VkSpecializationInfo special = *info.stage.pSpecializationInfo;
    uint32_t constants[CONSTANTS];
    assert_int_equal(count, 1);
    if (is_among(info.stage.module, wrap.faulty[SELFTEST_NO_PIPELINE])) {
        pipelines[0] = VK_NULL_HANDLE;
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    plant(constants, special.pData, special.dataSize / 4,
          is_among(info.stage.module, wrap.faulty[SELFTEST_WRONG]));
    special.pData = constants;
    info.stage.pSpecializationInfo = &special;
    return vkCreateComputePipelines(handle, cache, 1, &info, allocator, pipelines);
}

/* Replaces the library's function (--wrap): instructions that wrong operators need are not
 * pruned. */
uint32_t *__real_vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                           uint32_t constant_count, void *memory);
uint32_t *__wrap_vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                           uint32_t constant_count, void *memory);
uint32_t *__wrap_vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                           uint32_t constant_count, void *memory)
{
    uint32_t wrong[CONSTANTS];
    plant(wrong, constants, constant_count,
          (wrap.faulty[SELFTEST_WRONG] >> group_path_of(words, *count) & 1) != 0);
    return __real_vkr_prune(words, count, wrong, constant_count, memory);
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_fences(VkDevice handle, uint32_t count,
                                                  const VkFence *fences, VkBool32 all,
                                                  uint64_t timeout)
{
    VkResult result = vkWaitForFences(handle, count, fences, all, timeout);
    assert_true(timeout < UINT64_MAX);
    assert_int_equal(result, VK_SUCCESS);
    return wrap.waits < 2 ? wrap.wait[wrap.waits++] : VK_SUCCESS;
}

/* Functions that create and destroy objects, and count the live ones. */
#define COUNTED(Thing, Info)                                                                       \
    static VKAPI_ATTR VkResult VKAPI_CALL create_##Thing(VkDevice handle, const Info *info,        \
                                                         const VkAllocationCallbacks *allocator,   \
                                                         Vk##Thing *object)                        \
    {                                                                                              \
        VkResult result = vkCreate##Thing(handle, info, allocator, object);                        \
        wrap.objects += result == VK_SUCCESS;                                                      \
        return result;                                                                             \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL destroy_##Thing(VkDevice handle, Vk##Thing object,           \
                                                      const VkAllocationCallbacks *allocator)      \
    {                                                                                              \
        vkDestroy##Thing(handle, object, allocator);                                               \
        wrap.objects -= object != VK_NULL_HANDLE;                                                  \
    }
COUNTED(Buffer, VkBufferCreateInfo)
COUNTED(BufferView, VkBufferViewCreateInfo)
COUNTED(CommandPool, VkCommandPoolCreateInfo)
COUNTED(DescriptorPool, VkDescriptorPoolCreateInfo)
COUNTED(Fence, VkFenceCreateInfo)
#define COUNTED_ROWS(Thing)                                                                        \
    {"vkCreate" #Thing, (PFN_vkVoidFunction)create_##Thing},                                       \
    {                                                                                              \
        "vkDestroy" #Thing, (PFN_vkVoidFunction)destroy_##Thing                                    \
    }

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice handle, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } rows[] = {
        {"vkCreateShaderModule", (PFN_vkVoidFunction)create_module},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)create_pipelines},
        {"vkWaitForFences", (PFN_vkVoidFunction)wait_fences},
        COUNTED_ROWS(Buffer),
        COUNTED_ROWS(BufferView),
        COUNTED_ROWS(CommandPool),
        COUNTED_ROWS(DescriptorPool),
        COUNTED_ROWS(Fence),
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(name, rows[i].name) == 0)
            return rows[i].function;
    return wrap.device(handle, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name)
{
    PFN_vkVoidFunction function = wrap.instance(handle, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0)
        return function;
    wrap.device = (PFN_vkGetDeviceProcAddr)function;
    return (PFN_vkVoidFunction)get_device;
}
