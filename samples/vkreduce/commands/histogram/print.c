/* SPDX-License-Identifier: MIT */
/* What the command histogram says. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "commands/report.h"
#include "output/json.h"
#include "output/text.h"

#define MOST_LINES 20u /* of a table; with more bins a line stands for several */
#define BAR 40u        /* characters of the longest one */

static const char *const outside_names[OUTSIDE_COUNT] = {
    [OUTSIDE_BELOW] = "below", [OUTSIDE_ABOVE] = "above", [OUTSIDE_NAN] = "nan"};

/* ---- JSON ---- */

static void print_json_channel(const histogram_job *j, uint32_t c)
{
    fputs("{\"counts\":[", stdout);
    for (uint32_t k = 0; k < j->bins; k++)
        printf("%s%" PRIu64, k > 0 ? "," : "", histogram_counts(j, c)[k]);
    fputs("]", stdout);
    for (uint32_t i = 0; i < OUTSIDE_COUNT; i++)
        printf(",\"%s\":%" PRIu64, outside_names[i], j->outside[c][i]);
    fputs(",\"quantiles\":{", stdout);
    for (uint32_t i = 0; i < j->share_count; i++) {
        fputs(i > 0 ? "," : "", stdout);
        json_string(stdout, j->share_texts[i]);
        putchar(':');
        json_value(stdout, VKR_TYPE_F64, &j->quantiles[c][i]);
    }
    fputs("},\"edges\":[", stdout);
    for (uint32_t k = 0; k <= j->bins; k++) {
        fputs(k > 0 ? "," : "", stdout);
        json_value(stdout, VKR_TYPE_F64, &histogram_edges(j, c)[k]);
    }
    fputs("]}", stdout);
}

void histogram_print_json(const histogram_job *j)
{
    report_start_json(&j->task, "histogram", &j->in,
                      vkrHistogramAlgorithmName((VkrHistogramAlgorithm)j->opts->algorithm));
    fputs(j->in.components > 1 ? "[" : "", stdout);
    for (uint32_t c = 0; c < j->in.components; c++) {
        fputs(c > 0 ? "," : "", stdout);
        print_json_channel(j, c);
    }
    fputs(j->in.components > 1 ? "]" : "", stdout);
    const named_output outputs[] = {{"output", j->opts->output}, {"plot", j->opts->plot}};
    report_end_json(&j->task, &j->in, 1, outputs, 2);
}

/* ---- Text ---- */

void histogram_value(const histogram_job *j, double value, char text[32])
{
    const float single = (float)value;
    text_value(text, 32, j->edge_type,
               j->edge_type == VKR_TYPE_F64 ? (const void *)&value : &single);
}

/* A line of the table: some bins that lie side by side. */
typedef struct line {
    char from[32], to[32], count[24];
    uint64_t elements;
    bool closed;
} line;

static line make_line(const histogram_job *j, uint32_t c, uint32_t first, uint32_t end)
{
    line l = {.closed = j->closed && end == j->bins};
    for (uint32_t k = first; k < end; k++)
        l.elements += histogram_counts(j, c)[k];
    histogram_value(j, histogram_edges(j, c)[first], l.from);
    histogram_value(j, histogram_edges(j, c)[end], l.to);
    snprintf(l.count, sizeof l.count, "%" PRIu64, l.elements);
    return l;
}

static int widest(int width, const char *text)
{
    return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_table(const histogram_job *j, uint32_t c)
{
    const uint32_t count = j->bins < MOST_LINES ? j->bins : MOST_LINES;
    line lines[MOST_LINES];
    uint64_t most = 1;
    int from = 4, to = 2, elements = 8;
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = make_line(j, c, (uint32_t)((uint64_t)i * j->bins / count),
                             (uint32_t)((uint64_t)(i + 1) * j->bins / count));
        most = lines[i].elements > most ? lines[i].elements : most;
        from = widest(from, lines[i].from);
        to = widest(to, lines[i].to);
        elements = widest(elements, lines[i].count);
    }
    printf("%*s  %*s  %*s\n", from + 1, "from", to + 1, "to", elements, "elements");
    for (uint32_t i = 0; i < count; i++) {
        static const char bar[BAR + 1] = "########################################";
        const line *l = &lines[i];
        const double share = (double)l->elements / (double)most;
        const int length = (int)(share * BAR + (l->elements > 0 ? 0.999 : 0.0));
        printf("[%*s  %*s%c  %*s  %.*s\n", from, l->from, to, l->to, l->closed ? ']' : ')',
               elements, l->count, length, bar);
    }
}

static void print_channel(const histogram_job *j, uint32_t c)
{
    char text[32];
    if (j->in.components > 1)
        printf("channel  %u\n", c);
    for (uint32_t i = 0; i < OUTSIDE_COUNT; i++)
        printf("%-8s %" PRIu64 "\n", outside_names[i], j->outside[c][i]);
    for (uint32_t i = 0; i < j->share_count; i++) {
        histogram_value(j, j->quantiles[c][i], text);
        printf("share    %s lies below %s\n", j->share_texts[i], text);
    }
    print_table(j, c);
}

void histogram_print_text(const histogram_job *j)
{
    static const char *const kinds[VKR_BIN_KIND_COUNT] = {[VKR_BINS_EVEN] = "even",
                                                          [VKR_BINS_LOG2] = "even in log2",
                                                          [VKR_BINS_EDGES] = "by --edges"};
    report_device(&j->task);
    report_input(&j->in);
    printf("%-8s %u, %s\n", "bins", j->bins, kinds[j->used.kind]);
    for (uint32_t c = 0; c < j->in.components; c++)
        print_channel(j, c);
    report_end(&j->task, vkrHistogramAlgorithmName((VkrHistogramAlgorithm)j->opts->algorithm));
}
