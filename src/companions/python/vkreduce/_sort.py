# SPDX-License-Identifier: MIT
"""Scans, sorts, selections and searches."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import Array, asarray, source
from ._dtypes import DTYPES, numpy, shaped, size_of, type_named
from ._axes import MOST_PARTS, moved_last, normal
from ._library import check, functions
from ._reduce import accumulator, level, mask_of
from ._results import Target, nothing

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DTypeLike, DeviceLike, Optional, Result, Sequence, Tuple, Union

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
        self.length = self.shape[axis if self.width > 1 else -1]
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

    def shape_of(self, length):
        """That of a result with another length of the axis; None: the same."""
        along = self.axis if self.width > 1 else len(self.shape) - 1
        length = self.length if length is None else length
        return self.shape[:along] + (length,) + self.shape[along + 1:]

    def empty(self, dtype, length=None):
        """A result without elements."""
        shape = self.shape_of(length)
        value = shaped(bytearray(), shape, dtype)
        if self.back is None:
            return nothing(shape, dtype, self.on_device)
        return self.moved(value)

    def target(self, record, dtype, length=None):
        shape = self.shape_of(length)
        return Target(record, shape, dtype, self.on_device and self.back is None)

    def call(self, record, name, info, *views):
        """Records a call for each part; views of all parts, and ranges, move on by its share."""
        shares = [(view, view.size // self.parts) for view in views]
        for part in range(self.parts):
            for view, share in shares if self.parts > 1 else ():
                view.offset += share if part else 0
                view.size = share
            record.call(name, info)


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
        rows.call(record, 'vkrCmdScan', info, info.input, info.output, info.mask.flags.range)
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

def _flags(descending, by_value):
    return (abi.VKR_SORT_DESCENDING_BIT if descending else 0) | \
        (abi.VKR_SORT_BY_VALUE_BIT if by_value else 0)


def _sorted(a, axis, descending, by_value, indices):
    rows = _Rows(a, axis, True, columns=True)
    given = rows.source
    out = _INDEX if indices else given.dtype
    if given.size == 0:
        return rows.empty(out)
    info = abi.VkrSortInfo(flags=_flags(descending, by_value), count=given.size // rows.parts)
    rows.segments(info)
    with _host.recording() as record:
        info.keys = given.view(record)
        target = rows.target(record, out)
        setattr(info, 'indices' if indices else 'sorted', target.view())
        rows.call(record, 'vkrCmdSort', info, info.keys, info.indices if indices else info.sorted)
    return rows.result(target)


@_host.placed
def sort(a: ArrayLike, *, axis: Optional[int] = -1, descending: bool = False, stable: bool = True,
         by_value: bool = False, device: DeviceLike = None) -> Result:
    """The elements in order; NaN come last. Sorts are always stable. -0 comes before +0, and the
    bits decide among NaN; by value, -0 equals +0, and all NaN are equal.

    >>> vk.sort([3, 1, 2], descending=True).tolist()
    [3, 2, 1]
    """
    return _sorted(a, axis, descending, by_value, False)


@_host.placed
def argsort(a: ArrayLike, *, axis: Optional[int] = -1, descending: bool = False,
            stable: bool = True, by_value: bool = False, device: DeviceLike = None) -> Result:
    """The indices that put the elements in the order of sort, as uint32.

    >>> vk.argsort([30, 10, 20]).tolist()
    [1, 2, 0]
    >>> vk.argsort([0.0, -0.0]).tolist(), vk.argsort([0.0, -0.0], by_value=True).tolist()
    ([1, 0], [0, 1])
    """
    return _sorted(a, axis, descending, by_value, True)


def lexsort(keys: Union[ArrayLike, Sequence[ArrayLike]], *, axis: int = -1,
            device: DeviceLike = None) -> Result:
    """The indices that put elements in the order of up to four keys, of which the last one counts
    most, as numpy's; as uint32. Keys are arrays of one shape; each may have a type of its own. They
    are compared by value: -0 equals +0, and NaN, which are equal, come last.

    >>> names, years = [2, 1, 2, 1], [1990.0, 1980.0, 1970.0, 1980.0]
    >>> vk.lexsort((years, names)).tolist()
    [1, 3, 2, 0]
    """
    return _lexsorted(*_keys_of(keys), axis=axis, device=device)


def _keys_of(keys):
    """The keys of a sort, which may be the rows of an array, each as an array."""
    if isinstance(keys, Array) and keys.ndim:
        with _host.at(keys._root):
            keys = [asarray(key) for key in source(keys).host()]
    if not hasattr(keys, '__len__') or getattr(keys, 'shape', None) == ():
        raise TypeError('keys must be a sequence of arrays')
    if not 1 <= len(keys) <= abi.VKR_MAX_SORT_THEN + 1:
        raise ValueError(f'keys has {len(keys)} arrays, but must have 1 to '
                         f'{abi.VKR_MAX_SORT_THEN + 1}')
    return keys


@_host.placed
def _lexsorted(*keys, axis):
    rows = [_Rows(key, axis, columns=True) for key in keys]
    first = rows[-1]
    for i, row in enumerate(rows):
        if row.shape != first.shape:
            raise ValueError(f'keys[{i}] has another shape than the last key, but all must have '
                             'the same')
        first.on_device = first.on_device or row.on_device
    if first.source.size == 0:
        return first.empty(_INDEX)
    info = abi.VkrSortInfo(flags=abi.VKR_SORT_BY_VALUE_BIT,
                           count=first.source.size // first.parts, thenCount=len(rows) - 1)
    first.segments(info)
    then = (abi.VkrSortKey * len(rows))()
    info.then = ctypes.addressof(then)
    with _host.recording() as record:
        record.kept.append(then)
        info.keys = first.source.view(record)
        for key, row in zip(then, reversed(rows[:-1])):
            key.flags, key.keys = abi.VKR_SORT_BY_VALUE_BIT, row.source.view(record)
        target = first.target(record, _INDEX)
        info.indices = target.view()
        first.call(record, 'vkrCmdSort', info, info.keys, info.indices,
                   *(key.keys for key in then[:info.thenCount]))
    return first.result(target)


@_host.placed
def top_k(a: ArrayLike, k: int, *, axis: Optional[int] = -1, mode: str = 'largest',
          by_value: bool = False, device: DeviceLike = None) -> Tuple[Result, Result]:
    """The k greatest elements in descending order, or with mode='smallest' the least ones in
    ascending order, and their indices. Of equal elements, which by_value says as in sort, those
    with the least indices come first.

    >>> values, indices = vk.top_k([4, 9, 7], 2)
    >>> values.tolist(), indices.tolist()
    ([9, 7], [1, 2])
    """
    if mode not in ('largest', 'smallest'):
        raise ValueError(f"mode is {mode!r}, but must be 'largest' or 'smallest'")
    rows = _Rows(a, axis, columns=True)
    given = rows.source
    if not 0 <= k <= rows.length:
        raise ValueError(f'k is {k}, but must be from 0 to {rows.length}, the length of the axis')
    if k == 0 or given.size == 0:
        return rows.empty(given.dtype, k), rows.empty(_INDEX, k)
    info = abi.VkrTopKInfo(flags=(abi.VKR_TOP_K_LEAST_BIT if mode == 'smallest' else 0) |
                           (abi.VKR_TOP_K_BY_VALUE_BIT if by_value else 0),
                           count=given.size // rows.parts, k=k)
    rows.segments(info)
    with _host.recording() as record:
        info.input = given.view(record)
        values, indices = rows.target(record, given.dtype, k), rows.target(record, _INDEX, k)
        info.values, info.indices = values.view(), indices.view()
        rows.call(record, 'vkrCmdTopK', info, info.input, info.values, info.indices)
    return rows.result(values), rows.result(indices)


@_host.placed
def searchsorted(a: ArrayLike, v: ArrayLike, *, side: str = 'left', by_value: bool = True,
                 device: DeviceLike = None) -> Result:
    """Where values can be inserted into a sorted array, before their equals or, with side='right',
    after them. By value, -0 equals +0, so that arrays that any sort has put in order can be
    searched; with by_value=False, -0 comes before +0, and the array is in the order of sort.

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
    info = abi.VkrBoundsInfo(flags=abi.VKR_BOUNDS_BY_VALUE_BIT if by_value else 0, count=data.size,
                             valueCount=values.size)
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
