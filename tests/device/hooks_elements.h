/* SPDX-License-Identifier: MIT */
/* The functions of the test hooks_elements.c. */
#ifndef VKR_TESTS_HOOKS_ELEMENTS_H
#define VKR_TESTS_HOOKS_ELEMENTS_H

#include "hooks_case.h"

/* A function, and the elements that it takes. */
typedef struct element_row {
    VkrType type;
    uint32_t components;
    const char *map, *keep; /* or NULL */
    VkrType result;
} element_row;

extern const element_row element_rows[]; /* the last one has no map */

/* Computes what the functions of a row return for elements that lie `stride` bytes apart: the
 * components of values, and a bit for each flag. Returns the components of a value. */
uint32_t element_values(const element_row *row, const void *source, VkDeviceSize stride,
                        uint32_t count, uint32_t *values, uint32_t *flags);

/* ---- hooks_elements_wrong.c ---- */

/* Checks that operations refuse wrong uses of the functions of hooks_elements.comp and, unless that
 * is NULL, of hooks_wide.comp. */
void elements_check_wrong(const harness *h, VkrRecorder recorder, VkrModule module, VkrModule wide,
                          VkBuffer elements, VkBuffer output);

#endif
