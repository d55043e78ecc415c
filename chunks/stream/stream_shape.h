/// Private: the shape of a view, and how two of them differ.
#ifndef TERRANE_STREAM_STREAM_SHAPE_H
#define TERRANE_STREAM_STREAM_SHAPE_H

#include <stdbool.h>

#include <terrane/coord.h>

/// All chunks with (x^2 + z^2) * across + y^2 * up <= 1 from a centre; `is_wide`: and all 26
/// neighbours of these. Ends at the ends of the world. `is_empty` holds none. Nothing is stored for
/// it, so views of any size cost no memory.
typedef struct TrnStreamShape {
    TrnCoord centre;
    double across, up;
    int32_t reach_across, reach_up; ///< chunks from the centre that it may hold
    bool is_wide, is_empty;
} TrnStreamShape;

/// The shape of ring `ring` of a view: radii in proportion to `radius` and `height`, the greater of
/// them `ring`, and `more` added to both.
/// @param ring  negative: an empty shape
TrnStreamShape trn_stream_shape(TrnCoord centre, uint32_t radius, uint32_t height, int64_t ring,
                                uint32_t more, bool is_wide);

bool trn_stream_shape_has(const TrnStreamShape *shape, TrnCoord coord);

/// How many chunks it holds. Cost: O(its rows).
uint64_t trn_stream_shape_count(const TrnStreamShape *shape);

/// Takes a row of chunks along x. @param last  inclusive @return whether to go on
typedef bool (*TrnStreamRow)(void *context, TrnCoord first, int32_t last);

/// Calls `row` for all rows of chunks that `shape` has and `other` has not. Cost: O(rows of
/// `shape`).
/// @return false where `row` did
bool trn_stream_shape_minus(const TrnStreamShape *shape, const TrnStreamShape *other,
                            TrnStreamRow row, void *context);

/// Whether the shape touches an end of the world.
bool trn_stream_shape_touches_end(const TrnStreamShape *shape);

#endif
