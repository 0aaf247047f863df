# SPDX-License-Identifier: MIT
"""Types of elements, and values as arrays of the host."""
from __future__ import annotations

import math
import sys

from . import abi

# name, the library's type, numpy's kind and size, the format of struct; bytes of a value
_TYPES = [
    ('bool', abi.VKR_TYPE_U8, 'b1', '?', 1), ('int8', abi.VKR_TYPE_I8, 'i1', 'b', 1),
    ('uint8', abi.VKR_TYPE_U8, 'u1', 'B', 1), ('int16', abi.VKR_TYPE_I16, 'i2', 'h', 2),
    ('uint16', abi.VKR_TYPE_U16, 'u2', 'H', 2), ('int32', abi.VKR_TYPE_I32, 'i4', 'i', 4),
    ('uint32', abi.VKR_TYPE_U32, 'u4', 'I', 4), ('int64', abi.VKR_TYPE_I64, 'i8', 'q', 8),
    ('uint64', abi.VKR_TYPE_U64, 'u8', 'Q', 8), ('float16', abi.VKR_TYPE_F16, 'f2', 'e', 2),
    ('float32', abi.VKR_TYPE_F32, 'f4', 'f', 4), ('float64', abi.VKR_TYPE_F64, 'f8', 'd', 8),
    ('bfloat16', abi.VKR_TYPE_BF16, 'V2', 'H', 2),
]


class DType:
    """The type of an array's elements."""

    def __init__(self, name, kind, typestr, code, size):
        self.name, self.kind, self.typestr, self.code = name, kind, typestr, code
        self.itemsize = size
        self.is_float = 'float' in name
        self.is_signed = self.is_float or name.startswith('int')

    def __repr__(self):
        return self.name

    def __str__(self):
        return self.name


DTYPES = {row[0]: DType(*row) for row in _TYPES}
BY_TYPESTR = {d.typestr: d for d in DTYPES.values() if d.name != 'bfloat16'}
_BY_KIND = {d.kind: d for d in DTYPES.values() if d.name != 'bool'}
REMEDY = 'the types are ' + ', '.join(DTYPES)


def dtype_of(wanted):
    """A type by its name, or by anything that has such a name, such as numpy's types."""
    name = wanted if isinstance(wanted, str) else getattr(wanted, 'name', None) or \
        getattr(wanted, '__name__', None)
    name = {'float': 'float64', 'int': 'int64'}.get(name, name)
    if name not in DTYPES:
        raise TypeError(f'dtype is {wanted!r}, which vkreduce does not have; {REMEDY}')
    return DTYPES[name]


def type_named(kind):
    return _BY_KIND[kind]


def numpy():
    """numpy, or None. It is imported when the first array is returned, not before."""
    global _numpy
    if _numpy is _unknown:
        try:
            import numpy as found
        except ImportError:
            found = None
        _numpy = found
    return _numpy


_unknown = object()
_numpy = _unknown


def size_of(shape):
    return math.prod(shape)


def flat(data, dtype):
    """A memoryview of values; those of bfloat16 as numbers."""
    if dtype.name == 'bfloat16':
        import struct
        return [struct.unpack('<f', b'\0\0' + bytes(data[i:i + 2]))[0]
                for i in range(0, len(data), 2)]
    if dtype.name == 'float16' and sys.version_info < (3, 12):
        import struct
        return list(struct.unpack(f'<{len(data) // 2}e', bytes(data)))
    return memoryview(data).cast(dtype.code)


def shaped(data, shape, dtype):
    """Bytes as an array of numpy or, without it, as a memoryview or a number."""
    np = numpy()
    if np is not None and dtype.name != 'bfloat16':
        array = np.frombuffer(data, dtype.typestr).reshape(shape) if len(data) else \
            np.empty(shape, dtype.typestr)
        return array if shape else array[()]
    if np is not None:
        wide = np.frombuffer(data, 'u2').astype('u4') << 16
        return wide.view('f4').reshape(shape)
    if not shape:
        return flat(data, dtype)[0]
    values = flat(data, dtype)
    if len(shape) == 1 or not data:
        return values
    if isinstance(values, memoryview):
        return memoryview(data).cast(dtype.code, list(shape))
    for length in reversed(shape[1:]):
        values = [values[i:i + length] for i in range(0, len(values), length)]
    return values
