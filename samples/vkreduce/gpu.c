/* SPDX-License-Identifier: MIT */
/* All of Vulkan that the program needs besides the library: devices, memory, submits. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "runner.h"

#define API_VERSION VK_API_VERSION_1_3
#define TEXEL 16u /* bytes */
#define STAGING_SIZE ((VkDeviceSize)32 << 20)

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

int gpu_status(VkrResult result)
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

/* ---- Devices ---- */

VkDeviceSize gpu_device_memory(const gpu_device *device)
{
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; i++)
        if ((device->memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0 &&
            device->memory.memoryHeaps[i].size > largest)
            largest = device->memory.memoryHeaps[i].size;
    return largest;
}

/* Asks a physical device what is known without creating a device. */
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

/* The order of devices: usable ones first, then by kind. */
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

/* Numbers are indices and never parts of names, in which there are many. */
int gpu_choose(const gpu_list *list, const char *wanted, uint32_t *index)
{
    uint64_t number;
    *index = 0;
    if (wanted == NULL) {
        for (uint32_t i = 1; i < list->count; i++)
            if (rank(&list->devices[i]) > rank(&list->devices[*index]))
                *index = i;
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

/* A queue family with compute, preferably one with timestamps; UINT32_MAX if there is none. */
static uint32_t find_family(VkPhysicalDevice physical, uint32_t *timestamp_bits)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = sizeof families / sizeof families[0];
    uint32_t found = UINT32_MAX;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)
            continue;
        if (found == UINT32_MAX || families[i].timestampValidBits > *timestamp_bits) {
            found = i;
            *timestamp_bits = families[i].timestampValidBits;
        }
    }
    return found;
}

static int create_device(gpu *g)
{
    const VkrDeviceRequirements *needs = &g->chosen->requirements;
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = g->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &needs->features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = needs->extensionCount,
                               .ppEnabledExtensionNames = needs->extensions};
    VkResult result = vkCreateDevice(g->chosen->physical, &info, NULL, &g->device);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateDevice");
    volkLoadDevice(g->device);
    vkGetDeviceQueue(g->device, g->family, 0, &g->queue);
    return STATUS_DONE;
}

static int create_commands(gpu *g)
{
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = g->family};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2};
    VkResult result = vkCreateCommandPool(g->device, &pool, NULL, &g->pool);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateCommandPool");
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = g->pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
    if ((result = vkAllocateCommandBuffers(g->device, &commands, &g->commands)) != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateCommandBuffers");
    if ((result = vkCreateFence(g->device, &fence, NULL, &g->fence)) != VK_SUCCESS)
        return gpu_fail(result, "vkCreateFence");
    if (g->timestamp_bits != 0 &&
        (result = vkCreateQueryPool(g->device, &queries, NULL, &g->queries)) != VK_SUCCESS)
        return gpu_fail(result, "vkCreateQueryPool");
    return STATUS_DONE;
}

static void on_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    (void)fail(gpu_status(result), "%s", sentence);
}

int gpu_create_context(const gpu *g, const char *profile, size_t size, VkrContext *context)
{
    const VkrDeviceRequirements *needs = &g->chosen->requirements;
    VkrContextInfo info = {.instance = g->list.instance,
                           .physicalDevice = g->chosen->physical,
                           .device = g->device,
                           .apiVersion = API_VERSION,
                           .enabledFeatureChain = &needs->features,
                           .enabledExtensionCount = needs->extensionCount,
                           .enabledExtensions = needs->extensions,
                           .getInstanceProcAddr = vkGetInstanceProcAddr,
                           .message = on_message,
                           .profile = profile,
                           .profileSize = size};
    VkrResult result = vkrCreateContext(&info, context);
    return result == VKR_SUCCESS || profile != NULL ? gpu_status(result) : STATUS_VULKAN;
}

int gpu_open(gpu *g, const char *wanted)
{
    uint32_t index;
    int status = gpu_list_open(&g->list);
    if (status != STATUS_DONE || (status = gpu_choose(&g->list, wanted, &index)) != STATUS_DONE)
        return status;
    g->chosen = &g->list.devices[index];
    if (!g->chosen->requirements.usable)
        return fail(STATUS_VULKAN,
                    "'%s' lacks what vkreduce devices names; choose another --device",
                    g->chosen->properties.deviceName);
    g->family = find_family(g->chosen->physical, &g->timestamp_bits);
    if (g->family == UINT32_MAX)
        return fail(STATUS_VULKAN, "'%s' has no compute queue; choose another --device",
                    g->chosen->properties.deviceName);
    if ((status = create_device(g)) != STATUS_DONE || (status = create_commands(g)) != STATUS_DONE)
        return status;
    return gpu_create_context(g, NULL, 0, &g->context);
}

int gpu_lane_open(gpu *lane, const gpu *g)
{
    *lane = *g;
    lane->pool = VK_NULL_HANDLE;
    lane->queries = VK_NULL_HANDLE;
    lane->fence = VK_NULL_HANDLE;
    return create_commands(lane);
}

void gpu_lane_close(gpu *lane)
{
    if (lane->device != VK_NULL_HANDLE) {
        vkDestroyQueryPool(lane->device, lane->queries, NULL);
        vkDestroyFence(lane->device, lane->fence, NULL);
        vkDestroyCommandPool(lane->device, lane->pool, NULL);
    }
    *lane = (gpu){0};
}

void gpu_close(gpu *g)
{
    vkrDestroyContext(g->context);
    gpu_list list = g->list;
    VkDevice device = g->device;
    gpu_lane_close(g);
    if (device != VK_NULL_HANDLE)
        vkDestroyDevice(device, NULL);
    gpu_list_close(&list);
}

/* ---- Memory ---- */

#define HOST_WRITE (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define HOST_READ (HOST_WRITE | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)

/* Flags of memory types in order of preference; 0 ends a list. */
static const VkMemoryPropertyFlags preferences[MEMORY_KINDS][3] = {
    [MEMORY_DEVICE] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_WRITE,
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_UNMAPPED] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_UPLOAD] = {HOST_WRITE},
    [MEMORY_RESULT] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | HOST_READ,
                       VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
    [MEMORY_READBACK] = {HOST_READ, HOST_WRITE},
};

/* The first type that has a preference's flags and whose heap holds the size. */
static uint32_t find_memory_type(const gpu_device *device, gpu_memory kind, uint32_t allowed,
                                 VkDeviceSize size)
{
    const VkPhysicalDeviceMemoryProperties *memory = &device->memory;
    for (const VkMemoryPropertyFlags *flags = preferences[kind]; *flags != 0; flags++)
        for (uint32_t i = 0; i < memory->memoryTypeCount; i++)
            if ((allowed & (1u << i)) != 0 &&
                (memory->memoryTypes[i].propertyFlags & *flags) == *flags &&
                memory->memoryHeaps[memory->memoryTypes[i].heapIndex].size >= size)
                return i;
    return UINT32_MAX;
}

static int allocate(const gpu *g, gpu_buffer *b, gpu_memory kind)
{
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(g->device, b->buffer, &needs);
    uint32_t type = find_memory_type(g->chosen, kind, needs.memoryTypeBits, needs.size);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size,
                                 .memoryTypeIndex = type};
    if (type == UINT32_MAX)
        return fail(STATUS_VULKAN, "'%s' has no memory type for a buffer of %llu bytes",
                    g->chosen->properties.deviceName, (unsigned long long)needs.size);
    VkResult result = vkAllocateMemory(g->device, &info, NULL, &b->memory);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateMemory");
    if ((result = vkBindBufferMemory(g->device, b->buffer, b->memory, 0)) != VK_SUCCESS)
        return gpu_fail(result, "vkBindBufferMemory");
    VkMemoryPropertyFlags flags = g->chosen->memory.memoryTypes[type].propertyFlags;
    /* Results in memory that the host reads slowly should rather be copied. */
    VkMemoryPropertyFlags needed = kind == MEMORY_RESULT ? HOST_READ : HOST_WRITE;
    if (kind != MEMORY_UNMAPPED && (flags & needed) == needed &&
        (result = vkMapMemory(g->device, b->memory, 0, VK_WHOLE_SIZE, 0, &b->map)) != VK_SUCCESS)
        return gpu_fail(result, "vkMapMemory");
    return STATUS_DONE;
}

/* A buffer view for loads as texels, where the buffer is not too large for one. */
static int create_texels(const gpu *g, gpu_buffer *b)
{
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = b->buffer,
                                   .format = VK_FORMAT_R32G32B32A32_UINT,
                                   .range = b->size};
    if (b->size / TEXEL > g->chosen->properties.limits.maxTexelBufferElements)
        return STATUS_DONE;
    VkResult result = vkCreateBufferView(g->device, &info, NULL, &b->texels.view);
    b->texels.size = b->size;
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateBufferView");
}

int gpu_buffer_create(const gpu *g, gpu_buffer *b, VkDeviceSize size, gpu_memory kind)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size == 0 ? TEXEL : (size + TEXEL - 1) / TEXEL * TEXEL,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    *b = (gpu_buffer){.size = info.size};
    if (info.size > g->chosen->max_allocation)
        return fail(
            STATUS_VULKAN,
            "%llu bytes are needed in one buffer and '%s' allows %llu; ask for less at a time",
            (unsigned long long)size, g->chosen->properties.deviceName,
            (unsigned long long)g->chosen->max_allocation);
    VkResult result = vkCreateBuffer(g->device, &info, NULL, &b->buffer);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateBuffer");
    int status = allocate(g, b, kind);
    return status == STATUS_DONE ? create_texels(g, b) : status;
}

void gpu_buffer_destroy(const gpu *g, gpu_buffer *b)
{
    if (g->device != VK_NULL_HANDLE) {
        vkDestroyBufferView(g->device, b->texels.view, NULL);
        vkDestroyBuffer(g->device, b->buffer, NULL);
        vkFreeMemory(g->device, b->memory, NULL);
    }
    *b = (gpu_buffer){0};
}

static void copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
                 VkDeviceSize size, VkPipelineStageFlags stage, VkAccessFlags access)
{
    VkBufferCopy region = {.dstOffset = offset, .size = size};
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                               .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                               .dstAccessMask = access};
    vkCmdCopyBuffer(g->commands, from->buffer, to->buffer, 1, &region);
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, stage, 0, 1, &barrier, 0,
                         NULL, 0, NULL);
}

void gpu_copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
              VkDeviceSize size)
{
    copy(g, from, to, offset, size, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
         VK_ACCESS_SHADER_READ_BIT);
}

void gpu_copy_back(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize size)
{
    copy(g, from, to, 0, size, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static int copy_now(const gpu *g, const gpu_buffer *staging, const gpu_buffer *b,
                    VkDeviceSize offset, VkDeviceSize size)
{
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    gpu_copy(g, staging, b, offset, size);
    status = gpu_end(g);
    return status == STATUS_DONE ? gpu_submit(g) : status;
}

int gpu_upload(const gpu *g, const gpu_buffer *b, const input *in)
{
    gpu_buffer staging = {0};
    if (b->map != NULL)
        return input_read(in, 0, (size_t)in->size, b->map);
    int status = gpu_buffer_create(g, &staging, in->size < STAGING_SIZE ? in->size : STAGING_SIZE,
                                   MEMORY_UPLOAD);
    for (uint64_t done = 0; status == STATUS_DONE && done < in->size;) {
        uint64_t size = in->size - done < staging.size ? in->size - done : staging.size;
        status = input_read(in, done, (size_t)size, staging.map);
        if (status == STATUS_DONE)
            status = copy_now(g, &staging, b, done, size);
        done += size;
    }
    gpu_buffer_destroy(g, &staging);
    return status;
}

/* ---- Commands ---- */

int gpu_begin(const gpu *g)
{
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkResult result = vkBeginCommandBuffer(g->commands, &info);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkBeginCommandBuffer");
}

int gpu_end(const gpu *g)
{
    VkResult result = vkEndCommandBuffer(g->commands);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkEndCommandBuffer");
}

int gpu_launch(const gpu *g)
{
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &g->commands};
    VkResult result = vkResetFences(g->device, 1, &g->fence);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkResetFences");
    result = vkQueueSubmit(g->queue, 1, &info, g->fence);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkQueueSubmit");
}

int gpu_wait(const gpu *g)
{
    VkResult result = vkWaitForFences(g->device, 1, &g->fence, VK_TRUE, UINT64_MAX);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkWaitForFences");
}

int gpu_submit(const gpu *g)
{
    int status = gpu_launch(g);
    return status == STATUS_DONE ? gpu_wait(g) : status;
}

void gpu_start_clock(const gpu *g)
{
    if (g->queries == VK_NULL_HANDLE)
        return;
    vkCmdResetQueryPool(g->commands, g->queries, 0, 2);
    vkCmdWriteTimestamp(g->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->queries, 0);
}

void gpu_stop_clock(const gpu *g)
{
    if (g->queries != VK_NULL_HANDLE)
        vkCmdWriteTimestamp(g->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, g->queries, 1);
}

int gpu_read_clock(const gpu *g, double *milliseconds)
{
    uint64_t ticks[2];
    VkResult result =
        vkGetQueryPoolResults(g->device, g->queries, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkGetQueryPoolResults");
    uint64_t elapsed = (ticks[1] - ticks[0]) & (UINT64_MAX >> (64 - g->timestamp_bits));
    *milliseconds = (double)elapsed * (double)g->chosen->properties.limits.timestampPeriod * 1e-6;
    return STATUS_DONE;
}
