#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce: reductions, devices and the command line. Prints TAP."""
import json
import math
import os

import png
import runner_tools
from runner_tools import (DESCR, MISLED, PROGRAM, Near, answer, answers, array, differences, npy,
                          ok, pack, read, refusals, refuse, says, write)


def call(*arguments, program=PROGRAM, **more):
    return runner_tools.call(program, *arguments, **more)


def test_data():
    """Known answers of real data. A device may lack the type."""
    lacking = runner_tools.is_lacking(PROGRAM, 'storageBuffer8BitAccess')
    for file, kind, count, option, result in [
            ('chelsea-luma.npy', 'f32', 135300, '',
             {'min': 0.015119999647140503, 'max': 0.7556172609329224, 'argmax': 28865}),
            ('camera.png', 'u8', 262144, '--count-on-gpu',
             {'min': 0, 'max': 255, 'sum': 33832495, 'argmin': 198262}),
            ('astronaut.png', 'u8', 262144, '',
             {'max': [255, 255, 255], 'argmin': [7699, 17, 6041]}),
            ('chelsea.png', 'u8', 135300, '--count-on-gpu',
             {'min': [2, 4, 0], 'max': [215, 189, 231]})]:
        command = f'reduce {",".join(result)} data/{file} {option}'
        if lacking and kind == 'u8':
            refusals(2, '', ('bytes are lacking', 'u8|storageBuffer8BitAccess', command))
        else:
            answer('real data', command, result, type=kind, count=count)


def test_help():
    code, out, err = call('--help')
    ok(code == 0 and err == '', 'help: status 0, nothing on stderr', err)
    for word in ('devices', 'reduce', 'scan', 'compact', 'find', 'histogram', 'bin', 'pyramid',
                 'sort', 'merge', 'topk', 'expand', 'select', 'apply', 'bounds', 'tune', '.hdr', 'splitmix64', '130', '--version'):
        ok(word in out, f'help names {word}')
    ok(call() == (2, out, 'vkreduce: no command was given; see vkreduce --help\n'),
       'so does no command at all, which is wrong')
    for command, words in {
            'devices': '--self-test', 'tune': '--quick|bf16', 'pyramid': 'IMAGE|--output',
            'reduce': 'argmin|bf16|--segments|windows:|--tiles|--as-image|--map|log2-luminance|'
                      '--operator|--by|--runs|--keys|--counts',
            'scan': '--operator|xor|--exclusive|flags:|--by|--runs|--verify',
            'sort': '--descending|--indices|--payload|--bits|offsets:|--verify',
            'topk': '65536|--smallest|--indices|--payload|rows:|--verify',
            'expand': '--ranks|--payload|--capacity|--verify',
            'merge': 'A, B|--indices|--payload|--descending|--verify',
            'select': '--ranks|--quantiles|--indices|rows:|--verify',
            'apply': 'FUNCTION|log-softmax|offsets:|--axis|--verify',
            'bounds': 'lower|upper|--descending|--verify',
            'find': 'PREDICATE|unique|0.2<=x<0.8|--chunk',
            'bin': '--bins|4096|--counts|--offsets|--indices', 'histogram': '--quantiles|--plot',
            'compact': '--predicate|unique|0.2<=x<0.8|--run-lengths|--chunk|f16'}.items():
        code, out, err = call(command, '--help')
        ok(code == 0 and err == '' and all(word in out for word in words.split('|')) and
           out.count('\n') <= 40 and max(map(len, out.splitlines())) <= 100 and
           f'\nexample: vkreduce {command}' in out, f'{command} --help says what it has', out + err)
    for command, names in {'sort': ['components'], 'topk': ['components'],
                           'bounds': ['components'], 'bin': ['chunk']}.items():
        out = call('help', command)
        ok(out == call(command, '--help') and not any(f'--{name} ' in out[1] for name in names),
           f'help {command} leaves out what it refuses', out)
    ok(call('help') == call('--help'), 'help is --help')
    ok(call('-V') == call('--version'), '-V is --version')
    for name, meant in {'std': 'stddev', 'var': 'variance', 'avg': 'mean', 'average': 'mean',
                        'prod': 'product', 'norm': 'l2', 'median': '--quantiles 0.5',
                        'cumsum': 'vkreduce scan sum?'}.items():
        refuse(PROGRAM, f'the OP {name}', 2, f"'{name}' is not an OP|did you mean|{meant}",
               'reduce', f'min,{name}', 'random:9')
    refuse(PROGRAM, 'an order by another name', 2, "'--reverse'|did you mean --descending?", 'sort',
           'random:9', '-o', 'out.npy', '--reverse')
    whole = ['auto', 'single', 'subgroup', 'tree', 'recursive']
    known = {'reduce': [*whole, 'lanes', 'merge', 'groups', 'split', 'pingpong', 'recursive-2d'],
             'scan': ['auto', 'reduce-then-scan', 'single-pass', 'hillis-steele', 'blelloch'],
             'compact': ['auto', 'scan-scatter', 'single-pass', 'horn', 'blelloch-gather', 'roger',
                         'roger-sequential'],
             'histogram': ['auto', 'shared', 'global', 'local-atomics'],
             'pyramid': ['auto', 'pingpong', 'recursive-2d', 'single', 'hybrid'],
             'sort': ['auto', 'three-pass', 'one-workgroup', 'bitonic', 'onesweep']}
    for command, names in known.items():
        code, out, err = call(command, '--algorithm', 'help')
        ok(code == 0 and [line.split()[0] for line in out.splitlines()] == names,
           f'algorithm help lists the algorithms of {command}', out)
    code, out, err = call('--algorithm=help')
    ok(code == 0 and all(f'{command}:\n' in out for command in known), 'and of all commands', out)
    return whole


def test_usage():
    """Uses files of earlier tests."""
    array('two.npy', 'f32', [1, 2])
    write('raw.bin', b'12345')
    refusals(
        2, '',
        ('an unknown command', "'dance'", 'dance'),
        ('an option of another command', '--verify', 'devices --verify'),
        ('an operand of devices', 'none', 'devices 1'),
        ('a device index too large', '--device', 'devices --device 99'))
    refusals(
        2, 'reduce',
        ('no operands', 'OP|INPUT', ''),
        ('no input', 'INPUT', 'min'),
        ('too many operands', '4 operands', 'dot three.npy three.npy three.npy'),
        ('an unknown option', '--exclusive|--help', 'min three.npy --exclusive'),
        ('a short option', "'-v'", 'min three.npy -v'),
        ('an unknown operator', "'avg'", 'min,avg three.npy'),
        ('an empty operator', "''", 'min, three.npy'),
        ('an operator twice', 'min|twice', 'min,max,min three.npy'),
        ('dot of one input', 'INPUT2', 'dot three.npy'),
        ('min of two inputs', 'dot', 'min three.npy three.npy'),
        ('inputs of unequal length', '3 elements|2 of', 'dot three.npy two.npy'),
        ('inputs of unequal type', 'f32|u8', 'dot three.npy u8.npy'),
        ('a missing value', '--repeat|N', 'min three.npy --repeat'),
        ('a value for a flag', '--json', 'min three.npy --json=yes'),
        ('a word for a number', '--repeat|many', 'min three.npy --repeat=many'),
        ('an empty number', '--repeat', 'min three.npy --repeat='),
        ('a number out of range', '--components|1 to 4', 'min three.npy --components 5'),
        ('a number past 64 bits', '--offset', 'min three.npy --offset 18446744073709551616'),
        ('an unknown type', '--type|f8|f32', 'min raw.bin --type f8'),
        ('an unknown algorithm', '--algorithm|fast|tree', 'min three.npy --algorithm=fast'),
        ('an unknown determinism', 'run, none, device', 'min three.npy --determinism yes'),
        ('an unknown device', "'GeForce 256'", "min three.npy --device 'GeForce 256'"),
        ('a raw file without a type', '--type', 'min raw.bin'),
        ('of odd length', 'raw.bin|5 bytes|multiple of 4', 'min raw.bin --type f32'),
        ('elements of odd length', '5 bytes|2 x u8', 'min raw.bin --type u8 --components 2'),
        ('that ends inside an element', 'raw.bin|element 1|1 of its bytes|2 x u8',
         'min raw.bin --type u8 --components 2 --stride 4'),
        ('an offset off the type', '--offset is 2', 'min three.npy --offset 2'),
        ('a stride off the type', '--stride is 6', 'min three.npy --stride 6'),
        ('an offset past the end', '--offset is 16|12 bytes', 'min three.npy --offset 16'),
        ('a type against the file', 'f32|i32', 'min three.npy --type i32'),
        ('components against a picture', '3 channels', 'min rgb.png --components 2'),
        ('no such file', 'none.npy|No such file', 'min none.npy'),
        ('a folder', 'regular file', 'min .'),
        ('random without a count', 'random:COUNT', 'min random:'),
        ('a bad count', 'random:-1', 'min random:-1'),
        ('a bad seed', 'random:5:x', 'min random:5:x'),
        ('a seed past 64 bits', 'SEED at most 18446744073709551615',
         'min random:5:18446744073709551616'),
        ('a size past 64 bits', 'COUNT', 'min random:9223372036854775807'),
        ('a chunk past 64 bits', '--chunk|to 18446744073709551615',
         'min three.npy --chunk 17179869184GiB'),
        ('of floats', 'OP is and|INPUT is f32', 'and three.npy'),
        ('an algorithm for segments', '--algorithm is lanes|--segments is not given',
         'min three.npy --algorithm lanes'),
        ('an algorithm for images', '--algorithm is pingpong|--as-image is not given',
         'min three.npy --algorithm pingpong'),
        ('an accumulator of another kind', '--accumulator is u32,|left out, f32 or f64',
         'sum three.npy --accumulator u32'),
        ('a truncated picture', 'cut.png', 'min cut.png'),
        ('a wrong checksum', 'crc.png', 'min crc.png'),
        ('a picture of another kind', 'text.png', 'min text.png'))


def test_npy():
    """The extremes of every type are exact, from files of both byte orders."""
    for kind, values in {
            'i8': [5, 127, -128, 7], 'u8': [5, 255, 0, 7], 'i16': [5, 2**15 - 1, -2**15, 7],
            'u16': [5, 2**16 - 1, 0, 7], 'i32': [5, 2**31 - 1, -2**31, 7],
            'u32': [5, 2**32 - 1, 0, 7], 'i64': [5, 2**63 - 1, -2**63, 7],
            'u64': [5, 2**64 - 1, 0, 7], 'f16': [5.0, 65504.0, -65504.0, 7.0],
            'f32': [5.0, 16777216.0, -1.5, 7.0], 'f64': [5.0, 1.7976931348623157e308, -0.1, 7.0],
            'bf16': [5.0, 255 * 2.0**120, -1.5, 7.0]}.items():
        array(f'{kind}.npy', kind, values)
        size = int(DESCR[kind][2:])
        bytes_ = pack(kind, values)
        swapped = b''.join(bytes_[i:i + size][::-1] for i in range(0, len(bytes_), size))
        descr = DESCR[kind] if kind == 'bf16' else f'>{DESCR[kind][1:]}'
        npy('big.npy', bytes_ if kind == 'bf16' else swapped, descr, '(4,)')
        answer('extremes', 'reduce max,min,argmin,argmax,count big.npy', {
            'max': values[1], 'min': values[2], 'argmin': 2, 'argmax': 1, 'count': 4},
            type=kind, count=4, channels=1, command='reduce', algorithm='auto', inputs=['big.npy'],
            outputs={})


def test_forms():
    """Some forms of .npy headers and kinds of pixels; tests/unit/files.c has the others."""
    six = pack('f32', [1, 2, 3, 4, 5, 6])
    for name, arguments in [
            ('version 2, of Python 2', {'version': 2, 'shape': '(6L,)'}),
            ('version 3, without spaces', {
                'version': 3, 'header': '{"shape":(2,3),"descr":"<f4","fortran_order":False}'})]:
        npy('form.npy', six, **arguments)
        answer(name, 'reduce sum,count form.npy', {'sum': 21, 'count': 6}, count=6)
    npy('truths.npy', bytes([0, 1, 2, 255, 0]), '|b1', '(5,)')
    npy('empty.npy', b'', shape='(0,)')
    palette = (b'PLTE', bytes([1, 2, 3, 250, 100, 50]))
    for file, *picture in [
            ('rgb.png', 1, 1, png.RGB, bytes([1, 2, 3])),
            ('deep.png', 1, 2, png.RGB, bytes(range(1, 13)), 16),
            ('alpha.png', 1, 3, png.GREY_ALPHA, bytes([0, 10, 200, 255, 3, 4])),
            ('two.png', 3, 1, png.GREY, bytes([0b00011000]), 2),
            ('palette.png', 4, 1, png.PALETTE, bytes([0b10010000]), 1, [palette])]:
        write(file, png.encode(*picture))
    data = read('rgb.png')
    write('cut.png', data[:-20])
    write('crc.png', data.replace(b'IDAT', b'IDAT\x01'))
    write('text.png', b'GIF89a')
    answers(
        ('any byte but 0 is true', 'reduce sum,max,argmax truths.npy',
         {'sum': 3, 'max': 1, 'argmax': 1}, {'type': 'u8'}),
        ('nothing', 'reduce argmin,min,max,sum,count,mean empty.npy',
         {'argmin': None, 'min': 'inf', 'max': '-inf', 'sum': 0, 'count': 0, 'mean': 'nan'},
         {'count': 0}),
        ('16 bits', 'reduce sum,max deep.png',
         {'sum': [2058, 3086, 4114], 'max': [1800, 2314, 2828]}, {'type': 'u16', 'channels': 3}),
        ('alpha', 'reduce min,max alpha.png', {'min': [0, 4], 'max': [200, 255]}, {'type': 'u8'}),
        ('2 bits', 'reduce max,sum two.png', {'max': 170, 'sum': 85 + 170}, {'channels': 1}),
        ('a palette', 'reduce sum palette.png', {'sum': [502, 204, 106]}, {'count': 4}))


def test_values():
    """Raw files, random data, and the results of each operator for special values."""
    write('five.bin', bytes([1, 2, 3, 4, 5]))
    write('records.bin', pack('f32', [v for i in range(5) for v in (9e9, i + 0.5, -i, 2 * i)]))
    write('special.bin', pack('f32', [0.0, -0.0, math.nan, math.inf]))
    array('nan.npy', 'f32', [math.nan, math.nan])
    array('ones.npy', 'f32', [1, math.nan, 3, -2, 6])
    array('x.npy', 'i32', [1, 2, 3])
    array('y.npy', 'i32', [4, 5, 6])
    array('big.npy', 'i32', [2**31 - 1] * 3)
    answers(
        ('raw bytes at an odd offset', 'reduce sum,xor five.bin --type u8 --offset 1',
         {'sum': 14, 'xor': 2 ^ 3 ^ 4 ^ 5}, {'type': 'u8', 'count': 4}),
        ('fields of records',
         'reduce min,max,argmin records.bin --type f32 --offset 4 --stride 16 --components 3',
         {'min': [0.5, -4, 0], 'max': [4.5, 0, 8], 'argmin': [0, 4, 0]},
         {'count': 5, 'channels': 3}),
        ('every operator of integers',
         'reduce min,max,sum,product,mean,sumsq,l1,l2,absmax,argmin,argmax,and,or,xor,count,nan,'
         'dot x.npy y.npy',
         {'min': 1, 'max': 3, 'sum': 6, 'product': 6, 'mean': 2, 'sumsq': 14, 'l1': 6,
          'l2': Near(14**0.5), 'absmax': 3, 'argmin': 0, 'argmax': 2, 'and': 0, 'or': 3, 'xor': 0,
          'count': 3, 'nan': 0, 'dot': 32}, {'inputs': ['x.npy', 'y.npy']}),
        ('and a NaN is left out',
         'reduce min,max,mean,sumsq,l1,l2,absmax,nan,variance,stddev,logsumexp ones.npy --nan skip',
         {'min': -2, 'max': 6, 'mean': 2, 'sumsq': 50, 'l1': 12, 'l2': Near(50**0.5), 'absmax': 6,
          'nan': 1, 'variance': 8.5, 'stddev': Near(8.5**0.5),
          'logsumexp': Near(math.log(sum(map(math.exp, (6, 3, 1, -2)))))}),
        ('of a sample', 'reduce variance,stddev x.npy --sample', {'variance': 1, 'stddev': 1}),
        ('only NaN', 'reduce argmin,argmax,min,nan nan.npy',
         {'argmin': None, 'argmax': None, 'min': 'nan', 'nan': 2}),
        ('it propagates', 'reduce argmin,min special.bin --type f32 --nan propagate',
         {'argmin': 2, 'min': 'nan'}),
        ('an accumulator', 'reduce sum big.npy --accumulator i32', {'sum': 2**31 - 3}),
        ('random, in groups', 'reduce max random:12:1 --components 4',
         {'max': [0.5665615200996399, 0.7939965724945068, 0.9710026979446411, 0.6054203510284424]},
         {'count': 3}))
    found = answer('NaN, infinity and zero',
                   'reduce argmin,argmax,max,nan,sum,min special.bin --type f32',
                   {'argmin': 1, 'argmax': 3, 'max': 'inf', 'nan': 1, 'sum': 'nan', 'min': 0})
    ok(math.copysign(1, found['result']['min']) == -1, 'and its sign')


def test_options(algorithms):
    """Options that change how results are computed, but not the results."""
    sums = {'min': -2147453843, 'sum': 2046550458, 'mean': 20465.30078125, 'argmin': 4718}
    command = 'reduce min,sum,mean,argmin random:100001:7 --type i32'
    for extra in ['--count-on-gpu --repeat 3 --staging --device 0', '--determinism none',
                  *(f'--algorithm {name}' for name in algorithms if name != 'auto')]:
        name = extra.split()[-1] if 'algorithm' in extra else 'auto'
        answer('the same', f'{command} {extra}', sums, algorithm=name)
    answers(
        ('of floats at level device', 'reduce sum,l2 random:100001:7 --determinism device',
         {'sum': Near(49972.285168), 'l2': Near(182.546046)}),
        ('at level run', 'reduce sum random:5000 --determinism run', {'sum': Near(2483.4807)}),
        ('staging in pieces, from seed 0', 'reduce sum,xor random:9000000 --type u64 --staging',
         {'sum': 9055408115140462064, 'xor': 10933991652689643514}, {'verify': False}))
    says('a table for people', 'reduce argmax,min x.npy --verify', 'argmax   2\nmin      1\n',
         'verified yes\n')
    differences(('sum', 'reduce sum x.npy'), ('count', 'reduce count,max rgb.png'),
                ('min', 'reduce min random:1000'))
    code, out, err = call('reduce', 'sum', 'x.npy', '--verify', program=MISLED)
    ok(code == 3 and 'it differs' in out, 'the table says so too', out)


def test_files():
    """-o: an array of [segment][operator][channel], where there are several of each."""
    array('bytes.npy', 'u8', [5, 1, 7, 3, 200, 100])
    array('many.npy', 'u8', [1] * 9000)
    array('halves.npy', 'f64', [0.1, -0.0, math.inf, 2**-1074])
    array('four.npy', 'f32', [1.5, math.nan, -2.25, 8])
    of = 'out.npy'
    answers(
        ('one number', 'reduce sum bytes.npy -o out.npy', {'sum': 316},
         {'files': {of: ('u64', (), [316])}, 'outputs': {'output': of}}),
        ('operators in their order', 'reduce max,min bytes.npy -o out.npy', {'max': 200, 'min': 1},
         {'files': {of: ('u8', (2,), [200, 1])}}),
        ('segments', 'reduce sum bytes.npy --segments rows:2 -o out.npy', None,
         {'files': {of: ('u64', (3,), [6, 10, 300])}}),
        ('components', 'reduce argmax bytes.npy --components 2 -o out.npy', None,
         {'files': {of: ('u32', (2,), [2, 2])}}),
        ('all of them', 'reduce max,min bytes.npy --components 2 --segments windows:2 -o out.npy',
         None, {'files': {of: ('u8', (2, 2, 2), [7, 3, 5, 1, 200, 100, 7, 3])}}),
        ('tiles of a picture', 'reduce max data/astronaut.png --tiles 512x300 -o out.npy', None,
         {'files': {of: ('u8', (2, 3), [255] * 6)}}),
        ('chunks', 'reduce sum many.npy --segments rows:3000 --chunk 1 -o out.npy',
         None, {'files': {of: ('u64', (3,), [3000] * 3)}, 'chunks': 3}),
        ('exact bits', 'reduce max,min,absmax halves.npy -o out.npy', None,
         {'files': {of: ('f64', (3,), [math.inf, -0.0, math.inf])}}),
        ('NaN', 'reduce max,min four.npy --nan propagate -o out.npy', None,
         {'files': {of: ('f32', (2,), [math.nan, math.nan])}}),
        ('nothing is found', 'reduce argmin nan.npy -o out.npy', {'argmin': None},
         {'files': {of: ('u32', (), [2**32 - 1])}}),
        ('no segment', 'reduce sum random:0 --segments rows:5 -o out.npy', {'sum': []},
         {'files': {of: ('f32', (0,), [])}}))
    two = (('min', 'u8'), ('argmin', 'u32'))
    every = [('min', 'u8', 1), ('max', 'u8', 200), ('sum', 'u64', 316), ('product', 'u64', 2100000),
             ('mean', 'f32', 52.66666793823242), ('sumsq', 'u64', 50084), ('l1', 'u64', 316),
             ('l2', 'f32', 223.7945556640625), ('absmax', 'u8', 200), ('argmin', 'u32', 1),
             ('argmax', 'u32', 4), ('and', 'u8', 0), ('or', 'u8', 239), ('xor', 'u8', 172),
             ('count', 'u64', 6), ('nan', 'u64', 0), ('variance', 'f32', 5573.5556640625),
             ('stddev', 'f32', 74.65625)]
    answers(
        ('two types', 'reduce min,argmin bytes.npy -o out.npy', {'min': 1, 'argmin': 1},
         {'files': {of: (two, (), [1, 1])}}),
        ('and segments', 'reduce min,argmin bytes.npy --segments rows:2 -o out.npy', None,
         {'files': {of: (two, (3,), [1, 1, 3, 1, 100, 1])}}),
        ('and chunks', 'reduce argmin,min bytes.npy --chunk 1 -o out.npy', None,
         {'files': {of: (two[::-1], (), [1, 1])}, 'chunks': 1}),
        ('windows in chunks', 'reduce min,argmin bytes.npy --segments windows:5 --chunk 1 '
         '-o out.npy', None, {'files': {of: (two, (2,), [1, 1, 1, 0])}, 'chunks': 2}),
        ('components', 'reduce sum,mean,argmax bytes.npy --components 2 --segments windows:2 '
         '-o out.npy', None,
         {'files': {of: ((('sum', 'u64', (2,)), ('mean', 'f32', (2,)), ('argmax', 'u32', (2,))),
                         (2,), [12, 4, 6.0, 2.0, 1, 1, 207, 103, 103.5, 51.5, 1, 1])}}),
        ('all operators', f'reduce {",".join(name for name, _, _ in every)} bytes.npy -o out.npy', None,
         {'files': {of: (tuple(row[:2] for row in every), (), [row[2] for row in every])}}),
        ('a field of it', 'reduce sum out.npy --field argmax', {'sum': 4}, {'type': 'u32'}))
    os.remove(of)
    refusals(1, 'reduce', ('a missing folder', 'no/out.npy', 'min bytes.npy -o no/out.npy'))


def test_numbers():
    """Counts and sizes with fractions, exponents and units, exactly."""
    for count, right in [('1e2', 100), ('2.5e1', 25), ('0.05E+2', 5), ('4000e-2', 40), ('7.0', 7),
                         ('.5e1', 5), ('0e99', 0)]:
        answer('a count', f'reduce count random:{count}', {'count': right}, count=right)
    array('many.npy', 'u8', [1] * 9000)
    for size, chunks in [('1.5KiB', 6), ('0.0029296875MiB', 3), ('3e3', 3), ('3001', 3),
                         ('2.86102294921875e-6GiB', 3), ('00030.5e2', 3), ('45.00e2', 2)]:
        answer('a size', f'reduce sum many.npy --segments rows:1 --chunk {size}', None,
               chunks=chunks)
    answer('others', 'reduce sum many.npy --segments rows:4.5e3 --offset 0e1 --stride 1.0 '
           '--repeat 2e0', {'sum': [4500, 4500]})
    refusals(
        2, 'reduce sum many.npy',
        *((f'a size of {size}', f"--chunk is '{size.strip(chr(39))}'|whole number of bytes|1.5GiB",
           f'--chunk {size}') for size in
          ('1.0000001e3', '1.0001KiB', '0.5', '1e20', '17179869184GiB', '1e', 'e3', '1e+', '.',
           '1..5', "'1.5 MiB'", '1.5MB', '-1', '1e-3', '0x10', '9007199254740993.5', 'nan',
           '1e999999999999')),
        ('a fraction of an element', "'rows:1.5'|LEN", '--segments rows:1.5'),
        ('a fraction of an execution', "'2.5'|whole number", '--repeat 2.5'))
    refusals(2, 'reduce', ('a fraction of a count', 'whole numbers', 'sum random:1.5'),
             ('a count past 64 bits', 'COUNT', 'sum random:1.00000000000000000000000000000001e32'),
             ('a fraction of a tile', 'WxH', 'sum data/camera.png --tiles 1.5x2'))


def test_devices():
    code, out, err = call('devices', '--self-test', '--json')
    devices = json.loads(out)['devices'] if code == 0 else []
    ok(len(devices) > 0 and err == '', 'devices as JSON', err)
    for i, device in enumerate(devices):
        test = device['self_test']
        ok(device['index'] == i and device['usable'] is True and
           all(need['without'] for need in device['requirements']) and device['requirements'] and
           test['group_path'] != 'none' and test['shared']['checks'] > 9 and
           not any(test[group_path]['wrong'] for group_path in list(test)[1:]),
           f'device {i}: its requirements, each with what its absence costs, and its self-test',
           device)
    name = devices[0]['device']
    says('people', 'devices', name, 'usable')
    says('people', 'devices --self-test',
         f'self-test: group path {devices[0]["self_test"]["group_path"]} is used')
    answer('a part of its name', f"reduce count random:5 --device '{name[1:6].upper()}'",
           {'count': 5}, device=name)
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    for command in (['devices'], ['reduce', 'min', 'random:5']):
        refuse(PROGRAM, f'no driver, {command[0]}', 1, 'driver', *command, env=none)
    with open('/dev/full', 'w') as full:
        code, out, err = call('devices', stdout=full)
    ok(code == 1 and 'standard output' in err, 'an output that cannot be written', err)


with runner_tools.workplace():
    test_data()
    if MISLED:
        all_algorithms = test_help()
        array('three.npy', 'f32', [1, 2, 3])
        test_npy()
        test_forms()
        test_usage()
        test_values()
        test_options(all_algorithms)
        test_files()
        test_numbers()
        test_devices()
