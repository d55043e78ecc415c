/// The store against plain arrays: inserts, removals, edits, batches, eviction, pins and readers,
/// while listeners change the store from within its events, a mirror follows the events alone, and
/// memory runs out.
#include "fuzz_voxels.h"
#include "store_memory.h"

#include <terrane/batch.h>

enum { SITES = 12, DEPTH_MAX = 3 };

/// A coordinate, and what the store should have there.
typedef struct Site {
    bool is_loaded;
    uint32_t pins;
    uint64_t revision;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} Site;

typedef struct StoreFuzz {
    FuzzProgram program;
    TestAllocator memory;
    TrnStore *store;
    TrnChunkReader *reader;
    bool is_reading, is_mirrored, has_chunk_max;
    uint32_t armed;  ///< steps that listeners take at the next events
    uint32_t depth;  ///< of listeners within listeners
    uint32_t nested; ///< steps that listeners have taken
    Mirror mirror;
    Site sites[SITES];
} StoreFuzz;

/// Most sites are adjacent, across the border of a page; some are far away.
static TrnCoord coord_of(uint32_t site)
{
    static const TrnCoord coords[SITES] = {{7, 7, 7},
                                           {8, 7, 7},
                                           {7, 8, 7},
                                           {8, 8, 7},
                                           {7, 7, 8},
                                           {8, 7, 8},
                                           {7, 8, 8},
                                           {8, 8, 8},
                                           {9, 8, 8},
                                           {INT32_MAX, INT32_MIN, 0},
                                           {INT32_MIN, INT32_MIN, 0},
                                           {-100000, 0, 100000}};
    return coords[site];
}

static TrnChunk *chunk_of(const StoreFuzz *fuzz, uint32_t site)
{
    return trn_store_find(fuzz->store, coord_of(site));
}

static uint32_t choose(StoreFuzz *fuzz)
{
    return fuzz_below(&fuzz->program, SITES);
}

static bool may_fail(const StoreFuzz *fuzz)
{
    return fuzz->memory.fail_at || fuzz->memory.bytes_max || fuzz->has_chunk_max ||
           fuzz->is_reading;
}

/// Checks that a result is OK, or says that there is no memory where that may be.
static bool is_done(const StoreFuzz *fuzz, TrnResult result)
{
    const bool is_refusal =
        result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL || result == TRN_RESULT_READERS;
    FUZZ_REQUIRE(result == TRN_RESULT_OK || (is_refusal && may_fail(fuzz)));
    return result == TRN_RESULT_OK;
}

// ---- the model ---------------------------------------------------------------------------------

/// Takes over what the store has.
static void read_site(StoreFuzz *fuzz, uint32_t number)
{
    Site *site = &fuzz->sites[number];
    TrnChunk *chunk = chunk_of(fuzz, number);
    FUZZ_REQUIRE(chunk || site->pins == 0);
    site->is_loaded = chunk != NULL;
    site->revision = chunk ? trn_chunk_revision(chunk) : 0;
    if (chunk) {
        trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), site->blocks);
    }
}

static void read_all(StoreFuzz *fuzz)
{
    for (uint32_t i = 0; i < SITES; i++) {
        read_site(fuzz, i);
    }
}

/// Whether listeners changed the store meanwhile. The model then takes over what the store has.
static bool was_reentered(StoreFuzz *fuzz, uint32_t nested)
{
    if (fuzz->nested == nested) {
        return false;
    }
    read_all(fuzz);
    return true;
}

/// Notes that a chunk was changed, and checks its revision.
static void note_change(StoreFuzz *fuzz, uint32_t number)
{
    const uint64_t revision = trn_chunk_revision(chunk_of(fuzz, number));
    FUZZ_REQUIRE(revision >= fuzz->sites[number].revision);
    FUZZ_REQUIRE(revision <= trn_store_revision(fuzz->store));
    fuzz->sites[number].revision = revision;
}

static void note_insert(StoreFuzz *fuzz, uint32_t number, const FuzzPattern *pattern)
{
    fuzz->sites[number].is_loaded = true;
    fuzz_fill(pattern, fuzz->sites[number].blocks);
    note_change(fuzz, number);
}

// ---- steps -------------------------------------------------------------------------------------

static void insert(StoreFuzz *fuzz)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    const bool was_loaded = fuzz->sites[number].is_loaded;
    FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    TrnResult result;
    if (pattern.types == 1) {
        result =
            trn_store_insert_uniform(fuzz->store, coord_of(number), (TrnBlock)pattern.first, NULL);
    } else {
        fuzz_fill(&pattern, blocks);
        result = trn_store_insert_voxels(fuzz->store, coord_of(number), blocks, NULL);
    }
    if (was_loaded) {
        FUZZ_REQUIRE(result == TRN_RESULT_EXISTS);
    } else if (is_done(fuzz, result) && !was_reentered(fuzz, nested)) {
        note_insert(fuzz, number, &pattern);
    }
}

static void remove_one(StoreFuzz *fuzz)
{
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    Site *site = &fuzz->sites[number];
    const TrnResult result = trn_store_remove(fuzz->store, coord_of(number));
    if (!site->is_loaded && fuzz->nested == nested) {
        FUZZ_REQUIRE(result == TRN_RESULT_NOT_FOUND);
    } else if (site->pins && fuzz->nested == nested) {
        FUZZ_REQUIRE(result == TRN_RESULT_BUSY);
    } else if (is_done(fuzz, result) && !was_reentered(fuzz, nested)) {
        site->is_loaded = false;
        site->revision = 0;
    }
}

static void set_block(StoreFuzz *fuzz)
{
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    const uint32_t at = fuzz_number(&fuzz->program, 2) % TRN_CHUNK_VOXELS;
    const TrnBlock block = fuzz_block(&fuzz->program);
    Site *site = &fuzz->sites[number];
    const bool was_loaded = site->is_loaded, differs = site->blocks[at] != block;
    TrnVoxel voxel = trn_coord_voxel(coord_of(number));
    voxel.x += at & 31;
    voxel.y += at >> 10;
    voxel.z += at >> 5 & 31;
    bool is_changed = false;
    const TrnResult result = trn_store_set_block(fuzz->store, voxel, block, &is_changed);
    if (!was_loaded) {
        FUZZ_REQUIRE(result == TRN_RESULT_NOT_FOUND);
    } else if (is_done(fuzz, result) && !was_reentered(fuzz, nested)) {
        FUZZ_REQUIRE(is_changed == differs);
        site->blocks[at] = block;
        note_change(fuzz, number);
    }
}

static void fill(StoreFuzz *fuzz)
{
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    const FuzzPattern pattern = {.first = fuzz_block(&fuzz->program), .types = 1, .run = 1};
    TrnChunk *chunk = chunk_of(fuzz, number);
    if (chunk) {
        FUZZ_REQUIRE(trn_store_fill(fuzz->store, chunk, (TrnBlock)pattern.first) == TRN_RESULT_OK);
        if (!was_reentered(fuzz, nested)) {
            note_insert(fuzz, number, &pattern);
        }
    }
}

static void set_voxels(StoreFuzz *fuzz)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    const FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    TrnChunk *chunk = chunk_of(fuzz, number);
    fuzz_fill(&pattern, blocks);
    if (chunk && is_done(fuzz, trn_store_set_voxels(fuzz->store, chunk, blocks)) &&
        !was_reentered(fuzz, nested)) {
        note_insert(fuzz, number, &pattern);
    }
}

/// Changes some boxes of a chunk by one edit, which is committed or cancelled.
static void edit(StoreFuzz *fuzz)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t number = choose(fuzz), nested = fuzz->nested;
    TrnChunk *chunk = chunk_of(fuzz, number);
    TrnVoxelEdit open;
    if (!chunk) {
        return;
    }
    memcpy(blocks, fuzz->sites[number].blocks, sizeof blocks);
    FUZZ_REQUIRE(trn_store_edit_begin(fuzz->store, chunk, &open) == TRN_RESULT_OK);
    for (uint32_t i = fuzz_below(&fuzz->program, 4); i > 0; i--) {
        uint32_t min[3], max[3];
        fuzz_box(&fuzz->program, TRN_CHUNK_EDGE, min, max);
        const TrnBlock block = fuzz_block(&fuzz->program);
        const bool is_written = is_done(fuzz, trn_voxel_edit_fill_box(&open, min, max, block));
        for (uint32_t v = 0; is_written && v < TRN_CHUNK_VOXELS; v++) {
            const uint32_t x = v & 31, y = v >> 10, z = v >> 5 & 31;
            const bool is_inside = x >= min[0] && x <= max[0] && y >= min[1] && y <= max[1] &&
                                   z >= min[2] && z <= max[2];
            blocks[v] = is_inside ? block : blocks[v];
        }
    }
    if (fuzz_below(&fuzz->program, 4) == 0) {
        trn_voxel_edit_cancel(&open);
    } else if (trn_store_edit_commit(fuzz->store, &open) && !was_reentered(fuzz, nested)) {
        memcpy(fuzz->sites[number].blocks, blocks, sizeof blocks);
        note_change(fuzz, number);
    }
}

/// Sets one voxel in each of some chunks by one batch, which is committed or cancelled.
static void batch(StoreFuzz *fuzz)
{
    const uint32_t nested = fuzz->nested, count = fuzz_below(&fuzz->program, 8);
    const TrnBlock block = fuzz_block(&fuzz->program);
    TrnBatchDef def = trn_batch_def();
    TrnBatch *batch;
    uint32_t numbers[8];
    def.unloaded = TRN_UNLOADED_SKIP;
    if (!is_done(fuzz, trn_batch_begin(fuzz->store, &def, &batch))) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = choose(fuzz);
        (void)trn_batch_set(batch, trn_coord_voxel(coord_of(numbers[i])), block);
    }
    if (fuzz_below(&fuzz->program, 4) == 0) {
        trn_batch_cancel(batch);
        return;
    }
    if (!is_done(fuzz, trn_batch_commit(batch, NULL)) || was_reentered(fuzz, nested)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (fuzz->sites[numbers[i]].is_loaded) {
            fuzz->sites[numbers[i]].blocks[0] = block;
            note_change(fuzz, numbers[i]);
        }
    }
}

static void compact(StoreFuzz *fuzz)
{
    TrnChunk *chunk = chunk_of(fuzz, choose(fuzz));
    if (chunk) {
        (void)is_done(fuzz, trn_store_compact(fuzz->store, chunk));
    }
}

static void pin(StoreFuzz *fuzz)
{
    const uint32_t number = choose(fuzz);
    TrnChunk *chunk = chunk_of(fuzz, number);
    if (chunk && fuzz_below(&fuzz->program, 2)) {
        trn_store_pin(fuzz->store, chunk);
        fuzz->sites[number].pins++;
    } else if (chunk && fuzz->sites[number].pins) {
        trn_store_unpin(fuzz->store, chunk);
        fuzz->sites[number].pins--;
    }
}

static void touch(StoreFuzz *fuzz)
{
    TrnChunk *chunks[4];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        TrnChunk *chunk = chunk_of(fuzz, choose(fuzz));
        chunks[count] = chunk;
        count += chunk != NULL;
    }
    trn_store_touch(fuzz->store, chunks, count);
}

/// Evicts by revision; some chunks never.
static double order_of(const TrnChunk *chunk, void *user)
{
    const double sign = *(const int *)user;
    return sign * (double)trn_chunk_revision(chunk);
}

static void evict(StoreFuzz *fuzz)
{
    const uint32_t kind = fuzz_number(&fuzz->program, 1), nested = fuzz->nested;
    int sign = kind & 1 ? 1 : -1;
    uint32_t evicted = 99, gone = 0;
    const TrnEviction eviction = {.bytes = kind & 2 ? 1 : 0,
                                  .used_bytes = kind & 4 ? 200000 : 0,
                                  .count_max = kind >> 3 & 3,
                                  .order = kind & 32 ? order_of : NULL,
                                  .user = &sign};
    const TrnResult result = trn_store_evict(fuzz->store, &eviction, &evicted);
    if (was_reentered(fuzz, nested)) {
        return;
    }
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_FULL ||
                 result == TRN_RESULT_READERS || result == TRN_RESULT_BAD_ARGUMENT ||
                 result == TRN_RESULT_NO_MEMORY);
    for (uint32_t i = 0; i < SITES; i++) {
        const bool was_loaded = fuzz->sites[i].is_loaded;
        read_site(fuzz, i);
        gone += was_loaded && !fuzz->sites[i].is_loaded;
    }
    FUZZ_REQUIRE(evicted == gone && (!eviction.count_max || gone <= eviction.count_max));
    FUZZ_REQUIRE(!eviction.order || sign > 0 || gone == 0);
}

static void trim(StoreFuzz *fuzz)
{
    trn_store_trim(fuzz->store);
}

static void read_or_leave(StoreFuzz *fuzz)
{
    (fuzz->is_reading ? trn_chunk_index_read_end : trn_chunk_index_read_begin)(fuzz->reader);
    fuzz->is_reading = !fuzz->is_reading;
}

static void fail_some(StoreFuzz *fuzz)
{
    const uint32_t at = fuzz_below(&fuzz->program, 6);
    test_fail(&fuzz->memory, at, at + fuzz_below(&fuzz->program, 8));
}

static void cap(StoreFuzz *fuzz)
{
    const uint32_t more = fuzz_below(&fuzz->program, 8);
    fuzz->memory.bytes_max = more ? fuzz->memory.live_bytes + (size_t)(more - 1) * 20000 : 0;
    trn_store_set_bytes_max(fuzz->store, fuzz->memory.bytes_max);
}

/// Lets listeners take some steps.
static void arm(StoreFuzz *fuzz)
{
    fuzz->armed = fuzz_below(&fuzz->program, 6);
}

/// Subscribes the mirror, or removes it. Not from within an event: it must hear all from now on.
static void mirror(StoreFuzz *fuzz)
{
    Mirror *const mirror = &fuzz->mirror;
    if (fuzz->depth) {
        return;
    }
    if (fuzz->is_mirrored) {
        FUZZ_REQUIRE(trn_store_unsubscribe(fuzz->store, mirror_listen, mirror) == TRN_RESULT_OK);
        fuzz->is_mirrored = false;
        return;
    }
    memset(mirror, 0, sizeof *mirror);
    mirror_catch_up(mirror, fuzz->store, 0);
    mirror->told = mirror->told_before = trn_store_revision(fuzz->store);
    mirror->fail_every = fuzz_below(&fuzz->program, 4);
    fuzz->is_mirrored = is_done(fuzz, trn_store_subscribe(fuzz->store, 7, mirror_listen, mirror));
}

// ---- checks ------------------------------------------------------------------------------------

/// Compares the chunks that changed after a revision.
static void check_changed(StoreFuzz *fuzz)
{
    TrnChunk *changed[SITES + 1];
    const uint64_t last = trn_store_revision(fuzz->store), back = fuzz_below(&fuzz->program, 20);
    const uint64_t since = last > back ? last - back : 0;
    const size_t count = trn_store_changed_since(fuzz->store, since, changed, SITES + 1);
    size_t expected = 0;
    for (uint32_t i = 0; i < SITES; i++) {
        expected += fuzz->sites[i].is_loaded && fuzz->sites[i].revision > since;
    }
    FUZZ_REQUIRE(count == expected);
    for (size_t i = 1; i < count; i++) {
        FUZZ_REQUIRE(trn_chunk_revision(changed[i - 1]) <= trn_chunk_revision(changed[i]));
    }
}

static void look(StoreFuzz *fuzz)
{
    const uint32_t number = choose(fuzz);
    const Site *site = &fuzz->sites[number];
    TrnSnapshot around[TRN_AROUND_COUNT];
    const TrnExplanation why = trn_store_explain(fuzz->store, coord_of(number));
    FUZZ_REQUIRE((why.state == TRN_CHUNK_STATE_LOADED) == site->is_loaded);
    FUZZ_REQUIRE(why.pins == site->pins && *why.sentence);
    const uint32_t loaded = trn_store_snapshot_around(fuzz->store, coord_of(number), around);
    for (uint32_t i = 0; i < SITES; i++) {
        for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
            if (trn_coord_equal(trn_coord_around(coord_of(number), place), coord_of(i))) {
                FUZZ_REQUIRE((loaded >> place & 1) == fuzz->sites[i].is_loaded);
            }
        }
    }
    check_changed(fuzz);
}

static void check(StoreFuzz *fuzz)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnChunk *chunks[SITES];
    uint32_t loaded = 0;
    for (uint32_t i = 0; i < SITES; i++) {
        const TrnChunk *chunk = chunk_of(fuzz, i);
        FUZZ_REQUIRE((chunk != NULL) == fuzz->sites[i].is_loaded);
        if (chunk) {
            FUZZ_REQUIRE(trn_chunk_revision(chunk) == fuzz->sites[i].revision);
            trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), blocks);
            FUZZ_REQUIRE(memcmp(blocks, fuzz->sites[i].blocks, sizeof blocks) == 0);
            FUZZ_REQUIRE(trn_store_chunk(fuzz->store, chunk->id) == chunk);
            loaded++;
        }
    }
    FUZZ_REQUIRE(trn_store_stats(fuzz->store).chunks == loaded);
    FUZZ_REQUIRE(trn_store_gather(fuzz->store, trn_box_everything(), chunks, SITES) == loaded);
    check_figures(fuzz->store, &fuzz->memory);
}

static void step(StoreFuzz *fuzz)
{
    static void (*const steps[])(StoreFuzz *) = {
        insert, insert, insert, insert, remove_one,    remove_one, set_block, set_block, fill,
        edit,   edit,   batch,  batch,  set_voxels,    compact,    pin,       touch,     evict,
        trim,   arm,    arm,    mirror, read_or_leave, fail_some,  cap,       look};
    steps[fuzz_below(&fuzz->program, sizeof steps / sizeof *steps)](fuzz);
}

/// Changes the store from within an event.
static TrnResult listen(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    StoreFuzz *fuzz = user;
    FUZZ_REQUIRE(store == fuzz->store && event->count >= 1);
    if (fuzz->armed == 0 || fuzz->depth == DEPTH_MAX) {
        return TRN_RESULT_OK;
    }
    fuzz->armed--;
    fuzz->depth++;
    fuzz->nested++;
    read_all(fuzz); // the change that the event tells is not noted yet
    step(fuzz);
    fuzz->depth--;
    return fuzz_below(&fuzz->program, 8) ? TRN_RESULT_OK : TRN_RESULT_IO;
}

// ---- the whole ---------------------------------------------------------------------------------

static void create(StoreFuzz *fuzz)
{
    const TrnAllocator allocator = test_allocator(&fuzz->memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    def.hash_key = 1;
    def.chunk_max = fuzz_below(&fuzz->program, 4) == 0 ? 5 : 0;
    def.user_bytes = fuzz_below(&fuzz->program, 100);
    fuzz->has_chunk_max = def.chunk_max > 0;
    FUZZ_REQUIRE(trn_store_create(&def, &fuzz->store) == TRN_RESULT_OK);
    fuzz->reader = reader_of(fuzz->store, "fuzz");
    FUZZ_REQUIRE(trn_store_subscribe(fuzz->store, 7, listen, fuzz) == TRN_RESULT_OK);
}

/// Lets the mirror catch up by a change, and compares it.
static void check_mirror_at_end(StoreFuzz *fuzz)
{
    const TrnCoord coord = {-5, -5, -5};
    fuzz->mirror.fail_every = 0;
    if (fuzz->is_mirrored &&
        is_done(fuzz, trn_store_insert_uniform(fuzz->store, coord, TRN_BLOCK_AIR, NULL))) {
        mirror_check(&fuzz->mirror, fuzz->store);
    }
}

int fuzz_store(const uint8_t *bytes, size_t size);

int fuzz_store(const uint8_t *bytes, size_t size)
{
    static StoreFuzz fuzz;
    memset(&fuzz, 0, sizeof fuzz);
    fuzz.program = fuzz_program(bytes, size);
    create(&fuzz);
    for (int i = 0; i < 200 && fuzz_has_more(&fuzz.program); i++) {
        step(&fuzz);
    }
    check(&fuzz);
    test_fail(&fuzz.memory, 0, 0);
    if (fuzz.is_reading) {
        read_or_leave(&fuzz);
    }
    fuzz.armed = 0;
    check_mirror_at_end(&fuzz);
    trn_store_destroy(fuzz.store);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
