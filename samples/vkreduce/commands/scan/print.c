/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "commands/report.h"
#include "commands/scan/results.h"
#include "output/json.h"
#include "output/text.h"

void scan_print_json(const task *t, const scan_request *r, const scan_results *results)
{
    const size_t size = vkrTypeSize(r->result);
    const unsigned char *total = results->total;
    report_start_json(t, "scan", &r->in, vkrScanAlgorithmName(r->info.algorithm));
    putchar('{');
    printf("\"type\":\"%s\",\"total\":%s", vkrTypeName(r->result), r->in.components > 1 ? "[" : "");
    for (uint32_t c = 0; c < r->in.components; c++) {
        if (c > 0)
            putchar(',');
        json_value(stdout, r->result, total + c * size);
    }
    if (r->in.components > 1)
        putchar(']');
    putchar('}');
    report_end_json(t, &r->in, 1, &(named_output){"output", r->opts->output}, 1);
}

void scan_print_text(const task *t, const scan_request *r, const scan_results *results)
{
    const size_t size = vkrTypeSize(r->result);
    const unsigned char *total = results->total;
    report_device(t);
    report_input(&r->in);
    printf("%-8s %s: %llu x %u %s\n", "output", results->out.name, (unsigned long long)r->in.count,
           r->in.components, vkrTypeName(r->result));
    printf("%-8s", "total");
    for (uint32_t c = 0; c < r->in.components; c++) {
        char text[32];
        text_value(text, sizeof text, r->result, total + c * size);
        printf(" %*s", r->in.components > 1 ? 14 : 0, text);
    }
    putchar('\n');
    report_end(t, vkrScanAlgorithmName(r->info.algorithm));
}
