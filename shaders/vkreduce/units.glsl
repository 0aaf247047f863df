/* SPDX-License-Identifier: MIT */
/* The elements of a unit of a selection, and how they are loaded: in packs of 16 bytes, where they
 * are packed, or singly. */
#ifndef VKR_UNITS_GLSL
#define VKR_UNITS_GLSL

/* Packs that an invocation loads at once, and the elements of a pack. */
const uint VKR_PACKS = VKR_UNIT_BYTES < 4 ? uint(VKR_UNIT_BYTES) : 4u;
const uint VKR_PER_PACK = 16u / uint(VKR_UNIT_BYTES);
const bool VKR_CONTIGUOUS = (VKR_FLAGS & VKR_FLAG_CONTIGUOUS) != 0u;
#ifdef VKR_NTH
const bool VKR_IS_WHOLE = VKR_MODE == VKR_NTH_ROW;
#else
const bool VKR_IS_WHOLE = VKR_MODE == VKR_SELECT_ROW;
#endif

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_input_base = push.input_base;
uint vkr_input_stride = push.input_stride;
uint vkr_first_element = push.first_element;

VkrKey vkr_key_of_unit(const uint at)
{
    return vkr_compared_key(VkrKey(vkr_input[at]));
}

VkrKey vkr_key_at(const uint element)
{
    return vkr_key_of_unit(vkr_input_base + (element - vkr_first_element) * vkr_input_stride);
}

/* Element `i` of a pack, which is a constant where this is called. */
VkrKey vkr_key_of_pack(const uvec4 words, const uint i)
{
#if VKR_UNIT_BYTES == 8
    return vkr_compared_key(i == 0u ? words.xy : words.zw);
#elif VKR_UNIT_BYTES == 4
    return vkr_compared_key(words[i]);
#else
    const uint each = 4u / uint(VKR_UNIT_BYTES);
    uint bits = words[i / each] >> i % each * VKR_KEY_BITS & VKR_KEY_MASK;
    return vkr_compared_key(bits);
#endif
}

/* The elements of a unit. */
struct VkrUnitShare {
    uint row;  /* in this dispatch: of states and tables of counts */
    uint list; /* likewise, of lists of entries */
    uint unit; /* likewise, of tallies */
    uint part; /* of the row */
    uint skipped; /* elements of the row before it */
    uint begin;
    uint end;
    uint row_length;
    uint wanted; /* entries of the row, unless it has fewer elements */
};

#ifdef VKR_SPANS
uint vkr_lists = push.spans_base + push.lists_at;

/* A unit is a medium segment, or a part of a long one. */
void vkr_find_row(inout VkrUnitShare share, const uint unit)
{
    uint segment;
    share.row = share.part = share.unit = 0u;
    if (VKR_IS_WHOLE) {
        segment = vkr_spans[vkr_lists + VKR_LISTS_WORDS + unit];
    } else {
        share.row = vkr_spans[vkr_lists + push.parts_at + unit];
        uint at = vkr_lists + push.long_at + share.row * VKR_LONG_WORDS;
        segment = vkr_spans[at];
        share.part = unit - vkr_spans[at + 1u];
        share.unit = unit;
    }
    uint span = push.spans_base + segment * VKR_WORDS_OF_SPAN;
    share.list = segment;
    share.row_length = vkr_spans[span + VKR_LENGTH_OF_SPAN];
    share.wanted = vkr_spans[span + VKR_FOUND_OF_SPAN];
    share.begin = vkr_spans[span + VKR_BEGIN_OF_SPAN];
}

/* The units that exist. */
uint vkr_units_listed()
{
    uint list = VKR_IS_WHOLE ? VKR_LISTS_MEDIUM : VKR_LISTS_PARTS;
    return min(vkr_spans[vkr_lists + list], push.units);
}
#else
void vkr_find_row(inout VkrUnitShare share, const uint unit)
{
    uint row = unit / push.parts;
    share.row = share.list = row - push.first_row;
    share.part = unit % push.parts;
    share.unit = share.row * push.parts + share.part;
    share.row_length = vkr_length_of_row(row, vkr_all_elements());
#ifdef VKR_NTH
    share.wanted = push.ranks;
#else
    share.wanted = push.wanted;
#endif
    share.begin = row * push.row_pitch;
}
#endif

VkrUnitShare vkr_share_of(const uint unit)
{
    VkrUnitShare share;
    vkr_find_row(share, unit);
    /* The last part may end near 2^32, so its size must not be added before it is cut. */
    share.skipped = min(share.part * push.share, share.row_length);
    share.begin += share.skipped;
    share.end = share.begin + min(push.share, share.row_length - share.skipped);
    return share;
}

/* How the elements of a unit are loaded, as numbers of units in the buffer: `packs` whole packs
 * start at pack `first`; elements before and after them, or all elements of an array that is not
 * packed, are loaded singly. */
struct VkrPlan {
    uint first;
    uint packs;
    uint begin; /* of single elements */
    uint head;  /* single elements before the packs */
    uint after; /* the first one after the packs */
    uint singles;
};

VkrPlan vkr_plan_of(const VkrUnitShare share)
{
    VkrPlan plan;
    uint count = share.end - share.begin;
    plan.begin = vkr_input_base + (share.begin - vkr_first_element) * vkr_input_stride;
    plan.first = (plan.begin + VKR_PER_PACK - 1u) / VKR_PER_PACK;
    plan.head = min(plan.first * VKR_PER_PACK - plan.begin, count);
    plan.packs = (count - plan.head) / VKR_PER_PACK;
    if ((VKR_FLAGS & VKR_FLAG_PACKED) == 0u) {
        plan.head = count;
        plan.packs = 0u;
    }
    plan.after = (plan.first + plan.packs) * VKR_PER_PACK;
    plan.singles = count - plan.packs * VKR_PER_PACK;
    return plan;
}

VkrKey vkr_single_key(const VkrPlan plan, const uint i)
{
    uint at = plan.begin + i * vkr_input_stride;
    return vkr_key_of_unit(i < plan.head ? at : plan.after + (i - plan.head));
}

/* The number of an invocation's first pack, of the packs that it loads at once, and the distance
 * from each of these to the next one. */
uint vkr_first_pack()
{
    return gl_LocalInvocationIndex * (VKR_CONTIGUOUS ? VKR_PACKS : 1u);
}

uint vkr_next_pack()
{
    return VKR_CONTIGUOUS ? 1u : VKR_WORKGROUP;
}

#endif
