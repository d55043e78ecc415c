// Cells: their pool, and the index that finds them and holds their states.

#include "stream_cells.h"

#include "base/around.h"
#include "index/chunk_index_internal.h"

#define CELLS_BLOCK 2048u // cells in a block of their pool

TrnResult trn_stream_cells_create(TrnStreamCells *cells, uint32_t level, uint64_t hash_key,
                                  const TrnAllocator *allocator)
{
    static const TrnPlaneDef planes[TRN_STREAM_PLANE_END - 1] = {
        [TRN_STREAM_WANTED - 1] = {"wanted", false},
        [TRN_STREAM_SHOW - 1] = {"show", false},
        [TRN_STREAM_LOADED - 1] = {"loaded", false},
        [TRN_STREAM_SHOWN - 1] = {"shown", false},
        [TRN_STREAM_REMESH - 1] = {"remesh", false},
        [TRN_STREAM_UNSAVED - 1] = {"unsaved", false},
        [TRN_STREAM_REPEATABLE - 1] = {"repeatable", false},
        [TRN_STREAM_OPAQUE - 1] = {"opaque", false}};
    cells->level = level;
    TrnChunkIndexDef index = trn_chunk_index_def();
    index.planes = planes;
    index.plane_count = sizeof planes / sizeof *planes;
    index.reader_max = 0;
    index.hash_key = hash_key;
    index.allocator = allocator;
    TrnResult result = trn_chunk_index_create(&index, &cells->index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef pool = trn_pool_def(sizeof(TrnStreamCell));
    pool.block_slots = CELLS_BLOCK;
    pool.allocator = allocator;
    return trn_pool_create(&pool, &cells->pool);
}

void trn_stream_cells_destroy(TrnStreamCells *cells)
{
    trn_pool_destroy(cells->pool);
    trn_chunk_index_destroy(cells->index);
}

bool trn_stream_cells_prepare(TrnStreamCells *cells, uint32_t least, TrnPoolFresh *fresh)
{
    return trn_pool_prepare(cells->pool, least, fresh);
}

/// Allocates a cell, and adds it to the index. @return whether there was memory
static bool cells_take(TrnStreamCells *cells, TrnChunkRun *run, TrnCoord coord, TrnPoolId *id)
{
    void *memory;
    if (trn_pool_alloc(cells->pool, id, &memory) != TRN_RESULT_OK) {
        return false;
    }
    if (trn_chunk_run_insert(cells->index, run, coord, id->index1 - 1) != TRN_RESULT_OK) {
        (void)trn_pool_free(cells->pool, *id);
        return false;
    }
    return true;
}

uint32_t trn_stream_cells_find_or_add(TrnStreamCells *cells, const TrnCoord *coords, uint32_t count,
                                      TrnStreamCell **out, uint32_t *added)
{
    static const TrnStreamCell blank = {.list = UINT16_MAX, .is_unloading = true};
    TrnChunkRun run = {0};
    TrnPoolId ids[TRN_STREAM_BATCH];
    uint32_t done = 0;
    *added = 0;
    for (; done < count; done++) {
        uint32_t slot;
        if (!trn_chunk_run_find(cells->index, &run, coords[done], &slot)) {
            if (!cells_take(cells, &run, coords[done], &ids[done])) {
                break;
            }
            slot = ids[done].index1 - 1;
            *added |= UINT32_C(1) << done;
        }
        out[done] = trn_stream_cells_at(cells, slot);
        trn_stream_cells_prefetch(cells, slot); // before any is written: the misses overlap
    }
    for (uint32_t bits = *added; bits; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(bits);
        TrnStreamCell *cell = out[i];
        // Copied, since gcc zeroes a literal of this size by `rep stos`, which waits for memory.
        *cell = blank;
        cell->coord = coords[i];
        cell->slot = ids[i].index1 - 1;
        cell->generation = ids[i].generation;
    }
    return done;
}

bool trn_stream_cells_remove(TrnStreamCells *cells, TrnStreamCell *cell)
{
    TRN_ASSERT(!cell->is_loaded && !cell->work && !cell->mesh.mesh && !cell->group);
    if (trn_chunk_index_remove(cells->index, cell->coord, NULL) != TRN_RESULT_OK) {
        return false;
    }
    cells->wanted_count -= !cell->is_unloading;
    (void)trn_pool_free(cells->pool, (TrnPoolId){cell->slot + 1, cell->generation});
    return true;
}

void trn_stream_cells_set_loaded(TrnStreamCells *cells, TrnStreamCell *cell, bool is_loaded)
{
    TRN_ASSERT(cell->is_loaded != is_loaded);
    cell->is_loaded = is_loaded;
    cells->loaded_count += is_loaded ? 1u : UINT32_MAX;
    trn_stream_cells_set(cells, cell, TRN_STREAM_LOADED, is_loaded);
    if (!is_loaded) {
        trn_stream_cells_set(cells, cell, TRN_STREAM_SHOWN, false);
        trn_stream_cells_set(cells, cell, TRN_STREAM_REMESH, false);
        trn_stream_cells_set(cells, cell, TRN_STREAM_UNSAVED, false);
        trn_stream_cells_set(cells, cell, TRN_STREAM_REPEATABLE, false);
        trn_stream_cells_set(cells, cell, TRN_STREAM_OPAQUE, false);
    }
}

void trn_stream_cells_set_wanted(TrnStreamCells *cells, TrnStreamCell *cell, bool is_wanted)
{
    cells->wanted_count += (uint32_t)is_wanted - (uint32_t)!cell->is_unloading;
    cell->is_unloading = !is_wanted;
    trn_stream_cells_set(cells, cell, TRN_STREAM_WANTED, is_wanted);
}

uint32_t trn_stream_cells_around(const TrnStreamCells *cells, TrnCoord coord)
{
    return trn_around_in_level(coord, cells->level);
}

bool trn_stream_cells_have_neighbours(const TrnStreamCells *cells, TrnCoord coord)
{
    for (uint32_t bits = trn_stream_cells_around(cells, coord); bits; bits &= bits - 1) {
        const uint32_t at = (uint32_t)__builtin_ctz(bits);
        if (!trn_chunk_index_plane_test(cells->index, TRN_STREAM_LOADED,
                                        trn_coord_around(coord, at))) {
            return false;
        }
    }
    return true;
}

uint32_t trn_stream_cells_loaded(const TrnStreamCells *cells)
{
    return cells->loaded_count;
}

void trn_stream_cells_stats(const TrnStreamCells *cells, TrnStreamStats *stats)
{
    stats->wanted = cells->wanted_count;
    stats->loaded = cells->loaded_count;
    stats->shown = cells->shown_count;
    stats->unsaved = cells->unsaved_count;
}

size_t trn_stream_cells_bytes(const TrnStreamCells *cells)
{
    return trn_pool_stats(cells->pool).taken * sizeof(TrnStreamCell);
}

TrnResult trn_stream_cells_show(TrnStreamCells *cells, TrnBox row, bool is_shown)
{
    const TrnResult result =
        trn_chunk_index_plane_fill(cells->index, TRN_STREAM_SHOW, row, is_shown);
    return result == TRN_RESULT_OK ? result : TRN_RESULT_NO_MEMORY;
}

void trn_stream_cells_find_all(const TrnStreamCells *cells, const TrnCoord *coords, uint32_t count,
                               TrnStreamCell **out)
{
    TrnChunkRun run = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot;
        out[i] = NULL;
        if (trn_chunk_run_find(cells->index, &run, coords[i], &slot)) {
            out[i] = trn_stream_cells_at(cells, slot);
            trn_stream_cells_prefetch(cells, slot);
        }
    }
}
