# SPDX-License-Identifier: MIT
"""The library that compiles functions from GLSL."""
from mutant import Mutant

GLSL = ('glsl',)

MUTANTS = (
    Mutant('a byte order mark is passed on', 'glsl.c', 'marked.text += 3;', '', GLSL),
    Mutant('a backslash does not continue a comment', 'glsl.c',
           "(*at != '\\n' || at[-1] == '\\\\' || (at[-1] == '\\r' && at[-2] == '\\\\'));",
           "*at != '\\n';", GLSL),
    Mutant('a backslash does not continue the line of the version', 'glsl.c',
           "if (after < end && *after == '\\\\')", 'if (after > end)', GLSL),
    Mutant('versions of OpenGL ES without compute shaders are accepted', 'glsl.c',
           'number == 310 || number == 320', 'number >= 300', GLSL),
    Mutant('a module for Vulkan 1.3 is one for Vulkan 1.2', 'glsl.c',
           '? shaderc_env_version_vulkan_1_3', '? shaderc_env_version_vulkan_1_2', GLSL),
    Mutant('the thread of the compiler has the usual stack', 'glsl.c',
           'pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0 &&', '', GLSL),
)
