/* SPDX-License-Identifier: MIT */
/* The loader, the instance, and the devices of the system. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

/* ---- The loader and the instance ---- */

static VkrResult open_loader(host_system *s, const host_voice *voice)
{
    if (s->get != NULL)
        return VKR_SUCCESS;
    s->get = host_open_loader(&s->library);
    if (s->get != NULL)
        return VKR_SUCCESS;
    return host_fail(
        voice, VKR_ERROR_UNSUPPORTED,
        "no Vulkan loader was found; install libvulkan1, or what brings Vulkan to this "
        "system.");
}

static VkrResult create_instance(host_system *s, const host_voice *voice)
{
    const PFN_vkCreateInstance CreateInstance =
        (PFN_vkCreateInstance)s->get(VK_NULL_HANDLE, "vkCreateInstance");
    /* Absent from a loader of Vulkan 1.0. */
    const PFN_vkEnumerateInstanceVersion version =
        (PFN_vkEnumerateInstanceVersion)s->get(VK_NULL_HANDLE, "vkEnumerateInstanceVersion");
    uint32_t known = VK_API_VERSION_1_0;
    if (version != NULL)
        HOST_TRY(host_check(voice, version(&known), "EnumerateInstanceVersion"));
    if (CreateInstance == NULL || known < VK_API_VERSION_1_1)
        return host_fail(voice, VKR_ERROR_UNSUPPORTED,
                         "the Vulkan loader is of Vulkan 1.0, but must be of 1.1 or newer.");
    s->api_version = known < HOST_API_VERSION ? VK_API_VERSION_1_1 : HOST_API_VERSION;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "vkreduce",
                                           .apiVersion = s->api_version};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    HOST_VK(voice, CreateInstance(&info, s->allocator, &s->instance));
    s->owns_instance = true;
    return VKR_SUCCESS;
}

VkrResult host_open_system(host_system *s, const host_voice *voice, const VkrHostInfo *info)
{
    *s = (host_system){.allocator = info->allocator};
    if (info->vulkan != NULL) {
        s->get = info->vulkan->getInstanceProcAddr;
        s->instance = info->vulkan->instance;
        s->api_version = info->vulkan->apiVersion;
        HOST_MUST(voice, s->instance == VK_NULL_HANDLE || s->get != NULL,
                  "vulkan.getInstanceProcAddr is NULL, but must be given with vulkan.instance.");
    }
    HOST_TRY(open_loader(s, voice));
    if (s->instance == VK_NULL_HANDLE)
        HOST_TRY(create_instance(s, voice));
    if (s->api_version == 0)
        s->api_version = VK_API_VERSION_1_1;
#define LOAD(name)                                                                                 \
    s->name = (PFN_vk##name)s->get(s->instance, "vk" #name);                                       \
    if (s->name == NULL)                                                                           \
        return host_fail(voice, VKR_ERROR_UNSUPPORTED,                                             \
                         "vkGetInstanceProcAddr returns NULL for vk%s, but must return it.",       \
                         #name);
    HOST_INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    return VKR_SUCCESS;
}

void host_close_system(host_system *s)
{
    if (s->owns_instance && s->DestroyInstance != NULL)
        s->DestroyInstance(s->instance, s->allocator);
    host_close_loader(s->library);
    *s = (host_system){0};
}

/* ---- A device ---- */

static bool has_extension(const host_system *s, VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    bool found = false;
    if (s->EnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *all = host_allocate(s->allocator, (count + 1) * sizeof *all);
    if (all != NULL &&
        s->EnumerateDeviceExtensionProperties(physical, NULL, &count, all) == VK_SUCCESS)
        for (uint32_t i = 0; i < count && !found; i++)
            found = strcmp(all[i].extensionName, name) == 0;
    host_release(s->allocator, all);
    return found;
}

/* Whether all memory is both the device's and the host's, so that a copy gains nothing. */
static bool shares_memory(VkPhysicalDeviceType type)
{
    return type == VK_PHYSICAL_DEVICE_TYPE_CPU || type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
}

static void find_sizes(const host_system *s, VkPhysicalDevice physical, VkrHostDevice *device)
{
    VkPhysicalDeviceMemoryProperties memory;
    s->GetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 &&
            memory.memoryHeaps[i].size > device->memorySize)
            device->memorySize = memory.memoryHeaps[i].size;
}

void host_describe(const host_system *s, VkPhysicalDevice physical, VkrHostDevice *device)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT import = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceMaintenance4Properties buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &memory};
    *device = (VkrHostDevice){0};
    s->GetPhysicalDeviceProperties2(physical, &properties);
    const uint32_t version = properties.properties.apiVersion < s->api_version
                                 ? properties.properties.apiVersion
                                 : s->api_version;
    if (version >= VK_API_VERSION_1_2)
        memory.pNext = &driver;
    if (version >= VK_API_VERSION_1_3)
        driver.pNext = &buffers;
    if (shares_memory(properties.properties.deviceType) &&
        has_extension(s, physical, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
        import.pNext = memory.pNext;
        memory.pNext = &import;
    }
    s->GetPhysicalDeviceProperties2(physical, &properties);
    memcpy(device->name, properties.properties.deviceName, sizeof device->name);
    snprintf(device->driver, sizeof device->driver, "%s%s%s",
             driver.driverName[0] != '\0' ? driver.driverName : "unknown driver",
             driver.driverInfo[0] != '\0' ? " " : "", driver.driverInfo);
    device->type = properties.properties.deviceType;
    device->apiVersion = properties.properties.apiVersion;
    device->importAlignment = import.minImportedHostPointerAlignment;
    find_sizes(s, physical, device);
    device->maxBufferSize = device->memorySize;
    if (memory.maxMemoryAllocationSize != 0)
        device->maxBufferSize = host_min(device->maxBufferSize, memory.maxMemoryAllocationSize);
    if (buffers.maxBufferSize != 0)
        device->maxBufferSize = host_min(device->maxBufferSize, buffers.maxBufferSize);
    VkrDeviceRequirements needs;
    if (vkrGetDeviceRequirements(&(VkrDeviceRequirementsInfo){.instance = s->instance,
                                                              .physicalDevice = physical,
                                                              .apiVersion = s->api_version,
                                                              .getInstanceProcAddr = s->get},
                                 &needs) != VKR_SUCCESS)
        return;
    device->usable = needs.usable;
    device->requirementCount = needs.requirementCount;
    memcpy(device->requirements, needs.requirements, sizeof device->requirements);
}

/* ---- The choice ---- */

/* The devices, which the caller releases. */
typedef struct host_list {
    uint32_t count;
    VkPhysicalDevice physical[HOST_MAX_DEVICES];
    VkrHostDevice *devices;
} host_list;

static VkrResult open_list(const host_system *s, const host_voice *voice, host_list *list)
{
    list->count = HOST_MAX_DEVICES;
    list->devices = NULL;
    HOST_VK(voice, s->EnumeratePhysicalDevices(s->instance, &list->count, list->physical));
    list->devices = host_allocate(s->allocator, (list->count + 1) * sizeof *list->devices);
    if (list->devices == NULL)
        return host_fail(voice, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
    for (uint32_t i = 0; i < list->count; i++)
        host_describe(s, list->physical[i], &list->devices[i]);
    return VKR_SUCCESS;
}

/* Whether a text has a part, where capitals count as small letters. */
static bool contains(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (part[i] != '\0' &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]))
            i++;
        if (part[i] == '\0')
            return true;
    }
    return false;
}

/* Usable devices come first, then the kind decides. */
static int rank_of(const VkrHostDevice *device)
{
    static const int ranks[] = {[VK_PHYSICAL_DEVICE_TYPE_CPU] = 1,
                                [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = 2,
                                [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = 3,
                                [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = 4};
    const size_t type = (size_t)device->type;
    return (device->usable ? 8 : 0) + (type < sizeof ranks / sizeof ranks[0] ? ranks[type] : 0);
}

/* The best device; of several, the one whose turn it is. */
static uint32_t choose_best(const host_list *list, uint32_t turn)
{
    int best = 0;
    uint32_t equals = 0, i = 0;
    for (uint32_t k = 0; k < list->count; k++) {
        const int rank = rank_of(&list->devices[k]);
        equals = rank > best ? 1 : equals + (rank == best);
        best = rank > best ? rank : best;
    }
    for (turn %= equals; rank_of(&list->devices[i]) < best || turn > 0; i++)
        turn -= rank_of(&list->devices[i]) == best;
    return i;
}

static VkrResult choose_none(const host_voice *voice, const host_list *list, const char *wanted)
{
    char all[4096] = "";
    for (uint32_t i = 0; i < list->count; i++) {
        const size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%u (%s, %s)", i == 0 ? "" : ", ", i,
                 list->devices[i].name, list->devices[i].driver);
    }
    return host_fail(voice, VKR_ERROR_INVALID_ARGUMENT,
                     "device is '%s', but must be the index of a device or a part of its or its "
                     "driver's name: %s.",
                     wanted, all);
}

/* A number is always an index, never a part of a name: names contain many digits. */
static VkrResult choose(const host_voice *voice, const host_list *list, const VkrHostInfo *info,
                        uint32_t *index)
{
    const char *wanted = info->device;
    *index = 0;
    if (list->count == 0)
        return host_fail(voice, VKR_ERROR_UNSUPPORTED,
                         "no Vulkan device was found; mesa-vulkan-drivers has one for the CPU.");
    if (wanted == NULL) {
        *index = choose_best(list, info->turn);
        return VKR_SUCCESS;
    }
    if (wanted[0] != '\0' && wanted[strspn(wanted, "0123456789")] == '\0') {
        const unsigned long number = strtoul(wanted, NULL, 10);
        *index = (uint32_t)number;
        return number < list->count ? VKR_SUCCESS : choose_none(voice, list, wanted);
    }
    for (; wanted[0] != '\0' && *index < list->count; ++*index)
        if (contains(list->devices[*index].name, wanted) ||
            contains(list->devices[*index].driver, wanted))
            return VKR_SUCCESS;
    return choose_none(voice, list, wanted);
}

VkrResult host_choose(const host_system *s, const host_voice *voice, const VkrHostInfo *info,
                      VkPhysicalDevice *physical, uint32_t *index)
{
    host_list list;
    VkrResult result = open_list(s, voice, &list);
    if (result == VKR_SUCCESS)
        result = choose(voice, &list, info, index);
    if (result == VKR_SUCCESS)
        *physical = list.physical[*index];
    host_release(s->allocator, list.devices);
    return result;
}

VkrResult vkrGetHostDevices(const VkrHostInfo *info, uint32_t *count, VkrHostDevice *devices,
                            uint32_t *index)
{
    static const VkrHostInfo defaults = {0};
    const VkrHostInfo *asked = info != NULL ? info : &defaults;
    const host_voice voice = {"vkrGetHostDevices", asked->message, asked->messageData};
    host_system s = {0};
    host_list list = {0};
    uint32_t first = 0;
    HOST_MUST(&voice, count != NULL, "count is NULL, but must be given.");
    VkrResult result = host_open_system(&s, &voice, asked);
    if (result == VKR_SUCCESS)
        result = open_list(&s, &voice, &list);
    if (result == VKR_SUCCESS && asked->device != NULL)
        result = choose(&voice, &list, asked, &first);
    if (result == VKR_SUCCESS) {
        const uint32_t all = asked->device != NULL ? 1 : list.count;
        const uint32_t room = devices != NULL && *count < all ? *count : all;
        for (uint32_t i = 0; devices != NULL && i < room; i++)
            devices[i] = list.devices[first + i];
        *count = room;
        if (index != NULL)
            *index = first;
    }
    host_release(s.allocator, list.devices);
    host_close_system(&s);
    return result;
}
