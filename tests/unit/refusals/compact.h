/* SPDX-License-Identifier: MIT */
/* The request that the rows of compact.c and compact_payloads.c change. */
#ifndef VKR_REFUSALS_COMPACT_H
#define VKR_REFUSALS_COMPACT_H

#include "refusals.h"

static struct request {
    VkrCompactInfo info;
    VkrPayload payloads[2];
    VkrCountOutput counts[2];
} request;
#define SCOPE                                                                                      \
    struct request *const r = &request;                                                            \
    VkrCompactInfo *const i = &request.info;                                                       \
    (void)i, (void)r

static inline VkrView view(char buffer, VkDeviceSize bytes, VkrType type)
{
    return (VkrView){.buffer = BUFFER(buffer), .size = bytes, .type = type};
}

/* Compacts 1,000 f32 at byte 256 of A by x < 0.5 into K, with indices and two payloads. */
static void set_plain(void)
{
    struct request *const r = &request;
    *r = (struct request){
        .info =
            {.input = {.buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32},
             .count = VKR_COUNT_ALL,
             .predicate = {.kind = VKR_PREDICATE_COMPARE,
                           .compare = VKR_COMPARE_LESS,
                           .a = {.f = 0.5}},
             .kept = view('K', 4000, VKR_TYPE_F32),
             .keptIndices = view('I', 4000, VKR_TYPE_U32),
             .rejected = view('R', 4000, VKR_TYPE_UNDEFINED),
             .rejectedIndices = view('J', 4000, VKR_TYPE_UNDEFINED),
             .payloadCount = 2,
             .payloads = r->payloads,
             .countOutputCount = 2,
             .countOutputs = r->counts},
        .payloads = {{.size = 12,
                      .source = {BUFFER('S'), 0, 12000},
                      .target = {BUFFER('T'), 0, 12000}},
                     {.size = 2,
                      .rejected = VK_TRUE,
                      .source = {BUFFER('U'), 0, 2000},
                      .target = {BUFFER('V'), 0, 2000}}},
        .counts = {{.kind = VKR_COUNT_KEPT, .buffer = BUFFER('C')},
                   {.kind = VKR_COUNT_DISPATCH, .buffer = BUFFER('C'), .offset = 16, .scale = 64}},
    };
}

/* Removes the payloads, so that single-pass, and devices with few features, support the request. */
static inline void simple(struct request *r)
{
    r->info.payloadCount = 0;
}

static inline void constants(struct request *r, VkDeviceSize offset, VkDeviceSize size)
{
    r->info.predicate.gpuConstants = (VkrBufferRange){BUFFER('G'), offset, size};
}

#endif
