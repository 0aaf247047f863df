#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample match and prints TAP: compares its matches with the same rule in Python, also for
a real pair of pictures, and checks bad arguments and files.

match.py PROJECT PROGRAM MISLED [all]: PROJECT is the source folder, MISLED the program with a
planted mistake. With `all`, for one driver, it also tests what does not depend on the driver. If
VK_INSTANCE_LAYERS names the validation layer, it must print no message.
"""
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

PROJECT, PROGRAM, MISLED = (os.path.abspath(path) for path in sys.argv[1:4])
DATA = os.path.join(PROJECT, 'samples/data')
# The size of the smallest workgroup: that of a subgroup of lavapipe, but at least 8.
LANES = max(8, int(os.environ.get('LP_NATIVE_VECTOR_WIDTH') or 0) // 32)
ORB = [os.path.join(DATA, f'camera-orb{name}.npy') for name in ('', '-warped', '-known')]
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments, program=PROGRAM, env=None):
    done = subprocess.run([program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


# ---- Files ----

def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)
    return name


def write_npy(name, dtype, shape, data):
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117) + '\n'
    return write(name, b'\x93NUMPY\1\0' + struct.pack('<H', len(text)) + text.encode() + data)


def read_npy(name):
    """The shape, and the bytes of the values."""
    with open(name, 'rb') as file:
        data = file.read()
    start = 10 + struct.unpack('<H', data[8:10])[0]
    shape = re.search(rb"'shape': \(([^)]*)\)", data[:start])[1]
    return tuple(int(size) for size in shape.split(b',') if size.strip()), data[start:]


def read_pairs(name):
    shape, data = read_npy(name)
    pairs = list(struct.iter_unpack('<II', data))
    return pairs if shape == (len(pairs), 2) else shape


def descriptors(rows):
    """Descriptors, which are numbers of 512 bits, as the bytes of a file."""
    return b''.join(row.to_bytes(64, 'little') for row in rows)


def save(name, rows):
    return write_npy(name, '|u1', (len(rows), 64), descriptors(rows))


def load(name):
    data = read_npy(name)[1]
    return [int.from_bytes(data[i:i + 64], 'little') for i in range(0, len(data), 64)]


# ---- The rule ----

def matches(queries, train, threshold):
    found = []
    for i, query in enumerate(queries):
        apart = [bin(query ^ other).count('1') for other in train]
        best, second = (sorted(apart) + [0, 0])[:2]
        if len(apart) > 1 and second - best > threshold:
            found.append((i, apart.index(best)))
    return found


def bits(count, first=0):
    """A descriptor with `count` bits set, starting at bit `first`."""
    return (1 << count) - 1 << first


# ---- Runs ----

def run(name, *arguments):
    """Runs with verification. Returns the report and the matches."""
    code, out, err = call(*arguments, '--json', '--repeat', 1, '-o', 'out.npy')
    try:
        report, pairs = json.loads(out), read_pairs('out.npy')
        os.remove('out.npy')
    except (ValueError, OSError) as error:
        report, pairs = {'error': error}, None
    timed = [kernel for kernel in report.get('kernels', [])
             if kernel.get('ms', 0) > 0 and kernel['comparisons_per_second'] >= 0]
    if (code != 0 or err != '' or report.get('verified') is not True or len(timed) != 3 or
            len(pairs) != report['matches']):
        ok(False, name, f'status {code}, {out}{err}{report}')
        return None, None
    return report, pairs


def compare(name, queries, train, threshold, expected=None, *arguments):
    right = matches(queries, train, threshold)
    report, pairs = run(name, save('a.npy', queries), save('b.npy', train), '--threshold',
                        threshold, *arguments)
    if report is not None:
        ok(pairs == right and expected in (None, right), name, f'{pairs}\n{right}\n{expected}')


def test_rule():
    """Each case has the distances of train descriptors from its query, and the index of its match.
    The queries are far apart, so that cases do not affect each other."""
    cases = [([70, 50], None), ([71, 50], 1), ([50, 99, 70], None), ([71, 50, 99], 1),
             ([8, 8], None), ([90, 0], 1), ([0, 0, 0], None), ([20, 0], None), ([21, 0], 1)]
    queries, train, expected = [random.getrandbits(512) for _ in cases], [], []
    for i, (distances, match) in enumerate(cases):
        if match is not None:
            expected.append((i, len(train) + match))
        train += [queries[i] ^ bits(count, 100) for count in distances]
    compare('margins at the threshold and near it', queries, train, 20, expected)


def test_ends():
    compare('threshold 0', [0, bits(512), bits(8)], [bits(9), bits(8)], 0, [(0, 1), (1, 0), (2, 1)])
    compare('all bits', [0, bits(1)], [bits(512), 0], 511, [(0, 1)])
    compare('no train descriptors', [0] * 9, [], 0, [])
    compare('a second one is needed', [0] * 9, [0], 0, [])
    compare('no queries', [], [0] * 9, 0, [])
    compare('nothing at all', [], [], 0, [])


def test_random():
    for queries, train, window, workgroup, groups, *shared in [
            (203, 33, 7, 32, 3), (330, 49, 24, 64, 2, '--shared')]:
        near = [random.getrandbits(512) for _ in range(train)]
        far = [near[random.randrange(train)] ^ bits(random.randrange(99), random.randrange(413))
               for _ in range(queries)]
        name = f'{queries} among {train}, {window} at a time, {groups} groups of {workgroup} a row'
        compare(' '.join([name, *shared]), far, near, 20, None, '--window', window, '--groups',
                groups, '--workgroup', workgroup, *shared)


def test_planted():
    """The longest loops, and workgroups that are not full."""
    report, pairs = run('the planted matches', 'random:27:40000:7', '--window', 32768)
    if report is not None:
        ok(report['known'] == report['found'] == 14 and
           {(i, 4 * i) for i in range(0, 27, 2)} <= set(pairs), 'the planted matches', report)


def test_real():
    queries, train, known = load(ORB[0]), load(ORB[1]), read_pairs(ORB[2])
    right = matches(queries, train, 20)
    report, pairs = run('a photograph and its warped view', *ORB[:2], '--known', ORB[2])
    if report is not None:
        counts = {'matches': len(right), 'found': len(set(right) & set(known)),
                  'known': len({i for i, _ in known})}
        ok(pairs == right and counts.items() <= report.items() and
           counts['found'] > 0.9 * counts['matches'] > 225, 'a photograph and its warped view',
           f'{report}\n{counts}')
        print(f'# {counts}')


# ---- Tests for one driver ----

def refuse(name, status, words, *arguments, **options):
    """Expects one sentence, this status, and no change in the folder."""
    before = sorted(os.listdir())
    code, out, err = call('-o', 'none.npy', *arguments, **options)
    ok(code == status and out == '' and err.startswith('match: ') and err.count('\n') == 1 and
       all(word in err for word in words.split('|')) and sorted(os.listdir()) == before,
       f'refused: {name}', f'status {code}, stdout {out!r}, stderr {err!r}')


def test_refusals():
    good = save('good.npy', [0, 1, 2])
    row = bytes(64)
    write_npy('wide.npy', '|u1', (2, 32), row)
    write_npy('flat.npy', '|u1', (64,), row)
    write_npy('words.npy', '<u4', (1, 64), 4 * row)
    write_npy('signed.npy', '|i1', (1, 64), row)
    write_npy('cube.npy', '|u1', (1, 8, 8), row)
    write_npy('short.npy', '|u1', (2, 64), row)
    write_npy('far.npy', '<u4', (2, 2), struct.pack('<4I', 0, 0, 3, 0))
    write('text.npy', b'descriptors, but not as they ought to be')
    write('raw.bin', row)
    files = [good, good]
    for name, words, arguments in [
            ('no operands', 'QUERIES.npy TRAIN.npy|--help', []),
            ('one file', 'there is 1 operand', [good]),
            ('three files', 'there are 3 operands', [good] * 3),
            ('two random ones', 'there are 2', ['random:1:1', good]),
            ('half a random one', 'random:QUERIES:TRAIN', ['random:5']),
            ('no number', 'random:QUERIES:TRAIN', ['random:5:x']),
            ('too many numbers', 'random:QUERIES:TRAIN', ['random:1:2:3:4']),
            ('too large a number', 'below 4294967295', ['random:4294967295:1']),
            ('more than a buffer', '1280000000|at most', ['random:20000000:1']),
            ('no such file', 'none.npy|No such file', [good, 'none.npy']),
            ('a folder', 'folder.npy|regular', ['folder.npy', good]),
            ('no .npy file', 'raw.bin|(n, 64) u8', ['raw.bin', good]),
            ('text', 'text.npy', ['text.npy', good]),
            ('256 bits', '(n, 32) u8|(n, 64) u8', [good, 'wide.npy']),
            ('one dimension', '1 dimension;|(n, 64) u8', [good, 'flat.npy']),
            ('three dimensions', '3 dimensions', [good, 'cube.npy']),
            ('u32', '(n, 64) u32|(n, 64) u8', ['words.npy', good]),
            ('i8', '(n, 64) i8', ['signed.npy', good]),
            ('half a file', 'truncated', ['short.npy', good]),
            ('known ones of another shape', 'good.npy|(n, 2) u32', [*files, '--known', good]),
            ('known ones that are not there', 'row 1 is (3, 0)|(3, 3)',
             [*files, '--known', 'far.npy']),
            ('known random ones', '--known', ['random:1:1', '--known', 'far.npy']),
            ('an unknown option', "'--many'|--help", [*files, '--many', '3']),
            ('an option without its value', '--window needs', [*files, '--window']),
            ('known ones without a name', "--known is ''", [*files, '--known', '']),
            ('a seed past 64 bits', 'SEED at most 18446744073709551615',
             ['random:1:1:18446744073709551616']),
            ('a threshold of 512', "'512'|0 to 511", [*files, '--threshold', '512']),
            ('a negative one', "'-1'", [*files, '--threshold', '-1']),
            ('no window', "'0'|1 to 32768", [*files, '--window', '0']),
            ('no power of two', '--workgroup is 24', [*files, '--workgroup', '24']),
            ('no such device', "--device is 'abacus'", [*files, '--device', 'abacus'])]:
        refuse(name, 2, words, *arguments)
    if LANES <= 32:  # with more, the maximum size of a buffer is exceeded first
        refuse('more workgroups than rows', 2, 'in a row; ', f'random:{65535 * LANES + 1}:1',
               '--groups', '1')
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    refuse('no driver', 1, 'vkCreateInstance', *files, env=none)


def test_misled():
    """The program finds every spoiled result of every kernel."""
    for kernel, name in enumerate(['multi-reduction', 'naive', 'one lane per query']):
        for result in range(kernel, 7, 3):
            refuse(f'{name}, result {result} spoiled', 3, name + ': |plain C', 'random:40:160',
                   program=MISLED, env={'MATCH_MISLED': f'{kernel}{result}'})


def test_shuffles():
    """The number of shuffles is the one in Parker and MacKinnon's paper, if all loops except that
    over descriptors are unrolled."""
    for kernel, expected in ('MULTI', 7), ('NAIVE', 12), ('SINGLE', 0):
        subprocess.run(['glslc', '-O', '--target-env=vulkan1.1', '-I',
                        os.path.join(PROJECT, 'shaders'), '-DKERNEL=' + kernel, '-o', 'module',
                        os.path.join(PROJECT, 'samples/match/match.comp')], check=True)
        subprocess.run(['spirv-opt', '-O', '--loop-unroll', '-O', '--loop-unroll', '-O', 'module',
                        '-o', 'module'], check=True)
        text = subprocess.run(['spirv-dis', 'module'], check=True, stdout=subprocess.PIPE).stdout
        count = text.count(b'OpGroupNonUniformShuffleXor')
        ok(count == expected, f'{kernel}: {expected} shuffles', count)


def test_large():
    report, _ = run('many queries', 'random:600000:2', '--verify')
    ok(report is not None and report['queries'] == 600000, 'more than 65,535 workgroups', report)
    code, out, _ = call('random:1000:17000', '--repeat', 1)
    ok(code == 0 and 'not verified' in out and
       out.count('comparisons/s') == 3, 'large work is not verified unasked', out)


def test_text():
    code, out, err = call(*ORB[:2], '--known', ORB[2], '--device', 0)
    ok(code == 0 and err == '' and out.count('comparisons/s') == 3 and
       '275 matches, 263 of them known' in out, 'the report as text', out + err)
    code, out, err = call('--help')
    ok(code == 0 and '--threshold' in out and err == '', '--help', out + err)


def test_layer():
    layer = os.environ['VK_INSTANCE_LAYERS']
    code, out, err = call('random:1:1', env={'VK_LOADER_DEBUG': 'layer'})
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    os.mkdir('folder.npy')
    random.seed(1)
    test_rule()
    test_random()
    if 'VK_INSTANCE_LAYERS' in os.environ:
        test_layer()
    else:
        test_planted()
        test_real()
    if 'all' in sys.argv[4:]:
        test_ends()
        test_refusals()
        test_misled()
        test_shuffles()
        test_large()
        test_text()
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
