#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What AMD's compiler makes of the library's pipelines, and whether that is within limits, as TAP.

isa.py ISA MANIFEST FAMILY..: ISA is the program of isa.c. MANIFEST names the Vulkan driver RADV,
whose null device compiles for each FAMILY of GPUs. Nothing is executed: all numbers are the
compiler's, and the same in every run.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# What is counted, and the limit that holds unless a row below has another one.
#   words     of the module that the driver gets, which decide how long it compiles
#   vgprs     registers of an invocation; spills are of both kinds of registers
#   scratch   bytes of an invocation's memory for what registers do not hold
#   code      bytes
#   barriers  instructions in the code
#   swizzles  ds_bpermute, ds_swizzle: shuffles by way of shared memory
LIMITS = {'words': 16384, 'vgprs': 64, 'spills': 0, 'scratch': 0, 'code': 8192,
          'barriers': 9, 'swizzles': 48}

# Pipelines with other limits: a pattern for CASE.STEP.KERNEL, and what the pipelines keep to today,
# with a margin of a tenth for other versions of the compiler. `flight` is the minimum of bytes that
# are loaded before the first wait for any of them.
ROWS = [
    (r'reduce_f32_fused\..*', {'words': 20000}),
    (r'rows_(8|64)\..*', {'words': 17000}),  # whole states are copied, with unused rows
    (r'histogram_f32_log2\.0\..*', {'words': 18000}),
    (r'histogram_.*\.histogram_f(16|32)', {'code': 13900, 'flight': 64}),
    # Scans by subgroup arithmetic.
    (r'scan_f32_sum\.0\.scan_f32_shuffle', {'flight': 64}),
    (r'scan_f32_sum\.1\.tiles_f32_arithmetic', {'barriers': 4, 'swizzles': 0, 'flight': 64}),
    (r'scan_(u32_sum|u8_exclusive)\.0\.tiles_w(32|8)_arithmetic',
     {'barriers': 7, 'swizzles': 0, 'flight': 64}),
    # Starts of segments become bits, which scans load with their tiles.
    (r'scan_u32_(flags|bytes)\.0\.heads.*', {'flight': 64}),
    (r'scan_.*_(flags|bytes|rows)\..\.tiles_.*',
     {'words': 20500, 'code': 12200, 'barriers': 7, 'swizzles': 26, 'flight': 64}),
    (r'scan_f32_flags\.0\..*', {'words': 18200, 'swizzles': 86, 'flight': 64}),
    # Kernels that stream their input.
    (r'reduce_(?!.*_device).*', {'flight': 64}),
    # 32 halves become floats at once, in the rows of a block and again in its last row.
    (r'reduce_f16_sum_device\.0\..*', {'flight': 64, 'code': 9600}),
    (r'reduce_.*_device\.0\..*', {'flight': 64}),
    (r'rows_4096.*', {'flight': 64}),
    (r'compact_payload\.2\..*', {'flight': 64}),
    (r'rows_8(_sum)?\..*', {'swizzles': 0, 'flight': 32, 'code': 1024}),
    # Vega and Polaris have no other shuffle by 4; navi21 needs none of these.
    (r'rows_64\..*', {'swizzles': 2, 'flight': 64, 'code': 1700}),
    (r'rows_64_sum\..*', {'swizzles': 4, 'flight': 64, 'code': 1700}),
    (r'(columns_1024\.0|windows_1024\.[03])\..*', {'swizzles': 0, 'flight': 64}),
    # A lane keeps the states of 16 bytes of a row for each operator.
    (r'columns_u8x4\.0\..*', {'vgprs': 176, 'flight': 64}),
    (r'columns_f32x4\.0\..*', {'vgprs': 80, 'flight': 64}),
    (r'(compact|compact_indices|partition|unique)\.0\..*',
     {'flight': 64, 'vgprs': 52, 'barriers': 5, 'swizzles': 0}),
    # The last workgroup also writes the counts, which then need no dispatch of their own.
    (r'partition\.0\..*', {'code': 9600}),
]

STATISTICS = {'SPIR-V words': 'words', 'VGPRs': 'vgprs', 'Spilled SGPRs': 'spills',
              'Spilled VGPRs': 'spills',
              'Scratch size': 'scratch', 'Code size': 'code'}
LOAD = re.compile(r'(?:buffer|global|image|flat)_load_(?:format_)?(\w+)')
WIDTHS = {'dword': 4, 'dwordx2': 8, 'dwordx3': 12, 'dwordx4': 16,
          'x': 4, 'xy': 8, 'xyz': 12, 'xyzw': 16}


def read(path):
    """The counts of one pipeline."""
    counts = collections.Counter({name: 0 for name in (*LIMITS, 'flight', 'instructions')})
    waiting = []
    for line in path.read_text().splitlines():
        statistic = re.match(r'# ([^:]+): (\d+)$', line)
        if statistic:
            counts[STATISTICS.get(statistic[1], 'other')] += int(statistic[2])
            continue
        words = line.split()
        if not words or words[0].endswith(':'):
            continue
        counts['instructions'] += 1
        counts['barriers'] += words[0] == 's_barrier'
        counts['swizzles'] += words[0].startswith(('ds_bpermute', 'ds_swizzle'))
        load = LOAD.match(words[0])
        if load:
            waiting.append(WIDTHS.get(load[1], 4))
            counts['flight'] = max(counts['flight'], sum(waiting))
        wait = re.search(r'vmcnt\((\d+)\)', line)
        if wait:
            if int(wait[1]) < len(waiting):
                waiting = waiting[len(waiting) - int(wait[1]):]
            waiting = [] if int(wait[1]) == 0 else waiting
    return counts


def limits_of(name):
    limits = dict(LIMITS, flight=0)
    for pattern, row in ROWS:
        if re.fullmatch(pattern, name):
            limits.update(row)
    return limits


def compile_all(program, manifest, family, folder):
    environment = {**os.environ, 'RADV_FORCE_FAMILY': family, 'VK_DRIVER_FILES': manifest,
                   'VK_ICD_FILENAMES': manifest, 'MESA_SHADER_CACHE_DISABLE': 'true',
                   'NODEVICE_SELECT': '1', 'XDG_RUNTIME_DIR': folder}
    return subprocess.run([program, folder], env=environment, capture_output=True, text=True)


def main():
    program, manifest, *families = sys.argv[1:]
    tests = failures = 0
    for family in families:
        with tempfile.TemporaryDirectory() as folder:
            done = compile_all(program, manifest, family, folder)
            paths = sorted(pathlib.Path(folder).glob('*.txt'))
            tests += 1
            good = done.returncode == 0 and len(paths) > 0
            failures += not good
            print(f'{"ok" if good else "not ok"} {tests} - {family}: {len(paths)} pipelines')
            print('\n'.join('# ' + line for line in (done.stdout + done.stderr).splitlines()))
            for path in paths:
                counts, limits = read(path), limits_of(path.stem)
                wrong = [f'{key} {counts[key]}, limit {limit}' for key, limit in limits.items()
                         if (counts[key] < limit if key == 'flight' else counts[key] > limit)]
                tests += 1
                failures += wrong != []
                print(f'{"not ok" if wrong else "ok"} {tests} - {family} {path.stem}: ' +
                      ', '.join(f'{key} {counts[key]}' for key in (*limits, 'instructions')))
                if wrong:
                    print('# ' + '; '.join(wrong))
    print(f'1..{tests}')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
