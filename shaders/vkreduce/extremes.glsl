/* SPDX-License-Identifier: MIT */
/*
 * How units are combined with states if extremes are handled separately, since they would be most
 * of the work for an element:
 *
 * - The minimum and the maximum of floats of up to 32 bits are found among the bits themselves, as
 *   signed and as unsigned integers, and become keys only after the last unit. So are those of
 *   integers of 8 and 16 bits, which are compared at the top of a word: the bits below them cannot
 *   change the result, so they need no mask.
 * - The index of the minimum or the maximum is not updated for every element: an invocation
 *   remembers the batch of units in which its best key appeared, and searches it for the element at
 *   the end. Units ascend, so a later batch must be better, not just equal.
 */
#ifndef VKR_EXTREMES_GLSL
#define VKR_EXTREMES_GLSL

#if VKR_IS_FLOAT && VKR_BYTES != 8
/* NaN that propagates needs keys. */
const uint VKR_BITS_OPS = VKR_PROPAGATE_NAN ? 0u : VKR_BIT_MIN | VKR_BIT_MAX;

/* The sign of a float is the top bit of a word here. As unsigned integers the bits ascend from +0
 * to +infinity, and, after NaN, from -0 to -infinity; negative NaN comes last. After VKR_TURN is
 * added, which wraps, +infinity is the greatest signed integer, and -infinity the greatest unsigned
 * one. So each of these four members is an extreme of the numbers of one sign, if there are any,
 * and NaN never matters. */
#define VKR_TOP_BITS(bits) ((bits) << (32u - 8u * uint(VKR_BYTES)))
const uint VKR_TURN = 0x7fffffffu - VKR_TOP_BITS(VKR_INF);
struct VkrExtremeBits {
    uint least_positive;
    uint least_negative; /* turned */
    int greatest_positive; /* turned */
    int greatest_negative;
};
#define VKR_NO_BITS VkrExtremeBits(~0u, 0u, int(0x80000000u), 0x7fffffff)

VkrExtremeBits vkr_extended(const VkrExtremeBits x, const uint bits)
{
    uint turned = bits + VKR_TURN;
    return VkrExtremeBits(min(x.least_positive, bits), max(x.least_negative, turned),
                          max(x.greatest_positive, int(turned)),
                          min(x.greatest_negative, int(bits)));
}

/* The keys of the minimum and the maximum: those of NaN if there was no number. */
uvec2 vkr_keys_of(const VkrExtremeBits x)
{
    uint least = x.least_positive;
    if (x.least_negative >= 0x80000000u + VKR_TURN)
        least = x.least_negative - VKR_TURN;
    uint greatest = uint(x.greatest_negative);
    if (x.greatest_positive >= int(VKR_TURN))
        greatest = uint(x.greatest_positive) - VKR_TURN;
    const uint shift = 32u - 8u * uint(VKR_BYTES);
    return uvec2(vkr_min_key(least >> shift), vkr_max_key(greatest >> shift));
}

/* Value v of a unit, of element e, in the form in which it is compared; `pad` is ~0, a NaN, for no
 * element. */
#define VKR_TOP_OF(unit, v, e, pad) (VKR_TOP_BITS((e).bits) | uint(pad))
#elif VKR_BYTES <= 2
/* Elements are masked by their keys. */
const uint VKR_BITS_OPS = VKR_MASKED ? 0u : VKR_BIT_MIN | VKR_BIT_MAX;

struct VkrExtremeBits {
    uint least;
    uint greatest;
};
const uint VKR_LOW_BITS = VKR_SIGNED ? 0x80000000u : 0u;
#define VKR_NO_BITS VkrExtremeBits(~VKR_LOW_BITS, VKR_LOW_BITS)

VkrExtremeBits vkr_extended(const VkrExtremeBits x, const uint bits)
{
    if (VKR_SIGNED)
        return VkrExtremeBits(uint(min(int(x.least), int(bits))),
                              uint(max(int(x.greatest), int(bits))));
    return VkrExtremeBits(min(x.least, bits), max(x.greatest, bits));
}

uvec2 vkr_keys_of(const VkrExtremeBits x)
{
    const uint shift = 32u - 8u * uint(VKR_BYTES);
    return uvec2(vkr_min_key(x.least >> shift), vkr_max_key(x.greatest >> shift));
}

/* Value v of packs in the top bits of a word. */
uint vkr_top_of_packs(uvec4 packs[VKR_PACKS], const uint v)
{
    const uint values = 4u / uint(VKR_BYTES);
    uvec4 pack = packs[VKR_PACKS == 1u ? 0u : v / (4u * values)];
    return pack[v / values % 4u] << (values - 1u - v % values) * (32u / values);
}
#define VKR_TOP_OF(unit, v, e, pad) vkr_top_of_packs((unit).packs, v)
#else
const uint VKR_BITS_OPS = 0u;
struct VkrExtremeBits {
    uint none;
};
#define VKR_NO_BITS VkrExtremeBits(0u)
#define VKR_TOP_OF(unit, v, e, pad) 0u
#define vkr_extended(x, bits) x
#define vkr_keys_of(x) uvec2(0u)
#endif

/* The best keys, and the extremes of the operators that compare bits. */
struct VkrExtremes {
    VkrKey least;
    VkrKey greatest;
    VkrExtremeBits bits;
};

VkrExtremes vkr_extremes[VKR_STATES]; /* of all components */

/* Whether an element can have the key of no element: among floats only NaN has it. If so, the
 * mask's bits of the units of a batch tell whether there was an element. */
#if VKR_IS_FLOAT || VKR_BYTES < 4
#define VKR_PAD_IS_KEY 0
#define VKR_KEPT_IN(unit) 0u
#else
#define VKR_PAD_IS_KEY 1
#define VKR_KEPT_IN(unit) (unit).kept
#endif

/* Whether arguments are found by batches of units, for which not every module has room. */
#if VKR_VECTOR == 1 || VKR_WIDE == 1 || VKR_LOADS == VKR_LOADS_U64
#define VKR_ARGS_BY_UNITS 0
const uint VKR_MIN_ARGS = 0u;
const uint VKR_MAX_ARGS = 0u;
#else
#define VKR_ARGS_BY_UNITS 1
const uint VKR_MIN_ARGS = VKR_OPS & VKR_BIT_ARGMIN;
const uint VKR_MAX_ARGS = VKR_OPS & VKR_BIT_ARGMAX;
#endif

/* Whether extremes are compared as bits, and whether a minimum or a maximum is needed. */
const bool VKR_BY_BITS = VKR_BITS_OPS != 0u;
#define VKR_SEEKS_LEAST (VKR_HAS(VKR_BIT_MIN) || VKR_MIN_ARGS != 0u)
#define VKR_SEEKS_GREATEST (VKR_HAS(VKR_BIT_MAX) || VKR_MAX_ARGS != 0u)

/* Combines a state with an element, except for the extremes that are combined unit by unit. */
VkrState vkr_accumulate_rest(const VkrState s, const VkrElement e, const bool is_left_out)
{
    VkrState t = vkr_accumulate(s, e, is_left_out);
    t.least = s.least;
    t.greatest = s.greatest;
#if VKR_ARGS_BY_UNITS
    t.argmin = s.argmin;
    t.argmax = s.argmax;
#endif
    return t;
}

#if VKR_ARGS_BY_UNITS
bool vkr_is_none(const VkrArg arg)
{
    return arg.index.x == ~0u && (!VKR_WIDE_INDEX || arg.index.y == ~0u);
}

/* Updates an argument with the best key up to the end of a batch, whose first element has the index
 * `first`: that is the argument's index until the walk is over. `kept` has the mask's bits of all
 * units. */
VkrArg vkr_updated_arg(VkrArg arg, const VkrKey key, const uint kept, const uvec2 first)
{
    bool is_better = key < arg.key;
#if VKR_PAD_IS_KEY
    if (VKR_MASKED && vkr_is_none(arg))
        is_better = is_better || kept << (32u - VKR_UNIT_ELEMENTS) != 0u;
#endif
    arg.key = is_better ? key : arg.key;
    arg.index.x = is_better ? first.x : arg.index.x;
    if (VKR_WIDE_INDEX)
        arg.index.y = is_better ? first.y : arg.index.y;
    return arg;
}
#endif

void vkr_start_extremes()
{
    VkrExtremes none = VkrExtremes(VKR_PAD, VKR_PAD, VKR_NO_BITS);
    VKR_FILL(vkr_extremes, none)
}

/* The best keys so far: of the minimum, of the maximum. */
VkrExtremes vkr_settled(VkrExtremes x)
{
    uvec2 keys = vkr_keys_of(x.bits);
    if (VKR_BY_BITS) {
        x.least = VkrKey(keys.x);
        x.greatest = VkrKey(keys.y);
    }
    return x;
}

/* Combines the states with a unit, except for arguments; `index` is that of its first element. */
void vkr_accumulate_unit(inout VkrStates s, const VkrUnit unit, const uvec2 index)
{
    VKR_EACH_OF_UNIT(c) {
        VkrState t = vkr_state_of(s, VKR_AT(c));
        VkrExtremes x;
        VKR_FIND(x, vkr_extremes, VKR_AT(c))
        VKR_EACH_ELEMENT(k) {
            VkrElement e =
                vkr_element_of_unit(unit, k, VKR_AT(c), vkr_add(index, uvec2(k, 0u)));
            bool is_left_out = VKR_LEFT_OUT(VKR_KEEPS(unit.kept >> k));
            VkrKey pad = is_left_out ? VKR_PAD : VkrKey(0);
            t = vkr_accumulate_rest(t, e, is_left_out);
            if (!VKR_BY_BITS && VKR_SEEKS_LEAST)
                x.least = min(x.least, vkr_min_key(e.bits) | pad);
            if (!VKR_BY_BITS && VKR_SEEKS_GREATEST)
                x.greatest = min(x.greatest, vkr_max_key(e.bits) | pad);
            if (VKR_BY_BITS) /* drivers remove the members that no operator needs */
                x.bits = vkr_extended(
                    x.bits, VKR_TOP_OF(unit, k * VKR_COMPONENTS + VKR_AT(c), e, pad));
        }
        VKR_REPLACE(vkr_extremes, VKR_AT(c), x)
        vkr_replace_state(s, VKR_AT(c), t);
    }
}

/* Ends a batch of units, whose first element has the index `index`. */
void vkr_end_batch(inout VkrStates s, const uint kept, const uvec2 index)
{
#if VKR_ARGS_BY_UNITS
    VkrExtremes x = vkr_settled(vkr_extremes[0]);
    if (VKR_MIN_ARGS != 0u)
        s.of[0].argmin = vkr_updated_arg(s.of[0].argmin, x.least, kept, index);
    if (VKR_MAX_ARGS != 0u)
        s.of[0].argmax = vkr_updated_arg(s.of[0].argmax, x.greatest, kept, index);
#endif
}

#if VKR_ARGS_BY_UNITS
/* Replaces an argument's index, which is that of its batch, by that of the first element with its
 * key. `start` is the index of unit 0. If no key was better than that of no element, and no mask
 * has left elements out, the batch is the walk's first. An invocation whose key is not the best of
 * its subgroup need not search: the index of its argument will not matter. */
VkrArg vkr_found(VkrArg arg, const bool is_greatest, const uvec2 start, const VkrWalk walk)
{
    bool is_best = arg.key == vkr_subgroup_least(arg.key);
    uint first = (arg.index.x - start.x) / VKR_UNIT_ELEMENTS;
    if (vkr_is_none(arg)) {
        if (VKR_PAD_IS_KEY == 0 || VKR_MASKED || walk.count == 0u)
            return arg;
        first = walk.first;
    }
    uint found = first * VKR_UNIT_ELEMENTS;
    uint left = min(VKR_BATCH, walk.count - (first - walk.first) / walk.stride);
#if VKR_BYTES <= 2 && !VKR_IS_FLOAT
    /* With that many elements it is faster to search for the unit first. */
    VkrStates unused;
    vkr_clear(unused);
    for (uint b = is_best ? left : 0u; b-- > 0u;) {
        uint u = first + b * walk.stride;
        VkrUnit unit = vkr_load_unit(u);
        VKR_TAKE_KEPT_OF(unit, u)
        vkr_start_extremes();
        vkr_accumulate_unit(unused, unit, uvec2(0u));
        VkrExtremes x = vkr_settled(vkr_extremes[0]);
        if ((is_greatest ? x.greatest : x.least) == arg.key)
            found = u * VKR_UNIT_ELEMENTS;
    }
    first = found / VKR_UNIT_ELEMENTS;
    left = 1u;
#endif
    for (uint b = is_best ? left : 0u; b-- > 0u;) {
        uint u = first + b * walk.stride;
        VkrUnit unit = vkr_load_unit(u);
        VKR_TAKE_KEPT_OF(unit, u)
        for (uint k = VKR_UNIT_ELEMENTS; k-- > 0u;) {
            VkrBits bits = vkr_element_of_unit(unit, k, 0u, uvec2(0u)).bits;
            VkrKey key = is_greatest ? vkr_max_key(bits) : vkr_min_key(bits);
            if (key == arg.key && !VKR_LEFT_OUT(VKR_KEEPS(unit.kept >> k)))
                found = u * VKR_UNIT_ELEMENTS + k;
        }
    }
    arg.index = vkr_add(start, uvec2(found, 0u));
    return arg;
}
#endif

/* Called after the last unit of a walk: `start` is the index of unit 0. */
void vkr_finish_extremes(inout VkrStates s, const uvec2 start, const VkrWalk walk)
{
    VKR_EACH_UNROLLED(c) {
        VkrState t = vkr_state_of(s, VKR_AT(c));
        VkrExtremes x;
        VKR_FIND(x, vkr_extremes, VKR_AT(c))
        x = vkr_settled(x);
        t.least = x.least;
        t.greatest = x.greatest;
        vkr_replace_state(s, VKR_AT(c), t);
    }
#if VKR_ARGS_BY_UNITS
    if (VKR_MIN_ARGS != 0u)
        s.of[0].argmin = vkr_found(s.of[0].argmin, false, start, walk);
    if (VKR_MAX_ARGS != 0u)
        s.of[0].argmax = vkr_found(s.of[0].argmax, true, start, walk);
#endif
}

#endif
