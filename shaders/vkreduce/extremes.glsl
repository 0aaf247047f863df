/* SPDX-License-Identifier: MIT */
/*
 * How states take in units where extremes go a way of their own, since most of an element's work
 * would be theirs:
 *
 * - The minimum and the maximum of floats of up to 32 bits are found among the bits themselves, as
 *   signed and as unsigned integers, and become keys only behind the last unit.
 * - Where the minimum or the maximum lies is not followed from element to element: an invocation
 *   remembers the unit in which its best key appeared, and looks for the element there once it
 *   knows them all. Units ascend, so a later one has to be better, not just as good.
 */
#ifndef VKR_EXTREMES_GLSL
#define VKR_EXTREMES_GLSL

#if VKR_IS_FLOAT && VKR_BYTES != 8
/* NaN that propagates goes by keys. */
const uint VKR_BITS_OPS = VKR_PROPAGATE_NAN ? 0u : VKR_BIT_MIN | VKR_BIT_MAX;

/* The sign of a float is the top bit of a word here. As unsigned integers the bits ascend from +0
 * to +infinity, and, behind NaN, from -0 to -infinity; NaN with a sign comes last. Once VKR_TURN is
 * added, which wraps, +infinity is the greatest signed integer, and -infinity the greatest unsigned
 * one. So each of these four is an extreme of one sign, whatever NaN there is, if there is any
 * number of that sign. */
#define VKR_TOP_BITS(bits) ((bits) << (32u - 8u * uint(VKR_BYTES)))
const uint VKR_TURN = 0x7fffffffu - VKR_TOP_BITS(VKR_INF);
struct VkrExtremes {
    uint least_positive;
    uint least_negative; /* turned */
    int greatest_positive; /* turned */
    int greatest_negative;
};
#define VKR_NO_EXTREMES VkrExtremes(~0u, 0u, int(0x80000000u), 0x7fffffff)

VkrExtremes vkr_extended(const VkrExtremes x, const uint bits)
{
    uint turned = bits + VKR_TURN;
    return VkrExtremes(min(x.least_positive, bits), max(x.least_negative, turned),
                       max(x.greatest_positive, int(turned)),
                       min(x.greatest_negative, int(bits)));
}

/* The keys of the minimum and the maximum: of NaN where there was no number. */
uvec2 vkr_keys_of(const VkrExtremes x)
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
#else
const uint VKR_BITS_OPS = 0u;
struct VkrExtremes {
    uint none;
};
#define VKR_NO_EXTREMES VkrExtremes(0u)
#define VKR_TOP_BITS(bits) 0u
#define vkr_extended(x, bits) x
#define vkr_keys_of(x) uvec2(0u)
#endif

VkrExtremes vkr_extremes[VKR_STATES]; /* of all components */

/* Whether arguments go by units: where a module has room for it. */
#if VKR_VECTOR == 1 || VKR_WIDE == 1 || VKR_LOADS == VKR_LOADS_U64
#define VKR_ARGS_BY_UNITS 0
const uint VKR_MIN_ARGS = 0u;
const uint VKR_MAX_ARGS = 0u;
#else
#define VKR_ARGS_BY_UNITS 1
const uint VKR_MIN_ARGS = VKR_OPS & VKR_BIT_ARGMIN;
const uint VKR_MAX_ARGS = VKR_OPS & VKR_BIT_ARGMAX;
#endif

/* The operators whose extremes go by bits, except where they are known by the keys of arguments, and
 * those for which keys are compared. */
const uint VKR_BY_BITS =
    VKR_OPS & VKR_BITS_OPS &
    ~(VKR_MIN_ARGS / VKR_BIT_ARGMIN * VKR_BIT_MIN | VKR_MAX_ARGS / VKR_BIT_ARGMAX * VKR_BIT_MAX);
#define VKR_MIN_BY_BITS ((VKR_BY_BITS & VKR_BIT_MIN) != 0u)
#define VKR_MAX_BY_BITS ((VKR_BY_BITS & VKR_BIT_MAX) != 0u)
#define VKR_MIN_BY_KEYS ((((VKR_OPS & ~VKR_BY_BITS) & VKR_BIT_MIN) | VKR_MIN_ARGS) != 0u)
#define VKR_MAX_BY_KEYS ((((VKR_OPS & ~VKR_BY_BITS) & VKR_BIT_MAX) | VKR_MAX_ARGS) != 0u)

/* Takes in an element, except for what the unit takes in as a whole. */
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

/* An argument with the best key of a unit, whose first element has the index `first`: that is the
 * argument's index until the walk is over. `kept` are the bits of a mask. */
VkrArg vkr_risen(VkrArg arg, const VkrKey key, const uint kept, const uvec2 first)
{
    bool is_better = key < arg.key;
    /* The first element that a mask keeps can have the key of no element. */
    if (VKR_MASKED && vkr_is_none(arg))
        is_better = is_better || kept << (32u - VKR_UNIT_ELEMENTS) != 0u;
    arg.key = is_better ? key : arg.key;
    arg.index.x = is_better ? first.x : arg.index.x;
    if (VKR_WIDE_INDEX)
        arg.index.y = is_better ? first.y : arg.index.y;
    return arg;
}
#endif

/* Combines the states with a unit; `index` is that of its first element. */
void vkr_accumulate_unit(inout VkrStates s, const VkrUnit unit, const uvec2 index)
{
    VKR_EACH_OF_UNIT(c) {
        VkrState t = s.of[VKR_AT(c)];
        VkrKey least = VKR_PAD;
        VkrKey greatest = VKR_PAD;
        VKR_EACH_ELEMENT(k) {
            VkrElement e =
                vkr_element_of_unit(unit, k, VKR_AT(c), vkr_add(index, uvec2(k, 0u)));
            bool is_left_out = VKR_LEFT_OUT(VKR_KEEPS(unit.kept >> k));
            VkrKey pad = is_left_out ? VKR_PAD : VkrKey(0);
            t = vkr_accumulate_rest(t, e, is_left_out);
            if (VKR_MIN_BY_KEYS)
                least = min(least, vkr_min_key(e.bits) | pad);
            if (VKR_MAX_BY_KEYS)
                greatest = min(greatest, vkr_max_key(e.bits) | pad);
            if (VKR_BY_BITS != 0u) /* the key of no element is a NaN too */
                vkr_extremes[VKR_AT(c)] = vkr_extended(vkr_extremes[VKR_AT(c)],
                                                       VKR_TOP_BITS(e.bits) | uint(pad));
        }
        t.least = min(t.least, least);
        t.greatest = min(t.greatest, greatest);
#if VKR_ARGS_BY_UNITS
        if (VKR_MIN_ARGS != 0u)
            t.argmin = vkr_risen(t.argmin, least, unit.kept, index);
        if (VKR_MAX_ARGS != 0u)
            t.argmax = vkr_risen(t.argmax, greatest, unit.kept, index);
#endif
        s.of[VKR_AT(c)] = t;
    }
}

#if VKR_ARGS_BY_UNITS
/* An argument whose index is that of its unit, with that of the first element that has its key.
 * `start` is the index of unit 0. Where no key was better than that of no element, and no mask has
 * left elements out, the unit is `first`; ~0 is none. */
VkrArg vkr_found(VkrArg arg, const bool is_greatest, const uvec2 start, const uint first)
{
    uint u = vkr_is_none(arg) ? first : (arg.index.x - start.x) / VKR_UNIT_ELEMENTS;
    if (first == ~0u || (VKR_MASKED && vkr_is_none(arg)))
        return arg;
    VkrUnit unit = vkr_load_unit(u);
    VKR_TAKE_KEPT_OF(unit, u)
    uint found = 0u;
    for (uint k = VKR_UNIT_ELEMENTS; k-- > 0u;) {
        VkrBits bits = vkr_element_of_unit(unit, k, 0u, uvec2(0u)).bits;
        VkrKey key = is_greatest ? vkr_max_key(bits) : vkr_min_key(bits);
        if (key == arg.key && !VKR_LEFT_OUT(VKR_KEEPS(unit.kept >> k)))
            found = k;
    }
    arg.index = vkr_add(start, uvec2(u * VKR_UNIT_ELEMENTS + found, 0u));
    return arg;
}
#endif

void vkr_start_extremes()
{
    VKR_EACH_UNROLLED(c)
        vkr_extremes[VKR_AT(c)] = VKR_NO_EXTREMES;
}

/* Behind the last unit of a walk: `start` is the index of unit 0, `first` the walk's first unit, or
 * ~0. */
void vkr_finish_extremes(inout VkrStates s, const uvec2 start, const uint first)
{
    VKR_EACH_UNROLLED(c) {
        uvec2 keys = vkr_keys_of(vkr_extremes[VKR_AT(c)]);
        if (VKR_MIN_BY_BITS)
            s.of[VKR_AT(c)].least = VkrKey(keys.x);
        if (VKR_MAX_BY_BITS)
            s.of[VKR_AT(c)].greatest = VkrKey(keys.y);
    }
#if VKR_ARGS_BY_UNITS
    if (VKR_MIN_ARGS != 0u)
        s.of[0].argmin = vkr_found(s.of[0].argmin, false, start, first);
    if (VKR_MAX_ARGS != 0u)
        s.of[0].argmax = vkr_found(s.of[0].argmax, true, start, first);
#endif
}

#endif
