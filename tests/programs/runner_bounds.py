#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command bounds of the program vkreduce. Prints TAP."""
import bisect
import random

import runner_tools
from runner_order import TYPES, order_key, shown, some_values
from runner_tools import MISLED, array, answers, differences, npy, pack, refusals, says, write

NAN = float('nan')


def positions(side, kind, data, values, *order):
    """The positions, as numpy.searchsorted finds them, in an order that separates -0 and 0."""
    keys = [order_key(kind, x, *order) for x in data]
    find = bisect.bisect_left if side == 'lower' else bisect.bisect_right
    return [find(keys, order_key(kind, x, *order)) for x in values]


def check(name, side, options, kind, data, values, order=(), **fields):
    array('sorted.npy', kind, data)
    array('values.npy', kind, values)
    found = positions(side, kind, data, values, *order)
    answers((name, f'bounds {side} sorted.npy values.npy -o out.npy {options}',
             {'count': len(values)},
             {'files': {'out.npy': ('u32', (len(found),), shown('u32', found))}, 'count': len(data),
              'type': kind, **fields}))


def test_types():
    for i, kind in enumerate(TYPES):
        data = sorted(some_values(kind, 700, i), key=lambda x, kind=kind: order_key(kind, x))
        check(kind, ('lower', 'upper')[i % 2], '', kind, data, some_values(kind, 300, i + 50))


def test_options():
    data = sorted(some_values('u32', 5000, 1))
    values = some_values('u32', 5000, 2)
    for side, options, chunks in [('lower', '--count-on-gpu', None), ('upper', '--staging', None),
                                  ('lower', '--chunk 4KiB', 5), ('upper', '--repeat 2', None)]:
        check('the same', side, options, 'u32', data, values, chunks=chunks)
    for side in ('lower', 'upper'):
        check('nothing to search in', side, '', 'f32', [], [1.0, NAN])
        check('no values', side, '', 'i16', [1, 2], [])
        check('one element', side, '', 'i16', [5], [4, 5, 6])
        falling = [3.0, 2.0, 2.0, 0.0, -0.0, -1.5, NAN, NAN]
        check('the greatest first', side, '--descending', 'f32', falling,
              [4.0, 3.0, 2.0, 1.0, 0.0, -0.0, -2.0, NAN], order=(True,))
        for descending in (False, True):
            order = (descending, True)
            special = sorted(some_values('f32', 200, 9), key=lambda x, order=order:
                             order_key('f32', x, *order))
            check('NaN first', side, '--nan-first' + ' --descending' * descending, 'f32', special,
                  some_values('f32', 90, 10), order=order)
    draw = random.Random(3)
    rows = sorted(draw.randrange(-99, 99) for _ in range(50))
    write('rows.bin', b''.join(pack('i16', [0, x, 7, 7]) for x in rows))
    found = positions('upper', 'i16', rows, rows)
    answers(('fields of records', 'bounds upper rows.bin rows.bin --type i16 --offset 2 --stride 8 '
             '-o out.npy', {'count': 50}, {'files': {'out.npy': ('u32', (50,), found)}}))


def test_usage():
    array('sorted.npy', 'u32', [1, 2, 3, 3])
    array('values.npy', 'u32', [3, 0])
    array('f32.npy', 'f32', [1, 2])
    array('long.npy', 'i32', [*range(800000), -1])
    array('step.npy', 'i64', [*range(131073), *range(70000)])
    array('zeros.npy', 'f64', [0.0, -0.0])
    array('nan.npy', 'f16', [NAN, 1.0])
    array('last.npy', 'f32', [1.0, NAN])
    array('wide.npy', 'u64', [2**63, 2**63 - 1])
    write('records.bin', b''.join(pack('i16', [9, x, 9, 9]) for x in (1, 4, 3, 5)))
    npy('pair.npy', pack('u32', [1, 2, 3, 4]), '<u4', '(2, 2)')
    refusals(
        2, 'bounds',
        ('an unknown side', "'left'|lower or upper", 'left sorted.npy values.npy -o out.npy'),
        ('no values', '2 operands|SIDE SORTED VALUES', 'lower sorted.npy -o out.npy'),
        ('no output', '-o OUT.npy', 'lower sorted.npy values.npy'),
        ('two types', 'u32|f32.npy has f32|one type', 'lower sorted.npy f32.npy -o out.npy'),
        ('no such file', 'missing.npy', 'lower missing.npy values.npy -o out.npy'),
        ('pairs', '--components|bounds needs one value',
         'lower pair.npy values.npy --components 2 -o out.npy'),
        ('the wrong order', 'values.npy: SORTED is not in ascending order|element 1 is 0, after 3',
         'lower values.npy sorted.npy -o out.npy'),
        ('the other order', 'sorted.npy: SORTED is not in descending order|element 1 is 2, after 1',
         'lower sorted.npy values.npy -o out.npy --descending'),
        ('the order at the end', 'long.npy|element 800000 is -1, after 799999',
         'upper long.npy long.npy -o out.npy'),
        ('the order from one portion to the next', 'step.npy|element 131073 is 0, after 131072',
         'upper step.npy step.npy -o out.npy'),
        ('the order of zeros', 'zeros.npy|element 1 is -0.0, after 0',
         'lower zeros.npy zeros.npy -o out.npy'),
        ('NaN first', 'nan.npy|not in ascending order:|element 1 is 1, after nan',
         'lower nan.npy nan.npy -o out.npy'),
        ('NaN last', 'last.npy|not in descending order with NaN first|element 1 is nan, after 1',
         'lower last.npy last.npy -o out.npy --descending --nan-first'),
        ('the order of large integers', 'wide.npy|element 1 is 9223372036854775807, after '
         '9223372036854775808', 'lower wide.npy wide.npy -o out.npy'),
        ('the order of fields of records', 'records.bin|element 2 is 3, after 4',
         'lower records.bin records.bin --type i16 --offset 2 --stride 8 -o out.npy'),
        ('the output twice', '--json|standard output', 'lower sorted.npy values.npy -o - --json'),
        ('chunks and a count on the GPU', '--count-on-gpu|--chunk',
         'lower sorted.npy values.npy -o out.npy --count-on-gpu --chunk 1KiB'),
        ('a word for a size', '--chunk|many', 'lower sorted.npy values.npy -o out.npy --chunk many'),
        ('an option of sort', '--bits', 'lower sorted.npy values.npy -o out.npy --bits 0:8'))
    differences(('position 0', 'bounds lower sorted.npy values.npy -o out.npy'),
                ('position 0', 'bounds upper sorted.npy values.npy -o out.npy'))
    says('for people', 'bounds upper sorted.npy values.npy -o out.npy --verify',
         'output   out.npy: 2 x 1 u32\n', 'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_usage()
