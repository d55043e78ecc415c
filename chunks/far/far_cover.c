// Which chunks are drawn: see far_cover.h.

#include "far_cover.h"

#include <string.h>

#define COVER_CHILDREN 8u
#define COVER_ALL 0xFFu // all children
// An entry's bits by child: it is ready, it is full, it has an entry of its own.
#define COVER_READY 0u
#define COVER_FULL 8u
#define COVER_ENTRY 16u

// ---- bits --------------------------------------------------------------------------------------

/// Where a chunk is among its parent's children: x, then z, then y.
static uint32_t cover_place(TrnCoord coord)
{
    return ((uint32_t)coord.x & 1) | ((uint32_t)coord.z & 1) << 1 | ((uint32_t)coord.y & 1) << 2;
}

static TrnCoord cover_child(TrnCoord parent, uint32_t place)
{
    // Multiplied, since a negative number must not be shifted left.
    return (TrnCoord){parent.x * 2 + (int32_t)(place & 1), parent.y * 2 + (int32_t)(place >> 2),
                      parent.z * 2 + (int32_t)(place >> 1 & 1)};
}

/// The bits of a chunk's children.
static uint64_t cover_bits(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    const TrnCoordEntry *entry =
        level ? trn_coord_map_find(&cover->children[level - 1], coord) : NULL;
    return entry ? entry->number : 0;
}

static bool cover_is_covered(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    return (cover_bits(cover, level, coord) >> COVER_FULL & COVER_ALL) == COVER_ALL;
}

static bool cover_is_ready(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    const TrnCoordEntry *entry = trn_coord_map_find(&cover->children[level], trn_far_parent(coord));
    return entry && entry->number >> cover_place(coord) & 1;
}

/// Sets or clears a chunk's bit in its parent's entry. What may be added was reserved.
/// @param shift  COVER_READY, COVER_FULL or COVER_ENTRY
static void cover_set_bit(TrnFarCover *cover, uint32_t level, TrnCoord coord, uint32_t shift,
                          bool value)
{
    for (; level < FAR_COVER_LEVELS; level++, shift = COVER_ENTRY) {
        TrnCoordMap *map = &cover->children[level];
        const uint64_t bit = UINT64_C(1) << (cover_place(coord) + shift);
        coord = trn_far_parent(coord);
        TrnCoordEntry *entry = trn_coord_map_find(map, coord);
        const bool had_entry = entry != NULL;
        if (!entry && value) {
            entry = trn_coord_map_add(map, coord);
        }
        if (entry) {
            entry->number = value ? entry->number | bit : entry->number & ~bit;
        }
        if (entry && !entry->number) {
            trn_coord_map_remove(map, entry);
            entry = NULL;
        }
        if (had_entry == (entry != NULL)) {
            return;
        }
    }
}

// ---- drawing -----------------------------------------------------------------------------------

static void cover_draw(TrnFarCover *cover, uint32_t level, TrnCoord coord, bool is_drawn)
{
    cover->drawn[level] += is_drawn ? 1 : UINT32_MAX;
    cover->draws++;
    cover->draw(cover->user, level, coord, is_drawn);
}

/// Draws what stands for the places below a chunk, or stops drawing it.
static void cover_draw_below(TrnFarCover *cover, uint32_t level, TrnCoord coord, bool is_drawn)
{
    const uint64_t bits = cover_bits(cover, level, coord); // 0 at level 0: it has no children
    for (uint32_t place = 0; bits && place < COVER_CHILDREN; place++) {
        const TrnCoord child = cover_child(coord, place);
        if (bits >> place & 1 && !cover_is_covered(cover, level - 1, child)) {
            cover_draw(cover, level - 1, child, is_drawn);
        } else if (bits >> place >> COVER_ENTRY & 1) {
            cover_draw_below(cover, level - 1, child, is_drawn);
        }
    }
}

/// Whether a coarser chunk stands for the place of a chunk.
static bool cover_is_hidden(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    while (++level < FAR_COVER_LEVELS) {
        coord = trn_far_parent(coord);
        if (cover_is_ready(cover, level, coord) && !cover_is_covered(cover, level, coord)) {
            return true;
        }
    }
    return false;
}

// ---- changes -----------------------------------------------------------------------------------

/// A coarser chunk that is ready, and that a change uncovers or covers.
typedef struct CoverHead {
    uint32_t level; ///< FAR_COVER_LEVELS: there is none
    TrnCoord coord;
} CoverHead;

/// Finds the ready chunk that is covered once, or only as long as, a chunk below it is full. Chunks
/// between the two are not ready: they are full only by their children.
static CoverHead cover_head(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    while (++level < FAR_COVER_LEVELS) {
        const uint64_t bit = UINT64_C(1) << cover_place(coord);
        coord = trn_far_parent(coord);
        if (((cover_bits(cover, level, coord) >> COVER_FULL & COVER_ALL) | bit) != COVER_ALL) {
            break;
        }
        if (cover_is_ready(cover, level, coord)) {
            return (CoverHead){level, coord};
        }
    }
    return (CoverHead){.level = FAR_COVER_LEVELS};
}

/// Sets whether a chunk is full, and with it those above that are full by their children alone.
static void cover_set_full(TrnFarCover *cover, uint32_t level, TrnCoord coord, bool is_full)
{
    for (; level < FAR_COVER_LEVELS; level++) {
        const TrnCoord parent = trn_far_parent(coord);
        const bool was_covered = cover_is_covered(cover, level + 1, parent);
        cover_set_bit(cover, level, coord, COVER_FULL, is_full);
        const bool is_covered = cover_is_covered(cover, level + 1, parent);
        if (is_covered == was_covered || level + 1 == FAR_COVER_LEVELS ||
            cover_is_ready(cover, level + 1, parent)) {
            return;
        }
        coord = parent;
    }
}

static void cover_add(TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    const CoverHead head = cover_head(cover, level, coord);
    cover_set_full(cover, level, coord, true);
    if (head.level == FAR_COVER_LEVELS) {
        if (!cover_is_hidden(cover, level, coord)) {
            cover_draw_below(cover, level, coord, false);
            cover_draw(cover, level, coord, true);
        }
    } else if (!cover_is_hidden(cover, head.level, head.coord)) {
        cover_draw_below(cover, head.level, head.coord, true);
        cover_draw(cover, head.level, head.coord, false);
    }
}

static void cover_remove(TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    const CoverHead head = cover_head(cover, level, coord);
    if (head.level == FAR_COVER_LEVELS) {
        if (!cover_is_hidden(cover, level, coord)) {
            cover_draw_below(cover, level, coord, true);
            cover_draw(cover, level, coord, false);
        }
    } else if (!cover_is_hidden(cover, head.level, head.coord)) {
        cover_draw(cover, head.level, head.coord, true);
        cover_draw_below(cover, head.level, head.coord, false);
    }
    cover_set_full(cover, level, coord, false);
}

/// Reserves what recording a ready chunk may add: an entry a level.
static TrnResult cover_reserve(TrnFarCover *cover, uint32_t level)
{
    TrnResult result = TRN_RESULT_OK;
    for (; level < FAR_COVER_LEVELS && result == TRN_RESULT_OK; level++) {
        result = trn_coord_map_reserve(&cover->children[level], cover->allocator, 1);
    }
    return result;
}

TrnResult trn_far_cover_set(TrnFarCover *cover, uint32_t level, TrnCoord coord, bool is_ready)
{
    if (cover_is_ready(cover, level, coord) == is_ready) {
        return TRN_RESULT_OK;
    }
    if (is_ready && cover_reserve(cover, level) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    cover->ready[level] += is_ready ? 1 : UINT32_MAX;
    const bool is_covered = cover_is_covered(cover, level, coord); // then it is full and not drawn
    if (!is_covered && !is_ready) {
        cover_remove(cover, level, coord);
    }
    cover_set_bit(cover, level, coord, COVER_READY, is_ready);
    if (!is_covered && is_ready) {
        cover_add(cover, level, coord);
    }
    return TRN_RESULT_OK;
}

// ---- questions, creation -----------------------------------------------------------------------

bool trn_far_cover_is_drawn(const TrnFarCover *cover, uint32_t level, TrnCoord coord)
{
    return level < FAR_COVER_LEVELS && cover_is_ready(cover, level, coord) &&
           !cover_is_covered(cover, level, coord) && !cover_is_hidden(cover, level, coord);
}

size_t trn_far_cover_bytes(const TrnFarCover *cover)
{
    size_t bytes = 0;
    for (uint32_t level = 0; level < FAR_COVER_LEVELS; level++) {
        bytes += trn_coord_map_bytes(&cover->children[level]);
    }
    return bytes;
}

void trn_far_cover_init(TrnFarCover *cover, uint64_t key, TrnFarCoverDraw draw, void *user,
                        const TrnAllocator *allocator)
{
    memset(cover, 0, sizeof *cover);
    cover->draw = draw;
    cover->user = user;
    cover->allocator = allocator;
    for (uint32_t level = 0; level < FAR_COVER_LEVELS; level++) {
        cover->children[level].key = key;
    }
}

void trn_far_cover_destroy(TrnFarCover *cover)
{
    for (uint32_t level = 0; level < FAR_COVER_LEVELS; level++) {
        trn_coord_map_free(&cover->children[level], cover->allocator);
    }
}
