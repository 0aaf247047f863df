/* SPDX-License-Identifier: MIT */
/* The command scan. */
#include <stdio.h>
#include <string.h>
#include "commands/groups.h"
#include "commands/scan/scan.h"
#include "functions/states.h"
#include "input/number.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "status.h"

/* ---- The request ---- */

static bool find_op(const char *text, VkrOp *op)
{
    for (uint32_t i = 0; i < SCAN_OPS; i++)
        if (strcmp(text, vkrOpName(scan_op(i))) == 0) {
            *op = scan_op(i);
            return true;
        }
    return false;
}

/* The OP that another name for it means; NULL: there is no such scan. */
static const char *find_meant(const char *text)
{
    const char *meant = op_meant(text, strlen(text));
    VkrOp op;
    if (meant != NULL && strncmp(meant, OP_OF_SCAN, strlen(OP_OF_SCAN)) == 0)
        meant += strlen(OP_OF_SCAN);
    return meant != NULL && find_op(meant, &op) ? meant : NULL;
}

static int parse_op(const char *text, VkrOp *op)
{
    const char *meant = find_meant(text);
    char words[80] = "";
    size_t length = 0;
    if (find_op(text, op))
        return STATUS_DONE;
    if (meant != NULL)
        return fail(STATUS_USAGE, "'%s' is not an OP of scan; did you mean %s?", text, meant);
    for (uint32_t i = 0; i < SCAN_OPS; i++)
        length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                                   i == 0              ? ""
                                   : i == SCAN_OPS - 1 ? " or "
                                                       : ", ",
                                   vkrOpName(scan_op(i)));
    return fail(STATUS_USAGE, "'%s' is not an OP of scan; it must be %s", text, words);
}

/* Parses the initial value, which is the same for every component. */
static int parse_initial(scan_request *r)
{
    size_t size = vkrTypeSize(r->result);
    VkrConstant value;
    if (r->opts->initial == NULL)
        return STATUS_DONE;
    int status = parse_constant("--initial", r->opts->initial, r->result, &value);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t c = 0; c < r->in.components; c++)
        constant_bits(r->result, value, r->initial + c * size);
    r->info.initial = r->initial;
    return STATUS_DONE;
}

static int open_segments(scan_request *r)
{
    const scan_options *opts = r->opts;
    if (opts->by == NULL && opts->runs == NULL && !opts->by_value) {
        const int status = axes_open(&r->segments, SEGMENTS_OF_SCAN, opts->segments, opts->axis,
                                     &r->in, &opts->data.input);
        if (status == STATUS_DONE && r->segments.kind == VKR_SEGMENTS_COLUMNS &&
            scan_has_operator(r))
            return fail(STATUS_USAGE,
                        "--%s is '%s'; with --operator it must ask for rows, offsets or flags",
                        r->segments.option, r->segments.text);
        if (status == STATUS_DONE && segments_lie_apart(&r->segments) && scan_has_operator(r))
            return fail(STATUS_USAGE,
                        "--%s is '%s'; with --operator rows must lie beside each other",
                        r->segments.option, r->segments.text);
        if (r->in.count == 0 && r->segments.kind == VKR_SEGMENTS_COLUMNS)
            r->segments.kind = VKR_SEGMENTS_NONE; /* nothing has any number of columns */
        return status;
    }
    if ((opts->by != NULL || opts->runs != NULL) && (opts->segments != NULL || opts->axis != NULL))
        return fail(STATUS_USAGE, "--%s and --%s are both given; name one",
                    opts->by != NULL ? "by" : "runs", opts->axis != NULL ? "axis" : "segments");
    const int status = keys_open(&r->segments, opts->by, opts->runs, opts->by_value, r->in.count);
    if (status == STATUS_DONE && opts->by != NULL && scan_has_operator(r) &&
        r->functions.reads_index)
        return fail(STATUS_USAGE,
                    "%s: lift reads the index of an element, which --by changes; --runs takes runs "
                    "of equal keys where they are",
                    opts->operator_file);
    return status;
}

static int open_request(job *j)
{
    scan_request *r = j->request;
    char **words = j->given->words;
    const bool by_operator = scan_has_operator(r);
    int status = by_operator ? scan_check_operator(r->opts) : parse_op(words[0], &r->info.op);
    if (status == STATUS_DONE && r->opts->output == NULL)
        status = fail(STATUS_USAGE, "scan needs a file to write to: -o OUT.npy");
    if (status == STATUS_DONE)
        status = input_open(&r->in, words[by_operator ? 0 : 1], &r->opts->data.input);
    if (status == STATUS_DONE)
        status = functions_open(&r->functions, ROLE_OPERATOR, r->opts->operator_file, &r->in);
    if (status == STATUS_DONE)
        status = scan_open_mask(r);
    return status == STATUS_DONE ? open_segments(r) : status;
}

static int prepare_operator(job *j)
{
    scan_request *r = j->request;
    const int status = functions_create(&r->functions, &j->task.gpu);
    if (status != STATUS_DONE)
        return status;
    r->monoid = functions_monoid(&r->functions);
    r->info.monoid = &r->monoid;
    return status;
}

/* Describes the elements, and finds out the type of results. */
static int prepare_type(job *j)
{
    scan_request *r = j->request;
    r->info.input = (VkrView){.type = r->in.type, .components = r->in.components};
    int status = gpu_status(vkrGetScanType(j->task.gpu.vulkan.context, &r->info, &r->result));
    return status == STATUS_DONE ? parse_initial(r) : status;
}

static int prepare(job *j)
{
    scan_request *r = j->request;
    scan_results *results = j->results;
    const scan_options *opts = r->opts;
    r->info.label = "vkreduce scan";
    r->info.flags = (opts->exclusive ? VKR_SCAN_EXCLUSIVE_BIT : 0u) |
                    (opts->reverse ? VKR_SCAN_REVERSE_BIT : 0u);
    r->info.accumulator = (VkrType)opts->accumulator;
    r->info.nan = (VkrNan)opts->nan;
    r->info.determinism = (VkrDeterminism)opts->determinism;
    r->info.algorithm = (VkrScanAlgorithm)opts->data.algorithm;
    int status = (scan_has_operator(r) ? prepare_operator : prepare_type)(j);
    if (status == STATUS_DONE && r->segments.groups)
        status = grouping_pack(&r->in);
    if (status == STATUS_DONE)
        status = npy_create_shared(&results->out, opts->output);
    if (scan_has_operator(r))
        states_reserve(&r->functions.results, &results->out, r->segments.dimensions);
    else
        npy_reserve(&results->out, 0, r->segments.dimensions + 1);
    return status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const scan_request *r = j->request;
    scan_results *results = j->results;
    if (scan_has_operator(r))
        return scan_finish_operator(r, results);
    uint64_t shape[MAX_DIMENSIONS + 1];
    const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
    shape[dimensions] = r->in.components;
    return npy_finish_shape(&results->out, r->result, dimensions + (r->in.components > 1), shape);
}

static void print_json(const job *j)
{
    const scan_request *r = j->request;
    const scan_results *results = j->results;
    if (scan_has_operator(r)) {
        scan_print_operator_json(r, results);
        return;
    }
    printf("{\"type\":\"%s\",\"total\":", vkrTypeName(r->result));
    json_values(stdout, r->result, results->total, vkrTypeSize(r->result), r->in.components);
    putchar('}');
}

static void print_text(const job *j)
{
    const scan_request *r = j->request;
    const scan_results *results = j->results;
    if (scan_has_operator(r)) {
        scan_print_operator_text(r, results);
        return;
    }
    printf("%-8s %s: %llu x %u %s\n", "output", results->out.name, (unsigned long long)r->in.count,
           r->in.components, vkrTypeName(r->result));
    printf("%-8s", "total");
    for (uint32_t c = 0; c < r->in.components; c++) {
        char text[32];
        text_value(text, sizeof text, r->result, results->total + c * vkrTypeSize(r->result));
        printf(" %*s", r->in.components > 1 ? 14 : 0, text);
    }
    putchar('\n');
}

static void close_all(job *j)
{
    scan_request *r = j->request;
    scan_results *results = j->results;
    output_close(&results->out);
    segments_close(&r->segments);
    functions_close(&r->functions);
    input_close(&r->mask);
    input_close(&r->in);
}

/* Ranks share scans that have neither segments nor operators of a file nor masks. */
static bool shares(const job *j)
{
    const scan_request *r = j->request;
    const bool able =
        r->segments.kind == VKR_SEGMENTS_NONE && !scan_has_operator(r) && r->opts->mask == NULL;
    if (able && scan_adds_floats(r) && r->opts->determinism != VKR_DETERMINISM_DEVICE)
        job_note_sums();
    return able;
}

int scan_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    scan_execute, scan_verify,
                                      finish,       print_json, print_text,   close_all};
    const scan_options *opts = options;
    scan_request r = {.opts = opts};
    scan_results results = {0};
    job j = {.command = &scan_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .beside = {&r.mask},
             .shares = shares,
             .outputs = {{"output", opts->output}}};
    return job_run(&j, &stages);
}
