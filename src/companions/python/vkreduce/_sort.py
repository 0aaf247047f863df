# SPDX-License-Identifier: MIT
"""Scans, sorts, selections and searches."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import asarray, from_bytes, source
from ._dtypes import DTYPES, numpy, shaped, size_of, type_named
from ._axes import MOST_PARTS, moved_last, normal
from ._library import check, functions
from ._reduce import accumulator, level, mask_of, run
from ._results import Found, Target, nothing

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Axis, DTypeLike, DeviceLike, Optional, Result, Tuple

_INDEX = DTYPES['uint32']


def _one_axis(given, axis, flat):
    """The axis as a number; for None all elements as one row, where a function allows that."""
    if axis is None and flat:
        return None
    if axis is None and len(given.shape) == 1:
        return 0
    if axis is None or isinstance(axis, tuple):
        raise TypeError(f'axis is {axis}, but must be one axis of the {len(given.shape)} that the '
                        'array has')
    if not given.shape:
        raise ValueError('the array has no axis')
    return normal(axis, len(given.shape))[0]


class _Rows:
    """An array as rows along an axis, which may be another one of a copy; or with `columns` as
    `parts` blocks of columns, of `width` each, unless there are too many."""

    def __init__(self, value, axis, flat=False, columns=False):
        given = source(value)
        self.on_device = given.on_device
        self.axis = axis = _one_axis(given, axis, flat)
        self.back = None
        self.parts = self.width = 1
        if axis is not None and columns:
            self.parts = size_of(given.shape[:axis])
            self.width = size_of(given.shape[axis + 1:])
        if self.parts > MOST_PARTS or self.width <= 1 or given.size == 0:
            self.parts = self.width = 1
        if axis is not None and axis != len(given.shape) - 1 and self.width == 1:
            if _host.in_batch():
                raise ValueError(f'axis is {axis}, but must be the last one in a batch')
            self.back = axis
            given = moved_last(given, (axis,))
        self.source = given
        self.shape = (given.size,) if axis is None else given.shape
        self.length = self.shape[-1]
        self.whole = self.length == given.size and self.width == 1

    def segments(self, info):
        if self.width > 1:
            info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_COLUMNS, self.width
        elif not self.whole:
            info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_ROWS, self.length

    def result(self, target):
        """The target's value with the axis where it was."""
        return self.moved(target.value() if hasattr(target, 'value') else target)

    def moved(self, value, inner=0):
        """An array with the axis where it was; `inner` axes follow it until then."""
        if self.back is None:
            return value
        value = numpy().moveaxis(numpy().asarray(value), -1 - inner, self.back)
        return asarray(numpy().ascontiguousarray(value)) if self.on_device else value

    def empty(self, dtype, length=None):
        """A result without elements."""
        shape = self.shape[:-1] + (self.length if length is None else length,)
        value = shaped(bytearray(), shape, dtype)
        if self.back is None:
            return nothing(shape, dtype, self.on_device)
        return self.moved(value)

    def target(self, record, dtype, length=None):
        shape = self.shape if length is None else self.shape[:-1] + (length,)
        return Target(record, shape, dtype, self.on_device and self.back is None)


# ---- Scans ----

def _scan(op, a, axis, dtype, flat, include_initial, reverse, determinism, where=None):
    rows = _Rows(a, axis, flat, columns=True)
    given = rows.source
    if include_initial and (rows.back is not None or not rows.whole):
        raise ValueError('include_initial is given, but only for arrays of one dimension')
    info = abi.VkrScanInfo(op=op, nan=abi.VKR_NAN_PROPAGATE, determinism=level(determinism),
                           flags=abi.VKR_SCAN_REVERSE_BIT if reverse else 0,
                           count=given.size // rows.parts,
                           accumulator=accumulator(op, given.dtype, dtype))
    info.input.type = given.dtype.kind
    rows.segments(info)
    kind = ctypes.c_int32()
    check(functions().vkrGetScanType(_host.root().context, ctypes.byref(info), ctypes.byref(kind)))
    out = type_named(kind.value)
    extra = 1 if include_initial else 0
    if given.size + extra == 0:
        return rows.empty(out)
    with _host.recording() as record:
        # The input comes first, so that one that is too large is refused before there is a result.
        view = given.view(record) if given.size else None
        target = rows.target(record, out, rows.length + extra)
        info.output = target.view()
        if include_initial:
            # An exclusive scan, and the total behind it.
            info.flags |= abi.VKR_SCAN_EXCLUSIVE_BIT
            info.output.size -= out.itemsize
            info.output.texels = abi.VkrTexels()
            info.total = target.range()
            info.total.offset += given.size * out.itemsize
            info.total.size = out.itemsize
        if given.size:
            info.input = view
        else:
            info.output = abi.VkrView()
        if where is not None and given.size:
            flags = source(where)
            if rows.back is not None and len(flags.shape) == len(given.shape):
                flags = moved_last(flags, (rows.back,))
            info.mask = mask_of(record, flags, given)
            info.mask.flags.range.size //= rows.parts
        for part in range(rows.parts):
            for view, size in ((info.input, given.dtype.itemsize), (info.output, out.itemsize)):
                if part:
                    view.offset += info.count * size
                    view.size -= info.count * size
            if part and where is not None:
                info.mask.flags.range.offset += info.mask.flags.range.size
            record.call('vkrCmdScan', info)
    return rows.result(target)


@_host.placed
def cumulative_sum(a: ArrayLike, *, axis: Optional[int] = None, dtype: DTypeLike = None,
                   include_initial: bool = False, reverse: bool = False,
                   where: Optional[ArrayLike] = None, determinism: str = 'run',
                   device: DeviceLike = None) -> Result:
    """The sums of the elements up to each element. Those of integers have 64 bits. Elements for
    which `where`, an array of the same shape, has 0 count as 0.

    >>> vk.cumulative_sum([1, 2, 3]).tolist()
    [1, 3, 6]
    """
    return _scan(abi.VKR_OP_SUM, a, axis, dtype, False, include_initial, reverse, determinism,
                 where)


@_host.placed
def cumulative_prod(a: ArrayLike, *, axis: Optional[int] = None, dtype: DTypeLike = None,
                    include_initial: bool = False, reverse: bool = False,
                    where: Optional[ArrayLike] = None, determinism: str = 'run',
                    device: DeviceLike = None) -> Result:
    """The products of the elements up to each element. Elements for which `where`, an array of the
    same shape, has 0 count as 1."""
    return _scan(abi.VKR_OP_PRODUCT, a, axis, dtype, False, include_initial, reverse, determinism,
                 where)


@_host.placed
def cumsum(a: ArrayLike, axis: Optional[int] = None, dtype: DTypeLike = None, *,
           determinism: str = 'run', device: DeviceLike = None) -> Result:
    """As numpy's: without an axis, of all elements in order."""
    return _scan(abi.VKR_OP_SUM, a, axis, dtype, True, False, False, determinism)


# ---- Sorts ----

def _sorted(a, axis, descending, flat, indices):
    rows = _Rows(a, axis, flat)
    given = rows.source
    out = _INDEX if indices else given.dtype
    if given.size == 0:
        return rows.empty(out)
    info = abi.VkrSortInfo(flags=abi.VKR_SORT_DESCENDING_BIT if descending else 0, count=given.size)
    rows.segments(info)
    with _host.recording() as record:
        info.keys = given.view(record)
        target = rows.target(record, out)
        setattr(info, 'indices' if indices else 'sorted', target.view())
        record.call('vkrCmdSort', info)
    return rows.result(target)


@_host.placed
def sort(a: ArrayLike, *, axis: Optional[int] = -1, descending: bool = False, stable: bool = True,
         device: DeviceLike = None) -> Result:
    """The elements in order; NaN come last. Sorts are always stable.

    >>> vk.sort([3, 1, 2], descending=True).tolist()
    [3, 2, 1]
    """
    return _sorted(a, axis, descending, True, False)


@_host.placed
def argsort(a: ArrayLike, *, axis: Optional[int] = -1, descending: bool = False,
            stable: bool = True, device: DeviceLike = None) -> Result:
    """The indices that put the elements in order, as uint32.

    >>> vk.argsort([30, 10, 20]).tolist()
    [1, 2, 0]
    """
    return _sorted(a, axis, descending, True, True)


@_host.placed
def top_k(a: ArrayLike, k: int, *, axis: Optional[int] = -1, mode: str = 'largest',
          device: DeviceLike = None) -> Tuple[Result, Result]:
    """The k greatest elements in descending order, or with mode='smallest' the least ones in
    ascending order, and their indices. Of equal elements those with the least indices come first.

    >>> values, indices = vk.top_k([4, 9, 7], 2)
    >>> values.tolist(), indices.tolist()
    ([9, 7], [1, 2])
    """
    if mode not in ('largest', 'smallest'):
        raise ValueError(f"mode is {mode!r}, but must be 'largest' or 'smallest'")
    rows = _Rows(a, axis)
    given = rows.source
    if not 0 <= k <= rows.length:
        raise ValueError(f'k is {k}, but must be from 0 to {rows.length}, the length of the axis')
    if k == 0 or given.size == 0:
        return rows.empty(given.dtype, k), rows.empty(_INDEX, k)
    info = abi.VkrTopKInfo(flags=abi.VKR_TOP_K_LEAST_BIT if mode == 'smallest' else 0,
                           count=given.size, k=k)
    rows.segments(info)
    with _host.recording() as record:
        info.input = given.view(record)
        values, indices = rows.target(record, given.dtype, k), rows.target(record, _INDEX, k)
        info.values, info.indices = values.view(), indices.view()
        record.call('vkrCmdTopK', info)
    return rows.result(values), rows.result(indices)


@_host.placed
def searchsorted(a: ArrayLike, v: ArrayLike, *, side: str = 'left',
                 device: DeviceLike = None) -> Result:
    """Where values can be inserted into a sorted array, before their equals or, with side='right',
    after them.

    >>> vk.searchsorted([1, 3, 5], [3, 4]).tolist()
    [1, 2]
    """
    if side not in ('left', 'right'):
        raise ValueError(f"side is {side!r}, but must be 'left' or 'right'")
    data, values = source(a), source(v)
    if len(data.shape) != 1:
        raise ValueError(f'the sorted array has {len(data.shape)} dimensions, but must have one')
    if data.dtype is not values.dtype:
        raise TypeError(f'the values have elements of type {values.dtype}, but must have those of '
                        f'the sorted array, {data.dtype}')
    on_device = data.on_device or values.on_device
    if values.size == 0:
        return nothing(values.shape, _INDEX, on_device)
    info = abi.VkrBoundsInfo(count=data.size, valueCount=values.size)
    with _host.recording() as record:
        if data.size:
            info.sorted = data.view(record)
        else:
            info.sorted.type = data.dtype.kind
        info.values = values.view(record)
        target = Target(record, values.shape, _INDEX, on_device)
        setattr(info, 'lower' if side == 'left' else 'upper', target.view())
        record.call('vkrCmdBounds', info)
    return target.value()


# ---- Sets, and elements that pass a test ----

def _no_batch(name):
    if _host.in_batch():
        raise ValueError(f'{name} returns as many elements as the device finds, so it cannot be in '
                         'a batch')


def _unique(a, counts):
    _no_batch('unique')
    given = source(a)
    in_order = sort(asarray(a) if given.size else a, axis=None)
    if given.size == 0:
        return nothing((0,), given.dtype, given.on_device), nothing((0,), _INDEX, given.on_device)
    ordered = source(in_order)
    with _host.recording() as record:
        found = Found(record, given.size, given.on_device)
        values = found.target(given.dtype)
        info = abi.VkrCompactInfo(count=given.size, input=ordered.view(record),
                                  kept=found.view(values))
        info.predicate.kind = abi.VKR_PREDICATE_UNIQUE
        lengths = found.target(_INDEX) if counts else None
        if counts:
            info.runLengths = found.view(lengths)
        found.ask(info)
        record.call('vkrCmdCompact', info)
    return found.value(values), found.value(lengths) if counts else None


@_host.placed
def unique_values(a: ArrayLike, *, device: DeviceLike = None) -> Result:
    """The different elements, in ascending order. Elements are equal if their bits are: -0 and +0
    are two elements.

    >>> vk.unique_values([2, 1, 2]).tolist()
    [1, 2]
    """
    return _unique(a, False)[0]


@_host.placed
def unique_counts(a: ArrayLike, *, device: DeviceLike = None) -> Tuple[Result, Result]:
    """The different elements, and how many there are of each, as uint32."""
    return _unique(a, True)


@_host.placed
def unique_inverse(a: ArrayLike, *, device: DeviceLike = None) -> Tuple[Result, Result]:
    """The different elements, and for each element which of them it is, as uint32.

    >>> values, inverse = vk.unique_inverse([5, 3, 5])
    >>> values.tolist(), inverse.tolist()
    ([3, 5], [1, 0, 1])
    """
    given = source(a)
    values = unique_values(a)
    return values, searchsorted(values, given)


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
