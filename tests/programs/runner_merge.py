#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command merge of the program vkreduce. Prints TAP."""
import random

import runner_tools
from runner_order import TYPES, order_key, shown, some_values
from runner_tools import MISLED, answers, array, differences, npy, pack, refusals, says, write


def check(name, options, kind, a, b, order=(), **fields):
    def sort(values):
        return sorted(values, key=lambda x: order_key(kind, x, *order))
    both = sort(a) + sort(b)
    indices = sorted(range(len(both)), key=lambda i: (order_key(kind, both[i], *order), i))
    array('a.npy', kind, sort(a))
    array('b.npy', kind, sort(b))
    array('entries.npy', 'u32', range(len(both)))
    npy('rows.npy', pack('u16', [i % 999 for i in range(3 * len(both))]), '<u2',
        f'({len(both)}, 3)')
    rows = [(3 * i + k) % 999 for i in indices for k in range(3)]
    answers((name, 'merge a.npy b.npy -o o.npy --indices i.npy --payload entries.npy:e.npy '
             f'--payload rows.npy:r.npy {options}', {'count': len(both)},
             {'files': {'o.npy': (kind, (len(both),), shown(kind, [both[i] for i in indices])),
                        'i.npy': ('u32', (len(both),), shown('u32', indices)),
                        'e.npy': ('u32', (len(both),), shown('u32', indices)),
                        'r.npy': ('u16', (len(both), 3), shown('u16', rows))},
              'type': kind, **fields}))


def test_types():
    for i, kind in enumerate(TYPES):
        check(kind, '', kind, some_values(kind, 700, i), some_values(kind, 400, i + 50))


def test_options():
    a, b = some_values('u32', 20000, 1), some_values('u32', 15000, 2)
    for options in ('--count-on-gpu', '--staging --repeat 2'):
        check('the same', options, 'u32', a, b)
    for descending in (False, True):
        for nan_first in (False, True):
            check('an order', '--descending' * descending + ' --nan-first' * nan_first, 'f32',
                  some_values('f32', 300, 3), some_values('f32', 200, 4),
                  order=(descending, nan_first))
    check('one', '', 'i16', [5], [5])
    array('a.npy', 'u8', [1, 4, 4])
    array('none.npy', 'u8', [])
    for name, command in (('nothing before', 'none.npy a.npy'), ('nothing after', 'a.npy none.npy')):
        answers((name, f'merge {command} -o o.npy', {'count': 3},
                 {'files': {'o.npy': ('u8', (3,), [1, 4, 4])}}))
    answers(('one payload', 'merge a.npy a.npy --payload words.npy:w.npy', {'count': 6},
             {'files': {'w.npy': ('u32', (6,), [10, 40, 20, 30, 50, 60])}}))
    draw = random.Random(3)
    rows = sorted(draw.randrange(-99, 99) for _ in range(50))
    write('rows.bin', b''.join(pack('i16', [0, x, 7, 7]) for x in rows))
    answers(('fields of records', 'merge rows.bin rows.bin --type i16 --offset 2 --stride 8 '
             '-o o.npy', {'count': 100},
             {'files': {'o.npy': ('i16', (100,), sorted(rows + rows))}}))


def test_usage():
    array('two.npy', 'u32', [1, 2])
    array('f32.npy', 'f32', [1, 2])
    array('step.npy', 'i64', [*range(131073), *range(70000)])
    refusals(2, 'merge',
             ('one array', '1 operands|A B', 'two.npy -o o.npy'),
             ('no file', '-o OUT.npy|--indices', 'two.npy two.npy'),
             ('two types', 'two.npy has u32|f32.npy has f32', 'two.npy f32.npy -o o.npy'),
             ('out of order', 'step.npy|element 131073 is 0, after 131072|vkreduce sort',
              'step.npy step.npy -o o.npy'),
             ('not descending', 'two.npy|descending order: element 1 is 2, after 1',
              'two.npy two.npy -o o.npy --descending'),
             ('a short payload', '2 entries|4', 'two.npy two.npy --payload two.npy:o.npy'),
             ('chunks', '--chunk', 'two.npy two.npy -o o.npy --chunk 4KiB'))
    differences(('merged element 0|1', 'merge two.npy two.npy -o o.npy'),
                ('index 0|0', 'merge two.npy two.npy --indices o.npy'),
                ('entry 0', 'merge two.npy two.npy --payload words4.npy:o.npy'))
    says('for people', 'merge two.npy two.npy -o o.npy --verify', 'output   o.npy: 4 x 1 u32\n',
         'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        array('words.npy', 'u32', [10, 20, 30, 40, 50, 60])
        array('words4.npy', 'u32', [10, 20, 30, 40])
        test_types()
        test_options()
        test_usage()
