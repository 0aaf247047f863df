/* SPDX-License-Identifier: MIT */
/* The commands and descriptors of the stub; commands become text. */
#include "stub_inside.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

static struct {
    char bytes[64 * 1024];
    size_t length;
} text;

static void write_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void write_text(const char *format, ...)
{
    const size_t room = sizeof text.bytes - text.length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text.bytes + text.length, room, format, arguments);
    va_end(arguments);
    text.length += (size_t)length < room ? (size_t)length : room - 1;
}

typedef struct bit_name {
    uint32_t bit;
    const char *name;
} bit_name;

static const bit_name stage_names[] = {
    {VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, "indirect"},
    {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, "compute"},
    {VK_PIPELINE_STAGE_TRANSFER_BIT, "transfer"},
    {VK_PIPELINE_STAGE_HOST_BIT, "host"},
    {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, "fragment"},
};

static const bit_name access_names[] = {
    {VK_ACCESS_INDIRECT_COMMAND_READ_BIT, "command"},
    {VK_ACCESS_SHADER_READ_BIT, "read"},
    {VK_ACCESS_SHADER_WRITE_BIT, "write"},
    {VK_ACCESS_TRANSFER_READ_BIT, "copy-read"},
    {VK_ACCESS_TRANSFER_WRITE_BIT, "copy-write"},
    {VK_ACCESS_HOST_READ_BIT, "host-read"},
};

static void write_bits(const bit_name *names, size_t count, uint32_t bits)
{
    const char *separator = "";
    for (size_t i = 0; i < count; i++) {
        if (bits & names[i].bit) {
            write_text("%s%s", separator, names[i].name);
            separator = "|";
            bits &= ~names[i].bit;
        }
    }
    if (bits)
        write_text("%s0x%x", separator, bits);
}

static void write_scope(VkPipelineStageFlags stages, VkAccessFlags access)
{
    write_bits(stage_names, ARRAY_SIZE(stage_names), stages);
    write_text("(");
    write_bits(access_names, ARRAY_SIZE(access_names), access);
    write_text(")");
}

static char buffer_name(VkBuffer buffer)
{
    const uintptr_t value = (uintptr_t)buffer;
    return value > ' ' && value < 127 ? (char)value : '?';
}

static void write_descriptors(uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < writes[i].descriptorCount; k++) {
            const VkDescriptorBufferInfo *info = &writes[i].pBufferInfo[k];
            write_text(" %u=%c+%" PRIu64 ":%" PRIu64, writes[i].dstBinding + k,
                       buffer_name(info->buffer), info->offset, info->range);
        }
    }
    write_text("\n");
}

const char *stub_text(void)
{
    return text.bytes;
}

void stub_clear(void)
{
    text.length = 0;
    text.bytes[0] = '\0';
}

/* ---- Commands ---- */

static VKAPI_ATTR void VKAPI_CALL do_vkUpdateDescriptorSets(VkDevice device, uint32_t write_count,
                                                            const VkWriteDescriptorSet *writes,
                                                            uint32_t copy_count,
                                                            const VkCopyDescriptorSet *copies)
{
    ENTER(vkUpdateDescriptorSets);
    if (!stub_is_brief && write_count > 0) {
        write_text("update set %" PRIuPTR ":", (uintptr_t)writes[0].dstSet);
        write_descriptors(write_count, writes);
    }
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPipelineBarrier(
    VkCommandBuffer cmd, VkPipelineStageFlags source, VkPipelineStageFlags destination,
    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
    uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
    const VkImageMemoryBarrier *images)
{
    ENTER(vkCmdPipelineBarrier);
    write_text("barrier ");
    write_scope(source, memory_count ? memory[0].srcAccessMask : 0);
    write_text(" -> ");
    write_scope(destination, memory_count ? memory[0].dstAccessMask : 0);
    if (flags || memory_count != 1 || buffer_count || image_count)
        write_text(" and more");
    write_text("\n");
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdFillBuffer(VkCommandBuffer cmd, VkBuffer buffer,
                                                     VkDeviceSize offset, VkDeviceSize size,
                                                     uint32_t data)
{
    ENTER(vkCmdFillBuffer);
    write_text("fill %c+%" PRIu64 ":%" PRIu64 " %u\n", buffer_name(buffer), offset, size, data);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindPipeline(VkCommandBuffer cmd,
                                                       VkPipelineBindPoint point,
                                                       VkPipeline pipeline)
{
    ENTER(vkCmdBindPipeline);
    if (!stub_is_brief)
        write_text("pipeline %" PRIuPTR "\n", (uintptr_t)pipeline);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBindDescriptorSets(
    VkCommandBuffer cmd, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t first,
    uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
    ENTER(vkCmdBindDescriptorSets);
    for (uint32_t i = 0; !stub_is_brief && i < count; i++)
        write_text("set %u: %" PRIuPTR "\n", first + i, (uintptr_t)sets[i]);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushDescriptorSetKHR(VkCommandBuffer cmd,
                                                               VkPipelineBindPoint point,
                                                               VkPipelineLayout layout,
                                                               uint32_t set, uint32_t count,
                                                               const VkWriteDescriptorSet *writes)
{
    ENTER(vkCmdPushDescriptorSetKHR);
    if (!stub_is_brief) {
        write_text("push %u:", set);
        write_descriptors(count, writes);
    }
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdPushConstants(VkCommandBuffer cmd,
                                                        VkPipelineLayout layout,
                                                        VkShaderStageFlags stages, uint32_t offset,
                                                        uint32_t size, const void *values)
{
    ENTER(vkCmdPushConstants);
    if (stub_is_brief)
        return;
    write_text("constants %u:", offset);
    for (uint32_t i = 0; i < size / 4; i++) {
        uint32_t word;
        memcpy(&word, (const char *)values + 4 * i, 4);
        write_text(" %u", word);
    }
    write_text("\n");
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y,
                                                   uint32_t z)
{
    ENTER(vkCmdDispatch);
    write_text("dispatch %u %u %u\n", x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdDispatchIndirect(VkCommandBuffer cmd, VkBuffer buffer,
                                                           VkDeviceSize offset)
{
    ENTER(vkCmdDispatchIndirect);
    write_text("dispatch %c+%" PRIu64 "\n", buffer_name(buffer), offset);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdResetQueryPool(VkCommandBuffer cmd, VkQueryPool pool,
                                                         uint32_t first, uint32_t count)
{
    ENTER(vkCmdResetQueryPool);
    write_text("reset queries %u + %u of %c\n", first, count, buffer_name((VkBuffer)pool));
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdWriteTimestamp(VkCommandBuffer cmd,
                                                         VkPipelineStageFlagBits stage,
                                                         VkQueryPool pool, uint32_t query)
{
    ENTER(vkCmdWriteTimestamp);
    write_text("query %u of %c after ", query, buffer_name((VkBuffer)pool));
    write_bits(stage_names, ARRAY_SIZE(stage_names), stage);
    write_text("\n");
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdBeginDebugUtilsLabelEXT(VkCommandBuffer cmd,
                                                                  const VkDebugUtilsLabelEXT *label)
{
    ENTER(vkCmdBeginDebugUtilsLabelEXT);
    write_text("begin %s\n", label->pLabelName);
}

static VKAPI_ATTR void VKAPI_CALL do_vkCmdEndDebugUtilsLabelEXT(VkCommandBuffer cmd)
{
    ENTER(vkCmdEndDebugUtilsLabelEXT);
    write_text("end\n");
}

const stub_function stub_commands[] = {COMMANDS(ROW)};
