/* SPDX-License-Identifier: MIT */
/* --plot: the counts as steps, a line for each channel, and the quantiles as vertical lines. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "input/value.h"
#include "output/gnuplot.h"
#include "status.h"
#include "system/system.h"

#define COLOURS 4u

/* For one channel, for grey and alpha, for RGB and for RGBA. */
static const char *const colours[VKR_MAX_COMPONENTS][COLOURS] = {
    {"#1f5fa8"},
    {"#404040", "#a06010"},
    {"#c02020", "#208030", "#2050c0"},
    {"#c02020", "#208030", "#2050c0", "#404040"}};

/* Prints a text in single quotes, in which gnuplot interprets nothing but '' (a quote). */
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

static const char *unit_of(const histogram_request *r)
{
    if (r->opts->texels.map == MAP_LUMINANCE)
        return r->opts->texels.linear ? "luminance, 1 is white"
                                      : "luminance, in units of the input";
    if (r->opts->texels.map == MAP_LOG2_LUMINANCE)
        return "log2 of the luminance";
    return is_float(r->in.type) ? "value, in units of the input" : "value, in integer units";
}

/* Prints two points for each bin, since the steps may differ in width. Infinite edges are left
 * out. */
static void print_data(FILE *script, const histogram_request *r, const histogram_results *results,
                       uint32_t c)
{
    const double *edges = histogram_edges(results, c);
    const uint64_t *counts = histogram_counts(results, c);
    char text[32];
    fprintf(script, "$channel%u << EOD\n", c);
    for (uint32_t k = 0; k < r->bins; k++) {
        histogram_format_count(r, counts[k], text);
        if (isfinite(edges[k]) && isfinite(edges[k + 1]))
            fprintf(script, "%.17g %s\n%.17g %s\n", edges[k], text, edges[k + 1], text);
    }
    fputs("EOD\n", script);
}

static const char *colour_of(const histogram_request *r, uint32_t c)
{
    return colours[r->in.components - 1][c];
}

/* The range of x that the picture shows. */
typedef struct extent {
    double low, high;
} extent;

static extent find_extent(const histogram_request *r, const histogram_results *results)
{
    extent e = {INFINITY, -INFINITY};
    for (uint32_t c = 0; c < r->in.components; c++)
        for (uint32_t k = 0; k <= r->bins; k++) {
            const double edge = histogram_edges(results, c)[k];
            e.low = isfinite(edge) && edge < e.low ? edge : e.low;
            e.high = isfinite(edge) && edge > e.high ? edge : e.high;
        }
    return e;
}

/* Whether a value lies so near the right end that its label must go to the left. */
static bool is_right(const histogram_request *r, extent e, double x)
{
    const bool logarithmic = r->used.kind == VKR_BINS_LOG2;
    const double share = logarithmic ? log2(x / e.low) / log2(e.high / e.low)
                                     : (x / 2 - e.low / 2) / (e.high / 2 - e.low / 2);
    return share > 0.85;
}

/* Draws a vertical line at each quantile, labelled with its share at the top; labels of neighbours
 * have different heights. */
static void print_quantiles(FILE *script, const histogram_request *r,
                            const histogram_results *results, extent e, uint32_t c)
{
    for (uint32_t i = 0; i < r->share_count; i++) {
        const double x = results->quantiles[c][i];
        const double height = 0.97 - 0.045 * ((i + c * r->share_count) % 18);
        char label[SHARE_TEXT + 32];
        if (!isfinite(x))
            continue;
        snprintf(label, sizeof label, " %s: %.6g ", r->share_texts[i], x);
        fprintf(script,
                "set arrow from first %.17g, graph 0 to first %.17g, graph 1 nohead front "
                "lc rgb '%s' lw 1.5 dt 2\nset label ",
                x, x, colour_of(r, c));
        print_quoted(script, label);
        fprintf(script, " at first %.17g, graph %.3f %s front tc rgb '%s'\n", x, height,
                is_right(r, e, x) ? "right" : "left", colour_of(r, c));
    }
}

static void print_axes(FILE *script, const histogram_request *r, extent e)
{
    fputs("set terminal pngcairo size 1200,700 noenhanced font 'sans,11'\n"
          "set border 3\nset tics nomirror out\nset grid lc rgb '#d8d8d8' lt 1\n"
          "set key outside right top vertical\nset style fill solid 0.35 noborder\n"
          "set format x '%g'\nset format y '%g'\nset rmargin 18\n",
          script);
    if (r->in.components == 1)
        fputs("unset key\nset rmargin 4\n", script);
    if (r->used.kind == VKR_BINS_LOG2)
        fputs("set logscale x 2\n", script);
    if (e.low < e.high)
        fprintf(script, "set xrange [%.17g:%.17g]\n", e.low, e.high);
    fputs(histogram_count_type(r) == VKR_TYPE_U64 ? "set yrange [0:*]\nset title " : "set title ",
          script);
    print_quoted(script, r->in.name);
    fputs("\nset xlabel ", script);
    print_quoted(script, unit_of(r));
    fprintf(script, "\nset ylabel '%s per bin (%u bins)'\n",
            r->opts->weights != NULL ? "sum of weights" : "elements", r->bins);
}

static void print_script(FILE *script, const histogram_request *r, const histogram_results *results)
{
    const bool alone = r->in.components == 1;
    const extent e = find_extent(r, results);
    print_axes(script, r, e);
    for (uint32_t c = 0; c < r->in.components; c++) {
        print_data(script, r, results, c);
        print_quantiles(script, r, results, e, c);
    }
    fputs("plot ", script);
    for (uint32_t c = 0; c < r->in.components; c++)
        fprintf(script, "%s$channel%u using 1:2 with %s lc rgb '%s' lw 1.5 title 'channel %u'",
                c > 0 ? ", " : "", c, alone ? "filledcurves y1=0" : "lines", colour_of(r, c), c);
    fputc('\n', script);
}

int histogram_plot(const histogram_request *r, const histogram_results *results)
{
    const output *picture = &results->plot_file;
    FILE *script = file_create_stream();
    if (script == NULL)
        return fail(STATUS_VULKAN, "%s: no temporary file can be created for gnuplot: %s",
                    picture->name, strerror(errno));
    print_script(script, r, results);
    int status = gnuplot_draw(picture, script);
    fclose(script);
    return status;
}
