/* SPDX-License-Identifier: MIT */
/*
 * Finds tuning rows for the device: coordinate descent from the row in use, one row after the
 * other. A row is tried by making a context from a profile with it. It runs in turns with the
 * row in use, and its score is its time relative to that: the geometric mean over the sizes of the
 * medians' ratios.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "commands/report.h"
#include "commands/tune/options.h"
#include "device/buffer.h"
#include "device/submit.h"
#include "interrupt.h"
#include "output/json.h"
#include "output/output.h"
#include "status.h"

#define MOST_COUNTS 5
#define MOST_ROWS 64
#define MOST_TEXT 4096
#define MOST_PAIRS 301
#define VALUE_SIZES 4
#define ROWS (2 * VALUE_SIZES) /* with and without texels */
#define ALL_ROWS (ROWS * VKR_OPERATION_COUNT)
#define SPACING 256   /* of results */
#define BETTER 0.97   /* less is noise */
#define SECONDS 11.0  /* for the descent of one row */
#define PAIRS_MS 40.0 /* for one row at one size */
#define DUEL 4        /* times as long at the end */
#define LONG_MS 60.0  /* for one run */
#define STEP 4        /* factor between neighbours */

/* A row that was measured. */
typedef struct measured {
    VkrTuning row;
    double score;
    double rate[MOST_COUNTS]; /* GB/s */
} measured;

/* What was found for one value size, in views with or without texels. */
typedef struct finding {
    VkrType type;
    VkBool32 texels;
    uint32_t count_count;
    uint64_t counts[MOST_COUNTS];
    uint32_t row_count;
    measured rows[MOST_ROWS]; /* the first is the one in use */
    measured best;            /* after the duel */
} finding;

/* A row ready to run: a recording per count. */
typedef struct trial {
    VkrContext context;
    VkrRecorder recorder;
    gpu_buffer output;
    VkCommandBuffer commands[MOST_COUNTS];
    uint32_t result_size;
} trial;

typedef struct tuner {
    const tune_options *opts;
    gpu gpu;
    input in;
    gpu_buffer data;
    output out;
    finding *now;
    trial first; /* the row in use */
    double deadline;
    finding found[ROWS];
    uint32_t found_count;
} tuner;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Trials ---- */

static int write_rows(const tuner *t, const VkrTuning *rows, uint32_t count, char text[MOST_TEXT],
                      size_t *size)
{
    *size = MOST_TEXT;
    return gpu_status(vkrWriteProfile(t->gpu.context, count, rows, size, text));
}

/* The measuring functions of gpu.c, on another command buffer. */
static gpu lane_of(const tuner *t, const trial *run, uint32_t index)
{
    gpu lane = t->gpu;
    lane.commands = run->commands[index];
    return lane;
}

static int record(const tuner *t, trial *run, uint32_t index)
{
    VkrReduceInfo info = {.ops = VKR_OP_MIN | VKR_OP_MAX,
                          .input = {.buffer = t->data.buffer,
                                    .size = t->now->counts[index] * vkrTypeSize(t->now->type),
                                    .type = t->now->type,
                                    .texels = t->now->texels ? t->data.texels : (VkrTexels){0}},
                          .count = t->now->counts[index],
                          .output = {.buffer = run->output.buffer,
                                     .offset = (VkDeviceSize)index * SPACING,
                                     .size = SPACING}};
    VkrEndInfo end = {.commandBuffer = run->commands[index],
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    gpu lane = lane_of(t, run, index);
    VkrReduceLayout layout;
    VkrResult result = vkrGetReduceLayout(run->context, &info, &layout);
    if (result == VKR_SUCCESS)
        result = vkrBegin(run->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(run->recorder, &info);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    run->result_size = (uint32_t)layout.size;
    int status = gpu_begin(&lane);
    if (status != STATUS_DONE)
        return status;
    gpu_start_clock(&lane);
    if ((result = vkrEnd(run->recorder, &end)) != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(&lane);
    return gpu_end(&lane);
}

static void trial_close(const tuner *t, trial *run)
{
    vkrDestroyRecorder(run->recorder);
    if (run->commands[0] != VK_NULL_HANDLE)
        vkFreeCommandBuffers(t->gpu.device, t->gpu.pool, MOST_COUNTS, run->commands);
    gpu_buffer_destroy(&t->gpu, &run->output);
    vkrDestroyContext(run->context);
    *run = (trial){0};
}

/* Runs everything once too, since drivers may compile at the first dispatch. trial_close may follow
 * where it fails. */
static int trial_open(const tuner *t, const VkrTuning *row, trial *run)
{
    char text[MOST_TEXT];
    size_t size;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = t->gpu.pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = MOST_COUNTS};
    *run = (trial){0};
    int status = write_rows(t, row, 1, text, &size);
    if (status == STATUS_DONE)
        status = gpu_create_context(&t->gpu, text, size, &run->context);
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrCreateRecorder(run->context, &(VkrRecorderInfo){.label = "tune"}, &run->recorder));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&t->gpu, &run->output, MOST_COUNTS * SPACING, MEMORY_READBACK);
    if (status != STATUS_DONE)
        return status;
    VkResult result = vkAllocateCommandBuffers(t->gpu.device, &commands, run->commands);
    if (result != VK_SUCCESS) {
        run->commands[0] = VK_NULL_HANDLE;
        return gpu_fail(result, "vkAllocateCommandBuffers");
    }
    for (uint32_t i = 0; i < t->now->count_count && status == STATUS_DONE; i++) {
        status = record(t, run, i);
        gpu lane = lane_of(t, run, i);
        if (status == STATUS_DONE)
            status = gpu_submit(&lane);
    }
    return status;
}

/* ---- Times ---- */

/* Milliseconds on the device, or from submit to end where it has no clock. */
static int run_once(const tuner *t, const trial *run, uint32_t index, double *ms)
{
    gpu lane = lane_of(t, run, index);
    double start = seconds();
    int status = gpu_submit(&lane);
    *ms = 1e3 * (seconds() - start);
    if (status == STATUS_DONE && t->gpu.timestamp_bits != 0)
        status = gpu_read_clock(&lane, ms);
    *ms = *ms > 1e-6 ? *ms : 1e-6; /* a clock may be coarse */
    return status;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2.0;
}

/* Both in turns at one count, for about so long. */
static int race(const tuner *t, const trial *run, uint32_t index, double budget, double ms[2])
{
    static double times[2][MOST_PAIRS];
    const trial *runs[2] = {&t->first, run};
    double spent = 0.0;
    size_t least = t->opts->quick ? 3 : 5, pairs = 0;
    while (pairs < least || (pairs < MOST_PAIRS && spent < budget)) {
        for (size_t k = 0; k < 2; k++) {
            int status = run_once(t, runs[k], index, &times[k][pairs]);
            if (status == STATUS_DONE)
                status = check_interrupt();
            if (status != STATUS_DONE)
                return status;
            spent += times[k][pairs];
        }
        pairs++;
    }
    ms[0] = median(times[0], pairs);
    ms[1] = median(times[1], pairs);
    return STATUS_DONE;
}

/* Geometry and loads must not show in the results. */
static int check_results(const tuner *t, const trial *run)
{
    for (uint32_t i = 0; i < t->now->count_count; i++)
        if (memcmp((const char *)run->output.map + i * SPACING,
                   (const char *)t->first.output.map + i * SPACING, run->result_size) != 0)
            return fail(STATUS_DIFFERENCE, "a row gives another result than the one in use");
    return STATUS_DONE;
}

static int measure(const tuner *t, const trial *run, double budget, measured *m)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < t->now->count_count; i++) {
        double ms[2];
        int status = race(t, run, i, budget, ms);
        if (status != STATUS_DONE)
            return status;
        sum += log(ms[1] / ms[0]);
        m->rate[i] = 1e-6 * (double)(t->now->counts[i] * vkrTypeSize(t->now->type)) / ms[1];
    }
    m->score = exp(sum / t->now->count_count);
    return check_results(t, run);
}

/* ---- Printing ---- */

/* The row in the profile's words, which are its third line. */
static int print_row(const tuner *t, const VkrTuning *row)
{
    char text[MOST_TEXT];
    size_t size;
    int status = write_rows(t, row, 1, text, &size);
    const char *line = status == STATUS_DONE ? strchr(strchr(text, '\n') + 1, '\n') + 1 : "\n";
    printf("%.*s", (int)strcspn(line, "\n"), line);
    return status;
}

static int print_measured(const tuner *t, const measured *m, const char *word)
{
    if (t->opts->json)
        return STATUS_DONE;
    printf("%-5s %6.3f ", word, m->score);
    for (uint32_t i = 0; i < t->now->count_count; i++)
        printf(" %7.3f", m->rate[i]);
    printf("  ");
    int status = print_row(t, &m->row);
    putchar('\n');
    fflush(stdout);
    return status;
}

static void print_heading(const tuner *t)
{
    if (t->opts->json)
        return;
    printf("\n%s%s, GB/s of min+max by number of values\n      %6s ", vkrTypeName(t->now->type),
           t->now->texels ? " with texels" : "", "score");
    for (uint32_t i = 0; i < t->now->count_count; i++)
        printf(" %7llu", (unsigned long long)t->now->counts[i]);
    printf("  operation, value size, view, workgroup, tree, one group, least, most, groups, order, "
           "path, flight, tile, look back\n");
}

static int print_json_measured(const tuner *t, const finding *f, const measured *m)
{
    printf("{\"row\":\"");
    int status = print_row(t, &m->row);
    printf("\",\"score\":%.4f,\"gb_per_s\":[", m->score);
    for (uint32_t i = 0; i < f->count_count; i++)
        printf("%s%.6f", i == 0 ? "" : ",", m->rate[i]);
    fputs("]}", stdout);
    return status;
}

static int print_json(const tuner *t, const char *text)
{
    int status = STATUS_DONE;
    fputs("{\"command\":\"tune\",\"device\":", stdout);
    json_string(stdout, t->gpu.chosen->properties.deviceName);
    fputs(",\"driver\":", stdout);
    json_string(stdout, t->gpu.chosen->driver);
    fputs(",\"types\":[", stdout);
    for (uint32_t k = 0; k < t->found_count && status == STATUS_DONE; k++) {
        const finding *f = &t->found[k];
        printf("%s{\"type\":\"%s\",\"texels\":%s,\"counts\":[", k == 0 ? "" : ",",
               vkrTypeName(f->type), f->texels ? "true" : "false");
        for (uint32_t i = 0; i < f->count_count; i++)
            printf("%s%llu", i == 0 ? "" : ",", (unsigned long long)f->counts[i]);
        fputs("],\"rows\":[", stdout);
        for (uint32_t i = 0; i < f->row_count && status == STATUS_DONE; i++) {
            fputs(i == 0 ? "" : ",", stdout);
            status = print_json_measured(t, f, &f->rows[i]);
        }
        fputs("],\"best\":", stdout);
        if (status == STATUS_DONE)
            status = print_json_measured(t, f, &f->best);
        putchar('}');
    }
    fputs("],\"profile\":", stdout);
    json_string(stdout, text);
    putchar(',');
    report_outputs(&(named_output){"output", t->opts->output}, 1);
    puts("}");
    return status;
}

/* ---- The descent ---- */

static bool same_row(const VkrTuning *a, const VkrTuning *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Measures a row that is new, and keeps it where it is better than the best so far. */
static int try_row(tuner *t, const VkrTuning *row)
{
    finding *f = t->now;
    if (f->row_count == MOST_ROWS || seconds() > t->deadline || row->minBytes > row->maxBytes)
        return STATUS_DONE;
    for (uint32_t i = 0; i < f->row_count; i++)
        if (same_row(row, &f->rows[i].row))
            return STATUS_DONE;
    trial run;
    measured *m = &f->rows[f->row_count];
    m->row = *row;
    int status = trial_open(t, row, &run);
    if (status == STATUS_DONE)
        status = measure(t, &run, t->opts->quick ? 0.0 : PAIRS_MS, m);
    trial_close(t, &run);
    if (status != STATUS_DONE)
        return status;
    f->row_count++;
    if (m->score < BETTER * f->best.score)
        f->best = *m;
    return print_measured(t, m, same_row(&f->best.row, row) ? "*" : "");
}

static int try_loads(tuner *t)
{
    VkrTuning row = t->now->rows[0].row;
    int status = STATUS_DONE;
    for (uint32_t order = 0; order < VKR_LOAD_ORDER_COUNT; order++)
        for (uint32_t path = 0; path < VKR_LOAD_PATH_COUNT && status == STATUS_DONE; path++) {
            row.order = (VkrLoadOrder)order;
            row.path = (VkrLoadPath)path;
            if ((path != VKR_LOAD_TEXEL || row.texels) && (order == 0 || !t->opts->quick))
                status = try_row(t, &row);
        }
    return status;
}

static int try_workgroups(tuner *t)
{
    VkrContextProperties properties;
    int status = STATUS_DONE;
    vkrGetContextProperties(t->gpu.context, &properties);
    VkrTuning row = t->now->best.row;
    row.workgroupSize = 0; /* one subgroup */
    status = try_row(t, &row);
    for (uint32_t size = 32; size <= 512 && status == STATUS_DONE; size *= 2) {
        row.workgroupSize = size;
        if (size > properties.subgroupSize && size <= properties.maxWorkgroupSize)
            status = try_row(t, &row);
    }
    return status;
}

/* Up and down, each as long as it helps. */
static int climb(tuner *t, size_t field, uint32_t least, uint32_t most)
{
    for (int down = 0; down < 2; down++) {
        for (;;) {
            VkrTuning row = t->now->best.row;
            uint32_t *value = (uint32_t *)((char *)&row + field);
            if (down ? *value / STEP < least : *value > most / STEP || *value == 0)
                break;
            *value = down ? *value / STEP : *value * STEP;
            int status = try_row(t, &row);
            if (status != STATUS_DONE)
                return status;
            if (!same_row(&t->now->best.row, &row))
                break;
        }
    }
    return STATUS_DONE;
}

static int descend(tuner *t)
{
    static const struct {
        size_t field;
        uint32_t least, most;
    } numbers[] = {
        {offsetof(VkrTuning, flight), 1, 32},
        {offsetof(VkrTuning, minBytes), 16, 262144},
        {offsetof(VkrTuning, maxBytes), 16, 262144},
        {offsetof(VkrTuning, maxGroups), 16, 65536},
        {offsetof(VkrTuning, oneGroupBytes), 1024, 1u << 22},
    };
    int status = try_loads(t);
    if (status == STATUS_DONE && !t->opts->quick)
        status = try_workgroups(t);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (status == STATUS_DONE && !t->opts->quick)
            status = climb(t, numbers[i].field, numbers[i].least, numbers[i].most);
    return status;
}

/* The winner once more and for longer: where it was luck, the row in use stays. */
static int duel(tuner *t)
{
    finding *f = t->now;
    trial run;
    if (same_row(&f->best.row, &f->rows[0].row))
        return print_measured(t, &f->best, "best");
    int status = trial_open(t, &f->best.row, &run);
    if (status == STATUS_DONE)
        status = measure(t, &run, t->opts->quick ? 0.0 : DUEL * PAIRS_MS, &f->best);
    trial_close(t, &run);
    if (status == STATUS_DONE && f->best.score > BETTER)
        f->best = f->rows[0];
    return status == STATUS_DONE ? print_measured(t, &f->best, "best") : status;
}

/* ---- One value size ---- */

/* Counts of values that one descriptor reaches and that fit beside everything else. */
static void choose_counts(tuner *t)
{
    static const uint32_t bits[MOST_COUNTS] = {10, 14, 18, 22, 25};
    VkrContextProperties properties;
    vkrGetContextProperties(t->gpu.context, &properties);
    uint64_t room = t->gpu.chosen->max_allocation / 4;
    if (room > properties.maxStorageBufferRange)
        room = properties.maxStorageBufferRange;
    t->now->count_count = 0;
    for (size_t i = 0; i < (t->opts->quick ? 2 : MOST_COUNTS); i++) {
        uint64_t count = UINT64_C(1) << bits[i];
        while (count * vkrTypeSize(t->now->type) > room)
            count /= 2;
        t->now->counts[t->now->count_count++] = count;
    }
}

static int prepare(tuner *t)
{
    const input_options opts = {.type = (uint32_t)t->now->type};
    char name[40];
    snprintf(name, sizeof name, "random:%llu",
             (unsigned long long)t->now->counts[t->now->count_count - 1]);
    int status = input_open(&t->in, name, &opts);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&t->gpu, &t->data, t->in.size, MEMORY_DEVICE);
    if (status == STATUS_DONE)
        status = gpu_upload(&t->gpu, &t->data, &t->in);
    input_close(&t->in);
    return status;
}

/* Leaves out the counts that take the row in use so long that few rows could be tried. */
static int drop_counts(tuner *t)
{
    double ms = 0.0;
    uint32_t i = 1;
    for (; i < t->now->count_count && ms < LONG_MS; i++) {
        int status = run_once(t, &t->first, i, &ms);
        if (status != STATUS_DONE)
            return status;
    }
    t->now->count_count = ms < LONG_MS ? i : i - 1;
    return STATUS_DONE;
}

/* The row in use against itself: its score says how large the noise is. */
static int measure_first(tuner *t)
{
    finding *f = t->now;
    measured *m = &f->rows[0];
    int status = gpu_status(vkrGetTuning(t->gpu.context, VKR_OPERATION_REDUCE, vkrTypeSize(f->type),
                                         f->texels, &m->row));
    if (status == STATUS_DONE)
        status = trial_open(t, &m->row, &t->first);
    if (status == STATUS_DONE)
        status = drop_counts(t);
    if (status == STATUS_DONE)
        print_heading(t);
    if (status == STATUS_DONE)
        status = measure(t, &t->first, t->opts->quick ? 0.0 : PAIRS_MS, m);
    f->row_count = 1;
    f->best = *m;
    f->best.score = 1.0;
    return status == STATUS_DONE ? print_measured(t, m, "used") : status;
}

static int tune_row(tuner *t)
{
    int status = measure_first(t);
    t->deadline = seconds() + SECONDS;
    if (status == STATUS_DONE)
        status = descend(t);
    if (status == STATUS_DONE)
        status = duel(t);
    trial_close(t, &t->first);
    return status;
}

static int tune_type(tuner *t, VkrType type)
{
    int status = STATUS_DONE;
    for (VkBool32 texels = 0; texels <= 1 && status == STATUS_DONE; texels++) {
        if (texels && t->data.texels.view == VK_NULL_HANDLE)
            break;
        t->now = &t->found[t->found_count++];
        t->now->type = type;
        t->now->texels = texels;
        choose_counts(t);
        if (!texels)
            status = prepare(t);
        if (status == STATUS_DONE)
            status = tune_row(t);
    }
    gpu_buffer_destroy(&t->gpu, &t->data);
    return status;
}

/* ---- The command ---- */

static int tune_types(tuner *t)
{
    static const VkrType types[VALUE_SIZES] = {VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_F32,
                                               VKR_TYPE_F64};
    if (t->opts->type != VKR_TYPE_UNDEFINED) {
        VkrType type = (VkrType)t->opts->type;
        return vkrIsTypeSupported(t->gpu.context, type)
                   ? tune_type(t, type)
                   : fail(STATUS_USAGE, "--type is %s, which '%s' does not support",
                          vkrTypeName(type), t->gpu.chosen->properties.deviceName);
    }
    int status = STATUS_DONE;
    for (size_t i = 0; i < VALUE_SIZES && status == STATUS_DONE; i++)
        if (vkrIsTypeSupported(t->gpu.context, types[i]))
            status = tune_type(t, types[i]);
    return status;
}

/* Whether one takes the place of the other. */
static bool same_place(const VkrTuning *a, const VkrTuning *b)
{
    return a->operation == b->operation && a->valueSize == b->valueSize && a->texels == b->texels;
}

/* All rows, also those that were not measured: only reductions are. */
static int finish(tuner *t)
{
    VkrTuning rows[ALL_ROWS];
    char text[MOST_TEXT];
    size_t size = 0;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < ALL_ROWS && status == STATUS_DONE; i++) {
        status = gpu_status(vkrGetTuning(t->gpu.context, (VkrOperation)(i / ROWS),
                                         1u << i % ROWS / 2, i % 2, &rows[i]));
        for (uint32_t k = 0; k < t->found_count; k++)
            if (same_place(&t->found[k].best.row, &rows[i]))
                rows[i] = t->found[k].best.row;
    }
    if (status == STATUS_DONE)
        status = write_rows(t, rows, ALL_ROWS, text, &size);
    if (status != STATUS_DONE)
        return status;
    text[size < MOST_TEXT ? size : MOST_TEXT - 1] = '\0';
    status = output_write(&t->out, 0, text, size);
    if (status == STATUS_DONE)
        status = output_finish(&t->out);
    if (status != STATUS_DONE)
        return status;
    if (t->opts->json)
        return print_json(t, text);
    printf("\n%s", text);
    return STATUS_DONE;
}

static int run(tuner *t)
{
    int status = gpu_open(&t->gpu, t->opts->device.device);
    if (status == STATUS_DONE)
        status = profile_use(&t->gpu, t->opts->device.profile);
    if (status == STATUS_DONE)
        status = output_open(&t->out, t->opts->output);
    if (status != STATUS_DONE)
        return status;
    if (!t->opts->json)
        printf("%-8s %s, %s\n", "device", t->gpu.chosen->properties.deviceName,
               t->gpu.chosen->driver);
    if ((status = tune_types(t)) != STATUS_DONE)
        return status;
    return finish(t);
}

int tune_run(const operands *given, const void *options)
{
    tuner *t = calloc(1, sizeof *t);
    if (t == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    (void)given;
    t->opts = options;
    t->in.file = -1;
    t->out.file = -1;
    catch_interrupts();
    int status = run(t);
    output_close(&t->out);
    gpu_close(&t->gpu);
    free(t);
    return status;
}
