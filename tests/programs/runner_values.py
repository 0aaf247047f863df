#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --by-value of all commands of the program vkreduce that compare elements: -0 equals +0, and
all NaN are equal. Prints TAP."""
import bisect
import itertools
import random
import struct

import runner_tools
from runner_order import NANS
from runner_tools import CODES, DESCR, MISLED, answers, array, npy, pack, refusals

COUNT = 3000


def draw_elements(kind, seed, count=COUNT):
    """Bytes of elements, many of which are zeros and NaN."""
    draw = random.Random(seed)
    size = struct.calcsize(CODES[kind])
    nans = [bits.to_bytes(size, 'little') for bits in NANS[kind]]
    return [draw.choice([pack(kind, [0.0]), pack(kind, [-0.0]), *nans,
                         pack(kind, [draw.randrange(-3, 4)])]) for _ in range(count)]


def place(kind, data, descending=False):
    """What an element is compared by: NaN come last."""
    value = struct.unpack('<' + CODES[kind], data)[0]
    return (1, 0) if value != value else (0, (-value if descending else value) + 0.0)


def store(name, kind, elements):
    npy(name, b''.join(elements), DESCR[kind], f'({len(elements)},)')


def sorted_by_value(kind, elements, descending=False):
    return sorted(range(len(elements)), key=lambda i: place(kind, elements[i], descending))


def shown(kind, data):
    """As a file's content is compared: a list, or bytes if there are many elements."""
    count = len(data) // struct.calcsize(CODES[kind])
    return kind, (count,), data if count > 100 else list(struct.unpack(f'<{count}{CODES[kind]}',
                                                                       data))


def picked(kind, elements, order):
    return shown(kind, b''.join(elements[i] for i in order))


def numbers(values):
    return shown('u32', pack('u32', values))


def in_chunks(kind):
    """Options, and the number of chunks, which have at least 1,024 elements."""
    size = struct.calcsize(CODES[kind])
    return [('', None), (' --chunk 4KiB', -(-COUNT // max(4096 // size, 1024)))]


def runs_of(kind, elements, order):
    return [list(run) for _, run in
            itertools.groupby(order, key=lambda i: place(kind, elements[i]))]


def test_orders(kind):
    elements = draw_elements(kind, kind)
    store('in.npy', kind, elements)
    for descending in (False, True):
        order = sorted_by_value(kind, elements, descending)
        files = {'o.npy': picked(kind, elements, order), 'i.npy': numbers(order)}
        down = ' --descending' * descending
        answers((kind, f'sort in.npy -o o.npy --indices i.npy --by-value{down}', None,
                 {'files': files}))
        best = order[:2000]
        small = ' --smallest' * (not descending)
        files = {'o.npy': picked(kind, elements, best), 'i.npy': numbers(best)}
        for chunk, chunks in in_chunks(kind):
            answers((kind, f'topk 2000 in.npy -o o.npy --indices i.npy --by-value{small}{chunk}',
                     None, {'files': files, 'chunks': chunks}))
        halves = [[half[i] for i in sorted_by_value(kind, half, descending)]
                  for half in (elements[:1000], elements[1000:])]
        both = halves[0] + halves[1]
        order = sorted_by_value(kind, both, descending)
        store('a.npy', kind, halves[0])
        store('b.npy', kind, halves[1])
        answers((kind, f'merge a.npy b.npy -o o.npy --indices i.npy --by-value{down}', None,
                 {'files': {'o.npy': picked(kind, both, order),
                            'i.npy': numbers(order)}}))
        places = [place(kind, data, descending) for data in both]
        below = [bisect.bisect_left(places[:1000], q) for q in places]
        store('values.npy', kind, both)
        answers((kind, f'bounds lower a.npy values.npy -o o.npy --by-value{down}', None,
                 {'files': {'o.npy': numbers(below)}}))


def test_runs(kind):
    elements = draw_elements(kind, kind + 'runs')
    elements = [elements[i // 4] for i in range(COUNT)]
    store('in.npy', kind, elements)
    array('ones.npy', 'u32', [1] * COUNT)
    runs = runs_of(kind, elements, range(COUNT))
    firsts, lengths = [run[0] for run in runs], [len(run) for run in runs]
    whole = {'k.npy': picked(kind, elements, firsts), 'c.npy': numbers(lengths)}
    for chunk, chunks in in_chunks(kind):
        answers((kind, f'compact unique in.npy -o k.npy --run-lengths c.npy --by-value{chunk}',
                 None, {'files': whole, 'chunks': chunks}))
    answers((kind, "find '!unique' in.npy --by-value",
             {'index': next(i for i in range(COUNT) if i not in firsts)}),
            (kind, 'reduce sum ones.npy --runs in.npy --keys k.npy --counts c.npy --by-value',
             None, {'files': whole}))
    many = 24 * elements
    store('long.npy', kind, many)
    array('many.npy', 'u32', [1] * len(many))
    runs = runs_of(kind, many, range(len(many)))
    places = numbers([i + 1 for run in runs for i in range(len(run))])
    for chunk, chunks in (('', None), (' --chunk 256KiB', 2)):
        answers((kind, f'scan sum many.npy --runs long.npy -o o.npy --by-value{chunk}', None,
                 {'files': {'o.npy': places}, 'chunks': chunks}))
    groups = runs_of(kind, elements, sorted_by_value(kind, elements))
    ranks = {i: rank + 1 for group in groups for rank, i in enumerate(group)}
    answers((kind, 'reduce sum ones.npy --by in.npy --keys k.npy --counts c.npy --by-value', None,
             {'files': {'k.npy': picked(kind, elements, [group[0] for group in groups]),
                        'c.npy': numbers([len(group) for group in groups])}}),
            (kind, 'scan sum ones.npy --by in.npy -o o.npy --by-value', None,
             {'files': {'o.npy': numbers([ranks[i] for i in range(COUNT)])}}))


def test_usage():
    array('u32.npy', 'u32', [1, 1, 2])
    answers(('integers are compared as ever', 'compact unique u32.npy -o o.npy --by-value', None,
             {'files': {'o.npy': ('u32', (2,), [1, 2])}}))
    for command in ('compact', 'find'):
        refusals(2, command, ('another predicate', '--by-value|unique|PREDICATE',
                              'nan u32.npy --by-value'))
    refusals(2, 'reduce sum', ('no keys', '--by-value|--by or --runs', 'u32.npy --by-value'))
    refusals(2, 'scan sum', ('no keys', '--by-value|--by or --runs',
                             'u32.npy -o o.npy --by-value --segments rows:2'))


with runner_tools.workplace():
    if MISLED:
        for kind in ('f16', 'f32', 'f64'):
            test_orders(kind)
            test_runs(kind)
        test_usage()
