/// What collecting the chunks around the camera costs: from the store's spatial array, and from a std::unordered_map that holds
/// the same chunks.
///
/// The frame's own gather is timed where it happens. After the frame's work both structures answer the same question again,
/// under the same conditions, and the answers are compared chunk by chunk. The map is kept up to date from a journal, so that
/// its upkeep is outside the frame too.
#ifndef TERRANE_VIEWER_GATHER_COMPARE_H
#define TERRANE_VIEWER_GATHER_COMPARE_H

#include <hash_baseline.h>
#include <terrane/store.h>

#include "message.h"
#include "samples.h"

/// A chunk that came (chunk is set) or went (chunk is NULL).
typedef struct GatherChange {
    TrnCoord coord;
    TrnChunk *chunk;
} GatherChange;

/// The last comparison.
typedef struct GatherFigures {
    size_t chunks;
    double frame_us; ///< the frame's own gather from the spatial array
    double array_us; ///< the same again, beside the map's
    double map_us;
} GatherFigures;

typedef struct GatherCompare {
    HashBaseline *map;
    TrnChunk **frame_answer, **array_answer; ///< [capacity]
    void **map_answer;                       ///< [capacity]
    size_t capacity;
    GatherChange *changes; ///< not yet in the map
    size_t change_count, change_capacity;
    bool lost; ///< the map misses chunks for want of memory; nothing is compared any more
    GatherFigures figures;
    uint64_t compared, equal; ///< how many comparisons there were, and how many found equal answers
    bool keep_samples;
    Samples chunks, frame_us, array_us, map_us;
} GatherCompare;

/// @param view_distance  chunks to each side of the camera
bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem);
void gather_compare_free(GatherCompare *compare);

/// To be told of every chunk that comes and goes.
void gather_compare_note(GatherCompare *compare, TrnCoord coord, TrnChunk *chunk);

/// The frame's own gather.
/// @return how many chunks are in compare->frame_answer, in the order x fastest, then z, then y
size_t gather_compare_frame(GatherCompare *compare, const TrnStore *store, TrnBox box);

/// Brings the map up to date. Not timed.
void gather_compare_settle(GatherCompare *compare);

/// Asks both again and compares; to be called after the frame's work, with the frame's box.
void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box);

#endif
