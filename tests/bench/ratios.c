/* SPDX-License-Identifier: MIT */
/* The times that the rows of one size are compared with. */
#include "measure.h"

/* On some devices min and max cost more than xor, so they are compared with reads of their own
 * kind. */
static read_kind yardstick(const arm *a)
{
    if (is_move(a) || (a->info.ops & ~(VkrOpFlags)(VKR_OP_MIN | VKR_OP_MAX)) != 0)
        return READ_XOR;
    return a->info.input.type == VKR_TYPE_F32 ? READ_F32 : READ_I32;
}

/* The minimum time of the bare kernels of a kind; 0: there is none. */
static double least_ns(const bench *b, const row *rows, read_kind kind, bool storage_only)
{
    double least = 0.0;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const arm *a = rows[i].arm;
        if ((a->kind != ARM_READ && a->kind != ARM_COPY) || !row_measured(&rows[i]) ||
            a->shape.kind != kind || (storage_only && a->shape.form == LOAD_TEXEL))
            continue;
        if (least == 0.0 || row_ns(&rows[i]) < least)
            least = row_ns(&rows[i]);
    }
    return least;
}

/* The time of the sum of all elements of the same type and loads; 0: there is none. */
static double flat_ns(const bench *b, const row *rows, const arm *a)
{
    for (uint32_t i = 0; b->settings.segments && i < b->arm_count; i++) {
        const arm *flat = rows[i].arm;
        if (flat->kind == ARM_REDUCE && flat->type == a->type &&
            flat->storage_only == a->storage_only && row_measured(&rows[i]))
            return row_ns(&rows[i]);
    }
    return 0.0;
}

/* The time of `roger` with its defaults and the same share; 0: there is none. */
static double roger_ns(const bench *b, const row *rows, const arm *a)
{
    for (uint32_t i = 0; b->settings.streams && i < b->arm_count; i++) {
        const arm *other = rows[i].arm;
        if (other->algorithm == VKR_COMPACT_ROGER && other->stream.block == 0 &&
            other->share == a->share && other->stream.search == VKR_STREAM_SEARCH_DEFAULT &&
            other->stream.concatenation == VKR_CONCATENATION_SEGMENTS && row_measured(&rows[i]))
            return row_ns(&rows[i]);
    }
    return 0.0;
}

void compare_rows(const bench *b, row *rows)
{
    double reads[READ_KINDS], storage_reads[READ_KINDS];
    for (uint32_t k = 0; k < READ_KINDS; k++) {
        reads[k] = least_ns(b, rows, (read_kind)k, false);
        storage_reads[k] = least_ns(b, rows, (read_kind)k, true);
    }
    for (uint32_t i = 0; i < b->arm_count; i++) {
        row *r = &rows[i];
        if (!row_measured(r) || r->arm->kind == ARM_EMPTY || row_ns(r) <= 0.0)
            continue;
        read_kind kind = yardstick(r->arm);
        r->ratios[RATIO_READ] = reads[kind] / row_ns(r);
        r->ratios[RATIO_STORAGE] = storage_reads[kind] / row_ns(r);
        r->ratios[RATIO_COPY] = reads[READ_COPY] / row_ns(r);
        if (r->arm->kind >= ARM_REDUCE)
            r->ratios[RATIO_FLAT] =
                (b->settings.streams ? roger_ns : flat_ns)(b, rows, r->arm) / row_ns(r);
    }
}
