/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "app.h"
#include "parts.h"
#include <png.h>

static void print_name(const char *folder, const char *file, char name[PATH_MAX])
{
    if (snprintf(name, PATH_MAX, "%s/%s", folder, file) >= PATH_MAX)
        DIE(FAILED, "%s is too long a name\n", folder);
}

/* ---- Frames ---- */

void write_frames(const outcome *o, const char *folder)
{
    const uint32_t width = o->pictures[0].width, height = o->pictures[0].height;
    for (uint32_t i = 0; i < SHOWN; i++) {
        char file[32], name[PATH_MAX];
        const picture p = {width, height, (size_t)width * height, PNG_FORMAT_FLAG_COLOR,
                           (unsigned char *)o->rgba[i]};
        snprintf(file, sizeof file, "frame-%03u.png", shown_frames[i]);
        print_name(folder, file, name);
        write_png(&p, name);
        printf("%s\n", name);
    }
}

/* ---- The plot ---- */

static FILE *open_file(const char *folder, const char *file)
{
    char name[PATH_MAX];
    print_name(folder, file, name);
    FILE *f = fopen(name, "w");
    if (!f)
        DIE(FAILED, "%s cannot be written\n", name);
    printf("%s\n", name);
    return f;
}

static void close_file(FILE *f, const char *file)
{
    if (ferror(f) | fclose(f))
        DIE(FAILED, "%s cannot be written\n", file);
}

static void write_data(const outcome *o, const verdict *v, const char *folder)
{
    FILE *f = open_file(folder, "exposure.dat");
    fprintf(f,
            "# in stops: frame, light, trimmed mean, exposure that this asks for, exposure by the "
            "GPU and by the CPU\n");
    for (uint32_t i = 0; i < FRAMES; i++) {
        const Reading *r = &o->state->readings[i];
        fprintf(f, "%u %.9g %.9g %.9g %.9g %.9g\n", i, log2((double)instant_of(i).light),
                (double)r->mean, (double)wanted(r->mean), (double)r->exposure,
                (double)v->expected[i].exposure);
    }
    close_file(f, "exposure.dat");
}

static void write_script(const char *folder)
{
    FILE *f = open_file(folder, "exposure.gnuplot");
    fputs("set terminal pngcairo size 960,400 font 'sans,11'\n"
          "set output 'exposure.png'\n"
          "set xlabel 'frame'\n"
          "set ylabel 'exposure (stops)'\n"
          "set xrange [0:119]\n"
          "set key outside top center horizontal maxrows 1\n"
          "set grid linetype 1 linecolor '#dddddd'\n",
          f);
    fputs("plot 'exposure.dat' using 1:4 with histeps linecolor '#999999' "
          "title 'asked for', \\\n"
          "     '' using 1:6 with lines linewidth 3 linecolor '#f0a030' title 'CPU model', \\\n"
          "     '' using 1:5 with points pointtype 7 pointsize 0.4 linecolor '#204080' "
          "title 'GPU'\n",
          f);
    close_file(f, "exposure.gnuplot");
}

/* Runs gnuplot inside the folder, so that the folder's name needs no quotes. */
static bool draw_plot(const char *folder)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (chdir(folder) == 0)
            execlp("gnuplot", "gnuplot", "exposure.gnuplot", (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

bool write_plot(const outcome *o, const verdict *v, const char *folder)
{
    write_data(o, v, folder);
    write_script(folder);
    if (!draw_plot(folder)) {
        fprintf(stderr, "%s: gnuplot could not be run, so there is no %s/exposure.png\n", app_name,
                folder);
        return false;
    }
    printf("%s/exposure.png\n", folder);
    return true;
}
