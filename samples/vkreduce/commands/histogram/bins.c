/* SPDX-License-Identifier: MIT */
/* Sets the bins and the quantiles from --bins, --range, --log2, --edges and --quantiles. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "input/number.h"
#include "input/value.h"
#include "status.h"

int histogram_check_options(const histogram_options *opts)
{
    if (opts->bins == 0 && opts->edges == NULL)
        return fail(STATUS_USAGE, "histogram needs --bins N, or --edges FILE.npy");
    if (opts->edges != NULL && (opts->range != NULL || opts->log2))
        return fail(STATUS_USAGE, "--edges sets all bins; leave --%s out",
                    opts->range != NULL ? "range" : "log2");
    return STATUS_DONE;
}

/* ---- Numbers ---- */

/* A number from a file or the command line, exactly. */
typedef struct number {
    bool is_float;
    double real;        /* of a float */
    bool negative;      /* sign of an integer .. */
    uint64_t magnitude; /* .. and its absolute value */
} number;

static number number_at(VkrType type, const unsigned char *at)
{
    number n = {.is_float = is_float(type)};
    const uint32_t size = vkrTypeSize(type);
    if (n.is_float) {
        n.real = value_as_double(type, at);
        return n;
    }
    memcpy(&n.magnitude, at, size); /* little-endian, like the device */
    n.negative = is_signed(type) && (n.magnitude >> (8 * size - 1) & 1) != 0;
    if (n.negative)
        n.magnitude = (0 - n.magnitude) & UINT64_MAX >> (64 - 8 * size);
    return n;
}

/* Whether a number is greater than another one of the same type. */
static bool is_greater(const number *a, const number *b)
{
    if (a->is_float)
        return a->real > b->real;
    if (a->negative != b->negative)
        return b->negative;
    return a->negative ? a->magnitude < b->magnitude : a->magnitude > b->magnitude;
}

/* The smallest double that is not less than the number. */
static double double_from(const number *n)
{
    if (n->is_float)
        return n->real;
    double d = (double)n->magnitude;
    const bool below = d < 0x1p64 && (uint64_t)d < n->magnitude;
    const bool above = d >= 0x1p64 || (uint64_t)d > n->magnitude;
    if (below && !n->negative)
        d = nextafter(d, INFINITY);
    if (above && n->negative)
        d = nextafter(d, 0.0);
    return n->negative ? -d : d;
}

/* The nearest value of the type of edges, F32 or F64. */
static double nearest_value(const number *n, VkrType type)
{
    if (n->is_float)
        return type == VKR_TYPE_F64 ? n->real : (double)(float)n->real;
    const double d = type == VKR_TYPE_F64 ? (double)n->magnitude : (double)(float)n->magnitude;
    return n->negative ? -d : d;
}

static bool is_equal(const number *n, double d)
{
    if (n->is_float)
        return n->real == d;
    return fabs(d) < 0x1p64 && (d < 0) == n->negative && (uint64_t)fabs(d) == n->magnitude;
}

/* ---- --edges ---- */

/* How an edge compares with the values of the elements' type. */
typedef enum standing {
    STANDS_ON,     /* the edge is one of them */
    STANDS_BEFORE, /* it was rounded up to one, which changes no element's bin */
    STANDS_BEYOND  /* all of them are less than the edge */
} standing;

static standing convert_to_float(const number *n, VkrType type, void *edge)
{
    const double d = double_from(n);
    float f = (float)d;
    if ((double)f < d)
        f = nextafterf(f, INFINITY);
    memcpy(edge, type == VKR_TYPE_F64 ? (const void *)&d : &f, vkrTypeSize(type));
    return is_equal(n, type == VKR_TYPE_F64 ? d : (double)f) ? STANDS_ON : STANDS_BEFORE;
}

/* The smallest integer that is not less than the number. */
static number integer_from(const number *n)
{
    if (!n->is_float)
        return *n;
    const double whole = ceil(n->real);
    const double magnitude = fabs(whole);
    return (number){.negative = whole < 0,
                    .magnitude = magnitude < 0x1p64 ? (uint64_t)magnitude : UINT64_MAX};
}

static standing convert_to_integer(const number *n, VkrType type, void *edge)
{
    const uint64_t greatest = UINT64_MAX >> (64 - 8 * vkrTypeSize(type) + is_signed(type));
    const uint64_t lowest = is_signed(type) ? greatest + 1 : 0; /* the magnitude of the minimum */
    const bool past = n->is_float && n->real >= 0x1p64;
    number whole = integer_from(n);
    standing stands = n->is_float && ceil(n->real) != n->real ? STANDS_BEFORE : STANDS_ON;
    if (past || (!whole.negative && whole.magnitude > greatest)) {
        whole.magnitude = greatest;
        stands = STANDS_BEYOND;
    } else if (whole.negative && whole.magnitude > lowest) {
        whole.magnitude = lowest;
        stands = STANDS_BEFORE;
    }
    const uint64_t bits = whole.negative ? 0 - whole.magnitude : whole.magnitude;
    memcpy(edge, &bits, vkrTypeSize(type)); /* little-endian, like the device */
    return stands;
}

static int check_edges(const input *in, const histogram_options *opts)
{
    const uint64_t most = VKR_MAX_BINS + 1;
    if (in->components != 1 || in->count < 2 || in->count > most)
        return fail(STATUS_USAGE,
                    "%s: it has %llu x %u values; --edges needs 2 to %llu, one more than the "
                    "number of bins",
                    in->name, (unsigned long long)in->count, in->components,
                    (unsigned long long)most);
    if (opts->bins != 0 && opts->bins + 1 != in->count)
        return fail(STATUS_USAGE,
                    "%s: it has %llu edges, for %llu bins, but --bins is %llu; leave --bins out",
                    in->name, (unsigned long long)in->count, (unsigned long long)in->count - 1,
                    (unsigned long long)opts->bins);
    return STATUS_DONE;
}

/* As in numpy, edges are compared with elements as exact numbers. So an edge that is not a value of
 * the elements' type is rounded up to one; the first edge beyond the maximum of the type closes the
 * last bin that can hold elements. */
static int take_edges(histogram_request *r, const input *in, const unsigned char *values)
{
    const VkrType type = is_float(r->in.type) ? r->edge_type : r->in.type;
    const uint32_t size = vkrTypeSize(type), from = vkrTypeSize(in->type);
    standing stands = STANDS_ON;
    number before = {0};
    for (uint32_t k = 0; k <= r->bins; k++) {
        const number n = number_at(in->type, values + (size_t)k * from);
        char *edge = (char *)r->given + (size_t)k * size;
        if ((n.is_float && isnan(n.real)) || (k > 0 && is_greater(&before, &n)))
            return fail(STATUS_USAGE, "%s: edge %u is %s; edges must be ascending numbers",
                        in->name, k,
                        n.is_float && isnan(n.real) ? "NaN" : "less than the one before");
        r->edges[k] = nearest_value(&n, r->edge_type);
        before = n;
        if (stands == STANDS_BEYOND)
            continue;
        stands =
            is_float(type) ? convert_to_float(&n, type, edge) : convert_to_integer(&n, type, edge);
        r->used.count = k;
    }
    r->given_size = (uint64_t)(r->used.count + 1) * size;
    if (r->used.count == 0)
        return fail(STATUS_USAGE, "%s: edge 0 is beyond all values of %s; leave it out", in->name,
                    vkrTypeName(r->in.type));
    r->closed = stands == STANDS_BEYOND || (r->opts->closed && stands == STANDS_ON);
    return STATUS_DONE;
}

static int load_edges(histogram_request *r)
{
    const input *in = &r->edge_file;
    unsigned char *values = NULL;
    int status = check_edges(in, r->opts);
    if (status == STATUS_DONE) {
        r->bins = (uint32_t)in->count - 1;
        r->used = (VkrBins){.kind = VKR_BINS_EDGES};
        r->edges = malloc((size_t)in->count * r->in.components * sizeof *r->edges);
        r->given = malloc((size_t)in->count * sizeof(uint64_t));
        values = malloc((size_t)in->size);
        if (r->edges == NULL || r->given == NULL || values == NULL)
            status = fail(STATUS_VULKAN, "%s: out of memory", in->name);
    }
    if (status == STATUS_DONE)
        status = input_read(in, 0, (size_t)in->size, values);
    if (status == STATUS_DONE)
        status = take_edges(r, in, values);
    for (uint32_t c = 1; c < r->in.components && status == STATUS_DONE; c++)
        memcpy(r->edges + (size_t)c * (r->bins + 1), r->edges, (r->bins + 1) * sizeof *r->edges);
    free(values);
    return status;
}

/* ---- --range ---- */

/* The largest number that an edge of floats can be. */
static double max_float(const histogram_request *r)
{
    return r->edge_type == VKR_TYPE_F64 ? DBL_MAX : (double)FLT_MAX;
}

static int bad_bound(const histogram_request *r, const char *text)
{
    if (is_float(r->in.type))
        return fail(STATUS_USAGE, "--range: '%s' must be a finite number, from -%g to %g, for %s",
                    text, max_float(r), max_float(r), vkrTypeName(r->in.type));
    return fail(STATUS_USAGE,
                "--range: '%s' must be a whole number from -9223372036854775808 to "
                "18446744073709551616, for %s",
                text, vkrTypeName(r->in.type));
}

/* Returns -magnitude; the magnitude is at most 2^63. */
static int64_t negated(uint64_t magnitude)
{
    return magnitude == 0 ? 0 : -(int64_t)(magnitude - 1) - 1;
}

/* A bound greater than INT64_MAX is stored as 2^64 in `value` plus an `integer` <= 0. */
static int parse_integer_bound(const histogram_request *r, const char *text, VkrBound *bound)
{
    const bool negative = text[0] == '-';
    uint64_t magnitude;
    *bound = (VkrBound){0};
    if (strcmp(text, "18446744073709551616") == 0) {
        bound->value = 0x1p64;
        return STATUS_DONE;
    }
    if (!parse_count(text + (negative || text[0] == '+'), 0,
                     negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX, &magnitude))
        return bad_bound(r, text);
    const bool great = !negative && magnitude > INT64_MAX;
    bound->value = great ? 0x1p64 : 0.0;
    bound->integer = great      ? negated(0 - magnitude)
                     : negative ? negated(magnitude)
                                : (int64_t)magnitude;
    return STATUS_DONE;
}

static int parse_bound(const histogram_request *r, const char *text, VkrBound *bound)
{
    char *end;
    if (!is_float(r->in.type))
        return parse_integer_bound(r, text, bound);
    *bound = (VkrBound){.value = strtod(text, &end)};
    /* The decimal digits of the largest f32 may mean a little more than it. */
    if (r->in.type == VKR_TYPE_F32 && fabs(bound->value) > max_float(r))
        bound->value = (float)bound->value;
    const bool fits = fabs(bound->value) <= max_float(r);
    return end != text && *end == '\0' && fits ? STATUS_DONE : bad_bound(r, text);
}

/* Whether one parsed bound is less than another: `value` decides, and `integer` where both have the
 * same `value`. */
static bool is_less(const VkrBound *a, const VkrBound *b)
{
    return a->value != b->value ? a->value < b->value : a->integer < b->integer;
}

/* Checks that bins of integers hold at least one value of the type, and are at most 2^64 wide. */
static int check_integers(const histogram_request *r, const char *text)
{
    const VkrBins *bins = &r->used;
    const bool negative = is_signed(r->in.type);
    const uint64_t greatest = UINT64_MAX >> (64 - 8 * vkrTypeSize(r->in.type) + negative);
    const VkrBound max = {.value = greatest > INT64_MAX ? 0x1p64 : 0.0,
                          .integer = greatest > INT64_MAX ? -1 : (int64_t)greatest};
    const VkrBound min = {.integer = negative ? negated(greatest + 1) : 0};
    if (is_less(&max, &bins->low) || !is_less(&min, &bins->high))
        return fail(STATUS_USAGE, "--range is '%s'; it must have at least one value of %s", text,
                    vkrTypeName(r->in.type));
    if (bins->low.value == 0.0 && bins->low.integer < 0 && bins->high.value != 0.0 &&
        bins->high.integer > bins->low.integer)
        return fail(STATUS_USAGE, "--range is '%s'; HI may be at most 2^64 above LO", text);
    return STATUS_DONE;
}

static int parse_range(histogram_request *r)
{
    char low[SHARE_TEXT * 4] = "";
    const char *text = r->opts->range, *colon = strchr(text, ':');
    const size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    VkrBins *bins = &r->used;
    if (colon == NULL)
        return fail(STATUS_USAGE, "--range is '%s'; it must be LO:HI, such as 0:256", text);
    if (length >= sizeof low)
        return fail(STATUS_USAGE, "--range is '%s'; LO has %zu characters and may have up to %zu",
                    text, length, sizeof low - 1);
    memcpy(low, text, length);
    int status = parse_bound(r, low, &bins->low);
    if (status == STATUS_DONE)
        status = parse_bound(r, colon + 1, &bins->high);
    if (status != STATUS_DONE)
        return status;
    if (!is_less(&bins->low, &bins->high))
        return fail(STATUS_USAGE, "--range is '%s'; LO must be less than HI", text);
    if (bins->kind == VKR_BINS_LOG2 && !is_less(&(VkrBound){0}, &bins->low))
        return fail(STATUS_USAGE, "--range is '%s'; with --log2 LO must be greater than 0", text);
    return is_float(r->in.type) ? STATUS_DONE : check_integers(r, text);
}

/* ---- --quantiles ---- */

static int parse_share(histogram_request *r, const char *text, size_t length)
{
    const uint32_t i = r->share_count;
    char *share = r->share_texts[i], *end;
    if (length >= SHARE_TEXT)
        return fail(STATUS_USAGE, "--quantiles: '%.*s' has %zu characters; it may have up to %u",
                    (int)length, text, length, SHARE_TEXT - 1);
    memcpy(share, text, length);
    r->shares[i] = strtod(share, &end);
    if (end == share || *end != '\0' || !(r->shares[i] >= 0.0 && r->shares[i] <= 1.0))
        return fail(STATUS_USAGE, "--quantiles: '%.*s' must be a number from 0 to 1, such as 0.5",
                    (int)length, text);
    for (uint32_t k = 0; k < i; k++)
        if (strcmp(r->share_texts[k], share) == 0)
            return fail(STATUS_USAGE, "--quantiles: %s is named twice; name it once", share);
    r->share_count++;
    return STATUS_DONE;
}

static int parse_shares(histogram_request *r)
{
    const char *text = r->opts->quantiles;
    int status = STATUS_DONE;
    while (text != NULL && status == STATUS_DONE) {
        const size_t length = strcspn(text, ",");
        if (r->share_count == VKR_MAX_SHARES)
            return fail(STATUS_USAGE, "--quantiles names more than %u; name fewer", VKR_MAX_SHARES);
        status = parse_share(r, text, length);
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
    return status;
}

int histogram_bins(histogram_request *r)
{
    const histogram_options *opts = r->opts;
    r->edge_type = vkrTypeSize(r->in.type) == 8 ? VKR_TYPE_F64 : VKR_TYPE_F32;
    int status = parse_shares(r);
    if (status != STATUS_DONE)
        return status;
    if (opts->edges != NULL)
        return load_edges(r);
    r->bins = (uint32_t)opts->bins;
    r->used = (VkrBins){.kind = opts->log2 ? VKR_BINS_LOG2 : VKR_BINS_EVEN, .count = r->bins};
    r->own_range = opts->range == NULL;
    r->closed = r->own_range || opts->closed;
    return r->own_range ? STATUS_DONE : parse_range(r);
}
