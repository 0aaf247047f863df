# SPDX-License-Identifier: MIT
"""Sets, and elements that pass a test."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import asarray, from_bytes, source
from ._dtypes import DTYPES, numpy, shaped
from ._reduce import run
from ._results import Found, Target, nothing
from ._sort import _INDEX, searchsorted, sort

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Axis, DeviceLike, Result, Tuple


def _no_batch(name):
    if _host.in_batch():
        raise ValueError(f'{name} returns as many elements as the device finds, so it cannot be in '
                         'a batch')


def _unique(a, counts, by_value):
    _no_batch('unique')
    given = source(a)
    in_order = sort(asarray(a) if given.size else a, axis=None, by_value=by_value)
    if given.size == 0:
        return nothing((0,), given.dtype, given.on_device), nothing((0,), _INDEX, given.on_device)
    ordered = source(in_order)
    with _host.recording() as record:
        found = Found(record, given.size, given.on_device)
        values = found.target(given.dtype)
        info = abi.VkrCompactInfo(count=given.size, input=ordered.view(record),
                                  kept=found.view(values))
        info.predicate.kind, info.predicate.byValue = abi.VKR_PREDICATE_UNIQUE, by_value
        lengths = found.target(_INDEX) if counts else None
        if counts:
            info.runLengths = found.view(lengths)
        found.ask(info)
        record.call('vkrCmdCompact', info)
    return found.value(values), found.value(lengths) if counts else None


@_host.placed
def unique_values(a: ArrayLike, *, by_value: bool = False, device: DeviceLike = None) -> Result:
    """The different elements, in ascending order. Elements are equal if their bits are: -0 and +0
    are two elements; by value they are one, and so are all NaN: the one that comes first in the
    array.

    >>> vk.unique_values([2, 1, 2]).tolist()
    [1, 2]
    """
    return _unique(a, False, by_value)[0]


@_host.placed
def unique_counts(a: ArrayLike, *, by_value: bool = False,
                  device: DeviceLike = None) -> Tuple[Result, Result]:
    """The different elements, and how many there are of each, as uint32."""
    return _unique(a, True, by_value)


@_host.placed
def unique_inverse(a: ArrayLike, *, by_value: bool = False,
                   device: DeviceLike = None) -> Tuple[Result, Result]:
    """The different elements, and for each element which of them it is, as uint32.

    >>> values, inverse = vk.unique_inverse([5, 3, 5])
    >>> values.tolist(), inverse.tolist()
    ([3, 5], [1, 0, 1])
    """
    given = source(a)
    values = unique_values(a, by_value=by_value)
    return values, searchsorted(values, given, by_value=by_value)


def flat_indices(a):
    """The flat indices of elements that are not 0."""
    given = source(a)
    if given.size == 0:
        return nothing((0,), _INDEX, given.on_device)
    with _host.recording() as record:
        view = given.view(record)
        found = Found(record, given.size, given.on_device)
        indices = found.target(_INDEX)
        info = abi.VkrCompactInfo(count=given.size, input=view, keptIndices=found.view(indices))
        found.ask(info)
        record.call('vkrCmdCompact', info)
    return found.value(indices)


@_host.placed
def nonzero(a: ArrayLike, *, device: DeviceLike = None) -> Tuple[Result, ...]:
    """The indices of the elements that are not 0: an array for each dimension.

    >>> [i.tolist() for i in vk.nonzero([0, 7, 0, 8])]
    [[1, 3]]
    """
    _no_batch('nonzero')
    given = source(a)
    flat = flat_indices(a)
    if len(given.shape) == 1:
        return (flat,)
    if numpy() is None or not given.shape:
        raise TypeError(f'the array has {len(given.shape)} dimensions, but must have one, or more '
                        'where numpy is installed')
    parts = [p.astype('u4') for p in numpy().unravel_index(numpy().asarray(flat), given.shape)]
    return tuple(asarray(p) if given.on_device else p for p in parts)


@_host.placed
def count_nonzero(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
                  device: DeviceLike = None) -> Result:
    """How many elements are not 0.

    >>> int(vk.count_nonzero([0, 7, 8]))
    2
    """
    given, kind = source(a), DTYPES['uint64']
    shape = (1,) * len(given.shape) if keepdims else ()
    if axis is None and given.size == 0:
        none = from_bytes(bytearray(8), shape, kind)
        return asarray(none) if given.on_device or _host.in_batch() else \
            shaped(bytearray(8), shape, kind)
    if axis is None:
        with _host.recording() as record:
            view = given.view(record)
            count = Target(record, shape, kind, given.on_device)
            output = abi.VkrCountOutput(kind=abi.VKR_COUNT_KEPT64, buffer=count.memory.buffer,
                                        offset=count.memory.offset)
            record.kept.append(output)
            info = abi.VkrCompactInfo(count=given.size, input=view, countOutputCount=1,
                                      countOutputs=ctypes.addressof(output))
            record.call('vkrCmdCompact', info)
        return count.value()
    if given.dtype.name in ('bool', 'uint8', 'int32', 'uint32'):
        return run(abi.VKR_OP_COUNT, given, axis, keepdims, where=given)
    flags = source(given.host() != 0)
    value = run(abi.VKR_OP_COUNT, flags, axis, keepdims, where=flags)
    return asarray(value) if given.on_device else value
