# SPDX-License-Identifier: MIT
"""What the tests of the program vkreduce share: rows of commands with their expected results,
calls, files, and lines of TAP.

A row contains a command as one would type it. `answers` runs commands that must succeed,
`refusals` those that must fail with a sentence, and `differences` those whose results --verify must
find wrong. Rows contain the expected results and files, long ones as checksums; numpy has computed
them.

The scripts with rows are called with DATA VKREDUCE [MISLED]: DATA is samples/data, and MISLED is
vkreduce with a reference whose results are all slightly wrong (misled.c), so that --verify must
find a difference. Without MISLED a script only runs the tests that every kind of driver should run.
"""
import ast
import contextlib
import json
import math
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile
import zlib

# The format characters of `struct`, which has none for bf16.
CODES = {'i8': 'b', 'u8': 'B', 'i16': 'h', 'u16': 'H', 'i32': 'i', 'u32': 'I', 'i64': 'q',
         'u64': 'Q', 'f16': 'e', 'f32': 'f', 'f64': 'd'}
DESCR = {'i8': '|i1', 'u8': '|u1', 'i16': '<i2', 'u16': '<u2', 'i32': '<i4', 'u32': '<u4',
         'i64': '<i8', 'u64': '<u8', 'f16': '<f2', 'f32': '<f4', 'f64': '<f8', 'bf16': '<V2'}
KEYS = ['command', 'device', 'driver', 'type', 'count', 'channels', 'algorithm', 'result', 'gpu_ms',
        'verified', 'inputs', 'outputs']
DATA, PROGRAM, MISLED = (path and os.path.abspath(path) for path in (sys.argv + [''] * 3)[1:4])
tests = failures = 0


class Crc(int):
    """Equals every value with this checksum: that of bytes, or of the JSON text of other values."""

    @staticmethod
    def of(value):
        return zlib.crc32(value if isinstance(value, bytes) else json.dumps(value).encode())

    def __eq__(self, other):
        return int(self) == self.of(other)

    __hash__ = int.__hash__


class Near(float):
    """Equals numbers with a relative difference up to 1e-6: for sums and logarithms of floats."""

    def __eq__(self, other):
        return isinstance(other, float) and abs(other - float(self)) <= 1e-6 * abs(float(self))

    __hash__ = float.__hash__


class Part(dict):
    """Equals every dictionary that contains these entries."""

    def __eq__(self, other):
        return all(key in other and value == other[key] for key, value in self.items())

    __hash__ = None


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}', flush=True)
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def finish():
    print(f'1..{tests}')
    sys.exit(failures != 0)


@contextlib.contextmanager
def workplace():
    """Changes to an empty folder, in which `data` leads to samples/data, and makes a folder where
    drivers keep pipelines from call to call. At the end it prints the plan and exits."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
        os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
        os.chdir(folder)
        os.symlink(DATA, 'data')
        yield
        os.chdir('/')
    finish()


# ---- Calls ----

def call(program, *arguments, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **more):
    streams = {} if 'input' in more else {'stdin': stdin}
    done = subprocess.run([program, *map(str, arguments)], stdout=stdout, stderr=subprocess.PIPE,
                          env={**os.environ, **(env or {})}, **streams, **more)
    return done.returncode, (done.stdout or b'').decode(), done.stderr.decode()


def run(command, *arguments, program=PROGRAM, **more):
    """The JSON object of a command that succeeds without messages; otherwise None."""
    code, out, err = call(program, *shlex.split(command), *arguments, '--json', **more)
    if code != 0 or err != '':
        print(f'# {command}: status {code}, {err}')
        return None
    return json.loads(out)


def answer(name, command, result, /, files=None, streams=None, verify=True, **fields):
    """Tests one row: the results; the files by name, each (type, shape, values or a checksum); more
    arguments of `call`; and other fields of the JSON object."""
    expected = {'verified': verify or None, 'chunks': None, **fields,
                **({} if result is None else {'result': result})}
    for file in files or {}:
        if os.path.exists(file) and shlex.split(command).count(file) == 1: # not an input too
            os.remove(file)
    found = run(command, *['--verify'] * verify, **(streams or {}))
    got = {key: (found or {}).get(key) for key in expected}
    good = (got == expected and list(found) == KEYS + ['chunks'] * ('chunks' in found) and
            isinstance(found['gpu_ms'], float) and found['gpu_ms'] >= 0)
    wrong = [difference for file, of in (files or {}).items() if found
             for difference in compare(file, read_npy(file), of)]
    ok(good and not wrong, f'{name}: {command}', '\n'.join(
        [f'{key}: got {str(got[key])[:400]}, checksum {Crc.of(got[key])}, expected '
         f'{str(value)[:400]}' for key, value in expected.items() if got[key] != value] + wrong))
    return found or {}


def compare(name, stored, expected):
    """Compares the type, shape and values of a file. Values are compared as text, which
    distinguishes -0 from 0, and equals itself for NaN."""
    same = stored == expected if isinstance(expected[2], Crc) else repr(stored) == repr(expected)
    return [] if same else [f'{name}: {str(stored)[:400]}, checksum {Crc.of(stored[2])}, expected '
                            f'{str(expected)[:400]}']


def answers(*rows):
    """Each row: a name, a command, its result, and a dictionary of more arguments of `answer`."""
    for name, command, result, *more in rows:
        answer(name, command, result, **(more[0] if more else {}))


def refuse(program, name, status, words, *arguments, **more):
    """Expects one sentence with all words, this status, nothing on stdout, and no new file. The
    sentence is in terms of the command line, not of the library."""
    before = os.listdir()
    code, out, err = call(program, *arguments, **more)
    good = (not re.search(r'VKR_|\bvkr[A-Z]|\b[a-z]+[0-9]?\.[a-z]+[A-Z]|is NULL|[^.]\.\n', err) and
            code == status and out == '' and err.startswith('vkreduce: ') and
            err.count('\n') == 1 and all(word in err for word in words.split('|')))
    ok(good and os.listdir() == before, f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}, files {set(os.listdir()) - set(before)}')


def refusals(status, prefix, *rows):
    """Each row has a name, words of its sentence, and the part of its command after the prefix."""
    for name, words, command in rows:
        refuse(PROGRAM, f'{prefix} {command}: {name}', status, words,
               *shlex.split(f'{prefix} {command}'))


def differences(*rows):
    """Each row has words of the sentence, and a command. Without --verify nothing is compared."""
    for words, command in rows:
        code, out, err = call(MISLED, *shlex.split(command), '--verify', '--json')
        ok(code == 3 and json.loads(out)['verified'] is False and err.count('\n') == 1 and
           all(word in err for word in words.split('|')),
           f'--verify finds a difference in {command}', f'{code} {out} {err}')
    code, out, err = call(MISLED, *shlex.split(command))
    ok(code == 0 and err == '', f'without --verify it does not: {command}', err)


def says(name, command, *lines, program=PROGRAM, status=0):
    """Expects these lines, or parts of lines, in a command's output for people."""
    code, out, err = call(program, *shlex.split(command))
    ok(code == status and (err == '') == (status == 0) and all(line in out for line in lines),
       f'{name}: {command}', out + err)
    return out


def options_of(help):
    """The options that --help lists. Those that share a phrase share a line."""
    one = r'(?:-\w, )?--[\w-]+(?: (?:[A-Z]|\w+\|)[^\s,]*(?:,\.{2,3})?)?'
    lines = re.findall(f'^  ({one}(?:, {one})*)(?: |$)', help[help.index('\noptions:'):], re.M)
    return [option for line in lines for option in re.findall(one, line)]


def await_handler(process, number):
    """Polls until the process has a handler for the signal; false if it ended before."""
    while process.poll() is None:
        with open(f'/proc/{process.pid}/status') as file:
            if int(re.search(r'SigCgt:\s*(\w+)', file.read())[1], 16) >> number - 1 & 1:
                return True
    return False


def is_lacking(program, *requirements):
    """Whether the device lacks one of these requirements."""
    device = json.loads(call(program, 'devices', '--json')[1])['devices'][0]
    return any(need['name'] in requirements and not need['available']
               for need in device['requirements'])


# ---- Files ----

def write(name, *parts):
    with open(name, 'wb') as file:
        file.write(b''.join(parts))
    return name


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def pack(kind, values):
    if kind == 'bf16':  # the upper halves of floats
        return b''.join(struct.pack('<f', value)[2:] for value in values)
    return struct.pack(f'<{len(values)}{CODES[kind]}', *values)


def npy(name, data, descr='<f4', shape='(3,)', order='False', version=1, header=None):
    text = header or f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    text = text.encode() + b'\n'
    length = struct.pack('<H' if version == 1 else '<I', len(text))
    return write(name, b'\x93NUMPY', bytes([version, 0]), length, text, data)


def array(name, kind, values, shape=None):
    return npy(name, pack(kind, values), DESCR[kind], shape or (len(values),))


def load_npy(name):
    """The type, the shape, and the bytes of the values. The header must equal numpy's."""
    if not os.path.exists(name):
        return 'no file', (), b''
    data = read(name)
    size = 10 + struct.unpack('<H', data[8:10])[0]
    header = ast.literal_eval(data[10:size].decode())
    if (data[:8] != b'\x93NUMPY\1\0' or list(header) != ['descr', 'fortran_order', 'shape'] or
            header['fortran_order'] or size % 64 != 0 or data[size - 1:size] != b'\n'):
        return 'an odd header', data[:size], b''
    return kind_of(header['descr']), header['shape'], data[size:]


def kind_of(descr):
    """Our name of a type; of a structured one the fields, each with its name, its type and, if it
    is an array, its shape."""
    if isinstance(descr, str):
        return next(kind for kind, name in DESCR.items() if name == descr)
    return tuple((name, kind_of(inner), *shape) for name, inner, *shape in descr)


def codes_of(kind):
    """The format of a value, or of the fields of an element."""
    if isinstance(kind, str):
        return CODES[kind]
    return ''.join(f'{math.prod(shape[0]) if shape else 1}{CODES[inner]}'
                   for _, inner, *shape in kind)


def read_npy(name):
    """The same with a list of values, unless there are many, or `struct` lacks their type."""
    kind, shape, values = load_npy(name)
    if kind in ('no file', 'an odd header', 'bf16'):
        return kind, shape, values
    codes = codes_of(kind)
    count = len(values) // struct.calcsize('<' + codes)
    if count > 100:
        return kind, shape, values
    return kind, shape, list(struct.unpack('<' + count * codes, values))


def make_operator(name):
    """Compiles an operator of floats, their maximum, to SPIR-V."""
    lines = ['#version 450', 'float lift(float x, uint i) { return x; }',
             'float identity() { return 0.0; }',
             'float combine(float a, float b) { return max(a, b); }',
             'void main() { combine(lift(0, 0), identity()); }']
    subprocess.run(['glslc', '-O0', '-fshader-stage=compute', '-o', name, '-'],
                   check=True, input='\n'.join(lines).encode())
