/* SPDX-License-Identifier: MIT */
/* Stream reduction: the checks of its options, and the requests that it does not support. */
#include "../compact/compact.h"

#include <inttypes.h>

/* ---- Options ---- */

/* Which options an algorithm has. */
static const struct {
    bool block, block_scan, search, concatenation;
} has[VKR_COMPACT_ALGORITHM_COUNT] = {
    [VKR_COMPACT_HORN] = {.search = true},
    [VKR_COMPACT_BLELLOCH_GATHER] = {.search = true},
    [VKR_COMPACT_ROGER] = {true, true, true, true},
    [VKR_COMPACT_ROGER_SEQUENTIAL] = {.block = true, .concatenation = true},
};

static VkrResult check_options(const vkr_compact *c)
{
    const VkrStreamOptions *o = &c->info->stream;
    const vkr_walk *w = &c->walk;
    const int algorithm = (int)c->info->algorithm;
    const struct {
        const char *field;
        int value, count;
        bool is_there;
    } choices[] = {
        {"stream.blockScan", (int)o->blockScan, VKR_BLOCK_SCAN_COUNT, has[algorithm].block_scan},
        {"stream.search", (int)o->search, VKR_STREAM_SEARCH_COUNT, has[algorithm].search},
        {"stream.concatenation", (int)o->concatenation, VKR_CONCATENATION_COUNT,
         has[algorithm].concatenation},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(choices); i++) {
        VKR_TRY(vkr_check_choice(w, choices[i].field, choices[i].value, choices[i].count));
        VKR_MUST(w, choices[i].is_there || choices[i].value == 0,
                 "%s is %d, but must be 0 where algorithm is %s.", choices[i].field,
                 choices[i].value, vkrCompactAlgorithmName(c->info->algorithm));
    }
    VKR_MUST(w, has[algorithm].block || o->block == 0,
             "stream.block is %u, but must be 0 where algorithm is %s.", o->block,
             vkrCompactAlgorithmName(c->info->algorithm));
    VKR_MUST(
        w, o->block == 0 || (o->block >= 8 && o->block <= 1024 && (o->block & (o->block - 1)) == 0),
        "stream.block is %u, but must be 0 or a power of two from 8 to 1024.", o->block);
    return VKR_SUCCESS;
}

/* ---- Unsupported requests ---- */

static bool has_rejected_outputs(const vkr_compact *c)
{
    const vkr_side *rejected = &c->sides[VKR_REJECTED];
    return vkr_is_listed(c, VKR_REJECTED) || vkr_has_buffer(&rejected->values) ||
           vkr_has_buffer(&rejected->indices);
}

VkrResult vkr_check_stream(const vkr_compact *c)
{
    const vkr_walk *w = &c->walk;
    const char *name = vkrCompactAlgorithmName(c->info->algorithm);
    VKR_TRY(check_options(c));
    if (!vkr_is_stream(c->info))
        return VKR_SUCCESS;
    VKR_NEED(w, !has_rejected_outputs(c),
             "algorithm is %s, but must be another one where rejected outputs are requested.",
             name);
    VKR_NEED(w, w->count < (uint64_t)1 << 30,
             "algorithm is %s, but count is %" PRIu64 " and must then be below 2^30.", name,
             w->count);
    return VKR_SUCCESS;
}

/* The size in bytes of the longest array that a dispatch binds: the values that blocks keep, or a
 * word for each element. Blelloch's tree rounds the number of words up to a power of two. */
static VkDeviceSize longest(const vkr_compact *c)
{
    const uint64_t leaves = UINT64_C(1) << vkr_log2_up(c->walk.count);
    const bool tree = c->info->algorithm == VKR_COMPACT_BLELLOCH_GATHER;
    const VkDeviceSize sums = 4 * (tree ? leaves : c->walk.count);
    const bool values = vkr_has_buffer(&c->sides[VKR_KEPT].values);
    return vkr_max(sums, values ? c->walk.count * vkr_element_size(&c->input) : 0);
}

VkrResult vkr_check_stream_reach(const vkr_compact *c, const vkr_all_stored *all)
{
    const vkr_walk *w = &c->walk;
    const vkr_caps *caps = &c->walk.context->caps;
    const char *name = vkrCompactAlgorithmName(c->info->algorithm);
    const bool reaches_input = !vkr_has_buffer(&c->sides[VKR_KEPT].values) ||
                               vkr_view_window(caps, &c->input, 0) >= w->count;
    VKR_FIT(w, w->count <= w->window && reaches_input && longest(c) <= vkr_room(caps),
            "algorithm is %s, but count is %" PRIu64 ", and these elements, and a word for each,",
            name, w->count);
    for (uint32_t i = 0; i < all->count; i++)
        VKR_FIT(w, all->sets[i].limit[VKR_KEPT] <= all->sets[i].window[VKR_KEPT],
                "algorithm is %s, but kept outputs of %" PRIu64 " elements", name,
                all->sets[i].limit[VKR_KEPT]);
    return VKR_SUCCESS;
}
