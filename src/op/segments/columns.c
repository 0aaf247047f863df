/* SPDX-License-Identifier: MIT */
/* How invocations read columns: units or parts of them, several rows at a time; and how several
 * rows of a narrow matrix become one of a wide matrix. */
#include "segments.h"

#define COLUMN_VALUES 128u /* values times operators of a unit of columns, or of rows in flight */
#define MAX_ROWS 8u        /* maximum number of rows of columns in flight */
#define COLUMN_GROUPS 8u   /* minimum number of workgroups, where each reads whole rows */

/* The number of units that each of VKR_COLUMN_LANES invocations reads of a row if together they
 * read all of it. A subgroup then reads memory contiguously, which suits a CPU's prefetcher. It is
 * 0 where this is too much for an invocation, or for its compilation, or where too few invocations
 * would remain to keep the device busy. */
static uint32_t units_of_whole_row(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t share = (uint64_t)VKR_COLUMN_LANES * r->walk.unit;
    const uint64_t units = l->of.count / share;
    const uint64_t invocations = l->of.length / VKR_LANES_COMBINE * VKR_COLUMN_LANES;
    const bool fits =
        l->of.count % share == 0 && vkr_count_ops(r) == 1 &&
        units * vkr_values_of(r, r->walk.unit) <= vkr_policy_of_segments(r)->row_values;
    return fits && invocations >= COLUMN_GROUPS * (uint64_t)r->walk.workgroup_size ? (uint32_t)units
                                                                                   : 0;
}

/* The number of columns that an invocation reduces at once, of which each row consists: those of a
 * unit or, if it has no room for their states or the row does not consist of units, of a part of
 * one, in whole words. It is 0 where no part is small enough. */
static uint32_t choose_piece(const vkr_reduce *r, uint64_t columns)
{
    const uint64_t element = vkr_element_size(&r->input);
    const uint64_t most = vkr_room_of(r)->column_words / vkr_words_with_strands(r);
    uint32_t piece = r->walk.unit;
    while ((piece > most || columns % piece != 0) && piece % 2 == 0 && piece / 2 * element % 4 == 0)
        piece /= 2;
    return columns % piece == 0 && vkr_values_of(r, piece) <= COLUMN_VALUES ? piece : 0;
}

/* The number of rows that an invocation loads before it uses the first one. */
static uint32_t rows_in_flight(const vkr_reduce *r, uint32_t piece, uint32_t units)
{
    const uint64_t bytes = piece * vkr_element_size(&r->input);
    if (piece == r->walk.unit)
        return (uint32_t)vkr_max(r->walk.batch / units, 1);
    const uint64_t wanted = vkr_min((uint64_t)r->walk.tuning->flight * VKR_PACK / bytes, MAX_ROWS);
    return (uint32_t)vkr_clamp(wanted, 1, vkr_max(COLUMN_VALUES / vkr_values_of(r, piece), 1));
}

/* Whether an operator needs the indices of elements. */
static bool has_indices(const vkr_reduce *r)
{
    for (uint32_t i = 0; i < vkr_part_count; i++)
        if ((r->parts & vkr_parts[i].bit) != 0 && vkr_parts[i].indices != 0)
            return true;
    return false;
}

/* The columns of the wide matrix are segments of their own: the element in column c of row r of a
 * narrow matrix of w columns lies in column (r % fold) * w + c of row r / fold. The order of a
 * column's elements is not kept, so no operator may need their indices. */
void vkr_fold_rows(vkr_level *l, VkrReduceAlgorithm algorithm)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t wide = (uint64_t)r->walk.workgroup_size * r->walk.unit;
    const bool splits = algorithm == VKR_REDUCE_AUTO || algorithm == VKR_REDUCE_SPLIT;
    uint64_t fold = 1;
    while (2 * fold * l->of.count <= wide && 2 * fold * VKR_LANES_COMBINE <= l->of.length)
        fold *= 2;
    if (fold == 1 || !splits || r->canonical || has_indices(r))
        return;
    l->how.fold = fold;
    l->of.count *= fold;
    l->of.step = l->of.count;
    l->of.length = vkr_divide_up(l->of.length, fold);
}

/* In long rows an invocation reads several units, so that invocations that a CPU runs one after
 * another find the rest of their data in its caches. Of a last row that folding has left incomplete
 * it reads one unit, which does not reach past the end. */
void vkr_plan_columns(vkr_level *l, VkrReduceAlgorithm algorithm)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t columns = l->of.count;
    const bool by_lanes = algorithm == VKR_REDUCE_AUTO || algorithm == VKR_REDUCE_LANES ||
                          algorithm == VKR_REDUCE_SPLIT;
    const uint32_t unit = vkr_starts_with_unit(r) && by_lanes ? choose_piece(r, columns) : 0;
    if (unit == 0 || (l->how.fold != 0 && r->walk.count % unit != 0))
        return;
    const uint64_t values = vkr_values_of(r, unit);
    const bool several = unit == r->walk.unit && r->walk.count % columns == 0;
    uint32_t units = several ? vkr_policy_of_segments(r)->row_units : 1;
    while (units > 1 && (columns % ((uint64_t)units * VKR_COLUMN_LANES * unit) != 0 ||
                         units * values > VKR_SHORT_VALUES || units > r->walk.batch))
        units /= 2;
    if (algorithm != VKR_REDUCE_LANES && several)
        units = (uint32_t)vkr_max(units, units_of_whole_row(l));
    l->how.neighbours = units * unit;
    l->how.grain = units > 1 ? l->how.neighbours * VKR_COLUMN_LANES : unit;
    l->how.loads = r->walk.loads;
    l->how.batch = rows_in_flight(r, unit, units);
}
