#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests reductions and scans by key of the program vkreduce. Prints TAP."""
import itertools
import random
import struct

import runner_tools
from runner_order import TYPES, shown
from runner_tools import (CODES, DESCR, MISLED, answers, array, differences, npy, pack, refusals,
                          says)

NAN = float('nan')


def draw_keys(kind, count, seed):
    """Runs of keys, of 1 to 40 elements: as bytes, by element."""
    draw = random.Random(seed)
    keys = []
    while len(keys) < count:
        key = pack(kind, [draw.randrange(5)])
        if kind[0] == 'f':
            key = draw.choice([key, pack(kind, [0.0]), pack(kind, [-0.0]), pack(kind, [NAN])])
        keys += [key] * draw.choice([1, 1, 2, draw.randrange(40)])
    return keys[:count]


def runs_of(keys):
    """Each run as a key and its elements' indices."""
    return [(key, [i for i, _ in group])
            for key, group in itertools.groupby(enumerate(keys), key=lambda pair: pair[1])]


def store_keys(kind, keys, name='keys.npy'):
    npy(name, b''.join(keys), DESCR[kind], f'({len(keys)},)')


def check(name, kind, values, keys, options='', **fields):
    """A sum and a maximum of i32, for each run of keys."""
    array('in.npy', 'i32', values)
    store_keys(kind, keys)
    runs = runs_of(keys)
    sums = [sum(values[i] for i in run) for _, run in runs]
    most = [max(values[i] for i in run) for _, run in runs]
    rows = b''.join(struct.pack('<qi', *row) for row in zip(sums, most))
    codes = list(itertools.chain.from_iterable(zip(sums, most)))
    unique = b''.join(key for key, _ in runs)
    if len(runs) <= 100:
        unique = list(struct.unpack(f'<{len(runs)}{CODES[kind]}', unique))
    answers((name, f'reduce sum,max in.npy --by keys.npy -o out.npy --keys k.npy --counts c.npy '
             f'{options}', {'sum': sums, 'max': most},
             {'files': {'out.npy': ((('sum', 'i64'), ('max', 'i32')), (len(runs),),
                                    rows if len(runs) > 100 else codes),
                        'k.npy': (kind, (len(runs),), unique),
                        'c.npy': ('u32', (len(runs),), shown('u32', [len(r) for _, r in runs]))},
              **fields}))


def check_scan(name, kind, values, keys, options='', **fields):
    """Prefix sums of i32 in each run."""
    array('in.npy', 'i32', values)
    store_keys(kind, keys)
    reverse, exclusive = '--reverse' in options, '--exclusive' in options
    found = [0] * len(values)
    for _, run in runs_of(keys):
        total = 0
        for i in reversed(run) if reverse else run:
            found[i] = total if exclusive else total + values[i]
            total += values[i]
    answers((name, f'scan sum in.npy --by keys.npy -o out.npy {options}', None,
             {'files': {'out.npy': ('i32', (len(values),), shown('i32', found))}, **fields}))


def test_types():
    """Keys of every type, whose bits count: 0 and -0 differ, and equal NaN are equal."""
    values = [random.Random(1).randrange(-1000, 1000) for _ in range(900)]
    for i, kind in enumerate(TYPES):
        keys = draw_keys(kind, 900, i)
        check(kind, kind, values, keys)
        if i % 4 == 0:
            check_scan(kind, kind, values, keys)


def test_options():
    draw = random.Random(2)
    values = [draw.randrange(-1000, 1000) for _ in range(150000)]
    keys = draw_keys('u32', 150000, 3)
    for options in ('', '--count-on-gpu'):
        check('the same', 'u32', values[:5000], keys[:5000], options)
    check('one run', 'u8', values[:3000], [b'\7'] * 3000, '--staging')
    check('runs of one element', 'u16', values[:600], [pack('u16', [i]) for i in range(600)])
    check('nothing', 'u16', [], [])
    for options, chunks in [('--count-on-gpu', None), ('--exclusive --staging', None),
                            ('--reverse', None), ('--chunk 256KiB --exclusive', 3),
                            ('--chunk 256KiB --reverse', 3)]:
        check_scan('the same', 'u32', values, keys, options, chunks=chunks)
    check_scan('one run in chunks', 'u8', values, [b'\7'] * 150000, '--chunk 256KiB', chunks=3)
    array('pairs.npy', 'f32', [1, 2, 3, 4, 5, 6, 7, 8])
    array('three.npy', 'u8', [4, 4, 1, 4])
    answers(
        ('two channels', 'reduce max pairs.npy --components 2 --by three.npy -o out.npy '
         '--counts c.npy', {'max': [[3, 4], [5, 6], [7, 8]]},
         {'files': {'out.npy': ('f32', (3, 2), [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]),
                    'c.npy': ('u32', (3,), [2, 1, 1])}}),
        ('keys that are a picture', 'reduce count random:262144 --by data/camera.png', None,
         {'outputs': {}}),
        ('dot', 'reduce dot three.npy three.npy --by three.npy', {'dot': [32, 1, 16]}))


def test_usage():
    array('three.npy', 'u32', [1, 2, 3])
    array('two.npy', 'u32', [1, 2])
    refusals(
        2, '',
        ('too few keys', 'two.npy|2 keys|3 elements', 'reduce sum three.npy --by two.npy'),
        ('too few keys', 'two.npy|2 keys|3 elements', 'scan sum three.npy --by two.npy -o out.npy'),
        ('no such file', 'missing.npy', 'reduce sum three.npy --by missing.npy'),
        ('no keys', '--keys needs --by', 'reduce sum three.npy --keys out.npy'),
        ('no keys', '--counts needs --by', 'reduce sum three.npy --counts out.npy'),
        ('segments too', '--by and --segments',
         'reduce sum three.npy --by three.npy --segments rows:1'),
        ('tiles too', '--by and --tiles', 'reduce sum three.npy --by three.npy --tiles 1x1'),
        ('segments too', '--by and --segments',
         'scan sum three.npy --by three.npy -o out.npy --segments rows:1'),
        ('chunks', "--by is 'three.npy'|--chunk",
         'reduce sum three.npy --by three.npy --chunk 1KiB'),
        ('one name twice', 'x.npy|--output and --keys',
         'reduce sum three.npy --by three.npy -o x.npy --keys x.npy'),
        ('one name twice', 'x.npy|--keys and --counts',
         'reduce sum three.npy --by three.npy --keys x.npy --counts x.npy'),
        ('an option of reduce', '--counts', 'scan sum three.npy --by three.npy --counts out.npy'))
    differences(('the number of elements of run 2 is 1|gives 0',
                 'reduce sum three.npy --by three.npy -o out.npy'),
                ('element 2 of sum|gives 2', 'scan sum three.npy --by three.npy -o out.npy'))
    says('for people', 'reduce sum,max three.npy --by three.npy --verify',
         'segments 3 by three.npy\n', 'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_usage()
