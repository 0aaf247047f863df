#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep.py RUNNER [--above N] [--only TEXT] [--values N] [--repeat N]: times every operation,
option and type of the runner at one size, and prints how many times as long each takes as the plain
row of its operation, slowest first.

A row that is --above 5 times its plain row is a finding, unless REASONS says why it has to take
that long. The exit status is 1 if there are findings. A plain row runs again before every eighth
row, since other work on the machine changes times. All rows of an operation read the same number of
values, whatever their size; with several components, there are fewer elements.
"""
import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

TYPES = ['i8', 'u8', 'i16', 'u16', 'f16', 'bf16', 'i32', 'u32', 'f32', 'i64', 'u64', 'f64']
FLOATS = ['f16', 'bf16', 'f32', 'f64']
OPS = ['min', 'max', 'sum', 'product', 'mean', 'sumsq', 'l1', 'l2', 'absmax', 'argmin', 'argmax',
       'count', 'nan', 'variance', 'stddev', 'min,max', 'min,max,sum,argmin']
BITS = ['and', 'or', 'xor']
SCANS = ['sum', 'product', 'min', 'max']
PLAIN = {'reduce': 'reduce sum', 'scan': 'scan sum --type u32', 'compact': 'compact x>0.5',
         'histogram': 'histogram --bins 256 --range 0:1', 'pyramid': 'pyramid max u8.npy',
         'tiles': 'reduce max u8.npy --tiles 16x16'}
# Patterns of commands that are above the limit for a reason.
REASONS = {
    'reduce * --algorithm recursive': 'a dispatch for each halving, by definition',
    'reduce * --algorithm lanes *': 'one invocation for each segment, by definition',
    'scan * --algorithm hillis-steele*': 'log n passes over everything, by definition',
    'scan * --algorithm blelloch*': '2 log n passes, by definition',
    'compact * --algorithm horn*': 'log n passes and a search of everything, by definition',
    'compact * --algorithm blelloch-gather*': '2 log n passes and a search, by definition',
    'compact * --algorithm roger*': 'a search in each block, by definition',
    'histogram * --algorithm local-atomics*': 'one copy of the counts, by definition',
    'histogram * --algorithm global*': 'atomics in memory, by definition',
    'pyramid * --algorithm *': 'a dispatch for each level or four, by definition',
}


def reductions():
    for kind in TYPES:
        for op in OPS + (BITS if kind[0] in 'iu' else []):
            yield f'reduce {op} --type {kind}'
        for components in (2, 3, 4):
            for op in ('sum', 'min,max'):
                yield f'reduce {op} --type {kind} --components {components}'
    for kind in FLOATS:
        for op in ('sum', 'mean', 'l2', 'product', 'variance'):
            yield f'reduce {op} --type {kind} --determinism device'
        yield f'reduce min,max --type {kind} --nan propagate'
        yield f'reduce min,max,sum --type {kind} --nan skip'
    for option in ('--determinism none', '--count-on-gpu', '--offset 4', '--stride 8',
                   '--stride 20', '--accumulator f64'):
        yield f'reduce sum {option}'
    yield 'reduce sum --type u8 --offset 1'
    yield 'reduce sum --type u8 --stride 3'
    for algorithm in ('single', 'subgroup', 'tree', 'recursive'):
        yield f'reduce sum --algorithm {algorithm}'


def segments():
    where = ['rows:2', 'rows:7', 'rows:64', 'rows:1000', 'rows:65536', 'columns:3', 'columns:64',
             'columns:1024', 'columns:65536', 'windows:2', 'windows:31', 'windows:1000',
             'windows:100000', 'offsets:offsets.npy']
    for place in where:
        for op in ('sum', 'min', 'mean', 'l2', 'argmin', 'variance'):
            if not ('windows' in place and op == 'argmin'):
                yield f'reduce {op} --segments {place}'
        for kind in ('u8', 'i16', 'f16', 'f64', 'u64'):
            yield f'reduce sum --segments {place} --type {kind}'
        for components in (2, 3, 4):
            yield f'reduce sum --segments {place} --components {components}'
            yield f'reduce min,max --segments {place} --type u8 --components {components}'
        yield f'reduce sum --segments {place} --determinism device'
    for algorithm in ('lanes', 'merge', 'groups', 'split'):
        yield f'reduce sum --algorithm {algorithm} --segments rows:64'


def scans():
    for kind in TYPES:
        for op in SCANS + (BITS if kind[0] in 'iu' else []):
            yield f'scan {op} --type {kind}'
        for place in ('rows:7', 'rows:1000', 'flags:flags.npy', 'offsets:offsets.npy'):
            yield f'scan sum --type {kind} --segments {place}'
    for kind in ('u8', 'u32', 'f32', 'f64'):
        for option in ('--exclusive', '--reverse', '--components 2', '--components 3',
                       '--components 4', '--count-on-gpu', '--initial 3'):
            yield f'scan sum --type {kind} {option}'
    for kind in FLOATS:
        for level in ('none', 'device'):
            yield f'scan sum --type {kind} --determinism {level}'
        yield f'scan max --type {kind} --nan propagate'
    yield 'scan sum --stride 8 --type u32'
    yield 'scan max --segments flags:flags.npy --type f32'
    for algorithm in ('reduce-then-scan', 'single-pass', 'hillis-steele', 'blelloch'):
        yield f'scan sum --type u32 --algorithm {algorithm}'


def compactions():
    for kind in TYPES:
        yield f'compact x>0.5 --type {kind}'
        yield f'compact unique --type {kind}'
        for components in (2, 3, 4):
            yield f'compact x>0.5 --type {kind} --components {components}'
    for predicate in ('nonzero', 'finite', 'nan', 'x!=0.5', '0.2<=x<0.8', '!x>0.5', 'x>0.99',
                      'x<0.99', 'flags:flags.npy'):
        yield f'compact {predicate}'
    for option in ('--indices out2.npy', '--rejected out2.npy', '--rejected-indices out2.npy',
                   '--capacity 1000', '--count-on-gpu', '--stride 8', '--offset 4'):
        yield f'compact x>0.5 {option}'
    yield 'compact unique --type u8 --run-lengths out2.npy'
    for algorithm in ('scan-scatter', 'single-pass', 'horn', 'blelloch-gather', 'roger'):
        yield f'compact x>0.5 --algorithm {algorithm}'


def histograms():
    for kind in TYPES:
        low_high = '0:1' if kind in FLOATS else '0:100'
        yield f'histogram --bins 256 --range {low_high} --type {kind}'
    for bins in (1, 16, 1000, 4096, 65536):
        yield f'histogram --bins {bins} --range 0:1'
        yield f'histogram --bins {bins} --range 0.001:1 --log2'
    yield 'histogram --bins 256 --range 0.001:1 --log2'
    yield 'histogram --bins 255 --edges edges.npy'
    for components in (2, 3, 4):
        yield f'histogram --bins 256 --range 0:1 --components {components}'
    for option in ('--quantiles 0.01,0.5', '--closed', '--count-on-gpu', '--stride 8'):
        yield f'histogram --bins 256 --range 0:1 {option}'
    for algorithm in ('shared', 'global', 'local-atomics'):
        yield f'histogram --bins 256 --range 0:1 --algorithm {algorithm}'


def pictures():
    for kind in ('u8', 'u16', 'f32'):
        for op in ('min', 'max', 'minmax', 'average'):
            yield f'pyramid {op} {kind}.npy'
        for tile in ('8x8', '16x16', '17x5', '256x256', '1x1024'):
            yield f'reduce max {kind}.npy --tiles {tile}'
            yield f'reduce sum {kind}.npy --tiles {tile}'
    for algorithm in ('pingpong', 'recursive-2d', 'single', 'hybrid'):
        yield f'pyramid max u8.npy --algorithm {algorithm}'


def plain_of(command):
    """The row with which a row is compared."""
    return PLAIN['tiles' if '--tiles' in command else command.split()[0]]


class Sweep:
    def __init__(self, asked, folder):
        self.asked, self.folder, self.plains, self.done = asked, folder, {}, 0
        self.rows, self.refused = [], []
        side = int(asked.values ** 0.5)
        random = np.random.default_rng(1)
        np.save('flags.npy', (random.random(asked.values) < 1 / 37).astype(np.uint8))
        np.save('offsets.npy', np.r_[0, np.sort(random.integers(0, asked.values // 4,
                                                                asked.values // 100))])
        np.save('edges.npy', np.sort(random.random(256)).astype(np.float32))
        for kind in ('uint8', 'uint16', 'float32'):
            name = kind[0] + str(np.dtype(kind).itemsize * 8)
            np.save(f'{name}.npy', (random.random((side, side)) * 250).astype(kind))

    def milliseconds(self, command):
        """The time on the device, or None if the runner refuses the command."""
        words = command.split()
        if words[0] != 'pyramid' and '--tiles' not in words:
            parts = int(words[words.index('--components') + 1]) if '--components' in words else 1
            words.append(f'random:{self.asked.values // parts * parts}')
        if words[0] in ('scan', 'compact'):
            words += ['-o', 'out.npy']
        if words[0] == 'pyramid':
            words += ['-o', 'levels']
        run = subprocess.run([self.asked.runner, *words, '--repeat', str(self.asked.repeat),
                              '--json'], cwd=self.folder, capture_output=True, text=True,
                             check=False, timeout=60)
        if run.returncode:
            self.refused.append((command, run.stderr.strip()))
            return None
        return json.loads(run.stdout)['gpu_ms']

    def ratio(self, command):
        plain = plain_of(command)
        if self.done % 8 == 0 or plain not in self.plains:
            self.plains[plain] = self.milliseconds(plain)
        self.done += 1
        time = self.milliseconds(command)
        return time and (time / self.plains[plain], time)

    def add(self, command):
        """Measures a row; one above the limit again, since other work could have slowed it down."""
        try:
            best = self.ratio(command)
            for _ in range(2 if best and best[0] > self.asked.above else 0):
                self.plains = {}
                best = min(best, self.ratio(command))
        except subprocess.TimeoutExpired:
            best = (float('inf'), float('inf'))
        if best:
            self.rows.append((*best, command))


def reason_of(command):
    return next((reason for pattern, reason in REASONS.items()
                 if fnmatch.fnmatchcase(command, pattern)), '')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('runner')
    parser.add_argument('--above', type=float, default=5)
    parser.add_argument('--only', default='')
    parser.add_argument('--values', type=int, default=1 << 22)
    parser.add_argument('--repeat', type=int, default=5)
    asked = parser.parse_args()
    asked.runner = os.path.abspath(asked.runner)
    groups = (reductions, segments, scans, compactions, histograms, pictures)
    commands = [command for group in groups for command in group() if asked.only in command]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep = Sweep(asked, folder)
        for command in commands:
            sweep.add(command)
        os.chdir('/')
    findings = 0
    print(f'{"times":>8} {"ms":>9}  command')
    for ratio, time, command in sorted(sweep.rows, reverse=True):
        reason = reason_of(command)
        found = ratio > asked.above and not reason
        findings += found
        print(f'{ratio:8.2f} {time:9.2f}  {command}{" (" + reason + ")" if reason else ""}'
              f'{"  <- finding" if found else ""}')
    for command, message in sweep.refused:
        print(f'refused: {command}: {message}')
    print(f'{len(sweep.rows)} rows, {len(sweep.refused)} refused, {findings} findings')
    return findings > 0


if __name__ == '__main__':
    sys.exit(main())
