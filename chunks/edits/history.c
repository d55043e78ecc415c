// Histories: a list of groups of deltas, oldest first. Groups up to `done` can be undone, newer
// ones redone.

#include "edits/history_impl.h"

#include <stdalign.h>
#include <string.h>

#include "voxels/voxel_read_internal.h"

#define HISTORY_BYTES_MAX_DEFAULT ((size_t)16 << 20)

// Images: a delta of many runs also keeps its chunk as it was, so that undo needs not write the
// runs. Images take what the groups leave of bytes_max, and no more than a part of it.
#define HISTORY_IMAGES_PART 8  // of bytes_max
#define HISTORY_IMAGE_RUNS 16u // a delta with fewer is written as quickly

// ---- images ------------------------------------------------------------------------------------

TrnResult trn_history_image_create(TrnHistory *history, TrnSnapshot of, uint64_t *image)
{
    const size_t bytes = trn_snapshot_copy_bytes(of);
    void *memory =
        bytes ? trn_take(&history->edits->history_allocator, bytes, TRN_CACHE_LINE) : NULL;
    if (bytes && !memory) {
        return TRN_RESULT_NO_MEMORY;
    }
    history->image_bytes += bytes;
    *image = trn_snapshot_copy(of, memory).word;
    return TRN_RESULT_OK;
}

void trn_history_image_free(TrnHistory *history, uint64_t *image)
{
    const size_t bytes = trn_snapshot_copy_bytes((TrnSnapshot){*image});
    if (bytes) {
        trn_give(&history->edits->history_allocator, (void *)(uintptr_t)*image, bytes);
        history->image_bytes -= bytes;
    }
    *image = 0;
}

/// Frees the images of the oldest group that has any.
static void history_drop_images(TrnHistory *history)
{
    TrnHistoryGroup *group = history->oldest_image;
    for (TrnEditDelta *delta = group->deltas.oldest; delta; delta = delta->newer) {
        trn_history_image_free(history, &delta->image);
    }
    history->oldest_image = group->newer;
}

/// Keeps the chunk without the changes of a delta, if that is worth its memory, and there is some.
static TrnResult history_keep_image(TrnHistory *history, const TrnEditDiff *diff,
                                    TrnEditDelta *delta)
{
    const TrnSnapshot before = {diff->before};
    const size_t bytes = trn_snapshot_copy_bytes(before);
    const size_t bytes_max = history->bytes_max / HISTORY_IMAGES_PART;
    if (!diff->before || diff->count < HISTORY_IMAGE_RUNS) {
        return TRN_RESULT_OK;
    }
    while (history->oldest_image && history->image_bytes + bytes > bytes_max) {
        history_drop_images(history);
    }
    return history->image_bytes + bytes > bytes_max
               ? TRN_RESULT_OK
               : trn_history_image_create(history, before, &delta->image);
}

// ---- deltas ------------------------------------------------------------------------------------

static_assert(sizeof(TrnEditRun) % alignof(TrnDataChange) == 0, "changes of data follow the runs");
static_assert(sizeof(TrnEditDelta) % alignof(TrnDataChange) == 0, "and the runs follow the delta");

/// Bytes of a delta without those of block data.
static size_t history_delta_own_bytes(uint32_t count, uint32_t data_count)
{
    return sizeof(TrnEditDelta) + count * sizeof(TrnEditRun) + data_count * sizeof(TrnDataChange);
}

static size_t history_blob_bytes(const TrnDataBlob *blob)
{
    return blob ? sizeof *blob + blob->size : 0;
}

/// Bytes of a delta that count against the history.
static size_t history_diff_bytes(const TrnEditDiff *diff)
{
    size_t bytes = history_delta_own_bytes(diff->count, diff->data_count);
    for (uint32_t i = 0; i < diff->data_count; i++) {
        bytes += history_blob_bytes(diff->data[i].before.blob) +
                 history_blob_bytes(diff->data[i].after.blob);
    }
    return bytes;
}

TrnResult trn_edit_delta_create(TrnHistory *history, TrnCoord coord, const TrnEditDiff *diff,
                                TrnEditDelta **delta)
{
    TrnEditDelta *made =
        trn_take(&history->edits->history_allocator,
                 history_delta_own_bytes(diff->count, diff->data_count), alignof(TrnEditDelta));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnEditDelta){.coord = coord,
                           .count = diff->count,
                           .data_count = diff->data_count,
                           .bytes = history_diff_bytes(diff)};
    made->data = (TrnDataChange *)(void *)(made->runs + diff->count);
    if (diff->count) {
        memcpy(made->runs, diff->runs, diff->count * sizeof *diff->runs);
    }
    for (uint32_t i = 0; i < diff->data_count; i++) {
        made->data[i] = diff->data[i];
        trn_data_hold(made->data[i].before.blob);
        trn_data_hold(made->data[i].after.blob);
    }
    *delta = made;
    return TRN_RESULT_OK;
}

void trn_edit_delta_free(TrnHistory *history, TrnEditDelta *delta)
{
    TrnVoxelHeap *heap = trn_store_voxel_heap(history->edits->store);
    for (uint32_t i = 0; i < delta->data_count; i++) {
        trn_data_release(heap, delta->data[i].before.blob);
        trn_data_release(heap, delta->data[i].after.blob);
    }
    trn_history_image_free(history, &delta->image);
    trn_history_image_free(history, &delta->next_image);
    trn_give(&history->edits->history_allocator, delta,
             history_delta_own_bytes(delta->count, delta->data_count));
}

static void history_deltas_append(TrnEditDeltas *deltas, TrnEditDelta *delta)
{
    delta->older = deltas->newest;
    delta->newer = NULL;
    *(deltas->newest ? &deltas->newest->newer : &deltas->oldest) = delta;
    deltas->newest = delta;
    deltas->bytes += delta->bytes;
}

static void history_deltas_remove(TrnEditDeltas *deltas, TrnEditDelta *delta)
{
    *(delta->older ? &delta->older->newer : &deltas->oldest) = delta->newer;
    *(delta->newer ? &delta->newer->older : &deltas->newest) = delta->older;
    deltas->bytes -= delta->bytes;
}

void trn_edit_deltas_free(TrnHistory *history, TrnEditDeltas *deltas)
{
    for (TrnEditDelta *delta = deltas->oldest, *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_edit_delta_free(history, delta);
    }
    *deltas = (TrnEditDeltas){.is_overflowed = deltas->is_overflowed};
}

TrnResult trn_edit_deltas_add(TrnHistory *history, TrnEditDeltas *deltas, TrnCoord coord,
                              const TrnEditDiff *diff)
{
    if (deltas->is_overflowed) {
        return TRN_RESULT_OK;
    }
    if (sizeof(TrnHistoryGroup) + deltas->bytes + history_diff_bytes(diff) > history->bytes_max) {
        deltas->is_overflowed = true;
        trn_edit_deltas_free(history, deltas);
        return TRN_RESULT_OK;
    }
    TrnEditDelta *delta;
    TrnResult result = trn_edit_delta_create(history, coord, diff, &delta);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    history_deltas_append(deltas, delta);
    return history_keep_image(history, diff, delta);
}

TrnResult trn_history_lost_data(const TrnEditState *edit, const TrnEditRuns *runs,
                                TrnDataChanges *lost, const TrnAllocator *allocator)
{
    TrnDataCursor cursor = trn_data_first(trn_edit_data(edit));
    TrnResult result = TRN_RESULT_OK;
    uint32_t run = 0;
    lost->count = 0;
    for (const TrnDataEntry *entry; result == TRN_RESULT_OK && (entry = trn_data_next(&cursor));) {
        while (run < runs->count && runs->items[run].last < entry->index) {
            run++;
        }
        const TrnEditRun *at = run < runs->count ? &runs->items[run] : NULL;
        if (at && at->first <= entry->index && entry->rule != TRN_DATA_STAYS &&
            entry->block == at->before && entry->block != at->after) {
            const TrnDataChange change = {.index = entry->index, .before = *entry};
            result = trn_array_push(lost, allocator, change);
        }
    }
    return result;
}

// ---- groups ------------------------------------------------------------------------------------

static void history_group_free(TrnHistoryGroup *group)
{
    TrnHistory *history = group->history;
    trn_edit_deltas_free(history, &group->deltas);
    trn_give(&history->edits->history_allocator, group, sizeof *group);
}

/// Counts a group among those to undo, or those to redo.
static void history_count_group(TrnHistory *history, TrnHistoryGroup *group, bool is_done)
{
    group->is_done = is_done;
    history->undo_groups += is_done;
    history->redo_groups += !is_done;
}

static void history_uncount_group(TrnHistory *history, const TrnHistoryGroup *group)
{
    history->undo_groups -= group->is_done;
    history->redo_groups -= !group->is_done;
}

void trn_history_toggle(TrnHistory *history, TrnHistoryGroup *group, TrnHistoryGroup *done)
{
    history_uncount_group(history, group);
    history_count_group(history, group, !group->is_done);
    history->done = done;
}

/// Appends a new group, which is then the newest that is done. The history has nothing to redo.
static void history_append_group(TrnHistory *history, TrnHistoryGroup *group)
{
    group->older = history->newest;
    *(history->newest ? &history->newest->newer : &history->oldest) = group;
    history->newest = group;
    history->done = group;
    history->open = history->depth > 0 ? group : NULL;
    history->bytes += sizeof *group;
    history_count_group(history, group, true);
}

static void history_remove_group(TrnHistory *history, TrnHistoryGroup *group)
{
    *(group->older ? &group->older->newer : &history->oldest) = group->newer;
    *(group->newer ? &group->newer->older : &history->newest) = group->older;
    history->done = history->done == group ? group->older : history->done;
    history->oldest_image = history->oldest_image == group ? group->newer : history->oldest_image;
    history->bytes -= sizeof *group + group->deltas.bytes;
    history_uncount_group(history, group);
}

/// Drops a group. Its pending edits stay pending, without a group.
static void history_drop_group(TrnHistory *history, TrnHistoryGroup *group)
{
    history_remove_group(history, group);
    if (group == history->open) {
        history->open = NULL;
        history->is_group_dropped = true;
    }
    while (group->segments.oldest) {
        trn_pending_ungroup(&history->edits->pending, group->segments.oldest);
    }
    history_group_free(group);
}

void trn_history_drop_redo(TrnHistory *history)
{
    while (history->newest != history->done) {
        history_drop_group(history, history->newest);
    }
}

void trn_history_drop_all(TrnHistory *history)
{
    // Oldest first: each group's pending edits are then appended to the ungrouped ones before them.
    // Newest first would copy all newer ones again for every group.
    while (history->oldest) {
        history_drop_group(history, history->oldest);
    }
}

void trn_history_overflow(TrnHistory *history)
{
    history->dropped += history->undo_groups + history->redo_groups;
    trn_history_drop_all(history);
}

void trn_history_trim(TrnHistory *history)
{
    while (history->oldest_image &&
           (history->image_bytes > history->bytes_max / HISTORY_IMAGES_PART ||
            history->image_bytes + history->bytes > history->bytes_max)) {
        history_drop_images(history);
    }
    while (history->bytes > history->bytes_max && history->newest) {
        history->dropped++;
        history_drop_group(history, history->done ? history->oldest : history->newest);
    }
}

void trn_history_group_append(TrnHistoryGroup *group, TrnEditDelta *delta)
{
    delta->group = group;
    delta->serial = ++group->history->serial;
    history_deltas_append(&group->deltas, delta);
    group->history->bytes += delta->bytes;
}

void trn_history_group_append_all(TrnHistoryGroup *group, TrnEditDeltas *deltas)
{
    for (TrnEditDelta *delta = deltas->oldest, *newer; delta; delta = newer) {
        newer = delta->newer;
        trn_history_group_append(group, delta);
    }
    *deltas = (TrnEditDeltas){0};
}

void trn_history_group_remove(TrnHistoryGroup *group, TrnEditDelta *delta)
{
    history_deltas_remove(&group->deltas, delta);
    group->history->bytes -= delta->bytes;
    trn_edit_delta_free(group->history, delta);
}

// ---- commits -----------------------------------------------------------------------------------

TrnResult trn_history_acquire_group(TrnHistory *history, TrnHistoryGroup **group)
{
    *group = history->open;
    if (history->open || history->is_group_dropped) {
        return TRN_RESULT_OK;
    }
    TrnHistoryGroup *made =
        trn_take(&history->edits->history_allocator, sizeof *made, alignof(TrnHistoryGroup));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnHistoryGroup){.history = history};
    *group = made;
    return TRN_RESULT_OK;
}

void trn_history_release_group(TrnHistory *history, TrnHistoryGroup *group)
{
    if (group && group != history->open) {
        history_group_free(group);
    }
}

void trn_history_publish(TrnHistory *history, TrnHistoryGroup *group, TrnEditDeltas *deltas,
                         uint64_t revision)
{
    trn_history_drop_redo(history);
    if (!group) {
        trn_edit_deltas_free(history, deltas);
        return;
    }
    if (!group->is_done) {
        history_append_group(history, group);
    }
    if (deltas->is_overflowed) {
        trn_history_overflow(history);
        return;
    }
    for (TrnEditDelta *delta = deltas->oldest; delta; delta = delta->newer) {
        delta->image_revision = revision;
    }
    trn_history_group_append_all(group, deltas);
    history->oldest_image = history->oldest_image ? history->oldest_image : group;
    trn_history_trim(history);
}

// ---- histories ---------------------------------------------------------------------------------

TrnHistoryDef trn_history_def(void)
{
    TrnHistoryDef def = {.bytes_max = HISTORY_BYTES_MAX_DEFAULT};
    return def;
}

TrnResult trn_history_open(TrnEdits *edits, const TrnHistoryDef *def, TrnHistory **history)
{
    TrnHistory *made = trn_take(&edits->history_allocator, sizeof *made, alignof(TrnHistory));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnHistory){.edits = edits, .bytes_max = def->bytes_max};
    *history = made;
    return TRN_RESULT_OK;
}

void trn_history_destroy(TrnHistory *history)
{
    if (!history) {
        return;
    }
    TRN_ASSERT(history->open_batches == 0);
    trn_history_drop_all(history);
    trn_give(&history->edits->history_allocator, history, sizeof *history);
}

void trn_history_begin_group(TrnHistory *history)
{
    history->depth++;
}

void trn_history_end_group(TrnHistory *history)
{
    TRN_ASSERT(history->depth > 0);
    history->depth -= history->depth > 0;
    if (history->depth == 0) {
        history->open = NULL;
        history->is_group_dropped = false;
    }
}

void trn_history_clear(TrnHistory *history)
{
    TRN_ASSERT(history->open_batches == 0 && history->depth == 0);
    trn_history_drop_all(history);
}

TrnHistoryStats trn_history_stats(const TrnHistory *history)
{
    TrnHistoryStats stats = {
        .undo_groups = history->undo_groups,
        .redo_groups = history->redo_groups,
        .dropped_groups = history->dropped,
        .bytes = history->bytes + history->image_bytes,
        .bytes_max = history->bytes_max,
    };
    return stats;
}
