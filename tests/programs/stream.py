#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce on data in chunks: its results, which are those of numpy or have the
bits of the whole, constant use of memory, the progress bar, and signals. Prints TAP."""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios

import runner_tools
from runner_tools import (MISLED, PROGRAM, Near, answer, answers, array, differences, ok, refusals)

BLOCK = 8192
MIB = 1 << 20
TYPES = {
    'i8': {'max': 127, 'sum': -31959, 'argmin': 36, 'xor': 19},
    'u8': {'max': 255, 'sum': 6924073, 'argmin': 54, 'xor': 19},
    'i16': {'max': 32767, 'sum': 9300009, 'argmin': 36307, 'xor': -30445},
    'u16': {'max': 65534, 'sum': 1774381097, 'argmin': 44885, 'xor': 35091},
    'i32': {'max': 2147410122, 'sum': 8953653289, 'argmin': 22290, 'xor': 205228307},
    'u32': {'max': 4294932169, 'sum': 116625905674281, 'argmin': 47486, 'xor': 205228307},
    'i64': {'max': 9223330493371927602, 'sum': -1094838651454625751,
            'argmin': 40033, 'xor': 6187043266475297043},
    'u64': {'max': 18446510303818130615, 'sum': 17351905422254925865,
            'argmin': 4217, 'xor': 6187043266475297043},
    'f16': {'max': 0.99951171875, 'sum': Near(27176.734),
            'argmin': 2043, 'l2': Near(134.64397)},
    'f64': {'max': 0.9999873273087929, 'sum': Near(27189.94065),
            'argmin': 4217, 'l2': Near(134.6930688)},
    'bf16': {'max': 0.99609375, 'sum': Near(27083.894531), 'argmin': 31, 'l2': Near(134.29984)}}


# The results for random:100003:5 at level device.
FLOATS = {'min': 2.562999725341797e-06, 'max': 0.9999954104423523, 'sum': 50060.95703125,
          'mean': 0.5005945563316345, 'sumsq': 33415.5234375, 'l1': 50060.95703125,
          'l2': 182.79913330078125, 'absmax': 0.9999954104423523, 'argmin': 66977, 'argmax': 29976,
          'nan': 0, 'count': 100003, 'product': 0, 'variance': 0.08355030417442322}


def default_signals():
    """Resets the handling of signals, since the parent of the tests may ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def start(*arguments, **streams):
    return subprocess.Popen([PROGRAM, 'reduce', *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, preexec_fn=default_signals, **streams)


def sparse(name, size):
    with open(name, 'wb') as file:
        file.truncate(size)
    return name


def test_everywhere():
    answer('floats', 'reduce min,sum,l2,argmax random:100003:5 --determinism device '
           '--chunk 1', {key: FLOATS[key] for key in ('min', 'sum', 'l2', 'argmax')}, chunks=13)
    narrow = ''
    if runner_tools.is_lacking(PROGRAM, 'shaderInt64'):
        narrow = '--accumulator u32'
        refusals(2, 'reduce', ('an integer sum of 64 bits', '64 bits|no u64|--accumulator u32',
                               'sum random:5 --type u32'))
    answer('3 components', 'reduce max,xor random:100002 --type u32 --components 3 --chunk 100KiB '
           + narrow, {'max': [4294948607, 4294271242, 4294957672],
                   'xor': [1336584206, 3845793117, 3439466363]}, chunks=5)


def test_types():
    """Random data of each type, in four chunks."""
    for kind, result in TYPES.items():
        size = int(runner_tools.DESCR[kind][2:])
        answer(kind, f'reduce {",".join(result)} random:54321:9 --type {kind} --chunk '
               f'{2 * size * BLOCK}', result, type=kind, chunks=4)


def test_results():
    nan, inf = float('nan'), float('inf')
    array('special.npy', 'f32', [1] * BLOCK + [nan] * BLOCK + [-0.0, 0, inf, nan, -2])
    for extra, chunks in (('', None), ('--chunk 1', 13), ('--chunk 96KiB', 5)):
        answer('the bits of the whole', 'reduce min,max,sum,mean,sumsq,l1,l2,absmax,argmin,argmax,'
               f'nan,count,product,variance random:100003:5 --determinism device {extra}', FLOATS,
               chunks=chunks)
    answers(
        ('nothing', 'reduce sum,argmin random:0 --chunk 1', {'sum': 0, 'argmin': None},
         {'chunks': 1}),
        ('a last chunk of one element', f'reduce count,argmin random:{4 * BLOCK + 1} --chunk 64KiB',
         {'count': 4 * BLOCK + 1, 'argmin': 30320}, {'chunks': 3}),
        ('a stride', 'reduce sum,argmin random:120000 --type i32 --offset 8 --stride 20 '
         '--components 3 --chunk 1', {'sum': [58268295644, -202267036755, -194169917761],
                               'argmin': [106, 22692, 14542]}, {'chunks': 3}),
        ('dot', 'reduce dot random:20000:1 random:20000:2 --type i32 --staging --chunk 1',
         {'dot': -2443099187644083826}, {'chunks': 3}),
        ('dot of components', 'reduce dot random:40000:1 random:40000:2 --components 2 --type f64 '
         '--chunk 1', {'dot': [Near(4945.2240921), Near(4989.4217458)]}, {'chunks': 3}),
        ('an accumulator, an algorithm, repeated', 'reduce sum random:20000 --type i32 '
         '--accumulator i32 --repeat 3 --algorithm subgroup --chunk 1', {'sum': -930540194},
         {'chunks': 3, 'algorithm': 'subgroup'}),
        ('level none', 'reduce sum,l2 random:20000 --chunk 1 --determinism none',
         {'sum': Near(9953.079186), 'l2': Near(81.371074)}, {'chunks': 3}),
        ('NaN is ignored', 'reduce min,max,argmin,nan,sum special.npy --chunk 1',
         {'min': -2, 'max': 'inf', 'argmin': 2 * BLOCK + 4, 'nan': BLOCK + 1, 'sum': 'nan'},
         {'chunks': 3}),
        ('NaN propagates', 'reduce min,argmin special.npy --nan propagate --chunk 1',
         {'min': 'nan', 'argmin': BLOCK}, {'chunks': 3}),
        ('NaN is left out', 'reduce max,mean special.npy --nan skip --chunk 1',
         {'max': 'inf', 'mean': 'inf'}, {'chunks': 3}),
        ('.npy', 'reduce max,argmax data/chelsea-luma.npy --chunk 1',
         {'max': 0.7556172609329224, 'argmax': 28865}, {'chunks': 17}),
        ('.png', 'reduce max,argmin data/astronaut.png --chunk 96KiB',
         {'max': [255, 255, 255], 'argmin': [7699, 17, 6041]}, {'chunks': 8}))
    refusals(
        2, 'reduce min',
        ('no such file', 'none.f32|No such', 'none.f32 --type=f32 --chunk=1'),
        ('the count from the GPU', '--count-on-gpu|--chunk', 'random:10 --chunk=1 --count-on-gpu'),
        ('the tree', '--algorithm is tree|auto', 'random:10 --chunk=1 --algorithm=tree'),
        ('chunks of nothing', '--chunk|64MiB', 'random:10 --chunk=0'),
        ('an unknown unit', "--chunk is '3MB'", 'random:10 --chunk=3MB'),
        ('a unit alone', "--chunk is 'KiB'", 'random:10 --chunk=KiB'),
        ('past 64 bits', '--chunk', 'random:10 --chunk=17179869184GiB'),
        ('the count from the GPU of what does not fit', '--count-on-gpu|this size',
         'random:1000000000000 --count-on-gpu'))
    refusals(1, 'reduce', ('a chunk larger than the device', 'bytes|less',
                           'min random:1000000000000 --chunk=1000GiB'))
    differences(('sum', 'reduce sum,min random:20000 --chunk=1'),
                ('sum', 'reduce sum random:20000 --chunk=1 --determinism run'))


def test_memory():
    """Eight times as much data needs no more memory, with --verify too."""
    peaks = []
    for size in (64 * MIB, 512 * MIB):
        file = sparse('zeros.f32', size)
        process = start('max', file, '--type=f32', '--chunk=16MiB', '--json', '--verify')
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peaks.append(usage.ru_maxrss * 1024)
        ok(status == 0 and json.loads(out)['chunks'] == size // (16 * MIB),
           f'{size // MIB} MiB in chunks', out)
    ok(peaks[1] < peaks[0] + 32 * MIB and peaks[1] < 512 * MIB, 'memory is flat', peaks)


def watch(process, master, pattern=None, act=None):
    """Returns what the process writes on the terminal. Once this matches, calls `act`."""
    text = ''
    while True:
        try:
            part = os.read(master, 65536)
        except OSError: # no process has the terminal open any more
            part = b''
        if part == b'':
            return text
        text += part.decode()
        if act is not None and re.search(pattern, text):
            act(process)
            act = None


def on_terminal(*arguments, columns=100, pattern=None, act=None):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    process = start(*arguments, stderr=slave)
    os.close(slave)
    text = watch(process, master, pattern, act)
    os.close(master)
    out, _ = process.communicate()
    return process.returncode, out, text


def test_bar():
    code, out, text = on_terminal('max', 'random:1000000000', '--chunk=4MiB', '--json')
    lines = [line for line in text.split('\r') if line.strip() != '']
    shares = [int(share) for share in re.findall(r'(\d+)%', text)]
    ok(code == 0 and json.loads(out)['chunks'] == 954 and
       all(re.fullmatch(r'reducing \[#*-*\] +\d+%  \d\.\d\d of 3\.73 GiB  \d+\.\d\d GB/s  '
                        r'\d+:\d\d left *', line) for line in lines),
       'a bar tells the share, the amount, the rate and the time', lines)
    ok(shares == sorted(shares) and len(shares) == len(lines) > 1 and shares[-1] <= 100,
       'the share grows', shares)
    ok(text.endswith('\r') and text.split('\r')[-2].strip() == '', 'it is gone in the end',
       repr(text[-200:]))
    code, out, text = on_terminal('max', 'random:1000', '--verify', '--chunk=1')
    ok(code == 0 and text == '', 'no bar for what is quick', text)


def check_end(name, status, words, *arguments, act, pattern, columns=100):
    """Expects nothing on stdout, a bar that fits the line, and one sentence in its place."""
    code, out, text = on_terminal(*arguments, columns=columns, pattern=pattern, act=act)
    lines = text.split('\r') # a terminal ends lines with \r\n
    drawn, (blank, last, end) = lines[:-3], [''] * (3 - len(lines)) + lines[-3:]
    ok(code == status and out == b'' and blank.strip() == '' and end == '\n' and
       last.startswith('vkreduce: ') and words in last and drawn != [] and
       all(len(line) < columns for line in drawn), name,
       f'status {code}, stdout {out}, terminal {text!r}')


def test_interruption():
    long = 'random:100000000000'
    for number, name, pattern, columns, arguments in [
            (signal.SIGINT, 'a stream', r'reducing \[.*%', 100, ['sum', long, '--json']),
            (signal.SIGTERM, 'an upload', r'uploading \[.*%', 100,
             ['max', 'random:1000000000', '--type=u8']),
            (signal.SIGINT, '--verify', r'verifying \[.*%', 100,
             ['sum,mean,l1,l2,sumsq', 'random:100000000', '--chunk=4MiB', '--verify']),
            (signal.SIGTERM, 'a stream on a narrow terminal', '%', 30, ['sum', long])]:
        check_end(f'{number.name} ends {name}', 130, f'interrupted by {number.name}', *arguments,
                  pattern=pattern, columns=columns,
                  act=lambda process, number=number: process.send_signal(number))
    process = start('min', long, stderr=subprocess.PIPE)
    caught = runner_tools.await_handler(process, signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate()
    ok(caught and process.returncode == 130 and out == b'' and
       err == b'vkreduce: interrupted by SIGTERM; there is no result\n',
       'SIGTERM without a terminal', f'{process.returncode} {out} {err}')
    file = sparse('shrinking.f32', 1 << 36)
    check_end('a file that becomes shorter', 2, 'shrinking.f32: it became shorter', 'sum', file,
              '--type=f32', pattern='%', act=lambda process: os.truncate(file, 4096))


with runner_tools.workplace():
    test_everywhere()
    if MISLED:
        test_types()
        test_results()
        test_memory()
        test_bar()
        test_interruption()
