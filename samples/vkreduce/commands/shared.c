/* SPDX-License-Identifier: MIT */
/* Jobs whose data several ranks share. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/job.h"
#include "output/json.h"
#include "output/output.h"
#include "progress.h"
#include "ranks.h"
#include "status.h"

#define SAMPLE ((size_t)1 << 16) /* bytes at the start, in the middle and at the end of a file */

/* What a rank sees of an input. */
typedef struct sight {
    uint64_t count, type, components, size, sample;
} sight;

/* Adds bytes to a hash: FNV-1a. */
static uint64_t add_bytes(uint64_t hash, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Hashes samples of the values, which cost little however large the file is. */
static int take_sample(const input *in, uint64_t *hash)
{
    const size_t value = vkrTypeSize(in->type);
    const size_t size = (size_t)least(in->size, SAMPLE / value * value);
    const uint64_t middle = (in->size - size) / 2;
    const uint64_t places[] = {0, middle - middle % value, in->size - size};
    unsigned char *bytes = malloc(size + 1);
    int status = bytes != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "%s: out of memory", in->name);
    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof places / sizeof places[0] && status == STATUS_DONE; i++) {
        status = input_read(in, places[i], size, bytes);
        if (status == STATUS_DONE)
            *hash = add_bytes(*hash, bytes, size);
    }
    free(bytes);
    return status;
}

static int compare_sights(const input *in, const sight *here, const sight *first)
{
    if (here->count != first->count || here->type != first->type ||
        here->components != first->components || here->size != first->size)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " elements of %" PRIu64
                    " x %s here, and on rank 0 %" PRIu64 " of %" PRIu64
                    " x %s; all ranks need the same file",
                    in->name, here->count, here->components, vkrTypeName((VkrType)here->type),
                    first->count, first->components, vkrTypeName((VkrType)first->type));
    if (here->sample != first->sample)
        return fail(STATUS_USAGE,
                    "%s: its values differ from those that rank 0 finds under this name; all ranks "
                    "need the same file",
                    in->name);
    return STATUS_DONE;
}

/* Checks that this rank sees what rank 0 sees. */
static int compare_input(int status, const input *in)
{
    sight here = {in->count, (uint64_t)in->type, in->components, in->size, 0};
    if (in->name == NULL)
        return status;
    if (status == STATUS_DONE && in->source != SOURCE_RANDOM)
        status = take_sample(in, &here.sample);
    sight first = here;
    status = ranks_copy(status, 0, &first, sizeof first);
    return ranks_agree(status == STATUS_DONE ? compare_sights(in, &here, &first) : status);
}

int job_meet(int status, job *j, bool *absent)
{
    if (ranks_count() == 1)
        return status;
    for (uint32_t i = 0; i < j->input_count; i++)
        status = compare_input(status, &j->inputs[i]);
    for (uint32_t i = 0; i < MAX_BESIDE; i++)
        if (j->beside[i] != NULL)
            status = compare_input(status, j->beside[i]);
    status = ranks_show_progress(status, progress_is_possible());
    if (status != STATUS_DONE)
        return status;
    bool shared = j->shares != NULL && !j->opts->task.count_on_gpu;
    for (uint32_t i = 0; i < MAX_OUTPUTS; i++)
        shared = shared && !is_standard_output(j->outputs[i].name);
    shared = shared && j->shares(j);
    j->task.shared = shared;
    *absent = !shared && !ranks_leave_to_first(j->command->name);
    return status;
}

void job_note_sums(void)
{
    note("float sums have the bits of one process with --determinism device");
}

/* ---- What each rank spent ---- */

typedef struct rank_times {
    char device[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    double reading, device_seconds, gpu_ms;
    ranks_spent ranks;
} rank_times;

int job_gather_times(int status, job *j)
{
    rank_times here = {.reading = input_seconds(),
                       .device_seconds = j->task.seconds,
                       .gpu_ms = j->task.gpu_ms,
                       .ranks = ranks_get_spent()};
    if (!j->task.shared || status != STATUS_DONE)
        return status;
    memcpy(here.device, j->task.gpu.chosen.name, sizeof here.device);
    j->times = calloc(ranks_count(), sizeof *j->times);
    if (j->times == NULL)
        status = fail(STATUS_VULKAN, "out of memory");
    status = ranks_gather(status, &here, sizeof here, j->times);
    for (uint32_t i = 0; i < ranks_count() && status == STATUS_DONE && ranks_is_first(); i++)
        if (j->times[i].gpu_ms > j->task.gpu_ms)
            j->task.gpu_ms = j->times[i].gpu_ms;
    return status;
}

void job_print_times(const job *j)
{
    if (j->times == NULL)
        return;
    fputs(",\"ranks\":[", stdout);
    for (uint32_t i = 0; i < ranks_count(); i++) {
        const rank_times *t = &j->times[i];
        fputs(i > 0 ? ",{\"device\":" : "{\"device\":", stdout);
        json_string(stdout, t->device);
        printf(",\"reading_s\":%.6f,\"device_s\":%.6f,\"mpi_s\":%.6f,\"mpi_calls\":%" PRIu64
               ",\"mpi_bytes\":%" PRIu64 "}",
               t->reading, t->device_seconds, t->ranks.seconds, t->ranks.calls, t->ranks.bytes);
    }
    putchar(']');
}
