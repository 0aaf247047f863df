/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/devices/devices.h"
#include "output/json.h"
#include "status.h"
#include "vkreduce/testing.h"

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

/* What vkrSelfTest found on a device. */
typedef struct self_test {
    bool done;
    VkrResult result;
    VkrSelfTestReport report;
} self_test;

/* Opens the device and runs its self-test. Wrong results are not a failure of this function: the
 * caller reports them. */
static int run_self_test(const VkrHostDevice *device, uint32_t index, self_test *test)
{
    char number[16];
    gpu g = {0};
    if (!device->usable)
        return STATUS_DONE;
    snprintf(number, sizeof number, "%u", index);
    forget_failure();
    int status = gpu_open(&g, &(device_options){.device = number}, false);
    if (status == STATUS_DONE) {
        VkrSelfTestInfo info = {.queue = g.vulkan.queue, .queueFamilyIndex = g.vulkan.queueFamily};
        test->result = vkrSelfTest(g.vulkan.context, &info, &test->report);
        test->done = test->result == VKR_SUCCESS || test->result == VKR_ERROR_UNSUPPORTED;
        status = test->done ? STATUS_DONE : gpu_status(test->result);
    }
    gpu_close(&g);
    return status;
}

static void print_self_test(const self_test *test, bool json)
{
    const VkrSelfTestReport *report = &test->report;
    const char *used = test->result == VKR_SUCCESS ? vkrGroupPathName(report->after) : "none";
    printf(json ? ",\"self_test\":{\"group_path\":\"%s\"" : "   self-test: group path %s is used",
           used);
    for (uint32_t group_path = 1; group_path < VKR_GROUP_PATH_COUNT; group_path++)
        if (report->checks[group_path] != 0)
            printf(json ? ",\"%s\":{\"checks\":%u,\"wrong\":%u}" : "; %s: %u checks, %u wrong",
                   vkrGroupPathName((VkrGroupPath)group_path), report->checks[group_path],
                   report->wrong[group_path]);
    fputs(json ? "}" : "\n", stdout);
}

static void print_text(const VkrHostDevice *device, uint32_t index, const self_test *test)
{
    printf("%u  %s\n   %s, Vulkan ", index, device->name, kind_name(device->type));
    print_version(stdout, device->apiVersion);
    printf(", %s, %.1f GiB\n   %s\n", device->driver,
           (double)device->memorySize / (1024.0 * 1024.0 * 1024.0),
           device->usable ? "usable" : "not usable");
    for (uint32_t i = 0; i < device->requirementCount; i++) {
        const VkrRequirement *need = &device->requirements[i];
        printf("   %-4s %s%s%s\n", need->available ? "has" : "no", need->name,
               need->available ? "" : ": ", need->available ? "" : need->without);
    }
    if (test->done)
        print_self_test(test, false);
}

static void print_json(const VkrHostDevice *device, uint32_t index, const self_test *test)
{
    printf("{\"index\":%u,\"device\":", index);
    json_string(stdout, device->name);
    printf(",\"kind\":\"%s\",\"driver\":", kind_name(device->type));
    json_string(stdout, device->driver);
    printf(",\"vulkan\":\"");
    print_version(stdout, device->apiVersion);
    printf("\",\"memory\":%" PRIu64 ",\"usable\":%s,\"requirements\":[",
           (uint64_t)device->memorySize, device->usable ? "true" : "false");
    for (uint32_t i = 0; i < device->requirementCount; i++) {
        const VkrRequirement *need = &device->requirements[i];
        printf("%s{\"name\":", i == 0 ? "" : ",");
        json_string(stdout, need->name);
        printf(",\"available\":%s,\"required\":%s,\"without\":", need->available ? "true" : "false",
               need->required ? "true" : "false");
        json_string(stdout, need->without != NULL ? need->without : "");
        putchar('}');
    }
    putchar(']');
    if (test->done)
        print_self_test(test, true);
    putchar('}');
}

int devices_run(const operands *given, const void *options)
{
    const devices_options *opts = options;
    VkrHostDevice *devices;
    uint32_t count, first = 0;
    (void)given;
    int status = gpu_list(opts->device.device, &devices, &count, &first);
    const bool listed = status == STATUS_DONE;
    if (listed && opts->json)
        fputs("{\"command\":\"devices\",\"devices\":[", stdout);
    for (uint32_t i = 0; i < count && status == STATUS_DONE; i++) {
        self_test test = {0};
        if (opts->self_test)
            status = run_self_test(&devices[i], first + i, &test);
        if (opts->json && i > 0)
            putchar(',');
        (opts->json ? print_json : print_text)(&devices[i], first + i, &test);
    }
    if (listed && opts->json)
        puts("]}");
    free(devices);
    return status;
}
