// What the owner of a region does: makes edits in the order in which they arrive, and puts the
// chunks. The desk is a store of its own: the game need not have these chunks loaded. On the
// member's thread.

#include "member_impl.h"

#include <string.h>

#include "base/clock.h"
#include "base/coord_map.h"
#include "base/memory.h"

#define DESK_CHUNKS_MAX 512u // kept loaded
#define DESK_SWEEP_US 1e7    // between two looks for old answers

// Of one edit, which any client may have written: as many chunks as a region has, and 16 times as
// many voxels, with repetitions. Regions that are far apart share a number.
#define DESK_EDIT_CHUNKS_MAX ((uint64_t)TRN_REGION_CHUNKS * TRN_REGION_CHUNKS * TRN_REGION_CHUNKS)
#define DESK_EDIT_VOXELS_MAX (16 * DESK_EDIT_CHUNKS_MAX * (uint64_t)TRN_CHUNK_VOXELS)

TRN_ARRAY_DECLARE(DeskTickets, int64_t);

/// The edits of one region that are made together.
typedef struct DeskWork {
    TrnMember *member;
    int64_t region;
    TrnCoordMap dirty; ///< chunks that changed
    DeskTickets made, refused;
    TrnPgEpoch epoch;                 ///< of the server at the put
    bool tells;                       ///< the others must be told
    bool is_told;                     ///< the put has told them, and answered
    MemberEdit *own_first, *own_last; ///< the member's own; NULL: none
    MemberEdit *own_due;              ///< the last of them that the store's fluid has seen
    bool is_whole;                    ///< all that moved in the last edit is made
    MemberDueWork due;
    MemberLevelsWork levels;
    uint32_t count; ///< edits that are made
} DeskWork;

void trn_member_clear_desk(TrnMember *member, const int64_t *region)
{
    TrnStore *desk = member->desk;
    TrnChunk *chunks[64];
    uint32_t cursor = 0;
    for (size_t count;
         (count = trn_pool_gather(trn_store_pool(desk), &cursor, (void **)chunks, 64));) {
        for (size_t i = 0; i < count; i++) {
            const TrnStorageKey key = {chunks[i]->coord, 0};
            if ((!region || trn_storage_region(&key) == *region) &&
                trn_store_remove(desk, chunks[i]->coord) != TRN_RESULT_OK) {
                member->is_desk_stale = true;
            }
        }
    }
}

/// Removes what an earlier call could not: an edit of an old chunk would undo what others made.
/// @return whether nothing old is left
static bool desk_is_fresh(TrnMember *member)
{
    if (member->is_desk_stale) {
        member->is_desk_stale = false;
        trn_member_clear_desk(member, NULL);
    }
    return !member->is_desk_stale;
}

// ---- making edits ------------------------------------------------------------------------------

static TrnResult desk_load(TrnMember *member, TrnCoord coord)
{
    MemberVoxels voxels;
    if (trn_store_find(member->desk, coord)) {
        return TRN_RESULT_OK;
    }
    TrnResult result = trn_member_load(member, coord, &voxels);
    if (result == TRN_RESULT_OK) {
        result = trn_store_insert_data(member->desk, coord, voxels.blocks, voxels.is_uniform,
                                       voxels.data.items, voxels.data.count, NULL);
        trn_member_free_voxels(member, &voxels);
    }
    return result;
}

/// Adds a coordinate to a set, unless the set has it.
static TrnResult desk_note(const TrnMember *member, TrnCoordMap *set, TrnCoord coord)
{
    const TrnResult result = trn_coord_map_reserve(set, &member->allocator, 1);
    if (result == TRN_RESULT_OK && !trn_coord_map_find(set, coord)) {
        (void)trn_coord_map_add(set, coord);
    }
    return result;
}

/// Errors: CORRUPT (it is larger than an edit may be), NO_MEMORY.
static TrnResult desk_measure(const TrnMember *member, const TrnEdit *edit)
{
    TrnResult result = TRN_RESULT_OK;
    TrnCoordMap named = {.count = 0};
    uint64_t voxels = 0;
    for (uint32_t i = 0; i < edit->runs.count; i++) {
        voxels += edit->runs.items[i].last - edit->runs.items[i].first + UINT64_C(1);
    }
    for (uint32_t i = 0; i < edit->chunks.count && result == TRN_RESULT_OK; i++) {
        result = desk_note(member, &named, edit->chunks.items[i].coord);
        result = named.count > DESK_EDIT_CHUNKS_MAX ? TRN_RESULT_CORRUPT : result;
    }
    trn_coord_map_free(&named, &member->allocator);
    return voxels > DESK_EDIT_VOXELS_MAX ? TRN_RESULT_CORRUPT : result;
}

/// Sets the voxels of a moved chunk that are what they were before.
/// @param is_whole  receives whether all were
static TrnResult desk_move_chunk(TrnBatch *batch, const TrnEdit *edit, const TrnEditChunk *chunk,
                                 bool *is_whole)
{
    TrnVoxelEdit *voxels;
    TrnResult result = trn_batch_edit(batch, chunk->coord, &voxels);
    *is_whole = true;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count && result == TRN_RESULT_OK;
         i++) {
        const TrnPendingRun *run = &edit->runs.items[i];
        for (uint32_t at = run->first; at <= run->last && result == TRN_RESULT_OK; at++) {
            const TrnBlock block = trn_voxel_edit_get(voxels, at);
            *is_whole &= block == run->block || block == edit->was.items[i];
            if (block == edit->was.items[i]) {
                result = trn_voxel_edit_set(voxels, at, run->block);
            }
        }
    }
    return result;
}

/// Errors: CORRUPT (more data than a chunk may have), and others.
static TrnResult desk_edit_chunk(DeskWork *work, TrnBatch *batch, const TrnEdit *edit,
                                 const TrnEditChunk *chunk)
{
    TrnVoxelEdit *voxels;
    TrnResult result = TRN_RESULT_OK;
    bool is_whole = true;
    if (chunk->is_moved) {
        result = desk_move_chunk(batch, edit, chunk, &is_whole);
    } else if (chunk->count) {
        result =
            trn_batch_set_runs(batch, chunk->coord, edit->runs.items + chunk->first, chunk->count);
    }
    work->is_whole &= is_whole;
    if (result == TRN_RESULT_OK && !is_whole) { // whoever made it must see what is there
        result = desk_note(work->member, &work->dirty, chunk->coord);
    }
    if (result == TRN_RESULT_OK && chunk->data_count) {
        result = trn_batch_edit(batch, chunk->coord, &voxels);
        result = result == TRN_RESULT_OK ? trn_edit_apply_data(edit, chunk, voxels) : result;
        result = result == TRN_RESULT_FULL ? TRN_RESULT_CORRUPT : result;
    }
    return result;
}

/// Applies an edit whose chunks are loaded as one batch, so that a chunk that the edit names many
/// times is copied once.
static TrnResult desk_edit_chunks(DeskWork *work, const TrnEdit *edit)
{
    TrnStore *desk = work->member->desk;
    const TrnBatchDef def = {.unloaded = TRN_UNLOADED_FAIL};
    TrnBatchOutcome outcome = {.revision = 0};
    TrnBatch *batch;
    TrnResult result = trn_batch_begin(desk, &def, &batch);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < edit->chunks.count && result == TRN_RESULT_OK; i++) {
        result = desk_edit_chunk(work, batch, edit, &edit->chunks.items[i]);
    }
    if (result != TRN_RESULT_OK) {
        trn_batch_cancel(batch);
        return result;
    }
    result = trn_batch_commit(batch, &outcome);
    for (uint32_t i = 0;
         i < edit->chunks.count && outcome.changed_chunks && result == TRN_RESULT_OK; i++) {
        const TrnCoord coord = edit->chunks.items[i].coord;
        result = trn_chunk_revision(trn_store_find(desk, coord)) == outcome.revision
                     ? desk_note(work->member, &work->dirty, coord)
                     : result;
    }
    return result;
}

/// Whether all chunks of an edit are of the region.
static bool desk_is_inside(const TrnEdit *edit, int64_t region)
{
    for (uint32_t i = 0; i < edit->chunks.count; i++) {
        const TrnStorageKey key = {edit->chunks.items[i].coord, 0};
        if (trn_storage_region(&key) != region) {
            return false;
        }
    }
    return true;
}

/// Errors: CORRUPT (it is too large, or a chunk cannot be read; nothing is edited then), and
/// others.
static TrnResult desk_edit(DeskWork *work, const TrnEdit *edit)
{
    TrnResult result = desk_measure(work->member, edit);
    work->is_whole = true;
    for (uint32_t i = 0; i < edit->chunks.count && result == TRN_RESULT_OK; i++) {
        result = desk_load(work->member, edit->chunks.items[i].coord);
    }
    result = result == TRN_RESULT_OK ? desk_edit_chunks(work, edit) : result;
    work->count += result == TRN_RESULT_OK;
    return result;
}

/// Makes an edit of the queue, or refuses it: any member may have written it.
static TrnResult desk_do_queued(DeskWork *work, const MemberQueue *queue,
                                const MemberQueued *queued)
{
    TrnMember *member = work->member;
    TrnEdit edit = {.chunks = {0}};
    const void *bytes = queued->size ? queue->bytes.items + queued->first : (const void *)"";
    TrnResult result = trn_edit_read(bytes, queued->size, trn_store_block_types(member->desk),
                                     &member->allocator, &edit);
    bool is_good = result == TRN_RESULT_OK && desk_is_inside(&edit, work->region);
    result = result == TRN_RESULT_NO_MEMORY ? result
             : is_good                      ? desk_edit(work, &edit)
                                            : TRN_RESULT_OK;
    if (result == TRN_RESULT_CORRUPT) {
        is_good = false;
        result = TRN_RESULT_OK;
    }
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(is_good ? &work->made : &work->refused, &member->allocator,
                                queued->ticket);
    }
    trn_edit_free(&edit, &member->allocator);
    return result;
}

// ---- putting -----------------------------------------------------------------------------------

static TrnResult desk_put_chunk(TrnMember *member, TrnCoord coord)
{
    TrnSnapshot voxels;
    const TrnStreamJob job = {.coord = coord, .worker = TRN_SAVE_MEMBER_WORKER};
    const TrnResult result = trn_store_snapshot(member->desk, coord, &voxels);
    return result == TRN_RESULT_OK ? member->source.save(member->source.user, &job, voxels)
                                   : result;
}

/// Puts the chunks that changed into the queue, to be written in one transaction: a part of them
/// would be written without the rider.
static TrnResult desk_queue_chunks(const DeskWork *work)
{
    TrnMember *member = work->member;
    TrnSave *save = member->def.save;
    const TrnCoordEntry *entry;
    uint64_t at = 0;
    TrnResult result = trn_save_begin(save);
    if (result == TRN_RESULT_FULL) {
        result = trn_save_flush(save);
        result = result == TRN_RESULT_OK ? trn_save_begin(save) : result;
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    while (result == TRN_RESULT_OK && (entry = trn_coord_map_next(&work->dirty, &at))) {
        result = desk_put_chunk(member, entry->coord);
    }
    trn_save_end(save);
    return result;
}

/// Answers edits in the transaction of the put that makes them, and tells of it. A TrnPgRider.
static bool desk_ride(TrnPgLink *link, void *context)
{
    DeskWork *work = context;
    const DeskTickets *made = &work->made, *refused = &work->refused;
    return (!work->member->has_epoch || trn_pg_place(link, &work->epoch)) &&
           (!made->count || trn_pg_edit_answer_put(link, work->region, made->items, made->count)) &&
           (!refused->count || trn_pg_edit_answer(link, work->region, refused->items,
                                                  refused->count, TRN_PG_EDIT_REFUSED)) &&
           trn_member_ride_due(link, work->region, &work->due) &&
           trn_member_ride_unfolded(link, work->region, &work->levels) &&
           (!work->tells || trn_member_tell(work->member, link, work->region, true));
}

static bool desk_is_of_region(void *user, const TrnStorageKey *key)
{
    return trn_storage_region(key) == *(const int64_t *)user;
}

static bool desk_is_chunk(void *user, const TrnStorageKey *key)
{
    return key->level == 0 && desk_is_of_region(user, key);
}

/// Puts the chunks that changed, and commits them. If it fails, none stays in the queue: written
/// later, it would be without the rider. @param change  receives that of the region
static TrnResult desk_put(DeskWork *work, int64_t *change)
{
    TrnMember *member = work->member;
    TrnLeases *leases = trn_postgres_leases(&member->storage);
    TrnPgRider rider = {work->region, work->dirty.count, desk_ride, work, false};
    TrnResult result = TRN_RESULT_OK;
    work->tells = trn_member_is_news(member, work->region);
    work->epoch = member->epoch;
    if (rider.rows) {
        trn_leases_set_rider(leases, &rider);
        result = desk_queue_chunks(work);
        result = result == TRN_RESULT_OK ? trn_save_flush(member->def.save) : result;
        if (result != TRN_RESULT_OK) {
            trn_save_discard(member->def.save, desk_is_chunk, &work->region);
        }
        trn_leases_set_rider(leases, NULL);
    }
    work->is_told = rider.is_done;
    if (rider.is_done && member->has_epoch) { // the server is as far as this put
        trn_member_take_epoch(member, &work->epoch);
    }
    *change = trn_leases_change(leases, work->region);
    return result == TRN_RESULT_OK && !*change &&
                   !trn_pg_change(&member->link, work->region, change)
               ? TRN_RESULT_IO
               : result;
}

/// Another process owns a region now.
static void desk_lose(TrnMember *member, int64_t number)
{
    trn_save_discard(member->def.save, desk_is_of_region, &number);
    trn_member_clear_desk(member, &number);
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        trn_member_disown(member, region);
    }
    trn_mutex_unlock(&member->mutex);
}

TrnResult trn_member_renew(TrnMember *member)
{
    TrnLeases *leases = trn_postgres_leases(&member->storage);
    const TrnResult result = trn_lease_renew(&member->storage);
    if (result != TRN_RESULT_STALE_ID) {
        return result;
    }
    for (uint32_t i = 0;; i++) { // lost regions stay in the array
        trn_mutex_lock(&member->mutex);
        const bool is_one = i < member->regions.count;
        const MemberRegion region = is_one ? member->regions.items[i] : (MemberRegion){0};
        trn_mutex_unlock(&member->mutex);
        if (!is_one) {
            return TRN_RESULT_OK;
        }
        if (region.is_owned && !trn_leases_hold(leases, region.number)) {
            desk_lose(member, region.number);
        }
    }
}

/// Drops answers that were not taken, now and then.
static bool desk_sweep(const DeskWork *work)
{
    TrnMember *member = work->member;
    const double now_us = trn_clock_us();
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, work->region);
    const bool is_due = region && now_us - region->swept_us > DESK_SWEEP_US;
    if (is_due) {
        region->swept_us = now_us;
    }
    trn_mutex_unlock(&member->mutex);
    return !is_due || trn_pg_edit_drop_old(&member->link, work->region);
}

/// Answers edits, and tells the others, unless the put has done so.
static TrnResult desk_answer(DeskWork *work, int64_t change)
{
    TrnPgLink *link = &work->member->link;
    const DeskTickets *made = &work->made, *refused = &work->refused;
    bool is_good = true;
    if (!work->is_told) {
        is_good = (!refused->count || trn_pg_edit_answer(link, work->region, refused->items,
                                                         refused->count, TRN_PG_EDIT_REFUSED)) &&
                  (!made->count || trn_pg_edit_answer(link, work->region, made->items, made->count,
                                                      change ? change : TRN_PG_EDIT_IDLE)) &&
                  (!work->tells || trn_member_tell(work->member, link, work->region, true));
    }
    if (work->tells) {
        (void)trn_member_tell(work->member, link, work->region, false);
    }
    return is_good && desk_sweep(work) ? TRN_RESULT_OK : TRN_RESULT_IO;
}

/// Makes the edits of the queue that wait for the region.
static TrnResult desk_do_queue(DeskWork *work, const MemberQueue *queue)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < queue->edits.count && result == TRN_RESULT_OK; i++) {
        const MemberQueued *queued = &queue->edits.items[i];
        result = queued->region == work->region ? desk_do_queued(work, queue, queued) : result;
    }
    return result;
}

/// Returns the first own edit of the region that was not handed over; NULL: there is none.
static MemberEdit *desk_next_own(TrnMember *member, int64_t region, MemberEdit *after)
{
    trn_mutex_lock(&member->mutex);
    MemberEdit *edit = after ? after->next : member->edits;
    while (edit && (edit->region != region || edit->state != MEMBER_EDIT_NEW)) {
        edit = edit->next;
    }
    trn_mutex_unlock(&member->mutex);
    return edit;
}

/// Makes own edits. The store's thread frees none of them before they are done.
static TrnResult desk_do_own(DeskWork *work)
{
    TrnMember *member = work->member;
    TrnResult result = TRN_RESULT_OK;
    bool is_noted = false; // the rest has been seen by the store's fluid
    work->own_first = desk_next_own(member, work->region, NULL);
    for (MemberEdit *edit = work->own_first; edit && result == TRN_RESULT_OK;
         edit = desk_next_own(member, work->region, edit)) {
        const bool is_seen = trn_member_has_seen(member, edit);
        // What the store's fluid has seen need not be noted, unless it is with what it has not.
        result = is_seen && !work->own_due ? trn_member_note_due(member, work->region, &work->due)
                                           : result;
        is_noted = is_seen && (work->own_due ? is_noted : true);
        result = result == TRN_RESULT_OK ? desk_edit(work, &edit->edit) : result;
        is_noted = is_noted && work->is_whole; // it has not seen what is there instead
        edit->is_unmade = result == TRN_RESULT_CORRUPT;
        result = edit->is_unmade ? TRN_RESULT_OK : result;
        work->own_last = edit;
        work->own_due = is_seen ? edit : work->own_due;
    }
    result = result != TRN_RESULT_OK ? result
             : is_noted              ? trn_member_forget_due(member)
                                     : trn_member_note_due(member, work->region, &work->due);
    return result;
}

/// Acknowledges own edits that are committed. @param change  of the region that has them
static void desk_end_own(DeskWork *work, int64_t change)
{
    TrnMember *member = work->member;
    trn_mutex_lock(&member->mutex);
    for (MemberEdit *edit = work->own_first; edit;
         edit = edit == work->own_last ? NULL : edit->next) {
        if (edit->region == work->region && edit->state == MEMBER_EDIT_NEW && !edit->is_unmade) {
            edit->state = MEMBER_EDIT_DONE;
            edit->change = change;
            member->stats.acknowledged++;
            member->stats.ack_seconds = (trn_clock_us() - edit->made_us) * 1e-6;
        }
    }
    trn_mutex_unlock(&member->mutex);
    for (MemberEdit *edit = desk_next_own(member, work->region, NULL), *next; edit; edit = next) {
        next = desk_next_own(member, work->region, edit);
        if (edit->is_unmade) {
            trn_member_refuse(member, edit); // the store's thread may free it now
        }
    }
}

/// Tells the store's thread what the chunks are now that were put.
static TrnResult desk_show(DeskWork *work, int64_t change)
{
    TrnMember *member = work->member;
    MemberCoords chunks = {0};
    const TrnCoordEntry *entry;
    uint64_t at = 0;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && (entry = trn_coord_map_next(&work->dirty, &at))) {
        result = trn_array_push(&chunks, &member->allocator, entry->coord);
    }
    if (result == TRN_RESULT_OK && chunks.count) {
        trn_member_note_put(member, work->region, change, chunks.items, chunks.count);
    }
    trn_array_free(&chunks, &member->allocator);
    return result;
}

/// Makes the edits that wait, and puts them as one change.
static TrnResult desk_do(DeskWork *work, const MemberQueue *queue)
{
    int64_t change = 0;
    TrnResult result = desk_do_queue(work, queue);
    result = result == TRN_RESULT_OK ? desk_do_own(work) : result;
    if (result != TRN_RESULT_OK ||
        (!work->own_first && !work->made.count && !work->refused.count)) {
        return result;
    }
    result = trn_member_find_due(work->member, work->region, work->own_due, &work->due);
    trn_member_find_unfolded(work->member, work->region, &work->dirty, &work->levels);
    result = result == TRN_RESULT_OK ? desk_put(work, &change) : result;
    result = result == TRN_RESULT_OK ? desk_answer(work, change) : result;
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_member_end_unfolded(work->member, work->region, &work->dirty, work->is_told, &work->levels);
    (void)desk_show(work, change); // without it, the next look finds the change
    result =
        trn_member_end_due(work->member, work->region, work->own_due, work->is_told, &work->due);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    desk_end_own(work, change);
    return TRN_RESULT_OK;
}

TrnResult trn_member_execute(TrnMember *member, int64_t region, const MemberQueue *queue)
{
    DeskWork work = {.member = member, .region = region};
    // If it was lost with another, a put would wait in the save for ever. If the put of another has
    // found that the database went back, the notes are read first.
    if (!trn_leases_hold(trn_postgres_leases(&member->storage), region) ||
        trn_member_is_unread(member, region)) {
        return TRN_RESULT_OK;
    }
    if (!desk_is_fresh(member)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnResult result = trn_member_forget_due(member); // of an earlier try
    result = result == TRN_RESULT_OK ? desk_do(&work, queue) : result;
    if (result != TRN_RESULT_OK) { // the edits are made again, on the chunks as they are saved
        trn_member_clear_desk(member, &region);
        trn_member_doubt_unfolded(member, region, &work.dirty);
    }
    result = result == TRN_RESULT_STALE_ID ? trn_member_renew(member) : result;
    trn_mutex_lock(&member->mutex);
    member->stats.executed += result == TRN_RESULT_OK ? work.count : 0;
    MemberRegion *const of = trn_member_region(member, region);
    if (of && work.count) {
        of->edited_us = trn_clock_us();
    }
    if (of && result != TRN_RESULT_OK) { // the put may be committed, and its notes with it
        of->is_unread = true;
        of->due.is_unread = true;
    }
    trn_mutex_unlock(&member->mutex);
    if (trn_store_stats(member->desk).chunks > DESK_CHUNKS_MAX) {
        trn_member_clear_desk(member, NULL);
    }
    trn_coord_map_free(&work.dirty, &member->allocator);
    trn_array_free(&work.made, &member->allocator);
    trn_array_free(&work.refused, &member->allocator);
    trn_member_free_due_work(member, &work.due);
    return result;
}
