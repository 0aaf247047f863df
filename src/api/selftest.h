/* SPDX-License-Identifier: MIT */
/* Declarations that the parts of the self-test share: selftest.c, which runs it; selftest_known.c,
 * which has the known elements and answers; selftest_moves.c; and selftest_objects.c. */
#ifndef VKR_SELFTEST_H
#define VKR_SELFTEST_H

#include "../core/context.h"
#include "vkreduce/testing.h"

#define VKR_SELF_MANY 20011u    /* elements: several workgroups, as an invocation reads few bytes */
#define VKR_SELF_REGION 163840u /* bytes for the elements of a check: room for MANY of 8 bytes */
#define VKR_SELF_SLOT 256u      /* bytes for the results of a check; the maximum offset alignment */
#define VKR_SELF_FILLER 0xc9 /* fills the gaps and the results, so that none is right by chance */

#define VKR_SELF_CHECKS 7u
#define VKR_SELF_MOVES 6u
#define VKR_SELF_SORTED 3u /* the move that sorts */
#define VKR_SELF_REGIONS (VKR_SELF_CHECKS + VKR_SELF_MOVES)

/* A reduction with known answers. */
typedef struct vkr_self_check {
    VkrType type;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    uint32_t count;
    uint32_t skip; /* elements before the first one, which start at a multiple of VKR_SELF_SLOT */
    uint32_t stride;
    bool nan;    /* some elements are NaN */
    bool texels; /* the view has texels */
} vkr_self_check;
extern const vkr_self_check vkr_self_checks[VKR_SELF_CHECKS];

typedef enum vkr_self_kind {
    VKR_SELF_SCAN,
    VKR_SELF_COMPACT, /* to the elements below 0 */
    VKR_SELF_SORT,
    VKR_SELF_TOP_K,
    VKR_SELF_BOUNDS, /* a search for each element among the sorted ones */
} vkr_self_kind;

/* An operation on the first check's elements that stores more than a few results. */
typedef struct vkr_self_move {
    vkr_self_kind kind;
    uint32_t algorithm; /* of the operation */
    VkrOp op;           /* of a scan: sum or max */
    bool waits;         /* cannot run with VKR_FORWARD_PROGRESS_NONE */
} vkr_self_move;
extern const vkr_self_move vkr_self_moves[VKR_SELF_MOVES];

typedef struct vkr_self_test {
    /* A region for the elements of each check, a slot for the results of each check, and a region
     * for the results of each move. */
    VkBuffer buffer;
    VkDeviceMemory memory;
    unsigned char *data;
    VkBufferView texels; /* on the region of the check whose view has texels */
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
    bool abandoned; /* the device may still use these objects */
} vkr_self_test;

/* ---- selftest_known.c ---- */

/* The value of an element, unless it is NaN. Values are integers, small enough that their float
 * sums are exact in any order. */
int64_t vkr_known_value(const vkr_self_check *check, uint32_t i);
bool vkr_is_known_nan(const vkr_self_check *check, uint32_t i);

/* Returns a number as a value of the type, in the low bytes. */
uint64_t vkr_encode_known(VkrType type, uint64_t number);

/* Returns the correct result of an operator as a value of the type, which is that of
 * vkrGetReduceLayout. */
uint64_t vkr_known_answer(const vkr_self_check *check, VkrOp op, VkrType type);

void vkr_print_known(char text[32], VkrType type, uint64_t bits);

VkrReduceInfo vkr_self_reduction(const vkr_self_test *test, uint32_t check);

/* ---- selftest_moves.c ---- */

bool vkr_self_move_serves(VkrContext context, uint32_t m);
VkrResult vkr_collect_self_move(const vkr_self_test *test, uint32_t m);

/* Compares the results of a move, and describes the first wrong one of a group path in
 * `sentence`. */
void vkr_compare_self_move(VkrContext context, const vkr_self_test *test, uint32_t m,
                           VkrSelfTestReport *report, char sentence[256]);

/* ---- selftest_objects.c ---- */

/* Stores the created objects in *created, even if it fails. */
VkrResult vkr_create_self_test(VkrContext context, uint32_t family, vkr_self_test **created);

/* Destroys a self-test; NULL is ignored. */
void vkr_destroy_self_test(VkrContext context, void *test);

#endif
