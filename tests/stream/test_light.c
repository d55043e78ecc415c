// Light of the stream against a breadth-first queue over all chunks of a small world.

#include "stream_game.h"

#define SIDE 5    // chunks of the world along x and z
#define LOW (-2)  // its lowest chunk
#define HIGH 8    // its highest, for platforms
#define CEILING 4 // the highest that the generator makes
#define TALL (HIGH - LOW + 1)
#define EDGE ((size_t)SIDE * TRN_CHUNK_EDGE)
#define LEVELS (EDGE * EDGE * EDGE) // around the origin

/// A mesh: the light that the hook received.
typedef struct LitMesh {
    TrnLight sky, blocks;
    TrnCoord coord;
} LitMesh;

/// A game whose world is known as a whole.
typedef struct Lit {
    Game game;       ///< first: hooks of the game get this too
    TrnCoord origin; ///< the middle of the world
    TrnBlock stone, marble, water, lamp;
    _Atomic(uint32_t) unlit;      ///< calls of the mesh hook without light
    bool is_empty;                ///< the generator makes air
    TrnBlock *truth;              ///< [SIDE * SIDE * TALL][TRN_CHUNK_VOXELS] what the world holds
    uint8_t lost[UINT16_MAX + 1]; ///< by block: what light loses in addition to 1
    TrnBlock *blocks;             ///< [LEVELS] of the model, as in the truth
    uint8_t *levels;              ///< [LEVELS] of the model
    uint32_t *queue;              ///< [LEVELS]
} Lit;

// ---- the world ---------------------------------------------------------------------------------

static TrnBlock lit_add_type(const Lit *lit, const char *name, TrnBlockKind kind, uint8_t light,
                             uint8_t dims)
{
    TrnBlockType type = trn_block_type_def(name, kind);
    TrnBlock block;
    type.light = light;
    type.dims = dims;
    assert_int_equal(trn_block_types_add(trn_store_block_types(lit->game.store), &type, &block),
                     TRN_RESULT_OK);
    return block;
}

/// Hills with caves up to chunk 1, in the east under a sea, and islands above them up to the
/// ceiling.
static void lit_blocks(const Lit *lit, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    TestRandom random = {game_coord_hash(coord)};
    *uniform = false;
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    if (coord.y > CEILING || lit->is_empty) {
        *uniform = true;
        return;
    }
    const TrnBlock ground = coord.y < 1 ? lit->stone : 0;
    // All columns of a chunk of the sea are closed, but in its lowest slices alone.
    const uint32_t sea = coord.y == 1 && coord.x > lit->origin.x ? trn_local_index(0, 3, 0) : 0;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i < sea ? lit->water : ground;
    }
    const TrnBlock all[] = {0, 0, lit->stone, lit->water, lit->lamp};
    const int64_t most = coord.y > 1 ? 2 : 9;
    for (int64_t boxes = test_random_range(&random, 0, most); boxes > 0; boxes--) {
        const TrnBlock block = all[test_random_range(&random, 0, 4)];
        const uint32_t edge = block == lit->lamp ? 1 : (uint32_t)test_random_range(&random, 4, 20);
        const uint32_t x0 = (uint32_t)test_random_range(&random, 0, 31);
        const uint32_t y0 = (uint32_t)test_random_range(&random, 0, 31);
        const uint32_t z0 = (uint32_t)test_random_range(&random, 0, 31);
        for (uint32_t v = 0; v < edge * edge * edge; v++) {
            const uint32_t x = x0 + v % edge, y = y0 + v / edge / edge, z = z0 + v / edge % edge;
            if (x < 32 && y < 32 && z < 32) {
                blocks[trn_local_index(x, y, z)] = block;
            }
        }
    }
}

static TrnResult lit_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const Lit *lit = user;
    lit_blocks(lit, job->coord, blocks, uniform);
    return TRN_RESULT_OK;
}

static TrnResult lit_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    Game *game = user;
    TrnResult result = TRN_RESULT_NOT_FOUND;
    game_lock_saves(game);
    for (uint32_t i = 0; i < game->save_count; i++) {
        const TrnCoord at = game->saves[i].coord;
        if (at.x == from.x && at.z == from.z && at.y <= from.y && at.y >= lowest &&
            (result == TRN_RESULT_NOT_FOUND || at.y > *y)) {
            *y = at.y;
            result = TRN_RESULT_OK;
        }
    }
    game_unlock_saves(game);
    return result;
}

/// The blocks of a chunk of the world, or NULL.
TEST_ONE_THREAD static TrnBlock *lit_chunk(const Lit *lit, TrnCoord coord)
{
    const int32_t x = coord.x - lit->origin.x + SIDE / 2, y = coord.y - LOW;
    const int32_t z = coord.z - lit->origin.z + SIDE / 2;
    const bool is_inside = x >= 0 && x < SIDE && z >= 0 && z < SIDE && y >= 0 && y < TALL;
    return is_inside
               ? lit->truth + ((size_t)(y * SIDE + z) * SIDE + (size_t)x) * (size_t)TRN_CHUNK_VOXELS
               : NULL;
}

// ---- the model ---------------------------------------------------------------------------------

/// Copies the truth around the origin into one array.
TEST_ONE_THREAD static void model_begin(Lit *lit)
{
    for (size_t row = 0; row < LEVELS / 32; row++) {
        const size_t x = row * 32 % EDGE, z = row * 32 / EDGE % EDGE, y = row * 32 / EDGE / EDGE;
        const TrnCoord coord = {lit->origin.x + ((int32_t)(x / 32) - SIDE / 2),
                                (int32_t)(y / 32) + LOW,
                                lit->origin.z + ((int32_t)(z / 32) - SIDE / 2)};
        memcpy(lit->blocks + row * 32, lit_chunk(lit, coord) + trn_local_index(0, y % 32, z % 32),
               sizeof(TrnBlock[32]));
    }
    const TrnBlockTypes *types = trn_store_block_types(lit->game.store);
    for (TrnBlock block = 0; block <= lit->lamp; block++) {
        const TrnBlockType *type = trn_block_types_get(types, block);
        lit->lost[block] = type->kind == TRN_BLOCK_KIND_OPAQUE ? 15 : type->dims;
    }
}

/// A block above the model.
TEST_ONE_THREAD static TrnBlock model_above(const Lit *lit, size_t x, size_t y, size_t z)
{
    const TrnCoord coord = {lit->origin.x + ((int32_t)(x / 32) - SIDE / 2), (int32_t)(y / 32) + LOW,
                            lit->origin.z + ((int32_t)(z / 32) - SIDE / 2)};
    return lit_chunk(lit, coord)[trn_local_index(x % 32, y % 32, z % 32)];
}

TEST_ONE_THREAD static size_t model_visit(Lit *lit, size_t count, size_t from, size_t to)
{
    const uint32_t loss = 1u + lit->lost[lit->blocks[to]]; // 15 in addition: all
    if (lit->levels[from] > loss && lit->levels[to] + loss < lit->levels[from]) {
        lit->levels[to] = (uint8_t)(lit->levels[from] - loss);
        lit->queue[count++ % LEVELS] = (uint32_t)to;
    }
    return count;
}

TEST_ONE_THREAD static size_t model_visit_all(Lit *lit, size_t count, size_t from)
{
    const size_t x = from % EDGE, z = from / EDGE % EDGE, y = from / EDGE / EDGE;
    count = x > 0 ? model_visit(lit, count, from, from - 1) : count;
    count = x < EDGE - 1 ? model_visit(lit, count, from, from + 1) : count;
    count = z > 0 ? model_visit(lit, count, from, from - EDGE) : count;
    count = z < EDGE - 1 ? model_visit(lit, count, from, from + EDGE) : count;
    count = y > 0 ? model_visit(lit, count, from, from - EDGE * EDGE) : count;
    return y < EDGE - 1 ? model_visit(lit, count, from, from + EDGE * EDGE) : count;
}

/// Spreads the levels. Voxels with light all around them have nothing to spread.
TEST_ONE_THREAD static void model_spread(Lit *lit)
{
    size_t count = 0;
    for (size_t i = 0; i < LEVELS; i++) {
        count = lit->levels[i] > 1 ? model_visit_all(lit, count, i) : count;
    }
    for (size_t done = 0; done < count; done++) {
        assert_true(count - done <= LEVELS);
        count = model_visit_all(lit, count, lit->queue[done % LEVELS]);
    }
}

TEST_ONE_THREAD static void model_sky(Lit *lit)
{
    memset(lit->levels, 0, LEVELS);
    for (size_t column = 0; column < EDGE * EDGE; column++) {
        const size_t x = column % EDGE, z = column / EDGE;
        for (size_t y = (size_t)TALL * 32; y-- > 0;) {
            const size_t at = (y * EDGE + z) * EDGE + x;
            const TrnBlock block = y < EDGE ? lit->blocks[at] : model_above(lit, x, y, z);
            if (lit->lost[block] > 0) {
                break;
            }
            if (y < EDGE) {
                lit->levels[at] = 15;
            }
        }
    }
    model_spread(lit);
}

TEST_ONE_THREAD static void model_blocks(Lit *lit)
{
    const TrnBlockTypes *types = trn_store_block_types(lit->game.store);
    for (size_t i = 0; i < LEVELS; i++) {
        lit->levels[i] =
            lit->blocks[i] == lit->lamp ? trn_block_types_get(types, lit->lamp)->light : 0;
    }
    model_spread(lit);
}

TEST_ONE_THREAD static void model_compare(const Lit *lit, TrnCoord coord, const TrnLight *light,
                                          const char *what)
{
    const int32_t x0 = (coord.x - lit->origin.x + SIDE / 2) * 32, y0 = (coord.y - LOW) * 32;
    const int32_t z0 = (coord.z - lit->origin.z + SIDE / 2) * 32;
    for (int32_t i = 0; i < 34 * 34 * 34; i++) {
        const int32_t x = i % 34 - 1, z = i / 34 % 34 - 1, y = i / 34 / 34 - 1;
        const size_t at = ((size_t)(y0 + y) * EDGE + (size_t)(z0 + z)) * EDGE + (size_t)(x0 + x);
        if (trn_light_level(light, x, y, z) != lit->levels[at]) {
            fail_msg("%s of chunk %d %d %d at %d %d %d: %u instead of %u", what, coord.x, coord.y,
                     coord.z, x, y, z, (unsigned)trn_light_level(light, x, y, z),
                     (unsigned)lit->levels[at]);
        }
    }
}

/// Compares the light that is kept of a chunk with the model. @return whether there is any
static bool model_compare_kept(const Lit *lit, const TrnChunk *chunk, bool is_sky)
{
    const int32_t x0 = (chunk->coord.x - lit->origin.x + SIDE / 2) * 32;
    const int32_t z0 = (chunk->coord.z - lit->origin.z + SIDE / 2) * 32;
    for (int32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int32_t x = i % 32, z = i / 32 % 32, y = i / 1024;
        const TrnVoxel voxel = {(int64_t)chunk->coord.x * 32 + x, (int64_t)chunk->coord.y * 32 + y,
                                (int64_t)chunk->coord.z * 32 + z};
        uint32_t sky, blocks;
        if (trn_stream_get_light(lit->game.stream, voxel, &sky, &blocks) != TRN_RESULT_OK) {
            return false;
        }
        const size_t at =
            ((size_t)((chunk->coord.y - LOW) * 32 + y) * EDGE + (size_t)(z0 + z)) * EDGE +
            (size_t)(x0 + x);
        assert_int_equal(is_sky ? sky : blocks, lit->levels[at]);
    }
    return true;
}

/// Compares all light near the origin with the model. @return of how many chunks there is light
static uint32_t lit_check(Lit *lit)
{
    TrnChunk *chunks[27];
    const TrnBox box = trn_box_around(lit->origin, 1, 1, 1);
    const size_t count = trn_store_gather(lit->game.store, box, chunks, 27);
    uint32_t lit_chunks = 0;
    assert_int_equal(count, 27);
    model_begin(lit);
    for (int pass = 0; pass < 2; pass++) {
        (pass ? model_blocks : model_sky)(lit);
        for (size_t i = 0; i < count; i++) {
            const LitMesh *mesh = *(LitMesh **)trn_chunk_user(chunks[i]);
            if (mesh) {
                model_compare(lit, chunks[i]->coord, pass ? &mesh->blocks : &mesh->sky,
                              pass ? "light of blocks" : "sky light");
            }
            const bool is_kept = model_compare_kept(lit, chunks[i], pass == 0);
            assert_true(is_kept || !mesh);
            lit_chunks += pass == 0 && is_kept;
        }
    }
    return lit_chunks;
}

// ---- the game ----------------------------------------------------------------------------------

static TrnResult lit_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                          TrnStreamMesh *mesh)
{
    Lit *lit = user;
    atomic_fetch_add(&lit->game.meshed, 1);
    if (!input->sky || !input->blocks) {
        atomic_fetch_add(&lit->unlit, 1);
        return TRN_RESULT_OK;
    }
    LitMesh *made = malloc(sizeof *made);
    assert_non_null(made);
    made->coord = job->coord;
    made->sky = *input->sky;
    made->blocks = *input->blocks;
    *mesh = (TrnStreamMesh){.mesh = made, .bytes = 100};
    atomic_fetch_add(&lit->game.live_meshes, 1);
    atomic_fetch_add(&lit->game.live_mesh_bytes, mesh->bytes);
    return TRN_RESULT_OK;
}

static TrnResult lit_upload(void *user, TrnChunk *chunk, TrnStreamMesh *mesh)
{
    Lit *lit = user;
    *(LitMesh **)trn_chunk_user(chunk) = mesh->mesh;
    lit->game.uploaded++;
    return TRN_RESULT_OK;
}

/// Makes a game with light; not yet its stream.
static TrnStreamDef lit_def(Lit *lit, uint32_t workers)
{
    *lit = (Lit){.unlit = 0};
    TrnStreamDef def = game_def(&lit->game);
    lit->stone = lit_add_type(lit, "t:stone", TRN_BLOCK_KIND_OPAQUE, 0, 0);
    lit->marble = lit_add_type(lit, "t:marble", TRN_BLOCK_KIND_OPAQUE, 0, 0);
    lit->water = lit_add_type(lit, "t:water", TRN_BLOCK_KIND_LIQUID, 0, 2);
    lit->lamp = lit_add_type(lit, "t:lamp", TRN_BLOCK_KIND_OPAQUE, 14, 0);
    def.hooks.generate = lit_generate;
    def.hooks.mesh = lit_mesh;
    def.hooks.upload = lit_upload;
    def.generator.ceiling = CEILING;
    def.generator.has_ceiling = true;
    def.source = (TrnStreamSource){
        .load = game_load, .save = game_save, .highest = lit_highest, .user = &lit->game};
    def.workers = workers;
    def.mesh_air = true;
    def.light = def.keep_light = true;
    return def;
}

/// Makes the truth, and the stream.
static void lit_create(Lit *lit, TrnStreamDef *def)
{
    lit->truth = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]) * SIDE * SIDE * TALL);
    lit->blocks = malloc(LEVELS * sizeof *lit->blocks);
    lit->levels = malloc(LEVELS);
    lit->queue = malloc(LEVELS * sizeof *lit->queue);
    assert_true(lit->truth && lit->blocks && lit->levels && lit->queue);
    for (int32_t i = 0; i < SIDE * SIDE * TALL; i++) {
        bool uniform;
        const TrnCoord coord = {lit->origin.x + (i % SIDE - SIDE / 2), i / SIDE / SIDE + LOW,
                                lit->origin.z + (i / SIDE % SIDE - SIDE / 2)};
        lit_blocks(lit, coord, lit_chunk(lit, coord), &uniform);
    }
    if (def->workers) { // they allocate kept light, and the game counts on one thread
        assert_int_equal(trn_stream_create(def, &lit->game.stream), TRN_RESULT_OK);
    } else {
        game_create(&lit->game, def);
    }
}

static void lit_end(Lit *lit)
{
    assert_int_equal(atomic_load(&lit->unlit), 0);
    game_end(&lit->game);
    free(lit->truth);
    free(lit->blocks);
    free(lit->levels);
    free(lit->queue);
}

/// Fills a box in the store and in the truth. All its chunks are loaded.
static void lit_fill(const Lit *lit, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    assert_int_equal(trn_batch_begin(lit->game.store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, min, max, block);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.pending_chunks, 0);
    for (int64_t y = min.y; y <= max.y; y++) {
        for (int64_t z = min.z; z <= max.z; z++) {
            for (int64_t x = min.x; x <= max.x; x++) {
                const TrnVoxel at = {x, y, z};
                lit_chunk(lit, trn_voxel_chunk(at))[trn_voxel_local_index(at)] = block;
            }
        }
    }
}

/// Flies to a chunk and waits until the stream is idle.
static void lit_fly(Lit *lit, TrnStreamAnchorId id, TrnCoord chunk, uint32_t radius)
{
    const TrnStreamAnchor anchor = game_anchor(chunk, radius, radius);
    assert_int_equal(trn_stream_anchor_set(lit->game.stream, id, &anchor), TRN_RESULT_OK);
    game_settle(&lit->game);
}

// ---- tests -------------------------------------------------------------------------------------

static void the_mesh_hook_receives_no_light_unless_the_def_asks(void **state)
{
    (void)state;
    test_skip_without_threads();
    static Lit lit;
    TrnStreamDef def = lit_def(&lit, 0);
    def.light = false;
    lit_create(&lit, &def);
    game_add(&lit.game, game_anchor((TrnCoord){0, 0, 0}, 1, 1));
    game_settle(&lit.game);
    assert_true(atomic_load(&lit.unlit) > 0);
    atomic_store(&lit.unlit, 0);
    lit_end(&lit);
}

/// A random edit near the origin.
static void lit_edit(const Lit *lit, TestRandom *random)
{
    const TrnBlock all[] = {0, 0, lit->stone, lit->marble, lit->water, lit->lamp};
    TrnVoxel min, max;
    int64_t *low[3] = {&min.x, &min.y, &min.z}, *high[3] = {&max.x, &max.y, &max.z};
    const int64_t most = test_random_range(random, 0, 2) ? 2 : 40;
    for (int axis = 0; axis < 3; axis++) {
        *low[axis] = test_random_range(random, -32, 62);
        *high[axis] = *low[axis] + test_random_range(random, 0, most);
        *high[axis] = *high[axis] < 63 ? *high[axis] : 63;
    }
    const int64_t kind = test_random_range(random, 0, 5);
    if (kind == 0) { // a shaft
        max.x = min.x + 1;
        max.z = min.z;
        min.y = -32;
        max.y = 63;
    }
    lit_fill(lit, min, max, kind == 0 ? 0 : all[test_random_range(random, 0, 5)]);
}

static uint64_t lit_hash(const Lit *lit)
{
    TrnChunk *chunks[27];
    uint64_t hash = 0;
    const TrnBox box = trn_box_around(lit->origin, 1, 1, 1);
    const size_t count = trn_store_gather(lit->game.store, box, chunks, 27);
    for (size_t i = 0; i < count; i++) {
        const LitMesh *mesh = *(LitMesh **)trn_chunk_user(chunks[i]);
        for (size_t row = 0; mesh && row < (size_t)TRN_LIGHT_ROWS; row++) {
            for (size_t bit = 0; bit < TRN_LIGHT_LEVELS; bit++) {
                const bool sky = mesh->sky.constant == TRN_LIGHT_VARIES;
                const bool blocks = mesh->blocks.constant == TRN_LIGHT_VARIES;
                hash = game_mix(hash, sky ? mesh->sky.planes[bit][row] : mesh->sky.constant);
                hash =
                    game_mix(hash, blocks ? mesh->blocks.planes[bit][row] : mesh->blocks.constant);
            }
        }
    }
    return hash;
}

/// Edits, flights away and back; the light is that of the model each time.
static uint64_t lit_play(uint32_t workers, uint64_t seed, bool is_exact, bool checks)
{
    static Lit lit;
    TestRandom random = {seed};
    TrnStreamDef def = lit_def(&lit, workers);
    lit.is_empty = seed % 2; // what is built shades all below it
    def.budget = is_exact ? (TrnStreamBudget){.units = 16} : (TrnStreamBudget){.ms = 5};
    lit_create(&lit, &def);
    const TrnStreamAnchorId id = game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    uint64_t hash = 0;
    game_settle(&lit.game);
    for (uint32_t step = 0; step < 6; step++) {
        if (step == 3) { // all is unloaded, and comes back from other sides
            lit_fly(&lit, id, (TrnCoord){30, 0, 9}, 1);
            lit_fly(&lit, id, (TrnCoord){2, (int32_t)(seed % 5) - 2, 2}, 1);
            lit_fly(&lit, id, lit.origin, 1);
        }
        for (int64_t edits = test_random_range(&random, 1, 4); edits > 0; edits--) {
            lit_edit(&lit, &random);
            for (int64_t updates = test_random_range(&random, 0, 3); updates > 0; updates--) {
                game_update(&lit.game);
            }
        }
        game_settle(&lit.game);
        hash = game_mix(hash, lit_hash(&lit));
        if (checks) {
            assert_int_equal(lit_check(&lit), 7);
        }
    }
    lit_end(&lit);
    return hash;
}

static void light_is_that_of_a_queue_over_the_whole_world(void **state)
{
    (void)state;
    const uint64_t first = test_random_seeded(25).state;
    for (uint32_t round = 0; round < test_rounds(3, 1); round++) {
        (void)lit_play((round + 2) % 3, first + round, round % 2 == 0, true);
    }
}

static void light_is_the_same_with_any_number_of_workers(void **state)
{
    (void)state;
    static const uint32_t workers[] = {0, 4, 2, 1, 8};
    const uint64_t seed = test_random_seeded(26).state;
    uint64_t first = 0;
    for (size_t i = 0; i < test_rounds(sizeof workers / sizeof *workers, 2); i++) {
        const uint64_t hash = lit_play(workers[i], seed, i % 2 == 0, false);
        first = i ? first : hash;
        assert_int_equal(hash, first);
    }
}

/// Sky light of a voxel.
static uint32_t lit_sky(const Lit *lit, TrnVoxel voxel)
{
    uint32_t sky = 99, blocks = 99;
    assert_int_equal(trn_stream_get_light(lit->game.stream, voxel, &sky, &blocks), TRN_RESULT_OK);
    return sky;
}

/// A mountain from the ground to beyond the view. A shaft through it lets the sun to its floor,
/// also after saving, eviction and loading.
static void a_shaft_lets_the_sun_to_its_floor(void **state)
{
    (void)state;
    for (uint32_t workers = test_rounds(0, 2); workers < 3; workers += 2) {
        static Lit lit;
        const TrnVoxel floor = {5, -20, 5};
        TrnStreamDef def = lit_def(&lit, workers);
        lit.is_empty = true;
        lit_create(&lit, &def);
        const TrnStreamAnchorId id = game_add(&lit.game, game_anchor((TrnCoord){0, 1, 0}, 2, 3));
        game_settle(&lit.game);
        lit_fill(&lit, (TrnVoxel){-60, -64, -60}, (TrnVoxel){60, 120, 60}, lit.stone);
        game_settle(&lit.game);
        assert_int_equal(lit_check(&lit), 27);
        lit_fill(&lit, floor, (TrnVoxel){5, 100, 5}, 0);
        game_settle(&lit.game);
        assert_int_equal(lit_sky(&lit, floor), 0);
        lit_fill(&lit, (TrnVoxel){5, 101, 5}, (TrnVoxel){5, 120, 5}, 0);
        game_settle(&lit.game);
        assert_int_equal(lit_sky(&lit, floor), 15);
        assert_int_equal(lit_check(&lit), 27);
        lit_fly(&lit, id, (TrnCoord){100, 0, 0}, 1);
        assert_null(trn_store_find(lit.game.store, trn_voxel_chunk(floor)));
        lit_fly(&lit, id, (TrnCoord){0, -1, 0}, 1); // its top is not loaded
        assert_null(trn_store_find(lit.game.store, (TrnCoord){0, 3, 0}));
        assert_int_equal(lit_sky(&lit, floor), 15);
        assert_int_equal(lit_sky(&lit, (TrnVoxel){7, -20, 5}), 0);
        lit_end(&lit);
    }
}

/// A platform above what the generator makes shades the ground: while it is loaded, after it was
/// unloaded, and after all was; also for the view below while it is built and taken away.
static void a_platform_above_the_ceiling_shades_the_ground(void **state)
{
    (void)state;
    test_skip_without_threads();
    static Lit lit;
    TrnStreamDef def = lit_def(&lit, 0);
    def.mesh_air = false; // air has light, and no mesh
    lit.is_empty = true;
    lit_create(&lit, &def);
    const TrnVoxel min = {-64, 230, -64}, max = {95, 230, 95};
    const TrnStreamAnchorId below = game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    const TrnStreamAnchorId above = game_add(&lit.game, game_anchor((TrnCoord){0, 7, 0}, 4, 1));
    game_settle(&lit.game);
    assert_int_equal(lit_sky(&lit, (TrnVoxel){5, 5, 5}), 15);
    lit_fill(&lit, min, max, lit.stone);
    game_settle(&lit.game);
    assert_int_equal(lit_sky(&lit, (TrnVoxel){5, 5, 5}), 0);
    assert_int_equal(lit_check(&lit), 7);
    lit_fill(&lit, (TrnVoxel){5, 230, 5}, (TrnVoxel){5, 230, 5}, 0);
    game_settle(&lit.game);
    assert_int_equal(lit_sky(&lit, (TrnVoxel){5, 5, 5}), 15);
    assert_int_equal(lit_check(&lit), 7);
    lit_fly(&lit, above, (TrnCoord){0, 300, 0}, 1);
    game_settle(&lit.game);
    assert_null(trn_store_find(lit.game.store, (TrnCoord){0, 7, 0}));
    assert_int_equal(lit_check(&lit), 7);
    lit_fly(&lit, below, (TrnCoord){900, 0, 0}, 1);
    assert_null(trn_store_find(lit.game.store, lit.origin));
    lit_fly(&lit, below, lit.origin, 1);
    assert_int_equal(lit_check(&lit), 7);
    lit_end(&lit);
}

/// Chunks that the game itself inserts and removes, without a save: what is lost is generated
/// again.
static void chunks_that_the_game_inserts_and_removes_count(void **state)
{
    (void)state;
    static Lit lit;
    TrnStreamDef def = lit_def(&lit, 2);
    def.source = (TrnStreamSource){0};
    lit.is_empty = true;
    lit_create(&lit, &def);
    const TrnCoord roof = {0, 6, 0};
    game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    game_settle(&lit.game);
    assert_int_equal(trn_store_insert_uniform(lit.game.store, roof, lit.stone, NULL),
                     TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        lit_chunk(&lit, roof)[i] = lit.stone;
    }
    game_settle(&lit.game);
    assert_int_equal(lit_check(&lit), 7);
    assert_int_equal(lit_sky(&lit, (TrnVoxel){16, 5, 16}), 0);
    assert_int_equal(trn_store_remove(lit.game.store, roof), TRN_RESULT_OK);
    memset(lit_chunk(&lit, roof), 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    game_settle(&lit.game);
    assert_int_equal(lit_check(&lit), 7);
    lit_fill(&lit, (TrnVoxel){-9, 20, -9}, (TrnVoxel){40, 20, 40}, lit.stone);
    game_settle(&lit.game);
    assert_int_equal(lit_check(&lit), 7);
    assert_int_equal(trn_store_remove(lit.game.store, lit.origin), TRN_RESULT_OK);
    memset(lit_chunk(&lit, lit.origin), 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    game_settle(&lit.game);
    assert_int_equal(lit_check(&lit), 7);
    lit_end(&lit);
}

/// Without a ceiling, chunks that arrive shade those below that were lit before.
static void without_a_ceiling_what_is_loaded_counts(void **state)
{
    (void)state;
    test_skip_without_threads();
    static Lit lit;
    TrnStreamDef def = lit_def(&lit, 0);
    def.generator.has_ceiling = false;
    lit_create(&lit, &def);
    const TrnStreamAnchorId id = game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    game_settle(&lit.game);
    lit_fly(&lit, id, lit.origin, 3);
    const TrnStreamAnchorId above = game_add(&lit.game, game_anchor((TrnCoord){0, 4, 0}, 3, 3));
    game_settle(&lit.game);
    (void)above;
    assert_int_equal(lit_check(&lit), 27);
    lit_end(&lit);
}

static void the_ends_of_the_world_are_lit(void **state)
{
    (void)state;
    test_skip_without_threads();
    static Lit lit;
    TrnStreamDef def = lit_def(&lit, 0);
    lit.is_empty = true;
    lit.origin = (TrnCoord){INT32_MAX - SIDE / 2, 0, INT32_MIN + SIDE / 2};
    lit_create(&lit, &def);
    const TrnCoord corners[] = {{INT32_MAX, INT32_MAX, INT32_MAX},
                                {INT32_MIN, INT32_MIN, INT32_MIN}};
    TrnStreamAnchorId id = game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    for (size_t i = 0; i < 2; i++) {
        lit_fly(&lit, id, corners[i], 1);
        TrnChunk *chunk = trn_store_find(lit.game.store, corners[i]);
        assert_non_null(chunk);
        assert_int_equal((*(LitMesh **)trn_chunk_user(chunk))->sky.constant, 15);
        assert_int_equal(trn_store_fill(lit.game.store, chunk, lit.stone), TRN_RESULT_OK);
        game_settle(&lit.game);
        assert_int_equal((*(LitMesh **)trn_chunk_user(chunk))->sky.constant, TRN_LIGHT_VARIES);
        assert_int_equal(trn_store_fill(lit.game.store, chunk, 0), TRN_RESULT_OK);
        game_settle(&lit.game);
        assert_int_equal((*(LitMesh **)trn_chunk_user(chunk))->sky.constant, 15);
    }
    lit_end(&lit);
}

/// Fails every n-th allocation of a short game once: light is late then, never wrong.
static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_skip_without_threads();
    size_t allocations = 1; // those of the first game, then those of the last
    for (size_t fail_at = 0; fail_at <= allocations;
         fail_at += getenv("TERRANE_TEST_FULL") ? 1 : 1 + allocations / test_rounds(10, 4)) {
        static Lit lit;
        TestRandom random = {7};
        TrnStreamDef def = lit_def(&lit, 0);
        lit_create(&lit, &def);
        game_add(&lit.game, game_anchor(lit.origin, 1, 1));
        test_fail(&lit.game.memory, fail_at, fail_at);
        game_settle(&lit.game);
        lit.game.memory.fail_at = 0; // not those of the edit itself
        lit_edit(&lit, &random);
        lit.game.memory.fail_at = fail_at;
        game_settle(&lit.game);
        allocations = lit.game.memory.allocations;
        assert_int_equal(lit_check(&lit), 7);
        lit_end(&lit);
    }
}

static void light_is_kept_as_long_as_its_chunk(void **state)
{
    (void)state;
    test_skip_without_threads();
    static Lit lit;
    uint32_t sky, blocks;
    const TrnVoxel voxel = {3, 40, 3};
    TrnStreamDef def = lit_def(&lit, 0);
    lit_create(&lit, &def);
    const TrnStream *stream = lit.game.stream;
    assert_int_equal(trn_stream_get_light(stream, voxel, &sky, &blocks), TRN_RESULT_NOT_FOUND);
    const TrnStreamAnchorId id = game_add(&lit.game, game_anchor(lit.origin, 1, 1));
    game_settle(&lit.game);
    assert_int_equal(trn_stream_get_light(stream, voxel, &sky, &blocks), TRN_RESULT_OK);
    assert_int_equal(trn_stream_get_light(NULL, voxel, &sky, &blocks), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_get_light(stream, (TrnVoxel){0, INT64_MAX, 0}, &sky, &blocks),
                     TRN_RESULT_BAD_ARGUMENT);
    const TrnStreamStats stats = trn_stream_stats(stream);
    assert_true(stats.light_bytes > 0);
    assert_int_equal(stats.total_bytes, stats.store_bytes + stats.mesh_bytes + stats.light_bytes +
                                            stats.stream_bytes + stats.scratch_bytes);
    lit_fly(&lit, id, (TrnCoord){50, 3, 0}, 0);
    assert_int_equal(trn_stream_get_light(stream, voxel, &sky, &blocks), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_stream_anchor_remove(lit.game.stream, id), TRN_RESULT_OK);
    game_settle(&lit.game);
    assert_int_equal(trn_stream_stats(stream).light_bytes, 0);
    lit_end(&lit);
}

static void a_stream_without_memory_for_light_is_not_created(void **state)
{
    (void)state;
    TrnResult result = TRN_RESULT_NO_MEMORY;
    for (size_t fail_at = 1; result != TRN_RESULT_OK; fail_at++) {
        static Lit lit;
        TrnStreamDef def = lit_def(&lit, 2);
        test_fail(&lit.game.memory, fail_at, fail_at);
        result = game_try_create(&lit.game, &def);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        if (result != TRN_RESULT_OK) {
            lit.game.stream = NULL;
        }
        game_end(&lit.game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mesh_hook_receives_no_light_unless_the_def_asks),
        cmocka_unit_test(light_is_that_of_a_queue_over_the_whole_world),
        cmocka_unit_test(light_is_the_same_with_any_number_of_workers),
        cmocka_unit_test(a_shaft_lets_the_sun_to_its_floor),
        cmocka_unit_test(a_platform_above_the_ceiling_shades_the_ground),
        cmocka_unit_test(chunks_that_the_game_inserts_and_removes_count),
        cmocka_unit_test(without_a_ceiling_what_is_loaded_counts),
        cmocka_unit_test(the_ends_of_the_world_are_lit),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(light_is_kept_as_long_as_its_chunk),
        cmocka_unit_test(a_stream_without_memory_for_light_is_not_created),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
