/// What the viewer flies through: a land, the store of the chunks that are near, and the stream
/// that fills it.
///
/// The stream decides which chunks are there and when; here are the hooks between it and land,
/// mesher and renderer, and the trace of what is asked of the store.
#ifndef TERRANE_VIEWER_WORLD_H
#define TERRANE_VIEWER_WORLD_H

#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "message.h"
#include "render/camera.h"
#include "world/trace_writer.h"

// Chunks, both inclusive.
#define WORLD_VIEW_DISTANCE_MIN 2
#define WORLD_VIEW_DISTANCE_MAX 32
#define WORLD_VIEW_HEIGHT_MIN 1

typedef struct World World;

/// Whom the world tells. Called from within world_update, on its thread.
typedef struct WorldSink {
    void *user;
    /// Takes over the quads of a chunk in place of those that it had, and where they lie into its
    /// ChunkView; both are borrowed. False when there is no room: the chunk then has none.
    bool (*show)(void *user, TrnChunk *chunk, const TrnQuad *quads, const TrnMeshInfo *info);
    /// Forgets a chunk's quads; the chunk goes.
    void (*hide)(void *user, TrnChunk *chunk);
    /// A chunk has come (chunk is set) or gone (NULL).
    void (*note)(void *user, TrnCoord coord, TrnChunk *chunk);
} WorldSink;

typedef struct WorldDef {
    TrnTerrainDef terrain; ///< which land
    int view_distance;     ///< chunks; those up to this distance are shown
    int view_height; ///< chunks above and below, at most view_distance: the ball is flattened to it
    int view_distance_max; ///< that world_change may ask for; less than view_distance: that
    uint32_t workers;      ///< threads, or TRN_STREAM_WORKERS_DEFAULT
    size_t memory_bytes;   ///< the most for all that follows the view; 0: no limit
    /// about the most for changed chunks; 0: an eighth of memory_bytes, or 64 MiB without a limit
    size_t edit_bytes;
    TrnBlockTypes *types; ///< of the store; borrowed, outlives the world. NULL: the built-in ones
    WorldSink sink;
    /// records what is asked of the store; NULL: nobody does. Outlives the world
    TraceWriter *trace;
} WorldDef;

/// Changed chunks, which the world keeps in memory until its end.
typedef struct WorldEdits {
    uint32_t kept;   ///< chunks that have left the store since they were changed
    uint32_t loaded; ///< changed chunks in the store that are to be kept when they go
    size_t bytes;    ///< that the kept ones take
    size_t bytes_max;
} WorldEdits;

typedef struct WorldStats {
    TrnStreamStats stream;
    TrnStreamView view;
    WorldEdits edits;
} WorldStats;

bool world_create(World **world, const WorldDef *def, Message *problem);
/// The sink hears nothing more. @param world  may be NULL
void world_destroy(World *world);

/// How a world is run: what of its def may change. Units as there.
typedef struct WorldRun {
    int view_distance, view_height;
    uint32_t workers;
    size_t memory_bytes;
} WorldRun;

typedef enum WorldChange {
    WORLD_CHANGED,
    WORLD_KEPT, ///< it could not be; the world is as it was, but may have to load all chunks anew
    WORLD_LOST  ///< there was no memory to go on in either way: only world_destroy is left
} WorldChange;

/// Changes how a world is run. Store, land and edits stay; their addresses, too. A view of a size
/// that there was before changes with the next updates by what differs. For anything else the
/// stream is made anew: the sink hears that all chunks go, and they are loaded again.
/// @param problem  receives why, but for WORLD_CHANGED
WorldChange world_change(World *world, const WorldRun *run, Message *problem);

/// Works towards the ball around the camera. What stands in the way (memory, say) is in
/// world_problem; the next update tries again.
/// @param velocity  voxels a second: what lies ahead comes first
/// @param report    may be NULL
void world_update(World *world, const Camera *camera, const double velocity[3],
                  TrnStreamBudget budget, TrnStreamReport *report);

/// Forgets where the meshes of all chunks lie, without a word to the sink, which has lost them. The
/// updates that follow mesh them again.
void world_show_again(World *world);

/// Whether nothing is left to do for the view around the last camera, but what the sink has no room
/// for.
bool world_is_idle(const World *world);

/// For how many updates one after the other nothing has come, been shown or gone.
uint32_t world_quiet_updates(const World *world);

/// What stood in the way of the last update; OK where nothing did.
TrnResult world_problem(const World *world);

/// How much of the land right around a place is there and shown: up to three chunks to each side,
/// as far as the view reaches.
TrnStreamReadiness world_readiness(const World *world, TrnPosition place);

/// The store, for edits between two updates (terrane/batch.h), on the thread of the updates. The
/// next update meshes them first; a changed chunk that leaves the view is as it was left when it
/// comes back.
TrnStore *world_edit_store(World *world);

/// Cost: O(pages).
WorldEdits world_edits(const World *world);

/// Whether so many more chunks may be changed: not when all changed ones together would probably
/// take more than WorldDef.edit_bytes. Whoever edits asks first; what was edited is kept in any
/// case.
/// Cost: O(pages).
bool world_admits_edit(const World *world, uint32_t chunks);

/// Cost: O(pages), some 15 us at a view distance of 16.
WorldStats world_stats(const World *world);
/// Chunks that are meshed, but the sink had no room.
uint32_t world_refused(const World *world);
/// How much of the view distance the view has: less than 1 only where there is no memory for more.
float world_view_part(const World *world);
const TrnStore *world_store(const World *world);
TrnTerrain *world_terrain(const World *world);
const TrnStream *world_stream(const World *world);

#endif
