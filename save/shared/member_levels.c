// The levels of detail of owned regions: their chunks are made from the finer ones that were put.
// Levels up to 4 lie in one region each, so that their rows are put under its lease. A put of level
// 0 also notes which chunks of level 1 it makes outdated, until all levels are made: should the
// owner end before that, the next one, or any member that looks for such regions, goes on.

#include "member_impl.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"

#define LEVELS_QUIET_US 1e6 // without puts, until levels are made
#define LEVELS_LATE_US 1e7  // where puts go on
#define LEVELS_AT_ONCE 4u   // chunks in one transaction

#define CELLS_EDGE ((int32_t)TRN_REGION_CHUNKS / 2) // chunks of level 1 in a region
#define CELLS_WORDS (sizeof((MemberCells){{0}}.words) / sizeof(uint64_t))
#define CELLS_BYTES (8 * CELLS_WORDS)

static uint32_t levels_count(const TrnMember *member)
{
    const uint32_t most = member->def.land.level_max;
    return most < MEMBER_LEVELS ? most : MEMBER_LEVELS;
}

bool trn_member_has_levels(const TrnMember *member)
{
    return levels_count(member) > 0;
}

// ---- what is to be made ------------------------------------------------------------------------

static TrnCoord levels_parent(TrnCoord coord)
{
    return (TrnCoord){coord.x >> 1, coord.y >> 1, coord.z >> 1}; // rounds down
}

/// Lists a chunk to be made. Without memory, its note stays for the next owner.
static void levels_list(TrnMember *member, TrnCoord coord, uint32_t level)
{
    TrnCoordMap *map = &member->unfolded[level];
    if (level > levels_count(member) || trn_coord_map_find(map, coord)) {
        return;
    }
    if (trn_coord_map_reserve(map, &member->allocator, 1) == TRN_RESULT_OK) {
        (void)trn_coord_map_add(map, coord);
    } else {
        member->keeps_notes = true;
    }
}

/// Sets when what is listed is made.
static void levels_set_time(TrnMember *member)
{
    const double now_us = trn_clock_us();
    member->folds_us = member->folds_us > 0 ? member->folds_us : now_us + LEVELS_LATE_US;
    member->fold_us = fmin(now_us + LEVELS_QUIET_US, member->folds_us);
}

// ---- notes -------------------------------------------------------------------------------------

/// The bit of a chunk of level 1 in its region.
static uint32_t cells_at(TrnCoord cell)
{
    const uint32_t mask = (uint32_t)CELLS_EDGE - 1;
    return ((uint32_t)cell.x & mask) + ((uint32_t)cell.y & mask) * (mask + 1) +
           ((uint32_t)cell.z & mask) * (mask + 1) * (mask + 1);
}

static TrnCoord cells_coord(TrnRegion place, uint32_t at)
{
    const int32_t bit = (int32_t)at, edge = CELLS_EDGE;
    return (TrnCoord){place.x * edge + bit % edge, place.y * edge + bit / edge % edge,
                      place.z * edge + bit / edge / edge};
}

static void cells_write(const MemberCells *cells, unsigned char bytes[CELLS_BYTES])
{
    for (size_t word = 0; word < CELLS_WORDS; word++) {
        trn_number_write(bytes + 8 * word, cells->words[word], 8);
    }
}

static bool cells_any(const MemberCells *cells)
{
    uint64_t any = 0;
    for (size_t word = 0; word < CELLS_WORDS; word++) {
        any |= cells->words[word];
    }
    return any != 0;
}

static MemberCells levels_noted(TrnMember *member, int64_t number)
{
    trn_mutex_lock(&member->mutex);
    const MemberRegion *region = trn_member_region(member, number);
    const MemberCells cells = region ? region->unfolded : (MemberCells){{0}};
    trn_mutex_unlock(&member->mutex);
    return cells;
}

static void levels_set_noted(TrnMember *member, int64_t number, const MemberCells *cells)
{
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region) {
        region->unfolded = *cells;
    }
    trn_mutex_unlock(&member->mutex);
}

/// Adds the chunks of level 1 that some of level 0 are in. @return whether any is new
static bool cells_add(MemberCells *cells, const TrnCoordMap *chunks)
{
    const TrnCoordEntry *entry;
    uint64_t next = 0;
    bool has_new = false;
    while ((entry = trn_coord_map_next(chunks, &next))) {
        const uint32_t at = cells_at(levels_parent(entry->coord));
        uint64_t *word = &cells->words[at / 64];
        const uint64_t bit = UINT64_C(1) << at % 64;
        has_new |= !(*word & bit);
        *word |= bit;
    }
    return has_new;
}

void trn_member_find_unfolded(TrnMember *member, int64_t region, const TrnCoordMap *chunks,
                              MemberLevelsWork *work)
{
    if (trn_member_has_levels(member)) {
        work->unfolded = levels_noted(member, region);
        work->is_to_save = cells_add(&work->unfolded, chunks);
    }
}

void trn_member_doubt_unfolded(TrnMember *member, int64_t number, const TrnCoordMap *chunks)
{
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    if (region && trn_member_has_levels(member)) {
        (void)cells_add(&region->doubtful, chunks);
    }
    trn_mutex_unlock(&member->mutex);
}

/// Adds the cells of puts whose note may be missing to those that the database notes.
/// @return false if it cannot be told of them
static bool levels_add_doubtful(TrnMember *member, int64_t number, MemberCells *cells)
{
    unsigned char bytes[CELLS_BYTES];
    const TrnBytes note = {.items = bytes, .count = sizeof bytes};
    bool has_new = false;
    trn_mutex_lock(&member->mutex);
    MemberRegion *region = trn_member_region(member, number);
    for (size_t word = 0; region && word < CELLS_WORDS; word++) {
        has_new |= (region->doubtful.words[word] & ~cells->words[word]) != 0;
        cells->words[word] |= region->doubtful.words[word];
    }
    trn_mutex_unlock(&member->mutex);
    cells_write(cells, bytes);
    if (has_new &&
        trn_member_put_note(member, number, TRN_PG_NOTE_LEVELS, &note) != TRN_RESULT_OK) {
        return false;
    }
    trn_mutex_lock(&member->mutex);
    if ((region = trn_member_region(member, number))) {
        region->doubtful = (MemberCells){{0}};
    }
    trn_mutex_unlock(&member->mutex);
    return true;
}

bool trn_member_ride_unfolded(TrnPgLink *link, int64_t region, const MemberLevelsWork *work)
{
    unsigned char bytes[CELLS_BYTES];
    cells_write(&work->unfolded, bytes);
    return !work->is_to_save ||
           trn_pg_note_put(link, region, TRN_PG_NOTE_LEVELS, bytes, sizeof bytes);
}

void trn_member_end_unfolded(TrnMember *member, int64_t region, const TrnCoordMap *chunks,
                             bool is_saved, const MemberLevelsWork *work)
{
    unsigned char bytes[CELLS_BYTES];
    const TrnBytes note = {.items = bytes, .count = sizeof bytes};
    const TrnCoordEntry *entry;
    uint64_t next = 0;
    if (!trn_member_has_levels(member) || !chunks->count) {
        return;
    }
    while ((entry = trn_coord_map_next(chunks, &next))) {
        levels_list(member, levels_parent(entry->coord), 1);
    }
    levels_set_time(member);
    if (trn_member_is_unread(member, region)) { // the database went back before the put
        trn_member_doubt_unfolded(member, region, chunks);
        return;
    }
    cells_write(&work->unfolded, bytes);
    // If it fails, the next put notes it.
    if (work->is_to_save && (is_saved || trn_member_put_note(member, region, TRN_PG_NOTE_LEVELS,
                                                             &note) == TRN_RESULT_OK)) {
        levels_set_noted(member, region, &work->unfolded);
    }
}

/// Reads a note. One that is damaged means all of the region.
static bool levels_visit_note(void *user, const TrnPgField *row)
{
    MemberCells *cells = user;
    memset(cells, 0xFF, sizeof *cells);
    for (size_t word = 0; row[0].size == CELLS_BYTES && word < CELLS_WORDS; word++) {
        cells->words[word] = trn_number_read((const unsigned char *)row[0].bytes + 8 * word, 8);
    }
    return true;
}

bool trn_member_read_unfolded(TrnMember *member, int64_t region)
{
    MemberCells cells = {{0}};
    if (!trn_member_has_levels(member)) {
        return true;
    }
    if (!trn_pg_note_get(&member->link, region, TRN_PG_NOTE_LEVELS, levels_visit_note, &cells) ||
        !levels_add_doubtful(member, region, &cells)) {
        return false;
    }
    const TrnRegion place = trn_region_of_number(region);
    for (uint32_t at = 0; at < 64 * CELLS_WORDS; at++) {
        if (cells.words[at / 64] >> at % 64 & 1) {
            levels_list(member, cells_coord(place, at), 1);
        }
    }
    if (cells_any(&cells)) {
        levels_set_noted(member, region, &cells);
        levels_set_time(member);
        member->fold_us = trn_clock_us(); // the last owner has waited already
    }
    return true;
}

static bool levels_are_noted(const TrnMember *member, const MemberRegion *region)
{
    (void)member;
    return cells_any(&region->unfolded);
}

/// Drops the notes once all levels are made.
static TrnResult levels_drop_notes(TrnMember *member)
{
    static const TrnBytes none = {0};
    TrnResult result = TRN_RESULT_OK;
    int64_t number;
    while (!member->keeps_notes && trn_member_find_owned(member, levels_are_noted, &number)) {
        result = trn_member_put_note(member, number, TRN_PG_NOTE_LEVELS, &none);
        if (result != TRN_RESULT_OK) {
            break;
        }
        levels_set_noted(member, number, &(MemberCells){{0}});
    }
    return result;
}

// ---- making them -------------------------------------------------------------------------------

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
        levels_list(member, levels_parent(coord), level + 1);
        return TRN_RESULT_OK;
    }
    *is_over = true;
    return TRN_RESULT_OK;
}

/// Makes some. @param is_over  receives whether none is left
static TrnResult levels_make(TrnMember *member, bool *is_over)
{
    TrnResult result = TRN_RESULT_OK;
    uint32_t made = 0;
    do { // where messages are slow, one at a time: leases must be renewed in between
        result = levels_make_one(member, is_over);
    } while (++made < LEVELS_AT_ONCE && result == TRN_RESULT_OK && !*is_over &&
             trn_clock_us() < member->renew_us);
    result = result == TRN_RESULT_OK ? trn_save_flush(member->def.save) : result;
    return result == TRN_RESULT_OK && *is_over ? levels_drop_notes(member) : result;
}

TrnResult trn_member_fold(TrnMember *member)
{
    const double now_us = trn_clock_us();
    bool is_over = false;
    if (now_us < trn_member_fold_time(member)) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = levels_make(member, &is_over);
    member->folds_us = is_over && result == TRN_RESULT_OK ? 0 : member->folds_us;
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
