/* SPDX-License-Identifier: MIT */
/*
 * isa FOLDER: shows what a GPU's compiler makes of the pipelines that AUTO chooses for 2^28
 * elements. The device may be a null device, which compiles but executes nothing: RADV has one for
 * each family of GPUs (RADV_FORCE_FAMILY). So operations are planned, and the pipelines of their
 * steps are compiled, but nothing is recorded. Each pipeline becomes a file
 * FOLDER/CASE.STEP.KERNEL.txt with its statistics and its instructions, which isa.py reads.
 */
#include <vulkan/vulkan.h> /* with prototypes, which the library does without */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../src/core/pipeline.h"
#include "../../src/core/recorder.h"
#include "../../src/core/unpack.h"

#define COUNT (UINT64_C(1) << 28)
#define ROOM (UINT64_C(1) << 32)
#define LOAD(name) PFN_##name name = (PFN_##name)vkGetDeviceProcAddr(made.device, #name)

/* The loader's functions, which this program is linked with. */
#define VK_CALL(call)                                                                              \
    do {                                                                                           \
        const int code_ = (int)(call);                                                             \
        if (code_ != 0)                                                                            \
            stop(#call, code_);                                                                    \
    } while (0)

static struct {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkrContext context;
    VkrRecorder recorder;
    const char *folder;
    const char *name; /* of the case */
    uint32_t step;
    uint32_t kernel;
    size_t words; /* of the module that the driver got */
    PFN_vkCreateShaderModule create_module;
    PFN_vkCreateComputePipelines create;
} made;

static void stop(const char *what, int code)
{
    fprintf(stderr, "isa: %s: %d\n", what, code);
    exit(1);
}

static void print_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    fprintf(stderr, "isa: %s: %d: %s\n", made.name ? made.name : "", (int)result, sentence);
}

/* ---- What the compiler says ---- */

static void print_statistics(FILE *file, const VkPipelineExecutableInfoKHR *info)
{
    LOAD(vkGetPipelineExecutableStatisticsKHR);
    VkPipelineExecutableStatisticKHR statistics[64];
    uint32_t count = 64;
    for (uint32_t i = 0; i < count; i++)
        statistics[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    VK_CALL(vkGetPipelineExecutableStatisticsKHR(made.device, info, &count, statistics));
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "# %s: %" PRIu64 "\n", statistics[i].name, statistics[i].value.u64);
}

static void print_instructions(FILE *file, const VkPipelineExecutableInfoKHR *info)
{
    LOAD(vkGetPipelineExecutableInternalRepresentationsKHR);
    VkPipelineExecutableInternalRepresentationKHR texts[16];
    uint32_t count = 16;
    for (uint32_t i = 0; i < count; i++)
        texts[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    VK_CALL(vkGetPipelineExecutableInternalRepresentationsKHR(made.device, info, &count, texts));
    for (uint32_t i = 0; i < count; i++)
        texts[i].pData = calloc(1, texts[i].dataSize + 1);
    VK_CALL(vkGetPipelineExecutableInternalRepresentationsKHR(made.device, info, &count, texts));
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(texts[i].name, "Assembly") == 0)
            fprintf(file, "%s\n", (const char *)texts[i].pData);
        free(texts[i].pData);
    }
}

static void print_pipeline(VkPipeline pipeline, double milliseconds)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%" PRIu32 ".%s.txt", made.folder, made.name, made.step,
             vkr_kernels[made.kernel].name);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        stop(path, 1);
    const VkPipelineExecutableInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, .pipeline = pipeline};
    fprintf(file, "# milliseconds: %.0f\n# SPIR-V words: %zu\n", milliseconds, made.words);
    print_statistics(file, &info);
    print_instructions(file, &info);
    (void)fclose(file);
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

static VKAPI_ATTR VkResult VKAPI_CALL create_and_print(VkDevice device, VkPipelineCache cache,
                                                       uint32_t count,
                                                       const VkComputePipelineCreateInfo *asked,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkPipeline *pipelines)
{
    VkComputePipelineCreateInfo info = *asked;
    info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
                  VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
    const double start = now();
    const VkResult result = made.create(device, cache, count, &info, allocator, pipelines);
    if (result == VK_SUCCESS)
        print_pipeline(pipelines[0], now() - start);
    return result;
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
    VK_CALL(vkrGetDeviceRequirements(&(VkrDeviceRequirementsInfo){.instance = made.instance,
                                                                  .physicalDevice = made.physical,
                                                                  .apiVersion = VK_API_VERSION_1_2,
                                                                  .message = print_message},
                                     &needs));
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
    VK_CALL(vkCreateDevice(made.physical, &info, NULL, &made.device));
    VK_CALL(vkrCreateContext(&(VkrContextInfo){.instance = made.instance,
                                               .physicalDevice = made.physical,
                                               .device = made.device,
                                               .apiVersion = VK_API_VERSION_1_2,
                                               .enabledFeatureChain = &needs.features,
                                               .enabledExtensionCount = needs.extensionCount,
                                               .enabledExtensions = extensions,
                                               .message = print_message},
                             &made.context));
    made.create_module = made.context->vk.vkCreateShaderModule;
    made.context->vk.vkCreateShaderModule = create_and_count;
    made.create = made.context->vk.vkCreateComputePipelines;
    made.context->vk.vkCreateComputePipelines = create_and_print;
}

static void open_device(void)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    uint32_t count = 1;
    VkPhysicalDeviceProperties properties;
    VK_CALL(vkCreateInstance(&info, NULL, &made.instance));
    const VkResult found = vkEnumeratePhysicalDevices(made.instance, &count, &made.physical);
    if (count == 0)
        stop("no device", found);
    vkGetPhysicalDeviceProperties(made.physical, &properties);
    printf("%s\n", properties.deviceName);
    create_device();
    VK_CALL(vkrCreateRecorder(made.context, &(VkrRecorderInfo){0}, &made.recorder));
}

static void close_device(void)
{
    vkrDestroyRecorder(made.recorder);
    vkrDestroyContext(made.context);
    vkDestroyDevice(made.device, NULL);
    vkDestroyInstance(made.instance, NULL);
}

/* ---- Operations ---- */

/* The handle of a buffer that is never accessed. */
static VkBuffer buffer(uint64_t number)
{
    return (VkBuffer)(uintptr_t)(number << 12);
}

static VkrView view(uint64_t number, VkrType type, uint32_t components)
{
    return (VkrView){
        .buffer = buffer(number), .size = ROOM * 4, .type = type, .components = components};
}

static void reduce(VkrOpFlags ops, VkrType type, uint32_t components, VkrDeterminism determinism,
                   VkrSegments segments)
{
    (void)vkrCmdReduce(made.recorder, &(VkrReduceInfo){.ops = ops,
                                                       .input = view(1, type, components),
                                                       .count = COUNT,
                                                       .output = {buffer(2), 0, ROOM},
                                                       .segments = segments,
                                                       .determinism = determinism});
}

static void scan(VkrOp op, VkrType type, uint32_t flags, VkrDeterminism determinism,
                 VkrSegments segments)
{
    (void)vkrCmdScan(made.recorder, &(VkrScanInfo){.op = op,
                                                   .flags = flags,
                                                   .input = view(1, type, 1),
                                                   .count = COUNT,
                                                   .output = {.buffer = buffer(2), .size = ROOM},
                                                   .segments = segments,
                                                   .determinism = determinism});
}

/* The outputs of a compaction of f32, besides its count. */
enum { KEPT = 1, INDICES = 2, REJECTED = 4, PAYLOAD = 8 };

static void compact(VkrPredicateKind kind, uint32_t outputs)
{
    const VkrCountOutput count = {.buffer = buffer(7)};
    const VkrPayload payload = {
        .size = 16, .source = {buffer(5), 0, ROOM}, .target = {buffer(6), 0, ROOM}};
    VkrCompactInfo info = {
        .input = view(1, VKR_TYPE_F32, 1),
        .count = COUNT,
        .predicate = {.kind = kind},
        .payloadCount = outputs & PAYLOAD ? 1 : 0,
        .payloads = &payload,
        .countOutputCount = 1,
        .countOutputs = &count,
    };
    if (kind == VKR_PREDICATE_COMPARE) {
        info.predicate.compare = VKR_COMPARE_GREATER;
        info.predicate.a.f = 0.5;
    }
    if (outputs & KEPT)
        info.kept = view(2, VKR_TYPE_F32, 1);
    if (outputs & INDICES)
        info.keptIndices = view(3, VKR_TYPE_U32, 1);
    if (outputs & REJECTED)
        info.rejected = view(4, VKR_TYPE_F32, 1);
    (void)vkrCmdCompact(made.recorder, &info);
}

static void histogram(VkrType type, VkrBinKind kind, uint32_t bins)
{
    VkrHistogramInfo info = {.input = view(1, type, 1),
                             .count = COUNT,
                             .bins = {.kind = kind, .count = bins},
                             .counts = {buffer(2), 0, ROOM}};
    info.bins.low.value = 1;
    info.bins.high.value = 2;
    (void)vkrCmdHistogram(made.recorder, &info);
}

#define ALL ((VkrSegments){.kind = VKR_SEGMENTS_NONE})
#define EACH(KIND, n) ((VkrSegments){.kind = VKR_SEGMENTS_##KIND, .length = (n)})
#define OFFSETS                                                                                    \
    ((VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {buffer(3), 0, 4 * (COUNT / 16 + 1)}})
#define FLAGS(FORMAT)                                                                              \
    ((VkrSegments){.kind = VKR_SEGMENTS_FLAGS, .flags = {VKR_FLAGS_##FORMAT, {buffer(3), 0, ROOM}}})
#define MINMAX (VKR_OP_MIN | VKR_OP_MAX)
#define FUSED (MINMAX | VKR_OP_SUM | VKR_OP_ARGMIN)
#define RUN VKR_DETERMINISM_RUN
#define DEVICE VKR_DETERMINISM_DEVICE

#define CASES(X)                                                                                   \
    X(reduce_f32_sum, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, RUN, ALL))                               \
    X(reduce_f32_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, DEVICE, ALL))                     \
    X(reduce_f32x3_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F32, 3, DEVICE, ALL))                   \
    X(reduce_f16_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F16, 1, DEVICE, ALL))                     \
    X(reduce_f64_sum_device, reduce(VKR_OP_SUM, VKR_TYPE_F64, 1, DEVICE, ALL))                     \
    X(reduce_f32_minmax, reduce(MINMAX, VKR_TYPE_F32, 1, RUN, ALL))                                \
    X(reduce_f32_argmin, reduce(VKR_OP_ARGMIN, VKR_TYPE_F32, 1, RUN, ALL))                         \
    X(reduce_f32_fused, reduce(FUSED, VKR_TYPE_F32, 1, RUN, ALL))                                  \
    X(reduce_f32x3_minmax, reduce(MINMAX, VKR_TYPE_F32, 3, RUN, ALL))                              \
    X(reduce_i32_sum, reduce(VKR_OP_SUM, VKR_TYPE_I32, 1, RUN, ALL))                               \
    X(reduce_u8_minmax, reduce(MINMAX, VKR_TYPE_U8, 1, RUN, ALL))                                  \
    X(reduce_u8x4_minmax, reduce(MINMAX, VKR_TYPE_U8, 4, RUN, ALL))                                \
    X(reduce_f16_sum, reduce(VKR_OP_SUM, VKR_TYPE_F16, 1, RUN, ALL))                               \
    X(reduce_bf16_sum, reduce(VKR_OP_SUM, VKR_TYPE_BF16, 1, RUN, ALL))                             \
    X(reduce_bf16_minmax, reduce(MINMAX, VKR_TYPE_BF16, 1, RUN, ALL))                              \
    X(reduce_f64_sum, reduce(VKR_OP_SUM, VKR_TYPE_F64, 1, RUN, ALL))                               \
    X(rows_8, reduce(MINMAX, VKR_TYPE_F32, 1, RUN, EACH(ROWS, 8)))                                 \
    X(rows_8_sum, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, RUN, EACH(ROWS, 8)))                         \
    X(rows_64_sum, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, RUN, EACH(ROWS, 64)))                       \
    X(rows_64, reduce(MINMAX, VKR_TYPE_F32, 1, RUN, EACH(ROWS, 64)))                               \
    X(rows_4096, reduce(MINMAX, VKR_TYPE_F32, 1, RUN, EACH(ROWS, 4096)))                           \
    X(columns_1024, reduce(VKR_OP_SUM, VKR_TYPE_F32, 1, RUN, EACH(COLUMNS, 1024)))                 \
    X(columns_u8x4, reduce(MINMAX, VKR_TYPE_U8, 4, RUN, EACH(COLUMNS, 1024)))                      \
    X(columns_f32x4, reduce(VKR_OP_SUM, VKR_TYPE_F32, 4, RUN, EACH(COLUMNS, 1024)))                \
    X(rows_65536_f32x4, reduce(VKR_OP_SUM, VKR_TYPE_F32, 4, RUN, EACH(ROWS, 65536)))               \
    X(offsets_f32x3, reduce(MINMAX, VKR_TYPE_F32, 3, RUN, OFFSETS))                                \
    X(windows_1024, reduce(VKR_OP_MIN, VKR_TYPE_F32, 1, RUN, EACH(WINDOWS, 1024)))                 \
    X(offsets, reduce(MINMAX, VKR_TYPE_F32, 1, RUN, OFFSETS))                                      \
    X(scan_u32_sum, scan(VKR_OP_SUM, VKR_TYPE_U32, 0, RUN, ALL))                                   \
    X(scan_f32_sum, scan(VKR_OP_SUM, VKR_TYPE_F32, 0, RUN, ALL))                                   \
    X(scan_f32_sum_device, scan(VKR_OP_SUM, VKR_TYPE_F32, 0, DEVICE, ALL))                         \
    X(scan_u8_exclusive, scan(VKR_OP_SUM, VKR_TYPE_U8, VKR_SCAN_EXCLUSIVE_BIT, RUN, ALL))          \
    X(scan_u32_flags, scan(VKR_OP_SUM, VKR_TYPE_U32, 0, RUN, FLAGS(U32)))                          \
    X(scan_u32_bytes, scan(VKR_OP_SUM, VKR_TYPE_U32, 0, RUN, FLAGS(U8)))                           \
    X(scan_u8_flags, scan(VKR_OP_SUM, VKR_TYPE_U8, 0, RUN, FLAGS(U8)))                             \
    X(scan_f32_flags, scan(VKR_OP_SUM, VKR_TYPE_F32, 0, RUN, FLAGS(BITS)))                         \
    X(scan_i32_max_flags, scan(VKR_OP_MAX, VKR_TYPE_I32, 0, RUN, FLAGS(BITS)))                     \
    X(scan_u32_rows, scan(VKR_OP_SUM, VKR_TYPE_U32, 0, RUN, EACH(ROWS, 100)))                      \
    X(compact, compact(VKR_PREDICATE_COMPARE, KEPT))                                               \
    X(compact_indices, compact(VKR_PREDICATE_COMPARE, KEPT | INDICES))                             \
    X(partition, compact(VKR_PREDICATE_COMPARE, KEPT | REJECTED))                                  \
    X(unique, compact(VKR_PREDICATE_UNIQUE, KEPT))                                                 \
    X(compact_payload, compact(VKR_PREDICATE_COMPARE, PAYLOAD))                                    \
    X(histogram_f32, histogram(VKR_TYPE_F32, VKR_BINS_EVEN, 256))                                  \
    X(histogram_f32_log2, histogram(VKR_TYPE_F32, VKR_BINS_LOG2, 256))                             \
    X(histogram_f16, histogram(VKR_TYPE_F16, VKR_BINS_EVEN, 256))                                  \
    X(histogram_bf16, histogram(VKR_TYPE_BF16, VKR_BINS_EVEN, 256))

#define DEFINE(name, call)                                                                         \
    static void make_##name(void)                                                                  \
    {                                                                                              \
        call;                                                                                      \
    }
CASES(DEFINE)
#define ROW(name, call) {#name, make_##name},
static const struct {
    const char *name;
    void (*make)(void);
} cases[] = {CASES(ROW)};

/* Compiles the pipelines of the operation's steps. Those that an earlier case has compiled are not
 * printed again. */
static void compile_steps(void)
{
    vkr_step *steps = made.recorder->steps;
    if (made.recorder->now.steps == 0)
        stop(made.name, 2);
    for (uint32_t i = 0; i < made.recorder->now.steps; i++) {
        made.step = i;
        made.kernel = steps[i].variant.kernel;
        VK_CALL(vkr_get_pipeline(made.context, &steps[i], true));
    }
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    made.folder = argv[1];
    open_device();
    for (size_t i = 0; i < VKR_ARRAY_SIZE(cases); i++) {
        made.name = cases[i].name;
        VK_CALL(vkrBegin(made.recorder));
        cases[i].make();
        compile_steps();
    }
    close_device();
    return 0;
}
