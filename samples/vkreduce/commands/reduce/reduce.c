/* SPDX-License-Identifier: MIT */
/* The command reduce. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "commands/groups.h"
#include "commands/reduce/reduce.h"
#include "input/value.h"
#include "output/npy.h"
#include "status.h"

/* ---- The request ---- */

static int add_op(reduce_request *r, const char *name, size_t length)
{
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const char *op = vkrOpName((VkrOp)(1u << bit));
        if (strlen(op) != length || strncmp(op, name, length) != 0)
            continue;
        if ((r->ops & (1u << bit)) != 0)
            return fail(STATUS_USAGE, "OP %s is named twice; name it once", op);
        r->ops |= 1u << bit;
        r->order[r->op_count++] = bit;
        return STATUS_DONE;
    }
    const char *meant = op_meant(name, length);
    if (meant != NULL)
        return fail(STATUS_USAGE, "'%.*s' is not an OP; did you mean %s?", (int)length, name,
                    meant);
    return fail(STATUS_USAGE, "'%.*s' is not an OP; vkreduce reduce --help lists them", (int)length,
                name);
}

static int parse_ops(reduce_request *r, const char *text)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        int status = add_op(r, text, length);
        if (status != STATUS_DONE || text[length] == '\0')
            return status;
        text += length + 1;
    }
}

/* Opens the only input of an operator. */
static int open_operator(reduce_request *r, const operands *given)
{
    r->input_count = 1;
    int status = reduce_check_operator(r->opts);
    if (status == STATUS_DONE)
        status = input_open(&r->in[0], given->words[0], &r->opts->data.input);
    if (status == STATUS_DONE)
        status = functions_open(&r->functions, ROLE_OPERATOR, r->opts->operator_file, &r->in[0]);
    return status;
}

static int open_inputs(reduce_request *r, const operands *given)
{
    bool dot = (r->ops & VKR_OP_DOT) != 0;
    r->input_count = given->count - 1;
    if (dot != (r->input_count == 2))
        return fail(STATUS_USAGE, dot ? "dot needs INPUT2; name two inputs"
                                      : "only dot reads INPUT2; name one input");
    for (uint32_t i = 0; i < r->input_count; i++) {
        int status = input_open(&r->in[i], given->words[1 + i], &r->opts->data.input);
        if (status != STATUS_DONE)
            return status;
    }
    const input *a = &r->in[0], *b = &r->in[1];
    if (dot && (a->type != b->type || a->components != b->components || a->count != b->count))
        return fail(STATUS_USAGE,
                    "%s has %" PRIu64 " elements of %u x %s and %s %" PRIu64
                    " of %u x %s; dot needs the same of both",
                    a->name, a->count, a->components, vkrTypeName(a->type), b->name, b->count,
                    b->components, vkrTypeName(b->type));
    return STATUS_DONE;
}

/* Checks that at most one option gives segments. */
static int check_segments(const reduce_options *opts)
{
    const named_output given[] = {{"by", opts->by},
                                  {"runs", opts->runs},
                                  {"tiles", opts->tiles},
                                  {"segments", opts->segments},
                                  {"axis", opts->axis}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i].name != NULL && first != NULL)
            return fail(STATUS_USAGE, "--%s and --%s are both given; name one", first,
                        given[i].option);
        first = given[i].name != NULL ? given[i].option : first;
    }
    return STATUS_DONE;
}

/* Checks that both inputs of dot have the same axes. Between other axes segments are tiles, which
 * have neither operators of a file nor other algorithms. */
static int check_axis(const reduce_request *r)
{
    const input *a = &r->in[0], *b = &r->in[1];
    const segments *s = &r->segments;
    if (s->by_axis && r->input_count == 2 &&
        (a->dimensions != b->dimensions || a->columns != b->columns ||
         memcmp(a->shape, b->shape, sizeof a->shape) != 0))
        return fail(STATUS_USAGE,
                    "--%s is '%s', but %s and %s have other shapes; dot needs the same of both",
                    s->option, s->text, a->name, b->name);
    if (!s->by_axis || s->kind != VKR_SEGMENTS_TILES)
        return STATUS_DONE;
    if (reduce_has_operator(r) || r->opts->data.algorithm != VKR_REDUCE_AUTO)
        return fail(STATUS_USAGE,
                    "--%s is '%s', which is between other axes of %s; with --%s it must be the "
                    "first or the last one",
                    s->option, s->text, a->name, reduce_has_operator(r) ? "operator" : "algorithm");
    return STATUS_DONE;
}

static int open_segments(reduce_request *r)
{
    const reduce_options *opts = r->opts;
    int status = check_segments(opts);
    if (status != STATUS_DONE)
        return status;
    if (opts->by != NULL || opts->runs != NULL || opts->by_value)
        return keys_open(&r->segments, opts->by, opts->runs, opts->by_value, r->in[0].count);
    if (opts->tiles != NULL)
        return tiles_open(&r->segments, opts->tiles, &r->in[0]);
    status = axes_open(&r->segments, SEGMENTS_OF_REDUCE, opts->segments, opts->axis, &r->in[0],
                       &opts->data.input);
    return status == STATUS_DONE ? check_axis(r) : status;
}

/* What moves to its group must be in a buffer, and what is moved has another index. */
static int check_groups(const reduce_request *r)
{
    if (!r->segments.groups)
        return STATUS_DONE;
    if (r->opts->texels.as_image)
        return fail(STATUS_USAGE, "--by moves elements, which images cannot; leave --as-image out, "
                                  "or take runs of equal keys by --runs");
    if (reduce_has_operator(r) && r->functions.reads_index)
        return fail(STATUS_USAGE,
                    "%s: lift reads the index of an element, which --by changes; --runs takes runs "
                    "of equal keys where they are",
                    r->opts->operator_file);
    return STATUS_DONE;
}

/* What depends on the order in which numbers are added: of floats, and of integers too. */
enum {
    deviations = VKR_OP_VARIANCE | VKR_OP_STDDEV,
    float_sums = VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_MEAN | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_L2 |
                 VKR_OP_DOT | deviations
};

/* Makes integer sums 64 bits wide, unless --accumulator names another type. */
static int choose_accumulator(reduce_request *r, const gpu *g)
{
    static const VkrOpFlags sums =
        VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_DOT;
    const VkrType type = r->in[0].type;
    const VkrType wide = type % 2 == 0 ? VKR_TYPE_U64 : VKR_TYPE_I64;
    r->info.accumulator = (VkrType)r->opts->accumulator;
    if (r->info.accumulator != VKR_TYPE_UNDEFINED || (r->ops & sums) == 0 || type >= VKR_TYPE_F16 ||
        vkrTypeSize(type) == 8)
        return STATUS_DONE;
    r->info.accumulator = wide;
    /* If the device lacks the elements' own type, the library reports that. */
    if (vkrIsTypeSupported(g->vulkan.context, wide) || !vkrIsTypeSupported(g->vulkan.context, type))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "integer sums are 64 bits wide, and '%s' has no %s; --accumulator %s gives sums "
                "modulo 2^32",
                g->chosen.name, vkrTypeName(wide),
                vkrTypeName(wide == VKR_TYPE_U64 ? VKR_TYPE_U32 : VKR_TYPE_I32));
}

static int open_request(job *j)
{
    reduce_request *r = j->request;
    int status = runs_check(r->opts);
    if (status == STATUS_DONE)
        status =
            reduce_has_operator(r) ? open_operator(r, j->given) : parse_ops(r, j->given->words[0]);
    if (status == STATUS_DONE && !reduce_has_operator(r))
        status = open_inputs(r, j->given);
    if (status == STATUS_DONE && !reduce_has_operator(r))
        status = functions_open(&r->functions, ROLE_MAP, r->opts->texels.map_file, &r->in[0]);
    j->input_count = r->input_count;
    if (status == STATUS_DONE)
        status = open_segments(r);
    return status == STATUS_DONE ? check_groups(r) : status;
}

/* Packs what is moved: the elements as they are stored, or what a function makes of them, since it
 * may read their indices. */
static int prepare_groups(job *j, uint32_t i)
{
    reduce_request *r = j->request;
    texel_source *source = &r->sources[i];
    if (!r->segments.groups)
        return STATUS_DONE;
    if (source->function != NULL)
        return functions_evaluate(&j->task, source, &r->in[i]);
    return grouping_pack(source->stored.name != NULL ? &source->stored : &r->in[i]);
}

static int prepare(job *j)
{
    reduce_request *r = j->request;
    const reduce_options *opts = r->opts;
    int status = functions_create(&r->functions, &j->task.gpu);
    for (uint32_t i = 0; i < r->input_count && status == STATUS_DONE; i++) {
        if (!reduce_has_operator(r))
            status = functions_describe(&r->functions, &j->task.gpu, &r->in[i], &r->sources[i]);
        if (status == STATUS_DONE && !reduce_has_operator(r))
            status = texels_replace(&j->task, &opts->texels, &opts->data.input, &r->in[i],
                                    &r->sources[i]);
        if (status == STATUS_DONE)
            status = prepare_groups(j, i);
    }
    if (status != STATUS_DONE)
        return status;
    r->info = (VkrReduceInfo){.label = "vkreduce reduce",
                              .ops = r->ops,
                              .nan = (VkrNan)opts->nan,
                              .flags = opts->sample ? VKR_REDUCE_SAMPLE_BIT : 0,
                              .determinism = (VkrDeterminism)opts->determinism,
                              .algorithm = (VkrReduceAlgorithm)opts->data.algorithm};
    if (reduce_has_operator(r)) {
        r->monoid = functions_monoid(&r->functions);
        r->info.monoid = &r->monoid;
    } else if ((status = choose_accumulator(r, &j->task.gpu)) != STATUS_DONE) {
        return status;
    }
    status = npy_create(&((reduce_results *)j->results)->file, opts->output);
    return status == STATUS_DONE ? runs_create(r, j->results) : status;
}

static int verify(job *j)
{
    reduce_request *r = j->request;
    int status = STATUS_DONE;
    if (reduce_has_operator(r))
        return reduce_verify_operator(j);
    for (uint32_t i = 0; i < r->input_count && status == STATUS_DONE; i++)
        status = functions_evaluate(&j->task, &r->sources[i], &r->in[i]);
    return status == STATUS_DONE ? reduce_verify(j) : status;
}

static int finish(job *j)
{
    const reduce_request *r = j->request;
    const int status = reduce_write(j);
    return status == STATUS_DONE && reduce_has_runs(r) ? runs_write(r, j->results) : status;
}

static void close_all(job *j)
{
    const gpu *g = &j->task.gpu;
    reduce_request *r = j->request;
    reduce_results *results = j->results;
    vkrHostFree(g->host, &results->output);
    output_close(&results->file);
    runs_close(results, g);
    free(results->gathered);
    segments_close(&r->segments);
    functions_close(&r->functions);
    for (uint32_t i = 0; i < INPUTS; i++) {
        input_close(&r->in[i]);
        texels_close(g, &r->sources[i]);
    }
}

/* Ranks share what can be cut into pieces, rows or windows, whose elements are those of files. */
static bool shares(const job *j)
{
    const reduce_request *r = j->request;
    const reduce_options *opts = r->opts;
    const VkrReduceAlgorithm algorithm = (VkrReduceAlgorithm)opts->data.algorithm;
    const VkrSegmentKind kind = r->segments.kind;
    const bool able =
        (algorithm == VKR_REDUCE_AUTO || algorithm == VKR_REDUCE_SUBGROUP) &&
        !reduce_has_operator(r) && !texels_are_asked(&opts->texels) &&
        (kind == VKR_SEGMENTS_NONE || kind == VKR_SEGMENTS_ROWS || kind == VKR_SEGMENTS_WINDOWS);
    if (able && opts->determinism != VKR_DETERMINISM_DEVICE &&
        (r->ops & (is_float(r->in[0].type) ? float_sums : deviations)) != 0)
        job_note_sums();
    return able;
}

int reduce_run(const operands *given, const void *options)
{
    static const job_stages stages = {
        open_request, prepare,           reduce_execute,    verify,
        finish,       reduce_print_json, reduce_print_text, close_all};
    const reduce_options *opts = options;
    reduce_request r = {.opts = opts};
    reduce_results results = {0};
    job j = {.command = &reduce_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = r.in,
             .shares = shares,
             .outputs = {{"output", opts->output}, {"keys", opts->keys}, {"counts", opts->counts}}};
    return job_run(&j, &stages);
}
