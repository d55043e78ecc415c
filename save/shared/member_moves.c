// What moves by itself in a world that members share: liquids and random ticks. The owner of a
// region moves them, in its own store, and what changes is an edit like others.
//
// What liquids have yet to look at is the fluid's. The database needs it for the next owner, so an
// own edit has what was due after it. Other edits reach the desk before the store, and those that
// were made before the region was owned found no fluid that would go on: a fluid of the desk notes
// what they lead to, and the store's fluid takes that at its next update.
//
// A chunk that is loaded before an own edit of it is committed lacks the edit, so the fluid would
// look in vain at what the edit led to. Until it is replaced, the region is paused: the store moves
// nothing there, and then goes on from what the database has.

#include "member_impl.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"

#define MOVES_WISHES_MAX 256u // regions of one update
#define MOVES_SIZE_BYTES 4u   // of the first part of what is saved

static TrnBox moves_box(TrnRegion place)
{
    return trn_region_box(place);
}

/// Writes what is due in a box. Errors: as trn_fluid_save_box().
static TrnResult moves_save(const TrnMember *member, TrnFluid *fluid, TrnBox box, TrnBytes *bytes)
{
    for (;;) {
        size_t size = 0;
        TrnResult result = trn_fluid_save_box(fluid, box, bytes->items, bytes->capacity, &size);
        if (result == TRN_RESULT_OK && size <= bytes->capacity) {
            bytes->count = (uint32_t)size;
            return TRN_RESULT_OK;
        }
        result =
            result == TRN_RESULT_OK ? trn_array_reserve(bytes, &member->allocator, size) : result;
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
}

// ---- the store's thread ------------------------------------------------------------------------

static MemberOwned *moves_find(const TrnMember *first, int64_t number)
{
    uint32_t i = 0;
    while (i < first->owned.count && first->owned.items[i].number != number) {
        i++;
    }
    return i < first->owned.count ? &first->owned.items[i] : NULL;
}

bool trn_member_owns(void *user, TrnCoord coord)
{
    TrnMember *first = user;
    const TrnStorageKey key = {coord, 0};
    const int64_t number = trn_storage_region(&key);
    MemberOwned *owned = moves_find(first, number);
    if (owned) {
        owned->is_used = true;
        return true;
    }
    uint32_t i = 0;
    while (i < first->wishes.count && first->wishes.items[i] != number) {
        i++;
    }
    if (i == first->wishes.count && i < MOVES_WISHES_MAX) {
        (void)trn_array_push(&first->wishes, &first->allocator, number);
    }
    return false;
}

void trn_member_pause(TrnMember *member, MemberRegion *region)
{
    TrnMember *first = member->first;
    MemberOwned *owned = moves_find(first, region->number);
    region->is_old = true;
    region->old_number = member->last_number;
    region->due.serial++; // what own edits led to may have been looked at in vain
    if (owned) {
        trn_array_remove_swap(&first->owned, (uint32_t)(owned - first->owned.items));
    }
}

/// Whether the store may show a chunk of a region as it was before own edits, or before a change
/// that was found. The mutex is locked.
static bool moves_is_old(const TrnMember *member, const MemberRegion *region)
{
    bool is_old = region->is_rewound;
    for (const MemberEdit *edit = member->edits; edit && !is_old; edit = edit->next) {
        is_old = edit->region == region->number && edit->number <= region->old_number;
    }
    for (const MemberChunk *chunk = member->inbox; chunk && !is_old; chunk = chunk->next) {
        is_old = chunk->region == region->number;
    }
    for (uint32_t i = 0; i < member->reloaded.count && !is_old; i++) {
        const TrnStorageKey key = {member->reloaded.items[i], 0};
        is_old = trn_storage_region(&key) == region->number;
    }
    return is_old;
}

/// Tells the thread what liquids there are. Before it gets edits.
static void moves_describe(TrnMember *member, const TrnFluid *fluid)
{
    trn_mutex_lock(&member->mutex);
    if (fluid && !member->has_liquids) {
        member->fluid = trn_fluid_describe(fluid);
        memcpy(member->liquids, member->fluid.liquids,
               member->fluid.liquid_count * sizeof *member->liquids);
        memcpy(member->reactions, member->fluid.reactions,
               member->fluid.reaction_count * sizeof *member->reactions);
        member->fluid.liquids = member->liquids;
        member->fluid.reactions = member->reactions;
    }
    member->has_liquids = fluid != NULL;
    member->is_described = true;
    trn_mutex_unlock(&member->mutex);
}

void trn_member_add_due(TrnMember *first)
{
    TrnFluid *fluid = trn_fluid_of(first->def.store);
    for (TrnMember *member = first; member; member = member->next) {
        moves_describe(member, fluid);
    }
    for (TrnMember *member = fluid ? first : NULL; member; member = member->next) {
        for (MemberEdit *edit = member->building; edit; edit = edit->next) {
            const MemberOwned *owned = moves_find(first, edit->region);
            // If not, or without success, the thread notes what the edit leads to.
            if (owned && !edit->is_unseen) {
                edit->taken = owned->taken;
                edit->has_due =
                    moves_save(member, fluid, moves_box(edit->place), &edit->due) == TRN_RESULT_OK;
            }
        }
    }
}

/// Hands over for which regions the store asks. The mutex is locked.
static void moves_wish(TrnMember *member, double now_us)
{
    const MemberNumbers *wishes = &member->first->wishes;
    for (uint32_t i = 0; i < wishes->count; i++) {
        MemberRegion *region = trn_member_of(member->first, wishes->items[i]) == member
                                   ? trn_member_region(member, wishes->items[i])
                                   : NULL;
        if (region && !region->is_owned) {
            const bool is_new = region->due.wished_us == 0;
            region->due.wished_us = now_us;
            region->due.is_wished = true;
            member->has_wishes |= is_new;
        }
    }
}

/// Whether an own edit of a region waits for the thread. The mutex is locked.
static bool moves_has_edit(const TrnMember *member, int64_t number)
{
    const MemberEdit *edit = member->edits;
    while (edit && (edit->region != number || edit->state != MEMBER_EDIT_NEW)) {
        edit = edit->next;
    }
    return edit != NULL;
}

/// Has the fluid look at a part of what is due. @return false without memory
static bool moves_merge_part(TrnFluid *fluid, const TrnBytes *part)
{
    const TrnResult result =
        part->count ? trn_fluid_merge(fluid, part->items, part->count) : TRN_RESULT_OK;
    return result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT; // of no use later
}

/// Gives the fluid what it has to look at in an owned region, and notes if nothing is left. The
/// mutex is locked. @param taken  serial of what it has taken; receives that of what it has now
/// @return whether the thread must be told
static bool moves_take(MemberRegion *region, TrnFluid *fluid, uint64_t *taken)
{
    MemberDue *due = &region->due;
    size_t size = 0;
    if (*taken != due->serial && moves_merge_part(fluid, &due->noted)) {
        *taken = due->serial;
    }
    if (due->is_saved && !due->is_at_rest && *taken == due->serial &&
        trn_fluid_save_box(fluid, moves_box(region->place), NULL, 0, &size) == TRN_RESULT_OK &&
        size == 0) {
        due->is_at_rest = true;
        return true;
    }
    return false;
}

/// Learns which regions of a server are owned. The mutex is locked.
/// @param owned  receives them  @return whether the thread must be told something
static bool moves_learn(TrnMember *member, TrnFluid *fluid, MemberOwnedList *owned)
{
    bool has_news = false;
    for (uint32_t i = 0; i < member->regions.count; i++) {
        MemberRegion *region = &member->regions.items[i];
        const MemberOwned *before = moves_find(member->first, region->number);
        MemberOwned now = {region->number, before ? before->taken : 0, false};
        region->is_old = region->is_old && moves_is_old(member, region);
        // One that was paused goes on from what the database has, of which `noted` is taken below.
        if (!region->is_owned || region->is_old ||
            (fluid && !before && !moves_merge_part(fluid, &region->due.own))) {
            continue;
        }
        if (before && before->is_used) { // who moves something stays the owner
            region->edited_us = trn_clock_us();
        }
        has_news |= fluid && moves_take(region, fluid, &now.taken);
        (void)trn_array_push(owned, &member->allocator, now); // or it is not moved for now
    }
    return has_news;
}

void trn_member_take_due(TrnMember *first)
{
    TrnFluid *fluid = trn_fluid_of(first->def.store);
    MemberOwnedList owned = {0};
    for (TrnMember *member = first; member; member = member->next) {
        trn_mutex_lock(&member->mutex);
        moves_wish(member, trn_clock_us());
        const bool has_news = moves_learn(member, fluid, &owned);
        const bool wakes = has_news || member->has_wishes;
        trn_mutex_unlock(&member->mutex);
        if (wakes) {
            trn_member_wake(member);
        }
    }
    first->wishes.count = 0;
    trn_array_free(&first->owned, &first->allocator);
    first->owned = owned;
}

// ---- the member's thread -----------------------------------------------------------------------

TrnResult trn_member_forget_due(TrnMember *member)
{
    return member->due ? trn_fluid_load(member->due, member->due_none.items, member->due_none.count)
                       : TRN_RESULT_OK;
}

/// Writes both parts of what is due. Errors: NO_MEMORY.
static TrnResult moves_write(const TrnMember *member, const TrnBytes *own, const TrnBytes *noted,
                             TrnBytes *bytes)
{
    const size_t size = MOVES_SIZE_BYTES + (size_t)own->count + noted->count;
    if (!own->count && !noted->count) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_array_reserve(bytes, &member->allocator, size);
    if (result == TRN_RESULT_OK) {
        trn_number_write(bytes->items, own->count, MOVES_SIZE_BYTES);
        if (own->count) {
            memcpy(bytes->items + MOVES_SIZE_BYTES, own->items, own->count);
        }
        if (noted->count) {
            memcpy(bytes->items + MOVES_SIZE_BYTES + own->count, noted->items, noted->count);
        }
        bytes->count = (uint32_t)size;
    }
    return result;
}

/// Returns what is due in a region as it was committed last; its bytes stay until this thread
/// frees them.
static MemberDue moves_due(TrnMember *member, int64_t number, TrnRegion *place)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegion *region = trn_member_region(member, number);
    const MemberDue due = region ? region->due : (MemberDue){.serial = 0};
    *place = region ? region->place : (TrnRegion){0};
    trn_mutex_unlock(&member->mutex);
    return due;
}

TrnResult trn_member_note_due(TrnMember *member, int64_t number, MemberDueWork *work)
{
    TrnRegion place;
    TrnBytes noted = {0};
    const MemberDue due = moves_due(member, number, &place);
    const TrnBytes *before = work->is_noted ? &work->noted : &due.noted;
    TrnResult result =
        member->due ? moves_save(member, member->due, moves_box(place), &noted) : TRN_RESULT_OK;
    if (noted.count) { // and what was noted before
        result = before->count ? trn_fluid_merge(member->due, before->items, before->count)
                               : TRN_RESULT_OK;
        result = result == TRN_RESULT_OK ? moves_save(member, member->due, moves_box(place), &noted)
                                         : result;
    }
    if (noted.count && result == TRN_RESULT_OK) {
        trn_array_free(&work->noted, &member->allocator);
        work->noted = noted;
        work->is_noted = true;
        return trn_member_forget_due(member);
    }
    trn_array_free(&noted, &member->allocator);
    return result == TRN_RESULT_OK ? trn_member_forget_due(member) : result;
}

bool trn_member_has_seen(TrnMember *member, const MemberEdit *edit)
{
    TrnRegion place;
    return edit->has_due && edit->taken == moves_due(member, edit->region, &place).serial;
}

TrnResult trn_member_find_due(TrnMember *member, int64_t number, MemberEdit *last,
                              MemberDueWork *work)
{
    static const TrnBytes none = {0};
    TrnRegion place;
    const MemberDue due = moves_due(member, number, &place);
    if (!member->due) {
        return TRN_RESULT_OK;
    }
    if (due.is_unread) { // it would be overwritten
        return TRN_RESULT_BUSY;
    }
    work->is_taken = last && !work->is_noted;
    const TrnBytes *noted = work->is_noted ? &work->noted : work->is_taken ? &none : &due.noted;
    const TrnResult result = moves_write(member, last ? &last->due : &due.own, noted, &work->bytes);
    work->is_to_save = work->bytes.count || due.is_saved;
    return result;
}

bool trn_member_ride_due(TrnPgLink *link, int64_t region, const MemberDueWork *work)
{
    return !work->is_to_save ||
           trn_pg_note_put(link, region, TRN_PG_NOTE_DUE, work->bytes.items, work->bytes.count);
}

TrnResult trn_member_end_due(TrnMember *member, int64_t number, MemberEdit *last, bool is_saved,
                             MemberDueWork *work)
{
    TrnBytes old = {0}, old_own = {0};
    const TrnResult result =
        work->is_to_save && !is_saved
            ? trn_member_put_note(member, number, TRN_PG_NOTE_DUE, &work->bytes)
            : TRN_RESULT_OK;
    if (result != TRN_RESULT_OK || !member->due) {
        return result;
    }
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        MemberDue *due = &region->due;
        if (work->is_noted || work->is_taken) {
            old = due->noted;
            due->noted = work->noted; // empty if it was taken
            due->serial += work->is_noted;
            work->noted = (TrnBytes){0};
        }
        if (last) {
            old_own = due->own;
            due->own = last->due;
            last->due = (TrnBytes){0};
        }
        due->is_saved = work->bytes.count > 0;
        due->is_at_rest = false; // the store's thread looks once more
    }
    trn_mutex_unlock(&member->mutex);
    trn_array_free(&old, &member->allocator);
    trn_array_free(&old_own, &member->allocator);
    return TRN_RESULT_OK;
}

void trn_member_free_due_work(TrnMember *member, MemberDueWork *work)
{
    trn_array_free(&work->noted, &member->allocator);
    trn_array_free(&work->bytes, &member->allocator);
}

/// What another owner has left.
typedef struct MovesLeft {
    TrnMember *member;
    bool has_any;
    bool lacks_memory; ///< for all of it
} MovesLeft;

/// Makes a part due on the desk.
static void moves_merge(MovesLeft *left, const void *bytes, size_t size)
{
    left->lacks_memory |= trn_fluid_merge(left->member->due, bytes, size) == TRN_RESULT_NO_MEMORY;
}

/// Makes due on the desk what another owner has saved. Damaged bytes are left out: those liquids
/// stay until a neighbour changes.
static bool moves_visit(void *user, const TrnPgField *row)
{
    MovesLeft *left = user;
    const unsigned char *bytes = row[0].bytes;
    const size_t size = row[0].size;
    left->has_any = true;
    if (size < MOVES_SIZE_BYTES) {
        return true;
    }
    const size_t rest = size - MOVES_SIZE_BYTES, own = trn_number_read(bytes, MOVES_SIZE_BYTES);
    if (own <= rest) {
        bytes += MOVES_SIZE_BYTES;
        moves_merge(left, bytes, own);
        moves_merge(left, bytes + own, rest - own);
    }
    return true;
}

bool trn_member_read_due(TrnMember *member, int64_t number)
{
    MemberDueWork work = {.is_noted = true};
    MovesLeft left = {member, false, false};
    TrnRegion place;
    (void)moves_due(member, number, &place);
    if (!member->due || trn_member_forget_due(member) != TRN_RESULT_OK) {
        return true;
    }
    const bool is_good =
        trn_pg_note_get(&member->link, number, TRN_PG_NOTE_DUE, moves_visit, &left);
    const TrnResult result = is_good && !left.lacks_memory
                                 ? moves_save(member, member->due, moves_box(place), &work.noted)
                                 : TRN_RESULT_NO_MEMORY;
    if (result != TRN_RESULT_NO_MEMORY) {
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, number);
        if (region) {
            trn_member_drop_due(member, region);
            region->due.noted = work.noted;
            // Damaged bytes go once the liquids are at rest.
            region->due.is_saved = left.has_any && result == TRN_RESULT_OK;
            work.noted = (TrnBytes){0};
        }
        trn_mutex_unlock(&member->mutex);
    }
    (void)trn_member_forget_due(member);
    trn_member_free_due_work(member, &work);
    return is_good;
}

/// Whether the liquids of a region have come to rest, which the database does not know.
static bool moves_have_rested(const TrnMember *member, const MemberRegion *region)
{
    return region->due.is_saved && region->due.is_at_rest &&
           !moves_has_edit(member, region->number);
}

TrnResult trn_member_save_rest(TrnMember *member)
{
    static const TrnBytes none = {0};
    TrnResult result = TRN_RESULT_OK;
    int64_t number;
    while (result == TRN_RESULT_OK && trn_member_find_owned(member, moves_have_rested, &number)) {
        result = trn_member_put_note(member, number, TRN_PG_NOTE_DUE, &none);
        if (result != TRN_RESULT_OK) {
            break;
        }
        trn_mutex_lock(&member->mutex);
        MemberRegion *region = trn_member_region(member, number);
        if (region) {
            MemberDue *due = &region->due;
            trn_array_free(&due->own, &member->allocator);
            trn_array_free(&due->noted, &member->allocator);
            due->is_saved = due->is_at_rest = false;
        }
        trn_mutex_unlock(&member->mutex);
    }
    return result;
}

bool trn_member_has_chunk(TrnMember *member, TrnRegion place)
{
    TrnChunk *chunk;
    trn_chunk_index_read_begin(member->reader);
    const bool has_one = trn_store_gather(member->def.store, moves_box(place), &chunk, 1) > 0;
    trn_chunk_index_read_end(member->reader);
    return has_one;
}

/// Makes the fluid that notes what edits lead to. Errors: as trn_fluid_create().
static TrnResult moves_open(TrnMember *member, const TrnFluidDef *def)
{
    TrnResult result = trn_fluid_create(member->desk, def, &member->due);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const size_t size = trn_fluid_save(member->due, NULL, 0);
    result = trn_array_reserve(&member->due_none, &member->allocator, size);
    if (result != TRN_RESULT_OK) {
        trn_fluid_destroy(member->due);
        member->due = NULL;
        return result;
    }
    member->due_none.count = (uint32_t)size;
    (void)trn_fluid_save(member->due, member->due_none.items, size);
    trn_mutex_lock(&member->mutex);
    for (uint32_t i = 0; i < member->regions.count; i++) {
        member->regions.items[i].due.is_unread = member->regions.items[i].is_owned;
    }
    trn_mutex_unlock(&member->mutex);
    return TRN_RESULT_OK;
}

/// Returns the next owned region of which it is not known what its last owner has left.
/// @param at  0 at first; moves on
static bool moves_next_unread(TrnMember *member, uint32_t *at, int64_t *number)
{
    bool is_one = false;
    trn_mutex_lock(&member->mutex);
    for (; *at < member->regions.count && !is_one; ++*at) {
        const MemberRegion *region = &member->regions.items[*at];
        is_one = region->is_owned && region->due.is_unread;
        *number = region->number;
    }
    trn_mutex_unlock(&member->mutex);
    return is_one;
}

TrnResult trn_member_open_due(TrnMember *member)
{
    trn_mutex_lock(&member->mutex);
    const bool has_liquids = member->has_liquids;
    const TrnFluidDef def = member->fluid;
    trn_mutex_unlock(&member->mutex);
    if (!has_liquids && member->due) {
        trn_fluid_destroy(member->due);
        member->due = NULL;
    }
    TrnResult result = has_liquids && !member->due ? moves_open(member, &def) : TRN_RESULT_OK;
    int64_t number;
    for (uint32_t at = 0;
         result == TRN_RESULT_OK && member->due && moves_next_unread(member, &at, &number);) {
        if (!trn_member_read_due(member, number)) {
            (void)trn_member_note(member, false);
            result = TRN_RESULT_IO;
        }
    }
    return result;
}
