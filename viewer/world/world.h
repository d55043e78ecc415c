/// The viewer's world: a terrain, the store of the loaded chunks, and the stream that fills it.
///
/// The stream decides which chunks are loaded and when; beyond its view, a far view has coarser
/// levels. This file implements their hooks to terrain, mesher and renderer, and records a trace of
/// the operations on the store.
#pragma once

#include <terrane/far.h>
#include <terrane/mesher.h>
#include <terrane/store.h>
#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "message.h"
#include "render/camera.h"
#include "render/chunk_view.h"
#include "world/keep.h"
#include "world/trace_writer.h"

// In chunks, both inclusive.
#define WORLD_VIEW_DISTANCE_MIN 2
#define WORLD_VIEW_DISTANCE_MAX 32 ///< in full detail
#define WORLD_FAR_DISTANCE_MAX 512
#define WORLD_VIEW_HEIGHT_MIN 1

typedef struct World World;

/// Callbacks of the world. Called inside world_update, on its thread.
typedef struct WorldSink {
    void *user;
    /// Replaces the mesh of a chunk, and writes its place into the chunk's ChunkView. Returns false
    /// if there is no capacity; the chunk then has no mesh.
    bool (*show)(void *user, TrnChunk *chunk, uint32_t level, const ChunkMesh *mesh);
    /// Drops the mesh of a chunk that is about to be unloaded.
    void (*hide)(void *user, TrnChunk *chunk);
    /// A chunk of level 0 was loaded (chunk is set) or unloaded (NULL).
    void (*note)(void *user, TrnCoord coord, TrnChunk *chunk);
    /// Sets whether a chunk is drawn; if not, another level is drawn in its place. Only called with
    /// levels; otherwise may be NULL.
    void (*place)(void *user, uint32_t level, TrnChunk *chunk, bool is_drawn);
} WorldSink;

typedef struct WorldDef {
    TrnTerrainDef terrain; ///< seed and shape of the land
    int view_distance;     ///< in chunks; chunks up to this distance are shown in full detail
    int view_height;       ///< in chunks above and below; at most view_distance
    /// in chunks; coarser levels are shown up to this distance. If at most view_distance, there are
    /// none
    int far_distance;
    int view_distance_max; ///< limit for world_change; raised to view_distance if less
    uint32_t workers;      ///< threads, or TRN_STREAM_WORKERS_DEFAULT
    size_t memory_bytes;   ///< limit for everything that grows with the view; 0: no limit
    /// stores chunks that are not loaded; borrowed, must outlive the world. NULL: in memory
    Keep *keep;
    bool is_empty; ///< no land is generated: chunks that the keep lacks are air
    /// approximate limit for changed chunks in memory; 0: an eighth of memory_bytes, or 64 MiB
    /// without a limit
    size_t edit_bytes;
    TrnBlockTypes *types; ///< borrowed, must outlive the world. NULL: the built-in ones
    WorldSink sink;
    /// records the operations on the store; must outlive the world. NULL: none
    TraceWriter *trace;
} WorldDef;

/// The changed chunks in the keep's memory: all that were unloaded; or, with a world file, those in
/// the write queue.
typedef struct WorldEdits {
    bool is_file;    ///< with a world file
    uint32_t loaded; ///< chunks that are loaded and will be kept
    size_t bytes;    ///< of the changed chunks in memory
    size_t bytes_max;
} WorldEdits;

typedef struct WorldStats {
    TrnStreamStats stream;
    TrnFarStats far; ///< all zeroes without levels
    TrnStreamView view;
    WorldEdits edits;
} WorldStats;

bool world_create(World **world, const WorldDef *def, Message *problem);
/// The sink is no longer called. @param world  may be NULL
void world_destroy(World *world);

/// The part of a world's def that may change while the world runs. Units as there.
typedef struct WorldRun {
    int view_distance, view_height, far_distance;
    uint32_t workers;
    size_t memory_bytes;
} WorldRun;

typedef enum WorldChange {
    WORLD_CHANGED,
    WORLD_KEPT, ///< failed; the world is as before, but may have to load all chunks again
    WORLD_LOST  ///< no memory to continue at all: only world_destroy may be called
} WorldChange;

/// Changes how a world runs. Store, land and edits stay, and keep their addresses. If only the view
/// size changes, and is no larger than before, the next updates load and unload the difference.
/// Otherwise the stream is recreated: the sink hides all chunks, which are then loaded again.
/// @param problem  receives the reason, unless WORLD_CHANGED
WorldChange world_change(World *world, const WorldRun *run, Message *problem);

/// Works towards the view around the camera. If something prevents that, such as a lack of memory,
/// world_problem returns the reason; the next update retries. While the world file cannot be
/// written and much of its queue is full, the view does not move.
/// @param velocity  voxels a second: chunks ahead are loaded first
/// @param report    may be NULL
void world_update(World *world, const Camera *camera, const double velocity[3],
                  TrnStreamBudget budget, TrnStreamReport *report);

/// Lets water and lava flow for some time (world/flow.h). They pause while no more chunks may
/// change: see world_admits_edit.
/// @param is_running  false: liquids stand still; dug voxels are filled later
void world_flow(World *world, double seconds, bool is_running);

/// Marks all meshes as lost, without calling the sink. The next updates mesh all chunks again.
void world_show_again(World *world);

/// Whether the view around the last camera is complete, except meshes that the sink has refused.
bool world_is_idle(const World *world);

/// Returns the number of updates in a row in which nothing was loaded, shown or unloaded.
uint32_t world_quiet_updates(const World *world);

/// Returns what prevented the last update's work; OK if nothing.
TrnResult world_problem(const World *world);

/// Returns how much of the land near a place is loaded and shown: up to three chunks to each side,
/// but not beyond the view.
TrnStreamReadiness world_readiness(const World *world, TrnPosition place);

/// Returns the store, for edits between two updates (terrane/batch.h), on the thread of the
/// updates. The next update meshes edited chunks first. Changed chunks keep their edits when they
/// are unloaded and loaded again.
TrnStore *world_edit_store(World *world);

/// Cost: O(pages).
WorldEdits world_edits(const World *world);

/// Whether this many more chunks may be changed: false if the changed chunks would probably exceed
/// WorldEdits.bytes_max. Callers ask before they edit; edits are kept in any case.
/// Cost: O(pages).
bool world_admits_edit(const World *world, uint32_t chunks);

/// Waits until no thread reads the types of blocks, so that some may be added before the next
/// update.
/// @param seconds  limit of waiting for the disk
/// @return OK; BUSY if time is up; otherwise why the world cannot be written
TrnResult world_rest(World *world, double seconds);

/// Passes the edits of unloaded chunks, such as a distant undo, and the due voxels of liquids to
/// the keep. Updates save loaded chunks. Cost: O(pending edits + chunks with flowing liquids).
TrnResult world_save_pending(World *world);

/// Passes all unsaved chunks and edits to the keep and has it write them.
/// @param seconds  limit of waiting for the disk
/// @return OK; BUSY if time is up and writing continues; otherwise why writing failed
TrnResult world_save(World *world, double seconds);

/// Cost: O(pages), some 15 us at a view distance of 16.
WorldStats world_stats(const World *world);
/// Returns the number of meshed chunks that the sink has refused.
uint32_t world_refused(const World *world);
/// Returns the current part of the view distance: below 1 only if memory is short.
float world_view_part(const World *world);
const TrnStore *world_store(const World *world);
/// Whether the world's land is generated, with a sea at TRN_TERRAIN_SEA_LEVEL.
bool world_has_sea(const World *world);
/// Returns the far view, or NULL without levels.
const TrnFar *world_far(const World *world);
/// Returns the far view for these distances; .levels is 0 without any. Units as in WorldDef.
TrnFarView world_far_view(int view_distance, int view_height, int far_distance);
TrnTerrain *world_terrain(const World *world);
const TrnStream *world_stream(const World *world);
