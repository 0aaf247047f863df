/* SPDX-License-Identifier: MIT */
/*
 * Two threads share a context, with one recorder per thread. Each makes 1,000 recordings of one
 * operation, submits them to the shared queue and checks them. The threads meet before the first
 * recording, and then run the variants in opposite orders, so that they compile both the same and
 * different ones at the same time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

#define THREADS 2
#define RECORDINGS 1000
#define ELEMENTS 5000u
#define RESULT_SIZE 256u
#define LIMIT (1u << 31) /* compactions keep the values below it */

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#endif

static const struct variant {
    VkrOperation operation;
    VkrOpFlags ops;
    uint32_t algorithm; /* the operation's */
} variants[] = {
    {VKR_OPERATION_REDUCE, VKR_OP_MAX, VKR_REDUCE_SINGLE},
    {VKR_OPERATION_SCAN, VKR_OP_SUM, VKR_SCAN_REDUCE_THEN_SCAN},
    {VKR_OPERATION_REDUCE, VKR_OP_SUM, VKR_REDUCE_SUBGROUP},
    {VKR_OPERATION_COMPACT, 0, VKR_COMPACT_SCAN_SCATTER},
    {VKR_OPERATION_REDUCE, VKR_OP_MIN | VKR_OP_MAX, VKR_REDUCE_TREE},
    {VKR_OPERATION_SCAN, VKR_OP_MAX, VKR_SCAN_SINGLE_PASS},
    {VKR_OPERATION_REDUCE, VKR_OP_XOR | VKR_OP_SUM, VKR_REDUCE_RECURSIVE},
    {VKR_OPERATION_COMPACT, 0, VKR_COMPACT_SINGLE_PASS},
    {VKR_OPERATION_REDUCE, VKR_OP_OR, VKR_REDUCE_SUBGROUP},
    {VKR_OPERATION_REDUCE, VKR_OP_AND | VKR_OP_MIN, VKR_REDUCE_SINGLE},
};
#define VARIANTS (sizeof(variants) / sizeof(variants[0]))

static harness device;
static VkrContext context;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;

typedef struct worker {
    pthread_t thread;
    uint32_t index;
    bool opened;
    harness_buffer input;
    harness_buffer output;
    harness_buffer counts;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
    uint32_t done; /* recordings with correct results */
    char trouble[256];
} worker;

/* ---- Expected values ---- */

static uint32_t identity(VkrOp op)
{
    return op == VKR_OP_MIN || op == VKR_OP_AND ? UINT32_MAX : 0;
}

static uint32_t combine(VkrOp op, uint32_t a, uint32_t b)
{
    switch (op) {
    case VKR_OP_MIN:
        return a < b ? a : b;
    case VKR_OP_MAX:
        return a > b ? a : b;
    case VKR_OP_SUM:
        return a + b;
    case VKR_OP_AND:
        return a & b;
    case VKR_OP_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static uint32_t expected(VkrOp op, const uint32_t *values, uint32_t count)
{
    uint32_t result = identity(op);
    for (uint32_t i = 0; i < count; i++)
        result = combine(op, result, values[i]);
    return result;
}

/* Compares a value, and prints it if it is wrong. */
static bool check_value(worker *w, const char *what, uint32_t count, uint32_t actual,
                        uint32_t right)
{
    if (actual != right)
        snprintf(w->trouble, sizeof(w->trouble),
                 "%s of %" PRIu32 " elements is %" PRIu32 ", not %" PRIu32, what, count, actual,
                 right);
    return actual == right;
}

/* ---- The operations: recording, and checks of their results ---- */

static VkrView view_of(const harness_buffer *buffer)
{
    return (VkrView){.buffer = buffer->buffer, .size = buffer->size, .type = VKR_TYPE_U32};
}

static VkrReduceInfo describe_reduce(const worker *w, const struct variant *variant, uint32_t count)
{
    return (VkrReduceInfo){.ops = variant->ops,
                           .input = view_of(&w->input),
                           .count = count,
                           .output = {w->output.buffer, 0, RESULT_SIZE},
                           .algorithm = (VkrReduceAlgorithm)variant->algorithm,
                           .workgroupSize = 64};
}

static VkrResult collect_reduce(worker *w, const struct variant *variant, uint32_t count)
{
    const VkrReduceInfo info = describe_reduce(w, variant, count);
    return vkrCmdReduce(w->recorder, &info);
}

static bool check_reduce(worker *w, const struct variant *variant, uint32_t count)
{
    const VkrReduceInfo info = describe_reduce(w, variant, count);
    VkrReduceLayout layout;
    if (vkrGetReduceLayout(context, &info, &layout) != VKR_SUCCESS)
        return false;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrOp op = (VkrOp)(1u << bit);
        if (!(info.ops & (VkrOpFlags)op))
            continue;
        uint32_t actual;
        memcpy(&actual, (const char *)w->output.data + layout.results[bit].offset, sizeof(actual));
        if (!check_value(w, vkrOpName(op), count, actual, expected(op, w->input.data, count)))
            return false;
    }
    return true;
}

static VkrResult collect_scan(worker *w, const struct variant *variant, uint32_t count)
{
    const VkrScanInfo info = {.op = (VkrOp)variant->ops,
                              .input = view_of(&w->input),
                              .output = view_of(&w->output),
                              .count = count,
                              .algorithm = (VkrScanAlgorithm)variant->algorithm};
    return vkrCmdScan(w->recorder, &info);
}

static bool check_scan(worker *w, const struct variant *variant, uint32_t count)
{
    const uint32_t *values = w->input.data, *prefixes = w->output.data;
    uint32_t right = identity((VkrOp)variant->ops);
    for (uint32_t i = 0; i < count; i++) {
        right = combine((VkrOp)variant->ops, right, values[i]);
        if (!check_value(w, "a prefix", count, prefixes[i], right))
            return false;
    }
    return true;
}

static VkrResult collect_compact(worker *w, const struct variant *variant, uint32_t count)
{
    const VkrCountOutput kept = {VKR_COUNT_KEPT, w->counts.buffer, 0, 1};
    const VkrCompactInfo info = {
        .input = view_of(&w->input),
        .count = count,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a.u = LIMIT},
        .algorithm = (VkrCompactAlgorithm)variant->algorithm,
        .kept = view_of(&w->output),
        .countOutputCount = 1,
        .countOutputs = &kept};
    return vkrCmdCompact(w->recorder, &info);
}

static bool check_compact(worker *w, const struct variant *variant, uint32_t count)
{
    const uint32_t *values = w->input.data, *kept = w->output.data;
    uint32_t found = 0;
    (void)variant;
    for (uint32_t i = 0; i < count; i++)
        if (values[i] < LIMIT && !check_value(w, "a kept one", count, kept[found++], values[i]))
            return false;
    return check_value(w, "the count", count, *(const uint32_t *)w->counts.data, found);
}

static const struct {
    VkrResult (*collect)(worker *w, const struct variant *variant, uint32_t count);
    bool (*check)(worker *w, const struct variant *variant, uint32_t count);
} kinds[VKR_OPERATION_COUNT] = {
    [VKR_OPERATION_REDUCE] = {collect_reduce, check_reduce},
    [VKR_OPERATION_SCAN] = {collect_scan, check_scan},
    [VKR_OPERATION_COMPACT] = {collect_compact, check_compact},
};

/* ---- One recording ---- */

static bool record(worker *w, const struct variant *variant, uint32_t count)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkrEndInfo end = {.commandBuffer = w->cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    return vkBeginCommandBuffer(w->cmd, &begin) == VK_SUCCESS &&
           vkrBegin(w->recorder) == VKR_SUCCESS &&
           kinds[variant->operation].collect(w, variant, count) == VKR_SUCCESS &&
           vkrEnd(w->recorder, &end) == VKR_SUCCESS && vkEndCommandBuffer(w->cmd) == VK_SUCCESS;
}

static bool submit(worker *w)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &w->cmd};
    pthread_mutex_lock(&queue_lock);
    const VkResult result = vkQueueSubmit(device.queue, 1, &info, w->fence);
    pthread_mutex_unlock(&queue_lock);
    return result == VK_SUCCESS &&
           vkWaitForFences(device.device, 1, &w->fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS &&
           vkResetFences(device.device, 1, &w->fence) == VK_SUCCESS;
}

static bool run_one(worker *w, uint32_t i)
{
    const uint32_t turn = w->index == 0 ? i : (uint32_t)VARIANTS * RECORDINGS - i;
    const struct variant *variant = &variants[turn % VARIANTS];
    const uint32_t count = i * 37 % ELEMENTS;
    if (!record(w, variant, count) || !submit(w)) {
        snprintf(w->trouble, sizeof(w->trouble), "recording %" PRIu32 " failed", i);
        return false;
    }
    /* Several recordings use scratch memory before it is reused. */
    if (i % 10 == 9 && vkrReset(w->recorder) != VKR_SUCCESS) {
        snprintf(w->trouble, sizeof(w->trouble), "vkrReset failed");
        return false;
    }
    return kinds[variant->operation].check(w, variant, count);
}

static void *work(void *data)
{
    worker *w = data;
    pthread_barrier_wait(&meeting);
    while (w->opened && w->done < RECORDINGS && run_one(w, w->done))
        w->done++;
    return NULL;
}

/* ---- Workers ---- */

static bool open_commands(worker *w)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device.family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (vkCreateCommandPool(device.device, &pool, NULL, &w->pool) != VK_SUCCESS ||
        vkCreateFence(device.device, &fence, NULL, &w->fence) != VK_SUCCESS)
        return false;
    const VkCommandBufferAllocateInfo cmd = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = w->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    return vkAllocateCommandBuffers(device.device, &cmd, &w->cmd) == VK_SUCCESS;
}

static bool open_worker(worker *w, uint32_t index)
{
    const VkrRecorderInfo info = {0};
    *w = (worker){.index = index};
    if (!harness_create_buffer(&device, 4 * ELEMENTS, &w->input) ||
        !harness_create_buffer(&device, 4 * ELEMENTS, &w->output) ||
        !harness_create_buffer(&device, 4, &w->counts) || !open_commands(w) ||
        vkrCreateRecorder(context, &info, &w->recorder) != VKR_SUCCESS)
        return false;
    uint32_t *values = w->input.data;
    uint32_t random = 12345 + index;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        random = random * 1664525u + 1013904223u;
        values[i] = random;
    }
    return true;
}

static void close_worker(worker *w)
{
    vkrDestroyRecorder(w->recorder);
    vkDestroyFence(device.device, w->fence, NULL);
    vkDestroyCommandPool(device.device, w->pool, NULL);
    harness_destroy_buffer(&device, &w->input);
    harness_destroy_buffer(&device, &w->output);
    harness_destroy_buffer(&device, &w->counts);
}

static void run_threads(VkrFeatureFlags disabled_features)
{
    const VkrLimits limits = {.disabledFeatures = disabled_features};
    worker workers[THREADS];
    assert_true(harness_context(&device, &limits, &context));
    assert_int_equal(pthread_barrier_init(&meeting, NULL, THREADS), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        workers[i].opened = open_worker(&workers[i], i);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        close_worker(&workers[i]);
        print_message("# thread %" PRIu32 ": %" PRIu32 " recordings right %s\n", i, workers[i].done,
                      workers[i].trouble);
    }
    pthread_barrier_destroy(&meeting);
    vkrDestroyContext(context);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_true(workers[i].opened);
        assert_int_equal(workers[i].done, RECORDINGS);
    }
    assert_int_equal(device.validation_messages, 0);
}

static void test_threads(void **state)
{
    (void)state;
    run_threads(0);
}

static void test_threads_with_sets(void **state)
{
    (void)state;
    run_threads(VKR_FEATURE_PUSH_DESCRIPTOR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_threads_with_sets)};
    const int problem = harness_open(&device);
    if (problem != 0)
        return problem;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
#ifdef UNDER_TSAN
    /* Destroying the instance would unload the driver, and then a suppression could not match its
     * name. */
    device.instance = VK_NULL_HANDLE;
#endif
    harness_close(&device);
    return failures;
}
