/* SPDX-License-Identifier: MIT */
/* The reference for reductions, tiles and pyramids of images. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "images.h"
#include "status.h"
#include "oracle_pyramid.h"

/* Drivers round k / 255 differently. */
#define NEAR 0x1p-22

static float value_of(const picture *p, uint64_t texel, uint32_t channel)
{
    float value;
    memcpy(&value, &p->texels[texel], sizeof value);
    return p->depth ? value : (float)(p->texels[texel] >> 8 * channel & 0xffu) / 255.0f;
}

/* Totals of a rectangle of an image. */
typedef struct totals {
    double min, max, sum;
    uint64_t count;
} totals;

static totals totals_of(const picture *p, VkRect2D part, uint32_t channel)
{
    totals t = {INFINITY, -INFINITY, 0.0, 0};
    for (uint32_t y = 0; y < part.extent.height; y++)
        for (uint32_t x = 0; x < part.extent.width; x++, t.count++) {
            const uint64_t line = (uint64_t)part.offset.y + y;
            const double value =
                value_of(p, line * p->size.width + (uint32_t)part.offset.x + x, channel);
            t.min = fmin(t.min, value);
            t.max = fmax(t.max, value);
            t.sum += value;
        }
    return t;
}

static bool is_near(const arm *a, const char *what, uint32_t channel, double found, double wanted,
                    double off)
{
    if (fabs(found - wanted) <= fabs(wanted) * off)
        return true;
    (void)fail(STATUS_DIFFERENCE, "%s: %s of channel %u is %.9g; the scalar reference gives %.9g",
               a->name, what, channel, found, wanted);
    return false;
}

static bool right_fetch(const bench *b, const arm *a, const picture *p)
{
    const VkRect2D whole = {.extent = p->size};
    const float *words = b->copied.data;
    for (uint32_t c = 0; c < p->source.channels; c++) {
        const totals t = totals_of(p, whole, c);
        double min = INFINITY, max = -INFINITY;
        for (uint32_t i = 0; i < a->groups; i++) {
            min = fmin(min, (double)words[8 * i + c]);
            max = fmax(max, (double)words[8 * i + 4 + c]);
        }
        if (!is_near(a, "min", c, min, t.min, NEAR) || !is_near(a, "max", c, max, t.max, NEAR))
            return false;
    }
    return true;
}

/* Whether the library's results of one rectangle are right. */
static bool right_results(const bench *b, const arm *a, const picture *p, uint64_t tile,
                          VkRect2D part)
{
    const char *results = (const char *)b->copied.data + a->stride * tile;
    for (uint32_t c = 0; c < p->source.channels; c++) {
        const totals t = totals_of(p, part, c);
        for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
            const VkrOp op = (VkrOp)(1u << bit);
            const double wanted = op == VKR_OP_MIN ? t.min : op == VKR_OP_MAX ? t.max : t.sum;
            float found;
            if ((a->info.ops & (VkrOpFlags)op) == 0)
                continue;
            memcpy(&found, results + a->results[bit].offset + sizeof found * c, sizeof found);
            if (!is_near(a, vkrOpName(op), c, (double)found, wanted,
                         op == VKR_OP_SUM ? 0x1p-10 : NEAR))
                return false;
        }
    }
    return true;
}

static bool right_tiles(const bench *b, const arm *a, const picture *p)
{
    uint64_t tile = 0;
    for (uint32_t y = 0; y < p->size.height; y += IMAGE_TILE)
        for (uint32_t x = 0; x < p->size.width; x += IMAGE_TILE, tile++) {
            const uint32_t width = p->size.width - x, height = p->size.height - y;
            const VkRect2D part = {{(int32_t)x, (int32_t)y},
                                   {width < IMAGE_TILE ? width : IMAGE_TILE,
                                    height < IMAGE_TILE ? height : IMAGE_TILE}};
            if (!right_results(b, a, p, tile, part))
                return false;
        }
    return true;
}

/* ---- Pyramids ---- */

static bool make_level(oracle_level *level, VkExtent2D size, uint32_t channels)
{
    *level = (oracle_level){size.width, size.height, NULL};
    level->texels = malloc((size_t)texels_of(size) * channels * sizeof(uint32_t));
    return level->texels != NULL;
}

/* Reads the source as values of a level; in a pair, each value occurs twice. */
static void read_source(const picture *p, uint32_t channels, oracle_level *source)
{
    for (uint64_t i = 0; i < texels_of(p->size); i++)
        for (uint32_t c = 0; c < channels; c++)
            source->texels[channels * i + c] =
                p->depth ? p->texels[i] : p->texels[i] >> 8 * c & 0xffu;
}

static bool right_level(const arm *a, const picture *p, uint32_t channels, uint32_t k,
                        const oracle_level *level, const uint32_t *words)
{
    const uint64_t count = (uint64_t)level->width * level->height;
    for (uint64_t i = 0; i < count * channels; i++) {
        const uint32_t found =
            p->depth ? words[i] : words[i / channels] >> 8 * (i % channels) & 0xffu;
        if (found == level->texels[i])
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "%s: value %" PRIu64 " of level %u is 0x%x; the scalar reference gives 0x%x",
                   a->name, i, k + 1, found, level->texels[i]);
        return false;
    }
    return true;
}

static bool right_pyramid(const bench *b, const arm *a, const picture *p)
{
    const image_levels *chain = chain_of(b->images, a);
    const uint32_t bits = p->depth ? 32 : 8;
    const oracle_pyramid pyramid = {.ops = a->info.ops,
                                    .stored = p->depth ? ORACLE_FLOAT : ORACLE_UNORM,
                                    .channels = chain->channels,
                                    .bits = {bits, bits, bits, bits}};
    const uint32_t *words = b->copied.data;
    oracle_level below, level;
    bool good = make_level(&below, p->size, chain->channels);
    if (good)
        read_source(p, chain->channels, &below);
    for (uint32_t k = 0; k < chain->count && good; k++) {
        const VkExtent2D size = {chain->levels[k].extent.width, chain->levels[k].extent.height};
        good = make_level(&level, size, chain->channels);
        if (good) {
            oracle_pyramid_level(&pyramid, &below, &level);
            good = right_level(a, p, chain->channels, k, &level, words);
        }
        words += texels_of(size) * (p->depth ? chain->channels : 1);
        free(below.texels);
        below = level;
    }
    free(below.texels);
    return good;
}

void images_verify(const bench *b, row *r)
{
    const arm *a = r->arm;
    const picture *p = &b->images->pictures[a->image.picture];
    bool good = true;
    switch (a->image.work) {
    case IMAGE_FETCH:
    case IMAGE_FETCH_CHUNK:
        good = right_fetch(b, a, p);
        break;
    case IMAGE_REDUCE:
        good = right_results(b, a, p, 0, (VkRect2D){.extent = p->size});
        break;
    case IMAGE_TILES:
        good = right_tiles(b, a, p);
        break;
    case IMAGE_PYRAMID:
        good = right_pyramid(b, a, p);
        break;
    default: /* the rounding of blits is not specified */
        return;
    }
    r->verdict = good ? VERDICT_YES : VERDICT_NO;
}
