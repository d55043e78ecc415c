/// Many chunks that are loaded at once: each gets what it would get alone.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"
#include "save_chunk.h"

#include <terrane/save.h>
#include <terrane/store.h>

enum { COUNT = 24, VOXELS_BYTES = sizeof(TrnBlock[TRN_CHUNK_VOXELS]) };

/// A storage in memory that can fail in the middle of a call.
typedef struct Slow {
    TrnStorage inner;
    size_t calls, keys; ///< of get
    size_t fail_at;     ///< rows until `failure`, once; SIZE_MAX: never
    TrnResult failure;
    size_t rows; ///< of this call
    TrnStorageRowVisitor visit;
    void *visitor;
} Slow;

typedef struct World {
    TestAllocator memory;
    TrnAllocator allocator;
    Slow slow;
    TrnBlockTypes *types;
    TrnStore *store; ///< of the chunks that are saved
    TrnSave *save;
    TrnStreamSource source;
} World;

/// One chunk as it was loaded.
typedef struct Loaded {
    TrnStreamJob job;
    TrnDataSink sink;
    TrnBlock *blocks;
    bool is_uniform;
    TrnResult result;
    uint64_t data; ///< a hash of the block data
} Loaded;

// ---- the storage -------------------------------------------------------------------------------

static bool slow_visit(void *user, const TrnStorageRow *row)
{
    Slow *slow = user;
    return slow->rows++ < slow->fail_at && slow->visit(slow->visitor, row);
}

static TrnResult slow_get(void *user, const TrnStorageKey *keys, size_t count,
                          TrnStorageRowVisitor visit, void *visitor)
{
    Slow *slow = user;
    slow->calls++;
    slow->keys += count;
    slow->rows = 0;
    slow->visit = visit;
    slow->visitor = visitor;
    const TrnResult result = slow->inner.get(slow->inner.user, keys, count, slow_visit, slow);
    if (slow->rows > slow->fail_at) {
        slow->fail_at = SIZE_MAX;
        return slow->failure;
    }
    return result;
}

static TrnResult slow_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                           void *visitor)
{
    const Slow *slow = user;
    return slow->inner.list(slow->inner.user, range, visit, visitor);
}

static TrnResult slow_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                             void *visitor)
{
    const Slow *slow = user;
    return slow->inner.values(slow->inner.user, prefix, visit, visitor);
}

static TrnResult slow_put(void *user, const TrnStorageBatch *batch)
{
    const Slow *slow = user;
    return slow->inner.put(slow->inner.user, batch);
}

static void slow_close(void *user)
{
    const Slow *slow = user;
    slow->inner.close(slow->inner.user);
}

// ---- the world ---------------------------------------------------------------------------------

static TrnCoord coord_of(uint32_t i)
{
    return (TrnCoord){(int32_t)i * 7 - 3, -(int32_t)i, 5};
}

/// Every fifth chunk is absent.
static bool is_saved(uint32_t i)
{
    return i % 5 != 4;
}

static void save_chunk(World *world, uint32_t i)
{
    const TrnStreamJob job = {.coord = coord_of(i)};
    TrnSnapshot voxels;
    assert_int_equal(trn_store_snapshot(world->store, job.coord, &voxels), TRN_RESULT_OK);
    assert_int_equal(world->source.save(world->source.user, &job, voxels), TRN_RESULT_OK);
}

/// By number: uniform, of a few blocks, or of many; some with block data.
static void make_chunk(World *world, uint32_t i)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t number[2] = {i, ~i};
    const TrnBlockData data[2] = {{.bytes = number, .size = 8, .index = (uint16_t)i},
                                  {.bytes = number, .size = 3, .index = 32767}};
    for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
        blocks[at] = (TrnBlock)(i % 3 == 0 ? 2 : 1 + at * (i + 1) / 97 % (i % 3 == 1 ? 3 : 9));
    }
    assert_int_equal(trn_store_insert_data(world->store, coord_of(i), blocks, i % 3 == 0, data,
                                           i % 4 == 1 ? 2 : 0, NULL),
                     TRN_RESULT_OK);
}

static void open_world(World *world, TrnSaveDamaged damaged)
{
    TrnSaveDef def = trn_save_def();
    TrnStoreDef store = trn_store_def();
    memset(world, 0, sizeof *world);
    world->allocator = test_allocator(&world->memory);
    world->slow.fail_at = SIZE_MAX;
    assert_int_equal(trn_storage_memory(NULL, &world->slow.inner), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    store.types = def.types = world->types;
    assert_int_equal(trn_store_create(&store, &world->store), TRN_RESULT_OK);
    def.allocator = &world->allocator;
    def.damaged = damaged;
    def.has_thread = false;
    def.commit_seconds = 3600; // by flushes alone
    def.storage = (TrnStorage){.get = slow_get,
                               .list = slow_list,
                               .values = slow_values,
                               .put = slow_put,
                               .close = slow_close,
                               .user = &world->slow,
                               .batch_keys = 32};
    assert_int_equal(trn_save_create(&def, &world->save, NULL), TRN_RESULT_OK);
    world->source = trn_save_source(world->save);
    for (uint32_t i = 0; i < COUNT; i++) {
        make_chunk(world, i);
        if (is_saved(i)) {
            save_chunk(world, i);
        }
    }
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
}

static void close_world(World *world)
{
    assert_int_equal(trn_save_destroy(world->save), TRN_RESULT_OK);
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
    assert_int_equal(world->memory.live_bytes, 0);
}

/// Flips a bit of a row.
static void damage_row(World *world, uint32_t i)
{
    const TrnStorageKey key = {coord_of(i), 0};
    const TrnStorageRow row = {key, 1000 + i, "no row of a chunk", 17};
    const TrnStorageBatch batch = {.rows = &row, .row_count = 1};
    assert_int_equal(slow_put(&world->slow, &batch), TRN_RESULT_OK);
}

// ---- loading -----------------------------------------------------------------------------------

static TrnResult hash_data(void *user, const TrnBlockData *data)
{
    Loaded *loaded = user;
    loaded->data = loaded->data * 1000003 + data->index + 1;
    for (uint32_t i = 0; i < data->size; i++) {
        loaded->data = loaded->data * 1000003 + ((const unsigned char *)data->bytes)[i];
    }
    return TRN_RESULT_OK;
}

static void begin_loaded(Loaded *loaded, uint32_t i)
{
    *loaded = (Loaded){.job = {.coord = coord_of(i), .worker = 1}, .sink = {hash_data, loaded}};
    loaded->job.data = &loaded->sink;
    loaded->blocks = calloc(1, VOXELS_BYTES);
    assert_non_null(loaded->blocks);
}

static void free_loaded(Loaded loaded[COUNT])
{
    for (uint32_t i = 0; i < COUNT; i++) {
        free(loaded[i].blocks);
    }
}

/// Loads all chunks in one call.
static void load_many(World *world, Loaded loaded[COUNT])
{
    TrnStreamLoadJob loads[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        begin_loaded(&loaded[i], i);
        loads[i] =
            (TrnStreamLoadJob){&loaded[i].job, loaded[i].blocks, false, TRN_RESULT_NOT_FOUND};
    }
    world->slow.calls = world->slow.keys = 0;
    world->source.load_many(world->source.user, loads, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        loaded[i].is_uniform = loads[i].uniform;
        loaded[i].result = loads[i].result;
    }
}

/// Checks that a chunk was loaded as its store has it.
static void expect_right(const World *world, const Loaded *loaded)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    Loaded alone;
    bool is_uniform = false;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (!trn_coord_equal(coord_of(i), loaded->job.coord)) {
            continue;
        }
        begin_loaded(&alone, i);
        assert_int_equal(
            world->source.load(world->source.user, &alone.job, alone.blocks, &is_uniform),
            TRN_RESULT_OK);
        TrnSnapshot voxels;
        assert_int_equal(trn_store_snapshot(world->store, coord_of(i), &voxels), TRN_RESULT_OK);
        trn_snapshot_decode(voxels, blocks);
        assert_int_equal(loaded->is_uniform, i % 3 == 0);
        assert_int_equal(is_uniform, loaded->is_uniform);
        assert_memory_equal(loaded->blocks, blocks, is_uniform ? sizeof *blocks : VOXELS_BYTES);
        assert_int_equal(loaded->data != 0, i % 4 == 1);
        assert_true(loaded->data == alone.data);
        free(alone.blocks);
    }
}

static void many_chunks_are_loaded_as_one_by_one(void **state)
{
    (void)state;
    static World world;
    Loaded loaded[COUNT];
    open_world(&world, trn_save_def().damaged);
    for (uint32_t i = 0; i < COUNT; i += 6) { // in the queue again, and newer than in the storage
        if (is_saved(i)) {
            save_chunk(&world, i);
        }
    }
    const TrnSaveStats before = trn_save_stats(world.save);
    load_many(&world, loaded);
    const TrnSaveStats after = trn_save_stats(world.save);
    uint32_t saved = 0, queued = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(loaded[i].result, is_saved(i) ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        saved += is_saved(i);
        queued += is_saved(i) && i % 6 == 0;
    }
    assert_int_equal(world.slow.calls, 1);
    assert_int_equal(world.slow.keys, COUNT - queued);
    assert_int_equal(after.loaded - before.loaded, saved);
    assert_int_equal(after.absent - before.absent, COUNT - saved);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (is_saved(i)) {
            expect_right(&world, &loaded[i]);
        }
    }
    free_loaded(loaded);
    close_world(&world);
}

/// @return how many events of a kind there are
static uint32_t count_events(World *world, TrnSaveEventKind kind)
{
    TrnSaveEvent event;
    uint32_t count = 0;
    while (trn_save_next_event(world->save, &event)) {
        count += event.kind == kind;
    }
    return count;
}

static void a_damaged_row_spoils_no_other(void **state)
{
    (void)state;
    static World world;
    Loaded loaded[COUNT];
    for (int generates = 0; generates < 2; generates++) {
        open_world(&world, generates ? TRN_SAVE_GENERATE_DAMAGED : TRN_SAVE_REFUSE_DAMAGED);
        damage_row(&world, 7);
        damage_row(&world, 12);
        (void)count_events(&world, TRN_SAVE_EVENT_DAMAGED);
        load_many(&world, loaded);
        for (uint32_t i = 0; i < COUNT; i++) {
            const TrnResult refused = generates ? TRN_RESULT_NOT_FOUND : TRN_RESULT_CORRUPT;
            assert_int_equal(loaded[i].result, i == 7 || i == 12 ? refused
                                               : is_saved(i)     ? TRN_RESULT_OK
                                                                 : TRN_RESULT_NOT_FOUND);
            if (loaded[i].result == TRN_RESULT_OK) {
                expect_right(&world, &loaded[i]);
            }
        }
        assert_int_equal(count_events(&world, TRN_SAVE_EVENT_DAMAGED), 2);
        assert_int_equal(trn_save_stats(world.save).damaged, 2);
        free_loaded(loaded);
        close_world(&world);
    }
}

static void what_was_read_before_a_failure_counts(void **state)
{
    (void)state;
    static World world;
    Loaded loaded[COUNT];
    open_world(&world, trn_save_def().damaged);
    world.slow.fail_at = 9;
    world.slow.failure = TRN_RESULT_IO; // the server is gone: it is not asked for each chunk
    load_many(&world, loaded);
    uint32_t good = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(loaded[i].result == TRN_RESULT_OK || loaded[i].result == TRN_RESULT_IO);
        good += loaded[i].result == TRN_RESULT_OK;
        if (loaded[i].result == TRN_RESULT_OK) {
            expect_right(&world, &loaded[i]);
        }
    }
    assert_int_equal(good, 9);
    assert_in_range(count_events(&world, TRN_SAVE_EVENT_READ_FAILED), 1, COUNT - 9);
    free_loaded(loaded);

    world.slow.fail_at = 9;
    world.slow.failure = TRN_RESULT_CORRUPT; // one of them is: the others are read alone
    load_many(&world, loaded);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(loaded[i].result, is_saved(i) ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        if (is_saved(i)) {
            expect_right(&world, &loaded[i]);
        }
    }
    free_loaded(loaded);
    close_world(&world);
}

static void without_memory_chunks_fail_and_the_next_try_is_good(void **state)
{
    (void)state;
    static World world;
    Loaded loaded[COUNT];
    for (size_t at = 1, is_done = 0; !is_done; at++) {
        open_world(&world, TRN_SAVE_REFUSE_DAMAGED);
        damage_row(&world, 7);
        test_fail(&world.memory, at, SIZE_MAX);
        load_many(&world, loaded);
        is_done = world.memory.allocations < at;
        test_fail(&world.memory, 0, 0);
        for (uint32_t i = 0; i < COUNT; i++) {
            const bool is_short = loaded[i].result == TRN_RESULT_NO_MEMORY;
            assert_true(is_short || i == 7 ||
                        loaded[i].result == (is_saved(i) ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND));
            assert_true(i != 7 || is_short || loaded[i].result == TRN_RESULT_CORRUPT);
            assert_true(!is_short || !is_done);
        }
        free_loaded(loaded);
        load_many(&world, loaded);
        for (uint32_t i = 0; i < COUNT; i++) {
            assert_int_equal(loaded[i].result, i == 7        ? TRN_RESULT_CORRUPT
                                               : is_saved(i) ? TRN_RESULT_OK
                                                             : TRN_RESULT_NOT_FOUND);
        }
        free_loaded(loaded);
        close_world(&world);
    }
}

static void a_storage_says_how_many_pay_off(void **state)
{
    (void)state;
    const size_t asked[] = {0, 1, 32, TRN_STREAM_LOADS_MAX, 1000};
    const uint32_t got[] = {0, 1, 32, TRN_STREAM_LOADS_MAX, TRN_STREAM_LOADS_MAX};
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        TrnSaveDef def = trn_save_def();
        TrnSave *save;
        def.types = types;
        assert_int_equal(trn_storage_memory(NULL, &def.storage), TRN_RESULT_OK);
        assert_int_equal(def.storage.batch_keys, 0);
        def.storage.batch_keys = asked[i];
        assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_save_source(save).load_max, got[i]);
        assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    }
    trn_block_types_destroy(types);
}

// ---- without a stream --------------------------------------------------------------------------

/// Compares what trn_save_get returns with a chunk of the store.
static void check_got(World *world, uint32_t i)
{
    static TrnBlock got[TRN_CHUNK_VOXELS], kept[TRN_CHUNK_VOXELS];
    TrnSnapshot voxels;
    bool uniform = false;
    const TrnResult result = trn_save_get(world->save, coord_of(i), 0, got, &uniform);
    assert_int_equal(result, is_saved(i) ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
    if (result == TRN_RESULT_OK) {
        assert_int_equal(trn_store_snapshot(world->store, coord_of(i), &voxels), TRN_RESULT_OK);
        trn_snapshot_decode(voxels, kept);
        for (uint32_t at = 1; uniform && at < TRN_CHUNK_VOXELS; at++) {
            got[at] = got[0];
        }
        assert_memory_equal(got, kept, sizeof got);
    }
}

static void a_game_without_a_stream_gets_what_was_put(void **state)
{
    (void)state;
    static World world;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform = true;
    open_world(&world, TRN_SAVE_REFUSE_DAMAGED);
    for (uint32_t i = 0; i < COUNT; i++) {
        check_got(&world, i);
    }
    const size_t once = world.memory.live_bytes; // of one decoder, which is kept
    for (uint32_t i = 0; i < COUNT; i++) {
        check_got(&world, i);
    }
    assert_int_equal(world.memory.live_bytes, once);
    const TrnBlock newer = TRN_BLOCK_SAND; // in the queue, newer than the row
    assert_int_equal(trn_save_put(world.save, coord_of(1), 0, &newer, true), TRN_RESULT_OK);
    assert_int_equal(trn_save_get(world.save, coord_of(1), 0, blocks, &uniform), TRN_RESULT_OK);
    assert_true(uniform && blocks[0] == TRN_BLOCK_SAND);
    assert_int_equal(trn_save_get(world.save, coord_of(1), 1, blocks, &uniform),
                     TRN_RESULT_NOT_FOUND);
    damage_row(&world, 2);
    assert_int_equal(trn_save_get(world.save, coord_of(2), 0, blocks, &uniform),
                     TRN_RESULT_CORRUPT);
    world.slow.fail_at = 0;
    world.slow.failure = TRN_RESULT_IO;
    assert_int_equal(trn_save_get(world.save, coord_of(3), 0, blocks, &uniform), TRN_RESULT_IO);
    check_got(&world, 3);
    assert_int_equal(trn_save_get(NULL, coord_of(3), 0, blocks, &uniform), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_get(world.save, coord_of(3), 99, blocks, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_get(world.save, coord_of(3), 0, NULL, &uniform),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_get(world.save, coord_of(3), 0, blocks, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    close_world(&world);
}

static void getting_a_chunk_allocates_no_more_than_the_source(void **state)
{
    (void)state;
    static World world;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    size_t loaded = 0, got = 0;
    open_world(&world, TRN_SAVE_GENERATE_DAMAGED);
    const TrnStreamSource source = trn_save_source(world.save);
    for (uint32_t i = 0; i < COUNT; i++) {
        const TrnStreamJob job = {.coord = coord_of(i)};
        bool uniform = false;
        test_fail(&world.memory, 0, 0);
        const TrnResult result = source.load(source.user, &job, blocks, &uniform);
        loaded += world.memory.allocations;
        test_fail(&world.memory, 0, 0);
        assert_int_equal(trn_save_get(world.save, job.coord, 0, blocks, &uniform), result);
        got += world.memory.allocations;
    }
    assert_true(got <= loaded);
    close_world(&world);
}

static void getting_a_chunk_without_memory_fails(void **state)
{
    (void)state;
    static World world;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    bool uniform;
    open_world(&world, TRN_SAVE_GENERATE_DAMAGED);
    test_fail(&world.memory, 1, SIZE_MAX);
    assert_int_equal(trn_save_get(world.save, coord_of(3), 0, blocks, &uniform),
                     TRN_RESULT_NO_MEMORY);
    test_fail(&world.memory, 0, 0);
    check_got(&world, 3);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_chunks_are_loaded_as_one_by_one),
        cmocka_unit_test(a_damaged_row_spoils_no_other),
        cmocka_unit_test(what_was_read_before_a_failure_counts),
        cmocka_unit_test(without_memory_chunks_fail_and_the_next_try_is_good),
        cmocka_unit_test(a_game_without_a_stream_gets_what_was_put),
        cmocka_unit_test(getting_a_chunk_allocates_no_more_than_the_source),
        cmocka_unit_test(getting_a_chunk_without_memory_fails),
        cmocka_unit_test(a_storage_says_how_many_pay_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
