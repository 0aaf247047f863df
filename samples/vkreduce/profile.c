/* SPDX-License-Identifier: MIT */
/* Files with tuning profiles. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

/* Under another name first, so that nobody finds half a profile. */
int profile_save(const char *name, const char *text, size_t size)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.%ld.tmp", name, (long)getpid()) >=
        (int)sizeof temporary)
        return fail(STATUS_USAGE, "--output is too long a name");
    FILE *file = fopen(temporary, "wb");
    if (file == NULL)
        return fail(STATUS_VULKAN, "%s: it cannot be written: %s", temporary, strerror(errno));
    bool good = fwrite(text, 1, size, file) == size;
    good = fclose(file) == 0 && good;
    if (good && rename(temporary, name) == 0)
        return STATUS_DONE;
    int status = fail(STATUS_VULKAN, "%s: it cannot be written: %s", name, strerror(errno));
    (void)remove(temporary);
    return status;
}
