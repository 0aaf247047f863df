/* SPDX-License-Identifier: MIT */
/* Calls whose arrays go through the device in chunks. */
#include "calls.h"

#define CHUNK ((VkDeviceSize)256 << 20) /* bytes of an array; more hardly makes a call faster */
#define LANES 2u                        /* chunks that are at work or loaded at the same time */

/* ---- How many items a chunk has ---- */

static void add(call_plan *plan, const call_array *a, VkDeviceSize each, VkDeviceSize more)
{
    if (a->data != NULL)
        plan->shares[plan->share_count++] = (call_share){a, each, more};
}

void call_plan_items(call_plan *plan, const call_array *a, uint64_t elements_of_item)
{
    const uint64_t most = UINT64_MAX / (a->stride != 0 ? a->stride : 1);
    /* Bits count as bytes, which only makes chunks smaller than they could be. */
    const VkDeviceSize stride = a->bits > 1 ? 1 : a->stride;
    add(plan, a, elements_of_item <= most ? elements_of_item * stride : UINT64_MAX, 0);
}

void call_plan_all(call_plan *plan, const call_array *a)
{
    add(plan, a, 0, a->size);
}

/* The bytes of n items, or UINT64_MAX if these are more. */
static VkDeviceSize bytes_of(const call_share *s, uint64_t n)
{
    if (s->each != 0 && n > (UINT64_MAX - s->more) / s->each)
        return UINT64_MAX;
    return s->each * n + s->more;
}

/* The most items for which an array has at most so many bytes. */
static uint64_t items_in(const call_share *s, VkDeviceSize bytes)
{
    if (s->each == 0)
        return UINT64_MAX;
    return bytes > s->more ? (bytes - s->more) / s->each : 0;
}

/* Whether n items fit the device; else *wide is the first array that does not, or NULL if all
 * together do not. */
static bool fit(const host_call *c, const call_plan *plan, uint64_t n, const call_array **wide)
{
    const VkrHostDevice *device = &c->host->device->described;
    VkDeviceSize room = device->memorySize / 2;
    for (size_t i = 0; i < plan->share_count; i++) {
        const VkDeviceSize bytes = bytes_of(&plan->shares[i], n);
        *wide = bytes > device->maxBufferSize ? plan->shares[i].array : NULL;
        if (*wide != NULL || bytes > room)
            return false;
        room -= bytes;
    }
    return true;
}

static VkrResult refuse(const host_call *c, const call_plan *plan, uint64_t n,
                        const call_array *wide)
{
    const VkrHostDevice *device = &c->host->device->described;
    const char *reason = plan->whole != NULL ? plan->whole : "a chunk has at least one unit";
    VkDeviceSize bytes = 0;
    for (size_t i = 0; i < plan->share_count; i++) {
        const VkDeviceSize more = bytes_of(&plan->shares[i], n);
        if (wide == NULL || plan->shares[i].array == wide)
            bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    }
    return host_fail(
        &c->voice, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
        "%s needs %llu bytes of the device, but must need at most %llu, %s; %s.",
        wide != NULL ? wide->field : "all arrays together", (unsigned long long)bytes,
        (unsigned long long)(wide != NULL ? device->maxBufferSize : device->memorySize / 2),
        wide != NULL ? "the size of a buffer" : "half of its memory", reason);
}

VkrResult call_cut(const host_call *c, const call_plan *plan, uint64_t *chunk)
{
    const VkrHostDevice *device = &c->host->device->described;
    const VkDeviceSize limit = plan->size != 0 ? plan->size : CHUNK;
    const call_array *wide = NULL;
    const bool fits = fit(c, plan, plan->items, &wide);
    uint64_t n = plan->items;
    for (size_t i = 0; i < plan->share_count; i++) {
        const call_share *s = &plan->shares[i];
        if (plan->size != 0 || !fits)
            n = host_min(n, items_in(s, host_min(limit, device->maxBufferSize)));
        if (!fits) /* lanes, and as much again for scratch */
            n = host_min(n, items_in(s, device->memorySize / (4 * LANES) / plan->share_count));
    }
    *chunk = plan->items;
    if (n == plan->items && fits)
        return VKR_SUCCESS;
    HOST_MUST(&c->voice, !fits || plan->whole == NULL,
              "chunkSize is %llu, but must be 0 or let all arrays be one chunk: %s.",
              (unsigned long long)plan->size, plan->whole);
    if (plan->whole == NULL) {
        n = n < plan->unit ? plan->unit : n / plan->unit * plan->unit;
        *chunk = host_min(n, plan->items);
    }
    return fit(c, plan, *chunk, &wide) ? VKR_SUCCESS : refuse(c, plan, *chunk, wide);
}

/* ---- The work ---- */

/* A host, and the items of the chunk that it has at work. */
typedef struct lane {
    VkrHost host;
    bool busy;
    uint64_t count;
} lane;

static VkrResult start(const host_call *c, const call_work *work, lane *l, uint64_t first,
                       uint64_t count)
{
    VkrResult result = vkrHostBegin(l->host);
    l->host->voice.call = c->voice.call;
    if (result == VKR_SUCCESS)
        result = work->record(work->data, l->host, first, count);
    if (result == VKR_SUCCESS)
        result = vkrHostSubmit(l->host);
    else
        vkrHostCancel(l->host);
    l->busy = result == VKR_SUCCESS;
    l->count = count;
    return result;
}

/* Waits for a chunk, whose arrays are the caller's again when the call returns. What was recorded
 * cannot be submitted again, since its arrays are gone. */
static VkrResult finish(const call_work *work, lane *l)
{
    const VkrHost h = l->host;
    if (!l->busy)
        return VKR_SUCCESS;
    l->busy = false;
    const VkrResult result = vkrHostWait(h);
    host_rest(h);
    h->state = HOST_RECORDED;
    vkrHostCancel(h);
    HOST_TRY(result);
    HOST_TRY(vkrReset(h->recorder));
    return work->done != NULL ? work->done(work->data, l->count) : VKR_SUCCESS;
}

/* Waits for a chunk after the call has failed, which has said why. */
static void finish_silently(const call_work *work, lane *l)
{
    const PFN_vkrMessage message = l->host->voice.message;
    l->host->voice.message = NULL;
    (void)finish(work, l);
    l->host->voice.message = message;
}

static VkrResult run_all(const host_call *c, const call_work *work, lane *lanes, uint32_t count)
{
    VkrResult result = VKR_SUCCESS;
    uint64_t first = 0, k = 0;
    do {
        lane *l = &lanes[k++ % count];
        const uint64_t n = host_min(work->chunk, work->items - first);
        result = finish(work, l);
        if (result == VKR_SUCCESS)
            result = start(c, work, l, first, n);
        first += n;
    } while (result == VKR_SUCCESS && first < work->items);
    for (uint32_t i = 0; i < count; i++) {
        lane *l = &lanes[(k + i) % count];
        if (result == VKR_SUCCESS)
            result = finish(work, l);
        else
            finish_silently(work, l);
    }
    return result;
}

VkrResult call_run(const host_call *c, const call_work *work)
{
    lane lanes[LANES] = {{.host = c->host}};
    const VkrHost h = c->host;
    const VkrHostInfo info = {.shared = h,
                              .message = h->voice.message,
                              .messageData = h->voice.data,
                              .progress = h->progress,
                              .progressData = h->progress_data,
                              .timeout = h->timeout};
    if (work->serial || work->chunk >= work->items)
        return run_all(c, work, lanes, 1);
    HOST_TRY(vkrCreateHost(&info, &lanes[1].host));
    const VkrResult result = run_all(c, work, lanes, LANES);
    if (lanes[1].host->failed != VKR_SUCCESS)
        h->failed = lanes[1].host->failed;
    vkrDestroyHost(lanes[1].host);
    return result;
}
