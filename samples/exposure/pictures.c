/* SPDX-License-Identifier: MIT */
/* The light of the scenes, in no particular unit, and how it changes from frame to frame. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "hdr.h"
#include "parts.h"

static radiance create_radiance(uint32_t width, uint32_t height)
{
    radiance r = {width, height, NULL};
    r.rgba = malloc((size_t)width * height * 4 * sizeof *r.rgba);
    if (!r.rgba)
        DIE(FAILED, "there is no memory for %u x %u pixels\n", width, height);
    return r;
}

void free_pictures(radiance pictures[PICTURES])
{
    for (int i = 0; i < PICTURES; i++)
        free(pictures[i].rgba);
}

/* ---- The story ---- */

#define PER_SECOND 24.0

/* Each row starts at a frame: it selects a picture, brightens it by some stops, and adds `drift`
 * stops in each frame after that. */
static const struct {
    uint32_t frame;
    uint32_t picture;
    double stops;
    double drift;
} story[] = {
    {0, 0, -3, 0},      /* in a room */
    {24, 1, 6, 0},      /* a step into the sun */
    {50, 1, 6, -0.125}, /* clouds */
    {72, 0, -3, 0},     /* back in the room */
    {104, 0, 1, 0},     /* the lamp is turned up */
};

/* Frames just before and after each jump, and after the exposure has adapted. */
const uint32_t shown_frames[SHOWN] = {23, 24, 36, 71, 72, 88, 103, 104, 119};

/* Time constants in seconds: after that time, 1/e of the way remains. */
#define SECONDS_TO_BRIGHT 0.15
#define SECONDS_TO_DARK 0.35

Instant instant_of(uint32_t frame)
{
    size_t i = sizeof story / sizeof story[0] - 1;
    while (story[i].frame > frame)
        i--;
    const double stops = story[i].stops + story[i].drift * (frame - story[i].frame);
    Instant now = {story[i].picture, (float)exp2(stops), 1, 1, frame};
    if (frame > 0) { /* the first frame adapts at once */
        now.to_bright = (float)-expm1(-1 / PER_SECOND / SECONDS_TO_BRIGHT);
        now.to_dark = (float)-expm1(-1 / PER_SECOND / SECONDS_TO_DARK);
    }
    return now;
}

/* ---- Weights ---- */

void make_weights(uint32_t width, uint32_t height, uint8_t *weights)
{
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const double across = (2.0 * x + 1) / width - 1, down = (2.0 * y + 1) / height - 1;
            const double away = across * across + down * down;
            weights[(size_t)y * width + x] = (uint8_t)(1 + lround(254 * exp(-3 * away)));
        }
}

/* ---- A file ---- */

typedef struct bytes {
    FILE *file;
    const char *name;
} bytes;

static bool read_some(void *user, uint64_t offset, size_t size, void *data)
{
    const bytes *b = user;
    (void)offset; /* always the position where the last read ended */
    if (fread(data, 1, size, b->file) == size)
        return true;
    DIE(FAILED, "%s cannot be read\n", b->name);
}

void load_picture(const char *name, radiance pictures[PICTURES])
{
    bytes b = {fopen(name, "rb"), name};
    long size = -1;
    if (!b.file || fseek(b.file, 0, SEEK_END) != 0 || (size = ftell(b.file)) < 0 ||
        fseek(b.file, 0, SEEK_SET) != 0)
        DIE(BAD_INPUT, "%s cannot be read: %s\n", name, strerror(errno));
    const hdr_source source = {(uint64_t)size, read_some, NULL, &b};
    char wrong[HDR_WRONG];
    hdr_picture p;
    if (!hdr_decode(&source, &p, wrong))
        DIE(BAD_INPUT, "%s cannot be read as a Radiance picture: %s\n", name, wrong);
    if (p.is_xyz)
        DIE(BAD_INPUT, "%s has CIE X, Y and Z; ra_xyze -r converts it to red, green and blue\n",
            name);
    fclose(b.file);
    for (int i = 0; i < PICTURES; i++) {
        pictures[i] = create_radiance(p.width, p.height);
        for (size_t k = 0; k < (size_t)p.width * p.height; k++) {
            memcpy(pictures[i].rgba + 4 * k, p.values + 3 * k, 3 * sizeof *p.values);
            pictures[i].rgba[4 * k + 3] = 1;
        }
    }
    free(p.values);
}
