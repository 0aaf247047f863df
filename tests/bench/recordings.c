/* SPDX-License-Identifier: MIT */
/* The host's time for long recordings: many reductions of two values each, which are independent or
 * read the previous result; and one compaction in many windows. */
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "buffers.h"
#include "measure.h"
#include "output/json.h"
#include "recordings.h"
#include "report.h"
#include "status.h"

static const char *const shape_names[RECORDING_SHAPES] = {
    [RECORDING_INDEPENDENT] = "recording independent",
    [RECORDING_CHAINED] = "recording chained",
    [RECORDING_WINDOWS] = "recording compact windows",
};

static const char *const time_keys[TIMES] = {"collect_ns", "uses_ns", "end_ns", "submit_ns"};

static const struct {
    recording_shape shape;
    uint32_t count;
    bool quick;
} asked[] = {
    {RECORDING_INDEPENDENT, 10, true},      {RECORDING_INDEPENDENT, 1000, true},
    {RECORDING_INDEPENDENT, 100000, false}, {RECORDING_CHAINED, 10, true},
    {RECORDING_CHAINED, 1000, true},        {RECORDING_CHAINED, 100000, false},
    {RECORDING_WINDOWS, 10, true},          {RECORDING_WINDOWS, 100, false},
    {RECORDING_WINDOWS, 512, false},
};

_Static_assert(COUNT_OF(asked) == RECORDING_ROWS, "one row for each");

/* ---- Operations ---- */

static VkrRecorder recorder_of(const recordings *r, const recording *entry)
{
    return r->recorders[entry->shape == RECORDING_WINDOWS];
}

/* The sum of the two words at the start of slot i, written to slot i or, in a chain, to the next
 * one. */
static VkrReduceInfo reduction(const recordings *r, const recording *entry, uint32_t i)
{
    const bool chained = entry->shape == RECORDING_CHAINED;
    return (VkrReduceInfo){
        .ops = VKR_OP_SUM,
        .input = {.buffer = chained ? r->results.buffer : r->source.buffer,
                  .offset = r->slot * i,
                  .size = 8,
                  .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .output = {r->results.buffer, r->slot * (chained ? i + 1 : i), 4},
    };
}

static VkrResult compact(const recordings *r, const recording *entry)
{
    const VkrCompactInfo info = {
        .input = {.buffer = r->source.buffer,
                  .size = (VkDeviceSize)RECORDING_WINDOW * entry->count,
                  .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_COMPARE,
                      .compare = VKR_COMPARE_GREATER_EQUAL,
                      .a = {.u = RECORDING_KEPT_FROM}},
        .kept = {.buffer = r->results.buffer,
                 .size = (VkDeviceSize)RECORDING_WINDOW * entry->count},
    };
    return vkrCmdCompact(recorder_of(r, entry), &info);
}

static VkrResult collect(const recordings *r, const recording *entry)
{
    VkrResult result = VKR_SUCCESS;
    if (entry->shape == RECORDING_WINDOWS)
        return compact(r, entry);
    for (uint32_t i = 0; i < entry->count && result == VKR_SUCCESS; i++) {
        const VkrReduceInfo info = reduction(r, entry, i);
        result = vkrCmdReduce(recorder_of(r, entry), &info);
    }
    return result;
}

/* ---- Measuring ---- */

/* Restores the results to stale words, which are a copy of the source. */
static int restore(const bench *b, const recordings *r)
{
    return buffer_fetch(b->gpu.host, &r->source, &r->results, r->source.size);
}

static int record(const bench *b, const recordings *r, const recording *entry, double *times)
{
    const VkrRecorder recorder = recorder_of(r, entry);
    const VkrEndInfo end = {.commandBuffer = vkrHostCommands(b->gpu.host)};
    uint32_t uses;
    double at[TIMES];
    VkrResult result = vkrReset(recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(recorder);
    at[TIME_COLLECT] = now_ns();
    if (result == VKR_SUCCESS)
        result = collect(r, entry);
    at[TIME_USES] = now_ns();
    if (result == VKR_SUCCESS)
        result = vkrGetUses(recorder, &uses, NULL);
    at[TIME_END] = now_ns();
    if (result == VKR_SUCCESS)
        result = vkrEnd(recorder, &end);
    at[TIME_SUBMIT] = now_ns();
    for (uint32_t i = 0; i < TIME_SUBMIT; i++)
        times[i] = at[i + 1] - at[i];
    return gpu_status(result);
}

static int run_once(const bench *b, const recordings *r, const recording *entry, double *times)
{
    int status = restore(b, r);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status == STATUS_DONE)
        status = record(b, r, entry, times);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostEnd(b->gpu.host));
    if (status != STATUS_DONE)
        return status;
    const double start = now_ns();
    status = gpu_submit(b->gpu.host);
    times[TIME_SUBMIT] = now_ns() - start;
    return status;
}

/* The first run, in which pipelines are compiled and lists grow, is not counted. */
static int run_row(const bench *b, const recordings *r, recording *entry)
{
    double times[TIMES];
    int status = STATUS_DONE;
    for (uint64_t run = 0; run <= b->settings.runs && status == STATUS_DONE; run++) {
        status = run_once(b, r, entry, times);
        for (uint32_t i = 0; i < TIMES && run > 0 && status == STATUS_DONE; i++)
            entry->times[i][run - 1] = times[i];
    }
    for (uint32_t i = 0; i < TIMES && status == STATUS_DONE; i++)
        entry->medians[i] = median(entry->times[i], b->settings.runs);
    return status;
}

/* ---- Verifying ---- */

static int verify(const bench *b, const recordings *r, recording *entry)
{
    const int status = buffer_fetch(b->gpu.host, &r->results, &r->readback, r->source.size);
    if (status == STATUS_DONE)
        recordings_verify(r->readback.data, r, entry);
    return status;
}

/* ---- Resources ---- */

static int create_windowed(const bench *b, recordings *r)
{
    const VkrContextInfo wanted = {.limits = {.maxStorageBufferRange = RECORDING_WINDOW}};
    return gpu_status(vkrCreateHostContext(b->gpu.host, &wanted, &r->windowed));
}

static int create_recorders(const bench *b, recordings *r)
{
    const VkrRecorderInfo info = {.label = "recordings"};
    VkrResult result = vkrCreateRecorder(b->gpu.vulkan.context, &info, &r->recorders[0]);
    if (result == VKR_SUCCESS)
        result = vkrCreateRecorder(r->windowed, &info, &r->recorders[1]);
    return gpu_status(result);
}

/* Finds the minimum distance between the results of two operations. */
static int find_slot(const bench *b, recordings *r)
{
    const VkrReduceInfo info = {
        .ops = VKR_OP_SUM, .input = {.type = VKR_TYPE_U32, .size = 8}, .count = VKR_COUNT_ALL};
    VkrReduceLayout layout;
    const VkrResult result = vkrGetReduceLayout(b->gpu.vulkan.context, &info, &layout);
    r->slot = layout.spacing;
    return gpu_status(result);
}

static VkDeviceSize bytes_of(const recordings *r, const recording *entry)
{
    return entry->shape == RECORDING_WINDOWS ? (VkDeviceSize)RECORDING_WINDOW * entry->count
                                             : r->slot * (entry->count + 1);
}

static int open_buffers(const bench *b, recordings *r)
{
    VkDeviceSize size = 0;
    for (uint32_t i = 0; i < r->row_count; i++)
        size = bytes_of(r, &r->rows[i]) > size ? bytes_of(r, &r->rows[i]) : size;
    r->words = malloc((size_t)size);
    if (r->words == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint64_t i = 0; i < size / 4; i++)
        r->words[i] = (uint32_t)((i + 1) * 0x9e3779b97f4a7c15u >> 32);
    int status = buffer_create_filled(&b->gpu, &r->source, r->words, size);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(b->gpu.host, size, VKR_HOST_MEMORY_DEVICE, &r->results));
    return status == STATUS_DONE
               ? gpu_status(vkrHostAlloc(b->gpu.host, size, VKR_HOST_MEMORY_READBACK, &r->readback))
               : status;
}

static int choose_rows(const bench *b, recordings *r)
{
    for (size_t i = 0; i < COUNT_OF(asked); i++) {
        recording *entry = &r->rows[r->row_count];
        arm named = {.kind = ARM_REDUCE};
        *entry = (recording){.shape = asked[i].shape, .count = asked[i].count};
        snprintf(entry->name, sizeof entry->name, "%s %u", shape_names[entry->shape], entry->count);
        memcpy(named.name, entry->name, sizeof entry->name);
        if ((asked[i].quick || !b->settings.quick) && arm_wanted(&b->settings, &named))
            r->row_count++;
    }
    return r->row_count > 0 ? STATUS_DONE
                            : fail(STATUS_USAGE,
                                   "--recordings: no name contains what the filters "
                                   "ask for; one name is '%s 1000'",
                                   shape_names[RECORDING_CHAINED]);
}

static void close_all(const bench *b, recordings *r)
{
    for (size_t i = 0; i < COUNT_OF(r->recorders); i++)
        vkrDestroyRecorder(r->recorders[i]);
    vkrDestroyContext(r->windowed);
    vkrHostFree(b->gpu.host, &r->readback);
    vkrHostFree(b->gpu.host, &r->results);
    vkrHostFree(b->gpu.host, &r->source);
    free(r->words);
}

/* ---- Reports ---- */

static void report_row(const recording *entry)
{
    printf("%-36s ", entry->name);
    for (uint32_t i = 0; i < TIMES; i++)
        printf(" %12.1f", entry->medians[i] / entry->count);
    printf("  %s\n", entry->verdict == VERDICT_YES ? "yes" : "NO");
    fflush(stdout);
}

static void report_row_json(FILE *file, const bench *b, const recording *entry)
{
    fprintf(file, "{\"arm\":\"%s\",\"n\":%u,", entry->name, entry->count);
    for (uint32_t i = 0; i < TIMES; i++)
        fprintf(file, "\"%s\":%.0f,", time_keys[i], entry->medians[i]);
    fputs("\"device\":", file);
    json_string(file, b->gpu.chosen.name);
    fputs(",\"driver\":", file);
    json_string(file, b->gpu.chosen.driver);
    fprintf(file, ",\"runs\":%llu,\"verified\":%s}\n", (unsigned long long)b->settings.runs,
            entry->verdict == VERDICT_YES ? "true" : "false");
}

static int measure(const bench *b, recordings *r, FILE *json)
{
    int status = STATUS_DONE;
    bool good = true;
    report_head(b, "ns per operation, or per window of a compaction");
    printf("\n%-36s  %12s %12s %12s %12s  verified\n", "", "vkrCmd*", "vkrGetUses", "vkrEnd",
           "submit");
    for (uint32_t i = 0; i < r->row_count && status == STATUS_DONE; i++) {
        status = run_row(b, r, &r->rows[i]);
        if (status == STATUS_DONE)
            status = verify(b, r, &r->rows[i]);
        if (status != STATUS_DONE)
            return status;
        report_row(&r->rows[i]);
        if (json != NULL)
            report_row_json(json, b, &r->rows[i]);
        good &= r->rows[i].verdict == VERDICT_YES;
    }
    return good ? status : STATUS_DIFFERENCE;
}

int recordings_measure(const bench *b, FILE *json)
{
    recordings *r = calloc(1, sizeof *r);
    if (r == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    int status = choose_rows(b, r);
    if (status == STATUS_DONE)
        status = create_windowed(b, r);
    if (status == STATUS_DONE)
        status = create_recorders(b, r);
    if (status == STATUS_DONE)
        status = find_slot(b, r);
    if (status == STATUS_DONE)
        status = open_buffers(b, r);
    if (status == STATUS_DONE)
        status = measure(b, r, json);
    close_all(b, r);
    free(r);
    return status;
}
