#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command compact of the program vkreduce. Prints TAP."""
import struct

import runner_tools
from runner_tools import (MISLED, Crc, answers, array, differences, refusals, says, write)

NAN, INF = float('nan'), float('inf')
# The counts of 'x>0.75' random:10000:1.
COUNTS = {'kept': 2405, 'rejected': 7595}
KEPT, INDICES = ('f32', (2405,), Crc(0x875ea294)), ('u32', (2405,), Crc(0x42c0a5bb))
OUTPUTS = {'k.npy': '-o', 'i.npy': '--indices', 'r.npy': '--rejected',
           'ri.npy': '--rejected-indices', 'l.npy': '--run-lengths'}


def check(name, command, kept, rejected, *contents, **fields):
    """Checks the first outputs of a compaction, each a type, a shape, and values or a checksum."""
    files = dict(zip(OUTPUTS, contents))
    options = ' '.join(f'{OUTPUTS[file]} {file}' for file in files)
    answers((name, f'compact {command} {options}', {'kept': kept, 'rejected': rejected},
             {'files': files, **fields}))


def test_everywhere():
    """Only a few calls, since a driver can need seconds to compile the pipelines of each."""
    check('runs in chunks', 'unique runs.npy --chunk 1', 1750, 1250,
          ('i32', (1750,), Crc(0xb9d7d6ba)), ('u32', (1750,), Crc(0x8ad6552a)),
          ('i32', (1250,), Crc(0xbbe856ef)), ('u32', (1250,), Crc(0xa7722190)),
          ('u32', (1750,), Crc(0x9bd5ba13)), chunks=3)


def test_predicates():
    """Each form of a predicate, with nine special values."""
    array('special.npy', 'f32', [0.0, -0.0, 1.0, NAN, INF, -INF, 2.0**-149, -2.5, 3.0])
    array('flags.npy', 'f16', [1, 0, -0.0, 255, 0, NAN, 0, 0, 128])
    for predicate, kept in [
            ('nonzero', [2, 3, 4, 5, 6, 7, 8]), ('finite', [0, 1, 2, 6, 7, 8]), ('nan', [3]),
            ('! x==0', [2, 3, 4, 5, 6, 7, 8]), ('x<inf', [0, 1, 2, 5, 6, 7, 8]),
            ('x >= 1', [2, 4, 8]), (' -3 < x<= 0 ', [0, 1, 7]), ('3==x', [8]),
            ('2>x>=-2.5e0', [0, 1, 2, 6, 7]), ('x!=nan', list(range(9))),
            ('flags:flags.npy', [0, 3, 5, 8])]:
        answers((predicate, f"compact '{predicate}' special.npy --indices i.npy",
                 {'kept': len(kept), 'rejected': 9 - len(kept)},
                 {'files': {'i.npy': ('u32', (len(kept),), kept)}}))


def test_types():
    """The types that runner_scan.py does not write; components, and fields of records."""
    for kind, predicate, values, kept in [
            ('u8', 'x<255', [254, 255, 0, 7, 255], [0, 2, 3]),
            ('i16', '-32768==x', [-32768, 32767, -32768, 0, 5], [0, 2]),
            ('u32', '4294967295>x', [2**32 - 2, 2**32 - 1, 0, 3, 2**31], [0, 2, 3, 4]),
            ('i64', 'x>9007199254740992', [2**53, 2**53 + 1, -1, 2**63 - 1, -2**63], [1, 3]),
            ('f32', 'x<=0.1', [0.5, 0.10000000149011612, 0.125, -1.0, 0.0], [1, 3, 4]),
            ('bf16', 'x>1', [1.0, 1.5, -2.0, 8.0, 0.0], [1, 3])]:
        array('in.npy', kind, values)
        others = [i for i in range(5) if i not in kept]

        def picked(which, kind=kind, values=values):
            these = [values[i] for i in which]
            these = runner_tools.pack(kind, these) if kind == 'bf16' else these
            return kind, (len(which),), these

        check(kind, f"'{predicate}' in.npy", len(kept), len(others), picked(kept),
              ('u32', (len(kept),), kept), picked(others), ('u32', (len(others),), others),
              type=kind)
    array('pairs.npy', 'i16', [1, -1, 2, 5, 3, 0, 4, 9], '(4, 2)')
    write('records.bin', *(struct.pack('<Ihh', i, i % 2, -i) for i in range(5)))
    check('the second component', "'y>0' pairs.npy --components 2", 2, 2,
          ('i16', (2, 2), [2, 5, 4, 9]), ('u32', (2,), [1, 3]), ('i16', (2, 2), [1, -1, 3, 0]),
          ('u32', (2,), [0, 2]))
    check('fields of records', "'x!=0' records.bin --type i16 --offset 4 --stride 8 --components 2",
          2, 3, ('i16', (2, 2), [1, -1, 1, -3]), ('u32', (2,), [1, 3]),
          ('i16', (3, 2), [0, 0, 0, -2, 0, -4]), ('u32', (3,), [0, 2, 4]))
    array('runs.npy', 'u8', [7, 7, 7, 2, 2, 9, 7])
    array('none.npy', 'f32', [])
    check('runs', 'unique runs.npy', 4, 3, ('u8', (4,), [7, 2, 9, 7]), ('u32', (4,), [0, 3, 5, 6]),
          ('u8', (3,), [7, 7, 2]), ('u32', (3,), [1, 2, 4]), ('u32', (4,), [3, 2, 1, 1]))
    check('nothing', 'nonzero none.npy', 0, 0, ('f32', (0,), []), ('u32', (0,), []),
          ('f32', (0,), []), ('u32', (0,), []), ('u32', (0,), []))


def test_options():
    keep = "'x>0.75' random:10000:1"
    array('thirds.npy', 'f32', [i % 3 for i in range(20000)])
    contents = [KEPT, INDICES, ('f32', (7595,), Crc(0x58e37484)), ('u32', (7595,), Crc(0xee86655d))]
    for options, chunks in [('--count-on-gpu', None), ('--chunk 1', 10),
                            ('--chunk 8KiB --repeat 2 --staging', 5),
                            ('--algorithm scan-scatter', None), ('--algorithm single-pass', None)]:
        check('the same', f'{keep} {options}', 2405, 7595, *contents, chunks=chunks,
              algorithm=options.split()[-1] if 'algorithm' in options else 'auto')
    answers(
        ('counted only', f'compact {keep}', COUNTS, {'outputs': {}}),
        *(('with a capacity', f'compact {keep} --capacity 1500 -o k.npy {extra}', COUNTS,
           {'files': {'k.npy': ('f32', (1500,), Crc(0x223db1a5))}, 'chunks': chunks})
          for extra, chunks in (('', None), ('--chunk 1', 10))),
        ('flags in chunks', 'compact flags:thirds.npy random:20000 --type i32 --chunk 32KiB '
         '-o k.npy', {'kept': 13333, 'rejected': 6667},
         {'files': {'k.npy': ('i32', (13333,), Crc(0xa5064631))}, 'chunks': 3}),
        ('a picture', 'compact !x<=100 data/astronaut.png -o k.npy',
         {'kept': 184065, 'rejected': 78079},
         {'files': {'k.npy': ('u8', (184065, 3), Crc(0x0be4405a))}}))


def test_streams():
    """The algorithms of the document with each of their options, and chunks."""
    for way in ('horn', 'horn --search while', 'blelloch-gather --search for',
                'blelloch-gather --search while',
                'roger --block 8 --block-scan hillis-steele --search for',
                'roger --block 128 --block-scan blelloch --search while --concat elements',
                'roger --block 1024 --block-scan hybrid', 'roger-sequential --block 128',
                'roger --chunk 16KiB'):
        answers((way, f"compact 'x>0.75' random:10000:1 --algorithm {way} -o k.npy --indices i.npy",
                 COUNTS, {'files': {'k.npy': KEPT, 'i.npy': INDICES},
                          'algorithm': way.split()[0], 'chunks': 3 if 'chunk' in way else None}))


def test_usage():
    array('f32.npy', 'f32', [1, 2, 3])
    array('u8.npy', 'u8', [1, 2, 3])
    array('two.npy', 'u32', [0, 2])
    refusals(
        2, 'compact',
        ('no word', "'zero'|--help", 'zero f32.npy'),
        ('nothing', "''", "'' f32.npy"),
        ('half a relation', "'=0.5'|==", 'x=0.5 f32.npy'),
        ('no constant', 'constant', "'x>' f32.npy"),
        ('no variable', "'1<2'|x", "'1<2' f32.npy"),
        ('a relation alone', 'constant', "'<' f32.npy"),
        ('two constants after x', "'<3' after", "'x<2<3' f32.npy"),
        ('a constant after x', 'after', "'x<2 3' f32.npy"),
        ('a word for a number', "'half'", "'x>half' f32.npy"),
        ('a fraction of an integer', "'0.5'|whole number|0 to 255|u8", "'x>0.5' u8.npy"),
        ('a constant too large', "'256'", "'x<256' u8.npy"),
        ('a negative constant', "'-1'", "'x>-1' u8.npy"),
        ('a component too far', "'y'|f32.npy have 1", "'y>1' f32.npy"),
        ('no such flags', 'missing.npy', 'flags:missing.npy f32.npy'),
        ('too few flags', '2 values|3 elements', 'flags:two.npy f32.npy'),
        ('for 2^64 - 1 elements', '262144 values|18446744073709551615 elements',
         'flags:data/camera.png random:18446744073709551615 --type u8'),
        ('no capacity', '--capacity', 'nonzero f32.npy --capacity=0'),
        ('one name twice', 'x.npy|two outputs', 'nonzero f32.npy -o x.npy --rejected x.npy'),
        ('an algorithm of scan', 'blelloch|scan-scatter', 'nonzero f32.npy --algorithm=blelloch'),
        ('an option of scan', '--exclusive', 'nonzero f32.npy --exclusive'),
        ('run lengths in one pass', '--run-lengths|--algorithm is single-pass',
         'unique f32.npy --run-lengths=x --algorithm=single-pass'),
        ('the count from the GPU, in chunks', '--count-on-gpu|--chunk',
         'nonzero f32.npy --count-on-gpu --chunk=1'),
        ('a block of 48', '--block|48|power of two',
         'nonzero f32.npy --algorithm=roger --block=48'),
        ('a block of 4', '--block|4|8', 'nonzero f32.npy --algorithm=roger --block=4'),
        ('blocks for auto', '--block|roger|--algorithm is auto', 'nonzero f32.npy --block=64'),
        ('a search in a loop', '--search|blelloch-gather|roger-sequential',
         'nonzero f32.npy --algorithm=roger-sequential --search=for'),
        ('an unknown search', '--search|default|for',
         'nonzero f32.npy --algorithm=roger --search=default'),
        ('a concatenation of no blocks', '--concat|roger|horn',
         'nonzero f32.npy --algorithm=horn --concat=elements'),
        ('a scan of no blocks', '--block-scan|roger|blelloch-gather',
         'nonzero f32.npy --algorithm=blelloch-gather --block-scan=hybrid'),
        ('rejected elements', 'rejected|--algorithm is horn',
         'nonzero f32.npy --algorithm=horn --rejected=out.npy'))
    array('three.npy', 'i32', [1, 2, 3])
    differences(('kept element 0', 'compact nonzero three.npy -o out.npy'),
                ('index 0', 'compact nonzero three.npy --indices out.npy'),
                ('rejected element 0', "compact 'x>1' three.npy --rejected out.npy"),
                ('rejected index 0', "compact 'x<2' three.npy --rejected-indices out.npy"),
                ('run length 0', "compact 'x>1' three.npy --run-lengths out.npy"))
    says('for people', "compact 'x>1' three.npy --verify", 'kept     2\nrejected 1\n',
         'verified yes\n')


with runner_tools.workplace():
    array('runs.npy', 'i32', [i * i // 5000 for i in range(3000)])
    test_everywhere()
    if MISLED:
        test_predicates()
        test_types()
        test_options()
        test_streams()
        test_usage()
