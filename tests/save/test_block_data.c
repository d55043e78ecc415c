// Block data in saves: rows, damage, the world's format, the queue, and a world whose chunks are
// edited, saved and loaded again by a stream's hooks.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "data_model.h"
#include "save_world.h"

#include "base/number.h"
#include "row.h"

#include <stdatomic.h>

#define CHUNKS 3

static uint16_t world_ids[TRN_BLOCK_TYPES_MAX];
static _Atomic(uint32_t) blocks_of[TRN_BLOCK_TYPES_MAX];

static void use_equal_ids(void)
{
    for (uint32_t i = 0; i < TRN_BLOCK_TYPES_MAX; i++) {
        world_ids[i] = (uint16_t)i;
        atomic_store(&blocks_of[i], i);
    }
}

// ---- sections ----------------------------------------------------------------------------------

/// Puts an entry. @return the bytes
static size_t put_entry(unsigned char *bytes, uint32_t index, uint32_t rule, uint32_t size)
{
    trn_number_write(bytes, index, 2);
    trn_number_write(bytes + 2, rule, 2);
    trn_number_write(bytes + 4, size, 4);
    memset(bytes + 8, 0xAB, size);
    return 8 + (size_t)size;
}

static void sections_are_checked(void **state)
{
    (void)state;
    static unsigned char bytes[200000];
    size_t size = put_entry(bytes, 3, 0, 5);
    const size_t first = size;
    size += put_entry(bytes + size, 9, 1, 0);
    size += put_entry(bytes + size, 32767, 0, 20);
    assert_true(trn_row_data_is_valid(bytes, size));
    assert_true(trn_row_data_is_valid(bytes, 0));
    for (size_t cut = 1; cut < size; cut++) {
        assert_int_equal(trn_row_data_is_valid(bytes, cut), cut == first || cut == first + 8);
    }
    (void)put_entry(bytes + first, 3, 1, 0);
    assert_false(trn_row_data_is_valid(bytes, size)); // a voxel twice
    (void)put_entry(bytes + first, 2, 1, 0);
    assert_false(trn_row_data_is_valid(bytes, size)); // not in order
    (void)put_entry(bytes + first, 9, 2, 0);
    assert_false(trn_row_data_is_valid(bytes, size)); // an unknown rule
    assert_false(trn_row_data_is_valid(bytes, put_entry(bytes, 32768, 0, 0)));
    assert_false(trn_row_data_is_valid(bytes, put_entry(bytes, 1, 0, TRN_DATA_BYTES_MAX + 1)));
    assert_true(trn_row_data_is_valid(bytes, put_entry(bytes, 1, 0, TRN_DATA_BYTES_MAX)));
    for (size = 0; size < (size_t)8 * TRN_DATA_VOXELS_MAX;) {
        size += put_entry(bytes + size, (uint32_t)size / 8, 0, 0);
    }
    assert_true(trn_row_data_is_valid(bytes, size));
    size += put_entry(bytes + size, TRN_DATA_VOXELS_MAX, 0, 0);
    assert_false(trn_row_data_is_valid(bytes, size));
    // More than a chunk may have, in entries of which each is valid.
    const uint32_t most = TRN_DATA_CHUNK_BYTES_MAX / TRN_DATA_BYTES_MAX;
    unsigned char *large = calloc(most + 1, TRN_DATA_BYTES_MAX + 8);
    assert_non_null(large);
    size = 0;
    for (uint32_t i = 0; i < most; i++) {
        size += put_entry(large + size, i, 0, TRN_DATA_BYTES_MAX);
    }
    assert_true(trn_row_data_is_valid(large, size));
    size += put_entry(large + size, most, 0, 1);
    assert_false(trn_row_data_is_valid(large, size));
    free(large);
}

// ---- rows --------------------------------------------------------------------------------------

static const TrnStorageKey place = {{1, -2, 3}, 0};

static TrnResult count_data(void *user, const TrnBlockData *data)
{
    uint32_t *count = user;
    assert_int_equal(data->index, *count * 5);
    assert_memory_equal(data->bytes, model_bytes((uint8_t)*count, data->size), data->size);
    ++*count;
    return TRN_RESULT_OK;
}

static void a_row_has_its_data_and_no_cut_or_flipped_bit_goes_unseen(void **state)
{
    (void)state;
    static TrnBlock got[TRN_CHUNK_VOXELS];
    static unsigned char section[20000], bytes[40000];
    const TrnAllocator allocator = trn_allocator_default();
    TrnRowCoder *coder = trn_row_coder_create(&allocator, 1);
    const TrnBlock block = 7;
    TrnStorageRow row;
    TrnRowHeader header;
    TrnRowFault fault;
    bool uniform;
    size_t size = 0;
    use_equal_ids();
    for (uint32_t i = 0; i < 40; i++) {
        const TrnBlockData data = {model_bytes((uint8_t)i, i * 7), i * 7, (uint16_t)(i * 5), i % 2};
        trn_row_data_write(&data, 1, section + size);
        size += trn_row_data_bytes(&data, 1);
    }
    TrnRowVoxels voxels = {.palette_count = 1, .palette = &block};
    assert_int_equal(trn_row_encode(coder, place, 5, &voxels, world_ids, &row), TRN_RESULT_OK);
    assert_int_equal(trn_row_check(row.bytes, row.size, &place, &header), TRN_ROW_FAULT_NONE);
    assert_int_equal(header.format, TRN_ROW_FORMAT_PLAIN);
    voxels.data = section;
    voxels.data_bytes = size;
    assert_int_equal(trn_row_encode(coder, place, 5, &voxels, world_ids, &row), TRN_RESULT_OK);
    assert_int_equal(trn_row_check(row.bytes, row.size, &place, &header), TRN_ROW_FAULT_NONE);
    assert_int_equal(header.format, TRN_ROW_FORMAT);
    memcpy(bytes, row.bytes, row.size);
    row.bytes = bytes;
    assert_int_equal(trn_row_decode(coder, &row, blocks_of, got, &uniform, &fault), TRN_RESULT_OK);
    assert_true(uniform && got[0] == 7);
    uint32_t count = 0;
    size_t found;
    const TrnDataSink sink = {count_data, &count};
    const unsigned char *data = trn_row_data(coder, &found);
    assert_int_equal(found, size);
    assert_int_equal(trn_row_data_read(data, found, &sink), TRN_RESULT_OK);
    assert_int_equal(count, 40);
    for (size_t cut = 0; cut < row.size; cut++) {
        unsigned char *part = malloc(cut + 1); // the sanitizer sees a read behind it
        memcpy(part, bytes, cut);
        const TrnStorageRow shorter = {place, 5, part, cut};
        assert_int_equal(trn_row_decode(coder, &shorter, blocks_of, got, &uniform, &fault),
                         TRN_RESULT_CORRUPT);
        (void)trn_row_data(coder, &found);
        assert_int_equal(found, 0);
        free(part);
    }
    for (size_t bit = 0; bit < row.size * 8; bit += 13) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        assert_int_equal(trn_row_decode(coder, &row, blocks_of, got, &uniform, &fault),
                         TRN_RESULT_CORRUPT);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    trn_row_coder_destroy(coder);
}

// ---- worlds ------------------------------------------------------------------------------------

/// A chunk that is loaded from a save.
typedef struct Loaded {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnBlockData data[TRN_DATA_VOXELS_MAX];
    unsigned char *bytes[TRN_DATA_VOXELS_MAX];
    uint32_t count;
    bool uniform;
} Loaded;

static TrnResult load_one(void *user, const TrnBlockData *data)
{
    Loaded *loaded = user;
    assert_in_range(loaded->count, 0, TRN_DATA_VOXELS_MAX - 1);
    unsigned char *copy = malloc(data->size + 1);
    memcpy(copy, data->bytes, data->size);
    loaded->bytes[loaded->count] = copy;
    loaded->data[loaded->count] = *data;
    loaded->data[loaded->count++].bytes = copy;
    return TRN_RESULT_OK;
}

static void forget(Loaded *loaded)
{
    for (uint32_t i = 0; i < loaded->count; i++) {
        free(loaded->bytes[i]);
    }
    loaded->count = 0;
}

static TrnCoord coord_of(uint32_t place_of)
{
    return (TrnCoord){(int32_t)place_of, 0, -(int32_t)place_of};
}

/// Saves a chunk as a stream does, and removes it.
static void save_and_remove(SaveWorld *world, TrnStore *store, uint32_t which)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnStreamJob job = {.coord = coord_of(which)};
    TrnSnapshot now;
    assert_int_equal(trn_store_snapshot(store, coord_of(which), &now), TRN_RESULT_OK);
    assert_int_equal(source.save(source.user, &job, now), TRN_RESULT_OK);
    assert_int_equal(trn_store_remove(store, coord_of(which)), TRN_RESULT_OK);
}

/// Loads a chunk as a stream does, and inserts it.
static void load_and_insert(SaveWorld *world, TrnStore *store, uint32_t which, Loaded *loaded)
{
    const TrnStreamSource source = trn_save_source(world->save);
    const TrnDataSink sink = {load_one, loaded};
    const TrnStreamJob job = {.coord = coord_of(which), .data = &sink};
    loaded->uniform = false;
    const TrnResult result = source.load(source.user, &job, loaded->blocks, &loaded->uniform);
    if (result == TRN_RESULT_NOT_FOUND) {
        loaded->blocks[0] = TRN_BLOCK_AIR;
        loaded->uniform = true;
    } else {
        assert_int_equal(result, TRN_RESULT_OK);
    }
    assert_int_equal(trn_store_insert_data(store, coord_of(which), loaded->blocks, loaded->uniform,
                                           loaded->data, loaded->count, NULL),
                     TRN_RESULT_OK);
    forget(loaded);
}

static void random_edit(TrnStore *store, DataModel *model, uint32_t which, TestRandom *random)
{
    const uint32_t index = model_random_index(random);
    const TrnVoxel low = trn_coord_voxel(coord_of(which));
    const TrnVoxel voxel = {low.x + index % 32, low.y + index / 1024, low.z + index / 32 % 32};
    if (test_random_next(random) % 2) {
        const TrnBlock block = (TrnBlock)test_random_range(random, 0, 6);
        assert_int_equal(trn_store_set_block(store, voxel, block, NULL), TRN_RESULT_OK);
        model->blocks[index] = block;
        model_purge(model);
    } else {
        const uint8_t tag = (uint8_t)test_random_next(random);
        const uint32_t size = model_random_size(random);
        const TrnDataRule rule = model_random_rule(random);
        assert_int_equal(trn_store_set_data(store, voxel, model_bytes(tag, size), size, rule, NULL),
                         TRN_RESULT_OK);
        model_set_data(model, index, tag, size, rule);
    }
}

static void edited_chunks_come_back_from_queue_and_file_with_their_data(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store;
    DataModel *models = calloc(CHUNKS, sizeof *models);
    Loaded *loaded = calloc(1, sizeof *loaded);
    TestRandom random = test_random_seeded(46);
    const uint32_t rounds = test_rounds(40, 10);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    for (uint32_t round = 0; round < rounds; round++) {
        assert_int_equal(save_world_open(world, TRN_STORAGE_EITHER), TRN_RESULT_OK);
        for (uint32_t step = 0; step < 6; step++) {
            const uint32_t which = (uint32_t)(test_random_next(&random) % CHUNKS);
            TrnSnapshot now;
            load_and_insert(world, store, which, loaded);
            assert_int_equal(trn_store_snapshot(store, coord_of(which), &now), TRN_RESULT_OK);
            model_check_snapshot(&models[which], now);
            for (uint32_t i = 0; i < 12; i++) {
                random_edit(store, &models[which], which, &random);
            }
            save_and_remove(world, store, which);
            if (test_random_next(&random) % 3 == 0) {
                assert_int_equal(trn_save_flush(world->save), TRN_RESULT_OK);
            }
        }
        assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    }
    trn_store_destroy(store);
    free(loaded);
    free(models);
}

/// The format that a world's file has.
static bool read_format(void *user, const TrnStorageValue *value)
{
    *(uint64_t *)user = trn_number_read(value->bytes, 4);
    return false;
}

static uint64_t format_of(const SaveWorld *world)
{
    TrnStorage storage;
    TrnStorageProblem problem;
    uint64_t format = 0;
    assert_int_equal(trn_storage_sqlite(world->file, TRN_STORAGE_READ_ONLY, &storage, &problem),
                     TRN_RESULT_OK);
    assert_int_equal(storage.values(storage.user, "terrane/format", read_format, &format),
                     TRN_RESULT_OK);
    storage.close(storage.user);
    return format;
}

static void only_worlds_with_data_have_the_later_format(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    for (uint32_t round = 0; round < 3; round++) {
        assert_int_equal(save_world_open(world, TRN_STORAGE_EITHER), TRN_RESULT_OK);
        assert_int_equal(trn_store_insert_uniform(store, coord_of(1), 3, NULL), TRN_RESULT_OK);
        if (round == 1) {
            const TrnVoxel voxel = trn_coord_voxel(coord_of(1));
            assert_int_equal(trn_store_set_data(store, voxel, "abc", 3, 0, NULL), TRN_RESULT_OK);
        }
        save_and_remove(world, store, 1);
        assert_int_equal(save_world_close(world), TRN_RESULT_OK);
        assert_int_equal(format_of(world), round == 0 ? 1 : 2);
    }
    trn_store_destroy(store);
}

/// A chunk with more data than the queue may hold is saved all the same.
static void a_chunk_larger_than_the_queue_is_saved(void **state)
{
    SaveWorld *world = *state;
    TrnStore *store;
    Loaded *loaded = calloc(1, sizeof *loaded);
    world->def.queue_bytes = 100000;
    world->def.has_thread = false; // so that it is written before the next comes
    assert_int_equal(save_world_open(world, TRN_STORAGE_EITHER), TRN_RESULT_OK);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    for (uint32_t which = 0; which < 3; which++) { // a small one, then two large ones
        assert_int_equal(trn_store_insert_uniform(store, coord_of(which), 3, NULL), TRN_RESULT_OK);
        for (uint32_t i = 0; i < which * 5; i++) {
            const TrnVoxel low = trn_coord_voxel(coord_of(which));
            const TrnVoxel voxel = {low.x + i, low.y, low.z};
            const void *bytes = model_bytes((uint8_t)(which + i), 60000);
            assert_int_equal(trn_store_set_data(store, voxel, bytes, 60000, 0, NULL),
                             TRN_RESULT_OK);
        }
    }
    for (uint32_t which = 0; which < 3; which++) {
        save_and_remove(world, store, which);
    }
    for (uint32_t which = 0; which < 3; which++) {
        TrnSnapshot now;
        load_and_insert(world, store, which, loaded);
        assert_int_equal(trn_store_snapshot(store, coord_of(which), &now), TRN_RESULT_OK);
        assert_int_equal(trn_snapshot_count_data(now), which * 5);
        for (uint32_t i = 0; i < which * 5; i++) {
            TrnBlockData data;
            assert_true(trn_snapshot_get_data(now, i, &data));
            assert_int_equal(data.size, 60000);
            assert_memory_equal(data.bytes, model_bytes((uint8_t)(which + i), 60000), 60000);
        }
    }
    assert_int_equal(save_world_close(world), TRN_RESULT_OK);
    trn_store_destroy(store);
    free(loaded);
}

static int begin(void **state)
{
    SaveWorld *world = calloc(1, sizeof *world);
    save_world_create(world);
    *state = world;
    return 0;
}

static int end(void **state)
{
    save_world_destroy(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_are_checked),
        cmocka_unit_test(a_row_has_its_data_and_no_cut_or_flipped_bit_goes_unseen),
        cmocka_unit_test_setup_teardown(edited_chunks_come_back_from_queue_and_file_with_their_data,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_chunk_larger_than_the_queue_is_saved, begin, end),
        cmocka_unit_test_setup_teardown(only_worlds_with_data_have_the_later_format, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
