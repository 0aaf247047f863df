/* SPDX-License-Identifier: MIT */
/* The options of samples that only write pictures into a folder. */
#include "app.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void print_usage(FILE *to, const char *const *names)
{
    fprintf(to, "usage: %s [--out DIR] [--device INDEX|NAME-PART]", app_name);
    for (uint32_t i = 0; names[i]; i++)
        fprintf(to, " [%s]", names[i]);
    fprintf(to, "\nDIR, where the pictures go, is the current folder by default.\n");
}

/* The bit of an option without a value; 0: it is none. */
static uint32_t bit_of(const char *name, const char *const *names)
{
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1u << i;
    return 0;
}

app_options parse_flags(int argc, char **argv, const char *const *names)
{
    app_options o = {.out = "."};
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (strcmp(name, "--help") == 0) {
            print_usage(stdout, names);
            exit(0);
        }
        const uint32_t bit = bit_of(name, names);
        o.flags |= bit;
        if (bit)
            continue;
        const char *value = argv[++i];
        if (!value || !*value || (strcmp(name, "--out") != 0 && strcmp(name, "--device") != 0)) {
            fprintf(stderr, "%s: %s is not an option, or lacks its value\n", app_name, name);
            print_usage(stderr, names);
            exit(BAD_INPUT);
        }
        *(strcmp(name, "--out") == 0 ? &o.out : &o.device) = value;
    }
    if (mkdir(o.out, 0777) != 0 && errno != EEXIST)
        DIE(FAILED, "%s cannot be made: %s\n", o.out, strerror(errno));
    return o;
}

app_options parse_options(int argc, char **argv)
{
    return parse_flags(argc, argv, (const char *const[]){NULL});
}
