/* SPDX-License-Identifier: MIT */
/* Hosts that share a device: in threads, with each other's memory, destroyed in either order. */
#include "host_case.h"

#include <pthread.h>

#define COUNT 3000u
#define TURNS 40u

/* ---- Threads ---- */

typedef struct worker {
    pthread_t thread;
    VkrHost host;
    uint32_t seed, done;
} worker;

/* No assertion, which would jump out of the thread. */
static bool run_once(worker *w, uint32_t turn)
{
    uint32_t values[COUNT], sum = 0;
    uint64_t result[8] = {0};
    VkrHostMemory in, out;
    case_fill(values, sizeof values, w->seed + turn);
    for (uint32_t i = 0; i < COUNT; i++)
        sum += values[i];
    const VkrHostArray arrays[] = {{values, sizeof values, VKR_HOST_READ},
                                   {result, sizeof result, VKR_HOST_WRITE}};
    if (vkrHostBegin(w->host) != VKR_SUCCESS ||
        vkrHostAttach(w->host, &arrays[0], &in) != VKR_SUCCESS ||
        vkrHostAttach(w->host, &arrays[1], &out) != VKR_SUCCESS ||
        case_record(w->host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, COUNT) != VKR_SUCCESS ||
        vkrHostRun(w->host) != VKR_SUCCESS)
        return false;
    uint32_t low;
    memcpy(&low, result, sizeof low); /* of a sum modulo 2^32 or wider */
    return low == sum;
}

static void *work(void *data)
{
    worker *w = data;
    while (w->done < TURNS && run_once(w, w->done))
        w->done++;
    vkrDestroyHost(w->host);
    return NULL;
}

/* Each thread destroys its host when it is done, so that either may be the last. */
HOST_TEST(test_shared_threads)
{
    (void)state;
    for (uint32_t turn = 0; turn < 4; turn++) {
        hearing h[2] = {{0}, {0}};
        worker workers[2] = {{.host = case_open(&h[0], 0), .seed = turn}, {.seed = 100 + turn}};
        VkrHostInfo info = case_info(&h[1]);
        info.shared = workers[0].host;
        info.vulkan = NULL;
        info.device = NULL;
        EXPECT_OK(vkrCreateHost(&info, &workers[1].host));
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(workers[i].done, TURNS);
            assert_int_equal(h[i].errors, 0);
        }
    }
}

/* ---- One thread ---- */

/* One host writes memory, the other one reads it; then the first or the second is destroyed, and
 * the other one goes on with that memory. */
HOST_TEST(test_shared_order)
{
    (void)state;
    for (uint32_t order = 0; order < 2; order++) {
        hearing h[2] = {{0}, {0}};
        VkrHost hosts[2] = {case_open(&h[0], 0)};
        VkrHostInfo info = case_info(&h[1]);
        VkrHostMemory memory;
        VkrHostVulkan vulkan[2];
        uint32_t values[COUNT], scanned[COUNT];
        info.shared = hosts[0];
        info.vulkan = NULL;
        info.device = NULL;
        EXPECT_OK(vkrCreateHost(&info, &hosts[1]));
        assert_ptr_equal(vkrHostContext(hosts[0]), vkrHostContext(hosts[1]));
        assert_ptr_not_equal(vkrHostRecorder(hosts[0]), vkrHostRecorder(hosts[1]));
        for (uint32_t i = 0; i < 2; i++)
            vkrGetHostVulkan(hosts[i], &vulkan[i]);
        assert_memory_equal(&vulkan[0], &vulkan[1], sizeof vulkan[0]);
        case_fill(values, sizeof values, order);
        EXPECT_OK(vkrHostAlloc(hosts[0], sizeof values, VKR_HOST_MEMORY_UNMAPPED, &memory));
        EXPECT_OK(vkrHostWrite(hosts[1], &memory, 0, sizeof values, values));
        EXPECT_OK(vkrHostBegin(hosts[0]));
        EXPECT_OK(case_record(hosts[0], CASE_SCAN, VKR_TYPE_U32, &memory, &memory, COUNT));
        EXPECT_OK(vkrHostRun(hosts[0]));
        EXPECT_OK(vkrHostRead(hosts[1], &memory, 0, sizeof scanned, scanned));
        case_check(hosts[1], CASE_SCAN, VKR_TYPE_U32, values, COUNT, scanned);
        vkrDestroyHost(hosts[order]);
        const VkrHost last = hosts[1 - order];
        case_run_all(last, VKR_TYPE_U32, &memory, scanned, COUNT);
        vkrHostFree(last, &memory);
        vkrDestroyHost(last);
        assert_int_equal(h[0].errors + h[1].errors, 0);
    }
}
