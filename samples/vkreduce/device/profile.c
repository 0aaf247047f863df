/* SPDX-License-Identifier: MIT */
/* Files with tuning profiles. */
#include <stdlib.h>
#include "device/gpu.h"
#include "status.h"

#define MAX_PROFILE 65536 /* bytes; vkreduce tune writes fewer than 4096 */

static int read_text(const char *name, char *text, size_t *size)
{
    input in;
    int status = input_open_bytes(&in, name, MAX_PROFILE);
    *size = in.size < MAX_PROFILE ? (size_t)in.size : 0;
    if (status == STATUS_DONE && in.size >= MAX_PROFILE)
        status = fail(STATUS_USAGE,
                      "%s: it is too large for a profile: profiles have fewer than %d bytes", name,
                      MAX_PROFILE);
    if (status == STATUS_DONE && in.size == 0)
        status = fail(STATUS_USAGE, "%s: there is no data; vkreduce tune -o FILE writes a profile",
                      name);
    if (status == STATUS_DONE)
        status = input_read(&in, 0, *size, text);
    input_close(&in);
    return status;
}

int profile_read(const char *name, char **text, size_t *size)
{
    *text = malloc(MAX_PROFILE);
    return *text != NULL ? read_text(name, *text, size)
                         : fail(STATUS_VULKAN, "out of memory for %s", name);
}
