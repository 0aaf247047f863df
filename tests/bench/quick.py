#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the rows, verdicts and refusals of the benchmark, and prints TAP. Times are ignored.

quick.py LINES BENCH MISLED: LINES is lines.py. MISLED is the same program with a reference that is
off by one unit in the last place, and with one bit wrong in each output that moves data, which
shows that wrong results are noticed.
"""
import json
import os
import subprocess
import sys
import tempfile

from checks import (BARE, BENCH, EVERY, FULL, KEYS, LINES, LOOK_BACK, MISLED, TWO_PASS, arms, bench,
                    chosen, few, finish, in_tables, ok, times)
from quick_modes import test_modes

ALGORITHMS = ['auto', 'single', 'subgroup', 'tree', 'recursive']
REDUCTIONS = ([f'{op} {algorithm}' for op in ('min,max f32', 'sum f32', 'sum u32')
               for algorithm in ALGORITHMS] +
              ['sum f32 auto device', 'sum i32 auto', 'min,max i32 auto', 'min f32 auto',
               'argmin f32 auto', 'min,max,sum,argmin f32 auto',
               'min,max,sum,argmin f32 auto separate', 'min,max f32 auto gpu-count',
               'sum u32 auto gpu-count'])
REDUCTIONS.insert(5, 'min,max f32 auto ssbo')
SCANS = ([f'scan sum u32 {algorithm}' for algorithm in
          ('auto', TWO_PASS, LOOK_BACK, 'hillis-steele', 'blelloch')] +
         ['scan sum u32 auto ssbo'] +
         [f'scan sum f32 {algorithm}' for algorithm in
          ('auto', TWO_PASS, 'hillis-steele', 'blelloch')] +
         [f'scan sum f32 {algorithm} none' for algorithm in ('auto', TWO_PASS, LOOK_BACK)] +
         ['scan sum f32 auto device'] +
         [f'scan min f32 {algorithm}' for algorithm in ('auto', TWO_PASS, LOOK_BACK)])
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


def bytes_right(row):
    """Whether the bytes are right: exactly, except for a compaction, whose kept share is random."""
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
    ok(all(list(row) == KEYS for row in rows), 'the keys and their order', rows[:1])
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
            ok(forms >= {'vec4', 'u64x4', 'texel'}, f'{n}: {kind}: the forms of loads', forms)
        bad = [row for row in mine if row['skipped'] is not None or
               row['verified'] is not (None if row['arm'] == 'empty' else True)]
        ok(mine and not bad, f'{n}: all verified', bad)
        bad = [row for row in mine if row['arm'] != 'empty' and not
               (row['submit_ns'] >= row['least_ns'] > 0 and row['gbps'] > 0 and row['ratio'] > 0 and
                row['ratio_storage'] > 0 and row['ratio_copy'] > 0 and bytes_right(row))]
        ok(mine and not bad, f'{n}: the numbers', bad)
        for kind, key, texels in [('read ', 'ratio', True), ('read f32 ', 'ratio', True),
                                  ('read i32 ', 'ratio', True), ('copy ', 'ratio_copy', True),
                                  ('read ', 'ratio_storage', False),
                                  ('read f32 ', 'ratio_storage', False)]:
            rows_of_kind = [row for row in bare if row['arm'].startswith(kind) and
                            (kind != 'read ' or row['op'] == 'xor') and
                            (texels or 'texel' not in row['arm'])]
            ok(max(row[key] for row in rows_of_kind) == 1, f'{n}: {kind}{key}: the best is 1',
               rows_of_kind)
        time = times(mine)
        ok(all(yardstick(mine, row, time) for row in mine if row['arm'] in REDUCTIONS + MOVES),
           f'{n}: each is compared with reads of its kind')
        ok(in_tables(out, set(time) - {'empty'}, 36, 3), f'{n}: the tables have every arm', out)


def test_choices():
    code, rows, out, err = bench('u32 tree', 'max f32 auto gpu', '--sizes=1024,2^12',
                                 '--workgroups', '16,64', '--runs=1')
    expected = [f'{name} w{w}' for name in ('sum u32 tree', 'min,max f32 auto gpu-count')
                for w in (16, 64)] * 2
    ok(code == 0 and arms(rows, 'min', 'sum') == expected, 'filters, sizes and workgroups',
       (code, arms(rows), err))
    ok({row['n'] for row in rows} == {1024, 4096} and {row['runs'] for row in rows} == {1},
       'the given sizes and runs')


def test_all_reads():
    code, rows, out, err = bench('min f32 auto', '--all-reads', '--sizes=1024,2^16', '--runs=1')
    ok(code == 0 and {'read vec4 w256 f4', 'read vec4 w256 f4 g2048', 'copy vec4 w256 f1'} <=
       set(arms(rows, *BARE)), 'the bare kernels for other classes of devices', (code, arms(rows)))
    ok(all(row['verified'] is True for row in rows if row['arm'] != 'empty'),
       'these are verified too', rows)


def test_large():
    """More than 128 MiB: on most drivers several windows, which need more than one dispatch. (A
    filter finds every name that contains it, so 'sum u32 single' finds scans as well.)"""
    code, rows, out, err = bench('sum u32 single', 'sum u32 subgroup', 'scan sum u32 a',
                                 'compact 50 u32 a', 'compact 60 f32 s', '--sizes=33554440',
                                 '--runs=1')
    single = [row for row in rows if row['arm'] == 'sum u32 single']
    passes = [row for row in rows if row['arm'].endswith(LOOK_BACK)]
    others = [row for row in rows if row not in single + passes and row['arm'] != 'empty' and
              row['skipped'] != 'too large']
    ok(any(row['arm'].startswith('copy') for row in others), 'copies of more than a window',
       rows)
    ok(code == 0 and others and all(row['verified'] is True for row in others),
       'all arms with more than a window are verified', (code, others, err))
    ok(len(single) == 1 and (single[0]['verified'] is True or
                             (single[0]['skipped'] == 'unsupported' and
                              'algorithm is single' in err)),
       'an arm that cannot be measured is named', (single, err))
    moved = [row['arm'] for row in others if row['arm'] in MOVES]
    ok(moved == ['scan sum u32 auto', 'scan sum u32 auto ssbo', 'compact 60 f32 scan-scatter',
                 'compact 50 u32 auto'] and len(passes) == 2 and
       all(row['verified'] is True or row['skipped'] == 'unsupported' for row in passes),
       'scans and compactions of more than a window', (moved, passes, err))


def test_busy():
    """The kernel that runs before timed runs. Of the times of nothing the misled program invents,
    those above 1,008 ns say that the clock was low."""
    code, rows, out, err = bench('sum u32 auto', '--sizes=1024', '--runs=2', '--busy=1')
    ok(code == 0 and rows and all(row['empty_ns'] > 0 and row['skipped'] is None for row in rows),
       'busy: each row has a time of nothing', (code, rows, err))
    code, rows, out, err = bench('sum u32 auto', '--sizes=1024', '--runs=1')
    ok(code == 0 and rows and all(row['empty_ns'] is None for row in rows),
       'busy: a CPU is not kept busy unless it is asked for', (code, rows, err))
    for arguments in (['sum u32 auto', '--sizes=1024'], ['--windows', '--quick', 'u32 W'],
                      ['--ordered', '--sizes=1024', 'sum 4 f32', 'scan sum f32'],
                      ['--images', '--quick', 'sum d32 120x67'],
                      ['--histograms', '--sizes=1024', 'even 256 f32 auto']):
        code, rows, out, err = bench(*arguments, '--runs=1', '--busy=1', program=MISLED)
        low = [row for row in rows if (row['empty_ns'] or 0) > 1008]
        bad = [row for row in rows if row['skipped'] != ('clock low' if row in low else None) or
               row in low and (row['verified'], row['device_ns'], row['submit_ns']) != (None,) * 3]
        ok(0 < len(low) < len(rows) and not bad and ' clock low\n' in out and
           ' inf' not in out and 'nan' not in out,
           f'busy: rows are refused: {arguments[0]}', (code, bad, out, err))


def test_refusals():
    for name, words, arguments, status in [
            ('an unknown filter', "filters|'sum f23'|'sum f32 auto'", ['scan', 'sum f23'], 2),
            ('a filter of bare reads', "filters|'read'", ['--quick', 'read'], 2),
            ('an unknown filter of segments', "filters|'rows 7'|--segments",
             ['--segments', 'rows 7'], 2),
            ('a filter after --', "filters|'--quick'", ['--', '--quick'], 2),
            ('an unknown option', '--fast|--help', ['--fast'], 2),
            ('a size with a partial load', '--sizes|1020|multiples of 8', ['--sizes', '1024,1020'], 2),
            ('an empty size', '--sizes', ['--sizes='], 2),
            ('a number of runs', '--runs|many', ['--runs=many'], 2),
            ('a missing value', '--budget|SECONDS', ['--budget'], 2),
            ('too large a budget', "--budget is '86401'|from 1 to 86400", ['--budget=86401'], 2),
            ('too busy', "--busy is '21'|from 0 to 20", ['--busy=21'], 2),
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
       'wrong results are noticed, also of the bare kernels', (code, rows))
    ok('sum u32 single, 1024 elements: sum is' in err and ' NO\n' in out, 'and said', err)
    for words in ('the count is', 'the kept values differ', 'it differs from the data',
                  'it differs from the scalar reference'):
        ok(words in err, f'and said: {words}', err)


def row(arm, ns, power, device='llvmpipe', empty_ns=None):
    return {'arm': arm, 'op': 'xor', 'n': 1 << power, 'device_ns': None, 'submit_ns': ns,
            'empty_ns': empty_ns, 'device': device}


def matched(device, milliseconds):
    """The output of match --json."""
    return {'device': device, 'driver': '', 'queries': 4096, 'train': 16384, 'verified': False,
            'kernels': [{'name': 'multi-reduction', 'ms': milliseconds}, {'name': 'naive'}]}


def test_lines():
    """Checks what lines.py prints about rows with invented times."""
    slow = [row('copy a', 80, 25), row('copy b', 72, 25), row('scan sum u32 auto', 100, 25),
            row('compact 60 f32 auto', 121, 25), row('numpy compact 60 f32', 726, 25)]
    for name, rows, status, expected in [
            ('all hold', slow[:3], 0, ['holds 0.72 copy *']),
            ('one fails', slow, 1, ['holds 0.72 copy *', 'FAILS 0.60 copy *',
                                    'holds 6.00 numpy compact 60 f32']),
            ('of a GPU', [row('scan sum f32 auto none', 10, 28, 'H200'),
                          row('cub scan sum f32', 11, 28, 'H200')], 0,
             ['holds 1.10 cub scan sum f32']),
            ('of a GPU with a low clock',
             [row('scan sum f32 auto none', 10, 28, 'H200', 672),
              row('scan sum u32 auto', 10, 28, 'H200', 1009), row('cub scan sum u32', 20, 28, 'H200'),
              row('cub scan sum f32', 9, 28, 'H200')], 1,
             ['FAILS 0.90 cub scan sum f32', 'left out: 1 rows']),
            ('of a GPU with nearly its clock',
             [row('scan sum f32 auto none', 10, 28, 'H200', 672),
              row('scan sum u32 auto', 10, 28, 'H200', 1008),
              row('cub scan sum u32', 20, 28, 'H200')], 0, ['holds 2.00 cub scan sum u32']),
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
            ('of sorts', [row('sort u32 auto', 10, 24), row('std sort u32', 29, 24),
                          row('sort u16 auto', 10, 24), row('stable sort u16', 5, 24),
                          row('scan sum f32 auto', 10, 24), row('run-lengths 4 u32 auto', 10, 24),
                          row('scan-by-key sum 4 f32 auto', 13, 24),
                          row('reduce-by-key sum 4 f32 auto', 14, 24)], 1,
             ['holds 1.30 scan sum f32 auto', 'FAILS 1.40 run-lengths 4 u32 auto',
              'FAILS 2.90 std sort u32', 'holds 2.00 stable sort u16']),
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
        said = [line.split(',')[0] if line.startswith('left out') else
                ' '.join([line.split()[0], line[54:62].strip(), line.split(' of ')[1]])
                for line in done.stdout.splitlines()]
        ok(done.returncode == status and said == expected,
           f'lines: {name}', (done.returncode, done.stdout, done.stderr))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_quick()
    test_choices()
    test_all_reads()
    test_large()
    test_busy()
    test_modes()
    test_refusals()
    test_misled()
    test_lines()
    os.chdir('/')
sys.exit(finish())
