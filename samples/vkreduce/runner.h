/* SPDX-License-Identifier: MIT */
/* What the parts of the program `vkreduce` share. */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <volk.h>
#include "vkreduce/vkreduce.h"

/* Exit statuses. Every function that can fail returns one of them. */
enum {
    STATUS_DONE = 0,
    STATUS_VULKAN = 1,     /* a Vulkan failure, no memory, or an output that cannot be written */
    STATUS_USAGE = 2,      /* bad usage, or a bad input */
    STATUS_DIFFERENCE = 3, /* --verify */
    STATUS_INTERRUPTED = 130
};

/* ---- text.c ---- */

/* The program's main.c has its name. */
extern const char program_name[];

/* Prints the program's name, one sentence and a newline on stderr, and returns the status. A
 * progress bar makes room. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int fail(int status, const char *format, ...);

/* Parses a whole decimal number from `least` to `most`, with nothing else in the text. */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* What the command line asks for. Enumerations are plain words here, so that one table can set
 * them all. */
typedef struct options {
    char **operands;
    uint32_t operand_count;
    const char *device;
    const char *profile;
    const char *output;
    const char *segments;
    const char *tiles;
    const char *initial;
    const char *indices;
    const char *rejected;
    const char *rejected_indices;
    const char *run_lengths;
    const char *range;
    const char *edges;
    const char *quantiles;
    const char *plot;
    uint32_t type;
    uint64_t components; /* 0: not given */
    uint64_t offset;
    uint64_t stride;
    uint32_t algorithm;
    uint32_t block_scan;
    uint32_t search;
    uint32_t concatenation;
    uint32_t determinism;
    uint32_t nan;
    uint32_t map;
    uint32_t accumulator;
    uint64_t repeat;   /* 0: not given */
    uint64_t chunk;    /* bytes; 0: not given */
    uint64_t capacity; /* elements; 0: not given */
    uint64_t bins;     /* 0: not given */
    uint64_t block;    /* elements; 0: not given */
    bool exclusive;
    bool reverse;
    bool count_on_gpu;
    bool staging;
    bool sample;
    bool as_image;
    bool log2;
    bool closed;
    bool verify;
    bool json;
    bool quick;
    bool self_test;
} options;

/* ---- interrupt.c ---- */

/* From now on the first SIGINT, SIGTERM or SIGHUP only sets a flag, and a second one kills as
 * usual. Writing more than a file may hold fails instead of killing. Signals that are ignored stay
 * ignored. */
void catch_interrupts(void);

/* Returns STATUS_DONE, or, after such a signal, prints a sentence and returns
 * STATUS_INTERRUPTED. */
int check_interrupt(void);

/* Waits until the file has something to read, or ends, or such a signal comes. */
int await_data(int file);

/* Notes a file that must be removed if a signal kills the program; it may be gone by then. False:
 * out of memory. */
bool remove_on_signal(const char *path);

/* ---- progress.c ---- */

/* Long work on so many bytes: a bar on stderr where that is a terminal, once it takes long.
 * progress_add says that some more are done, and checks for an interrupt; without progress_start it
 * does only that. */
void progress_start(const char *what, uint64_t total);
int progress_add(uint64_t bytes);
void progress_end(void);

/* Removes the bar from the screen until it is drawn again. */
void progress_clear(void);

/* ---- input.c, spool.c, npy.c, image.c, hdr.c ---- */

typedef enum input_source { SOURCE_FILE, SOURCE_MEMORY, SOURCE_RANDOM } input_source;

/* One INPUT: typed values that can be read from any position, and the elements among them. */
typedef struct input {
    const char *name;
    input_source source;
    int file;              /* -1: none */
    unsigned char *memory; /* owned */
    uint64_t start;        /* of the values in the file or the memory */
    bool spooled;          /* they came out of a pipe or the like */
    bool swapped;          /* there the bytes of each value are in big-endian order */
    bool truth;            /* there every value that is not 0 stands for 1 */
    uint64_t seed;
    VkrType type;
    VkrType named; /* what the type was in the file, where it is another one now */
    uint32_t components;
    uint32_t dimensions; /* of a .npy file's array */
    uint64_t columns;    /* columns of an array with two dimensions, or of a picture; else 0 */
    uint64_t size;       /* bytes of values */
    uint64_t offset;     /* of element 0 in them */
    uint64_t stride;
    uint64_t count; /* elements */
} input;

/* input_close may follow a failed input_open. */
int input_open(input *in, const char *name, const options *opts);
void input_close(input *in);

/* The same for the content of a file in memory from malloc, which the input owns from now on. The
 * name says what is expected there, like that of a file. */
int input_open_memory(input *in, const char *name, unsigned char *memory, uint64_t size,
                      const options *opts);

/* Opens a file, or with "-" the standard input, as bytes without a type: what cannot be read from
 * any position, or does not know its size, is read to its end, but no further than `most` bytes and
 * a few. */
int input_open_bytes(input *in, const char *name, uint64_t most);

/* Give the input other bytes, which it owns from now on: memory from malloc, or an open file. */
void input_use_memory(input *in, unsigned char *memory, uint64_t size);
void input_use_file(input *in, int file, uint64_t size);

/* Reads some of the values, and adds them to the progress. */
int input_read(const input *in, uint64_t offset, size_t size, void *data);

/* The same by elements: `data` gets them at a distance of input_pitch, which is their stride unless
 * the gaps are wide, and input_span bytes in all. */
int input_load(const input *in, uint64_t first, uint64_t count, void *data);
uint64_t input_pitch(const input *in);
uint64_t input_span(const input *in, uint64_t count);

/* Reads what comes out of the open file to its end, or a little more than `most` bytes, and uses
 * that instead: in memory, or in a temporary file where it is much. */
int spool(input *in, uint64_t most);

/* Finds type, start and size of the values of a .npy file of `file_size` bytes. */
int npy_open(input *in, uint64_t file_size);

/* Decodes a whole picture: 8-bit channels become u8, 16-bit ones u16. */
int image_open(input *in);

/* The same of a Radiance picture: RGB as f32, in the units of the file. */
int hdr_open(input *in);

/* ---- output.c, npy.c ---- */

typedef struct output {
    const char *name; /* NULL: not asked for */
    char *path;       /* owned; where the name leads: the file that is replaced */
    char *temporary;  /* owned; the file until it is whole */
    int file;
    uint64_t start; /* of what output_write writes */
} output;

/* output_close may follow a failed output_open. An output that was not finished leaves no file.
 * Without a name nothing happens. */
int output_open(output *o, const char *name);
int output_write(const output *o, uint64_t offset, const void *data, uint64_t size);
int output_read(const output *o, uint64_t offset, void *data, uint64_t size);
int output_finish(output *o);
void output_close(output *o);

/* The same for an array of elements, as .npy: its length is known only at the end. */
int npy_create(output *o, const char *name);
int npy_finish(output *o, VkrType type, uint32_t components, uint64_t count);

/* The same of an array of any shape. */
int npy_finish_shape(output *o, VkrType type, uint32_t dimensions, const uint64_t *shape);

/* Writes a picture, of 1 to 4 channels of type u8 or u16, as .png. */
int image_write(output *o, uint32_t width, uint32_t height, uint32_t channels, VkrType type,
                const unsigned char *values);

/* ---- gnuplot.c ---- */

/* Whether it can be run; `name` is the picture's. */
int gnuplot_check(const char *name);

/* Writes what the script draws, with a terminal for pictures, to the output. */
int gnuplot_draw(const output *o, FILE *script);

/* ---- gpu.c ---- */

typedef struct gpu_device {
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkDeviceSize max_allocation; /* of one buffer */
    char driver[2 * VK_MAX_DRIVER_NAME_SIZE];
    VkrDeviceRequirements requirements; /* points into itself */
} gpu_device;

typedef struct gpu_list {
    VkInstance instance;
    gpu_device *devices;
    uint32_t count;
} gpu_list;

/* Lists at least one device, or fails. gpu_list_close may follow a failed gpu_list_open. */
int gpu_list_open(gpu_list *list);
void gpu_list_close(gpu_list *list);
VkDeviceSize gpu_device_memory(const gpu_device *device);

/* Chooses the device that --device names, or the best one without --device. */
int gpu_choose(const gpu_list *list, const char *wanted, uint32_t *index);

typedef struct gpu {
    gpu_list list;
    const gpu_device *chosen;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    uint32_t timestamp_bits; /* 0: the queue has no timestamps */
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkQueryPool queries; /* two timestamps */
    VkFence fence;
    VkrContext context;
} gpu;

/* gpu_close may follow a failed gpu_open. */
int gpu_open(gpu *g, const char *wanted);
void gpu_close(gpu *g);

/* Creates another context on the same device, with the text of a profile or none (NULL). */
int gpu_create_context(const gpu *g, const char *profile, size_t size, VkrContext *context);

/* Opens the same device with commands, timestamps and a fence of its own, to work while another
 * lane executes. gpu_lane_close may follow a failed gpu_lane_open, and must be called before
 * gpu_close. */
int gpu_lane_open(gpu *lane, const gpu *g);
void gpu_lane_close(gpu *lane);

/* The first prints a sentence for a failed Vulkan call; the second returns the status of a failed
 * library call, which has already printed its own sentence. */
int gpu_fail(VkResult result, const char *call);
int gpu_status(VkrResult result);

typedef enum gpu_memory {
    MEMORY_DEVICE,   /* mapped where the device's own memory can be */
    MEMORY_UNMAPPED, /* the device's own */
    MEMORY_UPLOAD,   /* mapped, for the host to write */
    MEMORY_RESULT,   /* the device's own, mapped where the host reads it fast */
    MEMORY_READBACK, /* mapped, for the host to read */
    MEMORY_KINDS
} gpu_memory;

typedef struct gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *map; /* NULL: the host cannot see it */
    VkDeviceSize size;
    VkrTexels texels; /* texels of the whole buffer, where the device allows it */
} gpu_buffer;

/* A storage buffer of at least `size` bytes. */
int gpu_buffer_create(const gpu *g, gpu_buffer *b, VkDeviceSize size, gpu_memory kind);
void gpu_buffer_destroy(const gpu *g, gpu_buffer *b);

/* Fills the buffer with the input's values, and waits. */
int gpu_upload(const gpu *g, const gpu_buffer *b, const input *in);

int gpu_begin(const gpu *g);
int gpu_end(const gpu *g);

/* Submit what was recorded between gpu_begin and gpu_end; wait for it; both. */
int gpu_launch(const gpu *g);
int gpu_wait(const gpu *g);
int gpu_submit(const gpu *g);

/* Record the first timestamp, when all that was submitted before is done, and the second; read
 * their distance in milliseconds after a submit. */
void gpu_start_clock(const gpu *g);
void gpu_stop_clock(const gpu *g);
int gpu_read_clock(const gpu *g, double *milliseconds);

/* Record a copy, and make it visible to the operations that follow. */
void gpu_copy(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize offset,
              VkDeviceSize size);

/* Record a copy for the host to read. */
void gpu_copy_back(const gpu *g, const gpu_buffer *from, const gpu_buffer *to, VkDeviceSize size);

/* ---- gpu_image.c ---- */

typedef struct gpu_image {
    VkImage image;
    VkDeviceMemory memory;
    VkFormat format;
} gpu_image;

/* An image that shaders read, with other uses besides. */
int gpu_image_create(const gpu *g, gpu_image *i, VkFormat format, VkExtent2D size, uint32_t levels,
                     VkImageUsageFlags usage);
void gpu_image_destroy(const gpu *g, gpu_image *i);

/* Describes a level for the library, with a view that the caller destroys. */
int gpu_image_view(const gpu *g, const gpu_image *i, uint32_t level, VkExtent2D size,
                   VkImageLayout layout, VkrImage *described);

/* What an image is used for, from one barrier to the next. */
typedef struct gpu_image_use {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
} gpu_image_use;

extern const gpu_image_use image_unused;
extern const gpu_image_use image_read; /* by the library */

/* Record a barrier; record a copy of tightly packed texels, for the library to read. */
void gpu_image_change(const gpu *g, const gpu_image *i, const gpu_image_use *from,
                      const gpu_image_use *to);
void gpu_image_fill(const gpu *g, const gpu_buffer *from, const gpu_image *i, VkExtent2D size);

/* ---- constant.c ---- */

/* Parses a value of a type: whole numbers for integers, in their range. `what` begins the error
 * message. */
int parse_constant(const char *what, const char *text, VkrType type, VkrConstant *constant);
void constant_bits(VkrType type, VkrConstant constant, void *value);

/* ---- profile.c ---- */

/* Gives the open device a context with the profile in a file; with NULL nothing happens. */
int profile_use(gpu *g, const char *name);

/* ---- json.c ---- */

void json_string(FILE *out, const char *text);

/* Prints one value of a type. Floats are written with 17 significant digits, so that a parser gets
 * the exact value; floats that are not finite are written as strings. */
void json_value(FILE *out, VkrType type, const void *value);

/* Formats a value for people, in at most 32 characters. */
void text_value(char *text, size_t size, VkrType type, const void *value);

/* The double nearest to a value. */
double value_as_double(VkrType type, const void *value);

/* Whether a result of an arg operator says that there is no such element. */
bool is_no_index(VkrType type, const void *value);

/* ---- commands ---- */

int devices_command(const options *opts);
int reduce_command(const options *opts);
int scan_command(const options *opts);
int compact_command(const options *opts);
int histogram_command(const options *opts);
int pyramid_command(const options *opts);
int tune_command(const options *opts);

/* Print the possible words of --algorithm. */
void list_reduce_algorithms(void);
void list_scan_algorithms(void);
void list_compact_algorithms(void);
void list_histogram_algorithms(void);
void list_pyramid_algorithms(void);

#endif
