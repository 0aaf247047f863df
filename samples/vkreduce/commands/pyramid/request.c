/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "commands/pyramid/request.h"
#include "status.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

int pyramid_parse_ops(const char *text, VkrOpFlags *ops)
{
    static const struct {
        const char *name;
        VkrOpFlags ops;
    } words[] = {
        {"min", VKR_OP_MIN}, {"max", VKR_OP_MAX}, {"minmax", PAIR}, {"average", VKR_OP_MEAN}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i].name) == 0) {
            *ops = words[i].ops;
            return STATUS_DONE;
        }
    }
    return fail(STATUS_USAGE,
                "'%s' is not an OP of pyramid; it must be min, max, minmax or average", text);
}

int pyramid_open_picture(pyramid_request *r, const char *name, const gpu *g)
{
    int status = input_open(&r->in, name, &(input_options){0});
    if (status != STATUS_DONE)
        return status;
    if (r->in.columns == 0 || r->in.count == 0 ||
        (r->in.type != VKR_TYPE_U8 && r->in.type != VKR_TYPE_U16 && r->in.type != VKR_TYPE_F32))
        return fail(STATUS_USAGE,
                    "%s: pyramid needs a picture: a .png or .hdr file, or a .npy file of two "
                    "dimensions with values of type u8, u16 or f32",
                    r->in.name);
    const uint64_t rows = r->in.count / r->in.columns;
    const uint32_t most = g->chosen->properties.limits.maxImageDimension2D;
    if (r->in.columns > most || rows > most)
        return fail(
            STATUS_USAGE,
            "%s: it has %llu x %llu texels; images of '%s' have at most %u in each direction",
            r->in.name, (unsigned long long)r->in.columns, (unsigned long long)rows,
            g->chosen->properties.deviceName, most);
    r->size = (VkExtent2D){(uint32_t)r->in.columns, (uint32_t)rows};
    r->count = vkrGetPyramidExtents(r->size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS, r->extents);
    return STATUS_DONE;
}
