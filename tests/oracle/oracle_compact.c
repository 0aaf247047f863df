/* SPDX-License-Identifier: MIT */
#include "oracle_compact.h"
#include "oracle_parts.h"

/* ---- Values ---- */

/* Loads a value, sign-extended. */
static uint64_t load(const type_row *t, const unsigned char *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, t->bits / 8); /* little-endian */
    if (t->kind == KIND_SIGNED && (bits & sign_bit(t)) != 0)
        bits |= ~(sign_bit(t) | (sign_bit(t) - 1));
    return bits;
}

/* Rounds a double to a 16-bit float. */
static uint64_t round_to_16(const type_row *t, double value)
{
    const uint64_t sign = signbit(value) ? sign_bit(t) : 0;
    const int precision = (int)t->fraction + 1;
    /* The exponents of the number's last place, and of the smallest number. */
    const int least = 3 - (1 << (15 - precision)) - precision;
    const double magnitude = fabs(value);
    int exponent;
    if (isnan(value))
        return sign | nan_bits(t);
    if (isinf(value))
        return sign | infinity_bits(t);
    (void)frexp(magnitude, &exponent);
    const bool is_least = magnitude == 0 || exponent - precision < least;
    const int unit = is_least ? least : exponent - precision;
    const double places = nearbyint(ldexp(magnitude, -unit));
    const uint64_t bits = ((uint64_t)(unit - least) << t->fraction) + (uint64_t)places;
    return sign | (bits < infinity_bits(t) ? bits : infinity_bits(t));
}

uint64_t oracle_constant(VkrType type, VkrConstant constant)
{
    uint64_t bits = 0;
    if (oracle_types[type].kind == KIND_SIGNED)
        return (uint64_t)constant.i;
    if (oracle_types[type].kind == KIND_UNSIGNED)
        return constant.u;
    if (oracle_types[type].bits == 16)
        return round_to_16(&oracle_types[type], constant.f);
    if (type == VKR_TYPE_F64) {
        memcpy(&bits, &constant.f, sizeof(constant.f));
        return bits;
    }
    const float single = (float)constant.f;
    memcpy(&bits, &single, sizeof(single));
    return bits;
}

#define RELATE(relation, x, y)                                                                     \
    ((relation) == VKR_COMPARE_EQUAL        ? (x) == (y)                                           \
     : (relation) == VKR_COMPARE_NOT_EQUAL  ? (x) != (y)                                           \
     : (relation) == VKR_COMPARE_LESS       ? (x) < (y)                                            \
     : (relation) == VKR_COMPARE_LESS_EQUAL ? (x) <= (y)                                           \
     : (relation) == VKR_COMPARE_GREATER    ? (x) > (y)                                            \
                                            : (x) >= (y))

static bool holds(VkrType type, uint64_t x, VkrCompare relation, uint64_t y)
{
    if (oracle_types[type].kind == KIND_SIGNED)
        return RELATE(relation, (int64_t)x, (int64_t)y);
    if (oracle_types[type].kind == KIND_UNSIGNED)
        return RELATE(relation, x, y);
    return RELATE(relation, to_double(type, x), to_double(type, y));
}

/* ---- The request, and the location of its data in memory ---- */

typedef struct compaction {
    const VkrCompactInfo *info;
    const type_row *type;
    const unsigned char *input;
    uint64_t stride;
    uint64_t constants[2];
    const unsigned char *flags;
    uint64_t count;
    uint64_t append;
    uint64_t capacity;
    VkrView kept, kept_indices, lengths, rejected, rejected_indices; /* complete */
} compaction;

static unsigned char *find(const oracle_device *device, VkBuffer buffer, VkDeviceSize offset)
{
    for (uint32_t i = 0; i < device->image_count; i++)
        if (device->images[i].buffer == buffer)
            return (unsigned char *)device->images[i].data + offset;
    return NULL;
}

static uint64_t read_count(const oracle_device *device, const VkrGpuCount *count, uint64_t without)
{
    const VkrType type = count->type == VKR_TYPE_U64 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    if (count->buffer == VK_NULL_HANDLE)
        return without;
    return load(&oracle_types[type], find(device, count->buffer, count->offset));
}

VkrType oracle_index_type(const oracle_device *device, const VkrCompactInfo *info)
{
    const bool unknown = info->count == VKR_COUNT_ALL;
    const uint64_t end = info->firstIndex + (unknown ? 0 : info->count);
    return device->wide_indices || end >> 32 != 0 ? VKR_TYPE_U64 : VKR_TYPE_U32;
}

/* A view with its defaults filled in: this type and these components. */
static VkrView complete(const VkrView *view, VkrType type, uint32_t components)
{
    VkrView whole = *view;
    if (whole.type == VKR_TYPE_UNDEFINED)
        whole.type = type;
    if (whole.components == 0)
        whole.components = components != 0 ? components : 1;
    if (whole.stride == 0)
        whole.stride = oracle_types[whole.type].bits / 8 * whole.components;
    return whole;
}

static uint64_t fit(VkDeviceSize size, uint64_t entry, uint64_t stride)
{
    return size < entry ? 0 : (size - entry) / stride + 1;
}

static uint64_t view_holds(const VkrView *whole)
{
    return whole->buffer == VK_NULL_HANDLE
               ? 0
               : fit(whole->size, oracle_types[whole->type].bits / 8 * whole->components,
                     whole->stride);
}

static uint64_t payload_holds(const VkrPayload *p)
{
    return fit(p->target.size, p->size, p->targetStride != 0 ? p->targetStride : p->size);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The number of elements that the capacity and every kept output allow. */
static uint64_t find_capacity(const compaction *c)
{
    const VkrView *views[] = {&c->kept, &c->kept_indices, &c->lengths};
    const VkrCompactInfo *info = c->info;
    uint64_t capacity = info->capacity != 0 ? info->capacity : UINT64_MAX;
    for (int i = 0; i < 3; i++)
        if (views[i]->buffer != VK_NULL_HANDLE)
            capacity = least(capacity, view_holds(views[i]));
    for (uint32_t i = 0; i < info->payloadCount; i++)
        if (!info->payloads[i].rejected)
            capacity = least(capacity, payload_holds(&info->payloads[i]));
    return capacity;
}

static void find_predicate(const oracle_device *device, compaction *c)
{
    const VkrPredicate *p = &c->info->predicate;
    const VkrType type = c->info->input.type;
    if (p->kind == VKR_PREDICATE_FLAGS)
        c->flags = find(device, p->flags.range.buffer, p->flags.range.offset);
    if (p->kind != VKR_PREDICATE_COMPARE)
        return;
    const VkrBufferRange *gpu = &p->gpuConstants;
    for (uint32_t i = 0; i < (p->compare2 != VKR_COMPARE_NONE ? 2u : 1u); i++)
        c->constants[i] =
            gpu->buffer == VK_NULL_HANDLE
                ? oracle_constant(type, i == 0 ? p->a : p->b)
                : load(c->type, find(device, gpu->buffer, gpu->offset + i * c->type->bits / 8));
}

/* ---- The predicate ---- */

static bool is_flagged(const compaction *c, uint64_t i)
{
    uint32_t word;
    if (c->info->predicate.flags.format == VKR_FLAGS_U8)
        return c->flags[i] != 0;
    const bool bits = c->info->predicate.flags.format == VKR_FLAGS_BITS;
    memcpy(&word, c->flags + 4 * (bits ? i / 32 : i), 4);
    return bits ? (word >> i % 32 & 1) != 0 : word != 0;
}

bool oracle_differs(VkrType type, uint32_t components, bool by_value, const void *a, const void *b)
{
    const type_row *row = &oracle_types[type];
    const uint32_t size = row->bits / 8;
    if (!by_value || row->kind != KIND_FLOAT)
        return memcmp(a, b, (size_t)size * components) != 0;
    for (uint32_t c = 0; c < components; c++) {
        const double x = to_double(type, load(row, (const unsigned char *)a + c * size));
        const double y = to_double(type, load(row, (const unsigned char *)b + c * size));
        if (isnan(x) != isnan(y) || (!isnan(x) && x != y))
            return true;
    }
    return false;
}

static bool starts_run(const compaction *c, const unsigned char *element, bool first)
{
    const uint32_t components = c->info->input.components;
    if (first && (c->info->flags & VKR_COMPACT_CONTINUED_BIT) == 0)
        return true;
    return oracle_differs(c->info->input.type, components != 0 ? components : 1,
                          c->info->predicate.byValue != VK_FALSE, element, element - c->stride);
}

/* Returns NULL if the predicate reads only flags. */
static const unsigned char *element_of(const compaction *c, uint64_t i)
{
    return c->input != NULL ? c->input + i * c->stride : NULL;
}

static bool passes(const compaction *c, uint64_t i)
{
    const VkrPredicate *p = &c->info->predicate;
    const VkrType type = c->info->input.type;
    if (p->kind == VKR_PREDICATE_FLAGS)
        return is_flagged(c, i);
    const unsigned char *element = element_of(c, i);
    const uint64_t x = load(c->type, element + p->component * (c->type->bits / 8));
    const uint64_t magnitude = x & ~sign_bit(c->type);
    const bool is_float = c->type->kind == KIND_FLOAT;
    switch (p->kind) {
    case VKR_PREDICATE_NONZERO:
        return (is_float ? magnitude : x) != 0;
    case VKR_PREDICATE_COMPARE:
        return holds(type, x, p->compare, c->constants[0]) &&
               (p->compare2 == VKR_COMPARE_NONE || holds(type, x, p->compare2, c->constants[1]));
    case VKR_PREDICATE_FINITE:
        return !is_float || magnitude < infinity_bits(c->type);
    case VKR_PREDICATE_NAN:
        return is_float && magnitude > infinity_bits(c->type);
    case VKR_PREDICATE_BITS:
        return ((x & (sign_bit(c->type) | (sign_bit(c->type) - 1)) & p->mask) == p->value) ==
               (p->compare == VKR_COMPARE_EQUAL);
    default:
        return starts_run(c, element, i == 0);
    }
}

/* ---- Outputs ---- */

/* Writes the low bytes of a number to element `at` of an output, if there is such an output and
 * element. */
static void put(const oracle_device *device, const VkrView *whole, uint64_t at, uint64_t number)
{
    if (at < view_holds(whole))
        memcpy(find(device, whole->buffer, whole->offset + at * whole->stride), &number,
               oracle_types[whole->type].bits / 8);
}

static void put_element(const oracle_device *device, const VkrView *whole, uint64_t at,
                        const unsigned char *element)
{
    if (at < view_holds(whole))
        memcpy(find(device, whole->buffer, whole->offset + at * whole->stride), element,
               oracle_types[whole->type].bits / 8 * whole->components);
}

static void put_payloads(const oracle_device *device, const VkrCompactInfo *info, bool rejected,
                         uint64_t i, uint64_t at)
{
    for (uint32_t k = 0; k < info->payloadCount; k++) {
        const VkrPayload *p = &info->payloads[k];
        const uint64_t from = p->sourceStride != 0 ? p->sourceStride : p->size;
        const uint64_t to = p->targetStride != 0 ? p->targetStride : p->size;
        if ((p->rejected != 0) == rejected && at < payload_holds(p))
            memcpy(find(device, p->target.buffer, p->target.offset + at * to),
                   find(device, p->source.buffer, p->source.offset + i * from), p->size);
    }
}

void oracle_put_counts(const oracle_device *device, uint32_t count, const VkrCountOutput *outputs,
                       const oracle_counts *counts)
{
    const uint64_t numbers[] = {counts->kept, counts->stored, counts->rejected};
    for (uint32_t i = 0; i < count; i++) {
        const VkrCountOutput *output = &outputs[i];
        const uint64_t scale = output->scale != 0 ? output->scale : 1;
        const uint64_t limit =
            output->kind == VKR_COUNT_MESH_TASKS ? device->max_tasks : device->max_groups;
        unsigned char *at = find(device, output->buffer, output->offset);
        if (output->kind >= VKR_COUNT_DISPATCH) {
            /* No device supports more groups than fit into a word. */
            const uint64_t groups =
                least(counts->stored / scale + (counts->stored % scale != 0), UINT32_MAX);
            const uint32_t command[3] = {
                (uint32_t)least(groups, limit),
                groups > limit ? (uint32_t)((groups + limit - 1) / limit) : 1, 1};
            memcpy(at, command, sizeof(command));
            continue;
        }
        const uint64_t number = numbers[output->kind % 3] * scale;
        memcpy(at, &number, output->kind >= VKR_COUNT_KEPT64 ? 8 : 4);
    }
}

static compaction find_all(const oracle_device *device, const VkrCompactInfo *info)
{
    const VkrType index = oracle_index_type(device, info);
    const VkrView input = complete(&info->input, VKR_TYPE_U32, 0);
    compaction c = {
        .info = info,
        .type = &oracle_types[input.type],
        .input = find(device, input.buffer, input.offset),
        .stride = input.stride,
        .append = read_count(device, &info->append, 0),
        .kept = complete(&info->kept, input.type, input.components),
        .kept_indices = complete(&info->keptIndices, index, 1),
        .lengths = complete(&info->runLengths, index, 1),
        .rejected = complete(&info->rejected, input.type, input.components),
        .rejected_indices = complete(&info->rejectedIndices, index, 1),
    };
    const uint64_t host = info->count == VKR_COUNT_ALL ? view_holds(&input) : info->count;
    c.count = least(read_count(device, &info->gpuCount, host), host);
    c.capacity = find_capacity(&c);
    find_predicate(device, &c);
    return c;
}

oracle_counts oracle_compact(const oracle_device *device, const VkrCompactInfo *info)
{
    const compaction c = find_all(device, info);
    uint64_t found = 0, last = 0;
    for (uint64_t i = 0; i < c.count; i++) {
        const bool keep = passes(&c, i) != (info->predicate.negate != 0);
        const uint64_t at = keep ? c.append + found : i - found;
        if (!keep || at < c.capacity) {
            put_element(device, keep ? &c.kept : &c.rejected, at, element_of(&c, i));
            put(device, keep ? &c.kept_indices : &c.rejected_indices, at, info->firstIndex + i);
            put_payloads(device, info, !keep, i, at);
        }
        if (keep && found > 0 && at - 1 < c.capacity)
            put(device, &c.lengths, at - 1, i - last);
        last = keep ? i : last;
        found += keep;
    }
    if (found > 0 && c.append + found - 1 < c.capacity)
        put(device, &c.lengths, c.append + found - 1, c.count - last);
    const oracle_counts counts = {.elements = c.count,
                                  .kept = c.append + found,
                                  .stored = least(c.append + found, c.capacity),
                                  .rejected = c.count - found};
    oracle_put_counts(device, info->countOutputCount, info->countOutputs, &counts);
    return counts;
}
