// The thread of a member: keeps its leases, hands edits over, and has member_news.c look for what
// others changed.
//
// The order of a round matters. Chunks that changed are loaded before answers to own edits are
// read. So an own edit that has no answer by then may be missing in the chunks, and is applied on
// top of them; one whose answer names a later change than the region's is, too.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <inttypes.h>
#include <math.h>
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
#define MEMBER_AGAIN_SECONDS 0.1   // after something failed
#define MEMBER_POLL_SECONDS 0.05   // between two polls where something changes
#define MEMBER_SPACING_US 1e4      // between two looks, for each change a second
#define MEMBER_COUNT_US 5e5        // in which changes are counted

/// Answers to edits while they are read.
typedef struct MemberAnswers {
    TrnMember *member;
    MemberNumbers regions, numbers; ///< of those that were read, to be dropped
    TrnResult result;               ///< of the first call that failed
} MemberAnswers;

// ---- connection --------------------------------------------------------------------------------

static void member_connect(TrnMember *member)
{
    if (member->link.db || trn_clock_us() < member->connect_us) {
        return;
    }
    if (trn_member_note(member, trn_pg_connect(&member->link, trn_postgres_url(&member->storage)) &&
                                    trn_member_look_at_epoch(member))) {
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
        (void)trn_member_note_result(member, result);
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
        written != TRN_RESULT_OK ||
        trn_pg_edit_submit(&member->link, trn_member_is_news(member, edit->region), edit->region,
                           member->id, edit->number, bytes.items, bytes.count);
    trn_array_free(&bytes, &member->allocator);
    if (is_good) {
        if (written == TRN_RESULT_OK) {
            trn_mutex_lock(&member->mutex);
            edit->state = MEMBER_EDIT_QUEUED;
            trn_mutex_unlock(&member->mutex);
        } else {
            trn_member_refuse(member, edit);
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
        is_good =
            trn_member_note_result(member, trn_member_follow(member, edit->place, edit->region));
        if (is_good && !member_take_region(member, edit->place, edit->region) &&
            edit->state == MEMBER_EDIT_NEW) {
            is_good = trn_member_note(member, member_submit(member, edit));
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
        return trn_member_note(member, false);
    }
    return trn_member_note_result(member, result);
}

static bool member_visit_answer(void *user, const TrnPgField *row)
{
    MemberAnswers *answers = user;
    TrnMember *member = answers->member;
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
        if (region && trn_member_seen_change(member, region) >= change) {
            // Chunks that have it were fetched before the answer, and the edit was written over
            // them again, perhaps over a later one.
            trn_member_reload_chunks(member, edit);
        }
    }
    trn_mutex_unlock(&member->mutex);
    if (edit && change == TRN_PG_EDIT_REFUSED) {
        trn_member_refuse(member, edit);
    }
    answers->result = trn_array_push(&answers->regions, &member->allocator, row[0].number);
    if (answers->result == TRN_RESULT_OK) {
        answers->result = trn_array_push(&answers->numbers, &member->allocator, number);
    }
    return answers->result == TRN_RESULT_OK;
}

/// Reads the answers to edits that others make.
static bool member_take_answers(TrnMember *member, const MemberNumbers *regions)
{
    MemberAnswers answers = {.member = member};
    bool is_waiting = false;
    for (const MemberEdit *edit = member_next_edit(member, NULL); edit && !is_waiting;
         edit = member_next_edit(member, edit)) {
        is_waiting = edit->state == MEMBER_EDIT_QUEUED;
    }
    if (!is_waiting) {
        return true;
    }
    bool is_good = trn_pg_edit_answers(&member->link, regions->items, regions->count, member->id,
                                       member_visit_answer, &answers);
    if (is_good && answers.numbers.count) {
        is_good = trn_pg_edit_drop(&member->link, answers.regions.items, answers.numbers.items,
                                   answers.numbers.count, member->id);
    }
    trn_array_free(&answers.regions, &member->allocator);
    trn_array_free(&answers.numbers, &member->allocator);
    return trn_member_note(member, is_good);
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
    return trn_member_note(member, is_good);
}

// ---- rounds ------------------------------------------------------------------------------------

/// Whether nothing needs a region any more, given what is loaded.
static bool member_is_left(TrnMember *member, const MemberRegion *region)
{
    TrnChunk *chunk;
    if (region->is_owned || trn_clock_us() - region->used_us < MEMBER_FORGET_SECONDS * 1e6) {
        return false;
    }
    trn_chunk_index_read_begin(member->reader);
    const bool is_empty =
        trn_store_gather(member->def.store, trn_region_box(region->place), &chunk, 1) == 0;
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
                         trn_member_note_result(member, member_list(member, is_full, &regions)) &&
                         member_execute(member, &regions) &&
                         member_take_answers(member, &regions) &&
                         trn_member_fetch(member, &regions) && trn_member_reload(member);
    if (!is_good) {
        trn_member_hint(member, &regions);
    }
    trn_array_free(&regions, &member->allocator);
    return is_good;
}

/// Whether a region has a hint, an edit is new, or a chunk must be loaded again. While no chunk
/// may be fetched, only edits count; an update wakes the thread, and polls look at all.
static bool member_has_news(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool has_room = member->stats.fetched + MEMBER_LOADS_MAX <= TRN_MEMBER_FETCHED_MAX;
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

/// Whether an edit waits for its owner.
static bool member_is_waiting(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const MemberEdit *edit = member->edits;
    while (edit && edit->state > MEMBER_EDIT_QUEUED) {
        edit = edit->next;
    }
    trn_mutex_unlock(&member->mutex);
    return edit != NULL;
}

/// Counts the changes, and sets how far apart looks are.
static void member_count_changes(TrnMember *member, double now_us)
{
    MemberPace *pace = &member->pace;
    const double counted_us = now_us - pace->since_us;
    if (counted_us >= MEMBER_COUNT_US) {
        const double spacing_us = pace->changes / (counted_us * 1e-6) * MEMBER_SPACING_US;
        pace->spacing_us = fmin(spacing_us, member->def.poll_seconds * 1e6);
        pace->changes = 0;
        pace->since_us = now_us;
    }
}

/// Sets when to look again. @param is_full  the last look was at all regions
static void member_set_pace(TrnMember *member, double now_us, bool is_full)
{
    MemberPace *pace = &member->pace;
    const double most = member->def.poll_seconds;
    member_count_changes(member, now_us);
    const bool is_active = pace->has_found || member_is_waiting(member);
    // One poll finds what others were not told; after that they tell (trn_member_is_news).
    const double least =
        fmin(most, fmax(MEMBER_POLL_SECONDS, TRN_MEMBER_QUIET * pace->spacing_us * 1e-6));
    const double rarer = member->has_no_notify ? fmin(most, fmax(least, 2 * pace->delay)) : most;
    if (is_active || is_full) {
        pace->delay = is_active ? least : rarer;
        const double poll_us = now_us + pace->delay * 1e6;
        // Looks at some regions put off none at all.
        pace->poll_us = is_full ? poll_us : fmin(poll_us, pace->poll_us);
    }
    pace->has_found = false;
    pace->looked_us = now_us;
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
        is_good = trn_member_note_result(member, trn_member_renew(member));
        member->renew_us = trn_clock_us() + def->lease_seconds / MEMBER_RENEWS * 1e6;
        member_leave_regions(member);
    }
    if (is_good && now_us >= member->place_us) {
        is_good = member_meet(member);
        member->place_us = trn_clock_us() + def->place_seconds * 1e6;
    }
    if (is_good && now_us >= member->epoch_us) {
        is_good = trn_member_note(member, trn_member_look_at_epoch(member));
    }
    member_take_hints(member);
    const MemberPace *pace = &member->pace;
    const bool is_full = now_us >= pace->poll_us;
    if (is_good &&
        (is_full || (member_has_news(member) && now_us >= pace->looked_us + pace->spacing_us))) {
        is_good = member_look(member, is_full);
        member_set_pace(member, now_us, is_full);
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
        const MemberPace *pace = &member->pace;
        wait_us = fmin(fmin(pace->poll_us, member->renew_us), member->place_us);
        if (!is_good) {
            wait_us = trn_clock_us() + MEMBER_AGAIN_SECONDS * 1e6;
        } else if (member_has_news(member)) {
            wait_us = fmin(wait_us, pace->looked_us + pace->spacing_us);
        }
    }
    member_part(member);
}
