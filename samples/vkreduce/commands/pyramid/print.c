/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "commands/pyramid/results.h"
#include "commands/report.h"
#include "output/json.h"

/* Prints the value of the last level for one operator. */
static void print_value(const pyramid_request *r, const pyramid_results *results, VkrOp op)
{
    uint32_t lane;
    const pyramid_chain *c = pyramid_find_chain(results, op, &lane);
    const uint32_t *words = pyramid_words(r, c, r->count - 1) + lane;
    printf(",\"%s\":%s", pyramid_name(op), r->in.components > 1 ? "[" : "");
    for (uint32_t i = 0; i < r->in.components; i++) {
        if (i > 0)
            putchar(',');
        json_value(stdout, pyramid_type(r, op), &words[i]);
    }
    if (r->in.components > 1)
        putchar(']');
}

void pyramid_print_json(const task *t, const pyramid_request *r, const pyramid_results *results)
{
    report_start_json(t, "pyramid", &r->in,
                      vkrPyramidAlgorithmName((VkrPyramidAlgorithm)r->opts->algorithm));
    putchar('{');
    printf("\"levels\":[[%u,%u]", r->size.width, r->size.height);
    for (uint32_t k = 0; k < r->count && pyramid_texels(r->size) > 1; k++)
        printf(",[%u,%u]", r->extents[k].width, r->extents[k].height);
    putchar(']');
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if ((r->ops >> bit & 1u) != 0)
            print_value(r, results, (VkrOp)(1u << bit));
    putchar('}');
    report_end_json(t, &r->in, 1, &(named_output){"output", r->opts->output}, 1);
}

void pyramid_print_text(const task *t, const pyramid_request *r)
{
    report_device(t);
    report_input(&r->in);
    printf("%-8s %s: %u levels from %u x %u to 1 x 1\n", "output", r->opts->output, r->count,
           r->extents[0].width, r->extents[0].height);
    report_end(t, vkrPyramidAlgorithmName((VkrPyramidAlgorithm)r->opts->algorithm));
}
