#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command bin of the program vkreduce. Prints TAP."""
import random

import runner_tools
from runner_order import shown
from runner_tools import MISLED, array, answers, differences, npy, pack, refusals, says, write


def lists_of(values, bins):
    """The indices of the elements of each bin."""
    lists = [[] for _ in range(bins)]
    for i, value in enumerate(values):
        if value < bins:
            lists[value].append(i)
    return lists


def check(name, bins, values, command, **fields):
    lists = lists_of(values, bins)
    counts = [len(part) for part in lists]
    offsets = [sum(counts[:i]) for i in range(bins + 1)]
    indices = [i for part in lists for i in part]
    answers((name, f'bin {command} --bins {bins} --counts c.npy --offsets o.npy --indices i.npy',
             {'counts': counts, 'outside': len(values) - len(indices)},
             {'files': {'c.npy': ('u32', (bins,), shown('u32', counts)),
                        'o.npy': ('u32', (bins + 1,), shown('u32', offsets)),
                        'i.npy': ('u32', (len(indices),), shown('u32', indices))},
              'count': len(values), **fields}))


def test_types():
    draw = random.Random(1)
    for kind, bins in [('u8', 256), ('u8', 7), ('u16', 4096), ('u16', 300), ('u32', 1),
                       ('u32', 1025)]:
        most = min(2 ** int(kind[1:]), bins + bins // 4 + 1)
        values = [draw.randrange(most) for _ in range(2999)]
        array('in.npy', kind, values)
        check(kind, bins, values, 'in.npy', type=kind)
    values = [2**32 - 1, 0, 4095, 4096, 2**31, 1, 0]
    array('in.npy', 'u32', values)
    check('large numbers', 4096, values, 'in.npy')


def test_options():
    draw = random.Random(2)
    values = [draw.randrange(70) for _ in range(50001)]
    array('in.npy', 'u16', values)
    for options in ('--count-on-gpu', '--staging --repeat 2'):
        check('the same', 64, values, f'in.npy {options}')
    for some in ([], [3], [99], [5] * 700):
        array('in.npy', 'u8', some)
        check('few kinds', 6, some, 'in.npy')
    values = [i % 7 for i in range(60)]
    write('records.bin', *(pack('u16', [9, x, 9, 9]) for x in values))
    check('fields of records', 5, values, 'records.bin --type u16 --offset 2 --stride 8')
    array('in.npy', 'u8', values)
    counts = [len(part) for part in lists_of(values, 7)]
    answers(
        ('only counts', 'bin in.npy --bins 7 --counts c.npy', {'counts': counts, 'outside': 0},
         {'files': {'c.npy': ('u32', (7,), counts)}, 'outputs': {'counts': 'c.npy'}}),
        ('no files', 'bin in.npy --bins 7', {'counts': counts, 'outside': 0}, {'outputs': {}}))
    found = runner_tools.answer('a picture', 'bin data/camera.png --bins 256 --indices i.npy', None)
    ok = runner_tools.ok
    ok(sum(found.get('result', {}).get('counts', [])) == 262144, 'and all of its pixels')


def test_usage():
    array('three.npy', 'u8', [2, 1, 2])
    array('four.npy', 'u8', [2, 1, 2, 0])
    array('i32.npy', 'i32', [1, 2])
    npy('pair.npy', pack('u8', [1, 2, 3, 4]), '|u1', '(2, 2)')
    refusals(
        2, 'bin',
        ('no bins', '--bins N', 'three.npy'),
        ('no bins at all', '--bins|1 to 4096', 'three.npy --bins 0'),
        ('too many bins', '--bins|1 to 4096', 'three.npy --bins 4097'),
        ('no input', '0 operands|INPUT', '--bins 3'),
        ('signed numbers', 'i32.npy|i32|u8, u16 or u32', 'i32.npy --bins 3'),
        ('floats', 'random:9|f32|u8, u16 or u32', 'random:9 --bins 3'),
        ('pairs', 'pair.npy|2 channels|bin', 'pair.npy --components 2 --bins 3'),
        ('chunks', '--chunk|all data at once', 'three.npy --bins 3 --chunk 1KiB'),
        ('too much', 'too large|4000000000 bytes', 'random:4e9 --type u8 --bins 3'),
        ('one name twice', 'x.npy|--counts and --offsets',
         'three.npy --bins 3 --counts x.npy --offsets x.npy'),
        ('two standard outputs', '--counts and --indices', 'three.npy --bins 3 --counts - '
         '--indices -'),
        ('an option of histogram', '--range', 'three.npy --bins 3 --range 0:3'))
    differences(('index 0 is 3|gives 4', 'bin four.npy --bins 3 --indices i.npy'),
                ('the count of bin 0 is 0|gives 1', 'bin three.npy --bins 3'))
    says('for people', 'bin four.npy --bins 2 --verify', 'in bins  2\noutside  2\n',
         '\nbin           count\n0                 1\n1                 1\n', 'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_usage()
