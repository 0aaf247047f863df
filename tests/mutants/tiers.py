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


def by_tests(mutants, rows):
    """For each test, the mutants that it notices first; tests of the first tier are asked before
    others. For None, the mutants whose tests the build lacks."""
    first = first_tier(rows)
    names = [SPIRV] + [row['name'] for row in rows if row['name'] != SPIRV]
    early = [name for name in names if name in first]
    found = {}
    for mutant in mutants:
        test = first_test(mutant, early) or first_test(mutant, names)
        found.setdefault(test, []).append(mutant)
    return found


def print_tiers(mutants, rows):
    """Prints how many mutants each test notices by the table, and names those that the first tier
    does not notice."""
    first = first_tier(rows)
    steps = {row['name']: int(row['env'].get('VKR_TEST_STEP', 1)) for row in rows}
    found = by_tests(mutants, rows)
    counts = {True: 0, False: 0}  # whether the first tier notices them in every run
    for test, noticed in sorted(found.items(), key=lambda item: (-len(item[1]), str(item[0]))):
        step = steps.get(test, 1)
        counts[step == 1] += len(noticed) if test in first else 0
        print(f'{len(noticed):4}  {test or "a test that this build lacks":32} '
              f'{"first" if test in first else "later"}'
              f'{f", each case in one of {step} runs" if step > 1 else ""}')
    early = sum(counts.values())
    print(f'The first tier notices {early} of {len(mutants)} mutants '
          f'({100 * early / len(mutants):.1f} %), {counts[True]} of them in every run. '
          'Others notice:')
    for test, noticed in found.items():
        for mutant in noticed if test not in first else []:
            print(f'{mutant.file}: {mutant.name}: {test or " or ".join(mutant.tests)}')
