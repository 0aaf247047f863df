#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the compilers of GPUs make of the library's pipelines, and whether that is within the limits
of limits.py, as TAP.

isa.py ISA MANIFEST CHIP..: ISA is the program of isa.c. MANIFEST names the driver that compiles for
each CHIP (chips.py). Nothing is executed: all numbers are the compiler's, and except for the time
the same in every run.

isa.py --table ISA FOLDER: prints the table of ../bench/compilers.md, for the drivers that
../vendors.sh has left in FOLDER.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import chips
import limits

# What reads memory, and what waits for it, in AMD's code.
LOAD = re.compile(r'(?:buffer|global|image|flat)_load_(?:format_)?(\w+)')
WIDTHS = {'dword': 4, 'dwordx2': 8, 'dwordx3': 12, 'dwordx4': 16,
          'x': 4, 'xy': 8, 'xyz': 12, 'xyzw': 16}
BARRIER = {'radv': re.compile(r'\s*s_barrier'), 'intel': re.compile(r'.*\(barrier msg\)'),
           'nvidia': re.compile(r'.*\bbar\.'), 'adreno': re.compile(r'.*\bbar\b')}
SHOWN = ('registers', 'waves', 'threads', 'simd', 'local', 'spills', 'fills', 'code',
         'instructions', 'barriers', 'swizzles', 'flight', 'words', 'ms')


def read_code(vendor, lines, counts):
    """Counts barriers, and for AMD shuffles by way of shared memory and the bytes that are loaded
    before the first wait for any of them."""
    waiting = []
    for line in lines:
        words = line.split()
        if not words or words[0].endswith(':') or line.startswith('#'):
            continue
        counts['barriers'] += bool(vendor in BARRIER and BARRIER[vendor].match(line))
        if vendor != 'radv':
            continue
        counts['instructions'] += 1
        counts['swizzles'] += words[0].startswith(('ds_bpermute', 'ds_swizzle'))
        load = LOAD.match(words[0])
        if load:
            waiting.append(WIDTHS.get(load[1], 4))
            counts['flight'] = max(counts['flight'], sum(waiting))
        wait = re.search(r'vmcnt\((\d+)\)', line)
        if wait and int(wait[1]) < len(waiting):
            waiting = waiting[len(waiting) - int(wait[1]):] if int(wait[1]) else []


def compile_all(program, manifest, chip):
    """The counts of each pipeline, what the library refuses, and why not all was compiled."""
    pipelines, refused, failures = {}, {}, []
    with tempfile.TemporaryDirectory() as folder:
        vendor = chips.vendor(chip)
        done = subprocess.run([program, folder, str(limits.COUNT_LOG2[vendor]),
                               str(int(vendor in BARRIER))], capture_output=True, text=True,
                              env=chips.environment(chip, manifest, folder), errors='replace')
        name = ''
        for line in done.stderr.splitlines():
            word, _, rest = line.partition(' ')
            if word == 'compile':
                name = rest
                pipelines[name] = collections.Counter()
            elif word == 'refused':
                case, _, sentence = rest.partition(': ')
                refused[case] = sentence
            elif not (name and chips.shaderdb(line, pipelines[name])):
                failures.append(line)
        for name, counts in pipelines.items():
            path = pathlib.Path(folder) / (name + '.txt')
            lines = path.read_text(errors='replace').splitlines() if path.exists() else []
            if not lines:
                failures.append(f'{name} was not compiled')
            chips.statistics(chip, lines, counts)
            read_code(vendor, lines, counts)
    if done.returncode:
        failures.append(f'status {done.returncode}')
    return pipelines, refused, failures if done.returncode or not pipelines else []


def exceeded(counts, allowed):
    return [f'{key} {counts[key]}, limit {limit}' for key, limit in allowed.items()
            if (counts[key] < limit if key in limits.AT_LEAST else counts[key] > limit)]


class Tap:
    def __init__(self):
        self.count = self.failures = 0

    def test(self, good, name, *comments):
        self.count += 1
        self.failures += not good
        print(f'{"ok" if good else "not ok"} {self.count} - {name}')
        for comment in comments:
            print('# ' + comment)


def check(tap, program, manifest, chip):
    vendor = chips.vendor(chip)
    pipelines, refused, failures = compile_all(program, manifest, chip)
    tap.test(not failures, f'{chip}: {len(pipelines)} pipelines', *failures)
    spare = limits.Spare(vendor)
    for name, counts in sorted(pipelines.items()):
        allowed = limits.of(vendor, name)
        spare.see(name, counts)
        numbers = ', '.join(f'{key} {counts[key]}' for key in SHOWN if key in counts)
        wrong = exceeded(counts, allowed)
        tap.test(not wrong, f'{chip} {name}: {numbers}', *(['; '.join(wrong)] if wrong else []))
    for case, sentence in sorted(refused.items()):
        expected = limits.refusal(chip, case)
        tap.test(expected, f'{chip} {case} is refused: {expected or "not expected"}', sentence)
    accepted = sorted({name for name in pipelines if limits.refusal(chip, name.split('.')[0])})
    tap.test(not accepted, f'{chip}: what limits.py calls refused is refused', *accepted)
    for line in spare.lines():
        print('# ' + line)


def cell(vendor, counts):
    number = f'{counts["instructions"]:,}'
    if vendor == 'intel':
        return f'{counts["simd"]}, {number}' + spilled(counts)
    if vendor == 'nvidia':
        return f'{counts["registers"]}, {counts["code"] / 1024:.0f}' + (
            f', {counts["local"]} local' if counts['local'] else '')
    if vendor == 'adreno':
        return f'{number}, {counts["registers"]}, {counts["waves"]}' + spilled(counts)
    return f'{number}, {counts["spills"]}:{counts["fills"]}, {counts["ms"]}'


def spilled(counts):
    return f', {counts["spills"]}:{counts["fills"]}' if counts['spills'] + counts['fills'] else ''


def print_table(program, folder):
    """Of each case the pipeline with the most instructions, on each vendor's chip."""
    made = {}
    for chip in limits.TABLE_CHIPS:
        manifest = pathlib.Path(folder) / (chips.vendor(chip) + '.json')
        if manifest.exists():
            made[chip], _, failures = compile_all(program, str(manifest), chip)
            print('\n'.join(failures), end='')
    print('| case | ' + ' | '.join(limits.TABLE_CHIPS[chip] for chip in made) + ' |')
    print('|---' * (1 + len(made)) + '|')
    for case in limits.TABLE_CASES:
        cells = []
        for chip, pipelines in made.items():
            own = [counts for name, counts in pipelines.items() if name.split('.')[0] == case]
            heaviest = max(own, key=lambda counts: counts['instructions'], default=None)
            cells.append(cell(chips.vendor(chip), heaviest) if heaviest else '-')
        print(f'| {case} | ' + ' | '.join(cells) + ' |')


def main():
    if sys.argv[1] == '--table':
        return print_table(*sys.argv[2:])
    program, manifest, *asked = sys.argv[1:]
    tap = Tap()
    for chip in asked:
        check(tap, program, manifest, chip)
    print(f'1..{tap.count}')
    return tap.failures != 0


if __name__ == '__main__':
    sys.exit(main())
