/* SPDX-License-Identifier: MIT */
#include "grammar.h"
#include "spirv_grammar.h"

/* The elements of signatures that grammar.py writes. */
enum {
    TYPE = 1,
    RESULT,
    ID,
    LITERAL,
    STRING,
    CASE,
    OPERATION, /* of OpSpecConstantOp: an opcode, and then its operands */
    MASK,      /* this and all later ones: sets of bits */
    OPTIONAL = 0x40,
    REPEATS = 0x80
};

static const uint8_t *signature_of(uint32_t opcode)
{
    const uint32_t page = opcode / PAGE < PAGES ? pages[opcode / PAGE] : 0;
    const uint8_t number = numbers[page * PAGE + opcode % PAGE];
    return number ? elements + starts[number] : NULL;
}

void vkr_start_operands(vkr_operands *operands, const uint32_t *instruction)
{
    *operands = (vkr_operands){.instruction = instruction,
                               .at = 1,
                               .case_words = 1,
                               .next = signature_of(vkr_opcode_of(instruction))};
}

static bool ends_string(uint32_t word)
{
    return ((word - 0x01010101u) & ~word & 0x80808080u) != 0;
}

/* Updates the state after the previous word. Returns false if that word is invalid. */
static bool update_state(vkr_operands *o)
{
    const uint32_t word = o->instruction[o->at - 1];
    const uint8_t last = o->last;
    o->last = 0;
    if (last == STRING) {
        o->more = !ends_string(word);
        o->last = STRING;
    } else if (last == OPERATION) {
        const uint8_t *signature = signature_of(word);
        if (!signature || signature[0] != TYPE || signature[1] != RESULT)
            return false;
        o->next = signature + 2;
    } else if (last >= MASK) {
        o->bits = word & (sets[last - MASK].ids | sets[last - MASK].literals);
        o->twice = word & sets[last - MASK].twice;
        o->last = last;
        return (word & ~sets[last - MASK].known) == 0;
    }
    return true;
}

/* Returns the next parameter of the lowest remaining bit. */
static vkr_word next_parameter(vkr_operands *o)
{
    const uint32_t bit = o->bits & (~o->bits + 1);
    const bool is_id = sets[o->last - MASK].ids & bit;
    if (o->twice & bit)
        o->twice -= bit;
    else
        o->bits -= bit;
    o->last = o->bits ? o->last : 0;
    return is_id ? VKR_WORD_ID : VKR_WORD_LITERAL;
}

static vkr_word next_element(vkr_operands *o)
{
    static const vkr_word words[] = {
        [TYPE] = VKR_WORD_TYPE, [RESULT] = VKR_WORD_RESULT, [ID] = VKR_WORD_ID};
    if (*o->next & REPEATS && !o->repeat)
        o->repeat = o->next;
    const uint8_t element = *o->next++ & (OPTIONAL - 1);
    o->last = element > LITERAL ? element : 0;
    o->more = element == CASE ? o->case_words - 1 : 0;
    return element < LITERAL ? words[element] : VKR_WORD_LITERAL;
}

vkr_word vkr_next_word(vkr_operands *o)
{
    const bool ends = o->at == vkr_length_of(o->instruction);
    if (!o->next || (o->last && !o->more && !o->bits && !update_state(o)))
        return VKR_WORD_UNKNOWN;
    if (!o->more && !o->bits) {
        if (*o->next == 0 && o->repeat)
            o->next = o->repeat;
        if (ends)
            return *o->next == 0 || *o->next & OPTIONAL ? VKR_WORD_END : VKR_WORD_UNKNOWN;
        if (*o->next == 0)
            return VKR_WORD_UNKNOWN;
    }
    if (ends)
        return VKR_WORD_UNKNOWN;
    o->at++;
    if (o->bits)
        return next_parameter(o);
    if (!o->more)
        return next_element(o);
    o->more--;
    return VKR_WORD_LITERAL;
}

uint32_t vkr_result_word(uint32_t opcode)
{
    const uint8_t *signature = signature_of(opcode);
    const uint32_t typed = signature && signature[0] == TYPE;
    return signature && signature[typed] == RESULT ? 1 + typed : 0;
}
