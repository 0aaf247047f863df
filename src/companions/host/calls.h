/* SPDX-License-Identifier: MIT */
/* What the calls for one array share (calls.c, chunks.c). */
#ifndef VKR_HOST_CALLS_H
#define VKR_HOST_CALLS_H

#include "inside.h"

/* A call, whose name its messages start with whatever the host does meanwhile. */
typedef struct host_call {
    VkrHost host;
    host_voice voice;
} host_call;

VkrResult call_enter(host_call *c, VkrHost h, const char *name, const void *info);

/* ---- Infos ---- */

/* A member of an info that a call does not take, and whether it is given. */
typedef struct call_member {
    bool given;
    const char *field;
} call_member;

#define CALL_ABSENT(c, ...)                                                                        \
    call_absent((c), (const call_member[]){__VA_ARGS__},                                           \
                sizeof((const call_member[]){__VA_ARGS__}) / sizeof(call_member))

VkrResult call_absent(const host_call *c, const call_member *members, size_t count);

/* Refuses VKR_COUNT_ALL and counts in GPU memory. */
VkrResult call_count(const host_call *c, const char *field, uint64_t count,
                     const VkrGpuCount *gpu_count);

/* ---- Arrays ---- */

/* An array of the caller. */
typedef struct call_array {
    const char *field;    /* of its pointer */
    unsigned char *data;  /* element 0; NULL: it is not given */
    uint64_t count;       /* elements */
    VkDeviceSize size;    /* bytes from the start of the first to the end of the last one */
    VkDeviceSize element; /* bytes of an element, */
    VkDeviceSize stride;  /* from one to the next, */
    uint32_t unit;        /* and of what it consists of */
    uint32_t bits;        /* elements that share a place; 1, but 32 for bits of words */
    VkrHostAccess access;
    VkrType type; /* with components and map, those of views */
    uint32_t components;
    const struct VkrMap *map;
    bool held; /* it stays on the device for as long as the call, */
    bool imported;
    VkrHostMemory memory; /* here */
} call_array;

/* What a view of an info describes; pointers to arrays that are only read lose their const. */
typedef struct call_view {
    const char *field; /* of the pointer, */
    const void *data;
    const char *view_field; /* and of the view */
    const VkrView *view;
    uint64_t count;
    VkrHostAccess access;
    VkrType type; /* what undefined members stand for; the type can be undefined */
    uint32_t components;
    bool maps; /* the view can have a map */
    bool optional;
} call_view;

VkrResult call_describe(const host_call *c, const call_view *from, call_array *a);

/* Packed items of `element` bytes, each of which consists of units. */
VkrResult call_pack(const host_call *c, const char *field, const void *data, uint64_t count,
                    VkDeviceSize element, uint32_t unit, VkrHostAccess access, call_array *a);

/* Entries of `size` bytes that move with elements, in the order of these and as they are moved. */
typedef struct call_load {
    const char *source_field;
    const void *source;
    uint64_t source_count;
    const char *target_field;
    void *target;
    uint64_t target_count;
    uint32_t size;
} call_load;

/* The arrays have no elements where neither is given. */
VkrResult call_payload(const host_call *c, const call_load *load, call_array *source,
                       call_array *target);

/* A flag for each of `count` elements. */
VkrResult call_flags(const host_call *c, const char *field, const void *data, VkrFlagFormat format,
                     uint64_t count, call_array *a);

/* Whether segments are rows that lie apart. */
static inline bool call_lie_apart(const VkrSegments *segments)
{
    return segments->kind == VKR_SEGMENTS_ROWS && segments->length != 0 &&
           segments->pitch > segments->length;
}

/* The offsets and flags of segments, if they have these. */
VkrResult call_segments(const host_call *c, const VkrSegments *segments,
                        const VkrHostSegments *given, const char *field, uint64_t count,
                        call_array *offsets, call_array *flags);

/* Checks that arrays which are written overlap no other array. Those that are NULL or not given are
 * ignored. */
VkrResult call_separate(const host_call *c, const call_array *const *arrays, size_t count);

/* Makes an array stay on the device from now on; and ends that, with its contents for the caller if
 * the result is VKR_SUCCESS. Returns the result, or why that failed. */
VkrResult call_hold(const host_call *c, call_array *a);
VkrResult call_let_go(const host_call *c, call_array *a, VkrResult result);

/* Attaches `count` elements of an array to a recording of a host, unless the array is held: then
 * its elements are on the device already. An array that is not given has no buffer. */
VkrResult call_attach(VkrHost host, const call_array *a, uint64_t first, uint64_t count,
                      VkrView *view);
VkrResult call_attach_range(VkrHost host, const call_array *a, uint64_t first, uint64_t count,
                            VkrBufferRange *range);

/* ---- Chunks ---- */

/* What a chunk of n items has of an array: each * n + more bytes. */
typedef struct call_share {
    const call_array *array;
    VkDeviceSize each, more;
} call_share;

typedef struct call_plan {
    uint64_t items;
    uint64_t unit;     /* the number of items of a chunk is a multiple of it; not 0 */
    VkDeviceSize size; /* VkrHostXInfo::chunkSize */
    const char *whole; /* why there can be no chunks, as a part of a sentence; NULL: there can */
    size_t share_count;
    call_share shares[10];
} call_plan;

/* An array of which each item has an element, or some bytes; all of it; ignored where not given. */
void call_plan_items(call_plan *plan, const call_array *a, uint64_t elements_of_item);
void call_plan_all(call_plan *plan, const call_array *a);

/* Finds how many items a chunk has: all, where that is possible. */
VkrResult call_cut(const host_call *c, const call_plan *plan, uint64_t *chunk);

typedef struct call_work {
    uint64_t items, chunk;
    bool serial; /* a chunk's recording needs what the one before has left in host memory */
    void *data;
    /* Attaches the arrays of a chunk to a recording of a host, and collects its operations. */
    VkrResult (*record)(void *data, VkrHost host, uint64_t first, uint64_t count);
    /* Follows the end of a chunk's work; optional. */
    VkrResult (*done)(void *data, uint64_t count);
} call_work;

/* Does the work, chunk by chunk in this order. Nothing is at work when it returns, unless the host
 * has failed. */
VkrResult call_run(const host_call *c, const call_work *work);

#endif
