#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""streams.py ROWS.json... [--folder tests/bench/results]: the figures and the table of the paper on
stream reduction (D. Roger, U. Assarsson, N. Holzschuch, 2007), from rows of `bench --streams`.

Writes those of streams-8.png to streams-13.png for which there are rows, numbered like the figures
of the paper, and writes the tables to standard output, in Markdown. Times are the shortest of all
runs in all files, since other work on a machine only makes them longer. With --times=median, the
shortest median of a run of the benchmark counts; with --times=cpu, the processor time of all cores,
except for the steps, which have none.
"""
import argparse
import os
import sys

from gnuplot import draw, draw_curves
from rows import ns_of, read_rows

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCKS = [8 << k for k in range(8)]
SIZES = [1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26]
USUAL = 64
KEPT = 60
STEPS = ('marks', 'sums', 'search', 'totals', 'concatenation', 'count')
# The steps as the paper names them; the last row is the sum of two steps that only we have.
STEP_TITLES = (('sums', 'sum inside the blocks'), ('search', 'dichotomic search'),
               ('totals', 'sum of the totals'), ('concatenation', 'concatenation'),
               ('marks', 'marks and the count'))
# The columns of Table I: the time of each method, divided by that of roger.
PAPER = {'horn': (5.5, 7.8, 9.1, None), 'blelloch-gather': (3.9, 3.7, 3.6, 4.8),
         'geometry-shader': (1.5, 1.9, 2.0, None), 'CUDA, sum only': (0.32, 0.37, 0.36, 0.35)}
PAPER_SIZES = SIZES[:4]
# Methods, their tier, and the colour and the dash of their curves.
METHODS = [('horn', 'G', '#aa3377', 1), ('blelloch-gather', 'G', '#cc6677', 1),
           ('geometry-shader', 'G', '#999933', 1), ('roger', 'G/S', '#0055aa', 1),
           ('roger-sequential', 'S', '#66aadd', 2), ('scan-scatter', 'S', '#228833', 2),
           ('single-pass', 'S', '#66bb77', 2), ('auto', 'S', '#000000', 3)]
COLOURS = ('#0055aa', '#66aadd', '#dd9944', '#cc2222', '#999999')
RAINBOW = ('#440154', '#46327e', '#365c8d', '#277f8e', '#1fa187', '#4ac16d', '#a0da39', '#e0c020')

LOG_SIZES = """set logscale xy
set grid xtics lt 1 lc rgb '#e4e4e4'
set xtics ({tics})
set xrange [{low}:{high}]
set format y '%g'"""
BARS = """set style data histograms
set style histogram {how}
set style fill solid 1.0 noborder
set boxwidth {width}
set xrange [-0.5:{high}]
set yrange [0:*]"""


def size_name(n):
    return f'{n >> 20}M' if n >= 1 << 20 else f'{n >> 10}k'


class Rows:
    """Times by the names of arms, in ms."""

    def __init__(self, rows, times):
        self.rows = [row for row in rows if ns_of(row)]
        self.device = self.rows[0]['device'] if self.rows else ''
        self.unit = 'milliseconds' + ' of processor time' * (times == 'cpu')
        self.times = {}
        for row in self.rows:
            key = row['arm'], row['n']
            ns = ((times != 'median' and row.get('least_ns')) or ns_of(row))
            if times == 'cpu' and ' step of ' not in row['arm']:
                ns = row.get('cpu_ns')
            if ns:
                self.times[key] = min(ns / 1e6, self.times.get(key, float('inf')))
        self.sizes = sorted({n for _, n in self.times})
        sweep = {n for arm, n in self.times if ' step of ' in arm or arm.startswith('compact 50 ')}
        self.sweep = max(sweep, default=self.sizes[-1] if self.sizes else 0)

    def time(self, arm, n, kept=KEPT):
        return self.times.get((f'compact {kept} f32 {arm}', n))

    def block(self, block, n, tail=''):
        """The time of roger; the name of the usual block size is left out."""
        arm = 'roger' if block == USUAL and tail == '' else f'roger b{block}'
        return self.time(arm + tail, n)

    def step(self, step, block):
        return self.times.get((f'{step} step of compact {KEPT} f32 roger b{block}', self.sweep))


def cell(value):
    return 'NaN' if value is None else f'{value:.6g}'


def draw_bars(path, title, axes, how, groups, series):
    """One picture of bars: the names of the groups, and (label, colour, a value of each group)."""
    if len(groups) < 2 or all(value is None for *_, values in series for value in values):
        print(f'{path}: too few rows', file=sys.stderr)
        return
    data = '$bars << EOD\n' + ''.join(
        f'"{group}" ' + ' '.join(cell(values[i]) for *_, values in series) + '\n'
        for i, group in enumerate(groups)) + 'EOD\n'
    curves = [f"$bars using {i + 2}{':xtic(1)' if i == 0 else ''} lc rgb '{colour}' "
              f"title '{label}'" for i, (label, colour, _) in enumerate(series)]
    more = BARS.format(how=how, width='0.7' if how == 'rowstacked' else '0.9',
                       high=len(groups) - 0.5)
    draw(path, title, axes, more, data, curves)


# ---- The figures ----

def by_size(rows):
    tics = ', '.join(f'"{size_name(n)}" {n}' for n in rows.sizes)
    return LOG_SIZES.format(tics=tics, low=rows.sizes[0] / 1.3, high=rows.sizes[-1] * 1.3)


def figure_8(rows, path):
    draw_curves(path, f'Fig. 8: roger over the number of elements, on {rows.device}',
                ('millions of elements', rows.unit), 'set xrange [0:*]\nset yrange [0:*]',
                [(f'blocks of {block}', colour, 1,
                  [(n / (1 << 20), rows.block(block, n)) for n in rows.sizes])
                 for block, colour in zip(BLOCKS, RAINBOW)])


def figure_9(rows, path):
    shares = range(10, 100, 10)
    series = []
    for method, tier, colour, dash in METHODS:
        usual = rows.time(method, rows.sweep)
        times = [(kept, rows.time(method, rows.sweep, kept)) for kept in shares]
        series.append((f'{method} ({tier})', colour, dash,
                       [(kept, time and usual and time / usual) for kept, time in times]))
    draw_curves(path, f'Fig. 9: {size_name(rows.sweep)} elements over the share that is kept, on '
                      f'{rows.device}', ('per cent kept', 'time, as a multiple of that at 60 %'),
                'set xtics 10\nset xrange [5:95]\nset yrange [0:*]', series)


def figure_10(rows, path):
    steps = []
    for step, title in STEP_TITLES:
        parts = [(rows.step(step, block), rows.step('count', block) if step == 'marks' else 0)
                 for block in BLOCKS]
        steps.append((title, [None if None in part else sum(part) for part in parts]))
    draw_bars(path, f'Fig. 10: the steps of roger, {size_name(rows.sweep)} elements, on '
                    f'{rows.device}', ('elements of a block', 'milliseconds'), 'rowstacked', BLOCKS,
              [(title, colour, values) for (title, values), colour in zip(steps, COLOURS)])


def figure_11(rows, path):
    tics = ', '.join(f'"{block}" {block}' for block in BLOCKS)
    draw_curves(path, f'Fig. 11: roger over the size of its blocks, on {rows.device}',
                ('elements of a block', rows.unit.replace('milli', 'nano') + ' for each element'),
                f'set logscale x 2\nset xtics ({tics})\nset xrange [7:1200]\nset yrange [0:*]',
                [(f'{size_name(n)} elements', colour, 1,
                  [(block, (rows.block(block, n) or 0) * 1e6 / n or None) for block in BLOCKS])
                 for n, colour in zip(rows.sizes, COLOURS)])


def figure_12(rows, path):
    ways = (('while, segments', ''), ('while, elements', ' elements'), ('for, segments', ' for'),
            ('for, elements', ' for elements'))
    series = []
    for (label, tail), colour in zip(ways, COLOURS):
        times = [(rows.time('roger' + tail, n), rows.time('roger', n)) for n in rows.sizes]
        series.append((label, colour, [a / b if a and b else None for a, b in times]))
    draw_bars(path, f'Fig. 12: both searches with both concatenations, on {rows.device}',
              ('elements', 'time, as a multiple of that of while with segments'),
              'clustered gap 1', [size_name(n) for n in rows.sizes], series)


def figure_13(rows, path):
    draw_curves(path, f'Fig. 13: every method, {KEPT} % kept, on {rows.device}',
                ('elements', rows.unit), by_size(rows),
                [(f'{method} ({tier})', colour, dash, [(n, rows.time(method, n))
                                                       for n in rows.sizes])
                 for method, tier, colour, dash in METHODS])


FIGURES = {8: figure_8, 9: figure_9, 10: figure_10, 11: figure_11, 12: figure_12, 13: figure_13}


# ---- The tables ----

def number(value):
    """Three digits, without powers of ten; None is a dash."""
    return '-' if value is None else f'{value:.0f}' if value >= 100 else f'{value:.3g}'


def table(title, heads, lines):
    """A table in Markdown."""
    print(f'\n{title}\n\n| {" | ".join(heads)} |\n|{"---|" * len(heads)}')
    for line in lines:
        print('| ' + ' | '.join(value if isinstance(value, str) else number(value)
                                for value in line) + ' |')


def over_roger(rows, arm, n):
    time, roger = rows.time(arm, n), rows.time('roger', n)
    return time / roger if time and roger else None


def print_tables(rows):
    lines = []
    for name in [method for method, *_ in METHODS if method != 'roger']:
        paper = PAPER.get(name, (None,) * len(PAPER_SIZES))
        lines.append([name] + [value for n, theirs in zip(PAPER_SIZES, paper)
                               for value in (theirs, over_roger(rows, name, n))])
    lines.insert(3, ['CUDA, sum only'] + [value for theirs in PAPER['CUDA, sum only']
                                          for value in (theirs, None)])
    table("Table I: time of each method over roger's, in the paper and here",
          [''] + [head for n in PAPER_SIZES for head in (f'{size_name(n)} 2007', 'here')], lines)
    table('Times, ms', [''] + [size_name(n) for n in rows.sizes],
          [[name] + [rows.time(name, n) for n in rows.sizes] for name, *_ in METHODS])
    table(f'Steps of roger at {size_name(rows.sweep)}, ms', ['block'] + [str(b) for b in BLOCKS],
          [[step] + [rows.step(step, block) for block in BLOCKS] for step in STEPS])
    table('Blocks of roger, ns for each element', ['block'] + [str(b) for b in BLOCKS],
          [[size_name(n)] + [(rows.block(block, n) or 0) * 1e6 / n or None for block in BLOCKS]
           for n in rows.sizes])
    table(f'Scans inside blocks at {size_name(rows.sweep)}, ms',
          ['block'] + [str(block) for block in BLOCKS],
          [[scan] + [rows.block(block, rows.sweep, tail) for block in BLOCKS]
           for scan, tail in (('hillis-steele', ''), ('blelloch', ' blelloch'),
                              ('hybrid', ' hybrid'))] +
          [['roger-sequential'] + [rows.time('roger-sequential' + (f' b{block}' if block != USUAL
                                                                   else ''), rows.sweep)
                                   for block in BLOCKS]])
    shares = range(10, 100, 10)
    table(f'Shares at {size_name(rows.sweep)}, time over that at 60 %',
          ['kept, %'] + [str(kept) for kept in shares],
          [[name] + [(rows.time(name, rows.sweep, kept) or 0) /
                     (rows.time(name, rows.sweep) or 1) or None for kept in shares]
           for name, *_ in METHODS if name != 'horn'])
    table('Variants, time over that of roger', [''] + [size_name(n) for n in rows.sizes],
          [[name] + [over_roger(rows, name, n) for n in rows.sizes]
           for name in ('roger for', 'roger elements', 'roger for elements', 'horn while',
                        'blelloch-gather while', 'roger-sequential elements')])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(':', maxsplit=1)[0])
    parser.add_argument('rows', nargs='+')
    parser.add_argument('--times', choices=('least', 'median', 'cpu'), default='least')
    parser.add_argument('--folder', default=os.path.join(HERE, 'results'))
    options = parser.parse_args()
    rows = Rows([row for row in read_rows(options.rows) if 'compact ' in row['arm']],
                options.times)
    if not rows.rows:
        print('streams.py: the rows are not of bench --streams', file=sys.stderr)
        return 1
    os.makedirs(options.folder, exist_ok=True)
    for figure, draw_figure in FIGURES.items():
        draw_figure(rows, os.path.join(options.folder, f'streams-{figure}.png'))
    print_tables(rows)
    return 0


sys.exit(main())
