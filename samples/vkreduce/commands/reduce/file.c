/* SPDX-License-Identifier: MIT */
/* -o of reduce: the results as an array of [segment][operator][channel], or, if they have several
 * types, as an array of [segment] whose elements have a field for each operator. */
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "output/npy.h"
#include "status.h"

static VkrType type_of(const reduce_results *results, uint32_t bit)
{
    return results->layout.results[bit].type;
}

static bool is_structured(const reduce_request *r, const reduce_results *results)
{
    for (uint32_t i = 1; i < r->op_count; i++)
        if (type_of(results, r->order[i]) != type_of(results, r->order[0]))
            return true;
    return false;
}

/* The size of the results of an operator for a segment, in bytes. */
static size_t size_of(const reduce_request *r, const reduce_results *results, uint32_t bit)
{
    return (size_t)vkrTypeSize(type_of(results, bit)) * r->in[0].components;
}

/* Copies the results of all segments, which are tightly packed in the file. */
static void pack(const reduce_request *r, const reduce_results *results, char *to)
{
    for (uint64_t segment = 0; segment < results->layout.segments; segment++)
        for (uint32_t i = 0; i < r->op_count; i++) {
            const size_t size = size_of(r, results, r->order[i]);
            memcpy(to, reduce_value(results, segment, r->order[i], 0), size);
            to += size;
        }
}

static int write_values(const reduce_request *r, reduce_results *results)
{
    size_t size = 0;
    for (uint32_t i = 0; i < r->op_count; i++)
        size += size_of(r, results, r->order[i]);
    size *= (size_t)results->layout.segments;
    char *values = malloc(size + 1);
    if (values == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", results->file.name);
    pack(r, results, values);
    const int status = output_write(&results->file, 0, values, size);
    free(values);
    return status;
}

static int finish_fields(const reduce_request *r, reduce_results *results, uint32_t dimensions,
                         const uint64_t *shape)
{
    npy_field fields[VKR_OP_BITS];
    for (uint32_t i = 0; i < r->op_count; i++)
        fields[i] = (npy_field){vkrOpName((VkrOp)(1u << r->order[i])),
                                type_of(results, r->order[i]), r->in[0].components};
    return npy_finish_fields(&results->file, fields, r->op_count, dimensions, shape);
}

int reduce_write(job *j)
{
    const reduce_request *r = j->request;
    reduce_results *results = j->results;
    if (reduce_has_operator(r))
        return reduce_write_operator(j);
    const bool structured = is_structured(r, results);
    uint64_t shape[MAX_DIMENSIONS + 2];
    uint32_t dimensions = segments_results(&r->segments, results->layout.segments, shape);
    if (results->file.name == NULL)
        return STATUS_DONE;
    npy_reserve(&results->file, structured ? r->op_count : 0, dimensions + 2);
    int status = write_values(r, results);
    if (status != STATUS_DONE || structured)
        return status == STATUS_DONE ? finish_fields(r, results, dimensions, shape) : status;
    if (r->op_count > 1)
        shape[dimensions++] = r->op_count;
    if (r->in[0].components > 1)
        shape[dimensions++] = r->in[0].components;
    return npy_finish_shape(&results->file, type_of(results, r->order[0]), dimensions, shape);
}
