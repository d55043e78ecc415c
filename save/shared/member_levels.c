// The levels of detail of owned regions: their chunks are made from the finer ones that were put.
// Levels up to 4 lie in one region each, so that their rows are put under its lease.

#include "member_impl.h"

#include <math.h>

#include "base/clock.h"

#define LEVELS_QUIET_US 1e6 // without puts, until levels are made
#define LEVELS_LATE_US 1e7  // where puts go on
#define LEVELS_AT_ONCE 4u   // chunks in one transaction

static uint32_t levels_count(const TrnMember *member)
{
    const uint32_t most = member->def.land.level_max;
    return most < MEMBER_LEVELS ? most : MEMBER_LEVELS;
}

/// Notes that a chunk of a level was put. Without memory, its coarser ones stay as they are until
/// another change.
static void levels_note(TrnMember *member, TrnCoord coord, uint32_t level)
{
    const TrnCoord parent = {coord.x >> 1, coord.y >> 1, coord.z >> 1}; // rounds down
    TrnCoordMap *map = &member->unfolded[level + 1];
    if (level < levels_count(member) && !trn_coord_map_find(map, parent) &&
        trn_coord_map_reserve(map, &member->allocator, 1) == TRN_RESULT_OK) {
        (void)trn_coord_map_add(map, parent);
    }
}

void trn_member_note_unfolded(TrnMember *member, TrnCoord coord)
{
    const double now_us = trn_clock_us();
    if (levels_count(member) == 0) {
        return;
    }
    levels_note(member, coord, 0);
    member->folds_us = member->folds_us > 0 ? member->folds_us : now_us + LEVELS_LATE_US;
    member->fold_us = fmin(now_us + LEVELS_QUIET_US, member->folds_us);
}

/// Whether what failed may succeed later. Other failures are of the chunk, and must not hold up the
/// rest.
static bool levels_is_again(TrnResult result)
{
    return result == TRN_RESULT_IO || result == TRN_RESULT_NO_MEMORY || result == TRN_RESULT_BUSY ||
           result == TRN_RESULT_STALE_ID;
}

/// Makes one chunk, the finest that is to be made. @param is_over  receives whether there was none
static TrnResult levels_make_one(TrnMember *member, bool *is_over)
{
    TrnLeases *leases = trn_postgres_leases(&member->storage);
    for (uint32_t level = 1; level <= MEMBER_LEVELS; level++) {
        uint64_t at = 0;
        TrnCoordEntry *entry = trn_coord_map_next(&member->unfolded[level], &at);
        if (!entry) {
            continue;
        }
        const TrnCoord coord = entry->coord;
        const TrnStorageKey key = {coord, level};
        TrnResult result = TRN_RESULT_OK;
        if (trn_leases_hold(leases, trn_storage_region(&key))) { // or its next owner makes it
            result = trn_save_fold_member_chunk(member->def.save, &member->def.land, coord, level);
        }
        if (levels_is_again(result)) {
            return result;
        }
        trn_coord_map_remove(&member->unfolded[level],
                             trn_coord_map_find(&member->unfolded[level], coord));
        levels_note(member, coord, level);
        return TRN_RESULT_OK;
    }
    *is_over = true;
    return TRN_RESULT_OK;
}

/// Makes some. @param is_over  receives whether none is left
static TrnResult levels_make(TrnMember *member, bool *is_over)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < LEVELS_AT_ONCE && result == TRN_RESULT_OK && !*is_over; i++) {
        result = levels_make_one(member, is_over);
    }
    return result == TRN_RESULT_OK ? trn_save_flush(member->def.save) : result;
}

TrnResult trn_member_fold(TrnMember *member)
{
    const double now_us = trn_clock_us();
    bool is_over = false;
    if (now_us < trn_member_fold_time(member)) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = levels_make(member, &is_over);
    member->folds_us = is_over ? 0 : member->folds_us;
    member->fold_us = result == TRN_RESULT_OK ? now_us : now_us + LEVELS_QUIET_US;
    return result;
}

void trn_member_fold_all(TrnMember *member, double seconds)
{
    const double until_us = trn_clock_us() + seconds * 1e6;
    bool is_over = member->folds_us == 0;
    while (!is_over && trn_clock_us() < until_us &&
           levels_make(member, &is_over) == TRN_RESULT_OK) {
    }
}

double trn_member_fold_time(const TrnMember *member)
{
    return member->folds_us > 0 ? member->fold_us : (double)INFINITY;
}

void trn_member_free_unfolded(TrnMember *member)
{
    for (uint32_t level = 0; level <= MEMBER_LEVELS; level++) {
        trn_coord_map_free(&member->unfolded[level], &member->allocator);
    }
}
