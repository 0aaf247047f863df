# SPDX-License-Identifier: MIT
"""What the tests of the Python package share: each is a function with the decorator `test`."""
import os
import subprocess
import sys
import traceback

import vkreduce as vk

# Operators.
MAGNITUDE = '''
#define State float
#define COMMUTATIVE
State lift(E x, uint i) { return abs(float(x)); }
State identity() { return 0.0; }
State combine(State a, State b) { return max(a, b); }
'''
BEST = '''
struct State { float value; uint index; };
State lift(E x, uint i) { return State(float(x), i); }
State identity() { return State(-1.0 / 0.0, ~0u); }
State combine(State a, State b) { return b.value > a.value ? b : a; }
'''

TESTS = []
try:
    HAS_COMPILER = bool(vk._library.compiler())
except vk.DeviceError:
    HAS_COMPILER = False


def test(function):
    if HAS_COMPILER or 'operators' not in function.__name__:
        TESTS.append(function)
    return function


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert words in str(error), f'{error!r} lacks "{words}"'
        return
    raise AssertionError(f'{kind.__name__} was not raised: {words}')


def python(text, **environment):
    """What another Python prints."""
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def main():
    failed = 0
    for number, function in enumerate(TESTS):
        trouble = ''
        try:
            function()
        except BaseException:  # pylint: disable=broad-except
            trouble = traceback.format_exc()
        print(f'{"not " if trouble else ""}ok {number + 1} - {function.__name__}')
        print(''.join(f'# {line}\n' for line in trouble.splitlines()), end='')
        failed += bool(trouble)
    print(f'1..{len(TESTS)}')
    return failed != 0
