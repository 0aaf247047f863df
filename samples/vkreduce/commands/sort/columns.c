/* SPDX-License-Identifier: MIT */
/* The files of a sort in chunks. */
#include <string.h>
#include "commands/sort/chunks.h"
#include "status.h"

#define ALIGNMENT 64u /* of columns in buffers */

static void add(chunks *c, uint64_t size, const payload *moved, output *wanted)
{
    c->columns[c->column_count++] =
        (column){.size = size,
                 .moved = moved,
                 .wanted = wanted != NULL && wanted->name != NULL ? wanted : NULL,
                 .files = {{.file = -1}, {.file = -1}}};
}

int columns_list(chunks *c)
{
    const sort_request *r = c->request;
    sort_results *results = c->results;
    const uint32_t moved = results->payloads.count + (r->opts->indices != NULL);
    if (moved > VKR_MAX_MERGE_PAYLOADS)
        return fail(STATUS_USAGE,
                    "--payload is given %u times, and --indices, but a sort in chunks moves at "
                    "most %u of both; leave one out",
                    results->payloads.count, VKR_MAX_MERGE_PAYLOADS);
    add(c, sort_entry_size(r, SORT_VALUES), NULL, &results->outs[SORT_VALUES]);
    if (r->opts->indices != NULL)
        add(c, sort_entry_size(r, SORT_INDICES), NULL, &results->outs[SORT_INDICES]);
    for (uint32_t i = 0; i < results->payloads.count; i++) {
        payload *p = &results->payloads.list[i];
        add(c, payload_size(p), p, &p->out);
    }
    return STATUS_DONE;
}

/* The file that round `round` writes; round 0 is that of the chunks. */
static output *file_of(const chunks *c, uint32_t k, uint32_t round)
{
    const column *col = &c->columns[k];
    const uint32_t which = (c->rounds - round) % 2;
    return which == 0 && col->wanted != NULL ? col->wanted : (output *)&col->files[which];
}

int columns_open(chunks *c)
{
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < c->column_count; k++)
        for (uint32_t round = 0; round < c->rounds && status == STATUS_DONE; round++) {
            output *file = file_of(c, k, round);
            if (file->file < 0)
                status = output_open_unnamed(file, c->request->in.name);
        }
    return status;
}

void columns_close(chunks *c)
{
    for (uint32_t k = 0; k < c->column_count; k++)
        for (uint32_t i = 0; i < 2; i++)
            output_close(&c->columns[k].files[i]);
}

uint64_t column_offset(const chunks *c, uint32_t k)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < k; i++)
        offset += (c->columns[i].size * c->length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return offset;
}

int column_read(const chunks *c, uint32_t k, uint64_t first, uint64_t count, void *data)
{
    const uint64_t size = c->columns[k].size;
    return output_read(file_of(c, k, c->round - 1), first * size, data, count * size);
}

/* Nobody needs keys after the last round if they are not an output. */
int column_write(const chunks *c, uint32_t k, uint64_t first, uint64_t count, const void *data)
{
    const uint64_t size = c->columns[k].size;
    const output *file = file_of(c, k, c->round);
    return file->file >= 0 ? output_write(file, first * size, data, count * size) : STATUS_DONE;
}
