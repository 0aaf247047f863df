/* SPDX-License-Identifier: MIT */
/*
 * VkrPieces: a whole that is cut at random, with its pieces in one recording or in several, each at
 * another offset and stride, in any order except that the last one comes last. Results are compared
 * with the oracle and with a reduction of the whole at once: they have the same bits, except float
 * sums below level DEVICE. There is poison outside the pieces, and only partials and output are
 * written.
 *
 * VKR_TEST_SEED varies everything; VKR_TEST_ROWS bounds the rows for drivers that compile slowly.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pieces_rows.h"

#define BLOCK VKR_TREE_BLOCK
#define MAX_ELEMENTS (9u * BLOCK)
#define MAX_PIECES 12u
#define MAX_STRIDE 32u /* of a packed element */
#define BUFFER_BYTES (8u << 20)
#define PARTIALS_BYTES (64u << 10)
#define OUTPUT_BYTES 1024u
#define PARTIALS_OFFSET 4u
#define SHOWN 5

static harness h;
static uint64_t state = 1, checks, mismatches;

#define ORDERED                                                                                    \
    (VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_MEAN | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_L2 |            \
     VKR_OP_DOT | VKR_OP_VARIANCE | VKR_OP_STDDEV | VKR_OP_LOGSUMEXP)

/* ---- A whole and its cut ---- */

/* The location of the `count` elements starting at `first` in the buffers of both inputs. */
typedef struct piece {
    uint64_t first, count;
    uint32_t submission;
    VkDeviceSize offset, stride;
    VkrTexels texels;
} piece;

enum { INPUT, INPUT2, PARTIALS, OUTPUT, BUFFERS };
static harness_buffer buffers[BUFFERS];
static unsigned char *data[2]; /* the whole, tightly packed */

typedef struct run {
    const piece_row *row;
    VkrContext context;
    VkrRecorder recorder;
    VkrReduceLayout layout;
    uint64_t count;
    uint32_t piece_count;
    piece pieces[MAX_PIECES];
    uint32_t element; /* bytes */
} run;

static uint64_t below(uint64_t bound)
{
    return bound == 0 ? 0 : next_random(&state) % bound;
}

/* Draws the blocks to cut at. Pieces can be empty, and their order is random except that the end of
 * the whole comes last. */
static void cut(run *r)
{
    uint64_t first = 0;
    const uint32_t most = below(4) == 0 ? 1 : 2 + (uint32_t)below(MAX_PIECES - 3);
    const uint64_t whole_blocks = r->count / BLOCK;
    r->piece_count = 0;
    while (r->piece_count + 1 < most) {
        const uint64_t count = BLOCK * below(whole_blocks - first / BLOCK + 1);
        if (first + count == r->count)
            break;
        r->pieces[r->piece_count++] = (piece){.first = first, .count = count};
        first += count;
    }
    for (uint32_t i = r->piece_count; i > 1; i--) {
        const uint32_t k = (uint32_t)below(i);
        const piece swapped = r->pieces[k];
        r->pieces[k] = r->pieces[i - 1];
        r->pieces[i - 1] = swapped;
    }
    r->pieces[r->piece_count++] = (piece){.first = first, .count = r->count - first};
    if (below(3) == 0) /* an empty piece after the end of the whole */
        r->pieces[r->piece_count++] = (piece){.first = r->count};
    const uint64_t mode = below(3); /* one submission, one for each piece, or a random number */
    for (uint32_t i = 1; i < r->piece_count; i++)
        r->pieces[i].submission =
            r->pieces[i - 1].submission + (mode == 2 ? (uint32_t)below(2) : (uint32_t)mode);
}

static void place(run *r)
{
    const uint32_t size = vkrTypeSize(r->row->type);
    VkDeviceSize used = GUARD;
    for (uint32_t i = 0; i < r->piece_count; i++) {
        piece *p = &r->pieces[i];
        p->offset = (used + 31) / 32 * 32 + size * below(32 / size);
        p->stride = r->element + (r->row->packed || below(2) == 0 ? 0 : size * below(3));
        used = p->offset + p->count * p->stride + GUARD;
        assert_true(used <= BUFFER_BYTES);
    }
}

static bool has_dot(const run *r)
{
    return (r->row->ops & VKR_OP_DOT) != 0;
}

/* Fills in the pieces of a submission; later pieces are still poison. */
static void fill_input(const run *r, uint32_t submission)
{
    const uint32_t size = vkrTypeSize(r->row->type);
    for (int input = 0; input <= has_dot(r); input++) {
        unsigned char *bytes = buffers[INPUT + input].data;
        const piece *last = &r->pieces[r->piece_count - 1];
        const VkDeviceSize used = last->offset + last->count * last->stride + GUARD;
        if (submission == 0)
            fill_data(&state, DATA_POISON, r->row->type, 1, bytes, size, used / size);
        for (uint32_t i = 0; i < r->piece_count; i++) {
            const piece *p = &r->pieces[i];
            for (uint64_t k = 0; k < p->count && p->submission == submission; k++)
                memcpy(bytes + p->offset + k * p->stride, data[input] + (p->first + k) * r->element,
                       r->element);
        }
    }
}

static void create_texels(run *r)
{
    const VkDeviceSize alignment = h.properties.limits.minTexelBufferOffsetAlignment;
    for (uint32_t i = 0; i < r->piece_count && r->row->context == TEXELS; i++) {
        piece *p = &r->pieces[i];
        const VkDeviceSize offset = p->offset / alignment * alignment;
        const VkBufferViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
            .buffer = buffers[INPUT].buffer,
            .format = VK_FORMAT_R32G32B32A32_UINT,
            .offset = offset,
            .range = (p->offset + p->count * p->stride - offset) / 16 * 16 + 16 * below(2),
        };
        if (info.range == 0)
            continue;
        p->texels = (VkrTexels){.offset = offset, .size = info.range};
        assert_int_equal(vkCreateBufferView(h.device, &info, NULL, &p->texels.view), VK_SUCCESS);
    }
}

/* ---- Recording ---- */

static VkrReduceInfo whole_info(const run *r)
{
    return (VkrReduceInfo){
        .ops = r->row->ops,
        .input = {.type = r->row->type, .components = r->row->components},
        .output = {buffers[OUTPUT].buffer, GUARD, r->layout.size},
        .accumulator = r->row->accumulator,
        .nan = r->row->nan,
        .determinism = r->row->determinism,
        .flags = r->row->sample ? VKR_REDUCE_SAMPLE_BIT : 0,
        .pieces.count = r->count,
    };
}

static VkrReduceInfo piece_info(const run *r, const piece *p)
{
    VkrReduceInfo info = whole_info(r);
    info.input = (VkrView){.buffer = buffers[INPUT].buffer,
                           .offset = p->offset,
                           .size = p->count * p->stride,
                           .type = r->row->type,
                           .components = r->row->components,
                           .stride = p->stride,
                           .texels = p->texels};
    info.input2 = info.input;
    info.input2.buffer = buffers[INPUT2].buffer;
    info.input2.texels = (VkrTexels){0};
    info.count = below(2) == 0 && p->count > 0 ? VKR_COUNT_ALL : p->count;
    info.algorithm = below(2) == 0 ? VKR_REDUCE_AUTO : VKR_REDUCE_SUBGROUP;
    info.pieces = (VkrPieces){
        .partials = {buffers[PARTIALS].buffer, PARTIALS_OFFSET, r->layout.partialsSize},
        .first = p->first,
        .count = r->count,
    };
    return info;
}

static void submit(const run *r)
{
    const VkrEndInfo end = {
        .commandBuffer = h.cmd,
        .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
        .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT,
    };
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(r->recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    assert_true(harness_check(&h, vkrReset(r->recorder), "vkrReset"));
}

static void run_pieces(const run *r)
{
    for (uint32_t i = 0; i < r->piece_count;) {
        const uint32_t submission = r->pieces[i].submission;
        fill_input(r, submission);
        assert_true(harness_check(&h, vkrBegin(r->recorder), "vkrBegin"));
        for (; i < r->piece_count && r->pieces[i].submission == submission; i++) {
            const VkrReduceInfo info = piece_info(r, &r->pieces[i]);
            assert_true(harness_check(&h, vkrCmdReduce(r->recorder, &info), "vkrCmdReduce"));
        }
        submit(r);
    }
}

static void run_whole(const run *r)
{
    VkrReduceInfo info = piece_info(r, &(piece){.count = r->count, .stride = r->element});
    info.pieces = (VkrPieces){0};
    memcpy(buffers[INPUT].data, data[0], r->count * r->element);
    memcpy(buffers[INPUT2].data, data[1], r->count * r->element);
    assert_true(harness_check(&h, vkrBegin(r->recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(r->recorder, &info), "vkrCmdReduce"));
    submit(r);
}

/* ---- Verification ---- */

static void complain(const run *r, const char *what, const char *actual, const char *expected)
{
    if (mismatches++ >= SHOWN)
        return;
    printf("# row %d, %" PRIu64 " elements in %u pieces: %s is %s, but should be %s\n",
           (int)(r->row - rows), r->count, r->piece_count, what, actual, expected);
}

static void compare(const run *r, VkrOp op, uint32_t component, const VkrReduceResult *result,
                    const unsigned char *pieces, const unsigned char *whole)
{
    const oracle_reduce_info info = {
        .data = data[0],
        .stride = r->element,
        .data2 = data[1],
        .stride2 = r->element,
        .count = r->count,
        .type = r->row->type,
        .components = r->row->components,
        .accumulator = r->row->accumulator,
        .nan = r->row->nan,
        .determinism = r->row->determinism,
        .sample = r->row->sample,
    };
    const bool exact = !is_float(r->row->type) || (op & ORDERED) == 0 ||
                       r->row->determinism == VKR_DETERMINISM_DEVICE;
    char texts[3][64];
    oracle_value value;
    oracle_reduce(&info, op, component, result->type, &value);
    oracle_format(texts[0], sizeof(texts[0]), result->type, pieces);
    oracle_format(texts[1], sizeof(texts[1]), result->type, value.bytes);
    oracle_format(texts[2], sizeof(texts[2]), result->type, whole);
    checks += oracle_proves(&value);
    if (!oracle_accepts(&value, result->type, pieces))
        complain(r, vkrOpName(op), texts[0], texts[1]);
    else if (exact && memcmp(pieces, whole, vkrTypeSize(result->type)) != 0)
        complain(r, vkrOpName(op), texts[0], texts[2]);
}

/* Checks that all bytes except the `size` bytes at `offset` still have their fill. */
static void check_guard(const run *r, const char *name, const harness_buffer *buffer,
                        unsigned char fill, VkDeviceSize offset, VkDeviceSize size)
{
    const unsigned char *bytes = buffer->data;
    for (VkDeviceSize i = 0; i < buffer->size; i++)
        if ((i < offset || i >= offset + size) && bytes[i] != fill) {
            complain(r, name, "overwritten outside", "untouched there");
            return;
        }
}

static void run_count(run *r, uint64_t count)
{
    unsigned char pieces[OUTPUT_BYTES];
    r->count = count;
    const VkrReduceInfo info = whole_info(r);
    assert_true(
        harness_check(&h, vkrGetReduceLayout(r->context, &info, &r->layout), "vkrGetReduceLayout"));
    const distribution kind = (r->row->ops & VKR_OP_PRODUCT) != 0 ? DATA_UNIT
                              : below(2) == 0                     ? DATA_RANDOM
                                                                  : (distribution)below(DATA_COUNT);
    for (int i = 0; i <= has_dot(r); i++)
        fill_data(&state, kind, r->row->type, r->row->components, data[i], r->element, count);
    cut(r);
    place(r);
    create_texels(r);
    memset(buffers[PARTIALS].data, 0xa5, PARTIALS_BYTES);
    memset(buffers[OUTPUT].data, 0x5a, OUTPUT_BYTES);
    run_pieces(r);
    check_guard(r, "partials", &buffers[PARTIALS], 0xa5, PARTIALS_OFFSET, r->layout.partialsSize);
    check_guard(r, "output", &buffers[OUTPUT], 0x5a, GUARD, r->layout.size);
    memcpy(pieces, buffers[OUTPUT].data, OUTPUT_BYTES);
    run_whole(r);
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &r->layout.results[bit];
        for (uint32_t c = 0; c < r->row->components && result->type != VKR_TYPE_UNDEFINED; c++) {
            const VkDeviceSize at = GUARD + result->offset + c * vkrTypeSize(result->type);
            compare(r, (VkrOp)(1u << bit), c, result, pieces + at,
                    (unsigned char *)buffers[OUTPUT].data + at);
        }
    }
    for (uint32_t i = 0; i < r->piece_count; i++)
        vkDestroyBufferView(h.device, r->pieces[i].texels.view, NULL);
}

static void test_row(void **test_state)
{
    static const uint64_t counts[] = {0,         1,         BLOCK - 1,     BLOCK,
                                      BLOCK + 1, 2 * BLOCK, 3 * BLOCK - 1, MAX_ELEMENTS};
    const VkrRecorderInfo info = {.label = "pieces"};
    run r = {.row = *test_state};
    r.element = vkrTypeSize(r.row->type) * r.row->components;
    r.context = open_context(&h, r.row->context);
    if (!vkrIsTypeSupported(r.context, r.row->type) ||
        (r.row->accumulator != VKR_TYPE_UNDEFINED &&
         !vkrIsTypeSupported(r.context, r.row->accumulator))) {
        printf("# left out: a type that the device does not have\n");
        vkrDestroyContext(r.context);
        return;
    }
    assert_true(
        harness_check(&h, vkrCreateRecorder(r.context, &info, &r.recorder), "vkrCreateRecorder"));
    const uint64_t before = mismatches;
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
        run_count(&r, counts[i]);
    for (int i = 0; i < (harness_full() ? 100 : 6); i++)
        run_count(&r, 1 + below(MAX_ELEMENTS));
    vkrDestroyRecorder(r.recorder);
    vkrDestroyContext(r.context);
    assert_int_equal(mismatches, before);
}

/* ---- Group ---- */

static int open_all(void **unused)
{
    static const VkDeviceSize sizes[BUFFERS] = {BUFFER_BYTES, BUFFER_BYTES, PARTIALS_BYTES,
                                                OUTPUT_BYTES};
    (void)unused;
    state = environment("VKR_TEST_SEED", 1) * 7919u;
    for (int i = 0; i < BUFFERS; i++)
        if (!harness_create_buffer(&h, sizes[i], &buffers[i]))
            return -1;
    for (int i = 0; i < 2; i++)
        if ((data[i] = malloc((size_t)MAX_ELEMENTS * MAX_STRIDE)) == NULL)
            return -1;
    return 0;
}

static int close_all(void **unused)
{
    (void)unused;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", checks, mismatches);
    for (int i = 0; i < BUFFERS; i++)
        harness_destroy_buffer(&h, &buffers[i]);
    free(data[0]);
    free(data[1]);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[PIECE_ROWS];
    char names[PIECE_ROWS][64];
    const size_t most = environment("VKR_TEST_ROWS", PIECE_ROWS);
    const size_t count = most < PIECE_ROWS ? most : PIECE_ROWS;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof(names[i]), "%s, ops 0x%x, %u components, context %d",
                 vkrTypeName(rows[i].type), rows[i].ops, rows[i].components, rows[i].context);
        tests[i] = (struct CMUnitTest){names[i], test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    }
    return harness_run(&h, "pieces", tests, count, open_all, close_all);
}
