# SPDX-License-Identifier: MIT
"""Functions of applications that stand for elements and for flags."""
from mutant import Mutant

HOOKS = ('hooks-lvp22-8',)

MUTANTS = (
    Mutant('functions are called past the count of the GPU', 'call.comp',
           'total = min(total, count);', 'total = max(total, count);', HOOKS, ('call',)),
    Mutant('elements of later windows have the indices of the first', 'call.comp',
           'vkr_call(push.first + i + c * VKR_WORKGROUP)', 'vkr_call(i + c * VKR_WORKGROUP)', HOOKS,
           ('call',)),
    Mutant('flags past the count are those of the last element', 'call.comp',
           'is_set[c] && first + (b + c) * stride < covered ?', 'is_set[c] ?', HOOKS, ('call',)),
    Mutant('the key of a pipeline lacks the function', 'pipeline.c',
           'a->function == b->function &&', 'true &&', HOOKS),
    Mutant('what a function accesses is not declared', 'call.c',
           'i < hook->useCount', 'i < 0 * hook->useCount', HOOKS),
    Mutant('pipelines outlive the module of their functions', 'function.c',
           'vkr_destroy_pipelines_of(module->context, module);', '', ('modules',)),
    Mutant('a module of another context is taken', 'hook.c',
           'hook->module->context == w->context', 'hook->module->context != NULL', ('modules',)),
    Mutant('modules need no layout for their descriptors', 'function.c',
           'at < m->count && !module->set_layout;', 'at < 0 * m->count;', ('modules',)),
)
