# SPDX-License-Identifier: MIT
"""Calls on arrays that are spread over the ranks of an MPI."""
from __future__ import annotations

import contextlib
import ctypes
import struct
import sys

from . import _group, _host, _sets, abi
from ._arrays import Array, asarray, converted, source
from ._dtypes import DTYPES, numpy, shaped, type_named
from ._kept import room
from ._library import check, functions, ranks, version_of_mpi
from ._reduce import accumulator, level
from ._reductions import as_bits, sample
from ._results import nothing

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import Any, ArrayLike, DeviceLike, DTypeLike, Optional, Result, Tuple

_LEAST_IMPORT = 64 << 10  # bytes; fewer are copied


def _module_of(comm):
    """The module of mpi4py that a communicator comes from, without an import of it."""
    for kind in type(comm).__mro__:
        module = sys.modules.get(kind.__module__)
        if hasattr(module, '_addressof') and hasattr(module, '_sizeof'):
            return module
    raise TypeError(f'comm is of type {type(comm).__name__}, but must be a communicator of mpi4py')


def _communicator(comm):
    """Its handle, in a word, as the library takes it."""
    module = _module_of(comm)
    size, word = module._sizeof(comm), ctypes.c_uint64()
    if size > ctypes.sizeof(word):
        raise TypeError(f'comm has a handle of {size} bytes, but must have one of at most 8')
    ours, theirs = version_of_mpi(), module.Get_library_version().rstrip('\0')
    if ours is not None and ours.rstrip('\0') != theirs:
        raise TypeError(f'comm is of "{theirs.strip()}", but libvkreduce-mpi of "{ours.strip()}"; '
                        'both must use the same MPI')
    ctypes.memmove(ctypes.byref(word), module._addressof(comm), size)
    return ctypes.c_void_p.from_buffer(word)


class mpi:
    """Calls over the ranks of a communicator of mpi4py. Each rank gives its part of the whole, in
    the order of the ranks; a part may be empty. All ranks make the same calls, and get the results
    of one device that has the whole. A call that fails on one rank raises on all of them.

        from mpi4py import MPI
        ranks = vk.mpi(MPI.COMM_WORLD)
        ranks.sum(part)             # the sum of the whole, on every rank
        ranks.cumulative_sum(part)  # this rank's part of all prefix sums

    Also to make one and to close it is for all ranks together; a `with` block closes it.
    """

    def __init__(self, comm: Any, *, device: DeviceLike = None) -> None:
        self._mpi = None
        word = _communicator(comm)
        self._root = _host.root() if device is None else _host.root_of(device)
        self._host = _host.create(shared=self._root.handle)
        info = abi.VkrMpiInfo(communicator=word, host=self._host)
        info.message = ctypes.cast(_host.on_message, ctypes.c_void_p)
        handle = ctypes.c_void_p()
        check(ranks().vkrCreateMpi(ctypes.byref(info), ctypes.byref(handle)))
        self._mpi = handle

    def close(self) -> None:
        """Frees what it has, by all ranks together."""
        if self._mpi is not None:
            ranks().vkrDestroyMpi(self._mpi)
            functions().vkrDestroyHost(self._host)
            self._mpi = None

    def __enter__(self) -> mpi:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __getattr__(self, name):
        there = ', '.join(n for n in vars(mpi) if not n.startswith('_') and n != 'close')
        raise AttributeError(f'{name} is not there over ranks, which have {there}')

    # ---- How ranks call ----

    @contextlib.contextmanager
    def _alone(self, *arguments):
        """What a rank does by itself. Where that fails on one rank, all raise an error."""
        if self._mpi is None:
            raise ValueError('it is closed')
        try:
            _host.refuse_batch('a call over ranks')
            with _host.at(_host.chosen(self._root, arguments)):
                yield
        except BaseException:
            ranks().vkrMpiAgree(self._mpi, abi.VKR_ERROR_INVALID_ARGUMENT)
            raise
        check(ranks().vkrMpiAgree(self._mpi, abi.VKR_SUCCESS))

    def _call(self, name, info):
        check(getattr(ranks(), name)(self._mpi, ctypes.byref(info)))

    def _offset(self, number):
        """The sum of the numbers of the ranks before, and of all."""
        before, total = ctypes.c_uint64(), ctypes.c_uint64()
        check(ranks().vkrMpiCompactOffsets(self._mpi, number, ctypes.byref(before),
                                           ctypes.byref(total)))
        return before.value, total.value

    @contextlib.contextmanager
    def _view(self, given):
        """A part in memory that the device reads: where it lies, or in a copy."""
        memory, found, handle = abi.VkrHostMemory(), given.array, _host.host(self._root)
        with _host.at(self._root):
            imported = found is None and given.nbytes >= _LEAST_IMPORT and \
                functions().vkrHostImport(handle, given.address, given.nbytes,
                                          ctypes.byref(memory)) == abi.VKR_SUCCESS
            if not imported and given.size:
                found = asarray(given) if found is None else found
                found._await()
                memory = found._memory
        try:
            yield functions().view(memory, given.dtype.kind)
        finally:
            if imported:
                functions().vkrHostFree(handle, ctypes.byref(memory))

    def _result(self, data, dtype, given, shape=()):
        with _host.at(self._root):
            value = shaped(data, shape, dtype)
            return asarray(value) if given.on_device else value

    def _reduced(self, ops, a, dtype=None, *, nan=abi.VKR_NAN_PROPAGATE, flags=0,
                 determinism='run', least=0):
        """Results of the whole, in the order of the operators' bits."""
        with self._alone(a):
            given = source(a)
            info = abi.VkrReduceInfo(ops=ops, count=given.size, nan=nan, flags=flags,
                                     determinism=level(determinism),
                                     accumulator=accumulator(ops, given.dtype, dtype))
            info.input.type = given.dtype.kind
        if least and self._offset(given.size)[1] < least:
            raise ValueError('the whole is empty, and this has no result without elements')
        data, layout = bytearray(64), abi.VkrReduceLayout()
        into = (ctypes.c_char * len(data)).from_buffer(data)
        with contextlib.ExitStack() as stack:
            with self._alone():
                info.input = stack.enter_context(self._view(given))
            self._call('vkrMpiReduce', abi.VkrMpiReduceInfo(
                reduce=ctypes.addressof(info), result=ctypes.addressof(into), resultSize=len(data),
                layout=ctypes.addressof(layout)))
        found = []
        for result in layout.results:
            if result.type != abi.VKR_TYPE_UNDEFINED:
                kind = type_named(result.type)
                part = data[result.offset:result.offset + kind.itemsize]
                found.append(self._result(part, kind, given))
        return found

    def _scanned(self, op, a, dtype, reverse, determinism):
        with contextlib.ExitStack() as stack:
            with self._alone(a):
                given = source(a)
                info = abi.VkrScanInfo(op=op, count=given.size, nan=abi.VKR_NAN_PROPAGATE,
                                       determinism=level(determinism),
                                       flags=abi.VKR_SCAN_REVERSE_BIT if reverse else 0,
                                       accumulator=accumulator(op, given.dtype, dtype))
                info.input = stack.enter_context(self._view(given))
                kind = ctypes.c_int32()
                check(functions().vkrGetScanType(self._root.context, ctypes.byref(info),
                                                 ctypes.byref(kind)))
                out = type_named(kind.value)
                found = Array((given.size,), out)
                info.output = functions().view(found._memory, kind.value)
            self._call('vkrMpiScan', abi.VkrMpiScanInfo(scan=ctypes.addressof(info)))
        return found if given.on_device else found.host()

    # ---- Reductions ----

    def sum(self, a: ArrayLike, *, dtype: DTypeLike = None, determinism: str = 'run') -> Result:
        """The sum of the whole; with determinism='device' float sums have the same bits for any
        number of ranks."""
        return self._reduced(abi.VKR_OP_SUM, a, dtype, determinism=determinism)[0]

    def prod(self, a: ArrayLike, *, dtype: DTypeLike = None, determinism: str = 'run') -> Result:
        """The product of the whole."""
        return self._reduced(abi.VKR_OP_PRODUCT, a, dtype, determinism=determinism)[0]

    def min(self, a: ArrayLike) -> Result:
        """The least element of the whole."""
        return self._reduced(abi.VKR_OP_MIN, a, least=1)[0]

    def max(self, a: ArrayLike) -> Result:
        """The greatest element of the whole."""
        return self._reduced(abi.VKR_OP_MAX, a, least=1)[0]

    def minmax(self, a: ArrayLike) -> Tuple[Result, Result]:
        """The least and the greatest element of the whole."""
        return tuple(self._reduced(abi.VKR_OP_MIN | abi.VKR_OP_MAX, a, least=1))

    def mean(self, a: ArrayLike, *, determinism: str = 'run') -> Result:
        """The mean of the whole."""
        return self._reduced(abi.VKR_OP_MEAN, a, determinism=determinism)[0]

    def var(self, a: ArrayLike, *, correction: int = 0, determinism: str = 'run') -> Result:
        """The variance of the whole."""
        return self._reduced(abi.VKR_OP_VARIANCE, a, flags=sample(correction),
                             determinism=determinism)[0]

    def std(self, a: ArrayLike, *, correction: int = 0, determinism: str = 'run') -> Result:
        """The standard deviation of the whole."""
        return self._reduced(abi.VKR_OP_STDDEV, a, flags=sample(correction),
                             determinism=determinism)[0]

    def nansum(self, a: ArrayLike, *, dtype: DTypeLike = None,
               determinism: str = 'run') -> Result:
        """The sum of the elements of the whole that are not NaN."""
        return self._reduced(abi.VKR_OP_SUM, a, dtype, nan=abi.VKR_NAN_SKIP,
                             determinism=determinism)[0]

    def nanmean(self, a: ArrayLike, *, determinism: str = 'run') -> Result:
        """The mean of the elements of the whole that are not NaN."""
        return self._reduced(abi.VKR_OP_MEAN, a, nan=abi.VKR_NAN_SKIP, determinism=determinism)[0]

    def nanvar(self, a: ArrayLike, *, correction: int = 0, determinism: str = 'run') -> Result:
        """The variance of the elements of the whole that are not NaN."""
        return self._reduced(abi.VKR_OP_VARIANCE, a, nan=abi.VKR_NAN_SKIP,
                             flags=sample(correction), determinism=determinism)[0]

    def nanmin(self, a: ArrayLike) -> Result:
        """The least of the elements of the whole that are not NaN."""
        return self._reduced(abi.VKR_OP_MIN, a, nan=abi.VKR_NAN_IGNORE, least=1)[0]

    def nanmax(self, a: ArrayLike) -> Result:
        """The greatest of the elements of the whole that are not NaN."""
        return self._reduced(abi.VKR_OP_MAX, a, nan=abi.VKR_NAN_IGNORE, least=1)[0]

    def argmin(self, a: ArrayLike) -> Result:
        """The index in the whole of the least element, or of the first NaN."""
        return self._reduced(abi.VKR_OP_ARGMIN, a, least=1)[0]

    def argmax(self, a: ArrayLike) -> Result:
        """The index in the whole of the greatest element, or of the first NaN."""
        return self._reduced(abi.VKR_OP_ARGMAX, a, least=1)[0]

    def nanargmin(self, a: ArrayLike) -> Result:
        """The index in the whole of the least element that is not NaN."""
        return self._reduced(abi.VKR_OP_ARGMIN, a, nan=abi.VKR_NAN_IGNORE, least=1)[0]

    def nanargmax(self, a: ArrayLike) -> Result:
        """The index in the whole of the greatest element that is not NaN."""
        return self._reduced(abi.VKR_OP_ARGMAX, a, nan=abi.VKR_NAN_IGNORE, least=1)[0]

    def any(self, a: ArrayLike) -> bool:
        """Whether an element of the whole is not 0."""
        with self._alone(a):
            given = as_bits(a, False)
            is_float = source(a).dtype.is_float
        bits = int(self._reduced(abi.VKR_OP_OR, given)[0])
        return bits & ((1 << 8 * given.dtype.itemsize - is_float) - 1) != 0

    def all(self, a: ArrayLike) -> bool:
        """Whether no element of the whole is 0."""
        with self._alone(a):
            given, signed = as_bits(a, False), as_bits(a, True)
            is_float = source(a).dtype.is_float
        found = int(self._reduced(abi.VKR_OP_MIN, given)[0]) != 0
        zero = -(1 << 8 * given.dtype.itemsize - 1)
        return found and not (is_float and int(self._reduced(abi.VKR_OP_MIN, signed)[0]) == zero)

    def count_nonzero(self, a: ArrayLike) -> int:
        """How many elements of the whole are not 0."""
        with self._alone(a):
            number = int(_sets.count_nonzero(a))
        return self._offset(number)[1]

    # ---- What each rank gets its part of ----

    def cumulative_sum(self, a: ArrayLike, *, dtype: DTypeLike = None, reverse: bool = False,
                       determinism: str = 'run') -> Result:
        """The sums of the whole up to each element of this rank's part."""
        return self._scanned(abi.VKR_OP_SUM, a, dtype, reverse, determinism)

    def cumulative_prod(self, a: ArrayLike, *, dtype: DTypeLike = None, reverse: bool = False,
                        determinism: str = 'run') -> Result:
        """The products of the whole up to each element of this rank's part."""
        return self._scanned(abi.VKR_OP_PRODUCT, a, dtype, reverse, determinism)

    def cumsum(self, a: ArrayLike, *, dtype: DTypeLike = None,
               determinism: str = 'run') -> Result:
        """As cumulative_sum."""
        return self._scanned(abi.VKR_OP_SUM, a, dtype, False, determinism)

    def nonzero(self, a: ArrayLike) -> Result:
        """The indices in the whole of this rank's elements that are not 0, as uint64."""
        with self._alone(a):
            given = source(a)
            own = _sets.flat_indices(given)
            own = own.tolist() if numpy() is None else numpy().asarray(own)
        first = self._offset(given.size)[0]
        if not len(own):
            with _host.at(self._root):
                return nothing((0,), DTYPES['uint64'], given.on_device)
        if numpy() is None:
            import array
            data = array.array('Q', (i + first for i in own)).tobytes()
        else:
            data = (own.astype('u8') + numpy().uint64(first)).tobytes()
        return self._result(bytearray(data), DTYPES['uint64'], given, (len(own),))

    # ---- Histograms ----

    def histogram(self, a: ArrayLike, bins: int = 10,
                  range: Optional[Tuple[float, float]] = None) -> Tuple[Result, Result]:
        """Counts of the whole's elements between edges, on every rank, and the edges: `bins` of
        equal width between the two numbers of `range`, which is by default that of the whole."""
        with self._alone(a):
            given = source(a)
            if not isinstance(bins, int):
                raise TypeError(f'bins is of type {type(bins).__name__}, but must be a number over '
                                'ranks')
        if range is None:
            _, whole = self._offset(given.size)
            kind = float if given.dtype.is_float else int
            range = tuple(kind(x) for x in self.minmax(a)) if whole else (0, 1)
            if range[0] == range[1]:
                return self._of_one_number(given, range[0], bins, whole)
        with contextlib.ExitStack() as stack:
            with self._alone():
                info = abi.VkrHistogramInfo(count=given.size, countType=abi.VKR_TYPE_U64,
                                            flags=abi.VKR_HISTOGRAM_CLOSED_BIT)
                info.bins.kind, info.bins.count = abi.VKR_BINS_EVEN, bins
                _group.set_range(info.bins, range, given.dtype)
                # A histogram of any elements has the edges.
                edges = _group.histogram(_one(0, given.dtype), bins, range)[1]
                info.input = stack.enter_context(self._view(given))
            data = room(8 * bins)
            into = (ctypes.c_char * (8 * bins)).from_buffer(data)
            self._call('vkrMpiHistogram', abi.VkrMpiHistogramInfo(
                histogram=ctypes.addressof(info), counts=ctypes.addressof(into),
                countsSize=8 * bins))
        counts = self._result(data, DTYPES['uint64'], given, (bins,))
        with _host.at(self._root):
            return counts, asarray(edges) if given.on_device else edges

    def _of_one_number(self, given, number, bins, whole):
        """The whole is one number, several times."""
        with _host.at(self._root):
            counts, edges = _group.histogram(_one(number, given.dtype), bins)
            data = struct.pack(f'={bins}Q', *(whole * c for c in counts.tolist()))
            counts = self._result(bytearray(data), DTYPES['uint64'], given, (bins,))
            return counts, asarray(edges) if given.on_device else edges


def _one(number, dtype):
    """An array of one number."""
    return converted([number], dtype)
