/* SPDX-License-Identifier: MIT */
/*
 * Coalesced scans: a workgroup walks its share together, chunk by chunk. A chunk is a batch of
 * units for each invocation, which stay in registers between its total and its results.
 */
#ifndef VKR_CHUNK_GLSL
#define VKR_CHUNK_GLSL

/* The combined value of a share so far. Below level device float sums use strands (strand.glsl):
 * the sum of the last few units or chunks, which follows the held value. Integers need neither
 * strands nor a loop around them. */
#if VKR_IS_FLOAT
struct VkrShare {
    VkrRunning held;
    VkrScan base; /* the held value, rounded */
    VkrScan strand;
};
#define vkr_strand_of(share) (share).strand

VkrShare vkr_share_from(const VkrScan s)
{
    VkrShare share = VkrShare(vkr_run_from(s), s, s);
    if (VKR_HOLDS)
        share.strand = vkr_scan_identity();
    return share;
}

VkrScan vkr_scan_of_share(const VkrShare share)
{
    if (VKR_HOLDS)
        return vkr_scan_combine(share.base, share.strand);
    return share.strand;
}

void vkr_end_strand(inout VkrShare share)
{
    if (!VKR_HOLDS)
        return;
    vkr_join(share.held, share.strand);
    share.base = vkr_scan_of(share.held);
    share.strand = vkr_scan_identity();
}

uint vkr_end_of_strand(const uint first, const uint end, const uint reach)
{
    return VKR_HOLDS && end - first > reach ? first + reach : end;
}

/* A loop for v < `end`, in steps of `apart`; `steps` steps are a strand. */
#define VKR_IN_STRANDS(share, steps, v, end, apart)                                                \
    for (; v < (end); vkr_end_strand(share))                                                       \
        for (uint vkr_stop = vkr_end_of_strand(v, end, (steps) * (apart)); v < vkr_stop;           \
             v += (apart))
#else
#define VkrShare VkrScan
#define vkr_strand_of(share) (share)
#define vkr_share_from(s) (s)
#define vkr_scan_of_share(share) (share)
#define vkr_end_strand(share)
#define VKR_IN_STRANDS(share, steps, v, end, apart) for (; v < (end); v += (apart))
#endif

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_ARITHMETIC
shared uint vkr_last_start; /* 1 + its rank among the bits, or 0 */

/* The last bit, in the order of the scan, that is set of bits `low` to `high` - 1; ~0 if there is
 * none. The whole workgroup must call it. */
uint vkr_last_bit(const uint low, const uint high)
{
    if (vkr_is_leader())
        vkr_last_start = 0u;
    barrier();
    for (uint w = (low >> 5) + vkr_group_rank(); w << 5 < high; w += VKR_WORKGROUP) {
        uint word = vkr_heads[w];
        word &= w == low >> 5 ? ~0u << (low & 31u) : ~0u;
        word &= high - (w << 5) < 32u ? (1u << high - (w << 5)) - 1u : ~0u;
        if (word != 0u)
            atomicMax(vkr_last_start, VKR_REVERSE ? high - ((w << 5) + findLSB(word))
                                                  : (w << 5) + findMSB(word) - low + 1u);
    }
    barrier();
    uint last = vkr_last_start;
    return last == 0u ? ~0u : VKR_REVERSE ? high - last : low + last - 1u;
}

/* The last of elements `low` to `high` - 1, in the order of the scan, that starts a row; ~0 if
 * there is none. A reversed scan starts rows at the elements before those that start them in
 * memory. */
uint vkr_last_row(uint low, uint high)
{
    uint first = push.heads_base;
    uint length = push.row_length;
    if (!VKR_REVERSE) {
        uint start = high > first ? first + (high - 1u - first) / length * length : 0u;
        return high > first && start >= low ? start : ~0u;
    }
    uint rows = low + 1u > first ? (low - first) / length + 1u : 0u;
    if (first > high || rows > (high - first) / length || first + rows == 0u)
        return ~0u;
    return first + rows * length - 1u;
}

/* The unit, in the order of the scan, with the last start of a segment in units v to `end` - 1; ~0
 * if there is none. The whole workgroup must call it. */
uint vkr_last_start_of(const uint v, const uint end)
{
    /* The elements of these units that exist. */
    uint first = VKR_REVERSE ? end - 1u : v;
    uint last = VKR_REVERSE ? v : end - 1u;
    uint low = vkr_unit_at(first) == 0u ? 0u : vkr_begin_of(vkr_unit_at(first));
    uint high = min(vkr_begin_of(vkr_unit_at(last)) + VKR_STEP, vkr_covered_count);
    if (v >= end || low >= high)
        return ~0u;
    bool has_origin = vkr_origin >= low && vkr_origin < high;
    uint start = has_origin ? vkr_origin : ~0u;
    uint other = ~0u;
    if ((VKR_FLAGS & VKR_FLAG_ROWS) != 0u)
        other = vkr_last_row(low, high);
    if ((VKR_FLAGS & VKR_FLAG_HEADS) != 0u) {
        /* The bit of the element after; the first element of a reversed scan has none. */
        uint ahead = push.heads_base + (VKR_REVERSE ? 1u : 0u);
        uint bit = vkr_last_bit(ahead + low, ahead + high - (VKR_REVERSE && has_origin ? 1u : 0u));
        other = bit == ~0u ? ~0u : bit - ahead;
    }
    start = other == ~0u ? start : other;
    return start == ~0u ? ~0u : vkr_unit_at((start + push.lead) / VKR_STEP);
}

/* Combines units v .. v + items - 1 of every invocation, in any order: the units of lanes lie side
 * by side. With segments, only what follows the last start counts: the leader alone combines the
 * unit of that start, and elements before it are not loaded. */
void vkr_total_share(inout VkrScan s, uint v, const uint items)
{
    uint units = vkr_units();
    uint end = v < units ? v + min(items * VKR_WORKGROUP, units - v) : v;
    VkrShare share = vkr_share_from(s);
    uint last = VKR_SEGMENTED ? vkr_last_start_of(v, end) : ~0u;
    if (last != ~0u) {
        uint cursor = vkr_seek_unit(vkr_unit_at(last));
        if (vkr_is_leader())
            vkr_scan_elements(vkr_strand_of(share), cursor, last, 1u, false);
        v = last + 1u;
    }
    uint low;
    uint high;
    vkr_full_units(low, high);
    uint stop = clamp(low, v, end);
    uint batches = (clamp(high, stop, end) - stop) / (VKR_BATCH * VKR_WORKGROUP);
    uint batch = 0u;
    uint until = ~0u; /* no row starts in the units that are left */
    VkrUnit loaded[VKR_BATCH];
    v += vkr_group_rank();
    for (uint phase = 0u; phase < 2u; phase++) {
        VKR_IN_STRANDS(share, VKR_STRAND_STEPS, v, stop, VKR_WORKGROUP)
            vkr_scan_elements(vkr_strand_of(share), until, v, 1u, false);
        v = phase == 0u ? stop + vkr_group_rank() : v;
        VKR_IN_STRANDS(share, max(VKR_STRAND / VKR_BATCH, 1u), batch, batches, 1u) {
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_unit(vkr_unit_at(v + b * VKR_WORKGROUP));
            for (uint b = 0u; b < VKR_BATCH; b++) {
                /* A separate sum, so the additions of several units overlap. */
                VkrScan unit = vkr_scan_identity();
                vkr_scan_unit(unit, 0u, loaded[b], vkr_unit_at(v + b * VKR_WORKGROUP), false);
                vkr_strand_of(share) = vkr_scan_combine(vkr_strand_of(share), unit);
            }
            v += VKR_BATCH * VKR_WORKGROUP;
        }
        stop = end;
    }
    s = vkr_scan_of_share(share);
}
#endif

/* Unit b of this invocation in the chunk that starts at unit v. If the row is the whole workgroup,
 * each lane has consecutive units, for which one scan suffices; else the units of the lanes of a
 * row lie side by side, and rows are consecutive. The first one is computed once, since drivers do
 * not hoist values that depend on the lane out of loops. */
uint vkr_first_of_chunk = VKR_ONE_ROW ? vkr_group_rank() * VKR_BATCH
                                      : vkr_group_rank() / VKR_ROW_SIZE * VKR_ROW_SIZE * VKR_BATCH +
                                            vkr_group_rank() % VKR_ROW_SIZE;

uint vkr_chunk_unit(const uint v, const uint b)
{
    return v + vkr_first_of_chunk + (VKR_ONE_ROW ? b : b * VKR_ROW_SIZE);
}

/* The units of this invocation in a full chunk, where segments start in each, and the prefix of
 * each in the row. These are not parameters, since arrays of this size cannot be copied. */
VkrUnit vkr_chunk_units[VKR_BATCH];
uint vkr_chunk_starts[VKR_BATCH];
VkrScan vkr_chunk_before[VKR_BATCH];

/* Scans the b-th unit of this invocation in the chunk that starts at unit v in the order of the
 * scan; does nothing past the last unit. */
void vkr_scan_chunk_unit(inout VkrScan s, uint v, const uint b, const bool full, const bool apply)
{
    v = vkr_chunk_unit(v, b);
    uint u = vkr_unit_at(v);
    uint until = VKR_SEGMENTED && !full ? vkr_seek_unit(u) : 0u;
    if (full)
        vkr_scan_unit(s, vkr_chunk_starts[b], vkr_chunk_units[b], u, apply);
    else
        vkr_scan_elements(s, until, v, 1u, apply);
}

/* Combines the chunk of VKR_BATCH units per invocation that starts at unit v. Returns the prefix of
 * this invocation in its row; `row` becomes the total of the row. */
VkrScan vkr_total_chunk(const uint v, const bool full, out VkrScan row)
{
    VkrScan sum;
    row = vkr_scan_identity();
    if (full) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_chunk_units[b] = vkr_load_unit(vkr_unit_at(vkr_chunk_unit(v, b)));
        for (uint b = 0u; VKR_SEGMENTED && b < VKR_BATCH; b++)
            vkr_chunk_starts[b] = vkr_starts_in_unit(vkr_unit_at(vkr_chunk_unit(v, b)));
    }
    VKR_UNROLLED for (uint b = 0u; b < VKR_BATCH; b++) {
        VkrScan s = vkr_scan_identity();
        vkr_scan_chunk_unit(s, v, b, full, false);
        if (VKR_ONE_ROW) {
            vkr_chunk_before[b] = row;
            row = vkr_scan_combine(row, s);
        } else {
            s = vkr_group_subgroup_exclusive(s, sum);
            vkr_chunk_before[b] = vkr_scan_combine(row, s);
            row = vkr_scan_combine(row, sum);
        }
    }
    VkrScan before = vkr_scan_identity();
    if (VKR_ONE_ROW) {
        before = vkr_group_subgroup_exclusive(row, sum);
        row = sum;
    }
    return before;
}

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC && VKR_IS_FLOAT
/* Writes the results of a full chunk, as vkr_apply_chunk below, for float sums in packs. Every sum
 * after a NaN is NaN, so a unit whose last sum is a number has no NaN, and one test of the last
 * sums of all units of an invocation tells whether any result must become the canonical NaN. */
VkrResults vkr_chunk_results[VKR_BATCH];

void vkr_apply_full_sums(const VkrScan prefix, const uint v)
{
    uint greatest = 0u; /* of the last sums, shifted by their signs */
    VKR_UNROLLED for (uint b = 0u; b < VKR_BATCH; b++) {
        VkrScan s = vkr_scan_combine(prefix, vkr_chunk_before[b]);
        vkr_clear(vkr_chunk_results[b]);
        vkr_scan_values(s, 0u, vkr_chunk_units[b], vkr_unit_at(vkr_chunk_unit(v, b)), true,
                        vkr_chunk_results[b]);
        greatest = max(greatest, s.state[0] << 1);
    }
    if (greatest > 0xff000000u) {
        VKR_UNROLLED for (uint b = 0u; b < VKR_BATCH; b++)
            VKR_UNROLLED for (uint p = 0u; p < VKR_PACKS * uint(VKR_WIDER); p++)
                VKR_UNROLLED for (uint k = 0u; k < 4u; k++)
                    vkr_chunk_results[b].packs[p][k] =
                        vkr_result_of_raw(uvec2(vkr_chunk_results[b].packs[p][k], 0u)).x;
    }
    VKR_UNROLLED for (uint b = 0u; b < VKR_BATCH; b++)
        vkr_store_results(vkr_chunk_results[b], vkr_unit_at(vkr_chunk_unit(v, b)));
}
#else
#define vkr_apply_full_sums(prefix, v)
#endif

/* Writes the results of that chunk; `prefix` is that of this invocation's row. */
void vkr_apply_chunk(const VkrScan prefix, const uint v, const bool full)
{
    if (VKR_NAN_BY_CHUNK && full) {
        vkr_apply_full_sums(prefix, v);
        return;
    }
    VKR_UNROLLED for (uint b = 0u; b < VKR_BATCH; b++) {
        VkrScan s = vkr_scan_combine(prefix, vkr_chunk_before[b]);
        vkr_scan_chunk_unit(s, v, b, full, true);
    }
}

/* Scans the chunk that starts at unit v. */
void vkr_scan_chunk(inout VkrShare share, const uint v, const bool full, const bool apply)
{
    VkrScan sum;
    VkrScan before = vkr_total_chunk(v, full, sum);
    if (!VKR_ONE_ROW)
        before = vkr_group_subgroups_exclusive(sum, sum);
    if (apply)
        vkr_apply_chunk(vkr_scan_combine(vkr_scan_of_share(share), before), v, full);
    vkr_strand_of(share) = vkr_scan_combine(vkr_strand_of(share), sum);
}

/* Scans a share chunk by chunk, and by element before the first full chunk. `prefix` becomes that
 * of the next share. */
void vkr_scan_share(inout VkrScan prefix, uint v, const uint items, const bool apply)
{
    const uint chunk = VKR_BATCH * VKR_WORKGROUP;
    uint end = v + items * VKR_WORKGROUP;
    uint low;
    uint high;
    vkr_full_units(low, high);
    uint stop = v < low ? min(v + (low - v + chunk - 1u) / chunk * chunk, end) : v;
    uint full = min(end, high < chunk ? 0u : high - chunk + 1u); /* full chunks start below */
    VkrShare share = vkr_share_from(prefix);
    for (uint phase = 0u; phase < 2u; phase++) {
        VKR_IN_STRANDS(share, VKR_STRAND, v, stop, chunk)
            vkr_scan_chunk(share, v, false, apply);
        VKR_IN_STRANDS(share, VKR_STRAND, v, full, chunk)
            vkr_scan_chunk(share, v, true, apply);
        stop = min(end, vkr_units());
    }
    prefix = vkr_scan_of_share(share);
}

#endif
