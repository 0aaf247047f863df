/* SPDX-License-Identifier: MIT */
/* Keys of --by and --runs. */
#include <inttypes.h>
#include "input/segments.h"
#include "status.h"

int keys_open(segments *s, const char *by, const char *runs, bool by_value, uint64_t count)
{
    const char *name = by != NULL ? by : runs;
    *s = (segments){.option = by != NULL ? "by" : "runs",
                    .text = name,
                    .by_value = by_value,
                    .groups = by != NULL};
    if (name == NULL)
        return by_value ? fail(STATUS_USAGE, "--by-value needs --by or --runs, a file with a key "
                                             "for each element")
                        : STATUS_DONE;
    if (by != NULL && runs != NULL)
        return fail(STATUS_USAGE, "--by and --runs are both given; name one");
    s->kind = VKR_SEGMENTS_KEYS;
    int status = input_open(&s->file, name, &(input_options){.role = INPUT_OF_OPTION});
    if (status == STATUS_DONE && s->file.count != count)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " keys; --%s needs one for each of %" PRIu64 " elements",
                    name, s->file.count, by != NULL ? "by" : "runs", count);
    if (status == STATUS_DONE && s->groups && s->file.components != 1)
        return fail(STATUS_USAGE,
                    "%s: its keys have %u components; --by groups by one value, and --runs takes "
                    "runs of equal keys with several",
                    name, s->file.components);
    if (status == STATUS_DONE && s->groups && count > UINT32_MAX)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " keys; --by groups at most %u elements, and --runs "
                    "takes runs of any number",
                    name, count, UINT32_MAX);
    return status;
}
