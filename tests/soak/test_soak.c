/// A long game: two players fly at up to 20,000 blocks a second, teleport, dig and build, undo and
/// redo, around 0, around 2^31 voxels, and at the ends of the world. Memory is short in some
/// sessions. Every chunk that is loaded must hold what a model of the world says, in this session
/// and in all later ones, and memory must not grow.
///
/// It runs for TERRANE_TEST_SECONDS, and then to the end of its session.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "soak_model.h"
#include "soak_world.h"

#include <time.h>

#define SECONDS_DEFAULT 18 ///< of this machine's time
#define STEPS_A_SECOND 60  ///< of the world's time
#define SESSION_STEPS 600
#define SESSION_STEPS_BRIEF 200 ///< under a sanitizer
#define SPEED_MAX 20000         ///< blocks a second
#define UNITS 24                ///< chunks that a step generates, loads or meshes
#define PLAYERS 2
#define PLACES 12
#define RADIUS_CHUNKS 3
#define MIDDLE ((int64_t)1 << 31)     ///< where coordinates of voxels leave int32
#define GROWTH_MAX ((size_t)64 << 20) ///< bytes, after a quarter of the time

typedef enum PlayerMode { MODE_STAY, MODE_FLY, MODE_JUMP, MODE_COUNT } PlayerMode;

typedef struct Player {
    TrnStreamAnchorId id;
    TrnStreamAnchor anchor;
    PlayerMode mode;
    uint32_t steps; ///< left in this mode
    TrnVoxel place; ///< the last one
} Player;

typedef struct Soak {
    World world;
    Model model;
    TestRandom random;
    TrnVoxel places[PLACES]; ///< on the ground
    Player players[PLAYERS];
    uint64_t steps, edits, refused, pending_edits, undone, redone, checked, sessions;
    TrnBlock expected[TRN_CHUNK_VOXELS], found[TRN_CHUNK_VOXELS];
} Soak;

static bool one_in(Soak *soak, uint32_t n)
{
    return test_random_next(&soak->random) % n == 0;
}

static int64_t draw(Soak *soak, int64_t low, int64_t high)
{
    return test_random_range(&soak->random, low, high);
}

// ---- checks ------------------------------------------------------------------------------------

static void check_blocks(Soak *soak, TrnCoord coord, const TrnBlock *expected)
{
    TrnSnapshot snapshot;
    assert_int_equal(trn_store_snapshot(soak->world.store, coord, &snapshot), TRN_RESULT_OK);
    trn_snapshot_decode(snapshot, soak->found);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        if (soak->found[i] != expected[i]) {
            fail_msg("step %llu: chunk %d,%d,%d has block %u at %u, not %u",
                     (unsigned long long)soak->steps, (int)coord.x, (int)coord.y, (int)coord.z,
                     (unsigned)soak->found[i], (unsigned)i, (unsigned)expected[i]);
        }
    }
    soak->checked++;
}

/// Checks the chunks that were loaded: all that were ever edited, and some others.
static void check_loaded(Soak *soak)
{
    World *world = &soak->world;
    for (uint32_t i = 0; i < world->loaded_count; i++) {
        const TrnCoord coord = world->loaded[i];
        const ModelChunk *chunk = model_find(&soak->model, coord);
        if (!trn_store_find(world->store, coord) || (!chunk && !one_in(soak, 32))) {
            continue;
        }
        if (!chunk) {
            model_generate(&soak->model, coord, soak->expected);
        }
        check_blocks(soak, coord, chunk ? chunk->blocks : soak->expected);
    }
    world->loaded_count = 0;
}

/// @return how many of the chunks that were ever edited are loaded
static uint32_t check_edited(Soak *soak)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < soak->model.count; i++) {
        const ModelChunk *chunk = &soak->model.chunks[i];
        if (trn_store_find(soak->world.store, chunk->coord)) {
            check_blocks(soak, chunk->coord, chunk->blocks);
            count++;
        }
    }
    return count;
}

static void check_memory(const Soak *soak)
{
    const World *world = &soak->world;
    const TrnStreamStats stats = trn_stream_stats(world->stream);
    const TrnEditsStats edits = trn_edits_stats(world->store);
    assert_true(stats.total_bytes_peak <= world->bytes_max);
    assert_int_equal(stats.store_bytes + stats.stream_bytes + world->worker_bytes,
                     world->memory.live_bytes);
    assert_true(edits.pending_bytes <= WORLD_PENDING_BYTES);
    assert_true(edits.history_bytes <= WORLD_HISTORY_BYTES);
}

// ---- edits -------------------------------------------------------------------------------------

/// Compares what can be undone and redone, after a call of the history.
static void follow_history(Soak *soak)
{
    const TrnHistoryStats stats = trn_history_stats(soak->world.history);
    model_keep(&soak->model, stats.undo_groups, stats.redo_groups);
}

static bool is_refusal(TrnResult result)
{
    return result == TRN_RESULT_FULL;
}

static TrnVoxel plus(TrnVoxel voxel, int64_t x, int64_t y, int64_t z)
{
    return (TrnVoxel){voxel.x + x, voxel.y + y, voxel.z + z};
}

static void model_box(Model *model, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    for (int64_t y = min.y; y <= max.y; y++) {
        for (int64_t z = min.z; z <= max.z; z++) {
            for (int64_t x = min.x; x <= max.x; x++) {
                model_set(model, (TrnVoxel){x, y, z}, block);
            }
        }
    }
}

static void model_sphere(Model *model, TrnVoxel centre, int64_t radius, TrnBlock block)
{
    for (int64_t y = -radius; y <= radius; y++) {
        for (int64_t z = -radius; z <= radius; z++) {
            for (int64_t x = -radius; x <= radius; x++) {
                if (x * x + y * y + z * z <= radius * radius) {
                    model_set(model, plus(centre, x, y, z), block);
                }
            }
        }
    }
}

/// One voxel, box or sphere near a place, in a batch and in the model.
static void edit_shape(Soak *soak, TrnBatch *batch, TrnVoxel at)
{
    static const TrnBlock blocks[] = {TRN_BLOCK_AIR,     TRN_BLOCK_AIR,    TRN_BLOCK_STONE,
                                      TRN_BLOCK_GLASS,   TRN_BLOCK_WATER,  TRN_BLOCK_SAND,
                                      TRN_BLOCK_LANTERN, TRN_BLOCK_OAK_LOG};
    const TrnBlock block = blocks[draw(soak, 0, sizeof blocks / sizeof *blocks - 1)];
    const TrnVoxel centre = plus(at, draw(soak, -40, 40), draw(soak, -20, 20), draw(soak, -40, 40));
    const int64_t size = draw(soak, 0, 6);
    const TrnVoxel max = plus(centre, size, draw(soak, 0, 6), draw(soak, 0, 6));
    switch (draw(soak, 0, 2)) {
    case 0:
        if (trn_voxel_in_world(centre)) {
            (void)trn_batch_set(batch, centre, block);
            model_set(&soak->model, centre, block);
        }
        break;
    case 1:
        (void)trn_batch_fill_box(batch, centre, max, block);
        model_box(&soak->model, centre, max, block);
        break;
    default:
        (void)trn_batch_fill_sphere(batch, centre, (double)size, block);
        model_sphere(&soak->model, centre, size, block);
        break;
    }
}

/// Some shapes as one step of the history. A batch that is refused changes nothing.
static void edit(Soak *soak, TrnVoxel at)
{
    const TrnBatchDef def = {TRN_UNLOADED_PENDING, soak->world.history};
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    const TrnResult begun = trn_batch_begin(soak->world.store, &def, &batch);
    if (begun != TRN_RESULT_OK) {
        assert_true(is_refusal(begun));
        soak->refused++;
        return;
    }
    for (int64_t i = draw(soak, 1, 4); i > 0; i--) {
        edit_shape(soak, batch, at);
    }
    const TrnResult result = trn_batch_commit(batch, &outcome);
    if (result != TRN_RESULT_OK) {
        assert_true(is_refusal(result));
        soak->refused++;
        model_cancel(&soak->model);
        return;
    }
    if (soak->model.change_count || outcome.pending_chunks) {
        model_commit(&soak->model);
    }
    soak->edits++;
    soak->pending_edits += outcome.pending_chunks > 0;
    follow_history(soak);
}

static void undo_or_redo(Soak *soak, bool undoes)
{
    TrnHistory *history = soak->world.history;
    const uint32_t count = undoes ? soak->model.done : soak->model.total - soak->model.done;
    const TrnResult result =
        undoes ? trn_history_undo(history, NULL) : trn_history_redo(history, NULL);
    if (count == 0) {
        assert_int_equal(result, TRN_RESULT_NOT_FOUND);
        return;
    }
    if (result != TRN_RESULT_OK) {
        assert_true(is_refusal(result));
        soak->refused++;
        return;
    }
    if (undoes) {
        model_undo(&soak->model);
        soak->undone++;
    } else {
        model_redo(&soak->model);
        soak->redone++;
    }
    follow_history(soak);
}

/// Where players were, or at a place that may not be loaded.
static void edit_somewhere(Soak *soak)
{
    if (one_in(soak, 8)) {
        edit(soak, soak->places[draw(soak, 0, PLACES - 1)]);
    }
    for (int i = 0; i < PLAYERS; i++) {
        if (one_in(soak, soak->players[i].mode == MODE_STAY ? 2 : 32)) {
            edit(soak, soak->players[i].place);
        }
    }
    if (one_in(soak, 12)) {
        for (int64_t i = draw(soak, 1, 6); i > 0; i--) {
            undo_or_redo(soak, draw(soak, 0, 2) > 0);
        }
    }
}

// ---- players -----------------------------------------------------------------------------------

static void go_to_place(Soak *soak, Player *player)
{
    player->place = soak->places[draw(soak, 0, PLACES - 1)];
    player->anchor.position = trn_voxel_position(player->place);
}

static void begin_mode(Soak *soak, Player *player)
{
    static const double speeds[] = {10, 100, 1000, SPEED_MAX};
    player->mode = (PlayerMode)draw(soak, 0, MODE_COUNT - 1);
    player->steps = (uint32_t)draw(soak, 20, player->mode == MODE_JUMP ? 30 : 90);
    const double speed = player->mode == MODE_FLY ? speeds[draw(soak, 0, 3)] : 0;
    for (int axis = 0; axis < 3; axis++) {
        const double part = (double)draw(soak, -8, 8) / 8;
        player->anchor.velocity[axis] = part * speed * (axis == 1 ? 0.05 : 1);
        player->anchor.view[axis] = part;
    }
    player->anchor.radius_chunks = (uint32_t)draw(soak, 1, RADIUS_CHUNKS);
    player->anchor.height_chunks = (uint32_t)draw(soak, 1, 2);
    if (player->mode == MODE_STAY || one_in(soak, 4)) {
        go_to_place(soak, player);
    }
}

static void move(Soak *soak, Player *player)
{
    if (player->steps-- == 0) {
        begin_mode(soak, player);
    }
    double by[3];
    for (int axis = 0; axis < 3; axis++) {
        by[axis] = player->anchor.velocity[axis] / STEPS_A_SECOND;
    }
    player->anchor.position = trn_position_add(player->anchor.position, by);
    if (player->mode == MODE_JUMP) {
        go_to_place(soak, player);
    }
    assert_int_equal(trn_stream_anchor_set(soak->world.stream, player->id, &player->anchor),
                     TRN_RESULT_OK);
}

static void step(Soak *soak)
{
    const TrnStreamBudget budget = {.units = UNITS};
    for (int i = 0; i < PLAYERS; i++) {
        move(soak, &soak->players[i]);
    }
    edit_somewhere(soak);
    const TrnResult result = trn_stream_update(soak->world.stream, &budget, NULL);
    if (result != TRN_RESULT_OK && !is_refusal(result)) {
        fail_msg("step %llu: %s", (unsigned long long)soak->steps, trn_result_text(result));
    }
    check_loaded(soak);
    check_memory(soak);
    if (one_in(soak, 64)) {
        (void)check_edited(soak);
    }
    if (one_in(soak, 200)) {
        world_save(&soak->world);
    }
    soak->steps++;
}

// ---- sessions ----------------------------------------------------------------------------------

static void begin_session(Soak *soak)
{
    const bool is_short = one_in(soak, 2);
    world_open(&soak->world, (size_t)(is_short ? 12 : 64) << 20);
    model_forget(&soak->model); // a history is not saved
    for (int i = 0; i < PLAYERS; i++) {
        Player *player = &soak->players[i];
        player->anchor = trn_stream_anchor();
        go_to_place(soak, player);
        begin_mode(soak, player);
        assert_int_equal(trn_stream_anchor_add(soak->world.stream, &player->anchor, &player->id),
                         TRN_RESULT_OK);
    }
}

static void end_session(Soak *soak)
{
    (void)check_edited(soak);
    world_close(&soak->world);
    soak->sessions++;
}

/// Visits every place, until all chunks that were ever edited have been loaded and checked.
static void check_world(Soak *soak)
{
    uint32_t found = 0;
    const TrnStreamBudget budget = {.units = 1024};
    world_open(&soak->world, (size_t)256 << 20);
    for (uint32_t i = 0; i < PLACES; i++) {
        TrnStreamAnchorId id;
        TrnStreamAnchor anchor = trn_stream_anchor();
        TrnStreamReport report = {0};
        anchor.position = trn_voxel_position(soak->places[i]);
        anchor.radius_chunks = anchor.height_chunks = RADIUS_CHUNKS;
        assert_int_equal(trn_stream_anchor_add(soak->world.stream, &anchor, &id), TRN_RESULT_OK);
        for (uint32_t n = 0; n < 200 && !report.is_idle; n++) {
            assert_int_equal(trn_stream_update(soak->world.stream, &budget, &report),
                             TRN_RESULT_OK);
        }
        assert_true(report.is_idle);
    }
    found = check_edited(soak);
    assert_int_equal(found, soak->model.count);
    assert_int_equal(trn_edits_stats(soak->world.store).pending_chunks, 0);
    world_close(&soak->world);
}

static void find_places(Soak *soak)
{
    const int64_t middle = MIDDLE, end = TRN_VOXEL_MAX - 40;
    const TrnVoxel places[PLACES] = {
        {0, 0, 0},      {40, 0, -70},    {300, 0, 300},        {-5000, 0, 8000},
        {middle, 0, 0}, {-middle, 0, 0}, {middle, 0, -middle}, {-middle, 0, middle},
        {end, 0, end},  {-end, 0, end},  {0, 0, -end},         {TRN_VOXEL_MAX, 0, TRN_VOXEL_MIN}};
    for (uint32_t i = 0; i < PLACES; i++) {
        soak->places[i] = places[i];
        assert_int_equal(
            trn_terrain_height(soak->world.terrain, places[i].x, places[i].z, &soak->places[i].y),
            TRN_RESULT_OK);
    }
}

static double seconds_now(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Resident bytes of this process; 0 where the system does not tell.
static size_t resident_bytes(void)
{
    size_t total = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%zu %zu", &total, &resident) != 2) { // NOLINT(cert-err34-c)
            resident = 0;
        }
        (void)fclose(file);
    }
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void a_long_game_loses_nothing(void **state)
{
    (void)state;
    const char *text = getenv("TERRANE_TEST_SECONDS");
    const double seconds = text ? strtod(text, NULL) : test_rounds(SECONDS_DEFAULT, 6);
    const uint32_t session_steps = test_rounds(SESSION_STEPS, SESSION_STEPS_BRIEF);
    Soak *soak = calloc(1, sizeof *soak);
    assert_non_null(soak);
    soak->random = test_random_seeded(20261123);
    world_create(&soak->world);
    find_places(soak);
    model_create(&soak->model, trn_terrain_generator(soak->world.terrain));
    const double begin = seconds_now();
    size_t resident = 0;
    while (seconds_now() - begin < seconds) {
        begin_session(soak);
        for (uint32_t i = 0; i < session_steps; i++) {
            step(soak);
        }
        end_session(soak);
        // Chunks of the model are touched for the first time in the first quarter, by and large.
        resident = seconds_now() - begin < seconds / 4 ? resident_bytes() : resident;
    }
    const size_t grown = resident_bytes();
    check_world(soak);
    print_message("  %llu steps in %llu sessions: %llu edits, %llu of them pending, %llu refused, "
                  "%llu undone, %llu redone; %llu chunks loaded, %llu compared, %u edited; "
                  "%zu MiB resident, %zu MiB after a quarter of the time\n",
                  (unsigned long long)soak->steps, (unsigned long long)soak->sessions,
                  (unsigned long long)soak->edits, (unsigned long long)soak->pending_edits,
                  (unsigned long long)soak->refused, (unsigned long long)soak->undone,
                  (unsigned long long)soak->redone, (unsigned long long)soak->world.loaded_total,
                  (unsigned long long)soak->checked, (unsigned)soak->model.count, grown >> 20,
                  resident >> 20);
    assert_true(soak->edits && soak->pending_edits && soak->undone && soak->redone);
    assert_true(TEST_HAS_SANITIZER || !resident || grown < resident + GROWTH_MAX);
    model_destroy(&soak->model);
    world_destroy(&soak->world);
    free(soak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_game_loses_nothing)};
    return cmocka_run_group_tests_name("soak", tests, NULL, NULL);
}
