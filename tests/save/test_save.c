/// Saves: what the stream gives is in the storage after a flush, and comes back from wherever it
/// is.
#include "save_chunk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <terrane/save.h>
#include <terrane/store.h>

// ---- a storage that fails ----------------------------------------------------------------------

/// Passes everything on to a storage in memory, and fails on demand.
typedef struct Faulty {
    TrnStorage inner;
    _Atomic(uint32_t) puts, gets;
    _Atomic(bool) put_fails, get_fails;
    TrnResult values_result; ///< what reading values returns, if not OK
    _Atomic(bool) is_held;   ///< put waits while set
    bool is_kept;            ///< close leaves `inner` open
    _Atomic(bool) is_closed;
} Faulty;

static TrnResult faulty_get(void *user, const TrnStorageKey *keys, size_t count,
                            TrnStorageRowVisitor visit, void *visitor)
{
    Faulty *faulty = user;
    atomic_fetch_add(&faulty->gets, 1);
    return atomic_load(&faulty->get_fails)
               ? TRN_RESULT_IO
               : faulty->inner.get(faulty->inner.user, keys, count, visit, visitor);
}

static TrnResult faulty_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                             void *visitor)
{
    Faulty *faulty = user;
    return faulty->inner.list(faulty->inner.user, range, visit, visitor);
}

static TrnResult faulty_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                               void *visitor)
{
    Faulty *faulty = user;
    return faulty->values_result != TRN_RESULT_OK
               ? faulty->values_result
               : faulty->inner.values(faulty->inner.user, prefix, visit, visitor);
}

static TrnResult faulty_put(void *user, const TrnStorageBatch *batch)
{
    Faulty *faulty = user;
    atomic_fetch_add(&faulty->puts, 1);
    while (atomic_load(&faulty->is_held)) {
    }
    return atomic_load(&faulty->put_fails) ? TRN_RESULT_IO
                                           : faulty->inner.put(faulty->inner.user, batch);
}

static void faulty_problem(void *user, char *text, size_t capacity)
{
    (void)user;
    (void)snprintf(text, capacity, "the disk is full.");
}

static void faulty_close(void *user)
{
    Faulty *faulty = user;
    atomic_store(&faulty->is_closed, true);
    if (!faulty->is_kept) {
        faulty->inner.close(faulty->inner.user);
    }
}

static TrnStorage faulty_storage(Faulty *faulty)
{
    atomic_store(&faulty->is_closed, false);
    return (TrnStorage){.get = faulty_get,
                        .list = faulty_list,
                        .values = faulty_values,
                        .put = faulty_put,
                        .problem = faulty_problem,
                        .close = faulty_close,
                        .user = faulty};
}

// ---- a world -----------------------------------------------------------------------------------

typedef struct World {
    Faulty faulty;
    TrnBlockTypes *types;
    TrnSave *save;
    TrnSaveDef def;
    SaveChunk chunk;
    TrnBlock got[TRN_CHUNK_VOXELS];
} World;

/// Opens the world's storage with new block types.
static void open_world(World *world)
{
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    world->def.storage = faulty_storage(&world->faulty);
    world->def.types = world->types;
    const TrnResult result = trn_save_create(&world->def, &world->save, &problem);
    if (result != TRN_RESULT_OK) {
        fail_msg("%s", problem.sentence);
    }
}

static void close_world(World *world)
{
    assert_int_equal(trn_save_destroy(world->save), TRN_RESULT_OK);
    assert_true(atomic_load(&world->faulty.is_closed));
    trn_block_types_destroy(world->types);
}

static int begin(void **state)
{
    World *world = calloc(1, sizeof *world);
    world->faulty.is_kept = true;
    world->def = trn_save_def();
    world->def.commit_seconds = 3600; // by flushes alone
    save_chunk_create(&world->chunk);
    assert_int_equal(trn_storage_memory(NULL, &world->faulty.inner), TRN_RESULT_OK);
    open_world(world);
    *state = world;
    return 0;
}

static int end(void **state)
{
    World *world = *state;
    close_world(world);
    world->faulty.inner.close(world->faulty.inner.user);
    save_chunk_destroy(&world->chunk);
    free(world);
    return 0;
}

static TrnResult save_at(World *world, TrnCoord coord, TrnSnapshot voxels)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord};
    return source.save(source.user, &job, voxels);
}

/// Loads a chunk as blocks, uniform or not.
static TrnResult load_at(World *world, TrnCoord coord)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord, .worker = 1};
    bool uniform = false;
    const TrnResult result = source.load(source.user, &job, world->got, &uniform);
    for (uint32_t i = 1; result == TRN_RESULT_OK && uniform && i < TRN_CHUNK_VOXELS; i++) {
        world->got[i] = world->got[0];
    }
    return result;
}

static void expect_loaded(World *world, TrnCoord coord, const TrnBlock *blocks)
{
    assert_int_equal(load_at(world, coord), TRN_RESULT_OK);
    assert_memory_equal(world->got, blocks, sizeof world->got);
}

static const TrnCoord here = {-3, 2, 1 << 30};

// ---- chunks ------------------------------------------------------------------------------------

static void a_chunk_comes_back_before_and_after_it_is_written(void **state)
{
    World *world = *state;
    TestRandom random = test_random_seeded(1);
    static const uint32_t types[] = {1, 2, 9, 17, 30};
    assert_int_equal(load_at(world, here), TRN_RESULT_NOT_FOUND);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const TrnSnapshot voxels = save_chunk_fill(&world->chunk, &random, types[i]);
        const uint32_t gets = atomic_load(&world->faulty.gets);
        assert_int_equal(save_at(world, here, voxels), TRN_RESULT_OK);
        expect_loaded(world, here, world->chunk.blocks);
        assert_int_equal(atomic_load(&world->faulty.gets), gets); // from the queue
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        expect_loaded(world, here, world->chunk.blocks);
        assert_int_equal(atomic_load(&world->faulty.gets), gets + 1);
        close_world(world);
        open_world(world);
        expect_loaded(world, here, world->chunk.blocks);
    }
}

static void blocks_can_be_put_without_a_store(void **state)
{
    World *world = *state;
    TestRandom random = test_random_seeded(2);
    static const uint32_t types[] = {1, 2, 5, 200, 257, 900}; // of 1, 1, 4, 8, 16 and 16 bits
    for (uint32_t i = 0; i < 1000; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "many:%u", (unsigned)i);
        assert_int_equal(trn_block_types_add_unknown(world->types, name, NULL), TRN_RESULT_OK);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        (void)save_chunk_fill(&world->chunk, &random, types[i]);
        const TrnBlock *blocks = world->chunk.blocks;
        assert_int_equal(trn_save_put(world->save, here, 0, blocks, false), TRN_RESULT_OK);
        expect_loaded(world, here, blocks);
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        expect_loaded(world, here, blocks);
    }
    const TrnBlock block = 4;
    assert_int_equal(trn_save_put(world->save, here, 0, &block, true), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[TRN_CHUNK_VOXELS - 1], 4);
    assert_int_equal(trn_save_put(world->save, here, 99, &block, true), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_put(world->save, here, 0, NULL, true), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_put(NULL, here, 0, &block, true), TRN_RESULT_BAD_ARGUMENT);
}

/// The highest saved chunk of a column, in the queue or in the storage.
static void the_highest_chunk_of_a_column_is_found(void **state)
{
    World *world = *state;
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnCoord from = {3, 40, -5};
    int32_t y = 0;
    assert_int_equal(source.highest(source.user, from, INT32_MIN, &y), TRN_RESULT_NOT_FOUND);
    const TrnCoord coords[] = {{3, -7, -5}, {3, 12, -5}, {3, 41, -5}, {4, 20, -5}, {3, 20, -4}};
    for (int is_written = 0; is_written < 2; is_written++) {
        for (size_t i = 0; i < sizeof coords / sizeof *coords; i++) {
            assert_int_equal(save_at(world, coords[i], trn_snapshot_of(1, 1)), TRN_RESULT_OK);
        }
        if (is_written) {
            assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        }
        assert_int_equal(source.highest(source.user, from, INT32_MIN, &y), TRN_RESULT_OK);
        assert_int_equal(y, 12);
        assert_int_equal(source.highest(source.user, from, 13, &y), TRN_RESULT_NOT_FOUND);
        assert_int_equal(source.highest(source.user, (TrnCoord){3, INT32_MAX, -5}, 13, &y),
                         TRN_RESULT_OK);
        assert_int_equal(y, 41);
    }
    assert_int_equal(save_at(world, (TrnCoord){3, 30, -5}, trn_snapshot_of(1, 1)), TRN_RESULT_OK);
    assert_int_equal(source.highest(source.user, from, INT32_MIN, &y), TRN_RESULT_OK);
    assert_int_equal(y, 30); // of the queue, above the storage's
}

static void the_last_of_several_saves_counts(void **state)
{
    World *world = *state;
    const uint32_t puts = atomic_load(&world->faulty.puts);
    for (uint32_t block = 1; block <= 5; block++) {
        assert_int_equal(save_at(world, here, trn_snapshot_of((TrnBlock)block, 1)), TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_stats(world->save).in_queue, 1);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(atomic_load(&world->faulty.puts), puts + 1);
    assert_int_equal(trn_save_stats(world->save).written, 1);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], 5);
}

/// A chunk that is saved again while its earlier version is written.
static void a_chunk_is_read_from_the_queue_while_it_is_written(void **state)
{
    World *world = *state;
    world->def.commit_seconds = 0;
    close_world(world);
    open_world(world);
    atomic_store(&world->faulty.is_held, true);
    const uint32_t puts = atomic_load(&world->faulty.puts);
    assert_int_equal(save_at(world, here, trn_snapshot_of(3, 1)), TRN_RESULT_OK);
    while (atomic_load(&world->faulty.puts) == puts) {
    }
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], 3);
    assert_int_equal(save_at(world, here, trn_snapshot_of(4, 2)), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], 4);
    atomic_store(&world->faulty.is_held, false);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(trn_save_stats(world->save).in_queue, 0);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], 4);
}

static void a_full_queue_refuses_and_keeps_what_it_has(void **state)
{
    World *world = *state;
    TestRandom random = test_random_seeded(2);
    world->def.queue_bytes = 100000;
    close_world(world);
    open_world(world);
    atomic_store(&world->faulty.put_fails, true); // so that it cannot be emptied
    const TrnSnapshot voxels = save_chunk_fill(&world->chunk, &random, 16); // 16 KiB
    int32_t saved = 0;
    while (save_at(world, (TrnCoord){saved, 0, 0}, voxels) == TRN_RESULT_OK) {
        saved++;
    }
    assert_in_range(saved, 4, 6);
    assert_int_equal(save_at(world, (TrnCoord){saved, 0, 0}, voxels), TRN_RESULT_FULL);
    expect_loaded(world, (TrnCoord){saved - 1, 0, 0}, world->chunk.blocks);
    assert_true(trn_save_stats(world->save).queue_bytes <= 100000);
    // One that is larger than the whole queue has a place in addition, once.
    static const unsigned char large[150000];
    assert_int_equal(trn_save_set_value(world->save, "large", large, sizeof large), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(world->save, "more", large, sizeof large), TRN_RESULT_FULL);
    assert_int_equal(trn_save_set_value(world->save, "small", large, 1), TRN_RESULT_FULL);
    assert_true(trn_save_stats(world->save).queue_bytes <= 100000 + sizeof large + 1000);
    atomic_store(&world->faulty.put_fails, false);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(save_at(world, (TrnCoord){saved, 0, 0}, voxels), TRN_RESULT_OK);
}

// ---- failures ----------------------------------------------------------------------------------

static TrnSaveEvent next_event(World *world, TrnSaveEventKind kind)
{
    TrnSaveEvent event = {0};
    while (trn_save_next_event(world->save, &event) && event.kind != kind) {
    }
    assert_int_equal(event.kind, kind);
    return event;
}

static void nothing_is_lost_while_the_storage_fails(void **state)
{
    World *world = *state;
    atomic_store(&world->faulty.put_fails, true);
    assert_int_equal(save_at(world, here, trn_snapshot_of(3, 1)), TRN_RESULT_OK);
    assert_int_equal(trn_save_set_value(world->save, "spawn", "1,2,3", 5), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_IO);
    const TrnSaveEvent event = next_event(world, TRN_SAVE_EVENT_WRITE_FAILED);
    assert_int_equal(event.result, TRN_RESULT_IO);
    assert_string_equal(event.sentence, "the disk is full.");
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(save_at(world, here, trn_snapshot_of(5, 1)), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_IO);
    atomic_store(&world->faulty.put_fails, false);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    (void)next_event(world, TRN_SAVE_EVENT_WRITE_AGAIN);
    close_world(world);
    open_world(world);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], 5);
    char spawn[8] = "";
    size_t size;
    assert_int_equal(trn_save_get_value(world->save, "spawn", spawn, sizeof spawn, &size),
                     TRN_RESULT_OK);
    assert_int_equal(size, 5);
    assert_string_equal(spawn, "1,2,3");
}

/// The caller still has the storage after BAD_ARGUMENT, so it must be that of the arguments alone.
static void a_storage_that_cannot_be_read_is_closed(void **state)
{
    World *world = *state;
    static const TrnResult results[] = {TRN_RESULT_IO, TRN_RESULT_BAD_ARGUMENT};
    TrnSaveDef def = world->def;
    TrnSave *save = NULL;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        TrnStorageProblem problem = {""};
        Faulty faulty = {.values_result = results[i]};
        assert_int_equal(trn_storage_memory(NULL, &faulty.inner), TRN_RESULT_OK);
        def.storage = faulty_storage(&faulty);
        assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_IO);
        assert_true(atomic_load(&faulty.is_closed));
        assert_string_equal(problem.sentence, "the disk is full.");
    }
    def.storage = world->def.storage;
    def.queue_bytes = 0;
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_false(atomic_load(&world->faulty.is_closed));
}

static void a_failed_read_is_no_missing_chunk(void **state)
{
    World *world = *state;
    atomic_store(&world->faulty.get_fails, true);
    assert_int_equal(load_at(world, here), TRN_RESULT_IO);
    (void)next_event(world, TRN_SAVE_EVENT_READ_FAILED);
    atomic_store(&world->faulty.get_fails, false);
    assert_int_equal(load_at(world, here), TRN_RESULT_NOT_FOUND);
}

/// Counts values and their bytes.
typedef struct Seen {
    uint32_t count;
    size_t bytes;
} Seen;

static bool see_value(void *user, const TrnStorageValue *value)
{
    Seen *seen = user;
    seen->count++;
    seen->bytes += value->size;
    return true;
}

/// Overwrites the row of a chunk with one whose last byte is another.
static bool damage_row(void *user, const TrnStorageRow *row)
{
    TrnStorageRow *copy = user;
    char *bytes = malloc(row->size);
    memcpy(bytes, row->bytes, row->size);
    bytes[row->size - 1] ^= 1;
    *copy = *row;
    copy->bytes = bytes;
    return true;
}

/// Saves a chunk and damages its row.
static void save_damaged(World *world)
{
    const TrnStorage *inner = &world->faulty.inner;
    assert_int_equal(save_at(world, here, trn_snapshot_of(3, 1)), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    const TrnStorageKey key = {here, 0};
    TrnStorageRow damaged = {0};
    assert_int_equal(inner->get(inner->user, &key, 1, damage_row, &damaged), TRN_RESULT_OK);
    const TrnStorageBatch batch = {.rows = &damaged, .row_count = 1};
    assert_int_equal(inner->put(inner->user, &batch), TRN_RESULT_OK);
    free((void *)(uintptr_t)damaged.bytes);
}

static void a_damaged_row_is_set_aside_and_generated_again(void **state)
{
    World *world = *state;
    const TrnStorage *inner = &world->faulty.inner;
    const TrnCoord other = {9, 9, 9};
    assert_int_equal(save_at(world, other, trn_snapshot_of(4, 1)), TRN_RESULT_OK);
    save_damaged(world);
    for (int i = 0; i < 2; i++) { // the second time the bytes are there already
        world->def.damaged = i ? TRN_SAVE_REFUSE_DAMAGED : TRN_SAVE_GENERATE_DAMAGED;
        close_world(world);
        open_world(world);
        assert_int_equal(load_at(world, here), i ? TRN_RESULT_CORRUPT : TRN_RESULT_NOT_FOUND);
        const TrnSaveEvent event = next_event(world, TRN_SAVE_EVENT_DAMAGED);
        assert_true(trn_coord_equal(event.key.coord, here));
        assert_non_null(strstr(event.sentence, "its checksum is wrong"));
        assert_int_equal(load_at(world, other), TRN_RESULT_OK); // no other suffers
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        Seen seen = {0};
        assert_int_equal(inner->values(inner->user, "terrane/quarantine/", see_value, &seen),
                         TRN_RESULT_OK);
        assert_int_equal(seen.count, 1);
        assert_true(seen.bytes > 40);
    }
}

/// Nothing may replace a damaged row before its bytes are set aside.
static void a_damaged_row_is_not_generated_while_its_bytes_have_no_place(void **state)
{
    World *world = *state;
    const TrnStorage *inner = &world->faulty.inner;
    TrnSaveEvent event;
    Seen seen = {0};
    save_damaged(world);
    close_world(world);
    world->def.queue_bytes = 4096;
    world->def.has_thread = false;
    open_world(world);
    const unsigned char fill[3900] = {0};
    atomic_store(&world->faulty.put_fails, true); // so that the queue cannot be emptied
    assert_int_equal(trn_save_set_value(world->save, "fill", fill, sizeof fill), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_FULL);
    while (trn_save_next_event(world->save, &event)) {
        assert_int_equal(event.kind, TRN_SAVE_EVENT_WRITE_FAILED);
    }
    atomic_store(&world->faulty.put_fails, false);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_NOT_FOUND);
    (void)next_event(world, TRN_SAVE_EVENT_DAMAGED);
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(inner->values(inner->user, "terrane/quarantine/", see_value, &seen),
                     TRN_RESULT_OK);
    assert_int_equal(seen.count, 1);
}

/// A stream loads a chunk that is refused again and again. Without a thread, setting its bytes
/// aside writes at once, which the storage does not allow while it reads.
static void a_damaged_row_is_told_once_with_or_without_a_thread(void **state)
{
    World *world = *state;
    save_damaged(world);
    world->def.damaged = TRN_SAVE_REFUSE_DAMAGED;
    world->def.commit_seconds = 0;
    for (int i = 0; i < 2; i++) {
        TrnSaveEvent event;
        world->def.has_thread = i == 0;
        close_world(world);
        open_world(world);
        for (int load = 0; load < 3; load++) {
            assert_int_equal(load_at(world, here), TRN_RESULT_CORRUPT);
        }
        (void)next_event(world, TRN_SAVE_EVENT_DAMAGED);
        assert_false(trn_save_next_event(world->save, &event));
        assert_int_equal(trn_save_stats(world->save).damaged, 1);
    }
}

// ---- blocks ------------------------------------------------------------------------------------

static TrnBlock add_type(World *world, const char *name)
{
    TrnBlock id;
    const TrnBlockType type = trn_block_type_def(name, TRN_BLOCK_KIND_OPAQUE);
    assert_int_equal(trn_block_types_add(world->types, &type, &id), TRN_RESULT_OK);
    return id;
}

static void blocks_are_found_by_name_and_unknown_ones_survive(void **state)
{
    World *world = *state;
    (void)add_type(world, "game:one");
    const TrnBlock two = add_type(world, "game:two");
    assert_int_equal(save_at(world, here, trn_snapshot_of(two, 1)), TRN_RESULT_OK);
    close_world(world);
    open_world(world); // a game without these blocks
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    const TrnBlockType *type = trn_block_types_get(world->types, world->got[0]);
    assert_string_equal(type->name, "game:two");
    assert_true(type->is_unknown);
    // Saved again, after blocks that the world has not seen.
    const TrnBlock three = add_type(world, "game:three");
    assert_int_equal(save_at(world, (TrnCoord){0, 0, 0}, trn_snapshot_of(three, 1)), TRN_RESULT_OK);
    assert_int_equal(save_at(world, here, trn_snapshot_of(world->got[0], 1)), TRN_RESULT_OK);
    close_world(world);
    open_world(world);
    TrnBlock id;
    assert_int_equal(trn_block_types_find(world->types, "game:two", &id), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], id);
    assert_int_equal(trn_block_types_find(world->types, "game:three", &id), TRN_RESULT_OK);
    assert_int_equal(load_at(world, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(world->got[0], id);
}

/// Two programs have one world open, and one of them saves blocks that had no number before.
static void blocks_that_another_program_named_since_are_learnt(void **state)
{
    World *world = *state, *other = calloc(1, sizeof *other);
    static const TrnCoord there = {0, 0, 0};
    other->faulty = (Faulty){.inner = world->faulty.inner, .is_kept = true};
    other->def = world->def;
    open_world(other);
    const TrnBlock lamp = add_type(world, "game:lamp");
    const TrnBlock odd = add_type(other, "game:odd"), same = add_type(other, "game:lamp");
    assert_int_equal(save_at(other, here, trn_snapshot_of(same, 1)), TRN_RESULT_OK);
    assert_int_equal(save_at(other, there, trn_snapshot_of(odd, 1)), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(other->save), TRN_RESULT_OK);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
    assert_int_equal(world->got[0], lamp);
    assert_int_equal(load_at(world, there), TRN_RESULT_CORRUPT); // a type that this game lacks
    assert_int_equal(trn_save_learn_blocks(world->save), TRN_RESULT_OK);
    assert_int_equal(load_at(world, there), TRN_RESULT_OK);
    const TrnBlockType *type = trn_block_types_get(world->types, world->got[0]);
    assert_string_equal(type->name, "game:odd");
    assert_true(type->is_unknown);
    close_world(other);
    free(other);
}

// ---- values and land ---------------------------------------------------------------------------

static void values_are_replaced_and_removed(void **state)
{
    World *world = *state;
    char text[16];
    size_t size = 99;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_save_get_value(world->save, "a", text, sizeof text, &size),
                         TRN_RESULT_NOT_FOUND);
        assert_int_equal(trn_save_set_value(world->save, "a", "old", 3), TRN_RESULT_OK);
        assert_int_equal(trn_save_set_value(world->save, "a", "newer", 5), TRN_RESULT_OK);
        assert_int_equal(trn_save_set_value(world->save, "ab", "", 0), TRN_RESULT_OK);
        if (i) {
            assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        }
        assert_int_equal(trn_save_get_value(world->save, "a", text, 3, &size), TRN_RESULT_OK);
        assert_int_equal(size, 5);
        assert_memory_equal(text, "new", 3);
        assert_int_equal(trn_save_get_value(world->save, "ab", NULL, 0, &size), TRN_RESULT_OK);
        assert_int_equal(size, 0);
        assert_int_equal(trn_save_set_value(world->save, "a", NULL, 0), TRN_RESULT_OK);
    }
    assert_int_equal(trn_save_get_value(world->save, "a", text, 3, &size), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_save_set_value(world->save, "", "x", 1), TRN_RESULT_BAD_ARGUMENT);
}

static void changed_chunks_alone_bind_a_world_to_its_land(void **state)
{
    World *world = *state;
    TrnStorageProblem problem = {""};
    assert_int_equal(trn_save_bind_land(world->save, "seed 1", &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_bind_land(world->save, "seed 2", &problem), TRN_RESULT_OK);
    world->def.what = TRN_SAVE_CHANGED;
    close_world(world);
    open_world(world);
    assert_int_equal(trn_save_bind_land(world->save, "seed 2", &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_bind_land(world->save, "seed 3", &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_non_null(strstr(problem.sentence, "other settings"));
    world->def.what = TRN_SAVE_SHOWN; // it still lacks the land that was not saved
    close_world(world);
    open_world(world);
    assert_int_equal(trn_save_bind_land(world->save, "seed 3", &problem), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_bind_land(world->save, "seed 2", &problem), TRN_RESULT_OK);
}

/// Two programs that have seen no world make one: the first wins, and nothing of the second is put.
static void the_first_of_two_makes_the_world(void **state)
{
    World *world = *state;
    TrnStorage storage;
    TrnStorageProblem problem;
    TrnSaveDef def = world->def;
    const TrnStorageValue first[] = {{"seed", "7", 1}, {"preset", "alps", 4}};
    const TrnStorageValue second[] = {{"name", "mine", 4}, {"seed", "8", 1}};
    const TrnStorageValue nameless = {"", "x", 1}, removal = {"a", NULL, 0};
    assert_int_equal(trn_storage_memory(NULL, &storage), TRN_RESULT_OK);
    assert_int_equal(trn_save_make_world(NULL, first, 2, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_make_world(&storage, NULL, 1, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_make_world(&storage, &nameless, 1, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_make_world(&storage, &removal, 1, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_save_make_world(&storage, first, 2, &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_make_world(&storage, second, 2, &problem), TRN_RESULT_EXISTS);
    assert_non_null(strstr(problem.sentence, "a world in this storage already"));
    TrnSave *save;
    char text[8] = "";
    size_t size;
    def.storage = storage;
    assert_int_equal(trn_save_create(&def, &save, &problem), TRN_RESULT_OK);
    assert_int_equal(trn_save_get_value(save, "seed", text, sizeof text, &size), TRN_RESULT_OK);
    assert_true(size == 1 && text[0] == '7');
    assert_int_equal(trn_save_get_value(save, "name", NULL, 0, NULL), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    // One whose save was created without values is a world, too.
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(trn_save_make_world(&world->def.storage, second, 2, &problem),
                     TRN_RESULT_EXISTS);
}

// ---- no thread, no memory ----------------------------------------------------------------------

static void without_a_thread_calls_write(void **state)
{
    World *world = *state;
    world->def.has_thread = false;
    world->def.commit_seconds = 0;
    close_world(world);
    open_world(world);
    const uint32_t puts = atomic_load(&world->faulty.puts);
    assert_int_equal(save_at(world, here, trn_snapshot_of(3, 1)), TRN_RESULT_OK);
    assert_int_equal(atomic_load(&world->faulty.puts), puts + 1);
    assert_int_equal(trn_save_stats(world->save).in_queue, 0);
    assert_int_equal(load_at(world, here), TRN_RESULT_OK);
}

/// Every allocation of a short session fails once; what was flushed before is there afterwards.
static void memory_that_fails_loses_nothing_that_was_written(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(3);
    for (size_t at = 1;; at++) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = {counting_alloc, counting_free, &memory};
        World world = {.def = trn_save_def(), .faulty = {.is_kept = true}};
        world.def.allocator = &allocator;
        world.def.has_thread = false;
        save_chunk_create(&world.chunk);
        assert_int_equal(trn_storage_memory(NULL, &world.faulty.inner), TRN_RESULT_OK);
        assert_int_equal(trn_block_types_create_builtin(NULL, &world.types), TRN_RESULT_OK);
        world.def.types = world.types;
        world.def.storage = faulty_storage(&world.faulty);
        test_fail(&memory, at, 0);
        bool is_saved = false, has_failed = true;
        if (trn_save_create(&world.def, &world.save, NULL) == TRN_RESULT_OK) {
            const TrnSnapshot voxels = save_chunk_fill(&world.chunk, &random, 7);
            is_saved = save_at(&world, here, voxels) == TRN_RESULT_OK;
            const TrnResult flushed = trn_save_flush(world.save);
            const TrnResult loaded = load_at(&world, here);
            has_failed = memory.allocations >= at;
            is_saved = is_saved &&
                       (flushed == TRN_RESULT_OK || trn_save_flush(world.save) == TRN_RESULT_OK);
            assert_true(!is_saved || loaded == TRN_RESULT_OK || loaded == TRN_RESULT_NO_MEMORY);
            assert_int_equal(trn_save_destroy(world.save), TRN_RESULT_OK);
        }
        test_fail(&memory, 0, 0);
        assert_int_equal(memory.live_bytes, 0);
        trn_block_types_destroy(world.types);
        if (is_saved) {
            open_world(&world);
            expect_loaded(&world, here, world.chunk.blocks);
            close_world(&world);
        }
        world.faulty.inner.close(world.faulty.inner.user);
        save_chunk_destroy(&world.chunk);
        if (!has_failed) {
            assert_true(at > 10);
            return;
        }
    }
}

// ---- threads -----------------------------------------------------------------------------------

typedef struct Player {
    World *world;
    uint32_t number;
} Player;

/// Saves chunks of its own again and again, and finds each as it left it.
static void *play(void *user)
{
    const Player *player = user;
    const TrnStreamSource source = trn_save_source(player->world->save);
    TestRandom random = {player->number};
    TrnBlock last[16] = {0}, *blocks = malloc(sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    const uint32_t rounds = test_rounds(3000, 400);
    for (uint32_t i = 0; i < rounds; i++) {
        const uint32_t which = (uint32_t)(test_random_next(&random) % 16);
        const TrnStreamJob job = {.coord = {(int32_t)which, (int32_t)player->number, 0},
                                  .worker = player->number};
        bool uniform = false;
        const TrnResult found = source.load(source.user, &job, blocks, &uniform);
        assert_int_equal(found, last[which] ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND);
        assert_true(!last[which] || (uniform && blocks[0] == last[which]));
        last[which] = (TrnBlock)(1 + test_random_next(&random) % 30);
        assert_int_equal(source.save(source.user, &job, trn_snapshot_of(last[which], 1)),
                         TRN_RESULT_OK);
    }
    free(blocks);
    return NULL;
}

static void threads_save_and_load_while_it_writes(void **state)
{
    World *world = *state;
    enum { PLAYERS = 3 };
    pthread_t threads[PLAYERS];
    Player players[PLAYERS];
    world->def.commit_seconds = 0;
    close_world(world);
    open_world(world);
    for (uint32_t i = 0; i < PLAYERS; i++) {
        players[i] = (Player){world, i + 1};
        assert_int_equal(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    }
    for (int i = 0; i < 20; i++) {
        assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
        assert_int_equal(trn_save_set_value(world->save, "i", &i, sizeof i), TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < PLAYERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
    assert_int_equal(trn_save_stats(world->save).in_queue, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chunk_comes_back_before_and_after_it_is_written),
        TEST(blocks_can_be_put_without_a_store),
        TEST(the_highest_chunk_of_a_column_is_found),
        TEST(the_last_of_several_saves_counts),
        TEST(a_chunk_is_read_from_the_queue_while_it_is_written),
        TEST(a_full_queue_refuses_and_keeps_what_it_has),
        TEST(nothing_is_lost_while_the_storage_fails),
        TEST(a_storage_that_cannot_be_read_is_closed),
        TEST(a_failed_read_is_no_missing_chunk),
        TEST(a_damaged_row_is_set_aside_and_generated_again),
        TEST(a_damaged_row_is_not_generated_while_its_bytes_have_no_place),
        TEST(a_damaged_row_is_told_once_with_or_without_a_thread),
        TEST(blocks_are_found_by_name_and_unknown_ones_survive),
        TEST(blocks_that_another_program_named_since_are_learnt),
        TEST(values_are_replaced_and_removed),
        TEST(changed_chunks_alone_bind_a_world_to_its_land),
        TEST(the_first_of_two_makes_the_world),
        TEST(without_a_thread_calls_write),
        cmocka_unit_test(memory_that_fails_loses_nothing_that_was_written),
        TEST(threads_save_and_load_while_it_writes)};
    return cmocka_run_group_tests_name("save", tests, NULL, NULL);
}
