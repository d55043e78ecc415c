// Runs of voxels: how edits of one chunk are stored, compared and written.

#include "edits/edit_runs_impl.h"

#include <stdalign.h>
#include <string.h>

#include "voxels/voxel_read_internal.h"

/// Up to this many voxels are set one by one, most of them in place.
#define RUN_SET_VOXELS_MAX 8

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

/// Appends what differs in a half-layer. Decodes the rows from the first to the last with a bit.
/// @param rows  [TRN_HALF_ROWS] bits of the half-layer
static TrnResult edit_runs_add_half(TrnEditRuns *runs, const TrnAllocator *allocator,
                                    TrnSnapshot before, TrnSnapshot after, uint32_t half,
                                    const uint32_t *rows)
{
    TrnBlock was[TRN_PAYLOAD_HALF_VOXELS], is[TRN_PAYLOAD_HALF_VOXELS];
    uint32_t first = 0, end = TRN_HALF_ROWS;
    while (first < end && !rows[first]) {
        first++;
    }
    while (end > first && !rows[end - 1]) {
        end--;
    }
    if (first == end) {
        return TRN_RESULT_OK;
    }
    const uint32_t row = half * TRN_HALF_ROWS + first;
    trn_snapshot_decode_rows(before, row, end - first, was);
    trn_snapshot_decode_rows(after, row, end - first, is);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < end - first && result == TRN_RESULT_OK; i++) {
        const size_t at = (size_t)i * TRN_CHUNK_EDGE;
        result = edit_runs_add_row(runs, allocator, row + i, rows[first + i], was + at, is + at);
    }
    return result;
}

TrnResult trn_edit_runs_add_diff(TrnEditRuns *runs, const TrnAllocator *allocator,
                                 TrnSnapshot before, TrnSnapshot after, uint64_t halves,
                                 const uint32_t *rows)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint64_t left = halves; left && result == TRN_RESULT_OK; left &= left - 1) {
        const uint32_t half = (uint32_t)__builtin_ctzll(left);
        result = edit_runs_add_half(runs, allocator, before, after, half,
                                    rows + (size_t)half * TRN_HALF_ROWS);
    }
    return result;
}

// ---- write -------------------------------------------------------------------------------------

static TrnBlock edit_run_block(const TrnEditRun *run, TrnRunSide side)
{
    return side == TRN_RUN_BEFORE ? run->before : run->after;
}

uint32_t trn_edit_runs_mark(const TrnEditRun *runs, uint32_t count, uint32_t *rows)
{
    uint32_t voxels = 0;
    memset(rows, 0, sizeof(uint32_t[TRN_CHUNK_ROWS]));
    for (uint32_t i = 0; i < count; i++) {
        trn_rows_mark(rows, runs[i].first, runs[i].last);
        voxels += (uint32_t)(runs[i].last - runs[i].first) + 1;
    }
    return voxels;
}

/// Runs to write to units.
typedef struct RunsToWrite {
    const TrnEditRun *runs;
    uint32_t count;
    TrnRunSide side;
} RunsToWrite;

static void edit_runs_change(TrnEditState *edit, const TrnEditWrite *write)
{
    const RunsToWrite *to_write = write->of;
    for (uint32_t i = 0; i < to_write->count; i++) {
        const TrnEditRun *run = &to_write->runs[i];
        const TrnBlock block = edit_run_block(run, to_write->side);
        trn_edit_fill_units(edit, run->first, run->last, block);
    }
}

uint64_t trn_edit_runs_halves(const TrnEditRun *runs, uint32_t count)
{
    uint64_t halves = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t first = runs[i].first / TRN_PAYLOAD_HALF_VOXELS;
        const uint32_t last = runs[i].last / TRN_PAYLOAD_HALF_VOXELS;
        halves |= UINT64_MAX << first & UINT64_MAX >> (TRN_PAYLOAD_HALVES - 1 - last);
    }
    return halves;
}

/// Writes runs that may be many, all at once.
static TrnResult edit_runs_write_units(TrnEditState *edit, const RunsToWrite *to_write)
{
    TrnEditWrite write = {.change = edit_runs_change,
                          .of = to_write,
                          .halves = trn_edit_runs_halves(to_write->runs, to_write->count)};
    for (uint32_t i = 0; i < to_write->count; i++) {
        const TrnEditRun *run = &to_write->runs[i];
        write.types += i == 0 || edit_run_block(run, to_write->side) !=
                                     edit_run_block(run - 1, to_write->side);
    }
    return trn_edit_write_units(edit, &write);
}

TrnResult trn_edit_runs_write(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                              TrnRunSide side)
{
    uint32_t voxels = 0;
    for (uint32_t i = 0; i < count; i++) {
        voxels += (uint32_t)(runs[i].last - runs[i].first) + 1;
    }
    if (voxels == TRN_CHUNK_VOXELS && count == 1) {
        const uint32_t from[3] = {0, 0, 0};
        const uint32_t to[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
        return trn_voxel_edit_fill_box(edit, from, to, edit_run_block(runs, side));
    }
    if (voxels > RUN_SET_VOXELS_MAX) {
        return edit_runs_write_units(trn_edit_state(edit), &(RunsToWrite){runs, count, side});
    }
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < count; i++) {
        const TrnBlock block = edit_run_block(&runs[i], side);
        for (uint32_t at = runs[i].first; at <= runs[i].last && result == TRN_RESULT_OK; at++) {
            result = trn_edit_set(trn_edit_state(edit), at, block);
        }
    }
    return result;
}

TrnResult trn_edit_runs_write_diff(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                   TrnBlock *was, TrnEditRuns *diff, const TrnAllocator *allocator)
{
    uint32_t rows[TRN_CHUNK_ROWS];
    (void)trn_edit_runs_mark(runs, count, rows);
    TrnEditState *state = trn_edit_state(edit);
    TrnResult result = trn_edit_flush(state);
    if (result == TRN_RESULT_OK) {
        trn_snapshot_decode(trn_edit_now(state), was);
        result = trn_edit_runs_write(edit, runs, count, TRN_RUN_AFTER);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_edit_flush(state);
    }
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        if (rows[row]) {
            TrnBlock is[TRN_CHUNK_EDGE];
            trn_snapshot_decode_row(trn_edit_now(state), row >> TRN_CHUNK_SHIFT, row, is);
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
        trn_rows_mark(painting->rows, run->first, run->last);
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
