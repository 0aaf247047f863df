/* SPDX-License-Identifier: MIT */
#include "commands/payload.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/grouping.h"
#include "output/npy.h"
#include "status.h"

#define MAX_ENTRY 64u /* bytes */

static const char label[] = "payload:";

int payloads_parse(payloads *p, const text_list *texts, named_output *outputs, uint32_t used)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        payload *one = &p->list[p->count++];
        const char *text = texts->texts[i], *colon = strrchr(text, ':');
        if (colon == NULL || colon == text || colon[1] == '\0')
            return fail(STATUS_USAGE, "--payload is '%s'; it must be FILE:OUT, two names", text);
        const size_t length = (size_t)(colon - text);
        one->label = calloc(strlen(label) + length + 1, 1);
        one->name = calloc(length + 1, 1);
        if (one->label == NULL || one->name == NULL)
            return fail(STATUS_VULKAN, "out of memory");
        memcpy(one->name, text, length);
        memcpy(one->label, label, strlen(label));
        memcpy(one->label + strlen(label), text, length);
        one->to = colon + 1;
        outputs[used + i] = (named_output){one->label, one->to};
    }
    return STATUS_DONE;
}

/* The rows of a two-dimensional array become its entries. */
static void find_rows(input *in, uint64_t count)
{
    const uint64_t size = vkrTypeSize(in->type);
    if (in->dimensions != 2 || in->components != 1 || in->columns < 2 || in->count == count ||
        in->columns * size > MAX_ENTRY || in->count / in->columns != count)
        return;
    in->components = (uint32_t)in->columns;
    in->stride = in->columns * size;
    in->count = count;
}

static int open_one(payload *p, uint64_t count)
{
    int status = input_open(&p->in, p->name, &(input_options){.role = INPUT_OF_OPTION});
    if (status != STATUS_DONE)
        return status;
    find_rows(&p->in, count);
    if (p->in.count != count)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " entries; --payload needs one for each of %" PRIu64
                    " elements: a value, a pixel, or a row of at most %u bytes of a "
                    "two-dimensional array",
                    p->name, p->in.count, count, MAX_ENTRY);
    return grouping_pack(&p->in);
}

int payloads_open(payloads *p, uint64_t count)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++)
        status = open_one(&p->list[i], count);
    return status;
}

int payloads_create(payloads *p, uint32_t dimensions)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++) {
        status = npy_create(&p->list[i].out, p->list[i].to);
        npy_reserve(&p->list[i].out, 0, dimensions + 1);
    }
    return status;
}

int payloads_alloc(const payloads *p, VkrHost host, uint64_t before, uint64_t after,
                   payload_memory *memory)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++) {
        VkrHostMemory *source = &memory->sources[i], *target = &memory->targets[i];
        const uint32_t size = payload_size(&p->list[i]);
        status = gpu_status(vkrHostAlloc(host, before * size + 1, VKR_HOST_MEMORY_DEVICE, source));
        if (status == STATUS_DONE)
            status =
                gpu_status(vkrHostAlloc(host, after * size + 1, VKR_HOST_MEMORY_READBACK, target));
        memory->moved[i] = (VkrPayload){.size = size,
                                        .source = {source->buffer, 0, before * size},
                                        .target = {target->buffer, 0, after * size}};
    }
    return status;
}

int payloads_upload(const payloads *p, VkrHost host, const payload_memory *memory)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++)
        status = gpu_upload(host, &memory->sources[i], &p->list[i].in);
    return status;
}

int payloads_store(const payloads *p, const payload_memory *memory)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++)
        status =
            output_write(&p->list[i].out, 0, memory->targets[i].data, memory->moved[i].target.size);
    return status;
}

void payloads_free(VkrHost host, payload_memory *memory)
{
    for (uint32_t i = 0; i < MAX_TEXTS; i++) {
        vkrHostFree(host, &memory->sources[i]);
        vkrHostFree(host, &memory->targets[i]);
    }
}

int payloads_finish(payloads *p, uint32_t dimensions, const uint64_t *shape)
{
    uint64_t all[MAX_DIMENSIONS + 1] = {0};
    int status = STATUS_DONE;
    memcpy(all, shape, dimensions * sizeof *shape);
    for (uint32_t i = 0; i < p->count && status == STATUS_DONE; i++) {
        const input *in = &p->list[i].in;
        all[dimensions] = in->components;
        status =
            npy_finish_shape(&p->list[i].out, in->type, dimensions + (in->components > 1), all);
    }
    return status;
}

void payloads_print(const payloads *p, uint64_t count)
{
    for (uint32_t i = 0; i < p->count; i++)
        printf("%-8s %s: %" PRIu64 " x %u %s\n", "payload", p->list[i].to, count,
               p->list[i].in.components, vkrTypeName(p->list[i].in.type));
}

void payloads_close(payloads *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        output_close(&p->list[i].out);
        input_close(&p->list[i].in);
        free(p->list[i].name);
        free(p->list[i].label);
    }
}
