/* SPDX-License-Identifier: MIT */
/* Files with tuning profiles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "runner.h"

#define MOST_PROFILE 65536 /* bytes; real ones have some hundred */

static int read_profile(const char *name, char *text, size_t *size)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return fail(STATUS_USAGE, "%s: it cannot be opened: %s", name, strerror(errno));
    *size = fread(text, 1, MOST_PROFILE, file);
    int status = STATUS_DONE;
    if (ferror(file))
        status = fail(STATUS_USAGE, "%s: it cannot be read: %s", name, strerror(errno));
    else if (*size == MOST_PROFILE)
        status = fail(STATUS_USAGE, "%s: it is no profile: those are below %d bytes", name,
                      MOST_PROFILE);
    fclose(file);
    return status;
}

int profile_use(gpu *g, const char *name)
{
    VkrContext context;
    size_t size = 0;
    if (name == NULL)
        return STATUS_DONE;
    char *text = malloc(MOST_PROFILE);
    int status = text != NULL ? read_profile(name, text, &size)
                              : fail(STATUS_VULKAN, "out of memory for %s", name);
    if (status == STATUS_DONE)
        status = gpu_create_context(g, text, size, &context);
    if (status == STATUS_DONE) {
        vkrDestroyContext(g->context);
        g->context = context;
    }
    free(text);
    return status;
}

int profile_save(const char *name, const char *text, size_t size)
{
    output o;
    int status = output_open(&o, name);
    if (status == STATUS_DONE)
        status = output_write(&o, 0, text, size);
    if (status == STATUS_DONE)
        status = output_finish(&o);
    output_close(&o);
    return status;
}
