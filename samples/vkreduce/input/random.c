/* SPDX-License-Identifier: MIT */
/* Generated INPUT: random:COUNT or random:COUNT:SEED. */
#include <string.h>
#include "input/formats.h"
#include "input/number.h"
#include "status.h"

/* Output i + 1 of splitmix64 (Steele, Lea, Flood), computed without the outputs before it. */
static uint64_t splitmix64(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* k / 2048 as f16: normal for every k > 0. */
static uint16_t half_of_2048ths(uint32_t k)
{
    uint32_t exponent = 14;
    if (k == 0)
        return 0;
    for (; (k & 0x400) == 0; k <<= 1)
        exponent--;
    return (uint16_t)(exponent << 10 | (k & 0x3ff));
}

/* k / 256 as bf16, which is the upper half of an f32. */
static uint16_t bfloat_of_256ths(uint32_t k)
{
    const float value = (float)k * 0x1p-8f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* Stores a value whose size the compiler knows, which is several times faster. */
#define STORE(type, value) memcpy(data, &(type){value}, sizeof(type))

void random_fill(const input *in, uint64_t first, size_t count, unsigned char *data)
{
    const size_t size = vkrTypeSize(in->type);
    for (size_t i = 0; i < count; i++, data += size) {
        uint64_t bits = splitmix64(in->seed, first + i);
        if (in->type == VKR_TYPE_F32)
            STORE(float, (float)(bits >> 40) * 0x1p-24f);
        else if (in->type == VKR_TYPE_F64)
            STORE(double, (double)(bits >> 11) * 0x1p-53);
        else if (in->type == VKR_TYPE_F16)
            STORE(uint16_t, half_of_2048ths((uint32_t)(bits >> 53)));
        else if (in->type == VKR_TYPE_BF16)
            STORE(uint16_t, bfloat_of_256ths((uint32_t)(bits >> 56)));
        else
            memcpy(data, &bits, size);
    }
}

int random_open(input *in, const input_options *opts)
{
    char count[128] = "";
    const char *text = in->name + strlen(RANDOM);
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    uint64_t values;
    if (length < sizeof count)
        memcpy(count, text, length);
    in->source = SOURCE_RANDOM;
    in->type = opts->type != VKR_TYPE_UNDEFINED ? (VkrType)opts->type : VKR_TYPE_F32;
    uint64_t most = UINT64_MAX / vkrTypeSize(in->type);
    if (!parse_count(count, 0, most, &values) ||
        (colon != NULL && !parse_count(colon + 1, 0, UINT64_MAX, &in->seed)))
        return fail(STATUS_USAGE,
                    "'%s' must be random:COUNT or random:COUNT:SEED with whole numbers, COUNT at "
                    "most %llu for %s and SEED at most %llu",
                    in->name, (unsigned long long)most, vkrTypeName(in->type),
                    (unsigned long long)UINT64_MAX);
    in->size = values * vkrTypeSize(in->type);
    return STATUS_DONE;
}
