# SPDX-License-Identifier: MIT
"""Two arrays that are in order as one."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import source
from ._dtypes import DTYPES, size_of
from ._expand import entry_of, range_of
from ._results import Target, nothing

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result, Tuple

_INDEX = DTYPES['uint32']
_MOST = 1 << 32  # more than there can be elements


def merge(a: ArrayLike, b: ArrayLike, payloads: Optional[Tuple[ArrayLike, ArrayLike]] = None, *,
          indices: bool = False, descending: bool = False, by_value: bool = False,
          device: DeviceLike = None) -> Result:
    """The elements of two arrays of one dimension, each of which is in the order of sort, in that
    order: sort(concat(a, b)), where of equal elements those of a come first. Arrays that numpy has
    sorted are in that order by value, so by_value=True merges them. With payloads, an
    array for each of the two that has an entry of at most 64 bytes for each element, also the
    entries in that order; with indices=True also the indices of the elements in concat(a, b), as
    uint32.

    >>> vk.merge([1, 3, 5], [2, 3]).tolist()
    [1, 2, 3, 3, 5]
    >>> [r.tolist() for r in vk.merge([4, 1], [3], ([0.5, 1.5], [2.5]), indices=True,
    ...                               descending=True)]
    [[4, 3, 1], [0.5, 2.5, 1.5], [0, 2, 1]]
    """
    if payloads is not None and (not isinstance(payloads, (tuple, list)) or len(payloads) != 2):
        raise TypeError('payloads must be an array for a and one for b')
    return _merged(a, b, *(payloads or ()), indices=indices,
                   flags=(abi.VKR_MERGE_DESCENDING_BIT if descending else 0) |
                   (abi.VKR_MERGE_BY_VALUE_BIT if by_value else 0), device=device)


@_host.placed
def _merged(a, b, *payloads, indices, flags):
    given = source(a), source(b)
    loads = _loads(payloads, given) if payloads else None
    for name, side in zip('ab', given):
        if len(side.shape) != 1:
            raise ValueError(f'{name} has {len(side.shape)} dimensions, but must have one')
    if given[0].dtype is not given[1].dtype:
        raise TypeError(f'b has elements of type {given[1].dtype}, but must have those of a, '
                        f'{given[0].dtype}')
    count = given[0].size + given[1].size
    if count >= _MOST:
        raise ValueError(f'a and b have {count} elements, but must have fewer than {_MOST}')
    on_device = any(side.on_device for side in (*given, *(loads or ())))
    wanted = [(given[0].dtype, ())] + ([(loads[0].dtype, loads[0].shape[1:])] if loads else []) + \
        ([(_INDEX, ())] if indices else [])
    if count == 0:
        found = [nothing((0, *entry), dtype, on_device) for dtype, entry in wanted]
        return tuple(found) if len(found) > 1 else found[0]
    info = abi.VkrMergeInfo(flags=flags)
    with _host.recording() as record:
        for side, to in zip(given, (info.a, info.b)):
            to.count = side.size
            if side.size:
                to.keys = side.view(record)
            else:
                to.keys.type = side.dtype.kind
        found = [Target(record, (count, *entry), dtype, on_device) for dtype, entry in wanted]
        info.merged = found[0].view()
        if loads:
            moved = abi.VkrMergePayload(
                size=size_of(loads[0].shape[1:]) * loads[0].dtype.itemsize,
                target=found[1].range(),
                **{name: range_of(load.memory(record)) for name, load in zip('ab', loads)
                   if load.size})
            record.kept.append(moved)
            info.payloadCount, info.payloads = 1, ctypes.addressof(moved)
        if indices:
            info.indices = found[-1].view()
        record.call('vkrCmdMerge', info)
    values = [target.value() for target in found]
    return tuple(values) if len(values) > 1 else values[0]


def _loads(payloads, given):
    """The payloads of both arrays, whose entries are alike."""
    loads = [source(load) for load in payloads]
    shapes = [entry_of(load, side.size, f'the payload of {name}', 'elements')
              for load, side, name in zip(loads, given, 'ab')]
    if shapes[0] != shapes[1] or loads[0].dtype is not loads[1].dtype:
        raise ValueError(f'the payload of b has entries of type {loads[1].dtype} and shape '
                         f'{shapes[1]}, but must have those of a, {loads[0].dtype} and '
                         f'{shapes[0]}')
    return loads
