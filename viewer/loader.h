/// Which chunks exist around the camera, and when.
///
/// The loader keeps a ball of chunks around a centre: nearest first it generates them, and meshes each as soon as its six
/// neighbours are generated. All chunk offsets of the ball lie sorted by distance in one list; a cursor into it divides what is
/// done from what is not. When the centre moves by m chunks, everything within a distance of r was there, so everything
/// within r - m still is, and the cursor goes back just that far: a step of one chunk looks at the outermost shell alone.
#ifndef TERRANE_VIEWER_LOADER_H
#define TERRANE_VIEWER_LOADER_H

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/terrain.h>

#include "message.h"
#include "trace_writer.h"

typedef struct Loader Loader;

/// Whom the loader tells. Called from within loader_update and loader_destroy.
typedef struct LoaderSink {
    void *user;
    /// Takes over the quads of a chunk and marks it in its ChunkView; the mesh is borrowed. False when there is no room.
    bool (*show)(void *user, TrnChunk *chunk, const TrnMesh *mesh);
    /// Forgets a chunk's quads; the chunk goes.
    void (*hide)(void *user, TrnChunk *chunk);
    /// A chunk has come (chunk is set) or gone (NULL).
    void (*note)(void *user, TrnCoord coord, TrnChunk *chunk);
} LoaderSink;

typedef struct LoaderDef {
    TrnTerrainDef terrain; ///< which land
    int view_distance;     ///< chunks; those up to this distance are shown
    TrnBlockTypes *types;  ///< of the store; borrowed, outlives the loader. NULL: the built-in ones
    LoaderSink sink;
    TraceWriter
        *trace; ///< records what is asked of the store; NULL: nobody does. Outlives the loader
} LoaderDef;

/// How much one update may do: until a time has passed, or counted work when `us` is 0.
typedef struct LoaderBudget {
    double us;
    uint32_t generate, mesh; ///< chunks
} LoaderBudget;

typedef struct LoaderStats {
    uint32_t chunks;  ///< in the store
    uint32_t waiting; ///< of the ball, not yet looked after
    uint32_t refused; ///< meshed, but the sink had no room
} LoaderStats;

bool loader_create(Loader **loader, const LoaderDef *def, Message *problem);
/// @param loader  may be NULL
void loader_destroy(Loader *loader);

/// Works towards the ball around `centre`, and removes some of what is more than two chunks outside of it: while the centre flies,
/// however fast, the store stays below twice the ball.
/// @return false when memory has run out
/// Cost: the budget, and a bounded number of look-ups.
bool loader_update(Loader *loader, TrnCoord centre, LoaderBudget budget, Message *problem);

/// Whether the ball around the last centre is complete.
bool loader_is_idle(const Loader *loader);

LoaderStats loader_stats(const Loader *loader);
const TrnStore *loader_store(const Loader *loader);
const TrnTerrain *loader_terrain(const Loader *loader);

#endif
