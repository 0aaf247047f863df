/* SPDX-License-Identifier: MIT */
/* --verify of scan: the scalar reference, fed portion by portion in the order of the scan. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle_scan.h"

#define PORTION ((uint64_t)1 << 17) /* elements */

typedef struct reference {
    const scan_request *request;
    const scan_results *results;
    bool differs;
    uint64_t portion;
    unsigned char *data;
    unsigned char *found; /* the device's results */
    uint32_t *bits;
    unsigned char *heads;
    oracle_value *values;
    oracle_prefixes *prefixes[VKR_MAX_COMPONENTS];
    uint64_t first, count; /* of the current portion */
    found_groups groups;   /* of --by, whose elements are a single portion, in their order */
} reference;

static bool has_columns(const reference *r)
{
    return r->request->segments.kind == VKR_SEGMENTS_COLUMNS;
}

static oracle_scan_info oracle_of(const scan_request *request)
{
    return (oracle_scan_info){
        .stride = (size_t)input_pitch(&request->in),
        .type = request->in.type,
        .components = request->in.components,
        .op = request->info.op,
        .flags = request->info.flags,
        .accumulator = request->info.accumulator,
        .nan = request->info.nan == VKR_NAN_SKIP ? VKR_NAN_IGNORE : request->info.nan,
        .determinism = request->info.determinism,
        .initial = request->info.initial,
        .segments = request->segments.kind,
    };
}

static int begin(reference *r)
{
    const scan_request *request = r->request;
    const oracle_scan_info info = oracle_of(request);
    const bool whole =
        request->segments.groups || has_columns(r) || segments_lie_apart(&request->segments);
    r->portion = whole ? request->in.count : least(request->in.count, PORTION);
    r->data = malloc((size_t)(r->portion * input_pitch(&request->in)) + 1);
    r->found =
        malloc((size_t)(r->portion * vkrTypeSize(request->result) * request->in.components) + 1);
    r->bits = malloc((size_t)flag_bytes(r->portion) + 1);
    r->heads = calloc((size_t)r->portion + 1, 1);
    r->values = malloc(((size_t)r->portion + 1) * sizeof *r->values);
    bool ready = r->data != NULL && r->found != NULL && r->bits != NULL && r->heads != NULL &&
                 r->values != NULL;
    for (uint32_t c = 0; c < request->in.components && ready; c++)
        ready = (r->prefixes[c] = oracle_scan_begin(&info, c, request->result)) != NULL;
    return ready ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    for (uint32_t c = 0; c < VKR_MAX_COMPONENTS; c++)
        oracle_scan_end(r->prefixes[c], NULL);
    found_groups_free(&r->groups);
    free(r->values);
    free(r->heads);
    free(r->bits);
    free(r->found);
    free(r->data);
}

static void compare(reference *r, const oracle_value *value, const void *result, const char *where,
                    uint32_t component)
{
    const VkrType type = r->request->result;
    char expected[40], actual[40];
    if (r->differs || oracle_accepts(value, type, result))
        return;
    oracle_format(expected, sizeof expected, type, value->bytes);
    oracle_format(actual, sizeof actual, type, result);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: the %s of %s, component %u, is %s; the scalar reference gives %s within "
               "%g",
               where, vkrOpName(r->request->info.op), component, actual, expected,
               value->tolerance);
    r->differs = true;
}

/* Loads all elements and results in the order of the groups. */
static int load_groups(reference *r)
{
    const scan_request *request = r->request;
    const uint64_t count = request->in.count, size = scan_result_size(request);
    unsigned char *results = malloc((size_t)(count * size) + 1);
    int status = results != NULL ? groups_find(&request->segments, count, &r->groups)
                                 : fail(STATUS_VULKAN, "--verify: out of memory");
    if (status == STATUS_DONE)
        status = groups_load(&r->groups, &request->in, r->data);
    if (status == STATUS_DONE)
        status = scan_leave_out(request, 0, count, r->data);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, 0, results, count * size);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
        memcpy(r->found + i * size, results + r->groups.order[i] * size, (size_t)size);
    for (uint64_t i = 0; i < r->groups.count && status == STATUS_DONE; i++)
        r->heads[r->groups.offsets[i]] = 1;
    r->count = count;
    r->heads[count] = 1;
    free(results);
    return status;
}

/* Loads the elements and results of rows that lie apart, so that they lie beside each other. */
static int load_apart(reference *r)
{
    const scan_request *request = r->request;
    const segments *s = &request->segments;
    const uint64_t count = request->in.count, size = scan_result_size(request);
    int status = input_load(&request->in, 0, count, r->data);
    if (status == STATUS_DONE)
        status = scan_leave_out(request, 0, count, r->data);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, 0, r->found, count * size);
    if (status != STATUS_DONE)
        return status;
    (void)segments_pack(s, count, input_pitch(&request->in), r->data);
    r->count = segments_pack(s, count, size, r->found);
    for (uint64_t i = 0; i < r->count; i += s->length)
        r->heads[i] = 1;
    r->heads[r->count] = 1;
    return status;
}

static int load(reference *r, uint64_t chunk)
{
    if (r->request->segments.groups)
        return load_groups(r);
    if (segments_lie_apart(&r->request->segments))
        return load_apart(r);
    const scan_request *request = r->request;
    const uint64_t size = vkrTypeSize(request->result) * request->in.components;
    /* In a reversed scan, the element after this portion is the first one of the portion before. */
    const unsigned char behind = chunk > 0 ? r->heads[0] : 1;
    const uint64_t done = chunk * r->portion;
    r->count = least(request->in.count - done, r->portion);
    r->first = scan_first(request, done, r->count);
    int status = input_load(&request->in, r->first, r->count, r->data);
    if (status == STATUS_DONE)
        status = scan_leave_out(request, r->first, r->count, r->data);
    if (status == STATUS_DONE)
        status = output_read(&r->results->out, r->first * size, r->found, r->count * size);
    const bool has_heads = request->segments.kind != VKR_SEGMENTS_NONE && !has_columns(r);
    if (status == STATUS_DONE && has_heads)
        status = segments_load(&request->segments, r->first, r->count, r->bits);
    for (uint64_t i = 0; i < r->count && has_heads; i++)
        r->heads[i] = flag_at(r->bits, i);
    r->heads[r->count] = behind;
    return status;
}

/* The index of the element that is number i of the current portion. */
static uint64_t element_of(const reference *r, uint64_t i)
{
    const segments *s = &r->request->segments;
    return r->groups.order != NULL ? r->groups.order[i]
           : segments_lie_apart(s) ? segments_row(s, i / s->length) + i % s->length
                                   : r->first + i;
}

static void check(reference *r)
{
    const scan_request *request = r->request;
    const size_t size = vkrTypeSize(request->result);
    char where[48];
    for (uint32_t c = 0; c < request->in.components; c++) {
        oracle_scan_add(r->prefixes[c], r->data, r->heads, r->count, r->values);
        for (uint64_t i = 0; i < r->count; i++) {
            const void *result = r->found + (i * request->in.components + c) * size;
            if (oracle_accepts(&r->values[i], request->result, result))
                continue;
            snprintf(where, sizeof where, "element %" PRIu64, element_of(r, i));
            compare(r, &r->values[i], result, where, c);
        }
    }
}

/* Compares the columns, each of which is a whole, and the total of the last one. */
static int check_columns(reference *r)
{
    const scan_request *request = r->request;
    const uint64_t length = request->segments.length, rows = request->in.count / length;
    const size_t size = vkrTypeSize(request->result);
    const bool reverse = (request->info.flags & VKR_SCAN_REVERSE_BIT) != 0;
    char where[48];
    for (uint64_t i = 0; i < length * request->in.components; i++) {
        const uint64_t column = i / request->in.components;
        const uint32_t c = (uint32_t)(i % request->in.components);
        oracle_scan_info info = oracle_of(request);
        info.data = r->data + column * info.stride;
        info.stride *= (size_t)length;
        info.count = rows;
        info.segments = VKR_SEGMENTS_NONE;
        if (!oracle_scan(&info, c, request->result, r->values))
            return fail(STATUS_VULKAN, "--verify: out of memory");
        for (uint64_t k = 0; k < rows; k++) {
            const uint64_t element = k * length + column;
            snprintf(where, sizeof where, "element %" PRIu64, element);
            compare(r, &r->values[k], r->found + (element * request->in.components + c) * size,
                    where, c);
        }
        if (column == (reverse ? 0 : length - 1))
            compare(r, &r->values[rows], r->results->total + c * size, "total", c);
    }
    return STATUS_DONE;
}

static int feed(reference *r)
{
    const scan_request *request = r->request;
    int status = STATUS_DONE;
    progress_start("verifying", input_span(&request->in, request->in.count));
    for (uint64_t k = 0; k * r->portion < request->in.count && status == STATUS_DONE; k++)
        if ((status = load(r, k)) == STATUS_DONE && has_columns(r))
            status = check_columns(r);
        else if (status == STATUS_DONE)
            check(r);
    progress_end();
    return status;
}

int scan_verify(job *j)
{
    const scan_request *request = j->request;
    const scan_results *results = j->results;
    if (scan_has_operator(request))
        return scan_verify_operator(j);
    reference r = {.request = request, .results = results};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    for (uint32_t c = 0; c < request->in.components && status == STATUS_DONE; c++) {
        oracle_value total;
        oracle_scan_end(r.prefixes[c], &total);
        r.prefixes[c] = NULL;
        if (!has_columns(&r))
            compare(&r, &total, results->total + c * vkrTypeSize(request->result), "total", c);
    }
    end(&r);
    j->task.differs = r.differs;
    return status;
}
