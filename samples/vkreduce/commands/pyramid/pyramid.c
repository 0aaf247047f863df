/* SPDX-License-Identifier: MIT */
/* The command pyramid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "input/value.h"
#include "output/json.h"
#include "output/output.h"
#include "status.h"

/* ---- The request ---- */

static int open_request(job *j)
{
    pyramid_request *r = j->request;
    const int status = pyramid_parse_ops(j->given->words[0], &r->ops);
    if (status == STATUS_DONE && r->opts->output == NULL)
        return fail(STATUS_USAGE, "pyramid needs a directory to write to: -o DIRECTORY");
    if (status == STATUS_DONE && is_standard_output(r->opts->output))
        return fail(STATUS_USAGE,
                    "-o is '-'; pyramid writes several files, so it must be a directory (./- if "
                    "that is its name)");
    return status;
}

static bool is_picture(const input *in)
{
    return in->columns != 0 && in->count != 0 &&
           (in->type == VKR_TYPE_U8 || in->type == VKR_TYPE_U16 || in->type == VKR_TYPE_F16 ||
            in->type == VKR_TYPE_F32);
}

/* Converts values of f16 to f32, which holds each of them exactly. */
static int widen(input *in)
{
    const uint64_t count = in->count * in->components;
    uint16_t *halves = malloc((size_t)in->size);
    float *floats = malloc((size_t)count * sizeof *floats);
    int status = halves != NULL && floats != NULL
                     ? input_load(in, 0, in->count, halves)
                     : fail(STATUS_VULKAN, "%s: out of memory", in->name);
    if (status == STATUS_DONE) {
        for (uint64_t i = 0; i < count; i++)
            floats[i] = (float)value_as_double(VKR_TYPE_F16, &halves[i]);
        input_use_memory(in, (unsigned char *)floats, count * sizeof *floats);
        in->named = VKR_TYPE_F16;
        in->type = VKR_TYPE_F32;
        in->stride = in->components * sizeof *floats;
        floats = NULL;
    }
    free(halves);
    free(floats);
    return status;
}

static int open_picture(job *j)
{
    pyramid_request *r = j->request;
    input_options opts = r->opts->data.input;
    opts.role = INPUT_OF_PYRAMID;
    int status = input_open(&r->in, j->given->words[1], &opts);
    if (status != STATUS_DONE)
        return status;
    if (!is_picture(&r->in))
        return fail(STATUS_USAGE,
                    "%s: pyramid needs a picture: a .png, .hdr or .exr file, or a two-dimensional "
                    ".npy file, of u8, u16, f16 or f32",
                    r->in.name);
    if (r->in.type == VKR_TYPE_F16 && (status = widen(&r->in)) != STATUS_DONE)
        return status;
    const uint64_t rows = r->in.count / r->in.columns;
    const uint32_t most = j->task.gpu.limits.maxImageDimension2D;
    if (r->in.columns > most || rows > most)
        return fail(
            STATUS_USAGE,
            "%s: it has %llu x %llu texels; images of '%s' have at most %u in each direction",
            r->in.name, (unsigned long long)r->in.columns, (unsigned long long)rows,
            j->task.gpu.chosen.name, most);
    r->size = (VkExtent2D){(uint32_t)r->in.columns, (uint32_t)rows};
    r->count = vkrGetPyramidExtents(r->size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS, r->extents);
    return STATUS_DONE;
}

/* ---- The results ---- */

const pyramid_chain *pyramid_find_chain(const pyramid_results *results, VkrOp op, uint32_t *lane)
{
    const pyramid_chain *c = &results->chains[0];
    while ((c->ops & (VkrOpFlags)op) == 0)
        c++;
    *lane = op == VKR_OP_MAX ? c->lanes - source_lanes(c) : 0;
    return c;
}

const char *pyramid_name(VkrOp op)
{
    return op == VKR_OP_MEAN ? "average" : vkrOpName(op);
}

VkrType pyramid_type(const pyramid_request *r, VkrOp op)
{
    return op == VKR_OP_MEAN ? VKR_TYPE_F32 : r->in.type;
}

/* Prints the value of the last level for one operator. */
static void print_value(const pyramid_request *r, const pyramid_results *results, VkrOp op)
{
    uint32_t lane;
    const pyramid_chain *c = pyramid_find_chain(results, op, &lane);
    const uint32_t *words = pyramid_words(r, c, r->count - 1) + lane;
    printf(",\"%s\":", pyramid_name(op));
    json_values(stdout, pyramid_type(r, op), words, sizeof *words, r->in.components);
}

static void print_json(const job *j)
{
    const pyramid_request *r = j->request;
    printf("{\"levels\":[[%u,%u]", r->size.width, r->size.height);
    for (uint32_t k = 0; k < r->count && pyramid_texels(r->size) > 1; k++)
        printf(",[%u,%u]", r->extents[k].width, r->extents[k].height);
    putchar(']');
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if ((r->ops >> bit & 1u) != 0)
            print_value(r, j->results, (VkrOp)(1u << bit));
    putchar('}');
}

static void print_text(const job *j)
{
    const pyramid_request *r = j->request;
    printf("%-8s %s: %u levels from %u x %u to 1 x 1\n", "output", r->opts->output, r->count,
           r->extents[0].width, r->extents[0].height);
}

static void close_all(job *j)
{
    pyramid_request *r = j->request;
    pyramid_results *results = j->results;
    for (uint32_t i = 0; i < 2; i++) {
        vkrHostFree(j->task.gpu.host, &results->chains[i].upload);
        vkrHostFree(j->task.gpu.host, &results->chains[i].download);
    }
    input_close(&r->in);
}

int pyramid_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request,  open_picture, pyramid_execute, pyramid_verify,
                                      pyramid_write, print_json,   print_text,      close_all};
    const pyramid_options *opts = options;
    pyramid_request r = {.opts = opts};
    pyramid_results results = {0};
    job j = {.command = &pyramid_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}}};
    return job_run(&j, &stages);
}
