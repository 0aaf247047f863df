/* SPDX-License-Identifier: MIT */
/* Writes NumPy's .npy files, with a header of a fixed size. */
#include <stdio.h>
#include <string.h>
#include "input/value.h"
#include "output/npy.h"
#include "status.h"

#define CREATED_HEADER 128 /* bytes before the values */

int npy_create(output *o, const char *name)
{
    int status = output_open(o, name);
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
static void print_shape(char *text, size_t size, uint32_t dimensions, const uint64_t *shape)
{
    size_t length = (size_t)snprintf(text, size, "(");
    for (uint32_t d = 0; d < dimensions; d++)
        length += (size_t)snprintf(text + length, size - length, "%s%llu%s", d > 0 ? ", " : "",
                                   (unsigned long long)shape[d], dimensions == 1 ? "," : "");
    (void)snprintf(text + length, size - length, ")");
}

int npy_finish_shape(output *o, VkrType type, uint32_t dimensions, const uint64_t *shape)
{
    char text[CREATED_HEADER + 1], descr[8], tuple[72];
    if (o->name == NULL)
        return STATUS_DONE;
    print_type(descr, sizeof descr, type);
    print_shape(tuple, sizeof tuple, dimensions, shape);
    int length = snprintf(text, sizeof text,
                          "\x93NUMPY\x01%c%c%c{'descr': '%s', 'fortran_order': False, "
                          "'shape': %s, }",
                          0, CREATED_HEADER - 10, 0, descr, tuple);
    memset(text + length, ' ', (size_t)(CREATED_HEADER - length));
    text[CREATED_HEADER - 1] = '\n';
    o->start = 0;
    int status = output_write(o, 0, text, CREATED_HEADER);
    return status == STATUS_DONE ? output_finish(o) : status;
}

int npy_finish(output *o, VkrType type, uint32_t components, uint64_t count)
{
    const uint64_t shape[] = {count, components};
    return npy_finish_shape(o, type, components > 1 ? 2 : 1, shape);
}
