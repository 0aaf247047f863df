/* SPDX-License-Identifier: MIT */
/* -o of reduce: the results as an array of [segment][operator][channel]. */
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "output/npy.h"
#include "status.h"

static VkrType type_of(const reduce_results *results, uint32_t bit)
{
    return results->layout.results[bit].type;
}

int reduce_check_file(const reduce_request *r, const reduce_results *results)
{
    const uint32_t first = r->order[0];
    for (uint32_t i = 1; i < r->op_count && r->opts->output != NULL; i++) {
        const uint32_t bit = r->order[i];
        if (type_of(results, bit) != type_of(results, first))
            return fail(STATUS_USAGE,
                        "%s: the results of %s are %s and those of %s %s, but a .npy file has one "
                        "type; write them to two files, or use --json",
                        r->opts->output, vkrOpName((VkrOp)(1u << first)),
                        vkrTypeName(type_of(results, first)), vkrOpName((VkrOp)(1u << bit)),
                        vkrTypeName(type_of(results, bit)));
    }
    return STATUS_DONE;
}

/* Copies the results of a segment, which are tightly packed in the file. */
static void pack_segment(const reduce_request *r, const reduce_results *results, uint64_t segment,
                         char *to)
{
    const size_t size = (size_t)vkrTypeSize(type_of(results, r->order[0])) * r->in[0].components;
    for (uint32_t i = 0; i < r->op_count; i++)
        memcpy(to + i * size, reduce_value(results, segment, r->order[i], 0), size);
}

int reduce_write(job *j)
{
    const reduce_request *r = j->request;
    reduce_results *results = j->results;
    const VkrType type = type_of(results, r->order[0]);
    const uint64_t count = results->layout.segments;
    const size_t size = (size_t)vkrTypeSize(type) * r->in[0].components * r->op_count;
    uint64_t shape[3];
    uint32_t dimensions = 0;
    if (results->file.name == NULL)
        return STATUS_DONE;
    if (r->segments.kind != VKR_SEGMENTS_NONE)
        shape[dimensions++] = count;
    if (r->op_count > 1)
        shape[dimensions++] = r->op_count;
    if (r->in[0].components > 1)
        shape[dimensions++] = r->in[0].components;
    char *values = malloc((size_t)count * size + 1);
    if (values == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", results->file.name);
    for (uint64_t s = 0; s < count; s++)
        pack_segment(r, results, s, values + s * size);
    int status = output_write(&results->file, 0, values, count * size);
    free(values);
    return status == STATUS_DONE ? npy_finish_shape(&results->file, type, dimensions, shape)
                                 : status;
}
