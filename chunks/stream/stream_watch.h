/// Private: what a far view is told of a stream.
#ifndef TERRANE_STREAM_STREAM_WATCH_H
#define TERRANE_STREAM_STREAM_WATCH_H

#include <terrane/stream.h>

/// Is told which chunks are on screen. Called on the calling thread, inside calls of the stream and
/// of its store, neither of which it may change.
typedef struct TrnStreamWatch {
    /// A chunk was shown for the first time since it was loaded: its mesh, or nothing where there
    /// is nothing to see. It stays on screen until `hidden`, also while an edit or
    /// trn_stream_remesh() waits for a newer mesh, or after a mesh of these failed.
    void (*shown)(void *user, TrnCoord coord);
    /// A chunk that was shown is being unloaded. Comes before the unload hook.
    /// @param chunk  readable until the call returns; NULL if it is gone already
    void (*hidden)(void *user, TrnCoord coord, TrnChunk *chunk);
    void *user; ///< passed to both
} TrnStreamWatch;

#endif
