/* SPDX-License-Identifier: MIT */
/* The files of the command pyramid, and what the last level holds. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "commands/pyramid/pyramid.h"
#include "output/image.h"
#include "output/json.h"
#include "output/npy.h"
#include "status.h"

/* The chain that has an operator, and its first channel there. */
static const pyramid_chain *find_chain(const pyramid_job *j, VkrOp op, uint32_t *lane)
{
    const pyramid_chain *c = &j->chains[0];
    while ((c->ops & (VkrOpFlags)op) == 0)
        c++;
    *lane = op == VKR_OP_MAX ? c->lanes - source_lanes(c) : 0;
    return c;
}

static const char *name_of(VkrOp op)
{
    return op == VKR_OP_MEAN ? "average" : vkrOpName(op);
}

static VkrType type_of(const pyramid_job *j, VkrOp op)
{
    return op == VKR_OP_MEAN ? VKR_TYPE_F32 : j->in.type;
}

/* The values of a level, channel by channel; NULL: out of memory. */
static unsigned char *take_level(const pyramid_job *j, VkrOp op, uint32_t level)
{
    uint32_t lane;
    const pyramid_chain *c = find_chain(j, op, &lane);
    const uint32_t *words = pyramid_words(j, c, level) + lane;
    const size_t size = vkrTypeSize(type_of(j, op)), channels = j->in.components;
    const uint64_t texels = pyramid_texels(j->extents[level]);
    unsigned char *values = malloc((size_t)texels * channels * size);
    for (uint64_t i = 0; i < texels * channels && values != NULL; i++)
        memcpy(values + i * size, &words[i / channels * c->lanes + i % channels], size);
    return values;
}

/* Averages as the picture's integers. */
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

static int write_picture(const pyramid_job *j, VkrOp op, VkExtent2D size, const char *name,
                         unsigned char *values)
{
    output png = {.file = -1};
    if (op == VKR_OP_MEAN)
        round_values(j->in.type, values, pyramid_texels(size) * j->in.components);
    int status = output_open(&png, name);
    if (status == STATUS_DONE)
        status = image_write(&png, size.width, size.height, j->in.components, j->in.type, values);
    if (status == STATUS_DONE)
        status = output_finish(&png);
    output_close(&png);
    return status;
}

static int write_level(const pyramid_job *j, VkrOp op, uint32_t level)
{
    const VkExtent2D size = j->extents[level];
    const uint64_t count = pyramid_texels(size) * j->in.components;
    const uint64_t shape[] = {size.height, size.width, j->in.components};
    const size_t length = strlen(j->opts->output) + 40;
    char *name = malloc(length);
    unsigned char *values = take_level(j, op, level);
    output npy = {.file = -1};
    int status =
        name != NULL && values != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    if (status == STATUS_DONE) {
        snprintf(name, length, "%s/%s-%u.npy", j->opts->output, name_of(op), level + 1);
        status = npy_create(&npy, name);
    }
    if (status == STATUS_DONE)
        status = output_write(&npy, 0, values, count * vkrTypeSize(type_of(j, op)));
    if (status == STATUS_DONE)
        status = npy_finish_shape(&npy, type_of(j, op), j->in.components > 1 ? 3 : 2, shape);
    output_close(&npy);
    if (status == STATUS_DONE && j->in.type != VKR_TYPE_F32) {
        snprintf(name, length, "%s/%s-%u.png", j->opts->output, name_of(op), level + 1);
        status = write_picture(j, op, size, name, values);
    }
    free(values);
    free(name);
    return status;
}

/* ---- The folder ---- */

static int remove_file(const char *name)
{
    if (remove(name) == 0 || errno == ENOENT)
        return STATUS_DONE;
    return fail(STATUS_VULKAN, "%s: it is of an earlier run and cannot be removed: %s", name,
                strerror(errno));
}

/* Removes what an earlier run has left of levels that this pyramid lacks: they would be taken for
 * levels of it. */
static int remove_others(const pyramid_job *j, VkrOp op, uint32_t count)
{
    static const char *const ends[] = {"npy", "png"};
    const char *folder = j->opts->output;
    const size_t length = strlen(folder) + 40;
    char *name = malloc(length);
    int status = name != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    for (uint32_t level = 1; level <= VKR_MAX_PYRAMID_LEVELS; level++)
        for (uint32_t end = 0; end < 2 && status == STATUS_DONE; end++) {
            snprintf(name, length, "%s/%s-%u.%s", folder, name_of(op), level, ends[end]);
            if (level > count || (end == 1 && j->in.type == VKR_TYPE_F32))
                status = remove_file(name);
        }
    free(name);
    return status;
}

static int write_levels(const pyramid_job *j, VkrOp op)
{
    /* A picture of one texel has no level above it. */
    const uint32_t count = pyramid_texels(j->size) > 1 ? j->count : 0;
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < count && status == STATUS_DONE; k++)
        status = write_level(j, op, k);
    return status == STATUS_DONE ? remove_others(j, op, count) : status;
}

int pyramid_write(const pyramid_job *j)
{
    const char *folder = j->opts->output;
    int status = STATUS_DONE;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(STATUS_VULKAN, "%s: the directory cannot be made: %s", folder, strerror(errno));
    for (uint32_t bit = 0; bit < VKR_OP_BITS && status == STATUS_DONE; bit++)
        if ((j->ops >> bit & 1u) != 0)
            status = write_levels(j, (VkrOp)(1u << bit));
    return status;
}

void pyramid_print_value(const pyramid_job *j, VkrOp op)
{
    uint32_t lane;
    const pyramid_chain *c = find_chain(j, op, &lane);
    const uint32_t *words = pyramid_words(j, c, j->count - 1) + lane;
    printf(",\"%s\":%s", name_of(op), j->in.components > 1 ? "[" : "");
    for (uint32_t i = 0; i < j->in.components; i++) {
        if (i > 0)
            putchar(',');
        json_value(stdout, type_of(j, op), &words[i]);
    }
    if (j->in.components > 1)
        putchar(']');
}
