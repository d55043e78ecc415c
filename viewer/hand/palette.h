/// The blocks that one builds with, in their order, and which of them is chosen.
#ifndef TERRANE_VIEWER_PALETTE_H
#define TERRANE_VIEWER_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/block_types.h>

#define PALETTE_BAR 9 ///< blocks in the bar at the bottom of the picture

typedef struct Palette {
    TrnBlock *blocks; ///< [count] all types but air: solid ones by id, then the others by id
    uint32_t count;   ///< 0: there are none but air
    uint32_t chosen;  ///< place among them
    uint32_t first;   ///< of the bar; the chosen one is always in it
} Palette;

/// Takes all types that there are now. @return false without memory; the palette is then empty
bool palette_create(Palette *palette, const TrnBlockTypes *types);
void palette_free(Palette *palette);

/// The chosen block; air where there is none.
TrnBlock palette_block(const Palette *palette);

/// Chooses so many places farther, around the ends.
void palette_step(Palette *palette, int32_t steps);
/// Chooses by place in the bar. @return false where the bar has none there
bool palette_choose_slot(Palette *palette, uint32_t slot);
/// Chooses a block. @return false where it is not in the palette
bool palette_choose(Palette *palette, TrnBlock block);

/// How many blocks the bar holds: blocks[first] and those after it. At most PALETTE_BAR.
uint32_t palette_bar(const Palette *palette);

#endif
