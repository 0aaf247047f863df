#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""runner.py DATA VKREDUCE: tests what in the program vkreduce depends on the operating system: file
names, streams of bytes, replacing, temporary files, numbers as text, and Ctrl-C. Prints TAP."""
import array as arrays
import fcntl
import os
import shlex
import signal
import subprocess
import sys
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'programs'))
import png
import runner_tools
from runner_tools import (PROGRAM, Part, answer, answers, array, call, ok, pack, read,
                          read_npy, refuse, says, write)

NUMBERS = [4, -7, 9, 0, 3, 3, -8, 5, 6, -1, 2, 7]
# As bytes these have ends of lines, and what ends a text on Windows.
BYTES = [10, 13, 26, 0x0D0A, 0x1A1A, 0x0A0D1A0A, 255]
NAME = 'Grüße 数据.npy'


def test_names():
    array(NAME, 'i32', NUMBERS)
    array('Flags ß.npy', 'u8', [1, 0] * 6)
    array('Segmente ÿ.npy', 'u32', [0, 0, 1, 8, 12])
    write('Bild é.png', png.encode(3, 2, png.GREY, bytes([5, 1, 200, 7, 10, 26])))
    write('Bild 画.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n',
          bytes([128, 64, 26, 129, 10, 13, 32, 136]))
    write('roh ø.bin', pack('u16', [1, 2, 65535]))
    answers(
        ('.npy', f"reduce sum,min,argmax '{NAME}'", {'sum': 23, 'min': -8, 'argmax': 2},
         {'inputs': [NAME]}),
        ('.png', "reduce sum,max 'Bild é.png' --as-image", {'sum': 249, 'max': 200}),
        ('.hdr', "reduce max 'Bild 画.hdr'", {'max': [10, 13, 32]}),
        ('raw', "reduce sum,max 'roh ø.bin' --type u16", {'sum': 65538, 'max': 65535}),
        ('segments', f"reduce sum '{NAME}' --segments 'offsets:Segmente ÿ.npy'",
         {'sum': [0, 4, 5, 14]}),
        ('rows', f"reduce max,argmin '{NAME}' --segments rows:4",
         {'max': [9, 5, 7], 'argmin': [1, 2, 1]}),
        ('histogram', f"histogram '{NAME}' --bins 3 --range=-9:9 -o 'Zähler ñ.npy'",
         Part({'counts': [2, 3, 6], 'below': 0, 'above': 1}),
         {'files': {'Zähler ñ.npy': ('u64', (3,), [2, 3, 6])}}),
        ('compact', f"compact 'flags:Flags ß.npy' '{NAME}' -o 'a ä.npy' --indices 'ï.npy'",
         {'kept': 6, 'rejected': 6},
         {'files': {'a ä.npy': ('i32', (6,), NUMBERS[::2]),
                    'ï.npy': ('u32', (6,), list(range(0, 12, 2)))}}))
    says('people read UTF-8', f"reduce sum '{NAME}'", f'input    {NAME}: 12 x 1 i32\n')
    refuse(PROGRAM, 'no such file', 2, 'fehlt ß.npy|No such file', 'reduce', 'min', 'fehlt ß.npy')
    refuse(PROGRAM, 'a folder', 2, 'is a directory', 'reduce', 'min', '.')
    refuse(PROGRAM, 'no folder for the output', 1, 'ø/x.npy: it cannot be written|No such file',
           'scan', 'sum', NAME, '-o', 'ø/x.npy')
    refuse(PROGRAM, 'an output that is a folder', 1, 'directory', 'scan', 'sum', NAME, '-o', '.')
    refuse(PROGRAM, 'no gnuplot', 1, 'gnuplot cannot be run', 'histogram', NAME, '--bins', 3,
           '--plot', 'ü.png')


def test_replacing():
    """The input is open when it is replaced."""
    sums = [4, -3, 6, 6, 9, 12, 4, 9, 15, 14, 16, 23]
    answer('a new file', f"scan sum '{NAME}' -o 'Summe Σ.npy'", {'type': 'i32', 'total': 23},
           files={'Summe Σ.npy': ('i32', (12,), sums)})
    names = sorted(os.listdir())
    answer('its own input', "scan max 'Summe Σ.npy' -o 'Summe Σ.npy'",
           {'type': 'i32', 'total': 23},
           files={'Summe Σ.npy': ('i32', (12,), [4, 4, 6, 6, 9, 12, 12, 12, 15, 15, 16, 23])})
    ok(sorted(os.listdir()) == names, 'no other file is left', os.listdir())


def test_pyramid():
    for _ in range(2):
        code, out, err = call(PROGRAM, 'pyramid', 'max', 'Bild é.png', '-o', 'Stufen ö')
        found = sorted(os.listdir('Stufen ö'))
        ok(code == 0 and err == '' and found == ['max-1.npy', 'max-1.png'],
           'the files of a pyramid', f'{out}{err}{found}')
    ok(read_npy('Stufen ö/max-1.npy') == ('u8', (1, 1), [200]), 'and its level')
    answer('a backslash', r"reduce max 'Stufen ö\max-1.npy'", {'max': 200})


def test_streams():
    array('bytes.npy', 'u32', BYTES)
    sums = [sum(BYTES[:i + 1]) for i in range(len(BYTES))]
    with open('bytes.npy', 'rb') as file:
        answer('a file as standard input', 'reduce sum,max -', {'sum': sums[-1], 'max': max(BYTES)},
               streams={'stdin': file})
    answer('a pipe', 'reduce sum,max -', {'sum': sums[-1], 'max': max(BYTES)},
           streams={'input': read('bytes.npy')})
    size = (64 << 20) + 4099
    answer('a long pipe', 'reduce sum - --type u8', {'sum': 26 * size}, count=size, verify=False,
           streams={'input': b'\x1a' * size})
    write('twice.bin', bytes(9), pack('u32', [26, 10]))
    with open('twice.bin', 'rb') as file:
        file.seek(9)
        answer('the rest of a file', 'reduce sum - --type u32', {'sum': 36},
               streams={'stdin': file})
    with open('out.npy', 'wb') as file:
        code, _, err = call(PROGRAM, 'scan', 'sum', 'bytes.npy', '-o', '-', stdout=file)
    ok(code == 0 and err == '' and read_npy('out.npy') == ('u32', (len(sums),), sums),
       'a file as standard output', err)
    done = subprocess.run([PROGRAM, 'scan', 'sum', 'bytes.npy', '-o', '-'], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    ok(done.returncode == 0 and done.stdout == read('out.npy'), 'a pipe', done.stderr)
    readable, writable = os.pipe()
    os.close(readable)
    code, _, err = call(PROGRAM, 'scan', 'sum', 'bytes.npy', '-o', '-', stdout=writable)
    os.close(writable)
    ok(code == 1 and err.startswith('vkreduce: -: it cannot be written'), 'a closed pipe',
       f'{code} {err}')


def test_sizes():
    with open('large.bin', 'wb') as file:
        file.truncate((4 << 30) + 3)
        file.seek(4 << 30)
        file.write(bytes([26, 10, 7]))
    answer('past 4 GiB', f'reduce sum,argmax large.bin --type u8 --offset {4 << 30}',
           {'sum': 43, 'argmax': 0}, count=3, chunks=1)
    os.remove('large.bin')


def test_numbers():
    """Doubles are printed and parsed as everywhere."""
    values = [0.1, 0.10000000000000002, 1e-300, 2.0**-1074, 1.7976931348623157e308]
    array('doubles.npy', 'f64', values)
    answer('all digits', 'reduce max doubles.npy --segments rows:1', {'max': values})
    says('an exponent', 'reduce min doubles.npy', 'min      4.9406564584124654e-324\n')
    answer('a constant', "compact 'x<=0.1' doubles.npy -o out.npy", {'kept': 3, 'rejected': 2},
           files={'out.npy': ('f64', (3,), [0.1, 1e-300, 2.0**-1074])})


def test_interrupt():
    """Ctrl-C while the program waits for its standard input."""
    before = os.listdir()
    with subprocess.Popen([PROGRAM, *shlex.split('scan sum - --type f32 -o ß.npy')],
                          stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdin.write(bytes(4))
        child.stdin.flush()
        left = arrays.array('i', [1])
        while left[0] > 0 and child.poll() is None:
            time.sleep(0.05)
            fcntl.ioctl(child.stdin, termios.FIONREAD, left)
        child.send_signal(signal.SIGINT)
        _, err = child.communicate()
    ok(child.returncode == 130 and os.listdir() == before and
       err == b'vkreduce: interrupted by Ctrl-C; there is no result\n',
       'Ctrl-C ends the wait', f'{child.returncode} {err}')


with runner_tools.workplace():
    test_names()
    test_replacing()
    test_pyramid()
    test_streams()
    test_sizes()
    test_numbers()
    test_interrupt()
