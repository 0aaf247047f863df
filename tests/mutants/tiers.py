# SPDX-License-Identifier: MIT
"""Which tests the first tier runs, and which mutants it notices by the table."""
import fnmatch

SPIRV = 'spirv'  # the test of this name, which needs no build for a mutant's modules
LATER = {'drivers', 'night'}  # the suites of tests that the first tier does not run


def first_tier(rows):
    """The names of the tests of the first tier, of those in a build's intro-tests.json."""
    return {SPIRV} | {row['name'] for row in rows
                      if not LATER & {suite.rpartition(':')[2] for suite in row['suite']}}


def matching(pattern, names):
    """The tests that a pattern NAME or NAME/CASES of a mutant stands for."""
    return [name for name in names if fnmatch.fnmatch(name, pattern.partition('/')[0])]


def first_test(mutant, names):
    """The test that notices a mutant first, of those with these names; None if there is none."""
    return next((name for pattern in mutant.tests for name in matching(pattern, names)), None)


def noticed_later(mutants, rows):
    """The mutants that no test of the first tier notices."""
    first = first_tier(rows)
    return [mutant for mutant in mutants if first_test(mutant, first) is None]


def print_tiers(mutants, rows):
    """Prints how many mutants each test notices by the table, and names those that the first tier
    does not notice."""
    first = first_tier(rows)
    names = [SPIRV] + [row['name'] for row in rows if row['name'] != SPIRV]
    in_order = [name for name in names if name in first]
    later = {mutant: first_test(mutant, names) for mutant in noticed_later(mutants, rows)}
    steps = {row['name']: int(row['env'].get('VKR_TEST_STEP', 1)) for row in rows}
    by_test = {}
    for mutant in mutants:
        test = later[mutant] if mutant in later else first_test(mutant, in_order)
        by_test.setdefault(test, []).append(mutant)
    for test, noticed in sorted(by_test.items(), key=lambda item: (-len(item[1]), str(item[0]))):
        turns = f', each case in one of {steps[test]} runs' if steps.get(test, 1) > 1 else ''
        print(f'{len(noticed):4}  {test or "a test that this build lacks":32} '
              f'{"first" if test in first else "later"}{turns}')
    early = {test: len(noticed) for test, noticed in by_test.items() if test in first}
    count, always = sum(early.values()), sum(number for test, number in early.items()
                                             if steps.get(test, 1) == 1)
    print(f'The first tier notices {count} of {len(mutants)} mutants '
          f'({100 * count / len(mutants):.1f} %), {always} of them ({100 * always / len(mutants):.1f} '
          f'%) in every run. Others notice:')
    for mutant, test in later.items():
        print(f'{mutant.file}: {mutant.name}: {test or " or ".join(mutant.tests)}')
