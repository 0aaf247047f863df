/* SPDX-License-Identifier: MIT */
/* The program `vkreduce`: finds the command, and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command_line/command.h"
#include "commands/apply/apply.h"
#include "commands/bin/bin.h"
#include "commands/bounds/bounds.h"
#include "commands/compact/compact.h"
#include "commands/devices/devices.h"
#include "commands/expand/expand.h"
#include "commands/find/find.h"
#include "commands/histogram/histogram.h"
#include "commands/merge/merge.h"
#include "commands/pyramid/pyramid.h"
#include "commands/reduce/reduce.h"
#include "commands/scan/scan.h"
#include "commands/sort/sort.h"
#include "commands/select/select.h"
#include "commands/topk/topk.h"
#include "commands/tune/tune.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"
#ifdef RUNNER_MPI
static const ranks_transport *const transport = &ranks_mpi;
#else
static const ranks_transport *const transport = NULL;
#endif
#ifdef RUNNER_BENCH
#include "bench.h"

static const command bench_command = {
    .name = "bench",
    .operands = "[FILTER...]",
    .summary = "times all operations and a bare copy; see vkreduce bench --help",
    .description =
        "Times the operations and bare copies whose names contain a filter; vkreduce bench "
        "--help lists its options.",
    .program = bench_main};
#endif

static const command *const commands[] = {
    &devices_command, &reduce_command, &scan_command,      &compact_command,
    &expand_command,  &find_command,   &histogram_command, &bin_command,
    &pyramid_command, &sort_command,   &merge_command,     &topk_command,
    &select_command,  &apply_command,  &bounds_command,    &tune_command,
#ifdef RUNNER_BENCH
    &bench_command
#endif
};

static const command_list list = {commands, sizeof commands / sizeof commands[0]};

const char program_name[] = "vkreduce";

static const command *command_of(const char *name)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static void print_version(void)
{
    printf("%s %d.%d.%d\n", program_name, VKR_VERSION_MAJOR, VKR_VERSION_MINOR, VKR_VERSION_PATCH);
}

static void print_algorithms(const algorithm_list *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        printf("%-*s %s\n", a->width, a->word(i), a->meanings[i]);
}

/* Prints the command's algorithms, or those of all commands if it has none. */
static void print_all_algorithms(const command *wanted)
{
    const bool all = wanted == NULL || wanted->algorithms.word == NULL;
    for (size_t i = 0; i < list.count && all; i++) {
        if (commands[i]->algorithms.word == NULL)
            continue;
        printf("%s:\n", commands[i]->name);
        print_algorithms(&commands[i]->algorithms);
    }
    if (!all)
        print_algorithms(&wanted->algorithms);
}

/* Prints a manual page or the completion script, for the build. Returns false if none is
 * requested. */
static bool print_page(int argc, char **argv)
{
    const command *c = argc == 3 ? command_of(argv[2]) : NULL;
    if (argc == 2 && strcmp(argv[1], "--completion") == 0)
        return print_completion(&list, "bash");
    if (argc == 3 && strcmp(argv[1], "--completion") == 0)
        return print_completion(&list, argv[2]);
    if (argc == 2 && strcmp(argv[1], "--manual") == 0)
        print_manual(&list);
    else if (c != NULL && strcmp(argv[1], "--manual") == 0)
        print_command_manual(c);
    else
        return false;
    return true;
}

/* Handles options such as --help, which replace a command's work. Returns false if there is
 * none. */
static bool print_information(const command *c, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const bool algorithm = strcmp(argv[i], "--algorithm") == 0 && i + 1 < argc;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return c != NULL ? print_help(c) : print_commands(&list), true;
        if (strcmp(argv[i], "--version") == 0 || strcmp(argv[i], "-V") == 0)
            return print_version(), true;
        if (strcmp(argv[i], "--algorithm=help") == 0 ||
            (algorithm && strcmp(argv[i + 1], "help") == 0))
            return print_all_algorithms(c), true;
    }
    return false;
}

static int run_command(const command *c, int argc, char **argv)
{
    operands given;
    void *options = calloc(1, c->options_size);
    if (options == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    int status = parse_options(c, argv, argc, &given, options);
    if (status == STATUS_DONE && (!c->alone || ranks_leave_to_first(c->name)))
        status = c->run(&given, options);
    free(options);
    return status;
}

static int run(int argc, char **argv)
{
    const command *c = argc < 2 ? NULL : command_of(argv[1]);
    if (argc >= 2 && argc <= 3 && strcmp(argv[1], "help") == 0) { /* help NAME is NAME --help */
        static char option[] = "--help";
        argv[1] = argc == 3 ? argv[2] : option;
        argv[argc - 1] = option;
        c = command_of(argv[1]);
        if (c == NULL && argc == 3)
            return fail(STATUS_USAGE, "'%s' is not a command; see vkreduce --help", argv[1]);
    }
    if (c != NULL && c->program != NULL)
        return ranks_leave_to_first(c->name) ? c->program(argc - 1, argv + 1) : STATUS_DONE;
    if (print_page(argc, argv) || print_information(c, argc, argv))
        return STATUS_DONE;
    if (argc < 2) {
        print_commands(&list);
        return fail(STATUS_USAGE, "no command was given; see vkreduce --help");
    }
    if (argc == 3 && strcmp(argv[1], "--completion") == 0)
        return fail(STATUS_USAGE, "--completion is '%s'; it must be one of %s", argv[2], SHELLS);
    if (c == NULL)
        return fail(STATUS_USAGE, "'%s' is not a command; see vkreduce --help", argv[1]);
    return run_command(c, argc - 2, argv + 2);
}

int main(int argc, char **argv)
{
    if (!system_start(&argc, &argv))
        return fail(STATUS_VULKAN, "out of memory");
    int status = ranks_start(&argc, &argv, transport);
    if (status == STATUS_DONE)
        status = compare_ranks(argc, argv);
    if (status == STATUS_DONE)
        status = run(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        status = fail(STATUS_VULKAN, "the results could not be written to the standard output");
    return ranks_end(status);
}
