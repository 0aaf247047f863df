#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmark and its peers in turns: compare.py [--sizes N,2^K,...] [--folder build/tests/bench]

Peers are separate processes, so they cannot take turns with the arms of one run. For each size this
script starts the benchmark and every peer that is built, ROUNDS times in turns and with RUNS runs
each, takes medians over the rounds, and prints how many times as fast as each peer an arm is.
Device times are compared if the peer has them (CUB), otherwise whole calls: from the submit to the
fence here, from the call to the result there. --json keeps the rows.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

from rows import read_rows

HERE = os.path.dirname(os.path.abspath(__file__))
TIMES = ('device_ns', 'submit_ns')
FILTERS = ['f32 auto', 'i32 auto', 'u32 auto']
SIZES = '2^10,2^14,2^16,2^18,2^20,2^22,2^25'
# Modes, the peers that have them, and their sizes. The program for numpy also runs bincount and
# OpenCV.
MODES = {'segments': (('numpy', 'cub'), '2^24'), 'histograms': (('numpy',), '2^25'),
         'ordered': (('numpy', 'std', 'cub'), '2^10,2^16,2^20,2^22,2^24')}


def programs(options):
    """A dict from name to command, of every program that is built or installed."""
    bench = os.path.join(options.folder, 'bench')
    if not os.path.exists(bench):
        sys.exit(f'{bench} does not exist: build it, or give --folder')
    own = {'vkreduce': [bench, *options.filters]}
    peers = {'numpy': [options.python, os.path.join(HERE, 'peers/numpy_peer.py')]}
    for name, path in [('std', os.path.join(options.folder, 'peers/std')),
                       ('thrust', os.path.join(options.folder, 'peers/thrust')),
                       ('boost.compute', os.path.join(options.folder, 'peers/boost_compute')),
                       ('cub', options.cub)]:
        if os.path.exists(path):
            peers[name] = [path]
    kept = MODES[options.mode][0] if options.mode else [name for name in peers if name != 'std']
    chosen = own | {name: peers[name] for name in peers
                    if name in kept and options.only in (None, name)}
    mode = [f'--{options.mode}'] if options.mode else []
    return {name: command + mode for name, command in chosen.items()}


def run(command, size, runs, path):
    """Returns the rows of one program, or none if it fails."""
    done = subprocess.run([*command, '--sizes', size, '--runs', str(runs), '--json', path],
                          stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        print(f'{command[0]}: exit status {done.returncode}', file=sys.stderr)
        return []
    with open(path, encoding='utf-8') as file:
        return [json.loads(line) for line in file]


def measure(options, found, size):
    """One row per program and arm, with the medians of all rounds. Programs that fail are removed
    from found."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, command in list(found.items()):
                of_run = run(command, size, options.runs, os.path.join(folder, 'rows.json'))
                for row in of_run:
                    rows.setdefault((row.get('peer', name), row['arm']), []).append(row)
                if not of_run:
                    del found[name]
    for key, group in rows.items():
        merged = group[0] | {'peer': key[0], 'runs': sum(row['runs'] for row in group)}
        for time in TIMES:
            values = [row[time] for row in group if row[time]]
            merged[time] = statistics.median(values) if values else None
        if merged.get('least_ns'):
            merged['least_ns'] = min(row['least_ns'] for row in group)
        ns = merged['device_ns'] or merged['submit_ns']
        merged['gbps'] = merged['bytes'] / ns if ns else None
        rows[key] = merged
    return rows


def shown(rows):
    """All arms except for bare reads and copies, and the best bare read of f32."""
    mine = [row for (name, _), row in rows.items() if name == 'vkreduce' and row['submit_ns']]
    reads = [row for row in mine if row['arm'].startswith('read f32 ')]
    best = min((row['device_ns'] or row['submit_ns'] for row in reads), default=0)
    return [row for row in mine if not row['arm'].startswith(('empty', 'read', 'copy')) or
            (row in reads and (row['device_ns'] or row['submit_ns']) == best)]


def print_table(rows, size):
    peers = [name for name in dict.fromkeys(peer for peer, _ in rows) if name != 'vkreduce']
    print(f'\n{size} elements' + ' ' * (24 - len(size)) + 'device us    submit us' +
          ''.join(f'{"x " + name:>16}' for name in peers))
    for mine in shown(rows):
        line = (f'{mine["arm"]:36}{(mine["device_ns"] or 0) / 1e3:9.1f}'
                f'{mine["submit_ns"] / 1e3:13.1f}')
        for peer in peers:
            other = rows.get((peer, f'{peer} {mine["op"]} {mine["type"]}'))
            time = 'device_ns' if other and other['device_ns'] else 'submit_ns'
            known = other and mine[time]
            line += f'{other[time] / mine[time]:16.2f}' if known else ' ' * 15 + '-'
        print(line, flush=True)


def compare_files(paths):
    """Compares rows of programs that ran one after the other."""
    sizes = {}
    for row in read_rows(paths):
        if row['op'] != 'match':  # it has no peers
            peer = row.get('peer', 'vkreduce')
            sizes.setdefault(row['n'], {})[peer, row['arm']] = row
    for size, rows in sizes.items():
        print_table(rows, str(size))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--sizes', help=f'default {SIZES}, or those of the mode')
    for mode in MODES:
        parser.add_argument(f'--{mode}', action='store_const', const=mode, dest='mode')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--folder', default='build/tests/bench')
    parser.add_argument('--cub', default='build-gpu/cub')
    parser.add_argument('--python', default='/usr/bin/python3', help='a Python that has numpy')
    parser.add_argument('--only', help='run only this peer')
    parser.add_argument('--json')
    parser.add_argument('--rows', nargs='+', help='only compare the rows of these files')
    parser.add_argument('filters', nargs='*', help='filters of the benchmark')
    options = parser.parse_args()
    if options.rows:
        compare_files(options.rows)
        return
    options.sizes = options.sizes or (MODES[options.mode][1] if options.mode else SIZES)
    options.filters = options.filters or ([] if options.mode else FILTERS)
    found, rows = programs(options), []
    for size in options.sizes.split(','):
        of_size = measure(options, found, size)
        if 'vkreduce' not in found:
            sys.exit(1)
        print_table(of_size, size)
        rows += of_size.values()
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)


main()
