/* SPDX-License-Identifier: MIT */
/* All objects that the command buffers of the sample culling refer to. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "town.h"

#define PIXELS (WIDTH * HEIGHT)
#define PYRAMID_FORMAT PAIR_FORMAT
#define BITS_SIZE ((INSTANCES + 31) / 32 * 4)
#define COMMANDS_SIZE (INSTANCES * sizeof(VkDrawIndexedIndirectCommand))

/* All stages use the same sets. */
#define SET_STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT)

/* What the host reads of a frame: its colours and depths, and those with every instance; after
 * these copies, the commands of what the last frame did not know. */
enum { COLOURS, DEPTHS, ALL_COLOURS, ALL_DEPTHS, COPIES };
#define COPIES_SIZE ((VkDeviceSize)COPIES * 4 * PIXELS)

/* What a frame leaves for the next one. */
typedef struct memory {
    buffer bits;     /* one for each instance: whether it may be seen */
    buffer commands; /* a draw for each that may be, in their order .. */
    buffer number;   /* .. and their number */
    descriptor_set set;
} memory;

typedef struct scene {
    buffer spheres;
    buffer shapes;
    buffer view;
    buffer vertices;
    buffer indices;
    memory frames[2];    /* frame i writes frames[i % 2] and reads the other one */
    buffer new_commands; /* as commands, without those that the last frame knew */
    image target;
    image depth;
    image pyramid;
    VkImageView level_views[LEVELS];
    buffer readback;
    bool counted_draws; /* a buffer holds the number of draws */
    VkrModule functions;
    VkPipelineLayout layout;
    VkPipeline draw;
} scene;

scene create_scene(const gpu *g);
void destroy_scene(const gpu *g, const scene *s);

#endif
