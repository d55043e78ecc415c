/// The fixture of mesh tests: 27 chunks, meshed by every set of kernels and compared with the
/// reference.
#pragma once

#include "mesh_model_reference.h"
#include "mesh_types.h"
#include "mesher_internal.h"
#include "testing.h"

// ---- fixture -----------------------------------------------------------------------------------

enum {
    EDGE = TRN_CHUNK_EDGE,
    AROUND = TRN_AROUND_COUNT,
    CENTRE = (int)TRN_AROUND_CENTRE,
    /// guard quads behind a buffer, and guard bytes behind the scratch
    MESH_GUARD = 4096
};

#define MESH_UNTOUCHED UINT64_C(0xA5C3A5C3A5C3A5C3)
/// What a missing chunk's place holds: not a valid address.
#define MESH_NOWHERE UINT64_C(0xDEADBEEFDEADBE00)

typedef struct Stage {
    uint32_t solid[TRN_BLOCK_BITS_WORDS], opaque[TRN_BLOCK_BITS_WORDS];
    TrnVoxelHeap *heap;
    TrnVoxels chunks[AROUND];
    TrnMeshInput input;
    unsigned char *scratch; ///< [TRN_MESH_SCRATCH_BYTES + MESH_GUARD]
    unsigned char dirt;     ///< fills the scratch of the next mesh
    TrnQuad *memory;        ///< [64 + TRN_MESH_QUADS_MAX + MESH_GUARD]
    /// of the last mesh, up to its capacity: at memory + 1, aligned to 8 bytes and no better
    TrnQuad *quads;
    uint32_t *light; ///< [TRN_MESH_QUADS_MAX + MESH_GUARD] of the last mesh
    TrnMeshInfo info;
    TrnQuad *first_quads;  ///< [TRN_MESH_QUADS_MAX] from the first kernels
    uint32_t *first_light; ///< [TRN_MESH_QUADS_MAX] likewise
    MeshReference *reference;
    TrnLight light_of[2]; ///< what input.sky and input.blocks point to, if anything
    uint8_t user_bytes[2][TRN_CHUNK_VOXELS]; ///< what input.user_bytes point to, if anything
} Stage;

/// Creates chunks of air, none of them missing.
/// @param masks  1: opaque and solid are equal for all blocks; 2: they differ for some
static inline Stage *stage_create(const TrnBlockType *types, uint32_t type_count, int masks)
{
    Stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    stage->input.types = types;
    stage->input.type_count = type_count;
    for (uint32_t block = 0; block < 65536; block++) {
        const uint32_t is_opaque =
            mesh_kind(&stage->input, (TrnBlock)block) == TRN_BLOCK_KIND_OPAQUE;
        const uint32_t is_solid = masks == 1 ? is_opaque : is_opaque | (block % 3 == 0);
        stage->opaque[block / 32] |= is_opaque << block % 32;
        stage->solid[block / 32] |= is_solid << block % 32;
    }
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = stage->solid;
    def.opaque_bits = stage->opaque;
    assert_int_equal(trn_voxel_heap_create(&def, &stage->heap), TRN_RESULT_OK);
    for (int place = 0; place < AROUND; place++) {
        stage->input.around[place] = trn_voxels_snapshot(&stage->chunks[place]);
        stage->input.present |= 1u << place;
    }
    stage->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES + MESH_GUARD, 64);
    stage->memory = trn_aligned_alloc((64 + TRN_MESH_QUADS_MAX + MESH_GUARD) * sizeof(TrnQuad), 64);
    stage->light = malloc((TRN_MESH_QUADS_MAX + MESH_GUARD) * sizeof *stage->light);
    stage->first_quads = malloc(TRN_MESH_QUADS_MAX * sizeof(TrnQuad));
    stage->first_light = malloc(TRN_MESH_QUADS_MAX * sizeof *stage->first_light);
    assert_true(stage->light && stage->first_light);
    stage->reference = mesh_reference_create();
    assert_true(stage->scratch && stage->memory && stage->first_quads && stage->reference);
    stage->quads = stage->memory + 1;
    return stage;
}

static inline Stage *stage_of_test_types(void)
{
    return stage_create(mesh_test_types, TYPE_COUNT, 1);
}

static inline void stage_destroy(Stage *stage)
{
    trn_voxel_heap_destroy(stage->heap);
    trn_aligned_free(stage->scratch);
    trn_aligned_free(stage->memory);
    free(stage->light);
    free(stage->first_quads);
    free(stage->first_light);
    free(stage->reference);
    free(stage);
}

static inline void stage_place(Stage *stage, int place, TrnSnapshot snapshot)
{
    stage->input.around[place] = snapshot;
    stage->input.present |= 1u << place;
}

/// Marks a chunk as missing, with a word in its place that must not be followed.
static inline void stage_miss(Stage *stage, int place)
{
    stage->input.around[place].word = MESH_NOWHERE;
    stage->input.present &= ~(1u << place);
}

static inline void stage_miss_all(Stage *stage)
{
    for (int place = 0; place < AROUND; place++) {
        if (place != CENTRE) {
            stage_miss(stage, place);
        }
    }
}

static inline void stage_fill(Stage *stage, int place, TrnBlock block)
{
    trn_voxels_fill(stage->heap, &stage->chunks[place], block, 0);
    stage_place(stage, place, trn_voxels_snapshot(&stage->chunks[place]));
}

static inline void stage_fill_all(Stage *stage, TrnBlock centre, TrnBlock others)
{
    for (int place = 0; place < AROUND; place++) {
        stage_fill(stage, place, place == CENTRE ? centre : others);
    }
}

/// @param blocks  [TRN_CHUNK_VOXELS]
static inline void stage_encode(Stage *stage, int place, const TrnBlock *blocks)
{
    TrnVoxels *const voxels = &stage->chunks[place];
    assert_int_equal(trn_voxels_encode(stage->heap, voxels, blocks, 0), TRN_RESULT_OK);
    stage_place(stage, place, trn_voxels_snapshot(voxels));
}

/// Returns the block of a voxel; the centre is 0..31. The argument is the caller's.
typedef TrnBlock StageWorld(const void *argument, int x, int y, int z);

/// Encodes all chunks from a world.
/// @param is_whole  reads all voxels; otherwise neighbours are `far` where they do not touch the
///               centre
static inline void stage_build_from(Stage *stage, StageWorld *world, const void *argument,
                                    bool is_whole, TrnBlock far)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int place = 0; place < AROUND; place++) {
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const int x = i % EDGE + (place % 3 - 1) * EDGE;
            const int y = i / (EDGE * EDGE) + (place / 9 - 1) * EDGE;
            const int z = i / EDGE % EDGE + (place / 3 % 3 - 1) * EDGE;
            const bool is_near =
                x >= -1 && x <= EDGE && y >= -1 && y <= EDGE && z >= -1 && z <= EDGE;
            blocks[i] = is_near || is_whole ? world(argument, x, y, z) : far;
        }
        stage_encode(stage, place, blocks);
    }
}

/// Encodes all chunks, with the block `far` where the mesher does not look, which saves most of the
/// time.
static inline void stage_build(Stage *stage, StageWorld *world, const void *argument, TrnBlock far)
{
    stage_build_from(stage, world, argument, false, far);
}

static inline void stage_build_whole(Stage *stage, StageWorld *world, const void *argument)
{
    stage_build_from(stage, world, argument, true, 0);
}

// ---- light -------------------------------------------------------------------------------------

/// Returns the level of a voxel, -1..32. The argument is the caller's.
typedef uint32_t StageLevels(const void *argument, int x, int y, int z);

/// Lights the chunk and its border. @param channel  0 sky, 1 blocks
static inline void stage_light(Stage *stage, int channel, StageLevels *levels, const void *argument)
{
    TrnLight *light = &stage->light_of[channel];
    memset(light, 0, sizeof *light);
    light->constant = TRN_LIGHT_VARIES;
    for (int i = 0; i < TRN_LIGHT_EDGE * TRN_LIGHT_ROWS; i++) {
        const int x = i % TRN_LIGHT_EDGE, row = i / TRN_LIGHT_EDGE;
        const uint32_t level =
            levels(argument, x - 1, row / TRN_LIGHT_EDGE - 1, row % TRN_LIGHT_EDGE - 1);
        for (uint32_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
            light->planes[bit][row] |= (uint64_t)(level >> bit & 1) << x;
        }
    }
    *(channel ? &stage->input.blocks : &stage->input.sky) = light;
}

/// Lights the chunk and its border with one level everywhere. @param level  0..15
static inline void stage_light_evenly(Stage *stage, int channel, uint32_t level)
{
    TrnLight *light = &stage->light_of[channel];
    memset(light, 0xFF, sizeof *light); // the planes mean nothing
    light->constant = (uint8_t)level;
    *(channel ? &stage->input.blocks : &stage->input.sky) = light;
}

/// Lamps, as light spreads from them through air, and a little noise.
typedef struct StageLamps {
    int at[4][3], level[4];
    uint32_t noise; ///< of 256 voxels, how many have another level
    uint32_t seed;
} StageLamps;

static inline uint32_t stage_lamp_level(const void *argument, int x, int y, int z)
{
    const StageLamps *lamps = argument;
    const uint32_t dice = ((uint32_t)(x + 64) * 73856093u ^ (uint32_t)(y + 64) * 19349663u ^
                           (uint32_t)(z + 64) * 83492791u ^ lamps->seed) *
                          2654435761u;
    int level = dice >> 24 < lamps->noise ? (int)(dice >> 16 & 15) : 0;
    for (int i = 0; i < 4; i++) {
        const int distance =
            abs(x - lamps->at[i][0]) + abs(y - lamps->at[i][1]) + abs(z - lamps->at[i][2]);
        level = lamps->level[i] - distance > level ? lamps->level[i] - distance : level;
    }
    return (uint32_t)(level < 15 ? level : 15);
}

/// Gives the input no light, even light, noise or lamps, by chance.
static inline void stage_light_by_chance(Stage *stage, TestRandom *random)
{
    stage->input.sky = stage->input.blocks = NULL;
    for (int channel = 0; channel < 2; channel++) {
        const uint64_t dice = test_random_next(random);
        StageLamps lamps = {.seed = (uint32_t)(dice >> 8)};
        for (int i = 0; i < 4; i++) {
            const uint64_t place = test_random_next(random);
            lamps.level[i] = (int)(place >> 60) * 2; // some reach beyond the chunk
            for (int axis = 0; axis < 3; axis++) {
                lamps.at[i][axis] = (int)(place >> 8 * axis & 63) - 16;
            }
        }
        const uint32_t kind = dice >> 40 & 7;
        lamps.noise = kind == 2 ? 256 : kind == 3 ? 3 : 0;
        if (kind == 1) {
            stage_light_evenly(stage, channel, dice >> 48 & 15);
        } else if (kind > 1) {
            stage_light(stage, channel, stage_lamp_level, &lamps);
        }
    }
}

// ---- options -----------------------------------------------------------------------------------

/// Gives the input bytes of a game, forbids merging, or neither, by chance.
static inline void stage_choose_options(Stage *stage, TestRandom *random)
{
    const uint64_t dice = test_random_next(random);
    memset(stage->input.user_bytes, 0, sizeof stage->input.user_bytes);
    stage->input.without_merging = (dice & 7) == 0;
    if ((dice >> 3 & 3) != 0) {
        return;
    }
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int x = i & 31, z = i >> 5 & 31, y = i >> 10;
        stage->user_bytes[0][i] = (uint8_t)((x / 7 + z / 5 + y / 3) * 85);
        stage->user_bytes[1][i] = (uint8_t)(test_random_next(random) % 50 == 0);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const uint32_t which = dice >> (8 + 2 * face) & 3;
        stage->input.user_bytes[face] = which < 2 ? stage->user_bytes[which] : NULL;
    }
}

// ---- meshing -----------------------------------------------------------------------------------

/// Meshes into a buffer of some capacity, with a scratch full of garbage. Fails if the mesher
/// writes outside, or if the result does not fit the capacity.
static inline TrnResult stage_try(Stage *stage, const char *kernel, size_t capacity)
{
    assert_true(capacity <= TRN_MESH_QUADS_MAX);
    stage->dirt += 0x3B;
    memset(stage->scratch, stage->dirt, TRN_MESH_SCRATCH_BYTES + MESH_GUARD);
    for (size_t i = capacity; i < capacity + MESH_GUARD; i++) {
        stage->quads[i] = MESH_UNTOUCHED;
        stage->light[i] = (uint32_t)MESH_UNTOUCHED;
    }
    memset(&stage->info, stage->dirt, sizeof stage->info);
    TrnMeshInput before;
    memcpy(&before, &stage->input, sizeof before); // including the padding
    const TrnResult result =
        trn_mesh_quads_by(kernel, &stage->input, stage->scratch, capacity ? stage->quads : NULL,
                          capacity ? stage->light : NULL, capacity, &stage->info);
    assert_memory_equal(&stage->input, &before, sizeof before);
    for (size_t i = capacity; i < capacity + MESH_GUARD; i++) {
        if (stage->quads[i] != MESH_UNTOUCHED || stage->light[i] != (uint32_t)MESH_UNTOUCHED) {
            fail_msg("%s: quad %zu written past a capacity of %zu", kernel, i, capacity);
        }
    }
    for (size_t i = 0; i < MESH_GUARD; i++) {
        if (stage->scratch[TRN_MESH_SCRATCH_BYTES + i] != stage->dirt) {
            fail_msg("%s: byte %zu behind the scratch is written", kernel, i);
        }
    }
    if (result != (trn_mesh_count(&stage->info) > capacity ? TRN_RESULT_FULL : TRN_RESULT_OK)) {
        fail_msg("%s: %s for %u quads and a capacity of %zu", kernel, trn_result_text(result),
                 trn_mesh_count(&stage->info), capacity);
    }
    return result;
}

/// Meshes into a buffer that holds any chunk.
static inline void stage_mesh(Stage *stage)
{
    assert_int_equal(stage_try(stage, trn_kernels_name(&trn_mesh_kernels, 0), TRN_MESH_QUADS_MAX),
                     TRN_RESULT_OK);
}

/// Meshes twice: into a buffer that is too small, which returns the count, and into one of exactly
/// that count.
static inline void stage_mesh_by(Stage *stage, const char *kernel, size_t too_little)
{
    stage_try(stage, kernel, too_little);
    const TrnMeshInfo told = stage->info;
    stage_try(stage, kernel, trn_mesh_count(&told));
    assert_true(mesh_info_equal(&told, &stage->info));
}

/// Compares the mesh with the reference, which has been read.
static inline void stage_verify(Stage *stage, const char *kernel)
{
    const char *problem = mesh_reference_problem(stage->reference, stage->quads, &stage->info);
    if (problem) {
        fail_msg("%s: %s", kernel, problem);
    }
    problem = mesh_light_problem(stage->reference, &stage->input, stage->quads, stage->light,
                                 &stage->info);
    if (problem) {
        fail_msg("%s: %s", kernel, problem);
    }
}

/// Fails unless the mesh equals that of the first kernels, bit for bit.
static inline void stage_compare(const Stage *stage, const char *kernel, const TrnMeshInfo *info,
                                 const TrnQuad *quads, const uint32_t *light)
{
    if (!mesh_info_equal(&stage->info, info) || stage->info.light != info->light) {
        fail_msg("%s: groups, bounds or light differ from those of the fastest kernels", kernel);
    }
    if (info->light == TRN_MESH_LIGHT_VARIES) {
        assert_memory_equal(stage->light, light, trn_mesh_count(info) * sizeof *light);
    }
    for (uint32_t i = 0; i < trn_mesh_count(info); i++) {
        if (stage->quads[i] != quads[i]) {
            fail_msg("%s: quad %u of %u is %016llx instead of %016llx", kernel, i,
                     trn_mesh_count(info), (unsigned long long)stage->quads[i],
                     (unsigned long long)quads[i]);
        }
    }
}

/// Meshes models into memory of some capacity, and compares their faces with the reference.
/// @param expected  [count]
static inline void stage_try_models(Stage *stage, const TrnModelFace *expected, uint32_t count,
                                    uint32_t capacity)
{
    TrnModelFace *faces = malloc((capacity + 1) * sizeof *faces);
    assert_non_null(faces);
    memset(faces, 0xA5, (capacity + 1) * sizeof *faces);
    const TrnModelFace untouched = faces[capacity];
    memset(stage->scratch, stage->dirt, TRN_MESH_SCRATCH_BYTES);
    uint32_t found = 0;
    assert_int_equal(
        trn_mesh_models(&stage->input, stage->scratch, capacity ? faces : NULL, capacity, &found),
        capacity < count ? TRN_RESULT_FULL : TRN_RESULT_OK);
    assert_int_equal(found, count);
    assert_memory_equal(&faces[capacity], &untouched, sizeof untouched);
    for (uint32_t i = 0; i < count && capacity >= count; i++) {
        if (memcmp(&faces[i], &expected[i], sizeof faces[i]) != 0) {
            fail_msg("face %u of %u of models is %06x %07x %08x %08x instead of %06x %07x %08x "
                     "%08x (place, rectangle, look, light)",
                     i, count, faces[i].place, faces[i].rectangle, faces[i].look, faces[i].light,
                     expected[i].place, expected[i].rectangle, expected[i].look, expected[i].light);
        }
    }
    free(faces);
}

/// Compares the faces of models with the reference, which has been read.
/// @return how many there are
static inline uint32_t stage_check_models(Stage *stage)
{
    const uint32_t most = stage->reference->models * 6 * TRN_BLOCK_BOXES_MAX;
    TrnModelFace *expected = malloc((most + 1) * sizeof *expected);
    assert_non_null(expected);
    const uint32_t count = mesh_reference_models(stage->reference, &stage->input, expected, most);
    stage_try_models(stage, expected, count, count);
    stage_try_models(stage, expected, count, count / 2);
    free(expected);
    return count;
}

/// Meshes with all kernels, and compares each mesh with the reference or with one that passed.
/// @return how many faces are visible, without those of models
static inline uint32_t stage_check(Stage *stage)
{
    mesh_reference_read(stage->reference, &stage->input);
    (void)stage_check_models(stage);
    stage_mesh_by(stage, trn_kernels_name(&trn_mesh_kernels, 0),
                  (size_t)100 * (stage->dirt % 3)); // includes 0
    stage_verify(stage, trn_kernels_name(&trn_mesh_kernels, 0));
    const TrnMeshInfo info = stage->info;
    const uint32_t count = trn_mesh_count(&info);
    memcpy(stage->first_quads, stage->quads, count * sizeof(TrnQuad));
    memcpy(stage->first_light, stage->light, count * sizeof *stage->light);
    for (unsigned i = 1; trn_kernels_name(&trn_mesh_kernels, i); i++) {
        stage_mesh_by(stage, trn_kernels_name(&trn_mesh_kernels, i), count - count / (i + 1));
        stage_compare(stage, trn_kernels_name(&trn_mesh_kernels, i), &info, stage->first_quads,
                      stage->first_light);
    }
    return stage->reference->face_count;
}

// ---- queries -----------------------------------------------------------------------------------

static inline uint32_t stage_group(const Stage *stage, uint32_t group)
{
    return stage->info.first[group + 1] - stage->info.first[group];
}

static inline uint32_t stage_surface(const Stage *stage, TrnMeshSurface surface)
{
    return stage->info.first[trn_mesh_first_group(surface + 1)] -
           stage->info.first[trn_mesh_first_group(surface)];
}

static inline uint32_t stage_opaque(const Stage *stage)
{
    return stage_surface(stage, TRN_MESH_SURFACE_OPAQUE);
}

static inline uint32_t stage_plants(const Stage *stage)
{
    return stage_surface(stage, TRN_MESH_SURFACE_PLANT);
}

static inline uint32_t stage_cutout(const Stage *stage)
{
    return stage_surface(stage, TRN_MESH_SURFACE_CUTOUT);
}

static inline uint32_t stage_clear(const Stage *stage)
{
    return stage_surface(stage, TRN_MESH_SURFACE_TRANSPARENT);
}

/// Finds the quad that covers a face of a voxel. Fails if there is none.
/// @return its index
static inline uint32_t stage_quad_index(const Stage *stage, TrnFace face, int x, int y, int z)
{
    int width_axis, height_axis;
    trn_quad_axes(face, &width_axis, &height_axis);
    for (uint32_t i = 0; i < trn_mesh_count(&stage->info); i++) {
        const TrnQuad quad = stage->quads[i];
        int from[3] = {x - (int)trn_quad_x(quad), y - (int)trn_quad_y(quad),
                       z - (int)trn_quad_z(quad)};
        const int right = from[width_axis], up = from[height_axis];
        from[width_axis] = from[height_axis] = 0;
        if (trn_quad_face(quad) == face && !from[0] && !from[1] && !from[2] && right >= 0 &&
            up >= 0 && right < (int)trn_quad_width(quad) && up < (int)trn_quad_height(quad)) {
            return i;
        }
    }
    fail_msg("face %d of voxel %d %d %d has no quad", (int)face, x, y, z);
    return 0;
}

/// Returns the quad that covers a face of a voxel. Fails if there is none.
static inline TrnQuad stage_quad(const Stage *stage, TrnFace face, int x, int y, int z)
{
    return stage->quads[stage_quad_index(stage, face, x, y, z)];
}
