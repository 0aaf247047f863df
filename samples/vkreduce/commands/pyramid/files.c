/* SPDX-License-Identifier: MIT */
/* The files of a pyramid. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "output/image.h"
#include "output/npy.h"
#include "status.h"
#include "system/system.h"

/* Returns the values of a level for one operator, texel by texel; NULL if memory is exhausted. */
static unsigned char *take_level(const pyramid_request *r, const pyramid_results *results, VkrOp op,
                                 uint32_t level)
{
    uint32_t lane;
    const pyramid_chain *c = pyramid_find_chain(results, op, &lane);
    const uint32_t *words = pyramid_words(r, c, level) + lane;
    const size_t size = vkrTypeSize(pyramid_type(r, op)), channels = r->in.components;
    const uint64_t texels = pyramid_texels(r->extents[level]);
    unsigned char *values = malloc((size_t)texels * channels * size);
    for (uint64_t i = 0; i < texels * channels && values != NULL; i++)
        memcpy(values + i * size, &words[i / channels * c->lanes + i % channels], size);
    return values;
}

/* Rounds averages to integers of the picture's type. */
static void round_values(VkrType type, unsigned char *values, uint64_t count)
{
    const size_t size = vkrTypeSize(type);
    for (uint64_t i = 0; i < count; i++) {
        float number;
        memcpy(&number, values + i * sizeof number, sizeof number);
        const uint16_t rounded = (uint16_t)lrintf(number);
        memcpy(values + i * size, &rounded, size);
    }
}

static int write_picture(const pyramid_request *r, VkrOp op, VkExtent2D size, const char *name,
                         unsigned char *values)
{
    output png = {0};
    if (op == VKR_OP_MEAN)
        round_values(r->in.type, values, pyramid_texels(size) * r->in.components);
    int status = output_open(&png, name);
    if (status == STATUS_DONE)
        status = image_write(&png, size.width, size.height, r->in.components, r->in.type, values);
    if (status == STATUS_DONE)
        status = output_finish(&png);
    output_close(&png);
    return status;
}

static int write_level(const pyramid_request *r, const pyramid_results *results, VkrOp op,
                       uint32_t level)
{
    const VkExtent2D size = r->extents[level];
    const uint64_t count = pyramid_texels(size) * r->in.components;
    const uint64_t shape[] = {size.height, size.width, r->in.components};
    const size_t length = strlen(r->opts->output) + 40;
    char *name = malloc(length);
    unsigned char *values = take_level(r, results, op, level);
    output npy = {0};
    int status =
        name != NULL && values != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    if (status == STATUS_DONE) {
        snprintf(name, length, "%s/%s-%u.npy", r->opts->output, pyramid_name(op), level + 1);
        status = npy_create(&npy, name);
    }
    if (status == STATUS_DONE)
        status = output_write(&npy, 0, values, count * vkrTypeSize(pyramid_type(r, op)));
    if (status == STATUS_DONE)
        status = npy_finish_shape(&npy, pyramid_type(r, op), r->in.components > 1 ? 3 : 2, shape);
    output_close(&npy);
    if (status == STATUS_DONE && r->in.type != VKR_TYPE_F32) {
        snprintf(name, length, "%s/%s-%u.png", r->opts->output, pyramid_name(op), level + 1);
        status = write_picture(r, op, size, name, values);
    }
    free(values);
    free(name);
    return status;
}

/* ---- The folder ---- */

/* Removes a file, if there is one; a folder of this name stays. */
static int remove_file(const char *name)
{
    if (file_remove(name) || errno == ENOENT || errno == EISDIR)
        return STATUS_DONE;
    return fail(STATUS_VULKAN, "%s: it is from an earlier run and cannot be removed: %s", name,
                strerror(errno));
}

/* The number of levels. A picture of one texel has no level above it. */
static uint32_t level_count(const pyramid_request *r)
{
    return pyramid_texels(r->size) > 1 ? r->count : 0;
}

/* Removes files of an earlier run for levels that this pyramid lacks, since they would be mistaken
 * for its own. Levels of other operators belong to another picture if this one is too small for
 * them, and stay otherwise. */
static int remove_others(const pyramid_request *r, VkrOp op)
{
    static const char *const ends[] = {"npy", "png"};
    const bool written = (r->ops & (VkrOpFlags)op) != 0;
    const char *folder = r->opts->output;
    const size_t length = strlen(folder) + 40;
    char *name = malloc(length);
    int status = name != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    for (uint32_t level = 1; level <= VKR_MAX_PYRAMID_LEVELS; level++)
        for (uint32_t end = 0; end < 2 && status == STATUS_DONE; end++) {
            snprintf(name, length, "%s/%s-%u.%s", folder, pyramid_name(op), level, ends[end]);
            if (level > level_count(r) || (written && end == 1 && r->in.type == VKR_TYPE_F32))
                status = remove_file(name);
        }
    free(name);
    return status;
}

static int write_levels(const pyramid_request *r, const pyramid_results *results, VkrOp op)
{
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < level_count(r) && status == STATUS_DONE; k++)
        status = write_level(r, results, op, k);
    return status;
}

int pyramid_write(job *j)
{
    const pyramid_request *r = j->request;
    static const VkrOp named[] = {VKR_OP_MIN, VKR_OP_MAX, VKR_OP_MEAN};
    const char *folder = r->opts->output;
    int status = STATUS_DONE;
    const bool is_new = folder_create(folder);
    if (!is_new && errno != EEXIST)
        return fail(STATUS_VULKAN, "%s: the directory cannot be created: %s", folder,
                    strerror(errno));
    for (uint32_t bit = 0; bit < VKR_OP_BITS && status == STATUS_DONE; bit++)
        if ((r->ops >> bit & 1u) != 0)
            status = write_levels(r, j->results, (VkrOp)(1u << bit));
    for (size_t i = 0; i < sizeof named / sizeof named[0] && status == STATUS_DONE; i++)
        status = remove_others(r, named[i]);
    if (status != STATUS_DONE && is_new)
        (void)folder_remove(folder);
    return status;
}
