// Every function of a save and its storage that may be called on any thread, on several at once,
// while another thread sets values, stores pending edits and flushes. For ThreadSanitizer; what the
// functions return is tested elsewhere.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include <pthread.h>
#include <stdatomic.h>

#include "save_world.h"

#include <terrane/batch.h>

#define THREADS 3

/// One thread.
typedef struct Seat {
    SaveWorld *world;
    uint32_t number, rounds;
    _Atomic(bool) *is_over;
    TrnBlock *blocks; ///< [TRN_CHUNK_VOXELS]
    uint64_t sum;     ///< of answers, so that no call is left out
} Seat;

static void seat_use_source(Seat *seat, uint32_t round)
{
    const TrnStreamSource source = trn_save_source(seat->world->save);
    const TrnStreamJob job = {.coord = {(int32_t)(round % 5), 0, 0}};
    bool uniform = false;
    int32_t y;
    const TrnResult saved =
        source.save(source.user, &job, trn_snapshot_of((TrnBlock)(round % 3), round + 1));
    assert_int_equal(saved, TRN_RESULT_OK);
    assert_int_equal(source.load(source.user, &job, seat->blocks, &uniform), TRN_RESULT_OK);
    seat->sum += source.highest(source.user, (TrnCoord){0, 100, 0}, -100, &y);
}

static void seat_put(Seat *seat, uint32_t round)
{
    TrnSave *save = seat->world->save;
    char value[8];
    size_t size;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        seat->blocks[i] = save_world_block(round % 7, seat->number, i);
    }
    assert_int_equal(
        trn_save_put(save, (TrnCoord){(int32_t)(round % 5), 1, 0}, round % 2, seat->blocks, false),
        TRN_RESULT_OK);
    bool uniform;
    assert_int_equal(trn_save_get(save, (TrnCoord){(int32_t)(round % 5), 1, 0}, round % 2,
                                  seat->blocks, &uniform),
                     TRN_RESULT_OK);
    seat->sum += trn_save_get_value(save, "spawn", value, sizeof value, &size);
    seat->sum += trn_save_stats(save).queued;
}

static bool seat_visit_row(void *user, const TrnStorageRow *row)
{
    *(uint64_t *)user += row->size;
    return true;
}

static bool seat_visit_value(void *user, const TrnStorageValue *value)
{
    *(uint64_t *)user += value->size;
    return true;
}

static void seat_visit_fault(void *user, const char *sentence)
{
    (void)user;
    fail_msg("%s", sentence);
}

static void seat_use_storage(Seat *seat, uint32_t round)
{
    const TrnStorage *storage = &seat->world->def.storage;
    const TrnStorageKey keys[2] = {{{0, 0, 0}, 0}, {{(int32_t)round, 1, 0}, 0}};
    const TrnStorageRange all = {0, trn_box_everything(), 0};
    char text[512];
    assert_int_equal(storage->get(storage->user, keys, 2, seat_visit_row, &seat->sum),
                     TRN_RESULT_OK);
    assert_int_equal(storage->list(storage->user, &all, seat_visit_row, &seat->sum), TRN_RESULT_OK);
    assert_int_equal(storage->values(storage->user, "", seat_visit_value, &seat->sum),
                     TRN_RESULT_OK);
    storage->problem(storage->user, text, sizeof text);
}

static void seat_check_and_copy(Seat *seat, uint32_t round)
{
    const TrnStorage *storage = &seat->world->def.storage;
    char name[32], path[PLACE_PATH];
    TrnStorageProblem problem;
    if (round % 8 == 3) {
        assert_int_equal(trn_storage_sqlite_check(storage, NULL, seat_visit_fault, NULL),
                         TRN_RESULT_OK);
    } else if (round % 8 == 7) {
        (void)snprintf(name, sizeof name, "copy %u", (unsigned)seat->number);
        (void)place_path(&seat->world->place, name, path);
        assert_int_equal(trn_storage_sqlite_backup(storage, path, NULL, &problem), TRN_RESULT_OK);
        assert_int_equal(remove(path), 0);
    }
}

static void *seat_run(void *argument)
{
    Seat *seat = argument;
    for (uint32_t i = 0; i < seat->rounds || !atomic_load(seat->is_over); i++) {
        const uint32_t round = i + seat->number; // each thread begins with another call
        switch (round % 4) {
        case 0:
            seat_use_source(seat, round);
            break;
        case 1:
            seat_put(seat, round);
            break;
        case 2:
            seat_use_storage(seat, round);
            break;
        default:
            seat_check_and_copy(seat, round);
        }
    }
    return NULL;
}

/// What one thread at a time may do.
static void write_all_the_time(SaveWorld *world, uint32_t rounds)
{
    TrnStore *store;
    TrnSaveEvent event;
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (uint32_t i = 0; i < rounds; i++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        (void)trn_batch_set(batch, (TrnVoxel){(int64_t)i * 40, 0, 0}, TRN_BLOCK_STONE);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_save_pending(world->save, store), TRN_RESULT_OK);
        assert_int_equal(trn_save_set_value(world->save, "spawn", &i, sizeof i), TRN_RESULT_OK);
        assert_int_equal(trn_save_bind_land(world->save, "land", &world->problem), TRN_RESULT_OK);
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        const TrnResult flushed = trn_save_flush_for(world->save, 60);
        assert_true(flushed == TRN_RESULT_OK || flushed == TRN_RESULT_BUSY);
        assert_false(trn_save_next_event(world->save, &event));
    }
    trn_store_destroy(store);
}

static void all_functions_of_any_thread_run_at_once(void **state)
{
    (void)state;
    static SaveWorld world;
    _Atomic(bool) is_over = false;
    Seat seats[THREADS];
    pthread_t threads[THREADS];
    save_world_create(&world);
    world.def.commit_seconds = 0;
    assert_int_equal(save_world_open(&world, TRN_STORAGE_CREATE), TRN_RESULT_OK);
    for (uint32_t i = 0; i < THREADS; i++) {
        seats[i] = (Seat){.world = &world,
                          .number = i,
                          .rounds = test_rounds(60, 16),
                          .is_over = &is_over,
                          .blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]))};
        assert_non_null(seats[i].blocks);
        assert_int_equal(pthread_create(&threads[i], NULL, seat_run, &seats[i]), 0);
    }
    write_all_the_time(&world, test_rounds(40, 12));
    atomic_store(&is_over, true);
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(seats[i].sum > 0);
        free(seats[i].blocks);
    }
    assert_int_equal(save_world_close(&world), TRN_RESULT_OK);
    save_world_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_functions_of_any_thread_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
