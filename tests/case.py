#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""case.py BUILD TEXT [--driver D]: runs a recording of requests from the text that a failed test of
rows has printed, such as 'bounds type=10 seed=77 most=64', as driver D's test would (lvp22-8 if it
is not given). BUILD is a build folder. The exit status is that of the test.
"""
import argparse
import os
import subprocess
import sys

from seeds import introspect


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('build')
    parser.add_argument('text')
    parser.add_argument('--driver', default='lvp22-8')
    options = parser.parse_args()
    tests = introspect(options.build)
    name = f'chains-{options.driver}'
    if name not in tests:
        drivers = sorted(test.partition('-')[2] for test in tests if test.startswith('chains-'))
        sys.exit(f'case.py: --driver is {options.driver}, but must be one of {", ".join(drivers)}')
    command, env = tests[name]
    return subprocess.run([command[0], 'case', options.text], env={**os.environ, **env},
                          check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
