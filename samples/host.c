/* SPDX-License-Identifier: MIT */
/* The sum, the largest element and a sorted copy of an array, without Vulkan code. */
#include <stdio.h>
#include "vkreduce/host.h"

#define COUNT 1000u

static void say(void *data, VkrResult result, const char *sentence)
{
    fprintf(stderr, "%s: %s\n", vkrResultName(result), sentence);
    (void)data;
}

int main(void)
{
    float values[COUNT], sorted[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (float)(i * i % 997) - 300.5f;

    VkrHost host;
    struct {
        float sum;
        uint32_t largest; /* its index */
    } results;            /* in the order of the operators' bits (VkrReduceLayout) */
    VkrHostReduceInfo reduce = {.reduce = {.ops = VKR_OP_SUM | VKR_OP_ARGMAX,
                                           .input = {.type = VKR_TYPE_F32},
                                           .count = COUNT},
                                .input = values,
                                .results = &results,
                                .resultsSize = sizeof results};
    VkrHostSortInfo sort = {
        .sort = {.keys = {.type = VKR_TYPE_F32}, .count = COUNT}, .keys = values, .sorted = sorted};
    if (vkrCreateHost(&(VkrHostInfo){.message = say}, &host) != VKR_SUCCESS)
        return 1; /* a sentence has said why */
    VkrResult result = vkrHostReduce(host, &reduce);
    if (result == VKR_SUCCESS)
        result = vkrHostSort(host, &sort);
    vkrDestroyHost(host);
    if (result != VKR_SUCCESS)
        return 1;
    printf("sum %g, largest %g at %u, median %g\n", (double)results.sum,
           (double)values[results.largest], results.largest, (double)sorted[COUNT / 2]);
    return 0;
}
