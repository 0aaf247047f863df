/* SPDX-License-Identifier: MIT */
/* The levels of random steps must be those that follow from comparing every pair of steps, or from
 * the bytes that steps touch. */
#include "levels.h"

#include "../../../src/core/recorder.h"
#include "../../../src/core/schedule.h"

#define BUFFER(number) ((VkBuffer)(uintptr_t)(number))
#define WRITES                                                                                     \
    (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- Random steps against byte sets ---- */

/* What a step does to two buffers of 32 bytes, with one bit for each byte. */
typedef struct bytes {
    uint64_t read;
    uint64_t written;
} bytes;

static vkr_step random_step_of_bytes(uint64_t *random, bytes *touched)
{
    vkr_step step = {.groups = {1, 1}, .access_count = (uint32_t)(next_random(random) % 4)};
    *touched = (bytes){0};
    for (uint32_t i = 0; i < step.access_count; i++) {
        const uint32_t buffer = next_random(random) % 2;
        const uint32_t offset = next_random(random) % 32;
        const uint32_t size = (uint32_t)(next_random(random) % (33 - offset) % 6);
        const bool writes = next_random(random) % 3 == 0;
        step.accesses[i] =
            (vkr_access){.buffer = BUFFER('A' + buffer),
                         .offset = offset,
                         .size = size,
                         .access = writes ? VK_ACCESS_SHADER_WRITE_BIT : VK_ACCESS_SHADER_READ_BIT};
        const uint64_t mask = ((UINT64_C(1) << size) - 1) << (32 * buffer + offset);
        *(writes ? &touched->written : &touched->read) |= mask;
    }
    return step;
}

static bool must_wait(const bytes *a, const bytes *b)
{
    return (a->written & (b->read | b->written)) || (a->read & b->written);
}

EXTERN_TEST(test_random_bytes)
{
    enum { STEPS = 12 };
    uint64_t random = 1;
    for (int round = 0; round < 5000; round++) {
        vkr_step steps[STEPS];
        bytes touched[STEPS];
        uint32_t expected[STEPS];
        uint32_t levels = 0;
        for (uint32_t i = 0; i < STEPS; i++) {
            steps[i] = random_step_of_bytes(&random, &touched[i]);
            expected[i] = 0;
            for (uint32_t j = 0; j < i; j++)
                if (must_wait(&touched[j], &touched[i]) && expected[j] >= expected[i])
                    expected[i] = expected[j] + 1;
            levels = expected[i] >= levels ? expected[i] + 1 : levels;
        }
        void *memory = test_malloc((size_t)vkr_levels_size(steps, STEPS));
        assert_int_equal(vkr_assign_levels(steps, STEPS, memory).levels, levels);
        test_free(memory);
        for (uint32_t i = 0; i < STEPS; i++)
            assert_int_equal(steps[i].level, expected[i]);
    }
}

static uint32_t random_below(uint64_t *state, uint32_t end)
{
    return (uint32_t)(next_random(state) % end);
}

/* ---- The definition: every pair of steps ---- */

static bool conflict(const vkr_step *a, const vkr_step *b)
{
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t k = 0; k < b->access_count; k++)
            if (((a->accesses[i].access | b->accesses[k].access) & WRITES) &&
                vkr_overlap(&a->accesses[i], &b->accesses[k]))
                return true;
    return false;
}

static uint32_t level_of(const vkr_step *steps, uint32_t i)
{
    uint32_t level = 0;
    for (uint32_t k = 0; k < i; k++)
        if (steps[k].level >= level && conflict(&steps[k], &steps[i]))
            level = steps[k].level + 1;
    return level;
}

static bool waits_for_arguments(const vkr_step *steps, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        for (uint32_t a = 0; a < steps[k].access_count; a++)
            for (uint32_t b = 0; b < steps[i].access_count; b++)
                if ((steps[k].accesses[a].access & WRITES) &&
                    (steps[i].accesses[b].access & VK_ACCESS_INDIRECT_COMMAND_READ_BIT) &&
                    vkr_overlap(&steps[k].accesses[a], &steps[i].accesses[b]))
                    return true;
    return false;
}

static void assert_levels(vkr_step *steps, uint32_t count)
{
    void *memory = test_malloc((size_t)vkr_levels_size(steps, count));
    const vkr_schedule schedule = vkr_assign_levels(steps, count, memory);
    uint32_t levels = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t level = level_of(steps, i);
        assert_int_equal(steps[i].level, level);
        assert_int_equal(steps[i].waits_for_arguments, waits_for_arguments(steps, i));
        levels = level >= levels ? level + 1 : levels;
    }
    assert_int_equal(schedule.levels, levels);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t a = schedule.order[i - 1];
        const uint32_t b = schedule.order[i];
        assert_true(steps[a].level < steps[b].level || (steps[a].level == steps[b].level && a < b));
    }
    test_free(memory);
}

/* ---- Random steps ---- */

static const VkAccessFlags kinds[] = {VK_ACCESS_SHADER_READ_BIT,
                                      VK_ACCESS_SHADER_READ_BIT,
                                      VK_ACCESS_INDIRECT_COMMAND_READ_BIT,
                                      VK_ACCESS_SHADER_WRITE_BIT,
                                      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                                      VK_ACCESS_MEMORY_WRITE_BIT,
                                      VK_ACCESS_TRANSFER_WRITE_BIT};

/* A range of up to about `reach` bytes; rarely it extends to the end of the buffer, or starts far
 * away. */
static vkr_access random_range(uint64_t *random, uint32_t reach)
{
    const VkBuffer buffers[] = {BUFFER('A'), BUFFER('B'), VKR_SCRATCH, VKR_COUNTERS};
    vkr_access access = {.buffer = buffers[random_below(random, 4)],
                         .offset = random_below(random, reach),
                         .size = random_below(random, 1 + reach / (1 + random_below(random, 20)))};
    if (random_below(random, 40) == 0)
        access.size = VK_WHOLE_SIZE;
    if (random_below(random, 40) == 0)
        access.offset += UINT64_C(1) << 40;
    return access;
}

/* An image may have the same handle as a buffer. */
static vkr_access random_subresource(uint64_t *random)
{
    VkImageSubresourceRange range = {.aspectMask = random_below(random, 8),
                                     .baseMipLevel = random_below(random, 6),
                                     .levelCount = random_below(random, 4),
                                     .baseArrayLayer = random_below(random, 6),
                                     .layerCount = random_below(random, 4)};
    if (random_below(random, 8) == 0)
        range.levelCount = VK_REMAINING_MIP_LEVELS;
    if (random_below(random, 8) == 0)
        range.layerCount = VK_REMAINING_ARRAY_LAYERS;
    if (random_below(random, 8) == 0)
        range.baseMipLevel = 31;
    return (vkr_access){.image = (VkImage)(uintptr_t)('A' + random_below(random, 2)),
                        .subresource = range};
}

static vkr_step random_step_of_ranges(uint64_t *random, uint32_t reach, uint32_t writers,
                                      bool images)
{
    vkr_step step = {.access_count = random_below(random, VKR_MAX_ACCESSES + 1)};
    for (uint32_t k = 0; k < step.access_count; k++) {
        const bool image = images && random_below(random, 2) == 0;
        const bool writes = random_below(random, writers) == 0;
        const uint32_t kind = writes ? 3 + random_below(random, 4) : random_below(random, 3);
        step.accesses[k] = image ? random_subresource(random) : random_range(random, reach);
        step.accesses[k].access = kinds[kind];
    }
    return step;
}

EXTERN_TEST(test_random_ranges)
{
    enum { MOST = 300 };
    vkr_step *steps = test_malloc(MOST * sizeof *steps);
    uint64_t random = 12;
    for (uint32_t round = 0; round < 600; round++) {
        const uint32_t count = 1 + random_below(&random, round % 20 == 0 ? MOST : 40);
        const uint32_t reach = 1u << random_below(&random, 20);
        const uint32_t writers = 1 + random_below(&random, 30);
        for (uint32_t i = 0; i < count; i++)
            steps[i] = random_step_of_ranges(&random, reach, writers, round % 3 == 0);
        assert_levels(steps, count);
    }
    test_free(steps);
}
