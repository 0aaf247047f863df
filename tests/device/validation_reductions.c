/* SPDX-License-Identifier: MIT */
/* Reductions under the validation layer. */
#include "validation.h"

VkrReduceInfo reduction(const session *s, const scenario *t, uint64_t count, uint32_t slot)
{
    const bool words = t->type == VKR_TYPE_U32;

    return (VkrReduceInfo){
        .label = t->name,
        .ops = t->flags ? VKR_OP_MIN : VKR_OP_SUM | VKR_OP_MIN | VKR_OP_MAX,
        .input =
            {
                .buffer = buffers[words ? WORDS : FLOATS].buffer,
                .size = count * 4,
                .type = words ? VKR_TYPE_U32 : VKR_TYPE_F32,
                .texels = t->tuning.texels ? (VkrTexels){texels, 0, BUFFER_SIZE} : (VkrTexels){0},
            },
        .count = VKR_COUNT_ALL,
        .output = {buffers[OUTPUT].buffer, slot * s->spacing, s->spacing},
        .determinism = t->determinism,
        .algorithm = t->algorithm,
        .flags = t->flags,
    };
}

void collect(session *s, const VkrReduceInfo *info)
{
    assert_int_equal(vkrCmdReduce(s->recorder, info), VKR_SUCCESS);
}

void end(session *s, bool own_scratch)
{
    const VkrEndInfo info = {
        .commandBuffer = device.cmd,
        .consumerStages = TRANSFER,
        .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT,
        .scratch = {own_scratch ? VK_NULL_HANDLE : buffers[SCRATCH].buffer, 0,
                    own_scratch ? 0 : SCRATCH_SIZE},
    };

    assert_int_equal(vkrEnd(s->recorder, &info), VKR_SUCCESS);
}

void record_one(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, COUNT, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    end(s, true);
}

/* A count that the GPU computes, as u64 and as its low word, is used by two reductions, and the
 * result of one of them is the input of the next. */
void record_chain(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, COUNT / 2, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    info.ops = VKR_OP_COUNT;
    collect(s, &info);
    for (uint32_t slot = 1; slot <= 2; slot++) {
        info = reduction(s, t, COUNT, slot);
        info.gpuCount =
            (VkrGpuCount){buffers[OUTPUT].buffer, 0, slot == 1 ? VKR_TYPE_U64 : VKR_TYPE_U32};
        collect(s, &info);
    }
    info = reduction(s, t, 1, 3);
    info.input.buffer = buffers[OUTPUT].buffer;
    info.input.offset = 2 * s->spacing;
    collect(s, &info);
    end(s, true);
}

/* Several recordings in one command buffer, with the caller's scratch and the recorder's. */
void record_several(session *s, const scenario *t)
{
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
        for (uint32_t k = 0; k < 3; k++) {
            const VkrReduceInfo info = reduction(s, t, COUNT, 3 * i + k);

            collect(s, &info);
        }
        end(s, i % 3 == 2);
    }
}

/* The second reduction writes what the first one reads. */
void record_overwritten_input(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    info.input.offset = BUFFER_SIZE / 2;
    info.output = (VkrBufferRange){info.input.buffer, 0, s->spacing};
    collect(s, &info);
    end(s, true);
}

/* SINGLE with several workgroups uses the counter's binding, so the output is not repeated in an
 * unused binding, which would count as read and written; the layer sees only writes of it. */
void record_overwritten_output(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, COUNT, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    collect(s, &info);
    end(s, true);
}

/* The result of the first reduction is far from the elements of the second, but in its buffer view;
 * the result of the third is in that view again. */
void record_through_texels(session *s, const scenario *t)
{
    VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    info.output = (VkrBufferRange){info.input.buffer, BUFFER_SIZE / 2, s->spacing};
    collect(s, &info);
    info.input.offset = BUFFER_SIZE / 4;
    info.output = (VkrBufferRange){buffers[OUTPUT].buffer, 0, s->spacing};
    collect(s, &info);
    info.input.texels.view = VK_NULL_HANDLE;
    info.output = (VkrBufferRange){info.input.buffer, BUFFER_SIZE / 2 + s->spacing, s->spacing};
    collect(s, &info);
    end(s, true);
}

/* The caller overwrites a part of a buffer view outside the elements, without a barrier. */
void record_filled_texels(session *s, const scenario *t)
{
    const VkrReduceInfo info = reduction(s, t, FEW, 0);

    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    collect(s, &info);
    assert_int_equal(vkrEnd(s->recorder, &(VkrEndInfo){.commandBuffer = device.cmd}), VKR_SUCCESS);
    vkCmdFillBuffer(device.cmd, buffers[FLOATS].buffer, BUFFER_SIZE / 2, 64, 0);
    plants++;
}

#define PIECES 4u

/* All pieces in one recording; an empty one ends the whole once more. */
void record_pieces(session *s, const scenario *t)
{
    assert_int_equal(vkrBegin(s->recorder), VKR_SUCCESS);
    for (uint32_t i = 0; i <= PIECES; i++) {
        VkrReduceInfo info = reduction(s, t, i < PIECES ? VKR_TREE_BLOCK : 0, 0);

        info.count = i < PIECES ? VKR_TREE_BLOCK : 0;
        info.input.offset = (PIECES - i) * VKR_TREE_BLOCK * 4 + 4;
        info.pieces = (VkrPieces){
            .partials = {buffers[OUTPUT].buffer, BUFFER_SIZE / 2 + 4, BUFFER_SIZE / 4},
            .first = (uint64_t)i * VKR_TREE_BLOCK,
            .count = PIECES * VKR_TREE_BLOCK,
        };
        collect(s, &info);
    }
    end(s, true);
}
