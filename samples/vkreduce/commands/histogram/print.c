/* SPDX-License-Identifier: MIT */
/* Prints the results of the command histogram. */
#include <stdio.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "output/json.h"
#include "output/text.h"

#define MAX_LINES 20u /* of a table; with more bins, a line covers several of them */
#define BAR 40u       /* characters in the longest bar */

static const char *const outside_names[OUTSIDE_COUNT] = {
    [OUTSIDE_BELOW] = "below", [OUTSIDE_ABOVE] = "above", [OUTSIDE_NAN] = "nan"};

/* ---- JSON ---- */

static void print_json_channel(const histogram_request *r, const histogram_results *results,
                               uint32_t c)
{
    char text[32];
    fputs("{\"counts\":[", stdout);
    for (uint32_t k = 0; k < r->bins; k++) {
        histogram_format_count(r, histogram_counts(results, c)[k], text);
        printf("%s%s", k > 0 ? "," : "", text);
    }
    fputs("]", stdout);
    for (uint32_t i = 0; i < OUTSIDE_COUNT; i++) {
        histogram_format_count(r, results->outside[c][i], text);
        printf(",\"%s\":%s", outside_names[i], text);
    }
    fputs(",\"quantiles\":{", stdout);
    for (uint32_t i = 0; i < r->share_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        json_string(stdout, r->share_texts[i]);
        putchar(':');
        json_value(stdout, VKR_TYPE_F64, &results->quantiles[c][i]);
    }
    fputs("},\"edges\":", stdout);
    json_values(stdout, VKR_TYPE_F64, histogram_edges(results, c), sizeof(double), r->bins + 1);
    putchar('}');
}

void histogram_print_json(const job *j)
{
    const histogram_request *r = j->request;
    fputs(r->in.components > 1 ? "[" : "", stdout);
    for (uint32_t c = 0; c < r->in.components; c++) {
        fputs(c > 0 ? "," : "", stdout);
        print_json_channel(r, j->results, c);
    }
    fputs(r->in.components > 1 ? "]" : "", stdout);
}

/* ---- Text ---- */

/* Formats an edge or a quantile for people. */
static void format_number(const histogram_request *r, double value, char text[32])
{
    const float single = (float)value;
    text_value(text, 32, r->edge_type,
               r->edge_type == VKR_TYPE_F64 ? (const void *)&value : &single);
}

/* A line of the table, which covers one or several adjacent bins. */
typedef struct line {
    char from[32], to[32], count[32];
    double elements; /* or the sum of their weights */
    bool closed;
} line;

static line make_line(const histogram_request *r, const histogram_results *results, uint32_t c,
                      uint32_t first, uint32_t end)
{
    line l = {.closed = r->closed && end == r->bins};
    uint64_t count = 0;
    for (uint32_t k = first; k < end; k++)
        count += histogram_counts(results, c)[k];
    l.elements = histogram_number(r, count);
    format_number(r, histogram_edges(results, c)[first], l.from);
    format_number(r, histogram_edges(results, c)[end], l.to);
    histogram_format_count(r, count, l.count);
    return l;
}

static int widest(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_table(const histogram_request *r, const histogram_results *results, uint32_t c)
{
    const uint32_t count = (uint32_t)least(r->bins, MAX_LINES);
    line lines[MAX_LINES];
    double most = 0;
    int from = 4, to = 2, elements = 8;
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = make_line(r, results, c, (uint32_t)((uint64_t)i * r->bins / count),
                             (uint32_t)((uint64_t)(i + 1) * r->bins / count));
        most = lines[i].elements > most ? lines[i].elements : most;
        from = widest(from, lines[i].from);
        to = widest(to, lines[i].to);
        elements = widest(elements, lines[i].count);
    }
    printf("%*s  %*s  %*s\n", from + 1, "from", to + 1, "to", elements,
           r->opts->weights != NULL ? "weights" : "elements");
    for (uint32_t i = 0; i < count; i++) {
        static const char bar[BAR + 1] = "########################################";
        const line *l = &lines[i];
        const int length = l->elements > 0 ? (int)(l->elements / most * BAR + 0.999) : 0;
        printf("[%*s  %*s%c  %*s  %.*s\n", from, l->from, to, l->to, l->closed ? ']' : ')',
               elements, l->count, length, bar);
    }
}

static void print_channel(const histogram_request *r, const histogram_results *results, uint32_t c)
{
    char text[32];
    if (r->in.components > 1)
        printf("channel  %u\n", c);
    for (uint32_t i = 0; i < OUTSIDE_COUNT; i++) {
        histogram_format_count(r, results->outside[c][i], text);
        printf("%-8s %s\n", outside_names[i], text);
    }
    for (uint32_t i = 0; i < r->share_count; i++) {
        format_number(r, results->quantiles[c][i], text);
        printf("share    %s lies below %s\n", r->share_texts[i], text);
    }
    print_table(r, results, c);
}

void histogram_print_text(const job *j)
{
    const histogram_request *r = j->request;
    static const char *const kinds[VKR_BIN_KIND_COUNT] = {[VKR_BINS_EVEN] = "even",
                                                          [VKR_BINS_LOG2] = "even in log2",
                                                          [VKR_BINS_EDGES] = "by --edges"};
    printf("%-8s %u, %s\n", "bins", r->bins, kinds[r->used.kind]);
    for (uint32_t c = 0; c < r->in.components; c++)
        print_channel(r, j->results, c);
}
