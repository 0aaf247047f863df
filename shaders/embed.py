#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""embed.py OUT.c MODULE.spv...: the modules as C arrays, and the table vkr_kernels of them."""
import array
import os
import sys


def main():
    out, modules = sys.argv[1], sys.argv[2:]
    names = [os.path.splitext(os.path.basename(module))[0] for module in modules]
    with open(out, "w", encoding="ascii") as file:
        file.write('#include "core/kernels.h"\n\n')
        for name, module in zip(names, modules):
            words = array.array("I")
            with open(module, "rb") as code:
                words.frombytes(code.read())
            if words[0] != 0x07230203:
                sys.exit(f"{module}: not SPIR-V of this machine's byte order")
            file.write(f"static const uint32_t {name}[] = {{\n")
            for i in range(0, len(words), 12):
                file.write(",".join(str(word) + "u" for word in words[i:i + 12]) + ",\n")
            file.write("};\n\n")
        file.write("const vkr_kernel vkr_kernels[] = {\n")
        for name in names:
            file.write(f'    {{"{name}", {name}, sizeof({name})}},\n')
        file.write("};\nconst uint32_t vkr_kernel_count = VKR_ARRAY_SIZE(vkr_kernels);\n")


main()
