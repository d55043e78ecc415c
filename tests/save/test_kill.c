/// A process that saves is killed at random moments. The world opens afterwards, and has everything
/// that a flush had acknowledged.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "save_chunk.h"

#include <signal.h>
#include <time.h>

#include <terrane/save.h>

#define CHUNKS 24
#define ROUNDS 12
#define ROUNDS_FULL 500
#define MS_MAX 120 // that a process lives

/// A world in a file.
typedef struct World {
    TrnBlockTypes *types;
    TrnSave *save;
} World;

static void open_world(World *world, const char *file)
{
    TrnStorageProblem problem = {""};
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    def.types = world->types;
    def.commit_seconds = 0.002; // between flushes, too
    TrnResult result = trn_storage_sqlite(file, TRN_STORAGE_EITHER, &def.storage, &problem);
    result = result == TRN_RESULT_OK ? trn_save_create(&def, &world->save, &problem) : result;
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static void close_world(World *world)
{
    assert_int_equal(trn_save_destroy(world->save), TRN_RESULT_OK);
    trn_block_types_destroy(world->types);
}

/// The content of all chunks in a round: a block in the first voxels that is the round's number.
static void fill(SaveChunk *chunk, uint32_t round)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        chunk->blocks[i] = (TrnBlock)(1 + i % 7);
    }
    for (uint32_t bit = 0; bit < 32; bit++) {
        chunk->blocks[bit] = (TrnBlock)(1 + (round >> bit & 1));
    }
    assert_int_equal(trn_voxels_encode(chunk->heap, &chunk->voxels, chunk->blocks, 1),
                     TRN_RESULT_OK);
}

static uint32_t round_of(const TrnBlock *blocks)
{
    uint32_t round = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        round |= (uint32_t)(blocks[bit] - 1) << bit;
    }
    return round;
}

/// Saves all chunks round by round, and writes each round's number once it is flushed.
static void save_until_killed(const char *file, uint32_t first, int acknowledge)
{
    World world;
    SaveChunk *chunk = malloc(sizeof *chunk);
    save_chunk_create(chunk);
    open_world(&world, file);
    const TrnStreamSource source = trn_save_source(world.save);
    for (uint32_t round = first;; round++) {
        fill(chunk, round);
        for (int32_t i = 0; i < CHUNKS; i++) {
            const TrnStreamJob job = {.coord = {i, -i, 7 * i}};
            if (source.save(source.user, &job, trn_voxels_snapshot(&chunk->voxels)) !=
                TRN_RESULT_OK) {
                _exit(1);
            }
        }
        if (trn_save_flush(world.save) != TRN_RESULT_OK ||
            write(acknowledge, &round, sizeof round) != (ssize_t)sizeof round) {
            _exit(2);
        }
    }
}

static void wait_ms(uint32_t ms)
{
    const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    (void)nanosleep(&time, NULL);
}

/// Starts a process that saves, and kills it after a while. @return the last round that it has
/// acknowledged; `before` if none
static uint32_t kill_one(const char *file, uint32_t before, uint32_t ms)
{
    int ends[2], status;
    uint32_t round, last = before;
    assert_int_equal(pipe(ends), 0);
    const pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        (void)close(ends[0]);
        save_until_killed(file, before + 1, ends[1]);
    }
    (void)close(ends[1]);
    wait_ms(ms);
    assert_int_equal(kill(process, SIGKILL), 0);
    while (read(ends[0], &round, sizeof round) == (ssize_t)sizeof round) {
        last = round;
    }
    (void)close(ends[0]);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status)); // it did not end by itself
    return last;
}

/// Checks that no chunk is older than a round, and none has parts of two.
static void expect_rounds(const char *file, uint32_t least)
{
    World world;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    open_world(&world, file);
    const TrnStreamSource source = trn_save_source(world.save);
    for (int32_t i = 0; i < CHUNKS; i++) {
        const TrnStreamJob job = {.coord = {i, -i, 7 * i}};
        bool uniform = true;
        const TrnResult result = source.load(source.user, &job, blocks, &uniform);
        assert_true(result == TRN_RESULT_OK || (result == TRN_RESULT_NOT_FOUND && least == 0));
        assert_true(result != TRN_RESULT_OK || (!uniform && round_of(blocks) >= least));
    }
    TrnSaveEvent event;
    assert_false(trn_save_next_event(world.save, &event)); // nothing was damaged
    close_world(&world);
}

static void what_was_flushed_survives_a_kill(void **state)
{
    (void)state;
    Place place;
    char file[PLACE_PATH];
    TestRandom random = test_random_seeded(9);
    assert_true(place_begin(&place));
    (void)place_path(&place, "a.world", file);
    const uint32_t rounds = getenv("TERRANE_TEST_FULL") ? ROUNDS_FULL : ROUNDS;
    uint32_t last = 0, ms_max = MS_MAX;
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t before = last;
        last = kill_one(file, before, (uint32_t)test_random_range(&random, 1, ms_max));
        ms_max = last > before || ms_max > 2000 ? MS_MAX : ms_max * 2; // the machine may be busy
        expect_rounds(file, last);
    }
    print_message("  %u processes killed, %u rounds acknowledged\n", (unsigned)rounds,
                  (unsigned)last);
    assert_true(last > rounds / 4); // most lived long enough to save something
    assert_true(place_discard(&place));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_flushed_survives_a_kill)};
    return cmocka_run_group_tests_name("save_kill", tests, NULL, NULL);
}
