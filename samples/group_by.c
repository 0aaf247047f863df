/* SPDX-License-Identifier: MIT */
/*
 * Groups in one recording: sales are sorted by their shop, and then reduced by it. The GPU finds
 * out which shops there are, and how many. The results are compared with what plain C computes.
 */
#include <string.h>
#include "app.h"

const char app_name[] = "group_by";

enum { SALES = 10000, SHOPS = 300 };

typedef enum array { SHOP, PRICE, SORTED_SHOP, SORTED_PRICE, GROUP, TOTAL, NUMBER, ARRAYS } array;

/* The number of values, of 4 bytes, in each array. There may be as many groups as sales. */
static const uint32_t lengths[ARRAYS] = {SALES, SALES, SALES, SALES, SALES, SALES, 1};

typedef struct table {
    buffer arrays[ARRAYS];
} table;

static VkrBufferRange range_of(const table *t, array a)
{
    return (VkrBufferRange){t->arrays[a].handle, 0, lengths[a] * sizeof(uint32_t)};
}

static VkrView view_of(const table *t, array a, VkrType type)
{
    return (VkrView){
        .buffer = t->arrays[a].handle, .size = lengths[a] * sizeof(uint32_t), .type = type};
}

/* Records the sum of the prices of each shop, in the order of the shops. */
static void record_groups(VkCommandBuffer cmd, VkrRecorder recorder, const table *t)
{
    const VkrPayload prices = {
        .size = sizeof(float), .source = range_of(t, PRICE), .target = range_of(t, SORTED_PRICE)};
    const VkrSortInfo sort = {.label = "shops",
                              .keys = view_of(t, SHOP, VKR_TYPE_U32),
                              .count = VKR_COUNT_ALL,
                              .sorted = view_of(t, SORTED_SHOP, VKR_TYPE_U32),
                              .payloadCount = 1,
                              .payloads = &prices};
    const VkrCountOutput number = {.kind = VKR_COUNT_KEPT, .buffer = t->arrays[NUMBER].handle};
    const VkrReduceInfo reduce = {
        .label = "totals",
        .ops = VKR_OP_SUM,
        .input = view_of(t, SORTED_PRICE, VKR_TYPE_F32),
        .count = VKR_COUNT_ALL,
        .segments = {.kind = VKR_SEGMENTS_KEYS,
                     .keys = view_of(t, SORTED_SHOP, VKR_TYPE_U32),
                     .runs = {.uniqueKeys = view_of(t, GROUP, VKR_TYPE_U32),
                              .countOutputCount = 1,
                              .countOutputs = &number}},
        .output = range_of(t, TOTAL)};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdSort(recorder, &sort));
    check_vkr(vkrCmdReduce(recorder, &reduce)); /* reads what the sort writes */
    check_vkr(vkrEnd(recorder, &end));
}

/* The shops that have sales, and their totals, which are whole numbers and thus exact. */
static uint32_t find_groups(const table *t, uint32_t *groups, float *totals)
{
    const uint32_t *shops = t->arrays[SHOP].map;
    const float *prices = t->arrays[PRICE].map;
    float sums[SHOPS] = {0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < SALES; i++)
        sums[shops[i]] += prices[i];
    for (uint32_t shop = 0; shop < SHOPS; shop++)
        if (sums[shop] > 0) {
            groups[found] = shop;
            totals[found++] = sums[shop];
        }
    return found;
}

static void compare(const table *t)
{
    uint32_t groups[SHOPS];
    float totals[SHOPS];
    const uint32_t found = find_groups(t, groups, totals);
    const float *sums = t->arrays[TOTAL].map;
    if (*(const uint32_t *)t->arrays[NUMBER].map != found ||
        memcmp(t->arrays[GROUP].map, groups, found * sizeof groups[0]) != 0 ||
        memcmp(sums, totals, found * sizeof totals[0]) != 0)
        DIE(DIFFERENT, "the groups are wrong\n");
    printf("group by: %d sales of %u shops, the first of which sold for %g\n", SALES, found,
           (double)sums[0]);
}

int main(void)
{
    gpu g = {0};
    table t;
    VkCommandBuffer cmd;
    VkrRecorder recorder;
    open_gpu(&g, NULL);
    VkCommandPool pool = create_commands(&g, 1, &cmd);
    for (array a = SHOP; a < ARRAYS; a++)
        t.arrays[a] = create_buffer(&g, lengths[a] * sizeof(uint32_t),
                                    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    for (uint32_t i = 0; i < SALES; i++) {
        ((uint32_t *)t.arrays[SHOP].map)[i] = i * i % 997 % SHOPS;
        ((float *)t.arrays[PRICE].map)[i] = (float)(1 + i % 100);
    }
    check_vkr(vkrCreateRecorder(g.context, &(VkrRecorderInfo){0}, &recorder));
    begin_commands(cmd);
    record_groups(cmd, recorder, &t);
    submit_commands(&g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g.queue));
    compare(&t);
    vkrDestroyRecorder(recorder);
    for (array a = SHOP; a < ARRAYS; a++)
        destroy_buffer(&g, &t.arrays[a]);
    vkDestroyCommandPool(g.device, pool, NULL);
    close_gpu(&g);
    return 0;
}
