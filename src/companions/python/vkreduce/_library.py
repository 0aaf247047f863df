# SPDX-License-Identifier: MIT
"""The two shared libraries, and their errors as exceptions."""
import ctypes
import os
import threading

from . import _build, abi


class DeviceError(RuntimeError):
    """Vulkan, its loader or a device failed, or lacks what an operation needs."""


_said = threading.local()
_lock = threading.Lock()
_libraries = None
_compiler = None
_ranks = None


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32, ctypes.c_char_p)
def on_message(_, result, sentence):
    if result != abi.VKR_SUCCESS:
        _said.sentence = sentence.decode('utf-8', 'replace')


def _folders():
    given = os.environ.get('VKREDUCE_LIBRARY_PATH')
    yield from filter(None, (given or '').split(os.pathsep))
    yield os.path.dirname(os.path.abspath(__file__))
    yield from _build.FOLDERS


def _open(name, remedy=''):
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.exists(path):
            name = path
            break
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise DeviceError(f'{name} was not found, or not loaded: {error}; VKREDUCE_LIBRARY_PATH '
                          f'may name the folders of the libraries{remedy}') from None


class _Functions:
    """The functions of libraries, as attributes."""

    def __init__(self, opened):
        self._opened = opened

    def __getattr__(self, name):
        if name not in abi.FUNCTIONS:
            raise AttributeError(name)
        result, arguments = abi.FUNCTIONS[name]
        for library in reversed(self._opened):
            if hasattr(library, name):
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)
                return function
        raise DeviceError(f'the libraries lack {name}; they are of another version')

    # The only function that returns a structure.
    def view(self, memory, kind):
        view = abi.VkrView(buffer=memory.buffer, offset=memory.offset, size=memory.size, type=kind,
                           texels=memory.texels, bufferSize=memory.bufferSize)
        return view


def functions():
    global _libraries
    if _libraries is None:
        with _lock:
            if _libraries is None:
                # The second library needs the first one, which is then loaded already.
                _libraries = _Functions([_open(name) for name in _build.LIBRARIES])
    return _libraries


def compiler():
    """The functions of the library that compiles GLSL, which only text needs."""
    global _compiler
    if _compiler is None:
        remedy = ('. Text in GLSL needs this library, which is built where libshaderc-dev is '
                  'installed (-Dglsl=enabled); without it, give SPIR-V (glslc -O0)')
        _compiler = _Functions([_open(_build.COMPILER, remedy)])
    return _compiler


def ranks():
    """The functions of the library for MPI, which only calls over ranks need."""
    global _ranks
    if _ranks is None:
        functions()
        remedy = ('. Calls over ranks need this library, which is built where an MPI is installed '
                  '(libopenmpi-dev or libmpich-dev; -Dmpi=enabled)')
        _ranks = _Functions([_open(_build.MPI, remedy)])
    return _ranks


def version_of_mpi():
    """What the MPI says of itself to which the library for it is linked; None: nothing."""
    get = getattr(ranks()._opened[0], 'MPI_Get_library_version', None)
    if get is None:
        return None
    text, length = ctypes.create_string_buffer(1 << 14), ctypes.c_int()
    get(text, ctypes.byref(length))
    return text.value.decode('utf-8', 'replace')


_EXCEPTIONS = {abi.VKR_ERROR_INVALID_ARGUMENT: ValueError,
               abi.VKR_ERROR_OUT_OF_HOST_MEMORY: MemoryError,
               abi.VKR_ERROR_OUT_OF_DEVICE_MEMORY: MemoryError}


def check(result):
    """Raises the error that a call has returned, with the library's sentence."""
    if result == abi.VKR_SUCCESS:
        return
    sentence = getattr(_said, 'sentence', None)
    _said.sentence = None
    if sentence is None:
        name = ctypes.cast(functions().vkrResultName(result), ctypes.c_char_p).value
        sentence = f'the library failed with {name.decode() if name else result}'
    raise _EXCEPTIONS.get(result, DeviceError)(sentence)
