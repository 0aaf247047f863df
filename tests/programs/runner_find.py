#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command find of the program vkreduce. Prints TAP."""
import math

import runner_tools
from runner_order import TYPES, some_values
from runner_tools import MISLED, array, answers, differences, npy, pack, refusals, says, write

NAN = float('nan')


def first(values, keeps):
    return next((i for i, value in enumerate(values) if keeps(value)), None)


def test_types():
    for i, kind in enumerate(TYPES):
        values = [0, 0, *some_values(kind, 500, i)]
        array('in.npy', kind, values)
        answers((kind, 'find x>5 in.npy', {'index': first(values, lambda x: x > 5)},
                 {'type': kind, 'count': 502, 'outputs': {}}),
                (kind, 'find nonzero in.npy', {'index': first(values, lambda x: x != 0)}))


def test_predicates():
    values = [0.0, -0.0, 1.5, -1.5, NAN, math.inf, NAN, 7.0, 7.0, 3.0]
    array('in.npy', 'f32', values)
    array('flags.npy', 'u8', [0, 0, 0, 0, 0, 0, 0, 0, 9, 1])
    array('none.npy', 'f32', [])
    array('one.npy', 'u64', [2**64 - 1])
    array('wide.npy', 'i64', [0, -2**63, 2**63 - 1, 2**63 - 1])
    npy('pairs.npy', pack('i16', [1, 5, 2, 6, 3, 7, 4, 8]), '<i2', '(8,)')
    write('records.bin', *(pack('u16', [7, i, 9]) for i in range(50)))
    answers(
        *((f'a predicate', f"find '{predicate}' in.npy", {'index': index})
          for predicate, index in [('nan', 4), ('finite', 0), ('!finite', 4), ('unique', 0),
                                   ('!unique', 8), ('nonzero', 2), ('x==7', 7), ('x>8', 5),
                                   ('x<-2', None), ('1<x<2', 2), ('flags:flags.npy', 8),
                                   ('!flags:flags.npy', 0), ('!nan', 0), ('x!=0', 2)]),
        ('nothing', 'find nonzero none.npy', {'index': None}),
        ('unique of nothing', 'find unique none.npy', {'index': None}),
        ('one element', 'find x==18446744073709551615 one.npy', {'index': 0}),
        ('one element that repeats nothing', "find '!unique' one.npy", {'index': None}),
        ('64 bits', 'find x==9223372036854775807 wide.npy', {'index': 2}),
        ('64 bits, negative', 'find x==-9223372036854775808 wide.npy', {'index': 1}),
        ('a component', 'find y>=7 pairs.npy --components 2', {'index': 2}),
        ('fields of records', 'find x>=20 records.bin --type u16 --offset 2 --stride 6',
         {'index': 20}, {'count': 50}),
        ('a picture in colour', 'find z==255 data/astronaut.png', None))


def test_options():
    values = [i // 2 for i in range(100001)]
    values[77777] = -1
    values[88888] = values[88887]
    array('in.npy', 'i32', values)
    array('flags.npy', 'u32', [int(i == 99999) for i in range(100001)])
    for options, chunks in [('--count-on-gpu', None), ('--staging --repeat 2', None),
                            ('--chunk 64KiB', 7), ('--chunk 4KiB', 98)]:
        answers(*(('the same', f"find '{predicate}' in.npy {options}", {'index': index},
                   {'chunks': chunks})
                  for predicate, index in [('x<0', 77777), ('x>50000', None), ('x==50000', 100000),
                                           ('unique', 0), ('!unique', 1),
                                           ('flags:flags.npy', 99999)]))
    single = list(range(100001))
    single[65536] = 65535
    array('in.npy', 'u32', single)
    answers(('between two chunks', "find '!unique' in.npy --chunk 64KiB", {'index': 65536},
             {'chunks': 7}))


def test_usage():
    array('three.npy', 'u32', [1, 2, 3])
    array('two.npy', 'u32', [1, 2])
    refusals(
        2, 'find',
        ('no input', '1 operands|PREDICATE INPUT', 'nan'),
        ('no predicate', "'three.npy'|neither a word", 'three.npy two.npy'),
        ('a constant of another type', 'PREDICATE|-1|u32', "'x>-1' three.npy"),
        ('a component too many', "'y' is component 1", "'y>1' three.npy"),
        ('too few flags', 'two.npy|2 values|3 elements', 'flags:two.npy three.npy'),
        ('no such file', 'missing.npy', 'nan missing.npy'),
        ('an option of compact', '--indices', 'nan three.npy --indices out.npy'),
        ('chunks and a count on the GPU', '--count-on-gpu|--chunk',
         'nan three.npy --count-on-gpu --chunk 1KiB'))
    differences(('the index is 1|gives', "find 'x>1' three.npy"))
    says('for people', "find 'x>1' three.npy --verify", 'index    1\n', 'verified yes\n')
    says('for people', "find 'x>9' three.npy", 'index    none\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_predicates()
        test_options()
        test_usage()
