/* SPDX-License-Identifier: MIT */
/* Buffers that several cases share: guard bytes separate the cases' data, and a shadow copy holds
 * the expected contents. */
#ifndef VKR_TESTS_ARENA_H
#define VKR_TESTS_ARENA_H

#include "harness.h"

#define GUARD 64u

typedef struct arena {
    const char *name;
    harness_buffer buffer;
    unsigned char *shadow; /* what the buffer must hold */
    VkDeviceSize used;     /* bytes that are in use; set to 0 to start anew */
    VkDeviceSize more;     /* bytes between two places, besides GUARD */
} arena;

bool open_arena(harness *h, const char *name, VkDeviceSize size, arena *a);
void close_arena(harness *h, arena *a);

/* Reserves room for `size` bytes at a random multiple of `alignment`, guarded on both sides. */
VkDeviceSize arena_place(arena *a, uint64_t *random, VkDeviceSize alignment, VkDeviceSize size);

/* Fills the shadow with random bytes. */
void arena_poison(arena *a, uint64_t *random);

/* Copies the shadow, which is what the buffer must hold, to the buffer. */
void arena_upload(arena *a);

/* Returns the offset of the first byte that differs from the shadow; UINT64_MAX: none. */
VkDeviceSize arena_overwritten(const arena *a);

/* Chooses the range of a texel view for `size` bytes at an offset: it starts at or before them, and
 * ends between 15 bytes before and 32 bytes after their end. */
VkrTexels arena_place_texels(const harness *h, uint64_t *random, VkDeviceSize offset,
                             VkDeviceSize size);
void arena_create_texels(const harness *h, const arena *a, VkrTexels *texels);

#endif
