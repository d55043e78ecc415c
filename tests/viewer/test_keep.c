// Where a world's chunks and notes are kept: world files, memory, disks that are full or slow.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "unseen_world.h"

#include "../save/save_chunk.h"

#include <program.h>
#include <scene/world_notes.h>
#include <settings/command_line.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <terrane/batch.h>
#include <time.h>

// ---- a disk that fails --------------------------------------------------------------------------

/// Memory, with a disk's troubles.
typedef struct Disk {
    TrnStorage memory;
    atomic_bool is_full, hangs;
} Disk;

static TrnResult disk_get(void *user, const TrnStorageKey *keys, size_t count,
                          TrnStorageRowVisitor visit, void *visitor)
{
    const TrnStorage *memory = &((Disk *)user)->memory;
    return memory->get(memory->user, keys, count, visit, visitor);
}

static TrnResult disk_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                           void *visitor)
{
    const TrnStorage *memory = &((Disk *)user)->memory;
    return memory->list(memory->user, range, visit, visitor);
}

static TrnResult disk_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                             void *visitor)
{
    const TrnStorage *memory = &((Disk *)user)->memory;
    return memory->values(memory->user, prefix, visit, visitor);
}

static TrnResult disk_put(void *user, const TrnStorageBatch *batch)
{
    Disk *disk = user;
    while (disk->hangs) {
        const struct timespec time = {0, 1000000};
        (void)nanosleep(&time, NULL);
    }
    return disk->is_full ? TRN_RESULT_IO : disk->memory.put(disk->memory.user, batch);
}

static void disk_problem(void *user, char *text, size_t capacity)
{
    (void)user;
    (void)snprintf(text, capacity, "The disk is full; free some space.");
}

static void disk_close(void *user)
{
    const TrnStorage *memory = &((Disk *)user)->memory;
    memory->close(memory->user);
}

static Keep *open_disk(Disk *disk, TrnBlockTypes **types, size_t queue_bytes)
{
    Keep *keep;
    Message problem;
    *disk = (Disk){.is_full = false};
    assert_int_equal(trn_storage_memory(NULL, &disk->memory), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, types), TRN_RESULT_OK);
    const TrnStorage storage = {disk_get,     disk_list,  disk_values, disk_put, NULL,
                                disk_problem, disk_close, disk,        0};
    const KeepDef def = {.storage = &storage, .types = *types, .queue_bytes = queue_bytes};
    assert_true(keep_open(&keep, &def, &problem));
    assert_int_equal(keep_flush(keep, 60), TRN_RESULT_OK);
    return keep;
}

/// Waits until the keep has news. @return them
static Message await_news(Keep *keep)
{
    Message news;
    for (int i = 0; i < 20000; i++) {
        const struct timespec time = {0, 1000000};
        if (keep_news(keep, &news)) {
            return news;
        }
        (void)nanosleep(&time, NULL);
    }
    fail_msg("nothing was told");
    return news;
}

static void a_full_disk_is_told_once_and_when_it_works_again(void **state)
{
    (void)state;
    Disk disk;
    TrnBlockTypes *types;
    Message news;
    Keep *keep = open_disk(&disk, &types, 0);
    disk.is_full = true;
    assert_int_equal(trn_save_set_value(keep_save(keep), "name", "value", 5), TRN_RESULT_OK);
    assert_int_equal(keep_flush(keep, 60), TRN_RESULT_IO);
    news = await_news(keep);
    assert_non_null(strstr(news.text, "is not saved now"));
    assert_non_null(strstr(news.text, "The disk is full; free some space."));
    assert_true(keep_stats(keep).is_failing);
    assert_string_equal(keep_failure(keep), "The disk is full; free some space.");
    assert_int_equal(keep_flush(keep, 60), TRN_RESULT_IO);
    assert_false(keep_news(keep, &news));
    disk.is_full = false;
    assert_int_equal(keep_flush(keep, 60), TRN_RESULT_OK);
    assert_string_equal(await_news(keep).text, "Your world is saved again.");
    assert_null(keep_failure(keep));
    assert_false(keep_news(keep, &news));
    keep_close(keep);
    trn_block_types_destroy(types);
}

static void nobody_waits_for_long_for_a_disk_that_hangs(void **state)
{
    (void)state;
    Disk disk;
    TrnBlockTypes *types;
    Keep *keep = open_disk(&disk, &types, 0);
    disk.hangs = true;
    assert_int_equal(trn_save_set_value(keep_save(keep), "name", "value", 5), TRN_RESULT_OK);
    const time_t begun = time(NULL);
    assert_int_equal(keep_flush(keep, 0.2), TRN_RESULT_BUSY);
    assert_true(time(NULL) - begun <= 20); // a busy machine is slow
    disk.hangs = false;
    assert_int_equal(keep_flush(keep, 60), TRN_RESULT_OK);
    keep_close(keep);
    trn_block_types_destroy(types);
}

/// However far the player flies: memory for what cannot be written is bounded. A transaction may
/// take it beyond its cap, and nothing is added to it then.
static void on_a_full_disk_the_view_stays_and_nothing_is_lost(void **state)
{
    (void)state;
    Disk disk;
    TrnBlockTypes *types;
    Keep *keep = open_disk(&disk, &types, (size_t)400 << 10);
    World *world;
    Message problem;
    const WorldDef def = {.terrain = trn_terrain_def(),
                          .view_distance = 3,
                          .view_height = 3,
                          .keep = keep,
                          .types = types,
                          .sink = unseen_sink()};
    assert_true(world_create(&world, &def, &problem));
    Camera camera = camera_at((const double[5]){0, 40, 0, 0, 0});
    disk.is_full = true;
    world_load_all(world, &camera);
    assert_int_not_equal(world_save(world, 60), TRN_RESULT_OK);
    (void)await_news(keep);
    uint32_t most = 0;
    const size_t bytes_max = keep_stats(keep).bytes_max;
    for (int i = 0; i < 40; i++) {
        const size_t before = keep_stats(keep).bytes;
        camera = camera_at((const double[5]){100.0 * i, 40, 0, 0, 0});
        for (int update = 0; update < 10; update++) {
            world_update(world, &camera, AT_REST, (TrnStreamBudget){.units = 200}, NULL);
        }
        const uint32_t loaded = trn_store_stats(world_store(world)).chunks;
        most = loaded > most ? loaded : most;
        (void)world_save(world, 60);
        assert_true(before <= bytes_max || keep_stats(keep).bytes <= before);
    }
    print_message("  %u chunks loaded at most, %zu of %zu bytes wait\n", most,
                  keep_stats(keep).bytes, bytes_max);
    assert_true(most < 1500); // a view has some 200; forty of them were passed
    assert_false(world_admits_edit(world, 1000));
    disk.is_full = false;
    assert_int_equal(world_save(world, 60), TRN_RESULT_OK);
    assert_string_equal(await_news(keep).text, "Your world is saved again.");
    world_load_all(world, &camera); // where the player is
    assert_non_null(trn_store_find(world_store(world), camera.position.chunk));
    world_destroy(world);
    keep_close(keep);
    trn_block_types_destroy(types);
}

// ---- chunks -------------------------------------------------------------------------------------

static void put(Keep *keep, TrnCoord coord, TrnSnapshot voxels)
{
    const TrnStreamSource source = keep_source(keep);
    const TrnStreamJob job = {.coord = coord};
    assert_int_equal(source.save(source.user, &job, voxels), TRN_RESULT_OK);
}

static TrnResult get(Keep *keep, TrnCoord coord, TrnBlock *blocks)
{
    const TrnStreamSource source = keep_source(keep);
    const TrnStreamJob job = {.coord = coord};
    bool uniform = false;
    return source.load(source.user, &job, blocks, &uniform);
}

static void changes_of_a_file_that_is_only_read_stay_in_memory(void **state)
{
    static SaveChunk first, second;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(3);
    char path[PLACE_PATH];
    Message problem;
    Keep *keep;
    TrnBlockTypes *types;
    const TrnCoord coord = {1, 2, 3}, other = {1, 2, 4};
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    save_chunk_create(&first);
    save_chunk_create(&second);
    KeepDef def = {.path = place_path(*state, "a.world", path), .types = types};
    assert_true(keep_open(&keep, &def, &problem));
    assert_true(keep_stats(keep).is_file);
    put(keep, coord, save_chunk_fill(&first, &random, 3));
    keep_close(keep); // writes it
    def.is_read_only = true;
    for (int round = 0; round < 2; round++) {
        assert_true(keep_open(&keep, &def, &problem));
        assert_int_equal(keep_stats(keep).bytes_max, 0);
        assert_int_equal(get(keep, coord, blocks), TRN_RESULT_OK);
        assert_memory_equal(blocks, first.blocks, sizeof blocks);
        assert_int_equal(get(keep, other, blocks), TRN_RESULT_NOT_FOUND);
        put(keep, coord, save_chunk_fill(&second, &random, 5));
        assert_int_equal(get(keep, coord, blocks), TRN_RESULT_OK);
        assert_memory_equal(blocks, second.blocks, sizeof blocks);
        assert_true(keep_stats(keep).bytes > 0);
        assert_int_equal(keep_flush(keep, 60), TRN_RESULT_OK);
        keep_close(keep);
    }
    save_chunk_destroy(&first);
    save_chunk_destroy(&second);
    trn_block_types_destroy(types);
}

/// An undo far away, after which the player quits.
static void an_edit_far_away_is_there_when_its_chunk_is_loaded(void **state)
{
    char path[PLACE_PATH];
    Message problem;
    const TrnVoxel far = {4000, 60, 0};
    const Camera here = camera_at((const double[5]){0, 60, 0, 0, 0});
    const Camera there = camera_at((const double[5]){4000, 60, 0, 0, 0});
    for (int round = 0; round < 2; round++) {
        Keep *keep;
        World *world;
        TrnBlockTypes *types;
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        const KeepDef def = {.path = place_path(*state, "a.world", path), .types = types};
        assert_true(keep_open(&keep, &def, &problem));
        const WorldDef small = {.terrain = trn_terrain_def(),
                                .view_distance = 2,
                                .view_height = 2,
                                .keep = keep,
                                .types = types,
                                .sink = unseen_sink()};
        assert_true(world_create(&world, &small, &problem));
        if (round == 0) {
            TrnBatch *batch;
            world_load_all(world, &here);
            assert_int_equal(trn_batch_begin(world_edit_store(world), NULL, &batch), TRN_RESULT_OK);
            assert_int_equal(trn_batch_set(batch, far, TRN_BLOCK_GLASS), TRN_RESULT_OK);
            assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
            assert_null(trn_store_find(world_store(world), trn_voxel_chunk(far)));
            assert_int_equal(world_save(world, 60), TRN_RESULT_OK);
        } else {
            TrnBlock block;
            world_load_all(world, &there);
            assert_int_equal(trn_store_get_block(world_store(world), far, &block), TRN_RESULT_OK);
            assert_int_equal(block, TRN_BLOCK_GLASS);
        }
        world_destroy(world);
        keep_close(keep);
        trn_block_types_destroy(types);
    }
}

// ---- notes --------------------------------------------------------------------------------------

/// Reads a command line, and then the notes of its world. @return as world_notes_take
static int take(Settings *settings, Message *problem, const char *const *arguments)
{
    char *argv[16] = {(char *)(uintptr_t) "terrane-viewer"};
    int argc = 1;
    for (; arguments[argc - 1]; argc++) {
        argv[argc] = (char *)(uintptr_t)arguments[argc - 1];
    }
    problem->text[0] = '\0';
    assert_true((command_line_read(settings, argc, argv, problem) != OPTIONS_WRONG));
    return world_notes_take(settings, problem);
}

/// A world of seed 7 and preset islands, with a player.
static void make_world(const char *path)
{
    Settings settings;
    Message problem;
    Keep *keep;
    TrnBlockTypes *types;
    const char *const arguments[] = {"--world", path, "--seed", "7", "--preset", "islands", NULL};
    assert_int_equal(take(&settings, &problem, arguments), PROGRAM_GOOD); // it does not exist yet
    assert_false(settings.placed);
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    const WorldFacts facts = world_notes_facts(&settings);
    const KeepDef def = {.path = path, .facts = &facts, .types = types};
    assert_true(keep_open(&keep, &def, &problem));
    const WorldNotes notes = {.place = {1e9 + 0.125, 40.62, -3.5, 90, -20},
                              .hours = 18.25,
                              .mode = "foot",
                              .bar = "2 terrane:stone"};
    WorldNotes written = {.hours = -1};
    world_notes_write(keep_save(keep), &notes, &written);
    assert_memory_equal(&written.place, &notes.place, sizeof notes.place);
    keep_close(keep);
    trn_block_types_destroy(types);
}

static bool count_row(void *user, const TrnStorageRow *row)
{
    (void)row;
    ++*(uint32_t *)user;
    return true;
}

static uint32_t count_rows(Disk *disk, uint32_t level)
{
    uint32_t count = 0;
    const TrnStorageRange all = {
        .level = level,
        .box = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}}};
    assert_int_equal(disk_list(disk, &all, count_row, &count), TRN_RESULT_OK);
    return count;
}

/// What is built is saved as it is seen from afar too; land without edits is not.
static void edits_are_saved_at_every_level(void **state)
{
    (void)state;
    Disk disk;
    TrnBlockTypes *types;
    Keep *keep = open_disk(&disk, &types, 0);
    World *world;
    Message problem;
    const WorldDef def = {.terrain = trn_terrain_def(),
                          .view_distance = 3,
                          .view_height = 3,
                          .far_distance = 12,
                          .keep = keep,
                          .types = types,
                          .sink = unseen_sink()};
    assert_true(world_create(&world, &def, &problem));
    const Camera camera = camera_at((const double[5]){0, 40, 0, 0, 0});
    world_load_all(world, &camera);
    assert_int_equal(world_save(world, 60), TRN_RESULT_OK);
    assert_true(count_rows(&disk, 0) > 0);
    assert_int_equal(count_rows(&disk, 1) + count_rows(&disk, 2), 0);
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world_edit_store(world), NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(
        trn_batch_fill_sphere(batch, (TrnVoxel){3, 45, 7}, 12, TRN_BLOCK_GLOWING_STONE),
        TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_int_equal(world_save(world, 60), TRN_RESULT_OK);
    assert_true(count_rows(&disk, 1) > 0 && count_rows(&disk, 2) > 0);
    world_destroy(world);
    keep_close(keep);
    trn_block_types_destroy(types);
}

/// Counts the blocks that a level of a saved world has of a type, around the origin.
static uint32_t count_saved(Keep *keep, uint32_t level, TrnBlock block)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnStreamSource source = keep_source(keep);
    uint32_t count = 0;
    for (int i = 0; i < 8; i++) {
        const TrnStreamJob job = {.coord = {(i & 1) - 1, (i >> 1 & 1), (i >> 2) - 1},
                                  .level = level};
        bool uniform = false;
        const TrnResult result = source.load(source.user, &job, blocks, &uniform);
        for (uint32_t k = 0; result == TRN_RESULT_OK && !uniform && k < TRN_CHUNK_VOXELS; k++) {
            count += blocks[k] == block;
        }
    }
    return count;
}

/// What was built without a far view is seen from afar once there is one, and is folded once.
static void what_was_built_without_a_far_view_is_seen_from_afar(void **state)
{
    char path[PLACE_PATH];
    const Camera camera = camera_at((const double[5]){0, 40, 0, 0, 0});
    for (int round = 0; round < 3; round++) {
        Keep *keep;
        World *world;
        Message problem;
        TrnBlockTypes *types;
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        const KeepDef file = {.path = place_path(*state, "a.world", path), .types = types};
        assert_true(keep_open(&keep, &file, &problem));
        const WorldDef def = {.terrain = trn_terrain_def(),
                              .view_distance = 2,
                              .view_height = 2,
                              .far_distance = round ? 12 : 0,
                              .keep = keep,
                              .types = types,
                              .sink = unseen_sink()};
        const uint64_t queued = trn_save_stats(keep_save(keep)).queued;
        assert_true(world_create(&world, &def, &problem));
        assert_int_equal(trn_save_stats(keep_save(keep)).queued > queued, round == 1);
        for (uint32_t level = 1; level <= 3; level++) {
            assert_int_equal(count_saved(keep, level, TRN_BLOCK_GLOWING_STONE) > 0, round > 0);
        }
        world_load_all(world, &camera);
        if (round == 0) {
            TrnBatch *batch;
            assert_int_equal(trn_batch_begin(world_edit_store(world), NULL, &batch), TRN_RESULT_OK);
            assert_int_equal(
                trn_batch_fill_sphere(batch, (TrnVoxel){3, 45, 7}, 14, TRN_BLOCK_GLOWING_STONE),
                TRN_RESULT_OK);
            assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        }
        assert_int_equal(world_save(world, 60), TRN_RESULT_OK);
        world_destroy(world);
        keep_close(keep);
        trn_block_types_destroy(types);
    }
}

static void a_world_has_its_seed_its_time_and_its_place(void **state)
{
    char path[PLACE_PATH];
    Settings settings;
    Message problem;
    make_world(place_path(*state, "a.world", path));
    const char *const arguments[] = {"--world", path, NULL};
    assert_int_equal(take(&settings, &problem, arguments), PROGRAM_GOOD);
    assert_int_equal(settings.seed, 7);
    assert_string_equal(settings.choice.preset, "islands");
    assert_true(settings.placed && settings.at[0] == 1e9 + 0.125 && settings.at[1] == 40.62);
    assert_true(settings.at[3] == 90 && settings.at[4] == -20);
    assert_true(settings.hours == 18.25);
    Settings file = settings_default(); // another time in the settings file
    settings_take_file(&settings, &file);
    assert_true(settings.hours == 18.25);
    // Options of this run win over time and place.
    const char *const more[] = {"--world", path, "--look",   "time=3",  "--at=1,2,3,4,5",
                                "--seed",  "7",  "--preset", "islands", NULL};
    assert_int_equal(take(&settings, &problem, more), PROGRAM_GOOD);
    assert_true(settings.hours == 3 && settings.at[0] == 1 && settings.at[4] == 5);
    // A flight leads elsewhere, and has no say in the land.
    const char *const flight[] = {"--world", path, "--flight", "a.flight", "--headless", NULL};
    assert_int_equal(take(&settings, &problem, flight), PROGRAM_GOOD);
    assert_false(settings.placed);
    const Flight recorded = {.head = {.has_seed = true, .seed = 3, .preset = "alps"}};
    assert_true(command_line_take_flight(&settings, "a.flight", &recorded, &problem));
    assert_int_equal(settings.seed, 7);
    assert_string_equal(settings.choice.preset, "islands");
}

static void what_contradicts_a_world_is_refused(void **state)
{
    char path[PLACE_PATH], none[PLACE_PATH], text[PLACE_PATH];
    Settings settings;
    Message problem;
    make_world(place_path(*state, "a.world", path));
    const char *const seed[] = {"--world", path, "--seed", "8", NULL};
    assert_int_equal(take(&settings, &problem, seed), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "has the seed 7, not 8: leave --seed out"));
    const char *const preset[] = {"--world", path, "--preset", "alps", NULL};
    assert_int_equal(take(&settings, &problem, preset), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "has the preset islands, not alps: leave --preset out"));
    // Without a window a world is only read, so there must be one.
    const char *const headless[] = {"--headless", "--world", place_path(*state, "none", none),
                                    NULL};
    assert_int_equal(take(&settings, &problem, headless), PROGRAM_FAILED);
    assert_non_null(strstr(problem.text, "no such file"));
    assert_int_not_equal(access(none, F_OK), 0);
    place_write(*state, "text",
                "This is a letter, and no world of any kind, but as long as one.\n");
    const char *const letter[] = {"--world", place_path(*state, "text", text), NULL};
    assert_int_equal(take(&settings, &problem, letter), PROGRAM_FAILED);
    assert_non_null(strstr(problem.text, "not a world"));
}

/// Another program makes the world after this one has seen that there is none.
static void a_world_of_another_program_is_followed_or_refused(void **state)
{
    char path[PLACE_PATH];
    Settings settings;
    Message problem;
    static const char *const lines[][5] = {
        {NULL}, {"--seed", "7"}, {"--seed", "8"}, {"--preset", "alps"}};
    static const char *const refusals[] = {NULL, NULL, "has the seed 7, not 8",
                                           "has the preset islands, not alps"};
    WorldFacts facts = world_facts();
    facts.terrain.seed = 7;
    facts.terrain.version = TRN_TERRAIN_VERSION_OLDEST;
    assert_int_equal(trn_terrain_shape_preset("islands", &facts.terrain.shape), TRN_RESULT_OK);
    world_facts_set_preset(&facts, "islands");
    place_path(*state, "a.world", path);
    for (size_t i = 0; i < 4; i++) {
        const char *const line[] = {"--world", path, lines[i][0], lines[i][1], NULL};
        assert_int_equal(take(&settings, &problem, line), PROGRAM_GOOD);
        const bool good = world_notes_follow(&settings, &facts, &problem);
        assert_int_equal(good, !refusals[i]);
        if (!good) {
            assert_non_null(strstr(problem.text, refusals[i]));
            continue;
        }
        assert_int_equal(settings.seed, 7);
        assert_int_equal(settings.land_version, TRN_TERRAIN_VERSION_OLDEST);
        assert_string_equal(settings.choice.preset, "islands");
        assert_memory_equal(&settings.shape, &facts.terrain.shape, sizeof settings.shape);
        assert_true(world_notes_follow(&settings, &facts, &problem)); // as when it was read before
    }
    facts = (WorldFacts){.terrain = trn_terrain_def()}; // without land
    facts.terrain.seed = settings_default().seed + 1;
    const char *const seed[] = {"--world", path, "--seed", "8", NULL};
    assert_int_equal(take(&settings, &problem, seed), PROGRAM_GOOD);
    assert_false(world_notes_follow(&settings, &facts, &problem));
    assert_non_null(strstr(problem.text, "has no land to generate"));
}

/// The owner of the file has taken away the right to write it.
static void a_file_that_may_only_be_read_is_refused(void **state)
{
    const Place *place = *state;
    char path[PLACE_PATH];
    Message problem;
    Keep *keep;
    TrnBlockTypes *types;
    make_world(place_path(place, "a.world", path));
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(place->folder, 0777), 0);
    const bool is_root = geteuid() == 0; // who may write everything
    assert_int_equal(is_root ? seteuid(65534) : 0, 0);
    const KeepDef def = {.path = path, .types = types};
    const bool opened = keep_open(&keep, &def, &problem);
    assert_int_equal(is_root ? seteuid(0) : 0, 0);
    assert_false(opened);
    assert_non_null(strstr(problem.text, "may only be read"));
    trn_block_types_destroy(types);
}

/// A world that was imported has no land of its own around what was imported.
static void what_is_not_imported_is_air(void **state)
{
    char path[PLACE_PATH];
    Settings settings;
    Message problem;
    Keep *keep;
    World *world;
    TrnBlockTypes *types;
    WorldFacts facts = world_facts();
    facts.has_terrain = false;
    facts.spawn = (TrnVoxel){10, 20, 30};
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    const KeepDef def = {
        .path = place_path(*state, "a.world", path), .facts = &facts, .types = types};
    assert_true(keep_open(&keep, &def, &problem));
    const WorldDef empty = {.terrain = trn_terrain_def(),
                            .view_distance = 2,
                            .view_height = 2,
                            .keep = keep,
                            .is_empty = !keep_facts(keep)->has_terrain,
                            .types = types,
                            .sink = unseen_sink()};
    assert_true(world_create(&world, &empty, &problem));
    const Camera camera = camera_at((const double[5]){0, -40, 0, 0, 0});
    world_load_all(world, &camera);
    TrnBlock block;
    assert_int_equal(trn_store_get_block(world_store(world), (TrnVoxel){0, -40, 0}, &block),
                     TRN_RESULT_OK);
    assert_int_equal(block, TRN_BLOCK_AIR);
    world_destroy(world);
    keep_close(keep);
    trn_block_types_destroy(types);
    const char *const arguments[] = {"--world", path, NULL};
    assert_int_equal(take(&settings, &problem, arguments), PROGRAM_GOOD);
    assert_true(settings.at[0] == 10.5 && settings.at[1] == 20 + PLAYER_EYES);
    const char *const seed[] = {"--world", path, "--seed", "8", NULL};
    assert_int_equal(take(&settings, &problem, seed), PROGRAM_USAGE);
    assert_non_null(strstr(problem.text, "no land to generate"));
}

/// The bar and the mode come back as they were; what is unknown changes nothing.
static void a_player_comes_back_as_they_were(void **state)
{
    char path[PLACE_PATH];
    Message problem;
    Keep *keep;
    World *world;
    Person person;
    const KeepDef def = {.path = place_path(*state, "a.world", path)};
    const Camera camera = camera_at((const double[5]){0.5, 60, 0.5, 30, -10});
    TrnBlock bar[PALETTE_BAR];
    for (int round = 0; round < 3; round++) {
        TrnBlockTypes *types;
        assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
        KeepDef here = def;
        here.types = types;
        assert_true(keep_open(&keep, &here, &problem));
        const WorldDef small = {.terrain = trn_terrain_def(),
                                .view_distance = 2,
                                .view_height = 2,
                                .keep = keep,
                                .types = types,
                                .sink = unseen_sink()};
        assert_true(world_create(&world, &small, &problem));
        const PersonDef who = {.world = world, .settings = player_settings(), .camera = &camera};
        assert_true(person_create(&person, &who, &problem));
        WorldNotes written = {.hours = -1};
        Palette *palette = hand_palette(person.hand);
        if (round == 0) {
            assert_true(palette_choose_slot(palette, 4));
            assert_true(palette_put(palette, 4, palette->blocks[palette->count - 3]));
            memcpy(bar, palette->bar, sizeof bar);
            player_set_mode(&person.player, PLAYER_MODE_NO_CLIP);
            const WorldNotes notes = world_notes_of(&person, &camera, false, 12);
            assert_true(notes.place[1] == 60 && notes.place[3] == 30);
            world_notes_write(keep_save(keep), &notes, &written);
        } else if (round == 1) {
            world_notes_begin(keep_save(keep), &person);
            assert_int_equal(person.player.mode, PLAYER_MODE_NO_CLIP);
            assert_int_equal(palette->chosen, 4);
            assert_memory_equal(palette->bar, bar, sizeof bar);
            const WorldNotes odd = {.hours = 1, .mode = "crawl", .bar = "77 terrane:no_such"};
            world_notes_write(keep_save(keep), &odd, &written);
        } else {
            memcpy(bar, palette->bar, sizeof bar);
            world_notes_begin(keep_save(keep), &person);
            assert_int_equal(person.player.mode, PLAYER_MODE_FLY);
            assert_int_equal(palette->chosen, 0);
            assert_memory_equal(palette->bar, bar, sizeof bar);
        }
        person_free(&person);
        world_destroy(world);
        keep_close(keep);
        trn_block_types_destroy(types);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_full_disk_is_told_once_and_when_it_works_again, place_clear),
        cmocka_unit_test_setup(nobody_waits_for_long_for_a_disk_that_hangs, place_clear),
        cmocka_unit_test_setup(on_a_full_disk_the_view_stays_and_nothing_is_lost, place_clear),
        cmocka_unit_test_setup(changes_of_a_file_that_is_only_read_stay_in_memory, place_clear),
        cmocka_unit_test_setup(an_edit_far_away_is_there_when_its_chunk_is_loaded, place_clear),
        cmocka_unit_test_setup(edits_are_saved_at_every_level, place_clear),
        cmocka_unit_test_setup(what_was_built_without_a_far_view_is_seen_from_afar, place_clear),
        cmocka_unit_test_setup(a_world_has_its_seed_its_time_and_its_place, place_clear),
        cmocka_unit_test_setup(what_contradicts_a_world_is_refused, place_clear),
        cmocka_unit_test_setup(a_world_of_another_program_is_followed_or_refused, place_clear),
        cmocka_unit_test_setup(a_file_that_may_only_be_read_is_refused, place_clear),
        cmocka_unit_test_setup(what_is_not_imported_is_air, place_clear),
        cmocka_unit_test_setup(a_player_comes_back_as_they_were, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}
