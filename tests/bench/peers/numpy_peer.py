#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""numpy on the benchmark's data: numpy_peer.py [--sizes N,2^K,...] [--runs N] [--json FILE]

The same values as `bench` makes, seen as f32, i32 and u32; medians of runs in turns; rows with the
benchmark's keys and a "peer". Debian: python3-numpy, for /usr/bin/python3.
"""
import argparse
import json
import time

import numpy as np

BLOCK = 1 << 22
ARMS = [
    ('min,max', 'f32', lambda x: (x.min(), x.max())),
    ('min', 'f32', lambda x: x.min()),
    ('sum', 'f32', lambda x: x.sum()),
    ('argmin', 'f32', lambda x: x.argmin()),
    ('min,max,sum,argmin', 'f32', lambda x: (x.min(), x.max(), x.sum(), x.argmin())),
    ('min,max', 'i32', lambda x: (x.min(), x.max())),
    ('sum', 'i32', lambda x: x.sum(dtype=np.int32)),
    ('sum', 'u32', lambda x: x.sum(dtype=np.uint32)),
]
TYPES = {'f32': np.float32, 'i32': np.int32, 'u32': np.uint32}


def random_f32(count, seed=1):
    """splitmix64's upper 24 bits as f32 in [0, 1), as in samples/vkreduce/input.c."""
    data = np.empty(count, np.float32)
    for first in range(0, count, BLOCK):
        i = np.arange(first + 1, min(first + BLOCK, count) + 1, dtype=np.uint64)
        z = i * np.uint64(0x9e3779b97f4a7c15) + np.uint64(seed)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xbf58476d1ce4e5b9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94d049bb133111eb)
        z ^= z >> np.uint64(31)
        data[first:first + BLOCK] = (z >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
    return data


def parse_sizes(text):
    return [2**int(item[2:]) if item.startswith('2^') else int(item) for item in text.split(',')]


def measure(data, runs):
    """Median ns of every arm; a first run does not count."""
    views = [(data.view(TYPES[kind]), function) for _, kind, function in ARMS]
    times = [[] for _ in ARMS]
    for run in range(runs + 1):
        for (view, function), list_of_one in zip(views, times):
            start = time.perf_counter_ns()
            function(view)
            if run > 0:
                list_of_one.append(time.perf_counter_ns() - start)
    return [float(np.median(list_of_one)) for list_of_one in times]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--sizes', type=parse_sizes, default='2^10,2^14,2^16,2^18,2^20,2^22,2^25')
    parser.add_argument('--runs', type=int, default=9)
    parser.add_argument('--json')
    options = parser.parse_args()
    data = random_f32(max(options.sizes))
    rows = []
    for n in options.sizes:
        print(f'{n} elements')
        for (op, kind, _), ns in zip(ARMS, measure(data[:n], options.runs)):
            print(f'numpy {op + " " + kind:<30} {ns / 1e3:12.1f} us {4 * n / ns:8.2f} GB/s')
            rows.append({'peer': 'numpy', 'arm': f'numpy {op} {kind}', 'op': op, 'type': kind,
                         'n': n, 'device_ns': None, 'submit_ns': ns, 'bytes': 4 * n,
                         'gbps': 4 * n / ns, 'device': 'CPU', 'driver': 'numpy ' + np.__version__,
                         'runs': options.runs, 'skipped': None, 'verified': None})
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)


main()
