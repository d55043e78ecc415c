/// Private: what is open to the sky, by column of chunks.
///
/// A column is known from the top down. Each chunk that closes columns of voxels adds a layer: the
/// columns that are open through it and all chunks above. So a column of chunks takes few layers,
/// however high it is, and what is open above a chunk is the layer above it.
///
/// A chunk becomes known when a thread asks for it. That thread computes it, from what the
/// chunk is or would be if it were loaded now. So nothing is stored that could disagree with the
/// chunks.
///
/// Threads: trn_sky_open on any; all others on the thread that changes chunks. Only those allocate.
#ifndef TERRANE_LIGHT_SKY_INTERNAL_H
#define TERRANE_LIGHT_SKY_INTERNAL_H

#include <terrane/light.h>

typedef struct TrnSky TrnSky;

/// Rows by z, bit x, of one chunk's columns of voxels.
typedef struct TrnSkyMask {
    uint32_t rows[TRN_CHUNK_EDGE];
} TrnSkyMask;

static inline bool trn_sky_mask_is_empty(const TrnSkyMask *mask)
{
    uint32_t any = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        any |= mask->rows[z];
    }
    return any == 0;
}

/// What a thread learns chunks from.
typedef struct TrnSkySource {
    /// Finds the highest chunk of a column that may hold anything but air.
    /// @param from    the highest to consider
    /// @param lowest  the lowest
    /// Errors: NOT_FOUND (they are all air), and any other.
    TrnResult (*highest)(void *user, TrnCoord from, int32_t lowest, int32_t *y);
    /// Computes trn_light_open_columns() of a chunk. Errors: any but NOT_FOUND.
    TrnResult (*pass)(void *user, TrnCoord coord, uint32_t *open);
    void *user; ///< passed to both
} TrnSkySource;

/// Errors: NO_MEMORY.
/// @param hash_key  of coordinates, not 0
TrnResult trn_sky_create(const TrnAllocator *allocator, uint64_t hash_key, TrnSky **sky);

/// @param sky  may be NULL
void trn_sky_destroy(TrnSky *sky);

/// Adds the columns of a chunk and its neighbours, so that others can ask for them.
/// Errors: NO_MEMORY.
TrnResult trn_sky_reserve(TrnSky *sky, TrnCoord coord);

/// Removes a column whose chunks are gone.
void trn_sky_remove(TrnSky *sky, TrnCoord coord);

/// Finds the columns of voxels that are open through a chunk and all chunks above it.
/// Errors: NOT_FOUND (the column was not added), and those of the source. Threads: any.
/// Cost: 0.1 us if the chunks are known; otherwise the source's.
TrnResult trn_sky_open(TrnSky *sky, const TrnSkySource *source, TrnCoord coord, TrnSkyMask *open);

/// Records that a chunk has other voxels.
/// @param pass     of trn_light_open_columns(); NULL: not known
/// @param changed  receives the columns that may have opened or closed below the chunk
/// @return whether there are any
bool trn_sky_change(TrnSky *sky, TrnCoord coord, const uint32_t *pass, TrnSkyMask *changed);

// ---- columns of one chunk (light.c) -------------------------------------------------------------

/// Follows columns that opened or closed above a chunk down through it.
/// @param columns  those that changed; receives those that also changed below
/// @return which of the 27 chunks around must be solved again
uint32_t trn_light_fall(TrnSnapshot voxels, const TrnBlockTypes *types, TrnSkyMask *columns);

/// trn_light_open_columns() of one of the nine upper chunks, above the slices that a solver lights:
/// what is in those does not tell whether the sky above is asked for.
void trn_light_open_beyond(TrnSnapshot upper, const TrnBlockTypes *types, uint32_t *open);

/// trn_light_open_columns() of blocks. @param blocks  [TRN_CHUNK_VOXELS]
void trn_light_open_blocks(const TrnBlock *blocks, const TrnBlockTypes *types, uint32_t *open);

#endif
