// Runs of voxels, and the edits that wait as such for chunks which are not there.

#include "history.h"

#include <stdalign.h>
#include <string.h>

/// Up to so many voxels of one block are set one by one; a mask costs as much as some hundred.
#define RUN_SET_VOXELS_MAX 96

/// A segment is painted anew, so that no voxel is written twice, when it has so many runs, and each
/// time that these have doubled. Painted it has at most TRN_CHUNK_VOXELS.
#define COMPACT_RUNS_LEAST 4096

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
        const uint32_t wide = runs->capacity ? 2 * runs->capacity : TRN_EDIT_RUNS_LEAST;
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
            result = trn_voxel_edit_set(edit, at, block);
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

/// Makes runs as few as they can be. Painting may also make more of them, and they stay as they are
/// then.
static void compact_runs(TrnEditRuns *runs, const TrnAllocator *scratch)
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

/// Compacts a segment that has grown enough since the last time.
static void segment_compact(TrnPending *pending, TrnSegment *segment)
{
    if (segment->runs.count < segment->compact_at) {
        return;
    }
    compact_runs(&segment->runs, &pending->scratch);
    const uint32_t twice = 2 * segment->runs.count;
    segment->compact_at = twice > COMPACT_RUNS_LEAST ? twice : COMPACT_RUNS_LEAST;
}

// ---- records by coordinate ---------------------------------------------------------------------

static uint32_t waiting_hash(TrnCoord coord)
{
    uint64_t hash = (uint32_t)coord.x | (uint64_t)(uint32_t)coord.z << 32;
    hash = (hash ^ (uint64_t)(uint32_t)coord.y * UINT64_C(0x9E3779B97F4A7C15)) *
           UINT64_C(0xFF51AFD7ED558CCD);
    hash = (hash ^ hash >> 32) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (uint32_t)(hash >> 32);
}

/// The place of a coordinate: its record's, or the vacant one where it would go.
static uint32_t waiting_place(const TrnWaitingMap *map, TrnCoord coord)
{
    uint32_t at = waiting_hash(coord) & (map->capacity - 1);
    while (map->places[at] && !trn_coord_equal(map->places[at]->coord, coord)) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

TrnWaiting *trn_waiting_find(const TrnWaitingMap *map, TrnCoord coord)
{
    return map->count ? map->places[waiting_place(map, coord)] : NULL;
}

static void waiting_map_free(TrnWaitingMap *map, const TrnAllocator *allocator)
{
    trn_give(allocator, map->places, map->capacity * sizeof(TrnWaiting *));
    *map = (TrnWaitingMap){0};
}

void trn_waiting_put(TrnWaitingMap *map, TrnWaiting *waiting)
{
    map->places[waiting_place(map, waiting->coord)] = waiting;
    map->count++;
}

TrnResult trn_waiting_reserve(TrnWaitingMap *map, const TrnAllocator *allocator, uint32_t more)
{
    const uint64_t wanted = (uint64_t)map->count + more;
    uint64_t capacity = map->capacity ? map->capacity : 8;
    while (capacity * 3 < wanted * 4) {
        capacity *= 2;
    }
    if (more == 0 || capacity == map->capacity) {
        return TRN_RESULT_OK;
    }
    if (capacity > UINT32_MAX / 2) {
        return TRN_RESULT_FULL;
    }
    TrnWaitingMap wide = {NULL, (uint32_t)capacity, 0};
    wide.places = trn_take(allocator, capacity * sizeof(TrnWaiting *), alignof(TrnWaiting *));
    if (!wide.places) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(wide.places, 0, capacity * sizeof(TrnWaiting *));
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_waiting_put(&wide, map->places[at]);
        }
    }
    waiting_map_free(map, allocator);
    *map = wide;
    return TRN_RESULT_OK;
}

/// Closes the gap at a place, so that whoever looks for those behind it still gets there.
static void waiting_close_gap(TrnWaitingMap *map, uint32_t gap)
{
    const uint32_t mask = map->capacity - 1;
    for (uint32_t at = (gap + 1) & mask; map->places[at]; at = (at + 1) & mask) {
        const uint32_t home = waiting_hash(map->places[at]->coord) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            map->places[gap] = map->places[at];
            gap = at;
        }
    }
    map->places[gap] = NULL;
}

void trn_waiting_take(TrnWaitingMap *map, const TrnAllocator *allocator, const TrnWaiting *waiting)
{
    waiting_close_gap(map, waiting_place(map, waiting->coord));
    map->count--;
    if (map->count == 0) {
        waiting_map_free(map, allocator);
    }
}

// ---- records and segments ----------------------------------------------------------------------

/// Puts a segment at the end of a record.
static void waiting_append(TrnWaiting *waiting, TrnSegment *segment)
{
    segment->waiting = waiting;
    segment->older = waiting->newest;
    segment->newer = NULL;
    *(waiting->newest ? &waiting->newest->newer : &waiting->oldest) = segment;
    waiting->newest = segment;
}

static void waiting_unlink(TrnSegment *segment)
{
    TrnWaiting *waiting = segment->waiting;
    *(segment->older ? &segment->older->newer : &waiting->oldest) = segment->newer;
    *(segment->newer ? &segment->newer->older : &waiting->newest) = segment->older;
}

static void segment_free(TrnPending *pending, TrnSegment *segment)
{
    trn_edit_runs_free(&segment->runs, &pending->allocator);
    trn_give(&pending->allocator, segment, sizeof *segment);
}

static TrnResult waiting_add_segment(TrnPending *pending, TrnWaiting *waiting, bool is_grouped,
                                     TrnSegment **segment)
{
    TrnSegment *made = trn_take(&pending->allocator, sizeof *made, alignof(TrnSegment));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnSegment){.compact_at = COMPACT_RUNS_LEAST, .is_grouped = is_grouped};
    waiting_append(waiting, made);
    *segment = made;
    return TRN_RESULT_OK;
}

/// A record with its first segment.
static TrnResult waiting_create(TrnPending *pending, TrnWaitingMap *map, TrnCoord coord,
                                bool is_grouped, TrnSegment **segment)
{
    TrnResult result = trn_waiting_reserve(map, &pending->allocator, 1);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnWaiting *made = trn_take(&pending->allocator, sizeof *made, alignof(TrnWaiting));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnWaiting){.coord = coord};
    result = waiting_add_segment(pending, made, is_grouped, segment);
    if (result != TRN_RESULT_OK) {
        trn_give(&pending->allocator, made, sizeof *made);
        return result;
    }
    trn_waiting_put(map, made);
    return TRN_RESULT_OK;
}

TrnResult trn_waiting_open(TrnPending *pending, TrnWaitingMap *map, TrnCoord coord, bool is_grouped,
                           TrnSegment **segment)
{
    TrnWaiting *waiting = trn_waiting_find(map, coord);
    if (!waiting) {
        return waiting_create(pending, map, coord, is_grouped, segment);
    }
    if (waiting->newest->is_grouped != is_grouped) {
        return waiting_add_segment(pending, waiting, is_grouped, segment);
    }
    *segment = waiting->newest;
    return TRN_RESULT_OK;
}

TrnResult trn_segment_add(TrnPending *pending, TrnSegment *segment, TrnEditRun run)
{
    TrnEditRuns *runs = &segment->runs;
    TrnEditRun *last = runs->count ? &runs->runs[runs->count - 1] : NULL;
    if (last && last->first >= run.first && last->last <= run.last) {
        *last = run; // nothing is left of the run before
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_runs_add(runs, &pending->allocator, run);
    if (result == TRN_RESULT_OK) {
        segment_compact(pending, segment);
    }
    return result;
}

void trn_waiting_free(TrnPending *pending, TrnWaiting *waiting)
{
    for (TrnSegment *segment = waiting->oldest, *newer; segment; segment = newer) {
        newer = segment->newer;
        segment_free(pending, segment);
    }
    trn_give(&pending->allocator, waiting, sizeof *waiting);
}

void trn_waiting_clear(TrnPending *pending, TrnWaitingMap *map)
{
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_waiting_free(pending, map->places[at]);
        }
    }
    waiting_map_free(map, &pending->allocator);
}

// ---- what the store keeps ----------------------------------------------------------------------

TrnResult trn_pending_create(TrnStore *store)
{
    const TrnAllocator books = trn_store_allocator(store, TRN_STORE_BOOKS);
    TrnPending *made = trn_take(&books, sizeof *made, alignof(TrnPending));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnPending){.store = store,
                         .allocator = trn_store_allocator(store, TRN_STORE_PENDING),
                         .scratch = trn_store_allocator(store, TRN_STORE_EDITS)};
    store->pending = made;
    return TRN_RESULT_OK;
}

void trn_pending_destroy(TrnStore *store)
{
    if (!store->pending) {
        return;
    }
    trn_waiting_clear(store->pending, &store->pending->map);
    const TrnAllocator books = trn_store_allocator(store, TRN_STORE_BOOKS);
    trn_give(&books, store->pending, sizeof *store->pending);
    store->pending = NULL;
}

static void group_link(TrnGroup *group, TrnSegment *segment)
{
    segment->group = group;
    if (group) {
        segment->group_older = group->newest_segment;
        segment->group_newer = NULL;
        *(group->newest_segment ? &group->newest_segment->group_newer : &group->segments) = segment;
        group->newest_segment = segment;
    }
}

static void group_unlink(TrnSegment *segment)
{
    TrnGroup *group = segment->group;
    if (group) {
        *(segment->group_older ? &segment->group_older->group_newer : &group->segments) =
            segment->group_newer;
        *(segment->group_newer ? &segment->group_newer->group_older : &group->newest_segment) =
            segment->group_older;
        segment->group = NULL;
    }
}

/// Makes a segment of the store and the next newer one, of the same group or both of none, one.
/// Where there is no memory for it, they stay two.
static void segment_merge_newer(TrnPending *pending, TrnSegment *segment)
{
    TrnSegment *newer = segment->newer;
    const uint32_t count = segment->runs.count + newer->runs.count;
    uint32_t capacity = segment->runs.capacity ? segment->runs.capacity : TRN_EDIT_RUNS_LEAST;
    while (capacity < count) {
        capacity *= 2;
    }
    if (trn_edit_runs_reserve(&segment->runs, &pending->allocator, capacity) != TRN_RESULT_OK) {
        return;
    }
    if (newer->runs.count > 0) {
        memcpy(segment->runs.runs + segment->runs.count, newer->runs.runs,
               newer->runs.count * sizeof *newer->runs.runs);
    }
    segment->runs.count = count;
    // Compacted when either would have been: a short one that takes a long one on is not due yet.
    segment->compact_at =
        segment->compact_at > newer->compact_at ? segment->compact_at : newer->compact_at;
    segment_compact(pending, segment);
    pending->runs -= count - segment->runs.count;
    group_unlink(newer);
    waiting_unlink(newer);
    segment_free(pending, newer);
}

/// Makes a segment one with those beside it, where it can be.
static void segment_merge(TrnPending *pending, TrnSegment *segment)
{
    if (segment->newer && segment->newer->group == segment->group) {
        segment_merge_newer(pending, segment);
    }
    if (segment->older && segment->older->group == segment->group) {
        segment_merge_newer(pending, segment->older);
    }
}

void trn_pending_take_over(TrnPending *pending, TrnWaiting *waiting, TrnGroup *group)
{
    TrnWaiting *kept = trn_waiting_find(&pending->map, waiting->coord);
    if (!kept) {
        kept = waiting;
        trn_waiting_put(&pending->map, kept);
    }
    TrnSegment *segment = waiting->oldest, *newer;
    if (kept == waiting) {
        kept->oldest = kept->newest = NULL;
    }
    for (; segment; segment = newer) {
        newer = segment->newer;
        waiting_append(kept, segment);
        group_link(segment->is_grouped ? group : NULL, segment);
        pending->runs += segment->runs.count;
        segment_merge(pending, segment);
    }
    if (kept != waiting) {
        trn_give(&pending->allocator, waiting, sizeof *waiting);
    }
}

void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment)
{
    group_unlink(segment);
    segment_merge(pending, segment);
}

/// A record of the store that has no segments any more goes.
static void pending_forget_empty(TrnPending *pending, TrnWaiting *waiting)
{
    if (!waiting->oldest) {
        trn_waiting_take(&pending->map, &pending->allocator, waiting);
        trn_give(&pending->allocator, waiting, sizeof *waiting);
    }
}

/// Frees a segment of the store, and leaves its record behind.
static void pending_free_segment(TrnPending *pending, TrnSegment *segment)
{
    pending->runs -= segment->runs.count;
    group_unlink(segment);
    waiting_unlink(segment);
    segment_free(pending, segment);
}

void trn_pending_drop(TrnPending *pending, TrnSegment *segment)
{
    TrnWaiting *waiting = segment->waiting;
    TrnSegment *older = segment->older;
    pending_free_segment(pending, segment);
    if (older) {
        segment_merge(pending, older);
    }
    pending_forget_empty(pending, waiting);
}

/// Frees a record of the store. @return its runs
static uint32_t pending_drop_all(TrnPending *pending, TrnWaiting *waiting)
{
    uint32_t runs = 0;
    while (waiting->oldest) {
        runs += waiting->oldest->runs.count;
        pending_free_segment(pending, waiting->oldest);
    }
    pending_forget_empty(pending, waiting);
    return runs;
}

uint32_t trn_store_drop_pending(TrnStore *store, TrnCoord coord)
{
    TrnWaiting *waiting = trn_waiting_find(&store->pending->map, coord);
    return waiting ? pending_drop_all(store->pending, waiting) : 0;
}

size_t trn_store_pending(const TrnStore *store, TrnCoord *coords, size_t capacity)
{
    const TrnWaitingMap *map = &store->pending->map;
    size_t count = 0;
    for (uint32_t at = 0; at < map->capacity && count < capacity; at++) {
        if (map->places[at]) {
            coords[count++] = map->places[at]->coord;
        }
    }
    return map->count;
}

uint32_t trn_pending_runs(const TrnStore *store, TrnCoord coord)
{
    const TrnWaiting *waiting = trn_waiting_find(&store->pending->map, coord);
    uint32_t runs = 0;
    for (const TrnSegment *at = waiting ? waiting->oldest : NULL; at; at = at->newer) {
        runs += at->runs.count;
    }
    return runs;
}

TrnPendingStats trn_pending_stats(const TrnStore *store)
{
    const TrnPending *pending = store->pending;
    return (TrnPendingStats){pending->map.count, pending->runs, pending->applied};
}

// ---- arrival -----------------------------------------------------------------------------------

/// What it takes to apply what waits for a chunk.
typedef struct ArrivalWork {
    const TrnPending *pending;
    TrnVoxelEdit edit;
    TrnBlock *was; ///< [TRN_CHUNK_VOXELS], once a segment has a group
    TrnEditRuns noted;
    TrnNote *oldest, *newest; ///< notes for the groups
} ArrivalWork;

static void arrival_free_notes(TrnNote *note)
{
    for (TrnNote *newer; note; note = newer) {
        newer = note->newer;
        trn_note_free(note->group->history, note);
    }
}

static TrnResult arrival_note(ArrivalWork *work, const TrnSegment *segment)
{
    TrnNote *note;
    TrnResult result = trn_note_create(segment->group->history, segment->waiting->coord,
                                       work->noted.runs, work->noted.count, &note);
    if (result == TRN_RESULT_OK) {
        note->group = segment->group;
        *(work->newest ? &work->newest->newer : &work->oldest) = note;
        work->newest = note;
    }
    return result;
}

static TrnResult arrival_apply_noted(ArrivalWork *work, const TrnSegment *segment)
{
    const TrnAllocator *scratch = &work->pending->scratch;
    if (!work->was) {
        work->was = trn_take(scratch, TRN_CHUNK_BLOCKS_BYTES, TRN_CACHE_LINE);
    }
    if (!work->was) {
        return TRN_RESULT_NO_MEMORY;
    }
    work->noted.count = 0;
    TrnResult result = trn_edit_runs_write_noted(
        &work->edit, segment->runs.runs, segment->runs.count, work->was, &work->noted, scratch);
    return result == TRN_RESULT_OK && work->noted.count ? arrival_note(work, segment) : result;
}

static TrnResult arrival_apply(ArrivalWork *work, const TrnWaiting *waiting)
{
    TrnResult result = TRN_RESULT_OK;
    for (const TrnSegment *at = waiting->oldest; at && result == TRN_RESULT_OK; at = at->newer) {
        result = at->group ? arrival_apply_noted(work, at)
                           : trn_edit_runs_write(&work->edit, at->runs.runs, at->runs.count,
                                                 TRN_RUN_AFTER);
    }
    trn_give(&work->pending->scratch, work->was, TRN_CHUNK_BLOCKS_BYTES);
    trn_edit_runs_free(&work->noted, &work->pending->scratch);
    return result;
}

TrnResult trn_pending_prepare(TrnStore *store, TrnCoord coord, TrnVoxels *voxels, uint64_t revision,
                              TrnArrival *arrival)
{
    TrnWaiting *waiting = trn_waiting_find(&store->pending->map, coord);
    *arrival = (TrnArrival){.store = store, .record = waiting};
    if (!waiting) {
        return TRN_RESULT_OK;
    }
    ArrivalWork work = {.pending = store->pending};
    trn_voxel_edit_begin(&work.edit, store->heap, voxels);
    TrnResult result = arrival_apply(&work, waiting);
    if (result != TRN_RESULT_OK) {
        trn_voxel_edit_cancel(&work.edit);
        arrival_free_notes(work.oldest);
        return result;
    }
    trn_voxel_edit_commit(&work.edit, revision);
    arrival->notes = work.oldest;
    return TRN_RESULT_OK;
}

void trn_pending_arrive(TrnArrival *arrival)
{
    TrnPending *pending = arrival->store->pending;
    TrnWaiting *waiting = arrival->record;
    if (!waiting) {
        return;
    }
    for (TrnNote *note = arrival->notes, *newer; note; note = newer) {
        newer = note->newer;
        trn_group_append(note->group, note);
    }
    // A history that forgets makes segments groupless, which then grow together: each turn looks at
    // what is left.
    while (waiting->oldest) {
        TrnSegment *segment = waiting->oldest;
        TrnHistory *history = segment->group ? segment->group->history : NULL;
        pending->applied += segment->runs.count;
        pending_free_segment(pending, segment);
        if (history) {
            trn_history_hold_bound(history);
        }
    }
    pending_forget_empty(pending, waiting);
    *arrival = (TrnArrival){.store = arrival->store};
}

void trn_pending_abandon(TrnArrival *arrival)
{
    arrival_free_notes(arrival->notes);
    *arrival = (TrnArrival){.store = arrival->store};
}
