/* SPDX-License-Identifier: MIT */
/* The data of --ordered. */
#include "ordered.h"
#include <stdlib.h>
#include <string.h>
#include "buffers.h"
#include "read.h"
#include "status.h"

#define EQUAL_WORD 0x3f000000u

/* Ascending numbers over the whole range of u32. */
static void fill_ascending(const uint32_t *random, uint64_t n, uint32_t *values)
{
    for (uint64_t i = 0; i < n; i++)
        values[i] = (uint32_t)((i << 32 | random[i]) / n);
}

/* Each element starts a run with the probability 1 / length. */
static void fill_runs(const uint32_t *random, uint64_t n, uint64_t length, uint32_t *values)
{
    uint32_t run = 0;
    for (uint64_t i = 0; i < n; i++)
        values[i] = run += random[i] <= UINT32_MAX / length;
}

/* Outputs of sources: up to `most`, at random; or 1,024 of one source in 1,024. */
static void fill_counts(const uint32_t *random, uint64_t n, uint32_t most, uint32_t *values)
{
    for (uint64_t i = 0; i < n; i++)
        values[i] = most == 1024 ? (random[i] >> 22 == 0 ? most : 0) : random[i] % (most + 1);
}

static void fill(const bench *b, ordered_data kind, uint64_t n, uint32_t *values)
{
    const uint32_t *random = b->ordered->sets[ORDERED_WORDS].host;
    const uint64_t *starts = b->ordered->starts;
    switch (kind) {
    case ORDERED_ASCENDING:
        for (uint32_t s = 0; s < b->settings.size_count; s++)
            fill_ascending(random, b->settings.sizes[s], values + starts[s]);
        fill_ascending(random, NEEDLES, values + starts[MAX_SIZES]);
        break;
    case ORDERED_EQUAL:
        for (uint64_t i = 0; i < n; i++)
            values[i] = EQUAL_WORD;
        break;
    case ORDERED_TWO:
        for (uint64_t i = 0; i < n; i++)
            values[i] = random[i] >> 31 != 0 ? ~EQUAL_WORD : EQUAL_WORD;
        break;
    case ORDERED_COUNTING:
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint32_t)i;
        break;
    case ORDERED_COUNTS_2:
    case ORDERED_COUNTS_7:
    case ORDERED_COUNTS_1024:
        fill_counts(random, n,
                    kind == ORDERED_COUNTS_2   ? 2
                    : kind == ORDERED_COUNTS_7 ? 7
                                               : 1024,
                    values);
        break;
    default:
        fill_runs(random, n,
                  kind == ORDERED_RUNS_1   ? 1
                  : kind == ORDERED_RUNS_4 ? 4
                                           : 1000,
                  values);
    }
}

/* The bytes of the largest payload that can be bound. */
static uint64_t payload_size(const bench *b)
{
    const uint64_t most = least(b->gpu.limits.maxStorageBufferRange, b->gpu.chosen.maxBufferSize);
    uint64_t size = 4; /* a buffer is not empty */
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const uint64_t wanted = b->arms[i].kind == ARM_ORDERED
                                    ? ordered_case_of(&b->arms[i])->payload * b->rows[i].n
                                    : 0;
        size = wanted > size && wanted <= most ? wanted : size;
    }
    return size;
}

/* The bytes of a set. */
static uint64_t size_of(bench *b, ordered_data kind)
{
    struct ordered *o = b->ordered;
    if (kind == ORDERED_WORDS)
        return 8 * o->max > 4 * NEEDLES ? 8 * o->max : 4 * NEEDLES;
    if (kind == ORDERED_COUNTING)
        return payload_size(b);
    if (kind != ORDERED_ASCENDING)
        return 4 * o->max;
    uint64_t elements = 0;
    for (uint32_t s = 0; s < b->settings.size_count; s++) {
        o->starts[s] = elements;
        elements += (b->settings.sizes[s] + 63) / 64 * 64;
    }
    o->starts[MAX_SIZES] = elements;
    return 4 * (elements + NEEDLES);
}

/* Whether an arm reads a set. */
static bool reads(const ordered_case *of, ordered_data kind)
{
    return of->data == kind || of->keys == kind || of->needles == kind ||
           (of->payload > 0 && kind == ORDERED_COUNTING);
}

static int create_set(bench *b, ordered_data kind)
{
    ordered_set *set = &b->ordered->sets[kind];
    bool wanted = kind == ORDERED_WORDS; /* all other sets are made of it */
    for (uint32_t i = 0; i < b->arm_count; i++)
        wanted |= b->arms[i].kind == ARM_ORDERED && reads(ordered_case_of(&b->arms[i]), kind);
    if (!wanted)
        return STATUS_DONE;
    set->size = size_of(b, kind);
    set->host = malloc((size_t)set->size);
    if (set->host == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const input words = {.name = "random",
                         .source = SOURCE_RANDOM,
                         .file = -1,
                         .seed = 2,
                         .type = VKR_TYPE_U64,
                         .size = set->size};
    int status = STATUS_DONE;
    if (kind == ORDERED_WORDS)
        status = input_read(&words, 0, (size_t)set->size, set->host);
    else
        fill(b, kind, set->size / 4, set->host);
    return status == STATUS_DONE ? buffer_create_filled(&b->gpu, &set->buffer, set->host, set->size)
                                 : status;
}

/* The floats, which the bare copies read too, and what copies write besides `copy`. */
static int create_floats(bench *b)
{
    struct ordered *o = b->ordered;
    b->host = malloc((size_t)b->in.size);
    if (b->host == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    int status = input_read(&b->in, 0, (size_t)b->in.size, b->host);
    if (status == STATUS_DONE)
        status = buffer_create_filled(&b->gpu, &b->data, b->host, b->in.size);
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(b->gpu.host, SLOT_SIZE, VKR_HOST_MEMORY_DEVICE, &b->output));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(b->gpu.host, sizeof(uint64_t), VKR_HOST_MEMORY_DEVICE, &b->count));
    o->sets[ORDERED_FLOATS] = (ordered_set){b->data, b->host, b->in.size};
    return status;
}

int ordered_create(bench *b)
{
    struct ordered *o = b->ordered = calloc(1, sizeof *o);
    if (o == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    o->max = b->in.size / 4;
    int status = create_floats(b);
    for (uint32_t kind = ORDERED_WORDS; kind < ORDERED_DATA && status == STATUS_DONE; kind++)
        status = create_set(b, (ordered_data)kind);
    return status;
}

void ordered_close(bench *b)
{
    if (b->ordered == NULL)
        return;
    for (uint32_t kind = ORDERED_WORDS; kind < ORDERED_DATA; kind++) {
        vkrHostFree(b->gpu.host, &b->ordered->sets[kind].buffer);
        free(b->ordered->sets[kind].host);
    }
    free(b->ordered);
}

uint64_t ordered_start(const bench *b, ordered_data data, uint32_t size)
{
    return data == ORDERED_ASCENDING ? 4 * b->ordered->starts[size] : 0;
}
