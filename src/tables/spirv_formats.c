/* SPDX-License-Identifier: MIT */
#include "spirv_formats.h"

#define ROW(format, number, extended)                                                              \
    {                                                                                              \
        VK_FORMAT_##format, number, extended                                                       \
    }
static const struct {
    VkFormat format;
    uint8_t number;
    bool extended; /* needs shaderStorageImageExtendedFormats */
} rows[] = {
    ROW(R32G32B32A32_SFLOAT, 1, false),
    ROW(R16G16B16A16_SFLOAT, 2, false),
    ROW(R32_SFLOAT, 3, false),
    ROW(R8G8B8A8_UNORM, 4, false),
    ROW(R8G8B8A8_SNORM, 5, false),
    ROW(R32G32_SFLOAT, 6, true),
    ROW(R16G16_SFLOAT, 7, true),
    ROW(B10G11R11_UFLOAT_PACK32, 8, true),
    ROW(R16_SFLOAT, 9, true),
    ROW(R16G16B16A16_UNORM, 10, true),
    ROW(A2B10G10R10_UNORM_PACK32, 11, true),
    ROW(R16G16_UNORM, 12, true),
    ROW(R8G8_UNORM, 13, true),
    ROW(R16_UNORM, 14, true),
    ROW(R8_UNORM, 15, true),
    ROW(R16G16B16A16_SNORM, 16, true),
    ROW(R16G16_SNORM, 17, true),
    ROW(R8G8_SNORM, 18, true),
    ROW(R16_SNORM, 19, true),
    ROW(R8_SNORM, 20, true),
    ROW(R32G32B32A32_SINT, 21, false),
    ROW(R16G16B16A16_SINT, 22, false),
    ROW(R8G8B8A8_SINT, 23, false),
    ROW(R32_SINT, 24, false),
    ROW(R32G32_SINT, 25, true),
    ROW(R16G16_SINT, 26, true),
    ROW(R8G8_SINT, 27, true),
    ROW(R16_SINT, 28, true),
    ROW(R8_SINT, 29, true),
    ROW(R32G32B32A32_UINT, 30, false),
    ROW(R16G16B16A16_UINT, 31, false),
    ROW(R8G8B8A8_UINT, 32, false),
    ROW(R32_UINT, 33, false),
    ROW(A2B10G10R10_UINT_PACK32, 34, true),
    ROW(R32G32_UINT, 35, true),
    ROW(R16G16_UINT, 36, true),
    ROW(R8G8_UINT, 37, true),
    ROW(R16_UINT, 38, true),
    ROW(R8_UINT, 39, true),
};

uint32_t vkr_spirv_format(VkFormat format, VkrFeatureFlags *features)
{
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        if (rows[i].format != format)
            continue;
        *features = rows[i].extended ? VKR_FEATURE_EXTENDED_FORMATS : 0;
        return rows[i].number;
    }
    return 0;
}
