/* SPDX-License-Identifier: MIT */
/* The contexts and the rows of pieces.c. */
#include "pieces_rows.h"

static const struct {
    VkrLimits limits;
    VkrTestHooks hooks;
    VkrTuning tuning; /* treeWorkgroupSize 0: the built-in tuning */
} contexts[CONTEXTS] = {
    [SMALL] = {.limits = {.maxStorageBufferRange = 65536, .maxComputeWorkGroupCount = 3}},
    [WIDE] = {.hooks = {.wideIndices = VK_TRUE}},
    [SHARED] = {.limits = {.groupPath = VKR_GROUP_PATH_SHARED}},
    [TEXELS] = {.tuning = {.workgroupSize = 64,
                           .treeWorkgroupSize = 64,
                           .minBytes = 64,
                           .maxBytes = 1024,
                           .maxGroups = 16,
                           .order = VKR_LOAD_COALESCED,
                           .path = VKR_LOAD_TEXEL,
                           .flight = 4}},
    [ELEMENT] = {.tuning = {.workgroupSize = 1,
                            .treeWorkgroupSize = 64,
                            .minBytes = 64,
                            .maxBytes = 1024,
                            .maxGroups = 16,
                            .order = VKR_LOAD_CONTIGUOUS,
                            .path = VKR_LOAD_ELEMENT,
                            .flight = 1}},
    /* An invocation has fewer elements of a block than a load contains if they are small. */
    [LARGE] = {.tuning = {.workgroupSize = 1024,
                          .treeWorkgroupSize = 64,
                          .minBytes = 64,
                          .maxBytes = 1024,
                          .maxGroups = 16,
                          .order = VKR_LOAD_COALESCED,
                          .path = VKR_LOAD_U64,
                          .flight = 4}},
};

VkrContext open_context(harness *h, int which)
{
    VkrContext context;
    const VkrTuning *tuning = &contexts[which].tuning;
    h->hooks = contexts[which].hooks;
    assert_true(tuning->treeWorkgroupSize != 0
                    ? harness_tuned_context(h, &contexts[which].limits, tuning, NULL, &context)
                    : harness_context(h, &contexts[which].limits, &context));
    return context;
}

/* The rows have every operator, type and context; the most important ones come first. */
const piece_row rows[PIECE_ROWS] = {
    {VKR_TYPE_F32, VKR_OP_SUM | VKR_OP_MEAN | VKR_OP_L2 | VKR_OP_DOT, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE},
    {VKR_TYPE_U32, VKR_OP_MIN | VKR_OP_SUM | VKR_OP_ARGMAX | VKR_OP_COUNT, 1, .context = DEVICE},
    {VKR_TYPE_F32, VKR_OP_ARGMIN | VKR_OP_ARGMAX | VKR_OP_NAN, 1, .context = WIDE},
    {VKR_TYPE_F32, VKR_OP_SUM | VKR_OP_MAX, 3, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE},
    {VKR_TYPE_F32, VKR_OP_SUM | VKR_OP_L1, 1, .context = SMALL,
     .determinism = VKR_DETERMINISM_DEVICE, .packed = true},
    {VKR_TYPE_I32, VKR_OP_MEAN | VKR_OP_DOT | VKR_OP_XOR, 1, .context = SMALL, .packed = true},
    {VKR_TYPE_F32, VKR_OP_MIN | VKR_OP_MEAN, 1, .context = TEXELS, .nan = VKR_NAN_PROPAGATE},
    {VKR_TYPE_I32, VKR_OP_ARGMIN | VKR_OP_L2, 2, .context = ELEMENT},
    {VKR_TYPE_U32, VKR_OP_AND | VKR_OP_OR | VKR_OP_ARGMIN, 1, .context = SHARED},
    {VKR_TYPE_U32, VKR_OP_COUNT, 4, .context = DEVICE},
    {VKR_TYPE_F32, VKR_OP_PRODUCT, 1, .context = DEVICE, .determinism = VKR_DETERMINISM_DEVICE},
    {VKR_TYPE_F64, VKR_OP_SUM | VKR_OP_ARGMIN | VKR_OP_ABSMAX, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE},
    {VKR_TYPE_F16, VKR_OP_MEAN | VKR_OP_NAN | VKR_OP_ARGMAX, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE, .nan = VKR_NAN_PROPAGATE},
    {VKR_TYPE_BF16, VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMIN, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE, .nan = VKR_NAN_PROPAGATE},
    {VKR_TYPE_F32, VKR_OP_SUM | VKR_OP_SUMSQ, 1, .context = DEVICE, .accumulator = VKR_TYPE_F64,
     .determinism = VKR_DETERMINISM_DEVICE},
    {VKR_TYPE_I8, VKR_OP_MEAN | VKR_OP_L1 | VKR_OP_DOT, 1, .context = SMALL,
     .accumulator = VKR_TYPE_I64},
    {VKR_TYPE_U8, VKR_OP_SUM | VKR_OP_ARGMIN, 1, .context = LARGE},
    {VKR_TYPE_U8, VKR_OP_MAX | VKR_OP_ARGMAX | VKR_OP_PRODUCT, 3, .context = TEXELS},
    {VKR_TYPE_I16, VKR_OP_SUM | VKR_OP_ABSMAX, 1, .context = TEXELS},
    {VKR_TYPE_U16, VKR_OP_ARGMIN | VKR_OP_SUMSQ, 1, .context = ELEMENT},
    {VKR_TYPE_I64, VKR_OP_ARGMAX | VKR_OP_MEAN, 1, .context = WIDE},
    {VKR_TYPE_F32, VKR_OP_VARIANCE | VKR_OP_COUNT | VKR_OP_MAX, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE, .nan = VKR_NAN_SKIP, .sample = true},
    {VKR_TYPE_F16, VKR_OP_STDDEV | VKR_OP_MEAN, 2, .context = SMALL, .nan = VKR_NAN_SKIP},
    {VKR_TYPE_I64, VKR_OP_STDDEV | VKR_OP_VARIANCE, 1, .context = WIDE, .sample = true},
    {VKR_TYPE_U64, VKR_OP_DOT | VKR_OP_MIN, 1, .context = TEXELS},
    {VKR_TYPE_F32, VKR_OP_LOGSUMEXP | VKR_OP_SUM, 1, .context = DEVICE,
     .determinism = VKR_DETERMINISM_DEVICE},
};
