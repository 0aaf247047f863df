/* SPDX-License-Identifier: MIT */
/* Everything of the sample exposure that its command buffers name. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "parts.h"

/* So that the CPU has the same light to the bit; renderers have halves of it. */
#define LIGHT_FORMAT VK_FORMAT_R32G32B32A32_SFLOAT
#define WEIGHT_FORMAT VK_FORMAT_R8_UINT

typedef struct scene {
    VkExtent2D size;
    image pictures[PICTURES];
    image weights; /* of the pixels, in metering */
    image light;   /* what is rendered .. */
    image target;  /* .. and what is shown of it */
    buffer meter;
    buffer state;
    buffer kept; /* for the host, after the last frame: the state, then for each frame that is
                    * shown its histogram and its pixels */
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline draw;
    VkPipeline adapt;
    VkPipeline tone;
} scene;

/* What shaders read. */
extern const use read_by_draw;
extern const use metered;

scene create_scene(const gpu *g, const radiance pictures[PICTURES], const uint8_t *weights);
void destroy_scene(const gpu *g, const scene *s);

/* Where a frame's histogram and pixels are among what is kept. */
VkDeviceSize place_of_counts(const scene *s, uint32_t kept);
VkDeviceSize place_of_pixels(const scene *s, uint32_t kept);

#endif
