/* SPDX-License-Identifier: MIT */
/* --verify of find: the scalar reference compacts portion by portion, up to the first element that
 * it keeps. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/find/find.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle_compact.h"

#define PORTION ((uint64_t)1 << 17) /* elements */

/* The reference identifies memory by buffer handles; these need not be real buffers. */
enum { DATA, BITS, INDICES, IMAGES };

static VkBuffer handle(int image)
{
    return (VkBuffer)(uintptr_t)(image + 1);
}

typedef struct reference {
    const find_request *request;
    uint64_t portion;
    void *data[IMAGES];
    uint64_t index;
} reference;

static int begin(reference *r)
{
    const input *in = &r->request->in;
    r->portion = least(in->count, PORTION);
    r->index = NOT_FOUND;
    const uint64_t sizes[IMAGES] = {input_span(in, r->portion + 1), flag_bytes(r->portion),
                                    (r->portion + 1) * sizeof(uint32_t)};
    for (int i = 0; i < IMAGES; i++)
        if ((r->data[i] = calloc((size_t)sizes[i] + 1, 1)) == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    return STATUS_DONE;
}

/* Finds the first of the loaded elements that is kept. `first` is the index of the first one. */
static void search(reference *r, uint64_t first, uint64_t count)
{
    const input *in = &r->request->in;
    const oracle_image images[] = {{handle(DATA), r->data[DATA]},
                                   {handle(BITS), r->data[BITS]},
                                   {handle(INDICES), r->data[INDICES]}};
    const oracle_device device = {
        .images = images, .image_count = IMAGES, .max_groups = UINT32_MAX};
    VkrCompactInfo info = {.input = {.buffer = handle(DATA),
                                     .size = input_span(in, count),
                                     .type = in->type,
                                     .components = in->components,
                                     .stride = input_pitch(in)},
                           .count = count,
                           .predicate = r->request->predicate,
                           .keptIndices = {.buffer = handle(INDICES),
                                           .size = count * sizeof(uint32_t),
                                           .type = VKR_TYPE_U32,
                                           .components = 1}};
    info.predicate.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {handle(BITS), 0, 0}};
    if (find_overlaps(r->request, first)) {
        info.flags = VKR_COMPACT_CONTINUED_BIT;
        info.input.offset = info.input.stride;
    }
    if (oracle_compact(&device, &info).kept > 0)
        r->index = first + *(const uint32_t *)r->data[INDICES];
}

static int feed(reference *r)
{
    const find_request *request = r->request;
    const uint64_t all = request->in.count;
    int status = STATUS_DONE;
    progress_start("verifying", input_span(&request->in, all) + request->flags.size);
    for (uint64_t first = 0; first < all && r->index == NOT_FOUND; first += r->portion) {
        const uint64_t count = least(all - first, r->portion);
        const uint64_t overlap = find_overlaps(request, first);
        status = input_load(&request->in, first - overlap, count + overlap, r->data[DATA]);
        if (status == STATUS_DONE && request->predicate.kind == VKR_PREDICATE_FLAGS)
            status = flags_load(&request->flags, first, count, r->data[BITS]);
        if (status != STATUS_DONE)
            break;
        search(r, first, count);
    }
    progress_end();
    return status;
}

static void format(char text[24], uint64_t index)
{
    if (index == NOT_FOUND)
        snprintf(text, 24, "none");
    else
        snprintf(text, 24, "%" PRIu64, index);
}

int find_verify(job *j)
{
    reference r = {.request = j->request};
    const uint64_t index = ((const find_results *)j->results)->index;
    char found[24], right[24];
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    for (int i = 0; i < IMAGES; i++)
        free(r.data[i]);
    if (status != STATUS_DONE || index == r.index)
        return status;
    format(found, index);
    format(right, r.index);
    (void)fail(STATUS_DIFFERENCE, "--verify: the index is %s; the scalar reference gives %s", found,
               right);
    j->task.differs = true;
    return status;
}
