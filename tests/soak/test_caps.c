// Caps recover: each is met a hundred times over, then what filled it is taken away, and everything
// moves again.

#include "testing.h"

#include <terrane/history.h>
#include <terrane/save.h>

#define TIMES 100u
#define CAP ((size_t)64 << 10)
#define STORMS 5u // of 65,536 events each

static TrnStore *store_with_memory(TestAllocator *state, TrnAllocator *memory, size_t bytes_max)
{
    *memory = test_allocator(state);
    TrnStoreDef def = trn_store_def();
    def.allocator = memory;
    def.bytes_max = bytes_max;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

static TrnVoxel voxel_of(uint32_t number)
{
    return (TrnVoxel){(int64_t)(number % 1000) * TRN_CHUNK_EDGE + 3, 5,
                      (int64_t)(number / 1000) * TRN_CHUNK_EDGE + 7};
}

/// Sets one voxel of a chunk, in a batch of its own.
static TrnResult edit(TrnStore *store, TrnHistory *history, TrnVoxel voxel, TrnBlock block)
{
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch;
    TrnResult result = trn_batch_begin(store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = trn_batch_set(batch, voxel, block);
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    return trn_batch_commit(batch, NULL);
}

// ---- edits -------------------------------------------------------------------------------------

/// Edits chunks that are not loaded until the cap refuses one. @return how many were accepted
static uint32_t fill_pending(TrnStore *store)
{
    uint32_t count = 0;
    TrnResult result;
    while ((result = edit(store, NULL, voxel_of(count), TRN_BLOCK_STONE)) == TRN_RESULT_OK) {
        count++;
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    return count;
}

/// Loads the chunks that have pending edits, checks these, and unloads the chunks.
static void load_pending(TrnStore *store, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const TrnVoxel voxel = voxel_of(i);
        const TrnCoord coord = trn_voxel_chunk(voxel);
        TrnBlock block;
        assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL),
                         TRN_RESULT_OK);
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, TRN_BLOCK_STONE);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    }
}

static void pending_edits_are_accepted_again_once_chunks_are_loaded(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator;
    TrnStore *store = store_with_memory(&memory, &allocator, 0);
    assert_int_equal(trn_pending_set_bytes_max(store, CAP), TRN_RESULT_OK);
    const uint32_t count = fill_pending(store);
    assert_true(count > 100);
    const size_t bytes = memory.live_bytes;
    for (uint32_t i = count; i < TIMES * count; i++) {
        assert_int_equal(edit(store, NULL, voxel_of(i), TRN_BLOCK_STONE), TRN_RESULT_FULL);
    }
    assert_int_equal(memory.live_bytes, bytes);
    assert_int_equal(trn_edits_stats(store).pending_chunks, count);
    for (uint32_t round = 0; round < 3; round++) {
        load_pending(store, count);
        assert_int_equal(trn_edits_stats(store).pending_chunks, 0);
        assert_int_equal(fill_pending(store), count);
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void undo_goes_on_after_its_history_was_full(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator;
    TrnStore *store = store_with_memory(&memory, &allocator, 0);
    TrnHistoryDef def = trn_history_def();
    def.bytes_max = CAP;
    TrnHistory *history;
    assert_int_equal(trn_history_create(store, &def, &history), TRN_RESULT_OK);
    const TrnVoxel voxel = voxel_of(0);
    assert_int_equal(trn_store_insert_uniform(store, trn_voxel_chunk(voxel), TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    uint32_t fit = 0, made = 0;
    for (; !fit || made < TIMES * fit; made++) {
        assert_int_equal(edit(store, history, voxel, (TrnBlock)(1 + made % 2)), TRN_RESULT_OK);
        const TrnHistoryStats stats = trn_history_stats(history);
        assert_true(stats.bytes <= CAP);
        fit = !fit && stats.dropped_groups ? made : fit;
    }
    const uint32_t kept = trn_history_stats(history).undo_groups;
    assert_true(kept >= fit && kept < made);
    for (uint32_t i = 0; i < kept; i++) {
        TrnBlock block;
        assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
        assert_int_equal(block, 1 + (made - i) % 2);
    }
    for (uint32_t i = 0; i < kept; i++) {
        assert_int_equal(trn_history_redo(history, NULL), TRN_RESULT_OK);
    }
    trn_history_destroy(history);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- events ------------------------------------------------------------------------------------

typedef struct Storm {
    uint64_t events, missed;
    bool answers; ///< each change with two
    TrnBlock next;
} Storm;

static TrnResult on_change(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Storm *storm = user;
    storm->events++;
    storm->missed += event->has_missed;
    for (int i = 0; storm->answers && i < 2; i++) {
        storm->next = (TrnBlock)(storm->next % 2 + 1);
        assert_int_equal(trn_store_set_block(store, voxel_of(0), storm->next, NULL), TRN_RESULT_OK);
    }
    return TRN_RESULT_OK;
}

static void events_are_sent_again_after_storms_of_them(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator;
    TrnStore *store = store_with_memory(&memory, &allocator, 0);
    Storm storm = {.answers = true};
    const TrnVoxel voxel = voxel_of(0);
    assert_int_equal(trn_store_insert_uniform(store, trn_voxel_chunk(voxel), TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), on_change, &storm),
        TRN_RESULT_OK);
    size_t bytes = 0;
    for (uint32_t i = 0; i < STORMS; i++) {
        storm.next = (TrnBlock)(storm.next % 2 + 1);
        assert_int_equal(trn_store_set_block(store, voxel, storm.next, NULL), TRN_RESULT_OK);
        bytes = i < 2 ? memory.live_bytes : bytes; // both of its queues have grown
    }
    assert_true(storm.events >= STORMS * UINT64_C(65536));
    assert_true(memory.live_bytes <= bytes);
    storm.answers = false;
    for (uint32_t i = 0; i < 3; i++) { // the first of these says what was missed
        const Storm before = storm;
        assert_int_equal(trn_store_set_block(store, voxel, (TrnBlock)(3 + i), NULL), TRN_RESULT_OK);
        assert_int_equal(storm.events - before.events, 1);
        assert_int_equal(storm.missed - before.missed, i == 0);
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- readers -----------------------------------------------------------------------------------

static void writes_go_on_once_a_slow_reader_leaves(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    TrnAllocator allocator;
    TrnStore *store = store_with_memory(&memory, &allocator, (size_t)4 << 20);
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), "slow", &reader),
                     TRN_RESULT_OK);
    const TrnVoxel voxel = voxel_of(0);
    assert_int_equal(trn_store_insert_uniform(store, trn_voxel_chunk(voxel), TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    for (uint32_t round = 0; round < 3; round++) {
        trn_chunk_index_read_begin(reader);
        uint32_t made = 0;
        while (trn_store_set_block(store, voxel, (TrnBlock)(1 + made % 2), NULL) == TRN_RESULT_OK) {
            made++;
        }
        assert_true(made > 100);
        const TrnBlock other = (TrnBlock)(1 + made % 2);
        for (uint32_t i = 0; i < TIMES * made; i++) {
            assert_int_equal(trn_store_set_block(store, voxel, other, NULL), TRN_RESULT_READERS);
        }
        trn_chunk_index_read_end(reader);
        assert_int_equal(trn_store_set_block(store, voxel, other, NULL), TRN_RESULT_OK);
    }
    trn_chunk_index_reader_destroy(reader);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- saves -------------------------------------------------------------------------------------

/// A storage in memory whose writes can fail, as on a full disk.
typedef struct Disk {
    TrnStorage storage;
    bool is_full;
} Disk;

static TrnResult disk_get(void *user, const TrnStorageKey *keys, size_t count,
                          TrnStorageRowVisitor visit, void *visitor)
{
    const Disk *disk = user;
    return disk->storage.get(disk->storage.user, keys, count, visit, visitor);
}

static TrnResult disk_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                           void *visitor)
{
    const Disk *disk = user;
    return disk->storage.list(disk->storage.user, range, visit, visitor);
}

static TrnResult disk_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                             void *visitor)
{
    const Disk *disk = user;
    return disk->storage.values(disk->storage.user, prefix, visit, visitor);
}

static TrnResult disk_put(void *user, const TrnStorageBatch *batch)
{
    const Disk *disk = user;
    return disk->is_full ? TRN_RESULT_IO : disk->storage.put(disk->storage.user, batch);
}

static void disk_close(void *user)
{
    const Disk *disk = user;
    disk->storage.close(disk->storage.user);
}

static bool count_row(void *user, const TrnStorageRow *row)
{
    (void)row;
    ++*(uint32_t *)user;
    return true;
}

static TrnCoord saved_coord(uint32_t number)
{
    return trn_voxel_chunk(voxel_of(number));
}

static void saves_are_accepted_again_once_the_disk_has_space(void **state)
{
    (void)state;
    Disk disk = {0};
    assert_int_equal(trn_storage_memory(NULL, &disk.storage), TRN_RESULT_OK);
    TrnSaveDef def = trn_save_def();
    assert_int_equal(trn_block_types_create_builtin(NULL, &def.types), TRN_RESULT_OK);
    def.storage = (TrnStorage){.get = disk_get,
                               .list = disk_list,
                               .values = disk_values,
                               .put = disk_put,
                               .close = disk_close,
                               .user = &disk};
    def.queue_bytes = CAP;
    def.has_thread = false;
    def.commit_seconds = 1e6;
    TrnSave *save;
    assert_int_equal(trn_save_create(&def, &save, NULL), TRN_RESULT_OK);
    const TrnBlock stone = TRN_BLOCK_STONE;
    uint32_t accepted = 0;
    for (uint32_t round = 0; round < 3; round++) {
        disk.is_full = true;
        uint32_t fit = 0;
        while (trn_save_put(save, saved_coord(accepted), 0, &stone, true) == TRN_RESULT_OK) {
            accepted++;
            fit++;
        }
        assert_true(fit > 100);
        for (uint32_t i = 0; i < TIMES * fit; i++) {
            assert_int_equal(trn_save_put(save, saved_coord(accepted), 0, &stone, true),
                             TRN_RESULT_FULL);
        }
        assert_int_equal(trn_save_flush(save), TRN_RESULT_IO);
        disk.is_full = false;
        assert_int_equal(trn_save_flush(save), TRN_RESULT_OK);
        uint32_t rows = 0;
        const TrnStorageRange all = {.box = trn_box_everything()};
        assert_int_equal(disk_list(&disk, &all, count_row, &rows), TRN_RESULT_OK);
        assert_int_equal(rows, accepted);
    }
    assert_int_equal(trn_save_destroy(save), TRN_RESULT_OK);
    trn_block_types_destroy(def.types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_are_accepted_again_once_chunks_are_loaded),
        cmocka_unit_test(undo_goes_on_after_its_history_was_full),
        cmocka_unit_test(events_are_sent_again_after_storms_of_them),
        cmocka_unit_test(writes_go_on_once_a_slow_reader_leaves),
        cmocka_unit_test(saves_are_accepted_again_once_the_disk_has_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
