/* SPDX-License-Identifier: MIT */
#include "commands/groups.h"
#include "commands/job.h"
#include "device/texels.h"

static const char *determinism_word(uint32_t index)
{
    static const char *const words[] = {"run", "none", "device"};
    return words[index];
}

const char *nan_word(uint32_t index)
{
    static const char *const words[] = {"ignore", "propagate", "skip"};
    return words[index];
}

static const char *map_word(uint32_t index)
{
    static const char *const words[] = {"none", "luminance", "log2-luminance"};
    return words[index];
}

/* What --help says of options that it joins. */
#define OF_REPORTS "print one JSON object; on stderr: show a bar, print the dispatches"
#define OF_ELEMENTS "where the elements of each INPUT are"
#define OF_FILES "what a file holds: see the manual page"
#define OF_MAPS "luminance, log2-luminance or a function: see the manual page"
#define OF_TIMES "the median time of N executions; the time of each operation"

const option_row device_rows[] = {
    ROW("device", "INDEX|NAME-PART", OPTION_TEXT, offsetof(device_options, device),
        "the device to use (default: a GPU if available)",
        .manual =
            "The device to use: its number in the list that vkreduce devices prints, or a part of "
            "its name or of its driver's name. The default is a GPU, if one is available."),
    {0}};

const option_row profile_rows[] = {
    ROW("profile", "FILE", OPTION_PATH, offsetof(device_options, profile),
        "use the rows and policies in FILE, which vkreduce tune wrote"),
    {0}};

const option_row execution_rows[] = {
    ROW("repeat", "N", OPTION_NUMBER, offsetof(task_options, repeat),
        "the median time of N executions after an untimed one", .joint = OF_TIMES,
        .manual =
            "Time N executions, of all chunks, after one that is not timed, and print the median.",
        .min = 1, .max = 1000000),
    ROW("timing", NULL, OPTION_FLAG, offsetof(task_options, timing),
        "print the time of each operation on the device", .joint = OF_TIMES,
        .manual =
            "Print how long each operation takes on the device, by timestamps between operations, "
            "which can make the whole slower: its function, its label, how many of them an "
            "execution has, such as one for each chunk, and their milliseconds; then the total. "
            "Where operations may overlap, one has the time by which it ends after those before "
            "it. With --repeat these are medians, which need not add up. --json has them as "
            "operations. If the standard output is a file, they are printed on the standard "
            "error."),
    ROW("verify", NULL, OPTION_FLAG, offsetof(task_options, verify),
        "compare with a scalar reference on the CPU"),
    {0}};

static const option_row stream_rows[] = {
    ROW("count-on-gpu", NULL, OPTION_FLAG, offsetof(task_options, count_on_gpu),
        "the GPU reads the element count from a buffer"),
    ROW("staging", NULL, OPTION_FLAG, offsetof(task_options, staging),
        "upload by copies even if the host can write device memory"),
    ROW("chunk", "BYTES", OPTION_SIZE, offsetof(task_options, chunk),
        "stream in chunks of BYTES per INPUT, such as 64MiB",
        .manual = "Stream in chunks of BYTES bytes of each INPUT. As for all sizes, KiB, MiB or "
                  "GiB may follow the number, which may have a fraction and an exponent: 1.5MiB "
                  "is 1572864, and 1e6 is 1000000. The size must be a whole number of bytes.",
        .min = 1, .max = UINT64_MAX),
    {0}};

const option_row plan_rows[] = {
    ROW("plan", NULL, OPTION_FLAG, offsetof(task_options, plan),
        "print the dispatches, with their numbers and bindings, on stderr", .joint = OF_REPORTS,
        .manual =
            "Print what is recorded for the device on the standard error: each dispatch with its "
            "kernel, numbers and bindings, and the barriers between dispatches. Work that takes "
            "several recordings prints each of them; data in chunks, only that of the first "
            "chunk. The text is for people, and its form may change."),
    {0}};

const option_row channel_rows[] = {
    ROW("channels", "NAME,...", OPTION_PATH, offsetof(input_options, channels),
        "the channels of an OpenEXR picture, in this order", .joint = OF_FILES,
        .manual =
            "The channels of an OpenEXR picture, up to 4 of the same type, in this order. Without "
            "it all channels are read: R, G, B, Y and A in this order, then others by their "
            "names."),
    {0}};

static const option_row input_rows[] = {
    ROW("type", "T", OPTION_WORD, offsetof(input_options, type),
        "type of raw and random values; see --raw",
        .manual = "The type of raw and random values. A file that starts like a .npy file, a "
                  "picture or another known kind is not raw, unless --raw is given too.",
        .min = 1, .max = VKR_TYPE_COUNT, .word = type_word),
    ROW("components", "N", OPTION_NUMBER, offsetof(input_options, components),
        "values per element, each with results of its own (1 to 4)",
        .manual = "The number of values in an element, from 1 to 4, each of which has results of "
                  "its own.",
        .min = 1, .max = VKR_MAX_COMPONENTS),
    ROW("offset", "BYTES", OPTION_SIZE, offsetof(input_options, offset),
        "position of the first element in each INPUT", .joint = OF_ELEMENTS, .max = UINT64_MAX),
    ROW("stride", "BYTES", OPTION_SIZE, offsetof(input_options, stride),
        "distance from one element to the next", .joint = OF_ELEMENTS,
        .manual = "The distance from one element to the next.", .min = 1, .max = UINT64_MAX),
    ROW("allow-empty", NULL, OPTION_FLAG, offsetof(input_options, allow_empty),
        "accept raw data without a byte as 0 elements", .joint = OF_FILES,
        .manual = "Accept an INPUT of raw values without a byte, from a file or a pipe, as 0 "
                  "elements. Without this option it is an error, since the program that should "
                  "have written it has probably failed. A .npy file with a dimension of 0, and "
                  "random:0, need no option: both state that they have no elements."),
    ROW("field", "NAME", OPTION_PATH, offsetof(input_options, field),
        "the field of a structured .npy file that has the values", .joint = OF_FILES,
        .manual = "The field of each element that has the values, if a .npy file has a structured "
                  "type; NAME.NAME is a field of a field. One that is an array of up to 4 values "
                  "has so many components."),
    ROW("raw", NULL, OPTION_FLAG, offsetof(input_options, raw),
        "the bytes of a file are values of --type, whatever it starts with", .joint = OF_FILES,
        .manual = "The bytes of each file are values of --type, even if it starts like a .npy "
                  "file, a picture or another known kind of file, or its name says so."),
    {0}};

const option_row texel_rows[] = {
    ROW("as-image", NULL, OPTION_FLAG, offsetof(texel_options, as_image),
        "read a picture through an image of the device",
        .manual = "Read a picture, or a two-dimensional array, through an image of the device. The "
                  "results are the same."),
    ROW("map", "NAME|FILE", OPTION_WORD, offsetof(texel_options, map),
        "luminance or log2-luminance of each pixel, or a function in FILE", .joint = OF_MAPS,
        .file = offsetof(texel_options, map_file) - offsetof(texel_options, map),
        .manual =
            "Compute one number from each pixel before the operation: luminance, which is 0.2126 R "
            "+ 0.7152 G + 0.0722 B, or the grey value itself in a grey picture; or log2-luminance, "
            "its logarithm to base 2. Alpha does not count. Without --linear these are weights of "
            "the stored values, in integer units, as they are encoded: for a picture in sRGB, as "
            "most .png files are, the result is luma and not the luminance of light. Values of "
            ".hdr pictures are linear.\n"
            "Or call the function map of FILE, whose name ends in .glsl or .spv, or has a slash; "
            "see FUNCTIONS. The operation then reads what the function returns. --verify compares "
            "with a reference of these values, which the device computes once more, element by "
            "element; it cannot tell whether they are right.",
        .min = MAP_LUMINANCE, .max = MAP_END, .word = map_word),
    ROW("linear", NULL, OPTION_FLAG, offsetof(texel_options, linear),
        "with --map: decode sRGB first, to linear values from 0 to 1", .joint = OF_MAPS,
        .manual =
            "With --map, for values of u8 and u16: decode sRGB (IEC 61966-2-1) first, so that "
            "linear values from 0 to 1 are weighed, where 1 is the maximum of the type. The "
            "program decodes, and rounds to f32; with --as-image and u8 the device decodes, by an "
            "image of the format R8G8B8A8_SRGB, to values that may differ by up to half a unit of "
            "the stored value. --verify then asks the device for its value of each u8, checks "
            "that, and compares with the exact map of these values. Profiles and gamma chunks in a "
            ".png file are ignored."),
    ROW("bias", "B", OPTION_TEXT, offsetof(texel_options, bias),
        "with --map: add B to the luminance, such as 1e-4 before a logarithm", .joint = OF_MAPS,
        .manual = "With --map: add B to the luminance, and before its logarithm, which is then "
                  "finite for black pixels. B is in the units of the luminance: 1 is a unit of the "
                  "stored values, or white with --linear."),
    {0}};

#define FUNCTIONS(functions)                                                                       \
    "GLSL without #version and without main: " functions                                           \
    " E is the type of elements: float, int, "                                                     \
    "uint, double, int64_t or uint64_t, or a vector of them where elements have several "          \
    "components, such as uvec3 for a picture in colour; types of fewer than 32 bits are widened. " \
    "i is the index of the element in all data, which therefore must fit the device at once, and " \
    "have fewer than 2^32 elements. A line #version may come first, which is otherwise 450.\n"     \
    "A file whose name ends in .spv has the same functions as SPIR-V for Vulkan 1.1 or later, in " \
    "which they must keep their names: glslc -O0 -fshader-stage=compute. A program that was "      \
    "built "                                                                                       \
    "without libshaderc reads only such files."

#define MAP_FUNCTION "T map(E x, uint i), where T is float, int, uint or a vector of them."

const topic map_topic = {.name = "FUNCTIONS", .manual = FUNCTIONS(MAP_FUNCTION)};
const topic reduce_topic = {
    .name = "FUNCTIONS",
    .manual = FUNCTIONS("for --map " MAP_FUNCTION " For --operator see that option.")};
const topic lift_topic = {.name = "FUNCTIONS", .manual = FUNCTIONS("see --operator.")};
const topic keep_topic = {.name = "FUNCTIONS", .manual = FUNCTIONS("bool keep(E x, uint i).")};

const option_row json_rows[] = {ROW("json", NULL, OPTION_FLAG, 0,
                                    "print one JSON object and nothing else", .joint = OF_REPORTS),
                                {0}};

const option_row determinism_rows[] = {ROW("determinism", "none|run|device", OPTION_WORD, 0,
                                           "how repeatable float sums are", .max = 3,
                                           .word = determinism_word),
                                       {0}};

const option_row by_value_rows[] = {
    ROW("by-value", NULL, OPTION_FLAG, 0, BY_VALUE, .manual = BY_VALUE_MANUAL), {0}};

const option_row algorithm_rows[] = {
    ROW("algorithm", "NAME|help", OPTION_WORD, offsetof(data_options, algorithm),
        "how the work is cut into dispatches",
        .manual = "How the work is cut into dispatches; help lists the names."),
    {0}};

const char *auto_word(uint32_t index)
{
    return index == 0 ? "auto" : "?";
}

const char *const auto_meanings[] = {"what suits the data and the device"};

const option_row data_rows[] = {ROWS_OF(input_rows, offsetof(data_options, input)),
                                ROWS_OF(channel_rows, offsetof(data_options, input)),
                                ROWS_OF(stream_rows, offsetof(data_options, task)),
                                ROWS_OF(device_rows, offsetof(data_options, task.device)),
                                ROWS_OF(profile_rows, offsetof(data_options, task.device)),
                                ROWS_OF(execution_rows, offsetof(data_options, task)),
                                ROWS_OF(json_rows, offsetof(data_options, json)),
                                ROW("progress", NULL, OPTION_FLAG, offsetof(data_options, progress),
                                    "show a progress bar where stderr is no terminal, too",
                                    .joint = OF_REPORTS,
                                    .manual = "Show a progress bar on the standard error even "
                                              "where that is no terminal, such as under mpirun."),
                                ROWS_OF(plan_rows, offsetof(data_options, task)),
                                {0}};
