#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the program vkreduce reads and how: pipes, arrays of any shape and order, broken files and
the widths of integer sums, as TAP.

runner_files.py DATA VKREDUCE: DATA is samples/data.
"""
import functools
import itertools
import json
import operator
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile

import runner_tools
from runner_tools import CODES, DESCR, npy, ok, pack, write

DATA, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
MIB = 1 << 20
IN_MEMORY = 64 * MIB # of a pipe; what is longer goes to a file


def refuse(name, words, *arguments, status=2, **more):
    runner_tools.refuse(PROGRAM, name, status, words, *arguments, **more)


def run(*arguments, data=b'', **more):
    """The JSON object, or an empty one where the call failed; data is the standard input."""
    streams = {} if 'stdin' in more else {'input': data}
    done = subprocess.run([PROGRAM, *map(str, arguments), '--json'], capture_output=True, **streams,
                          **more)
    if done.returncode != 0 or done.stderr != b'':
        print(f'# {arguments}: status {done.returncode}, {done.stderr}')
        return {'result': {}}
    return json.loads(done.stdout)


def expect(name, result, *arguments, data=b'', more=None, **fields):
    answer = run('reduce', *arguments, '--verify', data=data, **(more or {}))
    got = {key: answer.get(key) for key in fields}
    ok(answer['result'] == result and got == fields and answer.get('verified') is True, name,
       f'got {answer}\nexpected {result} {fields}')


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def array(name, kind, values):
    return npy(name, pack(kind, values), DESCR[kind], f'({len(values)},)')


# ---- Pipes ----

def feed(path, data):
    """Another process writes into a FIFO, in two pieces."""
    os.mkfifo(path)
    code = ('import sys\ndata = sys.stdin.buffer.read()\nwith open(sys.argv[1], "wb", 0) as fifo:\n'
            '    fifo.write(data[:5])\n    fifo.write(data[5:])\n')
    process = subprocess.Popen([sys.executable, '-c', code, path], stdin=subprocess.PIPE)
    process.stdin.write(data)
    process.stdin.close()
    return process


def test_formats():
    floats = pack('f32', [3.5, -1, 2])
    picture = os.path.join(DATA, 'camera.png')
    rows = [('.npy', read(npy('a.npy', floats)), [], {'min': -1, 'sum': 4.5}, 3),
            ('.png', read(picture), [], {'min': 0, 'sum': 33832495}, 262144),
            ('raw', floats, ['--type=f32'], {'min': -1, 'sum': 4.5}, 3)]
    for name, data, extra, result, count in rows:
        file = write('plain', data)
        expect(f'{name} from the standard input', result, 'min,sum', '-', *extra, data=data,
               count=count, inputs=['-'])
        for path in ('-', '/dev/stdin'):
            with open(file, 'rb') as stdin:
                expect(f'{name}, a file as {path}', result, 'min,sum', path, *extra, count=count,
                       more={'stdin': stdin})
        expect(f'{name} from /dev/stdin', result, 'min,sum', '/dev/stdin', *extra, data=data)
        process = feed('fifo', data)
        expect(f'{name} from a FIFO', result, 'min,sum', 'fifo', *extra)
        process.kill()
        process.wait()
        os.remove('fifo')
    out, into = os.pipe()
    os.write(into, rows[0][1])
    os.close(into)
    expect('.npy from a process substitution', rows[0][3], 'min,sum', f'/dev/fd/{out}',
           more={'pass_fds': [out]}, inputs=[f'/dev/fd/{out}'])
    os.close(out)
    with open(write('late', b'12345678' + floats), 'rb', 0) as stdin:
        stdin.seek(8)
        expect('a file that others have begun to read', {'sum': 4.5}, 'sum', '-', '--type=f32',
               more={'stdin': stdin}, count=3)
        refuse('a file that others have read', '-: |nothing came out', 'reduce', 'sum', '-',
               '--type=f32', stdin=stdin)
    data = b'\x93NUM'
    expect('half a magic number', {'count': 4}, 'count', '-', '--type=u8', data=data)
    for name, arguments in [('an INPUT', ['-', '--type=f64']), ('an INPUT of no type', ['-']),
                            ('flags', ['random:5', '--segments=offsets:-']),
                            ('a profile', ['random:5', '--profile=-'])]:
        refuse(f'a pipe that brings nothing, {name}', '-: |nothing came out', 'reduce', 'sum',
               *arguments, stdin=piped(b''))
    expect('a file of nothing', {'sum': 0, 'count': 0}, 'sum,count', write('nothing'),
           '--type=f64', count=0)
    for path in ('/proc/version', '/sys/devices/system/cpu/online'):
        text = read(path)
        ok(os.stat(path).st_size != len(text) > 0, f'{path} has not the size that it says it has')
        expect(f'all of {path}', {'sum': sum(text), 'count': len(text)}, 'sum,count', path,
               '--type=u8')
    refuse('a pipe of nothing known', '-: |--type', 'reduce', 'min', '-', stdin=piped(b'abcd'))
    refuse('half an array from a pipe', '-: |truncated', 'reduce', 'min', '-', stdin=piped(
        read('a.npy')[:-1]))
    refuse('half a picture from a pipe', '-: |PNG', 'reduce', 'min', '-', stdin=piped(
        read(picture)[:1000]))
    refuse('the standard input twice', '-: |twice|once', 'reduce', 'dot', '-', '-', '--type=f32',
           stdin=piped(floats))


def piped(data):
    """A pipe that holds so little."""
    out, into = os.pipe()
    os.write(into, data)
    os.close(into)
    return out


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))


def test_much():
    """A pipe with more than stays in memory, and no room for it."""
    for size in (IN_MEMORY, IN_MEMORY + MIB + 1):
        expect(f'{size} bytes from a pipe', {'count': size, 'sum': 2 * size}, 'count,sum', '-',
               '--type=u8', data=b'\2' * size, count=size,
               more={'env': {**os.environ, 'TMPDIR': ''}})
    os.mkdir('temporary')
    for name, words, more in [
            ('no folder for it', 'none|TMPDIR|No such file', {'env': {'TMPDIR': 'none'}}),
            ('a full one', 'temporary|TMPDIR|too large', {'env': {'TMPDIR': 'temporary'},
                                                          'preexec_fn': limit_files})]:
        with subprocess.Popen(['head', '-c', str(IN_MEMORY + 1), '/dev/zero'],
                              stdout=subprocess.PIPE) as zeros:
            refuse(f'a long pipe, {name}', f'-: its first 67108864 bytes|{words}', 'reduce', 'min',
                   '-', '--type=u8', status=1, stdin=zeros.stdout, **more)
            zeros.stdout.close()
    ok(os.listdir('temporary') == [], 'no temporary file is left', os.listdir('temporary'))
    expect('a short pipe needs no folder', {'sum': 3}, 'sum', '-', '--type=u8', data=b'\1\2',
           more={'env': {**os.environ, 'TMPDIR': 'none'}})


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_waiting():
    """Whoever waits for a pipe that nobody writes to hears signals."""
    os.mkfifo('silent')
    for name, number, arguments in [
            ('INPUT', signal.SIGTERM, ['min', 'silent', '--type=u8']),
            ('the standard input', signal.SIGINT, ['min', '-', '--type=u8']),
            ('a profile', signal.SIGTERM, ['min', 'random:5', '--profile', 'silent']),
            ('offsets', signal.SIGHUP, ['min', 'random:5', '--segments=offsets:silent'])]:
        process = subprocess.Popen([PROGRAM, 'reduce', *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=default_signals)
        waits = runner_tools.await_handler(process, number)
        process.send_signal(number)
        out, err = process.communicate()
        ok(waits and process.returncode == 130 and out == b'' and
           err.decode() == f'vkreduce: interrupted by {number.name}; there is no result\n',
           f'{number.name} ends the wait for {name}', f'{process.returncode} {out} {err}')


def test_others():
    """Every file that is read may be a pipe."""
    array('six.npy', 'i32', [1, 2, 3, 4, 5, 6])
    flags, offsets = pack('u8', [1, 0, 0, 1, 0, 1]), read(array('o.npy', 'u32', [0, 2, 6]))
    answer = run('compact', 'flags:-', 'six.npy', '-o', 'kept.npy', '--verify',
                 data=read(npy('flags.npy', flags, '|b1', '(6,)')))
    ok(answer.get('verified') is True and read('kept.npy')[128:] == pack('i32', [1, 4, 6]),
       'flags from the standard input', answer)
    expect('offsets from the standard input', {'sum': [3, 18]}, 'sum', 'six.npy',
           '--segments=offsets:-', data=offsets)
    profile = b'vkreduce-profile 2\n'
    refuse('a profile from the standard input', 'line 2', 'reduce', 'sum', 'six.npy', '--profile',
           '-', stdin=piped(profile))
    refuse('a profile that is a picture', '65536', 'reduce', 'sum', 'six.npy', '--profile',
           os.path.join(DATA, 'camera.png'))


def test_flags():
    """A length that used to stand for any length."""
    picture = os.path.join(DATA, 'camera.png')
    endless = 'random:18446744073709551615'
    array('six.npy', 'u8', [1, 2, 3, 4, 5, 6])
    for file, count in ((picture, 262144), ('six.npy', 6)):
        words = f'{count} values|18446744073709551615 elements'
        refuse(f'{count} flags for 2^64 - 1 elements, compact', words, 'compact', f'flags:{file}',
               endless, '--type=u8')
        refuse(f'{count} flags for 2^64 - 1 elements, scan', words, 'scan', 'sum', endless,
               '--type=u8', '-o', 'x.npy', '--segments', f'flags:{file}')


# ---- Arrays ----

def fortran(values, shape):
    """Values in C order, in the order of the file: the first index runs fastest."""
    strides = [functools.reduce(operator.mul, shape[d + 1:], 1) for d in range(len(shape))]
    return [values[sum(i * s for i, s in zip(index[::-1], strides))]
            for index in itertools.product(*map(range, shape[::-1]))]


def check_order(name, file, values, kind='u32', **more):
    """The elements come in this order: a compaction keeps all."""
    answer = run('compact', 'nonzero', file, '-o', 'out.npy', '--rejected', 'zeros.npy', **more)
    kept = [v for v in values if v != 0]
    ok(answer.get('count') == len(values) and read('out.npy')[128:] == pack(kind, kept), name,
       answer)


def test_shapes():
    for shape in ((2, 3, 4), (1, 1, 7), (3, 1, 2, 2), (5, 4), (1, 6), (6, 1), (4,), (2, 0, 3),
                  (2,) * 10, (523, 2, 701)):
        count = functools.reduce(operator.mul, shape)
        values = [i * 7919 % 65521 + 1 for i in range(count)]
        text = f'({", ".join(map(str, shape))}{"," * (len(shape) == 1)})'
        check_order(f'shape {shape}, C order', npy('c.npy', pack('u32', values), '<u4', text),
                    values)
        data = pack('u32', fortran(values, shape))
        check_order(f'shape {shape}, Fortran order', npy('f.npy', data, '<u4', text, 'True'),
                    values)
    check_order('Fortran order from a pipe', '-', values, data=read('f.npy'))
    values = [float(i) for i in range(1, 13)]
    data = struct.pack('>12d', *fortran(values, (3, 4)))
    check_order('Fortran order and big-endian', npy('fb.npy', data, '>f8', '(3, 4)', 'True'),
                values, 'f64')
    expect('an offset, a stride and components in Fortran order', {'sum': [26, 30]},
           'sum', 'fb.npy', '--offset=8', '--stride=24', '--components=2', count=4)


def test_endian():
    for kind, code in CODES.items():
        values = [1, 2, 3, 100]
        data = struct.pack(f'>4{code}', *values)
        check_order(f'big-endian {kind}', npy('big.npy', data, '>' + DESCR[kind][1:], '(4,)'),
                    values, kind)
    values = [i * i for i in range(1, 30000)]
    data = struct.pack(f'>{len(values)}I', *values)
    expect('big-endian in chunks', {'max': values[-1], 'sum': sum(values)}, 'max,sum',
           npy('big.npy', data, '>u4', f'({len(values)},)'), '--chunk=1', chunks=4)
    array('six.npy', 'i32', [1, 2, 3, 4, 5, 6])
    npy('offsets.npy', struct.pack('>3q', 0, 2, 6), '>i8', '(3,)')
    expect('big-endian offsets', {'sum': [3, 18]}, 'sum', 'six.npy',
           '--segments=offsets:offsets.npy')


def test_broken():
    data = pack('f32', [1, 2, 3])
    for name, words, file in [
            ('empty', '0 bytes', write('b0.npy')),
            ('no magic', 'does not start', write('b1.npy', b'NUMPY' * 9)),
            ('a version of the future', 'version is 4', npy('b2.npy', data, version=4)),
            ('cut inside the header', 'inside its header',
             write('b3.npy', b'\x93NUMPY\x01\0\xff\0{   ')),
            ('a header of gigabytes', 'too long',
             write('b4.npy', b'\x93NUMPY\x02\0\xff\xff\xff\x7f{}')),
            ('truncated', '12 bytes of values and 8|truncated', npy('b5.npy', data[:8])),
            ('trailing data', '12 bytes of values and 13|nothing behind',
             npy('b6.npy', data + b'x')),
            ('complex', "'<c8'", npy('b9.npy', data, descr='<c8', shape='(1,)')),
            ('a structured type', 'dictionary',
             npy('b10.npy', data,
                 header="{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (3,)}")),
            ('too many dimensions', '65 dimensions|1 to 64',
             npy('b11.npy', data, shape=f'({"1, " * 64}3)')),
            ('no dimensions', '0 dimensions', npy('b12.npy', data[:4], shape='()')),
            ('a shape past 64 bits', 'too large',
             npy('b13.npy', data, shape='(4294967296, 4294967296)')),
            ('a product of a shape past 64 bits', 'too large',
             npy('b21.npy', data, shape='(2097152, 2097152, 2097152, 2)')),
            ('a number past 64 bits', 'too large',
             npy('b14.npy', data, shape='(99999999999999999999,)')),
            ('a negative shape', 'dictionary', npy('b15.npy', data, shape='(-3,)')),
            ('no shape', 'dictionary',
             npy('b16.npy', data, header="{'descr': '<f4', 'fortran_order': False}")),
            ('an unclosed header', 'dictionary',
             npy('b17.npy', data, header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,")),
            ('an unclosed string', 'dictionary', npy('b18.npy', data, header="{'descr': '<f4")),
            ('text behind the header', 'dictionary', npy(
                'b19.npy', data,
                header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} import os")),
            ('an empty type', "''", npy('b20.npy', data, descr='')),
            *((f'{key} twice', f'one {"plain " * (key == "descr")}{key}', npy(
                f'twice-{key}.npy', data, header="{'descr': '<f4', 'fortran_order': False, "
                f"'shape': (3,), '{key}': {value}}}"))
              for key, value in {'shape': '(3,)', 'fortran_order': 'False', 'descr': "'<f4'"
                                 }.items()),
            ('text behind a NUL', 'dictionary', npy(
                'nul.npy', data, header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}"
                "\0'shape': (1,)")),
            ('a NUL in front', 'dictionary', npy(
                'nul0.npy', data, header="\0{'descr': '<f4', 'fortran_order': False, "
                "'shape': (3,)}")),
    ]:
        refuse(f'npy, {name}', f'{file}|{words}', 'reduce', 'min', file)


def test_truths():
    """Any byte but 0 is true."""
    file = npy('truths.npy', bytes([0, 1, 2, 255, 0]), '|b1', '(5,)')
    expect('truths', {'sum': 3, 'max': 1, 'argmax': 1}, 'sum,max,argmax', file, type='u8')
    check_order('truths that are kept', file, [0, 1, 1, 1, 0], 'u8')


# ---- Integer sums ----

def wrap(kind, value):
    """A number modulo 2^64, with the sign of the type."""
    half = 2**63 if kind[0] == 'i' else 0
    return (value + half) % 2**64 - half


def test_sums():
    """Sums are 64 bits wide, for any type and in any way."""
    for kind, values in {'u32': [4000000000] * 3, 'i32': [-2**31] * 3, 'u8': [255] * 9,
                         'i8': [-128] * 9, 'u16': [65535] * 5, 'i16': [-32768] * 5}.items():
        file = array(f'{kind}.npy', kind, values)
        squares = wrap(kind, sum(v * v for v in values))
        expect(f'sums of {kind}', {
            'sum': sum(values), 'product': wrap(kind, functools.reduce(operator.mul, values)),
            'sumsq': squares, 'l1': sum(map(abs, values)), 'mean': values[0]},
            'sum,product,sumsq,l1,mean', file)
        expect(f'dot of {kind}', {'dot': squares}, 'dot', file, file)
    expect('sums of chunks', {'sum': 4000000000 * 20000, 'l1': 4000000000 * 20000}, 'sum,l1',
           array('many.npy', 'u32', [4000000000] * 20000), '--chunk=1', chunks=3)
    for extra in (['--algorithm=tree'], ['--algorithm=recursive'], ['--count-on-gpu']):
        expect(f'sums with {extra[0]}', {'sum': 12000000000}, 'sum', 'u32.npy', *extra)
    expect('sums of rows', {'sum': [12000000000] * 2}, 'sum',
           array('rows.npy', 'u32', [4000000000] * 6), '--segments=rows:3')
    expect('sums of 32 bits, where they are asked for', {'sum': 12000000000 % 2**32}, 'sum',
           'u32.npy', '--accumulator=u32')
    answer = run('scan', 'sum', 'u32.npy', '-o', 'out.npy', '--verify')
    ok(answer['result'] == {'type': 'u32', 'total': 12000000000 % 2**32},
       'scans keep their type', answer)


def test_short_rows():
    values = list(range(1, 11))
    array('ten.npy', 'u32', values)
    for length in (1, 3, 4, 9, 10, 11, 2**40):
        rows = [list(itertools.accumulate(values[i:i + length])) for i in range(0, 10, length)]
        answer = run('scan', 'sum', 'ten.npy', '-o', 'out.npy', '--verify', '--segments',
                     f'rows:{length}')
        ok(answer.get('verified') is True and
           read('out.npy')[128:] == pack('u32', sum(rows, [])), f'a scan of rows of {length}',
           answer)
    for extra in ([], ['--reverse', '--exclusive']):
        answer = run('scan', 'sum', 'random:140001', '-o', 'out.npy', '--verify', '--chunk=1',
                     '--type=u32', '--segments=rows:70000', *extra)
        ok(answer.get('verified') is True and answer.get('chunks') == 3,
           f'a short last row in chunks {" ".join(extra)}', answer)
    refuse('a short last row of a reduction', "'rows:3'|multiple", 'reduce', 'sum', 'ten.npy',
           '--segments=rows:3')


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    test_formats()
    test_much()
    test_waiting()
    test_others()
    test_flags()
    test_shapes()
    test_endian()
    test_broken()
    test_truths()
    test_sums()
    test_short_rows()
    os.chdir('/')
runner_tools.finish()
