/// Compares the cost of gathering the chunks around the camera: from the store's index, from a flat
/// spatial array, from a boost::unordered_flat_map if Boost was installed at build time, and from a
/// std::unordered_map, which all hold the same chunks. Maps are queried in two ways: probing every
/// coordinate of the box, or walking the whole map and filtering by the box.
///
/// A map is queried once a frame, in alternating ways: a second query would find warm caches. But a
/// browser's clock has steps as long as a gather. With such a clock, each contender is queried once
/// untimed and then repeatedly until the time is measurable, so all are timed with warm caches.
///
/// The frame's own gather is timed in the frame. After the frame's work, all contenders answer the
/// same query again, under the same conditions, and the answers are compared chunk by chunk. Array
/// and maps are updated from a journal, outside the frame, except the container that the frame
/// itself queries: see gather_compare_use.
#pragma once

#include <terrane/spatial_array.h>
#include <terrane/store.h>

#include "hash/hash_map.h"
#include "message.h"

/// A chunk that was loaded (chunk is set) or unloaded (chunk is NULL).
typedef struct GatherChange {
    TrnCoord coord;
    TrnChunk *chunk;
} GatherChange;

/// The containers, and the ways to query the maps.
typedef enum GatherContender {
    GATHER_INDEX, ///< the store's index
    GATHER_ARRAY,
    GATHER_FLAT_MAP, ///< boost::unordered_flat_map, probed
    GATHER_MAP,      ///< std::unordered_map, probed
    GATHER_CHOICES,  ///< a frame can query the contenders above
    GATHER_FLAT_MAP_FILTERED = GATHER_CHOICES,
    GATHER_MAP_FILTERED,
    GATHER_COUNT
} GatherContender;

/// The last comparison.
typedef struct GatherFigures {
    size_t chunks;
    double frame_us;          ///< the frame's own gather
    bool asked[GATHER_COUNT]; ///< after the frame; each map in one way at a time
    double us[GATHER_COUNT];  ///< time of one gather, if `asked`
} GatherFigures;

typedef struct GatherCompare {
    TrnSpatialArray *array;
    bool array_holds;  ///< false while the chunks are too far apart for one array: it is then not
                       ///< queried
    HashMap *flat_map; ///< NULL: built without Boost
    HashMap *map;
    GatherContender used;    ///< the contender that the frame itself queries
    bool frame_in_order;     ///< the frame's answer is ordered by y, z and x; the index's by page
    TrnChunk **frame_answer; ///< [capacity]
    void **answers[GATHER_COUNT]; ///< [capacity] each
    void **cells; ///< [capacity] the index's answer, each chunk at its place in the box
    size_t capacity;
    double least_us;       ///< how long a contender is queried repeatedly; 0: queried once
    GatherChange *changes; ///< not yet in array and map
    size_t change_count, change_capacity;
    bool lost; ///< array or maps lack chunks because memory ran out; comparisons stop for good
    GatherFigures figures;
    uint64_t compared, equal; ///< number of comparisons, and of those with equal answers
} GatherCompare;

/// @param view_distance  chunks to each side of the camera
bool gather_compare_create(GatherCompare *compare, int view_distance, Message *problem);
void gather_compare_free(GatherCompare *compare);

/// Changes the capacity to boxes of another view distance. On failure nothing changes.
bool gather_compare_resize(GatherCompare *compare, int view_distance, Message *problem);

/// Chooses the contender that the frame's own gather queries. Array and maps are then updated right
/// before that gather, and its time includes the update. The store keeps its index current.
/// @return false, and changes nothing, if this build does not allow this choice
bool gather_compare_use(GatherCompare *compare, GatherContender who);
/// Whether a contender can be queried: the flat map if it was built in, the array only while the
/// chunks are close enough for one array.
bool gather_compare_has(const GatherCompare *compare, GatherContender who);

/// Records that a chunk was loaded or unloaded; call it for every chunk.
/// @param chunk  NULL: unloaded
void gather_compare_note(GatherCompare *compare, TrnCoord coord, TrnChunk *chunk);

/// Gathers for the frame from the chosen contender, or from the index if the contender is
/// unavailable.
/// @return the number of chunks in compare->frame_answer
size_t gather_compare_frame(GatherCompare *compare, const TrnStore *store, TrnBox box);

/// Updates array and maps. Not timed.
void gather_compare_settle(GatherCompare *compare);

/// Gathers from all contenders again, from each map in one of its two ways, and compares the
/// answers. Call it after the frame's work, with the frame's box.
void gather_compare_after(GatherCompare *compare, const TrnStore *store, TrnBox box);
