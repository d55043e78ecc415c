// Meshes in a far view: at rest, each is that of the voxels around it, whatever was edited.

#include <terrane/mesher.h>

#include "far_game.h"

#include "base/around.h"

enum { LEVELS = 2, QUADS_MAX = 40000 };

#define OPEN_SIDES ((1u << TRN_FACE_COUNT) - 1)

/// A game whose hooks mesh, and remember what was uploaded.
typedef struct Meshes {
    Game *game;
    TrnCoordMap uploaded[LEVELS + 1]; ///< by level: the hash of each chunk's mesh
    TrnQuad quads[QUADS_MAX];
    void *scratch;
} Meshes;

static Meshes the; // hooks of levels get a GameLevel

static uint64_t meshes_hash(const TrnSnapshot around[TRN_AROUND_COUNT], uint32_t present,
                            uint32_t level)
{
    TrnMeshInput input = {
        .present = present, .missing_is_solid = true, .open_sides = level ? OPEN_SIDES : 0};
    input.types = trn_block_types_all(trn_store_block_types(the.game->store), &input.type_count);
    memcpy(input.around, around, sizeof input.around);
    TrnMeshInfo info;
    uint64_t hash = 1;
    assert_int_equal(trn_mesh_quads(&input, the.scratch, the.quads, NULL, QUADS_MAX, &info),
                     TRN_RESULT_OK);
    for (uint32_t i = 0; i < trn_mesh_count(&info); i++) {
        hash = (hash ^ the.quads[i]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

// ---- hooks -------------------------------------------------------------------------------------

static TrnResult meshes_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                             TrnStreamMesh *mesh)
{
    (void)user;
    uint64_t *hash = malloc(sizeof *hash);
    assert_non_null(hash);
    *hash = meshes_hash(input->around, input->present, job->level);
    *mesh = (TrnStreamMesh){.mesh = hash, .bytes = sizeof *hash};
    return TRN_RESULT_OK;
}

static TrnResult meshes_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    const GameLevel *level = user;
    const TrnAllocator allocator = trn_allocator_default();
    TrnCoordMap *map = &the.uploaded[level->level];
    assert_int_equal(trn_coord_map_reserve(map, &allocator, 1), TRN_RESULT_OK);
    TrnCoordEntry *entry = trn_coord_map_find(map, chunk->coord);
    entry = entry ? entry : trn_coord_map_add(map, chunk->coord);
    entry->number = *(const uint64_t *)mesh->mesh;
    return game_upload(user, chunk, mesh);
}

// ---- the game ----------------------------------------------------------------------------------

/// @param y  of the anchor's chunk
static void meshes_create(bool keeps_voxels, bool mixes_rock, int32_t y)
{
    the = (Meshes){.game = game_create(0, (TrnCoord){1, y, -3}),
                   .scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64)};
    assert_non_null(the.scratch);
    TrnFarDef def = game_far_def(the.game);
    the.game->mixes_rock = mixes_rock;
    def.keeps_voxels = keeps_voxels;
    def.hooks.mesh = meshes_mesh;
    def.hooks.upload = meshes_upload;
    assert_int_equal(trn_far_create(&def, &the.game->far_view), TRN_RESULT_OK);
    game_settle(the.game);
}

static void meshes_destroy(void)
{
    const TrnAllocator allocator = trn_allocator_default();
    game_destroy(the.game);
    trn_aligned_free(the.scratch);
    for (uint32_t level = 0; level <= LEVELS; level++) {
        trn_coord_map_free(&the.uploaded[level], &allocator);
    }
}

/// Compares all meshes of the coarser levels with new ones.
static void meshes_check(void)
{
    const TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    uint32_t checked = 0;
    for (uint32_t level = 1; level <= LEVELS; level++) {
        TrnChunk *chunks[4096];
        TrnStore *store = trn_far_store(the.game->far_view, level);
        const size_t count = trn_store_gather(store, all, chunks, 4096);
        assert_true(count <= 4096);
        for (size_t i = 0; i < count; i++) {
            TrnSnapshot around[TRN_AROUND_COUNT];
            const TrnCoord coord = chunks[i]->coord;
            const uint32_t present = trn_store_snapshot_around(store, coord, around);
            if (!game_is_ready(the.game, level, coord)) {
                continue;
            }
            const TrnCoordEntry *mesh = trn_coord_map_find(&the.uploaded[level], coord);
            assert_non_null(mesh);
            if (present == TRN_AROUND_ALL) { // others keep the mesh of when they had neighbours
                assert_true(mesh->number == meshes_hash(around, present, level));
                checked++;
            }
        }
    }
    assert_true(checked > 100);
}

// ---- tests -------------------------------------------------------------------------------------

/// Sets voxels of a level near the surface and near the borders of chunks.
static void meshes_of_levels_follow_edits(void **state)
{
    (void)state;
    meshes_create(true, false, 1);
    meshes_check();
    TestRandom random = test_random_seeded(5);
    for (uint32_t edit = 0; edit < test_rounds(60, 12); edit++) {
        const uint64_t dice = test_random_next(&random);
        const uint32_t level = 1 + (dice & 1), edge = dice >> 1 & 3;
        const int64_t above = (int64_t)(64 >> level), across = (int64_t)(dice >> 8 & 31);
        // One layer of a chunk at a time: at a corner, at a side, or anywhere.
        const TrnVoxel voxel = {edge & 1 ? across : 32, above - 4 + (int64_t)(dice >> 3 & 7),
                                edge & 2 ? -across : -33};
        assert_int_equal(trn_store_set_block(trn_far_store(the.game->far_view, level), voxel,
                                             (TrnBlock)(1 + (dice >> 20 & 1)), NULL),
                         TRN_RESULT_OK);
        game_settle(the.game);
        meshes_check();
    }
    meshes_destroy();
}

/// Digs holes into buried chunks of level 1, closes them again, and checks meshes.
/// @param sums  [6] receive the sum of the hashes of all meshes after each edit
static void play_walls(bool keeps_voxels, bool mixes_rock, uint64_t sums[6])
{
    meshes_create(keeps_voxels, mixes_rock, -5);
    TrnStore *store = trn_far_store(the.game->far_view, 1);
    const TrnVoxel places[3] = {{16, -80, -48}, {48, -80, -48}, {16, -112, -48}};
    for (size_t i = 0; i < 6; i++) { // a hole, and closed again
        assert_int_equal(trn_store_set_block(store, places[i / 2], i % 2 ? 1 : TRN_BLOCK_AIR, NULL),
                         TRN_RESULT_OK);
        game_settle(the.game);
        if (keeps_voxels) {
            meshes_check();
        }
        const TrnCoordMap *map = &the.uploaded[1];
        sums[i] = 0;
        uint64_t at = 0;
        for (const TrnCoordEntry *entry; (entry = trn_coord_map_next(map, &at));) {
            sums[i] += entry->number;
        }
    }
    meshes_destroy();
}

/// A chunk that is opaque all through shows its open sides, unless the six around it are too: an
/// edit in the middle of one of these shows, also where the voxels of the chunk are omitted.
static void walls_of_buried_chunks_follow_edits(void **state)
{
    (void)state;
    uint64_t uniform[6], kept[6], omitted[6];
    play_walls(true, false, uniform);
    play_walls(true, true, kept);
    play_walls(false, true, omitted);
    assert_true(uniform[0] != uniform[1] && kept[0] != kept[1]);
    assert_memory_equal(kept, omitted, sizeof kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_of_levels_follow_edits),
        cmocka_unit_test(walls_of_buried_chunks_follow_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
