#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command apply of the program vkreduce: --verify compares all results with the scalar
reference, and some are exact. Prints TAP."""
import json
import math
import random
import shlex
import struct

import runner_tools
from runner_tools import (CODES, MISLED, PROGRAM, answers, array, call, differences, npy, ok, pack,
                          read, refusals, says)

FUNCTIONS = ('softmax', 'log-softmax', 'share', 'standardised', 'rescaled')


def results(name, kind, count):
    return struct.unpack(f'<{count}{CODES[kind]}', read(name)[-count * struct.calcsize(CODES[kind]):])


def segments_of(function, values):
    """The results of a segment in double precision."""
    most, least, total = max(values), min(values), sum(values)
    mean = total / len(values)
    deviation = math.sqrt(sum((x - mean) ** 2 for x in values) / len(values))
    exps = sum(math.exp(x - most) for x in values)
    return [{'softmax': lambda x: math.exp(x - most) / exps,
             'log-softmax': lambda x: x - most - math.log(exps),
             'share': lambda x: x / total,
             'standardised': lambda x: (x - mean) / deviation,
             'rescaled': lambda x: (x - least) / (most - least)}[function](x) for x in values]


def check(name, function, options, kind, values, lengths):
    """The results of segments of these lengths."""
    array('in.npy', kind, values)
    values = struct.unpack(f'<{len(values)}{CODES[kind]}', pack(kind, values))
    command = f'apply {function} in.npy -o out.npy {options}'
    code, out, err = call(PROGRAM, *shlex.split(command), '--verify', '--json')
    expected, first = [], 0
    for length in lengths:
        expected += segments_of(function, values[first:first + length])
        first += length
    found = results('out.npy', kind, len(values)) if code == 0 else []
    near = 2e-3 if kind == 'f16' else 1e-5
    ok(code == 0 and err == '' and json.loads(out)['verified'] and len(expected) == len(found) and
       all(abs(x - y) <= near * max(1, abs(y)) for x, y in zip(found, expected)),
       f'{name}: {command}', f'{out} {err} {found[:5]} {expected[:5]}')


def test_functions():
    draw = random.Random(1)
    values = [draw.uniform(-4, 9) for _ in range(3000)]
    for function in FUNCTIONS:
        for kind in ('f32', 'f16'):
            check(kind, function, '', kind, values, [3000])
        check('rows', function, '--segments rows:700', 'f32', values, [700] * 4 + [200])
        check('short rows', function, '--segments rows:7', 'f32', values, [7] * 428 + [4])
    array('at.npy', 'u64', [0, 1500, 1500, 1503, 2999, 3000])
    for function in ('softmax', 'share'):
        check('offsets', function, '--segments offsets:at.npy', 'f32', values,
              [1500, 3, 1496, 1])
    for options in ('--count-on-gpu', '--staging --repeat 2'):
        check('the same', 'softmax', options, 'f32', values, [3000])
    values = [draw.uniform(-9, 9) for _ in range(20000)]
    check('a long segment', 'log-softmax', '', 'f32', values, [20000])
    check('long rows', 'standardised', '--segments rows:9000', 'f32', values, [9000, 9000, 2000])


def test_shapes():
    npy('cube.npy', pack('f32', [1, 3, 2, 2, 0.5, 1.5]), '<f4', '(1, 3, 2)')
    array('four.npy', 'f32', [1, 1, 2, 4])
    array('none.npy', 'f32', [])
    answers(('along an axis', 'apply share cube.npy -o out.npy --axis -1', {'count': 6},
             {'files': {'out.npy': ('f32', (1, 3, 2), [0.25, 0.75, 0.5, 0.5, 0.25, 0.75])}}),
            ('rows of an array', 'apply rescaled cube.npy -o out.npy --segments rows', None,
             {'files': {'out.npy': ('f32', (1, 3, 2), [0.0, 1.0, math.nan, math.nan, 0.0, 1.0])}}),
            ('exact', 'apply share four.npy -o out.npy', {'count': 4},
             {'files': {'out.npy': ('f32', (4,), [0.125, 0.125, 0.25, 0.5])}}),
            ('nothing', 'apply softmax none.npy -o out.npy', {'count': 0},
             {'files': {'out.npy': ('f32', (0,), [])}}))
    says('for people', 'apply softmax four.npy -o out.npy --verify', 'output   out.npy: 4 x 1 f32\n',
         'verified yes\n')


def test_usage():
    array('words.npy', 'u32', [1, 2, 3])
    array('three.npy', 'f32', [1, 2, 3])
    array('late.npy', 'u32', [1, 3])
    array('early.npy', 'u32', [0, 2])
    refusals(2, 'apply',
             ('a wrong function', 'softmin|log-softmax', 'softmin three.npy -o o.npy'),
             ('no file', '-o OUT.npy', 'softmax three.npy'),
             ('integers', 'words.npy|u32|bf16', 'softmax words.npy -o o.npy'),
             ('columns', "--segments is 'columns:3'|rows:LEN", 'softmax three.npy -o o.npy '
              '--segments columns:3'),
             ('late offsets', 'late.npy|from 1 to 3|from 0 to 3', 'softmax three.npy -o o.npy '
              '--segments offsets:late.npy'),
             ('early offsets', 'early.npy|from 0 to 2', 'softmax three.npy -o o.npy '
              '--segments offsets:early.npy'),
             ('chunks', '--chunk', 'softmax three.npy -o o.npy --chunk 4KiB'))
    differences(('result 0|scalar reference', 'apply share three.npy -o o.npy'))


with runner_tools.workplace():
    if MISLED:
        test_functions()
        test_shapes()
        test_usage()
