/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "commands/apply/apply.h"
#include "commands/groups.h"
#include "status.h"

#define FIELD(name) offsetof(apply_options, name)

static const char *function_word(uint32_t index)
{
    return vkrApplyFunctionName((VkrApplyFunction)index);
}

static const topic function_topic = {
    .name = "FUNCTION",
    .word = function_word,
    .end = VKR_APPLY_FUNCTION_COUNT,
    .explained = true,
    .help = "softmax              exp(x - max) / the sum of these\n"
            "log-softmax          its logarithm\n"
            "share                x / total\n"
            "standardised         (x - mean) / standard deviation\n"
            "rescaled             (x - min) / (max - min)",
    .manual =
        "Of each element x, where max, total, mean and others are those of its segment, or of "
        "all data without --segments:\n"
        "softmax: exp(x - max), divided by the sum of exp(x - max).\n"
        "log-softmax: the logarithm of that, which is finite where softmax is too small for the "
        "type.\n"
        "share: x / total.\n"
        "standardised: (x - mean) / standard deviation, which divides by the number of elements.\n"
        "rescaled: (x - min) / (max - min), from 0 to 1."};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN             runs of LEN elements; without LEN, the rows of an array\n"
            "offsets:FILE.npy     offset i to offset i + 1, from 0 to the number of elements",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "offsets:FILE.npy: from offset i to offset i + 1, such as the row pointers of a CSR "
              "matrix. Offsets are integers of 32 or 64 bits, from 0 to the number of elements."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the results, as .npy; - is the standard output",
        .manual = "Write a result for each element as .npy, of the type of the "
                  "elements." STANDARD_OUTPUT),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments), "each segment by itself"),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis), "along an axis of an array",
        .manual = "Take the elements along an axis for a segment, at each position in the other "
                  "axes; -o keeps the shape of the array. " AXIS_MANUAL LAST_AXIS_MANUAL),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

int apply_parse_function(const char *text, VkrApplyFunction *function)
{
    for (uint32_t i = 0; i < VKR_APPLY_FUNCTION_COUNT; i++)
        if (strcmp(text, function_word(i)) == 0) {
            *function = (VkrApplyFunction)i;
            return STATUS_DONE;
        }
    return fail(STATUS_USAGE,
                "'%s' is not a FUNCTION of apply; it must be softmax, log-softmax, share, "
                "standardised or rescaled",
                text);
}

const command apply_command = {
    .name = "apply",
    .operands = "FUNCTION INPUT -o OUT.npy",
    .summary = "softmax, and others of an element and its segment",
    .description =
        "Writes a result for each element, which depends on the element and on the maximum, the "
        "total or the like of its segment. Elements are f16, bf16 or f32, and computed with in "
        "f32. A segment with NaN has only NaN as results. All data must fit the device at once.",
    .examples = {"vkreduce apply softmax scores.npy -o probabilities.npy --axis -1",
                 "vkreduce apply share sales.npy -o shares.npy --verify",
                 "vkreduce apply standardised data.npy -o z.npy --segments offsets:starts.npy"},
    .topics = {&function_topic, &input_topic, &segments_topic, &type_topic},
    .choice = &function_topic,
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(apply_options),
    .options = rows,
    .refused = {{"components", "apply needs one value for each element"},
                {"chunk", "results of a segment need all of it at once"}},
    .algorithms = ONLY_AUTO,
    .run = apply_run};
