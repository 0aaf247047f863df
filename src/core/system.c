/* SPDX-License-Identifier: MIT */
/* Locks and the Vulkan loader, on Windows and on systems with POSIX threads. */
#include "system.h"

#include <string.h>

#define ENTRY "vkGetInstanceProcAddr"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(vkr_lock) == sizeof(SRWLOCK), "vkr_lock must hold an SRWLOCK");

const char vkr_loader_names[] = "vulkan-1.dll cannot";

bool vkr_create_lock(vkr_lock *lock)
{
    InitializeSRWLock((SRWLOCK *)(void *)lock);
    return true;
}

void vkr_destroy_lock(vkr_lock *lock)
{
    (void)lock;
}

void vkr_enter(vkr_lock *lock)
{
    AcquireSRWLockExclusive((SRWLOCK *)(void *)lock);
}

void vkr_leave(vkr_lock *lock)
{
    ReleaseSRWLockExclusive((SRWLOCK *)(void *)lock);
}

PFN_vkGetInstanceProcAddr vkr_open_loader(void **library)
{
    PFN_vkGetInstanceProcAddr get = NULL;
    const HMODULE module = LoadLibraryA("vulkan-1.dll");
    *library = module;
    if (!module)
        return NULL;
    const FARPROC symbol = GetProcAddress(module, ENTRY);
    memcpy(&get, &symbol, sizeof get);
    if (!get) {
        FreeLibrary(module);
        *library = NULL;
    }
    return get;
}

void vkr_close_loader(void *library)
{
    FreeLibrary(library);
}

#else

#include <dlfcn.h>

const char vkr_loader_names[] = "neither libvulkan.so.1 nor libvulkan.so can";

bool vkr_create_lock(vkr_lock *lock)
{
    return pthread_mutex_init(lock, NULL) == 0;
}

void vkr_destroy_lock(vkr_lock *lock)
{
    pthread_mutex_destroy(lock);
}

void vkr_enter(vkr_lock *lock)
{
    pthread_mutex_lock(lock);
}

void vkr_leave(vkr_lock *lock)
{
    pthread_mutex_unlock(lock);
}

PFN_vkGetInstanceProcAddr vkr_open_loader(void **library)
{
    PFN_vkGetInstanceProcAddr get = NULL;
    *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        *library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        return NULL;
    /* ISO C has no conversion from an object pointer to a function pointer. */
    void *symbol = dlsym(*library, ENTRY);
    memcpy(&get, &symbol, sizeof get);
    if (!get) {
        dlclose(*library);
        *library = NULL;
    }
    return get;
}

void vkr_close_loader(void *library)
{
    dlclose(library);
}

#endif
