#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark from the outside: its rows, its verdicts and its refusals, as TAP. Times are not
looked at.

quick.py LINES BENCH MISLED: LINES is lines.py. MISLED is the same program with a reference that is
off by one unit in the last place, and one wrong bit in what moves data, so that a wrong result is
known to be noticed.
"""
import json
import os
import subprocess
import sys
import tempfile

LINES, BENCH, MISLED = map(os.path.abspath, sys.argv[1:4])
KEYS = ['arm', 'op', 'type', 'n', 'device_ns', 'submit_ns', 'least_ns', 'cpu_ns', 'bytes',
        'gbps', 'ratio', 'ratio_storage', 'ratio_copy', 'ratio_flat', 'device', 'driver', 'runs',
        'skipped', 'verified']
ALGORITHMS = ['auto', 'single', 'subgroup', 'tree', 'recursive']
REDUCTIONS = ([f'{op} {algorithm}' for op in ('min,max f32', 'sum f32', 'sum u32')
               for algorithm in ALGORITHMS] +
              ['sum f32 auto device', 'sum i32 auto', 'min,max i32 auto', 'min f32 auto',
               'argmin f32 auto', 'min,max,sum,argmin f32 auto',
               'min,max,sum,argmin f32 auto separate', 'min,max f32 auto gpu-count',
               'sum u32 auto gpu-count'])
REDUCTIONS.insert(5, 'min,max f32 auto ssbo')
LOOK_BACK, TWO_PASS = 'single-pass', 'reduce-then-scan'
SCANS = ([f'scan sum u32 {algorithm}' for algorithm in
          ('auto', TWO_PASS, LOOK_BACK, 'hillis-steele', 'blelloch')] +
         ['scan sum u32 auto ssbo'] +
         [f'scan sum f32 {algorithm}' for algorithm in
          ('auto', TWO_PASS, 'hillis-steele', 'blelloch')] +
         [f'scan sum f32 {algorithm} none' for algorithm in ('auto', TWO_PASS, LOOK_BACK)] +
         ['scan sum f32 auto device'] +
         [f'scan min f32 {algorithm}' for algorithm in ('auto', TWO_PASS, LOOK_BACK)])
EVERY = ('auto', 'scan-scatter', LOOK_BACK)
COMPACTIONS = ([f'compact {share} {kind} {algorithm}' for kind in ('f32', 'u32')
                for share in (10, 30, 50, 60, 90) for algorithm in EVERY] +
               ['compact 60 f32 auto ssbo'] +
               [f'{what} {algorithm}' for what in ('compact,indices 60 f32', 'partition 60 f32')
                for algorithm in EVERY] +
               ['flags 60 f32 auto', 'payload 60 f32 auto'] +
               [f'unique 25 u32 {algorithm}' for algorithm in EVERY] +
               ['run-lengths 25 u32 auto'])
MOVES = SCANS + COMPACTIONS
# Bytes that a compaction moves: of an element, of a kept one, of a rejected one.
TRAFFIC = {'compact': (4, 4, 0), 'compact,indices': (4, 8, 0), 'partition': (4, 4, 4),
           'flags': (5, 4, 0), 'payload': (4, 32, 0), 'unique': (4, 4, 0),
           'run-lengths': (4, 8, 0)}
BARE = ('read', 'copy')
# The default tier runs few arms of each table: each is compiled first, and device tests verify it.
FULL = os.environ.get('VKR_TEST_FULL', '') not in ('', '0')
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good:
        print('# ' + str(detail).replace('\n', '\n# '))


def bench(*arguments, program=BENCH, environment=None):
    """Exit status, rows, what was said on stdout and stderr."""
    # Nothing is left out for lack of time, even on a busy machine.
    done = subprocess.run([program, *arguments, '--budget', '86400', '--json', 'rows.json'],
                          text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          env=os.environ | (environment or {}))
    rows = []
    if done.returncode in (0, 3):
        with open('rows.json', encoding='utf-8') as file:
            rows = [json.loads(line) for line in file]
    return done.returncode, rows, done.stdout, done.stderr


def few(*names):
    """The filters of the default tier."""
    return [] if FULL else list(names)


def chosen(every, names):
    return [arm for arm in every if not names or any(name in arm for name in names)]


def arms(rows, *prefixes):
    return [row['arm'] for row in rows if row['arm'].startswith(prefixes)]


def bytes_right(row):
    """Exact, except for the share that is kept, which is known to one per cent of the elements."""
    n, op = row['n'], row['op'].split()
    if op and op[0] in TRAFFIC:
        share = int(op[1]) / 100
        every, kept, rejected = TRAFFIC[op[0]]
        expected = n * (every + kept * share + rejected * (1 - share))
        return abs(row['bytes'] - expected) <= n * (kept + rejected) * 0.05
    return row['bytes'] == (8 if row['arm'].startswith(('copy', 'scan')) else 4) * n


def yardstick(rows, row, time):
    kind = {'min,max f32': 'read f32 ', 'min f32': 'read f32 ', 'min,max i32': 'read i32 '}.get(
        row['op'] + ' ' + row['type'])
    best = min(time[other['arm']] for other in rows
               if (other['arm'].startswith(kind) if kind else
                   other['op'] == 'xor' and other['arm'].startswith('read ')))
    return abs(best / time[row['arm']] - row['ratio']) < 1e-3 * row['ratio']


def test_quick():
    names = few('min,max f32 auto', 'min,max i32 auto', 'sum u32 auto', 'scan min f32 auto',
                'compact 60 f32 auto', 'partition 60 f32 auto', 'unique 25 u32 auto')
    code, rows, out, err = bench('--quick', *names)
    reductions, scans, compactions = (chosen(every, names)
                                      for every in (REDUCTIONS, SCANS, COMPACTIONS))
    ok(code == 0 and err == '', 'quick: status 0 and nothing on stderr', err)
    ok(all(list(row) == KEYS for row in rows), 'the keys in their order', rows[:1])
    for n in (1024, 100000):
        mine = [row for row in rows if row['n'] == n]
        bare = [row for row in mine if row['arm'].startswith(BARE)]
        ok(arms(mine, 'min', 'sum', 'argmin') == reductions, f'{n}: every reduction', arms(mine))
        ok(arms(mine, 'scan') == scans, f'{n}: every scan', arms(mine))
        ok(arms(mine, *TRAFFIC) == compactions, f'{n}: every compaction', arms(mine))
        ok(len(mine) == 1 + len(bare) + len(reductions + scans + compactions), f'{n}: every row',
           arms(mine))
        for kind in ('read', 'read f32', 'read i32', 'copy'):
            forms = {name.removeprefix(kind).split()[0] for name in arms(mine, kind + ' ')}
            ok(forms >= {'vec4', 'u64x4', 'texel'}, f'{n}: {kind}: the ways to load', forms)
        bad = [row for row in mine if row['skipped'] is not None or
               row['verified'] is not (None if row['arm'] == 'empty' else True)]
        ok(mine and not bad, f'{n}: all verified', bad)
        bad = [row for row in mine if row['arm'] != 'empty' and not
               (row['submit_ns'] >= row['least_ns'] > 0 and row['gbps'] > 0 and row['ratio'] > 0 and
                row['ratio_storage'] > 0 and row['ratio_copy'] > 0 and bytes_right(row))]
        ok(mine and not bad, f'{n}: numbers where numbers belong', bad)
        for kind, key, texels in [('read ', 'ratio', True), ('read f32 ', 'ratio', True),
                                  ('read i32 ', 'ratio', True), ('copy ', 'ratio_copy', True),
                                  ('read ', 'ratio_storage', False),
                                  ('read f32 ', 'ratio_storage', False)]:
            rows_of_kind = [row for row in bare if row['arm'].startswith(kind) and
                            (kind != 'read ' or row['op'] == 'xor') and
                            (texels or 'texel' not in row['arm'])]
            ok(max(row[key] for row in rows_of_kind) == 1, f'{n}: {kind}{key}: the best is 1',
               rows_of_kind)
        time = {row['arm']: row['device_ns'] or row['submit_ns'] for row in mine}
        ok(all(yardstick(mine, row, time) for row in mine if row['arm'] in REDUCTIONS + MOVES),
           f'{n}: each is compared with its like')
        ok(all(out.count(f'\n{row["arm"]:<36} ') == 3 for row in mine if row['arm'] != 'empty'),
           f'{n}: the tables have every arm', out)


def test_choices():
    code, rows, out, err = bench('u32 tree', 'max f32 auto gpu', '--sizes=1024,2^12',
                                 '--workgroups', '16,64', '--runs=1')
    expected = [f'{name} w{w}' for name in ('sum u32 tree', 'min,max f32 auto gpu-count')
                for w in (16, 64)] * 2
    ok(code == 0 and arms(rows, 'min', 'sum') == expected, 'filters, sizes and workgroups',
       (code, arms(rows, ''), err))
    ok({row['n'] for row in rows} == {1024, 4096} and {row['runs'] for row in rows} == {1},
       'the sizes and runs that were asked for')


def test_all_reads():
    code, rows, out, err = bench('min f32 auto', '--all-reads', '--sizes=1024,2^16', '--runs=1')
    ok(code == 0 and {'read vec4 w256 f4', 'read vec4 w256 f4 g2048', 'copy vec4 w256 f1'} <=
       set(arms(rows, *BARE)), 'the bare kernels for other devices', (code, arms(rows, '')))
    ok(all(row['verified'] is True for row in rows if row['arm'] != 'empty'),
       'which are verified too', rows)


def test_windows():
    """More than 128 MiB: several windows on most drivers, which one dispatch cannot serve. (A
    filter does not end where a name does: it finds scans as well.)"""
    code, rows, out, err = bench('sum u32 single', 'sum u32 subgroup', 'scan sum u32 a',
                                 'compact 50 u32 a', 'compact 60 f32 s', '--sizes=33554440',
                                 '--runs=1')
    single = [row for row in rows if row['arm'] == 'sum u32 single']
    passes = [row for row in rows if row['arm'].endswith(LOOK_BACK)]
    others = [row for row in rows if row not in single + passes and row['arm'] != 'empty' and
              row['skipped'] != 'too large']
    ok(any(row['arm'].startswith('copy') for row in others), 'copies reach further than a window',
       rows)
    ok(code == 0 and others and all(row['verified'] is True for row in others),
       'more than a window is verified', (code, others, err))
    ok(len(single) == 1 and (single[0]['verified'] is True or
                             (single[0]['skipped'] == 'unsupported' and
                              'algorithm is single' in err)),
       'what cannot be measured is named', (single, err))
    moved = [row['arm'] for row in others if row['arm'] in MOVES]
    ok(moved == ['scan sum u32 auto', 'scan sum u32 auto ssbo', 'compact 60 f32 scan-scatter',
                 'compact 50 u32 auto'] and len(passes) == 2 and
       all(row['verified'] is True or row['skipped'] == 'unsupported' for row in passes),
       'more than a window is scanned and compacted', (moved, passes, err))


FORMS = ('naive', 'multi', 'doubled', 'swap', 'shared', 'subgroupAdd')


def test_forms():
    """Multi-reduction: the sums of all windows of as many elements as a subgroup has lanes."""
    names = few('u32 W', 'f64 W')
    code, rows, out, err = bench('--windows', '--quick', *names)
    width = rows[0]['arm'].split()[2] if rows else ''
    expected = chosen([f'windows {kind} {width} {form}{made} g{load}'
                       for kind in ('u32', 'f32', 'f64') for made in ('', ' made')
                       for form in FORMS for load in (1, 2)], names)
    ok(code == 0 and err == '' and arms(rows, '') == expected, 'windows: every form',
       (code, arms(rows, ''), err))
    ok(all(list(row) == KEYS and row['verified'] is True and row['runs'] == 3 and
           row['submit_ns'] > 0 for row in rows), 'windows: all verified', rows)
    time = {row['arm']: row['device_ns'] or row['submit_ns'] for row in rows}
    wrong = [row for row in rows if abs(
        time[' '.join([*row['arm'].split()[:3], 'naive', *row['arm'].split()[4:]])] /
        (time[row['arm']] * row['ratio']) - 1) > 1e-3]
    ok(not wrong, 'windows: each is compared with the naive form', wrong)
    loads = [row['n'] / rows[0]['n'] for row in rows if 'made' not in row['arm']]
    ok(set(loads) == {1, 2} and rows[0]['n'] % 16384 == 0, 'windows: 16,384 of a workgroup', loads)
    ok(all(out.count(f'\n{title:<36} ') == 1 for title in
           {row['arm'].rsplit(' ', 1)[0] for row in rows} | set(time)), 'windows: the tables', out)
    code, rows, out, err = bench('--windows', 'u32 W', '--quick', '--runs=1', program=MISLED)
    ok(code == 3 and len(rows) == 4 * len(FORMS) and
       all(row['verified'] is False for row in rows) and 'it ran in subgroups of 1,' in err and
       err.count('; the scalar reference gives ') == 3 * len(FORMS),
       'windows: wrong sums are noticed', (code, rows, err))


LENGTHS = [1 << power for power in range(1, 25)]
FORCED = [f'rows {length} f32 {algorithm}' for algorithms, lengths in
          ((('lanes', 'merge'), (8, 256, 4096)), (('groups', 'split'), (8, 256, 4096, 65536)))
          for length in lengths for algorithm in algorithms]
FLATS = ['sum f32 auto', 'sum f32 auto ssbo', 'sum u32 auto']
SEGMENTS = ([f'rows {length} f32 auto' for length in LENGTHS] + ['rows 8 f32 auto ssbo'] + FORCED +
            [f'columns {length} f32 auto' for length in (4, 1024, 65536)] +
            [f'windows {length} f32 auto' for length in (8, 1024)] + ['offsets u32 auto'])


def fits(row):
    kind, *length = row['op'].split()
    n, length = row['n'], int(length[0]) if length else 1
    return n >= length and (kind == 'windows' or n % length == 0)


def segments_bytes_right(row):
    kind, *length = row['op'].split()
    n, length = row['n'], int(length[0]) if length else 1
    left = {'rows': n // length, 'columns': length, 'windows': n - length + 1}.get(kind)
    return row['bytes'] == 4 * (n + left) if left else 4 < row['bytes'] / n < 6


def test_segments():
    names = few('rows 8 ', 'rows 4096 ', 'columns 4 ', 'windows 8 ', 'offsets')
    segments = chosen(SEGMENTS, names)
    code, rows, out, err = bench('--segments', '--quick', *names)
    ok(code == 0 and err == '' and [name for name in arms(rows, '') if not
       name.startswith(BARE + ('empty',))] == (FLATS + segments) * 2, 'segments: every row',
       (code, arms(rows, ''), err))
    mine = [row for row in rows if row['arm'] in SEGMENTS]
    bad = [row for row in mine if list(row) != KEYS or
           (row['verified'], row['skipped']) != ((True, None) if fits(row) else (None, 'misfit'))]
    ok(mine and not bad, 'segments: all that fit are verified', bad)
    done = [row for row in mine if row['verified']]
    wrong = [row for row in done if not segments_bytes_right(row)]
    ok(done and not wrong, 'segments: the bytes', wrong)
    time = {(row['n'], row['arm']): row['device_ns'] or row['submit_ns'] for row in rows}
    wrong = [row for row in done if abs(
        time[row['n'], f'sum {row["type"]} auto' + ' ssbo' * row['arm'].endswith('ssbo')] /
        (time[row['n'], row['arm']] * row['ratio_flat']) - 1) > 1e-3]
    ok(not wrong, 'segments: each is compared with the sum of all elements', wrong)
    ok(all(out.count(f'\n{name:<36} ') == 3 for name in segments), 'segments: the tables', out)
    code, rows, out, err = bench('--segments', 'rows 8 f32 l', '--sizes=1024', '--runs=1')
    ok(code == 0 and arms(rows, 'sum', 'rows', 'offsets') == FLATS + ['rows 8 f32 lanes'],
       'segments: filters leave the sums of all', (code, arms(rows, '')))
    names = few('rows 8 ', 'columns 4 ', 'windows 8 ', 'offsets')
    code, rows, out, err = bench('--segments', *names, '--sizes=2^16', '--runs=1', program=MISLED)
    looked_at = [row for row in rows if row['arm'] in SEGMENTS and fits(row)]
    ok(code == 3 and len(looked_at) == (37 if FULL else 9) and
       not any(row['verified'] for row in looked_at) and
       err.count('; the scalar reference gives ') >= len(looked_at),
       'segments: wrong sums are noticed', (code, looked_at, err))


RECORDINGS = [f'recording {shape} {count}' for shape, counts in
              (('independent', (10, 1000)), ('chained', (10, 1000)), ('compact windows', (10,)))
              for count in counts]


def test_recordings():
    """The host's time: rows of their own, since nothing in them is measured in bytes per second."""
    code, rows, out, err = bench('--recordings', '--quick')
    ok(code == 0 and err == '' and arms(rows, '') == RECORDINGS, 'recordings: every row',
       (code, arms(rows, ''), err))
    keys = ['arm', 'n', 'collect_ns', 'uses_ns', 'end_ns', 'submit_ns', 'device', 'driver', 'runs',
            'verified']
    bad = [row for row in rows if list(row) != keys or row['verified'] is not True or
           row['runs'] != 3 or row['arm'] != f'{row["arm"].rsplit(" ", 1)[0]} {row["n"]}' or
           min(row[key] for key in keys[2:6]) <= 0]
    ok(rows and not bad, 'recordings: all verified', bad)
    ok(all(out.count(f'\n{name:<36} ') == 1 for name in RECORDINGS), 'recordings: the table', out)
    code, rows, out, err = bench('--recordings', 'chained 10', '--quick', '--runs=1')
    ok(code == 0 and arms(rows, '') == ['recording chained 10', 'recording chained 1000'],
       'recordings: filters', (code, arms(rows, '')))
    code, rows, out, err = bench('--recordings', '--quick', '--runs=1', program=MISLED)
    ok(code == 3 and len(rows) == len(RECORDINGS) and
       not any(row['verified'] for row in rows) and
       err.count('; the scalar reference gives ') == len(RECORDINGS),
       'recordings: wrong results are noticed', (code, rows, err))


BARE_IMAGES = ('fetch', 'blit')
BOTH_OPS, PICTURES = ('min,max', 'sum'), [f'{name} {size}' for size in ('256x256', '120x67')
                                         for name in ('rgba8', 'd32')]
WAYS = ('auto', 'pingpong', 'recursive-2d', 'single')


def images_of(picture):
    ops = ['mean'] if picture.startswith('rgba8') else ['mean', 'min', 'max', 'min,max']
    return ([f'fetch {picture}', f'fetch chunk {picture}'] +
            [f'blit {picture}'] * picture.startswith('rgba8') +
            [f'{what} {op} {picture}' for what in ('reduce', 'tiles') for op in BOTH_OPS] +
            [f'pyramid {op} {picture} {way}' for op in ops for way in WAYS])


def test_images():
    # What takes seconds to compile is looked at once.
    names = few('reduce', 'tiles', 'mean rgba8 120x67 auto', 'min d32 120x67 auto',
                'mean d32 120x67')
    code, rows, out, err = bench('--images', '--quick', *names)
    expected = [name for picture in PICTURES for name in images_of(picture)
                if name.startswith(BARE_IMAGES) or chosen([name], names)]
    ok(code == 0 and err == '' and arms(rows, '') == expected, 'images: every row',
       (code, arms(rows, ''), err))
    bad = [row for row in rows if list(row) != KEYS or row['runs'] != 3 or row['ratio'] <= 0 or
           row['verified'] is not (None if row['arm'].startswith('blit') else True)]
    ok(rows and not bad, 'images: all verified', bad)
    time = {row['arm']: row['device_ns'] or row['submit_ns'] for row in rows}
    for name in ('reduce sum d32 256x256', 'pyramid min d32 120x67 auto'):
        size = name.split()[3]
        best = min(time[bare] for bare in ([f'fetch d32 {size}', f'fetch chunk d32 {size}'] if
                                           'reduce' in name else [f'blit rgba8 {size}']))
        ratio = next(row['ratio'] for row in rows if row['arm'] == name)
        ok(abs(best / (time[name] * ratio) - 1) < 1e-3, f'images: what {name} is compared with',
           (best, time[name], ratio))
    ok(all(out.count(f'\n{name:<44} ') == 1 for name in expected), 'images: the table', out)
    code, rows, out, err = bench('--images', '--quick', '--runs=1', 'reduce', 'tiles',
                                 'mean rgba8 120x67 auto', 'min,max d32 120x67 auto',
                                 program=MISLED)
    looked_at = [row for row in rows if not row['arm'].startswith('blit')]
    ok(code == 3 and len(looked_at) == 8 + 16 + 2 and
       not any(row['verified'] for row in looked_at) and
       err.count('; the scalar reference gives ') == len(looked_at),
       'images: wrong results are noticed', (code, looked_at, err))


def test_histograms():
    counted = [f'histogram {what}' for what in (
        'even 256 f32', 'even 4096 f32', 'even 65536 f32', 'log2 256 f32', 'edges 256 f32',
        'weights 256 f32', 'constant 256 f32', 'constant 65536 f32', 'bytes 256 u8',
        'image 256 u8')]
    ways = ('auto', 'shared', 'global', 'local-atomics')
    plain = ('histogram even 256 f32', 'histogram constant 256 f32')
    # Others are looked at by device tests; each pipeline takes a while to compile.
    names = few('even 256 f32', 'constant 256 f32 auto', 'bytes 256 u8 auto')
    code, rows, out, err = bench('--histograms', '--quick', *names)
    expected = [arm for what in counted for way in ('plain', *ways) for arm in [f'{what} {way}']
                if (what in plain if way == 'plain' else '65536' not in what or way in ways[::2])
                and (way == 'plain' or chosen([arm], names))]
    ok(code == 0 and err == '' and arms(rows, '') == 2 * expected, 'histograms: every row',
       (code, arms(rows, ''), err))
    bad = [row for row in rows if list(row) != KEYS or row['verified'] is not True or
           row['bytes'] != row['n'] * (8 if 'weights' in row['arm'] else
                                       1 if 'bytes' in row['arm'] else 4)]
    ok(rows and not bad, 'histograms: all verified', bad)
    time = {(row['arm'], row['n']): row['device_ns'] or row['submit_ns'] for row in rows}
    for row in rows:
        compared = row['op'] + ' f32 plain'
        if (compared, row['n']) in time and row['arm'].endswith('auto'):
            ratio = time[compared, row['n']] / time[row['arm'], row['n']]
            ok(abs(ratio / row['ratio'] - 1) < 1e-3, f'histograms: the ratio of {row["arm"]}', row)
        elif (compared, row['n']) not in time and row['ratio'] is not None:
            ok(False, f'histograms: {row["arm"]} has nothing to be compared with', row)
    ok(all(out.count(f'\n{name:<44} ') == 2 for name in expected), 'histograms: the table', out)
    names = few('even 256 f32 auto', 'bytes 256 u8 auto') or ['auto']
    code, rows, out, err = bench('--histograms', '--sizes=1024', '--runs=1', *names,
                                 program=MISLED)
    ok(code == 3 and len(rows) == (len(counted) if FULL else 2) + 2 and
       not any(row['verified'] for row in rows) and
       err.count('; the scalar reference gives ') == len(rows),
       'histograms: wrong counts are noticed', (code, rows, err))


STREAM_BLOCKS = [f'b{8 << k}' for k in range(8)]
STREAM_STEPS = ('marks', 'sums', 'search', 'totals', 'concatenation', 'count')


def stream_arms():
    """All names, and those that are only measured at one size: of sweeps."""
    every = [*EVERY, 'horn', 'blelloch-gather', 'roger', 'roger-sequential', 'geometry-shader',
             *(f'roger {way}' for way in ('for', 'elements', 'for elements'))]
    sweep = ['horn while', 'blelloch-gather while', 'roger-sequential elements']
    steps = []
    for block in STREAM_BLOCKS:
        if block != 'b64':
            every.append(f'roger {block}')
            sweep.append(f'roger-sequential {block}')
        sweep += [f'roger {block} {scan}' for scan in ('blelloch', 'hybrid')
                  if (block, scan) != ('b8', 'hybrid')]
        steps += [f'{step} step of compact 60 f32 roger {block}' for step in STREAM_STEPS]
    shares = [f'compact {share} f32 {way}' for share in range(10, 100, 10) if share != 60
              for way in every[:8] if way != 'horn']
    return ([f'compact 60 f32 {way}' for way in every],
            [f'compact 60 f32 {way}' for way in sweep] + steps + shares)


def test_streams():
    # Each kernel of a block's size takes a while to compile.
    names = few(' auto', 'geometry', '60 f32 horn', '60 f32 roger-seq', 'roger for', 'roger b16')
    every, sweep = (chosen(every, names) for every in stream_arms())
    # What validation says comes to the standard output.
    code, rows, out, err = bench('--streams', '--sizes=1024,8200', '--runs=1', *names,
                                 environment={
                                     'VK_INSTANCE_LAYERS': 'VK_LAYER_KHRONOS_validation',
                                     'VK_LAYER_ENABLES': 'VK_VALIDATION_FEATURE_ENABLE_'
                                                         'SYNCHRONIZATION_VALIDATION_EXT'})
    found = [[row['arm'] for row in rows if 'compact ' in row['arm'] and row['n'] == n]
             for n in (1024, 8200)]
    ok(code == 0 and err == '' and found[0] == every and sorted(found[1]) == sorted(every + sweep),
       'streams: every row', (code, found, err))
    ok('Validation' not in out and 'VUID' not in out, 'streams: validation says nothing', out)
    bad = [row for row in rows if list(row) != KEYS or row['skipped'] is not None or
           row['verified'] is not (None if row['arm'] == 'empty' else True)]
    ok(rows and not bad, 'streams: all verified', bad)
    bad = [row for row in rows if 'compact ' in row['arm'] and abs(
        row['bytes'] / row['n'] - 4 - int(row['op'].split()[1]) / 25) > 0.2]
    ok(not bad, 'streams: what is read and kept', bad)
    ok(all(out.count(f'\n{name:<54} ') == 3 for name in every) and
       all(out.count(f'\n{name:<54} ') == 1 for name in sweep), 'streams: the tables', out)
    # A step takes a part of the submit that it is measured in.
    steps = [row for row in rows if ' step of ' in row['arm']]
    ok(len(steps) == 6 * (8 if FULL else 1) and
       all(row['device_ns'] < row['submit_ns'] for row in steps), 'streams: the steps', steps)
    code, rows, out, err = bench('--streams', '--sizes=1024', '--runs=1', 'geometry', 'roger b64',
                                 '60 f32 horn', program=MISLED)
    looked_at = [row for row in rows if 'compact ' in row['arm']]
    ok(code == 3 and len(looked_at) == 9 + 2 + 6 + 2 and
       not any(row['verified'] for row in looked_at), 'streams: wrong results are noticed',
       (code, looked_at, err))


def test_refusals():
    for name, words, arguments, status in [
            ('an unknown filter', "filters|'sum f23'|'sum f32 auto'", ['scan', 'sum f23'], 2),
            ('a filter of bare reads', "filters|'read'", ['--quick', 'read'], 2),
            ('an unknown filter of segments', "filters|'rows 7'|--segments",
             ['--segments', 'rows 7'], 2),
            ('a filter behind --', "filters|'--quick'", ['--', '--quick'], 2),
            ('an unknown option', '--fast|--help', ['--fast'], 2),
            ('a size off the load', '--sizes|1020|multiples of 8', ['--sizes', '1024,1020'], 2),
            ('an empty size', '--sizes', ['--sizes='], 2),
            ('a number of runs', '--runs|many', ['--runs=many'], 2),
            ('a missing value', '--budget|SECONDS', ['--budget'], 2),
            ('too large a budget', "--budget is '86401'|from 1 to 86400", ['--budget=86401'], 2),
            ('a file without a name', "--json is ''|name", ['--json='], 2),
            ('a device', 'GeForce 256', ['--device', 'GeForce 256'], 2),
            ('sizes of windows', '--sizes|--windows', ['--windows', '--sizes=1024'], 2),
            ('segments and windows', '--segments|--windows', ['--segments', '--windows'], 2),
            ('sizes of recordings', '--recordings|--sizes', ['--recordings', '--sizes=1024'], 2),
            ('sizes of images', '--images|--sizes', ['--images', '--sizes=1024'], 2),
            ('an unknown filter of streams', "filters|'roger b7'|--streams",
             ['--streams', '--sizes=1024', 'roger b7'], 2),
            ('streams and segments', '--streams|--segments', ['--streams', '--segments'], 2),
            ('histograms and images', '--images|--histograms', ['--images', '--histograms'], 2),
            ('images and windows', '--images|--windows', ['--images', '--windows'], 2),
            ('no windows', '--windows|filters', ['--windows', 'u32 f32'], 2),
            ('a workgroup', 'workgroupSize|24', ['--workgroups=24', 'f32 auto', '--quick'], 2)]:
        done = subprocess.run([BENCH, *arguments], text=True, capture_output=True)
        ok(done.returncode == status and done.stderr.count('\n') == 1 and
           ('filter' not in name or done.stdout == '') and
           all(word in done.stderr for word in words.split('|')), f'refused: {name}',
           (done.returncode, done.stderr))
    done = subprocess.run([BENCH, '--quick', '--json', 'no/such/folder'], text=True,
                          capture_output=True)
    ok(done.returncode == 1 and 'no/such/folder' in done.stderr, 'refused: a file', done.stderr)


def test_misled():
    names = ['scan', *TRAFFIC] if FULL else ['scan sum u32 auto', 'compact 60 f32 a', 'flags',
                                             'unique 25 u32 a', 'run-lengths']
    expected = {arm for arm in MOVES if any(name in arm for name in names)}
    code, rows, out, err = bench('sum u32', *names, '--sizes=1024', '--runs=1', program=MISLED)
    looked_at = arms(rows, *BARE, 'sum', 'scan', *TRAFFIC)
    ok(code == 3 and expected <= set(looked_at) and
       all(row['verified'] is False for row in rows if row['arm'] in looked_at),
       'wrong results are noticed, of the bare kernels too', (code, rows))
    ok('sum u32 single, 1024 elements: sum is' in err and ' NO\n' in out, 'and said', err)
    for words in ('the count is', 'the kept values differ', 'it differs from the data',
                  'it differs from the scalar reference'):
        ok(words in err, f'and said: {words}', err)


def row(arm, ns, power, device='llvmpipe'):
    return {'arm': arm, 'op': 'xor', 'n': 1 << power, 'device_ns': None, 'submit_ns': ns,
            'device': device}


def matched(device, milliseconds):
    """As match --json says it."""
    return {'device': device, 'driver': '', 'queries': 4096, 'train': 16384, 'verified': False,
            'kernels': [{'name': 'multi-reduction', 'ms': milliseconds}, {'name': 'naive'}]}


def test_lines():
    """Rows with made-up times, and what the lines must say about them."""
    slow = [row('copy a', 80, 25), row('copy b', 72, 25), row('scan sum u32 auto', 100, 25),
            row('compact 60 f32 auto', 121, 25), row('numpy compact 60 f32', 726, 25)]
    for name, rows, status, expected in [
            ('all hold', slow[:3], 0, ['holds 0.72 copy *']),
            ('one fails', slow, 1, ['holds 0.72 copy *', 'FAILS 0.60 copy *',
                                    'holds 6.00 numpy compact 60 f32']),
            ('of a GPU', [row('scan sum f32 auto none', 10, 28, 'H200'),
                          row('cub scan sum f32', 11, 28, 'H200')], 0,
             ['holds 1.10 cub scan sum f32']),
            ('of windows', [row(f'windows u32 W8 {form} made g8', ns, 21)
                            for form, ns in (('naive', 134), ('multi', 100))], 1,
             ['FAILS 1.34 windows u32 W8 naive made g8']),
            ('of histograms', [row('histogram bytes 256 u8 auto', 10, 25),
                               row('bincount histogram bytes 256 u8', 30, 25),
                               row('opencv histogram bytes 256 u8', 9, 25),
                               row('histogram even 256 f32 auto', 10, 25),
                               row('histogram even 256 f32 plain', 24, 25),
                               row('histogram constant 256 f32 auto', 11, 25)], 1,
             ['holds 2.40 histogram even 256 f32 plain',
              'FAILS 0.90 bincount histogram bytes 256 u8, ..',
              'FAILS 1.10 histogram even 256 f32 auto']),
            ('of streams', [row('compact 60 f32 horn', 20, 22), row('compact 60 f32 roger', 8, 22),
                            row('compact 60 f32 roger-sequential', 6, 22),
                            row('compact 60 f32 auto', 5, 22)], 1,
             ['holds 2.50 compact 60 f32 horn', 'FAILS 1.20 compact 60 f32 horn, ..']),
            ('of segments', [row('sum f32 auto', 55, 24), row('rows 4 f32 auto', 150, 24),
                             row('rows 8 f32 auto', 100, 24), row('rows 256 f32 auto', 160, 24),
                             row('rows 4096 f32 auto', 91, 24)], 1,
             ['holds 0.37 sum f32 auto', 'FAILS 0.55 sum f32 auto', 'FAILS 0.34 sum f32 auto',
              'holds 0.60 sum f32 auto']),
            ('of segments on a GPU', [row('sum f32 auto', 85, 24, 'H200'),
                                      row('rows 8 f32 auto', 200, 24, 'H200'),
                                      row('cub rows 8 f32', 200, 24, 'H200'),
                                      row('rows 16 f32 auto', 100, 24, 'H200'),
                                      row('cub rows 16 f32', 99, 24, 'H200')], 1,
             ['holds 1.00 cub rows 8 f32', 'FAILS 0.99 cub rows 16 f32',
              'holds 0.85 sum f32 auto']),
            ('of the matcher', [matched('llvmpipe', 1.0)], 0, []),
            ('of the matcher on a GPU', [matched('H200', 1.0)], 0, ['holds 67.11 a second, G']),
            ('of a slow one', [matched('H200', 1.1)], 1, ['FAILS 61.01 a second, G'])]:
        with open('lines.json', 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)
        done = subprocess.run([sys.executable, LINES, 'lines.json'], text=True,
                              capture_output=True)
        said = [(line.split()[0], line[54:62].strip(), line.split(' of ')[1])
                for line in done.stdout.splitlines()]
        ok(done.returncode == status and [' '.join(line) for line in said] == expected,
           f'lines: {name}', (done.returncode, done.stdout, done.stderr))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_quick()
    test_choices()
    test_all_reads()
    test_windows()
    test_forms()
    test_segments()
    test_recordings()
    test_images()
    test_histograms()
    test_streams()
    test_refusals()
    test_misled()
    test_lines()
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
