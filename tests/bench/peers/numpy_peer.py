#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""numpy on the benchmark's data: numpy_peer.py [--segments | --histograms | --ordered]
[--sizes N,2^K,...] [--runs N] [--json FILE]

The values are those of `bench`, read as f32, i32 and u32. Arms run in turns, and times are medians.
Rows have the benchmark's keys and a "peer". Debian has python3-numpy for /usr/bin/python3. By
default cumsum of u32 makes u64, which is much slower; "in u32" makes the type that the benchmark
makes. Sorts of the peer "stable" are numpy's stable ones. If python3-opencv is installed, its
histograms are measured too.
"""
import argparse
import json
import time

import numpy as np

try:
    import cv2
except ImportError:
    cv2 = None

BLOCK = 1 << 22
TYPES = {'f32': np.float32, 'i32': np.int32, 'u32': np.uint32}
LENGTHS = [1 << power for power in range(1, 25)]  # of rows
COLUMNS = (4, 1024, 65536)
SHARES = (10, 30, 50, 60, 90)
CHOSEN, RUNS = 60, 25  # the shares of arms with only one share
OTHERS = ('bincount', 'opencv', 'stable')  # other peers, by the first word of an arm's name

NEEDLES = 1 << 20  # values that --ordered searches for
EQUAL = np.uint32(0x3f000000)
ROWS, TOP_K = (64, 1000, 100000), (1, 100, 4096, 65536)

REDUCTIONS = [
    ('min,max', 'f32', lambda x: (x.min(), x.max())),
    ('min', 'f32', lambda x: x.min()),
    ('sum', 'f32', lambda x: x.sum()),
    ('argmin', 'f32', lambda x: x.argmin()),
    ('min,max,sum,argmin', 'f32', lambda x: (x.min(), x.max(), x.sum(), x.argmin())),
    ('min,max', 'i32', lambda x: (x.min(), x.max())),
    ('sum', 'i32', lambda x: x.sum(dtype=np.int32)),
    ('sum', 'u32', lambda x: x.sum(dtype=np.uint32)),
]
SCANS = [
    ('scan sum', 'u32', np.cumsum),
    ('scan sum in u32', 'u32', lambda x: np.cumsum(x, dtype=np.uint32)),
    ('scan sum', 'f32', np.cumsum),
    ('scan min', 'f32', np.minimum.accumulate),
]


def segment_arms(data):
    """Arms of --segments, of the lengths that divide the number of values."""
    n = len(data)
    found = [('sum', 'f32', 4 * n, data.sum)]
    found += [(f'rows {length}', 'f32', 4 * (n + n // length),
               lambda x=data.reshape(-1, length): x.sum(axis=1))
              for length in LENGTHS if n % length == 0]
    return found + [(f'columns {width}', 'f32', 4 * (n + width),
                     lambda x=data.reshape(-1, width): x.sum(axis=0))
                    for width in COLUMNS if n % width == 0]


def histogram_arms(data):
    """Arms of --histograms, with the elements and bins of the benchmark."""
    n, half = len(data), np.full(len(data), 0.5, np.float32)
    words = random_bits(n, 2).astype(np.uint32)
    texels = words.view(np.uint8)
    small = texels[:n].copy()
    channels = [texels[c::4].copy() for c in range(4)]
    edges = (2**(np.arange(257) / 256) - 1).astype(np.float32)
    found = [(f'histogram even {bins}', 'f32', 4 * n,
              lambda bins=bins: np.histogram(data, bins, (0, 1))) for bins in (256, 4096, 65536)]
    found += [
        ('histogram log2 256', 'f32', 4 * n,
         lambda: np.histogram(data, np.exp2(np.linspace(-24, 0, 257)).astype(np.float32))),
        ('histogram edges 256', 'f32', 4 * n, lambda: np.histogram(data, edges)),
        ('histogram weights 256', 'f32', 8 * n,
         lambda w=words.astype(np.float64): np.histogram(data, 256, (0, 1), weights=w)),
        ('histogram constant 256', 'f32', 4 * n, lambda: np.histogram(half, 256, (0, 1))),
        ('histogram constant 65536', 'f32', 4 * n, lambda: np.histogram(half, 65536, (0, 1))),
        ('histogram bytes 256', 'u8', n, lambda: np.histogram(small, 256, (0, 256))),
        ('bincount histogram bytes 256', 'u8', n, lambda: np.bincount(small, minlength=256)),
        ('bincount histogram image 256', 'u8', 4 * n,
         lambda: [np.bincount(channel, minlength=256) for channel in channels]),
    ]
    if cv2 is not None:
        picture = texels.reshape(-1, 1, 4)
        found += [
            ('opencv histogram even 256', 'f32', 4 * n,
             lambda: cv2.calcHist([data], [0], None, [256], [0, 1])),
            ('opencv histogram bytes 256', 'u8', n,
             lambda: cv2.calcHist([small], [0], None, [256], [0, 256])),
            ('opencv histogram image 256', 'u8', 4 * n,
             lambda: [cv2.calcHist([picture], [c], None, [256], [0, 256]) for c in range(4)]),
        ]
    return found


def ascending(words, n):
    """Numbers over the whole range of u32, as in ordered.c."""
    return (((np.arange(n, dtype=np.uint64) << np.uint64(32)) | words[:n]) //
            np.uint64(n)).astype(np.uint32)


def greatest(x, k):
    """The k greatest values, in descending order."""
    return np.sort(np.partition(x, len(x) - k)[len(x) - k:])[::-1]


def with_payload(x, payload):
    order = np.argsort(x, kind='stable')
    return x[order], payload[order]


def by_key(keys, x):
    """The first keys of runs, and the sums of runs."""
    heads = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[heads], np.add.reduceat(x, heads)


def sort_arms(data):
    """Sorts, as op, type, bytes and function."""
    n = len(data)
    words = random_bits(max(n, NEEDLES // 2), 2)
    u32 = words.view(np.uint32)[:n]
    columns = {'u32': u32, 'i32': u32.view(np.int32), 'f32': data, 'u64': words[:n],
               'u16': words.view(np.uint16)[:n], 'u8': words.view(np.uint8)[:n]}
    found = [('sort', kind, 2 * x.nbytes, lambda x=x: np.sort(x)) for kind, x in columns.items()]
    found += [('stable sort', kind, 2 * x.nbytes, lambda x=x: np.sort(x, kind='stable'))
              for kind, x in columns.items()]
    found += [('argsort', kind, 8 * n, lambda x=columns[kind]: np.argsort(x, kind='stable'))
              for kind in ('u32', 'f32')]
    counting = np.arange(n, dtype=np.uint32)
    found += [('sort,payload 4', kind, 2 * (columns[kind].nbytes + 4 * n),
               lambda x=columns[kind]: with_payload(x, counting)) for kind in ('u32', 'u64')]
    others = {'ascending': ascending(words.view(np.uint32), n), 'equal': np.full(n, EQUAL),
              'two values': np.where(u32 >> np.uint32(31), ~EQUAL, EQUAL)}
    found += [(f'sort {what}', 'u32', 8 * n, lambda x=x: np.sort(x)) for what, x in others.items()]
    return found + [(f'sort rows {length}', 'u32', 8 * n,
                     lambda x=u32[:n // length * length].reshape(-1, length): np.sort(x, axis=1))
                    for length in ROWS if n >= length]


def rank_arms(data):
    """Elements by rank, and expansions."""
    n = len(data)
    middle = (n - 1) // 2
    sixteen = [i * (n - 1) // 15 for i in range(16)]
    found = [('select median', 'f32', 4 * n, lambda: np.partition(data, middle)[middle]),
             ('select,indices median', 'f32', 4 * n,
              lambda: np.argpartition(data, middle)[middle]),
             ('select 16', 'f32', 4 * n, lambda: np.partition(data, sixteen)[sixteen])]
    rows = data[:n // 1000 * 1000].reshape(-1, 1000)
    if len(rows):
        found += [('select rows 1000 median', 'f32', 4 * n,
                   lambda: np.partition(rows, 499, axis=1)[:, 499])]
    words = random_bits(max(n, NEEDLES // 2), 2).view(np.uint32)[:n]
    sources = np.arange(n, dtype=np.uint32)
    counts = {'2': words % 3, '7': words % 8, '1024 of some': (words >> 22 == 0) * 1024}
    return found + [(f'expand {name}', 'u32', 4 * (n + int(x.sum(dtype=np.uint64))),
                     lambda x=x: np.repeat(sources, x)) for name, x in counts.items()]


def ordered_arms(data):
    """Arms of --ordered, with the data of the benchmark."""
    n = len(data)
    words = random_bits(max(n, NEEDLES // 2), 2).view(np.uint32)
    found = sort_arms(data) + rank_arms(data)
    found += [(f'topk {k}', 'f32', 4 * (n + k), lambda k=k: greatest(data, min(n, k)))
              for k in TOP_K]
    for length, name in ((1, '1'), (4, '4'), (1000, '1000'), (None, 'all')):
        keys = (np.cumsum(words[:n] <= 0xffffffff // length, dtype=np.uint32) if length else
                np.full(n, EQUAL))
        runs = 1 + int(np.count_nonzero(keys[1:] != keys[:-1]))
        found += [(f'run-lengths {name}', 'u32', 4 * n + 8 * runs,
                   lambda keys=keys: np.unique(keys, return_counts=True))]
        found += [(f'reduce-by-key sum {name}', kind, 8 * (n + runs),
                   lambda keys=keys, x=data.view(TYPES[kind]): by_key(keys, x))
                  for kind in ('f32', 'u32')]
    sorted_u32, values = ascending(words, n), words[:NEEDLES]
    in_order = ascending(words, NEEDLES)
    return found + [(f'bounds {what}', 'u32', 4 * n + 8 * NEEDLES,
                     lambda x=x: np.searchsorted(sorted_u32, x))
                    for what, x in (('random', values), ('ascending', in_order))]


def limit(share):
    """The value that a share of the values exceeds."""
    return np.float32(100 - share) / np.float32(100)


def partition(x, c):
    kept = x > c
    return x[kept], x[~kept]


def with_indices(x, c):
    kept = x > c
    return x[kept], np.flatnonzero(kept)


def arms(data):
    """Arms: op, type, bytes that have to be moved, and a function."""
    n, views = len(data), {kind: data.view(dtype) for kind, dtype in TYPES.items()}
    found = [(op, kind, 4 * n, lambda f=function, x=views[kind]: f(x))
             for op, kind, function in REDUCTIONS]
    found += [(op, kind, 8 * n, lambda f=function, x=views[kind]: f(x))
              for op, kind, function in SCANS]
    kept = {share: int(np.count_nonzero(data > limit(share))) for share in SHARES}
    for kind in ('f32', 'u32'):
        x = views[kind]
        found += [(f'compact {share}', kind, 4 * (n + kept[share]),
                   lambda x=x, c=limit(share).view(x.dtype): x[x > c]) for share in SHARES]
    x, c, k = views['f32'], limit(CHOSEN), kept[CHOSEN]
    flags, payload = x > c, np.resize(data, 4 * n).reshape(n, 4)
    runs = np.cumsum(data > limit(RUNS), dtype=np.uint32)
    return found + [
        (f'compact,indices {CHOSEN}', 'f32', 4 * (n + 2 * k), lambda: with_indices(x, c)),
        (f'partition {CHOSEN}', 'f32', 8 * n, lambda: partition(x, c)),
        (f'flags {CHOSEN}', 'f32', 5 * n + 4 * k, lambda: x[flags]),
        (f'payload {CHOSEN}', 'f32', 4 * n + 32 * k, lambda: payload[x > c]),
        (f'unique {RUNS}', 'u32', 4 * (n + int(runs[-1] - runs[0]) + 1), lambda: np.unique(runs)),
        (f'run-lengths {RUNS}', 'u32', 4 * (n + 2 * (int(runs[-1] - runs[0]) + 1)),
         lambda: np.unique(runs, return_counts=True)),
    ]


def random_bits(count, seed, first=0):
    """splitmix64, as in samples/vkreduce/input/random.c."""
    i = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    z = i * np.uint64(0x9e3779b97f4a7c15) + np.uint64(seed)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xbf58476d1ce4e5b9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94d049bb133111eb)
    return z ^ (z >> np.uint64(31))


def random_f32(count, seed=1):
    """The upper 24 of random bits, as f32 in [0, 1)."""
    data = np.empty(count, np.float32)
    for first in range(0, count, BLOCK):
        z = random_bits(min(BLOCK, count - first), seed, first)
        data[first:first + BLOCK] = (z >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
    return data


def parse_sizes(text):
    return [2**int(item[2:]) if item.startswith('2^') else int(item) for item in text.split(',')]


def measure(found, runs):
    """The median ns of every arm; the first run is not counted."""
    times = [[] for _ in found]
    for run in range(runs + 1):
        for (*_, function), list_of_one in zip(found, times):
            start = time.perf_counter_ns()
            function()
            if run > 0:
                list_of_one.append(time.perf_counter_ns() - start)
    return [float(np.median(list_of_one)) for list_of_one in times]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--segments', action='store_true', help='instead: sums of rows and columns')
    parser.add_argument('--histograms', action='store_true', help='instead: histograms')
    parser.add_argument('--ordered', action='store_true', help='instead: sorts and searches')
    parser.add_argument('--sizes', type=parse_sizes, default='2^10,2^14,2^16,2^18,2^20,2^22,2^25')
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--json')
    options = parser.parse_args()
    data = random_f32(max(options.sizes))
    rows = []
    for n in options.sizes:
        print(f'{n} elements')
        found = (segment_arms if options.segments else
                 histogram_arms if options.histograms else
                 ordered_arms if options.ordered else arms)(data[:n])
        for (op, kind, size, _), ns in zip(found, measure(found, options.runs)):
            words = op.split(' ', 1)
            peer, op = words if words[0] in OTHERS else ('numpy', op)
            version = cv2.__version__ if peer == 'opencv' else 'numpy ' + np.__version__
            print(f'{peer} {op + " " + kind:<30} {ns / 1e3:12.1f} us {size / ns:8.2f} GB/s')
            rows.append({'peer': peer, 'arm': f'{peer} {op} {kind}', 'op': op, 'type': kind,
                         'n': n, 'device_ns': None, 'submit_ns': ns, 'bytes': size,
                         'gbps': size / ns, 'device': 'CPU', 'driver': version,
                         'runs': options.runs, 'skipped': None, 'verified': None})
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)


main()
