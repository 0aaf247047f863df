/* SPDX-License-Identifier: MIT */
/* Parts of views, for files that know MPI and files that do not. */
#ifndef VKR_MPI_VIEWS_H
#define VKR_MPI_VIEWS_H

#include "vkreduce/core.h"

/* The bytes of an element, and from one to the next. */
static inline VkDeviceSize mpi_element(const VkrView *view)
{
    const uint32_t components = view->components != 0 ? view->components : 1;
    return (VkDeviceSize)components * vkrTypeSize(view->type);
}

static inline VkDeviceSize mpi_stride(const VkrView *view)
{
    return view->stride != 0 ? view->stride : mpi_element(view);
}

/* Elements first .. first + count of a view of a buffer. */
static inline VkrView mpi_part_of(const VkrView *view, uint64_t first, uint64_t count)
{
    VkrView part = *view;
    part.offset += first * mpi_stride(view);
    part.size = count != 0 ? (count - 1) * mpi_stride(view) + mpi_element(view) : 0;
    part.texels = (VkrTexels){0}; /* they need not fit a part of the view */
    return part;
}

#endif
