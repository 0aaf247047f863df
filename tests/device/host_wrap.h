/* SPDX-License-Identifier: MIT */
/*
 * Functions of Vulkan between libvkreduce-host and the driver. One call of them can fail; objects
 * are counted, and what is left of them can be destroyed. Drivers get no allocation callbacks,
 * since they crash where these fail; so callbacks are asked for the library's own memory alone.
 */
#ifndef VKR_TESTS_HOST_WRAP_H
#define VKR_TESTS_HOST_WRAP_H

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

typedef struct host_wrap {
    /* The plan: which call fails, counted from 0 among all functions with a VkResult, or among the
     * calls of `only`; whether later ones fail too; and with what, or VK_SUCCESS for the result of
     * the function's row. */
    uint32_t fails_at;
    const char *only;
    bool forever;
    VkResult with;
    const void *allocator; /* the pUserData of callbacks, or NULL where there are none */

    /* What happened. */
    uint32_t calls;
    uint32_t failures;
    uint64_t waited;        /* nanoseconds of all waits that were to fail */
    VkFence unsure;         /* the last one of which a wait failed, until one does not */
    const char *failed;     /* the function that failed first */
    uint32_t since_pointer; /* calls since the last one of vkGetMemoryHostPointerPropertiesEXT, at
                              * that time; UINT32_MAX: there was none */
    uint32_t objects;       /* that live */
    char trouble[256];      /* the first thing that is wrong, or empty */
} host_wrap;

#define HOST_WRAP_NEVER UINT32_MAX

extern host_wrap wrap;

/* Starts anew, with no failure planned. */
void host_wrap_reset(void);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL host_wrap_get(VkInstance instance, const char *name);

/* Destroys all objects that are left, latest first, and returns their number. Work of the device
 * must have ended. */
uint32_t host_wrap_reap(void);

/* For host_wrap_vk.c: the result that is planned for a call; what it notices; its objects. */
VkResult host_wrap_plan(const char *function, VkResult usual);
void host_wrap_trouble(const char *what, const char *function);
void host_wrap_check(const VkAllocationCallbacks *callbacks, const char *function);
void host_wrap_born(const char *kind, VkDevice owner, uint64_t handle,
                    void (*destroy)(VkDevice, uint64_t));
bool host_wrap_dies(const char *kind, uint64_t handle);

#endif
