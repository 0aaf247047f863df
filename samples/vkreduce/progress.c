/* SPDX-License-Identifier: MIT */
/* A progress bar on the terminal. */
#include <stdio.h>
#include <string.h>
#include "interrupt.h"
#include "progress.h"
#include "ranks.h"
#include "system/system.h"

#define PATIENCE 0.5 /* seconds before the bar appears */
#define INTERVAL 0.1 /* seconds between two updates */
#define MAX_COLUMNS 256
#define FORCED_COLUMNS 80 /* where there is no terminal */

static bool forced;

static struct {
    const char *what; /* NULL: no work is under way */
    uint64_t total;
    uint64_t done;
    double started;
    double drawn;
    int columns; /* columns on the screen; 0: there is no bar */
} bar;

/* One column less than the terminal has, so that the cursor stays in the line. */
static int usable_columns(void)
{
    const int real = terminal_columns();
    const int columns = real > 0 || !forced ? real : FORCED_COLUMNS;
    return (columns > 0 && columns < MAX_COLUMNS ? columns : MAX_COLUMNS) - 1;
}

void progress_force(void)
{
    forced = true;
}

bool progress_is_possible(void)
{
    return forced || terminal_columns() > 0;
}

static void format_time(char *text, size_t size, double seconds)
{
    uint64_t s = seconds < 3.6e8 ? (uint64_t)(seconds + 0.5) : 360000000;
    unsigned hours = (unsigned)(s / 3600), minutes = (unsigned)(s / 60 % 60);
    if (hours > 0)
        snprintf(text, size, "%u:%02u:%02u", hours, minutes, (unsigned)(s % 60));
    else
        snprintf(text, size, "%u:%02u", minutes, (unsigned)(s % 60));
}

static void draw(double elapsed)
{
    char line[MAX_COLUMNS + 1], figures[96], left[24];
    double share = bar.total > bar.done ? (double)bar.done / (double)bar.total : 1.0;
    double rate = (double)bar.done / elapsed;
    int columns = usable_columns();

    format_time(left, sizeof left, (double)bar.total * (1.0 - share) / rate);
    snprintf(figures, sizeof figures, "%3d%%  %.2f of %.2f GiB  %.2f GB/s  %s left",
             (int)(100.0 * share), (double)bar.done * 0x1p-30, (double)bar.total * 0x1p-30,
             rate * 1e-9, left);
    int room = columns - (int)(strlen(bar.what) + strlen(figures) + strlen(" []  "));
    int filled = (int)(share * room);
    if (room > 0) {
        char cells[MAX_COLUMNS];
        memset(cells, '-', sizeof cells);
        memset(cells, '#', (size_t)filled);
        snprintf(line, sizeof line, "%s [%.*s] %s", bar.what, room, cells, figures);
    } else {
        snprintf(line, sizeof line, "%s", figures);
    }
    fprintf(stderr, "\r%-*.*s", columns, columns, line);
    fflush(stderr);
    bar.columns = columns;
}

void progress_start(const char *what, uint64_t total)
{
    progress_end();
    bar.what = progress_is_possible() && ranks_is_first() ? what : NULL;
    bar.total = total;
    bar.done = 0;
    bar.started = clock_seconds();
    bar.drawn = bar.started + PATIENCE - INTERVAL;
}

/* With several ranks, the bar of the first one is that of all of them. */
static void exchange(uint64_t bytes)
{
    static double last;
    static uint64_t unreported;
    if (ranks_count() == 1)
        return;
    unreported += bytes;
    const double time = clock_seconds();
    if (time < last + INTERVAL)
        return;
    bar.done += ranks_progress(unreported);
    unreported = 0;
    last = time;
}

int progress_add(uint64_t bytes)
{
    bar.done += bytes;
    exchange(bytes);
    if (bar.what != NULL) {
        double time = clock_seconds();
        if (time >= bar.drawn + INTERVAL) {
            draw(time - bar.started);
            bar.drawn = time;
        }
    }
    return check_interrupt();
}

void progress_clear(void)
{
    if (bar.columns > 0) {
        fprintf(stderr, "\r%*s\r", bar.columns, "");
        fflush(stderr);
    }
    bar.columns = 0;
}

void progress_end(void)
{
    progress_clear();
    bar.what = NULL;
}
