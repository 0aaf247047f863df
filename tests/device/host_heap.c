/* SPDX-License-Identifier: MIT */
#include "host_heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

host_heap heap = {.fails_at = HOST_HEAP_NEVER};

typedef struct block {
    size_t size;
    char fill[_Alignof(max_align_t) - sizeof(size_t) % _Alignof(max_align_t)];
} block;

static VKAPI_ATTR void *VKAPI_CALL allocate(void *data, size_t size, size_t alignment,
                                            VkSystemAllocationScope scope)
{
    (void)scope;
    assert_ptr_equal(data, &heap);
    assert_true(alignment <= _Alignof(max_align_t));
    if (heap.allocations++ == heap.fails_at) {
        heap.failed = true;
        return NULL;
    }
    block *b = malloc(sizeof *b + size);
    assert_non_null(b);
    b->size = size;
    memset(b + 1, 0xa5, size);
    heap.blocks++;
    return b + 1;
}

static VKAPI_ATTR void VKAPI_CALL release(void *data, void *pointer)
{
    assert_ptr_equal(data, &heap);
    if (pointer == NULL)
        return;
    heap.blocks--;
    free((block *)pointer - 1);
}

static VKAPI_ATTR void *VKAPI_CALL reallocate(void *data, void *old, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope)
{
    void *pointer = allocate(data, size, alignment, scope);
    const size_t had = old != NULL ? ((block *)old - 1)->size : 0;
    if (pointer != NULL && old != NULL)
        memcpy(pointer, old, had < size ? had : size);
    if (pointer != NULL)
        release(data, old);
    return pointer;
}

const VkAllocationCallbacks heap_callbacks = {.pUserData = &heap,
                                              .pfnAllocation = allocate,
                                              .pfnReallocation = reallocate,
                                              .pfnFree = release};
