/// Private: streams of the coarser levels of a far view, and what such a view needs to know of a
/// stream. For chunks/far.
///
/// A chunk of level n covers 32 << n voxels along each axis; its world has the chunks INT32_MIN >>
/// n to INT32_MAX >> n along each axis. A level's stream counts everything in its own chunks and
/// voxels.
#ifndef TERRANE_STREAM_STREAM_LEVEL_H
#define TERRANE_STREAM_STREAM_LEVEL_H

#include <terrane/stream.h>

#include "stream_watch.h"
#include "stream_workers.h"

/// Creates a stream as trn_stream_create(), for chunks of a level: jobs of its hooks carry it
/// (TrnStreamJob.level), and views end at the ends of the level's world. The generator's ceiling is
/// that of level 0 as always, and TrnStreamSource.highest is not used above level 0.
///
/// With a host, the stream is its guest: it starts no threads, and the host's workers do its work
/// when they have none of the host's own and none of guests created before. They keep their numbers
/// (TrnStreamJob.worker), so the hooks of all these streams may share their scratch. TrnStreamDef's
/// `workers`, `runner` and `worker_nice` are not used. The guest's store needs a free reader for
/// each of the host's workers; those without one do not work for the guest. All that counts against
/// the guest's bytes_max counts against the host's too.
/// @param def   of its own store
/// @param host  borrowed; outlives its guests. NULL: the stream has workers of its own
/// Errors: as trn_stream_create(); BAD_ARGUMENT also for a level that the generator does not make.
/// Threads: the host's thread; it calls all functions of the guests too.
TrnResult trn_stream_create_level(const TrnStreamDef *def, uint32_t level, TrnStream *host,
                                  TrnStream **stream);

/// Has a stream omit voxels (voxels/voxels_internal.h) of chunks that its generator made, that were
/// never edited, and that are shown with all their neighbours. Mesh jobs that need them, and edits
/// of them, generate them again. Does nothing if a hook generates, which need not repeat itself.
/// Before the first update; the store must not change any more once the stream is destroyed.
/// Errors: NO_MEMORY, FULL; destroy stream and store then.
TrnResult trn_stream_omit_voxels(TrnStream *stream);

/// Returns the store that a stream fills.
TrnStore *trn_stream_store(const TrnStream *stream);

/// Returns the microseconds that the last update took.
double trn_stream_update_us(const TrnStream *stream);

/// Changes TrnStreamDef.bytes_max, from the next update on. 0: no limit.
void trn_stream_set_bytes_max(TrnStream *stream, size_t bytes_max);

/// Returns the workers of a stream, for tasks.
TrnStreamWorkers *trn_stream_level_workers(const TrnStream *stream);

/// Loads or generates a chunk as a worker of the stream would, also of a damaged row.
/// @param worker  as in TrnStreamJob: 0 on the calling thread
/// @param blocks  [TRN_CHUNK_VOXELS] receives the blocks
/// Errors: those of the hooks. Threads: any, once a worker number.
TrnResult trn_stream_fetch(const TrnStream *stream, TrnCoord coord, uint32_t worker,
                           TrnBlock *blocks);

/// Whether the stream saves what it unloads, and loads it again.
bool trn_stream_keeps_changes(const TrnStream *stream);

/// Saves a chunk that is not loaded, on the calling thread. The stream must keep changes.
/// @param blocks  [TRN_CHUNK_VOXELS] its blocks
/// Errors: NO_MEMORY, FULL, READERS, and those of the source.
TrnResult trn_stream_save_blocks(TrnStream *stream, TrnCoord coord, const TrnBlock *blocks);

/// Whether a view wants a chunk, or it is not unloaded yet: a worker may be loading it.
bool trn_stream_has_cell(const TrnStream *stream, TrnCoord coord);

/// Walks the loaded chunks with unsaved changes, from *cursor = 0 until it returns false.
bool trn_stream_next_unsaved(const TrnStream *stream, uint32_t *cursor, TrnCoord *coord);

// ---- anchors -----------------------------------------------------------------------------------

/// Walks the anchors of a stream in the order in which they were added, from *cursor = 0 until it
/// returns false. A removed anchor is not among them; its id is STALE_ID to trn_stream_view().
/// @param id,anchor  receive the anchor
bool trn_stream_next_anchor(const TrnStream *stream, uint32_t *cursor, TrnStreamAnchorId *id,
                            TrnStreamAnchor *anchor);

/// Returns an anchor of level 0 in the units of a level: its position and velocity. View, radius
/// and height stay.
TrnStreamAnchor trn_stream_anchor_at_level(const TrnStreamAnchor *anchor, uint32_t level);

// ---- what is on screen -------------------------------------------------------------------------

/// Sets a stream's watch, and calls `shown` for all chunks that are on screen now. Destroying a
/// stream tells nothing.
/// @param watch  copied; NULL: none from now on
/// Errors: EXISTS (the stream has a watch).
TrnResult trn_stream_watch(TrnStream *stream, const TrnStreamWatch *watch);

#endif
