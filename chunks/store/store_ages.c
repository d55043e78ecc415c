// A tree of minima over places.

#include "store/store_ages.h"

#include <stdalign.h>
#include <string.h>

static uint32_t ages_least(const uint32_t node[TRN_AGE_NODE])
{
    uint32_t least = node[0];
    for (uint32_t i = 1; i < TRN_AGE_NODE; i++) {
        least = node[i] < least ? node[i] : least;
    }
    return least;
}

/// Corrects the minimum above a number that has changed.
/// @param was  the number before
/// @return whether the minimum has changed
static bool ages_lift(const uint32_t *level, uint32_t at, uint32_t was, uint32_t *low)
{
    const uint32_t age = level[at];
    if (age < *low) {
        *low = age;
        return true;
    }
    // In a crowd of equal ages the neighbour tells that nothing changes.
    if (was != *low || age == was || level[at ^ 1] == *low) {
        return false;
    }
    const uint32_t least = ages_least(level + (at & ~(TRN_AGE_NODE - 1)));
    if (least == *low) {
        return false;
    }
    *low = least;
    return true;
}

void trn_ages_set(TrnStoreAges *ages, uint32_t place, uint32_t age)
{
    TrnAgeBlock *block = ages->blocks.items[place / TRN_AGE_BLOCK_PLACES];
    uint32_t at = place % TRN_AGE_BLOCK_PLACES;
    uint32_t was = block->ages[at];
    uint32_t *low = &block->lows[at / TRN_AGE_NODE];
    uint32_t low_was = *low;
    block->ages[at] = age;
    if (!ages_lift(block->ages, at, was, low)) {
        return;
    }
    const uint32_t *level = block->lows;
    at /= TRN_AGE_NODE;
    uint32_t above = place / TRN_AGE_BLOCK_PLACES;
    for (int i = 0; i < TRN_AGE_LEVELS; i++) {
        was = low_was;
        low = &ages->lows[i].items[above];
        low_was = *low;
        if (!ages_lift(level, at, was, low)) {
            return;
        }
        level = ages->lows[i].items;
        at = above;
        above /= TRN_AGE_NODE;
    }
}

// ---- find --------------------------------------------------------------------------------------

/// The first number of a node that equals its minimum.
static uint32_t ages_find(const uint32_t *node, uint32_t least)
{
    uint32_t at = 0;
    while (node[at] != least) {
        at++;
    }
    return at;
}

bool trn_ages_first(const TrnStoreAges *ages, uint32_t *place)
{
    const TrnAgeLows *top = &ages->lows[TRN_AGE_LEVELS - 1];
    uint32_t least = TRN_AGE_NONE, at = 0;
    for (uint32_t i = 0; i < top->count; i++) {
        if (top->items[i] < least) {
            least = top->items[i];
            at = i;
        }
    }
    if (least == TRN_AGE_NONE) {
        return false;
    }
    for (int i = TRN_AGE_LEVELS - 2; i >= 0; i--) {
        at = at * TRN_AGE_NODE + ages_find(ages->lows[i].items + (size_t)at * TRN_AGE_NODE, least);
    }
    const TrnAgeBlock *block = ages->blocks.items[at];
    const uint32_t node = ages_find(block->lows, least);
    *place = at * TRN_AGE_BLOCK_PLACES + node * TRN_AGE_NODE +
             ages_find(block->ages + (size_t)node * TRN_AGE_NODE, least);
    return true;
}

// ---- memory ------------------------------------------------------------------------------------

/// Has a level cover as many numbers below it: whole nodes, which its own level above reads.
static TrnResult ages_cover(TrnAgeLows *lows, const TrnAllocator *allocator, uint32_t numbers)
{
    const uint32_t whole = (numbers + TRN_AGE_NODE - 1) / TRN_AGE_NODE * TRN_AGE_NODE;
    const TrnResult result = trn_array_reserve(lows, allocator, (size_t)whole);
    for (; result == TRN_RESULT_OK && lows->count < whole; lows->count++) {
        lows->items[lows->count] = TRN_AGE_NONE;
    }
    return result;
}

TrnResult trn_ages_grow(TrnStoreAges *ages, const TrnAllocator *allocator)
{
    uint32_t numbers = ages->blocks.count + 1;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
    TrnResult result = trn_array_reserve(&ages->blocks, allocator, (size_t)numbers);
    for (int i = 0; i < TRN_AGE_LEVELS && result == TRN_RESULT_OK; i++) {
        result = ages_cover(&ages->lows[i], allocator, numbers);
        numbers = (numbers + TRN_AGE_NODE - 1) / TRN_AGE_NODE;
    }
    TrnAgeBlock *block =
        result == TRN_RESULT_OK ? trn_take(allocator, sizeof *block, alignof(TrnAgeBlock)) : NULL;
    if (!block) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(block, 0xff, sizeof *block); // TRN_AGE_NONE
    ages->blocks.items[ages->blocks.count++] = block;
    return TRN_RESULT_OK;
}

void trn_ages_shrink(TrnStoreAges *ages, const TrnAllocator *allocator)
{
    TRN_ASSERT(ages->blocks.count > 0);
    trn_give(allocator, ages->blocks.items[--ages->blocks.count], sizeof(TrnAgeBlock));
}

void trn_ages_free(TrnStoreAges *ages, const TrnAllocator *allocator)
{
    while (ages->blocks.count > 0) {
        trn_ages_shrink(ages, allocator);
    }
    trn_array_free(&ages->blocks, allocator); // NOLINT(bugprone-sizeof-expression): pointers
    for (int i = 0; i < TRN_AGE_LEVELS; i++) {
        trn_array_free(&ages->lows[i], allocator);
    }
}
