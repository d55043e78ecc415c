// Generators as games have them, under a stream: one that writes into the chunks around, and one
// with a global random number. The world is that of the game, voxel for voxel, at any number of
// workers, and chunks come back the same.

#include "testing.h"

#include <pthread.h>

#include <terrane/far.h>
#include <terrane/features.h>
#include <terrane/stream.h>

#define RADIUS 2 // of the world that is compared, in chunks
#define EDGE (2 * RADIUS + 1)
#define WORLD_CHUNKS ((size_t)EDGE * EDGE * EDGE)

/// A game's generator, and what it shares.
typedef struct Land {
    uint64_t seed;
    TrnFeatures features;
    pthread_mutex_t mutex; ///< of the game's random number
    uint64_t random;       ///< the game's global random number
    uint32_t fail_every;   ///< every n-th chunk with features fails; 0: none
    int64_t stray;         ///< how far beyond its tree a feature writes; 0: not at all
} Land;

static uint64_t mix(uint64_t a, uint64_t b)
{
    TestRandom random = {a * UINT64_C(0x9E3779B97F4A7C15) + b};
    return test_random_next(&random);
}

/// The hash of examples/own_generator.c.
static uint64_t hash_cell(uint64_t seed, int64_t x, int64_t y, int64_t z)
{
    uint64_t hash = seed;
    const int64_t axes[3] = {x, y, z};
    for (int i = 0; i < 3; i++) {
        hash += (uint64_t)axes[i] * UINT64_C(0xD1342543DE82EF95) + UINT64_C(0x9E3779B97F4A7C15);
        hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
        hash ^= hash >> 31;
    }
    return hash;
}

// ---- a game that writes into neighbours --------------------------------------------------------

/// The y of the ground, rather smooth.
static int64_t ground_height(uint64_t seed, int64_t x, int64_t z)
{
    return (int64_t)(mix(seed, (uint64_t)(x >> 3)) % 9 + mix(seed + 1, (uint64_t)(z >> 3)) % 9) - 9;
}

static TrnResult ground_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                 bool *uniform)
{
    const Land *land = user;
    const int64_t step = INT64_C(1) << level;
    TrnVoxel low = trn_coord_voxel(coord);
    low = (TrnVoxel){low.x * step, low.y * step, low.z * step};
    *uniform = low.y > 16 || low.y + 32 * step <= -16;
    blocks[0] = low.y > 16 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE;
    for (int64_t i = 0; !*uniform && i < (int64_t)TRN_CHUNK_VOXELS; i++) {
        const int64_t height =
            ground_height(land->seed, low.x + i % 32 * step, low.z + i / 32 % 32 * step);
        blocks[i] = low.y + i / 1024 * step <= height ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    }
    return TRN_RESULT_OK;
}

/// How the game writes a voxel: into the chunk that it generates, or around it.
typedef struct Writer {
    void (*set)(void *target, TrnVoxel voxel, TrnBlock block, bool only_air);
    void *target;
} Writer;

/// The game's trees, with crowns of 9 voxels, and veins of ore, which replace rock.
static void game_place(const Land *land, TrnCoord coord, const Writer *writer)
{
    TestRandom random = {hash_cell(land->seed, coord.x, coord.y, coord.z)};
    const TrnVoxel low = trn_coord_voxel(coord);
    for (uint32_t i = 0; i < 6; i++) {
        const int64_t x = low.x + test_random_range(&random, 0, 31);
        const int64_t z = low.z + test_random_range(&random, 0, 31);
        const int64_t root = ground_height(land->seed, x, z) + 1;
        for (int64_t k = 0; trn_voxel_chunk((TrnVoxel){x, root, z}).y == coord.y && k < 729; k++) {
            const TrnVoxel leaf = {x + k % 9 - 4, root + 6 + k / 81 - 4, z + k / 9 % 9 - 4};
            writer->set(writer->target, leaf, TRN_BLOCK_OAK_LEAVES, true);
            const TrnVoxel trunk = {x, root + k % 7, z};
            writer->set(writer->target, trunk, TRN_BLOCK_OAK_LOG, false);
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        TrnVoxel at = {low.x + test_random_range(&random, 0, 31),
                       low.y + test_random_range(&random, 0, 31),
                       low.z + test_random_range(&random, 0, 31)};
        for (uint32_t k = 0; k < 24; k++) {
            const TrnBlock ore = (TrnBlock)(TRN_BLOCK_STONE + 1 + i);
            writer->set(writer->target, at, ore, false);
            at.x += test_random_range(&random, 0, 1);
            at.z += test_random_range(&random, -1, 1);
            at.y += test_random_range(&random, -1, 0);
        }
    }
    if (land->stray) {
        writer->set(writer->target, (TrnVoxel){low.x + land->stray, low.y, low.z}, 1, false);
    }
}

static void sink_set(void *target, TrnVoxel voxel, TrnBlock block, bool only_air)
{
    if (only_air) {
        trn_feature_add(target, voxel, block);
    } else {
        trn_feature_set(target, voxel, block);
    }
}

static TrnResult land_place(void *user, TrnCoord coord, TrnFeatureSink *sink)
{
    Land *land = user;
    const Writer writer = {sink_set, sink};
    if (land->fail_every &&
        hash_cell(land->seed, coord.x, coord.y, coord.z) % land->fail_every == 0) {
        return TRN_RESULT_CORRUPT;
    }
    game_place(land, coord, &writer);
    return TRN_RESULT_OK;
}

/// The game as it was: one array for the whole world, into which chunk after chunk is written.
typedef struct Whole {
    TrnBlock *blocks; ///< [EDGE + 2]^3 chunks
} Whole;

static TrnBlock *whole_at(const Whole *whole, TrnVoxel voxel)
{
    const int64_t side = (int64_t)(EDGE + 2) * 32, x = voxel.x + side / 2 - 16,
                  y = voxel.y + side / 2 - 16, z = voxel.z + side / 2 - 16;
    const bool is_in = x >= 0 && x < side && y >= 0 && y < side && z >= 0 && z < side;
    return is_in ? &whole->blocks[x + side * (z + side * y)] : NULL;
}

static void whole_set(void *target, TrnVoxel voxel, TrnBlock block, bool only_air)
{
    TrnBlock *at = whole_at(target, voxel);
    if (at && (!only_air || *at == TRN_BLOCK_AIR)) {
        *at = block;
    }
}

static void whole_generate(Whole *whole, Land *land)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const int32_t reach = RADIUS + 1;
    const Writer writer = {whole_set, whole};
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < (EDGE + 2) * (EDGE + 2) * (EDGE + 2); i++) {
            const TrnCoord coord = {i % (EDGE + 2) - reach, i / (EDGE + 2) / (EDGE + 2) - reach,
                                    i / (EDGE + 2) % (EDGE + 2) - reach};
            bool uniform = false;
            if (pass == 1) {
                game_place(land, coord, &writer);
                continue;
            }
            (void)ground_generate(land, coord, 0, blocks, &uniform);
            for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
                TrnVoxel voxel = trn_coord_voxel(coord);
                voxel.x += at % 32;
                voxel.z += at / 32 % 32;
                voxel.y += at / 1024;
                *whole_at(whole, voxel) = blocks[uniform ? 0 : at];
            }
        }
    }
}

// ---- a game with a global random number --------------------------------------------------------

/// The game's rand(): each call changes the number of the whole game.
static uint32_t game_random(Land *land)
{
    land->random = land->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(land->random >> 33);
}

/// Generates as the game does, after seeding its random number from the chunk.
static TrnResult random_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                 bool *uniform)
{
    Land *land = user;
    (void)level;
    *uniform = false;
    pthread_mutex_lock(&land->mutex);
    land->random = hash_cell(land->seed, coord.x, coord.y, coord.z);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = game_random(land) % 50 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
    }
    pthread_mutex_unlock(&land->mutex);
    return TRN_RESULT_OK;
}

// ---- under a stream ----------------------------------------------------------------------------

static TrnGenerator land_open(Land *land, bool has_features)
{
    *land = (Land){.seed = 59};
    assert_int_equal(pthread_mutex_init(&land->mutex, NULL), 0);
    land->features = (TrnFeatures){.ground = trn_generator_def(ground_generate, land),
                                   .place = land_place,
                                   .user = land,
                                   .reach_chunks = 1};
    return has_features ? trn_features_generator(&land->features)
                        : trn_generator_def(random_generate, land);
}

/// Loads the box of the world through a stream.
static void stream_load(TrnStore *store, TrnGenerator generator, uint32_t workers)
{
    TrnStreamDef def = trn_stream_def();
    TrnStream *stream;
    def.store = store;
    def.generator = generator;
    def.workers = workers;
    def.hysteresis_chunks = 0;
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    TrnStreamAnchorId id;
    anchor.radius_chunks = anchor.height_chunks = 2 * RADIUS;
    assert_int_equal(trn_stream_anchor_add(stream, &anchor, &id), TRN_RESULT_OK);
    assert_int_equal(trn_stream_settle(stream, 10000), TRN_RESULT_OK);
    const uint64_t first = trn_stream_stats(stream).generated;
    anchor.position.chunk.x += 40; // leave, so that all is unloaded, and come back
    assert_int_equal(trn_stream_anchor_set(stream, id, &anchor), TRN_RESULT_OK);
    assert_int_equal(trn_stream_settle(stream, 10000), TRN_RESULT_OK);
    assert_null(trn_store_find(store, (TrnCoord){0, 0, 0}));
    anchor.position.chunk.x -= 40;
    assert_int_equal(trn_stream_anchor_set(stream, id, &anchor), TRN_RESULT_OK);
    assert_int_equal(trn_stream_settle(stream, 10000), TRN_RESULT_OK);
    assert_true(trn_stream_stats(stream).generated >= 2 * first);
    trn_stream_destroy(stream);
}

/// Reads the blocks of the box's chunks. @param blocks  [WORLD_CHUNKS] receives them
static void world_read(const TrnStore *store, TrnBlock (*blocks)[TRN_CHUNK_VOXELS])
{
    for (size_t i = 0; i < WORLD_CHUNKS; i++) {
        const TrnCoord coord = {(int32_t)(i % EDGE) - RADIUS, (int32_t)(i / EDGE / EDGE) - RADIUS,
                                (int32_t)(i / EDGE % EDGE) - RADIUS};
        TrnSnapshot voxels;
        assert_int_equal(trn_store_snapshot(store, coord, &voxels), TRN_RESULT_OK);
        trn_snapshot_decode(voxels, blocks[i]);
    }
}

/// The world of a generator under a stream. The caller frees it.
static TrnBlock (*world_of(TrnGenerator generator, uint32_t workers))[TRN_CHUNK_VOXELS]
{
    TrnStore *store;
    TrnBlock(*blocks)[TRN_CHUNK_VOXELS] = malloc(WORLD_CHUNKS * sizeof *blocks);
    assert_non_null(blocks);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    stream_load(store, generator, workers);
    world_read(store, blocks);
    trn_store_destroy(store);
    return blocks;
}

static void a_game_that_writes_into_neighbours_keeps_its_world(void **state)
{
    (void)state;
    Land land;
    const TrnGenerator generator = land_open(&land, true);
    const size_t side = EDGE + 2;
    Whole whole = {calloc(side * side * side, sizeof(TrnBlock[TRN_CHUNK_VOXELS]))};
    assert_non_null(whole.blocks);
    whole_generate(&whole, &land);
    for (uint32_t workers = 0; workers <= 4; workers += 2) {
        TrnBlock(*blocks)[TRN_CHUNK_VOXELS] = world_of(generator, workers);
        uint32_t leaves = 0;
        for (size_t i = 0; i < WORLD_CHUNKS; i++) {
            const TrnVoxel low = {((int64_t)(i % EDGE) - RADIUS) * 32,
                                  ((int64_t)(i / EDGE / EDGE) - RADIUS) * 32,
                                  ((int64_t)(i / EDGE % EDGE) - RADIUS) * 32};
            for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
                const TrnVoxel voxel = {low.x + at % 32, low.y + (int64_t)(at / 1024),
                                        low.z + (int64_t)(at / 32 % 32)};
                if (blocks[i][at] != *whole_at(&whole, voxel)) {
                    fail_msg("%d, %d, %d differs at %u workers", (int)voxel.x, (int)voxel.y,
                             (int)voxel.z, (unsigned)workers);
                }
                leaves += blocks[i][at] == TRN_BLOCK_OAK_LEAVES;
            }
        }
        assert_true(leaves > 10000);
        free(blocks);
    }
    free(whole.blocks);
    pthread_mutex_destroy(&land.mutex);
}

static void a_global_random_number_seeded_by_the_chunk_gives_one_world(void **state)
{
    (void)state;
    Land land;
    const TrnGenerator generator = land_open(&land, false);
    TrnBlock(*alone)[TRN_CHUNK_VOXELS] = world_of(generator, 0);
    assert_memory_not_equal(alone[0], alone[1], sizeof *alone);
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        TrnBlock(*blocks)[TRN_CHUNK_VOXELS] = world_of(generator, workers);
        assert_memory_equal(alone, blocks, WORLD_CHUNKS * sizeof *blocks);
        free(blocks);
    }
    free(alone);
    pthread_mutex_destroy(&land.mutex);
}

// ---- levels of detail --------------------------------------------------------------------------

/// A coarse chunk: its ground, and in each voxel the last that was written into what it covers.
typedef struct Coarse {
    TrnCoord coord;
    uint32_t level;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} Coarse;

static void coarse_set(void *target, TrnVoxel voxel, TrnBlock block, bool only_air)
{
    Coarse *coarse = target;
    const TrnVoxel cell = {voxel.x >> coarse->level, voxel.y >> coarse->level,
                           voxel.z >> coarse->level};
    TrnBlock *at = &coarse->blocks[trn_voxel_local_index(cell)];
    if (trn_coord_equal(trn_voxel_chunk(cell), coarse->coord) &&
        (!only_air || *at == TRN_BLOCK_AIR)) {
        *at = block;
    }
}

static void coarse_make(Coarse *coarse, Land *land)
{
    const Writer writer = {coarse_set, coarse};
    const int32_t edge = 1 << coarse->level,
                  first[3] = {coarse->coord.x * edge - 1, coarse->coord.y * edge - 1,
                              coarse->coord.z * edge - 1};
    bool uniform = false;
    assert_int_equal(ground_generate(land, coarse->coord, coarse->level, coarse->blocks, &uniform),
                     TRN_RESULT_OK);
    for (uint32_t i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
        coarse->blocks[i] = coarse->blocks[0];
    }
    for (int32_t i = 0; i < (edge + 2) * (edge + 2) * (edge + 2); i++) {
        const TrnCoord from = {first[0] + i % (edge + 2), first[1] + i / (edge + 2) / (edge + 2),
                               first[2] + i / (edge + 2) % (edge + 2)};
        game_place(land, from, &writer);
    }
}

static void coarse_levels_show_all_that_features_write(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    static Coarse coarse;
    Land land;
    (void)land_open(&land, true);
    land.features.ground.level_max = 3;
    land.features.level_max = 3;
    const TrnGenerator generator = trn_features_generator(&land.features);
    for (uint32_t level = 1; level <= 3; level++) {
        uint32_t leaves = 0;
        for (int32_t i = 0; i < 8; i++) {
            bool uniform = false;
            coarse.coord = (TrnCoord){i % 2 - 1, i / 4 - 1, i / 2 % 2 - 1};
            coarse.level = level;
            coarse_make(&coarse, &land);
            assert_int_equal(
                trn_generator_generate(&generator, coarse.coord, level, blocks, &uniform),
                TRN_RESULT_OK);
            assert_false(uniform);
            assert_memory_equal(blocks, coarse.blocks, sizeof blocks);
            for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
                leaves += blocks[at] == TRN_BLOCK_OAK_LEAVES;
            }
        }
        assert_true(leaves > 100);
    }
    pthread_mutex_destroy(&land.mutex);
}

/// A house of 9 voxels with a room of 7, which begins in chunk 0; level 2 gets a block of glass.
static TrnResult house_place(void *user, TrnCoord coord, TrnFeatureSink *sink)
{
    (void)user;
    for (int64_t pass = 0; trn_coord_equal(coord, (TrnCoord){0, 0, 0}) && pass < 2; pass++) {
        for (int64_t i = 0; i < 729; i++) {
            const int64_t x = i % 9, y = i / 81, z = i / 9 % 9;
            const bool is_room = x % 8 != 0 && y % 8 != 0 && z % 8 != 0;
            if (pass == 0 || is_room) {
                trn_feature_set(sink, (TrnVoxel){28 + x, y, z},
                                pass == 0 ? TRN_BLOCK_OAK_PLANKS : TRN_BLOCK_AIR);
            }
        }
    }
    if (trn_coord_equal(coord, (TrnCoord){0, 0, 0}) && trn_feature_level(sink) == 2) {
        trn_feature_set(sink, (TrnVoxel){0, 31, 0}, TRN_BLOCK_GLASS);
    }
    return TRN_RESULT_OK;
}

static TrnResult air_generate(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                              bool *uniform)
{
    (void)user, (void)coord, (void)level;
    blocks[0] = TRN_BLOCK_AIR;
    *uniform = true;
    return TRN_RESULT_OK;
}

static TrnBlock block_at(const TrnBlock *blocks, uint32_t x, uint32_t y, uint32_t z)
{
    return blocks[trn_local_index(x, y, z)];
}

static void a_house_with_a_room_is_whole_from_afar(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnCoord origin = {0, 0, 0}, east = {1, 0, 0};
    TrnFeatures features = {.ground = trn_generator_def(air_generate, NULL),
                            .place = house_place,
                            .reach_chunks = 1,
                            .level_max = 2};
    features.ground.level_max = 3;
    const TrnGenerator generator = trn_features_generator(&features);
    bool uniform = true;
    assert_int_equal(trn_generator_generate(&generator, origin, 0, blocks, &uniform), 0);
    assert_int_equal(block_at(blocks, 28, 4, 4), TRN_BLOCK_OAK_PLANKS);
    assert_int_equal(block_at(blocks, 29, 4, 4), TRN_BLOCK_AIR);
    assert_int_equal(trn_generator_generate(&generator, east, 0, blocks, &uniform), 0);
    assert_int_equal(block_at(blocks, 4, 4, 4), TRN_BLOCK_OAK_PLANKS);
    assert_int_equal(trn_generator_generate(&generator, origin, 2, blocks, &uniform), 0);
    for (uint32_t i = 0; i < 27; i++) { // voxels 28..39 along x, 0..11 along y and z
        assert_int_equal(block_at(blocks, 7 + i % 3, i / 9, i / 3 % 3), TRN_BLOCK_OAK_PLANKS);
    }
    assert_int_equal(block_at(blocks, 6, 0, 0), TRN_BLOCK_AIR);
    assert_int_equal(block_at(blocks, 0, 7, 0), TRN_BLOCK_GLASS);
    assert_int_equal(trn_generator_generate(&generator, origin, 3, blocks, &uniform), 0);
    assert_true(uniform); // coarser levels have the ground alone
    features.level_max = TRN_FEATURES_LEVEL_MAX + 1;
    assert_int_equal(trn_generator_generate(&generator, origin, 0, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
}

static TrnResult mesh_nothing(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                              TrnStreamMesh *mesh)
{
    (void)user, (void)job, (void)input, (void)mesh;
    return TRN_RESULT_OK;
}

/// Counts the leaves in the chunks of a level, which are what the generator makes.
static uint32_t level_leaves(const TrnFar *far_view, uint32_t level, TrnGenerator generator)
{
    static TrnBlock made[TRN_CHUNK_VOXELS], shown[TRN_CHUNK_VOXELS];
    static TrnChunk *chunks[4096];
    const TrnStore *store = trn_far_store(far_view, level);
    const size_t count = trn_store_gather(store, trn_box_everything(), chunks, 4096);
    uint32_t leaves = 0;
    for (size_t i = 0; i < count && i < 4096; i++) {
        TrnSnapshot voxels;
        bool uniform = false;
        const TrnCoord coord = chunks[i]->coord;
        assert_int_equal(trn_store_snapshot(store, coord, &voxels), TRN_RESULT_OK);
        trn_snapshot_decode(voxels, shown);
        assert_int_equal(trn_generator_generate(&generator, coord, level, made, &uniform),
                         TRN_RESULT_OK);
        for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
            assert_int_equal(shown[at], made[uniform ? 0 : at]);
            leaves += shown[at] == TRN_BLOCK_OAK_LEAVES;
        }
    }
    return leaves;
}

static void a_far_view_shows_features(void **state)
{
    (void)state;
    Land land;
    TrnStore *store;
    TrnStream *stream;
    TrnFar *far_view;
    TrnStreamAnchorId id;
    TrnStreamDef def = trn_stream_def();
    TrnFarDef far_def = trn_far_def();
    (void)land_open(&land, true);
    land.features.ground.level_max = land.features.level_max = 2;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    def.store = store;
    def.generator = far_def.generator = trn_features_generator(&land.features);
    def.hooks.mesh = far_def.hooks.mesh = mesh_nothing;
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = 2;
    assert_int_equal(trn_stream_anchor_add(stream, &anchor, &id), TRN_RESULT_OK);
    far_def.stream = stream;
    far_def.view = (TrnFarView){.levels = 2, .radius_chunks = 2, .height_chunks = 1};
    far_def.keeps_voxels = true;
    assert_int_equal(trn_far_create(&far_def, &far_view), TRN_RESULT_OK);
    TrnStreamReport near_report = {0}, report = {0};
    for (uint32_t i = 0; i < 20000 && !(near_report.is_idle && report.is_idle); i++) {
        assert_int_equal(trn_stream_update(stream, NULL, &near_report), TRN_RESULT_OK);
        assert_int_equal(trn_far_update(far_view, NULL, &report), TRN_RESULT_OK);
        trn_stream_wait(stream);
    }
    assert_true(near_report.is_idle && report.is_idle);
    for (uint32_t level = 1; level <= 2; level++) {
        assert_true(level_leaves(far_view, level, def.generator) > 100);
    }
    trn_far_destroy(far_view);
    trn_stream_destroy(stream);
    trn_store_destroy(store);
    pthread_mutex_destroy(&land.mutex);
}

// ---- what goes wrong ---------------------------------------------------------------------------

static void features_that_fail_or_reach_too_far_fail_the_chunk(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Land land;
    bool uniform;
    const TrnCoord coord = {0, 3, 0};
    const TrnGenerator generator = land_open(&land, true);
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform), TRN_RESULT_OK);
    land.stray = -32; // one chunk beyond: just within reach
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform), TRN_RESULT_OK);
    land.stray = 64; // two chunks beyond
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform),
                     TRN_RESULT_OUT_OF_RANGE);
    land.stray = INT64_C(1) << 40; // beyond the end of the world
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform), TRN_RESULT_OK);
    land.stray = 0;
    land.fail_every = 1;
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform),
                     TRN_RESULT_CORRUPT);
    land.features.reach_chunks = TRN_FEATURES_REACH_MAX + 1;
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    land.features.reach_chunks = 1;
    land.features.place = NULL;
    assert_int_equal(trn_generator_generate(&generator, coord, 0, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    const TrnGenerator none = trn_features_generator(NULL);
    assert_int_equal(trn_generator_generate(&none, coord, 0, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    pthread_mutex_destroy(&land.mutex);
}

static void a_stream_says_why_a_feature_that_strays_leaves_a_hole(void **state)
{
    (void)state;
    const TrnCoord coord = {0, 0, 0};
    Land land;
    TrnStore *store;
    TrnStream *stream;
    TrnStreamAnchorId id;
    TrnStreamDef def = trn_stream_def();
    def.generator = land_open(&land, true);
    land.stray = 64;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    def.store = store;
    assert_int_equal(trn_stream_create(&def, &stream), TRN_RESULT_OK);
    TrnStreamAnchor anchor = trn_stream_anchor();
    anchor.radius_chunks = anchor.height_chunks = 1;
    assert_int_equal(trn_stream_anchor_add(stream, &anchor, &id), TRN_RESULT_OK);
    const TrnResult result = trn_stream_settle(stream, 40);
    assert_true(result == TRN_RESULT_OUT_OF_RANGE || result == TRN_RESULT_BUSY);
    const TrnStreamExplanation why = trn_stream_explain(stream, coord);
    assert_int_equal(why.failure, TRN_RESULT_OUT_OF_RANGE);
    assert_true(why.tries > 1);
    assert_non_null(strstr(why.sentence, trn_result_text(TRN_RESULT_OUT_OF_RANGE)));
    trn_stream_destroy(stream);
    trn_store_destroy(store);
    pthread_mutex_destroy(&land.mutex);
}

static void chunks_without_features_stay_uniform_to_the_ends_of_the_world(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnCoord ends[2] = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, 2, INT32_MIN}};
    Land land;
    TrnGenerator generator = land_open(&land, true);
    land.features.ground.level_max = 2;
    land.features.ground.has_ceiling = true;
    land.features.ground.ceiling = INT32_MAX;
    generator = trn_features_generator(&land.features);
    assert_int_equal(generator.ceiling, INT32_MAX);
    land.features.ground.ceiling = 1;
    generator = trn_features_generator(&land.features);
    assert_int_equal(generator.ceiling, 2);
    for (int i = 0; i < 2; i++) {
        bool uniform = false;
        assert_int_equal(trn_generator_generate(&generator, ends[i], 0, blocks, &uniform),
                         TRN_RESULT_OK);
    }
    bool uniform = false;
    assert_int_equal(trn_generator_generate(&generator, (TrnCoord){0, 2, 0}, 2, blocks, &uniform),
                     TRN_RESULT_OK);
    assert_true(uniform); // coarse levels have the ground alone by default
    pthread_mutex_destroy(&land.mutex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_that_writes_into_neighbours_keeps_its_world),
        cmocka_unit_test(a_global_random_number_seeded_by_the_chunk_gives_one_world),
        cmocka_unit_test(coarse_levels_show_all_that_features_write),
        cmocka_unit_test(a_house_with_a_room_is_whole_from_afar),
        cmocka_unit_test(a_far_view_shows_features),
        cmocka_unit_test(features_that_fail_or_reach_too_far_fail_the_chunk),
        cmocka_unit_test(a_stream_says_why_a_feature_that_strays_leaves_a_hole),
        cmocka_unit_test(chunks_without_features_stay_uniform_to_the_ends_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
