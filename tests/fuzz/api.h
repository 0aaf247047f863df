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

/* Changes some words of a structure. */
void disturb(void *data, size_t size);

/* Collects a request of some kind, with this label. `o` describes what the operation may touch if
 * the result is VKR_SUCCESS. Requests that were not even tried return VKR_RESULT_MAX_ENUM. */
VkrResult collect_any(const char *label, operation *o);

#endif
