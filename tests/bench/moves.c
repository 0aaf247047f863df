/* SPDX-License-Identifier: MIT */
/* Scans and compactions: their inputs besides the data, their outputs, and their operations. */
#include "moves.h"
#include <stdlib.h>
#include <string.h>
#include "buffers.h"
#include "segments.h"
#include "status.h"

/* Outputs, and the count after them, start at multiples of this, which suits the offset alignment
 * of every device. */
#define CLEAR 256u

const moved_row moved_rows[MOVED_KINDS] = {
    [MOVED_KEPT] = {"kept values", 1, offsetof(VkrCompactInfo, kept)},
    [MOVED_INDICES] = {"kept indices", 1, offsetof(VkrCompactInfo, keptIndices)},
    [MOVED_REJECTED] = {"rejected values", 1, offsetof(VkrCompactInfo, rejected)},
    [MOVED_PAYLOAD] = {"payload", 4, 0},
    [MOVED_LENGTHS] = {"run lengths", 1, offsetof(VkrCompactInfo, runLengths)},
};

#define KEPT (1u << MOVED_KEPT)

const compact_row compact_rows[COMPACT_FORMS] = {
    [COMPACT_KEPT] = {"compact", false, KEPT, 4},
    [COMPACT_INDICES] = {"compact,indices", false, KEPT | 1u << MOVED_INDICES, 4},
    [COMPACT_PARTITION] = {"partition", false, KEPT | 1u << MOVED_REJECTED, 4},
    [COMPACT_FLAGS] = {"flags", false, KEPT, 4 + 1},
    [COMPACT_PAYLOAD] = {"payload", false, 1u << MOVED_PAYLOAD, 4},
    [COMPACT_UNIQUE] = {"unique", true, KEPT, 4},
    [COMPACT_LENGTHS] = {"run-lengths", true, KEPT | 1u << MOVED_LENGTHS, 4},
};

float share_limit(uint32_t share)
{
    return (float)(100 - share) / 100.0f;
}

/* ---- Inputs ---- */

static void mask_share(const bench *b, uint32_t share, uint64_t n, unsigned char *mask)
{
    const float limit = share_limit(share);
    const float *values = (const void *)b->host;
    for (uint64_t i = 0; i < n; i++)
        mask[i] = values[i] > limit;
}

uint64_t moves_mask(const bench *b, const arm *a, uint64_t n)
{
    const uint32_t *runs = b->moves->host_runs;
    unsigned char *mask = b->moves->mask;
    uint64_t kept = 0;
    if (!compact_rows[a->form].of_runs) {
        mask_share(b, a->share, n, mask);
    } else {
        mask[0] = 1;
        for (uint64_t i = 1; i < n; i++)
            mask[i] = runs[i] != runs[i - 1];
    }
    for (uint64_t i = 0; i < n; i++)
        kept += mask[i];
    return kept;
}

VkDeviceSize moves_room(const bench *b)
{
    return b->gpu.chosen.memorySize - b->in.size;
}

/* The number of elements of an input, of `size` bytes each: one per element of the data, unless
 * these exceed an eighth of the room, or a buffer. */
static uint64_t count_of(const bench *b, uint32_t size)
{
    const VkDeviceSize share = moves_room(b) / 8, buffer = b->gpu.chosen.maxBufferSize;
    const uint64_t all = b->in.size / 4, most = (share < buffer ? share : buffer) / size;
    return all < most ? all : most;
}

static int open_flags(bench *b, uint32_t share)
{
    uint64_t n = count_of(b, 1);
    mask_share(b, share, n, b->moves->mask);
    return buffer_create_filled(&b->gpu, &b->moves->flags, b->moves->mask, n);
}

static int open_runs(bench *b, uint32_t share)
{
    uint64_t n = count_of(b, 4);
    uint32_t *runs = b->moves->host_runs = malloc((size_t)(4 * n));
    if (runs == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    mask_share(b, share, n, b->moves->mask);
    for (uint64_t i = 0, run = 0; i < n; i++)
        runs[i] = (uint32_t)(run += b->moves->mask[i]);
    return buffer_create_filled(&b->gpu, &b->moves->runs, runs, 4 * n);
}

static int open_payload(bench *b, uint32_t share)
{
    (void)share;
    const VkrHostMemory *payload = &b->moves->payload;
    int status = gpu_status(vkrHostAlloc(b->gpu.host, 16 * count_of(b, 16), VKR_HOST_MEMORY_DEVICE,
                                         &b->moves->payload));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status != STATUS_DONE)
        return status;
    for (VkDeviceSize at = 0; at < payload->size; at += b->in.size) {
        VkDeviceSize left = payload->size - at;
        VkBufferCopy part = {.dstOffset = at, .size = left < b->in.size ? left : b->in.size};
        vkCmdCopyBuffer(vkrHostCommands(b->gpu.host), b->data.buffer, payload->buffer, 1, &part);
    }
    return gpu_status(vkrHostRun(b->gpu.host));
}

/* What each form reads besides the data. All arms that use an input have the same share. */
static const struct {
    int (*open)(bench *b, uint32_t share);
    size_t buffer; /* offset in struct moves */
    uint32_t size; /* bytes of an element */
} inputs[COMPACT_FORMS] = {
    [COMPACT_FLAGS] = {open_flags, offsetof(struct moves, flags), 1},
    [COMPACT_PAYLOAD] = {open_payload, offsetof(struct moves, payload), 16},
    [COMPACT_UNIQUE] = {open_runs, offsetof(struct moves, runs), 4},
    [COMPACT_LENGTHS] = {open_runs, offsetof(struct moves, runs), 4},
};

static const VkrHostMemory *input_of(const bench *b, const arm *a)
{
    if (inputs[a->form].open == NULL)
        return &b->data;
    return (const VkrHostMemory *)((const char *)b->moves + inputs[a->form].buffer);
}

int moves_open(bench *b)
{
    int status = STATUS_DONE;
    b->moves = calloc(1, sizeof *b->moves);
    if (b->moves != NULL)
        b->moves->mask = malloc((size_t)(b->in.size / 4));
    if (b->moves == NULL || b->moves->mask == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++) {
        const arm *a = &b->arms[i];
        if (a->kind == ARM_COMPACT && input_of(b, a)->buffer == VK_NULL_HANDLE)
            status = inputs[a->form].open(b, a->share);
    }
    return status;
}

void moves_close(bench *b)
{
    if (b->moves == NULL)
        return;
    vkrHostFree(b->gpu.host, &b->moves->payload);
    vkrHostFree(b->gpu.host, &b->moves->runs);
    vkrHostFree(b->gpu.host, &b->moves->flags);
    free(b->moves->host_runs);
    free(b->moves->mask);
    free(b->moves);
}

/* ---- Outputs ---- */

VkDeviceSize moves_offset(const arm *a, uint64_t n, uint32_t kind)
{
    VkDeviceSize offset = 0;
    for (uint32_t k = 0; k < kind; k++)
        if ((compact_rows[a->form].outputs >> k & 1u) != 0)
            offset += (4 * moved_rows[k].words * n + CLEAR - 1) / CLEAR * CLEAR;
    return offset;
}

VkDeviceSize moves_size(const arm *a, uint64_t n)
{
    if (a->kind == ARM_SEGMENTS)
        return 4 * segment_sums_count(a, n);
    return a->kind == ARM_COMPACT ? moves_offset(a, n, MOVED_KINDS) + sizeof(uint32_t) : 4 * n;
}

bool moves_beyond(const bench *b, const arm *a, uint64_t n)
{
    return moves_size(a, n) > b->copy.size ||
           (a->kind == ARM_COMPACT && n * inputs[a->form].size > input_of(b, a)->size);
}

/* ---- Operations ---- */

VkrResult moves_scan(const bench *b, const arm *a, uint64_t n)
{
    VkrScanInfo info = a->scan;
    info.label = a->name;
    info.input = buffer_view(a, &b->data, n);
    info.output = (VkrView){.buffer = b->copy.buffer, .size = 4 * n};
    info.count = VKR_COUNT_ALL;
    return vkrCmdScan(a->recorder, &info);
}

static VkrPredicate predicate_of(const bench *b, const arm *a, uint64_t n)
{
    const float limit = share_limit(a->share);
    if (a->form == COMPACT_FLAGS)
        return (VkrPredicate){
            .kind = VKR_PREDICATE_FLAGS,
            .flags = {.format = VKR_FLAGS_U8, .range = {b->moves->flags.buffer, 0, n}}};
    if (compact_rows[a->form].of_runs)
        return (VkrPredicate){.kind = VKR_PREDICATE_UNIQUE};
    VkrPredicate p = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_GREATER};
    if (a->type == VKR_TYPE_F32) {
        p.a.f = (double)limit;
    } else {
        uint32_t bits;
        memcpy(&bits, &limit, sizeof bits);
        p.a.u = bits;
    }
    return p;
}

VkrResult moves_compact(const bench *b, const arm *a, uint64_t n)
{
    const compact_row *form = &compact_rows[a->form];
    const VkrPayload payload = {.size = 16,
                                .source = {b->moves->payload.buffer, 0, 16 * n},
                                .target = {b->copy.buffer, 0, 16 * n},
                                .texels =
                                    a->storage_only ? (VkrTexels){0} : b->moves->payload.texels};
    const VkrCountOutput count = {.kind = VKR_COUNT_KEPT,
                                  .buffer = b->copy.buffer,
                                  .offset = moves_offset(a, n, MOVED_KINDS)};
    VkrCompactInfo info = {.label = a->name,
                           .input = buffer_view(a, form->of_runs ? &b->moves->runs : &b->data, n),
                           .count = VKR_COUNT_ALL,
                           .predicate = predicate_of(b, a, n),
                           .algorithm = a->algorithm,
                           .stream = a->stream,
                           .countOutputCount = 1,
                           .countOutputs = &count};
    for (uint32_t k = 0; k < MOVED_KINDS; k++) {
        const VkrView view = {
            .buffer = b->copy.buffer, .offset = moves_offset(a, n, k), .size = 4 * n};
        if ((form->outputs >> k & 1u) == 0)
            continue;
        if (k == MOVED_PAYLOAD) {
            info.payloadCount = 1;
            info.payloads = &payload;
        } else {
            memcpy((char *)&info + moved_rows[k].view, &view, sizeof view);
        }
    }
    return vkrCmdCompact(a->recorder, &info);
}
