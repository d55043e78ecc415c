// Meshes one chunk: checks the input, prepares the work, and runs the kernels of each surface. Also
// meshes in memory that grows, and meshes with chosen kernels (mesher_internal.h).

#include <terrane/mesher.h>

#include <string.h>

#include "base/memory.h"
#include "base/zone.h"
#include "mesh_kernels.h"
#include "mesher_internal.h"
#include "voxels/voxel_payload_internal.h"

// ---- light --------------------------------------------------------------------------------------

// Rounded to the nearest, halves up. A count of 0 gives 0: its sum is 0 too.
#define MESH_LIGHT_MEAN(sum, count) (((2 * (sum) + (count)) / (2 * (count) + !(count))) & 15)
#define MESH_LIGHT_SKY(i) MESH_LIGHT_MEAN((i)&63, (i) >> 6)
#define MESH_LIGHT_BLOCKS(i) (MESH_LIGHT_MEAN((i) >> 3, (i)&7) << 4)
#define MESH_LIGHT_8(mean, i)                                                                      \
    mean(i), mean((i) + 1), mean((i) + 2), mean((i) + 3), mean((i) + 4), mean((i) + 5),            \
        mean((i) + 6), mean((i) + 7)
#define MESH_LIGHT_64(mean, i)                                                                     \
    MESH_LIGHT_8(mean, i), MESH_LIGHT_8(mean, (i) + 8), MESH_LIGHT_8(mean, (i) + 16),              \
        MESH_LIGHT_8(mean, (i) + 24), MESH_LIGHT_8(mean, (i) + 32), MESH_LIGHT_8(mean, (i) + 40),  \
        MESH_LIGHT_8(mean, (i) + 48), MESH_LIGHT_8(mean, (i) + 56)
#define MESH_LIGHT_512(mean)                                                                       \
    MESH_LIGHT_64(mean, 0), MESH_LIGHT_64(mean, 64), MESH_LIGHT_64(mean, 128),                     \
        MESH_LIGHT_64(mean, 192), MESH_LIGHT_64(mean, 256), MESH_LIGHT_64(mean, 320),              \
        MESH_LIGHT_64(mean, 384), MESH_LIGHT_64(mean, 448)

const uint8_t trn_mesh_mean_sky[512] = {MESH_LIGHT_512(MESH_LIGHT_SKY)};
const uint8_t trn_mesh_mean_blocks[512] = {MESH_LIGHT_512(MESH_LIGHT_BLOCKS)};

static bool mesh_light_is_level(const TrnLight *light)
{
    return !light || light->constant < 1u << TRN_LIGHT_LEVELS ||
           light->constant == TRN_LIGHT_VARIES;
}

/// Returns whether an input's levels are levels.
static bool mesh_light_is_valid(const TrnMeshInput *input)
{
    return mesh_light_is_level(input->sky) && mesh_light_is_level(input->blocks);
}

static TrnMeshLevels mesh_light_levels(const TrnLight *light, uint32_t otherwise)
{
    TrnMeshLevels levels = {.constant = light ? light->constant : otherwise};
    levels.planes = levels.constant == TRN_LIGHT_VARIES ? light->planes : NULL;
    return levels;
}

/// Fills in the levels of the work, and whether they vary.
static void mesh_light_read(TrnMeshWork *work)
{
    work->levels[0] = mesh_light_levels(work->input->sky, (1u << TRN_LIGHT_LEVELS) - 1);
    work->levels[1] = mesh_light_levels(work->input->blocks, 0);
    work->has_light = work->levels[0].planes || work->levels[1].planes;
    work->light_low = TRN_MESH_EDGE; // nothing is prepared
    work->corners_axis = TRN_MESH_NO_AXIS;
}

/// The initial capacity; a chunk of hills has a few hundred quads.
#define MESH_QUADS_FIRST 512
#define MESH_MODEL_FACES_FIRST 256
_Static_assert(MESH_QUADS_FIRST <= TRN_MESH_QUADS_MAX, "growing starts below the bound");

// ---- input -------------------------------------------------------------------------------------

static TrnMask mesher_find_mask(const TrnMeshInput *input, uint32_t place)
{
    const TrnSnapshot there = input->around[place];
    if (!(input->present >> place & 1)) {
        return trn_mask_uniform(input->missing_is_solid);
    }
    if (trn_snapshot_is_uniform(there)) {
        const TrnBlockKind kind = trn_mesh_kind(input, trn_snapshot_uniform(there));
        return trn_mask_uniform(kind == TRN_BLOCK_KIND_OPAQUE);
    }
    return trn_payload_opaque_mask(trn_snapshot_payload(there));
}

static void mesher_find_masks(TrnMeshWork *work)
{
    const bool is_plain = work->input->without_ao && !work->has_light && !work->input->open_sides;
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        // Chunks across edges and corners matter for ambient occlusion, light and open sides alone.
        work->opaque[place] = is_plain && !trn_around_is_at_face(place)
                                  ? trn_mask_uniform(false)
                                  : mesher_find_mask(work->input, place);
    }
}

static void mesher_read_centre(TrnMeshWork *work)
{
    const TrnSnapshot centre = work->input->around[TRN_AROUND_CENTRE];
    work->decoded = 0;
    work->entries = work->scratch->entries;
    work->palette = work->small_palette;
    if (trn_snapshot_is_uniform(centre)) {
        work->small_palette[0] = trn_snapshot_uniform(centre);
        return;
    }
    TrnPalette palette;
    trn_snapshot_palette(centre, &palette);
    work->payload = trn_snapshot_payload(centre);
    if (palette.count == 0) {
        trn_snapshot_decode(centre, work->scratch->blocks);
        work->blocks = work->scratch->blocks;
    } else if (palette.count > sizeof work->small_palette / sizeof *work->small_palette) {
        work->palette = palette.blocks;
    } else {
        memcpy(work->small_palette, palette.blocks, palette.count * sizeof *palette.blocks);
    }
}

/// Returns whether the neighbour behind a face surely hides a uniform chunk's side. Only uniform
/// and missing neighbours are checked.
static bool mesher_neighbour_hides(const TrnMeshInput *input, TrnFace face, TrnBlock block)
{
    if (trn_mesh_is_open(input, face) && trn_mesh_kind(input, block) == TRN_BLOCK_KIND_OPAQUE) {
        return false;
    }
    const uint32_t behind = trn_mesh_behind(face);
    const TrnSnapshot there = input->around[behind];
    if (!(input->present >> behind & 1)) {
        return input->missing_is_solid;
    }
    if (trn_snapshot_is_uniform(there)) {
        const TrnBlock other = trn_snapshot_uniform(there);
        return other == block || trn_mesh_kind(input, other) == TRN_BLOCK_KIND_OPAQUE;
    }
    return false; // the kernels compare masks faster
}

/// Returns whether a chunk needs no quads: it is air, or uniform and enclosed by its own block or
/// opaque ones. Most chunks of a world end here.
static bool mesher_shows_nothing(const TrnMeshInput *input)
{
    const TrnSnapshot centre = input->around[TRN_AROUND_CENTRE];
    if (!trn_snapshot_is_uniform(centre)) {
        return false;
    }
    const TrnBlock block = trn_snapshot_uniform(centre);
    const TrnBlockKind kind = trn_mesh_kind(input, block);
    if (kind != TRN_BLOCK_KIND_OPAQUE && kind != TRN_BLOCK_KIND_LIQUID &&
        kind != TRN_BLOCK_KIND_TRANSPARENT) {
        return kind == TRN_BLOCK_KIND_AIR; // all others show faces inside the chunk
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!mesher_neighbour_hides(input, (TrnFace)face, block)) {
            return false;
        }
    }
    return true;
}

/// Returns whether the chunk holds a model, or cannot tell without a look at its voxels.
static bool mesher_may_have_models(const TrnMeshInput *input)
{
    const TrnSnapshot centre = input->around[TRN_AROUND_CENTRE];
    TrnPalette palette;
    trn_snapshot_palette(centre, &palette);
    bool has_any = palette.count == 0;
    for (uint32_t i = 0; i < palette.count; i++) {
        has_any |= trn_mesh_kind(input, palette.blocks[i]) == TRN_BLOCK_KIND_MODEL;
    }
    return has_any;
}

static bool mesher_is_valid_input(const TrnMeshInput *input, const void *scratch)
{
    return input && input->present >> TRN_AROUND_CENTRE & 1 && input->types && input->type_count &&
           mesh_light_is_valid(input) && scratch && (uintptr_t)scratch % TRN_CACHE_LINE == 0;
}

// ---- output ------------------------------------------------------------------------------------

static void mesher_find_bounds(TrnMeshWork *work)
{
    const uint32_t shown[3] = {work->shown_x, work->shown_y, work->shown_z};
    for (int axis = 0; axis < 3; axis++) {
        if (shown[axis]) {
            work->info.min[axis] = (uint8_t)__builtin_ctz(shown[axis]);
            work->info.max[axis] = (uint8_t)(31 - __builtin_clz(shown[axis]));
        }
    }
}

static void mesher_append_surfaces(TrnMeshWork *work)
{
    mesher_find_masks(work);
    mesher_read_centre(work);
    trn_mesh_find_surfaces(work);
    work->kernels->append[TRN_MESH_SURFACE_OPAQUE](work); // its groups start at 0 until then
    for (uint32_t surface = TRN_MESH_SURFACE_OPAQUE + 1; surface < TRN_MESH_SURFACE_COUNT;
         surface++) {
        const uint32_t end = trn_mesh_first_group(surface + 1);
        for (uint32_t group = trn_mesh_first_group(surface); group < end; group++) {
            work->info.first[group] = (uint32_t)work->count;
        }
        if (work->has[surface]) {
            work->kernels->append[surface](work);
        }
    }
    work->info.first[TRN_MESH_GROUP_COUNT] = (uint32_t)work->count;
    mesher_find_bounds(work);
}

#if defined(TRN_ENABLE_ASSERT)
/// The payloads of an input, to detect that they change during the call.
typedef struct MesherPayloads {
    TrnPoolId slots[TRN_AROUND_COUNT];
} MesherPayloads;

static MesherPayloads mesher_payloads(const TrnMeshInput *input)
{
    MesherPayloads payloads = {{{0}}};
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        const TrnSnapshot there = input->around[place];
        if (input->present >> place & 1 && !trn_snapshot_is_uniform(there)) {
            // A payload without kernels was released: the read section of the snapshot has ended.
            const TrnPayload *payload = trn_snapshot_payload(there);
            TRN_ASSERT(payload->kernels);
            payloads.slots[place] = trn_payload_owner_const(payload)->slot;
        }
    }
    return payloads;
}

/// Asserts that no payload was released during the call, even if its memory is in use again.
static void mesher_check_payloads(const TrnMeshInput *input, const MesherPayloads *before)
{
    const MesherPayloads now = mesher_payloads(input);
    TRN_ASSERT(memcmp(&now, before, sizeof now) == 0);
}
#else
typedef char MesherPayloads;

static MesherPayloads mesher_payloads(const TrnMeshInput *input)
{
    (void)input;
    return 0;
}

static void mesher_check_payloads(const TrnMeshInput *input, const MesherPayloads *before)
{
    (void)input;
    (void)before;
}
#endif

/// Adds the game's own bytes to all quads, which fit.
static void mesher_put_user_bytes(const TrnMeshWork *work)
{
    for (size_t i = 0; i < work->count; i++) {
        const TrnQuad quad = work->quads[i];
        const uint32_t face = trn_quad_face(quad);
        const uint8_t *bytes =
            work->input->user_bytes[face < TRN_FACE_COUNT ? face : TRN_FACE_POS_Y];
        if (bytes) {
            const uint32_t voxel =
                trn_local_index(trn_quad_x(quad), trn_quad_y(quad), trn_quad_z(quad));
            work->quads[i] |= (TrnQuad)bytes[voxel] << 52;
        }
    }
}

/// The same for the faces of models.
static void mesher_put_model_bytes(const TrnMeshInput *input, TrnModelFace *faces, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *bytes = input->user_bytes[trn_model_face_face(&faces[i])];
        const uint32_t voxel = trn_local_index(
            trn_model_face_x(&faces[i]), trn_model_face_y(&faces[i]), trn_model_face_z(&faces[i]));
        faces[i].look |= (bytes ? (uint32_t)bytes[voxel] : 0) << 24;
    }
}

static bool mesher_has_user_bytes(const TrnMeshInput *input)
{
    bool has_any = false;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        has_any |= input->user_bytes[face] != NULL;
    }
    return has_any;
}

/// Finishes the light of all quads, which fit.
static void mesher_put_light(TrnMeshWork *work, uint32_t *light)
{
    if (!work->count) {
        work->info.light = 0;
    } else if (work->has_light) {
        work->info.light = work->kernels->put_light(work, work->quads, work->count, light);
    } else {
        work->info.light = TRN_MESH_LIGHT(work->levels[0].constant, work->levels[1].constant);
    }
    if (work->count && work->input->open_sides && (work->input->sky || work->input->blocks)) {
        work->info.light = trn_mesh_open_light(work, light);
    }
}

/// @param kernels  NULL means the fastest
static void mesher_begin(TrnMeshWork *work, const TrnMeshKernels *kernels,
                         const TrnMeshInput *input, void *scratch)
{
    memset(work, 0, offsetof(TrnMeshWork, transparent_same));
    work->input = input;
    work->scratch = scratch;
    work->kernels = kernels ? kernels : trn_kernels_named(&trn_mesh_kernels, NULL);
    mesh_light_read(work);
}

/// @param kernels  NULL means the fastest
static TrnResult mesher_run(const TrnMeshKernels *kernels, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, uint32_t *light, size_t capacity, TrnMeshInfo *info)
{
    if (!mesher_is_valid_input(input, scratch) || !info || (!quads && capacity) ||
        (!light && capacity && (input->sky || input->blocks))) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const MesherPayloads payloads = mesher_payloads(input);
    if (mesher_shows_nothing(input)) {
        mesher_check_payloads(input, &payloads);
        memset(info, 0, sizeof *info);
        return TRN_RESULT_OK;
    }
    TrnMeshWork work;
    mesher_begin(&work, kernels, input, scratch);
    work.quads = quads;
    work.capacity = capacity;
    mesher_append_surfaces(&work);
    if (work.count <= capacity) {
        if (mesher_has_user_bytes(input)) {
            mesher_put_user_bytes(&work);
        }
        mesher_put_light(&work, light);
    }
    mesher_check_payloads(input, &payloads);
    *info = work.info;
    return work.count <= capacity ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

TrnResult trn_mesh_quads(const TrnMeshInput *input, void *scratch, TrnQuad *quads, uint32_t *light,
                         size_t capacity, TrnMeshInfo *info)
{
    TRN_ZONE("mesh quads");
    return mesher_run(NULL, input, scratch, quads, light, capacity, info);
}

TrnResult trn_mesh_models(const TrnMeshInput *input, void *scratch, TrnModelFace *faces,
                          size_t capacity, uint32_t *count)
{
    if (!mesher_is_valid_input(input, scratch) || !count || (!faces && capacity)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const MesherPayloads payloads = mesher_payloads(input);
    TrnMeshWork work;
    mesher_begin(&work, NULL, input, scratch);
    size_t all = 0;
    if (mesher_may_have_models(input)) {
        mesher_find_masks(&work);
        mesher_read_centre(&work);
        trn_mesh_find_voxels(&work);
        all = work.has[TRN_MESH_MODELS] ? trn_mesh_put_models(&work, faces, capacity) : 0;
        if (all <= capacity && mesher_has_user_bytes(input)) {
            mesher_put_model_bytes(input, faces, all);
        }
    }
    mesher_check_payloads(input, &payloads);
    *count = (uint32_t)all;
    return all <= capacity ? TRN_RESULT_OK : TRN_RESULT_FULL;
}

TrnResult trn_mesh_quads_by(const char *name, const TrnMeshInput *input, void *scratch,
                            TrnQuad *quads, uint32_t *light, size_t capacity, TrnMeshInfo *info)
{
    const TrnMeshKernels *kernels = trn_kernels_named(&trn_mesh_kernels, name);
    return kernels ? mesher_run(kernels, input, scratch, quads, light, capacity, info)
                   : TRN_RESULT_BAD_ARGUMENT;
}

// ---- growing meshes ----------------------------------------------------------------------------

void trn_mesh_init(TrnMesh *mesh, const TrnAllocator *allocator)
{
    TrnMesh empty = {.allocator = trn_allocator_or_default(allocator)};
    *mesh = empty;
}

static void mesh_free_quads(TrnMesh *mesh)
{
    trn_give(&mesh->allocator, mesh->quads, mesh->capacity * sizeof(TrnQuad));
    trn_give(&mesh->allocator, mesh->light, mesh->capacity * sizeof *mesh->light);
    mesh->quads = NULL;
    mesh->light = NULL;
    mesh->capacity = 0;
    memset(&mesh->info, 0, sizeof mesh->info);
}

static void mesh_free_models(TrnMesh *mesh)
{
    trn_give(&mesh->allocator, mesh->models, mesh->model_capacity * sizeof *mesh->models);
    mesh->models = NULL;
    mesh->model_capacity = 0;
    mesh->model_count = 0;
}

void trn_mesh_free(TrnMesh *mesh)
{
    if (mesh) {
        mesh_free_quads(mesh);
        mesh_free_models(mesh);
    }
}

size_t trn_mesh_bytes(const TrnMesh *mesh)
{
    const size_t quad_bytes = sizeof *mesh->quads + (mesh->light ? sizeof *mesh->light : 0);
    return mesh->capacity * quad_bytes + mesh->model_capacity * sizeof *mesh->models;
}

/// Adds the memory of light to that of the quads. Without memory, frees both.
static bool mesh_add_light(TrnMesh *mesh)
{
    mesh->light = trn_take(&mesh->allocator, mesh->capacity * sizeof *mesh->light, TRN_CACHE_LINE);
    if (!mesh->light) {
        mesh_free_quads(mesh);
    }
    return mesh->light;
}

/// Doubles the capacity until it holds `count` quads. Discards the contents.
static bool mesh_grow(TrnMesh *mesh, uint32_t count, bool has_light)
{
    size_t capacity = mesh->capacity ? mesh->capacity : MESH_QUADS_FIRST;
    while (capacity < count) {
        capacity *= 2;
    }
    capacity = capacity < TRN_MESH_QUADS_MAX ? capacity : TRN_MESH_QUADS_MAX;
    mesh_free_quads(mesh);
    mesh->quads = trn_take(&mesh->allocator, capacity * sizeof(TrnQuad), TRN_CACHE_LINE);
    mesh->capacity = mesh->quads ? capacity : 0;
    return mesh->quads && (!has_light || mesh_add_light(mesh));
}

/// Doubles the capacity until it holds `count` faces of models. Discards the contents.
static bool mesh_grow_models(TrnMesh *mesh, uint32_t count)
{
    size_t capacity = mesh->model_capacity ? mesh->model_capacity : MESH_MODEL_FACES_FIRST;
    while (capacity < count) {
        capacity *= 2;
    }
    mesh_free_models(mesh);
    mesh->models = trn_take(&mesh->allocator, capacity * sizeof *mesh->models, TRN_CACHE_LINE);
    mesh->model_capacity = mesh->models ? capacity : 0;
    return mesh->models;
}

/// Meshes the models of a chunk that has some.
/// @return false without memory
static bool mesh_build_models(TrnMesh *mesh, const TrnMeshInput *input, void *scratch)
{
    uint32_t count = 0;
    if (trn_mesh_models(input, scratch, mesh->models, mesh->model_capacity, &count) ==
        TRN_RESULT_FULL) {
        if (!mesh_grow_models(mesh, count)) {
            return false;
        }
        (void)trn_mesh_models(input, scratch, mesh->models, mesh->model_capacity, &count);
    }
    mesh->model_count = count;
    return true;
}

TrnResult trn_mesh_build(TrnMesh *mesh, const TrnMeshInput *input, void *scratch)
{
    if (!mesh) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const bool has_light = input && (input->sky || input->blocks);
    const size_t capacity = has_light && !mesh->light ? 0 : mesh->capacity;
    TrnMeshInfo info;
    TrnResult result = trn_mesh_quads(input, scratch, mesh->quads, mesh->light, capacity, &info);
    if (result == TRN_RESULT_FULL) {
        if (!mesh_grow(mesh, trn_mesh_count(&info), has_light)) {
            mesh->model_count = 0;
            return TRN_RESULT_NO_MEMORY;
        }
        result = trn_mesh_quads(input, scratch, mesh->quads, mesh->light, mesh->capacity, &info);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    mesh->info = info;
    mesh->model_count = 0;
    if (info.models && !mesh_build_models(mesh, input, scratch)) {
        mesh_free_quads(mesh);
        return TRN_RESULT_NO_MEMORY;
    }
    return TRN_RESULT_OK;
}
