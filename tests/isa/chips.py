# SPDX-License-Identifier: MIT
"""How a driver is made to compile for a chip, and what its compiler's statistics are called."""
import os
import pathlib
import re

# What a compiler calls each count; two names of one count are added up.
RADV = {'VGPRs': 'registers', 'Spilled SGPRs': 'spills', 'Spilled VGPRs': 'spills',
        'Scratch size': 'local', 'Code size': 'code'}
# A SIMD width below 16 says that 16 would have spilled.
ANV = {'subgroup size': 'simd', 'Instruction Count': 'instructions', 'Spill Count': 'spills',
       'Fill Count': 'fills', 'Scratch Memory Size': 'local'}
# A private array that a variable indexes lies in local memory.
NVK = {'Number of GPRs': 'registers', 'Instruction count': 'instructions', 'Code Size': 'code',
       'SLM Size': 'local'}
# Registers have 4 words. STP and LDP access the memory of an invocation.
TURNIP = {'Registers used': 'registers', 'Instruction Count': 'instructions',
          'Max Waves Per Core': 'waves', 'STP Count': 'spills', 'LDP Count': 'fills'}
# PanVK prints the others, which `shaderdb` reads.
PANVK = {'Code Size': 'code'}

# An environment variable and its value for each chip.
CHIPS = {
    **{name: ('radv', 'RADV_FORCE_FAMILY', name, RADV)
       for name in ('navi21', 'vega10', 'polaris10', 'navi31')},
    **{name: ('intel', 'INTEL_STUB_GPU_PLATFORM', name, ANV)
       for name in ('skl', 'icl', 'tgl', 'adl', 'dg2')},
    **{name: ('nvidia', 'NOUVEAU_CHIPSET', number, NVK)
       for name, number in (('gp102', '132'), ('gv100', '140'), ('tu102', '162'),
                            ('ga102', '172'))},
    **{name: ('adreno', 'FD_GPU_ID', name[1:], TURNIP)
       for name in ('a618', 'a630', 'a660', 'a740')},
    'g610': ('mali', 'PAN_GPU_ID', 'a867', PANVK),
}
SHADERDB = re.compile(r'(\d+) inst\b.*?(\d+) threads.*?(\d+):(\d+) spills:fills')


def vendor(chip):
    return CHIPS[chip][0]


def environment(chip, manifest, folder):
    """Of the program alone: drm-shim, which lies beside the manifest unless the driver is RADV,
    replaces what a shell needs too. `folder` is an empty one."""
    name, variable, value, _ = CHIPS[chip]
    made = {**os.environ, variable: value, 'VK_DRIVER_FILES': manifest,
            'VK_ICD_FILENAMES': manifest, 'MESA_SHADER_CACHE_DISABLE': 'true',
            'NODEVICE_SELECT': '1', 'XDG_RUNTIME_DIR': folder, 'MALLOC_PERTURB_': '0',
            'NVK_I_WANT_A_BROKEN_VULKAN_DRIVER': '1', 'PAN_I_WANT_A_BROKEN_VULKAN_DRIVER': '1'}
    shim = pathlib.Path(manifest).resolve().with_suffix('')
    shim = shim.with_name(shim.name + '-shim.so')
    if name != 'radv':
        made['LD_PRELOAD'] = str(shim)
    if name == 'mali':
        made['BIFROST_MESA_DEBUG'] = 'shaderdb'
    return made


def statistics(chip, lines, counts):
    """Adds what the lines `# NAME: VALUE` say. Of several executables the worst one counts."""
    names = CHIPS[chip][3]
    for line in lines:
        found = re.match(r'# ([^:]+): (\d+)$', line)
        if not found:
            continue
        name, value = found[1], int(found[2])
        if name == 'milliseconds':
            counts['ms'] = value
        elif name == 'SPIR-V words':
            counts['words'] = value
        elif names.get(name) == 'simd':
            counts['simd'] = min(value, counts.get('simd') or value)
        elif name in names:
            counts[names[name]] = counts.get(names[name], 0) + value


def shaderdb(line, counts):
    """Adds what PanVK prints for a shader, and returns whether the line is that."""
    found = SHADERDB.search(line)
    if found:
        counts['instructions'] = int(found[1])
        counts['threads'] = int(found[2])
        counts['spills'] = int(found[3])
        counts['fills'] = int(found[4])
    return found is not None
