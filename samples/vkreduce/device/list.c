/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "device/list.h"
#include "input/number.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"

int gpu_fail(VkResult result, const char *call)
{
    static const struct {
        VkResult result;
        const char *meaning;
    } meanings[] = {
        {VK_ERROR_OUT_OF_HOST_MEMORY, "out of host memory"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, "out of device memory"},
        {VK_ERROR_INITIALIZATION_FAILED, "initialization failed"},
        {VK_ERROR_DEVICE_LOST, "the device was lost"},
        {VK_ERROR_LAYER_NOT_PRESENT, "a layer is not present"},
        {VK_ERROR_INCOMPATIBLE_DRIVER, "no Vulkan driver is installed"},
    };
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].result == result)
            return fail(STATUS_VULKAN, "%s failed: %s", call, meanings[i].meaning);
    return fail(STATUS_VULKAN, "%s failed with VkResult %d", call, (int)result);
}

int gpu_check(VkResult result, const char *call)
{
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, call);
}

int gpu_result_status(VkrResult result)
{
    switch (result) {
    case VKR_SUCCESS:
        return STATUS_DONE;
    case VKR_ERROR_INVALID_ARGUMENT:
    case VKR_ERROR_UNSUPPORTED:
        return STATUS_USAGE;
    default:
        return STATUS_VULKAN;
    }
}

int gpu_status(VkrResult result)
{
    const int status = gpu_result_status(result);
    if (status == STATUS_DONE || has_failed())
        return status;
    return fail(status, "the library failed without a reason (result %d)", (int)result);
}

VkDeviceSize gpu_device_memory(const gpu_device *device)
{
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++)
        if ((device->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 &&
            device->memory.memoryHeaps[i].size > largest)
            largest = device->memory.memoryHeaps[i].size;
    return largest;
}

/* Queries everything about a physical device that needs no VkDevice. */
static void describe(VkInstance instance, gpu_device *device)
{
    VkPhysicalDeviceMaintenance4Properties buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &memory};

    vkGetPhysicalDeviceProperties(device->physical, &device->properties);
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    (void)vkrGetDeviceRequirements(
        &(VkrDeviceRequirementsInfo){.instance = instance,
                                     .physicalDevice = device->physical,
                                     .apiVersion = API_VERSION,
                                     .getInstanceProcAddr = vkGetInstanceProcAddr},
        &device->requirements);
    uint32_t version = device->properties.apiVersion;
    if (version >= VK_API_VERSION_1_2)
        memory.pNext = &driver;
    if (version >= VK_API_VERSION_1_3)
        driver.pNext = &buffers;
    if (version >= VK_API_VERSION_1_1)
        vkGetPhysicalDeviceProperties2(device->physical, &properties);

    device->max_allocation = gpu_device_memory(device);
    if (memory.maxMemoryAllocationSize != 0 &&
        memory.maxMemoryAllocationSize < device->max_allocation)
        device->max_allocation = memory.maxMemoryAllocationSize;
    if (buffers.maxBufferSize != 0 && buffers.maxBufferSize < device->max_allocation)
        device->max_allocation = buffers.maxBufferSize;
    snprintf(device->driver, sizeof device->driver, "%s%s%s",
             driver.driverName[0] != '\0' ? driver.driverName : "unknown driver",
             driver.driverInfo[0] != '\0' ? " " : "", driver.driverInfo);
}

int gpu_list_open(gpu_list *list)
{
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "vkreduce",
                                     .apiVersion = API_VERSION};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    VkPhysicalDevice physical[64];
    uint32_t count = sizeof physical / sizeof physical[0];

    if (volkInitialize() != VK_SUCCESS)
        return fail(STATUS_VULKAN, "no Vulkan loader was found; install libvulkan1");
    VkResult result = vkCreateInstance(&info, NULL, &list->instance);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateInstance");
    volkLoadInstance(list->instance);
    result = vkEnumeratePhysicalDevices(list->instance, &count, physical);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return gpu_fail(result, "vkEnumeratePhysicalDevices");
    if (count == 0)
        return fail(STATUS_VULKAN,
                    "no Vulkan device was found; install a driver, such as mesa-vulkan-drivers");
    list->devices = calloc(count, sizeof *list->devices);
    if (list->devices == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (; list->count < count; list->count++) {
        list->devices[list->count].physical = physical[list->count];
        describe(list->instance, &list->devices[list->count]);
    }
    return STATUS_DONE;
}

void gpu_list_close(gpu_list *list)
{
    if (list->instance != VK_NULL_HANDLE)
        vkDestroyInstance(list->instance, NULL);
    free(list->devices);
    *list = (gpu_list){0};
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text != '\0'; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

/* The rank of a device: usable ones come first, then the kind decides. */
static int rank(const gpu_device *device)
{
    int usable = device->requirements.usable ? 8 : 0;
    switch (device->properties.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return usable + 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return usable + 3;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return usable + 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return usable + 1;
    default:
        return usable;
    }
}

/* The best device; of several, the one whose turn it is. */
static uint32_t choose_best(const gpu_list *list)
{
    uint32_t best = 0, equals = 0;
    for (uint32_t i = 1; i < list->count; i++)
        if (rank(&list->devices[i]) > rank(&list->devices[best]))
            best = i;
    for (uint32_t i = best; i < list->count; i++)
        equals += rank(&list->devices[i]) == rank(&list->devices[best]);
    uint32_t i = best;
    for (uint32_t turn = ranks_local() % equals; turn > 0; turn--)
        do
            i++;
        while (rank(&list->devices[i]) < rank(&list->devices[best]));
    return i;
}

static int choose_none(const gpu_list *list, const char *wanted)
{
    char all[4096] = "";
    for (uint32_t i = 0; i < list->count; i++) {
        const size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%u (%s, %s)", i == 0 ? "" : ", ", i,
                 list->devices[i].properties.deviceName, list->devices[i].driver);
    }
    return fail(STATUS_USAGE,
                "--device is '%s'; it must be the index of a device or a part of its or its "
                "driver's name: %s",
                wanted, all);
}

/* A number is always an index, never a part of a name: names contain many digits. */
int gpu_choose(const gpu_list *list, const char *wanted, uint32_t *index)
{
    uint64_t number;
    *index = 0;
    if (wanted == NULL) {
        *index = choose_best(list);
        return STATUS_DONE;
    }
    if (parse_number(wanted, 0, list->count - 1, &number)) {
        *index = (uint32_t)number;
        return STATUS_DONE;
    }
    if (wanted[strspn(wanted, "0123456789")] == '\0')
        return choose_none(list, wanted);
    for (; *wanted != '\0' && *index < list->count; ++*index)
        if (contains(list->devices[*index].properties.deviceName, wanted) ||
            contains(list->devices[*index].driver, wanted))
            return STATUS_DONE;
    return choose_none(list, wanted);
}
