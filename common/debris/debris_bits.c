#include "debris/debris_bits.h"

#include <math.h>
#include <string.h>

// ---- what a look shows --------------------------------------------------------------------------

// Particles reach out of their chunk, and from the middle of their bottom, by less than this.
#define DEBRIS_REACH 0.25f
#define DEBRIS_CHUNK_HALF (0.5f * TRN_CHUNK_EDGE)

static float debris_plane_distance(const float plane[4], const float at[3])
{
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2] + plane[3];
}

/// The lowest corner of a chunk, in voxels from that of the look's chunk.
static void debris_look_corner(const DebrisLook *look, TrnCoord coord, float corner[3])
{
    // In 64 bits: the difference of two int32 needs 33.
    corner[0] = (float)(((int64_t)coord.x - look->chunk.x) * TRN_CHUNK_EDGE);
    corner[1] = (float)(((int64_t)coord.y - look->chunk.y) * TRN_CHUNK_EDGE);
    corner[2] = (float)(((int64_t)coord.z - look->chunk.z) * TRN_CHUNK_EDGE);
}

static DebrisSight debris_look_at_chunk(const DebrisLook *look, TrnCoord coord)
{
    float middle[3];
    debris_look_corner(look, coord, middle);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] += DEBRIS_CHUNK_HALF;
    }
    DebrisSight sight = DEBRIS_SIGHT_ALL;
    for (int i = 0; i < 6; i++) {
        const float *plane = look->planes[i];
        const float reach = (fabsf(plane[0]) + fabsf(plane[1]) + fabsf(plane[2])) *
                            (DEBRIS_CHUNK_HALF + DEBRIS_REACH);
        const float distance = debris_plane_distance(plane, middle);
        if (distance < -reach) {
            return DEBRIS_SIGHT_NONE;
        }
        if (distance < reach) {
            sight = DEBRIS_SIGHT_SOME;
        }
    }
    return sight;
}

bool debris_look_has(const DebrisLook *look, const float at[3])
{
    for (int i = 0; i < 6; i++) {
        if (debris_plane_distance(look->planes[i], at) < -DEBRIS_REACH) {
            return false;
        }
    }
    return true;
}

// ---- memory -------------------------------------------------------------------------------------

static void *debris_bits_alloc(DebrisBits *bits, size_t bytes)
{
    void *memory = bits->allocator.alloc(bytes, 64, bits->allocator.user);
    if (memory) {
        memset(memory, 0, bytes);
    }
    return memory;
}

static void debris_bits_release(DebrisBits *bits, void *memory, size_t bytes)
{
    if (memory) {
        bits->allocator.free(memory, bytes, bits->allocator.user);
    }
}

static size_t debris_unseen_bytes(const DebrisBits *bits)
{
    return bits->capacity * sizeof *bits->unseen;
}

static size_t debris_bucket_bytes(void)
{
    return DEBRIS_BUCKETS * sizeof(DebrisCell *);
}

static bool debris_create_pool(const DebrisBits *bits, size_t bytes, uint32_t count, TrnPool **pool)
{
    TrnPoolDef def = trn_pool_def(bytes);
    def.slot_alignment = 64;
    def.slot_max = count;
    def.allocator = &bits->allocator;
    return trn_pool_create(&def, pool) == TRN_RESULT_OK;
}

/// Reserves its whole capacity, so that adding cannot fail.
static bool debris_create_registry(const DebrisBits *bits, size_t index_offset, uint32_t count,
                                   TrnRegistry **registry)
{
    TrnRegistryDef def = trn_registry_def(index_offset);
    def.count_max = count;
    def.allocator = &bits->allocator;
    return trn_registry_create(&def, registry) == TRN_RESULT_OK &&
           trn_registry_reserve(*registry, count) == TRN_RESULT_OK;
}

bool debris_bits_create(DebrisBits *bits, uint32_t capacity, const TrnAllocator *allocator)
{
    bits->capacity = capacity;
    bits->allocator = *allocator;
    bits->unseen = debris_bits_alloc(bits, debris_unseen_bytes(bits));
    bits->buckets = debris_bits_alloc(bits, debris_bucket_bytes());
    // Within a step, each bit may have entered a new cell while the one it left still exists.
    const uint32_t cells = 2 * capacity;
    return bits->unseen && bits->buckets &&
           debris_create_pool(bits, sizeof(DebrisBit), capacity, &bits->bit_pool) &&
           debris_create_pool(bits, sizeof(DebrisCell), cells, &bits->cell_pool) &&
           debris_create_registry(bits, offsetof(DebrisBit, place), capacity, &bits->alive) &&
           debris_create_registry(bits, offsetof(DebrisCell, place), cells, &bits->cells);
}

void debris_bits_free(DebrisBits *bits)
{
    trn_registry_destroy(bits->cells);
    trn_registry_destroy(bits->alive);
    trn_pool_destroy(bits->cell_pool);
    trn_pool_destroy(bits->bit_pool);
    debris_bits_release(bits, bits->buckets, debris_bucket_bytes());
    debris_bits_release(bits, bits->unseen, debris_unseen_bytes(bits));
}

// ---- bits by age --------------------------------------------------------------------------------

DebrisBit *debris_bits_add(DebrisBits *bits)
{
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(bits->bit_pool, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    DebrisBit *bit = slot;
    memset(bit, 0, sizeof *bit);
    bit->id = id;
    if (trn_registry_add(bits->alive, bit) != TRN_RESULT_OK) {
        (void)trn_pool_free(bits->bit_pool, id);
        return NULL;
    }
    bit->number = bits->added++;
    bit->older = bits->youngest;
    *(bits->youngest ? &bits->youngest->younger : &bits->oldest) = bit;
    bits->youngest = bit;
    return bit;
}

void debris_bits_remove(DebrisBits *bits, DebrisBit *bit)
{
    *(bit->older ? &bit->older->younger : &bits->oldest) = bit->younger;
    *(bit->younger ? &bit->younger->older : &bits->youngest) = bit->older;
    (void)trn_registry_remove(bits->alive, bit);
    (void)trn_pool_free(bits->bit_pool, bit->id);
}

// ---- bits by chunk ------------------------------------------------------------------------------

static uint32_t debris_bucket_of(TrnCoord coord)
{
    const uint32_t mixed = (uint32_t)coord.x * 0x8da6b343u ^ (uint32_t)coord.y * 0xd8163841u ^
                           (uint32_t)coord.z * 0xcb1ab31fu;
    return (mixed ^ mixed >> 15) % DEBRIS_BUCKETS;
}

static DebrisCell *debris_find_cell(const DebrisBits *bits, TrnCoord coord)
{
    DebrisCell *cell = bits->buckets[debris_bucket_of(coord)];
    while (cell && !trn_coord_equal(cell->coord, coord)) {
        cell = cell->next;
    }
    return cell;
}

static DebrisCell *debris_add_cell(DebrisBits *bits, TrnCoord coord)
{
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(bits->cell_pool, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    DebrisCell *cell = slot;
    DebrisCell **bucket = &bits->buckets[debris_bucket_of(coord)];
    *cell = (DebrisCell){.coord = coord,
                         .id = id,
                         .next = *bucket,
                         .sight = debris_look_at_chunk(&bits->look, coord)};
    if (trn_registry_add(bits->cells, cell) != TRN_RESULT_OK) {
        (void)trn_pool_free(bits->cell_pool, id);
        return NULL;
    }
    *bucket = cell;
    return cell;
}

bool debris_bits_enter(DebrisBits *bits, DebrisBit *bit, TrnCoord coord)
{
    DebrisCell *cell = debris_find_cell(bits, coord);
    if (!cell) {
        cell = debris_add_cell(bits, coord);
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

void debris_bits_leave(DebrisBit *bit)
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

void debris_bits_tidy(DebrisBits *bits, DebrisCell *cell)
{
    if (cell->first) {
        return;
    }
    DebrisCell **link = &bits->buckets[debris_bucket_of(cell->coord)];
    while (*link != cell) {
        link = &(*link)->next;
    }
    *link = cell->next;
    (void)trn_registry_remove(bits->cells, cell);
    (void)trn_pool_free(bits->cell_pool, cell->id);
}

// ---- what the last look shows -------------------------------------------------------------------

void debris_bits_look(DebrisBits *bits, const DebrisLook *look)
{
    bits->look = *look;
    for (uint32_t i = 0; i < bits->cells->count; i++) {
        DebrisCell *cell = bits->cells->items[i];
        cell->sight = debris_look_at_chunk(look, cell->coord);
    }
    debris_bits_forget_unseen(bits);
}

void debris_bits_place(const DebrisBits *bits, const DebrisBit *bit, float back, float at[3])
{
    debris_look_corner(&bits->look, bit->cell->coord, at);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] += ((float)bit->at[axis] - back * bit->moved[axis]) / DEBRIS_UNIT;
    }
}

bool debris_bits_is_seen(const DebrisBits *bits, const DebrisBit *bit)
{
    float at[3];
    if (bit->cell->sight != DEBRIS_SIGHT_SOME) {
        return bit->cell->sight == DEBRIS_SIGHT_ALL;
    }
    debris_bits_place(bits, bit, 0, at);
    return debris_look_has(&bits->look, at);
}

static void debris_find_unseen(DebrisBits *bits)
{
    bits->unseen_count = bits->unseen_next = 0;
    bits->unseen_known = true;
    for (DebrisBit *bit = bits->oldest; bit && bit->number < bits->seen_from; bit = bit->younger) {
        if (!debris_bits_is_seen(bits, bit)) {
            bits->unseen[bits->unseen_count++] = bit->id;
        }
    }
}

DebrisBit *debris_bits_next_unseen(DebrisBits *bits)
{
    if (!bits->unseen_known) {
        debris_find_unseen(bits);
    }
    while (bits->unseen_next < bits->unseen_count) {
        DebrisBit *bit = trn_pool_get(bits->bit_pool, bits->unseen[bits->unseen_next++]);
        if (bit) { // otherwise it has been removed since
            return bit;
        }
    }
    return NULL;
}

void debris_bits_forget_unseen(DebrisBits *bits)
{
    bits->unseen_known = false;
    bits->seen_from = bits->added;
}
