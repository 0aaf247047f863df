# SPDX-License-Identifier: MIT
"""Reductions and scans by key."""
from mutant import Mutant

MUTANTS = (
    Mutant('only the first unit of a key is compared', 'changes.comp',
           'for (uint u = 0u; u < VKR_UNITS; u++)', 'for (uint u = 0u; u < 1u; u++)',
           ('by-key-lvp22-8/test_pairs',), ('changes*',)),
    Mutant('the first key of a pack is compared with itself', 'changes.comp',
           'vkr_keys[vkr_position(i) - 1u];', 'vkr_keys[vkr_position(i)];',
           ('by-key-lvp22-8/test_lengths',), ('changes',)),
    Mutant('words of packs take the bits of the first packs', 'changes.comp',
           '>> 4u * (p / VKR_WORKGROUP) & 15u', '& 15u',
           ('by-key-lvp22-8/test_lengths',), ('changes',)),
    Mutant('a window of keys lacks the key before it', 'keys.c',
           'vkr_items(place, window.first - before, window.count + before)',
           'vkr_items(place, window.first, window.count)',
           ('by-key-lvp22-8/test_lengths',)),
    Mutant('the last run ends at the number of runs', 'ends.comp',
           'VKR_RECORD_COUNT + w', 'VKR_RECORD_KEPT + w',
           ('by-key-lvp22-8/test_lengths',), ('ends',)),
    Mutant('the last run with room ends where the list does', 'compact/lists.c',
           '(vkr_has_buffer(&c->lengths) || c->of_segments) && c->capacity',
           'vkr_has_buffer(&c->lengths) && c->capacity',
           ('by-key-lvp22-8/test_pairs',)),
    Mutant('invocations reduce too few of the segments that the GPU counts', 'segment.comp',
           'items = (vkr_ids + push.groups * VKR_WORKGROUP - 1u) / (push.groups * VKR_WORKGROUP);',
           'items = vkr_ids / (push.groups * VKR_WORKGROUP);',
           ('by-key-lvp22-8/test_lengths',), ('segment_w32_*',)),
    Mutant('what is written about runs may overlap what is read', 'runs.c',
           'VKR_TRY(vkr_check_disjoint(w, &own, regions, count, APART));', ';',
           ('refusals',)),
)
