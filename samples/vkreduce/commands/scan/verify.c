/* SPDX-License-Identifier: MIT */
/* --verify of scan: the scalar reference, fed portion by portion in the order of the scan. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/scan/scan.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle_scan.h"

#define PORTION ((uint64_t)1 << 17) /* elements */

typedef struct reference {
    scan_job *job;
    uint64_t portion;
    unsigned char *data;
    unsigned char *results; /* what is to be compared */
    uint32_t *bits;
    unsigned char *heads;
    oracle_value *values;
    oracle_prefixes *prefixes[VKR_MAX_COMPONENTS];
    uint64_t first, count; /* of the portion at hand */
} reference;

static int begin(reference *r)
{
    scan_job *j = r->job;
    const oracle_scan_info info = {
        .stride = (size_t)input_pitch(&j->in),
        .type = j->in.type,
        .components = j->in.components,
        .op = j->info.op,
        .flags = j->info.flags,
        .accumulator = j->info.accumulator,
        .nan = j->info.nan,
        .determinism = j->info.determinism,
        .initial = j->info.initial,
        .segments = j->segments.kind,
    };
    r->portion = j->in.count < PORTION ? j->in.count : PORTION;
    r->data = malloc((size_t)input_span(&j->in, r->portion) + 1);
    r->results = malloc((size_t)(r->portion * vkrTypeSize(j->result) * j->in.components) + 1);
    r->bits = malloc((size_t)flag_bytes(r->portion) + 1);
    r->heads = calloc((size_t)r->portion + 1, 1);
    r->values = malloc((size_t)r->portion * sizeof *r->values + 1);
    bool ready = r->data != NULL && r->results != NULL && r->bits != NULL && r->heads != NULL &&
                 r->values != NULL;
    for (uint32_t c = 0; c < j->in.components && ready; c++)
        ready = (r->prefixes[c] = oracle_scan_begin(&info, c, j->result)) != NULL;
    return ready ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++)
        oracle_scan_end(r->prefixes[c], NULL);
    free(r->values);
    free(r->heads);
    free(r->bits);
    free(r->results);
    free(r->data);
}

static void compare(scan_job *j, const oracle_value *value, const void *result, const char *where,
                    uint32_t component)
{
    char expected[40], actual[40];
    if (j->task.differs || oracle_accepts(value, j->result, result))
        return;
    oracle_format(expected, sizeof expected, j->result, value->bytes);
    oracle_format(actual, sizeof actual, j->result, result);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: the %s of %s, component %u, is %s; the scalar reference gives %s within "
               "%g",
               where, vkrOpName(j->info.op), component, actual, expected, value->tolerance);
    j->task.differs = true;
}

static int load(reference *r, uint64_t chunk)
{
    scan_job *j = r->job;
    const uint64_t size = vkrTypeSize(j->result) * j->in.components;
    /* What stands behind the portion is what came before, where the scan is reversed. */
    const unsigned char behind = chunk > 0 ? r->heads[0] : 1;
    r->count = scan_cut(j, chunk, r->portion, &r->first);
    int status = input_load(&j->in, r->first, r->count, r->data);
    if (status == STATUS_DONE)
        status = output_read(&j->out, r->first * size, r->results, r->count * size);
    if (status == STATUS_DONE && j->segments.kind != VKR_SEGMENTS_NONE)
        status = segments_load(&j->segments, r->first, r->count, r->bits);
    for (uint64_t i = 0; i < r->count && j->segments.kind != VKR_SEGMENTS_NONE; i++)
        r->heads[i] = flag_at(r->bits, i);
    r->heads[r->count] = behind;
    return status;
}

static void check(reference *r)
{
    scan_job *j = r->job;
    const size_t size = vkrTypeSize(j->result);
    char where[48];
    for (uint32_t c = 0; c < j->in.components; c++) {
        oracle_scan_add(r->prefixes[c], r->data, r->heads, r->count, r->values);
        for (uint64_t i = 0; i < r->count; i++) {
            const void *result = r->results + (i * j->in.components + c) * size;
            if (oracle_accepts(&r->values[i], j->result, result))
                continue;
            snprintf(where, sizeof where, "element %" PRIu64, r->first + i);
            compare(j, &r->values[i], result, where, c);
        }
    }
}

static int feed(reference *r)
{
    scan_job *j = r->job;
    int status = STATUS_DONE;
    progress_start("verifying", input_span(&j->in, j->in.count));
    for (uint64_t k = 0; k * r->portion < j->in.count && status == STATUS_DONE; k++)
        if ((status = load(r, k)) == STATUS_DONE)
            check(r);
    progress_end();
    return status;
}

int verify_scan(scan_job *j)
{
    reference r = {.job = j};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    for (uint32_t c = 0; c < j->in.components && status == STATUS_DONE; c++) {
        oracle_value total;
        oracle_scan_end(r.prefixes[c], &total);
        r.prefixes[c] = NULL;
        compare(j, &total, (const char *)scan_total(j) + c * vkrTypeSize(j->result), "total", c);
    }
    end(&r);
    return status;
}
