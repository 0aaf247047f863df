/* SPDX-License-Identifier: MIT */
/* A file with the pipelines that a driver has compiled. Drivers should refuse data that are not
 * theirs, and not all of them do; so the file's name tells devices and drivers apart, and a
 * checksum tells whole files from others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define MAX_CACHE ((size_t)256 << 20)

typedef struct cache_head {
    char magic[8];
    uint64_t size; /* of the data that follow */
    uint64_t sum;
} cache_head;

static const char magic[8] = "vkrhost";

static uint64_t sum_of(const unsigned char *data, size_t size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) /* FNV-1a */
        sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Names the file after what must be equal for its data to be of use. */
static bool name_file(host_device *d, const VkrHostInfo *info)
{
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    char folder[HOST_MAX_PATH], uuid[2 * VK_UUID_SIZE + 1];
    const VkPhysicalDeviceProperties *p = &all.properties;
    if (info->cacheFolder == NULL ? !host_cache_folder(folder)
                                  : strlen(info->cacheFolder) >= sizeof folder)
        return false;
    if (info->cacheFolder != NULL)
        memcpy(folder, info->cacheFolder, strlen(info->cacheFolder) + 1);
    d->system.GetPhysicalDeviceProperties2(d->vulkan.physicalDevice, &all);
    for (uint32_t i = 0; i < VK_UUID_SIZE; i++)
        snprintf(uuid + (size_t)2 * i, 3, "%02x", p->pipelineCacheUUID[i]);
    host_make_folders(folder);
    const int length =
        snprintf(d->cache_name, sizeof d->cache_name, "%s/%04x-%04x-%08x-%s-%d.%d.%d.pipelines",
                 folder, p->vendorID, p->deviceID, p->driverVersion, uuid, VKR_VERSION_MAJOR,
                 VKR_VERSION_MINOR, VKR_VERSION_PATCH);
    return length > 0 && length < (int)sizeof d->cache_name;
}

void host_open_cache(host_device *d, const VkrHostInfo *info)
{
    size_t size = 0;
    if ((d->flags & VKR_HOST_NO_CACHE_BIT) != 0)
        return;
    if (!name_file(d, info)) {
        d->cache_name[0] = '\0';
        (void)host_fail(&d->voice, VKR_SUCCESS,
                        "pipelines are not kept in a file, since no folder for caches is known, or "
                        "its name is too long; cacheFolder can name one.");
        return;
    }
    unsigned char *file = host_read_file(d->cache_name, MAX_CACHE, &size);
    const cache_head *head = (const cache_head *)(const void *)file;
    VkPipelineCacheCreateInfo create = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (file != NULL && size >= sizeof *head &&
        memcmp(head->magic, magic, sizeof head->magic) == 0 && head->size == size - sizeof *head &&
        head->sum == sum_of(file + sizeof *head, size - sizeof *head)) {
        create.initialDataSize = size - sizeof *head;
        create.pInitialData = file + sizeof *head;
    }
    /* Without a cache everything works, so what a driver says is not an error. */
    if (d->CreatePipelineCache(d->vulkan.device, &create, d->allocator, &d->cache) != VK_SUCCESS)
        d->cache = VK_NULL_HANDLE;
    free(file);
}

/* Writes the file, unless it has these data already. */
static void write_file(host_device *d)
{
    size_t size = 0;
    if (d->GetPipelineCacheData(d->vulkan.device, d->cache, &size, NULL) != VK_SUCCESS ||
        size == 0 || size > MAX_CACHE)
        return;
    unsigned char *file = malloc(sizeof(cache_head) + size);
    if (file == NULL)
        return;
    unsigned char *data = file + sizeof(cache_head);
    size_t known = 0;
    if (d->GetPipelineCacheData(d->vulkan.device, d->cache, &size, data) == VK_SUCCESS) {
        cache_head head = {.size = size, .sum = sum_of(data, size)};
        memcpy(head.magic, magic, sizeof head.magic);
        memcpy(file, &head, sizeof head);
        void *old = host_read_file(d->cache_name, MAX_CACHE, &known);
        if ((old == NULL || known != sizeof head + size || memcmp(old, file, known) != 0) &&
            !host_replace_file(d->cache_name, file, sizeof head + size))
            (void)host_fail(&d->voice, VKR_SUCCESS,
                            "pipelines are not kept in a file, since '%s' cannot be written.",
                            d->cache_name);
        free(old);
    }
    free(file);
}

void host_close_cache(host_device *d)
{
    if (d->cache == VK_NULL_HANDLE)
        return;
    d->voice.call = "vkrDestroyHost";
    if (d->cache_name[0] != '\0' && !d->lost)
        write_file(d);
    d->DestroyPipelineCache(d->vulkan.device, d->cache, d->allocator);
    d->cache = VK_NULL_HANDLE;
}
