# SPDX-License-Identifier: MIT
"""structs.py COMPILER.. -- HEADER..: compares the sizes and offsets of the package's structures,
and its constants, with what a compiler makes of the headers. Prints TAP."""
import ctypes
import os
import subprocess
import sys
import tempfile

from vkreduce import abi

# In place of an MPI's header, which need not be installed.
MPI = 'typedef struct communicator *MPI_Comm;\n'


def main():
    split = sys.argv.index('--')
    compiler, headers = sys.argv[1:split], sys.argv[split + 1:]
    structs = {n: s for n, s in vars(abi).items()
               if n.startswith('Vkr') and isinstance(s, type) and
               issubclass(s, (ctypes.Structure, ctypes.Union))}
    constants = {n: v for n, v in vars(abi).items() if n.startswith('VKR_') and isinstance(v, int)}
    lines = ['#include <stddef.h>', '#include <stdio.h>', '#include <vulkan/vulkan.h>']
    expected = []
    lines += [f'#include "{header}"' for header in headers] + ['int main(void)', '{']
    for name, struct in structs.items():
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        expected.append(f'{name} {ctypes.sizeof(struct)}')
        for field, _ in struct._fields_:
            lines.append(f'    printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}),'
                         f' sizeof((({name} *)0)->{field}));')
            member = getattr(struct, field)
            expected.append(f'{name}.{field} {member.offset} {member.size}')
    for name, value in constants.items():
        lines.append(f'    printf("{name} %llu\\n", (unsigned long long)({name}));')
        expected.append(f'{name} {value % 2 ** 64}')
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, 'a.c'), os.path.join(folder, 'a')
        for name, text in (('a.c', '\n'.join(lines + ['}', ''])), ('mpi.h', MPI)):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(text)
        subprocess.run([*compiler, '-I' + folder, source, '-o', program], check=True)
        said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        found = said.splitlines()
    wrong = [f'{a}, the compiler says {b}' for a, b in zip(expected, found) if a != b]
    enough = len(structs) >= 45 and len(constants) >= 250 and len(abi.FUNCTIONS) >= 70
    text = f'{len(structs)} structures and {len(constants)} constants are those of the headers'
    print(f'{"not " if wrong or not enough or len(expected) != len(found) else ""}ok 1 - {text}')
    print('\n'.join('# ' + line for line in wrong[:20]))
    print('1..1')
    return bool(wrong) or not enough


if __name__ == '__main__':
    sys.exit(main())
