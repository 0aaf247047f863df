/* SPDX-License-Identifier: MIT */
#include "link_parts.h"

bool vkr_read_parameters(const vkr_module *m, const uint32_t *w, vkr_parameters *p)
{
    p->count = 0;
    for (; vkr_opcode_of(w) != SpvOpLabel; w += vkr_length_of(w)) {
        if (vkr_opcode_of(w) != SpvOpFunctionParameter)
            continue;
        if (p->count == VKR_MAX_HOOK_PARAMETERS)
            return false;
        const uint32_t *type = m->words + m->definitions[w[1]];
        const bool is_pointer = vkr_defined_by(m, w[1]) == SpvOpTypePointer;
        p->ids[p->count] = w[2];
        p->types[p->count] = w[1];
        p->values[p->count++] = is_pointer ? type[3] : w[1];
    }
    return true;
}

void vkr_write_head(vkr_linker *l, const uint32_t *w)
{
    for (; vkr_opcode_of(w) != SpvOpLabel; w += vkr_length_of(w))
        vkr_write(&l->out, w, vkr_length_of(w));
    VKR_WRITE(&l->out, SpvOpLabel, l->next_id++);
}

uint32_t vkr_write_value(vkr_linker *l, const vkr_parameters *p, uint32_t i)
{
    if (p->types[i] == p->values[i])
        return p->ids[i];
    const uint32_t value = l->next_id++;
    VKR_WRITE(&l->out, SpvOpLoad, p->values[i], value, p->ids[i]);
    return value;
}

/* The type of a value once the placeholder is taken off. */
static uint32_t plain_type(const vkr_linker *l, uint32_t type)
{
    const vkr_link_state *s = &l->state;
    return s->module && type == s->placeholder ? s->module->map[s->layout.type] : type;
}

/* Makes a variable of each parameter of the user's function that is a pointer. */
static void write_variables(vkr_linker *l, const vkr_link_module *module, const vkr_parameters *p,
                            uint32_t *arguments)
{
    for (uint32_t i = 0; i < p->count; i++) {
        arguments[i] = 0;
        if (p->types[i] == p->values[i])
            continue;
        arguments[i] = l->next_id++;
        VKR_WRITE(&l->out, SpvOpVariable, module->map[p->types[i]], arguments[i],
                  SpvStorageClassFunction);
    }
}

/* Writes what turns the parameters of the kernel's function, starting at number `skipped`, into
 * arguments of the user's. */
static void write_arguments(vkr_linker *l, const vkr_link_module *module,
                            const vkr_parameters *weak, const vkr_parameters *user,
                            uint32_t skipped, uint32_t *arguments)
{
    for (uint32_t i = 0; i < user->count; i++) {
        const uint32_t from = weak->values[skipped + i];
        uint32_t value = vkr_write_value(l, weak, skipped + i), type = plain_type(l, from);
        if (vkr_is_bits(l, from)) {
            value = vkr_write_of_bits(l, module, user->values[i], value);
            type = module->map[user->values[i]];
        }
        l->out.fails |= module->map[user->values[i]] != type;
        if (type != from && !vkr_is_bits(l, from)) {
            VKR_WRITE(&l->out, SpvOpCompositeExtract, type, l->next_id, value, 0);
            value = l->next_id++;
        }
        if (arguments[i] == 0)
            arguments[i] = value;
        else
            VKR_WRITE(&l->out, SpvOpStore, arguments[i], value);
    }
}

static void write_call(vkr_linker *l, const vkr_link_module *module, const uint32_t *function,
                       const uint32_t *arguments, uint32_t count, uint32_t returned)
{
    const uint32_t type = module->map[function[1]];
    uint32_t result = l->next_id++;
    const uint32_t call[] = {vkr_first_word(SpvOpFunctionCall, 4 + count), type, result,
                             module->map[function[2]]};
    vkr_write(&l->out, call, 4);
    vkr_write(&l->out, arguments, count);
    if (vkr_is_bits(l, returned)) {
        result = vkr_write_as_bits(l, module, function[1], result);
    } else if (type != returned) {
        l->out.fails |= type != plain_type(l, returned);
        VKR_WRITE(&l->out, SpvOpCompositeConstruct, returned, l->next_id, result);
        result = l->next_id++;
    }
    if (vkr_defined_by(&module->hooks->module, function[1]) == SpvOpTypeVoid)
        VKR_WRITE(&l->out, SpvOpReturn);
    else
        VKR_WRITE(&l->out, SpvOpReturnValue, result);
}

static const vkr_link_module *module_of(const vkr_linker *l, const vkr_hook *hook)
{
    const vkr_link_module *module = l->modules;
    while (module->hooks != hook->hooks)
        module++;
    return module;
}

void vkr_write_body(vkr_linker *l, uint32_t link)
{
    const vkr_hook *hook = &l->info->links[link].hook;
    const vkr_link_module *module = module_of(l, hook);
    const vkr_module *m = &module->hooks->module;
    const uint32_t *function = m->words + m->definitions[hook->function];
    const uint32_t *weak = l->kernel.words + l->kernel.definitions[l->weak[link]];
    uint32_t arguments[VKR_MAX_HOOK_PARAMETERS];
    vkr_parameters ours, theirs;
    if (!vkr_read_parameters(&l->kernel, weak, &ours) ||
        !vkr_read_parameters(m, function, &theirs) || theirs.count > ours.count) {
        l->out.fails = true;
        return;
    }
    /* A function that takes no element has one parameter fewer. */
    const uint32_t skipped = ours.count - theirs.count;
    l->out.fails |= skipped > 1 || (skipped == 1 && !vkr_is_bits(l, ours.values[0]));
    vkr_write_head(l, weak);
    write_variables(l, module, &theirs, arguments);
    write_arguments(l, module, &ours, &theirs, skipped, arguments);
    write_call(l, module, function, arguments, theirs.count, weak[1]);
    VKR_WRITE(&l->out, SpvOpFunctionEnd);
}
