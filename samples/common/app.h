/* SPDX-License-Identifier: MIT */
/*
 * Code that the samples that draw share and that any application has: a device, memory, pictures.
 * Only open_gpu has to do with the library.
 *
 * A function that fails prints one sentence and ends the program.
 */
#ifndef APP_H
#define APP_H

#include <volk.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "vkreduce/vkreduce.h"

/* ---- Errors ---- */

enum { FAILED = 1, BAD_INPUT = 2, DIFFERENT = 3 }; /* exit statuses */

extern const char app_name[]; /* each sample defines its own */

#define DIE(status, ...)                                                                           \
    (fprintf(stderr, "%s: ", app_name), fprintf(stderr, __VA_ARGS__), exit(status))
#define CHECK(call) check((call), #call)

void check(VkResult result, const char *call);
void check_vkr(VkrResult result); /* the library has already printed a message */

/* ---- Options ---- */

/* The options of a sample that has only --out DIR and --device INDEX|NAME-PART, which is NULL for
 * the first device. Creates the folder. */
typedef struct app_options {
    const char *out;
    const char *device;
    uint32_t flags; /* of parse_flags: a bit for each of the sample's own options that is given */
} app_options;

app_options parse_options(int argc, char **argv);
/* The same with options of the sample's own, which have no values; NULL ends the list. */
app_options parse_flags(int argc, char **argv, const char *const *names);

/* ---- Pictures ---- */

typedef struct picture {
    uint32_t width;
    uint32_t height;
    size_t pixels;
    uint32_t format; /* channels of the file: PNG_FORMAT_FLAG_ALPHA and _COLOR */
    unsigned char *rgba;
} picture;

/* Reads a PNG of up to 8 bits per channel: grey becomes red, green and blue, no alpha is 255. */
picture read_png(const char *name);
/* Makes a picture with the channels red, green and blue. */
picture create_picture(uint32_t width, uint32_t height);
/* Writes the channels of `format`; the pixels in memory are lost. */
void write_png(const picture *p, const char *name);
/* Writes FOLDER/NAME.png, prints this path, and frees the picture's memory. */
void save_png(picture *p, const char *folder, const char *name);

/* ---- Device ---- */

typedef struct gpu {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize largest_buffer;
    bool many_draws;    /* one command draws many times, and instances do not start at 0 */
    bool counted_draws; /* .. as many times as a buffer says */
    uint32_t family;
    VkDevice device;
    VkQueue queue; /* for graphics and compute */
    VkrDeviceRequirements needs;
    VkrContext context;
} gpu;

/* Opens the first device that can draw and reduce and matches `wanted`: an index, a part of its
 * name, or NULL. Vulkan 1.3 and dynamic rendering are enabled, and the features that the library
 * can use, or that let the GPU say what is drawn. */
void open_gpu(gpu *g, const char *wanted);
void close_gpu(gpu *g);
/* Ends the program unless the device can draw depths that shaders read and, with `pairs`, has
 * images of PAIR_FORMAT that shaders write and read. */
void check_formats(const gpu *g, bool pairs);

/* ---- Memory ---- */

#define ON_DEVICE VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define ON_HOST (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

typedef struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *map; /* the host's pointer to memory ON_HOST */
} buffer;

typedef struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view; /* a view of all levels */
    VkExtent2D size;
    VkImageSubresourceRange range;
} image;

buffer create_buffer(const gpu *g, VkDeviceSize size, VkBufferUsageFlags usage,
                     VkMemoryPropertyFlags where);
void destroy_buffer(const gpu *g, const buffer *b);
image create_image(const gpu *g, VkExtent2D size, uint32_t levels, VkFormat format,
                   VkImageUsageFlags usage);
void destroy_image(const gpu *g, const image *i);

/* ---- Descriptors ---- */

/* What a shader accesses: a buffer, or an image in some layout. */
typedef struct descriptor {
    VkDescriptorType type;
    VkShaderStageFlags stages;
    const buffer *data; /* or NULL */
    const image *texels;
    VkImageLayout layout;
} descriptor;

typedef struct descriptor_set {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet handle;
} descriptor_set;

#define MAX_DESCRIPTORS 16u

/* Row i becomes binding i. */
descriptor_set create_descriptors(const gpu *g, const descriptor *rows, uint32_t count);
void destroy_descriptors(const gpu *g, const descriptor_set *set);

/* ---- Drawing ---- */

#define TARGET_FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define DEPTH_FORMAT VK_FORMAT_D32_SFLOAT
#define PAIR_FORMAT VK_FORMAT_R32G32_SFLOAT

typedef struct shader {
    VkShaderStageFlagBits stage;
    const uint32_t *code;
    size_t size;
} shader;

VkPipelineShaderStageCreateInfo create_stage(const gpu *g, const shader *s);

VkPipeline create_compute_pipeline(const gpu *g, VkPipelineLayout layout, const uint32_t *code,
                                   size_t size);

/* A pipeline that draws to a whole target, or without a fragment shader only to a depth image. */
typedef struct draw_info {
    VkPipelineLayout layout;
    shader vertex;
    shader fragment;
    VkPipelineVertexInputStateCreateInfo input; /* sType is filled in */
    VkPrimitiveTopology topology;
    bool add;        /* true: blend by adding to the target's colours */
    bool over;       /* true: blend colours that are premultiplied by their opacity */
    bool depth;      /* depth test and write, with DEPTH_FORMAT */
    VkFormat format; /* of the target; UNDEFINED: TARGET_FORMAT */
    VkExtent2D size;
} draw_info;

VkPipeline create_draw_pipeline(const gpu *g, const draw_info *d);
/* Begins rendering to a target, a depth image, or both. A depth image is cleared to 1, unless
 * both are loaded. */
void begin_drawing(VkCommandBuffer cmd, const image *target, const image *depth,
                   VkAttachmentLoadOp load);

/* ---- Commands ---- */

VkCommandPool create_commands(const gpu *g, uint32_t count, VkCommandBuffer *cmds);
void begin_commands(VkCommandBuffer cmd);
void submit_commands(const gpu *g, VkCommandBuffer cmd, VkFence fence); /* and ends it */

/* Records commands with a recorder of the library, submits them once and waits. */
typedef void record_commands(VkCommandBuffer cmd, VkrRecorder recorder, const void *data);
void run_commands(const gpu *g, record_commands *record, const void *data);

/* How memory or an image is used between one barrier and the next; the layout applies to images. */
typedef struct use {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
} use;

extern const use nothing;
extern const use copied_to;
extern const use copied_from;
extern const use sampled;
extern const use drawn;
extern const use depth_drawn;
extern const use depth_read; /* by compute shaders */
extern const use computed;
extern const use read_by_host;

void transition(VkCommandBuffer cmd, const image *i, const use *from, const use *to);
void wait_for(VkCommandBuffer cmd, const use *from, const use *to); /* for all other memory */

#endif
