# SPDX-License-Identifier: MIT
"""Reductions and scans by an operator of the user, as text in GLSL or as SPIR-V."""
from __future__ import annotations

import collections
import ctypes
import re
import threading
import weakref

from . import _host, abi
from ._arrays import asarray, source
from ._dtypes import DTYPES, numpy, shaped, size_of
from ._axes import plan
from ._library import DeviceError, check, compiler, functions
from ._reduce import mask_of, moved_mask, part_of, segments
from ._results import Target
from ._sort import _Rows
from ._spirv import Names, words_of

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Axis, DeviceLike, Optional, Result, Union

_MODULES = 64  # that are kept for the next call

# ---- Text ----

_AFTER = 1000000  # the number of the line after the user's last one
# What is called after the text, and what that must be; {E} is the type of elements.
_CALLS = [('State a = lift(E(0), 0u);', 'State lift({E} x, uint i)'),
          ('State b = identity();', 'State identity()'),
          ('State c = combine(a, b);', 'State combine(State a, State b)'),
          ('finish(c);', 'float finish(State s)')]
_VERSION = re.compile(r'(?:\s|//[^\n]*|/\*.*?\*/)*(#[ \t]*version[^\r\n]*)', re.S)
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/', re.S)


def _element(dtype):
    """The type that a function of GLSL gets for elements of a type."""
    if dtype.itemsize == 8:
        return 'double' if dtype.is_float else dtype.name + '_t'
    return 'float' if dtype.is_float else 'int' if dtype.is_signed else 'uint'


def _complete(text, element, finishes):
    """A whole shader of a text. A function named vkr_commutative tells what only a preprocessor
    knows."""
    version = _VERSION.match(text)
    head = version[1] if version else '#version 450'
    if version:
        text = text[:version.start(1)] + ' ' * len(head) + text[version.end(1):]
    wide = '#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n'
    calls = [call for call, _ in (_CALLS if finishes else _CALLS[:-1])]
    return '\n'.join([
        head, '#extension GL_GOOGLE_include_directive : enable',
        (wide if element.endswith('_t') else '') + f'#define E {element}', '#define main own_main',
        '#line 1', text, '', f'#line {_AFTER}', '#undef main', '#ifdef COMMUTATIVE',
        'void vkr_commutative() {}', '#define vkr_mark vkr_commutative', '#else',
        'void vkr_mark() {}', '#endif', f'#line {_AFTER + 100}', 'void main()', '{', *calls,
        'vkr_mark();', '}', ''])


def _compile(text):
    """The SPIR-V of a shader, and the compiler's messages; one of them is None."""
    data = text.encode()
    info = abi.VkrGlslInfo(name=b'op', textSize=len(data), text=data)
    code = abi.VkrGlslCode()
    library = compiler()
    result = library.vkrCompileGlsl(ctypes.byref(info), ctypes.byref(code))
    try:
        if result == abi.VKR_SUCCESS:
            return ctypes.string_at(code.code, code.codeSize), None
        said = ctypes.cast(code.messages, ctypes.c_char_p).value if code.messages else b''
        if result == abi.VKR_ERROR_INVALID_ARGUMENT:
            return None, said.decode('utf-8', 'replace').strip()
        raise {abi.VKR_ERROR_OUT_OF_HOST_MEMORY: MemoryError}.get(result, DeviceError)(
            said.decode('utf-8', 'replace') or 'there is not enough memory for the compiler')
    finally:
        library.vkrFreeGlsl(ctypes.byref(code))


def _lines_after(messages):
    """The lines after the text of which the compiler speaks."""
    return [int(n) - _AFTER - 102 for n in re.findall(r'^op:(\d+):', messages, re.M)
            if int(n) >= _AFTER]


def _refuse(messages, element):
    """Raises what the compiler says; of lines that the user has not written, what they need."""
    if "'State' : undeclared" in messages:
        raise ValueError('op needs a type State, a struct or a #define')
    for line in _lines_after(messages):
        if 0 <= line < len(_CALLS):
            signature = _CALLS[line][1].format(E=element)
            said = re.search(rf'^op:{_AFTER + 102 + line}: (.*)$', messages, re.M)[1]
            raise ValueError(f'op needs a function {signature}: {said}')
    raise ValueError(messages or 'op is no GLSL')


def _spirv(text, dtype):
    element = _element(dtype)
    finishes = re.search(r'\bfinish\s*\(', _COMMENT.sub(' ', text)) is not None
    code, messages = _compile(_complete(text, element, finishes))
    # The word may stand where the preprocessor leaves it out.
    if code is None and finishes and set(_lines_after(messages)) == {3}:
        code = _compile(_complete(text, element, False))[0]
    if code is None:
        _refuse(messages, element)
    return code


# ---- Modules ----

class _Operator:
    """A module, and what its results consist of."""

    def __init__(self, code):
        names = Names(words_of(code))
        for name in ('lift', 'identity', 'combine'):
            if not names.has(name):
                raise ValueError(f'op has no function {name}; SPIR-V has names only where it was '
                                 'compiled without optimisation')
        self.reads_index = names.reads_last('lift')
        given = 'finish' if names.has('finish') else 'combine'
        self.members = names.result(given)
        if self.members is None:
            raise ValueError(f'what {given} returns must consist of numbers: scalars, vectors, '
                             'matrices, arrays of up to 16, or structs of them')
        words = (ctypes.c_uint32 * (len(code) // 4)).from_buffer_copy(code)
        info = abi.VkrModuleInfo(label=b'op', code=ctypes.addressof(words), codeSize=len(code))
        self.module = ctypes.c_void_p()
        root = _host.root()
        check(functions().vkrCreateModule(root.context, ctypes.byref(info),
                                          ctypes.byref(self.module)))
        weakref.finalize(self, _destroy, root, self.module.value)
        self._hook = abi.VkrHook(module=self.module, name=b'lift')
        self.monoid = abi.VkrMonoid(
            hook=ctypes.addressof(self._hook), combine=b'combine', identity=b'identity',
            finish=b'finish' if names.has('finish') else None,
            commutative=names.has('vkr_commutative'))
        self._describe()

    def _describe(self):
        """What arrays of results are like: of one type with an axis for several values, or of
        words, which are taken apart afterwards."""
        values = [v for _, several in self.members for v in several]
        self.mixed = len(set(values)) > 1
        if self.mixed and any(len(set(several)) > 1 for _, several in self.members):
            self.members = [(f'f{i}', [v]) for i, v in enumerate(values)]
        self.dtype = DTYPES['uint32' if self.mixed else values[0]]
        words = sum(DTYPES[v].itemsize // 4 for v in values)
        count = words if self.mixed else len(values)
        self.inner = (count,) if count > 1 else ()
        self.size = 4 * words

    def results(self, value, shape):
        """Results as the user gets them. Those of several types become an array for each member."""
        if not self.mixed:
            return value
        kind = collections.namedtuple('State', [name for name, _ in self.members], rename=True)
        on_device, parts, at = hasattr(value, 'host'), [], 0
        if on_device or numpy() is None:
            data = value._bytes() if on_device else bytearray(memoryview(value).cast('B'))
        else:
            data = bytearray(value.tobytes())
        for _, values in self.members:
            dtype = DTYPES[values[0]]
            size, end = dtype.itemsize * len(values), len(data)
            part = bytearray().join(data[i + at:i + at + size] for i in range(0, end, self.size))
            inner = (len(values),) if len(values) > 1 else ()
            part = shaped(part, shape + inner, dtype)
            parts.append(asarray(part) if on_device else part)
            at += size
        return kind(*parts)


def _destroy(root, module):
    if not _host._closed and root.process == _host.os.getpid():
        functions().vkrDestroyModule(module)


_lock = threading.Lock()
_kept = collections.OrderedDict()


def _operator(op, dtype):
    """The module of an operator, compiled if none of the last calls had the same."""
    if not isinstance(op, (str, bytes, bytearray)):
        raise TypeError(f'op is of type {type(op).__name__}, but must be text in GLSL, or bytes of '
                        'SPIR-V')
    root = _host.root()
    key = (root, op, _element(dtype)) if isinstance(op, str) else (root, bytes(op))
    with _lock:
        if key not in _kept:
            _kept[key] = _Operator(_spirv(op, dtype) if isinstance(op, str) else bytes(op))
        _kept.move_to_end(key)
        while len(_kept) > _MODULES:
            _kept.popitem(last=False)
        return _kept[key]


def _refuse_mixed(operator):
    if operator.mixed and _host.in_batch():
        raise ValueError('the members of a State have several types, which are taken apart when '
                         'the values are there, so it cannot be in a batch')


# ---- The functions ----

@_host.placed
def reduce(a: ArrayLike, op: Union[str, bytes, bytearray], axis: Axis = None, *,
           keepdims: bool = False, where: Optional[ArrayLike] = None,
           device: DeviceLike = None) -> Result:
    """A reduction by an operator of the user. `op` is text in GLSL, which has a type State, the
    functions `State lift(E x, uint i)` (of an element, whose type is E, and its index), `State
    identity()` and `State combine(State a, State b)`, which is associative; and, if they are
    wanted, `finish(State s)`, which returns the result, and the line `#define COMMUTATIVE`. Or it
    is the same functions as SPIR-V. The index counts elements row after row of those that are
    combined. Results of several values have an axis more, the last one; where these are members of
    several types, the result is a named tuple of an array for each.

    >>> op = '''
    ... #define State float
    ... #define COMMUTATIVE
    ... State lift(E x, uint i) { return abs(float(x)); }
    ... State identity() { return 0.0; }
    ... State combine(State a, State b) { return max(a, b); }
    ... '''
    >>> float(vk.reduce([1.0, -3.0], op))
    3.0
    """
    given = source(a)
    operator = _operator(op, given.dtype)
    _refuse_mixed(operator)
    p = plan(given, axis, keepdims, columns=not operator.reads_index)
    given = p.source
    if given.size == 0 and p.shape:
        return _no_elements(operator, given, p.shape, p.on_device)
    info = abi.VkrReduceInfo(monoid=ctypes.addressof(operator.monoid))
    info.input.type, info.input.size = given.dtype.kind, given.nbytes
    if where is not None:
        where = moved_mask(where, p, axis)
    info.count = p.length * p.width if p.width > 1 else given.size
    if given.size:
        segments(p, info)
    with _host.recording() as record:
        record.kept.append(operator)
        view = given.view(record) if given.size else info.input
        has_mask = where is not None and given.size
        mask = mask_of(record, where, given) if has_mask else None
        target = Target(record, p.shape + operator.inner, operator.dtype, p.on_device)
        for part in range(p.parts if p.width > 1 and given.size else 1):
            record.call('vkrCmdReduce',
                        part_of(info, p, view, mask, target, part, operator.size))
    return operator.results(target.value(), p.shape)


def _no_elements(operator, given, shape, on_device):
    """Results of no elements, for which one such result is repeated."""
    _host.refuse_batch('a reduction of no elements along an axis')
    info = abi.VkrReduceInfo(monoid=ctypes.addressof(operator.monoid))
    info.input.type = given.dtype.kind
    with _host.recording() as record:
        record.kept.append(operator)
        target = Target(record, operator.inner, operator.dtype, False)
        info.output = target.range()
        record.call('vkrCmdReduce', info)
    data = bytearray(bytes(target.data) * size_of(shape))
    value = shaped(data, shape + operator.inner, operator.dtype)
    return operator.results(asarray(value) if on_device else value, shape)


@_host.placed
def scan(a: ArrayLike, op: Union[str, bytes, bytearray], *, axis: Optional[int] = None,
         reverse: bool = False, exclusive: bool = False, device: DeviceLike = None) -> Result:
    """A scan by an operator of the user, as of `reduce`: for each element what the operator makes
    of it and those before it, or with reverse=True of those behind it; with exclusive=True without
    the element itself.

    >>> op = '''
    ... #define State float
    ... State lift(E x, uint i) { return float(x); }
    ... State identity() { return -1.0 / 0.0; }
    ... State combine(State a, State b) { return max(a, b); }
    ... '''
    >>> vk.scan([1.0, 3.0, 2.0], op).tolist()
    [1.0, 3.0, 3.0]
    """
    rows = _Rows(a, axis)
    given = rows.source
    operator = _operator(op, given.dtype)
    _refuse_mixed(operator)
    inner = operator.inner
    info = abi.VkrScanInfo(count=given.size, monoid=ctypes.addressof(operator.monoid))
    info.flags = (abi.VKR_SCAN_REVERSE_BIT if reverse else 0) | \
        (abi.VKR_SCAN_EXCLUSIVE_BIT if exclusive else 0)
    rows.segments(info)
    on_device = rows.on_device and rows.back is None
    if given.size == 0:
        value = shaped(bytearray(), rows.shape + inner, operator.dtype)
        value = asarray(value) if on_device else value
    else:
        with _host.recording() as record:
            record.kept.append(operator)
            info.input = given.view(record)
            target = Target(record, rows.shape + inner, operator.dtype, on_device)
            info.output.buffer, info.output.offset = target.memory.buffer, target.memory.offset
            info.output.size, info.output.bufferSize = target.memory.size, target.memory.bufferSize
            record.call('vkrCmdScan', info)
        value = target.value()
    found = operator.results(value, rows.shape)
    if rows.back is None:
        return found
    if not operator.mixed:
        return rows.moved(found, len(inner))
    return type(found)(*(rows.moved(part, part.ndim - len(rows.shape)) for part in found))
