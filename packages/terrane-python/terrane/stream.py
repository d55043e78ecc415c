"""Keeps a store filled around players."""
import math

from ._library import Object, ThreadError, check_result, check_type, error_of, ffi, lib
from .save import Save
from .store import Store
from .terrain import EDGE, Generator, Terrain


def position_of(x, y, z):
    """A TrnPosition: a chunk, and an offset in it."""
    for number in (x, y, z):
        if not math.isfinite(number) or abs(number) > 2 ** 36:
            raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, f"{number} is no place in the world.")
    chunk = [math.floor(number / EDGE) for number in (x, y, z)]
    return chunk, [number - EDGE * at for number, at in zip((x, y, z), chunk)]


class Callbacks:
    """What the callbacks of a stream know. They hold no reference to it, so that it ends with its last user."""

    def __init__(self, writer):
        self.writer, self.raised = writer, None


class Stream(Object):
    """Loads, generates and unloads the chunks of a store around anchors. Use it on the store's thread.

    generator  a Terrain or a Generator
    save       a Save, from which chunks are loaded and to which they are saved. Ending a stream does not save: call save() first
    workers    threads; None: as many as suit the machine; 0: the calling thread does all work
    light      keeps the light of the chunks for light_at()
    """

    def __init__(self, store, generator, save=None, workers=None, light=False, bytes_max=0):
        check_type(store, Store, "store is a Store")
        check_type(generator, (Terrain, Generator), "generator is a Terrain or a Generator")
        check_type(save, (Save, type(None)), "save is a Save")
        self._has_light = light
        self._writer, self._callbacks, self._is_running = store._writer, Callbacks(store._writer), False
        definition = ffi.new("TrnStreamDef *", lib.trn_stream_def())
        definition.store = store._open().pointer
        definition.generator, kept = generator._generator(self._callbacks)
        parents = [store] + [parent for parent in (generator, save) if isinstance(parent, Object)]
        if save is not None:
            definition.source = lib.trn_save_source(save._open().pointer)
        if workers is not None:
            definition.workers = workers
        definition.bytes_max, definition.light, definition.keep_light = bytes_max, light, light
        if light:
            kept = (kept, self._light_hooks(definition))
        out = ffi.new("TrnStream **")
        with self._writer:
            check_result(lib.trn_stream_create(definition, out))
            self._own(out[0], lib.trn_stream_destroy, *parents)
        self._handle.kept = kept  # callbacks live as long as the library may call them

    @staticmethod
    def _light_hooks(definition):
        """A stream lights chunks when it meshes them: a mesh hook with nothing to see."""
        callback = ffi.callback("TrnResult(void *, const TrnStreamJob *, const TrnStreamMeshInput *, TrnStreamMesh *)",
                                lambda *_: lib.TRN_RESULT_OK)
        definition.hooks.mesh = callback
        return callback

    def add_anchor(self, x, y, z, radius=16, height=4):
        """Adds a player, and returns the id for move_anchor() and remove_anchor(). The place is in voxels, how far it loads in
        chunks: `radius` to the sides, `height` up and down."""
        anchor, out = self._anchor(x, y, z, radius, height), ffi.new("TrnStreamAnchorId *")
        with self._writer:
            check_result(lib.trn_stream_anchor_add(self._open().pointer, anchor, out))
        return out

    @staticmethod
    def _anchor(x, y, z, radius, height):
        anchor = ffi.new("TrnStreamAnchor *", lib.trn_stream_anchor())
        anchor.position.chunk, anchor.position.offset = position_of(x, y, z)
        anchor.radius_chunks, anchor.height_chunks = radius, height
        return anchor

    def move_anchor(self, anchor, x, y, z, radius=16, height=4):
        """Moves a player. STALE_ID if it was removed."""
        with self._writer:
            check_result(lib.trn_stream_anchor_set(self._open().pointer, anchor[0], self._anchor(x, y, z, radius, height)))

    def remove_anchor(self, anchor):
        with self._writer:
            check_result(lib.trn_stream_anchor_remove(self._open().pointer, anchor[0]))

    def update(self, ms=None):
        """Once a frame: applies what workers have finished, and issues the next work. Returns whether the stream is idle."""
        budget = ffi.NULL if ms is None else ffi.new("TrnStreamBudget *", {"ms": ms})
        report = ffi.new("TrnStreamReport *")
        self._run(lib.trn_stream_update, budget, report)
        return report.is_idle

    def _run(self, function, *arguments, sentence=None):
        """Calls what calls back. `sentence` is that of BUSY."""
        with self._writer:
            handle = self._open()
            if self._is_running:
                raise ThreadError("BUSY", "A callback cannot update the Stream that calls it.")
            self._is_running = True
            try:
                result = function(handle.pointer, *arguments)
            finally:
                self._is_running = False
        raised, self._callbacks.raised = self._callbacks.raised, None
        if raised is not None:
            raise raised
        check_result(result, sentence if result == lib.TRN_RESULT_BUSY else None)

    def settle(self, updates_max=1000):
        """Updates until all views are loaded. BUSY if they are not after `updates_max` updates."""
        self._run(lib.trn_stream_settle, updates_max,
                  sentence=f"The stream is not settled after {updates_max} updates: settle again, or raise updates_max.")

    def save(self):
        """Saves all unsaved chunks; Save.flush() then waits for the disk."""
        self._run(lib.trn_stream_save)

    def light_at(self, x, y, z):
        """The light of a voxel, as (sky, blocks), each 0 to 15. NOT_FOUND if its chunk was not lit yet."""
        if not self._has_light:
            raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, "This stream keeps no light: make it with light=True.")
        sky, blocks = ffi.new("uint32_t *"), ffi.new("uint32_t *")
        with self._writer:
            check_result(lib.trn_stream_get_light(self._open().pointer, (x, y, z), sky, blocks))
        return sky[0], blocks[0]

    def explain(self, x, y, z):
        """A sentence that says why a chunk is loaded or not."""
        with self._writer:
            explanation = lib.trn_stream_explain(self._open().pointer, (x, y, z))  # owns the characters
            return ffi.string(explanation.sentence).decode()
