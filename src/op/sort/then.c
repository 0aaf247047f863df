/* SPDX-License-Identifier: MIT */
/* Sorts by several keys, of which later ones decide among elements whose earlier keys are equal. A
 * sort by the last key makes a list of indices; then, for each key before it, the keys are gathered
 * by the list, and a stable sort of them moves the list. */
#include <stdio.h>

#include "../../plan/rows.h"
#include "../../plan/stage.h"
#include "request.h"

/* ---- Checks ---- */

VkrResult vkr_check_sort_bits(const vkr_walk *w, const char *prefix, uint32_t begin, uint32_t end,
                              vkr_sort_key *key)
{
    const vkr_type_info *type = key->keys.type;
    const uint32_t bits = 8 * type->size;
    const bool all = begin == 0 && end == 0;
    VKR_MUST(w, all || !type->is_float,
             "%sbeginBit is %u and endBit %u, but both must be 0 for keys of type %s.", prefix,
             begin, end, type->name);
    VKR_MUST(w, all || (begin < end && end <= bits),
             "%sbeginBit is %u and endBit %u, but beginBit must be less than endBit, and endBit at "
             "most %u.",
             prefix, begin, end, bits);
    key->begin = begin;
    key->end = all ? bits : end;
    return VKR_SUCCESS;
}

void vkr_set_sort_order(uint32_t flags, vkr_sort_key *key)
{
    key->order = vkr_order_of(key->keys.type, (flags & VKR_SORT_DESCENDING_BIT) != 0,
                              (flags & VKR_SORT_NAN_FIRST_BIT) != 0);
    if ((flags & VKR_SORT_BY_VALUE_BIT) != 0)
        vkr_order_by_value(&key->order);
}

static VkrResult check_then(const vkr_walk *w, uint32_t i, const VkrSortKey *asked,
                            vkr_sort_key *key)
{
    char prefix[24], keys[32];
    (void)snprintf(prefix, sizeof(prefix), "then[%u].", i);
    (void)snprintf(keys, sizeof(keys), "then[%u].keys", i);
    VKR_MUST(w, (asked->flags & ~vkr_known_flags(VKR_FLAGS_OF_SORT)) == 0,
             "%sflags is %s, but must have only bits of VkrSortFlagBits.", prefix,
             vkr_flag_names(VKR_FLAGS_OF_SORT, asked->flags).text);
    VKR_TRY(vkr_check_input(w, keys, &asked->keys, w->count, &key->keys));
    VKR_TRY(vkr_check_input_handles(w, keys, &asked->keys, &key->keys));
    VKR_MUST_BE(w, key->keys.components == 1, keys, ".components", key->keys.components,
                "be 1, also after a map.");
    VKR_TRY(vkr_check_holds(w, keys, &key->keys));
    vkr_set_sort_order(asked->flags, key);
    return vkr_check_sort_bits(w, prefix, asked->beginBit, asked->endBit, key);
}

VkrResult vkr_check_sort_then(vkr_sort_call *c)
{
    const VkrSortInfo *info = c->info;
    VKR_MUST(&c->walk, info->thenCount <= VKR_MAX_SORT_THEN,
             "thenCount is %u, but must be at most %u.", info->thenCount, VKR_MAX_SORT_THEN);
    VKR_MUST(&c->walk, info->thenCount == 0 || info->then != NULL,
             "then is NULL, but must point to the %u of thenCount.", info->thenCount);
    for (uint32_t i = 0; i < info->thenCount; i++)
        VKR_TRY(check_then(&c->walk, i, &info->then[i], &c->then[i]));
    return VKR_SUCCESS;
}

/* ---- Steps ---- */

/* Memory for the gathered keys of each sort but the first one. */
static VkrResult add_room(VkrRecorder recorder, const vkr_sort_call *c, vkr_view *room)
{
    uint32_t size = c->sort.keys.type->size;
    for (uint32_t i = 0; i + 1 < c->info->thenCount; i++)
        size = size > c->then[i].keys.type->size ? size : c->then[i].keys.type->size;
    return vkr_add_sort_scratch(recorder, c->walk.count, vkr_type_of_size(size), 1, room);
}

static void take_key(vkr_sort *sort, const vkr_sort_key *key)
{
    sort->keys = key->keys;
    sort->order = key->order;
    sort->begin = key->begin;
    sort->end = key->end;
}

/* Replaces the keys of a sort by copies in the order of its list. */
static VkrResult gather_keys(VkrRecorder recorder, vkr_sort *sort, vkr_view room)
{
    room.type = sort->keys.type;
    room.type_id = sort->keys.type_id;
    room.stride = room.type->size;
    const vkr_gathered keys = {sort->keys, room, "keys", "gathered keys"};
    VKR_TRY(vkr_gather_sorted(recorder, sort, &sort->values, &keys));
    sort->keys = room;
    return VKR_SUCCESS;
}

VkrResult vkr_plan_sort_keys(VkrRecorder recorder, vkr_sort_call *c, const vkr_sort *whole)
{
    const uint32_t count = c->info->thenCount;
    vkr_sort sort = *whole;
    vkr_view room;
    if (count == 0 || whole->count == 0)
        return vkr_plan_sort(recorder, whole);
    for (uint32_t i = 0; i < count; i++)
        VKR_TRY(vkr_stage(recorder, &c->walk, whole->count, &c->then[i].keys));
    VKR_TRY(add_room(recorder, c, &room));
    take_key(&sort, &c->then[count - 1]);
    sort.sorted = (vkr_view){0};
    VKR_TRY(vkr_add_sort_scratch(recorder, whole->count, VKR_TYPE_U32, 1, &sort.ranked));
    VKR_TRY(vkr_plan_sort(recorder, &sort));
    for (uint32_t i = count - 1; i > 0; i--) {
        take_key(&sort, &c->then[i - 1]);
        sort.values = sort.ranked;
        VKR_TRY(gather_keys(recorder, &sort, room));
        VKR_TRY(vkr_plan_sort(recorder, &sort));
    }
    const vkr_view list = sort.ranked;
    sort = *whole;
    sort.values = list;
    VKR_TRY(gather_keys(recorder, &sort, room));
    return vkr_plan_sort(recorder, &sort);
}
