/// Tells of one chunk how it is and what has become of it: the sentences of the stream and of the
/// store, its memory, and its changes since it was chosen.
#ifndef TERRANE_VIEWER_CHUNK_LIFE_H
#define TERRANE_VIEWER_CHUNK_LIFE_H

#include <terrane/store.h>
#include <terrane/stream.h>

#define CHUNK_LIFE_LINES 6 ///< changes remembered

/// A change that was seen.
typedef struct ChunkLifeLine {
    double seconds;
    TrnStreamState state;
    uint64_t revision;
} ChunkLifeLine;

/// All zeroes: no chunk.
typedef struct ChunkLife {
    TrnCoord chunk;
    bool has_chunk;
    double begun, looked; ///< seconds, as chunk_life_watch
    ChunkLifeLine lines[CHUNK_LIFE_LINES];
    uint32_t count; ///< changes so far; change n at n % CHUNK_LIFE_LINES
    char text[1024];
} ChunkLife;

/// Looks at a chunk, ten times a second, and writes `text`. Another chunk begins another life.
/// @param seconds  on a clock that goes on
/// Cost: some us each time it looks.
void chunk_life_watch(ChunkLife *life, const TrnStream *stream, const TrnStore *store,
                      TrnCoord chunk, double seconds);

#endif
