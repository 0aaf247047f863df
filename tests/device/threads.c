/* SPDX-License-Identifier: MIT */
/*
 * Two threads share a context, with one recorder per thread. Each makes 1,000 recordings of one
 * operation of the table that all tests share, submits them to the shared queue and checks them.
 * The threads meet before the first recording, and then run the rows in opposite orders, so that
 * they compile both the same and different ones at the same time.
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
#include "operations.h"

#define THREADS 2
#define RECORDINGS 1000
#define ELEMENTS 5000u
#define SLOT (20u << 10) /* bytes of an output */

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#endif

static harness device;
static VkrContext context;
static VkrModule module;
static const operation_row *rows[64];
static uint32_t row_count;
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;

typedef struct worker {
    pthread_t thread;
    uint32_t index;
    bool opened;
    harness_buffer source, others, target;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
    uint32_t done; /* recordings with correct results */
    char trouble[256];
} worker;

/* ---- Operations ---- */

/* Pipelines are compiled in every context, so most kinds of segments are left out. The thread
 * sanitizer sees no release of the locks of LLVM, which the driver's threads take for each
 * pipeline, and gives up after 64 of them in one thread. Under it each operation has one row, each
 * test every other row, and each test has a device, hence threads, of its own. */
static void find_rows(bool odd)
{
    row_count = 0;
    for (uint32_t i = 0, first = 0; i < operation_row_count; i++) {
        const operation_row *row = &operation_rows[i];
        first += row->first;
#ifdef UNDER_TSAN
        const bool takes = row->first && first % 2 == odd;
#else
        const bool takes = row->first || row->segments == VKR_SEGMENTS_NONE;
        (void)odd, (void)first;
#endif
        if (takes)
            rows[row_count++] = row;
    }
}

static operation_run run_of(const worker *w, uint32_t count)
{
    return (operation_run){.context = context,
                           .recorder = w->recorder,
                           .module = module,
                           .type = VKR_TYPE_U32,
                           .count = count,
                           .slot = SLOT,
                           .source = w->source.buffer,
                           .others = w->others.buffer,
                           .target = w->target.buffer};
}

/* ---- One recording ---- */

static bool record(worker *w, const operation_row *row, const operation_run *run)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkrEndInfo end = {.commandBuffer = w->cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    return vkBeginCommandBuffer(w->cmd, &begin) == VK_SUCCESS &&
           vkrBegin(w->recorder) == VKR_SUCCESS && row->kind->collect(run, row) == VKR_SUCCESS &&
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
    const uint32_t turn = w->index == 0 ? i : row_count * RECORDINGS - i;
    const operation_row *row = rows[turn % row_count];
    const operation_run run = run_of(w, OPERATION_BINS + 8 * (i * 37 % (ELEMENTS / 8 - 8)));
    const operation_data data = {w->source.data, w->others.data, w->target.data};
    operation_fill(&run, w->index + i, w->source.data, w->others.data);
    memset(w->target.data, 0xa5, w->target.size);
    if (!record(w, row, &run) || !submit(w)) {
        snprintf(w->trouble, sizeof(w->trouble), "recording %" PRIu32 " failed", i);
        return false;
    }
    /* Several recordings use scratch memory before it is reused. */
    if (i % 10 == 9 && vkrReset(w->recorder) != VKR_SUCCESS) {
        snprintf(w->trouble, sizeof(w->trouble), "vkrReset failed");
        return false;
    }
    const char *wrong = row->kind->check(&run, row, &data);
    if (wrong)
        snprintf(w->trouble, sizeof(w->trouble), "%s of %" PRIu32 " elements: %s is wrong",
                 row->name, run.count, wrong);
    return !wrong;
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
    return harness_create_buffer(&device, 4 * ELEMENTS, &w->source) &&
           harness_create_buffer(&device, OPERATION_OTHERS, &w->others) &&
           harness_create_buffer(&device, OPERATION_SLOTS * SLOT, &w->target) && open_commands(w) &&
           vkrCreateRecorder(context, &info, &w->recorder) == VKR_SUCCESS;
}

static void close_worker(worker *w)
{
    vkrDestroyRecorder(w->recorder);
    vkDestroyFence(device.device, w->fence, NULL);
    vkDestroyCommandPool(device.device, w->pool, NULL);
    harness_destroy_buffer(&device, &w->source);
    harness_destroy_buffer(&device, &w->others);
    harness_destroy_buffer(&device, &w->target);
}

static void run_threads(VkrFeatureFlags disabled_features)
{
    const VkrLimits limits = {.disabledFeatures = disabled_features, OPERATION_LIMITS};
    const VkrModuleInfo functions = {.code = operation_code, .codeSize = operation_code_size};
    worker workers[THREADS];
    find_rows(disabled_features != 0);
    assert_true(harness_context(&device, &limits, &context));
    assert_int_equal(vkrCreateModule(context, &functions, &module), VKR_SUCCESS);
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
    vkrDestroyModule(module);
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

static void close_device(void)
{
#ifdef UNDER_TSAN
    /* Destroying the instance would unload the driver, and then a suppression could not match its
     * name. */
    device.instance = VK_NULL_HANDLE;
#endif
    harness_close(&device);
}

static int open_again(void **state)
{
    (void)state;
    close_device();
    return harness_open(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads),
                                       cmocka_unit_test_setup(test_threads_with_sets, open_again)};
    const int problem = harness_open(&device);
    if (problem != 0)
        return problem;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    close_device();
    return failures;
}
