/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "commands/scan/request.h"
#include "input/constant.h"
#include "status.h"

static int parse_op(const char *text, VkrOp *op)
{
    static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                                VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(text, vkrOpName(ops[i])) == 0) {
            *op = ops[i];
            return STATUS_DONE;
        }
    return fail(STATUS_USAGE,
                "'%s' is not an OP of scan; it must be sum, product, min, max, and, or or xor",
                text);
}

/* Parses the initial value, which is the same for every component. */
static int parse_initial(scan_request *r)
{
    size_t size = vkrTypeSize(r->result);
    VkrConstant value;
    if (r->opts->initial == NULL)
        return STATUS_DONE;
    int status = parse_constant("--initial", r->opts->initial, r->result, &value);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t c = 0; c < r->in.components; c++)
        constant_bits(r->result, value, r->initial + c * size);
    r->info.initial = r->initial;
    return STATUS_DONE;
}

int scan_request_complete(scan_request *r, const gpu *g)
{
    const scan_options *opts = r->opts;
    r->info.label = "vkreduce scan";
    r->info.flags = (opts->exclusive ? VKR_SCAN_EXCLUSIVE_BIT : 0u) |
                    (opts->reverse ? VKR_SCAN_REVERSE_BIT : 0u);
    r->info.accumulator = (VkrType)opts->accumulator;
    r->info.nan = (VkrNan)opts->nan;
    r->info.determinism = (VkrDeterminism)opts->determinism;
    r->info.algorithm = (VkrScanAlgorithm)opts->algorithm;
    r->info.input = (VkrView){.type = r->in.type, .components = r->in.components};
    int status = gpu_status(vkrGetScanType(g->context, &r->info, &r->result));
    return status == STATUS_DONE ? parse_initial(r) : status;
}

int scan_request_open(scan_request *r, const operands *given, const scan_options *opts)
{
    *r = (scan_request){.opts = opts, .in = {.file = -1}, .segments = {.file = {.file = -1}}};
    int status = parse_op(given->words[0], &r->info.op);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "scan needs a file to write to: -o OUT.npy");
    if (status == STATUS_DONE)
        status = input_open(&r->in, given->words[1], &opts->input);
    return status == STATUS_DONE
               ? segments_open(&r->segments, SEGMENTS_OF_SCAN, opts->segments, r->in.count)
               : status;
}

void scan_request_close(scan_request *r)
{
    segments_close(&r->segments);
    input_close(&r->in);
}
