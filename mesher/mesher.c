#include <terrane/mesher.h>

#include "base/memory.h"
#include "mesh_kernel_choice.h"

#include <string.h>

/// What a mesh takes first; a chunk of hills shows a few hundred quads.
#define MESH_QUADS_FIRST 512
_Static_assert(MESH_QUADS_FIRST <= TRN_MESH_QUADS_MAX, "growing starts below the bound");

/// The chunk with a voxel around it.
enum {
    PAD_EDGE = TRN_CHUNK_EDGE + 2,
    PAD_STEP_X = 1,
    PAD_STEP_Z = PAD_EDGE,
    PAD_STEP_Y = PAD_EDGE * PAD_EDGE,
    PAD_VOXELS = PAD_EDGE * PAD_EDGE * PAD_EDGE
};

static const int pad_steps[3] = {PAD_STEP_X, PAD_STEP_Y, PAD_STEP_Z};

/// One face on its way into a quad; 0 is none.
#define KEY_IS_FACE (1u << 24)
#define KEY_IS_FLAT_U (1u << 25) // may go on along the width
#define KEY_IS_FLAT_V (1u << 26)
#define KEY_AO_SHIFT 16

typedef struct MeshScratch {
    TrnBlock blocks[PAD_VOXELS];
    uint8_t kinds[PAD_VOXELS];
    uint32_t keys[TRN_CHUNK_EDGE][TRN_CHUNK_EDGE];
} MeshScratch;

_Static_assert(sizeof(MeshScratch) <= TRN_MESH_SCRATCH_BYTES, "the scratch is enough");

typedef struct MeshWork {
    const TrnMeshInput *input;
    MeshScratch *scratch;
    TrnQuad *quads;
    size_t capacity;
    uint32_t count;
    TrnMeshInfo info;
} MeshWork;

static inline TrnBlockKind mesh_kind(const TrnMeshInput *input, TrnBlock block)
{
    return block < input->type_count ? input->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

static inline int pad_index(int x, int y, int z)
{
    return (x + 1) + (z + 1) * PAD_STEP_Z + (y + 1) * PAD_STEP_Y;
}

/// Reads what of one of the 27 chunks lies in the padded cube.
static void pad_read(const MeshWork *work, int dx, int dy, int dz)
{
    const uint32_t place = (uint32_t)((int)TRN_MESH_CENTRE + dx + 3 * dz + 9 * dy);
    const bool present = work->input->present >> place & 1;
    const int low[3] = {dx < 0 ? 31 : 0, dy < 0 ? 31 : 0, dz < 0 ? 31 : 0};
    const int high[3] = {dx > 0 ? 0 : 31, dy > 0 ? 0 : 31, dz > 0 ? 0 : 31};
    const TrnBlockKind missing =
        work->input->missing_is_solid ? TRN_BLOCK_KIND_OPAQUE : TRN_BLOCK_KIND_AIR;
    for (int y = low[1]; y <= high[1]; y++) {
        for (int z = low[2]; z <= high[2]; z++) {
            for (int x = low[0]; x <= high[0]; x++) {
                const int at = pad_index(x + 32 * dx, y + 32 * dy, z + 32 * dz);
                const uint32_t index = trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z);
                const TrnBlock block =
                    present ? trn_snapshot_get(work->input->around[place], index) : 0;
                work->scratch->blocks[at] = block;
                work->scratch->kinds[at] =
                    (uint8_t)(present ? mesh_kind(work->input, block) : missing);
            }
        }
    }
}

static void pad_read_all(const MeshWork *work)
{
    for (int i = 0; i < 27; i++) {
        pad_read(work, i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1);
    }
}

static bool is_opaque_at(const MeshScratch *scratch, int at)
{
    return scratch->kinds[at] == TRN_BLOCK_KIND_OPAQUE;
}

static uint32_t corner_light(const MeshScratch *scratch, int before, int u, int v)
{
    const uint32_t side_u = is_opaque_at(scratch, before + u);
    const uint32_t side_v = is_opaque_at(scratch, before + v);
    const uint32_t corner = is_opaque_at(scratch, before + u + v);
    return side_u & side_v ? 0 : 3 - side_u - side_v - corner;
}

/// The key of an opaque face that shows.
static uint32_t opaque_key(const MeshWork *work, int at, int before, int u, int v)
{
    const MeshScratch *scratch = work->scratch;
    const uint32_t face = KEY_IS_FACE | scratch->blocks[at];
    if (work->input->without_ao) {
        return face | KEY_IS_FLAT_U | KEY_IS_FLAT_V | 255u << KEY_AO_SHIFT;
    }
    const uint32_t c00 = corner_light(scratch, before, -u, -v);
    const uint32_t c10 = corner_light(scratch, before, u, -v);
    const uint32_t c01 = corner_light(scratch, before, -u, v);
    const uint32_t c11 = corner_light(scratch, before, u, v);
    return face | (c00 | c10 << 2 | c01 << 4 | c11 << 6) << KEY_AO_SHIFT |
           (c00 == c10 && c01 == c11 ? KEY_IS_FLAT_U : 0) |
           (c00 == c01 && c10 == c11 ? KEY_IS_FLAT_V : 0);
}

/// The key of a liquid's or transparent block's face that shows.
static uint32_t clear_key(const MeshWork *work, TrnFace face, int at)
{
    const MeshScratch *scratch = work->scratch;
    const uint8_t above = scratch->kinds[at + PAD_STEP_Y];
    const bool lowered = face != TRN_FACE_NEG_Y && scratch->kinds[at] == TRN_BLOCK_KIND_LIQUID &&
                         (above == TRN_BLOCK_KIND_AIR || above == TRN_BLOCK_KIND_PLANT);
    return KEY_IS_FACE | KEY_IS_FLAT_U | KEY_IS_FLAT_V | (lowered ? 0 : 255u << KEY_AO_SHIFT) |
           scratch->blocks[at];
}

static uint32_t face_key(const MeshWork *work, bool clear, TrnFace face, int at, int u, int v)
{
    const MeshScratch *scratch = work->scratch;
    const int step = pad_steps[face / 2];
    const int before = face % 2 ? at + step : at - step;
    const uint8_t kind = scratch->kinds[at];
    if (is_opaque_at(scratch, before)) {
        return 0;
    }
    if (!clear) {
        return kind == TRN_BLOCK_KIND_OPAQUE ? opaque_key(work, at, before, u, v) : 0;
    }
    const bool is_clear = kind == TRN_BLOCK_KIND_LIQUID || kind == TRN_BLOCK_KIND_TRANSPARENT;
    // A missing neighbour has the block 0, which may be a liquid.
    const bool same =
        scratch->blocks[before] == scratch->blocks[at] && scratch->kinds[before] == kind;
    return is_clear && !same ? clear_key(work, face, at) : 0;
}

static void put_quad(MeshWork *work, const int low[3], const int size[3], uint32_t face,
                     uint32_t width, uint32_t height, uint32_t key)
{
    const uint32_t place = (uint32_t)(low[0] | low[1] << 5 | low[2] << 10);
    for (int axis = 0; axis < 3; axis++) {
        const uint8_t first = (uint8_t)low[axis], last = (uint8_t)(low[axis] + size[axis] - 1);
        TrnMeshInfo *info = &work->info;
        info->min[axis] = work->count && info->min[axis] < first ? info->min[axis] : first;
        info->max[axis] = work->count && info->max[axis] > last ? info->max[axis] : last;
    }
    if (work->count < work->capacity) {
        const uint32_t low_bits = place | (width - 1) << 15 | (height - 1) << 20;
        work->quads[work->count] = low_bits | (TrnQuad)face << 25 |
                                   (TrnQuad)(key >> KEY_AO_SHIFT & 255u) << 28 |
                                   (TrnQuad)(key & 0xFFFFu) << 36;
    }
    work->count++;
}

static uint32_t run_width(const uint32_t *keys, uint32_t u)
{
    uint32_t width = 1;
    while (u + width < TRN_CHUNK_EDGE && keys[u] & KEY_IS_FLAT_U && keys[u + width] == keys[u]) {
        width++;
    }
    return width;
}

static bool is_run(const uint32_t *keys, uint32_t u, uint32_t width, const uint32_t *below)
{
    for (uint32_t i = u; i < u + width; i++) {
        if (keys[i] != below[i] || !(keys[i] & KEY_IS_FLAT_V)) {
            return false;
        }
    }
    return true;
}

static void merge_keys(MeshWork *work, TrnFace face, int slice)
{
    int axes[2];
    trn_quad_axes(face, &axes[0], &axes[1]);
    for (uint32_t v = 0; v < TRN_CHUNK_EDGE; v++) {
        uint32_t *keys = work->scratch->keys[v];
        for (uint32_t u = 0; u < TRN_CHUNK_EDGE; u++) {
            if (!keys[u]) {
                continue;
            }
            const uint32_t key = keys[u], width = run_width(keys, u);
            uint32_t height = 1;
            while (v + height < TRN_CHUNK_EDGE &&
                   is_run(work->scratch->keys[v + height], u, width, keys)) {
                memset(work->scratch->keys[v + height] + u, 0, width * sizeof *keys);
                height++;
            }
            memset(keys + u, 0, width * sizeof *keys);
            int low[3] = {slice, slice, slice}, size[3] = {1, 1, 1};
            low[axes[0]] = (int)u;
            low[axes[1]] = (int)v;
            size[axes[0]] = (int)width;
            size[axes[1]] = (int)height;
            put_quad(work, low, size, face, width, height, key);
        }
    }
}

static void mesh_slice(MeshWork *work, bool clear, TrnFace face, int slice)
{
    int axes[2];
    trn_quad_axes(face, &axes[0], &axes[1]);
    const int u_step = pad_steps[axes[0]], v_step = pad_steps[axes[1]];
    const int first = pad_index(0, 0, 0) + slice * pad_steps[face / 2];
    uint32_t any = 0;
    for (int v = 0; v < TRN_CHUNK_EDGE; v++) {
        for (int u = 0; u < TRN_CHUNK_EDGE; u++) {
            const int at = first + u * u_step + v * v_step;
            any |= work->scratch->keys[v][u] = face_key(work, clear, face, at, u_step, v_step);
        }
    }
    if (any) {
        merge_keys(work, face, slice);
    }
}

static void mesh_faces(MeshWork *work, bool clear, uint32_t *first)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        first[face] = work->count;
        for (int i = 0; i < TRN_CHUNK_EDGE; i++) {
            mesh_slice(work, clear, (TrnFace)face, face % 2 ? i : TRN_CHUNK_EDGE - 1 - i);
        }
    }
}

static void mesh_plants(MeshWork *work)
{
    const int size[3] = {1, 1, 1};
    work->info.first[TRN_MESH_PLANTS] = work->count;
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int low[3] = {i % 32, i / 1024, i / 32 % 32};
        const int at = pad_index(low[0], low[1], low[2]);
        const uint32_t key = work->scratch->blocks[at] | 255u << KEY_AO_SHIFT;
        if (work->scratch->kinds[at] == TRN_BLOCK_KIND_PLANT) {
            put_quad(work, low, size, TRN_QUAD_PLANT_A, 1, 1, key);
            put_quad(work, low, size, TRN_QUAD_PLANT_B, 1, 1, key);
        }
    }
}

/// Nothing is drawn of a chunk of air, whatever its neighbours: most chunks of a world end here.
static bool mesh_is_air(const TrnMeshInput *input)
{
    const TrnSnapshot centre = input->around[TRN_MESH_CENTRE];
    return trn_snapshot_is_uniform(centre) &&
           mesh_kind(input, trn_snapshot_uniform(centre)) == TRN_BLOCK_KIND_AIR;
}

static bool is_good_input(const TrnMeshInput *input, const void *scratch)
{
    return input && input->present >> TRN_MESH_CENTRE & 1 && input->types && input->type_count &&
           scratch && (uintptr_t)scratch % 64 == 0;
}

TrnResult trn_mesh_quads(const TrnMeshInput *input, void *scratch, TrnQuad *quads, size_t capacity,
                         TrnMeshInfo *info)
{
    if (!is_good_input(input, scratch) || !info || (!quads && capacity)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    MeshWork work = {.input = input, .scratch = scratch, .quads = quads, .capacity = capacity};
    if (!mesh_is_air(input)) {
        pad_read_all(&work);
        mesh_faces(&work, false, work.info.first + TRN_MESH_OPAQUE);
        mesh_plants(&work);
        mesh_faces(&work, true, work.info.first + TRN_MESH_TRANSPARENT);
        work.info.first[TRN_MESH_GROUP_COUNT] = work.count;
    }
    *info = work.info;
    return work.count <= capacity ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

const char *trn_mesh_kernels_name(unsigned i)
{
    return i == 0 ? "scalar" : NULL;
}

TrnResult trn_mesh_quads_by(const char *name, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, size_t capacity, TrnMeshInfo *info)
{
    if (name && strcmp(name, "scalar") != 0) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    return trn_mesh_quads(input, scratch, quads, capacity, info);
}

// ---- a mesh that grows --------------------------------------------------------------------------

void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator)
{
    TrnMesh empty = {.allocator = trn_allocator_or_default(allocator)};
    *mesh = empty;
}

static void mesh_drop_quads(TrnMesh *mesh)
{
    trn_give(&mesh->allocator, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    mesh->quads = NULL;
    mesh->capacity = 0;
    memset(&mesh->info, 0, sizeof mesh->info);
}

void trn_mesh_free(TrnMesh *mesh)
{
    if (mesh) {
        mesh_drop_quads(mesh);
    }
}

/// Doubles the room until it holds `count` quads. What is in it is lost.
static bool mesh_grow(TrnMesh *mesh, uint32_t count)
{
    size_t capacity = mesh->capacity ? mesh->capacity : MESH_QUADS_FIRST;
    while (capacity < count) {
        capacity *= 2;
    }
    capacity = capacity < TRN_MESH_QUADS_MAX ? capacity : TRN_MESH_QUADS_MAX;
    mesh_drop_quads(mesh);
    mesh->quads = trn_take(&mesh->allocator, capacity * sizeof(TrnQuad), TRN_CACHE_LINE);
    mesh->capacity = mesh->quads ? capacity : 0;
    return mesh->quads;
}

TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input, void *scratch)
{
    if (!mesh) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnMeshInfo info;
    TrnResult result = trn_mesh_quads(input, scratch, mesh->quads, mesh->capacity, &info);
    if (result == TRN_RESULT_FULL) {
        if (!mesh_grow(mesh, trn_mesh_count(&info))) {
            return TRN_RESULT_NO_MEMORY;
        }
        result = trn_mesh_quads(input, scratch, mesh->quads, mesh->capacity, &info);
    }
    if (result == TRN_RESULT_OK) {
        mesh->info = info;
    }
    return result;
}
