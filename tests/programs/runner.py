#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program vkreduce from the outside: inputs, results, sentences and exit statuses, as TAP.

runner.py DATA MINIMAL VKREDUCE [MISLED]: DATA is samples/data, MINIMAL the program of that name.
MISLED is vkreduce with a reference that is off by one unit in the last place of every result, so
that --verify has something to find; without it only the real data is reduced.
"""
import json
import math
import os
import struct
import sys
import tempfile
import zlib

import runner_tools
from runner_tools import DESCR, npy, ok, pack, splitmix64, write

DATA, MINIMAL, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:5])


def call(*arguments, program=PROGRAM, **more):
    return runner_tools.call(program, *arguments, **more)


def refuse(name, status, words, *arguments, **more):
    runner_tools.refuse(PROGRAM, name, status, words, *arguments, **more)


def reduce(*arguments, status=0):
    """The JSON object; an empty one, which fails every comparison, where the call failed."""
    code, out, err = call('reduce', *arguments, '--json')
    if code != status:
        print(f'# reduce {arguments}: status {code}, {err}')
        return {'result': {}}
    return json.loads(out)


def expect(name, result, *arguments, **fields):
    answer = reduce(*arguments, '--verify')
    got = {key: answer.get(key) for key in fields}
    ok(answer['result'] == result and got == fields and answer.get('verified') is True, name,
       f'got {answer}\nexpected {result} {fields}')


def chunk(kind, data):
    return (struct.pack('>I', len(data)) + kind + data +
            struct.pack('>I', zlib.crc32(kind + data)))


def png(name, width, height, depth, colour, rows, *extra):
    """rows: the bytes of each row."""
    return write(name, b'\x89PNG\r\n\x1a\n',
                 chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0)),
                 *(chunk(kind, data) for kind, data in extra),
                 chunk(b'IDAT', zlib.compress(b''.join(b'\0' + bytes(row) for row in rows))),
                 chunk(b'IEND', b''))


def test_minimal():
    values = [i * i % 997 - 300.5 for i in range(1000)]
    code, out, err = call(program=MINIMAL)
    ok(code == 0 and err == '' and out == f'min {min(values)}, max {max(values)}\n', 'minimal',
       out + err)


def test_data():
    """Known answers, computed elsewhere. A device may lack the type."""
    lacking = [need['name'] for need in json.loads(call('devices', '--json')[1])['devices'][0]
               ['requirements'] if not need['available']]
    for name, needs, kind, count, result in [
            ('chelsea-luma.npy', '', 'f32', 135300,
             {'min': 0.015119999647140503, 'max': 0.7556172609329224, 'argmax': 28865}),
            ('camera.png', 'storageBuffer8BitAccess', 'u8', 262144,
             {'min': 0, 'max': 255, 'sum': 33832495, 'argmin': 198262}),
            ('astronaut.png', 'storageBuffer8BitAccess', 'u8', 262144,
             {'max': [255, 255, 255], 'argmin': [7699, 17, 6041]}),
            ('chelsea.png', 'storageBuffer8BitAccess', 'u8', 135300,
             {'min': [2, 4, 0], 'max': [215, 189, 231]})]:
        file = os.path.join(DATA, name)
        if needs in lacking:
            refuse(f'{name} without {needs}', 2, f'{kind}|{needs}', 'reduce', 'min', file)
            continue
        for extra in ([], ['--count-on-gpu']):
            expect(f'{name} {" ".join(extra)}', result, ','.join(result), file, *extra, type=kind,
                   count=count)


def test_help():
    code, out, err = call('--help')
    ok(code == 0 and err == '', 'help: status 0, nothing on stderr', err)
    for word in ('devices', 'reduce', 'scan', 'compact', 'histogram', 'pyramid', 'tune', '.hdr',
                 'splitmix64', '130', '--version'):
        ok(word in out, f'help names {word}')
    ok(call() == (2, out, 'vkreduce: no command was given; see vkreduce --help\n'),
       'so does no command at all, which is wrong')
    for command, words in {
            'devices': '--self-test', 'tune': '--quick|bf16', 'pyramid': 'IMAGE|--output',
            'reduce': 'argmin|bf16|--segments|windows:|--tiles|--as-image|--map|log2-luminance',
            'scan': 'xor|--exclusive|flags:|--verify',
            'histogram': '--bins|--quantiles|--plot|--map',
            'compact': 'unique|0.2<=x<0.8|--run-lengths|--chunk|f16'}.items():
        code, out, err = call(command, '--help')
        ok(code == 0 and err == '' and all(word in out for word in words.split('|')) and
           out.count('\n') <= 40 and max(map(len, out.splitlines())) <= 100 and
           f'\nexample: vkreduce {command}' in out, f'{command} --help says what it has', out + err)
    whole = ['auto', 'single', 'subgroup', 'tree', 'recursive']
    known = {'reduce': [*whole, 'lanes', 'merge', 'groups', 'split', 'pingpong', 'recursive-2d'],
             'scan': ['auto', 'reduce-then-scan', 'single-pass', 'hillis-steele', 'blelloch'],
             'compact': ['auto', 'scan-scatter', 'single-pass', 'horn', 'blelloch-gather', 'roger',
                         'roger-sequential'],
             'histogram': ['auto', 'shared', 'global', 'local-atomics'],
             'pyramid': ['auto', 'pingpong', 'recursive-2d', 'single']}
    for command, names in known.items():
        code, out, err = call(command, '--algorithm', 'help')
        ok(code == 0 and [line.split()[0] for line in out.splitlines()] == names,
           f'algorithm help lists the algorithms of {command}', out)
    code, out, err = call('--algorithm=help')
    ok(code == 0 and all(f'{command}:\n' in out for command in known), 'and of all commands', out)
    return whole


def test_usage():
    f32 = npy('three.npy', pack('f32', [1, 2, 3]))
    two = npy('two.npy', pack('f32', [1, 2]), shape='(2,)')
    raw = write('raw.bin', b'12345')
    for name, words, arguments in [
            ('an unknown command', "'dance'", ['dance']),
            ('an unknown option', '--exclusive|--help', ['reduce', 'min', f32, '--exclusive']),
            ('a short option', "'-v'", ['reduce', 'min', f32, '-v']),
            ('an option of another command', '--verify', ['devices', '--verify']),
            ('no operands', 'OP|INPUT', ['reduce']),
            ('no input', 'INPUT', ['reduce', 'min']),
            ('too many operands', '4 operands', ['reduce', 'dot', f32, f32, f32]),
            ('an operand of devices', 'none', ['devices', '1']),
            ('an unknown operator', "'avg'", ['reduce', 'min,avg', f32]),
            ('an empty operator', "''", ['reduce', 'min,', f32]),
            ('an operator twice', 'min|twice', ['reduce', 'min,max,min', f32]),
            ('dot of one input', 'INPUT2', ['reduce', 'dot', f32]),
            ('min of two inputs', 'dot', ['reduce', 'min', f32, f32]),
            ('inputs of unequal length', '3 elements|2 of', ['reduce', 'dot', f32, two]),
            ('inputs of unequal type', 'f32|u8', ['reduce', 'dot', f32, 'u8.npy']),
            ('a missing value', '--repeat|N', ['reduce', 'min', f32, '--repeat']),
            ('a value for a flag', '--json', ['reduce', 'min', f32, '--json=yes']),
            ('a word for a number', '--repeat|many', ['reduce', 'min', f32, '--repeat=many']),
            ('an empty number', '--repeat', ['reduce', 'min', f32, '--repeat=']),
            ('a number out of range', '--components|1 to 4',
             ['reduce', 'min', f32, '--components', 5]),
            ('a number past 64 bits', '--offset',
             ['reduce', 'min', f32, '--offset', '18446744073709551616']),
            ('an unknown type', '--type|f8|f32', ['reduce', 'min', raw, '--type', 'f8']),
            ('an unknown algorithm', '--algorithm|fast|tree',
             ['reduce', 'min', f32, '--algorithm=fast']),
            ('an unknown determinism', 'run, none, device',
             ['reduce', 'min', f32, '--determinism', 'yes']),
            ('an unknown device', "'GeForce 256'",
             ['reduce', 'min', f32, '--device', 'GeForce 256']),
            ('a device index too large', '--device', ['devices', '--device', 99]),
            ('a raw file without a type', '--type', ['reduce', 'min', raw]),
            ('a raw file of odd length', 'raw.bin|5 bytes|multiple of 4',
             ['reduce', 'min', raw, '--type', 'f32']),
            ('elements of odd length', '5 bytes|2 x u8',
             ['reduce', 'min', raw, '--type', 'u8', '--components', 2]),
            ('an offset off the type', '--offset is 2',
             ['reduce', 'min', f32, '--offset', 2]),
            ('a stride off the type', '--stride is 6', ['reduce', 'min', f32, '--stride', 6]),
            ('an offset past the end', '--offset is 16|12 bytes',
             ['reduce', 'min', f32, '--offset', 16]),
            ('a type against the file', 'f32|i32', ['reduce', 'min', f32, '--type', 'i32']),
            ('components against a picture', '3 channels', ['reduce', 'min', 'rgb.png',
                                                            '--components', 2]),
            ('no such file', 'none.npy|No such file', ['reduce', 'min', 'none.npy']),
            ('a folder', 'regular file', ['reduce', 'min', '.']),
            ('random without a count', 'random:COUNT', ['reduce', 'min', 'random:']),
            ('random with a bad count', 'random:-1', ['reduce', 'min', 'random:-1']),
            ('random with a bad seed', 'random:5:x', ['reduce', 'min', 'random:5:x']),
            ('random with a seed past 64 bits', 'SEED at most 18446744073709551615',
             ['reduce', 'min', 'random:5:18446744073709551616']),
            ('a chunk past 64 bits', '--chunk|to 18446744073709551615',
             ['reduce', 'min', f32, '--chunk', '17179869184GiB']),
            ('a raw file that ends inside an element', 'raw.bin|element 1|1 bytes|2 x u8',
             ['reduce', 'min', raw, '--type', 'u8', '--components', 2, '--stride', 4]),
            ('random past 64 bits', 'COUNT', ['reduce', 'min', 'random:9223372036854775807']),
            ('and of floats', 'and', ['reduce', 'and', f32]),
    ]:
        refuse(name, 2, words, *arguments)


def test_npy():
    extremes = {'i8': (-128, 127), 'u8': (0, 255), 'i16': (-2**15, 2**15 - 1),
                'u16': (0, 2**16 - 1), 'i32': (-2**31, 2**31 - 1), 'u32': (0, 2**32 - 1),
                'i64': (-2**63, 2**63 - 1), 'u64': (0, 2**64 - 1), 'f16': (-65504.0, 65504.0),
                'f32': (-1.5, 16777217.0 - 1), 'f64': (-0.1, 1.7976931348623157e308),
                'bf16': (-1.5, 255 * 2.0**120)}
    for kind, (least, greatest) in extremes.items():
        file = npy(f'{kind}.npy', pack(kind, [5, greatest, least, 7]), DESCR[kind], '(4,)')
        expect(f'npy of {kind}: exact extremes', {'max': greatest, 'min': least, 'argmin': 2,
                                                  'argmax': 1}, 'max,min,argmin,argmax', file,
               type=kind, count=4, channels=1, command='reduce', algorithm='auto')
    data = pack('f32', [1, 2, 3, 4, 5, 6])
    for name, arguments in [
            ('version 2', {'version': 2}), ('version 3', {'version': 3}),
            ('of one row in Fortran order', {'order': 'True', 'shape': '(1, 6)'}),
            ('of Python 2', {'shape': '(6L,)'}), ('without spaces', {
                'header': '{"shape":(2,3),"descr":"<f4","fortran_order":False}'})]:
        file = npy('shape.npy', data, **{'shape': '(2, 3)', **arguments})
        expect(f'npy {name}', {'sum': 21, 'count': 6}, 'sum,count', file, count=6)
    file = npy('bool.npy', b'\1\0\1', '|b1')
    expect('npy of bool is u8', {'sum': 2}, 'sum', file, type='u8')
    file = npy('empty.npy', b'', shape='(0,)')
    expect('npy of nothing', {'argmin': None, 'min': 'inf', 'max': '-inf', 'sum': 0, 'count': 0,
                              'mean': 'nan'}, 'argmin,min,max,sum,count,mean', file, count=0)


def test_png():
    grey = [[0, 10], [200, 255], [3, 4]]
    palette = (b'PLTE', bytes([1, 2, 3, 250, 100, 50]))
    for name, expected, kind, arguments in [
            ('grey', {'min': 0, 'max': 255, 'sum': 472, 'argmax': 3}, 'u8', (2, 3, 8, 0, grey)),
            ('grey and alpha', {'min': [0, 4], 'max': [200, 255]}, 'u8',
             (1, 3, 8, 4, [[0, 10], [200, 255], [3, 4]])),
            ('RGB', {'min': [1, 2, 3], 'max': [250, 100, 50]}, 'u8',
             (2, 1, 8, 2, [[1, 100, 3, 250, 2, 50]])),
            ('RGBA', {'sum': [6, 8, 10, 12]}, 'u8', (2, 1, 8, 6, [[1, 2, 3, 4, 5, 6, 7, 8]])),
            ('grey of 16 bits', {'min': 1, 'max': 65280}, 'u16',
             (3, 1, 16, 0, [[0xff, 0, 0, 1, 1, 0]])),
            ('RGB of 16 bits', {'sum': [258, 772, 1286]}, 'u16',
             (1, 1, 16, 2, [[1, 2, 3, 4, 5, 6]])),
            ('grey of 1 bit', {'min': 0, 'max': 255, 'sum': 4 * 255}, 'u8',
             (8, 1, 1, 0, [[0b10110010]])),
            ('grey of 2 bits', {'max': 170, 'sum': 85 + 170}, 'u8', (3, 1, 2, 0, [[0b00011000]])),
            ('grey of 4 bits', {'max': 0x77}, 'u8', (2, 1, 4, 0, [[0x27]])),
            ('palette', {'max': [250, 100, 50], 'count': [2, 2, 2]}, 'u8',
             (2, 1, 8, 3, [[0, 1]], palette)),
            ('palette of 1 bit', {'sum': [502, 204, 106]}, 'u8',
             (4, 1, 1, 3, [[0b10010000]], palette)),
            ('palette with transparency', {'min': [1, 2, 3, 128], 'max': [250, 100, 50, 255]}, 'u8',
             (2, 1, 8, 3, [[0, 1]], palette, (b'tRNS', b'\x80')))]:
        file = png('picture.png', *arguments)
        first = next(iter(expected.values()))
        expect(f'png {name}', expected, ','.join(expected), file, type=kind,
               channels=len(first) if isinstance(first, list) else 1)
    png('rgb.png', 1, 1, 8, 2, [[1, 2, 3]])
    with open('rgb.png', 'rb') as whole:
        data = whole.read()
    refuse('png, truncated', 2, 'cut.png', 'reduce', 'min', write('cut.png', data[:-20]))
    refuse('png, a wrong checksum', 2, 'crc.png',
           'reduce', 'min', write('crc.png', data.replace(b'IDAT', b'IDAT\x01')))
    refuse('png, of another kind', 2, 'text.png', 'reduce', 'min', write('text.png', b'GIF89a'))


def test_raw():
    for kind in DESCR:
        file = write('raw.bin', pack(kind, [3, 1, 2]))
        expect(f'raw {kind}', {'min': 1, 'sum': 6}, 'min,sum', file, '--type', kind, type=kind)
    values = write('records.bin', b''.join(
        struct.pack('<Ifff', i, i + 0.5, -i, 2 * i) for i in range(5)))
    expect('fields of records: offset, stride, components',
           {'min': [0.5, -4, 0], 'max': [4.5, 0, 8], 'argmin': [0, 4, 0]}, 'min,max,argmin', values,
           '--type=f32', '--offset=4', '--stride=16', '--components=3', count=5, channels=3)
    expect('bytes, five of them', {'xor': 1 ^ 2 ^ 3 ^ 4 ^ 5}, 'xor',
           write('five.bin', bytes([1, 2, 3, 4, 5])), '--type', 'u8', count=5)
    expect('an odd offset', {'sum': 14}, 'sum', 'five.bin', '--type', 'u8', '--offset', 1)
    special = write('special.bin', pack('f32', [0.0, -0.0, math.nan, math.inf]))
    answer = reduce('argmin,argmax,max,nan,sum,min', special, '--type=f32')['result']
    ok(answer == {'argmin': 1, 'argmax': 3, 'max': 'inf', 'nan': 1, 'sum': 'nan', 'min': 0} and
       math.copysign(1, answer['min']) == -1, 'NaN, infinity and the sign of zero', answer)
    expect('all NaN', {'argmin': None, 'argmax': None, 'min': 'nan', 'nan': 2},
           'argmin,argmax,min,nan', write('nans.bin', pack('f32', [math.nan] * 2)), '--type=f32')
    expect('NaN propagated', {'argmin': 2, 'min': 'nan'}, 'argmin,min', special, '--type=f32',
           '--nan', 'propagate')
    expect('dot', {'dot': 32}, 'dot', npy('x.npy', pack('i32', [1, 2, 3]), '<i4'),
           npy('y.npy', pack('i32', [4, 5, 6]), '<i4'))
    expect('a wide accumulator', {'sum': 3 * 2**31 - 3}, 'sum',
           write('big.bin', pack('i32', [2**31 - 1] * 3)), '--type=i32', '--accumulator=i64')
    third = reduce('min', write('third.bin', pack('f32', [1 / 3])), '--type=f32')
    ok(third['result'] == {'min': struct.unpack('<f', pack('f32', [1 / 3]))[0]},
       'an f32 comes back exactly', third)


def test_random():
    count, seed = 1000, 42
    bits = [splitmix64(seed, i) for i in range(count)]
    fields = {'f32': [(b >> 40) / 2**24 for b in bits], 'f64': [(b >> 11) / 2**53 for b in bits],
              'f16': [(b >> 53) / 2**11 for b in bits],
              'bf16': [(b >> 56) / 2**8 for b in bits], 'u64': bits,
              'u8': [b & 0xff for b in bits],
              'i16': [(b & 0xffff) - (b & 0x8000) * 2 for b in bits]}
    for kind, values in fields.items():
        expect(f'random {kind}', {'min': min(values), 'max': max(values),
                                  'argmin': values.index(min(values))}, 'min,max,argmin',
               f'random:{count}:{seed}', '--type', kind, count=count)
    ok(reduce('xor', 'random:9', '--type=u64')['result'] ==
       reduce('xor', 'random:9:0', '--type=u64')['result'] !=
       reduce('xor', 'random:9:1', '--type=u64')['result'], 'the seed is 0 where none is given')
    expect('random, in groups', {'count': [3] * 4}, 'count', 'random:12', '--components', 4,
           count=3)


def test_options(algorithms):
    operators = 'min,max,sum,mean,argmin,l2'
    plain = reduce(operators, 'random:100001:7', '--determinism=device')['result']
    ok(set(plain) == set(operators.split(',')), 'several operators at once', plain)
    for extra in [['--count-on-gpu'], ['--repeat', '3'], ['--staging'], ['--device', '0']]:
        expect(f'the same with {" ".join(extra)}', plain, operators, 'random:100001:7',
               '--determinism=device', *extra)
    for name in algorithms:
        for type_, ops in [('f32', 'min'), ('i32', 'sum')]:
            expect(f'algorithm {name}, {ops} of {type_}',
                   reduce(ops, 'random:5000', '--type', type_)['result'], ops, 'random:5000',
                   '--type', type_, '--algorithm', name, algorithm=name)
    for level in ('none', 'run', 'device'):
        answer = reduce('sum', 'random:5000', '--determinism', level, '--verify')
        ok(answer.get('verified') is True, f'determinism {level}', answer)
    expect('staging in several pieces', {'count': 10000000}, 'count', 'random:10000000',
           '--staging', count=10000000)
    staged = [reduce('sum,xor', 'random:9000000', '--type=u64', *extra)['result']
              for extra in ([], ['--staging'])]
    ok(staged[0] == staged[1] != {}, 'staging carries every byte', staged)
    answer = reduce('min', 'random:10', '--repeat=5')
    ok(isinstance(answer.get('gpu_ms'), float) and answer['gpu_ms'] >= 0 and
       answer['verified'] is None, 'a time, and no verdict where none was asked for', answer)
    ok(list(answer) == ['command', 'device', 'driver', 'type', 'count', 'channels', 'algorithm',
                        'result', 'gpu_ms', 'verified', 'inputs', 'outputs'],
       'the keys in their order', list(answer))
    code, out, err = call('reduce', 'argmax,min', 'x.npy', '--verify')
    ok(code == 0 and err == '' and 'argmax   2\nmin      1\n' in out and 'verified yes\n' in out,
       'the table for people', out + err)


def test_verify():
    for arguments in [['sum', 'x.npy'], ['min', 'random:1000'], ['count,max', 'rgb.png']]:
        code, out, err = call('reduce', *arguments, '--verify', '--json', program=MISLED)
        ok(code == 3 and json.loads(out)['verified'] is False and err.count('\n') == 1 and
           arguments[0].split(',')[0] in err, f'--verify finds a difference in {arguments[0]}', err)
    code, out, err = call('reduce', 'sum', 'x.npy', '--verify', program=MISLED)
    ok(code == 3 and 'it differs' in out, 'the table says so too', out)
    code, out, err = call('reduce', 'sum', 'x.npy', program=MISLED)
    ok(code == 0, 'without --verify nothing is compared', err)


def test_devices():
    code, out, err = call('devices', '--json')
    devices = json.loads(out)['devices'] if code == 0 else []
    ok(len(devices) > 0 and err == '', 'devices as JSON', err)
    for i, device in enumerate(devices):
        ok(device['index'] == i and device['usable'] is True and device['requirements'],
           f'device {i} has an index and requirements', device)
        ok(all(need['without'] for need in device['requirements']),
           f'device {i}: each requirement says what its absence costs', device)
    name = devices[0]['device']
    code, text, err = call('devices')
    ok(code == 0 and name in text and 'usable' in text, 'devices for people', text)
    ok(reduce('count', 'random:5', '--device', name[1:6].upper()).get('device') == name,
       'a device by a part of its name')
    code, out, err = call('devices', '--self-test', '--json')
    found = [device['self_test'] for device in json.loads(out)['devices']] if code == 0 else []
    ok(err == '' and len(found) == len(devices) and
       all(test['group_path'] != 'none' and test['shared']['checks'] > 9 and
           not any(test[group_path]['wrong'] for group_path in list(test)[1:]) for test in found),
       'every device passes the self-test', out + err)
    code, out, err = call('devices', '--self-test')
    ok(code == 0 and f'self-test: group path {found[0]["group_path"]} is used' in out,
       'and says so', out + err)
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    for command in (['devices'], ['reduce', 'min', 'random:5']):
        refuse(f'no driver, {command[0]}', 1, 'driver', *command, env=none)
    with open('/dev/full', 'w') as full:
        code, out, err = call('devices', stdout=full)
    ok(code == 1 and 'standard output' in err, 'an output that cannot be written', err)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_minimal()
    test_data()
    if len(sys.argv) > 4:
        all_algorithms = test_help()
        test_npy()
        test_png()
        test_usage()
        test_raw()
        test_random()
        test_options(all_algorithms)
        test_verify()
        test_devices()
    os.chdir('/')
runner_tools.finish()
