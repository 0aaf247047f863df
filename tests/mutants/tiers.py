# SPDX-License-Identifier: MIT
"""Which tests the default tier runs, and which mutants it notices by the table."""
import fnmatch
import re

SPIRV = 'spirv'  # the test of this name, which needs no build for a mutant's modules
# Where no test is in the suite `default`, names and suites tell.
OTHER_DRIVERS = re.compile(r'-(lvp22-(4|16|32|64)|lvp25-\d+|swiftshader)(-|$)')
OTHER_SUITES = {'isa', 'minspec', 'mpi'}
OTHERS = re.compile(r'validation-gpuav|runner-ranks-')


def suites_of(row):
    return {suite.rpartition(':')[2] for suite in row['suite']}


def default_tests(rows):
    """The names of the tests of the default tier, of those in a build's intro-tests.json."""
    marked = {row['name'] for row in rows if 'default' in suites_of(row)}
    guessed = {row['name'] for row in rows
               if not OTHER_DRIVERS.search(row['name']) and not OTHERS.match(row['name']) and
               not suites_of(row) & OTHER_SUITES}
    return (marked or guessed) | {SPIRV}


def matching(pattern, names):
    """The tests that a pattern NAME or NAME/CASES of a mutant stands for."""
    return [name for name in names if fnmatch.fnmatch(name, pattern.partition('/')[0])]


def first_test(mutant, names):
    """The test that notices a mutant first, of those with these names; None if there is none."""
    return next((name for pattern in mutant.tests for name in matching(pattern, names)), None)


def noticed_later(mutants, rows):
    """The mutants that no test of the default tier notices."""
    default = default_tests(rows)
    return [mutant for mutant in mutants if first_test(mutant, default) is None]


def print_tiers(mutants, rows):
    """Prints how many mutants each test notices by the table, and names those that the default tier
    does not notice."""
    default = default_tests(rows)
    names = [SPIRV] + [row['name'] for row in rows if row['name'] != SPIRV]
    in_order = [name for name in names if name in default]
    later = {mutant: first_test(mutant, names) for mutant in noticed_later(mutants, rows)}
    by_test = {}
    for mutant in mutants:
        test = later[mutant] if mutant in later else first_test(mutant, in_order)
        by_test.setdefault(test, []).append(mutant)
    for test, noticed in sorted(by_test.items(), key=lambda item: (-len(item[1]), str(item[0]))):
        print(f'{len(noticed):4}  {test or "a test that this build lacks":32} '
              f'{"default" if test in default else "later"}')
    print(f'The default tier notices {len(mutants) - len(later)} of {len(mutants)} mutants '
          f'({100 * (len(mutants) - len(later)) / len(mutants):.1f} %). Other tiers notice:')
    for mutant, test in later.items():
        print(f'{mutant.file}: {mutant.name}: {test or " or ".join(mutant.tests)}')
