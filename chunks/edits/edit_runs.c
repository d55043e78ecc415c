// Runs of voxels: how edits of a chunk are stored, compared and written.

#include "edit_runs_impl.h"

#include <stdalign.h>
#include <string.h>

/// Up to this many voxels of one block are set one by one; a mask costs as much as some hundred.
#define RUN_SET_VOXELS_MAX 96

// ---- runs --------------------------------------------------------------------------------------

TrnResult trn_edit_runs_reserve(TrnEditRuns *runs, const TrnAllocator *allocator, uint32_t capacity)
{
    if (runs->runs && capacity <= runs->capacity) {
        return TRN_RESULT_OK;
    }
    TrnEditRun *wide = trn_take(allocator, capacity * sizeof *wide, alignof(TrnEditRun));
    if (!wide) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (runs->runs) {
        memcpy(wide, runs->runs, runs->count * sizeof *wide);
    }
    trn_give(allocator, runs->runs, runs->capacity * sizeof *wide);
    runs->runs = wide;
    runs->capacity = capacity;
    return TRN_RESULT_OK;
}

void trn_edit_runs_free(TrnEditRuns *runs, const TrnAllocator *allocator)
{
    trn_give(allocator, runs->runs, runs->capacity * sizeof *runs->runs);
    *runs = (TrnEditRuns){0};
}

TrnResult trn_edit_runs_add(TrnEditRuns *runs, const TrnAllocator *allocator, TrnEditRun run)
{
    TrnEditRun *last = runs->count > 0 ? runs->runs + (runs->count - 1) : NULL;
    if (last && last->after == run.after && last->before == run.before &&
        last->last + 1 == run.first) {
        last->last = run.last;
        return TRN_RESULT_OK;
    }
    if (runs->count == runs->capacity || !runs->runs) { // both at first; clang-tidy cannot know
        const uint32_t wide = runs->capacity ? 2 * runs->capacity : TRN_EDIT_RUNS_MIN;
        TrnResult result = trn_edit_runs_reserve(runs, allocator, wide);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    runs->runs[runs->count++] = run;
    return TRN_RESULT_OK;
}

/// Adds a row of 32 voxels wherever its bit is set and the block is another one.
static TrnResult runs_add_row(TrnEditRuns *runs, const TrnAllocator *allocator, uint32_t row,
                              uint32_t bits, const TrnBlock *was, const TrnBlock *is)
{
    TrnResult result = TRN_RESULT_OK;
    for (; bits && result == TRN_RESULT_OK; bits &= bits - 1) {
        const uint32_t x = (uint32_t)__builtin_ctz(bits);
        const uint16_t index = (uint16_t)(row * TRN_CHUNK_EDGE + x);
        if (was[x] != is[x]) {
            result = trn_edit_runs_add(runs, allocator, (TrnEditRun){index, index, was[x], is[x]});
        }
    }
    return result;
}

static bool layer_is_empty(const uint32_t *rows)
{
    uint32_t any = 0;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        any |= rows[z];
    }
    return any == 0;
}

static void decode_layer(TrnSnapshot snapshot, uint32_t y, TrnBlock *blocks)
{
    const uint32_t min[3] = {0, y, 0}, max[3] = {TRN_CHUNK_EDGE - 1, y, TRN_CHUNK_EDGE - 1};
    (void)trn_snapshot_decode_box(snapshot, min, max, blocks);
}

TrnResult trn_edit_runs_add_diff(TrnEditRuns *runs, const TrnAllocator *allocator,
                                 TrnSnapshot before, TrnSnapshot after, const uint32_t *rows)
{
    TrnBlock was[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE], is[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        const uint32_t first = y * TRN_CHUNK_EDGE;
        if (layer_is_empty(rows + first)) {
            continue;
        }
        decode_layer(before, y, was);
        decode_layer(after, y, is);
        for (uint32_t z = 0; z < TRN_CHUNK_EDGE && result == TRN_RESULT_OK; z++) {
            result =
                runs_add_row(runs, allocator, first + z, rows[first + z],
                             was + (size_t)z * TRN_CHUNK_EDGE, is + (size_t)z * TRN_CHUNK_EDGE);
        }
    }
    return result;
}

static TrnBlock run_block(const TrnEditRun *run, TrnRunSide side)
{
    return side == TRN_RUN_BEFORE ? run->before : run->after;
}

static uint32_t run_voxels(const TrnEditRun *run)
{
    return (uint32_t)(run->last - run->first) + 1;
}

/// Sets the bits of a run.
static void run_mark(const TrnEditRun *run, uint32_t *rows)
{
    const uint32_t first_row = run->first >> TRN_CHUNK_SHIFT;
    const uint32_t last_row = run->last >> TRN_CHUNK_SHIFT;
    const uint32_t from = UINT32_MAX << (run->first & (TRN_CHUNK_EDGE - 1));
    const uint32_t to = UINT32_MAX >> (TRN_CHUNK_EDGE - 1 - (run->last & (TRN_CHUNK_EDGE - 1)));
    if (first_row == last_row) {
        rows[first_row] |= from & to;
        return;
    }
    rows[first_row] |= from;
    for (uint32_t row = first_row + 1; row < last_row; row++) {
        rows[row] = UINT32_MAX;
    }
    rows[last_row] |= to;
}

static TrnResult runs_set(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                          TrnBlock block)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t at = runs[i].first; at <= runs[i].last && result == TRN_RESULT_OK; at++) {
            result = trn_edit_set(trn_edit_state(edit), at, block);
        }
    }
    return result;
}

static TrnResult runs_fill(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                           TrnBlock block)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        run_mark(&runs[i], rows);
    }
    return trn_voxel_edit_fill_mask(edit, rows, block);
}

TrnResult trn_edit_runs_write(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                              TrnRunSide side)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0, end; i < count && result == TRN_RESULT_OK; i = end) {
        const TrnBlock block = run_block(&runs[i], side);
        uint32_t voxels = 0;
        for (end = i; end < count && run_block(&runs[end], side) == block; end++) {
            voxels += run_voxels(&runs[end]);
        }
        result = voxels <= RUN_SET_VOXELS_MAX ? runs_set(edit, runs + i, end - i, block)
                                              : runs_fill(edit, runs + i, end - i, block);
    }
    return result;
}

TrnResult trn_edit_runs_write_noted(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                    TrnBlock *was, TrnEditRuns *noted,
                                    const TrnAllocator *allocator)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        run_mark(&runs[i], rows);
    }
    trn_snapshot_decode(trn_edit_snapshot(edit), was);
    TrnResult result = trn_edit_runs_write(edit, runs, count, TRN_RUN_AFTER);
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if (rows[row]) {
            TrnBlock is[TRN_CHUNK_EDGE];
            trn_snapshot_decode_row(trn_edit_snapshot(edit), row >> TRN_CHUNK_SHIFT, row, is);
            result = runs_add_row(noted, allocator, row, rows[row],
                                  was + (size_t)row * TRN_CHUNK_EDGE, is);
        }
    }
    return result;
}

// ---- painting ----------------------------------------------------------------------------------

/// Voxels as a segment leaves them.
typedef struct Painting {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t rows[TRN_CHUNK_ROWS]; ///< which are painted
} Painting;

static void paint_runs(Painting *painting, const TrnEditRuns *runs)
{
    memset(painting->rows, 0, sizeof painting->rows);
    for (uint32_t i = 0; i < runs->count; i++) {
        const TrnEditRun *run = &runs->runs[i];
        run_mark(run, painting->rows);
        for (uint32_t at = run->first; at <= run->last; at++) {
            painting->blocks[at] = run->after;
        }
    }
}

/// The runs of a painting. @param out  [capacity] @return how many there are; only the first
/// `capacity` are written
static uint32_t painting_runs(const Painting *painting, TrnEditRun *out, uint32_t capacity)
{
    uint32_t count = 0;
    bool goes_on = false;
    TrnEditRun run = {0};
    for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
        if (!(painting->rows[at >> TRN_CHUNK_SHIFT] >> (at & (TRN_CHUNK_EDGE - 1)) & 1)) {
            goes_on = false;
            continue;
        }
        if (!goes_on || painting->blocks[at] != run.after) {
            run = (TrnEditRun){(uint16_t)at, (uint16_t)at, 0, painting->blocks[at]};
            count++;
        }
        run.last = (uint16_t)at;
        goes_on = true;
        if (count <= capacity) {
            out[count - 1] = run;
        }
    }
    return count;
}

void trn_edit_runs_compact(TrnEditRuns *runs, const TrnAllocator *scratch)
{
    Painting *painting = trn_take(scratch, sizeof *painting, alignof(Painting));
    if (!painting) {
        return; // another time
    }
    paint_runs(painting, runs);
    if (painting_runs(painting, NULL, 0) < runs->count) {
        runs->count = painting_runs(painting, runs->runs, runs->count);
    }
    trn_give(scratch, painting, sizeof *painting);
}
