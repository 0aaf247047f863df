/* SPDX-License-Identifier: MIT */
/* What differs between operating systems: locks, and the file of the Vulkan loader. */
#ifndef VKR_SYSTEM_H
#define VKR_SYSTEM_H

#include <stdbool.h>

#include "base.h"

#ifdef _WIN32
/* Stands for an SRWLOCK, so that no other file needs the headers of Windows. */
typedef struct vkr_lock {
    void *state;
} vkr_lock;
#else
#include <pthread.h>
typedef pthread_mutex_t vkr_lock;
#endif

/* The first returns false if there is no memory for the lock. */
bool vkr_create_lock(vkr_lock *lock);
void vkr_destroy_lock(vkr_lock *lock);
void vkr_enter(vkr_lock *lock);
void vkr_leave(vkr_lock *lock);

/* The names of the Vulkan loader's file, as a sentence says them. */
extern const char vkr_loader_names[];

/* Opens the system's Vulkan loader and finds its vkGetInstanceProcAddr. Returns NULL if there is
 * none; otherwise *library must be closed. */
PFN_vkGetInstanceProcAddr vkr_open_loader(void **library);
void vkr_close_loader(void *library);

#endif
