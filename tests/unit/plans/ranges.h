/* SPDX-License-Identifier: MIT */
/* Random requests of operations that cut what they read into windows, from random operands
 * (operands.c), and what recordings of them may bind (ranges.c, segments.c). */
#ifndef VKR_TESTS_RANGES_H
#define VKR_TESTS_RANGES_H

#include "random.h"

#define MAX_OPERATIONS 3u
#define MAX_REGIONS 40u
#define LETTERS 30u

/* Bytes that an operation may touch. */
typedef struct region {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t size;
    bool written;
} region;

/* Entries that an operation must be able to reach. */
typedef struct walk {
    VkBuffer buffer;
    uint64_t offset;
    uint64_t stride;
    uint64_t size; /* of one entry */
    uint64_t count;
} walk;

#define MAX_TEXELS 8u

typedef struct operation {
    uint32_t rotation; /* by how much the letters of its buffers are shifted */
    bool may_fail;     /* may be refused: an algorithm is forced, or no windows fit the device */
    uint32_t region_count;
    region regions[MAX_REGIONS];
    /* Read through buffer views, not through descriptors of the bytes. */
    uint32_t texel_count;
    region texels[MAX_TEXELS];
    uint32_t walk_count;
    walk walks[MAX_REGIONS];
    /* For reductions of segments; NONE: the fields below are not used. */
    VkrSegmentKind kind;
    uint64_t segments;
    uint64_t length;  /* elements of a segment; by offsets: 0 */
    uint64_t count;   /* elements */
    uint64_t output;  /* where the results start */
    uint64_t record;  /* bytes of a segment's results */
    uint64_t unit;    /* bytes of a value */
    uint64_t partial; /* 0: not known yet */
} operation;

extern struct plan {
    VkrContextProperties device;
    uint64_t scratch; /* bytes */
    uint32_t count;
    operation operations[MAX_OPERATIONS];
} plan;

/* The buffer for a role of an operation. The roles of one operation have different buffers;
 * rotations are random, so operations may share buffers. */
static inline VkBuffer letter(const operation *o, uint32_t role)
{
    return BUFFER('A' + (role + o->rotation) % LETTERS);
}

void add_region(operation *o, VkBuffer buffer, uint64_t offset, uint64_t size, bool written);
void add_texels(operation *o, VkBuffer buffer, const VkrTexels *texels);
void add_entries(operation *o, VkBuffer buffer, uint64_t offset, uint64_t stride, uint64_t size,
                 uint64_t count);

/* Adds the view's bytes, and a walk over its first `count` elements. */
void add_view(operation *o, const VkrView *view, uint64_t count, bool written);

uint64_t view_stride(const VkrView *view);
uint64_t view_capacity(const VkrView *view);

/* A view that holds `count` elements. */
VkrView view_of(uint64_t *seed, VkBuffer buffer, VkrType type, uint32_t components, uint64_t count);

/* A random buffer view for a view; in two of three cases none. */
VkrTexels random_texels(uint64_t *seed, const VkrView *view);
VkrGpuCount random_gpu_count(uint64_t *seed, operation *o, VkBuffer buffer);

VkrFlagView random_flags(uint64_t *seed, operation *o, VkBuffer buffer, uint64_t count);

#define WINDOWS 6u /* of a random input */

/* Draws the input of a request. */
VkrView random_input(uint64_t *seed, const operation *o, uint64_t windows, uint64_t *count);
uint32_t random_workgroup(uint64_t *seed, operation *o);

/* Marks an operation as one that may be refused if the elements of a view are far apart. */
void mark_wide(operation *o, const VkrView *view);

/* Draws how far apart rows lie, often not at all. */
void random_pitch(uint64_t *seed, VkrSegments *segments);

/* Says that of views of `count` elements only those of rows must be reached. */
void mark_apart(operation *o, const VkrSegments *segments, uint64_t count);

VkrResult collect_scan(uint64_t *seed, const char *label, operation *o);
VkrResult collect_compact(uint64_t *seed, const char *label, operation *o);

VkrResult collect_segments(uint64_t *seed, const char *label, operation *o);

/* orders.c: a sort, a selection, a search, or a reduction by key. */
VkrResult collect_order(uint64_t *seed, const char *label, operation *o);

/* Of a compaction or a search; compactions.c has roles of buffers for it. */
VkrPredicate random_predicate(uint64_t *seed, operation *o, const VkrView *input, uint64_t count);

/* Check one dispatch of a reduction of segments, and a whole operation. */
void check_segments(const trace_dispatch *dispatch);
void check_segmented(uint32_t operation);

/* ranges.c: begin and end a recording. Operations are put into the plan in between; the end checks
 * everything that was recorded. */
void begin_plan(void);
void end_plan(uint64_t *seed);

#endif
