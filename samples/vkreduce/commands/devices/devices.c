/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
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
static int run_self_test(const gpu_device *device, uint32_t index, self_test *test)
{
    char number[16];
    gpu g = {0};
    if (!device->requirements.usable)
        return STATUS_DONE;
    snprintf(number, sizeof number, "%u", index);
    forget_failure();
    int status = gpu_open(&g, number);
    if (status == STATUS_DONE) {
        VkrSelfTestInfo info = {.queue = g.queue, .queueFamilyIndex = g.family};
        test->result = vkrSelfTest(g.context, &info, &test->report);
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

static void print_text(const gpu_device *device, uint32_t index, const self_test *test)
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
    if (test->done)
        print_self_test(test, false);
}

static void print_json(const gpu_device *device, uint32_t index, const self_test *test)
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
    putchar(']');
    if (test->done)
        print_self_test(test, true);
    putchar('}');
}

int devices_run(const operands *given, const void *options)
{
    const devices_options *opts = options;
    gpu_list list = {0};
    uint32_t first = 0, end = 0;
    (void)given;
    int status = gpu_list_open(&list);
    if (status != STATUS_DONE)
        goto cleanup;
    end = list.count;
    if (opts->device.device != NULL) {
        if ((status = gpu_choose(&list, opts->device.device, &first)) != STATUS_DONE)
            goto cleanup;
        end = first + 1;
    }
    if (opts->json)
        fputs("{\"command\":\"devices\",\"devices\":[", stdout);
    for (uint32_t i = first; i < end && status == STATUS_DONE; i++) {
        self_test test = {0};
        if (opts->self_test)
            status = run_self_test(&list.devices[i], i, &test);
        if (opts->json && i > first)
            putchar(',');
        (opts->json ? print_json : print_text)(&list.devices[i], i, &test);
    }
    if (opts->json)
        puts("]}");
cleanup:
    gpu_list_close(&list);
    return status;
}
