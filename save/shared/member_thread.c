// The thread of a member: keeps its leases, hands edits over, and has member_news.c look for what
// others changed.
//
// The order of a round matters. A look reads the answers to own edits before what changed, and the
// chunks after both. So an own edit without an answer may be missing in the chunks, and is applied
// on top of them; one whose answer names a later change than the region's is, too.

#include "base/system.h" // before all others

#include "member_impl.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/memory.h"

#define MEMBER_DELAY_FIRST 0.1 // seconds between two tries to connect; doubles
#define MEMBER_DELAY_MAX 2.0
#define MEMBER_IDLE_SECONDS 60.0   // until a region without edits is given back
#define MEMBER_FORGET_SECONDS 60.0 // until a region without chunks is no longer followed
#define MEMBER_FOLD_SECONDS 2.0    // for levels of detail, when the member leaves
#define MEMBER_PLAYER_MS 3000      // that others see a player without news
#define MEMBER_STILL_SECONDS 1.0   // until a player who stands still is told again
#define MEMBER_AGAIN_SECONDS 0.1   // after something failed
#define MEMBER_POLL_SECONDS 0.05   // between two polls where something changes
#define MEMBER_SPACING_US 1.5e4    // between two looks, for each change a second
#define MEMBER_OWNER_PART 0.25     // of that time for an owner, for whom the others wait
#define MEMBER_COUNT_US 5e5        // in which changes are counted
#define MEMBER_LOOK_ALL 64u        // regions that are all looked at if one has a hint
#define MEMBER_BUNDLE 8u           // edits that are handed over in one transaction
#define MEMBER_BUNDLE_BYTES 32768u // of these

// ---- connection --------------------------------------------------------------------------------

static void member_wake(void *member)
{
    trn_member_wake(member);
}

/// Chooses how hints arrive, once the database can be asked.
static void member_open_hints(TrnMember *member)
{
    uint64_t world = 0;
    if (!member->hints_url[0]) {
        member->notify = trn_hints_notify(&member->id);
        member->hints = member->def.has_notify ? &member->notify : NULL;
    } else if (!member->hints && trn_pg_world(&member->link, &world) &&
               trn_hints_nats(member->hints_url, world ^ (uint64_t)member->epoch.system, member->id,
                              member_wake, member, &member->nats) == TRN_RESULT_OK) {
        member->hints = &member->nats;
    }
}

static void member_connect(TrnMember *member)
{
    if (member->link.db || trn_clock_us() < member->connect_us) {
        return;
    }
    member->link.log = trn_postgres_log(&member->storage);
    if (trn_member_note(member, trn_pg_connect(&member->link, trn_postgres_url(&member->storage)) &&
                                    trn_member_look_at_epoch(member))) {
        member->connect_delay = MEMBER_DELAY_FIRST;
        member_open_hints(member);
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
    const TrnHints *hints = member->hints;
    int64_t number;
    while (hints && hints->receive(hints->user, &member->link, &number)) {
        trn_mutex_lock(&member->mutex);
        for (uint32_t i = 0; i < member->regions.count; i++) {
            MemberRegion *region = &member->regions.items[i];
            region->is_hinted |= number == -1 || region->number == number;
        }
        member->stats.notifies++;
        trn_mutex_unlock(&member->mutex);
    }
    trn_mutex_lock(&member->mutex);
    member->stats.has_hints = trn_member_hears(member);
    trn_mutex_unlock(&member->mutex);
}

/// Listens to regions that are new.
static bool member_listen(TrnMember *member)
{
    for (uint32_t i = 0; member->hints; i++) {
        const TrnHints *hints = member->hints;
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
        if (!region.is_listened &&
            !hints->subscribe(hints->user, &member->link, region.number, true) &&
            hints == &member->notify) {
            if (member->link.fault.is_lost) {
                return false;
            }
            member->hints = NULL; // the server lacks it: polls alone
        }
    }
    return true;
}

// ---- handing over ------------------------------------------------------------------------------

/// Edits that are handed over together.
typedef struct MemberBundle {
    MemberEdit *edits[MEMBER_BUNDLE]; ///< [count]
    TrnBytes bytes[MEMBER_BUNDLE];
    uint32_t count;
    size_t size; ///< of all bytes
} MemberBundle;

/// Encodes an edit for its owner, or refuses it. Without memory it waits for the next look.
static void member_bundle_add(TrnMember *member, MemberBundle *bundle, MemberEdit *edit)
{
    TrnBytes *bytes = &bundle->bytes[bundle->count];
    TrnResult result =
        trn_edit_write(&edit->edit, trn_store_block_types(member->desk), &member->allocator, bytes);
    result =
        result == TRN_RESULT_OK && bytes->count > TRN_PG_EDIT_BYTES_MAX ? TRN_RESULT_FULL : result;
    if (result == TRN_RESULT_OK) {
        bundle->edits[bundle->count++] = edit;
        bundle->size += bytes->count;
        return;
    }
    trn_array_free(bytes, &member->allocator);
    if (result != TRN_RESULT_NO_MEMORY) {
        trn_member_refuse(member, edit);
    }
}

/// Sends the edits of a bundle, and drops those that were answered before.
static bool member_send_bundle(TrnMember *member, const MemberBundle *bundle)
{
    const TrnHints *hints = member->hints;
    bool is_good = trn_member_drop_answered(member);
    for (uint32_t i = 0; i < bundle->count && is_good; i++) {
        const MemberEdit *edit = bundle->edits[i];
        const bool tells = trn_member_is_news(member, edit->region) && hints->is_in_transaction;
        is_good = trn_pg_edit_submit(&member->link, tells, edit->region, member->id, edit->number,
                                     bundle->bytes[i].items, bundle->bytes[i].count);
    }
    return is_good;
}

/// Hands edits to the owners of their regions, in one transaction if they are small.
static bool member_submit(TrnMember *member, MemberBundle *bundle)
{
    TrnPgLink *link = &member->link;
    const bool is_small = bundle->size <= MEMBER_BUNDLE_BYTES;
    TrnPgPipe pipe;
    bool is_good = !bundle->count || !is_small || trn_pg_pipe_begin(link, &pipe);
    if (is_good && bundle->count) {
        is_good = member_send_bundle(member, bundle);
        is_good = is_small ? trn_pg_pipe_end(link, is_good) : is_good;
    }
    for (uint32_t i = 0; i < bundle->count && is_good; i++) {
        (void)trn_member_tell(member, link, bundle->edits[i]->region, false);
    }
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < bundle->count; i++) {
        bundle->edits[i]->state = is_good ? MEMBER_EDIT_QUEUED : bundle->edits[i]->state;
        trn_array_free(&bundle->bytes[i], &member->allocator);
    }
    trn_mutex_unlock(&member->mutex);
    if (bundle->count) { // the answer comes soon
        member->pace.delay = MEMBER_POLL_SECONDS / 2;
    }
    bundle->count = 0;
    bundle->size = 0;
    return trn_member_note(member, is_good);
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
    MemberBundle bundle = {.count = 0};
    bool is_good = true;
    for (MemberEdit *edit = member_next_edit(member, NULL), *next; edit && is_good; edit = next) {
        next = member_next_edit(member, edit); // no other thread frees one that waits
        is_good =
            trn_member_note_result(member, trn_member_follow(member, edit->place, edit->region));
        if (is_good && !trn_member_take_region(member, edit) && edit->state == MEMBER_EDIT_NEW) {
            member_bundle_add(member, &bundle, edit);
        }
        if (bundle.count == MEMBER_BUNDLE) {
            is_good = member_submit(member, &bundle) && is_good;
        }
    }
    return member_submit(member, &bundle) && is_good;
}

/// Whether an owned region has edits to make. The mutex is locked.
static bool member_has_work(const TrnMember *member, int64_t region, const MemberQueue *queue)
{
    bool has_work = false;
    for (uint32_t i = 0; i < queue->edits.count && !has_work; i++) {
        has_work = queue->edits.items[i].region == region;
    }
    for (const MemberEdit *edit = member->edits; edit && !has_work; edit = edit->next) {
        has_work = edit->region == region && edit->state == MEMBER_EDIT_NEW;
    }
    return has_work;
}

/// Lists the owned regions that have edits to make.
static TrnResult member_list_work(TrnMember *member, const MemberQueue *queue,
                                  MemberNumbers *regions)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count && result == TRN_RESULT_OK; i++) {
        const MemberRegion *region = &member->regions.items[i];
        if (region->is_owned && !region->is_unread &&
            member_has_work(member, region->number, queue)) {
            result = trn_array_push(regions, &member->allocator, region->number);
        }
    }
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Does what an owner does in the regions that are owned.
static bool member_execute(TrnMember *member, const MemberQueue *queue)
{
    MemberNumbers regions = {0};
    TrnResult result = member_list_work(member, queue, &regions);
    for (uint32_t i = 0; i < regions.count; i++) {
        const TrnResult done = trn_member_execute(member, regions.items[i], queue);
        result = result == TRN_RESULT_OK ? done : result;
    }
    if (result != TRN_RESULT_OK) { // edits of the queue are looked for again
        trn_member_hint(member, &regions);
    }
    trn_array_free(&regions, &member->allocator);
    if (result == TRN_RESULT_IO && member->link.fault.is_lost) {
        return trn_member_note(member, false);
    }
    return trn_member_note_result(member, result);
}

// ---- players -----------------------------------------------------------------------------------

/// Lists a player, unless any client has written one who is at no place.
static bool member_visit_player(void *user, const TrnPgField *row)
{
    TrnMember *member = user;
    TrnMemberPlayer player = {.yaw = trn_pg_real(&row[4]), .pitch = trn_pg_real(&row[5])};
    bool is_real = isfinite(player.yaw) && isfinite(player.pitch);
    (void)snprintf(player.name, sizeof player.name, "%.*s", (int)row[0].size,
                   (const char *)row[0].bytes);
    for (int i = 0; i < 3; i++) {
        player.place[i] = trn_pg_real(&row[1 + i]);
        is_real = is_real && isfinite(player.place[i]);
    }
    if (!is_real) {
        return true;
    }
    trn_mutex_lock(&member->mutex);
    const TrnResult result = trn_array_push(&member->others, &member->allocator, player);
    trn_mutex_unlock(&member->mutex);
    return result == TRN_RESULT_OK;
}

static bool member_is_same_place(const TrnMemberPlayer *one, const TrnMemberPlayer *other)
{
    return one->place[0] == other->place[0] && one->place[1] == other->place[1] &&
           one->place[2] == other->place[2] && one->yaw == other->yaw && one->pitch == other->pitch;
}

/// Tells where the player is, and looks where the others are. Through the database, the first
/// server has all players; hints of a place go where those of its region do.
static bool member_meet(TrnMember *member)
{
    const double now_us = trn_clock_us();
    const bool is_direct = trn_member_hears(member) && member->hints->publish_place;
    trn_mutex_lock(&member->mutex);
    const TrnMemberPlayer player = member->player;
    // One that stands still is told just often enough that the others keep it.
    const bool tells =
        member->has_player && (!member_is_same_place(&player, &member->told_player) ||
                               is_direct != (member->places != NULL) ||
                               now_us - member->told_us > MEMBER_STILL_SECONDS * 1e6);
    member->places = is_direct ? member->hints : NULL;
    trn_mutex_unlock(&member->mutex);
    if (tells) {
        member->told_player = player;
        member->told_us = now_us;
    }
    if (is_direct) {
        if (tells && trn_member_of(member->first, trn_region_of_place(player.place)) == member) {
            member->hints->publish_place(member->hints->user, &player);
        }
        return true;
    }
    if (member != member->first) {
        return true;
    }
    bool is_good =
        !tells || trn_pg_player_put(&member->link, member->id, &player, MEMBER_PLAYER_MS);
    if (is_good) {
        trn_mutex_lock(&member->mutex);
        member->others.count = 0;
        trn_mutex_unlock(&member->mutex);
        is_good = trn_pg_players(&member->link, member->id, member_visit_player, member);
    }
    member->told_us = is_good ? member->told_us : 0;
    return trn_member_note(member, is_good);
}

// ---- rounds ------------------------------------------------------------------------------------

/// Whether nothing needs a region any more, given what is loaded.
static bool member_is_left(TrnMember *member, const MemberRegion *region)
{
    return !region->is_owned && trn_clock_us() - region->used_us >= MEMBER_FORGET_SECONDS * 1e6 &&
           !trn_member_has_chunk(member, region->place);
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
        // Liquids of a region wait for one who has it loaded.
        const bool is_away = region.is_owned && !is_edited && region.due.is_saved &&
                             !trn_member_has_chunk(member, region.place);
        const bool is_idle = trn_clock_us() - region.edited_us > MEMBER_IDLE_SECONDS * 1e6;
        const bool is_given = region.is_owned && !is_edited && (is_idle || is_away) &&
                              trn_lease_give(&member->storage, region.place) == TRN_RESULT_OK;
        const bool is_left = !is_edited && member_is_left(member, &region);
        if (is_left && region.is_listened && member->hints) {
            (void)member->hints->subscribe(member->hints->user, &member->link, region.number,
                                           false);
        }
        trn_mutex_lock(&member->mutex);
        if (is_given) {
            trn_member_disown(member, &member->regions.items[i]);
        }
        if (is_left && member->regions.items[i].used_us == region.used_us) {
            trn_member_forget(member, i--);
        }
        trn_mutex_unlock(&member->mutex);
    }
}

/// Lists the regions that a round looks at: all if one has a hint, since that is hardly more work,
/// unless there are many. @param is_full  receives whether it is all; set: it must be
static TrnResult member_list(TrnMember *member, bool *is_full, MemberNumbers *regions)
{
    TrnResult result = TRN_RESULT_OK;
    bool has_hint = false;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count; i++) {
        has_hint |= member->regions.items[i].is_hinted;
    }
    *is_full |= has_hint && member->regions.count <= MEMBER_LOOK_ALL;
    for (uint32_t i = 0; i < member->regions.count && result == TRN_RESULT_OK; i++) {
        MemberRegion *region = &member->regions.items[i];
        if (*is_full || region->is_hinted) {
            result = trn_array_push(regions, &member->allocator, region->number);
            region->is_hinted = result != TRN_RESULT_OK;
        }
    }
    member->stats.polls += *is_full;
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Looks at regions, and does what is to be done in those that are owned.
/// @param is_full  at all regions; receives whether it was  @return false if something failed
static bool member_look(TrnMember *member, bool *is_full)
{
    MemberNumbers regions = {0};
    MemberQueue queue = {.bytes = {0}};
    const bool is_good = member_send(member) && member_listen(member) &&
                         trn_member_note_result(member, member_list(member, is_full, &regions)) &&
                         trn_member_look_at(member, &regions, &queue) &&
                         member_execute(member, &queue) && trn_member_reload(member);
    if (!is_good) {
        trn_member_hint(member, &regions);
    }
    trn_array_free(&regions, &member->allocator);
    trn_member_free_queue(member, &queue);
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

static bool member_owns_any(TrnMember *member)
{
    bool owns_any = false;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count; i++) {
        owns_any |= member->regions.items[i].is_owned;
    }
    trn_mutex_unlock(&member->mutex);
    return owns_any;
}

/// Counts the changes, and sets how far apart looks are.
static void member_count_changes(TrnMember *member, double now_us)
{
    MemberPace *pace = &member->pace;
    const double counted_us = now_us - pace->since_us;
    if (counted_us >= MEMBER_COUNT_US) {
        const double spacing_us = pace->changes / (counted_us * 1e-6) * MEMBER_SPACING_US;
        const double least = member_owns_any(member) ? MEMBER_OWNER_PART : 1;
        pace->spacing_us = fmin(spacing_us, member->def.poll_seconds * 1e6) * least;
        pace->changes = 0;
        pace->since_us = now_us;
    }
}

/// Returns seconds until the next look at all regions. @param is_full  the last one was
static double member_next_delay(TrnMember *member, double now_us, bool is_full)
{
    MemberPace *pace = &member->pace;
    const double most = member->def.poll_seconds;
    const double least =
        fmin(most, fmax(MEMBER_POLL_SECONDS, TRN_MEMBER_QUIET * pace->spacing_us * 1e-6));
    const double later = fmin(most, fmax(least, 2 * pace->delay));
    const bool is_crowded = pace->spacing_us >= TRN_MEMBER_CROWDED_US / 2;
    if (pace->has_found) {
        const double gap = (now_us - pace->found_us) * 1e-6;
        pace->found_us = now_us;
        if (!trn_member_hears(member)) {
            return fmin(most, fmax(least, gap / 2));
        }
        // A crowd does not tell all changes (trn_member_is_news).
        return is_crowded && member->hints == &member->notify ? least : most;
    }
    if (member_is_waiting(member)) {
        return later;
    }
    return !is_full ? pace->delay : trn_member_hears(member) ? most : later;
}

/// Sets when to look again. @param is_full  the last look was at all regions
static void member_set_pace(TrnMember *member, double now_us, bool is_full)
{
    MemberPace *pace = &member->pace;
    member_count_changes(member, now_us);
    pace->delay = member_next_delay(member, now_us, is_full);
    const double poll_us = now_us + pace->delay * 1e6;
    // Looks at some regions put off none at all.
    pace->poll_us = is_full ? poll_us : fmin(poll_us, pace->poll_us);
    pace->has_found = false;
    pace->looked_us = now_us;
}

static bool member_save_rest(TrnMember *member)
{
    TrnResult result = trn_member_save_rest(member);
    result = result == TRN_RESULT_STALE_ID ? trn_member_renew(member) : result;
    if (result == TRN_RESULT_IO && member->link.fault.is_lost) {
        return trn_member_note(member, false);
    }
    return trn_member_note_result(member, result);
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
    if (is_good && member->answered.count && now_us >= member->drop_us) {
        is_good = trn_member_note(member, trn_member_drop_answered(member));
    }
    if (is_good && now_us >= member->place_us) {
        is_good = member_meet(member);
        member->place_us = trn_clock_us() + def->place_seconds * 1e6;
    }
    if (is_good && now_us >= member->epoch_us) {
        is_good = trn_member_note(member, trn_member_look_at_epoch(member));
    }
    is_good = is_good && trn_member_note_result(member, trn_member_open_due(member)) &&
              (trn_member_read_levels(member) || trn_member_note(member, false)) &&
              trn_member_claim(member) && trn_member_claim_levels(member) &&
              member_save_rest(member);
    member_take_hints(member);
    const MemberPace *pace = &member->pace;
    bool is_full = now_us >= pace->poll_us;
    if (is_good &&
        (is_full || (member_has_news(member) && now_us >= pace->looked_us + pace->spacing_us))) {
        is_good = member_look(member, &is_full);
        member_set_pace(member, now_us, is_full);
    }
    if (is_good) {
        TrnResult result = trn_member_fold(member);
        result = result == TRN_RESULT_STALE_ID ? trn_member_renew(member) : result;
        is_good = trn_member_note_result(member, result);
    }
    return is_good;
}

double trn_member_step(TrnMember *member)
{
    const bool is_good = member_turn(member);
    const MemberPace *pace = &member->pace;
    if (!is_good) {
        return trn_clock_us() + MEMBER_AGAIN_SECONDS * 1e6;
    }
    const double until_us = fmin(fmin(pace->poll_us, member->renew_us),
                                 fmin(member->place_us, trn_member_fold_time(member)));
    return member_has_news(member) ? fmin(until_us, pace->looked_us + pace->spacing_us) : until_us;
}

void trn_member_part(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegions regions = member->regions; // no other thread adds any now
    trn_mutex_unlock(&member->mutex);
    bool is_good = true;
    trn_member_fold_all(member, MEMBER_FOLD_SECONDS);
    for (uint32_t i = 0; i < regions.count && is_good; i++) {
        is_good = !regions.items[i].is_owned ||
                  trn_lease_give(&member->storage, regions.items[i].place) == TRN_RESULT_OK;
    }
    if (member->link.db) {
        (void)trn_member_drop_answered(member);
        (void)trn_pg_player_drop(&member->link, member->id);
        trn_pg_disconnect(&member->link);
    }
}

void trn_member_run(void *context)
{
    TrnMember *member = context;
    for (double until_us = 0;; until_us = trn_member_step(member)) {
        member_wait(member, until_us);
        trn_mutex_lock(&member->mutex);
        const bool is_ending = member->is_ending;
        trn_mutex_unlock(&member->mutex);
        if (is_ending) {
            break;
        }
    }
    trn_member_part(member);
}
