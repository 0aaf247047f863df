# SPDX-License-Identifier: MIT
"""Checks the table of mutants without trying any."""
import collections
import fnmatch
import os
import re

import tiers
from bench import REPLACED
from tree import Tree

MAX_LATER = 0.1  # the share of mutants that only tests outside the first tier may notice


def stale(mutants, tree):
    return [f'{mutant.file}: {mutant.name}: {why}' for mutant in (*mutants, REPLACED)
            for why in (tree.find(mutant)[1],) if why]


def idle(mutants):
    counts = collections.Counter(mutant.name for mutant in mutants)
    return [f'{count} mutants are named: {name}' for name, count in counts.items() if count > 1] + \
        [f'{mutant.name}: it changes nothing' for mutant in mutants
         if mutant.search == mutant.replace]


def bare(mutants, tree):
    with_mutants = {os.path.dirname(name) for mutant in mutants
                    for name in (tree.find(mutant)[0],) if name is not None}
    return [f'{folder} has no mutant' for folder in tree.folders() if folder not in with_mutants]


def unknown_tests(mutants, rows, left_out):
    """Tests of the table that a build lacks, although nothing that they need was left out."""
    names = [tiers.SPIRV, *(row['name'] for row in rows)]
    return [f'{mutant.file}: {mutant.name}: no test is named {pattern}'
            for mutant in mutants for pattern in mutant.tests
            if not tiers.matching(pattern, names) and
            not any(fnmatch.fnmatch(pattern.partition('/')[0], part) for part in left_out)]


def unknown_modules(mutants, kernels):
    return [f'{mutant.file}: {mutant.name}: no module is named {pattern}'
            for mutant in mutants for pattern in mutant.modules
            if not any(fnmatch.fnmatch(name, pattern) or
                       fnmatch.fnmatch(name.replace('_u64', ''), pattern) for name in kernels)]


def too_late(mutants, rows):
    """Empty if the first tier notices enough mutants."""
    later = tiers.noticed_later(mutants, rows)
    return [f'{mutant.file}: {mutant.name}: the first tier does not notice it'
            for mutant in later if len(later) > MAX_LATER * len(mutants)]


def kernels_of(build):
    with open(os.path.join(build, 'shaders/kernel_list.h'), encoding='utf-8') as file:
        return [name.lower() for name in re.findall(r'^\s*VKR_KERNEL_(\w+),', file.read(), re.M)]


def check(mutants, root, build, rows, left_out):
    """Prints, in TAP, what is wrong in the table. Returns whether anything is."""
    tree = Tree(root)
    checks = {'the text of each mutant occurs once': stale(mutants, tree),
              'each mutant has a name of its own, and changes something': idle(mutants),
              'each folder of the libraries has a mutant': bare(mutants, tree)}
    if '*' not in left_out:
        checks |= {'the tests of the table exist': unknown_tests(mutants, rows, left_out),
                   'the first tier notices at least 90 % of the mutants': too_late(mutants, rows),
                   'the modules of the table exist': unknown_modules(mutants, kernels_of(build))}
    print(f'1..{len(checks)}')
    for number, (name, wrong) in enumerate(checks.items(), 1):
        print(f'{"not ok" if wrong else "ok"} {number} - {name}')
        for line in wrong:
            print(f'# {line}')
    return any(checks.values())
