/* SPDX-License-Identifier: MIT */
/* The sizes that header.c and header.cpp must agree on. */
#ifndef VKR_TESTS_HEADER_SIZES_H
#define VKR_TESTS_HEADER_SIZES_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEADER_SIZES                                                                               \
    sizeof(VkrResult), sizeof(VkrOp), sizeof(VkrRequirement), sizeof(VkrDeviceRequirements),       \
        offsetof(VkrDeviceRequirements, features), sizeof(VkrLimits), sizeof(VkrContextInfo),      \
        offsetof(VkrContextInfo, limits), offsetof(VkrContextInfo, testHooks),                     \
        sizeof(VkrTestHooks), sizeof(VkrSelfTestReport), sizeof(VkrSegments),                      \
        sizeof(VkrContextProperties), sizeof(VkrBufferRange), sizeof(VkrView),                     \
        offsetof(VkrView, bufferSize), sizeof(VkrDeviceRequirementsInfo), sizeof(VkrGpuCount),     \
        sizeof(VkrReduceInfo), offsetof(VkrReduceInfo, output), offsetof(VkrReduceInfo, flags),    \
        sizeof(VkrReduceResult), sizeof(VkrReduceLayout), sizeof(VkrRecorderInfo),                 \
        sizeof(VkrEndInfo), offsetof(VkrEndInfo, scratch), offsetof(VkrEndInfo, queryCount),       \
        sizeof(VkrUse), sizeof(VkrOperationName), sizeof(VkrTuning), sizeof(VkrProfile),           \
        sizeof(VkrPolicy), sizeof(VkrPolicyField), sizeof(VkrFlagView), sizeof(VkrScanInfo),       \
        offsetof(VkrScanInfo, segments), sizeof(VkrPredicate), sizeof(VkrPayload),                 \
        sizeof(VkrCountOutput), sizeof(VkrCompactInfo), offsetof(VkrCompactInfo, countOutputs),    \
        sizeof(VkrEnableFeaturesInfo), sizeof(VkrMap), sizeof(VkrModuleInfo), sizeof(VkrHookInfo), \
        sizeof(VkrHook)

extern const size_t header_sizes_c[];
extern const size_t header_sizes_cpp[];
int header_calls_cpp(void);
int header_throws_cpp(void);

#ifdef __cplusplus
}
#endif

#endif
