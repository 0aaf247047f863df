/* SPDX-License-Identifier: MIT */
/* The operations of the table that all tests share, in a life: the first row of each operation. */
#include <string.h>

#include "faults_life.h"

#define COUNT 2000u
#define TABLE_SLOT (8u << 10)
#define TARGET ((VkDeviceSize)OPERATION_SLOTS * TABLE_SLOT) /* bytes of an operation's outputs */

static harness_buffer source, others, targets[32];
static const operation_row *rows[ARRAY_SIZE(targets)];
static uint32_t row_count;

static operation_run run_of(uint32_t index)
{
    return (operation_run){.context = life.context,
                           .recorder = life.recorder,
                           .module = life.module,
                           .type = VKR_TYPE_U32,
                           .count = COUNT,
                           .slot = TABLE_SLOT,
                           .source = source.buffer,
                           .others = others.buffer,
                           .target = targets[index].buffer};
}

bool open_table(void)
{
    if (!harness_create_buffer(&device, 4 * COUNT, &source) ||
        !harness_create_buffer(&device, OPERATION_OTHERS, &others))
        return false;
    for (uint32_t i = 0; i < operation_row_count; i++) {
        if (!operation_rows[i].first)
            continue;
        rows[row_count] = &operation_rows[i];
        if (!harness_create_buffer(&device, TARGET, &targets[row_count]))
            return false;
        row_count++;
    }
    const operation_run run = run_of(0);
    operation_fill(&run, 1, source.data, others.data);
    return true;
}

void close_table(void)
{
    harness_destroy_buffer(&device, &source);
    harness_destroy_buffer(&device, &others);
    for (uint32_t i = 0; i < row_count; i++)
        harness_destroy_buffer(&device, &targets[i]);
}

uint32_t table_count(void)
{
    return row_count;
}

const operation_row *table_row(uint32_t index)
{
    return rows[index];
}

VkrResult table_collect(uint32_t index)
{
    const operation_run run = run_of(index);
    calling(rows[index]->kind->call);
    return rows[index]->kind->collect(&run, rows[index]);
}

void table_clear(void)
{
    for (uint32_t i = 0; i < row_count; i++)
        memset(targets[i].data, 0xa5, targets[i].size);
}

void table_check(void)
{
    for (uint32_t i = 0; i < row_count; i++) {
        const operation_run run = run_of(i);
        const operation_data data = {source.data, others.data, targets[i].data};
        const char *wrong = rows[i]->kind->check(&run, rows[i], &data);
        if (wrong)
            faults_trouble("%s: %s is wrong", rows[i]->name, wrong);
    }
}
