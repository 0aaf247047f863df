/* SPDX-License-Identifier: MIT */
/* All objects on the device, and the commands of a frame. */
#ifndef SCENE_H
#define SCENE_H

#include "parts.h"

/* The arrays of a set of particles, and the binding of the counts. */
enum { POSITION, VELOCITY, COLOUR, LIFE, ARRAYS, COUNTS = ARRAYS, BINDINGS };

extern const VkExtent2D picture_size;
extern const uint32_t entry_size[ARRAYS]; /* bytes */

/* A set of particles. */
typedef struct particles {
    uint32_t capacity;
    buffer arrays[ARRAYS];
    VkDescriptorSet set;
} particles;

/* The push constants of the shaders. */
typedef struct push {
    uint32_t frame;
    uint32_t candidates;
} push;

typedef struct scene {
    particles sets[2]; /* the frames alternate between them .. */
    particles newborn; /* .. and add from the candidates here */
    buffer counts;
    image target;
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkPipelineLayout layout;
    VkPipelineLayout draw_layout;
    VkPipeline move;
    VkPipeline emit;
    VkPipeline draw;
    float exposure;
} scene;

scene create_scene(const gpu *g, const options *o);
void destroy_scene(const gpu *g, const scene *s);

/* ---- frame.c ---- */

/* All bytes of an array. */
VkrBufferRange whole(const particles *p, uint32_t array);

/* Record what precedes the first frame, and a frame. */
void record_start(VkCommandBuffer cmd, const scene *s);
void record_frame(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, uint32_t frame);

/* ---- check.c ---- */

/* Copies the last frame's particles and all counts to the host. */
outcome read_outcome(const gpu *g, const options *o, const scene *s);

void print_outcome(const char *where, const outcome *result);

/* Compares the outcome with that of a simulation on the CPU; returns the exit status. */
int verify(const gpu *g, const options *o, const outcome *result);

#endif
