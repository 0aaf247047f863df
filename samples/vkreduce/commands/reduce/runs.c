/* SPDX-License-Identifier: MIT */
/* --by and --runs: the keys and the lengths of runs, which the device finds together with the
 * results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "input/flags.h"
#include "input/value.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "status.h"
#include "oracle.h"

int runs_check(const reduce_options *opts)
{
    return opts->by != NULL || opts->runs != NULL || (opts->keys == NULL && opts->counts == NULL)
               ? STATUS_DONE
               : fail(STATUS_USAGE, "--%s needs --by or --runs, a file with a key for each element",
                      opts->keys != NULL ? "keys" : "counts");
}

int runs_create(const reduce_request *r, reduce_results *results)
{
    const int status = npy_create(&results->runs.keys_file, r->opts->keys);
    return status == STATUS_DONE ? npy_create(&results->runs.counts_file, r->opts->counts) : status;
}

/* ---- The device ---- */

static uint64_t key_size(const reduce_request *r)
{
    return (uint64_t)vkrTypeSize(r->segments.file.type) * r->segments.file.components;
}

static VkrType length_type(const reduce_request *r)
{
    return r->in[0].count >= UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
}

/* There are at most as many runs as elements. */
uint64_t runs_size(const reduce_request *r)
{
    return reduce_has_runs(r) ? r->in[0].count * (2 * key_size(r) + vkrTypeSize(length_type(r)))
                              : 0;
}

int runs_allocate(const reduce_request *r, reduce_results *results, const gpu *g,
                  VkrCountOutput *number, VkrReduceInfo *info)
{
    reduce_runs *runs = &results->runs;
    const input *keys = &r->segments.file;
    const uint64_t count = r->in[0].count, lengths = count * vkrTypeSize(length_type(r));
    int status = gpu_status(
        vkrHostAlloc(g->host, count * key_size(r) + 1, VKR_HOST_MEMORY_READBACK, &runs->keys));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(g->host, lengths + 1, VKR_HOST_MEMORY_READBACK, &runs->lengths));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(g->host, sizeof(uint64_t), VKR_HOST_MEMORY_READBACK, &runs->number));
    *number = (VkrCountOutput){.kind = VKR_COUNT_KEPT64, .buffer = runs->number.buffer};
    info->segments.runs = (VkrRuns){.uniqueKeys = {.buffer = runs->keys.buffer,
                                                   .size = count * key_size(r),
                                                   .type = keys->type,
                                                   .components = keys->components},
                                    .lengths = {.buffer = runs->lengths.buffer,
                                                .size = lengths,
                                                .type = length_type(r),
                                                .components = 1},
                                    .countOutputCount = 1,
                                    .countOutputs = number};
    return status;
}

int runs_count(const reduce_request *r, reduce_results *results)
{
    uint64_t count;
    memcpy(&count, results->runs.number.data, sizeof count);
    if (count > r->in[0].count)
        return fail(STATUS_VULKAN, "the device reports %" PRIu64 " runs of %" PRIu64 " elements",
                    count, r->in[0].count);
    results->layout.segments = count;
    return STATUS_DONE;
}

static uint64_t length_at(const reduce_request *r, const reduce_runs *runs, uint64_t run)
{
    return value_as_unsigned(length_type(r),
                             (const char *)runs->lengths.data + run * vkrTypeSize(length_type(r)));
}

/* Replaces a result by the index of the element that it names among those of its group. */
static void place(const reduce_results *results, uint64_t run, uint32_t bit, uint32_t component,
                  const uint32_t *elements)
{
    const VkrType type = results->layout.results[bit].type;
    char *value = (char *)results->output.data +
                  ((const char *)reduce_value(results, run, bit, component) - results->values);
    if (is_no_index(type, value))
        return;
    const uint64_t index = elements[value_as_unsigned(type, value)];
    memcpy(value, &index, vkrTypeSize(type)); /* little-endian, like the device */
}

void runs_place(const reduce_request *r, reduce_results *results, const uint32_t *order)
{
    for (uint32_t i = 0; i < r->op_count; i++) {
        if ((1u << r->order[i] & (VKR_OP_ARGMIN | VKR_OP_ARGMAX)) == 0)
            continue;
        const uint32_t *elements = order;
        for (uint64_t run = 0; run < results->layout.segments; run++) {
            for (uint32_t c = 0; c < r->in[0].components; c++)
                place(results, run, r->order[i], c, elements);
            elements += length_at(r, &results->runs, run);
        }
    }
}

/* ---- Output ---- */

static const char *key_at(const reduce_request *r, const reduce_results *results, uint64_t run)
{
    return (const char *)results->runs.keys.data + run * key_size(r);
}

void runs_format_key(const reduce_request *r, const reduce_results *results, uint64_t run,
                     char text[160])
{
    const input *keys = &r->segments.file;
    const char *key = key_at(r, results, run);
    for (uint32_t c = 0; c < keys->components; c++) {
        if (c > 0)
            *text++ = ',';
        text_value(text, 32, keys->type, key + c * vkrTypeSize(keys->type));
        text += strlen(text);
    }
}

void runs_print_keys(const reduce_request *r, const reduce_results *results)
{
    const input *keys = &r->segments.file;
    fputs("\"keys\":[", stdout);
    for (uint64_t run = 0; run < results->layout.segments; run++) {
        fputs(run > 0 ? "," : "", stdout);
        json_values(stdout, keys->type, key_at(r, results, run), vkrTypeSize(keys->type),
                    keys->components);
    }
    putchar(']');
}

/* ---- The files ---- */

int runs_write(const reduce_request *r, reduce_results *results)
{
    reduce_runs *runs = &results->runs;
    const input *keys = &r->segments.file;
    const uint64_t count = results->layout.segments, length = vkrTypeSize(length_type(r));
    int status = STATUS_DONE;
    if (runs->keys_file.name != NULL)
        status = output_write(&runs->keys_file, 0, runs->keys.data, count * key_size(r));
    if (status == STATUS_DONE && runs->counts_file.name != NULL)
        status = output_write(&runs->counts_file, 0, runs->lengths.data, count * length);
    if (status == STATUS_DONE)
        status = npy_finish(&runs->keys_file, keys->type, keys->components, count);
    return status == STATUS_DONE ? npy_finish(&runs->counts_file, length_type(r), 1, count)
                                 : status;
}

void runs_close(reduce_results *results, const gpu *g)
{
    reduce_runs *runs = &results->runs;
    vkrHostFree(g->host, &runs->keys);
    vkrHostFree(g->host, &runs->lengths);
    vkrHostFree(g->host, &runs->number);
    output_close(&runs->keys_file);
    output_close(&runs->counts_file);
}

/* ---- --verify ---- */

int runs_find(const reduce_request *r, found_groups *found)
{
    const uint64_t elements = r->in[0].count;
    if (r->segments.groups)
        return groups_find(&r->segments, elements, found);
    uint32_t *bits = malloc((size_t)flag_bytes(elements) + 1);
    int status = bits != NULL ? segments_load(&r->segments, 0, elements, bits)
                              : fail(STATUS_VULKAN, "--verify: out of memory");
    *found = (found_groups){0};
    for (uint64_t i = 0; i < elements && status == STATUS_DONE; i++)
        found->count += flag_at(bits, i);
    if (status == STATUS_DONE) {
        found->offsets = malloc((size_t)(found->count + 1) * sizeof *found->offsets);
        status =
            found->offsets != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
    }
    for (uint64_t i = 0, at = 0; i <= elements && status == STATUS_DONE; i++)
        if (i == elements || flag_at(bits, i))
            found->offsets[at++] = i;
    free(bits);
    return status;
}

/* Compares the key and the length of a run. */
static int compare_run(const reduce_request *r, const reduce_runs *runs, uint64_t run,
                       const found_groups *all, bool *differs)
{
    const input *keys = &r->segments.file;
    const uint64_t start = all->offsets[run], elements = all->offsets[run + 1] - start;
    const uint64_t first = all->order != NULL ? all->order[start] : start;
    const size_t size = (size_t)key_size(r), length = vkrTypeSize(length_type(r));
    const unsigned char *key = (const unsigned char *)runs->keys.data + run * size;
    const void *found = (const char *)runs->lengths.data + run * length;
    unsigned char right[8 * VKR_MAX_COMPONENTS];
    char actual[40], expected[40];
    const int status = input_load(keys, first, 1, right);
    if (status != STATUS_DONE)
        return status;
    const bool same = memcmp(key, right, size) == 0;
    if (same && memcmp(found, &elements, length) == 0) /* little-endian, like the device */
        return STATUS_DONE;
    *differs = true;
    oracle_format(actual, sizeof actual, same ? length_type(r) : keys->type, same ? found : key);
    oracle_format(expected, sizeof expected, same ? length_type(r) : keys->type,
                  same ? (const void *)&elements : right);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: the %s of %s %" PRIu64 " is %s; the scalar reference gives %s",
               same ? "number of elements" : "key", runs_word(r), run, actual, expected);
    return STATUS_DONE;
}

int runs_verify(const reduce_request *r, const reduce_results *results, const found_groups *found,
                bool *differs)
{
    int status = STATUS_DONE;
    if (found->count != results->layout.segments) {
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: there are %" PRIu64 " %ss; the scalar reference finds %" PRIu64,
                   results->layout.segments, runs_word(r), found->count);
        *differs = true;
    }
    for (uint64_t i = 0; i < found->count && status == STATUS_DONE && !*differs; i++)
        status = compare_run(r, &results->runs, i, found, differs);
    return status;
}
