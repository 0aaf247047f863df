/* SPDX-License-Identifier: MIT */
/* The command sort: options.c has its options, sort.c its request, outputs and text; device.c
 * sorts, chunks.c in chunks, verify.c verifies; then.c is for --then. */
#ifndef RUNNER_SORT_H
#define RUNNER_SORT_H

#include "commands/job.h"
#include "commands/payload.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct sort_options {
    data_options data;
    const char *output;
    const char *indices;
    const char *segments;
    const char *axis;
    const char *bits;
    text_list payloads;
    text_list then;
    bool descending;
    bool nan_first;
    bool by_value;
} sort_options;

extern const command sort_command;

/* The possible outputs; each is an array in device memory. */
typedef enum sort_output { SORT_VALUES, SORT_INDICES, SORT_OUTPUTS } sort_output;

struct oracle_sort_info; /* oracle_sort.h */

/* A key after the first ones. */
typedef struct sort_then {
    char *name;     /* owned; without the words of the order */
    uint32_t flags; /* VkrSortFlagBits */
    input in;       /* without gaps */
} sort_then;

typedef struct sort_request {
    const sort_options *opts;
    input in;
    segments segments;
    sort_then then[VKR_MAX_SORT_THEN];
    uint32_t then_count;
    VkrSortInfo info; /* without data, count and outputs */
} sort_request;

typedef struct sort_results {
    output outs[SORT_OUTPUTS];
    payloads payloads;
} sort_results;

static inline VkrType sort_entry_type(const sort_request *r, sort_output k)
{
    return k == SORT_VALUES ? r->in.type : VKR_TYPE_U32;
}

static inline uint64_t sort_entry_size(const sort_request *r, sort_output k)
{
    return vkrTypeSize(sort_entry_type(r, k));
}

/* Runs the command; `options` points to a sort_options. */
int sort_run(const operands *given, const void *options);

/* Parses LO:HI, bits of an integer type. */
int sort_parse_bits(const char *text, const input *in, VkrSortInfo *info);

/* ---- then.c ---- */

/* Opens the files of --then; then_close may follow a failure. */
int then_open(sort_request *r);
void then_close(sort_request *r);

/* The keys on the device: create and fill memory for each, and destroy it, which may follow a
 * failure; all of their bytes; and how a sort reads them. `keys` must live as long as `info`. */
int then_alloc(const sort_request *r, VkrHost host, VkrHostMemory *memory);
int then_upload(const sort_request *r, VkrHost host, VkrHostMemory *memory);
void then_free(VkrHost host, VkrHostMemory *memory);
uint64_t then_bytes(const sort_request *r);
void then_describe(const sort_request *r, const VkrHostMemory *memory, VkrSortInfo *info,
                   VkrSortKey *keys);

/* Loads the keys, which the caller frees; and adds those from element `start` on to an order of the
 * scalar reference. `then` must live as long as `info`. */
int then_load(const sort_request *r, unsigned char **data);
void then_order(const sort_request *r, unsigned char *const *data, uint64_t start,
                struct oracle_sort_info *info, struct oracle_sort_info *then);

/* ---- Other files ---- */

/* Sorts the input into the outputs that are open. */
int sort_execute(job *j);

/* The same in chunks (chunks.h). */
int sort_in_chunks(job *j);

/* Compares the outputs with what the scalar reference makes of the input, which is read again. */
int sort_verify(job *j);

#endif
