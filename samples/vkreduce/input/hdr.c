/* SPDX-License-Identifier: MIT */
#include "hdr.h"
#include "input/formats.h"
#include "status.h"

/* The file, and the status of reading it. */
typedef struct reader {
    const input *in;
    int status;
} reader;

static bool read_some(void *user, uint64_t offset, size_t size, void *data)
{
    reader *r = user;
    r->status = input_read(r->in, offset, size, data);
    return r->status == STATUS_DONE;
}

int hdr_open(input *in)
{
    if (!hdr_is_built_in)
        return fail(STATUS_USAGE,
                    "%s: this build of the program cannot read Radiance pictures; install Debian's "
                    "libstb-dev and build it again",
                    in->name);
    reader r = {in, STATUS_DONE};
    const hdr_source source = {in->size, read_some, &r};
    char wrong[HDR_WRONG];
    uint32_t width, height;
    float *values = hdr_decode(&source, &width, &height, wrong);
    if (!values)
        return wrong[0] != '\0'
                   ? fail(STATUS_USAGE, "%s: it is not a complete Radiance picture: %s", in->name,
                          wrong)
                   : r.status;
    input_use_memory(in, (unsigned char *)values, (uint64_t)width * height * 3 * sizeof *values);
    in->components = 3;
    in->columns = width;
    in->type = VKR_TYPE_F32;
    return STATUS_DONE;
}
