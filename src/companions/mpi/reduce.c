/* SPDX-License-Identifier: MIT */
/*
 * vkrMpiReduce. Each rank becomes the owner of whole blocks: it sends the elements before its first
 * block to the rank in which that block starts, and gets those that complete its last one. It
 * reduces its blocks to partials. Rank 0 gathers and combines them, and all get its results.
 */
#include "inside.h"

#define MAX_INPUTS 2u

typedef struct work {
    VkrReduceInfo request; /* of the whole: what pieces have in common */
    VkrReduceLayout layout;
    VkrView *views[MAX_INPUTS]; /* in the request; the second one is NULL without a dot product */
    uint32_t inputs;
    uint64_t count, first, whole;
    uint64_t *counts; /* of each rank, and at last the sizes of its partials */
    VkrPartCut cut;
    uint64_t split; /* elements of the last block, which this rank shares with others; or 0 */
    /* Places in the staging memory: the partials of the whole come first. */
    VkDeviceSize output, sent[MAX_INPUTS], shared[MAX_INPUTS], end;
} work;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Checks what a rank can check alone, and prepares the request. */
static VkrResult check(VkrMpi m, work *w, const VkrMpiReduceInfo *info)
{
    MUST(m, info != NULL && info->reduce != NULL, "reduce is NULL, but must be given.");
    const VkrReduceInfo *r = info->reduce;
    TRY(REFUSE(
        m, {r->input.image != NULL, "input.image"}, {r->input2.image != NULL, "input2.image"},
        {r->input.map != NULL && r->input.map->hook != NULL, "input.map.hook"},
        {r->gpuCount.buffer != VK_NULL_HANDLE, "gpuCount"},
        {r->pieces.partials.buffer != VK_NULL_HANDLE || r->pieces.count != 0, "pieces"},
        {r->outputImage != NULL, "outputImage"},
        {r->segments.kind != VKR_SEGMENTS_NONE, "segments"},
        {r->mask.flags.range.buffer != VK_NULL_HANDLE || r->mask.flags.hook != NULL ||
             r->mask.image != NULL,
         "mask"},
        {r->monoid != NULL, "monoid"},
        {(r->flags & VKR_REDUCE_CONSUME_INPUT_BIT) != 0, "VKR_REDUCE_CONSUME_INPUT_BIT in flags"}));
    MUST(m, info->result != NULL, "result is NULL, but must be given.");
    w->request = *r;
    w->request.input2.type = r->input.type;
    w->request.input2.components = r->input.components;
    w->views[0] = &w->request.input;
    w->views[1] = &w->request.input2;
    w->inputs = (r->ops & VKR_OP_DOT) != 0 ? 2 : 1;
    TRY(mpi_count(m, "input", w->views[0], r->count, &w->count));
    return w->inputs == 2 ? mpi_count(m, "input2", w->views[1], w->count, &w->count) : VKR_SUCCESS;
}

static uint64_t fingerprint_of(const VkrReduceInfo *r)
{
    const uint64_t values[] = {r->ops,
                               (uint64_t)r->input.type,
                               r->input.components > 1 ? r->input.components : 1,
                               (uint64_t)r->accumulator,
                               (uint64_t)r->nan,
                               (uint64_t)r->determinism,
                               r->flags};
    const VkrMap none = {0}, *map = r->input.map != NULL ? r->input.map : &none;
    return mpi_fingerprint(mpi_fingerprint(1, values, sizeof(values)), map, offsetof(VkrMap, hook));
}

/* ---- Who has what ---- */

/* Sets the part that this rank has, its cut, and the layout of the whole. */
static VkrResult cut(VkrMpi m, work *w, const VkrMpiReduceInfo *info)
{
    w->first = w->whole = 0;
    for (uint32_t i = 0; i < m->ranks.count; i++) {
        w->first += i < m->ranks.rank ? w->counts[i] : 0;
        MUST(m, w->counts[i] <= UINT64_MAX / 2 - w->whole,
             "count is %llu on rank %u, but must be less than 2^63 in all.",
             (unsigned long long)w->counts[i], (unsigned)i);
        w->whole += w->counts[i];
    }
    TRY(vkrCutPart(w->first, w->count, w->whole, VKR_TREE_BLOCK, &w->cut));
    if (w->cut.received != 0)
        w->split = w->cut.count - (w->cut.count - 1) / VKR_TREE_BLOCK * VKR_TREE_BLOCK;
    w->request.pieces.count = w->whole;
    w->request.count = w->count;
    TRY(vkrGetReduceLayout(m->info.context, &w->request, &w->layout));
    MUST(m, info->resultSize >= w->layout.size, "resultSize is %zu, but must be at least %llu.",
         info->resultSize, (unsigned long long)w->layout.size);
    return VKR_SUCCESS;
}

static VkrResult grow(VkrMpi m, work *w)
{
    w->output = mpi_round_up(w->layout.partialsSize);
    w->end = w->output + mpi_round_up(w->layout.size);
    for (uint32_t i = 0; i < w->inputs; i++) {
        const VkDeviceSize block = VKR_TREE_BLOCK * mpi_stride(w->views[i]);
        w->sent[i] = w->end;
        w->shared[i] = w->sent[i] + (w->cut.sent != 0 ? mpi_round_up(block) : 0);
        w->end = w->shared[i] + (w->split != 0 ? mpi_round_up(block) : 0);
    }
    return mpi_grow(m, &m->staging, w->end);
}

/* ---- Elements of blocks that ranks share ---- */

/* Copies elements of an input to the staging memory. */
static VkrResult copy(VkrMpi m, const VkrView *view, uint64_t first, uint64_t count,
                      VkDeviceSize to)
{
    const VkrView part = mpi_part_of(view, first, count);
    const VkrHostMemory source = {.buffer = part.buffer, .offset = part.offset, .size = part.size};
    const VkrHostMemory target = {.buffer = m->staging.buffer, .offset = to, .size = part.size};
    return count != 0 ? vkrHostCopyIn(m->host, &source, &target, part.size) : VKR_SUCCESS;
}

/* Makes strided elements consecutive. */
static void pack(unsigned char *bytes, const VkrView *view, uint64_t count)
{
    const VkDeviceSize element = mpi_element(view), stride = mpi_stride(view);
    for (uint64_t i = 1; i < count && stride != element; i++)
        memmove(bytes + i * element, bytes + i * stride, element);
}

static VkrResult fetch(VkrMpi m, const work *w)
{
    const uint64_t own = w->split - w->cut.received;
    if (w->cut.sent == 0 && w->split == 0)
        return VKR_SUCCESS;
    TRY(vkrHostBegin(m->host));
    for (uint32_t i = 0; i < w->inputs; i++) {
        TRY(copy(m, w->views[i], 0, w->cut.sent, w->sent[i]));
        TRY(copy(m, w->views[i], w->count - own, own, w->shared[i]));
    }
    TRY(vkrHostRun(m->host));
    for (uint32_t i = 0; i < w->inputs; i++) {
        pack(mpi_map(m) + w->sent[i], w->views[i], w->cut.sent);
        pack(mpi_map(m) + w->shared[i], w->views[i], own);
    }
    return VKR_SUCCESS;
}

/* Sends to the rank in which the block starts what it owns, and receives from those that follow.
 * The rank sends at its first call of `transfer`, also if it has nothing to receive. */
static VkrResult exchange(VkrMpi m, const work *w, uint32_t input)
{
    const VkDeviceSize element = mpi_element(w->views[input]);
    unsigned char *to = mpi_map(m) + w->shared[input] + (w->split - w->cut.received) * element;
    uint64_t sent = w->cut.sent, left = w->cut.received;
    uint32_t owner = m->ranks.rank, rank = owner + 1;
    for (uint64_t before = w->first % VKR_TREE_BLOCK; before > 0;)
        before -= least(before, w->counts[--owner]);
    for (; sent > 0 || left > 0; rank++) {
        const uint64_t count = left > 0 ? least(left, w->counts[rank]) : 0;
        EXCHANGE(m, transfer, owner, mpi_map(m) + w->sent[input], sent * element, rank, to,
                 count * element);
        to += count * element;
        left -= count;
        sent = 0;
    }
    return VKR_SUCCESS;
}

/* ---- Reductions ---- */

/* Collects the piece `first .. first + count` of the whole, which lies at the start of the inputs
 * of the request. */
static void add_piece(VkrMpi m, const work *w, VkrReduceInfo *piece, uint64_t first, uint64_t count)
{
    piece->count = count;
    piece->pieces = (VkrPieces){{m->staging.buffer, 0, w->layout.partialsSize}, first, w->whole};
    piece->output = (VkrBufferRange){m->staging.buffer, w->output, w->layout.size};
    vkrCmdReduce(vkrHostRecorder(m->host), piece);
}

static VkrResult reduce_blocks(VkrMpi m, const work *w)
{
    const uint64_t in_place = w->cut.count - w->split;
    VkrReduceInfo piece = w->request;
    VkrView *const views[MAX_INPUTS] = {&piece.input, &piece.input2};
    TRY(vkrHostBegin(m->host));
    for (uint32_t i = 0; i < w->inputs && in_place != 0; i++)
        *views[i] = mpi_part_of(w->views[i], w->cut.sent, in_place);
    if (in_place != 0)
        add_piece(m, w, &piece, w->cut.first, in_place);
    for (uint32_t i = 0; i < w->inputs && w->split != 0; i++) {
        const VkDeviceSize size = w->split * mpi_element(w->views[i]);
        views[i]->buffer = m->staging.buffer;
        views[i]->offset = w->shared[i];
        views[i]->size = size;
        views[i]->bufferSize = m->staging.size;
        views[i]->stride = 0;
        views[i]->texels = (VkrTexels){0};
    }
    if (w->split != 0)
        add_piece(m, w, &piece, w->cut.first + in_place, w->split);
    return vkrHostRun(m->host);
}

/* Brings the partials of all ranks to rank 0. */
static VkrResult gather(VkrMpi m, const work *w)
{
    VkDeviceSize at, size;
    TRY(vkrGetPartialsRange(&w->layout, w->whole, w->cut.first, w->cut.count, &at, &size));
    return mpi_check(m, vkrRanksGather(&m->ranks, mpi_map(m) + at, size, w->counts, mpi_map(m)));
}

static VkrResult combine(VkrMpi m, const work *w)
{
    VkrReduceInfo piece = w->request;
    for (uint32_t i = 0; i < w->inputs; i++) /* without elements there is no buffer */
        *(i == 0 ? &piece.input : &piece.input2) = (VkrView){.type = piece.input.type,
                                                             .components = piece.input.components,
                                                             .map = w->views[i]->map};
    TRY(vkrHostBegin(m->host));
    add_piece(m, w, &piece, w->whole, 0);
    return vkrHostRun(m->host);
}

static VkrResult reduce(VkrMpi m, const VkrMpiReduceInfo *info, work *w)
{
    EXCHANGE(m, allGather, &w->count, sizeof(w->count), w->counts);
    const VkrResult result = cut(m, w, info);
    TRY(mpi_agree(m, result == VKR_SUCCESS ? grow(m, w) : result));
    TRY(mpi_agree(m, fetch(m, w)));
    for (uint32_t i = 0; i < w->inputs; i++)
        TRY(exchange(m, w, i));
    TRY(mpi_agree(m, w->cut.count != 0 ? reduce_blocks(m, w) : VKR_SUCCESS));
    TRY(gather(m, w));
    TRY(mpi_agree(m, m->ranks.rank == 0 ? combine(m, w) : VKR_SUCCESS));
    EXCHANGE(m, broadcast, 0, mpi_map(m) + w->output, w->layout.size);
    memcpy(info->result, mpi_map(m) + w->output, w->layout.size);
    if (info->layout != NULL)
        *info->layout = w->layout;
    return VKR_SUCCESS;
}

VkrResult vkrMpiReduce(VkrMpi mpi, const VkrMpiReduceInfo *info)
{
    work w = {.inputs = 1, .counts = mpi->numbers};
    mpi->call = "vkrMpiReduce";
    const VkrResult result = check(mpi, &w, info);
    TRY(mpi_agree_on(mpi, result, result == VKR_SUCCESS ? fingerprint_of(info->reduce) : 0));
    return reduce(mpi, info, &w);
}
