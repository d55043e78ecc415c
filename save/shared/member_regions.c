// How a member becomes the owner of regions: of those that it edits, of those in which something
// moves by itself, and of those whose owner left levels of detail unfinished.

#include "member_impl.h"

#include "base/clock.h"
#include "base/memory.h"

// Between two looks for regions that an owner has left unfinished, and after one was found.
#define MEMBER_ORPHAN_SECONDS 15.0
#define MEMBER_ORPHAN_NEXT_SECONDS 1.0

// ---- of edits ----------------------------------------------------------------------------------

/// How long another owner has before this member asks whether it still holds the region.
static double member_patience_us(const TrnMember *member)
{
    return member->def.lease_seconds / MEMBER_RENEWS * 1e6;
}

static bool member_is_unread(const TrnMember *member, const MemberRegion *region)
{
    (void)member;
    return region->is_unread;
}

bool trn_member_read_levels(TrnMember *member)
{
    int64_t number;
    while (trn_member_find_owned(member, member_is_unread, &number)) {
        if (!trn_member_read_unfolded(member, number)) {
            return false;
        }
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, number);
        if (region) {
            region->is_unread = false;
        }
        trn_mutex_unlock(&member->mutex);
    }
    return true;
}

/// Tries to become the owner of a region that is followed. @return whether this member owns it
static bool member_take(TrnMember *member, TrnRegion place, int64_t number)
{
    const TrnResult result = trn_lease_take(&member->storage, place, false);
    if (result == TRN_RESULT_OK) {
        trn_member_clear_desk(member, &number); // others may have edited since
    } else if (result != TRN_RESULT_BUSY) {
        (void)trn_member_note_result(member, result);
    }
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        region->is_owned = region->is_unread = result == TRN_RESULT_OK;
        region->has_owner = result == TRN_RESULT_BUSY;
        region->due.is_unread = region->is_owned;
        region->is_hinted |= region->is_owned; // edits may wait for an owner
        region->edited_us = trn_clock_us();
        region->try_us = trn_clock_us() + member_patience_us(member);
    }
    trn_mutex_unlock(&member->mutex);
    if (result == TRN_RESULT_OK &&
        !(trn_member_read_due(member, number) && trn_member_read_levels(member))) {
        (void)trn_member_note(member, false);
    }
    return result == TRN_RESULT_OK;
}

bool trn_member_take_region(TrnMember *member, const MemberEdit *edit)
{
    const double now_us = trn_clock_us();
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, edit->region);
    const bool is_owned = region && region->is_owned;
    const bool is_late = now_us - edit->made_us > member_patience_us(member);
    const bool is_due = region && region->try_us <= now_us && (!region->has_owner || is_late);
    trn_mutex_unlock(&member->mutex);
    if (is_owned || !is_due) {
        return is_owned;
    }
    return member_take(member, edit->place, edit->region);
}

// ---- in which something moves by itself --------------------------------------------------------

static bool member_visit_free(void *user, const TrnPgField *row)
{
    TrnMember *member = user;
    const double now_us = trn_clock_us();
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, row[0].number);
    if (region) {
        region->has_owner = false;
        if (row[1].number) { // liquids
            region->due.is_wished = true;
            region->due.wished_us = now_us;
        }
    }
    trn_mutex_unlock(&member->mutex);
    return true;
}

/// Lists the regions that this member does not own.
/// @param is_known_free  those in which something would move, as far as it knows without an owner
static TrnResult member_list_others(TrnMember *member, bool is_known_free, MemberNumbers *regions)
{
    TrnResult result = TRN_RESULT_OK;
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count && result == TRN_RESULT_OK; i++) {
        const MemberRegion *region = &member->regions.items[i];
        if (!region->is_owned &&
            (!is_known_free || (region->due.is_wished && !region->has_owner))) {
            result = trn_array_push(regions, &member->allocator, region->number);
        }
    }
    trn_mutex_unlock(&member->mutex);
    return result;
}

/// Takes the regions without an owner in which something would move here.
static TrnResult member_take_free(TrnMember *member)
{
    MemberNumbers regions = {0};
    const TrnResult result = member_list_others(member, true, &regions);
    for (uint32_t i = 0; i < regions.count; i++) {
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, regions.items[i]);
        const TrnRegion place = region ? region->place : (TrnRegion){0};
        if (region) {
            region->due.is_wished = false;
        }
        trn_mutex_unlock(&member->mutex);
        if (region && trn_member_has_chunk(member, place)) {
            (void)member_take(member, place, regions.items[i]);
        }
    }
    trn_array_free(&regions, &member->allocator);
    return result;
}

bool trn_member_claim(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    bool moves = member->has_liquids;
    for (uint32_t i = 0; i < member->regions.count && !moves; i++) {
        moves = member->regions.items[i].due.is_wished;
    }
    const bool has_new = member->has_wishes;
    member->has_wishes = false;
    trn_mutex_unlock(&member->mutex);
    const bool is_due = trn_clock_us() >= member->claim_us;
    if (!moves || (!is_due && !has_new)) {
        return true;
    }
    MemberNumbers regions = {0};
    TrnResult result = is_due ? member_list_others(member, false, &regions) : TRN_RESULT_OK;
    bool is_good = true;
    if (is_due) {
        member->claim_us = trn_clock_us() + member->def.lease_seconds / 2 * 1e6;
        is_good = !regions.count || trn_pg_lease_free(&member->link, regions.items, regions.count,
                                                      member_visit_free, member);
    }
    trn_array_free(&regions, &member->allocator);
    if (!trn_member_note(member, is_good)) {
        return false;
    }
    result = result == TRN_RESULT_OK ? member_take_free(member) : result;
    return trn_member_note_result(member, result);
}

bool trn_member_claim_levels(TrnMember *member)
{
    int64_t number = 0;
    bool has_one = false;
    trn_mutex_lock(&member->mutex);
    const bool is_described = member->is_described; // or liquids of edits that wait would be missed
    trn_mutex_unlock(&member->mutex);
    if (!is_described || !trn_member_has_levels(member) || trn_clock_us() < member->orphan_us) {
        return true;
    }
    if (!trn_pg_lease_orphan(&member->link, &number, &has_one)) {
        return trn_member_note(member, false);
    }
    const TrnRegion place = trn_region_of_number(number);
    const double seconds = has_one ? MEMBER_ORPHAN_NEXT_SECONDS : MEMBER_ORPHAN_SECONDS;
    member->orphan_us = trn_clock_us() + seconds * 1e6;
    const TrnResult result = has_one ? trn_member_follow(member, place, number) : TRN_RESULT_OK;
    if (has_one && result == TRN_RESULT_OK) {
        (void)member_take(member, place, number);
    }
    return trn_member_note_result(member, result);
}
