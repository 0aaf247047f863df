# SPDX-License-Identifier: MIT
"""DLPack: arrays of other packages without a copy, and arrays for them."""
import ctypes
import math
import sys
import weakref

DEVICE = (1, 0)  # kDLCPU, as __dlpack_device__ returns it
_OF_THE_HOST = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost

# The code of a type, its bits and our name.
_TYPES = {(code, bits): f'{name}{bits}' for code, name, sizes in (
    (0, 'int', (8, 16, 32, 64)), (1, 'uint', (8, 16, 32, 64)), (2, 'float', (16, 32, 64)),
    (4, 'bfloat', (16,))) for bits in sizes}
_TYPES[6, 8] = 'bool'
_CODES = {name: key for key, name in _TYPES.items()}


class _Tensor(ctypes.Structure):
    _fields_ = [('data', ctypes.c_void_p), ('device', ctypes.c_int32), ('number', ctypes.c_int32),
                ('ndim', ctypes.c_int32), ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8),
                ('lanes', ctypes.c_uint16), ('shape', ctypes.POINTER(ctypes.c_int64)),
                ('strides', ctypes.POINTER(ctypes.c_int64)), ('offset', ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [('tensor', _Tensor), ('context', ctypes.c_void_p), ('deleter', ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [('major', ctypes.c_uint32), ('minor', ctypes.c_uint32),
                ('context', ctypes.c_void_p), ('deleter', ctypes.c_void_p),
                ('flags', ctypes.c_uint64), ('tensor', _Tensor)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
# The bytes of names live as long as capsules, which point to them.
_PLAIN, _USED = b'dltensor', b'used_dltensor'
_NEW, _USED_NEW = b'dltensor_versioned', b'used_dltensor_versioned'


def _of_python(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_make = _of_python('PyCapsule_New', ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                   ctypes.c_void_p)
_is_valid = _of_python('PyCapsule_IsValid', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
_pointer = _of_python('PyCapsule_GetPointer', ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
_rename = _of_python('PyCapsule_SetName', ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
# For a capsule that is being freed, of which no reference may be made.
_is_valid_at = _of_python('PyCapsule_IsValid', ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)
_pointer_at = _of_python('PyCapsule_GetPointer', ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)


# ---- Arrays for others ----

_given = {}  # by the address of the structure: what must live until its deleter is called


@_Deleter
def _forget(address, given=_given):
    given.pop(address, None)


@_Deleter
def _drop(capsule, given=_given):
    """A capsule that nobody has taken."""
    if _is_valid_at(capsule, _PLAIN):
        given.pop(_pointer_at(capsule, _PLAIN), None)


def capsule(keep, address, shape, dtype):
    """A capsule with packed values at an address, which `keep` keeps alive."""
    managed = _Managed()
    sizes, steps, step = (ctypes.c_int64 * len(shape))(*shape), (ctypes.c_int64 * len(shape))(), 1
    for i in reversed(range(len(shape))):
        steps[i], step = step, step * max(shape[i], 1)
    t = managed.tensor
    t.data, t.device, t.ndim, t.lanes = address, DEVICE[0], len(shape), 1
    t.code, t.bits = _CODES[dtype.name]
    t.shape = ctypes.cast(sizes, ctypes.POINTER(ctypes.c_int64))
    t.strides = ctypes.cast(steps, ctypes.POINTER(ctypes.c_int64))
    managed.deleter = ctypes.cast(_forget, ctypes.c_void_p)
    at = ctypes.addressof(managed)
    _given[at] = managed, sizes, steps, keep
    return _make(at, _PLAIN, ctypes.cast(_drop, ctypes.c_void_p))


# ---- Arrays of others ----

class Held:
    """An array of the host that another package has given, until this object is gone."""

    def __init__(self, value):
        device = getattr(value, '__dlpack_device__', lambda: DEVICE)()
        if int(device[0]) not in _OF_THE_HOST:
            raise TypeError(f'the array is in memory of device {tuple(map(int, device))} of '
                            'DLPack, but must be in that of the host; copy it there')
        try:
            given = value.__dlpack__(max_version=(1, 0))
        except TypeError:  # of a package that knows no versions
            given = value.__dlpack__()
        name, used, kind = (_NEW, _USED_NEW, _Versioned) if _is_valid(given, _NEW) else \
            (_PLAIN, _USED, _Managed)
        if not _is_valid(given, name):
            raise TypeError('__dlpack__ has returned no capsule with a tensor')
        at = _pointer(given, name)
        managed = kind.from_address(at)
        if kind is _Versioned and managed.major != 1:
            raise BufferError(f'the array is of version {managed.major} of DLPack, but must be of '
                              '1')
        _rename(given, used)
        weakref.finalize(self, _release, at, managed.deleter)
        self._describe(managed.tensor)

    def _describe(self, t):
        key = (t.code, t.bits)
        if t.lanes != 1 or key not in _TYPES:
            raise TypeError(f'the array has elements of the type code {t.code} of DLPack with '
                            f'{t.lanes} times {t.bits} bits, which vkreduce does not have; '
                            'convert it')
        name, size = _TYPES[key], t.bits // 8
        shape = tuple(t.shape[:t.ndim]) if t.ndim else ()
        letter = 'V' if t.code == 4 else 'b' if t.code == 6 else name[0]
        order = '|' if size == 1 or letter == 'V' else '<' if sys.byteorder == 'little' else '>'
        strides = t.strides[:t.ndim] if t.ndim and t.strides else None
        self.dtype = _Name(name)
        self.__array_interface__ = {
            'version': 3, 'typestr': f'{order}{letter}{size}', 'shape': shape,
            'data': ((t.data or 0) + t.offset if math.prod(shape) else 0, False),
            'strides': strides and tuple(s * size for s in strides)}


class _Name:
    """As numpy's types have it."""

    def __init__(self, name):
        self.name = name


def _release(address, deleter):
    if deleter:
        _Deleter(deleter)(address)
