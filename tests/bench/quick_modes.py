# SPDX-License-Identifier: MIT
"""Checks of the modes: each measures something else in place of the usual arms."""
from checks import (BARE, EVERY, FULL, KEYS, MISLED, arms, bench, chosen, few, in_tables, noticed,
                    off, ok, times)
from rows import ns_of

FORMS = ('naive', 'multi', 'doubled', 'swap', 'shared', 'subgroupAdd')


def test_windows():
    """Multi-reduction: the sums of all windows of as many elements as a subgroup has lanes."""
    names = few('u32 W', 'f64 W')
    code, rows, out, err = bench('--windows', '--quick', *names)
    width = rows[0]['arm'].split()[2] if rows else ''
    expected = chosen([f'windows {kind} {width} {form}{made} g{load}'
                       for kind in ('u32', 'f32', 'f64') for made in ('', ' made')
                       for form in FORMS for load in (1, 2)], names)
    ok(code == 0 and err == '' and arms(rows) == expected, 'windows: every form',
       (code, arms(rows), err))
    ok(all(list(row) == KEYS and row['verified'] is True and row['runs'] == 3 and
           row['submit_ns'] > 0 for row in rows), 'windows: all verified', rows)
    time = times(rows)
    wrong = [row for row in rows if off(row['ratio'], time[' '.join(
        [*row['arm'].split()[:3], 'naive', *row['arm'].split()[4:]])] / time[row['arm']])]
    ok(not wrong, 'windows: each is compared with the naive form', wrong)
    loads = [row['n'] / rows[0]['n'] for row in rows if 'made' not in row['arm']]
    ok(set(loads) == {1, 2} and rows[0]['n'] % 16384 == 0,
       'windows: each workgroup has 16,384 of them', loads)
    ok(in_tables(out, {row['arm'].rsplit(' ', 1)[0] for row in rows} | set(time), 36, 1),
       'windows: the tables', out)
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


def kind_of(row):
    """The kind of segments, the number of elements and the length."""
    kind, *length = row['op'].split()
    return kind, row['n'], int(length[0]) if length else 1


def fits(row):
    kind, n, length = kind_of(row)
    return n >= length and (kind == 'windows' or n % length == 0)


def segments_bytes_right(row):
    kind, n, length = kind_of(row)
    left = {'rows': n // length, 'columns': length, 'windows': n - length + 1}.get(kind)
    return row['bytes'] == 4 * (n + left) if left else 4 < row['bytes'] / n < 6


def test_segments():
    names = few('rows 8 ', 'rows 4096 ', 'columns 4 ', 'windows 8 ', 'offsets')
    segments = chosen(SEGMENTS, names)
    code, rows, out, err = bench('--segments', '--quick', *names)
    ok(code == 0 and err == '' and [name for name in arms(rows) if not
       name.startswith(BARE + ('empty',))] == (FLATS + segments) * 2, 'segments: every row',
       (code, arms(rows), err))
    mine = [row for row in rows if row['arm'] in SEGMENTS]
    bad = [row for row in mine if list(row) != KEYS or
           (row['verified'], row['skipped']) != ((True, None) if fits(row) else (None, 'misfit'))]
    ok(mine and not bad, 'segments: all that fit are verified', bad)
    done = [row for row in mine if row['verified']]
    wrong = [row for row in done if not segments_bytes_right(row)]
    ok(done and not wrong, 'segments: the bytes', wrong)
    time = {(row['n'], row['arm']): ns_of(row) for row in rows}
    wrong = [row for row in done if off(row['ratio_flat'], time[
        row['n'], f'sum {row["type"]} auto' + ' ssbo' * row['arm'].endswith('ssbo')] / ns_of(row))]
    ok(not wrong, 'segments: each is compared with the sum of all elements', wrong)
    ok(in_tables(out, segments, 36, 3), 'segments: the tables', out)
    code, rows, out, err = bench('--segments', 'rows 8 f32 l', '--sizes=1024', '--runs=1')
    ok(code == 0 and arms(rows, 'sum', 'rows', 'offsets') == FLATS + ['rows 8 f32 lanes'],
       'segments: filters keep the sums of all elements', (code, arms(rows)))
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
    """The host's time. Its rows have other keys, since no bytes per second are measured."""
    code, rows, out, err = bench('--recordings', '--quick')
    ok(code == 0 and err == '' and arms(rows) == RECORDINGS, 'recordings: every row',
       (code, arms(rows), err))
    keys = ['arm', 'n', 'collect_ns', 'uses_ns', 'end_ns', 'submit_ns', 'device', 'driver', 'runs',
            'verified']
    bad = [row for row in rows if list(row) != keys or row['verified'] is not True or
           row['runs'] != 3 or row['arm'] != f'{row["arm"].rsplit(" ", 1)[0]} {row["n"]}' or
           min(row[key] for key in keys[2:6]) <= 0]
    ok(rows and not bad, 'recordings: all verified', bad)
    ok(in_tables(out, RECORDINGS, 36, 1), 'recordings: the table', out)
    code, rows, out, err = bench('--recordings', 'chained 10', '--quick', '--runs=1')
    ok(code == 0 and arms(rows) == ['recording chained 10', 'recording chained 1000'],
       'recordings: filters', (code, arms(rows)))
    code, rows, out, err = bench('--recordings', '--quick', '--runs=1', program=MISLED)
    ok(len(rows) == len(RECORDINGS) and noticed(code, rows, err),
       'recordings: wrong results are noticed', (code, rows, err))


BARE_IMAGES = ('fetch', 'blit')
BOTH_OPS, PICTURES = ('min,max', 'sum'), [f'{name} {size}' for size in ('256x256', '120x67')
                                         for name in ('rgba8', 'd32')]
WAYS = ('auto', 'pingpong', 'recursive-2d', 'single', 'hybrid')


def images_of(picture):
    ops = ['mean'] if picture.startswith('rgba8') else ['mean', 'min', 'max', 'min,max']
    return ([f'fetch {picture}', f'fetch chunk {picture}'] +
            [f'blit {picture}'] * picture.startswith('rgba8') +
            [f'{what} {op} {picture}' for what in ('reduce', 'tiles') for op in BOTH_OPS] +
            [f'pyramid {op} {picture} {way}' for op in ops for way in WAYS])


def test_images():
    # Pipelines that take seconds to compile are used once.
    names = few('reduce', 'tiles', 'mean rgba8 120x67 auto', 'min d32 120x67 auto',
                'mean d32 120x67')
    code, rows, out, err = bench('--images', '--quick', *names)
    expected = [name for picture in PICTURES for name in images_of(picture)
                if name.startswith(BARE_IMAGES) or chosen([name], names)]
    ok(code == 0 and err == '' and arms(rows) == expected, 'images: every row',
       (code, arms(rows), err))
    bad = [row for row in rows if list(row) != KEYS or row['runs'] != 3 or row['ratio'] <= 0 or
           row['verified'] is not (None if row['arm'].startswith('blit') else True)]
    ok(rows and not bad, 'images: all verified', bad)
    time = times(rows)
    for name in ('reduce sum d32 256x256', 'pyramid min d32 120x67 auto'):
        size = name.split()[3]
        best = min(time[bare] for bare in ([f'fetch d32 {size}', f'fetch chunk d32 {size}'] if
                                           'reduce' in name else [f'blit rgba8 {size}']))
        ratio = next(row['ratio'] for row in rows if row['arm'] == name)
        ok(not off(ratio, best / time[name]), f'images: what {name} is compared with',
           (best, time[name], ratio))
    ok(in_tables(out, expected, 44, 1), 'images: the table', out)
    code, rows, out, err = bench('--images', '--quick', '--runs=1', 'reduce', 'tiles',
                                 'mean rgba8 120x67 auto', 'min,max d32 120x67 auto',
                                 program=MISLED)
    looked_at = [row for row in rows if not row['arm'].startswith('blit')]
    ok(len(looked_at) == 8 + 16 + 2 and noticed(code, looked_at, err),
       'images: wrong results are noticed', (code, looked_at, err))


COUNTED = [f'histogram {what}' for what in (
    'even 256 f32', 'even 4096 f32', 'even 65536 f32', 'log2 256 f32', 'edges 256 f32',
    'weights 256 f32', 'constant 256 f32', 'constant 65536 f32', 'bytes 256 u8', 'image 256 u8')]


def test_histograms():
    ways = ('auto', 'shared', 'global', 'local-atomics')
    plain = ('histogram even 256 f32', 'histogram constant 256 f32')
    # The tests of the library verify the others; each pipeline takes a while to compile.
    names = few('even 256 f32', 'constant 256 f32 auto', 'bytes 256 u8 auto')
    code, rows, out, err = bench('--histograms', '--quick', *names)
    expected = [arm for what in COUNTED for way in ('plain', *ways) for arm in [f'{what} {way}']
                if (what in plain if way == 'plain' else '65536' not in what or way in ways[::2])
                and (way == 'plain' or chosen([arm], names))]
    ok(code == 0 and err == '' and arms(rows) == 2 * expected, 'histograms: every row',
       (code, arms(rows), err))
    bad = [row for row in rows if list(row) != KEYS or row['verified'] is not True or
           row['bytes'] != row['n'] * (8 if 'weights' in row['arm'] else
                                       1 if 'bytes' in row['arm'] else 4)]
    ok(rows and not bad, 'histograms: all verified', bad)
    time = {(row['arm'], row['n']): ns_of(row) for row in rows}
    for row in rows:
        compared = row['op'] + ' f32 plain', row['n']
        if compared in time and row['arm'].endswith('auto'):
            ok(not off(row['ratio'], time[compared] / ns_of(row)),
               f'histograms: the ratio of {row["arm"]}', row)
        elif compared not in time and row['ratio'] is not None:
            ok(False, f'histograms: {row["arm"]} has nothing to be compared with', row)
    ok(in_tables(out, expected, 44, 2), 'histograms: the table', out)
    names = few('even 256 f32 auto', 'bytes 256 u8 auto') or ['auto']
    code, rows, out, err = bench('--histograms', '--sizes=1024', '--runs=1', *names,
                                 program=MISLED)
    ok(len(rows) == (len(COUNTED) if FULL else 2) + 2 and noticed(code, rows, err),
       'histograms: wrong counts are noticed', (code, rows, err))


BY_KEY = [f'{what} {runs} {kind}' for runs in ('1', '4', '1000', 'all') for what, kinds in
          (('run-lengths', ('u32',)), ('reduce-by-key sum', ('f32', 'u32')),
           ('reduce-by-key min,max,sum', ('f32',)), ('scan-by-key sum', ('u32', 'f32')))
          for kind in kinds]
ORDERED = [
    *(f'sort {kind}' for kind in ('u32', 'i32', 'f32', 'u64', 'u16', 'u8')), 'sort 16 bits u32',
    'sort descending in-place u32', 'sort,payload 4 u32', 'sort,payload 4 u64',
    'sort,payload 16 u32', 'argsort u32', 'argsort f32', 'sort ascending u32', 'sort equal u32',
    'sort two values u32', *(f'sort rows {length} u32' for length in (64, 1000, 100000)),
    *(f'topk {k} f32' for k in (1, 100, 4096, 65536)), 'topk,indices 100 f32',
    'topk,indices 65536 f32', 'topk rows 1000 8 f32', 'topk,indices rows 1000 8 f32',
    'select median f32', 'select,indices median f32', 'select 16 f32',
    'select rows 1000 median f32',
    'scan sum u32', 'scan sum f32', *BY_KEY, 'bounds random u32', 'bounds ascending u32',
    'expand 2 u32', 'expand 7 u32', 'expand,ranks 7 u32', 'expand 1024 of some u32',
    'merge u32', 'find-first u32']
BYTES_MOVED = {'merge u32': 8, 'sort u64': 16, 'sort u16': 4, 'sort,payload 4 u32': 16, 'scan sum f32': 8,
               'scan-by-key sum 4 f32': 12}  # of each element


def test_ordered():
    # Each sort has kernels of its own, which take a while to compile.
    names = few('sort u16', 'sort 16 bits', 'sort,payload 4 u32 auto', 'sort rows 100000 u32 auto',
                'topk,indices 100 ', 'select,indices median', 'run-lengths 4', 'sum 4 f32',
                'scan sum f32', 'expand,ranks 7', 'merge', 'find-first')
    code, rows, out, err = bench('--ordered', '--quick', *names)
    found = [row for row in rows if not row['arm'].startswith('copy')]
    expected = 2 * [name for name in chosen([f'{name} auto' for name in ORDERED], names)]
    ok(code == 0 and err == '' and
       [row['arm'] for row in found if row['arm'].endswith(' auto')] == expected,
       'ordered: every row', (code, arms(rows), err))
    ok({row['arm'].rsplit(' ', 1)[0] for row in found} == {name[:-5] for name in expected},
       'ordered: algorithms of these rows', arms(rows))
    bad = [row for row in found if list(row) != KEYS or row['skipped'] is None and
           (row['verified'] is not True or row['runs'] != 3)]
    skipped = {(row['arm'], row['n']): row['skipped'] for row in found if row['skipped']}
    ok(found and not bad and skipped.get(('sort rows 100000 u32 auto', 1024)) == 'misfit' and
       set(skipped.values()) <= {'misfit', 'unsupported'} and
       not any(arm.endswith(' auto') for (arm, n), why in skipped.items() if why != 'misfit'),
       'ordered: all that fit are verified', (bad, skipped))
    known = [row for row in found if not row['skipped'] and row['arm'][:-5] in BYTES_MOVED]
    wrong = [row for row in known if row['bytes'] != row['n'] * BYTES_MOVED[row['arm'][:-5]]]
    ok(known and not wrong, 'ordered: the bytes', wrong)
    time = {(row['arm'], row['n']): ns_of(row) for row in rows}
    for n in (1024, 100000):
        copy = min(ns for (arm, size), ns in time.items() if arm.startswith('copy') and size == n)
        for arm, other in (('scan-by-key sum 4 f32 auto', 'scan sum f32 auto'),
                           ('reduce-by-key sum 4 f32 auto', 'run-lengths 4 u32 auto')):
            row = next(row for row in found if (row['arm'], row['n']) == (arm, n))
            ok(not off(row['ratio'], time[other, n] / time[arm, n]) and
               not off(row['ratio_copy'], copy / time[arm, n]),
               f'ordered: what {arm} is compared with', row)
    ok(in_tables(out, set(expected), 44, 2), 'ordered: the table', out)
    code, rows, out, err = bench('--ordered', '--sizes=1024', '--runs=1',
                                 *few('sort u16 auto', 'sort 16 bits', 'argsort u32 auto',
                                      'topk 100 ', 'topk,indices 100 ', 'select median',
                                      'select,indices median', 'expand,ranks 7', 'merge',
                                      'by-key sum 4 f32'),
                                 program=MISLED)
    looked_at = [row for row in rows if not row['arm'].startswith('copy') and not row['skipped']]
    ok(len(looked_at) >= 10 and noticed(code, looked_at, err),
       'ordered: wrong results are noticed', (code, looked_at, err))


STREAM_BLOCKS = [f'b{8 << k}' for k in range(8)]
STREAM_STEPS = ('marks', 'sums', 'search', 'totals', 'concatenation', 'count')


def stream_arms():
    """The names of all sizes, and those that are measured only at the size of sweeps."""
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
    # Each size of a block has kernels of its own, which take a while to compile.
    names = few(' auto', 'geometry', '60 f32 horn', '60 f32 roger-seq', 'roger for', 'roger b16')
    every, sweep = (chosen(every, names) for every in stream_arms())
    # The validation layer writes to stdout.
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
    ok(not bad, 'streams: the bytes', bad)
    ok(in_tables(out, every, 54, 3) and in_tables(out, sweep, 54, 1), 'streams: the tables', out)
    # A step is a part of the submit in which it is measured.
    steps = [row for row in rows if ' step of ' in row['arm']]
    ok(len(steps) == 6 * (8 if FULL else 1) and
       all(row['device_ns'] < row['submit_ns'] for row in steps), 'streams: the steps', steps)
    code, rows, out, err = bench('--streams', '--sizes=1024', '--runs=1', 'geometry', 'roger b64',
                                 '60 f32 horn', program=MISLED)
    looked_at = [row for row in rows if 'compact ' in row['arm']]
    ok(code == 3 and len(looked_at) == 9 + 2 + 6 + 2 and
       not any(row['verified'] for row in looked_at), 'streams: wrong results are noticed',
       (code, looked_at, err))


def test_modes():
    test_windows()
    test_segments()
    test_recordings()
    test_images()
    test_histograms()
    test_ordered()
    test_streams()
