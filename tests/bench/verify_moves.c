/* SPDX-License-Identifier: MIT */
/* The reference for copies, scans and compactions, in plain loops. */
#include <math.h>
#include <string.h>
#include "measure.h"
#include "moves.h"
#include "segments.h"
#include "status.h"
#include "oracle.h"

/* ---- Scans ---- */

static bool scan_words(const uint32_t *x, const uint32_t *out, uint64_t n)
{
    uint32_t sum = 0, wrong = 0;
    for (uint64_t i = 0; i < n; i++) {
        sum += x[i];
        wrong |= out[i] ^ sum;
    }
    return wrong == 0;
}

/* Compares a scan with sums in double precision: it may be off by the bound of scan.h. */
static bool scan_floats(const float *x, const float *out, uint64_t n)
{
    double sum = 0.0;
    bool good = true;
    for (uint64_t i = 0; i < n; i++) {
        sum += (double)x[i];
        good &= fabs((double)out[i] - sum) <= sum * oracle_roundings(i + 1) * 0x1p-24;
    }
    return good;
}

/* Compares a scan with the steps of scan.h. No value and no sum is subnormal. */
static bool scan_canonical(const float *x, const float *out, uint64_t n)
{
    float run_total = 0.0f, block_total = 0.0f, run = 0.0f, block = 0.0f, prefix = 0.0f;
    bool good = true;
    for (uint64_t i = 0; i < n; i++) {
        if (i % VKR_SCAN_RUN == 0) {
            block_total += run_total;
            run += run_total;
            run_total = 0.0f;
            if (i % VKR_SCAN_BLOCK == 0) {
                block += block_total;
                block_total = 0.0f;
                run = block;
            }
            prefix = run;
        }
        prefix += x[i];
        run_total += x[i];
        good &= out[i] == prefix;
    }
    return good;
}

static bool scan_minimum(const float *x, const float *out, uint64_t n)
{
    float least = x[0];
    bool good = true;
    for (uint64_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        good &= out[i] == least;
    }
    return good;
}

static bool verify_scan(const bench *b, const arm *a, uint64_t n)
{
    const void *data = b->host, *out = b->copied.data;
    if (a->type == VKR_TYPE_U32)
        return scan_words(data, out, n);
    if (a->scan.op == VKR_OP_MIN)
        return scan_minimum(data, out, n);
    return (a->scan.determinism == VKR_DETERMINISM_DEVICE ? scan_canonical : scan_floats)(data, out,
                                                                                          n);
}

/* ---- Compactions ---- */

/* What an output must hold, and where it lies. */
typedef struct expected {
    const unsigned char *mask;
    const uint32_t *values; /* of the elements */
    uint64_t period;        /* number of words after which a payload repeats */
    uint64_t n;
    const uint32_t *out;
} expected;

/* Whether the values of elements whose mask is `wanted` are right. No branch depends on the mask,
 * which is random. */
static bool has_values(const expected *e, uint32_t wanted)
{
    uint32_t wrong = 0;
    for (uint64_t i = 0, k = 0; i < e->n; i++) {
        uint32_t taken = e->mask[i] == wanted;
        wrong |= (0u - taken) & (e->out[k] ^ e->values[i]);
        k += taken;
    }
    return wrong == 0;
}

static bool has_indices(const expected *e)
{
    uint32_t wrong = 0;
    for (uint64_t i = 0, k = 0; i < e->n; i++) {
        wrong |= (0u - e->mask[i]) & (e->out[k] ^ (uint32_t)i);
        k += e->mask[i];
    }
    return wrong == 0;
}

/* Whether the lengths, from each start of a run to the next, are right; element 0 is the first
 * start. */
static bool has_lengths(const expected *e)
{
    uint64_t start = 0, run = 0;
    uint32_t wrong = 0;
    for (uint64_t i = 1; i < e->n; i++)
        if (e->mask[i] != 0) {
            wrong |= e->out[run++] ^ (uint32_t)(i - start);
            start = i;
        }
    return wrong == 0 && e->out[run] == e->n - start;
}

static bool has_payload(const expected *e)
{
    const uint32_t *out = e->out;
    bool good = true;
    for (uint64_t i = 0, at = 0; i < e->n; i++, at = at + 4 < e->period ? at + 4 : 0) {
        if (e->mask[i] == 0)
            continue;
        good &= memcmp(out, e->values + at, 16) == 0;
        out += 4;
    }
    return good;
}

static bool has_output(const expected *e, uint32_t kind)
{
    switch (kind) {
    case MOVED_INDICES:
        return has_indices(e);
    case MOVED_PAYLOAD:
        return has_payload(e);
    case MOVED_LENGTHS:
        return has_lengths(e);
    default:
        return has_values(e, kind == MOVED_KEPT);
    }
}

/* Whether nothing was written past what is stored. */
static bool ends_right(const expected *e, uint32_t words, uint64_t stored)
{
    return stored == e->n || e->out[stored * words] == STALE;
}

static bool verify_compaction(const bench *b, row *r)
{
    const arm *a = r->arm;
    const compact_row *form = &compact_rows[a->form];
    const unsigned char *copied = b->copied.data;
    uint64_t kept = moves_mask(b, a, r->n);
    uint32_t count;
    memcpy(&count, copied + moves_offset(a, r->n, MOVED_KINDS), sizeof count);
    if (a->geometry) /* transform feedback counts bytes */
        count /= 4;
    bool good = count == kept;
    r->bytes = (double)(r->n * form->read);
    for (uint32_t k = 0; k < MOVED_KINDS; k++) {
        uint64_t stored = k == MOVED_REJECTED ? r->n - kept : kept;
        uint32_t words = moved_rows[k].words;
        const void *out = copied + moves_offset(a, r->n, k);
        const expected e = {b->moves->mask,
                            form->of_runs ? b->moves->host_runs : (const void *)b->host,
                            b->in.size / 4, r->n, out};
        if ((form->outputs >> k & 1u) == 0)
            continue;
        /* A payload is also read. */
        r->bytes += (double)stored * words * (k == MOVED_PAYLOAD ? 8.0 : 4.0);
        if (has_output(&e, k) && ends_right(&e, words, stored))
            continue;
        good = false;
        (void)fail(STATUS_DIFFERENCE, "%s, %llu elements: the %s differ from the scalar reference",
                   a->name, (unsigned long long)r->n, moved_rows[k].name);
    }
    if (count != kept)
        (void)fail(STATUS_DIFFERENCE, "%s, %llu elements: the count is %u and must be %llu",
                   a->name, (unsigned long long)r->n, count, (unsigned long long)kept);
    return good;
}

void verify_moved(const bench *b, row *r)
{
    const arm *a = r->arm;
    bool good;
    if (a->kind == ARM_COMPACT) {
        good = verify_compaction(b, r);
    } else {
        good = a->kind == ARM_SCAN       ? verify_scan(b, a, r->n)
               : a->kind == ARM_SEGMENTS ? segment_sums_verify(b, a, r->n)
                                         : memcmp(b->copied.data, b->host, (size_t)(4 * r->n)) == 0;
        if (!good)
            (void)fail(STATUS_DIFFERENCE, "%s, %llu elements: it differs from the %s", a->name,
                       (unsigned long long)r->n, a->kind == ARM_COPY ? "data" : "scalar reference");
    }
    r->verdict = good ? VERDICT_YES : VERDICT_NO;
}
