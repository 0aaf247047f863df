/* SPDX-License-Identifier: MIT */
/*
 * libvkreduce-mpi: each test runs on all ranks of mpirun, whose shares are cut from a whole that
 * all of them know, and compares with the oracle's results for the whole.
 */
#include "ranks.h"

#include <time.h>

ranks test = {.seed = 1};

/* ---- Shares ---- */

share cut_whole(share_kind kind, uint64_t whole)
{
    const uint64_t n = (uint64_t)test.count, r = (uint64_t)test.rank;
    uint64_t cuts[65] = {0};
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t even =
            (i * whole / n + VKR_SCAN_BLOCK - 1) / VKR_SCAN_BLOCK * VKR_SCAN_BLOCK;
        const uint64_t spread = whole / n / 2;
        const uint64_t moved = spread > 0 ? next_random(&test.seed) % spread : 0;
        cuts[i] = kind == SHARES_RANDOM ? i * whole / n + moved
                  : kind == SHARES_SOME ? (i + 1) / 2 * 2 * whole / (n + 1)
                  : kind == SHARES_ONE  ? (i <= n / 2 ? 0 : whole)
                  : even < whole        ? even
                                        : whole;
    }
    cuts[n] = whole;
    if (kind == SHARES_BLOCKS_REVERSED)
        return (share){whole - cuts[n - r], cuts[n - r] - cuts[n - r - 1]};
    return (share){cuts[r], cuts[r + 1] - cuts[r]};
}

void *make_whole(distribution data, VkrType type, uint32_t components, uint64_t whole)
{
    const size_t element = (size_t)components * vkrTypeSize(type);
    void *bytes = malloc((size_t)(whole + 1) * element);
    if (bytes == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fill_data(&test.seed, data, type, components, bytes, element, whole);
    return bytes;
}

VkrView place_share(const harness_buffer *buffer, const void *whole, share s, VkrType type,
                    uint32_t components, VkDeviceSize stride)
{
    const uint32_t size = vkrTypeSize(type);
    const VkDeviceSize element = (VkDeviceSize)components * size, offset = 3 * size;
    const VkDeviceSize step = stride != 0 ? stride : element;
    for (uint64_t i = 0; i < s.count; i++)
        memcpy((unsigned char *)buffer->data + offset + i * step,
               (const unsigned char *)whole + (s.first + i) * element, element);
    return (VkrView){.buffer = buffer->buffer,
                     .offset = offset,
                     .size = s.count != 0 ? (s.count - 1) * step + element : 0,
                     .type = type,
                     .components = components,
                     .stride = stride,
                     .bufferSize = buffer->size};
}

/* ---- Host memory ---- */

/* Blocks that the application's allocator has given, and those that are still there. */
static uint32_t blocks_given, blocks_live;

static void *VKAPI_PTR give_block(void *data, size_t size, size_t alignment,
                                  VkSystemAllocationScope scope)
{
    (void)scope;
    blocks_given++;
    blocks_live++;
    void *block = NULL;
    if (data != &blocks_live || posix_memalign(&block, alignment < 16 ? 16 : alignment, size) != 0)
        return NULL;
    return block;
}

static void *VKAPI_PTR resize_block(void *data, void *block, size_t size, size_t alignment,
                                    VkSystemAllocationScope scope)
{
    (void)data, (void)block, (void)size, (void)alignment, (void)scope;
    return NULL; /* nothing of libvkreduce-mpi, or of Vulkan below it, asks for this */
}

static void VKAPI_PTR take_block(void *data, void *block)
{
    blocks_live -= data == &blocks_live && block != NULL;
    free(block);
}

/* ---- Ranks ---- */

/* Odd ranks wait by this, which leaves the processors to the others; even ranks leave it to MPI. */
static void doze(void *data, uint64_t tests)
{
    const struct timespec moment = {.tv_nsec = 100000};
    EXPECT(data == &test, "data of a wait");
    if (tests > 100)
        nanosleep(&moment, NULL);
}

static void keep_sentence(void *data, VkrResult result, const char *sentence)
{
    (void)data, (void)result;
    snprintf(test.sentence, sizeof(test.sentence), "%s", sentence);
}

static bool open_rank(void)
{
    if (harness_open(&test.h) != 0 || !harness_context(&test.h, NULL, &test.context) ||
        !harness_create_buffer(&test.h, 4u << 20, &test.input) ||
        !harness_create_buffer(&test.h, 4u << 20, &test.input2) ||
        !harness_create_buffer(&test.h, 4u << 20, &test.output))
        return false;
    const VkAllocationCallbacks callbacks = {.pUserData = &blocks_live,
                                             .pfnAllocation = give_block,
                                             .pfnReallocation = resize_block,
                                             .pfnFree = take_block};
    const VkrMpiInfo info = {.communicator = MPI_COMM_WORLD,
                             .context = test.context,
                             .instance = test.h.instance,
                             .physicalDevice = test.h.physical_device,
                             .device = test.h.device,
                             .queueFamily = test.h.family,
                             .queue = test.h.queue,
                             .getInstanceProcAddr = test.h.loader,
                             .message = keep_sentence,
                             .allocator = &callbacks,
                             .wait = test.rank % 2 != 0 ? doze : NULL,
                             .waitData = &test};
    VkrMpiInfo wrong = info;
    if (test.rank == test.count - 1)
        wrong.queue = NULL;
    EXPECT(vkrCreateMpi(&wrong, &test.mpi) == VKR_ERROR_INVALID_ARGUMENT && test.mpi == NULL,
           "a rank without a queue");
    EXPECT(blocks_live == 0, "blocks of a failed call are freed");
    return vkrCreateMpi(&info, &test.mpi) == VKR_SUCCESS;
}

static void close_rank(void)
{
    /* The handle, a buffer and its memory, a command pool, a fence: drivers need one each. */
    EXPECT(blocks_given >= 5 && blocks_live >= 1, "blocks come from the allocator");
    vkrDestroyMpi(test.mpi);
    EXPECT(blocks_live == 0, "all blocks are freed");
    harness_destroy_buffer(&test.h, &test.input);
    harness_destroy_buffer(&test.h, &test.input2);
    harness_destroy_buffer(&test.h, &test.output);
    vkrDestroyContext(test.context);
    harness_close(&test.h);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } tests[] = {{"reductions", test_reductions},
                 {"scans", test_scans},
                 {"counts", test_counts},
                 {"errors", test_errors}};
    int provided, failed = 0, all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &test.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &test.count);
    if (test.rank != 0 && freopen("/dev/null", "w", stdout) == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (test.count > 64 || !open_rank())
        MPI_Abort(MPI_COMM_WORLD, 1);
    printf("1..%zu\n", ARRAY_SIZE(tests));
    for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
        tests[i].run();
        MPI_Allreduce(&test.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        printf("%s %zu - %s, %d ranks\n", all != 0 ? "not ok" : "ok", i + 1, tests[i].name,
               test.count);
        fflush(stdout);
        failed |= all != 0;
        test.failures = 0;
    }
    close_rank();
    failed |= test.failures != 0;
    MPI_Finalize();
    return failed;
}
