/* SPDX-License-Identifier: MIT */
/* Three passes over the words: which blocks can be reached, which of the others a merge instruction
 * still names, and the writing. Blocks come after those that dominate them and, but for loops,
 * after those that branch to them; a module in another order stays as it is. */
#include <string.h>

#include "fold.h"
#include "prune.h"
#include "spirv.h"
#include "unpack.h"

/* What is known of the id of a block or of a function. */
typedef struct place {
    uint32_t at;    /* its word in the module */
    uint32_t taken; /* of a block: the only one that it goes on to, or 0 */
    uint32_t pair;  /* of a loop's header its continue target, and the other way round */
    bool reached;
    bool done;  /* a function: looked through */
    bool loops; /* a header: some block that is reached returns to it */
    bool named; /* a block: a merge instruction that stays names it */
    bool gone;  /* what has this id is left out */
} place;

typedef struct module {
    const uint32_t *words;
    size_t count;
    vkr_value *values; /* by id */
    place *places;     /* by id */
    bool unknown;      /* holds what this does not know */
} module;

static void look_at_globals(module *m, const uint32_t *constants, uint32_t constant_count)
{
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        const uint32_t *w = m->words + at;
        switch (vkr_opcode_of(w)) {
        case OP_ENTRY_POINT:
            m->places[w[2]].reached = true;
            break;
        case OP_FUNCTION:
            m->places[w[2]].at = at;
            break;
        case OP_LABEL:
            m->places[w[1]].at = at;
            break;
        case OP_SWITCH: /* of one case there is no choice */
            m->unknown |= vkr_length_of(w) > 3;
            break;
        default:
            vkr_fold_global(m->values, w, constants, constant_count);
        }
    }
}

/* ---- What is reached ---- */

static void branch(module *m, uint32_t from, uint32_t to)
{
    place *target = &m->places[to];
    const bool back = target->at <= m->places[from].at;
    target->loops |= back;
    m->unknown |= back && !target->reached;
    target->reached = true;
}

/* A branch that returns to a loop's header stays, since each loop has to have one. */
static void branch_by_condition(module *m, uint32_t block, const uint32_t *w)
{
    const vkr_value *condition = &m->values[w[1]];
    const uint32_t at = m->places[block].at;
    const bool returns = m->places[w[2]].at <= at || m->places[w[3]].at <= at;
    if (condition->known && !returns) {
        m->places[block].taken = condition->value ? w[2] : w[3];
        branch(m, block, m->places[block].taken);
        return;
    }
    branch(m, block, w[2]);
    branch(m, block, w[3]);
}

/* Whether one block goes on to another, as far as was found out. */
static bool goes_on(const module *m, uint32_t from, uint32_t to)
{
    const place *p = &m->places[from];
    return p->reached && (p->taken == 0 || p->taken == to);
}

/* A value that is the same whatever block was left. What loops bring back is not known here. */
static void fold_phi(module *m, uint32_t block, const uint32_t *w)
{
    vkr_value all = {0};
    for (uint32_t k = 3; k + 1 < vkr_length_of(w); k += 2) {
        const vkr_value *value = &m->values[w[k]];
        const bool back = m->places[w[k + 1]].at >= m->places[block].at;
        if (!back && !goes_on(m, w[k + 1], block))
            continue;
        if (back || !value->known || (all.known && all.value != value->value))
            return;
        all = *value;
    }
    m->values[w[2]].known = all.known && m->values[w[1]].folds;
    m->values[w[2]].value = all.value;
}

static void look_through(module *m, uint32_t function)
{
    uint32_t block = 0;
    uint32_t at = m->places[function].at;
    m->places[function].done = true;
    for (; vkr_opcode_of(m->words + at) != OP_FUNCTION_END; at += vkr_length_of(m->words + at)) {
        const uint32_t *w = m->words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == OP_LABEL) {
            m->places[w[1]].reached |= block == 0; /* a function's first */
            block = w[1];
        }
        if (block == 0 || !m->places[block].reached)
            continue;
        if (opcode == OP_PHI)
            fold_phi(m, block, w);
        else if (opcode == OP_FUNCTION_CALL)
            m->places[w[3]].reached = true;
        else if (opcode == OP_BRANCH)
            branch(m, block, w[1]);
        else if (opcode == OP_SWITCH)
            branch(m, block, w[2]);
        else if (opcode == OP_BRANCH_CONDITIONAL)
            branch_by_condition(m, block, w);
        else
            vkr_fold(m->values, w);
    }
}

/* Functions may call those behind them and those before them. */
static void look_through_all(module *m)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
            const uint32_t *w = m->words + at;
            if (vkr_opcode_of(w) != OP_FUNCTION || !m->places[w[2]].reached || m->places[w[2]].done)
                continue;
            look_through(m, w[2]);
            more = true;
        }
    }
}

/* ---- What stays ---- */

/* Whether a block's merge instruction stays: not where the block goes on to one place only, except
 * in a loop. */
static bool stays_construct(const module *m, uint32_t block, const uint32_t *w)
{
    const uint32_t taken = m->places[block].taken;
    return taken == 0 || (vkr_opcode_of(w) == OP_LOOP_MERGE && taken != w[1]);
}

static void name_targets(module *m, uint32_t block, const uint32_t *w)
{
    m->places[w[1]].named = true;
    if (vkr_opcode_of(w) == OP_SELECTION_MERGE)
        return;
    m->places[w[2]].named = true;
    m->unknown |= m->places[w[2]].pair || m->places[block].pair;
    m->places[w[2]].pair = block;
    m->places[block].pair = w[2];
    m->unknown |= m->places[w[2]].reached && !m->places[block].loops;
}

static void look_what_stays(module *m)
{
    uint32_t function = 0, block = 0;
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        const uint32_t *w = m->words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == OP_FUNCTION) {
            function = w[2];
            block = 0;
        }
        if (opcode == OP_LABEL)
            block = w[1];
        if (function == 0)
            continue;
        if (!m->places[block ? block : function].reached)
            m->places[vkr_result_of(w)].gone = true;
        else if ((opcode == OP_LOOP_MERGE || opcode == OP_SELECTION_MERGE) &&
                 stays_construct(m, block, w))
            name_targets(m, block, w);
    }
}

/* ---- Writing ---- */

typedef struct writer {
    uint32_t *to;
    uint32_t function, block;
} writer;

static void write(writer *out, const uint32_t *w, uint32_t length)
{
    memcpy(out->to, w, length * sizeof *w);
    out->to += length;
}

/* Drops what comes from blocks that do not come here any more. A loop that nothing returns to gets
 * a continue target that does, as loops have to, with the value that it has already. */
static void write_phi(const module *m, writer *out, const uint32_t *w)
{
    const place *block = &m->places[out->block];
    uint32_t *phi = out->to;
    const uint32_t length = vkr_length_of(w), result = w[2];
    uint32_t written = 3;
    memcpy(phi, w, 3 * sizeof *w);
    for (uint32_t k = 3; k + 1 < length; k += 2) {
        const uint32_t value = w[k], from = w[k + 1];
        const bool stays = goes_on(m, from, out->block);
        if (!stays && (m->places[from].at < block->at || block->pair == 0))
            continue;
        phi[written++] = stays ? value : result;
        phi[written++] = stays ? from : block->pair;
    }
    phi[0] = written << 16 | OP_PHI;
    out->to += written;
}

/* A block that is not reached but named: the end of a construct that is left elsewhere. */
static void write_named(const module *m, writer *out, const uint32_t *label)
{
    const place *p = &m->places[label[1]];
    const uint32_t header = p->pair;
    write(out, label, 2);
    if (header)
        write(out, (const uint32_t[]){2u << 16 | OP_BRANCH, header}, 2);
    else
        write(out, (const uint32_t[]){1u << 16 | OP_UNREACHABLE}, 1);
}

static void write_in_block(const module *m, writer *out, const uint32_t *w)
{
    const place *p = &m->places[out->block];
    const uint32_t opcode = vkr_opcode_of(w);
    if (opcode == OP_PHI)
        write_phi(m, out, w);
    else if (opcode == OP_BRANCH_CONDITIONAL && p->taken)
        write(out, (const uint32_t[]){2u << 16 | OP_BRANCH, p->taken}, 2);
    else if ((opcode != OP_LOOP_MERGE && opcode != OP_SELECTION_MERGE) ||
             stays_construct(m, out->block, w))
        write(out, w, vkr_length_of(w));
}

static void write_instruction(const module *m, writer *out, const uint32_t *w)
{
    const uint32_t opcode = vkr_opcode_of(w);
    const bool about = opcode == OP_NAME || opcode == OP_DECORATE;
    if (opcode == OP_FUNCTION) {
        out->function = w[2];
        out->block = 0;
    }
    if (opcode == OP_LABEL)
        out->block = w[1];
    if (about && m->places[w[1]].gone)
        return;
    if (out->function && !m->places[out->function].reached)
        return;
    if (out->block == 0 || opcode == OP_FUNCTION_END)
        write(out, w, vkr_length_of(w));
    else if (m->places[out->block].reached)
        write_in_block(m, out, w);
    else if (opcode == OP_LABEL && m->places[out->block].named)
        write_named(m, out, w);
}

size_t vkr_prune_size(const uint32_t *words, size_t count)
{
    return words[VKR_SPIRV_BOUND] * (sizeof(place) + sizeof(vkr_value)) + count * sizeof *words;
}

uint32_t *vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                    uint32_t constant_count, void *memory)
{
    module m = {.words = words, .count = *count, .places = memory};
    m.values = (vkr_value *)(m.places + words[VKR_SPIRV_BOUND]);
    uint32_t *pruned = (uint32_t *)(m.values + words[VKR_SPIRV_BOUND]);
    memset(memory, 0, (size_t)((char *)pruned - (char *)memory));
    look_at_globals(&m, constants, constant_count);
    if (!m.unknown)
        look_through_all(&m);
    look_what_stays(&m);
    writer out = {.to = pruned};
    write(&out, words, m.unknown ? (uint32_t)m.count : VKR_SPIRV_HEADER);
    for (size_t at = VKR_SPIRV_HEADER; at < m.count && !m.unknown; at += vkr_length_of(words + at))
        write_instruction(&m, &out, words + at);
    *count = (size_t)(out.to - pruned);
    return pruned;
}
