#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the input of the program vkreduce: pipes, arrays of any shape and order, broken files, and
the width of integer sums. Prints TAP."""
import contextlib
import os
import resource
import signal
import struct
import subprocess
import sys

import runner_tools
from runner_tools import (PROGRAM, Crc, answer, answers, array, npy, ok, pack, read, refusals,
                          refuse, write)

MIB = 1 << 20
IN_MEMORY = 64 * MIB # maximum of a pipe that stays in memory; a longer one goes to a file


# ---- Pipes ----

@contextlib.contextmanager
def fifo(path, data):
    """A FIFO, into which another process writes the data in two pieces."""
    os.mkfifo(path)
    code = ('import sys\ndata = sys.stdin.buffer.read()\nwith open(sys.argv[1], "wb", 0) as fifo:\n'
            '    fifo.write(data[:5])\n    fifo.write(data[5:])\n')
    process = subprocess.Popen([sys.executable, '-c', code, path], stdin=subprocess.PIPE)
    process.stdin.write(data)
    process.stdin.close()
    yield
    process.kill()
    process.wait()
    os.remove(path)


def piped(data):
    """A pipe that contains the data, which must fit its buffer."""
    out, into = os.pipe()
    os.write(into, data)
    os.close(into)
    return out


def test_formats():
    """Each format from a pipe or another special file."""
    floats = pack('f32', [3.5, -1, 2])
    values = read(npy('a.npy', floats))
    picture = read('data/camera.png')
    little, whole = {'min': -1, 'sum': 4.5}, {'min': 0, 'sum': 33832495}
    answers(
        ('.npy', 'reduce min,sum -', little, {'streams': {'input': values}, 'inputs': ['-']}),
        ('.png', 'reduce min,sum /dev/stdin', whole, {'streams': {'input': picture}}),
        ('raw, which needs no temporary folder', 'reduce min,sum - --type f32', little,
         {'streams': {'input': floats, 'env': {'TMPDIR': 'none'}}}),
        ('half a magic number', 'reduce count - --type u8', {'count': 4},
         {'streams': {'input': b'\x93NUM'}}),
        ('an empty file', f'reduce sum,count {write("nothing")} --type f64 --allow-empty',
         {'sum': 0, 'count': 0}, {'count': 0}),
        ('an empty pipe', 'reduce sum,count - --type f64 --allow-empty', {'sum': 0, 'count': 0},
         {'count': 0, 'streams': {'input': b''}}),
        ('no bytes after the offset',
         f'reduce sum {write("head", bytes(8))} --type f64 --offset 8 --allow-empty', {'sum': 0}),
        ('an array without elements needs no option',
         f'reduce sum {npy("none.npy", b"", shape="(3, 0)")}', {'sum': 0}, {'count': 0}))
    for name, command in [('reduce', 'reduce sum nothing --type=f64'),
                          ('an offset', 'reduce sum head --type=f64 --offset=8'),
                          ('no type', 'reduce sum nothing --offset=4'),
                          ('scan', 'scan sum nothing --type=f64 -o out.npy'),
                          ('compact', 'compact nonzero nothing --type=f64 -o out.npy'),
                          ('histogram', 'histogram nothing --type=f64 --bins=3 --range=0:1'),
                          ]:
        refuse(PROGRAM, f'an empty file: {name}', 2, 'there is no data|--allow-empty',
               *command.split())
    with open('a.npy', 'rb') as file:
        answer('a file', 'reduce min,sum /dev/stdin', little, streams={'stdin': file})
    with open('data/camera.png', 'rb') as file:
        answer('a file', 'reduce min,sum -', whole, streams={'stdin': file})
    with fifo('fifo', values):
        answer('a FIFO', 'reduce min,sum fifo', little)
    out = piped(values)
    answer('a process substitution', f'reduce min,sum /dev/fd/{out}', little,
           streams={'pass_fds': [out]}, inputs=[f'/dev/fd/{out}'])
    os.close(out)
    with open(write('late', b'12345678' + floats), 'rb', 0) as file:
        file.seek(8)
        answer('a file that others have begun to read', 'reduce sum - --type f32', {'sum': 4.5},
               streams={'stdin': file}, count=3)
        refuse(PROGRAM, 'a file that others have read', 2, '-: |there is no data', 'reduce', 'sum',
               '-', '--type=f32', stdin=file)
    for path in ('/proc/version', '/sys/devices/system/cpu/online'):
        text = read(path)
        ok(os.stat(path).st_size != len(text) > 0, f'{path} has not the size that it says it has')
        answer('all of it', f'reduce sum,count {path} --type u8', {'sum': sum(text),
                                                                  'count': len(text)})
    for name, words, data, command in [
            ('that delivers no bytes', '-: |there is no data', b'', 'reduce sum - --type=f64'),
            ('and of no type', '-: |there is no data', b'', 'reduce sum -'),
            ('for offsets', '-: |there is no data', b'',
             'reduce sum random:5 --segments=offsets:-'),
            ('for a profile', '-: |there is no data', b'', 'reduce sum random:5 --profile=-'),
            ('with another profile', 'line 2', b'vkreduce-profile 2\n',
             'reduce sum random:5 --profile -'),
            ('of nothing known', '-: |--type', b'abcd', 'reduce min -'),
            ('with half an array', '-: |truncated', values[:-1], 'reduce min -'),
            ('with half a picture', '-: |PNG', picture[:1000], 'reduce min -'),
            ('twice', '-: |twice|once', floats, 'reduce dot - - --type=f32')]:
        refuse(PROGRAM, f'a pipe {name}', 2, words, *command.split(), stdin=piped(data))


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))


def test_much():
    """A pipe with more data than stays in memory, with and without room for a file."""
    for size in (IN_MEMORY, IN_MEMORY + MIB + 1):
        answer(f'{size} bytes from a pipe', 'reduce count,sum - --type u8',
               {'count': size, 'sum': 2 * size}, count=size,
               streams={'input': b'\2' * size, 'env': {'TMPDIR': ''}})
    os.mkdir('temporary')
    for name, words, more in [
            ('no folder for it', 'none|TMPDIR|No such file', {'env': {'TMPDIR': 'none'}}),
            ('a full one', 'temporary|TMPDIR|too large', {'env': {'TMPDIR': 'temporary'},
                                                          'preexec_fn': limit_files})]:
        with subprocess.Popen(['head', '-c', str(IN_MEMORY + 1), '/dev/zero'],
                              stdout=subprocess.PIPE) as zeros:
            refuse(PROGRAM, f'a long pipe, {name}', 1, f'-: its first 67108864 bytes|{words}',
                   'reduce', 'min', '-', '--type=u8', stdin=zeros.stdout, **more)
            zeros.stdout.close()
    ok(os.listdir('temporary') == [], 'no temporary file is left', os.listdir('temporary'))


def default_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def test_waiting():
    """Signals end the wait for a pipe that nobody writes to."""
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
    """Other inputs can be pipes too."""
    array('six.npy', 'i32', [1, 2, 3, 4, 5, 6])
    flags = read(npy('flags.npy', pack('u8', [1, 0, 0, 1, 0, 1]), '|b1', '(6,)'))
    answers(
        ('flags', 'compact flags:- six.npy -o kept.npy', {'kept': 3, 'rejected': 3},
         {'files': {'kept.npy': ('i32', (3,), [1, 4, 6])}, 'streams': {'input': flags}}),
        ('offsets', 'reduce sum six.npy --segments offsets:-', {'sum': [3, 18]},
         {'streams': {'input': read(array('o.npy', 'u32', [0, 2, 6]))}}))
    refusals(2, 'reduce sum six.npy --profile', ('a picture', '65536', 'data/camera.png'))


# ---- Arrays ----

def test_order():
    """A compaction keeps all elements in C order. tests/unit/inputs.c has other shapes."""
    # Element i of a 2 x 3 x 4 array is i + 1; in Fortran order the first index runs fastest.
    turned = [1 + 12 * i + 4 * j + k for k in range(4) for j in range(3) for i in range(2)]
    npy('f.npy', pack('u32', turned), '<u4', '(2, 3, 4)', 'True')
    npy('fb.npy', struct.pack('>24d', *turned), '>f8', '(2, 3, 4)', 'True')
    large = [(i * 1402 + j * 701 + k) * 7919 % 65521 + 1
             for k in range(701) for j in range(2) for i in range(523)]
    npy('large.npy', pack('u32', large), '<u4', '(523, 2, 701)', 'True')
    npy('big.npy', struct.pack('>29999I', *(i * i for i in range(1, 30000))), '>u4', '(29999,)')
    npy('offsets.npy', struct.pack('>3q', 0, 2, 6), '>i8', '(3,)')
    kept = [*range(1, 25)]
    answers(
        ('Fortran order', 'compact nonzero f.npy -o out.npy', None,
         {'files': {'out.npy': ('u32', (24,), kept)}, 'count': 24}),
        ('from a pipe, and big-endian', 'compact nonzero - -o out.npy', None,
         {'files': {'out.npy': ('f64', (24,), [float(v) for v in kept])},
          'streams': {'input': read('fb.npy')}}),
        ('of many', 'compact nonzero large.npy -o out.npy', None,
         {'files': {'out.npy': ('u32', (733246,), Crc(0xd67974a7))}}),
        ('an offset, a stride and components',
         'reduce sum fb.npy --offset 8 --stride 24 --components 2', {'sum': [100, 108]},
         {'count': 8}),
        ('big-endian in chunks', 'reduce max,sum big.npy --chunk 1',
         {'max': 29999**2, 'sum': 8999550005000}, {'chunks': 4}),
        ('big-endian offsets', 'reduce sum six.npy --segments offsets:offsets.npy',
         {'sum': [3, 18]}))


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
            ('trailing data', '12 bytes of values and 13|nothing after',
             npy('b6.npy', data + b'x')),
            ('too many dimensions', '65 dimensions|at most 64',
             npy('b11.npy', data, shape=f'({"1, " * 64}3)')),
            ('no dimensions', '4 bytes of values and 12', npy('b12.npy', data, shape='()')),
            ('a shape past 64 bits', 'too large',
             npy('b13.npy', data, shape='(4294967296, 4294967296)')),
            ('a product of a shape past 64 bits', 'too large',
             npy('b21.npy', data, shape='(2097152, 2097152, 2097152, 2)')),
            ('a number past 64 bits', 'too large',
             npy('b14.npy', data, shape='(99999999999999999999,)')),
            ('a negative shape', "\"(-3,)|tuple of whole numbers",
             npy('b15.npy', data, shape='(-3,)')),
            ('a number for a shape', "\"3, }\"|tuple", npy('b22.npy', data, shape='3')),
            ('a number in parentheses', "\"(3), }\"|tuple", npy('b23.npy', data, shape='(3)')),
            ('no shape', "no entry 'shape'",
             npy('b16.npy', data, header="{'descr': '<f4', 'fortran_order': False}")),
            ('an order that is neither', "fortran_order is \"0, 'shape'|True or False",
             npy('b24.npy', data, order='0')),
            ('an entry more', "an entry \"'name': 1}\"|fortran_order",
             npy('b25.npy', data, header="{'descr': '<f4', 'name': 1}")),
            ('no colon', "\"'<f4'}\"|':' is due", npy('b26.npy', data, header="{'descr' '<f4'}")),
            ('no comma', "\"'shape'|',' or '}'", npy(
                'b27.npy', data, header="{'fortran_order': False 'shape': (3,)}")),
            ('no dictionary', "\"['descr']\"|dictionary", npy('b28.npy', data, header="['descr']")),
            ('no name', "\"descr: 1}\"|name of an entry", npy('b29.npy', data, header='{descr: 1}')),
            ('an unclosed header', "shape \"(3,\"|tuple",
             npy('b17.npy', data, header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,")),
            ('a header that ends in its middle', "nothing|name of an entry",
             npy('b30.npy', data, header="{'descr': '<f4', ")),
            ('an unclosed string', "\"'<f4\"|a type is due", npy('b18.npy', data,
                                                            header="{'descr': '<f4")),
            ('text after the header', "\"import os\"|after its dictionary", npy(
                'b19.npy', data,
                header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} import os")),
            *((f'{key} twice', f"two entries '{key}'", npy(
                f'twice-{key}.npy', data, header="{'descr': '<f4', 'fortran_order': False, "
                f"'shape': (3,), '{key}': {value}}}"))
              for key, value in {'shape': '(3,)', 'fortran_order': 'False', 'descr': "'<f4'"
                                 }.items()),
            ('text after a NUL', 'byte 55 of its header is 0', npy(
                'nul.npy', data, header="{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}"
                "\0'shape': (1,)")),
            ('a NUL in front', 'byte 0 of its header is 0', npy(
                'nul0.npy', data, header="\0{'descr': '<f4', 'fortran_order': False, "
                "'shape': (3,)}")),
    ]:
        refuse(PROGRAM, f'npy, {name}', 2, f'{file}|{words}', 'reduce', 'min', file)


# ---- Integer sums ----

def test_sums():
    """Sums have 64 bits, for every type and in every form."""
    array('u32.npy', 'u32', [4000000000] * 3)
    array('i32.npy', 'i32', [-2**31] * 3)
    array('u8.npy', 'u8', [255] * 9)
    array('i16.npy', 'i16', [-32768] * 5)
    array('many.npy', 'u32', [4000000000] * 20000)
    of = 'reduce sum,product,sumsq,l1,mean,dot'
    answers(
        ('u32', f'{of} u32.npy u32.npy', {
            'sum': 12000000000, 'product': 64 * 10**27 % 2**64, 'sumsq': 48 * 10**18 % 2**64,
            'l1': 12000000000, 'mean': 4000000000, 'dot': 48 * 10**18 % 2**64}),
        ('i32', f'{of} i32.npy i32.npy', {
            'sum': -3 << 31, 'product': 0, 'sumsq': -1 << 62, 'l1': 3 << 31, 'mean': -1 << 31,
            'dot': -1 << 62}),
        ('u8', f'{of} u8.npy u8.npy', {
            'sum': 2295, 'product': 255**9 % 2**64, 'sumsq': 585225, 'l1': 2295, 'mean': 255,
            'dot': 585225}),
        ('i16', f'{of} i16.npy i16.npy', {
            'sum': -163840, 'product': 0, 'sumsq': 5 << 30, 'l1': 163840, 'mean': -32768,
            'dot': 5 << 30}),
        ('chunks', 'reduce sum,l1 many.npy --chunk 1', {'sum': 8 * 10**13, 'l1': 8 * 10**13},
         {'chunks': 3}),
        ('by passes, counted by the GPU', 'reduce sum u32.npy --algorithm tree --count-on-gpu',
         {'sum': 12000000000}, {'algorithm': 'tree'}))


with runner_tools.workplace():
    test_formats()
    test_much()
    test_waiting()
    test_others()
    test_order()
    test_broken()
    test_sums()
