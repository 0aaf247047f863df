# SPDX-License-Identifier: MIT
"""Elements that are repeated as often as counts say."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import from_bytes, source
from ._dtypes import DTYPES, numpy, shaped, size_of
from ._results import Found, nothing

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result

_INDEX = DTYPES['uint32']
_MOST = 1 << 31         # outputs that are stored
_LARGEST_ENTRY = 64     # bytes


@_host.placed
def expand(counts: ArrayLike, payload: Optional[ArrayLike] = None, *, ranks: bool = False,
           capacity: Optional[int] = None, device: DeviceLike = None) -> Result:
    """Each index as often as its count says: numpy.repeat(numpy.arange(len(counts)), counts), as
    uint32. With a payload, which has an entry of at most 64 bytes for each count, also
    numpy.repeat(payload, counts, axis=0); with ranks=True also how many outputs of the same index
    come before, as uint32. At most `capacity` outputs are kept, the first ones.

    >>> vk.expand([2, 0, 3]).tolist()
    [0, 0, 2, 2, 2]
    >>> [r.tolist() for r in vk.expand([2, 0, 1], [1.5, 2.5, 3.5], ranks=True)]
    [[0, 0, 2], [1.5, 1.5, 3.5], [0, 1, 0]]
    """
    if _host.in_batch():
        raise ValueError('expand returns as many elements as the counts add up to, so it cannot be '
                         'in a batch')
    given, load = source(counts), None if payload is None else source(payload)
    numbers = numbers_of(given, 'counts')
    entry = entry_of(load, numbers.size, 'payload', 'counts') if load else ()
    room = _room(numbers, capacity)
    on_device = given.on_device or load is not None and load.on_device
    wanted = [(_INDEX, ())] + ([(load.dtype, entry)] if load else []) + \
        ([(_INDEX, ())] if ranks else [])
    if room == 0:
        found = [nothing((0, *shape), dtype, on_device) for dtype, shape in wanted]
        return tuple(found) if len(found) > 1 else found[0]
    info = abi.VkrExpandInfo(count=numbers.size, capacity=room)
    with _host.recording() as record:
        info.counts = numbers.view(record)
        found = Found(record, room, on_device, abi.VKR_COUNT_STORED64)
        targets = [found.target(dtype, shape) for dtype, shape in wanted]
        info.sources = found.view(targets[0])
        if ranks:
            info.ranks = found.view(targets[-1])
        if load:
            moved = abi.VkrPayload(size=size_of(entry) * load.dtype.itemsize,
                                   source=range_of(load.memory(record)),
                                   target=range_of(targets[1][2]))
            record.kept.append(moved)
            info.payloadCount, info.payloads = 1, ctypes.addressof(moved)
        found.ask(info)
        record.call('vkrCmdExpand', info)
    values = [found.value(target) for target in targets]
    return tuple(values) if len(values) > 1 else values[0]


def numbers_of(given, name):
    """Counts and the like as elements of uint32."""
    if len(given.shape) != 1:
        raise ValueError(f'{name} has {len(given.shape)} dimensions, but must have one')
    if given.size == 0:
        return from_bytes(bytearray(), (0,), _INDEX)
    if given.dtype.is_float:
        raise TypeError(f'{name} has elements of type {given.dtype}, but must have whole numbers')
    if given.dtype is _INDEX:
        return given
    values = shaped(bytearray(given.raw()), given.shape, given.dtype)
    low, high = (min(values), max(values)) if numpy() is None else (values.min(), values.max())
    if low < 0:
        raise ValueError(f'{name} has {low}, but must not have negative numbers')
    if high >= 1 << 32:
        raise ValueError(f'{name} has {high}, but must have numbers below 2^32')
    data = bytearray(numpy().asarray(values, 'u4').tobytes()) if numpy() is not None else \
        bytearray((ctypes.c_uint32 * given.size)(*values))
    return from_bytes(data, given.shape, _INDEX)


def entry_of(load, count, name, items):
    """The shape of a payload's entries."""
    if load.shape[:1] != (count,):
        raise ValueError(f'{name} has the shape {load.shape}, but must have an entry for each of '
                         f'the {count} {items}')
    size = size_of(load.shape[1:]) * load.dtype.itemsize
    if not 1 <= size <= _LARGEST_ENTRY:
        raise ValueError(f'{name} has entries of {size} bytes, but must have entries of 1 to '
                         f'{_LARGEST_ENTRY}')
    return load.shape[1:]


def _room(numbers, capacity):
    """How many outputs are kept at most."""
    if capacity is not None:
        if isinstance(capacity, bool) or not hasattr(capacity, '__index__'):
            raise TypeError(f'capacity is {capacity!r}, but must be a whole number')
        if not 0 <= capacity.__index__() <= _MOST:
            raise ValueError(f'capacity is {capacity}, but must be from 0 to {_MOST}')
        return capacity.__index__() if numbers.size else 0
    total = _total(numbers) if numbers.size else 0
    if total > _MOST:
        raise ValueError(f'counts adds up to {total}, but must add up to at most {_MOST}; capacity '
                         'leaves the others out')
    return total


def _total(numbers):
    if not numbers.on_device and numpy() is not None:
        return int(numbers.host().sum(dtype='u8'))
    info = abi.VkrExpandInfo(count=numbers.size)
    with _host.recording() as record:
        info.counts = numbers.view(record)
        found = Found(record, 0, False)
        found.ask(info)
        record.call('vkrCmdExpand', info)
    return found.count[0]


def range_of(memory):
    return abi.VkrBufferRange(buffer=memory.buffer, offset=memory.offset, size=memory.size)
