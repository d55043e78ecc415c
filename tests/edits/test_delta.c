// Deltas: what one store writes makes another store equal to it, whatever happened in between; and
// bytes that are no delta, or memory that fails, change nothing.

#include "testing.h"

#include <terrane/batch.h>
#include <terrane/block_data.h>
#include <terrane/delta.h>

enum {
    EDGE = 3, // chunks of the box along each axis
    CELLS = EDGE * EDGE * EDGE,
    DELTA_BYTES = 1 << 22,
    LIST = 1 << 16
};

static const TrnBox BOX = {{-1, -1, -1}, {EDGE - 2, EDGE - 2, EDGE - 2}};

static unsigned char delta_bytes[DELTA_BYTES];

/// A store whose changes are sent, with the reader that keeps the base.
typedef struct Sender {
    TrnStore *store;
    TrnChunkReader *reader;
    TrnDeltaBase base[CELLS];
    size_t count;
} Sender;

static void set_data(TrnStore *store, TrnVoxel voxel, const void *bytes, size_t size,
                     TrnDataRule rule)
{
    assert_int_equal(trn_store_set_data(store, voxel, bytes, size, rule, NULL), TRN_RESULT_OK);
}

static TrnStore *make_store(const TrnAllocator *allocator)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    def.allocator = allocator;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    return store;
}

static void take_base(Sender *sender)
{
    trn_chunk_index_read_begin(sender->reader);
    sender->count = trn_delta_base(sender->store, BOX, sender->base, CELLS);
    assert_true(sender->count <= CELLS);
}

static Sender make_sender(void)
{
    Sender sender = {.store = make_store(NULL)};
    assert_int_equal(
        trn_chunk_index_reader_create(trn_store_index(sender.store), "sender", &sender.reader),
        TRN_RESULT_OK);
    take_base(&sender);
    return sender;
}

static void free_sender(Sender *sender)
{
    trn_chunk_index_read_end(sender->reader);
    trn_chunk_index_reader_destroy(sender->reader);
    trn_store_destroy(sender->store);
}

/// Writes what has changed since the base, and takes the next base. @return the size
static size_t send_delta(Sender *sender)
{
    const size_t size =
        trn_delta_write(sender->store, BOX, sender->base, sender->count, delta_bytes, DELTA_BYTES);
    assert_in_range(size, 2, DELTA_BYTES);
    assert_int_equal(trn_delta_write(sender->store, BOX, sender->base, sender->count, NULL, 0),
                     size);
    trn_chunk_index_read_end(sender->reader);
    take_base(sender);
    return size;
}

/// A hash of all chunks of the box: which are loaded, their blocks and their data.
static uint64_t hash_of(const TrnStore *store)
{
    static TrnVoxelData list[LIST];
    uint64_t hash = 14695981039346656037u;
    for (int32_t i = 0; i < CELLS; i++) {
        const TrnCoord coord = {BOX.min.x + i % EDGE, BOX.min.y + i / EDGE % EDGE,
                                BOX.min.z + i / EDGE / EDGE};
        TrnSnapshot snapshot;
        const bool is_loaded = trn_store_snapshot(store, coord, &snapshot) == TRN_RESULT_OK;
        hash = (hash ^ (is_loaded ? trn_snapshot_hash(snapshot) | 1 : 0)) * 1099511628211u;
    }
    const TrnVoxel low = trn_coord_voxel(BOX.min), corner = trn_coord_voxel(BOX.max);
    const TrnVoxel high = {corner.x + 31, corner.y + 31, corner.z + 31};
    const size_t count = trn_store_list_data(store, low, high, list, LIST);
    assert_true(count <= LIST);
    for (size_t i = 0; i < count; i++) {
        const TrnBlockData *data = &list[i].data;
        hash = (hash ^ data->index ^ (uint64_t)data->rule << 20) * 1099511628211u;
        for (uint32_t k = 0; k < data->size; k++) {
            hash = (hash ^ ((const unsigned char *)data->bytes)[k]) * 1099511628211u;
        }
    }
    return hash;
}

static void expect_equal(const TrnStore *a, const TrnStore *b)
{
    for (int32_t i = 0; i < CELLS; i++) {
        const TrnCoord coord = {BOX.min.x + i % EDGE, BOX.min.y + i / EDGE % EDGE,
                                BOX.min.z + i / EDGE / EDGE};
        TrnSnapshot first, second;
        const TrnResult result = trn_store_snapshot(a, coord, &first);
        assert_int_equal(trn_store_snapshot(b, coord, &second), result);
        if (result == TRN_RESULT_OK) {
            assert_true(trn_snapshot_equal(first, second));
            assert_true(trn_snapshot_equal_data(first, second));
        }
    }
}

static TrnCoord random_coord(TestRandom *random)
{
    const TrnCoord coord = {(int32_t)test_random_range(random, BOX.min.x, BOX.max.x),
                            (int32_t)test_random_range(random, BOX.min.y, BOX.max.y),
                            (int32_t)test_random_range(random, BOX.min.z, BOX.max.z)};
    return coord;
}

static TrnVoxel random_voxel(TestRandom *random, TrnCoord coord)
{
    TrnVoxel voxel = trn_coord_voxel(coord);
    voxel.x += test_random_range(random, 0, 31);
    voxel.y += test_random_range(random, 0, 31);
    voxel.z += test_random_range(random, 0, 31);
    return voxel;
}

/// Few voxels, so that data meets the data of earlier changes.
static TrnVoxel random_chest(TestRandom *random, TrnCoord coord)
{
    TrnVoxel voxel = trn_coord_voxel(coord);
    voxel.x += test_random_range(random, 0, 3);
    voxel.y += test_random_range(random, 0, 1) * 31;
    return voxel;
}

static void insert_random(TrnStore *store, TestRandom *random, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint64_t types = 1 + test_random_next(random) % 300;
    const int64_t run = test_random_range(random, 1, 200);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = i % run ? blocks[i - 1] : (TrnBlock)(test_random_next(random) % types);
    }
    assert_int_equal(trn_store_insert_voxels(store, coord, blocks, NULL), TRN_RESULT_OK);
}

/// Changes the store at random.
static void change(TrnStore *store, TestRandom *random)
{
    static const unsigned char bytes[300] = {1, 2, 3};
    const TrnCoord coord = random_coord(random);
    if (!trn_store_find(store, coord)) {
        insert_random(store, random, coord);
        return;
    }
    const TrnBlock block = (TrnBlock)(test_random_next(random) % 40);
    const TrnVoxel a = random_voxel(random, coord), chest = random_chest(random, coord);
    TrnBatch *batch;
    switch (test_random_next(random) % 6) {
    case 0:
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        break;
    case 1:
        assert_int_equal(trn_store_set_block(store, a, block, NULL), TRN_RESULT_OK);
        break;
    case 2:
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        (void)trn_batch_fill_sphere(batch, a, 5, block);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        break;
    case 3: // the block of a chest, which keeps or loses its data
        assert_int_equal(trn_store_set_block(store, chest, block, NULL), TRN_RESULT_OK);
        break;
    default: {
        const size_t size = (size_t)test_random_range(random, 0, sizeof bytes);
        const bool is_removed = test_random_next(random) % 4 == 0;
        assert_int_equal(trn_store_set_data(store, chest, is_removed ? NULL : bytes, size,
                                            (TrnDataRule)(test_random_next(random) % 2), NULL),
                         TRN_RESULT_OK);
    }
    }
}

// ---- equal stores ------------------------------------------------------------------------------

static void a_delta_makes_the_receiver_equal(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    uint32_t seen[3] = {0};
    for (uint32_t round = 0; round < test_rounds(400, 60); round++) {
        for (int64_t i = test_random_range(&random, 0, 8); i > 0; i--) {
            change(sender.store, &random);
        }
        TrnDeltaOutcome outcome;
        const size_t size = send_delta(&sender);
        assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, &outcome), TRN_RESULT_OK);
        assert_int_equal(outcome.revision, trn_store_revision(receiver));
        seen[0] += outcome.inserted;
        seen[1] += outcome.changed;
        seen[2] += outcome.removed;
        expect_equal(sender.store, receiver);
        // Once more changes nothing but chunks that are inserted and removed again.
        assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, NULL), TRN_RESULT_OK);
        expect_equal(sender.store, receiver);
    }
    assert_true(seen[0] > 20 && seen[1] > 20 && seen[2] > 20);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

static void without_changes_a_delta_is_two_bytes(void **state)
{
    (void)state;
    Sender sender = make_sender();
    assert_int_equal(trn_store_insert_uniform(sender.store, (TrnCoord){0, 0, 0}, 1, NULL),
                     TRN_RESULT_OK);
    assert_true(send_delta(&sender) > 2);
    assert_int_equal(send_delta(&sender), 2);
    // There and back: another revision, the same voxels.
    const TrnVoxel voxel = {5, 6, 7};
    assert_int_equal(trn_store_set_block(sender.store, voxel, 2, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(sender.store, voxel, 1, NULL), TRN_RESULT_OK);
    assert_int_equal(send_delta(&sender), 2);
    free_sender(&sender);
}

static void one_voxel_takes_few_bytes(void **state)
{
    (void)state;
    Sender sender = make_sender();
    TestRandom random = test_random_seeded(32);
    insert_random(sender.store, &random, (TrnCoord){1, -1, 1});
    (void)send_delta(&sender);
    const TrnVoxel voxel = {63, -1, 63};
    assert_int_equal(trn_store_set_block(sender.store, voxel, 65535, NULL), TRN_RESULT_OK);
    const size_t size = send_delta(&sender);
    print_message("  %zu bytes\n", size);
    assert_in_range(size, 10, 20);
    free_sender(&sender);
}

/// A receiver that has a chunk of its own where the sender inserts one, and edits that wait for
/// another.
static void whole_chunks_replace_what_the_receiver_has(void **state)
{
    (void)state;
    static const unsigned char bytes[4] = {9, 8, 7, 6};
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    TestRandom random = test_random_seeded(33);
    const TrnCoord both = {0, 0, 0}, pending = {1, 0, 0};
    insert_random(sender.store, &random, both);
    insert_random(sender.store, &random, pending);
    insert_random(receiver, &random, both);
    set_data(receiver, trn_coord_voxel(both), bytes, 4, TRN_DATA_STAYS);
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(receiver, NULL, &batch), TRN_RESULT_OK);
    (void)trn_batch_set(batch, trn_coord_voxel(pending), 77);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    TrnDeltaOutcome outcome;
    const size_t size = send_delta(&sender);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.inserted, 1);
    assert_int_equal(outcome.changed, 1);
    expect_equal(sender.store, receiver);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

// ---- stored deltas -----------------------------------------------------------------------------

// What commit 6d91cde wrote of the two steps below.
static const unsigned char stored_first[222] = {
    1,   3,   0,   1,   2,   128, 8,   0,   0,   128, 8,   0,   1,   128, 8,   0,   2,   128, 8,
    0,   3,   128, 8,   0,   4,   5,   0,   5,   1,   0,   177, 2,   127, 0,   5,   1,   0,   177,
    2,   127, 0,   5,   1,   0,   177, 2,   127, 0,   5,   1,   0,   177, 2,   127, 0,   5,   1,
    0,   177, 2,   127, 0,   5,   1,   0,   177, 2,   127, 0,   5,   1,   0,   177, 2,   127, 0,
    5,   1,   0,   177, 2,   122, 0,   5,   128, 8,   0,   6,   128, 8,   0,   7,   128, 8,   0,
    8,   128, 8,   0,   9,   128, 8,   0,   10,  128, 8,   0,   11,  128, 8,   0,   12,  128, 8,
    0,   13,  128, 8,   0,   14,  128, 8,   0,   15,  128, 8,   0,   16,  128, 8,   0,   17,  128,
    8,   0,   18,  128, 8,   0,   19,  128, 8,   0,   0,   128, 8,   0,   1,   128, 8,   0,   2,
    128, 8,   0,   3,   128, 8,   0,   4,   128, 8,   0,   5,   128, 8,   0,   6,   128, 8,   0,
    7,   128, 8,   0,   8,   128, 8,   0,   9,   128, 8,   0,   10,  128, 8,   0,   11,  0,   2,
    131, 18,  5,   97,  112, 112, 108, 101, 0,   3,   0,   2,   1,   128, 128, 2,   0,   7,   0,
    0,   3,   2,   2,   2,   128, 128, 2,   0,   0,   0,   0,   0,
};
static const unsigned char stored_second[122] = {
    1,  2,   0,  1,  2,  3,   201, 81,  9,   5,  28, 9,  5,  27,  9,  5,  27,  9,   3,   28,  9,
    5,  252, 6,  9,  5,  27,  9,   5,   27,  9,  5,  27, 9,  5,   27, 9,  1,   221, 6,   9,   5,
    29, 9,   5,  27, 9,  7,   26,  9,   5,   26, 9,  5,  27, 9,   1,  29, 9,   5,   221, 6,   9,
    5,  27,  9,  5,  27, 9,   5,   27,  9,   5,  27, 9,  3,  252, 6,  9,  5,   28,  9,   5,   27,
    9,  5,   27, 9,  3,  28,  9,   1,   190, 7,  9,  0,  3,  132, 18, 4,  112, 101, 97,  114, 0,
    2,  0,   2,  1,  1,  225, 16,  255, 255, 3,  0,  0,  1,  2,   2,  2,  0,
};

static void change_first(TrnStore *store)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(i / 1024 % 20 + (i / 1024 == 5 && i % 128 == 5 ? 300 : 0));
    }
    assert_int_equal(trn_store_insert_voxels(store, (TrnCoord){0, -1, 1}, blocks, NULL),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, 7, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){1, 1, 1}, 0, NULL), TRN_RESULT_OK);
    set_data(store, (TrnVoxel){3, -30, 40}, "apple", 5, TRN_DATA_WITH_BLOCK);
}

static void change_second(TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_store_remove(store, (TrnCoord){1, 1, 1}), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){1, 2, 3}, 65535, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    (void)trn_batch_fill_sphere(batch, (TrnVoxel){10, -20, 40}, 3, 9);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    set_data(store, (TrnVoxel){4, -30, 40}, "pear", 4, TRN_DATA_STAYS);
}

static void stored_deltas_still_apply(void **state)
{
    (void)state;
    TrnStore *store = make_store(NULL), *receiver = make_store(NULL);
    change_first(store);
    assert_int_equal(trn_delta_apply(receiver, stored_first, sizeof stored_first, NULL),
                     TRN_RESULT_OK);
    expect_equal(store, receiver);
    change_second(store);
    assert_int_equal(trn_delta_apply(receiver, stored_second, sizeof stored_second, NULL),
                     TRN_RESULT_OK);
    expect_equal(store, receiver);
    trn_store_destroy(receiver);
    trn_store_destroy(store);
}

// ---- faults ------------------------------------------------------------------------------------

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    Sender sender = make_sender();
    TrnStore *store = sender.store;
    const TrnBox empty = {{1, 0, 0}, {0, 0, 0}}, one = {{0, 0, 0}, {0, 0, 0}};
    const TrnBox large = {{0, 0, 0}, {1023, 0, 1024}},
                 all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    const TrnDeltaBase base[2] = {{{0, 0, 0}, {0}}, {{0, 0, 0}, {0}}};
    assert_int_equal(trn_delta_write(store, empty, NULL, 0, NULL, 0), 0);
    assert_int_equal(trn_delta_write(store, large, NULL, 0, NULL, 0), 0);
    assert_int_equal(trn_delta_write(store, all, NULL, 0, NULL, 0), 0);
    assert_int_equal(trn_delta_write(NULL, one, NULL, 0, NULL, 0), 0);
    assert_int_equal(trn_delta_write(store, one, base, 2, NULL, 0), 0); // twice the same chunk
    assert_int_equal(trn_delta_write(store, one, base, 1, NULL, 8), 0);
    assert_int_equal(trn_delta_base(store, all, NULL, 0), 0);
    assert_int_equal(trn_delta_apply(store, NULL, 2, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_delta_apply(store, delta_bytes, 0, NULL), TRN_RESULT_CORRUPT);
    const TrnBox end = {{INT32_MAX, 0, INT32_MAX}, {INT32_MAX, 0, INT32_MAX}};
    assert_int_equal(trn_delta_write(store, end, NULL, 0, NULL, 0), 2);
    free_sender(&sender);
}

/// Writes a delta with all kinds of records, and makes a receiver of its base.
/// @param more  further chunks that it inserts, up to 8
static size_t delta_of_all_kinds(Sender *sender, TrnStore *receiver, int32_t more)
{
    static const unsigned char bytes[5] = {1, 2, 3, 4, 5};
    TestRandom random = test_random_seeded(34);
    const TrnCoord gone = {-1, 0, 0}, changed = {0, 0, 0}, made = {1, 0, 0};
    TrnStore *store = sender->store;
    insert_random(store, &random, changed);
    assert_int_equal(trn_store_insert_uniform(store, gone, 4, NULL), TRN_RESULT_OK);
    const size_t first = send_delta(sender);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, first, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(store, gone), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, made, 5, NULL), TRN_RESULT_OK);
    set_data(store, trn_coord_voxel(made), bytes, 5, TRN_DATA_STAYS);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){3, 4, 5}, 300, NULL), TRN_RESULT_OK);
    for (int32_t i = 0; i < more; i++) {
        insert_random(store, &random, (TrnCoord){i % 3 - 1, 1, i / 3 - 1});
    }
    set_data(store, (TrnVoxel){9, 9, 9}, bytes, 3, TRN_DATA_WITH_BLOCK);
    return send_delta(sender);
}

static void every_beginning_of_a_delta_is_refused(void **state)
{
    (void)state;
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    const size_t size = delta_of_all_kinds(&sender, receiver, 0);
    const uint64_t before = hash_of(receiver);
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(trn_delta_apply(receiver, delta_bytes, i, NULL), TRN_RESULT_CORRUPT);
        assert_true(hash_of(receiver) == before);
    }
    delta_bytes[size] = 0; // bytes behind the end
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size + 1, NULL), TRN_RESULT_CORRUPT);
    assert_true(hash_of(receiver) == before);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, NULL), TRN_RESULT_OK);
    expect_equal(sender.store, receiver);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

static void changed_bytes_change_nothing_or_are_a_delta(void **state)
{
    (void)state;
    static unsigned char bytes[4096];
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    TestRandom random = test_random_seeded(35);
    const size_t size = delta_of_all_kinds(&sender, receiver, 0);
    assert_true(size <= sizeof bytes);
    uint32_t refused = 0;
    uint64_t before = hash_of(receiver);
    for (uint32_t round = 0; round < test_rounds(3000, 300); round++) {
        memcpy(bytes, delta_bytes, size);
        for (int i = 0; i < 3; i++) {
            bytes[test_random_next(&random) % size] = (unsigned char)test_random_next(&random);
        }
        const TrnResult result = trn_delta_apply(receiver, bytes, size, NULL);
        if (result != TRN_RESULT_OK) {
            assert_true(result == TRN_RESULT_CORRUPT || result == TRN_RESULT_NOT_FOUND);
            assert_true(hash_of(receiver) == before);
            refused++;
        } else {
            before = hash_of(receiver);
        }
    }
    assert_true(refused > 20);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

static void a_missing_chunk_is_named_and_nothing_changes(void **state)
{
    (void)state;
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    const size_t size = delta_of_all_kinds(&sender, receiver, 0);
    assert_int_equal(trn_store_remove(receiver, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    const uint64_t before = hash_of(receiver);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, NULL), TRN_RESULT_NOT_FOUND);
    assert_true(hash_of(receiver) == before);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

static void failing_memory_leaves_the_receiver_as_it_was(void **state)
{
    (void)state;
    uint32_t failures = 0;
    bool is_last = false;
    for (size_t at = 1; !is_last; at++) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = test_allocator(&memory);
        Sender sender = make_sender();
        TrnStore *receiver = make_store(&allocator);
        const size_t size = delta_of_all_kinds(&sender, receiver, 8);
        const uint64_t before = hash_of(receiver);
        test_fail(&memory, at, 0);
        const TrnResult result = trn_delta_apply(receiver, delta_bytes, size, NULL);
        is_last = memory.allocations < at;
        test_fail(&memory, 0, 0);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_true(hash_of(receiver) == before);
            failures++;
        } else {
            expect_equal(sender.store, receiver);
        }
        trn_store_destroy(receiver);
        assert_int_equal(memory.live_bytes, 0);
        free_sender(&sender);
    }
    print_message("  %u allocations failed\n", failures);
    assert_true(failures > 3);
}

static void a_pinned_chunk_is_removed_when_it_is_unpinned(void **state)
{
    (void)state;
    Sender sender = make_sender();
    TrnStore *receiver = make_store(NULL);
    const size_t size = delta_of_all_kinds(&sender, receiver, 0);
    TrnChunk *pinned = trn_store_find(receiver, (TrnCoord){-1, 0, 0});
    trn_store_pin(receiver, pinned);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, NULL), TRN_RESULT_BUSY);
    assert_non_null(trn_store_find(receiver, (TrnCoord){1, 0, 0})); // the rest is applied
    trn_store_unpin(receiver, pinned);
    assert_int_equal(trn_delta_apply(receiver, delta_bytes, size, NULL), TRN_RESULT_OK);
    expect_equal(sender.store, receiver);
    trn_store_destroy(receiver);
    free_sender(&sender);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_delta_makes_the_receiver_equal),
        cmocka_unit_test(without_changes_a_delta_is_two_bytes),
        cmocka_unit_test(one_voxel_takes_few_bytes),
        cmocka_unit_test(whole_chunks_replace_what_the_receiver_has),
        cmocka_unit_test(stored_deltas_still_apply),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_beginning_of_a_delta_is_refused),
        cmocka_unit_test(changed_bytes_change_nothing_or_are_a_delta),
        cmocka_unit_test(a_missing_chunk_is_named_and_nothing_changes),
        cmocka_unit_test(failing_memory_leaves_the_receiver_as_it_was),
        cmocka_unit_test(a_pinned_chunk_is_removed_when_it_is_unpinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
