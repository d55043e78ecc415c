#include "world/edit_keep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/chunk_index.h>

/// The kept voxels of one chunk.
typedef struct KeptChunk {
    uint32_t bits;        ///< for each voxel; 0: all are palette[0]
    uint32_t words;       ///< 64-bit words after the palette
    uint32_t palette_end; ///< entries, rounded up to whole words; 0 with 16 bits
    TrnBlock palette[];   ///< followed by the words
} KeptChunk;

struct EditKeep {
    TrnAllocator allocator;
    pthread_mutex_t lock;
    TrnChunkIndex *index; ///< coordinate to index into chunks
    KeptChunk **chunks;   ///< [count]
    uint32_t capacity;
    atomic_uint count;
    atomic_size_t bytes;
};

// ---- memory -------------------------------------------------------------------------------------

static void *take_plain(size_t bytes, size_t alignment, void *user)
{
    (void)alignment, (void)user;
    return malloc(bytes);
}

static void give_plain(void *memory, size_t bytes, void *user)
{
    (void)bytes, (void)user;
    free(memory);
}

/// All zeroes; NULL without memory.
static void *take_zeroed(const TrnAllocator *allocator, size_t bytes)
{
    void *memory = allocator->alloc(bytes, sizeof(uint64_t), allocator->user);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static void give_back(const TrnAllocator *allocator, void *memory, size_t bytes)
{
    if (memory) {
        allocator->free(memory, bytes, allocator->user);
    }
}

// ---- one chunk ----------------------------------------------------------------------------------

static size_t kept_bytes(const KeptChunk *kept)
{
    return sizeof *kept + kept->palette_end * sizeof(TrnBlock) +
           (size_t)kept->words * sizeof(uint64_t);
}

static uint32_t palette_end(uint32_t bits, uint32_t count)
{
    // With 16 bits, voxels are blocks. The palette is rounded to four entries, so that the words
    // are aligned.
    return bits == 16 ? 0 : (count + 3) / 4 * 4;
}

static KeptChunk *keep_uniform(const TrnAllocator *allocator, TrnBlock block)
{
    KeptChunk *kept = take_zeroed(allocator, sizeof *kept + 4 * sizeof(TrnBlock));
    if (kept) {
        kept->palette_end = 4;
        kept->palette[0] = block;
    }
    return kept;
}

/// Copies the voxels of a chunk, without the masks for drawing and walking. @return NULL without
/// memory
static KeptChunk *keep_voxels(const TrnAllocator *allocator, TrnSnapshot voxels)
{
    if (trn_snapshot_is_uniform(voxels)) {
        return keep_uniform(allocator, trn_snapshot_uniform(voxels));
    }
    const TrnPayload *payload = trn_snapshot_payload(voxels);
    const uint32_t palette = palette_end(payload->bits, payload->palette_count);
    const uint32_t words = TRN_CHUNK_VOXELS / 64 * payload->bits;
    const KeptChunk head = {.bits = payload->bits, .words = words, .palette_end = palette};
    KeptChunk *kept = take_zeroed(allocator, kept_bytes(&head));
    if (kept) {
        memcpy(kept, &head, sizeof head);
        if (palette) {
            memcpy(kept->palette, trn_payload_palette(payload),
                   payload->palette_count * sizeof(TrnBlock));
        }
        memcpy(kept->palette + palette, trn_payload_words(payload), words * sizeof(uint64_t));
    }
    return kept;
}

/// Decodes the blocks of one word's voxels.
static void read_word(const KeptChunk *kept, uint64_t word, TrnBlock *blocks)
{
    const uint32_t mask = (UINT32_C(1) << kept->bits) - 1;
    for (uint32_t i = 0; i < 64 / kept->bits; i++, word >>= kept->bits) {
        const uint32_t entry = (uint32_t)word & mask;
        blocks[i] = kept->palette_end ? kept->palette[entry] : (TrnBlock)entry;
    }
}

static void read_kept(const KeptChunk *kept, TrnBlock *blocks, bool *uniform)
{
    *uniform = kept->bits == 0;
    if (*uniform) {
        blocks[0] = kept->palette[0];
        return;
    }
    const unsigned char *words = (const unsigned char *)(kept->palette + kept->palette_end);
    const size_t voxels = 64 / kept->bits; // in one word
    for (size_t i = 0; i < kept->words; i++) {
        uint64_t word;
        memcpy(&word, words + i * sizeof word, sizeof word);
        read_word(kept, word, blocks + i * voxels);
    }
}

// ---- life ---------------------------------------------------------------------------------------

bool edit_keep_create(EditKeep **keep, const TrnAllocator *allocator)
{
    const TrnAllocator chosen =
        allocator ? *allocator : (TrnAllocator){take_plain, give_plain, NULL};
    EditKeep *made = take_zeroed(&chosen, sizeof *made);
    if (!made) {
        return false;
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.reader_max = 0; // the lock replaces readers
    def.allocator = allocator;
    made->allocator = chosen;
    bool good = trn_chunk_index_create(&def, &made->index) == TRN_RESULT_OK;
    good = good && pthread_mutex_init(&made->lock, NULL) == 0;
    if (!good) {
        trn_chunk_index_destroy(made->index);
        give_back(&chosen, made, sizeof *made);
        return false;
    }
    *keep = made;
    return true;
}

void edit_keep_destroy(EditKeep *keep)
{
    if (!keep) {
        return;
    }
    const TrnAllocator allocator = keep->allocator;
    const uint32_t count = atomic_load(&keep->count);
    for (uint32_t i = 0; i < count; i++) {
        give_back(&allocator, keep->chunks[i], kept_bytes(keep->chunks[i]));
    }
    give_back(&allocator, keep->chunks, keep->capacity * sizeof(KeptChunk *));
    trn_chunk_index_destroy(keep->index);
    pthread_mutex_destroy(&keep->lock);
    give_back(&allocator, keep, sizeof *keep);
}

// ---- chunks -------------------------------------------------------------------------------------

/// Makes capacity for one more. @return false without memory
static bool grow_chunks(EditKeep *keep, uint32_t count)
{
    if (count < keep->capacity) {
        return true;
    }
    const uint32_t capacity = count ? 2 * count : 64;
    KeptChunk **chunks = take_zeroed(&keep->allocator, capacity * sizeof(KeptChunk *));
    if (!chunks) {
        return false;
    }
    if (count) {
        memcpy(chunks, keep->chunks, count * sizeof(KeptChunk *));
    }
    give_back(&keep->allocator, keep->chunks, keep->capacity * sizeof(KeptChunk *));
    keep->chunks = chunks;
    keep->capacity = capacity;
    return true;
}

/// Stores a chunk in place of its earlier copy, or as the last. @return false without memory
static bool place_kept(EditKeep *keep, TrnCoord coord, KeptChunk *kept)
{
    const uint32_t count = atomic_load(&keep->count);
    uint32_t place;
    if (trn_chunk_index_find(keep->index, coord, &place)) {
        const size_t bytes = kept_bytes(keep->chunks[place]);
        atomic_fetch_sub(&keep->bytes, bytes);
        give_back(&keep->allocator, keep->chunks[place], bytes);
        keep->chunks[place] = kept;
        return true;
    }
    if (!grow_chunks(keep, count) ||
        trn_chunk_index_insert(keep->index, coord, count) != TRN_RESULT_OK) {
        return false;
    }
    keep->chunks[count] = kept;
    atomic_store(&keep->count, count + 1);
    return true;
}

/// Must be called with the lock held.
static TrnResult put_voxels(EditKeep *keep, TrnCoord coord, TrnSnapshot voxels)
{
    KeptChunk *kept = keep_voxels(&keep->allocator, voxels);
    if (!kept) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (!place_kept(keep, coord, kept)) {
        give_back(&keep->allocator, kept, kept_bytes(kept));
        return TRN_RESULT_NO_MEMORY;
    }
    atomic_fetch_add(&keep->bytes, kept_bytes(kept));
    return TRN_RESULT_OK;
}

TrnResult edit_keep_put(EditKeep *keep, TrnCoord coord, TrnSnapshot voxels)
{
    pthread_mutex_lock(&keep->lock);
    const TrnResult result = put_voxels(keep, coord, voxels);
    pthread_mutex_unlock(&keep->lock);
    return result;
}

TrnResult edit_keep_get(EditKeep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    if (!atomic_load(&keep->count)) {
        return TRN_RESULT_NOT_FOUND;
    }
    pthread_mutex_lock(&keep->lock);
    uint32_t place;
    const bool found = trn_chunk_index_find(keep->index, coord, &place);
    if (found) {
        read_kept(keep->chunks[place], blocks, uniform);
    }
    pthread_mutex_unlock(&keep->lock);
    return found ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

EditKeepStats edit_keep_stats(const EditKeep *keep)
{
    return (EditKeepStats){atomic_load(&keep->count), atomic_load(&keep->bytes)};
}
