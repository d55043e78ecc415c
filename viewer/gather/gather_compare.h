/// What gathering the chunks around the camera costs: from the store's index, from a flat spatial
/// array, from a boost::unordered_flat_map if Boost was installed at build time, and from a
/// std::unordered_map, which all hold the same chunks. The maps are asked in two ways: every
/// coordinate of the box is probed, or the whole map is walked and filtered by the box.
///
/// A map is asked once a frame, by turns in either way: a second time would find it in the caches.
/// But the clock of a browser has steps as long as a gather. There all are asked once untimed, and
/// then again until the clock can tell, so that all are timed with warm caches.
/// The frame's own gather is timed where it happens. After the frame's work all of them answer the
/// same question again, under the same conditions, and the answers are compared chunk by chunk.
/// Array and maps are updated from a journal, outside the frame, except for the one that the frame
/// itself asks: see gather_compare_use.
#ifndef TERRANE_VIEWER_GATHER_COMPARE_H
#define TERRANE_VIEWER_GATHER_COMPARE_H

#include "maps/hash_baseline.h"
#include <terrane/spatial_array.h>
#include <terrane/store.h>

#include "maps/flat_map.h"
#include "message.h"

/// A chunk that came (chunk is set) or went (chunk is NULL).
typedef struct GatherChange {
    TrnCoord coord;
    TrnChunk *chunk;
} GatherChange;

/// What is asked, and how.
typedef enum GatherContender {
    GATHER_INDEX, ///< the store's own
    GATHER_ARRAY,
    GATHER_FLAT_MAP, ///< boost::unordered_flat_map, probed
    GATHER_MAP,      ///< std::unordered_map, probed
    GATHER_CHOICES,  ///< a frame can ask those above
    GATHER_FLAT_MAP_FILTERED = GATHER_CHOICES,
    GATHER_MAP_FILTERED,
    GATHER_COUNT
} GatherContender;

/// The last comparison.
typedef struct GatherFigures {
    size_t chunks;
    double frame_us;          ///< the frame's own gather
    bool asked[GATHER_COUNT]; ///< after the frame: the maps in one way at a time
    double us[GATHER_COUNT];  ///< of those that were asked; one gather
} GatherFigures;

typedef struct GatherCompare {
    TrnSpatialArray *array;
    bool array_holds;  ///< false while chunks lie too far apart for one array: then it is not asked
    FlatMap *flat_map; ///< NULL: Boost was not there
    HashBaseline *map;
    GatherContender used;    ///< whom the frame itself asks
    bool frame_in_order;     ///< the frame's answer goes by y, z and x; that of the index by page
    TrnChunk **frame_answer; ///< [capacity]
    void **answers[GATHER_COUNT]; ///< [capacity] each
    void **cells; ///< [capacity] the index's answer, each chunk at its place in the box
    size_t capacity;
    double least_us;       ///< how long a contender is asked again; 0: each is asked once
    GatherChange *changes; ///< not yet in array and map
    size_t change_count, change_capacity;
    bool lost; ///< array or maps miss chunks for want of memory; nothing is compared any more
    GatherFigures figures;
    uint64_t compared, equal; ///< how many comparisons there were, and how many found equal answers
} GatherCompare;

/// @param view_distance  chunks to each side of the camera
bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem);
void gather_compare_free(GatherCompare *compare);

/// Makes room for the boxes of another view distance. On failure all is as it was.
bool gather_compare_resize(GatherCompare *compare, int view_distance, Message *problem);

/// Whom the frame asks from now on. Its upkeep then happens in the frame, right before the gather,
/// and counts as part of it; the index's is the store's own in any case.
/// @return false for whom there is none of: all stays as it was
bool gather_compare_use(GatherCompare *compare, GatherContender who);
/// Whether a contender is there; an array only while chunks lie close enough for one.
bool gather_compare_has(const GatherCompare *compare, GatherContender who);

/// To be told of every chunk that comes and goes.
void gather_compare_note(GatherCompare *compare, TrnCoord coord, TrnChunk *chunk);

/// The frame's own gather; from the index where whom it should ask cannot be asked.
/// @return how many chunks are in compare->frame_answer
size_t gather_compare_frame(GatherCompare *compare, const TrnStore *store, TrnBox box);

/// Brings array and maps up to date. Not timed.
void gather_compare_settle(GatherCompare *compare);

/// Asks all of them again, the maps in one way, and compares. Call it after the frame's work, with
/// the frame's box.
void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box);

#endif
