/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include "commands/compact/results.h"
#include "commands/report.h"

void compact_print_json(const task *t, const compact_request *r, const compact_results *results)
{
    report_start_json(t, "compact", &r->in, vkrCompactAlgorithmName(r->info.algorithm));
    putchar('{');
    printf("\"kept\":%" PRIu64 ",\"rejected\":%" PRIu64, results->counts.kept,
           results->counts.rejected);
    putchar('}');
    const compact_options *opts = r->opts;
    const named_output outputs[] = {{"output", opts->output},
                                    {"indices", opts->indices},
                                    {"rejected", opts->rejected},
                                    {"rejected-indices", opts->rejected_indices},
                                    {"run-lengths", opts->run_lengths}};
    report_end_json(t, &r->in, 1, outputs, sizeof outputs / sizeof outputs[0]);
}

void compact_print_text(const task *t, const compact_request *r, const compact_results *results)
{
    report_device(t);
    report_input(&r->in);
    printf("%-8s %" PRIu64 "\n%-8s %" PRIu64 "\n", "kept", results->counts.kept, "rejected",
           results->counts.rejected);
    report_end(t, vkrCompactAlgorithmName(r->info.algorithm));
}
