# SPDX-License-Identifier: MIT
"""generate.py OUTPUT HEADER..: writes the module abi.py, which has the structures, constants and
functions of the headers for ctypes. Structures that have members of Vulkan's own structures are
left out, and so are functions and macros that the package has no use for."""
import re
import sys

SCALARS = {
    'float': 'c_float', 'double': 'c_double', 'char': 'c_char', 'size_t': 'c_size_t',
    'uint32_t': 'c_uint32', 'int32_t': 'c_int32', 'uint64_t': 'c_uint64', 'int64_t': 'c_int64',
    'VkDeviceSize': 'c_uint64', 'VkBool32': 'c_uint32', 'VkFormat': 'c_int32',
    'VkImageLayout': 'c_int32', 'VkImageType': 'c_int32', 'VkPhysicalDeviceType': 'c_int32',
    'VkPipelineStageFlags': 'c_uint32', 'VkAccessFlags': 'c_uint32',
    'VkImageAspectFlags': 'c_uint32',
    # Handles have 64 bits each where these libraries are built; dispatchable ones are pointers.
    **{name: 'c_uint64' for name in ('VkBuffer', 'VkBufferView', 'VkImage', 'VkImageView',
                                     'VkDeviceMemory', 'VkDescriptorSet', 'VkDescriptorSetLayout',
                                     'VkPipelineCache', 'VkQueryPool', 'VkSampler')},
    **{name: 'c_void_p' for name in ('VkInstance', 'VkPhysicalDevice', 'VkDevice', 'VkQueue',
                                     'VkCommandBuffer', 'VkrHost', 'VkrContext', 'VkrRecorder',
                                     'VkrModule', 'VkrMpi')},
    # A pointer, or an int that nothing follows before the next multiple of 8 bytes.
    'MPI_Comm': 'c_void_p',
}
NUMBERS = {'VK_MAX_PHYSICAL_DEVICE_NAME_SIZE': 256, 'VK_MAX_DRIVER_NAME_SIZE': 256,
           'VK_MAX_DRIVER_INFO_SIZE': 256, 'VK_UUID_SIZE': 16, 'UINT64_MAX': 2 ** 64 - 1}


def read(paths):
    text = '\n'.join(open(path, encoding='utf-8').read() for path in paths)
    text = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    return text.replace('\\\n', ' ')


def value_of(text, known):
    """The value of a constant expression of shifts, sums and known names; None for others."""
    text = re.sub(r'\b(0x[0-9a-fA-F]+|\d+)[uUlL]+\b', r'\1', text.strip())
    names = set(re.findall(r'[A-Za-z_]\w*', re.sub(r'0x[0-9a-fA-F]+', '', text)))
    if not text or not names <= known.keys() or not re.fullmatch(r'[\w\s()+*|<-]+', text):
        return None
    return eval(text, {}, dict(known))  # only names and operators that the pattern lets through


def find_constants(text):
    known = dict(NUMBERS)
    for name, value in re.findall(r'^#define (VKR_\w+) ([^\n]+)$', text, flags=re.M):
        number = value_of(value, known)
        if number is not None:
            known[name] = number
    enums = set()
    for name, body in re.findall(r'typedef enum (\w+) \{(.*?)\} \1;', text, flags=re.S):
        enums.add(name)
        for entry in filter(None, (part.strip() for part in body.split(','))):
            key, _, value = entry.partition('=')
            known[key.strip()] = value_of(value, known)
    return {k: v for k, v in known.items()
            if k.startswith('VKR_') and not k.endswith('MAX_ENUM')}, enums


def type_of(words, pointers, enums, structs):
    """The ctypes expression of a type, or None for one that is not known."""
    name = words[-1]
    if pointers or name.startswith('PFN_'):
        return 'c_char_p' if name == 'char' and pointers == 1 and 'const' in words else 'c_void_p'
    if name in enums:
        return 'c_int32'
    if name.endswith('Flags') and name.startswith('Vkr'):
        return 'c_uint32'
    return SCALARS.get(name) or (name if name in structs else None)


def members_of(body, known, enums, structs):
    members = []
    for declaration in filter(None, (part.strip() for part in body.split(';'))):
        head, _, rest = declaration.partition(',')
        match = re.fullmatch(r'((?:\w+\s+)+)(\**)\s*(?:const\s*)?(\**)(\w+)((?:\[[^\]]*\])*)',
                             head.strip())
        match = match or re.fullmatch(r'((?:\w+\s+)+)(\*)const (\*)(\w+)()', head.strip())
        if not match:
            return None
        words = [w for w in match[1].split() if w != 'struct']
        kind = type_of(words, len(match[2] + match[3]), enums, structs)
        if kind is None:
            return None
        for field in [match[4] + match[5]] + [f.strip() for f in rest.split(',') if f.strip()]:
            name, sizes = re.match(r'\w+', field)[0], re.findall(r'\[([^\]]*)\]', field)
            whole = kind
            for size in reversed(sizes):
                whole = f'{whole} * {value_of(size, {**NUMBERS, **known})}'
            members.append((name, whole))
    return members


def find_structs(text, known, enums):
    """In an order in which each one follows those that it contains."""
    found = re.findall(r'typedef (struct|union) (\w+) \{(.*?)\} \2;', text, flags=re.S)
    structs, before = {}, -1
    while len(structs) > before:
        before = len(structs)
        for kind, name, body in found:
            members = members_of(body, known, enums, structs) if name not in structs else None
            if members is not None:
                structs[name] = (kind, members)
    return structs


def find_functions(text, enums, structs):
    functions = {}
    for result, name, arguments in re.findall(r'VKR_API ([\w\s*]+?)\b(vkr\w+)\(([^;]*?)\);', text):
        words, pointers = result.replace('*', ' ').split(), result.count('*')
        is_void = words == ['void'] and not pointers
        kind = None if is_void else type_of(words, pointers, enums, structs)
        types = []
        for argument in arguments.split(','):
            stars, parts = argument.count('*'), argument.replace('*', ' ').split()
            names = [w for w in parts[:-1] if w != 'struct'] or parts
            types.append(type_of(names, stars, enums, structs))
        if None not in types and (kind or words == ['void']):
            # Every pointer may be given by ctypes.byref or as an address.
            functions[name] = (kind, ['c_void_p' if t == 'c_char_p' else t for t in types])
    return functions


def main():
    output, text = sys.argv[1], read(sys.argv[2:])
    known, enums = find_constants(text)
    structs = find_structs(text, known, enums)
    lines = ['# SPDX-License-Identifier: MIT',
             '"""Made by generate.py from the headers: do not edit."""',
             'from ctypes import (Structure, Union, c_char, c_char_p, c_double, c_float, c_int32,',
             '                    c_int64, c_size_t, c_uint32, c_uint64, c_void_p)', '']
    lines += [f'{name} = {value}' for name, value in sorted(known.items()) if value is not None]
    for name, (kind, members) in structs.items():
        base = 'Union' if kind == 'union' else 'Structure'
        lines += ['', '', f'class {name}({base}):', '    _fields_ = [']
        lines += [f"        ('{field}', {whole})," for field, whole in members] + ['    ]']
    lines += ['', '', 'FUNCTIONS = {']
    lines += [f"    '{name}': ({kind}, [{', '.join(types)}]),"
              for name, (kind, types) in find_functions(text, enums, structs).items()] + ['}']
    with open(output, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines) + '\n')


main()
