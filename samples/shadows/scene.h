/* SPDX-License-Identifier: MIT */
/* All objects that the command buffer of the sample shadows refers to. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "town.h"

#define FACE_FORMAT VK_FORMAT_R32_UINT

/* What the host reads: the depths, and the picture with the cascades of each kind. */
enum { DEPTHS, PICTURE, COPIES = PICTURE + 2 };

typedef struct scene {
    buffer view;
    buffer solids;
    uint32_t solid_count;
    buffer cascades; /* fixed ones from the host, then fitted ones */
    image faces;     /* what each pixel shows: 8 times the solid, plus the side, plus 1 .. */
    image depth;     /* .. and its depth */
    image maps[CASCADES];
    image target;
    buffer readback;
    descriptor_set set;
    descriptor_set functions_set;
    VkrModule functions;
    VkPipelineLayout layout;
    VkPipeline draw;
    VkPipeline draw_map;
    VkPipeline split;
    VkPipeline shade;
} scene;

scene create_scene(const gpu *g);
void destroy_scene(const gpu *g, const scene *s);

#endif
