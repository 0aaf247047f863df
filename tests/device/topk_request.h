/* SPDX-License-Identifier: MIT */
/* A request of a selection: topk.c draws it, topk_expect.c has its segments and outputs. */
#ifndef VKR_TEST_TOPK_REQUEST_H
#define VKR_TEST_TOPK_REQUEST_H

#include "engine.h"

enum { GIVES_VALUES = 1, GIVES_INDICES = 2, GIVES_PAYLOADS = 4, GIVES_FOUND = 8 };

typedef struct selection_size {
    uint32_t count;
    uint32_t length; /* of rows; 0: none */
    uint32_t k;
    uint32_t gap;      /* elements between rows */
    uint32_t segments; /* by offsets; 0: none */
    uint32_t columns;  /* 0: none */
} selection_size;

typedef struct selection {
    VkrType type;
    uint32_t outputs, payload_size;
    bool strided, wants; /* each segment has a number of its own */
    bool even;           /* segments by offsets have equal lengths */
    distribution data;
    selection_size size;
    uint32_t rows, length, pitch, step; /* step: from one element of a row to the next */
    VkrTopKInfo info;
    VkrPayload payload;
} selection;

/* Draws offsets, and how many entries each segment wants. */
void selection_fill_offsets(test_request *t);

void selection_expect(test_request *t);

#endif
