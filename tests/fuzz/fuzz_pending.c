/// Stored pending edits: each input is a value, as it is and with its checksum mended. Nothing but
/// damage is reported, and what becomes pending is stored and read as it was.
#include "fuzz.h"

#include <terrane/batch.h>
#include <terrane/save.h>
#include <xxhash.h>

#include "base/number.h"

#define NAME "terrane/pending/1,-2,3"

static const TrnCoord coord = {1, -2, 3};

/// A world without a thread in a storage that outlives it.
typedef struct PendingFuzz {
    TrnStorage memory;
    TrnBlockTypes *types;
    TrnSave *save;
    TrnStore *store;
} PendingFuzz;

/// Leaves the storage open: its owner closes it.
static void keep_open(void *user)
{
    (void)user;
}

static void open_world(PendingFuzz *fuzz)
{
    TrnSaveDef def = trn_save_def();
    TrnStoreDef store = trn_store_def();
    FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &fuzz->types) == TRN_RESULT_OK);
    def.types = store.types = fuzz->types;
    def.storage = fuzz->memory;
    def.storage.close = keep_open;
    def.has_thread = false;
    FUZZ_REQUIRE(trn_save_create(&def, &fuzz->save, NULL) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_store_create(&store, &fuzz->store) == TRN_RESULT_OK);
}

/// Closes the save; store and types stay until free_world.
static void close_save(PendingFuzz *fuzz)
{
    FUZZ_REQUIRE(trn_save_destroy(fuzz->save) == TRN_RESULT_OK);
}

static void free_world(PendingFuzz *fuzz)
{
    trn_store_destroy(fuzz->store);
    trn_block_types_destroy(fuzz->types);
}

/// Loads what is stored. @return how many runs are pending then
static size_t load(PendingFuzz *fuzz)
{
    const TrnResult result = trn_save_load_pending(fuzz->save, fuzz->store);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_FULL);
    return trn_pending_get(fuzz->store, coord, NULL, 0);
}

/// Inserts the chunk, to which the edits are applied.
static void apply(PendingFuzz *fuzz, TrnBlock *blocks)
{
    TrnChunk *chunk;
    FUZZ_REQUIRE(trn_store_insert_uniform(fuzz->store, coord, TRN_BLOCK_STONE, &chunk) ==
                 TRN_RESULT_OK);
    trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), blocks);
}

/// Loads what the first world has stored into a second one. Runs may be merged, and blocks have
/// other ids, but the chunk is the same.
static void expect_same(PendingFuzz *first)
{
    static TrnBlock one[TRN_CHUNK_VOXELS], other[TRN_CHUNK_VOXELS];
    PendingFuzz second = {.memory = first->memory};
    open_world(&second);
    FUZZ_REQUIRE(load(&second) > 0);
    apply(first, one);
    apply(&second, other);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        FUZZ_REQUIRE(one[i] == other[i] ||
                     strcmp(trn_block_types_get(first->types, one[i])->name,
                            trn_block_types_get(second.types, other[i])->name) == 0);
    }
    close_save(&second);
    free_world(&second);
}

static void try_value(const uint8_t *bytes, size_t size)
{
    PendingFuzz fuzz = {0};
    TrnSaveEvent event;
    const TrnStorageValue value = {NAME, bytes, size};
    const TrnStorageBatch batch = {.values = &value, .value_count = 1};
    FUZZ_REQUIRE(trn_storage_memory(NULL, &fuzz.memory) == TRN_RESULT_OK);
    FUZZ_REQUIRE(fuzz.memory.put(fuzz.memory.user, &batch) == TRN_RESULT_OK);
    open_world(&fuzz);
    const size_t runs = load(&fuzz);
    while (trn_save_next_event(fuzz.save, &event)) {
        FUZZ_REQUIRE(event.kind == TRN_SAVE_EVENT_DAMAGED && runs == 0);
    }
    if (runs > 0) {
        FUZZ_REQUIRE(trn_save_pending(fuzz.save, fuzz.store) == TRN_RESULT_OK);
    }
    close_save(&fuzz);
    if (runs > 0) {
        expect_same(&fuzz);
    }
    free_world(&fuzz);
    fuzz.memory.close(fuzz.memory.user);
}

int fuzz_pending(const uint8_t *bytes, size_t size);

int fuzz_pending(const uint8_t *bytes, size_t size)
{
    try_value(bytes, size);
    uint8_t *mended = malloc(size + 1);
    FUZZ_REQUIRE(mended);
    memcpy(mended, bytes, size);
    if (size >= 8) {
        trn_number_write(mended, XXH3_64bits(mended + 8, size - 8), 8);
        try_value(mended, size);
    }
    free(mended);
    return 0;
}
