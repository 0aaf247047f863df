#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests whose rows depend on VKR_TEST_SEED with many seeds and few rows each.

seeds.py BUILD [--count N | --seeds S,..] [--programs P,..] [--configurations C,..] [--log FILE]

BUILD is a build folder; programs and configurations are the two parts of its tests' names, such as
reduce and lvp22-8, and a run has the environment of its test. Without --seeds the seeds are drawn
anew each time. They are printed, and so is every run that fails, with what repeats it. --log writes
what summary.py reads. The exit status is 1 if a run failed.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys

# Rows of a run, and which of its tests have rows that vary.
PROGRAMS = {
    'reduce': (6, 'test_pairs'),
    'scan': (3, 'test_pairs'),
    'compact': (3, 'test_pairs'),
    'segments': (7, 'test_pairs'),
    'streams': (6, 'test_pairs'),
    'sort': (4, 'test_pairs'),
    'bin': (3, 'test_pairs'),
    'topk': (4, 'test_pairs'),
    'pieces': (9, '*'),
}
LIMIT = 900  # seconds of a run


def introspect(build):
    """The command and environment of every test, by name."""
    text = subprocess.run(['meson', 'introspect', build, '--tests'], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return {test['name']: (test['cmd'], test['env']) for test in json.loads(text)}


def run(command, env):
    try:
        done = subprocess.run(command, env={**os.environ, **env}, timeout=LIMIT, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors='replace')
    except subprocess.TimeoutExpired:
        return f'no end after {LIMIT} s', ''
    wrong = [line for line in re.findall(r'^# mismatches: (\d+)', done.stdout, re.M) if line != '0']
    if done.returncode == 0 and not wrong and re.search(r'^ok ', done.stdout, re.M):
        return '', done.stdout
    return f'exit status {done.returncode}', done.stdout


def run_seeds(name, command, env, seeds):
    """One entry of the log."""
    program = name.split('-')[0]
    rows, only = PROGRAMS[program]
    output, failed = [], []
    for seed in seeds:
        settings = {'VKR_TEST_SEED': str(seed), 'VKR_TEST_ROWS': str(rows),
                    'VKR_TEST_FILTER': only, 'VKR_TEST_FULL': '', 'VKR_TEST_THIN': '1'}
        why, text = run(command, {**env, **settings})
        if why:
            failed.append(seed)
            print(f'{name}: seed {seed}: {why}; again by VKR_TEST_SEED={seed} '
                  f'VKR_TEST_ROWS={rows} VKR_TEST_FILTER={only}')
            print('    ' + '\n    '.join(line for line in text.splitlines()
                                         if not line.startswith('ok ')), flush=True)
        output += re.findall(r'^# (?:oracle cases|mismatches): \d+$', text, re.M)
        output.append(f'{"not " if why else ""}ok - {name}, seed {seed}')
    print(f'{name}: {len(seeds)} seeds, {len(failed)} failed', flush=True)
    return {'name': name, 'result': 'FAIL' if failed else 'OK', 'returncode': int(bool(failed)),
            'stdout': '\n'.join(output) + '\n'}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('build')
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--seeds', type=lambda text: [int(seed) for seed in text.split(',')])
    parser.add_argument('--programs', default=','.join(PROGRAMS))
    parser.add_argument('--configurations', default='lvp22-8')
    parser.add_argument('--log')
    options = parser.parse_args()
    seeds = options.seeds or random.SystemRandom().sample(range(1, 1 << 31), options.count)
    print('seeds: ' + ','.join(map(str, seeds)), flush=True)
    tests = introspect(options.build)
    entries = []
    for configuration in options.configurations.split(','):
        for program in options.programs.split(','):
            name = f'{program}-{configuration}'
            if name in tests:
                entries.append(run_seeds(name, *tests[name], seeds))
            else:
                print(f'{name}: left out, there is no such test')
    if options.log:
        with open(options.log, 'w', encoding='utf-8') as log:
            log.writelines(json.dumps(entry) + '\n' for entry in entries)
    if not entries:
        sys.exit('seeds.py: no test was run')
    return int(any(entry['returncode'] for entry in entries))


if __name__ == '__main__':
    sys.exit(main())
