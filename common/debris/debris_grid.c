// Bits by chunk: a hash of those chunks that hold any, each with a list of its bits.

#include "debris/debris_impl.h"

static uint32_t bucket_of(TrnCoord coord)
{
    const uint32_t mixed = (uint32_t)coord.x * 0x8da6b343u ^ (uint32_t)coord.y * 0xd8163841u ^
                           (uint32_t)coord.z * 0xcb1ab31fu;
    return (mixed ^ mixed >> 15) % DEBRIS_BUCKETS;
}

static DebrisCell *find_cell(const Debris *debris, TrnCoord coord)
{
    DebrisCell *cell = debris->buckets[bucket_of(coord)];
    while (cell && !trn_coord_equal(cell->coord, coord)) {
        cell = cell->next;
    }
    return cell;
}

static DebrisCell *add_cell(Debris *debris, TrnCoord coord)
{
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(debris->cells, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    DebrisCell *cell = slot;
    DebrisCell **bucket = &debris->buckets[bucket_of(coord)];
    *cell = (DebrisCell){.coord = coord, .id = id, .next = *bucket};
    // There is room: no more cells than bits, and for those it has been taken.
    if (trn_registry_add(debris->used, cell) != TRN_RESULT_OK) {
        (void)trn_pool_free(debris->cells, id);
        return NULL;
    }
    *bucket = cell;
    debris_see_cell(debris, cell);
    return cell;
}

bool debris_enter(Debris *debris, DebrisBit *bit, TrnCoord coord)
{
    DebrisCell *cell = find_cell(debris, coord);
    if (!cell) {
        cell = add_cell(debris, coord);
    }
    if (!cell) {
        return false;
    }
    bit->cell = cell;
    bit->previous = NULL;
    bit->next = cell->first;
    if (bit->next) {
        bit->next->previous = bit;
    }
    cell->first = bit;
    return true;
}

void debris_leave(DebrisBit *bit)
{
    if (bit->previous) {
        bit->previous->next = bit->next;
    } else {
        bit->cell->first = bit->next;
    }
    if (bit->next) {
        bit->next->previous = bit->previous;
    }
    bit->cell = NULL;
}

void debris_tidy(Debris *debris, DebrisCell *cell)
{
    if (cell->first) {
        return;
    }
    DebrisCell **link = &debris->buckets[bucket_of(cell->coord)];
    while (*link != cell) {
        link = &(*link)->next;
    }
    *link = cell->next;
    (void)trn_registry_remove(debris->used, cell);
    (void)trn_pool_free(debris->cells, cell->id);
}
