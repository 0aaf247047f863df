/* SPDX-License-Identifier: MIT */
/* --payload FILE:OUT of sort and topk: arrays whose entries go where the elements go. */
#ifndef RUNNER_PAYLOAD_H
#define RUNNER_PAYLOAD_H

#include "command_line/option.h"
#include "commands/job.h"
#include "device/gpu.h"
#include "output/output.h"

/* An array with an entry for each element. An entry has the values of a picture's pixel, or of a
 * row of a two-dimensional array; otherwise one. */
typedef struct payload {
    char *name;     /* owned; FILE */
    char *label;    /* owned; "payload:FILE" */
    const char *to; /* OUT */
    input in;       /* without gaps */
    output out;
} payload;

typedef struct payloads {
    payload list[MAX_TEXTS];
    uint32_t count;
} payloads;

/* Splits FILE:OUT of all options, and names the outputs after the first `used` ones. payloads_close
 * may follow a failure. */
int payloads_parse(payloads *p, const text_list *texts, named_output *outputs, uint32_t used);
void payloads_close(payloads *p);

/* Open the arrays, which must have `count` entries, and create their outputs. */
int payloads_open(payloads *p, uint64_t count);
int payloads_create(payloads *p, uint32_t dimensions);

static inline uint32_t payload_size(const payload *p)
{
    return (uint32_t)vkrTypeSize(p->in.type) * p->in.components;
}

/* The payloads on the device, as the library moves them: entries of sources, and of targets, which
 * the host reads. */
typedef struct payload_memory {
    VkrHostMemory sources[MAX_TEXTS], targets[MAX_TEXTS];
    VkrPayload moved[MAX_TEXTS];
} payload_memory;

/* Create memory for so many entries of each; fill the sources; write the targets to the outputs;
 * and destroy the memory, which may follow a failure. */
int payloads_alloc(const payloads *p, VkrHost host, uint64_t before, uint64_t after,
                   payload_memory *memory);
int payloads_upload(const payloads *p, VkrHost host, const payload_memory *memory);
int payloads_store(const payloads *p, const payload_memory *memory);
void payloads_free(VkrHost host, payload_memory *memory);

/* Complete the outputs as arrays of some dimensions, before that of the values of an entry; and
 * print a line for each. */
int payloads_finish(payloads *p, uint32_t dimensions, const uint64_t *shape);
void payloads_print(const payloads *p, uint64_t count);

#endif
