/* SPDX-License-Identifier: MIT */
/* The functions in place of the driver's. */
#include "host_wrap.h"

#include <stddef.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define GARBAGE(Type) ((Type)(uintptr_t)0xbad0bad0u)

/* ---- The driver's functions ---- */

#define CREATED(X)                                                                                 \
    X(Buffer, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                                       \
    X(BufferView, VK_ERROR_OUT_OF_HOST_MEMORY)                                                     \
    X(CommandPool, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                                  \
    X(DescriptorPool, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                               \
    X(DescriptorSetLayout, VK_ERROR_OUT_OF_HOST_MEMORY)                                            \
    X(Fence, VK_ERROR_OUT_OF_HOST_MEMORY)                                                          \
    X(PipelineCache, VK_ERROR_OUT_OF_HOST_MEMORY)                                                  \
    X(PipelineLayout, VK_ERROR_OUT_OF_HOST_MEMORY)                                                 \
    X(QueryPool, VK_ERROR_OUT_OF_DEVICE_MEMORY)                                                    \
    X(ShaderModule, VK_ERROR_OUT_OF_DEVICE_MEMORY)

/* Functions whose parameters need no look: their result when they fail, parameters, arguments. */
#define PASSED(X)                                                                                  \
    X(AllocateCommandBuffers, VK_ERROR_OUT_OF_DEVICE_MEMORY,                                       \
      (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *b), (d, i, b))           \
    X(AllocateDescriptorSets, VK_ERROR_OUT_OF_POOL_MEMORY,                                         \
      (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *s), (d, i, s))           \
    X(BeginCommandBuffer, VK_ERROR_OUT_OF_HOST_MEMORY,                                             \
      (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))                              \
    X(BindBufferMemory, VK_ERROR_OUT_OF_DEVICE_MEMORY,                                             \
      (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize o), (d, b, m, o))                    \
    X(EndCommandBuffer, VK_ERROR_OUT_OF_DEVICE_MEMORY, (VkCommandBuffer c), (c))                   \
    X(EnumerateDeviceExtensionProperties, VK_ERROR_OUT_OF_HOST_MEMORY,                             \
      (VkPhysicalDevice p, const char *l, uint32_t *n, VkExtensionProperties *e), (p, l, n, e))    \
    X(EnumerateInstanceVersion, VK_ERROR_OUT_OF_HOST_MEMORY, (uint32_t * v), (v))                  \
    X(EnumeratePhysicalDevices, VK_ERROR_INITIALIZATION_FAILED,                                    \
      (VkInstance i, uint32_t * n, VkPhysicalDevice * p), (i, n, p))                               \
    X(GetMemoryHostPointerPropertiesEXT, VK_ERROR_INVALID_EXTERNAL_HANDLE,                         \
      (VkDevice d, VkExternalMemoryHandleTypeFlagBits t, const void *h,                            \
       VkMemoryHostPointerPropertiesEXT *p),                                                       \
      (d, t, h, p))                                                                                \
    X(GetPipelineCacheData, VK_ERROR_OUT_OF_HOST_MEMORY,                                           \
      (VkDevice d, VkPipelineCache c, size_t * n, void *p), (d, c, n, p))                          \
    X(GetQueryPoolResults, VK_ERROR_DEVICE_LOST,                                                   \
      (VkDevice d, VkQueryPool p, uint32_t f, uint32_t n, size_t s, void *v, VkDeviceSize t,       \
       VkQueryResultFlags g),                                                                      \
      (d, p, f, n, s, v, t, g))                                                                    \
    X(QueueSubmit, VK_ERROR_OUT_OF_DEVICE_MEMORY,                                                  \
      (VkQueue q, uint32_t n, const VkSubmitInfo *i, VkFence f), (q, n, i, f))                     \
    X(ResetCommandBuffer, VK_ERROR_OUT_OF_DEVICE_MEMORY,                                           \
      (VkCommandBuffer c, VkCommandBufferResetFlags f), (c, f))                                    \
    X(ResetCommandPool, VK_ERROR_OUT_OF_DEVICE_MEMORY,                                             \
      (VkDevice d, VkCommandPool p, VkCommandPoolResetFlags f), (d, p, f))                         \
    X(ResetFences, VK_ERROR_OUT_OF_DEVICE_MEMORY, (VkDevice d, uint32_t n, const VkFence *f),      \
      (d, n, f))

#define OTHERS(X)                                                                                  \
    X(AllocateMemory)                                                                              \
    X(CreateComputePipelines)                                                                      \
    X(CreateDevice)                                                                                \
    X(CreateInstance)                                                                              \
    X(DestroyDevice)                                                                               \
    X(DestroyInstance)                                                                             \
    X(DestroyPipeline)                                                                             \
    X(FreeMemory)                                                                                  \
    X(GetDeviceProcAddr)                                                                           \
    X(MapMemory)                                                                                   \
    X(WaitForFences)

#define REAL_CREATED(Type, code)                                                                   \
    PFN_vkCreate##Type Create##Type;                                                               \
    PFN_vkDestroy##Type Destroy##Type;
#define REAL_PASSED(name, code, parameters, arguments) PFN_vk##name name;
#define REAL(name) PFN_vk##name name;
static struct real_functions {
    CREATED(REAL_CREATED)
    PASSED(REAL_PASSED)
    OTHERS(REAL)
} real;

/* ---- In their place ---- */

#define CREATED_BODY(Type, code)                                                                   \
    static void reap_##Type(VkDevice owner, uint64_t handle)                                       \
    {                                                                                              \
        real.Destroy##Type(owner, (Vk##Type)handle, NULL);                                         \
    }                                                                                              \
    static VKAPI_ATTR VkResult VKAPI_CALL my_Create##Type(                                         \
        VkDevice owner, const Vk##Type##CreateInfo *info, const VkAllocationCallbacks *callbacks,  \
        Vk##Type *out)                                                                             \
    {                                                                                              \
        VkResult result = host_wrap_plan("vkCreate" #Type, code);                                  \
        *out = GARBAGE(Vk##Type); /* undefined after a failure */                                  \
        host_wrap_check(callbacks, "vkCreate" #Type);                                              \
        if (result == VK_SUCCESS)                                                                  \
            result = real.Create##Type(owner, info, NULL, out);                                    \
        if (result == VK_SUCCESS)                                                                  \
            host_wrap_born(#Type, owner, (uint64_t)*out, reap_##Type);                             \
        return result;                                                                             \
    }                                                                                              \
    static VKAPI_ATTR void VKAPI_CALL my_Destroy##Type(VkDevice owner, Vk##Type handle,            \
                                                       const VkAllocationCallbacks *callbacks)     \
    {                                                                                              \
        host_wrap_check(callbacks, "vkDestroy" #Type);                                             \
        if (host_wrap_dies(#Type, (uint64_t)handle))                                               \
            real.Destroy##Type(owner, handle, NULL);                                               \
    }
CREATED(CREATED_BODY)

/* A lost device does nothing any more. */
static VkDevice last_device;
static void end_work(void)
{
    const PFN_vkDeviceWaitIdle wait =
        (PFN_vkDeviceWaitIdle)real.GetDeviceProcAddr(last_device, "vkDeviceWaitIdle");
    (void)wait(last_device);
}

#define PASSED_BODY(name, code, parameters, arguments)                                             \
    static VKAPI_ATTR VkResult VKAPI_CALL my_##name parameters                                     \
    {                                                                                              \
        const VkResult result = host_wrap_plan("vk" #name, code);                                  \
        if (result == VK_ERROR_DEVICE_LOST)                                                        \
            end_work();                                                                            \
        return result == VK_SUCCESS ? real.name arguments : result;                                \
    }
PASSED(PASSED_BODY)

static void reap_memory(VkDevice owner, uint64_t handle)
{
    real.FreeMemory(owner, (VkDeviceMemory)handle, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL my_AllocateMemory(VkDevice owner,
                                                        const VkMemoryAllocateInfo *info,
                                                        const VkAllocationCallbacks *callbacks,
                                                        VkDeviceMemory *out)
{
    VkResult result = host_wrap_plan("vkAllocateMemory", VK_ERROR_OUT_OF_DEVICE_MEMORY);
    *out = GARBAGE(VkDeviceMemory);
    host_wrap_check(callbacks, "vkAllocateMemory");
    if (result == VK_SUCCESS)
        result = real.AllocateMemory(owner, info, NULL, out);
    if (result == VK_SUCCESS)
        host_wrap_born("Memory", owner, (uint64_t)*out, reap_memory);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL my_FreeMemory(VkDevice owner, VkDeviceMemory handle,
                                                const VkAllocationCallbacks *callbacks)
{
    host_wrap_check(callbacks, "vkFreeMemory");
    if (wrap.unsure != VK_NULL_HANDLE)
        host_wrap_trouble("the device may use the memory, since a wait has failed", "vkFreeMemory");
    if (host_wrap_dies("Memory", (uint64_t)handle))
        real.FreeMemory(owner, handle, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL my_MapMemory(VkDevice owner, VkDeviceMemory memory,
                                                   VkDeviceSize offset, VkDeviceSize size,
                                                   VkMemoryMapFlags flags, void **data)
{
    const VkResult result = host_wrap_plan("vkMapMemory", VK_ERROR_MEMORY_MAP_FAILED);
    *data = GARBAGE(void *);
    return result == VK_SUCCESS ? real.MapMemory(owner, memory, offset, size, flags, data) : result;
}

/* The device has ended its work whatever is planned, since what it uses is destroyed next. */
static VKAPI_ATTR VkResult VKAPI_CALL my_WaitForFences(VkDevice owner, uint32_t count,
                                                       const VkFence *fences, VkBool32 all,
                                                       uint64_t timeout)
{
    const VkResult result = host_wrap_plan("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY);
    wrap.waited += result != VK_SUCCESS ? timeout : 0;
    if (result == VK_SUCCESS && wrap.unsure == fences[0])
        wrap.unsure = VK_NULL_HANDLE;
    else if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
        wrap.unsure = fences[0];
    if (result == VK_ERROR_DEVICE_LOST)
        end_work();
    const VkResult waited =
        real.WaitForFences(owner, count, fences, all, result != VK_SUCCESS ? UINT64_MAX : timeout);
    return result == VK_SUCCESS ? waited : result;
}

static void reap_pipeline(VkDevice owner, uint64_t handle)
{
    real.DestroyPipeline(owner, (VkPipeline)handle, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL my_CreateComputePipelines(
    VkDevice owner, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *infos,
    const VkAllocationCallbacks *callbacks, VkPipeline *out)
{
    VkResult result = host_wrap_plan("vkCreateComputePipelines", VK_ERROR_OUT_OF_HOST_MEMORY);
    host_wrap_check(callbacks, "vkCreateComputePipelines");
    for (uint32_t i = 0; i < count; i++)
        out[i] = VK_NULL_HANDLE; /* as the specification requires */
    if (result == VK_SUCCESS)
        result = real.CreateComputePipelines(owner, cache, count, infos, NULL, out);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        host_wrap_born("Pipeline", owner, (uint64_t)out[i], reap_pipeline);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL my_DestroyPipeline(VkDevice owner, VkPipeline handle,
                                                     const VkAllocationCallbacks *callbacks)
{
    host_wrap_check(callbacks, "vkDestroyPipeline");
    if (host_wrap_dies("Pipeline", (uint64_t)handle))
        real.DestroyPipeline(owner, handle, NULL);
}

static void reap_device(VkDevice owner, uint64_t handle)
{
    (void)handle;
    real.DestroyDevice(owner, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL my_CreateDevice(VkPhysicalDevice physical,
                                                      const VkDeviceCreateInfo *info,
                                                      const VkAllocationCallbacks *callbacks,
                                                      VkDevice *out)
{
    VkResult result = host_wrap_plan("vkCreateDevice", VK_ERROR_INITIALIZATION_FAILED);
    *out = GARBAGE(VkDevice);
    host_wrap_check(callbacks, "vkCreateDevice");
    if (result == VK_SUCCESS)
        result = real.CreateDevice(physical, info, NULL, out);
    if (result == VK_SUCCESS)
        last_device = *out;
    if (result == VK_SUCCESS)
        host_wrap_born("Device", *out, (uint64_t)(uintptr_t)*out, reap_device);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL my_DestroyDevice(VkDevice owner,
                                                   const VkAllocationCallbacks *callbacks)
{
    host_wrap_check(callbacks, "vkDestroyDevice");
    if (host_wrap_dies("Device", (uint64_t)(uintptr_t)owner))
        real.DestroyDevice(owner, NULL);
}

static void reap_instance(VkDevice none, uint64_t handle)
{
    (void)none;
    real.DestroyInstance((VkInstance)(uintptr_t)handle, NULL);
}

static VKAPI_ATTR VkResult VKAPI_CALL my_CreateInstance(const VkInstanceCreateInfo *info,
                                                        const VkAllocationCallbacks *callbacks,
                                                        VkInstance *out)
{
    VkResult result = host_wrap_plan("vkCreateInstance", VK_ERROR_INCOMPATIBLE_DRIVER);
    *out = GARBAGE(VkInstance);
    host_wrap_check(callbacks, "vkCreateInstance");
    if (result == VK_SUCCESS)
        result = real.CreateInstance(info, NULL, out);
    if (result == VK_SUCCESS)
        host_wrap_born("Instance", NULL, (uint64_t)(uintptr_t)*out, reap_instance);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL my_DestroyInstance(VkInstance instance,
                                                     const VkAllocationCallbacks *callbacks)
{
    host_wrap_check(callbacks, "vkDestroyInstance");
    if (host_wrap_dies("Instance", (uint64_t)(uintptr_t)instance))
        real.DestroyInstance(instance, NULL);
}

/* ---- Their table ---- */

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL my_GetDeviceProcAddr(VkDevice owner,
                                                                     const char *name);

#define ROW(name)                                                                                  \
    {"vk" #name, offsetof(struct real_functions, name), (PFN_vkVoidFunction)my_##name},
#define ROW_CREATED(Type, code) ROW(Create##Type) ROW(Destroy##Type)
#define ROW_PASSED(name, code, parameters, arguments) ROW(name)
static const struct {
    const char *name;
    size_t real;
    PFN_vkVoidFunction mine;
} rows[] = {CREATED(ROW_CREATED) PASSED(ROW_PASSED) OTHERS(ROW)};

/* Of the functions that are not listed, none has a VkResult: names tell. */
static bool cannot_fail(const char *name)
{
    static const char *const starts[] = {"vkCmd", "vkDestroy", "vkGet", "vkUpdate", "vkUnmap"};
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static PFN_vkVoidFunction replace(const char *name, PFN_vkVoidFunction function)
{
    for (size_t i = 0; function != NULL && i < ARRAY_SIZE(rows); i++)
        if (strcmp(rows[i].name, name) == 0) {
            memcpy((char *)&real + rows[i].real, &function, sizeof function);
            return rows[i].mine;
        }
    if (function != NULL && !cannot_fail(name))
        host_wrap_trouble("host_wrap_vk.c does not know it", name);
    return function;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL my_GetDeviceProcAddr(VkDevice owner,
                                                                     const char *name)
{
    return replace(name, real.GetDeviceProcAddr(owner, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL host_wrap_get(VkInstance instance, const char *name)
{
    return replace(name, vkGetInstanceProcAddr(instance, name));
}
