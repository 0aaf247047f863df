/* SPDX-License-Identifier: MIT */
/* --verify of compact: the scalar reference compacts portion by portion. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/compact/compact.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"
#include "oracle_compact.h"

#define PORTION ((uint64_t)1 << 17) /* elements */

/* The reference identifies memory by buffer handles; these need not be real buffers. */
enum { INPUT = COMPACT_OUTPUTS, BITS, IMAGES };

static VkBuffer handle(int image)
{
    return (VkBuffer)(uintptr_t)(image + 1);
}

typedef struct reference {
    const compact_request *request;
    const compact_results *results;
    bool differs;
    uint64_t portion;
    void *data[IMAGES];
    unsigned char *found; /* entries read back from a file */
    oracle_image images[IMAGES];
    compact_counts counts; /* of the portions so far */
    uint64_t last;         /* index of the last kept element */
} reference;

static const char *const names[COMPACT_OUTPUTS] = {"kept element", "index", "run length",
                                                   "rejected element", "rejected index"};

static int begin(reference *r)
{
    const compact_request *request = r->request;
    uint64_t most = 0;
    r->portion = least(request->in.count, PORTION);
    for (int i = 0; i < IMAGES; i++) {
        uint64_t size = i == INPUT  ? input_span(&request->in, r->portion + 1)
                        : i == BITS ? flag_bytes(r->portion)
                                    : r->portion * entry_size(request, (compact_output)i);
        most = i < COMPACT_OUTPUTS && size > most ? size : most;
        r->data[i] = calloc((size_t)size + 1, 1);
        if (r->data[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
        r->images[i] = (oracle_image){handle(i), r->data[i]};
    }
    r->found = malloc((size_t)most + 1);
    return r->found != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
}

static void end(reference *r)
{
    for (int i = 0; i < IMAGES; i++)
        free(r->data[i]);
    free(r->found);
}

static void differ(reference *r, const char *what, VkrType type, const void *found,
                   const void *right)
{
    char expected[40], actual[40];
    oracle_format(expected, sizeof expected, type, right);
    oracle_format(actual, sizeof actual, type, found);
    (void)fail(STATUS_DIFFERENCE, "--verify: %s is %s; the scalar reference gives %s", what, actual,
               expected);
    r->differs = true;
}

/* Compares the entries of a file, starting at a position, with the expected ones. */
static int compare(reference *r, compact_output k, uint64_t position, uint64_t entries,
                   const void *right)
{
    const compact_request *request = r->request;
    const uint64_t value = vkrTypeSize(entry_type(request, k)), size = entry_size(request, k);
    /* Missing entries are reported by the comparison of the counts. */
    const uint64_t written = entry_count(&r->results->counts, k);
    const uint64_t left = position < written ? written - position : 0;
    char what[64];
    entries = compact_room(request, k, position, least(entries, left));
    if (r->results->outs[k].name == NULL || entries == 0 || r->differs)
        return STATUS_DONE;
    int status = output_read(&r->results->outs[k], position * size, r->found, entries * size);
    if (status != STATUS_DONE || memcmp(r->found, right, (size_t)(entries * size)) == 0)
        return status;
    uint64_t i = 0;
    while (memcmp(r->found + i, (const char *)right + i, (size_t)value) == 0)
        i += value;
    snprintf(what, sizeof what, "%s %" PRIu64, names[k], position + i / size);
    differ(r, what, entry_type(request, k), r->found + i, (const char *)right + i);
    return STATUS_DONE;
}

static uint64_t index_at(const reference *r, uint64_t i)
{
    const uint64_t size = entry_size(r->request, OUT_INDICES);
    uint64_t index = 0;
    memcpy(&index, (const char *)r->data[OUT_INDICES] + i * size, (size_t)size);
    return index;
}

/* A length is the distance between two kept elements, so the last one is known only in the next
 * portion. */
static int compare_lengths(reference *r, uint64_t kept)
{
    const uint64_t size = entry_size(r->request, OUT_LENGTHS);
    char *lengths = r->data[OUT_LENGTHS];
    const uint64_t skipped = r->counts.kept == 0 ? 1 : 0;
    for (uint64_t i = 0; i < kept; i++) {
        const uint64_t index = index_at(r, i), length = index - r->last;
        if (i >= skipped)
            memcpy(lengths + (i - skipped) * size, &length, (size_t)size);
        r->last = index;
    }
    return kept <= skipped
               ? STATUS_DONE
               : compare(r, OUT_LENGTHS, r->counts.kept + skipped - 1, kept - skipped, lengths);
}

static VkrView view_of(const reference *r, compact_output k)
{
    return (VkrView){.buffer = handle((int)k),
                     .size = r->portion * entry_size(r->request, k),
                     .type = entry_type(r->request, k),
                     .components = entry_components(r->request, k)};
}

static compact_counts compact_portion(reference *r, uint64_t first, uint64_t count)
{
    const compact_request *request = r->request;
    const oracle_device device = {.images = r->images,
                                  .image_count = IMAGES,
                                  .max_groups = UINT32_MAX,
                                  .wide_indices = request->index == VKR_TYPE_U64};
    VkrCompactInfo info = {.input = {.buffer = handle(INPUT),
                                     .size = input_span(&request->in, count),
                                     .type = request->in.type,
                                     .components = request->in.components,
                                     .stride = input_pitch(&request->in)},
                           .count = count,
                           .predicate = request->info.predicate,
                           .kept = view_of(r, OUT_KEPT),
                           .keptIndices = view_of(r, OUT_INDICES),
                           .rejected = view_of(r, OUT_REJECTED),
                           .rejectedIndices = view_of(r, OUT_REJECTED_INDICES),
                           .firstIndex = first};
    info.predicate.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {handle(BITS), 0, 0}};
    if (goes_on(request, first)) {
        info.flags = VKR_COMPACT_CONTINUED_BIT;
        info.input.offset = info.input.stride;
    }
    oracle_counts counts = oracle_compact(&device, &info);
    return (compact_counts){counts.kept, counts.rejected};
}

static int check(reference *r, uint64_t first, uint64_t count)
{
    const compact_request *request = r->request;
    const uint64_t overlap = goes_on(request, first) ? 1 : 0;
    int status = input_load(&request->in, first - overlap, count + overlap, r->data[INPUT]);
    if (status == STATUS_DONE && request->info.predicate.kind == VKR_PREDICATE_FLAGS)
        status = flags_load(&request->flags, first, count, r->data[BITS]);
    if (status != STATUS_DONE)
        return status;
    const compact_counts counts = compact_portion(r, first, count);
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        if (k == OUT_LENGTHS)
            status = compare_lengths(r, counts.kept);
        else
            status = compare(r, k, entry_count(&r->counts, k), entry_count(&counts, k), r->data[k]);
    }
    r->counts.kept += counts.kept;
    r->counts.rejected += counts.rejected;
    return status;
}

static int feed(reference *r)
{
    const compact_request *request = r->request;
    const uint64_t count = request->in.count;
    int status = STATUS_DONE;
    progress_start("verifying", input_span(&request->in, count) + request->flags.size);
    for (uint64_t first = 0; first < count && status == STATUS_DONE; first += r->portion)
        status = check(r, first, least(count - first, r->portion));
    progress_end();
    return status;
}

/* Compares the total count and the last length, which are known only at the end. */
static int compare_whole(reference *r)
{
    const compact_request *request = r->request;
    const uint64_t length = request->in.count - r->last;
    if (r->counts.kept != r->results->counts.kept && !r->differs)
        differ(r, "the number of kept elements", VKR_TYPE_U64, &r->results->counts.kept,
               &r->counts.kept);
    return r->counts.kept == 0
               ? STATUS_DONE
               : compare(r, OUT_LENGTHS, r->counts.kept - 1, 1, &length); /* little-endian */
}

int compact_verify(job *j)
{
    reference r = {.request = j->request, .results = j->results};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r);
    if (status == STATUS_DONE)
        status = compare_whole(&r);
    end(&r);
    j->task.differs = r.differs;
    return status;
}
