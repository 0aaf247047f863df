/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/core/message.h"
#include "../../src/core/pipeline.h"

#define LOAD(name) PFN_##name name = (PFN_##name)vkGetDeviceProcAddr(made.device, #name)
#define MOST_EXECUTABLES 4u /* Intel has one for each SIMD width */

static struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    uint32_t version;
    VkrContext context;
    VkrRecorder recorder;
    isa_watcher watcher;
    bool instructions;
    vkr_step *step;      /* whose pipeline is compiled */
    size_t words;        /* of the module that the driver got */
    double milliseconds; /* of the last pipeline */
    PFN_vkCreateShaderModule create_module;
    PFN_vkCreateComputePipelines create;
} made;

void isa_stop(const char *what, int code)
{
    fprintf(stderr, "isa: %s: %d\n", what, code);
    exit(1);
}

/* ---- What the compiler says ---- */

static double value_of(const VkPipelineExecutableStatisticKHR *statistic)
{
    switch (statistic->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic->value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return (double)statistic->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
        return statistic->value.f64;
    default:
        return (double)statistic->value.u64;
    }
}

static void print_executable(FILE *file, const VkPipelineExecutableInfoKHR *info)
{
    LOAD(vkGetPipelineExecutableStatisticsKHR);
    VkPipelineExecutableStatisticKHR statistics[64];
    uint32_t count = 64;
    for (uint32_t i = 0; i < count; i++)
        statistics[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    ISA_CALL(vkGetPipelineExecutableStatisticsKHR(made.device, info, &count, statistics));
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "# %s: %.0f\n", statistics[i].name, value_of(&statistics[i]));
}

static uint32_t executables(VkPipeline pipeline, VkPipelineExecutablePropertiesKHR *properties)
{
    LOAD(vkGetPipelineExecutablePropertiesKHR);
    const VkPipelineInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                    .pipeline = pipeline};
    uint32_t count = MOST_EXECUTABLES;
    for (uint32_t i = 0; i < count; i++)
        properties[i] = (VkPipelineExecutablePropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    ISA_CALL(vkGetPipelineExecutablePropertiesKHR(made.device, &info, &count, properties));
    return count;
}

void isa_print_statistics(FILE *file, VkPipeline pipeline)
{
    VkPipelineExecutablePropertiesKHR properties[MOST_EXECUTABLES];
    const uint32_t count = executables(pipeline, properties);
    fprintf(file, "# milliseconds: %.0f\n# SPIR-V words: %zu\n", made.milliseconds, made.words);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(file, "# subgroup size: %" PRIu32 "\n", properties[i].subgroupSize);
        print_executable(file, &(VkPipelineExecutableInfoKHR){
                                   .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                   .pipeline = pipeline,
                                   .executableIndex = i});
    }
}

static void print_texts(FILE *file, const VkPipelineExecutableInfoKHR *info)
{
    LOAD(vkGetPipelineExecutableInternalRepresentationsKHR);
    VkPipelineExecutableInternalRepresentationKHR texts[16];
    uint32_t count = 16;
    for (uint32_t i = 0; i < count; i++)
        texts[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    ISA_CALL(vkGetPipelineExecutableInternalRepresentationsKHR(made.device, info, &count, texts));
    for (uint32_t i = 0; i < count; i++)
        texts[i].pData = calloc(1, texts[i].dataSize + 1);
    ISA_CALL(vkGetPipelineExecutableInternalRepresentationsKHR(made.device, info, &count, texts));
    for (uint32_t i = 0; i < count; i++) {
        if (strstr(texts[i].name, "ssembly"))
            fprintf(file, "%s\n", (const char *)texts[i].pData);
        free(texts[i].pData);
    }
}

void isa_print_instructions(FILE *file, VkPipeline pipeline)
{
    VkPipelineExecutablePropertiesKHR properties[MOST_EXECUTABLES];
    const uint32_t count = made.instructions ? executables(pipeline, properties) : 0;
    for (uint32_t i = 0; i < count; i++)
        print_texts(file, &(VkPipelineExecutableInfoKHR){
                              .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                              .pipeline = pipeline,
                              .executableIndex = i});
}

/* Processor time, which other work on the machine changes least. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Two functions that replace those in the context's table. */
static VKAPI_ATTR VkResult VKAPI_CALL create_and_count(VkDevice device,
                                                       const VkShaderModuleCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkShaderModule *module)
{
    made.words = info->codeSize / sizeof(uint32_t);
    return made.create_module(device, info, allocator, module);
}

static VKAPI_ATTR VkResult VKAPI_CALL create_and_watch(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *asked,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    VkComputePipelineCreateInfo info = *asked;
    info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    if (made.instructions)
        info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    made.watcher.before(made.step);
    const double start = now();
    const VkResult result = made.create(device, cache, count, &info, allocator, pipelines);
    made.milliseconds = now() - start;
    made.watcher.after(made.step, result, pipelines[0]);
    return result;
}

VkrResult isa_compile(void)
{
    VKR_TRY(made.recorder->error);
    for (uint32_t i = 0; i < made.recorder->now.steps; i++) {
        made.step = &made.recorder->steps[i];
        VKR_TRY(vkr_get_pipeline(made.context, made.step, true));
    }
    return VKR_SUCCESS;
}

/* ---- The device ---- */

static void create_device(void)
{
    static VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executable = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE};
    static VkrDeviceRequirements needs;
    const char *extensions[VKR_MAX_EXTENSIONS + 1];
    const float priority = 1;
    const VkrDeviceRequirementsInfo asked = {.instance = made.instance,
                                             .physicalDevice = made.physical,
                                             .apiVersion = made.version,
                                             .message = made.watcher.message};
    ISA_CALL(vkrGetDeviceRequirements(&asked, &needs));
    memcpy(extensions, needs.extensions, needs.extensionCount * sizeof extensions[0]);
    extensions[needs.extensionCount] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    executable.pNext = needs.features.pNext;
    needs.features.pNext = &executable;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &needs.features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = needs.extensionCount + 1,
                                     .ppEnabledExtensionNames = extensions};
    ISA_CALL(vkCreateDevice(made.physical, &info, NULL, &made.device));
    ISA_CALL(vkrCreateContext(&(VkrContextInfo){.instance = made.instance,
                                                .physicalDevice = made.physical,
                                                .device = made.device,
                                                .apiVersion = made.version,
                                                .enabledFeatureChain = &needs.features,
                                                .enabledExtensionCount = needs.extensionCount,
                                                .enabledExtensions = extensions,
                                                .message = made.watcher.message},
                              &made.context));
    made.create_module = made.context->vk.vkCreateShaderModule;
    made.context->vk.vkCreateShaderModule = create_and_count;
    made.create = made.context->vk.vkCreateComputePipelines;
    made.context->vk.vkCreateComputePipelines = create_and_watch;
}

VkrRecorder isa_open(const isa_watcher *watcher, bool instructions)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    VkPhysicalDeviceProperties properties;
    made.watcher = *watcher;
    made.instructions = instructions;
    ISA_CALL(vkCreateInstance(&info, NULL, &made.instance));
    const VkResult found = vkEnumeratePhysicalDevices(made.instance, &count, &made.physical);
    if (found < 0 || count == 0)
        isa_stop("no device", found);
    vkGetPhysicalDeviceProperties(made.physical, &properties);
    made.version =
        properties.apiVersion < VK_API_VERSION_1_2 ? properties.apiVersion : VK_API_VERSION_1_2;
    printf("%s\n", properties.deviceName);
    create_device();
    ISA_CALL(vkrCreateRecorder(made.context, &(VkrRecorderInfo){0}, &made.recorder));
    return made.recorder;
}

void isa_close(void)
{
    vkrDestroyRecorder(made.recorder);
    vkrDestroyContext(made.context);
    vkDestroyDevice(made.device, NULL);
    vkDestroyInstance(made.instance, NULL);
}

/* ---- What operations name ---- */

VkBuffer isa_buffer(uint64_t number)
{
    return (VkBuffer)(uintptr_t)(number << 12);
}

VkrBufferRange isa_range(uint64_t number)
{
    return (VkrBufferRange){isa_buffer(number), 0, ISA_ROOM};
}

VkrView isa_view(uint64_t number, VkrType type, uint32_t components, uint64_t count)
{
    return (VkrView){.buffer = isa_buffer(number),
                     .size = count * vkrTypeSize(type) * components,
                     .type = type,
                     .components = components};
}

VkrImage isa_image(VkFormat format, uint32_t level, VkImageLayout layout)
{
    return (VkrImage){.image = (VkImage)(uintptr_t)(0x100000 + (level > 0)),
                      .view = (VkImageView)(uintptr_t)(0x200000 + level),
                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                      .format = format,
                      .layout = layout,
                      .range = {VK_IMAGE_ASPECT_COLOR_BIT, level > 0 ? level - 1 : 0, 1, 0, 1},
                      .extent = {4096u >> level, 4096u >> level, 1}};
}
