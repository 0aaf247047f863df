/* SPDX-License-Identifier: MIT */
/* --then FILE: further keys, each of which decides among elements whose earlier keys are equal. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "commands/grouping.h"
#include "commands/sort/sort.h"
#include "status.h"
#include "oracle_sort.h"

/* Takes the words of an order off the end of FILE:WORD:WORD. */
static void take_words(char *text, uint32_t *flags)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {{":descending", VKR_SORT_DESCENDING_BIT},
                 {":nan-first", VKR_SORT_NAN_FIRST_BIT},
                 {":by-value", VKR_SORT_BY_VALUE_BIT}};
    bool found = true;
    while (found) {
        char *colon = strrchr(text, ':');
        found = false;
        for (size_t i = 0; i < sizeof words / sizeof words[0] && colon != NULL && !found; i++)
            if (strcmp(colon, words[i].word) == 0) {
                found = true;
                *flags |= words[i].flag;
                *colon = '\0';
            }
    }
}

static int open_one(sort_then *then, const char *text, uint64_t count)
{
    input *in = &then->in;
    then->name = calloc(strlen(text) + 1, 1);
    if (then->name == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    memcpy(then->name, text, strlen(text));
    take_words(then->name, &then->flags);
    if (then->name[0] == '\0')
        return fail(STATUS_USAGE, "--then is '%s'; it must name a file of keys", text);
    const int status = input_open(in, then->name, &(input_options){.role = INPUT_OF_OPTION});
    if (status != STATUS_DONE)
        return status;
    if (in->count != count || in->components != 1)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " x %u values; --then needs one for each of %" PRIu64
                    " elements",
                    then->name, in->count, in->components, count);
    return grouping_pack(in);
}

int then_open(sort_request *r)
{
    const text_list *texts = &r->opts->then;
    int status = STATUS_DONE;
    if (texts->count > VKR_MAX_SORT_THEN)
        return fail(STATUS_USAGE, "--then is given %u times; it can be given up to %u times",
                    texts->count, VKR_MAX_SORT_THEN);
    for (; r->then_count < texts->count && status == STATUS_DONE; r->then_count++)
        status = open_one(&r->then[r->then_count], texts->texts[r->then_count], r->in.count);
    return status;
}

void then_close(sort_request *r)
{
    for (uint32_t i = 0; i < r->then_count; i++) {
        input_close(&r->then[i].in);
        free(r->then[i].name);
    }
}

/* ---- The device ---- */

int then_alloc(const sort_request *r, VkrHost host, VkrHostMemory *memory)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < r->then_count && status == STATUS_DONE; i++)
        status = gpu_status(
            vkrHostAlloc(host, r->then[i].in.size + 1, VKR_HOST_MEMORY_DEVICE, &memory[i]));
    return status;
}

int then_upload(const sort_request *r, VkrHost host, VkrHostMemory *memory)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < r->then_count && status == STATUS_DONE; i++)
        status = gpu_upload(host, &memory[i], &r->then[i].in);
    return status;
}

void then_free(VkrHost host, VkrHostMemory *memory)
{
    for (uint32_t i = 0; i < VKR_MAX_SORT_THEN; i++)
        vkrHostFree(host, &memory[i]);
}

uint64_t then_bytes(const sort_request *r)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < r->then_count; i++)
        bytes += r->then[i].in.size;
    return bytes;
}

void then_describe(const sort_request *r, const VkrHostMemory *memory, VkrSortInfo *info,
                   VkrSortKey *keys)
{
    for (uint32_t i = 0; i < r->then_count; i++)
        keys[i] = (VkrSortKey){.flags = r->then[i].flags,
                               .keys = {.buffer = memory[i].buffer,
                                        .size = r->then[i].in.size,
                                        .type = r->then[i].in.type,
                                        .components = 1}};
    info->thenCount = r->then_count;
    info->then = r->then_count != 0 ? keys : NULL;
}

/* ---- --verify ---- */

int then_load(const sort_request *r, unsigned char **data)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < r->then_count && status == STATUS_DONE; i++) {
        const input *in = &r->then[i].in;
        data[i] = malloc((size_t)in->size + 1);
        status = data[i] != NULL ? input_load(in, 0, in->count, data[i])
                                 : fail(STATUS_VULKAN, "--verify: out of memory");
    }
    return status;
}

void then_order(const sort_request *r, unsigned char *const *data, uint64_t start,
                struct oracle_sort_info *info, struct oracle_sort_info *then)
{
    for (uint32_t i = 0; i < r->then_count; i++) {
        const uint32_t size = vkrTypeSize(r->then[i].in.type), flags = r->then[i].flags;
        then[i] = (oracle_sort_info){.data = data[i] + start * size,
                                     .stride = size,
                                     .type = r->then[i].in.type,
                                     .descending = (flags & VKR_SORT_DESCENDING_BIT) != 0,
                                     .nan_first = (flags & VKR_SORT_NAN_FIRST_BIT) != 0,
                                     .by_value = (flags & VKR_SORT_BY_VALUE_BIT) != 0,
                                     .then = i + 1 < r->then_count ? &then[i + 1] : NULL};
    }
    info->then = r->then_count != 0 ? then : NULL;
}
