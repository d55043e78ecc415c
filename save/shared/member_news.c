// What others changed: the news of followed regions, and the chunks that are loaded for it.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define MEMBER_EPOCH_SECONDS 1.25 // between two questions how far the server is; looks tell it too
#define MEMBER_WEIGHT_MAX 16u
#define MEMBER_DROP_SECONDS 5.0 // until answers that were read are dropped at the latest
// The same after a server without an answer, which logs it as an error.
#define MEMBER_EPOCH_AGAIN_SECONDS 10.0

/// What changed in a region.
typedef struct MemberNews {
    int64_t region;
    int64_t change;      ///< that the region has once its chunks are fetched
    int64_t last;        ///< change of the region
    bool is_whole;       ///< any chunk may have changed
    uint32_t first, end; ///< of the chunks in MemberRound.coords
} MemberNews;

TRN_ARRAY_DECLARE(MemberNewsList, MemberNews);

/// What a look at regions finds.
typedef struct MemberRound {
    TrnMember *member;
    MemberNewsList news;
    MemberCoords coords;
    MemberQueue *queue;
    TrnResult result; ///< of the first call that failed
} MemberRound;

// ---- epoch -------------------------------------------------------------------------------------

/// Whether a server may have lost what it had committed at an earlier epoch: a standby that was
/// behind was promoted, or a backup restored.
static bool member_has_lost(const TrnPgEpoch *then, const TrnPgEpoch *now)
{
    return then->system && now->system &&
           (then->system != now->system || then->timeline != now->timeline ||
            now->place < then->place);
}

void trn_member_take_epoch(TrnMember *member, const TrnPgEpoch *now)
{
    member->epoch_us = trn_clock_us() + MEMBER_EPOCH_SECONDS * 1e6;
    if (member_has_lost(&member->epoch, now)) {
        trn_mutex_lock(&member->mutex);
        for (uint32_t i = 0; i < member->regions.count; i++) {
            trn_member_rewind(member, &member->regions.items[i]);
        }
        member->stats.rewinds++;
        trn_mutex_unlock(&member->mutex);
        member->listing.is_open = false;
        member->is_desk_stale = true;
    }
    member->epoch = *now;
}

bool trn_member_look_at_epoch(TrnMember *member)
{
    TrnPgEpoch now;
    if (!trn_pg_epoch(&member->link, &now)) {
        return false;
    }
    member->has_epoch = now.system != 0;
    if (member->has_epoch) {
        trn_member_take_epoch(member, &now);
    } else { // a standby, perhaps, that is asked again; or a server that has no answer
        member->epoch_us = trn_clock_us() + MEMBER_EPOCH_AGAIN_SECONDS * 1e6;
    }
    return true;
}

// ---- changes -----------------------------------------------------------------------------------

int64_t trn_member_seen_change(const TrnMember *member, const MemberRegion *region)
{
    const MemberListing *listing = &member->listing;
    return listing->is_open && listing->region == region->number ? listing->change : region->known;
}

/// Whether no more chunks may wait for an update.
static bool member_is_full(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool is_full = member->stats.fetched + MEMBER_LOADS_MAX > TRN_MEMBER_FETCHED_MAX;
    trn_mutex_unlock(&member->mutex);
    return is_full;
}

static bool member_is_loaded(TrnMember *member, TrnCoord coord)
{
    trn_chunk_index_read_begin(member->reader);
    const bool is_loaded = trn_store_find(member->def.store, coord) != NULL;
    trn_chunk_index_read_end(member->reader);
    return is_loaded;
}

/// Hands a loaded chunk to the store's thread, which frees it.
/// @param change  of its region that it has at least
static TrnResult member_hand_over(TrnMember *member, TrnCoord coord, int64_t change,
                                  const MemberVoxels *voxels)
{
    const TrnStorageKey key = {coord, 0};
    MemberChunk *chunk = trn_take(&member->allocator, sizeof *chunk, TRN_CACHE_LINE);
    if (!chunk) {
        return TRN_RESULT_NO_MEMORY;
    }
    *chunk = (MemberChunk){
        .coord = coord, .region = trn_storage_region(&key), .change = change, .voxels = *voxels};
    trn_mutex_lock(&member->mutex);
    *member->inbox_end = chunk;
    member->inbox_end = &chunk->next;
    member->stats.fetched++;
    trn_mutex_unlock(&member->mutex);
    return TRN_RESULT_OK;
}

/// Loads chunks for the store's thread. One that cannot be read stays as it is here, and holds up
/// no others.
/// @param coords  [count] at most MEMBER_LOADS_MAX
/// @param change  of their region that they have at least
/// @return of the first that failed: none is handed over, or those before it
static TrnResult member_fetch_chunks(TrnMember *member, const TrnCoord *coords, size_t count,
                                     int64_t change)
{
    MemberVoxels voxels[MEMBER_LOADS_MAX];
    TrnResult results[MEMBER_LOADS_MAX], result = TRN_RESULT_OK;
    trn_member_load_many(member, coords, count, voxels, results);
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = results[i] == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : results[i];
    }
    for (size_t i = 0; i < count; i++) {
        const bool is_good = result == TRN_RESULT_OK && results[i] == TRN_RESULT_OK;
        result = is_good ? member_hand_over(member, coords[i], change, &voxels[i]) : result;
        if (!is_good || result != TRN_RESULT_OK) {
            trn_member_free_voxels(member, &voxels[i]);
        }
    }
    return result;
}

/// Notes that chunks of a region changed while they were not loaded, or that they are loaded as
/// they are now.
static void member_note_chunks(TrnMember *member, int64_t number, const TrnCoord *coords,
                               size_t count, bool is_changed)
{
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    for (size_t i = 0; i < count && region; i++) {
        trn_member_note_changed(member, region, coords[i], is_changed);
    }
    trn_mutex_unlock(&member->mutex);
}

/// Loads the listed chunks that come next, and notes those that are not loaded.
static TrnResult member_fetch_next(TrnMember *member)
{
    MemberListing *listing = &member->listing;
    const TrnCoord *listed = listing->coords.items + listing->next;
    const uint32_t left = listing->coords.count - listing->next;
    const uint32_t count = left < MEMBER_LOADS_MAX ? left : MEMBER_LOADS_MAX;
    TrnCoord loaded[MEMBER_LOADS_MAX];
    uint32_t loaded_count = 0;
    // Before the look which are loaded: an insert from now on has its chunk loaded again.
    member_note_chunks(member, listing->region, listed, count, true);
    for (uint32_t i = 0; i < count; i++) {
        if (member_is_loaded(member, listed[i])) {
            loaded[loaded_count++] = listed[i];
        }
    }
    const TrnResult result =
        loaded_count ? member_fetch_chunks(member, loaded, loaded_count, listing->change)
                     : TRN_RESULT_OK;
    if (result == TRN_RESULT_OK) {
        // One that is unloaded now is loaded as it is from here on.
        member_note_chunks(member, listing->region, loaded, loaded_count, false);
        listing->next += count;
    }
    return result;
}

/// Loads the chunks that are listed, as many as may wait for an update.
static bool member_fetch_listed(TrnMember *member)
{
    MemberListing *listing = &member->listing;
    while (listing->next < listing->coords.count && !member_is_full(member)) {
        if (!trn_member_note_result(member, member_fetch_next(member))) {
            return false;
        }
    }
    listing->is_open = listing->next < listing->coords.count;
    if (!listing->is_open) {
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, listing->region);
        if (region) {
            region->known = listing->change;
            region->is_rewound = false;
            region->is_hinted |= listing->is_behind;
        }
        trn_mutex_unlock(&member->mutex);
    }
    return true;
}

/// Lists the chunks of a region that are loaded, all of which may have changed.
static TrnResult member_list_loaded(TrnMember *member, int64_t number, MemberCoords *coords)
{
    const size_t capacity = (size_t)TRN_REGION_CHUNKS * TRN_REGION_CHUNKS * TRN_REGION_CHUNKS;
    TrnChunk **chunks = trn_take(&member->allocator, capacity * sizeof(TrnChunk *), TRN_CACHE_LINE);
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    const TrnBox box = trn_region_box(region ? region->place : (TrnRegion){0, 0, 0});
    if (region) {
        trn_member_note_all_changed(member, region);
    }
    trn_mutex_unlock(&member->mutex);
    TrnResult result = TRN_RESULT_OK;
    trn_chunk_index_read_begin(member->reader);
    const size_t count = region ? trn_store_gather(member->def.store, box, chunks, capacity) : 0;
    for (size_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = trn_array_push(coords, &member->allocator, chunks[i]->coord);
    }
    trn_chunk_index_read_end(member->reader);
    trn_give(&member->allocator, chunks, capacity * sizeof(TrnChunk *));
    return result;
}

/// Whether news is of the state that is followed now: its region has not begun anew since.
static bool member_is_current(TrnMember *member, const MemberNews *news)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegion *region = trn_member_region(member, news->region);
    const bool is_current = news->is_whole || !region || !region->is_rewound;
    trn_mutex_unlock(&member->mutex);
    return is_current;
}

/// Loads the chunks of a region that changed since it was looked at.
static bool member_fetch_region(MemberRound *round, const MemberNews *news)
{
    TrnMember *member = round->member;
    MemberListing *listing = &member->listing;
    listing->coords.count = listing->next = 0;
    listing->region = news->region;
    listing->change = news->change;
    listing->is_behind = news->change != news->last;
    TrnResult result = TRN_RESULT_OK;
    if (news->is_whole) {
        result = member_list_loaded(member, news->region, &listing->coords);
    }
    for (uint32_t i = news->first; i < news->end && result == TRN_RESULT_OK; i++) {
        result = trn_array_push(&listing->coords, &member->allocator, round->coords.items[i]);
    }
    listing->is_open = result == TRN_RESULT_OK;
    return trn_member_note_result(member, result) && member_fetch_listed(member);
}

void trn_member_hint(TrnMember *member, const MemberNumbers *regions)
{
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < regions->count; i++) {
        MemberRegion *region = trn_member_region(member, regions->items[i]);
        if (region) {
            region->is_hinted = true;
        }
    }
    trn_mutex_unlock(&member->mutex);
}

/// How many edits a change counts as: an owner makes several of a crowd at a time, mostly in
/// different chunks.
static uint32_t member_weight(size_t chunks)
{
    return chunks < 1 ? 1 : chunks < MEMBER_WEIGHT_MAX ? (uint32_t)chunks : MEMBER_WEIGHT_MAX;
}

/// Begins the news of a region. The mutex is locked.
static TrnResult member_begin_news(MemberRound *round, int64_t number, int64_t last)
{
    TrnMember *member = round->member;
    MemberRegion *region = trn_member_region(member, number);
    MemberNews news = {.region = number, .change = last, .last = last};
    member->pace.has_found = true;
    if (region) {
        region->active_us = trn_clock_us();
    }
    news.first = news.end = round->coords.count;
    if (region && last < region->known) {
        trn_member_rewind(member, region);
        member->stats.rewinds++;
        member->is_desk_stale = true;
    }
    if (region) {
        news.is_whole = region->is_rewound;
        news.change = news.is_whole ? last : region->known;
    }
    return trn_array_push(&round->news, &member->allocator, news);
}

/// Adds a change to the news of its region. Any client may have written it.
static TrnResult member_add_news(MemberRound *round, const TrnPgField *row)
{
    round->member->pace.changes += member_weight(row[3].size / TRN_PG_CHANGE_CHUNK_BYTES);
    MemberNews *news = &round->news.items[round->news.count - 1];
    const unsigned char *bytes = row[3].bytes;
    const size_t size = row[3].size;
    TrnResult result = TRN_RESULT_OK;
    if (news->is_whole || news->change == news->last) {
        return TRN_RESULT_OK;
    }
    if (row[2].number != news->change + 1 || !size || size % TRN_PG_CHANGE_CHUNK_BYTES) {
        news->is_whole = true; // changes between are no longer there, or this one has no list
        news->change = news->last;
        round->coords.count = news->end = news->first;
        return TRN_RESULT_OK;
    }
    for (size_t at = 0; at < size && result == TRN_RESULT_OK; at += TRN_PG_CHANGE_CHUNK_BYTES) {
        uint32_t numbers[3] = {0};
        for (size_t i = 0; i < TRN_PG_CHANGE_CHUNK_BYTES; i++) {
            numbers[i / 4] = numbers[i / 4] << 8 | bytes[at + i];
        }
        const TrnCoord coord = {(int32_t)numbers[0], (int32_t)numbers[1], (int32_t)numbers[2]};
        result = trn_array_push(&round->coords, &round->member->allocator, coord);
    }
    news->change++;
    news->end = round->coords.count;
    return result;
}

static bool member_visit_news(void *user, const TrnPgField *row)
{
    MemberRound *round = user;
    const uint32_t count = round->news.count;
    if (round->result != TRN_RESULT_OK) {
        return false;
    }
    if (!count || round->news.items[count - 1].region != row[0].number) {
        trn_mutex_lock(&round->member->mutex);
        round->result = member_begin_news(round, row[0].number, row[1].number);
        trn_mutex_unlock(&round->member->mutex);
    }
    round->result = round->result == TRN_RESULT_OK ? member_add_news(round, row) : round->result;
    return round->result == TRN_RESULT_OK;
}

// ---- answers and the queue ---------------------------------------------------------------------

static TrnResult member_note_answered(TrnMember *member, int64_t region, int64_t number)
{
    for (uint32_t i = 0; i < member->answered.count; i++) {
        if (member->answered.items[i] == number) {
            return TRN_RESULT_OK; // it has not been dropped yet
        }
    }
    TrnResult result = trn_array_push(&member->answered_regions, &member->allocator, region);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&member->answered, &member->allocator, number);
        member->answered_regions.count -= result != TRN_RESULT_OK;
    }
    if (member->answered.count == 1) {
        member->drop_us = trn_clock_us() + MEMBER_DROP_SECONDS * 1e6;
    }
    return result;
}

/// Notes the answer to an edit that waits. The mutex is locked.
static void member_note_made(TrnMember *member, MemberEdit *edit, int64_t change)
{
    const MemberRegion *region = trn_member_region(member, edit->region);
    edit->state = MEMBER_EDIT_DONE;
    edit->change = change;
    member->stats.acknowledged++;
    member->stats.ack_seconds = (trn_clock_us() - edit->made_us) * 1e-6;
    if (region && trn_member_seen_change(member, region) >= change) {
        // Chunks that have it were fetched before the answer, and the edit was written over
        // them again, perhaps over a later one.
        trn_member_reload_chunks(member, edit);
    }
}

/// Takes the answer to an own edit that another makes, or notes that the edit still waits for one.
static bool member_visit_answer(void *user, const TrnPgField *row)
{
    MemberRound *round = user;
    TrnMember *member = round->member;
    const int64_t number = row[1].number, change = row[2].number;
    if (round->result != TRN_RESULT_OK) {
        return false;
    }
    trn_mutex_lock(&member->mutex);
    MemberEdit *edit = member->edits;
    while (edit && (edit->number != number || edit->state > MEMBER_EDIT_QUEUED)) {
        edit = edit->next;
    }
    if (edit) {
        edit->is_queued = true;
    }
    if (edit && (change > 0 || change == TRN_PG_EDIT_IDLE)) {
        member_note_made(member, edit, change > 0 ? change : 0);
    }
    trn_mutex_unlock(&member->mutex);
    if (edit && change == TRN_PG_EDIT_REFUSED) {
        trn_member_refuse(member, edit);
    }
    round->result = change ? member_note_answered(member, row[0].number, number) : TRN_RESULT_OK;
    return round->result == TRN_RESULT_OK;
}

/// Begins to look for answers. @return whether any is waited for
static bool member_begin_answers(TrnMember *member)
{
    bool is_waiting = false;
    trn_mutex_lock(&member->mutex);
    for (MemberEdit *edit = member->edits; edit; edit = edit->next) {
        is_waiting = is_waiting || edit->state == MEMBER_EDIT_QUEUED;
        edit->is_queued = false;
    }
    trn_mutex_unlock(&member->mutex);
    return is_waiting;
}

static bool member_is_listed(const MemberNumbers *regions, int64_t number)
{
    uint32_t i = 0;
    while (i < regions->count && regions->items[i] != number) {
        i++;
    }
    return i < regions->count;
}

/// Returns an edit that waits in some regions, but is not in the queue. NULL: there is none.
static MemberEdit *member_find_gone(TrnMember *member, const MemberNumbers *regions)
{
    trn_mutex_lock(&member->mutex);
    MemberEdit *edit = member->edits;
    while (edit && (edit->state != MEMBER_EDIT_QUEUED || edit->is_queued ||
                    !member_is_listed(regions, edit->region))) {
        edit = edit->next;
    }
    trn_mutex_unlock(&member->mutex);
    return edit;
}

/// Takes back edits that are no longer in the queue: their answers were dropped before this member
/// read them, because it was cut off for long. Their chunks are loaded as they are.
static void member_give_up_answers(TrnMember *member, const MemberNumbers *regions)
{
    for (MemberEdit *edit; (edit = member_find_gone(member, regions));) {
        trn_member_refuse(member, edit);
    }
}

bool trn_member_drop_answered(TrnMember *member)
{
    const bool is_good =
        !member->answered.count ||
        trn_pg_edit_drop(&member->link, member->answered_regions.items, member->answered.items,
                         member->answered.count, member->id);
    if (is_good) {
        member->answered_regions.count = member->answered.count = 0;
    }
    return is_good;
}

/// Keeps an edit of the queue.
static bool member_visit_queued(void *user, const TrnPgField *row)
{
    MemberRound *round = user;
    const TrnAllocator *allocator = &round->member->allocator;
    MemberQueue *queue = round->queue;
    const MemberQueued queued = {row[0].number, row[1].number, queue->bytes.count, row[2].size};
    TrnResult result =
        trn_array_reserve(&queue->bytes, allocator, queue->bytes.count + queued.size);
    if (result == TRN_RESULT_OK) {
        result = trn_array_push(&queue->edits, allocator, queued);
    }
    if (result == TRN_RESULT_OK && queued.size) {
        memcpy(queue->bytes.items + queued.first, row[2].bytes, queued.size);
        queue->bytes.count += (uint32_t)queued.size;
    }
    round->member->pace.has_found = true;
    round->result = result;
    return result == TRN_RESULT_OK;
}

void trn_member_free_queue(const TrnMember *member, MemberQueue *queue)
{
    trn_array_free(&queue->edits, &member->allocator);
    trn_array_free(&queue->bytes, &member->allocator);
}

// ---- looking -----------------------------------------------------------------------------------

/// Keeps the row of a chunk that changed, if it is loaded.
static bool member_visit_row(void *user, const TrnPgField *row)
{
    const MemberRound *round = user;
    const TrnStorageRow of = {
        .key = {.coord = {(int32_t)row[1].number, (int32_t)row[2].number, (int32_t)row[3].number}},
        .revision = (uint64_t)row[4].number,
        .bytes = row[5].bytes,
        .size = row[5].size};
    if (member_is_loaded(round->member, of.key.coord)) {
        trn_member_keep_row(round->member, &of);
    }
    return true;
}

/// Lists what is asked about regions. The mutex is locked.
static TrnResult member_list_known(TrnMember *member, const MemberNumbers *regions,
                                   MemberNumbers *since, MemberNumbers *owned)
{
    TrnResult result = trn_array_reserve(since, &member->allocator, regions->count);
    for (uint32_t i = 0; i < regions->count && result == TRN_RESULT_OK; i++) {
        const MemberRegion *region = trn_member_region(member, regions->items[i]);
        since->items[since->count++] = region && !region->is_rewound ? region->known : INT64_MAX;
        if (region && region->is_owned) {
            result = trn_array_push(owned, &member->allocator, region->number);
        }
    }
    return result;
}

/// Asks about regions. @param has_news  also what changed in them
static bool member_ask(MemberRound *round, const MemberNumbers *regions, bool has_news)
{
    TrnMember *member = round->member;
    MemberNumbers since = {0}, owned = {0};
    trn_mutex_lock(&member->mutex);
    const TrnResult result = member_list_known(member, regions, &since, &owned);
    trn_mutex_unlock(&member->mutex);
    TrnPgLook look = {.owned = owned.items,
                      .owned_count = owned.count,
                      .is_waiting = member_begin_answers(member),
                      .member = member->id,
                      .regions = regions->items,
                      .since = since.items,
                      .count = regions->count,
                      .has_epoch = member->has_epoch,
                      .edit = member_visit_queued,
                      .answer = member_visit_answer,
                      .news = has_news ? member_visit_news : NULL,
                      .row = member_visit_row,
                      .user = round,
                      .epoch = member->epoch};
    const bool is_good = trn_member_note_result(member, result) &&
                         trn_member_note(member, trn_pg_look(&member->link, &look)) &&
                         trn_member_note_result(member, round->result);
    if (is_good && look.has_epoch) {
        trn_member_take_epoch(member, &look.epoch);
    }
    if (is_good && look.is_waiting) { // a failover has them handed over again instead
        member_give_up_answers(member, regions);
    }
    trn_array_free(&since, &member->allocator);
    trn_array_free(&owned, &member->allocator);
    return is_good;
}

bool trn_member_look_at(TrnMember *member, const MemberNumbers *regions, MemberQueue *queue)
{
    MemberRound round = {.member = member, .queue = queue};
    const MemberListing *listing = &member->listing;
    if (listing->is_open && !member_fetch_listed(member)) {
        return false;
    }
    bool is_good = !regions->count || member_ask(&round, regions, !listing->is_open);
    for (uint32_t i = 0; i < round.news.count && is_good && !listing->is_open; i++) {
        is_good = !member_is_current(member, &round.news.items[i]) ||
                  member_fetch_region(&round, &round.news.items[i]);
    }
    if (listing->is_open) {
        trn_member_hint(member, regions);
    }
    trn_member_drop_rows(member);
    trn_array_free(&round.news, &member->allocator);
    trn_array_free(&round.coords, &member->allocator);
    return is_good;
}

// ---- own changes -------------------------------------------------------------------------------

/// Copies a chunk of the desk. @param voxels  need not be freed on failure
static TrnResult member_copy_desk(TrnMember *member, TrnCoord coord, MemberVoxels *voxels)
{
    TrnSnapshot snapshot;
    TrnResult result = trn_store_snapshot(member->desk, coord, &snapshot);
    return result == TRN_RESULT_OK ? trn_member_copy_voxels(member, snapshot, voxels) : result;
}

/// Whether the news of a region would be this change alone, and its chunks may wait for an update.
/// The mutex is locked.
static bool member_is_next(const TrnMember *member, const MemberRegion *region, int64_t change,
                           uint32_t count)
{
    const MemberListing *listing = &member->listing;
    return region && region->known == change - 1 && !region->is_rewound &&
           !(listing->is_open && listing->region == region->number) &&
           member->stats.fetched + count <= TRN_MEMBER_FETCHED_MAX;
}

void trn_member_note_put(TrnMember *member, int64_t region, int64_t change, const TrnCoord *chunks,
                         uint32_t count)
{
    member->pace.changes += member_weight(count);
    trn_mutex_lock(&member->mutex);
    MemberRegion *followed = trn_member_region(member, region);
    const bool is_next = member_is_next(member, followed, change, count);
    for (uint32_t i = 0; i < count && is_next; i++) { // see member_fetch_next
        trn_member_note_changed(member, followed, chunks[i], true);
    }
    trn_mutex_unlock(&member->mutex);
    bool is_shown = is_next;
    for (uint32_t i = 0; i < count && is_shown; i++) {
        MemberVoxels voxels;
        if (member_is_loaded(member, chunks[i])) {
            is_shown = member_copy_desk(member, chunks[i], &voxels) == TRN_RESULT_OK;
            if (is_shown && member_hand_over(member, chunks[i], change, &voxels) != TRN_RESULT_OK) {
                trn_member_free_voxels(member, &voxels);
                is_shown = false;
            }
            member_note_chunks(member, region, &chunks[i], is_shown, false);
        }
    }
    trn_mutex_lock(&member->mutex);
    followed = trn_member_region(member, region);
    if (is_shown && followed) {
        followed->known = change;
    }
    trn_mutex_unlock(&member->mutex);
}

bool trn_member_reload(TrnMember *member)
{
    for (;;) {
        trn_mutex_lock(&member->mutex);
        const bool is_one =
            member->reloaded.count > 0 && member->stats.fetched < TRN_MEMBER_FETCHED_MAX;
        const TrnCoord coord =
            is_one ? member->reloaded.items[member->reloaded.count - 1] : (TrnCoord){0, 0, 0};
        const TrnStorageKey key = {coord, 0};
        const MemberRegion *region = trn_member_region(member, trn_storage_region(&key));
        const int64_t seen = region ? trn_member_seen_change(member, region) : 0;
        trn_mutex_unlock(&member->mutex);
        if (!is_one) {
            return true;
        }
        if (!trn_member_note_result(member, member_fetch_chunks(member, &coord, 1, seen))) {
            return false;
        }
        trn_mutex_lock(&member->mutex);
        for (uint32_t i = 0; i < member->reloaded.count; i++) { // others were added meanwhile
            if (trn_coord_equal(member->reloaded.items[i], coord)) {
                trn_array_remove_swap(&member->reloaded, i);
                break;
            }
        }
        trn_mutex_unlock(&member->mutex);
    }
}
