# SPDX-License-Identifier: MIT
"""Selections of the greatest or least elements."""
from mutant import Mutant

DEVICE = ('topk-lvp22-8/test_pairs',)

MUTANTS = (
    Mutant('a digit is found while its counts are cleared', 'select.comp',
           'barrier(); /* all invocations have found the previous digit */', '',
           DEVICE, ('select_*',)),
    Mutant('the last element of equal ones is found instead of the first', 'select.comp',
           'if (!is_equal || passed.y < s.rest)', 'if (!is_equal || passed.y <= s.rest)',
           DEVICE, ('select_*',)),
    Mutant('elements before the packs of a unit are not counted', 'units.glsl',
           'plan.singles = count - plan.packs * VKR_PER_PACK;', 'plan.singles = 0u;',
           DEVICE, ('select_*',)),
    Mutant('a digit with too few elements ends a selection', 'selection.glsl',
           's.complete = s.shift == 0u || s.rest == count;',
           's.complete = s.shift == 0u || s.rest <= count;', DEVICE, ('select_*',)),
    Mutant('a part does not know how many equal elements come before it', 'select.comp',
           'return uvec2(vkr_sums[0], vkr_sums[1]);', 'return uvec2(vkr_sums[0], 0u);',
           DEVICE, ('select_*',)),
    Mutant('the GPU\'s count does not shorten rows', 'rest.glsl',
           'all = high != 0u ? all : min(all, low);', 'all = all;',
           DEVICE, ('select_*', 'rank_*', 'pick_*')),
    Mutant('equal elements of short rows have the same rank', 'rank.comp',
           'bool is_earlier = i < position;', 'bool is_earlier = false;',
           DEVICE, ('rank_*',)),
    Mutant('a window of the source copies entries of others', 'pick.comp',
           'picked.exists = picked.exists && at < push.source_count;', '',
           DEVICE, ('pick_*',)),
    Mutant('windows of units all read the first elements', 'topk/units.c',
           'push->first_element = (uint32_t)begin;', 'push->first_element = 0;', DEVICE),
    Mutant('found counts k where a row is shorter', 'select.comp',
           'vkr_found[push.found_base + row] = min(push.wanted, share.row_length);',
           'vkr_found[push.found_base + row] = push.wanted;', DEVICE, ('select_*',)),
)
