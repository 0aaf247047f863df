/* SPDX-License-Identifier: MIT */
#include "device/timing.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "device/sentence.h"
#include "device/task.h"
#include "output/json.h"
#include "status.h"

/* ---- Rows ---- */

static bool is_same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static char *copy(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copied = malloc(size);
    return copied != NULL ? memcpy(copied, text, size) : NULL;
}

static timing_row *find_row(timing *t, const VkrHostTime *time)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (is_same(t->rows[i].function, time->function) && is_same(t->rows[i].label, time->label))
            return &t->rows[i];
    timing_row *rows = realloc(t->rows, (t->count + 1) * sizeof *rows);
    if (rows == NULL)
        return NULL;
    t->rows = rows;
    timing_row *row = &rows[t->count++];
    *row = (timing_row){.function = copy(time->function),
                        .label = time->label != NULL ? copy(time->label) : NULL,
                        .times = calloc((size_t)t->executions, sizeof *row->times)};
    return row->function != NULL && (row->label != NULL) == (time->label != NULL) &&
                   row->times != NULL
               ? row
               : NULL;
}

static bool add(timing *t, const VkrHostTime *times, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        timing_row *row = find_row(t, &times[i]);
        if (row == NULL)
            return false;
        row->times[t->execution] += (double)times[i].nanoseconds * 1e-6;
        row->count += t->execution == 0;
    }
    return true;
}

int timing_add(timing *t, VkrHost host)
{
    uint32_t count = 0;
    int status = gpu_status(vkrGetHostTimes(host, &count, NULL));
    if (status != STATUS_DONE || count == 0)
        return status;
    VkrHostTime *times = calloc(count, sizeof *times);
    if (times != NULL)
        status = gpu_status(vkrGetHostTimes(host, &count, times));
    if (times == NULL || (status == STATUS_DONE && !add(t, times, count)))
        status = fail(STATUS_VULKAN, "out of memory");
    free(times);
    return status;
}

void timing_close(timing *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        free(t->rows[i].function);
        free(t->rows[i].label);
        free(t->rows[i].times);
    }
    free(t->rows);
    *t = (timing){0};
}

/* ---- Medians ---- */

/* Of a row, or with NULL of all rows together; without memory for that, 0. */
static double median(const timing *t, const timing_row *row, uint64_t untimed)
{
    const size_t count = (size_t)(t->executions - untimed);
    double *times = calloc(count, sizeof *times);
    for (uint32_t i = 0; i < t->count && times != NULL; i++)
        for (size_t k = 0; k < count && (row == NULL || row == &t->rows[i]); k++)
            times[k] += t->rows[i].times[untimed + k];
    const double middle = times != NULL ? task_median(times, count) : 0.0;
    free(times);
    return middle;
}

static int widest(const timing *t, bool labels)
{
    size_t width = strlen("operation");
    for (uint32_t i = 0; i < t->count; i++) {
        const char *text = labels ? t->rows[i].label : t->rows[i].function;
        if (text != NULL && strlen(text) > width)
            width = strlen(text);
    }
    return (int)width;
}

void timing_print(const timing *t, uint64_t untimed, uint64_t bytes, FILE *file)
{
    const int function = widest(t, false), label = widest(t, true);
    const double total = median(t, NULL, untimed);
    fprintf(file, "%-8s %-*s  %-*s  %8s  %12s\n", "timing", function, "operation", label, "label",
            "number", "milliseconds");
    for (uint32_t i = 0; i < t->count; i++) {
        const timing_row *row = &t->rows[i];
        fprintf(file, "%-8s %-*s  %-*s  %8" PRIu64 "  %12.6f\n", "", function, row->function, label,
                row->label != NULL ? row->label : "", row->count, median(t, row, untimed));
    }
    fprintf(file, "%-8s %-*s  %-*s  %8s  %12.6f", "", function, "total", label, "", "", total);
    if (bytes > 0 && total > 0.0)
        fprintf(file, ": %" PRIu64 " bytes of input, %.3f GB/s", bytes,
                (double)bytes / total * 1e-6);
    fputc('\n', file);
}

void timing_print_json(const timing *t, uint64_t untimed)
{
    fputs(t->wanted ? ",\"operations\":[" : ",\"operations\":null", stdout);
    for (uint32_t i = 0; i < t->count; i++) {
        const timing_row *row = &t->rows[i];
        fputs(i > 0 ? ",{\"function\":" : "{\"function\":", stdout);
        json_string(stdout, row->function);
        fputs(",\"label\":", stdout);
        if (row->label != NULL)
            json_string(stdout, row->label);
        else
            fputs("null", stdout);
        printf(",\"number\":%" PRIu64 ",\"ms\":%.6f}", row->count, median(t, row, untimed));
    }
    fputs(t->wanted ? "]" : "", stdout);
}
