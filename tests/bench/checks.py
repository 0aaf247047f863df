# SPDX-License-Identifier: MIT
"""What the checks of the benchmark share: TAP, runs of both programs, and looks at their rows."""
import json
import os
import subprocess
import sys

from rows import ns_of

LINES, BENCH, MISLED = map(os.path.abspath, sys.argv[1:4])
KEYS = ['arm', 'op', 'type', 'n', 'device_ns', 'submit_ns', 'least_ns', 'cpu_ns', 'empty_ns',
        'bytes', 'gbps', 'ratio', 'ratio_storage', 'ratio_copy', 'ratio_flat', 'device', 'driver',
        'runs', 'skipped', 'verified']
LOOK_BACK, TWO_PASS = 'single-pass', 'reduce-then-scan'
EVERY = ('auto', 'scan-scatter', LOOK_BACK)
BARE = ('read', 'copy')
# Other tiers than --full run few arms of each table, since each has to be compiled first; the tests of the
# library verify all of these operations.
FULL = os.environ.get('VKR_TEST_FULL', '') not in ('', '0')
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good:
        print('# ' + str(detail).replace('\n', '\n# '))


def finish():
    """Ends the TAP, and returns the exit status."""
    print(f'1..{tests}')
    return failures != 0


def bench(*arguments, program=BENCH, environment=None):
    """Returns the exit status, the rows, and what was written to stdout and stderr."""
    # The budget leaves nothing out, even on a busy machine.
    done = subprocess.run([program, *arguments, '--budget', '86400', '--json', 'rows.json'],
                          text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          env=os.environ | (environment or {}))
    rows = []
    if done.returncode in (0, 3):
        with open('rows.json', encoding='utf-8') as file:
            rows = [json.loads(line) for line in file]
    return done.returncode, rows, done.stdout, done.stderr


def few(*names):
    """The filters of tiers other than --full."""
    return [] if FULL else list(names)


def chosen(every, names):
    return [arm for arm in every if not names or any(name in arm for name in names)]


def arms(rows, *prefixes):
    return [row['arm'] for row in rows if row['arm'].startswith(prefixes or '')]


def times(rows):
    return {row['arm']: ns_of(row) for row in rows}


def off(ratio, expected):
    """Whether a ratio in the rows differs from the quotient of two times in them."""
    return abs(expected / ratio - 1) > 1e-3


def in_tables(out, names, width, count):
    """Whether each name starts that number of lines."""
    return all(out.count(f'\n{name:<{width}} ') == count for name in names)


def noticed(code, rows, err):
    """Whether the misled program found each of the rows wrong and said so."""
    return (code == 3 and not any(row['verified'] for row in rows) and
            err.count('; the scalar reference gives ') == len(rows))
