# SPDX-License-Identifier: MIT
"""Segments of an array that offsets cut."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import asarray, source
from ._dtypes import DTYPES, numpy, shaped, size_of
from ._expand import numbers_of, range_of
from ._pick import wanted_of
from ._results import Target

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result, Sequence, Tuple, Union

_INDEX = DTYPES['uint32']
_ABSENT = 0xff  # bytes of indices of entries that a segment does not have


@_host.placed
def segment_top_k(a: ArrayLike, offsets: ArrayLike, k: int, *, wanted: Optional[ArrayLike] = None,
                  mode: str = 'largest', by_value: bool = False,
                  device: DeviceLike = None) -> Tuple[Result, Result, Result]:
    """What top_k finds in each segment of an array of one dimension, where segment i is
    a[offsets[i]:offsets[i + 1]]: the values and their indices in the segment, a row of k for each
    segment, and how many of these there are, which is less than k where the segment is shorter or
    `wanted` has a smaller number for it. The others are 0, with the index 4294967295. Offsets, the
    numbers wanted, and all results but the values are uint32.

    >>> values, indices, found = vk.segment_top_k([4, 9, 7, 1, 8], [0, 3, 4, 4, 5], 2)
    >>> values.tolist(), found.tolist()
    ([[9, 7], [1, 0], [0, 0], [8, 0]], [2, 1, 0, 1])
    """
    if mode not in ('largest', 'smallest'):
        raise ValueError(f"mode is {mode!r}, but must be 'largest' or 'smallest'")
    if isinstance(k, bool) or not hasattr(k, '__index__'):
        raise TypeError(f'k is {k!r}, but must be a whole number')
    if not 0 <= k.__index__() <= abi.VKR_MAX_TOP_K:
        raise ValueError(f'k is {k}, but must be from 0 to {abi.VKR_MAX_TOP_K}')
    given, ends, limits = _flat(a), _offsets(source(offsets)), None
    segments, k = ends.size - 1, k.__index__()
    if wanted is not None:
        limits = numbers_of(source(wanted), 'wanted')
        if limits.size != segments:
            raise ValueError(f'wanted has {limits.size} numbers, but must have one for each of the '
                             f'{segments} segments')
    on_device = any(x.on_device for x in (given, ends, limits) if x is not None)
    shapes = ((segments, k), given.dtype, 0), ((segments, k), _INDEX, _ABSENT), \
        ((segments,), _INDEX, 0)
    if given.size == 0 or segments == 0 or k == 0:
        return tuple(_filled(*shape, on_device) for shape in shapes)
    info = abi.VkrTopKInfo(flags=(abi.VKR_TOP_K_LEAST_BIT if mode == 'smallest' else 0) |
                           (abi.VKR_TOP_K_BY_VALUE_BIT if by_value else 0), count=given.size, k=k)
    info.segments.kind = abi.VKR_SEGMENTS_OFFSETS
    with _host.recording() as record:
        info.input = given.view(record)
        info.segments.offsets = range_of(ends.memory(record))
        if limits is not None:
            info.wanted = range_of(limits.memory(record))
        values, indices, found = (Target(record, shape, dtype, on_device, filled)
                                  for shape, dtype, filled in shapes)
        info.values, info.indices, info.found = values.view(), indices.view(), found.range()
        record.call('vkrCmdTopK', info)
    return values.value(), indices.value(), found.value()


@_host.placed
def segment_select(a: ArrayLike, offsets: ArrayLike,
                   ranks: Union[None, int, Sequence[int]] = None, *,
                   quantiles: Union[None, float, Sequence[float]] = None,
                   device: DeviceLike = None) -> Tuple[Result, Result]:
    """What select finds in each segment of an array of one dimension, where segment i is
    a[offsets[i]:offsets[i + 1]]: the values and their indices in the segment, as uint32, a row for
    each segment. Ranks are at least 0. Where a segment does not have a rank, or is empty, the value
    is 0 and the index 4294967295.

    >>> values, indices = vk.segment_select([4, 9, 7, 1, 8], [0, 3, 4, 4, 5], quantiles=0.5)
    >>> values.tolist(), indices.tolist()
    ([7, 1, 0, 8], [2, 0, 4294967295, 0])
    """
    given, ends = _flat(a), _offsets(source(offsets))
    numbers, single = wanted_of(ranks, quantiles, 0, 2 ** 32 - 1)
    on_device = given.on_device or ends.on_device
    shape = (ends.size - 1,) + (() if single else (len(numbers),))
    shapes = (shape, given.dtype, 0), (shape, _INDEX, _ABSENT)
    if given.size == 0 or ends.size == 1 or not numbers:
        return tuple(_filled(*entry, on_device) for entry in shapes)
    listed = ((ctypes.c_double if ranks is None else ctypes.c_uint32) * len(numbers))(*numbers)
    info = abi.VkrSelectInfo(count=given.size, rankCount=len(numbers))
    setattr(info, 'shares' if ranks is None else 'ranks', ctypes.addressof(listed))
    info.segments.kind = abi.VKR_SEGMENTS_OFFSETS
    with _host.recording() as record:
        info.input = given.view(record)
        info.segments.offsets = range_of(ends.memory(record))
        values, indices = (Target(record, shape, dtype, on_device, filled)
                           for shape, dtype, filled in shapes)
        info.values, info.indices = values.view(), indices.view()
        record.call('vkrCmdSelect', info)
    return values.value(), indices.value()


def _flat(a):
    given = source(a)
    if len(given.shape) != 1:
        raise ValueError(f'the array has {len(given.shape)} dimensions, but must have one')
    return given


def _offsets(given):
    """Offsets of segments as uint32, which ascend; those on the device are taken as they are."""
    ends = numbers_of(given, 'offsets')
    if ends.size == 0:
        raise ValueError('offsets is empty, but must have one number more than there are segments')
    if ends.on_device:
        return ends
    values = shaped(bytearray(ends.raw()), ends.shape, _INDEX)
    falls = any(x > y for x, y in zip(values, values[1:])) if numpy() is None else \
        numpy().any(values[1:] < values[:-1])
    if falls:
        raise ValueError('offsets has a number below the one before, but its numbers must ascend')
    return ends


def _filled(shape, dtype, byte, on_device):
    """A result of which no entry was found."""
    value = shaped(bytearray([byte]) * (size_of(shape) * dtype.itemsize), shape, dtype)
    return asarray(value) if on_device or _host.in_batch() else value
