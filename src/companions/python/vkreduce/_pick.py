# SPDX-License-Identifier: MIT
"""Elements that are picked: by their ranks or shares of a sorted array, or by indices."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import asarray, from_bytes, source
from ._dtypes import numpy, shaped
from ._library import check, functions
from ._results import Target, nothing
from ._sort import _INDEX, _one_axis, _Rows, sort

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result, Sequence, Union


@_host.placed
def quantile(a: ArrayLike, q: Union[float, ArrayLike], axis: Optional[int] = None, *,
             keepdims: bool = False, device: DeviceLike = None) -> Result:
    """The values below which the shares q, from 0 to 1, of the elements lie, by a sort: between two
    elements along the line that joins them. NaN where there is one. For several shares the result
    has an axis more, the first one.

    >>> float(vk.quantile([1.0, 2.0, 4.0, 3.0], 0.5))
    2.5
    """
    _host.refuse_batch('quantile')
    given = source(a)
    shares, single = shares_of(q)
    rows = _Rows(given, axis, flat=True)
    if rows.length == 0:
        raise ValueError('the array is empty along the axis, and has no quantiles')
    data = rows.source.array if rows.source.on_device else asarray(rows.source)
    columns = _Columns(sort(data, axis=None if axis is None else -1), rows)
    last = columns.at(rows.length - 1)
    found = []
    for share in shares:
        place = share * (rows.length - 1)
        below = int(place)
        part = place - below
        low = columns.at(below)
        found.append(_joined(low, columns.at(below + 1) if part else low, part, last))
    if numpy() is None:
        return found[0] if single else found
    np = numpy()
    shape = list(given.shape)
    for i in range(len(shape)) if axis is None else (rows.axis,):
        shape[i] = 1
    shape = shape if keepdims else rows.shape[:-1]
    value = np.asarray(found, 'f8').reshape(([] if single else [len(shares)]) + list(shape))
    if given.on_device:
        return asarray(value)
    return value if value.shape else float(value)


@_host.placed
def median(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False,
           device: DeviceLike = None) -> Result:
    """The middle element, or the mean of the two in the middle.

    >>> float(vk.median([5, 1, 2, 4]))
    3.0
    """
    return quantile(a, 0.5, axis, keepdims=keepdims)


def shares_of(q, name='q'):
    single = not hasattr(q, '__len__') or getattr(q, 'shape', None) == ()
    shares = [float(q)] if single else [float(share) for share in
                                        (q.tolist() if hasattr(q, 'tolist') else q)]
    for share in shares:
        if not 0 <= share <= 1:
            raise ValueError(f'{name} is {share}, but must be from 0 to 1')
    return shares, single


def _joined(low, high, part, last):
    """What lies between two elements, or NaN where the last one is that."""
    if numpy() is None:
        value = low if part == 0 or low == high else low + (high - low) * part
        return value if last == last else last
    np = numpy()
    with np.errstate(all='ignore'):
        value = low if part == 0 else np.where(low == high, low, low + (high - low) * part)
    return np.where(last == last, value, last)


class _Columns:
    """Columns of sorted rows on the device, as floats of the host."""

    def __init__(self, in_order, rows):
        self._array, self._rows, self._all = in_order, rows, None
        if not rows.whole:
            self._all = in_order.host() if numpy() is not None else None
            if self._all is None:
                raise TypeError('numpy is not installed, and quantiles along an axis need it')

    def at(self, i):
        if self._all is not None:
            return self._all[..., i].astype('f8')
        dtype = self._array.dtype
        one = bytearray(dtype.itemsize)
        to = (ctypes.c_char * len(one)).from_buffer(one)
        check(functions().vkrHostRead(_host.host(), ctypes.byref(self._array._memory),
                                      i * len(one), len(one), ctypes.addressof(to)))
        return float(shaped(one, (), dtype))


@_host.placed
def select(a: ArrayLike, ranks: Union[None, int, Sequence[int]] = None, *,
           quantiles: Union[None, float, Sequence[float]] = None, axis: Optional[int] = None,
           return_index: bool = False, device: DeviceLike = None) -> Result:
    """The elements that a sort would put at ranks, take(sort(a, axis), ranks, axis), without it.
    Negative ranks count from the end. A quantile q stands for rank q (n - 1) of n elements, rounded
    down, as in numpy's quantile with method='lower'. With return_index also their indices along the
    axis, as uint32: of equal elements those with the least indices come first.

    >>> vk.select([30, 10, 20], [0, -1]).tolist()
    [10, 30]
    >>> median, index = vk.select([5.0, 1.0, 2.0], quantiles=0.5, return_index=True)
    >>> float(median), int(index)
    (2.0, 2)
    """
    rows = _Rows(a, axis, flat=True)
    given, length = rows.source, rows.length
    places, single = wanted_of(ranks, quantiles, -length, length - 1,
                               f', since the axis has {length} elements')
    if length == 0 and places:
        raise ValueError('the array is empty along the axis, and has no quantiles')
    places = [int(place * (length - 1)) if ranks is None else place % length for place in places]
    shape = rows.shape[:-1] + (() if single else (len(places),))
    types = (given.dtype, _INDEX)[:2 if return_index else 1]
    if not places or given.size == 0:
        found = [nothing(shape, dtype, rows.on_device and rows.back is None) for dtype in types]
    else:
        listed = (ctypes.c_uint32 * len(places))(*places)
        info = abi.VkrSelectInfo(count=given.size, rankCount=len(places),
                                 ranks=ctypes.addressof(listed))
        rows.segments(info)
        with _host.recording() as record:
            info.input = given.view(record)
            found = [Target(record, shape, dtype, rows.on_device and rows.back is None)
                     for dtype in types]
            info.values = found[0].view()
            if return_index:
                info.indices = found[1].view()
            record.call('vkrCmdSelect', info)
        found = [target.value() for target in found]
    found = [_put_back(rows, value, single) for value in found]
    return tuple(found) if return_index else found[0]


def wanted_of(ranks, quantiles, least, most, why=''):
    """Ranks from `least` to `most`, or shares, and whether there is a single one, without an axis.
    """
    if (ranks is None) == (quantiles is None):
        raise ValueError(f'ranks and quantiles are {"not" if ranks is None else "both"} given, but '
                         'one of them must be')
    if ranks is None:
        numbers, single = shares_of(quantiles, 'quantiles')
    else:
        single = not hasattr(ranks, '__len__') or getattr(ranks, 'shape', None) == ()
        values = ranks.tolist() if hasattr(ranks, 'tolist') else ranks
        numbers = [_rank(rank, least, most, why) for rank in ([values] if single else values)]
    if len(numbers) > abi.VKR_MAX_SELECT_RANKS:
        raise ValueError(f'{"quantiles" if ranks is None else "ranks"} has {len(numbers)} numbers, '
                         f'but must have at most {abi.VKR_MAX_SELECT_RANKS}')
    return numbers, single


def _rank(rank, least, most, why):
    if isinstance(rank, bool) or not hasattr(rank, '__index__'):
        raise TypeError(f'ranks has {rank!r}, but must have whole numbers')
    if not least <= rank.__index__() <= most:
        raise ValueError(f'ranks has {rank}, but must have numbers from {least} to {most}{why}')
    return rank.__index__()


def _put_back(rows, value, single):
    """The result of rows with the axis of the ranks where that of the elements was."""
    if not single:
        return rows.moved(value)
    return asarray(value) if rows.back is not None and rows.on_device else value


@_host.placed
def take(a: ArrayLike, indices: ArrayLike, axis: Optional[int] = None, *,
         device: DeviceLike = None) -> Result:
    """The elements at indices along an axis or, without one, of all elements in order. Negative
    indices count from the end. They are picked on the host.

    >>> vk.take([10, 20, 30], [2, -3]).tolist()
    [30, 10]
    """
    _host.refuse_batch('take')
    data, places = source(a), source(indices)
    if places.size and (places.dtype.is_float or places.dtype.name == 'bool'):
        raise TypeError(f'indices are of type {places.dtype}, but must be whole numbers')
    axis = _one_axis(data, axis, True)
    length = data.size if axis is None else data.shape[axis]
    found = _taken(data, places, axis, length)
    if data.on_device or places.on_device:
        return asarray(found)
    return shaped(bytearray(found.raw()), found.shape, data.dtype)


def _taken(data, places, axis, length):
    np = numpy()
    flat = shaped(bytearray(places.raw()), (places.size,), places.dtype)
    for i in (flat if np is None else [] if not places.size else [flat.min(), flat.max()]):
        if not -length <= i < length:
            raise IndexError(f'index {i} is out of bounds for an axis of {length} elements')
    if np is not None:
        values = np.frombuffer(data.raw(), f'u{data.dtype.itemsize}').reshape(data.shape)
        flat = flat if places.size else np.zeros(0, 'i8')
        found = np.take(values, flat.reshape(places.shape), axis)
        return from_bytes(bytearray(found.tobytes()), found.shape, data.dtype)
    if axis is not None and len(data.shape) > 1:
        raise TypeError('numpy is not installed, and take along an axis needs it')
    size, raw = data.dtype.itemsize, data.raw()
    picked = b''.join(raw[i % length * size:(i % length + 1) * size] for i in flat)
    return from_bytes(bytearray(picked), places.shape, data.dtype)
