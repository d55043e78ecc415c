// The thread of a member: keeps its leases, hands edits over, and looks for what others changed.
//
// The order of a round matters. Chunks that changed are loaded before answers to own edits are
// read. So an own edit that has no answer by then may be missing in the chunks, and is applied on
// top of them; one whose answer names a later change than the region's is, too.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define MEMBER_DELAY_FIRST 0.1 // seconds between two tries to connect; doubles
#define MEMBER_DELAY_MAX 2.0
#define MEMBER_RENEWS 4.0          // in the time of a lease
#define MEMBER_IDLE_SECONDS 60.0   // until a region without edits is given back
#define MEMBER_FORGET_SECONDS 60.0 // until a region without chunks is no longer followed
#define MEMBER_PLAYER_MS 3000      // that others see a player without news
#define MEMBER_TELL_SECONDS 1.0    // between two reports of a player that stands still
#define MEMBER_AGAIN_SECONDS 0.1   // after something failed
#define MEMBER_EPOCH_SECONDS 1.0   // between two looks at how far the server is
#define MEMBER_EPOCH_AGAIN_SECONDS                                                                 \
    10.0 // after one that a server without an answer logs as an error

TRN_ARRAY_DECLARE(MemberNumbers, int64_t);

/// What changed in a region.
typedef struct MemberNews {
    int64_t region;
    int64_t change;      ///< that the region has once its chunks are fetched
    int64_t last;        ///< change of the region
    bool is_whole;       ///< any chunk may have changed
    uint32_t first, end; ///< of the chunks in MemberRound.coords
} MemberNews;

TRN_ARRAY_DECLARE(MemberNewsList, MemberNews);

/// What a round looks at.
typedef struct MemberRound {
    TrnMember *member;
    MemberNumbers regions; ///< that are looked at
    MemberNewsList news;
    MemberCoords coords;
    TrnResult result; ///< of the first call that failed
} MemberRound;

// ---- faults ------------------------------------------------------------------------------------

/// Notes whether a question was answered. @return whether it was
static bool member_note(TrnMember *member, bool is_good)
{
    trn_mutex_lock(&member->mutex);
    member->stats.is_connected = is_good;
    if (is_good) {
        member->stats.problem[0] = '\0';
    } else {
        (void)snprintf(member->stats.problem, sizeof member->stats.problem, "%.500s.",
                       member->link.fault.text);
    }
    trn_mutex_unlock(&member->mutex);
    if (!is_good && (member->link.fault.is_lost || !member->link.db)) {
        trn_pg_disconnect(&member->link);
    }
    return is_good;
}

/// Notes why a call of the storage failed. @return whether it did not
static bool member_note_result(TrnMember *member, TrnResult result)
{
    TrnStorageProblem problem;
    if (result == TRN_RESULT_OK) {
        return true;
    }
    trn_save_describe(&member->storage, result, &problem);
    trn_mutex_lock(&member->mutex);
    (void)snprintf(member->stats.problem, sizeof member->stats.problem, "%s", problem.sentence);
    trn_mutex_unlock(&member->mutex);
    return false;
}

// ---- connection --------------------------------------------------------------------------------

/// Asks how far the server is. If it is not as far as it was, all regions begin anew.
/// @return false with a fault
static bool member_look_at_epoch(TrnMember *member)
{
    TrnPgEpoch now;
    if (!trn_pg_epoch(&member->link, &now)) {
        return false;
    }
    if (!now.system) { // a standby, perhaps, that is asked again; or a server that has no answer
        member->epoch_us = trn_clock_us() + MEMBER_EPOCH_AGAIN_SECONDS * 1e6;
        return true;
    }
    member->epoch_us = trn_clock_us() + MEMBER_EPOCH_SECONDS * 1e6;
    if (trn_pg_epoch_is_earlier(&member->epoch, &now)) {
        trn_mutex_lock(&member->mutex);
        for (uint32_t i = 0; i < member->regions.count; i++) {
            trn_member_rewind(member, &member->regions.items[i]);
        }
        member->stats.rewinds++;
        trn_mutex_unlock(&member->mutex);
        member->listing.is_open = false;
        member->is_desk_stale = true;
    }
    member->epoch = now;
    return true;
}

static void member_connect(TrnMember *member)
{
    if (member->link.db || trn_clock_us() < member->connect_us) {
        return;
    }
    if (member_note(member, trn_pg_connect(&member->link, trn_postgres_url(&member->storage)) &&
                                member_look_at_epoch(member))) {
        member->connect_delay = MEMBER_DELAY_FIRST;
        member->has_no_notify = !member->def.has_notify;
        trn_mutex_lock(&member->mutex);
        for (uint32_t i = 0; i < member->regions.count; i++) {
            member->regions.items[i].is_listened = false;
            member->regions.items[i].is_hinted = true;
        }
        trn_mutex_unlock(&member->mutex);
        return;
    }
    const double delay = member->connect_delay > 0 ? member->connect_delay : MEMBER_DELAY_FIRST;
    member->connect_us = trn_clock_us() + delay * 1e6;
    member->connect_delay = delay * 2 < MEMBER_DELAY_MAX ? delay * 2 : MEMBER_DELAY_MAX;
}

/// Takes the hints that have come.
static void member_take_hints(TrnMember *member)
{
    int64_t number;
    while (trn_pg_next_hint(&member->link, &number)) {
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, number);
        if (region) {
            region->is_hinted = true;
        }
        member->stats.notifies++;
        trn_mutex_unlock(&member->mutex);
    }
}

/// Listens to regions that are new.
static bool member_listen(TrnMember *member)
{
    for (uint32_t i = 0; !member->has_no_notify; i++) {
        trn_mutex_lock(&member->mutex);
        const bool is_one = i < member->regions.count;
        const MemberRegion region = is_one ? member->regions.items[i] : (MemberRegion){0};
        if (is_one) {
            member->regions.items[i].is_listened = true;
            // What was told before is not heard.
            member->regions.items[i].is_hinted |= !region.is_listened;
        }
        trn_mutex_unlock(&member->mutex);
        if (!is_one) {
            break;
        }
        if (!region.is_listened && !trn_pg_listen(&member->link, region.number, true)) {
            if (member->link.fault.is_lost) {
                return false;
            }
            member->has_no_notify = true; // the server lacks it: polls alone
        }
    }
    return true;
}

// ---- edits -------------------------------------------------------------------------------------

/// Tries to become the owner of a region. @return whether this member owns it
static bool member_take_region(TrnMember *member, TrnRegion place, int64_t number)
{
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    const bool is_owned = region && region->is_owned;
    const bool is_due = region && region->try_us <= trn_clock_us();
    trn_mutex_unlock(&member->mutex);
    if (is_owned || !is_due) {
        return is_owned;
    }
    const TrnResult result = trn_lease_take(&member->storage, place, false);
    if (result == TRN_RESULT_OK) {
        trn_member_clear_desk(member, &number); // others may have edited since
    } else if (result != TRN_RESULT_BUSY) {
        (void)member_note_result(member, result);
    }
    trn_mutex_lock(&member->mutex);
    region = trn_member_region(member, number);
    if (region) {
        region->is_owned = result == TRN_RESULT_OK;
        region->edited_us = trn_clock_us();
        region->try_us = trn_clock_us() + member->def.lease_seconds / MEMBER_RENEWS * 1e6;
    }
    trn_mutex_unlock(&member->mutex);
    return result == TRN_RESULT_OK;
}

/// Hands an edit to the owner of its region.
static bool member_submit(TrnMember *member, MemberEdit *edit)
{
    TrnBytes bytes = {0};
    TrnResult written = trn_edit_write(&edit->edit, trn_store_block_types(member->desk),
                                       &member->allocator, &bytes);
    written =
        written == TRN_RESULT_OK && bytes.count > TRN_PG_EDIT_BYTES_MAX ? TRN_RESULT_FULL : written;
    const bool is_good =
        written != TRN_RESULT_OK || trn_pg_edit_submit(&member->link, edit->region, member->id,
                                                       edit->number, bytes.items, bytes.count);
    trn_array_free(&bytes, &member->allocator);
    if (is_good) {
        if (written == TRN_RESULT_OK) {
            trn_mutex_lock(&member->mutex);
            edit->state = MEMBER_EDIT_QUEUED;
            trn_mutex_unlock(&member->mutex);
        } else {
            trn_member_refuse(member, edit);
        }
        if (!member->has_no_notify) {
            (void)trn_pg_tell(&member->link, &edit->region, 1);
        }
    }
    return is_good;
}

/// Returns the next edit that waits, NEW or QUEUED; NULL: there is none.
static MemberEdit *member_next_edit(TrnMember *member, const MemberEdit *after)
{
    trn_mutex_lock(&member->mutex);
    MemberEdit *edit = after ? after->next : member->edits;
    while (edit && edit->state > MEMBER_EDIT_QUEUED) {
        edit = edit->next;
    }
    trn_mutex_unlock(&member->mutex);
    return edit;
}

/// Takes regions without an owner, and submits edits of regions that others own. QUEUED edits wait
/// for an owner that may have died.
static bool member_send(TrnMember *member)
{
    bool is_good = true;
    for (MemberEdit *edit = member_next_edit(member, NULL), *next; edit && is_good; edit = next) {
        next = member_next_edit(member, edit); // no other thread frees one that waits
        is_good = member_note_result(member, trn_member_follow(member, edit->place, edit->region));
        if (is_good && !member_take_region(member, edit->place, edit->region) &&
            edit->state == MEMBER_EDIT_NEW) {
            is_good = member_note(member, member_submit(member, edit));
        }
    }
    return is_good;
}

/// Does what an owner does in the regions that are owned.
static bool member_execute(TrnMember *member, const MemberNumbers *regions)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < regions->count; i++) {
        trn_mutex_lock(&member->mutex);
        const MemberRegion *region = trn_member_region(member, regions->items[i]);
        const bool is_owned = region && region->is_owned;
        trn_mutex_unlock(&member->mutex);
        const TrnResult done =
            is_owned ? trn_member_execute(member, regions->items[i]) : TRN_RESULT_OK;
        result = result == TRN_RESULT_OK ? done : result;
    }
    if (result == TRN_RESULT_IO && member->link.fault.is_lost) {
        return member_note(member, false);
    }
    return member_note_result(member, result);
}

/// The last change of a region of which chunks may have been fetched: they have all up to it. The
/// mutex is locked.
static int64_t member_seen_change(const TrnMember *member, const MemberRegion *region)
{
    const MemberListing *listing = &member->listing;
    return listing->is_open && listing->region == region->number ? listing->change : region->known;
}

static bool member_visit_answer(void *user, const TrnPgField *row)
{
    MemberRound *round = user;
    TrnMember *member = round->member;
    const int64_t number = row[1].number, change = row[2].number;
    trn_mutex_lock(&member->mutex);
    MemberEdit *edit = member->edits;
    while (edit && (edit->number != number || edit->state > MEMBER_EDIT_QUEUED)) {
        edit = edit->next;
    }
    if (edit && change != TRN_PG_EDIT_REFUSED) {
        const MemberRegion *region = trn_member_region(member, edit->region);
        edit->state = MEMBER_EDIT_DONE;
        edit->change = change;
        member->stats.acknowledged++;
        member->stats.ack_seconds = (trn_clock_us() - edit->made_us) * 1e-6;
        if (region && member_seen_change(member, region) >= change) {
            // Chunks that have it were fetched before the answer, and the edit was written over
            // them again, perhaps over a later one.
            trn_member_reload_chunks(member, edit);
        }
    }
    trn_mutex_unlock(&member->mutex);
    if (edit && change == TRN_PG_EDIT_REFUSED) {
        trn_member_refuse(member, edit);
    }
    // Region and number, to be dropped.
    round->result =
        trn_array_reserve(&round->regions, &member->allocator, (size_t)round->regions.count + 2);
    if (round->result == TRN_RESULT_OK) {
        round->regions.items[round->regions.count++] = row[0].number;
        round->regions.items[round->regions.count++] = number;
    }
    return round->result == TRN_RESULT_OK;
}

/// Reads the answers to edits that others make.
static bool member_take_answers(TrnMember *member, const MemberNumbers *regions)
{
    MemberRound round = {.member = member};
    bool is_waiting = false;
    for (const MemberEdit *edit = member_next_edit(member, NULL); edit && !is_waiting;
         edit = member_next_edit(member, edit)) {
        is_waiting = edit->state == MEMBER_EDIT_QUEUED;
    }
    if (!is_waiting) {
        return true;
    }
    bool is_good = trn_pg_edit_answers(&member->link, regions->items, regions->count, member->id,
                                       member_visit_answer, &round);
    for (uint32_t i = 0; i + 1 < round.regions.count && is_good; i += 2) {
        is_good = trn_pg_edit_drop(&member->link, round.regions.items[i], member->id,
                                   round.regions.items[i + 1]);
    }
    trn_array_free(&round.regions, &member->allocator);
    return member_note(member, is_good);
}

// ---- changes -----------------------------------------------------------------------------------

/// Whether no more chunks may wait for an update.
static bool member_is_full(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool is_full = member->stats.fetched >= TRN_MEMBER_FETCHED_MAX;
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

/// Loads a chunk for the store's thread. @param change  of its region that it has at least
static TrnResult member_fetch_chunk(TrnMember *member, TrnCoord coord, int64_t change)
{
    const TrnStorageKey key = {coord, 0};
    MemberChunk *chunk = trn_take(&member->allocator, sizeof *chunk, TRN_CACHE_LINE);
    if (!chunk) {
        return TRN_RESULT_NO_MEMORY;
    }
    *chunk = (MemberChunk){.coord = coord, .region = trn_storage_region(&key), .change = change};
    const TrnResult result = trn_member_load(member, coord, &chunk->voxels);
    if (result != TRN_RESULT_OK) {
        trn_give(&member->allocator, chunk, sizeof *chunk);
        // One that cannot be read stays as it is here, and holds up no others.
        return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result;
    }
    trn_mutex_lock(&member->mutex);
    *member->inbox_end = chunk;
    member->inbox_end = &chunk->next;
    member->stats.fetched++;
    trn_mutex_unlock(&member->mutex);
    return TRN_RESULT_OK;
}

/// Loads a chunk that changed, or notes it if it is not loaded.
static TrnResult member_fetch_changed(TrnMember *member, TrnCoord coord, int64_t number,
                                      int64_t change)
{
    // Before the look whether it is loaded: an insert from now on has it loaded again.
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        trn_member_note_changed(member, region, coord, true);
    }
    trn_mutex_unlock(&member->mutex);
    if (!member_is_loaded(member, coord)) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = member_fetch_chunk(member, coord, change);
    trn_mutex_lock(&member->mutex);
    region = trn_member_region(member, number);
    if (region && result == TRN_RESULT_OK) {
        // If it is unloaded now, it is loaded as it is from here on.
        trn_member_note_changed(member, region, coord, false);
    }
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Loads the chunks that are listed, as many as may wait for an update.
static bool member_fetch_listed(TrnMember *member)
{
    MemberListing *listing = &member->listing;
    TrnResult result = TRN_RESULT_OK;
    while (listing->next < listing->coords.count && !member_is_full(member)) {
        result = member_fetch_changed(member, listing->coords.items[listing->next], listing->region,
                                      listing->change);
        if (result != TRN_RESULT_OK) {
            return member_note_result(member, result);
        }
        listing->next++;
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
    const int32_t edge = TRN_REGION_CHUNKS;
    const size_t capacity = (size_t)TRN_REGION_CHUNKS * TRN_REGION_CHUNKS * TRN_REGION_CHUNKS;
    TrnChunk **chunks = trn_take(&member->allocator, capacity * sizeof(TrnChunk *), TRN_CACHE_LINE);
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    const TrnRegion at = region ? region->place : (TrnRegion){0, 0, 0};
    if (region) {
        trn_member_note_all_changed(member, region);
    }
    trn_mutex_unlock(&member->mutex);
    const TrnCoord low = {at.x * edge, at.y * edge, at.z * edge};
    const TrnBox box = {low, {low.x + edge - 1, low.y + edge - 1, low.z + edge - 1}};
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
    return member_note_result(member, result) && member_fetch_listed(member);
}

/// Has a round look at regions again that this one did not come to.
static void member_hint(TrnMember *member, const MemberNumbers *regions)
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

/// Begins the news of a region. The mutex is locked.
static TrnResult member_begin_news(MemberRound *round, int64_t number, int64_t last)
{
    TrnMember *member = round->member;
    MemberRegion *region = trn_member_region(member, number);
    MemberNews news = {.region = number, .change = last, .last = last};
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
    if (!count || round->news.items[count - 1].region != row[0].number) {
        trn_mutex_lock(&round->member->mutex);
        round->result = member_begin_news(round, row[0].number, row[1].number);
        trn_mutex_unlock(&round->member->mutex);
    }
    round->result = round->result == TRN_RESULT_OK ? member_add_news(round, row) : round->result;
    return round->result == TRN_RESULT_OK;
}

/// Asks what changed in some regions.
static bool member_ask_news(MemberRound *round, const MemberNumbers *regions)
{
    TrnMember *member = round->member;
    MemberNumbers since = {0};
    TrnResult result = trn_array_reserve(&since, &member->allocator, regions->count);
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < regions->count && result == TRN_RESULT_OK; i++) {
        const MemberRegion *region = trn_member_region(member, regions->items[i]);
        since.items[since.count++] = region && !region->is_rewound ? region->known : INT64_MAX;
    }
    trn_mutex_unlock(&member->mutex);
    const bool is_good = member_note_result(member, result) &&
                         member_note(member, trn_pg_feed(&member->link, regions->items, since.items,
                                                         since.count, member_visit_news, round)) &&
                         member_note_result(member, round->result);
    trn_array_free(&since, &member->allocator);
    return is_good;
}

/// Loads what changed in some regions, after what is left of another.
static bool member_fetch(TrnMember *member, const MemberNumbers *regions)
{
    MemberRound round = {.member = member};
    const MemberListing *listing = &member->listing;
    if (listing->is_open && !member_fetch_listed(member)) {
        return false;
    }
    if (!regions->count || listing->is_open) {
        member_hint(member, regions);
        return true;
    }
    bool is_good = member_ask_news(&round, regions);
    if (is_good && round.news.count && member->epoch.system) { // it is at least as far as this news
        is_good = member_note(member, member_look_at_epoch(member));
    }
    for (uint32_t i = 0; i < round.news.count && is_good && !listing->is_open; i++) {
        is_good = !member_is_current(member, &round.news.items[i]) ||
                  member_fetch_region(&round, &round.news.items[i]);
    }
    if (listing->is_open) {
        member_hint(member, regions);
    }
    trn_array_free(&round.news, &member->allocator);
    trn_array_free(&round.coords, &member->allocator);
    return is_good;
}

/// Loads chunks again that were inserted as they were before a change.
static bool member_reload(TrnMember *member)
{
    for (;;) {
        trn_mutex_lock(&member->mutex);
        const bool is_one =
            member->reloaded.count > 0 && member->stats.fetched < TRN_MEMBER_FETCHED_MAX;
        const TrnCoord coord =
            is_one ? member->reloaded.items[member->reloaded.count - 1] : (TrnCoord){0, 0, 0};
        const TrnStorageKey key = {coord, 0};
        const MemberRegion *region = trn_member_region(member, trn_storage_region(&key));
        const int64_t seen = region ? member_seen_change(member, region) : 0;
        trn_mutex_unlock(&member->mutex);
        if (!is_one) {
            return true;
        }
        if (!member_note_result(member, member_fetch_chunk(member, coord, seen))) {
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

// ---- players -----------------------------------------------------------------------------------

static bool member_visit_player(void *user, const TrnPgField *row)
{
    TrnMember *member = user;
    TrnMemberPlayer player = {.yaw = trn_pg_real(&row[4]), .pitch = trn_pg_real(&row[5])};
    (void)snprintf(player.name, sizeof player.name, "%.*s", (int)row[0].size,
                   (const char *)row[0].bytes);
    for (int i = 0; i < 3; i++) {
        player.place[i] = trn_pg_real(&row[1 + i]);
    }
    trn_mutex_lock(&member->mutex);
    const TrnResult result = trn_array_push(&member->others, &member->allocator, player);
    trn_mutex_unlock(&member->mutex);
    return result == TRN_RESULT_OK;
}

/// Tells where the player is, and looks where the others are.
static bool member_meet(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const TrnMemberPlayer player = member->player;
    const bool has_player = member->has_player;
    trn_mutex_unlock(&member->mutex);
    bool is_good =
        !has_player || trn_pg_player_put(&member->link, member->id, &player, MEMBER_PLAYER_MS);
    if (is_good) {
        trn_mutex_lock(&member->mutex);
        member->others.count = 0;
        trn_mutex_unlock(&member->mutex);
        is_good = trn_pg_players(&member->link, member->id, member_visit_player, member);
    }
    return member_note(member, is_good);
}

// ---- rounds ------------------------------------------------------------------------------------

/// Whether nothing needs a region any more, given what is loaded.
static bool member_is_left(TrnMember *member, const MemberRegion *region)
{
    const int32_t edge = TRN_REGION_CHUNKS;
    const TrnRegion at = region->place;
    const TrnCoord low = {at.x * edge, at.y * edge, at.z * edge};
    const TrnBox box = {low, {low.x + edge - 1, low.y + edge - 1, low.z + edge - 1}};
    TrnChunk *chunk;
    if (region->is_owned || trn_clock_us() - region->used_us < MEMBER_FORGET_SECONDS * 1e6) {
        return false;
    }
    trn_chunk_index_read_begin(member->reader);
    const bool is_empty = trn_store_gather(member->def.store, box, &chunk, 1) == 0;
    trn_chunk_index_read_end(member->reader);
    return is_empty;
}

/// Gives back regions without recent edits, and stops following those without chunks.
static void member_leave_regions(TrnMember *member)
{
    for (uint32_t i = 0;; i++) {
        trn_mutex_lock(&member->mutex);
        const bool is_one = i < member->regions.count;
        const MemberRegion region = is_one ? member->regions.items[i] : (MemberRegion){0};
        bool is_edited = false;
        for (const MemberEdit *edit = member->edits; edit && !is_edited; edit = edit->next) {
            is_edited = edit->region == region.number;
        }
        trn_mutex_unlock(&member->mutex);
        if (!is_one) {
            return;
        }
        const bool is_given = region.is_owned && !is_edited &&
                              trn_clock_us() - region.edited_us > MEMBER_IDLE_SECONDS * 1e6 &&
                              trn_lease_give(&member->storage, region.place) == TRN_RESULT_OK;
        const bool is_left = !is_edited && member_is_left(member, &region);
        if (is_left && region.is_listened && !member->has_no_notify) {
            (void)trn_pg_listen(&member->link, region.number, false);
        }
        trn_mutex_lock(&member->mutex);
        if (is_given) {
            member->regions.items[i].is_owned = false;
        }
        if (is_left && member->regions.items[i].used_us == region.used_us) {
            trn_member_forget(member, i--);
        }
        trn_mutex_unlock(&member->mutex);
    }
}

/// Lists the regions that a round looks at. @param is_full  all, not only those with a hint
static TrnResult member_list(TrnMember *member, bool is_full, MemberNumbers *regions)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&member->mutex);
    for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
        MemberRegion *region = trn_member_region(member, edit->region);
        if (region && edit->state == MEMBER_EDIT_NEW) {
            region->is_hinted = true;
        }
    }
    for (uint32_t i = 0; i < member->regions.count && result == TRN_RESULT_OK; i++) {
        MemberRegion *region = &member->regions.items[i];
        if (is_full || region->is_hinted) {
            result = trn_array_push(regions, &member->allocator, region->number);
            region->is_hinted = result != TRN_RESULT_OK;
        }
    }
    member->stats.polls += is_full;
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Looks at regions. @return false if something failed
static bool member_look(TrnMember *member, bool is_full)
{
    MemberNumbers regions = {0};
    const bool is_good = member_send(member) && member_listen(member) &&
                         member_note_result(member, member_list(member, is_full, &regions)) &&
                         member_execute(member, &regions) &&
                         member_take_answers(member, &regions) && member_fetch(member, &regions) &&
                         member_reload(member);
    if (!is_good) {
        member_hint(member, &regions);
    }
    trn_array_free(&regions, &member->allocator);
    return is_good;
}

/// Whether a region has a hint, an edit is new, or a chunk must be loaded again. While no chunk
/// may be fetched, only edits count; an update wakes the thread, and polls look at all.
static bool member_has_news(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool has_room = member->stats.fetched < TRN_MEMBER_FETCHED_MAX;
    bool has_news = has_room && (member->reloaded.count > 0 || member->listing.is_open);
    for (uint32_t i = 0; has_room && i < member->regions.count; i++) {
        has_news |= member->regions.items[i].is_hinted;
    }
    for (const MemberEdit *edit = member->edits; edit; edit = edit->next) {
        has_news |= edit->state == MEMBER_EDIT_NEW;
    }
    trn_mutex_unlock(&member->mutex);
    return has_news;
}

/// Waits until something is to be done, at most until a time.
static void member_wait(TrnMember *member, double until_us)
{
    struct pollfd fds[2] = {{member->wake[0], POLLIN, 0},
                            {trn_pg_socket(&member->link), POLLIN, 0}};
    const double left_ms = (until_us - trn_clock_us()) * 1e-3;
    (void)poll(fds, 2, left_ms > 0 ? (int)left_ms + 1 : 0);
    trn_member_drain_pipe(member);
    member_take_hints(member);
}

/// Does once what is due. @return false if something failed
static bool member_turn(TrnMember *member)
{
    const TrnMemberDef *def = &member->def;
    const double now_us = trn_clock_us();
    bool is_good = true;
    member_connect(member);
    if (!member->link.db) {
        return false;
    }
    if (now_us >= member->renew_us) {
        is_good = member_note_result(member, trn_member_renew(member));
        member->renew_us = trn_clock_us() + def->lease_seconds / MEMBER_RENEWS * 1e6;
        member_leave_regions(member);
    }
    if (is_good && now_us >= member->place_us) {
        is_good = member_meet(member);
        member->place_us = trn_clock_us() + def->place_seconds * 1e6;
    }
    if (is_good && now_us >= member->epoch_us) {
        is_good = member_note(member, member_look_at_epoch(member));
    }
    member_take_hints(member);
    const bool is_full = now_us >= member->poll_us;
    if (is_good && (is_full || member_has_news(member))) {
        member->poll_us = is_full ? now_us + def->poll_seconds * 1e6 : member->poll_us;
        is_good = member_look(member, is_full);
    }
    return is_good;
}

/// Gives everything back.
static void member_part(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegions regions = member->regions; // no other thread adds any now
    trn_mutex_unlock(&member->mutex);
    bool is_good = true;
    for (uint32_t i = 0; i < regions.count && is_good; i++) {
        is_good = !regions.items[i].is_owned ||
                  trn_lease_give(&member->storage, regions.items[i].place) == TRN_RESULT_OK;
    }
    if (member->link.db) {
        (void)trn_pg_player_drop(&member->link, member->id);
        trn_pg_disconnect(&member->link);
    }
}

void trn_member_run(void *context)
{
    TrnMember *member = context;
    double wait_us = 0;
    for (;;) {
        member_wait(member, wait_us);
        trn_mutex_lock(&member->mutex);
        const bool is_ending = member->is_ending;
        trn_mutex_unlock(&member->mutex);
        if (is_ending) {
            break;
        }
        const bool is_good = member_turn(member);
        wait_us = member->poll_us < member->renew_us ? member->poll_us : member->renew_us;
        wait_us = member->place_us < wait_us ? member->place_us : wait_us;
        if (!is_good) {
            wait_us = trn_clock_us() + MEMBER_AGAIN_SECONDS * 1e6;
        } else if (member_has_news(member)) {
            wait_us = 0;
        }
    }
    member_part(member);
}
