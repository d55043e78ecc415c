"""Meshes and light of chunks."""
import numpy

from ._library import Object, Writer, check_chunk, check_result, ffi, lib
from ._constants import TRN_AROUND_CENTRE, TRN_LIGHT_EDGE, TRN_LIGHT_VARIES, TRN_MESH_SCRATCH_BYTES

VERTEX = numpy.dtype({"names": ["position", "normal", "uv", "block", "face", "ao"],
                      "formats": [("<f4", 3), ("<f4", 3), ("<f4", 2), "<u2", "u1", "u1"],
                      "offsets": [ffi.offsetof("TrnMeshVertex", name) for name in ("position", "normal", "uv", "block", "face", "ao")],
                      "itemsize": ffi.sizeof("TrnMeshVertex")})


class Mesh:
    """The mesh of a chunk. `quads` and `first` are the library's own memory, which lasts as long as one of these arrays.

    quads  an array of 8-byte quads
    first  group g is quads[first[g]:first[g + 1]]
    """

    def __init__(self, made):
        self._made = made
        count = lib.trnx_mesh_count(ffi.addressof(made, "info"))
        self.first = numpy.array(list(made.info.first), numpy.uint32)
        self.quads = numpy.empty(0, numpy.uint64)
        if count:
            quads = ffi.gc(made.quads, lambda _pointer, made=made: None)  # keeps the mesh, and so its memory
            self.quads = numpy.frombuffer(ffi.buffer(quads, 8 * count), numpy.uint64)

    def vertices(self, surface=0, offset=(0, 0, 0)):
        """The vertices and the indices of a surface: 0 opaque, 1 cutout, 2 plants, 3 transparent."""
        low, high = lib.trnx_mesh_first_group(surface), lib.trnx_mesh_first_group(surface + 1)
        count = lib.trnx_mesh_vertex_count(ffi.addressof(self._made, "info"), low, high)
        vertices, indices = numpy.empty(count, VERTEX), numpy.empty(lib.trnx_mesh_index_count(count), numpy.uint32)
        if count:
            check_result(lib.trn_mesh_vertices(self._made.quads, ffi.addressof(self._made, "info"), low, high, offset, 0,
                                               ffi.cast("TrnMeshVertex *", ffi.from_buffer(vertices)),
                                               ffi.cast("uint32_t *", ffi.from_buffer(indices))))
        return vertices, indices


class Mesher(Object):
    """Meshes chunks of stores, on one thread at a time."""

    def __init__(self):
        scratch = lib.trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64)
        check_result(lib.TRN_RESULT_OK if scratch else lib.TRN_RESULT_NO_MEMORY)
        self._writer = Writer()
        self._own(scratch, lib.trn_aligned_free)

    def mesh(self, store, x, y, z, missing_is_solid=True):
        """Meshes a loaded chunk of a Store, or of a Reader in its section. NOT_FOUND if it is not loaded. Neighbours that are not
        loaded hide the faces at the border, as rock would: pass missing_is_solid=False to mesh a chunk alone."""
        context, pointer = store._reading()
        with self._writer, context:
            scratch, input_ = self._open().pointer, ffi.new("TrnMeshInput *", lib.trnx_mesh_input(pointer, (x, y, z)))
            if not input_.present >> TRN_AROUND_CENTRE & 1:
                check_chunk(lib.TRN_RESULT_NOT_FOUND, x, y, z)
            input_.missing_is_solid = missing_is_solid
            made = ffi.gc(ffi.new("TrnMesh *"), lib.trn_mesh_free)
            lib.trn_mesh_init(made, ffi.NULL)
            check_result(lib.trn_mesh_build(made, input_, scratch))
        return Mesh(made)


def levels(light):
    """The levels of a TrnLight: an array [y][z][x] of the chunk and a border of one voxel."""
    if light.constant != TRN_LIGHT_VARIES:
        return numpy.full((TRN_LIGHT_EDGE,) * 3, light.constant, numpy.uint8)
    planes = numpy.frombuffer(ffi.buffer(light.planes), numpy.uint64).reshape(4, -1, 1)
    bits = planes >> numpy.arange(TRN_LIGHT_EDGE, dtype=numpy.uint64) & numpy.uint64(1)
    return sum(bits[i].astype(numpy.uint8) << i for i in range(4)).reshape((TRN_LIGHT_EDGE,) * 3)


class Light(Object):
    """Solves the light of chunks, on one thread at a time."""

    def __init__(self):
        out = ffi.new("TrnLightSolver **")
        check_result(lib.trn_light_solver_create(ffi.NULL, out))
        self._writer = Writer()
        self._own(out[0], lib.trn_light_solver_destroy)

    def solve(self, store, x, y, z):
        """The light of the sky and of blocks: two arrays [y][z][x] of 34 x 34 x 34 levels, the chunk and its border."""
        around, sky, blocks = ffi.new("TrnSnapshot[27]"), ffi.new("TrnLight *"), ffi.new("TrnLight *")
        context, pointer = store._reading()
        with self._writer, context:
            solver = self._open().pointer
            if not lib.trn_store_snapshot_around(pointer, (x, y, z), around) >> TRN_AROUND_CENTRE & 1:
                check_chunk(lib.TRN_RESULT_NOT_FOUND, x, y, z)
            lib.trn_light_read(solver, around, lib.trn_store_block_types(pointer))
            lib.trn_light_sky(solver, ffi.NULL, sky)
            lib.trn_light_blocks(solver, ffi.NULL, blocks)
        return levels(sky), levels(blocks)
