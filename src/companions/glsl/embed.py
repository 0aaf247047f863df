# SPDX-License-Identifier: MIT
"""embed.py FILE HEADER: writes the text of a file as the initializer of a string in C."""
import sys

source, header = sys.argv[1:]
with open(source, encoding='ascii') as file:
    lines = file.read().splitlines()
with open(header, 'w', encoding='ascii') as file:
    for line in lines:
        quoted = line.replace('\\', '\\\\').replace('"', '\\"')
        file.write(f'"{quoted}\\n"\n')
