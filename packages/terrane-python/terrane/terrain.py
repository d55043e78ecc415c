"""Land from a seed, and generators of a program's own."""
import numpy

from ._library import Object, check_result, error_of, ffi, lib

EDGE = 32
VOXELS = EDGE ** 3
SAMPLE = numpy.dtype({"names": ["height", "biome", "top", "surface", "surface_y"],
                      "formats": ["<i8", "<u4", "<u2", "<u2", "<i8"],
                      "offsets": [ffi.offsetof("TrnTerrainSample", name) for name in ("height", "biome", "top", "surface", "surface_y")],
                      "itemsize": ffi.sizeof("TrnTerrainSample")})


def blocks_array(out=None, writable=True):
    """An array [y][z][x] of 32 x 32 x 32 blocks: `out`, checked, or a new one. Arrays of uint16 are passed on without a copy; other
    integers are copied if the array is only read."""
    if out is None:
        return numpy.empty((EDGE, EDGE, EDGE), numpy.uint16)
    array = out if writable else numpy.ascontiguousarray(_as_ids(out))
    if not isinstance(array, numpy.ndarray) or array.dtype != numpy.uint16 or array.size != VOXELS or not array.flags.c_contiguous \
            or (writable and not array.flags.writeable):
        raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, "Blocks are a contiguous numpy array of 32 x 32 x 32 uint16, by y, z and x.")
    return array


def _as_ids(blocks):
    """Blocks as an array of uint16. A number that is no id is an error, not another block."""
    array = numpy.asarray(blocks)
    if array.dtype == numpy.uint16:
        return array
    if array.dtype.kind not in "iu" or (array.size and (array.min() < 0 or array.max() > 0xFFFF)):
        raise error_of(lib.TRN_RESULT_BAD_ARGUMENT, "Blocks are integers from 0 to 65535.")
    return array.astype(numpy.uint16)


def blocks_pointer(array):
    """What C reads or writes. It keeps the array, which may have no other reference."""
    return ffi.from_buffer("TrnBlock[]", array)


class Terrain(Object):
    """The built-in land. Any number of threads may call it at once.

    Terrain(seed=23, preset="alps", mountains=1.5): the settings are the fields of TrnTerrainShape.
    """

    def __init__(self, seed=None, preset=None, version=None, **shape):
        definition = ffi.new("TrnTerrainDef *", lib.trn_terrain_def())
        if preset is not None:
            check_result(lib.trn_terrain_shape_preset(preset.encode(), ffi.addressof(definition, "shape")), f'There is no preset "{preset}".')
        if seed is not None:
            definition.seed = seed
        if version is not None:
            definition.version = version
        for name, value in shape.items():
            if name not in dict(ffi.typeof("TrnTerrainShape").fields):
                raise TypeError(f"a terrain has no setting {name!r}")
            setattr(definition.shape, name, value)
        fault = lib.trn_terrain_def_fault(definition)
        out = ffi.new("TrnTerrain **")
        check_result(lib.trn_terrain_create(definition, out), ffi.string(fault).decode() if fault else None)
        self._own(out[0], lib.trn_terrain_destroy)

    def generate(self, x, y, z, level=0, out=None):
        """Generates a chunk into an array [y][z][x], which is returned: `out`, or a new one."""
        pointer, array, uniform = self._open().pointer, blocks_array(out), ffi.new("bool *")
        check_result(lib.trn_terrain_generate_level(pointer, (x, y, z), level, blocks_pointer(array), uniform))
        if uniform[0]:
            array.fill(array.flat[0])
        return array

    def height(self, x, z):
        """The y of the topmost voxel of the ground."""
        height = ffi.new("int64_t *")
        check_result(lib.trn_terrain_height(self._open().pointer, x, z, height))
        return height[0]

    def sample(self, chunk_x, chunk_z, level=0):
        """The surface at each 2^level-th voxel column of a chunk: an array [z][x] with height, biome, top, surface and surface_y."""
        samples = numpy.empty((EDGE, EDGE), SAMPLE)
        check_result(lib.trn_terrain_sample_level(self._open().pointer, chunk_x, chunk_z, level,
                                                  ffi.cast("TrnTerrainSample *", ffi.from_buffer(samples))))
        return samples

    def _generator(self, _stream):
        """As a stream wants it: (a TrnGenerator, what must outlive it)."""
        return lib.trn_terrain_generator(self._open().pointer), None


class Generator:
    """A generator of a program's own: `function(x, y, z, level, blocks)` fills the array [y][z][x], or returns the one block of the chunk.

    Streams call it on threads of theirs. What it raises is raised by the stream's next call, and the chunk is tried again later.
    """

    def __init__(self, function, level_max=0, ceiling=None):
        self.function, self.level_max, self.ceiling = function, level_max, ceiling

    def _generator(self, stream):
        def generate(_user, coord, level, blocks, uniform):
            try:
                array = numpy.zeros((EDGE, EDGE, EDGE), numpy.uint16)  # its own memory, since the function may keep it
                block = stream.writer.lend(self.function, coord.x, coord.y, coord.z, level, array)
                uniform[0] = block is not None
                if block is None:
                    ffi.memmove(blocks, blocks_pointer(array), 2 * VOXELS)
                else:
                    blocks[0] = block
                return lib.TRN_RESULT_OK
            except BaseException as error:  # nothing may pass through C
                stream.raised = error
                return lib.TRN_RESULT_BAD_ARGUMENT

        callback = ffi.callback("TrnGenerateFn", generate, error=lib.TRN_RESULT_BAD_ARGUMENT)
        made = ffi.new("TrnGenerator *", {"generate": callback, "level_max": self.level_max, "has_ceiling": self.ceiling is not None,
                                          "ceiling": self.ceiling or 0})
        return made[0], (callback, made)
