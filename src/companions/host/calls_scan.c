/* SPDX-License-Identifier: MIT */
/* Scans of arrays. In chunks, the total of one is the initial value of the next. */
#include "calls.h"

#define ALIGNED 64u /* what ranges in buffers start at multiples of, in bytes */

typedef struct scan {
    host_call call;
    const VkrHostScanInfo *given;
    VkrScanInfo info;
    bool in_place;
    call_array input, output, total, mask, offsets, flags;
    uint64_t items, chunk; /* elements or rows */
    uint64_t length;       /* elements of an item */
    bool columns;          /* which have totals of their own */
    VkrHostMemory totals;  /* of the chunk and of the one before, in turns */
    uint64_t done;         /* chunks that are recorded */
} scan;

static VkrResult check(const scan *s)
{
    const VkrScanInfo *info = &s->given->scan;
    HOST_TRY(call_count(&s->call, "scan.count", info->count, &info->gpuCount));
    return CALL_ABSENT(&s->call, {info->gpuInitial.buffer != VK_NULL_HANDLE, "scan.gpuInitial"},
                       {info->total.buffer != VK_NULL_HANDLE, "scan.total"},
                       {info->mask.flags.range.buffer != VK_NULL_HANDLE, "scan.mask.flags.range"},
                       {info->mask.flags.hook != NULL, "scan.mask.flags.hook"},
                       {info->mask.image != NULL, "scan.mask.image"},
                       {info->monoid != NULL, "scan.monoid"});
}

static VkrResult describe(scan *s)
{
    const VkrHostScanInfo *g = s->given;
    const VkrScanInfo *info = &g->scan;
    const host_call *c = &s->call;
    const call_view input = {
        "input", g->input, "scan.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        true,         false};
    /* Of rows that lie apart, what lies between results stays. */
    const VkrHostAccess access =
        call_lie_apart(&info->segments) ? VKR_HOST_READ_WRITE : VKR_HOST_WRITE;
    call_view output = {"output", g->output, "scan.output", &info->output, info->count, access,
                        0,        1,         false,         false};
    VkrType type;
    HOST_TRY(call_describe(c, &input, &s->input));
    s->info = *info;
    s->info.input.offset = 0;
    s->info.input.size = s->input.size;
    HOST_TRY(vkrGetScanType(vkrHostContext(c->host), &s->info, &type));
    output.type = type;
    output.components = info->input.map != NULL ? 1 : s->input.components;
    HOST_TRY(call_describe(c, &output, &s->output));
    s->in_place = s->output.data == s->input.data && s->output.stride == s->input.stride &&
                  s->output.type == s->input.type && info->input.map == NULL;
    if (s->in_place)
        s->input.access = VKR_HOST_READ_WRITE;
    s->columns = info->segments.kind == VKR_SEGMENTS_COLUMNS && info->segments.length != 0;
    const uint64_t each = s->columns ? info->segments.length : 1;
    const uint64_t totals = g->total != NULL ? each * output.components : 0;
    HOST_TRY(call_pack(c, "total", g->total, totals, vkrTypeSize(type), vkrTypeSize(type),
                       VKR_HOST_WRITE, &s->total));
    s->mask = (call_array){.bits = 1};
    if (g->mask != NULL)
        HOST_TRY(call_flags(c, "mask", g->mask, info->mask.flags.format, info->count, &s->mask));
    HOST_TRY(call_segments(c, &info->segments, &g->segments, "scan", info->count, &s->offsets,
                           &s->flags));
    const call_array *all[] = {
        s->in_place ? NULL : &s->output, &s->input, &s->total, &s->mask, &s->offsets, &s->flags};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

/* ---- Chunks ---- */

/* Whether bits of results depend on where blocks of VKR_SCAN_BLOCK elements start: float sums and
 * products of VKR_DETERMINISM_DEVICE. */
static bool has_blocks(const scan *s)
{
    return s->info.determinism == VKR_DETERMINISM_DEVICE && s->output.type >= VKR_TYPE_F16 &&
           (s->info.op == VKR_OP_SUM || s->info.op == VKR_OP_PRODUCT);
}

/* The smallest number of rows that are whole blocks. */
static uint64_t rows_of_blocks(uint64_t length)
{
    uint64_t rows = VKR_SCAN_BLOCK;
    for (; rows > 1 && length % 2 == 0; length /= 2)
        rows /= 2;
    return rows;
}

static const char *why_whole(const scan *s)
{
    const VkrScanInfo *info = &s->info;
    const uint64_t rest = info->count % s->length; /* of the last row, and what follows it */
    if (info->segments.kind != VKR_SEGMENTS_NONE && info->segments.kind != VKR_SEGMENTS_ROWS &&
        !s->columns)
        return "scan.segments.kind is none of none, rows and columns, so that there are no chunks";
    if (has_blocks(s) && (info->flags & VKR_SCAN_REVERSE_BIT) != 0 && rest != 0 &&
        rest < info->segments.length)
        return "scan.flags has VKR_SCAN_REVERSE_BIT and the last row is shorter, so that there are "
               "no chunks with the bits of VKR_DETERMINISM_DEVICE";
    if (s->mask.bits > 1 && (info->flags & VKR_SCAN_REVERSE_BIT) != 0)
        return "scan.flags has VKR_SCAN_REVERSE_BIT and the mask consists of bits, so that there "
               "are no chunks";
    return NULL;
}

static VkrResult cut(scan *s)
{
    const VkrScanInfo *info = &s->info;
    const bool rows =
        s->columns || (info->segments.kind == VKR_SEGMENTS_ROWS && info->segments.length != 0);
    s->length = rows ? info->segments.length : 1;
    if (call_lie_apart(&info->segments))
        s->length = info->segments.pitch;
    s->items = info->count / s->length + (info->count % s->length != 0);
    const uint64_t blocks =
        rows && !s->columns ? rows_of_blocks(info->segments.length) : VKR_SCAN_BLOCK;
    call_plan plan = {.items = s->items,
                      .unit = has_blocks(s) ? blocks
                              : rows        ? s->mask.bits
                                            : VKR_SCAN_RUN,
                      .size = s->given->chunkSize,
                      .whole = why_whole(s)};
    call_plan_items(&plan, &s->input, s->length);
    if (!s->in_place)
        call_plan_items(&plan, &s->output, s->length);
    call_plan_all(&plan, &s->offsets);
    call_plan_items(&plan, &s->flags, s->length);
    call_plan_items(&plan, &s->mask, s->length);
    return call_cut(&s->call, &plan, &s->chunk);
}

/* The total of chunk k, on the device. */
static VkDeviceSize offset_of(const scan *s, uint64_t k)
{
    return k % 2 * ((s->total.size + ALIGNED - 1) / ALIGNED * ALIGNED);
}

static VkrBufferRange total_of(const scan *s, uint64_t k)
{
    return (VkrBufferRange){s->totals.buffer, s->totals.offset + offset_of(s, k), s->total.size};
}

static VkrResult record(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    scan *s = data;
    VkrScanInfo info = s->info;
    const bool whole = s->chunk == s->items;
    const bool reversed = (info.flags & VKR_SCAN_REVERSE_BIT) != 0;
    /* The last chunk of rows may have a shorter one; a reversed scan starts with the last one. */
    const uint64_t start = (reversed ? s->items - first - count : first) * s->length;
    const uint64_t all = s->info.count;
    info.count = whole ? all : host_min(count * s->length, all - start);
    HOST_TRY(call_attach(host, &s->input, start, info.count, &info.input));
    if (s->in_place)
        info.output = info.input;
    else
        HOST_TRY(call_attach(host, &s->output, start, info.count, &info.output));
    HOST_TRY(call_attach_range(host, &s->offsets, 0, s->offsets.count, &info.segments.offsets));
    HOST_TRY(call_attach_range(host, &s->flags, start, info.count, &info.segments.flags.range));
    HOST_TRY(call_attach_range(host, &s->mask, start, info.count, &info.mask.flags.range));
    if (whole) {
        HOST_TRY(call_attach_range(host, &s->total, 0, s->total.count, &info.total));
        return vkrCmdScan(vkrHostRecorder(host), &info);
    }
    info.total = total_of(s, s->done);
    if (s->done != 0 && (s->columns || s->info.segments.kind == VKR_SEGMENTS_NONE)) {
        info.initial = NULL;
        info.gpuInitial = total_of(s, s->done - 1);
    }
    s->done++;
    return vkrCmdScan(vkrHostRecorder(host), &info);
}

static VkrResult run(scan *s)
{
    const host_call *c = &s->call;
    const call_work work = {.items = s->items, .chunk = s->chunk, .data = s, .record = record};
    if (s->chunk == s->items)
        return call_run(c, &work);
    /* Chunks need totals even where the caller does not. */
    s->total.size =
        (VkDeviceSize)s->output.components * s->output.unit * (s->columns ? s->length : 1);
    HOST_TRY(
        host_alloc(c->host, offset_of(s, 1) + s->total.size, VKR_HOST_MEMORY_RESULT, &s->totals));
    VkrResult result = call_run(c, &work);
    if (result == VKR_SUCCESS && s->given->total != NULL)
        result = host_read(c->host, &s->totals, offset_of(s, s->done - 1), s->total.size,
                           s->given->total);
    vkrHostFree(c->host, &s->totals);
    return result;
}

VkrResult vkrHostScan(VkrHost host, const VkrHostScanInfo *info)
{
    scan s = {.given = info};
    HOST_TRY(call_enter(&s.call, host, "vkrHostScan", info));
    HOST_TRY(check(&s));
    HOST_TRY(describe(&s));
    HOST_TRY(cut(&s));
    return run(&s);
}
