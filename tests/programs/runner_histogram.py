#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests histograms and quantiles of the program vkreduce. Prints TAP. The expected counts are from
numpy; edges and quantiles are from exact arithmetic, as histogram.h defines them."""
import json
import os

import png
import runner_tools
from runner_tools import (MISLED, PROGRAM, Crc, Part, answer, answers, array, ok, read, refusals,
                          refuse, run, says, write)

INF, NAN = float('inf'), float('nan')
ASTRONAUT = [Part(counts=Crc(crc), below=0, above=0, nan=0)
             for crc in (0x349ec7d2, 0xedab3414, 0x84d1d4a1)]
UNIT = [0.25, 0.3125, 0.375, 0.4375, 0.5, 0.5625, 0.625, 0.6875, 0.75]
FLOATS = [6282.612228393555, 6230.040542602539, 6249.150588989258, 6277.518295288086,
          6300.51139831543, 6253.674453735352, 6234.087066650391, 6166.18440246582]
SIGNED = [-5178, -13032, 1327, -33956, 14152, 29019, -81096, 55870]
EDGES = [0.25000929832458496, 0.3333389163017273, 0.41666853427886963, 0.49999815225601196]
QUARTER = [8475, 8290, 8403]
SUMS = [3627444, 30205051]
HALVES = [1222, 1258, 1258, 1202, 1263, 1274, 1249, 1261], 4965, 5059


def random_float(seed, i):
    """Value i of random:COUNT:SEED as f32, which README.md describes."""
    z = seed + (i + 1) * 0x9e3779b97f4a7c15
    z = (z ^ (z % 2**64 >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ^ (z % 2**64 >> 27)) * 0x94d049bb133111eb
    return ((z ^ (z % 2**64 >> 31)) % 2**64 >> 40) * 2**-24


def test_photographs():
    for extra in ('--algorithm shared', '--algorithm global', '--algorithm local-atomics',
                  '--as-image --count-on-gpu --repeat 2', '--staging --chunk 100000'):
        answer('numpy.bincount', f'histogram data/astronaut.png --bins 256 --range 0:256 {extra} '
               '-o o.npy', ASTRONAUT, files={'o.npy': ('u64', (3, 256), Crc(0x86113330))},
               chunks=8 if 'chunk' in extra else None,
               algorithm=extra.split()[-1] if 'algorithm' in extra else 'auto')
    answer('numpy.histogram, of the own range', 'histogram data/camera.png --bins 10 '
           '--quantiles 0,0.5,1 -o o.npy', {
               'counts': [35368, 38785, 5713, 4093, 9626, 38530, 45402, 39344, 42553, 2730],
               'below': 0, 'above': 0, 'nan': 0,
               'edges': [0, 25.5, 51, 76.5, 102, 127.5, 153, 178.5, 204, 229.5, 255],
               'quantiles': {'0': 0, '0.5': 152.30972290039062, '1': 255}},
           files={'o.npy': ('u64', (10,), [35368, 38785, 5713, 4093, 9626, 38530, 45402, 39344,
                                           42553, 2730])})
    for extra in ('', '--as-image'):
        answer('luminance', 'histogram data/astronaut.png --map luminance --bins 8 --range 0:256 '
               f'--quantiles 0.5 {extra}',
               Part(counts=[58927, 23733, 20071, 34534, 35243, 41773, 39262, 8601], below=0,
                    above=0, quantiles={'0.5': 122.26142120361328}), type='f32', channels=1)


def test_types():
    for kind, span, counts, below, above, median in [
            ('i8', '-70:70', [1504, 1517, 1571, 1624, 1662, 1563, 1564], 4555, 4451,
             1.2130541801452637),
            ('u16', '100:60005', [2621, 2708, 2533, 2672, 2526, 2602, 2614], 35, 1700,
             29860.333984375),
            ('i32', '-700000000:700000000', [950, 938, 954, 957, 897, 926, 981], 6685, 6723,
             -3970742),
            ('i64', f'-{7 << 60}:{7 << 60}', [2523, 2468, 2557, 2518, 2485, 2479, 2516], 1263, 1202,
             -3.113529113365709e+16),
            ('u64', f'{7 << 60}:{14 << 60}', [1202, 1263, 1274, 1249, 1261, 1207, 1316], 8703, 2536,
             1.212644500071619e+19),
            ('f16', '0.25:0.75', *HALVES, 0.5026474595069885),
            ('f64', '0.25:0.75', *HALVES, 0.5026474663463887),
            ('bf16', '0.25:0.75', *HALVES, 0.5026474595069885)]:
        answer('a part', f'histogram random:20011:5 --type {kind} --bins {len(counts)} --range '
               f'{span} --quantiles 0.5', Part(counts=counts, below=below, above=above,
                                              quantiles={'0.5': median}), type=kind, count=20011)


def test_values():
    """Values on edges that no float equals, values next to edges, and NaN."""
    below, above = 0.09999999403953552, 0.10000000894069672  # the floats next to 0.1
    array('special.npy', 'f32', [NAN, INF, -INF, -0.0, 0.0, 2**-149, -2**-149, 1, 0.5, 0.1, below,
                                 above, 3e38, -1])
    array('decimals.npy', 'f64', [i / 1000 for i in range(1001)])
    array('singles.npy', 'f32', [i / 1000 for i in range(1001)])
    array('same.npy', 'f32', [3] * 1000)
    array('bytes.npy', 'u8', [3] * 1000)
    same = {'counts': [0, 0, 1000, 0], 'below': 0, 'above': 0, 'nan': 0, 'quantiles': {},
            'edges': [2.5, 2.75, 3, 3.25, 3.5]}
    answers(
        *(('decimals', f'histogram {name}.npy --bins 1000 --range 0:1 --closed',
           Part(counts=[1] * 999 + [2], below=0, above=0)) for name in ('decimals', 'singles')),
        ('special values', 'histogram special.npy --bins 10 --range 0:1',
         Part(counts=[4, 2, 0, 0, 0, 1, 0, 0, 0, 0], below=3, above=3, nan=1)),
        ('HI in the last bin', 'histogram special.npy --bins 10 --range 0:1 --closed',
         Part(counts=[4, 2, 0, 0, 0, 1, 0, 0, 0, 1], below=3, above=2, nan=1)),
        ('equal values: half below, half above', 'histogram same.npy --bins 4', same),
        ('equal integers', 'histogram bytes.npy --bins 4', same),
        ('up to the largest f32', 'histogram special.npy --bins 1 --range 0:3.4028235e38',
         Part(counts=[9], below=3, above=1, nan=1)),
        ('nothing', 'histogram random:0 --bins 3 --range 0:1 --quantiles 0.5',
         Part(counts=[0, 0, 0], quantiles={'0.5': 'nan'})))


def test_edges():
    array('five.npy', 'f32', [0, 0.1, 0.5, 0.5, 1])
    array('bytes.npy', 'u8', [0, 1, 2, 9, 10, 200, 255])
    array('huge.npy', 'u64', [0, 2**63 - 1, 2**63, 2**64 - 1, 2**53 + 1])
    array('e64.npy', 'f64', [-1, 0.1, 0.5, 0.5, 1])
    array('fractions.npy', 'f32', [-20, 0.5, 1.75, 9.25, 1000])
    array('exact.npy', 'u64', [0, 2**53 + 1, 2**63, 2**64 - 1])
    for extra, last in (('', 2), ('--closed', 3)):
        answer('edges of f64 for f32, two of them equal', 'histogram five.npy --edges e64.npy '
               f'--quantiles 0.5 {extra}', Part(counts=[1, 1, 0, last], above=3 - last))
    answers(
        ('fractions, and edges beyond the type', 'histogram bytes.npy --edges fractions.npy '
         '--quantiles 0.25', {'counts': [1, 1, 2, 3], 'below': 0, 'above': 0, 'nan': 0,
                              'quantiles': {'0.25': 1.4375},
                              'edges': [-20, 0.5, 1.75, 9.25, 1000]}),
        ('exactly', 'histogram huge.npy --edges exact.npy --closed', Part(counts=[1, 2, 2])))


def test_log2():
    array('zero.npy', 'f32', [0, 1])
    array('negative.npy', 'f32', [-2.5, 1])
    array('powers.npy', 'f32', [2.0**k for k in range(-8, 8)])
    fifths = [30, 132, 462, 1947, 7418]
    answers(
        ('powers of 2', 'histogram powers.npy --log2 --bins 16 --range 0.00390625:256',
         Part(counts=[1] * 16, edges=[2.0**k for k in range(-8, 9)])),
        ('decimals', 'histogram random:10000 --log2 --bins 5 --range 0.001:1 --quantiles 0.5',
         Part(counts=fifths, below=11, quantiles={'0.5': 0.4958292841911316},
              edges=[0.0010000000474974513, 0.003981071524322033, 0.015848932787775993,
                     0.06309573352336884, 0.25118863582611084, 1])),
        ('its own range', 'histogram random:10000 --log2 --bins 5',
         Part(counts=[6, 26, 208, 1317, 8443], edges=Crc(0xa4b55793))),
        ('f64', 'histogram random:10000 --type f64 --log2 --bins 5 --range 0.001:1',
         Part(counts=fifths, below=11, edges=[0.001, 0.003981071705534963, 0.015848931924611117,
                                              0.06309573444801916, 0.2511886431509577, 1])),
        ('u16', 'histogram random:10000 --type u16 --log2 --bins 16 --range 1:65536',
         Part(counts=[0, 0, 2, 1, 2, 5, 10, 26, 43, 73, 168, 310, 636, 1314, 2465, 4945],
              edges=[2**k for k in range(17)])))
    refusals(2, 'histogram --log2 --bins 3 -o no.npy --plot no.png',
             ('a value that is 0', 'log2|greater than 0|--range|0', 'zero.npy'),
             ('a negative value', '-2.5|--range', 'negative.npy'))


def test_chunks():
    array('tenths.npy', 'f64', [k / 10 for k in range(11)])
    for extra, chunks in (('', None), ('--chunk 256KiB --repeat 2', 5)):
        answer('its own range', 'histogram random:300007:3 --bins 333 --quantiles 0.1,0.9 '
               f'-o o.npy {extra}', Part(
                   counts=Crc(0xb4a5c487), edges=Crc(0x3bb2bc9e), below=0, above=0,
                   quantiles={'0.1': 0.10020650923252106, '0.9': 0.9003143906593323}),
               chunks=chunks)
    answers(
        ('of 3 components', 'histogram random:300006:3 --type u16 --components 3 --bins 50 --range '
         '100:60000 --chunk 256KiB --quantiles 0.5', [
             Part(counts=Crc(crc), below=below, above=above, quantiles={'0.5': median})
             for crc, below, above, median in [
                 (0x3acfd61f, 146, 8227, 30179.916015625), (0x69dca599, 142, 8196, 29891.640625),
                 (0x4f438481, 154, 8415, 30125.859375)]], {'chunks': 3}),
        ('edges', 'histogram random:100000 --edges tenths.npy --closed --chunk 1',
         Part(counts=[9828, 10105, 10208, 9927, 10017, 10085, 10014, 9943, 9795, 10078]),
         {'chunks': 13, 'inputs': ['random:100000'], 'outputs': {}}))


def test_names():
    """Two outputs need two files, however these are named."""
    os.mkdir('folder')
    os.symlink('same.npy', 'link.npy')
    array('three.npy', 'f32', [1, 2, 3])
    refusals(
        2, 'histogram three.npy --bins 2 -o same.npy --plot',
        ('the same name', 'same.npy|two outputs|--output and --plot', 'same.npy'),
        ('another name of it', './same.npy|two outputs', './same.npy'),
        ('a link to it', 'link.npy|two outputs', 'link.npy'),
        ('a way through another folder', 'same.npy|two outputs', 'folder/../same.npy'))
    refusals(
        2, 'compact nonzero three.npy --indices same.npy --rejected',
        ('the same name', 'same.npy|two outputs|--indices and --rejected', 'same.npy'),
        ('another name of it', './same.npy|two outputs', './same.npy'))


def test_weights():
    """Sums of weights in place of counts, and elements that are left out; also in chunks."""
    array('x.npy', 'f32', [0.5, 1.5, 1.25, 2, -1, 9, NAN, 3])
    array('w.npy', 'i16', [5, -7, 3, 1000, -2, 30, 11, -4])
    array('u.npy', 'u32', [2**32 - 1] * 8)
    array('f.npy', 'f32', [0.5, 1e9, NAN, 2**-17, -0.25, 3 * 2**-17, 2**-16, -1e9])
    array('m.npy', 'f32', [1, 0, -0.0, NAN, 0.5, 0, 1, 1])
    array('pairs.npy', 'u8', [1, 2, 3, 4, 5, 6, 1, 1, 9, 9, 2, 3, 4, 4, 5, 5], '(8, 2)')
    most = (2**31 - 128) / 2**16
    bins = 'histogram x.npy --bins 4 --range 0:4 -o o.npy'
    signed = [5, -4, 1000, -4]
    answers(
        ('signed weights', f'{bins} --weights w.npy',
         Part(counts=signed, below=-2, above=30, nan=11),
         {'files': {'o.npy': ('i64', (4,), signed)}}),
        ('sums beyond 32 bits', f'{bins} --weights u.npy',
         Part(counts=[2**32 - 1, 2**33 - 2, 2**32 - 1, 2**32 - 1], nan=2**32 - 1), {
             'files': {'o.npy': ('u64', (4,), [2**32 - 1, 2**33 - 2, 2**32 - 1, 2**32 - 1])}}),
        ('floats, rounded, clamped and NaN', f'{bins} --weights f.npy',
         Part(counts=[0.5, most, 0, -32768], below=-0.25, above=2**-15, nan=2**-16),
         {'files': {'o.npy': ('f64', (4,), [0.5, most, 0.0, -32768.0])}}),
        ('in whole numbers', f'{bins} --weights f.npy --weight-bits 0',
         Part(counts=[0, 1e9, 0, -1e9], below=0)),
        ('in more bits', f'{bins} --weights f.npy --weight-bits 17',
         Part(counts=[0.5, most / 2, 2**-17, -16384], above=3 * 2**-17)),
        ('a mask', f'{bins} --mask m.npy', Part(counts=[1, 0, 1, 1], below=1, above=0, nan=1),
         {'files': {'o.npy': ('u64', (4,), [1, 0, 1, 1])}}),
        ('a mask and weights', f'{bins} --mask m.npy --weights w.npy --count-on-gpu',
         Part(counts=[5, 0, 1000, -4], below=-2, above=0, nan=11)),
        ('the range of what is left', 'histogram x.npy --bins 2 --mask m.npy --algorithm global',
         Part(counts=[2, 2], edges=[-1, 1, 3], nan=1)),
        ('of components', 'histogram pairs.npy --components 2 --bins 3 --range 0:6 --weights w.npy',
         [Part(counts=[1005, 23, 10], above=-2), Part(counts=[1000, 35, 0], above=1)]))
    answer('quantiles of weights', 'histogram x.npy --bins 4 --range 0:4 --weights u.npy '
           '--quantiles 0.5', Part(quantiles={'0.5': 1.75}))
    answer('of a map', 'histogram data/astronaut.png --map luminance --bins 2 --range 0:256 '
           '--weights data/camera.png --mask data/camera.png', None)
    answer('of nothing', 'histogram random:0 --bins 2 --range 0:1 --weights random:0 '
           '--mask random:0', Part(counts=[0, 0]))
    answer('a picture as weights', 'histogram data/camera.png --bins 2 --range 0:256 '
           '--weights data/camera.png --mask data/camera.png', Part(counts=SUMS))
    thousands = [random_float(3, i) for i in range(100003)]
    array('s.npy', 'i16', [i * 7919 % 2001 - 1000 for i in range(100003)])
    array('third.npy', 'u8', [i % 3 != 1 for i in range(100003)])
    array('quarter.npy', 'u8', [0.25 < x < 0.5 for x in thousands])
    array('pairs64.npy', 'f64', [1] * 8)
    array('three.npy', 'f32', [1, 2, 3])
    for extra, chunks in (('', None), ('--chunk 1', 13), ('--chunk 100000 --staging', 5)):
        answer('floats', 'histogram random:100003:3 --bins 8 --range 0:1 --weights random:100003:9 '
               f'{extra}', Part(counts=FLOATS), chunks=chunks)
        answer('signed and masked', 'histogram random:100003:3 --bins 8 --range 0:1 --weights '
               f's.npy --mask third.npy {extra}', Part(counts=SIGNED), chunks=chunks)
        answer('its own range', f'histogram random:100003:3 --bins 3 --mask quarter.npy {extra}',
               Part(edges=EDGES, counts=QUARTER, below=0, above=0), chunks=chunks)
    refusals(
        2, 'histogram x.npy --bins 4 --range 0:4',
        ('weights of 64 bits', 'pairs64.npy|f64|32 bits', '--weights pairs64.npy'),
        ('too few weights', '3 values|--weights|8 elements', '--weights three.npy'),
        ('too many flags', '16 values|--mask|8 elements', '--mask pairs.npy'),
        ('no such weights', 'none.npy', '--weights none.npy'),
        ('weights of colours', '3 channels|--weights', '--weights data/astronaut.png'),
        ('bits of integers', '--weight-bits|floats', '--weights w.npy --weight-bits 3'),
        ('bits without weights', '--weight-bits|floats', '--weight-bits 3'),
        ('32 bits', "'32'|0 to 31", '--weights f.npy --weight-bits 32'),
        ('quantiles of negative sums', '--quantiles|bin 1 of channel 0 is -4',
         '--weights w.npy --quantiles 0.5'))


# ---- Output and messages ----

def test_texts():
    out = says('65,536 bins fit a page', 'histogram random:100000 --bins 65536 --quantiles 0.5',
               'below', 'nan', 'share    0.5 lies below 0.')
    ok(out.count('\n') < 40, 'a page', out)
    says('a table for each channel', 'histogram data/astronaut.png --bins 4 --range 0:256',
         *(f'channel  {c}\n' for c in range(3)), '[  64  128)')


def test_plot():
    name = "it's a plot.png"
    for command in ('random:10000 --bins 50 --quantiles 0.25,0.75',
                    'data/astronaut.png --bins 64 --log2 --range 1:256'):
        found = run(f'histogram {command} --plot', name)
        width, height, _, pixels = png.decode(read(name))
        ok(found and found['outputs'] == {'plot': name} and (width, height) == (1200, 700) and
           len(set(pixels)) > 10, f'a plot of {command}', (found, width, height))
        os.remove(name)
    plot = 'histogram random:10 --bins 2 -o q.npy --plot'.split()
    refuse(PROGRAM, 'a plot without gnuplot', 1, 'gnuplot|install it', *plot, 'q.png',
           env={'PATH': '/nonexistent'})
    refuse(PROGRAM, 'a plot that cannot be written', 1, 'no/such/p.png', *plot, 'no/such/p.png')
    write('gnuplot', b'#!/bin/sh\n[ $# -eq 1 ] && exit 0\n'
          b'echo >&2\necho "it has no ink" >&2\nexit 3\n')
    os.chmod('gnuplot', 0o755)
    refuse(PROGRAM, 'a gnuplot that fails', 1, 'q.png|it has no ink', *plot, 'q.png',
           env={'PATH': f'{os.getcwd()}:{os.environ["PATH"]}'})


def test_radiance():
    """RGBE texels, which have three mantissas and an exponent, in rows that are not packed."""
    write('picture.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 3500 +X 7\n',
          *(bytes([128 + i % 128, 64, 255, 125 + i % 7]) for i in range(24500)))
    # One bin for each of seven exponents: 128 to 255 have eight bits, and 64 has seven.
    red, green = [0, 0] + [3500] * 7 + [0], [0] + [3500] * 7 + [0, 0]
    for extra, chunks in (('--as-image', None), ('--chunk 1', 3)):
        answer('a Radiance picture', 'histogram picture.hdr --log2 --bins 10 --range 0.015625:16 '
               f'{extra}', [Part(counts=counts, below=0, above=0) for counts in (red, green, red)],
               type='f32', chunks=chunks)


def test_refusals():
    array('three.npy', 'f32', [1, 2, 3])
    array('threes.npy', 'u8', [1, 2, 3])
    array('inf.npy', 'f32', [1, INF])
    array('nan.npy', 'f32', [NAN])
    array('a.npy', 'f32', [0, 2, 1])
    array('b.npy', 'f32', [0, NAN, 1])
    array('c.npy', 'f32', [0])
    array('d.npy', 'i64', [256, 300])
    array('e.npy', 'i64', [0, 1, 2])
    refusals(
        2, 'histogram',
        ('no bins', '--bins', 'three.npy'),
        ('no input', 'INPUT', '--bins 3'),
        ('0 bins', '1 to 65536', 'three.npy --bins 0'),
        ('65,537 bins', '1 to 65536', 'three.npy --bins 65537'),
        ('a range without a colon', 'LO:HI', 'three.npy --bins 3 --range 7'),
        ('a range of words', "'x'|finite", 'three.npy --bins 3 --range 0:x'),
        ('an infinite range', "'inf'|finite", 'three.npy --bins 3 --range 0:inf'),
        ('a range too large', "'1e39'|3.40282e+38|f32", 'three.npy --bins 3 --range 0:1e39'),
        ('a range too large for f64', "'1e309'|1.79769e+308",
         'random:3 --type f64 --bins 3 --range 0:1e309'),
        ('a range without values', "'256:300'|value of u8", 'threes.npy --bins 3 --range 256:300'),
        ('a range below all values', "'-2:0'|value of u8", 'threes.npy --bins 3 --range -2:0'),
        ('a range of more than 2^64', '2^64 above',
         'e.npy --bins 3 --range -1:18446744073709551616'),
        ('bins that do not fit', '--algorithm is local-atomics|--bins is 65536',
         'three.npy --bins 65536 --range 0:1 --algorithm local-atomics'),
        ('an empty LO', "''|number", 'three.npy --bins 3 --range :3'),
        ('a range that descends', "'3:1'|less than HI", 'three.npy --bins 3 --range 3:1'),
        ('an empty range', 'less than HI', 'three.npy --bins 3 --range 3:3'),
        ('a fraction for integers', "'0.5'|whole number|u8", 'threes.npy --bins 3 --range 0.5:3'),
        ('a bound beyond 2^64', 'whole number',
         'threes.npy --bins 3 --range 0:18446744073709551617'),
        ('log2 from 0', 'greater than 0', 'three.npy --bins 3 --range 0:3 --log2'),
        ('an infinite range of data', 'inf|--range', 'inf.npy --bins 3'),
        ('no element and no range', '--range', 'random:0 --bins 3'),
        ('only NaN and no range', '--range', 'nan.npy --bins 3'),
        ('a share of words', "'half'|from 0 to 1", 'three.npy --bins 3 --quantiles 0.1,half'),
        ('a share above 1', "'1.5'", 'three.npy --bins 3 --quantiles 1.5'),
        ('a share that is NaN', "'nan'", 'three.npy --bins 3 --quantiles nan'),
        ('a long share', '32 characters|up to 31',
         'three.npy --bins 3 --quantiles 0.333333333333333333333333333333'),
        ('a long range', '200 characters|up to 127',
         f'three.npy --bins 3 --range {"1" * 200}:3'),
        ('an empty share', "''", 'three.npy --bins 3 --quantiles 0.5,'),
        ('a share twice', '0.5|twice', 'three.npy --bins 3 --quantiles 0.5,0.1,0.5'),
        ('65 shares', '64',
         'three.npy --bins 3 --quantiles ' + ','.join(str(i / 100) for i in range(65))),
        ('edges that descend', 'edge 2|ascend', 'three.npy --edges a.npy'),
        ('edges of NaN', 'edge 1|NaN', 'three.npy --edges b.npy'),
        ('one edge', '1 x 1|2 to 65537', 'three.npy --edges c.npy'),
        ('edges beyond the type', 'edge 0|u8', 'threes.npy --edges d.npy'),
        ('edges and a range', '--edges|--range', 'three.npy --edges e.npy --range 0:1'),
        ('edges and log2', '--log2', 'three.npy --edges e.npy --log2'),
        ('edges and other bins', '--bins', 'three.npy --edges e.npy --bins 5'),
        ('edges that are missing', 'none.npy', 'three.npy --edges none.npy'),
        ('edges of a photograph', '3', 'three.npy --edges data/astronaut.png'),
        ('an unknown algorithm', 'local-atomics', 'three.npy --bins 3 --algorithm fast'),
        ('a count on the GPU of chunks', '--count-on-gpu',
         'three.npy --bins 3 --chunk 1 --count-on-gpu'),
        ('--exclusive', '--exclusive', 'three.npy --bins 3 --exclusive'))
    refusals(1, 'histogram', ('an output that cannot be written', 'no/such',
                              'three.npy --bins 3 -o no/such/o.npy'))
    for command in ('--range 0:1', ''):
        code, out, err = runner_tools.call(MISLED, *'histogram random:1000 --bins 5 --verify --json'
                                           .split(), *command.split())
        ok(code == 3 and err.count('; the scalar reference') == 1 and err.count('\n') == 1 and
           json.loads(out)['verified'] is False, f'--verify notices a difference {command}', err)


with runner_tools.workplace():
    test_photographs()
    test_types()
    test_values()
    test_edges()
    test_log2()
    test_chunks()
    test_names()
    test_weights()
    test_texts()
    test_plot()
    test_radiance()
    test_refusals()
