/* SPDX-License-Identifier: MIT */
#include "hdr.h"
#include "input/formats.h"
#include "interrupt.h"
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

static bool go_on(void *user)
{
    reader *r = user;
    r->status = check_interrupt();
    return r->status == STATUS_DONE;
}

int hdr_open(input *in, const input_options *opts)
{
    reader r = {in, STATUS_DONE};
    const hdr_source source = {in->size, read_some, go_on, &r};
    char wrong[HDR_WRONG];
    hdr_picture p;
    if (!hdr_decode(&source, &p, wrong))
        return wrong[0] != '\0'
                   ? fail(STATUS_USAGE, "%s: it cannot be read as a Radiance picture: %s%s",
                          in->name, wrong, raw_remedy(opts))
                   : r.status;
    if (p.is_xyz)
        note("%s: its three channels are CIE X, Y and Z, not red, green and blue", in->name);
    input_use_memory(in, (unsigned char *)p.values,
                     (uint64_t)p.width * p.height * 3 * sizeof *p.values);
    in->components = 3;
    in->columns = p.width;
    in->is_xyz = p.is_xyz;
    in->type = VKR_TYPE_F32;
    return STATUS_DONE;
}
