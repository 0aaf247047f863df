/* SPDX-License-Identifier: MIT */
/* What a request by key has of its own: a reduction, or a scan. */
#ifndef VKR_TESTS_BY_KEY_REQUEST_H
#define VKR_TESTS_BY_KEY_REQUEST_H

#include "engine.h"

#define KEY_COUNTS 5u

typedef struct key_request {
    bool is_scan;
    bool shared; /* the keys are the input */
    bool over;   /* a scan overwrites the keys */
    bool words;  /* elements and keys are words in packs, so that one kernel serves the request */
    bool by_value;
    VkrType type, key_type, length_type, result, gpu_count; /* the result is that of a scan */
    uint32_t components, key_components;
    VkrOpFlags ops;    /* of a reduction; a scan has the lowest one */
    uint32_t outputs;  /* 0: only results; else what is written about runs */
    uint32_t phase;    /* where packed words start in a pack */
    uint64_t length;   /* of each run; 0: drawn */
    uint64_t capacity; /* the host's count */
    VkrReduceInfo reduce;
    VkrScanInfo scan;
    VkrReduceLayout layout;
    VkrCountOutput counts[KEY_COUNTS];
} key_request;

/* The number of runs for which there is room. */
uint64_t key_room(const key_request *s);

/* ---- by_key_data.c ---- */

void key_fill(test_request *t);
void key_expect(test_request *t);

#endif
