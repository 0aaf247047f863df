# SPDX-License-Identifier: MIT
"""The device, and recordings of operations on it."""
from __future__ import annotations

import atexit
import collections
import contextlib
import ctypes
import os
import threading

from . import abi
from ._library import DeviceError, check, functions, on_message

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from typing import Iterator, List

Device = collections.namedtuple('Device', 'index name driver kind memory usable')
_KINDS = ('other', 'integrated', 'discrete', 'virtual', 'cpu')


def devices() -> List[Device]:
    """The Vulkan devices of the system, as named tuples; those that are not usable lack what the
    library needs.

    >>> [d.kind for d in vk.devices()]    # doctest: +SKIP
    ['discrete', 'cpu']
    """
    vkr = functions()
    info = abi.VkrHostInfo(message=ctypes.cast(on_message, ctypes.c_void_p))
    count = ctypes.c_uint32(64)
    found = (abi.VkrHostDevice * count.value)()
    check(vkr.vkrGetHostDevices(ctypes.byref(info), ctypes.byref(count), found, None))
    return [Device(i, d.name.decode(), d.driver.decode(), _KINDS[d.type] if d.type < 5 else 'other',
                   d.memorySize, bool(d.usable)) for i, d in enumerate(found[:count.value])]


class _Root:
    """The host that opened the device. Those of threads share it, and it lives until the end."""

    def __init__(self):
        wanted = os.environ.get('VKREDUCE_DEVICE') or None
        self.process = os.getpid()
        self.handle = create(device=wanted.encode() if wanted else None)
        self.device = abi.VkrHostDevice()
        functions().vkrGetHostDevice(self.handle, ctypes.byref(self.device))
        self.context = functions().vkrHostContext(self.handle)


def create(**members):
    vkr = functions()
    info = abi.VkrHostInfo(message=ctypes.cast(on_message, ctypes.c_void_p), **members)
    handle = ctypes.c_void_p()
    check(vkr.vkrCreateHost(ctypes.byref(info), ctypes.byref(handle)))
    return handle


_lock = threading.Lock()
_root = None
_closed = False


def root():
    global _root
    if _root is None:
        with _lock:
            if _closed:
                raise DeviceError('the interpreter is ending, so no device is opened')
            if _root is None:
                _root = _Root()
    if _root.process != os.getpid():
        raise DeviceError('this process was forked from one that had opened a Vulkan device, which '
                          'cannot be used here; use multiprocessing with the method "spawn"')
    return _root


@atexit.register
def _close():
    global _closed
    _closed = True
    if _root is not None and _root.process == os.getpid():
        _local.__dict__.clear()
        functions().vkrDestroyHost(_root.handle)


class _Thread:
    """What a thread has: a host of its own, and the batch in which it is."""

    def __init__(self):
        self.process = root().process
        self.handle = create(shared=root().handle)
        self.batch = None

    def __del__(self):
        if not _closed and self.process == os.getpid():
            functions().vkrDestroyHost(self.handle)


_local = threading.local()


def thread():
    root()
    if not hasattr(_local, 'thread'):
        _local.thread = _Thread()
    return _local.thread


def supports(kind):
    """Whether the device has a type of elements."""
    return bool(functions().vkrIsTypeSupported(root().context, kind))


class Recording:
    """Operations that are submitted together."""

    def __init__(self):
        self.vkr, self.host = functions(), thread().handle
        self.recorder = self.vkr.vkrHostRecorder(self.host)
        self.kept = []   # what must live until the work is done
        self.after = []  # what is called then
        check(self.vkr.vkrHostBegin(self.host))

    def attach(self, address, size, access, keep):
        """Memory for the host's bytes."""
        memory = abi.VkrHostMemory()
        array = abi.VkrHostArray(data=address, size=size, access=access)
        check(self.vkr.vkrHostAttach(self.host, ctypes.byref(array), ctypes.byref(memory)))
        self.kept.append(keep)
        return memory

    def call(self, name, info):
        self.kept.append(info)
        check(getattr(self.vkr, name)(self.recorder, ctypes.byref(info)))

    def run(self):
        check(self.vkr.vkrHostRun(self.host))
        for function in self.after:
            function()

    def cancel(self):
        self.vkr.vkrHostCancel(self.host)


@contextlib.contextmanager
def recording():
    """The batch of this thread, or a recording that runs when the block ends."""
    own = thread()
    if own.batch is not None:
        yield own.batch
        return
    record = Recording()
    try:
        yield record
    except BaseException:
        record.cancel()
        raise
    record.run()


@contextlib.contextmanager
def batch() -> Iterator[None]:
    """Operations in the block are submitted together when it ends. They return arrays on the
    device, whose values are there after the block.

    >>> with vk.batch():
    ...     total, largest = vk.sum([1, 2, 3]), vk.max([4, 6, 5])
    >>> int(total), int(largest)
    (6, 6)
    """
    own = thread()
    if own.batch is not None:
        raise ValueError('a batch is open in this thread already; batches are not nested')
    own.batch = Recording()
    try:
        yield
    except BaseException:
        own.batch.cancel()
        raise
    else:
        record, own.batch = own.batch, None
        record.run()
    finally:
        own.batch = None


def in_batch():
    return thread().batch is not None


def refuse_batch(name):
    if in_batch():
        raise ValueError(f'{name} needs values of the device on the way, so it cannot be in a '
                         'batch')
