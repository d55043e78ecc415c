// The store's side of a member: notes what changes in the store, and applies what others changed.
// On the store's thread.

#include "member_impl.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define MEMBER_APPLIED_MAX 256u // chunks of one update

// ---- noting ------------------------------------------------------------------------------------

/// Returns the edit of a region that is being built. NULL: no memory
static MemberEdit *member_building(TrnMember *first, TrnCoord coord)
{
    const TrnStorageKey key = {coord, 0};
    const int64_t region = trn_storage_region(&key);
    TrnMember *member = trn_member_of(first, region);
    MemberEdit *edit = member->building;
    while (edit && edit->region != region) {
        edit = edit->next;
    }
    if (!edit && (edit = trn_take(&member->allocator, sizeof *edit, TRN_CACHE_LINE))) {
        *edit = (MemberEdit){.next = member->building,
                             .region = region,
                             .place = trn_region_of(coord, 0),
                             .made_us = trn_clock_us()};
        member->building = edit;
    }
    return edit;
}

/// Adds the voxels of a row. @param first  index of its first voxel @param bits  a bit for each
static TrnResult member_add_row(TrnMember *member, TrnEdit *edit, uint32_t first, uint32_t bits,
                                TrnSnapshot before, TrnSnapshot after)
{
    TrnRuns *runs = &edit->runs;
    TrnResult result = TRN_RESULT_OK;
    const uint32_t begin = runs->count;
    for (; bits && result == TRN_RESULT_OK; bits &= bits - 1) {
        const uint32_t index = first + (uint32_t)__builtin_ctz(bits);
        const TrnBlock was = trn_snapshot_get(before, index);
        const TrnBlock block = trn_snapshot_get(after, index);
        TrnPendingRun *last = runs->count > begin ? &runs->items[runs->count - 1] : NULL;
        if (last && last->last + 1u == index && last->block == block &&
            edit->was.items[runs->count - 1] == was) {
            last->last = (uint16_t)index;
        } else {
            result =
                trn_edit_add_run(edit, (TrnPendingRun){(uint16_t)index, (uint16_t)index, block},
                                 was, &member->allocator);
        }
    }
    return result;
}

/// Adds the voxels of some rows. @param rows  [TRN_CHUNK_ROWS] a bit for each
static TrnResult member_add_rows(TrnMember *member, TrnEdit *edit, TrnSnapshot before,
                                 TrnSnapshot after, const uint32_t *rows)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t row = 0; row < TRN_CHUNK_ROWS && result == TRN_RESULT_OK; row++) {
        result = member_add_row(member, edit, row * TRN_CHUNK_EDGE, rows[row], before, after);
    }
    return result;
}

/// Where what is added of a chunk begins.
static TrnEditChunk member_begin_chunk(const TrnEdit *edit, TrnCoord coord)
{
    return (TrnEditChunk){
        .coord = coord, .first = edit->runs.count, .data_first = edit->data.count};
}

/// Ends a chunk whose runs and data were added, or drops them.
/// Errors: `result`, or NO_MEMORY.
static TrnResult member_end_chunk(const TrnMember *member, TrnEdit *edit, TrnEditChunk chunk,
                                  TrnResult result)
{
    chunk.count = edit->runs.count - chunk.first;
    chunk.data_count = edit->data.count - chunk.data_first;
    if (result == TRN_RESULT_OK && (chunk.count || chunk.data_count)) {
        result = trn_array_push(&edit->chunks, &member->allocator, chunk);
    }
    edit->runs.count = result == TRN_RESULT_OK ? edit->runs.count : chunk.first;
    edit->data.count = result == TRN_RESULT_OK ? edit->data.count : chunk.data_first;
    return result;
}

/// Counts a change of a chunk that was lost, or notes that changes are lost no longer.
static void member_count_lost(TrnMember *member, TrnCoord coord, bool is_lost)
{
    trn_mutex_lock(&member->mutex);
    TrnMemberStats *stats = &member->stats;
    stats->is_losing = is_lost;
    stats->lost += is_lost;
    stats->lost_chunk = is_lost ? coord : stats->lost_chunk;
    trn_mutex_unlock(&member->mutex);
}

/// Notes what data a chunk had before its first change since the last update. The snapshots of a
/// watch have the blocks to come, but not the data.
static TrnResult member_note_data(TrnMember *member, TrnCoord coord, TrnSnapshot before)
{
    MemberRow noted = {.coord = coord};
    TrnResult result = trn_coord_map_reserve(&member->noted_coords, &member->allocator, 1);
    if (result == TRN_RESULT_OK && trn_coord_map_find(&member->noted_coords, coord)) {
        return TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_member_copy_data(member, before, &noted.voxels);
    }
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&member->noted, &member->allocator, noted);
    }
    if (result == TRN_RESULT_OK) {
        (void)trn_coord_map_add(&member->noted_coords, coord);
    } else {
        trn_member_free_voxels(member, &noted.voxels);
    }
    return result;
}

/// Adds the data of a chunk that has changed since the last update.
static TrnResult member_add_data(TrnMember *member, const MemberRow *noted)
{
    TrnSnapshot now;
    if (trn_store_snapshot(member->def.store, noted->coord, &now) != TRN_RESULT_OK ||
        (!noted->voxels.data.count && !trn_snapshot_count_data(now))) {
        return TRN_RESULT_OK;
    }
    MemberEdit *made = member_building(member, noted->coord);
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnEditChunk chunk = member_begin_chunk(&made->edit, noted->coord);
    trn_snapshot_decode(now, member->blocks);
    return member_end_chunk(member, &made->edit, chunk,
                            trn_edit_add_data(&made->edit, noted->voxels.data.items,
                                              noted->voxels.data.count, now, member->blocks,
                                              &member->allocator));
}

/// Adds the data of all chunks that have changed since the last update.
static void member_take_data(TrnMember *member)
{
    for (uint32_t i = 0; i < member->noted.count; i++) {
        MemberRow *noted = &member->noted.items[i];
        if (member_add_data(member, noted) != TRN_RESULT_OK) {
            member_count_lost(member, noted->coord, true);
        }
        trn_member_free_voxels(member, &noted->voxels);
    }
    member->noted.count = 0;
    trn_coord_map_free(&member->noted_coords, &member->allocator);
}

/// The watch: notes what changes in a chunk.
static void member_changing(void *user, TrnCoord coord, TrnSnapshot before, TrnSnapshot after)
{
    TrnMember *member = user;
    uint32_t rows[TRN_CHUNK_ROWS];
    if (member->is_applying) {
        return;
    }
    const bool is_noted = member_note_data(member, coord, before) == TRN_RESULT_OK;
    if (is_noted && !trn_snapshot_diff(before, after, rows)) {
        return;
    }
    MemberEdit *made = member_building(member, coord);
    TrnEdit none = {.chunks = {0}}, *edit = made ? &made->edit : &none;
    TrnEditChunk chunk = member_begin_chunk(edit, coord);
    chunk.is_moved = member->watch.is_self_moved;
    TrnResult result = made && is_noted ? member_add_rows(member, edit, before, after, rows)
                                        : TRN_RESULT_NO_MEMORY;
    result = member_end_chunk(member, edit, chunk, result);
    member_count_lost(member, coord, result != TRN_RESULT_OK);
}

/// The watch: adds the data of a chunk that leaves the store before the update. Errors: NO_MEMORY.
static TrnResult member_removing(void *user, const TrnChunk *chunk)
{
    TrnMember *member = user;
    const TrnCoord coord = chunk->coord;
    uint32_t i = 0;
    if (!trn_coord_map_find(&member->noted_coords, coord)) {
        return TRN_RESULT_OK;
    }
    while (!trn_coord_equal(member->noted.items[i].coord, coord)) {
        i++;
    }
    const TrnResult result = member_add_data(member, &member->noted.items[i]);
    if (result == TRN_RESULT_OK) {
        trn_member_free_voxels(member, &member->noted.items[i].voxels);
        trn_array_remove_swap(&member->noted, i);
        trn_coord_map_remove(&member->noted_coords,
                             trn_coord_map_find(&member->noted_coords, coord));
    }
    return result;
}

/// Takes over the edits of chunks that are not loaded: owners need not have them loaded.
static void member_take_pending(TrnMember *member)
{
    TrnStore *store = member->def.store;
    TrnCoord coord;
    while (trn_edits_stats(store).pending_chunks && trn_pending_chunks(store, &coord, 1)) {
        const size_t count = trn_pending_get(store, coord, NULL, 0);
        MemberEdit *made = member_building(member, coord);
        TrnEdit none = {.chunks = {0}}, *edit = made ? &made->edit : &none;
        const TrnEditChunk chunk = member_begin_chunk(edit, coord);
        const uint32_t first = chunk.first;
        TrnResult result = made ? trn_array_reserve(&edit->runs, &member->allocator, first + count)
                                : TRN_RESULT_NO_MEMORY;
        if (result == TRN_RESULT_OK) {
            (void)trn_pending_get(store, coord, edit->runs.items + first, count);
            edit->runs.count += (uint32_t)count;
        }
        if (member_end_chunk(member, edit, chunk, result) != TRN_RESULT_OK || !made) {
            return; // they stay pending, and are taken by a later update
        }
        made->is_unseen = true;
        (void)trn_pending_drop(store, coord);
    }
}

/// Gives what changed since the last update to the thread.
static void member_hand_over(TrnMember *member)
{
    if (!member->building) {
        return;
    }
    trn_mutex_lock(&member->mutex);
    for (MemberEdit *edit = member->building, *next; edit; edit = next) {
        next = edit->next;
        edit->next = NULL;
        edit->number = ++member->last_number;
        *member->edits_end = edit;
        member->edits_end = &edit->next;
        member->stats.edits++;
        MemberRegion *region = trn_member_region(member, edit->region);
        if (region) {
            region->due.is_at_rest = false;
        }
    }
    member->building = NULL;
    trn_mutex_unlock(&member->mutex);
    trn_member_wake(member);
}

// ---- applying ----------------------------------------------------------------------------------

/// Whether a chunk from the database lacks an own edit.
static bool member_lacks(const MemberChunk *chunk, const MemberEdit *own)
{
    const bool is_in = own->state == MEMBER_EDIT_DONE && own->change <= chunk->change;
    return own->region == chunk->region && !is_in && own->state != MEMBER_EDIT_REFUSED;
}

/// Sets the data of own edits that a chunk from the database lacks.
static TrnResult member_add_own_data(TrnMember *member, TrnVoxelEdit *edit,
                                     const MemberChunk *chunk)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&member->mutex);
    for (const MemberEdit *own = member->edits; own && result == TRN_RESULT_OK; own = own->next) {
        for (uint32_t i = 0; i < own->edit.chunks.count && result == TRN_RESULT_OK; i++) {
            const TrnEditChunk *of = &own->edit.chunks.items[i];
            if (of->data_count && trn_coord_equal(of->coord, chunk->coord) &&
                member_lacks(chunk, own)) {
                result = trn_edit_apply_data(&own->edit, of, edit);
            }
        }
    }
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Writes the runs of own edits that a chunk from the database lacks into its blocks.
static void member_add_own(TrnMember *member, MemberChunk *chunk)
{
    trn_mutex_lock(&member->mutex);
    for (const MemberEdit *own = member->edits; own; own = own->next) {
        if (!member_lacks(chunk, own)) {
            continue;
        }
        for (uint32_t i = 0; i < own->edit.chunks.count; i++) {
            const TrnEditChunk *of = &own->edit.chunks.items[i];
            if (!trn_coord_equal(of->coord, chunk->coord)) {
                continue;
            }
            for (uint32_t k = of->first; k < of->first + of->count; k++) {
                const TrnPendingRun *run = &own->edit.runs.items[k];
                for (uint32_t at = run->first; at <= run->last; at++) {
                    if (!of->is_moved || chunk->voxels.blocks[at] == own->edit.was.items[k]) {
                        chunk->voxels.blocks[at] = run->block;
                    }
                }
            }
        }
    }
    trn_mutex_unlock(&member->mutex);
}

/// Sets the block data of a chunk that is edited to what was loaded.
static TrnResult member_write_data(TrnMember *member, TrnVoxelEdit *edit, TrnCoord coord,
                                   const MemberDataList *data)
{
    TrnSnapshot before;
    TrnBlockData had;
    const uint32_t low[3] = {0, 0, 0};
    const uint32_t high[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    TrnResult result = trn_store_snapshot(member->def.store, coord, &before);
    const uint32_t count = result == TRN_RESULT_OK ? trn_snapshot_count_data(before) : 0;
    if (count) {
        TrnBlockData *list = trn_take(&member->allocator, count * sizeof *list, sizeof(void *));
        result = list ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
        const size_t listed = list ? trn_snapshot_list_data(before, low, high, list, count) : 0;
        for (size_t i = 0; i < listed && result == TRN_RESULT_OK; i++) {
            had = list[i];
            result = trn_voxel_edit_set_data(edit, had.index, NULL, 0, TRN_DATA_STAYS);
        }
        trn_give(&member->allocator, list, count * sizeof *list);
    }
    for (uint32_t i = 0; i < data->count && result == TRN_RESULT_OK; i++) {
        const TrnBlockData *has = &data->items[i];
        result = trn_voxel_edit_set_data(edit, has->index, has->bytes, has->size, has->rule);
    }
    return result;
}

static TrnResult member_write_chunk(TrnMember *member, TrnBatch *batch, MemberChunk *chunk)
{
    TrnVoxelEdit *edit;
    TrnResult result = trn_batch_edit(batch, chunk->coord, &edit);
    if (result == TRN_RESULT_NOT_FOUND) {
        return TRN_RESULT_OK; // unloaded meanwhile
    }
    member_add_own(member, chunk);
    result = result == TRN_RESULT_OK ? trn_voxel_edit_encode(edit, chunk->voxels.blocks) : result;
    if (result == TRN_RESULT_OK) {
        result = member_write_data(member, edit, chunk->coord, &chunk->voxels.data);
    }
    return result == TRN_RESULT_OK ? member_add_own_data(member, edit, chunk) : result;
}

/// Publishes chunks as one change. @return OK, or the store is as it was
static TrnResult member_write_chunks(TrnMember *member, MemberChunk *first)
{
    const TrnBatchDef def = {.unloaded = TRN_UNLOADED_SKIP};
    TrnBatchOutcome outcome = {.revision = 0};
    TrnBatch *batch;
    TrnResult result = trn_batch_begin(member->def.store, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (MemberChunk *chunk = first; chunk && result == TRN_RESULT_OK; chunk = chunk->next) {
        if (trn_store_find(member->def.store, chunk->coord)) { // or it is loaded as it is now
            result = member_write_chunk(member, batch, chunk);
        }
    }
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    member->first->is_applying = true;
    result = trn_batch_commit(batch, &outcome);
    member->first->is_applying = false;
    trn_mutex_lock(&member->mutex);
    member->stats.applied += outcome.changed_chunks;
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Takes chunks out of the inbox. They count as fetched until they are applied.
static MemberChunk *member_take_inbox(TrnMember *member, uint32_t *count)
{
    trn_mutex_lock(&member->mutex);
    MemberChunk *const first = member->inbox, **end = &member->inbox;
    for (*count = 0; *end && *count < MEMBER_APPLIED_MAX; ++*count) {
        end = &(*end)->next;
    }
    member->inbox = *end;
    member->inbox_end = *end ? member->inbox_end : &member->inbox;
    if (first) {
        *end = NULL; // of the last that was taken
    }
    trn_mutex_unlock(&member->mutex);
    return first;
}

/// Notes that chunks were applied. If as many waited as may, the thread fetches others now.
static void member_note_applied(TrnMember *member, uint32_t count)
{
    trn_mutex_lock(&member->mutex);
    const bool was_full = member->stats.fetched >= TRN_MEMBER_FETCHED_MAX;
    member->stats.fetched -= count;
    trn_mutex_unlock(&member->mutex);
    if (was_full) {
        trn_member_wake(member);
    }
}

/// Puts chunks back to the front of the inbox.
static void member_return_inbox(TrnMember *member, MemberChunk *first)
{
    MemberChunk **end = &first;
    while (*end) {
        end = &(*end)->next;
    }
    trn_mutex_lock(&member->mutex);
    *end = member->inbox;
    member->inbox_end = member->inbox ? member->inbox_end : end;
    member->inbox = first;
    trn_mutex_unlock(&member->mutex);
}

/// Whether nothing depends on a local edit any more. The mutex is locked.
static bool member_is_over(TrnMember *member, const MemberEdit *edit)
{
    const MemberRegion *region = trn_member_region(member, edit->region);
    return edit->state == MEMBER_EDIT_REFUSED ||
           (edit->state == MEMBER_EDIT_DONE && (!region || edit->change <= region->applied));
}

/// Notes what was applied, and frees edits that are seen here as the owner committed them.
static void member_drop_edits(TrnMember *member)
{
    MemberEdit *over = NULL;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; !member->inbox && i < member->regions.count; i++) {
        member->regions.items[i].applied = member->regions.items[i].known;
    }
    MemberEdit **link = &member->edits;
    while (*link) {
        MemberEdit *edit = *link;
        if (member_is_over(member, edit)) {
            *link = edit->next;
            edit->next = over;
            over = edit;
        } else {
            link = &edit->next;
        }
    }
    member->edits_end = link;
    trn_mutex_unlock(&member->mutex);
    trn_member_free_edits(member, over);
}

/// Applies what came from one server.
static TrnResult member_apply(TrnMember *member)
{
    uint32_t count;
    MemberChunk *chunks = member_take_inbox(member, &count);
    const TrnResult result = chunks ? member_write_chunks(member, chunks) : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK) {
        member_return_inbox(member, chunks);
        return result;
    }
    trn_member_free_chunks(member, chunks);
    member_note_applied(member, count);
    member_drop_edits(member);
    return TRN_RESULT_OK;
}

TrnResult trn_member_update(TrnMember *member)
{
    TrnResult result = TRN_RESULT_OK;
    member_take_pending(member);
    member_take_data(member);
    trn_member_add_due(member);
    for (TrnMember *part = member; part; part = part->next) { // one for each server
        member_hand_over(part);
        const TrnResult applied = member_apply(part);
        result = result == TRN_RESULT_OK ? applied : result;
    }
    trn_member_take_due(member);
    return result;
}

// ---- inserted chunks ---------------------------------------------------------------------------

/// Whether an own edit of a chunk is not applied as its owner committed it. The mutex is locked.
static bool member_is_edited(const TrnMember *member, TrnCoord coord)
{
    for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
        for (uint32_t i = 0; i < edit->edit.chunks.count; i++) {
            if (trn_coord_equal(edit->edit.chunks.items[i].coord, coord)) {
                return true;
            }
        }
    }
    return false;
}

/// Notes chunks that were inserted, of the regions of one server.
static TrnResult member_note_inserted(TrnMember *member, const TrnStoreEvent *event)
{
    TrnResult result = TRN_RESULT_OK;
    bool has_any = false;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < event->count && result == TRN_RESULT_OK; i++) {
        const TrnCoord coord = event->chunks[i].coord;
        const TrnStorageKey key = {coord, 0};
        const int64_t number = trn_storage_region(&key);
        if (trn_member_of(member->first, number) != member) {
            continue;
        }
        MemberRegion *region = trn_member_region(member, number);
        if (!region) { // it was loaded so long ago that the region was left
            result = trn_member_follow_anew(member, coord);
            has_any = true;
            continue;
        }
        const bool has_changed = trn_member_has_changed(region, coord);
        if (has_changed || member_is_edited(member, coord)) {
            trn_member_pause(member, region);
        }
        if (!has_changed) {
            continue;
        }
        result = trn_array_push(&member->reloaded, &member->allocator, coord);
        if (result == TRN_RESULT_OK) {
            trn_member_note_changed(member, region, coord, false);
            member->stats.reloaded++;
            has_any = true;
        }
    }
    trn_mutex_unlock(&member->mutex);
    if (has_any) {
        trn_member_wake(member);
    }
    return result;
}

/// A chunk may have been loaded before others changed it, and inserted after that was looked at.
static TrnResult member_inserted(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    TrnResult result = TRN_RESULT_OK;
    (void)store;
    for (TrnMember *member = user; member && result == TRN_RESULT_OK; member = member->next) {
        result = member_note_inserted(member, event);
    }
    return result;
}

TrnResult trn_member_attach(TrnMember *member)
{
    const TrnResult result = trn_store_subscribe(
        member->def.store, TRN_EVENT_BIT(TRN_EVENT_INSERTED), member_inserted, member);
    if (result == TRN_RESULT_OK) {
        member->watch = (TrnStoreWatch){.changing = member_changing,
                                        .user = member,
                                        .removing = member_removing,
                                        .owns = trn_member_owns};
        trn_store_watch(member->def.store, &member->watch);
    }
    return result;
}

void trn_member_detach(TrnMember *member)
{
    trn_store_unwatch(member->def.store, &member->watch);
    (void)trn_store_unsubscribe(member->def.store, member_inserted, member);
}
