#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the files that the program vkreduce writes, and its options. Prints TAP.

runner_outputs.py VERSION VKREDUCE: VERSION is the project's version.
"""
import fcntl
import json
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios

import runner_tools
from runner_tools import DESCR, npy, ok, pack

VERSION, PROGRAM = sys.argv[1], os.path.abspath(sys.argv[2])


def call(*arguments, **more):
    return runner_tools.call(PROGRAM, *arguments, **more)


def refuse(name, status, words, *arguments, **more):
    runner_tools.refuse(PROGRAM, name, status, words, *arguments, **more)


def run(*arguments):
    """The JSON object, or an empty one if the call failed."""
    code, out, err = call(arguments[0], '--json', *arguments[1:])
    if code != 0 or err != '':
        print(f'# {arguments}: status {code}, {err}')
        return {}
    return json.loads(out)


def array(name, values):
    return npy(name, pack('u32', values), DESCR['u32'], f'({len(values)},)')


def values_in(name):
    with open(name, 'rb') as file:
        return file.read()[128:]


SUMS = pack('u32', [1, 3, 6])


# ---- Files ----

def test_modes():
    os.umask(0o027)
    run('scan', 'sum', 'three.npy', '-o', 'new.npy')
    ok(os.stat('new.npy').st_mode & 0o7777 == 0o640, 'a new file has the mode of the umask')
    for mode in (0o600, 0o664, 0o444):
        os.chmod('new.npy', mode)
        run('scan', 'sum', 'three.npy', '-o', 'new.npy')
        ok(os.stat('new.npy').st_mode & 0o7777 == mode and values_in('new.npy') == SUMS,
           f'a file of mode {mode:o} keeps it', oct(os.stat('new.npy').st_mode))
    os.umask(0o022)


def test_links():
    os.mkdir('folder')
    array('folder/target.npy', [9])
    for link, to in [('link.npy', 'folder/target.npy'), ('twice.npy', 'link.npy'),
                     ('absolute.npy', os.path.abspath('folder/target.npy')),
                     ('folder/up.npy', '../new.npy'), ('dangling.npy', 'folder/made.npy')]:
        os.symlink(to, link)
        run('scan', 'sum', 'three.npy', '-o', link)
        target = os.path.join(os.path.dirname(link), to)
        ok(os.path.islink(link) and os.readlink(link) == to and values_in(target) == SUMS,
           f'{link} leads to {to}, which is replaced', os.listdir('folder'))
        if not to.endswith('made.npy'):
            array(target, [9])
    with open(array('folder/target.npy', [9]), 'rb') as before:
        run('scan', 'sum', 'three.npy', '-o', 'link.npy')
        ok(before.read()[-4:] == pack('u32', [9]) and values_in('link.npy') == SUMS,
           'who has the old file open keeps it')
    os.symlink('b.npy', 'a.npy')
    os.symlink('a.npy', 'b.npy')
    refuse('a ring of links', 1, 'a.npy|symbolic links', 'scan', 'sum', 'three.npy', '-o', 'a.npy')
    ok(not [name for name in os.listdir('.') + os.listdir('folder') if 'tmp' in name],
       'nothing else is left', os.listdir('.'))


def default_signals():
    for number in ENDED + DEADLY:
        signal.signal(number, signal.SIG_DFL)


ENDED = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
DEADLY = [signal.SIGQUIT, signal.SIGPIPE, signal.SIGUSR1, signal.SIGABRT, signal.SIGSEGV]


def start(name, **more):
    process = subprocess.Popen([PROGRAM, 'scan', 'sum', 'random:100000000000', '-o', name],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, **more)
    while process.poll() is None and not any(name in other for other in os.listdir('.')):
        pass
    return process


def test_signals():
    for number in ENDED + DEADLY:
        process = start('long.npy', preexec_fn=default_signals)
        process.send_signal(number)
        out, err = process.communicate()
        expected = ((130, f'vkreduce: interrupted by {number.name}; there is no result\n')
                    if number in ENDED else (-number, ''))
        ok((process.returncode, err.decode()) == expected and out == b'' and
           not any('long' in name for name in os.listdir('.')), f'{number.name} leaves no file',
           f'{process.returncode} {out} {err} {os.listdir(".")}')
    process = start('long.npy', preexec_fn=default_signals)
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        process.send_signal(number)
    process.communicate()
    ok(-process.returncode in ENDED and not any('long' in name for name in os.listdir('.')),
       'a second signal kills, and leaves no file', f'{process.returncode} {os.listdir(".")}')
    process = start('long.npy', preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate()
    ok(b'SIGTERM' in err, 'a signal that is ignored stays so', err)


def test_names():
    """The JSON object names the files that were read and written, whatever their names."""
    array('plain.npy', [1, 2, 3])
    odd = os.fsdecode(b'a "b" \\ \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xff\xc3.npy')
    shutil.copy('plain.npy', odd)
    said = 'a "b" \\ \u00e9 \u20ac \U0001f600 \ufffd\ufffd.npy'
    answer = run('scan', 'sum', odd, '-o', 'sums.npy')
    ok((answer.get('inputs'), answer.get('outputs')) == ([said], {'output': 'sums.npy'}), 'of scan',
       answer)
    answer = run('reduce', 'dot', 'plain.npy', odd)
    ok((answer.get('inputs'), answer.get('outputs')) == (['plain.npy', said], {}), 'of reduce',
       answer)
    files = {'output': 'k.npy', 'indices': 'i.npy', 'rejected': 'r.npy',
             'rejected-indices': 'ri.npy', 'run-lengths': 'l.npy'}
    answer = run('compact', 'x>1', 'random:5', *(f'--{option}={file}'
                                                for option, file in files.items()))
    ok((answer.get('inputs'), answer.get('outputs')) == (['random:5'], files), 'of compact', answer)
    answer = run('compact', 'x>1', 'random:5')
    ok(answer.get('outputs') == {}, 'of compact without files', answer)


# ---- The standard output ----

def piped(*arguments, **more):
    """The bytes on the standard output of a call that succeeds without messages."""
    with open('piped', 'w+b') as file:
        code, _, err = call(*arguments, stdout=file, **more)
        file.seek(0)
        data = file.read()
    os.remove('piped')
    if code != 0 or err != '':
        print(f'# {arguments}: status {code}, {err}')
    return data if code == 0 and err == '' else None


def test_standard_output():
    """Each output can be the standard output, which then has its bytes and no others."""
    array('four.npy', [4, 0, 2, 9])
    before = set(os.listdir('.'))
    for name, arguments in [
            ('-o', ['scan', 'sum', 'four.npy', '-o']),
            ('--output', ['reduce', 'min,max', 'four.npy', '--segments=rows:2', '--output']),
            ('-o', ['histogram', 'four.npy', '--bins', '3', '-o']),
            ('-o', ['compact', 'x>1', 'four.npy', '-o']),
            *((option, ['compact', 'x>1', 'four.npy', '-o', 'kept.npy', option]) for option in
              ('--indices', '--rejected', '--rejected-indices', '--run-lengths')),
            ('--plot', ['histogram', 'four.npy', '--bins', '3', '--plot'])]:
        run(*arguments, 'file')
        with open('file', 'rb') as file:
            expected = file.read()
        found = piped(*arguments, '-', '--verify')
        ok(len(expected) > 128 and found == expected, f'{arguments[0]} {name} -: the bytes of a '
           'file, and nothing else', found)
    ok(piped('scan', 'sum', 'four.npy', '-o', '/dev/stdout')[128:] == pack('u32', [4, 4, 6, 15]),
       '/dev/stdout is the same')
    ok(set(os.listdir('.')) - before == {'file', 'kept.npy'}, 'no file is named -', os.listdir('.'))
    run('scan', 'sum', 'four.npy', '-o', './-')
    ok(values_in('./-') == pack('u32', [4, 4, 6, 15]), 'except for ./-')
    for left in ('file', 'kept.npy', './-'):
        os.remove(left)
    refuse('two outputs', 2, '--output|--indices - both|name a file', 'compact', 'x>1', 'four.npy',
           '-o', '-', '--indices', '-')
    refuse('and JSON', 2, '--json and --output - both', 'scan', 'sum', 'four.npy', '-o', '-',
           '--json')
    refuse('and JSON of tune', 2, '--json and --output - both', 'tune', '--json', '-o', '-')
    refuse('a folder', 2, "'-'|directory", 'pyramid', 'min', 'four.npy', '-o', '-')
    refuse('no folder for a temporary file', 1, 'none|TMPDIR', 'scan', 'sum', 'four.npy', '-o', '-',
           env={'TMPDIR': 'none'})
    with open('/dev/full', 'w') as full:
        code, _, err = call('scan', 'sum', 'four.npy', '-o', '-', stdout=full)
    ok(code == 1 and err.startswith('vkreduce: -: it cannot be written: ') and err.count('\n') == 1,
       'a full standard output', err)
    # Programs such as ssh make the pipes of their children ones that never wait.
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen([PROGRAM, 'scan', 'sum', 'random:100000', '-o', '-'], stdout=writer,
                          stderr=subprocess.PIPE) as process:
        os.close(writer)
        select.select([reader], [], [])
        while struct.unpack('i', fcntl.ioctl(reader, termios.FIONREAD, b'0000'))[0] < 1 << 16:
            if process.poll() is not None:
                break
        with os.fdopen(reader, 'rb') as file:
            data = file.read()
        ok(len(data) == 128 + 400000 and process.wait() == 0, 'a full pipe that never waits',
           process.stderr.read())
    code = subprocess.run(['sh', '-c', 'exec "$0" reduce sum random:9 --json <&- >&-', PROGRAM],
                          stderr=subprocess.DEVNULL, check=False).returncode
    ok(code == 1, 'a closed standard output', code)
    refuse('a command that fails writes nothing', 2, 'PREDICATE', 'compact', 'x>', 'four.npy', '-o',
           '-')


# ---- The command line ----

def test_options():
    for arguments in (['-h'], ['scan', '-h'], ['reduce', 'sum', '-h']):
        ok(call(*arguments) == call(*arguments[:1], '--help') and call(*arguments)[0] == 0,
           f'{" ".join(arguments)} prints the help')
    for arguments in (['--version'], ['compact', '--version']):
        ok(call(*arguments) == (0, f'vkreduce {VERSION}\n', ''), f'{" ".join(arguments)}')
    array('-three.npy', [1, 2, 3])
    answer = run('reduce', 'sum', '--', '-three.npy')
    ok(answer.get('result') == {'sum': 6}, 'after -- come operands', answer)
    for name in ('--help', '--json', '-h', '--', '--version'):
        refuse(f'a file named {name}', 2, f'{name}: it cannot be opened', 'reduce', 'sum', '--',
               name)
    refuse('-- without an operand', 2, '1 operands', 'reduce', 'sum', '--')
    refuse('an option after --', 2, '3 operands', 'scan', 'sum', '--', 'plain.npy', '--json')


def test_bench():
    """The benchmark, where it is built, has a command line of its own."""
    if '\n  bench ' not in call('--help')[1]:
        return
    ok(call('bench', '--help')[1].startswith('usage: vkreduce bench [FILTER...]'),
       'bench --help names the program')
    refuse('an option that bench lacks', 2, "'--bogus'|see vkreduce bench --help", 'bench',
           '--bogus')
    refuse('a fraction of a run', 2, "'2.5'|whole number", 'bench', '--runs', '2.5')


def test_paths():
    """Options that name a file need a name that is not empty."""
    for command, options in [('tune', ['--output', '--profile']),
                             ('pyramid', ['--output', '--profile']),
                             ('histogram', ['--edges', '--plot']), ('scan', ['--by']),
                             ('reduce', ['--by', '--keys', '--counts']), ('sort', ['--indices']),
                             ('compact', ['--indices', '--rejected', '--rejected-indices',
                                          '--run-lengths'])]:
        for option in options:
            refuse(f'{command} {option} without a name', 2, f"{option} is ''|name", command,
                   option, '')
    refuse('-o without a name', 2, "--output is ''", 'scan', 'sum', 'three.npy', '-o', '')
    refuse('an INPUT without a name', 2, "INPUT is ''", 'reduce', 'sum', '')
    for command, words, arguments in [
            ('compact', "PREDICATE is 'flags:'|flags:FILE", ['flags:', 'three.npy']),
            ('scan', "--segments is 'flags:'|flags:FILE",
             ['sum', 'three.npy', '-o', 'out.npy', '--segments=flags:']),
            ('reduce', "--segments is 'offsets:'|offsets:FILE",
             ['sum', 'three.npy', '--segments=offsets:'])]:
        refuse(f'{command} of a file without a name', 2, words, command, *arguments)


def test_devices():
    devices = json.loads(call('devices', '--json')[1])['devices']
    names = [f'{i} ({device["device"]}, {device["driver"]})' for i, device in enumerate(devices)]
    digits = re.findall(r'\d+', names[0])
    part = next(number for number in digits if int(number) >= len(names))
    for index in (len(names), 99, 2**32, 2**64, part):
        refuse(f'--device {index}', 2, '|'.join([f"'{index}'", *names]), 'reduce', 'min',
               'random:5', '--device', index)
    refuse('the name of no device', 2, '|'.join(["'GeForce 256'", *names]), 'devices', '--device',
           'GeForce 256')
    answer = run('reduce', 'min', 'random:5', '--device', f'0{len(names) - 1}')
    ok(answer.get('device') == devices[-1]['device'], 'a number with a leading 0', answer)


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    array('three.npy', [1, 2, 3])
    test_modes()
    test_links()
    test_signals()
    test_names()
    test_standard_output()
    test_options()
    test_bench()
    test_paths()
    test_devices()
    os.chdir('/')
runner_tools.finish()
