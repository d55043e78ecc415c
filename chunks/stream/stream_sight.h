/// Private: how an anchor moves, what it sees, and how near it is to a chunk.
#ifndef TERRANE_STREAM_STREAM_SIGHT_H
#define TERRANE_STREAM_STREAM_SIGHT_H

#include <terrane/stream.h>

/// Where an anchor is, goes and looks. In chunks, relative to a view's centre.
typedef struct TrnStreamSight {
    TrnCoord centre;
    double position[3];
    /// From `position` to where the anchor will be in a second; along each axis at most half of
    /// the rings that it asks for.
    double ahead[3];
    double view[3]; ///< of length 1; zeroes: all around
} TrnStreamSight;

/// How an anchor sees a chunk.
typedef struct TrnStreamRank {
    double distance; ///< chunks, to the path of the anchor
    /// Within 60 degrees of the anchor's direction of view, or 1.5 chunks from its path. Always
    /// if the anchor has no direction of view.
    bool is_visible;
} TrnStreamRank;

/// The sight of an anchor whose view has a centre.
/// @param velocity  voxels a second
TrnStreamSight trn_stream_sight(const TrnStreamAnchor *anchor, const double velocity[3],
                                TrnCoord centre);

/// How an anchor sees the centre of a chunk.
TrnStreamRank trn_stream_sight_rank(const TrnStreamSight *sight, TrnCoord coord);

/// Whether the order of chunks changed from one sight to another, apart from the position.
bool trn_stream_sight_has_turned(const TrnStreamSight *now, const TrnStreamSight *before);

/// How an anchor moves, from its positions. All zeroes is at rest.
typedef struct TrnStreamMotion {
    TrnPosition position; ///< where it was last
    uint64_t update;      ///< since when
    bool is_moving;       ///< it moved, no farther than a step, and has not stopped since
    double velocity[3];   ///< voxels an update, smoothed
} TrnStreamMotion;

/// Notes where an anchor is in an update. A jump is no motion.
/// @return whether the velocity changed without a new position: it has stopped
bool trn_stream_motion_note(TrnStreamMotion *motion, TrnPosition position, uint64_t update);

/// Whether an anchor moves, as far as is known.
bool trn_stream_motion_is_known(const TrnStreamMotion *motion);

/// Whether a move is short enough to change only the chunks that differ.
bool trn_stream_is_step(TrnCoord a, TrnCoord b);

#endif
