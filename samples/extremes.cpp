// SPDX-License-Identifier: MIT
// Finds the minimum and the maximum of a buffer, in C++17: a class whose constructor compiles the
// pipelines, so that later recordings compile nothing.
extern "C" {
#include "app.h"
extern const char app_name[];
const char app_name[] = "extremes";
}

#include "vkreduce/vkreduce.hpp"

class Extremes
{
  public:
    // At load time: a recording that is never ended compiles what the later ones need.
    Extremes(VkrContext context, VkBuffer values, VkDeviceSize size, VkBuffer results)
        : recorder(context, VkrRecorderInfo{})
    {
        info.label = "extremes";
        info.ops = VKR_OP_MIN | VKR_OP_MAX;
        info.input.buffer = values;
        info.input.bufferSize = size; // the view ends where the buffer does
        info.input.type = VKR_TYPE_F32;
        info.count = VKR_COUNT_ALL;
        vkr::check(vkrGetReduceLayout(context, &info, &layout));
        info.output = {results, 0, layout.size};
        collect();
        vkr::check(vkrPrepare(recorder));
    }

    // In a frame: fails if a pipeline is missing, rather than compile it.
    void record(VkCommandBuffer cmd)
    {
        VkrEndInfo end = {};
        end.commandBuffer = cmd;
        end.flags = VKR_END_NO_COMPILE_BIT;
        end.consumerStages = VK_PIPELINE_STAGE_HOST_BIT;
        end.consumerAccess = VK_ACCESS_HOST_READ_BIT;
        collect();
        vkr::check(vkrEnd(recorder, &end));
    }

    // Call it once the GPU has executed what was recorded.
    void reset()
    {
        vkr::check(vkrReset(recorder));
    }

    // Where a result lies in the buffer of results, in bytes.
    VkDeviceSize offset(VkrOp op) const
    {
        return vkrGetReduceResult(&layout, op)->offset;
    }

  private:
    void collect()
    {
        vkr::check(vkrBegin(recorder)); // discards what was collected but not recorded
        vkr::check(vkrCmdReduce(recorder, &info));
    }

    vkr::Recorder recorder;
    VkrReduceInfo info = {};
    VkrReduceLayout layout = {};
};

int main()
{
    constexpr uint32_t count = 1000, frames = 2;
    gpu g = {};
    open_gpu(&g, nullptr);
    const buffer values =
        create_buffer(&g, count * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    const buffer results = create_buffer(&g, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    {
        Extremes extremes(g.context, values.handle, count * sizeof(float), results.handle);
        VkCommandBuffer cmds[frames];
        VkCommandPool pool = create_commands(&g, frames, cmds);
        for (uint32_t frame = 0; frame < frames; frame++) {
            float *data = static_cast<float *>(values.map);
            for (uint32_t i = 0; i < count; i++)
                data[i] = static_cast<float>(i * i % 997) - 300.5f + static_cast<float>(frame);
            begin_commands(cmds[frame]);
            extremes.record(cmds[frame]);
            submit_commands(&g, cmds[frame], VK_NULL_HANDLE);
            CHECK(vkQueueWaitIdle(g.queue));
            extremes.reset();
            const char *bytes = static_cast<const char *>(results.map);
            const auto value = [&](VkrOp op) {
                return *reinterpret_cast<const float *>(bytes + extremes.offset(op));
            };
            std::printf("min %g, max %g\n", static_cast<double>(value(VKR_OP_MIN)),
                        static_cast<double>(value(VKR_OP_MAX)));
        }
        vkDestroyCommandPool(g.device, pool, nullptr);
    }
    destroy_buffer(&g, &values);
    destroy_buffer(&g, &results);
    close_gpu(&g);
}
