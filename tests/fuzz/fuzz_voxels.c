/// Voxels of three chunks against plain arrays: edits of every kind, codes with any header, and
/// memory that runs out.
#include "fuzz_voxels.h"
#include "voxels/heap_fixture.h"

typedef struct VoxelFuzz {
    FuzzProgram program;
    TestAllocator memory;
    const TestBits *bits;
    TrnVoxelHeap *heap;
    TestChunk chunks[CHUNKS];
    bool is_wide[CHUNKS]; ///< memory was short when it should have become narrower
    uint64_t revision;
    TrnBlock work[TRN_CHUNK_VOXELS]; ///< of the chunk that is edited
} VoxelFuzz;

static bool is_short(TrnResult result)
{
    return result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_FULL;
}

static bool may_fail(const VoxelFuzz *fuzz)
{
    return fuzz->memory.fail_at != 0 || trn_voxel_heap_stats(fuzz->heap).bytes_max != 0;
}

static void edit_set(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    const uint32_t at = fuzz_number(&fuzz->program, 2) % TRN_CHUNK_VOXELS;
    const TrnBlock block = fuzz_block(&fuzz->program);
    FUZZ_REQUIRE(trn_voxel_edit_get(edit, at) == fuzz->work[at]);
    const TrnResult result = trn_voxel_edit_set(edit, at, block);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    fuzz->work[at] = result == TRN_RESULT_OK ? block : fuzz->work[at];
}

static void edit_box(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    uint32_t min[3], max[3];
    fuzz_box(&fuzz->program, TRN_CHUNK_EDGE, min, max);
    const TrnBlock block = fuzz_block(&fuzz->program);
    const TrnResult result = trn_voxel_edit_fill_box(edit, min, max, block);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    if (result == TRN_RESULT_OK) {
        model_fill(fuzz->work, min, max, block);
    }
}

static void edit_mask(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    static uint32_t mask[TRN_CHUNK_ROWS];
    TestRandom random = {fuzz_number(&fuzz->program, 2)};
    test_random_mask(&random, mask);
    const TrnBlock block = fuzz_block(&fuzz->program);
    const TrnResult result = trn_voxel_edit_fill_mask(edit, mask, block);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    if (result == TRN_RESULT_OK) {
        model_fill_mask(fuzz->work, mask, block);
    }
}

static void edit_replace(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    const TrnBlock from = fuzz_block(&fuzz->program), to = fuzz_block(&fuzz->program);
    const TrnResult result = trn_voxel_edit_replace(edit, from, to);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < TRN_CHUNK_VOXELS; i++) {
        fuzz->work[i] = fuzz->work[i] == from ? to : fuzz->work[i];
    }
}

static void edit_copy(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    const TestChunk *source = &fuzz->chunks[fuzz_below(&fuzz->program, CHUNKS)];
    uint32_t to[3], from[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        to[axis] = fuzz_below(&fuzz->program, TRN_CHUNK_EDGE);
        from[axis] = fuzz_below(&fuzz->program, TRN_CHUNK_EDGE);
        size[axis] = fuzz_below(&fuzz->program, TRN_CHUNK_EDGE + 1);
    }
    bool is_inside = true;
    for (int axis = 0; axis < 3; axis++) {
        is_inside &= size[axis] > 0 && to[axis] + size[axis] <= TRN_CHUNK_EDGE &&
                     from[axis] + size[axis] <= TRN_CHUNK_EDGE;
    }
    const TrnResult result =
        trn_voxel_edit_copy_box(edit, to, trn_voxels_snapshot(&source->voxels), from, size);
    FUZZ_REQUIRE(is_inside ? result == TRN_RESULT_OK || is_short(result)
                           : result == TRN_RESULT_BAD_ARGUMENT);
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < size[0] * size[1] * size[2]; i++) {
        const uint32_t x = i % size[0], z = i / size[0] % size[2], y = i / size[0] / size[2];
        fuzz->work[trn_local_index(to[0] + x, to[1] + y, to[2] + z)] =
            source->blocks[trn_local_index(from[0] + x, from[1] + y, from[2] + z)];
    }
}

static void edit_encode(VoxelFuzz *fuzz, TrnVoxelEdit *edit)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    fuzz_fill(&pattern, blocks);
    const TrnResult result = trn_voxel_edit_encode(edit, blocks);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    if (result == TRN_RESULT_OK) {
        memcpy(fuzz->work, blocks, sizeof blocks);
    }
}

/// A series of changes of one chunk, which is committed or cancelled.
static void edit(VoxelFuzz *fuzz)
{
    static void (*const edits[])(VoxelFuzz *, TrnVoxelEdit *) = {
        edit_set, edit_set, edit_set, edit_box, edit_mask, edit_replace, edit_copy, edit_encode};
    const uint32_t number = fuzz_below(&fuzz->program, CHUNKS);
    TestChunk *chunk = &fuzz->chunks[number];
    TrnVoxelEdit open;
    memcpy(fuzz->work, chunk->blocks, sizeof fuzz->work);
    trn_voxel_edit_begin(&open, fuzz->heap, &chunk->voxels);
    for (uint32_t i = fuzz_below(&fuzz->program, 16); i > 0; i--) {
        edits[fuzz_below(&fuzz->program, sizeof edits / sizeof *edits)](fuzz, &open);
    }
    if (fuzz_below(&fuzz->program, 8) == 0) {
        trn_voxel_edit_cancel(&open);
        return;
    }
    const bool is_changed = memcmp(fuzz->work, chunk->blocks, sizeof fuzz->work) != 0;
    const bool is_published = trn_voxel_edit_commit(&open, fuzz->revision + 1);
    FUZZ_REQUIRE(is_published || !is_changed);
    if (is_published) {
        chunk->revision = ++fuzz->revision;
        memcpy(chunk->blocks, fuzz->work, sizeof fuzz->work);
        fuzz->is_wide[number] = may_fail(fuzz);
    }
}

static void fill(VoxelFuzz *fuzz)
{
    const uint32_t number = fuzz_below(&fuzz->program, CHUNKS);
    TestChunk *chunk = &fuzz->chunks[number];
    const TrnBlock block = fuzz_block(&fuzz->program);
    const FuzzPattern pattern = {.first = block, .types = 1, .run = 1};
    chunk->revision = ++fuzz->revision;
    trn_voxels_fill(fuzz->heap, &chunk->voxels, block, chunk->revision);
    fuzz_fill(&pattern, chunk->blocks);
    fuzz->is_wide[number] = false;
}

static void compact(VoxelFuzz *fuzz)
{
    const uint32_t number = fuzz_below(&fuzz->program, CHUNKS);
    const TrnResult result = trn_voxels_compact(fuzz->heap, &fuzz->chunks[number].voxels);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    fuzz->is_wide[number] &= result != TRN_RESULT_OK;
}

/// Codes a pattern, as a worker does, and decodes it.
static void code(VoxelFuzz *fuzz)
{
    _Alignas(64) static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const uint32_t number = fuzz_below(&fuzz->program, CHUNKS);
    TestChunk *chunk = &fuzz->chunks[number];
    const FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    fuzz_fill(&pattern, blocks);
    if (trn_voxels_code(fuzz->heap, blocks) != TRN_VOXEL_CODE_CODED) {
        return;
    }
    const TrnResult result =
        trn_voxels_decode(fuzz->heap, &chunk->voxels, blocks, fuzz->revision + 1);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || is_short(result));
    if (result == TRN_RESULT_OK) {
        chunk->revision = ++fuzz->revision;
        fuzz_fill(&pattern, chunk->blocks);
        fuzz->is_wide[number] = false;
    }
}

/// Decodes a code whose header has other bytes: it is refused, or becomes some chunk.
static void break_code(VoxelFuzz *fuzz)
{
    _Alignas(64) static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TrnVoxels voxels = {0};
    const FuzzPattern pattern = fuzz_pattern(&fuzz->program);
    fuzz_fill(&pattern, blocks);
    if (trn_voxels_code(fuzz->heap, blocks) != TRN_VOXEL_CODE_CODED) {
        return;
    }
    for (uint32_t i = fuzz_below(&fuzz->program, 4); i > 0; i--) {
        const uint32_t at = fuzz_below(&fuzz->program, sizeof(TrnPayload));
        ((uint8_t *)blocks)[at] ^= (uint8_t)fuzz_number(&fuzz->program, 1);
    }
    const TrnResult result = trn_voxels_decode(fuzz->heap, &voxels, blocks, 1);
    FUZZ_REQUIRE(result == TRN_RESULT_OK || result == TRN_RESULT_BAD_ARGUMENT || is_short(result));
    if (result == TRN_RESULT_OK) {
        trn_voxels_discard(fuzz->heap, &voxels);
    }
}

/// Compares two chunks voxel by voxel with what the heap says of them.
static void compare(VoxelFuzz *fuzz)
{
    static uint32_t rows[TRN_CHUNK_ROWS];
    const TestChunk *a = &fuzz->chunks[fuzz_below(&fuzz->program, CHUNKS)];
    const TestChunk *b = &fuzz->chunks[fuzz_below(&fuzz->program, CHUNKS)];
    const TrnSnapshot first = trn_voxels_snapshot(&a->voxels);
    const TrnSnapshot second = trn_voxels_snapshot(&b->voxels);
    uint32_t count = 0;
    const uint32_t told = trn_snapshot_diff(first, second, rows);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool differs = a->blocks[i] != b->blocks[i];
        FUZZ_REQUIRE((rows[i / 32] >> i % 32 & 1) == differs);
        count += differs;
    }
    FUZZ_REQUIRE(told == count && trn_snapshot_equal(first, second) == (count == 0));
    FUZZ_REQUIRE(count > 0 || trn_snapshot_hash(first) == trn_snapshot_hash(second));
}

static void trim(VoxelFuzz *fuzz)
{
    trn_voxel_heap_trim(fuzz->heap);
}

static void fail_some(VoxelFuzz *fuzz)
{
    test_fail(&fuzz->memory, fuzz_below(&fuzz->program, 3), fuzz_below(&fuzz->program, 8));
}

/// Compares the blocks of all chunks, and all else of one that the program chooses.
static void check(VoxelFuzz *fuzz)
{
    const uint32_t chosen = fuzz_below(&fuzz->program, 2 * CHUNKS); // beyond: none
    for (uint32_t i = 0; i < CHUNKS; i++) {
        const TestChunk *chunk = &fuzz->chunks[i];
        const TrnSnapshot snapshot = trn_voxels_snapshot(&chunk->voxels);
        trn_snapshot_decode(snapshot, fuzz->work);
        FUZZ_REQUIRE(memcmp(fuzz->work, chunk->blocks, sizeof fuzz->work) == 0);
        FUZZ_REQUIRE(trn_snapshot_revision(snapshot) == chunk->revision);
        if (i == chosen) {
            test_check_content(snapshot, chunk->blocks, fuzz->bits);
        }
        if (i == chosen && !fuzz->is_wide[i]) {
            test_check_narrow(snapshot, chunk->blocks);
        }
    }
}

static void create(VoxelFuzz *fuzz)
{
    static const size_t caps[] = {0, 0, 0, 400000, 1000000};
    const TrnAllocator allocator = test_allocator(&fuzz->memory);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = fuzz->bits->solid;
    def.opaque_bits = fuzz->bits->opaque;
    def.bytes_max = caps[fuzz_below(&fuzz->program, sizeof caps / sizeof *caps)];
    def.allocator = &allocator;
    FUZZ_REQUIRE(trn_voxel_heap_create(&def, &fuzz->heap) == TRN_RESULT_OK);
}

int fuzz_voxels(const uint8_t *bytes, size_t size);

int fuzz_voxels(const uint8_t *bytes, size_t size)
{
    static void (*const steps[])(VoxelFuzz *) = {
        edit, edit, edit, edit, fill, code, break_code, compact, edit, trim, fail_some, compare};
    static VoxelFuzz fuzz;
    static TestBits bits;
    static bool has_bits;
    if (!has_bits) {
        test_bits_init(&bits);
        has_bits = true;
    }
    memset(&fuzz, 0, sizeof fuzz);
    fuzz.bits = &bits;
    fuzz.program = fuzz_program(bytes, size);
    create(&fuzz);
    for (int i = 0; i < 100 && fuzz_has_more(&fuzz.program); i++) {
        steps[fuzz_below(&fuzz.program, sizeof steps / sizeof *steps)](&fuzz);
    }
    check(&fuzz);
    trn_voxel_heap_destroy(fuzz.heap);
    FUZZ_REQUIRE(fuzz.memory.live_blocks == 0);
    return 0;
}
