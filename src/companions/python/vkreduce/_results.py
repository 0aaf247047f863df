# SPDX-License-Identifier: MIT
"""What functions write."""
import ctypes

from . import _host, abi
from ._arrays import Array, asarray
from ._dtypes import numpy, shaped, size_of
from ._kept import room
from ._library import check, functions


def nothing(shape, dtype, on_device):
    """An array without elements."""
    on_device = on_device or _host.in_batch()
    return Array(shape, dtype) if on_device else shaped(bytearray(), shape, dtype)


class Target:
    """What a function writes: an array of the device where the function reads one or in a batch,
    else memory that becomes an array of the host. With `filled`, a byte, all bytes are that where
    the function writes nothing."""

    def __init__(self, record, shape, dtype, on_device, filled=None):
        self.shape, self.dtype = tuple(shape), dtype
        size = size_of(shape) * dtype.itemsize
        if on_device or _host.in_batch():
            self.result = Array(shape, dtype)
            self.result._record = record
            self.memory = self.result._memory
            record.kept.append(self.result)
            if filled is not None:
                data = (ctypes.c_char * size).from_buffer(bytearray([filled]) * size)
                check(functions().vkrHostWrite(_host.host(), ctypes.byref(self.memory), 0, size,
                                               ctypes.addressof(data)))
            return
        self.result, self.data = None, room(size)
        held = (ctypes.c_char * max(size, 1)).from_buffer(self.data if size else bytearray(1))
        if filled is not None:
            ctypes.memset(held, filled, size)
        access = abi.VKR_HOST_WRITE if filled is None else abi.VKR_HOST_READ_WRITE
        self.memory = record.attach(ctypes.addressof(held), size, access, held)

    def view(self, kind=None):
        return functions().view(self.memory, self.dtype.kind if kind is None else kind)

    def range(self):
        return abi.VkrBufferRange(buffer=self.memory.buffer, offset=self.memory.offset,
                                  size=self.memory.size)

    def value(self):
        """The result, once the recording has run."""
        return self.result if self.result is not None else shaped(self.data, self.shape, self.dtype)


class Found:
    """Outputs of a compaction or an expansion, of which only the device knows the length; a count
    of 64 bits says it."""

    def __init__(self, record, size, on_device, kind=abi.VKR_COUNT_KEPT64):
        self.record, self.size, self.on_device = record, size, on_device
        self.count = (ctypes.c_uint64 * 1)()
        memory = record.attach(ctypes.addressof(self.count), 8, abi.VKR_HOST_WRITE, self.count)
        self.output = abi.VkrCountOutput(kind=kind, buffer=memory.buffer, offset=memory.offset)

    def ask(self, info):
        info.countOutputCount = 1
        info.countOutputs = ctypes.addressof(self.output)
        self.record.kept.append(self.output)

    def target(self, dtype, entry=()):
        """Room for elements, or for entries that have this shape."""
        data = room(max(self.size * size_of(entry) * dtype.itemsize, 1))
        held = (ctypes.c_char * len(data)).from_buffer(data)
        memory = self.record.attach(ctypes.addressof(held), len(data), abi.VKR_HOST_WRITE, held)
        return dtype, data, memory, entry

    def view(self, target):
        return functions().view(target[2], target[0].kind)

    def value(self, target):
        dtype, data, _, entry = target
        count = self.count[0]
        size = count * size_of(entry) * dtype.itemsize
        found = shaped(memoryview(data)[:size], (count, *entry), dtype)
        if numpy() is not None and count < self.size // 2:
            found = found.copy()
        return asarray(found) if self.on_device else found
