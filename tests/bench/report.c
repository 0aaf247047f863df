/* SPDX-License-Identifier: MIT */
#include "report.h"
#include <inttypes.h>
#include <string.h>
#include "output/json.h"
#include "windows.h"

#define NAME_WIDTH 36
#define IMAGE_NAME_WIDTH 44
#define STREAM_NAME_WIDTH 54

static const char *const verdict_words[] = {
    [VERDICT_NONE] = "-",
    [VERDICT_YES] = "yes",
    [VERDICT_NO] = "NO",
    [VERDICT_UNSUPPORTED] = "unsupported",
    [VERDICT_BUDGET] = "over budget",
    [VERDICT_BEYOND] = "too large",
    [VERDICT_MISFIT] = "misfit",
    [VERDICT_ELSEWHERE] = "-",
    [VERDICT_CLOCK] = "clock low",
};

/* Writes a size, as 2^K if it is a power of two. */
static void write_size(char *text, size_t size, uint64_t n)
{
    uint32_t power = 0;
    while (n >> power > 1)
        power++;
    if (n == UINT64_C(1) << power)
        snprintf(text, size, "2^%u", power);
    else
        snprintf(text, size, "%" PRIu64, n);
}

static const char *const ratio_names[RATIOS] = {
    [RATIO_READ] = "of read",
    [RATIO_STORAGE] = "of ssbo",
    [RATIO_COPY] = "of copy",
    [RATIO_FLAT] = "of flat",
};

/* The number of ratios to show: only --segments and --streams have RATIO_FLAT. */
static uint32_t shown_ratios(const bench *b)
{
    return b->settings.segments || b->settings.streams ? RATIOS : RATIO_FLAT;
}

static int name_width(const bench *b)
{
    return b->settings.streams ? STREAM_NAME_WIDTH : NAME_WIDTH;
}

/* With --streams this is the speed relative to `roger`, as in the table of the paper. */
static uint32_t main_ratio(const bench *b, const arm *a)
{
    if (b->settings.streams)
        return RATIO_ROGER;
    return a->kind == ARM_SEGMENTS ? RATIO_FLAT : a->kind > ARM_REDUCE ? RATIO_COPY : RATIO_READ;
}

void report_head(const bench *b, const char *note)
{
    printf("%s, %s\n%" PRIu64 " runs, medians; %s\n", b->gpu.chosen.name, b->gpu.chosen.driver,
           b->settings.runs, note);
}

void report_size(const bench *b, const row *rows)
{
    char size[24];
    const uint32_t ratios = shown_ratios(b);
    write_size(size, sizeof size, rows[0].n);
    printf("\n%s elements, %.6g MiB\n%-*s %12s %12s %8s", size, (double)rows[0].n * 4.0 / 1048576.0,
           name_width(b), "", "device us", "submit us", "GB/s");
    for (uint32_t k = 0; k < ratios; k++)
        printf(" %8s", b->settings.streams && k == RATIO_ROGER ? "of roger" : ratio_names[k]);
    puts("  verified");
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const row *r = &rows[i];
        if (r->verdict == VERDICT_ELSEWHERE)
            continue;
        printf("%-*s ", name_width(b), r->arm->name);
        if (row_measured(r)) {
            printf("%12.1f %12.1f %8.2f", r->device_ns / 1e3, r->submit_ns / 1e3,
                   row_ns(r) > 0.0 ? r->bytes / row_ns(r) : 0.0);
            for (uint32_t k = 0; k < ratios; k++)
                printf(" %8.2f", r->ratios[k]);
        } else {
            printf("%12s %12s %8s %*s", "", "", "", (int)(9 * ratios - 1), "");
        }
        printf("  %s\n", verdict_words[r->verdict]);
    }
    fflush(stdout);
}

static const char *title(const arm *a)
{
    static char text[sizeof a->name];
    snprintf(text, sizeof text, "%.*s", (int)(strrchr(a->name, ' ') - a->name), a->name);
    return text;
}

void report_windows(const bench *b)
{
    char note[80];
    snprintf(note, sizeof note, "%u multiprocessors or cores; g: workgroups of each",
             b->windows->processors);
    report_head(b, note);
    printf("\n%-*s %12s %12s %12s %8s  verified\n", NAME_WIDTH, "", "device us", "submit us",
           "windows/us", "x naive");
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const row *r = &b->rows[i];
        printf("%-*s ", NAME_WIDTH, r->arm->name);
        if (row_measured(r))
            printf("%12.1f %12.1f %12.1f %8.2f", r->device_ns / 1e3, r->submit_ns / 1e3,
                   (double)r->n * 1e3 / row_ns(r), r->ratios[RATIO_NAIVE]);
        else
            printf("%47s", "");
        printf("  %s\n", verdict_words[r->verdict]);
    }
    printf("\ntimes as fast as the naive form, g1, g2, ..");
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const arm *a = b->rows[i].arm;
        if (i == 0 || a->window.load <= a[-1].window.load)
            printf("\n%-*s", NAME_WIDTH, title(a));
        printf(" %6.2f", b->rows[i].ratios[RATIO_NAIVE]);
    }
    putchar('\n');
}

/* The rows of a mode, with their sizes if these vary. */
static void report_mode(const bench *b, const char *note, bool sized)
{
    char size[24];
    report_head(b, note);
    printf("\n%-*s %s%12s %12s %8s %8s  verified\n", IMAGE_NAME_WIDTH, "", sized ? "        " : "",
           "device us", "submit us", "GB/s", "ratio");
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const row *r = &b->rows[i];
        write_size(size, sizeof size, r->n);
        printf("%-*s ", IMAGE_NAME_WIDTH, r->arm->name);
        if (sized)
            printf("%7s ", size);
        if (row_measured(r))
            printf("%12.1f %12.1f %8.2f %8.2f", r->device_ns / 1e3, r->submit_ns / 1e3,
                   r->bytes / row_ns(r), r->ratios[RATIO_READ]);
        else
            printf("%43s", "");
        printf("  %s\n", verdict_words[r->verdict]);
    }
}

void report_images(const bench *b)
{
    report_mode(b, "ratio: of the speed of the bare kernel; for pyramids, of the chain of blits",
                false);
}

void report_histograms(const bench *b)
{
    report_mode(b, "ratio: of the speed of the plain kernel on the same elements", true);
}

/* How many bytes the best copy reads and writes in the time of a row, for each element. */
static double copied_bytes(const row *r)
{
    return r->ratios[RATIO_COPY] > 0.0 ? 8.0 / r->ratios[RATIO_COPY] : 0.0;
}

void report_ordered(const bench *b)
{
    char size[24];
    report_head(b, "bytes: read and written at least, for each element; copied: those that the "
                   "best copy moves in the same time; ratio: of the speed of the plain scan, the "
                   "run lengths, or the sort");
    printf("\n%-*s %7s %12s %12s %8s %8s %8s %8s %8s  verified\n", IMAGE_NAME_WIDTH, "", "",
           "device us", "submit us", "G/s", "bytes", "copied", "of copy", "ratio");
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const row *r = &b->rows[i];
        write_size(size, sizeof size, r->n);
        printf("%-*s %7s ", IMAGE_NAME_WIDTH, r->arm->name, size);
        if (row_measured(r))
            printf("%12.1f %12.1f %8.3f %8.2f %8.1f %8.2f %8.2f", r->device_ns / 1e3,
                   r->submit_ns / 1e3, (double)r->n / row_ns(r), r->bytes / (double)r->n,
                   copied_bytes(r), r->ratios[RATIO_COPY], r->ratios[RATIO_OTHER]);
        else
            printf("%70s", "");
        printf("  %s\n", verdict_words[r->verdict]);
    }
}

void report_ratios(const bench *b)
{
    char size[24];
    printf("\n%s\n%-*s",
           b->settings.streams ? "times as fast as roger with the same share"
           : b->settings.segments
               ? "share of the speed of the best bare read; for segments, of the "
                 "sum of all elements"
               : "share of the speed of the best bare read; for scans and "
                 "compactions, of the best copy",
           name_width(b), "");
    for (uint32_t s = 0; s < b->settings.size_count; s++) {
        write_size(size, sizeof size, b->settings.sizes[s]);
        printf(" %6s", size);
    }
    putchar('\n');
    for (uint32_t i = 0; i < b->arm_count; i++) {
        if (b->arms[i].kind == ARM_EMPTY ||
            (b->settings.streams && (b->arms[i].sweep || b->arms[i].kind < ARM_REDUCE)))
            continue;
        printf("%-*s", name_width(b), b->arms[i].name);
        for (uint32_t s = 0; s < b->settings.size_count; s++) {
            const row *r = &b->rows[(size_t)s * b->arm_count + i];
            if (row_measured(r))
                printf(" %6.2f", r->ratios[main_ratio(b, r->arm)]);
            else
                printf(" %6s", "-");
        }
        putchar('\n');
    }
}

/* ---- JSON ---- */

static void write_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":", key);
    json_string(file, text);
    fputc(',', file);
}

/* Writes a number, or null if it is not positive, which means unknown. */
static void write_number(FILE *file, const char *key, const char *format, double number)
{
    char text[40] = "null";
    if (number > 0.0)
        snprintf(text, sizeof text, format, number);
    fprintf(file, "\"%s\":%s,", key, text);
}

static const char *const ratio_keys[RATIOS] = {
    [RATIO_READ] = "ratio",
    [RATIO_STORAGE] = "ratio_storage",
    [RATIO_COPY] = "ratio_copy",
    [RATIO_FLAT] = "ratio_flat",
};

static void write_row(FILE *file, const bench *b, const row *r)
{
    const arm *a = r->arm;
    fputc('{', file);
    write_text(file, "arm", a->name);
    write_text(file, "op", a->op);
    write_text(file, "type", a->kind == ARM_EMPTY ? "" : vkrTypeName(a->type));
    fprintf(file, "\"n\":%" PRIu64 ",", r->n);
    write_number(file, "device_ns", "%.0f", r->device_ns);
    write_number(file, "submit_ns", "%.0f", r->submit_ns);
    write_number(file, "least_ns", "%.0f", r->least_ns);
    write_number(file, "cpu_ns", "%.0f", r->cpu_ns);
    write_number(file, "empty_ns", "%.0f", r->empty_ns);
    fprintf(file, "\"bytes\":%.0f,", r->bytes);
    write_number(file, "gbps", "%.4g", row_ns(r) > 0.0 ? r->bytes / row_ns(r) : 0.0);
    for (uint32_t k = 0; k < RATIOS; k++)
        write_number(file, ratio_keys[k], "%.4g", r->ratios[k]);
    write_text(file, "device", b->gpu.chosen.name);
    write_text(file, "driver", b->gpu.chosen.driver);
    fprintf(file, "\"runs\":%" PRIu64 ",", b->settings.runs);
    if (row_measured(r))
        fputs("\"skipped\":null,", file);
    else
        write_text(file, "skipped", verdict_words[r->verdict]);
    fprintf(file, "\"verified\":%s}\n",
            r->verdict == VERDICT_YES  ? "true"
            : r->verdict == VERDICT_NO ? "false"
                                       : "null");
}

void report_json(FILE *file, const bench *b, const row *rows)
{
    for (uint32_t i = 0; i < b->arm_count; i++)
        if (rows[i].verdict != VERDICT_ELSEWHERE)
            write_row(file, b, &rows[i]);
    fflush(file);
}
