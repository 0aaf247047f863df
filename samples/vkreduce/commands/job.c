/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/job.h"
#include "interrupt.h"
#include "output/json.h"
#include "output/output.h"
#include "progress.h"
#include "ranks.h"
#include "status.h"

/* ---- The output that all commands share ---- */

static const char *type_name(const input *in)
{
    return vkrTypeName(in->named != VKR_TYPE_UNDEFINED ? in->named : in->type);
}

static const char *algorithm_name(const job *j)
{
    const algorithm_list *algorithms = &j->command->algorithms;
    return algorithms->word != NULL ? algorithms->word(j->opts->algorithm) : "auto";
}

/* Prints the members of the JSON object before the result. */
static void start_json(const job *j)
{
    const input *in = j->inputs;
    printf("{\"command\":\"%s\",\"device\":", j->command->name);
    json_string(stdout, j->task.gpu.chosen.name);
    fputs(",\"driver\":", stdout);
    json_string(stdout, j->task.gpu.chosen.driver);
    printf(",\"type\":\"%s\",\"count\":%" PRIu64
           ",\"channels\":%u,\"algorithm\":\"%s\",\"result\":",
           type_name(in), in->count, in->components, algorithm_name(j));
}

void print_outputs(const named_output *outputs, uint32_t count)
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

/* Prints the members after the result. */
static void end_json(const job *j)
{
    const task *t = &j->task;
    fputs(",\"gpu_ms\":", stdout);
    if (t->timed)
        printf("%.6f", t->gpu_ms);
    else
        fputs("null", stdout);
    printf(",\"verified\":%s,\"inputs\":[", !t->opts->verify || t->unverified ? "null"
                                            : t->differs                      ? "false"
                                                                              : "true");
    for (uint32_t i = 0; i < j->input_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        json_string(stdout, j->inputs[i].name);
    }
    fputs("],", stdout);
    print_outputs(j->outputs, MAX_OUTPUTS);
    if (t->streamed)
        printf(",\"chunks\":%" PRIu64, t->chunks);
    if (t->opts->timing)
        timing_print_json(&t->timing, count_untimed(t->opts));
    job_print_times(j);
    puts("}");
}

/* The same as lines of text, each a label and a value. */
static void start_text(const job *j)
{
    const VkrHostDevice *device = &j->task.gpu.chosen;
    printf("%-8s %s, %s\n", "device", device->name, device->driver);
    for (const input *in = j->inputs; in < j->inputs + j->input_count; in++)
        printf("%-8s %s: %" PRIu64 " x %u %s\n", "input", in->name, in->count, in->components,
               type_name(in));
}

/* The bytes are not those of one rank of several. */
static void print_timing(const job *j, FILE *file)
{
    const task *t = &j->task;
    if (t->timing.wanted)
        timing_print(&t->timing, count_untimed(t->opts), t->shared ? 0 : t->bytes, file);
}

static void end_text(const job *j)
{
    const task *t = &j->task;
    if (t->streamed)
        printf("%-8s %" PRIu64 "\n", "chunks", t->chunks);
    if (t->timed)
        printf("%-8s %.3f ms on the device, %s, algorithm %s\n", "time", t->gpu_ms,
               t->opts->repeat != 0 ? "median" : "first execution", algorithm_name(j));
    print_timing(j, stdout);
    if (t->opts->verify)
        printf("%-8s %s\n", "verified",
               t->unverified ? "no: nothing was compared"
               : t->differs  ? "no: it differs"
                             : "yes");
}

/* ---- The stages ---- */

/* Checks that no earlier output has the name of output `last`. */
static int check_name(const named_output *outputs, uint32_t last)
{
    for (uint32_t i = 0; i < last && outputs[last].name != NULL; i++)
        if (outputs[i].name != NULL && strcmp(outputs[i].name, outputs[last].name) == 0)
            return fail(STATUS_USAGE,
                        "%s: two outputs, --%s and --%s, have this name; each needs its own",
                        outputs[last].name, outputs[i].option, outputs[last].option);
    return STATUS_DONE;
}

int check_outputs(const named_output *outputs, uint32_t count, bool json)
{
    const char *taken = json ? "json" : NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_standard_output(outputs[i].name)) {
            const int status = check_name(outputs, i);
            if (status != STATUS_DONE)
                return status;
            continue;
        }
        if (taken != NULL)
            return fail(STATUS_USAGE,
                        "--%s and --%s - both write to the standard output; name a file for --%s",
                        taken, outputs[i].option, outputs[i].option);
        taken = outputs[i].option;
    }
    return STATUS_DONE;
}

/* Whether an output is written to the standard output, which then has nothing else. */
static bool is_standard_taken(const job *j)
{
    for (uint32_t i = 0; i < MAX_OUTPUTS; i++)
        if (is_standard_output(j->outputs[i].name))
            return true;
    return false;
}

/* What all ranks do. */
static int compute(job *j, const job_stages *stages)
{
    int status = task_open(&j->task);
    if (status == STATUS_DONE)
        status = stages->prepare(j);
    if (status == STATUS_DONE)
        status = stages->execute(j);
    return job_gather_times(ranks_agree(status), j);
}

/* What is done with the results, by rank 0 if there are several. */
static int use_results(job *j, const job_stages *stages)
{
    const bool json = j->opts->json;
    int status = STATUS_DONE;
    if (j->task.opts->verify)
        status = stages->verify(j);
    if (status == STATUS_DONE)
        status = check_interrupt();
    if (status == STATUS_DONE && stages->finish != NULL)
        status = stages->finish(j);
    if (status != STATUS_DONE)
        return status;
    if (is_standard_taken(j)) {
        print_timing(j, stderr);
        return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
    }
    (json ? start_json : start_text)(j);
    (json ? stages->print_json : stages->print_text)(j);
    (json ? end_json : end_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

static int run_stages(job *j, const job_stages *stages)
{
    bool absent = false;
    int status = check_outputs(j->outputs, MAX_OUTPUTS, j->opts->json);
    if (status == STATUS_DONE)
        status = stages->open(j);
    status = job_meet(ranks_agree(status), j, &absent);
    if (status == STATUS_DONE && !absent)
        status = compute(j, stages);
    if (status == STATUS_DONE && !absent && ranks_is_first())
        status = use_results(j, stages);
    return status;
}

int job_run(job *j, const job_stages *stages)
{
    j->task.opts = &j->opts->task;
    if (j->opts->progress)
        progress_force();
    catch_interrupts();
    /* All ranks agree before they close what they share. */
    const int status = ranks_agree(run_stages(j, stages));
    stages->close(j);
    free(j->times);
    task_close(&j->task);
    return status;
}
