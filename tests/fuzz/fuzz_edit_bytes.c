/// Edits of voxels as other programs of a shared world send them. Bytes are refused, or each run is
/// of its chunk and each block of these types; the edit, written and read again, is the same.
/// Memory follows from the size of the bytes, whatever they count.
#include "fuzz.h"

#include "shared/edit_bytes.h"

#define BYTES_ALWAYS ((size_t)3 << 16) // blocks of 65,535 names, and small arrays
#define BYTES_EACH 8u                  // for a byte of the input: arrays grow by doubling

/// Counts what is allocated.
typedef struct EditMemory {
    TrnAllocator system;
    size_t bytes, bytes_max;
} EditMemory;

static void *take(size_t size, size_t alignment, void *user)
{
    EditMemory *memory = user;
    memory->bytes += size;
    FUZZ_REQUIRE(memory->bytes <= memory->bytes_max);
    return memory->system.alloc(size, alignment, memory->system.user);
}

static void give(void *pointer, size_t size, void *user)
{
    EditMemory *memory = user;
    FUZZ_REQUIRE(size <= memory->bytes);
    memory->bytes -= size;
    memory->system.free(pointer, size, memory->system.user);
}

static const TrnBlockTypes *builtin_types(void)
{
    static TrnBlockTypes *types;
    if (!types) {
        FUZZ_REQUIRE(trn_block_types_create_builtin(NULL, &types) == TRN_RESULT_OK);
    }
    return types;
}

static void check_edit(const TrnEdit *edit)
{
    uint32_t first = 0, data = 0;
    for (uint32_t i = 0; i < edit->chunks.count; i++) {
        const TrnEditChunk *chunk = &edit->chunks.items[i];
        FUZZ_REQUIRE(chunk->first == first && chunk->count + chunk->data_count > 0);
        FUZZ_REQUIRE(!chunk->data_count || chunk->data_first == data);
        first += chunk->count;
        data += chunk->data_count;
    }
    FUZZ_REQUIRE(first == edit->runs.count && data == edit->data.count);
    for (uint32_t i = 0; i < edit->data.count; i++) {
        const TrnEditData *of = &edit->data.items[i];
        FUZZ_REQUIRE(of->index < TRN_CHUNK_VOXELS && of->rule < TRN_DATA_RULE_COUNT);
        FUZZ_REQUIRE((uint64_t)of->at + of->size <= edit->bytes.count);
    }
    for (uint32_t i = 0; i < edit->runs.count; i++) {
        const TrnPendingRun *run = &edit->runs.items[i];
        FUZZ_REQUIRE(run->first <= run->last && run->last < TRN_CHUNK_VOXELS);
        FUZZ_REQUIRE(trn_block_types_get(builtin_types(), run->block));
    }
}

static void check_equal(const TrnEdit *one, const TrnEdit *other)
{
    FUZZ_REQUIRE(one->chunks.count == other->chunks.count && one->runs.count == other->runs.count);
    for (uint32_t i = 0; i < one->chunks.count; i++) {
        const TrnEditChunk *a = &one->chunks.items[i], *b = &other->chunks.items[i];
        FUZZ_REQUIRE(trn_coord_equal(a->coord, b->coord) && a->first == b->first);
    }
    FUZZ_REQUIRE(one->data.count == other->data.count && one->bytes.count == other->bytes.count);
    for (uint32_t i = 0; i < one->runs.count; i++) {
        const TrnPendingRun *a = &one->runs.items[i], *b = &other->runs.items[i];
        FUZZ_REQUIRE(a->first == b->first && a->last == b->last && a->block == b->block);
    }
}

/// Writes an edit, and reads it.
static void check_round_trip(const TrnEdit *edit)
{
    const TrnAllocator allocator = trn_allocator_default();
    TrnBytes bytes = {0};
    TrnEdit again = {.chunks = {0}};
    FUZZ_REQUIRE(trn_edit_write(edit, builtin_types(), &allocator, &bytes) == TRN_RESULT_OK);
    FUZZ_REQUIRE(trn_edit_read(bytes.items, bytes.count, builtin_types(), &allocator, &again) ==
                 TRN_RESULT_OK);
    check_equal(edit, &again);
    trn_edit_free(&again, &allocator);
    // Each byte counts: without the last, it is no edit.
    FUZZ_REQUIRE(trn_edit_read(bytes.items, bytes.count - 1, builtin_types(), &allocator, &again) ==
                 TRN_RESULT_CORRUPT);
    trn_array_free(&bytes, &allocator);
}

int fuzz_edit_bytes(const uint8_t *bytes, size_t size);

int fuzz_edit_bytes(const uint8_t *bytes, size_t size)
{
    EditMemory memory = {.system = trn_allocator_default(),
                         .bytes_max = BYTES_ALWAYS + BYTES_EACH * size};
    const TrnAllocator allocator = {.alloc = take, .free = give, .user = &memory};
    TrnEdit edit = {.chunks = {0}};
    const TrnResult result = trn_edit_read(bytes, size, builtin_types(), &allocator, &edit);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT ||
                 result == TRN_RESULT_NOT_FOUND);
    if (result == TRN_RESULT_OK) {
        check_edit(&edit);
        check_round_trip(&edit);
        trn_edit_free(&edit, &allocator);
    }
    FUZZ_REQUIRE(memory.bytes == 0);
    return 0;
}
