/* SPDX-License-Identifier: MIT */
/* --weights and --mask: what each element counts, and which elements count at all. */
#include <math.h>
#include "commands/histogram/histogram.h"
#include "input/flags.h"
#include "input/number.h"
#include "input/value.h"
#include "output/text.h"
#include "status.h"

#define DEFAULT_BITS 16u

int histogram_open_weights(histogram_request *r)
{
    const histogram_options *opts = r->opts;
    int status = STATUS_DONE;
    if (opts->weights != NULL)
        status = flags_open(&r->weights, opts->weights, "--weights", r->in.count);
    if (status == STATUS_DONE && opts->mask != NULL)
        status = flags_open(&r->mask, opts->mask, "--mask", r->in.count);
    if (status != STATUS_DONE)
        return status;
    const bool floats = opts->weights != NULL && is_float(r->weights.type);
    if (opts->weights != NULL && vkrTypeSize(r->weights.type) > sizeof(float))
        return fail(STATUS_USAGE,
                    "%s: its values are %s; --weights needs values of at most 32 bits",
                    r->weights.name, vkrTypeName(r->weights.type));
    if (opts->weight_bits != NULL && !floats)
        return fail(STATUS_USAGE, "--weight-bits is for --weights that are floats; leave it out");
    uint64_t bits = floats ? DEFAULT_BITS : 0;
    if (opts->weight_bits != NULL && !parse_count(opts->weight_bits, 0, 31, &bits))
        return fail(STATUS_USAGE, "--weight-bits is '%s'; it must be a whole number from 0 to 31",
                    opts->weight_bits);
    r->weight_bits = (uint32_t)bits;
    return status;
}

/* ---- Chunks ---- */

int histogram_load_weights(const histogram_request *r, pipe_slot *slot)
{
    int status = STATUS_DONE;
    if (r->opts->weights != NULL) {
        slot->buffers[WEIGHTS].used = input_span(&r->weights, slot->count);
        status = input_load(&r->weights, slot->first, slot->count, pipe_map(slot, WEIGHTS));
    }
    if (status == STATUS_DONE && r->opts->mask != NULL) {
        slot->buffers[FLAGS].used = flag_bytes(slot->count);
        status = flags_load(&r->mask, slot->first, slot->count, pipe_map(slot, FLAGS));
    }
    return status;
}

VkrView histogram_weights(const histogram_request *r, const pipe_slot *slot)
{
    return r->opts->weights != NULL ? pipe_view(slot, WEIGHTS, &r->weights, slot->count)
                                    : (VkrView){0};
}

VkrMask histogram_mask(const histogram_request *r, const pipe_slot *slot)
{
    const pipe_buffer *flags = &slot->buffers[FLAGS];
    if (r->opts->mask == NULL)
        return (VkrMask){0};
    return (VkrMask){.flags = {.format = VKR_FLAGS_BITS,
                               .range = {flags->device.buffer, 0, flag_bytes(slot->count)}}};
}

/* ---- Sums of weights ---- */

VkrType histogram_count_type(const histogram_request *r)
{
    if (r->opts->weights == NULL)
        return VKR_TYPE_U64;
    return is_float(r->weights.type)    ? VKR_TYPE_F64
           : is_signed(r->weights.type) ? VKR_TYPE_I64
                                        : VKR_TYPE_U64;
}

double histogram_number(const histogram_request *r, uint64_t count)
{
    const VkrType type = histogram_count_type(r);
    if (type == VKR_TYPE_U64)
        return (double)count;
    return ldexp((double)value_as_signed(VKR_TYPE_I64, &count), -(int)r->weight_bits);
}

void histogram_format_count(const histogram_request *r, uint64_t count, char text[32])
{
    const VkrType type = histogram_count_type(r);
    const double number = histogram_number(r, count);
    format_value(text, 32, type, type == VKR_TYPE_F64 ? (const void *)&number : &count, 17);
}

int histogram_check_weights(const histogram_request *r, const histogram_results *results)
{
    char text[32];
    for (size_t i = 0; i < (size_t)r->in.components * r->bins && r->share_count > 0; i++) {
        if (!(histogram_number(r, results->counts[i]) < 0))
            continue;
        histogram_format_count(r, results->counts[i], text);
        return fail(STATUS_USAGE,
                    "--quantiles needs sums of --weights that are not negative; that of bin %u of "
                    "channel %u is %s",
                    (unsigned)(i % r->bins), (unsigned)(i / r->bins), text);
    }
    return STATUS_DONE;
}
