/* SPDX-License-Identifier: MIT */
/* Work that is done once, for samples without frames. */
#include "app.h"

void run_commands(const gpu *g, record_commands *record, const void *data)
{
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);
    VkrRecorder recorder;
    check_vkr(vkrCreateRecorder(g->context, &(VkrRecorderInfo){0}, &recorder));
    begin_commands(cmd);
    record(cmd, recorder, data);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g->device, pool, NULL);
}
