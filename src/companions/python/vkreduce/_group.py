# SPDX-License-Identifier: MIT
"""Groups and histograms."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import Array, Target, asarray, nothing, source
from ._dtypes import DTYPES, numpy, type_named
from ._library import functions
from ._reduce import _layout, accumulator, level
from ._sort import _Found

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Optional, Result, Tuple, Union

_OPS = {'sum': abi.VKR_OP_SUM, 'prod': abi.VKR_OP_PRODUCT, 'min': abi.VKR_OP_MIN,
        'max': abi.VKR_OP_MAX, 'mean': abi.VKR_OP_MEAN, 'var': abi.VKR_OP_VARIANCE,
        'std': abi.VKR_OP_STDDEV}


class group_by:
    """Groups of elements with equal keys, which need not lie together.

    >>> shop = vk.group_by([2, 1, 2])
    >>> keys, sums, counts = shop.agg(sum=[10, 20, 30], count=True)
    >>> keys.tolist(), sums.tolist(), counts.tolist()
    ([1, 2], [20, 40], [1, 2])
    """

    def __init__(self, keys: ArrayLike) -> None:
        self._keys = source(keys)
        if len(self._keys.shape) != 1:
            raise ValueError(f'the keys have {len(self._keys.shape)} dimensions, but must have one')

    def agg(self, *, determinism: str = 'run', **wanted: ArrayLike) -> Tuple[Result, ...]:
        """The keys in ascending order and, for each argument, a result for each key: sum, prod,
        min, max, mean, var or std of an array, or count=True."""
        if _host.in_batch():
            raise ValueError('agg returns as many elements as there are groups, so it cannot be in a '
                             'batch')
        for name in wanted:
            if name not in _OPS and name != 'count':
                raise ValueError(f'{name} is given, but must be one of {", ".join(_OPS)}, count')
        columns = {name: source(values) for name, values in wanted.items() if name != 'count'}
        for name, column in columns.items():
            if column.shape != self._keys.shape:
                raise ValueError(f'{name} has the shape {column.shape}, but must have that of the keys, '
                                 f'{self._keys.shape}')
        determinism = level(determinism)
        self._on_device = self._keys.on_device or any(c.on_device for c in columns.values())
        if self._keys.size == 0:
            return self._none(columns, wanted)
        keys, moved = self._sorted(columns)
        return self._reduced(keys, moved, wanted, determinism)

    def _none(self, columns, wanted):
        """Results without groups."""
        kinds = [self._keys.dtype]
        for name in wanted:
            column = columns.get(name, self._keys)
            info = abi.VkrReduceInfo(ops=_OPS.get(name, abi.VKR_OP_COUNT))
            info.accumulator = accumulator(info.ops, column.dtype, None)
            info.input.type = column.dtype.kind
            kinds.append(DTYPES['uint32'] if name == 'count' else
                         type_named(_layout(info).results[info.ops.bit_length() - 1].type))
        return tuple(nothing((0,), kind, self._on_device) for kind in kinds)

    def _sorted(self, columns):
        """The keys in order on the device, and the columns in the same order."""
        given, moved = self._keys, {}
        keys = Array(given.shape, given.dtype)
        with _host.recording() as record:
            info = abi.VkrSortInfo(count=given.size, keys=given.view(record),
                                   sorted=functions().view(keys._memory, given.dtype.kind))
            distinct = {id(c.keep if hasattr(c, 'keep') else c.array): c for c in columns.values()}
            if len(distinct) > abi.VKR_MAX_SORT_PAYLOADS:
                raise ValueError(f'{len(distinct)} arrays are given, but must be at most '
                                 f'{abi.VKR_MAX_SORT_PAYLOADS}')
            payloads = (abi.VkrPayload * max(len(distinct), 1))()
            for payload, (key, column) in zip(payloads, distinct.items()):
                moved[key] = Array(column.shape, column.dtype)
                payload.size = column.dtype.itemsize
                for side, memory in (('source', column.memory(record)), ('target', moved[key]._memory)):
                    setattr(payload, side, abi.VkrBufferRange(memory.buffer, memory.offset,
                                                              column.nbytes))
            info.payloadCount, info.payloads = len(distinct), ctypes.addressof(payloads)
            record.kept.append(payloads)
            record.call('vkrCmdSort', info)
        return keys, {name: moved[id(c.keep if hasattr(c, 'keep') else c.array)]
                      for name, c in columns.items()}

    def _reduced(self, keys, moved, wanted, determinism):
        size, outputs = self._keys.size, {}
        with _host.recording() as record:
            found = _Found(record, size, self._on_device)
            unique = found.target(keys.dtype)
            lengths = found.target(DTYPES['uint32']) if 'count' in wanted else None
            for name in moved or {'count': keys}:
                column = moved.get(name, keys)
                info = abi.VkrReduceInfo(count=size, ops=_OPS.get(name, abi.VKR_OP_COUNT),
                                         determinism=determinism, nan=abi.VKR_NAN_PROPAGATE)
                info.accumulator = accumulator(info.ops, column.dtype, None)
                info.input = functions().view(column._memory, column.dtype.kind)
                info.segments.kind = abi.VKR_SEGMENTS_KEYS
                info.segments.keys = functions().view(keys._memory, keys.dtype.kind)
                first = not outputs
                if first:
                    info.segments.runs.uniqueKeys = found.view(unique)
                    if lengths:
                        info.segments.runs.lengths = found.view(lengths)
                    info.segments.runs.countOutputCount = 1
                    info.segments.runs.countOutputs = ctypes.addressof(found.output)
                kind = _layout(info).results[info.ops.bit_length() - 1].type
                outputs[name] = target = found.target(type_named(kind))
                memory = target[2]
                info.output = abi.VkrBufferRange(memory.buffer, memory.offset, memory.size)
                record.call('vkrCmdReduce', info)
            record.kept.append(found)
        results = [found.value(unique)]
        for name in wanted:
            results.append(found.value(lengths if name == 'count' else outputs[name]))
        return tuple(results)


# ---- Histograms ----

def histogram(a: ArrayLike, bins: Union[int, ArrayLike] = 10,
              range: Optional[Tuple[float, float]] = None) -> Tuple[Result, Result]:
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
            low, high = range
            if not low <= high:
                raise ValueError(f'range is {range}, but its first number must not be the greater one')
            low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
            info.bins.low.value, info.bins.high.value = low, high
        counts = Target(record, (bins,), DTYPES['uint64'], given.on_device)
        edges = Target(record, (bins + 1,), edge, given.on_device)
        info.counts, info.edges = counts.range(), edges.range()
        record.call('vkrCmdHistogram', info)
    return counts.value(), edges.value()


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
