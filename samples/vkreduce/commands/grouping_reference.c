/* SPDX-License-Identifier: MIT */
/* The groups of --by, as --verify expects them: by the reference of sorts. */
#include <stdlib.h>
#include <string.h>
#include "commands/grouping.h"
#include "input/value.h"
#include "status.h"
#include "oracle_sort.h"

typedef struct reference {
    const input *keys;
    bool by_value;
    size_t size; /* of a key */
    unsigned char *data;
    found_groups *found;
} reference;

static const unsigned char *key_at(const reference *r, uint64_t i)
{
    return r->data + r->found->order[i] * r->size;
}

static bool find_offsets(const reference *r, uint64_t count)
{
    found_groups *found = r->found;
    found->offsets = malloc((size_t)(count + 1) * sizeof *found->offsets);
    if (found->offsets == NULL)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || values_differ(r->keys->type, 1, r->by_value, key_at(r, i), key_at(r, i - 1)))
            found->offsets[found->count++] = i;
    found->offsets[found->count] = count;
    return true;
}

int groups_find(const segments *s, uint64_t count, found_groups *found)
{
    const input *keys = &s->file;
    reference r = {
        .keys = keys, .size = vkrTypeSize(keys->type), .found = found, .by_value = s->by_value};
    r.data = malloc((size_t)count * r.size + 1);
    const oracle_sort_info info = {.data = r.data,
                                   .stride = r.size,
                                   .type = keys->type,
                                   .count = count,
                                   .by_value = s->by_value};
    *found = (found_groups){.order = malloc((size_t)count * sizeof *found->order + 1)};
    bool ready = r.data != NULL && found->order != NULL;
    int status = ready ? input_load(keys, 0, count, r.data) : STATUS_DONE;
    if (ready && status == STATUS_DONE)
        ready = oracle_sort(&info, found->order) && find_offsets(&r, count);
    free(r.data);
    return ready ? status : fail(STATUS_VULKAN, "--verify: out of memory");
}

void found_groups_free(found_groups *found)
{
    free(found->offsets);
    free(found->order);
    *found = (found_groups){0};
}

int groups_load(const found_groups *found, const input *in, void *data)
{
    const uint64_t pitch = input_pitch(in);
    unsigned char *elements = malloc((size_t)input_span(in, in->count) + 1);
    int status = elements != NULL ? input_load(in, 0, in->count, elements)
                                  : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t i = 0; i < in->count && status == STATUS_DONE; i++)
        memcpy((unsigned char *)data + i * pitch, elements + found->order[i] * pitch,
               (size_t)input_span(in, 1));
    free(elements);
    return status;
}

int groups_move(const found_groups *found, const input *in, input *moved)
{
    const uint64_t size = input_span(in, in->count);
    unsigned char *values = malloc((size_t)size + 1);
    *moved = *in;
    moved->file = -1;
    moved->memory = NULL;
    const int status = values != NULL ? groups_load(found, in, values)
                                      : fail(STATUS_VULKAN, "--verify: out of memory");
    input_use_memory(moved, values, size);
    moved->offset = 0;
    return status;
}
