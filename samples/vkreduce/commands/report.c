/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include "commands/report.h"
#include "output/json.h"

static const char *type_name(const input *in)
{
    return vkrTypeName(in->named != VKR_TYPE_UNDEFINED ? in->named : in->type);
}

void report_start_json(const task *t, const char *command, const input *in, const char *algorithm)
{
    printf("{\"command\":\"%s\",\"device\":", command);
    json_string(stdout, t->gpu.chosen->properties.deviceName);
    fputs(",\"driver\":", stdout);
    json_string(stdout, t->gpu.chosen->driver);
    printf(",\"type\":\"%s\",\"count\":%" PRIu64
           ",\"channels\":%u,\"algorithm\":\"%s\",\"result\":",
           type_name(in), in->count, in->components, algorithm);
}

static void print_inputs(const input *inputs, uint32_t count)
{
    fputs("\"inputs\":[", stdout);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        json_string(stdout, inputs[i].name);
    }
    putchar(']');
}

void report_outputs(const named_output *outputs, uint32_t count)
{
    const char *comma = "";
    fputs("\"outputs\":{", stdout);
    for (uint32_t i = 0; i < count; i++) {
        if (outputs[i].name == NULL)
            continue;
        printf("%s\"%s\":", comma, outputs[i].option);
        json_string(stdout, outputs[i].name);
        comma = ",";
    }
    putchar('}');
}

void report_end_json(const task *t, const input *inputs, uint32_t input_count,
                     const named_output *outputs, uint32_t output_count)
{
    fputs(",\"gpu_ms\":", stdout);
    if (t->timed)
        printf("%.6f", t->gpu_ms);
    else
        fputs("null", stdout);
    printf(",\"verified\":%s,", !t->opts->verify ? "null" : t->differs ? "false" : "true");
    print_inputs(inputs, input_count);
    putchar(',');
    report_outputs(outputs, output_count);
    if (t->streamed)
        printf(",\"chunks\":%" PRIu64, t->chunks);
    puts("}");
}

void report_device(const task *t)
{
    printf("%-8s %s, %s\n", "device", t->gpu.chosen->properties.deviceName, t->gpu.chosen->driver);
}

void report_input(const input *in)
{
    printf("%-8s %s: %" PRIu64 " x %u %s\n", "input", in->name, in->count, in->components,
           type_name(in));
}

void report_end(const task *t, const char *algorithm)
{
    if (t->streamed)
        printf("%-8s %" PRIu64 "\n", "chunks", t->chunks);
    if (t->timed)
        printf("%-8s %.3f ms on the device, %s, algorithm %s\n", "time", t->gpu_ms,
               t->opts->repeat != 0 ? "median" : "first execution", algorithm);
    if (t->opts->verify)
        printf("%-8s %s\n", "verified", t->differs ? "no: it differs" : "yes");
}
