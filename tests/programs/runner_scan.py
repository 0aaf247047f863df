#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command scan of the program vkreduce, and the files that scan and compact write. Prints
TAP."""
import os
import resource
import signal
import struct
import subprocess

import runner_tools
from runner_tools import (MISLED, PROGRAM, Crc, answers, array, differences, npy, ok, pack, read,
                          refusals, refuse, says, write)

NAN, INF = float('nan'), float('inf')
MIB = 1 << 20


def test_everywhere():
    """Only a few calls, since a driver can need seconds to compile the pipelines of each."""
    array('heads.npy', 'u32', [0, 5, 70000, 70001, 140000])
    answers(
        ('segments in chunks, from the last element', 'scan sum random:150001 --type i32 --chunk 1 '
         '--segments offsets:heads.npy --reverse --exclusive --initial 9 -o out.npy',
         {'type': 'i32', 'total': 1624600450},
         {'files': {'out.npy': ('i32', (150001,), Crc(0x850cfc86))}, 'chunks': 3}),
        ('floats', 'scan min random:3000:2 -o out.npy',
         {'type': 'f32', 'total': 0.00017917156219482422},
         {'files': {'out.npy': ('f32', (3000,), Crc(0xdd905d80))}}))


def test_types():
    """Each operator, and the types that runner_compact.py does not write."""
    for kind, to, command, values, total in [
            ('i8', 'i32', 'sum', [5, 8, 17, 117, 118], 118),
            ('u16', 'u32', 'product --exclusive', [1, 5, 15, 135, 13500], 13500),
            ('i32', 'i32', 'and --reverse --exclusive', [0, 0, 0, 1, -1], 0),
            ('u64', 'u64', 'max --initial 18446744073709551615 --reverse', [2**64 - 1] * 5,
             2**64 - 1),
            ('u8', 'u8', 'or', [5, 7, 15, 111, 111], 111),
            ('i64', 'i64', 'xor --exclusive --initial -1', [-1, -6, -7, -16, -108], -107),
            ('f16', 'f16', 'min --initial 3.5', [3.5, 3.0, 3.0, 3.0, 1.0], 1),
            ('f16', 'f32', 'sum --count-on-gpu', [5.0, 8.0, 17.0, 117.0, 118.0], 118),
            ('bf16', 'f32', 'product', [5.0, 15.0, 135.0, 13500.0, 13500.0], 13500),
            ('f32', 'f64', 'sum --accumulator f64', [5.0, 8.0, 17.0, 117.0, 118.0], 118),
            ('f64', 'f64', 'max --exclusive', [-INF, 5.0, 5.0, 9.0, 100.0], 100)]:
        array(f'{kind}.npy', kind, [5, 3, 9, 100, 1])
        answers((kind, f'scan {command} {kind}.npy -o out.npy', {'type': to, 'total': total},
                 {'type': kind, 'count': 5, 'files': {'out.npy': (to, (5,), values)}}))
    array('nan.npy', 'f32', [1, -0.0, NAN, INF, -3, NAN])
    array('negative.npy', 'f16', [-3, -0.5])
    array('none.npy', 'u32', [])
    write('records.bin', *(struct.pack('<Ihh', i, -i, i * i) for i in range(4)))
    answers(
        ('NaN is ignored', 'scan max nan.npy -o out.npy', {'type': 'f32', 'total': 'inf'},
         {'files': {'out.npy': ('f32', (6,), [1.0, 1.0, 1.0, INF, INF, INF])}}),
        ('NaN propagates', 'scan max nan.npy -o out.npy --nan propagate',
         {'type': 'f32', 'total': 'nan'},
         {'files': {'out.npy': ('f32', (6,), [1.0, 1.0, NAN, NAN, NAN, NAN])}}),
        ('the sign of zero', 'scan max negative.npy -o out.npy --initial -0.0',
         {'type': 'f16', 'total': 0}, {'files': {'out.npy': ('f16', (2,), [-0.0, -0.0])}}),
        ('nothing', 'scan sum none.npy -o out.npy', {'type': 'u32', 'total': 0},
         {'files': {'out.npy': ('u32', (0,), [])}}),
        ('fields of records', 'scan sum records.bin -o out.npy --type i16 --offset 4 --stride 8 '
         '--components 2', {'type': 'i32', 'total': [-6, 14]},
         {'files': {'out.npy': ('i32', (4, 2), [0, 0, -1, 1, -3, 5, -6, 14])}, 'count': 4}))


def test_left_out():
    """What a mask leaves out, and NaN, count as the identity."""
    array('holes.npy', 'f32', [1, NAN, 2, NAN, 4])
    array('words.npy', 'i16', [5, -3, 9, 100, 1])
    array('mask.npy', 'u8', [0, 1, 1, 0, 7])
    for name, command, kind, values, total in [
            ('NaN is skipped', 'sum holes.npy --nan skip', 'f32', [1.0, 1.0, 3.0, 3.0, 7.0], 7),
            ('a mask, too', 'product holes.npy --nan skip --mask mask.npy', 'f32',
             [1.0, 1.0, 2.0, 2.0, 8.0], 8),
            ('min and max ignore NaN', 'max holes.npy --nan skip --mask mask.npy', 'f32',
             [-INF, -INF, 2.0, 2.0, 4.0], 4),
            ('a sum', 'sum words.npy --mask mask.npy', 'i32', [0, -3, 6, 6, 7], 7),
            ('the minimum', 'min words.npy --mask mask.npy', 'i16', [32767, -3, -3, -3, -3], -3),
            ('the maximum, from the end', 'max words.npy --mask mask.npy --reverse --exclusive',
             'i16', [9, 9, 1, 1, -32768], 9),
            ('all bits', 'and words.npy --mask mask.npy', 'i16', [-1, -3, 9 & -3, 9 & -3, 1], 1),
            ('a column', 'sum words.npy --mask mask.npy --axis 0', 'i32', [0, -3, 6, 6, 7], 7)]:
        answers((name, f'scan {command} -o out.npy', {'type': kind, 'total': total},
                 {'files': {'out.npy': (kind, (5,), values)}}))
    array('many.npy', 'u8', [i * 7 % 5 // 2 for i in range(150001)])
    array('heads.npy', 'u32', [0, 5, 70000, 70001, 140000])
    for options, chunks in (('', None), ('--chunk 1 --segments offsets:heads.npy --reverse', 3),
                            ('--chunk 1 --staging', 3)):
        answers(('a mask in chunks', 'scan sum random:150001 --type i32 --mask many.npy -o out.npy '
                 + options, None, {'chunks': chunks}))


def test_options():
    """Algorithms, and options that do not change results."""
    for extra in ('', '--staging --repeat 3 --determinism none', '--algorithm reduce-then-scan',
                  '--algorithm single-pass', '--algorithm hillis-steele', '--algorithm blelloch'):
        algorithm = extra.split()[-1] if 'algorithm' in extra else 'auto'
        answers(('the same', f'scan sum random:5000:3 --type i32 -o out.npy {extra}',
                 {'type': 'i32', 'total': 869216365},
                 {'files': {'out.npy': ('i32', (5000,), Crc(0x9645e64e))}, 'algorithm': algorithm}))


def test_segments():
    """Flags of every type, offsets past the end, and rows, the last of which is shorter."""
    array('ten.npy', 'u32', range(1, 11))
    array('flags.npy', 'f64', [0, 0.5, 0, 0, NAN, 0, 0, 0, 0, -1])
    npy('offsets.npy', pack('u64', [1, 1, 4, 9, 10, 2**40]), '<u8', '(6,)')
    tens = [1, 2, 5, 9, 5, 11, 18, 26, 35, 10]
    for where, values in [
            ('flags:flags.npy', tens), ('offsets:offsets.npy', tens),
            ('rows:4 --exclusive --initial 7', [7, 8, 10, 13, 7, 12, 18, 25, 7, 16]),
            ('rows:3:4', [1, 3, 6, 0, 5, 11, 18, 0, 9, 19]),
            ('rows:2:4 --reverse --count-on-gpu', [3, 2, 0, 0, 11, 6, 0, 0, 19, 10]),
            (f'rows:{2**40}', [1, 3, 6, 10, 15, 21, 28, 36, 45, 55])]:
        answers(('segments', f'scan sum ten.npy -o out.npy --segments {where}', None,
                 {'files': {'out.npy': ('u32', (10,), values)}}))


def test_chunks():
    """At level device, chunks give the bits of the whole."""
    array('flags.npy', 'u8', [i % 30011 == 7 for i in range(200001)])
    answers(
        ('a short last row in chunks', 'scan sum random:140001 --type i32 --chunk 1 '
         '--segments rows:70000 --reverse --exclusive --initial 9 -o out.npy',
         {'type': 'i32', 'total': -962544427},
         {'files': {'out.npy': ('i32', (140001,), Crc(0xd3f9ee7b))}, 'chunks': 3}),
        ('a picture in chunks', 'scan max data/astronaut.png -o out.npy --chunk 256KiB',
         {'type': 'u8', 'total': [255, 255, 255]},
         {'files': {'out.npy': ('u8', (262144, 3), Crc(0x75ed35e7))}, 'chunks': 4}))
    for extra, chunks in (('', None), ('--chunk 1', 4)):
        answers(('floats', 'scan sum random:200001 -o out.npy --segments flags:flags.npy '
                 f'--determinism device {extra}', {'type': 'f32', 'total': 9942.6806640625},
                 {'files': {'out.npy': ('f32', (200001,), Crc(0x7f455216))}, 'chunks': chunks}))


def test_usage():
    array('f32.npy', 'f32', [1, 2, 3])
    array('u8.npy', 'u8', [1, 2, 3])
    array('two.npy', 'u32', [0, 2])
    array('down.npy', 'u32', [0, 2, 1])
    refusals(
        2, 'scan',
        ('no output', 'scan|-o OUT.npy', 'sum f32.npy'),
        ('mean', "'mean' is not an OP of scan; it must be sum, product, min, max, and, or or xor\n",
         'mean f32.npy -o x'),
        ('an average', "'avg' is not an OP of scan; it must be", 'avg f32.npy -o x'),
        ('no operator', "'' is not an OP of scan; it must be", "'' f32.npy -o x"),
        *((f'the name {name}', f"'{name}' is not an OP of scan; did you mean {meant}?\n",
           f'{name} f32.npy -o x')
          for name, meant in [('cumsum', 'sum'), ('prod', 'product'), ('cumprod', 'product'),
                              ('maximum', 'max'), ('cummax', 'max'), ('amin', 'min')]),
        ('two operators', "'min,max'", 'min,max f32.npy -o x'),
        ('and of floats', 'and', 'and f32.npy -o x'),
        ('no input', 'INPUT', 'sum -o x'),
        ('windows', 'columns:LEN', 'sum f32.npy -o x --segments windows:3'),
        ('columns of unequal length', 'not a multiple of LEN',
         'sum f32.npy -o x --segments columns:2'),
        ('rows of nothing', 'rows:LEN', 'sum f32.npy -o x --segments rows:0'),
        ('rows that overlap', "'rows:3:2'|PITCH|from 3", 'sum f32.npy -o x --segments rows:3:2'),
        ('chunks of rows that lie apart', "'rows:1:2'|--chunk|all data at once",
         'sum f32.npy -o x --segments rows:1:2 --chunk 4'),
        ('no such segments', 'none.npy', 'sum f32.npy -o x --segments flags:missing-none.npy'),
        ('too few flags', '2 values|3 elements', 'sum f32.npy -o x --segments flags:two.npy'),
        ('for 2^64 - 1 elements', '262144 values|18446744073709551615 elements', 'sum '
         'random:18446744073709551615 --type u8 -o x --segments flags:data/camera.png'),
        ('offsets of floats', '32 or 64 bits', 'sum f32.npy -o x --segments offsets:f32.npy'),
        ('offsets that decrease', 'offset 2 is 1|before 2',
         'sum f32.npy -o x --segments offsets:down.npy'),
        ('an initial word', "--initial: 'one'", 'sum f32.npy -o x --initial=one'),
        ('no initial value', '--initial', 'sum f32.npy -o x --initial='),
        ('an initial fraction', 'whole number', 'max u8.npy -o x --initial=1.5'),
        ('an initial value too large', '0 to 255', 'max u8.npy -o x --initial=256'),
        ('an algorithm for one level', '--algorithm is single-pass|--determinism is device',
         'sum f32.npy -o x --algorithm=single-pass --determinism=device'),
        ('NaN in a word', "'no'|ignore, propagate", 'sum f32.npy -o x --nan=no'),
        ('a short mask', 'two.npy|2 values|--mask needs one for each of',
         'sum f32.npy -o x --mask two.npy'),
        ('a mask of groups', '--mask|--by', 'sum f32.npy -o x --mask f32.npy --by f32.npy'),
        ('another accumulator', '--accumulator is u32|left out, f32 or f64',
         'sum f32.npy -o x --accumulator=u32'),
        ('an algorithm of reduce', 'tree|blelloch', 'sum f32.npy -o x --algorithm=tree'),
        ('an option of compact', '--indices', 'sum f32.npy -o x --indices=y'),
        ('the count from the GPU, in chunks', '--count-on-gpu|--chunk',
         'sum f32.npy -o x --count-on-gpu --chunk=1'),
        ('no such input', 'missing.npy', 'sum missing.npy -o x'))
    differences(('element 2 of sum|is 6', 'scan sum three.npy -o out.npy'),
                ('total of sum', 'scan sum none.npy -o out.npy'),
                ('element', 'scan min random:200000 -o out.npy --chunk=1'))
    says('for people', 'scan sum three.npy -o out.npy --verify', 'output   out.npy: 3 x 1 i32\n',
         'total    6\n', 'verified yes\n')


# ---- Files, of scan and compact ----

def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))


def default_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_files():
    before = read(array('out.npy', 'u8', [7]))
    os.mkdir('folder')
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    for command in ('scan sum', 'compact nonzero'):
        refusals(1, f'{command} f32.npy -o', ('a folder', 'folder|directory', 'folder'),
                 ('a device', '/dev/full|not a regular file', '/dev/full'),
                 ('a missing folder', 'none/x.npy|No such', 'none/x.npy'))
        refuse(PROGRAM, f'{command} without a driver', 1, 'driver', *command.split(), 'f32.npy',
               '-o', 'x', env=none)
    for command in ('scan sum random:1000000', 'scan sum random:1000000 --chunk=1',
                    'compact nonzero random:1000000 --indices i.npy'):
        refuse(PROGRAM, f'{command}: a disk that is full', 1, 'out.npy|cannot be written',
               *command.split(), '-o', 'out.npy', preexec_fn=limit_files)
    refusals(2, '', ('no input', 'missing.npy', 'scan sum missing.npy -o out.npy'))
    ok(read('out.npy') == before, 'an older file outlives failures')
    answers(('an output can replace its input', 'scan sum three.npy -o three.npy', None,
             {'files': {'three.npy': ('i32', (3,), [1, 3, 6])}}))
    for command in ('scan sum', 'compact nonzero'):
        process = subprocess.Popen([PROGRAM, *command.split(), 'random:100000000000', '-o',
                                    'long.npy'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=default_signals)
        while process.poll() is None and not any('long' in name for name in os.listdir('.')):
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        ok(process.returncode == 130 and out == b'' and err.count(b'\n') == 1 and
           not any('long' in name for name in os.listdir('.')),
           f'{command}: an interrupt leaves no file', f'{process.returncode} {out} {err}')


with runner_tools.workplace():
    test_everywhere()
    if MISLED:
        array('three.npy', 'i32', [1, 2, 3])
        test_types()
        test_left_out()
        test_options()
        test_segments()
        test_chunks()
        test_usage()
        test_files()
