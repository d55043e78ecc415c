// Edits that wait for chunks that are not loaded.

#include "edits/pending_impl.h"

#include <stdalign.h>
#include <string.h>

/// A segment of this many runs is compacted, and again each time that its runs have doubled.
/// Compacted it has at most TRN_CHUNK_VOXELS.
#define COMPACT_RUNS_MIN 4096

// ---- records by coordinate ---------------------------------------------------------------------

static uint32_t pending_map_hash(TrnCoord coord)
{
    uint64_t hash = (uint32_t)coord.x | (uint64_t)(uint32_t)coord.z << 32;
    hash = (hash ^ (uint64_t)(uint32_t)coord.y * UINT64_C(0x9E3779B97F4A7C15)) *
           UINT64_C(0xFF51AFD7ED558CCD);
    hash = (hash ^ hash >> 32) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (uint32_t)(hash >> 32);
}

/// The place of a coordinate: its record's, or the vacant one where it would go.
static uint32_t pending_map_place(const TrnPendingMap *map, TrnCoord coord)
{
    uint32_t at = pending_map_hash(coord) & (map->capacity - 1);
    while (map->places[at] && !trn_coord_equal(map->places[at]->coord, coord)) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

TrnPendingChunk *trn_pending_map_find(const TrnPendingMap *map, TrnCoord coord)
{
    return map->count ? map->places[pending_map_place(map, coord)] : NULL;
}

static void pending_map_free(TrnPendingMap *map, const TrnAllocator *allocator)
{
    trn_give(allocator, map->places, map->capacity * sizeof(TrnPendingChunk *));
    *map = (TrnPendingMap){0};
}

void trn_pending_map_add(TrnPendingMap *map, TrnPendingChunk *record)
{
    map->places[pending_map_place(map, record->coord)] = record;
    map->count++;
}

TrnResult trn_pending_map_reserve(TrnPendingMap *map, const TrnAllocator *allocator, uint32_t more)
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
    TrnPendingMap wide = {NULL, (uint32_t)capacity, 0};
    wide.places =
        trn_take(allocator, capacity * sizeof(TrnPendingChunk *), alignof(TrnPendingChunk *));
    if (!wide.places) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(wide.places, 0, capacity * sizeof(TrnPendingChunk *));
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_pending_map_add(&wide, map->places[at]);
        }
    }
    pending_map_free(map, allocator);
    *map = wide;
    return TRN_RESULT_OK;
}

/// Closes the gap at a place, so that whoever looks for those behind it still gets there.
static void pending_map_close_gap(TrnPendingMap *map, uint32_t gap)
{
    const uint32_t mask = map->capacity - 1;
    for (uint32_t at = (gap + 1) & mask; map->places[at]; at = (at + 1) & mask) {
        const uint32_t home = pending_map_hash(map->places[at]->coord) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            map->places[gap] = map->places[at];
            gap = at;
        }
    }
    map->places[gap] = NULL;
}

void trn_pending_map_remove(TrnPendingMap *map, const TrnAllocator *allocator,
                            const TrnPendingChunk *record)
{
    pending_map_close_gap(map, pending_map_place(map, record->coord));
    map->count--;
    if (map->count == 0) {
        pending_map_free(map, allocator);
    }
}

// ---- records and segments ----------------------------------------------------------------------

/// Compacts a segment that has grown enough since the last time.
static void segment_compact(TrnPending *pending, TrnSegment *segment)
{
    if (segment->runs.count < segment->compact_at) {
        return;
    }
    trn_edit_runs_compact(&segment->runs, pending->scratch);
    const uint32_t twice = 2 * segment->runs.count;
    segment->compact_at = twice > COMPACT_RUNS_MIN ? twice : COMPACT_RUNS_MIN;
}

/// Puts a segment at the end of a record.
static void pending_append(TrnPendingChunk *record, TrnSegment *segment)
{
    segment->record = record;
    segment->older = record->newest;
    segment->newer = NULL;
    *(record->newest ? &record->newest->newer : &record->oldest) = segment;
    record->newest = segment;
}

static void pending_unlink(TrnSegment *segment)
{
    TrnPendingChunk *record = segment->record;
    *(segment->older ? &segment->older->newer : &record->oldest) = segment->newer;
    *(segment->newer ? &segment->newer->older : &record->newest) = segment->older;
}

static void segment_free(TrnPending *pending, TrnSegment *segment)
{
    trn_edit_runs_free(&segment->runs, pending->allocator);
    trn_give(pending->allocator, segment, sizeof *segment);
}

static TrnResult pending_add_segment(TrnPending *pending, TrnPendingChunk *record, bool is_grouped,
                                     TrnSegment **segment)
{
    TrnSegment *made = trn_take(pending->allocator, sizeof *made, alignof(TrnSegment));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnSegment){.compact_at = COMPACT_RUNS_MIN, .is_grouped = is_grouped};
    pending_append(record, made);
    *segment = made;
    return TRN_RESULT_OK;
}

/// A record with its first segment.
static TrnResult pending_create_chunk(TrnPending *pending, TrnPendingMap *map, TrnCoord coord,
                                      bool is_grouped, TrnSegment **segment)
{
    TrnResult result = trn_pending_map_reserve(map, pending->allocator, 1);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPendingChunk *made = trn_take(pending->allocator, sizeof *made, alignof(TrnPendingChunk));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnPendingChunk){.coord = coord};
    result = pending_add_segment(pending, made, is_grouped, segment);
    if (result != TRN_RESULT_OK) {
        trn_give(pending->allocator, made, sizeof *made);
        return result;
    }
    trn_pending_map_add(map, made);
    return TRN_RESULT_OK;
}

TrnResult trn_pending_open(TrnPending *pending, TrnPendingMap *map, TrnCoord coord, bool is_grouped,
                           TrnSegment **segment)
{
    TrnPendingChunk *record = trn_pending_map_find(map, coord);
    if (!record) {
        return pending_create_chunk(pending, map, coord, is_grouped, segment);
    }
    if (record->newest->is_grouped != is_grouped) {
        return pending_add_segment(pending, record, is_grouped, segment);
    }
    *segment = record->newest;
    return TRN_RESULT_OK;
}

TrnResult trn_pending_segment_add(TrnPending *pending, TrnSegment *segment, TrnEditRun run)
{
    TrnEditRuns *runs = &segment->runs;
    TrnEditRun *last = runs->count ? &runs->runs[runs->count - 1] : NULL;
    if (last && last->first >= run.first && last->last <= run.last) {
        *last = run; // nothing is left of the run before
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_runs_add(runs, pending->allocator, run);
    if (result == TRN_RESULT_OK) {
        segment_compact(pending, segment);
    }
    return result;
}

void trn_pending_chunk_free(TrnPending *pending, TrnPendingChunk *record)
{
    for (TrnSegment *segment = record->oldest, *newer; segment; segment = newer) {
        newer = segment->newer;
        segment_free(pending, segment);
    }
    trn_give(pending->allocator, record, sizeof *record);
}

void trn_pending_map_clear(TrnPending *pending, TrnPendingMap *map)
{
    for (uint32_t at = 0; at < map->capacity; at++) {
        if (map->places[at]) {
            trn_pending_chunk_free(pending, map->places[at]);
        }
    }
    pending_map_free(map, pending->allocator);
}

// ---- what the store keeps ----------------------------------------------------------------------

void trn_pending_clear(TrnPending *pending)
{
    trn_pending_map_clear(pending, &pending->map);
}

static void segment_join_group(TrnSegmentGroup *group, TrnSegment *segment)
{
    segment->group = group;
    if (group) {
        segment->group_older = group->newest;
        segment->group_newer = NULL;
        *(group->newest ? &group->newest->group_newer : &group->oldest) = segment;
        group->newest = segment;
    }
}

static void segment_leave_group(TrnSegment *segment)
{
    TrnSegmentGroup *group = segment->group;
    if (group) {
        *(segment->group_older ? &segment->group_older->group_newer : &group->oldest) =
            segment->group_newer;
        *(segment->group_newer ? &segment->group_newer->group_older : &group->newest) =
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
    uint32_t capacity = segment->runs.capacity ? segment->runs.capacity : TRN_EDIT_RUNS_MIN;
    while (capacity < count) {
        capacity *= 2;
    }
    if (trn_edit_runs_reserve(&segment->runs, pending->allocator, capacity) != TRN_RESULT_OK) {
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
    segment_leave_group(newer);
    pending_unlink(newer);
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

void trn_pending_merge(TrnPending *pending, TrnPendingChunk *record, TrnSegmentGroup *group)
{
    TrnPendingChunk *kept = trn_pending_map_find(&pending->map, record->coord);
    if (!kept) {
        kept = record;
        trn_pending_map_add(&pending->map, kept);
    }
    TrnSegment *segment = record->oldest, *newer;
    if (kept == record) {
        kept->oldest = kept->newest = NULL;
    }
    for (; segment; segment = newer) {
        newer = segment->newer;
        pending_append(kept, segment);
        segment_join_group(segment->is_grouped ? group : NULL, segment);
        pending->runs += segment->runs.count;
        segment_merge(pending, segment);
    }
    if (kept != record) {
        trn_give(pending->allocator, record, sizeof *record);
    }
}

void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment)
{
    segment_leave_group(segment);
    segment_merge(pending, segment);
}

/// A record of the store that has no segments any more goes.
static void pending_free_if_empty(TrnPending *pending, TrnPendingChunk *record)
{
    if (!record->oldest) {
        trn_pending_map_remove(&pending->map, pending->allocator, record);
        trn_give(pending->allocator, record, sizeof *record);
    }
}

/// Frees a segment of the store, and leaves its record behind.
static void pending_free_segment(TrnPending *pending, TrnSegment *segment)
{
    pending->runs -= segment->runs.count;
    segment_leave_group(segment);
    pending_unlink(segment);
    segment_free(pending, segment);
}

void trn_pending_drop_segment(TrnPending *pending, TrnSegment *segment)
{
    TrnPendingChunk *record = segment->record;
    TrnSegment *older = segment->older;
    pending_free_segment(pending, segment);
    if (older) {
        segment_merge(pending, older);
    }
    pending_free_if_empty(pending, record);
}

/// Frees a record of the store. @return its runs
static uint32_t pending_drop_all(TrnPending *pending, TrnPendingChunk *record)
{
    uint32_t runs = 0;
    while (record->oldest) {
        runs += record->oldest->runs.count;
        pending_free_segment(pending, record->oldest);
    }
    pending_free_if_empty(pending, record);
    return runs;
}

uint32_t trn_pending_drop_chunk(TrnPending *pending, TrnCoord coord)
{
    TrnPendingChunk *record = trn_pending_map_find(&pending->map, coord);
    return record ? pending_drop_all(pending, record) : 0;
}

uint32_t trn_pending_runs(const TrnPending *pending, TrnCoord coord)
{
    const TrnPendingChunk *record = trn_pending_map_find(&pending->map, coord);
    uint32_t runs = 0;
    for (const TrnSegment *at = record ? record->oldest : NULL; at; at = at->newer) {
        runs += at->runs.count;
    }
    return runs;
}

void trn_pending_free_applied(TrnPending *pending, TrnPendingChunk *record)
{
    pending->applied += record->oldest->runs.count;
    pending_free_segment(pending, record->oldest);
    pending_free_if_empty(pending, record);
}
