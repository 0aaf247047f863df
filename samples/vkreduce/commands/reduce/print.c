/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "input/value.h"
#include "output/json.h"
#include "output/text.h"

#define ARG_OPS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)

static bool is_missing(const reduce_results *results, uint64_t segment, uint32_t bit,
                       uint32_t component)
{
    return ((1u << bit) & ARG_OPS) != 0 &&
           is_no_index(results->layout.results[bit].type,
                       reduce_value(results, segment, bit, component));
}

/* Prints a value, or the values of all channels. */
static void print_json_values(const reduce_request *r, const reduce_results *results,
                              uint64_t segment, uint32_t bit)
{
    const uint32_t channels = r->in[0].components;
    if (channels > 1)
        putchar('[');
    for (uint32_t c = 0; c < channels; c++) {
        if (c > 0)
            putchar(',');
        if (is_missing(results, segment, bit, c))
            fputs("null", stdout);
        else
            json_value(stdout, results->layout.results[bit].type,
                       reduce_value(results, segment, bit, c));
    }
    if (channels > 1)
        putchar(']');
}

static void print_json_results(const reduce_request *r, const reduce_results *results)
{
    for (uint32_t i = 0; i < r->op_count; i++) {
        const uint32_t bit = r->order[i];
        printf("%s\"%s\":", i == 0 ? "" : ",", vkrOpName((VkrOp)(1u << bit)));
        if (r->segments.kind == VKR_SEGMENTS_NONE) {
            print_json_values(r, results, 0, bit);
            continue;
        }
        putchar('[');
        for (uint64_t s = 0; s < results->layout.segments; s++) {
            if (s > 0)
                putchar(',');
            print_json_values(r, results, s, bit);
        }
        putchar(']');
    }
}

void reduce_print_json(const job *j)
{
    if (reduce_has_operator(j->request)) {
        reduce_print_operator_json(j);
        return;
    }
    putchar('{');
    if (reduce_has_runs(j->request)) {
        runs_print_keys(j->request, j->results);
        putchar(',');
    }
    print_json_results(j->request, j->results);
    putchar('}');
}

static void format_result(const reduce_results *results, uint64_t segment, uint32_t bit,
                          uint32_t component, char text[32])
{
    if (is_missing(results, segment, bit, component))
        strcpy(text, "none");
    else
        text_value(text, 32, results->layout.results[bit].type,
                   reduce_value(results, segment, bit, component));
}

static void print_results(const reduce_request *r, const reduce_results *results)
{
    for (uint32_t i = 0; i < r->op_count; i++) {
        uint32_t bit = r->order[i];
        printf("%-8s", vkrOpName((VkrOp)(1u << bit)));
        for (uint32_t c = 0; c < r->in[0].components; c++) {
            char text[32];
            format_result(results, 0, bit, c, text);
            printf(" %*s", r->in[0].components > 1 ? 14 : 0, text);
        }
        putchar('\n');
    }
}

/* The number of segments to show; if there are more than MAX_SHOWN, only the first and the last
 * ones. */
static uint64_t shown_segments(const reduce_results *results)
{
    return least(results->layout.segments, MAX_SHOWN);
}

static uint64_t shown_segment(const reduce_results *results, uint64_t line)
{
    return line < MAX_SHOWN / 2 ? line
                                : results->layout.segments - (shown_segments(results) - line);
}

/* Prints a line's values for an operator; line MAX_SHOWN is the heading. */
static void print_cells(const reduce_request *r, const reduce_results *results, uint64_t line,
                        uint32_t bit)
{
    for (uint32_t c = 0; c < r->in[0].components; c++) {
        char text[32], heading[32];
        const char *op = vkrOpName((VkrOp)(1u << bit));
        snprintf(heading, sizeof heading, r->in[0].components > 1 ? "%s[%u]" : "%s", op, c);
        size_t width = strlen(heading);
        for (uint64_t k = 0; k < shown_segments(results); k++) {
            format_result(results, shown_segment(results, k), bit, c, text);
            width = strlen(text) > width ? strlen(text) : width;
        }
        if (line < MAX_SHOWN)
            format_result(results, shown_segment(results, line), bit, c, text);
        printf("  %*s", (int)width, line < MAX_SHOWN ? text : heading);
    }
}

/* The columns that the keys in a table need, at least those of its heading. */
static int key_width(const reduce_request *r, const reduce_results *results)
{
    char text[160];
    size_t width = strlen("segment ");
    for (uint64_t k = 0; k < shown_segments(results) && reduce_has_runs(r); k++) {
        runs_format_key(r, results, shown_segment(results, k), text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

void reduce_print_heading(const reduce_request *r, const reduce_results *results)
{
    const segments *s = &r->segments;
    const bool tiles = r->opts->tiles != NULL;
    char what[16] = "segments";
    if (tiles || reduce_has_runs(r))
        snprintf(what, sizeof what, "%ss", tiles ? "tile" : runs_word(r));
    printf("%-8s %" PRIu64 " by %s%s\n", what, results->layout.segments,
           r->opts->axis != NULL ? "axis " : "", s->text);
}

void reduce_print_segment(const reduce_request *r, const reduce_results *results, uint64_t segment)
{
    char text[160];
    if (reduce_has_runs(r))
        runs_format_key(r, results, segment, text);
    else
        snprintf(text, sizeof text, "%" PRIu64, segment);
    printf("%-*s", key_width(r, results), text);
}

static void print_table(const reduce_request *r, const reduce_results *results)
{
    reduce_print_heading(r, results);
    printf("%-*s", key_width(r, results),
           r->opts->tiles != NULL ? "tile"
           : reduce_has_runs(r)   ? "key"
                                  : "segment");
    for (uint32_t i = 0; i < r->op_count; i++)
        print_cells(r, results, MAX_SHOWN, r->order[i]);
    putchar('\n');
    for (uint64_t line = 0; line < shown_segments(results); line++) {
        const uint64_t segment = shown_segment(results, line);
        if (line == MAX_SHOWN / 2 && segment != line)
            puts("..");
        reduce_print_segment(r, results, segment);
        for (uint32_t i = 0; i < r->op_count; i++)
            print_cells(r, results, line, r->order[i]);
        putchar('\n');
    }
}

void reduce_print_text(const job *j)
{
    const reduce_request *r = j->request;
    if (reduce_has_operator(r))
        reduce_print_operator_text(j);
    else
        (r->segments.kind != VKR_SEGMENTS_NONE ? print_table : print_results)(r, j->results);
}
