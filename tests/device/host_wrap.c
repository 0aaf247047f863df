/* SPDX-License-Identifier: MIT */
#include "host_wrap.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

host_wrap wrap;

void host_wrap_reset(void)
{
    wrap = (host_wrap){.fails_at = HOST_WRAP_NEVER};
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void host_wrap_trouble(const char *what, const char *function)
{
    if (wrap.trouble[0] == '\0')
        snprintf(wrap.trouble, sizeof wrap.trouble, "%s: %s", function, what);
}

/* ---- Calls that fail ---- */

static uint32_t pointer_at; /* the number of the last call that asked for a pointer's properties */
static bool has_pointer;

/* The result that is planned for this call. */
VkResult host_wrap_plan(const char *function, VkResult usual)
{
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&lock);
    if (strcmp(function, "vkGetMemoryHostPointerPropertiesEXT") == 0) {
        has_pointer = true;
        pointer_at = wrap.calls;
    }
    if (wrap.only == NULL || strcmp(function, wrap.only) == 0) {
        const uint32_t n = wrap.calls++;
        if (n == wrap.fails_at || (n > wrap.fails_at && wrap.forever)) {
            if (wrap.failures++ == 0) {
                wrap.failed = function;
                wrap.since_pointer = has_pointer ? n - pointer_at : UINT32_MAX;
            }
            result = wrap.with != VK_SUCCESS ? wrap.with : usual;
        }
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void host_wrap_check(const VkAllocationCallbacks *callbacks, const char *function)
{
    const void *data = callbacks != NULL ? callbacks->pUserData : NULL;
    if (data != wrap.allocator)
        host_wrap_trouble("it does not get the host's callbacks", function);
}

/* ---- Objects ---- */

typedef struct object {
    const char *kind;
    uint64_t handle;
    VkDevice device;
    void (*destroy)(VkDevice device, uint64_t handle);
} object;
static object objects[1024];

void host_wrap_born(const char *kind, VkDevice owner, uint64_t handle,
                    void (*destroy)(VkDevice, uint64_t))
{
    pthread_mutex_lock(&lock);
    if (wrap.objects < ARRAY_SIZE(objects))
        objects[wrap.objects++] = (object){kind, handle, owner, destroy};
    else
        host_wrap_trouble("there are too many objects", kind);
    pthread_mutex_unlock(&lock);
}

bool host_wrap_dies(const char *kind, uint64_t handle)
{
    bool found = false;
    if (handle == 0)
        return false;
    pthread_mutex_lock(&lock);
    for (uint32_t i = wrap.objects; i-- > 0 && !found;)
        if (objects[i].handle == handle && strcmp(objects[i].kind, kind) == 0) {
            found = true;
            memmove(&objects[i], &objects[i + 1], (wrap.objects - i - 1) * sizeof(object));
            wrap.objects--;
        }
    pthread_mutex_unlock(&lock);
    if (!found)
        host_wrap_trouble("what is destroyed does not live", kind);
    return found;
}

uint32_t host_wrap_reap(void)
{
    const uint32_t left = wrap.objects;
    while (wrap.objects > 0) {
        const object last = objects[--wrap.objects];
        last.destroy(last.device, last.handle);
    }
    return left;
}
