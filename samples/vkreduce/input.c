/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include "runner.h"

#define PORTION ((size_t)4 << 20) /* that are read between two looks at the progress */
#define WIDE_STRIDE 4096u         /* beyond, each element is read by itself */

/* Output i + 1 of Steele, Lea and Flood's splitmix64: it can start anywhere. */
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

/* Of sizes that the compiler knows, which makes it several times faster. */
#define STORE(type, value) memcpy(data, &(type){value}, sizeof(type))

static void fill_random(const input *in, uint64_t first, size_t count, unsigned char *data)
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
        else
            memcpy(data, &bits, size);
    }
}

static int read_file(const input *in, uint64_t offset, size_t size, unsigned char *data)
{
    while (size > 0) {
        ssize_t got = pread(in->file, data, size, (off_t)(in->start + offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(STATUS_USAGE, "%s: it cannot be read: %s", in->name, strerror(errno));
        if (got == 0)
            return fail(STATUS_USAGE, "%s: it became shorter while it was read", in->name);
        data += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return STATUS_DONE;
}

static int read_portion(const input *in, uint64_t offset, size_t size, void *data)
{
    size_t value = vkrTypeSize(in->type);
    switch (in->source) {
    case SOURCE_FILE:
        return read_file(in, offset, size, data);
    case SOURCE_MEMORY:
        memcpy(data, in->memory + offset, size);
        break;
    case SOURCE_RANDOM:
        fill_random(in, offset / value, size / value, data);
        break;
    }
    return STATUS_DONE;
}

int input_read(const input *in, uint64_t offset, size_t size, void *data)
{
    int status = STATUS_DONE;
    for (size_t done = 0; done < size && status == STATUS_DONE;) {
        size_t portion = size - done < PORTION ? size - done : PORTION;
        status = read_portion(in, offset + done, portion, (unsigned char *)data + done);
        if (status == STATUS_DONE)
            status = progress_add(portion);
        done += portion;
    }
    return status;
}

static uint64_t element_size(const input *in)
{
    return (uint64_t)vkrTypeSize(in->type) * in->components;
}

uint64_t input_pitch(const input *in)
{
    return in->stride <= WIDE_STRIDE ? in->stride : element_size(in);
}

uint64_t input_span(const input *in, uint64_t count)
{
    return count == 0 ? 0 : (count - 1) * input_pitch(in) + element_size(in);
}

int input_load(const input *in, uint64_t first, uint64_t count, void *data)
{
    uint64_t element = element_size(in);
    uint64_t start = in->offset + first * in->stride;
    int status = STATUS_DONE;
    if (in->stride <= WIDE_STRIDE)
        return input_read(in, start, (size_t)input_span(in, count), data);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
        status = input_read(in, start + i * in->stride, (size_t)element,
                            (unsigned char *)data + i * element);
    return status;
}

static int random_open(input *in, const options *opts)
{
    char count[24] = "";
    const char *text = in->name + strlen("random:");
    const char *colon = strchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
    uint64_t values;
    if (length < sizeof count)
        memcpy(count, text, length);
    in->source = SOURCE_RANDOM;
    in->type = opts->type != VKR_TYPE_UNDEFINED ? (VkrType)opts->type : VKR_TYPE_F32;
    uint64_t most = UINT64_MAX / vkrTypeSize(in->type);
    if (!parse_number(count, 0, most, &values) ||
        (colon != NULL && !parse_number(colon + 1, 0, UINT64_MAX, &in->seed)))
        return fail(STATUS_USAGE,
                    "'%s' must be random:COUNT or random:COUNT:SEED with whole numbers, COUNT at "
                    "most %llu for %s",
                    in->name, (unsigned long long)most, vkrTypeName(in->type));
    in->size = values * vkrTypeSize(in->type);
    return STATUS_DONE;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcasecmp(text + length - strlen(end), end) == 0;
}

static int file_open(input *in, const options *opts)
{
    struct stat status;
    in->file = open(in->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (in->file < 0 || fstat(in->file, &status) != 0)
        return fail(STATUS_USAGE, "%s: it cannot be opened: %s", in->name, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return fail(STATUS_USAGE, "%s: it is no regular file; INPUT must be one", in->name);
    if (ends_with(in->name, ".npy"))
        return npy_open(in, (uint64_t)status.st_size);
    if (ends_with(in->name, ".png"))
        return image_open(in);
    if (opts->type == VKR_TYPE_UNDEFINED)
        return fail(STATUS_USAGE, "%s: a raw file needs --type; only .npy and .png tell theirs",
                    in->name);
    in->type = (VkrType)opts->type;
    in->size = (uint64_t)status.st_size;
    return STATUS_DONE;
}

/* The view's numbers, from the values and the options. */
static int find_elements(input *in, const options *opts)
{
    uint64_t value = vkrTypeSize(in->type);
    uint64_t element = element_size(in);
    uint64_t left = in->size - (opts->offset < in->size ? opts->offset : in->size);
    if (opts->offset % value != 0 || opts->stride % value != 0)
        return fail(STATUS_USAGE, "--%s is %llu; it must be a multiple of %llu, the size of %s",
                    opts->offset % value != 0 ? "offset" : "stride",
                    (unsigned long long)(opts->offset % value != 0 ? opts->offset : opts->stride),
                    (unsigned long long)value, vkrTypeName(in->type));
    if (opts->offset > in->size)
        return fail(STATUS_USAGE, "--offset is %llu; %s has %llu bytes of values",
                    (unsigned long long)opts->offset, in->name, (unsigned long long)in->size);
    if (opts->stride == 0 && left % element != 0)
        return fail(STATUS_USAGE,
                    "%s: it has %llu bytes of values; elements of %u x %s need a multiple of %llu",
                    in->name, (unsigned long long)left, in->components, vkrTypeName(in->type),
                    (unsigned long long)element);
    in->offset = opts->offset;
    in->stride = opts->stride != 0 ? opts->stride : element;
    in->count = left < element ? 0 : (left - element) / in->stride + 1;
    return STATUS_DONE;
}

int input_open(input *in, const char *name, const options *opts)
{
    *in = (input){.name = name, .file = -1};
    int status = strncmp(name, "random:", strlen("random:")) == 0 ? random_open(in, opts)
                                                                  : file_open(in, opts);
    if (status != STATUS_DONE)
        return status;
    if (opts->type != VKR_TYPE_UNDEFINED && in->type != (VkrType)opts->type)
        return fail(STATUS_USAGE, "%s: it holds %s and --type says %s; leave --type out", name,
                    vkrTypeName(in->type), vkrTypeName((VkrType)opts->type));
    if (in->components != 0 && opts->components != 0 && in->components != opts->components)
        return fail(STATUS_USAGE, "%s: it has %u channels and --components says %u; leave it out",
                    name, in->components, (unsigned)opts->components);
    if (in->components == 0)
        in->components = opts->components != 0 ? (uint32_t)opts->components : 1;
    return find_elements(in, opts);
}

void input_close(input *in)
{
    if (in->name != NULL && in->file >= 0)
        close(in->file);
    free(in->memory);
    *in = (input){.file = -1};
}
