# SPDX-License-Identifier: MIT
"""Arrays of the host and of the device."""
from __future__ import annotations

import ctypes
import sys

from . import _dlpack, _host, _kept, abi
from ._dtypes import (BY_TYPESTR, DTYPES, DType, REMEDY, dtype_of, flat, numpy, shaped,
                      size_of)
from ._library import check, functions

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import Any, ArrayLike, DeviceLike, DTypeLike, Optional, Result, Tuple, Union


# ---- Arrays of the device ----

class Array:
    """An array on the device. Functions of this module take it in place of an array of the host,
    and then return such arrays, too. numpy.asarray, float, int, len and tolist read it.

    >>> d = vk.asarray([3.0, 1.0, 2.0])
    >>> vk.sort(d).tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, shape: Tuple[int, ...], dtype: DType) -> None:
        self.shape, self.dtype = tuple(shape), dtype
        self._record = None  # in which the values are still to be computed
        self._root = _host.root()
        self._memory = _kept.memory_of(self, self._root, self.nbytes)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return size_of(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError('an array without dimensions has no length')
        return self.shape[0]

    def _await(self):
        if _host.is_open(self._record):
            raise ValueError('the values of this array are there when the batch has ended')

    def _bytes(self):
        """The values, in memory of the host."""
        self._await()
        data = bytearray(self.nbytes)
        if data:
            to = (ctypes.c_char * len(data)).from_buffer(data)
            check(functions().vkrHostRead(_host.host(self._root), ctypes.byref(self._memory), 0,
                                          len(data), ctypes.addressof(to)))
        return data

    def host(self) -> Result:
        """The array on the host: of numpy if that is installed, else a memoryview."""
        return shaped(self._bytes(), self.shape, self.dtype)

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any:
        if copy is False:
            raise ValueError('copy is False, but arrays of the device are copied; '
                             'numpy.from_dlpack does without where it can')
        if numpy() is None:
            raise TypeError('numpy is not installed')
        array = numpy().asarray(self.host())
        return array if dtype is None else array.astype(dtype)

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[Tuple[int, int]] = None,
                   dl_device: Optional[Tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        """The array for other packages: its memory where the host can see that, else a copy."""
        if stream is not None:
            raise BufferError(f'stream is {stream}, but memory of the host has none')
        if dl_device is not None and tuple(dl_device) != _dlpack.DEVICE:
            raise BufferError(f'dl_device is {dl_device}, but must be {_dlpack.DEVICE}, memory of '
                              'the host')
        self._await()
        if self._memory.data and not copy:
            return _dlpack.capsule(self, self._memory.data, self.shape, self.dtype)
        if copy is False:
            raise BufferError('copy is False, but the host does not see the memory of this device')
        data = self._bytes() or bytearray(1)
        keep = (ctypes.c_char * len(data)).from_buffer(data)
        return _dlpack.capsule(keep, ctypes.addressof(keep), self.shape, self.dtype)

    def __dlpack_device__(self) -> Tuple[int, int]:
        return _dlpack.DEVICE

    def tolist(self) -> Any:
        values = self.host()
        return values.tolist() if hasattr(values, 'tolist') else values

    def item(self) -> Any:
        if self.size != 1:
            raise ValueError(f'the array has {self.size} elements, but must have one')
        return flat(self._bytes(), self.dtype)[0]

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __index__(self) -> int:
        return self.item().__index__()

    def reshape(self, *shape: Union[int, Tuple[int, ...]]) -> Array:
        """The same elements, copied, with another shape."""
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        given = shape = tuple(shape)
        if shape.count(-1) == 1:
            rest = -size_of(shape)
            shape = tuple(self.size // rest if n == -1 and rest else n for n in shape)
        if size_of(shape) != self.size or min(shape, default=0) < 0:
            raise ValueError(f'the array has {self.size} elements, and cannot have the shape '
                             f'{given}')
        with _host.at(self._root):
            return asarray(from_bytes(self._bytes(), shape, self.dtype))

    def __repr__(self):
        if _host.is_open(self._record):
            return f'vkreduce.Array(.., shape={self.shape}, dtype={self.dtype})'
        values = self.item() if not self.shape else self.tolist() if self.size <= 1000 else '..'
        return f'vkreduce.Array({values}, dtype={self.dtype})'


# ---- Arrays of the host ----

class Source:
    """What a function reads: an array of the device, or the host's bytes without a copy where they
    are packed and native, else with one."""

    def __init__(self, value):
        self.array = value if isinstance(value, Array) else None
        if self.array is not None:
            self.shape, self.dtype = value.shape, value.dtype
        else:
            self._take(value)
        self.size = size_of(self.shape)

    def _take(self, value):
        interface = getattr(value, '__array_interface__', None)
        if interface is None and hasattr(value, '__dlpack__'):
            value = _dlpack.Held(value)
            interface = value.__array_interface__
        if interface is None:
            value = self._plain(value)
            interface = getattr(value, '__array_interface__', None)
        if interface is None:
            self._take_buffer(value)
            return
        name = getattr(getattr(value, 'dtype', None), 'name', '')
        typestr, self.shape = interface['typestr'], tuple(interface['shape'])
        self.dtype = DTYPES['bfloat16'] if name == 'bfloat16' else BY_TYPESTR.get(typestr[1:])
        if self.dtype is None:
            raise TypeError(f'the array has elements of type {name or typestr}, which vkreduce '
                            f'does not have; convert it: {REMEDY}')
        foreign = typestr[0] == ('>' if sys.byteorder == 'little' else '<')
        if foreign or not _is_packed(interface, self.dtype.itemsize):
            np = numpy()
            if np is None:
                raise TypeError('the array has strides or foreign bytes, which only numpy can '
                                'copy, and numpy is not installed')
            value = np.asarray(value)
            value = np.ascontiguousarray(value, value.dtype.newbyteorder('='))
            interface = value.__array_interface__
        self.keep, self.address = value, interface['data'][0]

    @staticmethod
    def _plain(value):
        """Numbers, and lists of them, as an array."""
        if hasattr(value, '__buffer__') or isinstance(value, (bytes, bytearray, memoryview)):
            return value
        try:
            return memoryview(value)
        except TypeError:
            pass
        if numpy() is not None:
            return numpy().asarray(value)
        import array
        single = isinstance(value, (int, float))
        values = [value] if single else list(value)
        whole = all(isinstance(v, int) for v in values)
        flat = array.array('q' if whole else 'd', values)
        return memoryview(flat).cast('B').cast(flat.typecode, []) if single else flat

    def _take_buffer(self, value):
        view = memoryview(value)
        code = view.format.lstrip('@=<') if view.format else 'B'
        code = {'l': 'q' if view.itemsize == 8 else 'i', 'L': 'Q' if view.itemsize == 8 else 'I',
                'c': 'B'}.get(code, code)
        self.dtype = next((d for d in DTYPES.values() if d.code == code), None)
        if self.dtype is None or view.format.startswith(('>', '!')):
            raise TypeError(f"the buffer has elements of format '{view.format}', which vkreduce "
                            f'does not have; convert it: {REMEDY}')
        self.shape = tuple(view.shape)
        data = view if view.c_contiguous and not view.readonly else bytearray(view.tobytes())
        flat = memoryview(data).cast('B') if size_of(self.shape) else memoryview(bytearray(1))
        self.keep = (ctypes.c_char * flat.nbytes).from_buffer(flat)
        self.address = ctypes.addressof(self.keep)

    @property
    def on_device(self):
        return self.array is not None

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def identity(self):
        """Equal for the same elements, of the same type."""
        return id(self.keep if self.array is None else self.array), self.dtype.name

    def raw(self):
        """The bytes of the elements, packed."""
        return self.array._bytes() if self.array is not None else \
            ctypes.string_at(self.address, self.nbytes)

    def memory(self, record):
        if self.array is not None:
            record.kept.append(self.array)
            return self.array._memory
        return record.attach(self.address, self.nbytes, abi.VKR_HOST_READ, self.keep)

    def view(self, record, kind=None):
        return functions().view(self.memory(record), self.dtype.kind if kind is None else kind)

    def host(self):
        """The array on the host, for what is done there."""
        if numpy() is None:
            raise TypeError('numpy is not installed, and this needs it')
        if self.array is not None:
            array = numpy().asarray(self.array.host())
        elif hasattr(self.keep, '__array_interface__'):
            array = numpy().asarray(self.keep)
        else:
            array = numpy().frombuffer(self.keep, self.dtype.typestr, self.size)
        # The bytes may be read as another type of their size.
        array = array if self.dtype.name == 'bfloat16' else array.view(self.dtype.typestr)
        return array.reshape(self.shape)


def _is_packed(interface, itemsize):
    strides = interface.get('strides')
    if strides is None:
        return True
    expected = itemsize
    for length, stride in zip(reversed(interface['shape']), reversed(strides)):
        if length > 1 and stride != expected:
            return False
        expected *= length
    return True


def from_bytes(data, shape, dtype):
    """Packed bytes as an array of a shape and a type."""
    given = Source(data)
    given.shape, given.dtype, given.size = shape, dtype, size_of(shape)
    return given


def source(value):
    return value if isinstance(value, Source) else Source(value)


def converted(value, wanted):
    """Numbers as elements of a type, on the host."""
    brief = wanted.name == 'bfloat16'
    if numpy() is not None:
        if getattr(getattr(value, 'dtype', None), 'name', '') == 'bfloat16' and not brief:
            value = shaped(bytearray(source(value).raw()), source(value).shape, DTYPES['bfloat16'])
        value = numpy().asarray(value, 'f4' if brief else wanted.typestr)
        if not brief:
            return source(value)
        shape, data = value.shape, value.tobytes()
    else:
        import struct
        values = value.tolist() if hasattr(value, 'tolist') else value
        single = not hasattr(values, '__len__')
        values = [values] if single else list(values)
        if not wanted.is_float:
            values = [v if wanted.name == 'bool' else int(v) for v in values]
        data = struct.pack(f'={len(values)}{"f" if brief else wanted.code}', *values)
        shape = () if single else (len(values),)
    return from_bytes(bytearray(_rounded(data) if brief else data), shape, wanted)


def _rounded(data):
    """Bytes of floats as those of bfloat16, rounded to the nearest one, of two to the even one."""
    import array
    bits = array.array('I', data)
    return array.array('H', (0x7fc0 if x & 0x7fffffff > 0x7f800000 else
                             x + 0x7fff + (x >> 16 & 1) >> 16 & 0xffff for x in bits)).tobytes()


def asarray(value: ArrayLike, dtype: DTypeLike = None, *, device: DeviceLike = None) -> Array:
    """Copies an array to the device, unless it is there already.

    >>> vk.asarray([1, 2, 3], dtype='uint8')
    vkreduce.Array([1, 2, 3], dtype=uint8)
    """
    on = value._root if isinstance(value, Array) else None
    on = _host.root_of(device) if device is not None else on or _host.root()
    wanted = None if dtype is None else dtype_of(dtype)
    if isinstance(value, Array) and value._root is on and wanted in (None, value.dtype):
        return value
    if wanted is not None:
        value = converted(value, wanted)
    elif isinstance(value, Array):
        value = from_bytes(value._bytes(), value.shape, value.dtype)
    given = source(value)
    with _host.at(on):
        array = Array(given.shape, given.dtype)
        if given.nbytes:
            check(functions().vkrHostWrite(_host.host(), ctypes.byref(array._memory), 0,
                                           given.nbytes, given.address))
    return array
