/* SPDX-License-Identifier: MIT */
/* The command compact. */
#include <string.h>
#include "commands/compact/device.h"
#include "interrupt.h"
#include "output/npy.h"
#include "status.h"

static int create_outputs(compact_results *results, const compact_options *opts)
{
    const char *names[COMPACT_OUTPUTS] = {[OUT_KEPT] = opts->output,
                                          [OUT_INDICES] = opts->indices,
                                          [OUT_LENGTHS] = opts->run_lengths,
                                          [OUT_REJECTED] = opts->rejected,
                                          [OUT_REJECTED_INDICES] = opts->rejected_indices};
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        for (int i = 0; i < k; i++)
            if (names[k] != NULL && names[i] != NULL && strcmp(names[k], names[i]) == 0)
                return fail(STATUS_USAGE, "%s: two outputs have this name; each needs its own",
                            names[k]);
    int status = STATUS_DONE;
    for (int k = 0; k < COMPACT_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_create(&results->outs[k], names[k]);
    return status;
}

static int finish_outputs(const compact_request *r, compact_results *results)
{
    int status = STATUS_DONE;
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        uint64_t entries = is_rejected(k) ? results->counts.rejected : results->counts.kept;
        status = npy_finish(&results->outs[k], entry_type(r, k),
                            is_values(k) ? r->in.components : 1, compact_room(r, k, 0, entries));
    }
    return status;
}

static int run(task *t, compact_request *r, compact_results *results, const operands *given,
               const compact_options *opts)
{
    int status = compact_request_open(r, given, opts);
    if (status != STATUS_DONE || (status = task_open(t)) != STATUS_DONE ||
        (status = create_outputs(results, opts)) != STATUS_DONE ||
        (status = compact_execute(t, r, results)) != STATUS_DONE)
        return status;
    if (opts->task.verify)
        status = compact_verify(r, results, &t->differs);
    if (status != STATUS_DONE || (status = check_interrupt()) != STATUS_DONE ||
        (status = finish_outputs(r, results)) != STATUS_DONE)
        return status;
    (opts->json ? compact_print_json : compact_print_text)(t, r, results);
    return t->differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int compact_run(const operands *given, const void *options)
{
    const compact_options *opts = options;
    task t = {.opts = &opts->task};
    compact_request r;
    compact_results results = {0};
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        results.outs[k].file = -1;
    catch_interrupts();
    int status = run(&t, &r, &results, given, opts);
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        output_close(&results.outs[k]);
    compact_request_close(&r);
    task_close(&t);
    return status;
}
