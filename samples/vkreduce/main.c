/* SPDX-License-Identifier: MIT */
/* The command line: one table of commands, one of options; --help is made from both. */
#include <stdlib.h>
#include <string.h>
#include "runner.h"
#include "texels.h"
#ifdef RUNNER_BENCH
#include "bench.h"
#endif

enum {
    FOR_DEVICES = 1,
    FOR_REDUCE = 2,
    FOR_TUNE = 4,
    FOR_SCAN = 8,
    FOR_COMPACT = 16,
    FOR_PYRAMID = 32,
    FOR_HISTOGRAM = 64,
    FOR_DATA = FOR_REDUCE | FOR_SCAN | FOR_COMPACT | FOR_HISTOGRAM
};

typedef struct command_row {
    const char *name;
    const char *operands;
    const char *summary;
    int (*run)(const options *opts);
    unsigned bit;
    uint32_t least; /* operands */
    uint32_t most;
    void (*list_algorithms)(void);
    /* Instead of `run`: a program with a command line and --help of its own. */
    int (*program)(int argc, char **argv);
} command_row;

static const command_row commands[] = {
    {"devices", "", "the Vulkan devices, and what each one lacks", devices_command, FOR_DEVICES, 0,
     0, NULL, NULL},
    {"reduce", "OP[,OP...] INPUT [INPUT2]", "all OPs in one read of the data", reduce_command,
     FOR_REDUCE, 2, 3, list_reduce_algorithms, NULL},
    {"scan", "OP INPUT -o OUT.npy", "prefix sums, and the like with other OPs", scan_command,
     FOR_SCAN, 2, 2, list_scan_algorithms, NULL},
    {"compact", "PREDICATE INPUT [-o OUT.npy]", "the elements to keep, in their order",
     compact_command, FOR_COMPACT, 2, 2, list_compact_algorithms, NULL},
    {"histogram", "INPUT --bins N", "how many elements lie in each bin, and quantiles",
     histogram_command, FOR_HISTOGRAM, 1, 1, list_histogram_algorithms, NULL},
    {"pyramid", "min|max|minmax|average IMAGE -o DIRECTORY", "a picture's levels down to one texel",
     pyramid_command, FOR_PYRAMID, 2, 2, list_pyramid_algorithms, NULL},
    {"tune", "", "the fastest tuning rows for a device, as a profile", tune_command, FOR_TUNE, 0, 0,
     NULL, NULL},
#ifdef RUNNER_BENCH
    {"bench", "[FILTER...]", "times all operations and a bare copy; see bench --help", NULL, 0, 0,
     0, NULL, bench_main},
#endif
};

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_PATH,
    OPTION_NUMBER,
    OPTION_SIZE,
    OPTION_WORD
} option_kind;

typedef struct option_row {
    const char *name;
    const char *argument;
    const char *help; /* NULL: said by another row */
    size_t field;     /* of options */
    option_kind kind;
    unsigned commands;
    uint64_t least; /* of a number, or the first word */
    uint64_t most;  /* or how many words */
    const char *(*word)(uint32_t index);
} option_row;

static const char *type_word(uint32_t index)
{
    return vkrTypeName((VkrType)index);
}

static const char *reduce_word(uint32_t index)
{
    return vkrReduceAlgorithmName((VkrReduceAlgorithm)index);
}

static const char *scan_word(uint32_t index)
{
    return vkrScanAlgorithmName((VkrScanAlgorithm)index);
}

static const char *compact_word(uint32_t index)
{
    return vkrCompactAlgorithmName((VkrCompactAlgorithm)index);
}

static const char *block_scan_word(uint32_t index)
{
    return vkrBlockScanName((VkrBlockScan)index);
}

static const char *search_word(uint32_t index)
{
    return vkrStreamSearchName((VkrStreamSearch)index);
}

static const char *concatenation_word(uint32_t index)
{
    return vkrConcatenationName((VkrConcatenation)index);
}

static const char *histogram_word(uint32_t index)
{
    return vkrHistogramAlgorithmName((VkrHistogramAlgorithm)index);
}

static const char *pyramid_word(uint32_t index)
{
    return vkrPyramidAlgorithmName((VkrPyramidAlgorithm)index);
}

static const char *determinism_word(uint32_t index)
{
    static const char *const words[] = {"run", "none", "device"};
    return words[index];
}

static const char *nan_word(uint32_t index)
{
    static const char *const words[] = {"ignore", "propagate", "skip"};
    return words[index];
}

static const char *map_word(uint32_t index)
{
    static const char *const words[] = {"none", "luminance", "log2-luminance"};
    return words[index];
}

#define FIELD(name) offsetof(options, name)

static const option_row option_table[] = {
    {"device", "INDEX|NAME-PART", "which device (default: a GPU if there is one)", FIELD(device),
     OPTION_TEXT, FOR_DEVICES | FOR_DATA | FOR_PYRAMID | FOR_TUNE, 0, 0, NULL},
    {"profile", "FILE", "use the tuning rows in FILE, which tune has written", FIELD(profile),
     OPTION_PATH, FOR_DATA | FOR_TUNE, 0, 0, NULL},
    {"output", "FILE", "where the results go, or tune's profile; -o FILE is the same",
     FIELD(output), OPTION_PATH, FOR_SCAN | FOR_COMPACT | FOR_HISTOGRAM | FOR_TUNE, 0, 0, NULL},
    {"output", "DIRECTORY", NULL, FIELD(output), OPTION_PATH, FOR_PYRAMID, 0, 0, NULL},
    {"indices", "FILE", "compact: the indices of the kept elements", FIELD(indices), OPTION_PATH,
     FOR_COMPACT, 0, 0, NULL},
    {"rejected", "FILE", "compact: the other elements", FIELD(rejected), OPTION_PATH, FOR_COMPACT,
     0, 0, NULL},
    {"rejected-indices", "FILE", "compact: and their indices", FIELD(rejected_indices), OPTION_PATH,
     FOR_COMPACT, 0, 0, NULL},
    {"run-lengths", "FILE", "compact: from each kept element to the next", FIELD(run_lengths),
     OPTION_PATH, FOR_COMPACT, 0, 0, NULL},
    {"capacity", "N", "compact: keep no more, but count all", FIELD(capacity), OPTION_NUMBER,
     FOR_COMPACT, 1, UINT64_MAX, NULL},
    {"block", "S", "compact: elements of roger's blocks, 8 to 1024 (default 64)", FIELD(block),
     OPTION_NUMBER, FOR_COMPACT, 8, 1024, NULL},
    {"block-scan", "NAME", "and their scan: hillis-steele (default), blelloch or hybrid",
     FIELD(block_scan), OPTION_WORD, FOR_COMPACT, 0, VKR_BLOCK_SCAN_COUNT, block_scan_word},
    {"search", "for|while", "of horn (default for), blelloch-gather (for) and roger (while)",
     FIELD(search), OPTION_WORD, FOR_COMPACT, VKR_STREAM_SEARCH_FOR, VKR_STREAM_SEARCH_COUNT,
     search_word},
    {"concat", "segments|elements", "how roger copies what blocks keep (default segments)",
     FIELD(concatenation), OPTION_WORD, FOR_COMPACT, 0, VKR_CONCATENATION_COUNT,
     concatenation_word},
    {"exclusive", NULL, "scan: without the element itself", FIELD(exclusive), OPTION_FLAG, FOR_SCAN,
     0, 0, NULL},
    {"reverse", NULL, "scan: from the last element to the first", FIELD(reverse), OPTION_FLAG,
     FOR_SCAN, 0, 0, NULL},
    {"segments", "WHERE", "reduce each, or start a scan anew in each; see SEGMENTS",
     FIELD(segments), OPTION_TEXT, FOR_REDUCE | FOR_SCAN, 0, 0, NULL},
    {"tiles", "WxH", "reduce: each W x H elements of a picture or an array of two dimensions",
     FIELD(tiles), OPTION_TEXT, FOR_REDUCE, 0, 0, NULL},
    {"as-image", NULL, "reduce, histogram: read a picture through an image of the device",
     FIELD(as_image), OPTION_FLAG, FOR_REDUCE | FOR_HISTOGRAM, 0, 0, NULL},
    {"map", "NAME", "so too: one number of each pixel: luminance or log2-luminance", FIELD(map),
     OPTION_WORD, FOR_REDUCE | FOR_HISTOGRAM, MAP_LUMINANCE, MAP_END, map_word},
    {"bins", "N", "histogram: the number of bins (1 to 65536)", FIELD(bins), OPTION_NUMBER,
     FOR_HISTOGRAM, 1, VKR_MAX_BINS, NULL},
    {"range", "LO:HI", "histogram: from LO up to, not with, HI (default: the data's own range)",
     FIELD(range), OPTION_TEXT, FOR_HISTOGRAM, 0, 0, NULL},
    {"log2", NULL, "histogram: bins as wide as each other in log2", FIELD(log2), OPTION_FLAG,
     FOR_HISTOGRAM, 0, 0, NULL},
    {"edges", "FILE.npy", "histogram: bins between these numbers, which ascend", FIELD(edges),
     OPTION_PATH, FOR_HISTOGRAM, 0, 0, NULL},
    {"closed", NULL, "histogram: HI, or the last edge, lies in the last bin too", FIELD(closed),
     OPTION_FLAG, FOR_HISTOGRAM, 0, 0, NULL},
    {"quantiles", "Q,..", "histogram: the values that these shares lie below, such as 0.01,0.5",
     FIELD(quantiles), OPTION_TEXT, FOR_HISTOGRAM, 0, 0, NULL},
    {"plot", "FILE.png", "histogram: a picture of it, by gnuplot", FIELD(plot), OPTION_PATH,
     FOR_HISTOGRAM, 0, 0, NULL},
    {"initial", "V", "scan: start with this value", FIELD(initial), OPTION_TEXT, FOR_SCAN, 0, 0,
     NULL},
    {"self-test", NULL, "devices: run reductions with known answers", FIELD(self_test), OPTION_FLAG,
     FOR_DEVICES, 0, 0, NULL},
    {"quick", NULL, "tune: few rows, little data", FIELD(quick), OPTION_FLAG, FOR_TUNE, 0, 0, NULL},
    {"type", "T", "type of raw and random values", FIELD(type), OPTION_WORD, FOR_DATA | FOR_TUNE, 1,
     VKR_TYPE_COUNT, type_word},
    {"components", "N", "values per element, reduced apart (1 to 4)", FIELD(components),
     OPTION_NUMBER, FOR_DATA, 1, VKR_MAX_COMPONENTS, NULL},
    {"offset", "BYTES", "where the first element starts, in each INPUT", FIELD(offset),
     OPTION_NUMBER, FOR_DATA, 0, UINT64_MAX, NULL},
    {"stride", "BYTES", "from one element to the next", FIELD(stride), OPTION_NUMBER, FOR_DATA, 1,
     UINT64_MAX, NULL},
    {"algorithm", "NAME|help", "how the work is cut into dispatches", FIELD(algorithm), OPTION_WORD,
     FOR_REDUCE, 0, VKR_REDUCE_ALGORITHM_COUNT, reduce_word},
    {"algorithm", "NAME|help", NULL, FIELD(algorithm), OPTION_WORD, FOR_SCAN, 0,
     VKR_SCAN_ALGORITHM_COUNT, scan_word},
    {"algorithm", "NAME|help", NULL, FIELD(algorithm), OPTION_WORD, FOR_COMPACT, 0,
     VKR_COMPACT_ALGORITHM_COUNT, compact_word},
    {"algorithm", "NAME|help", NULL, FIELD(algorithm), OPTION_WORD, FOR_HISTOGRAM, 0,
     VKR_HISTOGRAM_ALGORITHM_COUNT, histogram_word},
    {"algorithm", "NAME|help", NULL, FIELD(algorithm), OPTION_WORD, FOR_PYRAMID, 0,
     VKR_PYRAMID_ALGORITHM_COUNT, pyramid_word},
    {"determinism", "none|run|device", "how repeatable float sums are", FIELD(determinism),
     OPTION_WORD, FOR_REDUCE | FOR_SCAN, 0, 3, determinism_word},
    {"nan", "ignore|propagate|skip",
     "what min, max and the like do with NaN; reduce: skip leaves NaN out", FIELD(nan), OPTION_WORD,
     FOR_REDUCE | FOR_SCAN, 0, 3, nan_word},
    {"sample", NULL, "variance and stddev divide by one less than the count", FIELD(sample),
     OPTION_FLAG, FOR_REDUCE, 0, 0, NULL},
    {"accumulator", "T", "of sums: i64 u64 f64, or i32 u32 in place of reduce's 64 bits",
     FIELD(accumulator), OPTION_WORD, FOR_REDUCE | FOR_SCAN, 1, VKR_TYPE_COUNT, type_word},
    {"count-on-gpu", NULL, "the GPU reads the element count from a buffer", FIELD(count_on_gpu),
     OPTION_FLAG, FOR_DATA, 0, 0, NULL},
    {"staging", NULL, "upload by copies even where memory can be written directly", FIELD(staging),
     OPTION_FLAG, FOR_DATA, 0, 0, NULL},
    {"chunk", "BYTES", "stream in chunks of so much of each INPUT; KiB, MiB, GiB may follow",
     FIELD(chunk), OPTION_SIZE, FOR_DATA, 1, UINT64_MAX, NULL},
    {"repeat", "N", "time N executions (of all chunks) after an untimed one: the median",
     FIELD(repeat), OPTION_NUMBER, FOR_DATA | FOR_PYRAMID, 1, 1000000, NULL},
    {"verify", NULL, "compare with a scalar reference on the CPU", FIELD(verify), OPTION_FLAG,
     FOR_DATA | FOR_PYRAMID, 0, 0, NULL},
    {"json", NULL, "print one JSON object and nothing else", FIELD(json), OPTION_FLAG,
     FOR_DEVICES | FOR_DATA | FOR_PYRAMID | FOR_TUNE, 0, 0, NULL},
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const char program_name[] = "vkreduce";

static void print_words(const char *heading, uint32_t first, uint32_t end,
                        const char *(*word)(uint32_t))
{
    fputs(heading, stdout);
    for (uint32_t i = first; i < end; i++)
        printf(" %s", word(i));
    putchar('\n');
}

static const char *op_word(uint32_t index)
{
    return vkrOpName((VkrOp)(1u << index));
}

static int print_help(void)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        printf("%s vkreduce %-9s %-28s %s\n", i == 0 ? "usage:" : "      ", commands[i].name,
               commands[i].operands, commands[i].summary);
    putchar('\n');
    print_words("OP:    ", 0, VKR_OP_BITS, op_word);
    puts("        dot takes INPUT2, of the same type and length as INPUT. A scan takes sum, "
         "product, "
         "min,\n"
         "        max, and, or and xor.");
    puts("PREDICATE: nonzero, finite, nan, unique (the first of each run of equal elements),\n"
         "        flags:FILE.npy, or a comparison such as 'x>0.5', 'x!=7' or '0.2<=x<0.8'; x is an "
         "element's\n"
         "        first component, then come y, z and w. A ! in front keeps all others.");
    puts(
        "INPUT:  FILE.npy             of any shape, read flat in C order\n"
        "        FILE.png             8 or 16 bits; one result per channel, in integer units\n"
        "        FILE.hdr             a Radiance picture: red, green and blue as f32\n"
        "        FILE                 raw little-endian values of --type\n"
        "        random:COUNT[:SEED]  values of --type (default f32): floats in [0, 1), integers "
        "of the\n"
        "                             full range; value i is output i + 1 of splitmix64 from SEED "
        "(default 0)\n"
        "        -                    the standard input: it is, as what comes from a pipe is, a "
        ".npy,\n"
        "                             .png or .hdr file where it starts as one, and raw otherwise\n"
        "        What does not fit the device is streamed: it goes through in chunks.");
    puts("SEGMENTS: reduce takes\n"
         "        rows:LEN             runs of LEN elements\n"
         "        columns:LEN          of rows of LEN elements the i-th of every row\n"
         "        windows:LEN          every run of LEN consecutive elements\n"
         "        offsets:FILE.npy     from offset i to offset i + 1: such as a CSR matrix's row "
         "pointers\n"
         "        scan takes rows:LEN, offsets:FILE.npy (where segments start) or flags:FILE.npy "
         "(not 0\n"
         "        where one starts). Offsets are integers of 32 or 64 bits.");
    print_words("T:     ", 1, VKR_TYPE_COUNT, type_word);
    puts("\noptions:");
    for (size_t i = 0; i < COUNT_OF(option_table); i++) {
        char left[40];
        if (option_table[i].help == NULL)
            continue;
        snprintf(left, sizeof left, "--%s %s", option_table[i].name,
                 option_table[i].argument != NULL ? option_table[i].argument : "");
        printf("  %-30s %s\n", left, option_table[i].help);
    }
    puts(
        "  -h, --help                     print this\n"
        "  --version                      print the version\n"
        "  --                             nothing that follows is an option\n\n"
        "exit status: 0 done; 1 a Vulkan failure, or an output that cannot be written; 2 bad usage "
        "or\n"
        "input; 3 --verify found a difference; 130 ended by SIGINT, SIGTERM or SIGHUP");
    return STATUS_DONE;
}

static int print_version(void)
{
    printf("%s %d.%d.%d\n", program_name, VKR_VERSION_MAJOR, VKR_VERSION_MINOR, VKR_VERSION_PATCH);
    return STATUS_DONE;
}

static int bad_word(const option_row *option, const char *text)
{
    char words[256] = "";
    for (uint32_t i = (uint32_t)option->least; i < option->most; i++) {
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", length == 0 ? "" : ", ",
                 option->word(i));
    }
    return fail(STATUS_USAGE, "--%s is '%s'; it must be one of %s", option->name, text, words);
}

/* A number, or one with a unit. */
static bool parse_size(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    char digits[24] = "";
    size_t length = strspn(text, "0123456789");
    unsigned shift = 0;
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcmp(text + length, units[i].name) == 0)
            shift = units[i].shift;
    if (length >= sizeof digits || (text[length] != '\0' && shift == 0))
        return false;
    memcpy(digits, text, length);
    if (!parse_number(digits, 0, most >> shift, number))
        return false;
    *number <<= shift;
    return *number >= least;
}

static int set_option(options *opts, const option_row *option, const char *text)
{
    void *field = (char *)opts + option->field;
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return STATUS_DONE;
    case OPTION_PATH:
        if (text[0] == '\0')
            return fail(STATUS_USAGE, "--%s is ''; it must be a name: %s", option->name,
                        option->argument);
        /* fall through */
    case OPTION_TEXT:
        *(const char **)field = text;
        return STATUS_DONE;
    case OPTION_NUMBER:
        if (parse_number(text, option->least, option->most, field))
            return STATUS_DONE;
        return fail(STATUS_USAGE, "--%s is '%s'; it must be a whole number from %llu to %llu",
                    option->name, text, (unsigned long long)option->least,
                    (unsigned long long)option->most);
    case OPTION_SIZE:
        if (parse_size(text, option->least, option->most, field))
            return STATUS_DONE;
        return fail(STATUS_USAGE,
                    "--%s is '%s'; it must be a number of bytes from %llu to %llu, or of KiB, MiB "
                    "or GiB, such as 64MiB",
                    option->name, text, (unsigned long long)option->least,
                    (unsigned long long)option->most);
    case OPTION_WORD:
        for (uint32_t i = (uint32_t)option->least; i < option->most; i++)
            if (strcmp(text, option->word(i)) == 0) {
                *(uint32_t *)field = i;
                return STATUS_DONE;
            }
        return bad_word(option, text);
    }
    return STATUS_USAGE;
}

static const option_row *find_option(const command_row *command, const char *text, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(option_table); i++)
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, text, length) == 0 &&
            (option_table[i].commands & command->bit) != 0)
            return &option_table[i];
    return NULL;
}

/* Takes the option at argv[*i] and its argument, which may follow a '=' or come next. */
static int parse_option(options *opts, const command_row *command, char **argv, int argc, int *i)
{
    bool short_output = strcmp(argv[*i], "-o") == 0;
    const char *name = short_output ? "output" : argv[*i] + 2;
    const char *value = strchr(name, '=');
    size_t length = value != NULL ? (size_t)(value - name) : strlen(name);
    const option_row *option = find_option(command, name, length);
    if (option == NULL || (argv[*i][1] != '-' && !short_output))
        return fail(STATUS_USAGE, "%s has no option '%s'; see vkreduce --help", command->name,
                    argv[*i]);
    if (option->argument == NULL)
        return value == NULL ? set_option(opts, option, NULL)
                             : fail(STATUS_USAGE, "--%s takes no value", option->name);
    if (value != NULL)
        value++;
    else if (*i + 1 < argc)
        value = argv[++*i];
    else
        return fail(STATUS_USAGE, "--%s needs a value: %s", option->name, option->argument);
    return set_option(opts, option, value);
}

/* Whether a word is an option. A predicate that starts with a negative constant is not. */
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0' && strchr(".0123456789", text[1]) == NULL;
}

/* The operands move to the front of argv. */
static int parse_options(options *opts, const command_row *command, char **argv, int argc)
{
    bool ended = false;
    opts->operands = argv;
    for (int i = 0; i < argc; i++) {
        int status;
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (ended || !is_option(argv[i]))
            argv[opts->operand_count++] = argv[i];
        else if ((status = parse_option(opts, command, argv, argc, &i)) != STATUS_DONE)
            return status;
    }
    if (opts->operand_count < command->least || opts->operand_count > command->most)
        return fail(STATUS_USAGE, "%s got %u operands; it takes %s", command->name,
                    opts->operand_count, command->most == 0 ? "none" : command->operands);
    return STATUS_DONE;
}

static const command_row *find_command(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static void list_all_algorithms(void)
{
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (commands[i].list_algorithms != NULL) {
            printf("%s:\n", commands[i].name);
            commands[i].list_algorithms();
        }
}

static int print_algorithms(const command_row *command)
{
    if (command != NULL && command->list_algorithms != NULL)
        command->list_algorithms();
    else
        list_all_algorithms();
    return STATUS_DONE;
}

/* Prints what options such as --help ask for instead of a command's work. Returns false if there is
 * none. */
static bool print_information(const command_row *command, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const bool algorithm = strcmp(argv[i], "--algorithm") == 0 && i + 1 < argc;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return print_help() == STATUS_DONE;
        if (strcmp(argv[i], "--version") == 0)
            return print_version() == STATUS_DONE;
        if (strcmp(argv[i], "--algorithm=help") == 0 ||
            (algorithm && strcmp(argv[i + 1], "help") == 0))
            return print_algorithms(command) == STATUS_DONE;
    }
    return false;
}

static int run(int argc, char **argv)
{
    options opts = {0};
    const command_row *command = argc < 2 ? NULL : find_command(argv[1]);
    if (command != NULL && command->program != NULL)
        return command->program(argc - 1, argv + 1);
    if (print_information(command, argc, argv))
        return STATUS_DONE;
    if (argc < 2)
        return fail(STATUS_USAGE, "no command was given; see vkreduce --help");
    if (command == NULL)
        return fail(STATUS_USAGE, "'%s' is no command; see vkreduce --help", argv[1]);
    int status = parse_options(&opts, command, argv + 2, argc - 2);
    return status == STATUS_DONE ? command->run(&opts) : status;
}

int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        return fail(STATUS_VULKAN, "the results could not be written to the standard output");
    return status;
}
