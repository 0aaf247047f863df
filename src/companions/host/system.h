/* SPDX-License-Identifier: MIT */
/* What differs between operating systems: locks, the Vulkan loader, files. */
#ifndef VKR_HOST_SYSTEM_H
#define VKR_HOST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#ifdef _WIN32
typedef struct host_lock {
    void *inside;
} host_lock;
#else
#include <pthread.h>
typedef pthread_mutex_t host_lock;
#endif

/* These four are as those of any lock. */
bool host_create_lock(host_lock *lock);
void host_destroy_lock(host_lock *lock);
void host_lock_it(host_lock *lock);
void host_unlock(host_lock *lock);

/* The loader's entry point; NULL if there is no loader. */
PFN_vkGetInstanceProcAddr host_open_loader(void **library);
void host_close_loader(void *library);

#define HOST_MAX_PATH 1024u

/* The user's folder for caches; false if there is none, or its name is too long. */
bool host_cache_folder(char path[HOST_MAX_PATH]);

/* Makes a folder and those that it lies in, where they are missing. */
void host_make_folders(const char *path);

/* Reads a whole file of at most `most` bytes into memory for free(); NULL if that fails. */
void *host_read_file(const char *path, size_t most, size_t *size);

/* Replaces a file as a whole: other processes see the old one or the new one. */
bool host_replace_file(const char *path, const void *data, size_t size);

#endif
