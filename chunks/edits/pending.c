// Edits that wait until their chunk is loaded.

#include "edits/pending_impl.h"

#include <stdalign.h>
#include <string.h>

/// A segment is compacted when it has this many runs, and again each time that its runs have
/// doubled. Compacted, it has at most TRN_CHUNK_VOXELS runs.
#define COMPACT_RUNS_MIN 4096

// ---- segments ----------------------------------------------------------------------------------

/// Compacts a segment if its runs have doubled since the last time.
static void pending_compact_segment(TrnPending *pending, TrnSegment *segment)
{
    if (segment->runs.count < segment->compact_at) {
        return;
    }
    trn_edit_runs_compact(&segment->runs, pending->scratch);
    const uint32_t twice = 2 * segment->runs.count;
    segment->compact_at = twice > COMPACT_RUNS_MIN ? twice : COMPACT_RUNS_MIN;
}

/// Appends a segment to a record.
static void pending_append_segment(TrnPendingChunk *record, TrnSegment *segment)
{
    segment->record = record;
    segment->older = record->newest;
    segment->newer = NULL;
    *(record->newest ? &record->newest->newer : &record->oldest) = segment;
    record->newest = segment;
}

static void pending_unlink_segment(TrnSegment *segment)
{
    TrnPendingChunk *record = segment->record;
    *(segment->older ? &segment->older->newer : &record->oldest) = segment->newer;
    *(segment->newer ? &segment->newer->older : &record->newest) = segment->older;
}

/// Frees a segment that is in no list.
static void pending_delete_segment(TrnPending *pending, TrnSegment *segment)
{
    trn_array_free(&segment->runs, pending->allocator);
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
    pending_append_segment(record, made);
    *segment = made;
    return TRN_RESULT_OK;
}

// ---- records of a batch ------------------------------------------------------------------------

TrnPendingChunk *trn_pending_find(const TrnPendingChunks *chunks, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&chunks->map, coord);
    return entry ? entry->pointer : NULL;
}

/// Adds a record, for which the map has capacity.
static void pending_add_record(TrnPendingChunks *chunks, TrnPendingChunk *record)
{
    trn_coord_map_add(&chunks->map, record->coord)->pointer = record;
    record->previous = chunks->last;
    record->next = NULL;
    *(chunks->last ? &chunks->last->next : &chunks->first) = record;
    chunks->last = record;
}

/// Removes a record, and frees it and the memory of an empty map.
static void pending_delete_record(TrnPending *pending, TrnPendingChunks *chunks,
                                  TrnPendingChunk *record)
{
    trn_coord_map_remove(&chunks->map, trn_coord_map_find(&chunks->map, record->coord));
    trn_coord_map_trim(&chunks->map, pending->allocator);
    *(record->previous ? &record->previous->next : &chunks->first) = record->next;
    *(record->next ? &record->next->previous : &chunks->last) = record->previous;
    trn_give(pending->allocator, record, sizeof *record);
}

/// Creates a record with its first segment.
static TrnResult pending_create_record(TrnPending *pending, TrnPendingChunks *chunks,
                                       TrnCoord coord, bool is_grouped, TrnSegment **segment)
{
    TrnResult result = trn_coord_map_reserve(&chunks->map, pending->allocator, 1);
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
    pending_add_record(chunks, made);
    return TRN_RESULT_OK;
}

TrnResult trn_pending_open(TrnPending *pending, TrnPendingChunks *chunks, TrnCoord coord,
                           bool is_grouped, TrnSegment **segment)
{
    TrnPendingChunk *record = trn_pending_find(chunks, coord);
    if (!record) {
        return pending_create_record(pending, chunks, coord, is_grouped, segment);
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
    TrnEditRun *last = runs->count ? &runs->items[runs->count - 1] : NULL;
    if (last && last->first >= run.first && last->last <= run.last) {
        *last = run; // it overwrites all of the last run
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_edit_runs_add(runs, pending->allocator, run);
    if (result == TRN_RESULT_OK) {
        pending_compact_segment(pending, segment);
    }
    return result;
}

static void pending_delete_segments(TrnPending *pending, TrnPendingChunk *record)
{
    for (TrnSegment *segment = record->oldest, *newer; segment; segment = newer) {
        newer = segment->newer;
        pending_delete_segment(pending, segment);
    }
}

void trn_pending_remove(TrnPending *pending, TrnPendingChunks *chunks, TrnPendingChunk *record)
{
    pending_delete_segments(pending, record);
    pending_delete_record(pending, chunks, record);
}

/// Forgets all records, and frees the map's memory.
static void pending_forget_records(TrnPending *pending, TrnPendingChunks *chunks)
{
    trn_coord_map_free(&chunks->map, pending->allocator);
    chunks->first = chunks->last = NULL;
}

void trn_pending_clear(TrnPending *pending, TrnPendingChunks *chunks)
{
    for (TrnPendingChunk *record = chunks->first, *next; record; record = next) {
        next = record->next;
        pending_delete_segments(pending, record);
        trn_give(pending->allocator, record, sizeof *record);
    }
    pending_forget_records(pending, chunks);
}

// ---- segments of the store ---------------------------------------------------------------------

static void pending_notify(const TrnPending *pending, TrnCoord coord)
{
    if (pending->watch.changed) {
        pending->watch.changed(pending->watch.user, coord);
    }
}

static void pending_join_group(TrnSegmentGroup *group, TrnSegment *segment)
{
    segment->group = group;
    if (group) {
        segment->group_older = group->newest;
        segment->group_newer = NULL;
        *(group->newest ? &group->newest->group_newer : &group->oldest) = segment;
        group->newest = segment;
    }
}

static void pending_leave_group(TrnSegment *segment)
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

/// Merges a segment of the store with the next newer one, which is of the same group, or of none
/// either. If memory is refused, they stay two.
static void pending_merge_newer(TrnPending *pending, TrnSegment *segment)
{
    TrnSegment *newer = segment->newer;
    const uint32_t count = segment->runs.count + newer->runs.count;
    if (trn_array_reserve(&segment->runs, pending->allocator, count) != TRN_RESULT_OK) {
        return;
    }
    if (newer->runs.count > 0) {
        memcpy(segment->runs.items + segment->runs.count, newer->runs.items,
               newer->runs.count * sizeof *newer->runs.items);
    }
    segment->runs.count = count;
    // The later of the two thresholds: appending a long segment to a short one must not compact
    // runs that were compacted already.
    segment->compact_at =
        segment->compact_at > newer->compact_at ? segment->compact_at : newer->compact_at;
    pending_compact_segment(pending, segment);
    pending->runs -= count - segment->runs.count;
    pending_leave_group(newer);
    pending_unlink_segment(newer);
    pending_delete_segment(pending, newer);
}

/// Merges a segment with its neighbours of the same group.
static void pending_merge_adjacent(TrnPending *pending, TrnSegment *segment)
{
    if (segment->newer && segment->newer->group == segment->group) {
        pending_merge_newer(pending, segment);
    }
    if (segment->older && segment->older->group == segment->group) {
        pending_merge_newer(pending, segment->older);
    }
}

/// Frees a segment of the store, but not its record.
static void pending_free_segment(TrnPending *pending, TrnSegment *segment)
{
    pending->runs -= segment->runs.count;
    pending_leave_group(segment);
    pending_unlink_segment(segment);
    pending_delete_segment(pending, segment);
}

/// Frees a record of the store if it has no segment left.
static void pending_free_if_empty(TrnPending *pending, TrnPendingChunk *record)
{
    if (!record->oldest) {
        pending_delete_record(pending, &pending->chunks, record);
    }
}

// ---- records of the store ----------------------------------------------------------------------

/// Appends a batch's record to what is pending in the store for its chunk.
static void pending_merge_record(TrnPending *pending, TrnPendingChunk *record,
                                 TrnSegmentGroup *group)
{
    TrnSegment *segment = record->oldest, *newer;
    TrnPendingChunk *kept = trn_pending_find(&pending->chunks, record->coord);
    if (!kept) {
        kept = record;
        kept->oldest = kept->newest = NULL;
        pending_add_record(&pending->chunks, kept);
    }
    for (; segment; segment = newer) {
        newer = segment->newer;
        TRN_ASSERT(segment->runs.count > 0); // so trn_pending_runs() finds every record
        pending_append_segment(kept, segment);
        pending_join_group(segment->is_grouped ? group : NULL, segment);
        pending->runs += segment->runs.count;
        pending_merge_adjacent(pending, segment);
    }
    pending_notify(pending, kept->coord);
    if (kept != record) {
        trn_give(pending->allocator, record, sizeof *record);
    }
}

void trn_pending_merge(TrnPending *pending, TrnPendingChunks *chunks, TrnSegmentGroup *group)
{
    for (TrnPendingChunk *record = chunks->first, *next; record; record = next) {
        next = record->next;
        pending_merge_record(pending, record, group);
    }
    pending_forget_records(pending, chunks);
}

void trn_pending_ungroup(TrnPending *pending, TrnSegment *segment)
{
    pending_leave_group(segment);
    pending_merge_adjacent(pending, segment);
}

void trn_pending_drop_segment(TrnPending *pending, TrnSegment *segment)
{
    TrnPendingChunk *record = segment->record;
    TrnSegment *older = segment->older;
    pending_free_segment(pending, segment);
    if (older) {
        pending_merge_adjacent(pending, older);
    }
    pending_notify(pending, record->coord);
    pending_free_if_empty(pending, record);
}

void trn_pending_free_applied(TrnPending *pending, TrnPendingChunk *record)
{
    pending->applied += record->oldest->runs.count;
    pending_free_segment(pending, record->oldest);
    pending_free_if_empty(pending, record);
}

uint32_t trn_pending_drop_chunk(TrnPending *pending, TrnCoord coord)
{
    TrnPendingChunk *record = trn_pending_find(&pending->chunks, coord);
    if (!record) {
        return 0;
    }
    uint32_t runs = 0;
    while (record->oldest) {
        runs += record->oldest->runs.count;
        pending_free_segment(pending, record->oldest);
    }
    pending_free_if_empty(pending, record);
    pending_notify(pending, coord);
    return runs;
}

size_t trn_pending_copy(const TrnPending *pending, TrnCoord coord, TrnPendingRun *runs,
                        size_t capacity)
{
    const TrnPendingChunk *record = trn_pending_find(&pending->chunks, coord);
    size_t count = 0;
    for (const TrnSegment *at = record ? record->oldest : NULL; at; at = at->newer) {
        for (uint32_t i = 0; i < at->runs.count; i++, count++) {
            const TrnEditRun *run = &at->runs.items[i];
            if (count < capacity) {
                runs[count] = (TrnPendingRun){run->first, run->last, run->after};
            }
        }
    }
    return count;
}

uint32_t trn_pending_runs(const TrnPending *pending, TrnCoord coord)
{
    const TrnPendingChunk *record = trn_pending_find(&pending->chunks, coord);
    uint32_t runs = 0;
    for (const TrnSegment *at = record ? record->oldest : NULL; at; at = at->newer) {
        runs += at->runs.count;
    }
    return runs;
}
