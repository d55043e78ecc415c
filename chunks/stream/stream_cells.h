/// Private: the cells of a stream. A cell is the stream's record of a chunk that a view holds.
///
/// The stream's index maps coordinates to cells, and its planes hold their states, so that a query
/// such as "loaded, to be shown, needs a mesh, all neighbours loaded" takes a few us for all cells.
/// "loaded" mirrors the store: store events write it, through trn_stream_cells_set_loaded.
#ifndef TERRANE_STREAM_STREAM_CELLS_H
#define TERRANE_STREAM_STREAM_CELLS_H

#include <terrane/stream.h>

#include "base/assert.h"
#include "base/memory.h"
#include "pool/pool_internal.h"

struct TrnStreamWork;

/// The planes of the index.
enum {
    TRN_STREAM_WANTED = 1, ///< a view holds the chunk
    TRN_STREAM_SHOW,       ///< a view shows the chunk
    TRN_STREAM_LOADED,     ///< in the store
    TRN_STREAM_SHOWN,      ///< with a current mesh
    TRN_STREAM_REMESH,     ///< needs a mesh and is in no queue
    TRN_STREAM_UNSAVED,
    TRN_STREAM_REPEATABLE, ///< its voxels are as generated, not uniform, and not omitted
    TRN_STREAM_OPAQUE,     ///< its voxels are omitted, and opaque all through
    TRN_STREAM_PLANE_END
};

#define TRN_STREAM_NO_CELL UINT32_MAX
#define TRN_STREAM_BATCH 16u ///< chunks that are wanted, unwanted, inserted or removed together

/// Whether a chunk is all air, as far as known without looking at its voxels.
enum { TRN_STREAM_AIR_UNKNOWN, TRN_STREAM_AIR_YES, TRN_STREAM_AIR_NO };

/// A mesh that a worker has finished, and what it was made from.
typedef struct TrnStreamMade {
    TrnStreamMesh mesh;
    uint64_t light; ///< hash of its light; 0: it has none
    uint32_t stamp; ///< of the cell when it began
    bool is_spared; ///< there is no mesh: it would be made from what the shown one was made from
} TrnStreamMade;

/// One record. Each group of fields belongs to one module; the others call its functions.
typedef struct TrnStreamCell {
    // Of the cells.
    TrnCoord coord;
    uint32_t slot;       ///< in the pool
    uint32_t generation; ///< of the slot
    bool is_loaded;      ///< in the store
    bool is_unloading;   ///< no view holds it
    // Of the hand-over: the stream itself is inserting or removing its chunk. Cleared by the event
    // of that, since listeners may answer it with changes of their own.
    bool is_arriving, is_leaving;
    // Of the meshes.
    bool was_shown;    ///< since it was loaded
    bool is_generated; ///< not uniform, not restored, and not shown yet
    uint8_t air;       ///< TRN_STREAM_AIR_...
    // Of the queue: its list, and its neighbours in the list.
    uint32_t next, prev; ///< TRN_STREAM_NO_CELL at the ends
    uint16_t list;
    // Of failures: how many in a row, the last one, and the update that retries.
    uint8_t tries;
    uint8_t failure;   ///< TrnResult
    uint32_t retry_at; ///< low 32 bits of the update's number
    // Of the jobs.
    uint32_t stamp;             ///< counts changes of its voxels and of those that touch it
    struct TrnStreamWork *work; ///< under way, or NULL
    /// The last save until it comes back, even if cancelled; then NULL.
    struct TrnStreamWork *save;
    // Of the groups.
    uint32_t group;        ///< group of an edit, plus one; 0: none
    uint32_t member_index; ///< in the group's members
    // Of the meshes.
    TrnStreamMesh mesh;  ///< the shown mesh
    uint64_t made_light; ///< as TrnStreamMade.light, of the shown mesh
    uint32_t made_stamp; ///< likewise
    // When it became wanted, and when it entered its state. Any file of the stream sets these.
    double wanted_us, since_us;
} TrnStreamCell;

typedef struct TrnStreamCells {
    uint32_t level;        ///< of the chunks
    TrnChunkIndex *index;  ///< coordinate to cell slot
    TrnPool *pool;         ///< of TrnStreamCell
    uint32_t loaded_count; ///< cells in the store
    // Set bits of three planes.
    uint32_t wanted_count, shown_count, unsaved_count;
} TrnStreamCells;

/// Creates empty cells. Errors: NO_MEMORY; destroy what there is.
/// @param hash_key  the store's, so that memory is equal where that is
TrnResult trn_stream_cells_create(TrnStreamCells *cells, uint32_t level, uint64_t hash_key,
                                  const TrnAllocator *allocator);
void trn_stream_cells_destroy(TrnStreamCells *cells);

/// Allocates memory of cells ahead if fewer than `least` would need more: see trn_pool_prepare.
bool trn_stream_cells_prepare(TrnStreamCells *cells, uint32_t least, TrnPoolFresh *fresh);

/// Finds the cells of some chunks, and creates those that are missing. Looks each coordinate up
/// once.
/// @param count  at most TRN_STREAM_BATCH
/// @param out    [count] receives the cells
/// @param added  receives a bit for each that was created, lowest first
/// @return how many it found or created: less than `count` without memory
uint32_t trn_stream_cells_find_or_add(TrnStreamCells *cells, const TrnCoord *coords, uint32_t count,
                                      TrnStreamCell **out, uint32_t *added);

/// Finds and prefetches the cells of some chunks. @param out  [count] receives them, NULL for none
void trn_stream_cells_find_all(const TrnStreamCells *cells, const TrnCoord *coords, uint32_t count,
                               TrnStreamCell **out);

/// Frees a cell that is not loaded, in no list, and that no module uses. @return false if the index
/// has no memory to remove it; the cell is then unchanged
bool trn_stream_cells_remove(TrnStreamCells *cells, TrnStreamCell *cell);

/// Records whether a cell's chunk is in the store. Unloading also clears the planes of its mesh and
/// of unsaved changes.
void trn_stream_cells_set_loaded(TrnStreamCells *cells, TrnStreamCell *cell, bool is_loaded);

/// Records whether a view holds a cell.
void trn_stream_cells_set_wanted(TrnStreamCells *cells, TrnStreamCell *cell, bool is_wanted);

/// Which neighbours of a chunk lie in the world, as a mask of trn_coord_around().
uint32_t trn_stream_cells_around(const TrnStreamCells *cells, TrnCoord coord);

/// Whether all of these are loaded.
bool trn_stream_cells_have_neighbours(const TrnStreamCells *cells, TrnCoord coord);

/// How many cells are loaded.
uint32_t trn_stream_cells_loaded(const TrnStreamCells *cells);

/// Counts cells by state. O(1).
void trn_stream_cells_stats(const TrnStreamCells *cells, TrnStreamStats *stats);

/// Sets or clears "show" in a row of chunks, whether they have cells or not. Clearing cannot fail.
/// Errors: NO_MEMORY.
TrnResult trn_stream_cells_show(TrnStreamCells *cells, TrnBox row, bool is_shown);

/// Bytes of the cells in use.
size_t trn_stream_cells_bytes(const TrnStreamCells *cells);

/// Walks all cells, from *cursor = 0 until it returns NULL. Finds none if the cells could not be
/// created.
static inline TrnStreamCell *trn_stream_cells_next(const TrnStreamCells *cells, uint32_t *cursor)
{
    return cells->pool ? trn_pool_next(cells->pool, cursor, NULL) : NULL;
}

static inline TrnStreamCell *trn_stream_cells_at(const TrnStreamCells *cells, uint32_t slot)
{
    return trn_pool_slot(cells->pool, slot);
}

/// Returns the cell of a coordinate, or NULL.
static inline TrnStreamCell *trn_stream_cells_find(const TrnStreamCells *cells, TrnCoord coord)
{
    uint32_t slot;
    return trn_chunk_index_find(cells->index, coord, &slot) ? trn_stream_cells_at(cells, slot)
                                                            : NULL;
}

/// Prefetches a cell for writing.
static inline void trn_stream_cells_prefetch(const TrnStreamCells *cells, uint32_t slot)
{
    const unsigned char *cell = (const unsigned char *)trn_stream_cells_at(cells, slot);
    __builtin_prefetch(cell, 1);
    __builtin_prefetch(cell + TRN_CACHE_LINE, 1);
}

static inline bool trn_stream_cells_test(const TrnStreamCells *cells, const TrnStreamCell *cell,
                                         TrnPlane plane)
{
    return trn_chunk_index_plane_test(cells->index, plane, cell->coord);
}

/// Sets or clears a cell's bit in a plane other than "wanted" and "loaded". Cannot fail, since the
/// cell's page exists.
static inline void trn_stream_cells_set(TrnStreamCells *cells, const TrnStreamCell *cell,
                                        TrnPlane plane, bool bit)
{
    if ((plane == TRN_STREAM_SHOWN || plane == TRN_STREAM_UNSAVED) &&
        trn_stream_cells_test(cells, cell, plane) != bit) {
        *(plane == TRN_STREAM_SHOWN ? &cells->shown_count : &cells->unsaved_count) +=
            bit ? 1u : UINT32_MAX; // -1
    }
    (void)trn_chunk_index_plane_set(cells->index, plane, cell->coord, bit);
}

#endif
