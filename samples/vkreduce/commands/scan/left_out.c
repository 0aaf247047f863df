/* SPDX-License-Identifier: MIT */
/* --mask, and --nan skip: what is left out counts as the operator's identity. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "input/flags.h"
#include "input/number.h"
#include "status.h"

int scan_open_mask(scan_request *r)
{
    const scan_options *opts = r->opts;
    if (opts->mask == NULL)
        return STATUS_DONE;
    if (opts->by != NULL)
        return fail(STATUS_USAGE, "--mask and --by are both given; --runs takes runs of equal keys "
                                  "where they are, and a mask");
    return flags_open(&r->mask, opts->mask, "--mask", r->in.count);
}

/* The bits that a float type has for 1. */
static uint64_t one_of(VkrType type)
{
    VkrConstant one = {.f = 1.0};
    uint64_t bits = 1;
    if (is_float(type))
        constant_bits(type, one, &bits);
    return bits;
}

static uint64_t identity_of(const scan_request *r)
{
    const VkrType type = r->in.type;
    const VkrOp op = r->info.op;
    if (op == VKR_OP_MIN || op == VKR_OP_MAX)
        return value_extreme(type, op == VKR_OP_MIN);
    return op == VKR_OP_PRODUCT ? one_of(type) : op == VKR_OP_AND ? UINT64_MAX : 0;
}

static bool is_nan(VkrType type, const void *value)
{
    double number;
    return value_as_float(type, value, &number) && isnan(number);
}

int scan_leave_out(const scan_request *r, uint64_t first, uint64_t count, unsigned char *data)
{
    const bool skips = r->opts->nan == VKR_NAN_SKIP && scan_adds_floats(r);
    const uint64_t identity = identity_of(r), pitch = input_pitch(&r->in);
    const uint32_t size = vkrTypeSize(r->in.type);
    if (!skips && r->opts->mask == NULL)
        return STATUS_DONE;
    uint32_t *bits = malloc((size_t)flag_bytes(count) + 1);
    int status = bits != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
    if (status == STATUS_DONE && r->opts->mask != NULL)
        status = flags_load(&r->mask, first, count, bits);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
        for (uint32_t c = 0; c < r->in.components; c++) {
            unsigned char *at = data + i * pitch + (size_t)c * size;
            if ((r->opts->mask != NULL && !flag_at(bits, i)) || (skips && is_nan(r->in.type, at)))
                memcpy(at, &identity, size); /* little-endian */
        }
    free(bits);
    return status;
}

int scan_load_mask(const scan_request *r, uint64_t first, uint64_t count, uint32_t *words)
{
    /* Bits fill the first words, so that the last flags are made first. */
    const int status = flags_load(&r->mask, first, count, words);
    for (uint64_t i = count; i-- > 0 && status == STATUS_DONE;)
        words[i] = flag_at(words, i);
    return status;
}
