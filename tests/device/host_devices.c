/* SPDX-License-Identifier: MIT */
/* Which device a host opens, what the caller gives it, and the context's settings. */
#include "host_case.h"

#include <stdio.h>

#include "host_many.h"

static hearing heard;

static const many_device listed[] = {
    {"Llama Pipes", VK_PHYSICAL_DEVICE_TYPE_CPU, false},
    {"Old Radiant", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, true},
    {"Tiny Vertex 12", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, false},
    {"Giant Vertex 7", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, false},
    {"Cloud Slice", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, false},
    {"Giant Vertex 8", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, false},
    {"Odd One", VK_PHYSICAL_DEVICE_TYPE_OTHER, false},
};

/* Lists these devices, or some of them. The host makes its own instance. */
static VkrHostInfo many_info(const many_device *devices, uint32_t count)
{
    static VkrHostVulkan vulkan;
    VkrHostInfo info = case_info(&heard);
    many_count = count;
    many_version = 0;
    if (count != 0)
        memcpy(many_devices, devices, count * sizeof *devices);
    vulkan = (VkrHostVulkan){.getInstanceProcAddr = many_get};
    info.vulkan = &vulkan;
    info.device = NULL;
    return info;
}

static void expect_device(const VkrHostInfo *info, uint32_t index)
{
    VkrHost host;
    VkrHostDevice device_of_host;
    EXPECT_OK(vkrCreateHost(info, &host));
    vkrGetHostDevice(host, &device_of_host);
    assert_string_equal(device_of_host.name, many_devices[index].name);
    assert_int_equal(device_of_host.type, many_devices[index].type);
    vkrDestroyHost(host);
    if (info->device != NULL) {
        uint32_t count = 9, found = 99;
        VkrHostDevice one[2] = {{.name = "untouched"}, {.name = "untouched"}};
        EXPECT_OK(vkrGetHostDevices(info, &count, one, &found));
        assert_int_equal(count, 1);
        assert_int_equal(found, index);
        assert_string_equal(one[0].name, many_devices[index].name);
        assert_string_equal(one[1].name, "untouched");
    }
}

/* ---- The choice ---- */

HOST_TEST(test_choice)
{
    static const struct {
        const char *device;
        uint32_t turn, index;
    } rows[] = {{NULL, 0, 3},
                {NULL, 1, 5},
                {NULL, 2, 3},
                {NULL, 4294967295u, 5},
                {"0", 0, 0},
                {"5", 1, 5},
                {"vertex", 0, 2},
                {"VERTEX 8", 0, 5},
                {"giant", 1, 3},
                {"06", 0, 6},
                {"lama p", 0, 0},
                {"12", 0, 99},
                {"7", 0, 99},
                {"", 0, 99},
                {"vertex 9", 0, 99},
                {"-1", 0, 99},
                {"99999999999999999999", 0, 99},
                {"4294967296", 0, 99}};
    static const many_device two[] = {{"A CPU", VK_PHYSICAL_DEVICE_TYPE_CPU, false},
                                      {"A Cloud", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, false},
                                      {"Fast but old", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, true}};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        char sentence[64];
        VkrHostInfo info = many_info(listed, ARRAY_SIZE(listed));
        VkrHost none;
        info.device = rows[i].device;
        info.turn = rows[i].turn;
        if (rows[i].index != 99) {
            expect_device(&info, rows[i].index);
            continue;
        }
        snprintf(sentence, sizeof sentence, "device is '%s', but must be the index", info.device);
        EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, sentence, vkrCreateHost(&info, &none));
        for (size_t k = 0; k < ARRAY_SIZE(listed); k++) {
            snprintf(sentence, sizeof sentence, "%zu (%s, ", k, listed[k].name);
            assert_non_null(strstr(heard.sentence, sentence));
        }
    }
    VkrHostInfo info = many_info(two, ARRAY_SIZE(two));
    expect_device(&info, 1);
    info = many_info(two, 1);
    expect_device(&info, 0);
    /* One that is not usable is opened only if it is meant, and then refused by name. */
    VkrHost none;
    info = many_info(&listed[1], 1);
    info.device = "RADIANT";
    EXPECT_ERROR(&heard, VKR_ERROR_UNSUPPORTED, "'Old Radiant' lacks requirements",
                 vkrCreateHost(&info, &none));
}

/* ---- Lists ---- */

HOST_TEST(test_devices)
{
    const VkrHostInfo info = many_info(listed, ARRAY_SIZE(listed));
    (void)state;
    for (uint32_t room = 0; room <= ARRAY_SIZE(listed) + 1; room++) {
        VkrHostDevice devices[ARRAY_SIZE(listed) + 2];
        const uint32_t expected = room < ARRAY_SIZE(listed) ? room : ARRAY_SIZE(listed);
        uint32_t count = room;
        memset(devices, 0x5a, sizeof devices);
        EXPECT_OK(vkrGetHostDevices(&info, &count, devices, NULL));
        assert_int_equal(count, expected);
        for (uint32_t i = 0; i < expected; i++) {
            assert_string_equal(devices[i].name, listed[i].name);
            assert_int_equal(devices[i].type, listed[i].type);
            assert_int_equal(devices[i].usable, !listed[i].too_old);
            assert_true(devices[i].requirementCount > 0);
            assert_true(devices[i].maxBufferSize > 0 && devices[i].driver[0] != '\0');
            /* Memory is imported where it is the device's as well. */
            if (listed[i].type == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU)
                assert_int_equal(devices[i].importAlignment, 0);
        }
        assert_int_equal(devices[expected].name[0], 0x5a);
    }
    uint32_t count = 3;
    EXPECT_OK(vkrGetHostDevices(&info, &count, NULL, NULL));
    assert_int_equal(count, ARRAY_SIZE(listed));
    if (device.messenger == VK_NULL_HANDLE) { /* all defaults: the system's loader */
        EXPECT_OK(vkrGetHostDevices(NULL, &count, NULL, NULL));
        assert_true(count >= 1);
    }
    assert_int_equal(heard.errors != 0 && heard.result == VKR_SUCCESS, false);
}

HOST_TEST(test_no_driver)
{
    VkrHostInfo info = many_info(NULL, 0);
    VkrHost none;
    uint32_t count = 7;
    (void)state;
    EXPECT_OK(vkrGetHostDevices(&info, &count, NULL, NULL));
    assert_int_equal(count, 0);
    EXPECT_ERROR(&heard, VKR_ERROR_UNSUPPORTED, "no Vulkan device was found;",
                 vkrCreateHost(&info, &none));
    info.device = "any";
    EXPECT_ERROR(&heard, VKR_ERROR_UNSUPPORTED, "no Vulkan device was found;",
                 vkrGetHostDevices(&info, &count, NULL, NULL));
    if (device.messenger == VK_NULL_HANDLE) { /* the system's loader, and no driver */
        const VkrHostInfo own = {.message = info.message, .messageData = info.messageData};
        const char *const before = getenv("VK_DRIVER_FILES");
        char *kept = before != NULL ? strdup(before) : NULL;
        assert_int_equal(setenv("VK_DRIVER_FILES", "/nonexistent.json", 1), 0);
        heard.errors = 0;
        assert_int_equal(vkrCreateHost(&own, &none), VKR_ERROR_UNSUPPORTED);
        assert_int_equal(heard.errors, 1);
        assert_non_null(strstr(heard.sentence, "no Vulkan d"));
        assert_int_equal(
            kept != NULL ? setenv("VK_DRIVER_FILES", kept, 1) : unsetenv("VK_DRIVER_FILES"), 0);
        free(kept);
    }
    many_version = VK_API_VERSION_1_0;
    EXPECT_ERROR(&heard, VKR_ERROR_UNSUPPORTED, "the Vulkan loader is of Vulkan 1.0",
                 vkrCreateHost(&info, &none));
}

/* ---- What is given ---- */

static void use_host(VkrHost host)
{
    uint32_t values[64];
    VkrHostMemory memory;
    case_fill(values, sizeof values, 3);
    EXPECT_OK(vkrHostAlloc(host, sizeof values, VKR_HOST_MEMORY_DEVICE, &memory));
    EXPECT_OK(vkrHostWrite(host, &memory, 0, sizeof values, values));
    case_run_all(host, VKR_TYPE_U32, &memory, values, 64);
    vkrHostFree(host, &memory);
}

HOST_TEST(test_given)
{
    VkrContext context;
    (void)state;
    assert_true(harness_context(&device, NULL, &context));
    for (uint32_t row = 0; row < 5; row++) {
        VkrHostVulkan vulkan = {.getInstanceProcAddr = vkGetInstanceProcAddr}, got;
        const VkrContextInfo settings = {.enabledFeatureChain = &device.requirements.features,
                                         .enabledExtensionCount =
                                             device.requirements.extensionCount,
                                         .enabledExtensions = device.requirements.extensions};
        VkrHostInfo info = case_info(&heard);
        VkrHost host;
        if (row >= 1)
            vulkan.instance = device.instance;
        if (row >= 1)
            vulkan.apiVersion = device.api_version;
        if (row >= 2)
            vulkan.physicalDevice = device.physical_device;
        if (row >= 3) {
            vulkan.device = device.device;
            vulkan.queueFamily = device.family;
            vulkan.queue = device.queue;
            info.context = &settings;
        }
        if (row >= 4)
            vulkan.context = context;
        if (row == 0 && device.messenger != VK_NULL_HANDLE)
            continue;
        info.vulkan = &vulkan;
        EXPECT_OK(vkrCreateHost(&info, &host));
        vkrGetHostVulkan(host, &got);
        assert_true(row < 1 || got.instance == vulkan.instance);
        assert_true(row < 2 || got.physicalDevice == vulkan.physicalDevice);
        assert_true(row < 3 || (got.device == vulkan.device && got.queue == vulkan.queue));
        assert_true(row < 4 || got.context == context);
        assert_true(got.device != NULL && got.queue != NULL && got.context != NULL);
        use_host(host);
        vkrDestroyHost(host);
    }
    /* All of it is the caller's still. */
    vkrDestroyContext(context);
    assert_true(harness_context(&device, NULL, &context));
    vkrDestroyContext(context);
    assert_int_equal(heard.errors != 0 && heard.result == VKR_SUCCESS, false);
}

HOST_TEST(test_incomplete)
{
    const PFN_vkGetInstanceProcAddr get = vkGetInstanceProcAddr;
    const VkInstance instance = device.instance;
    const VkPhysicalDevice physical = device.physical_device;
    const VkQueue queue = device.queue;
    const VkrContext context = (VkrContext)(void *)&heard;
    const struct {
        VkrHostVulkan vulkan;
        const char *sentence;
    } rows[] = {
        {{.instance = instance},
         "vulkan.getInstanceProcAddr is NULL, but must be given with vulkan.instance."},
        {{.getInstanceProcAddr = get, .physicalDevice = physical},
         "vulkan.instance is NULL, but must be given with vulkan.physicalDevice."},
        {{.getInstanceProcAddr = get,
          .instance = instance,
          .physicalDevice = physical,
          .device = device.device},
         "vulkan.queue is NULL, but must be given with vulkan.device."},
        {{.getInstanceProcAddr = get,
          .instance = instance,
          .device = device.device,
          .queue = queue},
         "vulkan.physicalDevice is NULL, but must be given with vulkan.device."},
        {{.getInstanceProcAddr = get,
          .instance = instance,
          .physicalDevice = physical,
          .queue = queue},
         "vulkan.device is NULL, but must be given with vulkan.queue."},
        {{.getInstanceProcAddr = get,
          .instance = instance,
          .physicalDevice = physical,
          .context = context},
         "vulkan.queue is NULL, but must be given with vulkan.context."},
        {{.getInstanceProcAddr = get,
          .instance = instance,
          .physicalDevice = physical,
          .device = device.device,
          .queueFamily = 77,
          .queue = queue},
         "vulkan.queueFamily is 77, but must be a family of"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrHostInfo info = case_info(&heard);
        VkrHost none;
        info.vulkan = &rows[i].vulkan;
        EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, rows[i].sentence,
                     vkrCreateHost(&info, &none));
        assert_null(none);
    }
}

/* ---- Features and settings ---- */

HOST_TEST(test_features)
{
    VkPhysicalDeviceFeatures has, asked = {0};
    (void)state;
    vkGetPhysicalDeviceFeatures(device.physical_device, &has);
    asked.geometryShader = has.geometryShader;
    asked.robustBufferAccess = has.robustBufferAccess;
    VkrHostInfo info = many_info(listed, 1);
    VkrHost host;
    info.features = &asked;
    EXPECT_OK(vkrCreateHost(&info, &host));
    assert_int_equal(many_enabled.geometryShader, has.geometryShader);
    assert_int_equal(many_enabled.robustBufferAccess, has.robustBufferAccess);
    assert_int_equal(many_enabled.shaderInt64, has.shaderInt64); /* the library's own */
    use_host(host);
    vkrDestroyHost(host);
    if (has.sparseBinding || device.messenger != VK_NULL_HANDLE)
        return;
    asked.sparseBinding = VK_TRUE;
    EXPECT_ERROR(&heard, VKR_ERROR_UNSUPPORTED,
                 "vkCreateDevice failed: the device lacks a feature that is asked for.",
                 vkrCreateHost(&info, &host));
    assert_null(host);
}

HOST_TEST(test_settings)
{
    VkrContextInfo settings = {.profile = "nonsense", .profileSize = 8};
    VkrContextProperties properties;
    VkrHostInfo info = case_info(&heard);
    VkrHost host;
    (void)state;
    info.context = &settings;
    heard.errors = 0;
    assert_int_equal(vkrCreateHost(&info, &host), VKR_ERROR_INVALID_ARGUMENT);
    assert_null(host);
    assert_int_equal(heard.errors, 1);
    assert_non_null(strstr(heard.sentence, "profile"));
    settings = (VkrContextInfo){.limits = {.maxStorageBufferRange = 65536},
                                .forwardProgress = VKR_FORWARD_PROGRESS_NONE};
    EXPECT_OK(vkrCreateHost(&info, &host));
    vkrGetContextProperties(vkrHostContext(host), &properties);
    assert_int_equal(properties.maxStorageBufferRange, 65536);
    uint32_t *values = malloc(4 * 100000);
    VkrHostMemory memory, other;
    case_fill(values, 4 * 100000, 3);
    EXPECT_OK(vkrHostAlloc(host, 4 * 100000, VKR_HOST_MEMORY_DEVICE, &other));
    EXPECT_OK(vkrHostAlloc(host, 4 * 100000, VKR_HOST_MEMORY_DEVICE, &memory));
    EXPECT_OK(vkrHostWrite(host, &memory, 0, 4 * 100000, values));
    case_run_all(host, VKR_TYPE_U32, &memory, values, 100000);
    const VkrSortInfo sort = {.keys = vkrHostView(&memory, VKR_TYPE_U32),
                              .sorted = vkrHostView(&other, VKR_TYPE_U32),
                              .count = VKR_COUNT_ALL,
                              .algorithm = VKR_SORT_ONESWEEP};
    EXPECT_OK(vkrHostBegin(host));
    assert_int_equal(vkrCmdSort(vkrHostRecorder(host), &sort), VKR_ERROR_UNSUPPORTED);
    vkrHostCancel(host);
    vkrHostFree(host, &other);
    vkrHostFree(host, &memory);
    vkrDestroyHost(host);
    free(values);
}
