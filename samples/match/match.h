/* SPDX-License-Identifier: MIT */
/* The interfaces between the parts of the sample `match`. */
#ifndef MATCH_H
#define MATCH_H

#include "device/gpu.h"
#include "input/input.h"
#include "status.h"

#define DESCRIPTOR 64u /* bytes */
#define NONE UINT32_MAX

typedef struct match_options {
    char **operands;
    uint32_t operand_count;
    const char *known;
    const char *device;
    const char *output;
    uint64_t threshold;
    uint64_t repeat;
    uint64_t window;    /* train descriptors in one dispatch */
    uint64_t workgroup; /* lanes; 0: chosen for the device */
    uint64_t groups;    /* max workgroups in x; 0: the device's limit */
    bool verify;
    bool shared;
    bool json;
} match_options;

typedef struct match_pair {
    uint32_t query;
    uint32_t train;
} match_pair;

/* ---- match_data.c ---- */

enum { QUERY, TRAIN, SIDES };

typedef struct match_data {
    input sides[SIDES]; /* in memory after loading */
    uint32_t counts[SIDES];
    uint32_t threshold;
    bool has_known;
    match_pair *known; /* owned; matches that should be found, in order */
    uint32_t known_count;
} match_data;

/* The nearest neighbours of a query; NONE if there is no such train descriptor. */
typedef struct neighbours {
    uint32_t nearest; /* the first one in a tie */
    uint32_t best;    /* its distance */
    uint32_t second;
} neighbours;

/* match_data_open opens and checks the operands; match_data_load loads their values.
 * match_data_close may follow a failure of either. */
int match_data_open(match_data *d, const match_options *opts);
int match_data_load(match_data *d, const match_options *opts);
void match_data_close(match_data *d);

bool match_is_known(const match_data *d, match_pair pair);

/* Computes the neighbours of a query in plain C. */
neighbours match_on_cpu(const match_data *d, uint32_t query);

/* ---- match_gpu.c ---- */

/* The arrays of results: for each query NEAREST, BEST, SECOND and MARGIN; for each match QUERIES
 * and TRAINS; and the COUNT of matches. */
enum { NEAREST, BEST, SECOND, MARGIN, QUERIES, TRAINS, COUNT, RESULTS };
enum { KERNELS = 3 };

extern const char *const match_kernels[KERNELS];

typedef struct match_gpu {
    gpu g;
    const match_data *data;
    uint32_t window;
    uint32_t max_dispatch_groups;
    bool shared; /* lanes exchange data in shared memory */
    uint32_t workgroup;
    VkDeviceSize sizes[RESULTS]; /* of the results in bytes, .. */
    VkDeviceSize offsets[RESULTS + 1];
    VkrHostMemory sides[SIDES];
    VkrHostMemory results; /* .. which are here .. */
    VkrHostMemory copy;    /* .. and are copied here for the host */
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipelines[KERNELS];
} match_gpu;

/* match_gpu_open opens a device that can hold the data, whose sizes must be known;
 * match_gpu_prepare creates the objects of the kernels. match_gpu_close may follow a failure of
 * either. */
int match_gpu_open(match_gpu *m, const match_data *d, const match_options *opts);
int match_gpu_prepare(match_gpu *m);
void match_gpu_close(match_gpu *m);

/* Runs the matching once untimed and then `repeat` times. *milliseconds becomes the median time if
 * the queue has timestamps. */
int match_gpu_run(match_gpu *m, uint32_t kernel, uint64_t repeat, double *milliseconds);

const uint32_t *match_gpu_result(const match_gpu *m, uint32_t which);

#endif
