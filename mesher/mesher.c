#include <terrane/mesher.h>

#include "base/memory.h"
#include "rows.h"

#include <string.h>

/// What a mesh takes first; a chunk of hills shows a few hundred quads.
#define MESH_QUADS_FIRST 512
_Static_assert(MESH_QUADS_FIRST <= TRN_MESH_QUADS_MAX, "growing starts below the bound");

#define MESH_BLOCKS_BYTES sizeof(TrnBlock[TRN_CHUNK_VOXELS])

/// From one voxel to the next along an axis, in the linear index.
enum {
    MESH_STEP_X = 1,
    MESH_STEP_Z = TRN_CHUNK_EDGE,
    MESH_STEP_Y = TRN_CHUNK_EDGE * TRN_CHUNK_EDGE
};

/// The slices of a chunk across one axis. A slice is 32 rows, one above the other along the height axis of the faces, each of 32
/// voxels along their width axis.
typedef struct MeshAxis {
    uint32_t slice_voxels, row_voxels, column_voxels; ///< steps of the linear index
    uint32_t slice_words, row_words;                  ///< steps in the TrnRows of this axis
} MeshAxis;

static const MeshAxis mesh_axes[3] = {
    {MESH_STEP_X, MESH_STEP_Y, MESH_STEP_Z, 1, TRN_CHUNK_EDGE}, // x: rows along z, in order x, y
    {MESH_STEP_Y, MESH_STEP_Z, MESH_STEP_X, TRN_CHUNK_EDGE, 1}, // y: rows along x, in order z, y
    {MESH_STEP_Z, MESH_STEP_Y, MESH_STEP_X, 1, TRN_CHUNK_EDGE}, // z: the same rows along x
};

/// Everything that one build needs, about 26 KiB of stack.
typedef struct MeshWork {
    const TrnMeshInput *input;
    TrnMesh *mesh;
    const TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS] of the centre, or NULL where it is `uniform`
    TrnBlock uniform;
    uint32_t quad_count;
    TrnRowReader reader;
    TrnRows x_rows, z_rows; ///< of the centre, along x and along z
    /// What the neighbours hide of the centre's border, per layer and row of the border slice.
    uint32_t hidden[TRN_FACE_COUNT][TRN_ROW_LAYER_COUNT][TRN_CHUNK_EDGE];
} MeshWork;

/// One slice on its way to quads.
typedef struct MeshPlane {
    TrnFace face;
    uint32_t slice;
    uint32_t visible[TRN_CHUNK_EDGE]; ///< faces that no quad covers yet
    uint32_t links[TRN_CHUNK_EDGE];
} MeshPlane;

static inline const MeshAxis *mesh_axis(TrnFace face)
{
    return &mesh_axes[face / 2];
}

static inline const TrnRows *mesh_rows(const MeshWork *work, TrnFace face)
{
    return face <= TRN_FACE_POS_X ? &work->z_rows : &work->x_rows;
}

/// Where a row stands in the words of mesh_rows().
static inline uint32_t mesh_word(TrnFace face, uint32_t slice, uint32_t row)
{
    return slice * mesh_axis(face)->slice_words + row * mesh_axis(face)->row_words;
}

/// The slice of a chunk that touches the neighbour behind `face`.
static inline uint32_t mesh_edge_slice(TrnFace face)
{
    return face % 2 ? TRN_CHUNK_EDGE - 1 : 0;
}

static inline TrnBlock mesh_block(const MeshWork *work, uint32_t index)
{
    return work->blocks ? work->blocks[index] : work->uniform;
}

/// The 32 blocks of a row of the centre, in place where they lie side by side, otherwise copied.
/// @param copy  [32] room for them; valid as long as the result is used
static const TrnBlock *mesh_row_blocks(const MeshWork *work, TrnFace face, uint32_t slice,
                                       uint32_t row, TrnBlock *copy)
{
    const MeshAxis *axis = mesh_axis(face);
    uint32_t first = slice * axis->slice_voxels + row * axis->row_voxels;
    if (work->blocks && axis->column_voxels == 1) {
        return work->blocks + first;
    }
    for (uint32_t column = 0; column < TRN_CHUNK_EDGE; column++) {
        copy[column] = mesh_block(work, first + column * axis->column_voxels);
    }
    return copy;
}

/// The 32 blocks of the neighbour's row that touches a row of the centre's border.
static void mesh_read_behind(const MeshWork *work, TrnFace face, uint32_t row,
                             TrnBlock blocks[TRN_CHUNK_EDGE])
{
    const TrnSnapshot there = work->input->around[trn_mesh_behind(face)];
    const MeshAxis *axis = mesh_axis(face);
    const uint32_t slice = mesh_edge_slice(face ^ 1);
    uint32_t index = slice * axis->slice_voxels + row * axis->row_voxels;
    if (axis->column_voxels == 1) {
        trn_snapshot_decode_row(there, index / TRN_ROWS_COUNT, index / TRN_CHUNK_EDGE, blocks);
        return;
    }
    for (uint32_t column = 0; column < TRN_CHUNK_EDGE; column++, index += axis->column_voxels) {
        blocks[column] = trn_snapshot_get(there, index);
    }
}

/// Which of `candidates` in a row of the centre hold the same block as the voxels that they touch in another row.
static uint32_t mesh_same(const MeshWork *work, TrnFace face, uint32_t slice, uint32_t row,
                          const TrnBlock *there, uint32_t candidates)
{
    TrnBlock copy[TRN_CHUNK_EDGE];
    const TrnBlock *here = mesh_row_blocks(work, face, slice, row, copy);
    return candidates & trn_row_same(here, there);
}

// ---- borders -----------------------------------------------------------------------------------

static void mesh_hide_border(MeshWork *work, TrnFace face, bool hides)
{
    memset(work->hidden[face], hides ? 0xFF : 0, sizeof(work->hidden[face]));
}

/// What one row of a neighbour hides of the row of the centre that it touches.
static void mesh_read_border_row(MeshWork *work, TrnFace face, uint32_t row)
{
    const TrnRows *rows = mesh_rows(work, face);
    uint32_t slice = mesh_edge_slice(face);
    uint32_t word = mesh_word(face, slice, row);
    uint32_t liquid = rows->layers[TRN_ROW_LAYER_LIQUID][word];
    if ((liquid | rows->layers[TRN_ROW_LAYER_OPAQUE][word]) == 0) {
        // Nothing here to hide, so the neighbour's memory is not touched.
        work->hidden[face][TRN_ROW_LAYER_OPAQUE][row] = 0;
        work->hidden[face][TRN_ROW_LAYER_LIQUID][row] = 0;
        return;
    }
    TrnBlock there[TRN_CHUNK_EDGE];
    mesh_read_behind(work, face, row, there);
    // A reader of its own: liquids met over there say nothing about the centre.
    TrnRowReader reader = trn_row_reader(work->input->types, work->input->type_count);
    TrnRow bits = trn_row_read(&reader, there);
    uint32_t opaque = bits.layers[TRN_ROW_LAYER_OPAQUE];
    liquid &= bits.layers[TRN_ROW_LAYER_LIQUID];
    liquid = liquid ? mesh_same(work, face, slice, row, there, liquid) : 0;
    work->hidden[face][TRN_ROW_LAYER_OPAQUE][row] = opaque;
    work->hidden[face][TRN_ROW_LAYER_LIQUID][row] = opaque | liquid;
}

static void mesh_read_border(MeshWork *work, TrnFace face)
{
    const uint32_t behind = trn_mesh_behind(face);
    const TrnSnapshot there = work->input->around[behind];
    if (!(work->input->present >> behind & 1)) {
        mesh_hide_border(work, face, work->input->missing_is_solid);
        return;
    }
    if (trn_snapshot_is_uniform(there)) {
        TrnRowLayer layer = trn_row_layer(&work->reader, trn_snapshot_uniform(there));
        if (layer != TRN_ROW_LAYER_LIQUID) {
            mesh_hide_border(work, face, layer == TRN_ROW_LAYER_OPAQUE);
            return;
        }
    }
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        mesh_read_border_row(work, face, row);
    }
}

// ---- culling -----------------------------------------------------------------------------------

/// Adds to `hidden` what liquid hides of the same liquid in the slice before it.
static void mesh_hide_liquid(const MeshWork *work, TrnFace face, uint32_t slice, uint32_t next,
                             uint32_t hidden[TRN_CHUNK_EDGE])
{
    const uint32_t *liquid = mesh_rows(work, face)->layers[TRN_ROW_LAYER_LIQUID];
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        uint32_t both = liquid[mesh_word(face, slice, row)] & liquid[mesh_word(face, next, row)];
        // Blocks are compared only where a chunk holds two liquids, which is rare.
        if (both && work->reader.has_many_liquids) {
            TrnBlock copy[TRN_CHUNK_EDGE];
            both = mesh_same(work, face, slice, row, mesh_row_blocks(work, face, next, row, copy),
                             both);
        }
        hidden[row] |= both;
    }
}

/// Which voxels of a slice are hidden by the next slice of the same chunk.
static void mesh_hide_inside(const MeshWork *work, TrnRowLayer layer, TrnFace face, uint32_t slice,
                             uint32_t hidden[TRN_CHUNK_EDGE])
{
    const uint32_t *opaque = mesh_rows(work, face)->layers[TRN_ROW_LAYER_OPAQUE];
    uint32_t next = face % 2 ? slice + 1 : slice - 1;
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        hidden[row] = opaque[mesh_word(face, next, row)];
    }
    if (layer == TRN_ROW_LAYER_LIQUID) {
        mesh_hide_liquid(work, face, slice, next, hidden);
    }
}

/// Fills a plane with the visible faces of a slice. @return whether there are any
static bool mesh_cull(const MeshWork *work, TrnRowLayer layer, MeshPlane *plane)
{
    const TrnRows *rows = mesh_rows(work, plane->face);
    uint32_t inside[TRN_CHUNK_EDGE];
    const uint32_t *hidden = inside;
    if (plane->slice == mesh_edge_slice(plane->face)) {
        hidden = work->hidden[plane->face][layer];
    } else {
        mesh_hide_inside(work, layer, plane->face, plane->slice, inside);
    }
    uint32_t any = 0;
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        uint32_t word = mesh_word(plane->face, plane->slice, row);
        plane->visible[row] = rows->layers[layer][word] & ~hidden[row];
        any |= plane->visible[row];
    }
    if (!any) {
        return false;
    }
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        plane->links[row] = rows->links[mesh_word(plane->face, plane->slice, row)];
    }
    return true;
}

// ---- merging -----------------------------------------------------------------------------------

/// Doubles the room for quads. There is always more to be had: no chunk shows more than TRN_MESH_QUADS_MAX.
static bool mesh_grow(TrnMesh *mesh)
{
    const size_t most = (size_t)TRN_MESH_QUADS_MAX;
    TRN_ASSERT(mesh->capacity < most);
    size_t capacity = mesh->capacity ? mesh->capacity * 2 : MESH_QUADS_FIRST;
    capacity = capacity < most ? capacity : most;
    TrnQuad *quads = trn_take(&mesh->allocator, capacity * sizeof(TrnQuad), TRN_CACHE_LINE);
    if (!quads) {
        return false;
    }
    if (mesh->quads) {
        memcpy(quads, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    }
    trn_give(&mesh->allocator, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    mesh->quads = quads;
    mesh->capacity = capacity;
    return true;
}

/// @param index   linear index of the lowest voxel
/// @param width   1..32; so is height
static inline TrnQuad mesh_quad(uint32_t index, uint32_t width, uint32_t height, TrnFace face,
                                TrnBlock block)
{
    const uint32_t unoccluded = 255; // until ambient occlusion is computed
    uint32_t x = index % TRN_CHUNK_EDGE;
    uint32_t y = index / TRN_ROWS_COUNT;
    uint32_t z = index / TRN_CHUNK_EDGE % TRN_CHUNK_EDGE;
    uint32_t low = x | y << 5 | z << 10 | (width - 1) << 15 | (height - 1) << 20;
    return low | (TrnQuad)face << 25 | (TrnQuad)unoccluded << 28 | (TrnQuad)block << 36;
}

/// How many rows from `row` up show the faces `run`, all of the block at `index`; covers them.
static uint32_t mesh_take_rows(const MeshWork *work, MeshPlane *plane, uint32_t row, uint32_t run,
                               uint32_t index, TrnBlock block)
{
    uint32_t inner = run & run >> 1; // the links that keep the run one block
    uint32_t end = row;
    do {
        plane->visible[end] &= ~run;
        end++;
        index += mesh_axis(plane->face)->row_voxels;
    } while (end < TRN_CHUNK_EDGE && (plane->visible[end] & run) == run &&
             (plane->links[end] & inner) == inner && mesh_block(work, index) == block);
    return end - row;
}

/// Covers the visible faces of a plane with rectangles: as wide as it goes first, then as high.
static bool mesh_merge(MeshWork *work, MeshPlane *plane)
{
    const MeshAxis *axis = mesh_axis(plane->face);
    for (uint32_t row = 0; row < TRN_CHUNK_EDGE; row++) {
        while (plane->visible[row]) {
            uint32_t visible = plane->visible[row];
            uint32_t column = (uint32_t)__builtin_ctz(visible);
            // Bit c: the face c goes on where the face c - 1 left off.
            uint32_t going_on = visible & plane->links[row] << 1;
            uint32_t width = 1 + (uint32_t)__builtin_ctz(~(going_on >> column >> 1));
            uint32_t run = (uint32_t)(((uint64_t)1 << width) - 1) << column;
            uint32_t index = plane->slice * axis->slice_voxels + row * axis->row_voxels +
                             column * axis->column_voxels;
            TrnBlock block = mesh_block(work, index);
            uint32_t height = mesh_take_rows(work, plane, row, run, index, block);
            if (work->quad_count == work->mesh->capacity && !mesh_grow(work->mesh)) {
                return false;
            }
            work->mesh->quads[work->quad_count++] =
                mesh_quad(index, width, height, plane->face, block);
        }
    }
    return true;
}

// ---- building ----------------------------------------------------------------------------------

/// Decodes the centre, where it is not uniform, into the mesh's scratch.
static bool mesh_decode_centre(MeshWork *work)
{
    TrnMesh *mesh = work->mesh;
    if (!mesh->blocks) {
        mesh->blocks = trn_take(&mesh->allocator, MESH_BLOCKS_BYTES, TRN_CACHE_LINE);
    }
    if (!mesh->blocks) {
        return false;
    }
    trn_snapshot_decode(work->input->around[TRN_MESH_CENTRE], mesh->blocks);
    work->blocks = mesh->blocks;
    return true;
}

static bool mesh_read_centre(MeshWork *work)
{
    const TrnSnapshot centre = work->input->around[TRN_MESH_CENTRE];
    if (trn_snapshot_is_uniform(centre)) {
        work->uniform = trn_snapshot_uniform(centre);
        trn_rows_fill(&work->x_rows, &work->reader, work->uniform);
        trn_rows_fill(&work->z_rows, &work->reader, work->uniform);
        return true;
    }
    if (!mesh_decode_centre(work)) {
        return false;
    }
    trn_rows_read(&work->x_rows, &work->reader, work->blocks);
    trn_rows_turn(&work->z_rows, &work->x_rows, work->blocks);
    return true;
}

/// All quads of one layer and one direction.
static bool mesh_face(MeshWork *work, TrnRowLayer layer, TrnFace face)
{
    // Nothing inside a uniform chunk shows, only its border may.
    bool uniform = !work->blocks;
    uint32_t first = uniform ? mesh_edge_slice(face) : 0;
    uint32_t last = uniform ? first : TRN_CHUNK_EDGE - 1;
    for (uint32_t slice = first; slice <= last; slice++) {
        MeshPlane plane;
        plane.face = face;
        plane.slice = slice;
        if (mesh_cull(work, layer, &plane) && !mesh_merge(work, &plane)) {
            return false;
        }
    }
    return true;
}

/// All quads of one layer; `first` receives where each direction starts.
static bool mesh_layer(MeshWork *work, TrnRowLayer layer, uint32_t first[TRN_FACE_COUNT + 1])
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        first[face] = work->quad_count;
        if (!mesh_face(work, layer, (TrnFace)face)) {
            return false;
        }
    }
    first[TRN_FACE_COUNT] = work->quad_count;
    return true;
}

static void mesh_clear(TrnMesh *mesh)
{
    memset(mesh->opaque_first, 0, sizeof(mesh->opaque_first));
    memset(mesh->liquid_first, 0, sizeof(mesh->liquid_first));
}

/// Nothing is drawn of a chunk of air, whatever its neighbours: most chunks of a world end here.
static bool mesh_is_air(const MeshWork *work)
{
    const TrnSnapshot centre = work->input->around[TRN_MESH_CENTRE];
    return trn_snapshot_is_uniform(centre) &&
           trn_row_layer(&work->reader, trn_snapshot_uniform(centre)) == TRN_ROW_LAYER_COUNT;
}

static bool mesh_layers(MeshWork *work)
{
    if (!mesh_read_centre(work)) {
        return false;
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        mesh_read_border(work, (TrnFace)face);
    }
    if (!mesh_layer(work, TRN_ROW_LAYER_OPAQUE, work->mesh->opaque_first)) {
        return false;
    }
    if (work->reader.has_liquid) {
        return mesh_layer(work, TRN_ROW_LAYER_LIQUID, work->mesh->liquid_first);
    }
    for (int face = 0; face <= TRN_FACE_COUNT; face++) {
        work->mesh->liquid_first[face] = work->quad_count;
    }
    return true;
}

void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator)
{
    TrnMesh empty = {.allocator = trn_allocator_or_default(allocator)};
    *mesh = empty;
}

void trn_mesh_free(TrnMesh *mesh)
{
    if (!mesh) {
        return;
    }
    trn_give(&mesh->allocator, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    trn_give(&mesh->allocator, mesh->blocks, MESH_BLOCKS_BYTES);
    mesh->quads = NULL;
    mesh->blocks = NULL;
    mesh->capacity = 0;
    mesh_clear(mesh);
}

TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input)
{
    if (!mesh || !input || !(input->present >> TRN_MESH_CENTRE & 1) || !input->types ||
        input->type_count == 0) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    mesh_clear(mesh);
    MeshWork work; // the big arrays are filled where they are needed, not zeroed first
    work.input = input;
    work.mesh = mesh;
    work.blocks = NULL;
    work.quad_count = 0;
    work.reader = trn_row_reader(input->types, input->type_count);
    if (mesh_is_air(&work) || mesh_layers(&work)) {
        return TRN_RESULT_OK;
    }
    mesh_clear(mesh);
    return TRN_RESULT_NO_MEMORY;
}
