# SPDX-License-Identifier: MIT
"""Reads files of rows. The output of `match --json` becomes rows whose size is the number of
comparisons."""
import json


def ns_of(row):
    return row['device_ns'] or row['submit_ns']


def rows_of_match(found):
    n = found['queries'] * found['train']
    return [{'arm': f'match {kernel["name"]}', 'op': 'match', 'type': 'u32', 'n': n,
             'device_ns': kernel['ms'] * 1e6, 'submit_ns': None, 'bytes': None,
             'device': found['device'], 'driver': found['driver'],
             'verified': found['verified']} for kernel in found['kernels'] if kernel.get('ms')]


def read_rows(paths):
    rows = []
    for path in paths:
        with open(path, encoding='utf-8') as file:
            for found in map(json.loads, file):
                rows += rows_of_match(found) if 'kernels' in found else [found]
    return rows
