/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include "runner.h"

static const char *kind_name(VkPhysicalDeviceType type)
{
    static const char *const names[] = {"other", "integrated", "discrete", "virtual", "cpu"};
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : names[0];
}

static void print_version(FILE *out, uint32_t version)
{
    fprintf(out, "%u.%u.%u", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
            VK_API_VERSION_PATCH(version));
}

static void print_text(const gpu_device *device, uint32_t index)
{
    const VkrDeviceRequirements *needs = &device->requirements;
    printf("%u  %s\n   %s, Vulkan ", index, device->properties.deviceName,
           kind_name(device->properties.deviceType));
    print_version(stdout, device->properties.apiVersion);
    printf(", %s, %.1f GiB\n   %s\n", device->driver,
           (double)gpu_device_memory(device) / (1024.0 * 1024.0 * 1024.0),
           needs->usable ? "usable" : "not usable");
    for (uint32_t i = 0; i < needs->requirementCount; i++) {
        const VkrRequirement *need = &needs->requirements[i];
        printf("   %-4s %s%s%s\n", need->available ? "has" : "no", need->name,
               need->available ? "" : ": ", need->available ? "" : need->without);
    }
}

static void print_json(const gpu_device *device, uint32_t index)
{
    const VkrDeviceRequirements *needs = &device->requirements;
    printf("{\"index\":%u,\"device\":", index);
    json_string(stdout, device->properties.deviceName);
    printf(",\"kind\":\"%s\",\"driver\":", kind_name(device->properties.deviceType));
    json_string(stdout, device->driver);
    printf(",\"vulkan\":\"");
    print_version(stdout, device->properties.apiVersion);
    printf("\",\"memory\":%" PRIu64 ",\"usable\":%s,\"requirements\":[",
           (uint64_t)gpu_device_memory(device), needs->usable ? "true" : "false");
    for (uint32_t i = 0; i < needs->requirementCount; i++) {
        const VkrRequirement *need = &needs->requirements[i];
        printf("%s{\"name\":", i == 0 ? "" : ",");
        json_string(stdout, need->name);
        printf(",\"available\":%s,\"required\":%s,\"without\":", need->available ? "true" : "false",
               need->required ? "true" : "false");
        json_string(stdout, need->without != NULL ? need->without : "");
        putchar('}');
    }
    fputs("]}", stdout);
}

int devices_command(const options *opts)
{
    gpu_list list = {0};
    uint32_t first = 0, end = 0;
    int status = gpu_list_open(&list);
    if (status != STATUS_DONE)
        goto cleanup;
    end = list.count;
    if (opts->device != NULL) {
        if ((status = gpu_choose(&list, opts->device, &first)) != STATUS_DONE)
            goto cleanup;
        end = first + 1;
    }
    if (opts->json)
        fputs("{\"command\":\"devices\",\"devices\":[", stdout);
    for (uint32_t i = first; i < end; i++) {
        if (opts->json && i > first)
            putchar(',');
        (opts->json ? print_json : print_text)(&list.devices[i], i);
    }
    if (opts->json)
        puts("]}");
cleanup:
    gpu_list_close(&list);
    return status;
}
