/* SPDX-License-Identifier: MIT */
/* Writes NumPy's .npy files, with a header of a fixed size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/value.h"
#include "output/npy.h"
#include "status.h"

#define CREATED_HEADER 128u  /* bytes before the values .. */
#define FIELD_HEADER 32u     /* .. and more for each field .. */
#define FREE_DIMENSIONS 3u   /* .. and for each dimension after these, .. */
#define DIMENSION_HEADER 22u /* a number of 64 bits, a comma and a space, .. */
#define ALIGNMENT 64u        /* .. in all a multiple of this */

int npy_create(output *o, const char *name)
{
    int status = output_open(o, name);
    o->start = CREATED_HEADER;
    return status;
}

int npy_create_shared(output *o, const char *name)
{
    const int status = output_open_shared(o, name);
    o->start = CREATED_HEADER;
    return status;
}

/* Prints NumPy's name of a type; for bf16 the name that it writes for arrays of
 * ml_dtypes.bfloat16. */
static void print_type(char *text, size_t size, VkrType type)
{
    const char kind = type == VKR_TYPE_BF16 ? 'V'
                      : is_float(type)      ? 'f'
                      : is_signed(type)     ? 'i'
                                            : 'u';
    (void)snprintf(text, size, "%c%c%u", vkrTypeSize(type) > 1 ? '<' : '|', kind,
                   vkrTypeSize(type));
}

/* Prints a shape as a Python tuple: a single dimension is followed by a comma. */
static size_t print_shape(char *text, size_t size, uint32_t dimensions, const uint64_t *shape)
{
    size_t length = (size_t)snprintf(text, size, "(");
    for (uint32_t d = 0; d < dimensions; d++)
        length += (size_t)snprintf(text + length, size - length, "%s%llu%s", d > 0 ? ", " : "",
                                   (unsigned long long)shape[d], dimensions == 1 ? "," : "");
    return length + (size_t)snprintf(text + length, size - length, ")");
}

/* Writes the header, which fills the bytes before the values. */
static int finish_with(output *o, const char *descr, uint32_t dimensions, const uint64_t *shape)
{
    const uint32_t size = (uint32_t)o->start;
    char *text = malloc(size + 1);
    if (text == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", o->name);
    size_t length = (size_t)snprintf(
        text, size, "\x93NUMPY\x01%c%c%c{'descr': %s, 'fortran_order': False, 'shape': ", 0,
        (int)((size - 10) % 256), (int)((size - 10) / 256), descr);
    length += print_shape(text + length, size - length, dimensions, shape);
    length += (size_t)snprintf(text + length, size - length, ", }");
    memset(text + length, ' ', size - length);
    text[size - 1] = '\n';
    o->start = 0;
    const int status = output_write(o, 0, text, size);
    free(text);
    return status == STATUS_DONE ? output_finish(o) : status;
}

int npy_finish_shape(output *o, VkrType type, uint32_t dimensions, const uint64_t *shape)
{
    char name[8], descr[12];
    if (o->name == NULL)
        return STATUS_DONE;
    print_type(name, sizeof name, type);
    snprintf(descr, sizeof descr, "'%s'", name);
    return finish_with(o, descr, dimensions, shape);
}

/* ---- Fields ---- */

void npy_reserve(output *o, uint32_t fields, uint32_t dimensions)
{
    const uint32_t more = dimensions > FREE_DIMENSIONS ? dimensions - FREE_DIMENSIONS : 0;
    const uint32_t size = CREATED_HEADER + fields * FIELD_HEADER + more * DIMENSION_HEADER;
    o->start = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Prints ('NAME', 'TYPE') or ('NAME', 'TYPE', (COMPONENTS,)). */
static size_t print_field(char *text, size_t size, const npy_field *f)
{
    char type[8], shape[16] = "";
    print_type(type, sizeof type, f->type);
    if (f->components > 1)
        snprintf(shape, sizeof shape, ", (%u,)", f->components);
    return (size_t)snprintf(text, size, "('%s', '%s'%s)", f->name, type, shape);
}

int npy_finish_fields(output *o, const npy_field *fields, uint32_t count, uint32_t dimensions,
                      const uint64_t *shape)
{
    const size_t size = count * FIELD_HEADER + 3;
    char *descr = malloc(size);
    size_t length = 0;
    if (descr == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", o->name);
    for (uint32_t i = 0; i < count; i++) {
        length += (size_t)snprintf(descr + length, size - length, "%s", i == 0 ? "[" : ", ");
        length += print_field(descr + length, size - length, &fields[i]);
    }
    snprintf(descr + length, size - length, "]");
    const int status = finish_with(o, descr, dimensions, shape);
    free(descr);
    return status;
}

int npy_finish(output *o, VkrType type, uint32_t components, uint64_t count)
{
    const uint64_t shape[] = {count, components};
    return npy_finish_shape(o, type, components > 1 ? 2 : 1, shape);
}
