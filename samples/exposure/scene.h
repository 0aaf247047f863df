/* SPDX-License-Identifier: MIT */
/* All objects that the command buffers of the sample exposure refer to. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "parts.h"

/* 32-bit floats, so that the CPU has the same light bit for bit; renderers mostly use 16-bit
 * floats. */
#define LIGHT_FORMAT VK_FORMAT_R32G32B32A32_SFLOAT
#define WEIGHT_FORMAT VK_FORMAT_R8_UINT

typedef struct scene {
    VkExtent2D size;
    image pictures[PICTURES];
    image weights; /* metering weights of the pixels */
    image light;   /* the rendered light .. */
    image target;  /* .. and its tone-mapped picture */
    buffer meter;
    buffer state;
    buffer kept; /* for the host: the state, then counts and pixels of each frame that is shown */
    descriptor_set set;
    VkPipelineLayout layout;
    VkPipeline draw;
    VkPipeline adapt;
    VkPipeline tone;
} scene;

/* Uses of images by shaders that read them. */
extern const use read_by_draw;
extern const use metered;

scene create_scene(const gpu *g, const radiance pictures[PICTURES], const uint8_t *weights);
void destroy_scene(const gpu *g, const scene *s);

/* The offsets of a frame's histogram and pixels in `kept`. */
VkDeviceSize place_of_counts(const scene *s, uint32_t kept);
VkDeviceSize place_of_pixels(const scene *s, uint32_t kept);

#endif
