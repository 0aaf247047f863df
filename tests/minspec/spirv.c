/* SPDX-License-Identifier: MIT */
/* A module's workgroup size and shared memory after specialisation. */
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "minspec.h"

/* Numbers of the SPIR-V specification. */
enum { MAGIC = 0x07230203, VERSION_1_3 = 0x00010300, HEADER = 5 };
enum { LOCAL_SIZE = 17, WORKGROUP_SIZE = 25, WORKGROUP_CLASS = 4 };
enum { DECORATION_SPEC_ID = 1, DECORATION_BUILT_IN = 11 };
enum {
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT_TRUE = 41,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_TRUE = 48,
    OP_SPEC_FALSE = 49,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_COMPOSITE = 51,
    OP_SPEC_OP = 52,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_GROUP_IADD = 349, /* the first of sums and products */
    OP_GROUP_FMUL = 352, /* the last one */
    OP_GROUP_LOGICAL_XOR = 364
};
enum { GROUP_REDUCE = 0 };

/* What is known of an id: the size of a type, the value of a constant. */
typedef struct entry {
    uint32_t size, alignment; /* as std430 lays them out */
    uint32_t value;
    bool specialised; /* by the constant `spec_id` */
    uint32_t spec_id;
    uint32_t parts[3]; /* of a composite: ids */
} entry;

typedef struct reader {
    entry *ids;
    uint32_t bound;
    const VkSpecializationInfo *constants;
    uint32_t workgroup_size; /* an id, or 0 */
    uint32_t unknown;        /* the operation that could not be computed, or 0 */
    minspec_needs *needs;
} reader;

static const entry nothing;

static const entry *look(const reader *r, uint32_t id)
{
    return id < r->bound ? &r->ids[id] : &nothing;
}

static uint32_t round_up(uint32_t size, uint32_t alignment)
{
    return alignment == 0 ? size : (size + alignment - 1) / alignment * alignment;
}

/* ---- Constants ---- */

/* Computes an operation on 32-bit or logical values; sizes need no others. */
static uint32_t compute(reader *r, uint32_t operation, const uint32_t *v)
{
    const uint32_t a = v[0], b = v[1];
    switch (operation) {
    case 128: /* OpIAdd */
        return a + b;
    case 130: /* OpISub */
        return a - b;
    case 132: /* OpIMul */
        return a * b;
    case 134: /* OpUDiv */
        return b != 0 ? a / b : 0;
    case 137: /* OpUMod */
        return b != 0 ? a % b : 0;
    case 166: /* OpLogicalOr */
        return a || b;
    case 167: /* OpLogicalAnd */
        return a && b;
    case 168: /* OpLogicalNot */
        return !a;
    case 169: /* OpSelect */
        return a ? b : v[2];
    case 170: /* OpIEqual */
        return a == b;
    case 171: /* OpINotEqual */
        return a != b;
    case 172: /* OpUGreaterThan */
        return a > b;
    case 174: /* OpUGreaterThanEqual */
        return a >= b;
    case 176: /* OpULessThan */
        return a < b;
    case 178: /* OpULessThanEqual */
        return a <= b;
    case 194: /* OpShiftRightLogical */
        return b < 32 ? a >> b : 0;
    case 196: /* OpShiftLeftLogical */
        return b < 32 ? a << b : 0;
    case 197: /* OpBitwiseOr */
        return a | b;
    case 198: /* OpBitwiseXor */
        return a ^ b;
    case 199: /* OpBitwiseAnd */
        return a & b;
    case 200: /* OpNot */
        return ~a;
    default:
        r->unknown = operation;
        return 0;
    }
}

static void specialise(const reader *r, entry *e, uint32_t standard)
{
    e->value = standard;
    for (uint32_t i = 0; e->specialised && r->constants && i < r->constants->mapEntryCount; i++) {
        const VkSpecializationMapEntry *map = &r->constants->pMapEntries[i];
        if (map->constantID == e->spec_id)
            memcpy(&e->value, (const char *)r->constants->pData + map->offset, 4);
    }
}

/* Reads a constant: operation, type, id, and then the operation's operands. */
static void read_constant(reader *r, const uint32_t *words, uint32_t count)
{
    entry *e = &r->ids[words[2]];
    uint32_t values[3] = {0};
    switch (words[0] & 0xffff) {
    case OP_CONSTANT_TRUE:
        e->value = 1;
        break;
    case OP_CONSTANT:
        e->value = words[3];
        break;
    case OP_SPEC_TRUE:
    case OP_SPEC_FALSE:
        specialise(r, e, (words[0] & 0xffff) == OP_SPEC_TRUE);
        break;
    case OP_SPEC_CONSTANT:
        specialise(r, e, words[3]);
        break;
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_COMPOSITE:
        for (uint32_t i = 0; i < 3 && 3 + i < count; i++)
            e->parts[i] = words[3 + i];
        break;
    case OP_SPEC_OP:
        for (uint32_t i = 0; i < 3 && 4 + i < count; i++)
            values[i] = look(r, words[4 + i])->value;
        e->value = compute(r, words[3], values);
        break;
    default: /* false, null: 0 */
        break;
    }
}

/* ---- Types ---- */

static void lay_out(entry *e, uint32_t size, uint32_t alignment)
{
    e->size = size;
    e->alignment = alignment;
}

static void read_type(reader *r, const uint32_t *words, uint32_t count)
{
    entry *e = &r->ids[words[1]];
    const entry *inner = count > 2 ? look(r, words[2]) : &nothing;
    switch (words[0] & 0xffff) {
    case OP_TYPE_BOOL:
        lay_out(e, 4, 4);
        break;
    case OP_TYPE_INT:
    case OP_TYPE_FLOAT:
        lay_out(e, words[2] / 8, words[2] / 8);
        break;
    case OP_TYPE_VECTOR:
        lay_out(e, inner->size * words[3], inner->size * (words[3] == 2 ? 2 : 4));
        break;
    case OP_TYPE_ARRAY:
        lay_out(e, round_up(inner->size, inner->alignment) * look(r, words[3])->value,
                inner->alignment);
        break;
    case OP_TYPE_STRUCT:
        for (uint32_t i = 2; i < count; i++) {
            const entry *member = look(r, words[i]);
            lay_out(e, round_up(e->size, member->alignment) + member->size,
                    e->alignment > member->alignment ? e->alignment : member->alignment);
        }
        e->size = round_up(e->size, e->alignment);
        break;
    default: /* a pointer stands for what it points to */
        *e = *look(r, words[3]);
        break;
    }
}

/* ---- The module ---- */

static void read_decoration(reader *r, const uint32_t *words, uint32_t count)
{
    if (count > 3 && words[2] == DECORATION_SPEC_ID) {
        r->ids[words[1]].specialised = true;
        r->ids[words[1]].spec_id = words[3];
    }
    if (count > 3 && words[2] == DECORATION_BUILT_IN && words[3] == WORKGROUP_SIZE)
        r->workgroup_size = words[1];
}

static void read_instruction(reader *r, const uint32_t *words, uint32_t count)
{
    const uint32_t op = words[0] & 0xffff;
    if (op == OP_DECORATE && words[1] < r->bound)
        read_decoration(r, words, count);
    else if (op == OP_EXECUTION_MODE && count > 5 && words[2] == LOCAL_SIZE)
        memcpy(r->needs->local_size, words + 3, sizeof(r->needs->local_size));
    else if (op == OP_VARIABLE && words[3] == WORKGROUP_CLASS)
        r->needs->shared_bytes += round_up(look(r, words[1])->size, 4); /* the type is a pointer */
    else if (op >= OP_TYPE_BOOL && op <= OP_TYPE_POINTER && words[1] < r->bound)
        switch (op) {
        case OP_TYPE_BOOL:
        case OP_TYPE_INT:
        case OP_TYPE_FLOAT:
        case OP_TYPE_VECTOR:
        case OP_TYPE_ARRAY:
        case OP_TYPE_STRUCT:
        case OP_TYPE_POINTER:
            read_type(r, words, count);
            break;
        default: /* images and runtime arrays, which are never in shared memory */
            break;
        }
    else if (op >= OP_CONSTANT_TRUE && op <= OP_SPEC_OP && words[2] < r->bound)
        read_constant(r, words, count);
}

static bool is_module(const uint32_t *code, size_t words)
{
    return words > HEADER && code[0] == MAGIC && code[1] <= VERSION_1_3;
}

bool minspec_read_module(const uint32_t *code, size_t words, const VkSpecializationInfo *constants,
                         minspec_needs *needs)
{
    *needs = (minspec_needs){.local_size = {1, 1, 1}};
    if (!is_module(code, words)) {
        minspec_refuse(VK_SUCCESS, "a module is not SPIR-V of version 1.3 or before");
        return false;
    }
    reader r = {.bound = code[3], .constants = constants, .needs = needs};
    r.ids = calloc(r.bound, sizeof(*r.ids));
    if (r.ids == NULL)
        return false;
    for (size_t i = HEADER; i < words && (code[i] & 0xffff) != OP_FUNCTION; i += code[i] >> 16) {
        if (code[i] >> 16 == 0 || code[i] >> 16 > words - i)
            break;
        read_instruction(&r, code + i, code[i] >> 16);
    }
    if (r.workgroup_size != 0)
        for (int i = 0; i < 3; i++)
            needs->local_size[i] = look(&r, look(&r, r.workgroup_size)->parts[i])->value;
    free(r.ids);
    if (r.unknown != 0)
        minspec_refuse(VK_SUCCESS, "the layer cannot compute OpSpecConstantOp of operation %u",
                       r.unknown);
    return r.unknown == 0;
}

void minspec_each_capability(const uint32_t *code, size_t words,
                             void (*each)(uint32_t capability, void *data), void *data)
{
    for (size_t i = HEADER; is_module(code, words) && i < words; i += code[i] >> 16) {
        if ((code[i] & 0xffff) != OP_CAPABILITY)
            return;
        each(code[i + 1], data);
    }
}

bool minspec_has_arithmetic(const uint32_t *code, size_t words, bool scans_only)
{
    for (size_t i = HEADER; is_module(code, words) && i < words && code[i] >> 16 != 0;
         i += code[i] >> 16) {
        const uint32_t op = code[i] & 0xffff;
        if (op < OP_GROUP_IADD || op > OP_GROUP_LOGICAL_XOR)
            continue;
        if (!scans_only || (op > OP_GROUP_FMUL && code[i + 4] != GROUP_REDUCE))
            return true;
    }
    return false;
}
