#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program vkreduce's commands scan and compact from the outside, against Python, as TAP.

runner_scan.py DATA VKREDUCE [MISLED]: DATA is samples/data, MISLED as for runner.py; without it only
what every device has is tried.
"""
import ast
import itertools
import json
import math
import operator
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile

import runner_tools
from runner_tools import DESCR, npy, ok, pack, splitmix64, unpack, write

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:4])
BLOCK = 65536 # elements of a scan's smallest chunk
UNIT = 1024   # of a compaction's
SIZES = {kind: int(descr[2:]) for kind, descr in DESCR.items()}
INF = float('inf')
NAN = float('nan')


def refuse(name, status, words, *arguments, **more):
    runner_tools.refuse(PROGRAM, name, status, words, *arguments, **more)


def run(*arguments, program=PROGRAM, status=0):
    """The JSON object, or an empty one where the call failed or was not silent."""
    code, out, err = runner_tools.call(program, *arguments, '--json')
    if code != status or (status == 0 and err != ''):
        print(f'# {arguments}: status {code}, {err}')
        return {}
    return json.loads(out)


def is_float(kind):
    return 'f' in kind


def read_npy(name):
    """The element type, the shape and the flat values."""
    with open(name, 'rb') as file:
        data = file.read()
    size = struct.unpack('<H', data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    kind = next(kind for kind, descr in DESCR.items() if descr == header['descr'])
    if data[:8] != b'\x93NUMPY\1\0' or header['fortran_order'] or (10 + size) % 64 != 0:
        print(f'# {name}: an odd header')
    values = data[10 + size:]
    return kind, header['shape'], unpack(kind, values)


def same(a, b):
    """Whether two arrays have equal values, all NaN being equal."""
    return len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))


def wrap(kind, value):
    if is_float(kind):
        return value
    bits = 8 * SIZES[kind]
    value %= 1 << bits
    return value - (1 << bits) if kind[0] == 'i' and value >> bits - 1 else value


def array(name, kind, values, components=1):
    rows = len(values) // components
    return npy(name, pack(kind, values), DESCR[kind],
               f'({rows},)' if components == 1 else f'({rows}, {components})')


def values_of(kind, count, seed=1):
    """Small whole numbers for floats, so that their sums are exact."""
    numbers = random.Random(seed)
    if is_float(kind):
        return [float(numbers.randrange(-8, 9)) for _ in range(count)]
    return [wrap(kind, numbers.getrandbits(8 * SIZES[kind])) for _ in range(count)]


# ---- Scan ----

OPS = {'sum': operator.add, 'product': operator.mul, 'min': min, 'max': max, 'and': operator.and_,
       'or': operator.or_, 'xor': operator.xor}


turns = itertools.cycle(itertools.product((False, True), repeat=2))

# Each call of the runner compiles its pipelines anew: the default tier makes fewer calls that
# differ little.
FULL = os.environ.get('VKR_TEST_FULL', '') not in ('', '0')


def some(rows):
    rows = list(rows)
    return rows if FULL else rows[::4]


def scan_kind(op, kind):
    wide = op in ('sum', 'product') and SIZES[kind] < 4
    return kind.lstrip('b')[0] + '32' if wide else kind


def identity(op, kind):
    bits, signed = 8 * SIZES[kind], kind[0] == 'i'
    if op == 'product':
        return 1
    if op == 'and':
        return wrap(kind, -1)
    if op not in ('min', 'max'):
        return 0
    if is_float(kind):
        return INF if op == 'min' else -INF
    least = -(1 << bits - 1) if signed else 0
    return least if op == 'max' else least + (1 << bits) - 1


def python_scan(op, kind, values, heads=(), initial=None, exclusive=False, reverse=False):
    """One component; heads are where segments start. The results and the total."""
    result = scan_kind(op, kind)
    start = identity(op, result) if initial is None else initial
    heads, state, results = set(heads), start, [None] * len(values)
    order = range(len(values))
    for i in reversed(order) if reverse else order:
        if (i + 1 if reverse else i) in heads:
            state = start
        before = state
        state = wrap(result, OPS[op](state, values[i]))
        results[i] = before if exclusive else state
    return results, state


def check_scan(name, op, kind, values, *arguments, components=1, heads=(), initial=None, file=None,
               options=(), chunks=None, ways=1):
    """Inclusive and exclusive, reversed and not, in turns; `chunks` is how many --chunk=1 makes."""
    file = file or array('in.npy', kind, values, components)
    for exclusive, reverse in [next(turns) for _ in range(ways if FULL else 1)]:
        parts = [python_scan(op, kind, values[c::components], heads, initial, exclusive, reverse)
                 for c in range(components)]
        expected = [value for row in zip(*(part[0] for part in parts)) for value in row]
        total = [part[1] if math.isfinite(part[1]) else str(part[1]) for part in parts]
        extra = ['--exclusive'] * exclusive + ['--reverse'] * reverse + [str(option) for option in options]
        answer = run('scan', op, file, '-o', 'out.npy', '--verify', *arguments, *extra)
        got_kind, shape, got = read_npy('out.npy') if answer else (None, None, ())
        rows = len(values) // components
        good = (got_kind == scan_kind(op, kind) and same(got, expected) and
                shape == ((rows,) if components == 1 else (rows, components)) and
                answer['result'] == {'type': got_kind,
                                     'total': total[0] if components == 1 else total} and
                answer['verified'] is True and answer['count'] == rows and
                answer.get('chunks') == chunks)
        first = next((i for i, pair in enumerate(zip(got, expected)) if pair[0] != pair[1]), None)
        ok(good, f'scan {op} of {kind}, {name} {" ".join(extra)}',
           f'{answer} {got_kind} {shape}, differs at {first}')


def test_everywhere():
    """Few calls: drivers can take seconds to compile what each one needs."""
    values = values_of('i32', 150001)
    heads = [0, 5, 70000, 70001, 140000]
    array('heads.npy', 'u32', heads)
    check_scan('segments in chunks', 'sum', 'i32', values, '--chunk=1', '--segments',
               'offsets:heads.npy', heads=heads, chunks=3)
    values = values_of('f32', 3000)
    check_scan('3000 elements', 'min', 'f32', values)
    check_compact('in chunks', 'x>2', 'f32', values, [v > 2 for v in values], '--chunk=1',
                  chunks=3)
    runs = [i * i // 5000 for i in range(3000)]
    check_compact('runs', 'unique', 'i32', runs, starts(runs), '--chunk=1', lengths=True, chunks=3)


def test_scan():
    for kind in ('f32', 'i32', 'u32'):
        check_scan('10,000 elements', 'xor' if kind == 'u32' else 'sum', kind,
                   values_of(kind, 10000))
    values = values_of('i32', 150001)
    check_scan('in chunks', 'sum', 'i32', values, '--chunk=1', chunks=3, ways=2)
    heads = [0, 5, 70000, 70001, 140000]
    array('heads.npy', 'u32', heads)
    check_scan('segments in chunks', 'sum', 'i32', values, '--chunk=1', '--segments',
               'offsets:heads.npy', heads=heads, chunks=3, ways=2)
    ok(os.listdir('.').count('out.npy') == 1 and not [f for f in os.listdir('.') if 'tmp' in f],
       'nothing but the output is left')


def test_scan_types():
    for kind in DESCR:
        for op in some(('sum', 'max') if is_float(kind) else ('sum', 'min', 'and', 'or')):
            check_scan('300 elements', op, kind, values_of(kind, 300))
    for kind in ('u8', 'u64'):
        check_scan('a product', 'product', kind, [1, 3, 1, 1, 5, 7, 1, 255] * 5)
    check_scan('a product', 'product', 'f32', [1.0, -2.0, 1.0, 0.5] * 9)
    for count in (0, 1, 2, BLOCK + 1):
        check_scan(f'{count} elements', 'sum', 'u32', values_of('u32', count))
    for components in (2, 3, 4):
        check_scan(f'{components} components', 'sum', 'i32', values_of('i32', 999 * components),
                   components=components, options=['--components', components])
    special = [1.0, -0.0, NAN, INF, -3.0, NAN, -INF, 2.0]
    check_scan('NaN is ignored', 'max', 'f32', [-INF if v != v else v for v in special],
               file=array('nan.npy', 'f32', special))
    after = list(itertools.accumulate(special, lambda a, b: a if a != a or b == b and a > b else b))
    run('scan', 'max', 'nan.npy', '-o', 'out.npy', '--nan=propagate', '--verify')
    ok(same(read_npy('out.npy')[2], after), 'NaN propagates', read_npy('out.npy'))
    bits = values_of('u8', 512 * 512)
    with open('bytes.u8', 'wb') as file:
        file.write(bytes(bits))
    check_scan('raw bytes', 'sum', 'u8', bits, '--type=u8', file='bytes.u8')
    records = b''.join(struct.pack('<Ihh', i, -i, i * i) for i in range(100))
    check_scan('fields of records', 'sum', 'i16', [v for i in range(100) for v in (-i, i * i)],
               '--type=i16', '--offset=4', '--stride=8', components=2,
               options=['--components=2'], file=write('records.bin', records))


def test_scan_options():
    values = values_of('i32', 5000)
    for initial in (0, 7, -2**31):
        check_scan('an initial value', 'sum', 'i32', values, initial=initial,
                   options=[f'--initial={initial}'])
    check_scan('an initial value', 'min', 'f16', [3.0, 0.5, -2.0], initial=0.25,
               options=['--initial=0.25'])
    for zero in (0.0, -0.0):
        check_scan('an initial zero', 'max', 'f16', [-3.0, -0.5], initial=zero,
                   options=[f'--initial={zero}'])
    check_scan('an initial value', 'max', 'u64', [3, 5], initial=2**64 - 1,
               options=[f'--initial={2**64 - 1}'])
    for extra in (['--count-on-gpu'], ['--staging'], ['--repeat=3'], ['--determinism=none']):
        check_scan('the same', 'sum', 'i32', values, options=extra)
    for name in ('reduce-then-scan', 'single-pass', 'hillis-steele', 'blelloch'):
        check_scan('the same', 'xor', 'i32', values, options=[f'--algorithm={name}'])
    sums = [run('scan', 'sum', 'random:200000', '-o', f'{i}.npy', '--determinism=device',
                '--verify', *extra) for i, extra in enumerate(([], ['--chunk=1'], ['--staging']))]
    ok(len({answer['result']['total'] for answer in sums}) == 1 and
       read_npy('0.npy') == read_npy('1.npy') == read_npy('2.npy'),
       'the bits at level device do not depend on chunks', sums)
    for level in ('run', 'none'):
        for extra in some(([], ['--chunk=1'], ['--chunk=1', '--reverse', '--exclusive'])):
            answer = run('scan', 'sum', 'random:200000', '-o', 'out.npy', '--verify',
                         f'--determinism={level}', *extra)
            ok(answer.get('verified') is True, f'float sums at level {level} {" ".join(extra)}')
    answer = run('scan', 'sum', 'random:9', '-o', 'out.npy', '--accumulator=f64')
    ok(answer['result'].get('type') == read_npy('out.npy')[0] == 'f64', 'a wide accumulator')
    picture = os.path.join(DATA, 'astronaut.png')
    answer = run('scan', 'max', picture, '-o', 'out.npy', '--verify')
    ok(answer['result'] == {'type': 'u8', 'total': [255, 255, 255]} and
       read_npy('out.npy')[:2] == ('u8', (262144, 3)), 'a picture', answer)


def test_segments():
    count = 2 * BLOCK + 5
    values = values_of('u32', count)
    array('in.npy', 'u32', values)
    numbers = random.Random(4)
    few = sorted(numbers.sample(range(count), 40))
    for name, heads in some({'none': [], 'few': few, 'at ends of chunks': [BLOCK, 2 * BLOCK],
                             'before and behind them': [BLOCK - 1, BLOCK + 1, 2 * BLOCK + 1],
                             'the last element': [count - 1],
                             'many': sorted(numbers.sample(range(count), 50000)),
                             'every element': list(range(count))}.items()):
        flags = bytearray(count)
        for head in heads:
            flags[head] = 255
        npy('flags.npy', bytes(flags), '|b1', f'({count},)')
        npy('offsets.npy', pack('u64', heads + heads[-1:] + [count, 2**40]), '<u8',
            f'({len(heads + heads[-1:]) + 2},)')
        check_scan(f'segments, {name}, whole', 'sum', 'u32', values, '--segments',
                   'offsets:offsets.npy', heads=heads + [0, count], file='in.npy')
        check_scan(f'segments, {name}', 'sum', 'u32', values, '--segments', 'flags:flags.npy',
                   heads=heads + [0, count], file='in.npy', initial=9,
                   options=['--initial=9', '--chunk=1'], chunks=3, ways=4)
    for length in (7, BLOCK + 21, 214748)[::1 if FULL else 2]:
        count = length * max(1, 150000 // length)
        for extra, chunks in (([], None), (['--chunk=1'], (count + BLOCK - 1) // BLOCK)):
            check_scan(f'rows of {length}', 'sum', 'u32', values_of('u32', count),
                       heads=range(0, count + 1, length), chunks=chunks, ways=2 if extra else 1,
                       options=['--segments', f'rows:{length}', *extra])
    array('heads.npy', 'u8', [i % 30011 == 7 for i in range(200001)])
    for extra in ([], ['--exclusive', '--reverse'])[:2 if FULL else 1]:
        for option in ('rows:66667', 'flags:heads.npy'):
            for name in ('0', '1'):
                run('scan', 'sum', 'random:200001', '-o', f'{name}.npy', '--determinism=device',
                    '--verify', '--segments', option, *['--chunk=1'] * int(name), *extra)
            ok(read_npy('0.npy') == read_npy('1.npy'),
               f'the bits at level device, {option} {" ".join(extra)}')


# ---- Compaction ----

OUTPUTS = {'-o': 'kept.npy', '--indices': 'indices.npy', '--rejected': 'rejected.npy',
           '--rejected-indices': 'rejected-indices.npy'}


def check_compact(name, predicate, kind, values, keep, *arguments, components=1, outputs=OUTPUTS,
                  capacity=None, lengths=False, chunks=None, file=None):
    """keep: which elements Python keeps."""
    file = file or array('in.npy', kind, values, components)
    rows = [tuple(values[i:i + components]) for i in range(0, len(values), components)]
    keep = list(keep)
    kept = [i for i, keep_it in enumerate(keep) if keep_it]
    others = [i for i, keep_it in enumerate(keep) if not keep_it]
    stored = kept if capacity is None else kept[:capacity]
    ends = kept[1:] + [len(rows)]
    expected = {'-o': [v for i in stored for v in rows[i]], '--indices': stored,
                '--rejected': [v for i in others for v in rows[i]], '--rejected-indices': others,
                '--run-lengths': [end - i for i, end in zip(stored, ends)]}
    outputs = {**outputs, **({'--run-lengths': 'lengths.npy'} if lengths else {})}
    for file_name in outputs.values():
        if os.path.exists(file_name):
            os.remove(file_name)
    extra = [] if capacity is None else ['--capacity', capacity]
    answer = run('compact', predicate, file, '--verify', *itertools.chain(*outputs.items()),
                 *extra, *arguments)
    good = (answer.get('result') == {'kept': len(kept), 'rejected': len(others)} and
            answer['verified'] is True and answer.get('chunks') == chunks)
    wrong = []
    for option, file_name in outputs.items():
        got = read_npy(file_name) if answer else None
        values_out = option in ('-o', '--rejected')
        if not answer or got[0] != (kind if values_out else 'u32') or not same(
                got[2], expected[option]):
            wrong.append(option)
    ok(good and not wrong, f'compact {predicate} of {kind}, {name} {" ".join(map(str, arguments))}',
       f'{answer}, wrong: {wrong}')


def starts(values):
    return [i == 0 or values[i] != values[i - 1] for i in range(len(values))]


def test_compact():
    values = [v / 4 for v in values_of('f32', 10000)]
    for predicate, keep in {'x>0.5': lambda v: v > 0.5, '-1<=x<1.25': lambda v: -1 <= v < 1.25,
                            'nonzero': lambda v: v != 0}.items():
        check_compact('in chunks', predicate, 'f32', values, map(keep, values), '--chunk=1',
                      chunks=10)
    check_compact('10,000 elements', 'x>0.5', 'f32', values, [v > 0.5 for v in values])
    runs = [v for v, n in zip(values_of('i32', 400), range(400)) for _ in range(n * n % 97)]
    check_compact('runs', 'unique', 'i32', runs, starts(runs), lengths=True)
    check_compact('runs', 'unique', 'i32', runs, starts(runs), '--chunk=1', lengths=True,
                  chunks=(len(runs) + UNIT - 1) // UNIT)
    check_compact('counted only', 'x!=7', 'u32', [7, 8, 7], [0, 1, 0], outputs={})


def test_predicates():
    special = [0.0, -0.0, 1.0, NAN, INF, -INF, 2.0**-149, -2.5, 3.0]
    array('special.npy', 'f32', special)
    for predicate, keep in {
            'nonzero': [0, 0, 1, 1, 1, 1, 1, 1, 1], 'finite': [1, 1, 1, 0, 0, 0, 1, 1, 1],
            'nan': [0, 0, 0, 1, 0, 0, 0, 0, 0], 'x==0': [1, 1, 0, 0, 0, 0, 0, 0, 0],
            'x != 0': [0, 0, 1, 1, 1, 1, 1, 1, 1], 'x<inf': [1, 1, 1, 0, 0, 1, 1, 1, 1],
            'x >= 1': [0, 0, 1, 0, 1, 0, 0, 0, 1], ' -3 < x<= 0 ': [1, 1, 0, 0, 0, 0, 0, 1, 0],
            '1>x': [1, 1, 0, 0, 0, 1, 1, 1, 0], '3==x': [0, 0, 0, 0, 0, 0, 0, 0, 1],
            '2>x>=-2.5e0': [1, 1, 1, 0, 0, 0, 1, 1, 0], 'x!=nan': [1] * 9, 'x==nan': [0] * 9,
            'unique': [1] * 9, 'flags:flags8.npy': [1, 0, 0, 1, 0, 1, 0, 0, 1]}.items():
        array('flags8.npy', 'u8', [1, 0, 0, 255, 0, 2, 0, 0, 128])
        check_compact('special values', predicate, 'f32', special, keep, file='special.npy')
        if keep[3]:
            check_compact('special values', f'! {predicate}', 'f32', special,
                          [not k for k in keep], file='special.npy')
    for kind in DESCR:
        if is_float(kind):
            values, middle = values_of(kind, 500), 1.0
        else:
            values, middle = values_of(kind, 500), wrap(kind, 1 << 8 * SIZES[kind] - 1)
            values[7:9] = [middle, wrap(kind, middle - 1)]
        for predicate, relation in some({'x<{}': operator.lt, '{}==x': operator.eq}.items()):
            check_compact('constants', predicate.format(middle), kind, values,
                          [relation(v, middle) for v in values])
        check_compact('elements', 'unique', kind, sorted(values), starts(sorted(values)),
                      lengths=True)
    pairs = values_of('i16', 600)
    check_compact('the second component', 'y>0', 'i16', pairs, [y > 0 for y in pairs[1::2]],
                  '--components=2', components=2)
    sixes = [v % 2 for v in pairs]
    groups = [tuple(sixes[i:i + 3]) for i in range(0, 600, 3)]
    check_compact('3 components', 'unique', 'i16', sixes, starts(groups), '--components=3',
                  components=3, lengths=True)
    for kind in ('u32', 'f32', 'u64', 'i8'):
        flags = [v % 3 and v for v in values_of(kind, 3000)]
        array('flags.npy', kind, flags)
        for extra, chunks in (([], None), (['--chunk=1'], 3)):
            check_compact(f'flags of {kind}', 'flags:flags.npy', 'i32', values_of('i32', 3000),
                          [flag != 0 for flag in flags], *extra, chunks=chunks)


def test_compact_options():
    values = values_of('u32', 5 * UNIT + 3)
    keep = [v < 2**31 for v in values]
    for extra in (['--count-on-gpu'], ['--staging'], ['--repeat=2'], ['--algorithm=scan-scatter'],
                  ['--algorithm=single-pass']):
        check_compact('the same', f'x<{2**31}', 'u32', values, keep, *extra)
    for option, file_name in some(OUTPUTS.items()):
        check_compact(f'{option} alone', f'x<{2**31}', 'u32', values, keep,
                      outputs={option: file_name})
    for extra, chunks in ([], None), (['--chunk=1'], 6):
        for capacity in some((1, UNIT // 2, sum(keep), sum(keep) + 1)):
            check_compact(f'capacity {capacity}', f'x<{2**31}', 'u32', values, keep, *extra,
                          capacity=capacity, lengths=True, chunks=chunks)
        for name, data in some({'none': [0] * len(values), 'all': [1] * len(values),
                           'the last': [0] * (len(values) - 1) + [1],
                           'the first': [1] + [0] * (len(values) - 1)}.items()):
            check_compact(f'keeping {name}', 'x==1', 'u32', data, data, *extra, lengths=True,
                          chunks=chunks)
        extra, chunks = (['--chunk=8KiB', '--repeat=2', '--staging'], 3) if extra else ([], None)
        for period in some((2, UNIT - 1, UNIT, 3 * UNIT, 10 * UNIT)) if extra else (1, 3000):
            data = [i // period for i in range(len(values))]
            check_compact(f'runs of {period}', 'unique', 'u32', data, starts(data), *extra,
                          lengths=True, chunks=chunks)
            check_compact(f'the rest of runs of {period}', '!unique', 'u32', data,
                          [not s for s in starts(data)], *extra, chunks=chunks)
    check_compact('nothing', 'nonzero', 'u32', [], [], lengths=True)
    check_compact('nothing, in chunks', 'unique', 'u32', [], [], '--chunk=1', lengths=True, chunks=1)
    records = b''.join(struct.pack('<Ihh', i, i % 5, -i) for i in range(3000))
    for extra, chunks in (([], None), (['--chunk=1'], 3)):
        check_compact('fields of records', 'x!=0', 'i16',
                      [v for i in range(3000) for v in (i % 5, -i)], [i % 5 for i in range(3000)],
                      '--type=i16', '--offset=4', '--stride=8', '--components=2', *extra,
                      components=2, file=write('records.bin', records), chunks=chunks)
    picture = os.path.join(DATA, 'camera.png')
    for extra in ([], ['--chunk=100KiB']):
        answer = run('compact', 'x>100', picture, '--verify', '-o', 'kept.npy', '--run-lengths',
                     'lengths.npy', *extra)
        kept, lengths = read_npy('kept.npy')[2], read_npy('lengths.npy')[2]
        ok(answer['verified'] is True and min(kept) == 101 and len(kept) == len(lengths) and
           answer['result']['kept'] + answer['result']['rejected'] == 262144, 'a picture', answer)


# ---- Sentences, statuses and files ----

def test_usage():
    f32, u8 = array('f32.npy', 'f32', [1, 2, 3]), array('u8.npy', 'u8', [1, 2, 3])
    array('two.npy', 'u32', [0, 2])
    array('down.npy', 'u32', [0, 2, 1])
    for name, words, arguments in [
            ('no output', 'scan|-o OUT.npy', ['sum', f32]),
            ('mean', "'mean'|xor", ['mean', f32, '-o', 'x']),
            ('two operators', "'min,max'", ['min,max', f32, '-o', 'x']),
            ('and of floats', 'and', ['and', f32, '-o', 'x']),
            ('no input', 'INPUT', ['sum', '-o', 'x']),
            ('columns', 'rows:LEN', ['sum', f32, '-o', 'x', '--segments', 'columns:3']),
            ('rows of nothing', 'rows:LEN', ['sum', f32, '-o', 'x', '--segments', 'rows:0']),
            ('no such segments', 'none.npy', ['sum', f32, '-o', 'x', '--segments=flags:none.npy']),
            ('too few flags', '2 values|3 elements',
             ['sum', f32, '-o', 'x', '--segments=flags:two.npy']),
            ('offsets of floats', '32 or 64 bits', ['sum', f32, '-o', 'x',
                                                 '--segments=offsets:f32.npy']),
            ('offsets that decrease', 'offset 2 is 1|before 2',
             ['sum', f32, '-o', 'x', '--segments=offsets:down.npy']),
            ('an initial word', "--initial: 'one'", ['sum', f32, '-o', 'x', '--initial=one']),
            ('no initial value', '--initial', ['sum', f32, '-o', 'x', '--initial=']),
            ('an initial fraction', 'whole number', ['max', u8, '-o', 'x', '--initial=1.5']),
            ('an initial value too large', '0 to 255', ['max', u8, '-o', 'x', '--initial=256']),
            ('an algorithm of reduce', 'tree|blelloch', ['sum', f32, '-o', 'x',
                                                         '--algorithm=tree']),
            ('an option of compact', '--indices', ['sum', f32, '-o', 'x', '--indices=y']),
            ('the count from the GPU, in chunks', '--count-on-gpu|--chunk',
             ['sum', f32, '-o', 'x', '--count-on-gpu', '--chunk=1']),
            ('no such input', 'none.npy', ['sum', 'none.npy', '-o', 'x'])]:
        refuse(f'scan, {name}', 2, words, 'scan', *arguments)
    for name, words, arguments in [
            ('no word', "'zero'|--help", ['zero', f32]), ('nothing', "''", ['', f32]),
            ('half a relation', "'=0.5'|==", ['x=0.5', f32]),
            ('no constant', 'constant', ['x>', f32]),
            ('no variable', "'1<2'|x", ['1<2', f32]), ('a relation alone', 'constant', ['<', f32]),
            ('two constants after x', "'<3' behind", ['x<2<3', f32]),
            ('a constant behind', 'behind', ['x<2 3', f32]),
            ('a word for a number', "'half'", ['x>half', f32]),
            ('a fraction of an integer', "'0.5'|whole number|0 to 255|u8", ['x>0.5', u8]),
            ('a constant too large', "'256'", ['x<256', u8]),
            ('a negative constant', "'-1'", ['x>-1', u8]),
            ('a component too far', "'y'|1 of them", ['y>1', f32]),
            ('no such flags', 'none.npy', ['flags:none.npy', f32]),
            ('too few flags', '2 values|3 elements', ['flags:two.npy', f32]),
            ('no capacity', '--capacity', ['nonzero', f32, '--capacity=0']),
            ('one name twice', 'x.npy|two outputs', ['nonzero', f32, '-o', 'x.npy', '--rejected',
                                                     'x.npy']),
            ('an algorithm of scan', 'blelloch|scan-scatter', ['nonzero', f32,
                                                               '--algorithm=blelloch']),
            ('an option of scan', '--exclusive', ['nonzero', f32, '--exclusive']),
            ('run lengths in one pass', 'runLengths|single-pass',
             ['unique', f32, '--run-lengths=x', '--algorithm=single-pass']),
            ('the count from the GPU, in chunks', '--count-on-gpu|--chunk',
             ['nonzero', f32, '--count-on-gpu', '--chunk=1'])]:
        refuse(f'compact, {name}', 2, words, 'compact', *arguments)
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    os.mkdir('folder')
    for command in (['scan', 'sum', f32], ['compact', 'nonzero', f32]):
        for name, words, out in [
                ('a folder', 'folder|directory', 'folder'),
                ('a device', '/dev/full|no regular file', '/dev/full'),
                ('a missing folder', 'none/x.npy|No such', 'none/x.npy')]:
            refuse(f'{command[0]} to {name}', 1, words, *command, '-o', out)
        refuse(f'{command[0]} without a driver', 1, 'driver', *command, '-o', 'x', env=none)


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MIB, MIB))


MIB = 1 << 20


def test_files():
    for command in (['scan', 'sum', 'random:1000000'], ['compact', 'x>0.1', 'random:1000000'],
                    ['compact', 'nonzero', 'random:1000000', '--indices', 'i.npy'],
                    ['scan', 'sum', 'random:1000000', '--chunk=1']):
        refuse(f'{" ".join(command)}: a disk that is full', 1, 'out.npy|cannot be written',
               *command, '-o', 'out.npy', preexec_fn=limit_files)
    with open('out.npy', 'rb') as file:
        before = file.read()
    refuse('a failure keeps the file that was there', 2, 'none.npy', 'scan', 'sum', 'none.npy',
           '-o', 'out.npy')
    with open('out.npy', 'rb') as file:
        ok(file.read() == before, 'an older file outlives a failure')
    array('self.npy', 'u32', [1, 2, 3])
    run('scan', 'sum', 'self.npy', '-o', 'self.npy', '--verify')
    ok(read_npy('self.npy')[2] == (1, 3, 6), 'an output can replace its input')
    for command in (['scan', 'sum'], ['compact', 'nonzero']):
        process = subprocess.Popen([PROGRAM, *command, 'random:100000000000', '-o', 'long.npy'],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=default_signals)
        while process.poll() is None and not any('long' in name for name in os.listdir('.')):
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        ok(process.returncode == 130 and out == b'' and err.count(b'\n') == 1 and
           not any('long' in name for name in os.listdir('.')),
           f'{command[0]}: an interrupt leaves no file', f'{process.returncode} {out} {err}')


def default_signals():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_verify():
    array('three.npy', 'i32', [1, 2, 3])
    array('none.npy', 'i32', [])
    for name, words, arguments in [
            ('a scan', 'element 2 of sum|is 6', ['scan', 'sum', 'three.npy', '-o', 'out.npy']),
            ('a total', 'total of sum', ['scan', 'sum', 'none.npy', '-o', 'out.npy']),
            ('a scan in chunks', 'element', ['scan', 'min', 'random:200000', '-o', 'out.npy',
                                             '--chunk=1']),
            ('kept', 'kept element 0', ['compact', 'nonzero', 'three.npy', '-o', 'out.npy']),
            ('indices', 'index 0', ['compact', 'nonzero', 'three.npy', '--indices', 'out.npy']),
            ('rejected', 'rejected element 0', ['compact', 'x>1', 'three.npy', '--rejected',
                                                'out.npy']),
            ('rejected indices', 'rejected index 0', ['compact', 'x<2', 'three.npy',
                                                      '--rejected-indices', 'out.npy']),
            ('run lengths', 'run length 0', ['compact', 'x>1', 'three.npy', '--run-lengths',
                                             'out.npy'])]:
        code, out, err = runner_tools.call(MISLED, *arguments, '--verify', '--json')
        ok(code == 3 and json.loads(out)['verified'] is False and err.count('\n') == 1 and
           all(word in err for word in words.split('|')), f'--verify finds a difference in {name}',
           f'{code} {out} {err}')
    for arguments in (['scan', 'sum'], ['compact', 'nonzero']):
        code, out, err = runner_tools.call(MISLED, *arguments, 'three.npy', '-o', 'out.npy')
        ok(code == 0 and err == '', f'{arguments[0]}: without --verify nothing is compared', err)


def test_table():
    array('three.npy', 'i32', [1, 2, 0])
    code, out, err = runner_tools.call(PROGRAM, 'scan', 'sum', 'three.npy', '-o', 'out.npy',
                                       '--verify')
    ok(code == 0 and err == '' and 'output   out.npy: 3 x 1 i32\ntotal    3\n' in out and
       'verified yes\n' in out, 'a scan for people', out + err)
    code, out, err = runner_tools.call(PROGRAM, 'compact', 'nonzero', 'three.npy', '--verify')
    ok(code == 0 and err == '' and 'kept     2\nrejected 1\n' in out and 'verified yes\n' in out,
       'a compaction for people', out + err)
    for command in (['scan', 'sum'], ['compact', 'nonzero']):
        answer = run(*command, 'three.npy', '-o', 'out.npy')
        ok(list(answer) == ['command', 'device', 'driver', 'type', 'count', 'channels',
                            'algorithm', 'result', 'gpu_ms', 'verified', 'inputs', 'outputs'] and
           answer['command'] == command[0] and answer['verified'] is None,
           f'the keys of {command[0]}', answer)


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    # One driver only, so that its pipelines can be kept from one call to the next.
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    test_everywhere()
    if len(sys.argv) > 3:
        test_scan()
        test_compact()
        test_scan_types()
        test_scan_options()
        test_segments()
        test_predicates()
        test_compact_options()
        test_usage()
        test_files()
        test_verify()
        test_table()
    os.chdir('/')
runner_tools.finish()
