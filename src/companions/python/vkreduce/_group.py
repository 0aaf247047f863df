# SPDX-License-Identifier: MIT
"""Groups and histograms."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import asarray, source
from ._dtypes import DTYPES, numpy
from ._keys import Request, check_column, check_keys, grouped
from ._reduce import accumulator, level
from ._results import Target

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result, Tuple, Union

_OPS = {'sum': abi.VKR_OP_SUM, 'prod': abi.VKR_OP_PRODUCT, 'min': abi.VKR_OP_MIN,
        'max': abi.VKR_OP_MAX, 'mean': abi.VKR_OP_MEAN, 'var': abi.VKR_OP_VARIANCE,
        'std': abi.VKR_OP_STDDEV}


class group_by:
    """Groups of elements with equal keys, which need not lie together. Keys with different bits are
    different, but with by_value=True -0 equals +0, and all NaN are equal.

    >>> shop = vk.group_by([2, 1, 2])
    >>> keys, sums, counts = shop.agg(sum=[10, 20, 30], count=True)
    >>> keys.tolist(), sums.tolist(), counts.tolist()
    ([1, 2], [20, 40], [1, 2])
    """

    def __init__(self, keys: ArrayLike, *, by_value: bool = False,
                 device: DeviceLike = None) -> None:
        self._root = _host.chosen(device, (keys,))
        self._keys = source(keys)
        self._by_value = by_value
        check_keys(self._keys)

    def agg(self, *, determinism: str = 'run', **wanted: ArrayLike) -> Tuple[Result, ...]:
        """The keys in ascending order and, for each argument, a result for each key: sum, prod,
        min, max, mean, var or std of an array, or count=True."""
        for name in wanted:
            if name not in _OPS and name != 'count':
                raise ValueError(f'{name} is given, but must be one of {", ".join(_OPS)}, count')
        with _host.at(_host.chosen(self._root, wanted.values())):
            requests = {}
            for name, values in wanted.items():
                if name != 'count':
                    column = source(values)
                    check_column(name, column, self._keys)
                    requests[name] = Request(_OPS[name], column,
                                             accumulator(_OPS[name], column.dtype, None),
                                             determinism=level(determinism))
            keys, counts, *values = grouped(self._keys, list(requests.values()),
                                            'count' in wanted, self._by_value)
        found = dict(zip(requests, values), count=counts)
        return (keys, *(found[name] for name in wanted))


# ---- Histograms ----

@_host.placed
def histogram(a: ArrayLike, bins: Union[int, ArrayLike] = 10,
              range: Optional[Tuple[float, float]] = None, *,
              device: DeviceLike = None) -> Tuple[Result, Result]:
    """Counts of elements between edges, and the edges: `bins` is how many bins of equal width there
    are between the two numbers of `range`, which is by default that of the elements, or the edges
    themselves. The last bin holds its upper edge. Edges are exact numbers, rounded once.

    >>> counts, edges = vk.histogram([1.0, 2.0, 2.5], bins=2, range=(1, 3))
    >>> counts.tolist(), edges.tolist()
    ([1, 2], [1.0, 2.0, 3.0])
    """
    given = source(a)
    info = abi.VkrHistogramInfo(count=given.size, flags=abi.VKR_HISTOGRAM_CLOSED_BIT,
                                countType=abi.VKR_TYPE_U64)
    if not isinstance(bins, int):
        return _between(given, bins, info)
    edge = DTYPES['float64' if given.dtype.itemsize == 8 else 'float32']
    if range is None and given.size == 0:
        range = (0, 1)
    info.bins.kind, info.bins.count = abi.VKR_BINS_EVEN, bins
    with _host.recording() as record:
        info.input = _input(given, record)
        if range is None:
            ends = (ctypes.c_char * 16)()
            memory = record.attach(ctypes.addressof(ends), 16, abi.VKR_HOST_WRITE, ends)
            ask = abi.VkrReduceInfo(ops=abi.VKR_OP_MIN | abi.VKR_OP_MAX, count=given.size,
                                    input=info.input, nan=abi.VKR_NAN_PROPAGATE,
                                    output=abi.VkrBufferRange(memory.buffer, memory.offset, 16))
            record.call('vkrCmdReduce', ask)
            info.bins.gpuRange = abi.VkrGpuRange(memory.buffer, memory.offset,
                                                 memory.offset + given.dtype.itemsize)
        else:
            set_range(info.bins, range, given.dtype)
        counts = Target(record, (bins,), DTYPES['uint64'], given.on_device)
        edges = Target(record, (bins + 1,), edge, given.on_device)
        info.counts, info.edges = counts.range(), edges.range()
        record.call('vkrCmdHistogram', info)
    return counts.value(), edges.value()


def set_range(bins, range, dtype):
    """The two numbers, apart from each other; for whole elements exactly."""
    low, high = range
    if not low <= high:
        raise ValueError(f'range is {range}, but its first number must not be the greater one')
    for bound, value in zip((bins.low, bins.high),
                            (low - 0.5, high + 0.5) if low == high else (low, high)):
        if isinstance(value, int) and not dtype.is_float:
            bound.value, bound.integer = value >> 32 << 32, value & 0xffffffff
        else:
            bound.value = value


def _input(given, record):
    if given.size:
        return given.view(record)
    return abi.VkrView(type=given.dtype.kind)


def _edges(given, bins):
    """Edges in the type of the elements, in which whole numbers must not change."""
    if numpy() is None:
        return source(bins)
    kind, bins = given.dtype.typestr, numpy().asarray(bins)
    with numpy().errstate(all='ignore'):
        edges = bins.astype(kind)
    if not given.dtype.is_float and not numpy().array_equal(edges, bins):
        raise ValueError(f'bins has edges that are no numbers of type {given.dtype}, that of the '
                         'elements; convert the array to another type')
    return source(edges)


def _between(given, bins, info):
    edges = _edges(given, bins)
    if len(edges.shape) != 1 or edges.size < 2:
        raise ValueError('bins has fewer than two edges, or more than one dimension')
    if given.dtype.name == 'float16':
        raise TypeError('edges of float16 are not supported; convert the array to float32')
    with _host.recording() as record:
        info.input = _input(given, record)
        memory = edges.memory(record)
        info.bins.kind, info.bins.count = abi.VKR_BINS_EDGES, edges.size - 1
        info.bins.edges = abi.VkrBufferRange(memory.buffer, memory.offset, edges.nbytes)
        counts = Target(record, (edges.size - 1,), DTYPES['uint64'], given.on_device)
        info.counts = counts.range()
        record.call('vkrCmdHistogram', info)
    if given.on_device or _host.in_batch():
        return counts.value(), asarray(bins)
    return counts.value(), bins if numpy() is None else numpy().asarray(bins)
