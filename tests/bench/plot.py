#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plot.py ROWS.json... [--folder tests/bench/results]: draws rows of bench, compare.py and the
peers: throughput.png and moves.png over all sizes, latency.png over small sizes, windows.png and
windows-made.png over loads, and segments.png over lengths of rows. Times are device times, or those
of whole calls if there are none, as of peers on the CPU."""
import argparse
import os
import sys

from gnuplot import draw_curves
from rows import ns_of, read_rows

HERE = os.path.dirname(os.path.abspath(__file__))
SMALL = 1 << 16

# Curves: the label, a test for the arms whose best row counts, and the colour.
SERIES = [
    ('best bare read', lambda a: a.startswith('read f32 '), '#999999'),
    ('best bare read, SSBO', lambda a: a.startswith('read f32 ') and 'texel' not in a,
     '#cccccc'),
    ('auto', lambda a: a == 'min,max f32 auto', '#0055aa'),
    ('auto, SSBO', lambda a: a == 'min,max f32 auto ssbo', '#66aadd'),
    ('tree', lambda a: a == 'min,max f32 tree', '#aa7700'),
    ('recursive', lambda a: a == 'min,max f32 recursive', '#ddbb55'),
    ('numpy', lambda a: a == 'numpy min,max f32', '#cc2222'),
    ('Thrust', lambda a: a == 'thrust min,max f32', '#cc66aa'),
    ('Boost.Compute', lambda a: a == 'boost.compute min,max f32', '#8844aa'),
    ('CUB', lambda a: a == 'cub min,max f32', '#228833'),
]
COPY = ('best copy', lambda a: a.startswith('copy '), '#999999')
LATENCY = [('empty', lambda a: a == 'empty', '#dddddd'), COPY] + SERIES[2:3] + [
               ('single', lambda a: a == 'min,max f32 single', '#0099aa'),
               ('subgroup', lambda a: a == 'min,max f32 subgroup', '#aa5500')] + SERIES[4:]

WINDOWS = {'u32': ('#0055aa', '#66aadd', '#aaccee'), 'f32': ('#aa5500', '#dd9944', '#eeccaa'),
           'f64': ('#228833', '#66bb77', '#aaddbb')}
# Sums of rows of LENGTH elements.
SEGMENTS = [('auto', 'rows LENGTH f32 auto', '#0055aa'),
            ('lanes', 'rows LENGTH f32 lanes', '#aa7700'),
            ('merge', 'rows LENGTH f32 merge', '#8844aa'),
            ('groups', 'rows LENGTH f32 groups', '#ddbb55'),
            ('split', 'rows LENGTH f32 split', '#cc66aa'),
            ('numpy', 'numpy rows LENGTH f32', '#cc2222'),
            ('CUB', 'cub rows LENGTH f32', '#228833')]
WINDOW_FORMS = ('multi', 'doubled', 'swap')


def named(name):
    return lambda a: a == name


MOVES = [COPY] + [
    (label, named(arm), colour) for label, arm, colour in [
        ('scan u32', 'scan sum u32 auto', '#0055aa'),
        ('scan f32', 'scan sum f32 auto', '#66aadd'),
        ('scan u32, Blelloch', 'scan sum u32 blelloch', '#aa7700'),
        ('scan u32, Hillis, Steele', 'scan sum u32 hillis-steele', '#ddbb55'),
        ('compact, 50 % kept', 'compact 50 f32 auto', '#228833'),
        ('numpy cumsum u32', 'numpy scan sum u32', '#cc2222'),
        ('numpy cumsum f32', 'numpy scan sum f32', '#dd7788'),
        ('numpy mask, 50 %', 'numpy compact 50 f32', '#aa3377'),
        ('CUB scan u32', 'cub scan sum u32', '#44bb99'),
        ('CUB If, 50 %', 'cub compact 50 f32', '#99ddcc')]]

SIZES = """set logscale x 2
set format x '2^{%L}'
set grid xtics lt 1 lc rgb '#e4e4e4'
"""
LOADS = """set grid xtics lt 1 lc rgb '#e4e4e4'
set yrange [0:*]"""


def points(rows, passes):
    """Pairs of n and the minimum ns of the rows that pass."""
    least = {}
    for row in rows:
        if passes(row['arm']) and ns_of(row):
            least[row['n']] = min(ns_of(row), least.get(row['n'], float('inf')))
    return sorted(least.items())


def by_size(series, rows, value):
    return [(label, colour, [(n, value(n, ns)) for n, ns in points(rows, passes)])
            for label, passes, colour in series]


def by_load(rows, made):
    """Speeds relative to naive. The names look like 'windows u32 W8 multi made g8'."""
    found = []
    for kind, colours in WINDOWS.items():
        for form, colour in zip(WINDOW_FORMS, colours):
            wanted = ['windows', kind, form] + ['made'] * made
            words = [(row, row['arm'].split()) for row in rows]
            found.append((f'{kind} {form}', colour, sorted(
                (int(name[-1][1:]), row['ratio']) for row, name in words
                if row.get('ratio') and name[:2] + name[3:-1] == wanted)))
    return found


def by_length(rows):
    """Speeds relative to that of the sum of all elements, for the largest size with segments."""
    rows = [row for row in rows if ns_of(row)]
    lengths = [row for row in rows if row['op'].startswith('rows ')]
    n = max((row['n'] for row in lengths), default=None)
    flat = min((ns_of(row) for row in rows if row['n'] == n and row['arm'] == 'sum f32 auto'),
               default=None)
    found = []
    for label, pattern, colour in SEGMENTS if flat else ():
        ends = pattern.split(' LENGTH ')
        least = {}
        for row in lengths:
            name, length = row['arm'], int(row['op'].split()[1])
            if row['n'] == n and name == f' {length} '.join(ends):
                least[length] = min(ns_of(row), least.get(length, float('inf')))
        found.append((label, colour, [(k, flat / ns) for k, ns in sorted(least.items())]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(':', maxsplit=1)[0])
    parser.add_argument('rows', nargs='+')
    parser.add_argument('--folder', default=os.path.join(HERE, 'results'))
    options = parser.parse_args()
    rows = read_rows(options.rows)
    mine = [row for row in rows if row.get('peer', 'vkreduce') == 'vkreduce']
    device = mine[0]['device'] if mine else ''
    os.makedirs(options.folder, exist_ok=True)
    from_zero, small = SIZES + 'set yrange [0:*]', [row for row in rows if row['n'] <= SMALL]
    size, load = 'elements of 4 bytes', 'workgroups for each multiprocessor or core'
    sums, faster = 'sums of all windows', 'times as fast as naive'
    pictures = [
        ('throughput', 'min and max of f32: throughput', (size, 'GB/s'), from_zero,
         by_size(SERIES, rows, lambda n, ns: 4 * n / ns)),
        ('moves', 'scans and compactions', (size, 'elements per ns'), from_zero,
         by_size(MOVES, rows, lambda n, ns: n / ns)),
        ('latency', 'min and max of f32: time at small sizes', (size, 'microseconds'),
         SIZES + 'set logscale y 10', by_size(LATENCY, small, lambda n, ns: ns / 1e3)),
        ('windows', f'{sums}, from memory', (load, faster), LOADS, by_load(rows, False)),
        ('windows-made', f'{sums}, of values made in registers', (load, faster), LOADS,
         by_load(rows, True)),
        ('segments', 'sums of rows', ('elements of a row', 'share of the speed of one sum of all'),
         from_zero, by_length(rows))]
    drawn = [draw_curves(os.path.join(options.folder, f'{name}.png'), f'{title} on {device}',
                         axes, more, [(label, colour, 1, found) for label, colour, found in series],
                         min_points=1)
             for name, title, axes, more, series in pictures]
    return 0 if any(drawn) else 1


sys.exit(main())
