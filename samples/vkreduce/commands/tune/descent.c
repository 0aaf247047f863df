/* SPDX-License-Identifier: MIT */
/* The best row for one size of values, or the best policy: coordinate descent from the one in
 * use. */
#include <stdio.h>
#include <string.h>
#include "commands/tune/tune.h"
#include "status.h"
#include "system/system.h"

#define BETTER 0.97   /* a ratio of times; a smaller gain is noise */
#define SECONDS 11.0  /* for the descent of one row */
#define PAIRS_MS 40.0 /* for one row at one size */
#define DUEL 4        /* how many times longer the final comparison runs */
#define LONG_MS 60.0  /* for one run */
#define STEP 4        /* factor between neighbours */
#define FIRST 32      /* the neighbour of 0 */

static bool same_row(const setting *a, const setting *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Measures a row, unless that was done before, and keeps it if it is better than the best so
 * far. */
static int try_row(tuner *t, const setting *row)
{
    finding *f = t->now;
    if (f->row_count == MAX_ROWS || clock_seconds() > t->deadline ||
        row->row.minBytes > row->row.maxBytes)
        return STATUS_DONE;
    for (uint32_t i = 0; i < f->row_count; i++)
        if (same_row(row, &f->rows[i].row))
            return STATUS_DONE;
    trial run;
    measured *m = &f->rows[f->row_count];
    m->row = *row;
    int status = trial_open(t, row, &run);
    if (status == STATUS_DONE)
        status = trial_measure(t, &run, t->opts->quick ? 0.0 : PAIRS_MS, m);
    trial_close(t, &run);
    if (status != STATUS_DONE)
        return status;
    f->row_count++;
    if (m->score < BETTER * f->best.score)
        f->best = *m;
    return tune_print_measured(t, m, same_row(&f->best.row, row) ? "*" : "");
}

static int try_loads(tuner *t)
{
    setting row = t->now->rows[0].row;
    int status = STATUS_DONE;
    for (uint32_t order = 0; order < VKR_LOAD_ORDER_COUNT; order++)
        for (uint32_t path = 0; path < VKR_LOAD_PATH_COUNT && status == STATUS_DONE; path++) {
            row.row.order = (VkrLoadOrder)order;
            row.row.path = (VkrLoadPath)path;
            if ((path != VKR_LOAD_TEXEL || row.row.texels) && (order == 0 || !t->opts->quick))
                status = try_row(t, &row);
        }
    return status;
}

static int try_workgroups(tuner *t)
{
    VkrContextProperties properties;
    int status = STATUS_DONE;
    vkrGetContextProperties(t->gpu.vulkan.context, &properties);
    setting row = t->now->best.row;
    row.row.workgroupSize = 0; /* one subgroup */
    status = try_row(t, &row);
    for (uint32_t size = 32; size <= 512 && status == STATUS_DONE; size *= 2) {
        row.row.workgroupSize = size;
        if (size > properties.subgroupSize && size <= properties.maxWorkgroupSize)
            status = try_row(t, &row);
    }
    return status;
}

/* The next value of a field, up or down, or the same one at the end. */
static uint32_t next_value(uint32_t value, bool down, uint32_t step, uint32_t least, uint32_t most)
{
    if (down)
        return value / step < least ? value : value / step;
    if (value == 0)
        return FIRST <= most ? FIRST : value;
    return value > most / step ? value : value * step;
}

/* Raises the field as long as that helps, and then lowers it as long as that helps. */
static int climb(tuner *t, size_t field, uint32_t step, uint32_t least, uint32_t most)
{
    for (int down = 0; down < 2; down++) {
        for (;;) {
            setting row = t->now->best.row;
            uint32_t *value = (uint32_t *)((char *)&row + field);
            const uint32_t next = next_value(*value, down != 0, step, least, most);
            if (next == *value)
                break;
            *value = next;
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
        {offsetof(setting, row.flight), 1, 32},
        {offsetof(setting, row.minBytes), 16, 262144},
        {offsetof(setting, row.maxBytes), 16, 262144},
        {offsetof(setting, row.maxGroups), 16, 65536},
        {offsetof(setting, row.oneGroupBytes), 1024, 1u << 22},
    };
    int status = try_loads(t);
    if (status == STATUS_DONE && !t->opts->quick)
        status = try_workgroups(t);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (status == STATUS_DONE && !t->opts->quick)
            status = climb(t, numbers[i].field, STEP, numbers[i].least, numbers[i].most);
    return status;
}

/* Tries the ends of a short field, and neighbours in a long one. */
static int try_field(tuner *t, uint32_t i, const VkrPolicyField *field)
{
    const size_t offset = offsetof(setting, policy.values) + i * sizeof(uint32_t);
    const uint32_t ends[] = {field->min, field->max};
    int status = STATUS_DONE;
    for (size_t k = 0; k < 2 && field->max - field->min < FIRST && status == STATUS_DONE; k++) {
        setting row = t->now->best.row;
        row.policy.values[i] = ends[k];
        status = try_row(t, &row);
    }
    return status == STATUS_DONE ? climb(t, offset, 2, field->min, field->max) : status;
}

/* One field is tried where a few settings must do. */
static int descend_policy(tuner *t)
{
    uint32_t count;
    const VkrPolicyField *fields = vkrPolicyFields(t->now->subject->policy, &count);
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < (t->opts->quick ? 1 : count) && status == STATUS_DONE; i++)
        status = try_field(t, i, &fields[i]);
    return status;
}

/* Measures the winner again, for longer: if it won only by luck, the row in use stays. */
static int duel(tuner *t)
{
    finding *f = t->now;
    trial run;
    if (same_row(&f->best.row, &f->rows[0].row))
        return tune_print_measured(t, &f->best, "best");
    int status = trial_open(t, &f->best.row, &run);
    if (status == STATUS_DONE)
        status = trial_measure(t, &run, t->opts->quick ? 0.0 : DUEL * PAIRS_MS, &f->best);
    trial_close(t, &run);
    if (status == STATUS_DONE && f->best.score > BETTER)
        f->best = f->rows[0];
    return status == STATUS_DONE ? tune_print_measured(t, &f->best, "best") : status;
}

/* ---- One value size ---- */

/* Chooses counts of values that fit one descriptor, or an image, and leave memory for everything
 * else. */
static void choose_counts(tuner *t)
{
    static const uint32_t bits[MAX_COUNTS] = {10, 14, 18, 22, 25};
    VkrContextProperties properties;
    vkrGetContextProperties(t->gpu.vulkan.context, &properties);
    uint64_t room = t->gpu.chosen.maxBufferSize / 4;
    if (room > properties.maxStorageBufferRange)
        room = properties.maxStorageBufferRange;
    const uint64_t most = t->now->subject->has_images ? levels_most(t) : UINT64_MAX;
    t->now->count_count = 0;
    for (size_t i = 0; i < (t->opts->quick ? 2 : MAX_COUNTS); i++) {
        uint64_t count = UINT64_C(1) << bits[i];
        while (count * vkrTypeSize(t->now->type) > room || count > most)
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
        status =
            gpu_status(vkrHostAlloc(t->gpu.host, t->in.size, VKR_HOST_MEMORY_DEVICE, &t->data));
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(t->gpu.host, t->in.size, VKR_HOST_MEMORY_UNMAPPED, &t->target));
    if (status == STATUS_DONE)
        status = gpu_upload(t->gpu.host, &t->data, &t->in);
    input_close(&t->in);
    return status == STATUS_DONE && t->now->subject->has_images ? levels_open(t) : status;
}

/* Drops the counts for which the row in use is so slow that few rows could be tried. */
static int drop_counts(tuner *t)
{
    double ms = 0.0;
    uint32_t i = 1;
    for (; i < t->now->count_count && ms < LONG_MS; i++) {
        int status = trial_run(t, &t->first, i, &ms);
        if (status != STATUS_DONE)
            return status;
    }
    t->now->count_count = ms < LONG_MS ? i : i - 1;
    return STATUS_DONE;
}

/* Measures the row in use against itself: its score shows how large the noise is. */
static int measure_first(tuner *t)
{
    finding *f = t->now;
    measured *m = &f->rows[0];
    const subject *of = f->subject;
    m->row = (setting){.is_policy = of->is_policy};
    int status =
        gpu_status(of->is_policy ? vkrGetPolicy(t->gpu.vulkan.context, of->policy, &m->row.policy)
                                 : vkrGetTuning(t->gpu.vulkan.context, of->operation,
                                                vkrTypeSize(f->type), f->texels, &m->row.row));
    if (status == STATUS_DONE)
        status = trial_open(t, &m->row, &t->first);
    if (status == STATUS_DONE)
        status = drop_counts(t);
    if (status == STATUS_DONE)
        tune_print_heading(t);
    if (status == STATUS_DONE)
        status = trial_measure(t, &t->first, t->opts->quick ? 0.0 : PAIRS_MS, m);
    f->row_count = 1;
    f->best = *m;
    f->best.score = 1.0;
    return status == STATUS_DONE ? tune_print_measured(t, m, "used") : status;
}

static int tune_row(tuner *t)
{
    int status = measure_first(t);
    t->deadline = clock_seconds() + SECONDS;
    if (status == STATUS_DONE)
        status = t->now->subject->is_policy ? descend_policy(t) : descend(t);
    if (status == STATUS_DONE)
        status = duel(t);
    trial_close(t, &t->first);
    return status;
}

static void start(tuner *t, const subject *of, VkrType type, VkBool32 texels)
{
    t->now = &t->found[t->found_count++];
    t->now->subject = of;
    t->now->type = type;
    t->now->texels = texels;
    choose_counts(t);
}

static void drop_data(tuner *t)
{
    levels_close(t);
    vkrHostFree(t->gpu.host, &t->data);
    vkrHostFree(t->gpu.host, &t->target);
}

int tune_type(tuner *t, VkrType type)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < SUBJECTS; i++)
        for (VkBool32 texels = 0; texels <= 1 && status == STATUS_DONE; texels++) {
            if (tune_subjects[i].is_policy || (texels && t->data.texels.view == VK_NULL_HANDLE))
                break;
            start(t, &tune_subjects[i], type, texels);
            if (t->data.buffer == VK_NULL_HANDLE)
                status = prepare(t);
            if (status == STATUS_DONE)
                status = tune_row(t);
        }
    drop_data(t);
    return status;
}

int tune_policies(tuner *t)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < SUBJECTS && status == STATUS_DONE; i++) {
        if (!tune_subjects[i].is_policy)
            continue;
        start(t, &tune_subjects[i], tune_subjects[i].type, VK_FALSE);
        status = prepare(t);
        if (status == STATUS_DONE)
            status = tune_row(t);
        drop_data(t);
    }
    return status;
}
