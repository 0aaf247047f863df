/* SPDX-License-Identifier: MIT */
/* The index of kernels. */
#include "kernels.h"

#include "../../shaders/numbers.h"
#include "kernel_list.h"

#define CLASSES (VKR_CLASS_S32 + 1)
#define LOADS (VKR_LOADS_3D + 1)
#define GROUP_PATHS (VKR_BUILD_SHARED + 1)

/* Combines the properties of a kernel into one number. */
#define SERVED(family, class, wide, vector, loads, group_path)                                     \
    ((((((uint32_t)(family)*CLASSES + (class)) * 2 + (wide)) * 2 + (vector)) * LOADS + (loads)) *  \
         GROUP_PATHS +                                                                             \
     (group_path))

const uint32_t vkr_kernel_count = VKR_KERNEL_COUNT;

uint32_t vkr_find_kernel(vkr_family family, uint32_t element_class, bool wide, bool vector,
                         uint32_t loads, VkrGroupPath group_path)
{
    /* Kernels that load packs can also load by element. */
    const uint32_t built = loads == 0 ? VKR_LOADS_VEC4 : loads;
    const uint32_t served =
        SERVED(family, element_class, wide, vector, built, (uint32_t)group_path);
    /* An array with an element for each number would be mostly empty, and code that compares with
     * each number would be twice as long as this list. */
    static const struct {
        uint16_t served, kernel;
    } rows[] = {
#define VKR_SERVES(family, class, wide, vector, loads, group_path, kernel)                         \
    {SERVED(family, class, wide, vector, loads, group_path), kernel},
#include "kernel_index.h"
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].served == served)
            return rows[i].kernel;
    return VKR_KERNEL_COUNT;
}

bool vkr_loads_texels(uint32_t kernel)
{
    static const bool loads_texels[VKR_KERNEL_COUNT + 1] = {VKR_TEXEL_KERNELS};
    return loads_texels[kernel];
}

uint32_t vkr_u64_kernel(uint32_t kernel)
{
    static const uint16_t of[VKR_KERNEL_COUNT + 1] = {VKR_U64_KERNELS};
    return of[kernel] != 0 ? of[kernel] : kernel;
}

uint32_t vkr_class_of(VkrType type)
{
    static const uint8_t classes[VKR_TYPE_COUNT] = {
        [VKR_TYPE_I8] = VKR_CLASS_W8,   [VKR_TYPE_U8] = VKR_CLASS_W8,
        [VKR_TYPE_I16] = VKR_CLASS_W16, [VKR_TYPE_U16] = VKR_CLASS_W16,
        [VKR_TYPE_I32] = VKR_CLASS_W32, [VKR_TYPE_U32] = VKR_CLASS_W32,
        [VKR_TYPE_I64] = VKR_CLASS_W64, [VKR_TYPE_U64] = VKR_CLASS_W64,
        [VKR_TYPE_F16] = VKR_CLASS_F16, [VKR_TYPE_F32] = VKR_CLASS_F32,
        [VKR_TYPE_F64] = VKR_CLASS_F64, [VKR_TYPE_BF16] = VKR_CLASS_F16,
    };
    return classes[type];
}

uint32_t vkr_class_of_size(uint32_t size)
{
    return size == 1   ? VKR_CLASS_W8
           : size == 2 ? VKR_CLASS_W16
           : size == 4 ? VKR_CLASS_W32
                       : VKR_CLASS_W64;
}

bool vkr_has_type(VkrType type)
{
    return (VKR_BUILT_TYPES >> type & 1u) != 0;
}

bool vkr_has_documents(void)
{
    return VKR_BUILT_DOCUMENTS;
}
