# SPDX-License-Identifier: MIT
"""Names and types of functions in a SPIR-V module, which need not be valid: the library checks it
later."""
import struct

# SPIR-V's numbers.
_NAME, _MEMBER_NAME, _DECORATE = 5, 6, 71
_CONSTANT, _FUNCTION, _PARAMETER = 43, 54, 55
_BOOL, _INT, _FLOAT, _VECTOR, _MATRIX, _ARRAY, _STRUCT = 20, 21, 22, 23, 24, 28, 30
_LINKAGE = 41
_MAGIC = 0x07230203
_DEPTH = 8  # that types are nested


def words_of(code):
    """The words of a module, in the byte order of the host."""
    if len(code) % 4 or len(code) < 20:
        raise ValueError(f'op has {len(code)} bytes, but SPIR-V has words of 4 bytes and at least '
                         '5 of them')
    words = struct.unpack(f'={len(code) // 4}I', code)
    if words[0] != _MAGIC:
        raise ValueError(f'op starts with 0x{words[0]:08x}, but SPIR-V starts with 0x{_MAGIC:08x} '
                         'in the byte order of the host')
    return words


def _text(words):
    data = struct.pack(f'={len(words)}I', *words).split(b'\0')[0].decode('utf-8', 'replace')
    return data.partition('(')[0]


class Names:
    """What a module's instructions say: functions by their names, and types by their numbers."""

    def __init__(self, words):
        names, members, self._types, self._constants, self._returns = {}, {}, {}, {}, {}
        self._reading, at, function, last = set(), 5, None, None
        while at < len(words):
            code, length = words[at] & 0xffff, words[at] >> 16
            if length == 0:
                break
            i = words[at + 1:at + length]
            at += length
            if len(i) < 1:
                continue
            if code == _NAME or (code == _DECORATE and i[1:2] == (_LINKAGE,)):
                names[i[0]] = _text(i[1 if code == _NAME else 2:])
            elif code == _MEMBER_NAME and len(i) > 2:
                members[i[0], i[1]] = _text(i[2:])
            elif code in (_BOOL, _INT, _FLOAT, _VECTOR, _MATRIX, _ARRAY, _STRUCT):
                self._types[i[0]] = (code, i[1:])
            elif code == _CONSTANT and len(i) > 2:
                self._constants[i[1]] = i[2]
            elif code == _FUNCTION and len(i) > 1:
                self._returns[i[1]] = i[0]
                function, last = i[1], None
            elif code == _PARAMETER and len(i) > 1:
                last = i[1]
            elif last in i:
                self._reading.add(function)
        self._members = members
        self._functions = {names[f]: f for f in self._returns if f in names}

    def has(self, name):
        return name in self._functions

    def reads_last(self, name):
        """Whether a function may read its last parameter: its body has the parameter's number."""
        return self._functions[name] in self._reading

    def result(self, name):
        """What a function returns, as a list of a name and the types of its values for each member;
        the name is None where it is no struct. None for what has other types than numbers."""
        kind = self._returns[self._functions[name]]
        code, rest = self._types.get(kind, (None, ()))
        if code != _STRUCT:
            values = self._values(kind, 0)
            return values and [(None, values)]
        found = [(self._members.get((kind, i)) or f'f{i}', self._values(member, 1))
                 for i, member in enumerate(rest)]
        return found if found and all(values for _, values in found) else None

    def _values(self, kind, depth):
        code, rest = self._types.get(kind, (None, ()))
        if depth > _DEPTH or (code not in (_BOOL, _STRUCT) and not rest):
            return None
        if code == _BOOL:
            return ['uint32']
        if code == _FLOAT:  # those of 16 bits become wider
            return ['float64' if rest[0] == 64 else 'float32']
        if code == _INT:
            return [('int' if rest[1:] == (1,) else 'uint') + ('64' if rest[0] == 64 else '32')]
        if code == _STRUCT:
            several = [self._values(member, depth + 1) for member in rest]
            return [v for values in several for v in values] if all(several) else None
        if code not in (_VECTOR, _MATRIX, _ARRAY) or len(rest) < 2:
            return None
        number = self._constants.get(rest[1], 0) if code == _ARRAY else rest[1]
        values = self._values(rest[0], depth + 1)
        return values * number if values and 0 < number <= 16 else None
