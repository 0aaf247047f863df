/* SPDX-License-Identifier: MIT */
/* Finds the functions of monoids. */
#include "monoid.h"

#include <stdio.h>
#include <string.h>

#include "../spirv/layout.h"
#include "context.h"
#include "memory.h"

/* The number of the first function with a name, or 0. */
static uint32_t function_named(const vkr_hooks *hooks, const char *name)
{
    for (uint32_t i = 0; i < hooks->function_count; i++) {
        const vkr_hook_function *f = &hooks->functions[i];
        if (strlen(name) == f->name_length && memcmp(name, f->name, f->name_length) == 0)
            return f->id;
    }
    return 0;
}

/* The type of a result or a parameter of a function if that is a number, or else float. */
static vkr_hook_type number_in(const vkr_hooks *hooks, const char *name, uint32_t number,
                               uint32_t max_bits)
{
    const vkr_hook_type type = vkr_type_in(hooks, function_named(hooks, name), number);
    return vkr_is_number(type, max_bits) ? type : VKR_HOOK_TYPE_FLOAT;
}

/* Finds one function, whose states must have the type of `load`. */
static bool find(const vkr_monoid *m, const char *name, const vkr_signature *signature,
                 vkr_hook *hook, char *sentence)
{
    const vkr_hooks *hooks = &m->load.module->hooks;
    if (!vkr_find_hook(hooks, name, signature, hook, sentence, VKR_HOOK_SENTENCE))
        return false;
    if (m->load.hook.state == 0 || hook->state == m->load.hook.state)
        return true;
    (void)snprintf(sentence, VKR_HOOK_SENTENCE,
                   "%s is about another type than %s, which returns "
                   "the state",
                   name, m->load.info.name);
    return false;
}

static bool find_finish(vkr_monoid *m, const char *name, char *sentence)
{
    vkr_link_row *row = &m->others[VKR_MONOID_FINISH];
    m->result = VKR_HOOK_TYPE_STATE;
    if (name == NULL)
        return true;
    m->result = number_in(&m->load.module->hooks, name, 0, 32);
    const vkr_signature signature = {m->result, 1, {VKR_HOOK_TYPE_STATE}};
    row->weak = "vkr_hook_finish";
    m->other_count++;
    return find(m, name, &signature, &row->hook, sentence);
}

static bool find_functions(const VkrMonoid *monoid, vkr_monoid *m, const char **member,
                           char *sentence)
{
    const vkr_hooks *hooks = &monoid->hook->module->hooks;
    const vkr_signature load =
        vkr_signature_of_load(hooks, function_named(hooks, monoid->hook->name));
    const vkr_signature combine = {
        VKR_HOOK_TYPE_STATE, 2, {VKR_HOOK_TYPE_STATE, VKR_HOOK_TYPE_STATE}};
    const vkr_signature identity = {VKR_HOOK_TYPE_STATE, 0, {VKR_HOOK_TYPE_VOID}};
    vkr_link_row *others = m->others;
    vkr_state layout;
    m->load.module = monoid->hook->module;
    m->load.info.name = monoid->hook->name;
    m->load.weak = "vkr_hook_load";
    if (load.parameter_count == 2) {
        m->load.info.elementType = vkr_type_of_components(load.parameters[0]);
        m->load.info.elementComponents = load.parameters[0].components;
    }
    others[VKR_MONOID_COMBINE].weak = "vkr_hook_combine";
    others[VKR_MONOID_IDENTITY].weak = "vkr_hook_identity";
    m->other_count = 2;
    *member = "hook->name";
    if (!find(m, monoid->hook->name, &load, &m->load.hook, sentence))
        return false;
    if (!vkr_state_of(m->load.hook.hooks, m->load.hook.state, &layout, sentence, VKR_HOOK_SENTENCE))
        return false;
    m->words = layout.word_count;
    *member = "combine";
    if (!find(m, monoid->combine, &combine, &others[VKR_MONOID_COMBINE].hook, sentence))
        return false;
    *member = "identity";
    if (!find(m, monoid->identity, &identity, &others[VKR_MONOID_IDENTITY].hook, sentence))
        return false;
    *member = "finish";
    return find_finish(m, monoid->finish, sentence);
}

static bool is_same(const vkr_monoid *a, const vkr_monoid *b)
{
    bool same = a->load.hook.function == b->load.hook.function && a->other_count == b->other_count;
    for (uint32_t i = 0; i < a->other_count && same; i++)
        same = a->others[i].hook.function == b->others[i].hook.function;
    return same;
}

/* The module's own copy of a monoid, or NULL. The lock is held. */
static vkr_monoid *find_kept(const vkr_monoid *found)
{
    vkr_monoid *kept = found->load.module->monoids;
    while (kept && !is_same(kept, found))
        kept = kept->next;
    return kept;
}

/* Returns the module's own copy of a monoid, which it adds unless it has one; NULL without
 * memory. */
static const vkr_monoid *keep(const vkr_monoid *found)
{
    const VkrModule module = found->load.module;
    VkrContext context = module->context;
    vkr_enter(&context->lock);
    vkr_monoid *kept = find_kept(found);
    vkr_leave(&context->lock);
    if (kept)
        return kept;
    vkr_monoid *added = vkr_alloc(context, sizeof *added + strlen(found->load.info.name) + 1);
    vkr_enter(&context->lock);
    kept = find_kept(found); /* which another thread may have added */
    if (!kept && added) {
        char *name = (char *)(added + 1);
        *added = *found;
        added->load.info.name = strcpy(name, found->load.info.name);
        added->load.monoid = added;
        added->next = module->monoids;
        module->monoids = kept = added;
        added = NULL;
    }
    vkr_leave(&context->lock);
    vkr_free(context, added);
    return kept;
}

const vkr_monoid *vkr_monoid_of(const VkrMonoid *monoid, const char **member, char *sentence)
{
    vkr_monoid found = {0};
    sentence[0] = '\0';
    if (!find_functions(monoid, &found, member, sentence))
        return NULL;
    sentence[0] = '\0';
    return keep(&found);
}
