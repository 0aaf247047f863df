/* SPDX-License-Identifier: MIT */
/* Random API calls on the stub: requests (api_requests.c) in the life of a context (api.c). */
#ifndef VKR_TESTS_FUZZ_API_H
#define VKR_TESTS_FUZZ_API_H

#include "ranges.h"
#include "fuzz.h"

/* The rest of the input. The generators of random requests take their numbers from it too. */
extern fuzz_bytes choices;

static inline uint64_t choose(uint64_t end)
{
    return fuzz_below(&choices, end);
}

/* Checks that a call kept to its contract: one sentence for a failure, and none for a success.
 * Returns whether it succeeded. */
bool heard(VkrResult result);

/* ---- api_allow.c ---- */

/* Changes some words of a structure. */
void disturb(void *data, size_t size);

/* Starts a request that may touch nothing yet. The functions below add what it may touch, once
 * they have changed buffers to some of the caller's, and sizes to some with which no request takes
 * long. */
void start_request(operation *o);
void allow_range(VkrBufferRange *range, bool written);
/* With the bytes before a view, if it has any. */
void allow_view(VkrView *view, uint64_t before, bool written);
void allow_count(VkrGpuCount *count);
void allow_predicate(VkrPredicate *predicate);
void allow_segments(VkrSegments *segments);

/* The functions of api.comp, in one of four lives; else NULL. */
extern VkrModule functions;

/* Pointers are not changed, since the library must trust them; those to functions of an application
 * can be replaced by others. */
const VkrHook *choose_hook(const VkrHook *given, const char *name);
const VkrMonoid *choose_monoid(const VkrMonoid *given);
void keep_pointers(VkrView *view, const VkrView *given);
void keep_predicate_pointers(VkrPredicate *predicate, const VkrPredicate *given);
void keep_segment_pointers(VkrSegments *segments, const VkrSegments *given);

#define MAX_ENTRIES 8u

/* Copy and change arrays, and allow what they say. Return the copies; or NULL where the changed
 * count exceeds them, as the library then has to refuse the request before it reads them. */
VkrPayload *copy_payloads(uint32_t count, const VkrPayload *given, uint32_t given_count,
                          VkrPayload copies[MAX_ENTRIES]);
VkrSortKey *copy_sort_keys(uint32_t count, const VkrSortKey *given, uint32_t given_count,
                           VkrSortKey copies[MAX_ENTRIES]);
VkrMergePayload *copy_merge_payloads(uint32_t count, const VkrMergePayload *given,
                                     uint32_t given_count, VkrMergePayload copies[MAX_ENTRIES]);
VkrCountOutput *copy_counts(uint32_t count, const VkrCountOutput *given, uint32_t given_count,
                            VkrCountOutput copies[MAX_ENTRIES]);

/* ---- api_requests.c ---- */

/* What the operation that is being collected may touch. */
extern operation *requested;

/* Collects a request of some kind, with this label. `o` describes what the operation may touch if
 * the result is VKR_SUCCESS. Requests that were not even tried return VKR_RESULT_MAX_ENUM. */
VkrResult collect_any(const char *label, operation *o);

#endif
