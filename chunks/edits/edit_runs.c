// Runs of voxels: how edits of one chunk are stored, compared and written.

#include "edits/edit_runs_impl.h"

#include <stdalign.h>
#include <string.h>

/// Up to this many voxels of one block are set one by one. A mask costs as much as some hundred.
#define RUN_SET_VOXELS_MAX 96

// ---- append ------------------------------------------------------------------------------------

TrnResult trn_edit_runs_add(TrnEditRuns *runs, const TrnAllocator *allocator, TrnEditRun run)
{
    TrnEditRun *last = runs->count > 0 ? &runs->items[runs->count - 1] : NULL;
    if (last && last->after == run.after && last->before == run.before &&
        last->last + 1 == run.first) {
        last->last = run.last;
        return TRN_RESULT_OK;
    }
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): an array with capacity has items
    return trn_array_push(runs, allocator, run);
}

/// The end of the run of voxels from x on that have a bit and the same blocks as x.
static uint32_t edit_run_end(uint32_t x, uint32_t bits, const TrnBlock *was, const TrnBlock *is)
{
    uint32_t end = x + 1;
    while (end < TRN_CHUNK_EDGE && (bits >> end & 1) && was[end] == was[x] && is[end] == is[x]) {
        end++;
    }
    return end;
}

/// Appends the voxels of a row whose bit is set and whose block differs.
static TrnResult edit_runs_add_row(TrnEditRuns *runs, const TrnAllocator *allocator, uint32_t row,
                                   uint32_t bits, const TrnBlock *was, const TrnBlock *is)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t x = 0; x < TRN_CHUNK_EDGE && bits >> x && result == TRN_RESULT_OK;) {
        x += (uint32_t)__builtin_ctz(bits >> x);
        const uint32_t first = row * TRN_CHUNK_EDGE + x, end = edit_run_end(x, bits, was, is);
        if (was[x] != is[x]) {
            const TrnEditRun run = {(uint16_t)first, (uint16_t)(first + end - x - 1), was[x],
                                    is[x]};
            result = trn_edit_runs_add(runs, allocator, run);
        }
        x = end;
    }
    return result;
}

/// Appends what differs in a layer. Decodes the rows from the first to the last with a bit.
/// @param rows  [TRN_CHUNK_EDGE] bits of the layer
static TrnResult edit_runs_add_layer(TrnEditRuns *runs, const TrnAllocator *allocator,
                                     const TrnSnapshot sides[2], uint32_t y, const uint32_t *rows)
{
    TrnBlock was[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE], is[TRN_CHUNK_EDGE * TRN_CHUNK_EDGE];
    uint32_t min[3] = {0, y, 0}, max[3] = {TRN_CHUNK_EDGE - 1, y, TRN_CHUNK_EDGE - 1};
    while (min[2] < max[2] && rows[min[2]] == 0) {
        min[2]++;
    }
    while (max[2] > min[2] && rows[max[2]] == 0) {
        max[2]--;
    }
    if (rows[min[2]] == 0) {
        return TRN_RESULT_OK;
    }
    (void)trn_snapshot_decode_box(sides[0], min, max, was);
    (void)trn_snapshot_decode_box(sides[1], min, max, is);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t z = min[2]; z <= max[2] && result == TRN_RESULT_OK; z++) {
        const size_t at = (size_t)(z - min[2]) * TRN_CHUNK_EDGE;
        result =
            edit_runs_add_row(runs, allocator, y * TRN_CHUNK_EDGE + z, rows[z], was + at, is + at);
    }
    return result;
}

TrnResult trn_edit_runs_add_diff(TrnEditRuns *runs, const TrnAllocator *allocator,
                                 TrnSnapshot before, TrnSnapshot after, const uint32_t *rows)
{
    const TrnSnapshot sides[2] = {before, after};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE && result == TRN_RESULT_OK; y++) {
        result = edit_runs_add_layer(runs, allocator, sides, y, rows + (size_t)y * TRN_CHUNK_EDGE);
    }
    return result;
}

// ---- write -------------------------------------------------------------------------------------

static TrnBlock edit_run_block(const TrnEditRun *run, TrnRunSide side)
{
    return side == TRN_RUN_BEFORE ? run->before : run->after;
}

/// Sets the bits of a run's voxels.
/// @param rows  [TRN_CHUNK_ROWS]
static void edit_run_mark(const TrnEditRun *run, uint32_t *rows)
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

static TrnResult edit_runs_set_each(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
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

static TrnResult edit_runs_fill(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                TrnBlock block)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        edit_run_mark(&runs[i], rows);
    }
    return trn_voxel_edit_fill_mask(edit, rows, block);
}

TrnResult trn_edit_runs_write(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                              TrnRunSide side)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0, end; i < count && result == TRN_RESULT_OK; i = end) {
        const TrnBlock block = edit_run_block(&runs[i], side);
        uint32_t voxels = 0;
        for (end = i; end < count && edit_run_block(&runs[end], side) == block; end++) {
            voxels += (uint32_t)(runs[end].last - runs[end].first) + 1;
        }
        result = voxels <= RUN_SET_VOXELS_MAX ? edit_runs_set_each(edit, runs + i, end - i, block)
                                              : edit_runs_fill(edit, runs + i, end - i, block);
    }
    return result;
}

TrnResult trn_edit_runs_write_diff(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                   TrnBlock *was, TrnEditRuns *diff, const TrnAllocator *allocator)
{
    uint32_t rows[TRN_CHUNK_ROWS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        edit_run_mark(&runs[i], rows);
    }
    trn_snapshot_decode(trn_edit_snapshot(edit), was);
    TrnResult result = trn_edit_runs_write(edit, runs, count, TRN_RUN_AFTER);
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if (rows[row]) {
            TrnBlock is[TRN_CHUNK_EDGE];
            trn_snapshot_decode_row(trn_edit_snapshot(edit), row >> TRN_CHUNK_SHIFT, row, is);
            result = edit_runs_add_row(diff, allocator, row, rows[row],
                                       was + (size_t)row * TRN_CHUNK_EDGE, is);
        }
    }
    return result;
}

// ---- compact -----------------------------------------------------------------------------------

/// The last block that runs write to each voxel.
typedef struct RunPainting {
    TrnBlock blocks[TRN_CHUNK_VOXELS];
    uint32_t rows[TRN_CHUNK_ROWS]; ///< bits of the voxels that any run writes
} RunPainting;

static void edit_runs_paint(RunPainting *painting, const TrnEditRuns *runs)
{
    memset(painting->rows, 0, sizeof painting->rows);
    for (uint32_t i = 0; i < runs->count; i++) {
        const TrnEditRun *run = &runs->items[i];
        edit_run_mark(run, painting->rows);
        for (uint32_t at = run->first; at <= run->last; at++) {
            painting->blocks[at] = run->after;
        }
    }
}

/// The fewest runs that write a painting.
/// @param out  [capacity]
/// @return how many runs that takes; only the first `capacity` are written
static uint32_t edit_runs_of_painting(const RunPainting *painting, TrnEditRun *out,
                                      uint32_t capacity)
{
    uint32_t count = 0;
    bool continues = false;
    TrnEditRun run = {0};
    for (uint32_t at = 0; at < TRN_CHUNK_VOXELS; at++) {
        if (!(painting->rows[at >> TRN_CHUNK_SHIFT] >> (at & (TRN_CHUNK_EDGE - 1)) & 1)) {
            continues = false;
            continue;
        }
        if (!continues || painting->blocks[at] != run.after) {
            run = (TrnEditRun){(uint16_t)at, (uint16_t)at, 0, painting->blocks[at]};
            count++;
        }
        run.last = (uint16_t)at;
        continues = true;
        if (count <= capacity) {
            out[count - 1] = run;
        }
    }
    return count;
}

void trn_edit_runs_compact(TrnEditRuns *runs, const TrnAllocator *scratch)
{
    RunPainting *painting = trn_take(scratch, sizeof *painting, alignof(RunPainting));
    if (!painting) {
        return; // the next compaction tries again
    }
    edit_runs_paint(painting, runs);
    if (edit_runs_of_painting(painting, NULL, 0) < runs->count) {
        runs->count = edit_runs_of_painting(painting, runs->items, runs->count);
    }
    trn_give(scratch, painting, sizeof *painting);
}
