/// Private: the shape of a view, and the difference of two shapes.
#ifndef TERRANE_STREAM_STREAM_SHAPE_H
#define TERRANE_STREAM_STREAM_SHAPE_H

#include <stdbool.h>

#include <terrane/coord.h>

/// All chunks with (x^2 + z^2) * across + y^2 * up <= 1 from a centre. `is_wide`: also their 26
/// neighbours. `is_empty`: no chunks. Cut off at the ends of the world of `level`. It stores no
/// chunks, so views of any size cost no memory.
typedef struct TrnStreamShape {
    TrnCoord centre;
    double across, up;
    int32_t reach_across, reach_up; ///< bounds from the centre, in chunks
    uint32_t level;                 ///< of the chunks
    bool is_wide, is_empty;
} TrnStreamShape;

/// Returns the shape of ring `ring` of a view. The radii are in proportion to `radius` and
/// `height`; the greater equals `ring`; `more` is added to both. `level` is 0.
/// @param ring  negative: an empty shape
TrnStreamShape trn_stream_shape(TrnCoord centre, uint32_t radius, uint32_t height, int64_t ring,
                                uint32_t more, bool is_wide);

bool trn_stream_shape_has(const TrnStreamShape *shape, TrnCoord coord);

/// Counts the chunks of a shape. Cost: O(rows).
uint64_t trn_stream_shape_count(const TrnStreamShape *shape);

/// Receives a row of chunks along x. @param last  inclusive @return whether to continue
typedef bool (*TrnStreamRow)(void *context, TrnCoord first, int32_t last);

/// Calls `row` for all rows of chunks in `shape` but not in `other`. Cost: O(rows of `shape`).
/// @return false if `row` returned false
bool trn_stream_shape_minus(const TrnStreamShape *shape, const TrnStreamShape *other,
                            TrnStreamRow row, void *context);

/// Whether the shape reaches an end of the world, or is one chunk short of it.
bool trn_stream_shape_touches_end(const TrnStreamShape *shape);

#endif
