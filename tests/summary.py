#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""summary.py [--runs FILE] LOG...: adds up what the tests in Meson's testlog.json files reported.

A TAP program counts one case per sub-test, any other program one. A program whose sub-tests pass,
but which ends with a failure (a crash, a time-out, a leak), counts as one failure, and so does a
missing log. In a full run, a pair or triple of choices of an operation that is in no row is a
failure too; other runs have time for some of the rows, and FILE remembers those of the last runs.
The last line is "N passed, N failed"; the exit status is 0 if something passed, nothing failed,
nothing differed from the oracle, and the validation layer said nothing.
"""
import argparse
import contextlib
import itertools
import json
import os
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
TRIPLES = re.compile(r'^# possible triples of (\w+): (\d+), of axes((?: \d+)+)$', re.M)
RUNS = 10  # so many of the last runs are remembered
SAID = 12  # so many lines of a failed program's output are shown


class Rows:
    """The rows of operations, of this run and of the last ones: the pairs of values of two axes
    that are in some row, and the triples of those axes that choose a kernel."""

    def __init__(self):
        self.rows, self.pairs, self.triples, self.axes, self.before = {}, {}, {}, {}, []

    def add(self, output):
        for operation, axes in ROW.findall(output):
            self.rows.setdefault(operation, set()).add(axes.strip())
        for operation, count in POSSIBLE.findall(output):
            self.pairs[operation] = max(int(count), self.pairs.get(operation, 0))
        for operation, count, axes in TRIPLES.findall(output):
            self.triples[operation] = max(int(count), self.triples.get(operation, 0))
            self.axes[operation] = [int(axis) for axis in axes.split()]

    def remember(self, path):
        """Reads the rows of the last runs from a file, and adds those of this one to it."""
        with contextlib.suppress(OSError, ValueError), open(path, encoding='utf-8') as file:
            self.before = [json.loads(line) for line in file][1 - RUNS:]
        rows = {operation: sorted(rows) for operation, rows in self.rows.items()}
        with open(path + '.new', 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(run) + '\n' for run in [*self.before, rows])
        os.replace(path + '.new', path)

    def count(self, operation, runs, number):
        """Pairs or triples: those of `number` axes."""
        found = set()
        for axes in {axes for run in runs for axes in run.get(operation, ())}:
            values = list(enumerate(axes.split()))
            if number == 3:
                values = [values[axis] for axis in self.axes[operation] if axis < len(values)]
            found.update(itertools.combinations(values, number))
        return len(found)

    def holes(self):
        return [f'{name} of {operation}: some are in no row'
                for name, number, possible in (('pairs', 2, self.pairs),
                                               ('triples', 3, self.triples))
                for operation in sorted(possible)
                if self.count(operation, [self.rows], number) < possible[operation]]

    def describe(self, number):
        runs, possible = [*self.before, self.rows], self.pairs if number == 2 else self.triples
        return ', '.join(f'{operation} {self.count(operation, [self.rows], number)} '
                         f'({self.count(operation, runs, number)}) of {possible[operation]}'
                         for operation in sorted(possible))


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


def remarks(output):
    """What a failed program said, which Meson does not show, without the lines that are counted."""
    counted = (SUBTEST, ROW, POSSIBLE, TRIPLES, *COUNTERS.values())
    lines = [line for line in output.splitlines()
             if line.startswith('#') and not any(pattern.match(line) for pattern in counted)]
    return lines[-SAID:]


def main(runs, logs):
    totals = dict.fromkeys(COUNTERS, 0)
    passed, failed, skipped, said, rows = 0, [], [], [], Rows()
    for log in logs:
        try:
            with open(log, encoding='utf-8', errors='replace') as file:
                entries = [json.loads(line) for line in file]
        except OSError:
            entries = [{'name': log, 'result': 'the log is missing'}]
        for entry in entries:
            output = entry.get('stdout', '')
            good, bad, left_out = subtests(output)
            rows.add(output)
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
            said += [f'{entry["name"]}: {line}' for line in remarks(output) if bad]
            skipped += [f'{entry["name"]}: {name}' for name in left_out]
            for name, pattern in COUNTERS.items():
                totals[name] += sum(int(number) for number in pattern.findall(output))
    if os.environ.get('VKR_TEST_FULL'):
        failed += rows.holes()
    if runs:
        rows.remember(runs)
    for name in skipped:
        print(f'skipped: {name}')
    for line in said:
        print(line)
    for name in failed:
        print(f'failed: {name}')
    print(f'oracle cases: {totals["oracle cases"]}, {totals["mismatches"]} mismatches')
    print(f'rows: {sum(map(len, rows.rows.values()))}; pairs of choices covered by this run '
          f'(and the last {len(rows.before) + 1}): {rows.describe(2)}')
    print(f'triples of choices of a kernel: {rows.describe(3)}')
    print(f'pipelines, those of one program that differ: {totals["pipelines"]}')
    print(f'validation messages: {totals["validation messages"]}')
    print(f'{passed} passed, {len(failed)} failed')
    wrong = failed or totals['mismatches'] or totals['validation messages']
    return 0 if passed and not wrong else 1


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--runs', metavar='FILE', help='rows of the last runs, which it updates')
    parser.add_argument('logs', nargs='+')
    options = parser.parse_args()
    sys.exit(main(options.runs, options.logs))
