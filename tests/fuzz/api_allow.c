/* SPDX-License-Identifier: MIT */
/* Changed words of requests, and what a request that has been changed allows. */
#include <string.h>

#include "api.h"

/* ---- Words ---- */

static uint64_t strange_word(uint64_t before)
{
    switch (choose(8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX - choose(16);
    case 2:
        return (uint64_t)1 << choose(64);
    case 3:
        return ((uint64_t)1 << choose(64)) - 1;
    case 4:
        return before + 1;
    case 5:
        return before - 1;
    default:
        return choose(256);
    }
}

void disturb(void *data, size_t size)
{
    static const uint8_t times[] = {0, 0, 0, 1, 1, 1, 2, 4};
    for (uint64_t n = times[choose(8)]; n > 0; n--) {
        const size_t at = 4 * (size_t)choose(size / 4);
        const size_t width = at % 8 == 0 && size - at >= 8 && choose(2) ? 8 : 4;
        uint64_t word = 0;
        memcpy(&word, (char *)data + at, width);
        word = strange_word(word);
        memcpy((char *)data + at, &word, width);
    }
}

/* ---- What a request allows ---- */

static struct {
    operation *operation;
    uint64_t most; /* bytes of a range */
} now;

/* Bounds a size, unless the library can see from the number alone that it is wrong. */
static void bound(VkDeviceSize *size, VkDeviceSize offset)
{
    if (*size > now.most && *size != VK_WHOLE_SIZE && *size <= UINT64_MAX - offset)
        *size %= now.most;
}

/* Changes a buffer to one of the caller's: neither one of the stub's nor one that stands for
 * scratch in the library. */
static void settle(VkBuffer *buffer)
{
    const uint64_t letter = (uint64_t)*buffer;
    if (letter != 0 && letter != '!' && (letter < 'A' || letter >= 'A' + LETTERS))
        *buffer = BUFFER('A' + letter % LETTERS);
}

void allow_range(VkrBufferRange *range, bool written)
{
    settle(&range->buffer);
    bound(&range->size, range->offset);
    if (range->buffer && range->size <= UINT64_MAX - range->offset)
        add_region(now.operation, range->buffer, range->offset, range->size, written);
}

static uint64_t bytes_of(VkrView *view)
{
    bound(&view->size, view->offset);
    bound(&view->bufferSize, 0);
    if ((view->size == 0 || view->size == VK_WHOLE_SIZE) && view->bufferSize > view->offset)
        return view->bufferSize - view->offset;
    return view->size;
}

void allow_view(VkrView *view, uint64_t before, bool written)
{
    settle(&view->buffer);
    VkrBufferRange range = {view->buffer, view->offset - before, bytes_of(view) + before};
    allow_range(&range, written);
    if (view->texels.view && view->texels.size <= UINT64_MAX - view->texels.offset)
        add_region(now.operation, view->buffer, view->texels.offset, view->texels.size, false);
}

void allow_count(VkrGpuCount *count)
{
    settle(&count->buffer);
    if (count->buffer && count->offset <= UINT64_MAX - 8)
        add_region(now.operation, count->buffer, count->offset, count->type == VKR_TYPE_U64 ? 8 : 4,
                   false);
}

static void allow_flags(VkrFlagView *flags)
{
    allow_range(&flags->range, flags->hook != NULL);
}

void allow_predicate(VkrPredicate *predicate)
{
    allow_range(&predicate->gpuConstants, false);
    if (predicate->kind == VKR_PREDICATE_FLAGS)
        allow_flags(&predicate->flags);
}

static void allow_payloads(VkrPayload *payloads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        allow_range(&payloads[i].source, false);
        allow_range(&payloads[i].target, true);
    }
}

static void allow_counts(VkrCountOutput *counts, uint32_t count)
{
    static const uint64_t sizes[VKR_COUNT_KIND_COUNT] = {4, 4, 4, 8, 8, 8, 12, 12};
    for (uint32_t i = 0; i < count; i++) {
        settle(&counts[i].buffer);
        if ((uint32_t)counts[i].kind < VKR_COUNT_KIND_COUNT && counts[i].offset <= UINT64_MAX - 12)
            add_region(now.operation, counts[i].buffer, counts[i].offset, sizes[counts[i].kind],
                       true);
    }
}

void allow_segments(VkrSegments *segments)
{
    if (segments->kind == VKR_SEGMENTS_KEYS) {
        allow_view(&segments->keys, 0, false);
        allow_view(&segments->runs.uniqueKeys, 0, true);
        allow_view(&segments->runs.lengths, 0, true);
    }
    if (segments->kind == VKR_SEGMENTS_FLAGS)
        allow_flags(&segments->flags);
    if (segments->kind == VKR_SEGMENTS_OFFSETS) {
        allow_range(&segments->offsets, false);
        allow_count(&segments->gpuCount);
    }
}

void start_request(operation *o)
{
    const uint64_t groups =
        (uint64_t)plan.device.maxComputeWorkGroupCount[0] * plan.device.maxComputeWorkGroupCount[1];
    const uint64_t range = plan.device.maxStorageBufferRange;
    now.most = WINDOWS * (range < 128 * groups ? range : 128 * groups);
    now.operation = o;
    *o = (operation){0};
}

/* ---- Pointers ---- */

VkrModule functions;

const VkrHook *choose_hook(const VkrHook *given, const char *name)
{
    static VkrHook hooks[4]; /* of a request */
    static uint32_t next;
    if (functions == NULL || choose(4) != 0)
        return given;
    next = (next + 1) % ARRAY_SIZE(hooks);
    hooks[next] = (VkrHook){.module = functions, .name = name};
    return &hooks[next];
}

const VkrMonoid *choose_monoid(const VkrMonoid *given)
{
    static VkrHook hook;
    static VkrMonoid monoid;
    if (functions == NULL || choose(4) != 0)
        return given;
    hook = (VkrHook){.module = functions, .name = choose(2) ? "load" : "load_index"};
    monoid =
        (VkrMonoid){&hook, "combine", "identity", choose(2) ? "finish" : NULL, (VkBool32)choose(2)};
    return &monoid;
}

void keep_pointers(VkrView *view, const VkrView *given)
{
    view->image = given->image;
    view->map = given->map;
}

void keep_predicate_pointers(VkrPredicate *predicate, const VkrPredicate *given)
{
    predicate->flags.hook = choose_hook(given->flags.hook, "is_odd");
    if (predicate->flags.hook != given->flags.hook)
        predicate->kind = VKR_PREDICATE_FLAGS;
}

void keep_segment_pointers(VkrSegments *segments, const VkrSegments *given)
{
    segments->flags.hook = choose_hook(given->flags.hook, "is_odd");
    keep_pointers(&segments->keys, &given->keys);
    keep_pointers(&segments->runs.uniqueKeys, &given->runs.uniqueKeys);
    keep_pointers(&segments->runs.lengths, &given->runs.lengths);
}

/* Copies an array that `count` says the length of, and changes words of it. Returns whether there
 * is room for as many. */
static bool copy_entries(void *copies, uint32_t count, const void *given, uint32_t given_count,
                         size_t size)
{
    memset(copies, 0, MAX_ENTRIES * size);
    if (given_count != 0)
        memcpy(copies, given, given_count * size);
    if (count > MAX_ENTRIES)
        return false;
    disturb(copies, given_count * size);
    return true;
}

VkrCountOutput *copy_counts(uint32_t count, const VkrCountOutput *given, uint32_t given_count,
                            VkrCountOutput copies[MAX_ENTRIES])
{
    if (!copy_entries(copies, count, given, given_count, sizeof *copies))
        return NULL;
    allow_counts(copies, count);
    return copies;
}

VkrPayload *copy_payloads(uint32_t count, const VkrPayload *given, uint32_t given_count,
                          VkrPayload copies[MAX_ENTRIES])
{
    if (!copy_entries(copies, count, given, given_count, sizeof *copies))
        return NULL;
    allow_payloads(copies, count);
    return copies;
}

VkrSortKey *copy_sort_keys(uint32_t count, const VkrSortKey *given, uint32_t given_count,
                           VkrSortKey copies[MAX_ENTRIES])
{
    if (!copy_entries(copies, count, given, given_count, sizeof *copies))
        return NULL;
    for (uint32_t i = 0; i < MAX_ENTRIES; i++) {
        keep_pointers(&copies[i].keys, i < given_count ? &given[i].keys : &(VkrView){0});
        if (i < count)
            allow_view(&copies[i].keys, 0, false);
    }
    return copies;
}

VkrMergePayload *copy_merge_payloads(uint32_t count, const VkrMergePayload *given,
                                     uint32_t given_count, VkrMergePayload copies[MAX_ENTRIES])
{
    if (!copy_entries(copies, count, given, given_count, sizeof *copies))
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        allow_range(&copies[i].a, false);
        allow_range(&copies[i].b, false);
        allow_range(&copies[i].target, true);
    }
    return copies;
}
