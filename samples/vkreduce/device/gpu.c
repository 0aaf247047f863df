/* SPDX-License-Identifier: MIT */
#define VOLK_IMPLEMENTATION
#include "device/gpu.h"
#include <stdlib.h>
#include <string.h>
#include "ranks.h"
#include "status.h"

#define MAX_DEVICES 64u
#define PIECE ((uint64_t)32 << 20) /* bytes of an upload */

/* ---- Messages ---- */

static const char *subject; /* the file of functions */

void gpu_set_subject(const char *file)
{
    subject = file;
}

/* Whether a message is about functions. */
static bool is_on_functions(const char *sentence)
{
    static const char *const words[] = {"vkrCreateModule", "hook", "monoid", "parameter of"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(sentence, words[i]) != NULL)
            return true;
    return false;
}

static void on_message(void *data, VkrResult result, const char *sentence)
{
    char text[8192];
    (void)data;
    sentence_of_options(sentence, text, sizeof text);
    if (subject != NULL && is_on_functions(sentence))
        (void)fail(gpu_result_status(result), "%s: %s", subject, text);
    else
        (void)fail(gpu_result_status(result), "%s", text);
}

/* ---- Devices ---- */

/* The status of a call that looks for a device, which may lack what the library needs; but what the
 * device is asked for by a profile is the user's choice. */
static int status_of_search(VkrResult result, const char *profile)
{
    const int status = gpu_status(result);
    return result == VKR_ERROR_UNSUPPORTED && profile == NULL ? STATUS_VULKAN : status;
}

int gpu_list(const char *wanted, VkrHostDevice **devices, uint32_t *count, uint32_t *first)
{
    const VkrHostInfo info = {.device = wanted, .message = on_message};
    *count = MAX_DEVICES;
    *devices = calloc(MAX_DEVICES, sizeof **devices);
    if (*devices == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const int status = status_of_search(vkrGetHostDevices(&info, count, *devices, first), NULL);
    if (status == STATUS_DONE && *count == 0)
        return fail(STATUS_VULKAN,
                    "no Vulkan device was found; install a driver, such as mesa-vulkan-drivers");
    return status;
}

static void load_functions(gpu *g)
{
    VkPhysicalDeviceProperties properties;
    vkrGetHostVulkan(g->host, &g->vulkan);
    vkrGetHostDevice(g->host, &g->chosen);
    volkInitializeCustom(g->vulkan.getInstanceProcAddr);
    volkLoadInstance(g->vulkan.instance);
    volkLoadDevice(g->vulkan.device);
    vkGetPhysicalDeviceProperties(g->vulkan.physicalDevice, &properties);
    g->limits = properties.limits;
}

/* Creates a host that takes times, and keeps no pipelines in files, since drivers do. */
static VkrResult create_host(VkrHostInfo info, VkrHost *host)
{
    info.flags |= VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_NO_CACHE_BIT;
    info.message = on_message;
    return vkrCreateHost(&info, host);
}

int gpu_open(gpu *g, const device_options *options, bool unmapped)
{
    char *text = NULL;
    size_t size = 0;
    int status =
        options->profile != NULL ? profile_read(options->profile, &text, &size) : STATUS_DONE;
    const VkrContextInfo context = {.profile = text, .profileSize = size};
    const VkrHostInfo info = {.device = options->device,
                              .turn = ranks_local(),
                              .flags = unmapped ? VKR_HOST_UNMAPPED_BIT : 0,
                              .context = &context};
    if (status == STATUS_DONE)
        status = status_of_search(create_host(info, &g->host), options->profile);
    if (status == STATUS_DONE)
        load_functions(g);
    free(text);
    return status;
}

int gpu_share(VkrHost with, bool operations, VkrHost *host)
{
    const VkrHostInfo info = {.shared = with,
                              .flags = operations ? VKR_HOST_OPERATION_TIMES_BIT : 0};
    return gpu_status(create_host(info, host));
}

void gpu_close(gpu *g)
{
    vkrDestroyHost(g->host);
    *g = (gpu){0};
}

/* ---- Work ---- */

int gpu_submit(VkrHost host)
{
    const VkrResult result = vkrHostSubmit(host);
    return gpu_status(result == VKR_SUCCESS ? vkrHostWait(host) : result);
}

int gpu_read_clock(VkrHost host, double *milliseconds)
{
    uint64_t ns = 0;
    const VkrResult result = vkrGetHostTime(host, &ns);
    *milliseconds = (double)ns * 1e-6;
    return gpu_status(result);
}

int gpu_upload(VkrHost host, const VkrHostMemory *memory, const input *in)
{
    int status = STATUS_DONE;
    if (memory->data != NULL)
        return input_read(in, 0, (size_t)in->size, memory->data);
    unsigned char *piece = malloc((size_t)least(in->size, PIECE) + 1);
    if (piece == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", in->name);
    for (uint64_t done = 0, size; status == STATUS_DONE && done < in->size; done += size) {
        size = least(in->size - done, PIECE);
        status = input_read(in, done, (size_t)size, piece);
        if (status == STATUS_DONE)
            status = gpu_status(vkrHostWrite(host, memory, done, size, piece));
    }
    free(piece);
    return status;
}
