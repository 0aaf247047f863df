/* SPDX-License-Identifier: MIT */
/* The commands that order elements, or need whole segments, as in options.c. */
#include "commands/apply/apply.h"
#include "commands/bounds/bounds.h"
#include "commands/expand/expand.h"
#include "commands/merge/merge.h"
#include "commands/select/select.h"
#include "commands/sort/sort.h"
#include "commands/topk/topk.h"
#include "options.h"
#include "said.h"

int sort_run(const operands *given, const void *options)
{
    const sort_options *opts = options;
    VkrSortInfo info = {0};
    input in;
    check_operands(given, 1, 1);
    check_data(&opts->data);
    EXPECT(opts->data.algorithm < VKR_SORT_ALGORITHM_COUNT, "algorithm");
    int status = try_input(&opts->data.input, given->words[0], &in);
    if (status == STATUS_DONE && opts->bits != NULL &&
        said_right(status = sort_parse_bits(opts->bits, &in, &info)))
        EXPECT(info.beginBit < info.endBit && info.endBit <= 8 * vkrTypeSize(in.type), "--bits %s",
               opts->bits);
    if (status == STATUS_DONE)
        status = try_segments(opts->segments, opts->axis, SEGMENTS_OF_SORT, &in, &opts->data.input);
    input_close(&in);
    return status;
}

int topk_run(const operands *given, const void *options)
{
    const topk_options *opts = options;
    uint32_t k;
    input in;
    check_operands(given, 2, 2);
    check_data(&opts->data);
    int status = topk_parse_k(given->words[0], &k);
    if (!said_right(status))
        return status;
    EXPECT(k >= 1 && k <= VKR_MAX_TOP_K, "K is %u", k);
    status = try_input(&opts->data.input, given->words[1], &in);
    if (status == STATUS_DONE)
        status = try_segments(opts->segments, opts->axis, SEGMENTS_OF_TOPK, &in, &opts->data.input);
    input_close(&in);
    return status;
}

int expand_run(const operands *given, const void *options)
{
    const expand_options *opts = options;
    input in;
    check_operands(given, 1, 1);
    check_data(&opts->data);
    const int status = try_input(&opts->data.input, given->words[0], &in);
    input_close(&in);
    return status;
}

int merge_run(const operands *given, const void *options)
{
    const merge_options *opts = options;
    input in;
    check_operands(given, 2, 2);
    check_data(&opts->data);
    const int status = try_input(&opts->data.input, given->words[0], &in);
    input_close(&in);
    return status;
}

int select_run(const operands *given, const void *options)
{
    const select_options *opts = options;
    select_ranks ranks;
    input in;
    check_operands(given, 1, 1);
    check_data(&opts->data);
    int status = select_parse(opts->ranks, opts->quantiles, &ranks);
    if (!said_right(status))
        return status;
    EXPECT(ranks.count >= 1 && ranks.count <= VKR_MAX_SELECT_RANKS, "%u ranks", ranks.count);
    for (uint32_t i = 0; i < ranks.count; i++)
        EXPECT(select_rank(&ranks, i, 10) < (ranks.are_shares ? 10 : UINT32_MAX), "rank %u", i);
    status = try_input(&opts->data.input, given->words[0], &in);
    if (status == STATUS_DONE)
        status =
            try_segments(opts->segments, opts->axis, SEGMENTS_OF_SELECT, &in, &opts->data.input);
    input_close(&in);
    return status;
}

int bounds_run(const operands *given, const void *options)
{
    const bounds_options *opts = options;
    bool upper;
    input in;
    check_operands(given, 3, 3);
    check_data(&opts->data);
    int status = bounds_parse_side(given->words[0], &upper);
    if (status != STATUS_DONE)
        return status;
    status = try_input(&opts->data.input, given->words[1], &in);
    input_close(&in);
    return status;
}

int apply_run(const operands *given, const void *options)
{
    const apply_options *opts = options;
    VkrApplyFunction function = VKR_APPLY_FUNCTION_COUNT;
    input in;
    check_operands(given, 2, 2);
    check_data(&opts->data);
    int status = apply_parse_function(given->words[0], &function);
    if (!said_right(status))
        return status;
    EXPECT(function < VKR_APPLY_FUNCTION_COUNT, "function %d", (int)function);
    status = try_input(&opts->data.input, given->words[1], &in);
    if (status == STATUS_DONE)
        status =
            try_segments(opts->segments, opts->axis, SEGMENTS_OF_APPLY, &in, &opts->data.input);
    input_close(&in);
    return status;
}
