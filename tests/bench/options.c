/* SPDX-License-Identifier: MIT */
#include "settings.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "array.h"
#include "busy.h"
#include "input/number.h"
#include "status.h"

#define MAX_BUDGET 86400u /* seconds */

static int set_device(settings *s, const char *text)
{
    s->device = text;
    return STATUS_DONE;
}

static int set_json(settings *s, const char *text)
{
    s->json = text;
    return text[0] != '\0' ? STATUS_DONE
                           : fail(STATUS_USAGE, "--json is ''; it must be a name: FILE");
}

static int set_runs(settings *s, const char *text)
{
    if (parse_count(text, 1, MAX_RUNS, &s->runs))
        return STATUS_DONE;
    return fail(STATUS_USAGE, "--runs is '%s'; it must be a whole number from 1 to %u", text,
                MAX_RUNS);
}

static int set_budget(settings *s, const char *text)
{
    if (parse_count(text, 1, MAX_BUDGET, &s->budget))
        return STATUS_DONE;
    return fail(STATUS_USAGE, "--budget is '%s'; it must be a whole number of seconds from 1 to %u",
                text, MAX_BUDGET);
}

static int set_busy(settings *s, const char *text)
{
    s->busy_given = true;
    if (parse_number(text, 0, MAX_BUSY, &s->busy))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "--busy is '%s'; it must be a whole number of milliseconds from 0 to %u", text,
                MAX_BUSY);
}

/* Parses a number, or 2^K. */
static bool parse_elements(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    if (strncmp(text, "2^", 2) != 0)
        return parse_count(text, least, most, number);
    if (!parse_number(text + 2, 0, 62, number))
        return false;
    *number = UINT64_C(1) << *number;
    return *number >= least && *number <= most;
}

typedef struct list_rule {
    const char *option;
    uint64_t least, most, multiple;
    uint32_t capacity;
} list_rule;

static int parse_list(const list_rule *rule, const char *text, uint64_t *list, uint32_t *count)
{
    *count = 0;
    for (;;) {
        char item[24] = "";
        size_t length = strcspn(text, ",");
        if (length < sizeof item)
            memcpy(item, text, length);
        if (*count == rule->capacity ||
            !parse_elements(item, rule->least, rule->most, &list[*count]) ||
            list[*count] % rule->multiple != 0)
            return fail(STATUS_USAGE,
                        "%s has '%.*s'; it must have up to %u numbers from %llu to %llu, multiples "
                        "of %llu, separated by commas",
                        rule->option, (int)length, text, rule->capacity,
                        (unsigned long long)rule->least, (unsigned long long)rule->most,
                        (unsigned long long)rule->multiple);
        ++*count;
        if (text[length] == '\0')
            return STATUS_DONE;
        text += length + 1;
    }
}

/* The widest loads read eight values at a time. */
static int set_sizes(settings *s, const char *text)
{
    static const list_rule rule = {"--sizes", 8, UINT64_C(1) << 31, 8, MAX_SIZES};
    return parse_list(&rule, text, s->sizes, &s->size_count);
}

static int set_workgroups(settings *s, const char *text)
{
    static const list_rule rule = {"--workgroups", 0, 1024, 1, MAX_WORKGROUPS};
    return parse_list(&rule, text, s->workgroups, &s->workgroup_count);
}

#define FLAG(member) NULL, offsetof(settings, member), NULL

static const struct {
    const char *name;
    const char *help;
    const char *argument; /* NULL: a flag */
    size_t flag;          /* the bool in settings that a flag sets */
    int (*set)(settings *s, const char *text);
} options_table[] = {
    {"device", "which device (default: a GPU if there is one)", "INDEX|NAME-PART", 0, set_device},
    {"json", "write one JSON object per row", "FILE", 0, set_json},
    {"quick", "two small sizes or loads, three runs", FLAG(quick)},
    {"all-reads", "also the bare kernels for other classes of devices", FLAG(all_reads)},
    {"windows", "instead: sums of all windows of a subgroup's size", FLAG(windows)},
    {"segments", "instead: sums of segments, compared with sums of all elements", FLAG(segments)},
    {"recordings", "instead: the host's time for recordings of up to 100,000 operations",
     FLAG(recordings)},
    {"images", "instead: reductions, tiles and pyramids of images", FLAG(images)},
    {"histograms", "instead: histograms, compared with a plain kernel", FLAG(histograms)},
    {"ordered", "instead: sorts, selections, searches, expansions, and work by key", FLAG(ordered)},
    {"streams", "instead: stream reduction by every method, by the protocol of a paper of 2007",
     FLAG(streams)},
    {"sizes",
     "elements (default 2^10 to 2^25; segments 2^24, histograms 2^25, streams 2^18 to 2^24, "
     "ordered "
     "2^10 to 2^24)",
     "N,2^K,...", 0, set_sizes},
    {"workgroups", "workgroup sizes of the reductions; 0: tuned (default 0)", "W,...", 0,
     set_workgroups},
    {"runs", "timed runs, whose median is reported (default 9; windows 64)", "N", 0, set_runs},
    {"budget", "limit per arm, after which larger sizes are left out (default 4; streams 60)",
     "SECONDS", 0, set_budget},
    {"busy",
     "how long a kernel keeps the device busy before each timed run (default 2; on a CPU 0)", "MS",
     0, set_busy},
    {"help", "print this", FLAG(help)},
};

/* What precedes the name `bench` on the command line, where it is a command of a program. */
static const char *prefix(void)
{
    return strcmp(program_name, "bench") == 0 ? "" : "vkreduce ";
}

static void print_help(void)
{
    printf("usage: %sbench [FILTER...] [OPTION...]\n\n", prefix());
    puts(
        "Times bare reads and copies of a buffer, and the reductions, scans and compactions whose\n"
        "name contains a FILTER, such as 'sum f32', scan or single, on the device and from submit "
        "to\n"
        "fence, and verifies all results.\n");
    for (size_t i = 0; i < COUNT_OF(options_table); i++) {
        char left[40];
        snprintf(left, sizeof left, "--%s %s", options_table[i].name,
                 options_table[i].argument != NULL ? options_table[i].argument : "");
        printf("  %-26s %s\n", left, options_table[i].help);
    }
}

static int set_option(settings *s, int argc, char **argv, int *i)
{
    const char *name = argv[*i] + 2, *value = strchr(name, '=');
    size_t length = value != NULL ? (size_t)(value - name) : strlen(name);
    for (size_t k = 0; argv[*i][1] == '-' && k < COUNT_OF(options_table); k++) {
        if (strlen(options_table[k].name) != length ||
            strncmp(options_table[k].name, name, length) != 0)
            continue;
        if (options_table[k].argument == NULL && value != NULL)
            return fail(STATUS_USAGE, "--%s takes no value", options_table[k].name);
        if (options_table[k].argument == NULL) {
            *(bool *)((char *)s + options_table[k].flag) = true;
            return STATUS_DONE;
        }
        if (value == NULL && *i + 1 == argc)
            return fail(STATUS_USAGE, "--%s needs a value: %s", options_table[k].name,
                        options_table[k].argument);
        return options_table[k].set(s, value != NULL ? value + 1 : argv[++*i]);
    }
    return fail(STATUS_USAGE, "bench has no option '%s'; see %sbench --help", argv[*i], prefix());
}

static void set_defaults(settings *s)
{
    static const char usual[] = "2^10,2^14,2^16,2^18,2^20,2^22,2^25";
    s->all_sizes = s->size_count == 0 && !s->quick;
    if (s->size_count == 0)
        (void)set_sizes(s, s->quick        ? "2^10,100000"
                           : s->segments   ? "2^24"
                           : s->histograms ? "2^25"
                           : s->ordered    ? "2^10,2^16,2^20,2^22,2^24"
                           : s->streams    ? "2^18,2^20,2^22,2^24"
                                           : usual);
    if (s->runs == 0)
        s->runs = s->quick || s->recordings ? 3 : s->windows ? 64 : 9;
    s->warm_ups = s->windows && !s->quick ? 16 : 1;
    if (s->budget == 0)
        s->budget = s->streams ? 60 : 4;
    if (s->workgroup_count == 0)
        s->workgroup_count = 1;
}

/* Only one mode can be chosen, and some modes have fixed sizes. */
static int check_modes(const settings *s)
{
    const struct {
        const char *name;
        bool chosen, sized;
    } modes[] = {{"recordings", s->recordings, false}, {"images", s->images, false},
                 {"windows", s->windows, false},       {"histograms", s->histograms, true},
                 {"streams", s->streams, true},        {"segments", s->segments, true},
                 {"ordered", s->ordered, true}};
    const char *chosen = NULL;
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        if (modes[i].chosen && chosen != NULL)
            return fail(STATUS_USAGE, "--%s cannot be combined with --%s; leave one of them out",
                        modes[i].name, chosen);
        if (modes[i].chosen && !modes[i].sized && s->size_count > 0)
            return fail(
                STATUS_USAGE,
                "--sizes cannot be combined with --%s, which has its own; leave one of them out",
                modes[i].name);
        chosen = modes[i].chosen ? modes[i].name : chosen;
    }
    return STATUS_DONE;
}

int settings_parse(settings *s, int argc, char **argv)
{
    int status = STATUS_DONE;
    bool ended = false;
    s->filters = argv;
    for (int i = 1; i < argc && status == STATUS_DONE; i++) {
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (!ended && strcmp(argv[i], "-h") == 0)
            s->help = true;
        else if (!ended && argv[i][0] == '-')
            status = set_option(s, argc, argv, &i);
        else
            argv[s->filter_count++] = argv[i];
    }
    if (status == STATUS_DONE)
        status = check_modes(s);
    set_defaults(s);
    if (status == STATUS_DONE && s->help)
        print_help();
    return status;
}
