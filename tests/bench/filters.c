/* SPDX-License-Identifier: MIT */
/* Selects arms by the filters of the command line. */
#include <string.h>
#include "arm.h"
#include "status.h"

bool arm_wanted(const settings *s, const arm *a)
{
    if (s->filter_count == 0 || a->kind < ARM_REDUCE || (s->segments && a->kind == ARM_REDUCE))
        return true;
    for (uint32_t i = 0; i < s->filter_count; i++)
        if (strstr(a->name, s->filters[i]) != NULL)
            return true;
    return false;
}

int arms_check_filters(const settings *s, const arm *arms, uint32_t count)
{
    const char *names = s->windows    ? "'windows u32 W8 multi made g8' with --windows"
                        : s->segments ? "'rows 256 f32 groups' with --segments"
                        : s->streams  ? "'compact 60 f32 roger b64' with --streams"
                                      : "'sum f32 auto', 'scan sum u32 single-pass' or 'compact 60 "
                                        "f32 auto'";
    for (uint32_t i = 0; i < s->filter_count; i++) {
        uint32_t k = 0;
        while (k < count &&
               (arms[k].kind < ARM_REDUCE || strstr(arms[k].name, s->filters[i]) == NULL))
            k++;
        if (k == count)
            return fail(STATUS_USAGE,
                        "the filters ask for '%s', which no name contains; some names are %s",
                        s->filters[i], names);
    }
    return STATUS_DONE;
}
