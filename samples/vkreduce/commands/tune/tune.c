/* SPDX-License-Identifier: MIT */
/*
 * Finds tuning rows and policies for the device, one after the other, by coordinate descent from
 * the one in use. To try a row, the program writes a profile with it and creates a context from
 * that profile. The row runs in turns with the row in use. At each size, the median time of the row
 * is divided by that of the row in use; the score of the row is the geometric mean of these ratios.
 */
#include <stdio.h>
#include <stdlib.h>
#include "commands/job.h"
#include "commands/tune/tune.h"
#include "interrupt.h"
#include "status.h"

#define ALL_ROWS (ROWS * VKR_OPERATION_COUNT)

static int tune_types(tuner *t)
{
    static const VkrType types[VALUE_SIZES] = {VKR_TYPE_U8, VKR_TYPE_U16, VKR_TYPE_F32,
                                               VKR_TYPE_F64};
    if (t->opts->type != VKR_TYPE_UNDEFINED) {
        VkrType type = (VkrType)t->opts->type;
        return vkrIsTypeSupported(t->gpu.vulkan.context, type)
                   ? tune_type(t, type)
                   : fail(STATUS_USAGE, "--type is %s, which '%s' does not support",
                          vkrTypeName(type), t->gpu.chosen.name);
    }
    int status = STATUS_DONE;
    for (size_t i = 0; i < VALUE_SIZES && status == STATUS_DONE; i++)
        if (vkrIsTypeSupported(t->gpu.vulkan.context, types[i]))
            status = tune_type(t, types[i]);
    return status;
}

/* Gets a row, or the best one that was found in its place. */
static int get_row(const tuner *t, uint32_t i, VkrTuning *row)
{
    const int status = gpu_status(vkrGetTuning(t->gpu.vulkan.context, (VkrOperation)(i / ROWS),
                                               1u << i % ROWS / 2, i % 2, row));
    for (uint32_t k = 0; k < t->found_count; k++) {
        const setting *best = &t->found[k].best.row;
        if (!best->is_policy && best->row.operation == row->operation &&
            best->row.valueSize == row->valueSize && best->row.texels == row->texels)
            *row = best->row;
    }
    return status;
}

static int get_policy(const tuner *t, VkrPolicyKind kind, VkrPolicy *policy)
{
    const int status = gpu_status(vkrGetPolicy(t->gpu.vulkan.context, kind, policy));
    for (uint32_t k = 0; k < t->found_count; k++) {
        const setting *best = &t->found[k].best.row;
        if (best->is_policy && best->policy.kind == kind)
            *policy = best->policy;
    }
    return status;
}

/* Writes all rows and policies, including those that were not measured. */
static int finish(tuner *t)
{
    VkrTuning rows[ALL_ROWS];
    VkrPolicy policies[VKR_POLICY_COUNT];
    const VkrProfile profile = {ALL_ROWS, rows, VKR_POLICY_COUNT, policies};
    char text[MAX_TEXT_SIZE];
    size_t size = 0;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < ALL_ROWS && status == STATUS_DONE; i++)
        status = get_row(t, i, &rows[i]);
    for (uint32_t i = 0; i < VKR_POLICY_COUNT && status == STATUS_DONE; i++)
        status = get_policy(t, (VkrPolicyKind)i, &policies[i]);
    if (status == STATUS_DONE)
        status = tune_write(t, &profile, text, &size);
    if (status != STATUS_DONE)
        return status;
    text[size < MAX_TEXT_SIZE ? size : MAX_TEXT_SIZE - 1] = '\0';
    status = output_write(&t->out, 0, text, size);
    if (status == STATUS_DONE)
        status = output_finish(&t->out);
    if (status != STATUS_DONE)
        return status;
    if (t->opts->json)
        return tune_print_json(t, text);
    if (!is_quiet(t->opts))
        printf("\n%s", text);
    return STATUS_DONE;
}

static int run(tuner *t)
{
    int status = check_outputs(&(named_output){"output", t->opts->output}, 1, t->opts->json);
    if (status == STATUS_DONE)
        status = gpu_open(&t->gpu, &t->opts->device, false);
    if (status == STATUS_DONE)
        status = output_open(&t->out, t->opts->output);
    if (status != STATUS_DONE)
        return status;
    if (!is_quiet(t->opts))
        printf("%-8s %s, %s\n", "device", t->gpu.chosen.name, t->gpu.chosen.driver);
    status = tune_types(t);
    if (status == STATUS_DONE && t->opts->type == VKR_TYPE_UNDEFINED)
        status = tune_policies(t);
    return status == STATUS_DONE ? finish(t) : status;
}

int tune_run(const operands *given, const void *options)
{
    tuner *t = calloc(1, sizeof *t);
    if (t == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    (void)given;
    t->opts = options;
    catch_interrupts();
    int status = run(t);
    output_close(&t->out);
    gpu_close(&t->gpu);
    free(t);
    return status;
}
