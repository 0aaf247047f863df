#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""summary.py LOG...: adds up what the tests in Meson's testlog.json files reported.

A TAP program counts one case per sub-test, any other program one. A program that ends otherwise
than its sub-tests say (a crash, a time-out, a leak), and a log that is not there, counts as one
failure. The last line is "N passed, N failed"; the exit status is 0 if something passed and nothing
failed.
"""
import json
import re
import sys

COUNTERS = {  # what programs print as "# name: N", added up
    'oracle cases': re.compile(r'^# oracle cases: (\d+)', re.M),
    'mismatches': re.compile(r'^# mismatches: (\d+)', re.M),
    'validation messages': re.compile(r'^# validation messages: (\d+)', re.M),
}
SUBTEST = re.compile(r'^(not )?ok\b(.*)$', re.M)


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
    passed, failed, skipped = 0, [], []
    for log in logs:
        try:
            with open(log, encoding='utf-8', errors='replace') as file:
                entries = [json.loads(line) for line in file]
        except OSError:
            entries = [{'name': log, 'result': 'the log is missing'}]
        for entry in entries:
            output = entry.get('stdout', '')
            good, bad, left_out = subtests(output)
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
    for name in skipped:
        print(f'skipped: {name}')
    for name in failed:
        print(f'failed: {name}')
    print(f'oracle cases: {totals["oracle cases"]}, {totals["mismatches"]} mismatches')
    print(f'validation messages: {totals["validation messages"]}')
    print(f'{passed} passed, {len(failed)} failed')
    wrong = failed or totals['mismatches'] or totals['validation messages']
    return 0 if passed and not wrong else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
