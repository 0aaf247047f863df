# SPDX-License-Identifier: MIT
"""What the tests of the program vkreduce share: calls, files, and lines of TAP."""
import json
import os
import re
import struct
import subprocess
import sys

# Of struct, which has no code for bf16.
CODES = {'i8': 'b', 'u8': 'B', 'i16': 'h', 'u16': 'H', 'i32': 'i', 'u32': 'I', 'i64': 'q',
         'u64': 'Q', 'f16': 'e', 'f32': 'f', 'f64': 'd'}
DESCR = {'i8': '|i1', 'u8': '|u1', 'i16': '<i2', 'u16': '<u2', 'i32': '<i4', 'u32': '<u4',
         'i64': '<i8', 'u64': '<u8', 'f16': '<f2', 'f32': '<f4', 'f64': '<f8', 'bf16': '<V2'}
tests = failures = 0


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


def call(program, *arguments, env=None, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **more):
    done = subprocess.run([program, *map(str, arguments)], stdin=stdin, stdout=stdout,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})},
                          **more)
    return done.returncode, done.stdout, done.stderr


def refuse(program, name, status, words, *arguments, **more):
    """One sentence that says each of the words, the status, nothing on stdout, and no file."""
    before = os.listdir()
    code, out, err = call(program, *arguments, **more)
    good = (code == status and out == '' and err.startswith('vkreduce: ') and
            err.count('\n') == 1 and all(word in err for word in words.split('|')))
    ok(good and os.listdir() == before, f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}, files {set(os.listdir()) - set(before)}')


def await_handler(process, number):
    """Polls until the process catches the signal; false where it ended before."""
    while process.poll() is None:
        with open(f'/proc/{process.pid}/status') as file:
            if int(re.search(r'SigCgt:\s*(\w+)', file.read())[1], 16) >> number - 1 & 1:
                return True
    return False


def is_lacking(program, *requirements):
    """Whether the device lacks one of these."""
    device = json.loads(call(program, 'devices', '--json')[1])['devices'][0]
    return any(need['name'] in requirements and not need['available']
               for need in device['requirements'])


def write(name, *parts):
    with open(name, 'wb') as file:
        file.write(b''.join(parts))
    return name


def pack(kind, values):
    if kind == 'bf16':  # the upper halves of floats
        return b''.join(struct.pack('<f', value)[2:] for value in values)
    return struct.pack(f'<{len(values)}{CODES[kind]}', *values)


def unpack(kind, data):
    if kind == 'bf16':
        return tuple(struct.unpack('<f', b'\0\0' + data[i:i + 2])[0] for i in range(0, len(data), 2))
    return struct.unpack(f'<{len(data) // struct.calcsize(CODES[kind])}{CODES[kind]}', data)


def npy(name, data, descr='<f4', shape='(3,)', order='False', version=1, header=None):
    text = header or f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    text = text.encode() + b'\n'
    length = struct.pack('<H' if version == 1 else '<I', len(text))
    return write(name, b'\x93NUMPY', bytes([version, 0]), length, text, data)


def splitmix64(seed, i):
    mask = 2**64 - 1
    z = (seed + (i + 1) * 0x9e3779b97f4a7c15) & mask
    z = ((z ^ z >> 30) * 0xbf58476d1ce4e5b9) & mask
    z = ((z ^ z >> 27) * 0x94d049bb133111eb) & mask
    return z ^ z >> 31
