"""The chunks of a world, edits of them, and readers on other threads."""
import numpy

from ._library import ClosedError, Object, Writer, check_chunk, check_result, check_type, error_of, ffi, lib
from .terrain import blocks_array, blocks_pointer

KINDS = ("inserted", "changed", "removed")
_set_block, _batch_set = lib.trn_store_set_block, lib.trn_batch_set


class BlockTypes(Object):
    """What block ids stand for: the built-in blocks, and what text adds (docs/blocks.md)."""

    def __init__(self, text=None):
        out = ffi.new("TrnBlockTypes **")
        check_result(lib.trn_block_types_create_builtin(ffi.NULL, out))
        self._own(out[0], lib.trn_block_types_destroy)
        if text is not None:
            problem, data = ffi.new("TrnBlockTypesProblem *"), text.encode()
            result = lib.trn_block_types_load(self._pointer, data, len(data), problem)
            check_result(result, ffi.string(problem.sentence).decode() or None)

    def __len__(self):
        count = ffi.new("uint32_t *")
        lib.trn_block_types_all(self._open().pointer, count)
        return count[0]

    def id(self, name):
        """The id of a name such as "terrane:stone"."""
        block = ffi.new("TrnBlock *")
        check_result(lib.trn_block_types_find(self._open().pointer, name.encode(), block), f'There is no block "{name}".')
        return block[0]

    def name(self, block):
        found = lib.trn_block_types_get(self._open().pointer, block)
        if not found:
            raise error_of(lib.TRN_RESULT_NOT_FOUND, f"There is no block {block}.")
        return ffi.string(found.name).decode()

    def colours(self):
        """The colours of the blocks, sRGB: an array [block][face][3]."""
        count = ffi.new("uint32_t *")
        types = lib.trn_block_types_all(self._open().pointer, count)
        return numpy.array([numpy.frombuffer(ffi.buffer(ffi.addressof(types[i], "colour")), numpy.uint8) for i in range(count[0])]).reshape(-1, 6, 3)


def _voxel_not_loaded(x, y, z):
    return error_of(lib.TRN_RESULT_NOT_FOUND, f"Chunk {x >> 5}, {y >> 5}, {z >> 5} of voxel {x}, {y}, {z} is not loaded.")


class Reads:
    """What both a store and a reader's section can read."""

    def _reading(self):
        """A context in which the library may be asked, as (context, pointer of the store)."""
        raise NotImplementedError

    def get_block(self, x, y, z):
        """The block of a voxel. NOT_FOUND if its chunk is not loaded."""
        context, store = self._reading()
        with context:
            block = ffi.new("TrnBlock *")
            result = lib.trn_store_get_block_at(store, x, y, z, block)
            if result == lib.TRN_RESULT_NOT_FOUND:
                raise _voxel_not_loaded(x, y, z)
            check_result(result)
            return block[0]

    def get_blocks(self, x, y, z, out=None):
        """Reads a chunk into an array [y][z][x], which is returned: `out`, without a copy, or a new one."""
        array, snapshot = blocks_array(out), ffi.new("TrnSnapshot *")
        context, store = self._reading()
        with context:
            check_chunk(lib.trn_store_snapshot(store, (x, y, z), snapshot), x, y, z)
            lib.trn_snapshot_decode(snapshot[0], blocks_pointer(array))
        return array

    def gather(self, low, high):
        """The coordinates of the loaded chunks of a box, both corners inclusive: an array [n][3]."""
        box = ffi.new("TrnChunkGather *", {"box": (low, high)})
        context, store = self._reading()
        with context:
            index = lib.trn_store_index(store)
            coords = numpy.empty((256, 3), numpy.int32)
            while True:
                box.coords, box.capacity = ffi.cast("TrnCoord *", ffi.from_buffer(coords)), len(coords)
                count = lib.trn_chunk_index_gather(index, box)
                if count <= len(coords):
                    return coords[:count]
                coords = numpy.empty((count, 3), numpy.int32)


class Store(Object, Reads):
    """A world's chunks by coordinate. Two threads that use it at the same time get a ThreadError; others read with reader().

    get_block, set_block and batches take coordinates of voxels; insert, remove, get_blocks, set_blocks, Mesher.mesh and Light.solve
    those of chunks, voxels // 32. y is up. A block is an id: types.id("terrane:stone"). An id that no block has shows as
    terrane:missing.
    """

    def __init__(self, types=None, bytes_max=0):
        check_type(types, (BlockTypes, type(None)), "types is a BlockTypes")
        self.types = types if types is not None else BlockTypes()
        definition = ffi.new("TrnStoreDef *", lib.trn_store_def())
        definition.types, definition.bytes_max = self.types._open().pointer, bytes_max
        out = ffi.new("TrnStore **")
        check_result(lib.trn_store_create(definition, out))
        self._writer, self._listeners = Writer(), {}
        self._changed = ffi.new("bool *")
        self._own(out[0], lib.trn_store_destroy, self.types)

    def _reading(self):
        return self._writer, self._open().pointer

    def __len__(self):
        with self._writer:
            return lib.trn_store_stats(self._open().pointer).chunks

    def insert(self, x, y, z, blocks):
        """Inserts a chunk: an array [y][z][x], or one block for all of it. EXISTS if there is one."""
        with self._writer:
            store = self._open().pointer
            if isinstance(blocks, int):
                check_result(lib.trn_store_insert_uniform(store, (x, y, z), blocks, ffi.NULL))
            else:
                check_result(lib.trn_store_insert_voxels(store, (x, y, z), blocks_pointer(blocks_array(blocks, False)), ffi.NULL))

    def remove(self, x, y, z):
        with self._writer:
            check_chunk(lib.trn_store_remove(self._open().pointer, (x, y, z)), x, y, z)

    def set_block(self, x, y, z, block):
        """Sets one voxel, and returns whether it was another block. For many, batch() is faster."""
        pointer = self._pointer
        if pointer is None:
            self._open()
        with self._writer:
            result = _set_block(pointer, (x, y, z), block, self._changed)
            if result == lib.TRN_RESULT_NOT_FOUND:
                raise _voxel_not_loaded(x, y, z)
            if result:
                raise error_of(result)
            return self._changed[0]

    def set_blocks(self, x, y, z, blocks):
        """Replaces all voxels of a loaded chunk."""
        with self._writer:
            store = self._open().pointer
            chunk = lib.trn_store_find(store, (x, y, z))
            check_chunk(lib.TRN_RESULT_OK if chunk else lib.TRN_RESULT_NOT_FOUND, x, y, z)
            check_result(lib.trn_store_set_voxels(store, chunk, blocks_pointer(blocks_array(blocks, False))))

    def batch(self):
        """Begins a batch of edits: use it in a `with`, whose end publishes all of them, or none if the block raises."""
        return Batch(self)

    def chunk_id(self, x, y, z):
        """An id that names the loaded chunk until it is removed."""
        with self._writer:
            chunk = lib.trn_store_find(self._open().pointer, (x, y, z))
            check_chunk(lib.TRN_RESULT_OK if chunk else lib.TRN_RESULT_NOT_FOUND, x, y, z)
            return ffi.new("TrnChunkId *", chunk.id)

    def chunk_coord(self, chunk_id):
        """Where the chunk of an id is. STALE_ID if it was removed."""
        with self._writer:
            chunk = lib.trn_store_chunk(self._open().pointer, chunk_id[0])
            if not chunk:
                raise error_of(lib.TRN_RESULT_STALE_ID)
            return chunk.coord.x, chunk.coord.y, chunk.coord.z

    def subscribe(self, function):
        """Calls `function(kind, coords)` after each change; kind is "inserted", "changed" or "removed". What it raises is raised by
        the call that made the change, which stands. Returns a function that unsubscribes."""
        writer = self._writer

        def listen(_store, event, _user):
            try:
                function(KINDS[event.kind], [(event.chunks[i].coord.x, event.chunks[i].coord.y, event.chunks[i].coord.z)
                                             for i in range(event.count)])
                return lib.TRN_RESULT_OK
            except BaseException as error:  # nothing may pass through C
                writer.raised = error
                return lib.TRN_RESULT_BAD_ARGUMENT

        callback = ffi.callback("TrnListener", listen, error=lib.TRN_RESULT_BAD_ARGUMENT)
        handle = self._open()
        with writer:
            check_result(lib.trn_store_subscribe(handle.pointer, 7, callback, ffi.NULL))
        handle.kept = getattr(handle, "kept", []) + [callback]  # as long as the library may call it

        def unsubscribe():
            with writer:
                check_result(lib.trn_store_unsubscribe(self._open().pointer, callback, ffi.NULL))

        return unsubscribe

    def reader(self, name="python"):
        """Registers a reader for one thread: `with reader: reader.get_block(...)` is a read section."""
        return Reader(self, name)


class Reader(Object, Reads):
    """Reads a store on a thread of its own while another writes. Reads only in its section, and never waits for the writer."""

    def __init__(self, store, name):
        handle, out = store._open(), ffi.new("TrnChunkReader **")
        check_result(lib.trn_chunk_index_reader_create(lib.trn_store_index(handle.pointer), name.encode(), out))
        self._own(out[0], lib.trn_chunk_index_reader_destroy, store)
        self._store, self._writer, self._depth = handle.pointer, Writer(), 0

    def __enter__(self):
        reader = self._open().pointer
        self._writer.__enter__()
        if self._depth == 0:
            lib.trn_chunk_index_read_begin(reader)
        self._depth += 1
        return self

    def __exit__(self, *_):
        self._depth -= 1
        if self._depth == 0 and self._pointer is not None:
            lib.trn_chunk_index_read_end(self._pointer)
        self._writer.__exit__(None, None, None)

    def _reading(self):
        self._open()
        if self._depth == 0:
            raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, "A reader reads in its section alone: with reader: ...")
        return self._writer, self._store


class Batch(Object):
    """Edits of many chunks that are published together. Edits of chunks that are not loaded wait for them."""

    def __init__(self, store):
        out = ffi.new("TrnBatch **")
        self._writer = store._writer
        with self._writer:
            check_result(lib.trn_batch_begin(store._open().pointer, ffi.NULL, out))
            self._own(out[0], lib.trn_batch_cancel, store)

    def set(self, x, y, z, block):
        pointer = self._pointer
        if pointer is None:
            raise ClosedError("CLOSED", "This Batch is closed.")
        with self._writer:
            result = _batch_set(pointer, (x, y, z), block)
            if result:
                raise error_of(result)

    def fill_box(self, low, high, block):
        """Both corners are inclusive."""
        with self._writer:
            check_result(lib.trn_batch_fill_box(self._open().pointer, low, high, block))

    def fill_sphere(self, centre, radius, block):
        with self._writer:
            check_result(lib.trn_batch_fill_sphere(self._open().pointer, centre, radius, block))

    def commit(self):
        """Publishes all edits, or none, and ends the batch."""
        with self._writer:
            handle = self._open()
            self._handle, self._pointer = None, None
            handle.destroy = lambda _pointer: None  # the commit ends it, whatever its result
            result = lib.trn_batch_commit(handle.pointer, ffi.NULL)
            handle.release()
            check_result(result)

    def __exit__(self, kind, *_):
        if kind is None and self._pointer is not None:
            self.commit()
        self.close()
