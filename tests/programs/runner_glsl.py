# SPDX-License-Identifier: MIT
"""Files of functions for tests of the program vkreduce."""
import subprocess

from runner_tools import PROGRAM, call, ok, write


def text(name, *lines):
    return write(name, '\n'.join(lines).encode() + b'\n')


def spirv(name, *lines):
    """What glslc makes of a shader; the functions keep their names."""
    subprocess.run(['glslc', '-O0', '-fshader-stage=compute', '-o', name, '-'], check=True,
                   input='\n'.join(('#version 450', *lines)).encode())
    return name


def has_glsl():
    """Whether the program has the compiler; without it, it says so."""
    text('probe.glsl', 'float map(float x, uint i) { return x; }')
    code, _, err = call(PROGRAM, 'reduce', 'min', 'random:9', '--map', 'probe.glsl')
    ok(code == 0 or (code == 2 and 'probe.glsl' in err and 'built without libshaderc' in err and
                     '.spv' in err and err.count('\n') == 1), 'the compiler, or a sentence', err)
    return code == 0
