/* SPDX-License-Identifier: MIT */
#include "commands/compact/request.h"
#include "input/flags.h"
#include "status.h"

static int prepare_info(compact_request *r, const char *predicate)
{
    const compact_options *opts = r->opts;
    const char *flags;
    int status = predicate_parse(predicate, &r->in, &r->info.predicate, &flags);
    if (status == STATUS_DONE && flags != NULL)
        status = flags_open(&r->flags, flags, "PREDICATE", r->in.count);
    r->info.label = "vkreduce compact";
    r->info.algorithm = (VkrCompactAlgorithm)opts->algorithm;
    r->info.stream =
        (VkrStreamOptions){(uint32_t)opts->block, (VkrBlockScan)opts->block_scan,
                           (VkrStreamSearch)opts->search, (VkrConcatenation)opts->concatenation};
    r->index = r->in.count > UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status;
}

int compact_request_open(compact_request *r, const operands *given, const compact_options *opts)
{
    *r = (compact_request){.opts = opts, .in = {.file = -1}, .flags = {.file = -1}};
    int status = input_open(&r->in, given->words[1], &opts->input);
    return status == STATUS_DONE ? prepare_info(r, given->words[0]) : status;
}

void compact_request_close(compact_request *r)
{
    input_close(&r->flags);
    input_close(&r->in);
}
