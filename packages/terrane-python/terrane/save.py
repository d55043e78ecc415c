"""Worlds that last."""
import os

import numpy

from ._library import Object, Writer, check_result, check_type, error_of, ffi, lib, text_of
from .store import BlockTypes
from .terrain import blocks_array, blocks_pointer

MODES = {"open": "TRN_STORAGE_OPEN", "create": "TRN_STORAGE_CREATE", "either": "TRN_STORAGE_EITHER", "read": "TRN_STORAGE_READ_ONLY"}


class Save(Object):
    """A world in a file. Pass it to a Stream, which loads its chunks, and saves those that it unloads, and all of them in
    Stream.save(); or put and get them yourself.

    path   a file; None keeps the world in memory
    types  the BlockTypes of the world's store
    mode   "open", "create", "either" or "read"
    """

    def __init__(self, path, types, mode="either"):
        if mode not in MODES:
            raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, f"There is no mode {mode!r}; it is one of {', '.join(MODES)}.")
        check_type(path, (str, os.PathLike, type(None)), "path is a file's, or None")
        check_type(types, BlockTypes, "types is a BlockTypes, such as store.types")
        definition, problem, out = ffi.new("TrnSaveDef *", lib.trn_save_def()), ffi.new("TrnStorageProblem *"), ffi.new("TrnSave **")
        definition.types = types._open().pointer
        storage = ffi.addressof(definition, "storage")
        if path is None:
            check_result(lib.trn_storage_memory(ffi.NULL, storage))
        else:
            result = lib.trn_storage_open(str(path).encode(), getattr(lib, MODES[mode]), storage, problem)
            check_result(result, text_of(problem.sentence) or None)
        check_result(lib.trn_save_create(definition, out, problem), text_of(problem.sentence) or None)
        self._own(out[0], lib.trn_save_destroy, types)
        self._writer = Writer()

    def bind_land(self, land):
        """Notes which land is generated, as a text, and fails if the world was begun with another."""
        problem = ffi.new("TrnStorageProblem *")
        with self._writer:
            check_result(lib.trn_save_bind_land(self._open().pointer, land.encode(), problem), text_of(problem.sentence) or None)

    def put(self, x, y, z, blocks, level=0):
        """Puts a chunk into the queue: an array [y][z][x], or one block for all of it."""
        uniform = isinstance(blocks, int)
        array = numpy.array([blocks], numpy.uint16) if uniform else blocks_array(blocks, False)
        check_result(lib.trn_save_put(self._open().pointer, (x, y, z), level, blocks_pointer(array), uniform))

    def get(self, x, y, z, level=0, out=None):
        """Reads a chunk into an array [y][z][x]. NOT_FOUND if it was not saved: generate it."""
        array, uniform = blocks_array(out), ffi.new("bool *")
        check_result(lib.trn_save_get(self._open().pointer, (x, y, z), level, blocks_pointer(array), uniform))
        if uniform[0]:
            array.fill(array.flat[0])
        return array

    def flush(self):
        """Waits until all that was put is on the disk."""
        with self._writer:
            check_result(lib.trn_save_flush(self._open().pointer))

    def set_value(self, name, data):
        """Stores bytes of the game's own under a name; None removes them."""
        with self._writer:
            check_result(lib.trn_save_set_value(self._open().pointer, name.encode(), ffi.NULL if data is None else ffi.from_buffer(data),
                                                len(data or b"")))

    def get_value(self, name):
        """Reads bytes of a name, or None."""
        size, pointer = ffi.new("size_t *"), self._open().pointer
        result = lib.trn_save_get_value(pointer, name.encode(), ffi.NULL, 0, size)
        if result == lib.TRN_RESULT_NOT_FOUND:
            return None
        check_result(result)
        data = ffi.new("char[]", max(size[0], 1))
        check_result(lib.trn_save_get_value(pointer, name.encode(), data, size[0], size))
        return ffi.buffer(data, size[0])[:]
