/* SPDX-License-Identifier: MIT */
/*
 * Recordings of four tasks that combine operations with functions of the application: a sparse
 * matrix times a vector, a random permutation, an order by two keys, and labels of runs. The
 * results are compared with what plain C computes.
 */
#include <string.h>
#include "app.h"

const char app_name[] = "recipes";

enum { ROWS = 5000, ENTRIES = 60000, COUNT = 50000 };
enum { ENTRY, COLUMN, VECTOR, DAY, ORDER, LEVEL, FUNCTION_BUFFERS };

static const VkDeviceSize sizes[FUNCTION_BUFFERS] = {
    [ENTRY] = ENTRIES * 4, [COLUMN] = ENTRIES * 4, [VECTOR] = ROWS * 4,
    [DAY] = COUNT * 4,     [ORDER] = COUNT * 4,    [LEVEL] = COUNT * 4};

static const uint32_t code[] =
#include "recipes.comp.inc"
    ;

typedef struct data {
    buffer read[FUNCTION_BUFFERS]; /* by functions */
    buffer starts, result;         /* of the matrix: where rows start; and the vector */
    buffer permutation;
    buffer prices, sorted;
    buffer labels, number;
    descriptor_set set;
    VkrModule module;
} data;

static VkrView words(const buffer *b)
{
    return (VkrView){.buffer = b->handle, .size = COUNT * sizeof(uint32_t), .type = VKR_TYPE_U32};
}

static void end_recording(VkrRecorder recorder, VkCommandBuffer cmd)
{
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrEnd(recorder, &end));
}

/* ---- Recordings ---- */

/* Records a product for each row: those of its entries, added up. */
static void record_product(VkCommandBuffer cmd, VkrRecorder recorder, const void *of)
{
    const data *d = of;
    const VkrHook product = {.module = d->module, .name = "product", .set = d->set.handle};
    const VkrMap map = {.hook = &product};
    const VkrReduceInfo reduce = {
        .label = "sparse product",
        .ops = VKR_OP_SUM,
        .input = {.map = &map},
        .count = ENTRIES,
        .segments = {.kind = VKR_SEGMENTS_OFFSETS,
                     .offsets = {d->starts.handle, 0, (ROWS + 1) * sizeof(uint32_t)}},
        .output = {d->result.handle, 0, ROWS * sizeof(float)}};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, &reduce));
    end_recording(recorder, cmd);
}

/* Records the indices 0 to COUNT - 1 in a random order. */
static void record_permutation(VkCommandBuffer cmd, VkrRecorder recorder, const void *of)
{
    const data *d = of;
    const VkrHook shuffled = {.module = d->module, .name = "shuffled", .set = d->set.handle};
    const VkrMap map = {.hook = &shuffled};
    const VkrSortInfo sort = {.label = "permutation",
                              .keys = {.map = &map},
                              .count = COUNT,
                              .indices = words(&d->permutation)};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdSort(recorder, &sort));
    end_recording(recorder, cmd);
}

/* Records the order of sales by day, and of those of a day by price. */
static void record_order(VkCommandBuffer cmd, VkrRecorder recorder, const void *of)
{
    const data *d = of;
    const VkrUse order = {.buffer = d->read[ORDER].handle, .size = COUNT * sizeof(uint32_t)};
    const VkrHook day_of = {
        .module = d->module, .name = "day_of", .set = d->set.handle, .useCount = 1, .uses = &order};
    const VkrMap days = {.hook = &day_of};
    const VkrSortInfo by_price = {.label = "by price",
                                  .keys = words(&d->prices),
                                  .count = COUNT,
                                  .indices = words(&d->read[ORDER])};
    const VkrPayload moved = {.size = sizeof(uint32_t),
                              .source = {d->read[ORDER].handle, 0, COUNT * sizeof(uint32_t)},
                              .target = {d->sorted.handle, 0, COUNT * sizeof(uint32_t)}};
    const VkrSortInfo by_day = {.label = "by day",
                                .keys = {.map = &days},
                                .count = COUNT,
                                .payloadCount = 1,
                                .payloads = &moved};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdSort(recorder, &by_price));
    check_vkr(vkrCmdSort(recorder, &by_day)); /* stable, so a day's sales stay in their order */
    end_recording(recorder, cmd);
}

/* Records a label for each element: the number of the last loud run that has started. */
static void record_labels(VkCommandBuffer cmd, VkrRecorder recorder, const void *of)
{
    const data *d = of;
    const VkrHook starts = {.module = d->module, .name = "starts", .set = d->set.handle};
    const VkrMap map = {.hook = &starts};
    const VkrScanInfo scan = {.label = "labels",
                              .op = VKR_OP_SUM,
                              .input = {.map = &map},
                              .count = COUNT,
                              .output = words(&d->labels),
                              .total = {d->number.handle, 0, sizeof(uint32_t)}};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdScan(recorder, &scan));
    end_recording(recorder, cmd);
}

/* ---- Data ---- */

static uint32_t random_word(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Rows of 0 to 24 entries. Products are whole numbers, so that no sum is rounded. */
static void fill_matrix(const data *d, uint32_t *state)
{
    uint32_t *starts = d->starts.map, *columns = d->read[COLUMN].map;
    float *entries = d->read[ENTRY].map, *vector = d->read[VECTOR].map;
    uint32_t filled = 0;
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t length = random_word(state) % 25, left = ENTRIES - filled;
        starts[row] = filled;
        filled += length < left ? length : left;
        vector[row] = (float)(random_word(state) % 100);
    }
    starts[ROWS] = filled;
    for (uint32_t i = 0; i < ENTRIES; i++) {
        entries[i] = (float)(random_word(state) % 100) - 50;
        columns[i] = random_word(state) % ROWS;
    }
}

static void fill(const data *d)
{
    uint32_t state = 1;
    uint32_t *days = d->read[DAY].map, *prices = d->prices.map;
    float *levels = d->read[LEVEL].map;
    fill_matrix(d, &state);
    for (uint32_t i = 0; i < COUNT; i++) {
        days[i] = random_word(&state) % 365;
        prices[i] = random_word(&state) % 100;
        levels[i] = random_word(&state) % 8 != 0 && i > 0 ? levels[i - 1]
                                                          : (float)(random_word(&state) % 2);
    }
}

static data create_data(const gpu *g)
{
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const VkDeviceSize all = COUNT * sizeof(uint32_t);
    descriptor rows[FUNCTION_BUFFERS];
    data d = {.starts = create_buffer(g, (ROWS + 1) * sizeof(uint32_t), storage, ON_HOST),
              .result = create_buffer(g, ROWS * sizeof(float), storage, ON_HOST),
              .permutation = create_buffer(g, all, storage, ON_HOST),
              .prices = create_buffer(g, all, storage, ON_HOST),
              .sorted = create_buffer(g, all, storage, ON_HOST),
              .labels = create_buffer(g, all, storage, ON_HOST),
              .number = create_buffer(g, sizeof(uint32_t), storage, ON_HOST)};
    for (uint32_t i = 0; i < FUNCTION_BUFFERS; i++) {
        d.read[i] = create_buffer(g, sizes[i], storage, ON_HOST);
        rows[i] = (descriptor){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_SHADER_STAGE_COMPUTE_BIT,
                               &d.read[i], NULL, VK_IMAGE_LAYOUT_UNDEFINED};
    }
    d.set = create_descriptors(g, rows, FUNCTION_BUFFERS);
    const VkrModuleInfo module = {
        .label = "recipes", .code = code, .codeSize = sizeof code, .setLayout = d.set.layout};
    check_vkr(vkrCreateModule(g->context, &module, &d.module));
    fill(&d);
    return d;
}

static void destroy_data(const gpu *g, const data *d)
{
    const buffer *all[] = {&d->starts, &d->result, &d->permutation, &d->prices,
                           &d->sorted, &d->labels, &d->number};
    vkrDestroyModule(d->module);
    destroy_descriptors(g, &d->set);
    for (uint32_t i = 0; i < FUNCTION_BUFFERS; i++)
        destroy_buffer(g, &d->read[i]);
    for (uint32_t i = 0; i < sizeof all / sizeof all[0]; i++)
        destroy_buffer(g, all[i]);
}

/* ---- Checks ---- */

static void check_product(const data *d)
{
    const uint32_t *starts = d->starts.map, *columns = d->read[COLUMN].map;
    const float *entries = d->read[ENTRY].map, *vector = d->read[VECTOR].map;
    const float *result = d->result.map;
    float first = 0;
    for (uint32_t row = ROWS; row-- > 0;) {
        float sum = 0;
        for (uint32_t i = starts[row]; i < starts[row + 1]; i++)
            sum += entries[i] * vector[columns[i]];
        if (result[row] != sum)
            DIE(DIFFERENT, "row %u of the product is %g, not %g\n", row, (double)result[row],
                (double)sum);
        first = sum;
    }
    printf("sparse product: %d rows of %u entries, the first of which is %g\n", ROWS, starts[ROWS],
           (double)first);
}

static void check_permutation(const data *d)
{
    static bool seen[COUNT];
    const uint32_t *permutation = d->permutation.map;
    uint32_t fixed = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (permutation[i] >= COUNT || seen[permutation[i]])
            DIE(DIFFERENT, "entry %u of the permutation, %u, is not a new index\n", i,
                permutation[i]);
        seen[permutation[i]] = true;
        fixed += permutation[i] == i;
    }
    printf("permutation: %u of %d indices are in their place\n", fixed, COUNT);
}

/* Whether sale a comes before sale b: by day, by price, and else in their order. */
static bool precedes(const data *d, uint32_t a, uint32_t b)
{
    const uint32_t *days = d->read[DAY].map, *prices = d->prices.map;
    if (days[a] != days[b])
        return days[a] < days[b];
    return prices[a] != prices[b] ? prices[a] < prices[b] : a < b;
}

/* An order in which each sale precedes the next one has each of them once. */
static void check_order(const data *d)
{
    const uint32_t *sorted = d->sorted.map, *days = d->read[DAY].map, *prices = d->prices.map;
    for (uint32_t i = 0; i < COUNT; i++)
        if (sorted[i] >= COUNT || (i > 0 && !precedes(d, sorted[i - 1], sorted[i])))
            DIE(DIFFERENT, "sale %u is not at its place, %u\n", sorted[i], i);
    printf("order: the first sale of day %u is number %u, for %u\n", days[sorted[0]], sorted[0],
           prices[sorted[0]]);
}

static void check_labels(const data *d)
{
    const float *levels = d->read[LEVEL].map;
    const uint32_t *labels = d->labels.map, number = *(const uint32_t *)d->number.map;
    uint32_t runs = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        runs += levels[i] > 0.5f && (i == 0 || levels[i - 1] <= 0.5f);
        if (labels[i] != runs)
            DIE(DIFFERENT, "label %u is %u, not %u\n", i, labels[i], runs);
    }
    if (number != runs)
        DIE(DIFFERENT, "there are %u runs, not %u\n", runs, number);
    printf("labels: %u loud runs\n", runs);
}

int main(void)
{
    gpu g = {0};
    open_gpu(&g, NULL);
    const data d = create_data(&g);
    run_commands(&g, record_product, &d);
    run_commands(&g, record_permutation, &d);
    run_commands(&g, record_order, &d);
    run_commands(&g, record_labels, &d);
    check_product(&d);
    check_permutation(&d);
    check_order(&d);
    check_labels(&d);
    destroy_data(&g, &d);
    close_gpu(&g);
    return 0;
}
