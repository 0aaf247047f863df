#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the tests: applies one mutant after the other and runs the tests that should notice it.

mutants.py BUILD [--part K/N] [--only PATTERN,..] [--all] [--slower FACTOR] [--log FILE]
mutants.py BUILD --list | --tiers | --check [--left-out PATTERN,..]

BUILD is a build folder. table.py lists the mutants; --part chooses every N-th of them, from the
K-th on, and --only those of these names. Each is applied to a copy of the sources in BUILD/mutants,
and what the tests need is built there. If a mutant changes shaders/, its modules are compiled, and
the library of the copy has them in place of its own. Then the tests that should notice it run and,
if none of them does and --all is given, all other tests. Only tests that pass without a mutant
count. Prints which test noticed each mutant; --log writes a log for summary.py. The exit status is
1 if a mutant was not noticed. It uses as many processors as it may (taskset limits them).

--list lists the mutants; --tiers says which tests notice them, and whether the first tier has
these; --check, which builds nothing, looks for mutants whose text is gone, for folders without
mutants, and for tests that do not exist, except those of which BUILD has left out what they need.
"""
import argparse
import fnmatch
import json
import os
import sys
import time

import table
from bench import Bench, read
from check import check
from tiers import SPIRV, print_tiers

# The first tier must notice the mutants, with any rows.
os.environ.pop('VKR_TEST_FULL', None)
os.environ.pop('VKR_TEST_TURNS', None)
# Objects of other folders are as good: nobody debugs these.
os.environ.setdefault('CCACHE_NOHASHDIR', '1')


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('build')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--tiers', action='store_true')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('--left-out', default='')
    parser.add_argument('--part', default='1/1')
    parser.add_argument('--only', default='*')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--slower', type=float, default=4, help="a factor for tests' time-outs")
    parser.add_argument('--log')
    return parser.parse_args()


def choose(options):
    try:
        part, parts = map(int, options.part.split('/'))
    except ValueError:
        part, parts = 0, 0
    if not 1 <= part <= parts:
        sys.exit(f'mutants.py: --part is {options.part}, but must be K/N with K from 1 to N')
    chosen = [mutant for mutant in table.MUTANTS[part - 1::parts]
              if any(fnmatch.fnmatch(mutant.name, only) for only in options.only.split(','))]
    if not chosen:
        sys.exit(f'mutants.py: no mutant of part {options.part} is named {options.only}')
    return chosen


def try_mutant(bench, mutant):
    """The first test that notices a mutant, and its failed cases; or None and the reason."""
    with bench.apply(mutant) as why:
        if why:
            return None, [why]
        for test in bench.matching(mutant.tests):
            failed = bench.run(test)
            if failed is None:
                return None, ['DOES NOT BUILD']
            if failed:
                return test, failed
    return None, ['NOT NOTICED']


def try_all(bench, mutants):
    """Returns the lines of the log, and how many mutants were not noticed."""
    lines, missed, noticed = [], 0, {}
    for mutant in mutants:
        start = time.monotonic()
        test, failed = try_mutant(bench, mutant)
        missed += test is None
        noticed.setdefault(test, []).append(mutant.name)
        by = f'{test}: ' * (test is not None) + ', '.join(failed[:3])
        print(f'{mutant.file + ": " + mutant.name:66} {time.monotonic() - start:4.0f} s  {by}',
              flush=True)
        lines.append(f'{"ok" if test else "not ok"} - {mutant.name}: {by}')
    for test in filter(None, noticed):
        if test != SPIRV and bench.run(test) != []:
            missed += len(noticed[test])
            print(f'{test} fails without any mutant: {noticed[test]} are not known to be noticed')
            lines.append(f'not ok - {test} passes without a mutant')
    return lines, missed


def main():
    options = parse()
    chosen = choose(options)
    if options.list:
        print('\n'.join(f'{mutant.file}: {mutant.name}' for mutant in chosen))
        return 0
    if options.tiers or options.check:
        rows = json.loads(read(os.path.join(options.build, 'meson-info/intro-tests.json')))
        if options.tiers:
            print_tiers(chosen, rows)
            return 0
        root = os.path.abspath(os.path.join(os.path.dirname(__file__), '../..'))
        return int(check(chosen, root, options.build, rows, options.left_out.split(',')))
    lines, missed = try_all(Bench(options.build, options.all, options.slower), chosen)
    print(f'{len(chosen)} mutants, {missed} not noticed')
    if options.log:
        entry = {'name': 'mutants', 'result': 'FAIL' if missed else 'OK',
                 'returncode': int(bool(missed)), 'stdout': '\n'.join(lines) + '\n'}
        with open(options.log, 'w', encoding='utf-8') as log:
            log.write(json.dumps(entry) + '\n')
    return int(bool(missed))


if __name__ == '__main__':
    sys.exit(main())
