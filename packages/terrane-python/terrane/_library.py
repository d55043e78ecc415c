"""Loads the library, and turns its results into exceptions."""
import contextlib
import os
import sys
import threading

from . import _constants
from ._abi import ffi


class TerraneError(Exception):
    """A call failed; the object is as it was. `result` is the C name of the reason, such as "NOT_FOUND", or "CLOSED"."""

    def __init__(self, result, sentence):
        super().__init__(sentence)
        self.result = result


class LibraryError(TerraneError, ImportError):
    """libterrane is missing, or of another version than this package."""


class ClosedError(TerraneError, ValueError):
    """An object is used after it was closed."""


class ThreadError(TerraneError, RuntimeError):
    """Two threads use a store at the same time."""


def _names():
    system = {"win32": "terrane.dll", "darwin": "libterrane.dylib"}.get(sys.platform, "libterrane.so")
    given = os.environ.get("TERRANE_LIBRARY")
    return [given] if given else [os.path.join(os.path.dirname(__file__), system), system]


def load(names=None):
    """Loads libterrane and checks that it is the one that this package describes."""
    reasons = []
    for name in names or _names():
        try:
            library = ffi.dlopen(name)
        except OSError as error:
            reasons.append(str(error))
            continue
        check(library)
        return library
    raise LibraryError("NOT_FOUND", f"libterrane was not found ({'; '.join(reasons)}). Set TERRANE_LIBRARY to its path.")


def check(library):
    """Raises LibraryError unless the library has this package's version and the same structs."""
    try:
        version = ffi.string(library.trn_version()).decode()
        sizes = [library.trnx_struct_bytes(place) for place in range(len(_constants.STRUCTS))]
    except (AttributeError, ffi.error) as error:
        raise LibraryError("BAD_ARGUMENT", f"This is not libterrane: {error}") from None
    if version != _constants.VERSION:
        raise LibraryError("BAD_ARGUMENT", f"libterrane is version {version}; this package needs {_constants.VERSION}.")
    for name, size in zip(_constants.STRUCTS, sizes):
        if size != ffi.sizeof(name):
            raise LibraryError("BAD_ARGUMENT", f"libterrane has another {name}; it was built from other headers than this package.")


lib = load()
NAMES = {getattr(lib, name): name[len("TRN_RESULT_"):] for name in
         ("TRN_RESULT_" + end for end in ("OK BAD_ARGUMENT NO_MEMORY EXISTS NOT_FOUND STALE_ID FULL OUT_OF_RANGE READERS CORRUPT BUSY IO").split())}


def error_of(result, sentence=None):
    text = sentence or ffi.string(lib.trn_result_text(result)).decode()
    return TerraneError(NAMES.get(result, str(result)), text)


def check_result(result, sentence=None):
    if result:
        raise error_of(result, sentence)


def check_chunk(result, x, y, z):
    """As check_result, for a call that needs a loaded chunk."""
    if result == lib.TRN_RESULT_NOT_FOUND:
        raise error_of(result, f"Chunk {x}, {y}, {z} is not loaded. Coordinates of chunks are those of voxels // 32.")
    check_result(result)


def check_type(value, kind, what):
    """Raises TypeError unless a value is of a class, or of one of a tuple of them."""
    if not isinstance(value, kind):
        raise TypeError(f"{what}, not {type(value).__name__}")


class Handle:
    """An object of the library. It lives until it is released by its owner and by all that depends on it."""

    def __init__(self, pointer, destroy, parents=()):
        self.pointer, self.destroy, self.parents, self.uses = pointer, destroy, parents, 1
        self.lock = threading.Lock()
        for parent in parents:
            parent.use()

    def use(self):
        with self.lock:
            self.uses += 1

    def release(self):
        with self.lock:
            self.uses -= 1
            left = self.uses
        if left == 0:
            self.destroy(self.pointer)
            for parent in self.parents:
                parent.release()


class Writer:
    """Who writes to a store now. Another thread gets a ThreadError instead of a race; the same one may call again, as callbacks do."""

    def __init__(self):
        self.lock = threading.RLock()
        self.depth = 0
        self.closed = []  # handles that the garbage collector found while the store was in use
        self.raised = None  # by a callback, on any thread
        self.lent = set()  # threads that are in a callback which may not use the store

    def __enter__(self):
        if self.lent and threading.get_ident() in self.lent:
            raise ThreadError("BUSY", "A generator cannot use the store that it generates for.")
        if not self.lock.acquire(False):
            raise ThreadError("BUSY", "Another thread is using this store. One thread at a time may; others read with Store.reader().")
        self.depth += 1

    def __exit__(self, kind, _error, _trace):
        if self.depth == 1:
            while self.closed:
                self.closed.pop().release()
        self.depth -= 1
        self.lock.release()
        if self.raised is not None and kind is None and self.depth == 0:
            raised, self.raised = self.raised, None
            raise raised

    def defer(self, handle):
        """Has a handle released after the call that is under way; false if none is."""
        if self.depth:
            self.closed.append(handle)
        return self.depth != 0

    def lend(self, function, *arguments):
        """Calls a function that may not use the store."""
        thread = threading.get_ident()
        self.lent.add(thread)
        try:
            return function(*arguments)
        finally:
            self.lent.discard(thread)


_NO_WRITER = contextlib.nullcontext()


class Object:
    """What can be closed: with close(), at the end of a `with`, or by the garbage collector."""

    _handle = None
    _pointer = None
    _writer = None

    def _own(self, pointer, destroy, *parents):
        self._handle = Handle(pointer, destroy, [parent._open() for parent in parents])
        self._pointer = pointer

    def _open(self):
        """The handle; raises ClosedError after close()."""
        if self._handle is None:
            raise ClosedError("CLOSED", f"This {type(self).__name__} is closed.")
        return self._handle

    def close(self):
        """Ends the object for its user. The library frees it when nothing depends on it any more."""
        if self._handle is not None:
            with self._writer or _NO_WRITER:
                self._leave()

    def _leave(self):
        if self._writer is not None and self._writer.depth > 1:
            raise ThreadError("BUSY", f"A callback cannot close the {type(self).__name__} that calls it.")
        handle, self._handle, self._pointer = self._handle, None, None
        handle.release()
        if self._writer is not None:
            self._writer.raised = None  # what a callback raised meanwhile has no call left to raise it

    def __del__(self):
        handle, self._handle, self._pointer = self._handle, None, None
        if handle is not None and (self._writer is None or not self._writer.defer(handle)):
            handle.release()

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_):
        self.close()


def text_of(chars):
    return ffi.string(chars).decode("utf-8", "replace")
