#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Histograms and quantiles by the program vkreduce, against numpy and against exact arithmetic, as
TAP: every bin of every call.

runner_histogram.py DATA VKREDUCE MISLED: DATA is samples/data, MISLED as for runner.py.
"""
import json
import math
import os
import sys
import tempfile
from fractions import Fraction

import numpy as np
import png
import runner_tools
from runner_tools import npy, ok

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in sys.argv[1:4])
ALGORITHMS = ('auto', 'shared', 'global', 'local-atomics')
SHARES = ('0', '0.01', '0.5', '0.999', '1')
RANDOM = np.random.default_rng(15)


def call(*arguments, **more):
    return runner_tools.call(PROGRAM, 'histogram', *arguments, **more)


def refuse(name, status, words, *arguments, **more):
    runner_tools.refuse(PROGRAM, name, status, words, 'histogram', *arguments, **more)


def run(*arguments):
    """The channels' results; none, which fails every comparison, where the call failed."""
    code, out, err = call(*arguments, '--json')
    if code != 0 or err != '':
        print(f'# {arguments}: status {code}, {err}')
        return []
    result = json.loads(out)['result']
    return result if isinstance(result, list) else [result]


def load(name):
    """Rows, columns and channels; the pixels of a photograph."""
    with open(f'{DATA}/{name}.png', 'rb') as file:
        width, height, colour, pixels = png.decode(file.read())
    return np.frombuffer(pixels, np.uint8).reshape(height, width, png.CHANNELS[colour])


# ---- The definitions of histogram.h, in exact arithmetic ----

def nearest(x, kind):
    """The float nearest to a fraction, ties to even."""
    near = kind(float(x)) if abs(x) < 2**1023 else kind(x)
    if kind is np.float64 or np.isinf(near):
        return near
    candidates = [near, np.nextafter(near, kind(-np.inf)), np.nextafter(near, kind(np.inf))]
    return min(candidates, key=lambda f: (abs(Fraction(float(f)) - x) if np.isfinite(f) else x**2,
                                          int(f.view(np.uint32)) & 1))


def edge_kind(data):
    return np.float64 if data.dtype.itemsize == 8 else np.float32


def even_edges(lo, hi, n):
    return [lo + k * (hi - lo) / Fraction(n) for k in range(n + 1)]


ROOTS = []  # floor(2^62 2^(2^-i))
root = 2 << 256
for _ in range(48):
    root = math.isqrt(root << 256)
    ROOTS.append(root >> 194)


def log2_fixed(x):
    """In units of 2^-48."""
    e = 0
    while x >= 2:
        x, e = x / 2, e + 1
    while x < 1:
        x, e = x * 2, e - 1
    m, bits = int(x * 2**62), 0
    for _ in range(48):
        m = m * m >> 62
        bits *= 2
        if m >= 2 << 62:
            m, bits = m >> 1, bits + 1
    return (e << 48) + bits


def log2_edges(lo, hi, n):
    low, high = log2_fixed(Fraction(lo)), log2_fixed(Fraction(hi))
    edges = [Fraction(lo)]
    for k in range(1, n):
        q = low + k * (high - low) // n
        product = 1 << 62
        for i in range(48):
            if q >> (47 - i) & 1:
                product = product * ROOTS[i] >> 62
        edges.append(Fraction(product, 2**62) * Fraction(2)**(q >> 48))
    return edges + [Fraction(hi)]


def quantile(counts, edges, share, kind):
    total, at = sum(counts), round(Fraction(share) * 2**32)
    if total == 0:
        return 'nan'
    before = 0
    for k, count in enumerate(counts):
        if (before + count) * 2**32 >= at * total:
            r = Fraction((at * total - before * 2**32) // count if count > 0 else 0, 2**32)
            low, high = Fraction(float(edges[k])), Fraction(float(edges[k + 1]))
            return float(nearest(low + r * (high - low), kind))
        before += count
    return None


def count(data, edges, closed):
    """Counts, below, above and NaN of numbers between edges that are compared exactly: as values of
    their own type."""
    nan = np.isnan(data) if data.dtype.kind == 'f' else np.zeros(len(data), bool)
    data = data[~nan]
    at = np.searchsorted(edges, data, 'right')
    if closed:
        at[data == edges[-1]] = len(edges) - 1
    counts = np.bincount(at, minlength=len(edges) + 1)
    return counts[1:len(edges)], int(counts[0]), int(counts[len(edges)]), int(nan.sum())


def compare_edges(exact, data):
    """Edges in the type that elements are compared in, without a loss."""
    if data.dtype.kind != 'f':
        ceiled = [math.ceil(edge) for edge in exact]
        return np.array(ceiled, object)
    kind = edge_kind(data)
    return np.array([nearest(edge, kind) for edge in exact])


def check(name, data, exact, closed, *arguments, shown=None):
    """One channel against the definition, with its quantiles; returns the counts."""
    edges = compare_edges(exact, data)
    kind = edge_kind(data)
    comparable = data.astype(object) if data.dtype.kind != 'f' else data.astype(kind)
    counts, below, above, nan = count(comparable, edges, closed)
    answer = run(*arguments, '--quantiles', ','.join(SHARES))
    floats = shown or [float(nearest(Fraction(edge), kind)) for edge in exact]
    expected = {'counts': counts.tolist(), 'below': below, 'above': above, 'nan': nan,
                'quantiles': {share: quantile(counts.tolist(), floats, float(share), kind)
                              for share in SHARES},
                'edges': floats}
    good = len(answer) == 1 and all(answer[0].get(key) == value for key, value in expected.items())
    ok(good, name, '' if good else '\n'.join(
        f'{key}: got {str(answer[0].get(key) if answer else None)[:400]}\nexpected '
        f'{str(value)[:400]}' for key, value in expected.items()
        if not answer or answer[0].get(key) != value))
    return counts


# ---- Photographs ----

def check_photograph(name):
    pixels = load(name).reshape(-1, load(name).shape[2])
    expected = [np.bincount(channel, minlength=256) for channel in pixels.T]
    path = f'{DATA}/{name}.png'
    for algorithm in ALGORITHMS:
        result = run(path, '--bins', 256, '--range', '0:256', '--algorithm', algorithm, '-o',
                     'o.npy')
        ok([channel['counts'] for channel in result] == [e.tolist() for e in expected] and
           all(channel[key] == 0 for channel in result for key in ('below', 'above', 'nan')),
           f'{name}: 256 bins by {algorithm} are those of numpy.bincount', result)
        stored = np.load('o.npy')
        ok(stored.dtype == np.uint64 and
           np.array_equal(stored, expected if len(expected) > 1 else expected[0]),
           f'{name}: the file by {algorithm}', (stored.dtype, stored.shape))
    for options in (['--as-image'], ['--count-on-gpu'], ['--staging'], ['--chunk', 100000],
                    ['--as-image', '--count-on-gpu', '--repeat', 2]):
        result = run(path, '--bins', 256, '--range', '0:256', '--verify', *options)
        ok([channel['counts'] for channel in result] == [e.tolist() for e in expected],
           f'{name}: {" ".join(map(str, options))}', result)
    result = run(path, '--bins', 10, '--quantiles', '0.5')
    for c, channel in enumerate(result):
        counts, edges = np.histogram(pixels[:, c], 10)
        ok(channel['counts'] == counts.tolist() and
           np.array_equal(channel['edges'], edges.astype(np.float32)),
           f'{name}: channel {c} in 10 bins of its own range', channel)
    ok(len(result) == pixels.shape[1], f'{name}: {pixels.shape[1]} channels')


def check_luminance():
    pixels = load('astronaut').astype(np.float32)
    weights = np.float32([0.2126, 0.7152, 0.0722])
    luminance = (pixels[:, :, 0] * weights[0] + pixels[:, :, 1] * weights[1] +
                 pixels[:, :, 2] * weights[2]).ravel()
    for options in ([], ['--as-image']):
        check(f'luminance {" ".join(options)}', luminance, even_edges(0, 256, 64), False,
              f'{DATA}/astronaut.png', '--map', 'luminance', '--bins', 64, '--range', '0:256',
              '--verify', *options)


# ---- All types ----

def save(name, data):
    np.save(name, data)
    return f'{name}.npy'


def against_numpy(name, data, counts, bins, bounds, exact):
    """numpy's edges of floats are not always the nearest ones: then elements between the two count
    elsewhere, and there may be no more of these."""
    theirs, edges = np.histogram(data, bins, bounds)
    moved = int(np.abs(theirs - counts).sum()) // 2
    between = 0
    if data.dtype.kind == 'f':
        ours = compare_edges(exact, data)
        between = sum(int(((data >= min(a, b)) & (data <= max(a, b))).sum())
                      for a, b in zip(ours, edges) if a != b)
    ok(moved <= between, f'{name}: as numpy.histogram, except for {moved} elements; {between} lie '
       'between an edge of its and the nearest float')


def check_types():
    for kind in ('i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'):
        dtype = np.dtype(runner_tools.DESCR[kind])
        info = np.iinfo(dtype)
        data = RANDOM.integers(info.min, info.max, 20011, dtype, endpoint=True)
        data[:3] = info.min, info.max, 0
        path = save(kind, data)
        lo, hi = int(data.min()), int(data.max())
        check(f'{kind}: its own range', data, even_edges(lo, hi, 100), True, path, '--bins', 100,
              '--verify')
        lo, hi = int(info.min), int(info.max) + 1
        bins = 256 if dtype.itemsize == 1 else 1000
        check(f'{kind}: the whole range of the type', data, even_edges(lo, hi, bins), False, path,
              '--bins', bins, '--range', f'{lo}:{hi}')
        lo, hi = int(info.max) // 3, int(info.max) // 2
        check(f'{kind}: a part', data, even_edges(lo, hi, 7), False, path, '--bins', 7, '--range',
              f'{lo}:{hi}', '--verify')
    small = RANDOM.integers(-1000, 1000, 20011, np.int32)
    counts = check('i32: small numbers', small, even_edges(-500, 500, 33), True,
                   save('small', small), '--bins', 33, '--range', '-500:500', '--closed')
    against_numpy('i32', small, counts, 33, (-500, 500), even_edges(-500, 500, 33))
    for kind in ('f16', 'f32', 'f64'):
        data = RANDOM.normal(0, 1, 50021).astype(runner_tools.DESCR[kind])
        path = save(kind, data)
        for bins in (1, 255, 4096):
            exact = even_edges(Fraction(float(data.min())), Fraction(float(data.max())), bins)
            counts = check(f'{kind}: {bins} bins of its own range', data, exact, True, path,
                           '--bins', bins, '--verify')
            if kind != 'f16':  # of which numpy's edges are f16
                against_numpy(f'{kind}, {bins} bins', data, counts, bins, None, exact)
        exact = even_edges(Fraction(-1), Fraction(0.7), 100)
        check(f'{kind}: a part', data, exact, False, path, '--bins', 100, '--range', '-1:0.7')


def check_decimals():
    """Elements on edges that are no floats."""
    for dtype in (np.float32, np.float64):
        data = (RANDOM.integers(0, 1001, 50021) / 1000).astype(dtype)
        exact = even_edges(Fraction(0), Fraction(1), 1000)
        counts = check(f'decimals in {dtype.__name__}', data, exact, True, save('decimals', data),
                       '--bins', 1000, '--range', '0:1', '--closed', '--verify')
        against_numpy(f'decimals in {dtype.__name__}', data, counts, 1000, (0, 1), exact)


def check_specials():
    tiny = float(np.float32(1e-45))
    edge = np.float32(0.1)
    data = np.float32([np.nan, np.inf, -np.inf, -0.0, 0.0, tiny, -tiny, 1, 0.5, edge,
                       np.nextafter(edge, np.float32(0)), np.nextafter(edge, np.float32(1)),
                       np.finfo(np.float32).max, -1])
    path = save('special', data)
    for options, closed in (([], False), (['--closed'], True)):
        check(f'NaN, infinities, -0 and denormals {" ".join(options)}', data,
              even_edges(Fraction(0), Fraction(1), 10), closed, path, '--bins', 10, '--range',
              '0:1', '--verify', *options)
    same = np.full(1000, np.float32(3))
    check('equal values: half below and half above', same,
          even_edges(Fraction(5, 2), Fraction(7, 2), 4), True, save('same', same), '--bins', 4)
    check('equal integers', same.astype(np.uint8),
          even_edges(Fraction(5, 2), Fraction(7, 2), 4), True,
          save('equal', same.astype(np.uint8)), '--bins', 4)
    result = run('random:0', '--bins', 3, '--range', '0:1', '--quantiles', '0.5')
    ok(result != [] and result[0]['counts'] == [0, 0, 0] and result[0]['quantiles']['0.5'] == 'nan',
       'no element: the quantile is NaN', result)


# ---- --edges, --log2 ----

def check_edges():
    data = RANDOM.normal(0, 1, 30011).astype(np.float32)
    path = save('edged', data)
    edges = np.sort(RANDOM.normal(0, 1, 100))
    edges[50] = edges[51]
    for options, closed in (([], False), (['--closed'], True)):
        result = run(path, '--edges', save('edges', edges), '--verify', *options)
        expected = np.histogram(data, edges)[0]
        ok(result != [] and result[0]['counts'] == expected.tolist(),
           f'edges of float64 for f32: numpy.histogram {" ".join(options)}', result)
    result = run(path, '--edges', save('edges', np.float32([-1, 0, 0, 1])), '--quantiles', '0.5')
    ok(result != [] and result[0]['counts'] == np.histogram(data, [-1, 0, 0, 1])[0].tolist() and
       result[0]['edges'] == [-1, 0, 0, 1], 'equal edges', result)
    data = RANDOM.integers(0, 256, 30011, np.uint8)
    path = save('bytes', data)
    for name, edges in (('arange(257)', np.arange(257)), ('a last edge beyond', [0., 99.5, 1000]),
                        ('several beyond', np.linspace(-100, 1000, 12)),
                        ('negative ones', [-20, -10, 0, 5]), ('fractions', [0.5, 1.5, 1.75, 9.25])):
        result = run(path, '--edges', save('edges', np.array(edges)), '--verify', '--quantiles',
                     ','.join(SHARES))
        counts = np.histogram(data, np.append(edges, 1e6))[0][:-1]
        shown = np.float32(edges).tolist()
        ok(result != [] and result[0]['counts'] == counts.tolist() and
           result[0]['edges'] == shown and result[0]['quantiles'] == {
               share: quantile(counts.tolist(), shown, float(share), np.float32)
               for share in SHARES},
           f'u8 and edges: {name}', result)
    data = np.array([0, 2**63 - 1, 2**63, 2**64 - 1, 2**53 + 1], np.uint64)
    result = run(save('huge', data), '--edges',
                 save('edges', np.array([0, 2**53 + 1, 2**63, 2**64 - 1], np.uint64)), '--closed')
    ok(result != [] and result[0]['counts'] == [1, 2, 2], 'u64 edges, exactly', result)


def check_log2():
    for kind, data, lo, hi, bins in (
            ('f32', np.exp(RANDOM.normal(0, 3, 30011)).astype(np.float32), '0.001', '100', 50),
            ('f32', np.exp2(RANDOM.integers(-8, 8, 30011)).astype(np.float32), '0.00390625', '256',
             16),
            ('f64', np.exp(RANDOM.normal(0, 30, 30011)), '1e-9', '1e9', 100),
            ('u16', RANDOM.integers(0, 65536, 30011, np.uint16), '1', '65536', 16)):
        path = save('log', data)
        exact = log2_edges(Fraction(float(lo)), Fraction(float(hi)), bins)
        check(f'log2 of {kind} from {lo} to {hi}', data, exact, False, path, '--log2', '--bins',
              bins, '--range', f'{lo}:{hi}', '--verify',
              shown=[float(math.ceil(e)) for e in exact] if kind == 'u16' else None)
        for k, edge in enumerate(exact):
            true = float(lo) * (float(hi) / float(lo))**(k / bins)
            if abs(float(edge) / true - 1) > 2**-39:
                ok(False, f'edge {k} lies where it should', (float(edge), true))
        if kind == 'u16':
            continue
        own = log2_edges(Fraction(float(data.min())), Fraction(float(data.max())), bins)
        check(f'log2 of {kind} in its own range', data, own, True, path, '--log2', '--bins', bins)
    refuse('log2 of a value that is 0', 2, 'log2|greater than 0|--range|0',
           save('zero', np.float32([0, 1])), '--log2', '--bins', 3, '-o', 'none.npy',
           '--plot', 'none.png')
    refuse('log2 of a negative value', 2, '-2.5|--range', save('zero', np.float32([-2.5, 1])),
           '--log2', '--bins', 3)


# ---- Chunks ----

def check_chunks():
    for name, arguments in (
            ('f32', ['random:300007:3']),
            ('u16 of 3 components', ['random:300006:3', '--type', 'u16', '--components', 3]),
            ('f64', ['random:100003', '--type', 'f64', '--algorithm', 'global']),
            ('a stride', ['random:120000', '--offset=8', '--stride=20', '--components=3'])):
        for more in ([], ['--range', '0:2' if 'u16' not in name else '100:60000']):
            common = [*arguments, '--bins', 333, '--quantiles', '0.1,0.9', *more]
            whole = run(*common)
            for size in ('1', '256KiB'):
                pieces = run(*common, '--chunk', size, '--verify', '-o', 'pieces.npy')
                ok(whole != [] and pieces == whole, f'{name} {" ".join(more)} in chunks of {size}')
    edges = save('edges', np.linspace(0, 1, 11))
    ok(run('random:100000', '--edges', edges, '--closed') ==
       run('random:100000', '--edges', edges, '--closed', '--chunk', 1), 'edges in chunks')
    answer = json.loads(call('random:100000', '--bins', 5, '--chunk', 1, '--json', '--repeat', 2,
                             '--verify')[1] or '{}')
    ok(answer.get('chunks') == 13 and answer.get('verified') is True and
       answer.get('inputs') == ['random:100000'] and answer.get('algorithm') == 'auto' and
       sum(answer['result']['counts']) == 100000, 'repeated in chunks', answer)


# ---- What is said ----

def check_text():
    code, out, err = call('random:100000', '--bins', 65536, '--quantiles', '0.5')
    ok(code == 0 and err == '' and out.count('\n') < 40 and 'below' in out and 'nan' in out and
       'share    0.5 lies below 0.' in out, '65,536 bins fit a page', out)
    code, out, err = call(f'{DATA}/astronaut.png', '--bins', 4, '--range', '0:256')
    ok(code == 0 and all(f'channel  {c}\n' in out for c in range(3)) and '[  64  128)' in out,
       'a table for each channel', out)


def check_plot():
    for name, arguments in (('one', ['random:10000', '--bins', 50, '--quantiles', '0.25,0.75']),
                            ('three', [f'{DATA}/astronaut.png', '--bins', 64, '--range', '0:256']),
                            ('log2', ['random:10000', '--bins', 20, '--log2', '--range',
                                      '0.001:1'])):
        code, out, err = call(*arguments, '--plot', "it's a plot.png")
        with open("it's a plot.png", 'rb') as file:
            width, height, colour, pixels = png.decode(file.read())
        ok(code == 0 and (width, height) == (1200, 700) and len(set(pixels)) > 10,
           f'a plot of {name}', (code, err, width, height))
        os.remove("it's a plot.png")
    answer = json.loads(call('random:10', '--bins', 2, '--plot', 'p.png', '--json')[1] or '{}')
    ok(answer.get('outputs') == {'plot': 'p.png'}, 'JSON names the plot', answer)
    refuse('a plot without gnuplot', 1, 'gnuplot|install it', 'random:10', '--bins', 2, '--plot',
           'q.png', '-o', 'q.npy', env={'PATH': '/nonexistent'})
    refuse('a plot that cannot be written', 1, 'no/such/p.png', 'random:10', '--bins', 2, '--plot',
           'no/such/p.png', '-o', 'q.npy')
    with open('gnuplot', 'w') as file:
        file.write('#!/bin/sh\n[ $# -eq 1 ] && exit 0\n'
                   'echo >&2\necho "it has no ink" >&2\nexit 3\n')
    os.chmod('gnuplot', 0o755)
    refuse('a gnuplot that fails', 1, 'q.png|it has no ink', 'random:10', '--bins', 2, '--plot',
           'q.png', '-o', 'q.npy', env={'PATH': f'{os.getcwd()}:{os.environ["PATH"]}'})


def check_radiance():
    """Texels of four bytes, which are mantissas and an exponent, in a row that is not packed."""
    if 'Radiance' in call('none.hdr', '--bins', 1)[2]:
        ok(True, 'Radiance pictures are not built in')
        return
    texels = RANDOM.integers(100, 256, (700, 7, 4), np.uint8)
    texels[:, :, 3] = RANDOM.integers(120, 140, (700, 7))
    runner_tools.write('picture.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 700 +X 7\n',
                       texels.tobytes())
    scale = np.exp2(texels[:, :, 3:].astype(np.float64) - 136)
    pixels = (texels[:, :, :3] * scale).astype(np.float32).reshape(-1, 3)
    edges = compare_edges(log2_edges(Fraction(1, 64), Fraction(64), 48), pixels)
    for options in ([], ['--as-image'], ['--chunk', 1]):
        result = run('picture.hdr', '--log2', '--bins', 48, '--range', '0.015625:64', '--verify',
                     *options)
        expected = [count(pixels[:, c], edges, False) for c in range(3)]
        ok([(channel['counts'], channel['below'], channel['above']) for channel in result] ==
           [(counts.tolist(), below, above) for counts, below, above, _ in expected],
           f'a Radiance picture in log2 {" ".join(map(str, options))}', result)


def check_misled():
    for name, arguments in (('counts', ['--range', '0:1']), ('edges', [])):
        code, out, err = runner_tools.call(MISLED, 'histogram', 'random:1000', '--bins', 5,
                                           '--verify', '--json', *arguments)
        ok(code == 3 and err.count('; the scalar reference') == 1 and err.count('\n') == 1 and
           json.loads(out)['verified'] is False, f'--verify notices wrong {name}', (code, err))


def check_refusals():
    f32, u8 = save('three', np.float32([1, 2, 3])), save('threes', np.uint8([1, 2, 3]))
    huge = save('inf', np.float32([1, np.inf]))
    for name, words, arguments in [
            ('no bins', '--bins', [f32]),
            ('no input', 'INPUT', ['--bins', 3]),
            ('0 bins', '1 to 65536', [f32, '--bins', 0]),
            ('65,537 bins', '1 to 65536', [f32, '--bins', 65537]),
            ('a range without a colon', 'LO:HI', [f32, '--bins', 3, '--range', '7']),
            ('a range of words', "'x'|finite", [f32, '--bins', 3, '--range', '0:x']),
            ('an infinite range', "'inf'|finite", [f32, '--bins', 3, '--range', '0:inf']),
            ('a range too large', "'1e309'|1.79769e+308", [f32, '--bins', 3, '--range', '0:1e309']),
            ('an empty LO', "''|number", [f32, '--bins', 3, '--range', ':3']),
            ('a range that descends', "'3:1'|less than HI", [f32, '--bins', 3, '--range', '3:1']),
            ('an empty range', 'less than HI', [f32, '--bins', 3, '--range', '3:3']),
            ('a fraction for integers', "'0.5'|whole number|u8",
             [u8, '--bins', 3, '--range', '0.5:3']),
            ('a bound beyond 2^64', 'whole number',
             [u8, '--bins', 3, '--range', '0:18446744073709551617']),
            ('log2 from 0', 'greater than 0', [f32, '--bins', 3, '--range', '0:3', '--log2']),
            ('an infinite range of data', 'inf|--range', [huge, '--bins', 3]),
            ('no element and no range', '--range', ['random:0', '--bins', 3]),
            ('only NaN and no range', '--range', [save('nan', np.float32([np.nan])), '--bins', 3]),
            ('a share of words', "'half'|from 0 to 1",
             [f32, '--bins', 3, '--quantiles', '0.1,half']),
            ('a share above 1', "'1.5'", [f32, '--bins', 3, '--quantiles', '1.5']),
            ('a share that is NaN', "'nan'", [f32, '--bins', 3, '--quantiles', 'nan']),
            ('a long share', '32 characters|up to 31',
             [f32, '--bins', 3, '--quantiles', '0.' + '3' * 30]),
            ('a long range', '200 characters|up to 127',
             [f32, '--bins', 3, '--range', '1' * 200 + ':3']),
            ('an empty share', "''", [f32, '--bins', 3, '--quantiles', '0.5,']),
            ('a share twice', '0.5|twice', [f32, '--bins', 3, '--quantiles', '0.5,0.1,0.5']),
            ('65 shares', '64', [f32, '--bins', 3, '--quantiles',
                                 ','.join(str(i / 100) for i in range(65))]),
            ('edges that descend', 'edge 2|ascend',
             [f32, '--edges', save('a', np.float32([0, 2, 1]))]),
            ('edges of NaN', 'edge 1|NaN', [f32, '--edges', save('b', np.float32([0, np.nan, 1]))]),
            ('one edge', '1 x 1|2 to 65537', [f32, '--edges', save('c', np.float32([0]))]),
            ('edges beyond the type', 'edge 0|u8',
             [u8, '--edges', save('d', np.array([256, 300]))]),
            ('edges and a range', '--edges|--range',
             [f32, '--edges', save('e', np.arange(3)), '--range', '0:1']),
            ('edges and log2', '--log2', [f32, '--edges', 'e.npy', '--log2']),
            ('edges and other bins', '--bins', [f32, '--edges', 'e.npy', '--bins', 5]),
            ('edges that are missing', 'none.npy', [f32, '--edges', 'none.npy']),
            ('edges of a photograph', '3', [f32, '--edges', f'{DATA}/astronaut.png']),
            ('an unknown algorithm', 'local-atomics', [f32, '--bins', 3, '--algorithm', 'fast']),
            ('a count on the GPU of chunks', '--count-on-gpu',
             [f32, '--bins', 3, '--chunk', 1, '--count-on-gpu']),
            ('--exclusive', '--exclusive', [f32, '--bins', 3, '--exclusive'])]:
        refuse(name, 2, words, *arguments)
    refuse('an output that cannot be written', 1, 'no/such', f32, '--bins', 3, '-o',
           'no/such/o.npy')


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for photograph in ('astronaut', 'camera', 'chelsea'):
        check_photograph(photograph)
    luma = np.load(f'{DATA}/chelsea-luma.npy').ravel()
    exact = even_edges(Fraction(float(luma.min())), Fraction(float(luma.max())), 256)
    against_numpy('chelsea-luma', luma,
                  check('chelsea-luma', luma, exact, True, f'{DATA}/chelsea-luma.npy', '--bins',
                        256, '--verify'), 256, None, exact)
    check_luminance()
    check_types()
    check_decimals()
    check_specials()
    check_edges()
    check_log2()
    check_chunks()
    check_radiance()
    check_misled()
    check_text()
    check_plot()
    check_refusals()
    os.chdir('/')
runner_tools.finish()
