#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""summary.py LOG...: adds up what the tests in Meson's testlog.json files reported.

A TAP program counts one case per sub-test, any other program one. A program whose sub-tests pass,
but which ends with a failure (a crash, a time-out, a leak), counts as one failure, and so does a
missing log. If programs share a list of an operation's rows, and some pair of choices is in no row
that any of them ran, that is a failure too. The last line is "N passed, N failed"; the exit status
is 0 if something passed, nothing failed, nothing differed from the oracle, and the validation layer
said nothing.
"""
import itertools
import json
import re
import sys

COUNTERS = {  # what programs print as "# name: N", added up
    'oracle cases': re.compile(r'^# oracle cases: (\d+)', re.M),
    'pipelines': re.compile(r'^# pipelines: (\d+)', re.M),
    'mismatches': re.compile(r'^# mismatches: (\d+)', re.M),
    'validation messages': re.compile(r'^# validation messages: (\d+)', re.M),
}
SUBTEST = re.compile(r'^(not )?ok\b(.*)$', re.M)
ROW = re.compile(r'^# row of (\w+):((?: \d+)+)$', re.M)
POSSIBLE = re.compile(r'^# possible pairs of (\w+): (\d+)$', re.M)
LIST = re.compile(r'^# list of (\w+): ', re.M)


class Pairs:
    """Pairs of values of two axes of an operation's rows, or of its list if programs share one."""

    def __init__(self):
        self.rows, self.covered, self.possible, self.shared = 0, {}, {}, set()

    def add(self, output):
        lists = LIST.findall(output)
        for operation in set(lists) - self.shared:
            self.covered.pop(operation, None)
        self.shared.update(lists)
        for operation, axes in ROW.findall(output):
            self.rows += 1
            if operation not in self.shared or operation in lists:
                self.covered.setdefault(operation, set()).update(
                    itertools.combinations(enumerate(axes.split()), 2))
        for operation, count in POSSIBLE.findall(output):
            self.possible[operation] = max(int(count), self.possible.get(operation, 0))

    def count(self, operation):
        return len(self.covered.get(operation, ()))

    def holes(self):
        return [f'pairs of {operation}: some are in no row' for operation in sorted(self.shared)
                if self.count(operation) < self.possible[operation]]

    def __str__(self):
        return ', '.join(f'{operation} {self.count(operation)} of {self.possible[operation]}'
                         for operation in sorted(self.possible))


def subtests(output):
    passed, failed, skipped = 0, [], []
    for bad, rest in SUBTEST.findall(output):
        name = rest.strip().lstrip(' -0123456789')
        if re.search(r'#\s*skip', rest, re.I):
            skipped.append(name)
        elif bad:
            failed.append(name)
        else:
            passed += 1
    return passed, failed, skipped


def main(logs):
    totals = dict.fromkeys(COUNTERS, 0)
    passed, failed, skipped, pairs = 0, [], [], Pairs()
    for log in logs:
        try:
            with open(log, encoding='utf-8', errors='replace') as file:
                entries = [json.loads(line) for line in file]
        except OSError:
            entries = [{'name': log, 'result': 'the log is missing'}]
        for entry in entries:
            output = entry.get('stdout', '')
            good, bad, left_out = subtests(output)
            pairs.add(output)
            result = entry['result']
            if result == 'SKIP' and entry.get('returncode') == 0 and '1..0' not in output:
                bad = ['it ran no test']
            elif result == 'SKIP' and not left_out:
                left_out = ['all of it']
            elif result in ('OK', 'EXPECTEDFAIL') and not good and not bad and not left_out:
                good = 1
            elif result not in ('OK', 'EXPECTEDFAIL', 'SKIP') and not bad:
                bad = [f'{result}, exit status {entry.get("returncode")}']
            passed += good
            failed += [f'{entry["name"]}: {name}' for name in bad]
            skipped += [f'{entry["name"]}: {name}' for name in left_out]
            for name, pattern in COUNTERS.items():
                totals[name] += sum(int(number) for number in pattern.findall(output))
    failed += pairs.holes()
    for name in skipped:
        print(f'skipped: {name}')
    for name in failed:
        print(f'failed: {name}')
    print(f'oracle cases: {totals["oracle cases"]}, {totals["mismatches"]} mismatches')
    print(f'rows: {pairs.rows}; pairs of choices covered: {pairs}')
    print(f'pipelines, those of one program that differ: {totals["pipelines"]}')
    print(f'validation messages: {totals["validation messages"]}')
    print(f'{passed} passed, {len(failed)} failed')
    wrong = failed or totals['mismatches'] or totals['validation messages']
    return 0 if passed and not wrong else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
