#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lines.py ROWS.json...: checks rows of bench, compare.py and the peers, and the output of
`match --json`, against lines that speed must hold.

A line is a bound for a ratio of times, a difference in us or a rate, of rows of one size. Lines
whose rows are missing are left out, and so are rows of a GPU whose clock was low. The rows should have been measured together. The exit status is
1 if a line does not hold.
"""
import sys

from rows import ns_of, read_rows

MIN_MAX, SUMS = ('min,max f32', 'min,max i32'), ('sum f32', 'sum i32')
FOUR = 'min,max,sum,argmin f32'
LEAST = ('speed', 'rate')  # with lower bounds; the others have upper bounds
CHOICES = ('single', 'subgroup', 'tree', 'recursive')
TWO_PASS, LOOK_BACK, STEPS = 'reduce-then-scan', 'single-pass', ('hillis-steele', 'blelloch')
SCANS = {  # the algorithms that auto chooses from, and the level in the name
    'scan sum u32': ((TWO_PASS, LOOK_BACK, *STEPS), ''),
    'scan sum f32': ((TWO_PASS, *STEPS), ''),
    'scan sum f32 none': ((TWO_PASS, LOOK_BACK), ' none'),
    'scan min f32': ((TWO_PASS, LOOK_BACK), ''),
}
# W -> minimum speed of multi, relative to naive
WINDOWS = {8: {'': {}, ' made': {'u32': 1.35, 'f32': 1.35, 'f64': 1.35}},
           32: {'': {'u32': 1.5, 'f32': 1.5, 'f64': 1.9},
                ' made': {'u32': 2.2, 'f32': 2.2, 'f64': 2.2}}}
LOW_CLOCK = 1.5  # as in busy.c
LENGTHS = [1 << power for power in range(1, 25)]  # of rows
NUMPY_MASK = {10: 3, 50: 6, 60: 6, 90: 3}  # share that is kept -> times as fast


def auto_lines():
    """Scans and compactions by `auto`, compared with the algorithms that it chooses from."""
    found = []
    for power in (10, 14, 18, 20, 25):
        for what, (choices, level) in SCANS.items():
            what = what.removesuffix(level)
            found.append((power, f'{what} auto{level}', [f'{what} {c}{level}' for c in choices],
                          'speed', 0.92))
        for what in ('compact 50 f32', 'compact 50 u32'):
            found.append((power, f'{what} auto', [f'{what} scan-scatter', f'{what} {LOOK_BACK}'],
                          'speed', 0.92))
    return found


def cpu_lines():
    """Scans and compactions on a CPU."""
    found = []
    for kind, times in (('u32', 2.8), ('f32', 3.4)):
        scan = f'scan sum {kind}'
        found += [(25, f'{scan} auto', ['copy *'], 'speed', 0.72),
                  (20, f'{scan} auto', ['copy *'], 'speed', 0.65),
                  (25, f'{scan} auto', [f'numpy {scan}'], 'speed', times)]
        for share, times_mask in NUMPY_MASK.items():
            compact = f'compact {share} {kind}'
            found += [(25, f'{compact} auto', ['copy *'], 'speed', 0.6),
                      (20, f'{compact} auto', ['copy *'], 'speed', 0.55),
                      (25, f'{compact} auto', [f'numpy {compact}'], 'speed', times_mask)]
    return found


def gpu_lines():
    """The same on a GPU. Like level none, CUB's f32 scan promises no order."""
    found = [(28, 'scan sum f32 auto', ['copy *'], 'speed', 0.66)]
    for kind, level in (('u32', ''), ('f32', ' none')):
        found += [(28, f'scan sum {kind} auto{level}', ['copy *'], 'speed', 0.95),
                  (28, f'scan sum {kind} {TWO_PASS}{level}', ['copy *'], 'speed', 0.66)]
        for power in (16, 28):
            found += [(power, f'{what} {kind} auto{tail}', [f'cub {what} {kind}'], 'speed', 1.0)
                      for what, tail in (('scan sum', level), ('compact 60', ''))]
    return found


def window_lines(is_cpu):
    """The paper's benchmark of multi-reduction, with 8 workgroups per multiprocessor."""
    width = 8 if is_cpu else 32
    return [(None, f'windows {kind} W{width} multi{made} g8',
             [f'windows {kind} W{width} naive{made} g8'], 'speed', bound)
            for made, kinds in WINDOWS[width].items() for kind, bound in kinds.items()]


def image_lines(is_cpu):
    """Reductions, tiles and pyramids of images."""
    found = []
    for size in ('4096x4096', '1920x1080'):
        found += [(None, f'pyramid mean rgba8 {size} auto', [f'blit rgba8 {size}'], 'speed', 1.0),
                  (None, f'pyramid min,max d32 {size} auto', [f'pyramid min d32 {size} auto'],
                   'time', 1.3)]
    for picture in ('rgba8 4096x4096', 'd32 4096x4096'):
        for ops in ('min,max', 'sum'):
            bare = [f'fetch {picture}', f'fetch chunk {picture}']
            found += [(None, f'reduce {ops} {picture}', bare, 'speed', 0.85),
                      (None, f'tiles {ops} {picture}', bare, 'speed', 0.6)]
    return found if is_cpu else []


def histogram_lines(is_cpu):
    """Histograms, compared with numpy, OpenCV and a plain kernel."""
    of = 'histogram'
    found = [(25, f'{of} even 256 f32 auto', [f'{of} even 256 f32 plain'], 'speed', 2.4),
             (25, f'{of} even 256 f32 auto', [f'numpy {of} even 256 f32'], 'speed', 3.0),
             (25, f'{of} even 65536 f32 auto', [f'numpy {of} even 65536 f32'], 'speed', 1.5),
             (25, f'{of} bytes 256 u8 auto',
              [f'bincount {of} bytes 256 u8', f'opencv {of} bytes 256 u8'], 'speed', 1.0),
             (25, f'{of} constant 256 f32 auto', [f'{of} even 256 f32 auto'], 'time', 1.0)]
    return found if is_cpu else []


def ordered_lines(is_cpu):
    """Sorts and selections, and work by key beside the same work on all elements."""
    found = []
    for runs in ('1', '4', '1000', 'all'):
        lengths = [f'run-lengths {runs} u32 auto']
        found += [(24, f'scan-by-key sum {runs} {kind} auto', [f'scan sum {kind} auto'], 'time',
                   1.3) for kind in ('u32', 'f32')]
        found += [(24, f'reduce-by-key {what} auto', lengths, 'time', 1.3) for what in
                  (f'sum {runs} f32', f'sum {runs} u32', f'min,max,sum {runs} f32')]
    if is_cpu:
        found += [(24, f'argsort {kind} auto', [f'numpy argsort {kind}'], 'speed', 3.0)
                  for kind in ('u32', 'f32')]
        found += [(24, 'sort u32 auto', ['std sort u32'], 'speed', 3.0),
                  (24, 'sort u64 auto', ['numpy sort u64'], 'speed', 1.0),
                  (24, 'sort u16 auto', ['stable sort u16'], 'time', 2.0),
                  (24, 'topk 100 f32 auto', ['sort f32 auto'], 'time', 0.35)]
    return found


def stream_lines(is_cpu):
    """Stream reduction, compared with the methods of the paper."""
    of = 'compact 60 f32'
    theirs = ('horn', 'blelloch-gather', 'roger', 'roger-sequential', 'geometry-shader')
    found = [(22, f'{of} roger', [f'{of} horn'], 'speed', 2.0),
             (22, f'{of} auto', [f'{of} {name}' for name in theirs], 'speed', 1.5)]
    return found if is_cpu else []


def segment_lines(is_cpu):
    """Sums of rows, and the matcher."""
    flat = ['sum f32 auto']
    if is_cpu:
        return [(24, f'rows {length} f32 auto', flat, 'speed', 0.6 if length in (8, 4096) else 0.35)
                for length in LENGTHS]
    found = [(None, 'match multi-reduction', [], 'rate', 64)]
    for power in (24, 28):
        for length in LENGTHS:
            rows = f'rows {length} f32'
            found += [(power, f'{rows} auto', [f'cub {rows}'], 'speed', 1.0)]
            found += [(power, f'{rows} auto', flat, 'speed', 0.8)] * (length >= 16)
    return found


def lines(is_cpu):
    """Tuples (power, mine, theirs, how, bound). The size is 2^power, or any if power is None. The
    best of `theirs` is compared with `mine` by the ratio of their times, 'speed' (theirs to mine,
    at least bound) or 'time' (mine to theirs, at most bound); by 'us' (mine less theirs, at most
    bound); or `mine` alone has a 'rate' (at least bound, in G per second)."""
    found = auto_lines() + (cpu_lines() if is_cpu else gpu_lines()) + window_lines(is_cpu)
    found += segment_lines(is_cpu) + image_lines(is_cpu)
    found += histogram_lines(is_cpu) + stream_lines(is_cpu) + ordered_lines(is_cpu)
    for power in (10, 14, 16, 18, 20, 22, 25):
        for what in ('min,max f32', 'sum f32', 'sum u32'):
            found.append((power, f'{what} auto', [f'{what} {choice}' for choice in CHOICES],
                          'speed', 0.92))
    for what in MIN_MAX[:1] + ('sum f32',):
        found.append((10, f'{what} auto', ['copy *'], 'time', 1.3))
    if is_cpu:
        found += [(25, 'min,max f32 auto', ['read f32 *'], 'speed', 0.85),
                  (25, 'min,max f32 auto ssbo', ['read f32 vec4*', 'read f32 u64*'], 'speed', 0.8),
                  (25, 'min,max f32 auto', ['numpy min,max f32'], 'speed', 1.6)]
    else:
        for what in MIN_MAX + SUMS:
            read = 'read ' + what.split()[1] if what in MIN_MAX else 'read'
            found += [(28, f'{what} auto', [f'{read} *'], 'speed', 0.95)]
            found += [(power, f'{what} auto', [f'cub {what}'], 'speed', 1.0)
                      for power in (16, 20, 28)]
        found += [(28, f'{FOUR} auto', ['min f32 auto'], 'time', 1.1)]
        for what in ('min,max f32', 'sum u32'):
            found += [(power, f'{what} auto gpu-count', [f'{what} auto'], 'us', 2.0)
                      for power in (10, 16, 20)]
    return found


def matches(row, pattern):
    name = row['arm']
    if not pattern.endswith('*'):
        return name == pattern
    return name.startswith(pattern[:-1]) and (pattern != 'read *' or row['op'] == 'xor')


def least(rows, size, patterns, time):
    """The minimum time of the rows that match."""
    times = [row[time] for row in rows if size in (None, row['n']) and row[time] and
             any(matches(row, pattern) for pattern in patterns)]
    return min(times, default=None)


def value_of(rows, power, mine, theirs, how):
    """Compares device times if both have them, otherwise whole calls."""
    size = None if power is None else 1 << power
    if how == 'rate':
        return max((row['n'] / ns_of(row) for row in rows if row['arm'] == mine), default=None)
    for time in ('device_ns', 'submit_ns'):
        a, b = least(rows, size, [mine], time), least(rows, size, theirs, time)
        if a and b:
            return {'speed': b / a, 'time': a / b, 'us': (a - b) / 1e3}[how]
    return None


def of_low_clocks(rows):
    """Numbers of the rows that were measured while the clock of a GPU was low: the benchmark refused
    them, or `empty` took LOW_CLOCK times as long as its least time in any of the files."""
    leasts = {}
    for row in rows:
        if row.get('empty_ns'):
            least_ns = leasts.get(row['device'], row['empty_ns'])
            leasts[row['device']] = min(least_ns, row['empty_ns'])
    return {i for i, row in enumerate(rows) if row.get('skipped') == 'clock low' or
            (row.get('empty_ns') or 0) > LOW_CLOCK * leasts.get(row['device'], 0)}


def main():
    rows, held = read_rows(sys.argv[1:]), True
    devices = ' '.join({row['device'].lower() for row in rows})
    is_cpu = 'llvmpipe' in devices or 'swiftshader' in devices
    low = set() if is_cpu else of_low_clocks(rows)
    rows = [row for i, row in enumerate(rows) if i not in low]
    for power, mine, theirs, how, bound in lines(is_cpu):
        value = value_of(rows, power, mine, theirs, how)
        if value is None:
            continue
        good = value >= bound if how in LEAST else value <= bound
        held &= good
        size = '' if power is None else f'2^{power}'
        print(f'{"holds" if good else "FAILS"}  {size:5}{mine:36}{how:>6}{value:8.2f} '
              f'{">=" if how in LEAST else "<="} {bound:<5} '
              f'of {theirs[0] if theirs else "a second, G"}{", .." if len(theirs) > 1 else ""}')
    if low:
        print(f'left out: {len(low)} rows, measured while the clock of the GPU was low')
    return 0 if held else 1


sys.exit(main())
