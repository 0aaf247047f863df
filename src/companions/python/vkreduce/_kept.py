# SPDX-License-Identifier: MIT
"""Memory of arrays that are gone, for the next ones: new memory is cleared by the system, page by
page, which takes longer than many an operation."""
import ctypes
import threading
import weakref

from . import _host, abi
from ._dtypes import numpy
from ._library import check, functions

MOST = 256 << 20   # bytes that are kept
_LEAST = 1 << 20   # bytes of a block that is worth it
# Finalizers run at any time, also in a thread that has the lock.
_lock = threading.RLock()
_blocks = []


class _Block:
    """Memory of the host, or that of a device where `root` is one."""

    def __init__(self, root, size, memory):
        self.root, self.size, self.memory = root, size, memory

    def drop(self):
        if self.root is not None and not _host._closed and \
                self.root.process == _host.os.getpid():
            functions().vkrHostFree(self.root.handle, ctypes.byref(self.memory))


def _rounded(size):
    """Sizes that differ in their first bits only, so that a block often has that of the next."""
    step = max(1 << size.bit_length() - 5, 4096)
    return -(-size // step) * step


def _take(root, size):
    with _lock:
        for block in list(_blocks):
            if block.root is root and block.size == size and block in _blocks:
                _blocks.remove(block)
                return block
    return None


def _give(block, most=MOST):
    with _lock:
        if block is not None:
            _blocks.append(block)
        while sum(b.size for b in _blocks) > most:
            _blocks.pop(0).drop()


def trim() -> None:
    """Gives memory of arrays that are gone, of which up to 256 MiB are kept, back to the system.

    >>> vk.trim()
    """
    _give(None, 0)


_host.at_close(trim)


def room(size):
    """Bytes of the host that will be written, so that their pages need not be."""
    new = numpy().empty if numpy() is not None else lambda n, _: bytearray(n)
    if size < _LEAST:
        return new(size, 'u1')
    whole = _rounded(size)
    block = _take(None, whole) or _Block(None, whole, new(whole, 'u1'))
    held = (ctypes.c_char * size).from_buffer(block.memory)
    weakref.finalize(held, _give, block).atexit = False
    return memoryview(held).cast('B')


def memory_of(array, root, size):
    """Memory of a device, as long as an array lives."""
    small = size < _LEAST or _rounded(size) > root.device.maxBufferSize
    whole = size if small else _rounded(size)
    block = None if small else _take(root, whole)
    if block is None:
        block = _Block(root, whole, abi.VkrHostMemory())
        check(functions().vkrHostAlloc(_host.host(root), whole, abi.VKR_HOST_MEMORY_RESULT,
                                       ctypes.byref(block.memory)))
    memory = abi.VkrHostMemory.from_buffer_copy(block.memory)
    memory.size = size or memory.size
    weakref.finalize(array, _Block.drop if small else _give, block).atexit = False
    return memory
