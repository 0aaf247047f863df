#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the commands expand and select of the program vkreduce. Prints TAP."""
import random

import runner_tools
from runner_order import shown
from runner_tools import MISLED, answers, array, differences, npy, pack, refusals, says


def check_expand(name, counts, command, capacity=None, **fields):
    sources = [i for i, count in enumerate(counts) for _ in range(count)]
    ranks = [rank for count in counts for rank in range(count)]
    stored = len(sources) if capacity is None else min(capacity, len(sources))
    answers((name, f'expand {command} -o o.npy --ranks r.npy',
             {'outputs': len(sources), 'stored': stored},
             {'files': {'o.npy': ('u32', (stored,), shown('u32', sources[:stored])),
                        'r.npy': ('u32', (stored,), shown('u32', ranks[:stored]))},
              'count': len(counts), **fields}))


def test_expand():
    draw = random.Random(1)
    for kind in ('u8', 'i16', 'u32', 'i64', 'u64'):
        counts = [draw.randrange(9) for _ in range(3001)]
        array('in.npy', kind, counts)
        check_expand(kind, counts, 'in.npy', type=kind)
    for name, counts in (('a giant', [0] * 999 + [70001] + [1] * 99), ('none', [0] * 50),
                         ('nothing', []), ('one', [1])):
        array('in.npy', 'u32', counts)
        check_expand(name, counts, 'in.npy')
    counts = [draw.randrange(4) for _ in range(9999)]
    array('in.npy', 'u32', counts)
    for options in ('--count-on-gpu', '--staging --repeat 2'):
        check_expand('the same', counts, f'in.npy {options}')
    check_expand('little room', counts, 'in.npy --capacity 77', 77)
    array('values.npy', 'f32', [i / 4 for i in range(9999)])
    repeated = [i / 4 for i, count in enumerate(counts) for _ in range(count)]
    answers(('values', 'expand in.npy --payload values.npy:v.npy',
             {'outputs': len(repeated), 'stored': len(repeated)},
             {'files': {'v.npy': ('f32', (len(repeated),), shown('f32', repeated))}}))


def order(values):
    return sorted(range(len(values)), key=lambda i: (values[i], i))


def check_select(name, rows, ranks, command):
    orders = [order(row) for row in rows]
    indices = [found[rank] for found in orders for rank in ranks]
    values = [row[found[rank]] for row, found in zip(rows, orders) for rank in ranks]
    has_rows = '--segments' in command or '--axis' in command
    shape = (len(rows), len(ranks)) if has_rows else (len(ranks),)
    answers((name, f'select {command} -o v.npy --indices i.npy', None,
             {'files': {'v.npy': ('i32', shape, shown('i32', values)),
                        'i.npy': ('u32', shape, shown('u32', indices))}}))


def test_select():
    draw = random.Random(2)
    values = [draw.randrange(-500, 500) for _ in range(30000)]
    array('in.npy', 'i32', values)
    ranks = [0, 29999, 15000, 3]
    check_select('ranks', [values], ranks, 'in.npy --ranks 0,29999,15000,3')
    check_select('the median', [values], [14999], 'in.npy --quantiles 0.5')
    rows = [values[i:i + 300] for i in range(0, 30000, 300)]
    check_select('rows', rows, [7, 150], 'in.npy --ranks 7,150 --segments rows:300')
    apart = [values[i:i + 300] for i in range(0, 30000, 311)]
    check_select('rows that lie apart', apart, [7, 100], 'in.npy --ranks 7,100 --segments '
                 'rows:300:311')
    npy('table.npy', pack('i32', values), '<i4', '(100, 300)')
    check_select('an axis', rows, [0, 299], 'table.npy --quantiles 0,1 --axis 1')
    for kind, offsets, ranks in (('u32', [3, 9, 20, 29000, 29006, 30000], [5, 0, 2, 5]),
                                 ('i64', [0, 30000], [29999, 7]), ('u64', [5], [1]),
                                 ('i32', list(range(0, 30001, 6)), [4])):
        array('at.npy', kind, offsets)
        rows = [values[a:b] for a, b in zip(offsets, offsets[1:])]
        check_select('offsets', rows, ranks, f'in.npy --segments offsets:at.npy --ranks '
                     f'{",".join(map(str, ranks))}')
    array('at.npy', 'u32', [1, 2, 9, 20007])
    medians = [order(values[a:b])[(b - a - 1) // 2] for a, b in ((1, 2), (2, 9), (9, 20007))]
    answers(('medians', 'select in.npy --quantiles 0.5 --segments offsets:at.npy --verify '
             '--count-on-gpu --indices i.npy', None,
             {'files': {'i.npy': ('u32', (3, 1), shown('u32', medians))}}))


def test_usage():
    array('float.npy', 'f32', [1, 2])
    array('negative.npy', 'i32', [1, -1])
    array('large.npy', 'u64', [2**32])
    array('many.npy', 'u32', [2**31, 1])
    array('three.npy', 'u8', [1, 2, 3])
    array('empty.npy', 'u32', [0, 2, 2, 3])
    array('uneven.npy', 'u32', [0, 2, 3])
    refusals(2, 'expand',
             ('no file', '-o OUT.npy', 'three.npy'),
             ('floats', 'float.npy|f32|integers', 'float.npy -o o.npy'),
             ('a negative count', 'negative.npy|element 1 is -1', 'negative.npy -o o.npy'),
             ('a large count', 'large.npy|4294967296', 'large.npy -o o.npy'),
             ('many outputs', 'many.npy|2147483649|--capacity', 'many.npy -o o.npy'),
             ('a payload of two', 'float.npy|2 entries', 'three.npy --payload float.npy:o.npy'))
    refusals(2, 'select',
             ('no ranks', '--ranks or --quantiles', 'three.npy'),
             ('both', '--ranks or --quantiles', 'three.npy --ranks 0 --quantiles 0.5'),
             ('a rank past the end', '--ranks has 3', 'three.npy --ranks 3'),
             ('a long rank', '--ranks|too long', f'three.npy --ranks {"0" * 40}'),
             ('an empty segment', 'segment 1 of three.npy has no elements',
              'three.npy --quantiles 0.5 --segments offsets:empty.npy'),
             ('a short segment', '--ranks has 1|below 1|segment 1 of three.npy',
              'three.npy --ranks 0,1 --segments offsets:uneven.npy'),
             ('a large share', '--quantiles|1.5', 'three.npy --quantiles 1.5'))
    differences(('output 0 must be that of element', 'expand three.npy -o o.npy'),
                ('rank|0', 'select three.npy --ranks 0'))
    says('for people', 'expand three.npy -o o.npy --verify', 'outputs  6\n', 'verified yes\n')
    says('for people', 'select three.npy --ranks 1 --verify', 'rank 1          2 at 1\n')


with runner_tools.workplace():
    if MISLED:
        test_expand()
        test_select()
        test_usage()
