/* SPDX-License-Identifier: MIT */
/* The only file of this library that differs between Windows and systems with POSIX. */
#include "system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY "vkGetInstanceProcAddr"

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <direct.h>
#include <process.h>
#include <windows.h>

_Static_assert(sizeof(host_lock) == sizeof(SRWLOCK), "host_lock must hold an SRWLOCK");

bool host_create_lock(host_lock *lock)
{
    InitializeSRWLock((SRWLOCK *)(void *)lock);
    return true;
}

void host_destroy_lock(host_lock *lock)
{
    (void)lock;
}

void host_lock_it(host_lock *lock)
{
    AcquireSRWLockExclusive((SRWLOCK *)(void *)lock);
}

void host_unlock(host_lock *lock)
{
    ReleaseSRWLockExclusive((SRWLOCK *)(void *)lock);
}

PFN_vkGetInstanceProcAddr host_open_loader(void **library)
{
    PFN_vkGetInstanceProcAddr get = NULL;
    const HMODULE module = LoadLibraryA("vulkan-1.dll");
    const FARPROC symbol = module != NULL ? GetProcAddress(module, ENTRY) : NULL;
    memcpy(&get, &symbol, sizeof get);
    *library = module;
    return get;
}

void host_close_loader(void *library)
{
    if (library != NULL)
        FreeLibrary(library);
}

bool host_cache_folder(char path[HOST_MAX_PATH])
{
    const char *folder = getenv("LOCALAPPDATA");
    const int length = folder != NULL ? snprintf(path, HOST_MAX_PATH, "%s\\vkreduce", folder) : 0;
    return length > 0 && length < (int)HOST_MAX_PATH;
}

static void make_folder(const char *path)
{
    (void)_mkdir(path);
}

static bool move(const char *from, const char *to)
{
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
}

static long process_number(void)
{
    return _getpid();
}

#else

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

bool host_create_lock(host_lock *lock)
{
    return pthread_mutex_init(lock, NULL) == 0;
}

void host_destroy_lock(host_lock *lock)
{
    pthread_mutex_destroy(lock);
}

void host_lock_it(host_lock *lock)
{
    pthread_mutex_lock(lock);
}

void host_unlock(host_lock *lock)
{
    pthread_mutex_unlock(lock);
}

PFN_vkGetInstanceProcAddr host_open_loader(void **library)
{
    PFN_vkGetInstanceProcAddr get = NULL;
    *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (*library == NULL)
        *library = dlopen("libvulkan.so", RTLD_NOW | RTLD_LOCAL);
    /* ISO C has no conversion from an object pointer to a function pointer. */
    void *symbol = *library != NULL ? dlsym(*library, ENTRY) : NULL;
    memcpy(&get, &symbol, sizeof get);
    return get;
}

void host_close_loader(void *library)
{
    if (library != NULL)
        dlclose(library);
}

bool host_cache_folder(char path[HOST_MAX_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (cache != NULL && cache[0] == '/') /* the standard says that others are ignored */
        length = snprintf(path, HOST_MAX_PATH, "%s/vkreduce", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, HOST_MAX_PATH, "%s/.cache/vkreduce", home);
    return length > 0 && length < (int)HOST_MAX_PATH;
}

static void make_folder(const char *path)
{
    (void)mkdir(path, 0700);
}

static bool move(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

static long process_number(void)
{
    return (long)getpid();
}

#endif

void host_make_folders(const char *path)
{
    char part[HOST_MAX_PATH];
    const size_t length = strlen(path);
    if (length >= sizeof part)
        return;
    memcpy(part, path, length + 1);
    for (char *end = part + 1; *end != '\0'; end++) {
        if (*end != '/' && *end != '\\')
            continue;
        const char separator = *end;
        *end = '\0';
        make_folder(part);
        *end = separator;
    }
    make_folder(part);
}

void *host_read_file(const char *path, size_t most, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = NULL;
    long end = -1;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    if (end > 0 && (size_t)end <= most && fseek(file, 0, SEEK_SET) == 0)
        data = malloc((size_t)end);
    *size = data != NULL ? (size_t)end : 0;
    if (data != NULL && fread(data, 1, *size, file) != *size) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

bool host_replace_file(const char *path, const void *data, size_t size)
{
    char temporary[HOST_MAX_PATH + 64];
    /* The address tells the threads of a process apart. */
    snprintf(temporary, sizeof temporary, "%s.%ld.%p.tmp", path, process_number(), data);
    FILE *file = fopen(temporary, "wb");
    if (file == NULL)
        return false;
    bool written = fwrite(data, 1, size, file) == size;
    written = fclose(file) == 0 && written;
    if (written && move(temporary, path))
        return true;
    remove(temporary);
    return false;
}
