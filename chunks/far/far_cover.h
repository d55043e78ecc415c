/// Private: the cover of a far view: which chunks of which level are drawn.
///
/// A chunk is *ready* while it is loaded and shown. It is *full* if it is ready, or if its eight
/// children of the next finer level are full. It is *covered* if its eight children are full. A
/// chunk that is ready and not covered *stands for* its place: it is drawn unless a coarser chunk
/// that holds it stands for its own. So each place is drawn at exactly one level once anything is
/// ready there, and a chunk gives way to its children only when all of them can be drawn.
///
/// The cover keeps three bits a chunk, in an entry of its parent. It knows no stores: its owner
/// tells what is ready, and it says what to draw.
#ifndef TERRANE_FAR_FAR_COVER_H
#define TERRANE_FAR_FAR_COVER_H

#include <terrane/far.h>

#include "base/coord_map.h"

#define FAR_COVER_LEVELS (TRN_FAR_LEVEL_MAX + 1)

/// Draws a chunk from now on, or stops. Must not call the cover.
typedef void (*TrnFarCoverDraw)(void *user, uint32_t level, TrnCoord coord, bool is_drawn);

typedef struct TrnFarCover {
    /// [n]: by coordinate of level n + 1, the bits of its children, which are of level n.
    TrnCoordMap children[FAR_COVER_LEVELS];
    uint32_t ready[FAR_COVER_LEVELS]; ///< chunks, by level
    uint32_t drawn[FAR_COVER_LEVELS]; ///< chunks, by level
    uint64_t draws;                   ///< calls of `draw`
    TrnFarCoverDraw draw;
    void *user;
    const TrnAllocator *allocator; ///< borrowed
} TrnFarCover;

/// Makes an empty cover. @param key  of the hashes of coordinates
void trn_far_cover_init(TrnFarCover *cover, uint64_t key, TrnFarCoverDraw draw, void *user,
                        const TrnAllocator *allocator);

/// Frees its memory and draws nothing.
void trn_far_cover_destroy(TrnFarCover *cover);

/// Records whether a chunk is ready, and draws what that changes.
/// Errors: NO_MEMORY if `is_ready`; nothing changes then.
/// Cost: O(levels), and the chunks whose drawing changes.
TrnResult trn_far_cover_set(TrnFarCover *cover, uint32_t level, TrnCoord coord, bool is_ready);

/// Whether a chunk is drawn. Cost: O(levels).
bool trn_far_cover_is_drawn(const TrnFarCover *cover, uint32_t level, TrnCoord coord);

/// Bytes that it has allocated.
size_t trn_far_cover_bytes(const TrnFarCover *cover);

/// The chunk of the next coarser level that holds a chunk.
static inline TrnCoord trn_far_parent(TrnCoord coord)
{
    return (TrnCoord){coord.x >> 1, coord.y >> 1, coord.z >> 1};
}

#endif
