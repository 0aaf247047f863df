/* SPDX-License-Identifier: MIT */
/* vkrGetUses: lists what a recording does to the caller's resources, each use once. */
#include "message.h"
#include "recorder.h"

#include <string.h>

/* The uses listed so far: a hash table of accesses, each as its number plus 1, so that 0 is a free
 * slot. Access k of step i has number i * VKR_MAX_ACCESSES + k. */
typedef struct use_set {
    const vkr_step *steps;
    uint32_t *slots;
    uint32_t mask;
    uint64_t work;
} use_set;

static const vkr_access *access_of(const use_set *set, uint32_t number)
{
    return &set->steps[number / VKR_MAX_ACCESSES].accesses[number % VKR_MAX_ACCESSES];
}

static bool same_access(const vkr_access *a, const vkr_access *b)
{
    if (a->buffer != b->buffer || a->stages != b->stages || a->access != b->access)
        return false;
    if (a->buffer)
        return a->offset == b->offset && a->size == b->size;
    const VkImageSubresourceRange *x = &a->subresource;
    const VkImageSubresourceRange *y = &b->subresource;
    return a->image == b->image && x->aspectMask == y->aspectMask &&
           x->baseMipLevel == y->baseMipLevel && x->levelCount == y->levelCount &&
           x->baseArrayLayer == y->baseArrayLayer && x->layerCount == y->layerCount;
}

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) + UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

static uint64_t hash_of(const vkr_access *access)
{
    const VkImageSubresourceRange *range = &access->subresource;
    const uint64_t hash = mix((uint64_t)access->stages << 32, access->access);
    if (access->buffer)
        return mix(mix(mix(hash, (uint64_t)access->buffer), access->offset), access->size);
    return mix(mix(mix(hash, (uint64_t)access->image),
                   (uint64_t)range->aspectMask << 32 | range->baseMipLevel),
               (uint64_t)range->baseArrayLayer << 32 | (range->layerCount ^ range->levelCount));
}

/* Adds an access. Returns true unless an equal access was already in the set. */
static bool add_use(use_set *set, uint32_t number)
{
    const vkr_access *access = access_of(set, number);
    uint32_t slot = (uint32_t)hash_of(access) & set->mask;
    for (; set->slots[slot]; slot = (slot + 1) & set->mask) {
        set->work++;
        if (same_access(access_of(set, set->slots[slot] - 1), access))
            return false;
    }
    set->slots[slot] = number + 1;
    return true;
}

/* Empties the set, with room for all accesses of the recording: at least half of its slots stay
 * free. */
static VkrResult open_set(VkrRecorder recorder, use_set *set)
{
    uint64_t accesses = 0;
    uint64_t slots = 1;
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        accesses += recorder->steps[i].access_count;
    while (slots < 2 * accesses)
        slots *= 2;
    const uint64_t largest = UINT32_MAX / VKR_MAX_ACCESSES;
    VKR_TRY(
        vkr_reserve_memory(recorder, "vkrGetUses",
                           recorder->now.steps > largest ? UINT64_MAX : slots * sizeof(uint32_t)));
    *set = (use_set){
        .steps = recorder->steps, .slots = recorder->memory, .mask = (uint32_t)(slots - 1)};
    memset(set->slots, 0, (size_t)slots * sizeof(uint32_t));
    return VKR_SUCCESS;
}

static bool is_callers(const vkr_access *access)
{
    return access->buffer != VKR_SCRATCH && access->buffer != VKR_COUNTERS;
}

static uint32_t list_uses(const struct VkrRecorder_T *recorder, use_set *set, uint32_t room,
                          VkrUse *uses)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < recorder->now.steps; i++) {
        for (uint32_t k = 0; k < recorder->steps[i].access_count && count < room; k++) {
            const vkr_access *a = &recorder->steps[i].accesses[k];
            if (!is_callers(a) || !add_use(set, i * VKR_MAX_ACCESSES + k))
                continue;
            if (uses) {
                uses[count] = (VkrUse){.buffer = a->buffer,
                                       .offset = a->offset,
                                       .size = a->size,
                                       .image = a->image,
                                       .subresource = a->subresource,
                                       .stages = a->stages,
                                       .access = a->access};
            }
            count++;
        }
    }
    return count;
}

VkrResult vkrGetUses(VkrRecorder recorder, uint32_t *useCount, VkrUse *uses)
{
    VKR_TRY(vkr_check_collecting(recorder, "vkrGetUses"));
    if (!useCount) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetUses: useCount is NULL, but must point to a uint32_t.");
    }
    use_set set;
    recorder->error = open_set(recorder, &set);
    VKR_TRY(recorder->error);
    *useCount = list_uses(recorder, &set, uses ? *useCount : UINT32_MAX, uses);
    recorder->work += set.work;
    return VKR_SUCCESS;
}
