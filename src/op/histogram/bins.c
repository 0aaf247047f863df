/* SPDX-License-Identifier: MIT */
#include "bins.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../../tables/kernels.h"

/* ---- Bounds ---- */

/* An integer of 96 bits: high * 2^32 + low. */
typedef struct integer {
    int64_t high;
    uint32_t low;
} integer;

/* high * 2^32 + low. */
static integer integer_of(int64_t high, int64_t low)
{
    const uint32_t word = (uint32_t)low;
    return (integer){high + (low - word) / ((int64_t)1 << 32), word};
}

/* Sets *out to value + integer + more. Returns false unless `value` is an integer of magnitude at
 * most 2^64, and the sum lies between -2^63 and 2^64 + more. */
static bool make_integer(const VkrBound *bound, uint32_t more, integer *out)
{
    const double value = bound->value;
    if (!(fabs(value) <= 0x1p64))
        return false;
    /* The value is split into two exact parts: a multiple of 2^32, and the remainder. */
    const int64_t high = (int64_t)(value / 0x1p32);
    const double left = value - (double)high * 0x1p32;
    const int64_t low = (int64_t)left;
    if ((double)low != left)
        return false;
    const integer own = integer_of(0, bound->integer);
    const int64_t min = -((int64_t)1 << 31), max = (int64_t)1 << 32;
    *out = integer_of(high + own.high, low + own.low + more);
    return out->high >= min && (out->high < max || (out->high == max && out->low <= more));
}

static int compare(const integer *a, const integer *b)
{
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->low < b->low ? -1 : a->low > b->low;
}

/* Stores an integer as three words in two's complement. */
static void store_integer(const integer *a, uint32_t words[3])
{
    words[0] = a->low;
    words[1] = (uint32_t)a->high;
    words[2] = (uint32_t)((uint64_t)a->high >> 32);
}

static void store_float(double value, uint32_t words[3])
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    words[0] = (uint32_t)bits;
    words[1] = (uint32_t)(bits >> 32);
    words[2] = 0;
}

/* ---- Checks ---- */

static bool is_of_gpu(const vkr_bins *b)
{
    return b->info->gpuRange.buffer != VK_NULL_HANDLE;
}

static VkrResult check_floats(const vkr_walk *w, const vkr_bins *b)
{
    const VkrBins *info = b->info;
    const double low = info->low.value, high = info->high.value;
    const double max = b->type->size == 8 ? DBL_MAX : (double)FLT_MAX;
    VKR_MUST(w, info->low.integer == 0,
             "bins.low.integer is %" PRId64 ", but must be 0 for elements of %s.",
             info->low.integer, b->type->name);
    VKR_MUST(w, info->high.integer == 0,
             "bins.high.integer is %" PRId64 ", but must be 0 for elements of %s.",
             info->high.integer, b->type->name);
    VKR_MUST(w, fabs(low) <= max, "bins.low.value is %g, but must be a finite %s.", low,
             b->edge_size == 8 ? "f64" : "f32");
    VKR_MUST(w, fabs(high) <= max, "bins.high.value is %g, but must be a finite %s.", high,
             b->edge_size == 8 ? "f64" : "f32");
    VKR_MUST(w, low < high, "bins.low.value is %.17g, but must be less than bins.high, %.17g.", low,
             high);
    VKR_MUST(w, info->kind != VKR_BINS_LOG2 || low > 0.0,
             "bins.low.value is %g, but must be greater than 0 where bins.kind is log2.", low);
    return VKR_SUCCESS;
}

/* Sets the bounds of integer bins. INTEGERS has one bin for each integer. */
static bool make_bounds(const vkr_bins *b, integer *low, integer *high)
{
    const VkrBins *info = b->info;
    const bool counts = info->kind == VKR_BINS_INTEGERS;
    return make_integer(&info->low, 0, low) &&
           make_integer(counts ? &info->low : &info->high, counts ? info->count : 0, high);
}

static VkrResult check_integers(const vkr_walk *w, const vkr_bins *b)
{
    const VkrBins *info = b->info;
    const uint32_t bits = 8 * b->type->size;
    const uint64_t all = UINT64_MAX >> (64 - bits);
    const uint64_t greatest = b->type->is_signed ? all / 2 : all;
    const integer zero = {0, 0}, span = {(int64_t)1 << 32, 0};
    const integer min = integer_of(0, b->type->is_signed ? -(int64_t)(all / 2) - 1 : 0);
    const integer max = {(int64_t)(greatest >> 32), (uint32_t)greatest};
    integer low, high;
    VKR_MUST(w, make_integer(&info->low, 0, &low),
             "bins.low is %g + %" PRId64 ", but must be an integer from -2^63 to 2^64.",
             info->low.value, info->low.integer);
    VKR_MUST(w, make_bounds(b, &low, &high),
             "bins.high is %g + %" PRId64 ", but must be an integer from -2^63 to 2^64.",
             info->kind == VKR_BINS_INTEGERS ? info->low.value : info->high.value,
             info->kind == VKR_BINS_INTEGERS ? info->low.integer : info->high.integer);
    VKR_MUST(w, compare(&low, &high) < 0,
             "bins.low is %g + %" PRId64 ", but must be less than bins.high, %g + %" PRId64 ".",
             info->low.value, info->low.integer, info->high.value, info->high.integer);
    const integer apart = integer_of(high.high - low.high, (int64_t)high.low - low.low);
    VKR_MUST(w, compare(&apart, &span) <= 0,
             "bins.low is %g + %" PRId64 ", but must be at most 2^64 below bins.high, %g + %" PRId64
             ".",
             info->low.value, info->low.integer, info->high.value, info->high.integer);
    VKR_MUST(w, compare(&low, &max) <= 0 && compare(&high, &min) > (b->is_closed ? -1 : 0),
             "bins.low is %g + %" PRId64 ", but at least one value of type %s must lie in a bin.",
             info->low.value, info->low.integer, b->type->name);
    VKR_MUST(w, info->kind != VKR_BINS_LOG2 || compare(&low, &zero) > 0,
             "bins.low is %g + %" PRId64 ", but must be greater than 0 where bins.kind is log2.",
             info->low.value, info->low.integer);
    return VKR_SUCCESS;
}

/* Checks a range that the GPU has; the values of its components are adjacent. */
static VkrResult check_gpu_range(const vkr_walk *w, const vkr_bins *b)
{
    const VkrGpuRange *range = &b->info->gpuRange;
    const VkDeviceSize size = b->type->size, align = vkr_min(size, 4);
    const VkDeviceSize bytes = size * b->components;
    const VkDeviceSize apart =
        range->low < range->high ? range->high - range->low : range->low - range->high;
    const vkr_caps *caps = &w->context->caps;
    VKR_MUST(w, b->info->kind == VKR_BINS_EVEN || b->info->kind == VKR_BINS_LOG2,
             "bins.gpuRange is given, but bins.kind is %s, and must then be even or log2.",
             vkrBinKindName(b->info->kind));
    VKR_MUST_BE(w, range->low % align == 0, "bins.gpuRange", ".low", range->low,
                "be a multiple of %" PRIu64 ".", align);
    VKR_MUST_BE(w, range->high % align == 0, "bins.gpuRange", ".high", range->high,
                "be a multiple of %" PRIu64 ".", align);
    VKR_MUST_BE(w, range->low <= UINT64_MAX - bytes, "bins.gpuRange", ".low", range->low,
                "be an offset in the buffer.");
    VKR_MUST_BE(w, range->high <= UINT64_MAX - bytes, "bins.gpuRange", ".high", range->high,
                "be an offset in the buffer.");
    VKR_FIT(w, apart <= vkr_room(caps) - bytes,
            "bins.gpuRange.low and high are %" PRIu64 " bytes apart, but", apart);
    return VKR_SUCCESS;
}

static VkrResult check_edges(const vkr_walk *w, const vkr_bins *b)
{
    const VkrBins *info = b->info;
    const VkDeviceSize size = b->type->is_float ? b->edge_size : b->type->size;
    const VkDeviceSize bytes = size * ((VkDeviceSize)info->count + 1);
    const vkr_caps *caps = &w->context->caps;
    if (info->kind != VKR_BINS_EDGES) {
        VKR_MUST(w, info->edges.buffer == VK_NULL_HANDLE,
                 "bins.edges is given, but bins.kind is %s, and must then be edges.",
                 vkrBinKindName(info->kind));
        return VKR_SUCCESS;
    }
    VKR_FIT(w, bytes <= vkr_room(caps), "bins.count is %u, but all edges", info->count);
    return vkr_check_range(w, "bins.edges", &info->edges, vkr_min(size, 4), bytes);
}

VkrResult vkr_check_bins(const vkr_walk *w, vkr_bins *b)
{
    const VkrBins *info = b->info;
    b->edge_size = b->type->size == 8 ? 8 : 4;
    b->tables = is_of_gpu(b) ? b->components : 1;
    VKR_TRY(vkr_check_choice(w, "bins.kind", (int)info->kind, VKR_BIN_KIND_COUNT));
    VKR_MUST(w, info->count >= 1 && info->count <= VKR_MAX_BINS,
             "bins.count is %u, but must be from 1 to %u.", info->count, VKR_MAX_BINS);
    VKR_MUST(w, info->kind != VKR_BINS_INTEGERS || !b->type->is_float,
             "bins.kind is integers, but elements are %s, and must then be integers.",
             b->type->name);
    VKR_TRY(check_edges(w, b));
    if (is_of_gpu(b))
        return check_gpu_range(w, b);
    if (info->kind == VKR_BINS_EDGES)
        return VKR_SUCCESS;
    return b->type->is_float ? check_floats(w, b) : check_integers(w, b);
}

/* ---- The pass ---- */

/* The bounds, or the edges, that the GPU has, as one item. */
static vkr_place place_of_source(const vkr_bins *b)
{
    const VkrGpuRange *range = &b->info->gpuRange;
    const VkrBufferRange *edges = &b->info->edges;
    const VkDeviceSize bytes = (VkDeviceSize)b->type->size * b->components;
    const VkDeviceSize first = vkr_min(range->low, range->high);
    const VkDeviceSize end = vkr_max(range->low, range->high) + bytes;
    if (b->info->kind == VKR_BINS_EDGES) {
        const VkDeviceSize size = b->type->is_float ? b->edge_size : b->type->size;
        return vkr_place_of_bytes(edges->buffer, edges->offset,
                                  size * ((VkDeviceSize)b->info->count + 1), 1);
    }
    return is_of_gpu(b) ? vkr_place_of_bytes(range->buffer, first, end - first, 1) : (vkr_place){0};
}

void vkr_regions_of_bins(const vkr_bins *b, vkr_region regions[VKR_BINS_REGIONS])
{
    const VkrGpuRange *range = &b->info->gpuRange;
    const VkrBufferRange *edges = &b->info->edges;
    const VkDeviceSize bytes = (VkDeviceSize)b->type->size * b->components;
    const vkr_place source = place_of_source(b);
    regions[0] = vkr_region_of_bytes("bins.gpuRange.low", range->buffer, range->low, bytes, false);
    regions[1] =
        vkr_region_of_bytes("bins.gpuRange.high", range->buffer, range->high, bytes, false);
    regions[2] =
        vkr_region_of_bytes("bins.edges", edges->buffer, edges->offset, source.size, false);
}

static uint32_t choose_kernel(const vkr_bins *b)
{
    const vkr_family family = b->info->kind == VKR_BINS_LOG2    ? VKR_FAMILY_EDGES_LOG2
                              : b->info->kind == VKR_BINS_EDGES ? VKR_FAMILY_EDGES_GIVEN
                                                                : VKR_FAMILY_EDGES_EVEN;
    return vkr_find_kernel(family, vkr_class_of(b->type_id), false, false, 0,
                           VKR_GROUP_PATH_SHARED);
}

static void set_bounds(const vkr_bins *b, struct vkr_edges_push *push)
{
    integer low, high;
    if (is_of_gpu(b) || b->info->kind == VKR_BINS_EDGES)
        return;
    if (b->type->is_float) {
        store_float(b->info->low.value, push->low);
        store_float(b->info->high.value, push->high);
    } else if (make_bounds(b, &low, &high)) {
        store_integer(&low, push->low);
        store_integer(&high, push->high);
    }
}

/* Sets where the bounds lie in the source. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_bins *b = pass->operation;
    const VkrGpuRange *range = &b->info->gpuRange;
    struct vkr_edges_push *push = VKR_PUSH(step, vkr_edges_push);
    const uint32_t start = push->low_at;
    const VkDeviceSize first = vkr_min(range->low, range->high);
    push->low_at = start + (uint32_t)(is_of_gpu(b) ? range->low - first : 0);
    push->high_at = start + (uint32_t)(is_of_gpu(b) ? range->high - first : 0);
    (void)window;
}

static uint32_t flags_of(const vkr_bins *b)
{
    return (b->is_closed ? VKR_EDGES_FLAG_CLOSED : 0) | (is_of_gpu(b) ? VKR_EDGES_FLAG_OF_GPU : 0) |
           (b->edges.buffer != VK_NULL_HANDLE ? VKR_EDGES_FLAG_STORED : 0);
}

VkrResult vkr_plan_bins(VkrRecorder recorder, const vkr_walk *walk, vkr_bins *b)
{
    const uint32_t words = VKR_BINS_HEADER + b->info->count * (b->type->size == 8 ? 2u : 1u);
    const uint64_t edges = ((uint64_t)b->info->count + 1) * b->components;
    const uint64_t invocations =
        vkr_max(edges, vkr_max(b->cleared[0].size, b->cleared[1].size) / 4);
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, words, b->tables, &b->table));
    vkr_pass pass = {.walk = walk,
                     .card = &vkr_edges_card,
                     .kernel = choose_kernel(b),
                     .constants = {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP,
                                   [VKR_EDGES_CONST_CLASS] = vkr_class_of(b->type_id),
                                   [VKR_EDGES_CONST_SIGNED] = b->type->is_signed,
                                   [VKR_EDGES_CONST_FLAGS] = flags_of(b)},
                     .slots = {[VKR_EDGES_SLOT_SOURCE] = {.place = place_of_source(b)},
                               [VKR_EDGES_SLOT_TABLE] = vkr_items(b->table, 0, b->tables),
                               [VKR_EDGES_SLOT_OUTPUT] = {.place = b->edges},
                               [VKR_EDGES_SLOT_CLEARED] = {.place = b->cleared[0]},
                               [VKR_EDGES_SLOT_CLEARED + 1] = {.place = b->cleared[1]}},
                     .finish = finish,
                     .operation = b};
    struct vkr_edges_push *push = VKR_PUSH(&pass, vkr_edges_push);
    set_bounds(b, push);
    push->bins = b->info->count;
    push->components = b->components;
    push->table_stride = b->tables > 1 ? words : 0;
    push->counts_words = (uint32_t)(b->cleared[0].size / 4);
    push->outside_words = (uint32_t)(b->cleared[1].size / 4);
    return vkr_emit_groups(recorder, &pass, vkr_divide_up(invocations, VKR_SMALL_WORKGROUP));
}
