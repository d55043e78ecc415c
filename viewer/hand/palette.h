/// The blocks that a player builds with: all of them, and those in the bar at the bottom of the
/// picture. A slot of the bar keeps its block until the player puts another one there.
#ifndef TERRANE_VIEWER_PALETTE_H
#define TERRANE_VIEWER_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/block_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PALETTE_BAR 9 ///< slots of the bar

typedef struct Palette {
    TrnBlock *blocks; ///< [count] all types but air: solid ones by id, then the others by id
    uint32_t count;   ///< 0: there are none but air
    TrnBlock bar[PALETTE_BAR]; ///< [palette_bar()] no block twice
    uint32_t chosen;           ///< slot of the bar
} Palette;

/// Takes all types that exist now. The bar begins with blocks that suit a first house, as far as
/// there are such types. @return false if out of memory; the palette is then empty
bool palette_create(Palette *palette, const TrnBlockTypes *types);
void palette_free(Palette *palette);

/// The chosen block; air if there is none.
TrnBlock palette_block(const Palette *palette);

/// How many slots the bar has: at most PALETTE_BAR.
uint32_t palette_bar(const Palette *palette);
/// Chooses the slot `steps` farther, around the ends.
void palette_step(Palette *palette, int32_t steps);
/// @return false if the bar has no such slot
bool palette_choose_slot(Palette *palette, uint32_t slot);

/// Puts blocks into all slots of the bar.
/// @param blocks  [count] different ones of the palette
/// @return false, and changes nothing, if the bar has another number of slots or a block is wrong
bool palette_set_bar(Palette *palette, const TrnBlock *blocks, uint32_t count);

/// Puts a block into a slot. If another slot shows it, the two swap their blocks.
/// @return false, and changes nothing, if the palette has no such block or the bar no such slot
bool palette_put(Palette *palette, uint32_t slot, TrnBlock block);
/// Chooses the slot with a block. If the bar does not show it, puts it into the chosen slot.
/// @return false if the palette does not have it
bool palette_choose(Palette *palette, TrnBlock block);

/// Writes a type's name as a person reads it: "terrane:oak_log" is "oak log".
void palette_label(const TrnBlockType *type, char text[TRN_BLOCK_NAME_MAX + 1]);

#ifdef __cplusplus
}
#endif

#endif
