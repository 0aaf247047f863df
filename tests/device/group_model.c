/* SPDX-License-Identifier: MIT */
/* The expected results of group.glsl, by folds or in the order that it specifies. */
#include "group_model.h"

#include <string.h>

const char *const form_names[FORMS] = {
    "reduce",
    "exclusive",
    "exclusive's total",
    "lead",
    "inclusive",
    "inclusive's total",
    "subgroup_reduce",
    "subgroup_inclusive",
    "subgroup_exclusive",
    "subgroup_exclusive's total",
    "first",
    "subgroups_exclusive",
    "subgroups_exclusive's total",
};

bool leads(const test_case *c)
{
    return c->op != DIGITS && (c->group_path != SHARED || (c->size & (c->size - 1)) == 0);
}

static value both(const test_case *c, value a, value b)
{
    return combine(c->type, c->op, a, b);
}

/* An inclusive scan, in Hillis and Steele's order or in that of a fold. */
static void scan(const test_case *c, const value *in, uint32_t count, bool ordered, value *out)
{
    value before[MAX_SIZE];
    memcpy(out, in, count * sizeof(*out));
    for (uint32_t i = 1; i < count && !ordered; i++)
        out[i] = both(c, out[i - 1], out[i]);
    for (uint32_t d = 1; d < count && ordered; d *= 2) {
        memcpy(before, out, count * sizeof(*out));
        for (uint32_t i = d; i < count; i++)
            out[i] = both(c, before[i - d], before[i]);
    }
}

/* Reduces by pairs at distances 1, 2, 4, .., or by a fold. */
static value reduce(const test_case *c, const value *in, uint32_t count, bool ordered)
{
    value v[MAX_SIZE];
    memcpy(v, in, count * sizeof(*v));
    for (uint32_t i = 1; i < count && !ordered; i++)
        v[0] = both(c, v[0], v[i]);
    for (uint32_t d = 1; d < count && ordered; d *= 2)
        for (uint32_t i = 0; i + d < count; i += 2 * d)
            v[i] = both(c, v[i], v[i + d]);
    return v[0];
}

static uint32_t filled(const test_case *c, uint32_t row)
{
    return c->size - row < c->width ? c->size - row : c->width;
}

static void expect_rows(const test_case *c, const value *in, value out[][FORMS])
{
    value scanned[MAX_SIZE];
    for (uint32_t row = 0; row < c->size; row += c->width) {
        const uint32_t count = filled(c, row);
        const value sum = reduce(c, &in[row], count, c->ordered);
        scan(c, &in[row], count, c->ordered, scanned);
        for (uint32_t i = 0; i < count; i++) {
            out[row + i][ROW_REDUCE] = sum;
            out[row + i][ROW_INCLUSIVE] = scanned[i];
            out[row + i][ROW_EXCLUSIVE] = i > 0 ? scanned[i - 1] : identity_of(c->type, c->op);
            out[row + i][ROW_TOTAL] = scanned[count - 1];
            out[row + i][FIRST] = in[0];
        }
    }
}

/* The scan over the values of the rows, and their total. */
static void expect_subgroups(const test_case *c, value out[][FORMS])
{
    value before = identity_of(c->type, c->op), total = out[0][ROW_REDUCE];
    for (uint32_t row = 0; row < c->size; row += c->width) {
        if (row > 0) {
            before = total;
            total = both(c, total, out[row][ROW_REDUCE]);
        }
        for (uint32_t i = row; i < row + filled(c, row); i++)
            out[i][ROWS_EXCLUSIVE] = before;
    }
    for (uint32_t i = 0; i < c->size; i++)
        out[i][ROWS_TOTAL] = total;
}

static value expect_lead(const test_case *c, const value *in, value out[][FORMS])
{
    value v[MAX_SIZE];
    if (c->group_path == SHARED) {
        memcpy(v, in, c->size * sizeof(*v));
        for (uint32_t apart = c->size / 2; apart > 0; apart /= 2)
            for (uint32_t i = 0; i < apart; i++)
                v[i] = both(c, v[i], v[i + apart]);
        return v[0];
    }
    const uint32_t rows = (c->size + c->width - 1) / c->width;
    if (rows == 1)
        return out[0][ROW_REDUCE];
    for (uint32_t lane = 0; lane < c->width; lane++) {
        v[lane] = identity_of(c->type, c->op);
        for (uint32_t row = lane; row < rows; row += c->width)
            v[lane] = both(c, v[lane], out[row * c->width][ROW_REDUCE]);
    }
    return reduce(c, v, c->width, c->ordered);
}

static void expect_workgroup(const test_case *c, const value *in, value out[][FORMS])
{
    value scanned[MAX_SIZE];
    scan(c, in, c->size, false, scanned);
    for (uint32_t i = 0; i < c->size; i++) {
        out[i][REDUCE] = out[i][TOTAL_I] = out[i][TOTAL_E] = scanned[c->size - 1];
        out[i][INCLUSIVE] = scanned[i];
        out[i][EXCLUSIVE] = i > 0 ? scanned[i - 1] : identity_of(c->type, c->op);
    }
}

/* The results of a workgroup from those of its rows, which are combined in order. */
static void expect_ordered(const test_case *c, value out[][FORMS])
{
    value sum = out[0][ROW_REDUCE], total = out[filled(c, 0) - 1][ROW_INCLUSIVE];
    for (uint32_t i = 0; i < c->size; i++) {
        const bool first = i < c->width, starts = i % c->width == 0;
        if (!first && starts) {
            sum = both(c, sum, out[i][ROW_REDUCE]);
            total = both(c, total, out[i + filled(c, i) - 1][ROW_INCLUSIVE]);
        }
    }
    value before = identity_of(c->type, c->op);
    for (uint32_t i = 0; i < c->size; i++) {
        const bool first = i < c->width, starts = i % c->width == 0;
        if (!first && starts) {
            const value row = out[i - 1][ROW_INCLUSIVE];
            before = i == c->width ? row : both(c, before, row);
        }
        out[i][REDUCE] = sum;
        out[i][TOTAL_I] = out[i][TOTAL_E] = total;
        out[i][INCLUSIVE] = first ? out[i][ROW_INCLUSIVE] : both(c, before, out[i][ROW_INCLUSIVE]);
        out[i][EXCLUSIVE] = first || !starts ? out[i][ROW_EXCLUSIVE] : before;
        if (!first && !starts)
            out[i][EXCLUSIVE] = both(c, before, out[i][ROW_EXCLUSIVE]);
    }
}

void expect(const test_case *c, const value *in, value out[][FORMS])
{
    expect_rows(c, in, out);
    if (c->ordered)
        expect_ordered(c, out);
    else
        expect_workgroup(c, in, out);
    expect_subgroups(c, out);
    if (leads(c))
        out[0][LEAD] = expect_lead(c, in, out);
}
