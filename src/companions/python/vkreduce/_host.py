# SPDX-License-Identifier: MIT
"""The device, and recordings of operations on it."""
from __future__ import annotations

import atexit
import collections
import contextlib
import ctypes
import functools
import os
import threading

from . import abi
from ._library import DeviceError, check, functions, on_message

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import DeviceLike, Iterator, List

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
    """A host that opened a device. Those of threads share it, and it lives until the end."""

    def __init__(self, wanted, index=None):
        self.wanted, self._index = wanted, index
        self.process = os.getpid()
        self.handle = create(device=wanted.encode() if wanted else None)
        self.device = abi.VkrHostDevice()
        functions().vkrGetHostDevice(self.handle, ctypes.byref(self.device))
        self.context = functions().vkrHostContext(self.handle)

    @property
    def index(self):
        """Its index in devices(). Of equal devices the first one is chosen where none is named."""
        if self._index is None:
            self._index = _index_of(self.wanted) if self.wanted else next(
                i for i, d in enumerate(devices()) if (d.name, d.driver) == (
                    self.device.name.decode(), self.device.driver.decode()))
        return self._index

    def __str__(self):
        return f'{self.index} ({self.device.name.decode()})'


def create(**members):
    vkr = functions()
    info = abi.VkrHostInfo(message=ctypes.cast(on_message, ctypes.c_void_p), **members)
    handle = ctypes.c_void_p()
    check(vkr.vkrCreateHost(ctypes.byref(info), ctypes.byref(handle)))
    return handle


def _index_of(wanted):
    info = abi.VkrHostInfo(message=ctypes.cast(on_message, ctypes.c_void_p), device=wanted.encode())
    count, index = ctypes.c_uint32(1), ctypes.c_uint32()
    one = abi.VkrHostDevice()
    check(functions().vkrGetHostDevices(ctypes.byref(info), ctypes.byref(count), ctypes.byref(one),
                                        ctypes.byref(index)))
    return index.value


class _Local(threading.local):
    """What a thread has: the device of the call in which it is, the batch, and hosts of its own."""
    root = None
    batch = None

    def __init__(self):
        self.hosts = {}


_lock = threading.RLock()
_default = None
_named = {}  # by what the user calls them
_local = _Local()
_closed = False


def _open(wanted):
    """The device that is meant, which may be open under another name."""
    if _closed:
        raise DeviceError('the interpreter is ending, so no device is opened')
    opened = [r for r in (_default, *_named.values()) if r is not None]
    if not opened:
        return _Root(wanted)
    index = _index_of(wanted) if wanted else None
    for other in opened:
        if other.index == index:
            return other
    made = _Root(wanted, index)
    for other in opened:
        if other.index == made.index:
            functions().vkrDestroyHost(made.handle)
            return other
    return made


def _default_root():
    global _default
    if _default is None:
        with _lock:
            if _default is None:
                _default = _open(os.environ.get('VKREDUCE_DEVICE') or None)
    return _default


def root_of(device):
    """The device that an argument `device` names: an index, a part of a name, or one of devices().
    """
    if isinstance(device, bool) or not isinstance(device, (int, str, Device)):
        raise TypeError(f'device is of type {type(device).__name__}, but must be the index of a '
                        'device, a part of its name, or one of devices()')
    if isinstance(device, int) and device < 0:
        raise ValueError(f'device is {device}, but must not be negative')
    name = str(device.index if isinstance(device, Device) else device)
    if name not in _named:
        with _lock:
            if name not in _named:
                _named[name] = _open(name)
    return _named[name]


def root():
    """The device of the call or of the batch in which the thread is, else the first one."""
    found = _local.root
    if found is None:
        found = _local.batch.root if _local.batch is not None else _default_root()
    return _unforked(found)


def _unforked(found):
    if found.process != os.getpid():
        raise DeviceError('this process was forked from one that had opened a Vulkan device, which '
                          'cannot be used here; use multiprocessing with the method "spawn"')
    return found


def chosen(device, arguments):
    """The device that is named, or that of arrays among the arguments. None: none is."""
    found = device if device is None or isinstance(device, _Root) else root_of(device)
    named = found is not None
    for value in arguments:
        other = getattr(value, '_root', None)
        if other is None or other is found:
            continue
        if found is not None:
            what = f'device is {found}' if named else f'another one is of device {found}'
            raise ValueError(f'an array is of device {other}, but {what}; vkreduce.asarray copies '
                             'arrays to another device')
        found = other
    batch = _local.batch
    if batch is not None and found is not None and found is not batch.root:
        raise ValueError(f'the batch is of device {batch.root}, but this needs device {found}')
    return found


class at:
    """A block whose calls use a device; None changes nothing."""

    def __init__(self, chosen):
        self._root = chosen

    def __enter__(self):
        self._before = _local.root
        if self._root is not None:
            _local.root = self._root

    def __exit__(self, *_):
        _local.root = self._before


def placed(function):
    """A function that runs on the device that its argument `device` names, or else on that of its
    arrays."""
    takes_by = 'by' in function.__code__.co_varnames[:function.__code__.co_argcount +
                                                     function.__code__.co_kwonlyargcount]

    @functools.wraps(function)
    def call(*arguments, device=None, **named):
        if 'by' in named and not takes_by:
            raise TypeError(f'by is given, but {function.__name__} has no result for each key; '
                            f'{", ".join(sorted(GROUPED))} have one')
        with at(chosen(device, (*arguments, *named.values()))):
            return function(*arguments, **named)
    if takes_by:
        GROUPED.add(function.__name__)
    return call


GROUPED = set()  # functions that have an argument `by`


_closing = []


def at_close(function):
    """Calls a function at the end, while devices are still open."""
    _closing.append(function)


@atexit.register
def _close():
    global _closed
    for function in _closing:
        function()
    _closed = True
    opened = {id(r): r for r in (_default, *_named.values()) if r is not None}
    _local.__dict__.clear()
    for found in opened.values():
        if found.process == os.getpid():
            functions().vkrDestroyHost(found.handle)


class _Thread:
    """A host of a thread."""

    def __init__(self, root):
        self.process = root.process
        self.handle = create(shared=root.handle)

    def __del__(self):
        if not _closed and self.process == os.getpid():
            functions().vkrDestroyHost(self.handle)


def host(of=None):
    """This thread's host of a device."""
    found = root() if of is None else _unforked(of)
    hosts = _local.hosts
    if found not in hosts:
        hosts[found] = _Thread(found)
    return hosts[found].handle


def supports(kind):
    """Whether the device has a type of elements."""
    return bool(functions().vkrIsTypeSupported(root().context, kind))


class Recording:
    """Operations that are submitted together."""

    def __init__(self):
        self.root = root()
        self.vkr, self.host = functions(), host(self.root)
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
    if _local.batch is not None:
        yield _local.batch
        return
    record = Recording()
    try:
        yield record
    except BaseException:
        record.cancel()
        raise
    record.run()


@contextlib.contextmanager
def batch(device: DeviceLike = None) -> Iterator[None]:
    """Operations in the block are submitted together when it ends. They return arrays on the
    device, whose values are there after the block.

    >>> with vk.batch():
    ...     total, largest = vk.sum([1, 2, 3]), vk.max([4, 6, 5])
    >>> int(total), int(largest)
    (6, 6)
    """
    if _local.batch is not None:
        raise ValueError('a batch is open in this thread already; batches are not nested')
    with at(chosen(device, ())):
        _local.batch = Recording()
    try:
        yield
    except BaseException:
        _local.batch.cancel()
        raise
    else:
        record, _local.batch = _local.batch, None
        record.run()
    finally:
        _local.batch = None


def in_batch():
    return _local.batch is not None


def is_open(record):
    """Whether a record is the batch of this thread."""
    return record is not None and record is _local.batch


def refuse_batch(name):
    if in_batch():
        raise ValueError(f'{name} needs values of the device on the way, so it cannot be in a '
                         'batch')
