# SPDX-License-Identifier: MIT
"""Accesses that a step does not declare: the scheduler then records it before a step of another
operation whose results it reads, or lets another operation read too early. Results are right where
operations are alone."""
from mutant import Mutant

CHAINS = ('chains-lvp22-8',)
# Where a wrong result is rare, what a module stores is compared with what its step declares.
PLANS = ('plans_rows',)


def undeclared(what, card, slot, access, tests=CHAINS):
    return Mutant(f'chains: {what}', f'shaders/cards/{card}.h', f'{slot}, {access},',
                  f'{slot}, DECLARED,', tests)


MUTANTS = (
    undeclared('searched values are not waited for', 'bounds', 'VKR_BOUNDS_SLOT_VALUES, VALUES',
               'READ'),
    undeclared('upper bounds are read too early', 'bounds', 'VKR_BOUNDS_SLOT_UPPER, UPPER',
               'WRITE'),
    undeclared('the keys of a sort are not waited for', 'sort', 'VKR_SORT_SLOT_SOURCE, SOURCE',
               'READ'),
    undeclared('payloads of other sizes are not waited for', 'pick',
               'VKR_PICK_SLOT_SOURCE, SOURCE', 'READ'),
    undeclared('the number of entries found is read too early', 'rank',
               'VKR_RANK_SLOT_FOUND, FOUND', 'WRITE'),
    undeclared('the elements of a selection are not waited for', 'select',
               'VKR_SELECT_SLOT_INPUT, INPUT', 'READ'),
    undeclared('elements of a reduction are not waited for', 'reduce', 'VKR_REDUCE_INPUT, INPUT',
               'READ'),
    undeclared('elements of a histogram are not waited for', 'histogram',
               'VKR_HISTOGRAM_SLOT_INPUT, INPUT', 'READ'),
    undeclared('results of scans are read too early', 'scan', 'VKR_SCAN_SLOT_RESULTS, OUTPUT',
               'WRITE'),
    undeclared('kept elements are read too early', 'compact', 'VKR_COMPACT_SLOT_OUTPUTS, KEPT',
               'WRITE', PLANS),
    undeclared('results of segments are read too early', 'segment',
               'VKR_SEGMENT_RESULTS, OUTPUT', 'WRITE'),
    undeclared('the order of a sort is read too early', 'sort', 'VKR_SORT_SLOT_RANKED, RANKED',
               'WRITE'),
)
