/* SPDX-License-Identifier: MIT */
/* The options of samples that only write pictures into a folder. */
#include "app.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void print_usage(FILE *to)
{
    fprintf(to,
            "usage: %s [--out DIR] [--device INDEX|NAME-PART]\n"
            "DIR, where the pictures go, is the current folder by default.\n",
            app_name);
}

app_options parse_options(int argc, char **argv)
{
    app_options o = {.out = "."};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0) {
            print_usage(stdout);
            exit(0);
        }
        const char *value = argv[++i];
        if (!value || !*value || (strcmp(name, "--out") != 0 && strcmp(name, "--device") != 0)) {
            fprintf(stderr, "%s: %s is not an option, or lacks its value\n", app_name, name);
            print_usage(stderr);
            exit(BAD_INPUT);
        }
        *(strcmp(name, "--out") == 0 ? &o.out : &o.device) = value;
    }
    if (mkdir(o.out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o.out, strerror(errno));
    return o;
}
