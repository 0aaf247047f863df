/* SPDX-License-Identifier: MIT */
/*
 * Keys of --by and --runs.
 *
 * Elements of float keys are grouped by codes: unsigned integers of the same size, which ascend in
 * the order of the keys. NaN come last, in the order of their bits as unsigned numbers, so that
 * equal keys are equal codes for each part of the runner that compares them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "input/segments.h"
#include "input/value.h"
#include "status.h"

/* What the codes of a type depend on: the bits of its sign and of infinity, all bits, the number of
 * NaN of a sign, and the code of the first NaN. */
typedef struct coding {
    uint64_t sign, infinity, all, nans, first_nan;
} coding;

static coding coding_of(VkrType type)
{
    const uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    coding c = {.sign = sign, .infinity = value_infinity(type), .all = sign | (sign - 1)};
    c.nans = sign - 1 - c.infinity;
    c.first_nan = c.all - 2 * c.nans + 1;
    return c;
}

uint64_t key_code(VkrType type, uint64_t bits)
{
    const coding c = coding_of(type);
    const bool is_negative = (bits & c.sign) != 0;
    if ((bits & ~c.sign) > c.infinity)
        return is_negative ? bits : c.first_nan + (bits - c.infinity - 1);
    return (is_negative ? ~bits & c.all : bits | c.sign) - c.nans;
}

uint64_t key_of_code(VkrType type, uint64_t code)
{
    const coding c = coding_of(type);
    if (code >= c.first_nan)
        return code > (c.sign | c.infinity) ? code : code - c.first_nan + c.infinity + 1;
    code += c.nans;
    return (code & c.sign) != 0 ? code ^ c.sign : ~code & c.all;
}

static VkrType code_type(VkrType type)
{
    const uint32_t size = vkrTypeSize(type);
    return size == 2 ? VKR_TYPE_U16 : size == 4 ? VKR_TYPE_U32 : VKR_TYPE_U64;
}

static void convert(VkrType type, uint64_t (*how)(VkrType type, uint64_t bits), void *keys,
                    uint64_t count)
{
    const size_t size = vkrTypeSize(type);
    unsigned char *at = keys;
    for (uint64_t i = 0; i < count; i++, at += size) {
        const uint64_t bits = how(type, value_as_unsigned(type, at));
        memcpy(at, &bits, size); /* little-endian, like the device */
    }
}

/* Makes `file` an array of codes. The file of the keys stays open. */
static int encode(segments *s)
{
    const input *keys = &s->stored;
    const uint64_t size = s->file.count * vkrTypeSize(s->file.type);
    unsigned char *codes = malloc((size_t)size + 1);
    s->stored = s->file;
    s->file.file = -1;
    s->file.memory = NULL;
    int status = codes != NULL ? input_load(keys, 0, keys->count, codes)
                               : fail(STATUS_VULKAN, "%s: out of memory", keys->name);
    if (status == STATUS_DONE)
        convert(keys->type, key_code, codes, keys->count);
    input_use_memory(&s->file, codes, size);
    s->file.type = code_type(keys->type);
    return status;
}

int keys_open(segments *s, const char *by, const char *runs, uint64_t count)
{
    const char *name = by != NULL ? by : runs;
    *s = (segments){.option = by != NULL ? "by" : "runs", .text = name, .groups = by != NULL};
    if (name == NULL)
        return STATUS_DONE;
    if (by != NULL && runs != NULL)
        return fail(STATUS_USAGE, "--by and --runs are both given; name one");
    s->kind = VKR_SEGMENTS_KEYS;
    int status = input_open(&s->file, name, &(input_options){.role = INPUT_OF_OPTION});
    if (status == STATUS_DONE && s->file.count != count)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " keys; --%s needs one for each of %" PRIu64 " elements",
                    name, s->file.count, by != NULL ? "by" : "runs", count);
    if (status == STATUS_DONE && s->groups && s->file.components != 1)
        return fail(STATUS_USAGE,
                    "%s: its keys have %u components; --by groups by one value, and --runs takes "
                    "runs of equal keys with several",
                    name, s->file.components);
    if (status == STATUS_DONE && s->groups && count > UINT32_MAX)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " keys; --by groups at most %u elements, and --runs "
                    "takes runs of any number",
                    name, count, UINT32_MAX);
    return status == STATUS_DONE && s->groups && is_float(s->file.type) ? encode(s) : status;
}

const input *keys_stored(const segments *s)
{
    return s->stored.name != NULL ? &s->stored : &s->file;
}

void keys_decode(const segments *s, void *keys, uint64_t count)
{
    if (s->stored.name != NULL)
        convert(s->stored.type, key_of_code, keys, count);
}
