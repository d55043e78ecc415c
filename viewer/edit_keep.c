#include "edit_keep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/chunk_index.h>

/// What is kept of one chunk.
typedef struct KeptChunk {
    uint32_t bits;        ///< a voxel; 0: all are palette[0]
    uint32_t words;       ///< 64-bit ones, behind the palette
    uint32_t palette_end; ///< entries, rounded up to whole words; none with 16 bits
    TrnBlock palette[];   ///< and then the words
} KeptChunk;

struct EditKeep {
    pthread_mutex_t lock;
    TrnChunkIndex *index; ///< to places
    KeptChunk **chunks;   ///< [count]
    uint32_t capacity;
    atomic_uint count;
    atomic_size_t bytes;
};

// ---- one chunk ----------------------------------------------------------------------------------

static size_t kept_bytes(const KeptChunk *kept)
{
    return sizeof *kept + kept->palette_end * sizeof(TrnBlock) +
           (size_t)kept->words * sizeof(uint64_t);
}

static uint32_t palette_end(uint32_t bits, uint32_t count)
{
    // With 16 bits voxels are blocks; four to a word keep the words in their place.
    return bits == 16 ? 0 : (count + 3) / 4 * 4;
}

static KeptChunk *keep_uniform(TrnBlock block)
{
    KeptChunk *kept = calloc(1, sizeof *kept + 4 * sizeof(TrnBlock));
    if (kept) {
        kept->palette_end = 4;
        kept->palette[0] = block;
    }
    return kept;
}

/// A copy of what a chunk holds, without what only drawing and walking need. NULL without memory.
static KeptChunk *keep_voxels(TrnSnapshot voxels)
{
    if (trn_snapshot_is_uniform(voxels)) {
        return keep_uniform(trn_snapshot_uniform(voxels));
    }
    const TrnPayload *payload = trn_snapshot_payload(voxels);
    const uint32_t palette = palette_end(payload->bits, payload->palette_count);
    const uint32_t words = TRN_CHUNK_VOXELS / 64 * payload->bits;
    const KeptChunk head = {.bits = payload->bits, .words = words, .palette_end = palette};
    KeptChunk *kept = calloc(1, kept_bytes(&head));
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

/// The blocks of one word's voxels.
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
    blocks[0] = kept->bits ? 0 : kept->palette[0];
    for (uint32_t i = 0; i < kept->words; i++) {
        uint64_t word;
        memcpy(&word, (const unsigned char *)(kept->palette + kept->palette_end) + i * sizeof word,
               sizeof word);
        read_word(kept, word, blocks + i * (64 / kept->bits));
    }
}

// ---- life ---------------------------------------------------------------------------------------

bool edit_keep_create(EditKeep **keep)
{
    EditKeep *made = calloc(1, sizeof *made);
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.reader_max = 0; // all is done under the lock
    if (!made || trn_chunk_index_create(&def, &made->index) != TRN_RESULT_OK) {
        free(made);
        return false;
    }
    if (pthread_mutex_init(&made->lock, NULL) != 0) {
        trn_chunk_index_destroy(made->index);
        free(made);
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
    const uint32_t count = atomic_load(&keep->count);
    for (uint32_t i = 0; i < count; i++) {
        free(keep->chunks[i]);
    }
    free(keep->chunks);
    trn_chunk_index_destroy(keep->index);
    pthread_mutex_destroy(&keep->lock);
    free(keep);
}

// ---- chunks -------------------------------------------------------------------------------------

/// Room for one more. @return false without memory
static bool grow_chunks(EditKeep *keep, uint32_t count)
{
    if (count < keep->capacity) {
        return true;
    }
    const uint32_t capacity = count ? 2 * count : 64;
    KeptChunk **chunks = realloc(keep->chunks, capacity * sizeof(KeptChunk *));
    if (chunks) {
        keep->chunks = chunks;
        keep->capacity = capacity;
    }
    return chunks != NULL;
}

/// @param kept  the keep's from now on
static TrnResult put_kept(EditKeep *keep, TrnCoord coord, KeptChunk *kept)
{
    const uint32_t count = atomic_load(&keep->count);
    uint32_t place;
    if (trn_chunk_index_find(keep->index, coord, &place)) {
        atomic_fetch_sub(&keep->bytes, kept_bytes(keep->chunks[place]));
        free(keep->chunks[place]);
        keep->chunks[place] = kept;
        return TRN_RESULT_OK;
    }
    if (!grow_chunks(keep, count) ||
        trn_chunk_index_insert(keep->index, coord, count) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    keep->chunks[count] = kept;
    atomic_store(&keep->count, count + 1);
    return TRN_RESULT_OK;
}

TrnResult edit_keep_put(EditKeep *keep, TrnCoord coord, TrnSnapshot voxels)
{
    KeptChunk *kept = keep_voxels(voxels);
    if (!kept) {
        return TRN_RESULT_NO_MEMORY;
    }
    pthread_mutex_lock(&keep->lock);
    const TrnResult result = put_kept(keep, coord, kept);
    if (result == TRN_RESULT_OK) {
        atomic_fetch_add(&keep->bytes, kept_bytes(kept));
    }
    pthread_mutex_unlock(&keep->lock);
    if (result != TRN_RESULT_OK) {
        free(kept);
    }
    return result;
}

TrnResult edit_keep_get(EditKeep *keep, TrnCoord coord, TrnBlock *blocks, bool *uniform)
{
    if (!atomic_load(&keep->count)) {
        return TRN_RESULT_ABSENT;
    }
    pthread_mutex_lock(&keep->lock);
    uint32_t place;
    const bool found = trn_chunk_index_find(keep->index, coord, &place);
    if (found) {
        read_kept(keep->chunks[place], blocks, uniform);
    }
    pthread_mutex_unlock(&keep->lock);
    return found ? TRN_RESULT_OK : TRN_RESULT_ABSENT;
}

EditKeepStats edit_keep_stats(const EditKeep *keep)
{
    return (EditKeepStats){atomic_load(&keep->count), atomic_load(&keep->bytes)};
}
