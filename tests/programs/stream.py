#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program vkreduce on data in chunks: the same results, flat memory, the bar, signals, as TAP.

stream.py DATA VKREDUCE [MISLED]: DATA is samples/data, MISLED as for runner.py; without it only
some results are compared.
"""
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios

import runner_tools
from runner_tools import ok

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:4])
BLOCK = 8192
MIB = 1 << 20
FLOATS = 'min,max,sum,mean,sumsq,l1,l2,absmax,argmin,argmax,nan,count'
INTEGERS = 'max,sum,l2,argmin,xor'


def default_signals():
    """Signals as usual: whoever started the tests may ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def start(*arguments, program=PROGRAM, **streams):
    return subprocess.Popen([program, 'reduce', *map(str, arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, preexec_fn=default_signals, **streams)


def reduce(*arguments, status=0, **more):
    """The JSON object, or an empty one where the call failed or was not silent."""
    process = start(*arguments, '--json', stderr=subprocess.PIPE, **more)
    out, err = process.communicate()
    if process.returncode != status or (status == 0 and err != b''):
        print(f'# reduce {arguments}: status {process.returncode}, {err}')
        return {}
    return json.loads(out)


def compare(name, chunks, *arguments, level='device'):
    """Chunk sizes with the number of chunks that each must give."""
    whole = reduce(*arguments, f'--determinism={level}')
    for size, number in chunks.items():
        answer = reduce(*arguments, f'--determinism={level}', '--chunk', size, '--verify')
        expected = {**whole, 'verified': True, 'chunks': number, 'gpu_ms': answer.get('gpu_ms')}
        ok(whole != {} and 'chunks' not in whole and answer == expected and
           list(answer)[-1] == 'chunks' and answer['gpu_ms'] >= 0, f'{name}, chunks of {size}',
           f'got {answer}\nexpected {expected}')


def refuse(name, status, words, *arguments):
    runner_tools.refuse(PROGRAM, name, status, words, 'reduce', *arguments)


def sparse(name, size):
    with open(name, 'wb') as file:
        file.truncate(size)
    return name


def test_results_everywhere():
    compare('f32', {1: 13, 5 * BLOCK * 4: 3}, 'min,sum,l2,argmax', 'random:100003:5')
    narrow = []
    if runner_tools.is_lacking(PROGRAM, 'shaderInt64'):
        narrow = ['--accumulator=u32']
        refuse('an integer sum of 64 bits', 2, '64 bits|no u64|--accumulator u32', 'sum',
               'random:5', '--type=u32')
    compare('u32 of 3 components', {'100KiB': 5}, 'max,sum,xor', 'random:100002', '--type=u32',
            '--components=3', *narrow)
    compare('dot', {1: 3}, 'dot', 'random:20000:1', 'random:20000:2', '--staging')


def test_results():
    compare('all of f32', {1: 13, '96KiB': 5}, FLOATS, 'random:100003:5')
    compare('product', {1: 3}, 'product', 'random:20000:3')
    for kind, size in {'i8': 1, 'u8': 1, 'i16': 2, 'u16': 2, 'i32': 4, 'u32': 4, 'i64': 8,
                       'u64': 8}.items():
        compare(f'{kind}', {2 * size * BLOCK: 4}, INTEGERS, 'random:54321:9', '--type', kind)
    for kind in ('f16', 'f64'):
        compare(f'{kind}', {1: 7}, 'sum,l2,argmax,nan', 'random:54321:9', '--type', kind)
    for count, number in {0: 1, 1: 1, BLOCK - 1: 1, BLOCK: 1, BLOCK + 1: 2, 3 * BLOCK: 3}.items():
        compare(f'{count} elements', {BLOCK * 4: number}, 'sum,argmin,mean', f'random:{count}')
    compare('a last chunk of one element', {'64KiB': 3}, 'max,sum', f'random:{4 * BLOCK + 1}')
    for components in (2, 3):
        compare(f'{components} components', {1: 3}, 'sum,argmax,l2',
                f'random:{components * 20001}', '--components', components)
    compare('an offset', {1: 3}, 'sum,min', 'random:20001', '--type=u8', '--offset=3')
    compare('a stride', {1: 3, '1MiB': 1}, 'sum,argmin', 'random:120000', '--offset=8',
            '--stride=20', '--components=3')
    compare('a wide stride', {1: 3}, 'sum,argmin', 'random:17000000', '--stride=4100')
    compare('dot', {1: 3}, 'dot,max', 'random:20000:1', 'random:20000:2', '--staging')
    compare('dot of components', {1: 3}, 'dot', 'random:40000:1', 'random:40000:2',
            '--components=2', '--type=f64')
    compare('a wide accumulator', {1: 3}, 'sum', 'random:20000', '--type=i32', '--accumulator=i64')
    compare('repeated', {1: 3}, 'sum', 'random:20000', '--repeat=3')
    compare('algorithm subgroup', {1: 3}, 'sum', 'random:20000', '--algorithm=subgroup')
    for level in ('run', 'none'):
        compare(f'level {level}', {1: 3}, 'min,argmax', 'random:20000', level=level)
        answer = reduce('sum,l2', 'random:20000', '--chunk=1', '--verify', '--determinism', level)
        ok(answer.get('verified') is True, f'float sums at level {level}', answer)
    with open('special.f32', 'wb') as file:
        nan, inf = float('nan'), float('inf')
        values = [1] * BLOCK + [nan] * BLOCK + [-0.0, 0, inf, nan, -2]
        file.write(struct.pack(f'<{len(values)}f', *values))
    for rule in ('ignore', 'propagate'):
        compare(f'NaN, {rule}', {1: 3}, 'min,max,argmin,nan,sum', 'special.f32', '--type=f32',
                '--nan', rule)


def test_files():
    compare('npy', {1: 17}, 'sum,argmax', os.path.join(DATA, 'chelsea-luma.npy'))
    compare('png', {'96KiB': 8}, 'sum,argmin', os.path.join(DATA, 'astronaut.png'))
    refuse('no such file', 2, 'none.f32|No such', 'min', 'none.f32', '--type=f32', '--chunk=1')
    for name, words, arguments in [
            ('the count from the GPU', '--count-on-gpu|--chunk', ['--chunk=1', '--count-on-gpu']),
            ('the tree', '--algorithm is tree|auto', ['--chunk=1', '--algorithm=tree']),
            ('chunks of nothing', '--chunk|64MiB', ['--chunk=0']),
            ('an unknown unit', "--chunk is '3MB'", ['--chunk=3MB']),
            ('a unit alone', "--chunk is 'KiB'", ['--chunk=KiB']),
            ('past 64 bits', '--chunk', ['--chunk=17179869184GiB'])]:
        refuse(name, 2, words, 'min', 'random:10', *arguments)
    refuse('the count from the GPU of what does not fit', 2, '--count-on-gpu|this size', 'min',
           'random:1000000000000', '--count-on-gpu')
    refuse('a chunk larger than the device', 1, 'bytes|less', 'min', 'random:1000000000000',
           '--chunk=1000GiB')


def test_verify():
    for level in ('run', 'device'):
        answer = reduce('sum,min', 'random:20000', '--chunk=1', '--verify', '--determinism', level,
                        program=MISLED, status=3)
        ok(answer.get('verified') is False and answer.get('chunks') == 3,
           f'--verify finds a difference in streamed data at level {level}', answer)


def test_memory():
    """Eight times the data takes no more memory, with --verify too."""
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
    """What the process writes on the terminal; once it matches, `act` is called."""
    text = ''
    while True:
        try:
            part = os.read(master, 65536)
        except OSError: # the last writer has closed it
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
    """Nothing on stdout; the bar makes room for one sentence and was never wider than the line."""
    code, out, text = on_terminal(*arguments, columns=columns, pattern=pattern, act=act)
    lines = text.split('\r') # a terminal ends lines with \r\n
    drawn, (blank, last, end) = lines[:-3], [''] * (3 - len(lines)) + lines[-3:]
    ok(code == status and out == b'' and blank.strip() == '' and end == '\n' and
       last.startswith('vkreduce: ') and words in last and drawn != [] and
       all(len(line) < columns for line in drawn), name,
       f'status {code}, stdout {out}, terminal {text!r}')


def test_interruption():
    long = 'random:100000000000'
    sums = 'sum,mean,l1,l2,sumsq'
    for number in (signal.SIGINT, signal.SIGTERM):
        def interrupt(process, number=number):
            process.send_signal(number)
        words = f'interrupted by {number.name}'
        check_end(f'{number.name} ends a stream', 130, words, 'sum', long, '--json',
                  pattern=r'reducing \[.*%', act=interrupt)
        check_end(f'{number.name} ends an upload', 130, words, 'max', 'random:1000000000',
                  '--type=u8', pattern=r'uploading \[.*%', act=interrupt)
        check_end(f'{number.name} ends --verify', 130, words, sums, 'random:100000000',
                  '--chunk=4MiB', '--verify', pattern=r'verifying \[.*%', act=interrupt)
        check_end(f'{number.name} on a narrow terminal', 130, words, 'sum', long, columns=30,
                  pattern='%', act=interrupt)
        process = start('min', long, stderr=subprocess.PIPE)
        caught = runner_tools.await_handler(process, number)
        process.send_signal(number)
        out, err = process.communicate()
        ok(caught and process.returncode == 130 and out == b'' and
           err.decode() == f'vkreduce: {words}; there is no result\n',
           f'{number.name} without a terminal', f'{process.returncode} {out} {err}')
    file = sparse('shrinking.f32', 1 << 36)
    check_end('a file that becomes shorter', 2, 'shrinking.f32: it became shorter', 'sum', file,
              '--type=f32', pattern='%', act=lambda process: os.truncate(file, 4096))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    if len(sys.argv) < 4:
        test_results_everywhere()
    else:
        test_results()
        test_files()
        test_verify()
        test_memory()
        test_bar()
        test_interruption()
    os.chdir('/')
runner_tools.finish()
