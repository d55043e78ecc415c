// Readers concurrent with the writer of a store. Each chunk that a reader finds, by coordinate, by
// id, in a box, around another chunk or through a cursor, holds voxels that were once committed for
// its coordinate and revision, and keeps them until the reader's section ends. Listeners that read
// removed chunks do not change that.

#include "store/store_internal.h"
#include "testing.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <terrane/store.h>

#define READERS 3
#define SECTIONS_LEAST 200
#define COORD_COUNT 36
#define USER_BYTES 60000 ///< few headers fit in a block, so that blocks too are allocated and freed
#define LOG_MAX 200000

/// The voxels of one revision, as a hash. Written before the revision is published, never again.
typedef struct Logged {
    _Atomic(uint64_t) hash;
    _Atomic(uint64_t) places; ///< a bit for each place with these voxels
} Logged;

typedef struct World {
    TrnStore *store;
    Logged *log; ///< [LOG_MAX] by revision
    _Atomic(bool) done;
    _Atomic(uint32_t) failures, sections, seen, removed_under_readers;
    // Used by the writer only:
    TrnVoxelHeap *twin; ///< computes the hash of what is about to be committed
    uint64_t heard;     ///< received
    uint64_t revision;
    bool present[COORD_COUNT];
    TrnBlock (*blocks)[TRN_CHUNK_VOXELS]; ///< [COORD_COUNT]
} World;

/// Returns one of 27 chunks around the corner of eight pages, or of islands whose pages are created
/// and dropped.
static TrnCoord coord_of(uint32_t place)
{
    if (place < 27) {
        return (TrnCoord){(int32_t)(place % 3) - 1, (int32_t)(place / 9) - 1,
                          (int32_t)(place / 3 % 3) - 1};
    }
    const int32_t step = (int32_t)place - 26;
    return (TrnCoord){step * 100000, -step * 70000, step % 2 ? 5 : -1000000};
}

// ---- readers -----------------------------------------------------------------------------------

static void note_failure(World *world, const char *what)
{
    if (atomic_fetch_add(&world->failures, 1) < 5) {
        print_message("  %s\n", what);
    }
}

static void check_snapshot(World *world, uint32_t place, TrnSnapshot snapshot)
{
    const uint64_t revision = trn_snapshot_revision(snapshot);
    if (revision == 0 || revision >= LOG_MAX) {
        note_failure(world, "a revision that was never committed");
        return;
    }
    const Logged *logged = &world->log[revision];
    if (!(atomic_load(&logged->places) >> place & 1)) {
        note_failure(world, "a revision of another chunk");
    }
    if (trn_snapshot_hash(snapshot) != atomic_load(&logged->hash)) {
        note_failure(world, "blocks that were never committed");
    }
    atomic_fetch_add(&world->seen, 1);
}

static void check_chunk(World *world, uint32_t place, TrnChunk *chunk)
{
    const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
    if (!trn_coord_equal(chunk->coord, coord_of(place))) {
        note_failure(world, "another chunk than asked for");
    }
    check_snapshot(world, place, snapshot);
    TrnChunk *again = trn_store_chunk(world->store, chunk->id);
    if (again && again != chunk) {
        note_failure(world, "an id that names another chunk");
    }
    atomic_fetch_add(&world->removed_under_readers, !again);
    sched_yield(); // the writer continues; the snapshot stays valid
    check_snapshot(world, place, snapshot);
}

static void look_around(World *world, uint32_t place)
{
    TrnSnapshot around[27];
    const TrnCoord centre = coord_of(place);
    const uint32_t present = trn_store_snapshot_around(world->store, centre, around);
    for (uint32_t other = 0; other < 27; other++) {
        const TrnCoord at = coord_of(other);
        const int32_t x = at.x - centre.x, y = at.y - centre.y, z = at.z - centre.z;
        if (x < -1 || x > 1 || y < -1 || y > 1 || z < -1 || z > 1) {
            continue;
        }
        const uint32_t i = (uint32_t)(13 + x + 3 * z + 9 * y);
        if (present >> i & 1) {
            check_snapshot(world, other, around[i]);
        } else if (trn_snapshot_revision(around[i]) != 0) {
            note_failure(world, "an absent neighbour with a revision");
        }
    }
}

static void look_at_boxes(World *world)
{
    TrnChunk *chunks[64], *six[TRN_FACE_COUNT];
    const size_t count =
        trn_store_gather(world->store, trn_box_around((TrnCoord){0, 0, 0}, 1, 1, 1), chunks, 64);
    for (size_t i = 0; i < count && i < 64; i++) {
        const TrnCoord at = chunks[i]->coord;
        if (at.x < -1 || at.x > 1 || at.y < -1 || at.y > 1 || at.z < -1 || at.z > 1) {
            note_failure(world, "a gathered chunk outside the box");
            continue;
        }
        check_chunk(world, (uint32_t)(13 + at.x + 3 * at.z + 9 * at.y), chunks[i]);
    }
    trn_store_neighbours(world->store, (TrnCoord){0, 0, 0}, six);
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const TrnCoord at = trn_coord_neighbour((TrnCoord){0, 0, 0}, (TrnFace)face);
        if (six[face]) {
            check_chunk(world, (uint32_t)(13 + at.x + 3 * at.z + 9 * at.y), six[face]);
        }
    }
}

/// Reads through a cursor, and asks whether a box is loaded; another call may contradict that a
/// moment later.
static void look_through_cursor(World *world, uint32_t place)
{
    const TrnVoxel low = trn_coord_voxel(coord_of(place));
    const TrnVoxel high = {low.x + 31, low.y + 31, low.z + 31};
    TrnCursor cursor = trn_cursor(world->store);
    const TrnVoxels *voxels = trn_cursor_find(&cursor, low);
    if (voxels) {
        check_snapshot(world, place, trn_voxels_snapshot(voxels));
        if (trn_cursor_find(&cursor, high) != voxels) {
            note_failure(world, "a cursor that left its chunk");
        }
        (void)trn_cursor_get(&cursor, high, TRN_BLOCK_AIR);
    }
    (void)trn_store_box_has(world->store, low, high, TRN_PLANE_PRESENT);
}

/// A revision that is complete before a snapshot is taken is not newer than one read later.
static void look_at_revision(World *world, uint32_t place)
{
    const uint64_t before = trn_store_revision(world->store);
    TrnSnapshot snapshot;
    if (trn_store_snapshot(world->store, coord_of(place), &snapshot) == TRN_RESULT_OK) {
        check_snapshot(world, place, snapshot);
    }
    if (trn_store_revision(world->store) < before) {
        note_failure(world, "a revision that went back");
    }
}

/// Runs one read section. `known` is an id from an earlier section, whose chunk and memory may have
/// been freed.
static void read_once(World *world, TestRandom *random, TrnChunkId *known)
{
    const uint32_t place = (uint32_t)test_random_range(random, 0, COORD_COUNT - 1);
    TrnSnapshot snapshot;
    TrnBlock block;
    TrnChunk *old = trn_store_chunk(world->store, *known);
    if (old && (old->id.index1 != known->index1 || old->id.generation != known->generation)) {
        note_failure(world, "an old id that names a new chunk");
    }
    TrnChunk *chunk = trn_store_find(world->store, coord_of(place));
    if (chunk) {
        *known = chunk->id;
        check_chunk(world, place, chunk);
    }
    if (trn_store_snapshot(world->store, coord_of(place), &snapshot) == TRN_RESULT_OK) {
        check_snapshot(world, place, snapshot);
    }
    const TrnResult result =
        trn_store_get_block(world->store, trn_coord_voxel(coord_of(place)), &block);
    if (result != TRN_RESULT_OK && result != TRN_RESULT_NOT_FOUND) {
        note_failure(world, "a block that cannot be read");
    }
    if (test_random_next(random) % 4 == 0) {
        look_at_boxes(world);
    }
    look_around(world, place % 27);
    look_through_cursor(world, place);
    look_at_revision(world, place);
}

typedef struct Seat {
    World *world;
    uint64_t seed;
} Seat;

static void *read_all_the_time(void *argument)
{
    const Seat *seat = argument;
    World *world = seat->world;
    TestRandom random = {seat->seed};
    TrnChunkReader *reader;
    TrnChunkId known = {0, 0};
    if (trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader) !=
        TRN_RESULT_OK) {
        note_failure(world, "no room for a reader");
        return NULL;
    }
    while (!atomic_load(&world->done)) {
        trn_chunk_index_read_begin(reader);
        read_once(world, &random, &known);
        trn_chunk_index_read_end(reader);
        atomic_fetch_add(&world->sections, 1);
    }
    trn_chunk_index_reader_destroy(reader);
    return NULL;
}

// ---- the writer --------------------------------------------------------------------------------

/// Logs the next revision of the chunks' models before a reader can see it.
/// @param place   one of the chunks' places
/// @param places  a bit for each place
static void log_next_of(World *world, uint32_t place, uint64_t places)
{
    TrnVoxels voxels = {0};
    assert_true(world->revision + 1 < LOG_MAX);
    assert_int_equal(trn_voxels_encode(world->twin, &voxels, world->blocks[place], 0),
                     TRN_RESULT_OK);
    Logged *logged = &world->log[world->revision + 1];
    atomic_store(&logged->hash, trn_snapshot_hash(trn_voxels_snapshot(&voxels)));
    atomic_store(&logged->places, places);
    trn_voxels_fill(world->twin, &voxels, TRN_BLOCK_AIR, 0);
}

static void log_next(World *world, uint32_t place)
{
    log_next_of(world, place, UINT64_C(1) << place);
}

static void assert_took_revision(World *world, const TrnChunk *chunk)
{
    assert_int_equal(trn_chunk_revision(chunk), ++world->revision);
}

/// Generates any number of types, so that chunks take every width.
static void random_blocks(TestRandom *random, TrnBlock *blocks)
{
    static const uint32_t types[] = {2, 4, 16, 200, 3000};
    const uint32_t count = types[test_random_next(random) % 5];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(test_random_next(random) % count);
    }
}

static void come_or_go(World *world, TestRandom *random, uint32_t place)
{
    TrnChunk *chunk;
    if (world->present[place]) {
        assert_int_equal(trn_store_remove(world->store, coord_of(place)), TRN_RESULT_OK);
        world->present[place] = false;
        return;
    }
    const bool is_air = test_random_next(random) % 2;
    TrnBlock *blocks = world->blocks[place];
    memset(blocks, 0, sizeof world->blocks[place]);
    if (!is_air) {
        random_blocks(random, blocks);
    }
    log_next(world, place);
    assert_int_equal(
        is_air ? trn_store_insert_uniform(world->store, coord_of(place), TRN_BLOCK_AIR, &chunk)
               : trn_store_insert_voxels(world->store, coord_of(place), blocks, &chunk),
        TRN_RESULT_OK);
    assert_took_revision(world, chunk);
    world->present[place] = true;
}

/// Sets voxels and fills a box in one edit, and commits or cancels it.
static void edit_chunk(World *world, TestRandom *random, uint32_t place, TrnChunk *chunk)
{
    static TrnBlock before[TRN_CHUNK_VOXELS];
    TrnVoxelEdit edit;
    TrnBlock *blocks = world->blocks[place];
    memcpy(before, blocks, sizeof before);
    trn_store_edit_begin(world->store, chunk, &edit);
    for (int i = 0; i < 20; i++) {
        const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
        blocks[index] = (TrnBlock)test_random_range(random, 0, 300);
        assert_int_equal(trn_voxel_edit_set(&edit, index, blocks[index]), TRN_RESULT_OK);
    }
    const uint32_t min[3] = {0, 4, 0}, max[3] = {31, 4, 31};
    const TrnBlock layer = (TrnBlock)test_random_range(random, 0, 9);
    assert_int_equal(trn_voxel_edit_fill_box(&edit, min, max, layer), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 1024; i++) {
        blocks[4 * 1024 + i] = layer;
    }
    if (test_random_next(random) % 8 == 0) {
        trn_voxel_edit_cancel(&edit);
        memcpy(blocks, before, sizeof before);
        return;
    }
    log_next(world, place);
    if (trn_store_edit_commit(world->store, &edit)) {
        assert_took_revision(world, chunk);
    }
}

static void set_one(World *world, TestRandom *random, uint32_t place, TrnChunk *chunk)
{
    const uint32_t index = (uint32_t)test_random_range(random, 0, TRN_CHUNK_VOXELS - 1);
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 20);
    TrnVoxel voxel = trn_coord_voxel(coord_of(place));
    voxel.x += index % 32;
    voxel.z += index / 32 % 32;
    voxel.y += index / 1024;
    const bool changes = world->blocks[place][index] != block;
    world->blocks[place][index] = block;
    log_next(world, place);
    assert_int_equal(trn_store_set_block(world->store, voxel, block, NULL), TRN_RESULT_OK);
    if (changes) {
        assert_took_revision(world, chunk);
    }
}

static void replace_all(World *world, TestRandom *random, uint32_t place, TrnChunk *chunk)
{
    const TrnBlock block = (TrnBlock)test_random_range(random, 0, 5);
    const bool is_fill = test_random_next(random) % 2;
    if (is_fill) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            world->blocks[place][i] = block;
        }
    } else {
        random_blocks(random, world->blocks[place]);
    }
    log_next(world, place);
    if (is_fill) {
        trn_store_fill(world->store, chunk, block);
    } else {
        assert_int_equal(trn_store_set_voxels(world->store, chunk, world->blocks[place]),
                         TRN_RESULT_OK);
    }
    assert_took_revision(world, chunk);
}

static void write_step(World *world, TestRandom *random)
{
    const uint32_t place = (uint32_t)test_random_range(random, 0, COORD_COUNT - 1);
    const uint64_t kind = test_random_next(random) % 8;
    if (!world->present[place] || kind == 0) {
        come_or_go(world, random, place);
        return;
    }
    TrnChunk *chunk = trn_store_find(world->store, coord_of(place));
    assert_non_null(chunk);
    if (kind <= 3) {
        edit_chunk(world, random, place, chunk);
    } else if (kind <= 5) {
        set_one(world, random, place, chunk);
    } else {
        replace_all(world, random, place, chunk);
    }
    assert_int_equal(trn_store_compact(world->store, chunk), TRN_RESULT_OK);
}

/// The voxels of a batch: all its chunks get the same ones.
typedef struct BatchVoxels {
    TrnBlock blocks[TRN_CHUNK_VOXELS], code[TRN_CHUNK_VOXELS];
    TrnVoxelSlot slots[COORD_COUNT];
} BatchVoxels;

static TrnStoreArrival arrival_of(World *world, uint32_t place, uint64_t form, BatchVoxels *voxels)
{
    TrnStoreArrival arrival = {.coord = coord_of(place)};
    TrnVoxelHeap *heap = trn_store_voxel_heap(world->store);
    TrnVoxelSlot *slot = &voxels->slots[place];
    memcpy(world->blocks[place], voxels->blocks, sizeof voxels->blocks);
    if (form == 0) {
        arrival.block = voxels->blocks[0];
    } else if (form == 1) {
        arrival.code = voxels->code;
    } else {
        assert_int_equal(trn_voxel_slot_take(heap, trn_voxel_code_class(voxels->code), slot),
                         TRN_RESULT_OK);
        assert_int_equal(trn_voxel_slot_fill(heap, slot, voxels->code), TRN_RESULT_OK);
        arrival.slot = slot;
    }
    return arrival;
}

static void insert_together(World *world, TestRandom *random)
{
    static BatchVoxels voxels;
    TrnStoreArrival arrivals[COORD_COUNT];
    uint64_t places = 0;
    size_t count = 0, done;
    const uint64_t form = test_random_next(random) % 3;
    const uint32_t types = form ? (uint32_t)test_random_range(random, 2, 40) : 1;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        voxels.blocks[i] = (TrnBlock)(i % types + 3);
    }
    memcpy(voxels.code, voxels.blocks, sizeof voxels.code);
    (void)trn_voxels_code(trn_store_voxel_heap(world->store), voxels.code);
    for (uint32_t place = 0; place < COORD_COUNT && count < 32; place++) { // equal revisions
        if (!world->present[place] && test_random_next(random) % 4) {
            arrivals[count++] = arrival_of(world, place, form, &voxels);
            places |= UINT64_C(1) << place;
        }
    }
    if (count == 0) {
        return;
    }
    log_next_of(world, (uint32_t)__builtin_ctzll(places), places);
    assert_int_equal(trn_store_insert_batch(world->store, arrivals, count, &done), TRN_RESULT_OK);
    assert_int_equal(done, count);
    world->revision++;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(trn_chunk_revision(arrivals[i].chunk), world->revision);
    }
    for (uint32_t place = 0; place < COORD_COUNT; place++) {
        world->present[place] |= places >> place & 1;
    }
}

static void remove_together(World *world, TestRandom *random)
{
    TrnStoreDeparture departures[COORD_COUNT];
    size_t count = 0, done;
    for (uint32_t place = 0; place < COORD_COUNT; place++) {
        if (world->present[place] && test_random_next(random) % 4) {
            departures[count++] = (TrnStoreDeparture){.coord = coord_of(place)};
            world->present[place] = false;
        }
    }
    assert_int_equal(trn_store_remove_batch(world->store, departures, count, &done), TRN_RESULT_OK);
    assert_int_equal(done, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(departures[i].result, TRN_RESULT_OK);
    }
}

/// Inserts and removes chunks in batches, with some single changes in between.
static void write_batches(World *world, TestRandom *random)
{
    const uint64_t kind = test_random_next(random) % 6;
    if (kind == 0) {
        insert_together(world, random);
    } else if (kind == 1) {
        remove_together(world, random);
    } else {
        write_step(world, random);
    }
}

/// Does what a game does on events: it reads changed chunks, and removed ones for the last time.
static TrnResult hear(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    World *world = user;
    (void)store;
    for (uint32_t i = 0; i < event->count; i++, world->heard++) {
        const TrnChunk *chunk = event->chunks[i].chunk;
        if (!chunk || event->count > COORD_COUNT || event->chunks[i].around == 0) {
            note_failure(world, "an event without a chunk");
            return TRN_RESULT_OK;
        }
        for (uint32_t place = 0; place < COORD_COUNT; place++) {
            if (trn_coord_equal(coord_of(place), chunk->coord)) {
                check_snapshot(world, place, trn_voxels_snapshot(&chunk->voxels));
            }
        }
    }
    return TRN_RESULT_OK;
}

static World *world_create(void)
{
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->log = calloc(LOG_MAX, sizeof *world->log);
    world->blocks = calloc(COORD_COUNT, sizeof *world->blocks);
    assert_non_null(world->log);
    assert_non_null(world->blocks);
    TrnStoreDef def = trn_store_def();
    def.user_bytes = USER_BYTES;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_store_subscribe(world->store, 7, hear, world), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_heap_create(NULL, &world->twin), TRN_RESULT_OK);
    return world;
}

static void world_destroy(World *world)
{
    trn_store_destroy(world->store);
    trn_voxel_heap_destroy(world->twin);
    free(world->log);
    free(world->blocks);
    free(world);
}

/// @param write  makes one step of the writer
static void write_with_readers(void (*write)(World *world, TestRandom *random), uint64_t seed)
{
    TestRandom random = test_random_seeded(seed);
    World *world = world_create();
    pthread_t threads[READERS];
    Seat seats[READERS];
    for (int i = 0; i < READERS; i++) {
        seats[i] = (Seat){world, test_random_next(&random)};
        assert_int_equal(pthread_create(&threads[i], NULL, read_all_the_time, &seats[i]), 0);
    }
    uint32_t retired_most = 0;
    const uint32_t steps = test_rounds(8000, 300), turn = steps / 8;
    for (uint32_t step = 0; step < steps || atomic_load(&world->sections) < SECTIONS_LEAST;
         step++) {
        write(world, &random);
        // Listeners retire memory too: run with and without one.
        if (step % (2 * turn) == turn - 1) {
            assert_int_equal(trn_store_unsubscribe(world->store, hear, world), TRN_RESULT_OK);
        } else if (step % (2 * turn) == 2 * turn - 1) {
            assert_int_equal(trn_store_subscribe(world->store, 7, hear, world), TRN_RESULT_OK);
        }
        const uint32_t retired = trn_store_stats(world->store).retired_payloads;
        retired_most = retired > retired_most ? retired : retired_most;
    }
    atomic_store(&world->done, true);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    print_message("  %u sections, %u snapshots held against %llu revisions, %u chunks removed "
                  "under their reader, at most %u "
                  "payloads retired\n",
                  atomic_load(&world->sections), atomic_load(&world->seen),
                  (unsigned long long)world->revision, atomic_load(&world->removed_under_readers),
                  retired_most);
    assert_int_equal(atomic_load(&world->failures), 0);
    assert_true(atomic_load(&world->seen) > steps / 8 && world->heard > steps / 8);
    trn_chunk_index_reclaim(trn_store_index(world->store)); // no reader is left
    const TrnStoreStats stats = trn_store_stats(world->store);
    uint32_t present = 0;
    for (uint32_t place = 0; place < COORD_COUNT; place++) {
        present += world->present[place];
    }
    assert_int_equal(stats.chunks, present);
    assert_int_equal(trn_pool_stats(trn_store_pool(world->store)).taken, present);
    assert_int_equal(stats.retired_chunks, 0);
    assert_int_equal(stats.retired_payloads, 0);
    assert_int_equal(stats.retired_bytes, 0);
    world_destroy(world);
}

static void every_snapshot_was_committed_for_its_chunk(void **state)
{
    (void)state;
    write_with_readers(write_step, 31);
}

static void every_snapshot_of_a_batch_was_committed(void **state)
{
    (void)state;
    write_with_readers(write_batches, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_snapshot_was_committed_for_its_chunk),
        cmocka_unit_test(every_snapshot_of_a_batch_was_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
