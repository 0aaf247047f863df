/* SPDX-License-Identifier: MIT */
/* --plot: the counts as steps, a line for each channel, and the quantiles as vertical lines. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "histogram.h"

#define COLOURS 4u

/* Of one channel, of grey and alpha, of red, green and blue, and of these and alpha. */
static const char *const colours[VKR_MAX_COMPONENTS][COLOURS] = {
    {"#1f5fa8"},
    {"#404040", "#a06010"},
    {"#c02020", "#208030", "#2050c0"},
    {"#c02020", "#208030", "#2050c0", "#404040"}};

/* Between quotes, in which gnuplot takes only '' for something else. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputc('\'', file);
        fputc((unsigned char)*text < ' ' ? '?' : *text, file);
    }
    fputc('\'', file);
}

/* The logarithm of x where the axis has that, so that all lines lie as they do on the axis. */
static const char *unit_of(const histogram_job *j)
{
    if (j->task.opts->map == MAP_LUMINANCE)
        return "luminance, in units of the input";
    if (j->task.opts->map == MAP_LOG2_LUMINANCE)
        return "log2 of the luminance";
    return j->in.type >= VKR_TYPE_F16 ? "value, in units of the input" : "value, as an integer";
}

/* Two points for each bin, which steps of different widths need. Infinite edges are left out. */
static void print_data(FILE *script, const histogram_job *j, uint32_t c)
{
    const double *edges = histogram_edges(j, c);
    const uint64_t *counts = histogram_counts(j, c);
    fprintf(script, "$channel%u << EOD\n", c);
    for (uint32_t k = 0; k < j->bins; k++)
        if (isfinite(edges[k]) && isfinite(edges[k + 1]))
            fprintf(script, "%.17g %" PRIu64 "\n%.17g %" PRIu64 "\n", edges[k], counts[k],
                    edges[k + 1], counts[k]);
    fputs("EOD\n", script);
}

static const char *colour_of(const histogram_job *j, uint32_t c)
{
    return colours[j->in.components - 1][c];
}

/* A line from the bottom to the top at each quantile, with the share at its head; labels of
 * neighbours lie at different heights. */
static void print_quantiles(FILE *script, const histogram_job *j, uint32_t c)
{
    for (uint32_t i = 0; i < j->share_count; i++) {
        const double at = j->quantiles[c][i];
        char value[32];
        histogram_value(j, at, value);
        if (!isfinite(at))
            continue;
        fprintf(script,
                "set arrow from first %.17g, graph 0 to first %.17g, graph 1 nohead front "
                "lc rgb '%s' lw 1.5 dt 2\n",
                at, at, colour_of(j, c));
        fprintf(script, "set label ");
        char label[96];
        snprintf(label, sizeof label, " %s: %.6g", j->share_texts[i], at);
        print_quoted(script, label);
        fprintf(script, " at first %.17g, graph %.3f front tc rgb '%s'\n", at,
                0.96 - 0.045 * (double)((i + c * j->share_count) % 18), colour_of(j, c));
    }
}

static void print_axes(FILE *script, const histogram_job *j)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t c = 0; c < j->in.components; c++)
        for (uint32_t k = 0; k <= j->bins; k++) {
            const double edge = histogram_edges(j, c)[k];
            low = isfinite(edge) && edge < low ? edge : low;
            high = isfinite(edge) && edge > high ? edge : high;
        }
    fputs("set terminal pngcairo size 1200,700 noenhanced font 'sans,11'\n"
          "set border 3\nset tics nomirror out\nset grid lc rgb '#d8d8d8' lt 1\n"
          "set key outside below horizontal\n",
          script);
    if (j->used.kind == VKR_BINS_LOG2)
        fputs("set logscale x 2\nset format x '%g'\n", script);
    if (low < high)
        fprintf(script, "set xrange [%.17g:%.17g]\n", low, high);
    fputs("set yrange [0:*]\nset title ", script);
    print_quoted(script, j->in.name);
    fputs("\nset xlabel ", script);
    print_quoted(script, unit_of(j));
    fputs("\nset ylabel 'elements per bin'\n", script);
}

static void print_script(FILE *script, const histogram_job *j)
{
    print_axes(script, j);
    for (uint32_t c = 0; c < j->in.components; c++) {
        print_data(script, j, c);
        print_quantiles(script, j, c);
    }
    fputs("plot ", script);
    for (uint32_t c = 0; c < j->in.components; c++) {
        char title[64];
        if (j->in.components > 1)
            snprintf(title, sizeof title, "channel %u", c);
        else
            snprintf(title, sizeof title, "%u bins", j->bins);
        fprintf(script, "%s$channel%u using 1:2 with %s lc rgb '%s' lw 1.5 title '%s'",
                c > 0 ? ", " : "", c, j->in.components > 1 ? "lines" : "filledcurves y1=0",
                colour_of(j, c), title);
    }
    fputc('\n', script);
}

int histogram_plot(const histogram_job *j)
{
    FILE *script = tmpfile();
    if (script == NULL)
        return fail(STATUS_VULKAN, "%s: no temporary file can be made for gnuplot: %s",
                    j->plot.name, strerror(errno));
    print_script(script, j);
    int status = gnuplot_draw(&j->plot, script);
    fclose(script);
    return status;
}
