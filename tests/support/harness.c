/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VOLK_IMPLEMENTATION
#include "harness.h"
#include <cmocka.h>

#define MAX_DEVICES 8u
#define VALIDATION_LAYER "VK_LAYER_KHRONOS_validation"
#define MINSPEC_LAYER "VK_LAYER_VKREDUCE_minspec"

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && strcmp(value, "") != 0 && strcmp(value, "0") != 0;
}

uint32_t environment(const char *name, uint32_t otherwise)
{
    const char *value = getenv(name);
    return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

bool harness_has_case(uint32_t n)
{
    const uint32_t step = environment("VKR_TEST_STEP", 1);
    const uint32_t first = environment("VKR_TEST_FIRST", 0) + environment("VKR_TEST_RUN", 0);
    return n % step == first % step;
}

bool harness_full(void)
{
    return is_set("VKR_TEST_FULL");
}

static bool check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS)
        printf("# %s failed with VkResult %d\n", call, (int)result);
    return result == VK_SUCCESS;
}

bool harness_check(harness *h, VkrResult result, const char *call)
{
    if (result != VKR_SUCCESS)
        printf("# %s failed with %s: %s\n", call, vkrResultName(result), h->sentence);
    return result == VKR_SUCCESS;
}

/* ---- Instance and device ---- */

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    harness *h = user;
    (void)severity;
    (void)types;
    h->validation_messages++;
    printf("# validation: ");
    for (const char *c = data->pMessage; *c != '\0'; c++)
        if (*c == '\n')
            printf("\n# ");
        else
            printf("%c", *c);
    printf("\n");
    return VK_FALSE;
}

static bool open_instance(harness *h, bool validation)
{
    /* The layer is requested by name, since the loader ignores variables that name a layer it
     * cannot find. */
    const char *layers[2], *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    uint32_t layer_count = 0;
    if (validation)
        layers[layer_count++] = VALIDATION_LAYER;
    if (getenv("VKR_TEST_TAKE") != NULL)
        layers[layer_count++] = MINSPEC_LAYER;
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = h,
    };
    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "vkreduce test",
        .apiVersion = h->api_version,
    };
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validation ? &messenger : NULL,
        .pApplicationInfo = &application,
        .enabledLayerCount = layer_count,
        .ppEnabledLayerNames = layers,
        .enabledExtensionCount = validation,
        .ppEnabledExtensionNames = &extension,
    };
    if (!check(vkCreateInstance(&info, NULL, &h->instance), "vkCreateInstance"))
        return false;
    volkLoadInstanceOnly(h->instance);
    return !validation ||
           check(vkCreateDebugUtilsMessengerEXT(h->instance, &messenger, NULL, &h->messenger),
                 "vkCreateDebugUtilsMessengerEXT");
}

static bool choose_device(harness *h)
{
    const char *wanted = getenv("VKR_TEST_DEVICE");
    VkPhysicalDevice devices[MAX_DEVICES];
    uint32_t count = MAX_DEVICES;
    if (vkEnumeratePhysicalDevices(h->instance, &count, devices) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        vkGetPhysicalDeviceProperties(devices[i], &h->properties);
        if (wanted == NULL || strstr(h->properties.deviceName, wanted) != NULL) {
            h->physical_device = devices[i];
            return true;
        }
    }
    printf("# no Vulkan device%s%s\n", wanted ? " named " : "", wanted ? wanted : "");
    return false;
}

static bool choose_family(harness *h)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(h->physical_device, &count, families);
    for (h->family = 0; h->family < count; h->family++)
        if (families[h->family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return true;
    printf("# no queue family with compute\n");
    return false;
}

static bool open_device(harness *h)
{
    VkrDeviceRequirements *requirements = &h->requirements;
    const float priority = 1;
    const VkrDeviceRequirementsInfo asked = {.instance = h->instance,
                                             .physicalDevice = h->physical_device,
                                             .apiVersion = h->api_version,
                                             .getInstanceProcAddr = vkGetInstanceProcAddr};
    if (vkrGetDeviceRequirements(&asked, requirements) != VKR_SUCCESS || !requirements->usable) {
        printf("# the device lacks what the library requires\n");
        return false;
    }
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(h->physical_device, &features);
    requirements->features.features.shaderInt16 = h->wants_int16 && features.shaderInt16;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = h->family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &requirements->features,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = requirements->extensionCount,
        .ppEnabledExtensionNames = requirements->extensions,
    };
    if (!check(vkCreateDevice(h->physical_device, &info, NULL, &h->device), "vkCreateDevice"))
        return false;
    volkLoadDevice(h->device);
    vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
    return true;
}

static bool open_commands(harness *h)
{
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = h->family,
    };
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (!check(vkCreateCommandPool(h->device, &pool, NULL, &h->pool), "vkCreateCommandPool") ||
        !check(vkCreateFence(h->device, &fence, NULL, &h->fence), "vkCreateFence"))
        return false;
    const VkCommandBufferAllocateInfo cmd = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = h->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    return check(vkAllocateCommandBuffers(h->device, &cmd, &h->cmd), "vkAllocateCommandBuffers");
}

int harness_open(harness *h)
{
    *h = (harness){.api_version = VK_API_VERSION_1_1, .wants_int16 = h->wants_int16};
    /* A test that is killed after its time has then said which row it was at. */
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (is_set("VKR_TEST_FILTER"))
        cmocka_set_test_filter(getenv("VKR_TEST_FILTER"));
    const bool has_loader = volkInitialize() == VK_SUCCESS;
    h->loader = vkGetInstanceProcAddr;
    if (has_loader && volkGetInstanceVersion() >= VK_API_VERSION_1_3)
        h->api_version = VK_API_VERSION_1_3;
    if (!has_loader || !open_instance(h, is_set("VKR_TEST_VALIDATION")) || !choose_device(h)) {
        harness_close(h);
        printf("# no device to test on\n");
        return is_set("VKR_TEST_ALLOW_NO_DEVICE") ? HARNESS_SKIP : 1;
    }
    vkGetPhysicalDeviceMemoryProperties(h->physical_device, &h->memory);
    if (!choose_family(h) || !open_device(h) || !open_commands(h)) {
        harness_close(h);
        return 1;
    }
    printf("# device: %s\n", h->properties.deviceName);
    return 0;
}

void harness_close(harness *h)
{
    if (h->device != VK_NULL_HANDLE) {
        vkDeviceWaitIdle(h->device);
        vkDestroyFence(h->device, h->fence, NULL);
        vkDestroyCommandPool(h->device, h->pool, NULL);
        vkDestroyDevice(h->device, NULL);
    }
    if (h->messenger != VK_NULL_HANDLE)
        vkDestroyDebugUtilsMessengerEXT(h->instance, h->messenger, NULL);
    if (h->instance != VK_NULL_HANDLE)
        vkDestroyInstance(h->instance, NULL);
    *h = (harness){0};
}

int harness_run(harness *h, const char *name, const struct CMUnitTest *tests, size_t count,
                int (*set_up)(void **state), int (*tear_down)(void **state))
{
    const int status = harness_open(h);
    if (status != 0)
        return status;
    const int failed = _cmocka_run_group_tests(name, tests, count, set_up, tear_down);
    harness_close(h);
    return failed != 0;
}

static void keep_message(void *user, VkrResult result, const char *sentence)
{
    harness *h = user;
    if (result == VKR_SUCCESS) /* a note */
        return;
    h->result = result;
    snprintf(h->sentence, sizeof(h->sentence), "%s", sentence);
}

static bool create_context(harness *h, const VkrLimits *limits, size_t profile_size,
                           const char *profile, VkrContext *context)
{
    const VkrContextInfo info = {
        .instance = h->instance,
        .physicalDevice = h->physical_device,
        .device = h->device,
        .apiVersion = h->api_version,
        .flags = h->messenger != VK_NULL_HANDLE ? VKR_CONTEXT_DEBUG_UTILS_BIT : 0,
        .enabledFeatureChain = &h->requirements.features,
        .enabledExtensionCount = h->requirements.extensionCount,
        .enabledExtensions = h->requirements.extensions,
        .getInstanceProcAddr = h->loader,
        .message = keep_message,
        .messageData = h,
        .forwardProgress = h->forward_progress,
        .limits = limits != NULL ? *limits : (VkrLimits){0},
        .profile = profile,
        .profileSize = profile_size,
        .testHooks = &h->hooks,
    };
    *context = NULL;
    if (environment("VKR_TEST_AS_BUILT", 0) != 0)
        h->hooks.modulesAsBuilt = VK_TRUE;
    return harness_check(h, vkrCreateContext(&info, context), "vkrCreateContext");
}

bool harness_context(harness *h, const VkrLimits *limits, VkrContext *context)
{
    return create_context(h, limits, 0, NULL, context);
}

bool harness_tuned_context(harness *h, const VkrLimits *limits, const VkrTuning *tuning,
                           const VkrPolicy *policies, VkrContext *context)
{
    char text[4096];
    size_t size = sizeof(text);
    VkrTuning rows[8 * VKR_OPERATION_COUNT];
    VkrContext plain;
    const uint32_t count = 8 * VKR_OPERATION_COUNT;
    const VkrProfile profile = {count, rows, policies != NULL ? VKR_POLICY_COUNT : 0, policies};
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = *tuning;
        rows[i].operation = (VkrOperation)(i / 8);
        rows[i].valueSize = 1u << i % 4;
        rows[i].texels = i / 4 % 2;
        if (tuning->path == VKR_LOAD_TEXEL && !rows[i].texels)
            rows[i].path = VKR_LOAD_VEC4;
    }
    *context = NULL;
    const bool written =
        harness_context(h, limits, &plain) &&
        harness_check(h, vkrWriteProfile(plain, &profile, &size, text), "vkrWriteProfile");
    vkrDestroyContext(plain);
    return written && create_context(h, limits, size, text, context);
}

/* ---- Buffers ---- */

static uint32_t memory_type(const harness *h, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < h->memory.memoryTypeCount; i++)
        if ((allowed & 1u << i) != 0 && (h->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    return 0; /* the specification guarantees one */
}

bool harness_create_buffer(harness *h, VkDeviceSize size, harness_buffer *buffer)
{
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = size,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
    };
    VkMemoryRequirements needs;
    *buffer = (harness_buffer){.size = size};
    if (!check(vkCreateBuffer(h->device, &info, NULL, &buffer->buffer), "vkCreateBuffer"))
        return false;
    vkGetBufferMemoryRequirements(h->device, buffer->buffer, &needs);
    const VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = memory_type(h, needs.memoryTypeBits),
    };
    if (check(vkAllocateMemory(h->device, &allocation, NULL, &buffer->memory),
              "vkAllocateMemory") &&
        check(vkBindBufferMemory(h->device, buffer->buffer, buffer->memory, 0),
              "vkBindBufferMemory") &&
        check(vkMapMemory(h->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->data),
              "vkMapMemory"))
        return true;
    harness_destroy_buffer(h, buffer);
    return false;
}

void harness_destroy_buffer(harness *h, harness_buffer *buffer)
{
    vkDestroyBuffer(h->device, buffer->buffer, NULL);
    vkFreeMemory(h->device, buffer->memory, NULL);
    *buffer = (harness_buffer){0};
}

/* ---- Commands ---- */

bool harness_begin(harness *h)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return check(vkBeginCommandBuffer(h->cmd, &info), "vkBeginCommandBuffer");
}

bool harness_end(harness *h)
{
    return check(vkEndCommandBuffer(h->cmd), "vkEndCommandBuffer");
}

bool harness_submit(harness *h)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &h->cmd,
    };
    return check(vkQueueSubmit(h->queue, 1, &info, h->fence), "vkQueueSubmit") &&
           check(vkWaitForFences(h->device, 1, &h->fence, VK_TRUE, UINT64_MAX),
                 "vkWaitForFences") &&
           check(vkResetFences(h->device, 1, &h->fence), "vkResetFences");
}
