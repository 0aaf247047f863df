/* SPDX-License-Identifier: MIT */
/* ranks.h over a transport that is no MPI: ranks are threads of this process, which copy bytes. */
#include "unit.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "vkreduce/parts.h"
#include "vkreduce/ranks.h"

#define MAX_RANKS 6u
#define MAX_TOTALS 40u

/* ---- The transport ---- */

typedef struct message {
    void *bytes;
    uint64_t size;
} message;

typedef struct world {
    uint32_t count;
    pthread_barrier_t barrier;
    const void *shown[MAX_RANKS]; /* data of each rank during a collective exchange */
    pthread_mutex_t lock;
    pthread_cond_t sent;
    message messages[MAX_RANKS][MAX_RANKS]; /* at most one that has not arrived, from and to */
} world;

typedef struct member {
    world *world;
    uint32_t rank;
    VkrRanks ranks;
    void (*run)(struct member *m);
    const void *task; /* what is tested, the same for all ranks */
    bool right;
} member;

static void show(member *m, const void *data)
{
    m->world->shown[m->rank] = data;
    pthread_barrier_wait(&m->world->barrier);
}

static VkrResult find_max(void *context, uint32_t *values, size_t count)
{
    member *m = context;
    uint32_t found[8] = {0};
    show(m, values);
    for (uint32_t rank = 0; rank < m->world->count; rank++)
        for (size_t i = 0; i < count; i++) {
            const uint32_t value = ((const uint32_t *)m->world->shown[rank])[i];
            found[i] = value > found[i] ? value : found[i];
        }
    pthread_barrier_wait(&m->world->barrier);
    memcpy(values, found, count * sizeof(*values));
    return VKR_SUCCESS;
}

static VkrResult broadcast(void *context, uint32_t root, void *data, uint64_t size)
{
    member *m = context;
    show(m, data);
    if (m->rank != root)
        memcpy(data, m->world->shown[root], (size_t)size);
    pthread_barrier_wait(&m->world->barrier);
    return VKR_SUCCESS;
}

static VkrResult all_gather(void *context, const void *data, size_t size, void *all)
{
    member *m = context;
    show(m, data);
    for (uint32_t rank = 0; rank < m->world->count; rank++)
        memcpy((char *)all + rank * size, m->world->shown[rank], size);
    pthread_barrier_wait(&m->world->barrier);
    return VKR_SUCCESS;
}

static void put(world *w, message *to, const void *sent, uint64_t size)
{
    to->bytes = malloc((size_t)size);
    to->size = size;
    memcpy(to->bytes, sent, (size_t)size);
    pthread_cond_broadcast(&w->sent);
}

static VkrResult transfer(void *context, uint32_t to, const void *sent, uint64_t sent_size,
                          uint32_t from, void *received, uint64_t received_size)
{
    member *m = context;
    world *w = m->world;
    VkrResult result = VKR_SUCCESS;
    pthread_mutex_lock(&w->lock);
    if (sent_size != 0 && w->messages[m->rank][to].bytes == NULL)
        put(w, &w->messages[m->rank][to], sent, sent_size);
    else if (sent_size != 0)
        result = VKR_ERROR_INVALID_STATE;
    if (received_size != 0) {
        message *box = &w->messages[from][m->rank];
        while (box->bytes == NULL)
            pthread_cond_wait(&w->sent, &w->lock);
        if (box->size == received_size)
            memcpy(received, box->bytes, (size_t)received_size);
        else
            result = VKR_ERROR_INVALID_STATE;
        free(box->bytes);
        *box = (message){0};
    }
    pthread_mutex_unlock(&w->lock);
    return result;
}

static void *run_member(void *argument)
{
    member *m = argument;
    m->run(m);
    return NULL;
}

/* Runs a function on each of some ranks, which each find out whether their results are right. */
static void run_ranks(uint32_t count, void (*run)(member *m), const void *task)
{
    world w = {.count = count};
    member members[MAX_RANKS] = {0};
    pthread_t threads[MAX_RANKS];
    pthread_barrier_init(&w.barrier, NULL, count);
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.sent, NULL);
    for (uint32_t i = 0; i < count; i++) {
        members[i] = (member){.world = &w, .rank = i, .run = run, .task = task};
        members[i].ranks = (VkrRanks){.rank = i,
                                      .count = count,
                                      .context = &members[i],
                                      .max = find_max,
                                      .broadcast = broadcast,
                                      .allGather = all_gather,
                                      .transfer = transfer};
        assert_int_equal(pthread_create(&threads[i], NULL, run_member, &members[i]), 0);
    }
    for (uint32_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(members[i].right);
        for (uint32_t k = 0; k < count; k++)
            assert_null(w.messages[i][k].bytes);
    }
    pthread_barrier_destroy(&w.barrier);
    pthread_mutex_destroy(&w.lock);
    pthread_cond_destroy(&w.sent);
}

/* ---- Agreement ---- */

static uint32_t failure_of(uint32_t failing, uint32_t rank)
{
    return (failing >> rank & 1) != 0 ? 255 - 50 * rank : 0;
}

/* The first rank that fails decides, not the greatest number. */
static void agree(member *m)
{
    const uint32_t failing = *(const uint32_t *)m->task;
    uint32_t first = 0, failure = failure_of(failing, m->rank), rank = 7;
    while (first < m->world->count && (failing >> first & 1) == 0)
        first++;
    const bool none = first == m->world->count;
    m->right = vkrRanksAgree(&m->ranks, &failure, &rank) == VKR_SUCCESS &&
               failure == (none ? 0 : failure_of(failing, first)) && rank == (none ? 0 : first);
    failure = failure_of(failing, m->rank);
    m->right = m->right && vkrRanksAgree(&m->ranks, &failure, NULL) == VKR_SUCCESS &&
               failure == (none ? 0 : failure_of(failing, first));
}

TEST(test_agreement)
{
    for (uint32_t count = 1; count <= 5; count++)
        for (uint32_t failing = 0; failing < 1u << count; failing++)
            run_ranks(count, agree, &failing);
}

/* ---- Data ---- */

typedef struct gathering {
    uint64_t sizes[MAX_RANKS];
    bool in_place;
} gathering;

/* Each rank has bytes of a value of its own. */
static void gather(member *m)
{
    const gathering *g = m->task;
    unsigned char own[16], all[16 * MAX_RANKS + 1];
    uint64_t sizes[MAX_RANKS], at = 0;
    memset(own, (int)m->rank + 1, sizeof(own));
    memset(all, 0xee, sizeof(all));
    if (g->in_place && m->rank == 0)
        memcpy(all, own, (size_t)g->sizes[0]);
    const void *data = g->in_place && m->rank == 0 ? all : own;
    m->right = vkrRanksGather(&m->ranks, data, g->sizes[m->rank], sizes, all) == VKR_SUCCESS &&
               memcmp(sizes, g->sizes, m->world->count * sizeof(*sizes)) == 0;
    for (uint32_t rank = 0; rank < m->world->count && m->rank == 0; rank++)
        for (uint64_t i = 0; i < g->sizes[rank]; i++)
            m->right = m->right && all[at++] == rank + 1;
    m->right = m->right && all[at] == 0xee;
}

TEST(test_gathering)
{
    const gathering rows[] = {{{16, 3, 0, 16, 1, 7}, false},
                              {{0, 0, 5, 0, 0, 2}, false},
                              {{9, 0, 1, 1, 0, 0}, true},
                              {{0}, true}};
    for (uint32_t count = 1; count <= MAX_RANKS; count++)
        for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
            run_ranks(count, gather, &rows[i]);
}

/* ---- Prefixes ---- */

typedef struct prefix_task {
    VkrPrefixInfo info;           /* its totals are those of the whole, in the order of the scan */
    uint64_t cuts[MAX_RANKS + 1]; /* where the parts start, in the order of the scan, and end */
} prefix_task;

/* The prefix after the first totals of the whole, by one call; this is what parts.c tests. */
static VkrPrefix expect(const VkrPrefixInfo *info, uint64_t count)
{
    const size_t size = info->components * vkrTypeSize(info->type);
    const uint64_t first = info->initial == NULL;
    VkrPrefix p = {.exists = count >= first};
    if (p.exists == 0)
        return p;
    memcpy(p.values, first != 0 ? info->totals : info->initial, size);
    (void)vkrAddTotals(info->op, info->type, info->components, info->nan, count - first,
                       (const unsigned char *)info->totals + first * size, p.values);
    return p;
}

static bool is_equal(const VkrPrefixInfo *info, const VkrPrefix *a, const VkrPrefix *b)
{
    return a->exists == b->exists &&
           (a->exists == 0 ||
            memcmp(a->values, b->values, info->components * vkrTypeSize(info->type)) == 0);
}

static void find_prefix(member *m)
{
    const prefix_task *t = m->task;
    const uint32_t count = m->world->count;
    const uint32_t place = t->info.reverse ? count - 1 - m->rank : m->rank;
    const uint64_t first = t->cuts[place],
                   end = place == count - 1 ? MAX_TOTALS : t->cuts[place + 1];
    const VkrPrefix expected = expect(&t->info, first), whole = expect(&t->info, MAX_TOTALS);
    VkrPrefixInfo info = t->info;
    VkrPrefix before = {7, {0}}, total = {7, {0}};
    info.totals =
        (const unsigned char *)info.totals + first * info.components * vkrTypeSize(info.type);
    info.count = end - first;
    m->right =
        vkrRanksPrefix(&m->ranks, &info, &before, &total) == VKR_SUCCESS &&
        is_equal(&info, &before, &expected) && is_equal(&info, &total, &whole) &&
        vkrRanksPrefix(&m->ranks, &info, m->rank == 0 ? NULL : &before, NULL) == VKR_SUCCESS &&
        (m->rank == 0 || is_equal(&info, &before, &expected));
}

TEST(test_prefixes)
{
    const struct {
        VkrOp op;
        VkrType type;
        uint32_t components;
        VkrNan nan;
        bool is_float;
    } rows[] = {{VKR_OP_SUM, VKR_TYPE_U64, 1, VKR_NAN_IGNORE, false},
                {VKR_OP_SUM, VKR_TYPE_F32, 3, VKR_NAN_IGNORE, true},
                {VKR_OP_MAX, VKR_TYPE_I16, 4, VKR_NAN_IGNORE, false},
                {VKR_OP_MIN, VKR_TYPE_F32, 2, VKR_NAN_PROPAGATE, true}};
    /* Where parts start: some of them are empty, also the first ones. */
    const uint64_t cuts[][MAX_RANKS + 1] = {
        {0, 7, 13, 14, 30, 39}, {0, 0, 0, 9, 9, 40}, {0, 1, 2, 3, 4, 5}};
    union {
        float reals[MAX_TOTALS * 4];
        unsigned char bytes[MAX_TOTALS * 32];
    } totals;
    const float start[4] = {1.5f, -3.25f, 1e-3f, 4};
    for (size_t i = 0; i < ARRAY_SIZE(rows) * ARRAY_SIZE(cuts) * 4; i++) {
        const size_t row = i / 4 % ARRAY_SIZE(rows), cut = i / 4 / ARRAY_SIZE(rows);
        uint32_t seed = 12345;
        for (size_t k = 0; k < sizeof(totals.bytes); k++)
            totals.bytes[k] = (unsigned char)((seed = seed * 1664525u + 1013904223u) >> 24);
        for (size_t k = 0; k < ARRAY_SIZE(totals.reals) && rows[row].is_float; k++)
            totals.reals[k] = (float)totals.bytes[4 * k] / (float)(1 + k % 7) - 20;
        prefix_task t = {.info = {.op = rows[row].op,
                                  .type = rows[row].type,
                                  .components = rows[row].components,
                                  .nan = rows[row].nan,
                                  .reverse = i % 2 != 0,
                                  .initial = i / 2 % 2 != 0 ? start : NULL,
                                  .totals = totals.bytes}};
        memcpy(t.cuts, cuts[cut], sizeof(t.cuts));
        for (uint32_t count = 1; count <= MAX_RANKS; count++)
            run_ranks(count, find_prefix, &t);
    }
}

/* Sums of counts, by plain arithmetic. */
static void find_offset(member *m)
{
    const uint64_t none = 0, kept = UINT64_C(3) << (10 * m->rank), r = m->rank, n = m->world->count;
    const VkrPrefixInfo info = {.op = VKR_OP_SUM,
                                .type = VKR_TYPE_U64,
                                .components = 1,
                                .initial = &none,
                                .totals = &kept,
                                .count = 1};
    VkrPrefix before, total;
    uint64_t offset = 7, all = 7, expected = 0, expected_all = 0;
    for (uint64_t i = 0; i < n; i++) {
        expected += i < r ? UINT64_C(3) << 10 * i : 0;
        expected_all += UINT64_C(3) << 10 * i;
    }
    m->right = vkrRanksPrefix(&m->ranks, &info, &before, &total) == VKR_SUCCESS;
    memcpy(&offset, before.values, sizeof(offset));
    memcpy(&all, total.values, sizeof(all));
    m->right = m->right && offset == expected && all == expected_all;
}

TEST(test_offsets)
{
    for (uint32_t count = 1; count <= MAX_RANKS; count++)
        run_ranks(count, find_offset, NULL);
}

/* ---- Errors ---- */

static VkrResult fail_max(void *context, uint32_t *values, size_t count)
{
    (void)context, (void)values, (void)count;
    return VKR_ERROR_INVALID_STATE;
}

static VkrResult fail_gather(void *context, const void *data, size_t size, void *all)
{
    (void)context, (void)data, (void)size;
    memset(all, 1, 2 * size);
    return VKR_ERROR_INVALID_STATE;
}

static VkrResult fail_transfer(void *context, uint32_t to, const void *sent, uint64_t sent_size,
                               uint32_t from, void *received, uint64_t received_size)
{
    (void)context, (void)to, (void)sent, (void)sent_size;
    (void)from, (void)received, (void)received_size;
    return VKR_ERROR_DEVICE_LOST;
}

/* Failed exchanges end a function; there are no others, since their functions are NULL. */
TEST(test_errors)
{
    const uint64_t number = 1;
    const VkrPrefixInfo info = {
        .op = VKR_OP_SUM, .type = VKR_TYPE_U64, .components = 1, .totals = &number, .count = 1};
    VkrPrefixInfo wrong = info;
    for (uint32_t rank = 0; rank < 2; rank++) {
        const VkrRanks ranks = {.rank = rank,
                                .count = 2,
                                .max = fail_max,
                                .allGather = fail_gather,
                                .transfer = fail_transfer};
        uint32_t failure = 0;
        uint64_t sizes[2];
        char all[4];
        VkrPrefix before, total;
        assert_int_equal(vkrRanksAgree(&ranks, &failure, NULL), VKR_ERROR_INVALID_STATE);
        assert_int_equal(vkrRanksGather(&ranks, "x", 1, sizes, all), VKR_ERROR_INVALID_STATE);
        assert_int_equal(vkrRanksPrefix(&ranks, &info, &before, &total), VKR_ERROR_DEVICE_LOST);
        wrong.op = VKR_OP_MEAN;
        assert_int_equal(
            vkrRanksPrefix(&(VkrRanks){.rank = rank, .count = 2}, &wrong, &before, &total),
            VKR_ERROR_INVALID_ARGUMENT);
    }
}

TEST_MAIN("ranks", CASE(test_agreement), CASE(test_gathering), CASE(test_prefixes),
          CASE(test_offsets), CASE(test_errors))
